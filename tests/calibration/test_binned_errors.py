"""Binned errors in all their forms: norms, thresholds, midpoints, one side, sets, vector bins."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline as pb
from laws import examples
from plumbline.calibration import (
    DISTANCES,
    binned_statistic,
    bins_of,
    define_error,
    statistic,
    value_of,
)
from plumbline.calibration.distances import VECTOR_DISTANCES
from plumbline.nulls import exact, observed, resampled, why_not_exact
from refusals import refused
from strategies import binary_tables, binnings, probability_tables

VIEWS = ("top-label", "classwise", "one-vs-rest:1", "top-k:2", "joint")
NORMS = (1, 1.5, 2, 7, "max")
FORMS = (
    {"norm": 2},
    {"norm": "max"},
    {"norm": 1.5, "distance": "square"},
    {"counting": "bins"},
    {"counting": "bins", "norm": 3},
    {"representative": "midpoint"},
    {"threshold": 0.2},
    {"threshold": 0.2, "norm": 2, "bins": "equal-size:4"},
    {"threshold": 0.3, "counting": "bins", "bins": "equal-width:3,data"},
    {"norm": 2, "bins": "one-per-point"},
    {"threshold": 0.2, "bins": "one-per-point"},
    {"counting": "bins", "bins": "one-per-point"},
    {"bins": "one-per-value", "norm": 2},
    {"bins": "freedman-diaconis,min=5"},
)
NO_VECTORS = {"representative", "threshold"}


def made(data, view=None, bins=None, distance="absolute", **more):
    """Return the statistic of a setting."""
    return statistic(data, define_error(data, view, bins, distance, **more))


def value(data, *places, **names):
    """Return the error of the observed labels."""
    return value_of(made(data, *places, **names))


def table(seed=5, k=3, n=90, weighted=False):
    """Draw a table with ties, and with rows of weight 0."""
    source = np.random.default_rng(seed)
    prob = source.dirichlet(np.full(k, 0.6), n).round(1) + 0.05
    prob /= prob.sum(axis=1, keepdims=True)
    weight = source.integers(0, 4, n) if weighted else None
    actual = np.append(np.arange(k), source.integers(0, k, n - k))
    return pb.Predictions.from_arrays(actual, prob, weight=weight)


def literal(data, view, edges, *, norm=1, counting="weight", representative="mean", threshold=None):
    """The absolute error by the book: loops over classes, bins and rows."""
    if view == "classwise":
        names = [f"one-vs-rest:{name}" for name in data.classes]
        given_ = {"norm": norm, "counting": counting, "representative": representative}
        parts = [literal(data, name, edges, threshold=threshold, **given_) for name in names]
        return sum(parts) / len(parts)
    kind, _, rest = view.partition(":")
    binary = {
        "top-label": data.top_label,
        "one-vs-rest": lambda: data.one_vs_rest(rest),
        "top-k": lambda: data.top_k(int(rest)),
    }[kind]()
    rows = [
        (p, y, w)
        for p, y, w in zip(
            binary.prob[:, 1].tolist(), binary.actual.tolist(), data.mass, strict=True
        )
        if w > 0 and (threshold is None or p > threshold)
    ]
    filled = []
    for j, (low, high) in enumerate(pairwise(edges)):
        inside = [r for r in rows if low < r[0] <= high or (j == 0 and r[0] == low)]
        if inside:
            mass = sum(w for _, _, w in inside)
            share = sum(w * y for _, y, w in inside) / mass
            mean = sum(w * p for p, _, w in inside) / mass
            centre = mean if representative == "mean" else (low + high) / 2
            filled.append((mass, abs(share - centre)))
    if not filled:
        return 0.0
    if norm == "max":
        return max(gap for _, gap in filled)
    factors = [1 if counting == "bins" else mass for mass, _ in filled]
    powers = [f * gap**norm for f, (_, gap) in zip(factors, filled, strict=True)]
    return (sum(powers) / sum(factors)) ** (1 / norm)


@pytest.mark.parametrize("view", ["top-label", "classwise", "one-vs-rest:1", "top-k:2"])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_form_equals_loops_over_classes_bins_and_rows(view, weighted):
    """Norms, what a bin counts for, midpoints and thresholds, each with each."""
    data, edges = table(weighted=weighted), np.arange(6) / 5
    for norm in NORMS:
        for counting in ("weight", "bins"):
            for representative in ("mean", "midpoint"):
                for threshold in (None, 0.0, 0.35, 0.9):
                    how = {
                        "norm": norm,
                        "counting": counting,
                        "representative": representative,
                        "threshold": threshold,
                    }
                    expected = literal(data, view, edges, **how)
                    assert value(data, view, "equal-width:5", **how) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("view", "form"),
    [
        (view, form)
        for view in VIEWS
        for form in FORMS
        if view != "joint" or not NO_VECTORS & {*form}
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_value_draws_and_true_value_are_one_arithmetic(view, form, weighted):
    """The fast value, the kernels' and the true value of sure labels agree; weights repeat rows."""
    data = table(weighted=weighted)
    what = made(data, view, **form)
    result = value_of(what)
    assert observed(what) == pytest.approx(result, rel=1e-12)
    sure = np.eye(what.prob.shape[1])[what.actual]
    assert what.at(sure) == pytest.approx(result, rel=1e-12)
    if weighted and form != {"counting": "bins", "bins": "one-per-point"}:  # which counts rows
        times = data.weight.astype(int)
        repeated = pb.Predictions.from_arrays(
            np.repeat(data.actual, times), np.repeat(data.prob, times, axis=0)
        )
        assert value(repeated, view, **form) == pytest.approx(result, rel=1e-12)
    order = np.random.default_rng(1).permutation(data.n)
    assert value(data.select(where=order), view, **form) == pytest.approx(result, rel=1e-12)


