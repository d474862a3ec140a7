"""Laws of binning, on tables that hypothesis invents.

Scores are k/64 and weights whole numbers, so every sum is exact and the laws hold to the last bit.
"""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

import plumbline as pb
from laws import examples
from plumbline import EqualSize, EqualWidth
from plumbline.binning import BetaSize, BetaWidth, Bins, LogOddsWidth, OnePerPoint
from strategies import (
    Binary,
    binary_tables,
    binnings,
    decimal_binnings,
    exact_scores,
    placements,
    shapes,
)

SUMS = ("weight", "prob", "rest", "outcome", "variance")
ALL = ("count", *SUMS)
HALF = settings(max_examples=examples(50))  # of the usual, for there are many laws
WITH_POINTS = st.one_of(binnings(), st.just(OnePerPoint()))


def sums(bins, names=SUMS):
    """Return the sums of bins as plain lists, to compare them exactly."""
    edges = None if bins.edges is None else bins.edges.tolist()
    return {"edges": edges} | {name: getattr(bins, name).tolist() for name in names}


@HALF
@given(table=binary_tables(), binning=WITH_POINTS, data=st.data())
def test_merge_is_whole(table, binning, data):
    """The bins of two parts, cut anywhere, add up to the bins of the whole."""
    whole = Bins.of(table.predictions(), binning)
    cut = data.draw(st.integers(1, table.n - 1))
    parts = [
        table.predictions().select(where=np.arange(table.n) < cut),
        table.predictions().select(where=np.arange(table.n) >= cut),
    ]
    edges = binning if whole.edges is None else whole.edges
    first, second = (Bins.of(part, edges) for part in parts)
    assert sums(first + second, ALL) == sums(whole, ALL)
    if whole.edges is not None:
        assert sums(second + first, ALL) == sums(whole, ALL)


@HALF
@given(table=binary_tables(least=4), binning=binnings(), seed=st.integers(0, 1000))
def test_chunks_of_any_size_and_order_add_up(table, binning, seed):
    """A stream of parts in random order gives the same bins as all rows at once."""
    whole = Bins.of(table.predictions(), binning)
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, table.n + 1, 3))
    chunks = [part for part in np.split(rng.permutation(table.n), cuts) if len(part)]
    parts = [Bins.of(table.predictions().select(where=rows), whole.edges) for rows in chunks]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert sums(total, ALL) == sums(whole, ALL)


@HALF
@given(table=binary_tables(), binning=binnings(), seed=st.integers(0, 1000))
def test_the_order_of_the_rows_does_not_matter(table, binning, seed):
    """Shuffled rows give the same edges and the same sums."""
    order = np.random.default_rng(seed).permutation(table.n)
    shuffled = Bins.of(table.take(order).predictions(), binning)
    assert sums(shuffled, ALL) == sums(Bins.of(table.predictions(), binning), ALL)


@HALF
@given(
    score=st.lists(exact_scores(), min_size=2, max_size=30),
    seed=st.integers(0, 1000),
    bins=st.integers(1, 40),
)
def test_the_order_of_the_rows_does_not_matter_with_weights_that_round(score, seed, bins):
    """Weights such as 0.1 are summed in an order that the rows' order has no say in."""
    rng = np.random.default_rng(seed)
    weight = rng.choice([0.1, 0.2, 0.3, 1 / 3, 1e-9, 7.7], len(score))
    order = rng.permutation(len(score))
    scheme, values = EqualSize(bins), np.array(score)
    edges = scheme.edges(values, weight)
    assert scheme.edges(values[order], weight[order]).tolist() == edges.tolist()


@HALF
@given(table=binary_tables(), binning=binnings())
def test_a_whole_weight_is_a_repetition(table, binning):
    """A row of weight 3 gives the edges and the sums of three rows of weight 1."""
    again = table.take(np.repeat(np.arange(table.n), table.weight))
    repeated = Bins.of(again.predictions(weighted=False), binning)
    assert sums(Bins.of(table.predictions(), binning)) == sums(repeated)


@HALF
@given(table=binary_tables(least=3, least_weight=0), binning=binnings())
def test_a_weight_of_0_is_a_removed_row(table, binning):
    """Rows of weight 0 move no edge and add to no sum."""
    kept = table.predictions().select(where=table.weight > 0)
    assert sums(Bins.of(table.predictions(), binning)) == sums(Bins.of(kept, binning))


