"""`recalibrate`: which map is best for these probabilities, and whether it helps significantly."""

from plumbline.advisor.recalibrate import method_or_choice, recalibrate
from plumbline.advisor.recalibration_advice import recalibration_advice
from plumbline.advisor.recalibration_effect import effect_between, recalibration_effect
from plumbline.advisor.results import (
    MethodAdvice,
    RecalibrationAdvice,
    RecalibrationEffect,
    ScoreChange,
)
from plumbline.advisor.trials import TableFacts, seconds_to_try

__all__ = [
    "MethodAdvice",
    "RecalibrationAdvice",
    "RecalibrationEffect",
    "ScoreChange",
    "TableFacts",
    "effect_between",
    "method_or_choice",
    "recalibrate",
    "recalibration_advice",
    "recalibration_effect",
    "seconds_to_try",
]
