"""The question `groups`: is every group of rows calibrated, and which slice of all is worst?"""

from typing import Any

from plumbline.groups import calibration_by, worst_slice
from plumbline.significance import TESTS
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.inquiry import Inquiry

GROUP_COLUMNS = ("bias", "bias_low", "bias_high")
DEEPEST = 3


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Look at the groups of the attribute `by`, or search all slices where none is named."""
    return _by(inquiry) if inquiry.asked.has("by") else _worst(inquiry)


def _by(inquiry: Inquiry) -> dict[str, Any]:
    asked = inquiry.asked
    model, data = parts.asked_model(inquiry)
    found = calibration_by(
        data,
        asked.needed_text("by"),
        groups=asked.text("groups"),
        view=asked.text("view"),
        bins=parts.asked_bins(asked),
        distance=asked.text("distance") or "absolute",
        statistic=asked.choice("statistic", tuple(TESTS), "omnibus"),
        resamples=parts.asked_draws(asked),
        progress=inquiry.progress,
    )
    return {
        **found.to_dict(),
        "model": model,
        "columns": parts.columns_of(found.groups, GROUP_COLUMNS),
        "notes": parts.notes_on(data),
    }


def _worst(inquiry: Inquiry) -> dict[str, Any]:
    asked = inquiry.asked
    model, data = parts.asked_model(inquiry)
    found = worst_slice(
        data,
        view=asked.text("view"),
        depth=asked.whole("depth", 2, least=1, most=DEEPEST),
        resamples=parts.asked_draws(asked),
        progress=inquiry.progress,
    )
    return {**found.to_dict(), "model": model, "notes": parts.notes_on(data)}
