"""How often intervals hold the true value of a calibration error, an estimate or a score.

python studies/interval_coverage.py [--datasets 200] [--workers 2] [--sizes 100,1000,10000]
    [--measures NAME,...]

Writes studies/results/interval_coverage.csv, a row whenever a case is done (it can be stopped and
started again: rows that rest on as many data sets stay), and interval_coverage.md beside it.
`--datasets` is for 100 rows; 1,000 rows take a half, 10,000 a fifth of them. `--measures` computes
only the cases of some measures anew, and leaves the others as they are.
"""

import argparse
import csv
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass, fields
from math import sqrt
from pathlib import Path
from zlib import crc32

import numpy as np

from plumbline.calibration import Measurable
from plumbline.calibration_errors import StatisticParams
from plumbline.intervals import interval_of
from plumbline.metrics import METRICS
from plumbline.nulls import observed
from plumbline.predictions import Predictions
from plumbline.random_streams import bootstrap_counts, stream

RESULTS = Path(__file__).parent / "results"
COMMAND = "python studies/interval_coverage.py"
LEVEL = 0.95
RESAMPLES = {100: 119, 1000: 119, 10_000: 79}
PART = {100: 1.0, 1000: 0.5, 10_000: 0.2}
BOOTSTRAP = "percentile bootstrap of "


@dataclass(frozen=True)
class Case:
    """One measure, one classifier, one way in which it is wrong, one number of rows."""

    measure: str
    classifier: str
    truth: str
    n: int


@dataclass(frozen=True)
class Found:
    """How often the interval of a case held the true value.

    `too_low`: the truth is above the interval; `too_high`: below it.
    """

    measure: str
    classifier: str
    truth: str
    n: int
    datasets: int
    coverage: float
    std_error: float
    too_low: float
    too_high: float
    mean_low: float
    mean_high: float
    mean_value: float
    mean_truth: float
    without: int


# ---------------------------------------------------------------- classifiers and their truth


def scores(classifier: str, n: int, source: np.random.Generator) -> np.ndarray:
    """Return (n, k) predicted probabilities."""
    if classifier.startswith("dirichlet"):
        return source.dirichlet(np.ones(int(classifier[9:])), n)
    p = source.random(n) if classifier == "uniform" else source.beta(2, 5, n)
    if classifier == "tenths":
        p = np.clip(np.round(p, 1), 0.1, 0.9)
    return np.column_stack([1 - p, p])


def truth_of(truth: str, prob: np.ndarray) -> np.ndarray:
    """Return (n, k) true probabilities of predicted ones."""
    k = prob.shape[1]
    if truth.startswith("temperature"):
        power = prob ** (1 / float(truth[11:]))
        return power / power.sum(axis=1, keepdims=True)
    if truth == "random labels":
        return 0.95 * prob + 0.05 / k
    p = prob[:, -1]
    moved = {
        "perfect": p,
        "shift": p + 0.05,
        "wiggle": p + 0.05 * np.sin(6 * np.pi * p),
        "bad bin": p + 0.3 * ((p > 0.3) & (p <= 0.3 + 1 / 15)),
    }[truth]
    moved = np.clip(moved, 0.0, 1.0)
    out = prob * ((1 - moved) / np.maximum(1 - p, 1e-300))[:, None]
    out[:, -1] = moved
    return out


TRUTHS = (
    *("perfect", "temperature 1.5", "temperature 0.667", "shift"),
    *("random labels", "wiggle", "bad bin"),
)


