"""The question `groups`: is every group of rows calibrated, and which slice of all is worst?"""

from typing import Any

from plumbline.calibration_tests import (
    TESTS,
    GroupCalibration,
    SliceSearch,
    calibration_by,
    worst_slice,
)
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

GROUP_COLUMNS = ("bias", "bias_low", "bias_high")
DEEPEST = 3


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Look at the groups of the attribute `by`, or search all slices where none is named."""
    model, data = parts.model_param(inquiry)
    about = {"model": model, "notes": parts.notes_on(data)}
    if not inquiry.params.has("by"):
        return {**worst_of(inquiry).to_dict(), **about}
    result = groups_of(inquiry)
    columns = number_columns(result.groups, GROUP_COLUMNS)
    return {**result.to_dict(), "verdict_lines": _lines(result), "columns": columns, **about}


def _lines(groups: GroupCalibration) -> list[str]:
    """Return the verdict in lines: what the tests say, then every group that it tells of."""
    tested = groups.tests
    lines = [f"{name}: {tested.tests[name].finding}" for name in tested.rejected]
    return [tested.verdict, *(line for line in lines if line in groups.verdict)]


def groups_of(inquiry: Inquiry) -> GroupCalibration:
    """Return the groups that a question asks for, remembered from the last time."""
    by = inquiry.params.needed_text("by")
    return parts.of_one_model(inquiry, calibration_by, groups_params(inquiry), by)


def groups_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `calibration_by`."""
    params = inquiry.params
    return {
        "cuts": params.text("groups"),
        "view": params.text("view"),
        "bins": parts.bins_param(params),
        "distance": params.text("distance") or "absolute",
        "statistic": params.choice("statistic", tuple(TESTS), "omnibus"),
        "resamples": parts.draws_param(params),
    }


def worst_of(inquiry: Inquiry) -> SliceSearch:
    """Return the worst slice that a question asks for, remembered from the last time."""
    return parts.of_one_model(inquiry, worst_slice, worst_groups_params(inquiry))


def worst_groups_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `worst_slice`."""
    params = inquiry.params
    return {
        "view": params.text("view"),
        "depth": params.whole("depth", 2, least=1, most=DEEPEST),
        "resamples": parts.draws_param(params),
    }
