"""A fitted classifier with its recalibration map, on the arrays of scikit-learn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params

from plumbline._checks import one_of
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions, label_text
from plumbline.predictions.arrays import ArgumentNames, checked_columns
from plumbline.recalibration import (
    AUTO,
    INPUTS,
    NONE,
    PROBABILITY,
    SCORE,
    RecalibrationMap,
    fit_map,
    method_named,
)

FREE = {AUTO: INPUTS, NONE: (PROBABILITY,)}  # what methods that are no rows of the table read
Floats = NDArray[np.floating[Any]]


def fitted_map(
    values: Floats,
    y: NDArray[Any],
    *,
    method: Any,
    on: str,
    options: Mapping[str, Any],
    names: tuple[str, ...],
    weight: Any = None,
) -> RecalibrationMap:
    """Return the map `recalibrate` fits on (n, k) or (n,) answers of classes called `names`."""
    given: dict[str, Any] = {"y_prob": values} if on == PROBABILITY else {"score": values}
    labels = [label_text(label) for label in y]
    data = Predictions(
        **checked_columns(
            labels,
            classes=names,
            weight=weight,
            normalize=None,
            argument_names=ArgumentNames(actual="y", prob="X"),
            **given,
        )
    )
    if method not in FREE:
        return fit_map(data, method, on=on, options=options)
    from plumbline.advisor import recalibrate

    return recalibrate(data, method, on=on, **options)


def of_these_classes(recalibration: RecalibrationMap, names: tuple[str, ...]) -> RecalibrationMap:
    """Return a ready map if it is of these classes, in whatever order."""
    if sorted(recalibration.classes) != sorted(names):
        raise InputError(
            f"the map is for the classes {', '.join(recalibration.classes)}, and the classes here "
            f"are {', '.join(names)}; use a map that was fitted on these classes",
            code="classes-differ",
        )
    return recalibration


def recalibrated(
    recalibration: RecalibrationMap, values: Floats, names: tuple[str, ...]
) -> NDArray[np.float64]:
    """Return (n, k) recalibrated probabilities, columns as in `names`, without asking which rows.

    `values` (n, k) in the order of `names`, or (n,) of the last of two classes.
    """
    order = [names.index(name) for name in recalibration.classes]
    back = [recalibration.classes.index(name) for name in names]
    if values.ndim == 2:
        given = values if order == sorted(order) else values[:, order]
    elif recalibration.on == PROBABILITY:
        last = values.astype(np.float64)
        given = np.column_stack([1.0 - last, last])[:, order]
    else:
        given = values if recalibration.positive == names[-1] else -values
    answer: NDArray[np.float64] = recalibration.transform(given)
    return np.ascontiguousarray(answer if back == sorted(back) else answer[:, back])


Ints = NDArray[np.intp]

RESPONSE_METHODS = {PROBABILITY: "predict_proba", SCORE: "decision_function"}


@dataclass(frozen=True, slots=True, eq=False)
class RecalibratedPair:
    """A fitted classifier and the map that recalibrates its answers.

    Attributes
    ----------
    estimator : fitted classifier
    recalibration : map fitted on rows that the classifier was not fitted on
    classes : (k,) labels, in the order of the columns of `predict_proba`
    """

    estimator: Any
    recalibration: RecalibrationMap
    classes: NDArray[Any]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return (n, k) recalibrated probabilities of the rows of X."""
        values = answers(self.estimator, X, self.recalibration.on, self.classes)
        return recalibrated(self.recalibration, values, names_of(self.classes))


@dataclass(frozen=True, slots=True, eq=False)
class FitPlan:
    """What all pairs of one classifier share.

    Attributes
    ----------
    method, on, options : of the map; `on` None selects what suits classifier and method
    classes : (k,) labels
    """

    method: Any
    on: str | None
    options: Mapping[str, Any]
    classes: NDArray[Any]

    def pair(
        self, estimator: Any, values: Floats, *, on: str, y: Any, weight: Any
    ) -> RecalibratedPair:
        """Return the pair of a fitted classifier and a map fitted on its answers `values`."""
        recalibration = fitted_map(
            values,
            y,
            method=self.method,
            on=on,
            options=self.options,
            names=names_of(self.classes),
            weight=weight,
        )
        return RecalibratedPair(estimator, recalibration, self.classes)


def names_of(classes: NDArray[Any]) -> tuple[str, ...]:
    """Return the names that labels have in a prediction table.

    >>> names_of(np.array([0.0, 1.0]))
    ('0', '1')
    """
    return tuple(label_text(label) for label in classes)


