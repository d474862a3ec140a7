"""Between arrays of scikit-learn and maps: fit a map on them, and mend them by it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import label_text
from plumbline.recalibration.fitting import fit_map
from plumbline.recalibration.inputs import INPUTS, PROBABILITY
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.methods import AUTO, NONE

FREE = {AUTO: INPUTS, NONE: (PROBABILITY,)}  # what methods that are no rows of the table read
Floats = NDArray[np.floating[Any]]


def fitted_map(
    values: Floats,
    y: NDArray[Any],
    *,
    method: Any,
    on: str,
    options: Mapping[str, Any],
    names: tuple[str, ...],
    weight: Any = None,
) -> RecalibrationMap:
    """Return the map `recalibrate` fits on (n, k) or (n,) answers of classes called `names`."""
    given: dict[str, Any] = {"y_prob": values} if on == PROBABILITY else {"score": values}
    labels = [label_text(label) for label in y]
    data = Predictions.from_arrays(labels, classes=names, weight=weight, **given)
    if method not in FREE:
        return fit_map(data, method, on=on, **options)
    from plumbline.advisor import recalibrate

    return recalibrate(data, method, on=on, **options)


def of_these_classes(recalibration: RecalibrationMap, names: tuple[str, ...]) -> RecalibrationMap:
    """Return a ready map if it is of these classes, in whatever order."""
    if sorted(recalibration.classes) != sorted(names):
        raise InputError(
            f"the map is of the classes {', '.join(recalibration.classes)}, and the classes here "
            f"are {', '.join(names)}; a map serves the classes it was fitted on"
        )
    return recalibration


def mended(
    recalibration: RecalibrationMap, values: Floats, names: tuple[str, ...]
) -> NDArray[np.float64]:
    """Return (n, k) mended probabilities, columns as in `names`, without asking which rows.

    `values` (n, k) in the order of `names`, or (n,) of the last of two classes.
    """
    order = [names.index(name) for name in recalibration.classes]
    back = [recalibration.classes.index(name) for name in names]
    if values.ndim == 2:
        given = values if order == sorted(order) else values[:, order]
    elif recalibration.on == PROBABILITY:
        last = values.astype(np.float64)
        given = np.column_stack([1.0 - last, last])[:, order]
    else:
        given = values if recalibration.positive == names[-1] else -values
    answer: NDArray[np.float64] = recalibration.transform(given)
    return np.ascontiguousarray(answer if back == sorted(back) else answer[:, back])
