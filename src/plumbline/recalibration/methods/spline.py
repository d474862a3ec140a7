"""Spline calibration: a smooth logistic curve."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.recalibration.forms import EventFit, Spline
from plumbline.recalibration.inputs import Event
from plumbline.recalibration.methods.distinct_scores import distinct_scores
from plumbline.recalibration.methods.logistic import (
    SEPARATED,
    Optimum,
    newton,
    platt,
    platt_levels,
    separated,
)

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

# Knots; 0 lets the rows decide; between these bounds, which are conventions.
AUTOMATIC, FEWEST, MOST = 0, 3, 200
USUAL = 30  # knots: the penalty, not their number, makes the curve smooth
NEAREST = 1e-6  # of the width of the middle 90 %: knots nearer than this are one
CELLS = 1000  # more distinct values are summed in so many cells of equal weight
ROUGHEST, STRAIGHTEST, TRIALS = 1e-3, 1e7, 21  # penalties, relative to the first bend's
TOUCH = 1e-10  # of the mean spread: keeps knots of next to no weight from being free
REACH = 1e60  # ratings in these powers of ten can be cubed

FLAT = 1e-9  # a slope this far below 0, relative to the steepest, is rounding

FEW = "there are too few distinct values for a spline, so Platt scaling is used"
EXTREME = "ratings of this size overflow when cubed, so Platt scaling is used"
SMOOTHED = "effective parameters: {:.1f}"
FALLS = "the curve is not increasing everywhere, so the order of some rows changes"


def spline(event: Event, hit: Truths, weight: Floats, *, knots: int = AUTOMATIC) -> EventFit:
    """Return a smoothing spline of the log-odds (Lucena 2018).

    q = 1 / (1 + exp(-g(x))), x = ln p - ln(1 - p) or the rating, and g the natural cubic spline
    that makes cross entropy + penalty * integral g''^2 / 2 least; straight outside. Knots stand at
    weighted quantiles of x, by default min(30, distinct values / 4). The targets are those of Platt
    scaling, which the spline therefore is where the penalty is large. The penalty is the one of
    largest marginal likelihood, by Laplace's approximation (Wood 2011).

    Raises ParameterError where `knots` is neither 0 nor 3 to 200.

    >>> rng = np.random.default_rng(0)
    >>> rating = rng.normal(size=4000)
    >>> actual = rng.random(4000) < 1 / (1 + np.exp(-(rating**3)))
    >>> fit = spline(Event("score", rating), actual, np.ones(4000))
    >>> fit.form(Event("score", np.array([-1.5, 0.0, 0.5, 1.5]))).prob[:, 1].round(2).tolist()
    [0.03, 0.5, 0.53, 0.96]
    """
    wanted = whole_number("knots", knots, least=AUTOMATIC, most=MOST)
    if wanted:
        whole_number("knots", wanted, least=FEWEST)
    x = event.log_odds()
    if np.abs(x).max() > REACH:
        return _line(event, hit, weight, EXTREME)
    cells = _cells(x, hit, weight)
    scale = _middle_width(cells)
    if 0 < scale < 1 / REACH:
        return _line(event, hit, weight, EXTREME)
    places = _apart(_places(cells, wanted), NEAREST * scale)
    if len(places) < FEWEST:
        return _line(event, hit, weight, FEW)
    basis = _basis((cells.x - places[0]) / scale, (places - places[0]) / scale)
    smoothed = _smoothed(cells, basis)
    pieces = _pieces(places, smoothed.values, basis.bends @ smoothed.values / scale**2)
    notes = [SMOOTHED.format(smoothed.effective)]
    notes += [SEPARATED] * separated(x, hit) + [FALLS] * _falls(places, pieces)
    return EventFit(Spline(places, pieces), round(smoothed.effective), tuple(notes))


def _line(event: Event, hit: Truths, weight: Floats, reason: str) -> EventFit:
    fit = platt(event, hit, weight)
    return fit._replace(notes=(reason, *fit.notes))


class _Cells(NamedTuple):
    """Rows of (nearly) the same x: their mean, the mean of their targets, and their weight."""

    x: Floats
    target: Floats
    weight: Floats


def _cells(x: Floats, hit: Truths, weight: Floats) -> _Cells:
    score, mass, hits = distinct_scores(x, hit, weight)
    starts = np.arange(len(score))
    if len(starts) > CELLS:
        passed = np.cumsum(mass)
        cell = np.minimum(passed / passed[-1] * CELLS, CELLS - 1).astype(np.intp)
        starts = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
    ends = np.append(starts[1:], len(score))
    first, last = score[starts], score[ends - 1]
    total, positives = np.add.reduceat(mass, starts), np.add.reduceat(hits, starts)
    beyond = np.add.reduceat(mass * (score - np.repeat(first, ends - starts)), starts)
    mean = np.minimum(first + beyond / total, last)  # so the means rise, whatever is rounded
    low, high = platt_levels(hit, weight)
    return _Cells(mean, low + (high - low) * positives / total, total)


def _places(cells: _Cells, wanted: int) -> Floats:
    """Return the knots: cells at equal shares of the weight, the first and the last among them."""
    count = wanted or max(FEWEST, min(USUAL, len(cells.x) // 4))
    passed = np.cumsum(cells.weight)
    cell = np.searchsorted(passed, np.linspace(0, 1, count)[1:-1] * passed[-1])
    inner = np.minimum(cell, len(cells.x) - 1)
    places: Floats = cells.x[np.unique(np.concatenate([[0], inner, [len(cells.x) - 1]]))]
    return places


def _apart(places: Floats, least: float) -> Floats:
    """Return the knots without those that follow another one too closely; the last one stays."""
    kept = [places[0]]
    for place in places[1:]:
        if place - kept[-1] > least:
            kept.append(place)
    if len(kept) > 1:
        kept[-1] = places[-1]
    return np.array(kept)


def _middle_width(cells: _Cells) -> float:
    """Return the width of the middle 90 % of the weight, or of all where that is one value."""
    passed = np.cumsum(cells.weight)
    low, high = cells.x[np.searchsorted(passed, np.array([0.05, 0.95]) * passed[-1])]
    return float(high - low) or float(cells.x[-1] - cells.x[0])


class _Basis(NamedTuple):
    """Natural cubic splines by their values at the knots.

    Attributes
    ----------
    design : (n, m) from these values to those at n places
    bends : (m, m) from these values to the second derivatives at the knots
    roughness : (m, m) integral of g''^2 as a quadratic form
    """

    design: Floats
    bends: Floats
    roughness: Floats


def _basis(x: Floats, places: Floats) -> _Basis:
    """Return the splines of Green and Silverman 1994, section 2.1, every x between the knots."""
    m, width = len(places), np.diff(places)
    inner = np.arange(m - 2)
    differences = np.zeros((m, m - 2))  # their Q
    differences[inner, inner] = 1 / width[:-1]
    differences[inner + 1, inner] = -1 / width[:-1] - 1 / width[1:]
    differences[inner + 2, inner] = 1 / width[1:]
    overlaps = np.diag((width[:-1] + width[1:]) / 3)  # their R
    overlaps[inner[1:], inner[:-1]] = overlaps[inner[:-1], inner[1:]] = width[1:-1] / 6
    bends = np.zeros((m, m))
    bends[1:-1] = np.linalg.solve(overlaps, differences.T)
    j = np.clip(np.searchsorted(places, x, side="right") - 1, 0, m - 2)
    t, h, rows = x - places[j], width[j], np.arange(len(x))
    straight, bent = np.zeros((len(x), m)), np.zeros((len(x), m))
    straight[rows, j], straight[rows, j + 1] = 1 - t / h, t / h
    bent[rows, j] = -t * (h - t) / 6 * (2 - t / h)
    bent[rows, j + 1] = -t * (h - t) / 6 * (1 + t / h)
    return _Basis(straight + bent @ bends, bends, differences @ bends[1:-1])


class _Smoothed(NamedTuple):
    """Values at the knots, and what they are worth in freely fitted numbers."""

    values: Floats
    effective: float


def _smoothed(cells: _Cells, basis: _Basis) -> _Smoothed:
    """Return the spline whose penalty has the largest marginal likelihood.

    In the directions of `_directions` the penalty is diagonal and the curvature about 1, so every
    penalty's fit takes a few Newton steps from the one before.
    """
    turned, roughness = _directions(cells, basis)
    design = np.ascontiguousarray(basis.design @ turned)
    bent = roughness > 0
    evidence, fits, point = [], [], np.zeros(len(turned))
    for penalty in np.geomspace(STRAIGHTEST, ROUGHEST, TRIALS) / roughness[bent].min():
        optimum = newton(
            design,
            cells.target,
            weight=cells.weight,
            penalty=np.diag(penalty * roughness),
            start=point,
        )
        point = optimum.coefficients
        evidence.append(_evidence(optimum, penalty * roughness))
        hat = np.linalg.solve(optimum.curvature + np.diag(penalty * roughness), optimum.curvature)
        fits.append(_Smoothed(turned @ point, float(np.trace(hat))))
    return fits[int(np.argmin(evidence))]


def _directions(cells: _Cells, basis: _Basis) -> tuple[Floats, Floats]:
    """Return (m, m) directions in which the spread of the values is 1, and (m,) their roughness.

    Spread is weighted as the curvature of the loss at equal probabilities. The first two
    directions are the straight lines, whose roughness is exactly 0.
    """
    from scipy.linalg import eigh

    share = float(np.average(cells.target, weights=cells.weight))
    mass = cells.weight * share * (1 - share)
    spread = basis.design.T @ (mass[:, None] * basis.design)
    spread += TOUCH * np.trace(spread) / len(spread) * np.eye(len(spread))
    roughness, turned = eigh(basis.roughness, spread)
    roughness[:2] = 0.0
    return turned, np.maximum(roughness, 0.0)


def _evidence(optimum: Optimum, penalty: Floats) -> float:
    """Return minus the log marginal likelihood, up to a constant (Wood 2011, equation 4)."""
    bent = penalty > 0
    bare = optimum.loss + 0.5 * float(penalty @ np.square(optimum.coefficients))
    curved = np.linalg.slogdet(optimum.curvature + np.diag(penalty))[1]
    return bare + 0.5 * (float(curved) - float(np.log(penalty[bent]).sum()))


def _pieces(places: Floats, values: Floats, bends: Floats) -> Floats:
    """Return (m - 1, 4) coefficients of the cubics from values and second derivatives."""
    width = np.diff(places)
    return np.column_stack(
        [
            values[:-1],
            np.diff(values) / width - width * (2 * bends[:-1] + bends[1:]) / 6,
            bends[:-1] / 2,
            np.diff(bends) / (6 * width),
        ]
    )


def _falls(places: Floats, pieces: Floats) -> bool:
    """Return whether a slope is below 0 at a knot or where a cubic is least steep."""
    width = np.diff(places)
    _, c1, c2, c3 = pieces.T
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.nan_to_num(-c2 / (3 * c3))
    at = np.stack([np.zeros_like(width), width, np.clip(least, 0, width)])
    slope = c1 + at * (2 * c2 + at * 3 * c3)
    return bool(slope.min() < -FLAT * np.abs(slope).max())
