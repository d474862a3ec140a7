"""The prediction table: the only entry for raw data, which are checked once."""

import dataclasses
import functools
import importlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import (
    frame_library,
    nearest,
    need_extra,
    one_of,
    shorten,
    shown,
    whole_number,
)
from plumbline._keywords import keywords_checked, known_keywords
from plumbline.errors import MOST_OFFERED, InputError, ParameterError
from plumbline.formatting import counted, quoted
from plumbline.predictions import labels as lb
from plumbline.predictions import probabilities as pr
from plumbline.predictions.arrays import (
    CODED,
    OF_ESTIMATORS,
    ArgumentNames,
    checked_columns,
    estimator_outputs,
    same_length,
)
from plumbline.predictions.counted import CountedAt, CountedLosses, need_single_rows
from plumbline.predictions.labels import Array, Ints, Labels, rows_of_codes
from plumbline.predictions.orange import fields_of_orange
from plumbline.predictions.probabilities import (
    BinaryColumns,
    Floats,
    among_k_likeliest,
    largest_of_rows,
    one_column,
    warn_of_lost_logarithms,
)
from plumbline.predictions.rows_in_groups import need_independent_rows
from plumbline.roles import Reading
from plumbline.roles.reading import ALONE

SHOWN_COLUMNS = 12  # of the HTML in a notebook, so that it fits on a page
ARRAYS = ("actual", "prob", "log_prob", "label", "score", "weight", "row")


def _private_constructor() -> ParameterError:
    return ParameterError(
        "Predictions(...) checks nothing and takes no raw arrays",
        code="private-constructor",
        remedy="make the table with Predictions.from_arrays(y_true, y_prob)",
    )


