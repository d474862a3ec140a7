"""Bins are (lo, hi]; the first also holds its lower edge. Only this room decides that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shorten, whole_number
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions

Floats: TypeAlias = NDArray[np.floating[Any]]
Sums: TypeAlias = NDArray[np.float64]
Home: TypeAlias = NDArray[np.integer[Any]]

MOST_BINS = 1_000_000
ROUNDING = 1e-12


class Binning(Protocol):
    """A rule that places every score in a bin."""

    def edges(self, score: Floats, weight: Floats | None) -> Floats | None:
        """Return the edges in the scores' dtype, or None where every point is its own bin."""


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Bins of equal width on [0, 1]: edges 0, 1/b, ..., 1 in the scores' own dtype.

    >>> EqualWidth(4).edges(np.array([0.3]), None).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """

    bins: int = 15

    def __post_init__(self) -> None:
        object.__setattr__(self, "bins", _number_of_bins(self.bins))

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return arange(b + 1) / b: exact for decimal scores, where linspace is not."""
        return (np.arange(self.bins + 1) / self.bins).astype(score.dtype)

    def __str__(self) -> str:
        return f"equal-width:{self.bins}"


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
        object.__setattr__(self, "bins", _number_of_bins(self.bins))

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return 0, the weighted quantiles at j / b, and 1."""
        quantile = _quantiles(score, self.bins) if weight is None else (
            _weighted_quantiles(score, weight, self.bins))  # fmt: skip
        inner = np.unique(quantile[quantile < 1])
        return np.concatenate([[0], inner, [1]]).astype(score.dtype)

    def __str__(self) -> str:
        return f"equal-size:{self.bins}"


def _number_of_bins(bins: Any) -> int:
    number = whole_number("bins", bins, least=1)
    if number > MOST_BINS:
        raise ParameterError(
            f"`bins` must be at most {MOST_BINS:,}, got {number:,}; for one bin a row use "
            "'one-per-point'"
        )
    return number


def _quantiles(score: Floats, bins: int) -> Floats:
    """Return, for j = 1 .. b - 1, the smallest score with j n / b rows at or below it."""
    reached = -(-np.arange(1, bins) * len(score) // bins)  # rounded up, in whole numbers
    return np.sort(score)[reached - 1]


def _weighted_quantiles(score: Floats, weight: Floats, bins: int) -> Floats:
    """Return, for j = 1 .. b - 1, the smallest score whose cumulative weight reaches j W / b.

    Weights are added in an order that depends on (score, weight) alone, not on the rows' order;
    and a sum that falls short by rounding has reached.
    """
    order = np.lexsort((weight, score))
    mass = np.cumsum(weight[order])
    wanted = np.arange(1, bins) * (mass[-1] * (1.0 - ROUNDING))
    return np.asarray(score[order[np.searchsorted(mass * bins, wanted)]])


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
class OnePerPoint:
    """Every row is a bin of its own: the limit of equal-size bins with b = n."""

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: there are no edges."""
        return

    def __str__(self) -> str:
        return "one-per-point"


def place(score: Floats, edges: Floats) -> Home:
    """Return the number of the bin every score falls in, 0 .. len(edges) - 2."""
    home: Home = np.searchsorted(edges[1:-1], score, side="left")
    return home


