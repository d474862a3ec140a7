"""Kernel calibration errors: do rows with similar predictions have similar residuals?"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.calibration.definition import need_weight
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.jit import compiled
from plumbline.predictions import Predictions, need_single_rows

MMCE_WIDTH = 0.4  # of Kumar, Sarawagi and Jain


@dataclass(frozen=True, slots=True, eq=False)
class GroupsApart:
    """What the pairs of rows of one group take from a sum over all pairs.

    Attributes
    ----------
    code : (n,) number of every row's group, from 0 on; count : how many there are
    decay : (n,) the kernel between a row's score and that of the row before it in its group
    pairs : sum of w_i w_j over the pairs of rows of one group, a row with itself too
    """

    code: Ints
    count: int
    decay: Wide
    pairs: float

    @classmethod
    def of(cls, what: "LaplaceStatistic") -> "GroupsApart":
        """Return those of a statistic, whose rows stand by falling score."""
        code = np.unique(np.asarray(what.groups), return_inverse=True)[1]
        wide = what.prob.astype(np.float64)
        score = wide[:, 1] / wide.sum(axis=1)
        order = np.argsort(code, kind="stable")
        step = np.abs(np.diff(score[order], prepend=0.0)) * np.sqrt(2.0)
        decay = np.empty(len(code))
        decay[order] = np.exp(step / -what.width)
        sums = np.bincount(code, what.weight)
        return cls(code, len(sums), decay, float(np.square(sums).sum()))


@dataclass(frozen=True, eq=False)
class LaplaceStatistic:
    """A mean over pairs of rows of r_i r_j exp(-|s_i - s_j| / width), r = event - score s.

    Attributes
    ----------
    estimator : "root": the square root of the mean over all pairs; "biased": that of whole
        probability vectors, whose residuals multiply to 2 r_i r_j and which are sqrt(2) |s_i - s_j|
        apart; "unbiased": that without the pairs i = j
    prob, actual : the two-class table, rows by falling score
    order : (n,) the table row of each row
    weight : (n,) weights, the largest 1
    residual : (n, 2) w r if the label is each class
    decay : (n,) the kernel between a row's score and the next row's; 1 within a score, 0 at the end
    last : (n,) whether the row is the last of its score
    width : the kernel's, for distances as above
    groups : (n,) number of the group of every row, None where rows are independent
    """

    estimator: Literal["unbiased", "biased", "root"]
    prob: Floats
    actual: Ints
    order: Ints
    weight: Wide
    residual: Wide
    decay: Wide
    last: NDArray[np.bool_]
    width: float
    groups: Ints | None = field(kw_only=True)

    @cached_property
    def apart(self) -> "GroupsApart | None":
        """The groups whose own pairs are left out; None where only those of a row with itself are.

        Of a biased estimate nothing is left out.
        """
        if self.groups is None or self.estimator != "unbiased":
            return None
        return GroupsApart.of(self)

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 4 + (0 if self.apart is None else self.apart.count)

    def tally(self, width: int) -> "LaplaceTally":
        """Return an empty tally for `width` sets of labels."""
        return LaplaceTally(self, np.zeros((self.size, width)))

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in these `shares`, (n, 2), rows as in `prob`."""
        tally = self.tally(1)
        share = (shares[:, 1] / shares.sum(axis=1))[:, None]
        tally.pass_on(slice(0, len(share)), share)
        return float(tally.values()[0])


@dataclass(frozen=True, slots=True, eq=False)
class LaplaceTally:
    """Residual of the score at hand, residuals before it as it feels them, all pairs, own pairs.

    Below them what each group feels of its own residuals, where its pairs are left out.
    """

    statistic: LaplaceStatistic
    sums: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        self.pass_on(rows, labels)

    def pass_on(self, rows: slice, share: Ints | Wide) -> None:
        """Add rows with (rows, draws) labels, or shares of the second class."""
        what, apart = self.statistic, self.statistic.apart
        pass_on(what.residual[rows], what.decay[rows], what.last[rows], share, self.sums)
        if apart is not None:
            pass_in_groups(
                what.residual[rows], apart.decay[rows], apart.code[rows], share, self.sums
            )

    def values(self) -> Wide:
        """Return the statistic of every draw: 0 where there is no pair."""
        what = self.statistic
        pairs, own = self.sums[2], self.sums[3]
        whole = float(what.weight.sum()) ** 2
        if what.estimator == "root":
            return np.asarray(np.sqrt(np.maximum(pairs, 0.0) / whole))
        if what.estimator == "biased":
            return np.asarray(2.0 * pairs / whole)
        left_out = float(np.square(what.weight).sum()) if what.apart is None else what.apart.pairs
        others = whole - left_out
        alone = others <= 1e-14 * whole
        return np.zeros(len(own)) if alone else np.asarray(2.0 * (pairs - own) / others)


