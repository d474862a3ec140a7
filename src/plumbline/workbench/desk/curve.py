"""The question `curve`: lines to draw, with the threshold of every point."""

from typing import Any

import numpy as np

from plumbline.curves import PRESETS, Curve, Line, convex_hull
from plumbline.curves.described import curve_title, described, rating_name
from plumbline.curves.drawing import asked_for, drawn, settled
from plumbline.curves.presets import preset_of
from plumbline.curves.recipe import params_for
from plumbline.curves.settings import SETTING_NAMES
from plumbline.curves.tables import line_name
from plumbline.workbench.desk.decimation import kept_places
from plumbline.workbench.desk.inquiry import Inquiry

FROM_DATA_PANEL = ("where", "target", "seed")
WIDEST = 4000


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Draw the curve that a question asks for."""
    width = inquiry.asked.whole("width", 800, least=50, most=WIDEST)
    hull = inquiry.asked.flag("hull")
    curve = curve_of(inquiry)
    return {
        "title": curve_title(curve.settings),
        "described": described(curve, rating=rating_name(inquiry.table)),
        "x_title": curve.x_title,
        "y_title": curve.y_title,
        "x_names": list(curve.x_names),
        "threshold_names": list(curve.threshold_names),
        "settings": curve.settings.to_dict(),
        "notes": list(curve.notes),
        "spread": curve.spread,
        **_look(curve),
        "lines": [_line(curve, line, area, width=width, hull=hull)
                  for line, area in zip(curve.lines, curve.areas, strict=True)],
    }  # fmt: skip


def curve_of(inquiry: Inquiry) -> Curve:
    """Return the curve with all its points, remembered from the last time it was asked for."""
    data, asked = inquiry.chosen(), _asked_settings(inquiry)
    settings = settled(data, asked)
    key = ("curve", inquiry.selection, repr(settings))
    return inquiry.memory.once(key, lambda: drawn(data, settings, asked["seed"], inquiry.progress))


def _asked_settings(inquiry: Inquiry) -> dict[str, Any]:
    """Return what the section `curve` and the data panel ask of a curve."""
    panel, selection = inquiry.asked.section("curve"), inquiry.selection
    given = panel.part([name for name in SETTING_NAMES if name not in FROM_DATA_PANEL])
    given["where"] = selection.where
    if given.get("multiclass") is None:
        given["target"] = selection.target
    preset, params = given.pop("preset", None), given.pop("params", {})
    seed = panel.whole("seed", 0, least=0, most=2**63 - 1)
    settings = asked_for(preset, given, seed)
    formulas = (settings.get(key) for key in ("x", "y", "sort_by", "where"))
    return {**settings, "params": params_for(params, *formulas)}


def _look(curve: Curve) -> dict[str, Any]:
    preset = preset_of(curve.settings)
    if preset is None:
        return {"preset": None, "explanation": None, "shape": "line", "scale": "linear",
                "square": False, "guide": None}  # fmt: skip
    name = next(name for name, known in PRESETS.items() if known is preset)
    return {"preset": name, "explanation": preset.explanation, "shape": preset.shape,
            "scale": preset.scale, "square": preset.square, "guide": preset.guide}  # fmt: skip


def _line(
    curve: Curve, line: Line, area: float | None, *, width: int, hull: bool
) -> dict[str, Any]:
    kept = kept_places(line.x, line.y, width=width)
    more = {name: values[kept] for name, values in line.more.items()}
    found: dict[str, Any] = {
        "name": line_name(curve, line),
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "n": line.n,
        "positives": line.positives,
        "negatives": line.negatives,
        "points": len(line),
        "dropped": dict(line.dropped),
        "reason": line.reason,
        "area": area,
        "threshold": line.threshold[kept],
        "x": line.x[kept],
        "y": line.y[kept],
        "more": more,
    }
    if line.path is not None:
        places = kept_places(*line.path, width=width)
        found["path"] = {"x": line.path[0][places], "y": line.path[1][places]}
    if hull and len(line):
        upper = convex_hull(line)
        found["hull"] = {"x": upper.x, "y": upper.y, "threshold": np.asarray(upper.threshold)}
    return found
