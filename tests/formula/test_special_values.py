"""Functions and operators at the ends of the numbers: infinite, subnormal, huge, signed zeros.

The reference is Python's `math`, value by value; what Python refuses is undefined, what it calls
too large is infinite.
"""

import itertools
import math
import operator

import numpy as np
import pytest

from plumbline.formula import FUNCTIONS, Variable, read_formula

SIZES = (0.0, 5e-324, 1e-320, 1e-310, 2.2250738585072014e-308, 1e-8, 0.1, 1 / 3, 0.5, 1.0)
SIZES += (1.0000000000000002, 1.5, 2.0, 2.5, 3.0, math.pi, 10.0, 23.0, 28.0, 56.0, 100.0, 170.0)
SIZES += (170.5, 171.5, 172.0, 180.5, 709.9, 745.2, 1023.0, 1024.0, 1074.0, 1075.0, 2.0**31)
SIZES += (2.0**52 + 1, 2.0**53, 2.0**64, 1e15, 1e22, 1e100, 1e154, 1e155, 1e300)
SIZES += (1.7976931348623157e308, math.inf)
VALUES = np.array([*SIZES, *(-size for size in SIZES)])
SOME = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 3.0, -3.0, 2.5, 1e-320, 28.0, 1e300, -1e300)
SOME += (math.inf, -math.inf)
THREE = VALUES[::5]
VARIABLES = {name: Variable("row", "number", "values of rows") for name in "xyz"} | {
    name: Variable("set", "number", "one value") for name in "abc"
}


class Scope:
    """Columns and single values by name."""

    params: dict = {}  # noqa: RUF012

    def __init__(self, **values):
        self.values, self.memo = values, {}
        self.n = max(np.size(value) for value in values.values())

    def value(self, name):
        """Return a column, or one value."""
        return self.values[name]


def of_whole(function):
    """Return a function of whole numbers, as that of floats which are whole."""

    def call(*numbers):
        if not all(map(float.is_integer, numbers)):
            raise ValueError
        return function(*map(int, numbers))

    return call


def where_finite(function):
    """Return a function that gives back what has no fraction: infinity."""
    return lambda x: function(x) if math.isfinite(x) else x


def rounded(x, digits=None):
    """Return Python's `round`; without digits, of infinity too."""
    if digits is None:
        return where_finite(round)(x)
    if not digits.is_integer():
        raise ValueError
    return round(x, max(-400, min(400, int(digits))))


def shifted(x, power):
    """Return `ldexp` of a power that is whole."""
    if not power.is_integer():
        raise ValueError
    return math.ldexp(x, int(power))


def raised(x, power):
    """Return Python's `**`, in which a number with an imaginary part is a refusal."""
    if -math.inf < x < 0 and math.isfinite(power) and not power.is_integer():
        raise ValueError
    return x**power


PYTHONS = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}
PYTHONS |= {"abs": abs, "min": min, "max": max, "round": rounded, "ldexp": shifted, "pow": raised}
PYTHONS |= {name: where_finite(getattr(math, name)) for name in ("floor", "ceil", "trunc")}
PYTHONS |= {
    name: of_whole(getattr(math, name))
    for name in ("factorial", "comb", "perm", "gcd", "lcm", "isqrt")
}
PYTHONS["clip"] = lambda x, low, high: min(max(x, low), high)
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
SIGNS |= {"//": operator.floordiv, "%": operator.mod, "**": raised}
SIGNS |= {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
SIGNS |= {"==": operator.eq, "!=": operator.ne}
NO_SIGN = ("min", "max", "clip")
LONG = ("comb", "perm", "factorial")
# Units in the last place; lgamma has zeros, near which only its absolute error is small.
ULPS, NEAR_A_ZERO = 8, 2e-15


def is_long(name, n, k):
    """Tell whether Python would compute for long what is too large anyway."""
    if not (n.is_integer() and k.is_integer()):
        return False
    few = n - k if name == "comb" else k
    return math.inf > n > 1e5 and n >= k > 500 and few > 500


def wanted(name, numbers):
    """Return what Python gives: NaN where it refuses, infinity where that is too large."""
    try:
        if name in LONG and is_long(name, numbers[0], numbers[-1]):
            raise OverflowError
        return float((SIGNS | PYTHONS)[name](*numbers))
    except (ValueError, ZeroDivisionError):
        return math.nan
    except OverflowError:
        odd = name in ("sinh", "ldexp", "round", "gamma") or (
            name in ("**", "pow") and numbers[1] % 2 == 1
        )
        return -math.inf if odd and numbers[0] < 0 else math.inf


def is_same(name, value, python):
    """Tell whether a value is Python's; the sign of a zero of `min` and `max` is not."""
    if math.isnan(python) or math.isinf(python) or python == 0 or value == 0:
        signs = math.copysign(1, value) == math.copysign(1, python) or name in NO_SIGN
        return math.isnan(value) if math.isnan(python) else value == python and signs
    size = ULPS * math.ulp(python)
    return abs(value - python) <= max(size, NEAR_A_ZERO if name == "lgamma" else 0)


def check(name, text, columns):
    """Compare a formula with Python row by row; a variable a, b or c has one value."""
    scope = Scope(**{key: np.float64(value) if key in "abc" else value for key, value in columns})
    got = np.broadcast_to(read_formula(text, VARIABLES).compute(scope), scope.n)
    rows = zip(*(np.broadcast_to(value, scope.n).tolist() for _, value in columns), strict=True)
    for row, value in zip(rows, got.tolist(), strict=True):
        assert is_same(name, float(value), wanted(name, row)), (text, row, value)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].least == 1])
