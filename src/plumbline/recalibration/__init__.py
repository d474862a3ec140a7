"""Maps that recalibrate probabilities: fitted on held-out predictions, then frozen."""

from plumbline.recalibration.fit_map import CrossFitted, cross_fitted, dealt_parts, fit_map
from plumbline.recalibration.forms import (
    Logistic,
    OneVsRest,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
    Unchanged,
)
from plumbline.recalibration.inputs import INPUTS, PROBABILITY, SCORE
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.map_lines import map_lines
from plumbline.recalibration.methods import AUTO, METHODS, NONE, Method, method_named
from plumbline.recalibration.remembered import Remembered

__all__ = [
    "AUTO",
    "INPUTS",
    "METHODS",
    "NONE",
    "PROBABILITY",
    "SCORE",
    "CrossFitted",
    "Logistic",
    "Method",
    "OneVsRest",
    "PiecewiseLinear",
    "RecalibrationMap",
    "Remembered",
    "Softmax",
    "Spline",
    "Steps",
    "Unchanged",
    "cross_fitted",
    "dealt_parts",
    "fit_map",
    "map_lines",
    "method_named",
]
