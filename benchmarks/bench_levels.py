"""Counting rows at levels: how many rows ahead the levels are fetched, and what a row then takes.

python benchmarks/bench_levels.py
"""

import time
from statistics import median

import numba
import numpy as np
from timing import compare, finish

from plumbline.frames import Levels, levels
from plumbline.frames.levels import FINE, NO_REST

ROWS, AT_ONCE = 5_000_000, 1 << 17
AHEAD = (1, 16, 32, 64, 256)


def nanoseconds(at: Levels, prob: np.ndarray, hit: np.ndarray, ahead: int) -> float:
    """Return the processor time of a row where the levels of so many rows are fetched together."""
    levels.ROWS_AHEAD = ahead  # a constant of the kernel, which is compiled anew
    kernel = numba.njit(nogil=True)(levels.add_rows.function)
    spent = []
    for _ in range(4):
        counts = at.empty()
        counts += 0.0  # the pages of memory are there before
        start = time.process_time()
        for first in range(0, ROWS, AT_ONCE):
            rows = slice(first, first + AT_ONCE)
            kernel(prob[rows], NO_REST, hit[rows], at.linear, at.each, counts)
        spent.append(time.process_time() - start)
    return 1e9 * median(spent[1:]) / ROWS


def main() -> None:
    """Print the time of a row at many levels and at few."""
    usual = levels.ROWS_AHEAD
    rng = np.random.default_rng(1)
    prob = 1 / (1 + np.exp(-rng.normal(-1, 1.5, ROWS)))
    hit = (rng.random(ROWS) < prob).astype(np.int8)
    levels.add_rows(prob[:1], NO_REST, hit[:1], FINE.linear, FINE.each, FINE.empty())
    for at in (FINE, Levels(27_720, 50), Levels(360, 1)):
        spent = {ahead: nanoseconds(at, prob, hit, ahead) for ahead in AHEAD}
        for ahead in AHEAD:
            if ahead != usual:
                task = f"a row at {at.linear:,} levels, {usual} rows ahead"
                beside = f"{ahead} rows ahead"
                compare(task, spent[usual], beside, spent[ahead], least=None, unit="ns")


if __name__ == "__main__":
    main()
    finish()
