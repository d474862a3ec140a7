"""Steps and straight lines between knots, at many scores: a few by numpy, many by kernels."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled, read_only

Floats = NDArray[np.float64]
Starts = NDArray[np.int32]
Places = NDArray[np.int64]

MANY = 100_000  # scores from which on a kernel is worth loading
MOST_CELLS = 2**15  # of the index of the knots, which stays in a processor's own memory
CELLS = 4  # a knot
PART, LEAST_PART = 2**16, 2**10  # numbers and rows that a thread takes at a time
ABREAST = 64  # scores that are looked up side by side


class KnotIndex(NamedTuple):
    """Knots, infinite ones behind them, and where those of every cell of equal width start.

    scale : cells a unit
    levels : halving steps that find any place in the fullest cell
    """

    knots: Floats
    start: NDArray[np.int32]
    scale: float
    levels: int


def step_values(score: Floats, edges: Floats, values: Floats) -> Floats:
    """Return (n, 2) [1 - q, q], stored by column; q = values[j], edges[j - 1] < s <= edges[j].

    >>> step_values(np.array([0.2, 0.5, 0.6]), np.array([0.5]), np.array([0.25, 0.75]))[:, 1]
    array([0.25, 0.25, 0.75])
    """
    index = _index(edges) if len(score) >= MANY else None
    if index is None:
        return _both(values[np.searchsorted(edges, score, side="left")])
    prob = np.empty((len(score), 2), order="F")
    rest, share = prob.T
    score, values = read_only(score, values)
    in_parts(len(score), lambda s: at_steps(score[s], *index, values, rest[s], share[s]))
    return prob


def line_values(score: Floats, knots: Floats, values: Floats) -> Floats:
    """Return (n, 2) [1 - q, q], stored by column; q straight between knots, constant outside.

    q = v + (w - v) / (b - a) (s - a) for a < s < b, v and w at a and b, kept between v and w, so
    that rounding neither leaves [0, 1] nor lets a rising line fall.

    >>> line_values(np.array([0.0, 0.3, 1.0]), np.array([0.2, 0.4]), np.array([0.1, 0.5]))[:, 1]
    array([0.1, 0.3, 0.5])
    """
    with np.errstate(over="ignore"):
        slope = np.diff(values) / np.diff(knots)
    index = _index(knots) if len(score) >= MANY and len(knots) > 1 else None
    if index is None:
        return _both(_on_line(score, knots, values, slope))
    prob = np.empty((len(score), 2), order="F")
    rest, share = prob.T
    score, values = read_only(score, values)
    in_parts(len(score), lambda s: on_line(score[s], *index, values, slope, rest[s], share[s]))
    return prob


def _on_line(score: Floats, knots: Floats, values: Floats, slope: Floats) -> Floats:
    above = np.searchsorted(knots, score, side="left")
    right = np.clip(above, 0, len(knots) - 1)
    left = np.clip(above - 1, 0, len(knots) - 1)
    v, w = values[left], values[right]
    inside = (left < right) & (knots[right] != score)
    s, a = score[inside], left[inside]
    with np.errstate(over="ignore"):
        between = v[inside] + slope[a] * (s - knots[a])
    v, w = v[inside], w[inside]
    result = values[right]
    result[inside] = np.minimum(np.maximum(between, np.minimum(v, w)), np.maximum(v, w))
    return result


def in_parts(rows: int, task: Callable[[slice], Any], *, width: int = 1) -> list[Any]:
    """Do a task for parts of the rows, in threads, and return the results in the parts' order.

    width : numbers a row
    """
    count = max(1, rows // max(LEAST_PART, PART // width))
    edges = [rows * j // count for j in range(count + 1)]
    parts = [slice(a, b) for a, b in pairwise(edges)]
    threads = min(cpu_count() or 1, count)
    if threads == 1:
        return list(map(task, parts))
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(task, parts))


def _index(knots: Floats) -> KnotIndex | None:
    """Return where to look for the knots below a score; None if they are too far apart or close.

    The cell of a score, floor((s - first) cells / range), rises with the score whatever the
    rounding, so the knots below a score are those of lower cells and some of its own.
    """
    if not len(knots):
        return None
    cells = min(MOST_CELLS, 1 << (CELLS * len(knots)).bit_length())
    with np.errstate(over="ignore", divide="ignore"):
        scale = float(cells / (knots[-1] - knots[0]))
    if not 0 < scale < np.inf:
        return None
    cell = np.clip((knots - knots[0]) * scale, 0, cells - 1).astype(np.int64)
    start = np.searchsorted(cell, np.arange(cells)).astype(np.int32)
    levels = int(np.bincount(cell).max()).bit_length()
    return KnotIndex(np.concatenate([knots, np.full(1 << levels, np.inf)]), start, scale, levels)


def _both(share: Floats) -> Floats:
    prob = np.empty((len(share), 2), order="F")
    prob[:, 1] = share
    np.subtract(1.0, share, out=prob[:, 0])
    return prob


@compiled
def below(
    score: Floats, knots: Floats, start: Starts, scale: float, levels: int, place: Places
) -> None:
    """Write how many knots are below each of a few scores.

    The cell of a score says where to begin, then halving steps go on, of all scores side by side,
    for one alone would wait for memory at every step. Behind the last knot stand 2^levels infinite
    ones.
    """
    low, last = knots[0], float(len(start) - 1)
    for i in range(len(score)):
        place[i] = start[int(min(max((score[i] - low) * scale, 0.0), last))]
    step = 1 << levels
    for _ in range(levels):
        step >>= 1
        for i in range(len(score)):
            place[i] += step * (knots[place[i] + step - 1] < score[i])


@compiled
def at_steps(
    score: Floats,
    edges: Floats,
    start: Starts,
    scale: float,
    levels: int,
    values: Floats,
    rest: Floats,
    share: Floats,
) -> None:
    """Write 1 - q and q, q the value of the bin of every row."""
    place = np.empty(ABREAST, np.int64)
    for first in range(0, len(score), ABREAST):
        some = score[first : first + ABREAST]
        below(some, edges, start, scale, levels, place)
        for i in range(len(some)):
            q = values[place[i]]
            rest[first + i] = 1.0 - q
            share[first + i] = q


@compiled
def on_line(
    score: Floats,
    knots: Floats,
    start: Starts,
    scale: float,
    levels: int,
    values: Floats,
    slope: Floats,
    rest: Floats,
    share: Floats,
) -> None:
    """Write 1 - q and q, q between the values of the knots around every row."""
    place = np.empty(ABREAST, np.int64)
    last = len(values) - 1
    for first in range(0, len(score), ABREAST):
        some = score[first : first + ABREAST]
        below(some, knots, start, scale, levels, place)
        for i in range(len(some)):
            s, right, left = some[i], min(place[i], last), max(place[i] - 1, 0)
            v, w = values[left], values[right]
            q = v + slope[min(left, last - 1)] * (s - knots[left])
            q = min(max(q, min(v, w)), max(v, w))
            q = w if left == right or knots[right] == s else q
            rest[first + i] = 1.0 - q
            share[first + i] = q
