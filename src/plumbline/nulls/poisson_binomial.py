"""The number of hits among independent trials of different probabilities."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide
from plumbline.jit import compiled

EPS = float(np.finfo(float).eps)
TINY = 1e-305  # what is less likely than this is dropped on the way
LISTED = 1e-290  # so far above TINY that what was dropped makes no difference
UNLISTED = 1e-280  # more than all that a distribution does not list adds up to
DIRECT = 45.0  # standard deviation up to which adding trial by trial is the cheaper way
STEP = 4.2  # standard deviations from the centre of one tilt to that of the next
REACH = 2.4  # standard deviations from its centre up to which a tilt is used
PERIOD = 16.0  # standard deviations after which the inverted transform repeats itself
CUTOFF = 8.5  # frequencies, times the standard deviation, that are not negligible
LANES, BLOCK = 16, 4096  # rows added side by side; rows whose sums go to the total together


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The distribution of a number of hits.

    Attributes
    ----------
    first : the smallest number of hits listed; those not listed add up to less than UNLISTED
    log_prob : log P(first), log P(first + 1), ...
    error : bound on the relative error of every listed probability
    """

    first: int
    log_prob: Wide
    error: float


def poisson_binomial(hit: Wide, miss: Wide, times: Wide | None = None) -> Hits:
    """Return the distribution of the number of hits among m independent trials.

    `hit` and `miss` are the (m,) probabilities of the two outcomes of each trial, which add up to
    1; both are asked for so that neither loses digits. `times` (m,) says how many identical trials
    each stands for. Few hits are added trial by trial, in sums
    of positive terms. Many come from the Fourier transform of the distribution (Hong 2013, "On
    computing the distribution function for the Poisson binomial distribution"), tilted
    exponentially a few standard deviations at a time, so that far tails keep their digits.

    >>> half = np.array([0.5, 0.5])
    >>> np.exp(poisson_binomial(half, half).log_prob).round(12)
    array([0.25, 0.5 , 0.25])
    """
    if float(hit @ (miss if times is None else miss * times)) > DIRECT**2:
        result = _from_tilts(hit, miss, times)
    elif times is None:
        result = _trial_by_trial(hit, miss)
    else:
        rows = np.repeat(np.arange(len(hit)), times.astype(np.int64))
        result = _trial_by_trial(hit[rows], miss[rows])
    likely = np.flatnonzero(result.log_prob > np.log(LISTED))
    first, last = int(likely[0]), int(likely[-1])
    return Hits(result.first + first, result.log_prob[first : last + 1], result.error)


def _trial_by_trial(hit: Wide, miss: Wide) -> Hits:
    table = np.zeros(len(hit) + 1)
    ends = np.zeros(2, np.int64)
    add_trials(hit, miss, table, ends)
    first, last = int(ends[0]), int(ends[1])
    return Hits(first, np.log(table[first : last + 1]), 4 * EPS * (len(hit) + 1))


@compiled
def add_trials(hit: Wide, miss: Wide, table: Wide, ends: NDArray[np.int64]) -> None:
    """Leave P(h hits) in `table[h]` and the smallest and the largest h listed in `ends`.

    What falls below TINY at an end is left out: further trials can only make it less.
    """
    low, high = 0, 0
    spare = np.empty(len(table))
    table[0] = 1.0
    for i in range(len(hit)):
        p, q = hit[i], miss[i]
        high += 1
        table[high] = table[high - 1] * p
        for h in range(low + 1, high):  # apart from `table`, so that many go at a time
            spare[h] = table[h] * q + table[h - 1] * p
        for h in range(low + 1, high):
            table[h] = spare[h]
        table[low] *= q
        while table[high] < TINY:
            table[high] = 0.0
            high -= 1
        while table[low] < TINY:
            table[low] = 0.0
            low += 1
    ends[0], ends[1] = low, high


@dataclass(frozen=True, slots=True, eq=False)
class _Tilt:
    """Trials tilted by exp(s h), known by the sums of p, p^2, p^3, ... over the trials.

    Attributes
    ----------
    s : the tilt
    cost : log E exp(s (H - mean)) without tilt, `mean` being that without tilt
    powers : (r,) sums of the powers of the tilted probabilities
    m : number of trials
    """

    s: float
    cost: float
    powers: Wide
    m: int

    @property
    def variance(self) -> float:
        return float(self.powers[0] - self.powers[1])

    def log_transform(self, z: NDArray[Any]) -> tuple[NDArray[Any], Wide]:
        """Return sum log(1 + p z) for small z, and a bound on the error of each."""
        r = np.arange(1, len(self.powers) + 1)
        terms = -((-z[:, None]) ** r) / r * self.powers
        size = np.abs(terms)
        left = np.abs(z) * size[:, -1] / (1.0 - np.abs(z))
        rounding = EPS * (BLOCK / LANES + self.m / BLOCK + LANES + 4 * len(r))
        return terms.sum(axis=1), left + rounding * size.sum(axis=1)


def _tilted(trials: tuple[Wide, Wide, Wide | None], s: float, cost: float, spread: float) -> _Tilt:
    """Tilt the trials; `spread` is about the standard deviation of hits under the tilt."""
    largest = min(0.6, 1.3 * CUTOFF / spread)
    sums = np.zeros(int(np.ceil(np.log(EPS) / np.log(largest))) + 1)
    hit, miss, times = trials
    if times is None:
        add_powers(hit * np.exp(s), miss, sums)
        return _Tilt(s, cost, sums, len(hit))
    add_counted_powers(hit * np.exp(s), miss, times, sums)
    return _Tilt(s, cost, sums, int(times.sum()))


