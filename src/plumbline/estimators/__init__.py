"""scikit-learn estimators: a classifier whose probabilities are mended, a map as a transformer."""

from plumbline._checks import need_extra

need_extra("sklearn", "sklearn", "an estimator")  # before scikit-learn's own words for its absence

from plumbline.estimators.classifier import RecalibratedClassifier  # noqa: E402
from plumbline.estimators.transformer import RecalibrationTransformer  # noqa: E402

__all__ = ["RecalibratedClassifier", "RecalibrationTransformer"]
