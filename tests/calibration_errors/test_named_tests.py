"""The named calibration tests: against slow formulas, and their level by simulation.

studies/size_of_textbook_nulls.py has more sizes, and the textbook nulls.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import plumbline as pb
from label_sets import chances, label_sets, values_of_all
from laws import examples, law
from plumbline.calibration import (
    cox_statistic,
    cumulative_statistic,
    hosmer_lemeshow,
    kernel,
    kernel_statistic,
    point_statistic,
)
from plumbline.calibration_errors import TESTS, StatisticParams, compare_with_draws
from plumbline.nulls import observed, resampled, textbook_tails
from refusals import refused, warned
from strategies import binary_tables, probability_tables

BUILD = {
    "hosmer-lemeshow": lambda binary: hosmer_lemeshow(binary, "equal-size:4"),
    "cox": cox_statistic,
    "kolmogorov-smirnov": lambda binary: cumulative_statistic(binary, "kolmogorov-smirnov"),
    "kuiper": lambda binary: cumulative_statistic(binary, "kuiper"),
    "skce": kernel_statistic,
}


def binary_table(y, p, weight=None):
    """Return the view on class 1 of a binary table."""
    return pb.Predictions.from_arrays(np.asarray(y), p, classes=[0, 1], weight=weight).one_vs_rest(
        1
    )


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("name", BUILD)
def test_draws_have_the_mean_and_tail_of_the_full_enumeration(rng, name):
    """On 8 rows the draws agree with all 256 label vectors, within 4 standard errors."""
    what = BUILD[name](binary_table(np.zeros(8), rng.integers(1, 10, 4).repeat(2) / 10))
    labels = label_sets(8, 2)
    values, probability = values_of_all(what, labels), chances(what.prob, labels)
    draws = resampled(what, 20_000, rng=1)
    mean = float(values @ probability)
    spread = float(np.sqrt((values - mean) ** 2 @ probability))
    assert draws.mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(len(draws)))
    cut = np.quantile(values, 0.9)
    tail = float(probability[values >= cut - 1e-9].sum())
    share = (draws >= cut - 1e-9).mean()
    assert share == pytest.approx(tail, abs=4 * np.sqrt(tail * (1 - tail) / len(draws)))


@pytest.mark.parametrize("name", BUILD)
@settings(max_examples=examples(20))
@given(binary_tables(least_weight=0), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(name, columns, random):
    """Equal scores or not, any order of the rows gives the same value."""
    order = list(range(columns.n))
    random.shuffle(order)
    shuffled = columns.take(np.array(order))
    one, other = (
        float(observed(BUILD[name](part.predictions().one_vs_rest("1"))))
        for part in (columns, shuffled)
    )
    assert other == pytest.approx(one, rel=1e-9, abs=1e-9)
    assert not np.isnan(one)


@pytest.mark.parametrize("name", ["cox", "kolmogorov-smirnov", "kuiper"])
@settings(max_examples=examples(20))
@given(binary_tables())
def test_a_weight_is_a_repetition(name, columns):
    """The values that are no variances and no pairs count a row of weight 2 as two rows."""
    twice = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    one = float(observed(BUILD[name](columns.predictions().one_vs_rest("1"))))
    other = float(observed(BUILD[name](twice.predictions(weighted=False).one_vs_rest("1"))))
    assert other == pytest.approx(one, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["kolmogorov-smirnov", "kuiper", "skce"])
def test_statistics_with_an_order_of_their_own_draw_the_same_for_any_order(rng, name):
    """Their rows are sorted by what they are, so shuffling them changes no draw."""
    p, y = rng.uniform(size=30).round(1), rng.integers(0, 2, 30)
    weight = rng.integers(1, 3, 30)
    order = rng.permutation(30)
    one = resampled(BUILD[name](binary_table(y, p, weight)), 20, rng=3)
    other = resampled(BUILD[name](binary_table(y[order], p[order], weight[order])), 20, rng=3)
    np.testing.assert_allclose(other, one, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("unit", [1e-150, 1e150])
@pytest.mark.parametrize("name", [*BUILD, "spiegelhalter"])
def test_the_unit_of_weights_does_not_matter(rng, name, unit):
    """Weights in any unit give the same statistic; only Cox's ratio is counted in that unit."""
    build = BUILD.get(name, lambda binary: point_statistic(binary, name))
    p, y, weight = rng.uniform(size=30), rng.integers(0, 2, 30), rng.integers(1, 4, 30)
    one = float(observed(build(binary_table(y, p, weight))))
    other = float(observed(build(binary_table(y, p, weight * unit))))
    assert other / (unit if name == "cox" else 1.0) == pytest.approx(one, rel=1e-9)


