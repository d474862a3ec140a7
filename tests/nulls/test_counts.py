"""Hits of whole bins: the same law as the labels of their rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import Predictions
from plumbline.calibration import define_error, statistic
from plumbline.nulls import observed, resampled, resampling, values_and_shares
from plumbline.nulls.resampling import counted_apart, hit_counts
from plumbline.random_streams import stream

CHANCES = {
    "mixed": lambda source: source.random(800),
    "few and rare": lambda source: source.random(500) * 1e-3,
    "nearly sure": lambda source: 1.0 - source.random(500) * 1e-2,
    "halves": lambda source: np.full(300, 0.5),
    "sure but for three": lambda source: np.r_[np.zeros(90), np.ones(50), source.random(3)],
    "towards both ends": lambda source: source.beta(0.1, 0.1, 900),
    "all sure": lambda source: np.ones(7),
    "one row": lambda source: np.array([0.3]),
}


def added_up(chance):
    """Return P(0 hits), P(1 hit), ... by adding trial after trial."""
    prob = np.ones(1)
    for p in chance:
        prob = np.append(prob * (1.0 - p), 0.0) + np.append(0.0, prob * p)
    return prob


def filled_in(found, rows):
    """Return P(hits <= 0), P(hits <= 1), ... of a distribution that lists some."""
    out = np.zeros(rows + 1)
    stop = found.first + len(found.cumulative)
    out[found.first : stop] = found.cumulative
    out[stop:] = 1.0
    return out


@pytest.mark.parametrize("name", CHANCES)
def test_the_distribution_is_that_of_single_trials_added_up(name):
    """Every cumulative probability is right to 1e-12, whatever the probabilities."""
    chance = CHANCES[name](stream(1))
    (found,) = hit_counts(chance, np.ones(len(chance), int), 2)
    right = np.cumsum(added_up(chance))
    assert np.abs(filled_in(found, len(chance)) - right).max() < 1e-12


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(0, 99))
def test_cells_are_distinguished(chance, seed):
    """Each of several cells has the distribution of its own rows."""
    chance = np.array(chance)
    cell = stream(seed).integers(1, 4, len(chance))
    for j, found in enumerate(hit_counts(chance, cell, 4), start=1):
        own = chance[cell == j]
        right = np.cumsum(added_up(own))
        assert np.abs(filled_in(found, len(own)) - right).max() < 1e-12


def table(n, weight=None):
    """Draw true probabilities of two classes and their outcomes."""
    source = stream(5)
    prob = source.beta(2, 5, n)
    return Predictions.from_arrays(source.random(n) < prob, prob, weight=weight)


def test_drawn_hits_and_drawn_labels_have_one_law(monkeypatch):
    """Mean, spread and quantiles of both nulls agree within 4 standard errors."""
    from scipy.stats import ks_2samp

    data = table(resampling.LEAST_ROWS)
    what = statistic(data, define_error(data))
    quick = resampled(what, 4000, 1)
    monkeypatch.setattr(resampling, "LEAST_ROWS", data.n + 1)
    slow = resampled(what, 4000, 1)
    assert not np.array_equal(quick, slow)
    assert ks_2samp(quick, slow).pvalue > 6e-5
    error = np.hypot(quick.std(), slow.std()) / np.sqrt(4000)
    assert abs(quick.mean() - slow.mean()) < 4 * error


def test_who_is_counted_and_who_is_drawn_row_by_row():
    """Bins that share rows, rows of different weight and small tables are drawn by their labels."""
    big, small = table(resampling.LEAST_ROWS), table(resampling.LEAST_ROWS - 1)
    even = table(resampling.LEAST_ROWS, np.full(resampling.LEAST_ROWS, 2.0))
    uneven = table(resampling.LEAST_ROWS, np.arange(resampling.LEAST_ROWS) + 1.0)
    told = [
        counted_apart(statistic(data, define_error(data))) for data in (big, small, even, uneven)
    ]
    assert told == [True, False, True, False]
    assert not counted_apart(statistic(big, define_error(big, "classwise")))
    assert not counted_apart(statistic(big, define_error(big, bins="one-per-point")))


def test_weights_that_are_all_alike_change_nothing():
    """Twice the weight everywhere: the same value and the same draws."""
    once, twice = table(2000), table(2000, np.full(2000, 2.0))
    one, two = (statistic(data, define_error(data)) for data in (once, twice))
    assert observed(one) == pytest.approx(float(observed(two)), abs=1e-15)
    assert resampled(one, 50, 3) == pytest.approx(resampled(two, 50, 3), abs=1e-12)


def test_shares_belong_to_the_values():
    """The error of the drawn shares is the drawn error."""
    data = table(2000)
    what = statistic(data, define_error(data))
    values, shares = values_and_shares(what, 40, 3)
    hits = np.vstack([np.zeros(40), shares * what.cells.total[1:, None]])
    assert values == pytest.approx(what.cells.error(hits), abs=1e-15)
    assert values == pytest.approx(resampled(what, 40, 3), abs=0)
