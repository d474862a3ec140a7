"""Mended predictions for every row, each by a map fitted on other rows."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.recalibration.map import RecalibrationMap
from plumbline.results.formatting import counted

Ints = NDArray[np.intp]


class CrossFitted(NamedTuple):
    """A table mended out of part, and the maps that mended it."""

    table: Predictions
    maps: tuple[RecalibrationMap, ...]


def dealt_parts(kinds: Ints, parts: int, rng: np.random.Generator) -> Ints:
    """Return the part of every example by chance, examples of a kind dealt out evenly.

    >>> dealt_parts(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0)).tolist()
    [0, 1, 0, 1]
    """
    count = len(kinds)
    shuffled = rng.permutation(count)
    dealt = shuffled[np.argsort(kinds[shuffled], kind="stable")]
    part = np.empty(count, np.intp)
    part[dealt] = np.arange(count) % parts
    return part


def cross_fitted(
    data: Predictions,
    fit: Callable[[Predictions], RecalibrationMap],
    *,
    parts: Ints,
    groups: Ints | None = None,
) -> CrossFitted:
    """Mend every part of the rows by a map fitted on the other parts of its group.

    Raises InputError where a group has one part only.
    """
    groups = np.zeros(data.n, np.intp) if groups is None else groups
    prob = np.empty((data.n, data.k), np.float64, order="F" if data.k == 2 else "C")
    logs: NDArray[np.float64] | None = np.empty_like(prob)
    maps = []
    for rows in rows_of_codes(groups).values():
        for part in np.unique(parts[rows]):
            inside, others = rows[parts[rows] == part], rows[parts[rows] != part]
            if not len(others):
                raise InputError(
                    "a map is fitted on other rows than it mends, and one repeat or data set has "
                    f"no others than {counted(len(inside), 'row')}"
                )
            fitted = fit(data.select(where=others))
            mended = fitted.applied(data.select(where=inside))
            prob[inside] = mended.prob
            if logs is not None and mended.log_prob is not None:
                logs[inside] = mended.log_prob
            else:
                logs = None
            maps.append(fitted)
    table = dataclasses.replace(data, prob=prob, log_prob=logs, label=None)
    return CrossFitted(table, tuple(maps))
