"""Calibration errors: worked examples of the literature, views, distances, and a literal oracle."""

import math

import numpy as np
import pytest

import plumbline as pb
from plumbline.calibration import DISTANCES, setting, statistic, value_of
from plumbline.nulls import observed

EXAMPLE_1 = np.array([[0.2, 0.2, 0.6]] * 5 + [[0.2, 0.0, 0.8]] * 5)
EXAMPLE_1_LABELS = [1, 2, 3, 3, 3, 1, 3, 3, 3, 3]


def error(data, **settings):
    """Return the value alone."""
    return pb.calibration_error(data, resamples=0, **settings).value


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
        for distance in DISTANCES:
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
    with pytest.warns(pb.PlumblineWarning, match="top-label"):
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
    with pytest.raises(pb.InputError, match=r"1\.36"):
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


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_joint_view_of_two_classes_is_the_binary_error_of_distinct_scores(rng, distance):
    """With two classes, joint equals one bin a distinct score of the positive class."""
    p = rng.integers(1, 10, 120) / 10
    data = pb.Predictions.from_arrays(rng.integers(2, size=120), p)
    joint = error(data, view="joint", distance=distance)
    assert joint == pytest.approx(error(data, bins="equal-width:10", distance=distance), rel=1e-12)


def test_joint_distances_are_total_variation_half_euclidean_and_kullback_leibler():
    """One vector shared by all rows: the joint error is the distance of shares and vector."""
    vector, shares = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.5, 0.25])
    data = pb.Predictions.from_arrays([0, 1, 1, 2], np.tile(vector, (4, 1)))
    gap = shares - vector
    assert error(data, view="joint") == pytest.approx(0.5 * np.abs(gap).sum())
    assert error(data, view="joint", distance="square") == pytest.approx(0.5 * (gap**2).sum())
    kl = float((shares * np.log(shares / vector)).sum())
    assert error(data, view="joint", distance="log") == pytest.approx(kl)


def test_one_point_per_bin_square_is_the_brier_score_and_log_the_log_loss(rng):
    """One per point: square is Brier (classwise: /k), log is the log loss of the binary view."""
    prob = rng.dirichlet(np.ones(3), 100)
    data = pb.Predictions.from_arrays(rng.integers(3, size=100), prob)
    one = {"bins": pb.OnePerPoint()}
    square = error(data, view="classwise", distance="square", **one)
    assert square == pytest.approx(pb.brier_score(data) / 3, rel=1e-12)
    lens = data.top_label()
    assert error(data, view="top-label", distance="log", **one) == pytest.approx(pb.log_loss(lens))
    assert error(lens, distance="square", **one) == pytest.approx(pb.brier_score(lens) / 2)


def test_log_distance_is_infinite_only_where_the_impossible_happened():
    """Probability 0 that happened is infinite with its count; probability 1 that happened is 0."""
    bad = pb.Predictions.from_arrays([1, 0, 1], [0.0, 0.0, 1.0])
    result = pb.calibration_error(bad, distance="log", resamples=99)
    assert math.isinf(result.value)
    assert result.impossible_rows == 1
    assert result.to_dict()["value"] is None
    assert "in 1 row what happened" in result.reason
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
    what = statistic(data, setting(data, view, None if view == "joint" else bins, distance))
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
        "top-label", "equal-width:15", "absolute",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"view": "toplabel"}, "did you mean 'top-label'"),
        ({"view": "one-vs-rest"}, "one-vs-rest:a"),
        ({"view": "one-vs-rest:d"}, "no class 'd'"),
        ({"view": "classwise:a"}, "takes no class"),
        ({"view": "joint", "bins": "equal-width:3"}, "takes no `bins`"),
        ({"distance": "euclid"}, "distance"),
        ({"bins": "equal-with:15"}, "did you mean 'equal-width:15'"),
        ({"bins": "equal-width:0"}, "at least 1"),
        ({"bins": 15}, "EqualWidth"),
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
    with pytest.raises(pb.InputError, match="p:<class>"):
        pb.calibration_error(labels)
    ratings = pb.Predictions.from_arrays([0, 1], score=[-2.0, 3.0])
    with pytest.raises(pb.InputError, match="held-out data"):
        pb.calibration_error(ratings)


def test_subnormal_probabilities_are_small_not_impossible():
    """A probability of 5e-324 that happened is a large finite error, not an infinite one."""
    data = pb.Predictions.from_arrays([1, 0], [5e-324, 0.0])
    found = pb.calibration_error(data, distance="log", bins="one-per-point", resamples=0)
    assert found.value == pytest.approx(pb.log_loss(data), rel=1e-12)


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
        found = pb.calibration_error(
            data, view="one-vs-rest:1", outcome="correct", bins="equal-width:1", resamples=2000
        )
    assert found.bins[0]["outcome_share"] == pytest.approx(pb.accuracy(data))
    assert found.value == pytest.approx(abs(pb.accuracy(data) - prob[:, 1].mean()))
    expected = prob.max(axis=1)
    spread = np.sqrt((expected * (1 - expected)).sum()) / 60
    gap = abs(expected.mean() - prob[:, 1].mean())  # far from 0, so the mean of |.| is its |mean|
    assert gap > 4 * spread
    assert found.null_mean == pytest.approx(gap, abs=4 * spread / np.sqrt(2000))


def test_the_log_distance_cannot_ask_for_right_answers():
    """P(class) = 0 that is rightly not answered would be infinite, so the pair is refused."""
    data = pb.Predictions.from_arrays([0, 0, 1], [0.0, 0.2, 0.9])
    with pytest.warns(pb.PlumblineWarning), pytest.raises(pb.ParameterError, match="infinite"):
        pb.calibration_error(data, outcome="correct", distance="log")


def test_a_table_whose_weights_are_all_zero_is_refused():
    """A selection without weight has nothing to measure."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.4], weight=[0, 0, 1])
    with pytest.raises(pb.InputError, match="all weights"):
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
