"""Functions of all rows at once: sum, mean, rank and quantile; weight = repetition."""

from typing import Any

import numpy as np

from plumbline.formula.variables import Floats


def total(values: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the weighted sum of n values; a scalar stands for n equal ones."""
    if np.ndim(values) == 0:
        return np.float64(values * size(weights, n))
    if weights is not None:
        return np.float64((np.where(weights == 0, 0, values) * weights).sum())
    if values.dtype == np.bool_:
        return np.float64(np.count_nonzero(values))
    return np.float64(values.sum())


def size(weights: Floats | None, n: int) -> np.float64:
    """Return the sum of the weights."""
    return np.float64(n if weights is None else weights.sum())


def mean(values: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the weighted mean; of no rows it is undefined."""
    weight = size(weights, n)
    return total(values, weights, n) / weight if weight else np.float64(np.nan)


def rank(values: Any, weights: Floats | None, n: int) -> Any:
    """Return mid-ranks, 1 for the smallest of n different values; undefined where a value is."""
    values = np.broadcast_to(values, n).astype(np.float64)
    order = np.argsort(values, kind="stable")  # NaN last
    ordered = values[order]
    heavy = np.ones(n) if weights is None else weights[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[:n])
    group = np.add.reduceat(heavy, starts) if n else heavy
    below = np.cumsum(group) - group
    middle = below + (group + 1) / 2
    result = np.empty(n)
    result[order] = np.repeat(middle, np.diff(starts, append=n))
    result[np.isnan(values)] = np.nan
    return result


def quantile(values: Any, q: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the smallest value at which the weights of the values so far reach a share q."""
    values = np.broadcast_to(values, n).astype(np.float64)
    if size(weights, n) == 0 or not 0 <= q <= 1 or np.isnan(total(values, weights, n)):
        return np.float64(np.nan)
    order = np.argsort(values, kind="stable")
    if weights is not None:
        order = order[weights[order] > 0]
    reached = np.arange(1.0, n + 1) if weights is None else np.cumsum(weights[order])
    wanted = q * reached[-1] * (1 - 1e-12)  # .7 * 10 may be a hair above 7
    return np.float64(values[order[np.searchsorted(reached, wanted)]])


AGGREGATES = {"total": total, "mean": mean, "rank": rank}
