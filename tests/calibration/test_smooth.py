"""Smooth, kernel density and loess errors: against literal versions and other packages."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.stats import beta, norm
from statsmodels.nonparametric.smoothers_lowess import lowess

from laws import examples
from plumbline import Predictions
from plumbline.calibration import (
    Profile,
    define_error,
    e50,
    e90,
    emax,
    ici,
    kde_ece,
    profile_statistic,
    smooth,
    smooth_ece,
)
from plumbline.calibration.smooth import BANDWIDTHS, beta_bandwidth
from plumbline.nulls import observed, resampled
from reference.peers import recorded
from reference.peers.inputs import fingerprint, table
from strategies import binary_tables

PEERS = recorded("relplot")["cases"]


def statistic_of(data, rule):
    """Return the error of the positive class as a statistic."""
    return profile_statistic(data, define_error(data, None), rule)


def value(y, p):
    """Return the error of a binary table."""
    return float(observed(statistic_of(Predictions.from_arrays(y, p), smooth_ece)))


def literal(y, p, sigma, places=1501):
    """The integral at one width, by quadrature over the images of every row."""
    t = np.linspace(0, 1, places)[:, None]
    kernel = sum(
        norm.pdf(t, 2 * turn + sign * p, sigma) for turn in range(-2, 3) for sign in (1, -1)
    )
    return float(np.trapezoid(np.abs(kernel @ (y - p)), t[:, 0]) / len(p))


def tables(rng):
    """Yield tables: spread, near 0, with ties at 0 and 1."""
    for p in (rng.beta(2, 5, 200), rng.beta(0.5, 50, 200), rng.integers(0, 11, 200) / 10):
        yield (rng.random(200) < 0.1 + 0.8 * p).astype(int), p


def test_it_is_the_width_that_equals_its_integral(rng):
    """The literal integral at the value is the value, within 5e-4 of it.

    The integral falls with the width, so its root is no farther away.
    """
    for y, p in tables(rng):
        result = value(y, p)
        assert literal(y, p, result) == pytest.approx(result, rel=5e-4)


def as_relplot(y, p, sigma):
    """The integral as relplot finds it, written from what it does.

    A mass on a node at 0 or 1 has one image where it should have two, and kernels end at a distance
    of 1/2; for the mass that is lost, the sum over even places is divided by that of the density.
    """
    node = np.linspace(0, 1, 1001)
    left = np.minimum((p * 1000).astype(int), 999)
    part = p * 1000 - left
    images = np.concatenate([node, -node[1:], 2 - node[:-1]])
    gap = node[:, None] - images
    kernel = norm.pdf(gap, 0, sigma) * (np.abs(gap) < 0.5005)
    places = np.linspace(0, 1, max(round(10 / sigma), 200))
    smoothed = []
    for mass in (y - p, np.ones(len(p))):
        own = np.bincount(left, mass * (1 - part), 1001) + np.bincount(left + 1, mass * part, 1001)
        heights = kernel @ np.concatenate([own, own[1:], own[:-1]])
        smoothed.append(np.interp(places, node, heights))
    return float(np.abs(smoothed[0]).sum() / (smoothed[1] + 1e-4).sum())


@pytest.mark.parametrize("case", PEERS[5::5], ids=lambda case: str(case["input"]))
def test_it_differs_from_relplot_by_the_grid_and_its_ends_alone(case):
    """Recorded values are those of that grid; away from 0 and 1 the definition is near them.

    Within 4 % at a width, ours within 0.0025 at the root, of which relplot knows 10 binary digits.
    """
    y, p = table(**case["input"])
    assert fingerprint(y, p) == pytest.approx(case["fingerprint"], rel=1e-14)
    for sigma, theirs in (case["smece_sigma"] | {case["sigma"]: case["smece"]}).items():
        assert as_relplot(y, p, float(sigma)) == pytest.approx(theirs, rel=1e-7)
        if not case["input"]["ties"]:
            assert literal(y, p, float(sigma)) == pytest.approx(theirs, rel=0.04)
    if not case["input"]["ties"]:
        assert value(y, p) == pytest.approx(case["smece"], abs=0.0025)


@settings(max_examples=examples(20))
@given(binary_tables(least_weight=0))
def test_laws_hold(columns):
    """Weights repeat rows, order is nothing, and the value lies between its bounds."""
    assume(columns.weight.sum() > 1)
    whole = observed(statistic_of(columns.predictions(), smooth_ece))
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    again = observed(statistic_of(apart.predictions(weighted=False), smooth_ece))
    turned = observed(statistic_of(columns.take(slice(None, None, -1)).predictions(), smooth_ece))
    assert whole == pytest.approx(again, abs=1e-8)
    assert whole == pytest.approx(turned, abs=1e-8)
    residual = apart.event - apart.score
    score = np.unique(apart.score)
    finest = sum(abs(residual[apart.score == s].sum()) for s in score) / len(residual)
    assert abs(residual.mean()) - 1e-9 <= whole <= finest + 1e-9


def test_a_draw_is_the_same_beside_others(rng):
    """The value of one set of labels does not depend on those computed with it."""
    p = np.sort(rng.random(50))
    error = smooth_ece(Profile(p, 1 - p, np.ones(50)))
    hits = (rng.random((50, 40)) < p[:, None]).astype(float)
    hits[:, 7] = hits.sum(axis=1) / 40
    alone = [float(error(hits[:, [d]])[0]) for d in range(40)]
    np.testing.assert_allclose(error(hits), alone, rtol=1e-11)


def test_true_shares_have_no_error(rng):
    """The true value is 0 where the probabilities are true; a shift of 0.1 everywhere is 0.1."""
    p = rng.uniform(0.2, 0.7, 300)
    what = statistic_of(Predictions.from_arrays(np.zeros(300, int), p, classes=[0, 1]), smooth_ece)
    shares = np.column_stack([1 - p, p])
    assert what.at(shares) == pytest.approx(0.0, abs=1e-12)
    assert what.at(np.column_stack([0.9 - p, p + 0.1])) == pytest.approx(0.1, abs=1e-6)


def test_the_null_mean_is_the_known_one(rng):
    """A calibrated classifier with Beta(2, 5) scores has a mean of 0.028 at n = 1000."""
    p = rng.beta(2, 5, 1000)
    y = (rng.random(1000) < p).astype(int)
    what = statistic_of(Predictions.from_arrays(y, p), smooth_ece)
    draws = resampled(what, 300, rng=1)
    assert draws.mean() == pytest.approx(0.0282, abs=0.0005)
    assert draws.min() * 0.9 < observed(what) < draws.max() * 1.1


# ------------------------------------------------------------------ kernel density


def kde_statistic(data):
    """Return the error of the positive class as a statistic."""
    return profile_statistic(data, define_error(data, None), kde_ece)


def kernel(p, q, b):
    """The density at p of the kernel around q."""
    return beta.pdf(np.clip(p, 1e-6, 1 - 1e-6), q / b + 1, (1 - q) / b + 1)


def likelihood(p, b):
    """The leave-one-out log-likelihood of the scores, row by row."""
    n = len(p)
    others = [kernel(p[i], np.delete(p, i), b).sum() for i in range(n)]
    return float(np.sum(np.log(np.maximum(others, 1e-300))))


def literal_kde(y, p, b):
    """The error, row by row: every row is left out alone."""
    n, total = len(p), 0.0
    for i in range(n):
        weight = np.array([kernel(p[i], p[j], b) if j != i else 0.0 for j in range(n)])
        total += abs(weight @ y / weight.sum() - p[i])
    return total / n


@pytest.mark.parametrize("make", ["spread", "edges", "ties"])
def test_it_is_the_double_loop(rng, make):
    """With the most likely bandwidth of the list, whatever the scores."""
    n = 16
    p = {
        "spread": rng.random(n),
        "edges": np.append(rng.beta(0.3, 0.3, n - 3), [0.0, 1.0, 0.0]),
        "ties": rng.integers(1, 6, n) / 6,
    }[make]
    y = (rng.random(n) < p).astype(int)
    what = kde_statistic(Predictions.from_arrays(y, p, classes=[0, 1]))
    result = beta_bandwidth(what.parts[0].profile, 1.0)
    if make == "spread":
        assert result == max(BANDWIDTHS, key=lambda b: likelihood(p, b))
    assert observed(what) == pytest.approx(literal_kde(y, p, result), abs=1e-10)


@settings(max_examples=examples(20))
@given(binary_tables(least_weight=0))
def test_laws_of_kernel_densities_hold(columns):
    """Weights repeat rows, order is nothing, and no error is above 1."""
    assume(columns.weight.sum() > 1)
    whole = observed(kde_statistic(columns.predictions()))
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    again = observed(kde_statistic(apart.predictions(weighted=False)))
    turned = observed(kde_statistic(columns.take(slice(None, None, -1)).predictions()))
    assert whole == pytest.approx(again, abs=1e-10)
    assert whole == pytest.approx(turned, abs=1e-10)
    assert 0 <= whole <= 1


def test_two_rows_of_one_score_are_judged_by_each_other():
    """The other row's outcome is all there is: .5 from either score."""
    what = kde_statistic(Predictions.from_arrays([0, 1], [0.5, 0.5]))
    assert observed(what) == pytest.approx(0.5, abs=1e-12)


