"""Calibration tests: the omnibus, the shapes of miscalibration that it names, the tests by name."""

from plumbline.calibration_errors import ErrorSteps, error_and_curve, error_steps
from plumbline.calibration_tests.calibration_test import CountTest, calibration_test, count_test
from plumbline.calibration_tests.diagnose import Diagnosis, diagnose
from plumbline.calibration_tests.omnibus import omnibus_p_value, omnibus_p_values
from plumbline.calibration_tests.omnibus_families import Ratios
from plumbline.calibration_tests.shape_forms import (
    Contamination,
    Shift,
    Temperature,
    WeightedRows,
    class_shift,
)

__all__ = [
    "Contamination",
    "CountTest",
    "Diagnosis",
    "ErrorSteps",
    "Ratios",
    "Shift",
    "Temperature",
    "WeightedRows",
    "calibration_test",
    "class_shift",
    "count_test",
    "diagnose",
    "error_and_curve",
    "error_steps",
    "omnibus_p_value",
    "omnibus_p_values",
]
