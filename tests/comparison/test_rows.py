import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as peer_mcnemar

import plumbline as pb
from duality import dual
from laws import examples, law
from plumbline.comparison import (
    Pair,
    Quantity,
    accuracy_ends,
    delong,
    delong_t,
    mcnemar,
    observed_of,
    paired_bootstrap,
    paired_permutation,
    quantity_of,
)
from plumbline.comparison.bootstrap import SAME, SINGLE, score_of, value_at
from plumbline.comparison.paired_rows import (
    area_parts,
    difference_of_drawn,
    difference_of_exchanged,
    exchanged,
)
from plumbline.confusion import concordance
from plumbline.curves import placements, roc_auc_interval
from plumbline.errors import InputError, ParameterError
from reference import subarachnoid
from refusals import refused, warned

MEANS = ("log-loss", "brier-score", "accuracy", "error-rate")


def pair_of(y, first, second, example=None, **others):
    """Return two models' probabilities of the positive class for the same rows."""
    tables = (pb.Predictions.from_arrays(y, p, classes=[0, 1], **others) for p in (first, second))
    return Pair(*tables, np.arange(len(y)) if example is None else np.asarray(example))


def random_pair(seed, n=60, examples=None, weighted=False, digits=1, apart=1.0):
    """Return a pair with ties, its first model `apart` times closer to the truth."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(0, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    y[:2] = 0, 1
    noise = (1.0 / apart, 1.0)
    p = [(0.98 / (1 + np.exp(-(logit + s * rng.normal(size=n)))) + 0.01) for s in noise]
    example = None
    if examples is not None:
        example = np.concatenate([np.arange(examples), rng.integers(0, examples, n - examples)])
        example = rng.permutation(example)
    weight = rng.integers(0, 4, n).astype(float) if weighted else None
    return pair_of(y, *(np.round(q, digits + 1) for q in p), example, weight=weight)


def right_and_wrong(both, only_first, only_second, neither):
    """Return a pair of labels alone with these numbers of right answers."""
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, only_first, only_second, neither], 0)
    y = np.arange(len(right)) % 2
    tables = (
        pb.Predictions.from_arrays(y, predicted=np.where(r, y, 1 - y), classes=[0, 1])
        for r in right.T
    )
    return Pair(*tables, np.arange(len(y)))


def slow(quantity):
    """Return the quantity without what its fast ways need."""
    return Quantity(
        name=quantity.name, title=quantity.title, better=quantity.better, value=quantity.value
    )


def flipped(pair):
    """Return the pair the other way round."""
    return Pair(pair.second, pair.first, pair.example)


# ---------------------------------------------------------------- McNemar


@settings(max_examples=examples(40))
@given(st.tuples(*[st.integers(0, 30)] * 4).filter(lambda cells: sum(cells) >= 2))
def test_mcnemar_is_statsmodels_exact_test(cells):
    """Counts, p-value and difference are those of the same 2 x 2 table elsewhere."""
    both, b, c, neither = cells
    result = mcnemar(right_and_wrong(*cells))
    peer = peer_mcnemar([[both, b], [c, neither]], exact=True)
    assert result.p_value == pytest.approx(min(1.0, peer.pvalue), rel=1e-9)
    assert (result.more["only_first"], result.more["only_second"]) == (b, c)
    assert result.difference == pytest.approx((b - c) / sum(cells))
    assert result.more["mid_p"] <= result.p_value
    low, high = result.interval_range
    assert -1 <= low <= result.difference + 1e-12
    assert result.difference - 1e-12 <= high <= 1
    assert (result.reason is None) == (b + c > 0)


def test_mcnemar_of_a_textbook_table():
    """Altman et al. (2000), table 6.2: 14, 5, 0, 22; p = 2 / 2^5, so 0 is in the interval."""
    result = mcnemar(right_and_wrong(14, 5, 0, 22))
    assert result.p_value == pytest.approx(0.0625)
    assert result.difference == pytest.approx(5 / 41)
    assert np.round(result.interval_range, 3).tolist() == [-0.004, 0.255]
    assert result.effect_size == np.inf


def test_the_exact_odds_ratio_agrees_with_the_exact_test():
    """The Clopper-Pearson interval leaves 1 out exactly where p < .05."""
    for b in range(10):
        for c in range(10):
            result = mcnemar(right_and_wrong(3, b, c, 3))
            low, high = result.more["odds_ratio_range"]
            assert (result.p_value < 0.05) == (low > 1 or high < 1)


@law("cells", [(0.2, 0.08), (0.1, 0.1), (0.05, 0.0), (0.3, 0.02)], number=2)
@pytest.mark.parametrize("n", [25, 100])
def test_the_interval_of_paired_shares_holds_the_truth(cells, n):
    """At least .94 of all tables with these shares of disagreements, exactly summed."""
    first, second = cells
    held = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            weight = stats.multinomial.pmf([b, c, n - b - c], n, [*cells, 1 - first - second])
            if weight > 1e-7:
                low, high = accuracy_ends(b, c, n, level=0.95)
                held += weight * (low <= first - second <= high)
    assert held >= 0.94


def test_mcnemar_refuses_weights_and_repeats():
    """What a count of independent rows cannot take is refused with a remedy."""
    with refused(InputError, "weights-not-possible", "permutation"):
        mcnemar(random_pair(0, weighted=True))
    with refused(InputError, "examples-come-again", "60 rows", "30 examples", "permutation"):
        mcnemar(random_pair(0, examples=30))
    with pytest.raises(
        ParameterError, check=lambda e: (e.argument, e.code) == ("level", "no-fraction")
    ):
        mcnemar(random_pair(0), level=95)


# ---------------------------------------------------------------- DeLong


def markers():
    """Return the three markers of the published data."""
    y = np.repeat([1, 0], [subarachnoid.POOR, subarachnoid.GOOD])
    names = {"wfns": subarachnoid.WFNS, "s100b": subarachnoid.S100B, "ndka": subarachnoid.NDKA}
    return {
        name: pb.Predictions.from_arrays(y, score=np.array(text.split(), float))
        for name, text in names.items()
    }


@pytest.mark.parametrize("row", subarachnoid.PAIRS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_delong_is_that_of_proc_on_published_data(row):
    """Z, p and interval of all pairs of markers are those recorded by the R package pROC."""
    first, second, z, p_value, low, high = row
    table = markers()
    result = delong(Pair(table[first], table[second], np.arange(113)))
    assert result.statistic == pytest.approx(z, rel=1e-10)
    assert result.p_value == pytest.approx(p_value, rel=1e-10)
    assert result.interval_range == pytest.approx((low, high), rel=1e-10)


def test_the_interval_of_one_area_is_that_of_proc():
    """On the scale of the area; on the logit scale it lies within (0, 1) and holds the area."""
    result = roc_auc_interval(markers()["ndka"], method="delong")
    assert [result.interval_range[0], result.value, result.interval_range[1]] == pytest.approx(
        subarachnoid.NDKA_AREA, rel=1e-10
    )
    low, high = roc_auc_interval(markers()["wfns"], method="logit").interval_range
    assert 0 < low < 0.8236 < high < 1


def literal_placements(event, rating):
    """Return placements from all pairs of a positive and a negative."""
    higher = np.sign(rating[:, None] - rating[None, :]) / 2 + 0.5  # row above column
    return np.where(event, higher[:, ~event].mean(axis=1), 1 - higher[:, event].mean(axis=1))


@settings(max_examples=examples(40))
@given(st.integers(0, 10_000), st.integers(4, 40))
def test_placements_are_means_over_all_pairs(seed, n):
    """By sorting, with ties, as by definition; their mean is the area under the ROC curve."""
    rng = np.random.default_rng(seed)
    event, rating = np.arange(n) % 3 == 0, rng.integers(0, 6, n) / 4
    result = placements(event, rating)
    assert result == pytest.approx(literal_placements(event, rating), abs=1e-14)
    for part in (event, ~event):
        assert result[part].mean() == pytest.approx(concordance(event, rating), abs=1e-14)


def test_delong_has_the_covariance_of_the_paper():
    """The variance of a difference is that of DeLong's 2 x 2 matrix S10 / m + S01 / n."""
    pair = random_pair(3)
    result, event = delong(pair), pair.first.actual == 1
    placed = [literal_placements(event, t.prob[:, 1]) for t in (pair.first, pair.second)]
    s = sum(np.cov([v[part] for v in placed]) / part.sum() for part in (event, ~event))
    assert result.more["std_error"] ** 2 == pytest.approx(s[0, 0] + s[1, 1] - 2 * s[0, 1])
    assert result.more["correlation"] == pytest.approx(s[0, 1] / np.sqrt(s[0, 0] * s[1, 1]))
    assert roc_auc_interval(pair.first).std_error ** 2 == pytest.approx(s[0, 0])
    back = delong(flipped(pair))
    assert (back.statistic, back.p_value) == pytest.approx((-result.statistic, result.p_value))


