"""Labels of rows in groups: the dependence that residuals show, and draws with it."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multivariate_normal

import plumbline as pb
from grouped_rows import in_groups
from plumbline.calibration import (
    cox_statistic,
    cumulative_statistic,
    define_error,
    kernel_statistic,
    mmce_statistic,
    point_statistic,
    skill_statistic,
    statistic,
)
from plumbline.calibration_tests import Ratios, WeightedRows, omnibus_p_value
from plumbline.confusion.multiclass import Group
from plumbline.dependence import (
    Dependence,
    Partition,
    RowGroups,
    dependence_of,
    drawn_share,
    row_groups_in,
    row_groups_of,
    strength_of,
)
from plumbline.dependence.labels import (
    LIKELY,
    SharedLabels,
    Streams,
    drawn_sums,
    expected_products,
    where_reached,
)
from plumbline.dependence.strength import likely_strengths, shifted_to
from plumbline.errors import InputError, ParameterError
from plumbline.metrics import decision_statistic
from plumbline.nulls import Resampling, resampled


def ece(data):
    """Return the calibration error in ten bins as a function of the labels."""
    return statistic(data, define_error(data, bins=10))


@pytest.mark.parametrize("latent", [0.1, 0.5, 0.8])
def test_products_are_those_of_the_bivariate_normal(latent):
    """The tetrachoric series against an integral that another library takes."""
    p = np.array([0.3, 0.02, 0.9])
    pair = multivariate_normal
    wanted = sum(
        pair.cdf(ndtri([p[i], p[j]]), [0, 0], [[1, latent], [latent, 1]]) - p[i] * p[j]
        for i, j in ((0, 1), (0, 2), (1, 2))
    )
    found = expected_products(Partition.of(np.zeros(3, int)), latent, np.column_stack([1 - p, p]))
    assert found == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_draws_keep_every_probability_and_depend_as_much_as_is_wanted(k):
    """Shares of labels within five standard errors, and the mean of the products too."""
    rng = np.random.default_rng(k)
    prob = rng.dirichlet(np.ones(k), 60)
    prob[0] = np.eye(k)[1]
    partition = Partition.of(np.arange(60) // 6)
    draws = 20_000
    labels = np.empty((60, draws), np.int32)
    Dependence.of(partition, 0.5, prob).labels(1, 0, (draws,)).draw(slice(0, 60), labels)
    for c in range(k):
        error = np.sqrt(prob[:, c] * (1 - prob[:, c]) / draws)
        assert (np.abs((labels == c).mean(axis=1) - prob[:, c]) <= 5 * error).all()
    residual = (labels[:, :2_000, None] == np.arange(k)) - prob[:, None]
    residual = residual if k > 2 else residual[..., 1:]
    products = [partition.pairs(residual[:, d]) for d in range(2_000)]
    error = np.std(products) / np.sqrt(2_000)
    assert abs(np.mean(products) - expected_products(partition, 0.5, prob)) < 5 * error


@pytest.mark.parametrize(("k", "latent"), [(2, 0.0), (2, 0.3), (2, 0.7), (3, 0.4), (5, 0.4)])
def test_the_strength_of_the_dependence_is_found(k, latent):
    """On average over tables, within four standard errors; at 0 it cannot fall below."""
    rng = np.random.default_rng(8)
    tables = [in_groups(rng, latent=latent, k=k) for _ in range(30)]
    found = [strength(one).value for one in tables]
    error = np.std(found) / np.sqrt(30)
    assert latent - 4 * error - 0.02 <= np.mean(found) <= latent + 4 * error


@pytest.mark.parametrize("k", [3, 300])
def test_labels_are_where_a_group_or_a_row_looks_in_its_distribution(k):
    """By hand, label by label: a group's number goes round from the class that begins."""
    rng = np.random.default_rng(9)
    prob = rng.dirichlet(np.full(k, 0.3), 40)
    prob[0], prob[1] = np.eye(k)[k - 1], np.eye(k)[0]
    partition = Partition.of(rng.integers(4, size=40))
    source = Dependence.of(partition, np.linspace(0.0, 1.0, 5), prob).labels(3, 0, (6, 6))
    share, own = source.share, source.numbers(40).copy()
    source = Dependence.of(partition, np.linspace(0.0, 1.0, 5), prob).labels(3, 0, (6, 6))
    labels = np.empty((40, 12), np.int32)
    source.draw(slice(0, 40), labels)
    for i, d in np.ndindex(*labels.shape):
        sums, last = np.append(0.0, np.cumsum(prob[i])), np.flatnonzero(prob[i])[-1]
        start, backwards = divmod(int(source.begin[partition.code[i], d]), 2)
        along = source.shared[partition.code[i], d] * sums[-1]
        at = (sums[start + 1] - along if backwards else sums[start] + along) % sums[-1]
        if own[i, d] >= share[d]:
            at = (own[i, d] - share[d]) / (1.0 - share[d]) * sums[-1]
        assert labels[i, d] == min(np.searchsorted(sums[1:], at, "right"), last)


