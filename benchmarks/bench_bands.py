"""Bootstrap bands of curves and paired differences, 500 drawings each, beside drawing the rows.

python benchmarks/bench_bands.py
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from timing import compare, finish

import plumbline as pb
from plumbline.curves import curve, curve_difference

DRAWINGS = 500
LEAST = {1_000: None, 100_000: 0.05}  # of few rows the calls around the drawings count
PROFIT = "cumm(amount ** 2 / 30 if eP else -amount)"
SETTINGS: dict[str, dict[str, Any]] = {
    "ROC": {"x": "FPR", "y": "TPR"},
    "profit against threshold": {"x": "threshold", "y": PROFIT},
    "precision-recall": {"x": "recall", "y": "precision"},
    "eCA against probability, smoothed": {"x": "probability", "y": "eCA", "average": "smooth"},
}


def seconds(task: Callable[[], Any], runs: int = 3) -> tuple[float, float]:
    """Return the shortest elapsed and processor time of a task after one that compiles."""
    task()
    elapsed, used = [], []
    for _ in range(runs):
        start, own = time.perf_counter(), time.process_time()
        task()
        elapsed.append(time.perf_counter() - start)
        used.append(time.process_time() - own)
    return min(elapsed), min(used)


def table(n: int) -> pb.Predictions:
    """Return two models' predictions of the same n rows."""
    rng = np.random.default_rng(0)
    actual = (rng.random(n) < 0.3).astype(int)
    score = np.concatenate([rng.normal(size=n) + 1.2 * actual for _ in range(2)])
    return pb.Predictions.from_arrays(
        np.tile(actual, 2),
        1 / (1 + np.exp(-score)),
        model=np.repeat(["A", "B"], n),
        attributes={"amount": np.tile(rng.integers(1, 100, n).astype(float), 2)},
    )


def drawing(n: int) -> float:
    """Return the seconds in which one thread draws the row numbers of all drawings."""
    rng = np.random.default_rng(0)
    return DRAWINGS * seconds(lambda: rng.integers(n, size=n), 50)[0]


def bands(n: int) -> None:
    """Compare all bands and differences of n rows with drawing the rows."""
    both = table(n)
    one = both.select(model="A")
    floor = drawing(n)
    for name, asked in SETTINGS.items():
        for kind, task in (
            ("band", partial(curve, one, **asked, band="bootstrap")),
            ("difference", partial(curve_difference, both, **asked)),
        ):
            elapsed, used = seconds(task)
            more = f"{used:.2f} s of processors"
            what = f"{name}, {kind}, {n:,} rows"
            compare(what, elapsed, "drawing the rows, 1 thread", floor, least=LEAST[n], more=more)


if __name__ == "__main__":
    for rows in (1_000, 100_000):
        bands(rows)
    finish()
