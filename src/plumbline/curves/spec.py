"""The specification of a curve: settings and a fingerprint of its rows, as a JSON file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline._checks import nearest, shorten, shown
from plumbline._distribution import installed_version
from plumbline.curves.curve import complete_settings, draw_curve
from plumbline.curves.lines import Curve
from plumbline.curves.presets import PRESETS, SETTING_NAMES, CurveSettings, preset_settings
from plumbline.curves.recipe import params_for
from plumbline.curves.unused import not_usual, refuse_unused
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import counted, quoted
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of

LAYOUT = 1  # version of the layout of a file
FIXED_BY_PRESET = ("x", "y", "sort_by", "direction", "merge", "average", "x_title", "y_title")


def curve_spec(curve: Curve, data: Predictions) -> dict[str, Any]:
    """Return the card of a curve: its settings, and the fingerprint of its rows.

    {"plumbline": version, "card": 1, "settings": {...}, "data": {"n", "classes", "sha256"}}, ready
    for `json.dumps`; `data` is the table that the curve was drawn from, "sha256" its fingerprint.
    Formulas are stored as text and are only parsed as formulas, never executed.

    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> card = curve_spec(curve(data, "roc"), data)
    >>> card["settings"]["y"], card["data"]["n"], card["data"]["classes"]
    ('TPR', 4, ['0', '1'])
    """
    settings = curve.settings.to_dict()
    about = {"n": only_predictions(data).total, "classes": list(data.classes)}
    about["sha256"] = data.fingerprint()
    return {"plumbline": installed_version(), "card": LAYOUT, "settings": settings, "data": about}


def curve_from_spec(
    card: Mapping[str, Any] | str | Path,
    data: Predictions,
    *,
    rng: Seed = None,
    progress: Progress | None = None,
    **overrides: Any,
) -> Curve:
    """Draw the curve of a card from a table; on the original rows the points are the same.

    `card` is what `curve_spec` returns, or the path of a JSON file that holds it (`save_curve`
    writes one). `overrides` are settings of `curve` that replace the card's: a `preset` replaces
    the card's formulas, order of rows and titles; an `x` or `y` also replaces the title of that
    axis. `rng` is the random seed of bootstrap bands, None for the one in the card (0 where it has
    none).

    A PlumblineWarning is given if the rows differ from the card's. Raises InputError for an invalid
    card; ParameterError and FormulaError as `curve` does.

    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> card = curve_spec(curve(data, x="PP / NN", y="cumm(2 if eP else -1)"), data)
    >>> curve_from_spec(card, data).lines[0].y.tolist()
    [0.0, 2.0, 1.0, 3.0, 2.0]
    """
    own, settings = settings_of_spec(card, data, rng=rng, **overrides)
    refuse_unused(data, settings, not_usual(overrides))
    return draw_curve(data, settings, entropy_of(own), progress)


def settings_of_spec(
    card: Mapping[str, Any] | str | Path,
    data: Predictions,
    *,
    rng: Seed = None,
    **overrides: Any,
) -> tuple[Seed, CurveSettings]:
    """Return the random seed and the complete settings of a card, as `curve_from_spec` draws it."""
    only_predictions(data)
    if isinstance(card, Mapping):
        name, whole = "the card", card
    else:
        name = f"the card {quoted(str(card))}"
        whole = read_spec(card)
    saved = _settings(whole, name)
    _compare(whole, name, data)
    if "seed" in overrides:
        seed = shorten(overrides["seed"])
        raise ParameterError(
            "a curve has no argument 'seed'",
            code="unknown-argument",
            argument="rng",
            remedy=f"use `rng`, as in `rng={seed}`",
        )
    given = {name: value for name, value in overrides.items() if value is not None}
    own: Seed = saved.get("seed", 0) if rng is None else rng
    merged = {**_overruled(saved, given), "seed": seed_of(own)}
    try:
        if given and "params" not in given:
            formulas = (merged.get(name) for name in ("x", "y", "sort_by", "where"))
            merged["params"] = params_for(merged.get("params", {}), *formulas)  # of those left
        return own, complete_settings(data, merged)
    except ParameterError as error:
        if given:  # then it may be an override that breaks the rule
            raise
        raise InputError(f"{name} cannot be drawn: {error}", code="card-not-drawable") from error


def read_spec(path: str | Path) -> dict[str, Any]:
    """Return what a file of a card holds; raises InputError where it is no JSON object."""
    path = Path(path)
    try:
        whole = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"there is no card {quoted(str(path))}", code="no-such-card") from error
    except (OSError, ValueError, RecursionError) as error:
        why = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else ("it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error)
        )
        raise InputError(
            f"{quoted(str(path))} is not a card, which is JSON ({why})", code="no-card"
        ) from error
    if not isinstance(whole, dict):
        raise InputError(
            f"{quoted(str(path))} is not a card: it holds {shorten(whole)}", code="no-card"
        )
    return whole


def _settings(card: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the settings of a card that are not None, each of a type that a setting can have."""
    layout = card.get("card")
    if layout != LAYOUT or isinstance(layout, bool):
        newer = isinstance(layout, int) and layout > LAYOUT
        why = f"its layout is {shorten(layout)}" if "card" in card else 'it has no "card"'
        raise InputError(
            f"{name} is from a newer Plumbline ({why}, this one reads {LAYOUT}); update Plumbline"
            if newer
            else f"{name} is not a card: {why}; save_curve and --out FILE.json write cards",
            code="card-of-newer-version" if newer else "no-card",
        )
    settings = card.get("settings")
    if not isinstance(settings, Mapping):
        raise InputError(
            f'{name} holds no "settings", got {shorten(settings)}', code="card-incomplete"
        )
    for key, value in settings.items():
        if key not in SETTING_NAMES:
            raise InputError(
                f"{name} has a setting {quoted(key)}, which no curve has",
                code="card-with-wrong-setting",
                arrived=quoted(key),
                near=nearest(key, SETTING_NAMES),
                remedy=f"there are {shown(SETTING_NAMES, 30)}",
            )
        if key in ("seed", "points", "thresholds", "resamples"):
            sound = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        elif key in ("span", "level"):
            sound = isinstance(value, (int, float)) and not isinstance(value, bool)
        else:
            sound = isinstance(value, Mapping if key == "params" else str)
        if not sound and value is not None:
            raise InputError(
                f"{name} has {shorten(value)} as {quoted(key)}", code="card-with-wrong-setting"
            )
    return {key: value for key, value in settings.items() if value is not None}


