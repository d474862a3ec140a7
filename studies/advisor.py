"""How often the advisor recalibrates, what gain it states, and what the gain is.

python studies/advisor.py

Writes studies/results/advisor.md. It takes about ten minutes on one free core.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor import recalibration_advice
from plumbline.predictions import Predictions
from plumbline.random_streams import stream
from plumbline.recalibration import NONE, fit_map

TABLE = Path(__file__).parent / "results" / "advisor.md"
KEY = 42
NEW = 20_000  # rows of known truth that measure the true gain
LEVEL = 0.05
Floats: TypeAlias = NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]
Fault: TypeAlias = Callable[[Floats], Floats]


def simplex(k: int) -> Draw:
    """Return probabilities drawn uniformly from the simplex."""
    return lambda source, n: source.dirichlet(np.ones(k), n)


def of_positive(draw: Draw) -> Draw:
    """Return probabilities of two classes from those of the positive one."""

    def both(source: np.random.Generator, n: int) -> Floats:
        p = draw(source, n)
        return np.column_stack([1 - p, p])

    return both


NORMAL = of_positive(lambda source, n: 1 / (1 + np.exp(-source.normal(size=n))))
RARE = of_positive(lambda source, n: source.beta(0.5, 10, size=n))
TIED = of_positive(lambda source, n: source.beta(1, 2, size=n).round(1))
SURE = of_positive(lambda source, n: source.beta(0.05, 0.05, size=n))


def power(by: float) -> Fault:
    """Return the truth where its `by`-th power is reported: of two classes a temperature."""
    return lambda reported: shares(reported ** (1 / by))


def prior(*weight: float) -> Fault:
    """Return the truth where other shares of the classes are reported."""
    return lambda reported: shares(reported / np.array(weight))


def step(reported: Floats) -> Floats:
    """Return the truth that is half as steep, and jumps from 0.375 to 0.625 at 0.5."""
    p = reported[:, 1]
    p = p / 2 + np.where(p < 0.5, 0.125, 0.375)
    return np.column_stack([1 - p, p])


def noise(share: float) -> Fault:
    """Return the truth where the labels of a share of the rows are random."""
    return lambda reported: (1 - share) * reported + share / reported.shape[1]


def calibrated(reported: Floats) -> Floats:
    """Return what is reported."""
    return reported


def shares(positive: Floats) -> Floats:
    """Return rows divided by their sum."""
    return np.asarray(positive / positive.sum(axis=1, keepdims=True), np.float64)


@dataclass(frozen=True)
class Case:
    """What is reported, the fault that makes the truth of it, and how many rows and tables."""

    title: str
    reported: Draw
    n: int
    k: int
    fault: Fault = calibrated
    sets: int = 100

    def draw(self, source: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        """Return true and reported probabilities of n rows."""
        reported = shares(np.clip(self.reported(source, n), 1e-12, 1.0))
        return self.fault(reported), reported

    def table(self, source: np.random.Generator) -> Predictions:
        """Return a table whose labels are drawn from the true probabilities."""
        true, reported = self.draw(source, self.n)
        below = true.cumsum(axis=1) < source.uniform(size=(self.n, 1))
        actual = np.minimum(below.sum(axis=1), self.k - 1)
        return Predictions.from_arrays(actual, reported, classes=range(self.k))


BOLD = of_positive(lambda source, n: 1 / (1 + np.exp(-1.4 * source.normal(size=n))))
FAULTS = [
    Case("temperature 1.4, normal log-odds", BOLD, 400, 2, power(1.4), 300),
    Case("temperature 1.4, normal log-odds", BOLD, 1500, 2, power(1.4), 60),
    Case("temperature 1.25", simplex(2), 300, 2, power(1.25), 60),
    Case("temperature 1.25", simplex(3), 300, 3, power(1.25), 60),
    Case("temperature 2", simplex(3), 300, 3, power(2.0), 60),
    Case("shift: log-odds 0.3 too high", NORMAL, 1500, 2, prior(1.0, np.exp(0.3)), 60),
    Case("prior: one class of three twice as rare", simplex(3), 600, 3, prior(2.0, 1.0, 1.0), 60),
    Case("step at 0.5", simplex(2), 1500, 2, step, 60),
    Case("step at 0.5", simplex(2), 5000, 2, step, 30),
    Case("label noise in 10 % of the rows", simplex(2), 1500, 2, noise(0.1), 60),
    Case("label noise in 10 % of the rows", simplex(3), 1500, 3, noise(0.1), 60),
]
CALIBRATED = [
    *(Case("calibrated", simplex(k), n, k) for k in (2, 3, 10) for n in (100, 400, 2000)),
    Case("calibrated, 5 % positives", RARE, 400, 2),
    Case("calibrated, 11 different predictions", TIED, 400, 2),
    Case("calibrated, most p near 0 or 1", SURE, 400, 2),
]


@dataclass(frozen=True)
class Found:
    """One table: the verdict's p-value, what was chosen, its stated gain, and the true gain."""

    p_value: float
    chosen: str
    stated: float = 0.0
    low: float = 0.0
    high: float = 0.0
    true: float = 0.0


