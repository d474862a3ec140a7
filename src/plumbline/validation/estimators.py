"""Estimators: seeded clones, predictions on rows, and their text."""

import copy
import dataclasses
import functools
import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plumbline._checks import need_extra
from plumbline.errors import InputError
from plumbline.predictions import Labels, Predictions, label_text
from plumbline.predictions.arrays import checked_columns, estimator_outputs
from plumbline.predictions.labels import Array, Ints, code_classes
from plumbline.predictions.probabilities import Floats, checked_probabilities


def seed_from(rng: np.random.Generator) -> int:
    """Draw a seed as scikit-learn takes them."""
    return int(rng.integers(2**31 - 1))


def seeded(estimator: Any, rng: np.random.Generator) -> Any:
    """Return an unfitted copy in which every `random_state` that is open is set from `rng`.

    Also within pipelines, ensembles, searches and their grids, and in splitters they hold. What
    the user has set stays.
    """
    base = need_extra("sklearn.base", "sklearn", "an error estimate")
    unfitted = base.clone(estimator)
    result = unfitted.get_params(deep=True)
    for name in sorted(result):  # outer names come first, and hold the same objects as inner ones
        value = result[name]
        if name.rpartition("__")[2] == "random_state" and value is None:
            unfitted.set_params(**{name: seed_from(rng)})
        elif is_splitter(value):
            unfitted.set_params(**{name: seeded_splitter(value, rng)})
        elif name.rpartition("__")[2] in ("param_grid", "param_distributions"):
            unfitted.set_params(**{name: seeded_grid(value, rng)})
    return unfitted


def seeded_grid(grid: Any, rng: np.random.Generator) -> Any:
    """Return a grid, or a list of them, in which estimators among the values are seeded."""
    if not isinstance(grid, Mapping):
        return [seeded_grid(one, rng) for one in grid]
    return {name: _seeded_values(values, rng) for name, values in grid.items()}


def _seeded_values(values: Any, rng: np.random.Generator) -> Any:
    if not isinstance(values, (list, tuple)):
        return values  # an array of numbers, or a distribution
    return [seeded(value, rng) if is_estimator(value) else value for value in values]


def seeded_splitter(splitter: Any, rng: np.random.Generator) -> Any:
    """Return a copy of a splitter that shuffles by `rng`, unless it has a seed of its own."""
    copied = copy.deepcopy(splitter)
    if getattr(copied, "random_state", 0) is None and getattr(copied, "shuffle", True):
        copied.random_state = seed_from(rng)
    return copied


def is_splitter(value: Any) -> bool:
    """Tell whether it splits rows and is no text, which has a `split` too."""
    return callable(getattr(value, "split", None)) and not isinstance(value, (str, bytes))


def is_estimator(value: Any) -> bool:
    """Tell whether it is an estimator rather than the class of one."""
    return callable(getattr(value, "get_params", None)) and not isinstance(value, type)


def answers(fitted: Any, X: Any, classes: Sequence[str]) -> dict[str, Array]:
    """Return `label` (n,), and where there are any `prob` (n, k) or else `score` (n, k).

    A class that the training part lacked has probability 0, or a rating below all others.
    """
    if not hasattr(fitted, "classes_"):
        raise InputError(
            f"{type(fitted).__name__} has no classes_ after its fit, so it is not a classifier in "
            "the style of scikit-learn; use one, or set classes_ in its fit",
            code="classes-missing",
        )
    given = estimator_outputs(fitted, X)
    known = [classes.index(label_text(name)) for name in given["classes"]]
    label = code_classes("predicted", fitted.predict(X), classes)
    result: dict[str, Array] = {"label": label}
    if "y_prob" in given:
        names = [f"p:{classes[c]}" for c in known]
        prob = checked_probabilities(_columns(given["y_prob"], known), names, normalize=None)
        result["prob"] = _widened(prob, known, classes, absent=0.0)
    elif "score" in given:
        ratings = _columns(given["score"], known)
        result["score"] = _widened(ratings, known, classes, absent=float(ratings.min()) - 1)
    return result


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
            f"the classifier has {len(known)} classes, but its predictions have the shape "
            f"{numbers.shape}; they must have one column per class (for a support vector machine: "
            "decision_function_shape='ovr')",
            code="wrong-shape",
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
    result: Mapping[str, Array],
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
    label = np.array(result["label"], np.int32)
    shared = {"classes": classes, "positive": classes[positive], **columns}
    if "prob" in result:
        data = Predictions(**checked_columns(truth, result["prob"], normalize=None, **shared))
        same = np.array_equal(data.most_likely, label)
        return data if same else dataclasses.replace(data, label=label)
    names = Labels(label, classes)
    return Predictions.from_arrays(truth, score=result.get("score"), predicted=names, **shared)


WIDTH = 60
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def plain_value(value: Any) -> Any:
    """Return a hyper-parameter as plain Python: numbers and texts as they are, others as text.

    Of an estimator, what is not as usual is told, and no seed.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> plain_value(DecisionTreeClassifier(max_depth=3, random_state=1))
    'DecisionTreeClassifier(max_depth=3)'
    >>> plain_value(np.float64(0.5))
    0.5
    >>> plain_value(functools.partial(np.clip, a_max=3))
    'partial(clip, a_max=3)'
    """
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain_value(item) for item in value]
    if isinstance(value, (set, frozenset)):  # their order is another in every process
        return sorted(map(str, map(plain_value, value)))
    if isinstance(value, Mapping):
        return {str(name): plain_value(item) for name, item in value.items()}
    if is_estimator(value):
        return _estimator_text(value)
    if isinstance(value, functools.partial):
        return _partial_text(value)
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else _cut(text_of(value))


def text_of(value: Any) -> str:
    """Return an object as it speaks of itself; one that only names its address, by its class.

    >>> text_of(object()), text_of(slice(2))
    ('object', 'slice(None, 2, None)')
    """
    own: Any = type(value)
    plain = own.__repr__ is object.__repr__ and own.__str__ is object.__str__
    return type(value).__name__ if plain else ADDRESS.sub("", str(value))


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 12]} ... {text[-6:]}"


def _estimator_text(estimator: Any) -> str:
    params = inspect.signature(type(estimator).__init__).parameters
    usual = {name: repr(one.default) for name, one in params.items()}
    texts = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name != "random_state" and repr(value) != usual.get(name)
    }
    inner = ", ".join(f"{name}={_inside(value)}" for name, value in texts.items())
    return f"{type(estimator).__name__}({inner})"


def _partial_text(partial: Any) -> str:
    given = [
        *map(_inside, partial.args),
        *(f"{k}={_inside(v)}" for k, v in partial.keywords.items()),
    ]
    return f"partial({', '.join([str(plain_value(partial.func)), *given])})"


def _inside(value: Any) -> str:
    bare = is_estimator(value) or isinstance(value, functools.partial)
    return str(plain_value(value)) if bare else repr(plain_value(value))
