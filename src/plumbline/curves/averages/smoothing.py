"""A cloud of points becomes a line: local linear regression."""

import numpy as np
from numpy.typing import NDArray

from plumbline import _checks
from plumbline.curves.averages.folds import TIE, even, finite, joined, row_weights, with_infinite
from plumbline.curves.lines import Floats, Line
from plumbline.jit import compiled

SHORT = 1e-10  # a window this part of its weight too light is full: weights add up with rounding
FLAT = 1e-3  # a window that spreads less than this part of the range of x bears no slope
NOTHING = "there is no point to smooth"
SLACK = 0.005  # of a share beyond 0 or 1 is no more than a line is thick
OUT_OF_SHARES = (
    "the smoothed line of shares leaves 0 to 1, as straight pieces do near the ends: read it there "
    "as 0 or 1"
)


def smooth(line: Line, *, points: int, span: float) -> Line:
    """Smooth a line by local linear regression (LOESS of degree 1, without robust steps).

    At each of `points` values g spread evenly over the range of x, the window are the points
    nearest to g that together weigh at least `span` times the weight W of all, and all as near as
    the farthest of them; with h the distance of that one, the value is a + b g of the straight line
    that minimises

        sum over rows of w_i K(|x_i - g| / h) (y_i - a - b x_i)^2,   K(u) = (1 - u^3)^3

    the tricube weights of Cleveland (1979), times the weights of the rows, of which weight 2 is a
    row given twice. Points at distance h itself have K = 0. Where no slope can be had (the window
    has one x, or its x spread less than 1/1000 of the range, as in Cleveland's own program), the
    value is the window's weighted mean.

    Biček (2009) weighs by exp(-(x_i - g)^2 / sigma) with a sigma that is not told; the tricube over
    the window is what LOESS means to everyone else. Nothing clips the values: of rows with y of 0
    and 1 they can leave [0, 1] near the ends of the range.

    Parameters
    ----------
    line : the points, in any order; its `more` may hold "weight", (n,) positive weights of the rows
    points : how many values of x, at least 2; at most as many as there are distinct x
    span : share of the weight in a window, above 0 and at most 1

    Returns
    -------
    A line of m <= `points` points, in the units of x and y, by growing x; `threshold` NaN, and
    `more` holds "count", the rows in the window. Infinite points are left out and counted in
    `dropped`; without a point there is a reason.

    Raises ParameterError for `points` below 2, or `span` outside (0, 1].

    Source: Cleveland (1979), Robust locally weighted regression and smoothing scatterplots.

    >>> x = np.arange(6.0)
    >>> smoothed = smooth(Line(np.full(6, np.nan), x, 1 + 2 * x), points=3, span=0.5)
    >>> smoothed.x.tolist(), smoothed.y.round(6).tolist(), smoothed.more["count"].tolist()
    ([0.0, 2.5, 5.0], [1.0, 6.0, 11.0], [3.0, 4.0, 3.0])
    """
    most, share = _checks.whole_number("points", points, least=2), _checks.share("span", span)
    dropped = with_infinite(line.dropped, line)
    weight = row_weights(line)
    keep = finite(line) & (weight > 0)
    if not keep.any():
        return joined([line], dropped=dropped, reason=line.reason or NOTHING)
    x, sums = distinct(line.x[keep], line.y[keep], weight[keep])
    grid = even(x[0], x[-1], min(most, len(x)))
    value, count = fitted(x, sums, grid, share)
    return joined([line], x=grid, y=value, more={"count": count}, dropped=dropped)


