"""Beta calibration: a logistic curve through ln p and ln(1 - p)."""

import math

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Logistic
from plumbline.recalibration.inputs import Event
from plumbline.recalibration.logistic import Curve, logistic, shared_targets
from plumbline.recalibration.platt import SEPARATED

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

ALL, SAME_SLOPES, FIXED_MIDDLE = "abm", "am", "ab"
KINDS = (ALL, SAME_SLOPES, FIXED_MIDDLE)

FLAT = "no rising beta curve has a smaller log loss than a constant, so all rows get the same"
ONE_SLOPE = "the best curve would fall somewhere, so its {} is left out, as in the paper"


def beta(event: Event, hit: Truths, weight: Floats, *, parameters: str = ALL) -> EventFit:
    """Return the beta map (Kull, Silva Filho and Flach 2017).

    q = 1 / (1 + exp(-(a ln p - b ln(1 - p) + c))), the curve between two beta densities, with the
    least cross entropy among all a, b >= 0 towards `shared_targets`: one more row keeps the slopes
    sensible where the classes are separated or all but. "abm" fits all three, "am" takes a = b,
    "ab" fixes q = 1/2 at p = 1/2, so that c = (a - b) ln 2. With a = b = 1 and c = 0 it leaves p as
    it is. Raises ParameterError for other `parameters`.

    >>> event = Event("probability", np.array([0.1, 0.4, 0.6, 0.9]))
    >>> fit = beta(event, np.array([False, True, False, True]), np.ones(4), parameters="am")
    >>> fit.form(event).prob[:, 1].round(3).tolist()
    [0.11, 0.405, 0.595, 0.89]
    """
    kind = one_of("parameters", parameters, KINDS)
    x, log, log_rest = event.log_odds(), event.log(), event.log_rest()
    crossing = 0.0 if kind == FIXED_MIDDLE else None
    apart = _separated(x, hit, crossing)
    target = shared_targets(hit, weight)
    if kind == SAME_SLOPES:
        features: tuple[Floats, ...] = (x,)
    else:
        shift = math.log(2.0) if kind == FIXED_MIDDLE else 0.0
        features = (log + shift, -log_rest - shift)
    curve = _rising(features, target, weight, intercept=kind != FIXED_MIDDLE)
    notes = (SEPARATED,) * apart + _left_out(curve)
    free = sum(slope > 0 for slope in curve.slopes) + (kind != FIXED_MIDDLE)
    return EventFit(_form(curve, kind), free, notes)


def _separated(x: Floats, hit: Truths, crossing: float | None) -> bool:
    """Return whether a rising curve can put all hits above its middle and all others below.

    Where the middle is fixed, it must lie between them.
    """
    above, below = x[hit].min(), x[~hit].max()
    return bool(below <= above and (crossing is None or below <= crossing <= above))


def _rising(
    features: tuple[Floats, ...], target: Floats, weight: Floats, *, intercept: bool
) -> Curve:
    """Return the best curve with no slope below 0.

    The loss is convex, so if the best of all has a slope below 0, the best that is allowed has a
    slope of 0: it is the best allowed one with one feature or none.
    """
    best = logistic(features, target, weight=weight, intercept=intercept)
    if min(best.slopes) >= 0:
        return best
    none = np.zeros_like(features[0])
    fewer = [tuple(none for _ in features)]
    if len(features) == 2:
        fewer += [(features[0], none), (none, features[1])]
    fits = [logistic(kept, target, weight=weight, intercept=intercept) for kept in fewer]
    return min((fit for fit in fits if min(fit.slopes) >= 0), key=lambda fit: fit.loss)


def _left_out(curve: Curve) -> tuple[str, ...]:
    if not any(curve.slopes):
        return (FLAT,)
    names = [name for name, slope in zip("ab", curve.slopes, strict=False) if not slope]
    return tuple(ONE_SLOPE.format(name) for name in names)


def _form(curve: Curve, kind: str) -> Logistic:
    if kind == SAME_SLOPES:
        return Logistic(curve.intercept, log_odds=curve.slopes[0])
    a, b = curve.slopes
    middle = (a - b) * math.log(2.0) if kind == FIXED_MIDDLE else curve.intercept
    return Logistic(middle, log=a, log_rest=0.0 - b)
