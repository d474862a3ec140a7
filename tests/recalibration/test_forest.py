"""A random forest on a rare class, its votes recorded by studies/recalibration_blog.py."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import plumbline as pb
from plumbline.recalibration import fit_map

VOTES = json.loads(
    (Path(__file__).parents[1] / "reference" / "random_forest.json").read_text("utf-8")
)


def forest(half):
    """The probabilities of the rare class and the truth, 5,000 rows of either half."""
    missed, happened = VOTES[half]
    share = np.arange(len(missed)) / (len(missed) - 1)
    p = np.concatenate([np.repeat(share, missed), np.repeat(share, happened)])
    return p, np.repeat([0, 1], [sum(missed), sum(happened)])


def forest_error(p, actual):
    """The calibration error in Freedman-Diaconis bins."""
    data = pb.Predictions.from_arrays(actual, p)
    return pb.calibration_error(data, bins="freedman-diaconis", resamples=0).value


def test_a_random_forest_is_recalibrated_as_well_as_published():
    """The published errors, of which the one with scikit-learn's ridge is beaten without it."""
    (p, actual), (new, truth) = forest("fit"), forest("test")
    holdout = pb.Predictions.from_arrays(actual, p)
    test = pb.Predictions.from_arrays(truth, new)
    assert forest_error(new, truth) == pytest.approx(0.0737, abs=0.003)
    isotonic = fit_map(holdout, "isotonic").applied(test)
    assert forest_error(isotonic.prob, truth) == pytest.approx(0.0136, abs=0.003)
    ridge = LogisticRegression().fit(p[:, None], actual).predict_proba(new[:, None])
    assert forest_error(ridge, truth) == pytest.approx(0.0217, abs=0.003)
    ours = fit_map(holdout, "platt-on-probability").applied(test)
    assert forest_error(ours.prob, truth) < forest_error(ridge, truth)
    assert pb.log_loss(ours) < pb.log_loss(pb.Predictions.from_arrays(truth, ridge))


def test_no_vote_counts_as_half_a_vote():
    """The published .0181 by a logistic curve of log-odds: the 208 zeros do not tilt it."""
    (p, actual), (new, truth) = forest("fit"), forest("test")
    assert (p == 0).sum() == 208
    fitted = fit_map(pb.Predictions.from_arrays(actual, p), "platt")
    assert fitted.least == 0.005
    mended = fitted.applied(pb.Predictions.from_arrays(truth, new))
    assert forest_error(mended.prob, truth) == pytest.approx(0.0181, abs=0.003)