@pytest.mark.parametrize("view", VIEWS)
def test_true_shares_have_no_error_in_any_norm(view):
    """Where labels come in the shares of the probabilities every bin agrees with its mean."""
    data = table()
    for norm in NORMS:
        what = made(data, view, "equal-width:4", norm=norm)
        shares = what.prob / what.prob.sum(axis=1, keepdims=True)
        assert what.at(shares) == pytest.approx(0.0, abs=1e-12)


class TestNorms:
    """(sum of share x distance^p)^(1/p)."""

    def test_by_hand(self):
        """Bins of 1 and 3 rows with gaps .2 and .4: .35, sqrt(.13), .4, and .3 counted alike."""
        data = pb.Predictions.from_arrays([0, 1, 1, 1], [0.2, 0.6, 0.6, 0.6])
        assert value(data, bins="equal-width:2") == pytest.approx(0.35)
        assert value(data, bins="equal-width:2", norm=2) == pytest.approx(math.sqrt(0.13))
        assert value(data, bins="equal-width:2", norm="max") == pytest.approx(0.4)
        assert value(data, bins="equal-width:2", counting="bins") == pytest.approx(0.3)
        assert value(data, bins="equal-width:2", representative="midpoint") == pytest.approx(
            0.25 * 0.25 + 0.75 * 0.25
        )

    @given(binary_tables(least_weight=0, most=15), binnings())
    @settings(max_examples=examples(50))
    def test_norms_rise_to_the_largest_gap(self, binary, bins):
        """1-norm <= p-norms <= max; norm 1 is the sum."""
        data = binary.predictions()
        result = [value(data, bins=bins, norm=norm) for norm in NORMS]
        assert all(low <= high + 1e-12 for low, high in pairwise(result))
        assert result[0] == value(data, bins=bins)

    def test_classwise_is_the_mean_of_the_classes_own_norms(self):
        """Not the norm over all bins of all classes."""
        data = table()
        for norm in NORMS:
            each = [value(data, f"one-vs-rest:{c}", norm=norm) for c in data.classes]
            assert value(data, "classwise", norm=norm) == pytest.approx(np.mean(each))

    def test_a_norm_neither_over_nor_underflows(self):
        """A gap of 1e-200 to the power 9 is 0, the norm is not; an infinite gap stays infinite."""
        data = pb.Predictions.from_arrays([0, 0], [[1.0, 1e-200], [1.0, 1e-200]])
        assert value(data, norm=9) == pytest.approx(1e-200)
        impossible = pb.Predictions.from_arrays([1, 0, 1], [0.0, 0.2, 0.9])
        for norm in NORMS:
            assert value(impossible, None, "one-per-value", "log", norm=norm) == math.inf

    @pytest.mark.parametrize("norm", [0, 0.99, -1, np.nan, True, "maximum", None, "x"])
    def test_a_norm_is_at_least_1(self, norm):
        """The refusal shows what arrived."""
        with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "norm"):
            define_error(table(), norm=norm)

    def test_the_exact_null_is_of_sums_only(self):
        """Other norms are refused in words; what is a sum keeps its exact null."""
        data = table(k=2)
        assert "norm" in why_not_exact(made(data, norm=2))
        with refused(pb.ParameterError, "no-exact-null", "other than 1"):
            exact(made(data, norm="max"))
        for how in (
            {"counting": "bins"},
            {"distance": "overestimation"},
            {"threshold": 0.3},
            {"representative": "midpoint"},
        ):
            what = made(data, None, "equal-width:4", **how)
            draws = resampled(what, 2000, 1)
            error = draws.std() / math.sqrt(2000)
            assert draws.mean() == pytest.approx(exact(what).mean, abs=4 * error)


