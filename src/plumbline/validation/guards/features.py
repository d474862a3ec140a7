"""Guards on single features: does a feature reveal the class, or identify the row?"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import ParameterError
from plumbline.formatting import number, quoted
from plumbline.predictions.labels import is_missing
from plumbline.validation.results import ERROR, WARNING, Finding

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One feature.

    Attributes
    ----------
    name : as users know it
    values : (d,) its distinct values; of numbers in ascending order, a missing one (NaN) last
    code : (n,) which of them each row has
    """

    name: str
    values: NDArray[Any]
    code: Codes

    @property
    def distinct(self) -> int:
        """Number of distinct values."""
        return len(self.values)

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers, which have an order."""
        return self.values.dtype.kind in "biuf"

    @property
    def missing(self) -> bool:
        """Whether some number is missing."""
        return self.values.dtype.kind == "f" and bool(np.isnan(self.values[-1]))

    @property
    def agreement(self) -> float:
        """Probability that two rows drawn at random have the same value."""
        many, n = np.bincount(self.code, minlength=self.distinct), len(self.code)
        return float((many * (many - 1.0)).sum() / max(n * (n - 1.0), 1.0))

    def rounded(self, tolerance: float, *, shift: float) -> "Column":
        """Return numbers in cells of `tolerance` standard deviations; others as they are."""
        if not self.numeric:
            return self
        numbers = self.values.astype(np.float64)
        there = numbers[self.code][np.isfinite(numbers[self.code])]
        spread = float(np.std(there)) if len(there) else 0.0
        if not np.isfinite(spread) or spread == 0:
            return self
        cells = np.floor(numbers / (tolerance * spread) + shift)
        steps = np.r_[False, cells[1:] != cells[:-1]]  # in order; a missing one is like no other
        return Column(self.name, cells[np.r_[True, steps[1:]]], np.cumsum(steps)[self.code])


def columns_of(X: Any, names: Sequence[str] | None) -> Iterator[Column]:
    """Yield the columns of features, one by one; a missing value is a value.

    `X` is a frame, a sparse matrix, or anything that becomes an array; one of more than two
    dimensions is flattened, one of a single dimension is one column.
    """
    frame = _frame_of(X)
    if frame is not None:
        for column in frame.iter_columns():  # not by name: a number would be taken for a row
            yield column_of(np.asarray(column.to_numpy()), f"column {quoted(column.name)}")
        return
    sparse = hasattr(X, "tocsc")
    table: Any = X.tocsc() if sparse else np.asarray(X)
    if not sparse and table.ndim != 2:
        table = table.reshape(len(table), -1)
    if names is not None and len(names) != table.shape[1]:
        raise ParameterError(
            f"`columns` must name each of the {table.shape[1]:,} features, got {len(names):,} "
            "names",
            code="wrong-length",
        )
    for place in range(table.shape[1]):
        name = f"column {place}" if names is None else f"column {quoted(names[place])}"
        values = table[:, [place]].toarray()[:, 0] if sparse else table[:, place]
        yield column_of(values, name)


def _frame_of(X: Any) -> Any:
    """Return a data frame as one that every library of frames is spoken to by, else None."""
    import narwhals as nw

    known = nw.from_native(X, pass_through=True, eager_only=True)
    return known if isinstance(known, nw.DataFrame) else None


def column_of(values: NDArray[Any], name: str) -> Column:
    """Return one column with its distinct values.

    >>> column_of(np.array([2.0, 1.0, 2.0]), "dose").code.tolist()
    [1, 0, 1]
    >>> column_of(np.array(["b", None, "b"], dtype=object), "ward").code.tolist()
    [0, 1, 0]
    """
    if values.dtype == object:
        values = _as_numbers(values)
    if values.dtype == object:
        return _of_objects(values, name)
    distinct, code = np.unique(values, return_inverse=True)
    return Column(name, distinct, code)


def _as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return objects as floats if all that are there are numbers; a missing one becomes NaN."""
    kinds = set(map(type, values))
    if not all(issubclass(kind, Real) or kind is type(None) for kind in kinds):
        return values
    return values.astype(np.float64)  # None becomes NaN


