"""Large CSV and TSV files, read block by block."""

import csv as plain_csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from plumbline.file_endings import LINES
from plumbline.frames.batches import Part
from plumbline.frames.columns import CountedColumns, counted_columns, not_counted
from plumbline.predictions.sources import TableSource, refuse_repeated
from plumbline.predictions.text_files import (
    LABELS,
    Dialect,
    checked_decimal,
    checked_separator,
    csv_options,
    header_and_dialect,
    not_parsed,
)

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_LOOKED_AT = 1000


def text_part(
    source: TableSource, separator: str | None, decimal: str | None, how: Mapping[str, Any]
) -> tuple[CountedColumns, Part, list[str]]:
    """Return what to count of a text file, its rows, and the names of all its columns."""
    if source.format in LINES:
        raise not_counted(f"{source.name} is {source.format[1:]}, which is read as a whole")
    known = {*LABELS, *(how["prob"] or ()), *(how["rename"] or ()), how["actual"]}
    names, dialect = header_and_dialect(source, checked_separator(separator), known)
    refuse_repeated(source, names)
    columns = counted_columns(names, **how, text=True)
    mark = checked_decimal(decimal) or _decimal_of(source, dialect, names, columns)
    batches = _TextBatches(source, replace(dialect, decimal=mark), columns)
    return columns, Part(source.name, 0, batches), names


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


@dataclass(frozen=True)
class _TextBatches:
    """The rows of a text file; labels stay text."""

    source: TableSource
    dialect: Dialect
    columns: CountedColumns

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyarrow import csv

        kinds = {name: pa.string() for name in names} | dict.fromkeys(
            self.columns.prob, pa.float64()
        )
        try:
            with csv.open_csv(
                self.source.stream(), **csv_options(self.dialect, kinds, names)
            ) as reader:
                yield from reader
        except pa.ArrowInvalid as error:
            raise not_parsed(self.source, self.dialect, error) from error
