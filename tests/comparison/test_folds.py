"""Tests on folds and data sets: published examples, scipy and literal versions, laws, size."""

from itertools import permutations, product
from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from laws import examples
from plumbline.comparison import (
    bayesian_t,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    friedman,
    paired_t,
    wilcoxon,
)
from plumbline.comparison.ranks import friedman_p_value, signed_rank_null, twice_ranks
from plumbline.errors import InputError, ParameterError
from refusals import refused

# Demsar (2006), table 6: AUC of C4.5 on 14 data sets, plain and with m, cf or both tuned. In the
# row of voting the paper prints .975 twice and ranks them 2 and 3, from digits it does not print;
# .9755 stands for the better one, so that its average ranks come out.
C45 = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9755, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
# Hollander and Wolfe (1973), table 3.1, the example of R's wilcox.test: depression before, after.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
FIVE = np.array([[0.02, 0.04], [0.03, 0.01], [0.02, 0.04], [0.03, 0.05], [0.01, 0.03]])
ON_FOLDS = {
    "paired-t": paired_t,
    "corrected-t": lambda d, **ask: corrected_t(d, test_share=0.1, **ask),
    "bayesian-t": lambda d, **ask: bayesian_t(d, test_share=0.1, rope=0.01, **ask),
    "wilcoxon": wilcoxon,
}
ON_FIVE_BY_TWO = {"5x2-t": five_by_two_t, "5x2-f": five_by_two_f}
WITH_P = ["paired-t", "corrected-t", "wilcoxon"]

few = settings(max_examples=examples(40))
values = st.integers(-40, 40).map(lambda whole: whole / 8)  # ties and zeros are frequent
several = arrays(np.float64, st.integers(2, 9), elements=values)


def no_constant(d):
    """Tell whether differences vary."""
    return np.ptp(d) > 0


# --- t-tests ---


@few
@given(several.filter(no_constant))
def test_the_paired_t_test_is_scipys(d):
    """Statistic, p-value and interval are those of scipy's t-test of one sample."""
    ours, theirs = paired_t(d, level=0.9), stats.ttest_1samp(d, 0.0)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p_value == pytest.approx(theirs.pvalue)
    assert ours.interval_range == pytest.approx(tuple(theirs.confidence_interval(0.9)))
    assert ours.effect_size == pytest.approx(d.mean() / d.std(ddof=1))


def test_the_corrected_t_test_by_hand():
    """Ten folds: mean .02, variance .0004; 1/10 + 1/9 replaces 1/10, so t = 2.177 for 3.162."""
    d = np.array([0.0, 0.04] * 5)
    variance = 10 * 0.02**2 / 9
    answer = corrected_t(d, test_share=0.1)
    assert answer.statistic == pytest.approx(0.02 / sqrt((1 / 10 + 1 / 9) * variance))
    assert answer.p_value == pytest.approx(2 * stats.t.sf(answer.statistic, 9))
    assert paired_t(d).statistic == pytest.approx(0.02 / sqrt(variance / 10))
    half = stats.t.ppf(0.975, 9) * sqrt((1 / 10 + 1 / 9) * variance)
    assert answer.interval_range == pytest.approx((0.02 - half, 0.02 + half))


@few
@given(several.filter(no_constant))
def test_with_no_rows_shared_the_corrected_t_test_is_the_plain_one(d):
    """The correction goes to nothing with the share of rows tested."""
    assert corrected_t(d, test_share=1e-13).p_value == pytest.approx(paired_t(d).p_value)


def test_the_posterior_is_baycomps():
    """The three probabilities are those of baycomp 1.0.3.

    Recorded by `CorrelatedTTest.probs(x, y, rope=.01)` and with `runs=2`; it names the part where x
    is larger first.
    """
    x = np.array([0.82, 0.80, 0.85, 0.79, 0.83, 0.81, 0.86, 0.80, 0.84, 0.82])
    y = np.array([0.80, 0.79, 0.84, 0.80, 0.80, 0.80, 0.83, 0.81, 0.81, 0.80])
    recorded = {
        0.1: (0.7113598965410863, 0.2851127177925332, 0.003527385666380445),
        0.2: (0.6680067588191667, 0.31968668096124664, 0.012306560219586649),
    }
    for share, theirs in recorded.items():
        more = bayesian_t(x - y, test_share=share, rope=0.01).more
        assert (more["above"], more["within"], more["below"]) == pytest.approx(theirs, rel=1e-9)


