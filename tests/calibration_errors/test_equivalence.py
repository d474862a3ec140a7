"""Calibrated enough: the three answers, their coverage, and what is refused."""

import itertools

import numpy as np
import pytest
from scipy import stats

import plumbline as pb
from laws import law, some
from plumbline.binning import Bins
from plumbline.calibration_errors import calibration_within, equivalence
from plumbline.calibration_errors.bin_errors import GroupedErrors, IndependentErrors
from plumbline.calibration_errors.equivalence import Boundary, bins_of, moments, widest_rates
from plumbline.dependence import Partition, Strength
from refusals import refused


def drawn(rng, n, true, low=0.0, high=1.0):
    """Return predictions uniform on [low, high] with labels of probability true(p)."""
    p = rng.uniform(low, high, n)
    return pb.Predictions.from_arrays((rng.random(n) < true(p)).astype(int), p, classes=[0, 1]), p


def true_error(p, chance, bins):
    """Return sum_b (n_b / n) |pi_b - p_b| of the bins that the scores make."""
    data = pb.Predictions.from_arrays(np.zeros(len(p), int), p, classes=[0, 1])
    home = Bins.of(data, bins).place(p)
    return float(np.abs(np.bincount(home, chance - p)).sum() / len(p))


def test_the_value_is_the_calibration_error(rng):
    """The same number as `calibration_error` of the same bins, in both binary views."""
    prob = rng.dirichlet(np.ones(3), 200)
    data = pb.Predictions.from_arrays(rng.integers(0, 3, 200), prob, classes=range(3))
    for view in ("top-label", "one-vs-rest:1"):
        result = calibration_within(data, view=view, bins="equal-width:5", resamples=99)
        error = pb.calibration_error(data, view=view, bins="equal-width:5", resamples=0)
        assert result.value == pytest.approx(error.value)
        assert (result.view, result.scheme) == (error.view, error.scheme)
    assert calibration_within(data, resamples=99).scheme == "equal-size:10"


def test_the_three_answers(rng):
    """Many true rows are within, many wrong ones beyond, few rows neither."""

    def shifted(p):
        return 0.5 + 0.5 * (p - 0.5)

    true = calibration_within(drawn(rng, 5000, lambda p: p)[0], tolerance=0.05)
    wrong = calibration_within(drawn(rng, 5000, shifted)[0], tolerance=0.05)
    few = calibration_within(drawn(rng, 100, lambda p: p)[0], tolerance=0.05)
    assert [result.answer for result in (true, wrong, few)] == ["within", "beyond", "undecided"]
    assert all("0.05" in result.verdict for result in (true, wrong, few))
    assert few.present().details[-1].text == f"{few.n_needed:,}"
    assert 100 < few.n_needed < 20_000
    assert true.n_needed is None


@pytest.mark.parametrize("tolerance", [0.01, 0.03, 0.05, 0.08, 0.12, 0.2])
def test_answer_interval_and_p_values_agree(rng, tolerance):
    """An answer is given exactly where the interval and its tail say so."""
    data, _ = drawn(rng, 600, lambda p: p**1.5)
    result = calibration_within(data, tolerance=tolerance, level=0.1, resamples=1999)
    low, high = result.interval
    assert 0 <= low <= result.value <= high <= 1
    assert (result.answer == "within") == (high <= tolerance) == (result.p_within <= 0.1)
    assert (result.answer == "beyond") == (low > tolerance) == (result.p_beyond <= 0.1)
    assert result.to_dict()["interval_range"] == [low, high]


def test_p_values_count_the_observed_labels_among_the_draws(rng):
    """An answer that no draw contradicts has 1 / (draws + 1), one that all do has 1."""
    data, _ = drawn(rng, 2_000, lambda p: p)
    wrong, _ = drawn(rng, 2_000, lambda p: 0.5 + 0.1 * (p - 0.5))
    for table, tolerance, wanted in ((data, 0.3, (1 / 200, 1.0)), (wrong, 0.01, (1.0, 1 / 200))):
        found = calibration_within(table, tolerance=tolerance, resamples=199)
        assert (found.p_within, found.p_beyond) == wanted