def test_sums_at_many_strengths_are_those_of_labels_drawn_at_each():
    """All are drawn in one pass, from the same random numbers."""
    rng = np.random.default_rng(9)
    prob, code = rng.dirichlet(np.full(4, 0.3), 1_100), rng.integers(6, size=1_100)
    partition, strengths = Partition.of(code), np.array([0.0, 0.1, 0.5, 1.0])
    found = drawn_sums(partition, strengths, prob, LIKELY)
    for strength, (sums, own) in zip(strengths, found, strict=True):
        one = Dependence.of(partition, strength, prob)
        source = SharedLabels(one, Streams(0, 0, (8,), LIKELY))
        labels = np.empty((1_100, 8), np.int32)
        for rows in (slice(0, 1024), slice(1024, 1_100)):
            source.draw(rows, labels[rows])
        residual = np.eye(4)[labels] - prob[:, None]
        for group in range(6):
            expected = residual[partition.code == group].sum(axis=0).T
            np.testing.assert_allclose(sums[group, :, :8], expected, atol=1e-9)
        np.testing.assert_allclose(own[:8], np.square(residual).sum(axis=(0, 2)))


def strength(data):
    """Return how strongly the rows of a table depend."""
    return strength_of(Partition.of(data.group_codes), data.prob, data.actual)


@pytest.mark.parametrize("k", [2, 3])
def test_few_groups_leave_the_strength_open(k):
    """Draws take strengths about the true one, and the more of them the fewer groups there are."""
    rng = np.random.default_rng(4)
    middle, width = [], []
    for _ in range(12):
        parts = [in_groups(rng, count, 12, latent=0.4, k=k) for count in (8, 16, 34, 40)]
        found = [strength(one) for one in parts]
        middle.append([one.value for one in found[:3]])
        width.append([np.ptp(np.quantile(one.likely, [0.1, 0.9])) for one in found])
        assert all(0 <= one.likely.min() <= one.likely.max() <= 1 for one in found)
        assert found[0].value == np.median(found[0].likely)
    assert np.mean(middle, axis=0) == pytest.approx(np.full(3, 0.4), abs=0.2)
    spread = np.mean(width, axis=0)
    assert spread[0] > spread[1] > spread[2] > spread[3] == 0.0


@pytest.mark.parametrize("k", [2, 3])
def test_there_is_no_jump_in_the_number_of_groups(k):
    """One group more changes the likely strengths little, also from 39 to 40 groups."""
    rng = np.random.default_rng(5)
    data = in_groups(rng, 42, 8, latent=0.3, k=k)
    found = []
    for count in range(14, 43):
        part = strength(data.select(where=data.group_codes < count))
        found.append(np.quantile(part.likely, [0.1, 0.5, 0.9]))
    assert np.abs(np.diff(found, axis=0)).max() < 0.2


