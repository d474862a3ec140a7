"""The file of a map: JSON that is read back to the last bit, or refused.

docs/recalibration_files.md describes it field by field.
"""

import base64
import binascii
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline._distribution import installed_version
from plumbline._result import jsonable
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import CARD_ENDINGS, need_ending
from plumbline.formatting import quoted
from plumbline.recalibration.forms import (
    EventForm,
    Form,
    Logistic,
    OneVsRest,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.inputs import INPUTS
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.methods import NATIVE, ONE_VS_REST
from plumbline.recalibration.remembered import NOBODY, Hashes, Remembered, Rounded

SCHEMA, VERSION = "plumbline-recalibration-map", 2
OLDEST = 1  # before rows were remembered by rounded numbers too
CHECKSUM = "checksum"
MOST_BYTES = 2**28  # 256 MiB: bounds what a hostile file can allocate
METHOD = re.compile(r"[a-z][a-z0-9-]{0,63}")  # nothing in it can end a line of what is printed
FIELDS = (
    "schema",
    "version",
    "plumbline",
    "method",
    "classes",
    "positive",
    "on",
    "several",
    "parameters",
    "n",
    "effective_n",
    "options",
    "notes",
    "details",
    "least",
    "form",
    "remembered",
    CHECKSUM,
)
COUNTS = ("n", "rows", "twice", "thrice")  # of the remembered rows
ROUNDING = 1e-9  # relative, of a sum of weights
MOST_DECIMALS = 300  # of a remembered number, on either side; within the powers of ten of a float64
BELOW_ONE = math.nextafter(1, 0)
Content = dict[str, Any]


def write_map(fitted: RecalibrationMap, path: Path) -> None:
    """Write a map as a JSON file, whole or not at all."""
    need_ending(path, CARD_ENDINGS)
    written = text_of_map(fitted).encode("utf-8")
    if len(written) > MOST_BYTES:
        raise ParameterError(
            f"this map takes {len(written):,} bytes, and the file of a map may have at most "
            f"{MOST_BYTES:,}; fit it on fewer rows, or by a method of fewer parameters",
            code="map-too-large",
        )
    write_whole(path, lambda to: to.write_bytes(written))


def read_map(path: Path) -> RecalibrationMap:
    """Read the file of a map; InputError says what is wrong with it."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise InputError(
                f"{quoted(str(path))} is not a recalibration map: it has more than {MOST_BYTES:,} "
                "bytes",
                code="no-map",
            )
        content = raw.decode("utf-8")
    except FileNotFoundError as error:
        raise InputError(f"there is no map {quoted(str(path))}", code="no-such-file") from error
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise InputError(
            f"{quoted(str(path))} is not a recalibration map, which is a JSON file ({why})",
            code="no-map",
        ) from error
    return map_of_text(content, quoted(str(path)))


def text_of_map(fitted: RecalibrationMap) -> str:
    """Return a map as the text of its file."""
    content = content_of_map(fitted)
    try:
        content[CHECKSUM] = checksum(content)
        _map_of(content)  # what could not be read is not written
        return json.dumps(content, indent=1, allow_nan=False) + "\n"
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ParameterError(
            f"this map cannot be written as JSON: {error}", code="map-not-finite"
        ) from error


def content_of_map(fitted: RecalibrationMap) -> Content:
    """Return a map as plain Python, without the checksum."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "plumbline": installed_version(),
        "method": fitted.method,
        "classes": list(fitted.classes),
        "positive": fitted.positive,
        "on": fitted.on,
        "several": fitted.several,
        "parameters": int(fitted.parameters),
        "n": int(fitted.n),
        "effective_n": float(fitted.effective_n),
        "options": jsonable(fitted.options),
        "notes": list(fitted.notes),
        "details": jsonable(fitted.details),
        "least": float(fitted.least),
        "form": _of_form(fitted.form),
        "remembered": _of_remembered(fitted.remembered),
    }


def checksum(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a map's content: JSON without spaces, keys sorted, in ASCII."""
    kept = {key: value for key, value in content.items() if key != CHECKSUM}
    plain = json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(plain.encode('ascii')).hexdigest()}"