class TestOneSide:
    """Over- and underestimation."""

    @given(binary_tables(least_weight=0, most=15), binnings())
    @settings(max_examples=examples(50))
    def test_both_sides_add_up_to_the_error(self, binary, bins):
        """Every bin is on one side."""
        data = binary.predictions()
        over, under, both = (
            value(data, None, bins, name)
            for name in ("overestimation", "underestimation", "absolute")
        )
        assert over + under == pytest.approx(both, abs=1e-15)

    def test_each_side_by_hand(self):
        """One bin promises too much by .1 at weight 1/2, the other too little by .4."""
        data = pb.Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.1, 0.6, 0.6])
        assert value(data, None, "equal-width:2", "overestimation") == pytest.approx(0.05)
        assert value(data, None, "equal-width:2", "underestimation") == pytest.approx(0.2)


class TestThreshold:
    """Thresholded adaptive calibration error, TACE (Nixon et al. 2019)."""

    def test_by_hand(self):
        """Each class keeps its rows above .25 and divides by their number; equal sizes of these."""
        prob = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.3, 0.5, 0.2], [0.2, 0.2, 0.6]]
        data = pb.Predictions.from_arrays([0, 1, 1, 0], prob)
        # class 0 keeps .6 (right), .3 (wrong); 1 keeps .3 (wrong), .7, .5 (right); 2 .6 (wrong).
        one = (0.4 + 0.3) / 2
        two = (0.3 + 0.3 + 0.5) / 3
        tace = value(data, "classwise", "one-per-value", threshold=0.25)
        assert tace == pytest.approx((one + two + 0.6) / 3)
        halves = value(data, "one-vs-rest:1", "equal-size:2", threshold=0.25)
        assert halves == pytest.approx(2 / 3 * abs(0.5 - 0.4) + 1 / 3 * 0.3)  # .3 and .5, then .7

    def test_the_threshold_itself_is_left_out_in_either_type(self):
        """A score equal to the threshold is not above it, in float32 as in float64."""
        score, y = np.array([0.001, 0.1, 0.1, 0.9]), [1, 0, 1, 1]
        double = pb.Predictions.from_arrays(y, score)
        single = pb.Predictions.from_arrays(y, score.astype(np.float32))
        for t in (0.001, 0.1):
            assert value(single, threshold=t) == pytest.approx(value(double, threshold=t), abs=1e-6)
        assert value(double, threshold=0.1) == pytest.approx(0.1)

    def test_a_class_that_keeps_no_row_adds_nothing_and_counts_in_the_mean(self):
        """The mean stays over all classes, so that the value compares between thresholds."""
        data = pb.Predictions.from_arrays(
            [0, 1, 2], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]]
        )
        kept = [value(data, f"one-vs-rest:{c}", threshold=0.5) for c in (0, 1)]
        assert value(data, "classwise", threshold=0.5) == pytest.approx(sum(kept) / 3)
        assert value(data, "classwise", threshold=0.5, norm=2) > 0

    def test_where_no_row_is_left_there_is_nothing_to_measure(self):
        """Neither 0 nor NaN."""
        data = table()
        for view in ("classwise", "top-label"):
            with refused(pb.InputError, "no-row-above-threshold", "`threshold`", "0.99"):
                made(data, view, threshold=0.99)

    @pytest.mark.parametrize("threshold", [-0.1, 1, 2, np.nan, True, "x"])
    def test_a_threshold_is_a_probability_below_1(self, threshold):
        """The refusal shows what arrived."""
        with pytest.raises(pb.ParameterError, check=lambda e: e.argument == "threshold"):
            define_error(table(), threshold=threshold)


