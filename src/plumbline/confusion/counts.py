"""How many positives and negatives lie at or above every threshold, exact with ties."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion.sorting import SIGN, Ints, Keys, sorted_pairs, threads_for
from plumbline.jit import MANY_ROWS, compiled, read_only
from plumbline.predictions.ascending import distinct_rising

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Order = NDArray[np.intp]

MANY = 2**17  # rows from which on threads and compiled kernels pay; numpy sorts fewer
GLANCE = 64  # ratings that are looked at first


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCounts:
    """Sums of weights at every distinct rating, the highest first.

    Attributes
    ----------
    states : (3, m + 1) threshold, true and false positives, from the state that accepts no row
        (threshold inf) to the one that accepts all
    """

    states: tuple[Floats, Floats, Floats]

    @property
    def threshold(self) -> Floats:
        """(m,) distinct ratings, descending."""
        return self.states[0][1:]

    @property
    def tp(self) -> Floats:
        """(m,) weight of the positives whose rating is at least the threshold."""
        return self.states[1][1:]

    @property
    def fp(self) -> Floats:
        """(m,) weight of the negatives whose rating is at least the threshold."""
        return self.states[2][1:]

    @property
    def positives(self) -> float:
        """Weight of the positives in all."""
        return float(self.states[1][-1])

    @property
    def negatives(self) -> float:
        """Weight of the negatives in all."""
        return float(self.states[2][-1])


def threshold_counts(
    event: Truths,
    rating: NDArray[Any],
    *,
    weight: Floats | None = None,
    workers: int | None = None,
) -> ThresholdCounts:
    """Count true and false positives at every distinct rating: tp_j = sum_i w_i y_i [r_i >= t_j].

    `event` (n,) tells the positives, `rating` (n,) is finite or infinite, never NaN; -0.0 is 0.0.
    A weight is a repetition; a row of weight 0 has a threshold too. Large arrays are sorted by
    `workers` threads (default: all cores), on which nothing depends.

    >>> counts = threshold_counts(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    >>> counts.threshold, counts.tp, counts.fp
    (array([0.9, 0.5]), array([1., 2.]), array([0., 1.]))
    """
    if weight is None and len(rating) >= MANY:
        return ThresholdCounts(counted_groups(event, _doubles(rating), workers=workers))
    if weight is not None and len(rating) >= MANY_ROWS:
        distinct = distinct_rising(*read_only(rating))
        if distinct:
            states = np.zeros((3, distinct + 1))
            states[0, 0] = np.inf
            add_falling(*read_only(event, rating, weight), states)
            return ThresholdCounts((states[0], states[1], states[2]))
    rising = bool((rating[1:] >= rating[:-1]).all())  # as counted rows are; false with NaN
    order = slice(None, None, -1) if rising else descending_order(rating, workers=workers)
    ranked = rating[order].astype(np.float64) + 0.0
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], ranked[:1] == ranked[:1]))
    own = event[order]
    w = np.ones(len(rating)) if weight is None else weight[order]
    tp = np.cumsum(np.where(own, w, 0.0))[ends]
    fp = np.cumsum(np.where(own, 0.0, w))[ends]
    return ThresholdCounts(
        (np.append(np.inf, ranked[ends]), np.append(0.0, tp), np.append(0.0, fp))
    )


@compiled
def add_falling(event: Truths, rating: Floats, weight: Floats, states: Floats) -> None:
    """Fill (3, m + 1) states but the first of ratings that rise, from the last row to the first."""
    place, tp, fp = 0, 0.0, 0.0
    for i in range(len(rating) - 1, -1, -1):
        if event[i]:
            tp += weight[i]
        else:
            fp += weight[i]
        if i == 0 or rating[i] != rating[i - 1]:
            place += 1
            states[0, place] = np.float64(rating[i]) + 0.0
            states[1, place] = tp
            states[2, place] = fp


def concordance(
    event: Truths,
    rating: NDArray[Any],
    *,
    weight: Floats | None = None,
    workers: int | None = None,
) -> float:
    """Return the share of the pairs of a positive and a negative that the ratings order rightly.

    sum over pairs w_i w_j ([r_i > r_j] + [r_i = r_j] / 2) / (P N), which is the area under the ROC
    curve (Hanley and McNeil 1982); NaN where there are no pairs. Arguments as in
    `threshold_counts`.

    >>> concordance(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    0.75
    """
    if weight is None and len(rating) >= MANY:
        twice, p, n = concordant_pairs(event, _doubles(rating), workers=workers)
        return twice / (2 * p * n) if p and n else np.nan
    counts = threshold_counts(event, rating, weight=weight, workers=workers)
    if not (counts.positives > 0 and counts.negatives > 0):
        return np.nan
    below = np.diff(counts.fp, prepend=0.0) * (counts.tp + np.append(0.0, counts.tp[:-1]))
    return float(below.sum() / (2 * counts.positives * counts.negatives))


def descending_order(rating: NDArray[Any], *, workers: int | None = None) -> Order:
    """Return the row numbers from the highest rating to the lowest, ties in row order, NaN last.

    >>> descending_order(np.array([0.2, np.nan, 0.7, 0.2])).tolist()
    [2, 0, 3, 1]
    """
    if len(rating) < MANY:
        return np.argsort(-_doubles(rating), kind="stable")
    return _order(rating, descending=True, workers=workers)


def ascending_order(rating: NDArray[Any], *, workers: int | None = None) -> Order:
    """Return the row numbers from the lowest rating to the highest, ties in row order, NaN last.

    >>> ascending_order(np.array([0.2, np.nan, 0.7, 0.2])).tolist()
    [0, 3, 2, 1]
    """
    if len(rating) < MANY:
        return np.argsort(_doubles(rating), kind="stable")
    return _order(rating, descending=False, workers=workers)


def _order(rating: NDArray[Any], *, descending: bool, workers: int | None) -> Order:
    from plumbline.confusion.sorting import sorted_pairs

    rating = _doubles(rating)
    if _falls(rating) if descending else _falls(rating[::-1]):
        return np.arange(len(rating))
    if _falls(rating[::-1]) if descending else _falls(rating):
        return _turned(rating)
    rows = np.arange(len(rating))
    return sorted_pairs(rating, rows, descending=descending, workers=workers)[1]


def _falls(rating: Floats) -> bool:
    """Tell whether no rating is above the one before it, and none is NaN."""
    few = rating[:GLANCE]  # which settles it where they are in no order
    return all(bool((part[1:] <= part[:-1]).all()) for part in (few, rating))


def _turned(rating: Floats) -> Order:
    """Return the rows of sorted ratings from the last to the first, ties in row order."""
    changes = rating[1:] != rating[:-1]
    if changes.all():
        return np.arange(len(rating) - 1, -1, -1)
    start = np.append(0, np.flatnonzero(changes) + 1)
    length = np.diff(np.append(start, len(rating)))[::-1]
    moved = start[::-1] - np.cumsum(length) + length
    order: Order = np.arange(len(rating)) + np.repeat(moved, length)
    return order


def _doubles(rating: NDArray[Any]) -> Floats:
    """Return contiguous float64, which holds every float32 as it is."""
    return np.ascontiguousarray(rating, np.float64)


def counted_groups(
    event: Truths, rating: Floats, *, workers: int | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return the distinct ratings, descending, and the positives and negatives up to each.

    Before them all stands the state that accepts no row: inf, 0, 0.
    """
    threads = threads_for(len(rating), workers)
    key, own = sorted_pairs(rating, event, descending=True, workers=threads)
    parts = _untied_slices(key, threads)
    with ThreadPoolExecutor(threads) as pool:
        result = _counted(pool, key, own, parts)
        groups, positives = (np.concatenate([[0], np.cumsum(result[:, j])]) for j in (0, 1))
        threshold, tp, fp = (np.empty(groups[-1] + 1) for _ in range(3))
        threshold[0], tp[0], fp[0] = np.inf, 0.0, 0.0
        bits = threshold.view(np.uint64)

        def list_part(j: int) -> None:
            rows, to = parts[j], slice(groups[j] + 1, groups[j + 1] + 1)
            before = positives[j], rows.start - positives[j]
            list_groups(key[rows], own[rows], *before, bits[to], tp[to], fp[to])

        list(pool.map(list_part, range(threads)))
    return threshold, tp, fp


def concordant_pairs(
    event: Truths, rating: Floats, *, workers: int | None = None
) -> tuple[int, int, int]:
    """Return twice the pairs whose positive is rated higher (ties half), positives, negatives."""
    threads = threads_for(len(rating), workers)
    key, own = sorted_pairs(rating, event, descending=True, workers=threads)
    parts = _untied_slices(key, threads)
    with ThreadPoolExecutor(threads) as pool:
        result = _counted(pool, key, own, parts)
    positives = negatives = pairs = 0
    for s, (_, own_positives, within) in zip(parts, result.tolist(), strict=True):
        own_negatives = s.stop - s.start - own_positives
        pairs += within + 2 * positives * own_negatives
        positives += own_positives
        negatives += own_negatives
    return pairs, positives, negatives


def _counted(pool: ThreadPoolExecutor, key: Keys, event: Truths, parts: list[slice]) -> Ints:
    """Return what `count` finds in every part."""
    result = np.zeros((len(parts), 3), np.int64)
    list(pool.map(lambda j: count(key[parts[j]], event[parts[j]], result[j]), range(len(parts))))
    return result


def _untied_slices(key: Keys, number: int) -> list[slice]:
    """Return slices of about equal length that split no tie."""
    cuts = [int(np.searchsorted(key, key[len(key) * j // number])) for j in range(1, number)]
    edges = [0, *cuts, len(key)]
    return [slice(a, b) for a, b in pairwise(edges)]


@compiled
def count(key: Keys, event: Truths, result: Ints) -> None:
    """Count distinct keys, positives, and twice the pairs of a positive before a negative."""
    groups = positives = pairs = 0
    start = before = 0
    n = len(key)
    for i in range(n):
        positives += event[i]
        if i + 1 == n or key[i + 1] != key[i]:
            own = positives - before
            pairs += (before + positives) * (i + 1 - start - own)
            groups += 1
            start, before = i + 1, positives
    result[0], result[1], result[2] = groups, positives, pairs


@compiled
def list_groups(
    key: Keys, event: Truths, positives: int, negatives: int, bits: Keys, tp: Floats, fp: Floats
) -> None:
    """Write the bits of every distinct rating and the counts up to it, after those before."""
    n, g = len(key), 0
    for i in range(n):
        if event[i]:
            positives += 1
        else:
            negatives += 1
        if i + 1 == n or key[i + 1] != key[i]:
            own = ~key[i]
            bits[g] = own ^ SIGN if own & SIGN else ~own
            tp[g] = positives
            fp[g] = negatives
            g += 1