def test_a_row_alone_is_its_own_neighbour():
    """One row: the distance of its outcome from its score."""
    lone = Profile(np.array([0.3]), np.array([0.7]), np.ones(1))
    assert kde_ece(lone)(np.array([[1.0, 0.0]])).tolist() == [0.7, 0.3]


def test_light_rows_leave_out_their_own_weight(rng):
    """Weights of 1/2 on every row change nothing."""
    p = rng.random(40)
    y = (rng.random(40) < p).astype(int)
    half = kde_statistic(Predictions.from_arrays(y, p, weight=np.full(40, 0.5)))
    whole = kde_statistic(Predictions.from_arrays(y, p))
    assert observed(half) == pytest.approx(observed(whole), abs=1e-12)


def test_kernel_densities_of_many_scores_are_joined_without_harm(rng, monkeypatch):
    """1,100 scores, as they are and in cells: less than 1e-3 apart."""
    p = np.sort(rng.beta(2, 5, 1100))
    profile = Profile(p, 1 - p, np.ones(len(p)))
    hits = (rng.random((len(p), 3)) < p[:, None] ** 1.2).astype(float)
    result = kde_ece(profile)(hits)
    monkeypatch.setattr(smooth, "DENSITY_CELLS", 2**40)
    np.testing.assert_allclose(result, kde_ece(profile)(hits), atol=1e-3)


