"""Calibration errors: worked examples of the literature, views, distances, and a literal oracle."""

import math

import numpy as np
import pytest

import plumbline as pb
from plumbline.binning import OnePerPoint
from plumbline.calibration import DISTANCES, define_error, statistic, value_of, warn_of_preset
from plumbline.calibration.distances import VECTOR_DISTANCES
from plumbline.calibration_errors import error_and_curve
from plumbline.nulls import observed, resampled
from plumbline.reporting import ReportParams, evaluate
from plumbline.sklearn import expected_calibration_error
from refusals import refused, warned

ONE_SIDED = ("overestimation", "underestimation")
EXAMPLE_1 = np.array([[0.2, 0.2, 0.6]] * 5 + [[0.2, 0.0, 0.8]] * 5)
EXAMPLE_1_LABELS = [1, 2, 3, 3, 3, 1, 3, 3, 3, 3]


def error(data, **settings):
    """Return the value alone."""
    return pb.calibration_error(data, resamples=0, **settings).value


def abs_gap(y, p):
    """Return a distance of the user's own that equals one of the library's."""
    return np.abs(y - p)


def literal_error(y, p, bins, distance):
    """Binary error by the book: loop over bins (lo, hi], the first with its lower edge."""
    total = 0.0
    for j in range(bins):
        lo, hi = j / bins, (j + 1) / bins
        inside = [i for i in range(len(p)) if (lo < p[i] <= hi) or (j == 0 and p[i] == 0)]
        if inside:
            share = sum(y[i] for i in inside) / len(inside)
            mean = sum(p[i] for i in inside) / len(inside)
            total += len(inside) / len(p) * float(DISTANCES[distance](share, mean, 1 - mean))
    return total


def test_example_1_satisfies_all_three_notions():
    """Ten discrete predictions that are multiclass, confidence and classwise calibrated: all 0."""
    data = pb.Predictions.from_arrays(EXAMPLE_1_LABELS, EXAMPLE_1, classes=[1, 2, 3])
    for view in ("joint", "top-label", "classwise"):
        for distance in VECTOR_DISTANCES:
            assert error(data, view=view, distance=distance) == pytest.approx(0, abs=1e-15)


def test_five_points_have_a_top_label_error_of_0_054():
    """The five-point figure: means .50 and .91, shares .50 and 1, error 3/5 x .09 = .054."""
    top = np.array([0.55, 0.45, 0.91, 0.86, 0.96])
    prob = np.column_stack([top, (1 - top) * 0.6, (1 - top) * 0.4])
    data = pb.Predictions.from_arrays([1, 0, 0, 0, 0], prob)
    result = pb.calibration_error(data, view="top-label", bins=pb.EqualWidth(5), resamples=0)
    assert result.value == pytest.approx(0.054, abs=1e-12)
    assert [row["mean_probability"] for row in result.bins] == pytest.approx([0.50, 0.91])
    assert [row["outcome_share"] for row in result.bins] == pytest.approx([0.5, 1.0])


BLOG_SCORES = [0.61, 0.39, 0.31, 0.76, 0.22, 0.59, 0.92, 0.83, 0.57, 0.41]


def test_the_blogs_binary_example_is_0_241_with_the_outcome_named():
    """Bins of 2, 5, 3 items, shares .5 .8 .667, means .265 .514 .837: 0.241, and a warning.

    The text counts whether the predicted class is right while the score is P(class 1): the outcome
    "correct". Which items are right is chosen to give its shares.
    """
    right = [1, 1, 1, 1, 0, 1, 1, 0, 0, 1]
    predicted = [int(p >= 0.5) for p in BLOG_SCORES]
    y = [c if ok else 1 - c for c, ok in zip(predicted, right, strict=True)]
    data = pb.Predictions.from_arrays(y, BLOG_SCORES)
    with warned("score-of-another-event", "top-label"):
        result = pb.calibration_error(data, bins="equal-width:3", outcome="correct", resamples=99)
    assert result.value == pytest.approx(0.241, abs=0.0005)
    assert [row["outcome_share"] for row in result.bins] == pytest.approx([0.5, 0.8, 2 / 3])
    assert error(data, bins="equal-width:3") != pytest.approx(0.241, abs=0.01)


