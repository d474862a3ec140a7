"""Loops over rows: hashes, meetings with remembered rows, and maps of many knots."""

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled

Floats = NDArray[np.float64]
Starts = NDArray[np.int32]
Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

START = np.uint64(0x9E37_79B9_7F4A_7C15)
TIMES = np.uint64(0xFF51_AFD7_ED55_8CCD)
TIMES_LAST = np.uint64(0xC4CE_B9FE_1A85_EC53)
HALF = np.uint64(32)
LAST = np.uint64(29)
ONE = np.uint64(1)
ABREAST = 64  # scores that are looked up side by side


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
    start: Starts,
    times: Places,
    within: Places,
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


@compiled
def below(
    score: Floats, knots: Floats, start: Starts, scale: float, levels: int, place: Places
) -> None:
    """Write how many knots are below each of a few scores.

    The cell of a score says where to begin, then halving steps go on, of all scores side by side,
    for one alone would wait for memory at every step. Behind the last knot stand 2^levels infinite
    ones.
    """
    low, last = knots[0], float(len(start) - 1)
    for i in range(len(score)):
        place[i] = start[int(min(max((score[i] - low) * scale, 0.0), last))]
    step = 1 << levels
    for _ in range(levels):
        step >>= 1
        for i in range(len(score)):
            place[i] += step * (knots[place[i] + step - 1] < score[i])


@compiled
def at_steps(
    score: Floats,
    edges: Floats,
    start: Starts,
    scale: float,
    levels: int,
    values: Floats,
    rest: Floats,
    share: Floats,
) -> None:
    """Write 1 - q and q, q the value of the bin of every row."""
    place = np.empty(ABREAST, np.int64)
    for first in range(0, len(score), ABREAST):
        some = score[first : first + ABREAST]
        below(some, edges, start, scale, levels, place)
        for i in range(len(some)):
            q = values[place[i]]
            rest[first + i] = 1.0 - q
            share[first + i] = q


@compiled
def on_line(
    score: Floats,
    knots: Floats,
    start: Starts,
    scale: float,
    levels: int,
    values: Floats,
    slope: Floats,
    rest: Floats,
    share: Floats,
) -> None:
    """Write 1 - q and q, q between the values of the knots around every row."""
    place = np.empty(ABREAST, np.int64)
    last = len(values) - 1
    for first in range(0, len(score), ABREAST):
        some = score[first : first + ABREAST]
        below(some, knots, start, scale, levels, place)
        for i in range(len(some)):
            s, right, left = some[i], min(place[i], last), max(place[i] - 1, 0)
            v, w = values[left], values[right]
            q = v + slope[min(left, last - 1)] * (s - knots[left])
            q = min(max(q, min(v, w)), max(v, w))
            q = w if left == right or knots[right] == s else q
            rest[first + i] = 1.0 - q
            share[first + i] = q