@pytest.mark.parametrize("name", BUILD)
def test_the_calibration_test_of_every_name(rng, name):
    """By name each is tested against large values only, and Cox tells its estimates."""
    p = rng.uniform(size=60)
    data = pb.Predictions.from_arrays((rng.random(60) < p).astype(int), p, classes=[0, 1])
    result = pb.calibration_test(data, statistic=name, null="resample", resamples=99)
    again = float(observed(TESTS[name].build(data, StatisticParams()).statistic))
    upper = (1 + np.count_nonzero(result.null_values >= result.value - 1e-12)) / 100
    assert (result.alternative, result.value) == ("greater", again)
    assert result.p_value == pytest.approx(upper)
    parts = {part["name"]: part["value"] for part in result.parts}
    assert parts == (cox_statistic(data.one_vs_rest(1)).estimates if name == "cox" else {})


@pytest.mark.filterwarnings("ignore:few-expected:plumbline.PlumblineWarning")
@pytest.mark.parametrize("name", ["cox", "kolmogorov-smirnov", "kuiper", "hosmer-lemeshow"])
def test_the_textbook_null_by_name(rng, name):
    """null="asymptotic" is the upper tail of the textbook distribution."""
    p = rng.uniform(size=60)
    data = pb.Predictions.from_arrays((rng.random(60) < p).astype(int), p, classes=[0, 1])
    result = pb.calibration_test(data, statistic=name, null="asymptotic")
    what = TESTS[name].build(data, StatisticParams()).statistic
    assert result.p_value == pytest.approx(textbook_tails(name, what, result.value)[0])
    assert result.null == "asymptotic"


def test_the_textbook_hosmer_lemeshow_counts_bins_with_few_expected(rng):
    """Of ten bins of 100 rows at a base rate of 4 %, those whose probabilities sum to below 5."""
    p = rng.beta(1, 24, size=1000)
    data = pb.Predictions.from_arrays((rng.random(1000) < p).astype(int), p, classes=[0, 1])
    few = int((np.sort(p).reshape(10, 100).sum(axis=1) < 5).sum())
    with warned("few-expected", f"{few} of 10 bins"):
        result = pb.calibration_test(data, statistic="hosmer-lemeshow", null="asymptotic")
    assert 0 < few < 10
    assert result.remark_codes == ("few-expected",)
    drawn = pb.calibration_test(data, statistic="hosmer-lemeshow", resamples=19)
    assert drawn.remark_codes == ()


def test_many_expected_rows_need_no_remark(rng):
    """With 1,000 rows of even classes the chi-square distribution holds."""
    p = rng.uniform(0.2, 0.8, size=1000)
    data = pb.Predictions.from_arrays((rng.random(1000) < p).astype(int), p, classes=[0, 1])
    result = pb.calibration_test(data, statistic="hosmer-lemeshow", null="asymptotic")
    assert result.remark_codes == ()


@pytest.mark.filterwarnings("ignore:few-expected:plumbline.PlumblineWarning")
@pytest.mark.parametrize("name", BUILD)
def test_a_table_without_weight_is_refused(name):
    """There is nothing to measure, and the error says so."""
    with refused(pb.InputError, "weights-all-zero"):
        BUILD[name](binary_table([0, 1], [0.2, 0.4], [0, 1]).select(where=[0]))


# ---------------------------------------------------------------- Hosmer-Lemeshow


@pytest.mark.parametrize("weighted", [False, True])
def test_hosmer_lemeshow_is_its_formula(rng, weighted):
    """Sum over bins of (O - E)^2 / V, from loops over the bins."""
    p, y = rng.uniform(size=60), rng.integers(0, 2, 60)
    weight = rng.uniform(size=60) if weighted else np.ones(60)
    expected = 0.0
    for low in (0.0, 0.25, 0.5, 0.75):
        inside = (p > low) & (p <= low + 0.25)
        gap = np.sum(weight[inside] * (y - p)[inside])
        expected += gap**2 / np.sum((weight**2 * p * (1 - p))[inside])
    binary = binary_table(y, p, weight if weighted else None)
    assert observed(hosmer_lemeshow(binary, "equal-width:4")) == pytest.approx(expected)


