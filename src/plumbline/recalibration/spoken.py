"""What a form computes, in words."""

from plumbline.recalibration.forms import EventForm, Form, Line, Logistic, Softmax, Spline, Steps
from plumbline.words import counted, number

FEATURES = {
    "value": "the value",
    "log_odds": "the log-odds",
    "log": "ln p",
    "log_rest": "ln(1 - p)",
}
SOFTMAX = (
    "softmax of all classes' logits times {}, shifted",
    "softmax with a slope and a shift for each of {k} classes",
    "softmax of {k} weighted sums of all classes' logits",
)


def form_in_words(form: Form) -> str:
    """Return what a map computes, for people.

    >>> import numpy as np
    >>> from plumbline.recalibration.forms import OneVsRest
    >>> form_in_words(OneVsRest((Line(np.array([0.2, 0.9]), np.array([0.1, 0.7])),)))
    'straight lines between 2 knots'
    """
    if isinstance(form, Softmax):
        text = SOFTMAX[form.weights.ndim]
        return text.format(number(float(form.weights.flat[0])), k=len(form.bias))
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
