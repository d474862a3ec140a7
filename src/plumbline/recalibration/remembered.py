"""The rows a map was fitted on, by hash, so that it is not judged by what it has learnt."""

import math
import warnings
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError, PlumblineWarning, level_of_caller
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.knots import in_parts
from plumbline.recalibration.rounded import ALONE, MANY, MOST, Rounded, hashes_of_rows, meet
from plumbline.results.formatting import counted

Hashes = NDArray[np.uint64]
Ints = NDArray[np.intp]

CELL_BITS = 16  # of the index of the kept hashes
SURE, DOUBTFUL = 1e-6, 0.05  # chance below which rows are refused, or remarked upon
LOOK = 100  # rows that tell quickly that a table is not sorted
ALL_BITS = 2**64 - 1


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
        once, repeated, count = _told_apart(hashes)
        any_order, in_order = _chances(count, reading)
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

    def refuse(self, reading: Reading, spoken: str) -> None:
        """Raise InputError where a table holds more of these rows than chance explains.

        A table that is the same as a whole is refused where as many new rows would hardly be the
        same. Of any other, the remembered rows in it are counted: a new row meets one with about
        the chance at which the old ones met each other, and too many are not all met equally
        often. A PlumblineWarning is given where the count is odd, but no proof.
        """
        if not self.rows:
            return
        met, within, chance = self._meetings(reading)
        if chance >= DOUBTFUL:
            return
        looked_up = "" if within == reading.n else " looked up"
        found = f"{met:,} of {counted(within, 'row')}{looked_up}"
        if chance >= SURE:
            warnings.warn(
                f"{found} read the same as rows {spoken} was fitted on; if they are these rows, it "
                "looks better on them than it is: leave them out",
                PlumblineWarning,
                stacklevel=level_of_caller(),
            )
            return
        raise InputError(
            f"{found} read the same as rows {spoken} was fitted on, and on these it looks better "
            "than it is; apply it to other rows, or pass resubstitution=True (--resubstitution), "
            "which the model's name will tell"
        )

    def _meetings(self, reading: Reading) -> tuple[int, int, float]:
        """Return a table's rows that equal remembered ones, of how many, and their chance."""
        again = reading.n == self.n
        values = _read(reading)
        index = self._index(kernel=reading.n >= MANY)
        adding = Lock()
        times = np.zeros(len(self.hashes), np.int64)

        def look_up(part: slice) -> tuple[int, int, int]:
            nonlocal times
            hashes = _hashes(values[part])
            found, within = self._found(hashes, index)
            with adding:
                times += found
            return within, *(_sums(hashes, part.start) if again else (0, 0))

        parts = in_parts(reading.n, look_up, width=reading.k)
        within, any_order, in_order = map(sum, zip(*parts, strict=True))
        met = int(np.count_nonzero(times))
        chance = min(
            chance_of_meetings(met, within, self.rows, self.twice, self.thrice),
            chance_of_equal_counts(times, within),
        )
        if again and any_order & ALL_BITS == self.any_order:
            same = [self.chance_any_order]
            same += [self.chance_in_order] if in_order & ALL_BITS == self.in_order else []
            if min(same) < chance:
                return reading.n, reading.n, min(same)
        if chance >= SURE and self.rounded is not None:
            rounded = self.rounded.meetings(values)
            if rounded[-1] < chance:
                return rounded
        return int(times.sum()), within, chance

    def _index(self, *, kernel: bool) -> HashIndex:
        """Return where to look; without the cells where the kernel will not be asked."""
        last = ALL_BITS if self.whole else int(self.hashes[-1])
        shift = max(0, last.bit_length() - CELL_BITS)
        cell = (self.hashes >> np.uint64(shift)).astype(np.int64)
        cells = np.arange((1 << CELL_BITS) + 1 if kernel else 0)
        start = np.searchsorted(cell, cells).astype(np.int32)
        return HashIndex(np.uint64(last), np.uint64(shift), start)

    def _found(self, hashes: Hashes, index: HashIndex) -> tuple[NDArray[np.int64], int]:
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


