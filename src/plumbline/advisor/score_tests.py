"""Score tests of what the maps can correct, with labels drawn from the probabilities as they are.

A score test tests whether the likelihood rises when a map's parameters leave the values at which it
changes nothing (Rao 1948; Cox 1958 for shift and slope). It needs one sum over rows for each number
and no fit, so it can be repeated for every drawn set of labels, and its level is exact.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration_tests import calibration_test
from plumbline.calibration_tests.omnibus_families import MOST_CLASSES
from plumbline.errors import ParameterError
from plumbline.formatting import counted, quoted
from plumbline.jit import compiled
from plumbline.nulls import TIE, observed, resampled
from plumbline.predictions import Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.progress import Progress
from plumbline.recalibration import SCORE
from plumbline.recalibration.inputs import NEVER, Reading

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

DRAWS = 999
MOST_DRAWS = 1_000_000
MOST_LABELS = 200_000_000  # drawn; of more rows, fewer times
LEAST_DRAWS = 199
AMPLE = 20  # times as many sets of labels as the level needs


def draws_for(rows: int, tests: int, *, level: float) -> int:
    """Return how many times the labels of a table are drawn.

    The smallest adjusted p-value of M tests after m draws lies between 1 / (m + 1) and
    M / (m + 1), so the draws grow with both, else nothing could be significant. Raises
    ParameterError for a level so near 1 that this takes more than a million.

    >>> draws_for(5000, 13, level=0.95), draws_for(5000, 13, level=0.999)
    (999, 26000)
    >>> draws_for(10**7, 3, level=0.95), draws_for(10**7, 13, level=0.95)
    (199, 260)
    """
    needed = round(tests / (1 - level))
    if needed > MOST_DRAWS:
        raise ParameterError(
            argument="level",
            rule=f"so far below 1 that {MOST_DRAWS:,} draws are enough",
            arrived=quoted(level),
            remedy=f"for {counted(tests, 'test')} use at most {1 - tests / MOST_DRAWS:g}",
            code="out-of-range",
        )
    ample = max(DRAWS, 2 * needed, round(AMPLE / (1 - level)))
    return min(ample, max(LEAST_DRAWS, needed, MOST_LABELS // rows))


@dataclass(frozen=True, slots=True, eq=False)
class ExampleSets:
    """Rows by how often their example came before: in each set every example is once at most.

    Attributes
    ----------
    rows : numbers of the rows of every set; one set where no example has several rows
    """

    rows: tuple[Ints, ...]

    @classmethod
    def of(cls, example: Ints) -> "ExampleSets":
        """Deal out (n,) rows by their (n,) example numbers.

        >>> [rows.tolist() for rows in ExampleSets.of(np.array([0, 1, 0, 2])).rows]
        [[0, 1, 3], [2]]
        """
        order = np.argsort(example, kind="stable")
        many = np.bincount(example)
        first = np.repeat(np.cumsum(many) - many, many)
        turn = np.empty(len(example), np.intp)
        turn[order] = np.arange(len(example)) - first
        return cls(tuple(rows_of_codes(turn).values()))


def omnibus_p_value(
    table: Predictions,
    example: Ints,
    draws: Mapping[str, Any],
    progress: Progress | None = None,
) -> float:
    """Return the p-value of the test of the first rows of all examples."""
    if table.prob is None:
        return float("nan")
    rows = ExampleSets.of(example).rows
    once = table if len(rows) == 1 else table.select(where=rows[0])
    return calibration_test(once, progress=progress, **draws).p_value


def joint_p_values(
    values_by_set: Sequence[Floats], sets: ExampleSets, weight: Floats
) -> tuple[Floats, Floats]:
    """Return the p-values of several statistics, and those adjusted for their number.

    `values_by_set` has (statistics, 1 + m) values an example set, the observed ones first. A
    p-value is the share of all 1 + m, the observed one included, that are as large. Of several
    sets, which are not independent, twice the mean of their p-values is one, weighted by their
    rows (Vovk and Wang 2020).

    >>> once = np.array([[3.0, 1.0, 2.0, 0.0]] * 2)
    >>> [p.tolist() for p in joint_p_values([once], ExampleSets((np.arange(5),)), np.ones(2))]
    [[0.25, 0.25], [0.25, 0.25]]
    """
    sizes = [len(rows) for rows in sets.rows]
    means = np.average(
        [_adjusted(values, weight) for values in values_by_set], axis=0, weights=sizes
    )
    own, adjusted = means if len(sizes) == 1 else np.minimum(2 * means, 1.0)
    return own, adjusted


def _adjusted(values: Floats, weight: Floats) -> Floats:
    """Return (2, statistics) p-values of (statistics, 1 + m) values, alone and adjusted.

    Step by step from the smallest p / weight, the adjusted one is the share of all sets of labels
    in which some statistic that has not had its step has as small a p / weight (Westfall and Young
    1993): those that nearly agree are hardly paid for twice, as with Holm's adjustment they would.
    """
    shares = np.array([_shares(one) for one in values])
    own, light = shares[:, 0], shares / weight[:, None]
    order = np.argsort(light[:, 0], kind="stable")
    least = np.minimum.accumulate(light[order[::-1]], axis=0)[::-1]
    adjusted = np.empty(len(own))
    reached = (least <= light[order, 0][:, None] + TIE).mean(axis=1)
    adjusted[order] = np.maximum.accumulate(reached)
    return np.stack([own, adjusted])


def _shares(values: Floats) -> Floats:
    """Return for each value the share of all that are at least as large."""
    ordered = np.sort(values)
    slack = TIE * (1 + np.abs(np.where(np.isfinite(values), values, 0.0)))
    below = np.searchsorted(ordered, values - slack, side="left")
    return np.asarray((len(values) - below) / len(values), np.float64)


# ------------------------------------------------------------------ statistics

SHIFT, TEMPERATURE, LINEAR, BETA, SHAPE, PAIRS = (
    *("shift", "temperature", "linear", "beta", "shape", "pairs"),
)
FAMILY: Mapping[str, str] = {
    "prior-shift": SHIFT,
    "temperature": TEMPERATURE,
    "platt": LINEAR,
    "platt-on-probability": LINEAR,
    "vector": LINEAR,
    "beta": BETA,
    "matrix": PAIRS,
    "dirichlet": PAIRS,
    "dirichlet-odir": PAIRS,
}
NUMBERS = {SHIFT: 1, LINEAR: 2, BETA: 3, SHAPE: 8}  # features of every event, nested
# Weights of the adjustment, set beforehand: a model that is too sure, or not sure enough, is the
# fault to expect, and a test of many numbers is weak against every fault of few.
WEIGHT = {SHIFT: 1.0, LINEAR: 1.0, BETA: 0.5, SHAPE: 0.5, TEMPERATURE: 2.0, PAIRS: 0.5}
FEATURES = NUMBERS[SHAPE]
SPANNED = 1e-9  # a feature of which earlier ones leave less than this adds nothing


def family_of(method: str, families: tuple[str, ...]) -> str:
    """Return the family of directions that a method can correct; free curves can take any shape.

    >>> family_of("isotonic", (SHIFT, SHAPE)), family_of("matrix", (SHIFT, LINEAR, SHAPE))
    ('shape', 'linear')
    """
    family = FAMILY.get(method, SHAPE)
    return family if family in families else LINEAR if family == PAIRS else SHAPE


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Score statistics as a function of the labels, with the predictions held fixed.

    For every event j (the positive class of two, else each class) with features f_m the score
    is S_jm = sum_i w_i f_m(i, j) (1[y_i = j] - p_ij); the features are 1, log-odds (or the rating),
    ln p, and five polynomials of a squashed log-odds, each freed from the ones before it so that
    the S_jm have variance 1 and no covariance. A family's statistic is the sum of S_jm^2 over its
    features and all events. Temperature has one score of its own, sum_i w_i (z_iy - sum_c p_ic
    z_ic) with z the logits. Pairs of classes have two each, made of G_ab = sum_i w_i p_ib
    (1[y_i = a] - p_ia): how far apart the two are, G_aa + G_bb - G_ab - G_ba, and which is taken
    for the other, G_ab - G_ba.

    Attributes
    ----------
    prob, actual : what labels are drawn from, and the observed ones
    mass : (n,) weights; part : (n,) number of every row's part, 0 .. parts - 1
    logit, log, squashed : (n, events) what the features are made of
    centred : (n, k) logits less their mean under the probabilities
    event : (k,) column of a class among the events, -1 for none
    means : (parts, events, features) expected sums; free : (events, features, features) what makes
        the features independent
    counted : whether the weights count identical rows
    """

    prob: Floats
    actual: Ints
    mass: Floats
    part: Ints
    parts: int
    logit: Floats
    log: Floats
    squashed: Floats
    centred: Floats
    event: Ints
    means: Floats
    free: Floats
    counted: bool = False

    @classmethod
    def of(cls, reference: Predictions, reading: Reading, part: Ints, rows: Ints) -> "Scores":
        """Return the statistics of some rows of a table, whose maps read `reading`."""
        prob = np.ascontiguousarray(reference.need_prob("recalibration")[rows], np.float64)
        k = prob.shape[1]
        events = np.array([reference.positive]) if k == 2 else np.arange(k)
        logits = reading.logits()[rows]
        logit, log = _values(prob, logits, events, rating=reading.on == SCORE)
        mass = np.asarray(reference.mass[rows], np.float64)
        event = np.full(k, -1, np.intp)
        event[events] = np.arange(len(events))
        centred = logits - (prob * logits).sum(axis=1, keepdims=True)
        own, share = np.ascontiguousarray(part[rows]), prob[:, events]
        squashed = _squashed(logit, mass[:, None] * share * (1 - share))
        parts = int(part.max()) + 1
        times = mass if reference.counted else np.square(mass)
        means, free = _moments(logit, log, squashed, share, (mass, times), own, parts)
        return cls(
            prob,
            reference.actual[rows],
            mass,
            own,
            parts,
            logit,
            log,
            squashed,
            np.ascontiguousarray(centred),
            event,
            means,
            free,
            reference.counted,
        )

    @property
    def count(self) -> Floats | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.mass if self.counted else None

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families, in the order of the values."""
        pairs = (PAIRS,) * (2 < self.prob.shape[1] <= MOST_CLASSES)
        return (*NUMBERS, TEMPERATURE, *pairs)

    @property
    def size(self) -> int:
        """Numbers that a tally remembers of each set of labels."""
        k = self.prob.shape[1]
        return int(self.parts * (self.means[0].size + 1 + k * k * (PAIRS in self.families)))

    def tally(self, width: int) -> "ScoreTally":
        """Return an empty tally for `width` sets of labels."""
        k = self.prob.shape[1] * (PAIRS in self.families)
        return ScoreTally(
            self,
            np.zeros((*self.means.shape, width)),
            np.zeros((self.parts, width)),
            np.zeros((self.parts, k, k, width)),
        )


def _values(prob: Floats, logits: Floats, events: Ints, *, rating: bool) -> tuple[Floats, Floats]:
    """Return (n, events) log-odds and logarithms; ratings stand for the former, 0 for the latter.

    >>> p = np.array([[0.2, 0.8], [1.0, 0.0]])
    >>> x, log = _values(p, np.log(np.maximum(p, NEVER)), np.array([1]), rating=False)
    >>> x.round(2).ravel().tolist(), log.round(2).ravel().tolist()
    ([1.39, -36.04], [-0.22, -36.04])
    """
    logit = logits[:, events]
    if rating:
        rest = 0.0 if prob.shape[1] > 2 else logits[:, 1 - events]
        ratio = logit - rest
        largest = float(np.abs(ratio).max()) or 1.0
        return np.ascontiguousarray(ratio / largest), np.zeros_like(ratio)
    low = np.log(NEVER)
    if prob.shape[1] == 2:
        rest = np.maximum(logits[:, 1 - events], low)
    else:
        rest = np.log(np.maximum(1 - prob, NEVER))
    log = np.maximum(logit, low)
    return np.ascontiguousarray(log - rest), np.ascontiguousarray(log)


def _squashed(logit: Floats, weight: Floats) -> Floats:
    """Return the log-odds squashed to (-1, 1) about the mean of the information, event by event."""
    total = weight.sum(axis=0)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    apart = logit - (share * logit).sum(axis=0)
    spread = np.sqrt((share * apart**2).sum(axis=0))
    squashed: Floats = np.tanh(np.divide(apart, spread, out=np.zeros_like(apart), where=spread > 0))
    return squashed


def _moments(
    logit: Floats,
    log: Floats,
    squashed: Floats,
    share: Floats,
    masses: tuple[Floats, Floats],
    part: Ints,
    parts: int,
) -> tuple[Floats, Floats]:
    """Return expected sums of the features in every part, and what makes them independent.

    `masses` are the weights of the rows in sums and in the variances of these.
    """
    n, events = logit.shape
    means = np.zeros((parts, events, FEATURES))
    products = np.zeros((events, FEATURES, FEATURES))
    step = max(1, 2**20 // (events * FEATURES))
    for first in range(0, n, step):
        rows = slice(first, first + step)
        features = _features(logit[rows], log[rows], squashed[rows])
        mass, times = (weights[rows, None] for weights in masses)
        expected = features * (mass * share[rows])[:, :, None]
        np.add.at(means, part[rows], expected)
        spread = times * share[rows] * (1 - share[rows])
        bent = (features * spread[:, :, None]).transpose(1, 2, 0)
        products += bent @ features.transpose(1, 0, 2)
    return means, np.array([_freed(one) for one in products])


def _features(logit: Floats, log: Floats, squashed: Floats) -> Floats:
    """Return (n, events, features); the kernel `add_scores` makes the same."""
    t = squashed
    features = [np.ones_like(t), logit, log, t, 2 * t * t - 1]
    while len(features) < FEATURES:
        features.append(2 * t * features[-1] - features[-2])
    return np.stack(features, axis=2)


def _freed(products: Floats) -> Floats:
    """Return the triangle that makes features of these products independent, of variance 1.

    A feature that the earlier ones span gets a row of zeros.

    >>> free = _freed(np.array([[4.0, 2.0, 2.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]))
    >>> free.round(2).tolist()
    [[0.5, 0.0, 0.0], [-0.5, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    size = len(products)
    free = np.zeros((size, size))
    for m in range(size):
        row = np.eye(size)[m]
        for _ in range(2):  # twice is enough against rounding
            row -= (free @ products @ row) @ free
        left = float(row @ products @ row)
        if left > SPANNED * products[m, m]:
            free[m] = row / np.sqrt(left)
    return free


# ------------------------------------------------------------------ p-values


@dataclass(frozen=True, slots=True, eq=False)
class ScoreEvidence:
    """Results of score tests, on all rows and on all rows but those of a part.

    Attributes
    ----------
    families : what was tested
    own, adjusted : (1 + parts, families) p-values; the first row is about all rows, row 1 + j about
        those outside part j
    """

    families: tuple[str, ...]
    own: Floats
    adjusted: Floats

    def p_value(self, without: int | None = None) -> float:
        """Return the p-value of all tests together; `without` names a part that is left out."""
        return float(self.adjusted[0 if without is None else 1 + without].min())

    def of(self, method: str, without: int | None = None) -> tuple[float, float]:
        """Return the p-value of what a method can correct, and the adjusted one."""
        place = self.families.index(family_of(method, self.families))
        row = 0 if without is None else 1 + without
        return float(self.own[row, place]), float(self.adjusted[row, place])


def evidence_against(
    reference: Predictions,
    reading: Reading,
    part: Ints,
    example_sets: ExampleSets,
    *,
    entropy: int,
    draws: int,
    workers: int | None,
) -> ScoreEvidence:
    """Test probabilities against every family of directions, labels drawn from them.

    Parameters
    ----------
    reference : what labels are drawn from
    reading : what maps read of the same rows
    part : (n,) number of every row's part, 0 .. parts - 1
    example_sets : rows whose labels are drawn together
    entropy, draws : of the labels
    workers : threads; the answer does not depend on them

    Returns
    -------
    Evidence
        An observed class of probability 0 makes every p-value that it enters the smallest one
    """
    sets = 2 + int(part.max())
    values_by_set = []
    for rows in example_sets.rows:
        scores = Scores.of(reference, reading, part, rows)
        observed_values = observed(scores).reshape(sets, -1)
        never = (scores.prob[np.arange(len(rows)), scores.actual] == 0) & (scores.mass > 0)
        never_by_part = np.bincount(scores.part[never], minlength=sets - 1)
        observed_values[np.append(never_by_part.sum(), never_by_part.sum() - never_by_part) > 0] = (
            np.inf
        )
        drawn = resampled(scores, draws, entropy, workers=workers).reshape(sets, -1, draws)
        values_by_set.append(np.concatenate([observed_values[:, :, None], drawn], axis=2))
    weight = np.array([WEIGHT[family] for family in scores.families])
    pairs = [
        joint_p_values([one[row] for one in values_by_set], example_sets, weight)
        for row in range(sets)
    ]
    own, adjusted = (np.array(values) for values in zip(*pairs, strict=True))
    return ScoreEvidence(scores.families, own, adjusted)


# ------------------------------------------------------------------ sums over rows


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTally:
    """Sums of the features by part, one column a set of labels."""

    scores: Scores
    sums: Floats
    slopes: Floats
    pairs: Floats

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add these rows, whose labels are (rows, width)."""
        one = self.scores
        add_scores(
            one.event,
            labels,
            one.part[rows],
            one.mass[rows],
            one.logit[rows],
            one.log[rows],
            one.squashed[rows],
            one.centred[rows],
            self.sums,
            self.slopes,
        )
        if self.pairs.size:
            add_pairs(labels, one.part[rows], one.mass[rows], one.prob[rows], self.pairs)

    def add_shares(self, rows: slice, shares: Floats) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        one = self.scores
        features = _features(one.logit[rows], one.log[rows], one.squashed[rows])[:, 0]
        events = shares if one.event[1] == 0 else 1.0 - shares
        step = one.centred[rows, 1] - one.centred[rows, 0]
        for part in np.unique(one.part[rows]):
            own = one.part[rows] == part
            mass = one.mass[rows][own]
            self.sums[part, 0] += (features[own] * mass[:, None]).T @ events[own]
            self.slopes[part] += mass @ one.centred[rows][own, 0] + (mass * step[own]) @ shares[own]

    def values(self) -> Floats:
        """Return ((1 + parts) * families, width): of all rows, then of all but each part."""
        scores = self.scores
        apart = self.sums - scores.means[..., None]
        sets = _left_out(apart), _left_out(self.slopes), _left_out(self._pairs())
        statistics = [_statistics(scores.free, *one) for one in zip(*sets, strict=True)]
        return np.concatenate(statistics)

    def _pairs(self) -> Floats:
        """Return (parts, 2, k, k, width) scores of pairs over their standard deviations."""
        if not self.pairs.size:
            return self.pairs
        prob, mass, part = self.scores.prob, self.scores.mass, self.scores.part
        scores_of_pairs = np.empty((self.scores.parts, 2, *self.pairs.shape[1:]))
        for one in range(self.scores.parts):
            own = prob[part == one]
            taken = self.pairs[one] - ((own * mass[part == one, None]).T @ own)[..., None]
            alone = np.diagonal(taken).T
            back = taken.swapaxes(0, 1)
            scores_of_pairs[one] = alone[:, None] + alone[None] - taken - back, taken - back
        return scores_of_pairs / _pair_deviations(prob, mass)[..., None]


def _left_out(sums: Floats) -> list[Floats]:
    """Return the sum over all parts, and over all but each."""
    total = sums.sum(axis=0)
    return [total, *(total - one for one in sums)]


def _pair_deviations(prob: Floats, mass: Floats) -> Floats:
    """Return (2, k, k) standard deviations of the pairs' scores, infinite where there is no pair.

    A row's two scores are (p_a - p_b)(1[a] - 1[b]) and p_b 1[a] - p_a 1[b], less their means.
    """
    k = prob.shape[1]
    deviations = np.full((2, k, k), np.inf)
    square = np.square(mass)
    for a in range(k):
        both = prob + prob[:, [a]]
        gap = np.square(prob - prob[:, [a]])
        variances = square @ (gap * (both - gap)), square @ (prob * prob[:, [a]] * both)
        for which, variance in enumerate(variances):
            variance[a] = 0.0
            deviations[which, a] = np.where(variance > 0, np.sqrt(variance), np.inf)
    return deviations


def _statistics(free: Floats, sums: Floats, slope: Floats, pairs: Floats) -> Floats:
    """Return (families, width) statistics of sums over some parts."""
    squares = np.square(free @ sums)
    nested = np.cumsum(squares.sum(axis=0), axis=0)
    statistics = [nested[count - 1] for count in NUMBERS.values()]
    statistics.append(np.square(slope))
    if pairs.size:
        statistics.append(np.square(pairs).sum(axis=(0, 1, 2)) / 2)
    return np.array(statistics)


@compiled
def add_scores(
    event: Ints,
    labels: Ints,
    part: Ints,
    mass: Floats,
    logit: Floats,
    log: Floats,
    squashed: Floats,
    centred: Floats,
    sums: Floats,
    slopes: Floats,
) -> None:
    """Add every row's features to the sums of its part and of the event of its label."""
    n, width = labels.shape
    features = sums.shape[2]
    for i in range(n):
        w, own = mass[i], part[i]
        for d in range(width):
            label = labels[i, d]
            slopes[own, d] += w * centred[i, label]
            j = event[label]
            if j < 0:
                continue
            t = squashed[i, j]
            sums[own, j, 0, d] += w
            sums[own, j, 1, d] += w * logit[i, j]
            sums[own, j, 2, d] += w * log[i, j]
            before, now = 1.0, t
            for m in range(3, features):
                sums[own, j, m, d] += w * now
                before, now = now, 2.0 * t * now - before


@compiled
def add_pairs(labels: Ints, part: Ints, mass: Floats, prob: Floats, pairs: Floats) -> None:
    """Add every row's probabilities to the sums of its part and its label."""
    n, width = labels.shape
    for i in range(n):
        w, own = mass[i], part[i]
        for d in range(width):
            label = labels[i, d]
            for b in range(prob.shape[1]):
                pairs[own, label, b, d] += w * prob[i, b]
