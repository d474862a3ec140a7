"""Rows of more than two classes counted by observed and most likely class, with sums of losses.

What scores of all classes and confusion matrices need: a few numbers a pair of classes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.frames.columns import ALL_CLASSES, CountedColumns
from plumbline.frames.levels import HITS, MISSES, OFFSET, Levels, Wide, rows_held
from plumbline.jit import compiled
from plumbline.predictions import Predictions
from plumbline.predictions.counted import CountedLosses


@dataclass(frozen=True)
class ClassCells:
    """Records of the form of levels, so that they are merged and kept as these are.

    With k classes, record k a + b counts the rows of class a whose likeliest class is b: those in
    which a has probability 0 as misses, the others as hits, with the sum of their -ln p. The next
    k^2 records have the sums of their Brier scores, the last k those of each class alone.

    Attributes
    ----------
    classes : number of classes
    """

    classes: int

    @property
    def size(self) -> int:
        """Number of records."""
        return 2 * self.classes**2 + self.classes

    def empty(self) -> Wide:
        """Return (size, 4) sums of no rows, as `Levels.empty` has them; references are 0."""
        return np.zeros((self.size, 4))


def cells_of(columns: CountedColumns) -> ClassCells | None:
    """Return what is counted of all classes at once; None where levels of one event are."""
    if columns.view != ALL_CLASSES or not columns.targets or not columns.many:
        return None
    return ClassCells(len(columns.targets))


def no_rows(columns: CountedColumns, levels: Levels, sums: int) -> Wide:
    """Return what is kept of no rows of a group."""
    cells = cells_of(columns)
    return levels.empty(sums) if cells is None else cells.empty()


@compiled
def add_losses(
    matrix: NDArray[Any], label: NDArray[np.int32], top: NDArray[np.int32], counts: Wide
) -> None:
    """Add the rows of (n, k) probabilities, except those whose label is -1, to their records."""
    k = matrix.shape[1]
    for i in range(len(matrix)):
        a = label[i]
        if a < 0:
            continue
        cell = a * k + top[i]
        squares = 0.0
        for j in range(k):
            gap = np.float64(matrix[i, j]) - (1.0 if j == a else 0.0)
            squares += gap * gap
            counts[2 * k * k + j, 1] += 1.0
            counts[2 * k * k + j, 2] += gap * gap
        own = np.float64(matrix[i, a])
        if own > 0.0:
            counts[cell, 1] += 1.0
            counts[cell, 2] -= np.log(own)
        else:
            counts[cell, 0] += 1.0
        counts[k * k + cell, 1] += 1.0
        counts[k * k + cell, 2] += squares


def rows_of_cells(counts: Wide, k: int) -> int:
    """Return how many rows the table of these records of k classes has."""
    return rows_held(counts[: k * k])


def table_of_cells(
    columns: CountedColumns, groups: Sequence[Wide], coded: Mapping[str, Any]
) -> Predictions:
    """Return a table of all classes: a row a cell, and apart those whose class had p = 0."""
    k = len(columns.targets)
    cells, weights, log_losses, brier_scores, sizes = [], [], [], [], []
    for counts in groups:
        cell, hit = np.nonzero(counts[: k * k, : HITS + 1])
        weight = counts[cell, hit]
        squares = counts[k * k + cell]
        cells.append(cell)
        weights.append(weight)
        log_losses.append(np.where(hit == MISSES, np.inf, counts[cell, OFFSET] / weight))
        brier_scores.append(squares[:, OFFSET] / squares[:, HITS])
        sizes.append(len(cell))
    cell = np.concatenate(cells)
    by_class = np.array(
        [counts[2 * k * k :, OFFSET] / counts[2 * k * k :, HITS] for counts in groups]
    )
    return Predictions(
        classes=columns.classes,
        actual=(cell // k).astype(np.int32),
        label=(cell % k).astype(np.int32),
        weight=np.concatenate(weights),
        counted=True,
        losses=CountedLosses(
            np.concatenate(log_losses),
            np.concatenate(brier_scores),
            by_class,
            np.repeat(np.arange(len(groups)), sizes),
        ),
        **coded,
    )
