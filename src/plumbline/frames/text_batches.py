"""Large CSV and TSV files, read block by block."""

import csv as plain_csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from plumbline.file_endings import READ_WHOLE
from plumbline.frames.batches import Part
from plumbline.frames.columns import CountedColumns, counted_columns, not_counted
from plumbline.predictions import TableSource
from plumbline.predictions.files import lines_of
from plumbline.predictions.sources import refuse_repeated
from plumbline.predictions.text_files import (
    LABELS,
    Dialect,
    checked_decimal,
    checked_separator,
    csv_options,
    first_rows,
    header_and_dialect,
    not_parsed,
)
from plumbline.predictions.told import named_columns
from plumbline.roles import LOOKED_AT, columns_of, unseen

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_LOOKED_AT = 1000  # that decide the types of columns; a convention


def text_part(
    source: TableSource,
    *,
    separator: str | None,
    decimal: str | None,
    how: Mapping[str, Any],
    names: Sequence[str] | None = None,
    sheet: str | None = None,
) -> tuple[CountedColumns, Part, list[str]]:
    """Return what to count of a text file, its rows, and the names of all its columns."""
    if source.format in READ_WHOLE:
        raise not_counted(f"{source.name} is {source.format[1:]}, which is read as a whole")
    if sheet is not None:
        raise not_counted("it has sheets")
    if names is not None:
        raise not_counted("it has no header")
    known = {*LABELS, *named_columns(how)}
    separator = checked_separator(separator)
    header, dialect = header_and_dialect(source, separator, known)
    refuse_repeated(source, header)
    first = first_rows(source, separator, known, LOOKED_AT)
    seen = unseen(header) if first is None else columns_of(first[0], comma=dialect.separator != ",")
    columns = counted_columns(seen, **how, text=True)
    mark = checked_decimal(decimal) or _decimal_of(source, dialect, header, columns)
    dialect = replace(dialect, decimal=mark)
    batches = _TextBatches(source, dialect, _kinds(source, dialect, columns))
    return columns, Part(source.name, 0, batches), header


def _decimal_of(
    source: TableSource, dialect: Dialect, names: Sequence[str], columns: CountedColumns
) -> str:
    """Return the comma where a probability among the first rows has one, else the point."""
    if dialect.separator == ",":
        return "."
    lines = source.head().decode(dialect.encoding, "replace").splitlines()
    rows = islice(plain_csv.reader(lines, delimiter=dialect.separator), 1, ROWS_LOOKED_AT)
    places = [names.index(name) for name in columns.prob]
    return "," if any("," in row[j] for row in rows for j in places if j < len(row)) else "."


def _kinds(
    source: TableSource, dialect: Dialect, columns: CountedColumns
) -> dict[str, "pa.DataType"]:
    """Return what each column holds: probabilities numbers, labels text, attributes what they look.

    The first rows tell it of attributes.
    """
    import pyarrow as pa
    from pyarrow import csv

    names = (*columns.names, *columns.ids)
    kinds = dict.fromkeys(names, pa.string()) | dict.fromkeys(columns.prob, pa.float64())
    if not columns.attributes:
        return kinds
    labels = {name: kind for name, kind in kinds.items() if name not in columns.own_attributes}
    try:
        with csv.open_csv(source.stream(), **csv_options(dialect, labels, columns.names)) as reader:
            first = reader.schema
    except pa.ArrowInvalid as error:
        raise not_parsed(source, dialect, error) from error
    for name in columns.own_attributes:
        kind = first.field(name).type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind):
            kinds[name] = pa.float64()
        elif not pa.types.is_null(kind):
            kinds[name] = kind
    return kinds


@dataclass(frozen=True)
class _TextBatches:
    """The rows of a text file; labels stay text."""

    source: TableSource
    dialect: Dialect
    kinds: dict[str, "pa.DataType"]

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyarrow import csv

        try:
            kinds = dict.fromkeys(names, pa.string()) | self.kinds
            with csv.open_csv(
                self.source.stream(), **csv_options(self.dialect, kinds, names)
            ) as reader:
                yield from reader
        except pa.ArrowInvalid as error:
            numbers = [name for name, kind in self.kinds.items() if kind == pa.float64()]
            raise not_parsed(self.source, self.dialect, error, numbers) from error

    def line(self, row: int) -> int | None:
        """Return the line, from 1, of a row, from 0."""
        lines = lines_of(self.source, self.dialect, [row])
        return None if lines is None else lines[0]