def test_the_blogs_five_class_example_is_0_194():
    """Bins of 3, 3, 4 items: .191 from the printed means, within .004 of the printed .194."""
    confidence = [0.25, 0.28, 0.30, 0.45, 0.50, 0.55, 0.75, 0.80, 0.83, 0.86]
    right = [1, 0, 1, 1, 0, 0, 1, 1, 0, 1]
    prob = np.zeros((10, 5))
    y = np.zeros(10, int)
    for i, (p, ok) in enumerate(zip(confidence, right, strict=True)):
        prob[i] = (1 - p) / 4
        prob[i, i % 5] = p
        y[i] = i % 5 if ok else (i + 1) % 5
    data = pb.Predictions.from_arrays(y, prob)
    # 0.191 from these means; the text prints 0.194 from rounded differences.
    assert error(data, bins="equal-width:3") == pytest.approx(0.191, abs=0.001)


def test_the_blogs_vector_that_does_not_sum_to_one_is_refused():
    """(.02 .04 .90 .10 .30) "sums to 1" in the text; it sums to 1.36 and is refused."""
    with refused(pb.InputError, "not-summing-to-1", "1.36", argument="normalize"):
        pb.Predictions.from_arrays([2, 2], [[0.02, 0.04, 0.90, 0.10, 0.30]] * 2)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("bins", [1, 2, 7, 15, 100])
def test_binary_errors_equal_a_literal_loop(rng, bins, distance):
    """The error of decimal scores, on edges and off, equals a loop over bins."""
    p = rng.integers(1, 100, 200) / 100
    y = (rng.uniform(size=200) < p).astype(int)
    data = pb.Predictions.from_arrays(y, p)
    expected = literal_error(y, p, bins, distance)
    assert error(data, bins=pb.EqualWidth(bins), distance=distance) == pytest.approx(expected)


@pytest.mark.parametrize("distance", DISTANCES)
def test_classwise_is_the_mean_of_the_one_vs_rest_errors(rng, distance):
    """The classwise error is the plain mean over classes, binned and one per point."""
    prob = rng.dirichlet([0.5, 1, 2, 1], 150)
    data = pb.Predictions.from_arrays(rng.integers(4, size=150), prob)
    for bins in ("equal-width:6", "equal-size:6", "one-per-point"):
        per_class = [
            error(data, view=f"one-vs-rest:{c}", bins=bins, distance=distance) for c in data.classes
        ]
        whole = error(data, view="classwise", bins=bins, distance=distance)
        assert whole == pytest.approx(np.mean(per_class), rel=1e-12)


@pytest.mark.parametrize("distance", VECTOR_DISTANCES)
def test_the_joint_view_of_two_classes_is_the_binary_error_of_distinct_scores(rng, distance):
    """With two classes, joint equals one bin a distinct score, unique or shared by rows."""
    p = np.append(rng.integers(1, 10, 120), [0.5, 9.5]) / 10
    data = pb.Predictions.from_arrays(rng.integers(2, size=122), p)
    joint = error(data, view="joint", distance=distance)
    assert joint == pytest.approx(error(data, bins="equal-width:20", distance=distance), rel=1e-12)


def test_joint_distances_are_total_variation_half_euclidean_and_kullback_leibler():
    """One vector shared by all rows: the joint error is the distance of shares and vector."""
    vector, shares = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.5, 0.25])
    data = pb.Predictions.from_arrays([0, 1, 1, 2], np.tile(vector, (4, 1)))
    gap = shares - vector
    assert error(data, view="joint") == pytest.approx(0.5 * np.abs(gap).sum())
    assert error(data, view="joint", distance="square") == pytest.approx(0.5 * (gap**2).sum())
    kl = float((shares * np.log(shares / vector)).sum())
    assert error(data, view="joint", distance="log") == pytest.approx(kl)
    pearson = float((gap**2 / vector).sum())
    assert error(data, view="joint", distance="chi-square") == pytest.approx(pearson)


