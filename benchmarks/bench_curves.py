"""Whole curves from checked predictions, beside scikit-learn and loops a user would write.

python benchmarks/bench_curves.py
"""

import numpy as np
from sklearn.metrics import metric_at_thresholds, roc_auc_score, roc_curve
from timing import compare, finish, seconds

import plumbline as pb

PROFIT = "cumm(amount ** 2 / 30 if eP else -amount)"


def line(name: str, ours: float, other: str, theirs: float, floor: float) -> None:
    """Print one comparison, and the time of one sort."""
    compare(name, ours, other, theirs, least=1.5, more=f"np.sort {floor:.4f} s")


def table(n: int) -> tuple[pb.Predictions, np.ndarray, np.ndarray, np.ndarray]:
    """Return predictions with amounts, and their parts."""
    rng = np.random.default_rng(0)
    p = rng.random(n)
    event = (rng.random(n) < p).astype(np.int64)
    amount = rng.integers(10, 130, n).astype(np.float64)
    return pb.Predictions.from_arrays(event, p, attributes={"amount": amount}), event, p, amount


def by_hand(event: np.ndarray, p: np.ndarray, amount: np.ndarray) -> np.ndarray:
    """Return the profit at every threshold as one would write it in numpy."""
    order = np.argsort(-p, kind="stable")
    gain = np.where(event[order] == 1, amount[order] ** 2 / 30, -amount[order])
    ends = np.append(np.flatnonzero(np.diff(p[order])), len(p) - 1)
    return np.append(0.0, np.cumsum(gain)[ends])


def gain_of(true: np.ndarray, predicted: np.ndarray) -> float:
    """Return a profit with the same amount for every row, all that scikit-learn's loop allows."""
    return float(np.sum(predicted * np.where(true == 1, 40.0, -30.0)))


def main() -> None:
    """Print all comparisons."""
    data, event, p, amount = table(1_000_000)
    floor = seconds(lambda: np.sort(p))
    ours = pb.curve(data, x="threshold", y=PROFIT).lines[0].y
    np.testing.assert_allclose(ours, by_hand(event, p, amount), rtol=1e-9)
    line(
        "profit curve, n = 1,000,000",
        seconds(lambda: pb.curve(data, x="threshold", y=PROFIT)),
        "numpy by hand",
        seconds(lambda: by_hand(event, p, amount)),
        floor,
    )
    few, event_few, p_few, _ = table(4_000)
    line(
        "profit of equal amounts, n = 4,000",
        seconds(lambda: pb.curve(few, x="threshold", y="cumm(40 if eP else -30)")),
        "scikit-learn, metric_at_thresholds",
        seconds(lambda: metric_at_thresholds(event_few, p_few, gain_of), 2),
        seconds(lambda: np.sort(p_few)),
    )
    data, event, p, amount = table(10_000_000)
    floor = seconds(lambda: np.sort(p), 3)
    line(
        "ROC curve, n = 10,000,000",
        seconds(lambda: pb.curve(data, x="FPR", y="TPR"), 3),
        "scikit-learn, roc_curve",
        seconds(lambda: roc_curve(event, p), 2),
        floor,
    )
    line(
        "area under it, n = 10,000,000",
        seconds(lambda: pb.roc_auc(data), 3),
        "scikit-learn, roc_auc_score",
        seconds(lambda: roc_auc_score(event, p), 2),
        floor,
    )


if __name__ == "__main__":
    main()
    finish()
