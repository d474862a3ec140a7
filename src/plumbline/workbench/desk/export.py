"""The question `export`: what a question draws, as a file."""

from typing import Any

from plumbline.workbench.desk.asked import Asked
from plumbline.workbench.desk.exporting.files import board_file, file_of, within
from plumbline.workbench.desk.inquiry import Inquiry

BOARD = "board"


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return a file: `what` is the question, or {"kind": "board", "pins": [...]} for all cards.

    A test takes the `bound` and the side that `holds`.
    """
    asked = inquiry.asked
    what = Asked(asked.fields.get("what"), "exported question")
    title = asked.text("title") or what.needed_text("kind")
    form = asked.needed_text("format")
    if what.text("kind") == BOARD:
        asked.choice("format", ("html",), "html")
        file = board_file(inquiry, what, title=title)
    else:
        fields = {**what.fields, **asked.part(["holds"])}
        file = file_of(within(inquiry, fields), form, title=title, asked=asked)
    return {"filename": file.filename, "mime": file.mime, "bytes": file.bytes}
