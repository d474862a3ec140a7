"""Files of what is asked about calibration."""

from typing import Any

from plumbline._result import Result
from plumbline.calibration_tests import CalibrationError
from plumbline.recalibration import AUTO
from plumbline.requests import REQUESTS
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.calibration_test import calibration_test_params, judged
from plumbline.workbench.questions.exporting.artifact import Artifact, Call, one_model, sentences
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.groups import groups_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.plan import ALL_ALIKE, plan_of
from plumbline.workbench.questions.recalibration import (
    method_param,
    recalibrated_by,
    recalibration_notes,
)
from plumbline.workbench.questions.reliability import measured


def reliability(inquiry: Inquiry) -> Artifact:
    """Return the calibration error and the diagram of the model that is shown."""
    params = inquiry.params
    model, _, chosen = one_model(inquiry)
    result = dict(measured(inquiry))[model]
    named = REQUESTS["calibration"].served_values(params.fields)
    distance = {name: named.pop(name) for name in ("distance",) if name in named}
    error = Call("calibration_error", {**named, **distance}, "error")
    curve = Call("reliability_curve", named, "curve")
    calls = [error] if result.curve is None else [error, curve]

    def figure() -> Any:
        from plumbline.plots import null_figure, reliability_figure

        return (
            null_figure(result.error) if result.curve is None else reliability_figure(result.curve)
        )

    return Artifact(
        json=lambda: {"model": model, **result.error.to_dict()},
        rows=lambda: result.error.bins or result.error.rows(),
        sentences=sentences(_error_text(model, result.error), *result.notes, result.reason),
        code=Code((*chosen, *(one.code() for one in calls)), "error.value"),
        figure=figure,
    )


def _error_text(model: str | None, error: CalibrationError) -> str:
    low, high = error.null_range
    null = f"true probabilities would give {low:.4g} to {high:.4g} in 95 % of draws"
    of = "" if model is None else f" of {model}"
    return f"Calibration error{of}: {error.value:.4g}; {null}."


def calibration_test(inquiry: Inquiry) -> Artifact:
    """Return the test of the model that is shown."""
    model, _, chosen = one_model(inquiry)
    ask = Call("calibration_test", calibration_test_params(inquiry))
    result, notes = dict(judged(inquiry))[model]

    def figure() -> Any:
        from plumbline.plots import null_figure

        return null_figure(result)

    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=sentences(result.verdict, *notes),
        code=Code((*chosen, ask.code()), "result.p_value"),
        figure=figure if len(result.null_values) else None,
    )


def diagnosis(inquiry: Inquiry) -> Artifact:
    """Return the diagnosis of one model."""
    return _of_one(inquiry, parts.of_one_model(inquiry, "diagnosis"), number="p_value")


def groups(inquiry: Inquiry) -> Artifact:
    """Return the groups of an attribute, or the worst slice."""
    result = groups_of(inquiry)
    number = "verdict" if inquiry.params.has("by") else "p_value"
    return _of_one(inquiry, result, number=number, drawn=inquiry.params.has("by"))


def sensitivity(inquiry: Inquiry) -> Artifact:
    """Return the error of one model under many bins."""
    result = parts.of_one_model(inquiry, "sensitivity")
    return _of_one(inquiry, result, number="settings[0]['value']")


def plan(inquiry: Inquiry) -> Artifact:
    """Return how many rows detect a miscalibration."""
    return _of_one(inquiry, plan_of(inquiry), number="n_needed", meaning=ALL_ALIKE)


def recalibration(inquiry: Inquiry) -> Artifact:
    """Return the rows before and after, as the room shows them, beside how the methods did.

    Where it is best to leave the rows as they are, there are the methods alone.
    """
    model, _, chosen = one_model(inquiry)
    method = method_param(inquiry)
    ask = Call("recalibration_advice", {"methods": None if method == AUTO else [method]})
    chapter = recalibrated_by(inquiry)
    effect, advice = chapter.effect, chapter.advice

    shown = effect or advice

    def rows() -> Any:
        return [{"reason": chapter.reason}] if shown is None else shown.rows()

    return Artifact(
        json=lambda: {
            "model": model,
            "effect": None if effect is None else effect.to_dict(),
            "advice": None if advice is None else advice.to_dict(),
            "reason": chapter.reason,
        },
        rows=rows,
        sentences=sentences(
            advice.verdict if advice is not None and method == AUTO else None,
            *(() if effect is None else _texts(effect)),
            chapter.reason,
            *recalibration_notes(inquiry),
        ),
        code=Code((*chosen, ask.code()), "result.chosen"),
        figure=None if shown is None else shown.figure,
    )


def _of_one(
    inquiry: Inquiry,
    answered: parts.Answered,
    *,
    number: str,
    drawn: bool = True,
    meaning: str = parts.ONE_DRAW,
) -> Artifact:
    """Return what was computed of the rows of one model, and the call that computes it again.

    `drawn` tells whether it has a picture; `meaning` what it means that examples come again.
    """
    model, data, chosen = one_model(inquiry)
    result = answered.result
    ask = Call(answered.request.function.partition(":")[2], answered.values)
    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=[*_texts(result), *parts.notes_on(data, meaning)],
        code=Code((*chosen, ask.code()), f"result.{number}"),
        figure=result.figure if drawn else None,
    )


def _texts(result: Result) -> list[str]:
    """Return what a result says in sentences."""
    shown = result.present()
    return sentences(shown.summary, *shown.notes)