def test_hosmer_lemeshow_has_the_number_of_bins_as_mean(rng):
    """Each standardised bin has mean 1 exactly."""
    what = hosmer_lemeshow(binary_table(np.zeros(8), rng.uniform(size=8)), "equal-size:4")
    labels = label_sets(8, 2)
    assert values_of_all(what, labels) @ chances(what.prob, labels) == pytest.approx(4)


def test_hosmer_lemeshow_of_certain_bins():
    """A bin of 0s and 1s adds nothing, or infinity where the impossible happened; never NaN."""
    p = np.array([0.0, 0.0, 0.5, 0.5, 1.0])
    right = observed(hosmer_lemeshow(binary_table([0, 0, 0, 1, 1], p), "equal-width:3"))
    wrong = observed(hosmer_lemeshow(binary_table([0, 1, 0, 1, 1], p), "equal-width:3"))
    assert (right, wrong) == (0.0, np.inf)


def test_hosmer_lemeshow_needs_bins():
    """Single rows have a statistic of their own."""
    with refused(pb.ParameterError, "bins-of-one-score", argument="bins"):
        hosmer_lemeshow(binary_table([0, 1], [0.2, 0.4]), "one-per-point")


# ---------------------------------------------------------------- Cox


def fitted(x, y, weight=None):
    """Return intercept, slope and log likelihood of scikit-learn's unpenalised fit."""
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000)
    model.fit(x[:, None], y, sample_weight=weight)
    a, b = float(model.intercept_[0]), float(model.coef_[0, 0])
    return a, b, log_likelihood(a + b * x, y, weight)


def log_likelihood(eta, y, weight=None):
    """Return the log likelihood of log odds."""
    each = y * eta - np.logaddexp(0, eta)
    return float(each.sum() if weight is None else each @ weight)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [30, 3000])
def test_cox_is_the_unpenalised_logistic_regression(rng, n, weighted):
    """Estimates and likelihood ratio agree with scikit-learn's."""
    p = rng.uniform(0.02, 0.98, n)
    y = (rng.random(n) < p**2).astype(int)
    weight = rng.uniform(size=n) if weighted else None
    what = cox_statistic(binary_table(y, p, weight))
    x = np.log(p / (1 - p))
    a, b, best = fitted(x, y, weight)
    assert what.estimates == pytest.approx({"intercept": a, "slope": b}, rel=1e-4, abs=1e-5)
    assert observed(what) == pytest.approx(2 * (best - log_likelihood(x, y, weight)), rel=1e-6)


def test_cox_of_every_label_vector_is_the_supremum():
    """With separation or without, the ratio is that of a fine search over intercept and slope."""
    optimize = pytest.importorskip("scipy.optimize")
    p = np.array([0.1, 0.3, 0.3, 0.6, 0.8])
    x = np.log(p / (1 - p))
    what = cox_statistic(binary_table(np.zeros(5), p))
    labels = label_sets(5, 2)
    result = values_of_all(what, labels)
    for column, value in zip(labels.T, result, strict=True):
        search = optimize.minimize(
            lambda at, y=column: -log_likelihood(at[0] + at[1] * x, y),
            [0, 1],
            method="BFGS",
            options={"gtol": 1e-9},
        )
        ratio = 2 * (-search.fun - log_likelihood(x, column))
        assert value == pytest.approx(ratio, abs=1e-5)
        assert value >= ratio - 1e-9


@pytest.mark.parametrize(
    ("y", "p", "intercept", "slope"),
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8], np.nan, np.inf),
        ([1, 1, 0, 0], [0.1, 0.2, 0.7, 0.8], np.nan, -np.inf),
        ([0, 0, 1, 1], [0.1, 0.2, 0.2, 0.8], np.nan, np.inf),
        ([1, 1, 1], [0.1, 0.2, 0.7], np.inf, np.nan),
        ([0, 0, 0], [0.3, 0.3, 0.3], -np.inf, np.nan),
        ([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.2], np.log(4), np.nan),
        ([0, 1], [0.0, 1.0], np.nan, np.nan),
    ],
)
def test_cox_estimates_say_where_the_likelihood_has_no_largest_point(y, p, intercept, slope):
    """Separated labels, one class, one score, certain rows: infinite or NaN, never a big number."""
    result = cox_statistic(binary_table(y, p)).estimates
    assert result["intercept"] == pytest.approx(intercept, nan_ok=True)
    assert result["slope"] == pytest.approx(slope, nan_ok=True)


