"""Workbooks of Excel: one sheet is a table, its first row the names of the columns."""

import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from plumbline._checks import near_names, need_extra, shorten, shown
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.predictions.json_columns import table_of_objects
from plumbline.predictions.sources import TableSource, damaged, no_rows, refuse_repeated
from plumbline.roles import UnclearColumns

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "Excel"
BLANK = ("", None)
UNNAMED = "column_{}"


def read_excel(
    source: TableSource,
    most_columns: int,
    *,
    sheet: str | None = None,
    names: Sequence[str] = (),
) -> "tuple[pa.Table, str]":
    """Return the table of a sheet, and what it is called.

    Raises UnclearColumns, with each sheet, where several hold rows and none is named.
    """
    calamine = need_extra("python_calamine", "excel", "Excel files")
    with source.stream() as stream:
        content = io.BytesIO(bytes(stream.read()))
    try:
        book = calamine.CalamineWorkbook.from_filelike(content)
        chosen = _sheet(source, book, sheet)
        rows = [row for row in chosen.iter_rows() if any(cell not in BLANK for cell in row)]
    except (calamine.CalamineError, OSError) as error:
        raise damaged(source, error) from error
    form = f"Excel, sheet {quoted(chosen.name)}"
    if not rows:
        raise InputError(f"{source.name} holds no rows", code="empty-file")
    header = [*names] if names else _column_names(source, rows, chosen.name)
    body = rows if names else rows[1:]
    if names and len(names) != len(rows[0]):
        raise InputError(
            f"`names` has {len(names)} names, and the sheet has {len(rows[0])} columns",
            code="names-differ",
        )
    if not body:
        raise no_rows([source.name], header)
    return table_of_objects(source, enumerate(_objects(header, body)), most_columns, "row"), form


def _sheet(source: TableSource, book: Any, sheet: str | None) -> Any:
    """Return the sheet that is named, or the only one that holds cells."""
    names = book.sheet_names
    if sheet is not None:
        if sheet not in names:
            raise InputError(
                f"there is no sheet {quoted(sheet)} in {source.name}; its sheets are "
                f"{shown(names)}{near_names(sheet, names)}",
                code="no-such-sheet",
            )
        return book.get_sheet_by_name(sheet)
    filled = [one for one in map(book.get_sheet_by_name, names) if one.height]
    if not filled:
        raise InputError(f"{source.name} has no sheet with cells", code="empty-file")
    if len(filled) > 1:
        raise UnclearColumns(
            f"{source.name} has {len(filled)} sheets, {shown([one.name for one in filled])}",
            code="sheet-unclear",
            choices=[{"sheet": one.name} for one in filled],
        )
    return filled[0]


def _column_names(source: TableSource, rows: Sequence[Sequence[Any]], sheet: str) -> list[str]:
    """Return the names of the first row; refuse one that is a title above the names."""
    first = rows[0]
    named = sum(cell not in BLANK for cell in first)
    widest = max(sum(cell not in BLANK for cell in row) for row in rows)
    if 2 * named < widest:
        raise InputError(
            f"the first row of the sheet {quoted(sheet)} in {source.name} holds {named} of "
            f"{widest} names, {shorten(next(cell for cell in first if cell not in BLANK))}",
            code="no-header",
            remedy="delete what stands above the names of the columns",
        )
    names = [
        UNNAMED.format(place) if cell in BLANK else str(_value(cell)).strip()
        for place, cell in enumerate(first, start=1)
    ]
    refuse_repeated(source, names)
    return names


def _objects(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    used = [any(row[place] not in BLANK for row in rows) for place in range(len(names))]
    for row in rows:
        yield {
            name: _value(cell)
            for name, cell, kept in zip(names, row, used, strict=True)
            if kept or not name.startswith(UNNAMED.format(""))
        }


def _value(cell: Any) -> Any:
    """Return a cell as a value of JSON: all numbers of Excel have fractions, dates are texts."""
    if cell in BLANK:
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    return str(cell) if isinstance(cell, timedelta) else cell
