"""Log loss, Brier score, accuracy: against scikit-learn, by hand, and at their edges."""

import math

import numpy as np
import pytest
from sklearn import metrics

import plumbline as pb
from plumbline.metrics import model_scores
from plumbline.scores import brier_convention, brier_score_multiclass, impossible_rows
from refusals import refused


def random_case(rng, n=300, k=4):
    """Return labels, probabilities and weights."""
    prob = rng.dirichlet(np.ones(k), n)
    return rng.integers(k, size=n), prob, rng.uniform(0.1, 3.0, n)


@pytest.mark.parametrize("k", [2, 3, 10])
def test_scores_equal_scikit_learns_on_random_weighted_data(rng, k):
    """Log loss, both Brier scores and accuracy agree with scikit-learn's to rounding."""
    y, prob, weight = random_case(rng, k=k)
    data = pb.Predictions.from_arrays(y, prob, weight=weight)
    labels = list(range(k))
    expected = metrics.log_loss(y, prob, labels=labels, sample_weight=weight)
    assert pb.log_loss(data) == pytest.approx(expected, rel=1e-12)
    params = {"labels": labels, "sample_weight": weight}
    brier = metrics.brier_score_loss(y, prob, **params)
    assert pb.brier_score(data) == pytest.approx(brier, rel=1e-12)
    summed = metrics.brier_score_loss(y, prob, scale_by_half=False, **params)
    assert brier_score_multiclass(data) == pytest.approx(summed, rel=1e-12)
    top = prob.argmax(axis=1)
    right = metrics.accuracy_score(y, top, sample_weight=weight)
    assert pb.accuracy(data) == pytest.approx(right, rel=1e-12)


def test_two_class_brier_score_is_the_positive_class_on_every_surface(rng):
    """The value of scikit-learn for one column, whatever the metric is asked through."""
    y, prob, _ = random_case(rng, k=2)
    data = pb.Predictions.from_arrays(y, prob[:, 1], classes=[0, 1])
    one = pytest.approx(metrics.brier_score_loss(y, prob[:, 1]), rel=1e-12)
    twice = pytest.approx(2 * metrics.brier_score_loss(y, prob[:, 1]), rel=1e-12)
    assert pb.brier_score(data) == pb.brier_score(data, target=1) == one
    assert pb.brier_score(data, target=0) == one
    assert brier_score_multiclass(data) == twice
    result = pb.measure(data, ["brier-score", "brier-score-multiclass"], resamples=0)
    assert (result["brier-score"].value, result["brier-score"].view) == (one, "one-vs-rest:1")
    assert result["brier-score-multiclass"].value == twice
    tested = pb.calibration_test(data, statistic="brier-score")
    assert (tested.value, tested.view) == (one, "one-vs-rest:1")
    scored = model_scores(data).scores_dict()
    assert scored["brier_score"] == one
    assert scored["brier_score_convention"] == brier_convention(data)
    parts = pb.measure(data, ["miscalibration", "discrimination", "uncertainty"], resamples=0)
    terms = [part.value for part in parts.measures]
    assert terms[0] - terms[1] + terms[2] == one
    advice = pb.recalibration_advice(data, methods=["temperature", "platt"])
    assert advice.brier_before == one
    pair = pb.compare({"a": data, "b": data}).pairs[0]
    assert (pair.values[0], pair.target) == (one, "1")


def test_two_columns_that_do_not_add_up_exactly_score_the_positive_one(rng):
    """Single-precision columns sum to 1 within their rounding: the positive one counts."""
    y, prob, _ = random_case(rng, k=2)
    prob = (prob * (1 + 1e-4 * rng.uniform(-1, 1, (300, 1)))).astype(np.float32)
    data = pb.Predictions.from_arrays(y, prob, classes=[0, 1])
    one = float(np.mean((prob[:, 1].astype(float) - y) ** 2))
    assert pb.brier_score(data) == pytest.approx(one, rel=1e-12)
    assert pb.measure(data, "brier-score", resamples=0)["brier-score"].value == pytest.approx(one)


@pytest.mark.parametrize("k", [2, 4])
def test_brier_score_summed_is_the_sum_of_the_one_vs_rest_scores(rng, k):
    """Summed over k classes it is the sum of the scores of its classes, also as binary views."""
    y, prob, _ = random_case(rng, k=k)
    data = pb.Predictions.from_arrays(y, prob)
    parts = [pb.brier_score(data, target=c) for c in data.classes]
    assert brier_score_multiclass(data) == pytest.approx(sum(parts), rel=1e-12)
    binary = data.one_vs_rest(k - 1)
    assert pb.brier_score(binary) == pytest.approx(parts[k - 1], rel=1e-12)


def test_infinite_log_loss_is_reported_with_its_rows_never_clipped():
    """A true class with probability 0 makes the log loss infinite, and its rows are counted."""
    data = pb.Predictions.from_arrays([0, 1, 1], [1.0, 0.5, 1.0])
    assert impossible_rows(data) == 1
    assert math.isinf(pb.log_loss(data))