def test_cox_of_certain_rows():
    """Rows of probability 0 or 1 count for nothing, or refute the model."""
    p, y = np.array([0.2, 0.4, 0.7]), np.array([0, 1, 1])
    plain = observed(cox_statistic(binary_table(y, p)))
    more = observed(cox_statistic(binary_table([*y, 0, 1], [*p, 0.0, 1.0])))
    assert more == pytest.approx(float(plain))
    assert observed(cox_statistic(binary_table([*y, 1], [*p, 0.0]))) == np.inf
    assert observed(cox_statistic(binary_table([*y, 1], [*p, 0.0], [1, 1, 1, 0]))) < np.inf
    assert observed(cox_statistic(binary_table([0, 1], [0.0, 1.0]))) == 0.0


def test_cox_survives_extreme_logits():
    """Probabilities next to 0 and 1, and logits of data made from them, stay finite."""
    p = np.array([1e-300, 1e-12, 0.3, 0.5, 1 - 1e-12])
    assert np.isfinite(
        values_of_all(cox_statistic(binary_table(np.zeros(5), p)), label_sets(5, 2))
    ).all()
    data = pb.Predictions.from_logits([0, 1, 1, 0], np.array([-900.0, 2.0, 900.0, 1.0]))
    result = observed(cox_statistic(data.one_vs_rest("1")))
    assert 0 <= result < np.inf


# ---------------------------------------------------------------- cumulative differences


def walk(binary):
    """Return C at the end of every distinct score, from loops, with C_0 = 0."""
    p, mass = binary.prob[:, 1], binary.mass
    heights = [0.0]
    for score in sorted(set(p.tolist())):
        below = p <= score
        heights.append(float(np.sum((mass * ((binary.actual == 1) - p))[below]) / mass.sum()))
    return np.array(heights)


@settings(max_examples=examples(50))
@given(binary_tables(least_weight=0))
def test_cumulative_differences_are_their_formulas(columns):
    """Largest absolute height and range of the walk, at the ends of equal scores."""
    binary = columns.predictions().one_vs_rest("1")
    heights = walk(binary)
    largest = observed(cumulative_statistic(binary, "kolmogorov-smirnov"))
    spanned = observed(cumulative_statistic(binary, "kuiper"))
    assert largest == pytest.approx(np.abs(heights).max(), abs=1e-12)
    assert spanned == pytest.approx(np.ptp(heights), abs=1e-12)
    assert largest <= spanned + 1e-12


def test_the_spread_is_that_of_the_end_of_the_walk(rng):
    """Over all label vectors the last height has the variance that the textbook null divides by."""
    what = cumulative_statistic(
        binary_table(np.zeros(6), rng.uniform(size=6), np.arange(1, 7)), "kuiper"
    )
    labels = label_sets(6, 2)
    ends = np.take_along_axis(what.step, labels, axis=1).sum(axis=0)
    assert ends**2 @ chances(what.prob, labels) == pytest.approx(what.spread**2)


def test_an_unknown_kind_is_refused():
    """The error names the known ones."""
    with refused(pb.ParameterError, "unknown-name", "'kuiper'", argument="statistic"):
        cumulative_statistic(binary_table([0, 1], [0.2, 0.4]), "kuipers")


# ---------------------------------------------------------------- kernel


def skce(prob, y, weight, width, block):
    """Return the mean over pairs of one block, from the whole matrix of pairs."""
    residual = np.eye(prob.shape[1])[y] - prob
    pair = np.exp(-cdist(prob, prob) / width) * (residual @ residual.T)
    share = np.outer(weight, weight) * (block[:, None] == block)
    np.fill_diagonal(share, 0.0)
    return float((pair * share).sum() / share.sum())


@given(probability_tables(), st.booleans())
def test_kernel_error_is_its_formula(columns, weighted):
    """The mean over all pairs of distinct rows, equal vectors or not."""
    y, prob = columns
    weight = np.arange(1.0, len(y) + 1) if weighted else np.ones(len(y))
    given_weight = weight if weighted else None
    data = pb.Predictions.from_arrays(y, prob, classes=range(prob.shape[1]), weight=given_weight)
    what = kernel_statistic(data)
    gaps = cdist(prob, prob)[np.triu_indices(len(y), 1)]
    assert what.width == pytest.approx(np.median(gaps) or 1.0)
    expected = skce(prob, y, weight, what.width, np.zeros(len(y)))
    assert observed(what) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3])
