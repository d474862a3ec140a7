"""Scores and skills as calibration statistics: against their formulas, and each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import d2_log_loss_score

import plumbline as pb
from label_sets import chances, label_sets, values_of_all
from laws import examples
from plumbline.calibration import (
    define_error,
    point_statistic,
    skill_statistic,
    statistic,
    value_of,
)
from plumbline.calibration.score_statistics import POINT_VALUES, REFERENCES
from plumbline.nulls import observed, resampled
from refusals import refused
from strategies import Binary, binary_tables, probability_tables

MEANS = ("log-loss", "brier-score", "brier-score-multiclass", "chi-square")


def two_sided(what, seed=0):
    """Return the two-sided resampled p-value."""
    value, draws = float(observed(what)), resampled(what, 99, rng=seed, workers=1)
    slack = 1e-9 * (1 + abs(value)) if np.isfinite(value) else 0.0
    upper = 1 + np.count_nonzero(draws >= value - slack)
    lower = 1 + np.count_nonzero(draws <= value + slack)
    return min(1.0, 2 * min(upper, lower) / 100)


def table(y, prob, weight=None):
    """Return predictions of given probabilities."""
    return pb.Predictions.from_arrays(y, prob, classes=range(prob.shape[1]), weight=weight)


@settings(max_examples=examples(50))
@given(probability_tables())
def test_scores_are_the_scores(columns):
    """The statistics are log loss and Brier score, and Pearson's sum over the classes."""
    y, prob = columns
    data = table(y, prob)
    assert value_of(point_statistic(data, "log-loss")) == pytest.approx(pb.log_loss(data))
    assert value_of(point_statistic(data, "brier-score")) == pytest.approx(pb.brier_score(data))
    hit = np.eye(prob.shape[1])[y]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(hit == prob, 0.0, (hit - prob) ** 2 / prob)
    expected = terms.sum(axis=1).mean()
    assert value_of(point_statistic(data, "chi-square")) == pytest.approx(expected)


def test_spiegelhalter_by_hand():
    """For p = .2, .6, y = 0, 1: (-.2 * .6 + .4 * -.2) / sqrt(.36 * .16 + .04 * .24)."""
    data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6])
    expected = (-0.2 * 0.6 + 0.4 * -0.2) / np.sqrt(0.36 * 0.16 + 0.04 * 0.24)
    assert value_of(point_statistic(data, "spiegelhalter")) == pytest.approx(expected)
    binary = data.one_vs_rest("1")
    assert value_of(point_statistic(data, "spiegelhalter", binary)) == pytest.approx(expected)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", POINT_VALUES)
def test_draws_have_the_mean_and_tail_of_the_full_enumeration(rng, name, k):
    """On 6 rows the draws agree with all label vectors, within 4 standard errors."""
    what = point_statistic(table(np.zeros(6, int), rng.dirichlet(np.ones(k), 6)), name)
    labels = label_sets(6, k)
    values, probability = values_of_all(what, labels), chances(what.prob, labels)
    draws = resampled(what, 5000, rng=1)
    mean = float(values @ probability)
    spread = float(np.sqrt((values - mean) ** 2 @ probability))
    assert draws.mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(len(draws)))
    cut = np.quantile(values, 0.5)
    tail = float(probability[values >= cut - 1e-9].sum())
    share = (draws >= cut - 1e-9).mean()
    assert share == pytest.approx(tail, abs=4 * np.sqrt(tail * (1 - tail) / len(draws)))


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 0.5, 1.0, 3.0]])
def test_spiegelhalter_has_mean_0_and_variance_1(rng, k, weight):
    """Exactly, over all label vectors, for any number of classes and with weights."""
    prob = rng.dirichlet(np.ones(k), 5)
    what = point_statistic(table(np.zeros(5, int), prob, weight), "spiegelhalter")
    labels = label_sets(5, k)
    z, probability = values_of_all(what, labels), chances(prob, labels)
    assert z @ probability == pytest.approx(0, abs=1e-12)
    assert z**2 @ probability == pytest.approx(1)


@pytest.mark.parametrize(
    "prob",
    [
        [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]],
        [[1 / 3, 1 / 3, 1 / 3], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]],
    ],
)
def test_spiegelhalter_is_constant_where_no_label_can_change_the_score(prob):
    """All 0, 1/2, 1 (or equal shares): Z is 0 for every label, and p = 1."""
    what = point_statistic(table([1, 1, 0], np.array(prob)), "spiegelhalter")
    assert not what.value.any()
    assert two_sided(what) == 1.0


@settings(max_examples=examples(50))
@given(binary_tables(least_weight=0), st.integers(0, 5))
def test_square_error_brier_score_and_spiegelhalter_are_one_test(columns, seed):
    """One per point, in a binary view, each is a rising affine function of the others."""
    data = columns.predictions()
    binary = data.one_vs_rest("1")
    whats = [statistic(data, define_error(data, "one-vs-rest:1", "one-per-point", "square"))]
    whats += [point_statistic(data, name, binary) for name in ("brier-score", "spiegelhalter")]
    p_values = [two_sided(what, seed) for what in whats]
    if whats[2].value.any():
        assert p_values[0] == p_values[1] == p_values[2]
    else:
        assert p_values[2] == 1.0


@settings(max_examples=examples(50))
@given(probability_tables())
def test_one_per_point_log_error_is_the_log_loss_and_classwise_square_the_brier_score(columns):
    """With one point a bin, log distance = log loss, and classwise square = Brier sum / k."""
    y, prob = columns
    data = table(y, prob)
    binary = data.top_label()
    log_error = pb.calibration_error(
        data, view="top-label", bins="one-per-point", distance="log", resamples=0
    )
    log_loss = value_of(point_statistic(data, "log-loss", binary))
    assert log_error.value == pytest.approx(log_loss)
    square = pb.calibration_error(
        data, view="classwise", bins="one-per-point", distance="square", resamples=0
    )
    brier = value_of(point_statistic(data, "brier-score-multiclass"))
    assert square.value == pytest.approx(brier / data.k)


