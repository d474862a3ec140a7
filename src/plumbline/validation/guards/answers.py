"""What a guard says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline._result import Result
from plumbline.formatting import counted

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, repr=False, eq=False)
class Finding(Result):
    """One thing that makes an estimate dishonest or doubtful.

    Attributes
    ----------
    name : the guard that found it, such as "shared-rows"
    severity : "error" (there is no honest estimate) or "warning" (there is, but read this)
    text : what was found, in which rows, and what to do
    row_numbers : the rows it is about, counted from 0; empty where it is about a column
    """

    name: str
    severity: str
    text: str
    row_numbers: tuple[int, ...] = ()

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the finding as one line."""
        yield self.name, f"{self.severity}: {self.text}"


def as_rows(places: NDArray[Any]) -> tuple[int, ...]:
    """Return places as plain numbers, in order.

    >>> as_rows(np.array([5, 2]))
    (2, 5)
    """
    return tuple(np.sort(places).tolist())


def rows_named(rows: Sequence[int]) -> str:
    """Return how many rows, and which: the first of them.

    >>> rows_named((2, 5)), rows_named((7,))
    ('2 rows (2, 5)', '1 row (7)')
    """
    return f"{counted(len(rows), 'row')} ({shown(rows)})"
