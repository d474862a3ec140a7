"""Calibration in groups of rows: by attribute, in the worst slice, along a feature, by class."""

from plumbline.calibration_tests.groups.attribute import GroupCalibration, calibration_by
from plumbline.calibration_tests.groups.classes import ClassHeatMap, class_heat_map
from plumbline.calibration_tests.groups.conditional import ConditionalBias, conditional_bias
from plumbline.calibration_tests.groups.slices import SliceSearch, worst_slice

__all__ = [
    "ClassHeatMap",
    "ConditionalBias",
    "GroupCalibration",
    "SliceSearch",
    "calibration_by",
    "class_heat_map",
    "conditional_bias",
    "worst_slice",
]
