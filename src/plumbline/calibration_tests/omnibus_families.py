"""The likelihood ratios of the omnibus: families of faults, each of a just detectable size.

A family is a set of members: alternatives to the predicted probabilities, fixed by the predictions
alone, each with its log likelihood ratio L. The value of a family is the logarithm of the weighted
mean of exp(L) over its members, which is the test of largest mean power against them (Neyman and
Pearson 1933). Labels enter only through sums over rows, so that many sets of labels are added up
row by row, and parts of a table can be added to each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Ints, Wide
from plumbline.calibration_tests.omnibus_members import (
    BINS,
    COSINES,
    MANY,
    TINY,
    Counts,
    FamilyMembers,
    Gaps,
    amounts,
    equal_information,
    informed,
    log_factor,
    log_mean,
    log_shares,
    mixed,
    run_sums,
    squared_z,
    summed,
)
from plumbline.calibration_tests.shape_forms import WeightedRows
from plumbline.jit import compiled

SLOWER = 3  # waves of a temperature that varies with the score
MOST_CLASSES = 20  # pairs of more classes are too many to look at
LEAST_VARIANCE = 0.3  # a pair of predicted and observed class that is looked at
FARTHEST = 12.0  # a slope is not led by log probabilities below minus this
AT_ONCE = 2**16  # numbers of a column of all classes that are worked on together: half a megabyte
TOGETHER = 8  # columns that are copied together: eight numbers are a line of the cache
WARMEST = 0.6  # largest tilt of a temperature that not all rows share
LEFT = 0.1  # of its probability the most likely class keeps at least this share


@dataclass(frozen=True, slots=True)
class Family:
    """A family of faults: its name, and its weight for two classes and for more (0: not used)."""

    name: str
    two: float
    more: float


# The weights were chosen once, by simulation (python studies/omnibus.py faults); they say how
# likely a fault is thought to be, and how much a family of many members needs.
FAMILIES = (
    Family("overconfident", 3.0, 4.0),
    Family("underconfident", 1.0, 2.0),
    Family("too well matched", 1.0, 1.0),
    Family("random labels", 2.0, 3.0),
    Family("top class too high", 1.5, 2.0),
    Family("top class too low", 0.5, 0.5),
    Family("class shares", 3.0, 7.0),
    Family("all class shares", 0.0, 0.5),
    Family("labels lost to one class", 2.0, 1.5),
    Family("range of scores", 4.0, 1.0),
    Family("wave over the scores", 1.5, 1.0),
    Family("wave over the top scores", 1.0, 1.0),
    Family("slope of every class", 0.0, 1.0),
    Family("predicted and observed class", 0.0, 1.5),
    Family("likely class", 0.0, 1.0),
    Family("exchanged classes", 0.0, 1.5),
    Family("temperature by score", 1.0, 1.5),
    Family("temperature by class", 1.0, 1.0),
    Family("slope of one class", 0.0, 1.0),
)


def families(k: int) -> tuple[Family, ...]:
    """Return the families of tables of k classes."""
    return tuple(
        one
        for one in FAMILIES
        if (one.two if k == 2 else one.more) > 0 and (k <= MOST_CLASSES or one.name not in PAIRED)
    )


PAIRED = ("likely class", "exchanged classes")


def weights(k: int) -> Wide:
    """Return the weights of these families."""
    return np.array([one.two if k == 2 else one.more for one in families(k)])


@dataclass(frozen=True, eq=False)
class Ratios:
    """The log likelihood ratios of all families, as a function of the labels.

    Attributes
    ----------
    rows : the table
    """

    rows: WeightedRows

    @property
    def prob(self) -> Wide:
        """(n, k) probabilities the labels are drawn from."""
        return self.rows.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.rows.actual

    @property
    def groups(self) -> Ints | None:
        """(n,) number of the group of every row, or None."""
        return self.rows.groups

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.rows.count

    @property
    def k(self) -> int:
        """Number of classes."""
        return self.rows.k

    @property
    def several(self) -> bool:
        """Tell whether there are more than two classes."""
        return self.k > 2

    @property
    def paired(self) -> bool:
        """Tell whether pairs of classes are looked at."""
        return 2 < self.k <= MOST_CLASSES

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        own = 1 + self.several + self.k * self.paired
        return 4 + 2 * BINS + self.k * (1 + BINS + own) + self.pairs_kept + 1

    @cached_property
    def blocks(self) -> list[slice]:
        """Rows of which a few columns of all classes fit into a cache, as one pass needs them."""
        size = max(1, AT_ONCE // self.k)
        return [slice(start, start + size) for start in range(0, self.rows.n, size)] or [slice(0)]

    def summed_over(self, part: Callable[[slice], Wide]) -> Wide:
        """Return the sum of what blocks of rows come to."""
        first, *others = self.blocks
        result = part(first)
        for rows in others:
            result = result + part(rows)
        return result

    def spread(self, rows: slice) -> Wide:
        """(n, k) variances of one label."""
        prob = self.prob[rows]
        return np.asarray(prob * (1.0 - prob))

    @cached_property
    def squared(self) -> Wide:
        """(n,) what a row adds to a variance: the squared weight, or the count."""
        return self.rows.squared

    @cached_property
    def top(self) -> NDArray[np.int32]:
        """(n,) first most likely class."""
        return np.asarray(self.prob.argmax(axis=1), np.int32)

    @cached_property
    def score(self) -> Wide:
        """(n,) probability of the most likely class."""
        return np.asarray(self.prob[np.arange(self.rows.n), self.top])

    @cached_property
    def surprise(self) -> Wide:
        """(n,) variance of the log probability of a label."""
        result = np.empty(self.rows.n)
        for rows in self.blocks:
            prob, log = self.prob[rows], self.rows.log_prob[rows]
            mean = (prob * log).sum(axis=1, keepdims=True)
            result[rows] = (prob * np.square(log - mean)).sum(axis=1)
        return result

    # Bins

    @cached_property
    def class_bins(self) -> NDArray[np.int32]:
        """(n, k) cell of every class in bins of its probability: class times `BINS` plus bin."""
        result = np.empty((self.rows.n, self.k), np.int32)
        for start in range(0, self.k, TOGETHER):
            columns = self.prob[:, start : start + TOGETHER].T.copy()
            own = [equal_information(p, self.rows.weight * (p * (1.0 - p))) for p in columns]
            first = BINS * np.arange(start, start + len(columns))
            result[:, start : start + TOGETHER] = (np.stack(own) + first[:, None]).T
        return result

    @cached_property
    def top_bins(self) -> NDArray[np.int32]:
        """(n,) bin of the most likely class."""
        return equal_information(self.score, self.rows.weight * self.score * (1 - self.score))

    @cached_property
    def surprise_bins(self) -> NDArray[np.int32]:
        """(n,) bin of the most likely class, of equal variance of the log probabilities."""
        return equal_information(self.score, self.rows.weight * self.surprise)

    @cached_property
    def class_moments(self) -> tuple[Wide, Wide]:
        """(k, BINS) means and variances of the hits of every class in its bins."""

        def part(rows: slice) -> Wide:
            flat = self.class_bins[rows].ravel()
            means = self._weighted(self.prob[rows], rows)
            variances = self.squared[rows, None] * self.spread(rows)
            return np.stack([summed(flat, x.ravel(), self.k * BINS) for x in (means, variances)])

        mean, variance = self.summed_over(part).reshape(2, self.k, BINS)
        return mean, variance

    @cached_property
    def top_moments(self) -> tuple[Wide, Wide]:
        """(BINS,) means and variances of the hits of the most likely class."""
        pair = (self.rows.weight * self.score, self.squared * self.score * (1 - self.score))
        mean, variance = (summed(self.top_bins, x, BINS) for x in pair)
        return mean, variance

    @cached_property
    def kept(self) -> tuple[NDArray[np.int32], Wide, Wide]:
        """(k, k) cell of a predicted and an observed class, 0: dropped; (cells,) moments."""
        number = np.zeros((self.k, self.k), np.int32)
        if not self.several:
            return number, np.zeros(1), np.zeros(1)
        means, variances = np.zeros((2, self.k, self.k))
        for rows in self.blocks:
            np.add.at(means, self.top[rows], self._weighted(self.prob[rows], rows))
            np.add.at(variances, self.top[rows], self.squared[rows, None] * self.spread(rows))
        looked = variances > LEAST_VARIANCE
        number[looked] = 1 + np.arange(looked.sum())
        return number, np.append(0.0, means[looked]), np.append(0.0, variances[looked])

    @property
    def pairs_kept(self) -> int:
        """Number of cells of a predicted and an observed class."""
        return len(self.kept[1]) - 1

    # Families of one parameter

    @cached_property
    def stretched(self) -> tuple[Wide, Wide]:
        """(2,) slopes and constants of q ~ p^exp(-a), and of p^exp(a), in sums of log p."""
        result = [self._tempered(side) for side in (-1.0, 1.0)]
        return np.array([a for a, _ in result]), np.array([b for _, b in result])

    def _tempered(self, side: float) -> tuple[float, float]:
        by = float(
            amounts(lambda a: self._tilted(np.expm1(side * a[0]), self.rows.log_prob)[0], 1.5)[0]
        )
        slope = float(np.expm1(side * by))
        return slope, self._tilted(slope, self.rows.log_prob)[1]

    @cached_property
    def matched(self) -> tuple[float, float]:
        """Slope and constant of q ~ p exp(a p), in sums of p."""
        by = float(amounts(lambda a: self._tilted(a[0], self.prob)[0], 4.0)[0])
        return by, self._tilted(by, self.prob)[1]

    def _tilted(self, slope: float, of: Wide) -> tuple[Wide, float]:
        """Return the divergence of q ~ p exp(slope of) from p, and its normalising constant."""

        def part(rows: slice) -> Wide:
            values = of[rows]
            grown = np.exp(slope * values)
            grown *= self.prob[rows]
            whole = grown.sum(axis=1)
            log = np.log(whole)
            grown *= values
            mean = grown.sum(axis=1) / whole
            weight = self.rows.weight[rows]
            return np.array([weight @ (slope * mean - log), weight @ log])

        divergence, constant = self.summed_over(part)
        return np.atleast_1d(divergence), float(constant)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """(n, k) labels that may be drawn; no family has another truth for the others."""
        return np.asarray(self.prob > 0)

    @cached_property
    def random(self) -> Wide:
        """(n, k) weighted log ratios of labels that are random in a share of the rows."""
        even = np.maximum(self.prob, TINY)
        even *= self.possible.sum(axis=1, keepdims=True)
        np.divide(1.0, even, out=even)

        def divergence(by: Wide) -> Wide:
            def part(rows: slice) -> Wide:
                ratio = (1 - by[0]) + by[0] * even[rows]
                each = self.prob[rows] * ratio * np.log(ratio)
                return np.atleast_1d(self.rows.weight[rows] @ each.sum(axis=1))

            return self.summed_over(part)

        by = float(amounts(divergence, 0.5)[0])
        even *= by
        even += 1 - by
        return self._weighted(np.log(even, out=even))

    @cached_property
    def lost(self) -> tuple[Wide, Wide]:
        """(k,) shares of labels that each class takes from all others, and what all rows add."""
        weight = self.rows.weight

        def divergence(by: Wide) -> Wide:
            def part(rows: slice) -> Wide:
                prob = self.prob[rows]
                truth = (1 - by) * prob + by
                result = truth * np.log(truth / np.maximum(prob, TINY))
                result += (1 - truth) * np.log1p(-by)
                return np.asarray(weight[rows] @ np.where(self.possible[rows], result, 0.0))

            return self.summed_over(part)

        by = amounts(divergence, 0.4, self.k)
        return by, (weight @ self.possible) * np.log1p(-by)

    def lost_ratios(self, rows: slice) -> Wide:
        """(n, k) weighted log ratios of labels that each class takes from the others."""
        by = self.lost[0]
        logs = np.log((1 - by) + by / np.maximum(self.prob[rows], TINY)) - np.log1p(-by)
        return self._weighted(np.where(self.possible[rows], logs, 0.0), rows)

    @cached_property
    def lifted(self) -> Wide:
        """(n, 2, 2) weighted log ratios of a most likely class too high, and too low: miss, hit."""
        score, rest = self.score, 1 - self.score

        def too_high(by: float) -> Wide:
            hit = np.maximum((1 + by) - by / score, LEFT)
            miss = np.where(hit > LEFT, 1 + by, (1 - LEFT * score) / np.maximum(rest, TINY))
            return np.stack([miss, hit], axis=1)

        def too_low(by: float) -> Wide:
            return np.stack([np.full_like(score, 1 - by), (1 - by) + by / score], axis=1)

        def logs(ratio: Callable[[float], Wide]) -> Wide:
            def divergence(by: Wide) -> Wide:
                result = ratio(float(by[0]))
                each = result * np.log(result) * np.stack([rest, score], axis=1)
                return np.atleast_1d(self.rows.weight @ each.sum(axis=1))

            return np.log(ratio(float(amounts(divergence, 0.6)[0])))

        result = np.stack([logs(too_high), logs(too_low)], axis=1)
        return np.ascontiguousarray(self.rows.weight[:, None, None] * result)

    @cached_property
    def steep(self) -> tuple[Wide, Wide, Wide]:
        """(k,) centre of the log probabilities, mean and variance of the sums of slopes."""

        def inner(rows: slice) -> Wide:
            own = self._weighted(self.spread(rows), rows)
            log = np.maximum(self.rows.log_prob[rows], -FARTHEST)
            return np.stack([(own * log).sum(axis=0), own.sum(axis=0)])

        top, bottom = self.summed_over(inner)
        centre = top / np.maximum(bottom, TINY)

        def moments(rows: slice) -> Wide:
            slope = self.slopes_of(rows, centre)
            mean = (self.prob[rows] * self._weighted(slope, rows)).sum(axis=0)
            variance = self.squared[rows, None] * self.spread(rows) * np.square(slope)
            return np.stack([mean, variance.sum(axis=0)])

        mean, variance = self.summed_over(moments)
        return centre, mean, variance

    def slopes_of(self, rows: slice, centre: Wide) -> Wide:
        """(n, k) log probabilities less their centres."""
        return np.asarray(np.maximum(self.rows.log_prob[rows], -FARTHEST) - centre)

    def _weighted(self, values: Wide, rows: slice = slice(None)) -> Wide:
        """Return (n, k) values times the weights of their rows; as they are where all weigh 1."""
        if self.alike:
            return np.ascontiguousarray(values)
        return np.ascontiguousarray(self.rows.weight[rows, None] * values)

    @cached_property
    def alike(self) -> bool:
        """Tell whether every row has weight 1."""
        return bool((self.rows.weight == 1.0).all())

    # Families of many members

    @cached_property
    def shares(self) -> Gaps | Counts:
        """Members of class shares; rows that weigh differently are no counts."""
        mean, variance = (x.sum(axis=1) for x in self.class_moments)
        if not self.rows.counted and np.ptp(self.rows.weight) > 0:
            return Gaps.of(variance, informed(variance))
        return Counts(mean, variance, log_shares(informed(variance)))

    @cached_property
    def ranges(self) -> Gaps:
        """Members of a range of scores of one class."""
        variance = run_sums(self.class_moments[1]).ravel()
        return Gaps.of(variance, informed(variance) / np.tile(MANY, self.k))

    @cached_property
    def pair_members(self) -> Gaps:
        """Members of a predicted and an observed class."""
        variance = self.kept[2][1:]
        return Gaps.of(variance, informed(variance))

    @cached_property
    def likely(self) -> tuple[Gaps, Wide]:
        """Members of an observed class a where b is likely, and (k, k) means of their sums."""

        def part(rows: slice) -> Wide:
            prob = self.prob[rows]
            spread = self.squared[rows, None] * self.spread(rows)
            return np.stack([self._weighted(prob, rows).T @ prob, spread.T @ np.square(prob)])

        mean, variance = self.summed_over(part)
        return Gaps.of(variance.ravel(), informed(variance.ravel(), 0.5)), mean

    @cached_property
    def exchanged(self) -> Gaps:
        """Members of two classes, of which one is taken for the other."""
        first, second = np.triu_indices(self.k, 1)

        def part(rows: slice) -> Wide:
            one, other = self.prob[rows][:, first], self.prob[rows][:, second]
            return np.asarray(self.squared[rows] @ (one * other * (one + other)))

        variance = self.summed_over(part)
        return Gaps.of(variance, informed(variance, 0.5))

    @cached_property
    def warmth(self) -> tuple[Wide, FamilyMembers]:
        """(SLOWER, BINS) waves, and members of temperatures that vary so with the top score."""
        wave = COSINES[1 : 1 + SLOWER]
        variance = summed(self.surprise_bins, self.squared * self.surprise, BINS)
        tilt = np.minimum(
            np.sqrt(2 * (3 + np.log(6)) / np.maximum(np.square(wave) @ variance, 1e-12)), WARMEST
        )
        cost = np.empty((2, SLOWER))
        for side in (0, 1):
            for j in range(SLOWER):
                by = (1 - 2 * side) * tilt[j] * wave[j, self.surprise_bins]
                cost[side, j] = self.rows.weight @ np.log(self._powers(by))
        return wave, FamilyMembers.tilted(tilt, (cost[0], cost[1]), 1.0 / (1 + np.arange(SLOWER)))

    @cached_property
    def class_warmth(self) -> FamilyMembers:
        """Members of a temperature of the rows of one most likely class."""
        variance = summed(self.top, self.squared * self.surprise, self.k)
        bound = 2 * (3 + np.log(2 * self.k)) / np.maximum(variance, 1e-12)
        tilt = np.minimum(np.sqrt(bound), WARMEST)
        cost = [
            summed(
                self.top,
                self.rows.weight * np.log(self._powers(side * tilt[self.top])),
                self.k,
            )
            for side in (1.0, -1.0)
        ]
        return FamilyMembers.tilted(tilt, (cost[0], cost[1]), informed(variance))

    def _powers(self, by: Wide) -> Wide:
        """Return (n,) sums of p^(1 + by) over the classes, 0 where p is."""
        result = np.empty(self.rows.n)
        for rows in self.blocks:
            grown = np.exp(by[rows, None] * self.rows.log_prob[rows])
            grown *= self.prob[rows]
            result[rows] = grown.sum(axis=1)
        return result

    @cached_property
    def slopes(self) -> Gaps:
        """Members of the slope of the log probability of one class."""
        variance = self.steep[2]
        return Gaps.of(variance, informed(variance))

    # Values

    def tally(self, width: int) -> "RatiosTally":
        """Return an empty tally for `width` sets of labels."""
        k, own = self.k, 1 + self.several + self.k * self.paired
        return RatiosTally(
            self,
            np.zeros((4, width)),
            np.zeros((BINS, width)),
            np.zeros((k, width)),
            np.zeros((BINS, width)),
            np.zeros((k * BINS, width)),
            np.zeros((1 + self.pairs_kept, width)),
            np.zeros((width, k, own)),
        )

    @cached_property
    def table(self) -> tuple[NDArray[np.generic], ...]:
        """What the kernel adds up, row by row."""
        own = np.empty((self.rows.n, self.k, 1 + self.several))
        for rows in self.blocks:
            own[rows, :, 0] = self.lost_ratios(rows)
            if self.several:
                own[rows, :, 1] = self._weighted(self.slopes_of(rows, self.steep[0]), rows)
        return (
            self.rows.weight,
            self.top,
            self.top_bins,
            self.surprise_bins,
            self._weighted(self.rows.log_prob),
            self.random,
            self._weighted(self.prob),
            self.lifted,
            self.class_bins,
            own,
        )


@dataclass(frozen=True, slots=True, eq=False)
class RatiosTally:
    """What labels added up to so far, one column a set of labels.

    Attributes
    ----------
    ratios : what is added up
    single : (4, draws) random labels, probabilities, most likely class too high, too low
    warm, warm_classes : (BINS, draws) and (k, draws) log probabilities, by score and by class
    tops, hits, pairs : hits of the most likely class, of every class in its bins, of pairs
    own : (draws, k, sums) what only the rows of a label add: labels lost, slopes, probabilities
    """

    ratios: Ratios
    single: Wide
    warm: Wide
    warm_classes: Wide
    tops: Wide
    hits: Wide
    pairs: Wide
    own: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what = self.ratios
        if what.k == 2:
            sums = self.single, self.warm, self.warm_classes, self.tops, self.hits, self.own
            add_two_labels(labels, *(part[rows] for part in what.table), *sums)
            return
        add_labels(
            labels,
            *(part[rows] for part in what.table),
            what.kept[0],
            what.several,
            what.paired,
            self.single,
            self.warm,
            self.warm_classes,
            self.tops,
            self.hits,
            self.pairs,
            self.own,
        )

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        table: tuple[Any, ...] = tuple(part[rows] for part in self.ratios.table)
        weight, top, top_bin, warm_bin, log_prob, random, prob, lifted, cell, terms = table
        hit = np.where((top == 1)[:, None], shares, 1.0 - shares)
        lift = lifted[:, :, 1] - lifted[:, :, 0]
        logs = log_prob[:, :1] + (log_prob[:, 1] - log_prob[:, 0])[:, None] * shares
        self.single[0] += random[:, 0].sum() + (random[:, 1] - random[:, 0]) @ shares
        self.single[1] += prob[:, 0].sum() + (prob[:, 1] - prob[:, 0]) @ shares
        self.single[2:] += lifted[:, :, 0].sum(axis=0)[:, None] + lift.T @ hit
        self.own[:, 0, 0] += terms[:, 0, 0] @ (1.0 - shares)
        self.own[:, 1, 0] += terms[:, 1, 0] @ shares
        add_row_sums(warm_bin, logs, self.warm)
        add_row_sums(top, logs, self.warm_classes)
        add_row_sums(top_bin, weight[:, None] * hit, self.tops)
        add_row_sums(cell[:, 0], weight[:, None] * (1.0 - shares), self.hits)
        add_row_sums(cell[:, 1], weight[:, None] * shares, self.hits)

    def values(self) -> Wide:
        """Return (families, draws) log likelihood ratios."""
        result = self.terms()
        return np.stack([log_mean(result[one.name]) for one in families(self.ratios.k)])

    def terms(self) -> Mapping[str, Wide]:
        """Return the log likelihood ratios plus log weights of all members, the draws last."""
        what, k = self.ratios, self.ratios.k
        slope, constant = what.stretched
        logs = self.warm.sum(axis=0)
        gap = self.gap
        waves = np.matmul(COSINES, gap)
        squares = squared_z(waves, what.class_moments[1] @ np.square(COSINES).T)
        top = self.tops - what.top_moments[0][:, None]
        top_squares = squared_z(COSINES @ top, np.square(COSINES) @ what.top_moments[1])[None]
        wave, warmth = what.warmth
        result = {
            "overconfident": (slope[0] * logs - constant[0])[None],
            "underconfident": (slope[1] * logs - constant[1])[None],
            "too well matched": (what.matched[0] * self.single[1] - what.matched[1])[None],
            "random labels": self.single[:1],
            "top class too high": self.single[2:3],
            "top class too low": self.single[3:],
            "labels lost to one class": (self.own[:, :, 0].T + (what.lost[1] - np.log(k))[:, None]),
            "wave over the scores": mixed(squares, what.class_moments[1].sum(axis=1)),
            "wave over the top scores": mixed(top_squares, what.top_moments[1].sum(keepdims=True)),
            "temperature by score": warmth.terms(wave @ self.warm),
            "temperature by class": what.class_warmth.terms(self.warm_classes),
        }
        if what.several:
            level, tilt = squares[:, 0], squares[:, 1]
            lines = [log_factor(tilt, 2.0), log_factor(level, 1.0) + log_factor(tilt, 1.0)]
            result["all class shares"] = log_factor(level, 2.0).sum(axis=0, keepdims=True) * (
                (k - 1) / k
            )
            result["slope of every class"] = np.stack([x.sum(axis=0) for x in lines]) - np.log(2.0)
        return result | {
            name: members.terms(sums) for name, (members, sums) in self.gaps(gap).items()
        }

    @property
    def gap(self) -> Wide:
        """(k, BINS, draws) observed less expected hits of every class in its bins."""
        hits = self.hits.reshape(self.ratios.k, BINS, -1)
        return np.asarray(hits - self.ratios.class_moments[0][..., None])

    def gaps(self, gap: Wide) -> Mapping[str, tuple[Gaps | Counts, Wide]]:
        """Return the families whose members are sums O - E, and (sums, draws) these sums."""
        what = self.ratios
        width = gap.shape[-1]
        result: dict[str, tuple[Gaps | Counts, Wide]] = {
            "class shares": (what.shares, gap.sum(axis=1)),
            "range of scores": (what.ranges, run_sums(gap).reshape(-1, width)),
        }
        if what.several:
            own = np.moveaxis(self.own, 0, 2)
            result["slope of one class"] = what.slopes, own[:, 1] - what.steep[1][:, None]
            cells = self.pairs[1:] - what.kept[1][1:, None]
            result["predicted and observed class"] = what.pair_members, cells
        if what.paired:
            likely, mean = what.likely
            pairs = own[:, 2:] - mean[..., None]
            first, second = np.triu_indices(what.k, 1)
            result["likely class"] = likely, pairs.reshape(-1, width)
            taken = pairs[first, second] - pairs[second, first]
            result["exchanged classes"] = what.exchanged, taken
        return result


@compiled
def add_row_sums(cell: Ints, values: Wide, sums: Wide) -> None:
    """Add the values of every row, (rows, draws), to the sums of its cell."""
    n, width = values.shape
    for i in range(n):
        own = sums[cell[i]]
        for d in range(width):
            own[d] += values[i, d]


@compiled
def add_two_labels(
    labels: Ints,
    weight: Wide,
    top: Ints,
    top_bin: Ints,
    warm_bin: Ints,
    log_prob: Wide,
    random: Wide,
    prob: Wide,
    lifted: Wide,
    cell: Ints,
    terms: Wide,
    single: Wide,
    warm: Wide,
    warm_classes: Wide,
    tops: Wide,
    hits: Wide,
    own: Wide,
) -> None:
    """Do what `add_labels` does for two classes, bit by bit, in less than half the time.

    A label picks one of two numbers, one of which is multiplied by 0: no number is looked up by a
    label, so that a processor adds up several draws at once. One loop does all sums: of 250 draws
    1.3 ns a label, where a loop a sum takes 1.9.
    """
    n, width = labels.shape
    lost = np.empty((2, width))
    for d in range(width):
        lost[0, d], lost[1, d] = own[d, 0, 0], own[d, 1, 0]
    even, sure, high, low = single[0], single[1], single[2], single[3]
    lost_first, lost_second = lost[0], lost[1]
    for i in range(n):
        w, t = weight[i], top[i]
        even_miss, even_hit = random[i, 0], random[i, 1]
        sure_miss, sure_hit = prob[i, 0], prob[i, 1]
        high_miss, high_hit = lifted[i, 0, 1 - t], lifted[i, 0, t]
        low_miss, low_hit = lifted[i, 1, 1 - t], lifted[i, 1, t]
        log_miss, log_hit = log_prob[i, 0], log_prob[i, 1]
        top_miss, top_hit = (0.0, w) if t == 1 else (w, 0.0)
        first, second = terms[i, 0, 0], terms[i, 1, 0]
        own_warm, own_class, own_top = warm[warm_bin[i]], warm_classes[t], tops[top_bin[i]]
        misses, hits_here = hits[cell[i, 0]], hits[cell[i, 1]]
        for d in range(width):
            hit = np.float64(labels[i, d])
            miss = 1.0 - hit
            log = miss * log_miss + hit * log_hit
            even[d] += miss * even_miss + hit * even_hit
            sure[d] += miss * sure_miss + hit * sure_hit
            high[d] += miss * high_miss + hit * high_hit
            low[d] += miss * low_miss + hit * low_hit
            own_warm[d] += log
            own_class[d] += log
            own_top[d] += miss * top_miss + hit * top_hit
            misses[d] += miss * w
            hits_here[d] += hit * w
            lost_first[d] += miss * first
            lost_second[d] += hit * second
    for d in range(width):
        own[d, 0, 0], own[d, 1, 0] = lost[0, d], lost[1, d]


@compiled
def add_labels(
    labels: Ints,
    weight: Wide,
    top: Ints,
    top_bin: Ints,
    warm_bin: Ints,
    log_prob: Wide,
    random: Wide,
    prob: Wide,
    lifted: Wide,
    cell: Ints,
    terms: Wide,
    pair: Ints,
    several: bool,
    paired: bool,
    single: Wide,
    warm: Wide,
    warm_classes: Wide,
    tops: Wide,
    hits: Wide,
    pairs: Wide,
    own: Wide,
) -> None:
    """Add up what every row's label is worth, for each draw.

    Each sum adds the rows in their order. All pairs of many classes are more than a cache holds, so
    those of the rows of one most likely class are counted together.
    """
    n, width = labels.shape
    k = prob.shape[1]
    chance, held, logs = np.empty(width), np.empty(width), np.empty(width)
    for i in range(n):
        w, t, b, h = weight[i], top[i], top_bin[i], warm_bin[i]
        for d in range(width):
            c = labels[i, d]
            hits[cell[i, c], d] += w
            own[d, c, 0] += terms[i, c, 0]
            if several:
                own[d, c, 1] += terms[i, c, 1]
            chance[d], held[d], logs[d] = random[i, c], prob[i, c], log_prob[i, c]
        for d in range(width):
            single[0, d] += chance[d]
            single[1, d] += held[d]
        for d in range(width):
            warm[h, d] += logs[d]
            warm_classes[t, d] += logs[d]
        for d in range(width):
            hit = 1 if labels[i, d] == t else 0
            single[2, d] += lifted[i, 0, hit]
            single[3, d] += lifted[i, 1, hit]
            tops[b, d] += w * hit
        if paired:
            for d in range(width):
                c = labels[i, d]  # no `own[d, c]`: the compiler would count references to it
                for a in range(k):
                    own[d, c, 2 + a] += prob[i, a]
    if several:
        add_pairs(labels, weight, top, k, pair, pairs)


@compiled
def add_pairs(labels: Ints, weight: Wide, top: Ints, k: int, pair: Ints, pairs: Wide) -> None:
    """Add the weights of each pair of a row's most likely class and its label, for each draw.

    Rows of one most likely class follow each other in their order, so that each sum of a pair is
    that of the rows as they are. The pair that holds all others is not looked at.
    """
    n, width = labels.shape
    start = np.zeros(k + 1, np.int64)
    for i in range(n):
        start[top[i] + 1] += 1
    for t in range(k):
        start[t + 1] += start[t]
    order = np.empty(n, np.int64)
    for i in range(n):
        order[start[top[i]]] = i
        start[top[i]] += 1
    for row in order:
        w, t = weight[row], top[row]
        for d in range(width):
            pairs[pair[t, labels[row, d]], d] += w