@compiled
def add_powers(hit: Wide, miss: Wide, sums: Wide) -> None:
    """Add up the powers 1, 2, 3, ... of hit / (hit + miss), over all trials."""
    m, count = len(hit), len(sums)
    lanes = np.zeros((count, LANES))
    p, power = np.zeros(LANES), np.zeros(LANES)
    for start in range(0, m, LANES):
        for i in range(LANES):
            row = start + i
            p[i] = hit[row] / (hit[row] + miss[row]) if row < m else 0.0
            power[i] = p[i]
        for r in range(count):
            for i in range(LANES):
                lanes[r, i] += power[i]
                power[i] *= p[i]
        if (start + LANES) % BLOCK == 0 or start + LANES >= m:
            for r in range(count):
                total = 0.0
                for i in range(LANES):
                    total += lanes[r, i]
                    lanes[r, i] = 0.0
                sums[r] += total


@compiled
def add_counted_powers(hit: Wide, miss: Wide, times: Wide, sums: Wide) -> None:
    """Add up the powers as `add_powers` does, of trials that stand for several."""
    block = np.zeros(len(sums))
    for i in range(len(hit)):
        p = hit[i] / (hit[i] + miss[i])
        power = times[i] * p
        for r in range(len(sums)):
            block[r] += power
            power *= p
        if (i + 1) % (BLOCK // LANES) == 0 or i + 1 == len(hit):
            for r in range(len(sums)):
                sums[r] += block[r]
                block[r] = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """The distribution around the centre of one tilt."""

    tilt: _Tilt
    first: int
    log_prob: Wide
    error: float

    @property
    def last(self) -> int:
        return self.first + len(self.log_prob) - 1

    @property
    def centre(self) -> float:
        return (self.first + self.last) / 2


def _from_tilts(hit: Wide, miss: Wide, times: Wide | None = None) -> Hits:
    """Go from tilt to tilt, up and down from the centre, until nothing likely is left."""
    trials = hit, miss, times
    mean = float(hit.sum() if times is None else hit @ times)
    spread = float(np.sqrt(hit @ (miss if times is None else miss * times)))
    middle = _around(_tilted(trials, 0.0, 0.0, spread), mean)
    pieces = [middle]
    for way in (1, -1):
        piece = middle
        while not _at_end(piece, way):
            spread = np.sqrt(piece.tilt.variance)
            step = way * STEP / spread
            gain, _ = piece.tilt.log_transform(np.array([np.expm1(step)]))
            cost = piece.tilt.cost + float(gain[0]) - step * mean
            piece = _around(_tilted(trials, piece.tilt.s + step, cost, spread), mean)
            pieces.append(piece)
    return _joined(sorted(pieces, key=lambda piece: piece.first))


def _at_end(piece: _Piece, way: int) -> bool:
    """Tell whether nothing likely is left on a side.

    No hits at all, or hits alone, are never likely: P(0) <= exp(-variance), DIRECT**2 at least.
    """
    return bool(piece.log_prob[-1 if way > 0 else 0] < np.log(TINY))


def _around(tilt: _Tilt, mean: float) -> _Piece:
    """Invert the transform of the tilted distribution around the tilted mean."""
    spread = np.sqrt(tilt.variance)
    centre = round(float(tilt.powers[0]))
    reach = int(np.ceil(REACH * spread))
    h = np.arange(max(0, centre - reach), min(tilt.m, centre + reach) + 1)
    period = int(np.ceil(PERIOD * spread))
    count = min(period // 2 - 1, int(CUTOFF / spread * period / (2 * np.pi)) + 1)
    frequency = np.arange(1, count + 1) * (2 * np.pi / period)
    log_transform, doubt = tilt.log_transform(np.expm1(1j * frequency))
    size = np.exp(log_transform.real)
    wave = np.ones(count + 1, np.complex128)
    wave[1:] = np.exp(log_transform - 1j * frequency * centre).conj()
    prob = np.fft.irfft(wave, period)[h - centre]
    error = 2.0 * float(size @ (doubt + 8 * EPS * (9.0 + frequency * tilt.m))) / period
    error += _left_out(tilt.variance, period, count=count, reach=reach)
    log_prob = np.log(prob) + (tilt.cost - tilt.s * (h - mean))
    rounding = 8 * EPS * (abs(tilt.s) * mean + 1000)
    return _Piece(tilt, int(h[0]), log_prob, error / float(prob.min()) + rounding)


def _left_out(variance: float, period: int, *, count: int, reach: int) -> float:
    """Bound what the period's repetitions and the frequencies above `count` add.

    Bernstein's inequality for the first; |transform| <= exp(-2 V sin^2(frequency / 2)) for the
    second.
    """
    away = period - reach - 1
    absent = np.sin(np.pi * np.arange(count + 1, period // 2 + 1) / period)
    repeated = 2.0 * np.exp(-(away**2) / (2.0 * (variance + away / 3.0)))
    return float(repeated + 2.0 * np.exp(-2.0 * variance * absent**2).sum() / period)


def _joined(pieces: list[_Piece]) -> Hits:
    """Take every number of hits from the piece whose centre is nearest."""
    first = pieces[0].first
    cuts = [int((a.centre + b.centre) / 2) + 1 for a, b in pairwise(pieces)]
    parts, start = [], first
    for piece, stop in zip(pieces, [*cuts, pieces[-1].last + 1], strict=True):
        parts.append(piece.log_prob[start - piece.first : stop - piece.first])
        start = stop
    return Hits(first, np.concatenate(parts), max(piece.error for piece in pieces))
