"""How often the known calibration tests reject true probabilities, by textbook and by drawing.

python studies/size_of_textbook_nulls.py

Predictions are drawn from Dirichlet(alpha, ..., alpha), labels from the predictions, and the usual
binary view is tested (the positive class for two classes, else the top label). Prints a table and
writes it to studies/results/size_of_textbook_nulls.md. It takes four to eight minutes.
"""

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

import plumbline as pb
from plumbline.calibration import Drawable
from plumbline.calibration_errors import TESTS, StatisticParams
from plumbline.nulls import TEXTBOOK, observed, resampled, textbook_tails
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "size_of_textbook_nulls.md"
ROWS, CLASSES, ALPHAS = (20, 100, 1000), (2, 5, 10), (0.1, 1.0, 10.0)
DATA_SETS = 1000  # for the textbook nulls
DRAWN = 300  # of them also with drawn labels
RESAMPLES = 99
LEVEL = 0.05


def calibrated(rng: np.random.Generator, n: int, k: int, alpha: float) -> pb.Predictions:
    """Draw predictions and labels of them."""
    prob = rng.dirichlet(np.full(k, alpha), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k))


def p_value(tails: tuple[float, float], alternative: str) -> float:
    """Return the p-value of a test's usual alternative."""
    return tails[0] if alternative == "greater" else min(1.0, 2 * min(tails))


def drawn_tails(what: Drawable, value: float, seed: int) -> tuple[float, float]:
    """Return the resampled tails."""
    draws = resampled(what, RESAMPLES, seed, workers=1)
    slack = 1e-12 * (1 + abs(value)) if np.isfinite(value) else 0.0
    upper = 1 + np.count_nonzero(draws >= value - slack)
    lower = 1 + np.count_nonzero(draws <= value + slack)
    return upper / (RESAMPLES + 1), lower / (RESAMPLES + 1)


def rejected(n: int, k: int, alpha: float) -> Iterator[tuple[str, float, float]]:
    """Yield name, share rejected by the textbook, and by drawing."""
    counts = {name: [0, 0] for name in TEXTBOOK}
    view = "one-vs-rest:1" if k == 2 else "top-label"
    for seed in range(DATA_SETS):
        data = calibrated(stream(seed, n, k, round(10 * alpha)), n, k, alpha)
        for name, count in counts.items():
            alternative = TESTS[name].alternative
            what = TESTS[name].build(data, StatisticParams(view=view)).statistic
            value = float(observed(what))
            tails = textbook_tails(name, what, value)
            count[0] += p_value(tails, alternative) <= LEVEL
            if seed < DRAWN:
                count[1] += p_value(drawn_tails(what, value, seed), alternative) <= LEVEL
    for name, (textbook, drawn) in counts.items():
        yield name, textbook / DATA_SETS, drawn / DRAWN


def lines() -> Iterator[str]:
    """Yield the page line by line, as it comes."""
    errors = [np.sqrt(LEVEL * (1 - LEVEL) / count) for count in (DATA_SETS, DRAWN)]
    yield "# How often true probabilities are rejected at the level 0.05\n"
    yield "Made by `python studies/size_of_textbook_nulls.py`.\n"
    yield (
        f"Each cell: share of {DATA_SETS:,} data sets that the textbook null rejects (standard "
        f"error {errors[0]:.3f} at the level) / share of {DRAWN} of them that {RESAMPLES} drawn "
        f"sets of labels reject ({errors[1]:.3f}). **Bold**: the textbook is off by more than "
        "four standard errors.\n"
    )
    yield "| n | k | Dirichlet | " + " | ".join(TEXTBOOK) + " |"
    yield "|---" * (3 + len(TEXTBOOK)) + "|"
    cases = list(product(ROWS, CLASSES, ALPHAS))
    sums = np.zeros((len(TEXTBOOK), 2))
    for n, k, alpha in cases:
        cells = []
        for j, (_, textbook, drawn) in enumerate(rejected(n, k, alpha)):
            sums[j] += textbook, drawn
            mark = "**" if abs(textbook - LEVEL) > 4 * errors[0] else ""
            cells.append(f"{mark}{textbook:.3f}{mark} / {drawn:.3f}")
        yield f"| {n} | {k} | {alpha:g} | " + " | ".join(cells) + " |"
    means = " | ".join(f"{textbook:.3f} / {drawn:.3f}" for textbook, drawn in sums / len(cases))
    yield f"| all | all | all | {means} |"


def main() -> None:
    """Print the page and keep it."""
    begun = time.perf_counter()
    page = []
    for line in lines():
        print(line, flush=True)
        page.append(line)
    page.append(f"\nIt took {time.perf_counter() - begun:.0f} s.")
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
