"""The usual goal of a curve, the profit of four payoffs, and the threshold of least cost."""

import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, Note, Presentation, Result
from plumbline.confusion import RATES, rate_named
from plumbline.curves.lines import Curve, Line, whose
from plumbline.curves.presets import CurveSettings, without_spaces
from plumbline.errors import ParameterError
from plumbline.formatting import amount, sentence

OF_A_TRUE_CLASS, OF_A_PREDICTED_CLASS = ("TPR", "FNR", "TNR", "FPR"), ("PPV", "FDR", "NPV", "FOR")
INSTEAD = dict.fromkeys(OF_A_TRUE_CLASS, "informedness") | dict.fromkeys(OF_A_PREDICTED_CLASS, "F1")
INSTEAD_OF_PRESETS = {"lift": "F1", "precision-recall-gain": "F1"}
LOW_PRESETS = ("cost",)


@dataclass(frozen=True, repr=False)
class Goal(Result):
    """What to look for on a curve: "max" or "min", of y or of another measure, and why of that."""

    goal: Literal["max", "min"]
    measure: str | None = None
    why: str | None = None

    def present(self) -> Presentation:
        """Return what to look for, and why of another measure than y."""
        end = "highest" if self.goal == "max" else "lowest"
        notes = () if self.why is None else (Note(sentence(self.why), "other-measure"),)
        return Presentation(
            summary=f"Look for the {end} {self.measure or 'y'}.", notes=notes, formulas=True
        )


def usual_goal(y: str, preset: str | None = None) -> Goal:
    """Return the goal and the measure to begin with, and why the measure is not y itself.

    Parameters
    ----------
    y : str
        The formula of a curve.
    preset : str, optional
        The named curve it comes from.

    Returns
    -------
    Goal
        Whether high or low values are good, and another measure where y alone has no optimum.

    Examples
    --------
    >>> usual_goal("recall").measure
    'informedness'
    >>> usual_goal("error_rate").to_dict()
    {'goal': 'min', 'measure': None, 'why': None}
    """
    rate = next((name for name in RATES if is_rate(y, name)), "")
    measure = INSTEAD.get(rate) or INSTEAD_OF_PRESETS.get(preset or "")
    if measure is not None:
        why = (
            f"{y} is best when all or almost no rows are predicted positive; {measure} weighs "
            "both kinds of errors."
        )
        return Goal("max", measure, why)
    low = preset in LOW_PRESETS or (rate in RATES and RATES[rate].best == "low")
    return Goal("min" if low else "max")


def is_roc(settings: CurveSettings) -> bool:
    """Tell whether a curve has the false positive rate as x and the true positive rate as y."""
    return is_rate(settings.x, "FPR") and is_rate(settings.y, "TPR")


def is_rate(formula: str, name: str) -> bool:
    """Tell whether a formula is a rate, by any of its names or written out."""
    rate = rate_named(name)[1]
    bare = "".join(formula.split())
    return bare in (name, *rate.aliases, "".join(rate.formula.split()))


# ------------------------------------------------------------------ costs of errors


PAYOFF_TITLE = "profit per row"
PAYOFFS = {"TP": 1, "FP": -1, "FN": 0, "TN": 0}  # payoffs as long as none is given
AMOUNT = re.compile(r"\(cumm\((.+?) \* \(")


def payoff_formula(amount: str | None = None) -> str:
    """Return the profit per row at every threshold, with the payoffs TP, FP, FN and TN as params.

    Parameters
    ----------
    amount : str, optional
        Formula of a row, such as a column, that multiplies every payoff. By default 1.

    Returns
    -------
    str
        A formula of a threshold, for `curve` and `best_threshold`.

    Examples
    --------
    >>> payoff_formula().count("param")
    4
    >>> payoff_formula("amount").count("amount")
    3
    """
    pays = {cell: f'param("{cell}", {usual})' for cell, usual in PAYOFFS.items()}
    if amount is None:
        return f"({' + '.join(f'{cell} * {pay}' for cell, pay in pays.items())}) / NN"
    accepted = f"{amount} * ({pays['TP']} if eP else {pays['FP']})"
    rejected = f"{amount} * ({pays['FN']} if eP else {pays['TN']})"
    return f"(cumm({accepted}) + total({rejected}) - cumm({rejected})) / NN"


def is_payoff_formula(text: str) -> bool:
    """Tell whether a formula is one that `payoff_formula` writes.

    >>> is_payoff_formula(payoff_formula()), is_payoff_formula(payoff_formula("`a b`"))
    (True, True)
    >>> is_payoff_formula("TP / NN")
    False
    """
    match = AMOUNT.match(text)
    return without_spaces(text) == without_spaces(payoff_formula(match[1] if match else None))


