"""Rows met one after the other, from the highest sort value down, and what adds up on the way."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion import ThresholdCounts, ascending_order, descending_order, threshold_counts
from plumbline.curves.target_rows import TargetRows
from plumbline.jit import compiled

Array = NDArray[Any]
Floats = NDArray[np.float64]
Direction: TypeAlias = Literal["descending", "ascending", "unsorted"]
Merge: TypeAlias = Literal["last", "average", "none"]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Key:
    """What rows are sorted by: (n,) values, what they are called, and whether they rate.

    Rows at or above a value of a key that rates are the accepted ones, so counts at a threshold
    mean something: a probability, a score, or the value of a policy's formula.
    """

    values: Array
    name: str
    rates: bool
    names: tuple[str, ...] = ()


@dataclass(eq=False)
class Sweep:
    """The scope in which formulas are computed: rows, the states between them, and their sums.

    `states` are after each row, or (merge "last") after the last row of equal sort value; the first
    is before any row. Once made, only the caches inside change; `weighted` gives another one.

    Attributes
    ----------
    rows, key : the rows, and what they are sorted by
    direction, merge : the order, and what equal values become
    accepted_below : whether `cumm` adds the rows not met yet: a sweep down that is drawn upwards
    weight : (n,) weights, None where all are 1
    params : values for `param("name", default)`
    """

    rows: TargetRows
    key: Key
    direction: Direction = "descending"
    merge: Merge = "last"
    accepted_below: bool = False
    weight: Floats | None = None
    params: Mapping[str, float] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict)
    counts_only: bool = False

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.rows.n

    def weighted(self, weight: Floats) -> Self:
        """Return the same sweep over the same order with other weights: nothing is sorted again."""
        other = type(self)(
            self.rows,
            self.key,
            self.direction,
            self.merge,
            self.accepted_below,
            weight,
            self.params,
            self.memo,
        )
        for name in ("order", "ends"):
            other.__dict__[name] = getattr(self, name)
        return other

    # ---------------------------------------------------------------- order and states

    @cached_property
    def order(self) -> Array:
        """(n,) row numbers in the order in which they are met."""
        if self.direction == "unsorted":
            return np.arange(self.n)
        by = ascending_order if self.direction == "ascending" else descending_order
        return by(self.key.values)

    @cached_property
    def ends(self) -> Array:
        """(s - 1,) place, in that order, of the row met last in every state but the first."""
        if self.merge != "last" or self.direction == "unsorted":
            return np.arange(self.n)
        return self.group_ends

    @cached_property
    def group_ends(self) -> Array:
        """Places of the last rows of equal sort value; missing values are one group."""
        values = self.sorted_key
        differs = values[1:] != values[:-1]
        if self.has_missing_keys:
            differs &= ~(np.isnan(values[1:]) & np.isnan(values[:-1]))
        return np.flatnonzero(np.append(differs, True))

    @property
    def group_starts(self) -> Array:
        """States after the first row of every sort value, behind the state before any row."""
        return np.concatenate([[0, 1], self.group_ends[:-1] + 2])

    @cached_property
    def sorted_key(self) -> Array:
        """(n,) sort values in the order of the rows."""
        return self.key.values[self.order]

    @cached_property
    def has_missing_keys(self) -> bool:
        """Whether some row has no sort value."""
        return bool(np.isnan(self.key.values).any())

    @cached_property
    def thresholds(self) -> Floats:
        """(s,) sort value of the row met last; infinite before the first, NaN where unsorted."""
        if self.direction == "unsorted":
            return np.full(self.n + 1, np.nan)
        if self._uses_counts:
            return self._counts.states[0]
        met = self.sorted_key[self.ends]
        start = -np.inf if self.direction == "ascending" else np.inf
        return np.concatenate([[start], met.astype(np.float64, copy=False)])

    @property
    def _uses_counts(self) -> bool:
        return self.counts_only and "order" not in self.__dict__

    @cached_property
    def _counts(self) -> ThresholdCounts:
        return threshold_counts(self.rows.event, self.key.values, weight=self.weight)

    # ---------------------------------------------------------------- the scope of formulas

    def value(self, name: str) -> Any:
        """Return the value of a variable: a float, an (n,) array of rows or (s,) of states."""
        if name in self._state:
            return self._state[name]()
        if name == "targetClass":
            return float(self.rows.target)
        return self.rows.attribute(name[1:-1]) if name[0] == "`" else self.rows.column(name)

    @property
    def _state(self) -> dict[str, Any]:
        return {
            "threshold": lambda: self.thresholds,
            "P": lambda: float(self.tp[-1]),
            "N": lambda: float(self.fp[-1]),
            "NN": lambda: float(self.tp[-1] + self.fp[-1]),
            "TP": lambda: self.tp,
            "FP": lambda: self.fp,
            "FN": lambda: self.tp[-1] - self.tp,
            "TN": lambda: self.fp[-1] - self.fp,
            "PP": lambda: self.tp + self.fp,
            "NP": lambda: (self.tp[-1] - self.tp) + (self.fp[-1] - self.fp),
        }

    @cached_property
    def tp(self) -> Floats:
        """(s,) weight of the positive rows met."""
        if self._uses_counts:
            return self._counts.states[1]
        return self._met(self._in_order(self.rows.event, "eP"))

    @cached_property
    def fp(self) -> Floats:
        """(s,) weight of the negative rows met."""
        if self._uses_counts:
            return self._counts.states[2]
        return self._met(~self._in_order(self.rows.event, "eP"))

    def weights(self) -> Floats | None:
        """Return the (n,) weights of the rows, None where all are 1."""
        return self.weight

    def at_states(self, rows: Array) -> Floats:
        """Return the (s,) values at the row met last; NaN before the first."""
        states = np.empty(len(self.ends) + 1)
        states[0] = np.nan
        states[1:] = rows[self.order[self.ends]]
        return states

    def cumulate(self, rows: Any, key: object = None) -> Floats:
        """Return the (s,) weighted sums over the rows met so far, or over those not met yet."""
        if np.ndim(rows) == 0:
            met = self.tp + self.fp
            met = met[-1] - met if self.accepted_below else met
            with np.errstate(invalid="ignore"):
                return np.where(met == 0, 0.0, float(rows) * met)
        return self._met(self._in_order(rows, key), backwards=self.accepted_below)

    def _in_order(self, rows: Array, key: object) -> Array:
        """Return the values of the rows in the order of the sweep; kept where `key` says what."""
        if key is None:
            return rows[self.order]
        kept = ("in order", key)
        if kept not in self.memo:
            self.memo[kept] = rows[self.order]
        values: Array = self.memo[kept]
        return values

    @cached_property
    def _weight_in_order(self) -> Floats | None:
        return None if self.weight is None else self.weight[self.order]

    def _met(self, values: Array, *, backwards: bool = False) -> Floats:
        """Return the (s,) sums of the first rows, or of the rest of them."""
        w = self._weight_in_order
        parts = values if w is None else values * w
        if w is not None and values.dtype == np.float64:
            parts = np.where(w == 0, 0.0, parts)  # a row of no weight is not there, NaN or not
        states = np.zeros(len(self.ends) + 1)
        if backwards:
            rest = np.cumsum(parts[::-1], dtype=np.float64)[::-1]
            states[0] = rest[0]
            states[1:-1] = rest[self.ends[:-1] + 1]
        else:
            whole = np.cumsum(parts, dtype=np.float64)
            states[1:] = whole if len(self.ends) == self.n else whole[self.ends]
        return states


def group_means(sweep: Sweep, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return (g,) thresholds, mean x and y of the states of equal sort value, and their weights.

    States in which x or y is undefined are left out. The state before the first row is a group of
    its own, and the rows weigh what they weigh.
    """
    starts = sweep.group_starts
    weight = np.ones(len(x))
    if sweep.weight is not None:
        weight[1:] = sweep.weight[sweep.order]
    both = ~(np.isnan(x) | np.isnan(y))
    total = np.add.reduceat(np.where(both, weight, 0.0), starts)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [np.add.reduceat(np.where(both, v * weight, 0.0), starts) / total for v in (x, y)]
    return sweep.thresholds[starts], means[0], means[1], total


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
    >>> from plumbline.curves.target_rows import rating, rows_of
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