def test_the_bandwidth_shrinks_with_the_rows(rng):
    """More rows tell finer shapes apart; evenly strewn scores of 60 rows take a wide kernel."""
    few, many = (np.sort(rng.random(n)) for n in (60, 1000))
    wide = beta_bandwidth(Profile(few, 1 - few, np.ones(60)), 1.0)
    crowded = np.sort(rng.beta(20, 20, 1000))
    narrow = beta_bandwidth(Profile(crowded, 1 - crowded, np.ones(len(many))), 1.0)
    assert narrow < wide


def test_the_null_is_what_kernel_densities_make_of_noise(rng):
    """Observed labels drawn as the rows say lie among the drawn; wrong ones far above them."""
    p = rng.beta(2, 5, 400)
    true = (rng.random(400) < p).astype(int)
    draws = resampled(kde_statistic(Predictions.from_arrays(true, p)), 200, rng=1)
    wrong = (rng.random(400) < np.clip(2 * p, 0, 1)).astype(int)
    assert 0 < draws.min() * 0.8 < observed(kde_statistic(Predictions.from_arrays(true, p)))
    assert observed(kde_statistic(Predictions.from_arrays(true, p))) < draws.max()
    assert observed(kde_statistic(Predictions.from_arrays(wrong, p))) > draws.max()


# ------------------------------------------------------------------ loess


RULES = (ici, e50, e90, emax)


def loess_statistic(data, rule):
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
    result = [float(observed(loess_statistic(data, rule))) for rule in RULES]
    np.testing.assert_allclose(result, summaries(np.abs(np.clip(fit, 0, 1) - p)), rtol=1e-9)


def literal_loess(y, p):
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


@settings(max_examples=examples(20))
@given(binary_tables(least_weight=0))
def test_ties_and_weights_are_repeated_rows(columns):
    """The errors of the table with every row as often as it weighs."""
    assume(columns.weight.sum() > 1)
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    expected = summaries(np.abs(literal_loess(apart.event, apart.score) - apart.score))
    for rule, error in zip(RULES, expected, strict=True):
        assert observed(loess_statistic(columns.predictions(), rule)) == pytest.approx(
            error, abs=1e-8
        )


def test_loess_of_many_scores_is_joined_without_harm(rng, monkeypatch):
    """1,100 scores, as they are and in cells: 5e-5 apart in the index, 5e-4 in the rest."""
    p = np.sort(rng.beta(0.5, 3, 1100))
    profile = Profile(p, 1 - p, np.ones(1100))
    hits = (rng.random((1100, 3)) < p[:, None] ** 1.2).astype(float)
    result = [rule(profile)(hits) for rule in RULES]
    monkeypatch.setattr(smooth, "LOESS_CELLS", 1100)
    for rule, joined in zip(RULES, result, strict=True):
        np.testing.assert_allclose(joined, rule(profile)(hits), atol=5e-5 if rule is ici else 5e-4)


def test_a_straight_line_is_kept(rng):
    """Shares that are a line of the score have its distances as their true value."""
    p = np.sort(rng.beta(2, 5, 1200))
    shares = np.column_stack([0.9 - 0.8 * p, 0.1 + 0.8 * p])
    data = Predictions.from_arrays(np.zeros(1200, int), p, classes=[0, 1])
    expected = summaries(np.abs(shares[:, 1] - p))
    for rule, error in zip(RULES, expected, strict=True):
        assert loess_statistic(data, rule).at(shares) == pytest.approx(error, abs=5e-4)
        assert loess_statistic(data, rule).at(np.column_stack([1 - p, p])) < 1e-12


def test_the_null_is_what_loess_makes_of_noise(rng):
    """Labels drawn as the rows say lie among the drawn; wrong ones above them."""
    p = rng.beta(2, 5, 500)
    true = (rng.random(500) < p).astype(int)
    wrong = (rng.random(500) < np.clip(1.7 * p, 0, 1)).astype(int)
    for rule in RULES:
        draws = resampled(loess_statistic(Predictions.from_arrays(true, p), rule), 100, rng=1)
        assert draws.min() * 0.5 < observed(loess_statistic(Predictions.from_arrays(true, p), rule))
        assert observed(loess_statistic(Predictions.from_arrays(true, p), rule)) < draws.max() * 1.2
        assert observed(loess_statistic(Predictions.from_arrays(wrong, p), rule)) > draws.mean() * 2