def map_of_text(written: str, name: str) -> RecalibrationMap:
    """Return the map that a text holds; `name` is what errors call it."""
    content = _parsed(written, name)
    if content.get("schema") != SCHEMA:
        got = f"its schema is {shorten(content['schema'])}" if "schema" in content else "no schema"
        raise InputError(
            f"{name} is not a recalibration map ({got}); save one with map.save(FILE)",
            code="no-map",
        )
    layout = content.get("version")
    if type(layout) is not int or not OLDEST <= layout <= VERSION:
        newer = type(layout) is int and layout > VERSION
        remedy = "; update Plumbline" if newer else ""
        raise InputError(
            f"{name} is a map of version {shorten(layout)}; this Plumbline reads {OLDEST} to "
            f"{VERSION}{remedy}",
            code="map-of-other-version",
        )
    try:
        if content.get(CHECKSUM) != checksum(content):
            raise InputError(
                f"{name} was changed after it was written: its checksum differs; fit and save the "
                "map again",
                code="map-changed",
            )
        return _map_of(content)
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(
            f"{name} is not a complete recalibration map: {error}", code="map-broken"
        ) from error


def _parsed(written: str, name: str) -> Content:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"it holds {word}, which is not JSON")

    try:
        content = json.loads(
            written, parse_constant=refuse, parse_float=_finite, object_pairs_hook=_unique_fields
        )
    except (ValueError, RecursionError) as error:
        where = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else error
        )
        raise InputError(
            f"{name} is not a recalibration map, which is a complete JSON file ({where})",
            code="no-map",
        ) from error
    if not isinstance(content, dict):
        raise InputError(
            f"{name} is not a recalibration map: it holds {shorten(content)}", code="no-map"
        )
    return content


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"it holds {digits[:20]}, which is too large for a float")
    return value


def _unique_fields(pairs: list[tuple[str, Any]]) -> Content:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"it has the field {shorten(twice)} more than once")
    return content


def _map_of(content: Content) -> RecalibrationMap:
    fields_of(content, "the map", FIELDS)
    classes, positive = texts(content["classes"], "classes"), content["positive"]
    k, several, on = len(classes), content["several"], content["on"]
    need(len(set(classes)) == k >= 2, "classes must be two names or more, all distinct")
    need(
        isinstance(positive, str) and positive in classes if k == 2 else positive is None,
        "positive must be one of two classes, null of more",
    )
    need(isinstance(on, str) and on in INPUTS, f"on must be one of {INPUTS}")
    need(
        several is None if k == 2 else several in [NATIVE, ONE_VS_REST],
        f"several must be null of two classes, {quoted(NATIVE)} or {quoted(ONE_VS_REST)} of more",
    )
    method = text(content["method"], "method")
    need(
        METHOD.fullmatch(method) is not None,
        f"method: {shorten(method)} is not the name of a method",
    )
    text(content["plumbline"], "plumbline")
    n, remembered = (
        count(content["n"], "n"),
        _remembered_of(content["remembered"], content["version"]),
    )
    need(remembered.n in {n, NOBODY.n}, "n must be the number of the remembered rows")
    return RecalibrationMap(
        method=method,
        classes=classes,
        positive=positive,
        on=on,
        several=several,
        parameters=count(content["parameters"], "parameters"),
        n=n,
        effective_n=real(content["effective_n"], "effective_n", low=0, high=n * (1 + ROUNDING)),
        options=settings(content["options"], "options"),
        notes=texts(content["notes"], "notes"),
        details=settings(content["details"], "details"),
        least=real(content["least"], "least", low=0, high=BELOW_ONE),
        form=_form_of(content["form"], k),
        remembered=remembered,
    )


def _of_form(form: Form | EventForm) -> Content:
    if isinstance(form, OneVsRest):
        return {"kind": form.kind, "forms": [_of_form(one) for one in form.forms]}
    fields = {name: getattr(form, name) for name in form.__slots__}
    plain = {name: np.asarray(value).tolist() for name, value in fields.items()}
    return {"kind": form.kind, **plain}


def _form_of(content: Any, k: int) -> Form:
    kind = _kind(content)
    if kind == Softmax.kind:
        fields_of(content, "the form", ("kind", *Softmax.__slots__))
        weights = numbers(content["weights"], "weights", (0, 1, 2))
        bias = numbers(content["bias"], "bias", (1,))
        shape = ((), (k,), (k, k))[weights.ndim]
        need(weights.shape == shape and bias.shape == (k,), f"numbers of {k} classes are needed")
        return Softmax(weights, bias, flag(content["centred"], "centred"))
    need(kind == OneVsRest.kind, f"form {shorten(kind)} is unknown")
    forms = listed(fields_of(content, "the form", ("kind", "forms"))["forms"], "forms")
    need(len(forms) == (1 if k == 2 else k), f"forms of {k} classes are needed")
    return OneVsRest(tuple(map(_event_form_of, forms)))


def _event_form_of(content: Any) -> EventForm:
    kind = _kind(content)
    need(kind in EVENT_FORMS, f"form {shorten(kind)} is unknown")
    form, build = EVENT_FORMS[kind]
    return build(fields_of(content, f"form {quoted(kind)}", ("kind", *form.__slots__)))


