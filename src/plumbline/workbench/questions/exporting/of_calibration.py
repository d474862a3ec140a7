"""Files of what is asked about calibration."""

import textwrap
import tomllib
from collections.abc import Mapping
from typing import Any

import plumbline
from plumbline.formatting import number
from plumbline.gate.rules import RulesText
from plumbline.plots.figures import has_picture
from plumbline.recalibration import AUTO
from plumbline.requests import REQUESTS, fields_of, flag
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.exporting.artifact import (
    Artifact,
    choosing,
    line,
    one_model,
    sentences,
    sentences_of,
)
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.recalibration import (
    method_param,
    recalibrated_by,
    recalibration_notes,
)
from plumbline.workbench.questions.reliability import ModelReliability, measured
from plumbline.workbench.questions.request_answers import (
    ALIKE,
    OF_EVERY_MODEL,
    request_of,
    result_of,
    results_of,
    rows_of,
    values_of,
)


def reliability(inquiry: Inquiry) -> Artifact:
    """Return the calibration error and the diagram of the model that is shown."""
    values = inquiry.values("calibration")
    model, data, chosen = one_model(inquiry)
    of = "" if model is None else f" of {model}"
    axis = parts.axis_param(inquiry)
    every = dict(measured(inquiry))
    result = every[model]
    if fields_of(inquiry.fields, {"every": flag}).get("every") and len(every) > 1:
        return _reliability_of_all(inquiry, every, axis)
    of_curve = {name: value for name, value in values.items() if name != "distance"}
    lines = [line("calibration", values, name="error")]
    if result.curve is not None:
        lines.append(line("reliability_curve", of_curve, name="curve"))

    def figure() -> Any:
        from plumbline.plots import null_figure, reliability_figure

        return (
            null_figure(result.error)
            if result.curve is None
            else reliability_figure(result.curve, axis=axis)
        )

    return Artifact(
        json=lambda: {"model": model, **result.error.to_dict()},
        rows=lambda: result.error.bins or result.error.rows(),
        sentences=sentences(
            f"Calibration error{of}: {number(result.error.value)}.",
            *sentences_of(result.error),
            *parts.notes_on(data),
            result.reason,
        ),
        code=Code((*chosen, *lines), "error.value"),
        figure=figure,
    )


def _reliability_of_all(
    inquiry: Inquiry, every: Mapping[str | None, ModelReliability], axis: str
) -> Artifact:
    """Return the errors and the diagrams of all models that are chosen."""
    values = inquiry.values("calibration")
    again = textwrap.indent(line("calibration", values, name="errors[name]"), "    ")
    loop = ("errors = {}", "for name, data in data.by_model().items():", again)
    curves = {name: one.curve for name, one in every.items() if one.curve is not None}

    def figure() -> Any:
        from plumbline.plots import errors_figure, reliability_panels

        errors = {str(name): one.error for name, one in every.items()}
        return reliability_panels(curves, axis=axis) if curves else errors_figure(errors)

    return Artifact(
        json=lambda: {
            "models": [{"model": name, **one.error.to_dict()} for name, one in every.items()]
        },
        rows=lambda: [
            {"model": name, **row}
            for name, one in every.items()
            for row in one.error.bins or one.error.rows()
        ],
        sentences=sentences(
            *(
                f"Calibration error of {name}: {number(one.error.value)}."
                for name, one in every.items()
            ),
            *parts.notes_on(inquiry.filtered()),
        ),
        code=Code(loop, "{name: error.value for name, error in errors.items()}"),
        figure=figure,
    )


# Request -> the number that its code prints; of the others the whole result.
PRINTED = {
    "test": "p_value",
    "diagnosis": "p_value",
    "groups": "tests.verdict",
    "slices": "p_value",
    "sensitivity": "settings[0]['value']",
    "plan": "n_needed",
    "monitor": "alarm",
    "heterogeneity": "p_value",
    "class-counts": "n",
    "check": "state",
}


def is_public(request: str) -> bool:
    """Tell whether the function of a request has a name in `plumbline`, which code can call."""
    return REQUESTS[request].function.partition(":")[2] in dir(plumbline)


def typed(value: Any) -> Any:
    """Return a value as code writes it: rules that were typed as the dictionary that they are."""
    return tomllib.loads(value.text) if isinstance(value, RulesText) else value


def of_request(inquiry: Inquiry) -> Artifact:
    """Return what a request answers of the model that is shown, and the call that answers again."""
    request = request_of(inquiry)
    model, data = rows_of(inquiry, request)
    if request in OF_EVERY_MODEL:
        result = dict(results_of(inquiry, request))[model]
    else:
        result = result_of(inquiry, request)
    drawn = has_picture(type(result).__name__) and len(getattr(result, "null_values", (0,)))
    notes = parts.notes_on(data, ALIKE.get(request, parts.ONE_DRAW))
    values = {name: typed(value) for name, value in values_of(inquiry, request).items()}
    again = line(request, values) if is_public(request) else None
    shown = f"result.{PRINTED[request]}" if request in PRINTED else "result"
    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=[*sentences_of(result), *notes],
        code=None if again is None else Code((*choosing(model), again), shown),
        figure=(lambda: _figure(result, inquiry)) if drawn else None,
    )


def _figure(result: Any, inquiry: Inquiry) -> Any:
    """Return the picture of a result as the browser shows it."""
    if inquiry.kind == "class-counts" and fields_of(inquiry.fields, {"share": flag}).get("share"):
        from plumbline.plots import class_counts_figure

        return class_counts_figure(result, show="shares")
    return result.figure()


def recalibration(inquiry: Inquiry) -> Artifact:
    """Return the rows before and after, as the view shows them, beside the methods.

    Where it is best to leave the rows as they are, there are the methods alone.
    """
    model, _, chosen = one_model(inquiry)
    method = method_param(inquiry)
    again = line("recalibration_advice", {"methods": None if method == AUTO else [method]})
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
        code=Code((*chosen, again), "result.chosen"),
        figure=None if effect is None and advice is None else figure,
    )
