"""Isotonic regression: the rising shares that fit the labels best, for many sets of labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Wide
from plumbline.jit import compiled

EQUAL = 1e-12  # means that differ by less differ by the rounding of their sums


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Runs of neighbouring scores, of many sets of labels: all draws in one row, draw by draw.

    Attributes
    ----------
    first : (pieces,) where each begins among the draws * scores places; every draw begins one
    draws, scores : how many there are
    """

    first: NDArray[np.intp]
    draws: int
    scores: int

    @classmethod
    def at(cls, starts: NDArray[np.bool_]) -> "Pieces":
        """Return the pieces that begin at the marks of (draws, scores)."""
        return cls(np.flatnonzero(starts), *starts.shape)

    @property
    def draw(self) -> NDArray[np.intp]:
        """(pieces,) the draw each belongs to."""
        return self.first // self.scores

    def sums(self, values: Wide) -> Wide:
        """Return (pieces,) sums of (draws, scores) values, or of (scores,) that all draws share."""
        every = np.tile(values, self.draws) if values.ndim == 1 else values.ravel()
        out: Wide = np.add.reduceat(every, self.first)
        return out

    def spread(self, values: Wide) -> Wide:
        """Return (scores, draws): the value of the piece that each score is in."""
        length = np.diff(np.append(self.first, self.draws * self.scores))
        return np.repeat(values, length).reshape(self.draws, self.scores).T

    def added(self, values: Wide) -> Wide:
        """Return (draws,) sums over the pieces of a draw."""
        return np.bincount(self.draw, values, self.draws).astype(np.float64)


def isotonic_fit(weight: Wide, hits: Wide) -> Wide:
    """Return the non-decreasing shares closest to hits / weight, in every column of `hits`.

    min over c_1 <= ... <= c_g of sum_i weight_i (hits_i / weight_i - c_i)^2, by pooling adjacent
    violators in linear time (Ayer et al. 1955); the answer is best under every proper score alike.

    Parameters
    ----------
    weight : (g,) weights above 0, in the order of the scores
    hits : (g, draws) weights of the rows where the event happened, 0 <= hits <= weight

    >>> isotonic_fit(np.array([1.0, 1.0, 2.0]), np.array([[1.0], [0.0], [2.0]]))[:, 0].tolist()
    [0.5, 0.5, 1.0]
    """
    pieces = Pieces.at(isotonic_starts(weight, hits))
    share = pieces.sums(hits.T) / pieces.sums(weight)
    return pieces.spread(np.minimum(share, 1.0))


def isotonic_starts(weight: Wide, hits: Wide) -> NDArray[np.bool_]:
    """Return (draws, g): whether a constant piece of the draw's isotonic fit begins at the score.

    >>> isotonic_starts(np.ones(3), np.array([[1.0], [0.0], [1.0]])).tolist()
    [[True, False, True]]
    """
    starts = np.zeros(hits.shape[::-1], np.bool_)
    pool(weight, np.ascontiguousarray(hits.T), starts)
    return starts


@compiled
def pool(weight: Wide, hits: Wide, starts: NDArray[np.bool_]) -> None:
    """Pool neighbours whose shares do not rise; hits (draws, g), `starts` is filled in."""
    draws, scores = hits.shape
    begin = np.empty(scores, np.int64)
    whole, events = np.empty(scores), np.empty(scores)
    for d in range(draws):
        top = -1
        for i in range(scores):
            top += 1
            begin[top], whole[top], events[top] = i, weight[i], hits[d, i]
            while top > 0 and (
                events[top - 1] * whole[top] >= (events[top] - EQUAL * whole[top]) * whole[top - 1]
            ):
                top -= 1
                whole[top] += whole[top + 1]
                events[top] += events[top + 1]
        for j in range(top + 1):
            starts[d, begin[j]] = True
