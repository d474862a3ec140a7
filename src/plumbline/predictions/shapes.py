"""A table in any shape that is read becomes one row an example and model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError, warn
from plumbline.formatting import counted, quoted
from plumbline.predictions.labels import Array, label_text, named_rows
from plumbline.roles import Column, Reading, UnclearColumns
from plumbline.roles.facts import PERCENT, present, without_percent_sign
from plumbline.roles.positive import usual_pair
from plumbline.roles.reading import ALONE, DROP

if TYPE_CHECKING:
    import pyarrow as pa

NUMBERS = ("whole", "number", "bool")
EMPTY = r"^[\s\p{Z}]*$"  # in the words of RE2
MODEL, ROW, CLASS = "model", "row", "class"
NEW_PROBABILITY = "y_prob"


def shaped(
    table: "pa.Table", reading: Reading, columns: Sequence[Column]
) -> tuple["pa.Table", Reading, Array | None]:
    """Return one row an example and model, how it is to be read, and which row each one was.

    The last is None where rows stay as they are. `columns` are what the first rows hold. Raises
    UnclearColumns for a missing value, unless the reading leaves its row out.
    """
    table, reading, kept = _complete(table, reading, columns)
    table = _probabilities(table, reading)
    places = None
    if reading.shape == "models":
        places = np.tile(np.arange(table.num_rows), len(reading.prob))
        table, reading = _below_each_other(table, reading)
    elif reading.shape == "long":
        table, reading, places = _beside_each_other(table, reading)
    if kept is None or places is None:
        return table, reading, places if kept is None else kept
    return table, reading, kept[places]


# ---------------------------------------------------------------- missing values


def _complete(
    table: "pa.Table", reading: Reading, columns: Sequence[Column]
) -> tuple["pa.Table", Reading, Array | None]:
    """Return the rows in which every column that plays a part has a value."""
    import pyarrow as pa

    kinds = {column.name: column for column in columns}
    missing: dict[str, Array] = {}
    for name in _playing(reading):
        held = table.column(name)
        column = _with_nulls(held, kinds[name], own=reading.own)
        if column is not held:
            table = table.set_column(table.column_names.index(name), name, column)
        absent = _absent(column)
        alone = reading.missing == ALONE and name == reading.parts["groups"]
        if absent is not None and not alone:
            missing[name] = absent
    if not missing:
        return table, reading, None
    out = np.any([*missing.values()], axis=0)
    if reading.missing == DROP:
        kept = table.filter(pa.array(~out))
        return kept, replace(reading, left_out=int(out.sum())), np.flatnonzero(~out)
    raise _incomplete(missing, out, reading)


def _playing(reading: Reading) -> list[str]:
    """Return the columns of which every row needs a value."""
    prob = [column for column, _ in reading.prob]
    return [*dict.fromkeys([reading.actual, *prob, *reading.parts.values()])]


def _absent(column: "pa.ChunkedArray") -> Array | None:
    """Mark the rows without a value; None where all have one."""
    import pyarrow as pa

    if not column.null_count and not pa.types.is_floating(column.type):
        return None
    marks = column.is_null(nan_is_null=True).cast(pa.int8()).combine_chunks()
    absent = np.from_dlpack(marks) > 0
    return absent if absent.any() else None


def _with_nulls(column: "pa.ChunkedArray", kind: Column, *, own: bool) -> "pa.ChunkedArray":
    """Return texts with None where they stand for a missing value.

    Among texts of a table with its own names that is the empty one alone: others are classes.
    """
    import pyarrow as pa
    from pyarrow import compute

    coded = pa.types.is_dictionary(column.type)
    values = column.type.value_type if coded else column.type
    if values not in (pa.string(), pa.large_string()) or kind.kind == "percent":
        return column
    known = compute.unique(column)
    known = known.dictionary.take(known.indices) if coded else known
    numbers = kind.kind in NUMBERS
    if own and not numbers:
        absent = compute.match_substring_regex(known, EMPTY)  # to compare with "" loads pandas
    else:
        absent = present(known, numbers=numbers).is_null()
    gone = known.filter(absent).drop_null()
    if not len(gone):
        return column
    column = column.cast(values) if coded else column
    out = compute.is_in(column, value_set=gone)
    return compute.if_else(out, pa.scalar(None, values), column)


def _incomplete(missing: dict[str, Array], out: Array, reading: Reading) -> InputError:
    """Return the refusal of missing values, with all their numbers at once."""
    rows = np.flatnonzero(out)
    ways = (DROP, ALONE) if [*missing] == [reading.parts.get("groups")] else (DROP,)
    each = [
        f"column {quoted(name)} is empty or NaN in {counted(int(absent.sum()), 'row')}"
        for name, absent in missing.items()
    ]
    text = f"{', '.join(each)}; together {len(rows):,} of {len(out):,} rows: {named_rows(rows)}"
    if len(missing) == 1:
        text = f"column {quoted(next(iter(missing)))} is empty or NaN in {named_rows(rows)}"
    return UnclearColumns(
        text,
        code="value-missing",
        readings=[replace(reading, missing=one) for one in ways],
        rows=rows,
    )


# ---------------------------------------------------------------- values


def _probabilities(table: "pa.Table", reading: Reading) -> "pa.Table":
    """Return the table with probabilities where it holds percent, or logits."""
    if reading.scale is None and not reading.logits:
        return table
    names = [column for column, _ in reading.prob]
    matrix = np.column_stack([_numbers(table, name) for name in names])
    _check_scale(names, matrix, "scale" if reading.scale is not None else "logits")
    if reading.scale is not None:
        matrix = _scaled(matrix, reading.scale)
    elif reading.shape == "classes":
        shifted = np.exp(matrix - matrix.max(axis=1, keepdims=True))
        matrix = shifted / shifted.sum(axis=1, keepdims=True)
    else:
        matrix = _logistic(matrix)
    import pyarrow as pa

    for place, name in enumerate(names):
        table = table.set_column(
            table.column_names.index(name), name, pa.chunked_array([pa.array(matrix[:, place])])
        )
    return table


def _scaled(matrix: Array, scale: float) -> Array:
    """Return parts of a scale: 23.12 of 100 is what 0.2312 is read as, not the number beside it.

    So it can still be told to how many digits the probabilities were rounded.
    """
    share = matrix / scale
    near = np.round(share, 15)
    return np.asarray(np.where(np.abs(near - share) <= np.spacing(share), near, share))


def _check_scale(names: Sequence[str], matrix: Array, argument: str) -> None:
    """Refuse columns of which some hold probabilities already; warn where all do."""
    unit = np.asarray(((matrix >= 0) & (matrix <= 1)).all(axis=0))
    inside = [name for name, one in zip(names, unit, strict=True) if one]
    if not inside:
        return
    are = "is" if len(inside) == 1 else "are"
    if unit.all():
        warn(
            f"{shown(inside)} {are} in [0, 1] already, and `{argument}` changes "
            f"{'it' if len(inside) == 1 else 'them'}",
            code="scale-unneeded",
            remedy=f"leave `{argument}` out if these are probabilities",
        )
        return
    raise InputError(
        f"`{argument}` would change {shown(inside)}, which {are} in [0, 1] already, with the other "
        "columns",
        code="scales-differ",
        remedy="name the columns of one scale with `prob`",
    )


def _logistic(logits: Array) -> Array:
    """Return 1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(logits))
    return np.asarray(np.where(logits >= 0, 1, small) / (1 + small))


