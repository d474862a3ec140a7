"""Bins whose width, or share of the rows, depends on their place: finer in the tails or centre."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import shorten
from plumbline._keywords import keywords_checked
from plumbline.binning.schemes import (
    ROUNDING,
    Floats,
    Sums,
    edges_at,
    number_of_bins,
    weighted_quantiles,
)
from plumbline.errors import ParameterError

# Of the beta distribution; the message says what lies beyond. A convention.
LEAST_SHAPE, MOST_SHAPE = 0.1, 100.0
DECIMALS = 12  # decimals: an edge within ULPS of so short a number becomes it, as scores lie there
ULPS = 8 * np.finfo(np.float64).eps

Shape: TypeAlias = tuple[float, float]
TAILS: Shape = (0.5, 0.5)  # the arcsine distribution, whose quantiles crowd at 0 and 1
CENTRE: Shape = (2.0, 2.0)  # the mirror image: a parabola, whose quantiles crowd around one half
PLACES: dict[Shape, str] = {TAILS: "tail", CENTRE: "centre"}


@keywords_checked
@dataclass(frozen=True, slots=True)
class LogOddsWidth:
    """Bins of equal width in the log-odds ln(p / (1 - p)), with `outermost` as the first edge.

    The b - 1 inner edges are equally spaced in log-odds from `outermost` to 1 - `outermost`; what
    lies beyond these is the first and the last bin. Near 0 and 1 the bins are narrow, in proportion
    to p and 1 - p.

    Parameters
    ----------
    bins : int, default 15
        Number b of bins, from 1 to a million.
    outermost : float, default 0.01
        Upper edge of the first bin, above 0 and below 0.5.

    Raises
    ------
    ParameterError
        For an `outermost` outside (0, 0.5).

    Examples
    --------
    >>> LogOddsWidth(6, outermost=0.1).edges(np.array([0.3]), None).tolist()
    [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]
    """

    bins: int = 15
    outermost: float = field(default=0.01, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bins", number_of_bins(self.bins))
        value = _number("outermost", self.outermost)
        if not 0 < value < 0.5:
            raise ParameterError(
                argument="outermost",
                rule="above 0 and below 0.5",
                arrived=shorten(self.outermost),
                remedy="it is the upper edge of the first bin, for instance 0.01",
                code="out-of-range",
            )
        object.__setattr__(self, "outermost", value)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges; those that coincide in the scores' dtype collapse."""
        steps = self.bins - 2
        lower = np.arange((self.bins - 1) // 2)
        odds = self.outermost / (1.0 - self.outermost)
        power = odds ** (1.0 - 2.0 * lower / max(steps, 1))
        levels = _mirrored(power / (1.0 + power), self.bins)
        return np.unique(levels.astype(score.dtype))

    def __str__(self) -> str:
        own = "" if self.outermost == 0.01 else f",{self.outermost!r}"
        return f"log-odds-width:{self.bins}{own}"


@keywords_checked
@dataclass(frozen=True, slots=True)
class BetaWidth:
    """Bins with the quantiles of a beta distribution as edges: narrow where it is dense.

    Edge j is where the distribution function of Beta(alpha, beta) reaches j / b. Shapes below 1
    make narrow bins in the tails, shapes above 1 in the centre; (1, 1) is equal width. "tail-width"
    is (1/2, 1/2), "centre-width" (2, 2).

    Parameters
    ----------
    bins : int, default 15
        Number b of bins, from 1 to a million.
    alpha, beta : float, default 0.5
        Shapes of the beta distribution, from 0.1 to 100.

    Raises
    ------
    ParameterError
        For a shape outside [0.1, 100].

    Examples
    --------
    >>> BetaWidth(3).edges(np.array([0.3]), None).tolist()
    [0.0, 0.25, 0.75, 1.0]
    """

    bins: int = 15
    alpha: float = field(default=TAILS[0], kw_only=True)
    beta: float = field(default=TAILS[1], kw_only=True)

    def __post_init__(self) -> None:
        _check_shape(self)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges; those that coincide in the scores' dtype collapse."""
        return np.unique(_beta_levels(self.bins, self.alpha, self.beta).astype(score.dtype))

    def __str__(self) -> str:
        return _beta_name("width", self)


@keywords_checked
@dataclass(frozen=True, slots=True)
class BetaSize:
    """Bins whose shares of the weight depend on the place; equal scores are never split.

    Where `BetaWidth` puts an edge at u, the upper edge here is the smallest score whose cumulative
    weight reaches u W. So "tail-size", (1/2, 1/2), has few rows per bin among the lowest and the
    highest scores, "centre-size", (2, 2), among the middle ones, and (1, 1) is equal size. Edges
    that coincide collapse.

    Parameters
    ----------
    bins : int, default 15
        Number b of bins, from 1 to a million.
    alpha, beta : float, default 0.5
        Shapes of the beta distribution, from 0.1 to 100.

    Raises
    ------
    ParameterError
        For a shape outside [0.1, 100].

    Examples
    --------
    >>> BetaSize(3).edges(np.arange(1, 9) / 10, None).tolist()
    [0.0, 0.2, 0.6, 1.0]
    """

    bins: int = 15
    alpha: float = field(default=TAILS[0], kw_only=True)
    beta: float = field(default=TAILS[1], kw_only=True)

    def __post_init__(self) -> None:
        _check_shape(self)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return 0, the weighted quantiles at the levels, and 1."""
        levels = _beta_levels(self.bins, self.alpha, self.beta)[1:-1]
        if weight is None:  # what is reached but for rounding is reached, as with weights
            reached = np.ceil(levels * (len(score) * (1.0 - ROUNDING))).astype(np.int64)
            return edges_at(np.sort(score)[reached - 1])
        return edges_at(weighted_quantiles(score, weight, levels, 1))

    def __str__(self) -> str:
        return _beta_name("size", self)


def _beta_levels(bins: int, alpha: float, beta: float) -> Sums:
    """Return the quantiles of Beta(alpha, beta) at 0, 1/b, ..., 1, each from its nearer end."""
    if (alpha, beta) == (1.0, 1.0):
        return np.arange(bins + 1) / bins
    from scipy.special import betaincinv

    half = np.arange(1, (bins + 1) // 2) / bins
    low = betaincinv(alpha, beta, half)
    if alpha == beta:
        return _mirrored(low, bins)
    middle = [] if bins % 2 else [float(betaincinv(alpha, beta, 0.5))]
    high = 1.0 - _rounded(betaincinv(beta, alpha, half))[::-1]
    return np.concatenate([[0.0], _rounded(low), _rounded(np.array(middle)), high, [1.0]])


def _mirrored(low: Sums, bins: int) -> Sums:
    """Return 0, the edges below 1/2, 1/2 where a number of bins is even, their mirror, and 1."""
    low = _rounded(low)
    middle = [] if bins % 2 else [0.5]
    return np.concatenate([[0.0], low, middle, 1.0 - low[::-1], [1.0]])


def _rounded(level: Sums) -> Sums:
    """Give a level that is a short decimal but for rounding that decimal, on which scores lie."""
    short = np.round(level, DECIMALS)
    return np.where(np.abs(level - short) <= ULPS * level, short, level)


def _check_shape(scheme: BetaWidth | BetaSize) -> None:
    object.__setattr__(scheme, "bins", number_of_bins(scheme.bins))
    for name in ("alpha", "beta"):
        value = _number(name, getattr(scheme, name))
        if not LEAST_SHAPE <= value <= MOST_SHAPE:
            raise ParameterError(
                f"`{name}` must be from {LEAST_SHAPE:g} to {MOST_SHAPE:g}, got {value!r}: below 1 "
                "for fine tails, above 1 for a fine centre",
                code="out-of-range",
            )
        object.__setattr__(scheme, name, value)


def _number(argument: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            argument=argument, rule="a number", arrived=shorten(value), code="no-number"
        ) from error


def _beta_name(kind: str, scheme: BetaWidth | BetaSize) -> str:
    place = PLACES.get((scheme.alpha, scheme.beta))
    if place:
        return f"{place}-{kind}:{scheme.bins}"
    return f"beta-{kind}:{scheme.bins},{scheme.alpha!r},{scheme.beta!r}"
