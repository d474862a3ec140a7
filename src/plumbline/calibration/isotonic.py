"""Isotonic regression, and bins that depend on the outcomes, for many sets of labels at a time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.binning import MOST_BINS
from plumbline.calibration.distances import Distance
from plumbline.calibration.drawable import Wide
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
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
    hits : (g, draws) weights of the rows with the event, 0 <= hits <= weight

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


ROUNDING = 1e-12  # a sum that falls short of a quantile by rounding has reached it


def outcome_binned(kind: str, distance: Distance, norm: float = 1.0) -> ProfileRule:
    """Return the calibration error over bins that the outcomes choose.

    (sum_b share_b d(y_b, p_b, q_b)^norm)^(1/norm), the largest d_b where `norm` is infinite, with
    share of the outcome y_b and mean probabilities p_b, q_b. The bins of `kind`:

    - "isotonic": the constant pieces of the isotonic regression of the outcomes on the scores
    - "monotone-sweep": equal-size bins, as many as can be had, counting up from 1, before the
      shares of neighbouring bins first fall (the ECE-sweep of Roelofs et al. 2022)

    Every set of labels gets bins of its own, so that the null contains the choice of the bins.
    Equal scores share a bin. Raises ParameterError for another kind, or a norm below 1.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration import DISTANCES, define_error, profile_statistic
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> rule = outcome_binned("isotonic", DISTANCES["absolute"])  # bins 0.1 | 0.4, 0.6 | 0.9
    >>> round(float(observed(profile_statistic(data, define_error(data), rule))), 12)
    0.05
    """
    starts_of = OUTCOME_BINS[one_of("kind", kind, OUTCOME_BINS)]
    if not norm >= 1:
        raise ParameterError(
            argument="norm", rule="at least 1", arrived=quoted(norm), code="out-of-range"
        )

    def rule(profile: Profile) -> ErrorOfHits:
        def error(hits: Wide) -> Wide:
            pieces = Pieces.at(starts_of(profile.weight, hits))
            return _errors(profile, hits, pieces, distance, norm)

        return error

    return rule


def outcome_edges(kind: str, profile: Profile, hits: Wide) -> Wide:
    """Return the edges of the bins that one set of labels chooses: 0, the inner edges, 1.

    An inner edge is the largest score of its bin, so that bins are (lo, hi]. `hits` is (g,), the
    weights of the rows with the event. Raises ParameterError for an unknown kind.

    >>> profile = Profile(np.array([0.1, 0.4, 0.6]), np.array([0.9, 0.6, 0.4]), np.ones(3))
    >>> outcome_edges("isotonic", profile, np.array([0.0, 1.0, 0.0])).tolist()
    [0.0, 0.1, 1.0]
    """
    starts_of = OUTCOME_BINS[one_of("kind", kind, OUTCOME_BINS)]
    first = np.flatnonzero(starts_of(profile.weight, hits[:, None])[0])
    return np.concatenate([[0.0], profile.score[first[1:] - 1], [1.0]])


def _errors(profile: Profile, hits: Wide, pieces: Pieces, distance: Distance, norm: float) -> Wide:
    """Return (draws,) errors over the bins of every draw."""
    weight = pieces.sums(profile.weight)
    prob, rest = (pieces.sums(profile.weight * part) for part in (profile.score, profile.rest))
    share = np.minimum(pieces.sums(hits.T) / weight, 1.0)
    gap = np.asarray(distance(share, prob / weight, rest / weight), np.float64)
    if np.isinf(norm):
        begins = np.flatnonzero(np.diff(pieces.draw, prepend=-1))
        return np.asarray(np.maximum.reduceat(gap, begins))
    return pieces.added(weight / profile.weight.sum() * gap**norm) ** (1.0 / norm)


def sweep_starts(weight: Wide, hits: Wide) -> NDArray[np.bool_]:
    """Return (draws, g): whether a bin of the draw's monotone sweep begins at the score."""
    mass = np.cumsum(weight)
    bins = np.zeros(hits.shape[1], np.int64)
    count_bins(mass, np.ascontiguousarray(np.cumsum(hits.T, axis=1)), bins)
    starts = np.zeros(hits.shape[::-1], np.bool_)
    mark_bins(mass, bins, starts)
    return starts


@compiled
def count_bins(mass: Wide, hits: Wide, bins: NDArray[np.int64]) -> None:
    """Fill in how many bins each draw is swept to; -1 where every score is a bin of its own.

    mass (g,) and hits (draws, g) are summed up to every score. Where the shares of single scores
    never fall, those of no bins can, and there is nothing to count up to.
    """
    draws, scores = hits.shape
    ends, result = np.arange(scores + 1), np.empty(1, np.int64)
    left = draws
    for d in range(draws):
        falls(mass, hits[d], ends, result)
        if result[0] == 0:
            bins[d] = -1
            left -= 1
    tried = 0
    while left > 0 and tried < MOST_BINS:
        tried += 1
        equal_size_ends(mass, tried, ends)
        for d in range(draws):
            if bins[d] == tried - 1:  # it has come so far
                falls(mass, hits[d], ends, result)
                if result[0] == 0:
                    bins[d] = tried
                else:
                    left -= 1


@compiled
def mark_bins(mass: Wide, bins: NDArray[np.int64], starts: NDArray[np.bool_]) -> None:
    """Mark where the bins of every draw begin; starts (draws, g)."""
    scores = len(mass)
    ends = np.empty(scores + 1, np.int64)
    for d in range(len(bins)):
        if bins[d] < 0:
            starts[d] = True
        else:
            equal_size_ends(mass, bins[d], ends)
            starts[d, 0] = True
            for j in range(ends[scores] - 1):
                starts[d, ends[j] + 1] = True


@compiled
def equal_size_ends(mass: Wide, bins: int, ends: NDArray[np.int64]) -> None:
    """Fill in the last score of every bin, the smallest whose mass reaches j W / bins; then count.

    `ends` has a place more than there are scores; the number of bins goes to its last.
    """
    scores = len(mass)
    count, low = 0, 0
    for j in range(1, bins + 1):
        wanted = j * (mass[scores - 1] * (1.0 - ROUNDING))
        high, step = low, 1
        while high < scores - 1 and mass[high] * bins < wanted:
            low, high, step = high + 1, min(high + step, scores - 1), 2 * step
        while low < high:
            middle = (low + high) // 2
            if mass[middle] * bins >= wanted:
                high = middle
            else:
                low = middle + 1
        if count == 0 or ends[count - 1] < low:
            ends[count] = low
            count += 1
    ends[scores] = count


@compiled
def falls(mass: Wide, hits: Wide, ends: NDArray[np.int64], fallen: NDArray[np.int64]) -> None:
    """Tell in `fallen` whether the share of the outcome falls from one bin to the next."""
    fallen[0] = 0
    before_mass, before_hits, before = 0.0, 0.0, -1.0
    for j in range(ends[len(mass)]):
        here_mass, here_hits = mass[ends[j]], hits[ends[j]]
        share = (here_hits - before_hits) / (here_mass - before_mass)
        if share < before - EQUAL:
            fallen[0] = 1
            return
        before_mass, before_hits, before = here_mass, here_hits, share


OUTCOME_BINS: dict[str, Callable[[Wide, Wide], NDArray[np.bool_]]] = {
    "isotonic": isotonic_starts,
    "monotone-sweep": sweep_starts,
}
