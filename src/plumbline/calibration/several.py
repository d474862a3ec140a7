"""Several statistics of the same labels, as one."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Drawable, Floats, Ints, Tally, Wide


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """Statistics whose rows are the same: every set of labels is drawn once and goes to all.

    Attributes
    ----------
    parts : the statistics; they share `prob` and `actual`, and may be several themselves
    """

    parts: tuple[Drawable, ...]

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from."""
        return self.parts[0].prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.parts[0].actual

    @property
    def size(self) -> int:
        """Numbers that all tallies together remember for each set of labels."""
        return sum(part.size for part in self.parts)

    def tally(self, width: int) -> "SeveralTally":
        """Return an empty tally for `width` sets of labels."""
        return SeveralTally(tuple(part.tally(width) for part in self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class SeveralTally:
    """The tallies of all parts."""

    tallies: tuple[Tally, ...]

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows to every part."""
        for tally in self.tallies:
            tally.add(rows, labels)

    def values(self) -> Wide:
        """Return (parts, width) values."""
        return np.vstack([tally.values() for tally in self.tallies])


class OfSums(Drawable, Protocol):
    """A statistic that sees the labels only through sums of weights, which others may share."""

    def tally(self, width: int) -> "SumsTally":
        """Return an empty tally for `width` sets of labels."""

    def of_sums(self, hits: Wide) -> Wide:
        """Return the values for (size, draws) sums: (draws,)."""

    def same_sums(self, other: Drawable) -> bool:
        """Tell whether a statistic of the same labels has the same sums."""


class SumsTally(Tally, Protocol):
    """The sums of many sets of labels."""

    @property
    def hits(self) -> Wide:
        """(size, draws) sums so far."""


@dataclass(frozen=True, slots=True, eq=False)
class OneTally:
    """Statistics of the same sums: the labels are added up once for all of them.

    Attributes
    ----------
    parts : the statistics; they share `prob` and `actual`, and have the same sums
    """

    parts: tuple[OfSums, ...]

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from."""
        return self.parts[0].prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.parts[0].actual

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.parts[0].size

    def tally(self, width: int) -> "SharedTally":
        """Return an empty tally for `width` sets of labels."""
        return SharedTally(self.parts, self.parts[0].tally(width))


@dataclass(frozen=True, slots=True, eq=False)
class SharedTally:
    """Sums of labels, and the statistics that are made of them."""

    parts: tuple[OfSums, ...]
    sums: SumsTally

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        self.sums.add(rows, labels)

    def values(self) -> Wide:
        """Return (parts, width) values."""
        return np.stack([part.of_sums(self.sums.hits) for part in self.parts])
