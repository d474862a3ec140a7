"""Binning schemes, and the arithmetic of their edges: on which side of an edge a score falls."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, NoReturn, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, shorten, whole_number
from plumbline._keywords import keywords_checked
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import sums_as_sorted
from plumbline.predictions.ascending import rises

Floats: TypeAlias = NDArray[np.floating[Any]]
Sums: TypeAlias = NDArray[np.float64]
BinNumbers: TypeAlias = NDArray[np.integer[Any]]

MOST_BINS = 1_000_000  # no table has use for more; bounds what a mistyped number allocates
SPANS = ("unit", "data")
ROUNDING = 1e-12  # relative: sums of weights in another order differ by less


class Binning(Protocol):
    """A rule that places every score in a bin."""

    def edges(self, score: Floats, weight: Floats | None) -> Floats | None:
        """Return the edges in the scores' dtype, or None where every point is its own bin."""


@runtime_checkable
class Convention(Protocol):
    """The rule of another project, which gives the bin of every score itself.

    Attributes
    ----------
    bins : number of bins
    ours : the scheme of the same name by this project's conventions
    """

    @property
    def bins(self) -> int: ...  # noqa: D102

    @property
    def ours(self) -> Binning: ...  # noqa: D102

    def edges(self, score: Floats, weight: Floats | None) -> Floats | None:
        """Return None: no edges put every score where the rule does."""

    def bin_numbers(self, score: Floats) -> BinNumbers:
        """Return the bin of every score, 0 .. bins - 1, or -1 for none."""


@keywords_checked
@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Bins of equal width on [0, 1], or over the scores' own range: edges in their own dtype.

    Parameters
    ----------
    bins : int, default 15
        Number b of bins, from 1 to a million.
    span : {"unit", "data"}, default "unit"
        "unit" has the edges 0, 1/b, ..., 1; "data" b equal steps from the lowest score to the
        highest.

    Raises
    ------
    ParameterError
        For another span, or fewer than one bin.

    Examples
    --------
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


@keywords_checked
@dataclass(frozen=True, slots=True)
class EqualSize:
    """Bins of (nearly) equal weight; equal scores are never split.

    The upper edge of bin j is the smallest score whose cumulative weight reaches j W / b; edges
    that coincide collapse, so there may be fewer than b bins.

    Parameters
    ----------
    bins : int, default 15
        Number b of bins, from 1 to a million.

    Raises
    ------
    ParameterError
        For fewer than one bin.

    Examples
    --------
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


@keywords_checked
@dataclass(frozen=True, slots=True)
class Edges:
    """Bins with given edges.

    Parameters
    ----------
    values : sequence of float
        (b + 1,) edges; they must increase from 0 to 1.

    Raises
    ------
    ParameterError
        For edges that do not.

    Examples
    --------
    >>> Edges([0, 0.5, 0.9, 1]).edges(np.array([0.3]), None).tolist()
    [0.0, 0.5, 0.9, 1.0]
    """

    values: Sequence[float]

    def __post_init__(self) -> None:
        try:
            values = tuple(float(value) for value in self.values)
        except (TypeError, ValueError) as error:
            raise ParameterError(
                f"`edges` must be numbers, got {shorten(self.values)} ({error})", code="no-number"
            ) from error
        rising = all(low < high for low, high in pairwise(values))
        if len(values) < 2 or not rising or values[0] != 0 or values[-1] != 1:
            raise ParameterError(
                f"`edges` must increase from 0 to 1, got {shorten(list(values))}; for instance "
                "[0, 0.5, 0.9, 1]",
                code="edges-not-increasing",
            )
        object.__setattr__(self, "values", values)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the given edges in the scores' dtype."""
        return np.asarray(self.values, score.dtype)

    def __str__(self) -> str:
        return "edges:" + ",".join(map(repr, self.values))


@keywords_checked
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


@keywords_checked
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


def place(score: Floats, edges: Floats) -> BinNumbers:
    """Return the number of the bin every score falls in, 0 .. len(edges) - 2."""
    inner = edges[1:-1]
    if len(inner) < len(score) // 8 and rises(score):  # then bins are runs of rows
        start = np.searchsorted(score, inner, side="right")
        return np.repeat(np.arange(len(inner) + 1), np.diff(start, prepend=0, append=len(score)))
    home: BinNumbers = np.searchsorted(inner, score, side="left")
    return home


def number_of_bins(bins: Any) -> int:
    """Return `bins` as a whole number from 1 to a million."""
    number = whole_number("bins", bins, least=1)
    if number > MOST_BINS:
        raise ParameterError(
            argument="bins",
            rule=f"at most {MOST_BINS:,}",
            arrived=f"{number:,}",
            remedy="for one bin per row use 'one-per-point'",
            code="too-many-bins",
        )
    return number


def edges_at(quantile: Floats) -> Floats:
    """Return 0, the quantiles below 1 without repetition, and 1, in their own dtype."""
    inner = np.unique(quantile[quantile < 1])
    return np.concatenate([[0], inner, [1]]).astype(quantile.dtype)


