"""From names of measures and data to results: what the command line and the report ask."""

from plumbline.metrics.evaluation.answers import Measure, Measures
from plumbline.metrics.evaluation.measuring import measure, parts_of
from plumbline.metrics.evaluation.models import (
    SCORES,
    Evaluation,
    ModelEvaluation,
    ScoreRow,
    evaluate,
    score_models,
)

__all__ = [
    "SCORES",
    "Evaluation",
    "Measure",
    "Measures",
    "ModelEvaluation",
    "ScoreRow",
    "evaluate",
    "measure",
    "parts_of",
    "score_models",
]
