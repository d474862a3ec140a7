"""The one number of a curve: y at the threshold, else the area below it."""

import dataclasses
import math

from plumbline.curves import Curve, roc_auc
from plumbline.curves.areas.of_lines import area_name
from plumbline.curves.drawing import drawn
from plumbline.curves.tables import line_name
from plumbline.errors import InputError, PlumblineError
from plumbline.words import capital, number
from plumbline.workbench.desk.counting import Counted, counted_lines, point_at
from plumbline.workbench.desk.exporting.names import literal
from plumbline.workbench.desk.exporting.script import Guard
from plumbline.workbench.desk.inquiry import Inquiry

RESAMPLES = 199  # of the band whose end is proposed as a bound
MOST_ROWS = 200_000  # for which that band is drawn
ROOM = 0.05  # of a value without an interval


@dataclasses.dataclass(frozen=True, slots=True)
class AtThreshold:
    """What the first line of a curve has at a threshold."""

    threshold: float
    y: float


def at_threshold(inquiry: Inquiry, curve: Curve) -> AtThreshold | None:
    """Return y of the first line at the threshold of the question, None where there is none."""
    threshold = inquiry.asked.number("threshold")
    lines = counted_lines(inquiry, curve) if threshold is not None else None
    if threshold is None or not lines or not curve.lines:
        return None
    first: Counted = lines[0]
    _, y = point_at(curve.lines[0], curve, first, threshold)
    return None if y is None or math.isnan(y) else AtThreshold(first.at(threshold), float(y))


def number_of(inquiry: Inquiry, curve: Curve) -> str:
    """Return the expression of the number of `result`, which is the curve."""
    found = at_threshold(inquiry, curve)
    if found is not None:
        line, t = "result.lines[0]", literal(found.threshold)
        if curve.settings.direction != "ascending":
            return f"{line}.y[{line}.threshold >= {t}][-1]"
        if curve.lines[0].threshold[0] == -math.inf:
            return f"{line}.y[{line}.threshold <= {t}][-1]"
        return f"{line}.y[{line}.threshold >= {t}][0]"
    return "result.areas[0]" if _area(curve) is not None else "result"


def _area(curve: Curve) -> float | None:
    area = curve.areas[0] if curve.lines else None
    return None if area is None or math.isnan(area) else float(area)


def curve_guard(inquiry: Inquiry, curve: Curve) -> Guard:
    """Return the number of a curve with a bound that chance alone would seldom pass.

    Whether more of y is better nobody has said: `holds` of the question turns it round.
    """
    holds = inquiry.asked.choice("holds", ("at least", "at most"), "at least")
    found = at_threshold(inquiry, curve)
    if found is not None:
        bound, why = _end_of_band(inquiry, curve, found, holds)
        what = f"{curve.y_title} at {number(found.threshold)}"
        return Guard(_named(what, curve), found.y, holds, bound, why, free=True)
    area = _area(curve)
    if area is None:
        raise InputError("there is no number to guard: move the threshold onto the curve first")
    bound, why = _end_of_area(inquiry, area, holds)
    what = capital(area_name(curve) or "area")
    return Guard(_named(what, curve), area, holds, bound, why, free=True)


def _named(what: str, curve: Curve) -> str:
    name = line_name(curve, curve.lines[0])
    return f"{what}, {name}" if name else what


def _end_of_band(
    inquiry: Inquiry, curve: Curve, found: AtThreshold, holds: str
) -> tuple[float, str]:
    """Return the end of the bootstrap band at a threshold, where it can be drawn."""
    settings = curve.settings
    try:
        if inquiry.chosen().n > MOST_ROWS:
            raise InputError("too many rows to draw again and again")
        wanted = dataclasses.replace(settings, band="bootstrap", resamples=RESAMPLES)
        data = inquiry.chosen()
        banded = inquiry.memory.once(
            ("band", inquiry.selection, repr(wanted)),
            lambda: drawn(data, wanted, settings.seed or 0, inquiry.progress),
        ).lines[0]
        known = banded.threshold >= found.threshold
        end = banded.more["y_low" if holds == "at least" else "y_high"][known][-1]
    except (PlumblineError, KeyError, IndexError):
        return _with_room(found.y, holds)
    if math.isnan(end):
        return _with_room(found.y, holds)
    worse = min if holds == "at least" else max
    side = "lower" if holds == "at least" else "upper"
    level = f"{100 * settings.level:g} %"
    return worse(float(end), found.y), f"Proposed: the {side} end of the {level} bootstrap band."


def _end_of_area(inquiry: Inquiry, area: float, holds: str) -> tuple[float, str]:
    """Return the end of DeLong's interval, where the area is that of a ROC curve."""
    from plumbline.comparison import roc_auc_interval

    data = inquiry.chosen()
    parts = list(data.by_model().values())
    try:
        same = math.isclose(roc_auc(parts[0]), area, rel_tol=1e-9)
        low, high = roc_auc_interval(parts[0]).interval_range if same else (math.nan, math.nan)
    except PlumblineError:
        low = high = math.nan
    end, side = (low, "lower") if holds == "at least" else (high, "upper")
    if math.isnan(end):
        return _with_room(area, holds)
    return end, f"Proposed: the {side} end of the 95 % interval (DeLong)."


def _with_room(value: float, holds: str) -> tuple[float, str]:
    sign = -1 if holds == "at least" else 1
    return value + sign * ROOM * abs(value), "Proposed: the value with 5 % of room."
