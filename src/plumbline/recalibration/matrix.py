"""Matrix scaling: every logit a weighted sum of all, what is off the diagonal kept small."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import real_number, shorten
from plumbline.errors import ParameterError
from plumbline.recalibration.fitted import WholeFit
from plumbline.recalibration.forms import Softmax
from plumbline.recalibration.inputs import PROBABILITY, Reading
from plumbline.recalibration.softmax_regression import (
    FULL,
    Pull,
    chosen_spread,
    minimised,
    separation,
)
from plumbline.recalibration.softmax_rows import for_all, prepared

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST = 300  # classes; the curvature of each is kept, k^3 numbers


def matrix(
    reading: Reading,
    actual: Ints,
    weight: Floats,
    *,
    regularisation: float | None = None,
) -> WholeFit:
    """Return q = softmax(W x + b), x the centred logits, what is off the diagonal kept small.

    The mean log loss plus `regularisation` times the mean square of the k (k - 1) weights off the
    diagonal and of the k shifts, k + 1 numbers a class but its own slope, is least (ODIR).
    `regularisation` None takes what the cross-validated log loss asks for. Source: Guo et al.
    (2017); Kull, Perello-Nieto, Kaengsepp, Silva Filho, Song and Flach (2019).
    """
    return fitted(reading, actual, weight, regularisation, of=off_diagonal, centred=True)


def off_diagonal(s: int) -> NDArray[np.bool_]:
    """Return (s, s + 1) which numbers are kept small: all but every class's own slope."""
    held: NDArray[np.bool_] = np.eye(s, s + 1) == 0
    return held


def fitted(
    reading: Reading,
    actual: Ints,
    weight: Floats,
    regularisation: float | None,
    *,
    of: Callable[[int], NDArray[np.bool_]],
    centred: bool,
) -> WholeFit:
    """Return the softmax of least mean log loss + regularisation * mean square of some numbers.

    `of` says which of (s, s + 1) weights and shifts are penalised; weights count from temperature
    scaling's, 1 / T on the diagonal.
    """
    _check(regularisation, reading.k)
    ready = prepared(reading, actual, weight, centred=centred)
    s, total = len(ready.seen), weight.sum()
    held = of(s)

    def pull(spread: float) -> Pull:
        return Pull(ready.usual * np.eye(s, s + 1), np.where(held, spread, np.inf))

    start = ready.slope * np.eye(s, s + 1)
    if regularisation is None:
        key = reading.values if reading.on == PROBABILITY else reading.logits() / ready.unit
        spread = chosen_spread(FULL, ready.rows, pull, start=start, key=key)
        regularisation = held.sum() / (2 * total * spread**2)
    elif regularisation == 0:
        spread = math.inf
    else:
        spread = math.sqrt(held.sum() / (2 * total * regularisation))
    numbers = minimised(FULL, ready.rows, pull(spread), start=start)
    weights, bias = for_all(numbers, ready.seen, reading.k)
    notes = ready.notes + separation(FULL, ready.rows, numbers)
    return WholeFit(
        Softmax(weights / ready.unit, bias, centred=centred),
        (s - 1) * (s + 1),
        notes,
        {"regularisation": float(regularisation)},
    )


def _check(regularisation: float | None, k: int) -> None:
    if regularisation is not None and not 0 <= real_number(regularisation) < math.inf:
        raise ParameterError(
            "`regularisation` must be a number of at least 0, or None to choose it by "
            f"cross-validation, got {shorten(regularisation)}"
        )
    if k > MOST:
        raise ParameterError(
            f"matrix and Dirichlet maps fit k * k numbers, for at most {MOST} classes, got {k:,}; "
            "take vector or temperature"
        )
