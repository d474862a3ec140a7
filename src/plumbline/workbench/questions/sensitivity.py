"""The question `sensitivity`: how much the calibration error depends on the bins."""

from typing import Any

from plumbline.calibration_tests import BinSensitivity, bin_sensitivity
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

DRAWS = 199  # of each of many settings
COLUMNS = ("bins", "value", "null_mean", "null_low", "null_high", "p_value")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Measure one model with few bins and with many, by several schemes."""
    model, data = parts.model_param(inquiry)
    sensitivity = sensitivity_of(inquiry)
    return {
        **sensitivity.to_dict(),
        "model": model,
        "schemes": [
            {"name": name, **number_columns(rows, COLUMNS)}
            for name, rows in sensitivity.by_scheme().items()
        ],
        "notes": parts.notes_on(data),
    }


def sensitivity_of(inquiry: Inquiry) -> BinSensitivity:
    """Return what a question asks for, remembered from the last time."""
    return parts.of_one_model(inquiry, bin_sensitivity, sensitivity_params(inquiry))


def sensitivity_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `bin_sensitivity`."""
    params = inquiry.params
    return {
        "view": params.text("view"),
        "distance": params.text("distance") or "absolute",
        "resamples": parts.draws_param(params, DRAWS),
    }
