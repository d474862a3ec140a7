"""Calibration errors of many data sets under all settings of a grid, and which tests reject."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.nulls.drawing import draw_labels
from plumbline.power.kernels import DISTANCES, Floats, Ints, count_tails, score_data_set
from plumbline.power.placements import Placements
from plumbline.synthetic import DataSets

VIEWS = ("cw", "cf")
LARGEST_PIECE = 2**22  # numbers of bins held at a time
THESIS_INFINITY = 99999.0
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Grid:
    """The settings under which each data set is tested.

    Attributes
    ----------
    views : "cw" and "cf"; placements : the bins; distances : names
    resamples, level, like : how the test rejects
    """

    views: tuple[str, ...]
    placements: Placements
    distances: tuple[str, ...]
    resamples: int
    level: float
    like: str | None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of views, placements and distances."""
        return len(self.views), len(self.placements.rows), len(self.distances)

    def rejections(self, data: DataSets, source: np.random.Generator) -> NDArray[np.int64]:
        """Count (views, placements, distances, 2) rejections of data sets, upper and lower tail."""
        total = np.zeros((*self.shape, 2), np.int64)
        for counts in self.tails(data, source):
            total += self.rejects(counts)
        return total

    def tails(self, data: DataSets, source: np.random.Generator) -> Iterator[Ints]:
        """Yield, data set by data set, (views, placements, distances, 2) counts of the draws.

        They are those at least as large as the observed error, and at most as large.
        """
        prob, labels = data
        chosen = [DISTANCES.index(name) for name in self.distances]
        for errors in self._errors(prob, labels, source):
            counts = np.empty((*errors.shape[:-1], 2), np.int64)
            count_tails(errors.reshape(-1, errors.shape[-1]), counts.reshape(-1, 2))
            yield counts[:, :, chosen]

    def rejects(self, counts: Ints) -> NDArray[np.bool_]:
        """Tell from (..., 2) counts of draws at least and at most as large which tests reject.

        p = (1 + count) / (m + 1) <= level. Like the thesis: p is the share of draws at least as
        large, and rejects where it is in [0, level], or, for the lower tail, in [1 - level, 1].
        """
        if self.like != "thesis":
            return np.asarray((1 + counts) <= self.level * (self.resamples + 1) + ROUNDING)
        share, edge = counts[..., 0] / self.resamples, self.level + ROUNDING
        return np.stack([share <= edge, share >= 1.0 - edge], axis=-1)

    def _errors(
        self, prob: Floats, labels: NDArray[np.int32], source: np.random.Generator
    ) -> Iterator[Floats]:
        """Yield, data set by data set, (views, placements, 3, 1 + m) errors, the observed first."""
        n, k = prob.shape[1:]
        infinite = THESIS_INFINITY if self.like == "thesis" else np.inf
        piece = max(1, LARGEST_PIECE // (n * (k + 1) * len(self.placements.rows)))
        drawn = np.empty((n, self.resamples), np.int32)
        for first in range(0, len(prob), piece):
            part = slice(first, first + piece)
            looks = sorted_looks(prob[part], self.views, self.like)
            home = self.placements.homes(looks.prob.reshape(-1, n)).reshape(-1, *looks.prob.shape)
            for place, number in enumerate(range(len(prob))[part]):
                draw_labels(prob[number], source.random(drawn.shape), drawn)
                sets = np.concatenate([labels[number][:, None], drawn], axis=1)
                errors = np.zeros((*self.shape[:2], len(DISTANCES), sets.shape[1]))
                own = looks.order[place], looks.answer[place], looks.prob[place], looks.rest[place]
                score_data_set(
                    sets, *own, home[:, place], looks.view, looks.share, infinite, errors
                )
                yield errors


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What the views look at, in the order of the scores: events and their probabilities.

    Attributes
    ----------
    order : (sets, looks, n) rows; answer : the class that counts as a hit
    prob, rest : the probability of that class, and of all others together
    view : (looks,) number of the view; share : its weight in the view's error
    """

    order: Ints
    answer: Ints
    prob: Floats
    rest: Floats
    view: Ints
    share: Floats


def sorted_looks(prob: Floats, views: Sequence[str], like: str | None) -> Looks:
    """Return the looks of (sets, n, k) probabilities: every class for cw, the top one for cf."""
    sets, n, k = prob.shape
    answers, view = [], []
    for number, name in enumerate(views):
        if name == "cw":
            answers += [np.full((sets, n), j) for j in range(k)]
            view += [number] * k
        else:
            answers += [prob.argmax(axis=2)]
            view += [number]
    answer = np.stack(answers, axis=1)
    score = np.stack([np.take_along_axis(prob, a[..., None], axis=2)[..., 0] for a in answers], 1)
    rest = 1.0 - score if like == "thesis" else np.stack([_others(prob, a) for a in answers], 1)
    order = score.argsort(axis=2, kind="stable")
    answer, score, rest = (np.take_along_axis(a, order, axis=2) for a in (answer, score, rest))
    numbers = np.asarray(view)
    return Looks(order, answer, score, rest, numbers, 1.0 / np.bincount(numbers)[numbers])


def _others(prob: Floats, answer: Ints) -> Floats:
    """Add the probabilities of all other classes: exact where 1 - p is not."""
    others = prob.copy()
    np.put_along_axis(others, answer[..., None], 0.0, axis=2)
    return np.asarray(np.minimum(others.sum(axis=2), 1.0))
