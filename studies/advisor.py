"""How often the advisor says to mend probabilities that are true, or too bold, and what that gains.

python studies/advisor.py

Writes studies/results/advisor.md. It takes about seven minutes on two free cores.
"""

from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from plumbline.advisor import recalibration_advice
from plumbline.advisor.advising import NONE
from plumbline.predictions import Predictions
from plumbline.recalibration import fit_map
from plumbline.resampling import stream

TABLE = Path(__file__).parent / "results" / "advisor.md"
KEY = 42
DATA_SETS = 60
FEWER = 40  # of all methods
# All that are quick; those left out (spline, BBQ, and those of k x k numbers) resemble them.
METHODS = (
    *("temperature", "platt", "beta", "prior-shift", "isotonic", "centred-isotonic", "venn-abers"),
    *("histogram-equal-size", "scaling-binning"),
)
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """True probabilities, uniform on the simplex, and what is reported of them.

    `power` is the power that reported probabilities are of the true ones, before they are divided
    by their sum: 1 is calibrated, above 1 overconfident. `every`: all methods that suit are tried.
    """

    n: int
    k: int
    power: float
    every: bool = False

    @property
    def data_sets(self) -> int:
        """How many are drawn."""
        return FEWER if self.every else DATA_SETS

    def draw(self, source: np.random.Generator) -> tuple[Predictions, Floats]:
        """Return a table, and the true probabilities of its rows."""
        true = np.maximum(source.dirichlet(np.ones(self.k), self.n), 1e-9)
        true /= true.sum(axis=1, keepdims=True)
        below = true.cumsum(axis=1) < source.uniform(size=(self.n, 1))
        actual = np.minimum(below.sum(axis=1), self.k - 1)
        told = true**self.power
        told /= told.sum(axis=1, keepdims=True)
        return Predictions.from_arrays(actual, told, classes=range(self.k)), true


CASES = [
    *(Case(300, k, power) for power in (1.0, 1.25, 2.0) for k in (2, 3)),
    *(Case(1000, 2, power) for power in (1.0, 1.25, 2.0)),
    *(Case(300, 2, power, every=True) for power in (1.0, 1.25, 2.0)),
]


def gain(case: Case, data: Predictions, method: str, source: np.random.Generator) -> float:
    """Return what the chosen map gains in expected log loss, on 2,000 new rows of known truth."""
    if method == NONE:
        return 0.0
    new, true = Case(2000, case.k, case.power).draw(source)
    after = fit_map(data, method).applied(new).need_prob("a gain")
    before = new.need_prob("a gain")
    return float((true * (np.log(after) - np.log(before))).sum(axis=1).mean())


def trial(case: Case, number: int) -> tuple[str, float]:
    """Return the method that is chosen, and what it gains."""
    source = stream(number, KEY, case.n, case.k)
    data, _ = case.draw(source)
    methods = None if case.every else METHODS
    chosen = recalibration_advice(data, methods=methods, workers=1).chosen
    return chosen, gain(case, data, chosen, source)


def row(case: Case, found: list[tuple[str, float]]) -> str:
    """Return a line of the table."""
    mended = [gained for method, gained in found if method != NONE]
    share = len(mended) / len(found)
    error = sqrt(share * (1 - share) / len(found))
    worse = [gained for gained in mended if gained < 0]
    mean = np.mean(mended) if mended else np.nan
    names = [method for method, _ in found if method != NONE]
    most = max(set(names), key=lambda name: (names.count(name), name)) if names else "-"
    cells = (
        f"{case.power:g}", f"{case.n:,}", f"{case.k}", "all" if case.every else "quick",
        f"{len(found)}", f"{share:.3f}",
        f"{error:.3f}", most, "-" if not mended else f"{mean:.4f}",
        f"{len(worse)} of {len(mended)}", f"{-min(worse):.4f}" if worse else "-",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = f"""# The advisor: how often it says to mend

By `python studies/advisor.py`.

True probabilities are uniform, of three classes on the simplex; the power to which they are raised
before they are reported is 1 where they are calibrated and above 1 where they are overconfident.
`methods`: {len(METHODS)} quick ones, or all that suit. `mended`: share of data sets in which some
method is said to help, with its standard error. At power 1 it should be 0.05 at most. `gain`:
what the chosen map then gains on average in expected log loss on new rows, whose true probabilities
are known; `worse`: how often it loses, and `by at most` how much.

| power | n | classes | methods | sets | mended | error | most often | gain | worse | by at most |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Run all cases and write the table."""
    lines = []
    with Parallel(n_jobs=-1) as parallel:
        for case in CASES:
            found = parallel(delayed(trial)(case, number) for number in range(case.data_sets))
            lines.append(row(case, found))
            TABLE.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