def test_delong_sees_ranks_alone():
    """A growing function of a model's ratings changes nothing; a third class needs a target."""
    pair = random_pair(4)
    y = pair.first.actual
    other = pb.Predictions.from_arrays(y, score=np.log(pair.second.prob[:, 1]), classes=[0, 1])
    assert delong(Pair(pair.first, other, pair.example)).p_value == delong(pair).p_value
    prob = np.random.default_rng(0).dirichlet(np.ones(3), 60)
    three = pb.Predictions.from_arrays(np.arange(60) % 3, prob)
    with refused(ParameterError, "class-missing", "`target`", "'0'", "'1'", "'2'"):
        delong(Pair(three, three, pair.example))
    result = roc_auc_interval(three, target=2)
    assert result.value == pytest.approx(concordance(three.actual == 2, prob[:, 2]))


def test_delong_says_why_it_has_no_answer():
    """No spread, no class, the same order, labels alone: a reason or a refusal, never a number."""
    y = np.repeat([0, 1], 10)
    right, wrong = y * 0.8 + 0.1, 0.9 - y * 0.8
    apart = delong(pair_of(y, right, wrong))
    assert (apart.difference, apart.reason is None) == (1.0, False)
    assert np.isnan([apart.p_value, *apart.interval_range]).all()
    alike = delong(pair_of(y, right, right / 2))
    assert alike.p_value == 1.0
    assert np.isnan(alike.interval_range).all()
    assert "unknown" in alike.reason
    one = pb.Predictions.from_arrays([0, 0, 1], [0.1, 0.2, 0.3])
    assert " 1 and 2" in roc_auc_interval(one, method="delong").reason
    sure = roc_auc_interval(pair_of(y, right, right).first, method="delong")
    assert "perfect ranking" in sure.reason
    with refused(InputError, "labels-only"):
        delong(right_and_wrong(5, 5, 5, 5))
    with refused(InputError, "weights-not-possible", "permutation"):
        delong(random_pair(0, weighted=True))
    with refused(InputError, "examples-come-again", "60 rows", "30 examples"):
        delong(random_pair(0, examples=30))


