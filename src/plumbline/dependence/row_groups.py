"""How much the rows of a table's groups depend, as every answer about them says it."""

from dataclasses import dataclass, replace

import numpy as np

from plumbline._result import Detail, Note, Result
from plumbline.dependence.labels import Partition, Wide, worth_of
from plumbline.dependence.strength import InGroups, Strength, strength_of
from plumbline.formatting import number
from plumbline.predictions import group_notes

ALIKE = 1.3  # numbers of rows that differ by less are one, at an error of 0.11 (199 draws)


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
    statistic, statistic_n : of a test or an error, which statistic was drawn, and the number of
        independent rows that tell as much about it: n times its variance if rows were independent,
        over that of the draws (of a sum of squares the root of that ratio, as its variance falls
        with n^2); None where that was not drawn
    """

    count: int
    dependence: float
    effective_n: float
    estimated_from: int
    statistic: str | None = None
    statistic_n: float | None = None

    def about(
        self, statistic: str, n: int, draws: Wide, alone: Wide, *, squared: bool
    ) -> "RowGroups":
        """Return it with how much rows tell about a statistic, or a sum of squares.

        `alone` are draws of independent labels.
        """
        spread = [float(one.var()) for one in (draws, alone) if len(one) and np.isfinite(one).all()]
        if len(spread) < 2 or min(spread) <= 0:
            return self
        worth = n * (spread[1] / spread[0]) ** (0.5 if squared else 1.0)
        return replace(self, statistic=statistic, statistic_n=worth)

    def detail(self) -> Detail:
        """Return what people read of it."""
        some = self.estimated_from > self.count
        within = f"in all {self.estimated_from:,} groups" if some else "within them"
        text = (
            f"{self.count:,} (correlation {within} {number(self.dependence)}: as much as "
            f"{self.effective_n:,.0f} independent rows{self._of_statistic()})"
        )
        return Detail("groups", "groups of rows", text)

    def _of_statistic(self) -> str:
        """Return how many rows tell as much about the statistic, where these are others."""
        if self.statistic is None or self.statistic_n is None:
            return ""
        if 1 / ALIKE <= self.statistic_n / self.effective_n <= ALIKE:
            return ""
        return f" about the mean, {self.statistic_n:,.3g} about the {self.statistic}"

    def notes(self) -> tuple[Note, ...]:
        """Say so where there are few."""
        return group_notes(self.estimated_from)


def row_groups_of(what: InGroups, pooled: Strength | None = None) -> RowGroups | None:
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
        pooled = strength_of(groups, what.prob, what.actual)
    worth = worth_of(groups, pooled.value, what.prob)
    return RowGroups(groups.count, pooled.value, worth, pooled.count)
