"""Plumbline for scikit-learn: metrics of `(y_true, y_prob)`, scorers and estimators.

Without scikit-learn the estimators are classes whose call raises an error that says how to install
it, so that imports, `hasattr` and `inspect.getmembers` work in every environment.
"""

from typing import TYPE_CHECKING

from plumbline._checks import class_without_extra, need_extra
from plumbline.errors import MissingExtraError
from plumbline.sklearn.metrics import (
    ReliabilityPoints,
    adaptive_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    reliability_curve,
    root_mean_square_calibration_error,
    smooth_calibration_error,
    static_calibration_error,
    sweep_calibration_error,
)
from plumbline.sklearn.scorers import (
    MetricScorer,
    ProbabilityScorer,
    neg_expected_calibration_error,
    neg_static_calibration_error,
)

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

__all__ = [
    "MetricScorer",
    "ProbabilityScorer",
    "RecalibratedClassifier",
    "RecalibrationTransformer",
    "ReliabilityPoints",
    "adaptive_calibration_error",
    "debiased_calibration_error",
    "expected_calibration_error",
    "maximum_calibration_error",
    "neg_expected_calibration_error",
    "neg_static_calibration_error",
    "reliability_curve",
    "root_mean_square_calibration_error",
    "smooth_calibration_error",
    "static_calibration_error",
    "sweep_calibration_error",
]
