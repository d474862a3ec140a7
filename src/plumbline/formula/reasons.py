"""Why a value is undefined: the innermost part of a formula where that begins."""

import numpy as np

from plumbline.formula.computing import SOURCES, Computation
from plumbline.formula.elementwise import absent, holds_undefined, truth
from plumbline.formula.terms import Term

SIGNS = {"+", "-", "*", "/", "//", "%", "**"}


def reason(run: Computation, term: Term, place: int, *, row: bool) -> str:
    """Return why a term is undefined at a row or in a state, an empty text where it is not."""
    with np.errstate(all="ignore"):
        if term.level == "row" and not row:
            return _why_at_state(run, term, place)
        return _why(run, term, place) if _undefined(run, term, place) else ""


def _undefined(run: Computation, term: Term, place: int) -> bool:
    value = run.one(term, place)
    if term.kind == "category":
        return bool(absent(value))
    return holds_undefined(value)


def _why(run: Computation, term: Term, place: int) -> str:
    if term.op == "at_states":
        return _why_at_state(run, term.parts[0], place)
    if term.op in ("cumm", "total", "mean", "quantile"):
        return _why_over_rows(run, term)
    if term.op in SOURCES:
        return _why_source(term)
    for part in _taken(run, term, place):
        if _undefined(run, part, place):
            return _why(run, part, place)
    parts = [f"{float(run.one(part, place)):.6g}" for part in term.parts]
    if term.op == "call":
        return _inside(term, f"{term.value}({', '.join(parts)})")
    if term.op in SIGNS and len(parts) == 2:
        gap = "" if term.op == "/" else " "
        return _inside(term, f"{parts[0]}{gap}{term.op}{gap}{parts[1]}")
    return f"`{term.text}` is undefined"


def _inside(term: Term, what: str) -> str:
    same = what.replace(" ", "") == term.text.replace(" ", "")
    return what if same else f"{what} in `{term.text}`"


def _taken(run: Computation, term: Term, place: int) -> tuple[Term, ...]:
    """Return the parts that a value comes from: of a conditional, the side taken."""
    if term.op != "if":
        return term.parts
    condition, yes, no = term.parts
    if _undefined(run, condition, place):
        return (condition,)
    return (yes,) if truth(run.one(condition, place)) else (no,)


def _why_at_state(run: Computation, term: Term, place: int) -> str:
    """Return why the value of the row met last in a state is undefined."""
    last = run.scope.at_states(np.arange(float(run.scope.n)))[place]
    if np.isnan(last):
        return f"`{term.text}` has no value before the first row"
    return _why(run, term, int(last)) if _undefined(run, term, int(last)) else ""


def _why_over_rows(run: Computation, term: Term) -> str:
    """Return why a sum is undefined: because of the first row where its argument is."""
    inner = term.parts[0]
    for part in term.parts:
        if part.level == "set" and _undefined(run, part, 0):
            return _inside(term, _why(run, part, 0))
    values = np.broadcast_to(run.whole(inner), run.scope.n)
    weights = run.scope.weights()
    rows = np.flatnonzero(np.isnan(values) & (True if weights is None else weights > 0))
    if len(rows):
        return _why(run, inner, int(rows[0])) + f" in a row of `{term.text}`"
    if run.scope.n == 0:
        return f"`{term.text}` of no rows"
    return f"`{term.text}` is undefined"


def _why_source(term: Term) -> str:
    if term.op == "name" and term.level == "row":
        return f"`{term.value.strip('`')}` is missing"
    if term.op == "name":
        return f"`{term.value.strip('`')}` is undefined here"
    return f"`{term.text}` is undefined"