@few
@given(several.filter(no_constant), st.floats(0.01, 0.5), st.floats(0, 3))
def test_the_posterior_matches_the_corrected_t_test(d, share, rope):
    """Its interval is the same; without a region the smaller part is half the p-value."""
    test = corrected_t(d, test_share=share)
    flat, cut = (bayesian_t(d, test_share=share, rope=width) for width in (0.0, rope))
    assert cut.interval_range == pytest.approx(test.interval_range)
    assert 2 * min(flat.more["below"], flat.more["above"]) == pytest.approx(test.p_value)
    assert flat.more["within"] == pytest.approx(0, abs=1e-12)
    assert sum(cut.more[part] for part in ("below", "within", "above")) == pytest.approx(1)
    assert cut.more["within"] >= -1e-15
    assert isnan(cut.p_value)
    assert cut.reason is not None


# --- five repeats of two folds ---


def test_the_five_by_two_tests_by_hand():
    """Every repeat's variance is .02^2 / 2 = .0002: t = .02 / sqrt(.0002), F = .0094 / .002."""
    t, f = five_by_two_t(FIVE), five_by_two_f(FIVE)
    assert t.statistic == pytest.approx(sqrt(2))
    assert t.p_value == pytest.approx(2 * stats.t.sf(sqrt(2), 5))
    assert (FIVE**2).sum() == pytest.approx(0.0094)
    assert f.statistic == pytest.approx(4.7)
    assert f.p_value == pytest.approx(stats.f.sf(4.7, 10, 5))
    assert t.difference == f.difference == pytest.approx(0.028)


def test_the_interval_of_the_f_test_is_what_it_does_not_reject():
    """At each end the shifted differences have p = 5 %, also where one end is zero's other side."""
    rng = np.random.default_rng(4)
    for _ in range(5):
        d = rng.normal(0.5, 1, (5, 2))
        for end in five_by_two_f(d).interval_range:
            assert five_by_two_f(d - end).p_value == pytest.approx(0.05)


def test_repeats_that_disagree_too_much_leave_no_interval():
    """Where the F-test would reject every mean, the interval is undefined and says so."""
    d = np.array([[1.0, 1.01], [-1.0, -1.01], [2.0, 2.01], [-2.0, -2.01], [1.5, 1.51]])
    answer = five_by_two_f(d)
    assert answer.p_value < 0.001
    assert isnan(answer.interval_range[0])
    assert answer.reason


def test_five_by_two_needs_five_repeats_of_two():
    """Another shape is refused, with another test to take."""
    with refused(InputError, "wrong-shape", argument="d"):
        five_by_two_f(np.arange(10.0))


# --- signed ranks ---


def test_demsars_signed_ranks():
    """Demsar (2006), table 2: R+ = 93, R- = 12, T = 12, and the null is rejected at 5 %."""
    answer = wilcoxon(AUC[:, 1] - AUC[:, 0])
    assert answer.statistic == 12
    assert (answer.more["positive_ranks"], answer.more["negative_ranks"]) == (93, 12)
    assert answer.more["zeros"] == 2
    assert answer.p_value < 0.05
    assert answer.effect_size == pytest.approx(81 / 105)


def test_hollander_and_wolfes_depression_scores():
    """R's wilcox.test: V = 40, p = .03906; the book: estimate .46, interval (.010, .786)."""
    answer = wilcoxon(np.subtract(BEFORE, AFTER))
    assert answer.more["positive_ranks"] == 40
    assert answer.p_value == pytest.approx(0.0390625)
    assert answer.difference == pytest.approx(0.46)
    assert answer.interval_range == pytest.approx((0.010, 0.786))


