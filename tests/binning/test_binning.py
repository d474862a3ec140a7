"""Which bin a score falls in, and what a bin sums up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, logistic

import plumbline as pb
from plumbline import Edges, EqualSize, EqualWidth, ParameterError
from plumbline.binning import (
    MOST_BINS,
    BetaSize,
    BetaWidth,
    Bins,
    LogOddsWidth,
    OnePerPoint,
    binning_of,
    distinct_rows,
    place,
)
from plumbline.binning import bins as module_of_bins
from refusals import refused

DTYPES = [np.float32, np.float64]


def table(score, event=None, *, weight=None, dtype=np.float64):
    """Return binary predictions with these scores."""
    event = np.zeros(len(score), int) if event is None else event
    return pb.Predictions.from_arrays(event, np.asarray(score, dtype), weight=weight)


class TestEqualWidth:
    """Edges j / b."""

    def test_a_score_on_an_edge_falls_in_the_bin_below(self):
        """Of 0, 0.1, ..., 1 the first bin holds 0 and 0.1, every other one its upper edge."""
        bins = Bins.of(table(np.arange(11) / 10), EqualWidth(10))
        assert bins.count.tolist() == [2] + 9 * [1]

    @pytest.mark.parametrize("dtype", DTYPES)
    def test_every_k_of_b_lands_in_its_own_bin(self, dtype):
        """For every b up to 200 the score k / b is in bin k, also as a decimal text reads."""
        for b in range(1, 201):
            edges = EqualWidth(b).edges(np.zeros(1, dtype), None)
            score = np.array([k / b for k in range(1, b + 1)], dtype)
            assert place(score, edges).tolist() == list(range(b))
            assert place(np.zeros(1, dtype), edges).tolist() == [0]
            if b in (2, 4, 5, 10, 20, 25, 50, 100, 125, 200):
                read = np.array([float(f"{k / b:.3f}") for k in range(1, b + 1)], dtype)
                assert place(read, edges).tolist() == list(range(b))

    @pytest.mark.parametrize("dtype", DTYPES)
    def test_the_neighbours_of_an_edge_fall_on_both_sides(self, dtype):
        """The smallest number above k / b is in the next bin, the largest below in this one."""
        for b in (3, 10, 15, 100):
            edges = EqualWidth(b).edges(np.zeros(1, dtype), None)
            inner = edges[1:-1]
            assert place(np.nextafter(inner, dtype(1)), edges).tolist() == list(range(1, b))
            assert place(np.nextafter(inner, dtype(0)), edges).tolist() == list(range(b - 1))

    def test_there_is_one_edge_more_than_bins_in_the_scores_own_type(self):
        """The number counts bins, not edges."""
        for dtype in DTYPES:
            edges = EqualWidth(7).edges(np.zeros(1, dtype), None)
            assert (len(edges), edges.dtype, edges[0], edges[-1]) == (8, dtype, 0, 1)

    def test_0_and_1_are_in_the_first_and_the_last_bin(self):
        """No score falls outside, and none gets a bin of its own."""
        assert Bins.of(table([0, 0, 1]), EqualWidth(5)).count.tolist() == [2, 0, 0, 0, 1]

    def test_one_bin_compares_the_two_means(self, rng):
        """With b = 1 the calibration error is |mean outcome - mean probability|."""
        score = rng.integers(0, 65, 50) / 64
        event = rng.integers(0, 2, 50)
        bins = Bins.of(table(score, event), EqualWidth(1))
        gap = abs(bins.outcome_share - bins.mean_probability)
        assert gap.tolist() == [abs(event.mean() - score.mean())]
        error = pb.calibration_error(table(score, event), bins=EqualWidth(1), resamples=1)
        assert error.value == gap[0]

    def test_counts_sum_to_n(self, rng):
        """Every row is in exactly one bin, whatever the number of bins."""
        data = table(np.concatenate([[0, 1], rng.random(998)]))
        for b in (1, 2, 15, 997, 5000):
            assert Bins.of(data, EqualWidth(b)).count.sum() == 1000


class TestEqualSize:
    """Weighted quantiles that split no ties."""

    def test_distinct_scores_are_shared_out_evenly(self):
        """Twelve scores in four bins are three a bin."""
        data = table((np.arange(12) + 1) / 13)
        assert Bins.of(data, EqualSize(4)).count.tolist() == [3, 3, 3, 3]

    def test_what_does_not_divide_goes_by_the_rule(self):
        """Bin j ends at the smallest score that ceil(j n / b) rows do not exceed: 7 = 3 + 2 + 2."""
        data = table((np.arange(7) + 1) / 8)
        assert Bins.of(data, EqualSize(3)).count.tolist() == [3, 2, 2]

    def test_equal_scores_are_one_bin(self):
        """All scores equal: one bin that holds the real error, and the empty rest is no bin."""
        bins = Bins.of(table([0.3] * 10, [1] * 7 + [0] * 3), EqualSize(5))
        assert bins.edges.tolist() == [0, 0.3, 1]
        assert bins.count.tolist() == [10, 0]
        assert bins.filled.tolist() == [True, False]
        assert bins.outcome_share[0] == 0.7
        assert abs(bins.mean_probability[0] - 0.3) < 10 * np.finfo(float).eps
        assert np.isnan(bins.outcome_share[1])

    def test_a_tie_across_a_border_stays_whole(self):
        """The tie at 0.5 reaches over the middle and belongs to the lower bin."""
        data = table([0.1, 0.5, 0.5, 0.5, 0.8, 0.9])
        assert Bins.of(data, EqualSize(2)).count.tolist() == [4, 2]

    def test_many_zeros_and_ones_are_bins_of_their_own(self):
        """Where the first quantile is 0 the first bin is [0, 0]."""
        bins = Bins.of(table([0] * 6 + [0.4, 0.6] + [1] * 4), EqualSize(3))
        assert bins.edges.tolist() == [0, 0, 0.6, 1]
        assert bins.count.tolist() == [6, 2, 4]

    def test_more_bins_than_rows_are_one_a_distinct_score(self):
        """There are never more bins than distinct scores."""
        bins = Bins.of(table([0.2, 0.2, 0.7]), EqualSize(100))
        assert bins.count.tolist() == [2, 1, 0]

    def test_weights_shift_the_edges(self):
        """A row of weight 3 counts as three."""
        data = table([0.1, 0.2, 0.3, 0.9], weight=[3, 1, 1, 1])
        assert Bins.of(data, EqualSize(2)).count.tolist() == [1, 3]

    def test_the_scale_of_the_weights_does_not_matter(self, rng):
        """Weights of 0.1 give the bins of weights of 1, though 0.1 is not exact."""
        score = rng.permutation(np.arange(1, 61) / 61)
        for b in range(1, 31):
            plain = EqualSize(b).edges(score, None)
            for scale in (0.1, 0.3, 1 / 3, 1e-9, 1e9):
                assert EqualSize(b).edges(score, np.full(60, scale)).tolist() == plain.tolist()


class TestPlacements:
    """Bins that are finer in the tails or in the centre."""

    @pytest.mark.parametrize("shape", [(0.5, 0.5), (2, 2), (0.3, 0.3), (3, 0.7), (1, 5)])
    @pytest.mark.parametrize("b", [1, 2, 3, 15, 100])
    def test_beta_widths_are_quantiles(self, b, shape):
        """Edge j is the quantile j / b, as scipy's distribution has it."""
        edges = BetaWidth(b, alpha=shape[0], beta=shape[1]).edges(np.zeros(1), None)
        quantiles = beta(*shape).ppf(np.arange(b + 1) / b)
        assert edges == pytest.approx(quantiles, abs=1e-12)

    @pytest.mark.parametrize("b", [3, 4, 15, 100])
    def test_log_odds_steps_are_equal(self, b):
        """The log-odds of the inner edges are equally spaced from logit(0.01) to logit(0.99)."""
        edges = LogOddsWidth(b).edges(np.zeros(1), None)
        outer = logistic.ppf(0.99)
        assert logistic.ppf(edges[1:-1]) == pytest.approx(np.linspace(-outer, outer, b - 1))
        assert (edges[1], edges[-2]) == (0.01, 0.99)

    def test_few_log_odds_bins_are_halves_or_whole(self):
        """One bin has no inner edge, two have 1/2."""
        assert LogOddsWidth(1).edges(np.zeros(1), None).tolist() == [0, 1]
        assert LogOddsWidth(2).edges(np.zeros(1), None).tolist() == [0, 0.5, 1]

    @pytest.mark.parametrize("dtype", DTYPES)
    def test_edges_that_are_short_decimals_are_exact(self, dtype):
        """A score of 0.25 is on the edge sin^2(pi / 6), and 0.9 on 9 : 1 odds, in either type."""
        tails = BetaWidth(6).edges(np.zeros(1, dtype), None)
        odds = LogOddsWidth(6, outermost=0.1).edges(np.zeros(1, dtype), None)
        skew = BetaWidth(100, alpha=2, beta=1).edges(np.zeros(1, dtype), None)  # sqrt(j / 100)
        assert tails[[2, 3, 4]].tolist() == np.array([0.25, 0.5, 0.75], dtype).tolist()
        assert odds[1:-1].tolist() == np.array([0.1, 0.25, 0.5, 0.75, 0.9], dtype).tolist()
        assert (
            skew[[1, 4, 9, 49, 81]].tolist() == np.array([0.1, 0.2, 0.3, 0.7, 0.9], dtype).tolist()
        )

    def test_tails_are_fine_in_tail_placements_and_the_centre_in_centre_placements(self):
        """Widths, and rows a bin, fall towards the ends or towards the middle."""
        score = np.arange(1, 1001) / 1001
        for kind, sign in (("tail", 1), ("centre", -1)):
            widths = np.diff(binning_of(f"{kind}-width:9").edges(score, None))
            rows = Bins.of(table(score), f"{kind}-size:9").count
            for sizes in (widths, rows):
                assert np.all(sign * np.diff(sizes[:5]) > 0)
                assert np.all(sign * np.diff(sizes[4:]) < 0)

    def test_edges_that_coincide_collapse(self):
        """Where float32 cannot tell edges apart from 0 or 1 there are fewer bins."""
        scheme = BetaWidth(50, alpha=0.1, beta=0.1)
        narrow = scheme.edges(np.zeros(1, np.float32), None)
        assert len(narrow) < len(scheme.edges(np.zeros(1), None)) <= 51
        assert np.all(np.diff(narrow) > 0)

    @pytest.mark.parametrize("value", [0, 0.5, 1, -0.1, np.nan, "x", None])
    def test_an_outermost_edge_is_in_the_lower_half(self, value):
        """The refusal shows what arrived."""
        with pytest.raises(ParameterError, check=lambda e: e.argument == "outermost"):
            LogOddsWidth(15, outermost=value)

    @pytest.mark.parametrize("value", [0, 0.05, 101, np.inf, np.nan, "x", None])
    @pytest.mark.parametrize("scheme", [BetaWidth, BetaSize])
    def test_a_shape_is_a_number_of_moderate_size(self, scheme, value):
        """The refusal names the shape."""
        with pytest.raises(ParameterError, check=lambda e: e.argument == "alpha"):
            scheme(15, alpha=value)
        with pytest.raises(ParameterError, check=lambda e: e.argument == "beta"):
            scheme(15, beta=value)


