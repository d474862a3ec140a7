"""What a fitted classifier answers on rows, in the classes of the whole data set."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plumbline._checks import need_extra
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.arrays import estimator_outputs
from plumbline.predictions.labels import Array, Ints, Labels, code_classes, label_text
from plumbline.predictions.probabilities import Floats, checked_probabilities


def answers(fitted: Any, X: Any, classes: Sequence[str]) -> dict[str, Array]:
    """Return `label` (n,), and where there are any `prob` (n, k) or else `score` (n, k).

    A class that the training part lacked has probability 0, or a rating below all others.
    """
    if not hasattr(fitted, "classes_"):
        raise InputError(
            f"{type(fitted).__name__} has no `classes_` after its fit, so it is no classifier in "
            "the style of scikit-learn; name one, or set `classes_` in its fit"
        )
    given = estimator_outputs(fitted, X)
    known = [classes.index(label_text(name)) for name in given["classes"]]
    label = code_classes("predicted", fitted.predict(X), classes)
    found: dict[str, Array] = {"label": label}
    if "y_prob" in given:
        names = [f"p:{classes[c]}" for c in known]
        prob = checked_probabilities(_columns(given["y_prob"], known), names, normalize=False)
        found["prob"] = _widened(prob, known, classes, absent=0.0)
    elif "score" in given:
        ratings = _columns(given["score"], known)
        found["score"] = _widened(ratings, known, classes, absent=float(ratings.min()) - 1)
    return found


def other_kind(estimator: Any) -> str | None:
    """Return what an estimator says that it is instead of a classifier, None if it does not say.

    >>> from sklearn.cluster import KMeans
    >>> other_kind(KMeans())
    'a clusterer'
    """
    if not hasattr(estimator, "__sklearn_tags__"):
        return None
    utils = need_extra("sklearn.utils", "sklearn", "an error estimate")
    kind = utils.get_tags(estimator).estimator_type
    if kind in (None, "classifier"):
        return None
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind.replace('_', ' ')}"


def _columns(given: Any, known: Sequence[int]) -> Floats:
    """Return a column a class that the classifier knows."""
    numbers: Floats = np.asarray(given)
    if numbers.shape[1:] != (len(known),):
        raise InputError(
            f"the classifier knows {len(known)} classes, but its answers have the shape "
            f"{numbers.shape}; they must be one column a class (for a support vector machine: "
            "decision_function_shape='ovr')"
        )
    return numbers


def _widened(
    numbers: Floats, known: Sequence[int], classes: Sequence[str], *, absent: float
) -> Floats:
    wide: Floats = np.full((len(numbers), len(classes)), absent, numbers.dtype)
    wide[:, known] = numbers
    return wide


def table_of(
    actual: Ints,
    found: Mapping[str, Array],
    classes: tuple[str, ...],
    *,
    positive: int = -1,
    **columns: Any,
) -> Predictions:
    """Return the prediction table of answers.

    Where the classifier's own labels differ from its likeliest classes (equal probabilities, a
    threshold of its own), they stay in the table as `predicted`.
    """
    truth = Labels(np.array(actual, np.int32), classes)
    label = np.array(found["label"], np.int32)
    shared = {"classes": classes, "positive": classes[positive], **columns}
    if "prob" in found:
        data = Predictions.from_arrays(truth, found["prob"], **shared)
        same = np.array_equal(data.most_likely, label)
        return data if same else dataclasses.replace(data, label=label)
    names = Labels(label, classes)
    return Predictions.from_arrays(truth, score=found.get("score"), predicted=names, **shared)
