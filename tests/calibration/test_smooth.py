"""The smooth calibration error: against its definition, another package, and its null."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.stats import norm

from plumbline import Predictions
from plumbline.calibration import Profile, define_error, profile_statistic
from plumbline.calibration.smooth import smooth_ece
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
        found = value(y, p)
        assert literal(y, p, found) == pytest.approx(found, rel=5e-4)


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


@settings(max_examples=20)
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
    chance = np.column_stack([1 - p, p])
    assert what.at(chance) == pytest.approx(0.0, abs=1e-12)
    assert what.at(np.column_stack([0.9 - p, p + 0.1])) == pytest.approx(0.1, abs=1e-6)


def test_the_null_mean_is_the_known_one(rng):
    """A calibrated classifier with Beta(2, 5) scores has a mean of 0.028 at n = 1000."""
    p = rng.beta(2, 5, 1000)
    y = (rng.random(1000) < p).astype(int)
    what = statistic_of(Predictions.from_arrays(y, p), smooth_ece)
    draws = resampled(what, 300, rng=1)
    assert draws.mean() == pytest.approx(0.0282, abs=0.0005)
    assert draws.min() * 0.9 < observed(what) < draws.max() * 1.1
