"""Calibration errors without bins: smooth ECE, LOESS (ICI, E50, E90, Emax) and kernel density."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from plumbline.calibration.drawable import Ints, Wide
from plumbline.calibration.profiles import ErrorOfHits, Profile, merge_scores
from plumbline.jit import MANY_ROWS, compiled, read_only

FEWEST, MOST = 1024, 8192  # cells of the grid on [0, 1]
FINE = 8.0  # cells within the smallest width to expect
KEPT = 3.0  # a frequency k above this / width is damped by more than 1e-19
CLOSE = 1e-13  # a width is found when it is its error but for this part
LONG = 1e-7  # a step of this part tells a slope
ZERO = 1e-15  # what rounding leaves of residuals that are 0
STEPS = 100  # more than bisection ever needs
STEEP = (1.0, 8.0)  # how fast log(error / width) can fall with log(width): by the width at least


def smooth_ece(profile: Profile) -> ErrorOfHits:
    """Make the smooth calibration error (smECE) of a profile.

    With r_i = y_i - p_i, and K the Gaussian kernel of standard deviation sigma, reflected at 0 and
    at 1,

        smECE(sigma) = integral over t in [0, 1] of |sum_i w_i r_i K(p_i, t)| dt / sum_i w_i

    falls with sigma; the smooth calibration error is the one width sigma* at which
    smECE(sigma*) = sigma*, so that nothing is left to choose. It is at least |mean of r|, and at
    most the calibration error with one bin per distinct score.

    The masses are split between the two nearest of 1,024 to 8,192 even nodes (eight or more within
    the standard deviation of the mean residual, where the most allow it), and smoothed by cosine
    transforms. Splitting acts as a kernel wider by at most h^2 / 4 in variance, h the distance of
    nodes: the value is off by less than 5e-4 of itself where it is above 20 h.

    Source: Błasiok and Nakkiran (2023), Smooth ECE: principled reliability diagrams via kernel
    smoothing.

    >>> sure = Profile(np.array([0.25, 0.75]), np.array([0.75, 0.25]), np.array([10.0, 10.0]))
    >>> error = smooth_ece(sure)
    >>> error(np.array([[2.5, 5.0], [7.5, 10.0]])).round(6).tolist()  # true shares; each .25 more
    [0.0, 0.25]
    """
    spread = float(np.sqrt(profile.share @ (profile.score * profile.rest) / profile.weight.sum()))
    transformed = _transform(profile, _cells(spread))

    def error(hits: Wide) -> Wide:
        mass, wave = transformed(hits)
        return _fixed_points(wave, mass)

    return error


def _cells(width: float) -> int:
    """Return the cells of the grid, a power of two: enough within the width, or the most."""
    wanted = FINE / width if width > 0 else FEWEST
    return int(2 ** np.ceil(np.log2(np.clip(wanted, FEWEST, MOST))))


def _transform(profile: Profile, cells: int) -> Callable[[Wide], tuple[Wide, Wide]]:
    """Return what turns hits into (cells + 1, draws) residual masses and their cosine sums."""
    from scipy.fft import dct
    from scipy.sparse import csr_array

    at = np.clip(profile.score * cells, 0.0, cells)
    left = np.minimum(at.astype(np.int64), cells - 1)
    right_part = (at - left) / profile.weight.sum()
    left_part = 1.0 / profile.weight.sum() - right_part
    expected = profile.weight * profile.score

    @cache
    def split() -> Any:
        number = np.arange(len(at))
        return csr_array(
            (np.append(left_part, right_part), (np.append(left, left + 1), np.tile(number, 2))),
            shape=(cells + 1, len(at)),
        )

    def transformed(hits: Wide) -> tuple[Wide, Wide]:
        mass: Wide = np.zeros((cells + 1, hits.shape[1]))
        if hits.shape[1] == 1 and len(at) >= MANY_ROWS:  # no matrix for a single product
            residual = hits[:, 0] - expected
            add_split(*read_only(left, left_part, right_part, residual), mass[:, 0])
        else:
            mass = split() @ (hits - expected[:, None])
        half = mass * 0.5
        half[0] *= 2.0
        half[-1] *= 2.0
        wave: Wide = dct(half, type=1, axis=0)
        return mass, wave

    return transformed


@compiled
def add_split(left: Ints, left_part: Wide, right_part: Wide, residual: Wide, mass: Wide) -> None:
    """Split residuals between two nodes each: all left parts first, as a product of matrices."""
    for i in range(len(left)):
        mass[left[i]] += left_part[i] * residual[i]
    for i in range(len(left)):
        mass[left[i] + 1] += right_part[i] * residual[i]


def _size(wave: Wide, width: Wide) -> Wide:
    """Return the integral of the size of the residual smoothed by each draw's own width."""
    from scipy.fft import dct

    cells = len(wave) - 1
    kept = min(cells, int(KEPT / float(width.min())) + 1) + 1
    frequency = np.pi * np.arange(kept)[:, None]
    damped = np.zeros(wave.shape)
    damped[:kept] = wave[:kept] * np.exp(-0.5 * np.square(frequency) * np.square(width))
    smoothed = np.abs(dct(damped, type=1, axis=0, overwrite_x=True))
    return np.asarray((smoothed.sum(axis=0) - 0.5 * (smoothed[0] + smoothed[-1])) / cells)


