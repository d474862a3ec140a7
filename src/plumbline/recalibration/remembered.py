"""The rows a map was fitted on, by hash, so that it is not judged on its training data.

Rows are known by their numbers in single precision, and by rounded ones, so that a table is still
known after a way through a file of few digits.
"""

import math
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError, warn
from plumbline.formatting import counted
from plumbline.jit import compiled
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.knots import in_parts

Hashes = NDArray[np.uint64]
Ints = NDArray[np.intp]
Numbers = NDArray[np.floating[Any]]

MOST = 16_384  # hashes kept
MANY = 32_768  # numbers from which on a kernel is worth loading
LEVELS = 8  # decimals that are tried, the fewest first
MOST_ROWS = 1_000_000  # of one number each: six digits tell no more apart
# Share of the distinct rounded rows that must stand for one row each: four of five. A convention;
# the bound of the error holds whatever it is.
ALONE = 0.8
MOST_SINGLE = math.exp(
    -1
)  # the largest probability that exactly one of many rows has given numbers
TINIEST = 1e-290  # of numbers that can be multiplied
START = np.uint64(0x9E37_79B9_7F4A_7C15)
TIMES = np.uint64(0xFF51_AFD7_ED55_8CCD)
TIMES_LAST = np.uint64(0xC4CE_B9FE_1A85_EC53)
HALF = np.uint64(32)
LAST = np.uint64(29)
ONE = np.uint64(1)
CELL_BITS = 16  # of the index of the kept hashes
SURE, DOUBTFUL = 1e-6, 0.05  # probability below which rows are refused, or warned about
FIRST_ROWS = 100  # rows that tell quickly that a table is not sorted
ALL_BITS = 2**64 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Hashes of the rounded rows a map was fitted on that equal no other: all, or the smallest.

    The numbers are rounded to as few decimals as still tell four of five rows apart, so that they
    are the same after a way through a file of six digits, or of as few as these decimals.

    Attributes
    ----------
    decimals : to which numbers are rounded; below 0 to tens, hundreds and so on
    hashes : (m,) rising uint64
    whole : whether no hash was left out; else those above the last were
    n : rows
    times : how often each of these rows stands in the table, 1 unless all stand there equally often
    """

    decimals: int
    hashes: Hashes
    whole: bool
    n: int
    times: int

    @classmethod
    def of(cls, values: Numbers, *, equal: bool) -> "Rounded | None":
        """Remember (n,) or (n, k) numbers; None where no rounding tells their rows apart.

        `equal` says that every row stands there equally often, so that it counts once.
        """
        largest = float(np.abs(values).max(initial=0.0))
        alone = values[:1].size == 1
        if not TINIEST < largest < math.inf or (alone and len(values) > MOST_ROWS):
            return None
        first = 1 - math.ceil(math.log10(largest))
        cells = math.floor(math.log10(len(values))) if alone else 0  # as many as rows, at least
        for decimals in range(first + max(0, cells - 1), first + LEVELS):
            hashes = np.sort(_hashes_of_parts(values, decimals))
            distinct, count = np.unique(hashes, return_counts=True)
            times = int(count.min()) if equal else 1
            once = distinct[count == times]
            if len(once) >= ALONE * len(distinct):
                whole = len(once) <= MOST
                return cls(decimals, once[:MOST].copy(), whole, len(values), times)
        return None

    def meetings(self, values: Numbers) -> tuple[int, int, float]:
        """Return how many new rows equal an old one, of how many, and a bound for its probability.

        Whatever the distribution of the new rows, given numbers are those of exactly c of the n
        old rows with probability at most 1 / e, if how often they occur is Poisson distributed; so
        of m distinct new ones s or more are with at most P(Binomial(m, 1 / e) >= s), times e
        sqrt(n), for the n old rows are so many for certain, and times c (c + 1), for any c will do.
        """
        hashes = _hashes_of_parts(values, self.decimals)
        if not self.whole:
            hashes = hashes[hashes <= self.hashes[-1]]
        distinct, times = np.unique(hashes, return_counts=True)
        old = np.isin(distinct, self.hashes, assume_unique=True)
        if not old.any():
            return 0, len(hashes), 1.0
        from scipy.special import bdtrc

        probability = float(bdtrc(int(old.sum()) - 1, len(distinct), MOST_SINGLE))
        probability *= self.times * (self.times + 1.0) * math.e * math.sqrt(self.n)
        return int(times[old].sum()), len(hashes), min(1.0, probability)


def _hashes_of_parts(values: Numbers, decimals: int) -> Hashes:
    largest = float(np.iinfo(np.int32).max)

    def of(part: slice) -> Hashes:
        with np.errstate(over="ignore"):
            scaled = np.multiply(values[part], 10.0**decimals, dtype=np.float64)
        cells = np.clip(np.rint(scaled, out=scaled), -largest, largest, out=scaled)
        whole = cells.astype(np.int32, order="C")
        return hashes_of_rows(whole.view(np.uint32).reshape(len(whole), -1))

    return np.concatenate(in_parts(len(values), of, width=values[:1].size))


def hashes_of_rows(bits: NDArray[np.uint32]) -> Hashes:
    """Return the 64-bit hash of every row of numbers, by a kernel where they are many."""
    if bits.size < MANY:
        return hashes_of(bits)
    hashes = np.empty(len(bits), np.uint64)
    hash_rows(bits, hashes)
    return hashes


def hashes_of(bits: NDArray[np.uint32]) -> Hashes:
    """Return the 64-bit hash of every row of numbers; `hash_rows` is the same for many.

    >>> hashes_of(np.array([[0], [1]], np.uint32)).tolist()
    [12080324355821754767, 17015664546827703893]
    """
    hashes = np.full(len(bits), START)
    for column in bits.T:
        hashes = (hashes ^ column) * TIMES
        hashes ^= hashes >> HALF
    hashes *= TIMES_LAST
    return hashes ^ (hashes >> LAST)


@compiled
def hash_rows(bits: NDArray[np.uint32], out: Hashes) -> None:
    """Write a 64-bit hash of every row of numbers."""
    for i in range(bits.shape[0]):
        h = START
        for j in range(bits.shape[1]):
            h = (h ^ np.uint64(bits[i, j])) * TIMES
            h ^= h >> HALF
        h *= TIMES_LAST
        out[i] = h ^ (h >> LAST)


@compiled
def meet(
    hashes: Hashes,
    kept: Hashes,
    last: np.uint64,
    shift: np.uint64,
    start: NDArray[np.int32],
    times: NDArray[np.int64],
    within: NDArray[np.int64],
) -> None:
    """Count how often kept hashes are met, and add to `within[0]` how many lie up to `last`.

    Those with high bits c stand from start[c] to start[c + 1].
    """
    for i in range(len(hashes)):
        h = hashes[i]
        if h <= last:
            within[0] += 1
            cell = h >> shift
            for j in range(start[cell], start[cell + ONE]):
                if kept[j] == h:
                    times[j] += 1


class HashIndex(NamedTuple):
    """Where to look for a hash: in cell c = hash >> shift, from start[c] to start[c + 1].

    `last` is the last hash that was not left out.
    """

    last: np.uint64
    shift: np.uint64
    start: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """Hashes of the rows a map was fitted on that equal no other: all, or the smallest of many.

    Where every row stands in the table equally often, as in one that was written twice, the hashes
    are of all its distinct rows, as if each had stood there once.

    A hash is of what the map reads of a row, in float32, so that a table still is itself after a
    way through a file of single precision. Scores of trees, or saturated ones, are equal in many
    rows, so a new row that has one tells nothing.

    Attributes
    ----------
    n : rows the map was fitted on
    hashes : (m,) rising uint64
    whole : whether no hash was left out; else those above the last were
    rows : fitting rows with hashes up to there, equal ones too; distinct ones where every row
        stands equally often
    twice, thrice : how many hashes up to there two of these rows have, and three
    any_order, in_order : two sums modulo 2^64 over all rows, of the hashes, and of the hashes
        times 2 i + 1 for row i: the same table again has the same
    chance_any_order, chance_in_order : upper bounds for how probable it is that as many new rows
        give the same sum, though none of them is an old one
    rounded : the same rows by rounded numbers, for a table that went through a file of few digits;
        None where no rounding tells them apart
    """

    n: int
    hashes: Hashes
    whole: bool
    rows: int
    twice: int
    thrice: int
    any_order: int
    in_order: int
    chance_any_order: float
    chance_in_order: float
    rounded: Rounded | None = None

    @classmethod
    def of(cls, reading: Reading) -> "Remembered":
        """Remember the rows of a table by what the map reads of them."""
        values = _read(reading)
        parts = in_parts(reading.n, lambda part: _hashes(values[part]), width=reading.k)
        hashes = np.concatenate(parts)
        sums = _sums(hashes, 0)
        hashes.sort()
        once, repeated, count = _by_count(hashes)
        any_order, in_order = _repeat_probabilities(count, reading)
        equal = not len(once) and bool(np.all(count == count[0]))
        rounded = None
        if equal or len(once) >= ALONE * (len(once) + len(repeated)):
            rounded = Rounded.of(values, equal=equal)
        if equal:
            hashes, once, repeated, count = repeated, repeated, repeated[:0], count[:0]
        whole = len(once) <= MOST
        once = once[:MOST].copy()
        last = ALL_BITS if whole else int(once[-1])
        near = count[repeated <= np.uint64(last)]
        return cls(
            n=reading.n,
            hashes=once,
            whole=whole,
            rows=int(np.searchsorted(hashes, np.uint64(last), side="right")),
            twice=int(np.count_nonzero(near == 2)),
            thrice=int(np.count_nonzero(near == 3)),
            any_order=sums[0],
            in_order=sums[1],
            chance_any_order=any_order,
            chance_in_order=in_order,
            rounded=rounded,
        )

    def refuse(self, reading: Reading, name: str) -> None:
        """Raise InputError where a table holds more of these rows than new data would.

        A table that is the same as a whole is refused where as many new rows are very unlikely to
        be the same. Of any other, the remembered rows in it are counted: a new row meets one with
        about the probability at which the old ones met each other, and too many are not all met
        equally often. A PlumblineWarning is given where the count is odd, but no proof.
        """
        if not self.rows:
            return
        met, within, probability = self._meetings(reading)
        if probability >= DOUBTFUL:
            return
        looked_up = "" if within == reading.n else " looked up"
        count = f"{met:,} of {counted(within, 'row')}{looked_up}"
        if probability >= SURE:
            warn(
                f"{count} read the same as rows {name} was fitted on; if they are the same rows, "
                "results on them are optimistic: leave them out",
                code="rows-of-the-fit",
            )
            return
        raise InputError(
            f"{count} read the same as rows {name} was fitted on, so results on them are "
            "optimistic",
            code="rows-of-the-fit",
            argument="resubstitution",
            remedy="apply it to other rows, or pass `resubstitution=True` (the output is "
            "labelled accordingly)",
        )

    def _meetings(self, reading: Reading) -> tuple[int, int, float]:
        """Return a table's rows that equal remembered ones, of how many, and their probability."""
        again = reading.n == self.n
        values = _read(reading)
        index = self._index(kernel=reading.n >= MANY)
        adding = Lock()
        times = np.zeros(len(self.hashes), np.int64)

        def look_up(part: slice) -> tuple[int, int, int]:
            nonlocal times
            hashes = _hashes(values[part])
            counts, within = self._count_meetings(hashes, index)
            with adding:
                times += counts
            return within, *(_sums(hashes, part.start) if again else (0, 0))

        parts = in_parts(reading.n, look_up, width=reading.k)
        within, any_order, in_order = map(sum, zip(*parts, strict=True))
        met = int(np.count_nonzero(times))
        probability = min(
            meetings_probability(met, within, self.rows, self.twice, self.thrice),
            equal_counts_probability(times, within),
        )
        if again and any_order & ALL_BITS == self.any_order:
            same = [self.chance_any_order]
            same += [self.chance_in_order] if in_order & ALL_BITS == self.in_order else []
            if min(same) < probability:
                return reading.n, reading.n, min(same)
        if probability >= SURE and self.rounded is not None:
            rounded = self.rounded.meetings(values)
            if rounded[-1] < probability:
                return rounded
        return int(times.sum()), within, probability

    def _index(self, *, kernel: bool) -> HashIndex:
        """Return where to look; without the cells where the kernel will not be asked."""
        last = ALL_BITS if self.whole else int(self.hashes[-1])
        shift = max(0, last.bit_length() - CELL_BITS)
        cell = (self.hashes >> np.uint64(shift)).astype(np.int64)
        cells = np.arange((1 << CELL_BITS) + 1 if kernel else 0)
        start = np.searchsorted(cell, cells).astype(np.int32)
        return HashIndex(np.uint64(last), np.uint64(shift), start)

    def _count_meetings(self, hashes: Hashes, index: HashIndex) -> tuple[NDArray[np.int64], int]:
        """Return how often kept hashes are met, and how many lie where hashes were kept."""
        times, within = np.zeros(len(self.hashes), np.int64), np.zeros(1, np.int64)
        if not len(self.hashes):
            return times, len(hashes)
        if len(hashes) >= MANY:
            meet(hashes, self.hashes, *index, times, within)
            return times, int(within[0])
        place = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        same = place[self.hashes[place] == hashes]
        return np.bincount(same, minlength=len(times)), int(np.count_nonzero(hashes <= index.last))


