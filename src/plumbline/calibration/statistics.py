"""The calibration error as a function of the class labels, with the predictions held fixed.

Binning depends on the predictions alone. A statistic holds all that the function needs, so that the
observed labels and labels drawn from the predictions go through the same arithmetic.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import (
    BinAssignment,
    Binning,
    BinNumbers,
    Bins,
    OnePerPoint,
    OutcomeBinning,
    distinct_groups,
    distinct_rows,
)
from plumbline.calibration.conventions import PRESETS
from plumbline.calibration.definition import (
    ErrorDefinition,
    ScoredEvent,
    ViewEvents,
    need_weight,
    sum_of_others,
    view_events,
)
from plumbline.calibration.distances import Distance, adds_up
from plumbline.calibration.drawable import Drawable, Floats, Ints, Wide
from plumbline.calibration.isotonic import outcome_binned, outcome_edges
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import quoted
from plumbline.jit import MANY_ROWS, compiled, read_only
from plumbline.predictions import Predictions, distinct_numbers, distinct_scores
from plumbline.predictions.ascending import Places
from plumbline.predictions.counted import logit_cells


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The binned part of an error: sum over cells of share * distance(hits / weight, p, q).

    A cell is a bin of one class. Row i whose label is c adds its weight to cell `number[i, c]`;
    cell 0 is nobody's and does not count. With another norm the cells of every event are put
    together as (sum of share * distance^norm)^(1 / norm), and the error is the mean over events.

    Attributes
    ----------
    number : (n, k) cell number
    total : (cells,) weight of all rows of a cell, hit or not
    mean, rest : (cells,) probability p of the outcome, the mean over the rows or the middle of the
        bin, and q of the other one
    share : (cells,) factor of the cell in the sum
    distance : what is summed
    bins : the bins of every class looked at; none for groups of vectors
    norm : 1 for the sum, infinity for the largest distance, or between
    sizes : number of cells of every event, for another norm than 1
    vector : cells that make one vector, whose distances are added before the norm
    """

    number: NDArray[np.int32]
    total: Wide
    mean: Wide
    rest: Wide
    share: Wide
    distance: Distance
    bins: tuple[Bins, ...] = ()
    norm: float = 1.0
    sizes: tuple[int, ...] = ()
    vector: int = 1

    def error(self, hits: Wide) -> Wide:
        """Return the error for (cells, draws) sums of hits: one value a draw."""
        y = np.minimum(hits[1:] / self.total[1:, None], 1.0)
        d = self.distance(y, self.mean[1:, None], self.rest[1:, None])
        if self.norm == 1:
            return cast(Wide, (self.share[1:, None] * d).sum(axis=0))
        return self._in_norm(np.broadcast_to(d, y.shape))

    def _in_norm(self, distance: Wide) -> Wide:
        """Put the (cells, draws) distances of every event together, and the events by their mean.

        Distances are divided by their largest, so that no power of them leaves its range.
        """
        width = distance.shape[1]
        whole = distance.reshape(-1, self.vector, width).sum(axis=1)
        share = self.share[1 :: self.vector, None] * len(self.sizes)
        filled = [size // self.vector for size in self.sizes]
        stops = np.cumsum(filled)
        result = np.zeros(width)
        for stop, size in zip(stops, filled, strict=True):
            if size:
                rows = slice(stop - size, stop)
                result += _norm_of(whole[rows], share[rows], self.norm)
        return result / len(self.sizes)


def _norm_of(distance: Wide, share: Wide, norm: float) -> Wide:
    """Return (sum of share * distance^norm)^(1 / norm) down the columns."""
    largest: Wide = distance.max(axis=0)
    if math.isinf(norm):
        return largest
    sound = np.isfinite(largest) & (largest > 0)
    unit = np.where(sound, largest, 1.0)
    with np.errstate(under="ignore"):
        inner = (share * np.where(sound, distance / unit, 0.0) ** norm).sum(axis=0)
    return np.where(sound, unit * inner ** (1.0 / norm), largest)


def cells_of(
    number: NDArray[np.int32], parts: list[Bins], definition: ErrorDefinition, mass: Wide
) -> Cells:
    """Return the cells of the filled bins of several events, numbered one after the other.

    `mass` (events,) is the weight that the shares of an event's bins are shares of.
    """
    total, mean, rest = (
        np.concatenate([[1.0], *(getattr(part, name)[part.filled] for part in parts)])
        for name in ("weight", "prob", "rest")
    )
    sizes = tuple(int(part.filled.sum()) for part in parts)
    if definition.counting == "bins":
        share = 1.0 / np.repeat(np.array(sizes, float) * len(parts), sizes)
    else:
        share = total[1:] / np.repeat(mass * len(parts), sizes)
    mean, rest = mean / total, rest / total
    if definition.representative == "midpoint":
        mean = np.concatenate([[1.0], *(_midpoints(part) for part in parts)])
        rest = 1.0 - mean
    share = np.concatenate([[1.0 / len(parts)], share])
    return Cells(
        *(number, total, mean, rest, share, definition.rule),
        bins=tuple(parts),
        norm=definition.norm,
        sizes=sizes,
    )


def _midpoints(part: Bins) -> Wide:
    """Return the middles of the filled bins."""
    if part.edges is None:
        raise ParameterError(
            "`representative` 'midpoint' needs bins with edges, such as 'equal-width:15'; these "
            "bins have none",
            code="bins-without-edges",
        )
    wide = part.edges.astype(np.float64)
    return np.asarray(((wide[:-1] + wide[1:]) / 2)[part.filled])


_NO_WEIGHT: Wide = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class StatisticTally:
    """What labels added up to so far, one column a draw: hits of the cells, sum of the points."""

    statistic: "Statistic"
    hits: Wide
    points: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        statistic = self.statistic
        if statistic.cells is not None:
            weight = _NO_WEIGHT if statistic.weight is None else statistic.weight[rows]
            add_hits(statistic.cells.number[rows], labels, weight, self.hits)
        if statistic.value is not None:
            add_values(statistic.value[rows], labels, self.points)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        statistic = self.statistic
        if statistic.cells is not None and statistic.weight is not None:
            add_hit_shares(statistic.cells.number[rows], shares, statistic.weight[rows], self.hits)
        if statistic.value is not None:
            self.points[:] += summed_shares(statistic.value[rows], shares)

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
def add_hit_shares(cell: Ints, share: Wide, weight: Wide, hits: Wide) -> None:
    """Add every row's weight to the cells of its two classes, by share of the second, each draw."""
    n, width = share.shape
    for i in range(n):
        w = weight[i]
        miss, hit = hits[cell[i, 0]], hits[cell[i, 1]]
        for d in range(width):
            hit[d] += w * share[i, d]
        if cell[i, 0] != 0:
            for d in range(width):
                miss[d] += w - w * share[i, d]


def summed_shares(value: Wide, shares: Wide) -> Wide:
    """Return (draws,) what rows are worth by the share of their second class; 0 times inf is 0."""
    if np.isfinite(value).all():
        result: Wide = value[:, 0].sum() + (value[:, 1] - value[:, 0]) @ shares
        return result
    with np.errstate(invalid="ignore"):
        parts = value[:, :1] * (1.0 - shares), value[:, 1:] * shares
    sums = [np.where(part != part, 0.0, part).sum(axis=0) for part in parts]
    return np.asarray(sums[0] + sums[1])


@compiled
def add_values(value: Wide, labels: Ints, sums: Wide) -> None:
    """Add what every row is worth with its label, for each draw."""
    n, width = labels.shape
    for i in range(n):
        for d in range(width):
            sums[d] += value[i, labels[i, d]]


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """A sum over points and bins as a function of the labels, with the predictions held fixed.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if calibrated
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    cells : the part that is binned, or None
    value : (n, k) what a row that is a bin of its own adds if its label is that class, or None
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    cells: Cells | None
    value: Wide | None
    counted: bool = False
    groups: Ints | None = field(kw_only=True)

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.weight if self.counted else None

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return 1 if self.cells is None else len(self.cells.total)

    def at(self, shares: Wide) -> float:
        """Return the error of labels that came in these `shares`, (n, k): the true error."""
        error = 0.0
        if self.value is not None:
            result = np.zeros_like(self.value)
            error += float(np.multiply(shares, self.value, out=result, where=shares > 0).sum())
        if self.cells is not None:
            mass = shares if self.weight is None else shares * self.weight[:, None]
            hits = np.bincount(self.cells.number.ravel(), mass.ravel(), self.size)
            error += float(self.cells.error(hits.astype(np.float64)[:, None])[0])
        return error

    def tally(self, width: int) -> "StatisticTally":
        """Return an empty tally for `width` sets of labels."""
        return StatisticTally(self, np.zeros((self.size, width)), np.zeros(width))


def with_merged_rows(what: Statistic) -> Statistic:
    """Return a binned statistic of counted rows whose neighbours within a bin are merged.

    Bins, their sums and so the error stay as they are; `coarsened` says what else may move.
    """
    if what.cells is None or what.weight is None or what.value is not None:
        raise TypeError("only binned rows that are counted are merged")
    held = slice(None) if what.weight.all() else what.weight > 0
    miss, hit = (np.asarray(what.prob[held, c], np.float64) for c in range(2))
    key, count = logit_cells(miss, hit), what.weight[held]
    key *= what.size
    key += what.cells.number[held, 1]
    key *= 2
    key += what.actual[held]
    distinct, home = distinct_numbers(key)
    whole = np.bincount(home, count)
    means = [np.bincount(home, count * column) / whole for column in (miss, hit)]
    number = np.zeros((len(distinct), 2), np.int32)
    number[:, 1] = (distinct // 2) % what.size
    return replace(
        what,
        prob=np.asfortranarray(np.column_stack(means)),
        actual=(distinct % 2).astype(what.actual.dtype),
        weight=whole.astype(np.float64),
        cells=replace(what.cells, number=number),
    )


# An event's profile, and every row's place in it, -1 for rows without weight.
Placing: TypeAlias = Callable[[ScoredEvent, Wide | None], tuple[Profile, Places]]


@dataclass(frozen=True, slots=True, eq=False)
class EventProfile:
    """One event's profile, its error, and where its sums stand among all: start, stop."""

    start: int
    stop: int
    profile: Profile
    error: ErrorOfHits


@dataclass(frozen=True, slots=True, eq=False)
class ProfileStatistic:
    """An error of profiles as a function of the labels; of several events, the mean over them.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if calibrated
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    number : (n, k) number of the sum that row i adds its weight to if its label is c; sum 0 is
        nobody's and does not count
    parts : one an event
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    number: NDArray[np.int32]
    parts: tuple[EventProfile, ...]
    counted: bool = field(default=False, kw_only=True)
    groups: Ints | None = field(kw_only=True)

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.weight if self.counted else None

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.parts[-1].stop

    def tally(self, width: int) -> "ProfileTally":
        """Return an empty tally for `width` sets of labels."""
        return ProfileTally(self, np.zeros((self.size, width)))

    def of_sums(self, hits: Wide) -> Wide:
        """Return the values for (size, draws) sums: (draws,)."""
        parts = [part.error(hits[part.start : part.stop]) for part in self.parts]
        return parts[0] if len(parts) == 1 else np.mean(parts, axis=0)

    def same_sums(self, other: Drawable) -> bool:
        """Tell whether a statistic of the same labels has the same sums."""
        return (
            isinstance(other, ProfileStatistic)
            and self.size == other.size
            and np.array_equal(self.number, other.number)
            and same_weight(self.weight, other.weight)
        )

    def at(self, shares: Wide) -> float:
        """Return the error of labels that came in these `shares`, (n, k): the true error."""
        mass = shares if self.weight is None else shares * self.weight[:, None]
        hits = np.bincount(self.number.ravel(), mass.ravel(), self.size)
        return float(self.of_sums(hits.astype(np.float64)[:, None])[0])


@dataclass(frozen=True, slots=True, eq=False)
class ProfileTally:
    """Sums of outcomes at every distinct score, one column a draw."""

    statistic: ProfileStatistic
    hits: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        weight = _NO_WEIGHT if what.weight is None else what.weight[rows]
        add_hits(what.number[rows], labels, weight, self.hits)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        what = self.statistic
        if what.weight is not None:
            add_hit_shares(what.number[rows], shares, what.weight[rows], self.hits)

    def values(self) -> Wide:
        """Return the error of every draw."""
        return self.statistic.of_sums(self.hits)


def profile_statistic(
    data: Predictions,
    definition: ErrorDefinition,
    rule: ProfileRule,
    *,
    placing: Placing | None = None,
) -> ProfileStatistic:
    """Return an error of every event that a view (not "joint") asks about, the mean of several.

    Rows of weight 0 count nowhere. `placing` is `profile_of` unless an error tells more rows
    apart. Raises InputError without probabilities or weight.
    """
    events = view_events(data, definition)
    result = profiles_of_events(events, data.weight, rule, placing=placing)
    return replace(result, counted=True) if data.counted else result


def profiles_of_events(
    table: ViewEvents, weight: Wide | None, rule: ProfileRule, *, placing: Placing | None = None
) -> ProfileStatistic:
    """Return an error of the events of a table, the mean of several."""
    number = np.zeros(table.prob.shape, np.int32)
    parts: list[EventProfile] = []
    before = 1
    for place, event in enumerate(table.events):
        profile, group = (placing or profile_of)(event, weight)
        column = number[:, table.column + place]
        np.add(group, before, out=column, casting="unsafe")
        column[group < 0] = 0
        after = before + len(profile.score)
        parts.append(EventProfile(before, after, profile, rule(profile)))
        before = after
    return ProfileStatistic(
        table.prob, table.actual, weight, number, tuple(parts), groups=table.groups
    )


def profile_of(event: ScoredEvent, weight: Wide | None) -> tuple[Profile, Places]:
    """Return the distinct scores of rows that have weight, and every row's place, -1 for none."""
    kept = np.ones(len(event.score), bool) if weight is None else weight > 0
    if kept.all():
        score, _, group = distinct_scores(event.score + 0.0)
        whole, rest = sums_at(group, len(score), event.rest, weight)
        return Profile(score.astype(np.float64), rest / whole, whole), group
    group = np.full(len(kept), -1, np.int64)
    inside = replace(event, score=event.score[kept], rest=event.rest[kept])
    profile, group[kept] = profile_of(inside, None if weight is None else weight[kept])
    return profile, group


def sums_at(home: Places, size: int, rest: Floats, weight: Wide | None) -> tuple[Wide, Wide]:
    """Return the sums of w and of w q at every place; of many rows in one compiled pass."""
    sums = np.zeros((2, size))
    if len(home) >= MANY_ROWS:
        add_pairs(*read_only(home, rest, np.empty(0) if weight is None else weight), sums)
        return sums[0], sums[1]
    mass = np.ones(len(home)) if weight is None else weight
    sums[0] = np.bincount(home, mass, size)
    sums[1] = np.bincount(home, mass * rest.astype(np.float64), size)
    return sums[0], sums[1]


@compiled
def add_pairs(home: Places, rest: Floats, weight: Wide, sums: Wide) -> None:
    """Add w and w q of every row to the sums of its place."""
    for i in range(len(home)):
        w = weight[i] if len(weight) > 0 else 1.0
        sums[0, home[i]] += w
        sums[1, home[i]] += w * np.float64(rest[i])


def same_weight(one: Wide | None, other: Wide | None) -> bool:
    """Tell whether two tables weigh their rows alike."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def statistic(data: Predictions, definition: ErrorDefinition) -> Statistic | ProfileStatistic:
    """Return the calibration error as a function of the labels.

    A `Statistic`, or where the bins depend on the outcomes a `ProfileStatistic`, for which every
    set of labels has bins of its own.

    Parameters
    ----------
    data : Predictions
        Rows of one model, with probabilities.
    definition : ErrorDefinition
        What `define_error` returned.

    Returns
    -------
    Statistic or ProfileStatistic
        What `nulls` draws labels for.

    Raises
    ------
    InputError
        For a table without probabilities or weight.

    Examples
    --------
    >>> from plumbline.calibration import define_error
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> what = statistic(data, define_error(data, bins=2))
    >>> round(value_of(what), 3)
    0.3
    """
    bins = definition.bins
    if isinstance(bins, OutcomeBinning):
        return profile_statistic(
            data, definition, outcome_binned(bins.name, definition.rule, definition.norm)
        )
    if definition.view == "joint":
        need_weight(data.mass)
        return _joint(data, data.need_prob("a calibration error"), definition)
    return _binned(data, view_events(data, definition), definition)


def binned_statistic(data: Predictions, definition: ErrorDefinition) -> Statistic:
    """Return the error over bins that the predictions alone determine; refuse other bins."""
    what = statistic(data, definition)
    if isinstance(what, ProfileStatistic):
        raise ParameterError(
            f"`bins` {quoted(str(definition.bins))} depend on the outcomes, so drawn labels would "
            "have other bins; use fixed bins, for instance 'equal-size:15'",
            code="bins-of-outcomes",
        )
    return what


def value_of(what: Statistic | ProfileStatistic) -> float:
    """Return the error of the observed labels, from the sums that the bins already hold.

    The faster twin of `nulls.observed`, which sends the labels through the kernels of the draws.

    Parameters
    ----------
    what : Statistic or ProfileStatistic
        What `statistic` returned.

    Returns
    -------
    float
        The error.

    Examples
    --------
    >>> from plumbline.calibration import define_error
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> round(value_of(statistic(data, define_error(data, bins=2))), 3)
    0.3
    """
    if isinstance(what, ProfileStatistic):
        return float(what.of_sums(_hits(what.number, what, what.size))[0])
    error = 0.0
    if what.value is not None:
        own = np.take_along_axis(what.value, what.actual[:, None], axis=1)
        error += float(own.sum())
    cells = what.cells
    if cells is not None:
        if cells.bins:
            hits = np.concatenate([[0.0], *(b.outcome[b.filled] for b in cells.bins)])[:, None]
        else:
            hits = _hits(cells.number, what, what.size)
        error += float(cells.error(hits)[0])
    return error


def bins_of(
    data: Predictions, definition: ErrorDefinition, what: Statistic | ProfileStatistic
) -> Sequence[Bins]:
    """Return the bins of every event that the observed labels are compared in; () where none are.

    Single points and groups of vectors have none to show.
    """
    if isinstance(what, Statistic):
        result = () if what.cells is None else what.cells.bins
        return result if all(part.limits is not None for part in result) else ()
    hits = _hits(what.number, what, what.size)[:, 0]
    bins_of_parts = []
    for event, part in zip(view_events(data, definition).events, what.parts, strict=True):
        edges = outcome_edges(str(definition.bins), part.profile, hits[part.start : part.stop])
        scores = event.score, event.rest, event.event
        part_bins = Bins.of_scores(*scores, data.weight, edges, counted=data.counted)
        bins_of_parts.append(part_bins)
    return bins_of_parts


def warn_of_preset(data: Predictions, definition: ErrorDefinition, value: float) -> None:
    """Say how far the value by a preset's conventions is from the one by this project's own.

    Without a preset, or where both values are equal within 1e-12 (1 + |value|), nothing is said.
    """
    if definition.like is None:
        return
    ours = value_of(statistic(data, definition.ours))
    if np.isclose(ours, value, rtol=1e-12, atol=1e-12):
        return
    warn(
        f"with the conventions of {quoted(definition.like)} the error is {value:.6g}; with "
        f"Plumbline's own, with {definition.ours.bins}, it is {ours:.6g} on these rows. There "
        f"{definition.ours.bins} means {PRESETS[definition.like].meaning(definition.ours.bins)}",
        code="other-conventions",
    )


def _hits(number: Ints, what: Statistic | ProfileStatistic, size: int) -> Wide:
    """Return (size, 1) sums of the observed labels."""
    own = np.take_along_axis(number, what.actual[:, None], axis=1)[:, 0]
    return np.bincount(own, what.weight, size).astype(np.float64)[:, None]


def _binned(data: Predictions, table: ViewEvents, definition: ErrorDefinition) -> Statistic:
    """Bin each event; with several the error is their mean."""
    if (
        isinstance(definition.bins, OnePerPoint)
        and definition.plain
        and definition.threshold is None
    ):
        value = _point_values(data, table.events, definition.rule)
        return Statistic(
            *(table.prob, table.actual, data.weight, None, value, data.counted), groups=table.groups
        )
    number = np.zeros((data.stored, table.prob.shape[1]), np.int32)
    parts: list[Bins] = []
    before = 0
    for place, event in enumerate(table.events):
        assigned = _assigned(data, event, definition)
        part = Bins.at(
            assigned, event.score, event.rest, event.event, data.weight, counted=data.counted
        )
        cell_of_bin = np.where(part.filled, before + np.cumsum(part.filled), 0)
        cell_of_bin = np.append(cell_of_bin, 0).astype(np.int32)  # -1: no cell
        number[:, table.column + place] = cell_of_bin[assigned.number]
        before += int(part.filled.sum())
        parts.append(part)
    mass = np.repeat(data.mass.sum(), len(parts))
    if definition.threshold is not None:
        mass = np.array([part.weight.sum() for part in parts])
    if before == 0 and definition.threshold is None:  # bins of a preset that hold no row
        raise InputError(
            f"with the conventions of {quoted(definition.like)} a probability of 0 is in no bin, "
            "and every row has probability 0, so there is no bin; leave `like` out (--like), or "
            "use another view",
            code="no-row-in-bins",
        )
    if before == 0:
        raise InputError(
            f"no probability is above the `threshold` {definition.threshold}, so nothing is left "
            "to measure; choose a lower one",
            code="no-row-above-threshold",
        )
    cells = cells_of(number, parts, definition, mass)
    return Statistic(
        *(table.prob, table.actual, data.weight, cells, None, data.counted), groups=table.groups
    )


def _assigned(data: Predictions, event: ScoredEvent, definition: ErrorDefinition) -> BinAssignment:
    """Place the rows in bins; those at or below the threshold in none.

    The bins are those of the rows that are kept: equal sizes are sizes of these.
    """
    bins = definition.bins
    if bins is None:
        raise ParameterError(
            f"`view` {quoted(definition.name)} needs `bins`, such as 'equal-width:15'",
            code="bins-missing",
        )
    if definition.threshold is None:
        return BinAssignment.of(event.score, data.weight, bins)
    kept = np.flatnonzero(event.score > event.score.dtype.type(definition.threshold))
    number = np.full(data.stored, -1)
    if not len(kept):
        return BinAssignment(number, 1, np.array([0.0, 1.0], event.score.dtype))
    weight = None if data.weight is None else data.weight[kept]
    inside = BinAssignment.of(event.score[kept], weight, bins)
    number[kept] = inside.number
    return inside._replace(number=number)


def _point_values(data: Predictions, events: Iterator[ScoredEvent], distance: Distance) -> Wide:
    """Return (n, k): the row's part of the error if its label were each class in turn."""
    pairs = [(event.score.astype(np.float64), event.rest.astype(np.float64)) for event in events]
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


def _joint(data: Predictions, prob: Floats, definition: ErrorDefinition) -> Statistic:
    """Group rows by their vector, or by the bins of all its coordinates.

    The distance is between the mean vector of a group and its class shares.
    """
    distance = adds_up(definition.distance)
    rows = prob, data.actual, data.weight
    more: Any = {"counted": data.counted, "groups": data.group_codes}
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)  # rounding would pass for an error
    if definition.bins is not None or not definition.plain:
        cells = _vector_cells(data, wide, _rows_alike(data, prob, definition.bins), definition)
        return Statistic(*rows, cells, None, **more)
    miss, hit = distance(0.0, wide, 1.0 - wide), distance(1.0, wide, 1.0 - wide)
    value = weighted(data, sum_of_others(miss) + hit)
    group, groups = distinct_rows(prob)
    times = data.mass if data.counted else None
    shared = np.bincount(group, times, minlength=groups)[group] > 1
    if not shared.any():
        return Statistic(*rows, None, value, **more)
    value[shared] = 0.0
    cells = _vector_cells(data, wide, np.where(shared, group, -1), definition)
    return Statistic(*rows, cells, value, **more)


