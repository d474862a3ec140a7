"""Calibration of groups of rows and of sites: one test each, differences, the worst slice."""

from plumbline.group_calibration.calibration_by import (
    CalibrationTests,
    GroupCalibration,
    calibration_by,
    calibration_test_by,
)
from plumbline.group_calibration.calibration_heterogeneity import (
    CalibrationHeterogeneity,
    calibration_heterogeneity,
)
from plumbline.group_calibration.class_heat_map import ClassHeatMap, class_heat_map
from plumbline.group_calibration.conditional_bias import ConditionalBias, conditional_bias
from plumbline.group_calibration.worst_slice import SliceSearch, worst_slice

__all__ = [
    "CalibrationHeterogeneity",
    "CalibrationTests",
    "ClassHeatMap",
    "ConditionalBias",
    "GroupCalibration",
    "SliceSearch",
    "calibration_by",
    "calibration_heterogeneity",
    "calibration_test_by",
    "class_heat_map",
    "conditional_bias",
    "worst_slice",
]
