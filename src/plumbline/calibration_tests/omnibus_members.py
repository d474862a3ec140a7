"""The parts of the families of the omnibus: members, just detectable amounts, bins."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Ints, Wide

SHOWN = 4.0  # expected log likelihood ratio at the amount of a family of one parameter
BINS = 32  # of equal information, sum of p (1 - p)
# Lengths, in bins, of a range of scores that is off, and the steps from one range to the next.
RUNS = ((2, 1), (4, 1), (6, 1), (8, 2), (12, 3), (16, 4))
WAVES = 8  # half periods of a wave over the bins, at most
# Waves of the frequencies from .. to, whose amplitude has a variance of so many of its errors'.
MIXES = ((0, 1, 4.0), (0, 2, 4.0), (1, 4, 3.0), (1, 8, 2.0))
SPREAD = 9.0  # variance of the amount of a member whose amount is not fixed, in its errors'
DIGITS = 40  # binary ones of a score that count
CLOSE, TRIES = 1e-4, 60  # how closely, relative to `SHOWN`, an amount is found
UNSURE = 0.25  # added to a variance, so that sums of almost none say little
TINY = 1e-300  # in the place of 0, where a logarithm is taken


@dataclass(frozen=True, slots=True, eq=False)
class FamilyMembers:
    """Members whose log likelihood ratio is linear in a sum over rows: L = slope S - constant.

    Attributes
    ----------
    slope, constant : (members, sums)
    share : (sums,) logarithms of the members' weights, the same for all members of a sum
    """

    slope: Wide
    constant: Wide
    share: Wide

    def terms(self, sums: Wide) -> Wide:
        """Return (members, sums, draws) log likelihood ratios plus log weights."""
        offset = self.share - self.constant
        return np.asarray(self.slope[..., None] * sums + offset[..., None])

    @classmethod
    def tilted(cls, tilt: Wide, cost: tuple[Wide, Wide], weight: Wide) -> "FamilyMembers":
        """Return two members a sum, exp(tilt S - cost) and exp(-tilt S - cost), by weight."""
        share = np.log(np.maximum(weight, TINY)) - np.log(2.0 * max(float(weight.sum()), TINY))
        return cls(np.stack([tilt, -tilt]), np.stack(cost), share)


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """Members of sums O - E that are off by an unknown amount, too large or too small.

    The amount is normal, `SPREAD` times as variable as the sum is at random, so that the likelihood
    ratio is a function of the squared standardised sum.

    Attributes
    ----------
    variance : (sums,) variances of the sums under the predictions
    share : (sums,) logarithms of the members' weights
    """

    variance: Wide
    share: Wide

    @classmethod
    def of(cls, variance: Wide, weight: Wide) -> "Gaps":
        """Return the members of these sums, by weight."""
        return cls(variance, log_shares(weight))

    def terms(self, sums: Wide) -> Wide:
        """Return (sums, draws) log likelihood ratios plus log weights."""
        result = np.square(sums)
        result *= (SPREAD / (2 * (1 + SPREAD)) / (self.variance + UNSURE))[:, None]
        result += (self.share - np.log1p(SPREAD) / 2)[:, None]
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Members of counts that are off by an unknown amount, as `Gaps` are of other sums.

    The squared standardised sum is the deviance of a binomial number of this mean and variance: a
    class that is observed too rarely counts more than one observed as much too often.

    Attributes
    ----------
    expected, variance : (counts,) means and variances under the predictions
    share : (counts,) logarithms of the members' weights
    """

    expected: Wide
    variance: Wide
    share: Wide

    def terms(self, sums: Wide) -> Wide:
        """Return (counts, draws) log likelihood ratios plus log weights, given O - E."""
        hits = np.maximum(self.expected, TINY)[:, None]
        trials = hits / np.clip(1 - self.variance[:, None] / hits, 1e-9, 1)
        deviance = 2 * (_excess(hits, sums) + _excess(np.maximum(trials - hits, TINY), -sums))
        return np.asarray(log_factor(deviance, SPREAD) + self.share[:, None])


def _excess(expected: Wide, gap: Wide) -> Wide:
    """Return O ln(O / E) - (O - E), 0 where O is E, by O - E; O below 0 counts as 0."""
    result = np.maximum(expected + gap, TINY)
    return np.asarray(result * np.log(result / expected) - gap)


def log_mean(terms: Wide) -> Wide:
    """Return (draws,) logarithms of the sum of exp over all but the last axis; 0 of no terms."""
    flat = terms.reshape(-1, terms.shape[-1])
    if not len(flat):
        return np.zeros(terms.shape[-1])
    top = flat.max(axis=0)
    gap = flat - top
    return np.asarray(top + np.log(np.exp(gap, out=gap).sum(axis=0)))


