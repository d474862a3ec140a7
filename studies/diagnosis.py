"""Whether a diagnosis names the shape that is there, and how near it is to the best possible.

python studies/diagnosis.py [all|pictures|amounts]

Draws docs/pictures/diagnosis (`pictures`: that alone) and writes studies/results/diagnosis.csv (one
row a case and named shape) and diagnosis.md; a killed run continues where it was, and after a
finished one all is measured anew. It takes about ten minutes on two free cores. `amounts` prints
how often the interval of a shape's amount leaves out "no effect" in calibrated tables, in a minute.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from plumbline.calibration import Statistic
from plumbline.calibration_tests import (
    Contamination,
    Shift,
    Temperature,
    WeightedRows,
    class_shift,
    diagnose,
)
from plumbline.calibration_tests.shape_fits import candidates
from plumbline.calibration_tests.shape_forms import Form
from plumbline.nulls import observed, resampled
from plumbline.plots import diagnosis_figure, save_figure
from plumbline.power import shifted, tempered
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

RESULTS = Path(__file__).parent / "results"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures" / "diagnosis"
TABLE = RESULTS / "diagnosis.csv"
DATA_SETS, RESAMPLES, LEVEL, GOAL = 400, 99, 0.05, 0.95
ROWS = 2000
FAR = 1e6
MANY = 20_000  # rows on which the nearest rival of a truth is found
SHAPES = (
    *("none", "over-estimation", "under-estimation", "overconfident", "underconfident"),
    *("few-bad-points", "one-bad-class", "other"),
)
Floats: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[Floats, Floats]  # what is reported, and what is true


@dataclass(frozen=True)
class Kind:
    """A fault: its right name, and from Dirichlet vectors to what is reported and what is true."""

    shape: str
    make: Callable[[Floats], Pair]
    least_k: int = 2
    most_k: int = 100


@dataclass(frozen=True)
class Case:
    """A fault at a number of rows, of classes, and a parameter of the Dirichlet distribution."""

    name: str
    k: int
    n: int = ROWS
    alpha: float = 1.0

    @property
    def kind(self) -> Kind:
        """Return the fault."""
        return KINDS[self.name]

    def draw(self, source: np.random.Generator, n: int) -> Pair:
        """Return reported and true probabilities."""
        return self.kind.make(source.dirichlet(np.full(self.k, self.alpha), n))


def last_shifted(prob: Floats, by: float) -> Floats:
    """Return the last class changed by an amount within [0, 1], the others in proportion."""
    return shifted(prob, by, prob.shape[1] - 1)


def top_shifted(prob: Floats, by: float) -> Floats:
    """Return the most likely class changed by an amount, the others in proportion."""
    out, top = prob.copy(), prob.argmax(axis=1)
    for column in range(prob.shape[1]):
        out[top == column] = shifted(prob[top == column], by, column)
    return out


def mixed(prob: Floats, share: float) -> Floats:
    """Return the truth where labels are random in a share of the rows."""
    return (1 - share) * prob + share / prob.shape[1]


KINDS = {
    "calibrated": Kind("none", lambda p: (p, p)),
    "temperature 1.5": Kind("overconfident", lambda p: (p, tempered(p, 1.5))),
    "temperature 1/1.5": Kind("underconfident", lambda p: (p, tempered(p, 1 / 1.5))),
    "5 % random labels": Kind("few-bad-points", lambda p: (p, mixed(p, 0.05))),
    "reported 0.05 too high": Kind("over-estimation", lambda q: (last_shifted(q, 0.05), q), 2, 2),
    "reported 0.05 too low": Kind("under-estimation", lambda q: (last_shifted(q, -0.05), q), 2, 2),
    "top label 0.05 too high": Kind("over-estimation", lambda p: (p, top_shifted(p, -0.05)), 3),
    "top label 0.05 too low": Kind("under-estimation", lambda p: (p, top_shifted(p, 0.05)), 3),
    "one class 0.1 too high": Kind("one-bad-class", lambda q: (last_shifted(q, 0.1), q), 3),
    "one class 0.1 too low": Kind("one-bad-class", lambda q: (last_shifted(q, -0.1), q), 3),
}
CASES = [
    Case(name, k)
    for k in (2, 3, 10)
    for name, kind in KINDS.items()
    if kind.least_k <= k <= kind.most_k
]
MORE = [  # what it takes where 2000 rows of Dirichlet(1) are too few
    *(Case("5 % random labels", k, n) for k, n in ((2, 10_000), (3, 6000), (10, 4000))),
    *(Case("5 % random labels", k, alpha=0.1) for k in (2, 3, 10)),
]


@dataclass(frozen=True)
class Trial:
    """One data set: what was named, and what knowing the truth would tell.

    Attributes
    ----------
    shape : what was named
    detected : whether a test that knows the very truth rejects
    apart : log likelihood ratio of the truth against the nearest truth of each other shape, the
        smallest
    """

    shape: str
    detected: bool
    apart: float


def drawn(prob: Floats, source: np.random.Generator) -> NDArray[np.intp]:
    """Return a label of every row."""
    above = source.random((len(prob), 1)) * prob.sum(axis=1, keepdims=True) >= prob.cumsum(axis=1)
    return np.minimum(above.sum(axis=1), prob.shape[1] - 1)


def detected(prob: Floats, true: Floats, actual: NDArray[np.intp], seed: int) -> bool:
    """Tell whether the likelihood ratio test of the very truth rejects these predictions."""
    with np.errstate(divide="ignore"):
        value = np.log(true) - np.log(np.maximum(prob, np.finfo(np.float64).tiny))
    value = np.maximum(value, -FAR)  # what the truth rules out; no infinity less another
    ratio = Statistic(prob, actual, None, None, value, groups=None)
    null = resampled(ratio, RESAMPLES, seed, workers=1)
    return bool(1 + np.count_nonzero(null >= observed(ratio)) <= LEVEL * (RESAMPLES + 1))


def rivals(rows: WeightedRows, case: Case) -> dict[str, Form]:
    """Return a form of every other shape."""
    forms: dict[str, Form] = {
        "stretch": Temperature(rows),
        "few-bad-points": Contamination(rows),
        "shift": Shift.of(rows, rows.event, odds=False),
        "log-odds shift": Shift.of(rows, rows.event, odds=True),
    }
    if case.k > 2:
        forms["one-bad-class"] = class_shift(rows, case.k - 1, odds=False)
    own = {
        "overconfident": ("stretch",),
        "underconfident": ("stretch",),
        "over-estimation": ("shift", "log-odds shift"),
        "under-estimation": ("shift", "log-odds shift"),
    }.get(case.kind.shape, (case.kind.shape,))
    return {name: form for name, form in forms.items() if name not in own}


def table_of(prob: Floats, actual: NDArray[np.intp]) -> Predictions:
    """Return predictions."""
    return Predictions.from_arrays(actual, prob, classes=range(prob.shape[1]), normalize=True)


def nearest(case: Case) -> dict[str, float]:
    """Return the amount of every other shape that is nearest to the truth, on many rows."""
    source = stream(1, case.k)
    prob, true = case.draw(source, MANY)
    rows = WeightedRows.of(table_of(prob, drawn(true, source)))

    def distance(by: float, form: Form) -> float:
        return -float((true * form.every(by)).sum())

    return {
        name: float(minimize_scalar(distance, bounds=(form.low, form.high), args=(form,)).x)
        for name, form in rivals(rows, case).items()
    }


def trial(case: Case, seed: int, amounts: dict[str, float]) -> Trial:
    """Return what is found on one data set."""
    source = stream(0, case.k, case.n, int(10 * case.alpha), list(KINDS).index(case.name), seed)
    prob, true = case.draw(source, case.n)
    actual = drawn(true, source)
    data = table_of(prob, actual)
    found = diagnose(data, resamples=RESAMPLES, rng=seed, workers=1)
    rows = WeightedRows.of(data)
    own = true[np.arange(case.n), actual]
    reported = rows.log_prob[np.arange(case.n), actual]
    gain = float((np.log(own) - reported).sum())
    forms = rivals(rows, case)
    other = max((float(forms[name].own(by).sum()) for name, by in amounts.items()), default=-inf)
    return Trial(found.shape, detected(data.prob, true, data.actual, seed), gain - other)


@dataclass(frozen=True)
class Outcome:
    """A case with what was named, and the best that is possible.

    Attributes
    ----------
    named : how often each shape was named
    limit : power of the likelihood ratio test of the very truth, at the level
    apart : how often the truth is more likely than the nearest of each other shape
    """

    case: Case
    named: Counter[str]
    limit: float
    apart: float

    @property
    def spoke(self) -> int:
        """Return in how many data sets anything was named."""
        return DATA_SETS - self.named["none"]

    @property
    def right(self) -> int:
        """Return in how many data sets the right name was given."""
        return self.named[self.case.kind.shape]


def outcome(case: Case) -> Outcome:
    """Run a case."""
    amounts = {} if case.name == "calibrated" else nearest(case)
    runs = Parallel(n_jobs=-1)(delayed(trial)(case, seed, amounts) for seed in range(DATA_SETS))
    named = Counter(run.shape for run in runs)
    if case.name == "calibrated":
        return Outcome(case, named, LEVEL, 1.0)
    limit = float(np.mean([run.detected for run in runs]))
    return Outcome(case, named, limit, float(np.mean([run.apart > 0 for run in runs])))


def share(count: int, of: int) -> str:
    """Return a share as percent."""
    return "-" if not of else f"{100 * count / of:.3g}"


def confusion(done: list[Outcome]) -> Iterator[str]:
    """Yield the table of true against named shapes, in percent."""
    yield f"| k | fault | {' | '.join(SHAPES)} |"
    yield "|---|---|" + "---|" * len(SHAPES)
    for one in done:
        cells = []
        for shape in SHAPES:
            text = share(one.named[shape], DATA_SETS) if one.named[shape] else "·"
            cells.append(f"**{text}**" if shape == one.case.kind.shape else text)
        yield f"| {one.case.k} | {one.case.name} | {' | '.join(cells)} |"


def limits(done: list[Outcome]) -> Iterator[str]:
    """Yield how far the diagnosis is from the best possible, in percent."""
    yield (
        "| k | n | Dirichlet | fault | spoke | limit | right where it spoke | yardstick | right | "
        f"goal of {GOAL:.0%} |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for one in done:
        case, right = one.case, one.right / DATA_SETS
        error = sqrt(GOAL * (1 - GOAL) / DATA_SETS)
        goal = (
            "reached" if right >= GOAL else "within chance" if right >= GOAL - 2 * error else "no"
        )
        speaks = case.name != "calibrated"
        cells = (
            f"{case.k}",
            f"{case.n:,}",
            f"{case.alpha:g}",
            case.name,
            share(one.spoke, DATA_SETS),
            f"{100 * one.limit:.3g}",
            share(one.right, one.spoke) if speaks else "-",
            f"{100 * one.apart:.3g}" if speaks else "-",
            share(one.right, DATA_SETS),
            goal,
        )
        yield f"| {' | '.join(cells)} |"


def lines(done: list[Outcome], more: list[Outcome]) -> Iterator[str]:
    """Yield the page."""
    yield from ("# Diagnosis", "", "By `python studies/diagnosis.py`.", "")
    yield (
        f"{DATA_SETS} data sets a case, {RESAMPLES} resamples, level {LEVEL}; predictions (for "
        "*reported* and *one class* the truth) from a Dirichlet distribution. Standard error of a "
        f"share near 95 %: {100 * sqrt(GOAL * (1 - GOAL) / DATA_SETS):.1f} %."
    )
    yield from ("", f"## Named, in percent of the data sets ({ROWS:,} rows, Dirichlet(1))", "")
    yield from confusion(done)
    yield from ("", "## The best possible", "")
    yield (
        "Limit: the power at the level of the likelihood ratio test of the very truth (Neyman and "
        "Pearson 1933), which knows the fault and its amount; no test speaks more often. "
        "Yardstick: how often, among all data sets, the very truth is more likely than the nearest "
        "truth of every other shape. It is no limit: who favours a shape names it more often, and "
        "its rivals less often."
    )
    yield from ("", *limits(done), "", "## What it takes", "", *limits(more))


def known() -> list[Outcome]:
    """Return the cases that an earlier run has finished."""
    if not TABLE.exists():
        return []
    with TABLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    for start in range(0, len(rows), len(SHAPES)):
        own = rows[start : start + len(SHAPES)]
        first = own[0]
        case = Case(first["fault"], int(first["k"]), int(first["n"]), float(first["dirichlet"]))
        named = Counter({row["shape"]: int(row["named"]) for row in own})
        if named.total() == DATA_SETS:
            found.append(Outcome(case, named, float(first["limit"]), float(first["apart"])))
    return found


def write(done: list[Outcome]) -> None:
    """Write all cases so far."""
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["fault", "k", "n", "dirichlet", "shape", "named", "limit", "apart"])
        for one in done:
            case = one.case
            for shape in SHAPES:
                out.writerow(
                    [
                        case.name,
                        case.k,
                        case.n,
                        case.alpha,
                        shape,
                        one.named[shape],
                        one.limit,
                        one.apart,
                    ]
                )


def draw_pictures() -> None:
    """Write the picture of every fault."""
    PICTURES.mkdir(exist_ok=True)
    for number, (name, kind) in enumerate(KINDS.items()):
        source = stream(2, number)
        prob, true = Case(name, kind.least_k).draw(source, ROWS)
        found = diagnose(table_of(prob, drawn(true, source)))
        ending = "-of-confidence" if name.startswith("top label") else ""
        ending = "-rarely" if name.endswith("class 0.1 too low") else ending
        save_figure(diagnosis_figure(found), PICTURES / f"{kind.shape}{ending}.svg")
    p = stream(2, len(KINDS)).random(ROWS)
    happened = stream(3).random(ROWS) < p + 0.12 * np.sin(4 * np.pi * p)
    found = diagnose(Predictions.from_arrays(happened.astype(int), p))
    save_figure(diagnosis_figure(found), PICTURES / "other.svg")


CALIBRATED: dict[str, tuple[int, Callable[[np.random.Generator], Floats]]] = {
    "150 rows, 11 positives": (2, lambda source: source.beta(1, 12, 150)),
    "200 rows near 0 and 1": (2, lambda source: 1 / (1 + np.exp(-source.normal(0, 8, 200)))),
    "400 rows of Beta(2, 2)": (2, lambda source: source.beta(2, 2, 400)),
    "300 rows, 3 classes": (3, lambda source: source.dirichlet(np.ones(3), 300)),
    "500 rows, 10 classes": (10, lambda source: source.dirichlet(np.full(10, 0.5), 500)),
}
FAMILY = {  # two sides of one amount
    **dict.fromkeys(("over-estimation", "under-estimation"), "shift"),
    **dict.fromkeys(("overconfident", "underconfident"), "temperature"),
}
AMOUNTS = ("shift", "temperature", "few-bad-points", "one-bad-class")


def amounts(name: str, tables: int = 300) -> str:
    """Return a line: the share of calibrated tables where an interval leaves out no effect."""
    k, scores = CALIBRATED[name]
    wrong: Counter[str] = Counter()
    for seed in range(tables):
        source = stream(seed, 3)
        prob = scores(source)
        prob = np.column_stack([1 - prob, prob]) if k == 2 else prob
        actual = (source.random((len(prob), 1)) >= prob.cumsum(axis=1)[:, :-1]).sum(axis=1)
        rows = WeightedRows.of(Predictions.from_arrays(actual, prob, classes=range(k)))
        for one in candidates(rows):
            if one.fit is not None and one.fit.p_value <= LEVEL:
                wrong[FAMILY.get(one.shape, one.shape)] += 1
    known = AMOUNTS if k > 2 else AMOUNTS[:-1]
    shares = [f"{wrong[shape] / tables:.3f}" if shape in known else "-" for shape in AMOUNTS]
    return f"| {name} | {' | '.join(shares)} |"


def main() -> None:
    """Run the study, write its tables and draw its pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", default="all", choices=("all", "pictures", "amounts"))
    what = parser.parse_args().what
    if what == "amounts":
        print(f"| tables | {' | '.join(AMOUNTS)} |", "|---|---|---|---|---|", sep="\n")
        for name in CALIBRATED:
            print(amounts(name), flush=True)
        return
    draw_pictures()
    if what == "pictures":
        return
    RESULTS.mkdir(exist_ok=True)
    done = known()
    if len(done) == len(CASES) + len(MORE):
        done = []  # of a run that was not killed
    for case in [*CASES, *MORE]:
        if case not in [one.case for one in done]:
            done.append(outcome(case))
            write(done)
    place = {one.case: one for one in done}
    text = "\n".join(lines([place[case] for case in CASES], [place[case] for case in MORE])) + "\n"
    (RESULTS / "diagnosis.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
