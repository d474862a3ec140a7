"""Confusion matrices and rates of many rows and classes, beside scikit-learn, in one run.

python benchmarks/bench_confusion.py
"""

from typing import Any

import numpy as np
from sklearn import metrics
from timing import compare, finish, seconds

from plumbline import Predictions, confusion_matrix
from plumbline.results import ConfusionMatrix

ROWS = 1_000_000


def line(name: str, ours: float, theirs: float | None, what: str) -> None:
    """Print one comparison."""
    if theirs is None:
        print(f"{name:<52} {ours:9.4f} s")
    else:
        compare(name, ours, what, theirs, least=1.5)


def table(k: int, dtype: Any) -> Predictions:
    """Return predictions of k classes, right in about half of the rows."""
    rng = np.random.default_rng(0)
    actual = rng.integers(0, k, ROWS)
    weight = rng.random((ROWS, k), np.float32)
    weight[np.arange(ROWS), actual] += rng.random(ROWS, np.float32)
    prob = weight.astype(dtype)
    return Predictions.from_arrays(actual, prob, classes=range(k), normalize=True)


def matrices(k: int, dtype: Any) -> ConfusionMatrix:
    """Time the matrix and all rates, from probabilities."""
    data = table(k, dtype)
    name = f"n = {ROWS:,}, k = {k}, {np.dtype(dtype).name}"
    ours = seconds(lambda: confusion_matrix(data), 3)
    theirs = seconds(lambda: metrics.confusion_matrix(data.actual, data.prob.argmax(axis=1)), 3)
    line(f"matrix, {name}", ours, theirs, "confusion_matrix")

    def everything() -> None:
        matrix = confusion_matrix(data)
        matrix.rates(average=("micro", "macro", "weighted"))
        matrix.overall()

    def report() -> None:
        answer = data.prob.argmax(axis=1)
        metrics.classification_report(data.actual, answer, output_dict=True, zero_division=np.nan)

    line(
        f"matrix and all rates, {name}",
        seconds(everything, 3),
        seconds(report, 1),
        "classification_report",
    )
    return confusion_matrix(data)


def intervals(matrix: ConfusionMatrix) -> None:
    """Time the intervals of all rates of a matrix."""
    for kind in ("wilson", "bootstrap"):
        line(
            f"{kind} intervals of all rates, k = {len(matrix.classes)}",
            seconds(lambda kind=kind: matrix.rates(interval=kind), 3),
            None,
            "",
        )


if __name__ == "__main__":
    for classes, kind in ((2, np.float64), (10, np.float64), (100, np.float32), (100, np.float64)):
        intervals(matrices(classes, kind))
    finish()
