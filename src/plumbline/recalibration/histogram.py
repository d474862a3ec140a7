"""Histogram binning: one share a bin."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import EqualWidth, place
from plumbline.binning.schemes import number_of_bins, reached
from plumbline.recalibration.distinct import (
    Distinct,
    checked_bounded,
    distinct_scores,
    succession,
)
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Steps
from plumbline.recalibration.inputs import Event
from plumbline.results.formatting import counted

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[Any]


def equal_width(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bins: int = 15,
    bounded: bool = True,
) -> EventFit:
    """Return the shares of bins of equal width on [0, 1] (Zadrozny and Elkan 2001).

    q = (weight of the bin's rows with the event) / (weight of its rows). A bin without rows gets
    the value at its middle of the straight lines through its neighbours' middles and the corners
    (0, 0) and (1, 1). `bounded` puts 1 / (W + 2) in place of a share of 0, and (W + 1) / (W + 2) in
    place of 1. Raises ParameterError for bins that are not a whole number from 1 to a million.
    """
    edges = np.asarray(EqualWidth(bins).edges(event.value, weight), np.float64)
    rows = distinct_scores(event.value, hit, weight)
    inside, share = shares(rows, edges[1:-1], bounded=checked_bounded(bounded))
    empty = inside == 0.0
    count = int(np.count_nonzero(empty))
    if count:
        middle = 0.5 * (edges[1:] + edges[:-1])
        known_at = np.concatenate([[0.0], middle[~empty], [1.0]])
        known = np.concatenate([[0.0], share[~empty], [1.0]])
        share = np.where(empty, np.interp(middle, known_at, known), share)
    notes = (
        f"{count:,} of {counted(len(share), 'bin')} hold no row: their values lie on straight "
        "lines between their neighbours or to the corners (0, 0) and (1, 1)",
    )
    return EventFit(Steps(edges[1:-1], share), len(share) - count, notes if count else ())


def equal_size(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bins: int = 15,
    bounded: bool = True,
) -> EventFit:
    """Return the shares of bins of (nearly) equal weight (Zadrozny and Elkan 2001).

    As for equal width; the upper edge of bin j is the smallest score whose cumulative weight
    reaches j W / b. Equal scores are never split, so there may be fewer bins, and none is empty.
    """
    rows = distinct_scores(event.value, hit, weight)
    edges = quantiles(rows, number_of_bins(bins))
    share = shares(rows, edges, bounded=checked_bounded(bounded))[1]
    return EventFit(Steps(edges, share), len(share))


def quantiles(rows: Distinct, bins: int) -> Floats:
    """Return the inner edges of bins of equal weight, each a score and none the highest.

    >>> quantiles(Distinct(np.array([0.1, 0.2, 0.3, 0.9]), np.ones(4), np.zeros(4)), 2).tolist()
    [0.2]
    """
    return rows.score[inner_ends(np.cumsum(rows.weight), bins)]


def inner_ends(mass: Floats, bins: int) -> Ints:
    """Return the place of the last score of every bin of equal weight but the highest.

    mass : (g,) cumulative weight of the distinct scores
    """
    found = reached(mass, np.arange(1, bins), bins)
    return found[found < np.append(found[1:], len(mass) - 1)]


def shares(rows: Distinct, edges: Floats, *, bounded: bool) -> tuple[Floats, Floats]:
    """Return the weight in every bin between inner edges, and its share of events (empty: NaN)."""
    home = place(rows.score, np.concatenate([[-np.inf], edges, [np.inf]]))
    weight = np.bincount(home, rows.weight, len(edges) + 1).astype(np.float64)
    hits = np.bincount(home, rows.hits, len(edges) + 1).astype(np.float64)
    share = np.divide(hits, weight, out=np.full(len(weight), np.nan), where=weight > 0)
    return weight, succession(weight, share) if bounded else share


def joined(edges: Floats, values: Floats) -> Steps:
    """Return the steps, neighbours of one value in one.

    >>> joined(np.array([0.2, 0.5]), np.array([0.3, 0.3, 0.9])).edges.tolist()
    [0.5]
    """
    kept = np.flatnonzero(values[1:] != values[:-1])
    return Steps(edges[kept], np.concatenate([values[kept], values[-1:]]))
