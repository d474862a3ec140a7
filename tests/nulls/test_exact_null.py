import itertools
from fractions import Fraction
from math import isinf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import plumbline as pb
from laws import examples, law
from plumbline.calibration import Statistic, define_error, statistic
from plumbline.errors import ParameterError
from plumbline.nulls import TIE, exact, resampled, why_not_exact
from plumbline.nulls.exact_null import tail_listed
from plumbline.nulls.fourier import tail_by_fourier, transform_of
from plumbline.nulls.independent_sum import parts_of
from refusals import refused

DISTANCES = ["absolute", "square", "log"]


def build(prob, *, weight=None, **settings):
    """Return the statistic of given probabilities; the labels do not matter here."""
    prob = np.asarray(prob)
    k = prob.shape[1]
    data = pb.Predictions.from_arrays(
        np.zeros(len(prob), int), prob, classes=range(k), weight=weight
    )
    return statistic(data, define_error(data, **settings))


def enumerated(what):
    """Return every value of a statistic and its probability as a fraction, label set by label set.

    The labels go through the arithmetic of the draws; the probabilities are those of the table,
    divided by their row's sum in rational arithmetic.
    """
    n, k = what.prob.shape
    labels = np.array(list(itertools.product(range(k), repeat=n)), np.int32)
    tally = what.tally(len(labels))
    tally.add(slice(None), np.ascontiguousarray(labels.T))
    rows = [[Fraction(float(p)) for p in row] for row in what.prob]
    share = [[p / sum(row) for p in row] for row in rows]
    chances = []
    for drawn in labels:
        probability = Fraction(1)
        for row, label in zip(share, drawn, strict=True):
            probability *= row[label]
        chances.append(probability)
    return tally.values(), chances


def true_tails(values, chances, value):
    """Return P(T >= value) and P(T <= value) as fractions; equal within the rule is equal."""
    slack = TIE * (1 + abs(value))
    upper = sum((p for v, p in zip(values, chances, strict=True) if v >= value - slack), Fraction())
    lower = sum((p for v, p in zip(values, chances, strict=True) if v <= value + slack), Fraction())
    return upper, lower


def assert_covers(bounds, truth, tolerance=1e-3):
    """Assert that the truth lies between the bounds, and they lie close."""
    low, high = bounds
    assert Fraction(low) <= truth <= Fraction(high)
    assert high - low <= tolerance * low or truth == 0