def few_pair(seed, positives=5, negatives=95, areas=(0.8, 0.8)):
    """Return two models' binormal ratings of few positives, of correlation .3."""
    rng = np.random.default_rng(seed)
    y = np.arange(positives + negatives) < positives
    noise = rng.normal(size=(2, len(y))) * np.sqrt(0.7) + rng.normal(size=len(y)) * np.sqrt(0.3)
    shift = stats.norm.ppf(areas)[:, None] * np.sqrt(2) * y
    return pair_of(y.astype(int), *(1 / (1 + np.exp(-(noise + shift)))))


@pytest.mark.parametrize("row", subarachnoid.PAIRS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_students_t_is_delong_with_fewer_degrees_of_freedom(row):
    """The same difference, variance and statistic; p and interval of Student's t."""
    first, second = (markers()[name] for name in row[:2])
    pair = Pair(first, second, np.arange(113))
    plain, result = delong(pair), delong_t(pair)
    freedom = result.more["freedom"]
    assert min(subarachnoid.POOR, subarachnoid.GOOD) - 1 <= freedom <= 111
    assert result.statistic == plain.statistic
    assert result.p_value == pytest.approx(2 * stats.t.sf(abs(plain.statistic), freedom))
    half = stats.t.ppf(0.975, freedom) * plain.more["std_error"]
    assert result.interval_range == pytest.approx(
        (plain.difference - half, plain.difference + half)
    )


def test_few_positives_are_compared_by_exchanges():
    """Below 15 of a class; the answer says so, and its interval agrees with its p-value."""
    for seed in range(12):
        for areas in ((0.8, 0.8), (0.95, 0.5)):
            pair = few_pair(seed, areas=areas)
            answer = pb.compare(pair.first, pair.second, metrics="roc-auc", resamples=199)
            (one,) = answer.pairs
            assert (one.test, one.more["code"]) == ("permutation", "few-positives")
            assert "few-positives" in answer.remark_codes
            dual(*one.interval_range, one.p_value, level=0.95, reason=one.reason)
    pair = few_pair(0, 1, 99)  # a single row of a class does not tell how other such rows differ
    (one,) = pb.compare(pair.first, pair.second, metrics="roc-auc", resamples=199).pairs
    assert np.isnan(one.interval_range).all()
    assert 0 < one.p_value <= 1
    assert " 1 and 99" in one.reason
    pair = few_pair(0, 15, 85)
    assert pb.compare(pair.first, pair.second, metrics="roc-auc").pairs[0].test == "delong-t"
    with warned("few-positives-delong", "5 positives", "95 negatives"):
        pb.compare(
            *(getattr(few_pair(0), side) for side in ("first", "second")),
            metrics="roc-auc",
            test="delong",
        )


def test_equal_models_with_few_positives_are_seldom_distinguished():
    """Of 400 pairs with 5 positives DeLong's test rejects too many, exchanges do not."""
    pairs = [few_pair(seed) for seed in range(400)]
    quantity = quantity_of("roc-auc", pairs[0].first)
    plain = np.mean([delong(pair).p_value <= 0.05 for pair in pairs])
    result = np.mean(
        [paired_permutation(p, quantity, resamples=199).p_value <= 0.05 for p in pairs]
    )
    assert result < 0.05 + 3 * 0.011
    assert plain > result


def test_models_that_rank_all_rows_rightly_are_not_distinguished():
    """Area 1 of both: p is 1, no interval, and a reason, with few rows as with many."""
    for n in (5, 40):
        y = np.repeat([0, 1], n)
        pair = pair_of(y, 0.1 + 0.8 * y, 0.3 + 0.4 * y)
        (one,) = pb.compare(pair.first, pair.second, metrics="roc-auc", resamples=99).pairs
        assert (one.p_value, one.difference) == (1.0, 0.0)
        assert np.isnan(one.interval_range).all()
        assert one.reason
        apart = pair_of(y, 0.1 + 0.8 * y, 0.9 - 0.8 * y)
        (one,) = pb.compare(apart.first, apart.second, metrics="roc-auc", resamples=999).pairs
        assert (one.p_value <= 0.01) == (n == 5)
        assert one.reason
        assert np.isnan(one.interval_range).all()


# ---------------------------------------------------------------- quantities


@pytest.mark.parametrize("name", [*MEANS, "roc-auc"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_quantity_is_the_mean_of_its_rows(name, weighted):
    """The weighted mean of the rows' values, or the area of the ratings, is the metric itself."""
    table = random_pair(1, weighted=weighted).first
    quantity = quantity_of(name, table)
    if quantity.per_row is None:
        again = concordance(*quantity.ratings(table), weight=table.weight)
    else:
        again = np.average(quantity.per_row(table), weights=table.mass)
    assert again == pytest.approx(quantity.value(table), rel=1e-12)


def test_a_quantity_of_one_class_is_its_one_vs_rest_view():
    """The target is looked at against the rest, whichever number it is of."""
    prob = np.random.default_rng(1).dirichlet(np.ones(3), 50)
    table = pb.Predictions.from_arrays(np.arange(50) % 3, prob)
    binary = table.one_vs_rest(1)
    for name in ("brier-score", "log-loss", "roc-auc", "ece"):
        result = quantity_of(name, table, target=1)
        assert result.value(table) == pytest.approx(
            quantity_of(name, binary).value(binary), rel=1e-12
        )
    assert quantity_of("roc-auc", table).ratings is None
    whole = quantity_of("brier", table)
    assert whole.per_row(table).mean() == pytest.approx(pb.brier_score(table))


def test_profit_adds_up_the_payoffs_of_the_cells():
    """By hand: two hits, one false alarm, one miss, one correct rejection."""
    y, p = [1, 1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2, 0.1]
    table = pb.Predictions.from_arrays(y, p)
    pays = {"TP": 10, "FP": -5, "FN": -2}
    result = quantity_of("profit", table, payoffs=pays, threshold=0.5)
    assert result.per_row(table).tolist() == [10, 10, -5, -2, 0]
    assert (result.value(table), result.better) == (13 / 5, "higher")
    strict = quantity_of("profit", table, payoffs=pays, threshold=0.7)
    assert strict.value(table) == (10 - 2 - 2) / 5
    labels = pb.Predictions.from_arrays(y, predicted=[1, 1, 1, 0, 0])
    assert quantity_of("profit", labels, payoffs=pays).value(labels) == 13 / 5


def test_models_that_differ_by_their_temperature_are_one_after_it(rng):
    """Where two fits stop is no difference: it is exactly 0, and p = 1."""
    z = rng.normal(size=200)
    y = rng.random(200) < 1 / (1 + np.exp(-z))
    both = np.concatenate([1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-2 * z))])
    names = {"model": ["a"] * 200 + ["b"] * 200, "row": [*range(200)] * 2}
    data = pb.Predictions.from_arrays(np.tile(y, 2).astype(int), both, **names)
    for name in ("log-loss", "brier-score"):
        before, after = pb.compare(data, metrics=[name], after="temperature").pairs
        assert before.difference != 0
        assert (after.difference, after.p_value) == (0, 1)


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("profit", {}, ("payoffs-missing", "`payoffs`")),
        ("profit", {"payoffs": {"tp": 1}}, ("unknown-name", "`payoffs`", "'TP'")),
        ("profit", {"payoffs": {"TP": "x"}}, ("no-number", "`payoffs`")),
        ("profit", {"payoffs": {"TP": 1}, "threshold": np.nan}, ("no-number", "`threshold`")),
        ("brier-score", {"threshold": 0.5}, ("argument-of-profit", "`threshold`", "'profit'")),
        ("brier-score", {"payoffs": {"TP": 1}}, ("argument-of-profit", "`payoffs`")),
        ("brier-scor", {}, ("unknown-metric", "`metrics`", "'brier-score'")),
        ("accuracy", {"target": 1}, ("argument-says-nothing", "`view`", "'accuracy'")),
    ],
)
def test_what_says_nothing_to_a_quantity_is_refused(name, given, text):
    """An argument that is missing, wrong or of another quantity is named."""
    with refused(ParameterError, *text):
        quantity_of(name, random_pair(0).first, **given)