def test_functions_of_one_number(name):
    """Of a column, and of single values."""
    check(name, f"{name}(x)", [("x", VALUES)])
    for value in VALUES:
        check(name, f"{name}(a)", [("a", value)])


TWO = [name for name in FUNCTIONS if FUNCTIONS[name].least <= 2 <= FUNCTIONS[name].most]


@pytest.mark.parametrize("name", [*SIGNS, *TWO])
def test_functions_and_operators_of_two_numbers(name):
    """Of two columns, and of a column and one value, for which numpy has ways of its own."""
    form = "{} " + name + " {}" if name in SIGNS else name + "({}, {})"
    x, y = map(np.array, zip(*itertools.product(VALUES, VALUES), strict=True))
    check(name, form.format("x", "y"), [("x", x), ("y", y)])
    for value in SOME:
        check(name, form.format("x", "b"), [("x", VALUES), ("b", value)])
        check(name, form.format("a", "y"), [("a", value), ("y", VALUES)])


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].most > 2])
def test_functions_of_three_numbers(name):
    """Of three columns."""
    columns = map(np.array, zip(*itertools.product(THREE, THREE, THREE), strict=True))
    check(name, f"{name}(x, y, z)", list(zip("xyz", columns, strict=True)))


@pytest.mark.parametrize("name", [*SIGNS, *FUNCTIONS])
def test_what_is_undefined_stays_so(name):
    """One undefined argument makes a value undefined, but for the questions that ask for it."""
    function = FUNCTIONS.get(name)
    for count in {function.least, min(3, function.most)} if function else (2,):
        for place in range(count):
            names = ["x", "y", "z"][:count]
            columns = dict.fromkeys(names, VALUES)
            columns[names[place]] = np.full(len(VALUES), np.nan)
            text = f"{name}({', '.join(names)})" if function else f"x {name} y"
            got = read_formula(text, VARIABLES).compute(Scope(**columns))
            questions = {"isnan": 1, "isinf": 0, "isfinite": 0}
            if name in questions:
                assert (got == questions[name]).all()
            else:
                assert np.isnan(got).all()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(-inf) ** 0.5", math.inf),
        ("pow(-inf, 0.5)", math.inf),
        ("0 ** -inf", math.inf),
        ("lgamma(1e-320)", math.lgamma(1e-320)),
        ("comb(54, 25)", 1683191473897752),
        ("perm(23, 2)", 506),
        ("lcm(10, 1e100, 10)", 5e100),
        ("copysign(1, round(-0.2))", 1),
    ],
)
def test_cases_by_hand(text, value):
    """What was otherwise than in Python."""
    assert read_formula(text, {}).compute(Scope(x=0.0)) == value


@pytest.mark.parametrize(("name", "python"), [("comb", math.comb), ("perm", math.perm)])
def test_ways_to_choose_are_whole_and_exact(name, python):
    """They are Python's whole numbers, rounded once."""
    n, k = map(np.array, zip(*((n, k) for n in range(80) for k in range(n + 1)), strict=True))
    got = read_formula(f"{name}(x, y)", VARIABLES).compute(Scope(x=n * 1.0, y=k * 1.0))
    assert got.tolist() == [
        float(python(*pair)) for pair in zip(n.tolist(), k.tolist(), strict=True)
    ]
