"""What operators and functions of a formula compute, value by value, and the table of functions.

Values are float64, bool or, for categories, codes; arrays or numpy scalars. NaN is "undefined".
Truths are bool where all are defined, else 1.0, 0.0 and NaN. Callers hold numpy's warnings back.

Functions have the values of Python's `math`. Where that raises ValueError (log(0), sqrt(-1)) the
value is undefined (NaN); where it raises OverflowError it is infinite.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from plumbline.formula.variables import Kind

NAN = np.float64(np.nan)
FACTORIALS = np.array([float(math.factorial(k)) for k in range(171)])  # 171! is past the largest
LARGEST = np.finfo(np.float64).max
MANY = 100  # arguments; bounds what one formula can ask for. A convention
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
# Functions of `math` (and names people expect) that a formula does not have, and why.
REFUSED = {
    "dist": "it takes two points; write `hypot(x1 - x2, y1 - y2)`",
    "fsum": "it takes a list; write `a + b`, `total(f)` over rows or `cumm(f)` so far",
    "sum": "it takes a list; write `a + b`, `total(f)` over rows or `cumm(f)` so far",
    "prod": "it takes a list; write `a * b`",
    "sumprod": "it takes lists; write `total(a * b)`",
    "frexp": "it gives two values, a formula has one",
    "modf": "it gives two values; write `fmod(x, 1)` and `trunc(x)`",
    "fma": "write `x * y + z`",
    "float": "all numbers are floating-point already",
    "int": "write `trunc(x)`",
    "bool": "write `x != 0`",
    "len": "write `NN` for the number of rows",
    "count": "write `total(condition)`",
    "avg": "write `mean(f)`",
    "average": "write `mean(f)`",
    "iif": "write `a if condition else b`",
    "ln": "write `log(x)`",
}


def is_truth(value: Any) -> bool:
    """Tell whether values are truths, all of them defined."""
    return bool(value.dtype.char == "?")


def number(value: Any) -> Any:
    """Return truths as 1.0 and 0.0, numbers as they are."""
    return value if value.dtype.char == "d" else value.astype(np.float64)


def holds_undefined(value: Any) -> bool:
    """Tell whether any number is undefined."""
    least = np.minimum.reduce(value) if value.ndim else value  # which is NaN where any is
    return bool(least != least)


def truth(value: Any) -> Any:
    """Return whether values are other than 0."""
    if is_truth(value):
        return value
    answer = value != 0
    return undefined_where(np.isnan(value), answer) if holds_undefined(value) else answer


def undefined_where(mask: Any, value: Any) -> Any:
    """Return the values as numbers, NaN where the mask says so."""
    return np.where(mask, NAN, value)[()]


def blend(mask: Any, a: Any, b: Any) -> Any:
    """Return a where the mask holds, else b: np.where by bits, as fast for random masks.

    np.where is slow on an unsorted column, where branch prediction fails.
    """
    bits = mask.astype(np.int64)
    np.negative(bits, out=bits)  # all bits where the mask holds
    x, y = a.view(np.int64), b.view(np.int64)
    np.bitwise_and(x ^ y, bits, out=bits)
    return np.bitwise_xor(bits, y, out=bits).view(np.float64)


def divide(a: Any, b: Any) -> Any:
    """Return a / b; undefined where b is 0."""
    zero = b == 0
    return undefined_where(zero, a / b) if zero.any() else a / b


def floor_divide(a: Any, b: Any) -> Any:
    """Return a // b, rounded down; undefined where b is 0."""
    zero = b == 0
    return undefined_where(zero, a // b) if zero.any() else a // b


def power(a: Any, b: Any) -> Any:
    """Return a ** b; undefined for 0 to a negative power and a negative number to a fraction."""
    if np.ndim(b) == 0 and b == 2:
        return np.square(a)
    result = np.power(a, b)
    if np.ndim(b) == 0 and b > 0 and b == np.floor(b):
        return result  # nothing is undefined here but where a is
    if np.ndim(b) == 0 and b == 0.5:  # numpy takes the square root, which is another at two values
        result = np.where(np.isneginf(a), np.inf, result + 0.0)[()]
    bad = (
        ((a == 0) & (b < 0) & np.isfinite(b))
        | (np.isfinite(a) & (a < 0) & (b != np.floor(b)))
        | np.isnan(a)
        | np.isnan(b)
    )
    return undefined_where(bad, result)


def both(a: Any, b: Any) -> Any:
    """Return a and b as Python does: a where a is 0, else b.

    Where a is undefined: 0 where b is 0, as it is whatever a is, else undefined.
    """
    if is_truth(a) and is_truth(b):
        return a & b
    a, b = number(a), number(b)
    return np.where((a == 0) | (np.isnan(a) & (b != 0)), a, b)[()]


def either(a: Any, b: Any) -> Any:
    """Return a or b as Python does: b where a is 0, else a.

    Where a is undefined: b where b is other than 0, as for Python's None, else undefined.
    """
    if is_truth(a) and is_truth(b):
        return a | b
    a, b = number(a), number(b)
    empty = np.isnan(a) & ((b == 0) | np.isnan(b))
    return np.where(((a != 0) & ~np.isnan(a)) | empty, a, b)[()]


def negation(a: Any) -> Any:
    """Return not a."""
    a = truth(a)
    return ~a if is_truth(a) else 1.0 - a


def compared(ufunc: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a comparison that is undefined where one of its sides is."""

    def compare(a: Any, b: Any) -> Any:
        answer = ufunc(a, b)
        if holds_undefined(a) or holds_undefined(b):
            return undefined_where(np.isnan(a) | np.isnan(b), answer)
        return answer

    return compare


def lacks_some(codes: Any) -> bool:
    """Tell whether any category is missing."""
    return not (np.minimum.reduce(codes) if codes.ndim else codes) >= 0


def absent(codes: Any) -> Any:
    """Tell which categories are missing: code -1, or NaN before the first row."""
    return ~(codes >= 0)


def same_category(a: Any, b: Any) -> Any:
    """Return whether two codes of one list of categories are equal."""
    answer = a == b
    if lacks_some(a) or lacks_some(b):
        return undefined_where(absent(a) | absent(b), answer)
    return answer


def recoded(codes: Any, table: Any) -> Any:
    """Return codes of one list of categories in terms of another: `table[code]`."""
    missing = absent(codes)
    return np.where(missing, -1, np.take(table, np.where(missing, 0, codes).astype(np.intp)))[()]


ARITHMETIC: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": divide,
    "//": floor_divide,
    "%": np.remainder,
    "**": power,
    "neg": np.negative,
    "pos": np.positive,
}

COMPARING: dict[str, Callable[[Any, Any], Any]] = {
    "<": compared(np.less),
    "<=": compared(np.less_equal),
    ">": compared(np.greater),
    ">=": compared(np.greater_equal),
    "==": compared(np.equal),
    "!=": compared(np.not_equal),
}


@dataclass(frozen=True, slots=True)
class Function:
    """A function of numbers: the value of each row or state comes from that row or state alone.

    Attributes
    ----------
    apply : function of float64 arrays that returns an array
    meaning : half a sentence for the documentation and for completion
    least, most : number of arguments
    kind : of its values
    strict : whether it is undefined wherever an argument is
    """

    apply: Callable[..., Any]
    meaning: str
    least: int = 1
    most: int = 1
    kind: Kind = "number"
    strict: bool = True


def _defined(result: Any, where: Any) -> Any:
    return undefined_where(~where, result)


def _within(ufunc: Callable[[Any], Any], inside: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that is undefined outside of its domain, poles included."""
    return lambda x: _defined(ufunc(x), inside(x))


def _positive(x: Any) -> Any:
    return x > 0


def _whole(x: Any) -> Any:
    return np.isfinite(x) & (x == np.floor(x))


def _not_pole(x: Any) -> Any:
    return (x > 0) | (x != np.floor(x))


def _log(x: Any, base: Any = None) -> Any:
    natural = _within(np.log, _positive)
    return natural(x) if base is None else divide(natural(x), natural(base))


def _gamma(x: Any) -> Any:
    from scipy import special

    # Below -170 scipy gives 0, where subnormal numbers are left: gamma(x + 20) by 20 factors.
    low = np.where((x < -170) & (x > -200), x, -0.5)
    factors = reduce(np.multiply, [low + k for k in range(20)])
    value = np.where(low == x, special.gamma(low + 20) / factors, special.gamma(x))
    return _defined(value, _not_pole(x))


def _lgamma(x: Any) -> Any:
    from scipy import special

    size = np.abs(x)
    value = np.where(size < 1e-20, -np.log(size), special.gammaln(x))  # scipy: infinite at 1e-310
    return np.where(np.isinf(x), np.inf, _defined(value, _not_pole(x)))[()]


def _erf(x: Any) -> Any:
    from scipy import special

    return special.erf(x)


def _erfc(x: Any) -> Any:
    from scipy import special

    return special.erfc(x)


def _factorial(x: Any) -> Any:
    inside = np.clip(np.where(_whole(x), x, 0), 0, 170).astype(np.intp)
    return _defined(np.where(x > 170, np.inf, FACTORIALS[inside]), _whole(x) & (x >= 0))


def _by_integers(function: Callable[..., int], *numbers: Any) -> Any:
    """Return what a function of Python's whole numbers makes of each row, rounded once.

    Undefined where a number is not whole; infinite where the value is too large.
    """

    def one(*row: float) -> float:
        if not all(map(float.is_integer, row)):
            return math.nan
        try:
            return float(function(*map(int, row)))
        except OverflowError:
            return math.inf

    columns = np.broadcast_arrays(*numbers)
    rows = zip(*(column.ravel().tolist() for column in columns), strict=True)
    return np.array([one(*row) for row in rows], np.float64).reshape(columns[0].shape)[()]


def _comb(n: Any, k: Any) -> Any:
    return _defined(_by_integers(_comb_of, n, k), (n >= 0) & (k >= 0))


def _comb_of(n: int, k: int) -> int:
    least = max(0, min(k, n - k))
    if least and n >= 0 and least * (math.log2(n) - math.log2(least)) > 1024:
        raise OverflowError  # at least (n / k) ** k: it would be long to compute and infinite
    return math.comb(n, k) if min(n, k) >= 0 else 0


def _perm(n: Any, k: Any = None) -> Any:
    if k is None:
        return _factorial(n)
    return _defined(_by_integers(_perm_of, n, k), (n >= 0) & (k >= 0))


def _perm_of(n: int, k: int) -> int:
    if n >= k >= len(FACTORIALS):
        raise OverflowError  # at least k!
    return math.perm(n, k) if min(n, k) >= 0 else 0


def _gcd(*numbers: Any) -> Any:
    def two(a: Any, b: Any) -> Any:
        a, b = np.abs(a), np.abs(b)
        whole = _whole(a) & _whole(b)
        a, b = np.where(whole, a, 0.0), np.where(whole, b, 0.0)
        while b.any():  # the remainders of floats are exact
            a, b = np.where(b == 0, a, b), np.where(b == 0, 0.0, np.fmod(a, b))
        return _defined(a, whole)

    return reduce(two, numbers)


def _lcm(*numbers: Any) -> Any:
    return _by_integers(math.lcm, *numbers)


def _isqrt(x: Any) -> Any:
    root = np.floor(np.sqrt(x)) + 0.0  # of -0.0 too
    return _defined(np.where(root * root > x, root - 1, root), _whole(x) & (x >= 0))


def _remainder(x: Any, y: Any) -> Any:
    """Return x - n y with the whole number n nearest to x / y, the even one of two (IEEE 754)."""
    a, b = np.abs(x), np.abs(y)
    low = np.fmod(a, b)
    high = b - low
    tie = low - 2 * np.fmod(0.5 * (a - low), b)
    near = np.where(low < high, low, np.where(low > high, -high, tie))
    result = np.where(np.isinf(b) & np.isfinite(a), x, np.copysign(1.0, x) * near)
    return _defined(result, np.isfinite(a) & (b != 0))


def _fmod(x: Any, y: Any) -> Any:
    return _defined(np.fmod(x, y), np.isfinite(x) & (y != 0))


def _ldexp(x: Any, power_of_2: Any) -> Any:
    shift = np.clip(np.where(_whole(power_of_2), power_of_2, 0), -10000, 10000).astype(np.intc)
    return _defined(np.ldexp(x, shift), _whole(power_of_2))


def _round(x: Any, digits: Any = None) -> Any:
    if digits is None:
        return np.rint(x) + 0.0  # halves to even; Python's whole numbers have no -0.0
    return np.asarray(_ROUND(x, digits), dtype=np.float64)[()]


def _whole_by(ufunc: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that rounds as Python does, whose whole numbers have no -0.0."""
    return lambda x: ufunc(x) + 0.0


def _round_one(x: float, digits: float) -> float:
    if not (math.isfinite(digits) and digits == math.floor(digits)):
        return math.nan
    if not math.isfinite(x):
        return x
    try:
        return round(float(x), max(-400, min(400, int(digits))))
    except OverflowError:
        return math.copysign(math.inf, x)


_ROUND = np.frompyfunc(_round_one, 2, 1)


def _isclose(a: Any, b: Any) -> Any:
    return (a == b) | (
        np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= 1e-9 * np.maximum(np.abs(a), np.abs(b)))
    )


def _ulp(x: Any) -> Any:
    size = np.minimum(np.abs(x), np.nextafter(LARGEST, 0.0))  # behind the largest is infinity
    return np.where(np.isinf(x), np.inf, np.spacing(size))[()]


def _clip(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _hypot(*numbers: Any) -> Any:
    return reduce(np.hypot, numbers) if len(numbers) > 1 else np.abs(numbers[0])


def _least(*numbers: Any) -> Any:
    return reduce(np.minimum, numbers)


def _largest(*numbers: Any) -> Any:
    return reduce(np.maximum, numbers)


FUNCTIONS: dict[str, Function] = {
    "abs": Function(np.abs, "absolute value"),
    "min": Function(_least, "smallest argument", 2, MANY),
    "max": Function(_largest, "largest argument", 2, MANY),
    "round": Function(
        _round, "nearest whole number, or rounded to so many decimals; halves to even", 1, 2
    ),
    "clip": Function(_clip, "x, at least `lo` and at most `hi`", 3, 3),
    "sqrt": Function(np.sqrt, "square root"),
    "cbrt": Function(np.cbrt, "cube root"),
    "exp": Function(np.exp, "e to the power x"),
    "exp2": Function(np.exp2, "2 to the power x"),
    "expm1": Function(np.expm1, "exp(x) - 1, exact near 0"),
    "pow": Function(power, "x ** y", 2, 2),
    "log": Function(_log, "natural logarithm, or to the base given second", 1, 2),
    "log2": Function(_within(np.log2, _positive), "logarithm to the base 2"),
    "log10": Function(_within(np.log10, _positive), "logarithm to the base 10"),
    "log1p": Function(_within(np.log1p, lambda x: x > -1), "log(1 + x), exact near 0"),
    "floor": Function(_whole_by(np.floor), "whole number below or equal"),
    "ceil": Function(_whole_by(np.ceil), "whole number above or equal"),
    "trunc": Function(_whole_by(np.trunc), "x without its fraction"),
    "fabs": Function(np.abs, "absolute value"),
    "fmod": Function(_fmod, "remainder with the sign of x", 2, 2),
    "remainder": Function(_remainder, "x minus the nearest multiple of y", 2, 2),
    "copysign": Function(np.copysign, "absolute value of x with the sign of y", 2, 2),
    "hypot": Function(_hypot, "root of the sum of squares", 1, MANY),
    "sin": Function(np.sin, "sine"),
    "cos": Function(np.cos, "cosine"),
    "tan": Function(np.tan, "tangent"),
    "asin": Function(np.arcsin, "arc sine"),
    "acos": Function(np.arccos, "arc cosine"),
    "atan": Function(np.arctan, "arc tangent"),
    "atan2": Function(np.arctan2, "angle of the point (second, first)", 2, 2),
    "sinh": Function(np.sinh, "hyperbolic sine"),
    "cosh": Function(np.cosh, "hyperbolic cosine"),
    "tanh": Function(np.tanh, "hyperbolic tangent"),
    "asinh": Function(np.arcsinh, "inverse hyperbolic sine"),
    "acosh": Function(np.arccosh, "inverse hyperbolic cosine"),
    "atanh": Function(_within(np.arctanh, lambda x: np.abs(x) < 1), "inverse hyperbolic tangent"),
    "degrees": Function(np.degrees, "radians to degrees"),
    "radians": Function(np.radians, "degrees to radians"),
    "gamma": Function(_gamma, "gamma function"),
    "lgamma": Function(_lgamma, "logarithm of the absolute gamma function"),
    "erf": Function(_erf, "error function"),
    "erfc": Function(_erfc, "1 - erf(x), exact for large x"),
    "factorial": Function(_factorial, "x!, of whole numbers"),
    "comb": Function(_comb, "ways to choose k of n", 2, 2),
    "perm": Function(_perm, "ways to choose k of n in order", 1, 2),
    "gcd": Function(_gcd, "greatest common divisor of whole numbers", 2, MANY),
    "lcm": Function(_lcm, "least common multiple of whole numbers", 2, MANY),
    "isqrt": Function(_isqrt, "square root of a whole number, rounded down"),
    "ldexp": Function(_ldexp, "x times 2 to the power i", 2, 2),
    "nextafter": Function(np.nextafter, "next number from x towards y", 2, 2),
    "ulp": Function(_ulp, "distance to the next number"),
    "isclose": Function(_isclose, "whether equal within a relative 1e-9", 2, 2, "truth"),
    "isnan": Function(np.isnan, "whether undefined", kind="truth", strict=False),
    "isinf": Function(np.isinf, "whether infinite", kind="truth", strict=False),
    "isfinite": Function(np.isfinite, "whether a finite number", kind="truth", strict=False),
}