# ---------------------------------------------------------------- lanes


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("examples", [None, 35])
def test_fast_lanes_are_the_generic_one(weighted, examples):
    """Sums and one order give what tables of drawn or exchanged rows give."""
    pair = random_pair(2, examples=examples, weighted=weighted)
    rng = np.random.default_rng(5)
    for name in (*MEANS, "roc-auc", "f1", "mcc", "ece", "mce"):
        quantity = quantity_of(name, pair.first)
        pair, seen = observed_of(pair, quantity)
        fast = difference_of_drawn(pair, quantity, seen.sums)
        anew = difference_of_drawn(pair, slow(quantity), None)
        every = np.arange(pair.examples)
        for drawn in (every, *rng.integers(pair.examples, size=(4, pair.examples))):
            assert fast(drawn) == pytest.approx(anew(drawn), abs=1e-12)
        assert fast(every) == pytest.approx(seen.difference, abs=1e-12)
        if name in ("log-loss", "brier-score", "mcc"):  # few accuracies differ: all ways are listed
            swap = paired_permutation(pair, quantity, resamples=99)
            assert swap.p_value == paired_permutation(pair, slow(quantity), resamples=99).p_value


def test_rates_of_many_classes_come_from_the_cells():
    """Averages over three classes, of labels alone, drawn and exchanged."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 50)
    answers = (np.where(rng.random(50) < 0.6, y, rng.integers(0, 3, 50)) for _ in range(2))
    tables = (pb.Predictions.from_arrays(y, predicted=a, classes=[0, 1, 2]) for a in answers)
    pair = Pair(*tables, np.arange(50))
    for name, target in (("f1", None), ("kappa", None), ("recall", 1)):
        quantity = quantity_of(name, pair.first, target=target)
        fast, anew = (difference_of_drawn(pair, q, None) for q in (quantity, slow(quantity)))
        drawn = rng.integers(50, size=50)
        assert fast(drawn) == pytest.approx(anew(drawn), abs=1e-12)
        fast, anew = (difference_of_exchanged(pair, q) for q in (quantity, slow(quantity)))
        flip = rng.random(50) < 0.5
        assert fast(flip) == pytest.approx(anew(flip), abs=1e-12)


def test_exchanged_ranks_have_the_area_of_the_mixture():
    """Ranks of both models, mixed as told, have the areas that sorting the mixtures gives."""
    pair = random_pair(6)
    rng = np.random.default_rng(0)
    event = pair.first.actual == 1
    ranks = [stats.rankdata(table.prob[:, 1]) for table in (pair.first, pair.second)]
    parts = area_parts(pair, quantity_of("roc-auc", pair.first).ratings)
    for flip in rng.random((5, 60)) < 0.5:
        mixed = np.where(flip, ranks[1], ranks[0]), np.where(flip, ranks[0], ranks[1])
        areas = [concordance(event, rank) for rank in mixed]
        assert parts @ np.where(flip, -1, 1) == pytest.approx(areas[0] - areas[1], abs=1e-12)


def test_exchanged_areas_of_weighted_examples_are_sums():
    """Examples of several weighted rows turn the sign of what they add, ties included."""
    pair = random_pair(8, examples=30, weighted=True, digits=0).present
    rng = np.random.default_rng(1)
    event, weight = pair.first.actual == 1, pair.first.weight
    ranks = [stats.rankdata(table.prob[:, 1]) for table in (pair.first, pair.second)]
    parts = area_parts(pair, quantity_of("roc-auc", pair.first).ratings)
    for _ in range(5):
        sign = rng.integers(0, 2, pair.examples) * 2 - 1
        flip = sign[pair.example] < 0
        mixed = np.where(flip, ranks[1], ranks[0]), np.where(flip, ranks[0], ranks[1])
        areas = [concordance(event, rank, weight=weight) for rank in mixed]
        assert parts @ sign == pytest.approx(areas[0] - areas[1], abs=1e-12)


def test_answers_are_exchanged_whole_and_nothing_else_is():
    """Probabilities, labels and scores go with the model; classes and weights stay."""
    pair = random_pair(7, examples=30, weighted=True)
    flip = np.random.default_rng(0).random(30) < 0.5
    first, second = exchanged(pair, flip)
    rows = flip[pair.example]
    assert np.array_equal(first.prob[rows], pair.second.prob[rows])
    assert np.array_equal(first.prob[~rows], pair.first.prob[~rows])
    assert np.array_equal(second.prob[rows], pair.first.prob[rows])
    for name in ("actual", "weight"):
        assert np.array_equal(getattr(first, name), getattr(pair.first, name))


def test_tables_that_hold_different_things_are_made_alike_or_refused():
    """Labels beside probabilities, logits beside probabilities: made alike; ratings: refused."""
    y = np.arange(40) % 2
    z = np.random.default_rng(0).normal(size=40) + y
    logits = pb.Predictions.from_logits(y, z)
    plain = pb.Predictions.from_arrays(y, np.full(40, 0.5))
    quantity = slow(quantity_of("log-loss", plain))
    result = paired_permutation(Pair(logits, plain, np.arange(40)), quantity, resamples=99)
    assert 0 < result.p_value < 0.2
    labels = pb.Predictions.from_arrays(y, predicted=1 - y)
    result = paired_permutation(
        Pair(logits, plain, np.arange(40)), slow(quantity_of("accuracy", plain)), resamples=99
    )
    assert result.p_value <= 1
    scores = pb.Predictions.from_arrays(y, score=z, predicted=y)
    with refused(InputError, "ratings-of-one-model"):
        paired_permutation(Pair(scores, labels, np.arange(40)), slow(quantity_of("f1", labels)))


def test_errors_over_bins_of_many_classes_come_from_the_bins():
    """Single precision, weights, every class or the answers: as tables give, drawn or exchanged."""
    rng = np.random.default_rng(4)
    prob = rng.dirichlet(np.ones(3), (2, 60)).astype(np.float32)
    weight = rng.integers(1, 4, 60).astype(float)
    tables = (pb.Predictions.from_arrays(np.arange(60) % 3, p, weight=weight) for p in prob)
    pair = Pair(*tables, np.arange(60) // 2)
    for name, target in (
        ("sce", None),
        ("rmsce", None),
        ("overconfidence", 1),
        ("average-calibration-error", None),
    ):
        quantity = quantity_of(name, pair.first, target=target)
        fast, anew = (difference_of_drawn(pair, q, None) for q in (quantity, slow(quantity)))
        drawn = rng.integers(30, size=30)
        assert fast(drawn) == pytest.approx(anew(drawn), abs=1e-12)
        fast, anew = (difference_of_exchanged(pair, q) for q in (quantity, slow(quantity)))
        flip = rng.uniform(size=30) < 0.5
        assert fast(flip) == pytest.approx(anew(flip), abs=1e-12)
        assert fast(~flip) == pytest.approx(-fast(flip), abs=0)
        assert quantity.quick
    assert not quantity_of("ace", pair.first).quick


def test_long_work_is_warned_of(monkeypatch):
    """What has no fast way says before it begins how many draws take about a minute."""
    monkeypatch.setattr("plumbline.comparison.paired_rows.LONG", 50 * 60)
    pair = random_pair(0)
    with warned("long-work", "99 resamples", "60 rows", "199 resamples"):
        paired_bootstrap(pair, quantity_of("ace", pair.first), resamples=99)


# ---------------------------------------------------------------- permutation


@settings(max_examples=examples(30))
@given(st.integers(0, 1000), st.integers(2, 10))
def test_few_examples_are_exchanged_in_every_way(seed, n):
    """The p-value is the share of all 2^n sign patterns, summed one by one."""
    pair = random_pair(seed, n=n)
    quantity = quantity_of("brier-score", pair.first)
    part = quantity.per_row(pair.first) - quantity.per_row(pair.second)
    signs = np.array(np.meshgrid(*[[1, -1]] * n)).reshape(n, -1)
    sums = np.abs(part @ signs)
    result = paired_permutation(pair, quantity)
    assert result.p_value == pytest.approx((sums >= abs(part.sum()) - 1e-11).mean(), abs=1e-12)
    assert result.difference == pytest.approx(part.mean(), abs=1e-12)


def test_random_exchanges_come_near_all_of_them():
    """Of 16 examples, 500 exchanges give the p-value of all within four standard errors."""
    pair = random_pair(11, n=16, apart=3.0)
    quantity = quantity_of("log-loss", pair.first)
    exact = paired_permutation(pair, quantity).p_value
    result = paired_permutation(pair, slow(quantity), resamples=500, rng=3).p_value
    assert result == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 500) + 1 / 501)


def test_the_permutation_test_of_accuracy_is_mcnemars():
    """Where every disagreement counts one, exchanging in all ways is the exact binomial test."""
    for cells in ((5, 6, 1, 3), (0, 2, 2, 9), (9, 8, 3, 1)):
        pair = right_and_wrong(*cells)
        result = paired_permutation(pair, quantity_of("accuracy", pair.first))
        assert result.p_value == pytest.approx(mcnemar(pair).p_value, abs=1e-12)


def test_equal_models_have_p_one():
    """A difference that nothing changes is no evidence, and has no interval of no width."""
    pair = random_pair(1)
    same = Pair(pair.first, pair.first, pair.example)
    for name in ("brier-score", "ece", "roc-auc"):
        quantity = quantity_of(name, pair.first)
        assert paired_permutation(same, quantity, resamples=49).p_value == 1.0
        result = paired_bootstrap(same, quantity, resamples=99)
        assert result.p_value == 1.0
        assert np.isnan(result.interval_range).all()
        assert result.reason == SAME


@pytest.mark.parametrize(("level", "known"), [(0.98, True), (0.99, True), (0.9901, False)])
def test_the_least_p_value_of_a_bootstrap_is_that_of_its_draws(level, known):
    """Where all differ in one direction; an interval of a higher level has no ends."""
    y = np.arange(60) % 2
    pair = pair_of(y, 0.2 + 0.6 * y, 0.5 + 0.01 * np.arange(60) / 60)
    result = paired_bootstrap(pair, quantity_of("brier", pair.first), resamples=99, level=level)
    assert result.p_value == pytest.approx(1 / 100)
    assert np.isfinite(result.interval_range).all() == known


@pytest.mark.parametrize("test", [paired_permutation, paired_bootstrap])
@pytest.mark.parametrize(("name", "draws"), [("brier-score", 600), ("roc-auc", 200), ("ece", 40)])
def test_an_answer_depends_neither_on_workers_nor_on_the_order_of_models(test, name, draws):
    """One seed, one answer; the other way round it is the negative."""
    pair = random_pair(8, n=40)
    quantity = quantity_of(name, pair.first)
    one, two = (test(pair, quantity, resamples=draws, rng=4, workers=w) for w in (1, 2))
    assert one.p_value == two.p_value
    assert np.array_equal(one.interval_range, two.interval_range, equal_nan=True)
    back = test(flipped(pair), quantity, resamples=draws, rng=4, workers=1)
    assert back.p_value == pytest.approx(one.p_value, abs=1e-9)
    assert back.difference == pytest.approx(-one.difference)
    ends = [-end for end in reversed(back.interval_range)]
    assert ends == pytest.approx(one.interval_range, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("test", [paired_permutation, paired_bootstrap])
def test_what_has_no_difference_says_so(test):
    """Infinite and undefined values are no evidence: NaN with the reason."""
    pair = pair_of([0, 1, 1, 0], [0.1, 0.0, 0.8, 0.2], [0.3, 0.6, 0.7, 0.4])
    result = test(pair, quantity_of("log-loss", pair.first))
    assert np.isnan(result.p_value)
    assert "is infinite" in result.reason
    alone = pair_of([0, 0, 0], [0.1, 0.2, 0.3], [0.2, 0.1, 0.4])
    result = test(alone, quantity_of("roc-auc", alone.first))
    assert "undefined" in result.reason
    weights = Pair(
        *(pb.Predictions.from_arrays([0, 1], [0.1, 0.9], weight=w) for w in ([1, 2], [1, 1])),
        np.arange(2),
    )
    with refused(InputError, "weights-differ", "row 1", "has 2", "and 1"):
        test(weights, quantity_of("brier-score", weights.first))
    with pytest.raises(
        ParameterError, check=lambda e: (e.argument, e.code) == ("resamples", "no-whole-number")
    ):
        test(pair, quantity_of("brier-score", pair.first), resamples=0)


# ---------------------------------------------------------------- bootstrap


def test_the_bootstrap_interval_is_that_of_scipy():
    """Without the widening of small samples, scipy's BCa of the same mean lies where ours does."""
    pair = random_pair(12, n=400)
    quantity = quantity_of("log-loss", pair.first)
    part = quantity.per_row(pair.first) - quantity.per_row(pair.second)
    result = paired_bootstrap(pair, quantity, resamples=4999)
    peer = stats.bootstrap((part,), np.mean, n_resamples=4999, random_state=0)
    assert result.interval_range == pytest.approx(
        tuple(peer.confidence_interval), abs=0.1 * peer.standard_error
    )
    assert result.more["std_error"] == pytest.approx(peer.standard_error, rel=0.04)


