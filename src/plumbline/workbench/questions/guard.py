"""The question `guard`: the number that a test would guard, and the bound that is proposed."""

from dataclasses import asdict
from typing import Any

from plumbline.workbench.questions.exporting.export_files import guard_of, kind_of, within
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import Params


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the number in words, its value and its bound; `what` is the question it answers.

    `line` names the model, or the line of a curve, whose number it is.
    """
    what = Params(inquiry.params.fields.get("what"), "guarded question")
    inner = within(inquiry, {**what.fields, **inquiry.params.part(["holds", "line"])})
    guard = guard_of(kind_of(inner).make(inner))
    return {**asdict(guard), "lines": list(guard.lines)}
