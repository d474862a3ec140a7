"""Groups: how rows are put into them, their bias, the search for the worst, and the heat map."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.binning import Grouping, group_rows, grouping
from plumbline.calibration_errors import Events, biases
from plumbline.group_calibration import (
    calibration_by,
    class_heat_map,
    conditional_bias,
    worst_slice,
)
from plumbline.group_calibration.worst_slice import Conditions
from refusals import refused


def table(rng, n=240, *, weight=None, truth=None, **attributes):
    """Return a two-class table that is calibrated but where `truth` says otherwise."""
    p = rng.uniform(0.05, 0.95, n)
    y = rng.random(n) < (p if truth is None else truth(p))
    return pb.Predictions.from_arrays(y, p, weight=weight, attributes=attributes)


def repeated(data, times):
    """Return the table with every row as often as `times` says, without weights."""
    rows = np.repeat(np.arange(data.n), times)
    return pb.Predictions.from_arrays(
        np.array(data.classes)[data.actual[rows]],
        data.prob[rows],
        classes=data.classes,
        attributes={name: values[rows] for name, values in data.attributes.items()},
    )


def flat(values, weight=None):
    """Return a table of one attribute x and no opinion."""
    n = len(values)
    return pb.Predictions.from_arrays(
        np.arange(n) % 2, [0.5] * n, weight=weight, attributes={"x": values}
    )


def named(data, by="x", **arguments):
    """Return the groups as a dictionary."""
    return {name: rows.tolist() for name, rows in group_rows(data, by, **arguments)}


# ------------------------------------------------------------------ rows in groups


def test_a_category_has_a_group_a_value_and_missing_ones_are_last():
    """Values are sorted, numbers among them by their value; None, NaN and "" are missing."""
    values = np.array(["b", None, "10", "9", "b", "", np.nan], object)
    assert named(flat(values)) == {"9": [3], "10": [2], "b": [0, 4], "missing": [1, 5, 6]}
    assert list(named(flat(np.array([True, False, True])))) == ["False", "True"]


def test_a_number_of_few_values_is_a_category_and_of_more_is_cut_in_four():
    """Ten distinct values are named each; eleven make four groups of equal size."""
    assert list(named(flat(np.arange(10)))) == [str(value) for value in range(10)]
    result = named(flat(np.r_[np.arange(11.0), np.nan]))
    assert result == {
        "[0, 2]": [0, 1, 2],
        "(2, 5]": [3, 4, 5],
        "(5, 8]": [6, 7, 8],
        "(8, 10]": [9, 10],
        "missing": [11],
    }


def test_cuts_of_ones_own():
    """Edges make open ends; equal width runs over the range of the rows."""
    data = flat(np.array([20, 31, 45, 62, 18]))
    assert named(data, cuts=[30, 45]) == {"<= 30": [0, 4], "(30, 45]": [1, 2], "> 45": [3]}
    assert named(data, cuts="edges:30,45") == named(data, cuts=[30, 45])
    assert named(data, cuts="equal-width:2") == {"[18, 40]": [0, 1, 4], "(40, 62]": [2, 3]}
    assert named(data, cuts="equal-size:2") == {"[18, 31]": [0, 1, 4], "(31, 62]": [2, 3]}


def test_dates_are_cut_like_numbers():
    """Edges are dates of the column."""
    days = np.datetime64("2024-01-01") + np.arange(12)
    result = named(flat(np.r_[days, np.datetime64("NaT")]), cuts="equal-size:2")
    assert list(result) == ["[2024-01-01, 2024-01-06]", "(2024-01-06, 2024-01-12]", "missing"]
    own = named(flat(days), cuts=["2024-01-10"])
    assert [len(rows) for rows in own.values()] == [10, 2]


@given(st.lists(st.integers(0, 6), min_size=12, max_size=60), st.integers(2, 6))
def test_equal_values_are_never_split_and_every_row_is_in_one_group(values, parts):
    """Ties stay together, groups rise, and together they are all rows."""
    values = np.array(values, float)
    groups = group_rows(flat(values), "x", cuts=f"equal-size:{parts}")
    assert sorted(np.concatenate([rows for _, rows in groups])) == list(range(len(values)))
    assert len(groups) <= parts
    for (_, low), (_, high) in pairwise(groups):
        assert values[low].max() < values[high].min()


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), min_size=4, max_size=40))
def test_weighted_cuts_are_those_of_repeated_rows(pairs):
    """A row of weight 3 counts as three rows where a number is cut; one of weight 0 as none."""
    values, weight = np.array(pairs, float).T
    weight[:2] = np.maximum(weight[:2], 1)
    heavy = group_rows(flat(values, weight), "x", cuts="equal-size:4")
    many = group_rows(flat(np.repeat(values, weight.astype(int))), "x", cuts="equal-size:4")
    assert [name for name, _ in heavy] == [name for name, _ in many]
    assert [weight[rows].sum() for _, rows in heavy] == [len(rows) for _, rows in many]


def test_attributes_are_crossed():
    """Only combinations that occur are groups, each attribute cut as asked."""
    data = pb.Predictions.from_arrays(
        [0, 1] * 3,
        [0.5] * 6,
        attributes={
            "sex": list("fmfmff"),
            "age": [20, 30, 40, 50, 60, None],
            "a,b": list("uvuvuv"),
        },
    )
    result = {
        "sex = f, age <= 30": [0],
        "sex = f, age > 30": [2, 4],
        "sex = f, age missing": [5],
        "sex = m, age <= 30": [1],
        "sex = m, age > 30": [3],
    }
    assert named(data, "sex, age", cuts={"age": [30]}) == result
    assert named(data, ["sex", "age"], cuts=[30]) == result
    assert list(named(data, "a,b")) == ["u", "v"]


@pytest.mark.parametrize(
    ("by", "arguments", "error", "words"),
    [
        ("sit", {}, pb.ParameterError, "Did you mean 'site'"),
        ("site,site", {}, pb.ParameterError, "each attribute once"),
        ("many", {}, pb.InputError, "60 groups"),
        ("site", {"cuts": "equal-size:2"}, pb.ParameterError, "holds categories"),
        ("age", {"cuts": "equal-sise:2"}, pb.ParameterError, "'equal-size:4'"),
        ("age", {"cuts": 3}, pb.ParameterError, r"'equal-size:3'.*\[3\]"),
        ("age", {"cuts": [5, 3]}, pb.ParameterError, "must increase"),
        ("age", {"cuts": ["x"]}, pb.ParameterError, "must be numbers"),
        ("age", {"cuts": {"size": [3]}}, pb.ParameterError, "must cut attributes"),
    ],
)
def test_what_is_no_group_is_refused(by, arguments, error, words):
    """Each message names the argument, the rule and the remedy."""
    attributes = {
        "site": ["n", "s"] * 30,
        "age": np.arange(60.0),
        "many": [f"site {i}" for i in range(60)],
    }
    data = pb.Predictions.from_arrays([0, 1] * 30, [0.5] * 60, attributes=attributes)
    with pytest.raises(error, match=words):
        group_rows(data, by, **arguments)


# ------------------------------------------------------------------ bias


def test_bias_by_hand():
    """Two groups: means, bias and effective n."""
    data = pb.Predictions.from_arrays([1, 0, 1, 1], [0.5, 0.1, 0.25, 0.75], weight=[1, 3, 1, 1])
    low, high = biases(Events.of(data, None, "a test"), np.array([0, 0, 1, 1]), 2)
    assert low["mean_probability"] == pytest.approx(0.2)
    assert (low["outcome_share"], low["bias"]) == pytest.approx((0.25, 0.05))
    assert (low["n"], low["effective_n"]) == (2, pytest.approx(1.6))
    assert (high["outcome_share"], high["bias"]) == (1.0, 0.5)
    assert high["bias_low"] < 0.5 == pytest.approx(high["bias_high"])


def test_an_interval_of_useless_probabilities_is_wilsons():
    """Equal probabilities explain nothing, and the interval is the textbook's."""
    from statsmodels.stats.proportion import proportion_confint

    y = np.arange(40) < 7
    (row,) = biases(
        Events.of(pb.Predictions.from_arrays(y, [0.3] * 40), None, "a test"),
        np.zeros(40, int),
        1,
        level=0.9,
    )
    low, high = proportion_confint(7, 40, alpha=0.1, method="wilson")
    assert (row["bias_low"] + 0.3, row["bias_high"] + 0.3) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("truth", "n"),
    [
        (lambda p: p, 20),
        (lambda p: 0.5 + 0.2 * np.sign(p - 0.5), 100),
        (lambda p: p / 8, 50),
    ],
)
def test_the_interval_of_the_bias_covers_it(truth, n):
    """In 95 % of 400 tables, or more, also where probabilities are wrong or outcomes rare."""
    rng = np.random.default_rng(3)
    p = rng.beta(0.5, 0.5, (400, n))
    probability = truth(p)
    y = rng.random((400, n)) < probability
    prob = np.column_stack([1 - p.ravel(), p.ravel()])
    events = Events("a test", np.arange(400 * n), prob, y.ravel(), np.ones(400 * n), groups=None)
    result = biases(events, np.repeat(np.arange(400), n), 400)
    true = (probability - p).mean(axis=1)
    covered = [
        row["bias_low"] <= t <= row["bias_high"] for row, t in zip(result, true, strict=True)
    ]
    assert np.mean(covered) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400)