class TestEdges:
    """Edges of the user's own."""

    def test_other_bins_have_edges_as_limits(self):
        """(lo, hi) of every bin, and nothing for single points."""
        data = table([0.2, 0.7])
        assert Bins.of(data, "equal-width:2").limits.tolist() == [[0, 0.5], [0.5, 1]]
        assert Bins.of(data, "one-per-point").limits is None

    def test_bins_are_closed_above(self):
        """A score on an edge is in the bin below."""
        bins = Bins.of(table([0, 0.5, 0.51, 0.9, 1]), Edges([0, 0.5, 0.9, 1]))
        assert bins.count.tolist() == [2, 2, 1]

    def test_an_array_does_as_well(self):
        """Edges may come as an array, as another Bins holds them."""
        data = table([0.1, 0.6])
        first = Bins.of(data, EqualWidth(4))
        assert Bins.of(data, first.edges).count.tolist() == first.count.tolist()
        assert Edges(np.array([0, 0.5, 1])) == Edges([0, 0.5, 1])

    @pytest.mark.parametrize(
        "values",
        [
            [],
            [0],
            [0, 1, 2],
            [0.1, 1],
            [0, 0.9],
            [0, 0.5, 0.5, 1],
            [1, 0],
            [0, np.nan, 1],
            [0, "x"],
            "0,1",
            5,
            None,
        ],
    )
    def test_what_does_not_increase_from_0_to_1_is_refused(self, values):
        """The refusal shows what arrived."""
        with pytest.raises(ParameterError, match="`edges` must"):
            Edges(values)

    @pytest.mark.parametrize(
        "values", [[0.2, 0.1], [0, 2], [[0, 1]], [0, np.nan, 1], [0, 0.6, 0.5, 1]]
    )
    def test_a_bad_array_is_refused_too(self, values):
        """An array of edges is checked where it is used."""
        with refused(ParameterError, "edges-not-increasing", "from 0", "to 1"):
            Bins.of(table([0.1, 0.2]), np.array(values))


