"""What to do after a calibration test: one step for a table, the same on every surface."""

from dataclasses import replace

import numpy as np

from plumbline._result import NextStep
from plumbline.binning import grouping, unasked_attributes
from plumbline.calibration import Wide
from plumbline.calibration_errors.group_sums import Events
from plumbline.formatting import quoted
from plumbline.predictions import Predictions
from plumbline.verdicts import LEVEL

FEW_ROWS = 50  # below, only a large miscalibration shows
# A map of fewer is mostly chance: with four of a class nothing is chosen (`advisor.trials`).
FEWEST_TO_RECALIBRATE = 5  # rows of the rarest class that occurs
MOST_LOOKED_AT = 50  # attributes, the first of the table
MOST_ROWS = 20_000  # evenly spaced; to propose an attribute, not to test it
FEWEST_IN_GROUP = 10  # rows, on average
MOST_GROUPS = 50  # that a test by groups takes

ALL_KINDS = NextStep("test", "Test for all kinds of miscalibration at once.")
# `recalibrate` chooses the map by the rows; a second choice here could differ.
RECALIBRATE = NextStep(
    "recalibrate", "Recalibrate on held-out rows, then test on other rows.", per_model=True
)
STEPS_BY_SHAPE = {
    "few-bad-points": NextStep(
        "serve",
        "Check the rows whose observed class had a predicted probability near 0: wrong labels, "
        "broken features or unusual cases.",
    ),
    "one-bad-class": NextStep(
        "recalibrate",
        "Check whether this class was as frequent in the training data; then recalibrate on "
        "held-out rows.",
        per_model=True,
    ),
}
OF_ONE_MODEL = ("recalibrate",)  # requests that take one model at a time
DRAW_MORE = NextStep("test", "Draw the labels more often.", {"resamples": 999})
LOOK = NextStep("serve", "Check the rows that got probability 0.")
SMALLEST = NextStep("plan", "See how small a miscalibration these rows can detect.", per_model=True)
DECISIONS = NextStep("confusion", "See how often the predictions are right.", per_model=True)


def next_step(
    data: Predictions,
    *,
    p_value: float,
    resamples: int,
    shape: str | None = None,
    impossible_rows: int = 0,
    constant: bool = False,
) -> NextStep:
    """Return what to do after the default test of a table of one model.

    By the shape of what is wrong where it rejects; else by the rows, and the attributes whose
    groups can be tested. `constant`: the statistic is the same for all outcomes.
    """
    if resamples and 1 / (resamples + 1) > LEVEL:
        return DRAW_MORE
    if p_value <= LEVEL:
        return after_rejection(data, shape)
    if impossible_rows:
        return LOOK
    if constant:  # nor can a plan change predictions of 0 and 1
        return DECISIONS
    if data.total < FEW_ROWS:
        text = f"Get more rows: {data.total:,} show large miscalibration only."
        return replace(to_plan(data), text=text)
    by = attribute_to_test(data)
    if by is None:
        return to_plan(data)
    text = f"Test the groups of {quoted(by)}: they can be off where the whole is not."
    return NextStep("test", text, {"by": by}, per_model=True)


def after_rejection(data: Predictions, shape: str | None = None) -> NextStep:
    """Return what to do about a miscalibration of a shape; what the rows do not allow is not said.

    >>> after_rejection(Predictions.from_arrays([1, 1, 1], [0.1, 0.2, 0.1])).text
    "Check the rows: all are of the class '1', and a map needs every class."
    """
    step = STEPS_BY_SHAPE.get(shape or "other", RECALIBRATE)
    kept = data.mass > 0
    times = data.mass[kept] if data.counted else None
    counts = np.bincount(data.actual[kept], times, minlength=data.k)
    rarest = int(counts[counts > 0].min())
    if step.request != "recalibrate" or (
        rarest >= FEWEST_TO_RECALIBRATE and np.count_nonzero(counts) > 1
    ):
        return step
    if np.count_nonzero(counts) == 1:
        only = quoted(data.classes[int(counts.argmax())])
        return NextStep(
            "serve", f"Check the rows: all are of the class {only}, and a map needs every class."
        )
    text = f"Check the rows, and get more: a map needs {FEWEST_TO_RECALIBRATE} of every class, "
    return NextStep("serve", f"{text}the rarest has {rarest}.")


def to_plan(data: Predictions) -> NextStep:
    """Return the plan of a miscalibration that these predictions can have.

    No temperature changes 0, 1 and equal probabilities, which a shift does.
    """
    prob = data.prob
    if prob is None or (prob[:, :1] == prob).all() or ((prob == 0) | (prob == 1)).all():
        return replace(SMALLEST, values={"effect": "shift:0.05"})
    return SMALLEST


def attribute_to_test(data: Predictions) -> str | None:
    """Return the attribute whose groups are furthest from calibrated, None where there is none.

    By the chi-square of the sums of residuals in the groups, without draws: it proposes and does
    not conclude.

    >>> site, y = ["a", "b"] * 40, [0, 1] * 40
    >>> columns = {"number": list(range(80)), "half": ["x"] * 40 + ["y"] * 40, "site": site}
    >>> attribute_to_test(Predictions.from_arrays(y, [0.5] * 80, attributes=columns))
    'site'
    """
    names = unasked_attributes(data)[:MOST_LOOKED_AT]
    if not names:
        return None
    if data.stored > MOST_ROWS and not data.counted:
        data = data.select(where=np.linspace(0, data.stored - 1, MOST_ROWS).astype(np.intp))
    events = Events.of(data, None, "a proposal of groups")
    residual = events.weight * (events.observed - events.prob[:, 1])
    variance = events.square * events.prob[:, 0] * events.prob[:, 1]
    p_values = {name: _p_value(data, name, events, residual, variance) for name in names}
    known = {name: p for name, p in p_values.items() if p is not None}
    return min(known, key=lambda name: known[name]) if known else None


def _p_value(
    data: Predictions,
    name: str,
    events: Events,
    residual: Wide,
    variance: Wide,
) -> float | None:
    """Return the p-value of the groups of an attribute, None where it has no groups to test."""
    from scipy.stats import chi2

    if name in data.averaged:  # its values were summed while rows were counted
        return None
    groups = grouping(data, name)
    size = len(groups.names)
    if not 2 <= size <= min(MOST_GROUPS, events.n // FEWEST_IN_GROUP):
        return None
    code = groups.code[events.row]
    mean, spread = (np.bincount(code, values, size) for values in (residual, variance))
    there = spread > 0
    return float(chi2.sf(np.sum(mean[there] ** 2 / spread[there]), max(there.sum(), 1)))
