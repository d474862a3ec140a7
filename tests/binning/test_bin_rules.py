"""Bins that follow the scores: their range, their spread, their values, and enough rows in each."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.binning import (
    MOST_BINS,
    AtLeast,
    Bins,
    EqualSize,
    EqualWidth,
    HistogramRule,
    Isotonic,
    MonotoneSweep,
    OnePerPoint,
    OnePerValue,
    binning_of,
    place,
)
from plumbline.binning.histogram import RULES, interquartile_range
from plumbline.binning.schemes import joined
from refusals import refused, warned
from strategies import exact_scores

NUMPYS = {
    "freedman-diaconis": "fd",
    "scott": "scott",
    "sturges": "sturges",
    "rice": "rice",
    "square-root": "sqrt",
}
FOLLOWING = (
    "equal-width:15,data",
    "one-per-value",
    *RULES,
    "equal-width:15,min=3",
    "equal-size:9,min=4",
    "scott,min=2",
)


def table(score, event=None, *, weight=None, dtype=np.float64):
    """Return binary predictions with these scores."""
    event = np.zeros(len(score), int) if event is None else event
    return pb.Predictions.from_arrays(event, np.asarray(score, dtype), weight=weight)


def homes(bins, score, weight=None):
    """Return the bin of every score."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        return place(score, binning_of(bins).edges(score, weight))


