"""The value of any rate from the four counts of a table, and why it has none.

The formulas of `RATES` are computed by the engine that curves use, so a rate means one thing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import near_names, shorten
from plumbline.confusion.rates import COUNTS, RATES, Rate, variables
from plumbline.errors import ParameterError
from plumbline.formula import Formula, Variable, read_formula

Floats = NDArray[np.float64]

CELLS = ("TP", "FP", "TN", "FN")
SUMS = {
    **{cell: (cell,) for cell in CELLS},
    "PP": ("TP", "FP"),
    "NP": ("FN", "TN"),
    "P": ("TP", "FN"),
    "N": ("FP", "TN"),
    "NN": CELLS,
}
BETAS = 1e-3, 1e3  # the least and the largest
F_BETA = re.compile(r"f([0-9]*\.?[0-9]+|[0-9]+\.)")


def rate_named(name: object) -> tuple[str, Rate]:
    """Return the name that `RATES` has for a rate, and the rate.

    Any alias or title will do; case, spaces, "-", "_", "'" and brackets do not matter.
    F_beta is "F" and beta: "F0.5", "F3" (van Rijsbergen 1979). Raises ParameterError for other
    names, with the nearest.

    >>> rate_named("hit-rate")[0], rate_named("Youden's J")[0], rate_named("F3")[1].formula
    ('TPR', 'informedness', '10 * TP / (10 * TP + FP + 9 * FN)')
    """
    found = _names().get(folded(name), "")
    if found in RATES:
        return found, RATES[found]
    beta = F_BETA.fullmatch(str(name).strip().casefold())
    if beta and BETAS[0] <= float(beta[1]) <= BETAS[1]:
        return f_beta(float(beta[1]))
    known = [*RATES, *(other for rate in RATES.values() for other in other_names(rate))]
    raise ParameterError(
        f"a rate must be one of {', '.join(RATES)}, one of their other names, or F with beta such "
        f"as 'F0.5', got {shorten(name)}{near_names(name, known)}"
    )


def f_beta(beta: float) -> tuple[str, Rate]:
    """Return name and rate of F_beta = (1 + beta^2) TP / ((1 + beta^2) TP + FP + beta^2 FN).

    >>> f_beta(2.0)[0], f_beta(0.25)[1].title
    ('F2', 'F0.25')
    """
    title = f"F{float(beta)!r}".removesuffix(".0")
    for name, rate in RATES.items():
        if rate.title == title:
            return name, rate
    square = float(beta) ** 2
    return title, Rate(
        f"{1 + square!r} * TP / ({1 + square!r} * TP + FP + {square!r} * FN)".replace(".0 ", " "),
        title,
        f"harmonic mean of precision and recall, recall weighing {square:g} times "
        "(van Rijsbergen 1979)",
    )


def rate_values(name: object, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return a rate, or a count, of one table or of many: NaN where it is undefined.

    The counts are numbers or arrays, which broadcast; they may be sums of weights. Any name of
    `RATES` or `COUNTS` or an alias will do, and F_beta, as in `rate_named`. What divides by 0 is
    undefined, never infinite, as in curves.

    >>> rate_values("precision", [6, 0], [12, 0], [130, 990], [2, 10])
    array([0.33333333,        nan])
    """
    found = _names().get(folded(name), "")
    formula = found if found in COUNTS else rate_named(name)[1].formula
    return _computed(formula, tp, fp, tn, fn)


def why_undefined(
    name: object, tp: float, fp: float, tn: float, fn: float, *, label: str | None = None
) -> str | None:
    """Return why a rate of one table is undefined; None where it has a value.

    `label` is what the text calls the rate, its name unless told otherwise.

    >>> why_undefined("precision", 0, 0, 990, 10)
    'precision divides by the predicted positives, and there are none'
    >>> why_undefined("fowlkes-mallows", 0, 0, 990, 10)
    'fowlkes mallows needs PPV, which divides by the predicted positives, and there are none'
    """
    counts = tp, fp, tn, fn
    if not np.isnan(rate_values(name, *counts)):
        return None
    called = re.sub("[-_]", " ", str(name)) if label is None else label
    return f"{called} {_why(rate_named(name)[1].formula, *(float(c > 0) for c in counts))}"


