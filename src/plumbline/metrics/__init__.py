"""Every metric by name, and what one call measures of a table."""

from plumbline.metrics.decision_statistic import DecisionStatistic
from plumbline.metrics.measure import Measure, Measures, measure, parts_of
from plumbline.metrics.metric import ARGUMENTS, Metric
from plumbline.metrics.model_scores import SCORES, ModelScores, ScoreRow, model_scores
from plumbline.metrics.names import (
    METRICS,
    USUAL,
    Catalogue,
    check_question,
    list_names,
    metric_named,
    metric_value,
    metrics_named,
)

__all__ = [
    "ARGUMENTS",
    "Catalogue",
    "DecisionStatistic",
    "METRICS",
    "Measure",
    "Measures",
    "Metric",
    "ModelScores",
    "SCORES",
    "ScoreRow",
    "USUAL",
    "check_question",
    "list_names",
    "measure",
    "metric_named",
    "metric_value",
    "metrics_named",
    "model_scores",
    "parts_of",
]
