"""The question `export`: what a question draws, as a file."""

from typing import Any

from plumbline.workbench.questions.exporting.board import board_file
from plumbline.workbench.questions.exporting.export_files import file_of, within
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import Params

BOARD = "board"


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return a file: `what` is the question, or {"kind": "board", "pins": [...]} for all cards.

    A board takes the `seconds` that its cards have; `left_out` tells how many of them were not
    drawn in time.
    """
    params = inquiry.params
    what = Params(params.fields.get("what"), "exported question")
    left_out = 0
    title = params.text("title") or what.needed_text("kind")
    form = params.needed_text("format")
    if what.text("kind") == BOARD:
        params.choice("format", ("html",), "html")
        file, left_out = board_file(inquiry, what, title=title)
    else:
        file = file_of(within(inquiry, what.fields), form, title=title)
    return {"filename": file.filename, "mime": file.mime, "bytes": file.bytes, "left_out": left_out}