def test_the_rates_are_the_ends_of_clopper_pearson_nearest_to_a_half():
    """As scipy's exact interval has them, also with no hit and nothing but hits."""
    hits, count = np.array([0.0, 2.0, 9.0, 20.0, 19.0]), np.array([20.0, 20.0, 20.0, 20.0, 20.0])
    expected = []
    for h in hits.astype(int):
        low, high = stats.binomtest(int(h), 20).proportion_ci(0.99, method="exact")
        expected.append(min(max(0.5, low), high))
    np.testing.assert_allclose(widest_rates(hits, count, 0.025), expected, rtol=1e-9)


@pytest.mark.parametrize("n", [3, 12, 40])
def test_one_bin_has_the_coverage_of_its_binomial(n):
    """Over all counts of hits, by their probabilities, each end misses in 5 % at most."""
    for p in (0.001, 0.2, 0.5):
        ends = []
        for hits in range(n + 1):
            y = np.arange(n) < hits
            data = pb.Predictions.from_arrays(y.astype(int), np.full(n, p), classes=[0, 1])
            ends.append(pb.calibration_within(data, bins="equal-width:1", resamples=99).interval)
        low, high = np.array(ends).T
        for rate in np.linspace(0.002, 0.998, 60):
            mass = stats.binom.pmf(np.arange(n + 1), n, rate)
            assert mass[abs(rate - p) < low - 1e-9].sum() <= 0.05
            assert mass[abs(rate - p) > high + 1e-9].sum() <= 0.05


@law(
    ("prob", "tolerance"),
    [
        ((0.2, 0.5, 0.7), 0.1),
        ((0.4, 0.5, 0.6), 0.1),
        ((0.05, 0.1, 0.2), 0.2),
        ((0.02, 0.05, 0.9), 0.05),
    ],
    number=2,
)
def test_within_is_wrong_in_the_level_at_most(prob, tolerance):
    """Over all counts of three bins of 20 rows, whatever rates have an error of the tolerance.

    The p-value depends on the observed error alone, so that a bisection over its values finds the
    largest that is "within". The 9,999 draws place it with a standard error of 0.002.
    """
    m, mean = 20, np.array(prob)
    hits = np.array(list(itertools.product(range(m + 1), repeat=3)))
    error = np.round(np.abs(hits / m - mean).mean(axis=1), 9)
    values, first = np.unique(error, return_index=True)

    def within(table):
        y = (np.arange(m) < hits[table][:, None]).ravel().astype(int)
        data = pb.Predictions.from_arrays(y, np.repeat(mean, m), classes=[0, 1])
        result = calibration_within(data, tolerance=tolerance, bins="equal-size:3")
        assert result.value == pytest.approx(error[table])
        return result.answer == "within"

    low, high = -1, len(values)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if within(first[middle]) else (low, middle)
    called = error <= (values[low] if low >= 0 else -1.0)
    shapes = [s for s in itertools.product(range(-8, 9), repeat=3) if np.abs(s).sum() == 8]
    sizes = []
    for shape, theta in itertools.product(shapes, (tolerance, 1.3 * tolerance)):
        rate = mean + np.array(shape) * 3 * theta / 8
        if rate.min() >= 0 and rate.max() <= 1:
            mass = stats.binom.pmf(np.arange(m + 1)[:, None], m, rate)
            sizes.append(mass[hits, np.arange(3)].prod(axis=1)[called].sum())
    assert len(sizes) > 50
    assert 0.01 < max(sizes) <= 0.05 + 2 * 0.002


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 0.12), (0.3, 0.7), (0.35, 1.0)])
def test_a_finer_search_finds_no_worse_rates(monkeypatch, low, high):
    """Four times the grid and eight rounds lower the 5 % quantile of the error by 1e-4 at most."""
    for n, theta in itertools.product((300, 1000, 20_000), (0.02, 0.05, 0.1)):
        p = low + (high - low) * (np.arange(n) + 0.5) / n
        data = pb.Predictions.from_arrays(np.zeros(n, int), p, classes=[0, 1])
        part = bins_of(data, None, None)[2]
        alone = IndependentErrors(part.weight[part.filled])

        def quantile(part=part, theta=theta, alone=alone):
            boundary = Boundary(part, alone, 0.05, 99, 0)
            rate = boundary.rates_at(theta)
            gap = np.abs(rate - boundary.mean)
            assert boundary.share @ gap == pytest.approx(theta)
            mean, variance = moments(gap, alone.variance(rate[:, None])[:, 0])
            return boundary.share @ mean - boundary.z * np.sqrt(boundary.share**2 @ variance)

        usual = quantile()
        with monkeypatch.context() as finer:
            finer.setattr(equivalence, "GRID", 401)
            finer.setattr(equivalence, "ROUNDS", 8)
            assert usual <= quantile() + 1e-4


