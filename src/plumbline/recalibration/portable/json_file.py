"""The file of a map: JSON that is read back to the last bit, or refused.

docs/recalibration_files.md describes it field by field.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import InputError, ParameterError
from plumbline.outputs import CARD_ENDINGS, need_ending, write_whole
from plumbline.recalibration.forms import (
    EventForm,
    Form,
    Line,
    Logistic,
    OneVsRest,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.inputs import INPUTS
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.remembered import ALL_BITS, Remembered
from plumbline.results import jsonable

SCHEMA, VERSION = "plumbline-recalibration-map", 1
CHECKSUM = "checksum"
Content = dict[str, Any]
Floats = NDArray[np.float64]


def write_map(fitted: RecalibrationMap, path: Path) -> None:
    """Write a map as a JSON file, whole or not at all."""
    need_ending(path, CARD_ENDINGS)
    text = text_of_map(fitted)
    write_whole(path, lambda to: to.write_text(text, "utf-8"))


def read_map(path: Path) -> RecalibrationMap:
    """Read the file of a map; InputError says what is wrong with it."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise InputError(f"there is no map {str(path)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise InputError(
            f"{str(path)!r} is no recalibration map, which is a JSON file ({why})"
        ) from error
    return map_of_text(text, repr(str(path)))


def text_of_map(fitted: RecalibrationMap) -> str:
    """Return a map as the text of its file."""
    content = content_of_map(fitted)
    try:
        content[CHECKSUM] = checksum(content)
        _map_of(content)  # what could not be read is not written
        return json.dumps(content, indent=1, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise ParameterError(f"this map cannot be written as JSON: {error}") from error


def content_of_map(fitted: RecalibrationMap) -> Content:
    """Return a map as plain Python, without the checksum."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "plumbline": version("plumbline"),
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


def map_of_text(text: str, name: str) -> RecalibrationMap:
    """Return the map that a text holds; `name` is what errors call it."""
    content = _parsed(text, name)
    if content.get("schema") != SCHEMA:
        got = f"its schema is {shorten(content['schema'])}" if "schema" in content else "no schema"
        raise InputError(f"{name} is no recalibration map ({got}); save one with map.save(FILE)")
    layout = content.get("version")
    if type(layout) is not int or layout != VERSION:
        newer = type(layout) is int and layout > VERSION
        remedy = "; update Plumbline" if newer else ""
        raise InputError(
            f"{name} is a map of version {shorten(layout)}, this Plumbline reads {VERSION}{remedy}"
        )
    if content.get(CHECKSUM) != checksum(content):
        raise InputError(
            f"{name} was changed after it was written: its checksum is another; fit and save the "
            "map again"
        )
    try:
        return _map_of(content)
    except (KeyError, TypeError, ValueError, OverflowError, binascii.Error) as error:
        why = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{name} is no whole recalibration map: {why}") from error


def _parsed(text: str, name: str) -> Content:
    def refuse(word: str) -> NoReturn:
        raise ValueError(f"it holds {word}, which JSON does not know")

    try:
        content = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        where = (
            f"line {error.lineno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else error
        )
        raise InputError(
            f"{name} is no recalibration map, which is a whole JSON file ({where})"
        ) from error
    if not isinstance(content, dict):
        raise InputError(f"{name} is no recalibration map: it holds {shorten(content)}")
    return content


def _map_of(content: Content) -> RecalibrationMap:
    classes = tuple(map(_text, content["classes"]))
    positive = content["positive"]
    _must(len(set(classes)) == len(classes) >= 2, "classes must be two names or more, all distinct")
    _must(
        positive in classes if len(classes) == 2 else positive is None,
        "positive must be one of two classes, null of more",
    )
    _must(content["on"] in INPUTS, f"on must be one of {INPUTS}")
    return RecalibrationMap(
        method=_text(content["method"]),
        classes=classes,
        positive=positive,
        on=content["on"],
        several=content["several"],
        parameters=int(content["parameters"]),
        n=int(content["n"]),
        effective_n=float(content["effective_n"]),
        options=dict(content["options"]),
        notes=tuple(map(_text, content["notes"])),
        details=dict(content["details"]),
        least=_share(content["least"]),
        form=_form_of(content["form"], len(classes)),
        remembered=_remembered_of(content["remembered"]),
    )


def _share(value: Any) -> float:
    _must(isinstance(value, (int, float)) and 0 <= value < 1, "least must be in [0, 1)")
    return float(value)


def _of_form(form: Form | EventForm) -> Content:
    if isinstance(form, OneVsRest):
        return {"kind": form.kind, "forms": [_of_form(one) for one in form.forms]}
    fields = {name: getattr(form, name) for name in form.__slots__}
    plain = {name: np.asarray(value).tolist() for name, value in fields.items()}
    return {"kind": form.kind, **plain}


def _form_of(content: Content, k: int) -> Form:
    if content["kind"] == Softmax.kind:
        weights, bias = _numbers(content["weights"]), _numbers(content["bias"])
        shape = {0: (), 1: (k,), 2: (k, k)}.get(weights.ndim)
        _must(weights.shape == shape and bias.shape == (k,), f"numbers of {k} classes are needed")
        _must(isinstance(content["centred"], bool), "centred must be true or false")
        return Softmax(weights, bias, content["centred"])
    _must(content["kind"] == OneVsRest.kind, f"form {shorten(content['kind'])} is unknown")
    _must(len(content["forms"]) == (1 if k == 2 else k), f"forms of {k} classes are needed")
    return OneVsRest(tuple(EVENT_FORMS[_known(one["kind"])](one) for one in content["forms"]))


def _known(kind: Any) -> str:
    _must(kind in EVENT_FORMS, f"form {shorten(kind)} is unknown")
    return str(kind)


def _steps(content: Content) -> Steps:
    edges, values = _rising(content["edges"], least=0), _shares(content["values"])
    _must(len(values) == len(edges) + 1, "steps must have one value more than edges")
    return Steps(edges, values)


def _line(content: Content) -> Line:
    knots, values = _rising(content["knots"], least=1), _shares(content["values"])
    _must(len(values) == len(knots), "a line must have one value a knot")
    return Line(knots, values)


def _logistic(content: Content) -> Logistic:
    names = Logistic.__slots__
    return Logistic(**{name: float(_numbers(content[name])) for name in names})


def _spline(content: Content) -> Spline:
    knots, coefficients = _rising(content["knots"], least=2), _numbers(content["coefficients"])
    _must(coefficients.shape == (len(knots) - 1, 4), "a spline must have 4 coefficients a piece")
    return Spline(knots, coefficients)


EVENT_FORMS: Mapping[str, Callable[[Content], EventForm]] = {
    Steps.kind: _steps,
    Line.kind: _line,
    Logistic.kind: _logistic,
    Spline.kind: _spline,
    Unchanged.kind: lambda _: Unchanged(),
}


def _of_remembered(kept: Remembered) -> Content:
    return {
        "n": kept.n,
        "hashes": base64.b64encode(kept.hashes.astype("<u8").tobytes()).decode("ascii"),
        "whole": kept.whole,
        "rows": kept.rows,
        "twice": kept.twice,
        "thrice": kept.thrice,
        "any_order": f"{kept.any_order:016x}",
        "in_order": f"{kept.in_order:016x}",
        "chance_any_order": kept.chance_any_order,
        "chance_in_order": kept.chance_in_order,
    }


def _remembered_of(content: Content) -> Remembered:
    raw = base64.b64decode(content["hashes"], validate=True)
    hashes = np.frombuffer(raw, "<u8").astype(np.uint64)
    n, rows, twice, thrice = (int(content[name]) for name in ("n", "rows", "twice", "thrice"))
    _must(bool(np.all(hashes[1:] > hashes[:-1])), "hashes must rise")
    _must(len(hashes) + 2 * twice + 3 * thrice <= rows <= n, "there are more hashes than rows")
    _must(min(twice, thrice) >= 0, "twice and thrice are counts")
    sums = [int(content[name], 16) for name in ("any_order", "in_order")]
    _must(all(0 <= total <= ALL_BITS for total in sums), "sums of hashes have 64 bits")
    return Remembered(
        n=n,
        hashes=hashes,
        whole=content["whole"] is True,
        rows=rows,
        twice=twice,
        thrice=thrice,
        any_order=sums[0],
        in_order=sums[1],
        chance_any_order=float(content["chance_any_order"]),
        chance_in_order=float(content["chance_in_order"]),
    )


def _numbers(values: Any) -> Floats:
    numbers = np.asarray(values)
    _must(numbers.dtype.kind in "if" or numbers.size == 0, "numbers are needed")
    numbers = numbers.astype(np.float64)
    _must(bool(np.isfinite(numbers).all()), "numbers must be finite")
    return numbers


def _rising(values: Any, *, least: int) -> Floats:
    numbers = _numbers(values)
    _must(numbers.ndim == 1 and len(numbers) >= least, f"{least} numbers or more are needed")
    _must(bool(np.all(numbers[1:] > numbers[:-1])), "edges and knots must rise")
    return numbers


def _shares(values: Any) -> Floats:
    numbers = _numbers(values)
    _must(numbers.ndim == 1 and bool(np.all((numbers >= 0) & (numbers <= 1))),
          "values must be probabilities")  # fmt: skip
    return numbers


def _text(value: Any) -> str:
    _must(isinstance(value, str), f"{shorten(value)} is no text")
    return str(value)


def _must(holds: bool, rule: str) -> None:
    if not holds:
        raise ValueError(rule)
