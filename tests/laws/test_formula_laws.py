"""Laws of formulas: equal to a literal interpreter, row by row; and no text does any harm."""

import ast
import math
import random
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline.formula.computing as computing
from formula_tables import CLASSES, PAIN, SITE, Table, table, variables
from plumbline.errors import FormulaError
from plumbline.formula import Formula, read_formula

VARIABLES = variables()
ROW_NAMES = {name for name, variable in VARIABLES.items() if variable.level == "row"}

# ------------------------------------------------------------------ the literal interpreter


class Literal:
    """Computes Python's own tree of a formula for one state or row, with None for undefined."""

    def __init__(self, data: Table) -> None:
        self.data = data
        self.row: int | None = None
        self.met: list[int] = []

    def in_state(self, tree: ast.expr, k: int) -> Any:
        """Return the value after k rows have been met."""
        self.met = list(self.data.met)[:k]
        self.row = self.met[-1] if self.met else None
        return self.value(tree)

    def at_row(self, tree: ast.expr, row: int) -> Any:
        """Return the value at a row."""
        self.row = row
        return self.value(tree)

    def value(self, node: ast.expr) -> Any:
        """Return a float, a bool, a name of a category, or None.

        What is known of a row only is undefined before the first row.
        """
        if self.row is None and _level(node) == 1:
            return None
        found = getattr(self, f"_{type(node).__name__.lower()}")(node)
        return None if isinstance(found, float) and math.isnan(found) else found

    def _constant(self, node: ast.Constant) -> Any:
        return float(node.value) if type(node.value) is int else node.value

    def _name(self, node: ast.Name) -> Any:
        data, event = self.data, self.data.columns["eP"]
        if node.id == "nan":
            return None
        if node.id == "P":
            return float(sum(m for m, e in zip(data.mass(), event, strict=True) if e))
        if node.id == "NN":
            return float(sum(data.mass()))
        if node.id in ("TP", "FP"):
            wanted = node.id == "TP"
            return float(sum(data.mass()[r] for r in self.met if event[r] == wanted))
        if node.id == "TPR":
            return self.value(ast.parse("TP / P", mode="eval").body)
        if self.row is None:
            return None
        if node.id in ("pain", "site", "actualClass"):
            column = {"pain": "chest pain"}.get(node.id, node.id)
            names = {"pain": PAIN, "site": SITE, "actualClass": CLASSES}[node.id]
            code = data.columns[column][self.row]
            return None if code < 0 else names[code]
        found = data.columns[node.id][self.row]
        return bool(found) if found.dtype == bool else float(found)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        of = self.value(node.operand)
        if of is None:
            return None
        if isinstance(node.op, ast.Not):
            return not of
        return -float(of) if isinstance(node.op, ast.USub) else float(of)

    def _binop(self, node: ast.BinOp) -> Any:
        a, b = self.value(node.left), self.value(node.right)
        if a is None or b is None:
            return None
        a, b = float(a), float(b)
        try:
            return {
                ast.Add: lambda: a + b,
                ast.Sub: lambda: a - b,
                ast.Mult: lambda: a * b,
                ast.Div: lambda: a / b,
                ast.FloorDiv: lambda: a // b,
                ast.Mod: lambda: a % b,
                ast.Pow: lambda: a * a,  # the strategy below writes squares only
            }[type(node.op)]()
        except ZeroDivisionError:
            return None

    def _boolop(self, node: ast.BoolOp) -> Any:
        parts = [self.value(part) for part in node.values]
        decides = isinstance(node.op, ast.Or)
        if any(part is not None and bool(part) == decides for part in parts):
            return decides
        return None if None in parts else not decides

    def _compare(self, node: ast.Compare) -> Any:
        sides = [node.left, *node.comparators]
        found = [self.pair(op, *sides[i : i + 2]) for i, op in enumerate(node.ops)]
        return False if False in found else None if None in found else True

    def pair(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> bool | None:
        """Return one comparison of a chain."""
        a = self.value(left)
        if isinstance(op, ast.In | ast.NotIn):
            equal = [self.equal(a, self.value(choice)) for choice in right.elts]
            inside = True if True in equal else None if None in equal else False
            return inside if isinstance(op, ast.In) or inside is None else not inside
        b = self.value(right)
        if isinstance(op, ast.Eq | ast.NotEq):
            equal = self.equal(a, b)
            return equal if isinstance(op, ast.Eq) or equal is None else not equal
        if a is None or b is None:
            return None
        a, b = float(a), float(b)
        return {ast.Lt: a < b, ast.LtE: a <= b, ast.Gt: a > b, ast.GtE: a >= b}[type(op)]

    @staticmethod
    def equal(a: Any, b: Any) -> bool | None:
        """Return whether two values are the same, as names or as numbers."""
        if a is None or b is None:
            return None
        if isinstance(a, str) and isinstance(b, str):
            return a == b
        return float(a) == float(b)  # a class may be called by its number

    def _ifexp(self, node: ast.IfExp) -> Any:
        ask = self.value(node.test)
        return None if ask is None else self.value(node.body if ask else node.orelse)

    def _call(self, node: ast.Call) -> Any:
        name, args = node.func.id, node.args
        if name == "where":
            return self._ifexp(ast.IfExp(*args))
        if name == "param":
            return self.data.params.get(args[0].value, float(ast.literal_eval(args[1])))
        if name == "isnan":
            return self.value(args[0]) is None
        if name in ("cumm", "total", "mean", "rank", "quantile"):
            return getattr(self, f"over_{name}")(*args)
        parts = [self.value(part) for part in args]
        if None in parts:
            return None
        numbers = [float(part) for part in parts]
        return self.function(name, numbers)

    @staticmethod
    def function(name: str, x: list[float]) -> float | None:
        """Return the value of a function of numbers."""
        if name == "clip":
            return min(max(x[0], x[1]), x[2])
        if name in ("floor", "ceil", "round") and math.isinf(x[0]):
            return x[0]
        known: dict[str, Callable[..., float]] = {
            "abs": abs, "min": min, "max": max, "round": round, "floor": math.floor,
            "ceil": math.ceil, "sqrt": math.sqrt,
        }  # fmt: skip
        try:
            return float(known[name](*x))
        except ValueError:
            return None

    def each(self, f: ast.expr) -> list[float | None]:
        """Return the value at every row."""
        kept, found = (self.row, self.met), []
        for row in range(self.data.n):
            value = self.at_row(f, row)
            found.append(None if value is None else float(value))
        self.row, self.met = kept
        return found

    def over_cumm(self, f: ast.expr) -> float | None:
        """Return the sum over the rows met."""
        return self.added(f, self.met)

    def over_total(self, f: ast.expr) -> float | None:
        """Return the sum over all rows."""
        return self.added(f, range(self.data.n))

    def over_mean(self, f: ast.expr) -> float | None:
        """Return the mean over all rows."""
        whole = self.over_total(f)
        return None if whole is None else whole / float(sum(self.data.mass()))

    def added(self, f: ast.expr, rows: Any) -> float | None:
        """Return the weighted sum over rows."""
        values, sum_ = self.each(f), 0.0
        for row in rows:
            if values[row] is None:
                return None
            sum_ += values[row] * self.data.mass()[row]
        return sum_

    def over_rank(self, f: ast.expr) -> float | None:
        """Return the mid-rank of this row."""
        values, mass = self.each(f), self.data.mass()
        if self.row is None or (mine := values[self.row]) is None:
            return None
        below = sum(m for v, m in zip(values, mass, strict=True) if v is not None and v < mine)
        return below + (sum(m for v, m in zip(values, mass, strict=True) if v == mine) + 1) / 2

    def over_quantile(self, f: ast.expr, share: ast.expr) -> float | None:
        """Return the value at which a share of the weight is reached."""
        values, mass = self.each(f), self.data.mass()
        wanted = float(ast.literal_eval(share)) * sum(mass)
        if None in values:
            return None
        return next(
            v
            for v in sorted(values)
            if sum(m for u, m in zip(values, mass, strict=True) if u <= v) >= wanted
        )


def _level(node: ast.AST) -> int:
    """Return 0 for one value of a set, 1 for values of rows, 2 for values of states."""
    if isinstance(node, ast.Call) and node.func.id in ("total", "mean", "quantile"):
        return 0
    if isinstance(node, ast.Call) and node.func.id in ("cumm", "rank"):
        return 1 if node.func.id == "rank" else 2
    if isinstance(node, ast.Name):
        return 2 if node.id in ("TP", "FP", "TPR") else int(node.id in ROW_NAMES)
    return max(map(_level, ast.iter_child_nodes(node)), default=0)


def literally(text: str, formula: Formula, data: Table) -> np.ndarray:
    """Return what the interpreter makes of a formula."""
    tree, run = ast.parse(text, mode="eval").body, Literal(data)
    if formula.level == "state":
        found = [run.in_state(tree, k) for k in range(data.n + 1)]
    else:
        found = [run.at_row(tree, row) for row in range(data.n)]
    if formula.kind == "category":
        found = [formula.categories.index(f) if isinstance(f, str) else f for f in found]
    return np.array([math.nan if f is None else float(f) for f in found])


# ------------------------------------------------------------------ random formulas

NUMBERS = ("0", "1", "2", "0.5", "3", "1e3", "-4", ".25", "True", "False", "nan")
ROWS = ("a", "b", "t", "eP", "P", "NN", "a", "b", "param('rate', 30)")
NAMED = (
    *(f"pain {sign} '{name}'" for sign in ("==", "!=") for name in PAIN),
    *("'clinic' == site", "pain == site", "site != pain", "actualClass == 1", "0 != actualClass"),
    *("pain in ('asympt', 'atypical')", "site not in ('clinic',)", "pain == site == pain"),
    *("isnan(pain)", "actualClass in (1, 0)"),
)
TWO = ("+", "-", "*", "/", "//", "%", "and", "or", "<", "<=", ">", ">=", "==", "!=")
ONE = ("abs", "sqrt", "floor", "ceil", "round", "isnan", "not ", "-")
SHAPES = (
    "({}) - 2 * -({})",
    "({}) < ({}) <= ({})",
    "({}) in ({}, {})",
    "({}) not in ({}, 1)",
    "({}) if ({}) else ({})",
    "({}) if ({}) else None",
    "({}) or ({}) and not ({})",
    "({}) and ({}) and ({})",
    "where({}, {}, {})",
    "clip({}, {}, {})",
    "min({}, {})",
    "max({}, {}, {})",
    "-({}) ** 2",
)


def written(chance: random.Random, size: int, *, states: bool) -> str:
    """Return a random formula of rows, or of states and rows."""
    if size == 0:  # None is not among them: to compare it is an error, which says how to ask
        kinds = (ROWS, ROWS, NUMBERS, NAMED, ("TP", "FP", "TPR") if states else ROWS)
        return chance.choice(chance.choice(kinds))
    parts = [written(chance, chance.randrange(size), states=states) for _ in range(3)]
    shape = chance.randrange(8)
    if shape < 3:
        sign = chance.choice(TWO)
        formula = f"({parts[0]}) {sign} ({parts[1]})"
    elif shape == 3:
        formula = f"{chance.choice(ONE)}({parts[0]})"
    elif shape == 4:
        inner = written(chance, size - 1, states=False)
        over = chance.choice(("total({})", "mean({})", "rank({})", "quantile({}, 0.5)", "cumm({})"))
        formula = over.format(inner) if states or "cumm" not in over else inner
    else:
        formula = chance.choice(SHAPES).format(*parts)
    return formula


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.permutations(range(7)), st.booleans(), st.sampled_from([2, 99]))
def test_a_formula_is_what_it_says_row_by_row(seed, met, weighted, block):
    """Any formula equals a literal interpreter of Python's own tree, in rows and in states."""
    chance = random.Random(seed)
    weight = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0]) if weighted else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computing, "BLOCK", block)
        for _ in range(20):
            data = table(met=met, weight=weight, params={"rate": 7.0})
            text = written(chance, chance.randrange(5), states=chance.random() < 0.6)
            formula = read_formula(text, VARIABLES)
            wanted = literally(text, formula, data)
            found = np.broadcast_to(formula.compute(data), wanted.shape)
            np.testing.assert_array_equal(found, wanted, err_msg=text)
            k = chance.randrange(7)
            why = formula.why_undefined(data, k, row=formula.level != "state")
            assert bool(why) == np.isnan(wanted[k]), text