class TestTopK:
    """Is the true class among the K most likely?"""

    def test_by_hand(self):
        """Scores .8, .9, .7; the first two sets of two hold the true class."""
        prob = [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [0.3, 0.4, 0.3]]
        data = pb.Predictions.from_arrays([1, 2, 2], prob)
        top = data.top_k(2)
        assert top.prob[:, 1].tolist() == [0.8, 0.9, 0.7]
        assert top.actual.tolist() == [1, 1, 0]
        assert value(data, "top-k:2", "one-per-value") == pytest.approx((0.2 + 0.1 + 0.7) / 3)

    def test_ties_go_to_the_first_columns(self):
        """Of three equal probabilities the first two are in."""
        data = pb.Predictions.from_arrays(
            [1, 2], [[0.25, 0.25, 0.25, 0.25], [0.1, 0.3, 0.3, 0.3]], classes=[0, 1, 2, 3]
        )
        assert data.top_k(2).actual.tolist() == [1, 1]
        assert data.top_k(2).prob[:, 1].tolist() == [0.5, 0.6]

    def test_sums_that_are_decimals_lie_on_edges(self):
        """.1 + .2 is .3, the upper edge of the third of ten bins, in either type."""
        prob = np.array([[0.1, 0.2, 0.05, 0.65], [0.1, 0.7, 0.1, 0.1]])[:, ::-1]
        for dtype in (np.float32, np.float64):
            data = pb.Predictions.from_arrays([0, 1], prob.astype(dtype), classes=[0, 1, 2, 3])
            assert data.top_k(2).prob[:, 1].tolist() == np.array([0.85, 0.8], dtype).tolist()

    @given(probability_tables())
    @settings(max_examples=examples(50))
    def test_one_is_the_top_label_and_k_minus_one_misses_the_least(self, drawn):
        """The views' ends, and the definition by sorting in between."""
        labels, prob = drawn
        k = prob.shape[1]
        data = pb.Predictions.from_arrays(labels, prob, classes=list(range(k)))
        assert value(data, "top-k:1") == value(data, "top-label")
        for top in range(2, k):
            sets = data.top_k(top)
            order = np.argsort(-prob, axis=1, kind="stable")[:, :top]
            largest = np.take_along_axis(prob, order, axis=1).sum(axis=1)
            assert sets.prob[:, 1] == pytest.approx(largest, abs=1e-12)
            assert sets.actual.tolist() == (order == labels[:, None]).any(axis=1).tolist()
            assert sets.prob.sum(axis=1) == pytest.approx(1)

    def test_logarithms_come_along(self):
        """A set whose probability rounds to 1 keeps the logarithm of the rest."""
        data = pb.Predictions.from_logits([2, 0], [[0.0, 1.0, -800.0], [0.0, 1.0, 2.0]])
        top = data.top_k(2)
        assert top.log_prob[0, 0] == pytest.approx(-800 - math.log(1 + math.e))
        assert top.log_prob[1] == pytest.approx(np.log(top.prob[1]))

    @pytest.mark.parametrize("k", [0, 3, -1, 1.5, "x"])
    def test_a_set_has_some_classes_and_not_all(self, k):
        """1 <= K < number of classes."""
        with pytest.raises(
            pb.ParameterError, check=lambda e: (e.argument, e.code) == ("k", "no-whole-number")
        ):
            table().top_k(k)


