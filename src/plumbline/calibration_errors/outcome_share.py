"""The share of rows with an event beside their mean probability: one test, and what it keeps."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide
from plumbline.dependence import GroupSums

PSEUDO_ROWS = 1.0  # weight of the prior opinion that the probabilities explain nothing


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeShares:
    """Outcome shares of groups, and how well they are known; whether they are the mean predicted.

    The test is about the mean alone: its variance is that of the residuals y - p about their mean,
    so that probabilities which are too extreme or too flat, but right on average, are not rejected.

    Attributes
    ----------
    count, effective_n : (groups,) rows, and (sum w)^2 / sum w^2
    share, mean, bias : (groups,) share of the event, its mean probability, and the difference
    sharp : (groups,) independent labels that know a share as well: the effective n divided by the
        part of the outcome's variance that the probabilities leave unexplained
    freedom : (groups,) degrees of freedom of Student's t; infinite where rows are independent
    """

    count: NDArray[np.int64]
    effective_n: Wide
    share: Wide
    mean: Wide
    bias: Wide
    sharp: Wide
    freedom: Wide

    @classmethod
    def of(
        cls,
        prob: Wide,
        observed: NDArray[np.bool_],
        weight: Wide,
        home: NDArray[Any],
        size: int,
        *,
        counted: bool = False,
        together: NDArray[Any] | None = None,
    ) -> "OutcomeShares":
        """Return the shares of `size` groups; row i is in group home[i].

        The unexplained part is sum w^2 (y - p - bias)^2 / sum w^2 (y - mean y)^2, at most 1. To
        both sums a row's worth is added, so that few rows explain nothing. Rows that are `counted`
        add w where others add w^2. Of rows that belong `together` the residuals are added up first,
        and the variance is that of these sums, where that is larger.
        """

        def total(values: Wide) -> Wide:
            return np.asarray(np.bincount(home, values, size), np.float64)

        y, square = observed.astype(np.float64), weight if counted else np.square(weight)
        whole, squares = total(weight), total(square)
        count = whole.astype(np.int64) if counted else np.bincount(home, minlength=size)
        share, mean = total(weight * y) / whole, total(weight * prob) / whole
        apart = y - prob
        bias = total(weight * apart) / whole
        own = PSEUDO_ROWS * squares / count
        apart -= bias[home]
        of_sums, freedom = None, np.full(size, np.inf)
        if together is not None:
            of_sums, freedom = _of_sums(weight * apart, weight, home, together, size)
        left, most = total(_weighted_squares(apart, square)) + own, 1.0
        if of_sums is not None:
            left, most = np.maximum(left, of_sums + own), np.inf
        del apart  # before the next: of many rows each column takes as much memory as a table's
        y -= share[home]
        raw = total(_weighted_squares(y, square)) + own
        n = whole**2 / squares
        sharp = n / np.minimum(left / raw, most)
        return cls(count, n, share, mean, bias, sharp, freedom)

    @property
    def p_value(self) -> Wide:
        """(groups,) two-sided, of the score test that the share is the mean probability."""
        from scipy.special import stdtr

        z = standardised(self.bias, self._variance, np.ones(len(self.share)))
        return np.asarray(2.0 * stdtr(self.freedom, -np.abs(z)))

    def interval(self, level: float) -> tuple[Wide, Wide]:
        """Return the ends of the shares that the same test does not reject (Wilson 1927).

        They leave the mean probability out if and only if the p-value is at most 1 - level.
        """
        return wilson(self.share, self.sharp, self._score(level))

    def accepted(self, level: float) -> tuple[Wide, Wide]:
        """Return between which shares the observed one is not rejected."""
        half = self._score(level) * np.sqrt(self._variance)
        return self.mean - half, self.mean + half

    @property
    def _variance(self) -> Wide:
        return self.mean * (1.0 - self.mean) / self.sharp

    def _score(self, level: float) -> Wide:
        """Return (groups,) how many standard errors an interval is wide on either side."""
        from scipy.special import stdtrit

        return np.asarray(stdtrit(self.freedom, (1.0 + level) / 2.0))


def _weighted_squares(values: Wide, square: Wide) -> Wide:
    """Turn values into their squares, each times what it weighs."""
    np.square(values, out=values)
    values *= square
    return values


def _of_sums(
    residual: Wide, weight: Wide, home: NDArray[Any], together: NDArray[Any], size: int
) -> tuple[Wide, Wide]:
    """Return (groups,) variances of sums of rows that belong together, and degrees of freedom."""
    sets = int(together.max()) + 1
    part, cell = np.unique(home.astype(np.int64) * sets + together, return_inverse=True)
    sums, mass, own = (
        np.bincount(cell, values, len(part)) for values in (residual, weight, np.square(weight))
    )
    alone = np.bincount(home, np.square(residual), size)
    found = GroupSums.of(np.square(sums), mass, own, alone, part // sets)
    return found.variance, found.freedom


def wilson(share: Wide, n: Wide, z: float | Wide) -> tuple[Wide, Wide]:
    """Return the ends of Wilson's interval (1927) of shares among n, z standard deviations wide.

    >>> [round(float(end), 4) for end in wilson(np.array(0.0), np.array(10.0), 1.959964)]
    [0.0, 0.2775]
    """
    middle = share + z * z / (2.0 * n)
    half = z * np.sqrt(share * (1.0 - share) / n + np.square(z / (2.0 * n)))
    scale = 1.0 + z * z / n
    return np.maximum((middle - half) / scale, 0.0), np.minimum((middle + half) / scale, 1.0)


def standardised(gap: Wide, variance: Wide, weight: Wide) -> Wide:
    """Return gap / sqrt(variance): 0 where the gap is none but for rounding, else infinite at 0."""
    gap = np.where(np.abs(gap) <= 1e-12 * weight, 0.0, gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0.0, 0.0, gap / np.sqrt(variance))