def test_the_bootstrap_p_value_inverts_its_interval():
    """The interval of level 1 - p ends at 0."""
    for seed in range(3):
        pair = random_pair(seed, n=80, apart=1.6)
        quantity = quantity_of("brier-score", pair.first)
        p_value = paired_bootstrap(pair, quantity, resamples=999).p_value
        ends = paired_bootstrap(pair, quantity, resamples=999, level=1 - p_value).interval_range
        width = ends[1] - ends[0]
        assert min(abs(end) for end in ends) <= 0.02 * width


def test_quantiles_go_on_beyond_the_draws():
    """Scores and values of draws invert each other, and grow, inside the draws and beyond them."""
    draws = np.sort(np.random.default_rng(0).gamma(4.0, size=399))
    scores = np.linspace(-6, 6, 49)
    values = np.array([value_at(draws, score) for score in scores])
    assert (np.diff(values) >= 0).all()
    assert values[-1] == pytest.approx(draws.mean() + 6 * draws.std())
    back = [score_of(draws, value, ties=0.5) for value in values]
    far = np.abs(scores) > 2.9  # between them, to a step of the draws
    assert np.array(back)[~far] == pytest.approx(scores[~far], abs=0.25)
    assert back[-1] == pytest.approx(6.0)
    assert score_of(np.zeros(9), 0.0, ties=0.5) == 0.0


