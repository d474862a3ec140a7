"""Plumbline for scikit-learn: metrics of `(y_true, y_prob)`, scorers and estimators."""

from typing import TYPE_CHECKING

from plumbline._checks import class_without_extra, need_extra
from plumbline.errors import MissingExtraError

try:
    need_extra("sklearn", "sklearn", "an estimator")
    there = True
except MissingExtraError as error:
    there, missing = False, error

if TYPE_CHECKING or there:
    from plumbline.sklearn.classifier import RecalibratedClassifier
    from plumbline.sklearn.transformer import RecalibrationTransformer
else:
    RecalibratedClassifier = class_without_extra("RecalibratedClassifier", missing)
    RecalibrationTransformer = class_without_extra("RecalibrationTransformer", missing)

__all__ = ["RecalibratedClassifier", "RecalibrationTransformer"]
