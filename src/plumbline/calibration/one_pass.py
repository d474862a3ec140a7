"""The expected calibration error of plain arrays in one pass, where the arrays allow it.

Only sum (y - p) of every bin is needed: sum_b |sum_{i in b} (y_i - p_i)| / n. What is odd about the
arrays, and every wrong number in them, is left to the whole way through `Predictions`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Wide
from plumbline.jit import compiled_with

LEAST_NUMBERS = 100_000  # with fewer, the whole way takes less time than a kernel takes to load
MOST_BINS = 1_000  # of more bins all goes the whole way; a convention
ABREAST = 256  # rows whose bins are found at once
LANES = 4  # sums of every bin, so that rows of one bin need not wait for each other
BLOCKS = 8  # of rows, each with sums of its own, so that the machine does not show in the answer

Array = NDArray[Any]


def error_in_one_pass(actual: Any, prob: Any, bins: int) -> float | None:
    """Return the error with bins of equal width, of one event or of the most likely class.

    None where the arrays are small or anything about them is odd.
    """
    whole = type(prob) is np.ndarray and prob.ndim == 2
    return (top_label_error if whole else binary_error)(actual, prob, bins)


def binary_error(event: Any, score: Any, bins: int) -> float | None:
    """Return the error with bins of equal width; None where the whole way must be taken.

    event : (n,) 0 and 1, whole numbers or booleans; score : (n,) probabilities, float32 or float64.

    >>> rng = np.random.default_rng(0)
    >>> round(binary_error(rng.integers(0, 2, 200_000), rng.random(200_000), 15), 2)
    0.25
    """
    if not (_plain(event, "biu", 1) and _plain(score, "f", 1) and len(event) == len(score)):
        return None
    edge = _edges(bins, score.dtype)
    if edge is None or score.size < LEAST_NUMBERS:
        return None
    event = event.view(np.int8) if event.dtype.kind == "b" else event

    def add(part: slice, sums: Wide) -> bool:
        return bool(add_gaps(event[part], score[part], edge, sums))

    return _in_threads(len(score), bins, add)


def top_label_error(actual: Any, prob: Any, bins: int) -> float | None:
    """Return the error of the most likely class; None where the whole way must be taken.

    actual : (n,) whole numbers 0 .. k - 1; prob : (n, k) probabilities of k > 2 classes by row.
    """
    if not (_plain(actual, "iu", 1) and _plain(prob, "f", 2) and len(actual) == len(prob)):
        return None
    edge = _edges(bins, prob.dtype)
    if edge is None or prob.size < LEAST_NUMBERS or prob.shape[1] < 3:
        return None
    off = prob.dtype.type(np.sqrt(np.finfo(prob.dtype).eps) / 2)  # beyond, an exact sum must decide

    def add(part: slice, sums: Wide) -> bool:
        return bool(add_top_gaps(actual[part], prob[part], edge, off, sums))

    return _in_threads(len(prob), bins, add)


def _plain(array: Any, kinds: str, dimensions: int) -> bool:
    """Tell whether an array is what a kernel takes as it is."""
    return (
        type(array) is np.ndarray
        and array.ndim == dimensions
        and array.dtype.kind in kinds
        and array.dtype.itemsize <= 8
        and array.dtype != np.float16
        and array.dtype.isnative
        and array.flags.c_contiguous
    )


def _edges(bins: int, kind: "np.dtype[Any]") -> Array | None:
    """Return the edges if floor(p b) is at most one above the bin of p, and never below it."""
    if not 1 <= bins <= MOST_BINS:
        return None
    edge = (np.arange(bins + 1) / bins).astype(kind)
    above = np.nextafter(edge[:-1], edge.dtype.type(2))
    return (
        edge if np.array_equal(np.floor(above * edge.dtype.type(bins)), np.arange(bins)) else None
    )


def _in_threads(n: int, bins: int, add: Callable[[slice, Wide], bool]) -> float | None:
    """Add up the gaps of all rows, some in each thread; None where a kernel refuses a row."""
    ends = np.linspace(0, n, BLOCKS + 1).astype(int)
    sums = np.zeros((BLOCKS, LANES, bins + 2 + 64 // 8))  # no two threads in one cache line

    def part(number: int) -> bool:
        return add(slice(ends[number], ends[number + 1]), sums[number])

    with ThreadPoolExecutor(min(cpu_count() or 1, BLOCKS)) as pool:
        if not all(pool.map(part, range(BLOCKS))):
            return None
    whole = sums.sum(axis=(0, 1))[: bins + 1]
    whole[1] += whole[0]  # scores of 0 are in the first bin
    return float(np.abs(whole[1:]).sum() / n)


@compiled_with()
def add_gaps(event: Array, score: Array, edge: Array, sums: Wide) -> bool:
    """Add y - p to the sum of its bin, numbered from 1; tell whether all y and p are sound."""
    n = len(score)
    bins = score.dtype.type(len(edge) - 1)
    bits = event.dtype.type(0)  # bits of all y: 0 or 1 if every y is
    home = np.empty(ABREAST, np.uint32)
    for start in range(0, n, ABREAST):
        y, p = event[start : start + ABREAST], score[start : start + ABREAST]
        rows, odd = len(p), 0
        for i in range(rows):  # without a branch, so that it is done for many rows at once
            odd += not (p[i] >= 0.0 and p[i] <= 1.0)
            home[i] = np.uint32(np.int32(p[i] * bins))
            bits |= y[i]
        if odd:
            return False
        for i in range(rows):
            j = np.uintp(home[i])
            j += np.uintp(p[i] > edge[j])
            sums[np.uintp(i % LANES), j] += y[i] - np.float64(p[i])
    return bool(bits == 0 or bits == 1)


@compiled_with()
def add_top_gaps(actual: Array, prob: Array, edge: Array, off: Any, sums: Wide) -> bool:
    """Add whether the most likely class is right, less its probability, to the sum of its bin.

    Tells whether all rows are sound: probabilities in [0, 1] that add up to 1 within `off`.
    """
    n, k = prob.shape
    bins = prob.dtype.type(len(edge) - 1)
    for i in range(n):
        row = prob[i]
        own = actual[i]
        if not (abs(row_sum(row) - 1) <= off and own >= 0 and own < k):
            return False
        least, p = extremes(row)
        if not (least >= 0 and p <= 1):
            return False
        right = row[own] == p
        if right:
            for c in range(own):  # on ties the first class is the answer
                if row[c] == p:
                    right = False
        j = int(p * bins)
        j -= int(p <= edge[j])
        sums[i % 4, j + 1] += int(right) - np.float64(p)
    return True


@compiled_with("reassoc", "nsz")
def row_sum(row: Array) -> Any:
    """Return the sum of a row, in its own precision; NaN where it holds one."""
    total = row.dtype.type(0)
    for c in range(len(row)):
        total += row[c]
    return total


@compiled_with("reassoc", "nsz", "nnan")
def extremes(row: Array) -> Any:
    """Return the smallest and the largest number of a row that holds no NaN."""
    low, high = row[0], row[0]
    for c in range(len(row)):
        low, high = min(low, row[c]), max(high, row[c])
    return low, high