@settings(max_examples=examples(50))
@given(binary_tables(), st.sampled_from(MEANS), st.randoms(use_true_random=False))
def test_order_of_rows_and_weight_as_repetition(columns, name, random):
    """Means do not see the order of rows, and a row of weight 2 is two rows."""
    order = list(range(columns.n))
    random.shuffle(order)
    one = value_of(point_statistic(columns.predictions(), name))
    other = value_of(point_statistic(columns.take(np.array(order)).predictions(), name))
    twice = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    repeated = value_of(point_statistic(twice.predictions(weighted=False), name))
    assert other == pytest.approx(one)
    assert repeated == pytest.approx(one)


@pytest.mark.parametrize("name", ["log-loss", "chi-square"])
def test_the_impossible_is_infinite_unless_its_weight_is_0(name):
    """Where the true class had 0 the score is infinite, is never drawn, and needs weight."""
    columns = Binary(np.array([1, 0]), np.array([0.0, 0.5]), np.array([1.0, 1.0]))
    what = point_statistic(columns.predictions(), name)
    assert value_of(what) == np.inf
    assert np.isfinite(resampled(what, 50)).all()
    none = Binary(columns.event, columns.score, np.array([0.0, 1.0]))
    assert np.isfinite(value_of(point_statistic(none.predictions(), name)))


def test_logits_keep_the_log_loss_finite():
    """Data made from logits uses its own logarithms."""
    data = pb.Predictions.from_logits([1, 0], [[800.0, 0.0], [0.0, 0.0]])
    result = value_of(point_statistic(data, "log-loss"))
    assert result == pytest.approx((800 + np.log(2)) / 2)


def test_bad_arguments():
    """An unknown name and a table without weight are refused."""
    data = pb.Predictions.from_arrays([0, 1], [0.2, 0.6], weight=[0, 1]).select(where=[0])
    with refused(pb.ParameterError, "unknown-name", "'brier-score'", argument="statistic"):
        point_statistic(data, "brier")
    with refused(pb.InputError, "weights-all-zero"):
        point_statistic(data, "brier-score")
    assert set(MEANS) < set(POINT_VALUES)


# ------------------------------------------------------------------ skill


def random_table(k, n=40, seed=2, weight=None):
    """Return rows of all classes."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k), rng.integers(k, size=n - k))
    return pb.Predictions.from_arrays(y, rng.dirichlet(np.ones(k), n), weight=weight)


def skill(data, name, binary=None):
    """Return the skill of the observed labels."""
    return float(observed(skill_statistic(data, name, binary)))


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_one_less_the_ratio_to_the_base_rate(k, weighted):
    """Against the scores of a random_table that gives every row the shares of the classes."""
    weight = np.random.default_rng(3).uniform(size=40) if weighted else None
    data = random_table(k, weight=weight)
    share = np.bincount(data.actual, data.mass) / data.mass.sum()
    base = pb.Predictions.from_arrays(data.actual, np.tile(share, (40, 1)), weight=weight)
    for name, score in (("brier-score", pb.brier_score), ("log-loss", pb.log_loss)):
        assert skill(data, name) == pytest.approx(1 - score(data) / score(base), rel=1e-12)
        assert skill(base, name) == pytest.approx(0, abs=1e-12)


def test_the_log_loss_skill_is_scikit_learns():
    """d2_log_loss_score of the same rows."""
    data = random_table(4)
    expected = d2_log_loss_score(data.actual, data.prob)
    assert skill(data, "log-loss") == pytest.approx(expected, rel=1e-9)


def test_a_binary_view_has_the_skill_of_two_classes():
    """The Brier skill of one class against the rest knows its base rate only."""
    data = random_table(3)
    binary = data.one_vs_rest("1")
    gap = np.square(binary.prob[:, 1] - binary.actual).mean()
    rate = binary.actual.mean()
    assert skill(data, "brier-score", binary) == pytest.approx(1 - gap / (rate * (1 - rate)))


def test_one_class_has_no_skill():
    """Where nothing can be improved upon the skill is undefined, not 0."""
    data = pb.Predictions.from_arrays([1, 1], [0.3, 0.9])
    assert all(np.isnan(skill(data, name)) for name in REFERENCES)


@pytest.mark.parametrize("name", ["brier-score", "log-loss"])
def test_draws_have_the_mean_of_the_full_enumeration(name):
    """On 6 rows of 3 classes the draws agree with all label vectors, within 4 standard errors."""
    what = skill_statistic(random_table(3, n=6), name)
    labels = label_sets(6, 3)
    values, probability = values_of_all(what, labels), chances(what.prob, labels)
    known = ~np.isnan(values)
    mean = values[known] @ probability[known] / probability[known].sum()
    draws = resampled(what, 4000, rng=1)
    result = draws[~np.isnan(draws)]
    assert result.mean() == pytest.approx(mean, abs=4 * result.std() / np.sqrt(len(result)))
    assert np.isnan(draws).mean() == pytest.approx(probability[~known].sum(), abs=0.02)


def test_the_accuracy_counts_the_predicted_column():
    """As a statistic it is what `accuracy` says, with a column of answers and without."""
    data = random_table(3)
    assert float(observed(point_statistic(data, "accuracy"))) == pytest.approx(pb.accuracy(data))
    given = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.3, 0.9], predicted=[0, 1, 0])
    assert float(observed(point_statistic(given, "accuracy"))) == pytest.approx(2 / 3)
