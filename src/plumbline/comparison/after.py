"""What the models would be like once they were recalibrated, measured honestly."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.comparison.design import data_sets
from plumbline.formatting import printable
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Labels
from plumbline.random_streams import stream
from plumbline.recalibration import RecalibrationMap, fit_map
from plumbline.recalibration.fit_map import cross_fitted, dealt_parts

Ints = NDArray[np.intp]
Array = NDArray[Any]

PARTS = 5
KEY = 31  # of the stream that draws the parts


@dataclasses.dataclass(frozen=True, slots=True)
class Mended:
    """Recalibrated tables by model, and what the maps have to say of themselves."""

    tables: dict[str, Predictions]
    notes: tuple[str, ...]


def after_recalibration(
    tables: Mapping[str, Predictions],
    example: Ints,
    *,
    method: str,
    entropy: int,
    over: str | None = None,
) -> Mended:
    """Return aligned tables with every row mended by a map fitted without its example.

    Rows of a fold get the map of the other folds of their repeat, and of their data set where
    `over` tells these apart. Where a repeat has no other folds, or an example is in several (a
    holdout, a bootstrap), examples are put in five parts by chance, of nearly equal size in every
    class, and each part gets the map of the others in its repeat. Raises InputError where there
    are no others.
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

    def fit(data: Predictions) -> RecalibrationMap:
        return fit_map(data, method)

    mended = {
        name: cross_fitted(table, fit, parts=parts, groups=groups) for name, table in tables.items()
    }
    notes = [
        f"{printable(name)}: {note}"
        for name, found in mended.items()
        for note in dict.fromkeys(note for one in found.maps for note in one.notes)
    ]
    return Mended({name: found.table for name, found in mended.items()}, tuple(notes))


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
    kinds = np.zeros(int(example.max()) + 1, np.intp)
    kinds[example] = sets * table.k + table.actual
    return dealt_parts(kinds, PARTS, stream(entropy, KEY))[example]
