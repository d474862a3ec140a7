"""A sum of independent discrete variables: its cumulants, its tilts, and how far it reaches."""

from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide
from plumbline.jit import compiled

STEEPEST = 1e6  # largest tilt, times the range of T: beyond it rounding would be felt
ROUNDED = 4e-15  # values as near as this, relatively, differ by rounding alone
STEPS = 80  # of a search; each halves the interval at the worst


@dataclass(frozen=True, slots=True, eq=False)
class IndependentSum:
    """T = constant + X_1 + ... + X_J for independent discrete X_j, the widest first.

    Attributes
    ----------
    value, log_prob : (atoms,) of all variables, one variable after the other
    start : (J + 1,) where each variable's atoms start
    low, high : (J,) smallest and largest value of each variable
    constant : what is added in any case
    log_finite : logarithm of the probability that T is finite; the rest is conditional on that
    error : bound on the relative error of any product of probabilities
    unlisted : bound on the probability of all atoms that are not listed
    """

    value: Wide
    log_prob: Wide
    start: NDArray[np.int64]
    low: Wide
    high: Wide
    constant: float
    log_finite: float
    error: float
    unlisted: float

    @property
    def size(self) -> int:
        """Number of variables."""
        return len(self.start) - 1

    @property
    def least(self) -> float:
        """The smallest sum there is."""
        return self.constant + float(self.low.sum())

    @property
    def most(self) -> float:
        """The largest sum there is."""
        return self.constant + float(self.high.sum())

    @property
    def owner(self) -> NDArray[np.int64]:
        """(atoms,) which variable an atom belongs to."""
        return np.repeat(np.arange(self.size), np.diff(self.start))

    @property
    def magnitude(self) -> float:
        """Largest absolute value of any partial sum, to which rounding errors are relative."""
        widest = np.maximum(np.abs(self.low), np.abs(self.high)).sum()
        return float(widest) + abs(self.constant)

    def mirrored(self) -> "IndependentSum":
        """Return the distribution of -T, whose upper tail is this one's lower tail."""
        low, high = -self.high, -self.low
        return replace(self, value=-self.value, low=low, high=high, constant=-self.constant)

    def cumulants(self, theta: float) -> tuple[float, float, float, float]:
        """Return K, K', K'' and K''' at theta, where K(theta) = log E exp(theta T)."""
        out = np.zeros(4)
        add_cumulants(self.value, self.log_prob, self.start, theta, out)
        return (
            float(out[0]) + theta * self.constant,
            float(out[1]) + self.constant,
            float(out[2]),
            float(out[3]),
        )

    def tilted(self, theta: float) -> tuple[Wide, Wide]:
        """Return (atoms,) tilted probabilities, and (J,) logarithms of each E exp(theta X)."""
        prob, log_mean = np.empty(len(self.value)), np.empty(self.size)
        tilt_atoms(self.value, self.log_prob, self.start, theta, prob, log_mean)
        return prob, log_mean

    def tilt_to(self, target: float, *, within: float = 1e-3) -> float:
        """Return the theta >= 0 under which the mean is `target`, STEEPEST at the far end.

        `within` is how many standard deviations it may be off. Any theta gives true bounds, a good
        one gives tight ones; an approximation will do there.
        """
        _, mean, variance, _ = self.cumulants(0.0)
        if target <= mean or variance <= 0:
            return 0.0
        low, high = 0.0, (target - mean) / variance
        largest = STEEPEST / (self.most - self.least)
        while high < largest and self.cumulants(high)[1] < target:
            low, high = high, 2.0 * high
        theta = min(high, largest)
        for _ in range(STEPS):
            _, mean, variance, _ = self.cumulants(theta)
            if abs(mean - target) <= within * np.sqrt(variance) or high - low <= 1e-15 * high:
                break
            low, high = (theta, high) if mean < target else (low, theta)
            step = theta + (target - mean) / variance if variance > 0 else high
            theta = step if low < step < high else (low + high) / 2
        return theta

    def reach(self, theta: float, log_mass: float) -> tuple[float, float]:
        """Return (u, P) with P(T >= u) <= P under the tilt, where log P is about `log_mass`.

        Chernoff's bound: P(T >= u) <= exp(K(theta + s) - K(theta) - s u) for every s >= 0.
        """
        level, _, variance, _ = self.cumulants(theta)
        low, high = 0.0, np.inf
        s = float(np.sqrt(-2.0 * log_mass / variance))
        for _ in range(STEPS):
            total, mean, _, _ = self.cumulants(theta + s)
            found = total - level - s * mean
            if log_mass - 2.0 <= found <= log_mass:
                return mean, float(np.exp(found))
            if found > log_mass and (self.most - mean) <= 1e-9 * np.sqrt(variance):
                break
            low, high = (low, s) if found < log_mass else (s, high)
            s = 2.0 * s if np.isinf(high) else (low + high) / 2
        return self.most + 1e-9 * np.sqrt(variance), 0.0


def sum_of(
    value: Wide,
    log_prob: Wide,
    count: NDArray[np.int64],
    *,
    log_finite: float,
    error: float,
    unlisted: float,
    constant: float = 0.0,
) -> IndependentSum:
    """Put variables of `count` atoms each together; those of one value go to the constant."""
    start = np.cumsum(count) - count
    low = np.minimum.reduceat(value, start) if len(count) else np.empty(0)
    high = np.maximum.reduceat(value, start) if len(count) else np.empty(0)
    fixed = high - low <= ROUNDED * np.maximum(np.abs(low), np.abs(high))
    order = np.argsort(low - high, kind="stable")
    order = order[~fixed[order]]
    kept = count[order]
    ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
    atom = np.arange(ends[-1]) + np.repeat(start[order] - ends[:-1], kept)
    return IndependentSum(
        value[atom],
        log_prob[atom],
        ends,
        low[order],
        high[order],
        constant + fsum(low[fixed].tolist()),
        log_finite,
        error,
        unlisted,
    )


@compiled
def add_cumulants(
    value: Wide, log_prob: Wide, start: NDArray[np.int64], theta: float, out: Wide
) -> None:
    """Add the first cumulants of every variable, tilted by theta."""
    for j in range(len(start) - 1):
        first, stop = start[j], start[j + 1]
        top = -np.inf
        for a in range(first, stop):
            top = max(top, log_prob[a] + theta * value[a])
        total, mean = 0.0, 0.0
        for a in range(first, stop):
            w = np.exp(log_prob[a] + theta * value[a] - top)
            total += w
            mean += w * value[a]
        mean /= total
        second, third = 0.0, 0.0
        for a in range(first, stop):
            w = np.exp(log_prob[a] + theta * value[a] - top)
            gap = value[a] - mean
            second += w * gap * gap
            third += w * gap * gap * gap
        out[0] += top + np.log(total)
        out[1] += mean
        out[2] += second / total
        out[3] += third / total


@compiled
def tilt_atoms(
    value: Wide,
    log_prob: Wide,
    start: NDArray[np.int64],
    theta: float,
    prob: Wide,
    log_mean: Wide,
) -> None:
    """Fill the tilted probabilities of the atoms and log E exp(theta X) of the variables."""
    for j in range(len(start) - 1):
        first, stop = start[j], start[j + 1]
        top = -np.inf
        for a in range(first, stop):
            top = max(top, log_prob[a] + theta * value[a])
        total = 0.0
        for a in range(first, stop):
            prob[a] = np.exp(log_prob[a] + theta * value[a] - top)
            total += prob[a]
        for a in range(first, stop):
            prob[a] /= total
        log_mean[j] = top + np.log(total)
