"""Intervals that agree with their p-values: coverage, and how often interval and p-value disagree.

python studies/interval_duality.py [coverage|never|bias] [--datasets 300]

`coverage`: tables with 5 to 20 positives, ties, and saturated scores; the probabilities calibrated
or not. Coverage and median width of the interval through the predictions, beside the interval along
the tilted smoothed probabilities alone, which does not know the test; and the share of tables
whose interval and p-value disagree. `never`: the same of the ECE on saturated scores, for several
values of `NEVER` in `plumbline.intervals.families`. `bias`: the interval of a bias, by the test of
the bias alone that `measure` and groups of rows have, beside the interval that follows the test of
calibration. Prints Markdown; a few minutes.
"""

import argparse
from collections.abc import Callable

import numpy as np

from plumbline.calibration_errors import StatisticParams, compare_with_draws
from plumbline.intervals import families, interval, interval_of
from plumbline.metrics import METRICS, measure
from plumbline.nulls import Resampling, observed, resampled
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

RESAMPLES = 199
MEASURES = ("ece", "log-loss", "accuracy", "calibration-slope")
NULLS = {"calibration-slope": 1.0, "ece": 0.0}
BIAS = "calibration-in-the-large"


def few(source: np.random.Generator) -> np.ndarray:
    """Return 150 scores with about 11 positives."""
    return source.beta(1, 12, 150)


def tied(source: np.random.Generator) -> np.ndarray:
    """Return 120 scores of four values."""
    return source.choice([0.1, 0.2, 0.5, 0.9], 120)


def sure(source: np.random.Generator) -> np.ndarray:
    """Return 200 scores, many within 1e-6 of 0 or 1."""
    return 1 / (1 + np.exp(-source.normal(0, 8, 200)))


def fewer(source: np.random.Generator) -> np.ndarray:
    """Return 150 scores with about 5 positives."""
    return source.beta(1, 30, 150)


def group(source: np.random.Generator) -> np.ndarray:
    """Return 30 scores, as a group of rows has."""
    return source.beta(2, 5, 30)


SCORES: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "few positives": few,
    "ties": tied,
    "saturated": sure,
}
OF_BIAS = {"fewer positives": fewer, **SCORES, "saturated, weights 1 to 3": sure, "30 rows": group}
TRUTHS = {"calibrated": 1.0, "temperature 1.5": 1.5, "temperature 4": 4.0}
TEMPERATURES = {**TRUTHS, "temperature 0.6": 0.6}


def table(scores: str, truth: str, seed: int) -> tuple[Predictions, np.ndarray]:
    """Return a table and the probabilities that its labels are drawn from."""
    source = stream(seed, sum(map(ord, scores + truth)))
    p = OF_BIAS[scores](source)
    with np.errstate(divide="ignore"):  # a score that rounds to 1
        logit = np.log(p) - np.log1p(-p)
    true = 1 / (1 + np.exp(-logit / TEMPERATURES[truth]))
    y = (source.random(len(p)) < true).astype(int)
    weight = source.integers(1, 4, len(p)) if "weights" in scores else None
    data = Predictions.from_arrays(y, p, weight=weight, classes=[0, 1])
    return data, np.column_stack([1 - true, true])


def tilted(what, seed):
    """Return the interval along the tilted smoothed probabilities, which does not know the test."""
    smooth = families.smoothed(what.prob, what.actual, np.ones(len(what.actual)))
    draws = interval.DrawPlan(Resampling(RESAMPLES, seed, 1), int(0.025 * (RESAMPLES + 1) + 1e-9))
    path = interval.FamilySearch(
        what, families.tilt(what, smooth, np.ones(len(what.actual))), draws
    )
    value = float(observed(what))
    return tuple(interval._end(path, interval.RangeEnd(up), value) for up in (True, False))


def cell(scores: str, truth: str, name: str, datasets: int) -> str:
    """Return a line of the table."""
    rows = []
    for seed in range(datasets):
        data, true = table(scores, truth, seed)
        what = METRICS[name].subject(data, StatisticParams()).statistic
        value, kind = float(observed(what)), METRICS[name].interval
        if not np.isfinite(value):
            continue
        order = getattr(what, "order", None)
        target = what.at(true if order is None else true[order])
        draws = resampled(what, RESAMPLES, seed, workers=1)
        summary = compare_with_draws(value, draws)
        p = summary.p_value("greater") * 2 if kind == "error" else summary.p_value()
        null = NULLS.get(name, what.at(np.asarray(what.prob, float)))
        new = interval_of(what, kind=kind, resamples=RESAMPLES, rng=seed, workers=1)
        ends = [(new.low, new.high)]
        ends += [tilted(what, seed)] if kind == "estimate" else []
        for low, high in ends:
            slack = 1e-9
            held = low - slack <= target <= high + slack
            out = low > null + 1e-12 or high < null - 1e-12
            rows.append((held, high - low, out != (p <= 0.05 + 1e-9)))
    step = 2 if METRICS[name].interval == "estimate" else 1
    parts = []
    for first in range(step):
        held, width, odd = np.array(rows[first::step], float).T
        parts.append(f"{held.mean():.3f}, {np.median(width):.3g}, {odd.mean():.3f}")
    parts += ["-"] * (2 - step)
    return f"| {scores} | {truth} | {name} | " + " | ".join(parts) + " |"


def of_bias(scores: str, truth: str, datasets: int) -> str:
    """Return a line of the table of biases: coverage, misses on either side, median width."""
    rows: tuple[list[tuple[float, ...]], ...] = ([], [])
    for seed in range(datasets):
        data, true = table(scores, truth, seed)
        what = METRICS[BIAS].subject(data, StatisticParams()).statistic
        order = getattr(what, "order", None)
        target = what.at(true if order is None else true[order])
        one = measure(data, BIAS, interval=True, resamples=1)[BIAS]
        old = interval_of(
            what, weight=data.weight, kind="estimate", resamples=RESAMPLES, rng=seed, workers=1
        )
        for own, (low, high) in zip(rows, (one.interval_range, (old.low, old.high)), strict=True):
            own.append((high < target - 1e-9, low > target + 1e-9, high - low))
    parts = []
    for own in rows:
        below, above, width = np.array(own).T
        shares = [1 - below.mean() - above.mean(), below.mean(), above.mean()]
        parts.append(f"{', '.join(f'{x:.3f}' for x in shares)}, {np.median(width):.3g}")
    return f"| {scores} | {truth} | {' | '.join(parts)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "what", nargs="?", default="coverage", choices=("coverage", "never", "bias")
    )
    parser.add_argument("--datasets", type=int, default=300)
    given = parser.parse_args()
    if given.what == "bias":
        print(
            "| scores | truth | test of the bias | test of calibration |",
            "|---|---|---|---|",
            sep="\n",
        )
        for scores in OF_BIAS:
            for truth in TEMPERATURES:
                print(of_bias(scores, truth, given.datasets), flush=True)
        return
    print("| scores | truth | measure | through the predictions | smoothed alone |")
    print("|---|---|---|---|---|")
    if given.what == "never":
        for size in (1e-12, 1e-6, 1e-3, 1.0):
            families.NEVER = size
            for truth in TRUTHS:
                print(f"{cell('saturated', truth, 'ece', given.datasets)} {size:g} |", flush=True)
        return
    for scores in SCORES:
        for truth in TRUTHS:
            for name in MEASURES:
                print(cell(scores, truth, name, given.datasets), flush=True)


if __name__ == "__main__":
    main()
