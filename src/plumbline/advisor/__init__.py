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

__all__ = [
    "MethodAdvice",
    "RecalibrationAdvice",
    "RecalibrationEffect",
    "ScoreChange",
    "method_or_choice",
    "effect_between",
    "recalibrate",
    "recalibration_advice",
    "recalibration_effect",
]
