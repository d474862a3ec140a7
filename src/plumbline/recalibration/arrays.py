"""Plain arrays at the door of a map: checked, and read as a table would be."""

from typing import Any

import numpy as np

from plumbline.errors import InputError
from plumbline.predictions.probabilities import (
    bad_rows,
    checked_column,
    checked_probabilities,
    number_matrix,
    two_columns,
)
from plumbline.recalibration.inputs import SCORE, Reading


def reading_of_array(
    values: Any, on: str, classes: tuple[str, ...], positive: int, *, least: float = 0.0
) -> Reading:
    """Return what a map reads of an array: a column a class in its order, or the positive one's.

    Raises InputError for another shape, NaN, and what is no probability.
    """
    numbers = number_matrix("values", values)
    k = len(classes)
    shapes = {(len(numbers), k)} | ({(len(numbers),), (len(numbers), 1)} if k == 2 else set())
    if numbers.shape not in shapes:
        one = f", or (n,) of {classes[positive]!r}" if k == 2 else ""
        raise InputError(
            f"this map takes one column a class, (n, {k}){one}; got shape {numbers.shape}"
        )
    alone = numbers.reshape(len(numbers)) if numbers.size == len(numbers) else None
    if on != SCORE and alone is not None:
        numbers = two_columns(checked_column(alone, classes[positive]), positive)
    elif on != SCORE:
        numbers = checked_probabilities(numbers, classes, normalize=False)
    else:
        _need_finite(numbers)
        numbers = numbers if k > 2 else numbers[:, positive] if alone is None else alone
    return Reading(on, numbers, None, positive, classes, least)


def _need_finite(numbers: Any) -> None:
    bad = bad_rows(~np.isfinite(numbers))
    if bad.any():
        raise InputError(
            f"ratings must be finite, row {int(np.argmax(bad))} (counting from 0) is not; correct "
            "it or leave it out"
        )
