"""How often tests on folds find a difference between two learners that are equally good.

python studies/comparison_folds.py

Writes studies/results/comparison_folds.md. It takes about ten minutes on one core.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from plumbline.comparison import (
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    friedman,
    paired_t,
    wilcoxon,
)
from plumbline.random_streams import stream

RESULTS = Path(__file__).parent / "results"
ROWS, FEATURES, SHIFT, LEVEL = 200, 4, 0.6, 0.05
DATA_SETS, TREE_SETS, OWN_SETS, RANK_SETS = 2000, 400, 20_000, 2000

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]
# Rows x features, labels, (parts, rows) training rows -> (parts, rows) probability of class 1
Learner = Callable[[Floats, NDArray[np.int64], Masks], Floats]


def naive_bayes(x: Floats, y: NDArray[np.int64], train: Masks) -> Floats:
    """Gaussian naive Bayes, fitted to each training part."""
    odds = np.zeros(train.shape)
    for label, sign in ((1, 1.0), (0, -1.0)):
        own = (train & (y == label)).astype(float)
        n = own.sum(axis=1, keepdims=True)
        mean = own @ x / n
        variance = own @ x**2 / n - mean**2
        fit = (x[None] - mean[:, None]) ** 2 / variance[:, None] + np.log(variance)[:, None]
        odds += sign * (np.log(n) - fit.sum(axis=2) / 2)
    return 1 / (1 + np.exp(-odds))


def neighbours(x: Floats, y: NDArray[np.int64], train: Masks) -> Floats:
    """Return the share of class 1 among the five nearest rows of each training part."""
    order = np.argsort(((x[:, None] - x[None]) ** 2).sum(axis=2), axis=1)
    found = np.empty(train.shape)
    for part, mask in enumerate(train):
        known = mask[order]
        nearest = known & (np.cumsum(known, axis=1) <= 5)
        found[part] = (nearest * y[order]).sum(axis=1) / 5
    return found


def tree(x: Floats, y: NDArray[np.int64], train: Masks) -> Floats:
    """Decision tree with at least five rows a leaf, fitted to each training part."""
    learner = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    fitted = [learner.fit(x[mask], y[mask]).predict_proba(x)[:, 1] for mask in train]
    return np.array(fitted)


LEARNERS: dict[str, tuple[Learner, int]] = {
    "naive Bayes": (naive_bayes, DATA_SETS),
    "5 nearest neighbours": (neighbours, DATA_SETS),
    "decision tree": (tree, TREE_SETS),
}
MEASURES = ("accuracy", "Brier score")


def folds(k: int, rng: np.random.Generator) -> Masks:
    """Return the training rows of k random folds."""
    place = rng.permutation(ROWS) % k
    return place[None] != np.arange(k)[:, None]


def repeated(times: int, k: int, rng: np.random.Generator) -> Masks:
    """Return the training rows of repeated k-fold cross-validation."""
    return np.concatenate([folds(k, rng) for _ in range(times)])


def holdouts(times: int, rng: np.random.Generator) -> Masks:
    """Return the training rows of random splits that test on three tenths."""
    return np.array([rng.permutation(ROWS) >= 0.3 * ROWS for _ in range(times)])


@dataclass(frozen=True)
class Design:
    """A way to split one data set, the tests asked of it, and its share of test rows."""

    name: str
    split: Callable[[np.random.Generator], Masks]
    share: float
    tests: tuple[str, ...]


PLAIN = ("paired-t", "wilcoxon", "corrected-t")
DESIGNS = (
    Design("10-fold", lambda rng: folds(10, rng), 0.1, PLAIN),
    Design("10 x 10-fold", lambda rng: repeated(10, 10, rng), 0.1, PLAIN),
    Design("15 holdouts of 30 %", lambda rng: holdouts(15, rng), 0.3, PLAIN),
    Design("5 x 2-fold", lambda rng: repeated(5, 2, rng), 0.5, (*PLAIN, "5x2-t", "5x2-f")),
)


def p_value(test: str, d: Floats, share: float) -> float:
    """Return the p-value of a test by its name; where it has none it does not reject."""
    if test == "corrected-t":
        found = corrected_t(d, test_share=share).p_value
    elif test.startswith("5x2"):
        found = (five_by_two_t if test == "5x2-t" else five_by_two_f)(d.reshape(5, 2)).p_value
    else:
        found = (paired_t if test == "paired-t" else wilcoxon)(d).p_value
    return found if np.isfinite(found) else 1.0


def drawn(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return two sets of features that tell the same of a label, and the label.

    Given the label all features are independent and of one distribution, so a learner that sees the
    first set and one that sees the second are equally good, exactly, at every size.
    """
    y = rng.integers(0, 2, ROWS)
    x = rng.normal(size=(2, ROWS, FEATURES)) + SHIFT * y[:, None]
    return x[0], x[1], y


def differences(learn: Learner, train: Masks, rng: np.random.Generator) -> dict[str, Floats]:
    """Return the difference of both measures in each test part of one new data set."""
    first, second, y = drawn(rng)
    test = ~train
    size = test.sum(axis=1)
    both = [learn(x, y, train) for x in (first, second)]
    right = [(((p >= 0.5) == y) & test).sum(axis=1) / size for p in both]
    brier = [((p - y) ** 2 * test).sum(axis=1) / size for p in both]
    return {"accuracy": right[0] - right[1], "Brier score": brier[0] - brier[1]}


