"""The question `iso-cost`: on a ROC curve, where errors cost least, and the line of equal costs."""

from typing import Any

import numpy as np

from plumbline.curves import Line
from plumbline.errors import ParameterError
from plumbline.workbench.questions.best_of import is_roc
from plumbline.workbench.questions.counting import threshold_json
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Find the point of every line at which errors cost least.

    cost per row = (fp * FP + fn * FN) / (P + N), equal along lines of slope fp N / (fn P).
    """
    fp, fn = _cost(inquiry, "fp"), _cost(inquiry, "fn")
    if fp == 0 and fn == 0:
        raise ParameterError("`fp` and `fn` are both 0, so every threshold costs the same")
    curve = curve_of(inquiry)
    if not is_roc(curve.settings):
        raise ParameterError(
            "lines of equal cost are straight where x is FPR and y is TPR; draw a ROC curve"
        )
    return {"fp": fp, "fn": fn, "lines": [_line(line, fp, fn) for line in curve.lines]}


def _cost(inquiry: Inquiry, name: str) -> float:
    cost = inquiry.params.number(name, 1.0)
    if cost is None or not 0 <= cost < np.inf:
        raise ParameterError(f"`{name}` must be a cost, a number from 0 up, got {cost}")
    return cost


def _line(line: Line, fp: float, fn: float) -> dict[str, Any]:
    entry: dict[str, Any] = {"model": line.model, "fold": line.fold, "target": line.target}
    p, n = line.positives, line.negatives
    if not (len(line) and p > 0 and n > 0):
        return entry | {"reason": line.reason or "both classes are needed"}
    cost = (fp * n * line.x + fn * p * (1 - line.y)) / (p + n)
    best = int(cost.argmin())
    x, y = float(line.x[best]), float(line.y[best])
    rise, run = fp * n, fn * p  # the slope is their quotient, infinite where misses cost nothing
    ends = np.array(_ends(x, y, rise, run))
    return entry | {
        "reason": None,
        "slope": rise / run if run > 0 else None,
        "threshold": threshold_json(float(line.threshold[best])),
        "x": x,
        "y": y,
        "cost": float(cost[best]),
        "ends": {"x": ends[:, 0], "y": ends[:, 1]},
    }


def _ends(x: float, y: float, rise: float, run: float) -> list[tuple[float, float]]:
    """Return the two ends, within the unit square, of the line through a point."""
    back = min(x / run if run else np.inf, y / rise if rise else np.inf)
    forth = min((1 - x) / run if run else np.inf, (1 - y) / rise if rise else np.inf)
    return [(x - back * run, y - back * rise), (x + forth * run, y + forth * rise)]
