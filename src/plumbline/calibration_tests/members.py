"""What the families of the omnibus are made of: members, sizes that would just show, bins."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide

SHOWN = 4.0  # expected log likelihood ratio at the amount of a family of one parameter
BINS = 32  # of equal information, sum of p (1 - p)
RUNS = (2, 4, 8, 16)  # lengths, in bins, of a range of scores that is off
WAVES = 8  # half periods of a wave over the bins, at most
# Waves of the frequencies from .. to, whose amplitude has a variance of so many of its errors'.
MIXES = ((0, 1, 4.0), (0, 2, 4.0), (1, 4, 3.0), (1, 8, 2.0))
STEEPEST = 2.0  # largest tilt of a cell
DIGITS = 40  # binary ones of a score that count
CLOSE, TRIES = 1e-4, 60  # how closely, relative to `SHOWN`, an amount is found
TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Members:
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
    def tilted(cls, tilt: Wide, cost: tuple[Wide, Wide], weight: Wide) -> "Members":
        """Return two members a sum, exp(tilt S - cost) and exp(-tilt S - cost), by weight."""
        share = np.log(np.maximum(weight, TINY)) - np.log(2.0 * max(float(weight.sum()), TINY))
        return cls(np.stack([tilt, -tilt]), np.stack(cost), share)


def cells(
    expected: Wide, variance: Wide, count: float | Wide, weight: Wide, *, normal: bool
) -> Members:
    """Return members of sums O - E that are too large or too small by what would just show.

    `count` is the number of such sums, for which the size allows. The likelihood is that of a
    binomial number of this mean and variance; `normal`: of a normal one, for weighted rows and
    sums that are no counts.
    """
    tilt = np.minimum(np.sqrt(2 * (3 + np.log(2 * count)) / np.maximum(variance, 1e-12)), STEEPEST)
    if normal:
        half = np.square(tilt) * variance / 2
        return Members.tilted(tilt, (half, half), weight)
    q = np.clip(1 - variance / np.maximum(expected, TINY), 1e-9, 1 - 1e-9)
    trials = expected / q
    cost = [trials * np.log1p(q * np.expm1(x)) - x * expected for x in (tilt, -tilt)]
    return Members.tilted(tilt, (cost[0], cost[1]), weight)


def log_mean(terms: Wide) -> Wide:
    """Return (draws,) logarithms of the sum of exp over all but the last axis."""
    flat = terms.reshape(-1, terms.shape[-1])
    top = flat.max(axis=0)
    return np.asarray(top + np.log(np.exp(flat - top).sum(axis=0)))


def amounts(divergence: Callable[[Wide], Wide], most: float, count: int = 1) -> Wide:
    """Return (count,) amounts up to `most` at which the divergences are `SHOWN`.

    By secants of the logarithms, within a bracket: a divergence grows about as the square.
    """
    high = np.full(count, most)
    found = np.maximum(divergence(high), TINY)
    rest = found <= SHOWN
    low, before, value = np.zeros(count), high.copy(), found
    by = np.where(rest, most, high * np.sqrt(SHOWN / found))
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
    frequency, place = np.arange(WAVES + 1)[:, None], (np.arange(BINS) + 0.5) / BINS
    return np.asarray(
        np.where(frequency == 0, 1.0, np.sqrt(2.0) * np.cos(np.pi * frequency * place))
    )


def _runs() -> tuple[Wide, Wide]:
    """Return (runs, BINS) which bins a run holds, and (runs,) how many are as long."""
    rows, many = [], []
    for length in RUNS:
        starts = range(0, BINS - length + 1, length // 2)
        for start in starts:
            rows.append(
                np.where((np.arange(BINS) >= start) & (np.arange(BINS) < start + length), 1.0, 0.0)
            )
            many.append(float(len(starts)))
    return np.array(rows), np.array(many)


COSINES = _waves()
RUN, MANY = _runs()


def log_factor(squares: Wide, spread: float) -> Wide:
    """Return log Bayes factors of amplitudes of variance `spread` errors, given squared z."""
    return np.asarray(squares * (spread / (2 * (1 + spread))) - np.log1p(spread) / 2)


def summed(cell: NDArray[np.int32], values: Wide, size: int) -> Wide:
    """Return (size,) sums of the values of every cell."""
    return np.bincount(cell, values, size).astype(np.float64)


def squared_z(gap: Wide, variance: Wide) -> Wide:
    """Return squared standardised gaps, those of almost no variance near 0."""
    return np.asarray(np.square(gap) / (variance[..., None] + 0.25))


def informed(variance: Wide, by: float = 1.0) -> Wide:
    """Return weights of members: near 1 where the rows say something of them."""
    return np.asarray(variance / (variance + by))


def _shares(weight: Wide) -> Wide:
    return np.asarray(np.log(np.maximum(weight, TINY) / max(float(weight.sum()), TINY)))


def mixed(squares: Wide, variance: Wide) -> Wide:
    """Return (groups, mixes, draws) terms of waves of random amplitude, given squared z."""
    found = [
        log_factor(squares[:, low : high + 1], spread).sum(axis=1) for low, high, spread in MIXES
    ]
    share = _shares(informed(variance)) - np.log(len(MIXES))
    return np.asarray(np.stack(found, axis=1) + share[:, None, None])