class TestOnePerPoint:
    """Every row its own bin."""

    def test_ties_are_bins_of_their_own(self):
        """There are as many bins as rows, equal scores or not."""
        bins = Bins.of(table([0.5, 0.5, 0.2], [1, 0, 1]), OnePerPoint())
        assert bins.edges is None
        assert bins.count.tolist() == [1, 1, 1]
        assert bins.prob.tolist() == [0.5, 0.5, 0.2]
        assert bins.place(np.array([0.9, 0.1])).tolist() == [0, 1]


class TestBins:
    """The sums."""

    def test_the_sums_by_hand(self):
        """Three rows of weights 1, 2, 3; the first two share a bin."""
        data = table([0.25, 0.5, 0.75], [1, 0, 1], weight=[1, 2, 3])
        bins = Bins.of(data, EqualWidth(2))
        assert bins.count.tolist() == [2, 1]
        assert bins.weight.tolist() == [3, 3]
        assert bins.prob.tolist() == [1 * 0.25 + 2 * 0.5, 3 * 0.75]
        assert bins.rest.tolist() == [1 * 0.75 + 2 * 0.5, 3 * 0.25]
        assert bins.outcome.tolist() == [1, 3]
        assert bins.variance.tolist() == [1 * 0.1875 + 2 * 0.25, 3 * 0.1875]
        assert bins.mean_probability.tolist() == [1.25 / 3, 0.75]
        assert bins.outcome_share.tolist() == [1 / 3, 1]

    def test_the_positive_class_is_what_is_binned(self):
        """With the first class positive the same table is seen from the other side."""
        arguments = {"y_true": ["a", "b", "b"], "y_prob": [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]}
        last = Bins.of(pb.Predictions.from_arrays(**arguments), EqualWidth(1))
        first = Bins.of(pb.Predictions.from_arrays(**arguments, positive="a"), EqualWidth(1))
        assert (last.outcome.item(), first.outcome.item()) == (2, 1)
        assert (last.prob.item(), last.rest.item()) == (first.rest.item(), first.prob.item())

    def test_sums_are_float64_whatever_the_scores(self):
        """A million float32 scores are summed in float64."""
        score = np.full(1_000_000, 0.1, np.float32)
        total = Bins.of(table(score, dtype=np.float32), EqualWidth(1)).prob.item()
        assert abs(total / (1e6 * float(np.float32(0.1))) - 1) < 1e6 * np.finfo(float).eps

    def test_the_rest_keeps_a_tiny_probability(self):
        """The rest is the other column itself, not 1 - p."""
        tiny = 1e-20
        data = pb.Predictions.from_arrays([1, 1], [[tiny, 1.0], [tiny, 1.0]])
        assert Bins.of(data, EqualWidth(1)).rest.item() == 2 * tiny

    def test_bins_of_other_edges_do_not_add(self):
        """The refusal says how to bin the parts."""
        one, other = table([0.1, 0.2]), table([0.3, 0.4])
        message = ("bins-differ", "whole.edges")
        for left, right in [("equal-width:3", "equal-width:4"), ("one-per-point", "equal-width:3")]:
            with refused(ParameterError, *message):
                Bins.of(one, left) + Bins.of(other, right)

    def test_more_than_two_classes_need_a_binary_view(self):
        """The refusal names the binary views."""
        data = pb.Predictions.from_arrays([0, 1, 2], np.eye(3))
        with refused(ParameterError, "two-classes-needed", "data.top_label()", "data.one_vs_rest"):
            Bins.of(data)
        assert Bins.of(data.top_label()).count.sum() == 3

    def test_ratings_cannot_be_binned(self):
        """A score has no probability to compare with."""
        data = pb.Predictions.from_arrays([0, 1], score=[-3.0, 4.0])
        with pytest.raises(pb.InputError, match="needs probabilities"):
            Bins.of(data)


