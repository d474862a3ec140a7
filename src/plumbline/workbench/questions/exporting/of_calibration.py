"""Files of what is asked about calibration."""

from collections.abc import Sequence
from typing import Any

from plumbline._result import Result
from plumbline.calibration_tests import CalibrationError
from plumbline.recalibration import AUTO
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.calibration_test import calibration_test_params, judged
from plumbline.workbench.questions.diagnosis import diagnosis_of, diagnosis_params
from plumbline.workbench.questions.exporting.artifact import Artifact, Call, one_model, sentences
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.groups import (
    groups_of,
    groups_params,
    worst_groups_params,
    worst_of,
)
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.plan import effect_param, plan_notes, plan_of, plan_params
from plumbline.workbench.questions.recalibration import (
    method_param,
    recalibrated_by,
    recalibration_notes,
)
from plumbline.workbench.questions.reliability import measured
from plumbline.workbench.questions.sensitivity import sensitivity_of, sensitivity_params


def reliability(inquiry: Inquiry) -> Artifact:
    """Return the calibration error and the diagram of the model that is shown."""
    params = inquiry.params
    model, _, chosen = one_model(inquiry)
    result = dict(measured(inquiry))[model]
    named = {
        "view": params.text("view"),
        "bins": params.text("bins"),
        "resamples": parts.draws_param(params),
    }
    error = Call("calibration_error", {**named, "distance": params.text("distance")}, "error")
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

    def figure(result: Any) -> Any:
        from plumbline.plots import diagnosis_figure

        return diagnosis_figure(result)

    ask = Call("diagnose", diagnosis_params(inquiry))
    diagnosed = diagnosis_of(inquiry)
    return _of_one(inquiry, ask, diagnosed, figure, text="statement", number="p_value")


def groups(inquiry: Inquiry) -> Artifact:
    """Return the groups of an attribute, or the worst slice."""
    if not inquiry.params.has("by"):
        ask = Call("worst_slice", worst_groups_params(inquiry))
        return _of_one(inquiry, ask, worst_of(inquiry), None, number="p_value")

    def figure(result: Any) -> Any:
        from plumbline.plots import group_figure

        return group_figure(result)

    by = inquiry.params.needed_text("by")
    ask = Call("calibration_by", groups_params(inquiry), first=(by,))
    return _of_one(inquiry, ask, groups_of(inquiry), figure, number="verdict")


def sensitivity(inquiry: Inquiry) -> Artifact:
    """Return the error of one model under many bins."""

    def figure(result: Any) -> Any:
        from plumbline.plots import sensitivity_figure

        return sensitivity_figure(result)

    ask = Call("bin_sensitivity", sensitivity_params(inquiry))
    by_bins = sensitivity_of(inquiry)
    return _of_one(inquiry, ask, by_bins, figure, number="settings[0]['value']")


def plan(inquiry: Inquiry) -> Artifact:
    """Return how many rows detect a miscalibration."""

    def figure(result: Any) -> Any:
        from plumbline.plots import plan_figure

        return plan_figure(result)

    ask = Call("plan", plan_params(inquiry), first=(effect_param(inquiry),))
    planned = plan_of(inquiry)
    return _of_one(inquiry, ask, planned, figure, number="n_needed", notes=plan_notes(inquiry))


def recalibration(inquiry: Inquiry) -> Artifact:
    """Return the rows before and after, as the room shows them, beside how the methods did.

    Where it is best to leave the rows as they are, there are the methods alone.
    """
    model, _, chosen = one_model(inquiry)
    method = method_param(inquiry)
    ask = Call("recalibration_advice", {"methods": None if method == AUTO else [method]})
    chapter = recalibrated_by(inquiry)
    effect, advice = chapter.effect, chapter.advice

    def figure() -> Any:
        from plumbline.plots import before_after_figure, methods_figure

        if effect is not None:
            return before_after_figure(effect)
        assert advice is not None  # else there is no figure  # noqa: S101
        return methods_figure(advice)

    def rows() -> Any:
        shown = effect or advice
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
            None if effect is None else effect.verdict,
            chapter.reason,
            *(() if effect is None else effect.remarks),
            *recalibration_notes(inquiry),
        ),
        code=Code((*chosen, ask.code()), "result.chosen"),
        figure=None if effect is None and advice is None else figure,
    )


def _of_one(
    inquiry: Inquiry,
    ask: Call,
    result: Result,
    figure: Any,
    *,
    number: str,
    text: str = "verdict",
    notes: Sequence[str] | None = None,
) -> Artifact:
    """Return what was found of the rows of one model, and the call that finds it again."""
    model, data, chosen = one_model(inquiry)
    texts = parts.notes_on(data) if notes is None else notes
    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=sentences(getattr(result, text, None), *texts),
        code=Code((*chosen, ask.code()), f"result.{number}"),
        figure=None if figure is None else lambda: figure(result),
    )
