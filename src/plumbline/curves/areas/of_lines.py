"""The area under a line that has been drawn, where that area has a name."""

import math

import numpy as np

from plumbline.curves.lines import Curve, Line
from plumbline.curves.presets import PRESETS, preset_of
from plumbline.curves.settings import CurveSettings

AUC, AVERAGE_PRECISION = "AUC", "average precision"
HAS_AREA = ("merge", "none", "vertical")


def area_name(curve: Curve) -> str | None:
    """Return what the area under the lines of a curve is called; None where it has no name.

    Only where every state is a point (merge "last") are these the area under the ROC curve and the
    average precision.
    """
    return _name(curve.settings)


def _name(settings: CurveSettings) -> str | None:
    preset = preset_of(settings)
    if settings.merge != "last" or settings.direction == "unsorted":
        return None
    if settings.average not in HAS_AREA:
        return None
    if preset is PRESETS["roc"]:
        return AUC
    return AVERAGE_PRECISION if preset is PRESETS["precision-recall"] else None


def line_area(curve: Curve, line: Line) -> float:
    """Return the area under a line of a ROC or precision-recall curve, NaN where it has no point.

    The first by trapezia, which counts ties half, as `roc_auc` does; the second by steps, sum of
    precision times gain in recall, as `average_precision` does. Of the rows that the line is of:
    a filter and the sort key are in it. That of an average is the mean of the areas of its lines.

    >>> from plumbline import Predictions
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found = curve(data, "roc"), curve(data, "precision-recall")
    >>> [round(line_area(one, one.lines[0]), 3) for one in found]
    [0.75, 0.833]
    """
    return area_under(line, curve.settings)


def area_under(line: Line, settings: CurveSettings) -> float:
    """Return `line_area` of a line that is not part of a curve yet."""
    name = _name(settings)
    if name is None or not len(line):
        return math.nan
    if line.area is not None:
        return line.area
    upwards = slice(None, None, -1) if settings.direction == "ascending" else slice(None)
    x, y = line.x[upwards], line.y[upwards]
    if name == AUC:
        return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)
    return float((np.diff(x, prepend=0.0) * y).sum())