def _numbers(table: "pa.Table", name: str) -> Array:
    """Return numbers, those of percent written with their sign."""
    import pyarrow as pa
    from pyarrow import compute

    column = table.column(name)
    if column.type in (pa.string(), pa.large_string()):
        signed = compute.match_substring_regex(column, PERCENT)
        column = compute.if_else(signed, without_percent_sign(column), column)
    try:
        return np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)
    except pa.ArrowInvalid as error:
        raise InputError(
            f"column {quoted(name)} must hold numbers ({error})", code="not-numeric"
        ) from error


# ---------------------------------------------------------------- shape


def _below_each_other(table: "pa.Table", reading: Reading) -> tuple["pa.Table", Reading]:
    """Return the columns of several models below each other, their rows paired."""
    import pyarrow as pa

    names = [column for column, _ in reading.prob]
    rest = table.drop_columns(names)
    parts = dict(reading.parts)
    if ROW not in parts:
        parts[ROW] = _new_name(ROW, rest.column_names)
        rest = rest.append_column(parts[ROW], pa.array(np.arange(table.num_rows)))
    parts[MODEL] = _new_name(MODEL, rest.column_names)
    prob = _new_name(NEW_PROBABILITY, rest.column_names)
    stacked = [
        rest.append_column(prob, table.column(name).cast(pa.float64())).append_column(
            parts[MODEL], pa.array([name] * table.num_rows)
        )
        for name in names
    ]
    whole = pa.concat_tables(stacked)
    return whole, replace(reading, prob=((prob, None),), shape="single", parts=parts)


