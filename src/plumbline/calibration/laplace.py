"""Kernel errors of a binary event with the kernel exp(-distance): one pass along the scores."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.looks import need_weight
from plumbline.jit import compiled
from plumbline.predictions import Predictions

MMCE_WIDTH = 0.4  # of Kumar, Sarawagi and Jain


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 4

    def tally(self, width: int) -> "LaplaceTally":
        """Return an empty tally for `width` sets of labels."""
        return LaplaceTally(self, np.zeros((self.size, width)))

    def at(self, chance: Wide) -> float:
        """Return the value if labels came in the shares `chance`, (n, 2), rows as in `prob`."""
        tally = self.tally(1)
        share = (chance[:, 1] / chance.sum(axis=1))[:, None]
        pass_on(self.residual, self.decay, self.last, share, tally.sums)
        return float(tally.values()[0])


@dataclass(frozen=True, slots=True, eq=False)
class LaplaceTally:
    """Residual of the score at hand, residuals before it as it feels them, all pairs, own pairs."""

    statistic: LaplaceStatistic
    sums: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        pass_on(what.residual[rows], what.decay[rows], what.last[rows], labels, self.sums)

    def values(self) -> Wide:
        """Return the statistic of every draw: 0 where there is no pair."""
        what = self.statistic
        _, _, pairs, own = self.sums
        whole = float(what.weight.sum()) ** 2
        if what.estimator == "root":
            return np.asarray(np.sqrt(np.maximum(pairs, 0.0) / whole))
        if what.estimator == "biased":
            return np.asarray(2.0 * pairs / whole)
        others = whole - float(np.square(what.weight).sum())
        alone = others <= 1e-14 * whole
        return np.zeros(len(own)) if alone else np.asarray(2.0 * (pairs - own) / others)


def laplace_statistic(
    lens: Predictions, *, estimator: Literal["unbiased", "biased", "root"], width: float
) -> LaplaceStatistic:
    """Return a kernel error of a two-class table, for any number of rows exactly.

    With scores in order, the sum over earlier scores of R_j exp(-|s_i - s_j| / width), R the sum of
    w r at a score, is what the score before felt and its own R, times the kernel between the two:
    one pass instead of all pairs.

    Raises InputError without probabilities or weight.
    """
    prob, mass = lens.need_prob("a kernel calibration error"), lens.mass.astype(np.float64)
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
    return LaplaceStatistic(
        estimator, prob[order], lens.actual[order], order, weight, residual, decay, last, width
    )


def mmce_statistic(lens: Predictions) -> LaplaceStatistic:
    """Return the maximum mean calibration error (MMCE) of a two-class table.

        sqrt( sum_ij w_i w_j r_i r_j exp(-|s_i - s_j| / 0.4) / (sum_i w_i)^2 )

    with r the event less its score s: the square root of a biased estimate, so it is above 0 where
    the probabilities are true. Weight 2 is a row given twice. On the top-label view it is the error
    of Kumar, Sarawagi and Jain (2018), Trainable calibration measures for neural networks from
    kernel mean embeddings.

    Raises InputError without probabilities or weight.

    >>> from plumbline.nulls import observed
    >>> lens = Predictions.from_arrays([1, 1], [0.5, 0.5]).one_vs_rest("1")
    >>> float(observed(mmce_statistic(lens)))
    0.5
    """
    return laplace_statistic(lens, estimator="root", width=MMCE_WIDTH)


@compiled
def pass_on(
    residual: Wide, decay: Wide, last: NDArray[np.bool_], share: Ints | Wide, sums: Wide
) -> None:
    """Add every row's residual; where a score ends, add its pairs and pass on what is felt.

    `share` holds (n, draws) labels, or shares of the second class.
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
