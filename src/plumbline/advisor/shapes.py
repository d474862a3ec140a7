"""What a map did to the order of the rows: miscalibration, discrimination, ROC area, ties."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Profile, ProfileStatistic, profile_statistic, setting
from plumbline.calibration.corp import discrimination, miscalibration
from plumbline.calibration_tests.subject import Ask
from plumbline.metrics import metric_named, metric_value
from plumbline.metrics.rankings import concordant_share
from plumbline.metrics.rates import usual_class
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

MOST_CELLS = 20_000_000  # rows times classes whose order is looked at, a few seconds' work
RULES = (miscalibration(), discrimination(), concordant_share)


@dataclass(frozen=True, slots=True)
class Shape:
    """Brier score's miscalibration and discrimination, and the ROC area.

    The area is the mean over the classes that some rows are of and some are not. NaN where a
    number is not defined.
    """

    miscalibration: float
    discrimination: float
    roc_auc: float


UNKNOWN = Shape(np.nan, np.nan, np.nan)


def shape_of(data: Predictions) -> Shape:
    """Return the shape of one table; of ratings only the area is there.

    Brier score = miscalibration - discrimination + uncertainty (Dimitriadis, Gneiting and Jordan
    2021), all of the positive class where there are two, else summed over the classes.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> shape = shape_of(data)
    >>> round(shape.miscalibration, 3), round(shape.discrimination, 3), shape.roc_auc
    (0.06, 0.125, 0.75)
    """
    if data.n * data.k > MOST_CELLS or not data.mass.any():
        return UNKNOWN
    view = usual_class(data)
    if data.prob is None:
        return Shape(np.nan, np.nan, metric_value(metric_named("roc-auc"), data, Ask(view=view)))
    what = profile_statistic(data, setting(data, view), _all_three)
    values = _values(what)
    areas = values[:, 2][np.isfinite(values[:, 2])]
    miscalibrated, discriminated = values[:, :2].sum(axis=0)
    area = float(areas.mean()) if len(areas) else np.nan
    return Shape(float(miscalibrated), float(discriminated), area)


def _all_three(profile: Profile) -> Any:
    ready = [rule(profile) for rule in RULES]
    return lambda hits: np.vstack([error(hits) for error in ready])


def _values(what: ProfileStatistic) -> Floats:
    """Return (classes, 3) numbers."""
    tally = what.tally(1)
    tally.add(slice(0, len(what.actual)), what.actual.astype(np.int32)[:, None])
    found = [part.error(tally.hits[part.start : part.stop])[:, 0] for part in what.parts]
    return np.array(found, np.float64)


def mean_shape(shapes: list[Shape], mass: list[float]) -> Shape:
    """Return the weighted mean of the parts' shapes, each over the parts that have the number."""
    values = np.array([(s.miscalibration, s.discrimination, s.roc_auc) for s in shapes])
    weight = np.where(np.isfinite(values), np.array(mass)[:, None], 0.0)
    total = weight.sum(axis=0)
    sums = (np.where(weight > 0, values, 0.0) * weight).sum(axis=0)
    means = np.divide(sums, total, out=np.full(3, np.nan), where=total > 0)
    return Shape(*map(float, means))


def tied(data: Predictions) -> Truths:
    """Return (n,) whether a row shares its probability with another row.

    It is the positive class's of two, else the largest; of ratings the rating itself.

    >>> tied(Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.6])).tolist()
    [False, True, True]
    """
    values = data.score if data.prob is None else data.prob
    if values is None:
        return np.zeros(data.n, np.bool_)
    if values.ndim == 2:
        values = values[:, data.positive] if data.k == 2 else values.max(axis=1)
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(count[place] > 1, np.bool_)
