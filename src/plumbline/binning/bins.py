"""Binnings by name, and the sums that a bin holds."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, shorten
from plumbline.binning.histogram import RULES, HistogramRule
from plumbline.binning.schemes import (
    AtLeast,
    Binning,
    BinNumbers,
    Convention,
    Edges,
    EqualSize,
    EqualWidth,
    Floats,
    Isotonic,
    MonotoneSweep,
    OnePerPoint,
    OnePerValue,
    Sums,
    place,
)
from plumbline.binning.uneven import CENTRE, TAILS, BetaSize, BetaWidth, LogOddsWidth
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.jit import MANY_ROWS, compiled, read_only
from plumbline.predictions import Predictions


def _at(scheme: Callable[..., Binning], shape: tuple[float, float]) -> Callable[..., Binning]:
    return partial(scheme, alpha=shape[0], beta=shape[1])


# Name -> the scheme, and the arguments that may follow its number of bins behind a comma.
SCHEMES: dict[str, tuple[Callable[..., Binning], tuple[str, ...]]] = {
    "equal-width": (EqualWidth, ("span",)),
    "equal-size": (EqualSize, ()),
    "log-odds-width": (LogOddsWidth, ("outermost",)),
    "tail-width": (_at(BetaWidth, TAILS), ()),
    "centre-width": (_at(BetaWidth, CENTRE), ()),
    "beta-width": (BetaWidth, ("alpha", "beta")),
    "tail-size": (_at(BetaSize, TAILS), ()),
    "centre-size": (_at(BetaSize, CENTRE), ()),
    "beta-size": (BetaSize, ("alpha", "beta")),
}
PLAIN: dict[str, Callable[[], Binning]] = {
    "one-per-point": OnePerPoint,
    "one-per-value": OnePerValue,
    "isotonic": Isotonic,
    "monotone-sweep": MonotoneSweep,
}
KNOWN = (
    *("equal-width:15", "equal-size:10", *PLAIN, *RULES, "edges:0,0.5,1"),
    *("log-odds-width:15", "tail-width:15", "centre-width:15", "beta-width:15,0.5,2"),
    *("tail-size:15", "centre-size:15", "beta-size:15,0.5,2"),
    *("equal-width:15,data", "freedman-diaconis:unit", "equal-width:15,min=20"),
)
# What every public function with a `bins` takes; `binning_of` says what it means.
BinsLike: TypeAlias = int | str | Binning
LEAST = re.compile(r"(?P<bins>.*),\s*min\s*=\s*(?P<rows>[^,]*)")


def binning_of(bins: BinsLike) -> Binning:
    """Return the binning given as a number, a name or a binning.

    Parameters
    ----------
    bins : int, str or Binning
        A whole number is a number of equal-width bins on [0, 1]: 10 and "10" are
        "equal-width:10". A name such as "equal-size:10" is one of `KNOWN`, with any number of
        bins. A binning passes through.

    Returns
    -------
    Binning

    Raises
    ------
    ParameterError
        If `bins` is none of these.

    Examples
    --------
    >>> binning_of(10), binning_of("equal-size:10"), binning_of("edges:0,0.5,1")
    (EqualWidth(bins=10, span='unit'), EqualSize(bins=10), Edges(values=(0.0, 0.5, 1.0)))
    """
    if isinstance(bins, (int, np.integer)) and not isinstance(bins, bool):
        return EqualWidth(int(bins))
    if not isinstance(bins, str):
        if isinstance(bins, bool | type) or not hasattr(bins, "edges"):
            raise ParameterError(
                argument="bins",
                rule="a number of bins such as 15, a binning such as EqualWidth(15) or "
                "Edges([0, 0.5, 1]), or a text such as 'equal-width:15'",
                arrived=shorten(bins),
                code="wrong-kind",
            )
        return bins
    text = bins.strip()
    if text.isdecimal():
        return EqualWidth(int(text))
    joined = LEAST.fullmatch(text)
    if joined is not None:
        return AtLeast(binning_of(joined["bins"]), cast(int, _whole(joined["rows"])))
    name, _, rest = text.partition(":")
    if name in PLAIN and not rest:
        return PLAIN[name]()
    if name in RULES and rest.strip() in ("", "unit", "data"):
        return HistogramRule(name, span=rest.strip() or "data")
    if name == "edges":
        return Edges(cast(Sequence[float], rest.split(",")))
    result = _numbered(name, rest)
    if result is None:
        raise ParameterError(
            code="unknown-name",
            argument="bins",
            rule=f"one of {', '.join(map(quoted, KNOWN))} (any number of bins)",
            arrived=shorten(text),
            near=nearest(text, KNOWN),
        )
    return result


def _whole(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() else text


def _numbered(name: str, rest: str) -> Binning | None:
    """Return the scheme with a number of bins and its further numbers; None for another text."""
    if name not in SCHEMES:
        return None
    scheme, arguments = SCHEMES[name]
    if not rest:
        return scheme()
    bins, *numbers = rest.split(",")
    if not bins.strip().isdecimal() or len(numbers) not in (0, len(arguments)):
        return None
    if name == "equal-width" and [more.strip() for more in numbers] not in ([], ["data"], ["unit"]):
        return None
    return scheme(int(bins), **dict(zip(arguments, map(str.strip, numbers), strict=False)))


class BinAssignment(NamedTuple):
    """Which bin every row is in: `number` (n,), 0 .. size - 1, or -1 for none; the rest: `Bins`."""

    number: BinNumbers
    size: int
    edges: Floats | None
    span: Floats | None = None

    @classmethod
    def of(cls, score: Floats, weight: Sums | None, bins: BinsLike | Floats) -> "BinAssignment":
        """Place the rows by a binning, a name or an array of edges."""
        if isinstance(bins, np.ndarray):
            edges: Floats | None = _checked_edges(bins, score)
        else:
            scheme = binning_of(bins)
            if isinstance(scheme, Convention):
                home = scheme.bin_numbers(score)
                return cls(home, scheme.bins, None, spans_of(score, home, scheme.bins))
            edges = scheme.edges(score, weight)
        if edges is None:
            return cls(np.arange(len(score)), len(score), None)
        return cls(place(score, edges), len(edges) - 1, edges)


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Sums per bin. Sums, not means, so that the parts add up to the whole.

    Attributes
    ----------
    edges : (b + 1,) edges, from 0 to 1 or over the scores' own range, or None for one bin per point
        and for bins that split equal scores
    count : (b,) number of rows
    weight : (b,) sum of weights w (1 a row without weights)
    prob : (b,) sum of w p, p the predicted probability of the outcome
    rest : (b,) sum of w q, q the probability of the other outcome
    outcome : (b,) sum of w over the rows where the outcome was observed
    variance : (b,) sum of w p q: the variance of the outcome sum of unweighted rows under p
    span : (b, 2) lowest and highest score of bins that split equal scores, else None
    """

    edges: Floats | None
    count: Sums
    weight: Sums
    prob: Sums
    rest: Sums
    outcome: Sums
    variance: Sums
    span: Floats | None = None

    @classmethod
    def of(cls, data: Predictions, bins: BinsLike | Floats = "equal-width:15") -> "Bins":
        """Bin the positive class of two-class predictions.

        Parameters
        ----------
        data : Predictions
            Of two classes; for more, a view of them such as `data.top_label()`.
        bins : int, str, Binning or (b + 1,) array, default "equal-width:15"
            As in `binning_of`; an array holds edges that increase from 0 to 1.

        Returns
        -------
        Bins

        Raises
        ------
        ParameterError
            For more than two classes, unknown bins, or edges that do not increase.

        Examples
        --------
        >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
        >>> Bins.of(data, "equal-width:2").outcome.tolist()
        [1.0, 2.0]
        """
        prob = data.need_prob("binning")
        if data.k != 2:
            raise ParameterError(
                f"Bins.of needs two classes, got {data.k}; take a binary view first: "
                "data.top_label() or data.one_vs_rest(name)",
                code="two-classes-needed",
            )
        score, rest = prob[:, data.positive], prob[:, 1 - data.positive]
        event = data.actual == data.positive
        return cls.of_scores(score, rest, event, data.weight, bins, counted=data.counted)

    @classmethod
    def of_scores(
        cls,
        score: Floats,
        rest: Floats,
        event: NDArray[np.bool_],
        weight: Sums | None,
        bins: BinsLike | Floats,
        *,
        counted: bool = False,
    ) -> "Bins":
        """Bin the probabilities of an event and of its opposite, with the observed outcome."""
        homes = BinAssignment.of(score, weight, bins)
        return cls.at(homes, score, rest, event, weight, counted=counted)

    @classmethod
    def at(
        cls,
        homes: BinAssignment,
        score: Floats,
        rest: Floats,
        event: NDArray[np.bool_],
        weight: Sums | None,
        *,
        counted: bool = False,
    ) -> "Bins":
        """Sum rows with known bins; rows in no bin are left out.

        `counted` tells whether the weights count identical rows.
        """
        home, size = homes.number, homes.size
        if len(home) and home.min() < 0:
            rows = np.flatnonzero(home >= 0)
            mass = None if weight is None else weight[rows]
            inside = homes._replace(number=home[rows])
            return cls.at(inside, score[rows], rest[rows], event[rows], mass, counted=counted)
        count, *sums = sums_of_bins(home, size, score, rest, event, weight)
        result = cls(homes.edges, sums[0] if counted else count, *sums)
        return result if homes.span is None else replace(result, span=homes.span)

    def place(self, score: Floats) -> BinNumbers:
        """Return the number of the bin every score falls in."""
        if self.span is not None:
            raise ParameterError(
                "bins that split equal scores cannot place further scores",
                code="bins-take-no-more",
            )
        return np.arange(len(score)) if self.edges is None else place(score, self.edges)

    def __add__(self, other: "Bins") -> "Bins":
        """Join the sums of two parts with the same edges (or of two sets of single points)."""
        names = ("count", "weight", "prob", "rest", "outcome", "variance")
        mine = [getattr(self, name) for name in names]
        theirs = [getattr(other, name) for name in names]
        points = all(part.edges is None and part.span is None for part in (self, other))
        if points:
            return Bins(None, *map(np.concatenate, zip(mine, theirs, strict=True)))
        if self.edges is None or other.edges is None or not np.array_equal(self.edges, other.edges):
            raise ParameterError(
                "bins with different edges cannot be added; bin both parts with the same edges "
                "(Bins.of(part, whole.edges))",
                code="bins-differ",
            )
        return Bins(self.edges, *(a + b for a, b in zip(mine, theirs, strict=True)))

    @property
    def limits(self) -> Floats | None:
        """Return (b, 2) lower and upper limits of the bins, or None for one bin per point."""
        if self.edges is None:
            return self.span
        return np.column_stack([self.edges[:-1], self.edges[1:]])

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


