"""Tables in one JSON value: an array of objects, or an object of columns, as pandas writes them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.formatting import one_line, quoted
from plumbline.predictions.forms import inspect_log
from plumbline.predictions.json_columns import table_of_objects
from plumbline.predictions.json_lines import parsed, read_json_lines
from plumbline.predictions.sources import TableSource, encoding_of, not_decoded

if TYPE_CHECKING:
    import pyarrow as pa

MOST_BYTES = 1 << 30  # Python's objects take about ten times as much; JSON lines have no limit
RECORDS = "save it as an array of objects, in pandas `frame.to_json(PATH, orient='records')`"


@dataclass(frozen=True, slots=True)
class JsonRows:
    """The rows that a JSON value holds, and the name of the form in which it holds them."""

    form: str
    rows: Iterable[Mapping[str, Any]]


def begins_with_array(source: TableSource) -> bool:
    """Tell whether a text begins with a bracket, which no line of JSON lines does."""
    return _text_of(source.head(), source).lstrip().startswith("[")


def read_json_document(source: TableSource, most_columns: int) -> "tuple[pa.Table, str | None]":
    """Return the table of a JSON file, and the form in which the file holds it.

    A file of several objects, one a line, is read as JSON lines; their form is None.
    """
    with source.stream() as stream:
        content = bytes(stream.read(MOST_BYTES + 1))
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{source.name} is JSON of more than {MOST_BYTES >> 30} GB in one piece; save it as "
            "JSON lines, one object a line, or as Parquet",
            code="file-too-large",
        )
    text = _text_of(content, source, "strict")
    if not text.strip():
        raise InputError(f"{source.name} holds no text", code="empty-file")
    try:
        value = parsed(text)
    except ValueError as error:
        if _has_objects_in_lines(text):
            return read_json_lines(source, most_columns)
        raise InputError(
            f"{source.name} is not JSON: {one_line(error)}; write an array of objects, such as "
            '[{"actual": "yes", "p:yes": 0.8}]',
            code="no-json",
        ) from error
    read = rows_of(source, value)
    table = table_of_objects(source, enumerate(read.rows), most_columns, "row")
    return table, read.form


def rows_of(source: TableSource, value: Any) -> JsonRows:
    """Return the rows of a JSON value; refuse one that holds no table, or several."""
    if inspect_log.is_log(value):
        return JsonRows(inspect_log.NAME, inspect_log.rows_of_log(value))
    if isinstance(value, list):
        return JsonRows("array of objects", _objects(source, value, "the array"))
    if not isinstance(value, dict):
        raise _no_table(source, f"it is {shorten(value)}")
    if {"columns", "data"} <= {*value}:
        return JsonRows("columns and data", _split(source, value))
    tables = {name: part for name, part in value.items() if _is_array_of_objects(part)}
    if len(tables) > 1:
        raise InputError(
            f"{source.name} holds several arrays of objects, {shown(list(tables))}; save the one "
            "to read as a file of its own",
            code="several-tables",
        )
    if tables:
        ((name, rows),) = tables.items()
        form = f"array {quoted(name)}{_besides(value, [name])}"
        return JsonRows(form, _objects(source, rows, f"the array {quoted(name)}"))
    parts = list(value.values())
    if parts and all(isinstance(part, dict) and part for part in parts):
        return _of_objects(source, value)
    return _of_arrays(source, value)


def _besides(value: Mapping[str, Any], read: Collection[str]) -> str:
    """Name what stands beside the rows and is not read."""
    others = [name for name in value if name not in read]
    return f" (not read: {shown(others, 4)})" if others else ""


def _is_array_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _objects(source: TableSource, rows: Sequence[Any], what: str) -> Sequence[Mapping[str, Any]]:
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            kind = "an array" if isinstance(row, list) else shorten(row)
            raise InputError(
                f"{what} in {source.name} must hold objects, got {kind} in row {number} (counted "
                'from 0); write one object a row, such as {"actual": "yes", "p:yes": 0.8}',
                code="no-json-object",
            )
    return rows


def _split(source: TableSource, value: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return rows of names and arrays, as MLflow's tables and pandas with orient="split" have."""
    names, data = value["columns"], value["data"]
    if not isinstance(names, list) or not isinstance(data, list):
        raise _no_table(source, "'columns' and 'data' must be arrays")
    called = [str(name) for name in names]
    if len({*called}) < len(called):
        twice = [name for name in called if called.count(name) > 1]
        raise InputError(
            f"{source.name} has several columns named {shown(twice[:1])}; rename or drop all but "
            "one",
            code="repeated-columns",
        )
    for number, row in enumerate(data):
        if not isinstance(row, list) or len(row) != len(called):
            got = f"{len(row)} values" if isinstance(row, list) else shorten(row)
            raise InputError(
                f"row {number} of {source.name} (counted from 0) has {got}, but there are "
                f"{len(called)} columns; write all values of every row",
                code="uneven-lines",
            )
    index = value.get("index")
    plain = not isinstance(index, list) or index == list(range(len(data)))
    if plain or len(index or ()) != len(data) or "index" in called:
        return [dict(zip(called, row, strict=True)) for row in data]
    return [
        {"index": label} | dict(zip(called, row, strict=True))
        for label, row in zip(index or (), data, strict=True)
    ]


