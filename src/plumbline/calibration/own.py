"""Functions of the user's own: their name, and their answers, all checked."""

from collections.abc import Callable
from typing import Any

import numpy as np

from plumbline.calibration.drawable import Wide
from plumbline.errors import ParameterError


def name_of(function: Callable[..., Any]) -> str:
    """Return what the function is called, as results say it."""
    return str(getattr(function, "__name__", type(function).__name__))


def answer_of(argument: str, function: Callable[[Any, Any], Any], **given: Wide) -> Wide:
    """Return what a function of two arrays of one shape answers: numbers of that shape, or inf.

    `argument` is where the user gave the function, `given` its two arrays by the names that its
    description has for them. Raises ParameterError for any other answer.

    >>> answer_of("score", lambda p, y: abs(y - p), p=np.array([0.5]), y=np.array([1.0]))
    array([0.5])
    """
    said = f"`{argument}` {name_of(function)!r} must"
    first, second = given.values()
    try:
        with np.errstate(all="ignore"):  # infinite is an answer; NaN is refused below
            found = np.asarray(function(first.copy(), second.copy()))
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"{said} take arrays {' and '.join(given)} of one shape and answer with theirs, but "
            f"it raised {type(error).__name__}: {error}"
        ) from error
    if found.shape != first.shape or found.dtype.kind not in "fiu":
        raise ParameterError(
            f"{said} answer arrays of shape {first.shape} with numbers of that shape, got shape "
            f"{found.shape} of {found.dtype}"
        )
    wrong = np.isnan(found) | (found == -np.inf)
    if wrong.any():
        at = np.unravel_index(np.argmax(wrong), wrong.shape)
        where = ", ".join(f"{name} = {values[at]:.6g}" for name, values in given.items())
        raise ParameterError(f"{said} be a number or infinite, got {found[at]} at {where}")
    return found.astype(np.float64)