# ------------------------------------------------------------------ by attribute


def test_each_group_is_measured_and_tested_like_a_table_of_its_own():
    """Numbers of a group are those of its rows alone; the p-values are adjusted."""
    rng = np.random.default_rng(5)
    site = np.array(["a", "b", "c"]).repeat(100)
    shift = np.where(site == "b", -0.35, 0.0)
    data = table(rng, 300, truth=lambda p: np.clip(p + shift, 0, 1), site=site)
    result = calibration_by(data, "site", bins="equal-width:5")
    assert result.rejected == ["b"]
    assert [row["group"] for row in result.rows()] == ["a", "b", "c"]
    one = data.select(where=site == "b")
    error = pb.calibration_error(one, bins="equal-width:5")
    test = pb.calibration_test(one)
    row = result.rows()[1]
    assert (row["value"], row["null_mean"]) == (error.value, error.null_mean)
    assert row["excess"] == error.value - error.null_mean
    assert (row["p_value"], row["adjusted_p_value"]) == (test.p_value, 3 * test.p_value)
    assert row["bias"] == pytest.approx(one.actual.mean() - one.prob[:, 1].mean())
    assert row["bias_low"] < row["bias"] < row["bias_high"] < 0
    assert "'b'" in result.verdict
    assert result.to_frame("pandas")["n"].tolist() == [100] * 3
    assert "tests" not in result.to_dict()