class TestRange:
    """Bins over the scores' own range."""

    def test_steps_from_the_lowest_score_to_the_highest(self):
        """Three steps of 0.2 from 0.2 to 0.8, closed above; the lowest score is inside."""
        bins = Bins.of(table([0.2, 0.4, 0.41, 0.8, 0.6]), "equal-width:3,data")
        assert bins.edges == pytest.approx([0.2, 0.4, 0.6, 0.8])
        assert bins.count.tolist() == [2, 2, 1]

    @pytest.mark.parametrize("n", range(2, 101))
    def test_scores_of_either_type_fall_alike(self, n):
        """Scores k / n share a bin in float32 where they do in float64, edges included."""
        score = np.arange(n + 1) / n
        for bins in (f"equal-width:{n},data", "equal-width:7,data", "freedman-diaconis", "scott"):
            for part in (score, score[1:-1], score[n // 3 :]):
                double, single = homes(bins, part), homes(bins, part.astype(np.float32))
                assert double.tolist() == single.tolist()
        assert homes(f"equal-width:{n},data", score).tolist() == [0, *range(n)]

    def test_equal_scores_are_one_bin_with_the_real_error(self):
        """No range, one bin: |mean outcome - score|."""
        data = table([0.3] * 10, [1] * 7 + [0] * 3)
        for bins in FOLLOWING:
            assert Bins.of(data, bins).filled.sum() == 1
            result = pb.calibration_error(data, bins=bins, resamples=0)
            assert result.value == pytest.approx(0.4, abs=1e-15)

    def test_rows_without_weight_do_not_stretch_the_range(self):
        """A row of weight 0 is as if it were not there."""
        weight = [1, 1, 1, 0]
        for bins in FOLLOWING:
            with_it = binning_of(bins).edges(np.array([0.3, 0.5, 0.6, 0.9]), np.array(weight))
            without = binning_of(bins).edges(np.array([0.3, 0.5, 0.6]), None)
            assert with_it.tolist() == without.tolist()

    def test_parts_binned_with_the_edges_of_the_whole_add_up_to_it(self, rng):
        """Edges of the data's own range serve for its parts, and for nothing outside it."""
        score = rng.uniform(0.2, 0.9, 200)
        event = rng.integers(2, size=200)
        for bins in ("equal-width:6,data", "one-per-value", "scott"):
            whole = Bins.of(table(score, event), bins)
            parts = [table(score[i::2], event[i::2]) for i in (0, 1)]
            both = Bins.of(parts[0], whole.edges) + Bins.of(parts[1], whole.edges)
            assert both.outcome.tolist() == whole.outcome.tolist()
            assert both.prob == pytest.approx(whole.prob)
            with refused(pb.ParameterError, "scores-outside-edges"):
                Bins.of(table([0.1, 0.5]), whole.edges)

    def test_one_bin_a_distinct_score(self):
        """Equal scores share a bin, whose edges are scores."""
        bins = Bins.of(table([0.5, 0.2, 0.5, 0.9]), OnePerValue())
        assert bins.limits.tolist() == [[0.2, 0.2], [0.2, 0.5], [0.5, 0.9]]
        assert bins.count.tolist() == [1, 2, 1]

    @given(
        bins=st.sampled_from(FOLLOWING),
        score=st.lists(exact_scores(), min_size=2, max_size=40),
        seed=st.integers(0, 2**32 - 1),
    )
    def test_laws(self, bins, score, seed):
        """Row order and ties do not matter, weights are repetitions, counts sum to n."""
        source = np.random.default_rng(seed)
        score, weight = np.array(score), source.integers(1, 4, len(score))
        home = homes(bins, score)
        order = source.permutation(len(score))
        assert homes(bins, score[order]).tolist() == home[order].tolist()
        for value in np.unique(score):
            assert len(set(home[score == value].tolist())) == 1
        weighted = homes(bins, score, weight.astype(float))
        repeated = homes(bins, np.repeat(score, weight))
        assert np.repeat(weighted, weight).tolist() == repeated.tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pb.PlumblineWarning)
            assert Bins.of(table(score), bins).count.sum() == len(score)


class TestRulesForHistograms:
    """As many bins as a rule says."""

    @pytest.mark.parametrize("rule", NUMPYS)
    @pytest.mark.parametrize("n", [1, 2, 17, 500])
    def test_edges_are_those_of_numpy(self, rng, rule, n):
        """`histogram_bin_edges` over the data's range."""
        for score in (rng.random(n), rng.beta(0.3, 2.0, n)):
            ours = HistogramRule(rule).edges(score, None)
            theirs = np.histogram_bin_edges(score, NUMPYS[rule])
            if n == 1:  # numpy widens a range of nothing to 1
                theirs = np.array([score[0], score[0]])
            assert ours == pytest.approx(theirs, rel=1e-12)

    def test_numbers_of_bins_by_hand(self):
        """64 rows: 7 bins by Sturges, 8 by the square root, 4 by the cube root, 8 by Rice."""
        score = np.arange(64) / 64
        expected = {"sturges": 7, "square-root": 8, "cube-root": 4, "rice": 8}
        for rule, number in expected.items():
            for span in ("data", "unit"):
                assert len(HistogramRule(rule, span=span).edges(score, None)) - 1 == number

    def test_a_width_divides_the_span_it_is_asked_for(self):
        """IQR .5 at n = 64 is a width of .25: 4 bins over [0, 1], 2 over the data's range."""
        score = np.repeat([0.25, 0.5, 0.75], [20, 24, 20])
        unit = HistogramRule("freedman-diaconis", span="unit").edges(score, None)
        data = HistogramRule("freedman-diaconis").edges(score, None)
        assert unit.tolist() == [0, 0.25, 0.5, 0.75, 1]
        assert data.tolist() == [0.25, 0.5, 0.75]

    def test_no_interquartile_range_is_one_bin_that_is_said(self):
        """Most scores are equal, so the width is 0; where all are equal there is nothing to say."""
        score = np.array([0.1] + [0.5] * 8 + [0.9])
        with warned("one-bin", "is 0"):
            edges = HistogramRule().edges(score, None)
        assert edges.tolist() == [0.1, 0.9]
        assert HistogramRule().edges(np.full(5, 0.5), None).tolist() == [0.5, 0.5]
        assert HistogramRule(span="unit").edges(np.full(5, 0.5), None).tolist() == [0, 1]

    def test_there_are_at_most_a_million_bins(self):
        """A few scores far from very many that are nearly equal."""
        score = np.concatenate([np.linspace(0.5, 0.5 + 1e-12, 1000), [0.0, 1.0]])
        edges = HistogramRule().edges(score, None)
        assert 100_000 < len(edges) - 1 <= MOST_BINS

    def test_quartiles_of_repeated_rows_are_numpys(self, rng):
        """The interquartile range by weight is that of the rows written out."""
        score, weight = np.sort(rng.random(30)), rng.integers(1, 5, 30)
        expected = np.subtract(*np.percentile(np.repeat(score, weight), [75, 25]))
        assert interquartile_range(score, weight.astype(float)) == pytest.approx(expected)


def literal_join(total, least):
    """Join bins by the rule, one at a time, looking at all of them each time."""
    groups = [[j] for j in range(len(total))]
    while len(groups) > 1:
        held = [sum(total[j] for j in group) for group in groups]
        own = int(np.argmin(held))
        if held[own] >= least:
            break
        sides = [side for side in (own - 1, own + 1) if 0 <= side < len(groups)]
        other = min(sides, key=lambda side: (held[side], side))
        low, high = sorted([own, other])
        groups[low : high + 1] = [groups[low] + groups[high]]
    return [group[0] for group in groups]


class TestEnoughRows:
    """A least number of rows a bin."""

    @given(st.lists(st.integers(0, 6), min_size=1, max_size=25), st.integers(1, 12))
    def test_bins_are_joined_by_the_rule(self, total, least):
        """The smallest bin joins its smaller neighbour, until all hold enough."""
        assert joined(np.array(total, float), least) == literal_join(total, least)

    def test_by_hand(self):
        """Of 3, 1, 0, 2 and 4 rows the empty bin joins the one, they the two, and all hold 3."""
        score = np.repeat([0.1, 0.3, 0.7, 0.9], [3, 1, 2, 4])
        bins = Bins.of(table(score), "equal-width:5,min=3")
        assert bins.edges.tolist() == [0, 0.2, 0.8, 1]
        assert bins.count.tolist() == [3, 3, 4]

    def test_too_few_rows_are_one_bin(self):
        """All rows together are fewer than asked for: one bin."""
        assert Bins.of(table([0.1, 0.5, 0.9]), "one-per-value,min=20").count.tolist() == [3]

    @pytest.mark.parametrize("scheme", [OnePerPoint(), Isotonic(), MonotoneSweep(), EqualWidth, 5])
    def test_bins_without_edges_cannot_be_joined(self, scheme):
        """The refusal names one that can."""
        with refused(pb.ParameterError, "bins-without-edges", "15", "EqualWidth(15)"):
            AtLeast(scheme, 5)


class TestNames:
    """Their texts."""

    @pytest.mark.parametrize(
        "binning",
        [
            *(EqualWidth(7, span="data"), OnePerValue(), Isotonic(), MonotoneSweep()),
            *(HistogramRule(rule) for rule in RULES),
            *(HistogramRule("scott", span="unit"), AtLeast(EqualWidth(7, span="data"), 20)),
            *(AtLeast(EqualSize(7), 3), AtLeast(HistogramRule(), 5)),
            AtLeast(binning_of("edges:0,0.5,1"), 5),
        ],
    )
    def test_a_binning_is_what_its_name_says(self, binning):
        """The name and `binning_of` are inverse."""
        assert binning_of(str(binning)) == binning

    def test_spaces_do_no_harm(self):
        """And the usual span may be named."""
        spaced = binning_of("equal-width: 15, data , min = 20")
        assert spaced == AtLeast(EqualWidth(15, span="data"), 20)
        assert binning_of("equal-width:15,unit") == EqualWidth(15)
        rule = "freedman-diaconis: data"
        assert binning_of(rule) == HistogramRule()

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("equal-width:15,min=0", ("no-whole-number", "`min`", "least 1", "got 0")),
            ("equal-width:15,min=x", ("no-whole-number", "`min`")),
            ("equal-width:15,date", ("unknown-name", "`bins`")),
            ("equal-size:15,data", ("unknown-name", "`bins`")),
            ("freedman-diaconis:15", ("unknown-name", "`bins`")),
            ("freedman-diacones", ("unknown-name", "`bins`", "'freedman-diaconis'")),
            ("one-per-point,min=3", ("bins-without-edges", "EqualWidth(15)")),
            ("isotonik", ("unknown-name", "`bins`", "'isotonic'")),
        ],
    )
    def test_what_is_no_binning_is_refused(self, text, words):
        """The refusal shows what arrived and what there is."""
        with refused(pb.ParameterError, *words):
            binning_of(text)

    def test_a_span_or_a_rule_that_is_unknown_is_refused(self):
        """By their own names."""
        with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "span"):
            EqualWidth(5, span="range")
        with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "rule"):
            HistogramRule("fd")

    @pytest.mark.parametrize("bins", ["isotonic", "monotone-sweep"])
    def test_bins_of_the_outcomes_have_no_edges_of_the_scores(self, bins):
        """Scores alone do not say where they are."""
        with refused(pb.ParameterError, "bins-of-outcomes", argument="bins"):
            Bins.of(table([0.1, 0.7]), bins)