def chance_of_meetings(met: int, n: int, rows: int, twice: int, thrice: int) -> float:
    """Return how probable it is that n new rows hold this many of the old single ones, or more.

    The chance p that a new row equals one of the old that equal no other is about 2 a / rows, where
    a values are there twice (Good 1953); its error has a variance of about (4 a + 6 b) / rows^2,
    where b are there thrice. p is taken for gamma distributed so, the count for binomial.

    >>> chance_of_meetings(0, 100, 100, 0, 0), chance_of_meetings(60, 100, 100, 0, 0) < 1e-6
    (1.0, True)
    >>> chance_of_meetings(30, 100, 100, 15, 5) > 0.01
    True
    """
    if met == 0:
        return 1.0
    from scipy.special import bdtrc, gammainccinv

    scale = 2 + 3 * thrice / max(twice, 1)
    step = 1 / 16
    t = np.arange(step / 2, 50.0, step)  # exp(-t) is the chance of a larger p
    p = np.minimum(gammainccinv(1 + 2 * twice / scale, np.exp(-t)) * scale / rows, 1.0)
    return float(min(1.0, step * np.sum(np.exp(-t) * bdtrc(met - 1, n, p))))


def chance_of_equal_counts(times: NDArray[np.int64], n: int) -> float:
    """Bound the chance that so many old values are each met equally often among n new rows.

    How often a value is met is nearly Poisson distributed, so whatever its frequency, it is met
    exactly c > 0 times with a chance of at most c^c exp(-c) / c! <= 1 / e, and of m values s or
    more are with at most P(Binomial(m, 1 / e) >= s). That holds also if every new row stands there
    several times. The bound is this times e sqrt(n), for the n rows are so many for certain, and
    times c (c + 1), for every c is looked at. The same rows among any number of others are all met
    once; scores that many rows share are met in all numbers.

    >>> chance_of_equal_counts(np.ones(300, int), 10**6) < 1e-99
    True
    >>> chance_of_equal_counts(np.random.default_rng(0).poisson(1.0, 300), 10**6)
    1.0
    """
    if not times.any():
        return 1.0
    from scipy.special import bdtrc

    count, values = np.unique(times[times > 0], return_counts=True)
    chance = bdtrc(values - 1, len(times), math.exp(-1)) * count * (count + 1.0)
    return float(min(1.0, chance.min() * math.e * math.sqrt(n)))


def _read(reading: Reading) -> NDArray[np.floating[Any]]:
    """Return what tells rows apart: of two classes' probabilities the positive one's."""
    two = reading.values.ndim == 2 and reading.k == 2
    return reading.values[:, reading.positive] if two else reading.values


def _hashes(values: NDArray[np.floating[Any]]) -> Hashes:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32, order="C") + np.float32(0.0)  # -0.0 is 0.0
    return hashes_of_rows(single.view(np.uint32).reshape(len(single), -1))


def _sums(hashes: Hashes, first: int) -> tuple[int, int]:
    place = np.arange(first, first + len(hashes), dtype=np.uint64)
    turned = hashes * (place + place + np.uint64(1))
    return int(hashes.sum()), int(turned.sum())


def _told_apart(hashes: Hashes) -> tuple[Hashes, Hashes, Ints]:
    """Return of sorted hashes those of one row, those of several, and of how many each of these."""
    begins = np.ones(len(hashes) + 1, bool)
    np.not_equal(hashes[1:], hashes[:-1], out=begins[1:-1])
    first = np.flatnonzero(begins[:-1] & ~begins[1:])
    last = np.flatnonzero(~begins[:-1] & begins[1:])
    return hashes[begins[:-1] & begins[1:]], hashes[first], last - first + 1


def _chances(count: Ints, reading: Reading) -> tuple[float, float]:
    """Bound the chance that new rows are the same as a whole, in any order and in this one.

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
    return any(_monotone(column[:LOOK]) and _monotone(column) for column in values.T)


def _monotone(values: NDArray[np.floating[Any]]) -> bool:
    return bool(np.all(values[1:] >= values[:-1]) or np.all(values[1:] <= values[:-1]))
