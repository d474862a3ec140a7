"""The confusion matrix of any number of classes, from predictions or from counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import one_of, shorten, shown, whole_number
from plumbline._result import Presentation, Result, Table
from plumbline.confusion.decisions import decide
from plumbline.confusion.intervals import ConfusionCells
from plumbline.confusion.matrix_rates import (
    ORDERED,
    RateParams,
    Rates,
    RateSample,
    groups_of,
    rates_of,
)
from plumbline.confusion.multiclass import (
    OVERALL,
    Group,
    Tables,
    Undefined,
    class_number,
    class_tables,
    scaled,
)
from plumbline.confusion.rates import CELLS
from plumbline.dependence import RowGroups, group_details, row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import PAGE, amount, amounts, counted, number, printable
from plumbline.predictions import Predictions, only_predictions, sets_of_rows
from plumbline.predictions.labels import class_names
from plumbline.random_streams import Seed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Axis: TypeAlias = Literal["actual", "predicted"]
By: TypeAlias = Literal["actual", "predicted", "all"]
USUAL = ("precision", "recall", "specificity", "F1")  # rates of classes
MATRIX = "actual \\ predicted"
CONFUSED = 10  # pairs of classes that are shown where the matrix is too wide


@dataclass(frozen=True, repr=False)
class ConfusedPair(Result):
    """A class that is confused with another.

    Attributes
    ----------
    actual, predicted : names of the two classes
    count : weight of the rows
    share : of the rows of the actual class
    """

    actual: str
    predicted: str
    count: float
    share: float


@dataclass(frozen=True, repr=False, eq=False)
class ConfusedPairs(Result):
    """The pairs of classes that are confused most often.

    Attributes
    ----------
    pairs : the largest cells off the diagonal, the largest first, none of them empty
    left_out : number of further pairs that are confused
    """

    pairs: tuple[ConfusedPair, ...]
    left_out: int

    def present(self) -> Presentation:
        """Return the pair that is confused most often, and the next ones as a table."""
        if not self.pairs:
            return Presentation(summary="No class is confused with another.")
        first = self.pairs[0]
        columns = {
            "actual": [pair.actual for pair in self.pairs],
            "predicted": [pair.predicted for pair in self.pairs],
            "count": amounts(pair.count for pair in self.pairs),
            "share of actual": [number(pair.share) for pair in self.pairs],
        }
        more = f"... and {counted(self.left_out, 'more pair')}" if self.left_out else ""
        return Presentation(
            summary=f"Most often confused: {first.actual}, predicted as {first.predicted} "
            f"({amount(first.count, scale=first.count)}, {100 * first.share:.3g} % of its rows).",
            tables=(Table(columns, left=("actual", "predicted"), more=more),),
        )

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a pair."""
        return [pair.for_tables() for pair in self.pairs]


