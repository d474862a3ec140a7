"""The kernel calibration error of disjoint pairs of rows: each row is looked at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.jit import compiled
from plumbline.predictions import Predictions


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
    """

    prob: Floats
    actual: Ints
    order: Ints
    mass: Wide
    kernel: Wide
    product: Wide

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 2

    def tally(self, width: int) -> "PairTally":
        """Return an empty tally for `width` sets of labels."""
        return PairTally(self, np.zeros(width), np.zeros(width, np.int32))

    def at(self, chance: Wide) -> float:
        """Return the value if labels came in the shares `chance`, (n, k), rows as in `prob`."""
        residual = chance - self.prob
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

    Rows of weight 0 are left out first; `width` is the kernel's nu.

    Raises InputError without probabilities.
    """
    prob = data.need_prob("the kernel calibration error")
    kept = np.flatnonzero(data.mass > 0)
    order = kept[: len(kept) // 2 * 2]
    wide, weight = prob[order].astype(np.float64), data.mass[order].astype(np.float64)
    one, other = wide[::2], wide[1::2]
    mass = weight[::2] * weight[1::2]
    kernel = np.exp(np.sqrt(np.square(one - other).sum(axis=1)) / -width)
    product = (one * other).sum(axis=1)
    return PairStatistic(
        prob[order], data.actual[order], order, mass / max(mass.sum(), 1e-300), kernel, product
    )


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
