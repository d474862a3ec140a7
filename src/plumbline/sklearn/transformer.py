"""Any recalibration map as a scikit-learn transformer of the predictions of a classifier."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from plumbline._checks import one_of
from plumbline._keywords import keywords_checked
from plumbline.errors import InputError
from plumbline.predictions.probabilities import may_be_shares
from plumbline.recalibration import INPUTS, PROBABILITY, SCORE, RecalibrationMap
from plumbline.sklearn.recalibrated import fitted_map, names_of


@keywords_checked
class RecalibrationTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A recalibration map as a transformer: fit(P, y) on held-out rows, transform(P).

    P is (n, k): a probability or a rating for every class, in the order of the sorted labels (of a
    fitted map: in the map's order). For two classes it may be (n,) or (n, 1): those of the last
    class. The result is always (n, k), with columns named as in a prediction table, `p:<class>`.

    Parameters
    ----------
    method : name of a recalibration method, "auto" for the advisor's choice, or a fitted
        `RecalibrationMap`, which `fit` takes as it is, without y
    on : "probability" or "score": what P holds; None reads numbers that all lie in [0, 1] as
        probabilities, others as ratings
    options : of the method, such as {"bins": 10}

    Attributes
    ----------
    recalibration_ : the fitted map
    classes_ : (k,) labels
    n_features_in_, feature_names_in_ : columns of P

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import FunctionTransformer
    >>> X, y = make_classification(300, random_state=0)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X[:100], y[:100])
    >>> probabilities = FunctionTransformer(forest.predict_proba)
    >>> pipeline = make_pipeline(probabilities, RecalibrationTransformer("platt")).fit(
    ...     X[100:200], y[100:200]
    ... )
    >>> pipeline.transform(X[200:]).shape
    (100, 2)
    """

    def __init__(
        self,
        method: Any = "platt",
        *,
        on: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.on = on
        self.options = options

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the map on held-out predictions and their true labels; weights are repetitions.

        Raises InputError for one class, or where the columns are not those of the classes.
        """
        values = self._values(X, reset=True)
        if isinstance(self.method, RecalibrationMap):
            self.recalibration_ = self.method
            self.classes_ = np.array(self.method.classes)
            return self
        labels = self._labels(y, len(values))
        self.classes_ = np.unique(labels)
        names = names_of(self.classes_)
        k, columns = len(names), values.shape[1]
        if k < 2 or columns not in ({1, 2} if k == 2 else {k}):
            raise InputError(
                "X must hold one column per class (of two classes the last one's is enough), got "
                f"{columns} for {k} class{'es' * (k != 1)} in y: {', '.join(names)}; y must hold "
                "every class, at least two",
                code="wrong-shape",
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, values)
        self.recalibration_ = fitted_map(
            _narrow(values),
            labels,
            method=self.method,
            on=self._on(values),
            options=self.options or {},
            names=names,
            weight=sample_weight,
        )
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return (n, k) recalibrated probabilities; a fitted map needs no `fit` before."""
        check_is_fitted(self)
        values = self._values(X, reset=False)
        fitted = self._map()
        if fitted.on == PROBABILITY and not may_be_shares(values):
            raise InputError(
                "the map was fitted on probabilities, and some numbers lie outside [0, 1]; for "
                "ratings pass `on='score'`",
                code="no-probability",
            )
        return np.ascontiguousarray(fitted.transform(_narrow(values)))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns: `p:<class>`, as in a prediction table."""
        check_is_fitted(self)
        return np.array([f"p:{name}" for name in self._map().classes], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return isinstance(self.method, RecalibrationMap) or hasattr(self, "recalibration_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = not isinstance(self.method, RecalibrationMap)
        return tags

    def _values(self, X: Any, *, reset: bool) -> NDArray[Any]:
        wide = X.ndim if hasattr(X, "ndim") else np.asarray(X).ndim
        one = wide == 1 and (reset or getattr(self, "n_features_in_", 1) == 1)
        given = np.asarray(X).reshape(-1, 1) if one else X
        checked: NDArray[Any] = validate_data(
            self, given, dtype=(np.float64, np.float32), reset=reset
        )
        return checked

    def _map(self) -> RecalibrationMap:
        if isinstance(self.method, RecalibrationMap):
            return self.method
        fitted: RecalibrationMap = self.recalibration_
        return fitted

    def _labels(self, y: Any, n: int) -> NDArray[Any]:
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        check_classification_targets(y)
        labels = column_or_1d(y, warn=True)
        check_consistent_length(np.empty(n), labels)
        return np.asarray(labels)

    def _on(self, values: NDArray[Any]) -> str:
        if self.on is not None:
            return one_of("on", self.on, INPUTS)
        return PROBABILITY if may_be_shares(values) else SCORE


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Return the one column of two classes as (n,)."""
    return values[:, 0] if values.shape[1] == 1 else values
