"""Counts at thresholds, confusion matrices, and the table of rates made of them."""

from plumbline.confusion.counts import (
    ThresholdCounts,
    ascending_order,
    concordance,
    descending_order,
    threshold_counts,
)
from plumbline.confusion.decisions import (
    CellRows,
    ThresholdRange,
    cell_rows,
    decide,
    threshold_range,
)
from plumbline.confusion.intervals import exact_interval, wilson_interval
from plumbline.confusion.matrix import (
    ConfusedPair,
    ConfusedPairs,
    ConfusionMatrix,
    confusion_matrix,
)
from plumbline.confusion.matrix_rates import Rates, RateValue
from plumbline.confusion.multiclass import OVERALL
from plumbline.confusion.rated_matrix import rated_matrix
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
    "OVERALL",
    "RATES",
    "CellRows",
    "ConfusedPair",
    "ConfusedPairs",
    "ConfusionMatrix",
    "Count",
    "Rate",
    "RateValue",
    "Rates",
    "ThresholdCounts",
    "ThresholdRange",
    "ascending_order",
    "cell_rows",
    "concordance",
    "confusion_matrix",
    "decide",
    "descending_order",
    "exact_interval",
    "rate_named",
    "rate_values",
    "rated_matrix",
    "threshold_counts",
    "threshold_range",
    "variables",
    "why_undefined",
    "wilson_interval",
]
