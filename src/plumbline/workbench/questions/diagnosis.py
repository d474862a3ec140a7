"""The question `diagnosis`: what is wrong with the probabilities, and what would mend it."""

from typing import Any

from plumbline.calibration_tests import Diagnosis, diagnose
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Name the shape of one model's miscalibration, with its evidence and its diagram."""
    model, data = parts.model_param(inquiry)
    found = diagnosis_of(inquiry)
    return {
        **found.to_dict(),
        "model": model,
        "curve": parts.curve_columns(found.curve),
        "fitted": parts.number_columns(found.fitted, ("score", "share")),
        "notes": parts.notes_on(data),
    }


def diagnosis_of(inquiry: Inquiry) -> Diagnosis:
    """Return the diagnosis that a question asks for, remembered from the last time."""
    return parts.of_one_model(inquiry, diagnose, diagnosis_params(inquiry))


def diagnosis_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `diagnose`."""
    asked = inquiry.asked
    return {"view": asked.text("view"), "resamples": parts.draws_param(asked)}