def _fixed_points(wave: Wide, mass: Wide) -> Wide:
    """Return the width of every draw that equals its error, by secants of logarithms in a bracket.

    log(error / width) falls at least as fast as log(width) grows, and nearly on a line. A draw's
    steps do not depend on the others beside it.
    """
    low, high = np.abs(mass.sum(axis=0)), np.abs(mass).sum(axis=0)
    result = high.copy()
    some = np.flatnonzero(high > np.maximum(low * (1.0 + CLOSE), ZERO))  # else of one sign, or 0
    log_width = np.full(len(result), np.nan)
    log_width[some] = _between(low[some], high[some])
    run, gap, slope = (np.full(len(result), start) for start in (0.0, 0.0, 1.5))
    for _ in range(STEPS):
        if not len(some):
            break
        width = np.exp(log_width[some])
        left = np.log(np.maximum(_size(wave[:, some], width), ZERO)) - log_width[some]
        fall = gap[some] - left
        large_step = np.abs(run[some]) > LONG
        slope[some[large_step]] = np.clip(fall[large_step] / run[some[large_step]], *STEEP)
        gap[some] = left
        low[some] = np.where(left > 0, width, low[some])
        high[some] = np.where(left > 0, high[some], width)
        aim = log_width[some] + left / slope[some]
        inside = (np.exp(aim) > low[some]) & (np.exp(aim) < high[some])
        aim = np.where(inside, aim, _between(low[some], high[some]))
        run[some] = aim - log_width[some]
        result[some], log_width[some] = width, aim
        some = some[np.abs(left) > CLOSE]
    return np.asarray(result)


def _between(low: Wide, high: Wide) -> Wide:
    """Return the logarithm of a width inside the bracket."""
    return np.asarray(0.5 * (np.log(np.maximum(low, 1e-3 * high)) + np.log(high)))


SPAN = 0.75  # share of the weight in a window
LOESS_CELLS = 512  # cells of the range, and of the ranks, beyond which scores are joined
SHORT = 1e-10  # a window this part of its weight too light is full: weights add up with rounding
FLAT = 1e-3  # a window that spreads less than this part of the range bears no slope
ENOUGH = 1e-12  # shares add up with rounding too


def ici(profile: Profile) -> ErrorOfHits:
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


def e50(profile: Profile) -> ErrorOfHits:
    """Make the median over rows of |fit(p_i) - p_i|, the fit being that of `ici`.

    It is the smallest distance that half of the weight does not exceed.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> e50(even)(np.array([[3.0], [5.0], [7.0], [9.0]])).round(6).tolist()
    [0.1]
    """
    return _distance(profile, _quantile(0.5))


def e90(profile: Profile) -> ErrorOfHits:
    """Make the 90 % quantile over rows of |fit(p_i) - p_i|, the fit being that of `ici`.

    It is the smallest distance that nine tenths of the weight do not exceed.

    >>> score = np.array([0.2, 0.4, 0.6, 0.8])
    >>> even = Profile(score, 1 - score, np.full(4, 10.0))
    >>> e90(even)(np.array([[3.0], [5.0], [7.0], [9.0]])).round(6).tolist()
    [0.1]
    """
    return _distance(profile, _quantile(0.9))


def emax(profile: Profile) -> ErrorOfHits:
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


def _distance(profile: Profile, summary: Callable[[Wide, Wide], Wide]) -> ErrorOfHits:
    """Return an error that sums up (m, draws) distances of the fit, given the (m,) shares."""
    joined = merge_scores(profile, _loess_key(profile))
    few = joined.profile
    smoother, share, score = _loess_smoother(few.score, few.weight), few.share, few.score[:, None]

    def error(hits: Wide) -> Wide:
        fit = np.clip(smoother @ joined.hits(hits), 0.0, 1.0)
        return summary(np.abs(fit - score), share)

    return error


def _loess_key(profile: Profile) -> Ints:
    """Return (g,) numbers of cells, rising with the score: by place in the range, and by rank."""
    score, g = profile.score, len(profile.score)
    if g <= 2 * LOESS_CELLS:
        return np.arange(g)
    along = (score - score[0]) / (score[-1] - score[0])
    rank = np.cumsum(profile.share) - 0.5 * profile.share
    whole, part = (
        np.minimum(LOESS_CELLS * x, LOESS_CELLS - 1).astype(np.int64) for x in (along, rank)
    )
    return whole + part


def _loess_smoother(score: Wide, weight: Wide) -> Wide:
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


BANDWIDTHS = np.geomspace(1e-4, 1.0, 17)  # four a decade; a convention
DENSITY_CELLS = 1024  # on the scale where every kernel is about equally wide
FLOOR = 1e-6  # far below the smallest bandwidth, where every kernel has become flat


