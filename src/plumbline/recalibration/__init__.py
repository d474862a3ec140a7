"""Maps that recalibrate probabilities: fitted on held-out predictions, then frozen."""

from plumbline.recalibration.fit_map import cross_fitted, dealt_parts, fit_map
from plumbline.recalibration.inputs import INPUTS, PROBABILITY, SCORE
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.methods import AUTO, METHODS, NONE, Method, method_named

__all__ = [
    "AUTO",
    "INPUTS",
    "METHODS",
    "NONE",
    "PROBABILITY",
    "SCORE",
    "Method",
    "RecalibrationMap",
    "cross_fitted",
    "dealt_parts",
    "fit_map",
    "method_named",
]
