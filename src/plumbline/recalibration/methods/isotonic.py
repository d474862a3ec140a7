"""Isotonic regression, its centred form, and Venn-Abers prediction, which is two isotonic fits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import isotonic_starts
from plumbline.jit import compiled
from plumbline.recalibration.forms import EventFit, PiecewiseLinear
from plumbline.recalibration.inputs import PROBABILITY, Event
from plumbline.recalibration.methods.distinct_scores import (
    Distinct,
    checked_bounded,
    distinct_scores,
    succession,
)
from plumbline.recalibration.methods.histogram_binning import joined

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]


class Blocks(NamedTuple):
    """The constant stretches of an isotonic fit, in rising order.

    Attributes
    ----------
    first, last : (m,) lowest and highest score of each
    centre : (m,) weighted mean score
    weight : (m,) weight of its rows
    value : (m,) its probability
    share : (m,) share of its rows with the event
    """

    first: Floats
    last: Floats
    centre: Floats
    weight: Floats
    value: Floats
    share: Floats

    def notes(self, weight: Floats, *, counted: bool) -> tuple[str, ...]:
        """Say which ends were moved: no finite number of rows makes a class certain.

        `weight` are the rows' own, or how many identical ones each is.
        """
        weight = np.ones(1) if counted else weight
        notes = []
        if self.share[0] == 0.0 != self.value[0]:
            notes.append(
                f"none of the lowest rows ({_mass(self.weight[0], weight)}) has the event; they "
                f"get {self.value[0]:.3g}, not 0"
            )
        if self.share[-1] == 1.0 != self.value[-1]:
            notes.append(
                f"all of the highest rows ({_mass(self.weight[-1], weight)}) have the event; they "
                f"get 1 - {1 - self.value[-1]:.3g}, not 1"
            )
        return tuple(notes)


def _mass(mass: float, weight: Floats) -> str:
    """Return how many rows a block has, or what they weigh where rows have weights."""
    return f"{int(mass):,}" if np.all(weight == 1.0) else f"{mass:.6g} by weight"


def isotonic(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bounded: bool = True,
    counted: bool = False,
) -> EventFit:
    """Return the isotonic map: constant on pooled scores, straight lines between them.

    The rising shares that minimise sum_i w_i (y_i - c_i)^2 (Zadrozny and Elkan 2002), by pooling
    adjacent violators; equal scores are pooled first. `bounded` puts 1 / (W + 2) in place of a
    share of 0, and (W + 1) / (W + 2) in place of 1, where a block's rows weigh W, so that the map
    stays increasing and gives no class probability 0. Raises ParameterError where it is not True or
    False.
    """
    blocks = pooled(distinct_scores(event.value, hit, weight), bounded=checked_bounded(bounded))
    knots, value = ends(blocks, np.ones(len(blocks.value), np.bool_))
    return EventFit(
        PiecewiseLinear(knots, value), len(blocks.value), blocks.notes(weight, counted=counted)
    )


def pooled(rows: Distinct, *, bounded: bool) -> Blocks:
    """Return the blocks of the isotonic fit.

    >>> rows = Distinct(np.array([0.1, 0.2, 0.5, 0.9]), np.ones(4), np.array([0.0, 1.0, 0.0, 1.0]))
    >>> pooled(rows, bounded=False).value.tolist()
    [0.0, 0.5, 1.0]
    >>> blocks = pooled(rows, bounded=True)
    >>> blocks.first.tolist(), blocks.last.tolist(), blocks.value.round(3).tolist()
    ([0.1, 0.2, 0.9], [0.1, 0.5, 0.9], [0.333, 0.5, 0.667])
    """
    first = np.flatnonzero(isotonic_starts(rows.weight, rows.hits[:, None])[0])
    last = np.append(first[1:], len(rows.score)) - 1
    weight = np.add.reduceat(rows.weight, first)
    share = np.clip(np.add.reduceat(rows.hits, first) / weight, 0.0, 1.0)
    low, high = rows.score[first], rows.score[last]
    reach = max(float(np.abs(rows.score[[0, -1]]).max()), 1.0)  # ratings may be huge
    centre = reach * (np.add.reduceat(rows.weight * (rows.score / reach), first) / weight)
    value = _inside(weight, share) if bounded else share
    return Blocks(low, high, np.clip(centre, low, high), weight, value, share)


def _inside(weight: Floats, share: Floats) -> Floats:
    """Draw the ends in from 0 and 1, never beyond their neighbours."""
    value = succession(weight, share)
    if len(value) > 1:
        value[0] = min(value[0], value[1])
        value[-1] = max(value[-1], value[-2])
    return value


def ends(blocks: Blocks, both: Truths) -> tuple[Floats, Floats]:
    """Return the knots of a line: both ends of the marked blocks, the centre of the others."""
    low = np.where(both, blocks.first, blocks.centre)
    high = np.where(both, blocks.last, blocks.centre)
    knots = np.column_stack([low, high]).ravel()
    kept = np.concatenate([[True], knots[1:] > knots[:-1]])
    return knots[kept], np.repeat(blocks.value, 2)[kept]


# ------------------------------------------------------------------ centred isotonic regression


def centred_isotonic(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bounded: bool = True,
    counted: bool = False,
) -> EventFit:
    """Return the centred isotonic map (Oron and Flournoy 2017).

    Every block of the isotonic fit puts its share at the weighted mean of its scores; between these
    run straight lines, outside it is constant. `bounded` as in isotonic regression; without it a
    block whose share is 0 or 1 stays flat from end to end, as in the paper, for there is nothing
    to rise from. Raises ParameterError where it is not True or False.
    """
    blocks = pooled(distinct_scores(event.value, hit, weight), bounded=checked_bounded(bounded))
    sure = (blocks.value == 0.0) | (blocks.value == 1.0)
    return EventFit(
        PiecewiseLinear(*ends(blocks, sure)),
        len(blocks.value),
        blocks.notes(weight, counted=counted),
    )


# ------------------------------------------------------------------ Venn-Abers prediction


class VennAbersPair(NamedTuple):
    """The two probabilities of every place a new score can take: below, at, between, above.

    Attributes
    ----------
    edges : (2 g,) rising; place j is edges[j - 1] < s <= edges[j]
    p0, p1 : (2 g + 1,) isotonic fit at the score, had its row missed or had the event
    """

    edges: Floats
    p0: Floats
    p1: Floats


def venn_abers(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the merged inductive Venn-Abers map (Vovk, Petej and Fedorova 2015).

    For a score s, p1(s) is the isotonic fit at s with one more row (s, event), p0(s) with (s, no
    event); one of both is calibrated whatever the distribution. q = p1 / (1 - p0 + p1), which has
    the least worst loss of information. It is never 0 or 1. The row added weighs 1.
    """
    pair = both_probabilities(distinct_scores(event.value, hit, weight))
    below = int(event.on == PROBABILITY and pair.edges[0] < 0.0)  # a place no probability has
    merged = np.maximum.accumulate(pair.p1 / (1.0 - pair.p0 + pair.p1))  # rises but for rounding
    form = joined(pair.edges[below:], merged[below:])
    width = float(np.mean((pair.p1 - pair.p0)[1::2]))
    note = f"p0 and p1 are {width:.3g} apart on average over distinct scores"
    return EventFit(form, len(form.values), (note,))


