"""Bounds of a tail probability from the characteristic function, without rounding any value."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide
from plumbline.jit import compiled
from plumbline.nulls.independent_sum import IndependentSum
from plumbline.nulls.poisson_binomial import EPS

SIDE, LANES = 128, 8  # frequencies that are computed together, and at once
FORGOTTEN = 1e-25  # a characteristic function below this is set to 0
MANY = 100  # atoms of a variable from which a grid is faster than a sum
SPREAD = 16  # grid points on either side that an atom is spread over
GRIDDED = 1e-12  # bound on the error of a transform by way of a grid
MOST_FREQUENCIES = 2**21  # complex numbers: 32 MiB
MOST_TURNED = 5_000  # atoms after which the product is negligible at most frequencies
MOST_WORK = 1e10  # operations; bounds the time
LOOKED_AT = 2**14  # frequencies of the first look, before the size of the whole is decided


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """The distribution of a tilted sum, wrapped around a circle, by its Fourier coefficients.

    Attributes
    ----------
    length : circumference
    wave : (K,) E exp(2 pi i k T / length) for k = 1, ..., K
    lost : bound on the tilted probability left out
    turns : sum of the variables' ranges over the length, to which rounding is relative
    size, gridded : number of variables, and of those transformed by way of a grid
    """

    length: float
    wave: NDArray[np.complex128]
    lost: float
    turns: float
    size: int
    gridded: int

    def part(self, since: float, until: float, steepness: float) -> tuple[float, float]:
        """Return bounds of E exp(-steepness (T - since)) 1{since <= T <= until} on the circle.

        The function is a mixture of indicators of arcs [since, b]: steepness 0 has b = until. An
        indicator is a sum of two sawtooth functions, and Vaaler's polynomial of degree K is never
        farther from the sawtooth than Fejer's kernel over 2 K + 2 (Vaaler 1985, "Some extremal
        functions in Fourier analysis", theorem 18). Both have their expectation in the first K
        coefficients, so the bounds hold whatever the distribution.
        """
        count = len(self.wave)
        k = np.arange(1, count + 1)
        width = (until - since) / self.length
        rate = steepness * self.length
        slope = rate + 2j * np.pi * k
        last = np.exp(-rate * width) * _turned(-k, width)
        ends = (rate + 2j * np.pi * k * last) / slope  # E exp(-2 pi i k (b - since))
        mean = width if rate == 0 else -np.expm1(-rate * width) / rate
        here = self.wave * _turned(-k, since / self.length)
        t = k / (count + 1)
        damped = np.pi * t * (1 - t) / np.tan(np.pi * t) + t
        inside = mean + 2.0 * float((damped * (1.0 - ends) * here / (2j * np.pi * k)).sum().real)
        near = 2.0 + 2.0 * float(((1 - t) * (1.0 + ends) * here).sum().real)
        doubt = max(near, 0.0) / (2 * (count + 1)) + self._rounding(since)
        return inside - doubt - self.lost, inside + doubt + self.lost

    def _rounding(self, since: float) -> float:
        """Bound what rounding does to the sums: every turn is known up to a share of itself."""
        count = len(self.wave)
        turns = self.turns + abs(since) / self.length + 1.0
        each = EPS * 60.0 * self.size + GRIDDED * self.gridded
        return float(each * (np.log(count) + 1.0) + EPS * 40.0 * count * turns)


def _turned(k: NDArray[np.int64], angle: float) -> NDArray[np.complex128]:
    """Return exp(2 pi i k angle), the angle being in turns."""
    turn = k * angle
    out: NDArray[np.complex128] = np.exp(2j * np.pi * (turn - np.round(turn)))
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Waves:
    """A tilted sum on a circle, ready to be transformed.

    Attributes
    ----------
    turn, prob : (atoms,) the atoms of all variables, in turns since the variable's likeliest value
    start : (J + 1,) where each variable's atoms start, the likeliest first
    shift : sum of the likeliest values
    length : circumference
    lost : tilted probability of the atoms left out
    """

    turn: Wide
    prob: Wide
    start: NDArray[np.int64]
    shift: float
    length: float
    lost: float

    @classmethod
    def of(cls, total: IndependentSum, prob: Wide, length: float, lost: float) -> "Waves":
        """Prepare, leaving out the unlikeliest atoms, of a probability of `lost` at most.

        The variables of largest variance come first: after them little is left to multiply.
        """
        kept = prob > lost / len(prob)
        first, count = total.start[:-1], np.diff(total.start)
        mean = np.add.reduceat(prob * total.value, first)
        variance = np.add.reduceat(prob * (total.value - np.repeat(mean, count)) ** 2, first)
        rank = np.empty(total.size, np.int64)
        rank[np.argsort(-variance)] = np.arange(total.size)
        owner = np.repeat(rank, count)[kept]
        value, left = total.value[kept], prob[kept]
        order = np.lexsort((-left, owner))
        value, left = value[order], left[order]
        count = np.bincount(owner, minlength=total.size)
        start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        likeliest = value[start[:-1]]
        turn = (value - np.repeat(likeliest, count)) / length
        shift = total.constant + float(likeliest.sum())
        return cls(turn, left, start, shift, length, float(prob[~kept].sum()))

    @property
    def work(self) -> int:
        """Number of atoms that each coefficient takes, about."""
        many = np.diff(self.start) > MANY
        few = int(np.diff(self.start)[~many].sum())
        return MANY * int(many.sum()) + min(few, MOST_TURNED)

    def circle(self, count: int) -> Circle:
        """Return the distribution with its first `count` coefficients (rounded up), around 0."""
        blocks = -(-count // SIDE)
        wave = np.ones(blocks * SIDE, np.complex128)
        sizes = np.diff(self.start)
        direct = np.ones(len(sizes), np.bool_)
        alive = 1.0
        for j in np.flatnonzero(sizes > MANY):
            if alive * sizes[j] > MANY:
                own = slice(self.start[j], self.start[j + 1])
                wave *= transform_of(self.turn[own], self.prob[own], len(wave))
                largest = np.abs(wave).reshape(blocks, SIDE).max(axis=1)
                wave.reshape(blocks, SIDE)[largest < FORGOTTEN] = 0.0
                alive = float((largest >= FORGOTTEN).mean())
                direct[j] = False
        self._multiply(direct, wave)
        widths = np.maximum.reduceat(np.abs(self.turn), self.start[:-1])
        gridded = int((~direct).sum())
        return Circle(self.length, wave, self.lost, float(widths.sum()), len(sizes), gridded)

    def _multiply(self, mask: NDArray[np.bool_], wave: NDArray[np.complex128]) -> None:
        sizes = np.diff(self.start)
        atoms = np.repeat(mask, sizes)
        start = np.concatenate([[0], np.cumsum(sizes[mask])]).astype(np.int64)
        real, imaginary = wave.real.copy(), wave.imag.copy()
        multiply_waves(self.turn[atoms], self.prob[atoms], start, real, imaginary)
        wave.real, wave.imag = real, imaginary


def transform_of(turn: Wide, prob: Wide, count: int) -> NDArray[np.complex128]:
    """Return sum prob exp(2 pi i k turn) for k = 1, ..., count, each within GRIDDED of the truth.

    Every atom is spread over a grid by a narrow Gaussian, the grid transformed at once, and the
    Gaussian divided out (Greengard and Lee 2004, "Accelerating the nonuniform fast Fourier
    transform").
    """
    size = 1 << int(np.ceil(np.log2(4 * (count + 1))))
    modes = 2 * count
    ratio = size / modes
    width = np.pi * SPREAD / (modes**2 * ratio * (ratio - 0.5))
    grid = np.zeros(size)
    spread_atoms(turn, prob, width, grid)
    k = np.arange(1, count + 1)
    result = np.fft.rfft(grid)[1 : count + 1].conj()
    out: NDArray[np.complex128] = result * (np.sqrt(np.pi / width) / size * np.exp(k**2 * width))
    return out


@compiled
def spread_atoms(turn: Wide, prob: Wide, width: float, grid: Wide) -> None:
    """Add a Gaussian of variance 2 `width` (in radians) and the atom's weight to the grid."""
    size = len(grid)
    for a in range(len(turn)):
        at = (turn[a] - np.floor(turn[a])) * size
        nearest = int(np.floor(at))
        for m in range(nearest - SPREAD + 1, nearest + SPREAD + 1):
            away = 2.0 * np.pi * (at - m) / size
            grid[m % size] += prob[a] * np.exp(-away * away / (4.0 * width))


def tail_by_fourier(
    total: IndependentSum, target: float, theta: float, *, tolerance: float, expected: float
) -> tuple[float, float]:
    """Return bounds of E exp(-theta (T - target)) 1{T >= target} under the tilt theta.

    The circle is so long that what is wrapped onto the wrong place is less than a small share of
    the tolerance (Chernoff's bound); coefficients are added until the bounds are close enough.
    """
    log_mass = float(np.log(0.02 * tolerance * expected))
    spread = float(np.sqrt(total.cumulants(theta)[2]))
    up, above = total.reach(theta, log_mass)
    down, below = total.mirrored().reach(-theta, log_mass)
    width = max(up - target, 1e-3 * spread)
    beyond = above
    if theta * width > -log_mass:
        width = -log_mass / theta
        beyond += float(np.exp(log_mass))
    length = (1.0 + 1e-6) * max(width + target + down, up - target)
    waves = Waves.of(total, total.tilted(theta)[0], length, float(np.exp(log_mass)))
    since = target - waves.shift
    most = min(MOST_FREQUENCIES, int(MOST_WORK / waves.work))
    count = min(most, int(2.6 * length * max(theta, 1.0 / spread) / tolerance) + SIDE)
    result, gap = (0.0, 1.0), np.inf
    while True:
        low, high = waves.circle(count).part(since, since + width, theta)
        result = max(result[0], low - above - below), min(result[1], high + beyond)
        last, gap = gap, result[1] - result[0]
        if gap <= tolerance * result[0] or gap > 0.8 * last or count == most:
            return result
        wanted = 1.2 * gap / (tolerance * max(result[0], 0.1 * gap))
        count = min(most, int(count * min(8.0, max(1.5, wanted))))


def upper_tail_curve(
    total: IndependentSum, prob: Wide, log_mass: float
) -> Callable[[float], float]:
    """Return P(T >= t) as a function of t, approximately."""
    up, _ = total.reach(0.0, log_mass)
    down, _ = total.mirrored().reach(0.0, log_mass)
    gap = 0.05 * (up + down)  # an end at a likely value would count half of it
    waves = Waves.of(total, prob, up + down + gap, float(np.exp(log_mass)))
    circle = waves.circle(LOOKED_AT)

    def above(t: float) -> float:
        if not -down < t < up:
            return float(t <= -down)
        return sum(circle.part(t - waves.shift, up + gap / 2 - waves.shift, 0.0)) / 2

    return above


@compiled
def add_waves(
    turn: Wide, prob: Wide, cosine: Wide, sine: Wide, first: int, own_re: Wide, own_im: Wide
) -> None:
    """Leave one variable's sum of prob exp(2 pi i k turn), k = first, ..., first + SIDE - 1.

    (atoms, LANES + 1) `cosine` and `sine` hold the turns of the first few k, and of LANES of them.
    """
    re, im = np.empty(LANES), np.empty(LANES)
    own_re[:] = prob[0]
    own_im[:] = 0.0
    for a in range(1, len(turn)):
        angle = turn[a] * first
        angle = 2.0 * np.pi * (angle - np.round(angle))
        c, s = prob[a] * np.cos(angle), prob[a] * np.sin(angle)
        for i in range(LANES):
            re[i] = c * cosine[a, i] - s * sine[a, i]
            im[i] = c * sine[a, i] + s * cosine[a, i]
        c, s = cosine[a, LANES], sine[a, LANES]
        for ahead in range(0, SIDE, LANES):
            for i in range(LANES):
                own_re[ahead + i] += re[i]
                own_im[ahead + i] += im[i]
                turned = re[i] * c - im[i] * s
                im[i] = re[i] * s + im[i] * c
                re[i] = turned


@compiled
def multiply_waves(
    turn: Wide, prob: Wide, start: NDArray[np.int64], real: Wide, imaginary: Wide
) -> None:
    """Multiply by every variable's sum of prob exp(2 pi i k turn), for k = 1, 2, ...

    The first atom of a variable does not turn. A block of frequencies where the product is
    already negligible needs no further variable: no factor is greater than 1.
    """
    cosine, sine = np.empty((len(turn), LANES + 1)), np.empty((len(turn), LANES + 1))
    for a in range(len(turn)):
        for i in range(LANES + 1):
            angle = 2.0 * np.pi * (turn[a] * i - np.round(turn[a] * i))
            cosine[a, i], sine[a, i] = np.cos(angle), np.sin(angle)
    own_re, own_im = np.empty(SIDE), np.empty(SIDE)
    for block in range(0, len(real), SIDE):
        out_re, out_im = real[block : block + SIDE], imaginary[block : block + SIDE]
        for j in range(len(start) - 1):
            largest = 0.0
            for i in range(SIDE):
                largest = max(largest, abs(out_re[i]) + abs(out_im[i]))
            if largest < FORGOTTEN:
                out_re[:] = 0.0
                out_im[:] = 0.0
                break
            own = slice(start[j], start[j + 1])
            add_waves(turn[own], prob[own], cosine[own], sine[own], block + 1, own_re, own_im)
            for i in range(SIDE):
                turned = out_re[i] * own_re[i] - out_im[i] * own_im[i]
                out_im[i] = out_re[i] * own_im[i] + out_im[i] * own_re[i]
                out_re[i] = turned
