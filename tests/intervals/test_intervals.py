"""Intervals for true values: coverage, exactness where probabilities are true, and laws."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, ks_2samp
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from laws import law
from plumbline.calibration import (
    Statistic,
    cumulative_statistic,
    define_error,
    kernel_statistic,
    point_statistic,
    profile_statistic,
    statistic,
)
from plumbline.calibration_errors import calibration_error
from plumbline.errors import ParameterError
from plumbline.intervals import interval_of
from plumbline.intervals.families import (
    SPREAD,
    StraightFamily,
    cells_of,
    departures,
    smoothed,
    tilt,
)
from plumbline.intervals.interval import FamilySearch, PointOnFamily, Redrawn, _counted, redrawn
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions
from refusals import refused

STUDIES = Path(__file__).parents[2] / "studies"


def load_study():
    """Return the study as a module; its folder is not on the path."""
    spec = importlib.util.spec_from_file_location(
        "interval_coverage", STUDIES / "interval_coverage.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


study = load_study()
FOUND = study.best(study.stored(STUDIES / "results" / "interval_coverage.csv"))


def table(n, k=2, seed=0, weight=None):
    """Return predictions whose true probabilities lie half way to uniform ones."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(k), n)
    truth = (prob + 1 / k) / 2
    actual = (rng.random((n, 1)) >= np.cumsum(truth, axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(actual, prob, classes=range(k), weight=weight)


def error_of(data, view=None, bins=None):
    """Return a binned calibration error."""
    return statistic(data, define_error(data, view, bins))


def mean_outcome(profile):
    """Return the share of outcomes, as a rule."""
    return lambda hits: hits.sum(axis=0) / profile.weight.sum()


def share_of_outcomes(data):
    """Return the share of outcomes as a function of the labels."""
    return profile_statistic(data, define_error(data), mean_outcome)


def ends(found):
    """Return low and high."""
    return found.low, found.high


@law(
    ("measure", "truth"),
    [
        ("ece", "perfect"),
        ("ece", "temperature 1.5"),
        ("kolmogorov-smirnov", "temperature 1.5"),
        ("log-loss", "perfect"),
        ("accuracy", "temperature 1.5"),
    ],
    number=3,
)
def test_coverage_is_what_the_study_found(measure, truth):
    """On data sets of its own, an interval holds the truth as often as the study says."""
    case = study.Case(measure, "beta", truth, 100)
    sets = 24
    held = 0
    for seed in range(sets):
        low, high, _, true = study.one(case, 10_000 + seed)
        held += low - 1e-9 <= true <= high + 1e-9
    known = FOUND[case]
    error = math.hypot(known.std_error, math.sqrt(0.95 * 0.05 / sets))
    assert abs(held / sets - known.coverage) <= 3.5 * error


def test_coverage_of_every_case_of_the_study_is_its_level():
    """All but the bootstrap's cases hold the truth in 95 %, up to 3 standard errors.

    The percentile bootstrap of an error stands in the study for comparison: chance makes an error
    larger, and labels drawn again from the rows add it twice, so that the ends lie above the truth.
    """
    short = {case for case, row in FOUND.items() if row.coverage < 0.95 - 3 * row.std_error}
    assert short == {case for case in FOUND if case.measure.startswith(study.BOOTSTRAP)}


def test_the_low_end_is_0_exactly_where_the_upper_tail_is_not_extreme():
    """An error's interval holds 0 if and only if the one-sided p-value is above 2.5 %."""
    zeros = 0
    for seed in range(12):
        data = table(60, seed=seed)
        what = error_of(data, bins="equal-size:4")
        draws = resampled(what, 79, seed, workers=1)
        p = (1 + np.count_nonzero(draws >= observed(what) - 1e-12)) / 80
        result = interval_of(what, resamples=79, rng=seed, workers=1)
        assert (result.low == 0) == (p > 0.025)
        zeros += result.low == 0
    assert 0 < zeros < 12


@pytest.mark.parametrize(
    ("n", "k", "seed", "weighted", "view", "low", "high"),
    [
        (150, 2, 0, False, None, 0.0, 0.16739),
        (150, 3, 1, False, "classwise", 0.06105, 0.16689),
        (150, 3, 1, False, "top-label", 0.10606, 0.27465),
        (150, 2, 2, True, None, 0.0, 0.16073),
        (150, 2, 5, False, None, 0.05655, 0.21897),
        (900, 2, 0, False, None, 0.08408, 0.15262),
    ],
)
def test_ends_of_errors_are_those_of_the_version_whose_coverage_was_studied(
    n, k, seed, weighted, view, low, high
):
    """Which families are searched, and where, decides on the width; coverage alone does not tell.

    Whoever changes them runs studies/interval_coverage.py again and keeps the new numbers.
    """
    weight = np.arange(n) % 3 + 1.0 if weighted else None
    what = error_of(table(n, k, seed, weight), view, "equal-size:6")
    found = interval_of(what, weight=weight, resamples=199, rng=0, workers=1)
    assert ends(found) == pytest.approx((low, high), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "k", "low", "high"),
    [
        ("log-loss", 2, 0.58779, 0.85121),
        ("log-loss", 3, 1.02843, 1.32667),
        ("brier-score", 3, 0.5721, 0.71414),
    ],
)
def test_ends_of_scores_are_those_of_the_version_whose_coverage_was_studied(name, k, low, high):
    """As those of errors."""
    what = point_statistic(table(150, k, 4), name)
    found = interval_of(what, kind="estimate", resamples=199, rng=0, workers=1)
    assert ends(found) == pytest.approx((low, high), rel=1e-4)


TENTHS = [0.1, 0.3, 0.5, 0.7, 0.9]
EXTREME = {
    "even": (1 * (np.arange(100) % 20 < np.repeat([2, 6, 10, 14, 18], 20)), np.repeat(TENTHS, 20)),
    "sure": ([0, 1] * 20, [0.0, 1.0] * 20),
    "alone": ([1] * 30, np.linspace(0.6, 0.9, 30)),
}


@pytest.mark.parametrize(
    ("rows", "name", "low", "high"),
    [
        ("even", None, 0.0, 0.11469),
        ("sure", None, 0.0, 0.09375),
        ("alone", None, 0.09856, 0.34919),
        ("sure", "accuracy", 0.90772, 1.0),
        ("sure", "brier-score", 0.0, 0.0125),
        ("alone", "accuracy", 0.89803, 1.0),
        ("alone", "brier-score", 0.07052, 0.12399),
    ],
)
def test_ends_at_an_extreme_are_those_of_the_version_whose_coverage_was_studied(
    rows, name, low, high
):
    """Errors smaller than random ones, sure predictions that are right, one class alone."""
    data = Predictions.from_arrays(*EXTREME[rows], classes=[0, 1])
    what = error_of(data) if name is None else point_statistic(data, name)
    kind = "error" if name is None else "estimate"
    found = interval_of(what, kind=kind, resamples=99, rng=0, workers=1)
    assert ends(found) == pytest.approx((low, high), rel=1e-4, abs=1e-5)


def test_an_interval_that_leaves_out_its_start_begins_strictly_off_it():
    """However little the value is outside there; where it is inside the start may be the end."""
    places = {0.0: PointOnFamily(0.0, 0.0, 0.1, 0.0), 1.0: PointOnFamily(0.2, 0.1, 0.3, 0.1)}
    search = FamilySearch(None, None, None, places)
    assert search._passed(0.0, 1.0, 1e-9, -0.1) == pytest.approx(0.2 / 128)
    assert search._passed(0.0, 1.0, -1e-9, 0.1) == pytest.approx(2e-9)


def test_one_share_has_the_interval_of_clopper_and_pearson():
    """With one score the mean outcome is binomial, whose exact interval is known."""
    y = np.repeat([0, 1], [140, 60])
    data = Predictions.from_arrays(y, np.full(200, 0.4))
    result = interval_of(share_of_outcomes(data), kind="estimate", resamples=1999)
    exact = beta.ppf([0.025, 0.975], [60, 61], [141, 140])
    np.testing.assert_allclose(ends(result), exact, atol=0.008)


def test_what_never_happened_may_still_be_possible():
    """Sure predictions that were all right leave room for errors as large as 1 - .025^(1/n)."""
    data = Predictions.from_arrays([0, 1] * 20, [0.0, 1.0] * 20, classes=[0, 1])
    result = interval_of(error_of(data), resamples=999)
    assert result.low == 0
    assert result.high == pytest.approx(1 - 0.025 ** (1 / 40), rel=0.15)


@pytest.mark.parametrize("kind", ["error", "estimate"])
def test_a_higher_level_gives_a_wider_interval(kind):
    """Intervals of the same draws are nested."""
    what = error_of(table(300)) if kind == "error" else point_statistic(table(300), "log-loss")
    result = [
        interval_of(what, kind=kind, level=level, resamples=399) for level in (0.8, 0.9, 0.98)
    ]
    lows, highs = [part.low for part in result], [part.high for part in result]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)
    assert lows[0] > lows[2]
    assert highs[0] < highs[2]


