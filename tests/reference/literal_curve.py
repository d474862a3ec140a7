"""The algorithm of Biček (2009) row by row, with its faults mended, in plain Python.

Rows are dictionaries and are met one after the other; after every row both formulas are evaluated
anew, and whatever they sum is summed anew. Undefined is None.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.literal_formula import (
    BACK_TICKED,
    CONSTANTS,
    SPECIAL,
    Value,
    evaluate,
    names_in,
    parsed,
    truth,
)

# The rates of two classes in the counts (https://en.wikipedia.org/wiki/Confusion_matrix).
RATES = {
    "CA": "(TP + TN) / NN",
    "error_rate": "(FP + FN) / NN",
    "queue_rate": "PP / NN",
    "TPR": "TP / P",
    "FNR": "FN / P",
    "FPR": "FP / N",
    "TNR": "TN / N",
    "PPV": "TP / PP",
    "FDR": "FP / PP",
    "NPV": "TN / NP",
    "FOR": "FN / NP",
    "F1": "2 * TP / (2 * TP + FP + FN)",
    "F2": "5 * TP / (5 * TP + 4 * FN + FP)",
    "F05": "1.25 * TP / (1.25 * TP + 0.25 * FN + FP)",
    "informedness": "TP / P + TN / N - 1",
    "markedness": "TP / PP + TN / NP - 1",
    "balanced_accuracy": "(TP / P + TN / N) / 2",
    "G_mean": "sqrt((TP / P) * (TN / N))",
    "fowlkes_mallows": "sqrt((TP / PP) * (TP / P))",
    "jaccard": "TP / (TP + FP + FN)",
    "MCC": "(TP * TN - FP * FN) / sqrt(PP * P * N * NP)",
    "kappa": "2 * (TP * TN - FP * FN) / (PP * N + P * NP)",
    "lift": "(TP / PP) / (P / NN)",
    "PLR": "(TP / P) / (FP / N)",
    "NLR": "(FN / P) / (TN / N)",
}
ALIASES = {
    "acc": "CA",
    "accuracy": "CA",
    "recall": "TPR",
    "sensitivity": "TPR",
    "specificity": "TNR",
    "precision": "PPV",
}
COUNTS = ("TP", "FP", "TN", "FN", "PP", "NP")
THRESHOLD_NAMES = {*COUNTS, *RATES, *ALIASES}
TREES = {name: parsed(text) for name, text in RATES.items()}
SETS = ("P", "N", "NN", "targetClass", "prevalence")
CLASS_NAMES = ("actualClass", "trueClass", "predictedClass", "targetClass")


@dataclass(frozen=True)
class Table:
    """The columns of a prediction table as lists; a missing entry is None."""

    classes: tuple[str, ...]
    actual: list[str]
    prob: list[list[float]] | None = None
    score: list[float] | None = None
    predicted: list[str] | None = None
    weight: list[float] | None = None
    fold: list[int] | None = None
    model: list[str] | None = None
    attributes: Mapping[str, list[Any]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.actual)

    def row(self, i: int, target: str) -> dict[str, Value]:
        """Return everything that a formula may ask of a row."""
        row: dict[str, Value] = {}
        for name, values in self.attributes.items():
            value = values[i]
            shown = value if value is None or isinstance(value, str) else float(value)
            plain = name.replace(" ", "_")
            row[plain] = row[BACK_TICKED + plain] = shown
        return row | self._own(i, target)

    def _own(self, i: int, target: str) -> dict[str, Value]:
        """Return the variables that come from the classes, before which attributes give way."""
        actual, answer = self.actual[i], self.answer(i)
        row: dict[str, Value] = {
            "weight": 1.0 if self.weight is None else float(self.weight[i]),
            "iteration": 0.0
            if self.fold is None
            else float(sorted({*self.fold}).index(self.fold[i])),
            "actualClass": actual,
            "trueClass": actual,
            "predictedClass": answer,
            "eP": float(actual == target),
            "eN": float(actual != target),
            "eCA": float(actual == answer),
            "eTP": float(answer == target == actual),
            "eTN": float(answer != target != actual),
            "eFP": float(answer == target != actual),
            "eFN": float(answer != target == actual),
        }
        if self.prob is not None:
            row["probability"] = self.prob[i][self.classes.index(target)]
        if self.score is not None:
            row["score"] = self.score[i] if target == self.classes[-1] else -self.score[i]
        return row

    def answer(self, i: int) -> str:
        """Return the class that the classifier answers: its own word, else the most likely."""
        if self.predicted is not None:
            return self.predicted[i]
        p = self.prob[i]
        if len(p) == 2:
            return self.classes[1] if p[1] >= 0.5 else self.classes[0]
        return self.classes[p.index(max(p))]

    @property
    def rating(self) -> str:
        """Return what rows are sorted by unless told otherwise."""
        if self.prob is not None:
            return "probability"
        return "score" if self.score is not None else "predictedClass == targetClass"

    def names_of(self, name: str) -> list[str]:
        """Return the names that a category can take, in the order of their codes."""
        if name in CLASS_NAMES:
            return list(self.classes)
        name = name.removeprefix(BACK_TICKED)
        values = {k.replace(" ", "_"): v for k, v in self.attributes.items()}[name]
        return sorted({value for value in values if value is not None})


@dataclass
class Rows:
    """Some rows in an order, and where in it a formula is evaluated.

    `met` is how many rows have been met, None where formulas are evaluated row by row; `low` makes
    `cumm` add the rows that have not been met.
    """

    rows: Sequence[dict[str, Value]]
    target: str
    params: Mapping[str, float]
    keys: Sequence[Value] = ()
    start: Value = math.inf
    low: bool = False
    at: int | None = None
    met: int | None = None

    def lacks(self, node: ast.expr) -> bool:
        """Tell whether there is no row yet, and the part is about one: then it has no value."""
        return self.met == 0 and _about(node) == "row"

    def variable(self, name: str) -> Value:
        """Return a variable of the row, of the set, or of the state."""
        if name in SETS:
            return self._of_set(name)
        if name in COUNTS:
            return self._count(name)
        if name in TREES or name in ALIASES:
            return evaluate(TREES[ALIASES.get(name, name)], self)
        if name == "threshold":
            return self.keys[self.met - 1] if self.met else self.start
        if self.at is None:
            return None
        return self.rows[self.at][name]

    def _of_set(self, name: str) -> Value:
        if name == "targetClass":
            return self.target
        if name == "prevalence":
            return self._of_set("P") / self._of_set("NN")
        wanted = {"P": ("eP",), "N": ("eN",), "NN": ("eP", "eN")}[name]
        return sum(row["weight"] for row in self.rows if any(row[part] for part in wanted))

    def _count(self, name: str) -> float:
        """Count rows by whether they were met (they are predicted positive) and what they are."""
        found = 0.0
        for place, row in enumerate(self.rows):
            accepted, positive = place < self.met, bool(row["eP"])
            kind = ("T" if accepted == positive else "F") + ("P" if accepted else "N")
            if name == kind or name == ("PP" if accepted else "NP"):
                found += row["weight"]
        return found

    def special(self, name: str, nodes: Sequence[ast.expr]) -> Value:
        """Return a function that looks at other rows, or at the parameters."""
        if name == "param":
            given = evaluate(nodes[1], self)
            return float(self.params.get(nodes[0].value, given))
        if name in ("cumm", "cum"):
            taken = range(self.met, len(self.rows)) if self.low else range(self.met)
            return self._sum(nodes[0], taken)
        if name in ("total", "mean"):
            whole = self._sum(nodes[0], range(len(self.rows)))
            if name == "total" or whole is None:
                return whole
            weight = sum(row["weight"] for row in self.rows)
            return whole / weight if weight else None
        return self._rank(nodes[0]) if name == "rank" else self._quantile(*nodes)

    def _each(self, node: ast.expr) -> list[Value]:
        """Return the values of a formula of rows."""
        return [evaluate(node, self.at_row(i)) for i in range(len(self.rows))]

    def at_row(self, i: int) -> "Rows":
        """Return the place that is one row."""
        return Rows(self.rows, self.target, self.params, at=i)

    def _sum(self, node: ast.expr, taken: Sequence[int]) -> Value:
        found = 0.0
        for i in taken:
            value = evaluate(node, self.at_row(i))
            if value is None:
                return None
            found += self.rows[i]["weight"] * value
        return None if found != found else found

    def _rank(self, node: ast.expr) -> Value:
        """Return the mean place of the row if every row stood there as often as it weighs."""
        if self.at is None:
            return None
        values = self._each(node)
        own = values[self.at]
        if own is None:
            return None
        pairs = [(v, row["weight"]) for v, row in zip(values, self.rows, strict=True)]
        below = sum(w for v, w in pairs if v is not None and v < own)
        equal = sum(w for v, w in pairs if v == own)
        return below + (equal + 1) / 2

    def _quantile(self, node: ast.expr, share: ast.expr) -> Value:
        """Return the smallest value at or below which there is at least this share of weight."""
        values, q = self._each(node), evaluate(share, self)
        if q is None or not 0 <= q <= 1 or None in values or not values:
            return None
        whole = sum(row["weight"] for row in self.rows)
        for value in sorted(values):
            pairs = zip(values, self.rows, strict=True)
            if sum(row["weight"] for v, row in pairs if v <= value) >= q * whole:
                return value
        return None


def _about(node: ast.AST) -> str:
    """Return what a part of a formula is about: the whole set, a row, or a state."""
    if isinstance(node, ast.Name):
        if node.id in CONSTANTS or node.id in SETS:
            return "set"
        return "state" if node.id in THRESHOLD_NAMES or node.id == "threshold" else "row"
    if isinstance(node, ast.Call) and node.func.id in SPECIAL:
        return {"cumm": "state", "cum": "state", "rank": "row"}.get(node.func.id, "set")
    parts = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    return max(map(_about, parts), key=("set", "row", "state").index, default="set")


# ------------------------------------------------------------------ the curve


class NoRowError(Exception):
    """The filter leaves no row of any weight."""


@dataclass(frozen=True)
class Settings:
    """What is asked of a curve."""

    x: str
    y: str
    sort_by: str | None = None
    direction: str = "descending"
    merge: str = "last"
    average: str = "merge"
    where: str | None = None
    target: str | None = None
    params: Mapping[str, float] = field(default_factory=dict)


Point = tuple[float | None, float, float]  # threshold, x, y
Drawn = tuple[list[Point], int]  # points in drawing order, and how many were dropped


def literal_curve(table: Table, asked: Settings) -> dict[tuple[str | None, int | None], Drawn]:
    """Return the line of every model, and of every fold where those are kept apart."""
    lines: dict[tuple[str | None, int | None], Drawn] = {}
    for model in [None] if table.model is None else sorted({*table.model}):
        rows = _kept(table, model, asked)
        if not rows:
            raise NoRowError
        if asked.average == "merge":
            lines[model, None] = _line(table, rows, asked)
            continue
        for number, name in enumerate(sorted({*table.fold})):
            part = [row for row in rows if row["iteration"] == number]
            if part:
                lines[model, name] = _line(table, part, asked)
    return lines


def _kept(table: Table, model: str | None, asked: Settings) -> list[dict[str, Value]]:
    """Return the rows of a model that have any weight and that the filter keeps."""
    target = _target(table, asked)
    rows = [
        table.row(i, target) for i in range(table.n) if model is None or table.model[i] == model
    ]
    rows = [row for row in rows if row["weight"] > 0]
    if asked.where is None:
        return rows
    node, every = parsed(asked.where), Rows(rows, target, asked.params)
    return [row for i, row in enumerate(rows) if truth(evaluate(node, every.at_row(i)))]


def _target(table: Table, asked: Settings) -> str:
    return table.classes[-1] if asked.target is None else asked.target


def _line(table: Table, rows: Sequence[dict[str, Value]], asked: Settings) -> Drawn:
    """Meet the rows one after the other; return the points and how many were dropped."""
    keys = _keys(table, Rows(rows, _target(table, asked), asked.params), asked)
    x, y = parsed(asked.x), parsed(asked.y)
    upwards = asked.direction == "ascending"
    low = upwards and bool((names_in(x) | names_in(y)) & THRESHOLD_NAMES)
    order = _order(keys, asked.direction, reverse=low)
    sweep = Rows(
        rows=[rows[i] for i in order],
        target=_target(table, asked),
        params=asked.params,
        keys=[keys[i] for i in order],
        start=_start(asked.direction, low=low),
        low=low,
    )
    points = [_point(table, sweep, (x, y), group) for group in _groups(sweep.keys, asked)]
    kept = [point for point in points if _drawn(point, (x, y))]
    return kept[::-1] if low else kept, len(points) - len(kept)


def _keys(table: Table, rows: Rows, asked: Settings) -> list[Value]:
    """Return what rows are sorted by; names of categories as their place among them."""
    if asked.direction == "unsorted":
        return [None] * len(rows.rows)
    node = parsed(asked.sort_by or table.rating)
    return [_coded(table, node, evaluate(node, rows.at_row(i))) for i in range(len(rows.rows))]


def _coded(table: Table, node: ast.expr, value: Value) -> float | None:
    return float(table.names_of(node.id).index(value)) if isinstance(value, str) else value


def _start(direction: str, *, low: bool) -> Value:
    """Return the threshold before any row is met: nothing is sorted without a direction."""
    if direction == "unsorted":
        return None
    return -math.inf if direction == "ascending" and not low else math.inf


def _order(keys: Sequence[Value], direction: str, *, reverse: bool) -> list[int]:
    """Return the order in which rows are met: ties as they stand, rows without a key last."""
    if direction == "unsorted":
        return list(range(len(keys)))
    with_key = [i for i, key in enumerate(keys) if key is not None]
    sign = 1 if direction == "ascending" and not reverse else -1
    with_key.sort(key=lambda i: sign * keys[i])
    return with_key + [i for i, key in enumerate(keys) if key is None]


def _groups(keys: Sequence[Value], asked: Settings) -> list[list[int]]:
    """Return the states, by how many rows have been met, whose points become one point."""
    states = [[k] for k in range(len(keys) + 1)]
    if asked.merge == "none" or asked.direction == "unsorted":
        return states
    groups = [[0]]
    for k in range(1, len(keys) + 1):
        if k > 1 and keys[k - 1] == keys[k - 2]:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups if asked.merge == "average" else [group[-1:] for group in groups]


def _point(
    table: Table, sweep: Rows, nodes: tuple[ast.expr, ast.expr], states: Sequence[int]
) -> tuple[Value, Value, Value]:
    """Return threshold and the means of x and y over the states in which both are defined."""
    pairs, weights = [], []
    for k in states:
        sweep.met, sweep.at = k, k - 1 if k else None
        pair = [_coded(table, node, evaluate(node, sweep)) for node in nodes]
        if None not in pair:
            pairs.append(pair)
            weights.append(sweep.rows[k - 1]["weight"] if k else 1.0)
    threshold = sweep.keys[states[-1] - 1] if states[-1] else sweep.start
    if len(states) == 1:
        return (threshold, *pairs[0]) if pairs else (threshold, None, None)
    return (threshold, _mean(pairs, weights, 0), _mean(pairs, weights, 1))


def _mean(pairs: Sequence[Sequence[float]], weights: Sequence[float], axis: int) -> Value:
    if not pairs:
        return None
    whole = sum(w * pair[axis] for w, pair in zip(weights, pairs, strict=True))
    mean = whole / sum(weights)
    return None if mean != mean else mean


def _drawn(point: Sequence[Value], nodes: Sequence[ast.expr]) -> bool:
    """Tell whether both coordinates are numbers; only the threshold itself may be infinite."""
    return all(
        value is not None
        and (math.isfinite(value) or (isinstance(node, ast.Name) and node.id == "threshold"))
        for value, node in zip(point[1:], nodes, strict=True)
    )
