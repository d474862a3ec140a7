"""How k columns become two: one of them, or the likeliest, against the rest."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions.labels import Ints
from plumbline.predictions.probabilities import Floats

ROUGH = 1e-10  # above it is the spacing of single precision at 1, below it that of double


class Columns(NamedTuple):
    """The (n, 2) probabilities of a lens, and their logarithms where the table has them."""

    prob: Floats
    log_prob: Floats | None


def one_column(prob: Floats, log_prob: Floats | None, column: Ints | int) -> Columns:
    """Return the picked class of every row, or of all rows, against all others."""
    picked = np.broadcast_to(column, len(prob))
    log = None if log_prob is None else against_rest(log_prob, picked, rest_log_sum)
    return Columns(against_rest(prob, picked, rest_sum), log)


def among_k_likeliest(
    prob: Floats, log_prob: Floats | None, actual: Ints, k: int
) -> tuple[Columns, NDArray[np.bool_]]:
    """Return the k likeliest classes of every row against the others; is the true one in them?"""
    inside = most_likely_of_each(prob, k)
    event = np.take_along_axis(inside, actual[:, None], axis=1)[:, 0]
    log = None if log_prob is None else inside_and_outside_log(log_prob, inside)
    return Columns(inside_and_outside(prob, inside), log), event


def against_rest(values: Floats, column: Ints, pool: Callable[[Floats, Ints], Floats]) -> Floats:
    """Return (n, 2): column 1 the picked class of every row, column 0 all others pooled."""
    picked = np.take_along_axis(values, column[:, None], axis=1)[:, 0]
    out = np.empty((len(values), 2), values.dtype, order="F")
    out[:, 1] = picked
    out[:, 0] = pool(values, column)
    return out


def most_likely_of_each(prob: Floats, k: int) -> NDArray[np.bool_]:
    """Mark the k most likely classes of every row, (n, classes); on ties the first columns."""
    least = -np.partition(-prob, k - 1, axis=1)[:, k - 1 : k]
    above, tied = prob > least, prob == least
    room = k - np.count_nonzero(above, axis=1)[:, None]
    first: NDArray[np.bool_] = np.cumsum(tied, axis=1) <= room
    return np.asarray(above | (tied & first), np.bool_)


def inside_and_outside(prob: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return (n, 2): column 1 the sum of the marked classes of every row, column 0 of the others.

    A sum that is a short decimal but for rounding is that decimal, so that 0.1 + 0.2 lies on the
    edge 0.3 and ties with it.
    """
    out = np.empty((len(prob), 2), prob.dtype, order="F")
    for column, marked in ((1, inside), (0, ~inside)):
        total = np.minimum(np.where(marked, prob, 0.0).sum(axis=1, dtype=np.float64), 1.0)
        out[:, column] = short_decimals(total, prob.dtype)
    return out


def short_decimals(value: NDArray[np.float64], dtype: "np.dtype[Any]") -> NDArray[np.float64]:
    """Give a number that is a short decimal but for rounding in `dtype` that decimal."""
    eps = float(np.finfo(dtype).eps)
    short = np.round(value, 12 if eps < ROUGH else 5)
    return np.where(np.abs(value - short) <= 4 * eps * value, short, value)


def inside_and_outside_log(log_prob: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return (n, 2) logarithms of the sums of the others and of the marked classes."""
    wide = log_prob.astype(np.float64)
    parts = [np.logaddexp.reduce(np.where(m, wide, -np.inf), axis=1) for m in (~inside, inside)]
    return np.asfortranarray(np.column_stack(parts).astype(log_prob.dtype))


def rest_sum(prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Sum the probabilities of all classes but one, in float64: exact where 1 - p is not."""
    others = prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], 0.0, axis=1)
    return np.asarray(np.minimum(others.sum(axis=1), 1.0))


def rest_log_sum(log_prob: Floats, column: Ints) -> NDArray[np.float64]:
    """Return log(sum(exp(log p))) over all classes but one."""
    others = log_prob.astype(np.float64)
    np.put_along_axis(others, column[:, None], -np.inf, axis=1)
    return np.asarray(np.logaddexp.reduce(others, axis=1))