@pytest.mark.laws
def test_a_calibrated_table_of_a_thousand_rows_is_often_within():
    """Of uniform scores in 71 %, by studies/equivalence.py, less 3 standard errors."""
    rng, tables = np.random.default_rng(0), some(range(60), 30)
    found = [
        calibration_within(drawn(rng, 1000, lambda p: p)[0], tolerance=0.05, resamples=199).answer
        for _ in tables
    ]
    assert found.count("within") >= len(tables) * (0.71 - 3 * np.sqrt(0.71 * 0.29 / len(tables)))


@law(
    ("n", "bins", "true"),
    [
        (100, "equal-size:10", lambda p: p),
        (300, "equal-size:3", lambda p: p),
        (300, "equal-width:1", lambda p: p + 0.05),
        (300, "equal-size:10", lambda p: 0.5 + 0.8 * (p - 0.5)),
        (1000, "equal-size:10", lambda p: np.clip(p + 0.05, 0, 1)),
    ],
    number=2,
)
def test_the_interval_covers_the_true_error(n, bins, true):
    """Each end misses in at most the level of 100 data sets, within 3 standard errors."""
    rng = np.random.default_rng(n)
    below = above = 0
    seeds = some(range(100), 40)
    for seed in seeds:
        data, p = drawn(rng, n, true, 0.0, 0.9)
        result = calibration_within(data, bins=bins, level=0.1, resamples=199, rng=seed)
        theta = true_error(p, true(p), bins)
        below += theta < result.interval[0] - 1e-12
        above += theta > result.interval[1] + 1e-12
    allowed = len(seeds) * (0.1 + 3 * np.sqrt(0.1 * 0.9 / len(seeds)))
    assert max(below, above) <= allowed


@pytest.mark.laws
def test_an_error_at_the_tolerance_is_hardly_ever_called_within(rng):
    """At theta = tolerance "within" and "beyond" are together given in twice the level at most."""
    wrong, seeds = 0, some(range(150), 50)
    for seed in seeds:
        data, p = drawn(rng, 1000, lambda p: p + 0.05, 0.1, 0.9)
        assert true_error(p, p + 0.05, "equal-size:10") == pytest.approx(0.05)
        result = calibration_within(data, tolerance=0.05, level=0.05, resamples=199, rng=seed)
        wrong += result.answer != "undecided"
    assert wrong <= len(seeds) * (0.1 + 3 * np.sqrt(0.1 * 0.9 / len(seeds)))


def test_order_of_rows_and_weights(rng):
    """The order does not matter, equal weights are none, rows of weight 0 are absent."""
    data, p = drawn(rng, 80, lambda p: p)
    y = data.actual
    order = rng.permutation(80)
    one = calibration_within(data, resamples=99)
    shuffled = calibration_within(data.select(where=order), resamples=99)
    assert shuffled.interval == pytest.approx(one.interval)
    weight = np.append(np.full(80, 2.0), 0.0)
    more = pb.Predictions.from_arrays(np.append(y, 1), np.append(p, 0.01), weight=weight)
    assert calibration_within(more, resamples=99).interval == pytest.approx(one.interval)