@HALF
@given(table=binary_tables(), binning=binnings())
def test_float32_is_float64(table, binning):
    """Scores that both types hold fall in the same bins of the same sums."""
    narrow, wide = (Bins.of(table.predictions(t), binning) for t in (np.float32, np.float64))
    assert sums(narrow, ALL) | {"edges": None} == sums(wide, ALL) | {"edges": None}


@HALF
@given(
    score=st.lists(st.integers(0, 1000).map(lambda k: k / 1000), min_size=2, max_size=50),
    binning=decimal_binnings(),
)
def test_decimals_fall_in_the_same_bin_in_both_types(score, binning):
    """Decimals, which neither type holds exactly, are on the same side of every edge.

    A score k/1000 and an edge j/b (b up to 100) are equal, or at least 1e-5 apart: far more than
    the 6e-8 by which float32 rounds.
    """
    homes = []
    for dtype in (np.float32, np.float64):
        data = pb.Predictions.from_arrays(np.zeros(len(score), int), np.array(score, dtype))
        homes.append(Bins.of(data, binning).place(data.prob[:, 1]).tolist())
    assert homes[0] == homes[1]


@HALF
@given(table=binary_tables(), binning=WITH_POINTS)
def test_counts_sum_to_n_and_shares_to_the_whole(table, binning):
    """No row is lost or counted twice; p and q of a bin add up to its weight."""
    bins = Bins.of(table.predictions(), binning)
    assert bins.count.sum() == table.n
    assert bins.weight.sum() == table.weight.sum()
    assert bins.outcome.sum() == (table.weight * table.event).sum()
    assert (bins.prob + bins.rest).tolist() == bins.weight.tolist()
    assert np.all(bins.outcome <= bins.weight)


@HALF
@given(table=binary_tables(), binning=binnings())
def test_equal_scores_share_a_bin_and_bins_keep_the_order(table, binning):
    """Ties are never split, and a larger score is never in a lower bin."""
    bins = Bins.of(table.predictions(), binning)
    order = np.argsort(table.score)
    score, home = table.score[order], bins.place(table.score[order])
    assert np.all(np.diff(home) >= 0)
    assert np.all(np.diff(home)[np.diff(score) == 0] == 0)


@HALF
@given(table=binary_tables(), binning=binnings())
def test_a_bin_is_open_below_and_closed_above(table, binning):
    """Every score is in (lo, hi] of its bin; the first bin holds its lower edge too."""
    bins = Bins.of(table.predictions(), binning)
    home = bins.place(table.score)
    low, high = bins.edges[home], bins.edges[home + 1]
    assert np.all(table.score <= high)
    assert np.all((table.score > low) | (home == 0))


def slow_equal_size(table: Binary, b: int) -> list[float]:
    """Return the edges by the rule's own words: a loop over scores, in exact fractions."""
    total = sum(int(w) for w in table.weight)
    edges = [0.0]
    for j in range(1, b):
        for score in sorted(set(table.score.tolist())):
            at_or_below = sum(
                int(w) for w, s in zip(table.weight, table.score, strict=True) if s <= score
            )
            if at_or_below >= Fraction(j * total, b):
                break
        if score < 1 and score not in edges[1:]:
            edges.append(score)
    return [*edges, 1.0]


@HALF
@given(table=binary_tables(least_weight=0), bins=st.integers(1, 45))
def test_equal_size_is_its_rule(table, bins):
    """The upper edge of bin j is the smallest score whose cumulative weight reaches j W / b."""
    expected = slow_equal_size(table, bins)
    assert EqualSize(bins).edges(table.score, table.weight.astype(float)).tolist() == expected
    ones = Binary(table.event, table.score, np.ones(table.n, int))
    assert EqualSize(bins).edges(ones.score, None).tolist() == slow_equal_size(ones, bins)


@HALF
@given(table=binary_tables(), bins=st.integers(1, 30))
def test_equal_size_shares_distinct_scores_evenly(table, bins):
    """Without ties the counts of two bins differ by at most one, but for empty ones."""
    distinct = np.unique(table.score)
    data = pb.Predictions.from_arrays(np.zeros(len(distinct) + 1, int), np.append(distinct, 0.999))
    filled = Bins.of(data, EqualSize(bins)).count
    assert np.ptp(filled[filled > 0]) <= 1