def _kind(content: Any) -> str:
    need(isinstance(content, dict) and "kind" in content, "a form must be an object with a kind")
    return text(content["kind"], "kind")


def _steps(content: Content) -> Steps:
    edges, values = rising(content["edges"], "edges", least=0), shares(content["values"], "values")
    need(len(values) == len(edges) + 1, "steps must have one more value than edges")
    return Steps(edges, values)


def _line(content: Content) -> PiecewiseLinear:
    knots, values = rising(content["knots"], "knots", least=1), shares(content["values"], "values")
    need(len(values) == len(knots), "a line must have one value per knot")
    return PiecewiseLinear(knots, values)


def _logistic(content: Content) -> Logistic:
    return Logistic(**{name: real(content[name], name) for name in Logistic.__slots__})


def _spline(content: Content) -> Spline:
    knots = rising(content["knots"], "knots", least=2)
    coefficients = numbers(content["coefficients"], "coefficients", (2,))
    need(coefficients.shape == (len(knots) - 1, 4), "a spline must have 4 coefficients per piece")
    return Spline(knots, coefficients)


EVENT_FORMS: Mapping[str, tuple[Any, Callable[[Content], EventForm]]] = {
    Steps.kind: (Steps, _steps),
    PiecewiseLinear.kind: (PiecewiseLinear, _line),
    Logistic.kind: (Logistic, _logistic),
    Spline.kind: (Spline, _spline),
    Unchanged.kind: (Unchanged, lambda _: Unchanged()),
}


def _of_remembered(kept: Remembered) -> Content:
    return {
        "n": kept.n,
        "hashes": _of_hashes(kept.hashes),
        "whole": kept.whole,
        "rows": kept.rows,
        "twice": kept.twice,
        "thrice": kept.thrice,
        "any_order": f"{kept.any_order:016x}",
        "in_order": f"{kept.in_order:016x}",
        "chance_any_order": kept.chance_any_order,
        "chance_in_order": kept.chance_in_order,
        "rounded": None if kept.rounded is None else _of_rounded(kept.rounded),
    }


def _of_rounded(kept: Rounded) -> Content:
    return {
        "decimals": kept.decimals,
        "hashes": _of_hashes(kept.hashes),
        "whole": kept.whole,
        "n": kept.n,
        "times": kept.times,
    }


def _of_hashes(kept: Hashes) -> str:
    return base64.b64encode(kept.astype("<u8").tobytes()).decode("ascii")


def _remembered_of(content: Any, version: int) -> Remembered:
    if version == OLDEST and isinstance(content, dict) and "rounded" not in content:
        content = {**content, "rounded": None}
    fields_of(content, "remembered", Remembered.__slots__)
    kept, whole = hashes(content["hashes"], "hashes"), flag(content["whole"], "whole")
    n, rows, twice, thrice = (count(content[name], name) for name in COUNTS)
    need(len(kept) + 2 * twice + 3 * thrice <= rows <= n, "there are more hashes than rows")
    need(whole or len(kept) > 0, "if not all hashes are kept, some must be")
    return Remembered(
        n=n,
        hashes=kept,
        whole=whole,
        rows=rows,
        twice=twice,
        thrice=thrice,
        any_order=sum_of_hashes(content["any_order"], "any_order"),
        in_order=sum_of_hashes(content["in_order"], "in_order"),
        chance_any_order=real(content["chance_any_order"], "chance_any_order", low=0, high=1),
        chance_in_order=real(content["chance_in_order"], "chance_in_order", low=0, high=1),
        rounded=None if content["rounded"] is None else _rounded_of(content["rounded"], n),
    )


def _rounded_of(content: Any, n: int) -> Rounded:
    fields_of(content, "rounded", Rounded.__slots__)
    kept, whole = hashes(content["hashes"], "hashes"), flag(content["whole"], "whole")
    need(whole or len(kept) > 0, "if not all hashes are kept, some must be")
    decimals = content["decimals"]
    need(type(decimals) is int and abs(decimals) <= MOST_DECIMALS, "decimals must be a number")
    need(count(content["n"], "n") == n >= len(kept), "n must be that of the remembered rows")
    times = count(content["times"], "times")
    need(times >= 1, "rows must stand in their table once or more")
    return Rounded(decimals, kept, whole, n, times)


Floats = NDArray[np.float64]

LARGEST = 1e100  # of a number: sums and products of two stay finite
MOST_ROWS = 2**63 - 1  # the largest int64
NUMBERS = {int, float}
DEEPEST = 4  # of settings in settings
HALF = re.compile("[\ud800-\udfff]")
SUM = re.compile(r"[0-9a-f]{16}")


