"""Cumulative differences between outcomes and probabilities along the scores."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.calibration.definition import need_weight
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.jit import compiled
from plumbline.predictions import Predictions
from plumbline.predictions.ascending import rises

Kind: TypeAlias = Literal["kolmogorov-smirnov", "kuiper"]

KINDS = ("kolmogorov-smirnov", "kuiper")


@dataclass(frozen=True, slots=True, eq=False)
class CumulativeStatistic:
    """The largest cumulative difference, or the range of them, as a function of the labels.

    Attributes
    ----------
    kind : "kolmogorov-smirnov" or "kuiper"
    prob, actual : the two-class table, rows by rising score
    order : (n,) the table row of each row
    step : (n, 2) what a row adds to the walk if its label is that class
    last : (n,) whether the row is the last of its score
    spread : standard deviation of the end of the walk if the probabilities are calibrated
    count : (n,) how many identical rows each row stands for, or None
    groups : (n,) number of the group of every row, None where rows are independent
    """

    kind: str
    prob: Floats
    actual: Ints
    order: Ints
    step: Wide
    last: NDArray[np.bool_]
    spread: float
    count: Wide | None = None
    groups: Ints | None = field(kw_only=True)

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return 3

    def tally(self, width: int) -> "WalkTally":
        """Return an empty tally for `width` sets of labels."""
        return WalkTally(self, np.zeros((self.size, width)))

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in these `shares`, (n, 2), rows as in `prob`."""
        tally = self.tally(1)
        walk_on(self.step, self.last, (shares[:, 1] / shares.sum(axis=1))[:, None], tally.walk)
        return float(tally.values()[0])


@dataclass(frozen=True, slots=True, eq=False)
class WalkTally:
    """Where the walk of every draw is, and its highest and lowest point so far, 0 included."""

    statistic: CumulativeStatistic
    walk: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        walk_on(self.statistic.step[rows], self.statistic.last[rows], labels, self.walk)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        walk_on(self.statistic.step[rows], self.statistic.last[rows], shares, self.walk)

    def values(self) -> Wide:
        """Return the statistic of every draw."""
        _, high, low = self.walk
        result: Wide = np.maximum(high, -low) if self.statistic.kind == KINDS[0] else high - low
        return result


def cumulative_statistic(binary: Predictions, kind: Kind) -> CumulativeStatistic:
    """Return a cumulative difference statistic of a two-class table as a function of the labels.

    With rows by rising score, C_j = sum_{i <= j} w_i (y_i - p_i) / sum_i w_i at the last row j of
    every distinct score, and C_0 = 0: "kolmogorov-smirnov" is max |C_j|, "kuiper" max C_j - min C_j
    (ECCE-MAD and ECCE-R of Arrieta-Ibarra, Gujral, Tannen, Tygert and Xu 2022).

    Raises ParameterError for another kind, InputError without probabilities.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.5, 0.5, 0.75, 1.0]).one_vs_rest("1")
    >>> from plumbline.nulls import observed
    >>> float(observed(cumulative_statistic(data, "kuiper")))  # 0, 0, -.75, -.75 divided by 4
    0.1875
    """
    one_of("statistic", kind, KINDS)
    prob = binary.need_prob("a cumulative difference")
    mass = binary.mass.astype(np.float64)
    need_weight(mass)
    as_they_are = binary.counted and rises(prob[:, 1])
    order = np.arange(len(prob)) if as_they_are else _order(binary, mass)
    at: slice | Ints = slice(None) if as_they_are else order
    count = mass[at] if binary.counted else None
    prob, mass = prob[at], mass[at] / mass.sum()
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)
    last = np.append(prob[1:, 1] != prob[:-1, 1], True)
    squares = np.square(mass) if count is None else mass / binary.total
    squares *= wide[:, 0]
    squares *= wide[:, 1]
    spread = float(np.sqrt(np.sum(squares)))
    del squares
    step, down = wide, -wide[:, 1]  # in the place of the probabilities
    np.multiply(mass, wide[:, 0], out=step[:, 1])
    np.multiply(mass, down, out=step[:, 0])
    actual = binary.actual[at]
    groups = None if binary.group_codes is None else binary.group_codes[at]
    rows = prob, actual, order, step, last
    return CumulativeStatistic(kind, *rows, spread, count, groups=groups)


def _order(binary: Predictions, mass: Wide) -> Ints:
    """Return the rows by rising score; rows alike are interchangeable."""
    prob = binary.need_prob("a cumulative difference")
    if binary.counted:
        return np.argsort(prob[:, 1], kind="stable")
    return np.lexsort((mass, prob[:, 0], prob[:, 1]))


@compiled
def walk_on(step: Wide, last: NDArray[np.bool_], share: Ints | Wide, walk: Wide) -> None:
    """Take each row's step in every draw; look at heights where a score ends.

    `share` holds (n, draws) labels, or shares of the second class.
    """
    n, width = share.shape
    here, high, low = walk[0], walk[1], walk[2]
    for i in range(n):
        miss, more = step[i, 0], step[i, 1] - step[i, 0]
        for d in range(width):
            here[d] += miss + more * share[i, d]
        if last[i]:
            for d in range(width):
                high[d] = max(high[d], here[d])
                low[d] = min(low[d], here[d])