def test_progress_of_groups_ends_at_the_whole(rng):
    """It never falls."""
    calls = []
    calibration_by(
        table(rng, 60, site=["n", "s"] * 30),
        "site",
        resamples=19,
        progress=lambda done, total: calls.append(done / total),
    )
    assert calls == sorted(calls)
    assert calls[-1] == 1.0


def test_another_test_may_be_asked(rng):
    """Its name is in the answer, and its p-values are those of calibration_test_by."""
    data = table(rng, 90, site=["n", "s", "t"] * 30)
    result = calibration_by(data, "site", statistic="cox", resamples=19, adjust=None)
    alone = pb.calibration_test_by(data, by="site", statistic="cox", resamples=19, adjust=None)
    assert result.statistic == "cox"
    assert [row["p_value"] for row in result.rows()] == [row["p_value"] for row in alone.rows()]
    assert result.verdict == alone.verdict


def test_models_are_no_groups(rng):
    """A name that is no attribute is refused, also where another function knows it."""
    with refused(pb.ParameterError, "unknown-name", argument="by"):
        calibration_by(table(rng, 60, site=["n", "s"] * 30), "class")


@pytest.mark.parametrize("view", ["classwise", "joint"])
def test_groups_are_seen_through_a_binary_view(rng, view):
    """A bias is of one event."""
    with refused(pb.ParameterError, "view-not-possible", "'one-vs-rest:CLASS'"):
        calibration_by(table(rng, 60, site=["n", "s"] * 30), "site", view=view)


# ------------------------------------------------------------------ the worst slice


