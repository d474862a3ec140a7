"""The level of the calibration test, and the coverage of its band, by simulation."""

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.calibration_errors import tails_of

DATA_SETS = 250
LEVEL = 0.05


def calibrated(rng, n, k):
    """Draw predictions from Dirichlet(1) and labels from the predictions."""
    prob = rng.dirichlet(np.ones(k), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k))


@pytest.mark.parametrize("k", [2, 5])
@law("n", [20, 100, 1000], number=2)
def test_type_one_error_is_at_most_the_level(n, k):
    """True probabilities are rejected in at most 5 % of 250 data sets, on either side.

    Each share is binomial, so its standard error at the level is sqrt(.05 * .95 / 250) = .0138;
    the bound is 3 of them above .05. The p-values are discrete, so the share may be smaller.
    """
    rng = np.random.default_rng(1000 * n + k)
    rejected = {"two-sided": 0, "greater": 0, "less": 0}
    for seed in range(DATA_SETS):
        data = calibrated(rng, n, k)
        result = pb.calibration_error(data, resamples=99, rng=seed, workers=1)
        upper, lower = tails_of(result.null_values, result.value)
        p_values = {"two-sided": result.p_value, "greater": upper, "less": lower}
        for side in rejected:
            rejected[side] += p_values[side] <= LEVEL
    error = np.sqrt(LEVEL * (1 - LEVEL) / DATA_SETS)
    for side, count in rejected.items():
        assert count / DATA_SETS <= LEVEL + 3 * error, side
    assert rejected["greater"] / DATA_SETS >= LEVEL - 3 * error  # continuous enough to be exact


@pytest.mark.parametrize(
    "settings",
    [
        {"view": "classwise", "bins": "equal-size:5", "distance": "log"},
        {"view": "top-label", "bins": "one-per-point", "distance": "square"},
        {"view": "joint", "distance": "absolute"},
    ],
)
def test_other_statistics_keep_the_level_too(settings):
    """Views, schemes and distances change the statistic, not the level."""
    rng = np.random.default_rng(77)
    rejected = 0
    for seed in range(DATA_SETS):
        result = pb.calibration_test(
            calibrated(rng, 50, 3),
            statistic="ece",
            null="resample",
            resamples=99,
            rng=seed,
            workers=1,
            **settings,
        )
        rejected += result.p_value <= LEVEL
    assert rejected / DATA_SETS <= LEVEL + 3 * np.sqrt(LEVEL * (1 - LEVEL) / DATA_SETS)


@law(("n", "k", "alpha"), [(100, 5, 0.1), (20, 2, 0.1), (1000, 2, 1.0), (100, 2, 10.0)], number=2)
def test_the_omnibus_keeps_its_level(n, k, alpha):
    """The combination of ranks is exact: at 99 resamples, 5 % of 100 equally likely ranks.

    Ties (a statistic with few values) make it reject less.
    """
    rng = np.random.default_rng(10 * n + k)
    rejected = 0
    sets = 100
    for seed in range(sets):
        prob = rng.dirichlet(np.full(k, alpha), n)
        y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
        data = pb.Predictions.from_arrays(y, prob, classes=range(k))
        rejected += pb.calibration_test(data, resamples=99, rng=seed, workers=1).p_value <= LEVEL
    error = np.sqrt(LEVEL * (1 - LEVEL) / sets)
    assert LEVEL - 4 * error <= rejected / sets <= LEVEL + 3 * error


def test_the_null_mean_is_what_calibrated_models_score():
    """Beta(2, 5) predictions, n = 1000, 15 bins: mean .034, as published for a perfect model."""
    rng = np.random.default_rng(3)
    values, means = [], []
    for _ in range(100):
        p = rng.beta(2, 5, 1000)
        data = pb.Predictions.from_arrays((rng.random(1000) < p).astype(int), p)
        result = pb.calibration_error(data, resamples=50, rng=rng, workers=1)
        values.append(result.value)
        means.append(result.null_mean)
    error = np.std(values) / np.sqrt(len(values))
    assert np.mean(values) == pytest.approx(0.034, abs=0.0005 + 3 * error)
    assert np.mean(means) == pytest.approx(np.mean(values), abs=4 * error)


def test_the_consistency_band_holds_its_share_of_bins():
    """Over calibrated data sets the 95 % band holds about 95 % of all bins' shares, not fewer.

    Bins of one data set are independent; 150 sets x 10 bins give a standard error of .006. The
    share is discrete and the band's ends are inside it, so more than 95 % is expected.
    """
    rng = np.random.default_rng(8)
    inside = total = 0
    for seed in range(150):
        data = calibrated(rng, 300, 2)
        curve = pb.reliability_curve(
            data, bins="equal-width:10", resamples=399, rng=seed, workers=1
        )
        for row in curve.bins:
            inside += row["band_low"] <= row["outcome_share"] <= row["band_high"]
            total += 1
    assert inside / total >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / total)
    assert inside / total <= 0.99
