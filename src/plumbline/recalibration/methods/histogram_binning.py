"""Histograms: equal width, equal size, an average of them (BBQ), and scaling-binning."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import EqualWidth, place
from plumbline.binning.schemes import ROUNDING, number_of_bins, reached
from plumbline.formatting import counted
from plumbline.jit import MANY_ROWS, compiled, read_only
from plumbline.recalibration.forms import EventFit, Steps
from plumbline.recalibration.inputs import NEVER, PROBABILITY, Event
from plumbline.recalibration.methods.distinct_scores import (
    Distinct,
    checked_bounded,
    distinct_scores,
    succession,
)
from plumbline.recalibration.methods.logistic import platt

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
        f"{count:,} of {counted(len(share), 'bin')} hold no row: they are interpolated between "
        "their neighbours or to (0, 0) and (1, 1)",
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
    ends = reached(mass, np.arange(1, bins), bins)
    return ends[ends < np.append(ends[1:], len(mass) - 1)]


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


# ------------------------------------------------------------------ scaling-binning


def scaling_binning(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bins: int = 15,
) -> EventFit:
    """Return the scaling-binning map (Kumar, Liang and Ma 2019).

    Platt scaling g, then bins of equal weight of the scores, which are bins of g as g rises, and in
    each bin the weighted mean of g: so few values that the map's own calibration error can be
    measured. All rows serve both steps. Raises ParameterError for bins that are not a whole number
    from 1 to a million.
    """
    edges = quantiles(distinct_scores(event.value, hit, weight), number_of_bins(bins))
    curve = platt(event, hit, weight)
    scaled = curve.form(event).prob[:, 1]
    home = np.searchsorted(edges, event.value, side="left")
    mean = np.bincount(home, weight * scaled) / np.bincount(home, weight)
    order = np.maximum if mean[0] <= mean[-1] else np.minimum  # as g has it, but for rounding
    value = order.accumulate(mean)
    inside = np.clip(value, NEVER, 1.0 - NEVER)  # far out g rounds to 1
    return EventFit(Steps(edges, inside), curve.parameters, curve.notes)


# ------------------------------------------------------------------ Bayesian binning into quantiles

SPREAD = 10.0  # from n^(1/3) / 10 to 10 n^(1/3) bins
PRIOR = 2.0  # rows that what is believed beforehand is worth
LEAST = 1e-9  # a histogram that weighs less is left out


class HistogramModel(NamedTuple):
    """One histogram of equal size.

    Attributes
    ----------
    ends : (b - 1,) place of the last distinct score of every bin but the highest
    value : (b,) posterior mean of the bin's probability
    evidence : ln of the probability of the labels, given these bins
    """

    ends: Ints
    value: Floats
    evidence: float

    def at(self, ends: Ints) -> Floats:
        """Return the value of every bin of finer ones, which end also where these do."""
        cells = np.searchsorted(ends, self.ends, side="right")
        return np.repeat(self.value, np.diff(cells, prepend=0, append=len(ends) + 1))


def bbq(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the averaged histogram (Naeini, Cooper and Hauskrecht 2015).

    Every number b of bins of equal weight from n^(1/3) / 10 to 10 n^(1/3) makes a histogram; bin j,
    m_j of whose n_j rows have the event, gets (m_j + a_j) / (n_j + 2 / b), a_j = 2 p_j / b with the
    bin's middle p_j (of ratings, which have none, the share of events in all rows). The histograms
    are averaged with weights in proportion to the probability of the labels under each,
    prod_j G(2 / b) / G(n_j + 2 / b) G(m_j + a_j) / G(a_j) G(n_j - m_j + c_j) / G(c_j), G the gamma
    function, c_j = 2 / b - a_j. Histograms that are the same count once.
    """
    rows = distinct_scores(event.value, hit, weight)
    histograms = models(rows, event.on == PROBABILITY)
    evidence = np.array([model.evidence for model in histograms])
    belief = np.exp(evidence - evidence.max())
    belief /= belief.sum()
    belief[belief < LEAST] = 0.0
    belief /= belief.sum()
    kept = [(part, model) for part, model in zip(belief.tolist(), histograms, strict=True) if part]
    ends = np.unique(np.concatenate([model.ends for _, model in kept]))
    value = sum((part * model.at(ends) for part, model in kept), start=np.zeros(len(ends) + 1))
    bins = sum(part * len(model.value) for part, model in kept)
    note = f"{len(kept):,} histograms of about {counted(round(bins), 'bin')} are averaged"
    value = np.clip(value, NEVER, 1.0 - NEVER)  # where p itself is 0 or 1, so is nearly the prior
    return EventFit(joined(rows.score[ends], value), round(bins), (note,) if len(kept) > 1 else ())


