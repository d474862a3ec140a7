"""Sorts many ratings with what belongs to them: buckets by sampled splitters, in threads.

Every row gets a key, an integer in the order of the ratings. Splitters drawn from the keys make
buckets small enough for a processor's own memory; rows move into their buckets in order, and every
bucket is sorted by itself. So equal ratings stay in the order of their rows, whatever the number
of threads.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled

Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]

ROWS_PER_BUCKET = 8192  # 64 KiB of keys; a convention
MOST_BUCKETS = 2048  # an odd power of 2; more streams are slow to write
SAMPLED = 16  # keys a bucket
ROWS_PER_THREAD = 2**14  # a thread for each so many; a convention
ABREAST = 128  # rows that go down the tree side by side
FEW = 32  # rows that insertion sorts faster than anything else
MOST_CELLS = 2**18  # that rows are counted in; bounds memory
SIGN = np.uint64(2**63)
INFINITE = np.uint64(0x7FF0_0000_0000_0000)  # what has more bits is not a number
ALL = np.uint64(2**64 - 1)
ONE = np.uint64(1)
BYTE = np.uint64(255)
GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


def sorted_pairs(
    rating: NDArray[np.float64],
    load: NDArray[Any],
    *,
    descending: bool,
    workers: int | None = None,
) -> tuple[Keys, NDArray[Any]]:
    """Return the keys in ascending order and the loads that belong to them; ties in row order.

    A key is an integer that rises with the rating, or falls where `descending`; -0.0 has that of
    0.0, and NaN has the last in either direction.
    """
    n = len(rating)
    threads = threads_for(n, workers)
    bits = rating.view(np.uint64)
    flip = ALL if descending else np.uint64(0)
    tree = _splitters(bits, flip)
    key, home = np.empty(n, np.uint64), np.empty(n, np.uint16)
    edges = np.linspace(0, n, threads + 1).astype(np.int64)
    parts = [slice(a, b) for a, b in pairwise(edges)]
    tally = np.zeros((threads, len(tree)), np.int64)
    sorted_key, sorted_load = np.empty(n, np.uint64), np.empty(n, load.dtype)
    with ThreadPoolExecutor(threads) as pool:

        def each(task: Callable[..., None], calls: Iterable[tuple[Any, ...]]) -> None:
            for _ in pool.map(lambda arguments: task(*arguments), calls):
                pass

        each(
            find_home,
            ((bits[s], flip, tree, key[s], home[s], tally[j]) for j, s in enumerate(parts)),
        )
        ends = np.cumsum(tally.T).reshape(tally.T.shape)
        place = np.ascontiguousarray((ends - tally.T).T)
        each(
            move_home,
            (
                (key[s], home[s], load[s], place[j], sorted_key, sorted_load)
                for j, s in enumerate(parts)
            ),
        )
        start = np.concatenate([[0], ends[:, -1]])
        shares = np.searchsorted(start, np.linspace(0, n, 8 * threads + 1))
        shares[-1] = len(start) - 1
        each(
            sort_buckets, ((sorted_key, sorted_load, start[a : b + 1]) for a, b in pairwise(shares))
        )
    return sorted_key, sorted_load


def threads_for(rows: int, workers: int | None) -> int:
    """Return how many threads to use: as asked, else all cores that would have enough rows."""
    return workers or max(1, min(cpu_count() or 1, rows // ROWS_PER_THREAD))


def _splitters(bits: Keys, flip: np.uint64) -> Keys:
    """Return 2^h - 1 keys that split the rows into 2^h buckets, as a tree: 2 j and 2 j + 1 below j.

    They are quantiles of keys at places that have no period; h is odd.
    """
    buckets = 2
    while buckets < MOST_BUCKETS and buckets * ROWS_PER_BUCKET < len(bits):
        buckets *= 4
    count = SAMPLED * buckets
    turns = np.arange(1, count + 1, dtype=np.uint64) * GOLDEN >> np.uint64(32)
    sample = bits[turns * np.uint64(len(bits)) >> np.uint64(32)]
    key, home = np.empty(count, np.uint64), np.empty(count, np.uint16)
    find_home(sample, flip, np.zeros(2, np.uint64), key, home, np.zeros(2, np.int64))
    key.sort()
    tree = np.zeros(buckets, np.uint64)
    first, step = 1, buckets
    while first < buckets:
        step //= 2
        tree[first : 2 * first] = key[SAMPLED * step :: 2 * SAMPLED * step]
        first *= 2
    return tree


@compiled
def find_home(
    bits: Keys,
    flip: np.uint64,
    tree: Keys,
    key: Keys,
    home: NDArray[np.uint16],
    tally: Ints,
) -> None:
    """Write every row's key and bucket, and count the rows of every bucket.

    Many rows go down the tree side by side, two levels at a time, for one alone would wait for
    memory at every level.
    """
    buckets, twice = np.uint32(len(tree)), np.uint32(1)
    node = np.empty(ABREAST, np.uint32)
    for start in range(0, len(bits), ABREAST):
        rows = min(ABREAST, len(bits) - start)
        for i in range(rows):
            b = bits[start + i]
            if b == SIGN:
                b = np.uint64(0)
            k = (~b if b & SIGN else b | SIGN) ^ flip
            if (b & ~SIGN) > INFINITE:
                k = ALL
            key[start + i] = k
            node[i] = 2 + (tree[1] <= k)
        level = np.uint32(2)
        while level < buckets:
            for i in range(rows):
                k = key[start + i]
                j = (node[i] << twice) | np.uint32(tree[node[i]] <= k)
                node[i] = (j << twice) | np.uint32(tree[j] <= k)
            level <<= np.uint32(2)
        for i in range(rows):
            home[start + i] = node[i] - buckets
            tally[node[i] - buckets] += 1


@compiled
def move_home(
    key: Keys,
    home: NDArray[np.uint16],
    load: NDArray[Any],
    place: Ints,
    to_key: Keys,
    to_load: NDArray[Any],
) -> None:
    """Move rows to the next free place of their bucket."""
    for i in range(len(key)):
        p = place[home[i]]
        place[home[i]] = p + 1
        to_key[p] = key[i]
        to_load[p] = load[i]


@compiled
def insert(key: Keys, load: NDArray[Any], from_key: Keys, from_load: NDArray[Any]) -> None:
    """Sort by insertion, which is quick for few rows and for rows almost in place."""
    for i in range(len(from_key)):
        k, v = from_key[i], from_load[i]
        j = i
        while j > 0 and key[j - 1] > k:
            key[j] = key[j - 1]
            load[j] = load[j - 1]
            j -= 1
        key[j] = k
        load[j] = v


@compiled
def sort_by_bytes(key: Keys, load: NDArray[Any], spare: Keys, spare_load: NDArray[Any]) -> None:
    """Sort by every byte that varies, the lowest first: no keys make that slow."""
    n = len(key)
    varying = np.uint64(0)
    for i in range(n):
        varying |= key[i] ^ key[0]
    count = np.zeros(257, np.int64)
    for digit in range(8):
        shift = np.uint64(8 * digit)
        if (varying >> shift) & BYTE == 0:
            continue
        count[:] = 0
        for i in range(n):
            count[((key[i] >> shift) & BYTE) + ONE] += 1
        for d in range(256):
            count[d + 1] += count[d]
        for i in range(n):
            d = (key[i] >> shift) & BYTE
            spare[count[d]] = key[i]
            spare_load[count[d]] = load[i]
            count[d] += 1
        key[:] = spare
        load[:] = spare_load


@compiled
def sort_bucket(key: Keys, load: NDArray[Any], spare: Keys, spare_load: NDArray[Any]) -> None:
    """Sort one bucket: cells of equal width, about one a row, then insertion.

    Splitters make the keys of a bucket almost evenly spread. Where they are not, a cell that holds
    many rows is sorted by bytes.
    """
    n = len(key)
    low, high = key[0], key[0]
    for i in range(n):
        low, high = min(low, key[i]), max(high, key[i])
    if low == high:
        return
    cells, shift = 2, np.uint64(0)
    while cells < n and cells < MOST_CELLS:
        cells *= 2
    while (high - low) >> shift >= np.uint64(cells):
        shift += ONE
    end = np.zeros(cells + 1, np.int32)
    for i in range(n):
        end[((key[i] - low) >> shift) + ONE] += 1
    for c in range(cells):
        end[c + 1] += end[c]
    for i in range(n):
        c = (key[i] - low) >> shift
        spare[end[c]] = key[i]
        spare_load[end[c]] = load[i]
        end[c] += 1
    start = 0
    for c in range(cells):
        if end[c] - start > FEW:
            a, b = start, end[c]
            sort_by_bytes(spare[a:b], spare_load[a:b], key[a:b], load[a:b])
        start = end[c]
    insert(key, load, spare[:n], spare_load[:n])


@compiled
def sort_buckets(key: Keys, load: NDArray[Any], start: Ints) -> None:
    """Sort every bucket; bucket b lies from start[b] to start[b + 1]."""
    largest = 0
    for b in range(len(start) - 1):
        largest = max(largest, start[b + 1] - start[b])
    spare, spare_load = np.empty(largest, np.uint64), np.empty(largest, load.dtype)
    for b in range(len(start) - 1):
        if start[b + 1] > start[b]:
            bucket = slice(start[b], start[b + 1])
            sort_bucket(key[bucket], load[bucket], spare, spare_load)
