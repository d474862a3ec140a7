"""Takes a statistic apart into independent variables, where it falls apart into them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Cells, Statistic, Wide
from plumbline.errors import ParameterError
from plumbline.nulls.poisson_binomial import EPS, UNLISTED, poisson_binomial
from plumbline.nulls.sums import IndependentSum, sum_of
from plumbline.progress import Progress

MOST_ATOMS = 4_000_000  # possible labels of all points, for memory's and patience's sake
MOST_BINS = 1_000


def why_not_exact(statistic: Statistic) -> str | None:
    """Return why the exact null of a statistic is not known, or None where it is.

    The words complete "resampled, because ...".
    """
    cells = statistic.cells
    if cells is None:
        many = np.count_nonzero(statistic.prob) > MOST_ATOMS
        return "there are too many points for an exact null" if many else None
    if cells.norm != 1:
        return "another norm than 1 is no sum over bins"
    if statistic.value is not None:
        return "some rows share a bin for each class, so the bins are not independent"
    if statistic.prob.shape[1] != 2:
        return "a row counts in a bin of every class, so the bins are not independent"
    pairs = _pairs(statistic, cells)
    if len(pairs) > MOST_BINS:
        return f"there are more than {MOST_BINS:,} bins"
    if any(_shared(pairs[:, c]) for c in (0, 1)):
        return "the bins of the two classes do not hold the same rows"
    if statistic.weight is not None and _mixed_weights(statistic, cells):
        return "rows of one bin differ in weight"
    return None


def parts_of(statistic: Statistic, *, progress: Progress | None = None) -> IndependentSum:
    """Return the statistic, as a function of labels drawn from `prob`, as an independent sum."""
    reason = why_not_exact(statistic)
    if reason is not None:
        raise ParameterError(
            f"there is no exact null here: {reason}; use the resampled null instead"
        )
    if statistic.cells is None:
        return _of_points(statistic)
    return _of_bins(statistic, statistic.cells, progress)


def _counts(statistic: Statistic, cells: Cells) -> NDArray[np.bool_]:
    """Tell which rows count in any bin."""
    inside: NDArray[np.bool_] = (cells.number != 0).any(axis=1)
    return inside if statistic.weight is None else inside & (statistic.weight > 0)


def _pairs(statistic: Statistic, cells: Cells) -> NDArray[Any]:
    """Return (bins, 2) cells of the two classes that rows share."""
    code = _codes(cells)
    size = len(cells.total)
    found = np.unique(code[_counts(statistic, cells)])
    return np.column_stack([found // size, found % size])


def _codes(cells: Cells) -> NDArray[np.int64]:
    number = cells.number.astype(np.int64)
    return number[:, 0] * len(cells.total) + number[:, 1]


def _shared(cell: NDArray[Any]) -> bool:
    """Tell whether a cell, other than nobody's, occurs in two pairs."""
    real = cell[cell > 0]
    return len(np.unique(real)) < len(real)


def _mixed_weights(statistic: Statistic, cells: Cells) -> bool:
    rows = _counts(statistic, cells)
    _, place = np.unique(_codes(cells)[rows], return_inverse=True)
    weight = np.asarray(statistic.weight)[rows]
    least = np.full(place.max() + 1, np.inf)
    np.minimum.at(least, place, weight)
    return bool((weight > least[place]).any())


def _normalised(statistic: Statistic) -> Wide:
    prob: Wide = statistic.prob.astype(np.float64)
    prob /= prob.sum(axis=1, keepdims=True)
    return prob


