"""ICI, E50, E90 and Emax: against statsmodels, a literal fit, and themselves on joined scores."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from statsmodels.nonparametric.smoothers_lowess import lowess

from plumbline import Predictions
from plumbline.calibration import Profile, define_error, profile_statistic, smooth
from plumbline.calibration.smooth import e50, e90, emax, ici
from plumbline.nulls import observed, resampled
from strategies import binary_tables

RULES = (ici, e50, e90, emax)


def statistic_of(data, rule):
    """Return the error of the positive class as a statistic."""
    return profile_statistic(data, define_error(data, None), rule)


def summaries(gap):
    """The mean, the least that half and nine tenths do not exceed, and the largest."""
    gap, n = np.sort(gap), len(gap)
    places = [int(np.ceil(level * n - 1e-9)) - 1 for level in (0.5, 0.9)]
    return [gap.mean(), *gap[places], gap[-1]]


@pytest.mark.parametrize("shape", [(2, 5), (0.5, 0.5), (1, 30)])
def test_the_fit_is_that_of_statsmodels(rng, shape):
    """Scores without ties, 400 rows, so that windows hold the same 300."""
    p = rng.beta(*shape, 400)
    y = (rng.random(400) < 0.1 + 0.7 * p).astype(int)
    fit = lowess(y, p, frac=0.75, it=0, delta=0.0, return_sorted=False)
    data = Predictions.from_arrays(y, p)
    found = [float(observed(statistic_of(data, rule))) for rule in RULES]
    np.testing.assert_allclose(found, summaries(np.abs(np.clip(fit, 0, 1) - p)), rtol=1e-9)


def literal(y, p):
    """The fit at every row, by least squares over the rows of its window."""
    n, fit = len(p), []
    for at in p:
        reach = np.sort(np.abs(p - at))[int(np.ceil(0.75 * n)) - 1]
        near = np.abs(p - at) / reach if reach > 0 else (p != at).astype(float)
        weight = (1 - np.minimum(near, 1) ** 3) ** 3
        mean = np.average(p, weights=weight)
        spread = np.average((p - mean) ** 2, weights=weight)
        if spread > (1e-3 * np.ptp(p)) ** 2:
            _, start = np.polyfit(p - at, y, 1, w=np.sqrt(weight))
        else:
            start = np.average(y, weights=weight)
        fit.append(start)
    return np.clip(fit, 0, 1)


@settings(max_examples=20)
@given(binary_tables(least_weight=0))
def test_ties_and_weights_are_repeated_rows(columns):
    """The errors of the table with every row as often as it weighs."""
    assume(columns.weight.sum() > 1)
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    expected = summaries(np.abs(literal(apart.event, apart.score) - apart.score))
    for rule, error in zip(RULES, expected, strict=True):
        assert observed(statistic_of(columns.predictions(), rule)) == pytest.approx(error, abs=1e-8)


def test_many_scores_are_joined_without_harm(rng, monkeypatch):
    """1,100 scores, as they are and in cells: 5e-5 apart in the index, 5e-4 in the rest."""
    p = np.sort(rng.beta(0.5, 3, 1100))
    profile = Profile(p, 1 - p, np.ones(1100))
    hits = (rng.random((1100, 3)) < p[:, None] ** 1.2).astype(float)
    found = [rule(profile)(hits) for rule in RULES]
    monkeypatch.setattr(smooth, "LOESS_CELLS", 1100)
    for rule, joined in zip(RULES, found, strict=True):
        np.testing.assert_allclose(joined, rule(profile)(hits), atol=5e-5 if rule is ici else 5e-4)


def test_a_straight_line_is_kept(rng):
    """Shares that are a line of the score have its distances as their true value."""
    p = np.sort(rng.beta(2, 5, 1200))
    chance = np.column_stack([0.9 - 0.8 * p, 0.1 + 0.8 * p])
    data = Predictions.from_arrays(np.zeros(1200, int), p, classes=[0, 1])
    expected = summaries(np.abs(chance[:, 1] - p))
    for rule, error in zip(RULES, expected, strict=True):
        assert statistic_of(data, rule).at(chance) == pytest.approx(error, abs=5e-4)
        assert statistic_of(data, rule).at(np.column_stack([1 - p, p])) < 1e-12


def test_the_null_is_what_the_smoother_makes_of_noise(rng):
    """Labels drawn as the rows say lie among the drawn; wrong ones above them."""
    p = rng.beta(2, 5, 500)
    true = (rng.random(500) < p).astype(int)
    wrong = (rng.random(500) < np.clip(1.7 * p, 0, 1)).astype(int)
    for rule in RULES:
        draws = resampled(statistic_of(Predictions.from_arrays(true, p), rule), 100, rng=1)
        assert draws.min() * 0.5 < observed(statistic_of(Predictions.from_arrays(true, p), rule))
        assert observed(statistic_of(Predictions.from_arrays(true, p), rule)) < draws.max() * 1.2
        assert observed(statistic_of(Predictions.from_arrays(wrong, p), rule)) > draws.mean() * 2