# ------------------------------------------------------------------ hostile texts

GOOD = (
    "amount**2/30 if eP else -amount".replace("amount", "a"),
    "cumm( ( a **2 / 30 ) * eP - ( a * (1 - eP) ) ) / NN",
    "1 if ( ( b >= 0.5 and actualClass == targetClass ) or ( b < 0.5 ) ) else 0",
    "pain in ('asympt', \"atypical\") and not isnan(site)",
    "`chest pain` != 'non-anginal' if TPR > .5 else None",
    "clip(rank(a) / NN, 0, 1) + quantile(b, .5) - mean(max(a, b)) % 3",
    "factorial(a) + comb(NN, P) - log(abs(b), 2) // round(a, 1)",
)
WORDS = (
    *("a", "b", "t", "eP", "pain", "TP", "P", "precision", "`chest pain`", "targetClass", "pi"),
    *("0", "1", "9", "1e308", "1e999", ".5", "1_0", "'asympt'", '"0"', "''", "None", "True"),
    *("+", "-", "*", "/", "//", "%", "**", "(", ")", "(", ")", ",", "<", "<=", "==", "!=", ">"),
    *(
        "and",
        "or",
        "not",
        "in",
        "not in",
        "if",
        "else",
        "is",
        "lambda x: x",
        "for x in a",
        "=",
        ":=",
    ),
    *("cumm(", "total(", "mean(", "rank(", "quantile(", "sqrt(", "log(", "factorial(", "pow("),
    *("comb(", "perm(", "gcd(", "ldexp(", "round(", "gamma(", "param('x',", "where(", "isnan("),
    *("[", "]", "{", "}", "`", "'", '"', "\\", "\0", ";", "#", "@", "$", "!", "&&", "^", "~", "?"),
    *(".__class__", "__import__('os')", "().__class__.__bases__", "open('/etc/passwd')", "a.b"),
    *("eval(", "exec(", "__debug__", "f'{a}'", "b'x'", "0x10", "1j", "...", "*a", "**a", "x=1"),
    *(
        "ﬁ",
        "é",
        "变量",
        "\ud800",
        "\u202e",
        "\n",
        "\t",
        "²",
        "−",
        "“",
        "€",
        "\x1b[31m",
        "\U0001f600",
    ),
)
HOSTILE = (
    *("9**9**9**9**9", "9" * 1900, "1e" + "9" * 500, "factorial(1e9)", "comb(1e9, 5e8)"),
    *("-" * 100_000 + "1", "(" * 1999, "(" * 99 + "1" + ")" * 99, "[" * 500, "~" * 1000),
    *("1" + "+1" * 900, "a<" * 600 + "a", "not " * 400 + "a", "a if a else " * 150 + "a"),
    *("min(" * 300 + "1", "isnan(" * 90 + "pain" + ")" * 90, "a**" * 99 + "a", "a" * 1999),
    *("a in (" * 90 + "a,)" + ")" * 89, "TPR + " * 120 + "1", "precision*" * 60 + "1"),
    *(
        "gcd(1e308, 7e-300)",
        "gcd(9007199254740991e200, 3e15)",
        "lcm(1e300, 3)",
        "round(1e300, 1e9)",
    ),
    *("pow(1e308, 1e308)", "perm(1e15, 1e15)", "gamma(1e308)", "exp(1e308) - exp(1e308)"),
    *("None", "''", "'" * 1999, "`" * 1999, "\0" * 50, "\ud800", " " * 3000, "\n", ""),
)


