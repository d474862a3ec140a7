"""The resampled null: labels are drawn from the predicted probabilities.

Where many rows enter only through the hits of bins, these are drawn instead: the hits of a bin are
a sum of independent labels, a Poisson-binomial number. Where no two bins share a row, that is
drawing from the same law, at a cost that does not grow with rows times draws. Rows in groups are
always drawn one by one, with the dependence that their residuals show.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.calibration import (
    Cells,
    Drawable,
    Floats,
    Ints,
    ShareTally,
    Statistic,
    Tally,
    Wide,
    counts_of,
    value_of,
)
from plumbline.dependence import Dependence, Strength, dependence_of
from plumbline.dependence.labels import (
    MOST_COUNTED,
    ROWS_PER_CHUNK,
    DependentLabels,
    Streams,
    second_share,
)
from plumbline.errors import ParameterError
from plumbline.jit import MANY_ROWS, compiled, read_only
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream

Done = TypeVar("Done")
AnyDrawable = TypeVar("AnyDrawable", bound=Drawable)

# Part of the definition of a resampled null, with the stream's key: another size, other draws.
DRAWS_PER_BLOCK = 50
BLOCKS_AHEAD = 4  # a thread: enough that none waits, few enough to hold
LABELS_AT_ONCE = 2**18  # of small tables, whose blocks are drawn together; bounds memory
# Up to so many rows blocks are drawn together: what they add up to takes as long as their labels
# (of 1,400 rows an omnibus test of 999 draws takes 17 instead of 23 ms). Of two classes larger
# tables would gain too, of ten they lose (python benchmarks/bench_together.py).
MOST_TOGETHER = 4096
LARGEST_BLOCK = 2**22  # numbers that a block of draws holds: 32 MiB
MOST_SHARES = 10**8  # numbers of a null with shares of every draw, 800 MB


def resampled(
    statistic: Drawable,
    draws: int,
    rng: Seed = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    pooled: Strength | None = None,
) -> Wide:
    """Return `draws` values of the statistic with labels drawn from the predictions held fixed.

    Consistency resampling (Vaicenavicius et al. 2019): row i's label is drawn from its own
    probability vector. The draws are made in blocks with a stream each, so the answer depends on
    the seed alone, not on the number of `workers` (threads; default: all cores). Where many rows
    matter only through the hits of bins, these are drawn instead, from the same distribution.

    Parameters
    ----------
    statistic : Drawable
        A function of the labels, such as `plumbline.calibration.statistic` returns.
    draws : int
        Number of sets of labels.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Threads; by default all cores.
    progress : callable, optional
        Called with (steps done, steps in all).
    pooled : Strength, optional
        How strongly rows of a group depend, where the statistic is of a part of a table whose
        groups tell it. By default its own residuals tell.

    Returns
    -------
    (draws,) or (parts, draws) array
        One value per set of labels; several rows if the statistic has several parts.

    References
    ----------
    Vaicenavicius et al. 2019, Evaluating model calibration in classification.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, statistic
    >>> data = Predictions.from_arrays([0, 1] * 50, [0.3, 0.6] * 50)
    >>> draws = resampled(statistic(data, define_error(data)), 999)
    >>> draws.shape, round(float(draws.mean()), 2)
    ((999,), 0.05)
    """
    if counted_apart(statistic):
        return _of_counts(statistic, draws, rng, progress)[0]
    dependence = dependence_of(statistic, pooled)
    result = _in_blocks(statistic, dependence, draws, rng, workers, progress, _drawn_values)
    return np.concatenate(result, axis=-1)


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
        raise ParameterError(
            "a band of outcome shares needs bins of several rows, got one row per bin",
            code="bins-of-one-score",
        )
    if draws * statistic.size > MOST_SHARES:
        raise ParameterError(
            f"a band over {statistic.size - 1:,} bins x {draws:,} resamples does not fit into "
            "memory; use fewer bins or resamples",
            code="out-of-memory",
        )
    if counted_apart(statistic):
        return _of_counts(statistic, draws, rng, progress)
    dependence = dependence_of(statistic)
    result = _in_blocks(statistic, dependence, draws, rng, workers, progress, _drawn_shares)
    values = np.concatenate([value for value, _ in result])
    return values, np.concatenate([share for _, share in result], axis=1)


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
    """Return the statistic of the observed labels, through the arithmetic that serves the draws.

    Parameters
    ----------
    statistic : Drawable
        A function of the labels, such as `plumbline.calibration.statistic` returns.

    Returns
    -------
    () or (parts,) array
        The value, or that of every part.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, statistic
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> round(float(observed(statistic(data, define_error(data, bins=2)))), 3)
    0.3
    """
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


def _batches(statistic: Drawable, dependence: Dependence | None, draws: int) -> Iterator[Batch]:
    """Yield blocks, several at once where the rows are few: they cost little but their start."""
    sums = statistic.size if dependence is None else max(statistic.size, dependence.groups.count)
    size = max(1, min(DRAWS_PER_BLOCK, LARGEST_BLOCK // sums))
    rows = len(statistic.actual)
    held = size * max(min(rows, ROWS_PER_CHUNK), 1)
    most = 1 if rows > MOST_TOGETHER else max(1, LABELS_AT_ONCE // held)
    widths = [min(size, draws - start) for start in range(0, draws, size)]
    for first in range(0, len(widths), most):
        yield Batch(first, tuple(widths[first : first + most]))


def _in_blocks(
    statistic: AnyDrawable,
    dependence: Dependence | None,
    draws: int,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
    task: Callable[[AnyDrawable, Dependence | None, int, Batch], Done],
) -> list[Done]:
    """Run one task a batch in threads (the kernels release the lock); results in block order.

    Few batches are handed out ahead, so that a billion draws can be interrupted as a thousand can.
    """
    entropy = entropy_of(rng)
    threads = whole_number("workers", workers, least=1) if workers is not None else cpu_count() or 1
    batches = list(_batches(statistic, dependence, draws))
    result: list[Done] = []
    done = 0
    if threads == 1 or len(batches) == 1:  # a thread would cost more than it saves
        for batch in batches:
            result.append(task(statistic, dependence, entropy, batch))
            done += batch.width
            if progress is not None:
                progress(done, draws)
        return result
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[Future[Done], int]] = deque()

    def collect() -> int:
        future, width = waiting.popleft()
        result.append(future.result())
        if progress is not None:
            progress(done + width, draws)
        return done + width

    try:
        for batch in batches:
            if len(waiting) == BLOCKS_AHEAD * threads:
                done = collect()
            waiting.append((pool.submit(task, statistic, dependence, entropy, batch), batch.width))
        while waiting:
            done = collect()
        return result
    finally:
        pool.shutdown(cancel_futures=True)


def _draw(
    statistic: Drawable, tally: Tally, dependence: Dependence | None, entropy: int, batch: Batch
) -> None:
    """Draw all labels for every draw of a batch and add them up, a chunk of rows at a time."""
    count = counts_of(statistic)
    if count is not None:
        _draw_counts(statistic, count, cast(ShareTally, tally), entropy, batch)
        return
    source: DependentLabels
    if dependence is None:
        source = IndependentLabels(statistic.prob, Streams(entropy, batch.first, batch.widths))
    else:
        source = dependence.labels(entropy, batch.first, batch.widths)
    labels = np.empty((min(ROWS_PER_CHUNK, len(statistic.actual)), batch.width), np.int32)
    for start in range(0, len(statistic.actual), ROWS_PER_CHUNK):
        rows = slice(start, min(start + ROWS_PER_CHUNK, len(statistic.actual)))
        size = rows.stop - rows.start
        source.draw(rows, labels[:size])
        tally.add(rows, labels[:size])


class IndependentLabels:
    """Labels of independent rows, of consecutive blocks of draws."""

    def __init__(self, prob: Floats, streams: Streams) -> None:
        self.prob, self.streams = prob, streams
        self.sources = streams.of_rows()
        self.uniform = np.empty((min(ROWS_PER_CHUNK, len(prob)), streams.width))

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows."""
        numbers = np.random.Generator.random
        uniform = self.streams.filled(len(labels), self.sources, numbers, self.uniform)
        draw_labels(
            *read_only(self.prob[rows].astype(np.float64, "C", copy=False)), uniform, labels
        )


