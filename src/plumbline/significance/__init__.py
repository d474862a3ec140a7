"""Calibration errors with their null, and calibration tests: a statistic and its distribution."""

from plumbline.significance.answers import CalibrationError, CalibrationTest, ReliabilityCurve
from plumbline.significance.conventions import PresetComparison, compare_presets
from plumbline.significance.corp import CorpCurve, corp_curve
from plumbline.significance.counting import CountTest, count_test
from plumbline.significance.curves import error_and_curve, reliability_curve
from plumbline.significance.ece import calibration_error
from plumbline.significance.equivalence import EquivalenceTest, calibration_within
from plumbline.significance.families import CalibrationTests, calibration_tests
from plumbline.significance.named import TESTS
from plumbline.significance.sensitivity import BinSensitivity, bin_sensitivity
from plumbline.significance.steps import ErrorSteps, error_steps
from plumbline.significance.testing import calibration_test

__all__ = [
    "TESTS",
    "BinSensitivity",
    "CalibrationError",
    "CalibrationTest",
    "CalibrationTests",
    "CorpCurve",
    "CountTest",
    "EquivalenceTest",
    "ErrorSteps",
    "PresetComparison",
    "ReliabilityCurve",
    "bin_sensitivity",
    "calibration_error",
    "calibration_test",
    "calibration_tests",
    "calibration_within",
    "compare_presets",
    "corp_curve",
    "count_test",
    "error_and_curve",
    "error_steps",
    "reliability_curve",
]
