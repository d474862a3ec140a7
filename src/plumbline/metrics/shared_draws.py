"""The nulls of several statistics from as few draws of labels as possible."""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

import numpy as np

from plumbline.calibration import Drawable, ProfileStatistic, Wide
from plumbline.calibration.drawable import SameLabels, SameSums
from plumbline.metrics.decision_statistic import DecisionStatistic
from plumbline.nulls import counted_apart, observed, resampled
from plumbline.nulls.resampling import DRAWS_PER_BLOCK, LARGEST_BLOCK
from plumbline.progress import Progress, share_of

# Up to this size of all together, every statistic gets the draws that it would get alone.
LARGEST_TOGETHER = LARGEST_BLOCK // DRAWS_PER_BLOCK


def values_of(statistics: Sequence[Drawable]) -> list[float]:
    """Return the observed values."""
    result = [0.0] * len(statistics)
    for unit in _units(statistics):
        values = np.atleast_1d(observed(_unit([statistics[i] for i in unit])))
        for i, value in zip(unit, values.tolist(), strict=True):
            result[i] = value
    return result


def null_values(
    statistics: Sequence[Drawable],
    resamples: int,
    seed: int,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Wide]:
    """Return (resamples,) values under the null of every statistic: `resampled` of each alone."""
    result: list[Wide] = [np.empty(0)] * len(statistics)
    if not resamples:
        return result
    batches = list(_batches(statistics))
    for turn, batch in enumerate(batches):
        bar = share_of(progress, turn / len(batches), (turn + 1) / len(batches))
        parts = tuple(_unit([statistics[i] for i in unit]) for unit in batch)
        what = SameLabels(parts) if len(parts) > 1 or len(batch[0]) > 1 else parts[0]
        drawn = resampled(what, resamples, seed, workers=workers, progress=bar)
        for i, values in zip(
            (i for unit in batch for i in unit), np.atleast_2d(drawn), strict=True
        ):
            result[i] = values
    return result


def _unit(statistics: Sequence[Drawable]) -> Drawable:
    """Return one statistic, or several of the same sums as one."""
    if len(statistics) == 1:
        return statistics[0]
    return SameSums(tuple(s for s in statistics if _has_sums(s)))


def _batches(statistics: Sequence[Drawable]) -> Iterator[list[list[int]]]:
    """Yield units of numbers of statistics whose labels are drawn together.

    What is drawn by the hits of its bins needs no labels and is drawn alone.
    """
    waiting = _units(statistics)
    alone = [unit for unit in waiting if counted_apart(statistics[unit[0]])]
    yield from ([unit] for unit in alone)
    waiting = [unit for unit in waiting if unit not in alone]
    while waiting:
        first = waiting.pop(0)
        batch, size = [first], statistics[first[0]].size
        for unit in list(waiting):
            what = statistics[unit[0]]
            if size + what.size <= LARGEST_TOGETHER and _same_labels(statistics[first[0]], what):
                batch.append(unit)
                size += what.size
                waiting.remove(unit)
        yield batch


def _units(statistics: Sequence[Drawable]) -> list[list[int]]:
    """Put statistics of the same sums together; any other is alone."""
    units: list[list[int]] = []
    for i, what in enumerate(statistics):
        for unit in units:
            first = statistics[unit[0]]
            if _has_sums(first) and _same_labels(first, what) and first.same_sums(what):
                unit.append(i)
                break
        else:
            units.append([i])
    return units


def _has_sums(what: Drawable) -> TypeGuard[ProfileStatistic | DecisionStatistic]:
    """Tell whether a statistic sees the labels only through sums that others may share."""
    return isinstance(what, (ProfileStatistic, DecisionStatistic))


def _same_labels(one: Drawable, other: Drawable) -> bool:
    """Tell whether both statistics are about the same rows and draw labels alike."""
    same_prob = one.prob is other.prob or np.array_equal(one.prob, other.prob)
    return same_prob and np.array_equal(one.actual, other.actual)
