"""Labels of rows that belong together: the dependence that residuals show, and draws with it.

Every row keeps its own probabilities; the labels of a group's rows depend on each other as much as
the residuals of the table do. Two classes: a Gaussian copula with one latent correlation. More: a
number that the rows of a group share with a probability that the residuals tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Floats, Ints, Wide
from plumbline.errors import InputError
from plumbline.jit import compiled
from plumbline.predictions.rows_in_groups import FEW_GROUPS
from plumbline.random_streams import stream

LEAST_GROUPS = 5  # with fewer, residuals say nothing of how much rows depend
TERMS = 60  # of the series in the correlation: 1e-8 of the sum is left out at 0.8, 0.1 % at 0.95
STRONGEST = 0.95  # latent correlation: labels that are all but equal
ROUNDING = 1e-12  # of the rows: products that sum to less are none, as where a row is alone
HALVINGS = 40  # of that range, to 1e-12
SHARED_DRAWS = 64  # tables from which mean and spread of the residuals' products are taken
ROWS_PER_CHUNK = 1024  # labels of so many rows are held at a time; draws do not depend on it
# Keys of streams; hits of bins have (0, 1).
OF_ROWS, OF_GROUPS, TO_MEASURE, OF_ERROR = (0, 0), (0, 2), (0, 3), (0, 4)


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows of a statistic in groups.

    Attributes
    ----------
    code : (n,) number of every row's group, in the order in which they appear
    count : number of groups
    """

    code: NDArray[np.int64]
    count: int

    @classmethod
    def of(cls, groups: Ints) -> "Partition":
        """Number the groups by their first row."""
        _, first, place = np.unique(groups, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return cls(rank[place], len(first))

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """(n,) row numbers, those of a group one after the other."""
        return np.argsort(self.code, kind="stable")

    def squares(self, values: Wide) -> float:
        """Return the sum over groups of (sum of values)^2, of all columns."""
        columns = values.reshape(len(values), -1).T
        sums = (np.bincount(self.code, column, self.count) for column in columns)
        return float(sum(np.square(one).sum() for one in sums))

    def pairs(self, values: Wide) -> float:
        """Return the sum of the products of values over pairs of different rows of a group."""
        return (self.squares(values) - float(np.square(values).sum())) / 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """How labels of rows in groups are drawn.

    Attributes
    ----------
    groups : of the statistic's rows
    strength : of their dependence, as `strength_of` has it
    prob : (n, k) probabilities the labels are drawn from
    threshold : (n,) of two classes, where a standard normal number of a row's own decides for the
        second one, before its group's part is added
    """

    groups: Partition
    strength: float
    prob: Floats
    threshold: Wide

    @classmethod
    def of(cls, groups: Partition, strength: float, prob: Floats) -> "Dependence":
        """Return dependence of this strength."""
        from scipy.special import ndtri

        own = np.empty(0)
        if prob.shape[1] == 2:
            own = np.asarray(ndtri(second_share(prob)) / np.sqrt(1.0 - strength))
        return cls(groups, strength, prob, own)

    def labels(self, entropy: int, first: int, widths: Sequence[int]) -> "DependentLabels":
        """Return what draws labels for consecutive blocks of draws."""
        kind = CopulaLabels if self.prob.shape[1] == 2 else SharedLabels
        return kind(self, Streams(entropy, first, tuple(widths)))

    def once(self, entropy: int) -> NDArray[np.int32]:
        """Return one set of labels, (n,)."""
        labels = np.empty((len(self.prob), 1), np.int32)
        source = self.labels(entropy, 0, (1,))
        for start in range(0, len(labels), ROWS_PER_CHUNK):
            rows = slice(start, min(start + ROWS_PER_CHUNK, len(labels)))
            source.draw(rows, labels[rows])
        return labels[:, 0]


class InGroups(Protocol):
    """Rows with probabilities and labels, and the groups they belong to."""

    @property
    def prob(self) -> Floats: ...  # noqa: D102

    @property
    def actual(self) -> Ints: ...  # noqa: D102

    @property
    def groups(self) -> Ints | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class PooledStrength:
    """How strongly rows depend, as a whole table shows it, for a statistic of some of its rows.

    Attributes
    ----------
    strength : of the dependence
    count : number of groups of the table
    """

    strength: float
    count: int

    @classmethod
    def of(cls, what: InGroups) -> "PooledStrength | None":
        """Return that of the same statistic of the whole table; None where it has no groups.

        Raises InputError for fewer than five groups.
        """
        if what.groups is None:
            return None
        groups = Partition.of(what.groups)
        return cls(strength_of(groups, what.prob, what.actual), groups.count)


def dependence_of(what: InGroups, pooled: PooledStrength | None = None) -> Dependence | None:
    """Return how the labels of a statistic depend; None where its rows are independent.

    They are where the table has no groups, where every group is one row, and where residuals of a
    group do not go together. Raises InputError for fewer than five groups, unless `pooled` tells.
    """
    if what.groups is None:
        return None
    groups = Partition.of(what.groups)
    strength = pooled.strength if pooled else strength_of(groups, what.prob, what.actual)
    return Dependence.of(groups, strength, what.prob) if strength > 0 else None


def worth_of(partition: Partition, strength: float, prob: Floats) -> float:
    """Return how many independent rows tell as much about the mean of the residuals as these do.

    >>> prob = np.full((24, 2), 0.5)
    >>> round(worth_of(Partition.of(np.arange(24) // 2), 0.5, prob), 1)
    18.0
    """
    wide = _normalised(prob)
    alone = float((wide * (1.0 - wide)).sum())
    together = 2.0 * expected_products(partition, strength, prob) * (1 + (wide.shape[1] == 2))
    return len(wide) / (1.0 + together / alone) if alone > 0 else float(len(wide))


def strength_of(groups: Partition, prob: Floats, actual: Ints) -> float:
    """Return the strength at which the mean of the residuals' products is the observed one.

    Few groups tell little of it: with fewer than 20 its standard error is added, so that calibrated
    rows are not rejected too often where they happen to show less dependence than they have
    (`python studies/rows_in_groups.py size --only "10 x 30"`; half of it leaves .087 in "15 x 20").
    """
    if groups.count < LEAST_GROUPS:
        raise InputError(
            f"rows in groups need at least {LEAST_GROUPS} groups, as their residuals tell how much "
            f"rows of a group depend, got {groups.count}",
            code="too-few-groups",
            remedy="leave groups out if rows are independent, or evaluate more groups",
        )
    two = prob.shape[1] == 2
    residual = -_normalised(prob)
    residual[np.arange(len(actual)), actual] += 1.0
    observed = groups.pairs(residual[:, 1] if two else residual)
    n = len(actual)
    few = groups.count < FEW_GROUPS
    if groups.count == n or (observed <= ROUNDING * n and not few):
        return 0.0
    terms, most = _terms(groups, prob), STRONGEST if two else 1.0

    def solved(products: float) -> float:
        return float(where_reached(terms, products, most)) if products > ROUNDING * n else 0.0

    strength = solved(observed)
    if few:
        drawn = _drawn_products(Dependence.of(groups, strength, prob), OF_ERROR)
        strength += float(np.std([solved(products) for products in drawn]))
    return min(most, strength)


def expected_products(groups: Partition, strength: float, prob: Floats) -> float:
    """Return the mean of the sum of products of residuals over pairs of rows of a group."""
    if strength == 0:
        return 0.0
    terms = _terms(groups, prob)
    return float(terms @ strength ** np.arange(1, len(terms) + 1))


@compiled
def where_reached(terms: Wide, wanted: float, most: float) -> float:
    """Return x where terms[0] x + terms[1] x^2 + ... is the wanted sum; `most` if it is not."""
    low, high, at = 0.0, most, most
    for step in range(HALVINGS + 1):
        value = 0.0
        for k in range(len(terms) - 1, -1, -1):
            value = (value + terms[k]) * at
        if step == 0 and value <= wanted:
            return most
        if value < wanted:
            low = at
        else:
            high = at
        at = (low + high) / 2
    return low


def _normalised(prob: Floats) -> Wide:
    wide = prob.astype(np.float64)
    return np.asarray(wide / wide.sum(axis=1, keepdims=True))


def second_share(prob: Floats) -> Wide:
    """Return (n,) probabilities of the second of two classes, of rows that need not sum to 1."""
    wide = prob.astype(np.float64, copy=False)
    return np.asarray(wide[:, 1] / (wide[:, 0] + wide[:, 1]))


def _terms(groups: Partition, prob: Floats) -> Wide:
    """Return (terms,) A_k: at the strength r the products of residuals sum to A_k r^k on average.

    Of more than two classes they grow with the strength alone. Of two it is the tetrachoric
    series (Pearson 1900): two events with normal quantiles s and t occur together with probability
    p q + sum_k r^k h_k(s) h_k(t), h_k(t) = phi(t) He_{k-1}(t) / sqrt(k!).
    """
    from scipy.special import ndtri

    if prob.shape[1] > 2:
        return np.array([_shared_products(groups, prob)])
    order = groups.order
    quantile = ndtri(second_share(prob)[order])
    certain = ~np.isfinite(quantile)
    quantile[certain] = 0.0
    density = np.exp(-np.square(quantile) / 2) / np.sqrt(2 * np.pi)
    density[certain] = 0.0
    terms = np.zeros(TERMS)
    hermite_products(quantile, density, groups.code[order], terms)
    return terms


@compiled
def hermite_products(quantile: Wide, density: Wide, group: Ints, terms: Wide) -> None:
    """Add over groups (sum h_k)^2 - sum h_k^2, halved; rows of a group follow each other."""
    n, most = len(quantile), len(terms)
    sums = np.zeros(most)
    for i in range(n):
        before, now, t = 0.0, density[i], quantile[i]
        for k in range(1, most + 1):
            terms[k - 1] += now * sums[k - 1]
            sums[k - 1] += now
            before, now = (
                now,
                t * now / np.sqrt(k + 1.0) - before * (k - 1) / np.sqrt(k * (k + 1.0)),
            )
        if i + 1 == n or group[i + 1] != group[i]:
            sums[:] = 0.0


def _shared_products(groups: Partition, prob: Floats) -> float:
    """Return the mean sum of products of residuals where all rows of a group share a number."""
    return float(np.mean(_drawn_products(Dependence.of(groups, 1.0, prob), TO_MEASURE)))


def _drawn_products(dependence: Dependence, key: tuple[int, int]) -> Wide:
    """Return (draws,) sums of products of residuals over pairs of rows of a group, of drawn labels.

    Of two classes the residuals are those of one of them.
    """
    groups, wide = dependence.groups, _normalised(dependence.prob)
    n, k = wide.shape
    width = 8
    expected = np.column_stack([np.bincount(groups.code, p, groups.count) for p in wide.T])
    squares = np.square(wide).sum(axis=1)
    kind = CopulaLabels if k == 2 else SharedLabels
    result = []
    for block in range(SHARED_DRAWS // width):
        source = kind(dependence, Streams(0, block, (width,), key))
        found = np.zeros((groups.count * k, width))
        own = np.zeros(width)
        for start in range(0, n, ROWS_PER_CHUNK):
            rows = slice(start, min(start + ROWS_PER_CHUNK, n))
            labels = np.empty((rows.stop - rows.start, width), np.int32)
            source.draw(rows, labels)
            add_found(groups.code[rows], wide[rows], squares[rows], labels, found, own)
        apart = found.reshape(groups.count, k, width) - expected[:, :, None]
        result.append((np.square(apart).sum(axis=(0, 1)) - own) / (4.0 if k == 2 else 2.0))
    return np.concatenate(result)


@compiled
def add_found(group: Ints, prob: Wide, squares: Wide, labels: Ints, found: Wide, own: Wide) -> None:
    """Count the labels of every group, and add up the squared residuals of single rows."""
    n, width = labels.shape
    k = prob.shape[1]
    for i in range(n):
        for d in range(width):
            found[group[i] * k + labels[i, d], d] += 1.0
            own[d] += 1.0 + squares[i] - 2.0 * prob[i, labels[i, d]]


@dataclass(frozen=True, slots=True)
class Streams:
    """The random numbers of consecutive blocks of draws, for rows and for groups.

    Attributes
    ----------
    entropy : all are derived from; first : number of the first block
    widths : draws of every block
    key : of the groups' numbers; rows have those of independent draws
    """

    entropy: int
    first: int
    widths: tuple[int, ...]
    key: tuple[int, int] = OF_GROUPS

    @property
    def width(self) -> int:
        """Draws of all blocks together."""
        return sum(self.widths)

    def of_rows(self) -> list[np.random.Generator]:
        """Return the stream of the rows of every block."""
        ahead = OF_ROWS if self.key == OF_GROUPS else (*self.key, 1)
        return [stream(self.entropy, *ahead, self.first + i) for i in range(len(self.widths))]

    def of_groups(self) -> list[np.random.Generator]:
        """Return the stream of the groups of every block."""
        return [stream(self.entropy, *self.key, self.first + i) for i in range(len(self.widths))]

    def filled(
        self,
        size: int,
        sources: Sequence[np.random.Generator],
        numbers: Callable[[np.random.Generator, tuple[int, int]], NDArray[Any]],
        out: NDArray[Any],
    ) -> NDArray[Any]:
        """Fill the first `size` rows of `out` with each block's own numbers, and return them."""
        end = 0
        for source, width in zip(sources, self.widths, strict=True):
            out[:size, end : end + width] = numbers(source, (size, width))
            end += width
        return out[:size]


class DependentLabels(Protocol):
    """Labels of consecutive blocks of draws; rows come in order."""

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows, (rows, draws)."""


class CopulaLabels:
    """Labels of two classes: a row's own normal number and its group's, beside a threshold."""

    def __init__(self, dependence: Dependence, streams: Streams) -> None:
        self.dependence, self.streams = dependence, streams
        self.sources = streams.of_rows()
        normal = np.random.Generator.standard_normal
        shift = np.empty((dependence.groups.count, streams.width))
        streams.filled(len(shift), streams.of_groups(), normal, shift)
        shift *= np.sqrt(dependence.strength / (1.0 - dependence.strength))
        self.shift = shift
        self.noise = np.empty((min(ROWS_PER_CHUNK, len(dependence.prob)), streams.width))

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows."""
        normal = np.random.Generator.standard_normal
        noise = self.streams.filled(len(labels), self.sources, normal, self.noise)
        what = self.dependence
        copula_labels(what.threshold[rows], noise, what.groups.code[rows], self.shift, labels)


class SharedLabels:
    """Labels of more classes: a row inverts its own distribution at its own or its group's number.

    For the group's number the classes are in an order drawn for each group, a rotation forwards or
    backwards, so that no two classes go together more than others.
    """

    def __init__(self, dependence: Dependence, streams: Streams) -> None:
        self.dependence, self.streams = dependence, streams
        count, k = dependence.groups.count, dependence.prob.shape[1]
        self.sources = streams.of_rows()
        groups = streams.of_groups()
        shape = count, streams.width
        self.shared = streams.filled(count, groups, np.random.Generator.random, np.empty(shape))
        self.begin = streams.filled(
            count, groups, lambda one, size: one.integers(2 * k, size=size), np.empty(shape, int)
        )
        self.uniform = np.empty((min(ROWS_PER_CHUNK, len(dependence.prob)), streams.width))

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows."""
        uniform = np.random.Generator.random
        own = self.streams.filled(len(labels), self.sources, uniform, self.uniform)
        what = self.dependence
        shared_labels(
            what.prob[rows],
            own,
            what.groups.code[rows],
            self.shared,
            self.begin,
            float(np.sqrt(what.strength)),
            labels,
        )


@compiled
def copula_labels(threshold: Wide, noise: Wide, group: Ints, shift: Wide, labels: Ints) -> None:
    """Draw the second class where a row's number and its group's stay below the threshold."""
    n, width = labels.shape
    for i in range(n):
        own = shift[group[i]]
        for d in range(width):
            labels[i, d] = int(noise[i, d] + own[d] < threshold[i])


@compiled
def shared_labels(
    prob: Floats, uniform: Wide, group: Ints, shared: Wide, begin: Ints, share: float, labels: Ints
) -> None:
    """Draw labels from the group's number with probability `share`, else from the row's own.

    `begin` is twice the class with which the group's order begins, plus 1 for backwards.
    """
    n, width = labels.shape
    k = prob.shape[1]
    cumulative = np.zeros(k + 1)
    for i in range(n):
        last = 0
        for c in range(k):
            cumulative[c + 1] = cumulative[c] + prob[i, c]
            if prob[i, c] > 0.0:
                last = c
        total, g = cumulative[k], group[i]
        for d in range(width):
            at = uniform[i, d]
            if at >= share:
                at = (at - share) / (1.0 - share) * total
            else:
                start = begin[g, d] // 2
                if begin[g, d] % 2:
                    at = cumulative[start + 1] - shared[g, d] * total
                else:
                    at = cumulative[start] + shared[g, d] * total
                at = at % total
            low, high = 0, last
            while low < high:
                middle = (low + high) // 2
                if cumulative[middle + 1] > at:
                    high = middle
                else:
                    low = middle + 1
            labels[i, d] = low
