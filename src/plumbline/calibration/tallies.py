"""Adds labels up: what a statistic needs of them, many sets of labels at a time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Ints, Wide
from plumbline.jit import compiled

if TYPE_CHECKING:
    from plumbline.calibration.statistics import Statistic

_NO_WEIGHT: Wide = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class SumTally:
    """What labels added up to so far, one column a draw: hits of the cells, sum of the points."""

    statistic: "Statistic"
    hits: Wide
    points: Wide

    @classmethod
    def empty(cls, statistic: "Statistic", width: int) -> "SumTally":
        """Return a tally of `width` draws before any row."""
        return cls(statistic, np.zeros((statistic.size, width)), np.zeros(width))

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        statistic = self.statistic
        if statistic.cells is not None:
            weight = _NO_WEIGHT if statistic.weight is None else statistic.weight[rows]
            add_hits(statistic.cells.number[rows], labels, weight, self.hits)
        if statistic.value is not None:
            add_values(statistic.value[rows], labels, self.points)

    def values(self) -> Wide:
        """Return the statistic of every draw."""
        cells = self.statistic.cells
        return self.points if cells is None else self.points + cells.error(self.hits)

    def shares(self) -> Wide:
        """Return (cells, draws) outcome shares of a binned statistic."""
        cells = self.statistic.cells
        return self.hits[:0] if cells is None else self.hits[1:] / cells.total[1:, None]


@compiled
def add_hits(cell: Ints, labels: Ints, weight: Wide, hits: Wide) -> None:
    """Add every row's weight (1 where `weight` is empty) to the cell its label hits, each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i] if len(weight) > 0 else 1.0
        if cell.shape[1] == 2 and cell[i, 0] == 0:  # one cell a row: no jumps, many at a time
            own = hits[cell[i, 1]]
            for d in range(width):
                own[d] += w * labels[i, d]
        else:
            for d in range(width):
                hits[cell[i, labels[i, d]], d] += w


@compiled
def add_values(value: Wide, labels: Ints, sums: Wide) -> None:
    """Add what every row is worth with its label, for each draw."""
    n, width = labels.shape
    for i in range(n):
        for d in range(width):
            sums[d] += value[i, labels[i, d]]
