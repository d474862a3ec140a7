"""Calibration errors with their null, and calibration tests: a statistic and its distribution."""

from plumbline.calibration_tests.answers import CalibrationError, CalibrationTest, ReliabilityCurve
from plumbline.calibration_tests.conventions import PresetComparison, compare_presets
from plumbline.calibration_tests.corp import CorpCurve, corp_curve
from plumbline.calibration_tests.counting import CountTest, count_test
from plumbline.calibration_tests.curves import error_and_curve, reliability_curve
from plumbline.calibration_tests.ece import calibration_error
from plumbline.calibration_tests.equivalence import EquivalenceTest, calibration_within
from plumbline.calibration_tests.families import CalibrationTests, calibration_test_by
from plumbline.calibration_tests.named import TESTS
from plumbline.calibration_tests.sensitivity import BinSensitivity, bin_sensitivity
from plumbline.calibration_tests.steps import ErrorSteps, error_steps
from plumbline.calibration_tests.testing import calibration_test

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
    "calibration_test_by",
    "calibration_within",
    "compare_presets",
    "corp_curve",
    "count_test",
    "error_and_curve",
    "error_steps",
    "reliability_curve",
]
