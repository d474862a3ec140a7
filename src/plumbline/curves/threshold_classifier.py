"""A classifier of scikit-learn that decides by a best threshold."""

import math
from typing import Any

from plumbline._checks import need_extra, shorten
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import label_text

# What rows are sorted by -> the method of a classifier that gives it.
METHODS = {"probability": "predict_proba", "score": "decision_function"}


def threshold_classifier(
    estimator: Any, *, threshold: float, sort_by: str, target: str, pos_label: Any
) -> Any:
    """Return scikit-learn's FixedThresholdClassifier of an estimator; see `BestThreshold`."""
    module = need_extra("sklearn.model_selection", "sklearn", "a classifier with a threshold")
    if math.isnan(threshold):
        raise ParameterError(
            "this result holds no threshold, so no classifier can decide by it",
            code="threshold-missing",
        )
    if sort_by not in METHODS:
        raise ParameterError(
            f"a classifier decides by its probability or score, but these rows are sorted by "
            f"{quoted(sort_by)}",
            code="sorted-otherwise",
            remedy="find the threshold without `sort_by`",
        )
    method = METHODS[sort_by]
    if isinstance(estimator, type) or not callable(getattr(estimator, method, None)):
        raise ParameterError(
            code="no-classifier",
            argument="estimator",
            rule=f"a classifier of scikit-learn with {method} (an object, not its class)",
            arrived=shorten(estimator),
        )
    return module.FixedThresholdClassifier(
        estimator,
        threshold=threshold,
        pos_label=_label(estimator, target, pos_label),
        response_method=method,
    )


def _label(estimator: Any, target: str, pos_label: Any) -> Any:
    """Return the target class as the labels have it: results hold names of classes as texts."""
    known = getattr(estimator, "classes_", None)
    if pos_label is None and known is None:
        raise ParameterError(
            f"the estimator is not fitted, so that its label of the class {quoted(target)} is not "
            "known",
            code="class-unnamed",
            argument="pos_label",
            remedy=f"pass `pos_label`, such as pos_label={_guessed(target)}, or a fitted estimator",
        )
    if known is not None and len(known) != 2:
        raise ParameterError(
            argument="estimator",
            rule="a classifier of two classes",
            arrived=f"one of {len(known)}",
            code="classifier-of-other-classes",
        )
    among = [pos_label] if known is None else list(known)
    wanted = target if pos_label is None else label_text(pos_label)
    found = [label for label in among if label_text(label) == wanted == target]
    if not found:
        raise ParameterError(
            argument="estimator" if pos_label is None else "pos_label",
            rule=f"one with the class {quoted(target)}, for which the threshold was found"
            if pos_label is None
            else f"the class {quoted(target)}, for which the threshold was found",
            arrived=shorten(among if pos_label is None else pos_label),
            code="other-class",
        )
    return getattr(found[0], "item", lambda: found[0])()


def _guessed(target: str) -> str:
    return target if target.lstrip("-").isdigit() or target in ("True", "False") else repr(target)