def test_few_resamples_cannot_bound():
    """Where the draws are too few for the level the interval is all of [0, 1]."""
    data = pb.Predictions.from_arrays([0, 1, 1, 1] * 50, [0.1, 0.3, 0.6, 0.8] * 50)
    result = calibration_within(data, resamples=9, tolerance=0.9)
    assert (result.interval, result.answer, result.n_needed) == ((0.0, 1.0), "undecided", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"view": "classwise"}, ("view-not-possible",)),
        ({"bins": "one-per-point"}, ("bins-of-one-score", "`bins`")),
        ({"tolerance": 2}, ("no-fraction", "`tolerance`")),
        ({"level": 0}, ("no-fraction", "`level`")),
        ({"level": 0.5}, ("no-fraction", "`level`", "0.5")),
        ({"resamples": 0}, ("no-whole-number", "`resamples`")),
    ],
)
def test_bad_arguments(arguments, words):
    """Each names the argument and the rule."""
    data = pb.Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    with refused(pb.ParameterError, *words):
        calibration_within(data, **arguments)


def test_unequal_weights_are_refused():
    """They leave no binomial count."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.3, 0.6], weight=[1, 2, 1])
    with refused(pb.InputError, "weights-not-possible"):
        calibration_within(data)


def test_every_binary_view_has_an_answer(rng):
    """Also whether the truth is among the two most likely classes."""
    prob = rng.dirichlet(np.ones(3), 2000)
    y = (prob.cumsum(axis=1) < rng.random((2000, 1))).sum(axis=1)
    data = pb.Predictions.from_arrays(y, prob)
    for view in ("top-label", "one-vs-rest:1", "top-k:2"):
        result = pb.calibration_within(data, tolerance=0.2, view=view)
        assert (result.view, result.answer) == (view, "within")


def test_groups_of_one_row_are_independent_rows(rng):
    """Number by number, as are groups whose residuals do not go together."""
    data, _ = drawn(rng, 600, lambda p: p**1.3)
    alone = calibration_within(data, tolerance=0.08, resamples=999)
    single = calibration_within(data.in_groups(np.arange(600)), tolerance=0.08, resamples=999)
    assert single.groups.count == 600
    assert single.to_dict() | {"groups": None} == alone.to_dict()
    order = np.argsort(data.actual - data.prob[:, 1])
    pairs = np.empty(600, int)
    pairs[order] = np.minimum(np.arange(600), np.arange(600)[::-1])  # low beside high residuals
    against = calibration_within(data.in_groups(pairs), tolerance=0.08, resamples=999)
    assert against.groups.dependence == 0
    assert (against.interval, against.p_within) == (alone.interval, alone.p_within)


@pytest.mark.parametrize("strength", [0.1, 0.4, 0.9])
def test_hits_of_bins_vary_as_those_of_labels_that_depend(strength):
    """Means, variances and correlations of 20,000 draws are those of labels drawn row by row."""
    code = np.repeat(np.arange(60), 8)
    home = np.random.default_rng(1).integers(4, size=480)
    rate, count = np.array([0.03, 0.2, 0.5, 0.9]), np.bincount(home).astype(float)
    groups = Partition.of(code)
    known = Strength(strength, np.array([strength]), 60)
    errors = GroupedErrors.of(count, home, groups, known, rate)
    found = errors.draw(rate, 20_000, np.random.default_rng(2)) / count
    rng = np.random.default_rng(3)
    latent = np.sqrt(strength) * rng.normal(size=(20_000, 60))[:, code]
    latent += np.sqrt(1 - strength) * rng.normal(size=latent.shape)
    labels = latent < stats.norm.ppf(rate[home])
    literal = np.stack([labels[:, home == b].mean(axis=1) for b in range(4)], axis=1)
    assert (np.abs(found.mean(axis=0) - rate) < 4 * literal.std(axis=0) / 141).all()
    exact = errors.variance(rate[:, None])[:, 0]
    np.testing.assert_allclose(literal.var(axis=0), exact, rtol=0.06)
    np.testing.assert_allclose(found.var(axis=0), exact, rtol=0.15)  # whole effective rows
    assert (found.var(axis=0) > 0.95 * exact).all()
    np.testing.assert_allclose(np.corrcoef(found.T), np.corrcoef(literal.T), atol=0.08)


def test_hits_of_large_bins_vary_as_their_closed_form_says():
    """A million groups of eight rows: shares have mean, variance and correlations of the series."""
    rows, rate = np.array([2.0, 1.0, 3.0, 2.0]), np.array([0.03, 0.2, 0.5, 0.9])
    count = 1e6 * rows
    pairs = 1e6 * np.outer(rows, rows) - np.diag(count)
    errors = GroupedErrors(count, pairs, np.array([0.4]), 0.4, count)
    found = errors.draw(rate, 4_000, np.random.default_rng(2)) / count
    exact = errors.variance(rate[:, None])[:, 0]
    assert (np.abs(found.mean(axis=0) - rate) < 4 * np.sqrt(exact / 4_000)).all()
    np.testing.assert_allclose(found.var(axis=0), exact, rtol=5 * np.sqrt(2 / 4_000))
    p, q = stats.norm.ppf(rate[1:3])
    both = stats.multivariate_normal.cdf([p, q], [0, 0], [[1, 0.4], [0.4, 1]])
    wanted = 3 * (both - 0.1) * 1e6 / np.sqrt(exact[1] * exact[2]) / (count[1] * count[2])
    assert np.corrcoef(found.T)[1, 2] == pytest.approx(wanted, abs=4 / np.sqrt(4_000))


def test_rows_of_a_group_tell_less_than_independent_ones():
    """Each row eight times has an interval that is hardly narrower than that of the rows once."""
    rng = np.random.default_rng(4)
    data, _ = drawn(rng, 250, lambda p: p, 0.2, 0.8)
    again = data.select(where=np.repeat(np.arange(250), 8))
    code = np.repeat(np.arange(250), 8)
    one = calibration_within(data, tolerance=0.05, resamples=499)
    copied = calibration_within(again.in_groups(code), tolerance=0.05, resamples=499)
    alone = calibration_within(again, tolerance=0.05, resamples=499)
    widths = [np.diff(each.interval)[0] for each in (one, copied, alone)]
    assert widths[2] < 0.6 * widths[0]
    assert widths[1] > 0.8 * widths[0]
    assert copied.groups.effective_n < 500
    assert "250" in copied.present().details[-1].text


def test_few_groups_are_approximate_and_fewer_refused(rng):
    """As of every test."""
    data, _ = drawn(rng, 600, lambda p: p)
    few = calibration_within(data.in_groups(np.arange(600) % 12), resamples=99)
    assert [note.code for note in few.present().notes] == ["few-groups"]
    with refused(pb.InputError, "too-few-groups", "4"):
        calibration_within(data.in_groups(np.arange(600) % 4), resamples=99)


@pytest.mark.laws
def test_an_error_at_the_tolerance_is_rarely_within_for_rows_in_groups():
    """Of 100 groups of ten, whose rows depend, as rarely as promised; as if alone more often."""
    found, seeds = np.zeros(2), some(range(200), 20)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        code, p = np.repeat(np.arange(100), 10), rng.uniform(0.1, 0.8, 1000)
        latent = np.sqrt(0.5) * (rng.normal(size=100)[code] + rng.normal(size=1000))
        y = (latent < stats.norm.ppf(p + 0.05)).astype(int)
        data = pb.Predictions.from_arrays(y, p, groups=code)
        for place, one in enumerate((data.in_groups(None), data)):
            answer = calibration_within(one, tolerance=0.05, resamples=199, rng=seed).answer
            found[place] += answer != "undecided"
    size = len(seeds)
    assert found[1] <= size * (0.1 + 3 * np.sqrt(0.1 * 0.9 / size))
    assert found[0] > found[1]


def test_as_many_draws_as_the_level_asks_for_bound_the_error(rng):
    """With 19 the smallest p-value is 0.05, the level; with 18 nothing is rejected."""
    data, _ = drawn(rng, 300, lambda p: p)
    ends = [calibration_within(data, resamples=m).interval_range[1] for m in (18, 19)]
    assert ends[0] == 1.0
    assert ends[1] < 0.3


def test_a_plan_asks_for_a_fifth_more_rows_at_least():
    """Where the noise alone would settle it with those there are, they did not."""
    needed = equivalence._rows_needed
    assert needed(1000, 0.001, 0.06, 0.01, 0.012, 0.012) == 1200
    assert needed(1000, 0.05, 0.06, 0.01, 0.012, 0.012) == 1300
    assert needed(1000, 0.06, 0.06, 0.0, 0.01, 0.01) is None
