"""Fewer points for the same picture: what a chart has no pixels for is dropped."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MOST_RUNS = 16  # runs of points a column of pixels, beyond which a line is a cloud
CELL = 3  # pixels of a cell of a cloud, about a drawn point


def kept_places(
    x: Floats,
    y: Floats,
    *others: Floats,
    width: int,
    threshold: Floats | None = None,
    square: bool = False,
) -> Ints:
    """Return the places of the points to draw where a chart is `width` pixels wide, in order.

    Points that follow each other within one column of pixels become the first and the last of
    them, and those where `y` or one of `others` (the edges of a band) is lowest or highest: every
    extreme is drawn, at most 4 + 2 len(others) points a run, and each is one of the curve's own.
    Where x goes to and fro, as in a cloud of rows, that would leave too many: then the first point
    in every cell of 3 x 3 pixels is kept, and the extremes of x and y. So at most
    (4 + 2 len(others)) * 16 (width + 3) points are kept of a line, about (width / 3)^2 of a cloud.

    x : (m,) where points stand across; what is not finite stands in a column of its own
    y, others : (m,) what is drawn there
    square : whether the picture is the unit square: what leaves it stands at its edge, so that what
        is inside is not thinned for it, as of a precision-recall-gain curve, which begins far away

    >>> x = np.linspace(0, 1, 10_001)
    >>> kept_places(x, np.sin(x), width=100).size <= 4 * 100
    True
    """
    if len(x) <= 4 * width:
        return np.arange(len(x))
    x = np.clip(x, 0.0, 1.0) if square else x
    low, high = _ends(x)
    scale = (width - 1) / (high - low) if high > low else 0.0
    heights = np.stack((y, *others)) if others else np.ascontiguousarray(y)[np.newaxis]
    most = MOST_RUNS * (width + 3)
    kept = np.empty((most + 1) * (2 + 2 * len(heights)), np.intp)
    places = np.zeros(2, np.intp)
    _thin_line(np.ascontiguousarray(x), heights, low, scale, most, kept, places)
    runs, size = places
    if runs > most:
        return _thinned_cloud(x, y, width)
    along = [_firsts(values, width) for values in (y, threshold) if values is not None]
    return np.unique(np.concatenate([kept[:size], *along]))


def ends_of(arrays: Sequence[Floats]) -> list[float] | None:
    """Return the lowest and the highest finite value of some arrays, None where there is none.

    >>> ends_of([np.array([0.2, np.inf]), np.array([-1.0])])
    [-1.0, 0.2]
    """
    every = np.concatenate([np.empty(0), *arrays])
    finite = every[np.isfinite(every)]
    return [float(finite.min()), float(finite.max())] if finite.size else None


def _firsts(values: Floats, width: int) -> Ints:
    """Return the places where values enter another of `width` equal parts of their range.

    None where they go to and fro so often that this thins nothing.
    """
    low, high = _ends(values)
    scale = (width - 1) / (high - low) if high > low else 0.0
    with np.errstate(invalid="ignore"):
        part = np.floor((values - low) * scale)
    entered = np.flatnonzero(part[1:] != part[:-1]) + 1
    return entered if len(entered) <= MOST_RUNS * width else entered[:0]


def _ends(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest finite value; 0 and 1 where there is none."""
    low, high = float(values.min()), float(values.max())
    if np.isfinite(high - low):
        return low, high
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)


def _thinned_cloud(x: Floats, y: Floats, width: int) -> Ints:
    """Return the first point of every cell, and the extremes, of those points that are finite."""
    cells = -(-width // CELL)
    taken = np.zeros(cells * cells, np.bool_)
    kept = np.zeros(len(x), np.bool_)
    (left, right), (low, high) = _ends(x), _ends(y)
    box = np.array([left, right, low, high])
    _thin_cloud(np.ascontiguousarray(x), np.ascontiguousarray(y), box, cells, taken, kept)
    return np.flatnonzero(kept)


@compiled
def _thin_line(
    x: Floats, heights: Floats, low: float, scale: float, most: int, kept: Ints, extremes: Ints
) -> None:
    """Write the places to keep, run by run, and how many runs and places there are.

    It stops where there are more than `most` runs.
    """
    n, curves = len(x), len(heights)
    chosen = np.empty(2 + 2 * curves, np.intp)
    start, size, runs = 0, 0, 0
    before = -4
    for i in range(n + 1):
        if i == n:
            column = -5
        elif np.isnan(x[i]) or np.isnan(heights[0, i]):
            column = -1  # no place: a column of its own, as have both ends of infinity
        elif np.isinf(x[i]):
            column = -2 if x[i] > 0 else -3
        else:
            column = int((x[i] - low) * scale)
        if column == before:
            continue
        if i > 0:
            runs += 1
            if runs > most:
                break
            _choose(heights, start, i, chosen)
            for place in chosen:
                if size == 0 or place > kept[size - 1]:
                    kept[size] = place
                    size += 1
        start, before = i, column
    extremes[0], extremes[1] = runs, size


@compiled
def _choose(heights: Floats, start: int, stop: int, chosen: Ints) -> None:
    """Write the places of the first, the last, and of every lane's lowest and highest, in order."""
    chosen[0], chosen[1] = start, stop - 1
    for lane in range(len(heights)):
        values = heights[lane]
        lowest, highest = start, start
        least, most = np.inf, -np.inf
        for i in range(start, stop):  # a value that is undefined is neither
            value = values[i]
            if value < least:
                least, lowest = value, i
            if value > most:
                most, highest = value, i
        chosen[2 + 2 * lane], chosen[3 + 2 * lane] = lowest, highest
    for i in range(1, len(chosen)):  # a handful: sorted by insertion
        place, j = chosen[i], i
        while j > 0 and chosen[j - 1] > place:
            chosen[j] = chosen[j - 1]
            j -= 1
        chosen[j] = place


@compiled
def _thin_cloud(
    x: Floats,
    y: Floats,
    box: Floats,
    cells: int,
    taken: NDArray[np.bool_],
    kept: NDArray[np.bool_],
) -> None:
    """Mark the first point of every cell of a box (left, right, low, high), and those at its edges.

    Of several points at one edge the first is marked; and the first and the last of all.
    """
    across = (cells - 1) / (box[1] - box[0]) if box[1] > box[0] else 0.0
    up = (cells - 1) / (box[3] - box[2]) if box[3] > box[2] else 0.0
    met = np.zeros(4, np.bool_)
    last = -1
    for i in range(len(x)):
        if not (np.isfinite(x[i]) and np.isfinite(y[i])):
            continue
        cell = int((x[i] - box[0]) * across) * cells + int((y[i] - box[2]) * up)
        if not taken[cell]:
            taken[cell] = True
            kept[i] = True
        for edge in range(4):
            if not met[edge] and box[edge] == (x[i] if edge < 2 else y[i]):
                met[edge] = True
                kept[i] = True
        last = i
    if last >= 0:
        kept[last] = True
