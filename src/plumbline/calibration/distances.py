"""How far an observed share is from a mean probability."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Distance: TypeAlias = Callable[[Any, Any, Any], Any]


# y: observed share of the outcome; p: its mean probability; q: that of the other outcome.
def absolute(y: Any, p: Any, _q: Any) -> Any:
    """Return |y - p|."""
    return np.abs(y - p)


def square(y: Any, p: Any, _q: Any) -> Any:
    """Return (y - p)^2."""
    return np.square(y - p)


def log(y: Any, p: Any, q: Any) -> Any:
    """Return y ln(y / p) + (1 - y) ln((1 - y) / q); infinite where the impossible happened."""
    whole = p + q  # 1 up to the rounding of the table, which would pass for an error
    return surprise(y, p / whole) + surprise(1.0 - y, q / whole)


def surprise(y: Any, p: Any) -> Any:
    """Return y ln(y / p), 0 where y = 0, infinite where y > 0 = p."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(y > 0, y * (np.log(y) - np.log(p)), 0.0)


DISTANCES: dict[str, Distance] = {"absolute": absolute, "square": square, "log": log}

# The joint view compares whole vectors; these shares of a class add up, over classes, to the total
# variation distance, half the squared Euclidean distance, and the Kullback-Leibler divergence:
# with two classes each is the binary distance above.
VECTOR_DISTANCES: dict[str, Distance] = {
    "absolute": lambda y, p, _: 0.5 * np.abs(y - p),
    "square": lambda y, p, _: 0.5 * np.square(y - p),
    "log": lambda y, p, _: surprise(y, p),
}
