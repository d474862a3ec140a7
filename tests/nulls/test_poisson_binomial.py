from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from laws import law
from plumbline.nulls.poisson_binomial import (
    DIRECT,
    LISTED,
    _from_tilts,
    _trial_by_trial,
    poisson_binomial,
)


def rational(hit, miss):
    """Return P(0 hits), P(1 hit), ... in exact arithmetic, trial by trial."""
    table = [Fraction(1)]
    for p, q in zip(map(Fraction, hit), map(Fraction, miss), strict=True):
        stay = [mass * q for mass in table] + [Fraction(0)]
        gain = [Fraction(0)] + [mass * p for mass in table]
        table = [a + b for a, b in zip(stay, gain, strict=True)]
    return table


def long_double(hit):
    """Return the same with 64 bits of mantissa and no window: good to about m 1e-19."""
    table = np.zeros(len(hit) + 1, np.longdouble)
    table[0] = 1
    for i, p in enumerate(np.asarray(hit, np.longdouble)):
        table[1 : i + 2] = table[1 : i + 2] * (1 - p) + table[: i + 1] * p
        table[0] *= 1 - p
    return table


def whole(hits, m):
    """Return the listed probabilities on 0, ..., m, with 0 for what is not listed."""
    table = np.zeros(m + 1)
    table[hits.first : hits.first + len(hits.log_prob)] = np.exp(hits.log_prob)
    return table


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_every_probability_is_within_its_error_of_the_rational_one(chances):
    """Up to 12 trials of any probabilities, in exact arithmetic."""
    hit = np.array(chances)
    hits = poisson_binomial(hit, 1.0 - hit)
    truth = rational(hit, 1.0 - hit)
    result = whole(hits, len(hit))
    allowed = Fraction(hits.error) + Fraction(1, 10**12)  # of exp(log p)
    for mine, exact in zip(result, truth, strict=True):
        if exact > 2 * LISTED:
            assert abs(Fraction(mine) - exact) <= allowed * exact
        else:
            assert mine <= 3 * LISTED


def test_far_tails_keep_their_digits():
    """40 trials, down to 1e-60, against rational arithmetic."""
    hit = np.linspace(0.01, 0.3, 40)
    truth = np.array([float(mass) for mass in rational(hit, 1 - hit)])
    np.testing.assert_allclose(whole(poisson_binomial(hit, 1 - hit), 40), truth, rtol=1e-12)


@pytest.mark.parametrize(("m", "p"), [(5000, 0.3), (12_000, 0.5), (200_000, 0.02), (300_000, 0.9)])
def test_equal_probabilities_are_binomial(m, p):
    """Both ways, into the tails; the tolerance is that of the reference."""
    hits = poisson_binomial(np.full(m, p), np.full(m, 1 - p))
    h = hits.first + np.arange(len(hits.log_prob))
    np.testing.assert_allclose(hits.log_prob, binom.logpmf(h, m, p), rtol=0, atol=2e-9)
    assert np.exp(hits.log_prob).sum() == pytest.approx(1, abs=1e-9)
    beside = binom.logpmf([hits.first - 1, h[-1] + 1], m, p)
    assert (beside <= np.log(LISTED) + 1e-6).all()  # nothing likelier is left out


@law("shape", [(1.0, 1.0), (4.0, 3.0)], number=1)
def test_every_number_of_hits_that_is_likely_enough_is_listed(rng, shape):
    """At either end of all tilts together."""
    hit = rng.beta(*shape, 10_000)
    hits = poisson_binomial(hit, 1 - hit)
    truth = long_double(hit)
    assert truth[: hits.first].max(initial=0) <= LISTED * (1 + 1e-6)
    assert truth[hits.first + len(hits.log_prob) :].max(initial=0) <= LISTED * (1 + 1e-6)


@law("shape", [(1.0, 1.0), (4.0, 3.0)], number=1)
def test_tilts_agree_with_extended_precision_within_their_error(rng, shape):
    """Unequal probabilities: every listed number of hits, down to 1e-285."""
    hit = rng.beta(*shape, 10_000)
    hits = _from_tilts(hit, 1 - hit)
    kept = hits.log_prob > np.log(1e-285)
    listed = slice(hits.first, hits.first + len(hits.log_prob))
    truth = np.log(long_double(hit)[listed][kept])
    assert hits.error < 1e-8
    assert np.abs(hits.log_prob[kept] - truth).max() <= hits.error


@pytest.mark.parametrize("most", [1e-5, 0.02, 0.5, 1.0])
def test_misses_are_hits_counted_from_the_other_end(rng, most):
    """Trial by trial, and tilt by tilt, down to what is hardly ever."""
    hit = rng.uniform(0, most, 14_000)
    few, many = (poisson_binomial(*pair) for pair in ((hit, 1 - hit), (1 - hit, hit)))
    assert few.first + many.first + len(few.log_prob) == 14_001
    np.testing.assert_allclose(few.log_prob, many.log_prob[::-1], rtol=0, atol=1e-8)
    assert np.exp(few.log_prob).sum() == pytest.approx(1)


def test_both_ways_agree(rng):
    """Trial by trial and tilt by tilt."""
    hit = rng.beta(0.4, 0.4, 12_000)
    one, other = (
        whole(_trial_by_trial(hit, 1 - hit), 12_000),
        whole(_from_tilts(hit, 1 - hit), 12_000),
    )
    likely = one > 1e-280
    np.testing.assert_allclose(other[likely], one[likely], rtol=1e-8)


@pytest.mark.parametrize("m", [8, 5000])
def test_counted_trials_are_those_repeated(rng, m):
    """Trial by trial and tilt by tilt; those that none stands for change nothing."""
    hit, times = rng.beta(0.8, 2.0, m), rng.integers(0, 9, m).astype(float)
    one = poisson_binomial(hit, 1 - hit, times)
    rows = np.repeat(hit, times.astype(int))
    other = poisson_binomial(rows, 1 - rows)
    assert (m > 100) == (float(rows @ (1 - rows)) > DIRECT**2)
    pair = [whole(hits, len(rows)) for hits in (one, other)]
    likely = pair[1] > 1e-280
    np.testing.assert_allclose(pair[0][likely], pair[1][likely], rtol=1e-8)
    assert pair[0].sum() == pytest.approx(1)


def test_certain_trials_only_shift():
    """Trials of probability 0 and 1."""
    hit = np.array([1.0, 0.5, 0.0, 1.0, 0.25])
    hits = poisson_binomial(hit, 1 - hit)
    assert hits.first == 2
    np.testing.assert_allclose(np.exp(hits.log_prob), [0.375, 0.5, 0.125], rtol=1e-14)