def test_kernel_error_has_mean_0_if_true(rng, k):
    """Exactly, over all label vectors: the estimator is unbiased."""
    data = pb.Predictions.from_arrays(
        np.zeros(6, int), rng.dirichlet(np.ones(k), 6), classes=range(k)
    )
    what = kernel_statistic(data)
    labels = label_sets(6, k)
    assert values_of_all(what, labels) @ chances(what.prob, labels) == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("kept", [0, 1000])
def test_kernel_error_in_blocks(rng, monkeypatch, kept):
    """Beyond the limit vectors are dealt into blocks, equal ones into one, and pairs stay there."""
    monkeypatch.setattr(kernel, "BLOCK", 4)
    monkeypatch.setattr(kernel, "MOST_KEPT", kept)
    prob = rng.dirichlet(np.ones(3), 11).repeat([1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1], axis=0)
    y = rng.integers(0, 3, len(prob))
    data = pb.Predictions.from_arrays(y, prob, classes=range(3))
    what = kernel_statistic(data)
    rank = np.unique(prob, axis=0, return_inverse=True)[1].ravel()
    assert [len(block.vector) for block in what.blocks] == [4, 4, 3]
    expected = skce(prob, y, np.ones(len(y)), what.width, rank % 3)
    assert observed(what) == pytest.approx(expected, abs=1e-13)
    order = rng.permutation(len(y))
    shuffled = kernel_statistic(data.select(where=order))
    assert observed(shuffled) == pytest.approx(expected, abs=1e-13)


def test_kernel_error_of_many_rows_runs_through_chunks_and_blocks(rng):
    """Chunks of the draws and blocks of the kernel end at different rows: labels still meet theirs.

    With labels drawn as the rows say, the draws' mean is 0 within 4 standard errors.
    """
    prob = rng.dirichlet(np.ones(3), 4500)
    actual = (rng.random((4500, 1)) > prob.cumsum(axis=1)[:, :2]).sum(axis=1)
    what = kernel_statistic(pb.Predictions.from_arrays(actual, prob, classes=range(3)))
    assert len(what.blocks) == 3
    draws = resampled(what, 60, rng=2)
    assert draws.mean() == pytest.approx(0, abs=4 * draws.std() / np.sqrt(60))
    labels = np.tile(what.actual.astype(np.int32)[:, None], 3)
    tally = what.tally(3)
    for start in range(0, 4500, 1024):
        tally.add(slice(start, min(start + 1024, 4500)), labels[start : start + 1024])
    np.testing.assert_allclose(tally.values(), float(observed(what)), rtol=1e-9)


def test_kernel_error_without_pairs_is_0():
    """One row has no pair: the statistic is constant."""
    assert observed(kernel_statistic(binary_table([1, 0], [0.3, 0.4], [1, 0]))) == 0.0


# ------------------------------------------------------------------ level under the resampled null


DATA_SETS = 200
RESAMPLES = 99
LEVEL = 0.05
ONE_STATISTIC = [name for name in TESTS if name != "omnibus"]


def calibrated(rng, n, k, alpha):
    """Draw predictions from Dirichlet(alpha, ..., alpha) and labels from the predictions."""
    prob = rng.dirichlet(np.full(k, alpha), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k))


@law("name", ONE_STATISTIC, number=5)
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


def test_draws_without_a_value_are_extreme_to_both_sides():
    """The p-value counts them, mean and range leave them out."""
    nan = np.nan
    draws = np.array([0.1, nan, 0.3, 0.5, nan, 0.7, 0.9])
    null = compare_with_draws(0.5, draws.copy())
    assert null.upper == (6 / 8, 6 / 8)  # itself, two without a value, 0.5, 0.7 and 0.9
    assert null.lower == (6 / 8, 6 / 8)
    assert null.mean == pytest.approx(0.5)
    assert compare_with_draws(0.5, draws.copy(), "thesis").upper[0] == 5 / 7
    nothing = compare_with_draws(0.5, np.full(39, nan))
    assert (nothing.upper, nothing.lower) == ((1.0, 1.0), (1.0, 1.0))
    assert np.isnan(nothing.mean)
    assert np.isnan(nothing.range).all()
