"""Draws of the hits of whole bins, where drawing the label of every row would cost too much.

The hits of a bin are a sum of independent labels, a Poisson-binomial number. Where no two bins
share a row, drawing these numbers is drawing from the same law as drawing all labels, at a cost
that does not grow with rows times draws.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Cells, Statistic, Wide

LEAST_ROWS = 1024  # with fewer, drawing labels is as quick
FORGOTTEN = 1e-16  # probability that a distribution may leave out, on both sides together
LARGEST_STEP = 0.5  # |p (e^iw - 1)| up to which a logarithm is summed as a power series
NUMBERS_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class HitCounts:
    """The distribution of the hits of one bin: first number listed, and P(hits <= that, ...)."""

    first: int
    cumulative: Wide

    def at(self, uniform: Wide) -> Wide:
        """Return the numbers of hits at uniform numbers."""
        place = np.searchsorted(self.cumulative, uniform, side="right")
        return self.first + np.minimum(place, len(self.cumulative) - 1).astype(np.float64)


def counted_apart(statistic: object) -> bool:
    """Tell whether a statistic sees many rows only through the hits of bins that share no row."""
    if not isinstance(statistic, Statistic) or statistic.cells is None:
        return False
    if statistic.value is not None or statistic.prob.shape[1] != 2:
        return False
    if len(statistic.actual) < LEAST_ROWS or statistic.cells.number[:, 0].any():
        return False
    weight = statistic.weight
    return weight is None or bool(np.ptp(weight) == 0)


def drawn_hits(
    statistic: Statistic, cells: Cells, draws: int, source: np.random.Generator
) -> Iterator[Wide]:
    """Yield (cells, some) weights of the hits until there are `draws` of them."""
    unit = 1.0 if statistic.weight is None else float(statistic.weight[0])
    counts = hit_counts(_chance(statistic), cells.number[:, 1], len(cells.total))
    width = max(1, NUMBERS_AT_ONCE // len(cells.total))
    for start in range(0, draws, width):
        size = min(width, draws - start)
        hits = np.zeros((len(cells.total), size))
        uniform = source.random((len(cells.total), size))
        for j, count in enumerate(counts):
            hits[j + 1] = unit * count.at(uniform[j + 1])
        yield hits


def hit_counts(chance: Wide, cell: NDArray[np.integer[Any]], size: int) -> list[HitCounts]:
    """Return the distribution of the hits of the cells 1 .. size - 1.

    `chance` (n,) is the probability of a hit, `cell` (n,) the cell of every row. The distribution
    function is right to about 1e-13.
    """
    rows = np.bincount(cell, minlength=size)
    mean = np.bincount(cell, chance, size)
    variance = np.maximum(np.bincount(cell, chance * (1.0 - chance), size), 0.0)
    turned = mean > 0.5 * rows  # misses are counted where they are the rarer
    rare = np.where(turned[cell], 1.0 - chance, chance)
    plans = [
        _Plan.of(int(rows[j]), float(min(mean[j], rows[j] - mean[j])), float(variance[j]))
        for j in range(1, size)
    ]
    largest = np.zeros(size)
    np.maximum.at(largest, cell, rare)
    step = np.array([0.0, *(plan.step for plan in plans)]) * largest
    logs = _log_transforms(rare, cell, plans, step)
    return [
        plan.counts(log, turned=bool(turned[j + 1]))
        for j, (plan, log) in enumerate(zip(plans, logs, strict=True))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Where a number of hits can be, and the frequencies of its transform that are not negligible.

    Attributes
    ----------
    rows : of the cell
    first, period : the numbers first .. first + period - 1 hold all but FORGOTTEN
    frequency : (f,) those above 0
    """

    rows: int
    first: int
    period: int
    frequency: Wide

    @classmethod
    def of(cls, rows: int, mean: float, variance: float) -> "_Plan":
        """Plan for a number of hits of this mean and variance (Bernstein's inequality)."""
        size = np.log(2.0 / FORGOTTEN)
        away = size / 3.0 + np.sqrt(np.square(size / 3.0) + 2.0 * size * variance)
        first = max(0, int(np.floor(mean - away)))
        last = min(rows, int(np.ceil(mean + away)))
        period = last - first + 1
        frequency = np.arange(1, period // 2 + 1) * (2.0 * np.pi / period)
        # |transform| <= exp(-2 V sin^2(w / 2))
        kept = 2.0 * variance * np.square(np.sin(frequency / 2.0)) <= size
        return cls(rows, first, period, frequency[kept])

    @property
    def step(self) -> float:
        """The largest |e^iw - 1|."""
        return float(2.0 * np.sin(self.frequency[-1] / 2.0)) if len(self.frequency) else 0.0

    def counts(self, log_transform: NDArray[np.complex128], *, turned: bool) -> HitCounts:
        """Return the distribution with this transform at `frequency`; `turned` counts misses."""
        wave = np.zeros(self.period // 2 + 1, np.complex128)
        wave[0] = 1.0
        shifted = np.exp(log_transform - 1j * self.frequency * self.first)
        wave[1 : len(shifted) + 1] = shifted.conj()
        prob = np.maximum(np.fft.irfft(wave, self.period), 0.0)
        first = self.first
        if turned:
            prob, first = prob[::-1], self.rows - (self.first + self.period - 1)
        cumulative = np.cumsum(prob)
        return HitCounts(first, cumulative / cumulative[-1])


def _log_transforms(
    rare: Wide, cell: NDArray[np.integer[Any]], plans: list[_Plan], step: Wide
) -> Iterator[NDArray[np.complex128]]:
    """Yield, cell by cell, sum log(1 + p (e^iw - 1)) over its rows at its plan's frequencies."""
    series = step <= LARGEST_STEP
    most = float(step[series].max(initial=0.0))
    terms = max(1, int(np.ceil(np.log(FORGOTTEN) / np.log(max(most, 1e-3)))))
    power, sums = np.ones_like(rare), []
    for _ in range(terms):
        power = power * rare
        sums.append(np.bincount(cell, power, len(step)))
    r = np.arange(1, terms + 1)
    for j, plan in enumerate(plans, start=1):
        z = np.expm1(1j * plan.frequency)
        if series[j]:
            own = np.array([total[j] for total in sums])
            yield (-((-z[:, None]) ** r) / r * own).sum(axis=1)
        else:
            yield _by_rows(rare[cell == j], z)


def _by_rows(rare: Wide, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return sum log(1 + p z) over rows, some rows at a time; equal probabilities once."""
    chance, times = np.unique(rare, return_counts=True)
    found = np.zeros(len(z), np.complex128)
    size = max(1, NUMBERS_AT_ONCE // max(len(z), 1))
    for start in range(0, len(chance), size):
        part = slice(start, start + size)
        with np.errstate(divide="ignore"):  # p = 1/2 at the half turn: never hit an even number
            found += times[part] @ np.log1p(chance[part, None] * z)
    return found


def _chance(statistic: Statistic) -> Wide:
    prob = statistic.prob.astype(np.float64)
    chance: Wide = prob[:, 1] / (prob[:, 0] + prob[:, 1])
    return chance
