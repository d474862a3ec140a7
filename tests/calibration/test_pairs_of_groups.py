"""Errors over pairs of rows: pairs of one group of rows are left out."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import plumbline as pb
from laws import some
from plumbline.binning import Bins
from plumbline.calibration import debiased_statistic, define_error, kernel, kernel_statistic
from plumbline.dependence import Dependence, Partition
from plumbline.nulls import observed, resampled

BINS = "equal-width:4"


def grouped(rng, n, k, groups, strength=0.6):
    """Return calibrated rows of k classes in so many groups, whose labels depend."""
    code = rng.integers(groups, size=n)
    prob = rng.dirichlet(np.ones(k), n).round(2 if k == 2 else 1)
    prob /= prob.sum(axis=1, keepdims=True)
    labels = Dependence.of(Partition.of(code), strength, prob).once(int(rng.integers(2**32)))
    return pb.Predictions.from_arrays(labels, prob, classes=range(k), groups=code)


def value(data, *, of_rates=False):
    """Return the debiased error over the bins."""
    definition = define_error(data, None, BINS)
    return float(observed(debiased_statistic(data, definition, of_rates=of_rates)))


def test_the_debiased_error_is_the_sum_over_pairs_of_different_groups(rng):
    """By the definition, pair by pair."""
    data = grouped(rng, 120, 2, 15)
    score = data.prob[:, 1].astype(float)
    residual, home = data.actual - score, Bins.of(data, BINS).place(score)
    apart = data.group_codes[:, None] != data.group_codes
    expected = 0.0
    for b in range(4):
        inside = home == b
        pairs = np.outer(residual, residual) * apart * np.outer(inside, inside)
        expected += pairs.sum() / inside.sum() / 120
    assert value(data) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3])
def test_the_kernel_error_is_the_mean_over_pairs_of_different_groups(rng, k):
    """Of two classes in one pass, of more with a kernel without these pairs; also in chunks."""
    data = grouped(rng, 1300, k, 40)
    prob = data.prob.astype(float)
    residual = np.eye(k)[data.actual] - prob
    what = kernel_statistic(data)
    weighed = np.exp(-cdist(prob, prob) / what.width) * (residual @ residual.T)
    apart = data.group_codes[:, None] != data.group_codes
    assert float(observed(what)) == pytest.approx(weighed[apart].mean(), abs=1e-12)
    shares = np.eye(k)[what.actual]
    assert what.at(shares) == pytest.approx(weighed[apart].mean(), abs=1e-12)


@pytest.mark.parametrize("k", [2, 3])
def test_groups_of_one_row_change_nothing(rng, k):
    """The pairs that are left out are those of a row with itself."""
    data = grouped(rng, 200, k, 10).in_groups(None)
    single = data.in_groups(rng.permutation(200))
    for of_rates in (False, True):
        assert value(single, of_rates=of_rates) == pytest.approx(value(data, of_rates=of_rates))
    for estimator in kernel.ESTIMATORS:
        one, other = (kernel_statistic(part, estimator=estimator) for part in (data, single))
        assert float(observed(other)) == pytest.approx(float(observed(one)), abs=1e-14)


@pytest.mark.laws
def test_calibrated_rows_in_groups_have_mean_0(rng):
    """Within four standard errors of 400 tables; with all pairs of rows it is far above."""
    found = {name: [] for name in ("debiased", "kumar", "kernel", "kernel of three", "block")}
    alone = {name: [] for name in found}
    tables = some(range(400), 100)
    for _ in tables:
        two, three = grouped(rng, 160, 2, 20), grouped(rng, 120, 3, 20)
        for kept, change in ((found, lambda one: one), (alone, lambda one: one.in_groups(None))):
            kept["debiased"].append(value(change(two)))
            kept["kumar"].append(value(change(two), of_rates=True))
            kept["kernel"].append(float(observed(kernel_statistic(change(two)))))
            kept["kernel of three"].append(float(observed(kernel_statistic(change(three)))))
            in_order = two.select(where=np.argsort(two.group_codes, kind="stable"))
            block = kernel_statistic(change(in_order), estimator="block")
            kept["block"].append(float(observed(block)))
    for name, values in found.items():
        error = np.std(values) / np.sqrt(len(tables))
        # Kumar's takes the probabilities of a bin for one: -sum_b n_b / n Var_b(p) / (n_b - 1).
        low = -4 * error - (0.0006 if name == "kumar" else 0.0)
        assert low < np.mean(values) < 4 * error
        assert np.mean(alone[name]) > 0.3 * np.std(values)


@pytest.mark.parametrize("estimator", ["unbiased", "block"])
def test_draws_are_of_the_same_pairs(rng, estimator):
    """Their mean is 0 too, of labels that depend as the residuals show."""
    data = grouped(rng, 200, 2, 40)
    draws = resampled(kernel_statistic(data, estimator=estimator), 2000, workers=1)
    assert abs(draws.mean()) < 4 * draws.std() / np.sqrt(2000)
    debiased = debiased_statistic(data, define_error(data, None, BINS))
    draws = resampled(debiased, 2000, workers=1)
    assert abs(draws.mean()) < 4 * draws.std() / np.sqrt(2000)


def test_a_bin_of_one_group_holds_no_pair():
    """It adds 0; where there is no other, the error is not defined."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.2, 0.1], groups=["a", "a", "a"])
    assert np.isnan(value(data))
