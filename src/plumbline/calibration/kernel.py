"""The squared kernel calibration error: do rows with similar predictions err alike?"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.laplace import LaplaceStatistic, laplace_statistic
from plumbline.calibration.looks import need_weight
from plumbline.calibration.row_pairs import PairStatistic, pair_statistic
from plumbline.jit import compiled
from plumbline.predictions import Predictions

BLOCK = 2000  # distinct vectors whose pairs are all looked at
MOST_KEPT = 2**24  # kernel values that stay in memory, 128 MiB
PAIRED = 1000  # rows whose distances choose the width of the kernel

Estimator: TypeAlias = Literal["unbiased", "biased", "block"]

ESTIMATORS = ("unbiased", "biased", "block")


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Distinct probability vectors all of whose pairs are looked at.

    Attributes
    ----------
    rows : where their rows stand
    vector : (g, k) the vectors
    mass : (g,) weight of the rows that share each
    """

    rows: slice
    vector: Wide
    mass: Wide


@dataclass(frozen=True, eq=False)
class KernelStatistic:
    """The squared kernel calibration error as a function of the labels.

    Rows that share a vector enter through the sum of their residuals alone, so their order does
    not matter.

    Attributes
    ----------
    biased : whether the pairs of rows with themselves count
    prob, actual, weight : the table, rows block by block and by vector within
    order : (n,) the table row of each row
    group : (n,) number of the row's vector in its block
    own : (n, k) w^2 |e_c - p|^2: the pair of a row with itself
    blocks : of at most 2,000 vectors
    width : the kernel's nu
    """

    biased: bool
    prob: Floats
    actual: Ints
    order: Ints
    weight: Wide
    group: Ints
    own: Wide
    blocks: tuple[Block, ...]
    width: float

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return max(block.vector.size for block in self.blocks) + 2

    @cached_property
    def alone(self) -> float:
        """Sum of w_i^2, the pairs of rows with themselves."""
        return float(np.square(self.weight).sum())

    @cached_property
    def pairs(self) -> float:
        """Sum of w_i w_j over the pairs i != j that are looked at."""
        return sum(float(block.mass.sum()) ** 2 for block in self.blocks) - self.alone

    @cached_property
    def _kernels(self) -> tuple[Wide, ...]:
        return tuple(_kernel(block.vector, self.width) for block in self.blocks)

    def kernel(self, number: int) -> Wide:
        """Return (g, g) kernel values of a block, which every draw needs: kept where they fit."""
        if sum(len(block.vector) ** 2 for block in self.blocks) <= MOST_KEPT:
            return self._kernels[number]
        return _kernel(self.blocks[number].vector, self.width)

    def tally(self, width: int) -> "KernelTally":
        """Return an empty tally for `width` sets of labels."""
        return KernelTally(self, width)

    def mean(self, all_pairs: Wide, own: Wide) -> Wide:
        """Return the statistic from sums over the pairs in blocks, and of rows with themselves.

        Where vectors are dealt into blocks, the mean over pairs i != j in them stands for all.
        """
        others = (all_pairs - own) / self.pairs if self.pairs > 0 else np.zeros_like(own)
        if not self.biased:
            return others
        whole = float(self.weight.sum()) ** 2
        return others * (1.0 - self.alone / whole) + own / whole

    def at(self, chance: Wide) -> float:
        """Return the value if labels came in the shares `chance`, (n, k), rows as in `prob`."""
        residual = self.weight[:, None] * (chance - self.prob)
        found = 0.0
        for number, block in enumerate(self.blocks):
            here, group = residual[block.rows], self.group[block.rows]
            columns = [np.bincount(group, column) for column in here.T]
            found += float(_all_pairs(self.kernel(number), np.column_stack(columns)).sum())
        return float(self.mean(np.array([found]), np.array([np.square(residual).sum()]))[0])


class KernelTally:
    """The residuals of the block at hand, and what the blocks before it added up to."""

    def __init__(self, statistic: KernelStatistic, width: int) -> None:
        self.statistic = statistic
        self.sums = np.zeros(width)
        self.own = np.zeros(width)
        self.number = 0
        self.residual = self._fresh()

    def _fresh(self) -> Wide:
        """Return (g, k, draws) residuals of a block before any label: - sum w p."""
        block = self.statistic.blocks[self.number]
        before = -block.mass[:, None] * block.vector
        return np.repeat(before[:, :, None], len(self.sums), axis=2)

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        for part in self._parts(rows):
            own = labels[part.start - rows.start : part.stop - rows.start]
            add_residuals(
                what.group[part], what.weight[part], what.own[part], own, self.residual, self.own
            )
            if part.stop == what.blocks[self.number].rows.stop:
                self._close()

    def _parts(self, rows: slice) -> Iterator[slice]:
        """Cut rows where blocks end."""
        start = rows.start
        while start < rows.stop:
            stop = min(rows.stop, self.statistic.blocks[self.number].rows.stop)
            yield slice(start, stop)
            start = stop

    def _close(self) -> None:
        """Add up all pairs of the block, and begin the next."""
        flat = self.residual.reshape(len(self.residual), -1)
        pairs = _all_pairs(self.statistic.kernel(self.number), flat)
        self.sums += pairs.reshape(self.residual.shape[1:]).sum(axis=0)
        self.number += 1
        if self.number < len(self.statistic.blocks):
            self.residual = self._fresh()

    def values(self) -> Wide:
        """Return the statistic of every draw: 0 where there is no pair."""
        return self.statistic.mean(self.sums, self.own)


