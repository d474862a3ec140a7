"""What residuals say about the true probabilities, smoothed along every class's scores."""

from dataclasses import dataclass

import numpy as np

from plumbline.calibration import Floats, Ints, Wide

WINDOW = 0.15  # share of the rows, on either side, whose residuals are averaged
MOST_CELLS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """Residuals y - p of every class, smoothed along its scores.

    Attributes
    ----------
    prob : (n, k) probabilities, rows that sum to 1
    residual : (n, k) mean residual of the rows with similar scores
    z : (n, k) the same in standard errors, if the probabilities are true
    """

    prob: Wide
    residual: Wide
    z: Wide


def smoothed(prob: Floats, actual: Ints, mass: Wide) -> Smoothed:
    """Return the tricube mean of residuals over the ranks of the scores, for every class.

    A row counts with its weight; of two classes the second is smoothed and the first its mirror.
    """
    n, k = prob.shape
    wide = prob.astype(np.float64)
    wide /= wide.sum(axis=1, keepdims=True)
    residual, z = np.empty((n, k)), np.empty((n, k))
    for c in range(1 if k == 2 else 0, k):
        residual[:, c], z[:, c] = _column(wide[:, c], actual == c, mass)
    if k == 2:
        residual[:, 0], z[:, 0] = -residual[:, 1], -z[:, 1]
    return Smoothed(wide, residual, z)


def softened(prob: Wide) -> Wide:
    """Return the probabilities, those of rows that call a class impossible moved off 0.

    Such a row is mixed with 1 / n of the uniform vector: nothing that n rows could tell apart,
    and the only way in which what never happened yet can be possible at all.
    """
    n, k = prob.shape
    closed = (prob <= 0).any(axis=1, keepdims=True)
    return np.where(closed, prob + (1.0 / k - prob) / max(n, 2), prob)


def cells_of(score: Wide, mass: Wide, most: int) -> tuple[Ints, Wide]:
    """Return every row's cell, of at most `most` equal-size ones that split no tie, and its rank.

    Cells are numbered from 0 by rising score; the rank is the share of weight below the middle of
    the row's score.
    """
    distinct, place = np.unique(score, return_inverse=True)
    weight = np.bincount(place, mass, len(distinct))
    rank = (np.cumsum(weight) - weight / 2) / weight.sum()
    _, cell = np.unique(np.floor(rank * most), return_inverse=True)
    return cell[place], rank[place]


def _column(score: Wide, event: Ints, mass: Wide) -> tuple[Wide, Wide]:
    """Return mean residual and standard score of one class, for every row."""
    cell, rank = cells_of(score, mass, MOST_CELLS)
    spread = softened(np.column_stack([1.0 - score, score])).prod(axis=1)
    weight, place, total, variance = (
        np.bincount(cell, part)
        for part in (mass, mass * rank, mass * (event - score), np.square(mass) * spread)
    )
    place = np.divide(place, weight, out=np.zeros_like(place), where=weight > 0)
    kernel = np.maximum(1.0 - np.abs((place[:, None] - place) / WINDOW) ** 3, 0.0) ** 3
    sums, error = kernel @ total, np.sqrt(np.square(kernel) @ variance)
    around = kernel @ weight
    mean = np.divide(sums, around, out=np.zeros_like(sums), where=around > 0)
    z = np.divide(sums, error, out=np.zeros_like(sums), where=error > 0)
    return mean[cell], z[cell]