def input_of(estimator: Any, method: Any, on: str | None) -> str:
    """Return what to ask a classifier for: "score", its decision function, or "probability".

    Without `on` the decision function where there is one and the method reads ratings, as
    scikit-learn does; the probabilities for method "auto", which may leave them as they are.
    """
    if isinstance(method, RecalibrationMap):
        return _there(estimator, method.on)
    readable = FREE[method] if method in FREE else method_named(method).on
    if on is not None:
        return _there(estimator, one_of("on", on, INPUTS))
    order = INPUTS if method == AUTO else INPUTS[::-1]
    for kind in order:
        if kind in readable and hasattr(estimator, RESPONSE_METHODS[kind]):
            return kind
    wanted = " nor ".join(RESPONSE_METHODS[kind] for kind in readable)
    raise ParameterError(
        f"method {quoted(method)} reads {' or '.join(readable)}, and {type(estimator).__name__} "
        f"has {'neither ' if len(readable) > 1 else 'no '}{wanted}; use a classifier that has "
        f"it{', or a method that reads ratings, such as platt' if SCORE not in readable else ''}",
        code="method-without-answers",
    )


def _there(estimator: Any, on: str) -> str:
    if not hasattr(estimator, RESPONSE_METHODS[on]):
        raise ParameterError(
            f"`on` is {quoted(on)}, which needs {RESPONSE_METHODS[on]}, and "
            f"{type(estimator).__name__} has none; leave `on` out to use what it has",
            code="method-without-answers",
        )
    return on


def answers(estimator: Any, X: Any, on: str, classes: NDArray[Any]) -> Floats:
    """Return (n, k) probabilities or ratings of all classes; (n,) ratings of the last of two.

    A class the classifier was never shown has probability 0; InputError where it has no rating.
    """
    values = np.asarray(getattr(estimator, RESPONSE_METHODS[on])(X))
    values = values if values.dtype.kind == "f" else values.astype(np.float64)
    known = np.asarray(estimator.classes_)
    if values.ndim == 2 and values.shape[1] == 1 and len(known) == 2:
        values = values[:, 0]
    k = len(classes)
    if len(known) == k and (values.shape[1:] == (k,) or (k == 2 and values.ndim == 1)):
        return values
    if on == PROBABILITY and values.shape[1:] == (len(known),):
        wide = np.zeros((len(values), k), values.dtype)
        wide[:, np.searchsorted(classes, known)] = values
        return wide
    if len(known) < k:
        absent = np.setdiff1d(classes, known).tolist()
        raise InputError(
            f"one classifier was fitted on rows without the classes {absent}, so it has no rating "
            "for them; use splits with every class in every training part, or `on='probability'`",
            code="class-not-learnt",
        )
    raise InputError(
        f"{type(estimator).__name__}.{RESPONSE_METHODS[on]} returns {values.shape[1:]} numbers "
        f"per row for {k} classes; one per class is needed (for support vector machines: "
        "decision_function_shape='ovr')",
        code="wrong-shape",
    )


def fitted_part(estimator: Any, X: Any, y: Any, rows: Ints, params: Mapping[str, Any]) -> Any:
    """Return the classifier fitted on some rows, with what else its `fit` is given for them."""
    fit_params = _check_method_params(X, params=params, indices=rows)
    return estimator.fit(_safe_indexing(X, rows), _safe_indexing(y, rows), **fit_params)


def fit_pair(
    plan: FitPlan,
    estimator: Any,
    X: Any,
    y: Any,
    weight: Any,
    *,
    train: Ints,
    test: Ints,
    params: Mapping[str, Any],
) -> RecalibratedPair:
    """Fit a classifier on one part of the rows and its map on the other."""
    fitted = fitted_part(estimator, X, y, train, params)
    on = input_of(fitted, plan.method, plan.on)
    values = answers(fitted, _safe_indexing(X, test), on, plan.classes)
    part = None if weight is None else weight[test]
    return plan.pair(fitted, values, on=on, y=y[test], weight=part)


def answers_out_of_part(
    plan: FitPlan,
    estimator: Any,
    X: Any,
    y: Any,
    *,
    train: Ints,
    test: Ints,
    params: Mapping[str, Any],
) -> Floats:
    """Return what a classifier fitted on one part of the rows answers on the other."""
    fitted = fitted_part(estimator, X, y, train, params)
    on = input_of(fitted, plan.method, plan.on)
    return answers(fitted, _safe_indexing(X, test), on, plan.classes)


def joined(parts: Sequence[Floats], tests: Sequence[Ints], n: int) -> Floats:
    """Return the answers of every row, from parts that together hold each row once."""
    places = np.concatenate(tests)
    if len(places) != n or not np.array_equal(np.sort(places), np.arange(n)):
        raise InputError(
            "`ensemble=False` needs splits that put every row into exactly one test part, and "
            f"these hold {len(np.unique(places)):,} of {n:,} rows {len(places):,} times; use "
            "KFold or another partition, or `ensemble=True`",
            code="splits-no-partition",
        )
    result = np.concatenate(parts)
    return result[np.argsort(places)]
