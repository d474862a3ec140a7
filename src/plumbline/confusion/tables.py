"""A table of k classes seen as k tables of two: each class against the rest."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MODEST = 1e-100, 1e100  # counts between these have products and squares


class Tables(NamedTuple):
    """The four counts of tables of two classes, arrays of one shape."""

    tp: Floats
    fp: Floats
    tn: Floats
    fn: Floats

    def at(self, index: int) -> "Tables":
        """Return the tables of one class."""
        return Tables(*(count[..., index] for count in self))

    def pooled(self, among: NDArray[np.bool_]) -> "Tables":
        """Return the sums over the classes that `among` (..., k) marks."""
        return Tables(*(np.where(among, count, 0.0).sum(axis=-1) for count in self))


def scaled(values: Floats, *, like: Floats) -> Floats:
    """Return `values` over the power of 2 that brings huge or tiny counts (`like`) near 1.

    Their products then neither over- nor underflow, and no rate changes, to the last digit. Counts
    of a usual size, and what goes with them, stay as they are.

    >>> counts = np.array([0.0, 2.0**700])
    >>> scaled(counts, like=counts), scaled(np.array([3.0]), like=np.array([8.0]))
    (array([0. , 0.5]), array([3.]))
    """
    largest = float(like.max(initial=0.0))
    least, most = MODEST
    if largest == 0 or least < largest < most:
        return values
    return np.ldexp(values, -int(np.frexp(largest)[1]))


def class_tables(counts: Floats) -> Tables:
    """Return the (..., k) tables of every class of (..., k, k) counts, rows actual.

    Only sums, never differences, so that weights that are no whole numbers leave no remainders
    where there are no rows.
    """
    k = counts.shape[-1]
    each = np.arange(k)
    tp = counts[..., each, each]
    wrong = counts.copy()
    wrong[..., each, each] = 0.0
    return Tables(tp, wrong.sum(axis=-2), _elsewhere(counts), wrong.sum(axis=-1))


def _elsewhere(counts: Floats) -> Floats:
    """Return the (..., k) sums of all cells that share neither row nor column with (c, c)."""
    k = counts.shape[-1]
    each = np.arange(k)
    total = np.zeros(counts.shape[:-1])
    for rows in (1, -1):
        for columns in (1, -1):
            corner = np.zeros((*counts.shape[:-2], k + 1, k + 1))
            quarter = counts[..., ::rows, ::columns]
            corner[..., 1:, 1:] = quarter.cumsum(axis=-2).cumsum(axis=-1)
            total += corner[..., each[::rows], each[::columns]]
    return total