CASES = [
    (2, 8, "one-vs-rest:1", "equal-width:3"),
    (2, 8, "one-vs-rest:1", "one-per-point"),
    (2, 8, "classwise", "equal-width:4"),
    (2, 8, "classwise", "one-per-point"),
    (3, 5, "top-label", "equal-size:2"),
    (3, 5, "top-label", "one-per-point"),
    (3, 5, "one-vs-rest:0", "equal-width:2"),
    (3, 5, "classwise", "one-per-point"),
]


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(("k", "n", "view", "bins"), CASES)
@pytest.mark.parametrize("rows", ["different", "repeated", "decimal"])
def test_bounds_hold_the_full_enumeration(rng, k, n, view, bins, distance, rows):
    """On every label vector of a small table, both tails at 7 values, the rarest one too."""
    prob = rng.dirichlet(np.ones(k), n)
    if rows == "repeated":
        prob = prob[np.arange(n) // 3]
    if rows == "decimal":
        prob = rng.multinomial(17, np.full(k, 1 / k), n) / 20 + 0.15 / k
    what = build(prob, view=view, bins=bins, distance=distance)
    values, chances = enumerated(what)
    null = exact(what)
    assert null.mean == pytest.approx(
        float(sum(v * p for v, p in zip(values, map(float, chances), strict=True)))
    )
    picked = [values.min(), values.max(), *rng.choice(values, 3), null.mean, values.max() * 1.01]
    for value in picked:
        upper, lower = true_tails(values, chances, value)
        bounds = null.tails(value)
        assert_covers(bounds[0], upper)
        assert_covers(bounds[1], lower)


@law("distance", DISTANCES, number=1)
def test_each_way_alone_holds_the_truth(rng, distance):
    """Listing and Fourier bounds, each without the other, at several tilts, good and bad."""
    what = build(rng.dirichlet([1, 1], 8), bins="one-per-point", distance=distance)
    values, chances = enumerated(what)
    total = parts_of(what)
    for target in np.quantile(values, [0.1, 0.9, 0.999]) + 1e-9:
        truth, _ = true_tails(values, chances, target)
        best = total.tilt_to(target)
        for theta in (0.0, best, 0.5 * best + 3.0):
            scale = np.exp(total.cumulants(theta)[0] - theta * target)
            listing = tail_listed(total, target, theta, left_out=1e-5, most=10**5, work=10**7)
            fourier = tail_by_fourier(total, target, theta, tolerance=1e-3, expected=0.1)
            for low, high in (listing, fourier):
                assert low * scale * (1 - 1e-9) <= truth <= high * scale * (1 + 1e-9)


@given(st.integers(2, 3), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_bounds_hold_for_any_values(k, n, seed):
    """Any table of values and probabilities, zeros among both, is held to the enumeration."""
    source = np.random.default_rng(seed)
    prob = source.dirichlet(np.ones(k), n).round(source.integers(1, 4))
    prob[:, 0] += prob.sum(axis=1) == 0
    value = source.choice([0.0, 0.1, 0.25, 1.0, -0.5], (n, k)) * source.choice(
        [1, 1e-3, 50], (n, 1)
    )
    what = Statistic(prob, np.zeros(n, np.int64), None, None, value, groups=None)
    values, chances = enumerated(what)
    for target in (values.min(), float(source.choice(values)), values.max()):
        upper, lower = true_tails(values, chances, target)
        bounds = exact(what).tails(target)
        assert_covers(bounds[0], upper)
        assert_covers(bounds[1], lower)


@law(
    ("bins", "distance"),
    [("equal-width:15", "log"), ("equal-size:40", "absolute"), ("one-per-point", "square")],
    number=2,
)
def test_laws_of_tails(rng, bins, distance):
    """Both tails together are 1 and the tie, each is monotone, and the tolerance is kept."""
    what = build(rng.dirichlet([1, 1], 200), bins=bins, distance=distance)
    null = exact(what)
    spread = np.sqrt(null.total.cumulants(0)[2])
    result = [null.tails(null.mean + z * spread) for z in (-2.5, 0, 0.5, 2, 5, 11)]
    for upper, lower in result:
        assert upper[1] + lower[1] >= 1
        assert upper[0] + lower[0] <= 1 + 1e-3
        for low, high in (upper, lower):
            assert low <= high <= low * (1 + 1e-3) + 1e-270  # what is not listed
    for (upper, lower), (next_upper, next_lower) in itertools.pairwise(result):
        assert next_upper[0] <= upper[1]
        assert lower[0] <= next_lower[1]


@given(st.integers(2, 3), st.integers(1, 5), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(40))
def test_bounds_hold_for_extreme_probabilities(k, n, seed):
    """Values of 1 / p - 1, for p from 1e-300 on: every tail there is, held to the enumeration."""
    source = np.random.default_rng(seed)
    lowest = source.choice([-300.0, -16.0, -8.0, -2.0])
    prob = 10.0 ** source.uniform(lowest, 0, (n, k))
    prob /= prob.sum(axis=1, keepdims=True)
    what = Statistic(prob, np.zeros(n, np.int64), None, None, (1 / prob - 1) / n, groups=None)
    values, chances = enumerated(what)
    null = exact(what)
    for target in (values.min(), *source.choice(values, 3), values.max() * 0.999):
        for bounds, truth in zip(
            null.tails(target), true_tails(values, chances, target), strict=True
        ):
            assert_covers(bounds, truth)


@pytest.mark.parametrize("e", [1e-16, 1e-8, 1e-6, 1e-3])
def test_huge_unlikely_values_do_not_blur_the_rest(e):
    """All likelier labels drawn is the least there is: P = prod p, however large 1 / e is."""
    p = np.where(np.arange(100) % 2 == 0, np.linspace(0.55, 0.75, 100), e)
    what = build(np.column_stack([1 - p, p]), bins="one-per-point", distance="chi-square")
    own = np.where(p > 0.5, 1, 0)
    value = float(np.take_along_axis(what.value, own[:, None], axis=1).sum())
    upper, lower = exact(what).tails(value)
    assert upper == pytest.approx((1.0, 1.0))
    truth = float(np.exp(np.log(np.maximum(p, 1 - p)).sum()))
    assert lower == pytest.approx((truth, truth), rel=1e-9)


@law(("n", "alpha", "off"), [(40, 0.1, 0.02), (300, 0.1, 0.002)], number=1)
def test_heavy_tails_are_settled(rng, n, alpha, off):
    """Chi-square of sure predictions: tight bounds, and they hold 20,000 draws."""
    prob = np.maximum(rng.dirichlet(np.full(3, alpha), n), 1e-200)
    what = Statistic(prob, np.zeros(n, np.int64), None, None, (1 / prob - 1) / n, groups=None)
    null = exact(what)
    draws = resampled(what, 20_000, rng=5)
    for value in np.quantile(draws, [0.1, 0.7, 0.97]):
        for (low, high), share in zip(
            null.tails(value), [(draws >= value).mean(), (draws <= value).mean()], strict=True
        ):
            assert high <= low * (1 + 1e-3)
            assert share == pytest.approx(low, abs=4 * np.sqrt(low * (1 - low) / 20_000) + 1e-3)
    low, high = null.central_range()
    assert null.tails(low * (1 - off))[1][1] < 0.025 <= null.tails(low * (1 + off))[1][0]
    assert null.tails(high * (1 + off))[0][1] < 0.025 <= null.tails(high * (1 - off))[0][0]


def test_equal_rows_are_binomial():
    """400 rows of 0.3: the error is (120 + 0.4 hits) / 400; the tails down to 1e-200."""
    null = exact(build(np.tile([0.7, 0.3], (400, 1)), bins="one-per-point"))
    for hits in (60, 100, 120, 150, 250, 399, 400):
        upper, lower = null.tails((0.3 * (400 - hits) + 0.7 * hits) / 400)
        for bounds, truth in (
            (upper, binom.sf(hits - 1, 400, 0.3)),
            (lower, binom.cdf(hits, 400, 0.3)),
        ):
            assert bounds[0] * (1 - 1e-9) <= truth <= bounds[1] * (1 + 1e-9)
            assert bounds[1] <= bounds[0] * (1 + 1e-6)


@law(
    ("k", "n", "view", "bins", "alpha"),
    [
        (2, 300, "classwise", "equal-width:15", 0.5),
        (2, 1000, "one-vs-rest:1", "equal-size:5", 1.0),
        (4, 300, "classwise", "one-per-point", 0.3),
        (10, 500, "top-label", "equal-width:10", 0.1),
    ],
    number=2,
)
@law("distance", ["absolute", "log"], number=1)
def test_draws_agree(rng, k, n, view, bins, alpha, distance):
    """Tails, mean and range against 20,000 draws, within 4 standard errors."""
    what = build(rng.dirichlet(np.full(k, alpha), n), view=view, bins=bins, distance=distance)
    null = exact(what)
    draws = resampled(what, 20_000, rng=5)
    assert draws.mean() == pytest.approx(null.mean, abs=4 * draws.std() / np.sqrt(20_000))
    for value in np.quantile(draws, [0.03, 0.95]):
        for (low, high), share in zip(
            null.tails(value), [(draws >= value).mean(), (draws <= value).mean()], strict=True
        ):
            error = 4 * np.sqrt(high * (1 - low) / 20_000) + 1e-4
            assert low - error <= share <= high + error
    low, high = null.central_range()
    assert (draws < low).mean() == pytest.approx(0.025, abs=0.005)
    assert (draws > high).mean() == pytest.approx(0.025, abs=0.005)


def test_many_rows_in_bins(rng):
    """40,000 rows in 2 bins, whose counts come from tilts: the tail agrees with 1,000 draws."""
    what = build(rng.random(40_000)[:, None] * [-1, 1] + [1, 0], bins="equal-width:2")
    null = exact(what)
    draws = resampled(what, 1_000, rng=5)
    (low, high), _ = null.tails(float(np.quantile(draws, 0.9)))
    assert low == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / 1_000))
    assert high <= low * (1 + 1e-3)