AT_ONCE = 2**15  # bins whose evidence is computed together: a dozen columns fit into a cache


def models(rows: Distinct, of_probabilities: bool) -> list[HistogramModel]:
    """Return all histograms that differ, from few bins to many; bins of several are one column."""
    mass, events = (np.concatenate([[0.0], np.cumsum(sums)]) for sums in (rows.weight, rows.hits))
    every = partitions(mass[1:], float(rows.weight.min()))
    batch = np.cumsum([len(ends) + 1 for ends in every]) // AT_ONCE
    starts = np.flatnonzero(np.diff(batch, prepend=-1, append=batch[-1] + 1)).tolist()
    score = rows.score if of_probabilities else None
    return [
        model
        for start, stop in pairwise(starts)
        for model in _models(every[start:stop], score, mass, events)
    ]


def _models(
    every: Sequence[Ints], score: Floats | None, mass: Floats, events: Floats
) -> list[HistogramModel]:
    """Return histograms with these inner ends.

    score : (g,) distinct probabilities, None of ratings; mass, events : (g + 1,) sums below each
    """
    from scipy.special import gammaln

    size = np.array([len(ends) + 1 for ends in every])
    first = np.cumsum(size) - size
    after = np.concatenate([np.append(ends + 1, len(mass) - 1) for ends in every])
    before = np.roll(after, 1)
    before[first] = 0  # places below and above the bin among the distinct scores
    inside, hits = mass[after] - mass[before], events[after] - events[before]
    misses = np.maximum(inside - hits, 0.0)
    prior = events[-1] / mass[-1] if score is None else _middles(score, before, after)
    strength = np.repeat(PRIOR / size, size)
    yes, no = strength * prior, strength * (1.0 - prior)
    evidence = (
        np.repeat(gammaln(PRIOR / size), size)
        - gammaln(inside + strength)
        + gammaln(hits + yes)
        - gammaln(yes)
        + gammaln(misses + no)
        - gammaln(no)
    )
    values = np.split((hits + yes) / (inside + strength), first[1:])
    total = np.add.reduceat(evidence, first).tolist()
    return [HistogramModel(*fields) for fields in zip(every, values, total, strict=True)]


def partitions(mass: Floats, lightest: float) -> list[Ints]:
    """Return the inner ends of bins of equal weight for every number of bins, none twice."""
    root = float(np.cbrt(mass[-1]))
    finest = math.ceil(mass[-1] / lightest)  # from there on every score is a bin
    most = max(1, min(math.ceil(SPREAD * root), finest))
    least = min(max(1, math.floor(root / SPREAD)), most)
    numbers = range(least, most + 1)
    every: Iterator[Ints] = (inner_ends(mass, bins) for bins in numbers)
    if len(numbers) * len(mass) >= MANY_ROWS:
        every = _quick_ends(mass, numbers)
    return list({ends.tobytes(): ends for ends in every}.values())


def _quick_ends(mass: Floats, numbers: Sequence[int]) -> Iterator[Ints]:
    """Yield `inner_ends` of every number of bins, by walking along the scores once for each."""
    (own,), found = read_only(mass), np.empty(max(numbers), np.intp)
    for bins in numbers:
        yield found[: walked_ends(own, bins, ROUNDING, found)].copy()


@compiled
def walked_ends(mass: Floats, bins: int, rounding: float, found: Ints) -> int:
    """List the places but the last at which a cumulative weight reaches j W / bins; how many."""
    last = len(mass) - 1
    whole, place, size = mass[last] * (1.0 - rounding), 0, 0
    for j in range(1, bins):
        wanted = j * whole / bins
        while mass[place] < wanted:
            place += 1
        if place == last:
            break
        if size == 0 or place > found[size - 1]:
            found[size] = place
            size += 1
    return size


def _middles(score: Floats, before: Ints, after: Ints) -> Floats:
    """Return the middles of bins on [0, 1], never 0 or 1 itself."""
    low = np.where(before == 0, 0.0, score[before - 1])
    high = np.where(after == len(score), 1.0, score[after - 1])
    middle: Floats = np.clip(0.5 * (low + high), NEVER, 1.0 - NEVER)
    return middle
