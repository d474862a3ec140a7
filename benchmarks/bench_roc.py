"""ROC curves, areas and orders of many ratings, beside scikit-learn and numpy, in one run.

python benchmarks/bench_roc.py
"""

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve
from timing import compare, finish, seconds

from plumbline.confusion import concordance, descending_order, threshold_counts

RATINGS = {
    "uniform": lambda rng, n: rng.random(n),
    "1,000 distinct": lambda rng, n: rng.integers(0, 1000, n) / 1000,
    "6 decimals": lambda rng, n: rng.random(n).round(6),
    "beta(.1, .1)": lambda rng, n: rng.beta(0.1, 0.1, n),
    "normal": lambda rng, n: rng.normal(size=n),
    "sorted": lambda rng, n: np.sort(rng.random(n)),
    "float32": lambda rng, n: rng.random(n, np.float32),
}
SORTED = "descending order, sorted"  # numpy finds the one run as well; both only read and write


def line(name: str, ours: float, other: str, theirs: float, floor: float, what: str) -> None:
    """Print one comparison."""
    least = 0.5 if name.startswith(SORTED) else 1.0
    compare(name, ours, other.strip(), theirs, least=least, more=f"{what} {floor:.4f} s")


def curve(event: np.ndarray, rating: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return thresholds and both rates, as scikit-learn's roc_curve does."""
    found = threshold_counts(event, rating)
    fpr = np.divide(found.fp, found.negatives, out=found.fp)
    tpr = np.divide(found.tp, found.positives, out=found.tp)
    return found.threshold, fpr, tpr


def ratings(n: int, name: str, runs: int) -> None:
    """Time curve, area and order for ratings of one kind."""
    rng = np.random.default_rng(0)
    rating = RATINGS[name](rng, n)
    event = rng.random(n) < 0.3
    floor = seconds(lambda: np.sort(rating), runs)
    pairs = {
        "ROC curve": (lambda: curve(event, rating), "roc_curve", lambda: roc_curve(event, rating)),
        "area": (
            lambda: concordance(event, rating),
            "roc_auc_score",
            lambda: roc_auc_score(event, rating),
        ),
        "descending order": (
            lambda: descending_order(rating),
            "stable argsort",
            lambda: np.argsort(-rating, kind="stable"),
        ),
    }
    for what, (ours, other, theirs) in pairs.items():
        line(
            f"{what}, {name}, n = {n:,}",
            seconds(ours, runs),
            f"{other:<14}",
            seconds(theirs, min(runs, 2)),
            floor,
            "np.sort, 1 thread",
        )


if __name__ == "__main__":
    for kind in RATINGS:
        ratings(1_000_000, kind, 7)
    for kind in ("uniform", "6 decimals"):
        ratings(10_000_000, kind, 5)
    finish()
