"""Python calls as text: values as code that makes them again."""

import math
from collections.abc import Mapping
from typing import Any


def literal(value: Any) -> str:
    """Return a value as readable Python that makes it again; infinite numbers too.

    >>> print(literal({"Süd": [1.5, float("inf"), None]}))
    {'Süd': [1.5, float('inf'), None]}
    """
    if isinstance(value, Mapping):
        items = (f"{literal(key)}: {literal(item)}" for key, item in value.items())
        return f"{{{', '.join(items)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)  # escapes whatever is not printable, marks of direction too
    raise TypeError(f"{type(value).__name__} has no literal")


def call(function: str, *given: str, **named: Any) -> str:
    """Return a call as Python: code of the first arguments, values of the others; None is left out.

    >>> call("pb.curve", "data", x="FPR", y=None)
    "pb.curve(data, x='FPR')"
    """
    rest = [f"{name}={literal(value)}" for name, value in named.items() if value is not None]
    return f"{function}({', '.join([*given, *rest])})"