@HALF
@given(table=binary_tables())
def test_one_bin_is_the_comparison_of_the_two_means(table):
    """EqualWidth(1) holds the weighted means of outcome and probability."""
    bins = Bins.of(table.predictions(), EqualWidth(1))
    total = table.weight.sum()
    assert bins.outcome_share.item() == (table.weight * table.event).sum() / total
    assert bins.mean_probability.item() == (table.weight * table.score).sum() / total


@HALF
@given(table=binary_tables())
def test_one_bin_a_point_is_the_rows_themselves(table):
    """Bin i of OnePerPoint is row i."""
    bins = Bins.of(table.predictions(), OnePerPoint())
    assert bins.prob.tolist() == (table.weight * table.score).tolist()
    assert bins.outcome.tolist() == (table.weight * table.event).tolist()


@HALF
@given(binning=placements(), dtype=st.sampled_from([np.float32, np.float64]))
def test_the_edges_of_a_placement_increase_from_0_to_1(binning, dtype):
    """There are at most b bins, whatever the shape, in the scores' own type."""
    score = (np.arange(1, 40) / 40).astype(dtype)
    edges = binning.edges(score, None)
    assert edges.dtype == dtype
    assert (edges[0], edges[-1]) == (0, 1)
    assert np.all(np.diff(edges) > 0)
    assert len(edges) <= binning.bins + 1


@HALF
@given(bins=st.integers(1, 60), first=shapes(), second=shapes())
def test_exchanged_shapes_mirror_the_edges(bins, first, second):
    """Beta(a, b) and Beta(b, a) have edges that are mirror images."""
    score = np.zeros(1)
    one = BetaWidth(bins, alpha=first, beta=second).edges(score, None)
    other = BetaWidth(bins, alpha=second, beta=first).edges(score, None)
    gaps = np.abs(one[:, None] - (1 - other))  # edges next to 1 are one edge there, many next to 0
    assert gaps.min(axis=0).max() <= 1e-15
    assert gaps.min(axis=1).max() <= 1e-15


@HALF
@given(bins=st.integers(1, 60), tenths=st.integers(3, 60))
def test_a_symmetric_placement_is_its_own_mirror_image(bins, tenths):
    """Edge b - j is exactly 1 - edge j; equal width keeps to its decimals instead."""
    symmetric = BetaWidth(bins, alpha=tenths / 10, beta=tenths / 10)
    for scheme in (symmetric, LogOddsWidth(bins, outermost=tenths / 200)):
        edges = scheme.edges(np.zeros(1), None)
        assert len(edges) == bins + 1
        low = edges[: bins // 2 + 1]
        if str(scheme) != f"beta-width:{bins},1.0,1.0":
            assert (1 - low).tolist() == edges[::-1][: len(low)].tolist()


@HALF
@given(table=binary_tables(least_weight=0), bins=st.integers(1, 45))
def test_a_flat_beta_distribution_is_equal_width_and_equal_size(table, bins):
    """Shapes (1, 1) give the edges of EqualWidth and of EqualSize, with weights and without."""
    flat = {"alpha": 1, "beta": 1}
    for weight in (None, table.weight.astype(float)):
        for ours, plain in ((BetaWidth, EqualWidth), (BetaSize, EqualSize)):
            edges = ours(bins, **flat).edges(table.score, weight)
            assert edges.tolist() == plain(bins).edges(table.score, weight).tolist()


def slow_beta_size(table: Binary, scheme: BetaSize) -> list[float]:
    """Return the edges by the rule's own words: a loop over levels and scores."""
    total = table.weight.sum()
    edges = [0.0]
    for level in beta.ppf(np.arange(1, scheme.bins) / scheme.bins, scheme.alpha, scheme.beta):
        for score in sorted(set(table.score.tolist())):
            reached = table.weight[table.score <= score].sum()
            if reached >= level * total * (1 - 1e-12):
                break
        if score < 1 and score not in edges[1:]:
            edges.append(score)
    return [*edges, 1.0]


@HALF
@given(
    table=binary_tables(least_weight=0), bins=st.integers(1, 30), first=shapes(), second=shapes()
)
def test_beta_size_is_its_rule(table, bins, first, second):
    """The upper edge of a bin is the smallest score whose cumulative weight reaches u W."""
    scheme = BetaSize(bins, alpha=first, beta=second)
    expected = slow_beta_size(table, scheme)
    assert scheme.edges(table.score, table.weight.astype(float)).tolist() == expected
    ones = Binary(table.event, table.score, np.ones(table.n, int))
    assert scheme.edges(ones.score, None).tolist() == slow_beta_size(ones, scheme)
