"""Ranks that see through rounding, and the exact null distributions of sums of ranks."""

from itertools import permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from plumbline.comparison.folds import Floats
from plumbline.nulls import TIE

Ints = NDArray[np.int64]

MOST_CASES = 500_000  # about a tenth of a second


def twice_ranks(values: Floats) -> Ints:
    """Return twice the rank of every value, (n,), 1 for the least; equal values share the mean.

    Values that differ by rounding are equal: as floats, 0.3 - 0.2 is not quite 0.1.

    >>> twice_ranks(np.array([0.3, 0.1 + 0.2, 0.1, np.inf]))
    array([5, 5, 2, 8])
    """
    order = np.argsort(values, kind="stable")
    placed = values[order]
    finite = np.abs(placed[np.isfinite(placed)])
    room = TIE * (1 + finite.max(initial=0.0))
    with np.errstate(invalid="ignore"):  # two infinities are equal: their difference is NaN
        new = np.diff(placed) > room
    run = np.r_[0, np.cumsum(new)]
    length = np.bincount(run)
    end = np.cumsum(length)
    found = np.empty(values.size, dtype=np.int64)
    found[order] = (2 * end - length + 1)[run]
    return found


def signed_rank_null(twice: Ints) -> Floats:
    """Return P(sum of the positive = s), s = 0 .. sum, if every sign is a fair coin.

    `twice` holds twice the ranks of the differences that are not zero, so s counts halves.

    >>> signed_rank_null(np.array([2, 4]))
    array([0.25, 0.  , 0.25, 0.  , 0.25, 0.  , 0.25])
    """
    null = np.zeros(int(twice.sum()) + 1)
    null[0] = 1.0
    reached = 0
    for rank in twice.tolist():
        null[: reached + 1] /= 2
        null[rank : reached + rank + 1] += null[: reached + 1].copy()
        reached += rank
    return null


def friedman_p_value(twice: Ints) -> float | None:
    """Return the exact p-value of Friedman's test, None where there are too many cases.

    `twice` has twice the ranks, (N, K). Under the null every row is in any order alike, so the sums
    of ranks are added up row by row; their order does not matter, which keeps the cases few. Rows
    all in one order are the most extreme case, whose probability needs no adding up.

    >>> friedman_p_value(np.array([[2, 4, 6]] * 3))
    0.027777777777777776
    """
    if (twice == twice[0]).all():
        ties = np.unique(twice[0], return_counts=True)[1].tolist()
        orders_of_one = factorial(twice.shape[1]) // prod(map(factorial, ties))
        return float(orders_of_one) ** (1 - len(twice))
    base = int(twice.sum()) + 1
    if twice.shape[1] > 8 or base ** twice.shape[1] >= 2**62:
        return None
    sums, weight = np.sort(twice[:1], axis=1), np.ones(1, dtype=np.float64)
    cases = 0
    power = base ** np.arange(twice.shape[1])
    for row in twice[1:]:
        orders = np.unique(np.array(list(permutations(row.tolist()))), axis=0)
        cases += len(sums) * len(orders)
        if cases > MOST_CASES:
            return None
        every = np.sort((sums[:, None] + orders).reshape(-1, row.size), axis=1)
        _, first, which = np.unique(every @ power, return_index=True, return_inverse=True)
        share = np.repeat(weight / len(orders), len(orders))
        sums = every[first]
        weight = np.bincount(which.ravel(), share).astype(np.float64)
    observed = (twice.sum(axis=0) ** 2).sum()
    return float(min(1.0, weight[(sums**2).sum(axis=1) >= observed].sum()))