def literal_signed_rank_p(d):
    """Return the two-sided p-value by giving every difference either sign."""
    d = np.asarray(d)
    ranks = stats.rankdata(np.abs(d))
    split = ranks[d == 0].sum() / 2
    signs = [(1, -1) if value else (0,) for value in d]
    sums = np.array([ranks[np.array(s) > 0].sum() + split for s in product(*signs)])
    seen = ranks[d > 0].sum() + split
    return min(1.0, 2 * min((sums <= seen).mean(), (sums >= seen).mean()))


@few
@given(several)
def test_the_exact_p_value_is_that_of_all_signs(d):
    """Ties and zeros included."""
    assert wilcoxon(d).p_value == pytest.approx(literal_signed_rank_p(d))


def test_signed_ranks_without_ties_are_scipys():
    """Exact for few differences, by the normal law for many."""
    rng = np.random.default_rng(5)
    for n in (6, 15, 40, 300):
        d = rng.normal(0.1, 1, n)
        theirs = stats.wilcoxon(d)
        ours = wilcoxon(d)
        assert ours.statistic == theirs.statistic
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
        assert ("exact" in ours.method) == (n <= 200)


def test_many_ties_are_scipys():
    """The normal law with ties and zeros split is scipy's "zsplit" less the zeros' own variance."""
    d = np.random.default_rng(8).integers(-3, 5, 400) / 4
    theirs = stats.wilcoxon(d, zero_method="pratt")
    assert wilcoxon(d).p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_the_exact_law_goes_over_into_the_normal_one():
    """At 200 differences both p-values agree to a thousandth."""
    rng = np.random.default_rng(9)
    d = rng.normal(0.1, 1, 200)
    assert wilcoxon(d).p_value == pytest.approx(stats.wilcoxon(d, method="approx").pvalue, abs=1e-3)


@pytest.mark.parametrize("n", [6, 7, 12, 30])
def test_the_interval_is_what_the_signed_ranks_do_not_reject(n):
    """A shift inside has p > 5 %, one outside p <= 5 %, next to both ends."""
    step = 1e-9
    for seed in range(5):
        d = np.random.default_rng(seed).normal(0.3, 1, n)
        low, high = wilcoxon(d).interval_range
        assert wilcoxon(d - (low - step)).p_value <= 0.05 < wilcoxon(d - (low + step)).p_value
        assert wilcoxon(d - (high + step)).p_value <= 0.05 < wilcoxon(d - (high - step)).p_value


def test_five_data_sets_have_no_interval_of_95_percent():
    """Their least p-value is 1/16, and the answer says that they are too few."""
    answer = wilcoxon([0.1, 0.2, 0.3, 0.4, 0.5])
    assert answer.p_value == 1 / 16
    assert isnan(answer.interval_range[0])
    assert "(5)" in answer.reason
    assert "95 %" in answer.reason
    assert wilcoxon([0.1, 0.2, 0.3, 0.4, 0.5], level=0.9).interval_range == (0.1, 0.5)


def test_differences_that_differ_by_rounding_tie():
    """.3 - .2 is .1, though not as floats."""
    assert 0.3 - 0.2 != 0.1
    assert twice_ranks(np.array([0.1, 0.3 - 0.2, 1.0])).tolist() == [3, 3, 6]


# --- average ranks ---


def test_demsars_friedman_test():
    """Demsar (2006), table 6: ranks, chi-square 9.28, F 3.69, critical difference 1.25."""
    answer = friedman(AUC, C45, better="higher")
    assert np.round(answer.average_ranks, 3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert answer.without_tie_correction["chi_square"] == pytest.approx(9.28, abs=0.005)
    assert answer.without_tie_correction["f_statistic"] == pytest.approx(3.69, abs=0.005)
    assert answer.critical_difference == pytest.approx(1.25, abs=0.005)
    assert answer.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
    assert answer.p_value < 0.05
    looser = friedman(AUC, C45, better="higher", level=0.9)  # the paper's figure 1 (a)
    assert looser.critical_difference == pytest.approx(1.12, abs=0.005)
    assert looser.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))


