"""Labels of several classes, binomial numbers: counting cumulative sums beside a search for each.

python benchmarks/bench_labels.py
"""

import time
from statistics import median

import numba
import numpy as np
from timing import compare, finish

from plumbline.nulls import draw_labels, resampling

ROWS, DRAWS = 512, 50
CLASSES = (3, 10, 20, 50, 100, 200, 400)
TRIALS = (10, 30, 100, 200, 400, 800)


def nanoseconds(prob: np.ndarray, uniform: np.ndarray, most_counted: int) -> float:
    """Return the processor time of a label where up to so many classes are counted."""
    resampling.MOST_COUNTED = most_counted  # a constant of the kernel, which is compiled anew
    kernel = numba.njit(nogil=True)(draw_labels.function)
    labels = np.empty(uniform.shape, np.int32)
    spent = []
    for _ in range(21):
        start = time.process_time()
        kernel(prob, uniform, labels)
        spent.append(time.process_time() - start)
    return 1e9 * median(spent[1:]) / labels.size


def nanoseconds_of_hits(trials: int, uniform: np.ndarray, most_counted: int) -> float:
    """Return the processor time of a binomial number where lists up to so long are counted."""
    resampling.MOST_LISTED_COUNTED = most_counted
    kernel = numba.njit(nogil=True)(resampling.binomial_at.function)
    times, hit = np.full(len(uniform), trials), np.full(len(uniform), 0.5)
    spent = []
    for _ in range(21):
        drawn = uniform.copy()
        start = time.process_time()
        kernel(times, hit, drawn)
        spent.append(time.process_time() - start)
    return 1e9 * median(spent[1:]) / uniform.size


def main() -> None:
    """Print both ways for some numbers of classes, and of trials."""
    rng = np.random.default_rng(0)
    for k in CLASSES:
        odds = np.exp(2 * rng.normal(size=(ROWS, k)))
        prob = np.asfortranarray(odds / odds.sum(axis=1, keepdims=True))
        uniform = rng.random((ROWS, DRAWS))
        counted, searched = (nanoseconds(prob, uniform, most) for most in (k, 0))
        task = f"a label of {k} classes, counted"
        compare(task, counted, "searched", searched, least=None, unit="ns")
    for trials in TRIALS:
        uniform = rng.random((ROWS, DRAWS))
        counted, searched = (nanoseconds_of_hits(trials, uniform, most) for most in (512, 0))
        task = f"hits of {trials} trials, counted"
        compare(task, counted, "searched", searched, least=None, unit="ns")


if __name__ == "__main__":
    main()
    finish()
