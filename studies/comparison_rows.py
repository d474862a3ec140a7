"""How often tests of two models on the same rows are wrong, and their intervals right.

python studies/comparison_rows.py [all|shift|errors] [--datasets 400] [--workers 1]

Writes studies/results/comparison_rows.md, in about six minutes on one core. `--datasets` is for
means over rows and areas under ROC curves; other measures take a quarter of them, and fewer draws.
`shift` prints how the interval of a difference of areas covers where the shift that it looks for is
divided between positives and negatives in one way or another. `errors` prints the same of the ECE
of a calibrated model and of one whose log-odds are stretched, in about four minutes.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import nan, sqrt
from pathlib import Path

import numpy as np
from scipy.special import expit, logit, ndtr

from plumbline.comparison import (
    Pair,
    Quantity,
    TestAnswer,
    delong_t,
    inverted_shift,
    mcnemar,
    paired_bootstrap,
    paired_permutation,
    quantity_of,
)
from plumbline.comparison.paired_rows import area_masses, area_parts
from plumbline.comparison.permutation import Adds
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

RESULT = Path(__file__).parent / "results" / "comparison_rows.md"
LEVEL = 0.95
LARGE = 400_000  # rows on which true differences are measured
FAST = ("accuracy", "brier-score", "log-loss", "roc-auc", "profit")
DRAWS = {True: 499, False: 159}  # of a fast measure, of another
CENTRE = {False: -0.5, True: -3.6}  # mean of the true log-odds: 41 % positives, or 5.6 %
SIZES = ((50, False), (300, False), (200, True))  # rows, and whether positives are few: 11

TESTS: dict[str, Callable[[Pair, Quantity, int], TestAnswer]] = {
    "mcnemar": lambda pair, quantity, seed: mcnemar(pair),
    "delong-t": lambda pair, quantity, seed: delong_t(pair),
    "permutation": lambda pair, quantity, seed: paired_permutation(
        pair, quantity, resamples=DRAWS[quantity.name in FAST], rng=seed, workers=1
    ),
    "bootstrap": lambda pair, quantity, seed: paired_bootstrap(
        pair, quantity, resamples=DRAWS[quantity.name in FAST], rng=seed, workers=1
    ),
}


@dataclass(frozen=True)
class Case:
    """One test of one measure, models of one kind, one number of rows, few positives or not."""

    test: str
    measure: str
    models: str
    n: int
    few: bool = False


@dataclass(frozen=True)
class Found:
    """Shares of the data sets: told apart at the 5 % level, interval too low, too high, none.

    `width` is the median of the intervals' widths.
    """

    case: Case
    sets: int
    truth: float
    rejected: float
    too_low: float
    too_high: float
    width: float
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


def pair_of(kind: Sequence[tuple[float, float]], n: int, few: bool, *key: int) -> Pair:
    """Return two models of a kind on n rows of both classes."""
    source = stream(7, *key, n)
    y = np.zeros(n, int)
    while y.sum() in (0, n):
        logit = source.normal(CENTRE[few], 1.4, n)
        y = (source.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    noisy = [factor * (logit + noise * source.normal(size=n)) for noise, factor in kind]
    tables = (Predictions.from_arrays(y, 1 / (1 + np.exp(-z)), classes=[0, 1]) for z in noisy)
    return Pair(*tables, np.arange(n))


def measure_of(name: str, pair: Pair) -> Quantity:
    """Return a measure; the profit pays 10 for a hit and costs 5 for a false alarm."""
    if name == "profit":
        return quantity_of(name, pair.first, payoffs={"TP": 10, "FP": -5}, threshold=1 / 3)
    return quantity_of(name, pair.first)


@cache
def kind_of(models: str, measure: str, few: bool) -> tuple[tuple[float, float], ...]:
    """Return noise and factor of both models."""
    if models in MODELS:
        return MODELS[models]
    first, (noise, factor) = SOUGHT[measure]
    if factor is not None:
        return first, (noise, factor)
    low, high = 1.0, 6.0
    for _ in range(25):
        middle = (low + high) / 2
        more = gap((first, (noise, middle)), measure, few) > 0
        low, high = (middle, high) if more else (low, middle)
    return first, (noise, (low + high) / 2)


@cache
def gap(kind: tuple[tuple[float, float], ...], measure: str, few: bool) -> float:
    """Return the difference of two models on many rows."""
    pair = pair_of(kind, LARGE, few, 999)
    quantity = measure_of(measure, pair)
    return quantity.value(pair.first) - quantity.value(pair.second)


# ---------------------------------------------------------------- simulations


def run(asked: tuple[Case, int]) -> Found:
    """Return how often a test rejects, and where its intervals lie."""
    case, sets = asked
    kind = kind_of(case.models, case.measure, case.few)
    truth = gap(kind, case.measure, case.few) if case.models == "unlike" else 0.0
    found = []
    for i in range(sets):
        pair = pair_of(kind, case.n, case.few, 1, i)
        answer = TESTS[case.test](pair, measure_of(case.measure, pair), i)
        found.append((answer.p_value, *answer.interval_range))
    return summed(case, truth, np.array(found))


def summed(case: Case, truth: float, found: np.ndarray) -> Found:
    """Return the shares of (tables, 3) p-values and ends of intervals."""
    p_value, low, high = found.T
    wrong = [float(np.mean(x)) for x in (p_value <= 1 - LEVEL, high < truth, low > truth)]
    none = np.isnan(p_value + low + high)
    width = float(np.median((high - low)[~none])) if not none.all() else nan
    return Found(case, len(found), truth, *wrong, width, float(none.mean()))


# How the shift of an area by theta is divided: what part the positives have, all rows of a class
# alike. Ranks that move the positives move the negatives the other way (`area_masses`).
IN_USE = "share of the negatives (in use)"
DIVISIONS: dict[str, Callable[[float], float]] = {
    IN_USE: lambda positives: 1 - positives,
    "half": lambda _: 0.5,
    "share of the positives": lambda positives: positives,
}


def divided(case: Case, sets: int) -> Iterator[tuple[str, Found]]:
    """Yield what intervals of a difference of areas do, by how the shift is divided."""
    kind = kind_of(case.models, "roc-auc", case.few)
    truth = gap(kind, "roc-auc", case.few) if case.models == "unlike" else 0.0
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in DIVISIONS}
    for i in range(sets):
        pair = pair_of(kind, case.n, case.few, 1, i)
        ratings = measure_of("roc-auc", pair).ratings
        parts, y = area_parts(pair, ratings), pair.first.actual
        for name, of_positives in DIVISIONS.items():
            share = of_positives(y.mean())
            mass = np.where(y == 1, share / y.sum(), (1 - share) / (1 - y).sum())
            if name == IN_USE:
                mass = area_masses(pair, ratings)
            part, signed, _ = Adds(parts, mass, False).exchanged(499, i, workers=1, progress=None)
            result = inverted_shift(float(parts.sum()), part, signed, level=LEVEL)
            found[name].append((result.p_value, result.low, result.high))
    yield from ((name, summed(case, truth, np.array(rows))) for name, rows in found.items())


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for n, few in SIZES:
        for models in ("alike", "equal value, unlike", "unlike"):
            known = FAST if models != "equal value, unlike" else SOUGHT
            names = [name for name in FAST if name in known]
            if "accuracy" in names:
                yield Case("mcnemar", "accuracy", models, n, few)
            if "roc-auc" in names:
                yield Case("delong-t", "roc-auc", models, n, few)
            for test in ("permutation", "bootstrap"):
                yield from (Case(test, name, models, n, few) for name in names)
    for models in ("alike", "unlike"):
        for test in ("permutation", "bootstrap"):
            yield from (Case(test, name, models, 300) for name in ("f1", "ece"))
    for test in ("permutation", "bootstrap"):
        yield Case(test, "ece", "equal value, unlike", 300)


# ---------------------------------------------------------------- the page

HEAD = (
    "Two models of one kind, drawn again on every data set. *alike*: log-odds with independent "
    "noise of one size, so that answers may be exchanged. *equal value, unlike*: of different "
    "noise or stretch, so that the measure (on 400,000 rows) is the same and the answers are not "
    "exchangeable. *unlike*: of different values. `told apart`: share of data sets with p <= .05, "
    "an error where values are equal. `coverage`: share whose 95 % interval holds the true "
    "difference (`below`, `above`: whose interval lies below, above it; `width`: median). The "
    "interval of every test is that beside its p-value in `compare`: the permutation test's holds "
    "the differences that its exchanges do not reject. 200 rows have 11 positives on average, "
    "others 41 %."
)
COLUMNS = ("test", "measure", "rows", "told apart", "coverage", "below", "above", "width", "none")


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


def place(row: Found) -> tuple[int, str, bool, int]:
    """Return where a row stands."""
    return list(TESTS).index(row.case.test), row.case.measure, row.case.few, row.case.n


def line(row: Found) -> str:
    """Return one row of a table."""
    cells = [row.case.test, row.case.measure, f"{row.case.n}", *shares(row)]
    return f"| {' | '.join(cells)} |"


def shares(row: Found) -> list[str]:
    """Return the numbers of one row of a table."""
    cover = 1 - row.too_low - row.too_high - row.none
    ends = [f"{x:.3f}" for x in (row.rejected, cover, row.too_low, row.too_high)]
    return [*ends, f"{row.width:.3g}", f"{row.none:.3f}"]


def shift_table(sets: int) -> Iterator[str]:
    """Yield a table of intervals by how the shift of a difference of areas is divided."""
    columns = ("rows", "models", "part of the positives", *COLUMNS[3:])
    yield from (f"| {' | '.join(columns)} |", "|" + "---|" * len(columns))
    for n, few in SIZES:
        for models in ("alike", "unlike"):
            for name, row in divided(Case("permutation", "roc-auc", models, n, few), sets):
                yield f"| {n} | {models} | {' | '.join([name, *shares(row)])} |"


# ---------------------------------------------------------------- errors of unequal models

STRETCHED = ((300, 1.0), (300, 1.3), (300, 1.8), (300, 3.0), (300, 0.4), (100, 1.8), (1000, 1.8))


def stretched_pair(n: int, factor: float, *key: int) -> Pair:
    """Return two calibrated models that know different things, the second's log-odds stretched."""
    source = stream(11, *key, n)
    both, own, other, rest = source.normal(size=(4, n))
    y = (both + 0.6 * own + 0.6 * other + rest > 0).astype(int)
    known = (both + 0.6 * each for each in (own, other))
    prob = [ndtr(z / sqrt(1 + 0.6**2)).clip(1e-9, 1 - 1e-9) for z in known]
    prob[1] = expit(factor * logit(prob[1]))
    return Pair(*(Predictions.from_arrays(y, p, classes=[0, 1]) for p in prob), np.arange(n))