def sums_of_bins(
    home: BinNumbers,
    size: int,
    score: Floats,
    rest: Floats,
    event: NDArray[np.bool_],
    weight: Sums | None,
) -> Iterator[Sums]:
    """Yield of every bin: rows, and the sums of w, w p, w q, w y and w p q, in float64.

    Sums of many rows are added up in one compiled pass, in the same order.
    """
    if len(home) >= MANY_ROWS:
        sums = np.zeros((6, size))
        mass = np.empty(0) if weight is None else weight
        add_rows(*read_only(home, score, rest, event, mass), sums)
        yield from sums
        return
    yield np.bincount(home, minlength=size).astype(np.float64)
    mass = np.ones(len(home)) if weight is None else weight
    wide = score.astype(np.float64, copy=False)
    others = rest.astype(np.float64, copy=False)
    for column in (np.array(1.0), wide, others, event, wide * others):
        yield np.asarray(np.bincount(home, mass * column, size), float)


@compiled
def add_rows(
    home: BinNumbers,
    score: Floats,
    rest: Floats,
    event: NDArray[np.bool_],
    weight: Sums,
    sums: Sums,
) -> None:
    """Add every row to the (6, bins) sums of its bin; without weights it counts once."""
    for i in range(len(home)):
        j = home[i]
        w = weight[i] if len(weight) > 0 else 1.0
        p, q = np.float64(score[i]), np.float64(rest[i])
        sums[0, j] += 1.0
        sums[1, j] += w
        sums[2, j] += w * p
        sums[3, j] += w * q
        sums[4, j] += w * np.float64(event[i])
        sums[5, j] += w * (p * q)


