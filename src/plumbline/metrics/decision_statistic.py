"""Numbers of a confusion matrix as functions of the labels, with the decisions held fixed."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Drawable, Floats, Ints, Wide
from plumbline.calibration.definition import need_weight
from plumbline.calibration.statistics import same_weight
from plumbline.confusion.multiclass import SKIP, Group, Rated
from plumbline.jit import compiled
from plumbline.predictions import Predictions

_NO_WEIGHT: Wide = np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionStatistic:
    """A number of the confusion matrix as a function of the labels.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true; NaN where unknown
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    decision : (n,) the predicted class of every row, which no label changes
    classes : their names
    rate : a name of `RATES` or `OVERALL`; group : what it is of, one class, an average or all
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    decision: Ints
    classes: tuple[str, ...]
    rate: str
    group: Group
    counted: bool = False
    groups: Ints | None = field(kw_only=True)

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.weight if self.counted else None

    @property
    def size(self) -> int:
        """Number of cells a tally keeps for each set of labels."""
        return len(self.classes) ** 2

    def tally(self, width: int) -> "DecisionTally":
        """Return an empty tally for `width` sets of labels."""
        return DecisionTally(self, np.zeros((self.size, width)))

    def of_sums(self, hits: Wide) -> Wide:
        """Return the values for (k * k, draws) sums of the cells: (draws,)."""
        k = len(self.classes)
        matrices = Rated(np.ascontiguousarray(hits.T).reshape(-1, k, k))
        return matrices.values(self.rate, self.group)

    def same_sums(self, other: Drawable) -> bool:
        """Tell whether a statistic of the same labels has the same sums."""
        return (
            isinstance(other, DecisionStatistic)
            and np.array_equal(self.decision, other.decision)
            and same_weight(self.weight, other.weight)
        )

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in the shares `shares`, (n, k)."""
        mass = shares if self.weight is None else shares * self.weight[:, None]
        k = len(self.classes)
        columns = [mass[self.decision == c].sum(axis=0) for c in range(k)]
        return float(self.of_sums(np.column_stack(columns).reshape(k * k, 1))[0])

    def why_undefined(self, label: str) -> str:
        """Say why the observed labels have no value; `label` is what to call it."""
        why = self._observed().why(self.rate, self.group, label=label, classes=self.classes)
        why = why.removesuffix(f"; {SKIP}")  # an option that metrics do not have
        return why.removeprefix(f"{label} is undefined: ")

    def absent(self) -> str | None:
        """Say which classes an average leaves out, None if there are none or it is no average."""
        return self._observed().absent([(self.rate, self.group)], self.classes)

    def _observed(self) -> Rated:
        """Return the matrix of the observed labels."""
        tally = self.tally(1)
        tally.add(slice(0, len(self.actual)), self.actual.astype(np.int32)[:, None])
        return Rated(tally.hits.reshape(len(self.classes), -1))


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTally:
    """The cells of the matrix so far, one column a set of labels."""

    statistic: DecisionStatistic
    hits: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.statistic
        weight = None if what.weight is None else what.weight[rows]
        decision, k = what.decision[rows], len(what.classes)
        if labels.shape == (len(what.actual), 1):  # the same sums in the same order, no kernel
            cell = labels[:, 0] * np.intp(k) + decision
            self.hits[:, 0] += np.bincount(cell, weight, k * k)
        else:
            add_decisions(decision, _NO_WEIGHT if weight is None else weight, labels, k, self.hits)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        what = self.statistic
        if what.weight is None:
            raise TypeError("only counted rows have shares")
        k, decision, count = len(what.classes), what.decision[rows], what.weight[rows]
        for answer in range(k):
            own = decision == answer
            hits = count[own] @ shares[own]
            self.hits[answer] += count[own].sum() - hits
            self.hits[k + answer] += hits

    def values(self) -> Wide:
        """Return the number of every set of labels."""
        return self.statistic.of_sums(self.hits)


def decision_statistic(data: Predictions, rate: str, group: Group) -> DecisionStatistic:
    """Return a number of the confusion matrix of a table as a function of its labels.

    Raises InputError where the table has neither probabilities nor predicted labels, or no weight.

    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 1, 1], predicted=[0, 1, 1, 0])
    >>> float(observed(decision_statistic(data, "TPR", Group("1", "class", 1)))).__round__(3)
    0.667
    """
    need_weight(data.mass)
    return DecisionStatistic(
        label_probabilities(data),
        data.actual,
        data.weight,
        data.predicted,
        data.classes,
        rate,
        group,
        data.counted,
        groups=data.group_codes,
    )


def label_probabilities(data: Predictions) -> Floats:
    """Return the probabilities labels are drawn from; all NaN where the table has none."""
    return np.broadcast_to(np.nan, (data.stored, data.k)) if data.prob is None else data.prob


@compiled
def add_decisions(decision: Ints, weight: Wide, labels: Ints, k: int, hits: Wide) -> None:
    """Add every row's weight (1 where `weight` is empty) to the cell of its label, each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i] if len(weight) > 0 else 1.0
        for d in range(width):
            hits[labels[i, d] * k + decision[i], d] += w
