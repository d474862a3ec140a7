"""The kernel density calibration error: against a double loop, and what its bandwidth sees."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.stats import beta

from plumbline import Predictions
from plumbline.calibration import Profile, define_error, profile_statistic, smooth
from plumbline.calibration.smooth import BANDWIDTHS, beta_bandwidth, kde_ece
from plumbline.nulls import observed, resampled
from strategies import binary_tables


def statistic_of(data):
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


def literal(y, p, b):
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
    what = statistic_of(Predictions.from_arrays(y, p, classes=[0, 1]))
    found = beta_bandwidth(what.parts[0].profile, 1.0)
    if make == "spread":
        assert found == max(BANDWIDTHS, key=lambda b: likelihood(p, b))
    assert observed(what) == pytest.approx(literal(y, p, found), abs=1e-10)


@settings(max_examples=20)
@given(binary_tables(least_weight=0))
def test_laws_hold(columns):
    """Weights repeat rows, order is nothing, and no error is above 1."""
    assume(columns.weight.sum() > 1)
    whole = observed(statistic_of(columns.predictions()))
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    again = observed(statistic_of(apart.predictions(weighted=False)))
    turned = observed(statistic_of(columns.take(slice(None, None, -1)).predictions()))
    assert whole == pytest.approx(again, abs=1e-10)
    assert whole == pytest.approx(turned, abs=1e-10)
    assert 0 <= whole <= 1


def test_two_rows_of_one_score_are_judged_by_each_other():
    """The other row's outcome is all there is: .5 from either score."""
    what = statistic_of(Predictions.from_arrays([0, 1], [0.5, 0.5]))
    assert observed(what) == pytest.approx(0.5, abs=1e-12)


def test_a_row_alone_is_its_own_neighbour():
    """One row: the distance of its outcome from its score."""
    lone = Profile(np.array([0.3]), np.array([0.7]), np.ones(1))
    assert kde_ece(lone)(np.array([[1.0, 0.0]])).tolist() == [0.7, 0.3]


def test_light_rows_leave_out_their_own_weight(rng):
    """Weights of 1/2 on every row change nothing."""
    p = rng.random(40)
    y = (rng.random(40) < p).astype(int)
    half = statistic_of(Predictions.from_arrays(y, p, weight=np.full(40, 0.5)))
    whole = statistic_of(Predictions.from_arrays(y, p))
    assert observed(half) == pytest.approx(observed(whole), abs=1e-12)


def test_many_scores_are_joined_without_harm(rng, monkeypatch):
    """1,100 scores, as they are and in cells: less than 1e-3 apart."""
    p = np.sort(rng.beta(2, 5, 1100))
    profile = Profile(p, 1 - p, np.ones(len(p)))
    hits = (rng.random((len(p), 3)) < p[:, None] ** 1.2).astype(float)
    found = kde_ece(profile)(hits)
    monkeypatch.setattr(smooth, "DENSITY_CELLS", 2**40)
    np.testing.assert_allclose(found, kde_ece(profile)(hits), atol=1e-3)


def test_the_bandwidth_shrinks_with_the_rows(rng):
    """More rows tell finer shapes apart; evenly strewn scores of 60 rows take a wide kernel."""
    few, many = (np.sort(rng.random(n)) for n in (60, 1000))
    wide = beta_bandwidth(Profile(few, 1 - few, np.ones(60)), 1.0)
    crowded = np.sort(rng.beta(20, 20, 1000))
    narrow = beta_bandwidth(Profile(crowded, 1 - crowded, np.ones(len(many))), 1.0)
    assert narrow < wide


def test_the_null_is_what_the_smoother_makes_of_noise(rng):
    """Observed labels drawn as the rows say lie among the drawn; wrong ones far above them."""
    p = rng.beta(2, 5, 400)
    true = (rng.random(400) < p).astype(int)
    draws = resampled(statistic_of(Predictions.from_arrays(true, p)), 200, rng=1)
    wrong = (rng.random(400) < np.clip(2 * p, 0, 1)).astype(int)
    assert 0 < draws.min() * 0.8 < observed(statistic_of(Predictions.from_arrays(true, p)))
    assert observed(statistic_of(Predictions.from_arrays(true, p))) < draws.max()
    assert observed(statistic_of(Predictions.from_arrays(wrong, p))) > draws.max()
