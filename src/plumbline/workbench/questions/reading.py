"""The question `reading`: what every line of a curve says at one threshold."""

from typing import Any

from plumbline.confusion import COUNTS
from plumbline.curves import Curve, LineCounts, LineReading, counts_of_lines, params_for, read_curve
from plumbline.curves.goals import is_roc
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of
from plumbline.workbench.wire import threshold_json

OF_RATES = ("name", "title", "value", "low", "high", "method", "n", "reason")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Read counts, rates and the curve itself at a threshold."""
    curve = curve_of(inquiry)
    reading = read_curve(curve, counted_lines(inquiry, curve), **inquiry.values("reading"))
    at = None if reading.threshold is None else threshold_json(reading.threshold)
    titles = {} if at is None else {"x_title": curve.x_title, "y_title": curve.y_title}
    return {
        "threshold": at,
        "sort_by": reading.sort_by,
        "probability": reading.sort_by == "probability",
        "low": reading.low,
        "high": reading.high,
        **titles,
        "reason": reading.reason,
        "roc": at is not None and is_roc(curve.settings),
        "notes": list(reading.present().notes),
        "lines": [{**_line(line), "threshold": at} for line in reading.lines],
    }


def counted_lines(inquiry: Inquiry, curve: Curve) -> list[LineCounts]:
    """Return the sorted rows of every line of a curve, remembered while only x and y change."""
    settings = curve.settings
    key = (
        "counted",
        inquiry.selection,
        settings.sort_by,
        settings.where,
        settings.target,
        settings.multiclass,
        settings.average == "none",
        settings.direction == "unsorted",
        repr(params_for(settings.params, settings.sort_by, settings.where)),
    )
    return inquiry.memory.once(key, lambda: counts_of_lines(inquiry.chosen(), settings))


def _line(line: LineReading) -> dict[str, Any]:
    entry = {
        name: getattr(line, name) for name in ("model", "fold", "target", "n", "x", "y", "ends")
    }
    counts = line.counts or dict.fromkeys(COUNTS)
    entry |= {**counts, "accepted_share": line.accepted_share}
    entry["presentation"] = presentation_of(line.present())
    rates = [{name: getattr(rate, name) for name in OF_RATES} for rate in line.rates]
    return {**entry, "rates": rates, **({"classes": line.classes} if line.classes else {})}
