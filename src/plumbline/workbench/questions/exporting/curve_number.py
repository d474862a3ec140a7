"""The one number of a curve: y of one line at the threshold, else the area below it."""

import dataclasses
import math

from plumbline._checks import one_of
from plumbline.curves import Curve
from plumbline.curves.area import named_area
from plumbline.curves.curve import draw_curve
from plumbline.curves.lines import line_name
from plumbline.errors import InputError, PlumblineError
from plumbline.formatting import capital, number
from plumbline.workbench.questions.counting import Counted, counted_lines, point_at
from plumbline.workbench.questions.exporting.safe_names import literal
from plumbline.workbench.questions.exporting.script import Code, GuardedNumber
from plumbline.workbench.questions.inquiry import Inquiry

RESAMPLES = 199  # of the band whose end is proposed as a bound
MOST_ROWS = 200_000  # for which that band is drawn
ROOM = 0.05  # of a value without an interval
PARTS = ("model", "fold", "target")  # by which lines are told apart


@dataclasses.dataclass(frozen=True, slots=True)
class AtThreshold:
    """What one line of a curve has at a threshold."""

    threshold: float
    y: float


def at_threshold(inquiry: Inquiry, curve: Curve) -> AtThreshold | None:
    """Return y of the chosen line at the threshold of the question, None where there is none."""
    threshold = inquiry.params.number("threshold")
    lines = counted_lines(inquiry, curve) if threshold is not None else None
    if threshold is None or not lines or not curve.lines:
        return None
    place = place_of(inquiry, curve)
    counted: Counted = lines[place]
    _, y = point_at(curve.lines[place], curve, counted, threshold)
    return None if y is None or math.isnan(y) else AtThreshold(counted.at(threshold), float(y))


def points_at(inquiry: Inquiry, curve: Curve) -> dict[str, list[tuple[float, float]]]:
    """Return where every line is at the threshold of the question, under the name of that."""
    threshold = inquiry.params.number("threshold")
    lines = counted_lines(inquiry, curve) if threshold is not None and not curve.x_names else None
    if threshold is None or lines is None:
        return {}
    points = [
        point_at(line, curve, counted, threshold)
        for line, counted in zip(curve.lines, lines, strict=True)
    ]
    known = [(x, y) for x, y in points if x is not None and not math.isnan(x) and not math.isnan(y)]
    return {f"threshold {number(threshold)}": known}


def names_of(curve: Curve) -> list[str]:
    """Return what the lines are called where there are several, else nothing."""
    return [line_name(curve, line) or "" for line in curve.lines] if len(curve.lines) > 1 else []


def place_of(inquiry: Inquiry, curve: Curve) -> int:
    """Return the number of the line that the question names, the first where it names none."""
    name = inquiry.params.text("line")
    return 0 if name is None else names_of(curve).index(one_of("line", name, names_of(curve)))


def number_of(inquiry: Inquiry, curve: Curve) -> Code:
    """Return the code of the number of `result`, which is the curve."""
    points, which = at_threshold(inquiry, curve), place_of(inquiry, curve)
    chosen, place = _choosing(curve, which)
    if points is not None:
        line, t = f"result.lines[{place}]", literal(points.threshold)
        if curve.settings.direction != "ascending":
            return Code(chosen, f"{line}.y[{line}.threshold >= {t}][-1]")
        if curve.lines[which].threshold[0] == -math.inf:
            return Code(chosen, f"{line}.y[{line}.threshold <= {t}][-1]")
        return Code(chosen, f"{line}.y[{line}.threshold >= {t}][0]")
    if _area(curve, which) is None:
        return Code((), "result")
    return Code(chosen, f"result.areas[{place}]")


def _choosing(curve: Curve, which: int) -> tuple[tuple[str, ...], str]:
    """Return the code that finds a line by its name, and what its place is called then."""
    parts = {name: [getattr(line, name) for line in curve.lines] for name in PARTS}
    telling = [name for name, values in parts.items() if len(set(values)) > 1]
    if not telling:
        return (), str(which)
    if len(telling) == 1:
        each, wanted = f"line.{telling[0]}", literal(parts[telling[0]][which])
    else:
        each = f"[{', '.join(f'line.{name}' for name in telling)}]"
        wanted = literal([parts[name][which] for name in telling])
    return (f"place = [{each} for line in result.lines].index({wanted})",), "place"


def _area(curve: Curve, place: int) -> float | None:
    named = named_area(curve) is not None
    area = curve.areas[place] if curve.lines and named else None
    return None if area is None or math.isnan(area) else float(area)


def curve_guard(inquiry: Inquiry, curve: Curve) -> GuardedNumber:
    """Return the number of a curve with a bound that chance alone would seldom pass.

    Whether more of y is better nobody has said: `holds` of the question turns it round.
    """
    holds = inquiry.params.choice("holds", ("at least", "at most"), "at least")
    points, place = at_threshold(inquiry, curve), place_of(inquiry, curve)
    names = names_of(curve)
    line = names[place] if names else None
    if points is not None:
        bound, why = _end_of_band(inquiry, curve, points, holds)
        what = _named(f"{curve.y_title} at {number(points.threshold)}", curve, place)
        return GuardedNumber(what, points.y, holds, bound, why, free=True, line=line, lines=names)
    area = _area(curve, place)
    if area is None:
        raise InputError("there is no number to guard: move the threshold onto the curve first")
    bound, why = _end_of_area(curve, place, area, holds)
    what = _named(capital(named_area(curve) or "area"), curve, place)
    return GuardedNumber(what, area, holds, bound, why, free=True, line=line, lines=names)


def _named(what: str, curve: Curve, place: int) -> str:
    name = line_name(curve, curve.lines[place])
    return f"{what}, {name}" if name else what


def _end_of_band(
    inquiry: Inquiry, curve: Curve, point: AtThreshold, holds: str
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
            lambda: draw_curve(data, wanted, settings.seed or 0, inquiry.progress),
        ).lines[place_of(inquiry, curve)]
        known = banded.threshold >= point.threshold
        end = banded.more["y_low" if holds == "at least" else "y_high"][known][-1]
    except (PlumblineError, KeyError, IndexError):
        return _with_room(point.y, holds)
    if math.isnan(end):
        return _with_room(point.y, holds)
    worse = min if holds == "at least" else max
    side = "lower" if holds == "at least" else "upper"
    level = f"{100 * settings.level:g} %"
    return worse(float(end), point.y), f"Proposed: the {side} end of the {level} bootstrap band."


def _end_of_area(curve: Curve, place: int, area: float, holds: str) -> tuple[float, str]:
    """Return the end of the interval that the curve has of the area of a line, if it has one."""
    ends = curve.lines[place].area_range
    if ends is None or math.isnan(ends[0]):
        return _with_room(area, holds)
    level = f"{100 * curve.settings.level:g} %"
    if holds == "at least":
        return min(ends[0], area), f"Proposed: the lower end of the {level} interval."
    return max(ends[1], area), f"Proposed: the upper end of the {level} interval."


def _with_room(value: float, holds: str) -> tuple[float, str]:
    sign = -1 if holds == "at least" else 1
    return value + sign * ROOM * abs(value), "Proposed: the value with 5 % of room."
