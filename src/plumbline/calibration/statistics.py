"""The calibration error as a function of the class labels, with the predictions held fixed.

Binning depends on the predictions alone. `Statistic` holds all that the function needs, so that the
observed labels and labels drawn from the predictions go through the same arithmetic.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.binning import (
    Binning,
    Bins,
    Home,
    Homes,
    OnePerPoint,
    OutcomeBinning,
    distinct_groups,
    distinct_rows,
)
from plumbline.calibration.cells import Cells, cells_of
from plumbline.calibration.distances import Distance, adds_up
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.looks import Look, Seen, checked_prob, seen, sum_of_others
from plumbline.calibration.presets import PRESETS
from plumbline.calibration.profiles import ProfileStatistic, profile_statistic
from plumbline.calibration.settings import Setting
from plumbline.errors import InputError, ParameterError, PlumblineWarning, level_of_caller
from plumbline.predictions import Predictions

if TYPE_CHECKING:
    from plumbline.calibration.tallies import SumTally


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


def statistic(data: Predictions, chosen: Setting) -> Statistic | ProfileStatistic:
    """Return the calibration error as a function of the labels.

    A `Statistic`, or where the bins depend on the outcomes a `ProfileStatistic`, for which every
    set of labels has bins of its own.
    """
    bins = chosen.bins
    if isinstance(bins, OutcomeBinning):
        from plumbline.calibration.outcome_bins import outcome_binned

        return profile_statistic(data, chosen, outcome_binned(bins.name, chosen.rule, chosen.norm))
    if chosen.view == "joint":
        return _joint(data, checked_prob(data), chosen)
    return _binned(data, seen(data, chosen), chosen)


def binned_statistic(data: Predictions, chosen: Setting) -> Statistic:
    """Return the error over bins that the predictions alone determine; refuse other bins."""
    what = statistic(data, chosen)
    if isinstance(what, ProfileStatistic):
        raise ParameterError(
            f"`bins` {str(chosen.bins)!r} depend on the outcomes, so labels that are drawn have "
            "others; here bins are needed that stay, for instance 'equal-size:15'"
        )
    return what


def value_of(what: Statistic | ProfileStatistic) -> float:
    """Return the error of the observed labels, from the sums that the bins already hold.

    The faster twin of `nulls.observed`, which sends the labels through the kernels of the draws.
    """
    if isinstance(what, ProfileStatistic):
        return float(what.of_sums(_hits(what.number, what, what.size))[0])
    error = 0.0
    if what.value is not None:
        own = np.take_along_axis(what.value, what.actual[:, None], axis=1)
        error += float(own.sum())
    if what.cells is not None:
        error += float(what.cells.error(_observed_hits(what, what.cells))[0])
    return error


def bins_of(
    data: Predictions, chosen: Setting, what: Statistic | ProfileStatistic
) -> Sequence[Bins]:
    """Return the bins of every event that the observed labels are compared in; () where none are.

    Single points and groups of vectors have none to show.
    """
    if isinstance(what, Statistic):
        found = () if what.cells is None else what.cells.bins
        return found if all(part.limits is not None for part in found) else ()
    from plumbline.calibration.outcome_bins import outcome_edges

    hits = _hits(what.number, what, what.size)[:, 0]
    chosen_bins = []
    for look, part in zip(seen(data, chosen).looks, what.parts, strict=True):
        edges = outcome_edges(str(chosen.bins), part.profile, hits[part.start : part.stop])
        part_bins = Bins.of_scores(look.score, look.rest, look.event, data.weight, edges)
        chosen_bins.append(part_bins)
    return chosen_bins


def warn_of_preset(data: Predictions, chosen: Setting, value: float) -> None:
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
        f"{chosen.ours.bins}, it is {ours:.6g} on these rows. There {chosen.ours.bins} means "
        f"{PRESETS[chosen.like].meaning(chosen.ours.bins)}",
        PlumblineWarning,
        stacklevel=level_of_caller(),
    )


def _observed_hits(what: Statistic, cells: Cells) -> Wide:
    if cells.bins:
        return np.concatenate([[0.0], *(b.outcome[b.filled] for b in cells.bins)])[:, None]
    return _hits(cells.number, what, len(cells.total))


def _hits(number: Ints, what: Statistic | ProfileStatistic, size: int) -> Wide:
    """Return (size, 1) sums of the observed labels."""
    own = np.take_along_axis(number, what.actual[:, None], axis=1)[:, 0]
    return np.bincount(own, what.weight, size).astype(np.float64)[:, None]


def _binned(data: Predictions, table: Seen, chosen: Setting) -> Statistic:
    """Bin each look; with several the error is their mean."""
    if isinstance(chosen.bins, OnePerPoint) and chosen.plain and chosen.threshold is None:
        value = _point_values(data, table.looks, chosen.rule)
        return Statistic(table.prob, table.actual, data.weight, None, value)
    number = np.zeros((data.n, table.prob.shape[1]), np.int32)
    parts: list[Bins] = []
    before = 0
    for place, look in enumerate(table.looks):
        homes = _homes(data, look, chosen)
        part = Bins.at(homes, look.score, look.rest, look.event, data.weight)
        cell_of_bin = np.where(part.filled, before + np.cumsum(part.filled), 0)
        number[:, table.column + place] = np.append(cell_of_bin, 0)[homes.number]  # -1: no cell
        before += int(part.filled.sum())
        parts.append(part)
    mass = np.repeat(data.mass.sum(), len(parts))
    if chosen.threshold is not None:
        mass = np.array([part.weight.sum() for part in parts])
    if before == 0 and chosen.threshold is None:  # bins of a preset that hold no row
        raise InputError(
            f"by the conventions of {chosen.like!r} a probability of 0 is in no bin, and every row "
            "has that, so there is no bin to measure in; leave `like` out (--like), or take "
            "another view"
        )
    if before == 0:
        raise InputError(
            f"no probability is above the `threshold` {chosen.threshold}, so nothing is left to "
            "measure; choose a lower one"
        )
    cells = cells_of(number, parts, chosen, mass)
    return Statistic(table.prob, table.actual, data.weight, cells, None)


def _homes(data: Predictions, look: Look, chosen: Setting) -> Homes:
    """Place the rows in bins; those at or below the threshold in none.

    The bins are those of the rows that are kept: equal sizes are sizes of these.
    """
    bins = _scheme(chosen)
    if chosen.threshold is None:
        return Homes.of(look.score, data.weight, bins)
    kept = np.flatnonzero(look.score > look.score.dtype.type(chosen.threshold))
    number = np.full(data.n, -1)
    if not len(kept):
        return Homes(number, 1, np.array([0.0, 1.0], look.score.dtype))
    weight = None if data.weight is None else data.weight[kept]
    inside = Homes.of(look.score[kept], weight, bins)
    number[kept] = inside.number
    return inside._replace(number=number)


def _scheme(chosen: Setting) -> Binning:
    if chosen.bins is None:
        raise ParameterError(f"`view` {chosen.name!r} needs `bins`, such as 'equal-width:15'")
    return chosen.bins


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
    """Group rows by their vector, or by the bins of all its coordinates.

    The distance is between the mean vector of a group and its class shares.
    """
    distance = adds_up(chosen.distance)
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)  # rounding would pass for an error
    if chosen.bins is not None or not chosen.plain:
        cells = _vector_cells(data, wide, _groups(data, prob, chosen.bins), chosen)
        return Statistic(prob, data.actual, data.weight, cells, None)
    miss, hit = distance(0.0, wide, 1.0 - wide), distance(1.0, wide, 1.0 - wide)
    value = weighted(data, sum_of_others(miss) + hit)
    group, groups = distinct_rows(prob)
    shared = np.bincount(group, minlength=groups)[group] > 1
    if not shared.any():
        return Statistic(prob, data.actual, data.weight, None, value)
    value[shared] = 0.0
    cells = _vector_cells(data, wide, np.where(shared, group, -1), chosen)
    return Statistic(prob, data.actual, data.weight, cells, value)


def _groups(data: Predictions, prob: Floats, bins: Binning | None) -> Home:
    """Number the groups of rows whose every coordinate is in the same bin, or is the same."""
    if bins is None:
        return distinct_rows(prob)[0]
    columns = [Homes.of(prob[:, j], data.weight, bins).number for j in range(data.k)]
    return distinct_groups(columns)[0]


def _vector_cells(data: Predictions, prob: Wide, group: Home, chosen: Setting) -> Cells:
    """Return one cell a class for every group of rows that has weight; -1 is in no group."""
    mass = data.mass
    rows = np.flatnonzero((group >= 0) & (mass > 0))
    present, home = np.unique(group[rows], return_inverse=True)
    groups, k = len(present), data.k
    weight = np.bincount(home, mass[rows], groups)
    vector = _mean_vectors(prob[rows], mass[rows], home, groups)
    number = np.zeros((data.n, k), np.int32)
    number[rows] = home[:, None] * k + np.arange(1, k + 1)
    share = np.full(groups, 1.0 / groups) if chosen.counting == "bins" else weight / mass.sum()
    each = [np.repeat(column, k) for column in (weight, share)]
    whole, shares = (np.concatenate([[1.0], column]) for column in each)
    mean = np.concatenate([[0.0], vector.ravel()])
    distance = adds_up(chosen.distance)
    sizes = (groups * k,)
    return Cells(
        *(number, whole, mean, 1.0 - mean, shares, distance),
        norm=chosen.norm,
        sizes=sizes,
        vector=k,
    )


def _mean_vectors(prob: Wide, mass: Wide, home: Home, groups: int) -> Wide:
    """Return (groups, k) mean vectors that sum to 1; the vector itself where all are equal."""
    k = prob.shape[1]
    cell = (home[:, None] * k + np.arange(k)).ravel()
    total = np.bincount(cell, (mass[:, None] * prob).ravel(), groups * k).reshape(groups, k)
    mean = total / total.sum(axis=1, keepdims=True)
    first = np.empty_like(mean)
    first[home] = prob
    mixed = np.zeros(len(mean), bool)
    mixed[home[(prob != first[home]).any(axis=1)]] = True
    return np.asarray(np.where(mixed[:, None], mean, first), np.float64)
