"""What lies between the points of a curve: the convex hull of an ROC, the path of a PR curve."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.lines import Floats, Line
from plumbline.errors import ParameterError

STEPS = 100  # points of a path over recall 0 to 1, beside those of the line
MANY = 2**15  # points from which on compiling pays
ROUNDED = 2 * np.finfo(np.float64).eps  # relative area of a triangle that rounding can make


def convex_hull(line: Line) -> Line:
    """Return the upper convex hull of an ROC line, from (0, 0) to (1, 1).

    Its corners are the thresholds that are best for some cost of errors and some prevalence; what
    lies between two of them is had by choosing between both at random (Provost and Fawcett 2001).
    Points on a straight piece are left out. An end that the line lacks is added, with threshold
    inf at (0, 0) and -inf at (1, 1). Raises ParameterError where x or y leaves [0, 1].

    >>> line = Line(
    ...     np.array([np.inf, 0.8, 0.6, 0.1]),
    ...     x=np.array([0.0, 0.5, 0.5, 1.0]),
    ...     y=np.array([0.0, 0.5, 1.0, 1.0]),
    ... )
    >>> hull = convex_hull(line)
    >>> hull.x.tolist(), hull.y.tolist(), hull.threshold.tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0], [inf, 0.6, 0.1])
    """
    _in_unit_square(line, "the convex hull")
    x = np.concatenate([[0.0, 1.0], line.x])
    y = np.concatenate([[0.0, 1.0], line.y])
    threshold = np.concatenate([[np.inf, -np.inf], line.threshold])
    order = np.lexsort((y, x))  # stable: of equal points the line's own come after the added ends
    corners = np.empty(len(order) + 1, np.int64)
    walk: Any = _upper_hull
    if len(order) > MANY:
        from plumbline.jit import compiled

        walk = compiled(_upper_hull)
    walk(x[order], y[order], corners)
    kept = order[corners[1 : 1 + corners[0]]]
    return _replaced(line, threshold[kept], x[kept], y[kept])


def pr_interpolated(line: Line) -> Line:
    """Return a precision-recall line (x recall, y precision) with points of its curved path.

    Between two thresholds both counts, TP and FP, change together in a straight line, which bends
    precision: a straight line between the points would promise too much (Davis and Goadrich 2006).
    The path starts at recall 0 with the precision of the first point; there are about 100 points
    more, of threshold NaN. FP cannot be told from a precision of 0: it is taken to be that of
    the next point. Raises ParameterError where x or y leaves [0, 1].

    >>> line = Line(np.array([0.9, 0.1]), x=np.array([0.5, 1.0]), y=np.array([1.0, 0.5]))
    >>> path = pr_interpolated(line)
    >>> np.interp([0.0, 0.5, 0.75, 1.0], path.x, path.y).round(2).tolist()
    [1.0, 1.0, 0.6, 0.5]
    """
    _in_unit_square(line, "the path of a precision-recall curve")
    if not len(line):
        return line
    rising = line.x[-1] >= line.x[0]
    threshold, x, y = (a if rising else a[::-1] for a in (line.threshold, line.x, line.y))
    fp = false_positives(x, y)
    if x[0] > 0:
        threshold, x, y, fp = (
            np.append(first, rest)
            for first, rest in ((np.nan, threshold), (0.0, x), (y[0], y), (0.0, fp))
        )
    extra = np.floor(np.diff(x) * STEPS).astype(np.int64)
    left = np.repeat(np.arange(len(extra)), extra)
    nth = np.arange(len(left)) - np.repeat(np.cumsum(extra) - extra, extra) + 1
    share = nth / (extra[left] + 1)
    tp_between = x[left] + share * (x[left + 1] - x[left])
    fp_between = fp[left] + share * (fp[left + 1] - fp[left])
    columns = [
        np.insert(own, left + 1, between)
        for own, between in (
            (threshold, np.nan),
            (x, tp_between),
            (y, tp_between / (tp_between + fp_between)),
        )
    ]
    return _replaced(line, *(c if rising else c[::-1] for c in columns))


def false_positives(recall: Floats, precision: Floats) -> Floats:
    """Return false positives as a multiple of all positives; where precision is 0, the next ones.

    >>> false_positives(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.25])).tolist()
    [0.5, 0.5, 3.0]
    """
    fp = np.divide(
        recall * (1 - precision), precision, out=np.full(len(recall), np.nan), where=precision > 0
    )
    known = np.append(np.flatnonzero(precision > 0), len(fp))
    nearest = known[np.searchsorted(known, np.arange(len(fp)))]
    nearby: Floats = np.append(fp, 0.0)[nearest]
    return nearby


def _upper_hull(x: Floats, y: Floats, corners: NDArray[np.int64]) -> None:
    """Write the number of corners, then their places, of points sorted by x and y."""
    m = 0
    for j in range(len(x)):
        while m > 1:
            a, b = corners[m - 1], corners[m]
            dx, dy = x[b] - x[a], y[b] - y[a]
            ex, ey = x[j] - x[a], y[j] - y[a]
            if dx * ey - dy * ex < -ROUNDED * (dx + abs(dy) + ex + abs(ey)):
                break
            m -= 1
        if m == 1 and x[j] == x[corners[1]] and y[j] == y[corners[1]]:
            m = 0
        m += 1
        corners[m] = j
    corners[0] = m


def _in_unit_square(line: Any, what: str) -> None:
    if not isinstance(line, Line):
        raise ParameterError(
            f"{what} is that of a Line, got {type(line).__name__}; pass one of `curve.lines`"
        )
    outside = ~((line.x >= 0) & (line.x <= 1) & (line.y >= 0) & (line.y <= 1))
    if outside.any():
        j = int(np.argmax(outside))
        raise ParameterError(
            f"{what} needs x and y between 0 and 1, point {j} is ({line.x[j]:g}, {line.y[j]:g}); "
            "ask it of a curve of rates"
        )


def _replaced(line: Line, threshold: Floats, x: Floats, y: Floats) -> Line:
    return replace(line, threshold=threshold, x=x, y=y, more={}, path=None)
