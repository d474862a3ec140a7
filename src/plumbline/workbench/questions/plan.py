"""The question `plan`: how many rows detect a miscalibration, and what these rows detect."""

from typing import Any

from plumbline.calibration_tests import TESTS
from plumbline.errors import ParameterError
from plumbline.formatting import number
from plumbline.power import Plan, plan
from plumbline.power.effects import effect_of
from plumbline.power.plan import AUTO, FEWEST_SETS
from plumbline.predictions import Predictions
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

USUAL_EFFECT = "overconfident:1.2"
USUAL_TEST = "omnibus"  # as `plumbline plan`: nobody waits for tests that were not asked for
MOST_SETS = 1000
MOST_ROWS = 10_000_000
LEAST_LEVEL = 0.001  # a test of a level draws the labels 10 / level times
MOST_POWER = 0.99
CURVE_COLUMNS = ("n", "power", "std_error", "datasets")
ALL_ALIKE = (
    "the plan takes every row for an example of its own, so the power of these rows comes out too "
    "high. Choose the rows of one repeat."
)


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Plan for one model's predictions; `n` is the number of its rows unless it is given."""
    model, _ = parts.model_param(inquiry)
    plans = plan_of(inquiry)
    fitted = [dict(zip(("n", "power"), point, strict=True)) for point in plans.fitted]
    return {
        **plans.to_dict(),
        "model": model,
        "points": number_columns(plans.curve, CURVE_COLUMNS)
        | number_columns(plans.ranges(), ("low", "high")),
        "fitted": number_columns(fitted, ("n", "power")),
        "notes": plan_notes(inquiry),
    }


def plan_of(inquiry: Inquiry) -> Plan:
    """Return the plan that a question asks for, remembered from the last time."""
    _, data = parts.model_param(inquiry)
    effect = effect_param(inquiry)
    need_sensible(effect, data)
    return parts.of_one_model(inquiry, plan, plan_params(inquiry), effect)


def plan_notes(inquiry: Inquiry) -> list[str]:
    """Return what was extrapolated, and what to know about the rows."""
    _, data = parts.model_param(inquiry)
    return [*plan_of(inquiry).notes, *parts.notes_on(data, ALL_ALIKE)]


def effect_param(inquiry: Inquiry) -> str:
    """Return the effect by name and size."""
    return inquiry.params.text("effect") or USUAL_EFFECT


def plan_params(inquiry: Inquiry) -> dict[str, Any]:
    """Return the arguments of `plan`, so bounded that it stays a matter of minutes."""
    params = inquiry.params
    level, power = params.number("level", 0.05), params.number("power", 0.8)
    if level is not None and 0 < level < LEAST_LEVEL:
        raise ParameterError(
            argument="level",
            rule=f"at least {LEAST_LEVEL:g} here, for a test of a level draws the "
            "labels 10 / level times",
            arrived=f"{level:g}",
        )
    if power is not None and MOST_POWER < power < 1:
        raise ParameterError(
            argument="power", rule=f"at most {MOST_POWER:g} here", arrived=f"{power:g}"
        )
    sets = params.whole("datasets", FEWEST_SETS, least=FEWEST_SETS, most=MOST_SETS)
    return {
        "power": power,
        "level": level,
        "statistic": params.choice("statistic", (AUTO, *TESTS), USUAL_TEST),
        "n": params.whole("n", 2, least=2, most=MOST_ROWS) if params.has("n") else None,
        "datasets": sets if params.has("datasets") else None,
    }


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
