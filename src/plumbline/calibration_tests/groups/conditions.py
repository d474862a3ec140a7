"""Conditions on attributes: a category is a value, a number lies in neighbouring groups."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import Grouping
from plumbline.binning.groups import MISSING


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """What may be asked of one attribute.

    Attributes
    ----------
    texts : the conditions in words
    holds : (conditions, groups) whether the rows of a group meet a condition
    """

    texts: tuple[str, ...]
    holds: NDArray[np.bool_]

    @classmethod
    def of(cls, groups: Grouping) -> "Conditions":
        """Ask for every group; of a number also for neighbouring groups together.

        >>> names = ("[18, 25]", "(25, 40]", "(40, 90]")
        >>> ages = Grouping("age", names, np.zeros(1, int), number=True, cut=True)
        >>> Conditions.of(ages).texts[3:]
        ('age in [18, 40]', 'age in (25, 90]')
        """
        names = groups.names
        size = len(names)
        ordered = size - (names[-1] == MISSING) if groups.number else 0
        spans = [(j, j + 1) for j in range(size)]
        for width in range(2, ordered):
            spans += [(j, j + width) for j in range(ordered - width + 1)]
        holds = np.zeros((len(spans), size), np.bool_)
        for row, (start, stop) in zip(holds, spans, strict=True):
            row[start:stop] = True
        return cls(tuple(groups.said(start, stop - 1) for start, stop in spans), holds)
