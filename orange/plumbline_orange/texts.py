"""What Plumbline's results say of themselves, as HTML for a box beside a chart and a report."""

import html
from collections.abc import Iterable, Sequence
from typing import Any


def heading(text: str, color: Any = None) -> str:
    """Return a heading, with a square in the colour of a line."""
    square = "" if color is None else f"<span style='color:{color.name()}'>&#9632;</span> "
    return f"<h4 style='margin:8px 0 2px 0'>{square}{html.escape(text)}</h4>"


def summary(shown: Any) -> str:
    """Return the answer of a presentation as a paragraph."""
    if not shown.summary:
        return ""
    return f"<p style='margin:0 0 2px 0'><b>{html.escape(shown.summary)}</b></p>"


def details(items: Iterable[Any]) -> str:
    """Return facts as a table, those that are joined in one line."""
    lines: list[list[str]] = []
    for one in items:
        if one.joined and lines:
            lines[-1][1] += f", {one.label} {one.text}"
        else:
            lines.append([one.label, one.text])
    rows = "".join(
        f"<tr><td style='padding-right:10px; white-space:nowrap'>{html.escape(label)}</td>"
        f"<td>{html.escape(text)}</td></tr>"
        for label, text in lines
    )
    return f"<table cellspacing='0'>{rows}</table>" if rows else ""


def next_step(shown: Any) -> str:
    """Return what to do next."""
    step = shown.next_step
    return "" if step is None else f"<p style='margin:2px 0'>{html.escape(step.text)}</p>"


def tables(shown: Any) -> str:
    """Return the tables of a presentation."""
    return "".join(_table(one) for one in shown.tables)


def _table(table: Any) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        inner = "".join(
            f"<{tag} align='{'left' if name in table.left else 'right'}'"
            f" style='padding:1px 9px 1px 0; white-space:nowrap'>{html.escape(cell)}</{tag}>"
            for name, cell in zip(table.columns, row, strict=True)
        )
        return f"<tr>{inner}</tr>"

    body = "".join(cells("td", row) for row in zip(*table.columns.values(), strict=True))
    title = f"<p style='margin:4px 0 0 0'>{html.escape(table.title)}</p>" if table.title else ""
    return f"{title}<table cellspacing='0'>{cells('th', list(table.columns))}{body}</table>"
