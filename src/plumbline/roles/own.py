"""Tables with the names of the prediction table, or with columns that the user named."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plumbline.roles.evidence import KNOWN, PROB, is_marked, weigh_probability
from plumbline.roles.facts import Column
from plumbline.roles.positive import both_classes, usual_pair
from plumbline.roles.reading import GROUPS as OWN_GROUPS
from plumbline.roles.reading import Reading, Said
from plumbline.roles.sides import RECURS, Question, sides_of

TRUTHS = ("actual", "y_true")
PROBABILITY = "y_prob"
SCORE = "score"


def own_reading(columns: Sequence[Column], said: Said) -> tuple[Reading, Sequence[Question]] | None:
    """Return the reading of a table whose names say all, and what must be asked of it.

    None where something must be guessed. A table with a column `actual` is asked nothing.

    >>> import pyarrow as pa
    >>> from plumbline.roles import columns_of
    >>> table = pa.table({"actual": ["no", "yes"], "p:yes": [0.2, 0.7], "id": [1, 2]})
    >>> own_reading(columns_of(table), Said())[0].prob
    (('p:yes', 'yes'),)
    """
    free = {c.name: c for c in columns if c.name not in {*said.parts.values()}}
    actual = said.actual or next((name for name in TRUTHS if name in free), None)
    if actual not in free or "class" in said.parts:
        return None
    if said.actual is None and _is_measured(free[actual]):
        return None
    truth = free.pop(actual)
    prob = _probabilities(free, said)
    if prob and not _are_plain(truth, prob, free, said):
        return None
    shape = _shape(free, prob) if prob else _shape_without(truth, free, said)
    if shape is None:
        return None
    strict = truth.name == TRUTHS[0]
    others = [column for column in columns if column is not truth]
    found = sides_of(others, said, own=True, strict=strict, truth=truth)
    sides = found.columns
    apart = ("model",) if strict else ("model", "fold", "repeat")  # else rows would be pooled
    pooled = any(sides.get(part, part) not in (part, said.parts.get(part)) for part in apart)
    parts = {
        part: name
        for part, name in sides.items()
        if part != RECURS
        and (name in (part, OWN_GROUPS) or part in said.parts or pooled or not strict)
    }
    named = {part for part, name in parts.items() if name in (part, OWN_GROUPS)}
    guessed = {*parts} - named - {*said.parts}
    reading = Reading(
        truth.name,
        tuple(prob.items()),
        shape=shape,
        positive=_positive(truth, prob, said),
        implied=said.positive is None,
        parts=parts,
        recurs=sides.get(RECURS),
        explained=found.explained,
        own=not guessed,
    )
    return reading, () if strict else found.questions


def _is_own(part: str, name: str) -> bool:
    """Tell whether a column is called as the prediction table calls its part."""
    return name == (OWN_GROUPS if part == "groups" else part)


def _is_measured(column: Column) -> bool:
    """Tell whether numbers with fractions are too many to be two classes."""
    return column.kind == "number" and len(np.unique(column.keys)) > 2


def _probabilities(free: Mapping[str, Column], said: Said) -> dict[str, Any]:
    """Return {column: class} as the user or the marks of names say; None of the positive one."""
    if said.prob:
        return dict(said.prob)
    marked = {
        name: name.lstrip().removeprefix(PROB) for name, one in free.items() if is_marked(one)
    }
    return marked or ({PROBABILITY: None} if PROBABILITY in free else {})


def _are_plain(
    truth: Column, prob: Mapping[str, Any], free: Mapping[str, Column], said: Said
) -> bool:
    """Tell whether columns of probabilities need no question: of which class, on which scale."""
    unnamed = [name for name, target in prob.items() if target is None]
    if not unnamed:
        return True
    column = free.get(unnamed[0])
    if column is None or len(prob) > 1:
        return column is None
    if column.kind == "list":
        return column.lowest >= 0 or said.logits
    labels = both_classes(truth.labels)
    known = len(labels) != 2 or usual_pair(labels) is not None or said.positive is not None
    return known and not _mostly_outside(column)


def _mostly_outside(column: Column) -> bool:
    """Tell whether most numbers are no probabilities, so that they are not one mistake."""
    if column.numbers is None:
        return False
    held = column.numbers[~np.isnan(column.numbers)]
    return column.kind == "percent" or bool(((held < 0) | (held > 1)).mean() > 0.5)


def _shape(free: Mapping[str, Column], prob: Mapping[str, Any]) -> str:
    if len(prob) > 1:
        return "classes"
    column = free.get(next(iter(prob)))
    return "lists" if column is not None and column.kind == "list" else "single"


def _shape_without(truth: Column, free: Mapping[str, Column], said: Said) -> str | None:
    """Return the shape of a table without probabilities, None where another column may be one."""
    rated = SCORE in said.parts or any(name.startswith(f"{SCORE}:") for name in free)
    score = free.get(SCORE)
    if score is not None:
        rated |= truth.name == TRUTHS[0] or not score.in_unit
    if rated:
        return "ratings"
    if "predicted" in said.parts or "predicted" in free:
        named = any(weigh_probability(one, truth) >= KNOWN for one in free.values())
        return None if named else "labels"
    return None


def _positive(truth: Column, prob: Mapping[str, Any], said: Said) -> str | None:
    """Return the positive class of two, as far as the user or the names of the classes tell."""
    labels = both_classes(truth.labels)
    if said.positive is not None or len(labels) != 2:
        return said.positive
    named = [str(target) for target in prob.values() if target is not None]
    pair = usual_pair(labels)
    return pair[1] if pair else (named[-1] if named else None)
