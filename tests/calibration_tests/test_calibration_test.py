"""calibration_test: which null is chosen, what is refused, and what the answer holds."""

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.calibration_errors import TESTS
from refusals import refused, warned


def table(rng, n=60, k=2, **columns):
    """Draw predictions, and labels from them."""
    prob = rng.dirichlet(np.ones(k), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k), **columns)


@pytest.mark.parametrize("name", list(TESTS))
@pytest.mark.parametrize("k", [2, 4])
def test_every_test_answers_with_its_defaults(rng, name, k):
    """One call, one p-value in (0, 1], a verdict, and all promised keys."""
    result = pb.calibration_test(table(rng, k=k), statistic=name, resamples=39)
    assert 0 < result.p_value <= 1
    assert result.verdict
    assert result.statistic == name
    assert result.alternative == TESTS[name].alternative
    keys = {"statistic", "value", "p_value", "p_bounds", "null", "method", "parts", "n"}
    assert keys <= set(result.to_dict())


def test_auto_is_exact_where_it_can_be_and_says_so(rng):
    """Sums over independent bins or rows are exact; the others are drawn, and say why."""
    data = table(rng, k=3)
    exact = pb.calibration_test(data, statistic="ece")
    assert (exact.null, exact.resamples) == ("exact", 0)
    low, high = exact.p_bounds
    assert low <= exact.p_value == high
    classwise = pb.calibration_test(data, statistic="ece", view="classwise", resamples=39)
    assert (classwise.null, classwise.p_bounds) == ("resample", None)
    assert "independent" in classwise.method


@law("name", ["ece", "log-loss", "brier-score", "hosmer-lemeshow"], number=2)
def test_exact_and_resampled_agree(rng, name):
    """The exact p lies within 4 standard errors of the resampled one."""
    p = rng.random(150)
    data = pb.Predictions.from_arrays(rng.random(150) < 0.5 + 0.8 * (p - 0.5), p)
    for side in ("greater", "less"):
        params = {"statistic": name, "alternative": side}
        exact = pb.calibration_test(data, null="exact", **params).p_value
        drawn = pb.calibration_test(data, null="resample", resamples=9999, **params).p_value
        assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9999) + 2e-4)


@pytest.mark.parametrize("name", ["ece", "log-loss", "spiegelhalter", "cox", "kuiper"])
def test_asymptotic_is_near_at_large_n(rng, name):
    """At n = 2,000 the asymptotic p is within a few hundredths of the resampled one."""
    data = table(rng, n=2000)
    near = pb.calibration_test(data, statistic=name, null="asymptotic")
    drawn = pb.calibration_test(data, statistic=name, null="resample", resamples=1999)
    assert (near.null, near.p_bounds) == ("asymptotic", None)
    assert near.p_value == pytest.approx(drawn.p_value, abs=0.06)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"statistic": "log-loss", "bins": "equal-size:5"}, ("argument-says-nothing", "`bins`")),
        ({"statistic": "log-loss", "distance": "log"}, ("argument-says-nothing", "`distance`")),
        ({"statistic": "cox", "null": "exact"}, ("null-not-of-statistic", "`null`", "'exact'")),
        ({"statistic": "skce", "null": "asymptotic"}, ("null-not-of-statistic", "`null`")),
        ({"statistic": "cox", "view": "classwise"}, ("view-not-possible", "`view`")),
        ({"statistic": "ece", "view": "classwise", "null": "exact"}, ("no-exact-null", "`null`")),
        ({"statistic": "spiegelhalt"}, ("unknown-name", "`statistic`", "'spiegelhalter'")),
    ],
)
def test_what_means_nothing_is_refused_with_a_remedy(rng, settings, words):
    """Arguments that a statistic does not take are never ignored."""
    with refused(pb.ParameterError, *words):
        pb.calibration_test(table(rng, k=3), **settings)


def test_the_three_sums_over_rows_are_one_test_in_a_binary_view(rng):
    """One-per-point square ECE, Brier score and Spiegelhalter's Z have one exact p-value."""
    data = table(rng, n=40)
    square = pb.calibration_test(data, statistic="ece", bins="one-per-point", distance="square")
    for name in ("brier-score", "spiegelhalter"):
        assert pb.calibration_test(data, statistic=name).p_value == pytest.approx(
            square.p_value, rel=2e-3
        )
    log = pb.calibration_test(data, statistic="ece", bins="one-per-point", distance="log")
    loss = pb.calibration_test(data, statistic="log-loss")
    assert loss.p_value == pytest.approx(log.p_value, rel=2e-3)


def test_a_small_p_keeps_its_digits():
    """All 60 rows of probability 0.99 fail: p = 0.01^60, far below what draws could show."""
    data = pb.Predictions.from_arrays([0] * 60, np.full(60, 0.99), classes=[0, 1])
    result = pb.calibration_test(data, statistic="log-loss", alternative="greater")
    assert result.p_value == pytest.approx(1e-120, rel=1e-2)
    assert "p = 1e-120" in result.verdict


def test_thesis_p_values_leave_the_observed_one_out(rng):
    """Like the thesis: p = #/m."""
    data = table(rng)
    with warned("other-conventions", "'thesis'"):
        result = pb.calibration_test(
            data,
            statistic="ece",
            bins="equal-size:7",
            like="thesis",
            alternative="greater",
            resamples=50,
        )
    assert result.p_value == np.mean(result.null_values >= result.value - 1e-12)


def test_cox_tells_intercept_and_slope(rng):
    """The estimates stand beside the test."""
    p = rng.random(3000)
    data = pb.Predictions.from_arrays(rng.random(3000) < p, p)
    result = pb.calibration_test(data, statistic="cox", resamples=39)
    fit = {part["name"]: part["value"] for part in result.parts}
    assert fit["slope"] == pytest.approx(1, abs=0.15)
    assert fit["intercept"] == pytest.approx(0, abs=0.15)
