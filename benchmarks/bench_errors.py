"""Calibration errors of plain arrays beside scikit-learn, torchmetrics and netcal, in one run.

python benchmarks/bench_errors.py

Peers that are not installed are left out; `make peers` makes an environment that has them:
.venv-peers/bin/python benchmarks/bench_errors.py
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.calibration import calibration_curve
from timing import compare, finish, seconds

from plumbline.sklearn import expected_calibration_error

BINS = 15


def peers(y: Any, p: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield each peer's binary error; scikit-learn's curve has no counts, and so no error."""
    yield "scikit-learn (curve only)", lambda: calibration_curve(y, p, n_bins=BINS)
    if find_spec("torchmetrics"):
        import torch
        from torchmetrics.functional.classification import binary_calibration_error

        score, event = torch.from_numpy(p), torch.from_numpy(y.astype(np.int64))
        yield "torchmetrics", lambda: binary_calibration_error(score, event, n_bins=BINS)
    if find_spec("netcal"):
        from netcal.metrics import ECE

        yield "netcal", lambda: ECE(BINS).measure(p, y)


def binary(n: int) -> None:
    """Time the error of n scores in float64 and float32, against the sum of both arrays."""
    rng = np.random.default_rng(0)
    p = rng.random(n)
    y = (rng.random(n) < p).astype(np.int8)
    for kind, factor in ((np.float64, 2.5), (np.float32, 4)):
        score = p.astype(kind)
        floor = seconds(lambda score=score: (score.sum(), y.sum()), runs=9)
        ours = seconds(
            lambda score=score: expected_calibration_error(y, score, n_bins=BINS), runs=9
        )
        name = f"ECE of arrays, n = {n:,}, {kind.__name__}"
        compare(name, ours, "numpy sums of both", floor, least=1 / factor)
    base = seconds(lambda: expected_calibration_error(y, p, n_bins=BINS), runs=9)
    for name, task in peers(y, p):
        theirs = seconds(task, runs=3)
        compare(f"ECE of arrays, n = {n:,}", base, name, theirs, least=8)


def top_label(n: int, k: int) -> None:
    """Time the top-label error of n rows of k classes in float32, against reading the matrix."""
    rng = np.random.default_rng(0)
    prob = rng.random((n, k), dtype=np.float32) ** 8
    prob /= prob.sum(axis=1, keepdims=True)
    y = rng.integers(0, k, n)
    floor = seconds(prob.sum, runs=9)
    ours = seconds(lambda: expected_calibration_error(y, prob, n_bins=BINS), runs=9)
    name = f"top-label ECE of arrays, {n:,} x {k} float32"
    compare(name, ours, "numpy sum of the matrix", floor, least=1 / 3)


if __name__ == "__main__":
    binary(10_000_000)
    top_label(1_000_000, 100)
    finish()
