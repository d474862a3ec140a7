"""Every metric by name, and what one call measures of a table."""

from plumbline.metrics.decision_statistic import DecisionStatistic, decision_statistic
from plumbline.metrics.measure import Measure, Measures, measure, parts_of
from plumbline.metrics.metric import ARGUMENTS, Metric, MetricInterval
from plumbline.metrics.model_scores import SCORES, ModelScores, ScoreRow, model_scores
from plumbline.metrics.names import (
    MEANS,
    METRICS,
    USUAL,
    Catalogue,
    best_models,
    check_question,
    list_names,
    metric_named,
    metric_value,
    metrics_named,
    values_by_fold,
)

__all__ = [
    "ARGUMENTS",
    "MEANS",
    "METRICS",
    "SCORES",
    "USUAL",
    "Catalogue",
    "DecisionStatistic",
    "Measure",
    "Measures",
    "Metric",
    "MetricInterval",
    "ModelScores",
    "ScoreRow",
    "best_models",
    "check_question",
    "decision_statistic",
    "list_names",
    "measure",
    "metric_named",
    "metric_value",
    "metrics_named",
    "model_scores",
    "parts_of",
    "values_by_fold",
]
