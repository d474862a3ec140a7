"""Temperature scaling: one number that makes all probabilities more or less extreme."""

import dataclasses
import math
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.formatting import number
from plumbline.recalibration.forms import Softmax, WholeFit
from plumbline.recalibration.inputs import PROBABILITY, Reading

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

COLDEST, HOTTEST = 0.01, 100.0  # between these the temperature is looked for
ENOUGH = 1e-9  # the error left is about the square of the last step
STEPS = 100  # of Newton's method within a bracket; a convention, more than it needs
BLOCK = 2**16  # numbers in a block of rows, few enough for a processor's cache
SAMPLE = 20_000  # rows that say where to begin, of many more

SEPARATED = (
    "the log loss falls towards temperature 0 (as where the most likely class is always the true "
    "one), so the lower limit {} is used"
)
WORSE_THAN_NOTHING = (
    "the log loss falls with every higher temperature (the probabilities are no better than "
    "equal ones), so the upper limit {} is used"
)
FLAT = "every row gives all classes the same probability, which no temperature changes"


class LogitBlock(NamedTuple):
    """A block of rows, classes first.

    Attributes
    ----------
    gap : (k, r) logits below the row's largest
    own : (r,) gap of the true class
    weight : (r,)
    """

    gap: Floats
    own: Floats
    weight: Floats


def temperature(reading: Reading, actual: Ints, weight: Floats) -> WholeFit:
    """Return the temperature T of least log loss: p_c becomes p_c^(1/T) / sum_j p_j^(1/T).

    The log loss is convex in 1/T, so Newton steps kept in a bracket find the one optimum between
    T = 0.01 and 100 (of ratings: times the median range of a row's); where it is not between them,
    the end stands with a note. Above 1 it corrects overconfidence, below 1 underconfidence; the
    order of the classes of a row stays. Source: Guo, Pleiss, Sun and Weinberger (2017).
    """
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        rows = _blocks(reading, actual, weight, pool)
        if not any(one.gap.any() for one in rows):
            return _fit(1.0, reading.k, FLAT)
        unit = 1.0 if reading.on == PROBABILITY else _usual_range(rows)
        ends = (1 / (HOTTEST * unit), 1 / (COLDEST * unit))
        start = 1 / unit
        if reading.n > 2 * SAMPLE:
            few = slice(None, None, reading.n // SAMPLE)
            sample = _blocks(_part(reading, few), actual[few], weight[few], pool)
            start = _root(sample, pool, ends=ends, start=start)
        inverse = _root(rows, pool, ends=ends, start=start)
    notes = {ends[0]: WORSE_THAN_NOTHING, ends[1]: SEPARATED}
    note = notes[inverse].format(number(1 / inverse)) if inverse in notes else None
    return _fit(inverse, reading.k, note)


def _fit(inverse: float, k: int, note: str | None) -> WholeFit:
    form = Softmax(np.array(inverse), np.zeros(k))
    return WholeFit(form, 1, () if note is None else (note,), {"temperature": 1 / inverse})


# ------------------------------------------------------------------ rows in blocks


def _blocks(reading: Reading, actual: Ints, weight: Floats, pool: Executor) -> list[LogitBlock]:
    def block(rows: slice) -> LogitBlock:
        gap = np.ascontiguousarray(_part(reading, rows).logits().T)
        gap -= gap.max(axis=0)
        own = gap[actual[rows], np.arange(gap.shape[1])]
        return LogitBlock(gap, own, weight[rows])

    return list(pool.map(block, _slices(reading.n, reading.k)))


def _slices(n: int, k: int) -> Iterator[slice]:
    step = max(1, BLOCK // k)
    return (slice(first, min(first + step, n)) for first in range(0, n, step))


def _part(reading: Reading, rows: slice) -> Reading:
    logs = None if reading.log_prob is None else reading.log_prob[rows]
    return dataclasses.replace(reading, values=reading.values[rows], log_prob=logs)


def _usual_range(rows: list[LogitBlock]) -> float:
    """Return the weighted median of how far the ratings of a row are apart, where they are."""
    apart = np.concatenate([-one.gap.min(axis=0) for one in rows])
    weight = np.concatenate([one.weight for one in rows]) * (apart > 0)
    order = np.argsort(apart)
    reached = np.cumsum(weight[order])
    return float(apart[order[np.searchsorted(reached, reached[-1] / 2)]])


# ------------------------------------------------------------------ the optimum


def _slope(rows: list[LogitBlock], pool: Executor, inverse: float) -> tuple[float, float]:
    """Return the first two derivatives of the summed log loss in 1/T.

    They are the sums over rows of E[z] - z_y and of Var[z], z the logits and the class drawn from
    the probabilities at this temperature. Blocks are added in order, so that the result does not
    depend on the number of threads.
    """

    def of(one: LogitBlock) -> tuple[float, float]:
        share = np.exp(inverse * one.gap)
        total = share.sum(axis=0)
        share *= one.gap
        first = share.sum(axis=0) / total
        share *= one.gap
        spread = share.sum(axis=0) / total - first * first
        return float(one.weight @ (first - one.own)), float(one.weight @ spread)

    slopes, curvatures = zip(*pool.map(of, rows), strict=True)
    return math.fsum(slopes), math.fsum(curvatures)


def _root(
    rows: list[LogitBlock], pool: Executor, *, ends: tuple[float, float], start: float
) -> float:
    """Return the 1/T between the ends at which the log loss has no slope, or the end it falls to.

    A Newton step that leaves the bracket, or is not half as long as the last one (where nearly all
    rows are sure of the truth the slope dies away like an exponential function), is replaced by the
    bracket's geometric middle, once its end is known not to be the optimum.
    """
    low, high = ends
    inverse, last = start, math.inf
    for _ in range(STEPS):
        slope, curvature = _slope(rows, pool, inverse)
        if slope == 0 and curvature > 0:
            return inverse
        low, high = (inverse, high) if slope <= 0 else (low, inverse)
        proposed = inverse - slope / curvature if curvature > 0 else math.nan
        if low < proposed < high and abs(proposed - inverse) <= last / 2:
            following = proposed
        elif high == ends[1] and _slope(rows, pool, high)[0] <= 0:
            return high
        elif low == ends[0] and _slope(rows, pool, low)[0] >= 0:
            return low
        else:
            following = math.sqrt(low * high)
        last = abs(following - inverse)
        if last <= ENOUGH * inverse:
            return following
        inverse = following
    return inverse
