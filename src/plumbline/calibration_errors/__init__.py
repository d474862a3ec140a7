"""Calibration errors with their null distribution, and what a p-value is made of."""

from plumbline.calibration_errors.bin_sensitivity import (
    BinSensitivity,
    PresetComparison,
    bin_sensitivity,
    compare_presets,
)
from plumbline.calibration_errors.calibration_error import (
    ErrorSteps,
    calibration_error,
    error_steps,
    worst_classes,
)
from plumbline.calibration_errors.corp_curve import CorpCurve, corp_curve
from plumbline.calibration_errors.equivalence import EquivalenceTest, calibration_within
from plumbline.calibration_errors.group_sums import CrossTables, Events, biases
from plumbline.calibration_errors.named_tests import (
    TESTS,
    NamedStatistic,
    NamedTest,
    StatisticParams,
    named_test,
)
from plumbline.calibration_errors.next_steps import next_step
from plumbline.calibration_errors.outcome_share import OutcomeShares
from plumbline.calibration_errors.p_values import (
    NullSummary,
    adjusted_p_values,
    central_range,
    compare_with_draws,
    null_summary,
    of_all_rows,
    tails_of,
)
from plumbline.calibration_errors.reliability_curve import error_and_curve, reliability_curve
from plumbline.calibration_errors.results import (
    CalibrationError,
    CalibrationTest,
    NullHistogram,
    ReliabilityCurve,
    null_histogram,
)

__all__ = [
    "TESTS",
    "BinSensitivity",
    "CalibrationError",
    "CalibrationTest",
    "CorpCurve",
    "CrossTables",
    "EquivalenceTest",
    "ErrorSteps",
    "Events",
    "NamedStatistic",
    "NamedTest",
    "NullHistogram",
    "NullSummary",
    "OutcomeShares",
    "PresetComparison",
    "ReliabilityCurve",
    "StatisticParams",
    "adjusted_p_values",
    "biases",
    "bin_sensitivity",
    "calibration_error",
    "calibration_within",
    "central_range",
    "compare_presets",
    "compare_with_draws",
    "corp_curve",
    "error_and_curve",
    "error_steps",
    "named_test",
    "next_step",
    "null_histogram",
    "null_summary",
    "of_all_rows",
    "reliability_curve",
    "tails_of",
    "worst_classes",
]
