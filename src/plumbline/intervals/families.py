"""One-parameter families of true probabilities along which a value is sought."""

from dataclasses import dataclass

import numpy as np

from plumbline.calibration import Ints, Measurable, Wide
from plumbline.intervals.smoothed import Smoothed, cells_of, softened

SPREAD, CONCENTRATED = 0.5, 2.5
GROUPS = 20
NUDGE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Probabilities on a straight line: p + t * direction, cut at 0 and made to sum to 1.

    Attributes
    ----------
    start, direction : (n, k)
    """

    start: Wide
    direction: Wide

    def at(self, t: float) -> Wide:
        """Return (n, k) probabilities."""
        moved = np.maximum(self.start + t * self.direction, 0.0)
        whole = moved.sum(axis=1, keepdims=True)
        return laid_out(np.divide(moved, whole, out=self.start.copy(), where=whole > 0))


@dataclass(frozen=True, slots=True, eq=False)
class Tilt:
    """Probabilities that are tilted: p exp(t * slope), made to sum to 1.

    Attributes
    ----------
    start, slope : (n, k)
    """

    start: Wide
    slope: Wide

    def at(self, t: float) -> Wide:
        """Return (n, k) probabilities."""
        power = t * self.slope
        moved = self.start * np.exp(power - power.max(axis=1, keepdims=True))
        whole = moved.sum(axis=1, keepdims=True)
        return laid_out(np.divide(moved, whole, out=self.start.copy(), where=whole > 0))


def laid_out(prob: Wide) -> Wide:
    """Return them in memory as tables hold them, for which the kernels are compiled."""
    return np.asfortranarray(prob) if prob.shape[1] == 2 else prob


def departures(what: Measurable, seen: Smoothed, power: float) -> tuple[Line, ...]:
    """Return lines away from the predictions, the likeliest first.

    The first goes where the residuals point: in units of their standard deviation by sign(z)
    |z|^power. A power above 1 concentrates what is wrong where the evidence is; one below 1
    spreads it. Then the opposite way, and towards what was called least likely: for an error that
    sees only one sign, or none at all in these residuals.
    """
    shape = np.sign(seen.z) * np.abs(seen.z) ** power
    largest = np.abs(shape).max()
    shape = shape / largest if largest > 0 else shape
    away = -seen.prob
    away[np.arange(len(away)), seen.prob.argmin(axis=1)] += 1.0
    lines = []
    for start in (softened(seen.prob), seen.prob):
        sigma = np.sqrt(start * (1.0 - start))
        ways = shape * sigma, -shape * sigma, np.where(start > 0, away, 0.0)
        lines = [Line(seen.prob, way) for way in ways if np.any(way != 0)]
        if lines and np.isfinite(what.at(lines[0].at(1e-3))):
            break
    return tuple(lines)


def tilt(what: Measurable, seen: Smoothed, mass: Wide) -> Tilt:
    """Return the family through the smoothed probabilities that moves the value fastest.

    Smoothed residuals are shrunk by 1 - 1 / z^2, so that chance alone moves nothing. The slope is
    the value's derivative with respect to the logarithms of the probabilities, in groups of
    entries: for two classes 20 groups by score; for more 10 of the most likely classes, 10 of the
    others.
    """
    shrink = np.maximum(1.0 - 1.0 / np.maximum(np.square(seen.z), 1e-300), 0.0)
    start = Line(softened(seen.prob), seen.residual * shrink).at(1.0)
    if not np.isfinite(what.at(start)):
        start = np.where(seen.prob > 0, start, 0.0)
        start /= start.sum(axis=1, keepdims=True)
        start = laid_out(start)
    return Tilt(start, _slope(what, start, seen.prob, mass))


def _slope(what: Measurable, start: Wide, prob: Wide, mass: Wide) -> Wide:
    """Return (n, k): the derivative per unit of weight that changes its class, in groups."""
    group = _groups(prob, mass)
    two = prob.shape[1] == 2
    moving = start * (1.0 - start) if two else start
    weight = np.bincount(group.ravel(), (moving * mass[:, None]).ravel(), GROUPS + 1)
    here = what.at(start)
    slope = np.zeros(GROUPS + 1)
    for g in range(1, GROUPS + 1):
        if weight[g] > 0:
            there = what.at(Tilt(start, (group == g).astype(np.float64)).at(NUDGE))
            slope[g] = (there - here) / (NUDGE * weight[g] / mass.sum())
    found: Wide = np.where(np.isfinite(slope), slope, 0.0)[group]
    return found


def _groups(prob: Wide, mass: Wide) -> Ints:
    """Return (n, k) numbers of the groups of entries, 0 for those that are not moved."""
    group = np.zeros(prob.shape, np.int64)
    if prob.shape[1] == 2:
        group[:, 1] = 1 + cells_of(prob[:, 1], mass, GROUPS)[0]
        return group
    top = np.zeros(prob.shape, bool)
    top[np.arange(len(prob)), prob.argmax(axis=1)] = True
    whole = np.broadcast_to(mass[:, None], prob.shape)
    half = GROUPS // 2
    for first, chosen in ((1, ~top), (1 + half, top)):
        group[chosen] = first + cells_of(prob[chosen], whole[chosen], half)[0]
    return group
