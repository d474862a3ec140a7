"""A random forest on a rare class, recalibrated in several ways: calibration error and log loss.

python studies/recalibration_blog.py

Ten data sets of scikit-learn's make_classification: the forest is trained on the first 5,000 rows,
the maps are fitted on the next 5,000, and all is measured on the last 5,000. Writes
studies/results/recalibration_blog.md, and for the first seed the counts of the forest's votes to
tests/reference/random_forest.json, so that tests need no training. Two minutes on two cores.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import plumbline as pb
from plumbline.recalibration import fit_map

HERE = Path(__file__).parent
RESULT = HERE / "results" / "recalibration_blog.md"
VOTES = HERE.parent / "tests" / "reference" / "random_forest.json"
SEEDS, THIRD, TREES = 10, 5000, 100
METHODS = ("isotonic", "platt-on-probability", "platt", "beta", "spline")
PLAIN = "as it is"
RIDGE = "scikit-learn's LogisticRegression() on p, which has a ridge"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def votes(seed: int) -> tuple[Floats, Ints]:
    """Return the forest's probabilities of class 1 on the last 10,000 rows, and the truth."""
    x, y = make_classification(
        n_samples=3 * THIRD,
        n_features=50,
        n_informative=30,
        n_redundant=20,
        weights=[0.9, 0.1],
        random_state=seed,
    )
    forest = RandomForestClassifier(TREES, random_state=seed, n_jobs=2).fit(x[:THIRD], y[:THIRD])
    return forest.predict_proba(x[THIRD:])[:, 1], y[THIRD:]


def mended(p: Floats, y: Ints) -> Iterator[tuple[str, pb.Predictions]]:
    """Yield the table of the test rows by every method fitted on the other half."""
    fit, test = (
        pb.Predictions.from_arrays(y[rows], p[rows]) for rows in (slice(THIRD), slice(THIRD, None))
    )
    yield PLAIN, test
    for method in METHODS:
        yield method, fit_map(fit, method)(test)
    ridge = LogisticRegression().fit(p[:THIRD, None], y[:THIRD])
    yield RIDGE, pb.Predictions.from_arrays(y[THIRD:], ridge.predict_proba(p[THIRD:, None]))


def measured(data: pb.Predictions) -> tuple[float, float]:
    """Return the calibration error in Freedman-Diaconis bins, and the log loss."""
    error = pb.calibration_error(data, bins="freedman-diaconis", resamples=0)
    return error.value, pb.log_loss(data)


def record(p: Floats, y: Ints) -> None:
    """Write how many rows of either class got how many votes, in both halves."""
    halves = {}
    for name, rows in (("fit", slice(THIRD)), ("test", slice(THIRD, None))):
        count = np.rint(p[rows] * TREES).astype(int)
        if not np.array_equal(count / TREES, p[rows]):
            raise ValueError("the forest's probabilities are no shares of its trees")
        halves[name] = [
            np.bincount(count[y[rows] == c], minlength=TREES + 1).tolist() for c in (0, 1)
        ]
    made = {"made_by": "python studies/recalibration_blog.py", "scikit-learn": sklearn.__version__}
    VOTES.write_text(json.dumps({**made, **halves}) + "\n", "utf-8")


def lines(found: Mapping[str, Floats]) -> Iterator[str]:
    """Yield the page."""
    yield from ("# A random forest on a rare class, recalibrated", "")
    yield from ("By `python studies/recalibration_blog.py`.", "")
    yield (
        "make_classification (15,000 rows, 50 features, 30 informative, a class of a tenth), a "
        "random forest on 5,000 rows, maps on 5,000, measured on 5,000; the calibration error "
        f"(ECE) in Freedman-Diaconis bins, of seed 0 and over {SEEDS} seeds."
    )
    yield from (
        "",
        "| method | ECE, seed 0 | least | mean | largest | log loss, seed 0 | mean |",
        "|---|---|---|---|---|---|---|",
    )
    for name, values in found.items():
        error, loss = values.T
        yield (
            f"| {name} | {error[0]:.4f} | {error.min():.4f} | {error.mean():.4f} | "
            f"{error.max():.4f} | {loss[0]:.4f} | {loss.mean():.4f} |"
        )
    yield ""
    yield (
        "The forest gives some rows of the rare class no vote at all, so as it is its log loss is "
        "infinite. In logarithms no vote counts as half a vote: half the smallest probability "
        "above 0 that the fitting rows have."
    )


def main() -> None:
    """Run the study and write its table."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for seed in range(SEEDS):
        p, y = votes(seed)
        if seed == 0:
            record(p, y)
        for name, data in mended(p, y):
            rows.setdefault(name, []).append(measured(data))
    page = "\n".join(lines({name: np.array(values) for name, values in rows.items()}))
    RESULT.write_text(page + "\n", "utf-8")
    print(page)


if __name__ == "__main__":
    main()
