"""How often tests of two models on the same rows are wrong, and their intervals right.

python studies/comparison_rows.py [--datasets 160] [--workers 2]

Writes studies/results/comparison_rows.md. `--datasets` is for means over rows and areas under ROC
curves; other measures take a quarter of them, and fewer draws.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np

from plumbline.comparison.bootstrap import paired_bootstrap
from plumbline.comparison.paired_rows import Pair
from plumbline.comparison.permutation import paired_permutation
from plumbline.comparison.quantity import Quantity, quantity_of
from plumbline.comparison.results import TestAnswer
from plumbline.comparison.row_tests import delong, mcnemar
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "comparison_rows.md"
LEVEL = 0.95
LARGE = 400_000  # rows on which true differences are measured
FAST = ("accuracy", "brier-score", "log-loss", "roc-auc", "profit")
DRAWS = {True: 499, False: 159}  # of a fast measure, of another

TESTS: dict[str, Callable[[Pair, Quantity, int], TestAnswer]] = {
    "mcnemar": lambda pair, quantity, seed: mcnemar(pair),
    "delong": lambda pair, quantity, seed: delong(pair),
    "permutation": lambda pair, quantity, seed: paired_permutation(
        pair, quantity, resamples=DRAWS[quantity.name in FAST], rng=seed, workers=1
    ),
    "bootstrap": lambda pair, quantity, seed: paired_bootstrap(
        pair, quantity, resamples=DRAWS[quantity.name in FAST], rng=seed, workers=1
    ),
}


@dataclass(frozen=True)
class Case:
    """One test of one measure, models of one kind, one number of rows."""

    test: str
    measure: str
    models: str
    n: int


@dataclass(frozen=True)
class Found:
    """Shares of the data sets: told apart at the 5 % level, interval too low, too high, none."""

    case: Case
    sets: int
    truth: float
    rejected: float
    too_low: float
    too_high: float
    none: float


# ---------------------------------------------------------------- models

# Noise added to the true log-odds, and the factor that both are stretched by, of either model.
MODELS = {
    "alike": ((0.8, 1.0), (0.8, 1.0)),
    "unlike": ((0.5, 1.0), (1.0, 1.8)),
}
SOUGHT = {  # the second model's factor is sought that makes both measures equal
    "brier-score": ((0.9, 1.0), (0.3, None)),
    "log-loss": ((0.9, 1.0), (0.3, None)),
    "roc-auc": ((0.8, 1.0), (0.8, 2.5)),  # which no factor changes
    "accuracy": ((0.8, 1.0), (0.8, 2.5)),
    "ece": ((0.5, 0.6), (0.5, None)),
}


def pair_of(kind: Sequence[tuple[float, float]], n: int, *key: int) -> Pair:
    """Return two models of a kind on n rows."""
    source = stream(7, *key, n)
    logit = source.normal(-0.5, 1.4, n)
    y = (source.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    y[:2] = 0, 1
    noisy = [factor * (logit + noise * source.normal(size=n)) for noise, factor in kind]
    tables = (Predictions.from_arrays(y, 1 / (1 + np.exp(-z)), classes=[0, 1]) for z in noisy)
    return Pair(*tables, np.arange(n))


def measure_of(name: str, pair: Pair) -> Quantity:
    """Return a measure; the profit pays 10 for a hit and costs 5 for a false alarm."""
    if name == "profit":
        return quantity_of(name, pair.first, payoffs={"TP": 10, "FP": -5}, threshold=1 / 3)
    return quantity_of(name, pair.first)


@cache
def kind_of(models: str, measure: str) -> tuple[tuple[float, float], ...]:
    """Return noise and factor of both models."""
    if models in MODELS:
        return MODELS[models]
    first, (noise, factor) = SOUGHT[measure]
    if factor is not None:
        return first, (noise, factor)
    low, high = 1.0, 6.0
    for _ in range(25):
        middle = (low + high) / 2
        low, high = (middle, high) if gap((first, (noise, middle)), measure) > 0 else (low, middle)
    return first, (noise, (low + high) / 2)


def gap(kind: Sequence[tuple[float, float]], measure: str) -> float:
    """Return the difference of two models on many rows."""
    pair = pair_of(kind, LARGE, 999)
    quantity = measure_of(measure, pair)
    return quantity.value(pair.first) - quantity.value(pair.second)


# ---------------------------------------------------------------- simulations


def run(asked: tuple[Case, int]) -> Found:
    """Return how often a test of equal models rejects, and where its intervals lie."""
    case, sets = asked
    kind = kind_of(case.models, case.measure)
    truth = gap(kind, case.measure) if case.models == "unlike" else 0.0
    found = []
    for i in range(sets):
        pair = pair_of(kind, case.n, 1, i)
        answer = TESTS[case.test](pair, measure_of(case.measure, pair), i)
        found.append((answer.p_value, *answer.interval_range))
    p_value, low, high = np.array(found).T
    wrong = [float(np.mean(x)) for x in (p_value <= 1 - LEVEL, high < truth, low > truth)]
    none = np.isnan(p_value) if case.test == "permutation" else np.isnan(p_value + low + high)
    return Found(case, sets, truth, *wrong, float(none.mean()))


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for n in (50, 300):
        for models in ("alike", "equal value, unlike", "unlike"):
            known = FAST if models != "equal value, unlike" else SOUGHT
            names = [name for name in FAST if name in known]
            if "accuracy" in names:
                yield Case("mcnemar", "accuracy", models, n)
            if "roc-auc" in names:
                yield Case("delong", "roc-auc", models, n)
            yield from (
                Case("permutation", name, models, n) for name in names if models != "unlike"
            )
            yield from (Case("bootstrap", name, models, n) for name in names)
    for name in ("f1", "ece"):
        yield Case("permutation", name, "alike", 300)
        yield from (Case("bootstrap", name, models, 300) for models in ("alike", "unlike"))
    yield Case("permutation", "ece", "equal value, unlike", 300)
    yield Case("bootstrap", "ece", "equal value, unlike", 300)


# ---------------------------------------------------------------- the page

HEAD = (
    "Two models of one kind, drawn again on every data set. *alike*: log-odds with independent "
    "noise of one size, so that answers may be exchanged. *equal value, unlike*: of different "
    "noise or stretch, so that the measure (on 400,000 rows) is the same and the answers are not "
    "exchangeable. *unlike*: of different values. `told apart`: share of data sets with p <= .05, "
    "an error where values are equal. `coverage`: share whose 95 % interval holds the true "
    "difference (`below`, `above`: whose interval lies below, above it). A permutation test has no "
    "interval."
)
COLUMNS = ("test", "measure", "rows", "told apart", "coverage", "below", "above", "no answer")


def page(rows: Sequence[Found]) -> Iterator[str]:
    """Yield the page, a table for each kind of models."""
    yield from ("# Two models on the same rows: errors and coverage", "")
    yield from ("By `python studies/comparison_rows.py`.", "", HEAD)
    for models in dict.fromkeys(row.case.models for row in rows):
        those = [row for row in rows if row.case.models == models]
        least, most = (pick(row.sets for row in those) for pick in (min, max))
        errors = [sqrt(0.05 * 0.95 / sets) for sets in (most, least)]
        yield from ("", f"## {models}", "")
        yield (
            f"{most} data sets a row, of ece and f1 {least}; standard error of a share of .05 "
            f"about {errors[0]:.3f} and {errors[1]:.3f}."
        )
        yield from ("", f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS))
        yield from (line(row) for row in sorted(those, key=place))


def place(row: Found) -> tuple[int, str, int]:
    """Return where a row stands."""
    return list(TESTS).index(row.case.test), row.case.measure, row.case.n


def line(row: Found) -> str:
    """Return one row of a table."""
    cover = 1 - row.too_low - row.too_high - row.none
    ends = [f"{x:.3f}" for x in (cover, row.too_low, row.too_high)]
    cells = [row.case.test, row.case.measure, f"{row.case.n}", f"{row.rejected:.3f}"]
    shown = ends if row.case.test != "permutation" else ["", "", ""]
    return f"| {' | '.join([*cells, *shown, f'{row.none:.3f}'])} |"


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=160)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    wanted = [(case, asked.datasets // (1 if case.measure in FAST else 4)) for case in cases()]
    rows = []
    with ProcessPoolExecutor(asked.workers) as pool:
        for row in pool.map(run, wanted):
            rows.append(row)
            print(line(row), row.case.models, flush=True)
    RESULT.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
