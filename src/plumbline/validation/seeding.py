"""Copies of estimators and splitters whose chance comes from a stream of ours."""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from plumbline._checks import need_extra


def seed_from(chance: np.random.Generator) -> int:
    """Draw a seed as scikit-learn takes them."""
    return int(chance.integers(2**31 - 1))


def seeded(estimator: Any, chance: np.random.Generator) -> Any:
    """Return an unfitted copy in which every `random_state` that is open is set from `chance`.

    Also within pipelines, ensembles, searches and their grids, and in splitters they hold. What
    the user has set stays.
    """
    base = need_extra("sklearn.base", "sklearn", "an error estimate")
    unfitted = base.clone(estimator)
    found = unfitted.get_params(deep=True)
    for name in sorted(found):  # outer names come first, and hold the same objects as inner ones
        value = found[name]
        if name.rpartition("__")[2] == "random_state" and value is None:
            unfitted.set_params(**{name: seed_from(chance)})
        elif is_splitter(value):
            unfitted.set_params(**{name: seeded_splitter(value, chance)})
        elif name.rpartition("__")[2] in ("param_grid", "param_distributions"):
            unfitted.set_params(**{name: seeded_grid(value, chance)})
    return unfitted


def seeded_grid(grid: Any, chance: np.random.Generator) -> Any:
    """Return a grid, or a list of them, in which estimators among the values are seeded."""
    if not isinstance(grid, Mapping):
        return [seeded_grid(one, chance) for one in grid]
    return {name: _seeded_values(values, chance) for name, values in grid.items()}


def _seeded_values(values: Any, chance: np.random.Generator) -> Any:
    if not isinstance(values, (list, tuple)):
        return values  # an array of numbers, or a distribution
    return [seeded(value, chance) if is_estimator(value) else value for value in values]


def seeded_splitter(splitter: Any, chance: np.random.Generator) -> Any:
    """Return a copy of a splitter that shuffles by `chance`, unless it has a seed of its own."""
    copied = copy.deepcopy(splitter)
    if getattr(copied, "random_state", 0) is None and getattr(copied, "shuffle", True):
        copied.random_state = seed_from(chance)
    return copied


def is_splitter(value: Any) -> bool:
    """Tell whether it splits rows and is no text, which has a `split` too."""
    return callable(getattr(value, "split", None)) and not isinstance(value, (str, bytes))


def is_estimator(value: Any) -> bool:
    """Tell whether it is an estimator rather than the class of one."""
    return callable(getattr(value, "get_params", None)) and not isinstance(value, type)
