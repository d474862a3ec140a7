"""Logistic curves: Platt scaling, beta calibration, and the regression that fits them.

The regression takes a few features, weights and a penalty, and goes by Newton's method.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.jit import compiled, read_only
from plumbline.recalibration.forms import EventFit, Logistic
from plumbline.recalibration.inputs import SCORE, Event

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

CHUNK = 1 << 16  # rows summed on their own
SAMPLE = 100_000  # of more rows, a sample's optimum is where to start
STEPS, CUTS = 100, 40  # of Newton's method, and cuts of one step; conventions, more than it needs
CUT = 0.25  # of a step that leads up; where a curve is all but flat, steps can be far too long
CLOSE = 1e-12  # of the loss: a last step that gains so little leaves an error of its square
ONE_MORE = 1.0  # weight that is added to the rows, of either class in the shares of all
HELD = 1e-12  # ridges, relative: one on the slopes, one on every step; no equation is singular


class LogisticCurve(NamedTuple):
    """A fitted logistic curve: z = intercept + the sum of features times slopes."""

    intercept: float
    slopes: tuple[float, ...]
    loss: float


class Optimum(NamedTuple):
    """Coefficients at the least penalised loss, and the bare loss and its curvature.

    Loss and curvature are those before the last step, so with relative errors of about 1e-12 and
    1e-6.

    Attributes
    ----------
    coefficients : (d,)
    loss : sum of weight times cross entropy, nats, without the penalty
    curvature : (d, d) second derivatives of the loss, without the penalty
    """

    coefficients: Floats
    loss: float
    curvature: Floats


def platt_levels(hit: Truths, weight: Floats) -> tuple[float, float]:
    """Return 1/(N- + 2) and (N+ + 1)/(N+ + 2), the targets of rows that missed and that hit."""
    positives = float(weight[hit].sum())
    negatives = float(weight[~hit].sum())
    return 1 / (negatives + 2), (positives + 1) / (positives + 2)


def platt_targets(hit: Truths, weight: Floats) -> Floats:
    """Return (n,) targets (N+ + 1)/(N+ + 2) and 1/(N- + 2), N by weight (Platt 1999).

    They stand for one more row of either class, so a curve through them is finite where the
    classes are separated.

    >>> platt_targets(np.array([True, False, False]), np.ones(3)).round(3).tolist()
    [0.667, 0.25, 0.25]
    """
    low, high = platt_levels(hit, weight)
    return np.where(hit, high, low)


def shared_targets(hit: Truths, weight: Floats) -> Floats:
    """Return (n,) targets (1 - s) y + s q, y 0 or 1, q its weighted mean, s = 1/(N + 1).

    They stand for one more row, of either class in the shares of all rows, whose weight is spread
    over all values (Clogg et al. 1991 add one for every fitted number). So a curve through them
    has the mean of y, and is finite, and of a sensible slope, where the classes are separated or
    all but; any other curve moves by |q - p|/(N + 1), about.

    >>> shared_targets(np.array([True, False, False]), np.ones(3)).round(3).tolist()
    [0.833, 0.083, 0.083]
    """
    total = float(weight.sum())
    share = float(weight[hit].sum()) / total
    return np.asarray((hit * total + share * ONE_MORE) / (total + ONE_MORE))


def logistic(
    features: tuple[Floats, ...], target: Floats, *, weight: Floats, intercept: bool = True
) -> LogisticCurve:
    """Return the logistic curve of least cross entropy through targets from 0 to 1.

    A feature that is the same in all rows gets slope 0. Features of any size are taken: they are
    divided by their largest before anything is squared. Where the classes are separated and the
    targets are 0 and 1, a ridge of 1e-12 keeps the curve finite.
    """
    scaled = [_standardised(feature, weight, intercept=intercept) for feature in features]
    used = [j for j, feature in enumerate(scaled) if feature is not None]
    columns = [np.ones(len(target))] if intercept else []
    columns += [feature.column for feature in scaled if feature is not None]
    if not columns:
        return LogisticCurve(0.0, (0.0,) * len(features), float(np.log(2) * weight.sum()))
    positives, negatives = float(weight @ target), float(weight @ (1 - target))
    ridge, start = np.full(len(columns), HELD * min(positives, negatives)), np.zeros(len(columns))
    if intercept:
        ridge[0], start[0] = 0.0, math.log(positives / negatives)
    optimum = newton(
        np.column_stack(columns), target, weight=weight, penalty=np.diag(ridge), start=start
    )
    slopes = np.zeros(len(features))
    slopes[used] = optimum.coefficients[int(intercept) :]
    return _in_own_units(optimum, slopes, scaled, intercept=intercept)


class _Standardised(NamedTuple):
    column: Floats
    largest: float
    centre: float
    spread: float


def _standardised(feature: Floats, weight: Floats, *, intercept: bool) -> _Standardised | None:
    """Return a feature with mean 0 (if there is an intercept) and mean square 1; None if idle."""
    low, high = float(feature.min()), float(feature.max())
    largest = max(abs(low), abs(high))
    if largest == 0.0 or (intercept and low == high):
        return None
    column = feature / largest
    centre = float(np.average(column, weights=weight)) if intercept else 0.0
    column -= centre
    spread = float(np.sqrt(np.average(np.square(column), weights=weight)))
    column /= spread
    return _Standardised(column, largest, centre, spread)


def _in_own_units(
    optimum: Optimum, slopes: Floats, scaled: list[_Standardised | None], *, intercept: bool
) -> LogisticCurve:
    constant = float(optimum.coefficients[0]) if intercept else 0.0
    unscaled = []
    for slope, feature in zip(slopes, scaled, strict=True):
        if feature is None:
            unscaled.append(0.0)
            continue
        steep = float(slope) / feature.spread
        constant -= steep * feature.centre
        with np.errstate(over="ignore"):
            unscaled.append(float(np.nan_to_num(np.float64(steep) / feature.largest)))
    return LogisticCurve(constant, tuple(unscaled), optimum.loss)


def newton(
    design: Floats, target: Floats, *, weight: Floats, penalty: Floats, start: Floats
) -> Optimum:
    """Return the coefficients of least weighted cross entropy + c' penalty c / 2.

    Newton steps, cut until the loss falls. Very many rows start from the optimum of a sample
    of them; the result is that of all.

    Parameters
    ----------
    design : (n, d) features, the intercept's column of ones among them
    target : (n,) from 0 to 1
    weight : (n,) repetitions
    penalty : (d, d) positive semidefinite
    start : (d,) where to begin
    """
    point = _first_point(design, target, weight, penalty, start)
    here = _sums(design, target, weight, point)
    for _ in range(STEPS):
        slope, curvature = here.slope + penalty @ point, here.curvature + penalty
        step = np.linalg.solve(curvature + HELD * np.diag(np.diag(curvature)), -slope)
        loss = here.loss + 0.5 * float(point @ penalty @ point)
        if -float(slope @ step) <= CLOSE * loss:
            return Optimum(point + step, here.loss, here.curvature)
        for _ in range(CUTS):
            there = _sums(design, target, weight, point + step)
            if there.loss + 0.5 * float((point + step) @ penalty @ (point + step)) < loss:
                break
            step = CUT * step
        else:
            break  # no nearer place has a smaller loss that float64 could tell
        point, here = point + step, there
    return Optimum(point, here.loss, here.curvature)


def _first_point(
    design: Floats, target: Floats, weight: Floats, penalty: Floats, start: Floats
) -> Floats:
    if len(target) <= SAMPLE:
        return start
    every = slice(None, None, len(target) // SAMPLE + 1)
    share = float(weight[every].sum() / weight.sum())
    sample = newton(
        np.ascontiguousarray(design[every]),
        target[every],
        weight=weight[every],
        penalty=penalty * share,
        start=start,
    )
    return sample.coefficients


class _Sums(NamedTuple):
    loss: float
    slope: Floats
    curvature: Floats


def _sums(design: Floats, target: Floats, weight: Floats, point: Floats) -> _Sums:
    """Return the loss, its (d,) slope and its (d, d) curvature, summed over all rows."""
    d = len(point)
    total = np.zeros((1 + d, 1 + d))
    for first in range(0, len(target), CHUNK):  # sums of sums: less is lost by rounding
        part = np.zeros((1 + d, 1 + d))
        rows = slice(first, first + CHUNK)
        _add_rows(design[rows], *read_only(target[rows], weight[rows]), point, part)
        total += part
    return _Sums(float(total[0, 0]), total[0, 1:], total[1:, 1:] + np.tril(total[1:, 1:], -1).T)


@compiled
def _add_rows(design: Floats, target: Floats, weight: Floats, point: Floats, total: Floats) -> None:
    """Add the rows' loss at [0, 0], slope at [0, 1:], and lower half of the curvature."""
    d = len(point)
    for i in range(len(target)):
        z = 0.0
        for j in range(d):
            z += design[i, j] * point[j]
        tail = np.exp(-abs(z))
        below = 1.0 / (1.0 + tail)
        share = below if z >= 0 else tail * below
        total[0, 0] += weight[i] * (max(z, 0.0) - target[i] * z + np.log1p(tail))
        pull = weight[i] * (share - target[i])
        bend = weight[i] * tail * below * below
        for j in range(d):
            total[0, 1 + j] += pull * design[i, j]
            bent = bend * design[i, j]
            for other in range(j + 1):
                total[1 + j, 1 + other] += bent * design[i, other]