def literal_slices(data, attributes, depth, least):
    """Yield name, rows and |z| of every slice, one at a time; the oracle of the search."""
    p = data.prob[:, data.positive].astype(float)
    y, w = data.actual == data.positive, data.mass
    parts = [grouping(data, name, usual="equal-size:4", few=4) for name in attributes]
    for d in range(depth + 1):
        for chosen in combinations(range(len(parts)), d):
            each = [Conditions.of(parts[a]) for a in chosen]
            for which in product(*(range(len(one.texts)) for one in each)):
                rows = np.ones(data.n, bool)
                for a, one, j in zip(chosen, each, which, strict=True):
                    rows &= np.isin(parts[a].code, np.flatnonzero(one.holds[j]))
                if np.count_nonzero(rows & (w > 0)) < least:
                    continue
                gap = (w * (y - p))[rows].sum()
                texts = [one.texts[j] for one, j in zip(each, which, strict=True)]
                z = gap / np.sqrt((w**2 * p * (1 - p))[rows].sum())
                yield " and ".join(texts) or "all rows", rows, z


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_search_is_that_of_a_loop_over_all_slices(rng, depth, weighted):
    """Number of slices, the worst ones, and which of them are near-duplicates."""
    n = 200
    weight = rng.integers(0, 4, n) if weighted else None
    data = table(
        rng,
        n,
        weight=weight,
        site=rng.choice(list("abc"), n),
        age=rng.integers(20, 80, n),
        dose=np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    )
    result = worst_slice(data, depth=depth, least=15, top=6, resamples=19)
    slices = list(literal_slices(data, ("site", "age", "dose"), depth, 15))
    assert result.searched == len(slices)
    kept = []
    for name, rows, z in sorted(slices, key=lambda one: -round(abs(one[2]), 10)):
        rows = rows & (data.mass > 0)
        if all((rows & r).sum() / (rows | r).sum() <= 0.8 for _, r, _ in kept):
            kept.append((name, rows, z))
    assert [row["slice"] for row in result.rows()] == [name for name, _, _ in kept[:6]]
    assert [row["z"] for row in result.rows()] == pytest.approx([z for _, _, z in kept[:6]])
    assert [row["n"] for row in result.rows()] == [rows.sum() for _, rows, _ in kept[:6]]
    assert result.value == abs(result.rows()[0]["z"])


def test_a_grouping_says_whether_it_was_cut():
    """A number of many values is cut, one of few only if it is asked to be, a category never."""
    columns = {
        "age": np.arange(12.0),
        "few": [1, 2, 3] * 4,
        "site": ["a", "b"] * 6,
        "none": [None] * 11 + [1.0],
    }
    data = pb.Predictions.from_arrays([0, 1] * 6, [0.5] * 12, attributes=columns)
    result = [grouping(data, name) for name in columns]
    assert [one.cut for one in result] == [True, False, False, False]
    assert [one.number for one in result] == [True, True, False, True]
    assert grouping(data, "few", cut="edges:2").cut


def test_unions_of_neighbouring_groups_are_searched():
    """A number of four groups has nine conditions, one with a missing group ten."""
    names = ("[0, 1]", "(1, 2]", "(2, 3]", "(3, 4]")
    assert Conditions.of(Grouping("x", names, np.zeros(1, int), number=True, cut=True)).texts == (
        "x in [0, 1]",
        "x in (1, 2]",
        "x in (2, 3]",
        "x in (3, 4]",
        "x in [0, 2]",
        "x in (1, 3]",
        "x in (2, 4]",
        "x in [0, 3]",
        "x in (1, 4]",
    )
    more = Conditions.of(
        Grouping("x", (*names, "missing"), np.zeros(1, int), number=True, cut=True)
    )
    assert len(more.texts) == 10
    assert more.holds[:, 4].tolist() == [text == "x missing" for text in more.texts]
    letters = Grouping("x", ("a", "b", "c"), np.zeros(1, int), number=False, cut=False)
    assert len(Conditions.of(letters).texts) == 3


def test_a_planted_slice_is_found():
    """Conditions, direction and p-value."""
    rng = np.random.default_rng(8)
    n = 1500
    site, age = rng.choice(list("abcd"), n), rng.integers(20, 80, n)
    bad = (site == "c") & (age > 50)
    data = table(
        rng,
        n,
        truth=lambda p: np.where(bad, p * 0.55, p),
        site=site,
        age=age,
        noise=rng.normal(size=n),
    )
    result = worst_slice(data, resamples=199)
    worst = result.rows()[0]
    assert "site = c" in worst["slice"]
    assert "age in" in worst["slice"]
    assert worst["z"] < 0 > worst["bias"]
    assert result.p_value == worst["adjusted_p_value"] == 1 / 200
    assert worst["slice"] in result.verdict


