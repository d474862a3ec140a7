"""Confidence intervals by inverting tests along families of calibrated probabilities."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline._result import Result
from plumbline.calibration import (
    Drawable,
    Floats,
    Ints,
    Measurable,
    Statistic,
    Tally,
    Wide,
    counts_of,
    with_merged_rows,
)
from plumbline.dependence import Strength
from plumbline.errors import ParameterError
from plumbline.intervals.families import (
    CONCENTRATED,
    SPREAD,
    Smoothed,
    StraightFamily,
    TiltedFamily,
    departures,
    own_tilt,
    smoothed,
    tilt,
)
from plumbline.nulls import TIE, Resampling, by_bins, observed
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of

MOST_DOUBLINGS = 12  # an end is looked for up to 4,096 times as far as the first step
MOST_STEPS = 6  # of false position; it ends before where a point is CLOSE
CLOSE = 0.02  # of the width of the central range: the sampling noise of 999 draws' quantiles
STRAIGHT = 0.15  # of that width: ends of the range rise and fall like a straight line
OVERSHOOT = 1.3  # so that two points come to lie on either side
HALVINGS = 12  # of the last stretch, to 1/4,096 of it: below CLOSE
OFF_START = 2.0**-7  # of the last step, below the noise of the draws (CLOSE)
MOST_COUNTED = 20_000  # rows of a counted table, of which every point of a family costs as many


@dataclass(frozen=True, slots=True, eq=False)
class Redrawn:
    """A statistic whose labels come from other probabilities than those it judges."""

    what: Measurable
    prob: Floats

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.what.actual

    @property
    def groups(self) -> Ints | None:
        """(n,) number of the group of every row, or None."""
        return self.what.groups

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return self.what.size

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return counts_of(self.what)

    def tally(self, width: int) -> Tally:
        """Return an empty tally for `width` sets of labels."""
        return self.what.tally(width)


def redrawn(what: Measurable, prob: Wide) -> Drawable:
    """Return a statistic whose labels come from these probabilities.

    Of few bins the hits are drawn, as those of the null, and from the same random numbers.
    """
    if by_bins(what) and isinstance(what, Statistic):
        return replace(what, prob=prob)
    return Redrawn(what, prob)


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """How labels are drawn: from the same random numbers at every point of a family.

    Attributes
    ----------
    labels : the draws
    rank : number of the order statistics, from below and from above, of the central range
    step : called whenever a point is drawn
    """

    labels: Resampling
    rank: int
    step: Progress | None = None


@dataclass(frozen=True, slots=True)
class PointOnFamily:
    """What a statistic does at a point of a family: its true value, and its central range.

    `fairly_low` is the 16 % quantile: a standard deviation below the middle.
    """

    truth: float
    lower: float
    upper: float
    fairly_low: float

    @classmethod
    def of(cls, truth: float, values: Wide, rank: int) -> "PointOnFamily":
        """Return a point by what its draws gave; an undefined draw counts on both sides."""
        low = np.sort(np.where(np.isnan(values), -np.inf, values))
        high = np.sort(np.where(np.isnan(values), np.inf, values))
        fairly_low = low[int(0.16 * len(low))]
        return cls(truth, float(low[rank - 1]), float(high[-rank]), float(fairly_low))


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """An end of the central range: the upper one, which a value passes upwards, or the lower."""

    upper: bool

    def of(self, point: PointOnFamily) -> float:
        """Return where it is."""
        return point.upper if self.upper else point.lower

    def beyond(self, point: PointOnFamily, value: float) -> float:
        """Return how far the value is outside, at most 0 inside; equal is inside."""
        gap = value - point.upper if self.upper else point.lower - value
        return 0.0 if abs(gap) <= TIE * (1.0 + abs(value)) else gap


@dataclass(frozen=True, slots=True, eq=False)
class FamilySearch:
    """A statistic along a family; every point is drawn once."""

    what: Measurable
    family: StraightFamily | TiltedFamily
    draws: DrawPlan
    known: dict[float, PointOnFamily] = field(default_factory=dict)

    def truth(self, t: float) -> float:
        """Return the true value at a point."""
        return self.what.at(self.family.at(t))

    def point(self, t: float) -> PointOnFamily:
        """Return a point, drawn if it is new."""
        if t in self.known:
            return self.known[t]
        prob, draws = self.family.at(t), self.draws
        values = draws.labels.draw(redrawn(self.what, prob))
        result = PointOnFamily.of(self.what.at(prob), values, draws.rank)
        self.known[t] = result
        if draws.step is not None:
            draws.step(len(self.known), 0)
        return result

    def reach(self, wanted: float, way: float) -> float:
        """Return a point on the way, 1 or -1, whose true value is about the wanted one."""
        rising = self.truth(0.0) < wanted
        near, far = 0.0, way * 2.0**-6
        for _ in range(2 * MOST_DOUBLINGS):
            if (self.truth(far) < wanted) != rising:
                break
            near, far = far, far * 2
        else:
            return way
        for _ in range(HALVINGS):
            middle = (near + far) / 2
            if (self.truth(middle) < wanted) == rising:
                near = middle
            else:
                far = middle
        return far

    def crossing(self, end: RangeEnd, value: float, guess: float) -> float | None:
        """Return the true value where an end of the central range passes the observed value.

        From 0 to the guess and beyond until one point holds the value and another does not; then
        the two come closer. None where the value is never passed.
        """
        near, far = 0.0, guess
        gaps = end.beyond(self.point(near), value), end.beyond(self.point(far), value)
        for _ in range(MOST_DOUBLINGS):
            if (gaps[0] > 0) != (gaps[1] > 0):
                break
            near, far = far, _farther(near, far, *gaps)
            gaps = gaps[1], end.beyond(self.point(far), value)
        else:
            return None
        width = self.point(far).upper - self.point(far).lower
        for step in range(MOST_STEPS):
            one, other = self.point(near).truth, self.point(far).truth
            smooth = min(gaps) < 0 and max(map(abs, gaps)) <= STRAIGHT * width
            if smooth or abs(other - one) <= CLOSE * width:
                break
            middle = _between(near, far, *gaps) if step % 3 < 2 else (near + far) / 2
            gap = end.beyond(self.point(middle), value)
            if (gap > 0) == (gaps[1] > 0):
                far, gaps = middle, (gaps[0], gap)
            else:
                near, gaps = middle, (gap, gaps[1])
        return self._passed(near, far, *gaps)

    def _passed(self, near: float, far: float, *gaps: float) -> float:
        """Return the true value where the gap is 0, strictly off a start that is outside."""
        one, other = self.point(near).truth, self.point(far).truth
        share = _share(*gaps)
        if near == 0.0 and gaps[0] > 0:
            share = max(share, OFF_START)
        return one + (other - one) * share


def _farther(near: float, far: float, gap_near: float, gap_far: float) -> float:
    """Return a point a bit beyond the one where the line through two gaps of one sign is 0."""
    gained = gap_near - gap_far
    steps = OVERSHOOT * gap_far / gained if gained != 0 else np.inf
    return far + (far - near) * (min(steps, 4.0) if steps > 0.1 else 1.0)


def _between(near: float, far: float, gap_near: float, gap_far: float) -> float:
    """Return a point a bit beyond the one where the line between two gaps is 0, from the closer."""
    if min(gap_near, gap_far) == 0:
        return (near + far) / 2
    share = _share(gap_near, gap_far)
    share = 1 - OVERSHOOT * (1 - share) if abs(gap_far) < abs(gap_near) else OVERSHOOT * share
    return near + (far - near) * min(max(share, 0.02), 0.98)


def _share(near: float, far: float) -> float:
    """Return where between two gaps of opposite sign 0 lies: 0 is near, 1 is far.

    >>> _share(1.0, -3.0), _share(np.inf, -3.0), _share(1.0, -np.inf), _share(np.inf, -np.inf)
    (0.25, 1.0, 0.0, 0.5)
    """
    if not np.isfinite(near):
        return 1.0 if np.isfinite(far) else 0.5
    return 0.0 if not np.isfinite(far) else near / (near - far)


KINDS = ("error", "estimate")
USUAL_STEPS = 12  # points on a line that the progress bar expects


@dataclass(frozen=True, repr=False, eq=False)
class Interval(Result):
    """A confidence interval for the population value.

    Attributes
    ----------
    low, high : its ends; NaN where there is no interval
    level : confidence
    method : how it was computed
    reason : why there is none, or why it is a point
    """

    low: float
    high: float
    level: float
    method: str
    reason: str | None = None


def interval_of(
    what: Measurable,
    *,
    weight: Wide | None = None,
    kind: str = "error",
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    null_values: Wide | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    pooled: Strength | None = None,
) -> Interval:
    """Return a confidence interval for the population value given these predictions.

    The population value is the statistic of P(class | score) at these scores. All values are kept
    under which the observed one lies within the central `level` of what `resamples` sets of labels
    give (an inverted test). Labels are drawn, the predictions held fixed, from calibrated
    probabilities along lines that start at the predictions p. There they are the draws of the test
    of calibration, so that interval and p-value agree: the interval leaves out the value of
    calibrated probabilities if and only if the test rejects at 1 - level.

    - `kind` "error" (0 if the probabilities are calibrated, else positive, and estimated too high):
      p + t d, away from the predictions in the direction of smoothed residuals; d is concentrated
      for the low end and spread for the high end, the unfavourable cases. The low end is 0 exactly
      where the observed value is not above the central range of the predictions' own labels. The
      high end is that of the other kind if that is higher.
    - `kind` "estimate" (scores, slopes and the like): from p straight to smoothed probabilities q,
      beyond q along q exp(t g), and on the other side of p along p exp(t g), g being the way that
      moves the value fastest (DiCiccio and Romano 1990).

    Where the value is not finite, or the resamples are too few for the level, the ends are NaN with
    a reason.

    Parameters
    ----------
    what : Measurable
        A statistic as a function of the labels, such as `plumbline.calibration.statistic` returns.
    weight : (n,) array, optional
        Weights of the table's rows; a weighted row is one draw.
    kind : {"error", "estimate"}, default "error"
        What is estimated, as above.
    level : float, default 0.95
        Confidence, between 0 and 1.
    resamples : int, default 999
        Sets of labels drawn at every point of a family.
    rng : int, Generator or None, default 0
        Random seed.
    null_values : (resamples,) array, optional
        What labels drawn from the predictions gave, where a test has drawn them; by default the
        draws of `resampled` with this seed.
    workers : int, optional
        Threads; default: all cores. The interval does not depend on it.
    progress : callable, optional
        Called with (done, total).
    pooled : Strength, optional
        How strongly rows of a group depend, where the statistic is of a part of a table whose
        groups tell it, as in `resampled`.

    Returns
    -------
    Interval
        Its ends, the method, and why an end is missing.

    Raises
    ------
    ParameterError
        For an unknown kind, a level outside (0, 1), or weights of another length.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, statistic
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 25, [0.2, 0.4, 0.6, 0.8] * 25)
    >>> result = interval_of(statistic(data, define_error(data)), resamples=199)
    >>> round(result.low, 2), round(result.high, 2)
    (0.26, 0.39)
    """
    one_of("kind", kind, KINDS)
    whole_number("resamples", resamples, least=0)
    rank = int((1.0 - open_fraction("level", level)) / 2 * (resamples + 1) + TIE)
    value = float(observed(what))
    method = METHODS[kind]
    if not np.isfinite(value):
        return Interval(np.nan, np.nan, level, method, "no interval: the value is not finite")
    if rank < 1:
        few = f"no interval: {resamples:,} resamples are too few for a level of {level:g}"
        return Interval(np.nan, np.nan, level, method, few)
    large = counts_of(what) is not None and len(what.actual) > MOST_COUNTED
    if large and by_bins(what) and isinstance(what, Statistic):
        what = with_merged_rows(what)
    elif large:
        many = f"no interval: it would draw {len(what.actual):,} counts at every step"
        return Interval(np.nan, np.nan, level, method, many)
    mass = _mass(what, weight)
    smooth = smoothed(what.prob, what.actual, mass, counted=counts_of(what) is not None)
    labels = Resampling(resamples, entropy_of(rng), workers, pooled=pooled)
    draws = DrawPlan(labels, rank, _counted(progress))
    if null_values is None:
        null_values = labels.draw(what)
    null = PointOnFamily.of(what.at(smooth.prob), null_values, rank)
    if kind == "error":
        low, high = _of_error(what, value, smooth, mass, draws, null)
    else:
        low, high = _of_estimate(what, value, smooth, mass, draws, null)
    if progress is not None:
        progress(USUAL_STEPS, USUAL_STEPS)
    fixed = (
        "the value is the same for all outcomes that these predictions allow"
        if low == high
        else None
    )
    return Interval(low, high, level, method, fixed)


METHODS = {
    "error": "inverted test along smoothed residuals",
    "estimate": "inverted test along tilted probabilities",
}


def _of_error(
    what: Measurable,
    value: float,
    smooth: Smoothed,
    mass: Wide,
    draws: DrawPlan,
    null: PointOnFamily,
) -> tuple[float, float]:
    """Return low and high end of what is 0 at the predictions and grows away from them."""
    lines = [FamilySearch(what, line, draws) for line in departures(what, smooth, SPREAD)]
    reached = max(value, null.fairly_low)
    tilted = FamilySearch(what, tilt(what, smooth, mass), draws)
    high = max(_high_along(lines, null, reached), _end(tilted, RangeEnd(upper=False), reached))
    if RangeEnd(upper=True).beyond(null, value) <= 0:
        return 0.0, max(high, 0.0)
    path = FamilySearch(what, departures(what, smooth, CONCENTRATED)[0], draws, {0.0: null})
    guess = path.reach(max(value - 0.6 * (null.upper - null.lower), 0.1 * value), 1.0)
    low = path.crossing(RangeEnd(upper=True), value, guess)
    if low is None:  # every point of the line is rejected, as its start is
        low = max(point.truth for point in path.known.values())
    return min(low, max(high, value)), max(high, low)


def _of_estimate(
    what: Measurable,
    value: float,
    smooth: Smoothed,
    mass: Wide,
    draws: DrawPlan,
    null: PointOnFamily,
) -> tuple[float, float]:
    """Return both ends along a line through the predictions and the smoothed probabilities.

    Predictions and smoothed probabilities are two points of it; what the test says of the
    predictions decides on which side of them the interval lies, and how far is decided between the
    two or along the tilted line that leaves one of them.
    """
    top = FamilySearch(what, tilt(what, smooth, mass), draws)
    if not np.isfinite(null.truth):
        return _end(top, RangeEnd(upper=True), value), _end(top, RangeEnd(upper=False), value)
    there = top.point(0.0)
    line = StraightFamily(smooth.prob, top.family.start - smooth.prob)
    middle = FamilySearch(what, line, draws, {0.0: null, 1.0: there})
    own = FamilySearch(what, own_tilt(what, smooth, mass), draws, {0.0: null})
    low, high = (
        _end_through(own, middle, top, end=RangeEnd(upper), value=value) for upper in (True, False)
    )
    return low, max(low, high)


def _end_through(
    own: FamilySearch, middle: FamilySearch, top: FamilySearch, *, end: RangeEnd, value: float
) -> float:
    """Return an end along three lines: `middle` joins the points where `own` and `top` begin.

    Where the test rejects the predictions, the end is beyond their value, seen from outside the
    interval, else it is not; rounding and a value that turns back on a line change nothing of that.
    """
    null, there = own.point(0.0), top.point(0.0)
    inwards = 1.0 if end.upper else -1.0
    rejected = end.beyond(null, value) > 0
    ahead = (there.truth - null.truth) * inwards > 0  # the smoothed ones are further inside
    if ahead != rejected:
        result = _end(own, end, value)
    elif (end.beyond(there, value) > 0) == rejected:
        result = _end(top, end, value)
    else:
        crossed = middle.crossing(end, value, 1.0)
        result = there.truth if crossed is None else crossed
    if not rejected:
        return float(min(result * inwards, null.truth * inwards) * inwards)
    off = OFF_START * CLOSE * max(abs(there.truth - null.truth), abs(value - end.of(null)))
    return float(max(result * inwards, null.truth * inwards + off) * inwards)


def _high_along(lines: Sequence[FamilySearch], null: PointOnFamily, value: float) -> float:
    """Return the high end along the first line that has one, else the largest value on any."""
    values = []
    for path in lines:
        path.known[0.0] = null
        wanted = max(value, null.truth) + 0.4 * (null.upper - null.lower)
        result = path.crossing(RangeEnd(upper=False), value, path.reach(wanted, 1.0))
        if result is not None:
            return result
        values += [point.truth for point in path.known.values()]
    return max(values)


def _end(path: FamilySearch, end: RangeEnd, value: float) -> float:
    """Return an end along a family, else the farthest value on it in the direction of the end."""
    start = path.point(0.0)
    gap = value - end.of(start)
    result = path.crossing(end, value, path.reach(start.truth + gap, 1.0 if gap > 0 else -1.0))
    if result is not None:
        return result
    inside = end.beyond(start, value) <= 0
    return (min if end.upper == inside else max)(point.truth for point in path.known.values())


def _mass(what: Measurable, weight: Wide | None) -> Wide:
    """Return the weights, or counts, in the order of the statistic's own rows."""
    count = counts_of(what)
    if count is not None:
        return count
    if weight is None:
        return np.ones(len(what.actual))
    order = getattr(what, "order", None)
    mass = np.asarray(weight, np.float64)
    if order is not None:
        mass = mass[order]
    if mass.shape != (len(what.actual),):
        raise ParameterError(
            f"`weight` must hold one number for each of the {len(what.actual):,} rows, got shape "
            f"{np.shape(weight)}",
            code="wrong-length",
        )
    return mass


def _counted(progress: Progress | None) -> Callable[[int, int], None] | None:
    """Return a callback that counts the points drawn, of about a dozen."""
    if progress is None:
        return None
    done = [0]

    def count(_number: int, _whole: int) -> None:
        done[0] += 1
        progress(min(done[0], USUAL_STEPS - 1), USUAL_STEPS)

    return count
