"""Evidence against calibration that grows with every window and may be looked at after each.

Alternatives to calibration are shifts and changes of confidence on a fixed grid: (a, b) says
logit q = z + a + (b - 1) (z - centre) with z = logit p. The e-value of some rows is the product of
q(y) / p(y). If the rows are calibrated, its mean is 1.

Rows that are counted at the mean of their probabilities keep a mean of at most 1: with d_i =
(p_i - mean) (q / mean - (1 - q) / (1 - mean)) it is the product of (1 + d_i), the d_i sum to 0, and
the geometric mean is at most the arithmetic one. So levels never make a false alarm more likely.

Of rows in groups the e-value of a group is the mean of q(y) / p(y) over its rows: each has mean 1,
however they depend, and groups are independent, so that their product is an e-value.
"""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions import Predictions, coarsened
from plumbline.predictions.counted import DRAWN_CELLS

Wide = NDArray[np.float64]

SHIFTS: Wide = np.exp2(np.arange(1.0, -10.0, -1.0))  # a: 2 to 0.002 in log odds, both signs
SLOPES: Wide = np.exp2(np.arange(0.0, -8.0, -1.0))  # log b: 1 to 0.008, both signs
# Prior weight of a = 0, and of b = 1; octaves share the rest. A convention: the level holds for
# any weights (python studies/monitoring.py measures the power)
STAYS = 1 / 3


@cache
def grid() -> tuple[Wide, Wide, Wide]:
    """Return (m,) shifts a, (m,) slopes b and (m,) log prior weights.

    >>> shift, slope, log_weight = grid()
    >>> len(shift), round(float(np.exp(log_weight).sum()), 12), float(slope.max()) <= np.e
    (391, 1.0, True)
    """
    shift, shift_weight = _axis(SHIFTS)
    log_slope, slope_weight = _axis(SLOPES)
    a, b = np.meshgrid(shift, np.exp(log_slope), indexing="ij")
    weight = np.multiply.outer(shift_weight, slope_weight)
    return a.ravel(), b.ravel(), np.log(weight.ravel())


def _axis(sizes: Wide) -> tuple[Wide, Wide]:
    values = np.concatenate([[0.0], sizes, -sizes])
    weight = np.full(len(values), (1 - STAYS) / (2 * len(sizes)))
    weight[0] = STAYS
    return values, weight


def centre_of(data: Predictions) -> float:
    """Return the log odds about which slopes turn, a whole number near the middle of the rows.

    It looks at predictions alone, so the first window may choose it for all.

    >>> centre_of(Predictions.from_arrays([0, 1], [0.02, 0.018]))
    -4.0
    """
    logit, rows, _ = cells_of(data)
    finite = np.isfinite(logit)
    z = logit[finite]
    # n p (1 - p), where z may be so far from 0 that e^z or e^-z is too large for a float
    information = rows[finite] * np.exp(-np.logaddexp(0.0, z) - np.logaddexp(0.0, -z))
    whole = information.sum()
    return float(np.round((information * z).sum() / whole)) if whole > 0 else 0.0


def log_e_values(data: Predictions, centre: float) -> Wide:
    """Return (m,) log e-value of every alternative for the rows of a table of two classes.

    It is infinite where a class of probability 0 was observed.
    """
    shift, slope, _ = grid()
    if data.groups is not None:
        return _of_groups(data, data.groups.codes, centre)
    logit, rows, events = cells_of(data)
    if np.any((logit == -np.inf) & (events > 0)) or np.any((logit == np.inf) & (rows > events)):
        return np.full(len(shift), np.inf)
    inside = np.isfinite(logit)
    z, rows, misses = logit[inside], rows[inside], (rows - events)[inside]
    calibrated = np.logaddexp(0.0, -z)
    result = np.zeros(len(shift))
    for one in range(len(shift)):
        moved = shift[one] + (slope[one] - 1.0) * (z - centre)
        # log q(1) - log p(1) of every row, and for a miss -moved beside it
        gain = calibrated - np.logaddexp(0.0, -(z + moved))
        result[one] = rows @ gain - misses @ moved
    return result