def test_the_search_keeps_its_level():
    """Of 200 calibrated tables 5 % are rejected, within three standard errors."""
    rng = np.random.default_rng(12)
    rejected = [
        worst_slice(
            table(rng, 60, site=rng.choice(list("ab"), 60), age=rng.integers(0, 50, 60)),
            resamples=19,
            least=10,
            top=1,
            rng=seed,
            workers=1,
        ).p_value
        <= 0.05
        for seed in range(200)
    ]
    assert abs(np.mean(rejected) - 0.05) <= 3 * np.sqrt(0.05 * 0.95 / 200)


def test_repeated_rows_have_the_sums_of_weights(rng):
    """The z of rows of weight 2 is sqrt(2) smaller than of rows twice; means are the same."""
    data = table(rng, 120, weight=np.full(120, 2), site=rng.choice(list("ab"), 120))
    heavy = worst_slice(data, resamples=19).rows()
    twice = worst_slice(repeated(data, 2), resamples=19, least=40).rows()
    assert [row["slice"] for row in heavy] == [row["slice"] for row in twice]
    for name, factor in (("bias", 1.0), ("outcome_share", 1.0), ("z", np.sqrt(2.0))):
        assert [row[name] * factor for row in heavy] == pytest.approx([row[name] for row in twice])


def test_the_order_of_rows_does_not_matter(rng):
    """Slices and z are the same."""
    data = table(rng, 200, site=rng.choice(list("abc"), 200), age=rng.integers(0, 90, 200))
    mixed = data.select(where=rng.permutation(200))
    one, other = (worst_slice(part, resamples=19).rows() for part in (data, mixed))
    assert [row["slice"] for row in one] == [row["slice"] for row in other]
    assert [row["z"] for row in one] == pytest.approx([row["z"] for row in other])


def test_each_class_is_searched(rng):
    """The class that is off is named, with the z of its own one-vs-rest search."""
    n = 600
    prob = rng.dirichlet(np.ones(3), n)
    site = rng.choice(list("ab"), n)
    wrong = np.where((site == "b")[:, None], prob[:, [0, 2, 1]] * [1, 0.5, 1.5], prob)
    wrong /= wrong.sum(axis=1, keepdims=True)
    y = (wrong.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, 2)
    names = np.array(["x", "y", "z"])
    data = pb.Predictions.from_arrays(names[y], prob, classes=names, attributes={"site": site})
    result = worst_slice(data, view="classwise", resamples=99)
    alone = [worst_slice(data, view=f"one-vs-rest:{c}", resamples=19) for c in data.classes]
    assert result.searched == sum(one.searched for one in alone) == 9
    assert result.value == pytest.approx(max(one.value for one in alone))
    assert result.rows()[0]["class"] in "yz"
    assert f"class {result.rows()[0]['class']!r}" in result.verdict


def test_the_impossible_is_infinitely_bad():
    """An outcome of probability 0 in a slice that was sure cannot come by chance."""
    site = ["a"] * 30 + ["b"] * 30
    y = [0] * 29 + [1] + [0, 1] * 15
    p = [0.0] * 30 + [0.5] * 30
    data = pb.Predictions.from_arrays(y, p, attributes={"site": site})
    result = worst_slice(data, resamples=99)
    assert result.rows()[0]["slice"] == "site = a"
    assert result.value == np.inf
    assert result.p_value == 0.01


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"by": "constant"}, pb.InputError, ("no-slices",)),
        ({"by": "many"}, pb.InputError, ("no-slices", "60", "50")),
        ({"by": "sitte"}, pb.ParameterError, ("unknown-name", "`by`", "'site'")),
        ({"depth": 0}, pb.ParameterError, ("no-whole-number", "`depth`")),
        ({"least": 61}, pb.ParameterError, ("out-of-range", "smaller `least`")),
        ({"view": "classwise"}, pb.ParameterError, ("view-not-possible",)),
        ({"view": "joint"}, pb.ParameterError, ("view-not-possible", "'top-label'")),
    ],
)
def test_what_cannot_be_searched_is_refused(rng, arguments, error, words):
    """Each message names the rule."""
    data = table(
        rng, 60, site=["n", "s"] * 30, constant=["x"] * 60, many=[f"m{i}" for i in range(60)]
    )
    with refused(error, *words):
        worst_slice(data, **arguments)


