"""Bounds of a tail probability by listing the sums that matter; equal sums are one."""

from dataclasses import dataclass, replace

import numpy as np

from plumbline.calibration import Wide
from plumbline.nulls.sums import IndependentSum

AT_ONCE = 20  # times as many sums as are kept may be looked at in one step
SAME = 2e-15  # sums closer than this, relatively, are one: they differ by rounding
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Distinct partial sums with their probabilities.

    Attributes
    ----------
    value, prob : the sums in increasing order
    left_out : probability of the sums that were not worth listing
    """

    value: Wide
    prob: Wide
    left_out: float

    def without_unlikely(self, mass: float) -> "Listing":
        """Leave out the least likely sums, `mass` of them at most."""
        small = self.prob < mass / max(len(self.prob), 1)
        if not small.any():
            return self
        out = self.left_out + float(self.prob[small].sum())
        return Listing(self.value[~small], self.prob[~small], out)


def listed(
    total: IndependentSum, prob: Wide, *, left_out: float, most: int, work: int
) -> Listing | None:
    """Return the whole distribution, or None where it takes more than `most` distinct sums."""
    found = Listing(np.zeros(1), np.ones(1), 0.0)
    for j in range(total.size):
        own = slice(total.start[j], total.start[j + 1])
        step = len(found.value) * len(total.value[own])
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        value = (total.value[own][:, None] + found.value).ravel()
        mass = (prob[own][:, None] * found.prob).ravel()
        value, mass, _ = merged(value, mass, SAME * np.abs(value).max())
        found = Listing(value, mass, found.left_out).without_unlikely(left_out / total.size)
        if len(found.value) > most:
            return None
    return replace(found, value=found.value + total.constant)


def merged(value: Wide, prob: Wide, same: float) -> tuple[Wide, Wide, float]:
    """Return sums in increasing order, those as near as `same` as one, and the most one moved."""
    if len(value) == 0:
        return value, prob, 0.0
    order = np.argsort(value, kind="stable")  # quick on rows that are sorted already
    value, prob = value[order], prob[order]
    first = np.flatnonzero(np.diff(value, prepend=-np.inf) > same)
    last = np.append(first[1:], len(value)) - 1
    moved = float((value[last] - value[first]).max())
    return value[first], np.add.reduceat(prob, first), moved


class Ahead:
    """What the variables from the j-th on add to a partial sum, for every j up to their number.

    Attributes
    ----------
    low, high : (J + 1,) the least and the most they add, rounded outward
    log_mean : (J + 1,) logarithm of E exp(theta X) of their sum
    """

    def __init__(self, total: IndependentSum, log_mean: Wide) -> None:
        terms = np.arange(total.size, -1, -1) * EPS
        self.low = after(total.low) - terms * after(np.abs(total.low))
        self.high = after(total.high) + terms * after(np.abs(total.high))
        self.log_mean = after(log_mean)


def after(value: Wide) -> Wide:
    """Return (J + 1,) sums of the values from the j-th on, the last of them 0."""
    return np.append(np.cumsum(value[::-1])[::-1], 0.0)


def tail_listed(
    total: IndependentSum, target: float, theta: float, *, left_out: float, most: int, work: int
) -> tuple[float, float] | None:
    """Return bounds of E exp(-theta (T - target)) 1{T >= target} under the tilt theta.

    Branch and bound: a partial sum from which the target is reached in any case, or in none, is
    settled at once, so that only sums of the target's own size are ever merged, and rounding is
    relative to it. None where more than `most` sums are undecided at a time.
    """
    prob, log_mean = total.tilted(theta)
    ahead = Ahead(total, log_mean)
    goal = target - total.constant
    value, mass = np.zeros(1), np.ones(1)
    low, high, lost, drift = 0.0, 0.0, 0.0, EPS * (abs(target) + abs(total.constant))
    for j in range(total.size):
        own = np.arange(total.start[j], total.start[j + 1])
        rare = prob[own] < left_out / (2 * len(prob))
        lost += float(prob[own[rare]].sum())
        own = own[~rare]
        step = len(value) * len(own)
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        value = (total.value[own][:, None] + value).ravel()
        mass = (prob[own][:, None] * mass).ravel()
        doubt = drift + EPS * np.abs(value)  # the last addition's rounding
        reached = value + ahead.low[j + 1] >= goal + doubt
        gap = theta * (value[reached] - goal) + ahead.log_mean[j + 1]
        factor = np.exp(-gap)
        low += float(mass[reached] @ (factor * np.exp(-theta * doubt[reached])))
        high += float(mass[reached] @ (factor * np.exp(theta * doubt[reached])))
        open_ = ~reached & (value + ahead.high[j + 1] >= goal - doubt)
        if not open_.any():
            return low, high + lost
        scale = float(np.abs(value[open_]).max())
        value, mass, moved = merged(value[open_], mass[open_], SAME * max(scale, abs(goal)))
        drift += moved + EPS * scale
        kept = Listing(value, mass, lost).without_unlikely(left_out / (2 * total.size))
        value, mass, lost = kept.value, kept.prob, kept.left_out
        if len(value) > most:
            return None
    return low, high + float(mass.sum()) + lost