def kernel_statistic(
    data: Predictions, *, estimator: Estimator = "unbiased"
) -> KernelStatistic | LaplaceStatistic | PairStatistic:
    """Return the squared kernel calibration error (SKCE) as a function of the labels.

    The mean over pairs of rows, weighted by w_i w_j, of

        exp(-|p_i - p_j| / nu) <e_i - p_i, e_j - p_j>

    with e_i the unit vector of row i's class and nu the median distance between the predictions (1
    where that is 0; of 1,000 evenly ranked rows where there are more), for any number of classes:
    the estimators of Widmann, Lindsten and Zachariah (2019). Which pairs count:

    - "unbiased": all i != j; it is 0 on average where the probabilities are true, and can be below
    - "biased": all, i = j too; it is never below 0, nor 0 on average
    - "block": row 1 with 2, row 3 with 4, and so on, as the table has them, rows of weight 0 left
      out; unbiased, and noisier than "unbiased". Here weight 2 is not a row given twice.

    Two classes lie on a line, where one pass adds up all pairs of any number of rows. Of more
    classes, beyond 2,000 distinct vectors these are sorted and dealt in turn into blocks, and only
    the pairs within a block count, so that the cost grows with n and not its square. Equal vectors
    are always in one block.

    Raises ParameterError for another estimator, InputError without probabilities or weight.

    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1], [0.5, 0.5])  # residuals (.5, -.5) and (-.5, .5)
    >>> float(observed(kernel_statistic(data)))
    -0.5
    >>> float(observed(kernel_statistic(data, estimator="biased")))
    0.0
    """
    chosen = one_of("estimator", estimator, ESTIMATORS)
    prob = data.need_prob("the kernel calibration error")
    need_weight(data.mass)
    kept = np.flatnonzero(data.mass > 0)
    prob, mass = prob[kept] + 0.0, data.mass[kept]  # -0.0 becomes 0.0
    order = np.lexsort((mass, *prob.T[::-1]))
    width = _median_distance(prob[order].astype(np.float64))
    if chosen == "block":
        return pair_statistic(data, width=width)
    if prob.shape[1] == 2:
        return laplace_statistic(
            data, estimator="biased" if chosen == "biased" else "unbiased", width=width
        )
    new = np.append(True, (prob[order][1:] != prob[order][:-1]).any(axis=1))
    vector = np.cumsum(new) - 1  # rank of the row's vector, rows in order
    dealt = -(-(int(vector[-1]) + 1) // BLOCK)
    by_block = np.lexsort((vector, vector % dealt))
    order, vector = order[by_block], vector[by_block]
    wide, weight = prob[order].astype(np.float64), mass[order] / mass.max()
    blocks = tuple(_blocks(wide, weight, vector % dealt, vector // dealt))
    rows, group = kept[order], vector // dealt
    table = (prob[order], data.actual[rows], rows, weight)
    return KernelStatistic(chosen == "biased", *table, group, _own(wide, weight), blocks, width)


def _blocks(prob: Wide, weight: Wide, block: Ints, group: Ints) -> Iterator[Block]:
    ends = np.append(np.flatnonzero(np.diff(block)) + 1, len(block))
    starts = np.append(0, ends[:-1])
    for start, stop in zip(starts.tolist(), ends.tolist(), strict=True):
        rows = slice(start, stop)
        first = np.append(True, np.diff(group[rows]) > 0)
        mass = np.bincount(group[rows], weight[rows]).astype(np.float64)
        yield Block(rows, prob[rows][first], mass)


def _own(prob: Wide, weight: Wide) -> Wide:
    """Return (n, k): what the pair of a row with itself adds if its label is each class."""
    squares = np.square(prob).sum(axis=1, keepdims=True) - 2.0 * prob + 1.0
    return cast(Wide, np.square(weight)[:, None] * squares)


def _median_distance(ordered: Wide) -> float:
    """Return the median distance of rows in lexicographic order, or of evenly ranked ones."""
    from scipy.spatial.distance import pdist

    n = len(ordered)
    some = ordered if n <= PAIRED else ordered[np.arange(PAIRED) * n // PAIRED]
    median = float(np.median(pdist(some))) if n > 1 else 0.0
    return median if median > 0 else 1.0


def _kernel(vector: Wide, width: float) -> Wide:
    from scipy.spatial.distance import cdist

    return cast(Wide, np.exp(cdist(vector, vector) / -width))


def _all_pairs(kernel: Wide, residual: Wide) -> Wide:
    """Return the sum over pairs of (g, m) residuals, a column at a time: (m,)."""
    out: Wide = np.einsum("gm,gm->m", kernel @ residual, residual)
    return out


@compiled
def add_residuals(
    group: Ints, weight: Wide, own: Wide, labels: Ints, residual: Wide, sums: Wide
) -> None:
    """Add every row's weight at its label, and to `sums` its pair with itself."""
    n, width = labels.shape
    for i in range(n):
        rows = residual[group[i]]
        for d in range(width):
            rows[labels[i, d], d] += weight[i]
            sums[d] += own[i, labels[i, d]]
