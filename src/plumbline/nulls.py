"""What a statistic's distribution is if the probabilities are true: labels drawn from them."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.calibration import Floats, Ints, Statistic, Wide
from plumbline.errors import ParameterError
from plumbline.progress import Progress
from plumbline.resampling import Seed, entropy_of, stream

Done = TypeVar("Done")


def compiled(function: Callable[..., None]) -> Callable[..., None]:
    """Compile a kernel, kept on disk for the next run where there is a place to keep it."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder may be written: compile in every process
        return numba.njit(nogil=True)(function)


# Part of the definition of a resampled null, with the stream's key: another size, other draws.
DRAWS_PER_BLOCK = 50
ROWS_PER_CHUNK = 1024
BLOCKS_AHEAD = 4
LARGEST_BLOCK = 2**22
MOST_SHARES = 10**8


def resampled(
    statistic: Statistic,
    draws: int,
    rng: Seed = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Wide:
    """Return `draws` values of the statistic with labels drawn from the predictions held fixed.

    Consistency resampling (Vaicenavicius et al. 2019): row i's label is drawn from its own
    probability vector. The draws are made in blocks with a stream each, so the answer depends on
    the seed alone, not on the number of `workers` (threads; default: all cores).
    """
    task = _drawn_values
    return np.concatenate(_in_blocks(statistic, draws, rng, workers, progress, task))


def resampled_shares(
    statistic: Statistic,
    draws: int,
    rng: Seed = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Wide:
    """Return (cells, draws) outcome shares under the null, for the bands of a binned statistic."""
    return values_and_shares(statistic, draws, rng, workers=workers, progress=progress)[1]


def values_and_shares(
    statistic: Statistic,
    draws: int,
    rng: Seed = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[Wide, Wide]:
    """Return what `resampled` and `resampled_shares` would, from one set of draws."""
    if statistic.cells is None:
        raise ParameterError("one point per bin has no bin whose share could spread")
    if draws * _cells(statistic) > MOST_SHARES:
        raise ParameterError(
            f"a band over {_cells(statistic) - 1:,} bins x {draws:,} resamples does not fit into "
            "memory; use fewer bins or resamples"
        )
    tallies = _in_blocks(statistic, draws, rng, workers, progress, _drawn)
    values = np.concatenate([tally.error(statistic) for tally in tallies])
    hits = np.concatenate([tally.hits for tally in tallies], axis=1)
    return values, hits[1:] / statistic.cells.total[1:, None]


def observed(statistic: Statistic) -> float:
    """Return the statistic of the observed labels, through the arithmetic that serves the draws."""
    tally = Tally.empty(statistic, 1)
    tally.add(statistic, slice(None), statistic.actual.astype(np.int32)[:, None])
    return float(tally.error(statistic)[0])


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What labels added up to so far, one column a draw: hits of the cells, sum of the points."""

    hits: Wide
    points: Wide

    @classmethod
    def empty(cls, statistic: Statistic, width: int) -> "Tally":
        """Return a tally of `width` draws before any row."""
        return cls(np.zeros((_cells(statistic), width)), np.zeros(width))

    def add(self, statistic: Statistic, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        if statistic.cells is not None:
            weight = _NO_WEIGHT if statistic.weight is None else statistic.weight[rows]
            add_hits(statistic.cells.number[rows], labels, weight, self.hits)
        if statistic.value is not None:
            add_values(statistic.value[rows], labels, self.points)

    def error(self, statistic: Statistic) -> Wide:
        """Return the statistic of every draw."""
        if statistic.cells is None:
            return self.points
        return self.points + statistic.cells.error(self.hits)


def _in_blocks(
    statistic: Statistic,
    draws: int,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
    task: Callable[[Statistic, int, int, int], Done],
) -> list[Done]:
    """Run one task a block in threads (the kernels release the lock); results in block order.

    Few blocks are handed out ahead, so that a billion draws can be interrupted as a thousand can.
    """
    entropy = entropy_of(rng)
    size = _block_size(statistic)
    threads = whole_number("workers", workers, least=1) if workers is not None else cpu_count() or 1
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Done]] = deque()
    found: list[Done] = []

    def collect() -> None:
        found.append(waiting.popleft().result())
        if progress is not None:
            progress(min(len(found) * size, draws), draws)

    try:
        for block, start in enumerate(range(0, draws, size)):
            if len(waiting) == BLOCKS_AHEAD * threads:
                collect()
            width = min(size, draws - start)
            waiting.append(pool.submit(task, statistic, entropy, block, width))
        while waiting:
            collect()
        return found
    finally:
        pool.shutdown(cancel_futures=True)


def _cells(statistic: Statistic) -> int:
    return 1 if statistic.cells is None else len(statistic.cells.total)


def _block_size(statistic: Statistic) -> int:
    """Keep a block's table of hits within memory where there are very many cells."""
    return max(1, min(DRAWS_PER_BLOCK, LARGEST_BLOCK // _cells(statistic)))


def _drawn(statistic: Statistic, entropy: int, block: int, width: int) -> Tally:
    """Draw all labels `width` times and add them up, a chunk of rows at a time."""
    source = stream(entropy, 0, 0, block)
    tally = Tally.empty(statistic, width)
    uniform = np.empty((ROWS_PER_CHUNK, width))
    labels = np.empty((ROWS_PER_CHUNK, width), np.int32)
    for start in range(0, len(statistic.actual), ROWS_PER_CHUNK):
        rows = slice(start, min(start + ROWS_PER_CHUNK, len(statistic.actual)))
        size = rows.stop - rows.start
        source.random(out=uniform[:size])
        draw_labels(statistic.prob[rows], uniform[:size], labels[:size])
        tally.add(statistic, rows, labels[:size])
    return tally


def _drawn_values(statistic: Statistic, entropy: int, block: int, width: int) -> Wide:
    return _drawn(statistic, entropy, block, width).error(statistic)


_NO_WEIGHT: Wide = np.empty(0)


@compiled
def draw_labels(prob: Floats, uniform: Wide, labels: Ints) -> None:
    """Turn uniform numbers into labels by the renormalised cumulative sums of each row.

    A class of probability 0 is never drawn: the label is the first class whose cumulative sum
    exceeds u times the row's sum, and rounding can only fall back to the last possible class.
    """
    n, k = prob.shape
    width = uniform.shape[1]
    cumulative = np.empty(k)
    for i in range(n):
        total = 0.0
        last = 0
        for c in range(k):
            if prob[i, c] > 0.0:
                last = c
            total += prob[i, c]
            cumulative[c] = total
        if k == 2:  # no search: one comparison the processor does many at a time
            for d in range(width):
                labels[i, d] = min(last, int(uniform[i, d] * total >= cumulative[0]))
        else:
            for d in range(width):
                wanted = uniform[i, d] * total
                low, high = 0, last
                while low < high:
                    middle = (low + high) // 2
                    if cumulative[middle] > wanted:
                        high = middle
                    else:
                        low = middle + 1
                labels[i, d] = low


@compiled
def add_hits(cell: Ints, labels: Ints, weight: Wide, hits: Wide) -> None:
    """Add every row's weight (1 where `weight` is empty) to the cell its label hits, each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i] if len(weight) > 0 else 1.0
        if cell.shape[1] == 2 and cell[i, 0] == 0:  # one cell a row: no jumps, many at a time
            own = hits[cell[i, 1]]
            for d in range(width):
                own[d] += w * labels[i, d]
        else:
            for d in range(width):
                hits[cell[i, labels[i, d]], d] += w


@compiled
def add_values(value: Wide, labels: Ints, sums: Wide) -> None:
    """Add what every row is worth with its label, for each draw."""
    n, width = labels.shape
    for i in range(n):
        for d in range(width):
            sums[d] += value[i, labels[i, d]]
