"""The area under a line that has been drawn, and where the true one lies."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.areas import intervals
from plumbline.curves.lines import Curve, Line
from plumbline.curves.presets import PRESETS, preset_of
from plumbline.curves.settings import CurveSettings
from plumbline.curves.sweep import Sweep
from plumbline.errors import InputError

Floats = NDArray[np.float64]
AUC, AVERAGE_PRECISION, AREA = "AUC", "average precision", "area"
HAS_AREA = ("merge", "none", "vertical")


def named_area(curve: Curve) -> str | None:
    """Return what the area under the lines of a curve is called; None where it has no name.

    Only where every state is a point (merge "last") are these the area under the ROC curve and the
    average precision.
    """
    return _name(curve.settings)


def area_name(curve: Curve) -> str | None:
    """Return `named_area`, else "area" where some line has one; None where none has."""
    return _name(curve.settings) or (None if set(curve.areas) <= {None} else AREA)


def _name(settings: CurveSettings) -> str | None:
    preset = preset_of(settings)
    if settings.merge != "last" or settings.direction == "unsorted":
        return None
    if settings.average not in HAS_AREA:
        return None
    if preset is PRESETS["roc"]:
        return AUC
    return AVERAGE_PRECISION if preset is PRESETS["precision-recall"] else None


def area_under(line: Line, settings: CurveSettings) -> float:
    """Return the area under a line, NaN where it has none.

    That of a ROC curve by trapezia, which counts ties half, as `roc_auc` does; that of a
    precision-recall curve by steps, sum of precision times gain in recall, as `average_precision`
    does; any other by trapezia between its points of finite x, where x only grows or only falls.
    Of the rows that the line is of: a filter and the sort key are in it.

    >>> from plumbline import Predictions
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found = curve(data, "roc"), curve(data, "precision-recall"), curve(data, "gains")
    >>> [round(area_under(one.lines[0], one.settings), 3) for one in found]
    [0.75, 0.833, 0.625]
    """
    name = _name(settings)
    if len(line) == 0:
        return math.nan
    upwards = slice(None, None, -1) if settings.direction == "ascending" else slice(None)
    x, y = line.x[upwards], line.y[upwards]
    if name == AUC:
        return trapezia(x, y)
    if name == AVERAGE_PRECISION:
        return float((np.diff(x, prepend=0.0) * y).sum())
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    steps = np.diff(x)
    if len(x) < 2 or not ((steps >= 0).all() or (steps <= 0).all()) or x[0] == x[-1]:
        return math.nan
    return trapezia(x, y) if x[-1] > x[0] else -trapezia(x, y)


def trapezia(x: Floats, y: Floats) -> float:
    """Return the sum of the trapezia below straight lines from point to point."""
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)


def with_area(line: Line, settings: CurveSettings, sweep: Sweep | None = None) -> Line:
    """Return a line with the area under it and, of the `sweep` it was made of, an interval.

    The interval is that of `roc_auc_interval`, or of the average precision. A line that has an
    interval already, from a band, keeps it; an average of folds or classes has none.
    """
    area = area_under(line, settings) if line.area is None else line.area
    if math.isnan(area):
        return line
    line = replace(line, area=area)
    name = _name(settings)
    if sweep is None or name is None:
        return line
    ends, method = _ends(line, area, settings, sweep)
    return line if math.isnan(ends[0]) else replace(line, area_range=ends, area_method=method)


def _ends(
    line: Line, area: float, settings: CurveSettings, sweep: Sweep
) -> tuple[tuple[float, float], str]:
    """Return the interval of the area of a ROC or precision-recall line."""
    try:
        examples = intervals.examples_of(sweep.rows.data)
    except InputError:  # repeats whose examples nothing tells
        return (math.nan, math.nan), ""
    example = None if examples is None else sweep.rows.kept(examples)
    event, weight, level = sweep.rows.event, sweep.weight, settings.level
    if _name(settings) == AVERAGE_PRECISION:
        ends, _ = intervals.precision_ends(area, event, weight=weight, example=example, level=level)
        return ends, intervals.BINOMIAL
    if weight is None and example is None:
        upwards = slice(None, None, -1) if settings.direction == "ascending" else slice(None)
        counts = round(line.positives), round(line.negatives)
        found = intervals.Area.of_points(line.x[upwards], line.y[upwards], *counts)
    else:
        # Equal sort values are one place, and a missing one comes last, as in the sweep.
        place = np.empty(sweep.n)
        place[sweep.order] = np.searchsorted(sweep.group_ends, np.arange(sweep.n))
        found = intervals.area_of_rows(event, -place, weight=weight, example=example)
    return found.ends(level=level)[0], intervals.SAID["score"]
