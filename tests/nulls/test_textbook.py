"""The textbook null distributions: against scipy, known values, and random walks."""

import numpy as np
import pytest
from scipy import stats

import plumbline as pb
from laws import law
from plumbline.calibration import (
    cox_statistic,
    cumulative_statistic,
    hosmer_lemeshow,
    point_statistic,
)
from plumbline.nulls import observed, resampled, textbook, textbook_tails
from plumbline.nulls.textbook import brownian_range, brownian_supremum
from refusals import refused

BUILD = {
    "spiegelhalter": lambda binary: point_statistic(binary, "spiegelhalter"),
    "hosmer-lemeshow": hosmer_lemeshow,
    "cox": cox_statistic,
    "kolmogorov-smirnov": lambda binary: cumulative_statistic(binary, "kolmogorov-smirnov"),
    "kuiper": lambda binary: cumulative_statistic(binary, "kuiper"),
}


def calibrated(rng, n, weight=None):
    """Return a view on a calibrated binary classifier with scores from .1 to .9."""
    p = rng.uniform(0.1, 0.9, n)
    y = (rng.random(n) < p).astype(int)
    return pb.Predictions.from_arrays(y, p, classes=[0, 1], weight=weight).one_vs_rest(1)


@pytest.mark.parametrize("tails", [brownian_supremum, brownian_range])
def test_both_series_are_one_function(monkeypatch, tails):
    """The exponentials and the normal tails agree wherever both converge, and join smoothly."""
    x = np.linspace(0.9, 2.5, 33)
    result = []
    for narrow in (0.0, 99.0):
        monkeypatch.setattr(textbook, "NARROW", narrow)
        result.append([tails(float(value)) for value in x])
    np.testing.assert_allclose(result[0], result[1], rtol=1e-10, atol=1e-14)
    assert np.all(np.diff(np.array(result[0])[:, 0]) < 0)


def test_known_values():
    """Percentage points of the published tables, and the ends."""
    assert brownian_supremum(1.96)[0] == pytest.approx(2 * 0.05, abs=1e-4)  # twice one barrier's
    assert brownian_supremum(2.2414)[0] == pytest.approx(0.05, abs=1e-5)
    assert brownian_range(2.4977)[0] == pytest.approx(0.05, abs=1e-5)
    for tails in (brownian_supremum, brownian_range):
        assert tails(0.0) == (1.0, 0.0)
        assert tails(0.01) == pytest.approx((1.0, 0.0))
        assert 0 < tails(8.0)[0] < 1e-13


def test_mean_and_variance_of_the_range():
    """E R = sqrt(8 / pi), E R^2 = 4 ln 2 (Feller 1951), by integrating the tail."""
    x = np.linspace(0.0, 9.0, 4001)
    upper = np.array([brownian_range(float(value))[0] for value in x])
    assert np.trapezoid(upper, x) == pytest.approx(np.sqrt(8 / np.pi), abs=1e-5)
    assert np.trapezoid(2 * x * upper, x) == pytest.approx(4 * np.log(2), abs=1e-5)


def test_brownian_tails_are_those_of_long_random_walks(rng):
    """4,000 walks of 2,000 steps: within 4 standard errors and the walk's coarseness."""
    walks = np.cumsum(rng.choice([-1.0, 1.0], (4000, 2000)), axis=1) / np.sqrt(2000)
    high, low = np.maximum(walks.max(axis=1), 0), np.minimum(walks.min(axis=1), 0)
    for values, tails in (
        (np.maximum(high, -low), brownian_supremum),
        (high - low, brownian_range),
    ):
        for x in (1.0, 1.5, 2.0, 2.5):
            expected = tails(x)[0]
            error = 4 * np.sqrt(expected * (1 - expected) / len(values))
            coarse = tails(x)[0] - tails(x + 2 / np.sqrt(2000))[0]
            assert np.mean(values >= x) == pytest.approx(expected, abs=error + coarse)


