"""Intervals for the true value of a calibration error, an estimate or a score."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline._result import Result
from plumbline.calibration import Measurable, Wide
from plumbline.errors import ParameterError
from plumbline.intervals.families import CONCENTRATED, SPREAD, departures, tilt
from plumbline.intervals.search import Draws, End, Path, Place
from plumbline.intervals.smoothed import Smoothed, smoothed
from plumbline.nulls import TIE, observed
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of

KINDS = ("error", "estimate")
USUAL_STEPS = 12


@dataclass(frozen=True, repr=False, eq=False)
class Interval(Result):
    """Between which values the true one lies, with confidence `level`.

    Attributes
    ----------
    low, high : its ends; NaN where there is no interval
    level : confidence
    method : how it was found
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
    workers: int | None = None,
    progress: Progress | None = None,
) -> Interval:
    """Return an interval for the true value: the statistic of P(class | score) at these scores.

    All values of the true one are kept under which the observed value lies within the central
    `level` of what `resamples` sets of labels give (an inverted test). Labels are drawn, the
    predictions held fixed, from true probabilities pi(t) on a line of possibilities:

    - `kind` "error" (0 if the probabilities are true, else positive, and estimated too high):
      pi(t) = p + t d, away from the predictions where smoothed residuals point; d is concentrated
      for the low end and spread for the high end, the unfavourable cases. The low end is 0 exactly
      where the observed value is not above the central range of the predictions' own labels. The
      high end is that of the other kind if that is higher.
    - `kind` "estimate" (scores, slopes and the like): pi(t) ~ q exp(t g), smoothed probabilities q
      tilted the way g that moves the value fastest (DiCiccio and Romano 1990).

    `weight` are the (n,) weights of the table's rows; a weighted row is one draw. Where the value
    is not finite, or the resamples are too few for the level, the ends are NaN with a reason.
    Raises ParameterError for an unknown kind, a level outside (0, 1), or weights of another length.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration import setting, statistic
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 25, [0.2, 0.4, 0.6, 0.8] * 25)
    >>> found = interval_of(statistic(data, setting(data)), resamples=199)
    >>> round(found.low, 2), round(found.high, 2)
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
    mass = _mass(what, weight)
    seen = smoothed(what.prob, what.actual, mass)
    draws = Draws(resamples, entropy_of(rng), workers, rank, _counted(progress))
    if kind == "error":
        low, high = _of_error(what, value, seen, mass, draws)
    else:
        path = Path(what, tilt(what, seen, mass), draws)
        low, high = (_end(path, End(upper), value) for upper in (True, False))
    if progress is not None:
        progress(USUAL_STEPS, USUAL_STEPS)
    fixed = "no labels that these predictions allow can change the value" if low == high else None
    return Interval(low, high, level, method, fixed)


METHODS = {
    "error": "inverted test along smoothed residuals",
    "estimate": "inverted test along tilted probabilities",
}


def _of_error(
    what: Measurable, value: float, seen: Smoothed, mass: Wide, draws: Draws
) -> tuple[float, float]:
    """Return low and high end of what is 0 at the predictions and grows away from them."""
    lines = [Path(what, line, draws) for line in departures(what, seen, SPREAD)]
    null = lines[0].place(0.0)
    reached = max(value, null.fairly_low)
    tilted = Path(what, tilt(what, seen, mass), draws)
    high = max(_high_along(lines, null, reached), _end(tilted, End(upper=False), reached))
    if End(upper=True).beyond(null, value) <= 0:
        return 0.0, high
    path = Path(what, departures(what, seen, CONCENTRATED)[0], draws, {0.0: null})
    guess = path.reach(max(value - 0.6 * (null.upper - null.lower), 0.1 * value), 1.0)
    low = path.crossing(End(upper=True), value, guess)
    return (0.0 if low is None else min(low, high)), high


def _high_along(lines: Sequence[Path], null: Place, value: float) -> float:
    """Return the high end along the first line that has one, else the largest value on any."""
    seen = []
    for path in lines:
        path.known[0.0] = null
        wanted = max(value, null.truth) + 0.4 * (null.upper - null.lower)
        found = path.crossing(End(upper=False), value, path.reach(wanted, 1.0))
        if found is not None:
            return found
        seen += [place.truth for place in path.known.values()]
    return max(seen)


def _end(path: Path, end: End, value: float) -> float:
    """Return an end along a family that starts near the value, else the farthest value on it."""
    start = path.place(0.0)
    gap = value - end.of(start)
    found = path.crossing(end, value, path.reach(start.truth + gap, 1.0 if gap > 0 else -1.0))
    if found is not None:
        return found
    return (min if end.upper else max)(place.truth for place in path.known.values())


def _mass(what: Measurable, weight: Wide | None) -> Wide:
    """Return the weights in the order of the statistic's own rows."""
    if weight is None:
        return np.ones(len(what.actual))
    order = getattr(what, "order", None)
    mass = np.asarray(weight, np.float64)
    if order is not None:
        mass = mass[order]
    if mass.shape != (len(what.actual),):
        raise ParameterError(
            f"`weight` must hold one number for each of the {len(what.actual):,} rows, got shape "
            f"{np.shape(weight)}"
        )
    return mass


def _counted(progress: Progress | None) -> Callable[[int, int], None] | None:
    """Return a callback that counts the places drawn, of about a dozen."""
    if progress is None:
        return None
    done = [0]

    def count(_number: int, _whole: int) -> None:
        done[0] += 1
        progress(min(done[0], USUAL_STEPS - 1), USUAL_STEPS)

    return count
