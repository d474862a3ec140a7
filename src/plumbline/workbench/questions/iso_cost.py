"""The question `iso-cost`: on a ROC curve, where errors cost least, and the line of equal costs."""

from typing import Any

from plumbline.curves import CheapestPoint, cheapest_points
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of
from plumbline.workbench.wire import threshold_json

WHOSE = ("model", "fold", "target", "reason")
NUMBERS = ("slope", "x", "y", "cost")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Find the point of every line at which errors cost least."""
    costs = {"fp": 1.0, "fn": 1.0, **inquiry.values("iso-cost")}
    points = cheapest_points(curve_of(inquiry), **costs)
    return {**costs, "lines": [_line(point) for point in points]}


def _line(point: CheapestPoint) -> dict[str, Any]:
    entry = {name: getattr(point, name) for name in WHOSE}
    entry["presentation"] = presentation_of(point.present())
    if point.ends is None:
        return entry
    ends = {"x": point.ends[:, 0], "y": point.ends[:, 1]}
    at = threshold_json(point.threshold)
    return {**entry, **{n: getattr(point, n) for n in NUMBERS}, "threshold": at, "ends": ends}
