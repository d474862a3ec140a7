"""How k columns become two: one of them against the rest."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions.labels import Ints
from plumbline.predictions.probabilities import Floats


def against_rest(values: Floats, column: Ints, pool: Callable[[Floats, Ints], Floats]) -> Floats:
    """Return (n, 2): column 1 the picked class of every row, column 0 all others pooled."""
    picked = np.take_along_axis(values, column[:, None], axis=1)[:, 0]
    out = np.empty((len(values), 2), values.dtype, order="F")
    out[:, 1] = picked
    out[:, 0] = pool(values, column)
    return out


def rest_sum(prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Sum the probabilities of all classes but one, in float64: exact where 1 - p is not."""
    others = prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], 0.0, axis=1)
    return np.asarray(np.minimum(others.sum(axis=1), 1.0))


def rest_log_sum(log_prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Return log(sum(exp(log p))) over all classes but one."""
    others = log_prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], -np.inf, axis=1)
    return np.asarray(np.logaddexp.reduce(others, axis=1))
