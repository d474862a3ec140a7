"""How well a learner will do on rows it has not seen: holdout to nested cross-validation."""

from plumbline.estimation.answers import (
    BootstrapEstimate,
    Estimate,
    FoldEstimate,
    MetricEstimate,
    ModelEstimate,
)
from plumbline.estimation.entry import estimate
from plumbline.estimation.guards import Finding
from plumbline.estimation.searching import Search

__all__ = [
    "BootstrapEstimate",
    "Estimate",
    "Finding",
    "FoldEstimate",
    "MetricEstimate",
    "ModelEstimate",
    "Search",
    "estimate",
]
