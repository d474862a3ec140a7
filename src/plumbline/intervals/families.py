"""One-parameter families of calibrated probabilities, started from smoothed residuals."""

from dataclasses import dataclass

import numpy as np

from plumbline.calibration import Floats, Ints, Measurable, Wide

# Share of the rows, on either side, whose residuals are averaged: narrower faults are judged by
# their neighbours too. The coverage is that of python studies/interval_coverage.py.
WINDOW = 0.15
MOST_CELLS = 400  # of ranks: a window of 15 % still holds 120 of them
# events of all rows together, if each had this probability; coverage is as well with 1 or 1e-6
# (python studies/interval_duality.py never)
NEVER = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """Residuals y - p of every class, smoothed along its scores.

    Attributes
    ----------
    prob : (n, k) probabilities, rows that sum to 1
    residual : (n, k) mean residual of the rows with similar scores
    z : (n, k) the same in standard errors, if the probabilities are calibrated
    rows : number of rows, with those that are counted
    """

    prob: Wide
    residual: Wide
    z: Wide
    rows: float


def smoothed(prob: Floats, actual: Ints, mass: Wide, *, counted: bool = False) -> Smoothed:
    """Return the tricube mean of residuals over the ranks of the scores, for every class.

    A row counts with its weight, or as so many where it is `counted`; of two classes the second is
    smoothed and the first its mirror.
    """
    n, k = prob.shape
    rows = float(mass.sum()) if counted else float(n)
    squares = mass if counted else np.square(mass)
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)
    residual, z = np.empty((n, k)), np.empty((n, k))
    for c in range(1 if k == 2 else 0, k):
        residual[:, c], z[:, c] = _column(wide[:, c], actual == c, mass, squares, rows)
    if k == 2:
        residual[:, 0], z[:, 0] = -residual[:, 1], -z[:, 1]
    return Smoothed(wide, residual, z, rows)


def softened(prob: Wide, rows: float) -> Wide:
    """Return the probabilities, those of rows that call a class impossible moved off 0.

    Such a row is mixed with 1 / rows of the uniform vector: nothing that so many could tell apart,
    and the only way in which an event not yet observed can be possible at all. Impossible is what
    all rows together would rarely give (`NEVER`): a residual of 1 where 1e-14 was predicted is
    1e7 standard errors, beside which no other row would move.
    """
    k = prob.shape[1]
    closed = (prob < NEVER / max(rows, 2)).any(axis=1, keepdims=True)
    return np.where(closed, prob + (1.0 / k - prob) / max(rows, 2), prob)


def cells_of(score: Wide, mass: Wide, most: int) -> tuple[Ints, Wide]:
    """Return every row's cell, of at most `most` equal-size ones that split no tie, and its rank.

    Cells are numbered from 0 by rising score; the rank is the share of weight below the middle of
    the row's score.
    """
    distinct, home = np.unique(score, return_inverse=True)
    weight = np.bincount(home, mass, len(distinct))
    rank = (np.cumsum(weight) - weight / 2) / weight.sum()
    _, cell = np.unique(np.floor(rank * most), return_inverse=True)
    return cell[home], rank[home]


def _column(score: Wide, event: Ints, mass: Wide, squares: Wide, rows: float) -> tuple[Wide, Wide]:
    """Return mean residual and standard score of one class, for every row."""
    cell, rank = cells_of(score, mass, MOST_CELLS)
    spread = softened(np.column_stack([1.0 - score, score]), rows).prod(axis=1)
    weight, middle, total, variance = (
        np.bincount(cell, part)
        for part in (mass, mass * rank, mass * (event - score), squares * spread)
    )
    middle = np.divide(middle, weight, out=np.zeros_like(middle), where=weight > 0)
    kernel = np.maximum(1.0 - np.abs((middle[:, None] - middle) / WINDOW) ** 3, 0.0) ** 3
    sums, error = kernel @ total, np.sqrt(np.square(kernel) @ variance)
    around = kernel @ weight
    mean = np.divide(sums, around, out=np.zeros_like(sums), where=around > 0)
    z = np.divide(sums, error, out=np.zeros_like(sums), where=error > 0)
    return mean[cell], z[cell]


# Powers of |z|, for the least favourable direction at the high and at the low end
# (docs/studies/intervals.md; coverage by python studies/interval_coverage.py)
SPREAD, CONCENTRATED = 0.5, 2.5
GROUPS = 20  # of entries, for each of which a derivative is taken; a convention
NUDGE = 1e-3  # step of that derivative; a convention


