"""Several lines become one: the mean at fixed x, or at fixed thresholds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline._result import Note
from plumbline.curves.area import false_positives
from plumbline.curves.lines import Floats, Line
from plumbline.errors import ParameterError

Ints = NDArray[np.intp]

TIE = 1e-12  # values closer than this, times the largest in sight, are the same value
INFINITE = "infinite x or y, which cannot be averaged"
NO_RANGE = "the lines have no common range of x"
NO_THRESHOLD = "no point has a threshold"
SPREAD_FOLDS = (
    "spread over folds (standard deviation, n - 1); folds share training rows, so this is not a "
    "confidence interval"
)


def vertical(lines: Sequence[Line], *, points: int, shape: str = "line") -> Line:
    """Average lines at fixed x: the mean y of the lines as functions of x.

    With [a, b] the range of x that all lines have in common, a the largest of their least x and b
    the smallest of their largest x, the grid is x_i = a + (b - a) i / (points - 1), and

        y_i = mean over lines of f(x_i),   y_sd_i = their standard deviation with n - 1

    where f joins a line's points, ordered by growing x, by straight lines; of shape "pr", which is
    precision against recall, by counts that change in a straight line. At a vertical step f is the
    last of its points in the direction of growing x: the top of a ROC curve's step. A line
    that is drawn from right to left is read backwards, so its direction does not matter; equal x
    keep the order of drawing, as they must where a line turns back.

    Lines without points, such as those of folds with one class, are left out; infinite points are
    left out and counted in `dropped`.

    Parameters
    ----------
    lines : the lines, with any number of points each
    points : size of the grid, at least 2; one point where the range is a single x
    shape : how the points of a line are joined: "line" or "pr"

    Returns
    -------
    A line of m <= `points` points, in the units of x and y, `threshold` NaN. `more` holds "y_sd"
    (NaN for one line) and "count", the lines averaged. It has no points, and a reason, where the
    lines have no range in common or none has a point.

    Raises ParameterError for no line, or for `points` below 2.

    Source: Provost, Fawcett and Kohavi (1998), The case against accuracy estimation; Fawcett
    (2006), An introduction to ROC analysis, algorithm 3; Davis and Goadrich (2006), The
    relationship between precision-recall and ROC curves.

    >>> a = Line(np.full(3, np.nan), np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.6, 1.0]))
    >>> b = Line(np.full(3, np.nan), np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.4, 1.0]))
    >>> mean = vertical([a, b], points=3)
    >>> mean.x.tolist(), mean.y.round(3).tolist(), mean.more["y_sd"].round(3).tolist()
    ([0.0, 0.5, 1.0], [0.3, 0.5, 1.0], [0.424, 0.424, 0.0])
    """
    count = whole_number("points", points, least=2)
    functions = [as_function(line, shape=shape) for line in lines]
    used = [line for line, function in zip(lines, functions, strict=True) if len(function)]
    functions = [function for function in functions if len(function)]
    dropped = _dropped(lines)
    for line in lines:
        dropped = with_infinite(dropped, line)
    if not used:
        return joined(lines, dropped=dropped, reason=_none_has_points(lines))
    low, high = max(f.x[0] for f in functions), min(f.x[-1] for f in functions)
    if low > high:
        return joined(used, dropped=dropped, reason=NO_RANGE)
    grid = even(low, high, count)
    values = np.array([function.at(grid) for function in functions])
    more = {"y_sd": _deviation(values), "count": np.full(len(grid), float(len(used)))}
    return joined(used, x=grid, y=values.mean(axis=0), more=more, dropped=dropped)


def by_threshold(lines: Sequence[Line], *, thresholds: int) -> Line:
    """Average lines at fixed thresholds: the mean x and the mean y of the points nearest to each.

    With [a, b] the range of all finite thresholds of all lines, the levels are
    t_i = a + (b - a) i / (thresholds - 1), in the order in which the lines are drawn, and before
    or after them the state without a row (an infinite threshold) where every line has it. Of each
    line counts the point whose threshold is nearest to t_i, the first in the order of drawing
    where two are equally near:

        x_i = mean over lines of x,  y_i = mean over lines of y

    so that both coordinates vary, as they do for whoever fixes a threshold.

    Lines without a finite threshold are left out.

    Parameters
    ----------
    lines : the lines, with any number of points each
    thresholds : how many, at least 2; one where all thresholds are equal

    Returns
    -------
    A line of at most `thresholds` + 1 points, in the units of x and y; `threshold` holds t_i.
    `more` holds "x_sd" and "y_sd" (standard deviation with n - 1, NaN for one line) and "count",
    the lines averaged. It has no points, and a reason, where no point has a threshold.

    Raises ParameterError for no line, or for `thresholds` below 2.

    Source: Fawcett (2006), An introduction to ROC analysis, algorithm 4; the nearest point is that
    of Biček (2009).

    >>> a = Line(np.array([np.inf, 0.8, 0.4]), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    >>> b = Line(np.array([np.inf, 0.6, 0.2]), np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0]))
    >>> mean = by_threshold([a, b], thresholds=2)
    >>> mean.threshold.tolist(), mean.x.tolist(), mean.y.tolist()
    ([inf, 0.8, 0.2], [0.0, 0.25, 1.0], [0.0, 0.75, 1.0])
    """
    count = whole_number("thresholds", thresholds, least=2)
    used = [line for line in lines if np.isfinite(line.threshold).any()]
    dropped = _dropped(lines)
    if not used:
        reason = NO_THRESHOLD if any(map(len, lines)) else _none_has_points(lines)
        return joined(lines, dropped=dropped, reason=reason)
    levels = _levels(used, count)
    nearest = [_nearest(line.threshold, levels) for line in used]
    x = np.array([line.x[place] for line, place in zip(used, nearest, strict=True)])
    y = np.array([line.y[place] for line, place in zip(used, nearest, strict=True)])
    spread = {"x_sd": _deviation(x), "y_sd": _deviation(y)}
    return joined(
        used,
        threshold=levels,
        x=x.mean(axis=0),
        y=y.mean(axis=0),
        more={**spread, "count": np.full(len(levels), float(len(used)))},
        dropped=dropped,
    )


def left_out(lines: Sequence[Line], mean: Line) -> Note | None:
    """Say how many lines are left out of an average, and why; None where it has all of them.

    >>> line = Line(np.array([0.5, 0.4]), np.array([0.0, 1.0]), np.array([0.0, 1.0]), fold="1")
    >>> nothing = Line(*np.empty((3, 0)), fold="2", reason="no row is positive")
    >>> left_out([line, nothing], vertical([line, nothing], points=3))
    '1 of 2 lines is left out of the average: no row is positive (1)'
    """
    count = int(mean.more["count"][0]) if len(mean) else len(lines)
    missing = len(lines) - count
    if not missing:
        return None
    reasons = [line.reason for line in lines if line.reason and not len(line)]
    why = ", ".join(f"{reason} ({reasons.count(reason)})" for reason in dict.fromkeys(reasons))
    verb = "is" if missing == 1 else "are"
    start = f"{missing} of {len(lines)} lines {verb} left out of the average"
    return Note(f"{start}: {why}" if why else start, "lines-left-out")


# ------------------------------------------------------------------ what smoothing needs too


def even(low: float, high: float, count: int) -> Floats:
    """Return `count` values spread evenly from `low` to `high`, both exact; one if they are equal.

    >>> even(0.0, 1.0, 11)[3] == 0.3
    np.True_
    """
    if low == high:
        return np.array([low], dtype=np.float64)
    share = np.arange(count) / (count - 1)
    return np.asarray(low * (1 - share) + high * share)


def finite(line: Line) -> NDArray[np.bool_]:
    """Return (m,) whether both coordinates of a point are numbers that a mean can hold."""
    return np.isfinite(line.x) & np.isfinite(line.y)


def row_weights(line: Line) -> Floats:
    """Return the (m,) weights of the rows that are a line's points, 1 where it has none."""
    given = line.more.get("weight")
    return np.ones(len(line)) if given is None else given