NOBODY = Remembered(0, np.empty(0, np.uint64), True, 0, 0, 0, 0, 0, 1.0, 1.0)  # nothing was fitted


def meetings_probability(met: int, n: int, rows: int, twice: int, thrice: int) -> float:
    """Return how probable it is that n new rows hold this many of the old single ones, or more.

    The probability p that a new row equals one of the old that equal no other is about 2 a / rows,
    where a values are there twice (Good 1953); its error has a variance of about
    (4 a + 6 b) / rows^2, where b are there thrice. p is taken for gamma distributed so, the count
    for binomial.

    >>> meetings_probability(0, 100, 100, 0, 0), meetings_probability(60, 100, 100, 0, 0) < 1e-6
    (1.0, True)
    >>> meetings_probability(30, 100, 100, 15, 5) > 0.01
    True
    """
    if met == 0:
        return 1.0
    from scipy.special import bdtrc, gammainccinv

    scale = 2 + 3 * thrice / max(twice, 1)
    step = 1 / 16
    t = np.arange(step / 2, 50.0, step)  # exp(-t) is the probability of a larger p
    p = np.minimum(gammainccinv(1 + 2 * twice / scale, np.exp(-t)) * scale / rows, 1.0)
    return float(min(1.0, step * np.sum(np.exp(-t) * bdtrc(met - 1, n, p))))