def distinct(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the (g,) distinct x in growing order, and (3, g) rows, sum w and sum w y of each.

    A straight line's fit depends on no more than these sums.
    """
    order = np.argsort(x)
    x, weight = x[order], weight[order]
    starts = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    rows = np.diff(np.append(starts, len(x))).astype(np.float64)
    parts = (weight, weight * y[order])
    return x[starts], np.array([rows, *(np.add.reduceat(part, starts) for part in parts)])


def fitted(x: Floats, sums: Floats, grid: Floats, span: float) -> tuple[Floats, Floats]:
    """Return the (m,) values of the local lines, and the rows in each window."""
    width = x[-1] - x[0]
    unit = (x - x[0]) / width if width > 0 else np.zeros(1)
    at = (grid - x[0]) / width if width > 0 else np.zeros(1)
    rows, mass = (np.append(0.0, np.cumsum(part)) for part in sums[:2])
    window = np.empty((len(grid), 2), np.int64)
    find_windows(unit, mass, at, span * mass[-1] * (1 - SHORT), window)
    value = np.empty(len(grid))
    fit_lines(unit, sums[1], sums[2], at, window, value)
    return value, rows[window[:, 1] + 1] - rows[window[:, 0]]


@compiled
def find_windows(
    x: Floats, mass: Floats, grid: Floats, need: float, window: NDArray[np.int64]
) -> None:
    """Write the first and last place of the nearest points that weigh `need`, for growing x.

    `mass` holds (g + 1,) the weight before each point. Both ends only ever move right with the
    grid, save for the points beyond the last window's right end that were too far.
    """
    last = len(x) - 1
    left, right = 0, 0
    for i in range(len(grid)):
        at = grid[i]
        while right < last and (
            mass[right + 1] - mass[left] < need or x[right + 1] - at <= at - x[left] + TIE
        ):
            right += 1
        while left < right:
            lead = (at - x[left]) - (x[right] - at)  # how much farther away the left end is
            from_left = left + 1 if lead >= -TIE else left
            to_right = right - 1 if lead <= TIE else right  # ends equally far leave together
            if mass[to_right + 1] - mass[from_left] < need:
                break
            left, right = from_left, to_right
        window[i, 0] = left
        window[i, 1] = right


@compiled
def fit_lines(
    x: Floats,
    weight: Floats,
    weighted_y: Floats,
    grid: Floats,
    window: NDArray[np.int64],
    value: Floats,
) -> None:
    """Write the value of the weighted straight line through each window, x being in [0, 1]."""
    for i in range(len(grid)):
        left, right, at = window[i, 0], window[i, 1], grid[i]
        reach = max(at - x[left], x[right] - at)
        edge = reach * (1.0 - TIE)
        middle = 0.5 * (x[left] + x[right])  # sums about a near point do not cancel
        first, stop = left, right + 1  # of the points that the tricube gives weight
        while first < stop and at - x[first] >= edge:
            first += 1
        while first < stop and x[stop - 1] - at >= edge:
            stop -= 1
        if first == stop:
            value[i] = weighted_y[left : right + 1].sum() / weight[left : right + 1].sum()
            continue
        w0, w1, w2, y0, y1 = 0.0, 0.0, 0.0, 0.0, 0.0
        scale = 1.0 / reach
        for j in range(first, stop):
            u = abs(x[j] - at) * scale
            rest = 1.0 - u * u * u
            tricube = rest * rest * rest
            w, wy, z = tricube * weight[j], tricube * weighted_y[j], x[j] - middle
            w0 += w
            w1 += w * z
            w2 += w * z * z
            y0 += wy
            y1 += wy * z
        mean = w1 / w0
        variance = w2 / w0 - mean * mean
        slope = (y1 - mean * y0) / w0 / variance if variance > FLAT * FLAT else 0.0
        value[i] = y0 / w0 + slope * (at - middle - mean)


def out_of_shares(rows: Line, smoothed: Line) -> list[str]:
    """Return the note that a line of shares leaves 0 to 1, which straight pieces may do."""
    shares = bool(((rows.y >= 0) & (rows.y <= 1)).all())
    out = (smoothed.y < -SLACK) | (smoothed.y > 1 + SLACK)
    return [OUT_OF_SHARES] if shares and bool(out.any()) else []
