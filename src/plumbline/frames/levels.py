"""The levels at which probabilities are counted: cells of [0, 1] too narrow to matter.

A level is ((k - 1) / linear, k / linear], so that 1 to 15, 18, 20, 25, 50, 100 and many other
numbers of bins of equal width are whole levels. Below `NEAR`, and above 1 - `NEAR`, a level is
as wide as a fixed share of p, or of 1 - p. The values 0 and 1 have levels of their own.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.errors import InputError, ParameterError
from plumbline.jit import compiled, inlined, prefetch

Wide = NDArray[np.float64]

NEAR = 2.0**-10  # about .001: nearer to 0 and 1 levels are shares of p, as losses are
OCTAVES = 64  # below `NEAR` that are divided; of the others each is one level
FAR = 1074 - 10 - OCTAVES
LEAST_LINEAR = 360  # levels that two tables must have in common
MIXED = 5e-324  # the smallest float64: the offset is 0, but the rows of the level are not all alike
MISSES, HITS, OFFSET, REFERENCE, SUMS = range(5)  # what is kept of a level
# Two million levels are larger than a cache, and each row would wait for its own. So the levels of
# some rows are found, and fetched, before these rows are counted: a row takes 19 ns instead of 40.
# 16 to 64 rows differ by less than runs do, 256 take 25 ns (python benchmarks/bench_levels.py).
ROWS_AHEAD = 32


@dataclass(frozen=True)
class Levels:
    """A division of [0, 1].

    Attributes
    ----------
    linear : levels of equal width, if they went from 0 to 1
    each : levels an octave of the narrow ones
    """

    linear: int
    each: int

    @property
    def narrow(self) -> int:
        """Number of levels in [0, NEAR)."""
        return 1 + FAR + OCTAVES * self.each

    @property
    def size(self) -> int:
        """Number of all levels."""
        return 2 * self.narrow + self.linear

    @property
    def upper(self) -> int:
        """The first level that is measured by 1 - p."""
        return self.narrow + self.linear

    def empty(self, sums: int = 0) -> Wide:
        """Return (size, 4 + 2 sums) counts of no rows.

        Columns are misses, hits, sum of x - reference, reference, and from `SUMS` on, of so many
        attributes, the sum over the misses and that over the hits. x is p, or 1 - p from `upper`
        on. The reference is the x of a row of the level, so that a level whose rows are all alike
        keeps their very number.
        """
        width = SUMS + 2 * sums
        room = np.zeros(self.size * width + SUMS)
        # A level of four numbers lies in one line of the cache, not across two.
        skipped = -room.ctypes.data // room.itemsize % SUMS
        return room[skipped : skipped + self.size * width].reshape(self.size, width)

    def means(self, counts: Wide, level: NDArray[np.intp]) -> Wide:
        """Return (levels, 2) mean 1 - p and mean p of the rows at some levels."""
        result = np.empty((len(level), 2))
        means_at(counts, level, self.narrow, self.linear, result)
        return result

    def numbers(self, prob: Wide) -> NDArray[np.intp]:
        """Return the levels of (n, 2) probabilities 1 - p and p."""
        q, p = prob[:, 0], prob[:, 1]
        k = (p * self.linear).astype(np.intp)
        k += (p > (k + 1) / self.linear).astype(np.intp) - (p <= k / self.linear)
        level = k + self.narrow
        for near, turned in ((p < NEAR, False), (q < NEAR, True)):
            number = self.near_zero((q if turned else p)[near])
            level[near] = self.size - 1 - number if turned else number
        return level

    def at_edge(self, level: NDArray[np.intp], p: Wide) -> NDArray[np.bool_]:
        """Tell which means of inner levels may be edges of float32 that `means` moved inside."""
        k = level - self.narrow
        inside: NDArray[np.bool_] = np.nextafter(k / self.linear, 1.0) < p
        return ~(inside & (p < (k + 1) / self.linear))

    def edges(self, level: NDArray[np.intp]) -> tuple[Wide, Wide]:
        """Return (levels, 2) smallest and largest 1 - p and p that belong to some levels."""
        turned = level >= self.upper
        number = np.where(turned, self.size - 1 - level, level)
        inner = number >= self.narrow
        octave, part = np.divmod(number - (1 + FAR), self.each)
        far = number <= FAR
        power = np.where(far, number - (1 + FAR), octave) - (10 + OCTAVES)
        part = np.where(far, 0, part)
        lows, highs = (
            np.ldexp(1.0 + (part + more) / np.where(far, 1, self.each), power) for more in (0, 1)
        )
        k = number - self.narrow
        lows = np.where(inner, k / self.linear, np.where(number > 0, lows, 0.0))
        highs = np.where(inner, (k + 1) / self.linear, np.where(number > 0, highs, 0.0))
        low = np.where(
            turned[:, None], np.stack([lows, 1 - highs], 1), np.stack([1 - highs, lows], 1)
        )
        high = np.where(
            turned[:, None], np.stack([highs, 1 - lows], 1), np.stack([1 - lows, highs], 1)
        )
        return low, high

    def common(self, other: "Levels") -> "Levels":
        """Return the finest levels each of which holds whole ones of both; refuse too wide ones."""
        linear = math.gcd(self.linear, other.linear)
        if linear < LEAST_LINEAR:
            raise InputError(
                f"counts at {self.linear:,} and at {other.linear:,} levels have only {linear:,} in "
                "common; count the rows of one of them anew",
                code="levels-differ",
            )
        return Levels(linear, math.gcd(self.each, other.each))

    def coarsened(self, counts: Wide, to: "Levels") -> Wide:
        """Return counts at levels of which each holds whole ones of these."""
        level = np.flatnonzero(counts[:, MISSES] + counts[:, HITS])
        home = self._home(level, to)
        result = to.empty((counts.shape[1] - SUMS) // 2)
        first = np.unique(home, return_index=True)
        result[first[0], REFERENCE] = counts[level[first[1]], REFERENCE]
        rows = counts[level, MISSES] + counts[level, HITS]
        apart = counts[level, REFERENCE] - result[home, REFERENCE]
        offset = counts[level, OFFSET] + rows * apart
        result[:, OFFSET] = np.bincount(home, offset, len(result))
        for column in (MISSES, HITS, *range(SUMS, counts.shape[1])):
            result[:, column] = np.bincount(home, counts[level, column], len(result))
        mixed = np.zeros(len(result), bool)
        mixed[home[(counts[level, OFFSET] != 0) | (apart != 0)]] = True
        result[mixed & (result[:, OFFSET] == 0), OFFSET] = MIXED
        return result

    def _home(self, level: NDArray[np.intp], to: "Levels") -> NDArray[np.intp]:
        """Return the numbers of these levels among coarser ones."""
        turned = level >= self.upper
        number = np.where(turned, self.size - 1 - level, level)
        narrow = number < self.narrow
        divided = np.maximum(number - (1 + FAR), 0) // (self.each // to.each) + 1 + FAR
        linear = (number - self.narrow) // (self.linear // to.linear) + to.narrow
        home = np.where(narrow, np.where(number <= FAR, number, divided), linear)
        return np.where(turned, to.size - 1 - home, home)

    def near_zero(self, x: Wide) -> NDArray[np.intp]:
        """Return the levels of numbers in [0, NEAR), as `add_rows` finds them."""
        part, power = np.frexp(x)
        octave = power + 9 + OCTAVES
        within = 1 + FAR + octave * self.each + ((2.0 * part - 1.0) * self.each).astype(np.intp)
        return np.where(x > 0, np.where(octave < 0, FAR + 1 + octave, within), 0)


NO_REST = np.empty(0)
FINE = Levels(linear=1_801_800, each=2_000)  # 2^3 3^2 5^2 7 11 13
COARSER = (Levels(360_360, 400), Levels(27_720, 50))  # whole ones of the finer, for many groups
MOST_CELLS = 4 * FINE.size  # levels that the groups of a table have together


def levels_for(groups: int, levels: Levels) -> Levels:
    """Return these levels, or coarser ones if so many groups of rows would not fit into memory.

    >>> [levels_for(groups, FINE).linear for groups in (4, 5, 20, 200)]
    [1801800, 360360, 27720, 27720]
    """
    for coarser in COARSER:
        if levels.size * groups > MOST_CELLS:
            levels = levels.common(coarser)
    return levels


def levels_of(number: Any) -> Levels:
    """Return so many levels of equal width, with narrow ones of the same precision.

    >>> levels_of(360)
    Levels(linear=360, each=1)
    """
    linear = whole_number("levels", number, least=LEAST_LINEAR)
    if FINE.linear % linear:
        raise ParameterError(
            argument="levels",
            rule=f"a divisor of {FINE.linear:,}",
            arrived=f"{linear:,}",
            remedy="take 360, 1,800 or 27,720",
            code="levels-not-whole",
        )
    most = max(1, FINE.each * linear // FINE.linear)
    return Levels(linear, max(each for each in range(1, most + 1) if FINE.each % each == 0))


@compiled
def join(one: Wide, other: Wide) -> None:
    """Add the counts of other rows to those of some."""
    for level in range(len(one)):
        rows = other[level, 0] + other[level, 1]
        if rows == 0.0:
            continue
        if one[level, 0] + one[level, 1] == 0.0:
            one[level, 3] = other[level, 3]
        one[level, 0] += other[level, 0]
        one[level, 1] += other[level, 1]
        apart = other[level, 3] - one[level, 3]
        mixed = one[level, 2] != 0.0 or other[level, 2] != 0.0 or apart != 0.0
        one[level, 2] += other[level, 2] + rows * apart
        if mixed and one[level, 2] == 0.0:
            one[level, 2] = MIXED
        for column in range(SUMS, one.shape[1]):
            one[level, column] += other[level, column]


@inlined
def mean_at(counts: Wide, level: int, narrow: int, linear: int) -> float:
    """Return the mean x of the rows at a level: of p, or of 1 - p from `Levels.upper` on."""
    x = counts[level, 3] + counts[level, 2] / (counts[level, 0] + counts[level, 1])
    if narrow <= level < narrow + linear:  # edges of float32 lie a little apart
        k = level - narrow
        low, high = k / linear, (k + 1) / linear
        x = min(np.nextafter(low, 1.0), high) if x <= low else min(x, high)
    return float(x)


@compiled
def means_at(counts: Wide, level: NDArray[np.intp], narrow: int, linear: int, means: Wide) -> None:
    """Write (levels, 2) mean 1 - p and mean p of the rows at some levels."""
    for i in range(len(level)):
        x = mean_at(counts, level[i], narrow, linear)
        turned = level[i] >= narrow + linear
        means[i, 0], means[i, 1] = (x, 1.0 - x) if turned else (1.0 - x, x)


def rows_held(counts: Wide) -> int:
    """Return how many rows `rows_at` writes: one for each level and label that has rows.

    A column at a time: of two numpy visits every number by itself, which takes ten times as long.
    """
    return sum(int(np.count_nonzero(counts[:, label])) for label in range(HITS + 1))


@compiled
def rows_at(
    counts: Wide,
    narrow: int,
    linear: int,
    turned: bool,
    means: Wide,
    label: NDArray[np.int8],
    weight: Wide,
    alike: NDArray[np.bool_],
    averages: Wide,
) -> None:
    """Write a row for each level and label that has rows, in order of the level.

    The rows are as `counted_table.Rows` has them. The first label of a level is that of the first
    class, which is counted second if `turned`.
    """
    row = 0
    for level in range(len(counts)):
        if counts[level, 0] + counts[level, 1] == 0.0:
            continue
        x = mean_at(counts, level, narrow, linear)
        upper = level >= narrow + linear
        for place in range(2):
            own = 1 - place if turned else place
            if counts[level, own] == 0.0:
                continue
            means[row, 0] = x if upper else 1.0 - x
            means[row, 1] = 1.0 - x if upper else x
            label[row] = own
            weight[row] = counts[level, own]
            alike[row] = counts[level, 2] == 0.0
            for j in range(averages.shape[1]):
                averages[row, j] = counts[level, SUMS + 2 * j + own] / counts[level, own]
            row += 1


@compiled
def narrow_level(x: float, each: int) -> int:
    """Return the level of a number in [0, NEAR)."""
    if x <= 0.0:
        return 0
    part, power = math.frexp(x)  # x = part 2^power, 1/2 <= part < 1, power <= -10
    octave = power + 9 + OCTAVES
    if octave < 0:
        return FAR + 1 + octave
    return 1 + FAR + octave * each + int((2.0 * part - 1.0) * each)


@inlined
def level_of(p: Any, rest: Any, linear: int, each: int) -> int:
    """Return the level of a probability, float32 or float64 in [0, 1]; `rest` is its opposite."""
    kind = type(p)
    width, narrow = np.float64(linear), 1 + FAR + OCTAVES * each
    x = np.float64(p)
    if x < NEAR or rest < NEAR:
        number: int = narrow_level(min(x, rest), each)
        return 2 * narrow + linear - 1 - number if rest < NEAR else number
    at = x * width
    level = int(at)
    # The edge in the precision of the column, as bins of equal width have theirs. It is found by a
    # division, the slowest step here, only for p so near to it that rounding decides.
    doubt = width * (2.0**-24 if kind(1.0 + 2.0**-30) == 1.0 else 2.0**-48)
    part = at - level
    if part < doubt or part > 1.0 - doubt:
        if p <= kind(level / width):
            level -= 1
        elif p > kind((level + 1) / width):
            level += 1
    return level + narrow


@compiled
def add_rows(
    prob: NDArray[Any], rest: Wide, hit: NDArray[np.int8], linear: int, each: int, counts: Wide
) -> None:
    """Count rows at their levels.

    prob : (n,) float32 or float64 in [0, 1]; rest : (n,) probability of the opposite, or empty
    where it is 1 - p; hit : (n,) 1 or 0, or -1 for a row that is left out.
    """
    upper, known = 1 + FAR + OCTAVES * each + linear, len(rest) > 0
    levels = np.empty(ROWS_AHEAD, np.int64)
    for start in range(0, len(prob), ROWS_AHEAD):
        rows = min(ROWS_AHEAD, len(prob) - start)
        for j in range(rows):
            i = start + j
            other = rest[i] if known else 1.0 - np.float64(prob[i])
            levels[j] = level_of(prob[i], other, linear, each)
            prefetch(counts, levels[j])
        for j in range(rows):
            i = start + j
            if hit[i] < 0:
                continue
            level, x = levels[j], np.float64(prob[i])
            if level >= upper:
                x = rest[i] if known else 1.0 - x
            # No `counts[level]`: the compiler would count references to the view.
            if counts[level, 0] + counts[level, 1] == 0.0:
                counts[level, 3] = x
            counts[level, hit[i]] += 1.0
            apart = x - counts[level, 3]
            if apart != 0.0:
                offset = counts[level, 2] + apart
                counts[level, 2] = offset if offset != 0.0 else MIXED


@compiled
def add_sums(
    prob: NDArray[Any],
    rest: Wide,
    hit: NDArray[np.int8],
    values: Wide,
    linear: int,
    each: int,
    counts: Wide,
) -> None:
    """Add (n, attributes) values to the sums of the levels of rows, which `add_rows` counts."""
    known = len(rest) > 0
    for i in range(len(prob)):
        if hit[i] < 0:
            continue
        other = rest[i] if known else 1.0 - np.float64(prob[i])
        level = level_of(prob[i], other, linear, each)
        for j in range(values.shape[1]):
            counts[level, SUMS + 2 * j + hit[i]] += values[i, j]