def rejections(design: Design, learner: str) -> dict[tuple[str, str], float]:
    """Return how often each test rejects, by test and measure."""
    learn, sets = LEARNERS[learner]
    counts = {(test, measure): 0 for test in design.tests for measure in MEASURES}
    for number in range(sets):
        key = (DESIGNS.index(design), list(LEARNERS).index(learner), number)
        rng = stream(0, *key)
        found = differences(learn, design.split(rng), rng)
        for test, measure in counts:
            counts[test, measure] += p_value(test, found[measure], design.share) <= LEVEL
    return {name: count / sets for name, count in counts.items()}


def learner_lines() -> Iterator[str]:
    """Yield the table of equally good learners."""
    heads = [f"{learner}, {measure}" for learner in LEARNERS for measure in MEASURES]
    yield f"| splits | test | {' | '.join(heads)} |"
    yield f"|---|---|{'---|' * len(heads)}"
    for design in DESIGNS:
        found = [rejections(design, learner) for learner in LEARNERS]
        for test in design.tests:
            cells = [f"{100 * one[test, measure]:.1f}" for one in found for measure in MEASURES]
            yield f"| {design.name} | {test} | {' | '.join(cells)} |"


def own_lines() -> Iterator[str]:
    """Yield the table of tests where what they assume holds."""
    yield from ("| differences | test | rejects, % |", "|---|---|---|")
    rng = stream(1)
    own = rng.normal(size=(OWN_SETS, 10))
    shared = sqrt(0.9) * own + sqrt(0.1) * rng.normal(size=(OWN_SETS, 1))
    heavy = rng.standard_t(2, size=(OWN_SETS, 10))
    independent, equally = "ten independent normal", "ten normal, correlation 0.1"
    for name, test, d, share in (
        (independent, "paired-t", own, 0.1),
        (independent, "wilcoxon", own, 0.1),
        (independent, "5x2-t", own, 0.5),
        (independent, "5x2-f", own, 0.5),
        ("ten independent, t with 2 degrees of freedom", "paired-t", heavy, 0.1),
        ("ten independent, t with 2 degrees of freedom", "wilcoxon", heavy, 0.1),
        (equally, "paired-t", shared, 0.1),
        (equally, "corrected-t", shared, 0.1),
    ):
        share_found = np.mean([p_value(test, row, share) <= LEVEL for row in d])
        yield f"| {name} | {test} | {100 * share_found:.1f} |"


def rank_lines() -> Iterator[str]:
    """Yield the table of Friedman's test over data sets whose values are exchangeable."""
    yield "| data sets | models | chi-square | F | p-value used | some pair by Nemenyi |"
    yield "|---|---|---|---|---|---|"
    for n, k in ((4, 3), (10, 3), (6, 4), (10, 10), (30, 10)):
        rng = stream(2, n, k)
        names = [str(model) for model in range(k)]
        found = [friedman(rng.normal(size=(n, k)), names, better="lower") for _ in range(RANK_SETS)]
        columns = (
            [one.chi_square_p_value for one in found],
            [0.0 if np.isnan(one.f_p_value) else one.f_p_value for one in found],
            [one.p_value for one in found],
            [min(pair["p_value"] for pair in one.pairs) for one in found],
        )
        cells = [f"{100 * np.mean(np.array(column) <= LEVEL):.1f}" for column in columns]
        yield f"| {n} | {k} | {' | '.join(cells)} |"


def error(sets: int) -> str:
    """Return the standard error in percent of a rejection rate of the level."""
    return f"{100 * sqrt(LEVEL * (1 - LEVEL) / sets):.1f}"


def lines() -> Iterator[str]:
    """Yield the page."""
    yield from ("# Tests on folds and data sets: how often they find what is not there", "")
    yield from ("By `python studies/comparison_folds.py`. Tests at 5 %; numbers are percent.", "")
    yield from ("## Two equally good learners", "")
    yield (
        f"Data sets of {ROWS} rows, two classes, and two sets of {FEATURES} features that tell the "
        "same of the class; one learner sees the first set, the other the second, so neither is "
        f"better. {DATA_SETS:,} data sets for each cell (standard error {error(DATA_SETS)} at 5 "
        f"%), {TREE_SETS} for trees ({error(TREE_SETS)})."
    )
    yield ""
    yield from learner_lines()
    yield from ("", "## Where the assumptions hold", "")
    yield f"{OWN_SETS:,} times (standard error {error(OWN_SETS)})."
    yield ""
    yield from own_lines()
    yield from ("", "## Average ranks over data sets", "")
    yield (
        f"Values of equally good models, {RANK_SETS:,} times (standard error {error(RANK_SETS)}). "
        "The p-value used is exact where that takes few cases, else the F's. An infinite F, which "
        "full agreement gives, counts as a rejection by F."
    )
    yield ""
    yield from rank_lines()


def main() -> None:
    """Write the page, telling every line as it comes."""
    page = []
    for line in lines():
        print(line, flush=True)
        page.append(line)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "comparison_folds.md").write_text("\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    main()