def _of_groups(data: Predictions, groups: NDArray[np.integer[Any]], centre: float) -> Wide:
    """Return (m,) log e-values of rows in groups: sums over groups of the log of their means."""
    shift, slope, _ = grid()
    prob = data.need_prob("monitoring").astype(np.float64)
    event = data.actual == data.positive
    with np.errstate(divide="ignore"):
        logit = np.log(prob[:, data.positive]) - np.log(prob[:, 1 - data.positive])
    if np.any(np.where(event, logit == -np.inf, logit == np.inf)):
        return np.full(len(shift), np.inf)
    order = np.argsort(groups, kind="stable")
    start = np.flatnonzero(np.diff(groups[order], prepend=-1))
    size = np.diff(np.append(start, len(order)))
    z, event = logit[order], event[order]
    sure = ~np.isfinite(z)  # of probability 0 or 1, which no alternative moves
    z[sure] = 0.0
    calibrated = np.logaddexp(0.0, -z)
    result = np.zeros(len(shift))
    for one in range(len(shift)):
        moved = shift[one] + (slope[one] - 1.0) * (z - centre)
        gain = calibrated - np.logaddexp(0.0, -(z + moved)) - np.where(event, 0.0, moved)
        gain[sure] = 0.0
        most = np.maximum.reduceat(gain, start)
        sums = np.add.reduceat(np.exp(gain - np.repeat(most, size)), start)
        result[one] = (most + np.log(sums / size)).sum()
    return result


def cells_of(data: Predictions) -> tuple[Wide, Wide, Wide]:
    """Return (cells,) log odds, rows and events, of few cells even for many rows."""
    if data.stored > DRAWN_CELLS:
        data = coarsened(data if data.counted else replace(data, weight=data.mass, counted=True))
    prob = data.need_prob("monitoring").astype(np.float64)
    with np.errstate(divide="ignore"):
        logit = np.log(prob[:, data.positive]) - np.log(prob[:, 1 - data.positive])
    cell, home = np.unique(logit, return_inverse=True)
    rows: Wide = np.bincount(home, data.mass, len(cell)).astype(np.float64)
    hits = data.mass * (data.actual == data.positive)
    events: Wide = np.bincount(home, hits, len(cell)).astype(np.float64)
    return cell, rows, events


def _nothing() -> Wide:
    return np.full(len(grid()[0]), -np.inf)


@dataclass
class EProcess:
    """A mixture over alternatives, and over the window in which each begins.

    After t windows it is the sum over starts s <= t of w(s) times the e-value of windows s to t,
    and the weight of the starts that are still to come. If every window is calibrated its mean
    stays 1, so by Ville's inequality it ever reaches 1 / level with probability at most `level`.

    Attributes
    ----------
    restarts : whether a change may begin in any window, w(s) = 1 / (s (s + 1)), or only in the
        first, w(1) = 1
    windows : how many were added
    log_sums : (m,) for every alternative the log of its sum over starts: all that is kept

    Examples
    --------
    >>> process = EProcess()
    >>> process.log_e()
    0.0
    """

    restarts: bool = True
    windows: int = 0
    log_sums: Wide = field(default_factory=_nothing)

    def add(self, log_e_values: Wide) -> None:
        """Add a window, given the log e-value of every alternative."""
        self.windows += 1
        start = self._log_weight(self.windows)
        self.log_sums = np.logaddexp(self.log_sums, start) + log_e_values

    def log_e(self) -> float:
        """Return the log e-value of all windows so far."""
        to_come = -np.log(self.windows + 1.0) if self.restarts else -np.inf
        if self.windows == 0:
            return 0.0
        return float(np.logaddexp.reduce([*(self.log_sums + grid()[2]), to_come]))

    def _log_weight(self, start: int) -> float:
        if self.restarts:
            return -float(np.log(start * (start + 1.0)))
        return 0.0 if start == 1 else -np.inf


def likely_start(log_e_values: Wide) -> int:
    """Return the window, from 1, from which on the evidence up to the last is largest.

    log_e_values : (windows, m)

    >>> calm, loud = np.zeros(391), np.full(391, 2.0)
    >>> likely_start(np.stack([calm - 1, calm - 1, loud, loud]))
    3
    """
    since = np.cumsum(log_e_values[::-1], axis=0)[::-1] + grid()[2]
    return int(np.argmax(np.logaddexp.reduce(since, axis=1))) + 1
