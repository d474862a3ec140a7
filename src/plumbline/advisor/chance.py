"""What chance alone would gain: maps held fixed, labels drawn from the rows as they are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor.losses import WIDER
from plumbline.calibration.statistics import Statistic, weighted
from plumbline.errors import ParameterError
from plumbline.nulls import TIE, observed, resampled
from plumbline.predictions import Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.words import counted

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

DRAWS = 999
MOST_DRAWS = 1_000_000
MOST_LABELS = 200_000_000  # drawn for one method; of more rows, fewer times
LEAST_DRAWS = 199
AMPLE = 20  # times as many sets of labels as the level needs
NEVER = -745.0  # the logarithm of the smallest float: what a map that answers 0 gets


def draws_for(rows: int, methods: int, *, level: float) -> int:
    """Return how many times the labels of a table are drawn.

    The smallest adjusted p-value of M methods after m draws lies between 1 / (m + 1) and
    M / (m + 1), so the draws grow with both, else nothing could be beyond chance. Raises
    ParameterError for a level so near 1 that this takes more than a million.

    >>> draws_for(5000, 13, level=0.95), draws_for(5000, 13, level=0.999)
    (999, 26000)
    >>> draws_for(10**7, 3, level=0.95), draws_for(10**7, 13, level=0.95)
    (199, 260)
    """
    needed = round(methods / (1 - level))
    if needed > MOST_DRAWS:
        raise ParameterError(
            f"`level` must be so far below 1 that {MOST_DRAWS:,} draws can tell, got {level!r}; "
            f"for {counted(methods, 'method')} take at most {1 - methods / MOST_DRAWS:g}"
        )
    ample = max(DRAWS, 2 * needed, round(AMPLE / (1 - level)))
    return min(ample, max(LEAST_DRAWS, needed, MOST_LABELS // rows))


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Rows by how often their example came before: in each copy every example is once at most.

    Attributes
    ----------
    rows : numbers of the rows of every copy; one copy where no example has several rows
    """

    rows: tuple[Ints, ...]

    @classmethod
    def of(cls, example: Ints) -> "Copies":
        """Deal out (n,) rows by their (n,) example numbers.

        >>> [rows.tolist() for rows in Copies.of(np.array([0, 1, 0, 2])).rows]
        [[0, 1, 3], [2]]
        """
        order = np.argsort(example, kind="stable")
        many = np.bincount(example)
        first = np.repeat(np.cumsum(many) - many, many)
        turn = np.empty(len(example), np.intp)
        turn[order] = np.arange(len(example)) - first
        return cls(tuple(rows_of_codes(turn).values()))


def gains(
    before: Predictions, after: Predictions, copies: Copies, *, entropy: int, draws: int
) -> Floats:
    """Return (copies, 1 + draws) gains in mean log likelihood, of the labels that came and drawn.

    A gain is (1/W) sum_i w_i (ln q_i,c(i) - ln p_i,c(i)) over the rows of a copy, p being before
    and q after; a class with p = 0 is never drawn, and adds nothing. All maps of a table see the
    same draws of one `entropy`.

    The drawn ones lie about their mean WIDER times as far as they came out, for the maps that are
    held fixed were fitted on each other's parts: see `losses.paired_change`.
    """
    prob = before.need_prob("recalibration")
    apart = np.zeros(prob.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q = (_logarithms(table) for table in (before, after))
        np.subtract(np.maximum(q, NEVER), p, out=apart, where=prob > 0)
    value = weighted(before, apart)
    found = np.empty((len(copies.rows), 1 + draws))
    for place, rows in enumerate(copies.rows):
        weight = None if before.weight is None else before.weight[rows]
        what = Statistic(prob[rows], before.actual[rows], weight, None, value[rows])
        found[place, 0] = observed(what)
        mean = what.at(np.asarray(prob[rows], np.float64))
        drawn = resampled(what, draws, entropy, workers=1)
        found[place, 1:] = mean + WIDER * (drawn - mean)
    return found


def _logarithms(table: Predictions) -> Floats:
    if table.log_prob is not None:
        return table.log_prob.astype(np.float64)
    logs: Floats = np.log(table.need_prob("recalibration").astype(np.float64))
    return logs


def chance_of(found: Sequence[Floats], copies: Copies) -> tuple[Floats, Floats]:
    """Return the p-values of several methods' gains, and those adjusted for their number.

    A method's p-value is the share of all 1 + m gains, the first one included, that are as large.
    Of several copies, which are not independent, twice the mean of their p-values is one, weighted
    by their rows (Vovk and Wang 2020).

    >>> once = np.array([[3.0, 1.0, 2.0, 0.0]])
    >>> [p.tolist() for p in chance_of([once, once], Copies((np.arange(5),)))]
    [[0.25, 0.25], [0.25, 0.25]]
    """
    sizes = [len(rows) for rows in copies.rows]
    each = [_of_copy(np.array([one[place] for one in found])) for place in range(len(sizes))]
    means = np.average(each, axis=0, weights=sizes)
    own, adjusted = means if len(sizes) == 1 else np.minimum(2 * means, 1.0)
    return own, adjusted


def _of_copy(values: Floats) -> Floats:
    """Return (2, methods) p-values of (methods, 1 + m) gains, alone and adjusted.

    Step by step from the smallest, the adjusted one is the share of all sets of labels in which
    some method that has not had its step has as small a p-value (Westfall and Young 1993): methods
    that nearly agree are hardly paid for twice, as with Holm's adjustment they would be.
    """
    shares = np.array([_shares(one) for one in values])
    own = shares[:, 0]
    order = np.argsort(own, kind="stable")
    least = np.minimum.accumulate(shares[order[::-1]], axis=0)[::-1]
    adjusted = np.empty(len(own))
    adjusted[order] = np.maximum.accumulate((least <= own[order][:, None] + TIE).mean(axis=1))
    return np.stack([own, adjusted])


def _shares(values: Floats) -> Floats:
    """Return for each gain the share of all that are at least as large."""
    ordered = np.sort(values)
    slack = TIE * (1 + np.abs(values))
    below = np.searchsorted(ordered, values - slack, side="left")
    return np.asarray((len(values) - below) / len(values), np.float64)
