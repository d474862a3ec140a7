"""A map as a module of plain Python, for a service without Plumbline."""

import builtins
import keyword
import re
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from plumbline._checks import shorten
from plumbline._distribution import installed_version
from plumbline.errors import ParameterError
from plumbline.formatting import counted, printable
from plumbline.recalibration.export.pieces import PiecewisePolynomial, pieces_of
from plumbline.recalibration.forms import (
    EventForm,
    Logistic,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.inputs import NEVER, PROBABILITY
from plumbline.recalibration.map import RecalibrationMap

WIDTH = 96
LOOSEST = 3.5e-4  # sums of float32 probabilities differ from 1 by less

TAKEN = {
    "CLASSES",
    "LEAST",
    "WEIGHTS",
    "BIAS",
    "Iterable",
    "annotations",
    "bisect_left",
    "bisect_right",
    "math",
}
TAKEN_FOR_PIECES = re.compile(r"(BREAKS|PIECES)_\d+")

PIECE = """
def _piece(x: float, j: int, pieces: list[tuple[float, ...]]) -> float:
    start, *coefficients = pieces[j]
    total = 0.0
    for c in reversed(coefficients):
        total = total * (x - start) + c
    return total
"""

LOGISTIC = """
def _logistic(z: float) -> tuple[float, float]:
    low = math.log1p(math.exp(-abs(z)))
    return math.exp(-max(-z, 0.0) - low), math.exp(-max(z, 0.0) - low)
"""

LOG = f"""
def _log(p: float) -> float:
    return math.log(p if p > 0.0 else {NEVER!r})
"""

LOG_FROM_LEAST = """
def _log(p: float) -> float:
    return math.log(max(p, LEAST))
"""

LOGS_FROM_LEAST = """
def _logs(prob: list[float]) -> list[float]:
    return [math.log(max(p, LEAST)) for p in prob]
"""

LOGS = f"""
def _logs(prob: list[float]) -> list[float]:
    least = min([p for p in prob if p > 0.0] + [{NEVER!r}])
    return [math.log(p if p > 0.0 else least) for p in prob]
"""

FROM_LEAST = {LOG: LOG_FROM_LEAST, LOGS: LOGS_FROM_LEAST}

REST = """
def _rest(prob: list[float], j: int) -> float:
    return min(sum(prob[:j] + prob[j + 1 :]), 1.0)
"""

SOFTMAX = """
def _softmax(z: list[float]) -> list[float]:
    top = max(z)
    total = math.log(sum(math.exp(v - top) for v in z))
    return [math.exp(v - top - total) for v in z]
"""

NUMBERS = """
def _numbers(given: float | Iterable[float]) -> list[float]:
    return [float(v) for v in given] if isinstance(given, Iterable) else [float(given)]
"""


def python_of(fitted: RecalibrationMap, function: str) -> str:
    """Return a module of Python with one public function."""
    _need_function_name(function)
    data, body, parts = _computed(fitted)
    if fitted.least:
        data = [f"LEAST = {fitted.least!r}  # what smaller probabilities count as\n", *data]
        parts = [FROM_LEAST.get(part, part) for part in parts]
    text = "".join(data) + "".join(dict.fromkeys([NUMBERS, *parts]))
    return _head(fitted) + text.replace("\ndef ", "\n\ndef ") + _function(fitted, function, body)


def _need_function_name(function: Any) -> None:
    sound = isinstance(function, str) and function.isascii() and function.isidentifier()
    if not sound or keyword.iskeyword(function) or function.startswith("_"):
        raise ParameterError(
            argument="function",
            rule="a Python name that begins with a letter",
            arrived=shorten(function),
            code="no-python-name",
        )
    if function in TAKEN or function in dir(builtins) or TAKEN_FOR_PIECES.fullmatch(function):
        raise ParameterError(
            f"`function` must be another name: the module itself uses {function!r}",
            code="no-python-name",
        )


def _head(fitted: RecalibrationMap) -> str:
    names = ascii(tuple(fitted.classes))
    return (
        '"""Recalibrates the probabilities of a classifier; needs only Python >= 3.8."""\n'
        f"# {printable(fitted.method)} map fitted on {counted(fitted.n, 'row')}; written by "
        f"Plumbline {installed_version()}.\n\n"
        "from __future__ import annotations\n\nimport math\n"
        "from bisect import bisect_left, bisect_right\nfrom collections.abc import Iterable\n\n"
        f"CLASSES = {names}\n"
    )


def _function(fitted: RecalibrationMap, function: str, body: Sequence[str]) -> str:
    k = len(fitted.classes)
    ratings = fitted.on != PROBABILITY
    one, what = ("rating", "ratings") if ratings else ("probability", "probabilities")
    alone = [f"        or the {one} of CLASSES[{fitted.place}] alone"] if k == 2 else []
    kind = "float | Iterable[float]" if k == 2 else "Iterable[float]"
    lines = [
        f"def {function}(given: {kind}) -> list[float]:",
        '    """Return the recalibrated probabilities of CLASSES.',
        "",
        f"    given : {what} of CLASSES, in this order",
        *alone,
        "",
        "    Raises ValueError for anything else.",
        '    """',
        *(f"    {line}" for line in [*_checks(fitted), *body]),
    ]
    return "\n\n" + "\n".join(lines) + "\n"


def _checks(fitted: RecalibrationMap) -> list[str]:
    k, place = len(fitted.classes), fitted.place
    lines = ["values = _numbers(given)"]
    if fitted.on != PROBABILITY:
        if k == 2:
            lines += ["if len(values) == 2:", f"    values = [values[{place}]]"]
        count, rule = 1 if k == 2 else k, "finite"
        lines.append("sound = all(map(math.isfinite, values))")
    else:
        if k == 2:
            both = "[1.0 - values[0], values[0]]" if place else "[values[0], 1.0 - values[0]]"
            lines += ["if len(values) == 1:", f"    values = {both}"]
        count, rule = k, "from 0 to 1, with the sum 1"
        lines += [
            "sound = all(0.0 <= v <= 1.0 for v in values)",
            f"sound = sound and abs(sum(values) - 1.0) < {LOOSEST!r}",
        ]
    need = f"{counted(count, 'number')} must be given, {rule}"
    return [
        *lines,
        f"if len(values) != {count} or not sound:",
        f'    raise ValueError(f"{need}; got {{given!r}}")',
    ]


# ------------------------------------------------------------------- forms


def _computed(fitted: RecalibrationMap) -> tuple[list[str], list[str], list[str]]:
    """Return the data, the lines of the function and the helpers they call."""
    if isinstance(fitted.form, Softmax):
        return _of_softmax(fitted, fitted.form)
    forms, ratings = fitted.form.forms, fitted.on != PROBABILITY
    data: list[str] = []
    parts: list[str] = []
    for number, form in enumerate(forms):
        numbers, lines, used = _of_event(form, number, ratings=ratings)
        data += numbers
        head = f"def _event_{number}(value: float, rest: float) -> tuple[float, float]:"
        parts += [*used, "\n" + "\n    ".join([head, *lines]) + "\n"]
    if len(fitted.classes) == 2:
        place = fitted.place
        inner = "values[0], 0.0" if ratings else f"values[{place}], values[{1 - place}]"
        lines = [f"share, rest = _event_0({inner})"]
        return data, [*lines, f"return {'[rest, share]' if place else '[share, rest]'}"], parts
    if all(isinstance(form, Unchanged) for form in forms):
        return [], ["return values"], []
    rest = "0.0" if ratings else "_rest(values, {j})"
    calls = [f"    _event_{j}(values[{j}], {rest.format(j=j)})[0]," for j in range(len(forms))]
    body = [
        "shares = [",
        *calls,
        "]",
        "total = sum(shares)",
        "return [s / total if total > 0.0 else 1.0 / len(shares) for s in shares]",
    ]
    return data, body, parts if ratings else [REST, *parts]


def _of_event(
    form: EventForm, number: int, *, ratings: bool
) -> tuple[list[str], list[str], list[str]]:
    odds = "value" if ratings else "(_log(value) - _log(rest))"
    match form:
        case Unchanged():
            return [], ["return value, rest"], []
        case Logistic():
            terms = {
                "value": form.value,
                odds: form.log_odds,
                "_log(value)": form.log,
                "_log(rest)": form.log_rest,
            }
            if ratings:
                terms["value"] = form.value + form.log_odds
            z = [repr(float(form.intercept)), *(f"{w!r} * {t}" for t, w in terms.items() if w)]
            return [], [f"return _logistic({' + '.join(z)})"], [LOG, LOGISTIC]
        case Spline():
            data, at = _of_pieces(pieces_of(form), number)
            lines = [f"x = {odds}", f"return _logistic({at.format(x='x')})"]
            return data, lines, [LOG, LOGISTIC, PIECE]
        case Steps() | PiecewiseLinear():
            data, at = _of_pieces(pieces_of(form), number)
            share = f"min(max({at.format(x='value')}, 0.0), 1.0)"
            return data, [f"share = {share}", "return share, 1.0 - share"], [PIECE]


def _of_pieces(pieces: PiecewisePolynomial, number: int) -> tuple[list[str], str]:
    side = "bisect_left" if pieces.right else "bisect_right"
    rows = [
        f"({', '.join(map(repr, [start, *row]))})"
        for start, row in zip(pieces.start.tolist(), pieces.coefficients.tolist(), strict=True)
    ]
    data = [
        _listed(f"BREAKS_{number}", "float", list(map(repr, pieces.breaks.tolist()))),
        _listed(f"PIECES_{number}", "tuple[float, ...]", rows),
    ]
    return data, f"_piece({{x}}, {side}(BREAKS_{number}, {{x}}), PIECES_{number})"


def _of_softmax(fitted: RecalibrationMap, form: Softmax) -> tuple[list[str], list[str], list[str]]:
    k = len(fitted.classes)
    weights = np.broadcast_to(form.weights, k) if form.weights.ndim < 2 else form.weights
    texts = [repr(row) for row in weights.tolist()]
    kind = "float" if weights.ndim == 1 else "list[float]"
    bias = list(map(repr, form.bias.tolist()))
    data = [_listed("WEIGHTS", kind, texts), _listed("BIAS", "float", bias)]
    if fitted.on == PROBABILITY:
        body, parts = ["x = _logs(values)"], [LOGS]
    elif k == 2:
        signs = ("-", "") if fitted.place else ("", "-")
        body, parts = [f"x = [{signs[0]}0.5 * values[0], {signs[1]}0.5 * values[0]]"], []
    else:
        body, parts = ["x = values"], []
    if form.centred:
        body += ["mean = sum(x) / len(x)", "x = [v - mean for v in x]"]
    inner = "w * v + b for w, v, b in zip(WEIGHTS, x, BIAS)"
    if weights.ndim == 2:
        inner = "sum(w * v for w, v in zip(row, x)) + b for row, b in zip(WEIGHTS, BIAS)"
    return data, [*body, f"return _softmax([{inner}])"], [*parts, SOFTMAX]


def _listed(name: str, kind: str, texts: Sequence[str]) -> str:
    """Return a list of numbers, in lines that an editor can show."""
    lines = textwrap.fill(", ".join(texts), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{name}: list[{kind}] = [\n{textwrap.indent(lines, '    ')}\n]\n"
