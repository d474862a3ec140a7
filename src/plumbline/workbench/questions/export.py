"""The question `export`: what a question draws, as a file."""

from typing import Any

from plumbline._checks import one_of
from plumbline.requests import fields_of
from plumbline.requests.kinds import text
from plumbline.workbench.questions.exporting.board import board_file
from plumbline.workbench.questions.exporting.export_files import file_of, within
from plumbline.workbench.questions.inquiry import Inquiry

BOARD = "board"
FIELDS = {"format": text, "title": text}


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return a file: `what` is the question, or {"kind": "board", "pins": [...]} for all cards.

    A board takes the `seconds` that its cards have; `left_out` tells how many of them were not
    drawn in time.
    """
    fields, what = fields_of(inquiry.fields, FIELDS), inquiry.fields.get("what", {})
    kind = fields_of(what, {"kind": text}, "exported question").get("kind")
    form, left_out = fields.get("format"), 0
    title = fields.get("title") or str(kind)
    if kind == BOARD:
        one_of("format", form, ("html",))
        file, left_out = board_file(inquiry, what, title=title)
    else:
        file = file_of(within(inquiry, what), form, title=title)
    return {"filename": file.filename, "mime": file.mime, "bytes": file.bytes, "left_out": left_out}