def test_clip_reproduces_scikit_learns_finite_log_loss():
    """With clip= the machine epsilon, the log loss is what scikit-learn prints."""
    y, prob = [0, 1, 0, 1], [1.0, 0.5, 0.2, 0.0]
    data = pb.Predictions.from_arrays(y, prob)
    eps = float(np.finfo(np.float64).eps)
    assert pb.log_loss(data, clip=eps) == pytest.approx(metrics.log_loss(y, prob), rel=1e-9)


@pytest.mark.parametrize("clip", [0, 1, 5, -0.1, "small"])
def test_clip_must_be_a_fraction(clip):
    """A clip outside (0, 1) is refused with the value."""
    data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6])
    with refused(pb.ParameterError, "no-fraction", argument="clip"):
        pb.log_loss(data, clip=clip)


def test_log_loss_of_logits_stays_finite_where_probabilities_round_to_zero():
    """Logits of 1000 give a log loss of 1000, not infinity."""
    data = pb.Predictions.from_logits([0, 1], [[0.0, 1000.0], [0.0, 1000.0]])
    assert data.prob[0, 0] == 0.0
    assert pb.log_loss(data) == pytest.approx(500.0, rel=1e-12)
    assert impossible_rows(data) == 0


def test_log_loss_of_logits_survives_select_and_binary_views():
    """The stable log probabilities follow the rows and the binary view."""
    z = [[0.0, 900.0, 3.0], [0.0, 800.0, 1.0], [5.0, 0.0, 0.0]]
    data = pb.Predictions.from_logits([0, 1, 0], z)
    assert pb.log_loss(data.select(where=[0, 1])) == pytest.approx(450.0, rel=1e-12)
    assert pb.log_loss(data.one_vs_rest(0).select(where=[0, 1])) == pytest.approx(450, rel=1e-9)


def test_a_row_of_weight_zero_is_absent_even_if_infinite():
    """A row of weight 0 changes nothing, not even by an infinite loss."""
    full = pb.Predictions.from_arrays([0, 1, 1], [1.0, 0.5, 1.0], weight=[0, 1, 1])
    rest = pb.Predictions.from_arrays([1, 1], [0.5, 1.0])
    assert pb.log_loss(full) == pytest.approx(pb.log_loss(rest), rel=1e-15)
    assert impossible_rows(full) == 0


def test_accuracy_follows_the_predicted_column_then_the_threshold_then_the_first_maximum():
    """`predicted` wins; two classes are positive at exactly 0.5; ties go to the first class."""
    assert pb.accuracy(pb.Predictions.from_arrays([1, 0], [0.5, 0.49])) == 1.0
    assert pb.accuracy(pb.Predictions.from_arrays([1, 0], [0.5, 0.49], predicted=[0, 0])) == 0.5
    tied = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4], [0.3, 0.3, 0.4]]
    assert pb.accuracy(pb.Predictions.from_arrays([0, 1, 2], tied)) == 1.0


def test_accuracy_of_labels_alone_and_of_ratings():
    """Labels suffice for accuracy; ratings without labels are refused with the remedy."""
    labels = pb.Predictions.from_arrays(["a", "b", "b"], predicted=["a", "b", "a"])
    assert pb.accuracy(labels) == pytest.approx(2 / 3)
    ratings = pb.Predictions.from_arrays([0, 1], score=[-1.0, 2.0])
    with refused(pb.InputError, "ratings-only"):
        pb.accuracy(ratings)


def test_class_names_do_not_matter(rng):
    """Renaming and reordering the classes changes no score."""
    y, prob, _ = random_case(rng, k=3)
    data = pb.Predictions.from_arrays(y, prob)
    order = [2, 0, 1]
    names = np.array(["zebra", "ape", "newt"])
    other = pb.Predictions.from_arrays(names[y], prob[:, order], classes=names[order])
    for score in (pb.log_loss, pb.brier_score, pb.accuracy):
        assert score(other) == pytest.approx(score(data), rel=1e-14)


def test_the_brier_score_of_nearly_perfect_probabilities_keeps_its_digits():
    """Errors of 1e-8 to 1e-12 add up to their squares, with no cancellation."""
    gap = np.logspace(-8, -12, 1000)
    data = pb.Predictions.from_arrays(np.ones(1000, int), 1 - gap, classes=[0, 1])
    exact = float(np.mean(np.square(1 - (1 - gap))))
    assert pb.brier_score(data) == pytest.approx(exact, rel=1e-12)
    assert pb.brier_score(data, target=0) == pytest.approx(exact, rel=1e-12)


def test_perfect_predictions_have_a_log_loss_of_plain_zero():
    """Zero, not minus zero."""
    data = pb.Predictions.from_arrays([0, 1], [0.0, 1.0])
    assert str(pb.log_loss(data)) == "0.0"


def test_a_part_without_weight_is_undefined_not_zero():
    """All weights 0, as in one fold of a table: NaN."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], weight=[1, 0, 0], fold=[0, 1, 1])
    part = data.select(fold=1)
    assert math.isnan(pb.log_loss(part))
    assert math.isnan(pb.brier_score(part))
    assert part.effective_n == 0.0