def test_a_smaller_tolerance_is_kept(rng):
    """Tight bounds lie within loose ones."""
    what = build(rng.dirichlet([1, 1], 60), bins="one-per-point")
    loose, tight = exact(what, tolerance=1e-2), exact(what, tolerance=1e-4)
    value = loose.mean * 1.3
    (low, high), _ = tight.tails(value)
    assert high - low <= 1e-4 * low
    (wide_low, wide_high), _ = loose.tails(value)
    assert wide_low <= low <= high <= wide_high


def test_weighted_points_are_one_draw_each(rng):
    """Weights change what a point adds, not how often it is drawn."""
    what = build(rng.dirichlet([1, 1], 6), weight=[1, 2, 0, 5, 1, 0.5], bins="one-per-point")
    values, chances = enumerated(what)
    for value in values[[3, 17, 40]]:
        for bounds, truth in zip(
            exact(what).tails(value), true_tails(values, chances, value), strict=True
        ):
            assert_covers(bounds, truth)


def test_bins_of_rows_that_weigh_the_same_are_exact(rng):
    """A weight per bin is a share per bin; a row of weight 0 counts nowhere."""
    prob = np.sort(rng.dirichlet([1, 1], 6), axis=0)[:, ::-1] * [1, 1]
    prob[:, 0] = 1 - prob[:, 1]
    weight = np.where(prob[:, 1] > 0.5, 3.0, 1.0)
    weight[0] = 0.0
    what = build(prob, weight=weight, bins="equal-width:2")
    values, chances = enumerated(what)
    for value in values[[3, 17, 40]]:
        for bounds, truth in zip(
            exact(what).tails(value), true_tails(values, chances, value), strict=True
        ):
            assert_covers(bounds, truth)


