"""Counts at thresholds, and the table of rates made of them."""

from plumbline.confusion.counts import (
    ThresholdCounts,
    ascending_order,
    concordance,
    descending_order,
    threshold_counts,
)
from plumbline.confusion.rates import COUNTS, RATES, Count, Rate, variables

__all__ = [
    "COUNTS",
    "Count",
    "RATES",
    "Rate",
    "ThresholdCounts",
    "ascending_order",
    "concordance",
    "descending_order",
    "threshold_counts",
    "variables",
]