class TestJoint:
    """Whole vectors, grouped by the bins of all their coordinates (Vaicenavicius et al. 2019)."""

    def test_by_hand(self):
        """Two rows share the bins of all three coordinates: mean vector against shares."""
        prob = [[0.7, 0.2, 0.1], [0.9, 0.05, 0.05], [0.1, 0.2, 0.7]]
        data = pb.Predictions.from_arrays([0, 1, 2], prob)
        gap = np.abs(np.array([0.8, 0.125, 0.075]) - [0.5, 0.5, 0]).sum() / 2
        expected = 2 / 3 * gap + 1 / 3 * 0.3
        assert value(data, "joint", "equal-width:2") == pytest.approx(expected)
        squares = 2 / 3 * gap**2 + 1 / 3 * 0.3**2
        assert value(data, "joint", "equal-width:2", norm=2) == pytest.approx(math.sqrt(squares))

    @pytest.mark.parametrize("distance", VECTOR_DISTANCES)
    @pytest.mark.parametrize("weighted", [False, True])
    def test_one_bin_a_value_groups_equal_vectors(self, distance, weighted):
        """The same as no bins, and in norm 1 as the sum."""
        data = table(weighted=weighted)
        assert value(data, "joint", "one-per-value", distance) == pytest.approx(
            value(data, "joint", None, distance)
        )

    @pytest.mark.parametrize("distance", VECTOR_DISTANCES)
    def test_groups_equal_loops(self, distance):
        """A loop over groups of rows with the same bins in all coordinates."""
        data = table(n=60, weighted=True)
        groups = {}
        for i, row in enumerate(np.ceil(np.round(data.prob * 4, 12)).clip(1).tolist()):
            groups.setdefault(tuple(row), []).append(i)
        sums = {1: 0.0, 2: 0.0}
        for rows in groups.values():
            w = data.mass[rows]
            if w.sum() > 0:
                mean = w @ data.prob[rows] / w.sum()
                share = w @ np.eye(3)[data.actual[rows]] / w.sum()
                gap = VECTOR_DISTANCES[distance](share, mean, 1 - mean).sum()
                for norm in sums:
                    sums[norm] += w.sum() / data.mass.sum() * gap**norm
        for norm, total in sums.items():
            result = value(data, "joint", "equal-width:4", distance, norm=norm)
            assert result == pytest.approx(total ** (1 / norm))

    def test_two_classes_are_the_binary_error(self):
        """With two classes and bins that mirror each other, joint is one-vs-rest."""
        source = np.random.default_rng(3)
        data = pb.Predictions.from_arrays(source.integers(2, size=80), source.random(80))
        for norm in NORMS:
            assert value(data, "joint", "equal-width:6", norm=norm) == pytest.approx(
                value(data, None, "equal-width:6", norm=norm)
            )


