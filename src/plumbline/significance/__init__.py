"""Calibration errors with their null, and calibration tests: a statistic and its distribution."""

from plumbline.significance.answers import CalibrationError, CalibrationTest, ReliabilityCurve
from plumbline.significance.curves import error_and_curve, reliability_curve
from plumbline.significance.ece import calibration_error, calibration_test, error_and_test

__all__ = [
    "CalibrationError",
    "CalibrationTest",
    "ReliabilityCurve",
    "calibration_error",
    "calibration_test",
    "error_and_curve",
    "error_and_test",
    "reliability_curve",
]
