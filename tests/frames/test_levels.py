"""Levels of the probability: where a row is counted, and what is kept of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from counted_levels import counts_of
from plumbline.binning import place
from plumbline.frames import Levels
from plumbline.frames.levels import FINE, HITS, MISSES, NEAR, ROWS_AHEAD, join

SMALL = Levels(linear=138_600, each=50)
COARSER = Levels(linear=27_720, each=10)

ODD = [0.0, 1.0, 5e-324, 1e-300, 2.0**-74, 2.0**-73, NEAR, 1 - NEAR, 0.5]
ODD += [float(np.nextafter(x, y)) for x in (NEAR, 1 - NEAR, 0.5, 1.0, 0.1) for y in (0.0, 1.0)]
probabilities = hnp.arrays(
    np.float64, st.integers(1, 60), elements=st.one_of(st.floats(0, 1), st.sampled_from(ODD))
)


def rows_of(counts, levels=SMALL):
    """Return levels that hold rows, their counts and means."""
    level = np.flatnonzero(counts[:, MISSES] + counts[:, HITS])
    return level, counts[level][:, [MISSES, HITS]], levels.means(counts, level)


@given(probabilities, st.integers(0, 2**32 - 1))
def test_levels_are_narrow_in_order_and_keep_sums(prob, seed):
    """A level is as wide as is said, and its mean is that of its rows."""
    hit = np.random.default_rng(seed).integers(0, 2, len(prob)).astype(np.int8)
    _, pair, mean = rows_of(counts_of(prob, hit, SMALL))
    assert pair.sum(axis=0).tolist() == [(hit == 0).sum(), (hit == 1).sum()]
    assert np.all(np.diff(mean[:, 1]) >= 0)
    rows = pair.sum(axis=1)
    ends = np.cumsum(rows).astype(int)
    ordered = np.sort(prob)
    for start, end, (q, p) in zip(ends - rows.astype(int), ends, mean, strict=True):
        inside = ordered[start:end]
        wide = 1 / SMALL.linear if NEAR <= p <= 1 - NEAR else min(p, q) / SMALL.each * 2
        assert inside[-1] - inside[0] <= wide * (1 + 1e-9) or p < 2.0**-74
        assert inside[0] * (1 - 1e-12) <= p <= inside[-1] * (1 + 1e-12)
        if inside[0] == inside[-1]:
            assert p == pytest.approx(inside[0], rel=1e-15, abs=0)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("bins", [1, 7, 8, 10, 13, 15, 20, 25, 50, 100])
def test_bins_of_equal_width_are_whole_levels(bins, kind):
    """Rows at an edge, and beside it, are counted in the bin in which `binning` puts them."""
    edge = (np.arange(bins + 1) / bins).astype(kind)
    prob = np.concatenate([edge, np.nextafter(edge, kind(0)), np.nextafter(edge, kind(1))])
    prob = np.sort(prob[(prob >= 0) & (prob <= 1)])
    _, pair, mean = rows_of(counts_of(prob, np.zeros(len(prob), np.int8), FINE), FINE)
    expected = np.bincount(place(prob, edge), minlength=bins)
    wide = (np.arange(bins + 1) / bins).astype(np.float64)
    found = np.bincount(place(np.ascontiguousarray(mean[:, 1]), wide), pair[:, 0], bins)
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("levels", [FINE, COARSER, Levels(360, 1)])
def test_a_row_is_counted_between_the_edges_of_its_level(kind, levels):
    """Also beside an edge: a level is ((k - 1) / linear, k / linear] in the column's precision."""
    edges = (np.arange(levels.linear + 1) / levels.linear).astype(kind)
    rng = np.random.default_rng(5)
    near = np.unique(rng.integers(1, levels.linear, 2_000))
    prob = [edges[near], *(np.nextafter(edges[near], kind(side)) for side in (0, 1))]
    prob = np.concatenate([*prob, rng.random(2_000).astype(kind)])
    prob = prob[(prob >= NEAR) & (1 - prob.astype(np.float64) >= NEAR)]
    counts = counts_of(prob, np.zeros(len(prob), np.int8), levels)
    inner = counts[levels.narrow : levels.upper, MISSES]
    expected = np.bincount(np.searchsorted(edges, prob) - 1, minlength=levels.linear)
    assert inner.sum() == len(prob)
    assert np.array_equal(inner, expected)


@pytest.mark.parametrize("rows", [0, 1, ROWS_AHEAD - 1, ROWS_AHEAD, ROWS_AHEAD + 1, 500])
def test_rows_that_are_counted_together_are_counted_as_one_by_one(rows):
    """Bit for bit, rows of one level, of both ends and those left out among them."""
    rng = np.random.default_rng(rows)
    prob = rng.choice([*ODD, 0.3, 0.3 + 1e-9, 1e-5, *rng.random(20)], rows)
    hit = rng.integers(-1, 2, rows).astype(np.int8)
    single = SMALL.empty()
    for i in range(rows):
        counts_of(prob[i : i + 1], hit[i : i + 1], SMALL, into=single)
    assert np.array_equal(counts_of(prob, hit, SMALL), single)


def test_a_level_lies_in_one_line_of_the_cache():
    """Its four numbers begin at a multiple of their size, whatever memory there is."""
    for levels in (FINE, SMALL, COARSER, Levels(360, 1)):
        for sums in (0, 1, 3):
            empty = levels.empty(sums)
            assert empty.shape == (levels.size, 4 + 2 * sums)
            assert empty.flags.c_contiguous
            assert empty.ctypes.data % 32 == 0


@given(probabilities, st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_parts_add_up_to_the_whole(prob, cut, seed):
    """Any split, any order: the same counts, the same means but for rounding."""
    hit = np.random.default_rng(seed).integers(0, 2, len(prob)).astype(np.int8)
    cut = min(cut, len(prob))
    whole = counts_of(prob, hit, SMALL)
    parts = [(prob[cut:], hit[cut:]), (prob[:cut], hit[:cut])]
    added = counts_of(*parts[0], SMALL)
    join(added, counts_of(*parts[1], SMALL))
    level, pair, mean = rows_of(added)
    expected = rows_of(whole)
    assert np.array_equal(level, expected[0])
    assert np.array_equal(pair, expected[1])
    np.testing.assert_allclose(mean, expected[2], rtol=1e-14, atol=0)


@given(probabilities)
def test_coarser_levels_are_whole_fine_ones(prob):
    """Counting coarsely is counting finely, and joining levels."""
    hit = np.zeros(len(prob), np.int8)
    level, pair, mean = rows_of(SMALL.coarsened(counts_of(prob, hit, SMALL), COARSER), COARSER)
    expected = rows_of(counts_of(prob, hit, COARSER), COARSER)
    assert np.array_equal(level, expected[0])
    assert np.array_equal(pair, expected[1])
    np.testing.assert_allclose(mean, expected[2], rtol=1e-14, atol=0)
