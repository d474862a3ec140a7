"""Observed against expected counts in bins: what is off in whatever shape."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import BinAssignment
from plumbline.calibration import Wide
from plumbline.calibration_tests.shapes.rows import Rows

EVENT_BINS, CLASS_BINS = "equal-size:10", "equal-size:5"
SIGNAL = 2.0  # how far bins are off if anything is: variance of that, in units of the bins' chance


@dataclass(frozen=True, slots=True, eq=False)
class FitCells:
    """Bins of an event's probability, for one event of each row or for every class in turn.

    Attributes
    ----------
    number : (n, k) cell that row i adds its weight to if its label is c; cell 0 does not count
    expected, variance : (cells,) mean and variance of the hits if the probabilities are true
    family : (cells,) the class of a cell
    """

    number: NDArray[np.int32]
    expected: Wide
    variance: Wide
    family: NDArray[np.intp]

    def log_factor(self, hits: Wide) -> Wide:
        """Return (draws,) log Bayes factors of bins that are off at random against true ones.

        If the log-odds of bin b are off by a normal deviate of variance s^2, its hits O have mean E
        and variance about V + s^2 V^2, so that the factor is the sum over bins of
        (O - E)^2 / (2 V) s^2 V / (1 + s^2 V) - ln(1 + s^2 V) / 2, with s^2 V = 2 on average.
        """
        noisy = self.variance > 0
        if not noisy.any():
            return np.zeros(hits.shape[1])
        spread = SIGNAL * self.variance / self.variance[noisy].mean()
        pull = np.divide(
            spread / (1.0 + spread) / 2.0, self.variance, out=np.zeros_like(spread), where=noisy
        )
        gap = hits - self.expected[:, None]
        return np.asarray(pull @ np.square(gap) - np.log1p(spread[noisy]).sum() / 2.0)

    def excess(self, hits: Wide) -> float:
        """Return sum_b (O - E)^2 / V_b minus its mean under true probabilities, the bins' number.

        Bins of less than one expected hit or miss count in proportion.
        """
        scale = np.maximum(self.variance, 1.0)
        return float(((np.square(hits - self.expected) - self.variance) / scale).sum())

    def under(self, prob: Wide, weight: Wide) -> "FitCells":
        """Return the same bins with what other probabilities would expect."""
        return filled(self.number, self.family, prob, weight)

    def observed(self, rows: Rows) -> Wide:
        """Return (cells,) hits of the observed labels."""
        own = self.number[np.arange(rows.n), rows.actual]
        found = np.bincount(own, rows.weight, len(self.expected))
        found[0] = 0.0
        return found.astype(np.float64)


def filled(
    number: NDArray[np.int32], family: NDArray[np.intp], prob: Wide, weight: Wide
) -> FitCells:
    """Return cells with mean and variance of their hits under these probabilities."""
    size = len(family)
    flat = number.ravel()
    expected = np.bincount(flat, (prob * weight[:, None]).ravel(), size)
    chance = prob * (1.0 - prob) * np.square(weight)[:, None]
    variance = np.bincount(flat, chance.ravel(), size)
    expected[0] = variance[0] = 0.0
    return FitCells(number, expected.astype(np.float64), variance.astype(np.float64), family)


def event_cells(rows: Rows) -> FitCells:
    """Return the bins of the probability of each row's event."""
    number = np.zeros((rows.n, rows.k), np.int32)
    every = np.arange(rows.n)
    home = BinAssignment.of(rows.prob[every, rows.event], rows.weight, EVENT_BINS)
    number[every, rows.event] = 1 + home.number
    return filled(number, np.zeros(1 + home.size, np.intp), rows.prob, rows.weight)


def class_cells(rows: Rows) -> FitCells:
    """Return the bins of the probability of every class."""
    number = np.zeros((rows.n, rows.k), np.int32)
    family = [np.zeros(1, np.intp)]
    before = 1
    for column in range(rows.k):
        home = BinAssignment.of(rows.prob[:, column], rows.weight, CLASS_BINS)
        number[:, column] = before + home.number
        family.append(np.full(home.size, column, np.intp))
        before += home.size
    return filled(number, np.concatenate(family), rows.prob, rows.weight)


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A table and its bins: of the probability of each row's event, and of every class."""

    rows: Rows
    events: FitCells
    classes: FitCells

    @classmethod
    def of(cls, rows: Rows) -> "Binned":
        """Return the bins of a table."""
        return cls(rows, event_cells(rows), class_cells(rows))