def test_the_answer_depends_on_the_seed_alone():
    """Workers change nothing, another seed does; progress ends at the end."""
    what = error_of(table(1500))
    fractions = []
    one = interval_of(
        what, resamples=199, rng=3, workers=1, progress=lambda *at: fractions.append(at)
    )
    two = interval_of(what, resamples=199, rng=3, workers=2)
    assert ends(one) == ends(two)
    assert ends(one) != ends(interval_of(what, resamples=199, rng=4))
    assert fractions[-1][0] == fractions[-1][1]
    assert all(done <= whole for done, whole in fractions)


def test_the_order_of_rows_matters_at_random_only():
    """Rows turned round have the same smoothed residuals, and an interval as near as two seeds."""
    data = table(400, k=3)
    turned = Predictions.from_arrays(data.actual[::-1], data.prob[::-1], classes=[0, 1, 2])
    mass = np.ones(400)
    here, there = (smoothed(part.prob, part.actual, mass) for part in (data, turned))
    np.testing.assert_allclose(here.z, there.z[::-1], atol=1e-9)
    np.testing.assert_allclose(here.residual, there.residual[::-1], atol=1e-12)
    one, two = (interval_of(error_of(part), resamples=999) for part in (data, turned))
    np.testing.assert_allclose(ends(one), ends(two), atol=0.08 * (one.high - one.low))