def kde_ece(profile: Profile) -> ErrorOfHits:
    """Make the kernel density calibration error (KDE-ECE) of a profile.

    The event's share at a score p is estimated by a ratio of densities, with a Beta kernel of
    bandwidth b around every other row,

        share(p) = sum_j w_j y_j K(p, p_j) / sum_j w_j K(p, p_j),
        K(p, q) = density at p of Beta(q / b + 1, (1 - q) / b + 1),

    and the error is the mean over rows of |share(p_i) - p_i|. Row i itself is left out of both
    sums (leave-one-out), its equals are not. A row weighs 1, or as little as the lightest score;
    one without any other is its own neighbour. Kernels are looked at no nearer than 1e-6 to 0 and
    1.

    The bandwidth is the one of 17 from 1e-4 to 1, four a decade, under which the scores are most
    likely, each by the kernels around the others (leave-one-out likelihood), so it depends on the
    scores alone. Scores in the same of 1,024 equal cells of arcsin(sqrt(p)), the scale on which
    every kernel has the standard deviation sqrt(b) / 2 (3 cells at least), count as one, their
    mean, which moves the error by a few 1e-3 on tens of rows, by less than 1e-3 on hundreds.

    Leaving a row out removes its pull towards its own outcome; what is left is the smoother's bias
    and noise, so the error is above 0 where the probabilities are calibrated.

    Source: Popordanoska, Sayer and Blaschko (2022), A consistent and differentiable Lp canonical
    calibration error estimator; the kernel is Chen's (1999), Beta kernel estimators for density
    functions.

    >>> two = Profile(np.array([0.25, 0.75]), np.array([0.75, 0.25]), np.array([10.0, 10.0]))
    >>> kde_ece(two)(np.array([[2.5, 5.0], [7.5, 10.0]])).round(6).tolist()
    [0.041667, 0.25]
    """
    own = min(1.0, float(profile.weight.min()))
    cell = np.arcsin(np.sqrt(np.clip(profile.score, 0.0, 1.0))) * (2.0 * DENSITY_CELLS / np.pi)
    joined = merge_scores(profile, cell.astype(np.int64))
    few = joined.profile
    smoother, pull = _density_smoother(few, own)
    weight, score = few.weight[:, None], few.score[:, None]

    def error(hits: Wide) -> Wide:
        events = joined.hits(hits)
        mean = events / weight
        share = smoother @ events - score  # with one row left out, of mean outcome
        hit = np.abs(share - pull[:, None] * (1.0 - mean))
        miss = np.abs(share + pull[:, None] * mean)
        out: Wide = (events * hit + (weight - events) * miss).sum(axis=0) / few.weight.sum()
        return out

    return error


def beta_bandwidth(profile: Profile, own: float) -> float:
    """Return the bandwidth under which scores are most likely, each by those left without it."""
    tilt, scale = _tilt(profile), profile.weight.sum() - own
    if scale <= 0:
        return float(BANDWIDTHS[0])
    likely = [profile.weight @ _log_density(profile, tilt, b, own) for b in BANDWIDTHS]
    return float(BANDWIDTHS[int(np.argmax(likely))])


def _density_smoother(profile: Profile, own: float) -> tuple[Wide, Wide]:
    """Return (m, m) what a hit at a score adds to the share at every score, and (m,) a row's pull.

    The pull is what a row would add to the share at its own score if it were a hit.
    """
    if profile.weight.sum() <= own:
        return np.ones((1, 1)) / profile.weight, np.zeros(1)
    kernel, _ = _beta_kernel(profile, _tilt(profile), beta_bandwidth(profile, own), own)
    whole = kernel @ profile.weight
    left = profile.weight - own
    pull = np.zeros(len(left))  # a row alone with its score has been left out as it is
    some = left > 1e-12 * profile.weight
    pull[some] = own * profile.weight[some] / left[some] * np.diagonal(kernel)[some] / whole[some]
    return kernel / whole[:, None], pull


def _log_density(profile: Profile, tilt: Wide, b: float, own: float) -> Wide:
    """Return log of sum_j w_j K(p, p_j) without a row's own part, but for a constant."""
    kernel, most = _beta_kernel(profile, tilt, b, own)
    out: Wide = np.log(kernel @ profile.weight) + most
    return out


def _beta_kernel(profile: Profile, tilt: Wide, b: float, own: float) -> tuple[Wide, Wide]:
    """Return (m, m) kernels, a row's own part taken off, and the logarithm of each row's unit."""
    from scipy.special import betaln

    kernel = tilt / b - betaln(profile.score / b + 1.0, profile.rest / b + 1.0)
    left = 1.0 - own / profile.weight
    left[left < 1e-12] = 0.0
    places: Ints = np.arange(len(left))
    with np.errstate(divide="ignore"):  # a row alone with its score leaves nothing there
        kernel[places, places] += np.log(left)
    most = kernel.max(axis=1)
    kernel -= most[:, None]
    return np.exp(kernel, out=kernel), most


def _tilt(profile: Profile) -> Wide:
    """Return (m, m) q log p + (1 - q) log(1 - p), p down and q across."""
    up, down = (np.log(np.maximum(part, FLOOR)) for part in (profile.score, profile.rest))
    out: Wide = np.outer(up, profile.score) + np.outer(down, profile.rest)
    return out
