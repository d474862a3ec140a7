"""Differences between two models over folds or data sets, checked once, and their spread.

`d` is first model's value - second model's, one number a fold or a data set.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import open_fraction, shorten
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, number
from plumbline.nulls import TIE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation (n - 1) of differences, and why no test can rest on them.

    Attributes
    ----------
    mean, deviation : of the differences; the deviation is exactly 0 where they differ by rounding
    constant : what all differences being equal means, as a reason; None where they differ
    """

    mean: float
    deviation: float
    constant: str | None

    @property
    def effect(self) -> float:
        """Cohen's d of paired differences: mean / deviation; 0 / 0 is 0, x / 0 undefined."""
        if self.deviation > 0:
            return self.mean / self.deviation
        return 0.0 if self.mean == 0 else float("nan")


def checked_differences(d: ArrayLike, *, least: int, unit: str = "fold") -> Floats:
    """Return differences as (J,) float64; raise InputError for NaN or infinity, or too few.

    >>> checked_differences([0.1, 0.2], least=2)
    array([0.1, 0.2])
    """
    found = np.asarray(d, dtype=np.float64)
    if found.ndim != 1 or found.size < least:
        raise InputError(
            f"`d` must hold one difference a {unit}, at least {least} of them, got an array of "
            f"shape {found.shape}"
        )
    _need_finite(found, unit)
    return found


def checked_five_by_two(d: ArrayLike) -> Floats:
    """Return differences of five repeats of two folds as (5, 2) float64, or raise InputError."""
    found = np.asarray(d, dtype=np.float64)
    if found.shape != (5, 2):
        raise InputError(
            "`d` must hold the differences of five repeats of 2-fold cross-validation, shape "
            f"(5, 2), got {found.shape}; `corrected_t` takes any number of folds"
        )
    _need_finite(found.ravel(), "fold")
    return found


def _need_finite(d: Floats, unit: str) -> None:
    wrong = np.flatnonzero(~np.isfinite(d))
    if wrong.size:
        raise InputError(
            f"every difference must be finite, but {unit} {wrong[0]} has {d[wrong[0]]}"
            f" ({counted(wrong.size, unit)} in all): a measure is undefined or infinite there; "
            "leave it out knowingly or take another measure"
        )


def spread_of(d: Floats, unit: str = "fold") -> Spread:
    """Return mean and deviation of differences; those that differ by rounding are equal.

    >>> spread_of(np.array([0.1, 0.1, 0.1])).constant
    'the difference is 0.1 in each of 3 folds, so their spread says nothing of chance'
    """
    mean = float(d.mean())
    if float(np.ptp(d)) > TIE * (1 + abs(mean)):
        return Spread(mean, float(d.std(ddof=1)), None)
    if abs(mean) <= TIE:
        return Spread(
            0.0, 0.0, f"the models have the same value in each of {counted(d.size, unit)}"
        )
    each = f"the difference is {number(mean)} in each of {counted(d.size, unit)}"
    return Spread(mean, 0.0, f"{each}, so their spread says nothing of chance")


def checked_level(level: float) -> float:
    """Return the level of an interval, strictly between 0 and 1."""
    return open_fraction("level", level)


def checked_test_share(test_share: float) -> float:
    """Return the share of the rows that each test part holds, strictly between 0 and 1."""
    return open_fraction("test_share", test_share)


def checked_rope(rope: float) -> float:
    """Return the half width of the region of practical equivalence, finite and at least 0."""
    try:
        width = float(rope)
    except (TypeError, ValueError):
        width = float("nan")
    if not 0 <= width < float("inf"):
        raise ParameterError(
            "`rope` must be the largest difference that makes no difference in practice, a number "
            f"of at least 0 in the measure's unit, got {shorten(rope)}"
        )
    return width