class TestNames:
    """Binnings by name."""

    @pytest.mark.parametrize(
        "binning",
        [
            *(EqualWidth(), EqualWidth(1), EqualSize(10), OnePerPoint(), Edges([0, 1 / 3, 0.5, 1])),
            *(LogOddsWidth(7), LogOddsWidth(7, outermost=1e-05), BetaWidth(), BetaSize(4)),
            *(BetaWidth(4, alpha=2, beta=2), BetaSize(4, alpha=2, beta=2)),
            *(BetaWidth(4, alpha=1, beta=1 / 3), BetaSize(4, alpha=2, beta=0.5)),
        ],
    )
    def test_a_binning_is_what_its_name_says(self, binning):
        """The name and `binning_of` are inverse, up to the 15 digits an edge is written with."""
        again = binning_of(str(binning))
        assert str(again) == str(binning)
        assert type(again) is type(binning)
        assert binning_of(binning) is binning

    def test_defaults_and_spaces(self):
        """A number of bins may be left out, and spaces do no harm."""
        assert binning_of("equal-width") == EqualWidth(15)
        assert binning_of(" equal-size: 7 ") == EqualSize(7)
        assert binning_of("tail-width") == binning_of("beta-width:15, 0.5, 0.5") == BetaWidth()
        assert binning_of("centre-size: 8") == BetaSize(8, alpha=2, beta=2)
        assert str(BetaSize(8, alpha=2, beta=2)) == "centre-size:8"
        assert binning_of("log-odds-width:9,0.001") == LogOddsWidth(9, outermost=0.001)
        assert binning_of(10) == binning_of(np.int64(10)) == binning_of(" 10 ") == EqualWidth(10)
        assert str(EqualWidth(np.int64(4))) == str(EqualWidth(4.0)) == "equal-width:4"

    @pytest.mark.parametrize(
        ("text", "near"),
        [
            ("equal-with:15", "Did you mean 'equal-width:15'"),
            ("equalsize:10", "Did you mean 'equal-size:10'"),
            ("one-per-pont", "Did you mean 'one-per-point'"),
            ("one-per-point:3", "'one-per-point'"),
            ("equal-width:-1", "`bins` must be"),
            ("equal-width:ten", "`bins` must be"),
            ("", "`bins` must be one of 'equal-width:15'"),
            ("equal-width:0", "whole number of at least 1, got 0"),
            ("equal-size:99999999999", f"at most {MOST_BINS:,}"),
            ("edges:0;0.5;1", "`edges` must be numbers"),
            ("tailwidth:15", "Did you mean 'tail-width:15'"),
            ("center-size:15", "Did you mean 'centre-size:15'"),
            ("logodds-width:15", "Did you mean 'log-odds-width:15'"),
            ("beta-width:15,2", "'beta-width:15,0.5,2'"),
            ("equal-width:15,2", "`bins` must be one of"),
            ("tail-width:15,2,3", "`bins` must be one of"),
            ("beta-width:15,2,x", "`beta` must be a number, got 'x'"),
            ("beta-size:15,0,2", "`alpha` must be from 0.1 to 100, got 0"),
            ("beta-size:15,2,nan", "`beta` must be from 0.1 to 100, got nan"),
            ("log-odds-width:15,0.5", "`outermost` must be above 0 and below 0.5, got '0.5'"),
            (0, "whole number of at least 1, got 0"),
            ("0", "whole number of at least 1, got 0"),
            (True, r"a number of bins such as 15.*, got True"),
            (2.5, r"a number of bins such as 15.*, got 2.5"),
            ([0, 0.5, 1], r"Edges\(\[0, 0.5, 1\]\)"),
            (EqualWidth, r"EqualWidth\(15\)"),
            (None, r"EqualWidth\(15\)"),
        ],
    )
    def test_an_unknown_name_is_refused_with_a_near_one(self, text, near):
        """The refusal lists what there is."""
        with pytest.raises(ParameterError, match=near):
            binning_of(text)

    @pytest.mark.parametrize("bins", [0, -1, 2.5, True, "3", None, np.nan, np.inf])
    @pytest.mark.parametrize("scheme", [EqualWidth, EqualSize, LogOddsWidth, BetaWidth, BetaSize])
    def test_a_number_of_bins_is_whole_and_at_least_1(self, scheme, bins):
        """True, a fraction and a text are refused."""
        with pytest.raises(
            ParameterError, check=lambda e: (e.argument, e.code) == ("bins", "no-whole-number")
        ):
            scheme(bins)