def both_probabilities(rows: Distinct) -> VennAbersPair:
    """Return p0 and p1 of every score there can be, in linear time.

    >>> rows = Distinct(np.array([0.3, 0.6]), np.ones(2), np.array([0.0, 1.0]))
    >>> pair = both_probabilities(rows)
    >>> pair.p0.tolist(), pair.p1.round(3).tolist()
    ([0.0, 0.0, 0.0, 0.5, 0.5], [0.5, 0.5, 1.0, 1.0, 1.0])
    """
    events, whole = _with_event(rows.weight, rows.hits)
    # a row without the event is one with it, where all is turned round
    misses, turned = _with_event(rows.weight[::-1], (rows.weight - rows.hits)[::-1])
    before = np.nextafter(rows.score, -np.inf)
    edges = np.column_stack([before, rows.score]).ravel()
    distinct = np.concatenate([[True], edges[1:] > edges[:-1]])  # no number is between neighbours
    kept = np.append(distinct, True)
    p0 = np.clip((turned - misses)[::-1] / turned[::-1], 0.0, 1.0)
    return VennAbersPair(edges[distinct], p0[kept], (events / whole)[kept])


def _with_event(weight: Floats, hits: Floats) -> tuple[Floats, Floats]:
    mass = np.concatenate([[0.0], np.cumsum(weight)])
    events = np.concatenate([[0.0], np.cumsum(hits)])
    pooled_sums = np.empty((2, 2 * len(weight) + 1))
    add_event(mass, events, pooled_sums)
    return pooled_sums[0], pooled_sums[1]


@compiled
def add_event(mass: Floats, events: Floats, pooled_sums: Floats) -> None:
    """Write events and weight of the pooled rows around every place, one event of weight 1 added.

    p1 = max over a before the place, min over b after it of
    (events[b] - events[a] + 1) / (mass[b] - mass[a] + 1): the steepest of the lower tangents. From
    place to place a gains points and b loses some, so p1 rises and both only move up: a along the
    convex hull of the points before (a queue from `head` to `top`), b along that of those after.
    """
    m = len(mass) - 1
    after = np.empty(m + 1, np.int64)  # the next corner of the hull of all points from here on
    after[m] = m
    for i in range(m - 1, -1, -1):
        j = i + 1
        while after[j] != j and (
            (events[j] - events[i]) * (mass[after[j]] - mass[j])
            >= (events[after[j]] - events[j]) * (mass[j] - mass[i])
        ):
            j = after[j]
        after[i] = j
    hull = np.empty(m + 1, np.int64)
    head, top, b = 0, -1, 0
    for place in range(2 * m + 1):
        if place % 2 == 0:  # between scores: one more point lies before
            i = place // 2
            while top > head and (
                (events[hull[top]] - events[hull[top - 1]]) * (mass[i] - mass[hull[top]])
                >= (events[i] - events[hull[top]]) * (mass[hull[top]] - mass[hull[top - 1]])
            ):
                top -= 1
            top += 1
            hull[top] = i
        else:  # at a score: its own rows are pooled with the new one
            b = max(b, place // 2 + 1)
        moved = True
        while moved:
            moved = False
            a = hull[head]
            y, x = events[b] - events[a] + 1.0, mass[b] - mass[a] + 1.0
            c = after[b]
            if c != b and (events[c] - events[b]) * x < y * (mass[c] - mass[b]):
                b, moved = c, True
            elif head < top:
                c = hull[head + 1]
                if (events[c] - events[a]) * x <= y * (mass[c] - mass[a]):
                    head, moved = head + 1, True
        a = hull[head]
        pooled_sums[0, place] = events[b] - events[a] + 1.0
        pooled_sums[1, place] = mass[b] - mass[a] + 1.0
