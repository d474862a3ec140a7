"""Distances to a smoothed calibration curve (LOESS): ICI, E50, E90 and Emax."""

from collections.abc import Callable

import numpy as np

from plumbline.calibration.drawable import Ints, Wide
from plumbline.calibration.merging import merged
from plumbline.calibration.profiles import Error, Profile

SPAN = 0.75  # share of the weight in a window
CELLS = 512  # cells of the range, and of the ranks, beyond which scores are joined
SHORT = 1e-10  # a window this part of its weight too light is full: weights add up with rounding
FLAT = 1e-3  # a window that spreads less than this part of the range bears no slope
ENOUGH = 1e-12  # shares add up with rounding too


def ici(profile: Profile) -> Error:
    """Make the integrated calibration index (ICI): the mean over rows of |fit(p_i) - p_i|.

    The fit is LOESS of the outcome on the score: at every score p the weighted straight line
    through the scores nearest to p that together weigh at least 3/4 of all, and all as near as the
    farthest of them, at distance h; row i weighs w_i (1 - (|p_i - p| / h)^3)^3, so rows at h itself
    weigh nothing. Where the weighted scores spread less than 1/1,000 of the range, the fit is their
    mean outcome. There are no robust steps, and the fit is clipped to [0, 1].

    More than 1,024 distinct scores are joined into at most that many, 512 cells of equal width
    crossed with 512 of equal weight, each at its mean score. That moves the index by less than
    5e-5, and the other three summaries by less than 5e-4.

    Sources: Austin and Steyerberg (2019), The Integrated Calibration Index (ICI) and related
    metrics; Harrell (2015), Regression modeling strategies; Cleveland (1979). R's `loess`, which
    Austin and Steyerberg use, fits parabolas unless told otherwise.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> ici(even)(np.array([[2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]])).round(6).tolist()
    [0.0, 0.1]
    """

    def mean(gap: Wide, share: Wide) -> Wide:
        out: Wide = share @ gap
        return out

    return _distance(profile, mean)


def e50(profile: Profile) -> Error:
    """Make the median over rows of |fit(p_i) - p_i|, the fit being that of `ici`.

    It is the smallest distance that half of the weight does not exceed.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> e50(even)(np.array([[3.0], [5.0], [7.0], [9.0]])).round(6).tolist()
    [0.1]
    """
    return _distance(profile, _quantile(0.5))


def e90(profile: Profile) -> Error:
    """Make the 90 % quantile over rows of |fit(p_i) - p_i|, the fit being that of `ici`.

    It is the smallest distance that nine tenths of the weight do not exceed.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> e90(even)(np.array([[3.0], [5.0], [7.0], [9.0]])).round(6).tolist()
    [0.1]
    """
    return _distance(profile, _quantile(0.9))


def emax(profile: Profile) -> Error:
    """Make the largest |fit(p_i) - p_i| over rows, the fit being that of `ici`.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> emax(even)(np.array([[3.0], [5.0], [7.0], [9.0]])).round(6).tolist()
    [0.1]
    """

    def largest(gap: Wide, _: Wide) -> Wide:
        out: Wide = gap.max(axis=0)
        return out

    return _distance(profile, largest)


def _quantile(level: float) -> Callable[[Wide, Wide], Wide]:
    """Return what finds the smallest distance that the share `level` does not exceed."""

    def quantile(gap: Wide, share: Wide) -> Wide:
        order = np.argsort(gap, axis=0)
        reached = np.cumsum(share[order], axis=0) >= level - ENOUGH
        place = np.take_along_axis(order, reached.argmax(axis=0)[None], axis=0)
        out: Wide = np.take_along_axis(gap, place, axis=0)[0]
        return out

    return quantile


def _distance(profile: Profile, summary: Callable[[Wide, Wide], Wide]) -> Error:
    """Return an error that sums up (m, draws) distances of the fit, given the (m,) shares."""
    joined = merged(profile, _key(profile))
    few = joined.profile
    smoother, share, score = _smoother(few.score, few.weight), few.share, few.score[:, None]

    def error(hits: Wide) -> Wide:
        fit = np.clip(smoother @ joined.hits(hits), 0.0, 1.0)
        return summary(np.abs(fit - score), share)

    return error


def _key(profile: Profile) -> Ints:
    """Return (g,) numbers of cells, rising with the score: by place in the range, and by rank."""
    score, g = profile.score, len(profile.score)
    if g <= 2 * CELLS:
        return np.arange(g)
    place = (score - score[0]) / (score[-1] - score[0])
    rank = np.cumsum(profile.share) - 0.5 * profile.share
    whole, part = (np.minimum(CELLS * x, CELLS - 1).astype(np.int64) for x in (place, rank))
    return whole + part


def _smoother(score: Wide, weight: Wide) -> Wide:
    """Return (m, m): what a hit at a score adds to the fit at every score."""
    gap = score[:, None] - score
    reach = _reach(np.abs(gap), weight)[:, None]
    near = np.divide(np.abs(gap), reach, out=(gap != 0.0).astype(np.float64), where=reach > 0)
    tricube = (1.0 - np.minimum(near, 1.0) ** 3) ** 3
    mass = tricube * weight
    whole = mass.sum(axis=1, keepdims=True)
    mean = (mass * -gap).sum(axis=1, keepdims=True) / whole  # of the scores, from the place on
    off = -gap - mean
    variance = (mass * off * off).sum(axis=1, keepdims=True) / whole
    sloped = variance > (FLAT * (score[-1] - score[0])) ** 2
    slope = np.divide(-mean * off, variance, out=np.zeros_like(off), where=sloped)
    out: Wide = tricube / whole * (1.0 + slope)
    return out


def _reach(distance: Wide, weight: Wide) -> Wide:
    """Return (m,) the smallest distance within which the window has its weight."""
    order = np.argsort(distance, axis=1)
    filled = np.cumsum(weight[order], axis=1) >= SPAN * weight.sum() * (1.0 - SHORT)
    place = np.take_along_axis(order, filled.argmax(axis=1)[:, None], axis=1)
    out: Wide = np.take_along_axis(distance, place, axis=1)[:, 0]
    return out
