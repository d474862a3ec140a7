"""What identifies rows, and time, is looked at only where it is named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from html_pages import undrawn
from plumbline.binning import unasked_attributes, why_not_unasked

N = 400
RNG = np.random.default_rng(0)
IDENTIFYING = {
    "patient_id": RNG.permutation(10 * N)[:N],  # integers without an order
    "loan": [f"L{i:05d}" for i in RNG.permutation(N)],  # texts, each once
    "id": np.arange(N),
    "question": np.repeat(np.arange(N // 4), 4),  # four answers each
    "customerId": RNG.integers(0, 100, N),  # repeated, in any order, and called an id
    "row number": np.arange(N, dtype=np.float64),
}
GROUPING = {
    "age": np.sort(RNG.integers(18, 90, N)),  # sorted, and many rows of each value
    "income": RNG.lognormal(10, 1, N),  # a measurement: all values differ
    "site": RNG.choice(["a", "b", "c"], N),
    "grid": RNG.integers(0, 30, N),
    "smokes": RNG.random(N) < 0.3,
}


def table(**columns):
    """Return a table with these attributes."""
    return pb.Predictions.from_arrays([0, 1] * (N // 2), [0.5] * N, attributes=columns)


@pytest.mark.parametrize("name", sorted(IDENTIFYING))
def test_what_identifies_rows_is_left_out(name):
    """By its values, or by its name where its values repeat."""
    assert why_not_unasked(table(**{name: IDENTIFYING[name]}), name) == "an id"


def test_dates_are_time():
    """They are followed by `monitor`, not cut into groups."""
    days = np.datetime64("2026-01-01") + np.arange(N) % 90
    assert why_not_unasked(table(day=days), "day") == "time"


def test_groups_and_measurements_stay():
    """Also those that are sorted, or end in letters like those of an id."""
    data = table(**IDENTIFYING, **GROUPING)
    assert unasked_attributes(data) == tuple(GROUPING)


@given(st.integers(2, 20), st.integers(0, 99))
def test_few_values_are_a_category_whatever_their_name(values, seed):
    """Up to twenty values make groups, also of a column that is called an id, in any order."""
    codes = np.random.default_rng(seed).permutation(np.arange(N) % values)
    assert why_not_unasked(table(site_id=codes), "site_id") is None
    assert why_not_unasked(table(site_id=np.sort(codes)), "site_id") is None


def test_several_models_of_the_same_rows_repeat_every_value():
    """The values of one model decide, so that an id stays an id beside more models."""
    columns = {name: np.tile(np.asarray(values), 3) for name, values in IDENTIFYING.items()}
    data = pb.Predictions.from_arrays(
        [0, 1] * (3 * N // 2),
        [0.5] * (3 * N),
        model=np.repeat(["x", "y", "z"], N),
        row=np.tile(np.arange(N), 3),
        attributes=columns,
    )
    assert unasked_attributes(data) == ()


def test_searches_and_the_report_leave_them_out(tmp_path):
    """They are named with the reason; a search that names one searches it."""
    data = table(patient_id=IDENTIFYING["patient_id"], site=GROUPING["site"])
    search = pb.worst_slice(data, resamples=19)
    assert search.by == ["site"] or tuple(search.by) == ("site",)
    assert any(one.startswith("patient_id") for one in search.skipped)
    assert tuple(pb.worst_slice(data, by="patient_id", resamples=19).by) == ("patient_id",)
    with undrawn():
        report = pb.report(data, tmp_path / "r.html", resamples=19, recalibrate="none")
    groups = report.chapters[0].closer.groups
    assert groups.attributes == ["site"]
    assert [one.partition(":")[0] for one in groups.unusable] == ["patient_id"]
