"""Formulas one value at a time: Python's own syntax tree, walked with floats and None.

A value is a float, a text (the name of a class or of a category) or None, which is undefined.
Truths are 1.0 and 0.0. Nothing here is quick, and nothing is shared with the package.
"""

import ast
import math
import re
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

Value: TypeAlias = float | str | None


class Place(Protocol):
    """Where a formula is evaluated: at a row, in a state, or for the whole set."""

    def lacks(self, node: ast.expr) -> bool:
        """Tell whether this place has none of what a part of a formula is about."""

    def variable(self, name: str) -> Value:
        """Return the value of a variable here."""

    def special(self, name: str, nodes: Sequence[ast.expr]) -> Value:
        """Return a function that looks at other rows, or at the parameters."""


SPECIAL = ("cumm", "cum", "total", "mean", "rank", "quantile", "param")
BACK_TICKED = "attribute__"


def parsed(text: str) -> ast.expr:
    """Return the tree of a formula; a name in back-ticks becomes one that Python can read."""
    plain = re.sub(r"`([^`]+)`", lambda found: BACK_TICKED + found[1].replace(" ", "_"), text)
    return ast.parse(plain.strip(), mode="eval").body


def names_in(node: ast.expr) -> set[str]:
    """Return the names of the variables in a formula, those of functions left out."""
    functions = {part.func for part in ast.walk(node) if isinstance(part, ast.Call)}
    return {p.id for p in ast.walk(node) if isinstance(p, ast.Name) and p not in functions}


def evaluate(node: ast.expr, place: Place) -> Value:
    """Return the value of a formula at a place."""
    if place.lacks(node):
        return None
    return RULES[type(node)](node, place)


def number(value: float) -> Value:
    """Return a number, None where it is not one."""
    return None if value != value else float(value)


def truth(value: Value) -> bool | None:
    """Return whether a value counts as true: whether it is not 0."""
    return None if value is None else value != 0.0


# ------------------------------------------------------------------ what a formula is made of


def _constant(node: ast.Constant, _: Place) -> Value:
    if node.value is None or isinstance(node.value, str):
        return node.value
    return _float(node.value)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def _name(node: ast.Name, place: Place) -> Value:
    return CONSTANTS[node.id] if node.id in CONSTANTS else place.variable(node.id)


def _unary(node: ast.UnaryOp, place: Place) -> Value:
    value = evaluate(node.operand, place)
    if value is None:
        return None
    if isinstance(node.op, ast.Not):
        return float(not truth(value))
    return -value if isinstance(node.op, ast.USub) else +value


def _binary(node: ast.BinOp, place: Place) -> Value:
    left, right = evaluate(node.left, place), evaluate(node.right, place)
    if left is None or right is None:
        return None
    return ARITHMETIC[type(node.op)](left, right)


def _bool_op(node: ast.BoolOp, place: Place) -> Value:
    """Return what Python does; of an undefined side what the other one decides by itself."""
    stops = isinstance(node.op, ast.Or)  # the truth at which the rest does not matter
    left, *others = (evaluate(part, place) for part in node.values)
    for right in others:
        if left is None:
            left = right if truth(right) == stops else None
        elif truth(left) != stops:
            left = right
    return left


def _all(truths: Sequence[bool | None]) -> Value:
    if False in truths:
        return 0.0
    return None if None in truths else 1.0


def _any(truths: Sequence[bool | None]) -> Value:
    if True in truths:
        return 1.0
    return None if None in truths else 0.0


def _compare(node: ast.Compare, place: Place) -> Value:
    """Return a < b < c as a < b and b < c."""
    truths, left = [], node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        truths.append(_pair(op, evaluate(left, place), right, place))
        left = right
    return _all(truths)


def _pair(op: ast.cmpop, left: Value, right: ast.expr, place: Place) -> bool | None:
    if isinstance(op, (ast.In, ast.NotIn)):
        among = [_equal(left, evaluate(part, place)) for part in right.elts]
        found = truth(_any(among))
        return found if found is None or isinstance(op, ast.In) else not found
    other = evaluate(right, place)
    if isinstance(op, (ast.Eq, ast.NotEq)):
        same = _equal(left, other)
        return same if same is None or isinstance(op, ast.Eq) else not same
    return None if left is None or other is None else ORDER[type(op)](left, other)