def _of_objects(values: NDArray[Any], name: str) -> Column:
    """Number texts and other objects in the order they come; None and NaN are one value."""
    known: dict[Any, int] = {}
    code = np.empty(len(values), dtype=np.intp)
    for row, value in enumerate(values):
        code[row] = known.setdefault(None if is_missing(value) else value, len(known))
    distinct = np.empty(len(known), dtype=object)
    distinct[:] = list(known)
    return Column(name, distinct, code)


Floats = NDArray[np.float64]

NEAR_PERFECT = 0.99  # area under the ROC curve of a single feature
IMPROBABLE = math.log(1e9)  # labelings of which one is no accident, as a logarithm
FEWEST = 10  # rows of a class and of the rest: 10 against 10 part by chance once in 50,000 features
FEW_VALUES = 20  # numbers with so few values may be codes of categories
FEWEST_ROWS = 20  # in fewer, every value may well be another
TIES_EXPECTED = 3.0  # among whole numbers spread evenly over their range


def feature_findings(column: Column, y: Codes, classes: Sequence[str]) -> Iterator[Finding]:
    """Yield the worst that is odd about a feature; `y` holds the number of each row's class."""
    for guard in FEATURE_GUARDS:
        finding = guard(column, y, classes)
        if finding is not None:
            yield finding
            return


# ---------------------------------------------------------------- target-among-features


def _target(column: Column, y: Codes, classes: Sequence[str]) -> Finding | None:
    """Look whether every value of the column means one class, and every class one value."""
    counts = np.bincount(y, minlength=len(classes))
    present = np.flatnonzero(counts)
    if column.distinct != len(present) or len(present) < 2 or _labelings(counts) < IMPROBABLE:
        return None
    table = _table(column.code, y, shape=(column.distinct, len(classes)))
    if np.count_nonzero(table) != len(present):
        return None
    of_value = table.argmax(axis=1)
    pairs = [f"{_plain(v)} = {classes[c]}" for v, c in zip(column.values, of_value, strict=True)]
    more = ", ..." if len(pairs) > 4 else ""
    return Finding(
        "target-among-features",
        ERROR,
        f"{column.name} is the target under other names ({', '.join(pairs[:4])}{more}): a model "
        "that uses it only copies the label; leave it out of the features",
    )


def _labelings(counts: NDArray[np.intp]) -> float:
    """Return the logarithm of how many labelings have so many rows of each class."""
    return math.lgamma(counts.sum() + 1) - sum(math.lgamma(count + 1) for count in counts)


# ---------------------------------------------------------------- near-perfect-feature


def _near_perfect(column: Column, y: Codes, classes: Sequence[str]) -> Finding | None:
    """Look whether the feature alone orders the rows by class, or its categories tell them."""
    counts = np.bincount(y, minlength=len(classes))
    judged = np.flatnonzero((counts >= FEWEST) & (len(y) - counts >= FEWEST))
    if column.distinct < 2 or not len(judged):
        return None
    area, how = np.zeros(len(classes)), np.zeros(len(classes), dtype=np.intp)
    for place, areas_of in enumerate(_ways(column)):
        areas = areas_of(column, y, counts)
        how = np.where(areas > area, place, how)
        area = np.maximum(area, areas)
    best = int(judged[area[judged].argmax()])
    if area[best] < NEAR_PERFECT:
        return None
    way = _ways(column)[how[best]]
    several = way is areas_by_category and column.distinct >= FEWEST_ROWS
    groups = ", or pass it as groups if it names what several rows come from" if several else ""
    return Finding(
        "near-perfect-feature",
        WARNING,
        f"{column.name} alone separates {quoted(classes[best])} from the rest (area under its ROC "
        f"curve {number(float(area[best]))}{_WAYS[way]}): it may be the label or known only "
        f"afterwards; leave it out unless it is known at prediction time{groups}",
    )


def _ways(column: Column) -> list["Areas"]:
    ways: list[Areas] = []
    if column.numeric:
        ways.append(areas_by_order)
    if not column.numeric or column.distinct <= FEW_VALUES:
        ways.append(areas_by_category)
    if column.missing:
        ways.append(areas_by_missing)
    return ways


def areas_by_order(column: Column, y: Codes, counts: NDArray[np.intp]) -> Floats:
    """Area under the ROC curve of the numbers, or of their negatives, of each class.

    AUC = (sum of the class's midranks - P (P + 1) / 2) / (P N), the Mann-Whitney statistic, with P
    rows of the class and N of the rest; NaN where either is 0.
    """
    many = np.bincount(column.code, minlength=column.distinct)
    midrank = np.cumsum(many) - (many - 1) / 2
    sums = np.bincount(y, weights=midrank[column.code], minlength=len(counts))
    area = _mann_whitney(sums, counts, len(y))
    return np.maximum(area, 1 - area)


