"""The question `sensitivity`: how much the calibration error depends on the bins."""

from typing import Any

from plumbline.significance import bin_sensitivity
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.inquiry import Inquiry

DRAWS = 199  # of each of many settings
COLUMNS = ("bins", "value", "null_mean", "null_low", "null_high", "p_value")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Measure one model with few bins and with many, by several schemes."""
    asked = inquiry.asked
    model, data = parts.asked_model(inquiry)
    found = bin_sensitivity(
        data,
        view=asked.text("view"),
        distance=asked.text("distance") or "absolute",
        resamples=parts.asked_draws(asked, DRAWS),
        progress=inquiry.progress,
    )
    names = dict.fromkeys(row["scheme"] for row in found.settings)
    return {
        **found.to_dict(),
        "model": model,
        "schemes": [
            {
                "name": name,
                **parts.columns_of(
                    [row for row in found.settings if row["scheme"] == name], COLUMNS
                ),
            }
            for name in names
        ],
        "notes": parts.notes_on(data),
    }
