"""The question `plan`: how many rows detect a miscalibration, and what these rows detect."""

from typing import Any

from plumbline.errors import ParameterError
from plumbline.formatting import number
from plumbline.power.effects import effect_of
from plumbline.predictions import Predictions
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

CURVE_COLUMNS = ("n", "power", "std_error", "datasets")
ALL_ALIKE = (
    "the plan takes every row for an example of its own, so the power of these rows comes out too "
    "high. Choose the rows of one repeat."
)


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Plan for one model's predictions; `n` is the number of its rows unless it is given."""
    model, data = parts.model_param(inquiry)
    plan = plan_of(inquiry).result
    fitted = [dict(zip(("n", "power"), point, strict=True)) for point in plan.fitted]
    extrapolated = [note for note in plan.present().notes if note.code == "extrapolated"]
    return {
        **plan.to_dict(),
        "model": model,
        "points": number_columns(plan.curve, CURVE_COLUMNS)
        | number_columns(plan.ranges(), ("low", "high")),
        "fitted": number_columns(fitted, ("n", "power")),
        "notes": [*extrapolated, *parts.notes_on(data, ALL_ALIKE)],
    }


def plan_of(inquiry: Inquiry) -> parts.Answered:
    """Return the plan that a question asks for, remembered from the last time."""
    _, data = parts.model_param(inquiry)
    effect = inquiry.params.text("effect")
    if effect is not None:
        need_sensible(effect, data)
    return parts.of_one_model(inquiry, "plan")


def need_sensible(text: str, data: Predictions) -> None:
    """Raise ParameterError for an effect beyond those that a plan itself looks for."""
    effect = effect_of(text)
    if effect.kind == "ece":  # which size is too large the predictions tell
        return
    most = effect.most_x(data)
    if effect.x > most:
        raise ParameterError(
            f"`effect` {effect.kind} is looked for up to {number(effect.at(most).size)}, got "
            f"{text!r}"
        )
