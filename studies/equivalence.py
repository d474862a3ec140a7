"""How often `calibration_within` says "within": wrongly at the tolerance, rightly if calibrated.

python studies/equivalence.py [--datasets 20000]

Ten bins of equal weight; the scores are evenly spaced, of two classes or the largest of three.
Size: the true error is the tolerance, in the forms below, with a rate for each row (the counts are
not quite binomial). Power: calibrated. The critical value depends on the scores alone, so it is
computed once for each, and the tables are compared with it. Prints Markdown; about two minutes.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from plumbline.calibration_errors.bin_errors import IndependentErrors
from plumbline.calibration_errors.equivalence import SIDES, Boundary, bins_of
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

BINS, LEVEL = 10, 0.05
BIN = np.arange(BINS)
FORMS = {
    "upwards": np.ones(BINS),
    "downwards": -np.ones(BINS),
    "both signs": np.where(BIN % 2, 1.0, -1.0),
    "towards the middle": np.where(BIN < BINS // 2, 1.0, -1.0),
    "away from the middle": np.where(BIN < BINS // 2, -1.0, 1.0),
    "as a slope": (BIN - 4.5) / 2.5,
    "half the bins": np.where(BIN % 2, 2.0, 0.0),
    "lowest bins": np.where(BIN < 3, 10 / 3, 0.0),
    "the middle bin": np.where(BIN == 5, 10.0, 0.0),
}
SCORES = {
    "0 to 1": (0.0, 1.0, 2),
    "0 to 0.12": (0.0, 0.12, 2),
    "0.3 to 0.7": (0.3, 0.7, 2),
    "top label, 0.35 to 1": (0.35, 1.0, 3),
}


def scores_of(n: int, name: str) -> tuple[np.ndarray, Predictions]:
    """Return evenly spaced scores and a table with them (its labels are the first class)."""
    low, high, classes = SCORES[name]
    p = low + (high - low) * (np.arange(n) + 0.5) / n
    if classes == 2:
        return p, Predictions.from_arrays(np.zeros(n, int), p, classes=[0, 1])
    prob = np.stack([p, 0.51 * (1 - p), 0.49 * (1 - p)], axis=1)
    return p, Predictions.from_arrays(np.zeros(n, int), prob, classes=[0, 1, 2])


def errors(p: np.ndarray, rate: np.ndarray, tables: int, rng: np.random.Generator) -> np.ndarray:
    """Return the observed error of each table whose labels have these rates."""
    found = []
    for start in range(0, tables, 500):
        y = rng.random((min(500, tables - start), len(p))) < rate
        gap = (y - p).reshape(len(y), BINS, -1).sum(axis=2)
        found.append(np.abs(gap).sum(axis=1) / len(p))
    return np.concatenate(found)


def truths(p: np.ndarray, tolerance: float, boundary: Boundary) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the forms of a true error that is the tolerance, as far as they are possible."""
    for form, gap in FORMS.items():
        gaps = np.repeat(gap / np.abs(gap).mean(), len(p) // BINS)
        true = p + tolerance * gaps
        if true.min() >= 0 and true.max() <= 1:
            yield form, true
    yield "least favourable", np.repeat(boundary.rates_at(tolerance), len(p) // BINS)


def critical_value(boundary: Boundary, tolerance: float) -> float:
    """Return the observed error below which the answer is "within"."""
    sides = [side for side in SIDES if tolerance < boundary.largest[side]]
    ends = [np.quantile(boundary.errors_at(tolerance, side), LEVEL) for side in sides]
    return float(min(*ends, tolerance))


def main() -> None:
    """Print the shares of "within"."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=20_000)
    given = parser.parse_args()
    print("| rows | scores | tolerance | largest size, form | calibrated |")
    print("|---|---|---|---|---|")
    for n in (300, 1000, 3000):
        for name in SCORES:
            p, data = scores_of(n, name)
            part = bins_of(data, None, None)[2]
            for tolerance in (0.02, 0.05, 0.1):
                alone = IndependentErrors(part.weight[part.filled])
                boundary = Boundary(part, alone, LEVEL, 99_999, 0)
                bound = critical_value(boundary, tolerance) - 1e-9
                rng = stream(0, n, int(1000 * tolerance))
                size = {
                    form: np.mean(errors(p, true, given.datasets, rng) < bound)
                    for form, true in truths(p, tolerance, boundary)
                }
                power = np.mean(errors(p, p, given.datasets, rng) < bound)
                form = max(size, key=size.__getitem__)
                print(
                    f"| {n:,} | {name} | {tolerance} | {size[form]:.3f}, {form} | {power:.3f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
