"""Labels of rows that belong together: draws with a dependence of any strength.

Every row keeps its own probabilities; the labels of a group's rows depend on each other as much as
the residuals of the table do. Two classes: a Gaussian copula with one latent correlation. More: a
number that the rows of a group share with a probability that the residuals tell.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.dependence.tetrachoric import TERMS, hermite_products, quantile_and_density
from plumbline.jit import compiled, inlined, read_only
from plumbline.random_streams import stream

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Wide: TypeAlias = NDArray[np.float64]

FARTHEST, STEPS = 9, 256  # of a table of the normal distribution; 36 kB
STRONGEST = 0.95  # latent correlation: labels that are all but equal
HALVINGS = 40  # of that range, to 1e-12
SHARED_DRAWS = 64  # tables from which mean and spread of the residuals' products are taken
ROWS_PER_CHUNK = 1024  # labels of so many rows are held at a time; draws do not depend on it
# Up to so many classes it is faster to count the cumulative sums below a number, many numbers at a
# time, than to search for it, where a processor guesses wrongly: 1.2 instead of 8 ns a label of ten
# classes, 15 instead of 37 of a hundred, 60 instead of 69 of 400, but 154 instead of 112 of 1,000
# (python benchmarks/bench_labels.py).
MOST_COUNTED = 256
# Keys of streams; hits of bins have (0, 1).
OF_ROWS, OF_GROUPS, TO_MEASURE, LIKELY, OF_STRENGTH = (0, 0), (0, 2), (0, 3), (0, 4), (0, 5)


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
        _, first, home = np.unique(groups, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return cls(rank[home], len(first))

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
    likely : (strengths,) of their dependence, of which every draw takes one
    prob : (n, k) probabilities the labels are drawn from
    quantile : (n,) of two classes, the normal quantile of the second one's probability
    """

    groups: Partition
    likely: Wide
    prob: Floats
    quantile: Wide

    @classmethod
    def of(cls, groups: Partition, strength: float | Wide, prob: Floats) -> "Dependence":
        """Return dependence of this strength, or of strengths that are equally likely."""
        from scipy.special import ndtri

        own = np.asarray(ndtri(second_share(prob))) if prob.shape[1] == 2 else np.empty(0)
        return cls(groups, np.atleast_1d(np.asarray(strength, np.float64)), prob, own)

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


def worth_of(partition: Partition, strength: float, prob: Floats) -> float:
    """Return how many independent rows tell as much about the mean of the residuals as these do.

    >>> prob = np.full((24, 2), 0.5)
    >>> round(worth_of(Partition.of(np.arange(24) // 2), 0.5, prob), 1)
    18.0
    """
    wide = normalised(prob)
    alone = float((wide * (1.0 - wide)).sum())
    together = 2.0 * expected_products(partition, strength, prob) * (1 + (wide.shape[1] == 2))
    return len(wide) / (1.0 + together / alone) if alone > 0 else float(len(wide))


def expected_products(groups: Partition, strength: float, prob: Floats) -> float:
    """Return the mean of the sum of products of residuals over pairs of rows of a group."""
    if strength == 0:
        return 0.0
    terms = terms_of(groups, prob)
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


def normalised(prob: Floats) -> Wide:
    """Return probabilities that sum to 1 in every row."""
    wide = prob.astype(np.float64)
    return np.asarray(wide / wide.sum(axis=1, keepdims=True))


def second_share(prob: Floats) -> Wide:
    """Return (n,) probabilities of the second of two classes, of rows that need not sum to 1."""
    wide = prob.astype(np.float64, copy=False)
    return np.asarray(wide[:, 1] / (wide[:, 0] + wide[:, 1]))


def terms_of(groups: Partition, prob: Floats) -> Wide:
    """Return (terms,) A_k: at the strength r the products of residuals sum to A_k r^k on average.

    Of more than two classes they grow with the strength alone. Of two it is the tetrachoric
    series.
    """
    if prob.shape[1] > 2:
        return np.array([_shared_products(groups, prob)])
    order = groups.order
    quantile, density = quantile_and_density(second_share(prob)[order])
    terms = np.zeros(TERMS)
    hermite_products(quantile, density, groups.code[order], terms)
    return terms


def _shared_products(groups: Partition, prob: Floats) -> float:
    """Return the mean sum of products of residuals where all rows of a group share a number."""
    ((sums, own),) = drawn_sums(groups, np.ones(1), prob, TO_MEASURE)
    return float(np.mean(np.square(sums).sum(axis=(0, 1)) - own) / 2.0)