def equal_counts_probability(times: NDArray[np.int64], n: int) -> float:
    """Bound the probability that so many old values are each met equally often among n new rows.

    How often a value is met is nearly Poisson distributed, so whatever its frequency, it is met
    exactly c > 0 times with probability at most c^c exp(-c) / c! <= 1 / e, and of m values s or
    more are with at most P(Binomial(m, 1 / e) >= s). That holds also if every new row stands there
    several times. The bound is this times e sqrt(n), for the n rows are so many for certain, and
    times c (c + 1), for every c is looked at. The same rows among any number of others are all met
    once; scores that many rows share are met in all numbers.

    >>> equal_counts_probability(np.ones(300, int), 10**6) < 1e-99
    True
    >>> equal_counts_probability(np.random.default_rng(0).poisson(1.0, 300), 10**6)
    1.0
    """
    if not times.any():
        return 1.0
    from scipy.special import bdtrc

    count, values = np.unique(times[times > 0], return_counts=True)
    probability = bdtrc(values - 1, len(times), math.exp(-1)) * count * (count + 1.0)
    return float(min(1.0, probability.min() * math.e * math.sqrt(n)))


def _read(reading: Reading) -> Numbers:
    """Return what tells rows apart: of two classes' probabilities the positive one's."""
    two = reading.values.ndim == 2 and reading.k == 2
    return reading.values[:, reading.positive] if two else reading.values


