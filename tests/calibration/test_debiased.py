"""Squared calibration errors without bias."""

import numpy as np
import pytest
from hypothesis import given, settings

import plumbline as pb
from label_sets import chances, label_sets, values_of_all
from laws import examples
from plumbline.calibration import debiased_statistic, define_error
from plumbline.errors import ParameterError
from plumbline.nulls import observed, resampled
from reference.peers import recorded
from reference.peers.inputs import table
from refusals import refused
from strategies import binary_tables

CASES = [c for c in recorded("uncertainty_calibration")["cases"] if "square" in c]


def found(data, bins, *, of_rates=False, view=None):
    """The debiased error of a view."""
    what = debiased_statistic(data, define_error(data, view, bins), of_rates=of_rates)
    return float(observed(what))


def pair_by_pair(score, event, edges):
    """The formula of T-Cal as it is written: all pairs of different rows of a bin."""
    home = np.searchsorted(edges[1:-1], score)
    residual = event - score
    total, paired = 0.0, False
    for j in np.unique(home):
        r = residual[home == j]
        n = len(r)
        paired |= n > 1
        total += sum(r[a] * r[b] for a in range(n) for b in range(n) if a != b) / n
    return total / len(score) if paired else np.nan


def share_by_share(score, event, edges):
    """The formula of Kumar, Liang and Ma as it is written, bin by bin."""
    home = np.searchsorted(edges[1:-1], score)
    total, paired = 0.0, False
    for j in np.unique(home):
        y, p, n = event[home == j].mean(), score[home == j].mean(), int((home == j).sum())
        if n > 1:
            total += n * ((y - p) ** 2 - y * (1 - y) / (n - 1))
            paired = True
    return total / len(score) if paired else np.nan


@settings(max_examples=examples(30))
@given(table=binary_tables(most=20))
def test_the_errors_are_those_of_their_papers(table):
    """By literal loops: ties, single rows, and whole weights as repeated rows."""
    rows = table.take(np.repeat(np.arange(table.n), table.weight))
    edges = np.arange(5) / 4
    for of_rates, literal in ((False, pair_by_pair), (True, share_by_share)):
        known = literal(rows.score, rows.event, edges)
        value = found(table.predictions(), "equal-width:4", of_rates=of_rates)
        assert value == pytest.approx(known, abs=1e-12, nan_ok=True)


def test_the_error_is_that_of_the_formula_with_two_sums(rng):
    """(sum r)^2 - sum r^2 over n_b and n, many bins of one row: no weights are renormalised."""
    p = rng.random(60)
    y = rng.random(60) < p**2
    home = np.ceil(40 * p).astype(int)
    r, rows = y - p, np.bincount(home)
    square = np.bincount(home, r) ** 2 - np.bincount(home, r * r)
    assert (rows == 1).sum() > 10
    value = found(pb.Predictions.from_arrays(y, p), "equal-width:40")
    assert value == pytest.approx((square[rows > 0] / rows[rows > 0]).sum() / 60, abs=1e-14)


@pytest.mark.parametrize("scheme", ["equal-width:15", "equal-size:15"])
def test_the_metric_of_kumar_is_that_of_the_package(scheme):
    """By its name on the command line, `unbiased_square_ce` of uncertainty-calibration."""
    for case in CASES:
        if case["upper"][scheme][0] > 0:
            y, p = table(**case["input"])
            data = pb.Predictions.from_arrays(y, p)
            bins = pb.Edges([0.0, *case["upper"][scheme]])
            (one,) = pb.measure(data, "debiased-l2-kumar", bins=bins, resamples=1).measures
            assert one.value == pytest.approx(case["square"][scheme], abs=1e-12)


def means(what, c):
    """The statistic's exact mean over all label vectors with chances c, and its value at c."""
    labels, shares = label_sets(len(c), 2), np.column_stack([1 - c, c])
    return chances(shares, labels) @ values_of_all(what, labels), what.at(shares)


@pytest.mark.parametrize("of_rates", [False, True])
def test_the_true_value_is_the_mean_over_all_labels(rng, of_rates):
    """Every label vector, weighed by its probability: with ties, in bins of several sizes."""
    p = np.array([0.1, 0.3, 0.3, 0.4, 0.6, 0.7, 0.7, 0.95])
    c = rng.uniform(size=8)
    data = pb.Predictions.from_arrays(np.zeros(8, int), p, classes=[0, 1])
    what = debiased_statistic(data, define_error(data, bins="equal-width:2"), of_rates=of_rates)
    mean, value = means(what, c)
    assert mean == pytest.approx(value, abs=1e-12)


