"""A sweep seen at a few of its states only: what lies between is added up and never laid out."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.sweep import Array, Floats, Sweep
from plumbline.jit import compiled

Ints = NDArray[np.intp]


@dataclass(eq=False)
class Stops(Sweep):
    """The scope of a sweep in which formulas of states have values at chosen states only.

    Attributes
    ----------
    met : (s,) number of rows met in each state, never falling, the last all n of them
    levels : (s,) value of `threshold` in each state
    """

    met: Ints = field(default_factory=lambda: np.zeros(0, np.intp))
    levels: Floats = field(default_factory=lambda: np.zeros(0))

    def weighted(self, weight: Floats) -> Self:
        """Return the same states of the same order with other weights."""
        other = replace(self, weight=weight)
        other.__dict__["order"] = self.order
        return other

    @cached_property
    def thresholds(self) -> Floats:
        """(s,) what was given as the thresholds."""
        return self.levels

    def at_states(self, rows: Array) -> Floats:
        """Return the (s,) values at the row met last; NaN before the first."""
        last = rows[self.order[np.maximum(self.met - 1, 0)]]
        return np.where(self.met == 0, np.nan, last)

    def _met(self, values: Array, *, backwards: bool = False) -> Floats:
        """Return the (s,) sums of the first rows, or of the rest of them."""
        parts = np.empty(len(self.met))
        w = self._weight_in_order
        add_between(values, np.ones(self.n) if w is None else w, self.met, parts)
        if backwards:
            return np.append(np.cumsum(parts[:0:-1])[::-1], 0.0)
        return np.cumsum(parts)


def stopped(sweep: Sweep, met: Ints, levels: Floats) -> Stops:
    """Return the states of a sweep in which so many rows have been met, the last being all.

    >>> from plumbline.predictions import Predictions
    >>> from plumbline.curves.rows import rating, rows_of
    >>> from plumbline.curves.sweep import Key
    >>> rows = rows_of(Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.6, 0.7]), 1)
    >>> whole = Sweep(rows, Key(*rating(rows), rates=True))
    >>> stopped(whole, np.array([0, 2, 4]), np.array([np.inf, 0.7, 0.1])).value("TP")
    array([0., 1., 2.])
    """
    few = Stops(
        sweep.rows,
        sweep.key,
        sweep.direction,
        sweep.merge,
        sweep.accepted_below,
        sweep.weight,
        sweep.params,
        sweep.memo,
        met=met,
        levels=levels,
    )
    few.__dict__["order"] = sweep.order
    return few


@compiled
def add_between(values: NDArray[Any], weight: Floats, met: Ints, parts: Floats) -> None:
    """Write the weighted sum of the rows between each state and the one before it."""
    start = 0
    for j in range(len(met)):
        total = 0.0
        for i in range(start, met[j]):
            total += weight[i] * values[i]
        if total - total != 0.0:  # a row of no weight is not there, NaN or not
            total = 0.0
            for i in range(start, met[j]):
                if weight[i] != 0.0:
                    total += weight[i] * values[i]
        parts[j] = total
        start = met[j]
