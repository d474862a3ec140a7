"""Errors of the smooth curve of R's rms: `val.prob` smooths by `lowess`, without robust steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from plumbline.calibration.definition import ErrorDefinition
from plumbline.calibration.drawable import Ints, Wide
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions

# What R's `lowess` takes unless told otherwise, and how near and far its weights are 1 and 0.
SPAN = 2 / 3
STEP = 0.01  # of the range: between places that far apart the curve is a straight line
NEAR, FAR = 0.001, 0.999  # of the reach of a window
FLAT = 0.001  # of the range: a window that spreads less bears no slope
SHORT = 1e-7  # what `lowess` adds before it cuts the number of rows to a whole one


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothPreset:
    """What another package calls a smoothed calibration error.

    Attributes
    ----------
    source : what was read: package, version, function
    meaning : how its curve is drawn, in words
    rules : the errors that it has, by the names of the catalogue
    """

    source: str
    meaning: str
    rules: Mapping[str, ProfileRule]


def _summed_up(profile: Profile, summary: Callable[[Wide, Wide], Wide]) -> ErrorOfHits:
    """Return an error that sums up (g, draws) distances of the curve, given (g,) counts."""
    line = Lowess.of(profile)
    score, count = profile.score[:, None], profile.weight

    def error(hits: Wide) -> Wide:
        return summary(np.abs(line.at_scores(hits) - score), count)

    return error


def eavg(profile: Profile) -> ErrorOfHits:
    """Make the mean over rows of the distance |lowess(p_i) - p_i|, `Eavg` of `val.prob`."""

    def mean(gap: Wide, count: Wide) -> Wide:
        out: Wide = count @ gap / count.sum()
        return out

    return _summed_up(profile, mean)


def e90(profile: Profile) -> ErrorOfHits:
    """Make R's 90 % quantile of that distance, which is interpolated between rows (type 7)."""

    def quantile(gap: Wide, count: Wide) -> Wide:
        wanted = 0.9 * (count.sum() - 1)
        below = np.floor(wanted + 1e-9)
        order = np.argsort(gap, axis=0)
        reached = np.cumsum(count[order], axis=0)
        ends = []
        for row in (below, min(below + 1, count.sum() - 1)):
            at = (reached > row + 0.5).argmax(axis=0)[None]
            found = np.take_along_axis(order, at, axis=0)
            ends.append(np.take_along_axis(gap, found, axis=0)[0])
        out: Wide = ends[0] + max(wanted - below, 0.0) * (ends[1] - ends[0])
        return out

    return _summed_up(profile, quantile)


def emax(profile: Profile) -> ErrorOfHits:
    """Make the largest such distance, `Emax` of `val.prob`."""

    def largest(gap: Wide, _: Wide) -> Wide:
        out: Wide = gap.max(axis=0)
        return out

    return _summed_up(profile, largest)