def test_weights_of_1_change_nothing_and_rows_of_weight_0_are_absent():
    """A table of weights 1 is one without; what a row of weight 0 holds does not matter."""
    plain, ones = table(100), table(100, weight=np.ones(100))
    one = interval_of(error_of(plain), resamples=79)
    two = interval_of(error_of(ones), weight=ones.weight, resamples=79)
    np.testing.assert_allclose(ends(one), ends(two), rtol=1e-9)
    weight = np.tile([1.0, 0.0], 50)
    data = table(100, weight=weight)
    other = Predictions.from_arrays(
        np.where(weight > 0, data.actual, 1 - data.actual), data.prob, weight=weight
    )
    one, two = (interval_of(error_of(d), weight=weight, resamples=79) for d in (data, other))
    assert ends(one) == ends(two)


def test_smoothed_residuals_take_a_weight_for_repetition():
    """A row of weight 3 smooths as three rows do."""
    data = table(80)
    weight = 1.0 + 2.0 * (np.arange(80) % 3 == 0)
    times = weight.astype(int)
    once = smoothed(data.prob, data.actual, weight).residual
    often = smoothed(
        np.repeat(data.prob, times, axis=0), np.repeat(data.actual, times), np.ones(times.sum())
    ).residual
    np.testing.assert_allclose(np.repeat(once, times, axis=0), often, atol=1e-12)


def test_smoothed_residuals_take_a_count_for_repetition():
    """In standard errors too, also where rows call a class impossible."""
    data = table(80)
    prob, times = data.prob.copy(), np.arange(80) % 3 + 1
    prob[:9], event = [1.0, 0.0], np.where(np.arange(80) < 9, 0, data.actual)
    once = smoothed(prob, event, times.astype(float), counted=True)
    often = smoothed(np.repeat(prob, times, axis=0), np.repeat(event, times), np.ones(times.sum()))
    np.testing.assert_allclose(np.repeat(once.residual, times, axis=0), often.residual, atol=1e-12)
    np.testing.assert_allclose(np.repeat(once.z, times, axis=0), often.z, atol=1e-9)


def test_rows_without_weight_have_no_residual_where_nothing_is_near():
    """Their cell is empty, and beyond the window of all others."""
    score = np.repeat([0.1, 0.4, 0.9], 10)
    prob, weight = np.column_stack([1 - score, score]), np.where(score == 0.4, 1.0, 0.0)
    found = smoothed(prob, np.arange(30) % 2, weight)
    assert found.residual[:10] == pytest.approx(0)
    assert found.z[:10] == pytest.approx(0)
    assert found.residual[10:20, 1] == pytest.approx(0.1)


def test_the_bar_ends_only_where_the_search_does():
    """However many places are drawn, the last step is left to the end."""
    shown = []
    step = _counted(lambda *at: shown.append(at))
    for number in range(40):
        step(number, 0)
    assert shown == [(min(done, 11), 12) for done in range(1, 41)]


@pytest.mark.parametrize("k", [2, 4])
def test_families_are_probabilities_through_their_start(k):
    """Every place of both families is a distribution; 0 is the start, and 0 stays 0 if need be."""
    data = table(60, k=k)
    what = point_statistic(data, "log-loss")
    smooth = smoothed(data.prob, data.actual, np.ones(60))
    line, tilted = departures(what, smooth, SPREAD)[0], tilt(what, smooth, np.ones(60))
    np.testing.assert_allclose(line.at(0.0), data.prob, atol=1e-12)
    np.testing.assert_allclose(tilted.at(0.0), tilted.start, atol=1e-12)
    for family in (line, tilted):
        for t in (-3.0, 0.4, 1e6):
            prob = family.at(t)
            assert (prob >= 0).all()
            np.testing.assert_allclose(prob.sum(axis=1), 1.0)
    values = [what.at(tilted.at(t)) for t in (-0.2, 0.0, 0.2)]
    assert values == sorted(values)
    zero = StraightFamily(np.array([[0.0, 1.0]]), np.array([[0.0, 0.0]]))
    assert zero.at(5.0)[0, 0] == 0


