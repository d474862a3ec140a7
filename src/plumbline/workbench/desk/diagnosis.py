"""The question `diagnosis`: what is wrong with the probabilities, and what would mend it."""

from typing import Any

from plumbline.diagnosis import diagnose
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Name the shape of one model's miscalibration, with its evidence and its diagram."""
    model, data = parts.asked_model(inquiry)
    found = diagnose(
        data,
        view=inquiry.asked.text("view"),
        resamples=parts.asked_draws(inquiry.asked),
        progress=inquiry.progress,
    )
    return {
        **found.to_dict(),
        "model": model,
        "curve": parts.curve_columns(found.curve),
        "fitted": parts.columns_of(found.fitted, ("score", "share")),
        "notes": parts.notes_on(data),
    }