SIGNS = ("+", "-", "*", "/", "//", "%", "<", ">", "==")


def mutated(chance: random.Random, text: str) -> str:
    """Return a formula with words changed for others, or characters cut out, put in or doubled."""
    for _ in range(chance.randrange(1, 3)):
        if chance.random() < 0.6:
            place = chance.choice(list(re.finditer(r"\w+|[-+*/<>]", text)) or [None])
            sort = WORDS[:17] if place is None or place[0].isalnum() else SIGNS
            start, end = place.span() if place else (0, 0)
            other = chance.choice(sort)
        else:
            start = chance.randrange(len(text) + 1)
            end = start + chance.randrange(6)
            other = chance.choice((*WORDS, text[start:end]))
        text = text[:start] + other + text[end:]
    return text


def soup(chance: random.Random) -> str:
    """Return words in any order."""
    words = chance.choices(WORDS, k=chance.randrange(1, 9))
    return chance.choice(("", " ")).join(words)


def test_no_text_does_harm():
    """100,000 random and hostile texts: each is computed or refused with a place, and at once."""
    chance, data, computed, refused, slowest = random.Random(1), table(), 0, set(), 0.0
    short = [soup(chance) for _ in range(75_000)]
    texts = [*HOSTILE, *short, *(mutated(chance, chance.choice(GOOD)) for _ in range(25_000))]
    assert len(texts) > 100_000
    for text in texts:
        start = time.perf_counter()
        try:
            found = read_formula(text, VARIABLES).compute(data)
        except FormulaError as error:
            place_is_in_text = 0 <= error.start <= error.end <= len(error.formula)
            refused.add((place_is_in_text, bool(error.message)))
        else:
            computed += 1
            assert np.asarray(found).dtype == np.float64
        slowest = max(slowest, time.perf_counter() - start)
    assert refused == {(True, True)}
    assert computed > 1500
    assert slowest < 1
