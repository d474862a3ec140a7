"""Counts at thresholds, confusion matrices, and the table of rates made of them."""

from plumbline.confusion.counts import (
    ThresholdCounts,
    ascending_order,
    concordance,
    descending_order,
    threshold_counts,
)
from plumbline.confusion.matrix import ConfusionMatrix, confusion_matrix
from plumbline.confusion.matrix_rates import Rates, RateValue
from plumbline.confusion.rates import (
    COUNTS,
    RATES,
    Count,
    Rate,
    rate_named,
    rate_values,
    variables,
    why_undefined,
)

__all__ = [
    "COUNTS",
    "ConfusionMatrix",
    "Count",
    "RATES",
    "Rate",
    "RateValue",
    "Rates",
    "ThresholdCounts",
    "ascending_order",
    "concordance",
    "confusion_matrix",
    "descending_order",
    "rate_named",
    "rate_values",
    "threshold_counts",
    "variables",
    "why_undefined",
]