def data_set(case: Case, seed: int) -> tuple[Predictions, np.ndarray]:
    """Return a table and its true probabilities."""
    key = crc32(f"{case.classifier} {case.truth}".encode())  # all measures see the same tables
    source = stream(seed, key, case.n)
    prob = scores(case.classifier, case.n, source)
    truth = truth_of(case.truth, prob)
    actual = (source.random((case.n, 1)) >= np.cumsum(truth, axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(actual, prob, classes=range(prob.shape[1])), truth


# ---------------------------------------------------------------- measures

OTHERS = {
    "ece equal-size:10": ("ece", StatisticParams(bins="equal-size:10")),
    "ece square": ("ece", StatisticParams(distance="square")),
    "ece isotonic": ("ece", StatisticParams(bins="isotonic")),
    "ece joint": ("ece", StatisticParams(view="joint")),
}


def measure_of(name: str, data: Predictions) -> tuple[Measurable, str]:
    """Return a measure as a function of the labels, and the kind of its interval."""
    metric, ask = OTHERS.get(name, (name, StatisticParams()))
    return METRICS[metric].subject(data, ask).statistic, METRICS[metric].interval


def truth_as_seen(what: Measurable, data: Predictions, truth: np.ndarray) -> np.ndarray:
    """Return the true probabilities as the rows of a statistic have them."""
    if what.prob.shape[1] < data.k:  # of the most likely class
        top = np.take_along_axis(truth, data.most_likely[:, None], axis=1)
        truth = np.hstack([1 - top, top])
    order = getattr(what, "order", None)
    return truth if order is None else truth[order]


def percentiles(name: str, data: Predictions, seed: int, resamples: int) -> tuple[float, float]:
    """Return what the plain bootstrap says: percentiles of the measure over rows drawn anew."""
    source = stream(seed, 1)
    values = []
    for _ in range(resamples):
        rows = np.repeat(np.arange(data.n), bootstrap_counts(source, data.n).astype(int))
        again = Predictions.from_arrays(data.actual[rows], data.prob[rows], classes=data.classes)
        values.append(float(observed(measure_of(name, again)[0])))
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def one(case: Case, seed: int) -> tuple[float, float, float, float]:
    """Return low, high, observed and true value of one data set."""
    data, truth = data_set(case, seed)
    what, kind = measure_of(case.measure.removeprefix(BOOTSTRAP), data)
    resamples = RESAMPLES[case.n]
    if case.measure.startswith(BOOTSTRAP):
        ends = percentiles(case.measure.removeprefix(BOOTSTRAP), data, seed, resamples)
    else:
        found = interval_of(what, kind=kind, level=LEVEL, resamples=resamples, rng=seed, workers=1)
        ends = found.low, found.high
    return *ends, float(observed(what)), what.at(truth_as_seen(what, data, truth))


def run(case: Case, datasets: int) -> Found:
    """Return how often the interval of a case held the truth; where there is none, it did not."""
    low, high, value, truth = np.array([one(case, seed) for seed in range(datasets)]).T
    slack = 1e-12 * (1 + np.abs(truth))
    held = (low <= truth + slack) & (truth - slack <= high)
    share = float(held.mean())
    error = sqrt(max(share * (1 - share), LEVEL * (1 - LEVEL)) / datasets)
    there = np.isfinite(low) & np.isfinite(high)
    means = [float(np.mean(x[there])) if there.any() else np.nan for x in (low, high, value, truth)]
    below, above = float(np.mean(truth - slack > high)), float(np.mean(truth + slack < low))
    return Found(*astuple(case), datasets, share, error, below, above, *means, int((~there).sum()))


# ---------------------------------------------------------------- which cases


def cases(sizes: Sequence[int]) -> Iterator[Case]:
    """Yield all cases, what matters most first."""
    same = {"sce", "tace", "ace"}  # of two classes what others are
    names = [*(name for name in METRICS if name not in same), *OTHERS]
    for n in (size for size in sizes if size < 10_000):
        for truth in ("perfect", "temperature 1.5", "bad bin", "shift"):
            for name in names:
                yield Case(name, "tenths" if name == "ece joint" else "beta", truth, n)
    for name in ("ece", "rmsce"):
        for truth in ("perfect", "temperature 1.5"):
            yield from (Case(BOOTSTRAP + name, "beta", truth, n) for n in sizes if n < 10_000)
    for classifier in ("uniform", "dirichlet3", "dirichlet10"):
        for truth in ("perfect", "temperature 1.5"):
            for name in ("ece", "sce", "log-loss", "accuracy", "skce"):
                yield from (Case(name, classifier, truth, n) for n in sizes if n < 10_000)
    if 10_000 in sizes:
        for truth in ("perfect", "shift"):
            yield from (Case(name, "beta", truth, 10_000) for name in LARGE)
    for truth in ("temperature 0.667", "random labels", "wiggle"):
        yield from (Case(name, "beta", truth, 100) for name in names if 100 in sizes)


LARGE = (
    *("log-loss", "accuracy", "ece", "rmsce", "mce", "debiased-l2", "kolmogorov-smirnov"),
    *("smooth-ece", "ici", "skce", "miscalibration", "calibration-slope"),
)


def stored(path: Path) -> list[Found]:
    """Return the rows that are there."""
    if not path.exists():
        return []
    kinds = [field.type for field in fields(Found)]
    with path.open(newline="") as file:
        return [Found(*map(_of, kinds, row)) for row in list(csv.reader(file))[1:]]


def _of(kind: object, text: str) -> object:
    return kind(text) if callable(kind) else text


def best(rows: Sequence[Found]) -> dict[Case, Found]:
    """Return the row of every case that rests on most data sets."""
    ordered = sorted(rows, key=lambda row: row.datasets)
    return {Case(*astuple(row)[:4]): row for row in ordered}


def forget(path: Path, cases: set[Case]) -> None:
    """Take the rows of some cases out of the file."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [
        row
        for row, old in zip(lines[1:], stored(path), strict=True)
        if Case(*astuple(old)[:4]) not in cases
    ]
    path.write_text("".join([lines[0], *kept]), "utf-8")


def fill(path: Path, wanted: Sequence[tuple[Case, int]], workers: int) -> None:
    """Add the rows that are missing, as they are done."""
    done = {case: row.datasets for case, row in best(stored(path)).items()}
    missing = [(case, sets) for case, sets in wanted if done.get(case, 0) < sets]
    if not path.exists():
        path.write_text(",".join(field.name for field in fields(Found)) + "\n")
    with ProcessPoolExecutor(workers) as pool, path.open("a", newline="") as file:
        waiting = [pool.submit(run, *pair) for pair in missing]
        for number, future in enumerate(as_completed(waiting), 1):
            row = future.result()
            csv.writer(file).writerow(
                [f"{x:.6g}" if isinstance(x, float) else x for x in astuple(row)]
            )
            file.flush()
            print(
                f"{number}/{len(missing)} {row.measure}, {row.classifier}, {row.truth}, "
                f"{row.n}: {row.coverage:.3f}",
                flush=True,
            )


# ---------------------------------------------------------------- the page


def page(rows: Sequence[Found]) -> Iterator[str]:
    """Yield the page: a table for every kind of scores and number of rows."""
    yield from ("# How often intervals hold the truth", "", f"By `{COMMAND}`.", "")
    yield (
        f"Share of the data sets whose interval of level {LEVEL} holds the true value, for each "
        "way in which the probabilities are off (too low/too high: shares whose interval is below, "
        "above the truth, where more than a tenth misses). The last columns are means over the "
        "data sets. Everything, with standard errors, is in interval_coverage.csv."
    )
    for classifier, n in dict.fromkeys((row.classifier, row.n) for row in rows):
        those = [row for row in rows if (row.classifier, row.n) == (classifier, n)]
        yield from ("", f"## {SCORES[classifier]}, {n:,} rows", "")
        yield from table(those)


def table(rows: Sequence[Found]) -> Iterator[str]:
    """Yield a line a measure."""
    truths = [truth for truth in TRUTHS if any(row.truth == truth for row in rows)]
    sets = sorted({row.datasets for row in rows})
    error = sqrt(LEVEL * (1 - LEVEL) / sets[0])
    spoken = " to ".join(dict.fromkeys(str(number) for number in (sets[0], sets[-1])))
    yield from (f"{spoken} data sets a cell, standard error at most about {error:.3f}.", "")
    names = "measure", *truths, "example", "interval", "observed", "true"
    yield from (f"| {' | '.join(names)} |", "|" + "---|" * len(names))
    for measure in dict.fromkeys(row.measure for row in rows):
        found = {row.truth: row for row in rows if row.measure == measure}
        shown = [held(found[truth]) if truth in found else "" for truth in truths]
        last = next(found[truth] for truth in EXAMPLES if truth in found)
        means = f"{last.mean_low:.3g} to {last.mean_high:.3g}", f"{last.mean_value:.3g}"
        cells = measure, *shown, last.truth, *means, f"{last.mean_truth:.3g}"
        yield f"| {' | '.join(cells)} |"


def held(row: Found) -> str:
    """Return the coverage, and on which side the rest misses if that is much."""
    missed = f" ({row.too_low:.2f}/{row.too_high:.2f})" if row.coverage < 0.9 else ""
    return f"{row.coverage:.3f}{missed}"


SCORES = {
    "beta": "Beta(2, 5) scores",
    "uniform": "Uniform scores",
    "tenths": "Beta(2, 5) scores in tenths",
    "dirichlet3": "Dirichlet(1) vectors of 3 classes",
    "dirichlet10": "Dirichlet(1) vectors of 10 classes",
}
EXAMPLES = ("shift", "temperature 1.5", "bad bin", "perfect", *TRUTHS)


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2, help="0: only write the page again")
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--measures", help="compute these anew, whatever is stored, and no others")
    asked = parser.parse_args()
    path = RESULTS / "interval_coverage.csv"
    sizes = [int(size) for size in asked.sizes.split(",")]
    every = [(case, max(10, round(PART[case.n] * asked.datasets))) for case in cases(sizes)]
    wanted = every
    if asked.measures:
        names = asked.measures.split(",")
        wanted = [(case, sets) for case, sets in every if case.measure in names]
        forget(path, {case for case, _ in wanted})
    if asked.workers:
        fill(path, wanted, asked.workers)
    found = best(stored(path))
    rows = [found[case] for case, _ in every if case in found]
    rows.sort(key=lambda row: (list(SCORES).index(row.classifier), row.n))
    (RESULTS / "interval_coverage.md").write_text("\n".join(page(rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