def areas_by_category(column: Column, y: Codes, counts: NDArray[np.intp]) -> Floats:
    """Return the area where a row is rated by the share of a class among its category's other rows.

    Leaving out the row itself keeps a value that only one row has from knowing its class.
    """
    table = _table(column.code, y, shape=(column.distinct, len(counts)))
    many = table.sum(axis=1, keepdims=True)
    prior = counts / len(y)
    others = np.maximum(many - 1, 1)
    of_rest = np.where(many > 1, table / others, prior)
    of_class = np.where(many > 1, (table - 1) / others, prior)
    areas = [
        _area_of(of_class[:, c], table[:, c], of_rest[:, c], (many[:, 0] - table[:, c]))
        for c in range(len(counts))
    ]
    return np.array(areas)


def areas_by_missing(column: Column, y: Codes, counts: NDArray[np.intp]) -> Floats:
    """Return the area where all that is known of a row is whether its value is missing."""
    absent = (column.code == column.distinct - 1).astype(np.intp)
    return areas_by_category(Column(column.name, np.array([0.0, 1.0]), absent), y, counts)


Areas = Callable[[Column, Codes, NDArray[np.intp]], Floats]
_WAYS = {
    areas_by_order: "",
    areas_by_category: ", taken as a category",
    areas_by_missing: ", from missing values alone",
}


def _area_of(high: Floats, positives: Floats, low: Floats, negatives: Floats) -> float:
    """Area of weighted ratings: those of the class, those of the rest."""
    total, rest = positives.sum(), negatives.sum()
    if not total or not rest:
        return float("nan")
    ratings, home = np.unique(np.concatenate([high, low]), return_inverse=True)
    above = np.bincount(home[: len(high)], weights=positives, minlength=len(ratings))
    below = np.bincount(home[len(high) :], weights=negatives, minlength=len(ratings))
    return float((above * (np.cumsum(below) - below / 2)).sum() / (total * rest))


def _mann_whitney(sums: NDArray[Any], counts: NDArray[np.intp], n: int) -> Floats:
    pairs = counts.astype(np.float64) * (n - counts)
    area = np.full(len(counts), np.nan)
    np.divide(sums - counts * (counts + 1) / 2, pairs, out=area, where=pairs > 0)
    return area


def _table(code: Codes, y: Codes, *, shape: tuple[int, int]) -> Floats:
    """Count the rows of every value and class."""
    cells = np.bincount(code * shape[1] + y, minlength=shape[0] * shape[1])
    return cells.reshape(shape).astype(np.float64)


# ---------------------------------------------------------------- identity-like-feature


def _identity(column: Column, y: Codes, _classes: Sequence[str]) -> Finding | None:
    """Look whether the feature names the rows: a value for each, where chance would repeat some."""
    n = len(y)
    if n < FEWEST_ROWS or column.distinct < n or column.missing:
        return None
    if column.numeric and not _like_numbering(column):
        return None
    sample = ", ".join(_plain(value) for value in column.values[:3])
    return Finding(
        "identity-like-feature",
        WARNING,
        f"{column.name} has a different value in every row ({sample}, ...), like a name or a row "
        "number: it does not generalise to new rows; leave it out unless it measures something",
    )


def _like_numbering(column: Column) -> bool:
    """Tell whether whole numbers look given out one by one, not measured.

    They do if they are in order, or if as many spread evenly over their range would hold ties:
    n (n - 1) / 2 pairs, each equal with chance 1 / range.
    """
    values = column.values.astype(np.float64)
    if not np.isfinite(values).all() or (values != np.floor(values)).any():
        return False
    n = len(values)
    steps = np.diff(column.code)
    in_order = bool((steps > 0).all() or (steps < 0).all())
    return in_order or n * (n - 1) / 2 / (values[-1] - values[0] + 1) >= TIES_EXPECTED


def _plain(value: object) -> str:
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and plain.is_integer():
        return str(int(plain))
    return plain if isinstance(plain, str) and len(plain) <= 20 else shorten(plain, 30)


FEATURE_GUARDS = (_target, _near_perfect, _identity)
