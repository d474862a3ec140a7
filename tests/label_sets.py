"""All label vectors of a small table, their chances, and what a statistic makes of them."""

import itertools
from typing import Any

import numpy as np


def label_sets(n: int, k: int) -> Any:
    """Return (n, k^n) int32: every label vector, one a column."""
    return np.ascontiguousarray(np.array([*itertools.product(range(k), repeat=n)], np.int32).T)


def chances(prob: Any, labels: Any) -> Any:
    """Return the probability of every column of labels under (n, k) probabilities."""
    return np.take_along_axis(np.asarray(prob, float), labels, axis=1).prod(axis=0)


def values_of_all(what: Any, labels: Any) -> Any:
    """Return the statistic of every column of labels, rows in the statistic's own order."""
    tally = what.tally(labels.shape[1])
    half = len(labels) // 2  # in two chunks, as long tables come
    tally.add(slice(0, half), labels[:half])
    tally.add(slice(half, len(labels)), labels[half:])
    return tally.values()