@dataclass(frozen=True, repr=False, eq=False)
class ConfusionMatrix(Result):
    """How many rows of every class were answered as which class.

    Made by `confusion_matrix` from predictions, or by `from_counts` from numbers at hand.

    Attributes
    ----------
    model : name of the model, or None
    classes : names of the k classes
    counts : (k, k) sums of weights: rows are actual classes, columns predicted classes
    n : number of rows, None where counts that are no whole numbers were typed in
    effective_n : Kish's effective number of rows, (sum w)^2 / sum w^2, None where unknown
    weighted : whether rows count differently
    positive : name of the class that counts as positive
    threshold, target : as asked, or None
    decision : what was decided by, in words
    squares, cells : (k, k) sums of squared weights (huge or tiny ones scaled by a power of 2), and
        the rows' cells, where intervals need them
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    model: str | None
    classes: tuple[str, ...]
    counts: Floats
    n: int | None
    effective_n: float | None
    weighted: bool
    positive: str
    threshold: float | None
    target: str | None
    decision: str
    squares: Floats | None = field(default=None, metadata={"hidden": True})
    cells: ConfusionCells | None = field(default=None, metadata={"hidden": True})
    row_groups: RowGroups | None = None

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | Mapping[str, float],
        *,
        classes: Sequence[Any] | None = None,
        rows: Axis | None = None,
        positive: Any = None,
        model: str | None = None,
    ) -> "ConfusionMatrix":
        """Return the matrix of counts at hand.

        `counts` is (k, k), and `rows` says what its rows are: "actual" or "predicted" classes; or
        it is a mapping with TP, FP, FN and TN, of which the positive class (the last unless told
        otherwise) has TP. Raises InputError for counts that are negative, not finite, not square
        or above 2^53, ParameterError where `rows` is missing, or stands beside a mapping.

        >>> printed = [[1, 1, 0], [2, 2, 3], [0, 0, 4]]
        >>> matrix = ConfusionMatrix.from_counts(printed, rows="predicted", classes=["a", "b", "c"])
        >>> matrix.table_of("b")
        {'TP': 2.0, 'FP': 5.0, 'FN': 1.0, 'TN': 5.0}
        >>> ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130}).counts
        array([[130.,  12.],
               [  2.,   6.]])
        """
        typed = checked_counts(counts, classes=classes, rows=rows, positive=positive)
        total = typed.counts.sum()
        whole = bool((typed.counts == np.floor(typed.counts)).all())
        return cls(
            model=model,
            classes=typed.classes,
            counts=_frozen(typed.counts),
            n=int(total) if whole else None,
            effective_n=float(total) if whole else None,
            weighted=not whole,
            positive=typed.positive,
            threshold=None,
            target=None,
            decision="counts as given",
        )

    # ---------------------------------------------------------------- tables

    def table_of(self, name: Any) -> dict[str, float]:
        """Return TP, FP, FN and TN of one class against the rest."""
        return self.class_tables()[self._class(name)]

    def class_tables(self) -> dict[str, dict[str, float]]:
        """Return TP, FP, FN and TN of every class against the rest."""
        tables = class_tables(self.counts)
        return {name: _named(tables.at(i)) for i, name in enumerate(self.classes)}

    def normalized(self, by: By | None = None) -> Floats:
        """Return the (k, k) counts, or their shares "actual" (of the row), "predicted", "all".

        A class without rows has no shares: NaN.

        >>> matrix = ConfusionMatrix.from_counts([[3, 1], [2, 2]], rows="actual")
        >>> matrix.normalized("actual").tolist()
        [[0.75, 0.25], [0.5, 0.5]]
        """
        if by is None:
            return self.counts
        one_of("by", by, ("actual", "predicted", "all"))
        axis = {"actual": 1, "predicted": 0, "all": None}[by]
        total = self.counts.sum(axis=axis, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(total == 0, np.nan, self.counts / total))

    def with_sums(self) -> Floats:
        """Return the (k + 1, k + 1) counts with the sums of every row and column as the last.

        >>> ConfusionMatrix.from_counts([[3, 1], [2, 2]], rows="actual").with_sums().tolist()
        [[3.0, 1.0, 4.0], [2.0, 2.0, 4.0], [5.0, 3.0, 8.0]]
        """
        across = np.column_stack([self.counts, self.counts.sum(axis=1)])
        return np.vstack([across, [*self.counts.sum(axis=0), self.counts.sum()]])

    def most_confused(self, most: int = 10) -> ConfusedPairs:
        """Return which classes are taken for which others most often.

        Parameters
        ----------
        most : int, default 10
            Highest number of pairs.

        Returns
        -------
        ConfusedPairs
            The largest cells off the diagonal; equal ones in the order of the classes.

        Raises
        ------
        ParameterError
            For a number below 0.

        Examples
        --------
        >>> counts = [[5, 1, 0], [4, 3, 0], [0, 2, 9]]
        >>> matrix = ConfusionMatrix.from_counts(counts, rows="actual", classes=["a", "b", "c"])
        >>> most = matrix.most_confused(2)
        >>> [(pair.actual, pair.predicted, pair.count) for pair in most.pairs], most.left_out
        ([('b', 'a', 4.0), ('c', 'b', 2.0)], 1)
        """
        most = whole_number("most", most, least=0)
        wrong = np.where(np.eye(len(self.classes), dtype=bool), 0.0, self.counts)
        order = np.argsort(-wrong, axis=None, kind="stable")[:most]
        total = self.counts.sum(axis=1)
        pairs = []
        for cell in order:
            i, j = divmod(int(cell), len(wrong))
            if wrong[i, j] > 0:
                share = float(wrong[i, j] / total[i])
                pairs.append(
                    ConfusedPair(self.classes[i], self.classes[j], float(wrong[i, j]), share)
                )
        return ConfusedPairs(tuple(pairs), int(np.count_nonzero(wrong)) - len(pairs))

    # ---------------------------------------------------------------- rates

    @property
    def can_have_intervals(self) -> bool:
        """Whether it is known which rows are of one example, so that rates can have intervals."""
        return self.cells is None or not self.cells.unknown

    def usual_rates(
        self,
        *,
        average: str | Iterable[str] | None = None,
        beta: float | None = None,
        undefined: Undefined = "nan",
        interval: bool | Literal["auto", "wilson", "exact", "dirichlet", "bootstrap"] | None = None,
        level: float = 0.95,
        resamples: int = 999,
        rng: Seed = 0,
    ) -> Rates:
        """Return precision, recall, specificity and F1 of classes, and rates of the whole table.

        Of the whole table the rates of ordered classes are left out, for nobody has said that the
        classes have an order. Arguments as in `rates`.

        >>> matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
        >>> [rate.name for rate in matrix.usual_rates().entries]
        ['PPV', 'TPR', 'TNR', 'F1', 'CA', 'error_rate', 'balanced_accuracy', 'kappa', 'MCC']
        """
        params = RateParams(undefined, _interval(interval), level, resamples, rng)
        groups = groups_of(self.classes, self.positive, average=average, classes=None)
        whole = [name for name in OVERALL if name not in ORDERED]
        return rates_of(self._sample(), USUAL, groups=groups, beta=beta, params=params, whole=whole)

    def overall(
        self,
        *,
        undefined: Undefined = "nan",
        interval: bool | Literal["auto", "wilson", "exact", "dirichlet", "bootstrap"] | None = None,
        level: float = 0.95,
        resamples: int = 999,
        rng: Seed = 0,
    ) -> Rates:
        """Return the rates of the whole table, whatever class counts as positive.

        - accuracy and error rate: shares of the rows on and off the diagonal
        - balanced accuracy: mean recall of the classes that have rows (Brodersen et al. 2010)
        - Cohen's kappa (Cohen 1960), and for ordered classes with linear and quadratic weights
          abs(i - j), (i - j)^2 (Cohen 1968)
        - Matthews correlation coefficient (Matthews 1975; R_K, Gorodkin 2004)

        Arguments as in `rates`.

        >>> table = [[1, 2, 0], [1, 2, 0], [0, 3, 4]]
        >>> matrix = ConfusionMatrix.from_counts(table, rows="actual")
        >>> round(matrix.overall().value("accuracy"), 3)
        0.538
        """
        params = RateParams(undefined, _interval(interval), level, resamples, rng)
        groups = [Group("all", "all")]
        return rates_of(self._sample(), list(OVERALL), groups=groups, beta=None, params=params)

    def rates(
        self,
        names: str | Iterable[str] | None = None,
        *,
        average: str | Iterable[str] | None = None,
        classes: str | Iterable[str] | None = None,
        beta: float | None = None,
        undefined: Undefined = "nan",
        interval: bool | Literal["auto", "wilson", "exact", "dirichlet", "bootstrap"] | None = None,
        level: float = 0.95,
        resamples: int = 999,
        rng: Seed = 0,
    ) -> Rates:
        """Return rates by name: of classes against the rest, of averages, of the whole table.

        Parameters
        ----------
        names : rates by any name ("recall", "TPR", "hit-rate", "F0.5"), default all there are
        average : averages over the classes, "micro", "macro", "weighted", several of them, or ();
            default macro and micro, none for two classes
        classes : the classes that count as positive; default all, for two the positive one
        beta : adds F_beta
        undefined : an average over classes of which one is undefined is "nan", or they are skipped
        interval : True or "auto": "wilson" for shares of rows (Wilson 1927), "dirichlet" for all
            other rates: percentiles over `resamples` tables drawn from Dirichlet(counts + 1/2), of
            several classes with a prior of the same mass in all; weighted rows count as Kish's
            effective number, rows of one example as one. Means over more than 2 classes have these
            joined with the errors of tables redrawn from smoothed counts, their bias taken off.
            "bootstrap": percentiles over tables of rows drawn with replacement (Efron 1979),
            examples with all their rows; too narrow where a class has few rows. "exact": of shares
            of rows (Clopper and Pearson 1934), whose coverage is at least the level
        level : share of intervals that hold the true rate
        rng : seed or Generator of the draws

        Returns
        -------
        rates, each with value, interval, number of rows, and a reason where one is undefined; under
        "all" stand those of `overall`

        Raises
        ------
        ParameterError
            For a name, class or average that is not there.
        InputError
            For an interval of counts whose rows are unknown, and Wilson's where examples repeat.

        Examples
        --------
        >>> matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
        >>> matrix.rates(["precision", "recall", "accuracy"], interval="wilson")
        Rates
        positive class: 1
        rate       value        95 % CI  rows  also called
        precision  0.333  0.163 to 0.563    18  positive predictive value, PPV
        recall      0.75  0.409 to 0.929     8  True positive rate, TPR, sensitivity, hit_rate
        whole table
        rate      value        95 % CI  rows  also called
        accuracy  0.907  0.849 to 0.944   150  Classification accuracy, CA, acc
        """
        params = RateParams(undefined, _interval(interval), level, resamples, rng)
        groups = groups_of(self.classes, self.positive, average=average, classes=classes)
        return rates_of(self._sample(), names, groups=groups, beta=beta, params=params)

    # ---------------------------------------------------------------- shown

    def present(self) -> Presentation:
        """Return the counts with their sums, or the most frequent errors of many classes."""
        write = partial(amount, scale=float(self.counts.sum()))
        cells = cell_table([*self.classes, "sum"], self.with_sums(), write)
        return Presentation(
            subject=f"decision: {self.decision}",
            details=group_details(self.row_groups),
            tables=(self._table_of_mistakes() if cells is None else cells,),
        )

    def _table_of_mistakes(self) -> Table:
        """Return which classes are taken for which others most often."""
        most = self.most_confused(CONFUSED).present()
        title = f"{counted(len(self.classes), 'class')} are too many to show here. "
        if not most.tables:
            return Table({}, title=f"{title}{most.summary}")
        return replace(most.tables[0], title=f"{title}Most often confused:")

    def _sample(self) -> RateSample:
        return RateSample(
            self.model,
            self.classes,
            self.counts,
            self.effective_n,
            self.weighted,
            self.squares,
            self.cells,
        )

    def _class(self, name: Any) -> str:
        return self.classes[class_number(self.classes, name)]


def cell_table(
    names: Sequence[str], values: Floats, write: Callable[[float], str], title: str = ""
) -> Table | None:
    """Return a table of cells, a row an actual class; None where it is wider than a page."""
    columns = {MATRIX: list(names[: values.shape[0]])}
    for name, column in zip(names, values.T.tolist(), strict=False):
        columns[name] = [write(cell) for cell in column]
    widths = [max(map(len, map(printable, [name, *cells]))) for name, cells in columns.items()]
    if sum(widths) + 2 * (len(widths) - 1) > PAGE:
        return None
    return Table(columns, left=(MATRIX,), title=title)


def confusion_matrix(
    data: Predictions, *, threshold: float | None = None, target: Any = None
) -> ConfusionMatrix:
    r"""Return how many rows (sums of weights) of every class were predicted as which class.

    counts[i, j] = sum over rows w [actual is i] [predicted is j]. The predicted class is the
    `predicted` column where there is one; else, for two classes, the positive one iff p >= 0.5;
    else the class of the largest probability, the first on ties.

    Parameters
    ----------
    data : Predictions
        Rows of one model, with probabilities, ratings or predicted labels.
    threshold : float, optional
        Rows with p >= threshold (or score >= threshold, for ratings) are predicted to be `target`;
        with more than two classes the others become "not <target>".
    target : class, optional
        Class that counts as positive; with more than two classes it is compared with the rest, by
        the predicted labels unless there is a threshold.

    Returns
    -------
    ConfusionMatrix
        Counts by observed and predicted class, with all rates and their intervals on request.

    Raises
    ------
    InputError
        For several models, an unknown class, ratings without a threshold, or labels with one.
    ParameterError
        For a threshold that is not a number, or without `target` for more than two classes.

    Examples
    --------
    >>> data = Predictions.from_arrays(["no", "no", "yes", "yes"], [0.2, 0.6, 0.4, 0.9])
    >>> confusion_matrix(data, threshold=0.3)
    ConfusionMatrix: decision: p(yes) >= 0.3
    actual \ predicted  no  yes  sum
    no                   1    1    2
    yes                  0    2    2
    sum                  1    3    4
    """
    only_predictions(data).need_one_model("a confusion matrix")
    built = decide(data, threshold=threshold, target=target)
    codes, k = built.codes(), len(built.classes)
    counts = _frozen(_summed(codes, data.weight, k))
    weighted = data.weight is not None and not data.counted
    return ConfusionMatrix(
        model=data.models[0] if data.models else None,
        classes=built.classes,
        counts=counts,
        n=data.total,
        effective_n=data.effective_n,
        weighted=weighted,
        positive=built.classes[built.positive],
        threshold=None if threshold is None else float(threshold),
        target=None if target is None else built.classes[built.positive],
        decision=built.how,
        squares=_squares(codes, data.mass, counts) if weighted else None,
        cells=cells_of(data, codes),
        row_groups=row_groups_in(data, "accuracy", (codes // k == codes % k).astype(np.float64)),
    )


def _interval(interval: bool | str | None) -> str | None:
    return ("auto" if interval else None) if isinstance(interval, bool) else interval


def _summed(codes: NDArray[np.int64], weight: Floats | None, k: int) -> Floats:
    sums = np.bincount(codes, weights=weight, minlength=k * k)
    return np.asarray(sums, np.float64).reshape(k, k)


def _squares(codes: NDArray[np.int64], weight: Floats, counts: Floats) -> Floats:
    """Return the (k, k) sums of squared weights, scaled as rates scale the counts."""
    return _frozen(_summed(codes, np.square(scaled(weight, like=counts)), len(counts)))


def _frozen(counts: Floats) -> Floats:
    counts.flags.writeable = False
    return counts


def _named(table: Tables) -> dict[str, float]:
    tp, fp, tn, fn = (float(count) for count in table)
    return {"TP": tp, "FP": fp, "FN": fn, "TN": tn}


def cells_of(data: Predictions, codes: Ints) -> ConfusionCells | None:
    """Return what resampling must know of rows, None where all are alike and alone."""
    several = data.repeat is not None and len(data.repeat.names) > 1
    grouped = data.groups is not None
    sets = sets_of_rows(data) if grouped or several or data.fold is not None else None
    weight = None if data.counted else data.weight  # counted rows are alike and alone
    if weight is None and sets is None and not several:
        return None
    unknown = several and data.row is None and not grouped
    return ConfusionCells(codes, weight, sets, unknown=unknown, grouped=grouped)


MOST = 2**53  # larger counts of rows are not told apart


class Typed(NamedTuple):
    """Checked counts, rows actual, with the names of classes and of the positive one."""

    counts: Floats
    classes: tuple[str, ...]
    positive: str


def checked_counts(
    counts: Any, *, classes: Sequence[Any] | None, rows: str | None, positive: Any
) -> Typed:
    """Return counts with rows actual; arguments as in `ConfusionMatrix.from_counts`."""
    named = isinstance(counts, Mapping)
    matrix = _square(_of_cells(counts, rows)) if named else _turned(_square(counts), rows)
    k = len(matrix)
    names = tuple(map(str, range(k))) if classes is None else class_names("classes", classes)
    if len(names) != k:
        raise InputError(
            f"`classes` must name the {k} classes of the matrix, got {shown(names)}",
            code="classes-differ",
        )
    positive_class = k - 1 if positive is None else class_number(names, positive)
    if named and positive_class == 0:
        matrix = matrix[::-1, ::-1]
    return Typed(np.ascontiguousarray(matrix), names, names[positive_class])


def _of_cells(counts: Mapping[str, Any], rows: str | None) -> list[list[Any]]:
    """Return [[TN, FP], [FN, TP]], the table whose second class is positive."""
    if rows is not None:
        raise ParameterError(
            f"`rows` applies to a matrix, not to {', '.join(CELLS)}, got `rows={shorten(rows)}`; "
            "leave it out",
            code="rows-of-named-counts",
        )
    if set(counts) != set(CELLS):
        raise InputError(
            f"counts of two classes must be {', '.join(CELLS)}, each once, got {shown(counts)}",
            code="counts-misnamed",
        )
    return [[counts["TN"], counts["FP"]], [counts["FN"], counts["TP"]]]


def _turned(matrix: Floats, rows: str | None) -> Floats:
    """Return a matrix with rows actual."""
    if rows is None:
        raise ParameterError(
            'say what the rows of the matrix are: `rows="actual"` (as in scikit-learn) or '
            '`rows="predicted"`',
            code="rows-unsaid",
        )
    return matrix if one_of("rows", rows, ("actual", "predicted")) == "actual" else matrix.T


def _square(counts: Any) -> Floats:
    try:
        matrix = np.array(counts, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"a confusion matrix is a square table of numbers, got {shorten(counts)}",
            code="wrong-shape",
        ) from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise InputError(
            "a confusion matrix has as many rows as columns, at least 2, got shape "
            f"{' x '.join(map(str, matrix.shape))}",
            code="wrong-shape",
        )
    wrong = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))
    if len(wrong):
        i, j = wrong[0]
        raise InputError(
            f"counts must be finite and not negative, got {matrix[i, j]:g} in row {i}, column {j} "
            "(both counted from 0)",
            code="count-below-zero",
        )
    if matrix.max() > MOST or matrix.sum() > MOST:  # the sum alone might overflow
        raise InputError(
            f"counts must add up to at most 2^53 = {MOST:,}, beyond which single rows are lost, "
            f"got {matrix.max():g} in one cell; divide weights by their largest",
            code="counts-too-large",
        )
    return matrix