def _draw_counts(
    statistic: Drawable, count: Wide, tally: ShareTally, entropy: int, batch: Batch
) -> None:
    """Draw how many of the rows that each row stands for have the second class."""
    shares = np.empty((min(ROWS_PER_CHUNK, len(count)), batch.width))
    sources = [stream(entropy, 0, 0, batch.first + i) for i in range(len(batch.widths))]
    ends = np.cumsum(batch.widths).tolist()
    for start in range(0, len(count), ROWS_PER_CHUNK):
        rows = slice(start, min(start + ROWS_PER_CHUNK, len(count)))
        size = rows.stop - rows.start
        trials = count[rows].astype(np.int64)
        hit = second_share(statistic.prob[rows])
        for source, width, end in zip(sources, batch.widths, ends, strict=True):
            shares[:size, end - width : end] = source.random((size, width))
        many = np.flatnonzero(binomial_at(trials, hit, shares[:size]))
        for source, width, end in zip(sources, batch.widths, ends, strict=True):
            if len(many):
                drawn = source.binomial(trials[many, None], hit[many, None], (len(many), width))
                shares[many, end - width : end] = drawn
        shares[:size] /= np.maximum(trials, 1)[:, None]
        tally.add_shares(rows, shares[:size])


LISTED = 512  # numbers of hits that are listed: those of rows with a variance up to about 1,000
LEFT_OUT = 1e-18  # probability of a number of hits, beside the likeliest, that is not listed
# Up to so many listed numbers it is faster to count those below a uniform number, many at a time,
# than to search for it, where a processor guesses wrongly: 2.7 instead of 11 ns a number of 10
# trials, 20 instead of 29 of 100; of 400, with 180 listed, 42 instead of 39
# (python benchmarks/bench_labels.py).
MOST_LISTED_COUNTED = 128