def weighted_quantiles(
    score: Floats, weight: Floats, parts: Floats | BinNumbers, whole: int
) -> Floats:
    """Return, for each part, the smallest score whose cumulative weight reaches part W / whole.

    Weights are added in an order that depends on (score, weight) alone, not on the rows' order.
    """
    if not sums_as_sorted(score, weight):
        order = np.lexsort((weight, score))
        score, weight = score[order], weight[order]
    return np.asarray(score[reached(np.cumsum(weight), parts, whole)])


def reached(mass: Sums, parts: Floats | BinNumbers, whole: int) -> BinNumbers:
    """Return where a cumulative weight reaches part W / whole; short by rounding has reached.

    >>> reached(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 2]), 3).tolist()
    [1, 2]
    """
    result: BinNumbers = np.searchsorted(mass, parts * (mass[-1] * (1.0 - ROUNDING)) / whole)
    return result


@keywords_checked
@dataclass(frozen=True, slots=True)
class OutcomeBinning:
    """Bins that depend on the observed outcomes; a null recomputes them for every draw."""

    name: ClassVar[str]

    def edges(self, score: Floats, weight: Floats | None) -> NoReturn:
        """Refuse: the edges depend on the outcomes."""
        raise ParameterError(
            f"`bins` {quoted(self.name)} depend on the outcomes, which are not used here; use for "
            "instance 'equal-size:15', or measure with plumbline.calibration_error",
            code="bins-of-outcomes",
        )

    def __str__(self) -> str:
        return self.name


@keywords_checked
@dataclass(frozen=True, slots=True)
class Isotonic(OutcomeBinning):
    """The constant pieces of the isotonic fit of the outcomes (Dimitriadis et al. 2021)."""

    name: ClassVar[str] = "isotonic"


@keywords_checked
@dataclass(frozen=True, slots=True)
class MonotoneSweep(OutcomeBinning):
    """The largest number of equal-size bins up to which outcome shares rise (Roelofs et al. 2022).

    From one bin on, as long as no bin has a smaller share of outcomes than the one before it.
    """

    name: ClassVar[str] = "monotone-sweep"


@keywords_checked
@dataclass(frozen=True, slots=True)
class AtLeast:
    """The bins of a scheme, joined until each holds at least `rows` rows (by weight: repetitions).

    As long as there is one, the bin with the fewest rows is joined to its neighbour with fewer, the
    lower one where they have the same. If all rows together are fewer, one bin is left.

    Parameters
    ----------
    scheme : Binning
        Bins with edges.
    rows : int
        Fewest rows of a bin, at least 1.

    Raises
    ------
    ParameterError
        For a scheme without edges.

    Examples
    --------
    >>> AtLeast(EqualWidth(4), 2).edges(np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.9]), None).tolist()
    [0.0, 0.5, 1.0]
    """

    scheme: Binning
    rows: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole_number("min", self.rows, least=1))
        edgeless = isinstance(self.scheme, OnePerPoint | OutcomeBinning | Convention)
        if edgeless or isinstance(self.scheme, type) or not hasattr(self.scheme, "edges"):
            raise ParameterError(
                "a least number of rows needs bins with edges, such as EqualWidth(15), got "
                f"{shorten(self.scheme)}",
                code="bins-without-edges",
            )

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges of the scheme that are left."""
        edges = self.scheme.edges(score, weight)
        if edges is None:
            raise ParameterError(
                f"bins {quoted(str(self.scheme))} have no edges, so they cannot be joined",
                code="bins-without-edges",
            )
        home = place(score, edges)
        if weight is not None:  # added in an order that is not the rows'
            order = np.lexsort((weight, score))
            home, weight = home[order], weight[order]
        total = np.bincount(home, weight, len(edges) - 1).astype(np.float64)
        first = joined(total, self.rows * (1.0 - ROUNDING))
        return np.concatenate([edges[first], edges[-1:]])

    def __str__(self) -> str:
        return f"{self.scheme},min={self.rows}"


def joined(total: Sums, least: float) -> list[int]:
    """Return the first old bin of every new bin, for bins that hold `total`.

    >>> joined(np.array([1.0, 9.0, 1.0, 5.0, 9.0]), 2.0)
    [0, 2, 4]
    """
    held: list[float] = total.tolist()
    size = len(held)
    before, after = list(range(-1, size - 1)), list(range(1, size + 1))
    alive = [True] * size
    waiting = [(rows, bin_) for bin_, rows in enumerate(held)]
    heapq.heapify(waiting)
    bins = size
    while bins > 1:
        rows, own = heapq.heappop(waiting)
        if not alive[own] or rows != held[own]:
            continue
        if rows >= least:
            break
        lower, upper = before[own], after[own]
        if lower < 0 or (upper < size and held[upper] < held[lower]):
            lower, own = own, upper
        held[lower] += held[own]
        alive[own] = False
        after[lower] = after[own]
        if after[own] < size:
            before[after[own]] = lower
        heapq.heappush(waiting, (held[lower], lower))
        bins -= 1
    return [bin_ for bin_ in range(size) if alive[bin_]]
