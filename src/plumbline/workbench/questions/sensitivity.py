"""The question `sensitivity`: how much the calibration error depends on the bins."""

from typing import Any

from plumbline.calibration_tests import BinSensitivity
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

COLUMNS = ("bins", "value", "null_mean", "null_low", "null_high", "p_value")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Measure one model with few bins and with many, by several schemes."""
    model, data = parts.model_param(inquiry)
    sensitivity: BinSensitivity = parts.of_one_model(inquiry, "sensitivity").result
    return {
        **sensitivity.to_dict(),
        "model": model,
        "schemes": [
            {"name": name, **number_columns(rows, COLUMNS)}
            for name, rows in sensitivity.by_scheme().items()
        ],
        "notes": parts.notes_on(data),
    }
