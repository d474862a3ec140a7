"""The bins of "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020)."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from plumbline.binning.schemes import Binning, EqualSize, EqualWidth, Floats, Home, OnePerPoint
from plumbline.errors import ParameterError


@dataclass(frozen=True, slots=True)
class SizeByRank:
    """Rows sorted by score (equal ones in their order) and cut into b parts, larger parts first.

    >>> SizeByRank(2, EqualSize(2)).homes(np.array([0.3, 0.3, 0.3])).tolist()
    [0, 0, 1]
    """

    bins: int
    ours: Binning

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: equal scores may be split."""
        return

    def homes(self, score: Floats) -> Home:
        """Return the parts of `numpy.array_split` of the sorted rows, in whole numbers."""
        n = len(score)
        small, larger = divmod(n, self.bins)
        rank = np.empty(n, np.int64)
        rank[np.argsort(score, kind="stable")] = np.arange(n)
        first = larger * (small + 1)  # rows in the larger parts
        home: Home = np.where(
            rank < first, rank // (small + 1), larger + (rank - first) // max(small, 1)
        )
        return home

    def __str__(self) -> str:
        return str(self.ours)


@dataclass(frozen=True, slots=True)
class WidthByFloor:
    """Bin min(p // (1 / b), b - 1): closed below, and decimals fall where rounding sends them.

    >>> WidthByFloor(10, EqualWidth(10)).homes(np.array([0.3, 0.31, 1.0])).tolist()
    [2, 3, 9]
    """

    bins: int
    ours: Binning

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: no edges j / b would put every score where the division does."""
        return

    def homes(self, score: Floats) -> Home:
        """Return the whole part of the division by the width, in float64."""
        home: Home = (score.astype(np.float64) // (1 / self.bins)).astype(np.int64)
        return np.minimum(home, self.bins - 1)

    def __str__(self) -> str:
        return str(self.ours)


SplitBinning: TypeAlias = SizeByRank | WidthByFloor


def as_in_thesis(scheme: Binning) -> Binning:
    """Return what the thesis means by the name of a scheme; one bin a point is the same there.

    >>> str(as_in_thesis(EqualSize(10)))
    'equal-size:10'
    """
    if isinstance(scheme, EqualSize):
        return SizeByRank(scheme.bins, scheme)
    if isinstance(scheme, EqualWidth):
        return WidthByFloor(scheme.bins, scheme)
    if isinstance(scheme, OnePerPoint):
        return scheme
    raise ParameterError(
        "`like` 'thesis' knows the bins 'equal-size:b', 'equal-width:b' and 'one-per-point', got "
        f"{str(scheme)!r}"
    )
