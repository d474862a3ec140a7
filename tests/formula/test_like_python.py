"""A formula over single numbers is what Python makes of the same text, or it is refused."""

import ast
import math
import operator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from laws import examples
from plumbline.errors import FormulaError
from plumbline.formula import Variable, read_formula
from refusals import refused

NAMES = {"a": 2.0, "b": -3.0, "c": 0.0, "d": 0.5, "t": True, "u": False}
VARIABLES = {
    name: Variable("set", "truth" if isinstance(value, bool) else "number", "a value")
    for name, value in NAMES.items()
}
ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


class Scope:
    """One value for every name, and no rows."""

    n = 1
    params: dict = {}  # noqa: RUF012

    def __init__(self):
        self.memo = {}

    def value(self, name):
        """Return a value as curves do."""
        return float(NAMES[name])


class Finite(ast.NodeTransformer):
    """Whole numbers as floats, and every operation checked by `_operation`."""

    def visit_Constant(self, node):
        """Return a float for an int: formulas have no whole numbers of any size."""
        if type(node.value) is int:
            return ast.copy_location(ast.Constant(float(node.value)), node)
        return node

    def visit_BinOp(self, node):
        """Return a call in place of the operation."""
        self.generic_visit(node)
        which = ast.Constant(type(node.op).__name__)
        call = ast.Call(ast.Name("_operation", ast.Load()), [which, node.left, node.right], [])
        return ast.copy_location(call, node)


def _operation(which, left, right):
    """Compute; what is not a finite real number is an error, where a formula has NaN or inf."""
    value = ARITHMETIC[getattr(ast, which)](left, right)
    if isinstance(value, complex) or not math.isfinite(value):
        raise ArithmeticError(which)
    return value


def misuses_a_list(tree):
    """Tell whether a list stands elsewhere than behind the last `in` of a comparison."""
    lists = {part for part in ast.walk(tree) if isinstance(part, ast.Tuple)}
    ends = {
        part.comparators[-1]
        for part in ast.walk(tree)
        if isinstance(part, ast.Compare) and isinstance(part.ops[-1], (ast.In, ast.NotIn))
    }
    return bool(lists - ends)


def pythons(tree):
    """Return the value that Python gives."""
    whole = ast.fix_missing_locations(ast.Expression(Finite().visit(tree)))
    known = {"_operation": _operation, "__builtins__": {}, "abs": abs, "min": min, "round": round}
    return eval(compile(whole, "formula", "eval"), known | NAMES)  # noqa: S307  # made here


ATOMS = st.sampled_from([*NAMES, *NAMES, "0", "1", "2", "3", "0.5", "1e1", "True", "False"])
INFIX = ("+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "and", "or")


def longer(parts):
    """Return texts made of texts, most of them without brackets: what binds is up to Python."""
    one, two, three = (st.tuples(*[parts] * count) for count in (1, 2, 3))
    return st.one_of(
        st.tuples(parts, st.sampled_from(INFIX), parts).map(" ".join),
        st.tuples(parts, st.sampled_from(INFIX), parts).map(" ".join),
        st.tuples(st.sampled_from(["-", "+", "not "]), parts).map("".join),
        one.map(lambda p: f"({p[0]})"),
        one.map(lambda p: f"abs({p[0]})"),
        two.map(lambda p: f"min({p[0]}, {p[1]})"),
        three.map(lambda p: f"{p[0]} if {p[1]} else {p[2]}"),
        three.map(lambda p: f"{p[0]} in ({p[1]}, {p[2]})"),
        three.map(lambda p: f"{p[0]} not in ({p[1]}, {p[2]})"),
    )


TEXTS = st.recursive(ATOMS, longer, max_leaves=9)


@settings(max_examples=examples(600))
@given(TEXTS)
def test_a_formula_is_python_or_refused(text):
    """Precedence, chains, `and` and `or`, remainders, truths: the value is Python's."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        with pytest.raises(FormulaError):
            read_formula(text, VARIABLES)
        return
    if misuses_a_list(tree):
        with pytest.raises(FormulaError):
            read_formula(text, VARIABLES)
        return
    result = read_formula(text, VARIABLES).compute(Scope())
    try:
        wanted = pythons(tree)
    except ArithmeticError:  # also a division by 0
        assume(False)
    assert result == pytest.approx(float(wanted), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 and 5", 5),
        ("0 or 7", 7),
        ("3 and 0 and 5", 0),
        ("0 or 0 or 2", 2),
        ("2 or 1 / c", 2),
        ("a and t", 1),
        ("(a in (1, 2)) + 1", 2),
        ("not a in (1, 2)", 0),
        ("-a ** 2", -4),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("7 % -3", -2),
        ("1 < 2 == True", 0),
        ("1 if 0 else 2 if 0 else 3", 3),
        ("True + True", 2),
        ("not 3", 0),
    ],
)
def test_what_python_says(text, value):
    """Cases by hand."""
    assert read_formula(text, VARIABLES).compute(Scope()) == value


@pytest.mark.parametrize(
    ("text", "code", "fact"),
    [
        ("a in (1, 2) + 1", "part-misplaced", "`(x in (1, 2)) + ...`"),
        ("a in (1, 2) == t", "part-misplaced", "`(x in (1, 2)) == ...`"),
        ("a in (1, 2) in (0, 1)", "part-misplaced", "`(x in (1, 2)) in ...`"),
        ("a + 010", "not-in-formulas", "zeros"),
    ],
)
def test_what_would_mean_something_else_is_refused(text, code, fact):
    """A list is no number, and Python refuses these as well."""
    with refused(FormulaError, code, fact):
        read_formula(text, VARIABLES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 0", math.nan),
        ("0 ** -1", math.nan),
        ("(-8) ** 0.5", math.nan),
        ("9 ** 9 ** 9", math.inf),
        ("10 ** 20 == 10 ** 20 + 1", 1),
        ("nan == nan", math.nan),
        ("not nan", math.nan),
        ("nan and 5", math.nan),
        ("nan and 0", 0),
        ("nan or 5", 5),
        ("nan or 0", math.nan),
        ("None or 5", 5),
        ("1 if nan else 2", math.nan),
        ("a in (2)", 1),
        ("nan in (1, nan)", math.nan),
    ],
)
def test_the_differences_that_are_meant(text, value):
    """The list in docs/formulas.md, line by line."""
    result = read_formula(text, VARIABLES).compute(Scope())
    assert result == value or (math.isnan(value) and math.isnan(result))
