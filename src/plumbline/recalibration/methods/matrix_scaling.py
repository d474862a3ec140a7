"""Vector, matrix and Dirichlet scaling: a softmax of weighted sums of logits."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import real_number, shorten
from plumbline.errors import ParameterError
from plumbline.recalibration.forms import Softmax, WholeFit
from plumbline.recalibration.inputs import PROBABILITY, Reading
from plumbline.recalibration.methods.softmax_regression import (
    DIAGONAL,
    FULL,
    Pull,
    best_spread,
    for_all,
    minimised,
    prepared,
    separation,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def vector(reading: Reading, actual: Ints, weight: Floats) -> WholeFit:
    """Return q = softmax(a x + b), one slope a and one shift b a class, of least log loss.

    x are the centred logits: log probabilities or ratings less their mean of the row, so that of
    two classes it is a logistic curve through the log-odds. Source: Guo, Pleiss, Sun and
    Weinberger (2017).
    """
    ready = prepared(reading, actual, weight, centred=True)
    s = len(ready.present)
    pull = Pull(np.tile([1.0, 0.0], (s, 1)), np.full((s, 2), np.inf))
    start = np.tile([ready.slope, 0.0], (s, 1))
    numbers = minimised(DIAGONAL, ready.rows, pull, start=start)
    slope, bias = for_all(numbers, ready.present, reading.k)
    notes = ready.notes + separation(DIAGONAL, ready.rows, numbers)
    form = Softmax(slope / ready.unit, bias, centred=True)
    return WholeFit(form, 2 if s == 2 else 2 * s - 1, notes)


# ------------------------------------------------------------------ matrix scaling

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
    penalised: NDArray[np.bool_] = np.eye(s, s + 1) == 0
    return penalised


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
    s, total = len(ready.present), weight.sum()
    penalised = of(s)

    def pull(spread: float) -> Pull:
        return Pull(ready.usual * np.eye(s, s + 1), np.where(penalised, spread, np.inf))

    start = ready.slope * np.eye(s, s + 1)
    if regularisation is None:
        key = reading.values if reading.on == PROBABILITY else reading.logits() / ready.unit
        spread = best_spread(FULL, ready.rows, pull, start=start, key=key)
        regularisation = penalised.sum() / (2 * total * spread**2)
    elif regularisation == 0:
        spread = math.inf
    else:
        spread = math.sqrt(penalised.sum() / (2 * total * regularisation))
    numbers = minimised(FULL, ready.rows, pull(spread), start=start)
    weights, bias = for_all(numbers, ready.present, reading.k)
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
            argument="regularisation",
            rule="a number of at least 0, or None to choose it by cross-validation",
            arrived=shorten(regularisation),
            code="out-of-range",
        )
    if k > MOST:
        raise ParameterError(
            f"matrix and Dirichlet maps fit k * k parameters, for at most {MOST} classes, got "
            f"{k:,}; use vector or temperature",
            code="too-many-classes",
        )


# ------------------------------------------------------------------ Dirichlet calibration


def dirichlet(
    reading: Reading,
    actual: Ints,
    weight: Floats,
    *,
    regularisation: float | None = None,
) -> WholeFit:
    """Return q = softmax(W ln p + b), W kept near temperature scaling's and b near 0.

    With c = 1 / T, T the temperature fitted to the same rows beforehand (1 where no temperature is
    best), the least of

        mean log loss + regularisation (sum_ij (W_ij - c [i = j])^2 + sum_i b_i^2) / (k (k + 1)),

    so that a large `regularisation` is temperature scaling. None takes what the cross-validated log
    loss asks for. Source: Kull, Perello-Nieto, Kaengsepp, Silva Filho, Song and Flach (2019), whose
    penalty is on W itself, c = 0: a large one makes all classes equally likely. One strength for so
    many numbers could not make many classes' probabilities more careful from W = I without letting
    all other numbers go.
    """
    return fitted(reading, actual, weight, regularisation, of=_all, centred=False)


def dirichlet_odir(
    reading: Reading,
    actual: Ints,
    weight: Floats,
    *,
    regularisation: float | None = None,
) -> WholeFit:
    """Return q = softmax(W ln p + b), what is off the diagonal and b kept small (ODIR).

    The mean log loss plus `regularisation` times the mean square of the k k numbers of W off the
    diagonal and of b is least. `regularisation` None takes what the cross-validated log loss asks
    for. Source: Kull et al. (2019).
    """
    return fitted(reading, actual, weight, regularisation, of=off_diagonal, centred=False)


def _all(s: int) -> NDArray[np.bool_]:
    return np.ones((s, s + 1), bool)
