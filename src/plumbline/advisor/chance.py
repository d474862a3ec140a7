"""p-values of several statistics at once, with labels drawn from the probabilities as they are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.nulls import TIE
from plumbline.predictions.labels import rows_of_codes
from plumbline.results.formatting import counted

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

DRAWS = 999
MOST_DRAWS = 1_000_000
MOST_LABELS = 200_000_000  # drawn; of more rows, fewer times
LEAST_DRAWS = 199
AMPLE = 20  # times as many sets of labels as the level needs


def draws_for(rows: int, tests: int, *, level: float) -> int:
    """Return how many times the labels of a table are drawn.

    The smallest adjusted p-value of M tests after m draws lies between 1 / (m + 1) and
    M / (m + 1), so the draws grow with both, else nothing could be beyond chance. Raises
    ParameterError for a level so near 1 that this takes more than a million.

    >>> draws_for(5000, 13, level=0.95), draws_for(5000, 13, level=0.999)
    (999, 26000)
    >>> draws_for(10**7, 3, level=0.95), draws_for(10**7, 13, level=0.95)
    (199, 260)
    """
    needed = round(tests / (1 - level))
    if needed > MOST_DRAWS:
        raise ParameterError(
            f"`level` must be so far below 1 that {MOST_DRAWS:,} draws can tell, got {level!r}; "
            f"for {counted(tests, 'test')} take at most {1 - tests / MOST_DRAWS:g}"
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


def chance_of(found: Sequence[Floats], copies: Copies, weight: Floats) -> tuple[Floats, Floats]:
    """Return the p-values of several statistics, and those adjusted for their number.

    `found` has (statistics, 1 + m) values a copy, the observed ones first. A p-value is the share
    of all 1 + m, the observed one included, that are as large. Of several copies, which are not
    independent, twice the mean of their p-values is one, weighted by their rows (Vovk and Wang
    2020).

    >>> once = np.array([[3.0, 1.0, 2.0, 0.0]] * 2)
    >>> [p.tolist() for p in chance_of([once], Copies((np.arange(5),)), np.ones(2))]
    [[0.25, 0.25], [0.25, 0.25]]
    """
    sizes = [len(rows) for rows in copies.rows]
    means = np.average([_of_copy(values, weight) for values in found], axis=0, weights=sizes)
    own, adjusted = means if len(sizes) == 1 else np.minimum(2 * means, 1.0)
    return own, adjusted


def _of_copy(values: Floats, weight: Floats) -> Floats:
    """Return (2, statistics) p-values of (statistics, 1 + m) values, alone and adjusted.

    Step by step from the smallest p / weight, the adjusted one is the share of all sets of labels
    in which some statistic that has not had its step has as small a p / weight (Westfall and Young
    1993): those that nearly agree are hardly paid for twice, as with Holm's adjustment they would.
    """
    shares = np.array([_shares(one) for one in values])
    own, light = shares[:, 0], shares / weight[:, None]
    order = np.argsort(light[:, 0], kind="stable")
    least = np.minimum.accumulate(light[order[::-1]], axis=0)[::-1]
    adjusted = np.empty(len(own))
    reached = (least <= light[order, 0][:, None] + TIE).mean(axis=1)
    adjusted[order] = np.maximum.accumulate(reached)
    return np.stack([own, adjusted])


def _shares(values: Floats) -> Floats:
    """Return for each value the share of all that are at least as large."""
    ordered = np.sort(values)
    slack = TIE * (1 + np.abs(np.where(np.isfinite(values), values, 0.0)))
    below = np.searchsorted(ordered, values - slack, side="left")
    return np.asarray((len(values) - below) / len(values), np.float64)
