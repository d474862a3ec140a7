"""The question `optimum`: where y is best, what is as good, and what it is worth on other rows."""

import math
from dataclasses import replace
from typing import Any

from plumbline.curves import (
    BestThreshold,
    Curve,
    Line,
    LineCounts,
    best_thresholds,
    kept_places,
    points_between,
)
from plumbline.curves.readings import point_at
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.reading import counted_lines
from plumbline.workbench.wire import threshold_json

WIDTH = 40  # columns in which a stretch of the curve is drawn thick


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Find the best threshold of every model; see `best_threshold`."""
    values, model = inquiry.values("optimum"), inquiry.model
    goal, subject_to = values.get("goal", "max"), values.get("subject_to")
    curve = curve_of(inquiry)
    data = inquiry.chosen() if model is None else inquiry.chosen().select(model=model)
    y = values.get("y")
    settings = curve.settings if y is None else replace(curve.settings, y=y)
    key = ("optimum", inquiry.selection, repr(settings), goal, subject_to, model)
    bests = inquiry.memory.once(
        key,
        lambda: best_thresholds(
            data, settings, goal=goal, subject_to=subject_to or None, progress=inquiry.progress
        ),
    )
    lines = {
        line.model: (line, counts)
        for line, counts in zip(curve.lines, counted_lines(inquiry, curve), strict=True)
    }
    return {
        "y": settings.y,
        "goal": goal,
        "results": [
            {
                "model": name,
                **best.to_dict(),
                "notes": list(best.present().notes),
                **_on_curve(best, curve, *lines[name]),
            }
            for name, best in bests.items()
        ],
    }


def _on_curve(best: BestThreshold, curve: Curve, line: Line, counts: LineCounts) -> dict[str, Any]:
    """Return where the best threshold stands on a line, and the stretches that are as good."""
    x, y = (None, None)
    if not math.isnan(best.threshold):
        x, y = point_at(line, curve, counts, best.threshold)
    return {
        "point": {"threshold": threshold_json(best.threshold), "x": x, "y": y},
        "stretches": [_stretch(line, low, high) for low, high in best.plateau],
    }


def _stretch(line: Line, low: float, high: float) -> dict[str, Any]:
    """Return the piece of a line between two thresholds, as it is drawn."""
    piece = points_between(line, low, high)
    kept = kept_places(piece.x, piece.y, width=WIDTH)
    ends = {"low": threshold_json(low), "high": threshold_json(high)}
    return {**ends, "x": piece.x[kept], "y": piece.y[kept]}
