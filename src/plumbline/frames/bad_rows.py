"""Rows that cannot be counted: how many there are of a kind, the first, and what is said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.predictions import no_rows
from plumbline.predictions.files import first_of
from plumbline.predictions.labels import missing_label
from plumbline.predictions.probabilities import missing_value, no_probability

if TYPE_CHECKING:
    from plumbline.frames.batches import Part

NO_LABEL, NO_NUMBER, OUTSIDE, SUM = "no-label", "no-number", "outside", "sum"
NO_CLASS, NO_LIST, NOT_FINITE = "no-class", "no-list", "not-finite"


@dataclass(frozen=True)
class Place:
    """A row of a source, from 0."""

    source: str
    row: int


@dataclass
class BadRows:
    """Rows that cannot be counted for one reason, and the first of them."""

    count: int
    first: Place
    value: Any


def reason(kind: str, column: str = "") -> str:
    """Return the kind of a fault and its column as one text, the key of such rows."""
    return f"{kind} {column}"


def note(where: dict[str, BadRows], why: str, count: int, first: Place, value: Any) -> None:
    """Remember rows that are bad for a reason, and the first of them."""
    known = where.get(why)
    if known is None:
        where[why] = BadRows(count, first, value)
        return
    known.count += count
    if _order(first) < _order(known.first):
        known.first, known.value = first, value


def refusal(bad: Mapping[str, BadRows], parts: "Sequence[Part]" = ()) -> InputError:
    """Return the error about the fault that comes first, in the words of a table in memory.

    `parts` tell the lines of rows of text.
    """
    why = min(bad, key=lambda one: _order(bad[one].first))
    rows = bad[why]
    line = next((p.line(rows.first.row) for p in parts if p.name == rows.first.source), None)
    where = first_of(rows.count, rows.first.row, rows.first.source, line)
    kind, _, column = why.partition(" ")
    text = _text(kind, column, rows.value, where)
    others = sum(one.count for name, one in bad.items() if name != why)
    if others:
        text = f"{text.rstrip('.')}. Further faults: {others:,}"
    return InputError(text, code="bad-rows")


def need_rows(rows: int, bad: Mapping[str, BadRows], parts: "Sequence[Part]" = ()) -> None:
    """Raise if no row was counted, or some cannot be."""
    if bad:
        raise refusal(bad, parts)
    if rows == 0:
        raise no_rows(list(dict.fromkeys(part.name for part in parts)))


def _text(kind: str, column: str, value: Any, where: str) -> str:
    correct = "correct these rows or leave them out"
    if kind == NO_LABEL:
        return missing_label(column, where)
    if kind == NO_NUMBER:
        return missing_value(column, where)
    if kind == OUTSIDE:
        return no_probability(column, value, where)
    if kind == SUM:
        return (
            f"probabilities must sum to 1, which they do not in {where}: they sum to "
            f"{value:.9g}; {correct}"
        )
    if kind == NO_CLASS:
        return (
            f"column {quoted(column)} holds a label that is none of the classes, got "
            f"{shorten(value)} in {where}; {correct}"
        )
    if kind == NO_LIST:
        return f"column {quoted(column)} holds no list of {value} numbers in {where}; {correct}"
    return f"column {quoted(column)} is empty, NaN or infinite in {where}; {correct}"


def _order(first: Place) -> tuple[str, int]:
    return first.source, first.row