def need(holds: bool, rule: str, *got: Any) -> None:
    """Raise ValueError with the rule where it does not hold, and with what came instead."""
    if not holds:
        raise ValueError(f"{rule}, not {shorten(got[0])}" if got else rule)


def fields_of(value: Any, what: str, names: Collection[str]) -> dict[str, Any]:
    """Return an object that has these fields and no others."""
    need(isinstance(value, dict), f"{what} must be an object", value)
    content: dict[str, Any] = value
    for name in names:
        need(name in content, f"{quoted(name)} is missing in {what}")
    for name in content:
        if name not in names:
            raise ValueError(f"{what} has the unknown field {shorten(name)}")
    return content


def text(value: Any, what: str) -> str:
    """Return a text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise ValueError(f"{what}: {shorten(value)} is not a text")
    if HALF.search(value):
        raise ValueError(f"{what}: {shorten(value)} holds an unpaired surrogate")
    return value


def texts(value: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(text(one, what) for one in listed(value, what))


def listed(value: Any, what: str) -> list[Any]:
    """Return a list."""
    need(isinstance(value, list), f"{what} must be a list", value)
    return list(value)


def flag(value: Any, what: str) -> bool:
    """Return true or false."""
    need(isinstance(value, bool), f"{what} must be true or false", value)
    return bool(value)


def count(value: Any, what: str) -> int:
    """Return a whole number from 0."""
    need(
        type(value) is int and 0 <= value <= MOST_ROWS,
        f"{what} must be a whole number of at least 0",
        value,
    )
    return int(value)


def real(value: Any, what: str, *, low: float = -LARGEST, high: float = LARGEST) -> float:
    """Return a number from `low` to `high`."""
    need(
        type(value) in (int, float) and low <= value <= high,
        f"{what} must be a number from {low:g} to {high:g}",
        value,
    )
    return float(value)


def settings(value: Any, what: str, deep: int = 0) -> dict[str, Any]:
    """Return names with what they stand for: numbers, texts, null, lists and objects of these."""
    need(isinstance(value, dict), f"{what} must be an object", value)
    return {text(name, what): _setting(one, what, deep + 1) for name, one in value.items()}


def _setting(value: Any, what: str, deep: int) -> Any:
    need(deep <= DEEPEST, f"{what} holds lists that are nested too deeply")
    if isinstance(value, dict):
        return settings(value, what, deep)
    if isinstance(value, list):
        return [_setting(one, what, deep + 1) for one in value]
    return text(value, what) if isinstance(value, str) else value


def numbers(value: Any, what: str, dimensions: Collection[int]) -> Floats:
    """Return an array of finite numbers that is not too large to compute with."""
    need(_plain(value, max(dimensions)), f"{what}: numbers are needed")
    values = np.asarray(value, np.float64)
    need(values.ndim in dimensions, f"{what}: the lists have the wrong depth")
    need(
        bool(np.all(np.abs(values) <= LARGEST)),
        f"{what}: numbers must be finite and at most {LARGEST:g}",
    )
    return values


def _plain(value: Any, deep: int) -> bool:
    if not isinstance(value, list):
        return type(value) in NUMBERS
    if set(map(type, value)) <= NUMBERS:
        return deep > 0
    return deep > 1 and all(_plain(one, deep - 1) for one in value)


def rising(value: Any, what: str, *, least: int) -> Floats:
    """Return numbers, each above the one before."""
    values = numbers(value, what, (1,))
    need(len(values) >= least, f"{what}: at least {least} numbers are needed")
    need(bool(np.all(values[1:] > values[:-1])), f"{what} must increase")
    return values


def shares(value: Any, what: str) -> Floats:
    """Return probabilities."""
    values = numbers(value, what, (1,))
    need(bool(np.all((values >= 0) & (values <= 1))), f"{what} must be probabilities")
    return values


def sum_of_hashes(value: Any, what: str) -> int:
    """Return a sum modulo 2^64 out of its 16 digits."""
    need(
        isinstance(value, str) and SUM.fullmatch(value) is not None,
        f"{what} must be 64 bits, as 16 hexadecimal digits",
        value,
    )
    return int(value, 16)


def hashes(value: Any, what: str) -> NDArray[np.uint64]:
    """Return 64-bit hashes that rise."""
    try:
        raw = base64.b64decode(text(value, what), validate=True)
    except binascii.Error as error:
        raise ValueError(f"{what} must be base64") from error
    need(len(raw) % 8 == 0, f"{what} must have 8 bytes each")
    values = np.frombuffer(raw, "<u8").astype(np.uint64)
    need(bool(np.all(values[1:] > values[:-1])), f"{what} must increase")
    return values
