"""A file becomes a table: its first rows tell which column plays which part, then it is read.

The stages by name: `sources_of` opens it, `reading_of_text` gives its columns their parts,
`read_files` splits it and gives the columns types, `fields_of_frame` checks them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plumbline.file_endings import TEXT
from plumbline.predictions import text_files
from plumbline.predictions.columns import fields_of_frame
from plumbline.predictions.files import EXCEL, FileTable, input_errors, read_files
from plumbline.predictions.frame_tables import arrow_table
from plumbline.predictions.joined_labels import LabelsBeside, need_labels
from plumbline.predictions.plain_types import plain_table
from plumbline.predictions.sources import TableSource, sources_of
from plumbline.predictions.told import named_columns, reading_of
from plumbline.roles import LOOKED_AT, Reading, columns_of
from plumbline.roles.evidence import PROB


def fields_of_file(
    path: Any,
    told: Mapping[str, Any],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    names: Sequence[str] | None = None,
    sheet: str | None = None,
    labels: Any = None,
    row: Any = None,
    keep: str | None = None,
) -> dict[str, Any]:
    """Return the fields of predictions that a file holds; `told` are the arguments of a frame.

    `labels`, a file or a frame, holds the true classes, joined by `row`.
    """
    need_labels(labels, row=row, keep=keep)
    sources = [source.held() for source in sources_of(path)]
    written: dict[str, Any] = {"separator": separator, "decimal": decimal}
    beside = None
    if labels is None:
        read, reading = table_and_reading(sources, told, names=names, sheet=sheet, **written)
    else:
        own = sheet if sources[0].format == EXCEL else None
        other = {} if own == sheet else {"sheet": sheet}
        beside = labels_beside(
            labels, **other, row=row, keep=keep, actual=told.get("actual"), **written
        )
        rename = dict(told.get("rename") or {})
        ids = {} if row is None else {row if isinstance(row, str) else next(iter(row)): "row"}
        read = read_files(sources, rename=rename | ids, names=names, sheet=own, **written)
        reading = None
    fields = read.checked(
        lambda table: fields_of_frame(table, reading=reading, beside=beside, **told)
    )
    known = replace(fields["reading"], form=read.form, program=read.program)
    return fields | {"reading": known}


def labels_beside(
    labels: Any, *, row: Any = None, keep: str | None = None, actual: str | None = None, **how: Any
) -> LabelsBeside:
    """Return the labels of a file or a data frame; `how` says how a text file is written."""
    if hasattr(labels, "__arrow_c_stream__") or hasattr(labels, "columns"):
        return LabelsBeside(arrow_table(labels), row=row, keep=keep)
    sources = [source.held() for source in sources_of(labels)]
    ids = {} if row is None else {row if isinstance(row, str) else next(iter(row.values())): "row"}
    read = read_files(sources, actual=actual, rename=ids, **how)
    return LabelsBeside(plain_table(read.table), name=sources[0].name, row=row, keep=keep)


def table_and_reading(
    path: Any,
    told: Mapping[str, Any],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    names: Sequence[str] | None = None,
    sheet: str | None = None,
) -> tuple[FileTable, Reading | None]:
    """Return files as one table, and its reading where the first rows of a text tell it."""
    sources = [source.held() for source in sources_of(path)]
    reading = reading_of_text(sources[0], told, separator=separator, names=names)
    parts: dict[str, Any] = {"actual": told.get("actual"), "rename": told.get("rename")}
    parts["prob"] = None
    if reading is not None:
        rename = dict(told.get("rename") or {})
        rename |= {column: part for part, column in reading.parts.items()}
        parts = {"actual": reading.actual, "rename": rename}
        told_by_name = {*rename, *(name for name, _ in reading.prob if name.startswith(PROB))}
        parts["prob"] = [name for name, _ in reading.prob if name not in told_by_name]
    written: dict[str, Any] = {"separator": separator, "decimal": decimal, "sheet": sheet}
    read = read_files(sources, **parts, names=names, **written)
    return read, reading


def reading_of_text(
    source: TableSource,
    told: Mapping[str, Any],
    *,
    separator: str | None = None,
    names: Sequence[str] | None = None,
) -> Reading | None:
    """Return how a text file is read, by its first rows; None of files whose columns have types."""
    if source.format not in TEXT:
        return None
    known = {*text_files.LABELS, *named_columns(told)}
    mark = text_files.checked_separator(separator)
    with input_errors(source):
        found = text_files.first_rows(source, mark, known, LOOKED_AT, names)
    if found is None or not found[0].num_rows:
        return None
    table, dialect = found
    return reading_of(columns_of(table, comma=dialect.separator != ","), **told)