def test_nemenyis_critical_values():
    """Demsar (2006), table 5 (a): q for 2 to 10 models at 5 % and 10 %."""
    printed = {
        0.95: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
        0.90: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
    }
    for level, column in printed.items():
        for k, q in enumerate(column, start=2):
            answer = friedman(np.tile(np.arange(k), (6, 1)), range(k), better="lower", level=level)
            result = answer.critical_difference / sqrt(k * (k + 1) / 36)
            assert result == pytest.approx(q, abs=0.0015)  # the paper took q from a rounded table


def test_friedmans_statistic_is_scipys():
    """Ties included, and equal to the F of an analysis of variance of the ranks."""
    table = np.random.default_rng(7).integers(0, 4, (12, 5)) / 4
    answer = friedman(table, "abcde", better="lower")
    theirs = stats.friedmanchisquare(*table.T)
    assert answer.chi_square == pytest.approx(theirs.statistic)
    assert answer.chi_square_p_value == pytest.approx(theirs.pvalue)
    ranks = np.array([stats.rankdata(row) for row in table])
    between = 12 * ((ranks.mean(axis=0) - 3) ** 2).sum() / 4
    rest = (((ranks - ranks.mean(axis=0)) ** 2).sum()) / 44
    assert answer.f_statistic == pytest.approx(between / rest)
    assert answer.f_p_value == pytest.approx(stats.f.sf(between / rest, 4, 44))


def literal_friedman_p(ranks):
    """Return the exact p-value by trying every order of every row but the first."""
    rows = [sorted(set(permuted(row))) for row in ranks[1:].tolist()]
    seen = (ranks.sum(axis=0) ** 2).sum()
    result = [((ranks[0] + np.sum(chosen, axis=0)) ** 2).sum() for chosen in product(*rows)]
    return (np.array(result) >= seen - 1e-9).mean()


def permuted(row):
    """Return all orders of a row; equal entries make some of them equal, each as often."""
    return list(permutations(row))


@pytest.mark.parametrize("levels", [3, 100])
def test_the_exact_p_value_is_that_of_all_orders(levels, rng):
    """With ties and without, three to four models."""
    for n, k in ((2, 3), (3, 3), (4, 3), (3, 4)):
        table = rng.integers(0, levels, (n, k))
        ranks = np.array([stats.rankdata(row) for row in table])
        exact = friedman_p_value((2 * ranks).astype(int))
        assert exact == pytest.approx(literal_friedman_p(ranks))


def test_published_exact_p_values_of_friedman():
    """Friedman (1937), three models: 6 of 3 data sets has .028, 8 of 4 .0046, 6.5 of 4 .042."""
    one, two = [1, 2, 3], [2, 1, 3]
    for rows, chi_square, p in (
        ([one] * 3, 6.0, 0.028),
        ([one] * 4, 8.0, 0.0046),
        ([one] * 3 + [two], 6.5, 0.042),
    ):
        answer = friedman(rows, "abc", better="lower")
        assert answer.chi_square == pytest.approx(chi_square)
        assert answer.p_value == pytest.approx(p, abs=0.0005)
        assert answer.method.startswith("exact")


def test_full_agreement_has_the_probability_of_one_order():
    """F is infinite there and says so; the p-value is (1 / K!)^(N - 1), however many models."""
    for n, k in ((3, 3), (4, 12)):
        answer = friedman(np.tile(np.arange(k), (n, 1)), range(k), better="lower")
        assert answer.f_statistic == inf
        assert f" {n} data sets: F " in answer.reason
        assert answer.p_value == pytest.approx(float(np.prod(np.arange(1, k + 1))) ** (1 - n))


def test_models_that_are_always_equal_have_p_1():
    """No rank differs, nothing is told apart, and the reason is given."""
    answer = friedman(np.ones((5, 3)), "abc", better="higher")
    assert (answer.p_value, answer.chi_square, answer.f_p_value) == (1, 0, 1)
    assert answer.average_ranks == (2, 2, 2)
    assert answer.groups == (("a", "b", "c"),)
    assert answer.reason.endswith(" 5 data sets")


