"""Files of what is asked about calibration."""

from typing import Any

from plumbline.power_study.planning import AUTO
from plumbline.significance import TESTS, CalibrationError, CalibrationTest
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.calibration_test import NULLS
from plumbline.workbench.desk.exporting.made import Call, Made, one_model, sentences
from plumbline.workbench.desk.exporting.script import Code, Guard
from plumbline.workbench.desk.inquiry import Inquiry
from plumbline.workbench.desk.reliability import measured
from plumbline.workbench.desk.sensitivity import DRAWS

LEVEL = 0.05  # of a test whose p-value is guarded


def reliability(inquiry: Inquiry) -> Made:
    """Return the calibration error and the diagram of the model that is shown."""
    asked = inquiry.asked
    model, _, chosen = one_model(inquiry)
    found = dict(measured(inquiry))[model]
    named = {"view": asked.text("view"), "bins": asked.text("bins"),
             "resamples": parts.asked_draws(asked)}  # fmt: skip
    error = Call("calibration_error", {**named, "distance": asked.text("distance")}, "error")
    curve = Call("reliability_curve", named, "curve")
    calls = [error] if found.curve is None else [error, curve]

    def figure() -> Any:
        from plumbline.plots import null_figure, reliability_figure

        return null_figure(found.error) if found.curve is None else reliability_figure(found.curve)

    return Made(
        json=lambda: {"model": model, **found.error.to_dict()},
        rows=lambda: found.error.bins or found.error.rows(),
        told=sentences(_error_said(model, found.error), *found.notes, found.reason),
        code=Code((*chosen, *(one.code() for one in calls)), "error.value"),
        figure=figure,
        guard=lambda: _error_guard(model, found.error),
    )


def _error_said(model: str | None, error: CalibrationError) -> str:
    low, high = error.null_range
    null = f"true probabilities would give {low:.4g} to {high:.4g} in 95 % of draws"
    return f"Calibration error{_of(model)}: {error.value:.4g}; {null}."


def _of(model: str | None) -> str:
    return "" if model is None else f" of {model}"


def _error_guard(model: str | None, error: CalibrationError) -> Guard:
    high = error.null_range[1]
    why = (
        "Proposed: the upper end of what true probabilities give in 95 % of draws."
        if high > error.value
        else "Proposed: the error as it is, which is above what true probabilities give."
    )
    bound = max(high, error.value)
    return Guard(f"Calibration error{_of(model)}", error.value, "at most", bound, why)


def calibration_test(inquiry: Inquiry) -> Made:
    """Return the test of the model that is shown."""
    asked = inquiry.asked
    model, data, chosen = one_model(inquiry)
    named = {name: asked.text(name) for name in ("view", "distance")}
    named |= {
        "bins": parts.asked_bins(asked),
        "null": asked.choice("null", NULLS, "auto"),
        "statistic": asked.choice("statistic", tuple(TESTS), "omnibus"),
    }
    ask = Call("calibration_test", {**named, "resamples": parts.asked_draws(asked)})
    found: CalibrationTest = ask.result(inquiry, data, model)

    def figure() -> Any:
        from plumbline.plots import null_figure

        return null_figure(found)

    return Made(
        json=lambda: {"model": model, **found.to_dict()},
        rows=found.rows,
        told=sentences(found.verdict),
        code=Code((*chosen, ask.code()), "result.p_value"),
        figure=figure if len(found.null_values) else None,
        guard=lambda: _test_guard(model, found),
    )


def _test_guard(model: str | None, found: CalibrationTest) -> Guard:
    value = float(found.p_value)
    why = (
        "Proposed: 0.05, the usual level of the test."
        if value >= LEVEL
        else "Proposed: the p-value as it is; true probabilities are rejected already."
    )
    return Guard(f"p-value of the calibration test{_of(model)}", value, "at least",
                 min(LEVEL, value), why)  # fmt: skip


def diagnosis(inquiry: Inquiry) -> Made:
    """Return the diagnosis of one model."""
    named = {"view": inquiry.asked.text("view"), "resamples": parts.asked_draws(inquiry.asked)}

    def figure(found: Any) -> Any:
        from plumbline.plots import diagnosis_figure

        return diagnosis_figure(found)

    return _of_one(inquiry, Call("diagnose", named), figure, said="statement", number="p_value")


def groups(inquiry: Inquiry) -> Made:
    """Return the groups of an attribute, or the worst slice."""
    asked = inquiry.asked
    view, draws = asked.text("view"), parts.asked_draws(asked)
    if not asked.has("by"):
        named: dict[str, Any] = {"view": view, "resamples": draws}
        named["depth"] = asked.whole("depth", 2, least=1, most=3)
        return _of_one(inquiry, Call("worst_slice", named), None, number="p_value")
    named = {"groups": asked.text("groups"), "view": view, "bins": parts.asked_bins(asked),
             "distance": asked.text("distance") or "absolute", "resamples": draws,
             "statistic": asked.choice("statistic", tuple(TESTS), "omnibus")}  # fmt: skip

    def figure(found: Any) -> Any:
        from plumbline.plots import group_figure

        return group_figure(found)

    by = asked.needed_text("by")
    return _of_one(inquiry, Call("calibration_by", named, first=(by,)), figure, number="verdict")


def sensitivity(inquiry: Inquiry) -> Made:
    """Return the error of one model under many bins."""
    asked = inquiry.asked
    named = {"view": asked.text("view"), "distance": asked.text("distance") or "absolute",
             "resamples": parts.asked_draws(asked, DRAWS)}  # fmt: skip

    def figure(found: Any) -> Any:
        from plumbline.plots import sensitivity_figure

        return sensitivity_figure(found)

    return _of_one(inquiry, Call("bin_sensitivity", named), figure, number="settings[0]['value']")


def plan(inquiry: Inquiry) -> Made:
    """Return how many rows detect a miscalibration."""
    asked = inquiry.asked
    named: dict[str, Any] = {
        "power": asked.number("power", 0.8),
        "level": asked.number("level", 0.05),
        "statistic": asked.choice("statistic", (AUTO, *TESTS), AUTO),
        "n": asked.whole("n", 2, least=2, most=10_000_000) if asked.has("n") else None,
        "datasets": asked.fields.get("datasets"),
    }

    def figure(found: Any) -> Any:
        from plumbline.plots import plan_figure

        return plan_figure(found)

    effect = asked.text("effect") or "overconfident:1.2"
    return _of_one(inquiry, Call("plan", named, first=(effect,)), figure, number="n")


def recalibration(inquiry: Inquiry) -> Made:
    """Return how the methods did on rows that their maps were not fitted on."""
    method = inquiry.asked.text("method") or "auto"
    named = {"methods": None if method == "auto" else [method]}

    def figure(found: Any) -> Any:
        from plumbline.plots import methods_figure

        return methods_figure(found)

    return _of_one(inquiry, Call("recalibration_advice", named), figure, number="chosen")


def _of_one(
    inquiry: Inquiry, ask: Call, figure: Any, *, number: str, said: str = "verdict"
) -> Made:
    """Return what one call on the rows of one model makes."""
    model, data, chosen = one_model(inquiry)
    found = ask.result(inquiry, data, model)
    return Made(
        json=lambda: {"model": model, **found.to_dict()},
        rows=found.rows,
        told=sentences(getattr(found, said, None), *getattr(found, "notes", ())),
        code=Code((*chosen, ask.code()), f"result.{number}"),
        figure=None if figure is None else lambda: figure(found),
    )
