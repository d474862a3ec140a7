"""Rules that place every score in a bin: equal width, equal size, edges of one's own, points."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, shorten, whole_number
from plumbline.errors import ParameterError

Floats: TypeAlias = NDArray[np.floating[Any]]
Sums: TypeAlias = NDArray[np.float64]
Home: TypeAlias = NDArray[np.integer[Any]]

MOST_BINS = 1_000_000
SPANS = ("unit", "data")
ROUNDING = 1e-12


class Binning(Protocol):
    """A rule that places every score in a bin."""

    def edges(self, score: Floats, weight: Floats | None) -> Floats | None:
        """Return the edges in the scores' dtype, or None where every point is its own bin."""


@runtime_checkable
class Convention(Protocol):
    """The rule of another project, which says itself in which bin a score is.

    Attributes
    ----------
    bins : number of bins
    ours : what its name means by this project's own conventions
    """

    @property
    def bins(self) -> int: ...  # noqa: D102

    @property
    def ours(self) -> Binning: ...  # noqa: D102

    def edges(self, score: Floats, weight: Floats | None) -> Floats | None:
        """Return None: no edges put every score where the rule does."""

    def homes(self, score: Floats) -> Home:
        """Return the bin of every score, 0 .. bins - 1, or -1 for none."""


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Bins of equal width on [0, 1], or over the scores' own range: edges in their own dtype.

    `span` "unit" has the edges 0, 1/b, ..., 1; "data" b equal steps from the lowest score to the
    highest. Raises ParameterError for another span, or fewer than one bin.

    >>> EqualWidth(4).edges(np.array([0.3]), None).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    >>> EqualWidth(2, span="data").edges(np.array([0.3, 0.4, 0.9]), None).tolist()
    [0.3, 0.6, 0.9]
    """

    bins: int = 15
    span: str = field(default="unit", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bins", number_of_bins(self.bins))
        one_of("span", self.span, SPANS)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges; over the data the first and the last are scores."""
        if self.span == "unit":
            return unit_edges(self.bins, score.dtype)
        return data_edges(with_weight(score, weight)[0], self.bins)

    def __str__(self) -> str:
        return f"equal-width:{self.bins}" + (",data" if self.span == "data" else "")


@dataclass(frozen=True, slots=True)
class EqualSize:
    """Bins of (nearly) equal weight; equal scores are never split.

    The upper edge of bin j is the smallest score whose cumulative weight reaches j W / b; edges
    that coincide collapse, so there may be fewer than b bins.

    >>> EqualSize(2).edges(np.array([0.1, 0.2, 0.3, 0.9]), None).tolist()
    [0.0, 0.2, 1.0]
    """

    bins: int = 15

    def __post_init__(self) -> None:
        object.__setattr__(self, "bins", number_of_bins(self.bins))

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return 0, the weighted quantiles at j / b, and 1."""
        parts = np.arange(1, self.bins)
        if weight is None:
            reached = -(-parts * len(score) // self.bins)  # rounded up, in whole numbers
            return edges_at(np.sort(score)[reached - 1])
        return edges_at(weighted_quantiles(score, weight, parts, self.bins))

    def __str__(self) -> str:
        return f"equal-size:{self.bins}"


@dataclass(frozen=True, slots=True)
class Edges:
    """Bins with edges of the user's own; they must increase from 0 to 1.

    >>> Edges([0, 0.5, 0.9, 1]).edges(np.array([0.3]), None).tolist()
    [0.0, 0.5, 0.9, 1.0]
    """

    values: Sequence[float]

    def __post_init__(self) -> None:
        try:
            values = tuple(float(value) for value in self.values)
        except (TypeError, ValueError) as error:
            raise ParameterError(
                f"`edges` must be numbers, got {shorten(self.values)} ({error})"
            ) from error
        rising = all(low < high for low, high in pairwise(values))
        if len(values) < 2 or not rising or values[0] != 0 or values[-1] != 1:
            raise ParameterError(
                f"`edges` must increase from 0 to 1, got {shorten(list(values))}; for instance "
                "[0, 0.5, 0.9, 1]"
            )
        object.__setattr__(self, "values", values)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the given edges in the scores' dtype."""
        return np.asarray(self.values, score.dtype)

    def __str__(self) -> str:
        return "edges:" + ",".join(map(repr, self.values))


