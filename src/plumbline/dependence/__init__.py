"""How much rows that belong together depend, how labels are drawn so, and how answers say it."""

from plumbline.dependence.labels import STRONGEST, Dependence, Partition, worth_of
from plumbline.dependence.row_groups import RowGroups, row_groups_of
from plumbline.dependence.strength import (
    LEAST_GROUPS,
    InGroups,
    Strength,
    dependence_of,
    strength_of,
)
from plumbline.dependence.tetrachoric import TERMS, hermite

__all__ = [
    "LEAST_GROUPS",
    "STRONGEST",
    "TERMS",
    "Dependence",
    "InGroups",
    "Partition",
    "RowGroups",
    "Strength",
    "dependence_of",
    "hermite",
    "row_groups_of",
    "strength_of",
    "worth_of",
]
