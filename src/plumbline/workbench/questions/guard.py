"""The question `guard`: the number that a test would guard, and the bound that is proposed."""

from dataclasses import asdict
from typing import Any

from plumbline.workbench.questions.asked import Asked
from plumbline.workbench.questions.exporting.files import guard_of, kind_of, within
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the number in words, its value and its bound; `what` is the question it answers.

    `line` names the model, or the line of a curve, whose number it is.
    """
    what = Asked(inquiry.asked.fields.get("what"), "guarded question")
    inner = within(inquiry, {**what.fields, **inquiry.asked.part(["holds", "line"])})
    guard = guard_of(kind_of(inner).make(inner))
    return {**asdict(guard), "lines": list(guard.lines)}
