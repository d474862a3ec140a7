"""Calibration error and its null, beside scikit-learn's curve and a plain numpy null, in one run.

python benchmarks/bench_calibration.py
"""

import numpy as np
from sklearn.calibration import calibration_curve
from timing import compare, finish, seconds

import plumbline as pb
from plumbline.binning import Bins
from plumbline.calibration import define_error, statistic
from plumbline.nulls import resampled


def line(
    name: str, ours: float, other: str, theirs: float, floor: float, what: str, least: float
) -> None:
    """Print one comparison."""
    compare(name, ours, other, theirs, least=least, more=f"{what} {floor:.4f} s")


def numpy_null(p: np.ndarray, bins: np.ndarray, draws: int) -> np.ndarray:
    """Draw the null of the binned error as a few plain lines of numpy would."""
    rng = np.random.default_rng(0)
    size = bins.max() + 1
    mean = np.bincount(bins, p, size)
    values = np.empty(draws)
    for m in range(draws):
        values[m] = np.abs(np.bincount(bins, rng.random(len(p)) < p, size) - mean).sum() / len(p)
    return values


def binary_error(n: int) -> None:
    """Time the error alone, against scikit-learn's curve (which has no counts and no error)."""
    rng = np.random.default_rng(0)
    p = rng.random(n)
    y = (rng.random(n) < p).astype(np.int8)
    data = pb.Predictions.from_arrays(y, p)
    ours = seconds(lambda: Bins.of(data, pb.EqualWidth(15)))
    theirs = seconds(lambda: calibration_curve(y, p, n_bins=15))
    floor = seconds(lambda: (p.sum(), y.sum()))
    name = f"sums of 15 bins, n = {n:,}"
    line(name, ours, "scikit-learn curve", theirs, floor, "sum both arrays", 0.5)


def binary_null(n: int, draws: int) -> None:
    """Time the resampled null of the 15-bin error."""
    rng = np.random.default_rng(0)
    p = rng.random(n)
    y = (rng.random(n) < p).astype(np.int8)
    data = pb.Predictions.from_arrays(y, p)
    what = statistic(data, define_error(data))
    home = np.searchsorted(np.arange(1, 15) / 15, p)
    ours = seconds(lambda: resampled(what, draws), runs=3)
    theirs = seconds(lambda: numpy_null(p, home, draws), runs=3)
    uniform = np.empty(n)
    source = np.random.Generator(np.random.PCG64DXSM(0))
    floor = seconds(lambda: source.random(out=uniform)) * draws / 2
    line(
        f"null of it, {draws} draws, n = {n:,}",
        ours,
        "plain numpy",
        theirs,
        floor,
        "n x m uniforms, 2 threads",
        2,
    )


def classwise_null(n: int, k: int, draws: int) -> None:
    """Time the resampled null of the classwise error."""
    rng = np.random.default_rng(0)
    prob = rng.dirichlet(np.ones(k), n)
    data = pb.Predictions.from_arrays(rng.integers(k, size=n), prob)
    what = statistic(data, define_error(data, "classwise"))
    ours = seconds(lambda: resampled(what, draws), runs=3)

    def plain() -> None:
        chance = np.random.default_rng(0)
        cumulative = prob.cumsum(axis=1)
        home = np.searchsorted(np.arange(1, 15) / 15, prob) + 15 * np.arange(k)
        mean = np.bincount(home.ravel(), prob.ravel(), 15 * k)
        for _ in range(draws // 10):
            label = (cumulative < chance.random((n, 1))).sum(axis=1).clip(0, k - 1)
            hits = np.bincount(home[np.arange(n), label], minlength=15 * k)
            np.abs(hits - mean).sum()

    theirs = seconds(plain, runs=3) * 10
    uniform = np.empty(n)
    source = np.random.Generator(np.random.PCG64DXSM(0))
    floor = seconds(lambda: source.random(out=uniform)) * draws / 2
    line(
        f"classwise null, {draws} draws, {n:,} x {k}",
        ours,
        "plain numpy",
        theirs,
        floor,
        "n x m uniforms, 2 threads",
        2,
    )


if __name__ == "__main__":
    binary_error(1_000_000)
    binary_null(10_000, 999)
    binary_null(100_000, 999)
    classwise_null(10_000, 10, 999)
    classwise_null(10_000, 100, 999)
    finish()
