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
    reach : how far from 0 a difference is rejected, where the interval comes from that
    """

    p_value: float
    low: float = np.nan
    high: float = np.nan
    reason: str | None = None
    reach: float = np.nan


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
    Inverted(p_value=0.125, low=1.0, high=6.0, reason=None, reach=nan)
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


def inverted_distance(
    value: float,
    others: Floats,
    *,
    level: float,
    below: float = np.nan,
    above: float = np.nan,
) -> Inverted:
    """Return p-value and interval of a difference whose distance from 0 exchanges give.

    The difference 0 is rejected where the value is as far from it as an exchange must be for
    p <= 1 - level: the reach of models that are alike. Those that are not may have a difference
    `below` or `above` the value by more (NaN: by the reach). A difference theta is kept while the
    value is nearer to it than a width, which grows in theta from the reach at 0 to that other one
    at the reach, so that the interval leaves 0 out if and only if p <= 1 - level. `others` are the
    (r,) differences of the exchanges, the observed one not among them.

    >>> draws = np.array([-0.4, -0.2, -0.1, 0.1])
    >>> inverted_distance(0.5, draws, level=0.6)
    Inverted(p_value=0.2, low=0.3, high=0.7, reason=None, reach=0.2)
    >>> inverted_distance(0.5, draws, level=0.6, below=0.4, above=0.25)
    Inverted(p_value=0.2, low=0.15, high=0.75, reason=None, reach=0.2)
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
    to_0, from_0 = (below, above) if value >= 0 else (above, below)
    inner = _inner_end(abs(value), reach, reach if np.isnan(to_0) else to_0)
    outer = abs(value) + float(np.fmax(reach, from_0))
    low, high = (inner, outer) if value >= 0 else (-outer, -inner)
    return Inverted(p_value, low, high, reach=reach)


def _inner_end(size: float, reach: float, width: float) -> float:
    """Return the end on the side of 0 of the differences that a size is kept for.

    The width is the reach at 0 and grows, or shrinks, evenly to `width` at plus or minus the reach,
    but on the other side of 0 it never shrinks.

    >>> [round(_inner_end(size, 0.2, 0.3), 3) + 0.0 for size in (0.6, 0.3, 0.2, 0.1)]
    [0.3, 0.067, 0.0, -0.2]
    """
    if size > reach:
        end = (size - reach) * reach / width if width > 0 else size
        return end if end < reach else size - width
    width = max(width, reach)
    grown = (reach - size) * reach / (2 * reach - width) if width < 2 * reach else np.inf
    return -grown if grown < reach or size == reach else size - width
