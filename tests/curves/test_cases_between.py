import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loans import loans
from scipy import stats

from laws import examples
from plumbline.curves import cases_between
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.predictions import Predictions
from refusals import refused
from strategies import binary_tables


def by_attribute(result):
    """Return the differences by name."""
    return {one["attribute"]: one for one in result.differing}


def table(n=60, seed=3, **others):
    """Return rows with a number, a category, a truth and an attribute that has one value."""
    rng = np.random.default_rng(seed)
    prob = rng.random(n).round(2)
    attributes = {
        "age": 20 + 50 * prob + rng.normal(size=n),
        "town": np.where(rng.random(n) < prob, "east", "west"),
        "vip": rng.random(n) < 0.3,
        "same": np.ones(n),
    }
    return Predictions.from_arrays(rng.random(n) < prob, prob, attributes=attributes, **others)


# ------------------------------------------------------------------ which rows


@settings(max_examples=examples(40))
@given(binary_tables(), st.integers(0, 63), st.integers(1, 64))
def test_the_cases_are_those_between_the_thresholds(columns, start, width):
    """Low <= sort value < high, the highest first and ties in row order, in every column."""
    low, high = start / 64, (start + width) / 64
    result = cases_between(columns.predictions(), low=low, high=high)
    numbers = [i for i in range(columns.n) if low <= columns.score[i] < high]
    wanted = sorted(numbers, key=lambda i: -columns.score[i])
    assert result.numbers.tolist() == wanted
    assert [case["number"] for case in result.cases] == wanted
    assert [case["probability"] for case in result.cases] == columns.score[wanted].tolist()
    assert [case["actual"] for case in result.cases] == [str(e) for e in columns.event[wanted]]
    assert [case["predicted"] for case in result.cases] == [
        str(int(s >= 0.5)) for s in columns.score[wanted]
    ]
    assert result.weight == columns.weight[wanted].sum()
    inside = {
        c: columns.weight[[i for i in wanted if columns.event[i] == int(c)]].sum() for c in "01"
    }
    assert result.inside == inside
    both = {c: result.inside[c] + result.outside[c] for c in "01"}
    assert both == {c: columns.weight[columns.event == int(c)].sum() for c in "01"}
    assert (result.reason is None) == bool(wanted)
    kept = columns.weight > 0
    rows = {c: sum(columns.event[wanted] == int(c)) for c in "01"}
    assert result.rows_inside == rows
    every = {c: (columns.event[kept] == int(c)).sum() for c in "01"}
    assert {c: rows[c] + result.rows_outside[c] for c in "01"} == every


def test_neighbouring_bands_share_no_row_and_all_bands_hold_all_rows():
    """Cut anywhere, every row is in one band."""
    data = loans(100)
    parts = [
        cases_between(data, low=a, high=b).numbers.tolist()
        for a, b in ((-math.inf, 0.3), (0.3, 0.7), (0.7, math.inf))
    ]
    assert sorted(sum(parts, [])) == list(range(100))  # noqa: RUF017
    assert cases_between(data).n == 100


def test_infinite_ratings_are_below_infinity_too():
    """A band without an upper end holds whatever is above its lower one."""
    data = Predictions.from_arrays([0, 1, 1], score=[-3.0, 2.0, 1e308])
    result = cases_between(data, low=0, sort_by="score * 10")
    assert result.numbers.tolist() == [2, 1]


def test_other_sort_values_filters_and_targets():
    """By an attribute, a formula, among some rows, for another class."""
    data = loans(200)
    amount, purpose = data.attributes["amount_requested"], data.attributes["purpose"]
    result = cases_between(
        data, low=50, high=80, sort_by="amount_requested", where="purpose == 'car'"
    )
    assert (
        sorted(result.numbers)
        == np.flatnonzero((amount >= 50) & (amount < 80) & (purpose == "car")).tolist()
    )
    assert [case["amount_requested"] for case in result.cases] == amount[result.numbers].tolist()
    assert sum(result.inside.values()) + sum(result.outside.values()) == (purpose == "car").sum()
    twice = cases_between(
        data, low=100, high=160, sort_by="amount_requested * param('k', 1)", params={"k": 2}
    )
    assert sorted(twice.numbers) == np.flatnonzero((amount >= 50) & (amount < 80)).tolist()
    other = cases_between(data, low=0.6, target="no")
    assert sorted(other.numbers) == np.flatnonzero(data.prob[:, 0] >= 0.6).tolist()
    assert other.target == "no"