def trial(case: Case, number: int) -> Found | None:
    """Return what is advised on one table; None where a class is too rare to try anything."""
    source = stream(number, KEY, case.n, case.k)
    data = case.table(source)
    if np.bincount(data.actual).min() < 5:
        return None
    advice = recalibration_advice(data, rng=number, workers=1)
    if advice.chosen == NONE:
        return Found(advice.p_value, NONE)
    true, reported = case.draw(source, NEW)
    new = Predictions.from_arrays(np.arange(NEW) % case.k, reported, classes=range(case.k))
    after = fit_map(data, advice.chosen).applied(new).need_prob("a gain")
    gain = float((true * (np.log(after) - np.log(reported))).sum(axis=1).mean())
    return Found(advice.p_value, advice.chosen, advice.gain, *advice.gain_range, gain)


def share(marks: list[bool]) -> str:
    """Return a share with its standard error."""
    mean = float(np.mean(marks))
    return f"{mean:.3f} ({np.sqrt(mean * (1 - mean) / len(marks)):.3f})"


def row(case: Case, found: list[Found]) -> str:
    """Return a line of the table."""
    taken = [one for one in found if one.chosen != NONE]
    gained = np.array([one.true for one in found])
    cells = [
        case.title,
        f"{case.n:,}",
        f"{case.k}",
        f"{len(found)}",
        share([one.p_value <= LEVEL for one in found]),
        share([one.chosen != NONE for one in found]),
        f"{gained.mean():.4f} ({gained.std(ddof=1) / np.sqrt(len(found)):.4f})",
    ]
    if len(taken) < 2:
        return f"| {' | '.join([*cells, *['-'] * 5])} |"
    apart = np.array([one.stated - one.true for one in taken])
    spread = apart.std(ddof=1) / np.sqrt(len(taken))
    held = np.mean([one.low <= one.true <= one.high for one in taken])
    often = Counter(one.chosen for one in taken).most_common(2)
    cells += [
        ", ".join(f"{name} {count}" for name, count in often),
        f"{np.mean([one.stated for one in taken]):.4f}",
        f"{np.mean([one.true for one in taken]):.4f}",
        f"{apart.mean() / spread:+.1f}",
        f"{held:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = """# The advisor: how often it recalibrates, what gain it states, and what it gains

By `python studies/advisor.py`.

The faults are told by what is reported. *Temperature*: those of the labels raised to a power and
divided by their sum. *Shift* and *prior*: other shares of the classes. *Step*: the true probability
is half as steep as the reported one, and jumps from 0.375 to 0.625 at 0.5. *Label noise*: in a
share of the rows the label is random. Reported probabilities are uniform on the simplex unless the
case says otherwise. All methods that suit are tried. Tables with fewer than 5 rows of a class are
left out.

`k`: classes; `sets`: tables. `verdict`: share of tables in which the calibration test rejects at
level 0.05. `recalibrated`: share in which a map is advised. `gain`: mean true gain in log loss over
all tables, on new rows of known truth, 0 where no map is advised. Standard errors are in brackets.
Over the tables in which a map is advised: the two maps `most often` advised, the mean `stated`
gain, the mean `true` gain, their difference in standard errors (`apart`), and how often the
interval of the stated gain holds the true one (`held`).

| case | n | k | sets | verdict | recalibrated | gain | most often | stated | true | apart | held |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Run all cases and write the table."""
    lines = []
    for case in (*FAULTS, *CALIBRATED):
        tried = [trial(case, number) for number in range(case.sets)]
        lines.append(row(case, [one for one in tried if one is not None]))
        TABLE.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
