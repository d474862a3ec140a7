"""A scikit-learn classifier whose probabilities are recalibrated by cross-validation."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, column_or_1d, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, has_fit_parameter

from plumbline._checks import shorten
from plumbline._keywords import keywords_checked
from plumbline.advisor import method_or_choice
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import counted
from plumbline.recalibration import AUTO, RecalibrationMap
from plumbline.sklearn.recalibrated import (
    FitPlan,
    RecalibratedPair,
    answers,
    answers_out_of_part,
    fit_pair,
    input_of,
    joined,
    names_of,
    of_these_classes,
)

PREFIT = "prefit"
USUAL = 5  # folds


@keywords_checked
class RecalibratedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with its probabilities recalibrated on rows it was not fitted on.

    Parameters, behaviour and attributes are those of scikit-learn's `CalibratedClassifierCV`: with
    `ensemble` every split of `cv` fits a clone of the classifier on its training part and a map on
    its test part; probabilities are the mean of the pairs. Without it one map is fitted on the
    out-of-fold predictions of all rows, and the classifier on all rows.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or `decision_function`; None is LinearSVC
    method : name of a recalibration method, "auto" for the advisor's choice, "none" for none, or a
        fitted `RecalibrationMap` (where the classifier is fitted already)
    cv : number of stratified folds (None is 5, or as many as the rarest class has rows), a
        splitter, an iterable of (train, test), or "prefit" for a classifier that is fitted
        already, as is one in a FrozenEstimator
    n_jobs : number of threads that fit the clones; the result does not depend on it
    ensemble : True, False, or "auto": True unless the classifier is fitted already
    on : "score" uses the decision function, "probability" uses `predict_proba`; None uses the first
        if there is one and the method reads ratings; "auto" uses the second
    options : of the method, such as {"bins": 10}; of "auto" {"rng": 0}, {"workers": 2}

    Attributes
    ----------
    classes_ : (k,) labels
    calibrated_classifiers_ : the pairs: `estimator`, `recalibration` (the map), `predict_proba`
    n_features_in_, feature_names_in_ : those of the classifier

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.svm import LinearSVC
    >>> X, y = make_classification(200, random_state=0)
    >>> model = RecalibratedClassifier(LinearSVC(random_state=0), method="platt").fit(X, y)
    >>> model.predict_proba(X[:2]).shape, len(model.calibrated_classifiers_)
    ((2, 2), 5)
    >>> model.calibrated_classifiers_[0].recalibration.method
    'platt'
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: Any = "platt",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: bool | str = AUTO,
        on: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble
        self.on = on
        self.options = options

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Any:
        """Fit the classifier and the maps; `fit_params` go to the classifier's `fit`.

        `sample_weight` (n,) is used by the maps, and by the classifier where its `fit` takes it.
        Raises InputError for one class, or fewer rows of a class than folds.
        """
        check_classification_targets(y)
        X, y = indexable(X, y)
        y = column_or_1d(y, warn=True)
        estimator, ensemble, ready = self._base(), self._ensembled(), self._is_ready()
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        self.classes_ = _classes(estimator if ready else None, y)
        plan = FitPlan(self._method(ready=ready), self.on, dict(self.options or {}), self.classes_)
        given = self._given(estimator, sample_weight, fit_params)
        if ready and not ensemble:
            self.calibrated_classifiers_ = [_ready_pair(plan, estimator, X, y, weight)]
        else:
            splits = self._splits(X, y, given.splitter.split)
            fit = self._fit_each if ensemble else self._fit_together
            self.calibrated_classifiers_ = fit(
                plan, X, y, weight, splits=splits, params=given.estimator.fit
            )
        first = self.calibrated_classifiers_[0].estimator
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return (n, k) recalibrated probabilities: the mean over the pairs."""
        check_is_fitted(self)
        each = [pair.predict_proba(X) for pair in self.calibrated_classifiers_]
        return np.asarray(sum(each[1:], start=each[0]) / len(each))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return (n,) labels of the largest recalibrated probabilities, the first on ties."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def get_metadata_routing(self) -> Any:
        """Return the routing of further arguments of `fit`: to the classifier and the splitter."""
        mapping = MethodMapping()
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(estimator=self._base(), method_mapping=mapping.add(caller="fit", callee="fit"))
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._base()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    # ---------------------------------------------------------------- what the parameters say

    def _base(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from sklearn.svm import LinearSVC

        default = LinearSVC(random_state=0)
        return default.set_fit_request(sample_weight=True) if _routed() else default

    def _is_ready(self) -> bool:
        if isinstance(self.cv, str) and self.cv != PREFIT:
            raise ParameterError(
                argument="cv",
                rule="a number of folds, a splitter, an iterable of splits, None or 'prefit'",
                arrived=shorten(self.cv),
                code="wrong-kind",
            )
        return isinstance(self.cv, str) or isinstance(self.estimator, FrozenEstimator)

    def _ensembled(self) -> bool:
        if self.ensemble not in (True, False, AUTO):
            raise ParameterError(
                argument="ensemble",
                rule="True, False or 'auto'",
                arrived=shorten(self.ensemble),
                code="unknown-name",
            )
        if self.ensemble == AUTO:
            return not self._is_ready()
        if self.ensemble and isinstance(self.cv, str) and self.cv == PREFIT:
            raise ParameterError(
                "`ensemble=True` needs splits, and `cv='prefit'` makes none; leave `ensemble` "
                "out, or put the classifier into a FrozenEstimator and give a number of folds",
                code="ensemble-without-splits",
            )
        return bool(self.ensemble)

    def _method(self, *, ready: bool) -> Any:
        if not isinstance(self.method, RecalibrationMap):
            return method_or_choice(self.method)
        if not ready or self._ensembled():
            raise ParameterError(
                "`method` is a fitted map, which belongs to one fitted classifier; give "
                "`cv='prefit'`, or the name of a method to fit",
                code="map-already-fitted",
            )
        return self.method

    def _given(self, estimator: Any, sample_weight: Any, fit_params: dict[str, Any]) -> Any:
        """Return what splitter and classifier are given, by scikit-learn's metadata routing."""
        if _routed():
            return process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
        params = dict(fit_params)
        if sample_weight is not None and has_fit_parameter(estimator, "sample_weight"):
            params["sample_weight"] = sample_weight
        elif sample_weight is not None and not self._is_ready():
            _warn_of_weights(estimator)
        return Bunch(splitter=Bunch(split={}), estimator=Bunch(fit=params))

    # ---------------------------------------------------------------- fitting

    def _splits(self, X: Any, y: Any, params: Any) -> list[Any]:
        least = int(np.unique(y, return_counts=True)[1].min())
        cv = max(2, min(USUAL, least)) if self.cv is None else self.cv
        if isinstance(cv, int) and least < cv:
            raise InputError(
                f"`cv` asks for {cv} folds, but one class has only {counted(least, 'row')}, so a "
                "fold would lack it; use fewer folds, or more rows of every class",
                code="class-smaller-than-folds",
            )
        return list(check_cv(cv, y, classifier=True).split(X, y, **params))

    def _fit_each(
        self, plan: FitPlan, X: Any, y: Any, weight: Any, *, splits: list[Any], params: Any
    ) -> list[RecalibratedPair]:
        """Return a pair for every split."""
        result = self._side_by_side(
            delayed(fit_pair)(
                plan, clone(self._base()), X, y, weight, train=train, test=test, params=params
            )
            for train, test in splits
        )
        return list(result)

    def _fit_together(
        self, plan: FitPlan, X: Any, y: Any, weight: Any, *, splits: list[Any], params: Any
    ) -> list[RecalibratedPair]:
        """Return one pair: the classifier of all rows, the map of all answers out of part."""
        parts = self._side_by_side(
            delayed(answers_out_of_part)(
                plan, clone(self._base()), X, y, train=train, test=test, params=params
            )
            for train, test in splits
        )
        values = joined(parts, [test for _, test in splits], len(y))
        whole = clone(self._base()).fit(X, y, **params)
        on = input_of(whole, plan.method, plan.on)
        return [plan.pair(whole, values, on=on, y=y, weight=weight)]

    def _side_by_side(self, tasks: Any) -> Any:
        return Parallel(n_jobs=self.n_jobs, prefer="threads")(tasks)


def _routed() -> bool:
    return bool(get_config()["enable_metadata_routing"])


def _warn_of_weights(estimator: Any) -> None:
    warn(
        f"{type(estimator).__name__} takes no sample_weight, so only the map is weighted",
        code="weights-in-the-map-alone",
    )


def _classes(ready: Any, y: NDArray[Any]) -> NDArray[Any]:
    """Return the classes: of a classifier that is fitted its own, else those of the labels."""
    result = np.unique(y)
    if ready is not None:
        check_is_fitted(ready)
        known = np.asarray(ready.classes_)
        if not np.isin(result, known).all():
            raise InputError(
                f"the labels hold {np.setdiff1d(result, known).tolist()}, which are not classes "
                f"of the fitted classifier; its classes are {known.tolist()}",
                code="unknown-label",
            )
        result = known
    if len(result) < 2:
        raise InputError(
            f"a classifier needs rows of at least two classes, got one class: {result.tolist()}",
            code="one-class-to-fit",
        )
    return result


def _ready_pair(plan: FitPlan, estimator: Any, X: Any, y: Any, weight: Any) -> RecalibratedPair:
    """Return the pair of a fitted classifier and the map of all rows, or a map that is given."""
    on = input_of(estimator, plan.method, plan.on)
    if isinstance(plan.method, RecalibrationMap):
        ready = of_these_classes(plan.method, names_of(plan.classes))
        return RecalibratedPair(estimator, ready, plan.classes)
    return plan.pair(estimator, answers(estimator, X, on, plan.classes), on=on, y=y, weight=weight)
