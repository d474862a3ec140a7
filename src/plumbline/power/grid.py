"""Calibration errors of many data sets under all settings of a grid: bins, kernels, rejections."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.binning import EqualSize, EqualWidth, binning_of, place
from plumbline.errors import ParameterError
from plumbline.jit import compiled, read_only
from plumbline.nulls import TIE, draw_labels
from plumbline.synthetic import DataSets

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.integer[Any]]

DISTANCES = ("absolute", "square", "log")  # the order of the kernels' tables


@compiled
def score_data_set(
    labels: Ints,
    order: Ints,
    answer: Ints,
    prob: Floats,
    rest: Floats,
    home: Ints,
    view: Ints,
    share: Floats,
    infinite: float,
    out: Floats,
) -> None:
    """Add to `out` (views, settings, 3, w) the calibration errors of w sets of labels.

    labels (n, w); per look c, all in the order of its scores: `order` (c, n) rows, `answer` (c, n)
    the class that counts as a hit, `prob` and `rest` (c, n) of it and of the others, `home`
    (settings, c, n) number of the bin, which never falls. Look c belongs to `view[c]`, in whose
    error it has the weight `share[c]`. `infinite` stands for an infinite log distance of a bin.
    """
    n, w = labels.shape
    hits = np.zeros((n + 1, w), np.int32)  # before position i
    table = np.empty((n + 1, 3))
    entropy = np.zeros(n + 1)  # h ln h
    for h in range(1, n + 1):
        entropy[h] = h * np.log(h)
    for c in range(order.shape[0]):
        for i in range(n):
            own = labels[order[c, i]]
            wanted = answer[c, i]
            for d in range(w):
                hits[i + 1, d] = hits[i, d] + (own[d] == wanted)
        for s in range(home.shape[0]):
            start = 0
            while start < n:
                stop, p, q = start, 0.0, 0.0
                while stop < n and home[s, c, stop] == home[s, c, start]:
                    p += prob[c, stop]
                    q += rest[c, stop]
                    stop += 1
                size = stop - start
                fill_table(size, p, q, share[c] / n, infinite, entropy, table)
                add_bin(hits[start], hits[stop], table, size, out[view[c], s])
                start = stop


@compiled
def fill_table(
    size: int, p: float, q: float, scale: float, infinite: float, entropy: Floats, table: Floats
) -> None:
    """Fill in what a bin adds for every number of hits: scale * size * distance, row by row."""
    log_p, log_q = np.log(p / (p + q)), np.log(q / (p + q))
    for h in range(size + 1):
        gap = h - p
        table[h, 0] = scale * abs(gap)
        table[h, 1] = scale * gap * gap / size
        surprise = entropy[h] + entropy[size - h] - entropy[size]
        if h > 0:
            surprise -= h * log_p
        if h < size:
            surprise -= (size - h) * log_q
        table[h, 2] = scale * (surprise if surprise < np.inf else size * infinite)


@compiled
def add_bin(before: Ints, after: Ints, table: Floats, size: int, out: Floats) -> None:
    """Add the part of one bin to (3, w) errors."""
    absolute, square, log = out[0], out[1], out[2]
    w = len(before)
    if size == 1:  # a hit or not: no search in the table
        a, b, c = table[0, 0], table[0, 1], table[0, 2]
        da, db = table[1, 0] - a, table[1, 1] - b
        hit = table[1, 2]
        for d in range(w):
            h = after[d] - before[d]
            absolute[d] += a + h * da
            square[d] += b + h * db
            log[d] += hit if h else c
        return
    for d in range(w):
        h = after[d] - before[d]
        absolute[d] += table[h, 0]
        square[d] += table[h, 1]
        log[d] += table[h, 2]


@compiled
def count_tails(scores: Floats, counts: Ints) -> None:
    """Count, for (rows, 1 + m) values, the m draws at least and at most as large as the first."""
    for r in range(scores.shape[0]):
        observed = scores[r, 0]
        gap = TIE * (1.0 + abs(observed)) if abs(observed) < np.inf else 0.0
        upper, lower = 0, 0
        for d in range(1, scores.shape[1]):
            upper += scores[r, d] >= observed - gap
            lower += scores[r, d] <= observed + gap
        counts[r, 0] = upper
        counts[r, 1] = lower


Home: TypeAlias = NDArray[np.integer[Any]]

EQUAL_SIZE, EQUAL_WIDTH = "equal-size", "equal-width"
SIZES = tuple(range(5, 101, 5))  # bins of the grid of figures in docs/thesis.md; a convention
# Those of equal width, likewise.
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
            argument="bins",
            rule="'plumbline', 'thesis' or a list such as 'equal-size:10,equal-width:15'",
            arrived=shorten(bins),
            code="wrong-kind",
        )
    return Placements("plumbline", tuple(dict.fromkeys(map(_placement, str(bins).split(",")))))


def _placement(text: str) -> Placement:
    if text.strip().partition(":")[0] in (EQUAL_SIZE, EQUAL_WIDTH):
        binning = binning_of(text)
        if isinstance(binning, (EqualSize, EqualWidth)):
            return Placement(str(binning).partition(":")[0], binning.bins)
    raise ParameterError(
        f"`bins` of a power study are 'equal-size:B' and 'equal-width:B', got {shorten(text)}",
        code="wrong-kind",
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


# The thesis' own two rules, and a faster twin of `EqualSize` that takes many rows of sorted scores;
# the rest is decided by `plumbline.binning`.
_RULES: dict[tuple[str, str], Callable[[Floats, int], Home]] = {
    ("plumbline", EQUAL_SIZE): _equal_size,
    ("plumbline", EQUAL_WIDTH): _equal_width,
    ("thesis", EQUAL_SIZE): _thesis_equal_size,
    ("thesis", EQUAL_WIDTH): _thesis_equal_width,
}


VIEWS = ("cw", "cf")
LARGEST_PIECE = 2**22  # numbers of bins held at a time
THESIS_INFINITY = 99999.0  # what the programs of the thesis wrote for infinity
ROUNDING = 1e-9  # relative: values that differ by less are ties


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
        columns = [DISTANCES.index(name) for name in self.distances]
        for errors in self._errors(prob, labels, source):
            counts = np.empty((*errors.shape[:-1], 2), np.int64)
            count_tails(errors.reshape(-1, errors.shape[-1]), counts.reshape(-1, 2))
            yield counts[:, :, columns]

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
            events = sorted_events(prob[part], self.views, self.like)
            home = self.placements.homes(events.prob.reshape(-1, n)).reshape(-1, *events.prob.shape)
            for j, number in enumerate(range(len(prob))[part]):
                draw_labels(*read_only(prob[number]), source.random(drawn.shape), drawn)
                sets = np.concatenate([labels[number][:, None], drawn], axis=1)
                errors = np.zeros((*self.shape[:2], len(DISTANCES), sets.shape[1]))
                own = events.order[j], events.answer[j], events.prob[j], events.rest[j]
                place = np.ascontiguousarray(home[:, j])
                score_data_set(sets, *own, place, events.view, events.share, infinite, errors)
                yield errors


@dataclass(frozen=True, slots=True, eq=False)
class SortedEvents:
    """What the views look at, in the order of the scores: events and their probabilities.

    Attributes
    ----------
    order : (sets, events, n) rows; answer : the class that counts as a hit
    prob, rest : the probability of that class, and of all others together
    view : (events,) number of the view; share : its weight in the view's error
    """

    order: Ints
    answer: Ints
    prob: Floats
    rest: Floats
    view: Ints
    share: Floats


def sorted_events(prob: Floats, views: Sequence[str], like: str | None) -> SortedEvents:
    """Return the events of (sets, n, k) probabilities: every class for cw, the top one for cf."""
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
    return SortedEvents(order, answer, score, rest, numbers, 1.0 / np.bincount(numbers)[numbers])


def _others(prob: Floats, answer: Ints) -> Floats:
    """Add the probabilities of all other classes: exact where 1 - p is not."""
    others = prob.copy()
    np.put_along_axis(others, answer[..., None], 0.0, axis=2)
    return np.asarray(np.minimum(others.sum(axis=2), 1.0))
