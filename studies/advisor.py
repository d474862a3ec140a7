"""How often the advisor says to mend probabilities that are true, or too bold, and what that gains.

python studies/advisor.py

Writes studies/results/advisor.md. It takes about ten minutes on two free cores.
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
DATA_SETS = 100
# All that are quick; those left out (spline, BBQ, and those of k x k numbers) resemble them.
METHODS = (
    *("temperature", "platt", "beta", "prior-shift", "isotonic", "centred-isotonic", "venn-abers"),
    *("histogram-equal-size", "scaling-binning"),
)
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """True probabilities from a Dirichlet distribution, and what is reported of them.

    `power` is the power that reported probabilities are of the true ones, before they are divided
    by their sum: 1 is calibrated, above 1 overconfident.
    """

    n: int
    k: int
    power: float
    alpha: float = 1.0

    def draw(self, source: np.random.Generator) -> tuple[Predictions, Floats]:
        """Return a table, and the true probabilities of its rows."""
        true = np.maximum(source.dirichlet(np.full(self.k, self.alpha), self.n), 1e-9)
        true /= true.sum(axis=1, keepdims=True)
        below = true.cumsum(axis=1) < source.uniform(size=(self.n, 1))
        actual = np.minimum(below.sum(axis=1), self.k - 1)
        told = true**self.power
        told /= told.sum(axis=1, keepdims=True)
        return Predictions.from_arrays(actual, told, classes=range(self.k)), true


CASES = [
    *(Case(n, k, power) for power in (1.0, 2.0, 1.25) for n in (200, 1000) for k in (2, 3)),
    *(Case(n, k, 1.0, 0.2) for n in (60, 200) for k in (2, 3)),
]


def gain(case: Case, data: Predictions, method: str, source: np.random.Generator) -> float:
    """Return what the chosen map gains in expected log loss, on 2,000 new rows of known truth."""
    if method == NONE:
        return 0.0
    new, true = Case(2000, case.k, case.power, case.alpha).draw(source)
    after = fit_map(data, method).applied(new).need_prob("a gain")
    before = new.need_prob("a gain")
    return float((true * (np.log(after) - np.log(before))).sum(axis=1).mean())


def trial(case: Case, number: int) -> tuple[str, float]:
    """Return the method that is chosen, and what it gains."""
    source = stream(number, KEY, case.n, case.k)
    data, _ = case.draw(source)
    chosen = recalibration_advice(data, methods=METHODS, workers=1).chosen
    return chosen, gain(case, data, chosen, source)


def row(case: Case, found: list[tuple[str, float]]) -> str:
    """Return a line of the table."""
    mended = [gained for method, gained in found if method != NONE]
    share = len(mended) / len(found)
    error = sqrt(share * (1 - share) / len(found))
    worse = np.mean([gained < 0 for gained in mended]) if mended else np.nan
    mean = np.mean(mended) if mended else np.nan
    names = [method for method, _ in found if method != NONE]
    most = max(set(names), key=lambda name: (names.count(name), name)) if names else "-"
    cells = (
        f"{case.power:g}", f"{case.alpha:g}", f"{case.n:,}", f"{case.k}", f"{share:.3f}",
        f"{error:.3f}", most, "-" if not mended else f"{mean:.4f}",
        "-" if not mended else f"{worse:.2f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = f"""# The advisor: how often it says to mend

By `python studies/advisor.py`; {DATA_SETS} data sets a row.

True probabilities are drawn from a Dirichlet distribution of parameter alpha; the power to which
they are raised before they are reported is 1 where they are calibrated and above 1 where they are
overconfident. `mended`: share of data sets in which some method is said to help. Where the power is
1 that is an error, which should be 0.05 at most. `gain`: what the chosen map then gains in expected
log loss on new rows, whose true probabilities are known; `worse`: how often it loses.

| power | alpha | rows | classes | mended | std. error | most often | gain | worse |
|---|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Run all cases and write the table."""
    lines = []
    with Parallel(n_jobs=-1) as parallel:
        for case in CASES:
            found = parallel(delayed(trial)(case, number) for number in range(DATA_SETS))
            lines.append(row(case, found))
            TABLE.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
