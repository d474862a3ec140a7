"""Tables of JSON lines: one object per line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.formatting import one_line, quoted
from plumbline.predictions.labels import refuse_broken_text, repeated
from plumbline.predictions.sources import TableSource, need_columns

if TYPE_CHECKING:
    import pyarrow as pa

LINES_AT_ONCE = 20_000


def read_json_lines(source: TableSource, most_columns: int) -> "pa.Table":
    """Read one JSON object per line.

    Python's reader is used, not pyarrow's: that ends the process where brackets nest deeply, takes
    texts for times, and tells no line.
    """
    import pyarrow as pa

    tables, names = [], dict[str, None]()
    with source.lines() as lines:
        numbered = ((n, line) for n, line in enumerate(lines, start=1) if line.strip())
        while rows := [
            (n, _object(source, n, line)) for n, line in islice(numbered, LINES_AT_ONCE)
        ]:
            names |= {name: None for _, row in rows for name in row}
            need_columns(source, len(names), most_columns)
            columns = {name: _column(source, name, rows) for name in names}
            tables.append(pa.table(columns) if columns else pa.table({"": pa.nulls(len(rows))}))
    if not tables:
        raise InputError(f"{source.name} holds no rows", code="empty-file")
    try:
        table = pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        raise _mixed(source, list(names)) from error
    for place, name in enumerate(table.column_names):
        table = table.set_column(place, name, _times(table.column(name)))
    return table


def _object(source: TableSource, number: int, line: str) -> dict[str, Any]:
    """Return the object of a line; refuse what is none, and a name that it has twice."""
    try:
        row = json.loads(line, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        why = "brackets nest too deeply" if isinstance(error, RecursionError) else one_line(error)
        if line.lstrip().startswith("["):
            why = "an array begins there"
        raise InputError(
            f"line {number} of {source.name} is not a JSON object: {why}; write one object per "
            'line, such as {"actual": "yes", "p:yes": 0.8}',
            code="no-json-object",
        ) from error
    if not isinstance(row, dict):
        what = "an array" if isinstance(row, list) else shorten(row)
        raise InputError(
            f"line {number} of {source.name} is not a JSON object but {what}; write one object "
            'per line, such as {"actual": "yes", "p:yes": 0.8}',
            code="no-json-object",
        )
    return row


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError(f"the name {quoted(repeated(name for name, _ in pairs)[0])} appears twice")
    return row


def _column(
    source: TableSource, name: str, rows: Sequence[tuple[int, dict[str, Any]]]
) -> "pa.Array":
    """Return the values of a column; refuse lists and objects, and a mixture of types."""
    import pyarrow as pa

    values = [row.get(name) for _, row in rows]
    kinds = {type(value) for value in values} - {type(None)}
    nested = kinds & {dict, list}
    if nested:
        number, value = next((n, row[name]) for n, row in rows if type(row.get(name)) in nested)
        raise InputError(
            f"{quoted(name)} in line {number} of {source.name} must be a number, a text, true, "
            f"false or null, got {shorten(value)}",
            code="nested-value",
        )
    if len(kinds - {int}) > 1 or kinds == {int, str} or kinds == {int, bool}:
        raise _mixed_values(source, name, rows)
    try:
        return pa.array(values, pa.float64() if kinds == {int, float} else None)
    except UnicodeError:
        refuse_broken_text(name, [value for value in values if isinstance(value, str)])
        raise
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(
            f"column {quoted(name)} of {source.name} has no type that a table can hold "
            f"({one_line(error)})",
            code="mixed-types",
        ) from error


def _mixed_values(
    source: TableSource, name: str, rows: Iterable[tuple[int, Mapping[str, Any]]]
) -> InputError:
    first: dict[str, tuple[int, Any]] = {}
    for number, row in rows:
        value = row.get(name)
        if value is not None:
            kind = {str: "text", bool: "truth values"}.get(type(value), "numbers")
            first.setdefault(kind, (number, value))
    values = (f"{shorten(value)} in line {number}" for number, value in first.values())
    return InputError(
        f"column {quoted(name)} of {source.name} mixes {' and '.join(first)}: {', '.join(values)}; "
        "make it all text or all numbers",
        code="mixed-types",
    )


def _mixed(source: TableSource, names: Sequence[str]) -> InputError:
    """Return the refusal of a column whose types differ far apart."""
    with source.lines() as lines:
        rows = [(n, json.loads(line)) for n, line in enumerate(lines, start=1) if line.strip()]
    for name in names:
        kinds = {type(row.get(name)) for _, row in rows} - {type(None)}
        if len({int if kind is float else kind for kind in kinds}) > 1:
            return _mixed_values(source, name, rows)
    return InputError(f"{source.name} mixes types in a column", code="mixed-types")


def _times(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return a text column that holds nothing but dates or times as these, as CSV is read."""
    import pyarrow as pa

    if column.type != pa.string():
        return column
    for kind in (pa.date32(), pa.timestamp("s"), pa.timestamp("ns")):
        try:
            column.slice(0, 100).cast(kind)
            return column.cast(kind)
        except pa.ArrowInvalid:
            continue
    return column


def lines_of_rows(source: TableSource) -> Iterator[int]:
    """Yield the line, from 1, in which each row stands; empty lines hold none."""
    with source.lines() as lines:
        yield from (number for number, line in enumerate(lines, start=1) if line.strip())
