"""Calibration errors with their null distribution, and calibration tests."""

from plumbline.calibration_tests.bin_sensitivity import (
    BinSensitivity,
    PresetComparison,
    bin_sensitivity,
    compare_presets,
)
from plumbline.calibration_tests.calibration_by import (
    CalibrationTests,
    GroupCalibration,
    calibration_by,
    calibration_test_by,
)
from plumbline.calibration_tests.calibration_error import (
    ErrorSteps,
    calibration_error,
    error_steps,
    worst_classes,
)
from plumbline.calibration_tests.calibration_heterogeneity import (
    CalibrationHeterogeneity,
    calibration_heterogeneity,
)
from plumbline.calibration_tests.calibration_test import CountTest, calibration_test, count_test
from plumbline.calibration_tests.class_heat_map import ClassHeatMap, class_heat_map
from plumbline.calibration_tests.conditional_bias import ConditionalBias, conditional_bias
from plumbline.calibration_tests.corp_curve import CorpCurve, corp_curve
from plumbline.calibration_tests.diagnose import Diagnosis, diagnose
from plumbline.calibration_tests.equivalence import EquivalenceTest, calibration_within
from plumbline.calibration_tests.group_sums import Events
from plumbline.calibration_tests.named_tests import (
    TESTS,
    NamedStatistic,
    NamedTest,
    StatisticParams,
)
from plumbline.calibration_tests.omnibus import omnibus_p_value
from plumbline.calibration_tests.outcome_share import OutcomeShares
from plumbline.calibration_tests.p_values import (
    NullSummary,
    Resampling,
    adjusted_p_values,
    compare_with_draws,
    of_all_rows,
)
from plumbline.calibration_tests.reliability_curve import error_and_curve, reliability_curve
from plumbline.calibration_tests.results import (
    CalibrationError,
    CalibrationTest,
    NullHistogram,
    ReliabilityCurve,
    null_histogram,
)
from plumbline.calibration_tests.row_groups import row_groups_of
from plumbline.calibration_tests.worst_slice import SliceSearch, worst_slice

__all__ = [
    "TESTS",
    "BinSensitivity",
    "CalibrationError",
    "CalibrationHeterogeneity",
    "CalibrationTest",
    "CalibrationTests",
    "ClassHeatMap",
    "ConditionalBias",
    "CorpCurve",
    "CountTest",
    "Diagnosis",
    "EquivalenceTest",
    "ErrorSteps",
    "Events",
    "GroupCalibration",
    "NamedStatistic",
    "NamedTest",
    "NullHistogram",
    "NullSummary",
    "OutcomeShares",
    "PresetComparison",
    "ReliabilityCurve",
    "Resampling",
    "SliceSearch",
    "StatisticParams",
    "adjusted_p_values",
    "bin_sensitivity",
    "calibration_by",
    "calibration_error",
    "calibration_heterogeneity",
    "calibration_test",
    "calibration_test_by",
    "calibration_within",
    "class_heat_map",
    "compare_presets",
    "compare_with_draws",
    "conditional_bias",
    "corp_curve",
    "count_test",
    "diagnose",
    "error_and_curve",
    "error_steps",
    "null_histogram",
    "of_all_rows",
    "omnibus_p_value",
    "reliability_curve",
    "row_groups_of",
    "worst_classes",
    "worst_slice",
]
