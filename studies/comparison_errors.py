"""How often tests of two equally calibrated models find a difference of their calibration errors.

python studies/comparison_errors.py [--designs 3] [--tables 400] [--draws 199]

Writes studies/results/comparison_errors.md, in one to two minutes a design. Both models see one
signal, each with noise of its own and of the same size, and report the exact probability of the
positive class given what they see. So both are calibrated, answers may be exchanged, and every
p <= .05 is wrong.
"""

import argparse
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import numpy as np

from plumbline.comparison import Pair, paired_bootstrap, paired_permutation, quantity_of
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "comparison_errors.md"
LEVEL = 0.05
DESIGNS = ((100, 7), (100, 34), (400, 26))  # rows, expected positives
ERRORS = {"ece": "ECE", "rmsce": "rMSCE", "mce": "MCE"}
TESTS = {"permutation": paired_permutation, "bootstrap": paired_bootstrap}
SLOPE, NOISE = 1.5, 0.7  # of the log-odds in the signal; standard deviation of a model's noise
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)


def chance(logit: np.ndarray) -> np.ndarray:
    """Return the probability of log-odds."""
    return 1 / (1 + np.exp(-logit))


def mean_chance(intercept: float, seen: np.ndarray, share: float) -> np.ndarray:
    """Return the mean probability of signals N(`seen`, 1 - `share`)."""
    signal = seen[:, None] + sqrt(1 - share) * NODES
    return chance(intercept + SLOPE * signal) @ WEIGHTS / WEIGHTS.sum()


def intercept_of(prevalence: float) -> float:
    """Return the intercept with which so many rows are positive."""
    low, high = -15.0, 15.0
    for _ in range(60):
        middle = (low + high) / 2
        more = mean_chance(middle, np.zeros(1), 0.0)[0] > prevalence
        low, high = (low, middle) if more else (middle, high)
    return low


def pair_of(n: int, intercept: float, *key: int) -> Pair:
    """Return two calibrated, exchangeable models of n rows."""
    source = stream(11, n, *key)
    signal = source.normal(size=n)
    y = (source.random(n) < chance(intercept + SLOPE * signal)).astype(int)
    share = 1 / (1 + NOISE**2)  # of the variance of what a model sees that is signal
    seen = [signal + NOISE * source.normal(size=n) for _ in range(2)]
    tables = [
        Predictions.from_arrays(y, mean_chance(intercept, share * x, share), classes=[0, 1])
        for x in seen
    ]
    return Pair(*tables, np.arange(n))


def rejected(rows: int, positives: int, tables: int, draws: int) -> dict[tuple[str, str], float]:
    """Return by error and test in which share of tables p is at most .05."""
    intercept = intercept_of(positives / rows)
    wrong = dict.fromkeys(((error, test) for error in ERRORS for test in TESTS), 0)
    for i in range(tables):
        pair = pair_of(rows, intercept, positives, i)
        for error, test in wrong:
            answer = TESTS[test](
                pair, quantity_of(error, pair.first), resamples=draws, rng=i, workers=1
            )
            wrong[error, test] += answer.p_value <= LEVEL
    return {case: count / tables for case, count in wrong.items()}


def page(designs: int, tables: int, draws: int) -> Iterator[str]:
    """Yield the page, a line for each error and design."""
    yield "# Comparing calibration errors of equally calibrated models"
    yield from ("", "By `python studies/comparison_errors.py`.", "")
    worst = sqrt(LEVEL * (1 - LEVEL) / tables)
    yield (
        f"{tables} tables a line, {draws} draws a test. Two calibrated models that see one signal "
        "with noise of their own; answers may be exchanged, so that p <= .05 is always wrong. "
        f"Standard error of a share of .05: {worst:.3f}."
    )
    yield from ("", "| rows | positives | error | exchanges within rows | bootstrap |")
    yield "|---|---|---|---|---|"
    for rows, positives in DESIGNS[:designs]:
        found = rejected(rows, positives, tables, draws)
        for error, title in ERRORS.items():
            shares = " | ".join(f"{found[error, test]:.3f}" for test in TESTS)
            yield f"| {rows} | {positives} | {title} | {shares} |"


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=len(DESIGNS))
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--draws", type=int, default=199)
    asked = parser.parse_args()
    lines = []
    for line in page(asked.designs, asked.tables, asked.draws):
        print(line, flush=True)
        lines.append(line)
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
