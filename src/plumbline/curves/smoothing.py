"""Points become a line by local regression, or one mean per category."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plumbline import _checks
from plumbline._checks import open_fraction
from plumbline._result import Note
from plumbline.curves.averaging import TIE, even, finite, joined, row_weights, with_infinite
from plumbline.curves.lines import Floats, Line
from plumbline.errors import ParameterError
from plumbline.formatting import percentage
from plumbline.jit import compiled, read_only

SHORT = 1e-10  # a window this part of its weight too light is full: weights add up with rounding
FLAT = 1e-3  # a window that spreads less than this part of the range of x bears no slope
NOTHING = "there is no point to smooth"
SLACK = 0.005  # of a share beyond 0 or 1 is no more than a line is thick
OUT_OF_SHARES = Note(
    "the smoothed line of shares is outside 0 to 1 near the ends; read it there as 0 or 1",
    "out-of-shares",
)
NO_CATEGORY = -1  # code of a missing one
MISSING = "missing category"
NO_CATEGORY_HERE = "no point has a category"
ONE_ROW = 1e-9  # effective sizes this close to 1 are 1


def smooth(line: Line, *, points: int, span: float, counted: bool = False) -> Line:
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

    Biček (2009) weighs by exp(-(x_i - g)^2 / sigma) with a sigma that is not given; LOESS
    usually means the tricube over the window. Nothing clips the values: of rows with y of 0
    and 1 they can leave [0, 1] near the ends of the range.

    Parameters
    ----------
    line : the points, in any order; its `more` may hold "weight", (n,) positive weights of the rows
    points : how many values of x, at least 2; at most as many as there are distinct x
    span : share of the weight in a window, above 0 and at most 1
    counted : whether the weights count identical rows

    Returns
    -------
    A line of m <= `points` points, in the units of x and y, by growing x; `threshold` NaN, and
    `more` holds "count", the rows in the window, and "near", those nearest to the point. Infinite
    points are left out and counted in `dropped`; without a point there is a reason.

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
    if counted:
        sums[0] = sums[1]
    grid = even(x[0], x[-1], min(most, len(x)))
    value, count = fitted(x, sums, grid, share)
    middles = (grid[1:] + grid[:-1]) / 2
    near = np.bincount(np.searchsorted(middles, x), sums[0], len(grid)).astype(np.float64)
    return joined([line], x=grid, y=value, more={"count": count, "near": near}, dropped=dropped)


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
    fit_lines(unit, *read_only(sums[1], sums[2]), at, window, value)
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


def out_of_shares(rows: Line, smoothed: Line) -> list[Note]:
    """Return the note that a line of shares leaves 0 to 1, which straight pieces may do."""
    shares = bool(((rows.y >= 0) & (rows.y <= 1)).all())
    out = (smoothed.y < -SLACK) | (smoothed.y > 1 + SLACK)
    return [OUT_OF_SHARES] if shares and bool(out.any()) else []


def category_means(line: Line, names: Sequence[str], *, level: float = 0.95) -> Line:
    """Average y in each category of x, with an interval; nothing is smoothed across categories.

    In a category with weights w_i, whose effective size is n = (sum w)^2 / sum w^2,

        y = sum w_i y_i / sum w_i

    Where every y of the line is 0 or 1, the interval is Wilson's score interval of a share,

        (y + z^2 / 2n -+ z sqrt(y (1 - y) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    else Student's, y -+ t s / sqrt(n) with n - 1 degrees of freedom and

        s^2 = sum w_i (y_i - y)^2 / (sum w - sum w^2 / sum w)

    NaN where one row is all there is. The mean takes weight 2 for a row given twice; the interval
    takes a row for one draw however much it weighs. Wilson's covers at its level on average over
    all shares, at single shares near 0 or 1 more or less often (0.84 at worst for 10 rows at 0.95).

    Parameters
    ----------
    line : the points; x holds codes, 0 for the first of the names, -1 where there is none; its
        `more` may hold "weight", (n,) positive weights of the rows
    names : the categories in the order of their codes
    level : coverage of the interval, for each category by itself

    Returns
    -------
    A line of one point a category that occurs, by code; `threshold` NaN. `more` holds "count"
    (rows), "y_low", "y_high", and with weights "effective_n". Points without a category, or
    infinite, are counted in `dropped`; without a point there is a reason.

    Raises ParameterError for a code that has no name, or a level outside (0, 1).

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference;
    for the effective size Kish (1965), Survey sampling.

    >>> codes, right = np.array([0.0, 0.0, 1.0, 1.0]), np.array([1.0, 1.0, 0.0, 1.0])
    >>> means = category_means(Line(np.full(4, np.nan), codes, right), ["typical", "atypical"])
    >>> means.y.tolist(), means.more["count"].tolist(), means.more["y_low"].round(3).tolist()
    ([1.0, 0.5], [2.0, 2.0], [0.342, 0.095])
    """
    coverage = open_fraction("level", level)
    keep, weight = _kept(line), row_weights(line)
    dropped = with_infinite(line.dropped, line)
    if missing := int(np.count_nonzero(line.x == NO_CATEGORY)):
        dropped[MISSING] = missing
    if not keep.any():
        return joined([line], dropped=dropped, reason=line.reason or NO_CATEGORY_HERE)
    codes = _codes(line.x[keep], names)
    present, group = np.unique(codes, return_inverse=True)
    mean, more = _means(group, line.y[keep], weight[keep], coverage)
    if "weight" not in line.more:
        del more["effective_n"]
    return joined([line], x=present.astype(np.float64), y=mean, more=more, dropped=dropped)


def interval_words(level: float) -> str:
    """Say what the intervals of `category_means` are.

    >>> interval_words(0.95)
    "95 % CI of each category separately (Wilson's for shares, Student's for means)"
    """
    kinds = "Wilson's for shares, Student's for means"
    return f"{percentage(level)} CI of each category separately ({kinds})"


def wilson(share: Floats, n: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's score interval of shares of n draws each.

    >>> low, high = wilson(np.array([0.0, 0.5]), np.array([10.0, 10.0]), level=0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2366], [0.2775, 0.7634])
    """
    from scipy.special import ndtri

    z = -ndtri((1 - level) / 2)
    middle = share + z**2 / (2 * n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    low, high = ((middle + sign * half) / (1 + z**2 / n) for sign in (-1, 1))
    return np.clip(low, 0.0, share), np.clip(high, share, 1.0)


def _kept(line: Line) -> NDArray[np.bool_]:
    """Return (m,) whether a point counts: it has a category, numbers, and a weight."""
    counts: NDArray[np.bool_] = finite(line) & (line.x != NO_CATEGORY) & (row_weights(line) > 0)
    return counts


def _codes(x: Floats, names: Sequence[str]) -> NDArray[np.int64]:
    """Return the codes as whole numbers that all have a name."""
    wrong = x[(x != np.floor(x)) | (x < 0) | (x >= len(names))]
    if len(wrong):
        raise ParameterError(
            f"line.x must hold codes of `names`, whole numbers from 0 to {len(names) - 1}, got "
            f"{wrong[0]:g}; name every category, or use a line with numeric x",
            code="code-without-name",
            argument="names",
        )
    return x.astype(np.int64)


def _shares(y: Floats) -> bool:
    """Tell whether a mean of these values is a share."""
    return bool(np.isin(y, (0.0, 1.0)).all())


def _means(
    group: NDArray[np.intp], y: Floats, weight: Floats, level: float
) -> tuple[Floats, dict[str, Floats]]:
    """Return the (g,) means of the groups, and the columns that tell how sure they are."""
    total = np.bincount(group, weight)
    mean = np.bincount(group, weight * y) / total
    n = total**2 / np.bincount(group, weight**2)
    if _shares(y):
        mean = np.minimum(mean, 1.0)  # weights add up with rounding
        low, high = wilson(mean, n, level=level)
    else:
        variance = np.bincount(group, weight * (y - mean[group]) ** 2) / total
        half = _half_width(variance, n, level)
        low, high = mean - half, mean + half
    rows = np.bincount(group).astype(np.float64)
    return mean, {"count": rows, "y_low": low, "y_high": high, "effective_n": n}


def _half_width(variance: Floats, n: Floats, level: float) -> Floats:
    """Return t s / sqrt(n), s^2 = variance n / (n - 1); NaN for one row."""
    from scipy.special import stdtrit

    freedom = np.where(n - 1 > ONE_ROW, n - 1, np.nan)
    half: Floats = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance / freedom)
    return half