@compiled
def binomial_at(trials: NDArray[np.int64], hit: Wide, uniform: Wide) -> NDArray[np.bool_]:
    """Replace (n, draws) uniform numbers by the hits of binomial rows; tell which are left as is.

    The probabilities of a row are listed once for all its draws, which takes a fifth of the time
    of numpy's `binomial`; of rows with a long list numbers stay, to be drawn in another way.
    """
    left = np.zeros(len(trials), np.bool_)
    below, above = np.empty(LISTED), np.empty(LISTED)
    wanted = np.empty(uniform.shape[1])
    for i in range(len(trials)):
        n, p = trials[i], hit[i]
        if n <= 0 or p <= 0.0:
            uniform[i, :] = 0.0
            continue
        if p >= 1.0:
            uniform[i, :] = n
            continue
        odds, mode = p / (1.0 - p), int((n + 1) * p)
        mode = min(mode, n)
        down, up = 0, 0
        part = 1.0
        while down < mode and down < LISTED:
            part *= (mode - down) / ((n - mode + down + 1) * odds)
            if part < LEFT_OUT:
                break
            below[down] = part
            down += 1
        part = 1.0
        while up < n - mode and up < LISTED:
            part *= (n - mode - up) * odds / (mode + up + 1)
            if part < LEFT_OUT:
                break
            above[up] = part
            up += 1
        size = down + up + 1
        if size > LISTED:
            left[i] = True
            continue
        # From the lowest number on: above[k] becomes P(hits <= first + k), but for a factor.
        total = 0.0
        for k in range(up - 1, -1, -1):
            above[k + down + 1] = above[k]
        above[down] = 1.0
        for k in range(down):
            above[k] = below[down - 1 - k]
        for k in range(size):
            total += above[k]
            above[k] = total
        first = mode - down
        for d in range(uniform.shape[1]):
            wanted[d] = uniform[i, d] * total
        if size <= MOST_LISTED_COUNTED:
            uniform[i, :] = first
            for k in range(size - 1):
                so_far = above[k]
                for d in range(uniform.shape[1]):
                    uniform[i, d] += np.float64(wanted[d] >= so_far)
            continue
        for d in range(uniform.shape[1]):
            low, high = 0, size - 1
            while low < high:
                middle = (low + high) // 2
                if above[middle] > wanted[d]:
                    high = middle
                else:
                    low = middle + 1
            uniform[i, d] = first + low
    return left


def _drawn_values(
    statistic: Drawable, dependence: Dependence | None, entropy: int, batch: Batch
) -> Wide:
    tally = statistic.tally(batch.width)
    _draw(statistic, tally, dependence, entropy, batch)
    return tally.values()


def _drawn_shares(
    statistic: Statistic, dependence: Dependence | None, entropy: int, batch: Batch
) -> tuple[Wide, Wide]:
    tally = statistic.tally(batch.width)
    _draw(statistic, tally, dependence, entropy, batch)
    return tally.values(), tally.shares()