def test_one_point_per_bin_square_is_the_brier_score_and_log_the_log_loss(rng):
    """One per point: square is Brier (classwise: /k), log is the log loss of the binary view."""
    prob = rng.dirichlet(np.ones(3), 100)
    data = pb.Predictions.from_arrays(rng.integers(3, size=100), prob)
    one = {"bins": OnePerPoint()}
    square = error(data, view="classwise", distance="square", **one)
    assert square == pytest.approx(pb.brier_score(data) / 3, rel=1e-12)
    binary = data.top_label()
    assert error(data, view="top-label", distance="log", **one) == pytest.approx(
        pb.log_loss(binary)
    )
    assert error(binary, distance="square", **one) == pytest.approx(pb.brier_score(binary))


def test_log_distance_is_infinite_only_where_the_impossible_was_observed():
    """Probability 0 that happened is infinite with its count; probability 1 that happened is 0."""
    bad = pb.Predictions.from_arrays([1, 0, 1], [0.0, 0.0, 1.0])
    result = pb.calibration_error(bad, distance="log", resamples=99)
    assert math.isinf(result.value)
    assert result.impossible_rows == 1
    assert result.to_dict()["value"] is None
    assert "in 1 row" in result.reason
    good = pb.Predictions.from_arrays([0, 0, 1], [0.0, 0.0, 1.0])
    for bins in ("equal-width:15", "one-per-point"):
        assert error(good, distance="log", bins=bins) == 0.0


@pytest.mark.parametrize("view", ["top-label", "classwise", "one-vs-rest:1", "joint"])
@pytest.mark.parametrize("bins", ["equal-width:15", "equal-size:4", "one-per-point"])
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_value_from_sums_equals_the_value_through_the_kernels(
    rng, view, bins, distance, weighted
):
    """The fast value and the one the null's draws are compared with are the same."""
    prob = rng.dirichlet([0.4, 0.4, 0.4], 80).round(1)
    prob = (prob + 0.05) / (prob + 0.05).sum(axis=1, keepdims=True)
    weight = rng.integers(0, 4, 80) if weighted else None
    data = pb.Predictions.from_arrays(rng.integers(3, size=80), prob, weight=weight)
    if view == "joint":
        bins, distance = None, distance if distance in VECTOR_DISTANCES else "chi-square"
    what = statistic(data, define_error(data, view, bins, distance))
    assert value_of(what) == pytest.approx(observed(what), rel=1e-12)


@pytest.mark.parametrize("view", ["top-label", "classwise", "joint"])
@pytest.mark.parametrize("bins", ["equal-width:5", "equal-size:5"])
def test_integer_weights_are_repetitions(rng, view, bins):
    """A row of weight 3 counts like three rows, in every view and scheme."""
    prob = rng.dirichlet(np.ones(3), 40)
    y, weight = rng.integers(3, size=40), rng.integers(0, 4, 40)
    weighted = pb.Predictions.from_arrays(y, prob, weight=weight)
    repeated = pb.Predictions.from_arrays(np.repeat(y, weight), np.repeat(prob, weight, axis=0))
    settings = {"view": view, "bins": None if view == "joint" else bins}
    assert error(weighted, **settings) == pytest.approx(error(repeated, **settings), rel=1e-12)


def test_float32_scores_on_edges_fall_where_float64_scores_fall():
    """A table of decimal scores has one error, whatever its dtype (to single precision)."""
    p = np.arange(1, 10) / 10
    y = np.array([0, 1, 0, 1, 1, 0, 1, 1, 1])
    double = pb.Predictions.from_arrays(y, p)
    single = pb.Predictions.from_arrays(y, p.astype(np.float32))
    assert error(single, bins="equal-width:10") == pytest.approx(
        error(double, bins="equal-width:10"), abs=1e-7
    )