def _rows_alike(data: Predictions, prob: Floats, bins: Binning | None) -> BinNumbers:
    """Number the groups of rows whose every coordinate is in the same bin, or is the same."""
    if bins is None:
        return distinct_rows(prob)[0]
    columns = [BinAssignment.of(prob[:, j], data.weight, bins).number for j in range(data.k)]
    return distinct_groups(columns)[0]


def _vector_cells(
    data: Predictions, prob: Wide, group: BinNumbers, definition: ErrorDefinition
) -> Cells:
    """Return one cell a class for every group of rows that has weight; -1 is in no group."""
    mass = data.mass
    rows = np.flatnonzero((group >= 0) & (mass > 0))
    present, home = np.unique(group[rows], return_inverse=True)
    groups, k = len(present), data.k
    weight = np.bincount(home, mass[rows], groups)
    vector = _mean_vectors(prob[rows], mass[rows], home, groups)
    number = np.zeros((data.stored, k), np.int32)
    number[rows] = home[:, None] * k + np.arange(1, k + 1)
    share = np.full(groups, 1.0 / groups) if definition.counting == "bins" else weight / mass.sum()
    each = [np.repeat(column, k) for column in (weight, share)]
    whole, shares = (np.concatenate([[1.0], column]) for column in each)
    mean = np.concatenate([[0.0], vector.ravel()])
    distance = adds_up(definition.distance)
    sizes = (groups * k,)
    return Cells(
        *(number, whole, mean, 1.0 - mean, shares, distance),
        norm=definition.norm,
        sizes=sizes,
        vector=k,
    )


def _mean_vectors(prob: Wide, mass: Wide, home: BinNumbers, groups: int) -> Wide:
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
