"""How much the rows of a table's groups depend, as every answer about them says it."""

from dataclasses import dataclass

from plumbline._result import Detail, Note, Result
from plumbline.formatting import number
from plumbline.nulls import InGroups, Partition, strength_of, worth_of
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
    """

    count: int
    dependence: float
    effective_n: float

    def detail(self) -> Detail:
        """Return what people read of it."""
        text = (
            f"{self.count:,} (correlation within them {number(self.dependence)}: as much as "
            f"{self.effective_n:,.0f} independent rows)"
        )
        return Detail("groups", "groups of rows", text)

    def notes(self) -> tuple[Note, ...]:
        """Say so where there are few."""
        return group_notes(self.count)


def row_groups_of(what: InGroups) -> RowGroups | None:
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
    strength = strength_of(groups, what.prob, what.actual)
    return RowGroups(groups.count, strength, worth_of(groups, strength, what.prob))
