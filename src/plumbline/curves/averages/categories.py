"""A cloud of points over categories: one mean a category, and how uncertain it is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from plumbline._checks import open_fraction
from plumbline.curves.averages.folds import finite, joined, row_weights, with_infinite
from plumbline.curves.lines import Floats, Line
from plumbline.errors import ParameterError

NO_CATEGORY = -1  # code of a missing one
MISSING = "missing category"
NOTHING = "no point has a category"
ONE_ROW = 1e-9  # effective sizes this close to 1 are 1


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
        return joined([line], dropped=dropped, reason=line.reason or NOTHING)
    codes = _codes(line.x[keep], names)
    present, group = np.unique(codes, return_inverse=True)
    mean, more = _means(group, line.y[keep], weight[keep], coverage)
    if "weight" not in line.more:
        del more["effective_n"]
    return joined([line], x=present.astype(np.float64), y=mean, more=more, dropped=dropped)


def interval_words(level: float) -> str:
    """Say what the intervals of `category_means` are.

    >>> interval_words(0.95)
    "95 % interval of each category by itself (Wilson's of a share, Student's of a mean)"
    """
    kinds = "Wilson's of a share, Student's of a mean"
    return f"{100 * level:g} % interval of each category by itself ({kinds})"


def wilson(share: Floats, n: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's score interval of shares of n draws each.

    >>> low, high = wilson(np.array([0.0, 0.5]), np.array([10.0, 10.0]), level=0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2366], [0.2775, 0.7634])
    """
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
            f"`line.x` must hold codes of `names`, whole numbers from 0 to {len(names) - 1}, "
            f"got {wrong[0]:g}; name every category, or smooth a line whose x are numbers"
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
    freedom = np.where(n - 1 > ONE_ROW, n - 1, np.nan)
    half: Floats = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance / freedom)
    return half
