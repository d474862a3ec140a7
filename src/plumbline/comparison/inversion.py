"""Intervals that invert a test of exchanges: what differences it does not reject.

The interval of level 1 - a leaves 0 out if and only if the test's p-value is at most a, ties
included, because both count the same exchanges.
"""

from dataclasses import dataclass

import numpy as np

from plumbline.comparison.quantity import Floats
from plumbline.nulls import TIE

UNBOUNDED = "{:,} exchanges are too few for an interval of this level"
NO_WIDTH = "the difference is the same in every example, so its variance is unknown"


@dataclass(frozen=True, slots=True)
class Inverted:
    """A p-value of the difference 0, and the differences that the same exchanges do not reject.

    Attributes
    ----------
    p_value : two-sided
    low, high : ends of the interval, NaN where there is none
    reason : why there is no interval
    """

    p_value: float
    low: float = np.nan
    high: float = np.nan
    reason: str | None = None


def rejected_counts(level: float, exchanges: int) -> int:
    """Return how many exchanges, the observed one among them, may count where p <= 1 - level.

    >>> rejected_counts(0.95, 1000), rejected_counts(0.95, 16)
    (50, 0)
    """
    return int((1 - level + TIE) * exchanges)


def inverted_shift(value: float, part: Floats, mass: Floats, *, level: float) -> Inverted:
    """Return p-value and interval of a sum whose terms change their signs.

    The difference D is a sum of x_i, of which theta would add theta m_i (the m_i sum to 1). An
    exchange with the signs s_i gives sum s_i (x_i - theta m_i), and theta is kept while more than a
    share 1 - `level` of all exchanges are as far from 0 as D - theta. With F and U the sums of the
    terms whose sign is turned and of the others, an exchange is as far if and only if theta lies
    between the means F / m_F and U / m_U, which have D between them. So each end is an order
    statistic of these means.

    `part` and `mass` are the (r,) sums of s_i x_i and of s_i m_i, that of the observed signs
    among them.

    >>> x, signs = (
    ...     np.array([1.0, 2.0, 3.0, 6.0]),
    ...     np.array(np.meshgrid(*[[1, -1]] * 4)).reshape(4, 16),
    ... )
    >>> inverted_shift(3.0, x / 4 @ signs, signs.sum(axis=0) / 4, level=0.8)
    Inverted(p_value=0.125, low=1.0, high=6.0, reason=None)
    """
    room = TIE * (1 + abs(value)) / 2
    ends = []
    for own, own_mass in ((value - part, 1 - mass), (value + part, 1 + mass)):
        sums = np.where(np.abs(own / 2) <= room, 0.0, own / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends.append(np.where(own_mass / 2 > TIE, sums / (own_mass / 2), np.nan))
    whole = np.isnan(ends[0]) | np.isnan(ends[1])
    low = np.where(whole, -np.inf, np.fmin(*ends))
    high = np.where(whole, np.inf, np.fmax(*ends))
    p_value = float(((low <= 0) & (high >= 0)).mean())
    rejected = rejected_counts(level, len(part))
    first = float(np.partition(low, rejected)[rejected])
    last = -float(np.partition(-high, rejected)[rejected])
    if not np.isfinite(first) or not np.isfinite(last):
        return Inverted(p_value, reason=UNBOUNDED.format(len(part)))
    if last - first <= TIE * (1 + abs(value)):
        return Inverted(p_value, reason=NO_WIDTH)
    return Inverted(p_value, first, last)


def inverted_distance(value: float, others: Floats, *, level: float) -> Inverted:
    """Return p-value and interval of a difference whose distance from 0 exchanges give.

    The interval reaches from the difference as far as an exchange must for p <= 1 - level: theta is
    kept while more than that share of all exchanges are as far from 0 as the difference is from
    theta. `others` are the (r,) differences of the exchanges, the observed one not among them.

    >>> inverted_distance(0.3, np.array([-0.4, -0.2, -0.1, 0.1]), level=0.6)
    Inverted(p_value=0.4, low=0.09999999999999998, high=0.5, reason=None)
    """
    room = TIE * (1 + abs(value))
    far = np.sort(np.abs(others))[::-1]
    p_value = float((1 + (far >= abs(value) - room).sum()) / (1 + len(far)))
    rejected = rejected_counts(level, 1 + len(far))
    if rejected == 0:
        return Inverted(p_value, reason=UNBOUNDED.format(1 + len(far)))
    reach = float(far[rejected - 1])
    if reach <= room:
        return Inverted(p_value, reason=NO_WIDTH)
    if abs(reach - abs(value)) <= room:
        reach = abs(value)
    return Inverted(p_value, value - reach, value + reach)
