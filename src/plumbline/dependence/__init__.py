"""How much rows that belong together depend, how labels are drawn so, and how answers say it."""

from plumbline.dependence.group_sums import GroupSums, sums_over_groups
from plumbline.dependence.labels import STRONGEST, Dependence, Partition, worth_of
from plumbline.dependence.row_groups import (
    INDEPENDENT_ROWS,
    RowGroups,
    drawn_share,
    group_details,
    group_notes,
    influence_share,
    least_worth,
    plain_groups,
    row_groups_in,
    row_groups_of,
)
from plumbline.dependence.strength import (
    LEAST_GROUPS,
    InGroups,
    Strength,
    dependence_of,
    need_enough_groups,
    strength_of,
)
from plumbline.dependence.tetrachoric import TERMS, hermite

__all__ = [
    "INDEPENDENT_ROWS",
    "LEAST_GROUPS",
    "STRONGEST",
    "TERMS",
    "Dependence",
    "GroupSums",
    "InGroups",
    "Partition",
    "RowGroups",
    "Strength",
    "dependence_of",
    "drawn_share",
    "group_details",
    "group_notes",
    "hermite",
    "influence_share",
    "least_worth",
    "need_enough_groups",
    "plain_groups",
    "row_groups_in",
    "row_groups_of",
    "strength_of",
    "sums_over_groups",
    "worth_of",
]