def test_the_bootstrap_of_areas_agrees_with_delong():
    """On 400 rows both standard errors are near each other."""
    pair = random_pair(13, n=400)
    result = paired_bootstrap(pair, quantity_of("roc-auc", pair.first), resamples=999)
    assert result.more["std_error"] == pytest.approx(delong(pair).more["std_error"], rel=0.1)
    assert result.interval_range == pytest.approx(delong(pair).interval_range, abs=0.005)


def test_draws_without_a_class_are_left_out_and_counted():
    """One positive in 12 rows is missing from about a third of the draws."""
    y = np.arange(12) == 3
    pair = pair_of(y.astype(int), np.linspace(0.1, 0.9, 12), np.linspace(0.9, 0.1, 12) ** 2)
    result = paired_bootstrap(pair, quantity_of("roc-auc", pair.first), resamples=500)
    assert 100 < result.more["undefined_draws"] < 250
    assert f"{result.more['undefined_draws']} of them" in result.method


def test_equal_draws_say_nothing():
    """A perfect against an always wrong model: a p-value by exchange, no interval of no width."""
    y = np.arange(20) % 2
    pair = pair_of(y, y.astype(float), 1.0 - y)
    quantity = quantity_of("brier-score", pair.first)
    result = paired_bootstrap(pair, quantity, resamples=99)
    assert (result.difference, result.reason) == (-1.0, SAME)
    assert np.isnan([result.p_value, *result.interval_range]).all()
    assert paired_permutation(pair, quantity, resamples=999).p_value == 0.001


