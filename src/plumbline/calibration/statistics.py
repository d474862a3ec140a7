"""The calibration error as a function of the class labels, with the predictions held fixed.

Binning depends on the predictions alone. `Statistic` holds all that the function needs, so that the
observed labels and labels drawn from the predictions go through the same arithmetic.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import Bins, Homes, OnePerPoint, distinct_rows
from plumbline.calibration.distances import Distance, adds_up
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.looks import Look, Seen, checked_prob, seen, sum_of_others
from plumbline.calibration.settings import Setting
from plumbline.errors import PlumblineWarning
from plumbline.predictions import Predictions

if TYPE_CHECKING:
    from plumbline.calibration.tallies import SumTally


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The binned part of an error: sum over cells of share * distance(hits / weight, p, q).

    A cell is a bin of one class. Row i whose label is c adds its weight to cell `number[i, c]`;
    cell 0 is nobody's and does not count.

    Attributes
    ----------
    number : (n, k) cell number
    total : (cells,) weight of all rows of a cell, hit or not
    mean, rest : (cells,) mean probability p of the outcome, and q of the other one
    share : (cells,) factor of the cell in the sum
    distance : what is summed
    bins : the bins of every class looked at; none for groups of equal vectors
    """

    number: NDArray[np.int32]
    total: Wide
    mean: Wide
    rest: Wide
    share: Wide
    distance: Distance
    bins: tuple[Bins, ...] = ()

    def error(self, hits: Wide) -> Wide:
        """Return the error for (cells, draws) sums of hits: one value a draw."""
        y = np.minimum(hits[1:] / self.total[1:, None], 1.0)
        d = self.distance(y, self.mean[1:, None], self.rest[1:, None])
        return cast(Wide, (self.share[1:, None] * d).sum(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """A sum over points and bins as a function of the labels, with the predictions held fixed.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    cells : the part that is binned, or None
    value : (n, k) what a row that is a bin of its own adds if its label is that class, or None
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    cells: Cells | None
    value: Wide | None

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return 1 if self.cells is None else len(self.cells.total)

    def at(self, chance: Wide) -> float:
        """Return the error of labels that came in the shares `chance`, (n, k): the true error."""
        error = 0.0
        if self.value is not None:
            found = np.zeros_like(self.value)
            error += float(np.multiply(chance, self.value, out=found, where=chance > 0).sum())
        if self.cells is not None:
            mass = chance if self.weight is None else chance * self.weight[:, None]
            hits = np.bincount(self.cells.number.ravel(), mass.ravel(), self.size)
            error += float(self.cells.error(hits.astype(np.float64)[:, None])[0])
        return error

    def tally(self, width: int) -> "SumTally":
        """Return an empty tally for `width` sets of labels."""
        from plumbline.calibration.tallies import SumTally  # compiled: only where labels are drawn

        return SumTally.empty(self, width)


def statistic(data: Predictions, chosen: Setting) -> Statistic:
    """Return the calibration error as a function of the labels."""
    if chosen.view == "joint":
        return _joint(data, checked_prob(data), chosen)
    return _binned(data, seen(data, chosen), chosen)


def value_of(what: Statistic) -> float:
    """Return the error of the observed labels, from the sums that the bins already hold.

    The faster twin of `nulls.observed`, which sends the labels through the kernels of the draws.
    """
    error = 0.0
    if what.value is not None:
        own = np.take_along_axis(what.value, what.actual[:, None], axis=1)
        error += float(own.sum())
    if what.cells is not None:
        error += float(what.cells.error(_observed_hits(what, what.cells))[0])
    return error


def warn_of_preset(data: Predictions, chosen: Setting, value: float, *, stacklevel: int) -> None:
    """Say how far the value by a preset's conventions is from the one by this project's own.

    Without a preset, or where both values are equal within 1e-12 (1 + |value|), nothing is said.
    """
    if chosen.like is None:
        return
    ours = value_of(statistic(data, chosen.ours))
    if np.isclose(ours, value, rtol=1e-12, atol=1e-12):
        return
    warnings.warn(
        f"by the conventions of {chosen.like!r} the error is {value:.6g}; by Plumbline's own, with "
        f"{chosen.ours.bins}, it is {ours:.6g} on these rows",
        PlumblineWarning,
        stacklevel=stacklevel + 1,
    )


def _observed_hits(what: Statistic, cells: Cells) -> Wide:
    if cells.bins:
        return np.concatenate([[0.0], *(b.outcome[b.filled] for b in cells.bins)])[:, None]
    own = np.take_along_axis(cells.number, what.actual[:, None], axis=1)[:, 0]
    return np.bincount(own, what.weight, len(cells.total)).astype(np.float64)[:, None]


def _binned(data: Predictions, table: Seen, chosen: Setting) -> Statistic:
    """Bin each look; with several the error is their mean."""
    distance = chosen.rule
    if chosen.bins is None or isinstance(chosen.bins, OnePerPoint):
        value = _point_values(data, table.looks, distance)
        return Statistic(table.prob, table.actual, data.weight, None, value)
    number = np.zeros((data.n, table.prob.shape[1]), np.int32)
    column = table.column
    parts: list[Bins] = []
    before = 0
    for look in table.looks:
        homes = Homes.of(look.score, data.weight, chosen.bins)
        part = Bins.at(homes, look.score, look.rest, look.event, data.weight)
        cell_of_bin = np.where(part.filled, before + np.cumsum(part.filled), 0)
        number[:, column] = cell_of_bin[homes.number]
        before += int(part.filled.sum())
        column += 1
        parts.append(part)
    total, mean, rest = (
        np.concatenate([[1.0], *(getattr(part, name)[part.filled] for part in parts)])
        for name in ("weight", "prob", "rest")
    )
    share = total / (data.mass.sum() * len(parts))
    cells = Cells(number, total, mean / total, rest / total, share, distance, tuple(parts))
    return Statistic(table.prob, table.actual, data.weight, cells, None)


def _point_values(data: Predictions, looks: Iterator[Look], distance: Distance) -> Wide:
    """Return (n, k): the row's part of the error if its label were each class in turn."""
    pairs = [(look.score.astype(np.float64), look.rest.astype(np.float64)) for look in looks]
    miss = np.column_stack([distance(0.0, p, q) for p, q in pairs])
    hit = np.column_stack([distance(1.0, p, q) for p, q in pairs])
    if len(pairs) == 1:
        return weighted(data, np.column_stack([miss, hit]))
    return weighted(data, (sum_of_others(miss) + hit) / len(pairs))


def weighted(data: Predictions, value: Wide) -> Wide:
    """Multiply by the row's share of the weight; a row of weight 0 adds 0 even to infinity."""
    share = (data.mass / data.mass.sum())[:, None]
    out: Wide = np.zeros_like(value)
    np.multiply(share, value, out=out, where=share > 0)
    return out


def _joint(data: Predictions, prob: Floats, chosen: Setting) -> Statistic:
    """One bin a distinct vector; the distance is between the vector and the class shares."""
    distance = adds_up(chosen.distance)
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)  # rounding would pass for an error
    miss, hit = distance(0.0, wide, 1.0 - wide), distance(1.0, wide, 1.0 - wide)
    value = weighted(data, sum_of_others(miss) + hit)
    group, groups = distinct_rows(prob)
    shared = np.bincount(group, minlength=groups)[group] > 1
    if not shared.any():
        return Statistic(prob, data.actual, data.weight, None, value)
    value[shared] = 0.0
    cells = _vector_cells(data, wide, np.flatnonzero(shared), distance)
    return Statistic(prob, data.actual, data.weight, cells, value)


def _vector_cells(data: Predictions, prob: Wide, rows: Ints, distance: Distance) -> Cells:
    """Return one cell a class for every vector that several rows share."""
    group, groups = distinct_rows(prob[rows])
    mass = data.mass
    weight = np.bincount(group, mass[rows], groups)
    vector = np.empty((groups, data.k))
    vector[group] = prob[rows]
    number = np.zeros((data.n, data.k), np.int32)
    number[rows] = group[:, None] * data.k + np.arange(1, data.k + 1)
    share = np.concatenate([[0.0], np.repeat(weight, data.k)])
    mean = np.concatenate([[0.0], vector.ravel()])
    total = np.where(share > 0, share, 1.0)
    return Cells(number, total, mean, 1.0 - mean, share / mass.sum(), distance)