def test_true_probabilities_have_mean_0_exactly():
    """With the predictions held fixed, whatever the bins; judged by rates it is below."""
    p = np.array([0.1, 0.15, 0.3, 0.4, 0.6, 0.65, 0.7, 0.95])
    data = pb.Predictions.from_arrays(np.zeros(8, int), p, classes=[0, 1])
    definition = define_error(data, bins="equal-width:2")
    assert means(debiased_statistic(data, definition), p)[0] == pytest.approx(0, abs=1e-14)
    of_rates = debiased_statistic(data, definition, of_rates=True)
    spread = (p[:4].var() + p[4:].var()) / 2 / 3  # Var / (n_b - 1), half of the rows each
    assert means(of_rates, p)[0] == pytest.approx(-spread, abs=1e-14)


@pytest.mark.parametrize("view", ["top-label", "classwise"])
def test_the_mean_of_many_draws_is_0(rng, view):
    """Within 3 standard errors, for several classes, where the plug-in error is far from it."""
    prob = rng.dirichlet(np.ones(4), 300)
    data = pb.Predictions.from_arrays(rng.integers(0, 4, 300), prob)
    drawn = resampled(debiased_statistic(data, define_error(data, view, "equal-size:10")), 1500)
    assert abs(drawn.mean()) < 3 * drawn.std() / np.sqrt(len(drawn))
    assert drawn.min() < 0


def test_sure_labels_are_worth_what_was_observed(rng):
    """The true value at certain labels is the statistic itself, with weights too."""
    prob = rng.dirichlet(np.ones(3), 100).round(1)
    prob /= prob.sum(axis=1, keepdims=True)
    weight = rng.integers(0, 4, 100)
    data = pb.Predictions.from_arrays(rng.integers(0, 3, 100), prob, weight=weight)
    for view in ("top-label", "classwise"):
        what = debiased_statistic(data, define_error(data, view))
        assert what.at(np.eye(what.prob.shape[1])[what.actual]) == pytest.approx(
            float(observed(what)), abs=1e-12
        )


@pytest.mark.parametrize("scheme", ["equal-width:15", "equal-size:15"])
def test_rates_are_judged_as_uncertainty_calibration_does(scheme):
    """Its edges, its squares; a bin of one row adds 0."""
    cases = [case for case in CASES if case["upper"][scheme][0] > 0]  # no bin of the score 0 alone
    assert len(cases) >= 3
    for case in cases:
        y, p = table(**case["input"])
        data = pb.Predictions.from_arrays(y, p)
        edges = [0.0, *case["upper"][scheme]]
        value = found(data, pb.Edges(edges), of_rates=True)
        assert value == pytest.approx(case["square"][scheme], abs=1e-12)


def test_single_rows_add_nothing():
    """The only row of a bin has no pair; where all are single there is no error at all."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.3, 0.9])
    assert found(data, "equal-width:2") == pytest.approx(2 * -0.1 * 0.7 / 2 / 3)
    assert np.isnan(found(data, "equal-width:10"))


def test_scores_of_single_precision_have_edges_of_theirs():
    """A float32 score of 0.1 is at the edge 0.1, not behind it."""
    y, p = [0, 1, 1, 0, 0, 1], np.array([0.1, 0.1, 0.2, 0.2, 0.3, 0.3])
    wide, narrow = (
        found(pb.Predictions.from_arrays(y, p.astype(t)), "equal-width:10")
        for t in (np.float64, np.float32)
    )
    assert narrow == pytest.approx(wide, abs=1e-6)


@pytest.mark.parametrize(
    ("bins", "code"), [("one-per-point", "bins-without-edges"), ("isotonic", "bins-of-outcomes")]
)
def test_bins_that_cannot_be_debiased_are_refused(bins, code):
    """Points have no pairs, and bins that look at the outcomes are not fixed."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.3, 0.9])
    with refused(ParameterError, code, argument="bins"):
        found(data, bins)
    with refused(ParameterError, "view-not-possible"):
        debiased_statistic(data, define_error(data, "joint"))


def test_the_unit_of_weights_that_are_no_counts_is_nothing(rng):
    """Half a row is a row where all are halves, and w, 10 w and w / 100 give one number."""
    data = pb.Predictions.from_arrays([1, 0], [0.3, 0.33], weight=[0.51, 0.51])
    assert observed(debiased_statistic(data, define_error(data))) == pytest.approx(-0.7 * 0.33 / 2)
    p = rng.random(200)
    y, weight = rng.random(200) < p, rng.random(200)
    tables = [pb.Predictions.from_arrays(y, p, weight=weight * unit) for unit in (1, 10, 0.01)]
    one, *others = (float(observed(debiased_statistic(t, define_error(t)))) for t in tables)
    assert np.isfinite(one)
    assert others == pytest.approx([one, one], rel=1e-9)
