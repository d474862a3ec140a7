"""evaluate: all numbers of all models from one table."""

import math

import numpy as np
import pytest

import plumbline as pb
from plumbline.metrics import evaluate


def stacked(rng, n=60):
    """Two models on the same rows in 3 folds."""
    prob = rng.dirichlet(np.ones(3), 2 * n)
    y = np.tile(rng.integers(3, size=n), 2)
    model = np.repeat(["forest", "bayes"], n)
    fold = np.tile(np.arange(n) % 3, 2)
    return pb.Predictions.from_arrays(y, prob, model=model, fold=fold, row=np.tile(np.arange(n), 2))


def test_every_model_has_the_numbers_of_its_own_rows(rng):
    """One entry a model, in the order of appearance, equal to evaluating it alone."""
    data = stacked(rng)
    found = evaluate(data, resamples=99)
    assert [one.model for one in found.models] == ["forest", "bayes"]
    for one in found.models:
        alone = data.select(model=one.model)
        values = {row.name: row.value for row in one.scores}
        assert values["log_loss"] == pb.log_loss(alone)
        assert values["brier_score"] == pb.brier_score(alone)
        assert values["accuracy"] == pb.accuracy(alone)
        assert one.test.p_value == pb.calibration_test(alone, resamples=99).p_value
        assert [error.view for error in one.calibration] == ["top-label", "classwise"]


def test_fold_means_and_deviations_use_n_minus_1(rng):
    """Mean and standard deviation over folds, with n - 1."""
    data = stacked(rng).select(model="bayes")
    row = next(r for r in evaluate(data, resamples=9).models[0].scores if r.name == "accuracy")
    values = [pb.accuracy(data.select(fold=f)) for f in data.folds]
    assert row.fold_mean == pytest.approx(np.mean(values))
    assert row.fold_deviation == pytest.approx(np.std(values, ddof=1))


def test_without_folds_there_is_no_spread(rng):
    """A table without folds has None, and one fold has an undefined deviation, never 0."""
    prob = rng.dirichlet(np.ones(3), 20)
    y = rng.integers(3, size=20)
    plain = evaluate(pb.Predictions.from_arrays(y, prob), resamples=9).models[0]
    assert plain.folds == 0
    assert plain.scores[0].fold_mean is None
    one = evaluate(pb.Predictions.from_arrays(y, prob, fold=[0] * 20), resamples=9).models[0]
    assert math.isnan(one.scores[0].fold_deviation)
    assert one.scores[0].to_dict()["fold_deviation"] is None


def test_an_infinite_log_loss_carries_its_reason_and_count():
    """The entry says how many rows made the log loss infinite."""
    data = pb.Predictions.from_arrays([0, 1, 1], [1.0, 0.5, 1.0])
    flat = evaluate(data, resamples=9).models[0].scores_dict()
    assert flat["log_loss"] is None
    assert "1 of 3 rows" in flat["reason"]
    assert flat["impossible_rows"] == 1


def test_labels_and_ratings_get_what_their_columns_allow():
    """Labels alone: accuracy, no test; ratings alone: neither, and no crash."""
    labels = evaluate(pb.Predictions.from_arrays([0, 1, 1], predicted=[0, 1, 0])).models[0]
    assert [row.name for row in labels.scores] == ["accuracy"]
    assert labels.test is None
    ratings = evaluate(pb.Predictions.from_arrays([0, 1], score=[-1.0, 2.0])).models[0]
    assert ratings.scores == ()


def test_one_classwise_view_is_not_measured_twice(rng):
    """Asking for classwise gives it once."""
    data = stacked(rng).select(model="bayes")
    found = evaluate(data, view="classwise", resamples=9).models[0]
    assert [error.view for error in found.calibration] == ["classwise"]


def test_bins_go_to_every_view(rng):
    """The joint view takes them as the classwise one; without any it compares equal vectors."""
    data = stacked(rng).select(model="bayes")
    for bins, joint in (("equal-size:4", "equal-size:4"), (None, "distinct-vectors")):
        found = evaluate(data, view="joint", bins=bins, resamples=9).models[0]
        schemes = [(error.view, error.scheme) for error in found.calibration]
        assert schemes == [("joint", joint), ("classwise", bins or "equal-width:15")]


def test_progress_counts_draws_of_all_models(rng):
    """The callback counts up evenly over models and views, and ends at the whole."""
    seen = []
    evaluate(stacked(rng), resamples=100, progress=lambda *pair: seen.append(pair))
    shares = [done / total for done, total in seen]
    assert shares == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1.0], abs=0.001)


def test_the_frame_has_one_row_a_model(rng):
    """to_frame gives one line a model with scores, error and p-value."""
    frame = evaluate(stacked(rng), resamples=9).to_frame("pandas")
    assert frame["model"].tolist() == ["forest", "bayes"]
    assert {"log_loss", "brier_score", "accuracy", "ece", "p_value"} <= set(frame.columns)


def test_a_fold_without_weight_is_undefined_with_its_reason():
    """One fold whose weights are all 0 makes the fold mean undefined, and says why."""
    data = pb.Predictions.from_arrays(
        [0, 1, 1, 0], [0.2, 0.6, 0.7, 0.1], weight=[1, 1, 0, 0], fold=[0, 0, 1, 1]
    )
    row = evaluate(data, resamples=9).models[0].scores[0]
    assert math.isnan(row.fold_mean)
    assert "all weights of a fold are 0" in row.reason
