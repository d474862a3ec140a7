"""What a form computes, and what was set and found, in words."""

from collections.abc import Mapping
from typing import Any

from plumbline.recalibration.forms import EventForm, Form, Line, Logistic, Softmax, Spline, Steps
from plumbline.recalibration.inputs import NEVER
from plumbline.results.formatting import counted, number, printable

FEATURES = {
    "value": "the value",
    "log_odds": "the log-odds",
    "log": "ln p",
    "log_rest": "ln(1 - p)",
}
SOFTMAX = (
    "softmax of all classes' logits times {}{shifted}",
    "softmax with a slope and a shift for each of {k} classes",
    "softmax of {k} weighted sums of all classes' logits",
)

MOST = 5  # classes whose numbers are named
AUTOMATIC: Mapping[str, Any] = {"knots": 0}  # option -> the value that leaves it to the rows
USUAL: Mapping[str, Any] = {"floor": NEVER}  # option -> the value that goes without saying


def facts_in_words(options: Mapping[str, Any], details: Mapping[str, Any]) -> list[str]:
    """Return what was set and what was found, each once; what was not asked for is left out.

    >>> facts_in_words({"prior": None}, {"factors": {"benign": 0.78510, "malignant": 1.2112}})
    ['factors (benign 0.785, malignant 1.21)']
    >>> facts_in_words({"regularisation": 0.5, "knots": 0}, {"regularisation": 0.5})
    ['regularisation 0.5', 'knots automatic']
    """
    facts = {**options, **details}
    unusual = {name: value for name, value in facts.items() if value != USUAL.get(name)}
    return [f"{name} {_fact(name, value)}" for name, value in unusual.items()]


def _fact(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        told = [f"{printable(one)} {_fact(one, share)}" for one, share in value.items()]
        return f"({', '.join(told[:MOST] + ['...'] * (len(told) > MOST))})"
    if name in AUTOMATIC and value == AUTOMATIC[name]:
        return "automatic"
    return number(value) if isinstance(value, float) else str(value)


def form_in_words(form: Form) -> str:
    """Return what a map computes, for people.

    >>> import numpy as np
    >>> from plumbline.recalibration.forms import OneVsRest
    >>> form_in_words(OneVsRest((Line(np.array([0.2, 0.9]), np.array([0.1, 0.7])),)))
    'straight lines between 2 knots'
    >>> form_in_words(Softmax(np.array(0.5), np.zeros(2)))
    "softmax of all classes' logits times 0.5"
    """
    if isinstance(form, Softmax):
        text = SOFTMAX[form.weights.ndim]
        shifted = ", shifted" if form.bias.any() else ""
        slope = number(float(form.weights.flat[0]))
        return text.format(slope, k=len(form.bias), shifted=shifted)
    told = list(dict.fromkeys(map(_of_event, form.forms)))
    if len(form.forms) == 1:
        return told[0]
    return f"{counted(len(form.forms), 'class')} one by one, divided by their sum: " + "; ".join(
        told[:3] + ["..."] * (len(told) > 3)
    )


def _of_event(form: EventForm) -> str:
    match form:
        case Steps():
            return counted(len(form.values), "step")
        case Line():
            return f"straight lines between {counted(len(form.knots), 'knot')}"
        case Spline():
            return f"a smooth curve through {counted(len(form.knots), 'knot')}"
        case Logistic():
            terms = [
                f"{number(getattr(form, name))} {text}"
                for name, text in FEATURES.items()
                if getattr(form, name)
            ]
            return "logistic curve of " + " + ".join([number(form.intercept), *terms])
        case _:
            return "unchanged"
