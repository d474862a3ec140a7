"""Has calibration changed since some reference rows, whatever it was then?

Rows are divided into cells of the predicted probability. If nothing changed, the log odds of a cell
differ from those predicted by a constant, which nobody knows. Of the events of a cell, before and
in a window together, the number in the window then follows Fisher's noncentral hypergeometric
distribution, which does not depend on that constant. Its place in this distribution, at random
within the jump, is uniform and independent of those of all earlier windows, as in conformal
testing. So products of likelihood ratios of these places are test martingales.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammaln, ndtri

from plumbline.monitoring.e_process import cells_of, grid
from plumbline.predictions import Predictions

Wide = NDArray[np.float64]

MOST_CELLS = 20  # a convention (docs/studies/monitoring.md)
CELL_INFORMATION = 4.0  # sum of p (1 - p) that a cell of a window should have
FARTHEST = 30.0  # standard deviations at which a distribution is cut off


@dataclass
class Baseline:
    """All rows so far, summed in cells of the predicted probability.

    Attributes
    ----------
    edges : log odds between the cells; rows of probability 0 and 1 have cells of their own
    rows, prob, variance, events : (cells,) of the reference and all windows since, the number of
        rows, and the sums of p, of p (1 - p) and of the events
    """

    edges: Wide
    rows: Wide
    prob: Wide
    variance: Wide
    events: Wide

    @classmethod
    def of(cls, parts: Sequence[tuple[Wide, Wide, Wide]], window: Predictions) -> "Baseline":
        """Sum the reference; cells fit its predictions and those of the first window.

        The labels decide nothing about the cells. Parts are what `cells_of` returns.
        """
        logit = np.concatenate([part[0] for part in parts])
        variance = np.concatenate([part[1] * _variance(part[0]) for part in parts])
        first = cells_of(window)
        information = min(variance.sum(), first[1] @ _variance(first[0]))
        count = int(np.clip(information / CELL_INFORMATION, 1, MOST_CELLS))
        baseline = cls(_edges(logit, variance, count), *np.zeros((4, count + 2)))
        for part in parts:
            baseline._add(baseline._sums(part))
        return baseline

    def log_e_values(self, window: Predictions, centre: float, rng: np.random.Generator) -> Wide:
        """Return (m,) log e-value of every alternative for a window, and add its rows."""
        now = self._sums(cells_of(window))
        n, prob, variance, events = now
        both = np.maximum(n + self.rows, 1)
        least = 1 / (both + 2)
        mean = np.clip((prob + self.prob) / both, least, 1 - least)
        floor = least * (1 - least)
        new = np.maximum(variance, n * floor)
        old = np.maximum(self.variance, self.rows * floor)
        information = new * old / np.maximum(new + old, 1e-300)
        odds = _odds(prob, n) / _odds(self.prob, self.rows)
        within = rng.random(len(n))
        score = np.zeros(len(n))
        for cell in np.flatnonzero((n > 0) & (self.rows > 0)):
            counts = n[cell], self.rows[cell], events[cell] + self.events[cell]
            score[cell] = _normal_score(events[cell], counts, odds[cell], within[cell])
        self._add(now)
        shift, slope, _ = grid()
        moved = shift[:, None] + (slope[:, None] - 1) * (np.log(mean / (1 - mean)) - centre)
        size = moved * np.sqrt(information)
        result: Wide = size @ score - (size**2).sum(axis=1) / 2
        return result

    def _sums(self, part: tuple[Wide, Wide, Wide]) -> Wide:
        """Return (4, cells) rows, sums of p and of p (1 - p), and events."""
        logit, rows, events = part
        cell = 1 + np.searchsorted(self.edges, logit, side="right")
        cell[logit == -np.inf], cell[logit == np.inf] = 0, len(self.rows) - 1
        values = rows, rows * expit(logit), rows * _variance(logit), events
        return np.stack([np.bincount(cell, one, len(self.rows)) for one in values])

    def _add(self, sums: Wide) -> None:
        self.rows, self.prob, self.variance, self.events = (
            np.stack([self.rows, self.prob, self.variance, self.events]) + sums
        )


def _variance(logit: Wide) -> Wide:
    odds = np.exp(-np.abs(logit))  # at most 1, so that no logit is too large
    result: Wide = odds / np.square(1 + odds)
    return result


def _edges(logit: Wide, variance: Wide, count: int) -> Wide:
    """Return log odds that divide the rows into at most `count` cells of equal information."""
    order = np.argsort(logit, kind="stable")
    share = np.cumsum(variance[order]) / max(variance.sum(), 1e-300)
    at = np.searchsorted(share, np.arange(1, count) / count)
    inner = logit[order][np.minimum(at, len(order) - 1)]
    return np.unique(inner[np.isfinite(inner)])


def _odds(prob: Wide, rows: Wide) -> Wide:
    """Return the odds of the mean probability; 1 where there are no rows, or all have 0 or 1."""
    sound = (prob > 0) & (prob < rows)
    result: Wide = np.divide(prob, rows - prob, out=np.ones(len(prob)), where=sound)
    return result


def _normal_score(
    events: float, counts: tuple[float, float, float], odds: float, within: float
) -> float:
    """Return where a window's events lie in their distribution, as a standard normal number.

    counts : rows of the window, rows before it, and events of both
    odds : of a row of the window over those of a row before it, if nothing changed
    within : the place within the jump at `events`, 0 to 1

    >>> abs(_normal_score(5, (10, 90, 50), 1.0, 0.5)) < 1e-9
    True
    >>> _normal_score(9, (10, 90, 50), 1.0, 0.5) > 2
    True
    """
    n, before, both = counts
    least, most = max(0.0, both - before), min(n, both)
    linear = odds * (n + both) + before - both
    mean = 2 * odds * n * both
    mean /= max(linear + np.sqrt(max(linear**2 - 2 * (odds - 1) * mean, 0.0)), 1e-300)
    free = [max(one, 1e-300) for one in (mean, n - mean, both - mean, before - both + mean)]
    far = FARTHEST * (1 + sum(1 / one for one in free) ** -0.5)
    low, high = np.floor(max(least, mean - far)), np.ceil(min(most, mean + far))
    if not low <= events <= high:
        return FARTHEST if events > high else -FARTHEST
    k = np.arange(low, high + 1)
    ways = gammaln(k + 1) + gammaln(n - k + 1) + gammaln(both - k + 1)
    log_mass = k * np.log(odds) - ways - gammaln(before - both + k + 1)
    mass = np.exp(log_mass - log_mass.max())
    mass /= mass.sum()
    at = int(events - low)
    below, above = mass[:at].sum(), mass[at + 1 :].sum()
    lower, upper = below + within * mass[at], above + (1 - within) * mass[at]
    score = ndtri(lower) if lower < upper else -ndtri(upper)
    return float(np.clip(score, -FARTHEST, FARTHEST))