def test_a_shift_of_all_rows_is_no_dependence():
    """Independent rows of few groups with a fault are not taken to depend."""
    rng = np.random.default_rng(6)
    plain, shifted = [], []
    for _ in range(20):
        p = rng.beta(2, 5, 300)
        odds = p / (1 - p) * np.exp(0.8)
        y = (rng.random(300) < odds / (1 + odds)).astype(int)
        code = Partition.of(np.arange(300) // 30)
        prob = np.column_stack([1 - p, p])
        shifted.append(strength_of(code, prob, y).value)
        residual = y - p
        plain.append(code.pairs(residual) / (300 * 29 / 2 * np.mean(p * (1 - p))))
    assert np.mean(plain) > 0.1
    assert np.mean(shifted) < 0.04


def test_cells_of_many_rows_are_as_likely_as_rows(monkeypatch):
    """Rows of two classes that are drawn as counts tell the same, but for noise of the draws."""
    rng = np.random.default_rng(7)
    data = in_groups(rng, 12, 100, latent=0.3)
    one = likely_strengths(Partition.of(data.group_codes), data.prob, data.actual)
    monkeypatch.setattr("plumbline.dependence.strength.ROWS_ALONE", 100)
    other = likely_strengths(Partition.of(data.group_codes), data.prob, data.actual)
    assert np.abs(np.quantile(one, [0.25, 0.5]) - np.quantile(other, [0.25, 0.5])).max() < 0.1


def test_certain_rows_of_few_groups_do_not_depend():
    """Labels that cannot be others leave nothing to estimate."""
    prob = np.eye(2)[np.arange(24) % 2]
    found = strength_of(Partition.of(np.arange(24) // 2), prob, np.arange(24) % 2)
    assert not found.likely.any()


@pytest.mark.parametrize("k", [2, 3])
def test_groups_of_one_row_are_independent_rows(k):
    """And so are groups whose residuals go apart: the draws are the very same."""
    rng = np.random.default_rng(3)
    data = in_groups(rng, 30, 4, latent=0.0, k=k)
    alone = data.in_groups(np.arange(data.n))
    opposite = data.in_groups(None)
    makers = [lambda one: point_statistic(one, "log-loss"), ratios_of]
    if k == 2:
        makers += [lambda one: cumulative_statistic(one, "kuiper"), cox_statistic]
    for make in makers:
        values = [resampled(make(one), 60, 5) for one in (alone, opposite)]
        assert np.array_equal(*values)
    assert dependence_of(ece(alone)) is None


def ratios_of(data):
    """Return the families of the default test as a function of the labels."""
    return Ratios(WeightedRows.of(data))


BINARY = {
    "ece": ece,
    "one-per-point": lambda data: statistic(data, define_error(data, bins="one-per-point")),
    "isotonic": lambda data: statistic(data, define_error(data, bins="isotonic")),
    "log-loss": lambda data: point_statistic(data, "log-loss"),
    "skill": lambda data: skill_statistic(data, "log-loss"),
    "kuiper": lambda data: cumulative_statistic(data, "kuiper"),
    "cox": cox_statistic,
    "skce": kernel_statistic,
    "skce in pairs": lambda data: kernel_statistic(data, estimator="block"),
    "mmce": mmce_statistic,
    "omnibus": ratios_of,
}
MANY = {
    "classwise": lambda data: statistic(data, define_error(data, "classwise", 10)),
    "joint": lambda data: statistic(data, define_error(data, "joint")),
    "skce of classes": kernel_statistic,
    "omnibus of classes": ratios_of,
}


@pytest.mark.parametrize("name", [*BINARY, *MANY])
def test_every_statistic_hands_over_the_groups_of_its_own_rows(name):
    """Rows are ordered and left out; the group must follow, which the probability tells."""
    rng = np.random.default_rng(2)
    k = 3 if name in MANY else 2
    prob = rng.dirichlet(np.ones(k), 90)
    actual = rng.integers(k, size=90)
    weight = np.where(np.arange(90) % 9 == 0, 0.0, 1.0)
    groups = rng.permutation(90) // 3
    data = pb.Predictions.from_arrays(actual, prob, classes=range(k), weight=weight, groups=groups)
    what = (BINARY | MANY)[name](data)
    assert what.groups is not None
    assert len(what.groups) == len(what.prob)
    row = np.abs(what.prob[:, None] - data.prob).sum(axis=2).argmin(axis=1)
    assert np.array_equal(what.groups, data.group_codes[row])
    assert np.array_equal(what.actual, data.actual[row])


def test_draws_do_not_depend_on_the_number_of_threads():
    """The groups have streams of their own, as the rows have."""
    data = in_groups(np.random.default_rng(0), 200, 12)
    one, three = (resampled(ece(data), 130, 4, workers=workers) for workers in (1, 3))
    assert np.array_equal(one, three)


def test_calibrated_rows_in_groups_are_not_rejected_more_often_than_promised():
    """Sixty tables: as independent rows a third is rejected, in their groups a few."""
    rng = np.random.default_rng(11)
    tables = [in_groups(rng, 60, 8, latent=0.5) for _ in range(60)]
    draws = Resampling(99, 0, 1)
    shares = [
        np.mean([omnibus_p_value(change(one), draws) <= 0.05 for one in tables])
        for change in (lambda one: one.in_groups(None), lambda one: one)
    ]
    assert shares[0] > 0.2
    assert shares[1] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)


def test_a_fault_is_found_and_named_in_groups():
    """The likelihoods that name it count independent rows, so that the direction shows."""
    rng = np.random.default_rng(4)
    for seed in range(3):
        found = pb.calibration_test(in_groups(rng, temperature=1.8), resamples=199, rng=seed)
        assert found.p_value <= 0.05
        assert "overconfident" in found.fault
        assert found.groups.count == 100
        assert found.groups.effective_n < 600


def test_what_rests_on_independent_rows_is_refused():
    """Fewer than five groups, an exact and a textbook null, counted rows."""
    data = in_groups(np.random.default_rng(1), 12, 5)
    for statistic_, null in (("ece", "exact"), ("cox", "asymptotic"), ("log-loss", "exact")):
        with pytest.raises(ParameterError) as refused:
            pb.calibration_test(data, statistic=statistic_, null=null)
        assert refused.value.code in ("no-exact-null", "no-asymptotic-null")
    with pytest.raises(InputError) as refused:
        pb.calibration_test(data.in_groups(np.arange(data.n) % 4))
    assert refused.value.code == "too-few-groups"
    with pytest.raises(InputError) as refused:
        pb.Predictions.from_arrays([0, 1], [0.2, 0.7], count=[3, 4], groups=[0, 1])
    assert refused.value.code == "arguments-exclude"


def test_few_groups_are_said_to_be_few():
    """From 5 to 19 groups the answer is approximate, from 20 on it is not."""
    rng = np.random.default_rng(6)
    few, many = (pb.calibration_test(in_groups(rng, count, 6), resamples=99) for count in (12, 25))
    assert "few-groups" in few.remark_codes
    assert "few-groups" not in many.remark_codes
    error = pb.calibration_error(in_groups(rng, 12, 6), resamples=99)
    assert "few-groups" in [note.code for note in error.present().notes]


def test_how_much_rows_depend_is_part_of_every_answer():
    """As numbers of the result, in its JSON, and in the verdict."""
    data = in_groups(np.random.default_rng(5))
    for result in (
        pb.calibration_test(data, resamples=99),
        pb.calibration_test(data, statistic="ece", resamples=99),
        pb.calibration_error(data, resamples=99),
    ):
        told = result.to_dict()["groups"]
        assert told["count"] == 100
        assert 0.2 < told["dependence"] < 0.6
        assert 200 < told["effective_n"] < 600
        assert "100 groups" in result.present().summary
    assert pb.calibration_test(data.in_groups(None), resamples=99).to_dict()["groups"] is None
    assert row_groups_of(ece(data.in_groups(None))) is None


def test_rows_are_worth_as_many_as_the_variance_of_the_statistic_says():
    """Of the log loss the variance of independent rows is known in closed form."""
    data = in_groups(np.random.default_rng(5))
    test = pb.calibration_test(data, statistic="log-loss", rng=1)
    p = data.prob[:, 1]
    alone = (p * (1 - p) * np.square(np.log(p) - np.log1p(-p))).sum() / data.n**2
    wanted = data.n * alone / test.null_values.var()
    assert test.groups.statistic == "log loss"
    assert test.groups.statistic_n == pytest.approx(wanted, rel=4 * np.sqrt(2 / 199))


def test_the_number_of_rows_is_said_for_the_statistic_where_it_is_another():
    """Of a calibration error it is larger than of the mean; nothing is said of independent rows."""
    data = in_groups(np.random.default_rng(5))
    error = pb.calibration_error(data)
    assert error.groups.statistic_n > 1.5 * error.groups.effective_n
    assert f"{error.groups.statistic_n:,.3g}" in error.groups.detail().text
    assert error.to_dict()["groups"]["statistic"].startswith("ECE")
    squared = pb.calibration_error(data, distance="square")
    assert 0.5 < squared.groups.statistic_n / error.groups.statistic_n < 2
    for other in (data.in_groups(np.arange(data.n)), data):
        few = pb.calibration_error(other, resamples=99 if other is data else 999)
        assert few.groups.statistic_n is None


def test_views_and_rates_have_the_groups_of_the_table():
    """A binary view of several classes depends by its own residuals."""
    data = in_groups(np.random.default_rng(9), 40, 6, k=3)
    top = pb.calibration_test(data, statistic="ece", resamples=99)
    assert top.groups.count == 40
    accuracy = decision_statistic(data, "CA", Group("all", "all"))
    assert np.array_equal(accuracy.groups, data.group_codes)


def test_shifted_probabilities_are_probabilities_that_meet_the_shares():
    """Rows sum to 1, and the classes' sums are those of the labels but for half a row each."""
    rng = np.random.default_rng(4)
    prob = rng.dirichlet([1.0, 2.0, 0.5], 60)
    actual = rng.choice(3, 60, p=[0.6, 0.1, 0.3])
    shifted = shifted_to(prob, actual)
    np.testing.assert_allclose(shifted.sum(axis=1), 1.0, rtol=1e-12)
    wanted = np.bincount(actual, minlength=3)
    np.testing.assert_allclose(shifted.sum(axis=0), wanted, atol=0.5)
    odds = (shifted / shifted[:, :1]) / (prob / prob[:, :1])  # multiplied alike in every row
    np.testing.assert_allclose(odds, np.tile(odds[0], (60, 1)), rtol=1e-9)


def test_the_strength_solves_the_series():
    """By hand: x^2 + 2 x = 0.75 at sqrt(1.75) - 1, 4 x = 1 at a quarter; the most where none is."""
    square, line = np.array([2.0, 1.0]), np.array([4.0])
    assert where_reached(square, 0.75, 1.0) == pytest.approx(np.sqrt(1.75) - 1, abs=1e-11)
    assert where_reached(line, 1.0, 0.95) == pytest.approx(0.25, abs=1e-11)
    assert where_reached(line, 3.8, 0.95) == where_reached(line, 9.0, 0.95) == 0.95


@pytest.mark.parametrize("k", [2, 3])
def test_groups_of_one_label_depend_as_strongly_as_can_be(k):
    """Of twelve groups whose rows share their label no likely strength is a weak one."""
    code = np.arange(240) // 20
    found = strength_of(Partition.of(code), np.full((240, k), 1 / k), code % k)
    assert found.likely.min() > 0.7


def test_four_equal_rows_tell_as_much_as_one():
    """Draws of a mean say so, and those of its square, whose variance falls with n^2."""
    rng = np.random.default_rng(12)
    once, alone = rng.normal(size=(6_000, 25)), rng.normal(size=(6_000, 100))
    means = np.repeat(once, 4, axis=1).mean(axis=1), alone.mean(axis=1)
    assert drawn_share(*means) == pytest.approx(0.25, rel=0.1)
    assert drawn_share(*map(np.square, means), squared=True) == pytest.approx(0.25, rel=0.15)
    assert drawn_share(means[0], np.zeros(9)) is None
    assert drawn_share(np.append(means[0], np.inf), means[1]) is None


def test_rows_of_weight_0_tell_nothing_of_a_mean():
    """Twelve pairs of equal values: by hand n = 24 rows tell as much as n k' / (2 n')."""
    rng = np.random.default_rng(13)
    pairs, y = np.repeat(np.arange(12), 2), rng.integers(2, size=24)
    p, values = rng.uniform(0.2, 0.8, 24), np.repeat(np.array([0.0, 1.0] * 6), 2)
    data = pb.Predictions.from_arrays(y, p, groups=pairs)
    found = row_groups_in(data, "share", values)
    assert found.statistic_n == pytest.approx(24 * (24 / 23) / (2 * 12 / 11))
    assert found.effective_n == row_groups_in(data).effective_n
    assert row_groups_in(data).statistic_n is None
    weight = np.where(pairs < 10, 1.0, 0.0)
    data = pb.Predictions.from_arrays(y, p, groups=pairs, weight=weight)
    assert row_groups_in(data, "share", np.where(pairs < 10, values, np.inf)).statistic_n > 0
    assert row_groups_in(data, "share", np.where(pairs > 0, values, np.inf)).statistic_n is None


@pytest.mark.parametrize(("rows", "told"), [(76, True), (78, False), (129, False), (131, True)])
def test_numbers_of_rows_that_are_alike_are_told_once(rows, told):
    """A statistic's own number stands beside that of the mean where they differ by 1.3 times."""
    text = RowGroups(20, 0.2, 100.0, 20).of("ECE", float(rows)).detail().text
    assert (f"{rows} about the ECE" in text) is told


def test_of_two_models_the_one_whose_rows_tell_less_is_told():
    """Its name, and its numbers as if it stood alone."""
    rng = np.random.default_rng(14)
    data = in_groups(rng, 30, 6, latent=0.5)
    p = data.prob[:, 1]
    sharp = np.where(data.actual == 1, 0.5 + p / 2, p / 2)
    both = pb.Predictions.from_arrays(
        np.tile(data.actual, 2),
        np.append(sharp, p),
        model=np.repeat(["sharp", "plain"], data.n),
        groups=np.tile(data.group_codes, 2),
        row=np.tile(np.arange(data.n), 2),
    )
    alone = {model: row_groups_in(both.select(model=model)) for model in both.models}
    worst = min(alone, key=lambda model: alone[model].effective_n)
    found = row_groups_in(both)
    assert found.of_model == worst
    assert (found.count, found.effective_n) == (30, alone[worst].effective_n)
    assert len({one.effective_n for one in alone.values()}) == 2
