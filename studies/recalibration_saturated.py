"""Maps of logarithms on a saturated model: what small probabilities count as, and what it costs.

python studies/recalibration_saturated.py

Naive Bayes on scikit-learn's digits, trained on 15 % of the rows: half of its probabilities are
exactly 0, others are as small as 5e-324. Half of the other rows fit the maps, half measure them, in
twenty splits. Beside it a random forest, whose zeros mean "less than a hundredth", from the votes
in tests/reference/random_forest.json. Writes studies/results/recalibration_saturated.md. A minute
on one core.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from plumbline.recalibration import fit_map

HERE = Path(__file__).parent
RESULT = HERE / "results" / "recalibration_saturated.md"
VOTES = HERE.parent / "tests" / "reference" / "random_forest.json"
SPLITS, TRAINED = 20, 0.15
FLOORS = (0.0, 1e-30, 2.0**-52, 1e-12, 1e-8)
METHODS = ("temperature", "vector", "matrix", "dirichlet", "platt", "beta")
BINARY = ("temperature", "platt", "beta", "spline")
SKLEARN = "scikit-learn's temperature"

Floats = NDArray[np.float64]


def losses(fit: pb.Predictions, test: pb.Predictions, method: str) -> list[float]:
    """Return the test log loss for every floor."""
    return [
        pb.log_loss(fit_map(fit, method, options={"floor": floor}).applied(test))
        for floor in FLOORS
    ]


def digits() -> Iterator[tuple[str, list[float], float]]:
    """Yield method, losses by floor and share of exact zeros, split by split."""
    X, y = load_digits(return_X_y=True)
    for seed in range(SPLITS):
        own, rest, labels, others = train_test_split(X, y, train_size=TRAINED, random_state=seed)
        model = GaussianNB().fit(own, labels)
        halves = train_test_split(rest, others, train_size=0.5, random_state=seed)
        fit, test = (
            pb.Predictions.from_arrays(truth, model.predict_proba(rows))
            for rows, truth in ((halves[0], halves[2]), (halves[1], halves[3]))
        )
        zeros = float((test.need_prob("the study") == 0).mean())
        for method in METHODS:
            yield method, losses(fit, test, method), zeros
        theirs = CalibratedClassifierCV(FrozenEstimator(model), method="temperature")
        theirs.fit(halves[0], halves[2])
        table = pb.Predictions.from_arrays(halves[3], theirs.predict_proba(halves[1]))
        yield SKLEARN, [pb.log_loss(table)], zeros


def forest(half: str) -> pb.Predictions:
    """Return the votes of the random forest on one half of the rows."""
    missed, happened = json.loads(VOTES.read_text("utf-8"))[half]
    share = np.arange(len(missed)) / (len(missed) - 1)
    p = np.concatenate([np.repeat(share, missed), np.repeat(share, happened)])
    return pb.Predictions.from_arrays(np.repeat([0, 1], [sum(missed), sum(happened)]), p)


def table(title: str, rows: dict[str, list[str]]) -> Iterator[str]:
    """Yield a table of log losses, a column a floor."""
    heads = [f"{floor:.3g}" for floor in FLOORS]
    yield from (f"## {title}", "", f"| method | floor {' | '.join(heads)} |")
    yield f"|---{'|---' * len(FLOORS)}|"
    yield from (f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items())
    yield ""


def main() -> None:
    """Run the study and write its tables."""
    found: dict[str, list[list[float]]] = {}
    zeros: list[float] = []
    for method, values, share in digits():
        found.setdefault(method, []).append(values)
        zeros.append(share)
    rows = {}
    for method, splits in found.items():
        # The median: where a class is separated, a split can have an infinite loss.
        middle = np.median(np.array(splits), axis=0)
        rows[method] = [f"{value:.3f}" for value in middle]
        rows[method] += ["-"] * (len(FLOORS) - len(middle))
    fit, test = forest("fit"), forest("test")
    votes = {name: [f"{value:.4f}" for value in losses(fit, test, name)] for name in BINARY}
    lines = [
        "# What small probabilities count as",
        "",
        "By `python studies/recalibration_saturated.py`: log loss on rows that the map was not "
        "fitted on.",
        "",
        *table(
            f"Naive Bayes on digits, {np.mean(zeros):.0%} of the probabilities exactly 0, "
            f"median of {SPLITS} splits",
            rows,
        ),
        *table("A random forest of 100 trees on a rare class", votes),
        "The floor 0 is the rule without a floor: exactly 0 counts as half the smallest "
        "probability above 0.",
    ]
    page = "\n".join(lines)
    RESULT.write_text(page + "\n", "utf-8")
    print(page)


if __name__ == "__main__":
    main()