class TestDistinctRows:
    """Groups of equal probability vectors."""

    def test_equal_vectors_share_a_group(self):
        """Rows with the same numbers have the same group, and others another."""
        prob = np.array([[0.2, 0.8], [0.5, 0.5], [0.2, 0.8], [0.2, np.nextafter(0.8, 1)]])
        group, groups = distinct_rows(prob)
        assert groups == 3
        assert group[0] == group[2]
        assert len({*group.tolist()}) == 3

    def test_minus_zero_is_zero(self):
        """-0.0 and 0.0 are the same probability."""
        assert distinct_rows(np.array([[0.0, 1.0], [-0.0, 1.0]]))[1] == 1

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_how_the_matrix_is_stored_does_not_matter(self, order):
        """Columns or rows first: the groups are those of the values."""
        prob = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], order=order)
        assert distinct_rows(prob)[1] == 2


@given(st.lists(st.floats(1e-9, 1 - 1e-9), min_size=1, max_size=6, unique=True))
def test_the_text_of_edges_names_the_same_edges(inner):
    """A binning written as text and read again is the same binning, to the last digit."""
    own = Edges([0, *sorted(inner), 1])
    assert binning_of(str(own)) == own


@pytest.mark.parametrize("b", [1, 3, 7, 10, 30])
def test_the_power_grid_has_the_same_thesis_bins(rng, b):
    """The grid sorts many rows of scores at once; each row falls as the preset's rule says."""
    from plumbline.binning import thesis_size, thesis_width
    from plumbline.power import Placement, Placements

    score = np.sort(rng.integers(0, 21, (5, 23)) / 20, axis=1)
    for name, rule in (("equal-size", thesis_size), ("equal-width", thesis_width)):
        (home,) = Placements("thesis", (Placement(name, b),)).homes(score)
        for row, result in zip(score, home, strict=True):
            assert result.tolist() == rule(row, b).tolist()


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_add_up_as_few_do(weighted, monkeypatch):
    """The compiled pass counts rows beside their weights, bin by bin."""
    rng = np.random.default_rng(5)
    home, score, event = rng.integers(0, 4, 90), rng.random(90), rng.random(90) < 0.5
    weight = rng.uniform(0.5, 2, 90) if weighted else None
    rows = home, 4, score, 1 - score, event, weight
    few = [*module_of_bins.sums_of_bins(*rows)]
    monkeypatch.setattr(module_of_bins, "MANY_ROWS", 1)
    np.testing.assert_allclose([*module_of_bins.sums_of_bins(*rows)], few)
    assert few[0].tolist() == np.bincount(home).tolist()