class TestBinsOfTheOutcomes:
    """Bins that every set of labels chooses anew."""

    @pytest.mark.parametrize("bins", ["isotonic", "monotone-sweep"])
    @pytest.mark.parametrize("view", ["top-label", "classwise", "top-k:2"])
    @pytest.mark.parametrize("norm", [1, 2, "max"])
    def test_the_rows_of_the_bins_give_the_value(self, bins, view, norm):
        """The bins that are shown are those the value comes from."""
        data = table(weighted=True)
        definition = define_error(data, view, bins, norm=norm)
        what = statistic(data, definition)
        each = []
        for part in bins_of(data, definition, what):
            kept = part.filled
            gap = np.abs(part.outcome_share - part.mean_probability)[kept]
            share = part.weight[kept] / part.weight.sum()
            each.append(gap.max() if norm == "max" else (share @ gap**norm) ** (1 / norm))
        assert value_of(what) == pytest.approx(np.mean(each))
        assert observed(what) == pytest.approx(value_of(what))

    def test_the_error_and_its_null_come_through_the_public_function(self):
        """A value, a null whose bins are drawn anew, and the rows of the observed bins."""
        result = pb.calibration_error(table(), bins="isotonic", resamples=99)
        assert result.null_mean > 0
        assert sum(row["count"] for row in result.bins) == 90
        shares = [row["outcome_share"] for row in result.bins]
        assert shares == sorted(shares)

    def test_where_bins_must_stay_they_are_refused(self):
        """A diagram's bands need bins that are the same for all labels."""
        data = table()
        with refused(pb.ParameterError, "bins-of-outcomes", argument="bins"):
            binned_statistic(data, define_error(data, bins="isotonic"))

    @pytest.mark.parametrize(
        "how",
        [
            {"representative": "midpoint"},
            {"threshold": 0.1},
            {"counting": "bins"},
            {"view": "joint"},
        ],
    )
    def test_what_they_do_not_know_is_refused(self, how):
        """By its own name."""
        (name,) = how
        with refused(pb.ParameterError, "bins-of-outcomes", name, argument="bins"):
            define_error(table(), bins="isotonic", **how)


class TestSetting:
    """What is said of a setting."""

    def test_only_what_is_unusual_is_shown(self):
        """The text of the usual setting has three parts."""
        data = table()
        assert str(define_error(data)).split(", ") == ["top-label", "equal-width:15", "absolute"]
        full = define_error(
            data, "top-k:2", "equal-size:4", norm="max", threshold=0.001, counting="bins"
        )
        assert str(full).split(", ")[:5] == [
            "top-k:2",
            "equal-size:4",
            "absolute",
            "norm: max",
            "only above 0.001",
        ]
        assert str(full).endswith("counts alike")
        assert "norm: 1.5, midpoints" in str(
            define_error(data, norm=1.5, representative="midpoint")
        )

    @pytest.mark.parametrize(
        ("how", "words"),
        [
            (
                {"representative": "centre"},
                ("unknown-name", "`representative`", "'mean'", "'midpoint'"),
            ),
            ({"counting": "rows"}, ("unknown-name", "`counting`", "'weight'", "'bins'")),
            ({"representative": "midpoint", "view": "joint"}, ("view-not-possible",)),
            ({"threshold": 0.1, "view": "joint"}, ("view-not-possible",)),
            (
                {"representative": "midpoint", "bins": "one-per-point"},
                ("bins-of-one-score", "`representative`"),
            ),
            (
                {"representative": "midpoint", "bins": "one-per-value"},
                ("bins-of-one-score", "`representative`"),
            ),
            (
                {"distance": "overestimation", "view": "joint"},
                ("distance-of-no-classes", "`distance`", "'joint'"),
            ),
        ],
    )
    def test_what_has_no_meaning_is_refused(self, how, words):
        """The refusal names the argument."""
        with refused(pb.ParameterError, *words):
            define_error(table(), **how)

    def test_every_distance_has_every_norm(self):
        """Also those that are infinite somewhere."""
        data = table()
        for distance in DISTANCES:
            result = [value(data, None, "equal-width:3", distance, norm=norm) for norm in NORMS]
            assert result == sorted(result)
