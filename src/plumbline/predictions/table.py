"""The prediction table: the one door for raw data, checked once."""

import dataclasses
import functools
import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import frame_library, near_names, need_extra, shorten, shown, whole_number
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted
from plumbline.predictions import labels as lb
from plumbline.predictions import probabilities as pr
from plumbline.predictions.arrays import CODED, Spoken, answers_of, checked_columns, same_length
from plumbline.predictions.labels import Array, Ints, Labels, rows_of_codes
from plumbline.predictions.probabilities import (
    Columns,
    Floats,
    among_k_likeliest,
    one_column,
    warn_of_lost_logarithms,
)

ARRAYS = ("actual", "prob", "log_prob", "label", "score", "weight", "row")


@dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions:
    """True classes beside predicted probabilities (or labels, or ratings), frozen and checked.

    Build one with `from_arrays`, `from_logits`, `from_frame`, `from_estimator` or `read`. The
    constructor is private to them: it checks nothing, and freezes the very arrays it is given.

    Attributes
    ----------
    classes : names of the k classes, in column order
    actual : (n,) class number of every row
    prob : (n, k) probabilities, or None; stored by column where k = 2
    log_prob : (n, k) natural logarithms of the probabilities, kept for data made from logits
    label : (n,) class number of the discrete answer in a `predicted` column, or None
    score : (n,) or (n, k) ratings such as a decision function, or None
    weight : (n,) non-negative weights, or None
    model, fold, repeat : coded columns, or None
    row : (n,) identity of the example, or None
    attributes : every other column, by name
    positive : number of the positive class; the usual one, else the last (docs/conventions.md)
    """

    classes: tuple[str, ...]
    actual: Ints
    prob: Floats | None = None
    log_prob: Floats | None = None
    label: Ints | None = None
    score: Floats | None = None
    weight: NDArray[np.float64] | None = None
    model: Labels | None = None
    fold: Labels | None = None
    repeat: Labels | None = None
    row: Array | None = None
    attributes: Mapping[str, Array] = dataclasses.field(default_factory=dict)
    positive: int = -1

    def __post_init__(self) -> None:
        for array in (*(getattr(self, name) for name in ARRAYS), *self.attributes.values()):
            if array is not None:
                array.flags.writeable = False
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))
        object.__setattr__(self, "positive", self.positive % len(self.classes))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        fields["attributes"] = dict(self.attributes)  # a read-only view cannot be pickled
        return type(self), tuple(fields.values())

    # ---------------------------------------------------------------- doors

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
        model: Any = None,
        fold: Any = None,
        repeat: Any = None,
        row: Any = None,
        attributes: Mapping[str, Any] | None = None,
        normalize: bool = False,
    ) -> "Predictions":
        """Check arrays and return them as predictions.

        `y_prob` is (n,) for P(positive class) of a binary classifier, or (n, k) with one column a
        class in the order of `classes`. Without `classes`: whole labels 0..k-1, or exactly k
        distinct labels, sorted. `positive` names the positive class of two, else it is the last; an
        (n,) `y_prob` needs it unless the labels are 0 and 1, -1 and 1, False and True, "no" and
        "yes" or the like. Rows must sum to 1 within sqrt(eps) of their dtype, unless `normalize`.
        Raises InputError naming column, row, value and remedy.

        >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
        >>> data.n, data.classes, data.actual.tolist()
        (3, ('0', '1'), [0, 1, 1])
        """
        columns = checked_columns(
            y_true,
            y_prob,
            classes=classes,
            positive=positive,
            predicted=predicted,
            score=score,
            weight=weight,
            model=model,
            fold=fold,
            repeat=repeat,
            row=row,
            attributes=attributes,
            normalize=normalize,
        )
        return cls(**columns)

    @classmethod
    def from_logits(cls, y_true: Any, logits: Any, **others: Any) -> "Predictions":
        """Turn logits into predictions by a stable softmax (or logistic function).

        `logits` is (n, k) for softmax(z), or (n,) log-odds of the positive class; all other
        arguments as in `from_arrays`. The log probabilities are kept, so that the log loss stays
        finite where the probability itself rounds to 0 or 1.

        >>> data = Predictions.from_logits([1, 0], [[0.0, 800.0], [0.0, -2.0]])
        >>> data.log_prob.round(3).tolist()
        [[-800.0, 0.0], [-0.127, -2.127]]
        """
        log_prob = pr.log_softmax(pr.logit_matrix(logits))
        same_length(len(lb.one_dimension("y_true", y_true)), {"logits": log_prob})
        odds = np.ndim(logits) == 1
        y_prob = np.exp(log_prob[:, 1] if odds else log_prob)
        spoken = Spoken(prob="logits")
        data = cls(**checked_columns(y_true, y_prob, **{"spoken": spoken} | others))
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
        prob: Mapping[str, Any] | None = None,
        rename: Mapping[str, str] | None = None,
        positive: Any = None,
        normalize: bool = False,
    ) -> "Predictions":
        """Read a prediction table from any data frame narwhals knows (pandas, Polars, Arrow, ...).

        Columns: `actual`, one `p:<class>` a class, optional `model`, `fold`, `repeat`, `row`,
        `weight`, `predicted`, `score` or `score:<class>`; all others are attributes. Two-class
        tables may hold one `p:<class>` column, or `y_true` and `y_prob`. Other names: `actual=`,
        `prob={column: class}`, and `rename={column: name}` for all the rest.

        >>> import pyarrow as pa
        >>> table = pa.table({"actual": ["no", "yes"], "p:yes": [0.1, 0.8], "age": [31, 54]})
        >>> data = Predictions.from_frame(table)
        >>> data.classes, data.prob[:, 1].tolist(), list(data.attributes)
        (('no', 'yes'), [0.1, 0.8], ['age'])
        """
        from plumbline.predictions.columns import arguments_from_frame

        arguments = arguments_from_frame(
            frame, actual=actual, prob=prob, rename=rename, positive=positive
        )
        return cls(**checked_columns(**arguments, normalize=normalize))

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        actual: str | None = None,
        prob: Mapping[str, Any] | None = None,
        rename: Mapping[str, str] | None = None,
        positive: Any = None,
        normalize: bool = False,
    ) -> "Predictions":
        """Read a prediction table from a CSV, TSV, Parquet or Arrow/Feather file.

        The ending of the name tells the format; columns and arguments as in `from_frame`. Raises
        InputError for a file that is missing, empty, damaged or not what its name says.
        """
        from plumbline.predictions.files import read_table

        if not isinstance(path, (str, os.PathLike)):
            raise ParameterError(
                f"`path` must be the name of a file, got {type(path).__name__}; arrays go through "
                "Predictions.from_arrays(y_true, y_prob), data frames through "
                "Predictions.from_frame(frame)"
            )
        table = read_table(Path(path), actual=actual, rename=rename)
        return cls.from_frame(
            table, actual=actual, prob=prob, rename=rename, positive=positive, normalize=normalize
        )

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **others: Any) -> "Predictions":
        """Ask a fitted scikit-learn classifier for its predictions on given rows.

        Uses `predict_proba`; a classifier without it gives its `decision_function` as `score` and
        its `predict` as `predicted`; the one rating s of two classes is stored as (-s, s). Classes
        come from `classes_`, so absent ones are not lost. Other arguments as in `from_arrays`.
        Measure on rows the estimator was not fitted on.

        >>> from sklearn.linear_model import LogisticRegression
        >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
        >>> Predictions.from_estimator(model, [[0.5], [2.5]], ["a", "b"]).classes
        ('a', 'b')
        """
        answers = answers_of(estimator, X)
        for name in answers.keys() & others:
            raise ParameterError(
                f"`{name}` cannot be passed, for the estimator itself tells it; leave it out, or "
                "pass the estimator's answers to from_arrays"
            )
        return cls.from_arrays(y, **answers, **others)

    def write(self, path: str | Path) -> None:
        """Write the table as CSV, TSV, Parquet or Arrow/Feather; a crash leaves no half file.

        Files hold probabilities: a PlumblineWarning says so where logits gave one that rounds to 0.
        """
        from plumbline.predictions.files import write_table

        warn_of_lost_logarithms(self.prob, self.log_prob)
        write_table(self.to_frame(), Path(path))

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return the prediction table as a frame of "pyarrow", "pandas" or "polars"."""
        import narwhals as nw

        from plumbline.predictions.columns import table_of

        library: Any = frame_library(backend)
        return nw.from_arrow(table_of(self), backend=library).to_native()

    def workbench(self, *, height: int = 720, name: str = "table") -> Any:
        """Return the table on the workbench, a widget for a notebook of `height` pixels."""
        need_extra("anywidget", "notebook", "the workbench in a notebook")
        notebook = importlib.import_module("plumbline.workbench.notebook")
        return notebook.workbench(self, height=height, name=name)

    # ---------------------------------------------------------------- what is in it

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.actual)

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
    def effective_n(self) -> float:
        """Kish's effective number of rows, (sum w)^2 / sum w^2; 0 where all weights are 0."""
        largest = self.mass.max()
        w = np.ldexp(self.mass, -np.frexp(largest)[1])  # exact, and no square over- or underflows
        return float(w.sum() ** 2 / np.square(w).sum()) if largest > 0 else 0.0

    @property
    def mass(self) -> NDArray[np.float64]:
        """(n,) float64 weights of the rows, all 1 in a table without weights."""
        return np.ones(self.n) if self.weight is None else self.weight

    @property
    def predicted(self) -> Ints:
        """Class number of the answer: the `predicted` column, else p >= 0.5 or the argmax."""
        if self.label is not None:
            return self.label
        return self.most_likely

    @property
    def most_likely(self) -> Ints:
        """Class number of the largest probability; k = 2: positive iff p >= 0.5; first on ties."""
        prob = self.need_prob("the predicted class")
        if self.k == 2:
            return np.where(prob[:, self.positive] >= 0.5, self.positive, 1 - self.positive)
        return np.asarray(prob.argmax(axis=1))

    def need_prob(self, purpose: str) -> Floats:
        """Return the probabilities, or say what to do where there are only labels or ratings."""
        if self.prob is not None:
            return self.prob
        if self.score is not None:
            raise InputError(
                f"{purpose} needs probabilities, this table holds ratings (score), which have no "
                "scale of their own; turn them into probabilities first, by a map fitted on "
                "held-out rows: plumbline.recalibrate(held_out)(data), or on the command line "
                "plumbline recalibrate HELD_OUT --apply THESE"
            )
        raise InputError(
            f"{purpose} needs probabilities, this table holds only predicted labels; add one "
            "column p:<class> a class"
        )

    def need_one_model(self, purpose: str) -> None:
        """Refuse a table of several models, whose rows together are nobody's predictions."""
        if len(self.models) > 1:
            raise InputError(
                f"{purpose} is asked of one model, this table holds {len(self.models)} "
                f"({shown(self.models)}); choose one with data.select(model=...), or take "
                "them one by one with data.by_model()"
            )

    def class_number(self, name: Any) -> int:
        """Return the column number of a class."""
        text = lb.label_text(name)
        if text not in self.classes:
            raise InputError(
                f"there is no class {text!r}; the classes are {shown(self.classes)}"
                f"{near_names(text, self.classes)}"
            )
        return self.classes.index(text)

    # ---------------------------------------------------------------- parts and lenses

    def select(
        self, *, model: Any = None, fold: Any = None, repeat: Any = None, where: Any = None
    ) -> "Predictions":
        """Keep the rows of a model, fold or repeat (one name or a list), or a mask or row numbers.

        >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], fold=[0, 0, 1, 1])
        >>> data.select(fold=1).n
        2
        """
        keep = np.ones(self.n, bool)
        wanted = {"model": model, "fold": fold, "repeat": repeat}
        for column, names in wanted.items():
            if names is not None:
                keep &= self._labels_of(column).where(column, names)
        index = np.flatnonzero(keep)
        if where is not None:
            chosen = self._rows(where)
            index = chosen[keep[chosen]]
        return self._take(index)

    def by_model(self) -> dict[str | None, "Predictions"]:
        """Split into models; {None: self} where the table has no `model` column."""
        if self.model is None:
            return {None: self}
        groups = rows_of_codes(self.model.codes)
        return {self.model.names[code]: self._take(rows) for code, rows in groups.items()}

    def by_fold(self) -> dict[tuple[str, ...], "Predictions"]:
        """Split into folds (within repeats); empty where the table has no `fold` column."""
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

    def one_vs_rest(self, name: Any) -> "Predictions":
        """See the table as two classes, ("rest", `name`): is it this class or not?

        The probability of "rest" is the float64 sum of the other columns, not 1 - p.
        """
        column = self.class_number(name)
        columns = one_column(self.need_prob("a one-vs-rest view"), self.log_prob, column)
        label = None if self.label is None else (self.label == column)
        rest = "rest" if self.classes[column] != "rest" else "other"
        return self._lens((rest, self.classes[column]), columns, self.actual == column, label)

    def top_label(self) -> "Predictions":
        """See the table as two classes, ("wrong", "right"): is the most likely class the true one?

        The probability of "right" is the largest of the row.
        """
        prob, top = self.need_prob("a top-label view"), self.most_likely
        columns = one_column(prob, self.log_prob, top)
        return self._lens(("wrong", "right"), columns, self.actual == top, None)

    def top_k(self, k: int) -> "Predictions":
        """See the table as two classes, ("wrong", "right"): is the true one among k?

        They are the k most likely classes, on ties the first columns, and the probability of
        "right" is their sum; k = 1 is `top_label`. Raises ParameterError unless 1 <= k < classes.

        >>> data = Predictions.from_arrays([0, 2], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]])
        >>> data.top_k(2).prob[:, 1].tolist(), data.top_k(2).actual.tolist()
        ([0.8, 0.9], [1, 0])
        """
        prob = self.need_prob("a top-k view")
        if whole_number("k", k, least=1, most=self.k - 1) == 1:
            return self.top_label()
        columns, event = among_k_likeliest(prob, self.log_prob, self.actual, k)
        return self._lens(("wrong", "right"), columns, event, None)

    def _lens(
        self, classes: tuple[str, str], columns: Columns, event: Array, label: Any
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
        )

    def _labels_of(self, column: str) -> Labels:
        labels: Labels | None = getattr(self, column)
        if labels is None:
            raise InputError(f"the table has no {column!r} column, so no {column} can be selected")
        return labels

    def _rows(self, where: Any) -> Array:
        """Return row numbers from a mask of n truth values, or from row numbers."""
        chosen = np.asarray(where)
        if chosen.ndim != 1 or (chosen.dtype.kind not in "bui" and chosen.size):
            raise ParameterError(
                f"`where` must be a mask (one truth value a row) or a list of row numbers, got "
                f"{shorten(where)}"
            )
        if chosen.dtype.kind == "b" and len(chosen) != self.n:
            raise ParameterError(
                f"`where` must have one truth value a row, got {len(chosen):,} for {self.n:,} rows"
            )
        if chosen.dtype.kind == "b":
            return np.flatnonzero(chosen)
        outside = chosen[(chosen < 0) | (chosen >= self.n)]
        if len(outside):
            raise ParameterError(
                f"`where` must hold row numbers 0..{self.n - 1}, got {int(outside[0])}"
            )
        return chosen.astype(np.intp)

    def _take(self, index: Array) -> "Predictions":
        if len(index) == 0:
            raise InputError("no row is left by this selection; check the names and the filter")
        kept = {name: getattr(self, name) for name in (*ARRAYS, *CODED)}
        parts: dict[str, Any] = {}
        for name, value in kept.items():
            taken = value.take(index) if isinstance(value, Labels) else value
            parts[name] = taken[index] if isinstance(taken, np.ndarray) else taken
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
        parts = [f"{self.n:,} rows", classes, *named, kind]
        parts += [f"models {shown(self.models)}"] if self.models else []
        parts += [f"{counted(len(self.folds), 'fold')}"] if self.folds else []
        parts += ["weights"] if self.weight is not None else []
        parts += [f"{counted(len(self.attributes), 'attribute')}"] if self.attributes else []
        return f"Predictions({', '.join(parts)})"


