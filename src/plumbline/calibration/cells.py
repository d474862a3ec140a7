"""The binned part of a calibration error: a sum, or another norm, over bins of the classes."""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import Bins
from plumbline.calibration.distances import Distance
from plumbline.calibration.drawable import Wide
from plumbline.calibration.settings import Setting
from plumbline.errors import ParameterError


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The binned part of an error: sum over cells of share * distance(hits / weight, p, q).

    A cell is a bin of one class. Row i whose label is c adds its weight to cell `number[i, c]`;
    cell 0 is nobody's and does not count. With another norm the cells of every event are put
    together as (sum of share * distance^norm)^(1 / norm), and the error is the mean over events.

    Attributes
    ----------
    number : (n, k) cell number
    total : (cells,) weight of all rows of a cell, hit or not
    mean, rest : (cells,) probability p of the outcome, the mean over the rows or the middle of the
        bin, and q of the other one
    share : (cells,) factor of the cell in the sum
    distance : what is summed
    bins : the bins of every class looked at; none for groups of vectors
    norm : 1 for the sum, infinity for the largest distance, or between
    sizes : number of cells of every event, for another norm than 1
    vector : cells that make one vector, whose distances are added before the norm
    """

    number: NDArray[np.int32]
    total: Wide
    mean: Wide
    rest: Wide
    share: Wide
    distance: Distance
    bins: tuple[Bins, ...] = ()
    norm: float = 1.0
    sizes: tuple[int, ...] = ()
    vector: int = 1

    def error(self, hits: Wide) -> Wide:
        """Return the error for (cells, draws) sums of hits: one value a draw."""
        y = np.minimum(hits[1:] / self.total[1:, None], 1.0)
        d = self.distance(y, self.mean[1:, None], self.rest[1:, None])
        if self.norm == 1:
            return cast(Wide, (self.share[1:, None] * d).sum(axis=0))
        return self._in_norm(np.broadcast_to(d, y.shape))

    def _in_norm(self, distance: Wide) -> Wide:
        """Put the (cells, draws) distances of every event together, and the events by their mean.

        Distances are divided by their largest, so that no power of them leaves its range.
        """
        width = distance.shape[1]
        whole = distance.reshape(-1, self.vector, width).sum(axis=1)
        share = self.share[1 :: self.vector, None] * len(self.sizes)
        filled = [size // self.vector for size in self.sizes]
        stops = np.cumsum(filled)
        found = np.zeros(width)
        for stop, size in zip(stops, filled, strict=True):
            if size:
                rows = slice(stop - size, stop)
                found += _norm_of(whole[rows], share[rows], self.norm)
        return found / len(self.sizes)


def _norm_of(distance: Wide, share: Wide, norm: float) -> Wide:
    """Return (sum of share * distance^norm)^(1 / norm) down the columns."""
    largest: Wide = distance.max(axis=0)
    if math.isinf(norm):
        return largest
    sound = np.isfinite(largest) & (largest > 0)
    unit = np.where(sound, largest, 1.0)
    with np.errstate(under="ignore"):
        inner = (share * np.where(sound, distance / unit, 0.0) ** norm).sum(axis=0)
    return np.where(sound, unit * inner ** (1.0 / norm), largest)


def cells_of(number: NDArray[np.int32], parts: list[Bins], chosen: Setting, mass: Wide) -> Cells:
    """Return the cells of the filled bins of several events, numbered one after the other.

    `mass` (events,) is the weight that the shares of an event's bins are shares of.
    """
    total, mean, rest = (
        np.concatenate([[1.0], *(getattr(part, name)[part.filled] for part in parts)])
        for name in ("weight", "prob", "rest")
    )
    sizes = tuple(int(part.filled.sum()) for part in parts)
    if chosen.counting == "bins":
        share = 1.0 / np.repeat(np.array(sizes, float) * len(parts), sizes)
    else:
        share = total[1:] / np.repeat(mass * len(parts), sizes)
    mean, rest = mean / total, rest / total
    if chosen.representative == "midpoint":
        mean = np.concatenate([[1.0], *(_midpoints(part) for part in parts)])
        rest = 1.0 - mean
    share = np.concatenate([[1.0 / len(parts)], share])
    return Cells(
        *(number, total, mean, rest, share, chosen.rule),
        bins=tuple(parts),
        norm=chosen.norm,
        sizes=sizes,
    )


def _midpoints(part: Bins) -> Wide:
    """Return the middles of the filled bins."""
    if part.edges is None:
        raise ParameterError(
            "`representative` 'midpoint' needs bins with edges, such as 'equal-width:15'; these "
            "bins have none"
        )
    wide = part.edges.astype(np.float64)
    return np.asarray(((wide[:-1] + wide[1:]) / 2)[part.filled])
