"""A map as lines: the recalibrated probability of each class against its input."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._result import Result
from plumbline.recalibration.forms import OneVsRest, Steps
from plumbline.recalibration.inputs import SCORE, Event
from plumbline.recalibration.map import RecalibrationMap

Floats = NDArray[np.float64]

POINTS = 401  # at which a line is computed, beside its knots
FAINTEST, EDGE_POINTS = 1e-6, 60  # a map of log-odds is steep near 0 and 1
FAR = 0.995  # a logistic curve of ratings goes until here


@dataclass(frozen=True, repr=False, eq=False)
class MapLines(Result):
    """The lines of a map.

    Attributes
    ----------
    x : (m,) probabilities or ratings
    y : class -> (m,) recalibrated probabilities; of two classes only the positive one
    note : how the lines of several classes are computed
    """

    x: Floats
    y: Mapping[str, Floats]
    note: str | None = None


def map_lines(
    fitted: RecalibrationMap,
    *,
    ratings: ArrayLike | None = None,
    most: int | None = None,
) -> MapLines:
    """Return a map as lines, one per class; of two classes the positive one's.

    If the map treats classes one by one, the lines are before the division by their sum; if it
    takes all at once, the rest is split evenly among the other classes.

    Parameters
    ----------
    fitted : RecalibrationMap
        A fitted map.
    ratings : array_like of float, optional
        Ratings over whose finite range a map of ratings is computed; by default the range in which
        the map changes.
    most : int, optional
        Largest number of classes, the first ones. By default all.

    Returns
    -------
    MapLines
        Points over the whole range, and at both sides of each jump.

    Examples
    --------
    >>> from plumbline.predictions import Predictions
    >>> from plumbline.recalibration import fit_map
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8])
    >>> lines = map_lines(fit_map(data, "isotonic"))
    >>> list(lines.y), float(lines.y["1"].min()), float(lines.y["1"].max())
    (['1'], 0.3333333333333333, 0.6666666666666666)
    """
    x = _places(fitted, ratings)
    names = fitted.classes[:most] if fitted.positive is None else (fitted.positive,)
    y = {name: _answers(fitted, fitted.classes.index(name), x) for name in names}
    return MapLines(x, y, lines_note(fitted))


def lines_note(fitted: RecalibrationMap) -> str | None:
    """Say what the lines of several classes are; None of two classes."""
    if len(fitted.classes) == 2:
        return None
    if _forms(fitted):
        return "The lines are shown before the division by their sum."
    if fitted.on == SCORE:
        return "The ratings of all other classes are held at 0."
    return "The rest of the probability is split evenly among the other classes."


def _places(fitted: RecalibrationMap, ratings: ArrayLike | None) -> Floats:
    """Return where the lines are computed: all over the range, and at both sides of a jump."""
    knots = np.concatenate([np.empty(0), *(_knots(form) for form in _forms(fitted))])
    if fitted.on != SCORE:
        faint = np.geomspace(FAINTEST, 0.01, EDGE_POINTS)
        places = np.concatenate([np.linspace(0, 1, POINTS), faint, 1 - faint, knots])
        return np.unique(places[(places >= 0) & (places <= 1)])
    known = _rated(fitted, knots) if ratings is None else np.asarray(ratings, np.float64)
    known = known[np.isfinite(known)]
    low, high = float(known.min()), float(known.max())
    inside = knots[(knots >= low) & (knots <= high)]
    return np.unique(np.concatenate([np.linspace(low, high, POINTS), inside]))


def _forms(fitted: RecalibrationMap) -> tuple[Any, ...]:
    return fitted.form.forms if isinstance(fitted.form, OneVsRest) else ()


def _knots(form: Any) -> Floats:
    if isinstance(form, Steps):
        return np.concatenate([form.edges, np.nextafter(form.edges, np.inf)])
    return np.asarray(getattr(form, "knots", ()), np.float64)


def _rated(fitted: RecalibrationMap, knots: Floats) -> Floats:
    """Return ratings between which a map of ratings does what it does."""
    if len(knots):
        low, high = float(knots.min()), float(knots.max())
        rim = 0.05 * (high - low) or 1.0
        return np.array([low - rim, high + rim])
    far = math.log(FAR / (1 - FAR))
    slopes = [
        (form.value + form.log_odds, form.intercept)
        for form in _forms(fitted)
        if getattr(form, "value", 0) + getattr(form, "log_odds", 0)
    ]
    ends = [(sign * far - shift) / slope for slope, shift in slopes for sign in (-1, 1)]
    weights = getattr(fitted.form, "weights", None)
    if weights is not None:
        steepest = float(np.abs(weights).max()) or 1.0
        ends = [-far / steepest, far / steepest]
    return np.array(ends or [-far, far])


def _answers(fitted: RecalibrationMap, column: int, x: Floats) -> Floats:
    """Return the recalibrated probability of a class at the places."""
    forms = _forms(fitted)
    k = len(fitted.classes)
    if forms:
        form = forms[0] if k == 2 else forms[column]
        rest = None if fitted.on == SCORE else 1.0 - x
        recalibrated: Floats = form(Event(fitted.on, x, rest, least=fitted.least)).prob[:, 1]
        return recalibrated
    if k == 2:
        return fitted.transform(x)[:, column]
    others = np.zeros_like(x) if fitted.on == SCORE else (1.0 - x) / (k - 1)
    wide = np.repeat(others[:, None], k, axis=1)
    wide[:, column] = x
    return fitted.transform(wide)[:, column]
