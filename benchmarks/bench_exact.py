"""Exact p-values beside 999 resamples, in one run.

python benchmarks/bench_exact.py
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import compare, finish, seconds

import plumbline as pb
from plumbline.calibration import Statistic, define_error, statistic
from plumbline.nulls import exact, resampled, saddlepoint

Z = 2.5  # standard deviations above the mean: a p of about 0.01


def build(n: int, k: int, **settings: Any) -> Statistic:
    """Return the statistic of random predictions."""
    prob = np.random.default_rng(0).dirichlet(np.ones(k), n)
    data = pb.Predictions.from_arrays(np.zeros(n, int), prob, classes=range(k))
    return statistic(data, define_error(data, **settings))


def beside_draws(
    name: str, what: Statistic, null: Callable[[Statistic], Any], draws: int = 999
) -> None:
    """Print the time of the null with both tails, and of 999 resamples (from fewer where slow)."""
    made = null(what)
    value = made.mean + Z * np.sqrt(made.total.cumulants(0.0)[2])
    ours = seconds(lambda: null(what).tails(value), 3)
    start = time.perf_counter()
    resampled(what, draws)
    theirs = (time.perf_counter() - start) * 999 / draws
    low, high = made.tails(value)[0]
    compare(name, ours, "999 resamples", theirs, least=None, more=f"p {low:.6f} to {high:.6f}")


if __name__ == "__main__":
    for distance in ("absolute", "square", "log"):
        points = build(300, 2, bins="one-per-point", distance=distance)
        beside_draws(f"exact, 300 points, {distance}", points, exact)
    beside_draws(
        "exact, 300 points, 10 classes, log",
        build(300, 10, view="classwise", bins="one-per-point", distance="log"),
        exact,
    )
    beside_draws(
        "exact, 100,000 points, log",
        build(10**5, 2, bins="one-per-point", distance="log"),
        exact,
        99,
    )
    beside_draws(
        "exact, 1,000,000 rows, 15 bins, absolute",
        build(10**6, 2, bins="equal-width:15"),
        exact,
        49,
    )
    beside_draws(
        "exact, 1,000,000 rows, 200 bins, absolute",
        build(10**6, 2, bins="equal-width:200"),
        exact,
        49,
    )
    large = build(10**5, 2, bins="one-per-point", distance="log")
    beside_draws("saddlepoint, 100,000 points, log", large, saddlepoint, 99)
    finish()