@dataclass(frozen=True, slots=True)
class OnePerValue:
    """Every distinct score is a bin of its own: the finest bins that split no equal scores.

    >>> OnePerValue().edges(np.array([0.3, 0.8, 0.3]), None).tolist()
    [0.3, 0.3, 0.8]
    """

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the distinct scores, each the upper edge of its bin; the lowest stands twice."""
        distinct = np.unique(with_weight(score, weight)[0])
        return np.concatenate([distinct[:1], distinct])

    def __str__(self) -> str:
        return "one-per-value"


@dataclass(frozen=True, slots=True)
class OnePerPoint:
    """Every row is a bin of its own: the limit of equal-size bins with b = n."""

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: there are no edges."""
        return

    def __str__(self) -> str:
        return "one-per-point"


def unit_edges(bins: int, dtype: "np.dtype[Any]") -> Floats:
    """Return arange(b + 1) / b: exact for decimal scores, where linspace is not."""
    return (np.arange(bins + 1) / bins).astype(dtype)


def data_edges(score: Floats, bins: int) -> Floats:
    """Return b equal steps from the lowest score to the highest, in the scores' dtype.

    An edge that is a score but for rounding is that score, so that it belongs to the bin below.
    Edges that coincide collapse; equal scores are one bin.
    """
    distinct = np.unique(score)
    step = np.arange(bins + 1)
    low, high = float(distinct[0]), float(distinct[-1])
    level = np.clip((low * (bins - step) + high * step) / bins, low, high)
    slack = 4.0 * float(np.finfo(score.dtype).eps) * high
    above = np.searchsorted(distinct, level - slack)
    near = distinct[np.minimum(above, len(distinct) - 1)]
    edges = np.where(np.abs(near - level) <= slack, near, level.astype(score.dtype))
    edges[[0, -1]] = distinct[[0, -1]]
    return np.unique(edges) if len(distinct) > 1 else edges[[0, -1]]


def with_weight(score: Floats, weight: Floats | None) -> tuple[Floats, Sums]:
    """Return the scores that count, and their weights: those of weight 0 only where all are."""
    if weight is None:
        return score, np.ones(len(score))
    kept = weight > 0
    if kept.all() or not kept.any():
        return score, weight.astype(np.float64)
    return score[kept], weight[kept].astype(np.float64)


def place(score: Floats, edges: Floats) -> Home:
    """Return the number of the bin every score falls in, 0 .. len(edges) - 2."""
    home: Home = np.searchsorted(edges[1:-1], score, side="left")
    return home


def number_of_bins(bins: Any) -> int:
    """Return `bins` as a whole number from 1 to a million."""
    number = whole_number("bins", bins, least=1)
    if number > MOST_BINS:
        raise ParameterError(
            f"`bins` must be at most {MOST_BINS:,}, got {number:,}; for one bin a row use "
            "'one-per-point'"
        )
    return number


def edges_at(quantile: Floats) -> Floats:
    """Return 0, the quantiles below 1 without repetition, and 1, in their own dtype."""
    inner = np.unique(quantile[quantile < 1])
    return np.concatenate([[0], inner, [1]]).astype(quantile.dtype)


def weighted_quantiles(score: Floats, weight: Floats, parts: Floats | Home, whole: int) -> Floats:
    """Return, for each part, the smallest score whose cumulative weight reaches part W / whole.

    Weights are added in an order that depends on (score, weight) alone, not on the rows' order.
    """
    order = np.lexsort((weight, score))
    return np.asarray(score[order[reached(np.cumsum(weight[order]), parts, whole)]])


def reached(mass: Sums, parts: Floats | Home, whole: int) -> Home:
    """Return where a cumulative weight reaches part W / whole; short by rounding has reached.

    >>> reached(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 2]), 3).tolist()
    [1, 2]
    """
    found: Home = np.searchsorted(mass, parts * (mass[-1] * (1.0 - ROUNDING)) / whole)
    return found
