"""The question `groups`: is every group of rows calibrated, and which slice of all is worst?"""

from typing import Any

from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

GROUP_COLUMNS = ("bias", "bias_low", "bias_high")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Look at the groups of the attribute `by`, or search all slices where none is named."""
    model, data = parts.model_param(inquiry)
    about = {"model": model, "notes": parts.notes_on(data)}
    result = groups_of(inquiry).result
    if not inquiry.params.has("by"):
        return {**result.to_dict(), **about}
    shown = result.present()
    columns = number_columns(result.groups, GROUP_COLUMNS)
    lines = [shown.summary, *shown.notes]
    return {**result.to_dict(), "verdict_lines": lines, "columns": columns, **about}


def groups_of(inquiry: Inquiry) -> parts.Answered:
    """Return the groups, or the worst slices, that a question asks for."""
    if not inquiry.params.has("by"):
        return parts.of_one_model(inquiry, "slices")
    return parts.of_one_model(inquiry, "groups", cuts=inquiry.params.fields.get("groups"))
