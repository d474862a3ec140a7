"""How often tests on rows call two equally good learning methods different, under each design.

python studies/comparison_pooled.py

Writes studies/results/comparison_pooled.md. It takes about five minutes on one core.
"""

from collections.abc import Callable
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import plumbline as pb
from plumbline.comparison import Pair, corrected_t, mcnemar, paired_permutation, quantity_of
from plumbline.random_streams import stream

RESULTS = Path(__file__).parent / "results"
ROWS, FEATURES, SHIFT, LEVEL, DATA_SETS, RESAMPLES = 200, 4, 0.5, 0.05, 1000, 999
DESIGNS = {"holdout of half the rows": 0, "2 folds": 2, "10 folds": 10, "leave-one-out": ROWS}

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Learner = Callable[[Floats, Ints, Floats], Floats]


def naive_bayes(x: Floats, y: Ints, new: Floats) -> Floats:
    """Gaussian naive Bayes: the probability of class 1 in new rows."""
    odds = np.zeros(len(new))
    for label, sign in ((1, 1.0), (0, -1.0)):
        own = x[y == label]
        mean, variance = own.mean(axis=0), own.var(axis=0)
        fit = (new - mean) ** 2 / variance + np.log(variance)
        odds += sign * (np.log(len(own)) - fit.sum(axis=1) / 2)
    return np.asarray(1 / (1 + np.exp(-odds)))


def neighbours(x: Floats, y: Ints, new: Floats) -> Floats:
    """The share of class 1 among the five nearest rows."""
    apart = ((new[:, None] - x[None]) ** 2).sum(axis=2)
    return np.asarray(y[np.argpartition(apart, 5, axis=1)[:, :5]].mean(axis=1))


LEARNERS: dict[str, Learner] = {"naive Bayes": naive_bayes, "5 nearest neighbours": neighbours}


def predicted(learner: Learner, folds: int, rng: np.random.Generator) -> tuple[Pair, Ints]:
    """Return predictions of both learners, each of which sees half of the features, and folds.

    The features are alike, so over all training parts both learners are equally good.
    """
    y = rng.integers(0, 2, ROWS)
    x = rng.normal(size=(ROWS, 2 * FEATURES)) + SHIFT * y[:, None]
    fold = rng.permutation(ROWS) % (folds or 2)
    prob = np.empty((2, ROWS))
    for part in range(1 if folds == 0 else folds):
        test = fold == part
        for side in range(2):
            seen = x[:, side * FEATURES : (side + 1) * FEATURES]
            prob[side, test] = learner(seen[~test], y[~test], seen[test])
    rows = np.flatnonzero(fold == 0) if folds == 0 else np.arange(ROWS)
    first, second = (pb.Predictions.from_arrays(y[rows], one[rows], classes=[0, 1]) for one in prob)
    return Pair(first, second, np.arange(len(rows))), fold[rows]


def p_values(pair: Pair, fold: Ints, folds: int) -> list[float]:
    """Return McNemar's p-value, and of the Brier score the permutation's and the corrected t's."""
    quantity = quantity_of("brier-score", pair.first)
    exchanged = paired_permutation(pair, quantity, resamples=RESAMPLES, workers=1)
    found = [mcnemar(pair).p_value, exchanged.p_value]
    if folds in (0, ROWS) or quantity.per_row is None:
        return [*found, np.nan]
    gap = quantity.per_row(pair.first) - quantity.per_row(pair.second)
    d = np.bincount(fold, gap) / np.bincount(fold)
    return [*found, corrected_t(d, test_share=1 / folds).p_value]


def table() -> str:
    """Return the shares of rejections, a row a learner and design."""
    lines = [
        "| learner | design | McNemar, accuracy | permutation, Brier score | corrected t, Brier "
        "score |",
        "|---|---|---|---|---|",
    ]
    for place, (name, learner) in enumerate(LEARNERS.items()):
        for design, folds in DESIGNS.items():
            found = []
            for number in range(DATA_SETS if folds < ROWS else DATA_SETS // 4):
                rng = stream(0, place, folds, number)
                found.append(p_values(*predicted(learner, folds, rng), folds))
            shares = np.mean(np.array(found) <= LEVEL, axis=0)
            known = np.isfinite(np.array(found)).any(axis=0)
            pairs = zip(shares.tolist(), known.tolist(), strict=True)
            cells = [f"{share:.3f}" if there else "-" for share, there in pairs]
            lines.append(f"| {name} | {design} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Write the page of results."""
    error = sqrt(LEVEL * (1 - LEVEL) / DATA_SETS)
    text = f"""# Tests on rows, and a claim about learning methods

Made by `python studies/comparison_pooled.py`: share of {DATA_SETS:,} data sets (leave-one-out:
{DATA_SETS // 4}) of {ROWS} rows in which a test at the level {LEVEL} calls two learning methods
different that are equally good: the same learner, on either half of features that are all alike.
Standard error where the truth is {LEVEL}: {error:.3f} (leave-one-out: {2 * error:.3f}).

{table()}
"""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "comparison_pooled.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