@dataclass(frozen=True, repr=False, eq=False)
class CheapestPoint(Result):
    """Where on a line of a ROC curve errors cost least, and the line of equal costs through it.

    Attributes
    ----------
    model, fold, target : whose line it is
    slope : of the lines of equal cost, None where it is infinite, as misses cost nothing
    threshold, x, y : the point
    cost : per row
    ends : ((x, y), (x, y)) where the line of equal costs meets the unit square
    reason : why there is no such point
    """

    model: str | None
    fold: str | None
    target: str | None
    slope: float | None = None
    threshold: float = math.nan
    x: float = math.nan
    y: float = math.nan
    cost: float = math.nan
    ends: NDArray[np.float64] | None = None
    reason: str | None = None

    def present(self) -> Presentation:
        """Return the threshold of least cost, and the cost there."""
        if self.reason is not None:
            return Presentation(subject=whose(self), summary=f"No least cost: {self.reason}.")
        at, cost = (amount(one, scale=abs(one)) for one in (self.threshold, self.cost))
        which = "every" if self.threshold < 0 else "no"
        where = f"where {which} row is accepted" if math.isinf(self.threshold) else ""
        return Presentation(
            subject=whose(self),
            summary=f"Lowest cost {where or f'at threshold {at}'}: {cost} per row.",
            details=(
                Detail("threshold", "Cheapest threshold", at),
                Detail("cost", "Cost per row", cost),
                Detail("x", "FPR", amount(self.x)),
                Detail("y", "TPR", amount(self.y)),
                Detail("slope", "Slope", amount(math.inf if self.slope is None else self.slope)),
            ),
            legend=(
                "All points on the line through it cost the same; none of the curve costs less.",
            ),
        )


def cheapest_points(curve: Curve, *, fp: float = 1.0, fn: float = 1.0) -> list[CheapestPoint]:
    """Return the point of every line of a ROC curve at which errors cost least.

    cost per row = (fp * FP + fn * FN) / (P + N), equal along lines of slope fp N / (fn P).

    Parameters
    ----------
    curve : Curve
        A ROC curve.
    fp, fn : float, default 1
        Cost of a false positive and of a false negative; not both 0.

    Returns
    -------
    list of CheapestPoint
        One for every line.

    Raises
    ------
    ParameterError
        For another curve, and for costs that are negative, infinite or both 0.

    Examples
    --------
    >>> from plumbline.curves import curve
    >>> from plumbline.predictions import Predictions
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> (best,) = cheapest_points(curve(data, "roc"), fn=3)
    >>> best.threshold, best.cost
    (0.4, 0.25)
    """
    for name, cost in (("fp", fp), ("fn", fn)):
        if not 0 <= cost < math.inf:
            raise ParameterError(
                argument=name,
                rule="a cost, a number from 0 up",
                arrived=f"{cost}",
                code="out-of-range",
            )
    if fp == 0 and fn == 0:
        raise ParameterError(
            "`fp` and `fn` are both 0, so every threshold costs the same", code="costs-all-zero"
        )
    if not is_roc(curve.settings):
        raise ParameterError(
            "lines of equal cost are straight where x is FPR and y is TPR; draw a ROC curve",
            code="no-roc-curve",
        )
    return [_cheapest(line, fp, fn) for line in curve.lines]


def _cheapest(line: Line, fp: float, fn: float) -> CheapestPoint:
    whose = line.model, line.fold, line.target
    p, n = line.positives, line.negatives
    if not (len(line) and p > 0 and n > 0):
        return CheapestPoint(*whose, reason=line.reason or "both classes are needed")
    cost = (fp * n * line.x + fn * p * (1 - line.y)) / (p + n)
    best = int(cost.argmin())
    x, y = float(line.x[best]), float(line.y[best])
    rise, run = fp * n, fn * p  # the slope is their quotient, infinite where misses cost nothing
    return CheapestPoint(
        *whose,
        slope=rise / run if run > 0 else None,
        threshold=float(line.threshold[best]),
        x=x,
        y=y,
        cost=float(cost[best]),
        ends=np.array(_ends(x, y, rise, run)),
    )


def _ends(x: float, y: float, rise: float, run: float) -> list[tuple[float, float]]:
    """Return the two ends, within the unit square, of the line through a point."""
    back = min(x / run if run else math.inf, y / rise if rise else math.inf)
    forth = min((1 - x) / run if run else math.inf, (1 - y) / rise if rise else math.inf)
    return [(x - back * run, y - back * rise), (x + forth * run, y + forth * rise)]
