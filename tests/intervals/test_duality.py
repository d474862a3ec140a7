"""Interval and p-value of one line agree: the law over every metric, on tables of all kinds."""

import numpy as np
import pytest

from duality import disagreement
from laws import law, some
from plumbline.calibration_errors import StatisticParams, calibration_error
from plumbline.metrics import METRICS, measure
from plumbline.predictions import Predictions

LEVELS = (0.8, 0.95, 0.99)
BEST = {"zero": 0.0, "one": 1.0}
RESAMPLES = 199


def few_positives(rng):
    """Return a table of 5 to 20 positives, miscalibrated by a random factor."""
    n = int(rng.integers(60, 250))
    p = rng.beta(1, 12, n)
    y = rng.random(n) < np.clip(p * rng.choice([0.5, 1.0, 1.8]), 0, 1)
    y[: max(0, 5 - int(y.sum()))] = True
    return Predictions.from_arrays(y.astype(int), p, classes=[0, 1])


def ties(rng):
    """Return a table of a few distinct scores."""
    p = rng.choice([0.1, 0.2, 0.5, 0.9], 120)
    return Predictions.from_arrays(
        (rng.random(120) < p ** rng.choice([0.6, 1.0, 1.5])).astype(int), p, classes=[0, 1]
    )


def saturated(rng):
    """Return a table of an overconfident model, with scores within 1e-14 of 0 and 1."""
    logit = rng.normal(0, 2, 100)
    y = rng.random(100) < 1 / (1 + np.exp(-logit))
    p = 1 / (1 + np.exp(-logit * rng.choice([1.0, 2.0, 9.0])))
    return Predictions.from_arrays(y.astype(int), p, classes=[0, 1])


def weighted(rng):
    """Return a table whose rows weigh differently."""
    p = rng.random(100)
    y = rng.random(100) < np.clip(p + rng.choice([0, 0.1]), 0, 1)
    return Predictions.from_arrays(y.astype(int), p, weight=rng.integers(1, 4, 100), classes=[0, 1])


def three_classes(rng):
    """Return a table of three classes."""
    prob = rng.dirichlet(np.ones(3), 90)
    truth = prob ** rng.choice([0.6, 1.0, 1.4])
    truth /= truth.sum(axis=1, keepdims=True)
    actual = (rng.random((90, 1)) >= np.cumsum(truth, axis=1)[:, :-1]).sum(axis=1)
    return Predictions.from_arrays(actual, prob, classes=range(3))


TABLES = (few_positives, ties, saturated, weighted, three_classes)


def null_value(data, one):
    """Return the value if calibrated, and whether only larger ones tell of a fault."""
    row = METRICS[one.metric]
    if row.interval == "error":
        return 0.0, True
    if row.better in BEST:
        return BEST[row.better], False
    what = row.subject(data, StatisticParams()).statistic
    return what.at(what.prob.astype(float)), False


@law("make", TABLES, number=3)
def test_an_interval_leaves_out_calibration_exactly_where_its_p_value_rejects(make):
    """Of every metric that has both, at three levels; an error that is too small says nothing.

    The interval of an error begins at 0, which no value lies below, so its p-value, which is
    two-sided, counts where the value is above what is expected.
    """
    names = [name for name, row in METRICS.items() if row.interval != "rows"]
    told = []
    for seed in some(range(2), 1):
        data = make(np.random.default_rng(seed))
        known = [name for name in names if METRICS[name].serves(data)]
        for level in some(LEVELS, 1):
            found = measure(data, known, interval=True, level=level, resamples=RESAMPLES, rng=seed)
            for one in found.measures:
                null, above = null_value(data, one)
                p = 1.0 if above and one.value < one.null_mean else one.p_value
                text = disagreement(
                    *one.interval_range, p, level=level, null=null, reason=one.reason
                )
                told += [] if text is None else [(one.metric, seed, text)]
    assert not told, "\n".join(map(str, told))


@law("make", TABLES, number=3)
@pytest.mark.parametrize("bins", ["equal-width:15", "equal-size:5", "isotonic"])
def test_an_error_has_an_interval_off_0_exactly_where_its_p_value_rejects(make, bins):
    """Whichever way the bins are drawn, by rows or by their hits."""
    for seed in some(range(6), 3):
        data = make(np.random.default_rng(100 + seed))
        for level in LEVELS:
            error = calibration_error(
                data, bins=bins, interval=True, level=level, resamples=RESAMPLES, rng=seed
            )
            p = error.p_value if error.value > error.null_mean else 1.0
            assert disagreement(*error.interval_range, p, level=level) is None


def test_rows_that_are_all_but_sure_do_not_hide_the_error_of_the_others():
    """A probability within 1e-14 of 1 gives the interval that one within 1e-9 gives."""
    rng = np.random.default_rng(0)
    logit = rng.normal(0, 2, 600)
    y = rng.random(600) < 1 / (1 + np.exp(-logit))
    rest = 1 / (1 + np.exp(logit * 6))
    ends = []
    for least in (1e-14, 1e-9):
        q = np.clip(rest, least, 1 - least)
        data = Predictions.from_arrays(y.astype(int), np.column_stack([q, 1 - q]), classes=[0, 1])
        error = calibration_error(data, interval=True, resamples=399)
        assert error.p_value <= 0.05
        ends.append(error.interval_range)
    assert ends[0] == pytest.approx(ends[1], abs=0.01)
    assert ends[0][0] > 0.8 * error.excess - 0.05
