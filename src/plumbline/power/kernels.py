"""The inner loops of a power grid: one data set under many settings, all its label sets at once."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled
from plumbline.nulls import TIE

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.integer[Any]]

DISTANCES = ("absolute", "square", "log")  # the order of the kernels' tables


@compiled
def score_data_set(
    labels: Ints,
    order: Ints,
    answer: Ints,
    prob: Floats,
    rest: Floats,
    home: Ints,
    view: Ints,
    share: Floats,
    infinite: float,
    out: Floats,
) -> None:
    """Add to `out` (views, settings, 3, w) the calibration errors of w sets of labels.

    labels (n, w); per look c, all in the order of its scores: `order` (c, n) rows, `answer` (c, n)
    the class that counts as a hit, `prob` and `rest` (c, n) of it and of the others, `home`
    (settings, c, n) number of the bin, which never falls. Look c belongs to `view[c]`, in whose
    error it has the weight `share[c]`. `infinite` stands for an infinite log distance of a bin.
    """
    n, w = labels.shape
    hits = np.zeros((n + 1, w), np.int32)  # before position i
    table = np.empty((n + 1, 3))
    entropy = np.zeros(n + 1)  # h ln h
    for h in range(1, n + 1):
        entropy[h] = h * np.log(h)
    for c in range(order.shape[0]):
        for i in range(n):
            own = labels[order[c, i]]
            wanted = answer[c, i]
            for d in range(w):
                hits[i + 1, d] = hits[i, d] + (own[d] == wanted)
        for s in range(home.shape[0]):
            start = 0
            while start < n:
                stop, p, q = start, 0.0, 0.0
                while stop < n and home[s, c, stop] == home[s, c, start]:
                    p += prob[c, stop]
                    q += rest[c, stop]
                    stop += 1
                size = stop - start
                fill_table(size, p, q, share[c] / n, infinite, entropy, table)
                add_bin(hits[start], hits[stop], table, size, out[view[c], s])
                start = stop


@compiled
def fill_table(
    size: int, p: float, q: float, scale: float, infinite: float, entropy: Floats, table: Floats
) -> None:
    """Fill in what a bin adds for every number of hits: scale * size * distance, row by row."""
    log_p, log_q = np.log(p / (p + q)), np.log(q / (p + q))
    for h in range(size + 1):
        gap = h - p
        table[h, 0] = scale * abs(gap)
        table[h, 1] = scale * gap * gap / size
        surprise = entropy[h] + entropy[size - h] - entropy[size]
        if h > 0:
            surprise -= h * log_p
        if h < size:
            surprise -= (size - h) * log_q
        table[h, 2] = scale * (surprise if surprise < np.inf else size * infinite)


@compiled
def add_bin(before: Ints, after: Ints, table: Floats, size: int, out: Floats) -> None:
    """Add the part of one bin to (3, w) errors."""
    absolute, square, log = out[0], out[1], out[2]
    w = len(before)
    if size == 1:  # a hit or not: no search in the table
        a, b, c = table[0, 0], table[0, 1], table[0, 2]
        da, db = table[1, 0] - a, table[1, 1] - b
        hit = table[1, 2]
        for d in range(w):
            h = after[d] - before[d]
            absolute[d] += a + h * da
            square[d] += b + h * db
            log[d] += hit if h else c
        return
    for d in range(w):
        h = after[d] - before[d]
        absolute[d] += table[h, 0]
        square[d] += table[h, 1]
        log[d] += table[h, 2]


@compiled
def count_tails(scores: Floats, counts: Ints) -> None:
    """Count, for (rows, 1 + m) values, the m draws at least and at most as large as the first."""
    for r in range(scores.shape[0]):
        observed = scores[r, 0]
        gap = TIE * (1.0 + abs(observed)) if abs(observed) < np.inf else 0.0
        upper, lower = 0, 0
        for d in range(1, scores.shape[1]):
            upper += scores[r, d] >= observed - gap
            lower += scores[r, d] <= observed + gap
        counts[r, 0] = upper
        counts[r, 1] = lower
