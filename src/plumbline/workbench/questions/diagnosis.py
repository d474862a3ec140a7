"""The question `diagnosis`: what is wrong with the probabilities, and what would correct it."""

from typing import Any

from plumbline.calibration_tests import Diagnosis, diagnose
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Name the shape of one model's miscalibration, with its evidence and its diagram."""
    model, data = parts.model_param(inquiry)
    diagnosis = diagnosis_of(inquiry)
    return {
        **diagnosis.to_dict(),
        "model": model,
        "curve": parts.curve_columns(diagnosis.curve),
        "fitted": number_columns(diagnosis.fitted, ("score", "share")),
        "notes": parts.notes_on(data),
    }


def diagnosis_of(inquiry: Inquiry) -> Diagnosis:
    """Return the diagnosis that a question asks for, remembered from the last time."""
    return parts.of_one_model(inquiry, diagnose, diagnosis_params(inquiry))


def diagnosis_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `diagnose`."""
    params = inquiry.params
    return {"view": params.text("view"), "resamples": parts.draws_param(params)}
