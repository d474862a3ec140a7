"""Pages without a network: one result, or all cards of a board."""

import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra
from plumbline._distribution import installed_version
from plumbline._result import jsonable
from plumbline.predictions import count_examples
from plumbline.predictions.plain_types import python_rows
from plumbline.workbench.questions.exporting.artifact import Artifact
from plumbline.workbench.questions.exporting.picture_bytes import one_at_a_time
from plumbline.workbench.questions.exporting.script import script
from plumbline.workbench.questions.inquiry import Inquiry

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from plumbline.reporting import Gallery

MOST_ROWS, MOST_COLUMNS = 200, 40  # of a page that is read; CSV has all of them
SILENT = ("kind", "width", "hull", "thumb")  # fields of a question that say nothing of the result


@dataclasses.dataclass(slots=True)
class Card:
    """What the page shows of one result, or of a note."""

    title: str
    note: str = ""
    failure: str | None = None
    picture: "Markup | None" = None
    sentences: Sequence[str] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    n: int = 0
    settings: Sequence[tuple[str, str]] = ()
    code: str | None = None


def page(inquiry: Inquiry, cards: Sequence[Card], *, title: str) -> str:
    """Return the page of some cards as HTML text."""
    template = _environment().get_template("cards.html")
    return template.render(
        title=title,
        cards=cards,
        name=inquiry.name,
        data=inquiry.table,
        version=installed_version(),
        examples=count_examples(inquiry.table),
        sha=fingerprint(inquiry),
    )


def fingerprint(inquiry: Inquiry) -> str:
    """Return the fingerprint of the whole table, remembered."""
    return inquiry.memory.once("fingerprint", inquiry.table.fingerprint)


def gallery() -> "Gallery":
    """Return what draws the pictures of one page; raises MissingExtraError."""
    need_extra("jinja2", "report", "a page")
    need_extra("matplotlib", "report", "a page")
    from plumbline.reporting import Gallery

    return Gallery()


def card_of(
    inquiry: Inquiry, artifact: Artifact, pictures: "Gallery", *, title: str, note: str = ""
) -> Card:
    """Return the card of a result."""
    head, rows, n = _table(artifact)
    code = None
    if artifact.code is not None:
        code = script(inquiry, artifact.code, title=title, filtered=artifact.filtered)
    picture = None
    if artifact.figure is not None:
        with one_at_a_time():
            picture = pictures.draw(
                artifact.figure(), f"{title}; the table below holds the numbers"
            )
    return Card(
        title,
        note,
        None,
        picture,
        artifact.sentences,
        head,
        rows,
        n,
        list(settings_text(inquiry.fields)),
        code,
    )


def failed_card(why: str, question: Any, *, title: str, note: str) -> Card:
    """Return the card of what is not drawn: why, and what was asked for."""
    settings = list(settings_text(question)) if isinstance(question, Mapping) else []
    return Card(title, note, failure=why, settings=settings)


def settings_text(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and text of everything a question says.

    >>> dict(
    ...     settings_text(
    ...         {
    ...             "kind": "reliability",
    ...             "data": {"where": "age > 50", "weighted": True},
    ...             "bins": None,
    ...             "view": "top-label",
    ...         }
    ...     )
    ... )
    {'rows where': 'age > 50', 'view': 'top-label'}
    """
    usual = {"weighted": True, "band": "none"}
    for name, value in fields.items():
        if isinstance(value, Mapping) and name in ("data", "curve"):
            yield from settings_text(value)
        elif name not in SILENT and value not in (None, "", {}, []) and value != usual.get(name):
            yield {"where": "rows where"}.get(name, name.replace("_", " ")), _text(value)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return {"True": "yes", "False": "no"}.get(str(value), str(value))


def _table(artifact: Artifact) -> tuple[list[str], list[list[Any]], int]:
    """Return the head and the first rows of a table, and how many rows there are."""
    rows = artifact.rows()
    n = len(rows)
    if not isinstance(rows, Sequence):  # an Arrow table
        rows = python_rows(rows.slice(0, MOST_ROWS))
    rows = [jsonable(row, infinite=True) for row in rows[:MOST_ROWS]]
    names = list(dict.fromkeys(name for row in rows for name in row))[:MOST_COLUMNS]
    plain = [
        name for name in names if not any(isinstance(row.get(name), (dict, list)) for row in rows)
    ]
    return plain, [[_cell(row.get(name)) for name in plain] for row in rows], n


def _cell(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


@functools.cache
def _environment() -> "Environment":
    """Return the templates of reports, and beside them those of this folder."""
    from jinja2 import ChoiceLoader, FileSystemLoader

    from plumbline.reporting.page import environment

    known = environment()
    own = FileSystemLoader(Path(__file__).parent / "templates")
    assert known.loader is not None  # it reads templates  # noqa: S101
    return known.overlay(loader=ChoiceLoader([own, known.loader]))
