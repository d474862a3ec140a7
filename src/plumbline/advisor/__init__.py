"""`recalibrate`: which map mends these probabilities best, and whether it helps beyond chance."""

from plumbline.advisor.advising import recalibration_advice
from plumbline.advisor.answers import (
    MethodAdvice,
    RecalibrationAdvice,
    RecalibrationEffect,
    ScoreChange,
)
from plumbline.advisor.effect import effect_between, recalibration_effect
from plumbline.advisor.recalibrating import asked_method, recalibrate

__all__ = [
    "MethodAdvice",
    "RecalibrationAdvice",
    "RecalibrationEffect",
    "ScoreChange",
    "asked_method",
    "effect_between",
    "recalibrate",
    "recalibration_advice",
    "recalibration_effect",
]
