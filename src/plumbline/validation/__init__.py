"""Performance of classifiers on new rows: holdout to nested cross-validation."""

from plumbline.validation.cross_validated import cross_validated
from plumbline.validation.estimate import estimate
from plumbline.validation.guards import Finding
from plumbline.validation.results import (
    BootstrapEstimate,
    Estimate,
    FoldEstimate,
    MetricEstimate,
    ModelEstimate,
)
from plumbline.validation.schemes import scheme_named
from plumbline.validation.search import Search

__all__ = [
    "BootstrapEstimate",
    "Estimate",
    "Finding",
    "FoldEstimate",
    "MetricEstimate",
    "ModelEstimate",
    "Search",
    "cross_validated",
    "estimate",
    "scheme_named",
]
