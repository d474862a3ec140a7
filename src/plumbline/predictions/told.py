"""What the user says of a table's columns, checked against their names."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plumbline._checks import near_names, one_of, real_number, shorten, shown
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import labels as lb
from plumbline.predictions.arrays import COUNT, MARKS
from plumbline.roles import Column, Reading, Said, decide
from plumbline.roles.evidence import PROB
from plumbline.roles.own import PROBABILITY, TRUTHS
from plumbline.roles.reading import ALONE, ATTRIBUTE, DROP, GROUPS, PARTS

OTHER_PARTS = (*PARTS, COUNT)
SCORE = MARKS[1]


def plain_renames(names: Sequence[str], rename: Mapping[str, str] | None) -> dict[str, str]:
    """Return the renames that give a column another name and no part; refuse impossible ones."""
    rename = rename or {}
    for column, name in rename.items():
        _need_column(column, names, names)
        taken = name in names and name not in rename
        if name != ATTRIBUTE and (taken or [*rename.values()].count(name) > 1):
            raise InputError(
                f"column {quoted(column)} cannot be read as {quoted(name)}: another column has "
                "that name; rename that column too, or drop it from the table",
                code="column-name-taken",
            )
    return {column: name for column, name in rename.items() if not _is_part(name)}


def _is_part(name: str) -> bool:
    known = (*TRUTHS, PROBABILITY, *OTHER_PARTS, ATTRIBUTE)
    return name in known or name.lstrip().startswith(PROB)


def reading_of(
    columns: Sequence[Column], rename: Mapping[str, str] | None = None, **told: Any
) -> Reading:
    """Return the reading of columns, by what `told` says of them; arguments as in `said_of`.

    The reading has their names after renames that give no part.
    """
    names = [column.name for column in columns]
    plain = plain_renames(names, rename)
    called = [replace(one, name=plain.get(one.name, one.name)) for one in columns]
    # What the user calls otherwise plays no part, whatever it is called then.
    apart = [name for name in plain.values() if not name.startswith(SCORE)]
    said = said_of([one.name for one in called], rename=rename, **told)
    kept = {said.actual, *said.prob}
    free = tuple(name for name in apart if name not in kept)
    return decide(called, replace(said, attributes=(*said.attributes, *free)))


def said_of(
    names: Sequence[str],
    *,
    actual: str | None = None,
    prob: Any = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    normalize: bool = False,
    missing: str | None = None,
    logits: bool = False,
    scale: float | None = None,
) -> Said:
    """Return what the user says of a table with columns of these names.

    `actual` and `prob` may name a column as it is called after `rename`. Raises InputError for a
    column that is not there, or that would play two parts.
    """
    rename = {old: new for old, new in (rename or {}).items() if _is_part(new)}
    home = {new: old for old, new in rename.items()}
    called = [rename.get(name, name) for name in names]
    if actual is None:
        actual = next((name for name in TRUTHS if name in home), None)
    if actual is not None:
        actual = home.get(actual, actual)
        _need_column(actual, names, called)
    columns = {home.get(name, name): target for name, target in _pairs(prob).items()}
    for name in columns:
        _need_column(name, names, called)
    marked = {name: rename.get(name, name).lstrip() for name in names}
    marked = {n: c.removeprefix(PROB) for n, c in marked.items() if c.startswith(PROB)}
    if prob is not None:
        _refuse_left_over(columns, marked)
    elif actual in marked:
        columns = dict(marked)
    elif PROBABILITY in home:
        columns = {home[PROBABILITY]: None}
    elif any(name in rename for name in marked):
        columns = dict(marked)
    empty = [name for name, target in marked.items() if not target.strip()]
    if empty and prob is None:
        raise InputError(
            f"column {quoted(empty[0])} names no class; write it as p:<class>",
            code="column-without-class",
        )
    if actual is not None and actual in columns:
        raise InputError(
            f"column {quoted(actual)} cannot hold both the true classes and probabilities; name "
            "two different columns",
            code="column-in-two-parts",
        )
    if missing is not None:
        one_of("missing", missing, (DROP, ALONE))
    if missing == ALONE and "groups" not in home and GROUPS not in names:
        raise ParameterError(
            "`missing='alone'` makes each row without a group a group of its own, and the table "
            "has no groups",
            code="argument-needs-another",
            argument="missing",
            remedy="name the column of the groups, or use `missing='drop'`",
        )
    return Said(
        actual=actual,
        prob=columns,
        parts={new: old for old, new in rename.items() if new in OTHER_PARTS},
        attributes=tuple(old for old, new in rename.items() if new == ATTRIBUTE),
        positive=None if positive is None else lb.label_text(positive),
        normalize=normalize,
        missing=missing,
        logits=logits,
        scale=None if scale is None else _checked_scale(scale),
    )


def _checked_scale(scale: Any) -> float:
    number = real_number(scale)
    if not 1 < number < math.inf:
        raise ParameterError(
            code="out-of-range",
            argument="scale",
            rule="the number that stands for a probability of 1, such as 100 of percent",
            arrived=shorten(scale),
        )
    return number


def _need_column(column: str, names: Sequence[str], called: Sequence[str]) -> None:
    if column not in names:
        raise InputError(
            f"there is no column {quoted(column)}; the columns are "
            f"{shown(called)}{near_names(column, called)}",
            code="no-such-column",
        )


def _pairs(prob: Any) -> dict[str, Any]:
    """Return {column: class} of a mapping, a list of columns, or one; None of an unsaid class."""
    if prob is None:
        return {}
    if isinstance(prob, str):
        return {prob: None}
    if isinstance(prob, Mapping):
        return dict(prob)
    if isinstance(prob, Sequence) and all(isinstance(one, str) for one in prob) and len(prob):
        return dict.fromkeys(prob)
    raise ParameterError(
        code="wrong-kind",
        argument="prob",
        rule="a column, a list of columns or a mapping {column: class}",
        arrived=shorten(prob),
    )


def _refuse_left_over(columns: Mapping[str, Any], marked: Mapping[str, str]) -> None:
    forgotten = [name for name in marked if name not in columns]
    if forgotten:
        raise InputError(
            f"`prob` names the probability columns, but not {shown(forgotten)}; name these too, "
            "or drop them from the table",
            code="columns-left-over",
        )


def named_columns(told: Mapping[str, Any]) -> set[Any]:
    """Return the columns that the arguments of a frame name."""
    actual, prob = told.get("actual"), told.get("prob")
    several = isinstance(prob, (Mapping, Sequence)) and not isinstance(prob, str)
    named = {*(prob or ())} if several else {prob} if isinstance(prob, str) else set()
    return {*named, *(told.get("rename") or ()), *([] if actual is None else [actual])}
