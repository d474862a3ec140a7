"""Vector scaling: one slope and one shift a class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.fitted import WholeFit
from plumbline.recalibration.forms import Softmax
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.softmax_regression import DIAGONAL, Pull, minimised, separation
from plumbline.recalibration.softmax_rows import for_all, prepared

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


def vector(reading: Reading, actual: Ints, weight: Floats) -> WholeFit:
    """Return q = softmax(a x + b), one slope a and one shift b a class, of least log loss.

    x are the centred logits: log probabilities or ratings less their mean of the row, so that of
    two classes it is a logistic curve through the log-odds. Source: Guo, Pleiss, Sun and
    Weinberger (2017).
    """
    ready = prepared(reading, actual, weight, centred=True)
    s = len(ready.seen)
    pull = Pull(np.tile([1.0, 0.0], (s, 1)), np.full((s, 2), np.inf))
    start = np.tile([ready.slope, 0.0], (s, 1))
    numbers = minimised(DIAGONAL, ready.rows, pull, start=start)
    slope, bias = for_all(numbers, ready.seen, reading.k)
    notes = ready.notes + separation(DIAGONAL, ready.rows, numbers)
    form = Softmax(slope / ready.unit, bias, centred=True)
    return WholeFit(form, 2 if s == 2 else 2 * s - 1, notes)
