"""In which bin every sorted score falls: many rows of scores, many numbers of bins at once.

Here are the thesis' own two rules, and a faster twin of `EqualSize` that takes many rows. For the
rest `plumbline.binning` is asked, which decides to which bin an edge belongs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.binning import EqualSize, EqualWidth, binning_of, place
from plumbline.errors import ParameterError

Floats: TypeAlias = NDArray[np.float64]
Home: TypeAlias = NDArray[np.integer[Any]]

EQUAL_SIZE, EQUAL_WIDTH = "equal-size", "equal-width"
SIZES = tuple(range(5, 101, 5))
WIDTHS = (5, 10, 15, 20, 25, 50, 75, 100, 125, 150, 175, 200, 250, 500)
GRIDS = ("plumbline", "thesis")


@dataclass(frozen=True, slots=True)
class Placement:
    """One rule and its number of bins."""

    name: str
    bins: int


@dataclass(frozen=True, slots=True)
class Placements:
    """The bins of a grid: which rules with how many bins, and whose conventions."""

    convention: str
    rows: tuple[Placement, ...]

    def homes(self, score: Floats) -> Home:
        """Return (placements, rows, n) numbers of the bins of (rows, n) scores in rising order."""
        home = np.empty((len(self.rows), *score.shape), np.int32)
        for number, row in enumerate(self.rows):
            home[number] = _RULES[self.convention, row.name](score, row.bins)
        return home


def placements_of(bins: str) -> Placements:
    """Return the bins that a text names: "plumbline", "thesis" or a list of binnings.

    >>> placements_of("equal-size:10, equal-width:15").rows
    (Placement(name='equal-size', bins=10), Placement(name='equal-width', bins=15))
    """
    if bins in GRIDS:
        sizes = [Placement(EQUAL_SIZE, b) for b in SIZES]
        return Placements(bins, (*sizes, *(Placement(EQUAL_WIDTH, b) for b in WIDTHS)))
    if ":" not in str(bins):
        raise ParameterError(
            "`bins` must be 'plumbline', 'thesis' or a list such as 'equal-size:10,equal-width:15',"
            f" got {shorten(bins)}"
        )
    return Placements("plumbline", tuple(dict.fromkeys(map(_placement, str(bins).split(",")))))


def _placement(text: str) -> Placement:
    if text.strip().partition(":")[0] in (EQUAL_SIZE, EQUAL_WIDTH):
        binning = binning_of(text)
        if isinstance(binning, (EqualSize, EqualWidth)):
            return Placement(str(binning).partition(":")[0], binning.bins)
    raise ParameterError(
        f"`bins` of a power study are 'equal-size:B' and 'equal-width:B', got {shorten(text)}"
    )


def _equal_width(score: Floats, bins: int) -> Home:
    return place(score, EqualWidth(bins).edges(score, None))


def _equal_size(score: Floats, bins: int) -> Home:
    """Cut after the last score that equals the one at rank j n / b: `EqualSize` for sorted rows."""
    n = score.shape[1]
    last = np.ones(score.shape, bool)  # of its equals
    last[:, :-1] = score[:, 1:] != score[:, :-1]
    at = np.where(last, np.arange(n), n)
    end_of_ties = np.minimum.accumulate(at[:, ::-1], axis=1)[:, ::-1]
    reached = -(-np.arange(1, bins) * n // bins)  # rounded up, in whole numbers
    begins = np.zeros((len(score), n + 1), np.int32)
    np.put_along_axis(begins, end_of_ties[:, reached - 1] + 1, 1, axis=1)
    return np.asarray(begins[:, :n].cumsum(axis=1))


def _thesis_equal_width(score: Floats, bins: int) -> Home:
    return np.minimum(score // (1 / bins), bins - 1).astype(np.int32)


def _thesis_equal_size(score: Floats, bins: int) -> Home:
    """Cut by rank, the larger bins first, as numpy's `array_split` does; equal scores may part."""
    n = score.shape[1]
    sizes = np.full(bins, n // bins)
    sizes[: n % bins] += 1
    return np.broadcast_to(np.repeat(np.arange(bins), sizes), score.shape)


_RULES: dict[tuple[str, str], Callable[[Floats, int], Home]] = {
    ("plumbline", EQUAL_SIZE): _equal_size,
    ("plumbline", EQUAL_WIDTH): _equal_width,
    ("thesis", EQUAL_SIZE): _thesis_equal_size,
    ("thesis", EQUAL_WIDTH): _thesis_equal_width,
}