def test_cells_split_no_tie():
    """Equal scores share a cell; cells rise with the score and hold about equal weight."""
    score = np.random.default_rng(0).integers(0, 50, 1000) / 50
    cell, rank = cells_of(score, np.ones(1000), 10)
    order = np.argsort(score)
    assert (np.diff(cell[order]) >= 0).all()
    assert all(len(np.unique(cell[score == s])) == 1 for s in np.unique(score))
    assert len(np.unique(cell)) == 10
    assert ((rank > 0) & (rank < 1)).all()


def test_statistics_with_an_order_of_their_own_take_the_weights_of_the_table():
    """Weights are brought into the order of the statistic's rows."""
    weight = np.linspace(1, 2, 90)
    data = table(90, weight=weight)
    for what in (kernel_statistic(data), cumulative_statistic(data.one_vs_rest("1"), "kuiper")):
        result = interval_of(what, weight=data.weight, resamples=79)
        assert 0 <= result.low <= result.high < 1
    with refused(ParameterError, "wrong-length", "90", argument="weight"):
        interval_of(error_of(data), weight=weight[:5])


@pytest.mark.parametrize("view", ["top-label", "classwise", "one-vs-rest:1", "joint"])
def test_every_view_has_an_interval(view):
    """Binary views, all classes and whole vectors go through the same search."""
    data = table(150, k=3)
    result = interval_of(error_of(data, view), resamples=79)
    assert 0 <= result.low < result.high
    assert result.reason is None


def test_where_there_is_no_interval_it_says_why():
    """Infinite values, too few resamples and a value that cannot vary have a reason."""
    data = Predictions.from_arrays([0, 1, 1, 0], [0.0, 1.0, 0.0, 0.2], classes=[0, 1])
    never = interval_of(point_statistic(data, "log-loss"), kind="estimate", resamples=79)
    assert math.isnan(never.low)
    assert "not finite" in never.reason
    few = interval_of(error_of(data), resamples=38)
    assert "38 resamples" in few.reason
    assert "0.95" in few.reason
    constant = Statistic(data.prob, data.actual, None, None, np.full((4, 2), 0.25), groups=None)
    point = interval_of(constant, kind="estimate", resamples=79)
    assert ends(point) == (1.0, 1.0)
    assert "same for all outcomes" in point.reason


def test_unknown_kinds_and_levels_are_refused():
    """Names and numbers are checked."""
    what = error_of(table(20))
    with pytest.raises(ParameterError, match="`kind`"):
        interval_of(what, kind="score")
    with pytest.raises(ParameterError, match="`level`"):
        interval_of(what, level=95)
    with refused(ParameterError, "no-whole-number", argument="resamples"):
        interval_of(what, resamples=99.5)


def test_probabilities_next_to_0_do_not_hide_what_the_others_show():
    """The low end leaves 0 where the test rejects; naive Bayes gives probabilities of 1e-300."""
    X, y = load_breast_cancer(return_X_y=True)
    p = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")[:, 1]
    assert np.sum((p > 0) & (p < 1e-150)) > 0
    settings = {"interval": True, "resamples": 199}
    result = calibration_error(Predictions.from_arrays(y, p), **settings)
    assert result.p_value < 0.025
    clipped = calibration_error(Predictions.from_arrays(y, np.clip(p, 1e-9, 1.0)), **settings)
    assert result.interval_range == pytest.approx(clipped.interval_range, abs=0.01)
    assert result.interval_range[0] > 0.02


@pytest.mark.parametrize("counted", [False, True])
def test_hits_of_bins_have_the_law_of_labels_that_are_added_up(counted, rng):
    """Of other probabilities than the predictions: Kolmogorov and Smirnov find no difference."""
    data = table(2000)
    if counted:
        count = rng.integers(1, 9, 2000)
        data = Predictions.from_arrays(data.actual, data.prob[:, 1].round(3), count=count)
    what = error_of(data, bins=10)
    prob = np.asfortranarray(0.8 * what.prob + 0.1)
    fast, slow = resampled(redrawn(what, prob), 4000, 1), resampled(Redrawn(what, prob), 4000, 2)
    assert ks_2samp(fast, slow).pvalue > 0.01
    assert fast.mean() == pytest.approx(slow.mean(), abs=4 * slow.std() / np.sqrt(2000))
    np.testing.assert_array_equal(
        resampled(redrawn(what, what.prob), 99, 3), resampled(what, 99, 3)
    )