@functools.partial(keywords_checked, private=_private_constructor)
@dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions:
    """Observed classes with predicted probabilities (or labels, or ratings), checked and frozen.

    Build one with `from_arrays`, `from_logits`, `from_frame`, `from_estimator`, `from_orange` or
    `read`. The constructor is private to them: it checks nothing, and freezes the very arrays it is
    given.

    Attributes
    ----------
    classes : tuple of str
        Names of the k classes, in column order.
    actual : (n,) array of int
        Number of the observed class of every row.
    prob : (n, k) array of float32 or float64, or None
        Predicted probabilities; stored by column where k = 2.
    log_prob : (n, k) array of float64, or None
        Natural logarithms of the probabilities, kept for data made from logits.
    label : (n,) array of int, or None
        Number of the predicted class, from a `predicted` column.
    score : (n,) or (n, k) array of float, or None
        Ratings such as a decision function.
    weight : (n,) array of float64, or None
        Non-negative weights, or counts where `counted`.
    model, fold, repeat, groups : Labels, or None
        Coded columns; of such a column `names[codes[i]]` is the value of row i. Rows of one of the
        `groups` are not taken to be independent.
    row : (n,) array, or None
        ID of the example of every row.
    attributes : mapping of str to (n,) array
        Every other column, by name.
    positive : int
        Number of the positive class of two: the one named, else the usual one of a pair like "no"
        and "yes", else the last (docs/conventions.md).
    counted : bool
        Whether row i is `weight[i]` identical rows, each an observation of its own. Arrays then
        have `stored` rows, and `n` is the sum of the counts.
    levels : CountedAt, or None
        Levels at which `read` counted the rows of a large table, so that probabilities are means of
        a level; None where they are those of the rows.
    averaged : frozenset of str
        Attributes of which row i has the mean over the rows that it counts.
    losses : CountedLosses, or None
        Mean losses of the rows that row i counts, where `read` counted all of more than two classes
        at once and kept no probabilities.
    reading : Reading, or None
        Which column of a frame or file played which part; None of arrays.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
    >>> data
    Predictions(3 rows, 2 classes ('0', '1'), positive '1', probabilities)
    """

    classes: tuple[str, ...] = ()  # so that a call without them is refused in words, too
    actual: Ints = dataclasses.field(default_factory=lambda: np.empty(0, np.int32))
    prob: Floats | None = None
    log_prob: Floats | None = None
    label: Ints | None = None
    score: Floats | None = None
    weight: NDArray[np.float64] | None = None
    model: Labels | None = None
    fold: Labels | None = None
    repeat: Labels | None = None
    groups: Labels | None = None
    row: Array | None = None
    attributes: Mapping[str, Array] = dataclasses.field(default_factory=dict)
    positive: int = -1
    counted: bool = False
    levels: CountedAt | None = None
    averaged: frozenset[str] = frozenset()
    losses: CountedLosses | None = None
    reading: Reading | None = None

    def __post_init__(self) -> None:
        if not _is_checked(self.classes, self.actual, self.prob):  # before arrays are frozen
            raise _private_constructor()
        for array in (*(getattr(self, name) for name in ARRAYS), *self.attributes.values()):
            if array is not None:
                array.flags.writeable = False
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))
        object.__setattr__(self, "positive", self.positive % len(self.classes))

    def __len__(self) -> int:
        return self.n

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        fields["attributes"] = dict(self.attributes)  # a read-only view cannot be pickled
        return type(self), tuple(fields.values())

    # ---------------------------------------------------------------- from raw data

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_prob: Any = None,
        *,
        classes: Sequence[Any] | None = None,
        positive: Any = None,
        predicted: Any = None,
        score: Any = None,
        weight: Any = None,
        count: Any = None,
        model: Any = None,
        fold: Any = None,
        repeat: Any = None,
        groups: Any = None,
        row: Any = None,
        attributes: Any = None,
        normalize: bool = False,
    ) -> "Predictions":
        """Check arrays and return them as predictions.

        Parameters
        ----------
        y_true : (n,) array-like of class
            Observed labels, numbers or text.
        y_prob : (n,) or (n, k) array-like of float, optional
            Probability of the positive class, or one column per class in the order of `classes`.
            Rows must sum to 1 within 1e-6, or the square root of their type's machine epsilon if
            that is more: 3.5e-4 for float32, 0.03 for float16. Without it, `predicted` or `score`
            is needed.
        classes : sequence of class, optional
            Names of the classes in column order, including those that never occur. By default the
            whole numbers 0 to k - 1, or exactly k distinct labels, sorted.
        positive : class, optional
            Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and
            1, False and True, "no" and "yes" or the like. Otherwise it is the last class.
        predicted : (n,) array-like of class, optional
            Predicted labels; by default they follow from the probabilities.
        score : (n,) or (n, k) array-like of float, optional
            Ratings such as a decision function: of the positive class, or one column per class.
        weight : (n,) array-like of float, optional
            Non-negative weights of the rows; by default every row counts 1.
        count : (n,) array-like of int, optional
            Number of identical rows of each row, whole numbers of at least 0, instead of `weight`.
            Results equal those for the table with these rows repeated; a function that needs single
            rows refuses counts.
        model : (n,) array-like of str or int, optional
            Name of the model that made each prediction.
        fold, repeat : (n,) array-like of str or int, optional
            Fold of a cross-validation, and its repeat, in which each row was predicted.
        groups : (n,) array-like, optional
            What rows belong to that are not independent of each other, such as a patient with
            several visits or a question with several answers.
        row : (n,) array-like, optional
            ID of the example; unique within a model, fold and repeat.
        attributes : mapping of str to (n,) array-like, or data frame, optional
            Further columns to filter and group rows by.
        normalize : bool, default False
            Divide every row of `y_prob` by its sum instead of checking the sum.

        Returns
        -------
        Predictions
            The table.

        Raises
        ------
        InputError
            For columns or values outside their rules; names column, row, value and remedy.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
        >>> data.n, data.classes, data.actual.tolist()
        (3, ('0', '1'), [0, 1, 1])
        >>> Predictions.from_arrays([0, 1], [0.2, 0.2], count=[80, 20]).total
        100
        """
        columns = checked_columns(
            y_true,
            y_prob,
            classes=classes,
            positive=positive,
            predicted=predicted,
            score=score,
            weight=weight,
            count=count,
            model=model,
            fold=fold,
            repeat=repeat,
            groups=groups,
            row=row,
            attributes=attributes,
            normalize=normalize,
        )
        return cls(**columns)

    @classmethod
    def from_logits(
        cls,
        y_true: Any,
        logits: Any,
        *,
        classes: Sequence[Any] | None = None,
        positive: Any = None,
        predicted: Any = None,
        score: Any = None,
        weight: Any = None,
        model: Any = None,
        fold: Any = None,
        repeat: Any = None,
        groups: Any = None,
        row: Any = None,
        attributes: Any = None,
    ) -> "Predictions":
        """Turn logits into predictions by a stable softmax (or logistic function).

        The log probabilities are kept, so that the log loss stays finite where the probability
        itself rounds to 0 or 1.

        Parameters
        ----------
        y_true : (n,) array-like of class
            Observed labels, numbers or text.
        logits : (n,) or (n, k) array-like of float
            Natural log-odds of the positive class, or the z of softmax(z), one column per class.
        classes : sequence of class, optional
            Names of the classes in column order, including those that never occur. By default the
            whole numbers 0 to k - 1, or exactly k distinct labels, sorted.
        positive : class, optional
            Positive class of two; needed for an (n,) `logits` unless the labels are 0 and 1, -1 and
            1, False and True, "no" and "yes" or the like. Otherwise it is the last class.
        predicted : (n,) array-like of class, optional
            Predicted labels; by default they follow from the probabilities.
        score : (n,) or (n, k) array-like of float, optional
            Ratings such as a decision function: of the positive class, or one column per class.
        weight : (n,) array-like of float, optional
            Non-negative weights of the rows; by default every row counts 1.
        model : (n,) array-like of str or int, optional
            Name of the model that made each prediction.
        fold, repeat : (n,) array-like of str or int, optional
            Fold of a cross-validation, and its repeat, in which each row was predicted.
        groups : (n,) array-like, optional
            What rows belong to that are not independent of each other, such as a patient with
            several visits or a question with several answers.
        row : (n,) array-like, optional
            ID of the example; unique within a model, fold and repeat.
        attributes : mapping of str to (n,) array-like, or data frame, optional
            Further columns to filter and group rows by.

        Returns
        -------
        Predictions
            The table.

        Raises
        ------
        InputError
            For columns or values outside their rules; names column, row, value and remedy.

        Examples
        --------
        >>> data = Predictions.from_logits([1, 0], [[0.0, 800.0], [0.0, -2.0]])
        >>> data.log_prob.round(3).tolist()
        [[-800.0, 0.0], [-0.127, -2.127]]
        """
        log_prob = pr.log_softmax(pr.logit_matrix(logits))
        same_length(len(lb.one_dimension("y_true", y_true)), {"logits": log_prob})
        odds = np.ndim(logits) == 1
        columns = checked_columns(
            y_true,
            np.exp(log_prob[:, 1] if odds else log_prob),
            classes=classes,
            positive=positive,
            predicted=predicted,
            score=score,
            weight=weight,
            model=model,
            fold=fold,
            repeat=repeat,
            groups=groups,
            row=row,
            attributes=attributes,
            argument_names=ArgumentNames(prob="logits"),
        )
        data = cls(**columns)
        if odds and data.positive == 0:
            log_prob = log_prob[:, ::-1]
        by_column = np.asfortranarray(log_prob) if data.k == 2 else log_prob
        return dataclasses.replace(data, prob=np.exp(by_column), log_prob=by_column)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        actual: str | None = None,
        prob: str | Sequence[str] | Mapping[str, Any] | None = None,
        rename: Mapping[str, str] | None = None,
        positive: Any = None,
        normalize: bool = False,
        missing: str | None = None,
        logits: bool = False,
        scale: float | None = None,
        labels: Any = None,
        row: str | Mapping[str, str] | None = None,
        keep: str | None = None,
    ) -> "Predictions":
        """Read a prediction table from any data frame narwhals knows (pandas, Polars, Arrow, ...).

        Which column plays which part is told by its name and its values where there is one
        reading only; `reading` says how, and other tables are refused with the arguments that
        settle it. Nothing is guessed of columns `actual`, one `p:CLASS` per class, optional
        `model`, `fold`, `repeat`, `row`, `weight`, `predicted`, `score` or `score:CLASS`; all
        others are attributes.

        Parameters
        ----------
        frame : data frame
            The table, one row per example and model.
        actual : str, optional
            Column of the observed labels; by default the one that names and values tell.
        prob : str, list of str or mapping of str to class, optional
            Column of the probability of the positive class, one such column a model, or columns
            and the class of each; by default those that names and values tell.
        rename : mapping of str to str, optional
            Columns of the frame and their parts: `model`, `row`, `fold`, `repeat`, `weight`,
            `predicted`, `score`, `groups` (rows that belong together, such as those of a patient),
            `class` (a table of one row a class) or `attribute` (none).
        positive : class, optional
            Positive class of two; needed for `y_prob` unless the labels are 0 and 1, False and
            True, "no" and "yes" or the like.
        normalize : bool, default False
            Divide every row of probabilities by its sum instead of checking the sum.
        missing : {"drop", "alone"}, optional
            "drop" leaves out rows without a value in a column that plays a part; "alone" makes each
            row without a group a group of its own. By default both are refused.
        logits : bool, default False
            The columns of probabilities hold logits (log odds; of several classes, logarithms).
        scale : float, optional
            What stands for a probability of 1, such as 100 of percent.
        labels : data frame, optional
            A second table with the true classes, joined to the rows by an ID that both have.
            `actual` is its column, by default the one that names and values tell.
        row : str or mapping of str to str, optional
            Column of that ID, or the column of the predictions and that of `labels`; by default
            the one that both have.
        keep : {"first", "last"}, optional
            Which label counts of an ID that has several in `labels`; by default they are refused.

        Returns
        -------
        Predictions
            The table.

        Raises
        ------
        InputError
            For columns or values outside their rules; names column, row, value and remedy.

        Examples
        --------
        >>> import pyarrow as pa
        >>> table = pa.table({"actual": ["no", "yes"], "p:yes": [0.1, 0.8], "age": [31, 54]})
        >>> data = Predictions.from_frame(table)
        >>> data.classes, data.prob[:, 1].tolist(), list(data.attributes)
        (('no', 'yes'), [0.1, 0.8], ['age'])
        """
        from plumbline.predictions.columns import fields_of_frame
        from plumbline.predictions.joined_labels import need_labels
        from plumbline.predictions.opening import labels_beside

        need_labels(labels, row=row, keep=keep)
        beside = None if labels is None else labels_beside(labels, row=row, keep=keep)
        told = {"actual": actual, "prob": prob, "rename": rename, "positive": positive}
        told |= {"missing": missing, "logits": logits, "scale": scale}
        return cls(**fields_of_frame(frame, beside=beside, **told, normalize=normalize))

    @classmethod
    def read(
        cls,
        path: "str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | BinaryIO",
        *,
        actual: str | None = None,
        prob: str | Sequence[str] | Mapping[str, Any] | None = None,
        rename: Mapping[str, str] | None = None,
        positive: Any = None,
        normalize: bool = False,
        missing: str | None = None,
        logits: bool = False,
        scale: float | None = None,
        separator: str | None = None,
        decimal: str | None = None,
        names: Sequence[str] | None = None,
        sheet: str | None = None,
        labels: Any = None,
        row: str | Mapping[str, str] | None = None,
        keep: str | None = None,
    ) -> "Predictions":
        """Read a prediction table from CSV, JSON, Parquet or Arrow/Feather.

        Parameters
        ----------
        path : str, Path, sequence of these, or binary file
            The file, whose ending gives the format: `.csv`, `.tsv`, `.jsonl`, `.ndjson`, `.json`
            (each also with `.gz`, `.zst` or `.bz2`), `.parquet`, `.arrow`, `.feather`, `.xlsx`
            (needs the extra `excel`), `.npz` or `.eval` (a log of Inspect AI). Several files, a
            folder, or a pattern such as `part-*.csv`, are one table and have the same columns. A
            URI names a file elsewhere, such as `s3://bucket/part-*.parquet`. Of an open binary
            file, such as `sys.stdin.buffer`, the first bytes give the format. Columns as in
            `from_frame`.
        actual : str, optional
            Column of the observed labels; by default the one that names and values tell.
        prob : str, list of str or mapping of str to class, optional
            Column of the probability of the positive class, one such column a model, or columns
            and the class of each; by default those that names and values tell.
        rename : mapping of str to str, optional
            Columns of the file and their parts, as in `from_frame`.
        positive : class, optional
            Positive class of two; needed for `y_prob` unless the labels are 0 and 1, False and
            True, "no" and "yes" or the like.
        normalize : bool, default False
            Divide every row of probabilities by its sum instead of checking the sum.
        missing : {"drop", "alone"}, optional
            "drop" leaves out rows without a value in a column that plays a part; "alone" makes each
            row without a group a group of its own. By default both are refused.
        logits : bool, default False
            The columns of probabilities hold logits (log odds; of several classes, logarithms).
        scale : float, optional
            What stands for a probability of 1, such as 100 of percent.
        separator : str, optional
            Character between the columns of a CSV or TSV file, or its name: comma, semicolon, tab
            or bar. By default it is recognised from the header.
        decimal : {".", ","}, optional
            Decimal mark of the numbers in a CSV or TSV file. By default it is the point, or the
            comma where the columns are not separated by commas and the numbers show it.
        names : list of str, optional
            Names of the columns of a text file that has no header.
        sheet : str, optional
            Sheet of an Excel file; by default the only one.
        labels : str, Path or data frame, optional
            A second table with the true classes, joined to the rows by an ID that both have.
            `actual` is its column, by default the one that names and values tell.
        row : str or mapping of str to str, optional
            Column of that ID, or the column of the predictions and that of `labels`; by default
            the one that both have.
        keep : {"first", "last"}, optional
            Which label counts of an ID that has several in `labels`; by default they are refused.

        Returns
        -------
        Predictions
            The table.

        Raises
        ------
        InputError
            For a file that is missing, empty, damaged or of another format than its name, and for
            columns or values outside their rules.
        ParameterError
            For a `path` that is neither a file name nor a binary file, and for an invalid
            `separator` or `decimal`.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Predictions.from_arrays([0, 1], [0.2, 0.6]).write(f"{folder}/table.csv")
        ...     Predictions.read(f"{folder}/table.csv").n
        2
        """
        from plumbline.predictions.opening import fields_of_file

        told = {"actual": actual, "prob": prob, "rename": rename, "positive": positive}
        told |= {"missing": missing, "logits": logits, "scale": scale, "normalize": normalize}
        written: dict[str, Any] = {"separator": separator, "decimal": decimal, "names": names}
        written["sheet"] = sheet
        beside: dict[str, Any] = {"labels": labels, "row": row, "keep": keep}
        return cls(**fields_of_file(path, told, **written, **beside))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        positive: Any = None,
        predicted: Any = None,
        score: Any = None,
        weight: Any = None,
        model: Any = None,
        fold: Any = None,
        repeat: Any = None,
        groups: Any = None,
        row: Any = None,
        attributes: Any = None,
        normalize: bool = False,
    ) -> "Predictions":
        """Take the predictions of a fitted scikit-learn classifier on given rows.

        Uses `predict_proba`; a classifier without it gives its `decision_function` as `score` and
        its `predict` as `predicted`; the one rating s of two classes is stored as (-s, s). Classes
        come from `classes_`, so absent classes are kept. Use rows that the estimator was not fitted
        on.

        Parameters
        ----------
        estimator : fitted classifier
            Has `classes_`, and `predict_proba`, `decision_function` or `predict`.
        X : (n, features) array-like
            Rows to predict.
        y : (n,) array-like of class
            Observed labels of these rows.
        positive : class, optional
            Positive class of two; by default the usual one of a pair like "no" and "yes", else the
            last of `classes_`.
        predicted : (n,) array-like of class, optional
            Predicted labels, of a classifier with `predict_proba`; by default they follow from the
            probabilities.
        score : (n,) or (n, k) array-like of float, optional
            Ratings, of a classifier with `predict_proba`.
        weight : (n,) array-like of float, optional
            Non-negative weights of the rows; by default every row counts 1.
        model : (n,) array-like of str or int, optional
            Name of the model that made each prediction.
        fold, repeat : (n,) array-like of str or int, optional
            Fold of a cross-validation, and its repeat, in which each row was predicted.
        groups : (n,) array-like, optional
            What rows belong to that are not independent of each other, such as a patient with
            several visits or a question with several answers.
        row : (n,) array-like, optional
            ID of the example; unique within a model, fold and repeat.
        attributes : mapping of str to (n,) array-like, or data frame, optional
            Further columns to filter and group rows by.
        normalize : bool, default False
            Divide every row of probabilities by its sum instead of checking the sum.

        Returns
        -------
        Predictions
            The table.

        Raises
        ------
        InputError
            For an estimator that is not fitted, and for values outside their rules.
        ParameterError
            For `predicted` or `score` where the estimator itself gives them.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
        >>> Predictions.from_estimator(model, [[0.5], [2.5]], ["a", "b"]).classes
        ('a', 'b')
        """
        outputs = estimator_outputs(estimator, X)
        for name, values in {"predicted": predicted, "score": score}.items():
            if values is not None and name in outputs:
                raise ParameterError(
                    f"`{name}` cannot be passed, because the estimator itself gives it; leave it "
                    "out, or pass the estimator's predictions to from_arrays",
                    code="argument-of-estimator",
                )
        columns = {"predicted": predicted, "score": score} | outputs
        fields = checked_columns(
            y,
            **columns,
            positive=positive,
            weight=weight,
            model=model,
            fold=fold,
            repeat=repeat,
            groups=groups,
            row=row,
            attributes=attributes,
            normalize=normalize,
            argument_names=OF_ESTIMATORS,
        )
        return cls(**fields)

    @classmethod
    def from_cross_validation(
        cls,
        estimators: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = 5,
        groups: Any = None,
        positive: Any = None,
        row: Any = None,
        attributes: Any = None,
        rng: Any = 0,
        workers: int | None = None,
        progress: Any = None,
    ) -> "Predictions":
        """Fit classifiers on all folds but one, and take what they predict for that one, in turn.

        All classifiers have the same folds. It is the table of `plumbline.estimate`, which measures
        them, too, and has further schemes.

        Parameters
        ----------
        estimators : estimator or mapping of str to estimator
            Unfitted scikit-learn classifiers, pipelines or searches by name; a single one is named
            by its class.
        X : array, sparse matrix or frame of n rows
            Features.
        y : (n,) array-like of class
            Observed labels.
        cv : int, str or splitter, default 5
            Number of stratified folds, drawn at random; a scheme of `plumbline.estimate`, such as
            "repeated-stratified:5x2"; or a splitter of scikit-learn.
        groups : (n,) array-like, optional
            Names of groups; rows of one group are never on both sides of a split.
        positive : class, optional
            Positive class of two; by default the usual one of a pair like "no" and "yes", else the
            last.
        row : (n,) array-like, optional
            ID of every row; by default their numbers, from 0.
        attributes : mapping of str to (n,) array-like, or data frame, optional
            Further columns to filter and group rows by.
        rng : int, Generator or None, default 0
            Random seed of the folds and of estimators without a `random_state`.
        workers : int, optional
            Number of threads; by default all cores. The result does not depend on it.
        progress : callable, optional
            Called as `progress(done, total)`.

        Returns
        -------
        Predictions
            The predictions of all test parts, with the columns `model`, `row`, `fold` and, where
            rows are tested several times, `repeat`.

        Raises
        ------
        ParameterError
            For an invalid argument, and for estimators that are fitted already or no classifiers.
        InputError
            For data that cannot be split so, and for a fit that fails, with its fold.
        MissingExtraError
            Where scikit-learn is not installed; names the command that installs it.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
        >>> models = {"bayes": GaussianNB(), "logistic": LogisticRegression()}
        >>> data = Predictions.from_cross_validation(models, X, y, cv=3)
        >>> data.models, data.folds, data.n
        (('bayes', 'logistic'), ('0', '1', '2'), 120)
        """
        # What fits stands above tables; as `workbench`, this is asked for by name.
        validation = importlib.import_module("plumbline.validation")
        data: Predictions = validation.cross_validated(
            estimators,
            X,
            y,
            cv=cv,
            groups=groups,
            positive=positive,
            row=row,
            attributes=attributes,
            rng=rng,
            workers=workers,
            progress=progress,
        )
        return data

    @classmethod
    def from_orange(cls, source: Any) -> "Predictions":
        """Take evaluation results of Orange, or a table of Orange with probabilities.

        Models, folds, examples, weights and all variables of stored data are kept. Left out are
        models that failed in Orange, rows without an observed class, and rows without a prediction;
        a PlumblineWarning counts them. Folds of a single row (leave-one-out) are no folds.

        Parameters
        ----------
        source : Orange.evaluation.Results or Orange.data.Table
            Results of any kind (cross-validation, leave-one-out, random sampling, test data, of the
            widget Predictions), or a table: the columns `MODEL (CLASS)` that Orange's widgets add
            are recognised, and others as `from_frame` recognises them, the target as the true
            classes.

        Returns
        -------
        Predictions
            The table; `row` is the number of the row in Orange's data, from 0, unless the data
            name their rows or models in columns. An attribute with a
            reserved name such as "model" is called "model (data)". A predicted class that is
            missing is the most likely one.

        Raises
        ------
        InputError
            For data without a single class, without probabilities, and for values outside their
            rules.

        Examples
        --------
        >>> from types import SimpleNamespace as Results  # in Orange: CrossValidation()(data, ...)
        >>> target = Results(name="ill", values=("no", "yes"), is_discrete=True)
        >>> results = Results(
        ...     domain=Results(class_var=target, class_vars=[target]),
        ...     data=None,
        ...     actual=[0, 1, 1],
        ...     predicted=[[0, 1, 1]],
        ...     probabilities=[[[0.8, 0.2], [0.3, 0.7], [0.4, 0.6]]],
        ...     row_indices=[4, 0, 2],
        ...     folds=[slice(0, 3)],
        ...     learner_names=["naive Bayes"],
        ...     learners=None,
        ...     models=None,
        ...     failed=None,
        ... )
        >>> data = Predictions.from_orange(results)
        >>> data.models, data.row.tolist(), data.prob[:, 1].tolist()
        (('naive Bayes',), [4, 0, 2], [0.2, 0.7, 0.6])
        """
        return cls(**fields_of_orange(source))

    def write(self, path: str | Path) -> None:
        """Write the table as CSV, TSV, Parquet or Arrow/Feather, whole or not at all.

        Files hold probabilities. A PlumblineWarning counts those from logits that round to 0.

        Parameters
        ----------
        path : str or Path
            The file; its ending gives the format.

        Raises
        ------
        InputError
            For another ending, a folder that does not exist, or a column the format cannot hold.

        Examples
        --------
        >>> import tempfile
        >>> data = Predictions.from_arrays([0, 1], [0.2, 0.6])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     data.write(f"{folder}/table.parquet")
        """
        from plumbline.predictions.files import write_table

        warn_of_lost_logarithms(self.prob, self.log_prob)
        write_table(self.to_frame(), Path(path))

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return the prediction table as a data frame.

        Parameters
        ----------
        backend : {"pyarrow", "pandas", "polars"}, default "pyarrow"
            Library of the frame.

        Returns
        -------
        data frame
            Columns as in `from_frame`, which reads it back.

        Raises
        ------
        ParameterError
            For another `backend`.
        MissingExtraError
            Where the library is not installed; names the command that installs it.

        Examples
        --------
        >>> Predictions.from_arrays([0, 1], [0.2, 0.6]).to_frame().column_names
        ['actual', 'p:0', 'p:1']
        """
        import narwhals as nw

        from plumbline.predictions.columns import table_of

        library: Any = frame_library(backend)
        return nw.from_arrow(table_of(self), backend=library).to_native()

    def head(self, rows: int = 5) -> Any:
        """Return the first rows as a table of Arrow.

        Parameters
        ----------
        rows : int, default 5
            Number of rows.

        Returns
        -------
        pyarrow.Table
            The rows, with columns as in `from_frame`.

        Raises
        ------
        ParameterError
            For a number that is not whole or below 1.

        Examples
        --------
        >>> Predictions.from_arrays([0, 1], [0.2, 0.6]).head(1).to_pydict()
        {'actual': ['0'], 'p:0': [0.8], 'p:1': [0.2]}
        """
        most = whole_number("rows", rows, least=1)
        return self._take(np.arange(min(most, self.stored))).to_frame()

    def workbench(self, *, height: int = 720, name: str = "table") -> Any:
        """Show the table in the workbench, a widget for a notebook.

        Parameters
        ----------
        height : int, default 720
            Height of the widget in pixels.
        name : str, default "table"
            Name of the table in the widget.

        Returns
        -------
        widget
            The workbench of this table.

        Raises
        ------
        MissingExtraError
            Where anywidget is not installed; names the command that installs it.
        """
        need_extra("anywidget", "notebook", "the workbench in a notebook")
        notebook = importlib.import_module("plumbline.workbench.notebook")
        return notebook.workbench(self, height=height, name=name)

    # ---------------------------------------------------------------- what is in it

    @property
    def stored(self) -> int:
        """Number of rows that are stored; in a counted table each stands for several."""
        return len(self.actual)

    @property
    def n(self) -> int:
        """Number of rows; of a counted table the sum of the counts."""
        return self.stored if not self.counted or self.weight is None else int(self.weight.sum())

    @property
    def total(self) -> int:
        """The same as `n`."""
        return self.n

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models; empty where the table has no `model` column."""
        return () if self.model is None else self.model.names

    @property
    def folds(self) -> tuple[str, ...]:
        """Names of the folds; empty where the table has no `fold` column."""
        return () if self.fold is None else self.fold.names

    @property
    def group_codes(self) -> Ints | None:
        """(n,) number of the group of every row; None where rows are independent."""
        return None if self.groups is None else self.groups.codes

    @property
    def effective_n(self) -> float:
        """Kish's effective number of rows, (sum w)^2 / sum w^2; 0 where all weights are 0.

        A counted table has `n`.
        """
        if self.counted:
            return float(self.total)
        largest = self.mass.max()
        w = np.ldexp(self.mass, -np.frexp(largest)[1])  # exact, and no square over- or underflows
        return float(w.sum() ** 2 / np.square(w).sum()) if largest > 0 else 0.0

    @property
    def mass(self) -> NDArray[np.float64]:
        """(n,) float64 weights or counts of the rows, all 1 in a table without."""
        return np.ones(self.stored) if self.weight is None else self.weight

    @property
    def predicted(self) -> Ints:
        """Number of the predicted class: column `predicted`, else p >= 0.5 or the argmax."""
        if self.label is not None:
            return self.label
        return self.most_likely

    @property
    def most_likely(self) -> Ints:
        """Class number of the largest probability; k = 2: positive iff p >= 0.5; first on ties."""
        prob = self.need_prob("the predicted class")
        if self.k == 2:
            return np.where(prob[:, self.positive] >= 0.5, self.positive, 1 - self.positive)
        return largest_of_rows(prob)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the table's columns: the same rows have the same digits.

        It is taken over the class names, then `actual`, the probabilities, the predicted classes,
        the ratings, the weights or counts, model, fold, repeat and row, then the attributes by
        name: numbers as little-endian float64, names as text. So the same rows in the same order
        give the same digits from CSV, Parquet or Arrow, in float32 or in the float64 of the same
        decimals, on any machine; one changed number gives others.

        Returns
        -------
        str
            64 hexadecimal digits.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
        >>> turned = data.select(where=[0, 2, 1])
        >>> data.fingerprint()[:12], turned.fingerprint() == data.fingerprint()
        ('0ae2f6951d5b', False)
        """
        from plumbline.predictions.fingerprint import fingerprint

        return fingerprint(self)

    def need_prob(self, purpose: str) -> Floats:
        """Return the probabilities; refuse a table of only labels or ratings.

        Parameters
        ----------
        purpose : str
            What needs them; the error begins with it.

        Returns
        -------
        (n, k) array of float
            The probabilities.

        Raises
        ------
        InputError
            Where the table holds no probabilities.
        """
        if self.prob is not None:
            return self.prob
        if self.losses is not None:
            raise InputError(
                f"{purpose} needs probabilities, but this table counts rows by observed and most "
                "likely class",
                code="all-classes-counted",
                remedy="read it with `view='top-label'` or "
                f"`view='one-vs-rest:{self.classes[-1]}'`; read it with `engine='memory'`, for all "
                "classes",
            )
        if self.score is not None:
            raise InputError(
                f"{purpose} needs probabilities, but this table holds ratings (score)",
                code="ratings-only",
                remedy="turn them into probabilities with a map fitted on held-out rows: "
                "plumbline.recalibrate(held_out)(data)",
            )
        raise InputError(
            f"{purpose} needs probabilities, but this table holds only predicted labels; add one "
            "column p:<class> per class",
            code="labels-only",
        )

    def need_one_model(self, purpose: str) -> None:
        """Refuse a table of several models.

        Parameters
        ----------
        purpose : str
            What needs a single model; the error begins with it.

        Raises
        ------
        InputError
            Where the table holds several models.
        """
        if len(self.models) > 1:
            raise InputError(
                f"{purpose} takes one model, but this table holds {len(self.models)} "
                f"({shown(self.models)})",
                code="several-models",
                remedy="choose one with data.select(model=...), or take them one by one with "
                "data.by_model()",
                choices=[{"models": model} for model in self.models[:MOST_OFFERED]],
            )

    def class_number(self, name: Any) -> int:
        """Return the column number of a class.

        Parameters
        ----------
        name : class
            Name of the class; 3, 3.0 and "3" are one name.

        Returns
        -------
        int
            Its place in `classes`.

        Raises
        ------
        ParameterError
            Where there is no such class; suggests the nearest name.

        Examples
        --------
        >>> Predictions.from_arrays(["no", "yes"], [0.2, 0.6]).class_number("yes")
        1
        """
        if isinstance(name, str) and name in self.classes:
            return self.classes.index(name)
        text = lb.label_text(name)
        if text not in self.classes:
            raise ParameterError(
                f"there is no class {quoted(text)}; the classes are {shown(self.classes)}",
                code="unknown-class",
                arrived=quoted(text),
                near=nearest(text, self.classes),
            )
        return self.classes.index(text)

    # ---------------------------------------------------------------- parts and binary views

    def select(
        self, *, model: Any = None, fold: Any = None, repeat: Any = None, where: Any = None
    ) -> "Predictions":
        """Keep the rows of a model, fold or repeat, or chosen rows.

        Parameters
        ----------
        model, fold, repeat : str, int, or list of them, optional
            Names to keep.
        where : (n,) array-like of bool, or array-like of int, optional
            Mask of the rows to keep, or their numbers from 0 in the order wanted.

        Returns
        -------
        Predictions
            The rows that satisfy all conditions.

        Raises
        ------
        InputError
            For a name that does not occur, a column the table lacks, or if no row matches.
        ParameterError
            For a `where` that is neither a mask of n values nor row numbers.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], fold=[0, 0, 1, 1])
        >>> data.select(fold=1).n
        2
        """
        keep = np.ones(self.stored, bool)
        wanted = {"model": model, "fold": fold, "repeat": repeat}
        for column, names in wanted.items():
            if names is not None:
                keep &= self._labels_of(column).where(column, names)
        index = np.flatnonzero(keep)
        if where is not None:
            rows = self._rows(where)
            index = rows[keep[rows]]
        return self._take(index)

    def in_groups(self, groups: Any, *, missing: str | None = None) -> "Predictions":
        """Return the table with rows in groups, whose rows are not taken to be independent.

        Parameters
        ----------
        groups : str, (n,) array-like or None
            Attribute with the group of every row, such as a patient, or the groups themselves; None
            takes rows to be independent again.
        missing : {"alone"}, optional
            "alone" makes each row without a group, or each example of these rows, a group of its
            own. By default a missing group is refused.

        Returns
        -------
        Predictions
            The same rows with `groups`.

        Raises
        ------
        InputError
            For a group that is missing in some row, and for a counted table.
        ParameterError
            For a name that is no attribute, and an unknown word for `missing`.

        Examples
        --------
        >>> data = Predictions.from_arrays(
        ...     [0, 1, 1], [0.2, 0.7, 0.6], attributes={"who": [1, 1, 2]}
        ... )
        >>> data.in_groups("who").groups.names
        ('1', '2')
        >>> data.in_groups(["a", "a", None], missing="alone").groups.names
        ('a', '(alone 1)')
        """
        if missing is not None:
            one_of("missing", missing, (ALONE,))
        if groups is None:
            return dataclasses.replace(self, groups=None)
        if self.counted:
            raise InputError(
                "a counted table cannot be in groups: labels of rows in groups are drawn one by "
                "one, and this table counts identical rows",
                code="counted-rows",
                remedy="read it with `engine='memory'`",
            )
        values, name = groups, "groups"
        if isinstance(groups, str):
            if groups not in self.attributes:
                raise ParameterError(
                    code="unknown-attribute",
                    argument="groups",
                    rule="an attribute of the table"
                    + (f" ({shown(tuple(self.attributes))})" if self.attributes else ""),
                    arrived=quoted(groups),
                    near=nearest(groups, self.attributes),
                )
            values, name = self.attributes[groups], groups
        if missing == ALONE:
            same_length(self.n, {name: values})
            coded = Labels.of_groups(name, values, self.row)
        else:
            coded = Labels.of(name, values)
        same_length(self.n, {name: coded})
        return dataclasses.replace(self, groups=coded)

    def by_model(self) -> dict[str | None, "Predictions"]:
        """Split the table into models.

        Returns
        -------
        dict of str to Predictions
            The rows of every model by its name; {None: self} where there is no `model` column.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 0], [0.1, 0.9, 0.3], model=["a", "a", "b"])
        >>> {name: rows.n for name, rows in data.by_model().items()}
        {'a': 2, 'b': 1}
        """
        if self.model is None:
            return {None: self}
        groups = rows_of_codes(self.model.codes)
        return {self.model.names[code]: self._take(rows) for code, rows in groups.items()}

    def by_fold(self) -> dict[tuple[str, ...], "Predictions"]:
        """Split the table into folds, within repeats where there are repeats.

        Returns
        -------
        dict of tuple of str to Predictions
            Rows by (repeat, fold), or by (fold,); empty where there is no `fold` column.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 0], [0.1, 0.9, 0.3], fold=[0, 0, 1])
        >>> {name: rows.n for name, rows in data.by_fold().items()}
        {('0',): 2, ('1',): 1}
        """
        if self.fold is None:
            return {}
        columns = [column for column in (self.repeat, self.fold) if column is not None]
        sizes = tuple(len(column.names) for column in columns)
        groups = rows_of_codes(np.ravel_multi_index([c.codes for c in columns], sizes))
        places = {code: np.unravel_index(code, sizes) for code in groups}
        return {
            tuple(c.names[j] for c, j in zip(columns, places[code], strict=True)): self._take(rows)
            for code, rows in groups.items()
        }

    def repeated(self) -> "Predictions":
        """Return a counted table with its rows repeated, one row an observation.

        Returns
        -------
        Predictions
            A table of `total` rows without counts; the table itself where it has none.

        Examples
        --------
        >>> Predictions.from_arrays([0, 1], [0.2, 0.6], count=[3, 2]).repeated().actual.tolist()
        [0, 0, 0, 1, 1]
        """
        if not self.counted or self.weight is None:
            return self
        rows = np.repeat(np.arange(self.stored), self.weight.astype(np.int64))
        return dataclasses.replace(
            self._take(rows), weight=None, counted=False, levels=None, losses=None
        )

    def one_vs_rest(self, name: Any) -> "Predictions":
        """Return the two-class view ("rest", `name`): this class against all others.

        The probability of "rest" is the float64 sum of the other columns, not 1 - p.

        Parameters
        ----------
        name : class
            The class that becomes the positive one.

        Returns
        -------
        Predictions
            The rows as predictions of two classes.

        Raises
        ------
        InputError
            Where there is no such class, or the table holds no probabilities.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 2], [[0.5, 0.25, 0.25], [0.6, 0.3, 0.1]])
        >>> data.one_vs_rest(2).classes, data.one_vs_rest(2).prob[0].tolist()
        (('rest', '2'), [0.75, 0.25])
        """
        column = self.class_number(name)
        if self.levels is not None and self.levels.view == f"one-vs-rest:{self.classes[column]}":
            return self
        columns = one_column(self.need_prob("a one-vs-rest view"), self.log_prob, column)
        label = None if self.label is None else (self.label == column)
        classes = lb.against_others(self.classes[column])
        return self._binary_view(classes, columns, self.actual == column, label)

    def top_label(self) -> "Predictions":
        """Return the view ("wrong", "right") of the most likely class.

        The probability of "right" is the largest of the row.

        Returns
        -------
        Predictions
            The rows as predictions of two classes.

        Raises
        ------
        InputError
            Where the table holds no probabilities.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 2], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]])
        >>> data.top_label().prob[:, 1].tolist(), data.top_label().actual.tolist()
        ([0.5, 0.6], [1, 0])
        """
        if self.levels is not None and self.levels.view is not None:
            self.levels.need_view("top-label")
            return self
        prob, top = self.need_prob("a top-label view"), self.most_likely
        columns = one_column(prob, self.log_prob, top)
        return self._binary_view(lb.TOP_LABEL, columns, self.actual == top, None)

    def top_k(self, k: int) -> "Predictions":
        """Return the view ("wrong", "right") of the k most likely classes.

        "right" is an observed class among them; on ties the first columns are taken. The
        probability of "right" is the sum of the k.

        Parameters
        ----------
        k : int
            Number of classes that count as right, at least 1 and fewer than all; 1 is `top_label`.

        Returns
        -------
        Predictions
            The rows as predictions of two classes.

        Raises
        ------
        InputError
            Where the table holds no probabilities.
        ParameterError
            Unless 1 <= k < number of classes.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 2], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]])
        >>> data.top_k(2).prob[:, 1].tolist(), data.top_k(2).actual.tolist()
        ([0.8, 0.9], [1, 0])
        """
        prob = self.need_prob("a top-k view")
        if whole_number("k", k, least=1, most=self.k - 1) == 1:
            return self.top_label()
        columns, event = among_k_likeliest(prob, self.log_prob, self.actual, k)
        return self._binary_view(lb.TOP_LABEL, columns, event, None)

    def _binary_view(
        self, classes: tuple[str, str], columns: BinaryColumns, event: Array, label: Any
    ) -> "Predictions":
        return dataclasses.replace(
            self,
            classes=classes,
            actual=event.astype(np.int32),
            prob=columns.prob,
            log_prob=columns.log_prob,
            label=None if label is None else label.astype(np.int32),
            score=None,
            positive=1,
            levels=None,
        )

    def _labels_of(self, column: str) -> Labels:
        labels: Labels | None = getattr(self, column)
        if labels is None:
            raise InputError(
                f"the table has no {quoted(column)} column, so no {column} can be selected",
                code="no-such-column",
            )
        return labels

    def _rows(self, where: Any) -> Array:
        """Return row numbers from a mask of n truth values, or from row numbers."""
        rows = np.asarray(where)
        if rows.ndim != 1 or (rows.dtype.kind not in "bui" and rows.size):
            raise ParameterError(
                argument="where",
                rule="a mask (one truth value per row) or a list of row numbers",
                arrived=shorten(where),
                code="wrong-kind",
            )
        if rows.dtype.kind == "b" and len(rows) != self.stored:
            raise ParameterError(
                f"`where` must have one truth value per row, got {len(rows):,} for "
                f"{self.stored:,} rows",
                code="wrong-length",
            )
        if rows.dtype.kind == "b":
            return np.flatnonzero(rows)
        outside = rows[(rows < 0) | (rows >= self.stored)]
        if len(outside):
            raise ParameterError(
                f"`where` must hold row numbers 0..{self.stored - 1}, got {int(outside[0])}",
                code="out-of-range",
            )
        return rows.astype(np.intp)

    def _take(self, index: Array) -> "Predictions":
        if len(index) == 0:
            raise InputError(
                "no row matches this selection",
                code="no-rows-left",
                remedy="check the names and the filter",
            )
        kept = {name: getattr(self, name) for name in (*ARRAYS, *CODED)}
        parts: dict[str, Any] = {}
        for name, value in kept.items():
            taken = value.take(index) if isinstance(value, Labels) else value
            parts[name] = taken[index] if isinstance(taken, np.ndarray) else taken
        parts["levels"] = None if self.levels is None else self.levels.take(index)
        parts["losses"] = None if self.losses is None else self.losses.take(index)
        for name in ("prob", "log_prob"):
            if parts[name] is not None and self.k == 2:
                parts[name] = np.asfortranarray(parts[name])
        attributes = {name: values[index] for name, values in self.attributes.items()}
        return dataclasses.replace(self, **parts, attributes=attributes)

    def __repr__(self) -> str:
        kind = "probabilities" if self.prob is not None else "ratings"
        kind = "labels" if self.prob is None and self.score is None else kind
        classes = f"{self.k} classes ({shown(self.classes)})"
        named = [f"positive {shorten(self.classes[self.positive])}"] if self.k == 2 else []
        rows = f"{self.total:,} rows" + (f" counted in {self.stored:,}" if self.counted else "")
        parts = [rows, classes, *named, kind]
        parts += [f"models {shown(self.models)}"] if self.models else []
        parts += [f"{counted(len(self.folds), 'fold')}"] if self.folds else []
        parts += [f"in {counted(len(self.groups.names), 'group')}"] if self.groups else []
        parts += ["weights"] if self.weight is not None and not self.counted else []
        parts += [f"{counted(len(self.attributes), 'attribute')}"] if self.attributes else []
        return f"Predictions({', '.join(parts)})"

    def _repr_html_(self) -> str:
        from plumbline._result import Table
        from plumbline.formatting import number

        columns = {
            name: [number(one) if isinstance(one, float) else str(one) for one in values]
            for name, values in self.head().to_pydict().items()
        }
        kept = dict(list(columns.items())[:SHOWN_COLUMNS])
        left_out = len(columns) - len(kept)
        more = [f"{self.stored - 5:,} more rows"] * (self.stored > 5)
        more += [f"{counted(left_out, 'more column')}"] * (left_out > 0)
        return Table(kept, title=repr(self), more=", ".join(more)).html()


def _is_checked(classes: Any, actual: Any, prob: Any) -> bool:
    """Return whether these can be fields of a table, and not labels and probabilities as given."""
    names = isinstance(classes, tuple) and all(isinstance(one, str) for one in classes)
    return (
        names
        and len(set(classes)) == len(classes) > 0
        and isinstance(actual, np.ndarray)
        and actual.dtype.kind == "i"
        and (prob is None or (isinstance(prob, np.ndarray) and prob.ndim == 2))
    )


def with_arguments_checked(function: FunctionType, module: str) -> Callable[..., Any]:
    """Return a public function with clear errors for wrong arguments.

    A function of predictions refuses arrays, as in `roc_auc(y_true, y_prob)`; every function
    refuses a keyword that it does not take by the one that is meant. Nothing else changes: its
    signature, its name in `module`, and its warnings, which look for the line outside the package.
    """
    of_predictions = function.__code__.co_varnames[:1] == ("data",)

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        if of_predictions and args and args[0] is not None:
            only_predictions(args[0], function.__name__)
        for table in _tables_among((*args, *named.values())):
            need_single_rows(table, function.__name__)
            need_independent_rows(table, function.__name__)
        known_keywords(function, named)
        return function(*args, **named)

    checked.__module__ = module  # where pickle finds it
    return checked


def _tables_among(values: Iterable[Any]) -> Iterator[Predictions]:
    """Yield the tables among arguments, those of a mapping of several included."""
    for value in values:
        parts = value.values() if isinstance(value, Mapping) else (value,)
        yield from (part for part in parts if isinstance(part, Predictions))


def only_predictions(data: Any, called: str = "this") -> Predictions:
    """Return `data` if it is predictions; refuse raw arrays with the remedy."""
    if not isinstance(data, Predictions):
        raise ParameterError(
            f"{called} needs Predictions, got {type(data).__name__}",
            code="wrong-kind",
            remedy="make them first with Predictions.from_arrays(y_true, y_prob)",
        )
    return data