def rows_shared(name: str, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return how many rows a rate that is a share of rows divides by.

    >>> rows_shared("PPV", 6, 12, 130, 2), rows_shared("jaccard", 6, 12, 130, 2)
    (array(18.), array(20.))
    """
    return _computed(_divisor(rate_named(name)[1].formula), tp, fp, tn, fn)


@cache
def _why(formula: str, *counts: float) -> str:
    """Say what a formula divides by that is 0, in the words of the innermost rate.

    The counts are 1 for any number of rows: which of them are 0 is what makes a rate undefined.
    """
    for part in re.findall(r"\w+", formula):
        if part in RATES and np.isnan(rate_values(part, *counts)):
            return f"needs {part}, which {_why(RATES[part].formula, *counts)}"
    divisor = _divisor(formula)
    if divisor in COUNTS:
        return f"divides by the {COUNTS[divisor].title.lower()}, and there are none"
    parts = dict.fromkeys(re.findall(r"[A-Z]+", divisor)).keys()
    none = [part for part in parts & COUNTS.keys() if rate_values(part, *counts) == 0]
    if not none or not parts <= COUNTS.keys():
        return f"divides by {divisor}, which is 0"
    listed = " and no ".join(COUNTS[part].title.lower() for part in parts if part in none)
    return f"divides by {divisor}, and there are no {listed}"


def _computed(formula: str, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return a formula in counts and rates of every table."""
    counts = np.broadcast_arrays(*(np.asarray(count, np.float64) for count in (tp, fp, tn, fn)))
    flat = _Tables({key: np.ravel(c) for key, c in zip(CELLS, counts, strict=True)})
    return np.asarray(_read(formula).compute(flat), np.float64).reshape(counts[0].shape)


def folded(name: object) -> str:
    """Return a name without case, spaces, "-", "_", apostrophes and brackets."""
    return re.sub(r"[-_ '’()]", "", str(name)).casefold()


def titles_in(title: str) -> tuple[str, ...]:
    """Return a title, and the two that one with brackets holds.

    >>> titles_in("Informedness (Youden's J)")
    ("Informedness (Youden's J)", 'Informedness', "Youden's J")
    """
    first, _, more = title.removesuffix(")").partition(" (")
    return (title, first, more) if more else (title,)


def other_names(rate: Rate) -> tuple[str, ...]:
    """Return the aliases of a rate and what tables print as its name."""
    return *rate.aliases, *titles_in(rate.title)


@cache
def _names() -> Mapping[str, str]:
    """Return every name, alias and title without case and signs, and the name it stands for."""
    pairs = {folded(name): name for name in (*COUNTS, *RATES)}
    for name, rate in RATES.items():
        for other in other_names(rate):
            pairs.setdefault(folded(other), name)
    for name, count in COUNTS.items():
        pairs.setdefault(folded(count.title), name)
    return pairs


def _divisor(formula: str) -> str:
    divisor = formula.rpartition(" / ")[2]
    return divisor[1:-1] if divisor.startswith("(") else divisor


@cache
def _read(formula: str) -> Formula:
    """Return a formula over tables instead of states of a curve."""
    return read_formula(formula, _of_tables())


@cache
def _of_tables() -> Mapping[str, Variable]:
    """Return the variables of formulas where the totals differ from table to table too."""
    return {name: replace(known, level="state") for name, known in variables().items()}


@dataclass(eq=False)
class _Tables:
    """The scope of a formula in which every state is a table of its own: (m,) of every cell."""

    cells: Mapping[str, Floats]
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of tables."""
        return len(self.cells["TP"])

    @property
    def params(self) -> Mapping[str, float]:
        """No parameters, for no rate has any."""
        return {}

    def value(self, name: str) -> Floats:
        """Return a count of every table."""
        first, *others = (self.cells[cell] for cell in SUMS[name])
        return sum(others, start=first)

    def weights(self) -> None:
        """Return no weights, for there are no rows."""

    def at_states(self, rows: NDArray[Any]) -> Floats:
        """Refuse values of rows: no formula of counts asks for them."""
        raise NotImplementedError(f"a table has no rows such as {rows!r}")

    def cumulate(self, rows: Any, key: object = None) -> Floats:
        """Refuse sums over rows: no formula of counts asks for them."""
        raise NotImplementedError(f"a table has no rows such as {rows!r} ({key!r})")
