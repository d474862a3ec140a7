"""Rows drawn anew: which are drawn together, drawing in threads, percentiles of the drawings."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.rows import Rows
from plumbline.predictions.labels import Labels
from plumbline.progress import Progress
from plumbline.random_streams import bootstrap_counts, stream

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

BOOTSTRAP = 4  # first number of the key of these streams
PER_STREAM = 10  # replicates; fixed, so that results do not depend on the number of threads
WORTH_THREADS = 20_000  # units
AHEAD = 2  # streams a thread that are handed out before their turn


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn with replacement: rows, or examples with all rows there are of them.

    Attributes
    ----------
    count : how many
    of_row : (n,) number of the unit of every row, None where every row is its own
    """

    count: int
    of_row: Ints | None = None

    def weights(self, counts: Floats, weight: Floats | None) -> Floats:
        """Return the (n,) weights of rows whose units were drawn so often."""
        drawn = counts if self.of_row is None else counts[self.of_row]
        return drawn if weight is None else drawn * weight


def units_of(rows: Rows) -> Units:
    """Return the examples where the table tells them apart (`row`) and repeats them, else the rows.

    An example predicted in several repeats is one draw from the population, not several.
    """
    if rows.data.row is None:
        return Units(rows.n)
    codes = Labels.of("row", rows.kept(rows.data.row)).codes.astype(np.intp)
    count = int(codes.max()) + 1
    return Units(rows.n) if count == rows.n else Units(count, codes)


def replicates(
    make: Callable[[Floats], Floats],
    *,
    units: int,
    resamples: int,
    entropy: int,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Floats:
    """Return (resamples, m) values of `make`, of as many drawings of the units with replacement.

    `make` takes the (units,) counts of one drawing and returns (m,) values. Of many units it runs
    in threads, as most of its work leaves the interpreter; no drawing depends on their number.
    """
    blocks = -(-resamples // PER_STREAM)

    def block(number: int) -> list[Floats]:
        rng = stream(entropy, BOOTSTRAP, number)
        width = min(PER_STREAM, resamples - number * PER_STREAM)
        return [make(bootstrap_counts(rng, units)) for _ in range(width)]

    found: list[Floats] = []
    usual = 1 if units < WORTH_THREADS else cpu_count() or 1
    for made in _in_threads(block, blocks, workers or usual):
        found += made
        if progress is not None:
            progress(len(found), resamples)
    return np.array(found)


def _in_threads(
    block: Callable[[int], list[Floats]], count: int, threads: int
) -> Iterator[list[Floats]]:
    """Yield what the blocks make, in their order; few are handed out ahead, so Ctrl-C is heeded."""
    if threads == 1 or count == 1:
        yield from map(block, range(count))
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[list[Floats]]] = deque()
    try:
        for number in range(count):
            if len(waiting) == AHEAD * threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(block, number))
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def percentiles(values: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the (m,) ends of the middle `level` of (r, m) replicates, between order statistics.

    Undefined replicates are left out of a place's percentiles; where more than half are, both ends
    are NaN.

    >>> percentiles(np.arange(101.0)[:, None], 0.95)
    (array([2.5]), array([97.5]))
    """
    ordered = np.sort(np.where(np.isfinite(values), values, np.nan), axis=0)  # NaN last
    defined = np.count_nonzero(~np.isnan(ordered), axis=0)
    ends = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        at = share * np.maximum(defined - 1, 0)
        below = np.floor(at).astype(np.intp)
        above = np.minimum(below + 1, np.maximum(defined - 1, 0))
        low, high = (np.take_along_axis(ordered, k[None], axis=0)[0] for k in (below, above))
        ends.append(np.where(2 * defined < len(values), np.nan, low + (high - low) * (at - below)))
    return ends[0], ends[1]
