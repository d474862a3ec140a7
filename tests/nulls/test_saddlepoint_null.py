from dataclasses import replace

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.calibration import Statistic, define_error, statistic
from plumbline.errors import ParameterError
from plumbline.nulls import SaddlepointNull, exact, saddlepoint
from plumbline.nulls.independent_sum import parts_of
from plumbline.nulls.saddlepoint_null import _quantile
from refusals import refused


def build(prob, **settings):
    """Return the statistic of given probabilities; the labels do not matter here."""
    prob = np.asarray(prob)
    data = pb.Predictions.from_arrays(np.zeros(len(prob), int), prob, classes=range(prob.shape[1]))
    return statistic(data, define_error(data, **settings))


@law("distance", ["log", "absolute", "square"], number=1)
@pytest.mark.parametrize(
    ("n", "k", "view", "bins", "allowed"),
    [
        (100, 2, "one-vs-rest:1", "one-per-point", 0.004),
        (400, 5, "classwise", "one-per-point", 0.002),
        (1000, 3, "top-label", "equal-width:30", 0.03),
    ],
)
def test_tails_are_near_the_exact_ones(rng, n, k, view, bins, distance, allowed):
    """Relative error of both tails, from the middle to p of 1e-12 and less."""
    what = build(rng.dirichlet(np.ones(k), n), view=view, bins=bins, distance=distance)
    near, true = saddlepoint(what), exact(what)
    spread = np.sqrt(true.total.cumulants(0)[2])
    assert near.mean == true.mean
    for z in (0, 1e-5, 2, 6):
        for result, (low, high) in zip(
            near.tails(near.mean + z * spread), true.tails(near.mean + z * spread), strict=True
        ):
            assert result[0] == result[1]
            assert low * (1 - allowed) <= result[0] <= high * (1 + allowed)


def test_the_tails_complement_each_other(rng):
    """T is taken as continuous."""
    null = saddlepoint(build(rng.dirichlet(np.ones(2), 50), bins="one-per-point", distance="log"))
    for value in null.mean * np.array([0.8, 1.0, 1.1, 1.5]):
        upper, lower = null.tails(value)
        assert upper[0] + lower[0] == pytest.approx(1)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_quantiles_have_the_unit_of_the_sum(rng, scale):
    """A thousandth of the values has a thousandth of the quantiles, also far out."""
    total = saddlepoint(build(rng.dirichlet(np.ones(2), 50), bins="one-per-point")).total
    names = ("value", "low", "high", "constant")
    scaled = replace(total, **{name: scale * getattr(total, name) for name in names})
    for level in (0.5, 1e-3, 1e-9):
        assert _quantile(scaled, level) == pytest.approx(scale * _quantile(total, level), rel=1e-6)


def test_range_holds_the_middle(rng):
    """Either end cuts off half of what is outside."""
    null = saddlepoint(
        build(rng.dirichlet(np.ones(3), 300), view="classwise", bins="one-per-point")
    )
    for level in (0.5, 0.95, 0.999):
        low, high = null.central_range(level)
        assert null.tails(low)[1][0] == pytest.approx((1 - level) / 2, rel=1e-6)
        assert null.tails(high)[0][0] == pytest.approx((1 - level) / 2, rel=1e-6)


def test_ends_and_infinities():
    """Beyond the range, at infinity, and a statistic that cannot change."""
    value = np.array([[0.0, np.inf], [1.0, 2.0]])
    what = Statistic(np.tile([0.9, 0.1], (2, 1)), np.zeros(2, int), None, None, value, groups=None)
    null = SaddlepointNull(np.inf, parts_of(what))
    np.testing.assert_allclose(null.tails(np.inf), [[0.1, 0.1], [1, 1]])
    np.testing.assert_allclose(null.tails(3.0), [[0.1, 0.1], [0.9, 0.9]])
    np.testing.assert_allclose(null.tails(0.0), [[1, 1], [0, 0]])
    constant = saddlepoint(build(np.tile([0.5, 0.5], (7, 1)), bins="one-per-point"))
    assert constant.tails(0.5) == ((1.0, 1.0), (1.0, 1.0))
    assert constant.central_range() == (pytest.approx(0.5), pytest.approx(0.5))


def test_bad_arguments_are_refused(rng):
    """Each error names its argument or reason."""
    with refused(ParameterError, "no-fraction", argument="level"):
        saddlepoint(build(rng.dirichlet([1, 1], 60), bins="one-per-point")).central_range(0)
    with refused(ParameterError, "no-exact-null", "every class"):
        saddlepoint(build(rng.dirichlet(np.ones(3), 6), view="classwise"))


def test_values_that_decide_alone_are_set_apart(rng):
    """Pearson's distance of sure predictions: without that, its tails were 0."""
    p = rng.random(3000)
    what = build(np.column_stack([1 - p, p]), bins="equal-size:10", distance="chi-square")
    near, true = saddlepoint(what), exact(what)
    spread = np.sqrt(true.total.cumulants(0)[2])
    for z in (-1.5, 0, 2, 5):
        for (result, _), (low, high) in zip(
            near.tails(near.mean + z * spread), true.tails(near.mean + z * spread), strict=True
        ):
            assert 0.95 * low <= result <= 1.05 * high
    low, high = near.central_range()
    assert true.tails(low)[1] == pytest.approx((0.025, 0.025), rel=0.02)
    assert true.tails(high)[0] == pytest.approx((0.025, 0.025), rel=0.02)


def test_what_it_is_wrong_for_is_refused(rng):
    """1,000 predictions of 0.002 have a handful of values; a label of 1e-6 is all of chi-square."""
    rare = build(np.tile([0.998, 0.002], (1000, 1)), bins="one-per-point", distance="log")
    with refused(ParameterError, "no-asymptotic-null", "few different"):
        saddlepoint(rare)
    p = rng.random(300)
    p[::2] = 1e-6
    heavy = build(np.column_stack([1 - p, p]), bins="one-per-point", distance="chi-square")
    with refused(ParameterError, "no-asymptotic-null", "dominate"):
        saddlepoint(heavy)
