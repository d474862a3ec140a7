"""The features one by one: their distinct values, and which of them each row has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.predictions.labels import is_missing

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
            yield column_of(np.asarray(column.to_numpy()), f"column {column.name!r}")
        return
    sparse = hasattr(X, "tocsc")
    table: Any = X.tocsc() if sparse else np.asarray(X)
    if not sparse and table.ndim != 2:
        table = table.reshape(len(table), -1)
    if names is not None and len(names) != table.shape[1]:
        raise ParameterError(
            f"`columns` must name each of the {table.shape[1]:,} features, got {len(names):,} names"
        )
    for place in range(table.shape[1]):
        name = f"column {place}" if names is None else f"column {names[place]!r}"
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