def read(
    path: str | Path,
    *,
    actual: str | None = None,
    prob: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    normalize: bool = False,
) -> Predictions:
    """Read a prediction table from a CSV, TSV, Parquet or Arrow/Feather file.

    Parameters
    ----------
    path : str or Path
        The file; the ending of its name tells the format.
    actual : str, optional
        Column of the observed labels; by default `actual` or `y_true`.
    prob : mapping of str to class, optional
        Columns of probabilities and the class of each; by default `p:CLASS`, or `y_prob` and its
        like for two classes.
    rename : mapping of str to str, optional
        Columns of the file and what they are called in the table.
    positive : class, optional
        Positive class of two; needed for one column of probabilities unless the labels are 0 and
        1, False and True, "no" and "yes" or the like.
    normalize : bool, default False
        Divide every row of probabilities by its sum.

    Returns
    -------
    Predictions
        The table.

    Raises
    ------
    InputError
        For a file that is missing, empty, damaged or not what its name says, and for columns or
        values outside their rules.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Predictions.from_arrays([0, 1], [0.2, 0.6]).write(f"{folder}/table.csv")
    ...     read(f"{folder}/table.csv").n
    2
    """
    return Predictions.read(
        path, actual=actual, prob=prob, rename=rename, positive=positive, normalize=normalize
    )


def with_predictions_first(function: Callable[..., Any], module: str) -> Callable[..., Any]:
    """Return a function of predictions that says so where it is called with arrays.

    Python would only count the arguments of `roc_auc(y_true, y_prob)`. Nothing else changes: its
    signature, its name in `module`, and its warnings, which look for the line outside the package.
    """

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        if args and args[0] is not None:
            only_predictions(args[0], function.__name__)
        return function(*args, **named)

    checked.__module__ = module  # where pickle finds it
    return checked


def only_predictions(data: Any, called: str = "this") -> Predictions:
    """Return `data` if it is predictions; raw arrays are told what to make of them."""
    if not isinstance(data, Predictions):
        raise ParameterError(
            f"{called} needs Predictions, got {type(data).__name__}; make them first with "
            "Predictions.from_arrays(y_true, y_prob), or use the twins in plumbline.sklearn"
        )
    return data
