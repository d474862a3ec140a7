"""Rows that belong together: who allows for them, and who refuses them."""

from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import InputError

if TYPE_CHECKING:
    from plumbline.predictions.table import Predictions

# Functions whose p-values, ranges and intervals allow for rows in groups, by test.
GROUPED = frozenset(
    (
        *("calibration_error", "calibration_test", "calibration_test_by", "calibration_by"),
        *("calibration_heterogeneity", "calibration_within"),
        *("reliability_curve", "corp_curve", "bin_sensitivity", "compare_presets", "diagnose"),
        *("conditional_bias", "class_heat_map", "worst_slice", "measure", "compare"),
        *("curve", "best_threshold", "curve_difference", "roc_auc_interval", "save_curve"),
        *("confusion_matrix", "rated_matrix", "recalibrate", "recalibration_advice"),
        *("recalibration_effect", "report", "plan", "monitor", "check", "proposed_rules"),
    )
)
# Functions that give numbers alone, which depend on no assumption about rows.
PLAIN = frozenset(
    (
        *("log_loss", "brier_score", "accuracy", "model_scores", "roc_auc", "average_precision"),
        *("precision_recall_area", "class_counts", "cases_between", "check_input"),
    )
)


def group_count(data: "Predictions") -> int | None:
    """Return in how many groups the rows of a table are; None where they are in none."""
    return None if data.group_codes is None else len(np.unique(data.group_codes))


def need_independent_rows(data: "Predictions", called: str) -> None:
    """Refuse a table in groups where a function takes every row as independent.

    Raises
    ------
    InputError
        For a table in groups, unless the function is in `GROUPED` or `PLAIN`.
    """
    if data.groups is None or called in GROUPED | PLAIN:
        return
    raise InputError(
        f"{called} takes every row as independent, and these rows are in groups",
        code="rows-in-groups",
        remedy="leave `groups` out if rows are independent; calibration_test, calibration_error, "
        "measure and compare allow for groups",
    )
