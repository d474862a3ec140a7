"""The question `subgroups`: the same curve for every group of an attribute, on common axes."""

from typing import Any

from plumbline.curves import (
    Curve,
    Line,
    Subgroup,
    SubgroupCurves,
    curves_by_group,
    kept_places,
    line_name,
)
from plumbline.curves.decimation import ends_of
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.inquiry import Inquiry

WIDTH = 300  # pixels, to which points are thinned: several small charts


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Draw the curve for every group of an attribute."""
    width = inquiry.values("subgroups").get("width", WIDTH)
    curves, whole = subgroup_curves(inquiry), curve_of(inquiry)
    groups = [_entry(group, width) for group in curves.groups]
    lines = [line for group in groups for line in group["lines"]]
    return {
        "by": curves.by,
        "unit": curves.unit,
        "x_title": whole.x_title,
        "y_title": whole.y_title,
        "x_names": list(whole.x_names),
        "area_name": whole.named_area,
        "x_domain": ends_of([line["x"] for line in lines]),
        "y_domain": ends_of([line["y"] for line in lines]),
        "groups": groups,
        "notes": list(curves.present().notes),
    }


def subgroup_curves(inquiry: Inquiry) -> SubgroupCurves:
    """Return the curve of every group, remembered from the last time it was asked for."""
    values = inquiry.values("subgroups", "by")
    values.pop("width", None)
    data, settings = inquiry.chosen(), curve_of(inquiry).settings
    return inquiry.memory.once(
        ("subgroups", inquiry.selection, repr(settings), repr(values)),
        lambda: curves_by_group(data, settings, **values, progress=inquiry.progress),
    )


def _entry(group: Subgroup, width: int) -> dict[str, Any]:
    curve = group.curve
    return {
        "name": group.name,
        "where": group.where,
        "n": group.n,
        "lines": [] if curve is None else [_line(curve, line, width) for line in curve.lines],
        "reason": group.reason,
    }


def _line(curve: Curve, line: Line, width: int) -> dict[str, Any]:
    kept = kept_places(line.x, line.y, width=width)
    return {
        "name": line_name(curve, line),
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "n": line.n,
        "positives": line.positives,
        "area": line.area,
        "ends": line.ends_early,
        "threshold": line.threshold[kept],
        "x": line.x[kept],
        "y": line.y[kept],
        "reason": line.reason,
    }