@dataclass(frozen=True, slots=True, eq=False)
class StraightFamily:
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
class TiltedFamily:
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


def departures(what: Measurable, smooth: Smoothed, power: float) -> tuple[StraightFamily, ...]:
    """Return lines away from the predictions, the likeliest first.

    The first goes where the residuals point: in units of their standard deviation by sign(z)
    |z|^power. A power above 1 concentrates what is wrong where the evidence is; one below 1
    spreads it. Then the opposite way, and towards what was called least likely: for an error that
    sees only one sign, or none at all in these residuals.
    """
    shape = np.sign(smooth.z) * np.abs(smooth.z) ** power
    largest = np.abs(shape).max()
    shape = shape / largest if largest > 0 else shape
    away = -smooth.prob
    away[np.arange(len(away)), smooth.prob.argmin(axis=1)] += 1.0
    lines = []
    for start in (softened(smooth.prob, smooth.rows), smooth.prob):
        sigma = np.sqrt(start * (1.0 - start))
        ways = shape * sigma, -shape * sigma, np.where(start > 0, away, 0.0)
        lines = [StraightFamily(smooth.prob, way) for way in ways if np.any(way != 0)]
        if lines and np.isfinite(what.at(lines[0].at(1e-3))):
            break
    return tuple(lines)


def tilt(what: Measurable, smooth: Smoothed, mass: Wide) -> TiltedFamily:
    """Return the family through the smoothed probabilities that moves the value fastest.

    Smoothed residuals are shrunk by 1 - 1 / z^2, so that sampling noise moves nothing. The slope is
    the value's derivative with respect to the logarithms of the probabilities, in groups of
    entries: for two classes 20 groups by score; for more 10 of the most likely classes, 10 of the
    others.
    """
    shrink = np.maximum(1.0 - 1.0 / np.maximum(np.square(smooth.z), 1e-300), 0.0)
    start = StraightFamily(softened(smooth.prob, smooth.rows), smooth.residual * shrink).at(1.0)
    if not np.isfinite(what.at(start)):
        start = np.where(smooth.prob > 0, start, 0.0)
        start /= start.sum(axis=1, keepdims=True)
        start = laid_out(start)
    return TiltedFamily(start, _slope(what, start, smooth.prob, mass))


def own_tilt(what: Measurable, smooth: Smoothed, mass: Wide) -> TiltedFamily:
    """Return the family through the predictions that moves the value fastest.

    What a row calls impossible is possible to either side of the predictions (`softened`).
    """
    start = laid_out(softened(smooth.prob, smooth.rows))
    if not np.isfinite(what.at(start)):
        start = laid_out(smooth.prob)
    return TiltedFamily(start, _slope(what, start, smooth.prob, mass))


def _slope(what: Measurable, start: Wide, prob: Wide, mass: Wide) -> Wide:
    """Return (n, k): the derivative per unit of weight that changes its class, in groups."""
    group = _moved_together(prob, mass)
    two = prob.shape[1] == 2
    moving = start * (1.0 - start) if two else start
    weight = np.bincount(group.ravel(), (moving * mass[:, None]).ravel(), GROUPS + 1)
    here = what.at(start)
    slope = np.zeros(GROUPS + 1)
    for g in range(1, GROUPS + 1):
        if weight[g] > 0:
            there = what.at(TiltedFamily(start, (group == g).astype(np.float64)).at(NUDGE))
            slope[g] = (there - here) / (NUDGE * weight[g] / mass.sum())
    result: Wide = np.where(np.isfinite(slope), slope, 0.0)[group]
    return result


def _moved_together(prob: Wide, mass: Wide) -> Ints:
    """Return (n, k) numbers of the groups of entries, 0 for those that are not moved."""
    group = np.zeros(prob.shape, np.int64)
    if prob.shape[1] == 2:
        group[:, 1] = 1 + cells_of(prob[:, 1], mass, GROUPS)[0]
        return group
    top = np.zeros(prob.shape, bool)
    top[np.arange(len(prob)), prob.argmax(axis=1)] = True
    whole = np.broadcast_to(mass[:, None], prob.shape)
    half = GROUPS // 2
    for first, rows in ((1, ~top), (1 + half, top)):
        group[rows] = first + cells_of(prob[rows], whole[rows], half)[0]
    return group
