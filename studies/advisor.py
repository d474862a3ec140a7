"""How often the advisor recalibrates, what gain it states, and what the gain is.

python studies/advisor.py

Writes studies/results/advisor.md. It takes about twenty minutes on one free core.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor import recalibration_advice
from plumbline.advisor.recalibration_advice import NONE
from plumbline.advisor.score_tests import ExampleSets, evidence_against
from plumbline.predictions import Predictions
from plumbline.random_streams import stream
from plumbline.recalibration import PROBABILITY, fit_map
from plumbline.recalibration.inputs import NEVER, reading_of, with_least

TABLE = Path(__file__).parent / "results" / "advisor.md"
KEY = 42
NEW = 20_000  # rows of known truth that measure the true gain
LEVEL_KEY, LEVEL_SETS = 43, 500  # tables that measure the level of the tests alone
Floats: TypeAlias = NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]


def simplex(k: int, concentration: float = 1.0) -> Draw:
    """Return true probabilities drawn from a symmetric Dirichlet distribution."""
    return lambda source, n: source.dirichlet(np.full(k, concentration), n)


def of_positive(draw: Draw) -> Draw:
    """Return true probabilities of two classes from those of the positive one."""

    def both(source: np.random.Generator, n: int) -> Floats:
        p = draw(source, n)
        return np.column_stack([1 - p, p])

    return both


NORMAL = of_positive(lambda source, n: 1 / (1 + np.exp(-source.normal(size=n))))
RARE = of_positive(lambda source, n: source.beta(0.5, 10, size=n))
TIED = of_positive(lambda source, n: source.beta(1, 2, size=n).round(1))
SURE = of_positive(lambda source, n: source.beta(0.05, 0.05, size=n))


@dataclass(frozen=True)
class Case:
    """True probabilities, and what is reported of them: their `power`, divided by the sum."""

    title: str
    true: Draw
    n: int
    k: int
    power: float = 1.0
    sets: int = 100

    def draw(self, source: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        """Return true and reported probabilities of n rows."""
        true = np.clip(self.true(source, n), 1e-12, 1.0)
        true /= true.sum(axis=1, keepdims=True)
        reported = true**self.power
        return true, reported / reported.sum(axis=1, keepdims=True)

    def table(self, source: np.random.Generator) -> Predictions:
        """Return a table whose labels are drawn from the true probabilities."""
        true, reported = self.draw(source, self.n)
        below = true.cumsum(axis=1) < source.uniform(size=(self.n, 1))
        actual = np.minimum(below.sum(axis=1), self.k - 1)
        return Predictions.from_arrays(actual, reported, classes=range(self.k))


CASES = [
    *(
        Case("temperature 1.4, normal logits", NORMAL, n, 2, 1.4, sets)
        for n, sets in (
            (400, 200),
            (2000, 50),
        )
    ),
    *(
        Case(f"power {power:g}", simplex(k), 300, k, power, 60)
        for power in (1.25, 2.0)
        for k in (2, 3)
    ),
    *(Case("calibrated", simplex(k), n, k) for k in (2, 3, 10) for n in (100, 400, 2000)),
    Case("calibrated, 5 % positives", RARE, 400, 2),
    Case("calibrated, 11 different predictions", TIED, 400, 2),
    Case("calibrated, most p near 0 or 1", SURE, 400, 2),
]


@dataclass(frozen=True)
class Found:
    """One table: what was chosen, the stated gain with its interval, and the true gain."""

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


def row(case: Case, found: list[Found]) -> str:
    """Return a line of the table."""
    sets = len(found)
    taken = [one for one in found if one.chosen != NONE]
    share = len(taken) / sets
    error = np.sqrt(share * (1 - share) / sets)
    refuted = np.mean([one.p_value <= 0.05 for one in found])
    cells = [
        case.title,
        f"{case.n:,}",
        f"{case.k}",
        f"{sets}",
        f"{refuted:.3f}",
        f"{share:.3f} ({error:.3f})",
    ]
    if len(taken) < 2:
        return f"| {' | '.join([*cells, *['-'] * 5])} |"
    apart = np.array([one.stated - one.true for one in taken])
    spread = apart.std(ddof=1) / np.sqrt(len(taken))
    held = np.mean([one.low <= one.true <= one.high for one in taken])
    cells += [
        Counter(one.chosen for one in taken).most_common(1)[0][0],
        f"{np.mean([one.stated for one in taken]):.4f}",
        f"{np.mean([one.true for one in taken]):.4f}",
        f"{apart.mean() / spread:+.1f}",
        f"{held:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = """# The advisor: how often it recalibrates, and what gain it states

By `python studies/advisor.py`.

Reported are the true probabilities raised to a power and divided by their sum: 1 is calibrated,
above 1 overconfident (of two classes a temperature). True probabilities are uniform on the simplex
unless the case says otherwise. All methods that suit are tried. Tables with fewer than 5 rows of a
class are left out.

`refuted`: share of tables whose tests reject at level 0.05. `recalibrated`: share in which some
method is chosen, with its standard error; of calibrated tables it should be 0.05 at most. Over
these tables: the mean `stated` gain in log loss, measured on parts that took no part in choosing,
the mean `true` gain on new rows of known truth, their difference in standard errors (`apart`), and
how often the interval of the stated gain holds the true one (`held`).

| case | n | classes | tables | refuted | recalibrated | most often | stated | true | apart | held |
|---|---|---|---|---|---|---|---|---|---|---|
"""


LEVEL_HEAD = f"""
## The level of the tests

How often the tests alone reject calibrated tables at level 0.05, with 199 draws, in {LEVEL_SETS}
tables (standard error 0.010): by all rows, and by all rows but a fifth.

| case | n | classes | all rows | but a fifth |
|---|---|---|---|---|
"""


def level_row(case: Case) -> str:
    """Return a line of the table of levels."""
    part = np.arange(case.n) % 5
    copies = ExampleSets((np.arange(case.n),))
    rejected = np.zeros(2)
    for number in range(LEVEL_SETS):
        data = case.table(stream(number, LEVEL_KEY, case.n, case.k))
        reading = reading_of(data, PROBABILITY, data.classes, data.positive)
        found = evidence_against(
            data,
            with_least(reading, floor=NEVER),
            part,
            copies,
            entropy=number,
            draws=199,
            workers=1,
        )
        rejected += np.array([found.p_value(), found.p_value(0)]) <= 0.05
    shares = " | ".join(f"{share:.3f}" for share in rejected / LEVEL_SETS)
    return f"| {case.title} | {case.n:,} | {case.k} | {shares} |"


def main() -> None:
    """Run all cases and write the tables."""
    lines = []
    for case in CASES:
        tried = [trial(case, number) for number in range(case.sets)]
        lines.append(row(case, [one for one in tried if one is not None]))
        TABLE.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")
    levels = [level_row(case) for case in CASES if case.power == 1.0 and case.n < 2000]
    page = HEAD + "\n".join(lines) + "\n" + LEVEL_HEAD + "\n".join(levels) + "\n"
    TABLE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