def _beside_each_other(table: "pa.Table", reading: Reading) -> tuple["pa.Table", Reading, Array]:
    """Return one row an example of a table with one row a class."""
    import pyarrow as pa

    ids, classes = (_codes(table.column(reading.parts[part])) for part in (ROW, CLASS))
    n, names = ids[0].max(initial=-1) + 1, classes[1]
    places = ids[0] * len(names) + classes[0]
    if len(places) != n * len(names) or len(np.unique(places)) != len(places):
        raise InputError(
            f"every {quoted(reading.parts[ROW])} needs one row for each of the "
            f"{len(names)} values of {quoted(reading.parts[CLASS])}, {shown(names)}, and some "
            "have none or two",
            code="rows-incomplete",
        )
    (column, _), *_ = reading.prob
    matrix = np.empty(n * len(names))
    matrix[places] = _numbers(table, column)
    first = np.unique(ids[0], return_index=True)[1]
    whole = table.drop_columns([column, reading.parts[CLASS]])
    kept: list[str] = []
    varying: list[str] = []
    for name in whole.column_names:
        codes = _codes(whole.column(name))[0] if name != reading.parts[ROW] else ids[0]
        same = bool((codes == codes[first][ids[0]]).all())
        (kept if same else varying).append(name)
    marked = _marked(table, reading, ids[0]) if reading.actual in varying else None
    if marked is not None:
        place = whole.column_names.index(reading.actual)
        true = np.array([label_text(names[code]) for code in classes[0][marked]], object)
        whole = whole.set_column(place, reading.actual, pa.array(true[ids[0]]))
        varying.remove(reading.actual)
        kept.append(reading.actual)
    if reading.actual in varying:
        raise InputError(
            f"column {quoted(reading.actual)} must have one value for each "
            f"{quoted(reading.parts[ROW])}, as it holds the true classes",
            code="classes-differ",
        )
    if varying:
        warn(
            f"not read, as they differ between the rows of one example: {shown(varying)}",
            code="columns-vary",
        )
    whole = whole.select(kept).take(pa.array(first))
    parts = {part: name for part, name in reading.parts.items() if part != CLASS}
    prob: list[tuple[str, str | None]] = []
    for place, label in enumerate(names):
        new = _new_name(f"p:{label_text(label)}", whole.column_names)
        whole = whole.append_column(new, pa.array(matrix.reshape(n, -1)[:, place]))
        prob.append((new, label_text(label)))
    return whole, replace(reading, prob=tuple(prob), shape="classes", parts=parts), first


def _marked(table: "pa.Table", reading: Reading, ids: Array) -> Array | None:
    """Return the row of the true class of each example, None unless one of each is marked 1."""
    codes, values = _codes(table.column(reading.actual))
    labels = [label_text(value) for value in values]
    pair = usual_pair(labels) if len(labels) == 2 else None
    if pair is None:
        return None
    marked = np.flatnonzero(codes == labels.index(pair[1]))
    marked = marked[np.argsort(ids[marked])]
    return marked if np.array_equal(ids[marked], np.unique(ids)) else None


def _codes(column: "pa.ChunkedArray") -> tuple[Array, list[Any]]:
    """Return codes and values of a column, in the order in which they first come."""
    import pyarrow as pa

    if pa.types.is_nested(column.type):
        column = pa.chunked_array([pa.array([str(value) for value in column.to_pylist()])])
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.unify_dictionaries().chunk(0)
    codes = np.from_dlpack(coded.indices.fill_null(-1)).astype(np.int64)
    return codes, coded.dictionary.to_pylist()


def _new_name(name: str, taken: Sequence[str]) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "_"
    return name