@compiled
def draw_labels(prob: Floats, uniform: Wide, labels: Ints) -> None:
    """Turn uniform numbers into labels by the renormalised cumulative sums of each row.

    A class of probability 0 is never drawn: the label is the first class whose cumulative sum
    exceeds u times the row's sum, and rounding can only fall back to the last possible class.
    """
    n, k = prob.shape
    width = uniform.shape[1]
    cumulative, wanted = np.empty(k), np.empty(width)
    found = np.empty(width, np.int32)
    for i in range(n):
        total = 0.0
        last = 0
        for c in range(k):
            if prob[i, c] > 0.0:
                last = c
            total += prob[i, c]
            cumulative[c] = total
        if k == 2:  # one comparison
            for d in range(width):
                labels[i, d] = min(last, int(uniform[i, d] * total >= cumulative[0]))
            continue
        if k > MOST_COUNTED:
            for d in range(width):
                labels[i, d] = np.searchsorted(cumulative[:last], uniform[i, d] * total, "right")
            continue
        for d in range(width):
            wanted[d], found[d] = uniform[i, d] * total, 0
        for c in range(last):
            sum_so_far = cumulative[c]
            for d in range(width):
                found[d] += np.int32(wanted[d] >= sum_so_far)
        for d in range(width):
            labels[i, d] = found[d]


MOST_APART = 2_000  # bins whose distributions of hits are worth computing one by one
LEAST_ROWS = 1024  # with fewer, drawing labels is as quick
FORGOTTEN = 1e-16  # probability that a distribution may leave out, on both sides together
LARGEST_STEP = 0.5  # |p (e^iw - 1)| up to which a logarithm is summed as a power series
NUMBERS_AT_ONCE = 2**22  # 32 MiB of float64
ROWS_AT_ONCE = 2**17  # rows whose distributions are made together; bounds memory


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
    if statistic.groups is not None:  # the hits of a bin are no sum of independent labels
        return False
    if statistic.value is not None or statistic.prob.shape[1] != 2:
        return False
    if statistic.cells.number[:, 0].any():
        return False
    if statistic.counted:
        return True
    if len(statistic.actual) < LEAST_ROWS:
        return False
    weight = statistic.weight
    return weight is None or bool(np.ptp(weight) == 0)


def by_bins(what: object) -> bool:
    """Tell whether counted rows are drawn by the hits of few bins, at no cost for each row."""
    return counted_apart(what) and isinstance(what, Statistic) and what.size <= MOST_APART


