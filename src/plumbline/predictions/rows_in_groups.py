"""Rows that belong together: who allows for them, who refuses them, and how answers say so."""

from typing import TYPE_CHECKING

import numpy as np

from plumbline._result import Detail, Note
from plumbline.errors import InputError
from plumbline.formatting import counted

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


FEW_GROUPS = 20  # with fewer, p-values and intervals are called approximate


def group_count(data: "Predictions") -> int | None:
    """Return in how many groups the rows of a table are; None where they are in none."""
    return None if data.group_codes is None else len(np.unique(data.group_codes))


def group_details(count: int | None) -> tuple[Detail, ...]:
    """Return the fact of an answer that says in how many groups its rows are.

    >>> [detail.text for detail in group_details(37)], group_details(None)
    (['37'], ())
    """
    return () if count is None else (Detail("row_groups", "groups of rows", f"{count:,}"),)


def group_notes(count: int | None) -> tuple[Note, ...]:
    """Return the note of a p-value, an interval or a band of few groups.

    >>> [note.code for note in group_notes(12)], group_notes(20), group_notes(None)
    (['few-groups'], (), ())
    """
    if count is None or count >= FEW_GROUPS:
        return ()
    text = (
        f"Approximate: {counted(count, 'group')} tell little of how much rows of a group depend; "
        f"{FEW_GROUPS} or more settle it."
    )
    return (Note(text, "few-groups"),)


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