def _hashes(values: Numbers) -> Hashes:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32, order="C") + np.float32(0.0)  # -0.0 is 0.0
    return hashes_of_rows(single.view(np.uint32).reshape(len(single), -1))


def _sums(hashes: Hashes, first: int) -> tuple[int, int]:
    place = np.arange(first, first + len(hashes), dtype=np.uint64)
    turned = hashes * (place + place + np.uint64(1))
    return int(hashes.sum()), int(turned.sum())


def _by_count(hashes: Hashes) -> tuple[Hashes, Hashes, Ints]:
    """Return of sorted hashes those of one row, those of several, and of how many each of these."""
    begins = np.ones(len(hashes) + 1, bool)
    np.not_equal(hashes[1:], hashes[:-1], out=begins[1:-1])
    first = np.flatnonzero(begins[:-1] & ~begins[1:])
    last = np.flatnonzero(~begins[:-1] & begins[1:])
    return hashes[begins[:-1] & begins[1:]], hashes[first], last - first + 1


def _repeat_probabilities(count: Ints, reading: Reading) -> tuple[float, float]:
    """Bound the probability that new rows are the same as a whole, in any order and in this one.

    Of all distributions of the rows, their own shares c / n make them most probable: in this order
    by the product of (c / n)^c, in any by that times n! / prod c!. Where tables come sorted, the
    order says nothing. `count` has the c above 1.
    """
    from scipy.special import gammaln

    n = reading.n
    order = float(np.sum(count * np.log(count))) - n * math.log(n)
    free = order + math.lgamma(n + 1) - float(np.sum(gammaln(count + 1)))
    order = free if _sorted(reading) else order
    return math.exp(min(0.0, free)), math.exp(min(0.0, order))


def _sorted(reading: Reading) -> bool:
    values = reading.values if reading.values.ndim == 2 else reading.values[:, None]
    return any(_monotone(column[:FIRST_ROWS]) and _monotone(column) for column in values.T)


def _monotone(values: Numbers) -> bool:
    return bool(np.all(values[1:] >= values[:-1]) or np.all(values[1:] <= values[:-1]))