def test_many_models_take_the_f_distribution(rng):
    """Too many orders to count: the p-value is F's, and the method says so."""
    answer = friedman(rng.normal(size=(30, 9)), "abcdefghi", better="higher")
    assert answer.p_value == answer.f_p_value
    assert answer.method.startswith("F with 8 and 232 ")


def test_higher_and_lower_are_mirrors_and_infinity_ranks_last(rng):
    """Ranks turn with the direction; an infinite log loss is the worst, two of them tie."""
    table = rng.normal(size=(7, 4))
    up, down = (friedman(s * table, "abcd", better=b) for s, b in ((1, "higher"), (-1, "lower")))
    assert up.to_dict() == down.to_dict()
    table[:, 2:] = inf
    assert friedman(table, "abcd", better="lower").average_ranks[2:] == (3.5, 3.5)


def test_pairs_and_groups_tell_the_same():
    """Two models share a group exactly if Nemenyi's p-value of their pair is above 5 %."""
    table = np.random.default_rng(11).normal(size=(25, 8)) + np.arange(8) * 0.4
    answer = friedman(table, "abcdefgh", better="higher")
    assert len(answer.groups) > 2
    for pair in answer.pairs:
        together = any(set(pair["models"]) <= set(group) for group in answer.groups)
        assert together == (pair["p_value"] > 0.05)
    groups = {row["model"]: row["groups"] for row in answer.rows()}
    assert all(model in answer.groups[g] for model, held in groups.items() for g in held)


def test_what_friedman_refuses():
    """Undefined values, one data set, and names that are not one a model."""
    table = np.ones((3, 2))
    table[1, 1] = np.nan
    with refused(InputError, "value-missing", "'b'", "set 1"):
        friedman(table, "ab", better="higher")
    with refused(InputError, "wrong-shape", argument="values"):
        friedman(np.ones((1, 2)), "ab", better="higher")
    with refused(ParameterError, "named-twice", "2 different names", argument="names"):
        friedman(np.ones((3, 2)), "aa", better="higher")
    with refused(ParameterError, "unknown-name", argument="better"):
        friedman(np.ones((3, 2)), "ab", better="more")


# --- what all have in common ---


@pytest.mark.parametrize("name", WITH_P)
@few
@given(several.filter(no_constant))
def test_exchanging_the_models_turns_the_sign(name, d):
    """Difference, interval and effect turn; the p-value stays, with folds in any order."""
    test = ON_FOLDS[name]
    one, other, moved = test(d), test(-d), test(d[::-1])
    assert one.p_value == pytest.approx(other.p_value) == pytest.approx(moved.p_value)
    assert one.difference == pytest.approx(-other.difference, abs=1e-12)
    assert one.effect_size == pytest.approx(-other.effect_size, abs=1e-12)
    assert one.interval_range == pytest.approx(
        tuple(-end for end in other.interval_range[::-1]), nan_ok=True
    )


@pytest.mark.parametrize("name", [*ON_FOLDS, *ON_FIVE_BY_TWO])
def test_models_that_agree_in_every_fold_have_p_1_and_a_reason(name):
    """Differences of zero, or of rounding; a posterior has no p-value."""
    test = (ON_FOLDS | ON_FIVE_BY_TWO)[name]
    for noise in (0.0, 1e-17):
        d = noise * (np.arange(10.0) - 4.5)
        answer = test(d.reshape(5, 2) if name in ON_FIVE_BY_TWO else d)
        assert answer.p_value == 1 or name == "bayesian-t"
        assert answer.difference == pytest.approx(0, abs=1e-15)
        assert answer.effect_size == 0
        assert answer.reason is not None


@pytest.mark.parametrize("name", ["paired-t", "corrected-t", "bayesian-t", *ON_FIVE_BY_TWO])
def test_differences_without_spread_say_why_there_is_no_answer(name):
    """.1 in every fold: nothing is infinite or certain, and the reason names the number."""
    d = np.full(10, 0.3) - 0.2
    answer = (ON_FOLDS | ON_FIVE_BY_TWO)[name](d.reshape(5, 2) if name in ON_FIVE_BY_TWO else d)
    assert isnan(answer.p_value)
    assert isnan(answer.interval_range[0])
    assert "0.1 in" in answer.reason
    assert "10 folds" in answer.reason
    assert answer.difference == pytest.approx(0.1)


