"""What the models would be like once their temperatures were mended, measured honestly."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.comparison.design import data_sets
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Labels, rows_of_codes
from plumbline.recalibration import fit_temperature
from plumbline.resampling import stream
from plumbline.words import counted, printable

Ints = NDArray[np.intp]
Array = NDArray[Any]

PARTS = 5
KEY = 31  # of the stream that draws the parts


@dataclasses.dataclass(frozen=True, slots=True)
class Scaled:
    """Tables with scaled probabilities, by model, and why some temperatures are no optimum."""

    tables: dict[str, Predictions]
    reasons: tuple[str, ...]


def after_temperature(
    tables: Mapping[str, Predictions], example: Ints, *, entropy: int, over: str | None = None
) -> Scaled:
    """Return aligned tables with every row scaled by a temperature fitted without its example.

    Rows of a fold get the temperature of the other folds of their repeat, and of their data set
    where `over` tells these apart. Where a repeat has no other folds, or an example is in several
    (a holdout, a bootstrap), examples are put in five parts by chance, of nearly equal size in
    every class, and each part gets the temperature of the others in its repeat. Raises InputError
    where there are no others.
    """
    first = next(iter(tables.values()))
    sets = (
        np.zeros(first.n, np.intp)
        if over is None
        else Labels.of(over, data_sets(first, over)).codes
    )
    groups = sets if first.repeat is None else sets + first.repeat.codes * (sets.max() + 1)
    if first.fold is not None and _cross(groups, first.fold.codes, example):
        parts = first.fold.codes
    else:
        parts = _stratified(first, example, sets, entropy)
    scaled = {name: _scaled(table, parts, groups) for name, table in tables.items()}
    reasons = [
        f"{printable(name)}: {reason}" for name, (_, found) in scaled.items() for reason in found
    ]
    return Scaled({name: table for name, (table, _) in scaled.items()}, tuple(reasons))


def _cross(groups: Array, folds: Array, example: Ints) -> bool:
    """Tell whether every group has several folds, and every example of it is in one of them."""
    pairs, repeated = (
        np.unique(np.stack([groups, example]), axis=1),
        np.stack([groups, example, folds]),
    )
    several = all(len(np.unique(folds[groups == one])) > 1 for one in np.unique(groups))
    return several and len(np.unique(repeated, axis=1).T) == len(pairs.T)


def _stratified(table: Predictions, example: Ints, sets: Array, entropy: int) -> Ints:
    """Return the part of every row's example by chance: classes are dealt out, set by set."""
    rng = stream(entropy, KEY)
    count = int(example.max()) + 1
    kinds = np.zeros(count, np.intp)
    kinds[example] = sets * table.k + table.actual
    shuffled = rng.permutation(count)
    dealt = shuffled[np.argsort(kinds[shuffled], kind="stable")]
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
            inside, others = rows[parts[rows] == part], rows[parts[rows] != part]
            if not len(others):
                raise InputError(
                    "a temperature is fitted on other rows than it scales, and one repeat or data "
                    f"set has no others than {counted(len(inside), 'row')}; leave `after` out"
                )
            temperature = fit_temperature(table.select(where=others))
            mapped = temperature(table.select(where=inside))
            prob[inside], logs[inside] = mapped.prob, mapped.log_prob
            reasons += [temperature.reason] if temperature.reason else []
    return dataclasses.replace(table, prob=prob, log_prob=logs), list(dict.fromkeys(reasons))
