"""Which of a sweep's thresholds is the best one that a constraint allows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.points import states_of
from plumbline.curves.recipe import Recipe
from plumbline.curves.sweep import Sweep

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]

ROUNDING = 1e-12  # values closer than that, relative to 1 + their size, are equal


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """What a formula is worth at every threshold of a sweep.

    Attributes
    ----------
    threshold : (s,) descending; inf where no row is accepted, NaN after rows without a sort value
    value : (s,) of the formula
    allowed : (s,) whether the constraint holds
    sign : 1 where high values are better, -1 where low ones are
    """

    threshold: Floats
    value: Floats
    allowed: Truths
    sign: float

    @property
    def usable(self) -> Truths:
        """(s,) whether a state can be chosen: it has a threshold and a value, and is allowed."""
        return self.allowed & np.isfinite(self.value) & ~np.isnan(self.threshold)

    @property
    def best(self) -> int | None:
        """Number of the best state, None where none can be chosen.

        Of several equally good ones it is the middle of the longest run of neighbours, and of
        several equally long runs the middle run: far from where the value falls.
        """
        usable = self.usable
        if not usable.any():
            return None
        merit = self.sign * self.value
        top = merit[usable].max()
        found = runs(usable & (merit >= top - ROUNDING * (1 + abs(top))))
        length = found[:, 1] - found[:, 0]
        longest = found[length == length.max()]
        first, last = longest[(len(longest) - 1) // 2]
        return int(first + last) // 2


def states_in(sweep: Sweep, recipe: Recipe, sign: float) -> States:
    """Return the states of a sweep; the recipe's further formula, if any, is the constraint."""
    value = states_of(recipe.y, sweep)
    allowed = np.ones(len(value), bool)
    for constraint in recipe.more:
        allowed &= states_of(constraint, sweep) == 1
    return States(sweep.thresholds, value, allowed, sign)


def runs(mask: Truths) -> Ints:
    """Return first and last place of every run of true values: (r, 2).

    >>> runs(np.array([True, True, False, True])).tolist()
    [[0, 1], [3, 3]]
    """
    edge = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    return np.column_stack([np.flatnonzero(edge == 1), np.flatnonzero(edge == -1) - 1])
