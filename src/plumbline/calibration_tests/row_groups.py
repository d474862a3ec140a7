"""How much the rows of a table's groups depend, as every answer about them says it."""

from dataclasses import dataclass

from plumbline._result import Detail, Note, Result
from plumbline.formatting import number
from plumbline.nulls import InGroups, Partition, PooledStrength, strength_of, worth_of
from plumbline.predictions.rows_in_groups import group_notes


@dataclass(frozen=True, repr=False, eq=False)
class RowGroups(Result):
    """How much the rows of a table's groups depend.

    Attributes
    ----------
    count : number of groups
    dependence : 0 where rows are independent, 1 where a group's rows share one label as far as
        their probabilities allow: the latent correlation of two classes; of more, the probability
        that two rows draw their labels from one number
    effective_n : number of independent rows that tell as much about the mean of the residuals
    estimated_from : number of groups that tell the dependence; more than `count` where the rows are
        some of a table's
    """

    count: int
    dependence: float
    effective_n: float
    estimated_from: int

    def detail(self) -> Detail:
        """Return what people read of it."""
        some = self.estimated_from > self.count
        within = f"in all {self.estimated_from:,} groups" if some else "within them"
        text = (
            f"{self.count:,} (correlation {within} {number(self.dependence)}: as much as "
            f"{self.effective_n:,.0f} independent rows)"
        )
        return Detail("groups", "groups of rows", text)

    def notes(self) -> tuple[Note, ...]:
        """Say so where there are few."""
        return group_notes(self.estimated_from)


def row_groups_of(what: InGroups, pooled: PooledStrength | None = None) -> RowGroups | None:
    """Return how much the rows of a statistic's groups depend; None of a table without groups.

    >>> import numpy as np
    >>> from plumbline import Predictions
    >>> from plumbline.calibration import define_error, statistic
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 6, [0.5] * 24, groups=np.arange(24) // 2)
    >>> found = row_groups_of(statistic(data, define_error(data)))
    >>> found.count, found.dependence, round(found.effective_n, 1)
    (12, 0.95, 13.4)
    """
    if what.groups is None:
        return None
    groups = Partition.of(what.groups)
    if pooled is None:
        pooled = PooledStrength(strength_of(groups, what.prob, what.actual), groups.count)
    worth = worth_of(groups, pooled.strength, what.prob)
    return RowGroups(groups.count, pooled.strength, worth, pooled.count)
