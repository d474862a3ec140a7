"""What a null needs to know of a statistic: a function of the labels, predictions held fixed."""

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Wide: TypeAlias = NDArray[np.float64]


class Tally(Protocol):
    """Adds labels up, many sets of them at a time, one column a set."""

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add these rows of the statistic, whose labels are (rows, width); rows come in order."""

    def values(self) -> Wide:
        """Return the statistic of every set of labels: (width,), or (parts, width)."""


class Drawable(Protocol):
    """A statistic whose labels can be drawn.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true, rows in its own order
    actual : (n,) observed labels, columns of `prob`
    size : numbers a tally remembers for each set of labels, which bounds how many fit into memory
    """

    @property
    def prob(self) -> Floats: ...  # noqa: D102

    @property
    def actual(self) -> Ints: ...  # noqa: D102

    @property
    def size(self) -> int: ...  # noqa: D102

    def tally(self, width: int) -> Tally:
        """Return an empty tally for `width` sets of labels."""


class Measurable(Drawable, Protocol):
    """A statistic that is also defined for shares of labels, so that it has a true value."""

    def at(self, chance: Wide) -> float:
        """Return the value if labels came in the shares `chance`, (n, k), rows as in `prob`."""