@pytest.mark.parametrize("test", [paired_permutation, paired_bootstrap])
@pytest.mark.parametrize("examples", [None, 30])
def test_rows_without_weight_are_absent(test, examples):
    """They change neither numbers nor units; where one example is left, there is no interval."""
    pair = random_pair(2, examples=examples, weighted=True)
    kept = np.flatnonzero(pair.first.mass > 0)
    _, example = np.unique(pair.example[kept], return_inverse=True)
    less = Pair(*(t.select(where=kept) for t in (pair.first, pair.second)), example)
    quantity = quantity_of("log-loss", pair.first)
    result, own = (test(one, quantity, resamples=99) for one in (pair, less))
    assert (result.p_value, result.units) == (own.p_value, less.examples)
    assert result.units < pair.examples
    np.testing.assert_array_equal(result.interval_range, own.interval_range)
    alone = pair_of([0, 1, 1], [0.2, 0.3, 0.4], [0.3, 0.6, 0.7], weight=[0, 2, 0])
    single = test(alone, quantity, resamples=99)
    assert single.units == 1
    assert np.isnan(single.interval_range).all()
    assert single.p_value == 1 or single.reason == SINGLE


# ---------------------------------------------------------------- simulations


def simulated(test, quantity, sets, *, n, seed=0):
    """Return p-values and intervals of two equally good models on many data sets."""
    result = []
    for i in range(sets):
        rng = np.random.default_rng([seed, i])
        logit = rng.normal(0, 1.2, n)
        y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
        y[:2] = 0, 1
        p = (1 / (1 + np.exp(-(logit + rng.normal(0, 0.8, n)))) for _ in range(2))
        answer = test(pair_of(y, *p), quantity, i)
        result.append((answer.p_value, *answer.interval_range))
    return np.array(result).T


TESTS = {
    "mcnemar": (lambda pair, _, i: mcnemar(pair), "accuracy", 200),
    "delong": (lambda pair, _, i: delong(pair), "roc-auc", 200),
    "permutation": (
        lambda pair, q, i: paired_permutation(pair, q, resamples=199, rng=i, workers=1),
        "brier-score",
        150,
    ),
    "bootstrap": (
        lambda pair, q, i: paired_bootstrap(pair, q, resamples=199, rng=i, workers=1),
        "log-loss",
        100,
    ),
}


@pytest.mark.parametrize("name", TESTS)
def test_equal_models_are_distinguished_no_more_often_than_stated(name):
    """At the 5 % level, within three standard errors; intervals hold 0 as often as they say."""
    test, metric, sets = TESTS[name]
    quantity = quantity_of(metric, random_pair(0).first)
    p_value, low, high = simulated(test, quantity, sets, n=80)
    slack = 3 * np.sqrt(0.05 * 0.95 / sets)
    assert (p_value <= 0.05).mean() <= 0.05 + slack
    if name != "permutation":
        assert ((low <= 0) & (high >= 0)).mean() >= 0.95 - slack
