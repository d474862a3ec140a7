"""Scores that rise already, as those of counted rows: one pass tells, and nothing is sorted.

Each function does what numpy does with any scores; few rows are left to numpy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import MANY_ROWS, compiled, read_only

EXACT = 2.0**53  # whole numbers below it add up without rounding

Floats = NDArray[np.floating[Any]]
Places = NDArray[np.int64]


def distinct_scores(score: Floats) -> tuple[Floats, Places, Places]:
    """Return the distinct scores, the first row of each, and the place of every row's score.

    >>> [part.tolist() for part in distinct_scores(np.array([0.5, 0.2, 0.5]))]
    [[0.2, 0.5], [1, 0], [1, 0, 1]]
    """
    if len(score) >= MANY_ROWS:
        home = np.empty(len(score), np.int64)
        if number_rising(*read_only(score), home):
            first = np.flatnonzero(np.diff(home, prepend=-1))
            return score[first], first, home
    distinct, first, home = np.unique(score, return_index=True, return_inverse=True)
    return distinct, first, home


def count_distinct(score: Floats) -> int:
    """Return how many different scores there are.

    >>> count_distinct(np.array([0.5, 0.2, 0.5]))
    2
    """
    rising = distinct_rising(*read_only(score)) if len(score) >= MANY_ROWS else 0
    return rising or len(np.unique(score))


def rises(score: Floats) -> bool:
    """Tell whether scores are many and never fall.

    >>> rises(np.array([0.2, 0.5]))  # so few are as quickly sorted
    False
    """
    return len(score) >= MANY_ROWS and bool(distinct_rising(*read_only(score)))


def sums_as_sorted(score: Floats, weight: Floats) -> bool:
    """Tell whether weights add up, score by score, as those of rows by score and weight do.

    They do where scores never fall, nor the weights of equal ones; or where many weights are whole
    numbers, whose sums have no rounding.

    >>> sums_as_sorted(np.array([0.2, 0.2]), np.array([1.0, 2.0]))
    True
    """
    if len(score) >= MANY_ROWS:
        return bool(add_up_as_sorted(*read_only(score, weight)))
    above, same = score[1:] > score[:-1], score[1:] == score[:-1]
    return bool((above | (same & (weight[1:] >= weight[:-1]))).all())


@compiled
def distinct_rising(score: Floats) -> int:
    """Return how many scores that rise are distinct, 0 where one falls or is NaN."""
    size = 1
    for i in range(1, len(score)):
        if score[i] > score[i - 1]:
            size += 1
        elif score[i] != score[i - 1]:
            return 0
    return size


@compiled
def number_rising(score: Floats, home: Places) -> bool:
    """Number the scores that rise; return False where one falls or is NaN."""
    home[0] = 0
    for i in range(1, len(score)):
        if score[i] > score[i - 1]:
            home[i] = home[i - 1] + 1
        elif score[i] == score[i - 1]:
            home[i] = home[i - 1]
        else:
            return False
    return True


@compiled
def add_up_as_sorted(score: Floats, weight: Floats) -> bool:
    """Tell whether scores never fall, and weights of equal ones never fall or all are whole."""
    rise, whole, total = True, weight[0] == np.floor(weight[0]), weight[0]
    for i in range(1, len(score)):
        if score[i] == score[i - 1]:
            rise = rise and weight[i] >= weight[i - 1]
        elif not score[i] > score[i - 1]:
            return False
        whole = whole and weight[i] == np.floor(weight[i])
        total += weight[i]
    return rise or (whole and total < EXACT)
