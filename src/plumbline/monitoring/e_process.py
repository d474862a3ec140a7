"""Evidence that grows with every window, and may be looked at after each."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline.monitoring.alternatives import grid

Wide = NDArray[np.float64]


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
