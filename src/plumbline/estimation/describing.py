"""Estimators and parameters as text: for people, and to tell one question from another."""

import hashlib
import inspect
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np

from plumbline._checks import shorten
from plumbline.estimation.seeding import is_estimator, is_splitter


def described(value: Any) -> Any:
    """Return a hyper-parameter as plain Python: numbers and texts as they are, others as text.

    Of an estimator, what is not as usual is told, and no seed.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> described(DecisionTreeClassifier(max_depth=3, random_state=1)), described(np.float64(0.5))
    ('DecisionTreeClassifier(max_depth=3)', 0.5)
    """
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): described(item) for name, item in value.items()}
    if is_estimator(value):
        return _estimator_text(value)
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else shorten(value)


def _estimator_text(estimator: Any) -> str:
    asked = inspect.signature(type(estimator).__init__).parameters
    usual = {name: repr(one.default) for name, one in asked.items()}
    told = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if name != "random_state" and repr(value) != usual.get(name)
    }
    inner = ", ".join(
        f"{name}={described(value) if is_estimator(value) else repr(described(value))}"
        for name, value in told.items()
    )
    return f"{type(estimator).__name__}({inner})"


def digest(value: Any) -> str:
    """Return a text that differs where data, estimators or parameters differ.

    The same in every process: what is spelled out is what they were made with, not where they lie.
    """
    return hashlib.sha256(_spelled(value).encode()).hexdigest()[:16]


def _spelled(value: Any) -> str:
    """Spell out a value with all that it was made with."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return f"{kind}:{value!r}"
    if isinstance(value, Mapping):
        return f"{kind}{{{', '.join(f'{k!r}: {_spelled(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"{kind}[{', '.join(map(_spelled, value))}]"
    if is_estimator(value):
        return f"{kind}({_spelled(dict(value.get_params(deep=False)))})"
    if is_splitter(value) and hasattr(value, "__dict__"):
        return f"{kind}({_spelled(vars(value))})"
    if hasattr(value, "dist") and hasattr(value, "kwds"):  # a distribution of scipy, which has
        dist = type(value.dist).__qualname__  # chance of its own, another in every process
        return f"{dist}({_spelled(value.args)}, {_spelled(value.kwds)})"
    return f"{kind}:{_hashed(value)}"


def _hashed(value: Any) -> str:
    code = getattr(value, "__code__", None)
    if code is not None:  # functions, lambdas too: their name and what they do
        body = hashlib.sha256(code.co_code + repr(code.co_names).encode()).hexdigest()
        return f"{value.__module__}.{value.__qualname__}:{body}"
    import joblib

    try:
        return str(joblib.hash(value))
    except (pickle.PicklingError, TypeError, AttributeError):
        return "cannot be told apart from others of its kind"