@dataclass(frozen=True, slots=True, eq=False)
class Lowess:
    """R's `lowess(p, y, f=2/3, iter=0)` of the outcome on the score, as a function of the hits.

    At a place the curve is the weighted straight line through the floor(2 n / 3) nearest rows, the
    weights (1 - (d / h)^3)^3 with h the distance of the farthest; rows within h / 1,000 weigh 1,
    those beyond 0.999 h nothing. It is fitted at scores 1/100 of the range apart, and drawn
    straight between them. It is not kept within [0, 1].

    Attributes
    ----------
    profile : the distinct scores, and how many rows have each
    places : (a,) scores, by their number, at which the line is fitted
    reach : (a,) distance of the farthest row of each window
    """

    profile: Profile
    places: Ints
    reach: Wide

    @classmethod
    def of(cls, profile: Profile) -> "Lowess":
        """Choose the places of a profile, and their windows."""
        score, count = profile.score, profile.weight
        n = count.sum()
        size = max(2, min(n, np.floor(SPAN * n + SHORT)))
        places = _places(score)
        reach = []
        for place in places:
            distance = np.abs(score - score[place])
            order = np.argsort(distance)
            filled = np.cumsum(count[order]) >= min(size, n) - 0.5
            reach.append(distance[order[filled.argmax()]])
        return cls(profile, places, np.array(reach))

    def at_scores(self, hits: Wide) -> Wide:
        """Return (g, draws) heights of the curve at the distinct scores."""
        score = self.profile.score
        fit = np.array([self._weights(j) @ hits for j in range(len(self.places))])
        if len(self.places) == 1:
            return np.repeat(fit, len(score), axis=0)
        numbers = np.arange(len(score))
        left = np.searchsorted(self.places, numbers, side="right") - 1
        left = np.minimum(left, len(self.places) - 2)
        start, stop = score[self.places[left]], score[self.places[left + 1]]
        part = ((score - start) / (stop - start))[:, None]
        out: Wide = part * fit[left + 1] + (1.0 - part) * fit[left]
        return out

    def _weights(self, j: int) -> Wide:
        """Return (g,) what a hit at a score adds to the line at a place.

        They are made anew for every use: of many scores they would not fit in memory.
        """
        score, count = self.profile.score, self.profile.weight
        reach, off = self.reach[j], score - score[self.places[j]]
        distance = np.abs(off)
        near = np.divide(distance, reach, out=np.zeros_like(off), where=reach > 0)
        weight = np.where(distance <= NEAR * reach, 1.0, (1.0 - np.minimum(near, 1.0) ** 3) ** 3)
        weight[distance > FAR * reach] = 0.0
        mass = weight * count
        whole = mass.sum()
        mean = mass @ off / whole
        variance = mass @ np.square(off - mean) / whole
        slope = np.zeros_like(off)
        if np.sqrt(variance) > FLAT * (score[-1] - score[0]):
            slope = -mean * (off - mean) / variance
        out: Wide = weight / whole * (1.0 + slope)
        return out


def _places(score: Wide) -> Ints:
    """Return the scores at which the curve is fitted: the last within a step of the one before."""
    step, last = STEP * (score[-1] - score[0]), 0
    result = [0]
    while last < len(score) - 1:
        beyond = int(np.searchsorted(score, score[last] + step, side="right"))
        last = max(last + 1, beyond - 1)
        result.append(last)
    return np.array(result, np.int64)


SMOOTH_PRESETS: Mapping[str, SmoothPreset] = {
    "rms": SmoothPreset(
        source="R's rms: val.prob",
        meaning="the curve is lowess(p, y, iter=0), local lines over 2/3 of the rows, fitted at "
        "scores 1/100 of their range apart and not kept within 0 and 1; the quantile is R's type 7",
        rules={"ici": eavg, "e90": e90, "emax": emax},
    ),
}


def smooth_rule(
    data: Predictions, definition: ErrorDefinition, metric: str, like: str
) -> ProfileRule:
    """Return a smoothed error by the conventions of another package.

    Raises ParameterError for what it does not have: the metric, weights, a view of several events.
    """
    if like not in SMOOTH_PRESETS:
        raise ParameterError(
            f"`like` {quoted(like)} smooths no curve, so it has no {quoted(metric)}; use "
            f"{' or '.join(map(quoted, SMOOTH_PRESETS))}, or leave `like` out",
            code="preset-without-metric",
        )
    preset = SMOOTH_PRESETS[like]
    if metric not in preset.rules:
        raise ParameterError(
            f"`like` {quoted(like)} has the smoothed errors {', '.join(preset.rules)}, got "
            f"{quoted(metric)}; leave it out, or ask without `like`",
            code="preset-without-metric",
        )
    if data.weight is not None and not data.counted:
        raise ParameterError(
            f"`like` {quoted(like)} has no weights, but these rows do; leave the weights out, or "
            "leave `like` out",
            code="preset-without-weights",
        )
    if definition.view == "classwise":
        raise ParameterError(
            f"`like` {quoted(like)} is of one event, got the view {quoted(definition.view)}; use "
            "'one-vs-rest:CLASS' for each class in turn",
            code="view-not-possible",
        )
    return preset.rules[metric]
