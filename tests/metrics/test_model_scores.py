"""model_scores: the scores of one model, over all rows and over folds."""

import math

import numpy as np
import pytest

import plumbline as pb
from plumbline.metrics import model_scores


def test_fold_means_and_deviations_use_n_minus_1(rng):
    """Mean and standard deviation over folds, with n - 1."""
    prob, y = rng.dirichlet(np.ones(3), 60), rng.integers(3, size=60)
    data = pb.Predictions.from_arrays(y, prob, fold=np.arange(60) % 3)
    row = next(r for r in model_scores(data).scores if r.name == "accuracy")
    values = [pb.accuracy(data.select(fold=f)) for f in data.folds]
    assert row.fold_mean == pytest.approx(np.mean(values))
    assert row.fold_deviation == pytest.approx(np.std(values, ddof=1))


def test_without_folds_there_is_no_spread(rng):
    """A table without folds has None, and one fold has an undefined deviation, never 0."""
    prob = rng.dirichlet(np.ones(3), 20)
    y = rng.integers(3, size=20)
    plain = model_scores(pb.Predictions.from_arrays(y, prob))
    assert plain.folds == 0
    assert plain.scores[0].fold_mean is None
    one = model_scores(pb.Predictions.from_arrays(y, prob, fold=[0] * 20))
    assert math.isnan(one.scores[0].fold_deviation)
    assert one.scores[0].to_dict()["fold_deviation"] is None


def test_an_infinite_log_loss_carries_its_reason_and_count():
    """The entry says how many rows made the log loss infinite."""
    data = pb.Predictions.from_arrays([0, 1, 1], [1.0, 0.5, 1.0])
    flat = model_scores(data).scores_dict()
    assert flat["log_loss"] is None
    assert "1 of 3 rows" in flat["reason"]
    assert flat["impossible_rows"] == 1


def test_labels_and_ratings_get_what_their_columns_allow():
    """Labels alone: accuracy; ratings alone: nothing, and no crash."""
    labels = model_scores(pb.Predictions.from_arrays([0, 1, 1], predicted=[0, 1, 0]))
    assert [row.name for row in labels.scores] == ["accuracy"]
    ratings = model_scores(pb.Predictions.from_arrays([0, 1], score=[-1.0, 2.0]))
    assert ratings.scores == ()


def test_a_fold_without_weight_is_undefined_with_its_reason():
    """One fold whose weights are all 0 makes the fold mean undefined, and says why."""
    data = pb.Predictions.from_arrays(
        [0, 1, 1, 0], [0.2, 0.6, 0.7, 0.1], weight=[1, 1, 0, 0], fold=[0, 0, 1, 1]
    )
    row = model_scores(data).scores[0]
    assert math.isnan(row.fold_mean)
    assert "are 0" in row.reason


def test_decisions_over_folds_are_shown_beside_their_spread():
    """Of labels alone a table says mean and deviation of the folds."""
    y, fold = [0, 1, 1, 0] * 3, np.repeat([0, 1, 2], 4)
    predicted = [0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1]  # 4, 3 and 2 of 4 are right
    data = pb.Predictions.from_arrays(y, predicted=predicted, fold=fold)
    (shown,) = model_scores(data).present().tables
    assert shown.columns["folds"] == ["3"]
    assert shown.columns["accuracy"] == ["0.7500 (0.2500)"]
    assert model_scores(data.select(fold=0)).present().tables == ()
