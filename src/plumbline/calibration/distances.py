"""How far an observed share is from a mean probability."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from plumbline._checks import one_of, shorten
from plumbline.calibration.drawable import Wide
from plumbline.errors import ParameterError
from plumbline.formatting import quoted

Distance: TypeAlias = Callable[[Any, Any, Any], Any]
OwnDistance: TypeAlias = Callable[[Any, Any], Any]

THESIS_INFINITY = 99999.0  # what the programs of the thesis wrote for infinity


# y: observed share of the outcome; p: its mean probability; q: that of the other outcome.
def absolute(y: Any, p: Any, _q: Any) -> Any:
    """Return |y - p|."""
    return np.abs(y - p)


def overestimation(y: Any, p: Any, _q: Any) -> Any:
    """Return max(p - y, 0): how much the prediction exceeds the outcome."""
    return np.maximum(p - y, 0.0)


def underestimation(y: Any, p: Any, _q: Any) -> Any:
    """Return max(y - p, 0): how much the outcome exceeds the prediction."""
    return np.maximum(y - p, 0.0)


def square(y: Any, p: Any, _q: Any) -> Any:
    """Return (y - p)^2."""
    return np.square(y - p)


def log(y: Any, p: Any, q: Any) -> Any:
    """Return y ln(y / p) + (1 - y) ln((1 - y) / q); infinite where probability 0 is observed."""
    whole = p + q  # 1 up to the rounding of the table, which would pass for an error
    return surprise(y, p / whole) + surprise(1.0 - y, q / whole)


def surprise(y: Any, p: Any) -> Any:
    """Return y ln(y / p), 0 where y = 0, infinite where y > 0 = p."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(y > 0, y * (np.log(y) - np.log(p)), 0.0)


def chi_square(y: Any, p: Any, q: Any) -> Any:
    """Return (y - p)^2 / (p q) (Pearson 1900); infinite where probability 0 is observed."""
    whole = p + q
    p, q = p / whole, q / whole
    gap = np.where(p < q, y - p, q - (1.0 - y))  # from the end whose digits are kept
    return in_units(gap, p) + in_units(gap, q)  # 1 / (p q) = 1 / p + 1 / q


def in_units(gap: Any, p: Any) -> Any:
    """Return gap^2 / p, 0 where the gap is 0, infinite where it is not and p is."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(gap == 0, 0.0, gap * (gap / p))


def hellinger(y: Any, p: Any, q: Any) -> Any:
    """Return sqrt(1 - sqrt(y p) - sqrt((1 - y) q)) (Hellinger 1909), without cancellation."""
    whole = p + q
    here = np.sqrt(y) - np.sqrt(p / whole)
    there = np.sqrt(1.0 - y) - np.sqrt(q / whole)
    return np.sqrt(0.5 * (np.square(here) + np.square(there)))


DISTANCES: dict[str, Distance] = {
    "absolute": absolute,
    "square": square,
    "log": log,
    "chi-square": chi_square,
    "hellinger": hellinger,
    "overestimation": overestimation,
    "underestimation": underestimation,
}

# The joint view compares whole vectors; these shares of a class add up, over classes, to the total
# variation distance, half the squared Euclidean distance, the Kullback-Leibler divergence and
# Pearson's chi-square: with two classes each is the binary distance above. A distance that is the
# root of a sum has no such shares.
VECTOR_DISTANCES: dict[str, Distance] = {
    "absolute": lambda y, p, _: 0.5 * np.abs(y - p),
    "square": lambda y, p, _: 0.5 * np.square(y - p),
    "log": lambda y, p, _: surprise(y, p),
    "chi-square": lambda y, p, _: in_units(y - p, p),
}


@dataclass(frozen=True, slots=True)
class DistanceFunction:
    """A distance d(y, p) of the user's own, whose every answer is checked."""

    function: OwnDistance

    @property
    def name(self) -> str:
        """What the function is called, as results say it."""
        return function_name(self.function)

    def __call__(self, y: Any, p: Any, _q: Any) -> Any:
        """Return d(y, p) of shares and probabilities that are given it in one shape."""
        y, p = np.broadcast_arrays(np.asarray(y, np.float64), np.asarray(p, np.float64))
        return checked_values("distance", self.function, y=y, p=p)


