"""How much the rows of a table's groups depend, as every answer about them says it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, Note, Result
from plumbline.dependence.group_sums import sums_over_groups
from plumbline.dependence.labels import Floats, Ints, Partition, Wide, worth_of
from plumbline.dependence.strength import (
    FEW_GROUPS,
    LEAST_GROUPS,
    InGroups,
    Strength,
    strength_of,
)
from plumbline.formatting import counted, number, quoted
from plumbline.predictions import Predictions, group_count

ALIKE = 1.3  # numbers of rows that differ by less are one, at an error of 0.11 (199 draws)
NO_PROBABILITIES = "it shows in residuals, which need probabilities"
INDEPENDENT_ROWS = "as many independent rows"  # heading of a column of numbers of them
TOO_FEW = f"fewer than {LEAST_GROUPS} groups do not tell it"


@dataclass(frozen=True, repr=False, eq=False)
class RowGroups(Result):
    """How much the rows of a table's groups depend.

    Attributes
    ----------
    count : number of groups
    dependence : 0 where rows are independent, 1 where a group's rows share one label as far as
        their probabilities allow: the latent correlation of two classes; of more, the probability
        that two rows draw their labels from one number; NaN where it is not known
    effective_n : number of independent rows that tell as much about the mean of the residuals; NaN
        where that is not known
    estimated_from : number of groups that tell the dependence; more than `count` where the rows are
        some of a table's
    statistic, statistic_n : a statistic that the answer is about, and the number of independent
        rows that tell as much about it. Where labels are drawn: n times its variance if rows were
        independent, over that of the draws (of a sum of squares the root of that ratio, as its
        variance falls with n^2); else n times the sum of squares of the rows' influence on it, over
        that of sums over groups, at most n. None where neither is known
    of_model : of several models the one whose rows are worth least, which the numbers are of
    reason : why the dependence is not known
    """

    count: int
    dependence: float
    effective_n: float
    estimated_from: int
    statistic: str | None = None
    statistic_n: float | None = None
    of_model: str | None = None
    reason: str | None = None

    @classmethod
    def untold(cls, count: int, reason: str) -> "RowGroups":
        """Return that of rows whose dependence is not known."""
        return cls(count, float("nan"), float("nan"), count, reason=reason)

    def about(
        self, statistic: str, n: int, draws: Wide, alone: Wide, *, squared: bool
    ) -> "RowGroups":
        """Return it with how much rows tell about a statistic, or a sum of squares.

        `alone` are draws of independent labels.
        """
        share = drawn_share(draws, alone, squared=squared)
        return self if share is None else self.of(statistic, n * share)

    def of(self, statistic: str, worth: float | None) -> "RowGroups":
        """Return it with the number of independent rows that tell as much about a statistic."""
        return self if worth is None else replace(self, statistic=statistic, statistic_n=worth)

    def detail(self, key: str = "row_groups") -> Detail:
        """Return what people read of it."""
        some = self.estimated_from > self.count
        within = f"in all {self.estimated_from:,} groups" if some else "within them"
        whose = "" if self.of_model is None else f" of {quoted(self.of_model)}"
        own = self._of_statistic()
        if self.reason is not None:
            told = f"correlation not known: {self.reason}{own and f'; as much as {own}'}"
        else:
            worth = f"{self.effective_n:,.0f} independent rows about the mean residual"
            told = f"correlation {within}{whose} {number(self.dependence)}: as much as {worth}"
            told += own and f", {own}"
        return Detail(key, "groups of rows", f"{self.count:,} ({told})")

    def _of_statistic(self) -> str:
        """Return how many rows tell as much about the statistic, where these are others."""
        if self.statistic is None or self.statistic_n is None:
            return ""
        if self.reason is not None:
            return f"{self.statistic_n:,.0f} independent rows about the {self.statistic}"
        if 1 / ALIKE <= self.statistic_n / self.effective_n <= ALIKE:
            return ""
        return f"{self.statistic_n:,.3g} about the {self.statistic}"

    def notes(self) -> tuple[Note, ...]:
        """Say so where there are few."""
        if self.estimated_from >= FEW_GROUPS:
            return ()
        text = (
            f"Approximate: {counted(self.estimated_from, 'group')} tell little of how much rows "
            f"of a group depend; {FEW_GROUPS} or more settle it."
        )
        return (Note(text, "few-groups"),)

    def beside(self) -> dict[str, Any]:
        """Return the plain values that say it beside those of an answer."""
        return {"row_groups": self.count, "in_groups": self.to_dict()}


def group_details(found: RowGroups | None) -> tuple[Detail, ...]:
    """Return the fact of an answer that says in how many groups its rows are, and what it costs.

    >>> [detail.text for detail in group_details(RowGroups(37, 0.2, 81.3, 37))]
    ['37 (correlation within them 0.2: as much as 81 independent rows about the mean residual)']
    >>> group_details(None)
    ()
    """
    return () if found is None else (found.detail(),)


def group_notes(found: RowGroups | None) -> tuple[Note, ...]:
    """Return the note of a p-value, an interval or a band of few groups.

    >>> [note.code for note in group_notes(RowGroups(12, 0.2, 81.3, 12))], group_notes(None)
    (['few-groups'], ())
    """
    return () if found is None else found.notes()


def plain_groups(found: RowGroups | None) -> dict[str, Any]:
    """Return the plain values of an answer that say how its rows belong together."""
    return {} if found is None else found.beside()


class _Rows(NamedTuple):
    prob: Floats
    actual: Ints
    groups: Ints | None


def row_groups_in(
    data: Predictions, statistic: str | None = None, values: Floats | None = None
) -> RowGroups | None:
    """Return how much the rows of a table depend; None of a table without groups.

    `values` (n,) of the rows are those whose mean is the `statistic` of an answer; it is left out
    where one is infinite. Of several models those of the model whose rows are worth least.

    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 6, [0.5] * 24, groups=np.arange(24) // 2)
    >>> row_groups_in(data).dependence, row_groups_in(data.in_groups(None))
    (0.95, None)
    """
    count = group_count(data)
    if count is None:
        return None
    if statistic is not None and values is not None:
        told, own = row_groups_in(data), np.asarray(values, np.float64)
        known = np.isfinite(own[data.mass > 0]).all() and data.mass.any()
        if told is None or data.group_codes is None or not known:
            return told
        kept = data.mass > 0
        part = np.zeros(len(own))
        part[kept] = data.mass[kept] * (own[kept] - np.average(own[kept], weights=data.mass[kept]))
        share = influence_share(part, data.group_codes)
        return told.of(statistic, None if share is None else share * data.n)
    if data.prob is None or not data.n:
        return RowGroups.untold(count, NO_PROBABILITIES)
    if count < LEAST_GROUPS:
        return RowGroups.untold(count, TOO_FEW)
    if len(data.models) < 2:
        return row_groups_of(_Rows(data.prob, data.actual, data.group_codes))
    return least_worth({model: data.select(model=model) for model in data.models})


def least_worth(tables: Mapping[str, Predictions]) -> RowGroups | None:
    """Return that of the model whose rows are worth least, by name; None without groups."""
    found = {model: row_groups_in(table) for model, table in tables.items()}
    count = len({name for table in tables.values() for name in _names(table)})
    told = {m: one for m, one in found.items() if one is not None and one.reason is None}
    if not told:
        return next((replace(one, count=count) for one in found.values() if one is not None), None)
    worst = min(told, key=lambda model: told[model].effective_n / tables[model].n)
    return replace(told[worst], count=count, of_model=worst)


def _names(table: Predictions) -> Iterable[str]:
    return () if table.groups is None else table.groups.names


def row_groups_of(what: InGroups, pooled: Strength | None = None) -> RowGroups | None:
    """Return how much the rows of a statistic's groups depend; None of a table without groups.

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


def drawn_share(draws: Wide, alone: Wide, *, squared: bool = False) -> float | None:
    """Return which share of the rows would tell as much if independent, by draws of both kinds.

    None where they do not tell it.
    """
    spread = [float(one.var()) for one in (draws, alone) if len(one) and np.isfinite(one).all()]
    if len(spread) < 2 or min(spread) <= 0:
        return None
    return float((spread[1] / spread[0]) ** (0.5 if squared else 1.0))


def influence_share(part: Wide, groups: NDArray[np.integer[Any]]) -> float | None:
    """Return which share of the rows would tell as much if independent, by what each of them adds.

    `part` (n,) are the rows' influence values of a number, which sum to 0. None where they are 0.

    >>> influence_share(np.array([1.0, 1.0, -1.0, -1.0]), np.array([0, 0, 1, 1]))
    0.3333333333333333
    """
    number = np.unique(groups, return_inverse=True)[1]
    sums = sums_over_groups(part, number, telling=np.ones(len(part), bool))
    alone = np.square(part).sum() * len(part) / max(len(part) - 1, 1)
    if sums is None or not sums.variance[0] > 0:
        return None
    return min(1.0, float(alone / sums.variance[0]))
