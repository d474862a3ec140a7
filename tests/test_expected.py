"""Numbers that are printed beside each other agree: expected values, ranges, rounding noise."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.formatting import NOISE, interval
from plumbline.verdicts import expected

NUMBER = re.compile(r"[\d.]+(?:e-?\d+)?")
SIZES = st.floats(1e-9, 1e9)


@given(SIZES, SIZES, SIZES)
def test_a_mean_outside_its_range_says_so(mean, low, high):
    """Behind a bare expected value stands a range that holds it."""
    low, high = sorted((low, high))
    text = expected(mean, (low, high))
    inside = low <= mean <= high
    if not inside and min(abs(mean - low), abs(mean - high)) > 1e-9 * high:
        assert "on average" in text
    if inside:
        assert "on average" not in text


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300))
def test_a_range_shows_no_rounding_noise(low, high):
    """An end that is below 1e-12 of the other, or of 1, is shown as 0."""
    low, high = sorted((low, high))
    written = float(interval((low, high)).split(" to ")[0])
    assert (written == 0) == (low < NOISE * max(high, 1.0))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["mce", "ece", "log-loss", "brier-score"])
def test_expected_values_lie_in_printed_ranges(name, seed):
    """On tables with rare confident rows the mean is bare only within the range beside it."""
    rng = np.random.default_rng(seed)
    p = np.where(rng.random(150) < 0.1, 10.0 ** rng.uniform(-9, -3, 150), rng.random(150))
    data = pb.Predictions.from_arrays(rng.random(150) < p, p)
    error = pb.measure(data, metrics=[name], resamples=99, workers=1)[name]
    high = error.null_range[1]
    text = error.expected()
    if not math.isfinite(error.null_mean):
        assert "infinite" in text or text == "-"
    elif "on average" not in text and "exactly" not in text:
        shown, *ends = map(float, NUMBER.findall(text))
        slack = 1e-9 + 0.005 * high  # of three digits
        assert ends[0] - slack <= shown <= ends[1] + slack


@pytest.mark.parametrize("name", ["mce", "log-loss", "brier-score"])
def test_a_heavy_tail_is_said(name):
    """Of a hundred rows of probability 0.0001 one event in a hundred tables lifts the mean."""
    y = np.zeros(100, int)
    y[0] = 1
    data = pb.Predictions.from_arrays(y, np.full(100, 1e-4))
    error = pb.measure(data, metrics=[name], resamples=999, workers=1)[name]
    assert error.null_mean > error.null_range[1]
    assert "on average" in error.expected()


def test_rounding_noise_of_draws_is_0_in_the_answer_too():
    """A constant prediction whose smallest error is rounding noise has a range from 0, in JSON."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0] * 100, [0.3] * 400)
    low, high = pb.calibration_error(data, resamples=999).null_range
    assert low == 0 or low > 1e-12
    assert high > 0.01
