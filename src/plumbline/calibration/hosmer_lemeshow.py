"""The Hosmer-Lemeshow statistic: observed against expected counts, group by group."""

from dataclasses import replace
from typing import Any

import numpy as np

from plumbline.binning import BinsLike, OnePerPoint, binning_of
from plumbline.calibration.definition import ErrorDefinition, sum_of_others
from plumbline.calibration.drawable import Wide
from plumbline.calibration.statistics import Cells, Statistic, binned_statistic
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions

DEFAULT_BINS = "equal-size:10"
ROUNDING = 1e-12  # of a mean of 0s and 1s: gaps below it are none
LEAST_VARIANCE = 1e-12  # of a bin of probabilities 0 and 1, which can only be hit or missed


def possible_square(y: Any, p: Any, _q: Any) -> Any:
    """Return (y - p)^2, infinite where p is 0 or 1 and y is not."""
    gap = np.abs(y - p)
    impossible = ((p <= 0) | (p >= 1)) & (gap > ROUNDING)
    return np.where(impossible, np.inf, np.square(gap))


def hosmer_lemeshow(binary: Predictions, bins: BinsLike | None = None) -> Statistic:
    """Return the Hosmer-Lemeshow statistic of a two-class table as a function of the labels.

    sum_b (O_b - E_b)^2 / V_b over the bins b (default "equal-size:10"): O_b = sum w y, E_b = sum w
    p and V_b = sum w^2 p (1 - p), the variance of O_b under the predictions (Hosmer and Lemeshow
    1980). The predictions are those of a model fitted elsewhere, so the textbook null is chi-square
    with one degree of freedom for each bin whose outcome is open. A bin of probabilities 0 and 1
    only adds nothing, or infinity where an outcome of probability 0 is observed (10^12 times its
    square where the bin holds both).

    Raises InputError without probabilities, ParameterError for an unknown binning.

    >>> from plumbline.calibration import value_of
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.2, 0.2, 0.8, 0.8]).one_vs_rest("1")
    >>> round(value_of(hosmer_lemeshow(data, "equal-width:2")), 4)  # 2 (1 - .4)^2 / (2 * .16)
    1.625
    """
    scheme = binning_of(DEFAULT_BINS if bins is None else bins)
    if isinstance(scheme, OnePerPoint):
        raise ParameterError(
            "`bins` of the Hosmer-Lemeshow statistic must hold several rows, got "
            "'one-per-point'; the sum over single rows is the statistic 'chi-square'",
            code="bins-of-one-score",
        )
    definition = ErrorDefinition("one-vs-rest", scheme, "square", "class", binary.classes[1])
    return standardised(binary, binned_statistic(binary, definition))


def standardised(data: Predictions, binned: Statistic) -> Statistic:
    """Return a binned statistic as the Hosmer-Lemeshow sum over all of its cells.

    With the classwise view that is the sum over the classes, each against the rest; the cells of
    different classes depend on each other, so that only labels drawn of all classes are its null.
    """
    cells = binned.cells
    if cells is None:
        raise TypeError("one point per bin has no groups")
    unit = 1.0 if data.counted else data.mass.max()  # no square of a weight may leave its range
    share = np.square(cells.total / unit) / np.maximum(hit_variance(binned, cells), LEAST_VARIANCE)
    return replace(binned, cells=replace(cells, share=share, distance=possible_square))


def expected_counts(binned: Statistic) -> tuple[Wide, Wide]:
    """Return (bins,) how many rows of a bin are expected to be hits, and misses, if calibrated.

    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.2, 0.2, 0.8, 0.8]).one_vs_rest("1")
    >>> hits, misses = expected_counts(hosmer_lemeshow(data, "equal-width:2"))
    >>> hits.round(6).tolist(), misses.round(6).tolist()
    ([0.4, 1.6], [1.6, 0.4])
    """
    if binned.cells is None:
        raise TypeError("one point per bin has no groups")
    number, size = binned.cells.number.ravel(), len(binned.cells.total)
    prob = binned.prob.astype(np.float64)
    others = sum_of_others(prob)
    if binned.count is not None:
        prob, others = (part * binned.count[:, None] for part in (prob, others))
    hits = np.bincount(number, prob.ravel(), size).astype(np.float64)
    misses = np.bincount(number, others.ravel(), size).astype(np.float64)
    return hits[1:], misses[1:]


def hit_variance(binned: Statistic, cells: Cells) -> Wide:
    """Return (cells,) variances of the weight of the hits if the probabilities are calibrated.

    The unit is the largest weight; a count is that many rows of weight 1.
    """
    prob = binned.prob.astype(np.float64)
    row = prob * sum_of_others(prob)
    if binned.count is not None:
        row *= binned.count[:, None]
    elif binned.weight is not None:
        row *= np.square(binned.weight / binned.weight.max())[:, None]
    return np.bincount(cells.number.ravel(), row.ravel(), len(cells.total)).astype(np.float64)
