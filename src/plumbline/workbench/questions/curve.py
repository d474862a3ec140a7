"""The question `curve`: lines to draw, with the threshold of every point."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plumbline.curves import (
    PRESETS,
    Curve,
    CurveSettings,
    Line,
    Recipe,
    complete_settings,
    convex_hull,
    draw_curve,
    given_settings,
    line_name,
    params_for,
    preset_of,
    preset_settings,
    recipe_of,
    usual_goal,
)
from plumbline.curves.drawing import thinned
from plumbline.curves.guides import floor_of, guide_lines
from plumbline.curves.lines import curve_title
from plumbline.curves.target_rows import rows_of
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions
from plumbline.requests import REQUESTS, fields_of, flag, whole
from plumbline.requests.kinds import Parse, text
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wording import BROWSER

ORDER = ("sort_by", "direction", "merge", "average")
WIDTH = 800  # pixels, to which points are thinned where the page does not say
SHOWN: Mapping[str, Parse] = {
    "width": whole(50, 4000),
    "hull": flag,
    "thumb": flag,
    "y2": text,
    "y2_title": text,
}
SEED = {"seed": whole(0, 2**63 - 1)}
APART = ("band", "points-left-out", "no-points")  # notes that have a key of their own
NO_STYLE = {"preset": None, "explanation": None, "scale": "linear", "square": False, "guide": None}


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Draw the curve that a question asks for."""
    shown = shown_of(inquiry)
    curve, areas = _drawn(inquiry)
    style = _style(curve)
    hulls, why_no_hull = _hulls(curve) if shown.get("hull") else ([None] * len(curve.lines), None)
    return {
        "title": curve_title(curve.settings),
        "described": curve.description,
        "x_title": curve.x_title,
        "y_title": curve.y_title,
        "x_names": list(curve.x_names),
        "dates": list(curve.dates),
        "threshold_names": list(curve.threshold_names),
        "settings": curve.settings.to_dict(),
        "params": _params(inquiry.chosen(), curve.settings),
        "area_name": curve.area_name,
        "best": usual_goal(curve.settings.y, style["preset"]).to_dict(),
        "notes": [note for note in curve.present().notes if note.code not in APART],
        "undefined": dict(curve.dropped),
        "spread": curve.spread,
        "hull_reason": why_no_hull,
        **style,
        "guides": [
            {"label": guide.label, "x": guide.x, "y": guide.y, "second": guide.second}
            for guide in guide_lines(curve)
        ],
        "floor": floor_of(curve),
        "lines": [
            _line(curve, line, area, upper, width=shown.get("width", WIDTH))
            for line, area, upper in zip(curve.lines, areas, hulls, strict=True)
        ],
    }


def curve_of(inquiry: Inquiry) -> Curve:
    """Return the curve with all its points, remembered from the last time it was asked for."""
    return _drawn(inquiry)[0]


def second_of(inquiry: Inquiry) -> Curve | None:
    """Return the curve of the second y, on the right axis, over the same x; None without one."""
    shown = shown_of(inquiry)
    y = shown.get("y2", "")
    if not y.strip():
        return None
    own = {"y": y, "y_title": shown.get("y2_title"), "band": "none"}
    curve = {**(inquiry.fields.get("curve") or {}), **own}
    return curve_of(replace(inquiry, fields={**inquiry.fields, "curve": curve}))


def shown_of(inquiry: Inquiry) -> dict[str, Any]:
    """Return how a question wants its curve shown: its width, a hull, a second y."""
    return fields_of(inquiry.fields, SHOWN)


def _drawn(inquiry: Inquiry) -> tuple[Curve, tuple[float | None, ...]]:
    """Return the curve and the areas under its lines."""
    data, params = inquiry.chosen(), _settings_param(inquiry)
    settings = complete_settings(data, params)

    def make() -> tuple[Curve, tuple[float | None, ...]]:
        curve = draw_curve(data, settings, params["seed"], inquiry.progress)
        return curve, curve.areas

    if shown_of(inquiry).get("thumb"):  # one of many, which would push out what is worked with
        return make()
    return inquiry.memory.once(("curve", inquiry.selection, repr(settings)), make)


def _settings_param(inquiry: Inquiry) -> dict[str, Any]:
    """Return what the section `curve` and the data panel ask of a curve."""
    panel, selection = inquiry.fields.get("curve"), inquiry.selection
    panel = {} if panel is None else panel
    seed = fields_of(panel, SEED, "`curve` of the question").get("seed", 0)
    given = REQUESTS["curve"].served_values(panel)
    params = given.pop("params", {})
    given["where"] = selection.where
    if given.get("multiclass") is None:
        given["target"] = selection.target
    preset = given.pop("preset", None)
    settings = given_settings(preset, given, seed)
    formulas = (settings.get(key) for key in ("x", "y", "sort_by", "where"))
    return {**settings, "params": params_for(params, *formulas)}


def order_param(panel: Any) -> dict[str, Any]:
    """Return how the section `curve` of a question sorts, merges and averages the rows."""
    panel = {} if panel is None else panel
    drawn = fields_of(panel, {"preset": text, "x": text}, "`curve` of the question")
    own = (
        preset_settings(drawn["preset"], x=drawn.get("x") or "threshold")
        if "preset" in drawn
        else {}
    )
    given = REQUESTS["curve"].served_values({name: panel.get(name) for name in ORDER})
    return {name: own[name] for name in ORDER if name in own} | given


def _params(data: Predictions, settings: CurveSettings) -> list[dict[str, Any]]:
    """Return the parameters of the formulas, their defaults, and the values they have here."""
    recipe: Recipe = recipe_of(rows_of(data, data.positive), settings)
    read = (*recipe.formulas, recipe.key, recipe.where)
    defaults = {
        name: value
        for formula in read
        if formula is not None
        for name, value in formula.params.items()
    }
    return [
        {"name": name, "default": default, "value": settings.params.get(name, default)}
        for name, default in defaults.items()
    ]


def _style(curve: Curve) -> dict[str, Any]:
    preset = preset_of(curve.settings)
    if preset is None:
        return NO_STYLE | {"shape": curve.shape}
    name = next(name for name, known in PRESETS.items() if known is preset)
    return {
        "preset": name,
        "explanation": preset.explanation,
        "shape": curve.shape,
        "scale": preset.scale,
        "square": preset.square,
        "guide": preset.guide,
    }


def _hulls(curve: Curve) -> tuple[list[Line | None], str | None]:
    """Return the upper convex hull of every line that has points, or why there is none."""
    try:
        return [convex_hull(line) if len(line) else None for line in curve.lines], None
    except ParameterError as error:
        return [None] * len(curve.lines), error.worded(BROWSER)


def _line(
    curve: Curve, line: Line, area: float | None, hull: Line | None, *, width: int
) -> dict[str, Any]:
    few = thinned(line, curve, width)
    entry: dict[str, Any] = {
        "name": line_name(curve, line),
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "n": line.n,
        "positives": line.positives,
        "negatives": line.negatives,
        "points": len(line),
        "dropped": dict(line.dropped),
        "ends": line.ends_early,
        "reason": line.reason,
        "area": area,
        "area_range": None if line.area_range is None else list(line.area_range),
        "area_method": line.area_method,
        "threshold": few.threshold,
        "x": few.x,
        "y": few.y,
        "more": few.more,
    }
    if few.path is not None:
        entry["path"] = {"x": few.path[0], "y": few.path[1]}
    if hull is not None:
        entry["hull"] = {"x": hull.x, "y": hull.y, "threshold": hull.threshold}
    return entry
