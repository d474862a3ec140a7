"""The question `reliability`: the calibration error beside its null, and the diagram."""

from dataclasses import dataclass
from typing import Any

from plumbline.calibration import BINARY_VIEWS
from plumbline.calibration_errors import (
    CalibrationError,
    ReliabilityCurve,
    calibration_error,
    error_and_curve,
)
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.requests.table import of_each_model
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import answer_of

NO_BINS = ("one-per-point", "isotonic", "monotone-sweep")
NO_EVENT = (
    "This view combines several events, so its diagram has no band. A view of one event has a band."
)
MOVING = "These bins hold single rows, or depend on the outcomes, so the diagram has no band."


@dataclass(frozen=True, slots=True, eq=False)
class ModelReliability:
    """What one model's question found; `reason` says why there is no diagram."""

    error: CalibrationError
    curve: ReliabilityCurve | None
    reason: str | None
    data: Predictions


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Measure every chosen model; `model` names the one that is shown large."""
    shown, _ = parts.model_param(inquiry)
    by_model = measured(inquiry)
    return {"shown": shown, "models": [_entry(name, one) for name, one in by_model]}


def measured(inquiry: Inquiry) -> list[tuple[str | None, ModelReliability]]:
    """Return what was found of every chosen model, remembered from the last time."""
    question = inquiry.values("calibration")
    key = ("reliability", inquiry.selection, repr(sorted(question.items())))

    def measured_part(part: Predictions, bar: Progress | None) -> ModelReliability:
        return _measured(part, question, bar)

    return inquiry.memory.once(
        key, lambda: of_each_model(parts.some_rows(inquiry), measured_part, inquiry.progress)
    )


def _measured(
    data: Predictions, question: dict[str, Any], bar: Progress | None
) -> ModelReliability:
    reason = _why_no_diagram(question.get("view"), question.get("bins"))
    if reason is not None:
        return ModelReliability(
            calibration_error(data, progress=bar, **question), None, reason, data
        )
    error, curve = error_and_curve(data, progress=bar, **question)
    return ModelReliability(error, curve, None, data)


def _why_no_diagram(view: str | None, bins: str | None) -> str | None:
    if view is not None and view.partition(":")[0] not in BINARY_VIEWS:
        return NO_EVENT
    return MOVING if bins in NO_BINS else None


def _entry(name: str | None, one: ModelReliability) -> dict[str, Any]:
    """Return one model's answer; the fields of the error stand as `--json` has them."""
    return {
        **answer_of(one.error, one.data, name),
        "histogram": parts.null_bars(one.error),
        "curve": None if one.curve is None else parts.curve_columns(one.curve),
        "why_no_curve": one.reason,
    }