def stretched(asked: tuple[int, float, int]) -> str:
    """Return a row of the table of unequal errors."""
    n, factor, sets = asked
    pair, found = stretched_pair(LARGE, factor, 999), []
    ece = measure_of("ece", pair)
    truth = ece.value(pair.first) - ece.value(pair.second) if factor != 1 else 0.0
    for i in range(sets):
        pair = stretched_pair(n, factor, 1, i)
        answer = paired_permutation(pair, measure_of("ece", pair), resamples=199, rng=i, workers=1)
        found.append((answer.p_value, *answer.interval_range))
    row = summed(Case("permutation", "ece", "", n), truth, np.array(found))
    return f"| {n} | {factor:g} | {truth:.3f} | {' | '.join(shares(row))} |"


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=("all", "shift", "errors"))
    parser.add_argument("--datasets", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "shift":
        for text in shift_table(asked.datasets):
            print(text, flush=True)
        return
    if asked.what == "errors":
        columns = ("rows", "factor", "true difference", *COLUMNS[3:])
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        with ProcessPoolExecutor(asked.workers) as pool:
            cases_asked = ((n, factor, asked.datasets) for n, factor in STRETCHED)
            for text in pool.map(stretched, cases_asked):
                print(text, flush=True)
        return
    wanted = [(case, asked.datasets // (1 if case.measure in FAST else 4)) for case in cases()]
    rows = []
    with ProcessPoolExecutor(asked.workers) as pool:
        for row in pool.map(run, wanted):
            rows.append(row)
            print(line(row), row.case.models, flush=True)
    RESULT.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
