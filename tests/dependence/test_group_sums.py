"""Variances from sums over groups, and the degrees of freedom of groups that are unlike."""

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

import plumbline as pb
from plumbline.dependence import GroupSums, sums_over_groups

UNLIKE = np.append(np.full(3, 60), np.ones(60, int))  # of which three have most of the rows


def test_equal_groups_have_one_degree_of_freedom_less_than_groups(rng):
    """And the factor G / (G - 1), however much their rows depend."""
    code = np.repeat(np.arange(12), 5)
    for shared in (0.0, 3.0):
        value = rng.normal(size=60) + shared * rng.normal(size=12)[code]
        value -= value.mean()
        found = sums_over_groups(value, code)
        plain = np.square(np.bincount(code, value)).sum()
        assert found.variance[0] == pytest.approx(plain * 12 / 11)
        assert found.freedom[0] == pytest.approx(11)


def test_groups_of_one_row_are_independent_rows(rng):
    """Their sum of squares, and the normal distribution."""
    value = rng.normal(size=30)
    value -= value.mean()
    found = sums_over_groups(value, rng.permutation(30))
    assert found.variance[0] == pytest.approx(np.square(value).sum())
    assert np.isinf(found.freedom[0])


def test_squares_are_divided_by_what_the_mean_leaves_of_them(rng):
    """Weights and parts too, by a literal loop."""
    code, part = rng.integers(0, 9, 80), rng.integers(0, 2, 80)
    weight = rng.integers(1, 4, 80).astype(float)
    value = rng.normal(size=80)
    key = part * 9 + code
    used, cell = np.unique(key, return_inverse=True)
    columns = (np.bincount(cell, one) for one in (value, weight, weight**2))
    sums, mass, own = columns
    alone = np.bincount(part, value**2)
    found = GroupSums.of(sums**2, mass, own, alone, used // 9)
    for home in range(2):
        total = 0.0
        for one in range(9):
            inside = (part == home) & (code == one)
            share = weight[inside].sum() / weight[part == home].sum()
            total += value[inside].sum() ** 2 / (1 - share)
        assert found.variance[home] == pytest.approx(total)


def test_large_groups_whose_rows_depend_leave_few_degrees_of_freedom(rng):
    """Of three large groups about two; of rows that do not depend those of their sizes."""
    code = np.repeat(np.arange(63), UNLIKE)
    shared = 3.0 * np.array([1.0, -1.0, 1.5])
    value = rng.normal(size=240)
    value[:180] += shared[code[:180]]
    value -= value.mean()
    assert 1 <= sums_over_groups(value, code).freedom[0] < 2.3
    apart = np.tile([1.0, -1.0], 120)  # in every group their sum is 0 or one row's
    assert sums_over_groups(apart, code).freedom[0] == pytest.approx(240**2 / (3 * 3600 + 60) - 1)


def test_no_influence_has_no_variance():
    """None, also where no row tells."""
    assert sums_over_groups(np.zeros(4), np.arange(4) // 2) is None
    none = np.zeros(4, bool)
    assert sums_over_groups(np.ones(4), np.arange(4) // 2, telling=none) is None


def test_means_of_unlike_groups_are_covered():
    """In two thousand tables; with degrees of freedom of sizes alone in .89 of them."""
    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(63), UNLIKE)
    held = np.zeros(2)
    for _ in range(2000):
        value = np.sqrt(0.3) * rng.normal(size=63)[code] + np.sqrt(0.7) * rng.normal(size=240)
        mean = value.mean()
        found = sums_over_groups((value - mean) / 240, code)
        plain = np.square(np.bincount(code, value - mean)).sum() / 240**2
        sizes = 240**2 / np.square(UNLIKE).sum() - 1
        for place, (variance, freedom) in enumerate(
            ((plain, sizes), (found.variance[0], found.freedom[0]))
        ):
            held[place] += abs(mean) <= stdtrit(freedom, 0.975) * np.sqrt(variance)
    assert held[0] < 2000 * 0.92
    assert held[1] >= 2000 * 0.95 - 3 * np.sqrt(2000 * 0.95 * 0.05)


def test_one_group_with_most_rows_has_intervals():
    """Of one degree of freedom; the average precision had an error of its level in their place."""
    rng = np.random.default_rng(0)
    code = np.append(np.zeros(170, int), np.arange(1, 31))
    p = rng.random(200)
    y = (ndtri(p) > rng.normal(size=200)).astype(int)
    data = pb.Predictions.from_arrays(y, p, groups=code)
    metrics = ["average-precision", "precision", "calibration-in-the-large", "accuracy"]
    for one in pb.measure(data, metrics, interval=True, resamples=39).measures:
        low, high = one.interval_range
        assert low < one.value < high
    low, high = pb.roc_auc_interval(data, method="newcombe").interval_range
    assert low < high