def laplace_statistic(
    binary: Predictions, *, estimator: Literal["unbiased", "biased", "root"], width: float
) -> LaplaceStatistic:
    """Return a kernel error of a two-class table, for any number of rows exactly.

    With scores in order, the sum over earlier scores of R_j exp(-|s_i - s_j| / width), R the sum of
    w r at a score, is what the score before felt and its own R, times the kernel between the two:
    one pass instead of all pairs.

    Raises InputError without probabilities or weight.
    """
    prob, mass = binary.need_prob("a kernel calibration error"), binary.mass.astype(np.float64)
    need_weight(mass)
    kept = np.flatnonzero(mass > 0)
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)
    order = kept[np.lexsort((mass[kept], -wide[kept, 1]))]  # alike rows are interchangeable
    wide, weight = wide[order], mass[order] / mass.max()
    step = np.abs(np.diff(wide[:, 1])) * (1.0 if estimator == "root" else np.sqrt(2.0))
    residual = weight[:, None] * np.column_stack([-wide[:, 1], wide[:, 0]])
    decay = np.append(np.exp(step / -width), 0.0)
    last = np.append(step > 0, True)
    rows = prob[order], binary.actual[order], order, weight, residual, decay, last
    groups = None if binary.group_codes is None else binary.group_codes[order]
    return LaplaceStatistic(estimator, *rows, width, groups=groups)


def mmce_statistic(binary: Predictions) -> LaplaceStatistic:
    """Return the maximum mean calibration error (MMCE) of a two-class table.

        sqrt( sum_ij w_i w_j r_i r_j exp(-|s_i - s_j| / 0.4) / (sum_i w_i)^2 )

    with r the event less its score s: the square root of a biased estimate, so it is above 0 where
    the probabilities are calibrated. Weight 2 is a row given twice. On the top-label view it is the
    error of Kumar, Sarawagi and Jain (2018), Trainable calibration measures for neural networks
    from kernel mean embeddings.

    Raises InputError without probabilities or weight.

    >>> from plumbline.nulls import observed
    >>> binary = Predictions.from_arrays([1, 1], [0.5, 0.5]).one_vs_rest("1")
    >>> float(observed(mmce_statistic(binary)))
    0.5
    """
    need_single_rows(binary, "the kernel calibration error")
    return laplace_statistic(binary, estimator="root", width=MMCE_WIDTH)


@compiled
def pass_on(
    residual: Wide, decay: Wide, last: NDArray[np.bool_], share: Ints | Wide, sums: Wide
) -> None:
    """Add every row's residual; where a score ends, add its pairs and pass on what is felt.

    `share` holds (n, draws) labels, or shares of the second class. A row's pair with itself is an
    own pair.
    """
    n, width = share.shape
    here, felt, pairs, own = sums[0], sums[1], sums[2], sums[3]
    for i in range(n):
        miss, more = residual[i, 0], residual[i, 1] - residual[i, 0]
        for d in range(width):
            r = miss + more * share[i, d]
            here[d] += r
            own[d] += r * r
        if last[i]:
            for d in range(width):
                pairs[d] += here[d] * (here[d] + 2.0 * felt[d])
                felt[d] = (felt[d] + here[d]) * decay[i]
                here[d] = 0.0


@compiled
def pass_in_groups(
    residual: Wide, decay: Wide, group: Ints, share: Ints | Wide, sums: Wide
) -> None:
    """Add to the own pairs those of each row with the rows of its group that came before it."""
    n, width = share.shape
    own = sums[3]
    for i in range(n):
        miss, more = residual[i, 0], residual[i, 1] - residual[i, 0]
        felt = sums[4 + group[i]]
        for d in range(width):
            r = miss + more * share[i, d]
            before = felt[d] * decay[i]
            own[d] += 2.0 * r * before
            felt[d] = before + r


@dataclass(frozen=True, slots=True, eq=False)
class PairStatistic:
    """The mean over neighbouring rows of their kernel times the product of their residuals.

    Attributes
    ----------
    prob, actual : the table, rows as it has them: an even number, each of positive weight
    order : (n,) the table row of each row
    mass : (n / 2,) w_i w_j of each pair, over the sum of all
    kernel : (n / 2,) exp(-|p_i - p_j| / nu) of each pair
    product : (n / 2,) <p_i, p_j>
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    order: Ints
    mass: Wide
    kernel: Wide
    product: Wide
    groups: Ints | None = field(kw_only=True)

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 2

    def tally(self, width: int) -> "PairTally":
        """Return an empty tally for `width` sets of labels."""
        return PairTally(self, np.zeros(width), np.zeros(width, np.int32))

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in these `shares`, (n, k), rows as in `prob`."""
        residual = shares - self.prob
        return float(self.mass @ (self.kernel * (residual[::2] * residual[1::2]).sum(axis=1)))


