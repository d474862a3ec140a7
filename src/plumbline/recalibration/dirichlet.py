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
    """Return q = softmax(W ln p + b), W kept near the identity and b near 0.

    The mean log loss plus `regularisation` times the mean square of all k (k + 1) numbers of W - I
    and b is least, so that a large one leaves the probabilities as they are. `regularisation` None
    takes what the cross-validated log loss asks for. Source: Kull, Perello-Nieto, Kaengsepp, Silva
    Filho, Song and Flach (2019), whose penalty is on W itself.
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
