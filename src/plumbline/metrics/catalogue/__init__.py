"""The one list of everything by name: metrics with their meaning, and tests."""

from plumbline.metrics.catalogue.decisions import DecisionStatistic
from plumbline.metrics.catalogue.listing import Catalogue, list_names
from plumbline.metrics.catalogue.metric import ARGUMENTS, Metric
from plumbline.metrics.catalogue.names import (
    METRICS,
    USUAL,
    check_question,
    metric_named,
    metrics_named,
)
from plumbline.metrics.catalogue.values import metric_value

__all__ = [
    "ARGUMENTS",
    "METRICS",
    "USUAL",
    "Catalogue",
    "DecisionStatistic",
    "Metric",
    "check_question",
    "list_names",
    "metric_named",
    "metric_value",
    "metrics_named",
]