def binning_of(text: str | Binning) -> Binning:
    """Return the binning a text such as "equal-width:15" names; a binning passes through.

    >>> binning_of("equal-size:10"), binning_of("edges:0,0.5,1")
    (EqualSize(bins=10), Edges(values=(0.0, 0.5, 1.0)))
    """
    if not isinstance(text, str):
        if isinstance(text, type) or not hasattr(text, "edges"):
            raise ParameterError(
                "`bins` must be a binning such as EqualWidth(15) or Edges([0, 0.5, 1]), or a text "
                f"such as 'equal-width:15', got {shorten(text)}"
            )
        return text
    name, _, rest = text.strip().partition(":")
    if name == "one-per-point" and not rest:
        return OnePerPoint()
    if name == "edges":
        return Edges(cast(Sequence[float], rest.split(",")))
    schemes: dict[str, Callable[..., Binning]] = {
        "equal-width": EqualWidth,
        "equal-size": EqualSize,
    }
    if name in schemes and (not rest or rest.strip().isdecimal()):
        return schemes[name](int(rest)) if rest else schemes[name]()
    known = ("equal-width:15", "equal-size:10", "one-per-point", "edges:0,0.5,1")
    raise ParameterError(
        f"`bins` must be one of {', '.join(map(repr, known))} (any number of bins), got "
        f"{shorten(text)}{near_names(text, known)}"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Sums per bin. Sums, not means, so that the parts add up to the whole.

    Attributes
    ----------
    edges : (b + 1,) edges, or None for one bin a point
    count : (b,) number of rows
    weight : (b,) sum of weights w (1 a row without weights)
    prob : (b,) sum of w p, p the predicted probability of the outcome
    rest : (b,) sum of w q, q the probability of the other outcome
    outcome : (b,) sum of w over the rows where the outcome happened
    variance : (b,) sum of w p q: the variance of the outcome sum of unweighted rows under p
    """

    edges: Floats | None
    count: Sums
    weight: Sums
    prob: Sums
    rest: Sums
    outcome: Sums
    variance: Sums

    @classmethod
    def of(cls, data: Predictions, bins: str | Binning | Floats = "equal-width:15") -> "Bins":
        """Bin the positive class of two-class predictions; `bins` may be an array of edges.

        >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
        >>> Bins.of(data, EqualWidth(2)).outcome.tolist()
        [1.0, 2.0]
        """
        prob = data.need_prob("binning")
        if data.k != 2:
            raise ParameterError(
                f"Bins.of needs two classes, got {data.k}; look through a lens first: "
                "data.top_label() or data.one_vs_rest(name)"
            )
        score, rest = prob[:, data.positive], prob[:, 1 - data.positive]
        return cls.of_scores(score, rest, data.actual == data.positive, data.weight, bins)

    @classmethod
    def of_scores(
        cls,
        score: Floats,
        rest: Floats,
        event: NDArray[np.bool_],
        weight: Sums | None,
        bins: str | Binning | Floats,
    ) -> "Bins":
        """Bin the probability of an event, and of its opposite, with whether it happened."""
        if isinstance(bins, np.ndarray):
            edges: Floats | None = _checked_edges(bins).astype(score.dtype)
        else:
            edges = binning_of(bins).edges(score, weight)
        n = len(score)
        home = np.arange(n) if edges is None else place(score, edges)
        size = n if edges is None else len(edges) - 1
        count = np.bincount(home, minlength=size).astype(np.float64)
        mass = np.ones(n) if weight is None else weight
        wide = score.astype(np.float64)  # sums in float64 whatever the scores' dtype
        columns = (np.ones(n), wide, rest.astype(np.float64), event, wide * rest)
        sums = [np.asarray(np.bincount(home, mass * c, size), np.float64) for c in columns]
        return cls(edges, count, *sums)

    def place(self, score: Floats) -> Home:
        """Return the number of the bin every score falls in."""
        return np.arange(len(score)) if self.edges is None else place(score, self.edges)

    def __add__(self, other: "Bins") -> "Bins":
        """Join the sums of two parts with the same edges (or of two sets of single points)."""
        names = ("count", "weight", "prob", "rest", "outcome", "variance")
        mine = [getattr(self, name) for name in names]
        theirs = [getattr(other, name) for name in names]
        if self.edges is None and other.edges is None:
            return Bins(None, *map(np.concatenate, zip(mine, theirs, strict=True)))
        if self.edges is None or other.edges is None or not np.array_equal(self.edges, other.edges):
            raise ParameterError(
                "bins with different edges cannot be added; bin both parts with the same edges "
                "(Bins.of(part, whole.edges))"
            )
        return Bins(self.edges, *(a + b for a, b in zip(mine, theirs, strict=True)))

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Mark the bins that hold weight; the others are absent, not zero."""
        return self.weight > 0

    @property
    def mean_probability(self) -> Sums:
        """Mean predicted probability of every bin; NaN where empty."""
        return _ratio(self.prob, self.weight)

    @property
    def outcome_share(self) -> Sums:
        """Observed share of the outcome in every bin; NaN where empty."""
        return _ratio(self.outcome, self.weight)


def _checked_edges(edges: Floats) -> Floats:
    """Check edges that a binning made: equal ones may stand at 0, where many scores are."""
    sound = edges.ndim == 1 and len(edges) > 1 and edges.dtype.kind in "fiu"
    if not sound or edges[0] != 0 or edges[-1] != 1 or not np.all(edges[1:] >= edges[:-1]):
        raise ParameterError(f"edges must increase from 0 to 1, got {shorten(edges.tolist())}")
    return edges


def _ratio(top: Sums, bottom: Sums) -> Sums:
    out = np.full(len(bottom), np.nan)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out


def distinct_rows(prob: Floats) -> tuple[Home, int]:
    """Number the distinct probability vectors: (group of every row, number of groups)."""
    compact = np.ascontiguousarray(prob) + 0.0  # -0.0 becomes 0.0, or it would be another vector
    keys = compact.view(np.dtype((np.void, compact.dtype.itemsize * compact.shape[1])))[:, 0]
    distinct, home = np.unique(keys, return_inverse=True)
    return home, len(distinct)