def test_defaults_are_the_positive_class_for_two_classes_and_the_top_label_for_more(rng):
    """The default view depends on k alone and is named in the result."""
    two = pb.Predictions.from_arrays(["no", "yes"], [0.2, 0.6])
    three = pb.Predictions.from_arrays([0, 1], rng.dirichlet(np.ones(3), 2))
    assert pb.calibration_error(two, resamples=0).view == "one-vs-rest:yes"
    result = pb.calibration_error(three, resamples=0)
    assert (result.view, result.scheme, result.distance) == (
        "top-label",
        "equal-width:15",
        "absolute",
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"view": "toplabel"}, "Did you mean 'top-label'"),
        ({"view": "one-vs-rest"}, "one-vs-rest:a"),
        ({"view": "one-vs-rest:d"}, "no class 'd'"),
        ({"view": "classwise:a"}, "takes no class"),
        ({"view": "top-k"}, "such as 'top-k:1'"),
        ({"view": "top-k:x"}, "such as 'top-k:1'"),
        ({"view": "top-k:3"}, "`view` must be 'top-k:K' with K from 1 to 2"),
        ({"distance": "euclid"}, "distance"),
        ({"distance": "chi-squared"}, "Did you mean 'chi-square'"),
        ({"distance": "hellinger", "view": "joint"}, "is not a sum over classes"),
        ({"distance": abs_gap, "view": "joint"}, "use 'absolute', 'square', 'log', 'chi-square'"),
        ({"distance": lambda y: y}, "takes 1 positional argument"),
        ({"distance": lambda y, p: 0.5}, "shape (5, 5) with numbers of that shape, got shape ()"),
        ({"distance": lambda y, p: y > p}, "of bool"),
        ({"distance": lambda y, p: (y - p) ** 2 / p}, "got nan at y = 0, p = 0"),
        ({"distance": lambda y, p: -y / p}, "'<lambda>' must be a number or infinite"),
        ({"distance": lambda y, p: y if y > p else p}, "must take arrays y and p of one shape"),
        ({"distance": DISTANCES["log"]}, "named 'log'"),
        ({"bins": "equal-with:15"}, "Did you mean 'equal-width:15'"),
        ({"bins": "equal-width:0"}, "at least 1"),
        ({"bins": 1.5}, "EqualWidth"),
        ({"outcome": "right"}, "outcome"),
        ({"view": "classwise", "outcome": "correct"}, "classwise"),
        ({"view": "top-label", "outcome": "class"}, "top-label"),
        ({"resamples": -1}, "resamples"),
        ({"workers": 0}, "workers"),
        ({"rng": -5}, "rng"),
        ({"rng": "seed"}, "rng"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(rng, settings, words):
    """Every unknown name or value is refused with what arrived and what is meant."""
    data = pb.Predictions.from_arrays(["a", "b", "c"], rng.dirichlet(np.ones(3), 3))
    with pytest.raises((pb.ParameterError, pb.InputError)) as caught:
        pb.calibration_error(data, **({"resamples": 9} | settings))
    assert words in str(caught.value)


def test_a_table_without_probabilities_has_no_calibration_error():
    """Labels and ratings are refused with the remedy."""
    labels = pb.Predictions.from_arrays([0, 1], predicted=[0, 1])
    with refused(pb.InputError, "labels-only", "p:<class>"):
        pb.calibration_error(labels)
    ratings = pb.Predictions.from_arrays([0, 1], score=[-2.0, 3.0])
    with refused(pb.InputError, "ratings-only", "held-out"):
        pb.calibration_error(ratings)


def test_subnormal_probabilities_are_small_not_impossible():
    """A probability of 5e-324 that happened is a large finite error, not an infinite one."""
    data = pb.Predictions.from_arrays([1, 0], [5e-324, 0.0])
    result = pb.calibration_error(data, distance="log", bins="one-per-point", resamples=0)
    assert result.value == pytest.approx(pb.log_loss(data), rel=1e-12)


def test_rows_that_sum_to_one_only_in_single_precision_are_no_error():
    """Float32 rows that sum to 1.0003 and fit their labels have a log error of 0, not below."""
    prob = np.tile(np.array([0.5, 0.3, 0.2]) * 1.0003, (10, 1)).astype(np.float32)
    data = pb.Predictions.from_arrays([0] * 5 + [1] * 3 + [2] * 2, prob)
    for view in ("joint", "classwise", "top-label"):
        assert error(data, view=view, distance="log") == pytest.approx(0, abs=1e-7)


def test_correct_means_that_the_predicted_class_is_right_for_any_number_of_classes(rng):
    """outcome="correct" compares P(class) with the right answers, and draws them as such."""
    prob = rng.dirichlet(np.ones(3), 60)
    data = pb.Predictions.from_arrays(rng.integers(3, size=60), prob)
    with pytest.warns(pb.PlumblineWarning):
        result = pb.calibration_error(
            data, view="one-vs-rest:1", outcome="correct", bins="equal-width:1", resamples=2000
        )
    assert result.bins[0]["outcome_share"] == pytest.approx(pb.accuracy(data))
    assert result.value == pytest.approx(abs(pb.accuracy(data) - prob[:, 1].mean()))
    expected = prob.max(axis=1)
    spread = np.sqrt((expected * (1 - expected)).sum()) / 60
    gap = abs(expected.mean() - prob[:, 1].mean())  # far from 0, so the mean of |.| is its |mean|
    assert gap > 4 * spread
    assert result.null_mean == pytest.approx(gap, abs=4 * spread / np.sqrt(2000))


def test_the_log_distance_cannot_ask_for_right_answers():
    """P(class) = 0 that is rightly not answered would be infinite, so the pair is refused."""
    data = pb.Predictions.from_arrays([0, 0, 1], [0.0, 0.2, 0.9])
    with (
        pytest.warns(pb.PlumblineWarning),
        refused(pb.ParameterError, "always-infinite", argument="distance"),
    ):
        pb.calibration_error(data, outcome="correct", distance="log")


def test_a_table_whose_weights_are_all_zero_is_refused():
    """A selection without weight has nothing to measure."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.4], weight=[0, 0, 1])
    with refused(pb.InputError, "weights-all-zero"):
        pb.calibration_error(data.select(where=[0, 1]))


def test_small_complements_survive_classwise():
    """The sum of the others keeps 1e-12 where 1 - p would round it: classwise log stays finite."""
    prob = [[1 - 1e-12, 6e-13, 4e-13], [0.2, 0.3, 0.5]]
    data = pb.Predictions.from_arrays([1, 2], prob)
    value = error(data, view="classwise", distance="log", bins="one-per-point")
    views = [
        error(data, view=f"one-vs-rest:{c}", distance="log", bins="one-per-point") for c in range(3)
    ]
    assert value == pytest.approx(np.mean(views), rel=1e-12)
    assert value > 3


class TestDistances:
    """The distances as functions of a share y and a probability p."""

    def test_values_by_hand(self):
        """At y = 1/4, p = 1/2: the gap, its square, that over p (1 - p), and the Hellinger root."""
        given = (0.25, 0.5, 0.5)
        assert DISTANCES["absolute"](*given) == 0.25
        assert DISTANCES["square"](*given) == 0.0625
        assert DISTANCES["chi-square"](*given) == 0.25
        expected = math.sqrt(1 - math.sqrt(0.125) - math.sqrt(0.375))
        assert DISTANCES["hellinger"](*given) == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize("distance", sorted({*DISTANCES} - {*ONE_SIDED}))
    def test_a_distance_is_0_exactly_where_share_and_probability_agree(self, distance):
        """Also at 0 and 1, where the formulas divide by 0; it is symmetric in the two outcomes."""
        p = np.linspace(0, 1, 9)
        gap = DISTANCES[distance](p[:, None], p, 1 - p)
        assert np.all((gap == 0) == np.eye(9, dtype=bool))
        assert gap[::-1, ::-1] == pytest.approx(gap, rel=1e-12)
        assert np.all(gap >= 0)

    def test_one_sided_distances_are_the_parts_of_the_absolute_one(self):
        """max(p - y, 0) and max(y - p, 0): one is 0, the other the gap."""
        y, p = np.linspace(0, 1, 9)[:, None], np.linspace(0, 1, 7)
        over, under = (DISTANCES[name](y, p, 1 - p) for name in ONE_SIDED)
        assert np.array_equal(over + under, np.abs(y - p))
        assert np.array_equal(over > 0, p > y)
        assert np.array_equal(under > 0, y > p)

    def test_the_impossible_is_infinitely_far_or_as_far_as_can_be(self):
        """Log and chi-square are infinite where an outcome of probability 0 happened."""
        for y, p in ((0.5, 0.0), (1.0, 0.0), (0.5, 1.0), (0.0, 1.0)):
            assert DISTANCES["log"](y, p, 1 - p) == math.inf
            assert DISTANCES["chi-square"](y, p, 1 - p) == math.inf
        assert DISTANCES["hellinger"](1.0, 0.0, 1.0) == 1.0

    def test_small_complements_keep_their_digits(self):
        """At y = 1 chi-square is q / p and Hellinger about sqrt(q / 2), also where 1 - p is 0."""
        p, q = 1.0, 1e-20
        assert DISTANCES["chi-square"](1.0, p, q) == pytest.approx(q, rel=1e-12)
        assert DISTANCES["chi-square"](0.0, p, q) == pytest.approx(1 / q, rel=1e-12)
        assert DISTANCES["hellinger"](1.0, p, q) == pytest.approx(math.sqrt(q / 2), rel=1e-12)
        near = 0.5 + 1e-9  # the formula as it is written loses all digits here
        expected = 1e-9 / math.sqrt(2)
        assert DISTANCES["hellinger"](near, 0.5, 0.5) == pytest.approx(expected, rel=1e-6)

    def test_chi_square_one_per_point_is_the_inverse_probability_less_one(self, rng):
        """One point a bin: the mean of 1 / p(what happened) - 1, also jointly for distinct rows."""
        prob = rng.dirichlet(np.ones(3), 50)
        y = rng.integers(3, size=50)
        data = pb.Predictions.from_arrays(y, prob)
        own = (1 / prob[np.arange(50), y] - 1).mean()
        assert error(data, view="joint", distance="chi-square") == pytest.approx(own)
        binary = data.top_label()
        own = (1 / binary.prob[np.arange(50), binary.actual] - 1).mean()
        value = error(data, view="top-label", distance="chi-square", bins="one-per-point")
        assert value == pytest.approx(own)

    @pytest.mark.parametrize("view", ["top-label", "classwise", "one-vs-rest:2"])
    @pytest.mark.parametrize("bins", ["equal-width:7", "tail-size:7", "one-per-point"])
    def test_a_distance_of_ones_own_is_treated_like_a_named_one(self, rng, view, bins):
        """The same value and the same draws, under the function's name."""
        data = pb.Predictions.from_arrays(rng.integers(3, size=60), rng.dirichlet(np.ones(3), 60))
        own = define_error(data, view, bins, abs_gap)
        named = define_error(data, view, bins, "absolute")
        assert own.distance == "abs_gap"
        draws = [resampled(statistic(data, definition), 50) for definition in (own, named)]
        assert draws[0].tolist() == draws[1].tolist()
        values = [value_of(statistic(data, definition)) for definition in (own, named)]
        assert values[0] == values[1]

    def test_every_function_takes_a_distance_of_ones_own(self, rng):
        """Error, test, diagram, evaluation and scorer name it and give its number."""
        data = pb.Predictions.from_arrays(rng.integers(2, size=40), rng.random(40))
        settings = {"distance": abs_gap, "resamples": 39}
        expected = error(data)
        result = evaluate(data, ReportParams(**settings)).models[0]
        own, curve = error_and_curve(data, **settings)
        assert curve.value == expected
        for one in (
            pb.calibration_error(data, **settings),
            pb.calibration_test(data, statistic="ece", **settings),
            *(result.calibration[0], own),
        ):
            assert (one.distance, one.value) == ("abs_gap", expected)
        score = expected_calibration_error(data.actual, data.prob[:, 1], distance=abs_gap)
        assert score == pytest.approx(expected)

    def test_a_distance_of_ones_own_that_turns_to_nan_later_is_refused_then(self):
        """What the trial did not meet is met where it happens, and named."""
        data = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.3, 0.3])
        definition = define_error(
            data, None, "equal-width:5", lambda y, p: np.where(p == 0.3, np.nan, y)
        )
        with refused(
            pb.ParameterError, "score-undefined", "1", "0.3", "got nan", argument="distance"
        ):
            value_of(statistic(data, definition))

    @pytest.mark.parametrize(
        "distance", ["log", "chi-square", lambda y, p: np.where(y > p, y / p, 0)]
    )
    def test_distances_that_may_be_infinite_cannot_ask_for_right_answers(self, distance):
        """The refusal holds for every distance of the kind, by what it does."""
        data = pb.Predictions.from_arrays([0, 0, 1], [0.1, 0.2, 0.9])
        with (
            pytest.warns(pb.PlumblineWarning),
            refused(pb.ParameterError, "always-infinite", argument="distance"),
        ):
            define_error(data, None, None, distance, "correct")