def drawn_sums(
    groups: Partition, strengths: Wide, prob: Floats, key: tuple[int, int]
) -> Iterator[tuple[Wide, Wide]]:
    """Yield residuals of drawn labels of more than two classes at each strength.

    They are (groups, classes, draws) sums, and (draws,) sums of squares of single residuals. Every
    strength has the same random numbers, so that all are drawn in one pass.
    """
    wide = normalised(prob)
    n, k = wide.shape
    width = 8
    expected = np.column_stack([np.bincount(groups.code, p, groups.count) for p in wide.T])
    squares = np.square(wide).sum(axis=1)
    dependence = Dependence.of(groups, strengths, prob)
    share = np.sqrt(strengths)
    sums = np.empty((len(share), groups.count, k, SHARED_DRAWS))
    own = np.zeros((len(share), SHARED_DRAWS))
    for block in range(SHARED_DRAWS // width):
        source = SharedLabels(dependence, Streams(0, block, (width,), key))
        found = np.zeros((len(share), groups.count * k, width))
        alone = np.zeros((len(share), width))
        for start in range(0, n, ROWS_PER_CHUNK):
            rows = slice(start, min(start + ROWS_PER_CHUNK, n))
            add_shared(
                *(*read_only(prob[rows]), wide[rows], squares[rows], groups.code[rows]),
                source.numbers(rows.stop - rows.start),
                *(source.shared, source.begin, share, found, alone),
            )
        drawn = slice(block * width, (block + 1) * width)
        shape = len(share), groups.count, k, width
        sums[..., drawn] = found.reshape(shape) - expected[:, :, None]
        own[:, drawn] = alone
    yield from zip(sums, own, strict=True)


@compiled
def add_shared(
    prob: Floats,
    wide: Wide,
    squares: Wide,
    group: Ints,
    uniform: Wide,
    shared: Wide,
    begin: Ints,
    share: Wide,
    found: Wide,
    own: Wide,
) -> None:
    """Count the labels of every group at every share, and add up squared residuals of single rows.

    The labels are those of `shared_labels`; shares rise, and a row's own number falls with them.
    """
    n, width = uniform.shape
    k = prob.shape[1]
    cumulative, most = np.zeros(k + 1), len(share)
    for i in range(n):
        last = 0
        for c in range(k):
            cumulative[c + 1] = cumulative[c] + prob[i, c]
            if prob[i, c] > 0.0:
                last = c
        total, g = cumulative[k], group[i]
        for d in range(width):
            at = shared_place(cumulative, begin[g, d], shared[g, d] * total)
            together = 0
            while together < last and cumulative[together + 1] <= at:
                together += 1
            label, u = 0, uniform[i, d]
            for s in range(most):
                if u >= share[s]:
                    at = (u - share[s]) / (1.0 - share[s]) * total
                    while label > 0 and cumulative[label] > at:
                        label -= 1
                    while label < last and cumulative[label + 1] <= at:
                        label += 1
                    taken = label
                else:
                    taken = together
                found[s, g * k + taken, d] += 1.0
                own[s, d] += 1.0 + squares[i] - 2.0 * wide[i, taken]


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

    def picked(self, likely: Wide) -> Wide:
        """Return (draws,) strengths, each of them drawn from those that are likely."""
        if len(likely) == 1:
            return np.repeat(likely, self.width)
        sources = [
            stream(self.entropy, *OF_STRENGTH, self.first + i) for i in range(len(self.widths))
        ]
        picks = [
            source.integers(len(likely), size=width)
            for source, width in zip(sources, self.widths, strict=True)
        ]
        return np.asarray(likely[np.concatenate(picks)])

    def filled(
        self,
        size: int,
        sources: Sequence[np.random.Generator],
        numbers: Callable[..., object],
        out: NDArray[Any],
    ) -> NDArray[Any]:
        """Fill the first `size` rows of `out` with each block's own numbers, and return them.

        `numbers` fills its keyword `out`, of consecutive places in memory, from a generator.
        """
        if len(self.widths) == 1:
            numbers(sources[0], out=out[:size])
            return out[:size]
        held = np.empty(size * max(self.widths), out.dtype)  # memory once, not a block
        end = 0
        for source, width in zip(sources, self.widths, strict=True):
            own = held[: size * width].reshape(size, width)
            numbers(source, out=own)
            out[:size, end : end + width] = own
            end += width
        return out[:size]


class DependentLabels(Protocol):
    """Labels of consecutive blocks of draws; rows come in order."""

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows, (rows, draws)."""


class CopulaLabels:
    """Labels of two classes: a row's number below its probability, given its group's number.

    That is a normal probability, and read from a table. A normal number of each row beside a
    threshold would take twice as long (python benchmarks/bench_groups.py).
    """

    def __init__(self, dependence: Dependence, streams: Streams) -> None:
        self.dependence, self.streams = dependence, streams
        self.sources = streams.of_rows()
        normal = np.random.Generator.standard_normal
        shift = np.empty((dependence.groups.count, streams.width))
        streams.filled(len(shift), streams.of_groups(), normal, shift)
        strength = streams.picked(dependence.likely)
        shift *= np.sqrt(strength / (1.0 - strength))
        self.shift, self.scale = shift, 1.0 / np.sqrt(1.0 - strength)
        self.uniform = np.empty((min(ROWS_PER_CHUNK, len(dependence.prob)), streams.width))
        self.table = normal_table()

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows."""
        uniform = np.random.Generator.random
        own = self.streams.filled(len(labels), self.sources, uniform, self.uniform)
        what = self.dependence
        copula_labels(
            what.quantile[rows],
            self.scale,
            own,
            what.groups.code[rows],
            self.shift,
            self.table,
            labels,
        )


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

        def begin(source: np.random.Generator, *, out: Ints) -> None:
            out[:] = source.integers(2 * k, size=out.shape)

        self.begin = streams.filled(count, groups, begin, np.empty(shape, int))
        self.uniform = np.empty((min(ROWS_PER_CHUNK, len(dependence.prob)), streams.width))
        self.share = np.sqrt(streams.picked(dependence.likely))

    def numbers(self, size: int) -> Wide:
        """Return the own numbers of so many further rows, (rows, draws)."""
        uniform = np.random.Generator.random
        return self.streams.filled(size, self.sources, uniform, self.uniform)

    def draw(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Draw the labels of these rows."""
        own, what = self.numbers(len(labels)), self.dependence
        shared_labels(
            what.prob[rows],
            own,
            what.groups.code[rows],
            self.shared,
            self.begin,
            self.share,
            labels,
        )


def normal_table() -> Wide:
    """Return probabilities of the normal distribution in steps from -FARTHEST on, 0 and 1 beyond.

    Between them a straight line is off by less than 5e-7, and above -5 by less than 5e-5 of the
    probability.
    """
    from scipy.special import ndtr

    table = np.asarray(ndtr(np.arange(2 * FARTHEST * STEPS + 2) / STEPS - FARTHEST), np.float64)
    table[0], table[-2:] = 0.0, 1.0
    return table


@compiled
def copula_labels(
    quantile: Wide, scale: Wide, uniform: Wide, group: Ints, shift: Wide, table: Wide, labels: Ints
) -> None:
    """Draw the second class where a row's number is below its probability in its group."""
    n, width = labels.shape
    last = len(table) - 2.0
    for i in range(n):
        own = shift[group[i]]
        for d in range(width):
            at = (quantile[i] * scale[d] - own[d] + FARTHEST) * STEPS
            at = min(max(at, 0.0), last)
            k = int(at)
            below = table[k] + (at - k) * (table[k + 1] - table[k])
            labels[i, d] = int(uniform[i, d] < below)


@inlined
def shared_place(cumulative: Wide, begin: int, along: float) -> float:
    """Return where a group's number leads on a row's cumulative sums, from the class it begins."""
    total = float(cumulative[len(cumulative) - 1])
    first, backwards = begin // 2, begin % 2
    at = float(cumulative[first + 1] - along if backwards else cumulative[first] + along)
    if at < 0.0:
        at += total
    return at - total if at >= total else at


@compiled
def shared_labels(
    prob: Floats, uniform: Wide, group: Ints, shared: Wide, begin: Ints, share: Wide, labels: Ints
) -> None:
    """Draw labels from the group's number with probability `share[d]`, else from the row's own.

    `begin` is twice the class with which the group's order begins, plus 1 for backwards.
    """
    n, width = labels.shape
    k = prob.shape[1]
    cumulative, wanted = np.zeros(k + 1), np.empty(width)
    found = np.empty(width, np.int32)
    for i in range(n):
        last = 0
        for c in range(k):
            cumulative[c + 1] = cumulative[c] + prob[i, c]
            if prob[i, c] > 0.0:
                last = c
        total, g = cumulative[k], group[i]
        for d in range(width):
            found[d] = 0
            if uniform[i, d] >= share[d]:
                wanted[d] = (uniform[i, d] - share[d]) / (1.0 - share[d]) * total
            else:
                wanted[d] = shared_place(cumulative, begin[g, d], shared[g, d] * total)
        if k > MOST_COUNTED:
            for d in range(width):
                labels[i, d] = np.searchsorted(cumulative[1 : last + 1], wanted[d], "right")
            continue
        for c in range(last):
            sum_so_far = cumulative[c + 1]
            for d in range(width):
                found[d] += np.int32(wanted[d] >= sum_so_far)
        for d in range(width):
            labels[i, d] = found[d]
