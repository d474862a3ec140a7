"""Labels of a second table: joined to the rows of predictions by an ID that both have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import near_names, one_of, shorten, shown
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import counted, quoted
from plumbline.predictions.labels import Array
from plumbline.roles import Column, UnclearColumns, columns_of
from plumbline.roles.decide import likeliest_truths
from plumbline.roles.sides import is_id

if TYPE_CHECKING:
    import pyarrow as pa

KEPT = ("first", "last")
MOST_MISSED = 0.5  # rows without a partner from which differently named IDs are not the same one


@dataclass(frozen=True)
class LabelsBeside:
    """Labels that stand in a second table, and how they are joined.

    Attributes
    ----------
    table : the second table; name : what messages call it
    row : column of the ID, or {column of the predictions: column of the labels}; None is found
    actual : column of the labels; None where names and values tell
    keep : which label of a repeated ID counts, "first" or "last"; None refuses those that differ
    """

    table: "pa.Table"
    name: str = "`labels`"
    row: str | Mapping[str, str] | None = None
    actual: str | None = None
    keep: str | None = None


@dataclass(frozen=True)
class Joined:
    """A table with its labels: their column, and by which ID they were joined."""

    table: "pa.Table"
    actual: str
    by: str
    row: str


def need_labels(labels: Any, **others: Any) -> None:
    """Refuse what says how labels are joined where there are none."""
    for name, value in others.items():
        if labels is None and value is not None:
            raise ParameterError(
                f"`{name}` applies only with `labels`",
                code="argument-needs-another",
                argument=name,
                remedy="give both or neither",
            )


def joined(table: "pa.Table", beside: LabelsBeside) -> Joined:
    """Return predictions with the labels of a second table, empty where an ID has none.

    Raises InputError, with the arguments that settle it, for IDs and labels that are unclear.
    """
    import pyarrow as pa

    if beside.keep is not None:
        one_of("keep", beside.keep, KEPT)
    for one, name in ((table, "the table"), (beside.table, beside.name)):
        if not one.num_rows:
            raise InputError(f"{name} has no rows; there is nothing to join", code="no-rows")
    ours, theirs = columns_of(table), columns_of(beside.table)
    own, other = _ids(table, ours, theirs, beside)
    actual = _truth([one for one in theirs if one.name != other], beside)
    keys, labelled = _keys(table.column(own), beside.table.column(other))
    unlike = len({*keys.tolist()} & {*labelled.tolist()}) == 0
    if unlike:
        first, second = (shorten(part.column(at)[0].as_py()) for part, at in
                         ((table, own), (beside.table, other)))  # fmt: skip
        raise InputError(
            f"no value of {quoted(own)}, such as {first}, is one of {quoted(other)} in "
            f"{beside.name}, such as {second}",
            code="labels-unmatched",
            remedy="name the column of the ID with `row`",
        )
    places = _places(labelled, beside, actual, other)
    order = np.argsort(labelled[places], kind="stable")
    places = places[order]
    found = np.searchsorted(labelled[places], keys).clip(max=len(places) - 1)
    known = labelled[places][found] == keys
    _warn_of_alone(known, len({*labelled.tolist()} - {*keys.tolist()}), beside.name)
    rows = pa.array(places[found], mask=~known)
    taken = [name for name in table.column_names if name == actual and name != own]
    table = table.drop_columns(taken)
    kept = [n for n in beside.table.column_names if n != other and n not in table.column_names]
    left = [n for n in beside.table.column_names if n not in (*kept, other)]
    _warn_of_left(taken, left, beside.name)
    for name in kept:
        table = table.append_column(name, beside.table.column(name).take(rows))
    by = own if own == other else f"{own} = {other}"
    return Joined(table, actual, by, own)


def _truth(columns: Sequence[Column], beside: LabelsBeside) -> str:
    """Return the column of the labels."""
    names = [column.name for column in columns]
    if beside.actual is not None:
        if beside.actual not in names:
            raise InputError(
                f"there is no column {quoted(beside.actual)} in {beside.name}; its columns are "
                f"{shown(names)}{near_names(beside.actual, names)}",
                code="no-such-column",
            )
        return beside.actual
    if len(names) == 1:
        return names[0]
    likeliest = likeliest_truths(columns)
    if len(likeliest) == 1:
        return likeliest[0].name
    raise UnclearColumns(
        f"several columns of {beside.name} may hold the true classes"
        if likeliest
        else f"no column of {beside.name} is known to hold the true classes; it has {shown(names)}",
        code="columns-unknown",
        choices=[{"actual": column.name} for column in likeliest],
    )


# ---------------------------------------------------------------- IDs


def _ids(
    table: "pa.Table", ours: Sequence[Column], theirs: Sequence[Column], beside: LabelsBeside
) -> tuple[str, str]:
    """Return the column of the ID here and there."""
    names, others = table.column_names, beside.table.column_names
    if beside.row is not None:
        given = beside.row
        (own, other), *_ = [(given, given)] if isinstance(given, str) else [*given.items()]
        for name, known, where in ((own, names, "the table"), (other, others, beside.name)):
            if name not in known:
                raise InputError(
                    f"there is no column {quoted(name)} in {where}; its columns are "
                    f"{shown(known)}{near_names(name, known)}",
                    code="no-such-column",
                )
        return own, other
    both = [one for one in theirs if one.name in names]
    named = [one.name for one in both if is_id(one)]
    distinct = [one.name for one in both if one.distinct and not one.in_unit]
    for found in (named, distinct):
        if len(found) == 1:
            return found[0], found[0]
    found = named or distinct
    if not found:
        pairs = [
            (one.name, two.name)
            for one in ours
            for two in theirs
            if is_id(one) and is_id(two) and _match(table, beside.table, one.name, two.name)
        ]
        if len(pairs) == 1:
            return pairs[0]
    raise UnclearColumns(
        f"labels may be joined by {shown(found)}"
        if found
        else f"no column of an ID is known on both sides: the table has {shown(names)}, "
        f"{beside.name} has {shown(others)}",
        code="row-unclear",
        choices=[{"row": name} for name in found],
    )


def _match(table: "pa.Table", labels: "pa.Table", own: str, other: str) -> bool:
    keys, labelled = _keys(table.column(own), labels.column(other))
    return bool(np.isin(keys, labelled).mean() > 1 - MOST_MISSED)


def _keys(*columns: "pa.ChunkedArray") -> list[Array]:
    """Return numbers that are equal where IDs are equal; a missing ID equals none elsewhere."""
    import pyarrow as pa
    from pyarrow import compute

    read = [_texts(column) for column in columns]
    if len({pa.types.is_integer(column.type) for column in columns}) == 2:
        # 007 of a text file is the number 7, as its columns have no types
        read = [compute.replace_substring_regex(one, r"^0+([0-9]+)$", r"\1") for one in read]
    texts = pa.chunked_array(read)
    coded = texts.dictionary_encode().unify_dictionaries()
    return [
        np.from_dlpack(chunk.indices.fill_null(-1 - place)).astype(np.int64)
        for place, chunk in enumerate(coded.chunks)
    ]


def _texts(column: "pa.ChunkedArray") -> "pa.Array":
    """Return IDs as texts, whole numbers without a decimal point."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        whole = compute.equal(column, compute.round(column))
        if compute.all(whole).as_py() is not False:
            column = column.cast(pa.int64())
    texts = column.cast(pa.string()).combine_chunks()
    return compute.utf8_trim_whitespace(texts)


