"""The question `diagnosis`: what is wrong with the probabilities, and what would correct it."""

from typing import Any

from plumbline.calibration_tests import Diagnosis
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Name the shape of one model's miscalibration, with its evidence and its diagram."""
    model, data = parts.model_param(inquiry)
    diagnosis: Diagnosis = parts.of_one_model(inquiry, "diagnosis").result
    return {
        **diagnosis.to_dict(),
        "model": model,
        "curve": parts.curve_columns(diagnosis.curve),
        "fitted": number_columns(diagnosis.fitted, ("score", "share")),
        "notes": parts.notes_on(data),
    }
