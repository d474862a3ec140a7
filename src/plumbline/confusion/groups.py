"""Counts of positives and negatives in sorted keys, ties together: kernels for many rows."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion.sorting import SIGN, Ints, Keys, sorted_pairs, threads_for
from plumbline.jit import compiled

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def counted_groups(
    event: Truths, rating: Floats, *, workers: int | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return the distinct ratings, descending, and the positives and negatives up to each.

    Before them all stands the state that accepts no row: inf, 0, 0.
    """
    threads = threads_for(len(rating), workers)
    key, own = sorted_pairs(rating, event, descending=True, workers=threads)
    parts = _parts(key, threads)
    with ThreadPoolExecutor(threads) as pool:
        found = _counted(pool, key, own, parts)
        groups, positives = (np.concatenate([[0], np.cumsum(found[:, j])]) for j in (0, 1))
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
    parts = _parts(key, threads)
    with ThreadPoolExecutor(threads) as pool:
        found = _counted(pool, key, own, parts)
    positives = negatives = pairs = 0
    for s, (_, own_positives, within) in zip(parts, found.tolist(), strict=True):
        own_negatives = s.stop - s.start - own_positives
        pairs += within + 2 * positives * own_negatives
        positives += own_positives
        negatives += own_negatives
    return pairs, positives, negatives


def _counted(pool: ThreadPoolExecutor, key: Keys, event: Truths, parts: list[slice]) -> Ints:
    """Return what `count` finds in every part."""
    found = np.zeros((len(parts), 3), np.int64)
    list(pool.map(lambda j: count(key[parts[j]], event[parts[j]], found[j]), range(len(parts))))
    return found


def _parts(key: Keys, number: int) -> list[slice]:
    """Return slices of about equal length that split no tie."""
    cuts = [int(np.searchsorted(key, key[len(key) * j // number])) for j in range(1, number)]
    edges = [0, *cuts, len(key)]
    return [slice(a, b) for a, b in pairwise(edges)]


@compiled
def count(key: Keys, event: Truths, found: Ints) -> None:
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
    found[0], found[1], found[2] = groups, positives, pairs


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
