"""Which column of a table plays which part, for files, frames and counted tables alike."""

from plumbline.roles.decide import decide
from plumbline.roles.facts import LOOKED_AT, Column, columns_of, unseen
from plumbline.roles.reading import Reading, RepeatedID, Said, UnclearColumns

__all__ = [
    "LOOKED_AT",
    "Column",
    "Reading",
    "RepeatedID",
    "Said",
    "UnclearColumns",
    "columns_of",
    "decide",
    "unseen",
]
