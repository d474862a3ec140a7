"""Bounds of a tail probability by listing the sums that matter; equal sums are one."""

from dataclasses import dataclass, replace

import numpy as np

from plumbline.calibration import Wide
from plumbline.nulls.sums import IndependentSum

AT_ONCE = 20  # times as many sums as are kept may be looked at in one step
SAME = 2e-15  # sums closer than this, times the largest, are one: they differ by rounding


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Distinct partial sums with their probabilities.

    Attributes
    ----------
    value, prob : the sums in increasing order
    left_out : probability of the sums that were not worth listing
    drift : how far a listed value may be from a sum it stands for
    """

    value: Wide
    prob: Wide
    left_out: float
    drift: float

    def plus(self, value: Wide, prob: Wide, scale: float) -> "Listing":
        """Return the sums with one more variable."""
        sums = (value[:, None] + self.value).ravel()
        mass = (prob[:, None] * self.prob).ravel()
        order = np.argsort(sums, kind="stable")  # quick on rows that are sorted already
        sums, mass = sums[order], mass[order]
        first = np.flatnonzero(np.diff(sums, prepend=-np.inf) > SAME * scale)
        last = np.append(first[1:], len(sums)) - 1
        width = float((sums[last] - sums[first]).max())
        rounding = 0.25 * SAME * scale
        return Listing(
            sums[first],
            np.add.reduceat(mass, first),
            self.left_out,
            self.drift + width + rounding,
        )

    def without_unlikely(self, mass: float) -> "Listing":
        """Leave out the least likely sums, `mass` of them at most."""
        small = self.prob < mass / len(self.prob)
        if not small.any():
            return self
        out = self.left_out + float(self.prob[small].sum())
        return Listing(self.value[~small], self.prob[~small], out, self.drift)


START = Listing(np.zeros(1), np.ones(1), 0.0, 0.0)


def listed(
    total: IndependentSum, prob: Wide, *, left_out: float, most: int, work: int
) -> Listing | None:
    """Return the whole distribution, or None where it takes more than `most` distinct sums."""
    found = START
    for j in range(total.size):
        own = slice(total.start[j], total.start[j + 1])
        step = len(found.value) * len(total.value[own])
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        found = found.plus(total.value[own], prob[own], total.magnitude)
        found = found.without_unlikely(left_out / total.size)
        if len(found.value) > most:
            return None
    value = found.value + total.constant
    return Listing(value, found.prob, found.left_out, found.drift)


def tail_listed(
    total: IndependentSum, target: float, theta: float, *, left_out: float, most: int, work: int
) -> tuple[float, float] | None:
    """Return bounds of E exp(-theta (T - target)) 1{T >= target} under the tilt theta.

    Branch and bound: a partial sum from which the target is reached in any case, or in none, is
    settled at once. None where more than `most` sums are undecided at a time.
    """
    prob, log_mean = total.tilted(theta)
    ahead = np.append(np.cumsum(log_mean[::-1])[::-1], 0.0)
    lowest = np.append(np.cumsum(total.low[::-1])[::-1], 0.0)
    highest = np.append(np.cumsum(total.high[::-1])[::-1], 0.0)
    goal = target - total.constant
    found, settled = START, 0.0
    for j in range(total.size):
        own = np.arange(total.start[j], total.start[j + 1])
        rare = prob[own] < left_out / (2 * len(prob))
        found = replace(found, left_out=found.left_out + float(prob[own[rare]].sum()))
        own = own[~rare]
        step = len(found.value) * len(own)
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        found = found.plus(total.value[own], prob[own], total.magnitude)
        reached = found.value + lowest[j + 1] >= goal + found.drift
        missed = found.value + highest[j + 1] < goal - found.drift
        gap = theta * (found.value[reached] - goal) + ahead[j + 1]
        settled += float(found.prob[reached] @ np.exp(-gap))
        open_ = ~(reached | missed)
        found = Listing(found.value[open_], found.prob[open_], found.left_out, found.drift)
        if not open_.any():
            break
        found = found.without_unlikely(left_out / (2 * total.size))
        if len(found.value) > most:
            return None
    doubtful = float(found.prob @ np.exp(-theta * np.maximum(found.value - goal, 0.0)))
    return settled, settled + (doubtful if j == total.size - 1 else 0.0) + found.left_out
