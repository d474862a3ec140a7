"""Small Excel files, written by the rules of the format, as no library here writes them."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from xml.sax.saxutils import escape, quoteattr

XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
DAY_ONE = date(1899, 12, 30)  # from which days are counted


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """Return a workbook: numbers, texts, truth values, dates, and None for an empty cell."""
    places = {f"sheet{n}.xml": rows for n, rows in enumerate(sheets.values(), start=1)}
    files = {
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/{place}" ContentType="{TYPE}.worksheet+xml"/>'
            for place in places
        )
        + "</Types>",
        "_rels/.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships"><Relationship '
        f'Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{XML}<workbook {MAIN} xmlns:r="{OFFICE}"><sheets>'
        + "".join(
            f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="r{n}"/>'
            for n, name in enumerate(sheets, start=1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/{place}"/>'
            for n, place in enumerate(places, start=1)
        )
        + f'<Relationship Id="s" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f"{XML}<styleSheet {MAIN}><cellXfs>"
        '<xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
    }
    files |= {f"xl/worksheets/{place}": _sheet(rows) for place, rows in places.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def _sheet(rows: Sequence[Sequence[Any]]) -> str:
    lines = (
        f'<row r="{n}">{"".join(_cell(value, n, place) for place, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, start=1)
    )
    return f"{XML}<worksheet {MAIN}><sheetData>{''.join(lines)}</sheetData></worksheet>"


def _cell(value: Any, row: int, place: int) -> str:
    at = f'r="{chr(ord("A") + place)}{row}"'
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c {at} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    if isinstance(value, bool):
        return f'<c {at} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return f'<c {at} s="1"><v>{(value - DAY_ONE).days}</v></c>'
    return f"<c {at}><v>{value!r}</v></c>"
