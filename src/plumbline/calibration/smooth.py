"""The smooth calibration error: residuals smoothed along the score before their sizes are added."""

from collections.abc import Callable

import numpy as np

from plumbline import _checks
from plumbline.calibration.drawable import Wide
from plumbline.calibration.profiles import Error, Profile, Rule

FEWEST, MOST = 1024, 8192  # cells of the grid on [0, 1]
FINE = 8.0  # cells within the smallest width to expect
FINER = 16.0  # cells within a width that is told
KEPT = 3.0  # a frequency k above this / width is damped by more than 1e-19
CLOSE = 1e-13  # a width is found when it is its error but for this part
LONG = 1e-7  # a step of this part tells a slope
ZERO = 1e-15  # what rounding leaves of residuals that are 0
STEPS = 100  # more than bisection ever needs
STEEP = (1.0, 8.0)  # how fast log(error / width) can fall with log(width): by the width at least


def smooth_ece(profile: Profile) -> Error:
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
    transformed = _transform(profile, _cells(FINE, spread))

    def error(hits: Wide) -> Wide:
        mass, wave = transformed(hits)
        return _fixed_points(wave, mass)

    return error


def smooth_ece_at(sigma: float) -> Rule:
    """Return the smooth calibration error at one width of the kernel instead of its own.

    Parameters
    ----------
    sigma : standard deviation of the kernel, in units of the score, above 0 and at most 1

    Raises ParameterError for another sigma.

    >>> sure = Profile(np.array([0.5]), np.array([0.5]), np.array([10.0]))
    >>> smooth_ece_at(0.1)(sure)(np.array([[5.0, 8.0]])).round(6).tolist()
    [0.0, 0.3]
    """
    width = _checks.share("sigma", sigma)

    def rule(profile: Profile) -> Error:
        transformed = _transform(profile, _cells(FINER, width))

        def error(hits: Wide) -> Wide:
            _, wave = transformed(hits)
            return _size(wave, np.full(hits.shape[1], width))

        return error

    return rule


def _cells(number: float, width: float) -> int:
    """Return the cells of the grid, a power of two: `number` within the width, or the most."""
    wanted = number / width if width > 0 else FEWEST
    return int(2 ** np.ceil(np.log2(np.clip(wanted, FEWEST, MOST))))


def _transform(profile: Profile, cells: int) -> Callable[[Wide], tuple[Wide, Wide]]:
    """Return what turns hits into (cells + 1, draws) residual masses and their cosine sums."""
    from scipy.fft import dct
    from scipy.sparse import csr_array

    place = np.clip(profile.score * cells, 0.0, cells)
    left = np.minimum(place.astype(np.int64), cells - 1)
    right_part = (place - left) / profile.weight.sum()
    left_part = 1.0 / profile.weight.sum() - right_part
    number = np.arange(len(place))
    split = csr_array(
        (np.append(left_part, right_part), (np.append(left, left + 1), np.tile(number, 2))),
        shape=(cells + 1, len(place)),
    )
    expected = profile.weight * profile.score

    def transformed(hits: Wide) -> tuple[Wide, Wide]:
        mass: Wide = split @ (hits - expected[:, None])
        half = mass * 0.5
        half[0] *= 2.0
        half[-1] *= 2.0
        wave: Wide = dct(half, type=1, axis=0)
        return mass, wave

    return transformed


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
    found = high.copy()
    some = np.flatnonzero(high > np.maximum(low * (1.0 + CLOSE), ZERO))  # else of one sign, or 0
    place = np.full(len(found), np.nan)
    place[some] = _between(low[some], high[some])
    run, gap, slope = (np.full(len(found), start) for start in (0.0, 0.0, 1.5))
    for _ in range(STEPS):
        if not len(some):
            break
        width = np.exp(place[some])
        left = np.log(np.maximum(_size(wave[:, some], width), ZERO)) - place[some]
        fall = gap[some] - left
        told = np.abs(run[some]) > LONG
        slope[some[told]] = np.clip(fall[told] / run[some[told]], *STEEP)
        gap[some] = left
        low[some] = np.where(left > 0, width, low[some])
        high[some] = np.where(left > 0, high[some], width)
        aim = place[some] + left / slope[some]
        inside = (np.exp(aim) > low[some]) & (np.exp(aim) < high[some])
        aim = np.where(inside, aim, _between(low[some], high[some]))
        run[some] = aim - place[some]
        found[some], place[some] = width, aim
        some = some[np.abs(left) > CLOSE]
    return np.asarray(found)


def _between(low: Wide, high: Wide) -> Wide:
    """Return the logarithm of a width inside the bracket."""
    return np.asarray(0.5 * (np.log(np.maximum(low, 1e-3 * high)) + np.log(high)))
