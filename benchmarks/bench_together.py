"""Processor time of omnibus tests whose blocks of labels are drawn together, or one by one.

python benchmarks/bench_together.py

For `MOST_TOGETHER` of `nulls/resampling.py`, rows above which blocks are drawn one by one: of two
classes drawing them together takes 5 to 10 % less at all sizes, of ten up to 10 % more. Each cell
is the least of several runs of 199 draws on one thread, in milliseconds.
"""

import time
from itertools import product

import numpy as np

import plumbline as pb
from plumbline.nulls import resampling

ROWS = (700, 1400, 2800, 4096, 8192, 20_000)
CLASSES = (2, 10)
RUNS = 5


def least(data: pb.Predictions, most: int) -> float:
    """Return the least processor time of a test, in milliseconds."""
    times = []
    kept, resampling.MOST_TOGETHER = resampling.MOST_TOGETHER, most
    try:
        for _ in range(RUNS + 1):  # the first one compiles
            start = time.process_time()
            pb.calibration_test(data, null="resample", resamples=199, workers=1)
            times.append(time.process_time() - start)
    finally:
        resampling.MOST_TOGETHER = kept
    return 1000 * min(times[1:])


def main() -> None:
    """Print a line for each number of rows."""
    rng = np.random.default_rng(0)
    print("classes  rows     together  one by one")
    for k, n in product(CLASSES, ROWS):
        prob = rng.dirichlet(np.ones(k), n)
        actual = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
        data = pb.Predictions.from_arrays(actual, prob)
        print(f"{k:<8} {n:<8,} {least(data, 10**9):8.1f}  {least(data, 0):10.1f}", flush=True)


if __name__ == "__main__":
    main()