# ------------------------------------------------------------------ Platt scaling

SEPARATED = "the classes are perfectly separated, so the slope depends only on the number of rows"
TURNED = "higher scores have lower observed frequencies, so the order of the rows is reversed"
CONSTANT = "every row has the same score, so all get the share of the class"


def platt(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the logistic curve of the log-odds, or of a rating (Platt 1999).

    q = 1 / (1 + exp(-(intercept + slope x))), x = ln p - ln(1 - p) or the rating, with the least
    cross entropy towards the targets (N+ + 1)/(N+ + 2) where the event is observed and 1/(N- + 2)
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
    if np.ptp(x) == 0:  # one score separates nothing
        return False
    hits, misses = x[hit], x[~hit]
    return bool(misses.max() <= hits.min() or hits.max() <= misses.min())


def _through_value(event: Event, hit: Truths, weight: Floats) -> EventFit:
    curve = logistic((event.value,), platt_targets(hit, weight), weight=weight)
    return _fit(Logistic(curve.intercept, value=curve.slopes[0]), event.value, hit)


def _fit(form: Logistic, x: Floats, hit: Truths) -> EventFit:
    slope = form.value or form.log_odds
    if not slope:
        return EventFit(form, 1, (CONSTANT,))
    notes = (SEPARATED,) * separated(x, hit) + (TURNED,) * (slope < 0)
    return EventFit(form, 2, notes)


# ------------------------------------------------------------------ beta calibration

ALL, SAME_SLOPES, FIXED_MIDDLE = "abm", "am", "ab"
KINDS = (ALL, SAME_SLOPES, FIXED_MIDDLE)

FLAT = (
    "no increasing beta curve has a smaller log loss than a constant, so all rows get the "
    "same probability"
)
ONE_SLOPE = "the best curve is not increasing, so its {} is left out, as in the paper"


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
    [0.186, 0.432, 0.568, 0.814]
    """
    kind = one_of("parameters", parameters, KINDS)
    x, log, log_rest = event.log_odds(), event.log(), event.log_rest()
    crossing = 0.0 if kind == FIXED_MIDDLE else None
    apart = _beta_separated(x, hit, crossing)
    target = shared_targets(hit, weight)
    if kind == SAME_SLOPES:
        features: tuple[Floats, ...] = (x,)
    else:
        shift = math.log(2.0) if kind == FIXED_MIDDLE else 0.0
        features = (log + shift, -log_rest - shift)
    curve = _rising(features, target, weight, intercept=kind != FIXED_MIDDLE)
    notes = (CONSTANT,) if np.ptp(x) == 0 else (SEPARATED,) * apart + _left_out(curve)
    free = sum(slope > 0 for slope in curve.slopes) + (kind != FIXED_MIDDLE)
    return EventFit(_form(curve, kind), free, notes)


def _beta_separated(x: Floats, hit: Truths, crossing: float | None) -> bool:
    """Return whether a rising curve can put all hits above its middle and all others below.

    Where the middle is fixed, it must lie between them.
    """
    above, below = x[hit].min(), x[~hit].max()
    return bool(below <= above and (crossing is None or below <= crossing <= above))


def _rising(
    features: tuple[Floats, ...], target: Floats, weight: Floats, *, intercept: bool
) -> LogisticCurve:
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


def _left_out(curve: LogisticCurve) -> tuple[str, ...]:
    if not any(curve.slopes):
        return (FLAT,)
    names = [name for name, slope in zip("ab", curve.slopes, strict=False) if not slope]
    return tuple(ONE_SLOPE.format(name) for name in names)


def _form(curve: LogisticCurve, kind: str) -> Logistic:
    if kind == SAME_SLOPES:
        return Logistic(curve.intercept, log_odds=curve.slopes[0])
    a, b = curve.slopes
    middle = (a - b) * math.log(2.0) if kind == FIXED_MIDDLE else curve.intercept
    return Logistic(middle, log=a, log_rest=0.0 - b)
