"""Local linear regression of many points, beside that of statsmodels.

python benchmarks/bench_smoothing.py
"""

import time
from collections.abc import Callable

import numpy as np
from statsmodels.nonparametric.smoothers_lowess import lowess
from timing import compare, finish

from plumbline.curves import Line, smooth

POINTS, SPAN = 101, 0.5


def seconds(task: Callable[[], object], runs: int = 3) -> float:
    """Return the best time of a task."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def beside_lowess(name: str, x: np.ndarray, rng: np.random.Generator) -> None:
    """Print both times, and by how much the values differ."""
    y = (rng.random(len(x)) < x).astype(float)
    line = Line(x, x, y)
    ours = smooth(line, points=POINTS, span=SPAN)  # compiles
    weighted = Line(x, x, y, {"weight": rng.exponential(size=len(x))})
    theirs = lowess(y, x, frac=SPAN, it=0, xvals=ours.x)
    weights = seconds(lambda: smooth(weighted, points=POINTS, span=SPAN))
    compare(
        f"smoothed curve, {name}",
        seconds(lambda: smooth(line, points=POINTS, span=SPAN)),
        "statsmodels",
        seconds(lambda: lowess(y, x, frac=SPAN, it=0, xvals=ours.x), 1),
        more=f"weighted {weights:.3f} s, difference {np.nanmax(np.abs(theirs - ours.y)):.1e}",
    )


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    for n in (10_000, 1_000_000):
        beside_lowess(f"{n:,} evenly spread", rng.random(n), rng)
        beside_lowess(f"{n:,} crowded at the ends", rng.beta(0.3, 0.3, n), rng)
        beside_lowess(f"{n:,} of 100 values", rng.integers(0, 101, n) / 100, rng)
    finish()
