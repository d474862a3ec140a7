"""What the models would be like once their temperatures were mended, measured honestly."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions import Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.recalibration import fit_temperature
from plumbline.resampling import stream

Ints = NDArray[np.intp]
Array = NDArray[Any]

PARTS = 5
KEY = 31  # of the stream that draws the parts


@dataclasses.dataclass(frozen=True, slots=True)
class Scaled:
    """Tables with scaled probabilities, by model, and why some temperatures are no optimum."""

    tables: dict[str, Predictions]
    reasons: tuple[str, ...]


def after_temperature(tables: Mapping[str, Predictions], example: Ints, *, entropy: int) -> Scaled:
    """Return aligned tables with every row scaled by a temperature fitted without its example.

    Rows of a fold get the temperature of the other folds of their repeat. Where a repeat has no
    other folds (a holdout, a bootstrap), examples are put in five parts by chance, of nearly equal
    size in every class, and each part gets the temperature of the others in its repeat.
    """
    first = next(iter(tables.values()))
    groups = np.zeros(first.n, np.intp) if first.repeat is None else first.repeat.codes
    if first.fold is not None and _several_folds_each(groups, first.fold.codes):
        parts = first.fold.codes
    else:
        parts = _stratified(first, example, entropy)
    scaled = {name: _scaled(table, parts, groups) for name, table in tables.items()}
    reasons = [f"{name}: {reason}" for name, (_, found) in scaled.items() for reason in found]
    return Scaled({name: table for name, (table, _) in scaled.items()}, tuple(reasons))


def _several_folds_each(groups: Array, folds: Array) -> bool:
    return all(len(np.unique(folds[groups == one])) > 1 for one in np.unique(groups))


def _stratified(table: Predictions, example: Ints, entropy: int) -> Ints:
    """Return the part of every example by chance: classes are dealt out one after the other."""
    rng = stream(entropy, KEY)
    count = int(example.max()) + 1
    classes = np.zeros(count, np.intp)
    classes[example] = table.actual
    shuffled = rng.permutation(count)
    dealt = shuffled[np.argsort(classes[shuffled], kind="stable")]
    part = np.empty(count, np.intp)
    part[dealt] = np.arange(count) % PARTS
    return part[example]


def _scaled(table: Predictions, parts: Array, groups: Array) -> tuple[Predictions, list[str]]:
    """Return the table with every part at the temperature of its group's other parts."""
    prob = np.empty((table.n, table.k), np.float64, order="F" if table.k == 2 else "C")
    logs = np.empty_like(prob)
    reasons = []
    for rows in rows_of_codes(groups).values():
        for part in np.unique(parts[rows]):
            inside = rows[parts[rows] == part]
            temperature = fit_temperature(table.select(where=rows[parts[rows] != part]))
            mapped = temperature(table.select(where=inside))
            prob[inside], logs[inside] = mapped.prob, mapped.log_prob
            reasons += [temperature.reason] if temperature.reason else []
    return dataclasses.replace(table, prob=prob, log_prob=logs), list(dict.fromkeys(reasons))
