"""Dirichlet calibration: a softmax of weighted sums of all log probabilities."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.fitted import WholeFit
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.matrix import fitted, off_diagonal

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


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
