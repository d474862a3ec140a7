"""Intercepts, slope, and the ratio of observed to expected events."""

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline as pb
from laws import examples
from plumbline.calibration import cox_statistic, define_error, profile_statistic, slope
from plumbline.calibration.logistic_series import fits_near
from plumbline.nulls import observed, resampled
from strategies import binary_tables

NAMES = [
    *("calibration_in_the_large", "observed_to_expected"),
    *("calibration_intercept", "calibration_slope", "cox_intercept"),
]


def statistic(data, name, view=None):
    """An estimate of a view as a function of the labels."""
    make = profile_statistic if name in NAMES[:2] else slope.estimate_statistic
    return make(data, define_error(data, view), getattr(slope, name))


def found(y, p, name, weight=None):
    """An estimate of class 1."""
    data = pb.Predictions.from_arrays(y, p, classes=[0, 1], weight=weight)
    return float(observed(statistic(data, name)))


@pytest.fixture
def rows(rng):
    """Return overconfident scores with ties, outcomes and whole weights."""
    p = rng.uniform(0.02, 0.98, 300).round(2)
    y = (rng.random(300) < 0.2 + 0.6 * p).astype(int)
    return y, p, rng.integers(1, 4, 300)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_fits_are_statsmodels(rows, weighted):
    """Joint fit as its binomial model, intercept as that with the logit as offset."""
    models = pytest.importorskip("statsmodels.genmod.generalized_linear_model")
    families = pytest.importorskip("statsmodels.genmod.families")
    y, p, w = rows
    weight = w if weighted else None
    y_all, p_all = (np.repeat(y, w), np.repeat(p, w)) if weighted else (y, p)
    logit, one = np.log(p_all / (1 - p_all)), np.ones(len(y_all))
    binomial = families.Binomial()
    joint = models.GLM(y_all, np.column_stack([one, logit]), family=binomial).fit(tol=1e-14).params
    alone = models.GLM(y_all, one, family=binomial, offset=logit).fit(tol=1e-14).params
    assert found(y, p, "cox_intercept", weight) == pytest.approx(joint[0], abs=1e-6)
    assert found(y, p, "calibration_slope", weight) == pytest.approx(joint[1], abs=1e-6)
    assert found(y, p, "calibration_intercept", weight) == pytest.approx(alone[0], abs=1e-6)


def test_sums_by_hand(rows):
    """Observed less expected, and the ratio of the two."""
    y, p, w = rows
    assert found(y, p, "calibration_in_the_large", w) == pytest.approx(
        np.average(y, weights=w) - np.average(p, weights=w)
    )
    assert found(y, p, "observed_to_expected", w) == pytest.approx((w * y).sum() / (w * p).sum())


@settings(max_examples=examples(40))
@given(table=binary_tables(most=12))
def test_the_fit_of_a_profile_is_the_fit_of_its_rows(table):
    """Separated labels, one class, one score, certain rows: as the likelihood-ratio test says."""
    data = table.predictions()
    what = cox_statistic(data.one_vs_rest(data.classes[1]))
    known = what.estimates
    # Of one score the test fits an intercept for slope 1, which no joint fit has.
    beside = "calibration_intercept" if what.freedom == 1 else "cox_intercept"
    for name, part in (("calibration_slope", "slope"), (beside, "intercept")):
        fitted = float(observed(statistic(data, name)))
        assert fitted == pytest.approx(known[part], abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("y", "p", "intercept", "slope", "beside"),
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8], "finite", np.inf, np.nan),
        ([1, 1, 0, 0], [0.1, 0.2, 0.7, 0.8], "finite", -np.inf, np.nan),
        ([1, 1, 1], [0.1, 0.2, 0.7], np.inf, np.nan, np.inf),
        ([0, 0, 0], [0.3, 0.3, 0.4], -np.inf, np.nan, -np.inf),
        ([0, 0, 0], [0.3, 0.3, 0.3], -np.inf, np.nan, np.nan),
        ([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.2], np.log(4), np.nan, np.nan),
        ([0, 1], [0.0, 1.0], np.nan, np.nan, np.nan),
        ([0, 0, 1, 1], [0.0, 0.4, 0.6, 0.0], np.nan, np.nan, np.nan),
        ([0, 0, 1, 1], [1.0, 0.4, 0.6, 0.5], np.nan, np.nan, np.nan),
    ],
)
def test_ends_of_the_likelihood_are_infinite_and_what_is_open_is_nan(
    y, p, intercept, slope, beside
):
    """Never a big number: with the slope held at 1 separated labels still have an intercept."""
    found_intercept = found(y, p, "calibration_intercept")
    if intercept == "finite":
        assert np.isfinite(found_intercept)
    else:
        assert found_intercept == pytest.approx(intercept, nan_ok=True)
    assert found(y, p, "calibration_slope") == pytest.approx(slope, nan_ok=True)
    assert found(y, p, "cox_intercept") == pytest.approx(beside, nan_ok=True)


def test_rows_rounded_to_certainty_keep_their_logits(rng):
    """Single-precision scores of 1 whose complements differ are fitted as the test fits them."""
    odds = np.exp(rng.uniform(0, 40, 200))
    prob = np.column_stack([1 / (1 + odds), odds / (1 + odds)]).astype(np.float32)
    data = pb.Predictions.from_arrays(rng.random(200) < 0.8, prob)
    assert (prob[:, 1] == 1).sum() > 50
    known = cox_statistic(data.one_vs_rest(data.classes[1])).estimates
    result = float(observed(statistic(data, "calibration_slope")))
    assert result == pytest.approx(known["slope"], abs=1e-9)


