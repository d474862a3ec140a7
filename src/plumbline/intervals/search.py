"""Where along a family of true probabilities the observed value leaves the central range."""

from dataclasses import dataclass, field

import numpy as np

from plumbline.calibration import Floats, Ints, Measurable, Tally
from plumbline.intervals.families import Line, Tilt
from plumbline.nulls import TIE, resampled
from plumbline.progress import Progress

MOST_DOUBLINGS = 12
MOST_STEPS = 6
CLOSE = 0.02  # of the width of the central range: what chance leaves of 999 draws' quantiles
STRAIGHT = 0.15  # of that width: ends of the range rise and fall like a straight line
OVERSHOOT = 1.3  # so that two places come to lie on either side
HALVINGS = 12


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
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return self.what.size

    def tally(self, width: int) -> Tally:
        """Return an empty tally for `width` sets of labels."""
        return self.what.tally(width)


@dataclass(frozen=True, slots=True)
class Draws:
    """How labels are drawn: by the same chance at every place, so that places can be compared.

    Attributes
    ----------
    resamples, entropy, workers : as in `resampled`
    rank : number of the order statistics, from below and from above, of the central range
    step : called whenever a place is drawn
    """

    resamples: int
    entropy: int
    workers: int | None
    rank: int
    step: Progress | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """What a statistic does at a place of a family: its true value, and its central range.

    `fairly_low` is the 16 % quantile: a standard deviation below the middle.
    """

    truth: float
    lower: float
    upper: float
    fairly_low: float


@dataclass(frozen=True, slots=True)
class End:
    """An end of the central range: the upper one, which a value passes upwards, or the lower."""

    upper: bool

    def of(self, place: Place) -> float:
        """Return where it is."""
        return place.upper if self.upper else place.lower

    def beyond(self, place: Place, value: float) -> float:
        """Return how far the value is outside, at most 0 inside; equal is inside."""
        gap = value - place.upper if self.upper else place.lower - value
        return 0.0 if abs(gap) <= TIE * (1.0 + abs(value)) else gap


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A statistic along a family; every place is drawn once."""

    what: Measurable
    family: Line | Tilt
    draws: Draws
    known: dict[float, Place] = field(default_factory=dict)

    def truth(self, t: float) -> float:
        """Return the true value at a place."""
        return self.what.at(self.family.at(t))

    def place(self, t: float) -> Place:
        """Return a place, drawn if it is new; an undefined draw counts on both sides."""
        if t in self.known:
            return self.known[t]
        chance, draws = self.family.at(t), self.draws
        values = resampled(
            Redrawn(self.what, chance), draws.resamples, draws.entropy, workers=draws.workers
        )
        low = np.sort(np.where(np.isnan(values), -np.inf, values))
        high = np.sort(np.where(np.isnan(values), np.inf, values))
        found = Place(
            self.what.at(chance),
            float(low[draws.rank - 1]),
            float(high[-draws.rank]),
            float(low[int(0.16 * len(low))]),
        )
        self.known[t] = found
        if draws.step is not None:
            draws.step(len(self.known), 0)
        return found

    def reach(self, wanted: float, way: float) -> float:
        """Return a place on the way, 1 or -1, whose true value is about the wanted one."""
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

    def crossing(self, end: End, value: float, guess: float) -> float | None:
        """Return the true value where an end of the central range passes the observed value.

        From 0 to the guess and beyond until one place holds the value and another does not; then
        the two come closer. None where the value is never passed.
        """
        near, far = 0.0, guess
        gaps = end.beyond(self.place(near), value), end.beyond(self.place(far), value)
        for _ in range(MOST_DOUBLINGS):
            if (gaps[0] > 0) != (gaps[1] > 0):
                break
            near, far = far, _farther(near, far, *gaps)
            gaps = gaps[1], end.beyond(self.place(far), value)
        else:
            return None
        width = self.place(far).upper - self.place(far).lower
        for step in range(MOST_STEPS):
            one, other = self.place(near).truth, self.place(far).truth
            smooth = min(gaps) < 0 and max(map(abs, gaps)) <= STRAIGHT * width
            if smooth or abs(other - one) <= CLOSE * width:
                break
            middle = _between(near, far, *gaps) if step % 3 < 2 else (near + far) / 2
            gap = end.beyond(self.place(middle), value)
            if (gap > 0) == (gaps[1] > 0):
                far, gaps = middle, (gaps[0], gap)
            else:
                near, gaps = middle, (gap, gaps[1])
        one, other = self.place(near).truth, self.place(far).truth
        return one + (other - one) * _share(*gaps)


def _farther(near: float, far: float, gap_near: float, gap_far: float) -> float:
    """Return a place a bit beyond the one where the line through two gaps of one sign is 0."""
    gained = gap_near - gap_far
    steps = OVERSHOOT * gap_far / gained if gained != 0 else np.inf
    return far + (far - near) * (min(steps, 4.0) if steps > 0.1 else 1.0)


def _between(near: float, far: float, gap_near: float, gap_far: float) -> float:
    """Return a place a bit beyond the one where the line between two gaps is 0, from the closer."""
    if min(gap_near, gap_far) == 0:
        return (near + far) / 2
    share = _share(gap_near, gap_far)
    share = 1 - OVERSHOOT * (1 - share) if abs(gap_far) < abs(gap_near) else OVERSHOOT * share
    return near + (far - near) * min(max(share, 0.02), 0.98)


def _share(near: float, far: float) -> float:
    """Return where between two gaps of opposite sign 0 lies: 0 is near, 1 is far."""
    if not np.isfinite(near):
        return 1.0 if np.isfinite(far) else 0.5
    return 0.0 if not np.isfinite(far) else near / (near - far)
