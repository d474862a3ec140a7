"""What the tests of this room work on, and what they answer with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Facts
from plumbline.nulls import TIE
from plumbline.predictions import Predictions

Ints = NDArray[np.intp]


def below(p_value: float, level: float) -> bool:
    """Tell whether a p-value is at most 1 - level, whatever rounding does to that.

    >>> below(0.1, 0.9), 0.1 <= 1 - 0.9
    (True, False)
    """
    return p_value <= 1 - level + TIE


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The predictions of two models for the same examples, row by row.

    Attributes
    ----------
    first, second : tables of one model each, of equal length; row i of both is the same example
    example : (n,) number of the example of every row, 0 .. examples - 1; an example that several
        repeats predicted has several rows, which tests draw, exchange or flip together
    """

    first: Predictions
    second: Predictions
    example: Ints

    @property
    def n(self) -> int:
        """Number of rows of each."""
        return self.first.n

    @property
    def examples(self) -> int:
        """Number of different examples."""
        return int(self.example.max()) + 1

    @property
    def present(self) -> "Pair":
        """The pair without rows of weight 0, which are absent, unless all are such."""
        kept = np.flatnonzero(self.first.mass > 0)
        if len(kept) in (0, self.n):
            return self
        first, second = (table.select(where=kept) for table in (self.first, self.second))
        _, example = np.unique(self.example[kept], return_inverse=True)
        return Pair(first, second, np.asarray(example, np.intp))

    @property
    def repeated(self) -> bool:
        """Whether some example has several rows."""
        return self.examples < self.n


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestAnswer:
    """What one test says of one pair of models and one quantity.

    Attributes
    ----------
    test : its name, such as "mcnemar"
    units : how many rows, folds or data sets it counted as one draw each
    difference : first model's value - second model's
    interval_range : where the true difference lies, NaN where the test has no interval
    statistic, p_value : of the null that there is no difference; two-sided
    effect, effect_size : what kind of standardised size, and its value
    method : how the p-value and the interval came about, half a sentence
    more : what else the test tells, such as discordant pairs or posterior probabilities
    reason : why a number is missing, if one is
    """

    __test__ = False  # no test case, whatever a test runner makes of the name

    test: str
    units: int
    difference: float
    interval_range: tuple[float, float]
    statistic: float
    p_value: float
    effect: str
    effect_size: float
    method: str
    more: Mapping[str, Any] = field(default_factory=Facts)
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "more", Facts(self.more))
