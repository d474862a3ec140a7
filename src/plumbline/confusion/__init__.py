"""Counts at thresholds, confusion matrices, and the table of rates made of them."""

from plumbline.confusion.counts import (
    ThresholdCounts,
    ascending_order,
    concordance,
    descending_order,
    threshold_counts,
)
from plumbline.confusion.decisions import CellRows, ThresholdRange, cell_rows, threshold_range
from plumbline.confusion.matrix import (
    ConfusedPair,
    ConfusedPairs,
    ConfusionMatrix,
    confusion_matrix,
)
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
    "CellRows",
    "ConfusedPair",
    "ConfusedPairs",
    "ConfusionMatrix",
    "Count",
    "RATES",
    "Rate",
    "RateValue",
    "Rates",
    "ThresholdCounts",
    "ThresholdRange",
    "ascending_order",
    "cell_rows",
    "concordance",
    "confusion_matrix",
    "descending_order",
    "rate_named",
    "rate_values",
    "threshold_counts",
    "threshold_range",
    "variables",
    "why_undefined",
]
