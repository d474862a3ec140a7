"""What a null needs to know of a statistic: a function of the labels, predictions held fixed."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

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


class ShareTally(Tally, Protocol):
    """A tally that also adds up rows which stand for many, of two classes."""

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add these rows, of whose weight `shares`, (rows, width), has the second class."""


class Drawable(Protocol):
    """A statistic whose labels can be drawn.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if calibrated, rows in its own order
    actual : (n,) observed labels, columns of `prob`
    groups : (n,) number of the group of every row, in the statistic's own order of rows; None where
        rows are independent
    size : numbers a tally remembers for each set of labels, which bounds how many fit into memory
    """

    @property
    def prob(self) -> Floats: ...  # noqa: D102

    @property
    def actual(self) -> Ints: ...  # noqa: D102

    @property
    def groups(self) -> Ints | None: ...  # noqa: D102

    @property
    def size(self) -> int: ...  # noqa: D102

    def tally(self, width: int) -> Tally:
        """Return an empty tally for `width` sets of labels."""


def counts_of(what: Drawable) -> Wide | None:
    """Return how many identical rows each row of a statistic stands for; None where just itself.

    A statistic of counted rows has the property `count`, and a tally that takes shares.
    """
    count: Wide | None = getattr(what, "count", None)
    return count


class Measurable(Drawable, Protocol):
    """A statistic that is also defined for shares of labels, so that it has a true value."""

    def at(self, shares: Wide) -> float:
        """Return the value if labels came in these `shares`, (n, k), rows as in `prob`."""


@dataclass(frozen=True, slots=True, eq=False)
class _OneTable:
    """Statistics of the same labels, which are drawn as those of the first."""

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
    def groups(self) -> Ints | None:
        """(n,) number of the group of every row, or None."""
        return self.parts[0].groups

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return counts_of(self.parts[0])


@dataclass(frozen=True, slots=True, eq=False)
class SameLabels(_OneTable):
    """Statistics whose rows are the same: every set of labels is drawn once and goes to all.

    Attributes
    ----------
    parts : the statistics; they share `prob` and `actual`, and may be several themselves
    """

    @property
    def size(self) -> int:
        """Numbers that all tallies together remember for each set of labels."""
        return sum(part.size for part in self.parts)

    def tally(self, width: int) -> "SameLabelsTally":
        """Return an empty tally for `width` sets of labels."""
        return SameLabelsTally(tuple(part.tally(width) for part in self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class SameLabelsTally:
    """The tallies of all parts."""

    tallies: tuple[Tally, ...]

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows to every part."""
        for tally in self.tallies:
            tally.add(rows, labels)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add the rows, of whose weight `shares` has the second class, to every part."""
        for tally in self.tallies:
            cast(ShareTally, tally).add_shares(rows, shares)

    def values(self) -> Wide:
        """Return (parts, width) values."""
        return np.vstack([tally.values() for tally in self.tallies])


class SumStatistic(Drawable, Protocol):
    """A statistic that sees the labels only through sums of weights, which others may share."""

    def tally(self, width: int) -> "TallyOfSums":
        """Return an empty tally for `width` sets of labels."""

    def of_sums(self, hits: Wide) -> Wide:
        """Return the values for (size, draws) sums: (draws,)."""

    def same_sums(self, other: Drawable) -> bool:
        """Tell whether a statistic of the same labels has the same sums."""


class TallyOfSums(Tally, Protocol):
    """The sums of many sets of labels."""

    @property
    def hits(self) -> Wide:
        """(size, draws) sums so far."""


@dataclass(frozen=True, slots=True, eq=False)
class SameSums(_OneTable):
    """Statistics of the same sums: the labels are added up once for all of them.

    Attributes
    ----------
    parts : the statistics; they share `prob` and `actual`, and have the same sums
    """

    parts: tuple[SumStatistic, ...]

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.parts[0].size

    def tally(self, width: int) -> "SameSumsTally":
        """Return an empty tally for `width` sets of labels."""
        return SameSumsTally(self.parts, self.parts[0].tally(width))


@dataclass(frozen=True, slots=True, eq=False)
class SameSumsTally:
    """Sums of labels, and the statistics that are made of them."""

    parts: tuple[SumStatistic, ...]
    sums: TallyOfSums

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        self.sums.add(rows, labels)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add the rows, of whose weight `shares` has the second class."""
        cast(ShareTally, self.sums).add_shares(rows, shares)

    def values(self) -> Wide:
        """Return (parts, width) values."""
        return np.stack([part.of_sums(self.sums.hits) for part in self.parts])