def _of_bins(statistic: Statistic, cells: Cells, progress: Progress | None) -> IndependentSum:
    """Return one variable a bin: a function of its number of hits, which is Poisson-binomial."""
    prob = _normalised(statistic)
    rows = np.flatnonzero(_counts(statistic, cells))
    pairs, place = np.unique(_codes(cells)[rows], return_inverse=True)
    order = np.argsort(place.astype(np.int16), kind="stable")  # few bins: one pass over the rows
    groups = np.split(rows[order], np.cumsum(np.bincount(place))[:-1])
    values, logs, errors, unlisted = [], [], [], 0.0
    for j, (pair, group) in enumerate(zip(pairs, groups, strict=True)):
        hits = poisson_binomial(
            np.ascontiguousarray(prob[group, 1]), np.ascontiguousarray(prob[group, 0])
        )
        h = hits.first + np.arange(len(hits.log_prob))
        first, last = divmod(int(pair), len(cells.total))
        values.append(
            _added(cells, first, (len(group) - h) / len(group))
            + _added(cells, last, h / len(group))
        )
        logs.append(hits.log_prob)
        errors.append(hits.error)
        unlisted += UNLISTED * (len(h) <= len(group))
        if progress is not None:
            progress(j + 1, len(pairs))
    return _finite_sum(values, logs, error=float(np.sum(errors)), unlisted=unlisted)


def _added(cells: Cells, cell: int, y: Wide) -> Wide:
    """Return what a cell adds for outcome shares y."""
    if cell == 0:
        return np.zeros(len(y))
    distance = cells.distance(y, cells.mean[cell], cells.rest[cell])
    return np.asarray(cells.share[cell] * distance, np.float64)


def _finite_sum(
    values: list[Wide], logs: list[Wide], *, error: float, unlisted: float
) -> IndependentSum:
    """Set infinite values aside: the sum is conditional on none of them."""
    log_finite = 0.0
    for j, (value, log_prob) in enumerate(zip(values, logs, strict=True)):
        finite = np.isfinite(value)
        if not finite.all():
            log_share = float(np.log(np.exp(log_prob[finite]).sum()))
            log_finite += log_share
            values[j], logs[j] = value[finite], log_prob[finite] - log_share
    count = np.array([len(value) for value in values], np.int64)
    atoms = np.concatenate([np.empty(0), *values]), np.concatenate([np.empty(0), *logs])
    return sum_of(*atoms, count, log_finite=log_finite, error=error, unlisted=unlisted)


def _of_points(statistic: Statistic) -> IndependentSum:
    """Return one variable a row, or one for all rows that are alike and have two values."""
    value = np.asarray(statistic.value)
    prob = _normalised(statistic)
    possible = prob > 0
    live = possible & np.isfinite(value)
    share = np.where((possible & ~live).any(axis=1), np.where(live, prob, 0.0).sum(axis=1), 1.0)
    with np.errstate(divide="ignore"):
        log_finite = float(np.log(share).sum())
        log_prob = np.log(prob) - np.log(share)[:, None]
    two = live.sum(axis=1) == 2
    others = live & ~two[:, None]
    count = others.sum(axis=1)
    values, logs, counts, error, unlisted = _of_pairs(
        value[two][live[two]].reshape(-1, 2), log_prob[two][live[two]].reshape(-1, 2)
    )
    return sum_of(
        np.concatenate([value[others], *values]),
        np.concatenate([log_prob[others], *logs]),
        np.concatenate([count[count > 0], counts]).astype(np.int64),
        log_finite=log_finite,
        error=error + 4 * EPS * len(value),
        unlisted=unlisted,
    )


def _of_pairs(
    value: Wide, log_prob: Wide
) -> tuple[list[Wide], list[Wide], list[int], float, float]:
    """Return the atoms of rows of two values, (rows, 2); rows alike become one count of hits."""
    order = np.argsort(value, axis=1, kind="stable")
    key = np.column_stack(
        [np.take_along_axis(value, order, 1), np.take_along_axis(log_prob, order, 1)]
    )
    kind, times = np.unique(key, axis=0, return_counts=True)
    single = kind[times == 1]
    values, logs = [single[:, :2].ravel()], [single[:, 2:].ravel()]
    counts, error, unlisted = [2] * len(single), 0.0, 0.0
    for (low, high, log_miss, log_hit), m in zip(kind[times > 1], times[times > 1], strict=True):
        hits = poisson_binomial(np.full(m, np.exp(log_hit)), np.full(m, np.exp(log_miss)))
        h = hits.first + np.arange(len(hits.log_prob))
        values.append(low * (m - h) + high * h)
        logs.append(hits.log_prob)
        counts.append(len(h))
        error += hits.error
        unlisted += UNLISTED * (len(h) <= m)
    return values, logs, counts, error, unlisted
