"""The rows printed are the rows used, or those left out are counted beside the number."""

import numpy as np
import pytest

from plumbline.advisor import recalibrate
from plumbline.calibration_tests import calibration_test
from plumbline.metrics import METRICS, measure
from plumbline.predictions import Predictions

LOGISTIC = ("calibration-slope", "calibration-intercept", "cox-intercept")


def table(extra, outcome):
    """Return 160 rows, then as many as asked for of probability 0 with one outcome."""
    rng = np.random.default_rng(0)
    p = rng.random(160)
    y = (rng.random(160) < p).astype(int)
    p, y = np.append(p, np.zeros(extra)), np.append(y, np.full(extra, outcome))
    return Predictions.from_arrays(y, p, classes=[0, 1])


@pytest.mark.parametrize("name", [name for name, row in METRICS.items() if row.interval != "rows"])
def test_impossible_rows_move_every_number_or_make_it_undefined(name):
    """Thirty observed classes of probability 0 are in every number of the catalogue that has n.

    Or the number says how many rows it leaves out.
    """
    plain, impossible = (
        measure(table(extra, 1), name, resamples=0).measures[0] for extra in (0, 30)
    )
    assert impossible.n == 190
    moved = not np.isclose(impossible.value, plain.value, rtol=1e-9, equal_nan=False)
    assert moved or "30" in (impossible.reason or "")


@pytest.mark.parametrize("name", LOGISTIC)
def test_rows_of_probability_0_are_counted_where_they_are_left_out(name):
    """Thirty sure rows that came as predicted change no logistic estimate, and are counted."""
    plain, sure = (measure(table(extra, 0), name, resamples=39).measures[0] for extra in (0, 30))
    assert sure.value == pytest.approx(plain.value)
    assert plain.reason is None
    assert "30 of 190" in sure.reason
    assert any("30 of 190" in str(note) for note in sure.present().notes)


@pytest.mark.parametrize("name", LOGISTIC)
def test_an_impossible_outcome_leaves_no_logistic_curve(name):
    """Slope and intercept are undefined, with the number of rows, and have no p-value."""
    one = measure(table(30, 1), name, resamples=19).measures[0]
    assert np.isnan(one.value)
    assert np.isnan(one.p_value)
    assert "30 rows of 190" in one.reason


def test_one_probability_has_an_intercept_and_no_slope():
    """Predictions that are all the same have no slope, nor an intercept beside it."""
    data = Predictions.from_arrays([0, 1, 0, 0] * 10, [0.3] * 40, classes=[0, 1])
    values = {one.metric: one.value for one in measure(data, LOGISTIC, resamples=19).measures}
    assert np.isnan(values["calibration-slope"])
    assert np.isnan(values["cox-intercept"])
    assert np.isfinite(values["calibration-intercept"])
    parts = {row["name"]: row["value"] for row in calibration_test(data, statistic="cox").parts}
    assert np.isnan(parts["slope"])
    assert np.isfinite(parts["intercept"])


def test_the_cox_test_counts_the_rows_that_its_estimates_leave_out():
    """Beside intercept and slope stands the number of rows without a logit."""
    parts = calibration_test(table(30, 0), statistic="cox").parts
    assert [row["value"] for row in parts if "left out" in row["name"]] == [30.0]


@pytest.mark.parametrize("method", ["beta", "platt", "spline"])
def test_one_score_separates_no_classes(method):
    """A map of a single score does not say that the classes are separated."""
    data = Predictions.from_arrays([0, 1, 0, 0] * 10, [0.3] * 40, classes=[0, 1])
    assert "separated" not in str(recalibrate(data, method))
