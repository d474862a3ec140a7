"""Calibration tests per second on each joblib back end, and whether all give the same p-values.

python benchmarks/bench_workers.py [serial threads loky dask ray]

Dask and Ray run where they are installed: after `make test-engines` in .venv-engines/bin/python. A
piece of work is 20 tests of the ECE with 15 equal-width bins, each on 2,000 rows with 250 draws of
the labels. Two minutes on two idle cores; ends with an error if p-values differ.
"""

import contextlib
import hashlib
import importlib.util
import logging
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np

import plumbline as pb
from plumbline.random_streams import stream
from plumbline.workers import map_pieces

PIECES, TESTS, ROWS, DRAWS = 20, 20, 2000, 250
WORKERS = 2
RUNS = 3  # with the first, which starts the workers


def p_values(piece: int) -> np.ndarray:
    """Return the p-values of one piece of work."""
    rng = stream(0, piece)
    values = []
    for _ in range(TESTS):
        p = rng.dirichlet([0.5] * 3, ROWS)
        actual = (rng.random((ROWS, 1)) > p.cumsum(axis=1)).sum(axis=1).clip(0, 2)
        data = pb.Predictions.from_arrays(actual, p)
        seed = int(rng.integers(2**63))
        answer = pb.calibration_test(
            data,
            statistic="ece",
            bins="equal-width:15",
            null="resample",
            resamples=DRAWS,
            rng=seed,
            workers=1,
        )
        values.append(answer.p_value)
    return np.array(values)


@contextlib.contextmanager
def dask() -> Iterator[None]:
    """Run joblib's work on a Dask cluster of this machine."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask", n_jobs=WORKERS),
    ):
        yield


@contextlib.contextmanager
def ray() -> Iterator[None]:
    """Run joblib's work on Ray."""
    import ray
    from ray.util.joblib import register_ray

    ray.init(num_cpus=WORKERS, include_dashboard=False, logging_level=logging.ERROR)
    register_ray()
    try:
        with joblib.parallel_config(backend="ray", n_jobs=WORKERS):
            yield
    finally:
        ray.shutdown()


BACK_ENDS: dict[str, Any] = {
    "serial": lambda: joblib.parallel_config(n_jobs=1),
    "threads": lambda: joblib.parallel_config(n_jobs=WORKERS),
    "loky": lambda: joblib.parallel_config(backend="loky", n_jobs=WORKERS),
    "dask": dask,
    "ray": ray,
}


def main(names: list[str]) -> None:
    """Print a row for each back end: the first run with its start, the best of the warm ones."""
    load = os.getloadavg()[0]
    busy = ": a busy machine, orders of magnitude only" if load > 0.5 else ""
    print(f"{PIECES * TESTS:,} tests, {WORKERS} of {os.cpu_count()} cores, load {load:.1f}{busy}\n")
    print("| back end | tests/s, first run | tests/s, warm | hash of the p-values |")
    print("|---|---|---|---|")
    p_values(0)  # compiles
    found = set()
    for name in names or BACK_ENDS:
        if name in ("dask", "ray") and importlib.util.find_spec(name) is None:
            continue
        with BACK_ENDS[name]():
            rates = []
            for _ in range(RUNS):
                start = time.perf_counter()
                values = np.concatenate(map_pieces(p_values, range(PIECES)))
                rates.append(len(values) / (time.perf_counter() - start))
        text = hashlib.sha256(values.tobytes()).hexdigest()[:12]
        found.add(text)
        print(f"| {name} | {rates[0]:.0f} | {max(rates[1:]):.0f} | {text} |", flush=True)
    if len(found) > 1:
        sys.exit("The back ends gave different p-values.")


if __name__ == "__main__":
    main(sys.argv[1:])
