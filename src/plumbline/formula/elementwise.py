"""What the operators of a formula do with numbers, truths and categories, element by element.

Values are float64, bool or, for categories, codes; arrays or numpy scalars. NaN is "undefined".
Truths are bool where all are defined, else 1.0, 0.0 and NaN. Callers hold numpy's warnings back.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

NAN = np.float64(np.nan)


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
    """Return a where the mask holds, else b: np.where by bits, so that chance costs no time.

    A processor guesses the branch that np.where takes, which on an unsorted column it cannot.
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
    bad = (
        ((a == 0) & (b < 0))
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