def test_attributes_that_cannot_be_searched_are_named(rng):
    """Without `by` they are left out, with the reason."""
    data = table(
        rng, 60, site=["n", "s"] * 30, constant=["x"] * 60, many=[f"m{i}" for i in range(60)]
    )
    result = worst_slice(data, resamples=19)
    assert result.by == ("site",)
    assert [text.partition(":")[0] for text in result.skipped] == ["constant", "many"]
    assert result.skipped[1].endswith("an id")
    with refused(pb.InputError, "no-slices"):
        worst_slice(table(rng, 60), resamples=19)


# ------------------------------------------------------------------ along a feature


def test_conditional_bias_by_hand():
    """Means and bias of each bin; missing values apart."""
    data = pb.Predictions.from_arrays(
        [1, 0, 1, 1, 0],
        [0.5, 0.25, 0.5, 0.75, 0.25],
        weight=[1, 1, 2, 2, 1],
        attributes={"age": [20.0, 30.0, 40.0, 50.0, np.nan]},
    )
    result = conditional_bias(data, "age", cuts=[35], resamples=99)
    young, old, missing = result.rows()
    assert (young["group"], young["feature_mean"], young["bias"]) == ("<= 35", 25.0, 0.125)
    assert (old["group"], old["feature_mean"], old["bias"]) == ("> 35", 45.0, 0.375)
    assert (missing["group"], missing["feature_mean"], missing["bias"]) == ("missing", None, -0.25)
    assert old["band_low"] == -0.625
    assert old["band_high"] == 0.375
    z = [0.25, 1.5, -0.25] / np.sqrt([0.4375, 4 * 0.4375, 0.1875])
    assert result.models[0]["value"] == pytest.approx(np.abs(z).max())


def test_the_band_holds_true_probabilities_and_the_level_is_kept():
    """Of 150 calibrated tables 5 % are rejected; of their bins 95 % are inside the band."""
    rng = np.random.default_rng(2)
    inside, rejected = [], []
    for seed in range(150):
        data = table(rng, 120, age=rng.integers(0, 40, 120))
        result = conditional_bias(
            data, "age", cuts="equal-size:4", resamples=99, rng=seed, workers=1
        )
        inside += [row["band_low"] <= row["bias"] <= row["band_high"] for row in result.rows()]
        rejected.append(result.models[0]["p_value"] <= 0.05)
    assert np.mean(inside) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 600)
    assert abs(np.mean(rejected) - 0.05) <= 3 * np.sqrt(0.95 * 0.05 / 150)


def test_models_are_cut_alike_and_answered_apart(rng):
    """Every model has its rows of each bin; the bins are those of the whole table."""
    one = table(rng, 80, age=rng.integers(0, 90, 80))
    worse = np.clip(one.prob[:, 1] * 0.4, 0.0, 1.0)
    data = pb.Predictions.from_arrays(
        np.tile(one.actual, 2),
        np.r_[one.prob[:, 1], worse],
        model=["good"] * 80 + ["bad"] * 80,
        row=np.tile(np.arange(80), 2),
        attributes={"age": np.tile(one.attributes["age"], 2)},
    )
    result = conditional_bias(data, "age", cuts="equal-size:3", resamples=99)
    assert [row["model"] for row in result.models] == ["good", "bad"]
    assert [row["p_value"] <= 0.05 for row in result.models] == [False, True]
    bad, good = (
        [(row["group"], row["n"]) for row in result.rows() if row["model"] == model]
        for model in ("bad", "good")
    )
    assert bad == good
    assert "too low" in result.models[1]["verdict"]
    assert "'bad' (" in result.verdict


def test_the_bias_of_one_model_has_its_verdict(rng):
    """Where one model was asked, its sentence is that of the result."""
    result = conditional_bias(table(rng, 60, age=rng.integers(0, 90, 60)), "age", resamples=19)
    assert result.verdict == result.models[0]["verdict"]


# ------------------------------------------------------------------ classes by score bins


