"""Row losses before and after a map, and the paired test of their means, maps' chance included."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.nulls import TIE

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Which rows count, and for how much.

    Attributes
    ----------
    mass : (n,) weights; a row of weight 0 is absent
    example : (n,) number of every row's example: what is drawn independently
    """

    mass: Floats
    example: Ints

    def mean(self, losses: Floats) -> float:
        """Return the weighted mean of the rows that count."""
        kept = self.mass > 0
        return float(np.average(losses[kept], weights=self.mass[kept]))


@dataclass(frozen=True, slots=True)
class Change:
    """A mean difference, after - before, with its interval and two-sided p-value.

    `reason` says why a number is infinite or missing.
    """

    difference: float
    interval_range: tuple[float, float]
    p_value: float
    reason: str | None = None


WIDER = 2**0.5  # how much more a gain spreads than while the maps are held fixed
NOTHING = Change(np.nan, (np.nan, np.nan), np.nan)
INFINITE = "the mean is infinite {}, for there the true class of {:,} of the rows had probability 0"


def paired_change(before: Floats, after: Floats, rows: Rows, *, level: float) -> Change:
    """Return the mean of after - before over the rows, by the paired t-test of the examples.

    With D_e the weighted sum of the differences of an example's rows and W_e of their weights, the
    mean is M = sum D_e / sum W_e and its standard error the ratio estimator's

        s^2 = e / (e - 1) sum (D_e - M W_e)^2 / (sum W_e)^2,

    widened by WIDER and compared with Student's t of e - 1 degrees of freedom, e being Kish's
    effective number where examples weigh unequally (Cochran 1977). Where a class of probability 0
    came true the loss is infinite, and so is the difference, with p = 0: no number of rows would
    make it finite.

    Why wider: s holds the maps fixed, as one may where the losses differ by more than the maps do
    (Bayle et al. 2020). What a slight mending gains is as small as what the maps err by. Rows and
    maps then spread it alike: with s_j what part j says of a parameter, the gain is a sum of
    s_j s_l over pairs of parts, which counts every pair twice, and so has twice the variance that
    either factor has alone while the other is held fixed. Where the gain is large, the interval is
    wider than it need be.

    >>> rows = Rows(np.ones(4), np.arange(4))
    >>> found = paired_change(np.zeros(4), np.array([0.02, 0.05, -0.01, 0.03]), rows, level=0.95)
    >>> round(found.difference, 4), round(found.p_value, 4)
    (0.0225, 0.2928)
    """
    kept = rows.mass > 0
    lost, left = np.isinf(before) & kept, np.isinf(after) & kept
    if lost.any() or left.any():
        return _infinite(int(lost.sum()), int(left.sum()))
    weight = rows.mass[kept]
    number = np.unique(rows.example[kept], return_inverse=True)[1]
    part = np.bincount(number, weight * (after[kept] - before[kept]))
    mass = np.bincount(number, weight)
    total, effective = mass.sum(), mass.sum() ** 2 / np.square(mass).sum()
    mean = float(part.sum() / total)
    if len(part) < 2 or effective <= 1:
        return Change(mean, (np.nan, np.nan), np.nan, "a single example has no spread")
    apart = np.square(part - mean * mass).sum() / total**2
    error = WIDER * float(np.sqrt(apart * effective / (effective - 1)))
    return _of_t(mean, error, float(effective) - 1, level)


def _of_t(mean: float, error: float, free: float, level: float) -> Change:
    from scipy.special import stdtr, stdtrit

    if error <= TIE * (1 + abs(mean)):  # every row changed alike: there is no spread to test by
        same = abs(mean) <= TIE
        return Change(0.0 if same else mean, (mean, mean), 1.0 if same else np.nan)
    half = float(stdtrit(free, (1 + level) / 2)) * error
    p_value = 2 * float(stdtr(free, -abs(mean) / error))
    return Change(mean, (mean - half, mean + half), p_value)


def _infinite(lost: int, left: int) -> Change:
    if lost and left:
        return Change(np.nan, (np.nan, np.nan), np.nan, INFINITE.format("before and after", left))
    end = -np.inf if lost else np.inf
    where = "before" if lost else "after"
    return Change(end, (end, end), 0.0, INFINITE.format(where, lost or left))
