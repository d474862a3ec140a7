"""What a statistic's distribution is if the probabilities are true: labels drawn from them."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import TypeVar

import numpy as np

from plumbline._checks import whole_number
from plumbline.calibration import Drawable, Floats, Ints, Statistic, Tally, Wide, value_of
from plumbline.errors import ParameterError
from plumbline.jit import compiled
from plumbline.nulls.counts import counted_apart, drawn_hits
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream

Done = TypeVar("Done")
Asked = TypeVar("Asked", bound=Drawable)

# Part of the definition of a resampled null, with the stream's key: another size, other draws.
DRAWS_PER_BLOCK = 50
ROWS_PER_CHUNK = 1024
BLOCKS_AHEAD = 4
LABELS_AT_ONCE = 2**18
LARGEST_BLOCK = 2**22
MOST_SHARES = 10**8


def resampled(
    statistic: Drawable,
    draws: int,
    rng: Seed = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Wide:
    """Return `draws` values of the statistic with labels drawn from the predictions held fixed.

    They are (draws,), or (parts, draws) where the statistic has several parts.

    Consistency resampling (Vaicenavicius et al. 2019): row i's label is drawn from its own
    probability vector. The draws are made in blocks with a stream each, so the answer depends on
    the seed alone, not on the number of `workers` (threads; default: all cores). Where many rows
    are seen only through the hits of bins, these are drawn instead, which is the same law.
    """
    if counted_apart(statistic):
        return _of_counts(statistic, draws, rng, progress)[0]
    found = _in_blocks(statistic, draws, rng, workers, progress, _drawn_values)
    return np.concatenate(found, axis=-1)


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
    if draws * statistic.size > MOST_SHARES:
        raise ParameterError(
            f"a band over {statistic.size - 1:,} bins x {draws:,} resamples does not fit into "
            "memory; use fewer bins or resamples"
        )
    if counted_apart(statistic):
        return _of_counts(statistic, draws, rng, progress)
    found = _in_blocks(statistic, draws, rng, workers, progress, _drawn_shares)
    values = np.concatenate([value for value, _ in found])
    return values, np.concatenate([share for _, share in found], axis=1)


def _of_counts(
    statistic: Drawable, draws: int, rng: Seed, progress: Progress | None
) -> tuple[Wide, Wide]:
    """Return (draws,) values and (cells, draws) shares, from hits drawn bin by bin."""
    if not isinstance(statistic, Statistic) or statistic.cells is None:
        raise TypeError("only a binned statistic has hits")
    cells, done = statistic.cells, 0
    values, shares = [], []
    for hits in drawn_hits(statistic, cells, draws, stream(entropy_of(rng), 0, 1)):
        values.append(cells.error(hits))
        shares.append(hits[1:] / cells.total[1:, None])
        done += hits.shape[1]
        if progress is not None:
            progress(done, draws)
    return np.concatenate(values), np.concatenate(shares, axis=1)


def observed(statistic: Drawable) -> Wide:
    """Return the statistic of the observed labels, through the arithmetic that serves the draws."""
    if isinstance(statistic, Statistic) and statistic.value is None:
        return np.asarray(value_of(statistic))  # the same sums and the same error, without a kernel
    tally = statistic.tally(1)
    tally.add(slice(0, len(statistic.actual)), statistic.actual.astype(np.int32)[:, None])
    return tally.values()[..., 0]


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive blocks that one task draws: their number and the draws of each."""

    first: int
    widths: tuple[int, ...]

    @property
    def width(self) -> int:
        """Draws of all blocks together."""
        return sum(self.widths)

    def sources(self, entropy: int) -> list[np.random.Generator]:
        """Return the stream of every block."""
        return [stream(entropy, 0, 0, self.first + i) for i in range(len(self.widths))]


def _batches(statistic: Drawable, draws: int) -> Iterator[Batch]:
    """Yield blocks, several at once where the rows are few: they cost little but their start."""
    size = max(1, min(DRAWS_PER_BLOCK, LARGEST_BLOCK // statistic.size))
    rows = len(statistic.actual)
    most = 1 if rows > ROWS_PER_CHUNK else max(1, LABELS_AT_ONCE // (size * max(rows, 1)))
    widths = [min(size, draws - start) for start in range(0, draws, size)]
    for first in range(0, len(widths), most):
        yield Batch(first, tuple(widths[first : first + most]))


def _in_blocks(
    statistic: Asked,
    draws: int,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
    task: Callable[[Asked, int, Batch], Done],
) -> list[Done]:
    """Run one task a batch in threads (the kernels release the lock); results in block order.

    Few batches are handed out ahead, so that a billion draws can be interrupted as a thousand can.
    """
    entropy = entropy_of(rng)
    threads = whole_number("workers", workers, least=1) if workers is not None else cpu_count() or 1
    batches = list(_batches(statistic, draws))
    if threads == 1 or len(batches) == 1:  # a thread would cost more than it saves
        return list(_in_turn(statistic, entropy, batches, progress, task))
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[Future[Done], int]] = deque()
    found: list[Done] = []
    done = 0

    def collect() -> int:
        future, width = waiting.popleft()
        found.append(future.result())
        if progress is not None:
            progress(done + width, draws)
        return done + width

    try:
        for batch in batches:
            if len(waiting) == BLOCKS_AHEAD * threads:
                done = collect()
            waiting.append((pool.submit(task, statistic, entropy, batch), batch.width))
        while waiting:
            done = collect()
        return found
    finally:
        pool.shutdown(cancel_futures=True)


def _in_turn(
    statistic: Asked,
    entropy: int,
    batches: Sequence[Batch],
    progress: Progress | None,
    task: Callable[[Asked, int, Batch], Done],
) -> Iterator[Done]:
    done, draws = 0, sum(batch.width for batch in batches)
    for batch in batches:
        yield task(statistic, entropy, batch)
        done += batch.width
        if progress is not None:
            progress(done, draws)


def _draw(statistic: Drawable, tally: Tally, entropy: int, batch: Batch) -> None:
    """Draw all labels for every draw of a batch and add them up, a chunk of rows at a time."""
    most = min(ROWS_PER_CHUNK, len(statistic.actual))
    uniform = np.empty((most, batch.width))
    labels = np.empty((most, batch.width), np.int32)
    sources = batch.sources(entropy)
    ends = np.cumsum(batch.widths).tolist()
    for start in range(0, len(statistic.actual), ROWS_PER_CHUNK):
        rows = slice(start, min(start + ROWS_PER_CHUNK, len(statistic.actual)))
        size = rows.stop - rows.start
        for source, width, end in zip(sources, batch.widths, ends, strict=True):
            uniform[:size, end - width : end] = source.random((size, width))
        draw_labels(statistic.prob[rows], uniform[:size], labels[:size])
        tally.add(rows, labels[:size])


def _drawn_values(statistic: Drawable, entropy: int, batch: Batch) -> Wide:
    tally = statistic.tally(batch.width)
    _draw(statistic, tally, entropy, batch)
    return tally.values()


def _drawn_shares(statistic: Statistic, entropy: int, batch: Batch) -> tuple[Wide, Wide]:
    tally = statistic.tally(batch.width)
    _draw(statistic, tally, entropy, batch)
    return tally.values(), tally.shares()


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
