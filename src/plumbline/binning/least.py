"""Bins that hold enough rows: smaller ones are joined to a neighbour."""

import heapq
from dataclasses import dataclass

import numpy as np

from plumbline._checks import shorten, whole_number
from plumbline.binning.outcome import OutcomeBinning
from plumbline.binning.schemes import (
    ROUNDING,
    Binning,
    Convention,
    Floats,
    OnePerPoint,
    Sums,
    place,
)
from plumbline.errors import ParameterError


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The bins of a scheme, joined until each holds at least `rows` rows (by weight: repetitions).

    As long as there is one, the bin with the fewest rows is joined to its neighbour with fewer, the
    lower one where they have the same. If all rows together are fewer, one bin is left. Raises
    ParameterError for a scheme without edges.

    >>> from plumbline import EqualWidth
    >>> AtLeast(EqualWidth(4), 2).edges(np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.9]), None).tolist()
    [0.0, 0.5, 1.0]
    """

    scheme: Binning
    rows: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole_number("min", self.rows, least=1))
        edgeless = isinstance(self.scheme, OnePerPoint | OutcomeBinning | Convention)
        if edgeless or isinstance(self.scheme, type) or not hasattr(self.scheme, "edges"):
            raise ParameterError(
                "a least number of rows needs bins with edges, such as EqualWidth(15), got "
                f"{shorten(self.scheme)}"
            )

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges of the scheme that are left."""
        edges = self.scheme.edges(score, weight)
        if edges is None:
            raise ParameterError(f"bins {str(self.scheme)!r} have no edges to be joined at")
        home = place(score, edges)
        if weight is not None:  # added in an order that is not the rows'
            order = np.lexsort((weight, score))
            home, weight = home[order], weight[order]
        total = np.bincount(home, weight, len(edges) - 1).astype(np.float64)
        first = joined(total, self.rows * (1.0 - ROUNDING))
        return np.concatenate([edges[first], edges[-1:]])

    def __str__(self) -> str:
        return f"{self.scheme},min={self.rows}"


def joined(total: Sums, least: float) -> list[int]:
    """Return the first old bin of every new bin, for bins that hold `total`.

    >>> joined(np.array([1.0, 9.0, 1.0, 5.0, 9.0]), 2.0)
    [0, 2, 4]
    """
    held: list[float] = total.tolist()
    size = len(held)
    before, after = list(range(-1, size - 1)), list(range(1, size + 1))
    alive = [True] * size
    waiting = [(rows, bin_) for bin_, rows in enumerate(held)]
    heapq.heapify(waiting)
    bins = size
    while bins > 1:
        rows, own = heapq.heappop(waiting)
        if not alive[own] or rows != held[own]:
            continue
        if rows >= least:
            break
        lower, upper = before[own], after[own]
        if lower < 0 or (upper < size and held[upper] < held[lower]):
            lower, own = own, upper
        held[lower] += held[own]
        alive[own] = False
        after[lower] = after[own]
        if after[own] < size:
            before[after[own]] = lower
        heapq.heappush(waiting, (held[lower], lower))
        bins -= 1
    return [bin_ for bin_ in range(size) if alive[bin_]]
