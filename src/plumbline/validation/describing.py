"""Estimators, splitters and parameters as text for people, the same in every process."""

import functools
import inspect
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from plumbline.validation.seeding import is_estimator

WIDTH = 60
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def described(value: Any) -> Any:
    """Return a hyper-parameter as plain Python: numbers and texts as they are, others as text.

    Of an estimator, what is not as usual is told, and no seed.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> described(DecisionTreeClassifier(max_depth=3, random_state=1)), described(np.float64(0.5))
    ('DecisionTreeClassifier(max_depth=3)', 0.5)
    >>> described(functools.partial(np.clip, a_max=3))
    'partial(clip, a_max=3)'
    """
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, (set, frozenset)):  # their order is another in every process
        return sorted(map(str, map(described, value)))
    if isinstance(value, Mapping):
        return {str(name): described(item) for name, item in value.items()}
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
    asked = inspect.signature(type(estimator).__init__).parameters
    usual = {name: repr(one.default) for name, one in asked.items()}
    told = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name != "random_state" and repr(value) != usual.get(name)
    }
    inner = ", ".join(f"{name}={_inside(value)}" for name, value in told.items())
    return f"{type(estimator).__name__}({inner})"


def _partial_text(partial: Any) -> str:
    given = [
        *map(_inside, partial.args),
        *(f"{k}={_inside(v)}" for k, v in partial.keywords.items()),
    ]
    return f"partial({', '.join([str(described(partial.func)), *given])})"


def _inside(value: Any) -> str:
    bare = is_estimator(value) or isinstance(value, functools.partial)
    return str(described(value)) if bare else repr(described(value))
