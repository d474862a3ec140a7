"""Venn-Abers prediction: two isotonic fits merged."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled
from plumbline.recalibration.distinct import Distinct, distinct_scores
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.histogram import joined
from plumbline.recalibration.inputs import PROBABILITY, Event

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Pair(NamedTuple):
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
    note = f"p0 and p1 are {width:.3g} apart on average over the distinct scores"
    return EventFit(form, len(form.values), (note,))


def both_probabilities(rows: Distinct) -> Pair:
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
    room = np.concatenate([[True], edges[1:] > edges[:-1]])  # no number is between neighbours
    kept = np.append(room, True)
    p0 = np.clip((turned - misses)[::-1] / turned[::-1], 0.0, 1.0)
    return Pair(edges[room], p0[kept], (events / whole)[kept])


def _with_event(weight: Floats, hits: Floats) -> tuple[Floats, Floats]:
    mass = np.concatenate([[0.0], np.cumsum(weight)])
    events = np.concatenate([[0.0], np.cumsum(hits)])
    found = np.empty((2, 2 * len(weight) + 1))
    add_event(mass, events, found)
    return found[0], found[1]


@compiled
def add_event(mass: Floats, events: Floats, found: Floats) -> None:
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
        found[0, place] = events[b] - events[a] + 1.0
        found[1, place] = mass[b] - mass[a] + 1.0
