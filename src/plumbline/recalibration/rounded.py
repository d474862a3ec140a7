"""Rows by their rounded numbers, so that a table is still known after a file of few digits."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled
from plumbline.recalibration.knots import in_parts

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.floating[Any]]

MOST = 16_384  # hashes kept
MANY = 32_768  # numbers from which on a kernel is worth loading
LEVELS = 8  # decimals that are tried, the fewest first
MOST_ROWS = 1_000_000  # of one number each: six digits tell no more apart
ALONE = 0.8  # share of the distinct rounded rows that must stand for one row each
MOST_SINGLE = math.exp(-1)  # the largest chance that exactly one of many rows has given numbers
TINIEST = 1e-290  # of numbers that can be multiplied
START = np.uint64(0x9E37_79B9_7F4A_7C15)
TIMES = np.uint64(0xFF51_AFD7_ED55_8CCD)
TIMES_LAST = np.uint64(0xC4CE_B9FE_1A85_EC53)
HALF = np.uint64(32)
LAST = np.uint64(29)
ONE = np.uint64(1)


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
        """Return how many new rows equal an old one, of how many, and a bound for the chance of it.

        Whatever the distribution of the new rows, given numbers are those of exactly c of the n
        old rows with a chance of at most 1 / e, if how often they occur is Poisson distributed; so
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

        chance = float(bdtrc(int(old.sum()) - 1, len(distinct), MOST_SINGLE))
        chance *= self.times * (self.times + 1.0) * math.e * math.sqrt(self.n)
        return int(times[old].sum()), len(hashes), min(1.0, chance)


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
    found = np.empty(len(bits), np.uint64)
    hash_rows(bits, found)
    return found


def hashes_of(bits: NDArray[np.uint32]) -> Hashes:
    """Return the 64-bit hash of every row of numbers; `hash_rows` is the same for many.

    >>> hashes_of(np.array([[0], [1]], np.uint32)).tolist()
    [12080324355821754767, 17015664546827703893]
    """
    found = np.full(len(bits), START)
    for column in bits.T:
        found = (found ^ column) * TIMES
        found ^= found >> HALF
    found *= TIMES_LAST
    return found ^ (found >> LAST)


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