def test_standard_distributions(rng):
    """Spiegelhalter's Z, Hosmer-Lemeshow and Cox use scipy's normal and chi-square."""
    binary = calibrated(rng, 50)
    tails = textbook_tails("spiegelhalter", BUILD["spiegelhalter"](binary), 1.3)
    assert tails == pytest.approx((stats.norm.sf(1.3), stats.norm.cdf(1.3)))
    tails = textbook_tails("hosmer-lemeshow", hosmer_lemeshow(binary, "equal-size:7"), 12.0)
    assert tails == pytest.approx((stats.chi2.sf(12, 7), stats.chi2.cdf(12, 7)))
    tails = textbook_tails("cox", cox_statistic(binary), 12.0)
    assert tails == pytest.approx((stats.chi2.sf(12, 2), stats.chi2.cdf(12, 2)))


def test_degrees_of_freedom_count_what_is_open():
    """A bin of 0s is no degree of freedom, and one distinct logit leaves the intercept alone."""
    data = pb.Predictions.from_arrays([0, 0, 1, 0], [0.0, 0.0, 0.6, 0.6]).one_vs_rest("1")
    what = hosmer_lemeshow(data, "equal-width:2")
    assert textbook_tails("hosmer-lemeshow", what, 3.0)[0] == pytest.approx(stats.chi2.sf(3, 1))
    assert textbook_tails("cox", cox_statistic(data), 3.0)[0] == pytest.approx(stats.chi2.sf(3, 1))


@pytest.mark.parametrize("name", BUILD)
def test_a_statistic_that_cannot_vary_has_p_1(name):
    """Probabilities of 0 and 1 that came true leave nothing to chance."""
    data = pb.Predictions.from_arrays([0, 1], [0.0, 1.0]).one_vs_rest("1")
    what = BUILD[name](data)
    assert textbook_tails(name, what, float(observed(what))) == (1.0, 1.0)


@law(
    ("name", "weighted"),
    [*((name, False) for name in BUILD), *((name, True) for name in BUILD if name != "cox")],
    number=5,
)
def test_for_many_rows_the_draws_follow_the_textbook(rng, name, weighted):
    """With 3,000 rows, 5 % and 50 % points hold in 1,000 draws within 4 standard errors and .02."""
    binary = calibrated(rng, 3000, rng.uniform(0.5, 1.5, 3000) if weighted else None)
    what = BUILD[name](binary)
    draws = resampled(what, 1000, rng=5)
    upper = np.array([textbook_tails(name, what, float(value))[0] for value in draws])
    for level in (0.05, 0.5):
        allowed = 4 * np.sqrt(level * (1 - level) / len(draws)) + 0.02
        assert np.mean(upper <= level) == pytest.approx(level, abs=allowed)


def test_equal_weights_are_no_weights_to_cox(rng):
    """Its likelihood ratio is scaled by them; other weights are refused."""
    binary = calibrated(rng, 30)
    plain = textbook_tails("cox", cox_statistic(binary), 4.0)
    doubled = cox_statistic(calibrated(rng, 30, np.full(30, 2.0)))
    assert textbook_tails("cox", doubled, 8.0) == pytest.approx(plain)
    with refused(pb.InputError, "weights-not-possible"):
        textbook_tails("cox", cox_statistic(calibrated(rng, 30, np.arange(30))), 4.0)
    near = np.where(np.arange(30) % 2, 0.25, 0.75)
    with refused(pb.InputError, "weights-not-possible"):
        textbook_tails("cox", cox_statistic(calibrated(rng, 30, near)), 4.0)


def test_an_unknown_name_is_refused(rng):
    """The error names the known ones."""
    with refused(pb.ParameterError, "unknown-name", "'kuiper'", argument="statistic"):
        textbook_tails("kuipers", cox_statistic(calibrated(rng, 30)), 1.0)
