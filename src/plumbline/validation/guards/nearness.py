"""How near rows are to each other in all features: nearest neighbours at a bounded cost."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.random_streams import stream
from plumbline.validation.guards.columns import Codes, Column
from plumbline.validation.guards.rows import Twins
from plumbline.validation.splits import Places

Floats = NDArray[np.float64]

MOST_CELLS = 60_000_000  # rows x features; larger tables are not searched
PAIRS = 50_000_000  # pairs of rows whose distance is calculated
MOST_QUERIES = 4_000
FEWEST_QUERIES = 50
NEIGHBOURS = 33  # so a set of near-equal rows may have up to 32 of them
WIDTH = 64  # more numbers a row are projected on so many at random, which keeps distances to 9 %
MOST_CATEGORIES = 50  # a text with more values names things rather than measuring them
QUARTILES = 1.349  # standard deviations between the quartiles of a normal distribution
GAP = 5.0  # rows inside a set are so many times nearer than the next row outside
ZERO = 1e-12  # of a standard deviation: a distance of rounding alone


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The nearest other rows of some rows.

    Attributes
    ----------
    points : (n, p) all rows, as points
    queries : (q,) the rows that were examined
    rows : (q, m) the m nearest other rows of each, the nearest first
    distance : (q, m) how far they are, in standard deviations of a feature
    numbers : how many features are numbers without steps, along which rows can spread
    """

    points: Floats
    queries: Places
    rows: Places
    distance: Floats
    numbers: int

    def inside(self, *, copies: bool = False) -> Places:
        """Return (q,) how many rows are near-equal to each: up to the first gap, 0 without one.

        A gap is where the next row is `GAP` times as far. Rows that are equal are no reason for
        one unless `copies` says that they count.
        """
        near = np.maximum(self.distance[:, :-1], ZERO)
        jump = self.distance[:, 1:] > GAP * near
        if not copies:
            jump &= self.distance[:, :-1] > ZERO
        return np.where(jump.any(axis=1), jump.argmax(axis=1) + 1, 0)

    def dimensions(self) -> float:
        """Return in how many dimensions the rows spread, judged by the farther half of neighbours.

        Of points spread evenly in m dimensions, the logarithm of the K-th over the j-th distance
        has the mean (1 / j + ... + 1 / (K - 1)) / m (Levina and Bickel, 2004).
        """
        last = self.distance.shape[1]
        start = last // 2
        far = self.distance[:, start:]
        far = far[far[:, 0] > ZERO]
        terms = 1 / np.arange(start + 1, last)
        growth = float(np.log(far[:, -1:] / far[:, :-1]).mean()) if far.size else 0.0
        expected = float(np.cumsum(terms[::-1]).mean()) if len(terms) else 0.0
        spread = expected / growth if growth > 0 else 1.0
        return max(1.0, min(spread, self.numbers))


def coordinates(columns: Iterable[Column]) -> Floats | None:
    """Return the rows as points: numbers in standard deviations, a category as a corner.

    Two rows of different categories, or of which one has a missing value, are 1 apart. A column of
    one value, and texts of more than `MOST_CATEGORIES` values, have no part. None if none has.
    """
    blocks: list[Floats] = []
    projected: Floats | None = None
    width = 0
    for place, column in enumerate(columns):
        block = _block(column)
        if block is None:
            continue
        blocks.append(block)
        width += block.shape[1]
        if width > WIDTH:  # from here on every block is projected as it comes
            projected = np.zeros((len(block), WIDTH)) if projected is None else projected
            for number, one in enumerate(blocks):
                directions = stream(0, place, number).normal(size=(one.shape[1], WIDTH))
                projected += one @ directions / np.sqrt(WIDTH)
            blocks = []
    if projected is not None:
        return projected
    return np.hstack(blocks) if blocks else None


def _block(column: Column) -> Floats | None:
    """Return (n, b) the coordinates of one column, None if it has no part."""
    if column.distinct < 2:
        return None
    if not column.numeric:
        if column.distinct > MOST_CATEGORIES:
            return None
        corners: Floats = np.eye(column.distinct)[column.code] / np.sqrt(2)
        return corners
    values = column.values.astype(np.float64)[column.code]
    missing = ~np.isfinite(values)
    there = values[~missing]
    low, middle, high = np.quantile(there, (0.25, 0.5, 0.75)) if len(there) else (0.0, 0.0, 0.0)
    spread = float((high - low) / QUARTILES or np.std(there)) if len(there) else 0.0
    if not np.isfinite(spread) or spread == 0:
        return missing[:, None].astype(np.float64) if missing.any() else None
    scaled = np.where(missing, 0.0, (values - middle) / spread)
    return np.column_stack([scaled, missing]) if missing.any() else scaled[:, None]


def queried(n: int) -> Places:
    """Return the rows to examine: all of few, of many a sample that keeps the cost bounded."""
    size = min(n, MOST_QUERIES, PAIRS // n)
    return np.sort(stream(0, n).choice(n, size=size, replace=False)).astype(np.intp)


def nearest(points: Floats, queries: Places, *, numbers: int = 1) -> Nearest:
    """Return the nearest other rows of some rows."""
    n = len(points)
    m = min(NEIGHBOURS, n - 1)
    square = (points**2).sum(axis=1)
    rows = np.empty((len(queries), m), dtype=np.intp)
    distance = np.empty((len(queries), m))
    step = max(1, 5_000_000 // n)
    for start in range(0, len(queries), step):
        here = slice(start, start + step)
        own = queries[here]
        rough = square - 2 * points[own] @ points.T
        rough[np.arange(len(own)), own] = np.inf
        near = np.argpartition(rough, m - 1, axis=1)[:, :m]
        exact = np.sqrt(((points[near] - points[own][:, None]) ** 2).sum(axis=2))
        order = np.argsort(exact, axis=1, kind="stable")
        rows[here] = np.take_along_axis(near, order, axis=1)
        distance[here] = np.take_along_axis(exact, order, axis=1)
    return Nearest(points, queries, rows, distance, numbers)


def joined(found: Nearest, inside: Places, n: int) -> Twins:
    """Return the sets of near-equal rows: each examined row with those up to its gap."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    counted = np.arange(found.rows.shape[1]) < inside[:, None]
    ends = found.rows[counted]
    starts = np.repeat(found.queries, inside)
    graph = coo_array((np.ones(len(starts)), (starts, ends)), shape=(n, n))
    code: Codes = connected_components(graph, directed=False)[1].astype(np.intp)
    rows = np.unique(np.concatenate([starts, ends]))
    return Twins(rows, np.unique(code[rows], return_inverse=True)[1].astype(np.intp))
