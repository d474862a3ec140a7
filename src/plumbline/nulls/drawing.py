"""What a statistic's distribution is if the probabilities are true: labels drawn from them."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from typing import TypeVar

import numpy as np

from plumbline._checks import whole_number
from plumbline.calibration import Drawable, Floats, Ints, Statistic, Tally, Wide
from plumbline.compiling import compiled
from plumbline.errors import ParameterError
from plumbline.progress import Progress
from plumbline.resampling import Seed, entropy_of, stream

Done = TypeVar("Done")
Asked = TypeVar("Asked", bound=Drawable)

# Part of the definition of a resampled null, with the stream's key: another size, other draws.
DRAWS_PER_BLOCK = 50
ROWS_PER_CHUNK = 1024
BLOCKS_AHEAD = 4
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
    the seed alone, not on the number of `workers` (threads; default: all cores).
    """
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
    found = _in_blocks(statistic, draws, rng, workers, progress, _drawn_shares)
    values = np.concatenate([value for value, _ in found])
    return values, np.concatenate([share for _, share in found], axis=1)


def observed(statistic: Drawable) -> Wide:
    """Return the statistic of the observed labels, through the arithmetic that serves the draws."""
    tally = statistic.tally(1)
    tally.add(slice(0, len(statistic.actual)), statistic.actual.astype(np.int32)[:, None])
    return tally.values()[..., 0]


def _in_blocks(
    statistic: Asked,
    draws: int,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
    task: Callable[[Asked, int, int, int], Done],
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


def _block_size(statistic: Drawable) -> int:
    """Keep what a block remembers within memory where that is very much for each draw."""
    return max(1, min(DRAWS_PER_BLOCK, LARGEST_BLOCK // statistic.size))


def _draw(statistic: Drawable, tally: Tally, source: np.random.Generator, width: int) -> None:
    """Draw all labels `width` times and add them up, a chunk of rows at a time."""
    uniform = np.empty((ROWS_PER_CHUNK, width))
    labels = np.empty((ROWS_PER_CHUNK, width), np.int32)
    for start in range(0, len(statistic.actual), ROWS_PER_CHUNK):
        rows = slice(start, min(start + ROWS_PER_CHUNK, len(statistic.actual)))
        size = rows.stop - rows.start
        source.random(out=uniform[:size])
        draw_labels(statistic.prob[rows], uniform[:size], labels[:size])
        tally.add(rows, labels[:size])


def _drawn_values(statistic: Drawable, entropy: int, block: int, width: int) -> Wide:
    tally = statistic.tally(width)
    _draw(statistic, tally, stream(entropy, 0, 0, block), width)
    return tally.values()


def _drawn_shares(statistic: Statistic, entropy: int, block: int, width: int) -> tuple[Wide, Wide]:
    tally = statistic.tally(width)
    _draw(statistic, tally, stream(entropy, 0, 0, block), width)
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
