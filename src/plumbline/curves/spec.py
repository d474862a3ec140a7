"""The specification of a curve: settings and a fingerprint of its rows, as a JSON file."""

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shorten, shown
from plumbline._distribution import installed_version
from plumbline.curves.curve import complete_settings, draw_curve
from plumbline.curves.lines import Curve
from plumbline.curves.presets import PRESETS, SETTING_NAMES, preset_settings
from plumbline.curves.recipe import params_for
from plumbline.curves.target_rows import MICROSECONDS_A_DAY
from plumbline.errors import InputError, ParameterError, PlumblineWarning, level_of_caller
from plumbline.formatting import counted
from plumbline.predictions import Predictions, only_predictions
from plumbline.predictions.labels import Labels, is_missing, label_text
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of

LAYOUT = 1  # version of the layout of a file
FIXED_BY_PRESET = ("x", "y", "sort_by", "direction", "merge", "average", "x_title", "y_title")
Array = NDArray[Any]
Piece = tuple[str, bytes]
CODED = ("model", "fold", "repeat")
MISSING = ""  # what an absent text is coded as; an empty text is an absent one


def curve_spec(curve: Curve, data: Predictions) -> dict[str, Any]:
    """Return the card of a curve: its settings, and which rows it was drawn from.

    {"plumbline": version, "card": 1, "settings": {...}, "data": {"n", "classes", "sha256"}}, ready
    for `json.dumps`; `data` is the table that the curve was drawn from (see `data_hash`). Formulas
    stand in it as text and are only ever read as formulas.

    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> card = curve_spec(curve(data, "roc"), data)
    >>> card["settings"]["y"], card["data"]["n"], card["data"]["classes"]
    ('TPR', 4, ['0', '1'])
    """
    settings = curve.settings.to_dict()
    about = {"n": only_predictions(data).n, "classes": list(data.classes)}
    about["sha256"] = data_hash(data)
    return {"plumbline": installed_version(), "card": LAYOUT, "settings": settings, "data": about}


def curve_from_spec(
    card: Mapping[str, Any] | str | Path,
    data: Predictions,
    *,
    rng: Seed = None,
    progress: Progress | None = None,
    **overrides: Any,
) -> Curve:
    """Draw the curve of a card from a table; on the rows it was made from, the same points.

    `card` is what `curve_spec` returns, or the path of a JSON file that holds it (`save_curve`
    writes one). `overrides` are settings of `curve` that win over the card's: a `preset` over the
    card's formulas, how rows are met and the titles; an `x` or `y` over the title of that axis.
    `rng` is the random seed of bootstrap bands, None for the one in the card (0 where it has none).

    A PlumblineWarning says so if the rows are others than the card's. Raises InputError for a card
    that is none, or holds what no curve has; ParameterError and FormulaError as `curve` does.

    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> card = curve_spec(curve(data, x="PP / NN", y="cumm(2 if eP else -1)"), data)
    >>> curve_from_spec(card, data).lines[0].y.tolist()
    [0.0, 2.0, 1.0, 3.0, 2.0]
    """
    only_predictions(data)
    if isinstance(card, Mapping):
        name, whole = "the card", card
    else:
        name = f"the card {str(card)!r}"
        whole = read_spec(card)
    saved = _settings(whole, name)
    _compare(whole, name, data)
    if "seed" in overrides:
        seed = shorten(overrides["seed"])
        raise ParameterError(f"a curve has no argument `seed`; use `rng`, as in rng={seed}")
    given = {name: value for name, value in overrides.items() if value is not None}
    own: Seed = saved.get("seed", 0) if rng is None else rng
    entropy = entropy_of(own)
    merged = {**_overruled(saved, given), "seed": seed_of(own)}
    try:
        if given and "params" not in given:
            formulas = (merged.get(name) for name in ("x", "y", "sort_by", "where"))
            merged["params"] = params_for(merged.get("params", {}), *formulas)  # of those left
        settings = complete_settings(data, merged)
    except ParameterError as error:
        if given:  # then it may be an override that breaks the rule
            raise
        raise InputError(f"{name} cannot be drawn: {error}") from error
    return draw_curve(data, settings, entropy, progress)


def read_spec(path: str | Path) -> dict[str, Any]:
    """Return what a file of a card holds; raises InputError where it is no JSON object."""
    path = Path(path)
    try:
        whole = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"there is no card {str(path)!r}") from error
    except (OSError, ValueError, RecursionError) as error:
        why = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else ("it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error)
        )
        raise InputError(f"{str(path)!r} is no card, which is a JSON file ({why})") from error
    if not isinstance(whole, dict):
        raise InputError(f"{str(path)!r} is no card: it holds {shorten(whole)}")
    return whole


