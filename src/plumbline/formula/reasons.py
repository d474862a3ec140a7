"""Why values are undefined: the innermost part of a formula that is."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.formula.checking import Term
from plumbline.formula.computing import SOURCES, Computation
from plumbline.formula.functions import absent

Places: TypeAlias = NDArray[np.intp]
Cause: TypeAlias = tuple[str, Places]

SIGNS = {"+", "-", "*", "/", "//", "%", "**"}
ABOVE_0 = {"sqrt", "log", "log2", "log10"}  # undefined below 0
WORDS = ("0", "inf", "-inf", "x", "-x")


def causes(run: Computation, term: Term, places: Places, *, row: bool) -> list[Cause]:
    """Return reasons, and which of the rows or states given each makes undefined.

    Rows and states where the term is defined are in none of them, the others in one each.
    """
    with np.errstate(all="ignore"):
        of_rows = term.level == "row" and not row
        return list((_at_states if of_rows else _of)(run, term, places))


def _of(run: Computation, term: Term, places: Places) -> Iterator[Cause]:
    """Yield the causes of what is undefined among the places."""
    wrong = _undefined(run, term, places)
    if wrong.any():
        yield from _causes(run, term, places[wrong])


def _undefined(run: Computation, term: Term, places: Places) -> NDArray[np.bool_]:
    if len(places) == 0:
        return np.zeros(0, np.bool_)
    values = run.at(term, places)
    return np.asarray(absent(values) if term.kind == "category" else np.isnan(values))


def _causes(run: Computation, term: Term, places: Places) -> Iterator[Cause]:
    """Yield why a term is undefined at places where it is."""
    if term.op == "at_states":
        yield from _at_states(run, term.parts[0], places)
    elif term.op in ("cumm", "total", "mean", "quantile"):
        yield _over_rows(run, term), places
    elif term.op in SOURCES:
        yield _source(term), places
    elif term.op == "if":
        yield from _of_choice(run, term, places)
    else:
        for part in term.parts:
            inner = _undefined(run, part, places)
            if inner.any():
                yield from _causes(run, part, places[inner])
                places = places[~inner]
        if len(places):
            yield from _here(run, term, places)


def _of_choice(run: Computation, term: Term, places: Places) -> Iterator[Cause]:
    """Yield why a conditional is undefined: its condition, or the side that it takes."""
    condition, yes, no = term.parts
    truth = run.at(condition, places).astype(np.float64)
    for part, matching in (
        (condition, np.isnan(truth)),
        (yes, (truth != 0) & ~np.isnan(truth)),
        (no, truth == 0),
    ):
        if matching.any():
            yield from _causes(run, part, places[matching])


def _at_states(run: Computation, term: Term, places: Places) -> Iterator[Cause]:
    """Yield why the value of the row met last is undefined."""
    last = run.scope.at_states(np.arange(float(run.scope.n)))[places]
    before = np.isnan(last)
    if before.any():
        yield f"`{term.text}` has no value before the first row", places[before]
    states, rows = places[~before], last[~before].astype(np.intp)
    for why, undefined in _of(run, term, rows):
        among = np.zeros(run.scope.n, np.bool_)
        among[undefined] = True
        yield why, states[among[rows]]


def _over_rows(run: Computation, term: Term) -> str:
    """Return why a sum is undefined: because of the first row where its argument is."""
    inner, first = term.parts[0], np.zeros(1, np.intp)
    for part in term.parts:
        if part.level == "set" and (why := _first(_of(run, part, first))):
            return _inside(term, why)
    values = np.broadcast_to(run.whole(inner), run.scope.n)
    weights = run.scope.weights()
    rows = np.flatnonzero(np.isnan(values) & (True if weights is None else weights > 0))
    if len(rows):
        return _of_some_rows(run, term, rows)
    if run.scope.n == 0:
        return f"`{term.text}` of no rows"
    return f"`{term.text}` is undefined"


def _of_some_rows(run: Computation, term: Term, rows: Places) -> str:
    """Return why a sum is undefined, given the rows at which its argument is.

    One value for all rows is worth a remedy; a running sum is undefined from one row on, and its
    reasons stay few without a number.
    """
    inner = term.parts[0]
    if term.op == "cumm" or inner.level == "set":
        return _first(_causes(run, inner, rows[:1])) + f" in a row of `{term.text}`"
    tally: Counter[str] = Counter()
    for cause, places in _causes(run, inner, rows):
        tally[cause] += len(places)
    ((why, count),) = tally.most_common(1)
    weights, f = run.scope.weights(), inner.text
    n = run.scope.n if weights is None else np.count_nonzero(weights)
    text = f"{why} in {count:,} of {n:,} rows of `{term.text}`; leave them out"
    text += f' with the filter "not isnan({f})"'
    return text + (
        f", or count them as 0: total(0 if isnan({f}) else {f})" if term.op == "total" else ""
    )


def _first(causes: Iterator[Cause]) -> str:
    return next((why for why, _ in causes), "")


def _source(term: Term) -> str:
    if term.op == "name" and term.level == "row":
        return f"`{term.value.strip('`')}` is missing"
    if term.op == "name":
        return f"`{term.value.strip('`')}` is undefined here"
    return f"`{term.text}` is undefined"


# ------------------------------------------------------------------ the operation itself


def _here(run: Computation, term: Term, places: Places) -> Iterator[Cause]:
    """Yield why an operation on defined values is undefined, by what these are: 0, infinite, x.

    Numbers of the rows are not named, so that many places have few reasons.
    """
    if not 1 <= len(term.parts) <= 2 or term.op not in (*SIGNS, "call"):
        yield _general(term), places
        return
    sorts = [_sorts(np.broadcast_to(run.at(part, places), places.shape)) for part in term.parts]
    combined = sorts[0] + len(WORDS) * sorts[-1]
    for code in np.unique(combined):
        matching = combined == code
        words = [
            _written(run, part) or WORDS[int(sort[matching][0])]
            for part, sort in zip(term.parts, sorts, strict=True)
        ]
        yield _sentence(term, words), places[matching]


def _sorts(values: Any) -> NDArray[np.intp]:
    """Return which of the words stands for each value."""
    kinds = [values == 0, values == np.inf, values == -np.inf, values > 0]
    return np.select(kinds, range(4), default=4)


def _written(run: Computation, term: Term) -> str:
    """Return a number that the formula itself or a parameter gives, nothing for others."""
    plain = term.parts[0] if term.op in ("neg", "pos") else term
    if plain.op not in ("constant", "param"):
        return ""
    return f"{float(run.whole(term)) + 0.0:.6g}"  # no -0


def _sentence(term: Term, words: list[str]) -> str:
    if term.op in SIGNS and len(words) == 2:
        left, right = words
        if term.op == "**":
            return _inside(term, f"({left}) ** {right}" if left[0] == "-" else " ** ".join(words))
        gap = "" if term.op == "/" else " "
        left, right = (word.replace("-x", "x") for word in words)  # of either sign
        return _inside(term, f"{left}{gap}{term.op}{gap}{right}")
    if term.op == "call" and not {"x", "-x"}.intersection(words[:1]):
        return _inside(term, f"{term.value}({', '.join(words)})")
    if words[0] == "-x" and term.value in ABOVE_0:
        return f"{term.value} of a number below 0 in `{term.text}`"
    return _general(term)


def _general(term: Term) -> str:
    if term.op == "call":
        return f"{term.value} outside its domain in `{term.text}`"
    return f"`{term.text}` is undefined"


def _inside(term: Term, what: str) -> str:
    same = what.replace(" ", "") == term.text.replace(" ", "")
    return what if same else f"{what} in `{term.text}`"