def amounts(divergence: Callable[[Wide], Wide], most: float, count: int = 1) -> Wide:
    """Return (count,) amounts up to `most` at which the divergences are `SHOWN`.

    By secants of the logarithms, within a bracket: a divergence grows about as the square.
    """
    if count == 1:
        with suppress(ArithmeticError, ValueError):  # an infinite divergence has no logarithm
            return np.array([_amount(divergence, most)])
    high = np.full(count, most)
    result = np.maximum(divergence(high), TINY)
    rest = result <= SHOWN
    low, before, value = np.zeros(count), high.copy(), result
    by = np.where(rest, most, high * np.sqrt(SHOWN / result))
    for _ in range(TRIES):
        now = np.maximum(divergence(by), TINY)
        rest = rest | (np.abs(now / SHOWN - 1) < CLOSE)
        if rest.all():
            break
        below = now < SHOWN
        low, high = np.where(below, by, low), np.where(below, high, by)
        with np.errstate(divide="ignore", invalid="ignore"):
            power = np.log(now / value) / np.log(by / before)
        power = np.where(np.isfinite(power), np.clip(power, 0.5, 9.0), 2.0)
        guess = by * np.exp(np.log(SHOWN / now) / power)
        guess = np.where((guess > low) & (guess < high), guess, (low + high) / 2)
        before, value = by, now
        by = np.where(rest, by, guess)
    return by


def _amount(divergence: Callable[[Wide], Wide], most: float) -> float:
    """Return what `amounts` does of one divergence; Python's numbers are faster one by one."""

    def at(by: float) -> float:
        return max(float(divergence(np.array([by]))[0]), TINY)

    low, high, before, value = 0.0, most, most, at(most)
    if value <= SHOWN:
        return most
    by = most * sqrt(SHOWN / value)
    for _ in range(TRIES):
        now = at(by)
        if abs(now / SHOWN - 1) < CLOSE:
            break
        low, high = (by, high) if now < SHOWN else (low, by)
        power = log(now / value) / log(by / before) if by != before else 2.0
        guess = by * exp(log(SHOWN / now) / min(max(power, 0.5), 9.0))
        before, value = by, now
        by = guess if low < guess < high else (low + high) / 2
    return by


def equal_information(score: Wide, weight: Wide) -> NDArray[np.int32]:
    """Return the number of each row's bin of equal sums of `weight`, in the order of the score.

    Rows of one score share a bin: the one in which the middle of their weight lies. Scores that
    differ by rounding alone are one.
    """
    mantissa, power = np.frexp(score)
    score = np.ldexp(np.round(np.ldexp(mantissa, DIGITS)), power - DIGITS)
    order = np.argsort(score, kind="stable")
    ordered = score[order]
    after = np.cumsum(weight[order])
    total = after[-1]
    number = np.zeros(len(score), np.int32)
    if total <= 0:
        return number
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    ends = after[last]
    middle = (ends + np.append(0.0, ends[:-1])) / 2
    of_group = np.floor(BINS * (middle / total * (1 - 1e-12))).astype(np.int32)
    number[order] = np.repeat(of_group, np.diff(np.append(-1, last)))
    return number


def _waves() -> Wide:
    """Return (WAVES + 1, BINS) cosines of mean square 1."""
    frequency, at = np.arange(WAVES + 1)[:, None], (np.arange(BINS) + 0.5) / BINS
    return np.asarray(np.where(frequency == 0, 1.0, np.sqrt(2.0) * np.cos(np.pi * frequency * at)))


def _runs() -> tuple[Ints, Ints, Wide]:
    """Return (runs,) first bins and bins after the last, and how many runs are as long."""
    rows = [
        (start, start + length, (BINS - length) // step + 1.0)
        for length, step in RUNS
        for start in range(0, BINS - length + 1, step)
    ]
    first, after, many = np.array(rows).T
    return first.astype(np.int64), after.astype(np.int64), many


COSINES = _waves()
FIRST, AFTER, MANY = _runs()


def run_sums(values: Wide) -> Wide:
    """Return (groups, runs, ...) sums of (groups, BINS, ...) values over the bins of every run."""
    added = np.zeros((len(values), BINS + 1, *values.shape[2:]))
    np.cumsum(values, axis=1, out=added[:, 1:])
    result = np.empty((len(values), len(FIRST), *values.shape[2:]))
    end = 0
    for length, step in RUNS:
        before, after = added[:, : BINS - length + 1 : step], added[:, length::step]
        start, end = end, end + before.shape[1]
        np.subtract(after, before, out=result[:, start:end])
    return result


def log_factor(squares: Wide, spread: float) -> Wide:
    """Return log Bayes factors of amplitudes of variance `spread` errors, given squared z."""
    return np.asarray(squares * (spread / (2 * (1 + spread))) - np.log1p(spread) / 2)


def summed(cell: NDArray[np.int32], values: Wide, size: int) -> Wide:
    """Return (size,) sums of the values of every cell."""
    return np.bincount(cell, values, size).astype(np.float64)


def squared_z(gap: Wide, variance: Wide) -> Wide:
    """Return squared standardised gaps, those of almost no variance near 0."""
    return np.asarray(np.square(gap) / (variance[..., None] + UNSURE))


def informed(variance: Wide, by: float = 1.0) -> Wide:
    """Return weights of members: near 1 where the rows are informative about them."""
    return np.asarray(variance / (variance + by))


def log_shares(weight: Wide) -> Wide:
    """Return the logarithms of the shares of all weight."""
    return np.asarray(np.log(np.maximum(weight, TINY) / max(float(weight.sum()), TINY)))


def mixed(squares: Wide, variance: Wide) -> Wide:
    """Return (groups, mixes, draws) terms of waves of random amplitude, given squared z."""
    result = [
        log_factor(squares[:, low : high + 1], spread).sum(axis=1) for low, high, spread in MIXES
    ]
    share = log_shares(informed(variance)) - np.log(len(MIXES))
    return np.asarray(np.stack(result, axis=1) + share[:, None, None])