def _settings(card: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the settings of a card that are not None, each of a type that a setting can have."""
    layout = card.get("card")
    if layout != LAYOUT or isinstance(layout, bool):
        newer = isinstance(layout, int) and layout > LAYOUT
        why = f"its layout is {shorten(layout)}" if "card" in card else 'it has no "card"'
        raise InputError(
            f"{name} is of a newer Plumbline ({why}, this one reads {LAYOUT}); update it"
            if newer
            else f"{name} is none: {why}; save_curve and --out FILE.json write cards"
        )
    settings = card.get("settings")
    if not isinstance(settings, Mapping):
        raise InputError(f'{name} holds no "settings", got {shorten(settings)}')
    for key, value in settings.items():
        if key not in SETTING_NAMES:
            raise InputError(
                f"{name} has a setting {key!r}, which no curve has"
                f"{near_names(key, SETTING_NAMES)}; there are {shown(SETTING_NAMES, 30)}"
            )
        if key in ("seed", "points", "thresholds", "resamples"):
            sound = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        elif key in ("span", "level"):
            sound = isinstance(value, (int, float)) and not isinstance(value, bool)
        else:
            sound = isinstance(value, Mapping if key == "params" else str)
        if not sound and value is not None:
            raise InputError(f"{name} has {shorten(value)} as {key!r}")
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
        raise InputError(f'{name} does not say of which rows it is: "data" has no "sha256"')
    if about["sha256"] == data_hash(data):
        return
    n = about.get("n")
    before = counted(n, "row") if isinstance(n, int) else "an unknown number of rows"
    now = "as many, with other values" if n == data.n else counted(data.n, "row")
    warnings.warn(
        f"{name} was made from other rows: from {before}, and these are {now}; the curve is drawn "
        "from these",
        PlumblineWarning,
        stacklevel=level_of_caller(),
    )


def data_hash(data: Predictions) -> str:
    """Return the SHA-256 of a table's columns, as 64 hexadecimal digits.

    It is taken over the class names, then `actual`, the probabilities, the predicted classes, the
    ratings, the weights, model, fold, repeat and row, then the attributes by name: numbers as
    little-endian float64, names as text. So the same rows in the same order give the same digits
    from CSV, Parquet or Arrow, in float32 or in the float64 of the same decimals, on any machine;
    one changed number gives others.

    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
    >>> data_hash(data)[:12], data_hash(data.select(where=[0, 2, 1])) == data_hash(data)
    ('0ae2f6951d5b', False)
    """
    whole = hashlib.sha256()
    for name, content in _pieces(only_predictions(data)):
        # Lengths keep a name and its content apart, whatever is in either.
        whole.update(json.dumps([name, len(content)]).encode("ascii"))
        whole.update(content)
    return whole.hexdigest()


def _pieces(data: Predictions) -> Iterator[Piece]:
    """Yield name and bytes of everything that the table holds."""
    yield "classes", _texts(data.classes)
    yield "actual", _whole(data.actual)
    if data.prob is not None:
        yield from ((f"p{j}", _numbers(column)) for j, column in enumerate(data.prob.T))
    if data.label is not None:
        yield "predicted", _whole(data.label)
    if data.score is not None:
        columns = data.score.T if data.score.ndim == 2 else [data.score]
        yield from ((f"score{j}", _numbers(column)) for j, column in enumerate(columns))
    if data.weight is not None:
        yield "weight", _numbers(data.weight)
    for name in CODED:
        labels: Labels | None = getattr(data, name)
        if labels is not None:
            yield from _coded(name, labels.codes, labels.names)
    if data.row is not None:
        yield "row", _names(data.row)
    for name in sorted(data.attributes):
        values = data.attributes[name]
        numeric = values.dtype.kind in "buifM"
        yield f"attribute {name}", _numbers(values) if numeric else _names(values)


def _numbers(values: Array) -> bytes:
    """Return numbers, truth values or times as float64; every NaN and both zeros are one."""
    if values.dtype.kind == "M":
        days = values.astype("datetime64[us]").astype(np.float64) / MICROSECONDS_A_DAY
        values = np.where(np.isnat(values), np.nan, days)
    if values.dtype.kind == "f" and values.dtype.itemsize < 8:
        values = _shortest(values)
    wide = np.asarray(values, np.float64) + 0.0
    wide[np.isnan(wide)] = np.nan
    return wide.astype("<f8").tobytes()


def _shortest(values: Array) -> Array:
    """Return numbers of low precision as the float64 of their decimals, as a text file has them."""
    import pyarrow as pa

    texts = pa.array(np.ascontiguousarray(values)).cast(pa.string())
    return np.asarray(texts.cast(pa.float64()).to_numpy(zero_copy_only=False))


def _whole(values: Array) -> bytes:
    return np.asarray(values).astype("<i8").tobytes()


def _texts(names: Sequence[str]) -> bytes:
    return json.dumps(list(names)).encode("ascii")


def _names(values: Array) -> bytes:
    """Return names, or the whole numbers that serve as names, as lines of text."""
    if values.dtype.kind in "iu":
        return "\n".join(map(str, values.tolist())).encode("ascii")
    known: dict[str, str] = {}
    lines = (
        known[v] if type(v) is str and v in known else _text(v, known) for v in values.tolist()
    )
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _text(value: Any, known: dict[str, str]) -> str:
    """Return a value as one line; that of a text is remembered, for it will come again."""
    text = MISSING if is_missing(value) else " ".join(label_text(value).split())
    if isinstance(value, str):
        known[value] = text
    return text


def _coded(name: str, codes: Array, names: Sequence[str]) -> Iterator[Piece]:
    """Yield names in the order of their first rows, and for every row the number of its name."""
    present, first = np.unique(codes, return_index=True)
    in_order = present[np.argsort(first, kind="stable")]
    number = np.zeros(len(names), np.int64)
    number[in_order] = np.arange(len(in_order))
    yield name, _texts([names[code] for code in in_order])
    yield f"{name} of the rows", _whole(number[codes])
