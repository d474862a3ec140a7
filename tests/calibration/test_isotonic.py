"""Isotonic regression of the shares at distinct scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.calibration.isotonic import isotonic_fit, isotonic_starts


def slow_fit(weight, hits):
    """The min-max formula: c_i = max over j <= i of min over k >= i of the mean from j to k."""
    g = len(weight)
    return [
        max(
            min(hits[j : k + 1].sum() / weight[j : k + 1].sum() for k in range(i, g))
            for j in range(i + 1)
        )
        for i in range(g)
    ]


@st.composite
def profiles(draw):
    """Draw whole weights and whole hits, with many equal shares."""
    weight = draw(st.lists(st.integers(1, 4), min_size=1, max_size=12))
    hits = [draw(st.integers(0, w)) for w in weight]
    return np.array(weight, float), np.array(hits, float)


@settings(max_examples=40)
@given(profiles())
def test_the_fit_is_the_min_max_formula(profile):
    """Pooling adjacent violators gives the closed form of isotonic regression."""
    weight, hits = profile
    fit = isotonic_fit(weight, hits[:, None])[:, 0]
    np.testing.assert_allclose(fit, slow_fit(weight, hits), atol=1e-12)


@settings(max_examples=40)
@given(profiles())
def test_pieces_are_the_longest_runs_of_one_share(profile):
    """A piece starts exactly where the fit rises: neighbours of equal shares are one piece."""
    weight, hits = profile
    starts = isotonic_starts(weight, hits[:, None])[0]
    rises = np.diff(slow_fit(weight, hits), prepend=-1.0) > 1e-9
    assert starts.tolist() == rises.tolist()


@pytest.mark.parametrize("whole", [True, False])
def test_the_fit_is_scikit_learns(rng, whole):
    """The same fit as IsotonicRegression, for whole and for other weights, draw by draw."""
    isotonic = pytest.importorskip("sklearn.isotonic")
    weight = rng.integers(1, 5, 200).astype(float) if whole else rng.uniform(0.1, 2, 200)
    share = np.clip(np.linspace(0.2, 0.8, 200)[:, None] + rng.normal(0, 0.3, (200, 5)), 0, 1)
    found = isotonic_fit(weight, weight[:, None] * share)
    for column in range(5):
        known = isotonic.isotonic_regression(share[:, column], sample_weight=weight)
        np.testing.assert_allclose(found[:, column], known, atol=1e-12)


def test_equal_shares_are_one_piece_whatever_the_rounding_of_their_weights():
    """Shares that are equal but for the last digit do not split, or a bin error would jump."""
    weight = np.array([0.1, 0.3, 0.7])
    hits = weight * 0.1 * np.array([1.0, 1.0 + 1e-15, 1.0 - 1e-15])
    assert isotonic_starts(weight, hits[:, None]).tolist() == [[True, False, False]]


def test_the_time_is_linear():
    """A fall from top to bottom, where a careless pooling takes quadratic time, is one piece."""
    g = 200_000
    starts = isotonic_starts(np.ones(g), np.linspace(1, 0, g)[:, None])
    assert starts.sum() == 1
