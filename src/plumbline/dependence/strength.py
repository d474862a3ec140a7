"""How strongly the rows of a group depend, as the residuals of a table show it.

The estimate is where the mean of the residuals' products is the observed one. Few groups leave it
open, so that draws take every strength which is likely: a confidence distribution of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from plumbline.dependence.labels import (
    LIKELY,
    SHARED_DRAWS,
    STRONGEST,
    Dependence,
    Floats,
    Ints,
    Partition,
    Wide,
    drawn_sums,
    normalised,
    second_share,
    terms_of,
    where_reached,
)
from plumbline.errors import InputError
from plumbline.random_streams import stream

FEW_GROUPS = 20  # with fewer, p-values and intervals are called approximate
LEAST_GROUPS = 5  # with fewer, residuals say nothing of how much rows depend
# From so many groups on draws take the estimate alone; between 20 and 40 the likely strengths come
# ever closer to it (python studies/rows_in_groups.py size power).
MANY_GROUPS = 40
ROUNDING = 1e-12  # of the rows: products that sum to less are none, as where a row is alone
TRIED = 12  # strengths at which tables are drawn, closer to each other near 0
QUANTILES = 64  # of the likely strengths, of which every draw takes one
SHIFTS = 20  # steps to the shift of the probabilities; each leaves at most half of what was missing
ROWS_ALONE = 4096  # of two classes; more are drawn as counts of a cell
CELL = 1 / 32  # of the normal quantile of the probability
STEEPEST = 38.0  # normal quantiles beyond are those of probabilities 0 and 1


class InGroups(Protocol):
    """Rows with probabilities and labels, and the groups they belong to."""

    @property
    def prob(self) -> Floats: ...  # noqa: D102

    @property
    def actual(self) -> Ints: ...  # noqa: D102

    @property
    def groups(self) -> Ints | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """How strongly rows depend, as the residuals of a whole table show it.

    Attributes
    ----------
    value : of the dependence
    likely : (strengths,) that are as likely as each other; of many groups the value alone
    count : number of groups of the table
    """

    value: float
    likely: Wide
    count: int

    @classmethod
    def none(cls) -> "Strength":
        """Return that of independent rows."""
        return cls(0.0, np.zeros(1), 0)

    @classmethod
    def of(cls, what: InGroups) -> "Strength | None":
        """Return that of the rows of a statistic; None where its table has no groups.

        Raises InputError for fewer than five groups.
        """
        if what.groups is None:
            return None
        return strength_of(Partition.of(what.groups), what.prob, what.actual)


def dependence_of(what: InGroups, pooled: Strength | None = None) -> Dependence | None:
    """Return how the labels of a statistic depend; None where its rows are independent.

    They are where the table has no groups, where every group is one row, and where residuals of a
    group do not go together. Raises InputError for fewer than five groups, unless `pooled` tells.
    """
    if what.groups is None:
        return None
    groups = Partition.of(what.groups)
    strength = pooled or strength_of(groups, what.prob, what.actual)
    if not strength.likely.any():
        return None
    return Dependence.of(groups, strength.likely, what.prob)


def strength_of(groups: Partition, prob: Floats, actual: Ints) -> Strength:
    """Return the strength at which the mean of the residuals' products is the observed one.

    Of fewer than 40 groups it is the middle of the likely ones. Raises InputError for fewer than
    five groups.
    """
    need_enough_groups(groups.count)
    two, n = prob.shape[1] == 2, len(actual)
    residual = -normalised(prob)
    residual[np.arange(n), actual] += 1.0
    products = groups.pairs(residual[:, 1] if two else residual)
    value = 0.0
    if groups.count < n and products > ROUNDING * n:
        most = STRONGEST if two else 1.0
        value = float(where_reached(terms_of(groups, prob), products, most))
    open_share = min(1.0, (MANY_GROUPS - groups.count) / (MANY_GROUPS - FEW_GROUPS))
    if groups.count == n or open_share <= 0:
        return Strength(value, np.array([value]), groups.count)
    likely = value + open_share * (likely_strengths(groups, prob, actual) - value)
    return Strength(float(np.median(likely)), likely, groups.count)


def need_enough_groups(count: int | None) -> None:
    """Refuse so few groups that p-values, intervals and bands would rest on nothing.

    Raises
    ------
    InputError
        For fewer than five; None is a table without groups.
    """
    if count is not None and count < LEAST_GROUPS:
        raise InputError(
            f"rows in groups need at least {LEAST_GROUPS} groups for a p-value, an interval or a "
            f"band, as the groups tell how much their rows depend, got {count}",
            code="too-few-groups",
            remedy="leave groups out if rows are independent, or evaluate more groups",
        )


def likely_strengths(groups: Partition, prob: Floats, actual: Ints) -> Wide:
    """Return (quantiles,) of the confidence distribution of the strength.

    The statistic is the sum of squared group sums of residuals, over that of single residuals. A
    fault that moves all rows the same way would look like dependence. So the residuals are those
    of probabilities that are shifted to the observed shares of classes, and a class's sum over all
    groups is taken off. At each strength tried tables are drawn from the shifted probabilities; a
    strength is as likely to be exceeded as the drawn statistics are below the observed one. Where
    few rows of the rarer class came, their dependence is not taken to be small, as it would be
    about the probabilities themselves.
    """
    two = prob.shape[1] == 2
    shifted = shifted_to(prob, actual)
    n = len(actual)
    weights = _sums(groups, shifted * (1.0 - shifted))
    residual = -shifted
    residual[np.arange(n), actual] += 1.0
    sums = _sums(groups, residual)
    alone = float(np.square(residual).sum())
    if alone <= ROUNDING * n:
        return np.zeros(QUANTILES)
    observed = float(_between(sums[:, :, None], weights)[0]) / alone
    tried = np.linspace(0.0, 1.0, TRIED) ** 2 * (STRONGEST if two else 1.0)
    drawn: Iterable[tuple[Wide, Wide]]
    if two:
        drawn = map(Cells.of(groups, shifted).drawn_sums, tried)
    else:
        drawn = drawn_sums(groups, tried, shifted, LIKELY)
    below = np.empty(TRIED)
    for place, (found, own) in enumerate(drawn):
        ratio = _between(found, weights) / np.maximum(own, ROUNDING * n)
        larger = (ratio > observed).sum() + 0.5 * (ratio == observed).sum()
        below[place] = (larger + 0.5) / (SHARED_DRAWS + 1.0)
    shares = (np.arange(QUANTILES) + 0.5) / QUANTILES
    likely = np.interp(shares, np.maximum.accumulate(below), tried, left=0.0, right=tried[-1])
    return np.asarray(likely, np.float64)


def shifted_to(prob: Floats, actual: Ints) -> Wide:
    """Return the probabilities with each class's odds multiplied to meet the observed shares.

    Half a row of each class is added to both, so that a class that did not come keeps a
    probability.

    >>> shifted_to(np.full((4, 2), 0.5), np.array([0, 0, 0, 1])).round(2)[0]
    array([0.75, 0.25])
    """
    wide = normalised(prob)
    seen = np.bincount(actual, minlength=wide.shape[1]) + 0.5
    for _ in range(SHIFTS):
        wide *= seen / (wide.sum(axis=0) + 0.5)
        wide /= wide.sum(axis=1, keepdims=True)
    return wide


def _sums(groups: Partition, values: Wide) -> Wide:
    """Return (groups, classes) sums over the rows of each group."""
    columns = [np.bincount(groups.code, one, groups.count) for one in values.T]
    return np.stack(columns, axis=1).astype(np.float64)


def _between(sums: Wide, weights: Wide) -> Wide:
    """Return (draws,) sums of squared group sums, (groups, classes, draws), without their total.

    It is taken off in proportion to the variances of single rows, and the degree of freedom that
    this costs is given back.
    """
    share = weights / np.maximum(weights.sum(axis=0), ROUNDING)
    rest = sums - share[:, :, None] * sums.sum(axis=0)
    kept = np.maximum(1.0 - np.square(share).sum(axis=0), ROUNDING)
    squares: Wide = np.square(rest).sum(axis=0) / kept[:, None]
    return np.asarray(squares.sum(axis=0), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Rows of two classes with one group and nearly one probability, which are drawn as counts.

    Attributes
    ----------
    groups : number of groups; home : (cells,) group of each
    share : (cells,) probability of the second class; quantile : its normal quantile
    count : (cells,) number of rows
    """

    groups: int
    home: Ints
    share: Wide
    quantile: Wide
    count: Ints

    @classmethod
    def of(cls, groups: Partition, prob: Wide) -> "Cells":
        """Return the rows themselves where they are few."""
        from scipy.special import ndtri

        share = second_share(prob)
        quantile = np.clip(ndtri(share), -STEEPEST, STEEPEST)
        if len(share) <= ROWS_ALONE:
            return cls(groups.count, groups.code, share, quantile, np.ones(len(share), np.int64))
        level = np.round(quantile / CELL).astype(np.int64)
        level -= level.min()
        key = groups.code * (level.max() + 1) + level
        _, first, home = np.unique(key, return_index=True, return_inverse=True)
        count = np.bincount(home)
        means = [np.bincount(home, one) / count for one in (share, quantile)]
        return cls(groups.count, groups.code[first], means[0], means[1], count)

    def drawn_sums(self, strength: float) -> tuple[Wide, Wide]:
        """Return what `drawn_sums` does; every strength has the same random numbers."""
        from scipy.special import ndtr

        latent = stream(0, *LIKELY).standard_normal((self.groups, SHARED_DRAWS))
        at = (self.quantile[:, None] - np.sqrt(strength) * latent[self.home]) / np.sqrt(
            1.0 - strength
        )
        hits = stream(0, *LIKELY, 1).binomial(self.count[:, None], ndtr(at))
        apart = hits - (self.count * self.share)[:, None]
        sums = np.zeros((self.groups, SHARED_DRAWS))
        np.add.at(sums, self.home, apart)
        own = (hits * (1.0 - 2.0 * self.share)[:, None]).sum(axis=0)
        own += float(self.count @ np.square(self.share))
        return np.stack([-sums, sums], axis=1), 2.0 * own
