"""Columns of Arrow in the types that the rest reads: numbers, texts, dates, lists, codes."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.formatting import one_line
from plumbline.predictions.unusable import with_rows, without_unusable

if TYPE_CHECKING:
    import pyarrow as pa

EXTENSION, FACTS = b"ARROW:extension:name", b"ARROW:extension:metadata"
BRACKETS = {"left": "[)", "right": "(]", "both": "[]", "neither": "()"}


def plain_table(table: "pa.Table") -> "pa.Table":
    """Return a table in plain types; a column that none of them holds is left out, and remembered.

    Parts of a struct become columns "a.b", and so do lists of objects that hold a label and a
    number, where every row has the same labels. Ids, intervals and periods become texts; what is
    encoded otherwise, or has less than single precision, becomes what it stands for.
    """
    import pyarrow as pa

    reasons: dict[str, str] = {}
    for place, field in enumerate(table.schema):
        given = table.column(place)
        try:
            column = plain_column(field, given)
        except (pa.ArrowException, ValueError, TypeError, KeyError, ArithmeticError) as error:
            reasons[field.name] = f"no type holds its values ({one_line(error)})"
            continue
        if column is not given:
            table = table.set_column(place, pa.field(field.name, column.type), column)
    table = without_unusable(table, reasons)
    for place in reversed(range(table.num_columns)):
        table = _with_labels(table, place)
    return _flat(table)


def plain_column(field: "pa.Field", column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return a column in a plain type; the same object where it has one."""
    import pyarrow as pa

    kind = column.type
    metadata = field.metadata or {}
    if isinstance(kind, pa.BaseExtensionType):
        name = kind.extension_name
        facts = getattr(kind, "__arrow_ext_serialize__", bytes)()
        return _of_extension(name, facts, _storage(column))
    if EXTENSION in metadata:  # whose library is not imported
        return _of_extension(metadata[EXTENSION].decode(), metadata.get(FACTS, b""), column)
    if pa.types.is_dictionary(kind):
        return _plain_codes(field, column)
    if pa.types.is_union(kind):
        raise ValueError("it holds values of several types")
    if pa.types.is_run_end_encoded(kind):
        from pyarrow import compute

        parts = [compute.run_end_decode(chunk) for chunk in column.chunks]
        column = pa.chunked_array(parts, kind.value_type)
        return plain_column(pa.field(field.name, column.type), column)
    if pa.types.is_interval(kind):
        return _texts(column, _span)
    if pa.types.is_decimal(kind):
        return _of_decimals(column)
    if pa.types.is_timestamp(kind) and kind.tz and not _is_known_zone(kind):
        return column.cast(pa.timestamp(kind.unit, "UTC"))
    target = _target(kind)
    return column if target is None else _cast(column, target)


def python_values(column: "pa.ChunkedArray | pa.Array") -> list[Any]:
    """Return values as Python has them; dates and spans beyond its own as NumPy writes them.

    >>> import pyarrow as pa
    >>> python_values(pa.array([2**40, None], pa.timestamp("s")))
    ['36812-02-20T00:36:16', None]
    """
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError, KeyError):  # an unknown zone is one of the others
        values = column.to_numpy(zero_copy_only=False)
        return [None if np.isnat(value) else str(value) for value in values]


def python_rows(table: "pa.Table") -> list[dict[str, Any]]:
    """Return the rows of a table, with values as `python_values` has them."""
    columns = [python_values(column) for column in table.columns]
    return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def _is_known_zone(kind: Any) -> bool:
    """Tell whether times of a zone can be written: it may be one of another system's."""
    import pyarrow as pa

    try:
        pa.array([0], kind).cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def _cast(column: "pa.ChunkedArray", target: "pa.DataType") -> "pa.ChunkedArray":
    import pyarrow as pa

    if not pa.types.is_nested(target):  # pyarrow casts views of lists to arrays that are not valid
        try:
            return column.cast(target)
        except pa.ArrowNotImplementedError:  # releases of pyarrow before 20
            pass
    return pa.chunked_array([pa.array(column.to_pylist(), target)])


def _target(kind: "pa.DataType") -> "pa.DataType | None":
    """Return the plain type of which a type is another layout, None where it is plain itself."""
    import pyarrow as pa

    if kind == pa.float16():
        return pa.float32()
    if kind == pa.string_view():
        return pa.large_string()
    if kind == pa.binary_view():
        return pa.large_binary()
    if pa.types.is_map(kind):
        return pa.list_(pa.struct([("key", kind.key_type), ("value", kind.item_type)]))
    if kind.id == pa.lib.Type_LIST_VIEW:
        return pa.list_(_target(kind.value_type) or kind.value_type)
    if kind.id == pa.lib.Type_LARGE_LIST_VIEW:
        return pa.large_list(_target(kind.value_type) or kind.value_type)
    return None


def _storage(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    import pyarrow as pa

    return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)


