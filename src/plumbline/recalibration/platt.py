"""Platt scaling: a logistic curve through the log-odds, the probability or the rating."""

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Logistic
from plumbline.recalibration.inputs import SCORE, Event
from plumbline.recalibration.logistic import logistic, platt_targets

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

SEPARATED = (
    "the classes are perfectly separated, so how steep the curve is follows from the number of rows"
)
TURNED = "what is rated higher happened less often, so the order of the rows is turned round"
CONSTANT = "every row has the same value, so all get the share of the class"


def platt(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the logistic curve of the log-odds, or of a rating (Platt 1999).

    q = 1 / (1 + exp(-(intercept + slope x))), x = ln p - ln(1 - p) or the rating, with the least
    cross entropy towards the targets (N+ + 1)/(N+ + 2) where the event happened and 1/(N- + 2)
    where not; N+ and N- are their weights. So it is finite also where the classes are separated.

    >>> event = Event("score", np.array([-1.0, 0.0, 1.0, 2.0]))
    >>> fit = platt(event, np.array([False, True, False, True]), np.ones(4))
    >>> fit.form(event).prob[:, 1].round(3).tolist()
    [0.35, 0.449, 0.551, 0.65]
    """
    if event.on == SCORE:
        return _through_value(event, hit, weight)
    x = event.log_odds()
    curve = logistic((x,), platt_targets(hit, weight), weight=weight)
    return _fit(Logistic(curve.intercept, log_odds=curve.slopes[0]), x, hit)


def platt_on_probability(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the logistic curve of the probability itself, as scikit-learn's sigmoid fits it.

    q = 1 / (1 + exp(-(intercept + slope p))), with the targets of `platt`.

    >>> event = Event("probability", np.array([0.1, 0.4, 0.6, 0.9]))
    >>> fit = platt_on_probability(event, np.array([False, True, False, True]), np.ones(4))
    >>> fit.form(event).prob[:, 1].round(3).tolist()
    [0.324, 0.454, 0.546, 0.676]
    """
    return _through_value(event, hit, weight)


def separated(x: Floats, hit: Truths) -> bool:
    """Return whether no row that missed lies above one that hit, or the other way round."""
    hits, missed = x[hit], x[~hit]
    return bool(missed.max() <= hits.min() or hits.max() <= missed.min())


def _through_value(event: Event, hit: Truths, weight: Floats) -> EventFit:
    curve = logistic((event.value,), platt_targets(hit, weight), weight=weight)
    return _fit(Logistic(curve.intercept, value=curve.slopes[0]), event.value, hit)


def _fit(form: Logistic, x: Floats, hit: Truths) -> EventFit:
    slope = form.value or form.log_odds
    if not slope:
        return EventFit(form, 1, (CONSTANT,))
    notes = (SEPARATED,) * separated(x, hit) + (TURNED,) * (slope < 0)
    return EventFit(form, 2, notes)