def test_rows_without_a_sort_value_are_outside():
    """They are counted and said."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.1, 0.5, 0.9], attributes={"age": [1.0, np.nan, 3.0]}
    )
    result = cases_between(data, sort_by="age")
    assert result.numbers.tolist() == [2, 0]
    assert result.outside == {"0": 0.0, "1": 1.0}
    assert result.notes[0].code == "missing-sort-values"
    assert "`age`" in result.notes[0]


def test_a_list_can_be_cut_and_selected():
    """`most` cuts the list, not the counts; `select` gives all of the rows."""
    data = table()
    result = cases_between(data, low=0.3, high=0.7, most=2)
    assert len(result.cases) == 2
    assert result.n == len(result.numbers) > 2
    chosen = result.select(data)
    np.testing.assert_array_equal(chosen.prob, data.prob[result.numbers])
    assert result.to_frame().num_rows == 2
    nothing = cases_between(data, low=2, high=3)
    assert nothing.n == 0
    for fact in ("`probability`", "2 to 3"):
        assert fact in nothing.reason
    with refused(InputError, "no-cases", nothing.reason):
        nothing.select(data)


def test_a_case_has_all_columns_and_none_hides_another():
    """Identity, fold, weight, attributes; one with the name of another column in back-ticks."""
    data = Predictions.from_arrays(
        [0, 1],
        [0.2, 0.8],
        row=["a", "b"],
        fold=[1, 2],
        repeat=[1, 1],
        weight=[1, 3],
        attributes={
            "number": [7, 8],
            "day": np.array(["2020-01-02", "NaT"], "M8[D]"),
            "name": ["x", None],
        },
    )
    first, second = cases_between(data).cases
    assert first == {
        "number": 1,
        "row": "b",
        "weight": 3.0,
        "repeat": "1",
        "fold": "2",
        "actual": "1",
        "predicted": "1",
        "probability": 0.8,
        "`number`": 8,
        "day": None,
        "name": None,
    }
    assert (second["day"], second["`number`"], second["row"]) == ("2020-01-02", 7, "a")


# ------------------------------------------------------------------ what differs


def test_numbers_are_compared_as_by_scipy():
    """Means, medians, standardised difference, and the test of Mann and Whitney."""
    data = table()
    inside = (data.prob[:, 1] >= 0.4) & (data.prob[:, 1] < 0.8)
    result = by_attribute(cases_between(data, low=0.4, high=0.8))["age"]
    a, b = data.attributes["age"][inside], data.attributes["age"][~inside]
    assert result["inside"] == pytest.approx(a.mean())
    assert result["outside"] == pytest.approx(b.mean())
    assert result["median_inside"] == pytest.approx(np.median(a))
    assert result["median_outside"] == pytest.approx(np.median(b))
    pooled = math.sqrt((a.var() + b.var()) / 2)
    assert result["difference"] == pytest.approx((a.mean() - b.mean()) / pooled)
    assert result["effect"] == abs(result["difference"])
    assert result["p_value"] == stats.mannwhitneyu(a, b).pvalue
    assert result["missing"] == [0, 0]


def test_categories_are_compared_as_by_scipy():
    """Shares of the most over-represented one, Cramér's V, and Pearson's chi-square."""
    data = loans(300)
    prob, history = data.prob[:, 1], data.attributes["history"]
    inside = prob >= 0.6
    result = by_attribute(cases_between(data, low=0.6))["history"]
    names = sorted(set(history.tolist()))
    counts = np.array(
        [[np.sum(history[side] == name) for name in names] for side in (inside, ~inside)]
    )
    shares = counts / counts.sum(axis=1, keepdims=True)
    top = int((shares[0] - shares[1]).argmax())
    assert (result["value"], result["inside"], result["outside"]) == (
        names[top],
        pytest.approx(shares[0, top]),
        pytest.approx(shares[1, top]),
    )
    assert result["difference"] == pytest.approx(stats.contingency.association(counts, "cramer"))
    assert result["p_value"] == pytest.approx(
        stats.chi2_contingency(counts, correction=False).pvalue
    )


def test_p_values_are_adjusted_over_all_attributes():
    """By Benjamini and Hochberg, over those that have one."""
    result = cases_between(loans(300), low=0.3, high=0.6).differing
    wanted = stats.false_discovery_control([one["p_value"] for one in result])
    assert [one["p_adjusted"] for one in result] == pytest.approx(wanted.tolist())
    effects = [one["effect"] for one in result]
    assert effects == sorted(effects, reverse=True)


def test_an_effect_of_a_two_valued_category_is_that_of_its_number():
    """2 V / sqrt(1 - V^2) of a category is the standardised difference of the same as 0 and 1."""
    prob = np.repeat([0.2, 0.8], 200)
    truth = np.arange(400) % np.where(prob < 0.5, 5, 2) == 0
    data = Predictions.from_arrays(
        truth,
        prob,
        attributes={"text": np.where(truth, "yes", "no"), "number": truth.astype(float)},
    )
    result = by_attribute(cases_between(data, low=0.5))
    assert result["text"]["effect"] == pytest.approx(result["number"]["effect"], rel=0.01)
    assert result["text"]["value"] == "yes"


def test_a_perfect_split_has_a_finite_effect_and_comes_first():
    """A category that says it all."""
    data = Predictions.from_arrays(
        [0, 1] * 20,
        np.repeat([0.2, 0.8], 20),
        attributes={"noise": np.arange(40) % 3, "side": ["l"] * 20 + ["r"] * 20},
    )
    result = cases_between(data, low=0.5)
    assert result.differing[0]["attribute"] == "side"
    assert result.differing[0]["difference"] == 1
    assert math.isfinite(result.differing[0]["effect"])


def test_what_cannot_be_tested_says_why_and_comes_last():
    """One value, too few rows, missing and infinite values."""
    data = table()
    result = cases_between(data, low=0.4, high=0.8)
    same = by_attribute(result)["same"]
    assert math.isnan(same["p_value"])
    assert same["reason"]
    assert (same["difference"], same["effect"]) == (0, 0)
    few = cases_between(data, low=data.prob[:, 1].max())
    assert few.n < 5
    (why,) = {one["reason"] for one in few.differing}
    assert "5 rows" in why
    assert why != same["reason"]
    assert all(math.isnan(one["p_adjusted"]) for one in few.differing)
    assert "5 rows" in repr(few)
    gaps = Predictions.from_arrays(
        [0, 1] * 10,
        np.arange(20) / 20,
        attributes={
            "a": [np.nan, np.inf] * 5 + [1.0] * 4 + [2.0] * 6,
            "b": [None, "x"] * 10,
            "none": [np.nan] * 20,
        },
    )
    result = by_attribute(cases_between(gaps, low=0.5))
    assert result["a"]["missing"] == [0, 10]
    assert math.isnan(result["a"]["effect"])
    assert result["b"]["missing"] == [5, 5]
    assert result["b"]["value"] == "x"
    assert math.isnan(result["none"]["inside"])


@settings(max_examples=examples(25))
@given(binary_tables(least=4), st.integers(0, 3))
def test_weight_is_repetition_in_all_but_p_values(columns, seed):
    """Means, medians, shares and effects are those of every row given w times."""
    rng = np.random.default_rng(seed)
    number, text = (
        rng.integers(0, 4, columns.n) / 2,
        np.array(list("abc"))[rng.integers(0, 3, columns.n)],
    )
    weighted = Predictions.from_arrays(
        columns.event,
        columns.score,
        weight=columns.weight,
        attributes={"number": number, "text": text},
    )
    again = np.repeat(np.arange(columns.n), columns.weight)
    repeated = Predictions.from_arrays(
        columns.event[again],
        columns.score[again],
        attributes={"number": number[again], "text": text[again]},
    )
    a, b = (by_attribute(cases_between(d, low=0.3, high=0.8)) for d in (weighted, repeated))
    for name in a:
        for key in ("inside", "outside", "median_inside", "median_outside", "difference", "effect"):
            if key in a[name]:
                assert a[name][key] == pytest.approx(b[name][key], rel=1e-9, abs=1e-9, nan_ok=True)
        assert a[name]["value"] == b[name]["value"] or a[name]["difference"] < 1e-6


def test_p_values_are_uniform_where_nothing_differs():
    """An attribute that has nothing to do with the sort value is significant one time in twenty."""
    p_values = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        data = Predictions.from_arrays(
            rng.integers(0, 2, 80),
            rng.random(80),
            attributes={"number": rng.normal(size=80), "text": rng.choice(list("ab"), 80)},
        )
        result = by_attribute(cases_between(data, low=0.5))
        p_values.append([result["number"]["p_value"], result["text"]["p_value"]])
    rejected = (np.array(p_values) <= 0.05).mean(axis=0)
    error = math.sqrt(0.05 * 0.95 / 200)
    assert (np.abs(rejected - 0.05) < 3 * error).all()


def test_notes_say_what_a_difference_is_worth():
    """Looked for after the fact; weights; repeats."""
    data = table(
        weight=np.full(60, 2.0), row=np.tile(np.arange(30), 2), repeat=np.repeat([0, 1], 30)
    )
    notes = cases_between(data, low=0.4, high=0.8).notes
    assert [note.code for note in notes] == ["hints-only", "weights", "repeats"]
    assert notes[0].startswith("3 attributes ")


# ------------------------------------------------------------------ refusals and shapes


def test_arguments_outside_their_rules_are_refused():
    """Each by name."""
    data = loans(30)
    with refused(ParameterError, "bounds-crossed", 0.5, argument="low"):
        cases_between(data, low=0.5, high=0.5)
    with pytest.raises(ParameterError, check=lambda e: e.argument == "low"):
        cases_between(data, low=math.nan)
    with pytest.raises(ParameterError, check=lambda e: e.argument == "high"):
        cases_between(data, high="much")
    with pytest.raises(ParameterError, match="most"):
        cases_between(data, most=-1)
    with refused(ParameterError, "category-as-number", "'purpose'", argument="sort_by"):
        cases_between(data, sort_by="purpose")
    with refused(FormulaError, "unknown-variable") as unknown:
        cases_between(data, sort_by="incomes")
    assert unknown.value.near == "income"
    with pytest.raises(InputError, match="one model"):
        cases_between(loans(30, models=["careful", "hasty"]))
    with pytest.raises(ParameterError, match="Predictions"):
        cases_between([1, 2])


def test_the_result_is_plain_python_and_readable():
    """JSON takes it, with dates and missing values in it."""
    data = Predictions.from_arrays(
        [0, 1] * 10,
        np.arange(20) / 20,
        attributes={
            "day": np.arange("2020-01-01", "2020-01-21", dtype="M8[D]"),
            "text": ["a", None] * 10,
            "x": np.where(np.arange(20) < 3, np.nan, 1.5),
        },
    )
    result = cases_between(data, low=0.5)
    fields = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert fields["cases"][0]["day"] == "2020-01-20"
    assert "numbers" not in fields
    assert "day  " in repr(result)
    assert result.to_frame("pandas").shape == (10, 7)
