"""Dates in formulas: a quoted day beside an attribute that holds dates."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws import examples
from plumbline import Predictions, best_threshold, cases_between, curve
from plumbline.curves import Vocabulary
from plumbline.curves.target_rows import rows_of
from plumbline.errors import FormulaError
from plumbline.formula import read_formula
from refusals import refused

DAYS = ["2024-01-01T08:15", "2024-01-01T22:40", "2024-01-02T00:00", "NaT", "1969-12-31T23:59"]
TEXT_DAYS = ["01.01.2024", "02.01.2024", "02.01.2024", None, "31.12.1969"]


def table(moments=DAYS):
    """Rows with a date, a text that reads like one, and a number."""
    n = len(moments)
    values = np.array(moments, "datetime64[us]")
    attributes = {
        "booked on": values,
        "day": values.astype("datetime64[D]"),
        "age": np.arange(n) + 0.5,
    }
    if moments is DAYS:
        attributes["told"] = np.array(TEXT_DAYS, object)
    return Predictions.from_arrays(
        [0, 1, 1, 0, 1][:n], np.linspace(0.1, 0.9, n), attributes=attributes
    )


def kept(where, data=None):
    """Return the numbers of the rows that a filter keeps."""
    result = cases_between(table() if data is None else data, sort_by="1", where=where)
    return sorted(result.numbers.tolist())


def error_of(where):
    """Return the error of a formula."""
    data = table()
    with pytest.raises(FormulaError) as caught:
        read_formula(where, Vocabulary(rows_of(data, 1)))
    return caught.value


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ('`booked on` == "2024-01-01"', [0, 1]),
        ('"2024-01-01" == `booked on`', [0, 1]),
        ('`booked on` != "2024-01-01"', [2, 4]),
        ('`booked on` <= "2024-01-01"', [0, 1, 4]),
        ('`booked on` > "2024-01-01"', [2]),
        ('`booked on` >= "2024-01-01"', [0, 1, 2]),
        ('`booked on` < "2024-01-01"', [4]),
        ('"2024-01-01" > `booked on`', [4]),
        ('"2024-01-01" <= `booked on` < "2024-01-02"', [0, 1]),
        ('`booked on` >= "2024-01-01 22:40"', [1, 2]),
        ('`booked on` == "2024-01-01T22:40:00"', [1]),
        ('`booked on` > "2024-01-01T22:39:59.5"', [1, 2]),
        ('booked_on == "1969-12-31"', [4]),
        ('`booked on` in ("2024-01-02", "1969-12-31")', [2, 4]),
        ('not (`booked on` == "2024-01-01") and age < 4', [2]),
        ("day == '2024-01-02'", [2]),
    ],
)
def test_a_quoted_day_is_that_day(where, rows):
    """A day without a time is the whole day, and a missing date is on no side of it."""
    assert kept(where) == rows


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.integers(-(10**14), 4 * 10**15), min_size=2, max_size=5),
    st.dates(),
    st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
)
def test_a_day_equals_its_number(moments, day, sign):
    """Comparing with a day is comparing the whole days since 1970; with a midnight, the days."""
    data = table(np.array(moments, "datetime64[us]"))
    known = Vocabulary(rows_of(data, 1))
    number = int(np.datetime64(day, "D").astype(int))

    def holds(text):
        from plumbline.curves import CurveSettings, recipe_of
        from plumbline.curves.recipe import sweep_of

        rows = rows_of(data, 1)
        sweep = sweep_of(rows, recipe_of(rows, CurveSettings("threshold", "threshold")))
        return read_formula(text, known).compute(sweep).tolist()

    assert holds(f'day {sign} "{day}"') == holds(f"day {sign} {number}")
    whole_days = f"floor(booked_on) {sign} {number}"
    assert holds(f'booked_on {sign} "{day}"') == holds(whole_days)
    assert holds(f'booked_on {sign} "{day} 00:00"') == holds(f"booked_on {sign} {number}")


@pytest.mark.parametrize(
    ("text", "code", "fact", "place"),
    [
        ("day >= 'yesterday'", "no-date", '"2024-01-31"', "'yesterday'"),
        ("day == '01.02.2024'", "no-date", "'01.02.2024'", "'01.02.2024'"),
        ("day == '2024-1-2'", "no-date", '"2024-01-31"', "'2024-1-2'"),
        ("day < '2024-02-30'", "no-date", "'2024-02-30'", "'2024-02-30'"),
        ("day < '2024-02-03 25:00'", "no-date", "", "'2024-02-03 25:00'"),
        ("day < '2024-02-03T10:00Z'", "no-date", "", "'2024-02-03T10:00Z'"),
        ("age < '2024-02-03'", "text-not-comparable", "`age`", "age < '2024-02-03'"),
        ("age == '2024-02-03'", "text-not-comparable", "", "age == '2024-02-03'"),
        ("told < '2024-02-03'", "category-as-number", "`told`", "told"),
        (
            "floor(day) < '2024-02-03'",
            "text-not-comparable",
            "`floor(day)`",
            "floor(day) < '2024-02-03'",
        ),
        ("'2024-02-03' < '2024-02-04'", "text-not-comparable", "", "'2024-02-03'"),
        ("day + '2024-02-03'", "text-not-comparable", "", "'2024-02-03'"),
    ],
)
def test_what_is_no_day_is_refused(text, code, fact, place):
    """Another text beside a date, and a day beside what is none, teach the form."""
    error = error_of(text)
    assert error.code == code
    assert fact in error.message
    assert text[error.start : error.end] == place


def test_differences_of_dates_are_reported_as_days():
    """An attribute that holds dates is marked, and its means are printed as days."""
    result = cases_between(table(), low=0.6)
    entry = {one["attribute"]: one for one in result.differing}
    assert [entry[name]["date"] for name in ("booked on", "day", "age", "told")] == [
        True,
        True,
        False,
        False,
    ]
    assert re.search(r"booked on +1969-12-31 +2024-01-01", str(result))


def missing_ages():
    """Rows of which every tenth has no age."""
    n = 60
    age = np.where(np.arange(n) % 10 == 0, np.nan, np.arange(n, dtype=float))
    return Predictions.from_arrays(
        np.arange(n) % 2, np.arange(n) / n, attributes={"age": age, "fee": age}
    )


@pytest.mark.parametrize("text", ["mean(age)", "total(age)", "quantile(age, 0.5)"])
def test_an_undefined_value_of_all_rows_names_its_remedy(text):
    """The reason counts the missing values, and the filter that it names defines the value."""
    data = missing_ages()
    reason = curve(data, x="FPR", y=text).lines[0].reason
    for fact in ("`age`", "6 of 60", f"`{text}`"):
        assert fact in reason
    remedy = reason.split('the filter "')[1].split('"')[0]
    assert np.isfinite(curve(data, x="FPR", y=text, where=remedy).lines[0].y).all()
    if text.startswith("total"):
        zero = reason.split("count them as 0: ")[1]
        assert curve(data, x="FPR", y=zero).lines[0].y[0] == np.nansum(data.attributes["age"])


def test_one_value_for_all_rows_is_no_optimum():
    """A constant is refused as one; an undefined one is called undefined, with the reason."""
    data = missing_ages()
    with refused(FormulaError, "value-of-all-rows", "`P / NN`"):
        best_threshold(data, "P / NN", resamples=20)
    with refused(FormulaError, "value-of-all-rows", "`age`", "6 of 60"):
        best_threshold(data, "mean(age)", resamples=20)


def test_several_causes_count_apart():
    """Where a value is undefined for several reasons, the most frequent one is told."""
    reason = curve(missing_ages(), x="FPR", y="mean(1 / (age - 11) + fee)").lines[0].reason
    assert "`age`" in reason
    assert "6 of 60 rows" in reason


def test_an_unknown_short_name_teaches_parameters():
    """A letter of one's own becomes a number to set, as the error says."""
    data = table()
    known = Vocabulary(rows_of(data, 1))
    assert error_of("5 * TP - c * FP").remedy.endswith('`param("c", 1)`')
    with_param = read_formula('5 * TP - param("c", 1) * FP', known)
    assert with_param.params == {"c": 1}
    near, far = error_of("agee > 3"), error_of("`such column` > 3")
    assert (near.near, near.remedy, far.remedy) == ("age", None, None)