@dataclass(frozen=True, slots=True)
class AsInThesis:
    """A distance whose infinity is a large number, so that sums of them stay finite."""

    distance: Distance

    def __call__(self, y: Any, p: Any, q: Any) -> Any:
        """Return the distance, 99999 where it is infinite."""
        result = self.distance(y, p, q)
        return np.where(np.isposinf(result), THESIS_INFINITY, result)


def distance_of(distance: str | OwnDistance) -> tuple[str, Distance]:
    """Return a distance's name and function; one of the user's own is tried out.

    >>> name, gap = distance_of(lambda y, p: abs(y - p) ** 3)
    >>> float(gap(0.5, 0.0, 1.0))
    0.125
    """
    if not callable(distance):
        return one_of("distance", distance, DISTANCES), DISTANCES[distance]
    own = DistanceFunction(distance)
    if own.name in DISTANCES:
        raise ParameterError(
            f"`distance` is a function named {quoted(own.name)}, which is the name of a distance; "
            "rename it, or pass the name as a text",
            code="name-taken",
        )
    tried = np.linspace(0.0, 1.0, 5)
    own(tried[:, None], tried, 1.0 - tried)
    return own.name, own


def adds_up(name: str) -> Distance:
    """Return a distance's share of one class of a vector, or say why it has none."""
    if name not in VECTOR_DISTANCES:
        known = ", ".join(map(quoted, VECTOR_DISTANCES))
        raise ParameterError(
            f"`distance` {shorten(name)} is not a sum over classes, which `view` 'joint' needs; "
            f"use {known}, or another view",
            code="distance-of-no-classes",
        )
    return VECTOR_DISTANCES[name]


def infinite_if_impossible(distance: Distance) -> bool:
    """Tell whether a distance is infinite where an outcome of probability 0 is observed."""
    return bool(np.isinf(cast(float, distance(1.0, 0.0, 1.0))))


def function_name(function: Callable[..., Any]) -> str:
    """Return what the function is called, as results say it."""
    return str(getattr(function, "__name__", type(function).__name__))


def checked_values(argument: str, function: Callable[[Any, Any], Any], **given: Wide) -> Wide:
    """Return what a function of two arrays of one shape answers: numbers of that shape, or inf.

    `argument` is where the user gave the function, `given` its two arrays by the names that its
    description has for them. Raises ParameterError for any other answer.

    >>> checked_values("score", lambda p, y: abs(y - p), p=np.array([0.5]), y=np.array([1.0]))
    array([0.5])
    """
    rule = f"`{argument}` {quoted(function_name(function))} must"
    first, second = given.values()
    try:
        with np.errstate(all="ignore"):  # infinite is an answer; NaN is refused below
            result = np.asarray(function(first.copy(), second.copy()))
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"{rule} take arrays {' and '.join(given)} of one shape and return an array of that "
            f"shape, but it raised {type(error).__name__}: {error}",
            code="score-raises",
        ) from error
    if result.shape != first.shape or result.dtype.kind not in "fiu":
        raise ParameterError(
            f"{rule} return for arrays of shape {first.shape} with numbers of that shape, got "
            f"shape {result.shape} of {result.dtype}",
            code="score-of-other-shape",
        )
    wrong = np.isnan(result) | (result == -np.inf)
    if wrong.any():
        at = np.unravel_index(np.argmax(wrong), wrong.shape)
        where = ", ".join(f"{name} = {values[at]:.6g}" for name, values in given.items())
        raise ParameterError(
            f"{rule} be a number or infinite, got {result[at]} at {where}", code="score-undefined"
        )
    return result.astype(np.float64)