def spans_of(score: Floats, home: BinNumbers, size: int) -> Floats:
    """Return the lowest and the highest score of every bin; NaN where empty."""
    span = np.full((size, 2), np.nan, score.dtype)
    inside = home >= 0
    np.fmin.at(span[:, 0], home[inside], score[inside])
    np.fmax.at(span[:, 1], home[inside], score[inside])
    return span


def _checked_edges(edges: Floats, score: Floats) -> Floats:
    """Check edges that a binning made, and return them in the scores' dtype.

    Equal ones may stand together: at 0, where many scores are, or at the lowest score, which is a
    bin of its own. Edges of the data's own range need not reach 0 and 1, but must hold every score.
    """
    sound = edges.ndim == 1 and len(edges) > 1 and edges.dtype.kind in "fiu"
    if not sound or edges[0] < 0 or edges[-1] > 1 or not np.all(edges[1:] >= edges[:-1]):
        raise ParameterError(
            f"edges must increase from 0 to 1, got {shorten(edges.tolist())}",
            code="edges-not-increasing",
        )
    own = edges.astype(score.dtype)
    whole = own[0] == 0 and own[-1] == 1
    if not whole and len(score) and (score.min() < own[0] or score.max() > own[-1]):
        raise ParameterError(
            f"edges must cover every score, but they run from {own[0]:g} to {own[-1]:g} and the "
            f"scores from {score.min():g} to {score.max():g}; bin with edges from 0 to 1",
            code="scores-outside-edges",
        )
    return own


def _ratio(top: Sums, bottom: Sums) -> Sums:
    out = np.full(len(bottom), np.nan)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out


def distinct_rows(prob: Floats) -> tuple[BinNumbers, int]:
    """Number the distinct probability vectors: (group of every row, number of groups)."""
    compact = np.ascontiguousarray(prob) + 0.0  # -0.0 becomes 0.0, or it would be another vector
    keys = compact.view(np.dtype((np.void, compact.dtype.itemsize * compact.shape[1])))[:, 0]
    distinct, home = np.unique(keys, return_inverse=True)
    return home, len(distinct)


def distinct_groups(columns: Sequence[BinNumbers]) -> tuple[BinNumbers, int]:
    """Number the distinct rows of columns of bin numbers: (group of every row, number of groups).

    >>> distinct_groups([np.array([0, 0, 1]), np.array([2, 2, 0])])
    (array([0, 0, 1]), 2)
    """
    group, groups = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        width = int(column.max(initial=-1)) + 2
        result, group = np.unique(group * width + (column + 1), return_inverse=True)
        groups = len(result)
    return group, groups