def _of_extension(name: str, facts: bytes, column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return what values of an extension type stand for; of an unknown one, how they are held."""
    import pyarrow as pa

    if name == "arrow.uuid":
        return _texts(column, _uuid)
    if name == "arrow.bool8":
        return column.cast(pa.bool_())
    if name == "arrow.opaque":
        raise ValueError("its values are those of another program")
    if name == "pandas.interval":
        ends = BRACKETS[json.loads(facts)["closed"]]
        return _texts(column, lambda value: f"{ends[0]}{value['left']}, {value['right']}{ends[1]}")
    if name == "pandas.period":
        return _periods(column, str(json.loads(facts)["freq"]))
    return plain_column(pa.field("", column.type), column)


def _texts(column: "pa.ChunkedArray", written: Callable[[Any], str]) -> "pa.ChunkedArray":
    import pyarrow as pa

    values = (None if value is None else written(value) for value in column.to_pylist())
    return pa.chunked_array([pa.array(values, pa.string())])


def _uuid(value: bytes) -> str:
    from uuid import UUID

    return str(UUID(bytes=value))


def _span(value: Any) -> str:
    """Return months, days and nanoseconds as ISO 8601 writes a duration."""
    return f"P{value.months}M{value.days}DT{value.nanoseconds / 1e9:g}S"


def _periods(column: "pa.ChunkedArray", frequency: str) -> "pa.ChunkedArray":
    """Return periods of pandas, such as "2026-11"; only pandas knows its frequencies."""
    try:
        period = import_module("pandas").Period
    except ImportError as error:
        raise ValueError("its periods are read where pandas is installed") from error
    return _texts(column, lambda value: str(period(ordinal=value, freq=frequency)))


def _plain_codes(field: "pa.Field", column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return codes of plain values."""
    import pyarrow as pa

    if not isinstance(column.type.value_type, pa.BaseExtensionType) and not _odd(column.type):
        return column
    chunks = []
    for chunk in column.chunks:
        values = pa.chunked_array([chunk.dictionary])
        plain = plain_column(pa.field(field.name, values.type), values).combine_chunks()
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, plain))
    return pa.chunked_array(chunks) if chunks else pa.chunked_array([], pa.string())


def _odd(kind: "pa.DictionaryType") -> bool:
    import pyarrow as pa

    return pa.types.is_decimal(kind.value_type) or _target(kind.value_type) is not None


def _of_decimals(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return decimals as whole numbers where they have no decimals and fit, else as floats."""
    import pyarrow as pa

    if column.type.scale == 0:
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            pass
    return column.cast(pa.float64())


def _with_labels(table: "pa.Table", place: int) -> "pa.Table":
    """Return the lists of {label, number} in a column as a column of numbers for each label.

    The table itself where they hold something else, or not every row has each label once.
    """
    import pyarrow as pa

    column = table.column(place)
    pair = _label_and_number(column.type)
    if pair is None or not table.num_rows or column.null_count:
        return table
    name = table.column_names[place]  # all names are made for it: only where they are needed
    lists = column.combine_chunks()
    objects = lists.flatten()
    k, odd = divmod(len(objects), table.num_rows)
    labels, numbers = (objects.field(part) for part in pair)
    coded = labels.dictionary_encode()
    if odd or k < 2 or labels.null_count or len(coded.dictionary) != k:
        return table
    codes = np.from_dlpack(coded.indices).reshape(-1, k)
    order = np.argsort(codes, axis=1)
    same = bool((np.take_along_axis(codes, order, 1) == np.arange(k)).all())
    names = [f"{name}.{label}" for label in coded.dictionary.to_pylist()]
    if not same or {*names} & {*table.column_names}:
        return table
    start = np.arange(0, len(objects), k)
    table = table.remove_column(place)
    for j in range(k):
        values = numbers.take(pa.array(start + order[:, j]))
        table = table.add_column(place + j, names[j], values)
    return table


def _label_and_number(kind: "pa.DataType") -> tuple[str, str] | None:
    """Return the fields of lists of objects that hold a text and a fraction, and nothing else."""
    import pyarrow as pa

    types = pa.types
    if not (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        return None
    if not types.is_struct(kind.value_type) or kind.value_type.num_fields != 2:
        return None
    fields = [kind.value_type.field(j) for j in (0, 1)]
    texts = [f.name for f in fields if types.is_string(f.type) or types.is_large_string(f.type)]
    numbers = [field.name for field in fields if types.is_floating(field.type)]
    return (texts[0], numbers[0]) if len(texts) == len(numbers) == 1 else None


def _flat(table: "pa.Table") -> "pa.Table":
    """Return the parts of structs as columns, unless other columns have their names."""
    import pyarrow as pa

    if not any(pa.types.is_struct(kind) for kind in table.schema.types):
        return table
    flat = table.flatten()
    if len({*flat.column_names}) < flat.num_columns:
        return table
    return plain_table(flat if flat.num_columns else with_rows(table, []))  # structs without parts
