"""Skill scores and the accuracy as functions of the labels."""

import numpy as np
import pytest
from sklearn.metrics import d2_log_loss_score

import plumbline as pb
from label_sets import chances, label_sets, values_of_all
from plumbline.calibration.score_statistics import REFERENCES, point_statistic, skill_statistic
from plumbline.nulls import observed, resampled


def table(k, n=40, seed=2, weight=None):
    """Return rows of all classes."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k), rng.integers(k, size=n - k))
    return pb.Predictions.from_arrays(y, rng.dirichlet(np.ones(k), n), weight=weight)


def skill(data, name, lens=None):
    """Return the skill of the observed labels."""
    return float(observed(skill_statistic(data, name, lens)))


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_one_less_the_ratio_to_the_base_rate(k, weighted):
    """Against the scores of a table that gives every row the shares of the classes."""
    weight = np.random.default_rng(3).uniform(size=40) if weighted else None
    data = table(k, weight=weight)
    share = np.bincount(data.actual, data.mass) / data.mass.sum()
    base = pb.Predictions.from_arrays(data.actual, np.tile(share, (40, 1)), weight=weight)
    for name, score in (("brier-score", pb.brier_score), ("log-loss", pb.log_loss)):
        assert skill(data, name) == pytest.approx(1 - score(data) / score(base), rel=1e-12)
        assert skill(base, name) == pytest.approx(0, abs=1e-12)


def test_the_log_loss_skill_is_scikit_learns():
    """d2_log_loss_score of the same rows."""
    data = table(4)
    expected = d2_log_loss_score(data.actual, data.prob)
    assert skill(data, "log-loss") == pytest.approx(expected, rel=1e-9)


def test_a_binary_view_has_the_skill_of_two_classes():
    """The Brier skill of one class against the rest knows its base rate only."""
    data = table(3)
    lens = data.one_vs_rest("1")
    gap = np.square(lens.prob[:, 1] - lens.actual).mean()
    rate = lens.actual.mean()
    assert skill(data, "brier-score", lens) == pytest.approx(1 - gap / (rate * (1 - rate)))


def test_one_class_has_no_skill():
    """Where nothing can be improved upon the skill is undefined, not 0."""
    data = pb.Predictions.from_arrays([1, 1], [0.3, 0.9])
    assert all(np.isnan(skill(data, name)) for name in REFERENCES)


@pytest.mark.parametrize("name", ["brier-score", "log-loss"])
def test_draws_have_the_mean_of_the_full_enumeration(name):
    """On 6 rows of 3 classes the draws agree with all label vectors, within 4 standard errors."""
    what = skill_statistic(table(3, n=6), name)
    labels = label_sets(6, 3)
    values, chance = values_of_all(what, labels), chances(what.prob, labels)
    known = ~np.isnan(values)
    mean = values[known] @ chance[known] / chance[known].sum()
    draws = resampled(what, 4000, rng=1)
    found = draws[~np.isnan(draws)]
    assert found.mean() == pytest.approx(mean, abs=4 * found.std() / np.sqrt(len(found)))
    assert np.isnan(draws).mean() == pytest.approx(chance[~known].sum(), abs=0.02)


def test_the_accuracy_counts_the_predicted_column():
    """As a statistic it is what `accuracy` says, with a column of answers and without."""
    data = table(3)
    assert float(observed(point_statistic(data, "accuracy"))) == pytest.approx(pb.accuracy(data))
    given = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.3, 0.9], predicted=[0, 1, 0])
    assert float(observed(point_statistic(given, "accuracy"))) == pytest.approx(2 / 3)