def drawn_hits(
    statistic: Statistic, cells: Cells, draws: int, source: np.random.Generator
) -> Iterator[Wide]:
    """Yield (cells, some) weights of the hits until there are `draws` of them."""
    times = statistic.count
    unit = 1.0
    if times is None and statistic.weight is not None:
        unit = float(statistic.weight[0])
    share = second_share(statistic.prob)
    counts = hit_counts(share, cells.number[:, 1], len(cells.total), times)
    width = max(1, NUMBERS_AT_ONCE // len(cells.total))
    for start in range(0, draws, width):
        size = min(width, draws - start)
        hits = np.zeros((len(cells.total), size))
        uniform = source.random((len(cells.total), size))
        for j, count in enumerate(counts):
            hits[j + 1] = unit * count.at(uniform[j + 1])
        yield hits


def hit_counts(
    prob: Wide, cell: NDArray[np.integer[Any]], size: int, times: Wide | None = None
) -> list[HitCounts]:
    """Return the distribution of the hits of the cells 1 .. size - 1.

    `prob` (n,) is the probability of a hit, `cell` (n,) the cell of every row, `times` (n,) how
    many identical rows it stands for. The distribution function is right to about 1e-13.
    """
    sums = _CellSums.of(prob, cell, size, times)
    turned = sums.mean > 0.5 * sums.rows  # misses are counted where they are the rarer
    plans = [
        _Plan.of(int(rows), float(min(mean, rows - mean)), float(variance))
        for rows, mean, variance in zip(sums.rows, sums.mean, sums.variance, strict=True)
    ][1:]
    largest = np.where(turned, 1.0 - sums.least, sums.most)
    step = np.array([0.0, *(plan.step for plan in plans)]) * largest
    logs = _log_transforms(prob, cell, turned, plans, step, times)
    return [
        plan.counts(log, turned=bool(turned[j + 1]))
        for j, (plan, log) in enumerate(zip(plans, logs, strict=True))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _CellSums:
    """Of each cell the rows, the mean and variance of its hits, and its least and largest p."""

    rows: Wide
    mean: Wide
    variance: Wide
    least: Wide
    most: Wide

    @classmethod
    def of(
        cls, prob: Wide, cell: NDArray[np.integer[Any]], size: int, times: Wide | None
    ) -> "_CellSums":
        rows, mean, variance, most = np.zeros((4, size))
        sums = cls(rows, mean, variance, np.ones(size), most)
        for part in _chunks(prob):
            p, own = prob[part], cell[part].astype(np.intp)
            count = None if times is None else times[part]
            if len(prob) >= MANY_ROWS:
                added = np.zeros((3, size))
                one_each = np.empty(0) if count is None else count
                add_moments(*read_only(p, own, one_each), added, sums.least, sums.most)
                for total, more in zip((sums.rows, sums.mean, sums.variance), added, strict=True):
                    total += more
                continue
            sums.rows[:] += np.bincount(own, count, size)
            sums.mean[:] += np.bincount(own, _counted(p, count), size)
            sums.variance[:] += np.bincount(own, _counted(p * (1.0 - p), count), size)
            np.minimum.at(sums.least, own, p)
            np.maximum.at(sums.most, own, p)
        return sums


@compiled
def add_moments(
    prob: Wide, cell: NDArray[np.intp], times: Wide, sums: Wide, least: Wide, most: Wide
) -> None:
    """Add rows to (3, cells) numbers of rows, means and variances; note the least and largest p."""
    for i in range(len(prob)):
        p, j = prob[i], cell[i]
        w = times[i] if len(times) > 0 else 1.0
        sums[0, j] += w
        sums[1, j] += p * w
        sums[2, j] += (p * (1.0 - p)) * w
        least[j], most[j] = min(least[j], p), max(most[j], p)


@compiled
def add_powers(
    prob: Wide, cell: NDArray[np.intp], times: Wide, turned: NDArray[np.bool_], sums: Wide
) -> None:
    """Add the powers p, p^2, ... of every row, times its rows, to (cells, terms) sums."""
    for i in range(len(prob)):
        j = cell[i]
        rare = 1.0 - prob[i] if turned[j] else prob[i]
        power = times[i] if len(times) > 0 else 1.0
        for r in range(sums.shape[1]):
            power *= rare
            sums[j, r] += power


def _chunks(rows: Wide) -> Iterator[slice]:
    """Yield some rows at a time, so that many rows need little memory."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield slice(start, start + ROWS_AT_ONCE)


def _counted(values: Wide, times: Wide | None) -> Wide:
    return values if times is None else values * times


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
    prob: Wide,
    cell: NDArray[np.integer[Any]],
    turned: NDArray[np.bool_],
    plans: list[_Plan],
    step: Wide,
    times: Wide | None,
) -> Iterator[NDArray[np.complex128]]:
    """Yield, cell by cell, sum log(1 + p (e^iw - 1)) over its rows at its plan's frequencies.

    p is 1 - `prob` in cells that are `turned`.
    """
    series = step <= LARGEST_STEP
    most = float(step[series].max(initial=0.0))
    terms = max(1, int(np.ceil(np.log(FORGOTTEN) / np.log(max(most, 1e-3)))))
    sums = np.zeros((terms, len(step)))
    for part in _chunks(prob):
        own = cell[part].astype(np.intp)
        if len(prob) >= MANY_ROWS:
            added, count = np.zeros(sums.T.shape), np.empty(0) if times is None else times[part]
            add_powers(*read_only(prob[part], own, count, turned), added)
            sums += added.T
            continue
        rare = np.where(turned[own], 1.0 - prob[part], prob[part])
        power = np.ones(len(own)) if times is None else times[part].copy()
        for term in sums:
            power *= rare
            term += np.bincount(own, power, len(step))
    r = np.arange(1, terms + 1)
    for j, plan in enumerate(plans, start=1):
        z = np.expm1(1j * plan.frequency)
        if series[j]:
            yield (-((-z[:, None]) ** r) / r * sums[:, j]).sum(axis=1)
        else:
            own = cell == j
            rare = 1.0 - prob[own] if turned[j] else prob[own]
            yield _by_rows(rare, z, None if times is None else times[own])


def _by_rows(rare: Wide, z: NDArray[np.complex128], counts: Wide | None) -> NDArray[np.complex128]:
    """Return sum log(1 + p z) over rows, some rows at a time; equal probabilities once."""
    prob, times = _distinct(rare, counts)
    result = np.zeros(len(z), np.complex128)
    size = max(1, NUMBERS_AT_ONCE // max(len(z), 1))
    for start in range(0, len(prob), size):
        part = slice(start, start + size)
        with np.errstate(divide="ignore"):  # p = 1/2 at the half turn: never hit an even number
            result += times[part] @ np.log1p(prob[part, None] * z)
    return result


def _distinct(prob: Wide, counts: Wide | None) -> tuple[Wide, NDArray[Any]]:
    """Return the distinct probabilities, and how many rows have each."""
    if counts is None:
        return np.unique(prob, return_counts=True)
    distinct, home = np.unique(prob, return_inverse=True)
    return distinct, np.bincount(home, counts, len(distinct))
