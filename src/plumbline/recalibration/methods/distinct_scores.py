"""Distinct scores with the events at each: the first step of every method that pools or bins."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import ParameterError
from plumbline.jit import compiled

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

MANY = 2**16  # rows from which on a second thread pays


class Distinct(NamedTuple):
    """Distinct scores in rising order.

    Attributes
    ----------
    score : (g,) rising
    weight : (g,) summed weight of the rows that have it, above 0
    hits : (g,) summed weight of those with the event
    """

    score: Floats
    weight: Floats
    hits: Floats


def distinct_scores(value: Floats, hit: Truths, weight: Floats) -> Distinct:
    """Return the distinct scores; the result does not depend on the rows' order.

    >>> distinct_scores(np.array([0.7, 0.2, 0.7]), np.array([True, False, False]), np.ones(3))
    Distinct(score=array([0.2, 0.7]), weight=array([1., 2.]), hits=array([0., 1.]))
    """
    equal = weight.min() == weight.max()
    return _counted(value, hit, weight[0]) if equal else _summed(value, hit, weight)


def _counted(value: Floats, hit: Truths, each: np.float64) -> Distinct:
    """Rows of one weight need no order of their own: events and others are sorted apart, merged."""
    with ThreadPoolExecutor(2) as pool:
        each_of = pool.map if len(value) >= MANY else map
        events, others = each_of(lambda where: np.sort(value[where]), (hit, ~hit))
    score = np.empty(len(value))
    weight, hits = np.empty(len(value)), np.empty(len(value))
    size = np.zeros(1, np.int64)
    merge(events, others, score, weight, hits, size)
    g = int(size[0])
    return Distinct(score[:g] + 0.0, weight[:g] * each, hits[:g] * each)


def _summed(value: Floats, hit: Truths, weight: Floats) -> Distinct:
    order = np.argsort(value)
    score = value[order]
    new = np.concatenate([[True], score[1:] != score[:-1]])
    tied = np.flatnonzero(~new | np.append(~new[1:], False))
    rows = order[tied]  # their weights are added in an order that is not the rows'
    order[tied] = rows[np.lexsort((weight[rows], hit[rows], value[rows]))]
    mass, first = weight[order], np.flatnonzero(new)
    return Distinct(
        score[first] + 0.0,  # -0.0 becomes 0.0
        np.add.reduceat(mass, first),
        np.add.reduceat(np.where(hit[order], mass, 0.0), first),
    )


@compiled
def merge(
    events: Floats,
    others: Floats,
    score: Floats,
    weight: Floats,
    hits: Floats,
    size: NDArray[np.int64],
) -> None:
    """Merge two rising rows of scores into distinct ones with counts; `size` gets their number."""
    i, j, g = 0, 0, 0
    while i < len(events) or j < len(others):
        if j == len(others) or (i < len(events) and events[i] <= others[j]):
            s = events[i]
        else:
            s = others[j]
        before, start = i, i + j
        while i < len(events) and events[i] == s:
            i += 1
        while j < len(others) and others[j] == s:
            j += 1
        score[g], weight[g], hits[g] = s, i + j - start, i - before
        g += 1
    size[0] = g


def checked_bounded(bounded: object) -> bool:
    """Return the option `bounded`, which is True or False."""
    if not isinstance(bounded, bool | np.bool_):
        raise ParameterError(
            argument="bounded", rule="True or False", arrived=shorten(bounded), code="wrong-kind"
        )
    return bool(bounded)


def succession(weight: Floats, share: Floats) -> Floats:
    """Return the shares with 1 / (W + 2) in place of 0 and (W + 1) / (W + 2) in place of 1.

    That is Laplace's rule of succession: W rows without an event do not show that none can happen.

    >>> succession(np.array([2.0, 5.0, 8.0]), np.array([0.0, 0.4, 1.0])).tolist()
    [0.25, 0.4, 0.9]
    """
    sure = np.where(share <= 0.0, 1.0, weight + 1.0) / (weight + 2.0)
    return np.where((share <= 0.0) | (share >= 1.0), sure, share)