def thesis_error(y, p, scheme, b, distance):
    """Binary error as "Increasing the Power of a Classifier's Calibration Test" computes it."""
    if scheme == "equal-size":
        groups = np.array_split(np.argsort(p, kind="stable"), b)
    else:
        home = [min(int(one // (1 / b)), b - 1) for one in p.tolist()]
        groups = [np.array([i for i in range(len(p)) if home[i] == j], int) for j in range(b)]
    total = 0.0
    for rows in groups:
        if len(rows):
            share, mean = y[rows].mean(), p[rows].mean()
            total += len(rows) / len(p) * thesis_distance(share, mean, distance)
    return total


def thesis_distance(y, p, distance):
    """Absolute, square or logarithmic distance; an infinite one counts 99999."""
    if distance != "log":
        return abs(y - p) if distance == "absolute" else (y - p) ** 2
    total = 0.0
    for a, b in ((y, p), (1 - y, 1 - p)):
        if a > 0:
            total += a * math.log(a / b) if b > 0 else math.inf
    return 99999 if math.isinf(total) else total


class TestLikeTheThesis:
    """The conventions of "Increasing the Power of a Classifier's Calibration Test"."""

    @pytest.mark.parametrize("distance", ["absolute", "square", "log"])
    @pytest.mark.parametrize("scheme", ["equal-size", "equal-width"])
    @pytest.mark.parametrize("b", [1, 4, 10, 33, 100])
    def test_values_equal_a_literal_loop(self, rng, scheme, b, distance):
        """Ties, decimals on edges and impossible outcomes included, in all views."""
        prob = rng.dirichlet([0.3, 0.4, 0.5], 100).round(1)
        prob[:, 2] = np.abs(1 - prob[:, 0] - prob[:, 1]).round(1)
        y = rng.integers(3, size=100)
        data = pb.Predictions.from_arrays(y, prob)
        one = {}
        for c in range(3):
            what = statistic(
                data,
                define_error(data, f"one-vs-rest:{c}", f"{scheme}:{b}", distance, like="thesis"),
            )
            one[c] = thesis_error((y == c).astype(float), prob[:, c], scheme, b, distance)
            assert value_of(what) == pytest.approx(one[c], rel=1e-9)
            assert observed(what) == pytest.approx(one[c], rel=1e-9)
        definition = define_error(data, "classwise", f"{scheme}:{b}", distance, like="thesis")
        whole = value_of(statistic(data, definition))
        assert whole == pytest.approx(np.mean(list(one.values())), rel=1e-9)
        definition = define_error(data, "top-label", f"{scheme}:{b}", distance, like="thesis")
        right = (prob.argmax(axis=1) == y).astype(float)
        expected = thesis_error(right, prob.max(axis=1), scheme, b, distance)
        assert value_of(statistic(data, definition)) == pytest.approx(expected, rel=1e-9)

    def test_an_impossible_outcome_counts_99999_times_its_share(self):
        """One row of four, in a bin of its own or one a point."""
        data = pb.Predictions.from_arrays([1, 0, 0, 1], [0.0, 0.0, 0.0, 1.0])
        for bins, value in (("one-per-point", 99999 / 4), ("equal-width:2", 99999 * 3 / 4)):
            definition = define_error(data, None, bins, "log", like="thesis")
            assert value_of(statistic(data, definition)) == value
            assert value_of(statistic(data, definition.ours)) == math.inf

    def test_example_4_has_its_published_errors(self):
        """(0.8, 0.2) said, (0.9, 0.1) true, one bin a point: .26, and .32 if it were calibrated."""
        errors = []
        for share in (9, 8):
            y = [0] * share + [1] * (10 - share)
            data = pb.Predictions.from_arrays(y, np.tile([0.8, 0.2], (10, 1)))
            definition = define_error(data, "classwise", "equal-size:10", like="thesis")
            errors.append(value_of(statistic(data, definition)))
        assert errors == pytest.approx([0.26, 0.32])

    @pytest.mark.parametrize(
        ("bins", "distance", "published"),
        [("equal-size:10", "absolute", 0.397), ("equal-size:100", "log", 0.850)],
    )
    def test_the_power_in_experiment_1_is_the_published_one(self, bins, distance, published):
        """95 labels drawn from Dir(.1, .1) predictions, 5 at random; 300 data sets, classwise.

        Both powers are estimates: 3 standard errors of the difference, and the published ones share
        their data sets, which moves them by .03.
        """
        rng = np.random.default_rng(1)
        rejected = 0
        for _ in range(300):
            prob = rng.dirichlet([0.1, 0.1], 100)
            y = (rng.random(100) < prob[:, 1]).astype(int)
            y[95:] = rng.integers(2, size=5)
            data = pb.Predictions.from_arrays(y, prob)
            what = statistic(data, define_error(data, "classwise", bins, distance, like="thesis"))
            value = observed(what)
            draws = resampled(what, 100, rng=rng, workers=1)
            rejected += (1 + np.sum(draws >= value - 1e-12 * (1 + value))) / 101 <= 0.05
        error = math.sqrt(published * (1 - published) * (1 / 300 + 1 / 1000))
        assert rejected / 300 == pytest.approx(published, abs=3 * error)

    def test_a_setting_says_whose_conventions_it_has(self):
        """The name of the bins stays, and the way back to the usual ones is open."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6])
        definition = define_error(data, None, "equal-size:2", like="thesis")
        parts = ["one-vs-rest:1", "equal-size:2", "absolute", "like: thesis"]
        assert str(definition).split(", ") == parts
        assert definition.ours == define_error(data, None, "equal-size:2")

    def test_a_warning_tells_what_the_usual_conventions_give(self):
        """0.5 is in [0, 0.5] here and in [0.5, 1] there; nothing is said where nothing differs."""
        data = pb.Predictions.from_arrays([0, 1, 1], [0.5, 0.3, 0.6])
        definition = define_error(data, None, "equal-width:2", like="thesis")
        value = value_of(statistic(data, definition))
        usual = value_of(statistic(data, definition.ours))
        assert (value, usual) == pytest.approx((0.8 / 3, 0.2))
        with warned("other-conventions", f"{usual:.6g} on"):
            warn_of_preset(data, definition, value)
        warn_of_preset(data, definition.ours, usual)
        same = define_error(data, None, "one-per-point", like="thesis")
        warn_of_preset(data, same, value_of(statistic(data, same)))

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({"like": "thesys"}, ("unknown-name", "`like`", "'thesis'")),
            ({"view": "joint"}, ("view-not-possible", "`like`", "'joint'")),
            (
                {"bins": "tail-size:5"},
                ("preset-without-bins", "`like`", "'equal-width:b'", "'equal-size:b'"),
            ),
        ],
    )
    def test_what_the_preset_does_not_have_is_refused(self, settings, words):
        """The refusal says what it does have."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6])
        with refused(pb.ParameterError, *words):
            define_error(data, **({"like": "thesis"} | settings))

    def test_weighted_rows_are_refused(self):
        """A cut by rank has no weights."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6], weight=[1, 2])
        with refused(pb.ParameterError, "preset-without-weights", argument="like"):
            define_error(data, like="thesis")