def _equal(left: Value, right: Value) -> bool | None:
    """Compare; the name of a class may be written as a number."""
    if left is None or right is None:
        return None
    if isinstance(left, str) != isinstance(right, str):
        return _class_name(left) == _class_name(right)
    return left == right


def _class_name(value: float | str) -> str:
    return value if isinstance(value, str) else str(int(value) if value == int(value) else value)


def _conditional(node: ast.IfExp, place: Place) -> Value:
    return _chosen(node.test, node.body, node.orelse, place)


def _chosen(test: ast.expr, then: ast.expr, otherwise: ast.expr, place: Place) -> Value:
    """Evaluate the side that is taken, and no other."""
    held = truth(evaluate(test, place))
    return None if held is None else evaluate(then if held else otherwise, place)


def _call(node: ast.Call, place: Place) -> Value:
    name = node.func.id
    if name in SPECIAL:
        return place.special(name, node.args)
    if name == "where":
        return _chosen(*node.args, place)
    values = [evaluate(part, place) for part in node.args]
    if name in OF_UNDEFINED:
        return OF_UNDEFINED[name](values[0])
    return None if None in values else _applied(name, values)


def _applied(name: str, values: list[float]) -> Value:
    """Call a function; what Python refuses is undefined, what is too large is infinite."""
    if name in WHOLE:
        if any(not math.isfinite(value) or value != int(value) for value in values):
            return None
        values = [int(value) for value in values]
    if name in ROUNDING and math.isinf(values[0]):
        return values[0]
    if name == "round" and len(values) == 2:
        values = [values[0], int(values[1])]
    if name == "ldexp":
        values = [values[0], int(values[1])]
    try:
        return number(_float(FUNCTIONS[name](*values)))
    except (ValueError, ZeroDivisionError):
        return None
    except OverflowError:
        return math.copysign(math.inf, values[0]) if name in ODD else math.inf


# ------------------------------------------------------------------ tables


def _divide(a: float, b: float) -> Value:
    return None if b == 0 else number(a / b)


def _floor_divide(a: float, b: float) -> Value:
    return None if b == 0 else number(a // b)


def _remainder(a: float, b: float) -> Value:
    return None if b == 0 else number(a % b)


def _power(a: float, b: float) -> Value:
    try:
        value = a**b
    except ZeroDivisionError:
        return None
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    return None if isinstance(value, complex) else number(value)


def _clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


RULES: dict[type, Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Call: _call,
}
ARITHMETIC: dict[type, Callable[[float, float], Value]] = {
    ast.Add: lambda a, b: number(a + b),
    ast.Sub: lambda a, b: number(a - b),
    ast.Mult: lambda a, b: number(a * b),
    ast.Div: _divide,
    ast.FloorDiv: _floor_divide,
    ast.Mod: _remainder,
    ast.Pow: _power,
}
ORDER: dict[type, Callable[[float, float], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
CONSTANTS: dict[str, Value] = {
    "pi": math.pi,
    "e": math.e,
    "tau": math.tau,
    "inf": math.inf,
    "nan": None,
}
OF_UNDEFINED: dict[str, Callable[[Value], Value]] = {
    "isnan": lambda v: float(v is None),
    "isinf": lambda v: float(v is not None and math.isinf(v)),
    "isfinite": lambda v: float(v is not None and math.isfinite(v)),
}
WHOLE = ("factorial", "comb", "perm", "gcd", "lcm", "isqrt")
ROUNDING = ("round", "floor", "ceil", "trunc")
ODD = ("sinh", "ldexp", "gamma")
FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in dir(math) if not name.startswith("_")},
    "abs": abs,
    "min": min,
    "max": max,
    "round": round,
    "clip": _clip,
    "pow": lambda a, b: _or_nan(_power(a, b)),
}


def _or_nan(value: Value) -> float:
    return math.nan if value is None else value