@dataclass(frozen=True, slots=True, eq=False)
class PairTally:
    """The sum over pairs, and the label of a row whose partner is still to come."""

    statistic: PairStatistic
    sums: Wide
    waiting: NDArray[np.int32]

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        scaled = what.mass * what.kernel
        add_pairs(what.prob, scaled, what.product, rows.start, labels, self.waiting, self.sums)

    def values(self) -> Wide:
        """Return the statistic of every draw: 0 where there is no pair."""
        return self.sums


def pair_statistic(data: Predictions, *, width: float) -> PairStatistic:
    """Return the kernel error of rows 1 and 2, rows 3 and 4, ...; an odd last row is left out.

    Rows of weight 0 are left out first; `width` is the kernel's nu. Rows in groups are dealt first,
    one of each group after the other, and pairs of one group do not count.

    Raises InputError without probabilities.
    """
    prob = data.need_prob("the kernel calibration error")
    kept = np.flatnonzero(data.mass > 0)
    codes = data.group_codes
    if codes is not None:
        kept = kept[dealt(codes[kept])]
    order = kept[: len(kept) // 2 * 2]
    wide, weight = prob[order].astype(np.float64), data.mass[order].astype(np.float64)
    one, other = wide[::2], wide[1::2]
    mass = weight[::2] * weight[1::2]
    if codes is not None:
        mass *= codes[order[::2]] != codes[order[1::2]]
    kernel = np.exp(np.sqrt(np.square(one - other).sum(axis=1)) / -width)
    product = (one * other).sum(axis=1)
    rows = prob[order], data.actual[order], order, mass / max(mass.sum(), 1e-300)
    groups = None if codes is None else codes[order]
    return PairStatistic(*rows, kernel, product, groups=groups)


def dealt(codes: Ints) -> NDArray[np.intp]:
    """Return (n,) rows: the first row of every group, the second of every group, and so on.

    >>> dealt(np.array([0, 0, 1, 2, 2])).tolist()
    [0, 2, 3, 1, 4]
    """
    order = np.argsort(codes, kind="stable")
    size = np.bincount(codes)
    turn = np.empty(len(codes), np.intp)
    turn[order] = np.arange(len(codes)) - np.repeat(np.cumsum(size) - size, size)
    return np.argsort(turn, kind="stable")


@compiled
def add_pairs(
    prob: Floats,
    scaled: Wide,
    product: Wide,
    start: int,
    labels: Ints,
    waiting: Ints,
    sums: Wide,
) -> None:
    """Add <e_i - p_i, e_j - p_j> of every pair, scaled; labels wait for their partner's."""
    n, width = labels.shape
    for i in range(n):
        row = start + i
        if row % 2 == 0:
            waiting[:] = labels[i]
        else:
            one, other, pair = prob[row - 1], prob[row], row // 2
            for d in range(width):
                a, b = waiting[d], labels[i, d]
                value = product[pair] - other[a] - one[b]
                if a == b:
                    value += 1.0
                sums[d] += scaled[pair] * value


BLOCK = 2000  # distinct vectors whose pairs are all looked at
MOST_KEPT = 2**24  # kernel values that stay in memory, 128 MiB
PAIRED = 1000  # rows whose distances choose the width of the kernel

Estimator: TypeAlias = Literal["unbiased", "biased", "block"]

ESTIMATORS = ("unbiased", "biased", "block")


@dataclass(frozen=True, slots=True, eq=False)
class VectorBlock:
    """Distinct probability vectors all of whose pairs are looked at.

    Attributes
    ----------
    rows : where their rows stand
    vector : (g, k) the vectors
    mass : (g,) weight of the rows that share each
    group : (g,) number of the group of its rows, where pairs of one group are left out
    """

    rows: slice
    vector: Wide
    mass: Wide
    group: Ints | None = None

    def kernel(self, width: float) -> Wide:
        """Return (g, g) kernel values; 0 of the pairs that are left out."""
        from scipy.spatial.distance import cdist

        found: Wide = np.exp(cdist(self.vector, self.vector) / -width)
        if self.group is not None:
            found[self.group[:, None] == self.group] = 0.0
        return found

    @property
    def own_pairs(self) -> float:
        """Sum of w_i w_j over the pairs of rows of one group."""
        if self.group is None:
            return 0.0
        number = np.unique(self.group, return_inverse=True)[1]
        return float(np.square(np.bincount(number, self.mass)).sum())


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
    own : (n, k) w^2 |e_c - p|^2: the pair of a row with itself; 0 where pairs of one group are left
        out, which the kernel leaves out
    blocks : of at most 2,000 vectors
    width : the kernel's nu
    groups : (n,) number of the group of every row, None where rows are independent
    """

    biased: bool
    prob: Floats
    actual: Ints
    order: Ints
    weight: Wide
    group: Ints
    own: Wide
    blocks: tuple[VectorBlock, ...]
    width: float
    groups: Ints | None = field(kw_only=True)

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return max(block.vector.size for block in self.blocks) + 2

    @cached_property
    def alone(self) -> float:
        """Sum of w_i w_j of the pairs of rows with themselves, or of rows of one group."""
        if self.blocks[0].group is not None:
            return sum(block.own_pairs for block in self.blocks)
        return float(np.square(self.weight).sum())

    @cached_property
    def pairs(self) -> float:
        """Sum of w_i w_j over the pairs i != j that are looked at."""
        return sum(float(block.mass.sum()) ** 2 for block in self.blocks) - self.alone

    @cached_property
    def _kernels(self) -> tuple[Wide, ...]:
        return tuple(block.kernel(self.width) for block in self.blocks)

    def kernel(self, number: int) -> Wide:
        """Return (g, g) kernel values of a block, which every draw needs: kept where they fit."""
        if sum(len(block.vector) ** 2 for block in self.blocks) <= MOST_KEPT:
            return self._kernels[number]
        return self.blocks[number].kernel(self.width)

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

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in these `shares`, (n, k), rows as in `prob`."""
        residual = self.weight[:, None] * (shares - self.prob)
        result = 0.0
        for number, block in enumerate(self.blocks):
            here, group = residual[block.rows], self.group[block.rows]
            columns = [np.bincount(group, column) for column in here.T]
            result += float(_all_pairs(self.kernel(number), np.column_stack(columns)).sum())
        own = 0.0 if self.blocks[0].group is not None else float(np.square(residual).sum())
        return float(self.mean(np.array([result]), np.array([own]))[0])


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
        for part in self._cuts(rows):
            own = labels[part.start - rows.start : part.stop - rows.start]
            add_residuals(
                what.group[part], what.weight[part], what.own[part], own, self.residual, self.own
            )
            if part.stop == what.blocks[self.number].rows.stop:
                self._close()

    def _cuts(self, rows: slice) -> Iterator[slice]:
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

    - "unbiased": all i != j, of rows in groups those of different groups; it is 0 on average if
      calibrated, and can be below
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
    kind = one_of("estimator", estimator, ESTIMATORS)
    need_single_rows(data, "the kernel calibration error")
    prob = data.need_prob("the kernel calibration error")
    need_weight(data.mass)
    kept = np.flatnonzero(data.mass > 0)
    prob, mass = prob[kept] + 0.0, data.mass[kept]  # -0.0 becomes 0.0
    order = np.lexsort((mass, *prob.T[::-1]))
    width = _median_distance(prob[order].astype(np.float64))
    if kind == "block":
        return pair_statistic(data, width=width)
    if prob.shape[1] == 2:
        return laplace_statistic(
            data, estimator="biased" if kind == "biased" else "unbiased", width=width
        )
    codes = data.group_codes if kind == "unbiased" else None
    if codes is not None:
        order = np.lexsort((mass, codes[kept], *prob.T[::-1]))
    new = np.append(True, (prob[order][1:] != prob[order][:-1]).any(axis=1))
    if codes is not None:  # vectors of different groups are apart
        new[1:] |= codes[kept][order][1:] != codes[kept][order][:-1]
    vector = np.cumsum(new) - 1  # rank of the row's vector, rows in order
    parts = -(-(int(vector[-1]) + 1) // BLOCK)
    by_block = np.lexsort((vector, vector % parts))
    order, vector = order[by_block], vector[by_block]
    wide, weight = prob[order].astype(np.float64), mass[order] / mass.max()
    rows = kept[order]
    own = _own(wide, weight) if codes is None else np.zeros(wide.shape)
    apart = None if codes is None else codes[rows]
    blocks = tuple(_blocks(wide, weight, vector % parts, vector // parts, apart))
    table = (prob[order], data.actual[rows], rows, weight, vector // parts)
    groups = None if data.group_codes is None else data.group_codes[rows]
    return KernelStatistic(*(kind == "biased", *table, own, blocks, width), groups=groups)


def _blocks(
    prob: Wide, weight: Wide, block: Ints, group: Ints, apart: Ints | None
) -> Iterator[VectorBlock]:
    ends = np.append(np.flatnonzero(np.diff(block)) + 1, len(block))
    starts = np.append(0, ends[:-1])
    for start, stop in zip(starts.tolist(), ends.tolist(), strict=True):
        rows = slice(start, stop)
        first = np.append(True, np.diff(group[rows]) > 0)
        mass = np.bincount(group[rows], weight[rows]).astype(np.float64)
        yield VectorBlock(
            rows, prob[rows][first], mass, None if apart is None else apart[rows][first]
        )


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