# ---------------------------------------------------------------- IDs that repeat, or are alone


def _places(labelled: Array, beside: LabelsBeside, actual: str, other: str) -> Array:
    """Return the row of the label of every ID; refuse an ID with labels that differ."""
    places = np.flatnonzero(labelled >= 0)
    if not len(places):
        raise InputError(f"column {quoted(other)} of {beside.name} is empty", code="row-unclear")
    known = labelled[places]
    if len(np.unique(known)) == len(known):
        return places
    last = places[::-1][np.unique(known[::-1], return_index=True)[1]]
    first = places[np.unique(known, return_index=True)[1]]
    codes = _keys(beside.table.column(actual))[0]
    label = np.full(known.max() + 1, -1)
    label[labelled[first]] = codes[first]
    differing = np.unique(known[label[known] != codes[places]])
    repeated = np.unique(known, return_counts=True)[1] > 1
    if not len(differing):
        warn(
            f"{counted(int(repeated.sum()), 'value')} of {quoted(other)} stand several times in "
            f"{beside.name}, with the same label each",
            code="labels-repeat",
        )
    elif beside.keep is None:
        row = int(places[np.isin(known, differing)][0])
        raise UnclearColumns(
            f"{counted(len(differing), 'value')} of {quoted(other)} in {beside.name}, such as "
            f"{shorten(beside.table.column(other)[row].as_py())}, have several labels",
            code="labels-differ",
            choices=[{"keep": which} for which in KEPT],
        )
    return first if beside.keep != "last" else last


def _warn_of_alone(known: Array, alone: int, name: str) -> None:
    without = int((~known).sum())
    if without or alone:
        warn(
            f"{without:,} of {counted(len(known), 'row')} have no label in {name}, and "
            f"{counted(alone, 'label')} there {'has' if alone == 1 else 'have'} no row",
            code="labels-unmatched",
        )


def _warn_of_left(taken: Sequence[str], left: Sequence[str], name: str) -> None:
    if taken:
        warn(
            f"column {quoted(taken[0])} of the predictions is not read: the true classes are "
            f"those of {name}",
            code="columns-not-read",
        )
    if left:
        warn(
            f"not read of {name}, as the predictions have columns of that name: {shown(left)}",
            code="columns-not-read",
        )