def _of_objects(source: TableSource, value: Mapping[str, Mapping[str, Any]]) -> JsonRows:
    """Return the rows of objects by their labels, or of columns that are objects by row labels.

    pandas writes the second by default, its rows called "0", "1", ...; `orient="index"` the first.
    """
    outer, inner = list(value), list(next(iter(value.values())))
    if any(list(part) != inner for part in value.values()):
        raise _no_table(source, "its objects have different names")
    columns, rows = _counts(inner), _counts(outer)
    if columns == rows:
        raise InputError(
            f"{source.name} holds objects in an object, {shown(outer, 3)} with {shown(inner, 3)} "
            "each, and either may be the columns",
            code="two-readings",
            remedy=RECORDS,
        )
    if columns:
        turned = [dict(zip(outer, row, strict=True)) for row in _turned(value, inner)]
        return JsonRows("columns by row", turned)
    return JsonRows("rows by number", list(value.values()))


def _turned(value: Mapping[str, Mapping[str, Any]], inner: Sequence[str]) -> Iterable[list[Any]]:
    return ([column[label] for column in value.values()] for label in inner)


def _counts(names: Sequence[str]) -> bool:
    """Tell whether names are "0", "1", ..., as rows are called that have no names."""
    return list(names) == [str(number) for number in range(len(names))]


def _of_arrays(source: TableSource, value: Mapping[str, Any]) -> JsonRows:
    """Return the rows of arrays of one length, each a column."""
    arrays = {name: part for name, part in value.items() if isinstance(part, list)}
    lengths = {len(part) for part in arrays.values()}
    if value and not arrays and not any(isinstance(part, dict) for part in value.values()):
        return JsonRows("one object", [value])
    if not arrays:
        raise _no_table(source, f"it is one object, of {shown(list(value), 4) or 'no names'}")
    if len(lengths) > 1:
        sizes = ", ".join(
            f"{quoted(name)} {len(part):,}" for name, part in list(arrays.items())[:4]
        )
        raise _no_table(source, f"its arrays have different lengths ({sizes})")
    rows = zip(*arrays.values(), strict=True)
    form = f"object of arrays{_besides(value, arrays)}"
    return JsonRows(form, [dict(zip(arrays, row, strict=True)) for row in rows])


def _no_table(source: TableSource, why: str) -> InputError:
    return InputError(f"{source.name} holds no table: {why}", code="no-table", remedy=RECORDS)


def _has_objects_in_lines(text: str) -> bool:
    """Tell whether the first of several lines is an object of its own."""
    first, _, rest = text.strip().partition("\n")
    try:
        return bool(rest.strip()) and isinstance(parsed(first), dict)
    except ValueError:
        return False


def _text_of(content: bytes, source: TableSource, errors: str = "replace") -> str:
    encoding = encoding_of(content[:4])
    try:
        return content.decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise not_decoded(source, encoding) from error
