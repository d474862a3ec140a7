"""A small table with a sweep over it, in which formulas are computed: literal and slow."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline.formula import Variable

PAIN = ("asympt", "atypical", "non-anginal")
SITE = ("non-anginal", "clinic", "asympt")
CLASSES = ("0", "1")


def variables() -> dict[str, Variable]:
    """Return what formulas over the table may name."""

    def count(formula: str | None = None) -> Variable:
        return Variable("state", "number", "a count", threshold=True, formula=formula)

    return {
        "a": Variable("row", "number", "a number"),
        "b": Variable("row", "number", "another"),
        "t": Variable("row", "truth", "a truth"),
        "eP": Variable("row", "truth", "whether positive"),
        "chest pain": Variable("row", "category", "kind of pain", categories=PAIN),
        "pain": Variable("row", "category", "the same", categories=PAIN, formula="`chest pain`"),
        "site": Variable("row", "category", "another category", categories=SITE),
        "actualClass": Variable("row", "category", "true class", categories=CLASSES),
        "targetClass": Variable("set", "category", "positive class", categories=CLASSES),
        "P": Variable("set", "number", "positives"),
        "NN": Variable("set", "number", "all"),
        "threshold": Variable("state", "number", "sort value"),
        "TP": count(),
        "FP": count(),
        "TPR": count("TP / P"),
        "precision": count("TP / (TP + FP)"),
    }


@dataclass
class Table:
    """Rows met one by one in the order `met`; a state before the first and after every row."""

    columns: Mapping[str, np.ndarray]
    met: Sequence[int]
    weight: np.ndarray | None = None
    params: Mapping[str, float] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.met)

    def weights(self) -> np.ndarray | None:
        """Return the weights."""
        return self.weight

    def mass(self) -> np.ndarray:
        """Return the weights, ones where there are none."""
        return np.ones(self.n) if self.weight is None else self.weight

    def value(self, name: str) -> Any:
        """Return a column, a number of the set, or what was counted so far."""
        if name in self.columns:
            return self.columns[name]
        event = self.columns["eP"]
        every = {
            "targetClass": lambda: 1,
            "P": lambda: float(self.mass()[event].sum()),
            "NN": lambda: float(self.mass().sum()),
            "TP": lambda: self.cumulate(event),
            "FP": lambda: self.cumulate(~event),
            "threshold": lambda: self.at_states(self.columns["a"]),
        }
        return every[name]()

    def at_states(self, rows: np.ndarray) -> np.ndarray:
        """Return the value at the row met last in every state."""
        return np.array([math.nan, *(float(rows[row]) for row in self.met)])

    def cumulate(self, rows: Any, key: object = None) -> np.ndarray:
        """Return the weighted sums of the rows met so far."""
        values, mass = np.broadcast_to(rows, self.n), self.mass()
        sums = [0.0]
        for row in self.met:
            sums.append(sums[-1] + float(values[row]) * mass[row])
        return np.array(sums)


NAN = math.nan


def table(**changes: Any) -> Table:
    """Return seven rows, some values missing."""
    columns = {
        "a": np.array([1.0, 2.0, NAN, -4.0, 0.0, 0.5, 2.0]),
        "b": np.array([0.0, 2.0, 1.0, 3.0, NAN, -0.5, 8.0]),
        "t": np.array([True, False, True, True, False, False, True]),
        "eP": np.array([True, False, True, False, True, False, False]),
        "chest pain": np.array([0, 1, 2, -1, 0, 2, 1]),
        "site": np.array([2, 1, 0, 0, -1, 2, 1]),
        "actualClass": np.array([1, 0, 1, 0, 1, 0, 0]),
    }
    return Table(columns, **({"met": [1, 6, 0, 5, 4, 3, 2]} | changes))
