"""scikit-learn estimators: a classifier whose probabilities are mended, a map as a transformer.

Without scikit-learn their names stand for classes that say how to install it when they are called,
so that `from plumbline import *`, `hasattr` and `inspect.getmembers` work in every environment.
"""

from typing import TYPE_CHECKING

from plumbline._checks import class_without_extra, need_extra
from plumbline.errors import MissingExtraError

try:
    need_extra("sklearn", "sklearn", "an estimator")
    there = True
except MissingExtraError as error:
    there, missing = False, error

if TYPE_CHECKING or there:
    from plumbline.sklearn.estimators.classifier import RecalibratedClassifier
    from plumbline.sklearn.estimators.transformer import RecalibrationTransformer
else:
    RecalibratedClassifier = class_without_extra("RecalibratedClassifier", missing)
    RecalibrationTransformer = class_without_extra("RecalibrationTransformer", missing)

__all__ = ["RecalibratedClassifier", "RecalibrationTransformer"]
