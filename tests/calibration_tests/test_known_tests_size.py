"""The level of every named calibration test under the resampled null, by simulation.

studies/size_of_textbook_nulls.py has more sizes, and the textbook nulls.
"""

import numpy as np
import pytest

import plumbline as pb
from plumbline.calibration_tests.named_tests import TESTS, StatisticParams
from plumbline.nulls import observed, resampled

DATA_SETS = 200
RESAMPLES = 99
LEVEL = 0.05
ONE_STATISTIC = [name for name in TESTS if name != "omnibus"]


def calibrated(rng, n, k, alpha):
    """Draw predictions from Dirichlet(alpha, ..., alpha) and labels from the predictions."""
    prob = rng.dirichlet(np.full(k, alpha), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k))


@pytest.mark.parametrize("name", ONE_STATISTIC)
@pytest.mark.parametrize(("n", "k", "alpha"), [(20, 5, 0.1), (100, 2, 1)])
def test_every_named_test_keeps_its_level(name, n, k, alpha):
    """True probabilities are rejected in at most 5 % of 200 data sets, on either side.

    Each share is binomial, so its standard error at the level is sqrt(.05 * .95 / 200) = .0154;
    the bound is 3 of them above .05. Where values are equal the share may be smaller.
    """
    rng = np.random.default_rng(100 * n + k)
    rejected = {"two-sided": 0, "greater": 0, "less": 0}
    for seed in range(DATA_SETS):
        what = TESTS[name].build(calibrated(rng, n, k, alpha), StatisticParams()).statistic
        value, draws = float(observed(what)), resampled(what, RESAMPLES, seed, workers=1)
        slack = 1e-12 * (1 + abs(value))
        upper = (1 + np.count_nonzero(draws >= value - slack)) / (RESAMPLES + 1)
        lower = (1 + np.count_nonzero(draws <= value + slack)) / (RESAMPLES + 1)
        rejected["greater"] += upper <= LEVEL
        rejected["less"] += lower <= LEVEL
        rejected["two-sided"] += 2 * min(upper, lower) <= LEVEL
    error = np.sqrt(LEVEL * (1 - LEVEL) / DATA_SETS)
    for side, count in rejected.items():
        assert count / DATA_SETS <= LEVEL + 3 * error, side