def test_what_is_not_exact_says_why(rng):
    """The reason completes a sentence, and stands in the error too."""
    prob = rng.dirichlet(np.ones(3), 6)
    cases = [
        (build(prob, view="classwise", bins="equal-width:3"), ("no-exact-null", "every class")),
        (build(prob[np.arange(6) // 2], view="joint"), ("no-exact-null", "share")),
        (
            build(rng.dirichlet([1, 1], 6), weight=range(1, 7), bins="equal-width:2"),
            ("no-exact-null", "weight"),
        ),
    ]
    for what, words in cases:
        assert words[-1] in why_not_exact(what)
        with refused(ParameterError, *words):
            exact(what)
    assert why_not_exact(build(prob, view="joint")) is None


def test_bins_of_two_classes_that_do_not_mirror_are_refused():
    """0.2 and 0.8 are upper edges: the bins (lo, hi] of the classes hold different rows."""
    p = np.array([0.15, 0.2, 0.7, 0.8])
    what = build(np.column_stack([1 - p, p]), view="classwise", bins="equal-width:5")
    assert "two classes" in why_not_exact(what)


def test_a_statistic_that_cannot_change():
    """At p = 0.5 the absolute error of a row is 0.5 whatever happens."""
    null = exact(build(np.tile([0.5, 0.5], (7, 1)), bins="one-per-point"))
    assert null.tails(0.5) == ((1.0, 1.0), (1.0, 1.0))
    assert null.central_range() == (pytest.approx(0.5), pytest.approx(0.5))
    assert null.tails(0.6) == ((0.0, 0.0), (1.0, 1.0))
    assert null.tails(0.4) == ((1.0, 1.0), (0.0, 0.0))


def test_what_has_probability_0_may_be_infinite():
    """The log distance of an impossible label: infinite, and never drawn."""
    null = exact(build([[1.0, 0.0], [0.5, 0.5]], bins="one-per-point", distance="log"))
    assert null.tails(np.inf) == ((0.0, 0.0), (1.0, 1.0))
    assert null.mean == pytest.approx(np.log(2) / 2)


def test_a_distance_may_be_infinite_where_there_is_probability():
    """Two rows, infinite with probability 0.1 each: P(T infinite) = 0.19."""
    value = np.array([[0.0, np.inf], [1.0, np.inf]])
    prob = np.tile([0.9, 0.1], (2, 1))
    null = exact(Statistic(prob, np.zeros(2, np.int64), None, None, value, groups=None))
    assert isinf(null.mean)
    np.testing.assert_allclose(null.tails(np.inf), [[0.19, 0.19], [1, 1]])
    np.testing.assert_allclose(null.tails(1.0), [[1, 1], [0.81, 0.81]], rtol=1e-9)
    assert null.central_range() == (1.0, np.inf)


@pytest.mark.parametrize("odds", [0.1, 0.0])
def test_counted_rows_are_those_repeated(odds):
    """Values of a counted row are those of all that it counts; infinite ones are set aside."""
    prob = np.array([[0.7, 0.3 - odds, odds], [0.4, 0.6, 0.0], [0.2, 0.5 - odds, 0.3 + odds]])
    value = np.array([[0.0, 0.3, np.inf], [0.1, 0.5, np.inf], [0.2, 0.7, np.inf]])
    value[2, 2] = 0.2  # two values that are equal
    times = np.array([3.0, 2.0, 0.0])
    rows = np.repeat(np.arange(3), times.astype(int))
    actual = np.zeros(3, np.int64)
    held = exact(Statistic(prob[rows], actual[rows], None, None, value[rows], groups=None))
    summed = np.where(times[:, None] > 0, value * np.maximum(times, 1)[:, None], value)
    counted = exact(Statistic(prob, actual, times, None, summed, True, groups=None))
    for at in (0.3, 0.9, 1.3, np.inf):
        np.testing.assert_allclose(counted.tails(at), held.tails(at), atol=1e-12)
    assert counted.tails(np.inf)[0][0] == pytest.approx(1 - (1 - odds) ** 3)
    assert counted.central_range() == pytest.approx(held.central_range())


def test_range_of_a_listed_distribution():
    """10 fair coins: P(T <= 1) = 11 / 1024 < 0.025 <= P(T <= 2)."""
    value = np.tile([0.0, 1.0], (10, 1))
    null = exact(
        Statistic(np.full((10, 2), 0.5), np.zeros(10, np.int64), None, None, value, groups=None)
    )
    assert null.central_range() == (2.0, 8.0)
    assert null.central_range(0.99) == (1.0, 9.0)


def test_bad_arguments_are_refused(rng):
    """Each error names its argument."""
    what = build(rng.dirichlet([1, 1], 6), bins="one-per-point")
    with refused(ParameterError, "out-of-range", argument="tolerance"):
        exact(what, tolerance=0)
    with refused(ParameterError, "no-fraction", argument="level"):
        exact(what).central_range(1.5)


def test_transform_by_way_of_a_grid_is_the_sum(rng):
    """Against the sum itself, whose turns are rounded too."""
    turn, prob = rng.normal(size=300), rng.dirichlet(np.ones(300))
    k = np.arange(1, 5001)
    whole = np.exp(2j * np.pi * ((k[:, None] * turn) % 1)) @ prob
    np.testing.assert_allclose(transform_of(turn, prob, 5000), whole, rtol=0, atol=3e-12)


def test_variables_of_many_values_by_way_of_a_grid_are_those_summed(rng, monkeypatch):
    """The tails of bins with many rows hardly depend on how they are transformed."""
    what = build(rng.dirichlet([1, 1], 600), bins="equal-width:12")
    tails = []
    for many in (20, 10**9):
        monkeypatch.setattr("plumbline.nulls.fourier.MANY", many)
        null = exact(what)
        spread = np.sqrt(null.total.cumulants(0)[2])
        tails.append(null.tails(null.mean + 2 * spread)[0])
    np.testing.assert_allclose(*tails, rtol=1e-6)


def test_progress_counts_bins(rng):
    """One call a bin."""
    calls = []
    exact(
        build(rng.dirichlet([1, 1], 60), bins="equal-size:6"), progress=lambda *at: calls.append(at)
    )
    assert calls == [(done, 6) for done in range(1, 7)]