def test_repeats_without_spread_inside_say_so():
    """Repeats that differ while their folds agree leave nothing to divide by."""
    d = np.repeat([[0.1], [0.2], [0.3], [0.2], [0.1]], 2, axis=1)
    for test in ON_FIVE_BY_TWO.values():
        answer = test(d)
        assert isnan(answer.p_value)
        assert isnan(answer.statistic)
        assert answer.reason is not None


@pytest.mark.parametrize("name", [*ON_FOLDS, *ON_FIVE_BY_TWO])
def test_undefined_differences_are_refused(name):
    """NaN and infinity, with the fold; so a level that is no fraction."""
    test = (ON_FOLDS | ON_FIVE_BY_TWO)[name]
    shape = (5, 2) if name in ON_FIVE_BY_TWO else (10,)
    for wrong in (np.nan, np.inf):
        d = np.zeros(10)
        d[3] = wrong
        with refused(InputError, "difference-not-finite", "3 has"):
            test(d.reshape(shape))
    with refused(ParameterError, "no-fraction", argument="level"):
        test(np.arange(10.0).reshape(shape), level=95)


def test_shares_and_regions_have_their_rules():
    """A share of the rows in (0, 1), a region of at least 0, at least two folds."""
    d = [0.1, 0.2, 0.4]
    with refused(ParameterError, "no-fraction", argument="test_share"):
        corrected_t(d, test_share=1)
    with refused(ParameterError, "out-of-range", argument="rope"):
        bayesian_t(d, test_share=0.5, rope=-0.1)
    with refused(InputError, "wrong-shape", "at least 2", argument="d"):
        paired_t([0.1])


# --- size under each test's own assumptions ---


def rejections(p_values):
    """Return the share of p-values of at most 5 % and its standard error at 5 %."""
    return np.mean(np.array(p_values) <= 0.05), sqrt(0.05 * 0.95 / len(p_values))


def test_t_tests_keep_their_level_under_their_own_assumptions():
    """Independent normal differences for the plain one; equally correlated for the corrected one.

    With correlation r the variance of a mean of J over the expected sample variance is
    1 / J + r / (1 - r), so the corrected t-test is exact where r is its test share, and the plain
    one then rejects far too often.
    """
    rng = np.random.default_rng(12)
    own = rng.normal(size=(1500, 10))
    shared = sqrt(0.9) * own + sqrt(0.1) * rng.normal(size=(1500, 1))
    plain, error = rejections([paired_t(d).p_value for d in own])
    assert plain == pytest.approx(0.05, abs=4 * error)
    corrected, _ = rejections([corrected_t(d, test_share=0.1).p_value for d in shared])
    assert corrected == pytest.approx(0.05, abs=4 * error)
    excess, _ = rejections([paired_t(d).p_value for d in shared])
    assert excess > 0.09


def test_the_five_by_two_f_test_is_conservative_for_independent_differences():
    """F = (A + B) / (2 B) of two chi-squares of 5, so it rejects at 5 % in only 1.8 %."""
    limit = stats.f.ppf(0.95, 10, 5)
    expected = stats.f.sf(2 * limit - 1, 5, 5)
    assert expected == pytest.approx(0.0176, abs=0.0005)
    d = np.random.default_rng(13).normal(size=(1500, 5, 2))
    result, _ = rejections([five_by_two_f(each).p_value for each in d])
    assert result == pytest.approx(expected, abs=4 * sqrt(expected / 1500))


def test_exact_p_values_are_as_rare_as_they_say():
    """Over all signs of ten ranks the share with p <= p0 is p0 at every p0 that occurs."""
    null = signed_rank_null(2 * np.arange(1, 11))[::2]
    assert null.sum() == pytest.approx(1)
    assert null[0] == 2**-10
    lower = np.cumsum(null)
    p = np.minimum(1, 2 * np.minimum(lower, lower[::-1]))
    for level in np.unique(np.round(p, 12)):
        assert null[p <= level + 1e-12].sum() == pytest.approx(level)
