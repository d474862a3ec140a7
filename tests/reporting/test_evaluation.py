"""evaluate: the numbers of all models in a report."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.reporting import ReportParams, evaluate


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
    result = evaluate(data, ReportParams(resamples=99))
    assert [one.model for one in result.models] == ["forest", "bayes"]
    for one in result.models:
        alone = data.select(model=one.model)
        values = {row.name: row.value for row in one.scores}
        assert values["log_loss"] == pb.log_loss(alone)
        assert values["brier_score"] == pb.brier_score(alone)
        assert values["accuracy"] == pb.accuracy(alone)
        assert one.test.p_value == pb.calibration_test(alone, resamples=99).p_value
        assert [error.view for error in one.calibration] == ["top-label", "classwise"]


def test_one_classwise_view_is_not_measured_twice(rng):
    """Asking for classwise gives it once."""
    data = stacked(rng).select(model="bayes")
    result = evaluate(data, ReportParams(view="classwise", resamples=9)).models[0]
    assert [error.view for error in result.calibration] == ["classwise"]


def test_bins_go_to_every_view(rng):
    """The joint view takes them as the classwise one; without any it compares equal vectors."""
    data = stacked(rng).select(model="bayes")
    for bins, joint in (("equal-size:4", "equal-size:4"), (None, "distinct-vectors")):
        result = evaluate(data, ReportParams(view="joint", bins=bins, resamples=9)).models[0]
        schemes = [(error.view, error.scheme) for error in result.calibration]
        assert schemes == [("joint", joint), ("classwise", bins or "equal-width:15")]


def test_progress_counts_draws_of_all_models(rng):
    """The callback counts up evenly over models and views, and ends at the whole."""
    calls = []
    evaluate(stacked(rng), ReportParams(resamples=100), progress=lambda *pair: calls.append(pair))
    shares = [done / total for done, total in calls]
    assert shares == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1.0], abs=0.001)


def test_the_frame_has_one_row_a_model(rng):
    """to_frame gives one line a model with scores, error and p-value."""
    frame = evaluate(stacked(rng), ReportParams(resamples=9)).to_frame("pandas")
    assert frame["model"].tolist() == ["forest", "bayes"]
    assert {"log_loss", "brier_score", "accuracy", "ece", "p_value"} <= set(frame.columns)