def test_nothing_expected():
    """What was held impossible makes the ratio infinite, or undefined where it did not happen."""
    assert found([0, 1], [0.0, 0.0], "observed_to_expected") == np.inf
    assert np.isnan(found([0, 0], [0.0, 0.0], "observed_to_expected"))


@pytest.mark.parametrize("name", NAMES)
def test_shares_stand_for_labels(rows, name):
    """At true probabilities an estimate has its best value, at sure labels the observed one."""
    y, p, w = rows
    data = pb.Predictions.from_arrays(y, p, weight=w)
    what = statistic(data, name)
    best = {"observed_to_expected": 1.0, "calibration_slope": 1.0}.get(name, 0.0)
    assert what.at(what.prob) == pytest.approx(best, abs=1e-9)
    assert what.at(np.eye(2)[what.actual]) == pytest.approx(float(observed(what)), abs=1e-9)


def test_a_known_recalibration_is_found():
    """Shares that are a logistic function of the logit have its intercept and slope."""
    p = np.linspace(0.01, 0.99, 99)
    share = 1 / (1 + np.exp(-(0.3 + 0.7 * np.log(p / (1 - p)))))
    data = pb.Predictions.from_arrays(p > 0.5, p)
    shares = np.column_stack([1 - share, share])
    assert statistic(data, "cox_intercept").at(shares) == pytest.approx(0.3, abs=1e-8)
    assert statistic(data, "calibration_slope").at(shares) == pytest.approx(0.7, abs=1e-8)


def test_the_likelihood_ratio_has_a_true_value(rows):
    """0 at true probabilities; at sure labels the observed one; infinite for the impossible."""
    y, p, w = rows
    for weight in (None, w):
        data = pb.Predictions.from_arrays(
            [*y, 1], [*p, 1.0], weight=None if weight is None else [*weight, 1]
        ).one_vs_rest(1)
        what = cox_statistic(data)
        assert what.at(what.prob) == pytest.approx(0.0, abs=1e-9)
        assert what.at(np.eye(2)[what.actual]) == pytest.approx(float(observed(what)), rel=1e-9)
        wrong = what.prob.copy()
        wrong[-1] = 0.5
        assert what.at(wrong) == np.inf


@pytest.mark.parametrize("name", NAMES)
def test_the_null_is_around_the_best_value(rng, name):
    """Under true probabilities the mean is at the best value up to 4 standard errors and 1/n."""
    p = rng.beta(2, 3, 800)
    what = statistic(pb.Predictions.from_arrays(rng.random(800) < p, p), name)
    drawn = resampled(what, 200)
    best = {"observed_to_expected": 1.0, "calibration_slope": 1.0}.get(name, 0.0)
    assert abs(drawn.mean() - best) < 4 * drawn.std() / np.sqrt(200) + 5 / 800


def test_several_classes_have_the_mean_of_theirs(rng):
    """Classwise is the mean over one-vs-rest."""
    prob = rng.dirichlet(np.ones(3), 200)
    data = pb.Predictions.from_arrays(rng.integers(0, 3, 200), prob)
    each = [
        float(observed(statistic(data, "calibration_slope", f"one-vs-rest:{c}")))
        for c in data.classes
    ]
    whole = float(observed(statistic(data, "calibration_slope", "classwise")))
    assert whole == pytest.approx(np.mean(each))


@pytest.mark.parametrize("freedom", [1, 2])
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("rows", [40, 400, 4000])
def test_fits_of_many_draws_are_those_of_each(rng, freedom, unit, rows):
    """Within 1e-9 of a standard error, whatever the weights, also of draws far from the others."""
    logit = np.sort(rng.normal(0, 2, rows))
    mass = unit * rng.integers(1, 4, rows)
    prob = 1 / (1 + np.exp(-(0.3 + 0.8 * logit)))
    hits = (rng.random((rows, 60)) < prob[:, None]) * mass[:, None]
    hits[:, 0] = mass * (logit > np.median(logit))
    hits[0, 0] = mass[0]
    sums = np.stack([hits.sum(axis=0), logit @ hits])
    each = slope.fit_of_sums(sums, logit, mass, freedom)[:2]
    together = slope.lines_of_sums(sums, logit, mass, freedom)
    error = each[:, 1:].std(axis=1, keepdims=True)
    np.testing.assert_allclose(together, each, rtol=0, atol=1e-9 * error.max())


def test_the_series_reaches_most_draws_and_says_which(rng):
    """All of the draws of 4,000 rows, few of those of 40; those that are right are."""
    reached = {}
    for rows in (40, 4000):
        logit = np.sort(rng.normal(0, 2, rows))
        hits = (rng.random((rows, 60)) < 1 / (1 + np.exp(-logit))[:, None]).astype(float)
        sums, mass = np.stack([hits.sum(axis=0), logit @ hits]), np.ones(rows)
        away, right = fits_near(sums, mass, logit, 0.0, 1.0, 2)
        fit = slope.fit_of_sums(sums, logit, mass, 2)
        np.testing.assert_allclose(away[0, right], fit[0, right], atol=1e-9)
        np.testing.assert_allclose(1 + away[1, right], fit[1, right], atol=1e-9)
        reached[rows] = right.mean()
    assert reached[40] < 0.9
    assert reached[4000] == 1.0