def with_infinite(dropped: Mapping[str, int], line: Line) -> dict[str, int]:
    """Return what was dropped, the points of the line that are not finite included."""
    count = len(line) - int(np.count_nonzero(finite(line)))
    return {**dropped, INFINITE: dropped.get(INFINITE, 0) + count} if count else dict(dropped)


def joined(
    lines: Sequence[Line],
    *,
    x: Floats | None = None,
    y: Floats | None = None,
    threshold: Floats | None = None,
    more: Mapping[str, Floats] | None = None,
    dropped: Mapping[str, int] | None = None,
    reason: str | None = None,
) -> Line:
    """Return new points, or none for a reason, of what the lines are of together."""
    x = np.empty(0) if x is None else x
    return Line(
        threshold=np.full(len(x), np.nan) if threshold is None else threshold,
        x=x,
        y=np.empty(0) if y is None else y,
        more=more or {},
        model=_shared([line.model for line in lines]),
        fold=_shared([line.fold for line in lines]),
        target=_shared([line.target for line in lines]),
        n=sum(line.n for line in lines),
        positives=sum(line.positives for line in lines),
        negatives=sum(line.negatives for line in lines),
        dropped=dropped or {},
        reason=reason,
    )


def _shared(names: Sequence[str | None]) -> str | None:
    return names[0] if len(set(names)) == 1 else None