def _overruled(settings: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings to draw by: the card's, and over them those that were given."""
    kept = dict(settings)
    if "preset" in given:
        others = {k: v for k, v in kept.items() if k not in (*FIXED_BY_PRESET, "preset")}
        rest = {key: value for key, value in given.items() if key != "preset"}
        return preset_settings(given["preset"], **{**others, **rest})
    for axis in ("x", "y"):
        if axis in given:
            kept.pop(f"{axis}_title", None)
    if "target" in given:
        kept.pop("multiclass", None)
    if "multiclass" in given:
        kept.pop("target", None)
    if given.get("direction") == "unsorted":
        kept.pop("sort_by", None)
    before, after = kept.get("average"), given.get("average", kept.get("average"))
    if before != after and "smooth" in (before, after):
        kept.pop("merge", None)  # a cloud has a point a row, other curves one a threshold
    if kept.get("preset") not in PRESETS:
        kept.pop("preset", None)
    return {**kept, **given}


def _compare(card: Mapping[str, Any], name: str, data: Predictions) -> None:
    """Warn where the rows are not those that the card was made from."""
    about = card.get("data")
    if not isinstance(about, Mapping) or not isinstance(about.get("sha256"), str):
        raise InputError(
            f'{name} does not name its rows: "data" has no "sha256"',
            code="card-incomplete",
        )
    if about["sha256"] == data.fingerprint():
        return
    n = about.get("n")
    before = counted(n, "row") if isinstance(n, int) else "an unknown number of rows"
    now = "the same number, with other values" if n == data.total else counted(data.total, "row")
    warn(
        f"{name} was made from other rows ({before}; here {now}); the curve uses the rows here",
        code="other-rows",
    )