def test_heat_map_against_one_class_at_a_time(rng):
    """Cells are the bins of each one-vs-rest view, errors their ECE."""
    prob = rng.dirichlet(np.ones(4), 300)
    y = rng.integers(0, 4, 300)
    weight = rng.integers(0, 3, 300)
    data = pb.Predictions.from_arrays(
        np.array(list("abcd"))[y], prob, classes=list("abcd"), weight=weight
    )
    result = class_heat_map(data, bins="equal-width:5", resamples=99)
    errors = {row["class"]: row["error"] for row in result.classes}
    assert list(errors.values()) == sorted(errors.values(), reverse=True)
    for place, row in enumerate(result.classes):
        alone = pb.calibration_error(
            data, view=f"one-vs-rest:{row['class']}", bins="equal-width:5", resamples=0
        )
        assert row["error"] == pytest.approx(alone.value)
        cells = [cell for cell in result.rows() if cell["class"] == row["class"]]
        keys = ("lo", "hi", "weight", "mean_probability", "outcome_share")
        assert [[cell[k] for k in keys] for cell in cells] == pytest.approx(
            np.array([[one[k] for k in keys] for one in alone.bins])
        )
        gaps = [one["outcome_share"] - one["mean_probability"] for one in alone.bins]
        assert result.gap[place][result.count[place] > 0] == pytest.approx(gaps)
    plain = class_heat_map(data, bins="equal-width:5", resamples=99, order="class")
    assert [row["class"] for row in plain.classes] == list("abcd")
    for values in (result.edges, result.gap, result.z, result.count):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0.0


def test_heat_map_z_by_hand():
    """The gap of the sums over its standard deviation."""
    p = [[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1]]
    data = pb.Predictions.from_arrays([0, 1, 1], p, weight=[1, 2, 1])
    result = class_heat_map(data, bins="equal-width:2", order="class", resamples=19)
    first = result.rows()[1]
    assert (first["class"], first["lo"], first["count"], first["weight"]) == ("0", 0.5, 2, 3.0)
    assert first["gap"] == pytest.approx(1 / 3 - 2.0 / 3)
    assert first["z"] == pytest.approx((1 - 2.0) / np.sqrt(0.16 + 4 * 0.24))


def test_only_the_classes_that_are_off_are_rejected():
    """Two classes swapped among twenty; the draws suffice for Holm's adjustment."""
    rng = np.random.default_rng(4)
    prob = rng.dirichlet(np.full(20, 0.2), 1500)
    y = (prob.cumsum(axis=1) < rng.random((1500, 1))).sum(axis=1).clip(0, 19)
    shifted = prob.copy()
    shifted[:, [3, 7]] = prob[:, [7, 3]]
    result = class_heat_map(pb.Predictions.from_arrays(y, shifted, classes=range(20)))
    assert sorted(result.rejected) == ["3", "7"]
    assert [row["class"] for row in result.classes[:2]] in (["3", "7"], ["7", "3"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"bins": "one-per-point"}, ("bins-without-edges", "`bins`")),
        ({"bins": "equal-width:40000"}, ("too-many-cells", "`bins`", "120,000 cells")),
        ({"order": "size"}, ("unknown-name", "`order`")),
        ({"adjust": "bonferroni"}, ("unknown-name", "`adjust`")),
        ({"resamples": 0}, ("no-whole-number", "`resamples`")),
    ],
)
def test_what_is_no_heat_map_is_refused(rng, arguments, words):
    """Each message names the rule."""
    data = pb.Predictions.from_arrays(rng.integers(0, 3, 30), rng.dirichlet(np.ones(3), 30))
    with refused(pb.ParameterError, *words):
        class_heat_map(data, **arguments)


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: pb.worst_slice(data, by="site"),
        lambda data: pb.calibration_by(data, by="site"),
        lambda data: pb.calibration_test_by(data, by="site"),
        lambda data: pb.calibration_heterogeneity(data, by="site"),
        lambda data: pb.class_heat_map(data),
    ],
)
def test_groups_are_of_one_model(ask):
    """Rows of two models are never taken for one sample."""
    two = {"model": ["a"] * 60 + ["b"] * 60, "attributes": {"site": ["x", "y"] * 60}}
    data = pb.Predictions.from_arrays([0, 1, 1, 0] * 30, [0.2, 0.7, 0.6, 0.3] * 30, **two)
    with pytest.raises(pb.InputError, match="takes one model"):
        ask(data)
