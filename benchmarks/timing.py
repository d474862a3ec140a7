"""How the benchmarks take their times."""

import time
from collections.abc import Callable
from statistics import median
from typing import Any


def seconds(task: Callable[[], Any], runs: int = 5) -> float:
    """Return the median time of a task after one run that compiles and warms up."""
    task()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return median(times)