def _dropped(lines: Sequence[Line]) -> dict[str, int]:
    """Add up what the lines dropped, reason by reason."""
    if not lines:
        raise ParameterError(
            "`lines` must hold at least one line to average, got none", code="nothing-named"
        )
    reasons = dict.fromkeys(reason for line in lines for reason in line.dropped)
    return {reason: sum(line.dropped.get(reason, 0) for line in lines) for reason in reasons}


def _none_has_points(lines: Sequence[Line]) -> str:
    why = next((line.reason for line in lines if line.reason), None)
    return f"none of the {len(lines)} lines has points" + (f" ({why})" if why else "")


def _deviation(values: Floats) -> Floats:
    """Return the (m,) standard deviations over (lines, m) values; NaN for one line, or infinite."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    with np.errstate(invalid="ignore"):  # at the threshold inf, x may be that threshold
        deviation: Floats = values.std(axis=0, ddof=1)
    return deviation


# ------------------------------------------------------------------ a line as a function of x


@dataclass(frozen=True, slots=True, eq=False)
class AsFunction:
    """A line as a function of x.

    Attributes
    ----------
    x : in growing order; equal x stay in the direction of growing x
    z : what changes in a straight line between neighbours: y, or of precision against recall the
        false positives, as a multiple of the positives (Davis and Goadrich 2006)
    precision : whether z are false positives
    """

    x: Floats
    z: Floats
    precision: bool = False

    def __len__(self) -> int:
        return len(self.x)

    def at(self, grid: Floats) -> Floats:
        """Return the (m,) values of y at values within the range of x."""
        z = _between(self.x, self.z, grid)
        if not self.precision:
            return z
        met = np.flatnonzero(self.x + self.z > 0)[:1]  # the first state that accepts a row
        start = float(np.sum(self.x[met] / (self.x[met] + self.z[met])))
        whole = grid + z
        y: Floats = np.divide(grid, whole, out=np.full(len(grid), start), where=whole > 0)
        return y


def as_function(line: Line, *, shape: str = "line") -> AsFunction:
    """Return a line as a function of x, its points joined as their shape is: "line" or "pr"."""
    keep = finite(line)
    x, y = line.x[keep], line.y[keep]
    if len(x) and x[-1] < x[0]:
        x, y = x[::-1], y[::-1]
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    if shape != "pr" or not len(x):
        return AsFunction(x, y)
    z = false_positives(x, y)
    if x[0] > 0:  # from the state that accepts no row, with the precision of the first that does
        x, z = np.append(0.0, x), np.append(0.0, z)
    return AsFunction(x, z, precision=True)


def _between(x: Floats, y: Floats, grid: Floats) -> Floats:
    """Return the (m,) values at grid values within the range of x, along straight lines.

    Equal means equal up to rounding: a grid value a hair below a step would else miss the step.
    """
    slack = TIE * max(abs(grid[0]), abs(grid[-1]))
    before = np.searchsorted(x, grid + slack, side="right") - 1
    after = np.minimum(before + 1, len(x) - 1)
    on_point = (x[before] >= grid - slack) | (after == before)
    step = np.where(on_point, 1.0, x[after] - x[before])
    share = np.where(on_point, 0.0, (grid - x[before]) / step)
    return np.asarray(y[before] * (1 - share) + y[after] * share)


# ------------------------------------------------------------------ the point at a threshold


def _levels(lines: Sequence[Line], count: int) -> Floats:
    """Return the thresholds to average at, in the order in which the lines are drawn."""
    drawn = [line.threshold[~np.isnan(line.threshold)] for line in lines]
    known = np.concatenate(drawn)
    known = known[np.isfinite(known)]
    starts = [bound for bound in (-np.inf, np.inf) if all((t == bound).any() for t in drawn)]
    levels = np.sort([*starts, *even(known.min(), known.max(), count)])
    upwards = any(t[0] < t[-1] for t in drawn)
    return levels if upwards else levels[::-1]


def _nearest(threshold: Floats, levels: Floats) -> Ints:
    """Return the (m,) places of the points nearest to the levels."""
    places = np.flatnonzero(np.isfinite(threshold))
    values, first = np.unique(threshold[places], return_index=True)
    right = np.minimum(np.searchsorted(values, levels), len(values) - 1)
    left = np.maximum(right - 1, 0)
    with np.errstate(invalid="ignore"):  # infinite thresholds are looked up below
        lead = np.abs(values[right] - levels) - np.abs(levels - values[left])
    tied = np.abs(lead) <= TIE * np.abs(values[[0, -1]]).max()
    earlier = np.where(first[left] < first[right], left, right)
    nearest = places[first[np.where(tied, earlier, np.where(lead < 0, right, left))]]
    for bound in levels[np.isinf(levels)]:
        nearest[levels == bound] = np.argmax(threshold == bound)
    return np.asarray(nearest)
