"""Attributes and predicted labels of counted rows: the numbers of the same rows in memory."""

import dataclasses
import itertools
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv, parquet

import plumbline as pb
from laws import examples
from plumbline.errors import InputError
from plumbline.frames import (
    LevelCounts,
    Levels,
    count,
    count_batches,
    counted_columns,
    merge_states,
    merged,
    read,
    read_state,
    write_state,
)
from plumbline.roles import columns_of
from refusals import refused

ATTRIBUTES = ("site", "flag", "kids", "amount", "day")
SMALL = Levels(linear=27_720, each=50)
counted = partial(read, engine="counts", attributes=ATTRIBUTES)


def table(n=1500, seed=0):
    """Return rows with attributes of every kind, some of them missing, and predicted labels."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.beta(0.5, 1.5, n), 3)
    days = np.array(["2024-01-01", "2024-01-02"], "M8[D]")
    kids = [None if value == 2 else value for value in rng.integers(0, 3, n).tolist()]
    return pa.table(
        {
            "actual": (rng.random(n) < p).astype(int),
            "p:1": p,
            "predicted": (p > 0.4).astype(int),
            "site": rng.choice(["north", "south", None], n),
            "flag": rng.random(n) < 0.5,
            "kids": pa.array(kids, pa.int64()),
            "amount": np.round(rng.normal(20, 100, n), 2),
            "day": rng.choice(days, n),
        }
    )


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Return the same rows in memory and counted."""
    path = tmp_path_factory.mktemp("attributes") / "t.parquet"
    parquet.write_table(table(), path, row_group_size=400)
    return pb.read(path), counted(path)


def test_a_text_file_has_the_same_attributes(pair, tmp_path):
    """Its first rows tell what they hold."""
    csv.write_csv(table(), tmp_path / "t.csv")
    other = counted(tmp_path / "t.csv")
    assert other.averaged == pair[1].averaged
    for name, values in other.attributes.items():
        assert np.array_equal(values.astype(str), pair[1].attributes[name].astype(str)), name


def lines(pair, **named):
    """Return the curve of both tables."""
    return [pb.curve(data, **named).lines[0] for data in pair]


def test_numbers_of_many_values_are_averaged(pair):
    """All others are kept as they are."""
    memory, counts = pair
    assert counts.averaged == {"amount"}
    for name in set(ATTRIBUTES) - counts.averaged:
        assert counts.attributes[name].dtype == memory.attributes[name].dtype


def test_predicted_labels_decide(pair):
    """Accuracy and confusion are those of the column."""
    memory, counts = pair
    assert pb.accuracy(counts) == pytest.approx(pb.accuracy(memory), rel=1e-12)
    assert pb.confusion_matrix(counts).to_dict() == pb.confusion_matrix(memory).to_dict()


@pytest.mark.parametrize(
    "y",
    [
        "cumm(amount)",
        "cumm(amount if eP else -10) / NN",
        "cumm(kids if flag else 2 * amount)",
        "cumm(amount * (site == 'north')) ** 2",
        "cumm(kids ** 2)",
    ],
)
def test_sums_of_attributes(pair, y):
    """At every threshold the sums are those of the rows."""
    memory, counts = lines(pair, x="threshold", y=y)
    np.testing.assert_allclose(counts.x, memory.x, rtol=1e-12)
    np.testing.assert_allclose(counts.y, memory.y, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("where", ["site == 'south'", "kids > 0", "not flag", "day > '2024-01-01'"])
def test_filters(pair, where):
    """Rows are kept by their attributes."""
    memory, counts = lines(pair, preset="roc", where=where)
    assert counts.area == pytest.approx(memory.area, rel=1e-12)


@pytest.mark.parametrize(
    "named",
    [
        {"x": "threshold", "y": "cumm(amount ** 2)"},
        {"x": "threshold", "y": "cumm(amount > 0)"},
        {"x": "threshold", "y": "TPR", "where": "amount > 0"},
        {"x": "cumm(1)", "y": "cumm(eP)", "sort_by": "amount"},
        {"x": "threshold", "y": "cumm(amount)", "band": "bootstrap"},
        {"preset": "error-by-attribute", "x": "amount"},
    ],
)
def test_values_that_were_not_kept_are_refused(pair, named):
    """Only sums of a mean are those of the rows."""
    with refused(InputError, "attribute-averaged"):
        pb.curve(pair[1], **named)


@pytest.mark.parametrize("ask", [pb.calibration_by, pb.class_counts])
def test_groups_of_an_averaged_attribute_are_refused(pair, ask):
    """No group can be made of a mean."""
    with refused(InputError, "attribute-averaged"):
        ask(pair[1], "amount")


@pytest.mark.parametrize("by", ["site", "flag", "kids", "day"])
def test_classes_in_groups(pair, by):
    """Are as many as in the rows."""
    memory, counts = (pb.class_counts(data, by) for data in pair)
    assert (memory.groups, memory.count.tolist()) == (counts.groups, counts.count.tolist())


def test_calibration_in_groups(pair):
    """Sizes, biases and errors are those of the rows."""
    named = {"statistic": "ece", "resamples": 9}
    memory, counts = (pb.calibration_by(data, "site", **named).rows() for data in pair)
    for one, other in zip(memory, counts, strict=True):
        assert (one["group"], one["n"]) == (other["group"], other["n"])
        for key in ("bias", "bias_low", "value", "mean_probability"):
            assert one[key] == pytest.approx(other[key], rel=1e-9)


def test_the_best_threshold_of_amounts(pair):
    """Is that of the rows; what needs single amounts is left out and said."""
    memory, counts = (pb.best_threshold(data, "cumm(amount if eP else -30)") for data in pair)
    assert counts.threshold == pytest.approx(memory.threshold)
    assert counts.value == pytest.approx(memory.value)
    codes = [note.code for note in counts.notes]
    assert {"no-plateau", "no-cross-validated-value"} <= {*codes}


@pytest.mark.filterwarnings("ignore::plumbline.errors.PlumblineWarning")
def test_folds_make_the_value_of_amounts_exact(tmp_path):
    """Sums are kept for each fold."""
    rows = table().append_column("fold", pa.array(np.arange(1500) % 3))
    parquet.write_table(rows, tmp_path / "t.parquet")
    memory, counts = (
        pb.best_threshold(read(tmp_path / "t.parquet", **how), "cumm(amount if eP else -30)")
        for how in ({}, {"engine": "counts", "attributes": ["amount"]})
    )
    assert counts.honest_value == pytest.approx(memory.honest_value)


def numbers_of(data):
    """Return a table as sorted rows, and its kinds of columns."""
    columns = {
        "actual": data.actual,
        "p": data.prob[:, 1].round(12),
        "kids": np.nan_to_num(data.attributes["kids"], nan=-1).round(9),
        "site": data.attributes["site"].astype(str),
        "weight": data.weight,
    }
    return sorted(zip(*(values.tolist() for values in columns.values()), strict=True))


rows_drawn = st.lists(
    st.tuples(
        st.sampled_from(["yes", "no"]),
        st.sampled_from([0, 0.2, 0.25, 0.7, 1]),
        st.sampled_from(["a", "b", None]),
        st.integers(0, 15),
    ),
    min_size=1,
    max_size=60,
)


@settings(deadline=None, max_examples=examples(30))
@given(rows_drawn, st.data())
def test_any_split_in_any_order_is_the_whole(rows, data):
    """Also where only some parts hold so many numbers that they are summed."""
    actual, prob, site, kids = (list(column) for column in zip(*rows, strict=True))
    frame = pa.table(
        {
            "actual": actual,
            "p:yes": pa.array(prob, pa.float64()),
            "site": pa.array(site, pa.string()),
            "kids": kids,
        }
    )
    columns = counted_columns(columns_of(frame), attributes=["site", "kids"])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    edges = [0, *cuts, len(rows)]
    parts = data.draw(st.permutations(list(itertools.pairwise(edges))))

    def counts_of(parts):
        total = LevelCounts(columns, SMALL)
        for start, stop in parts:
            own = LevelCounts(columns, SMALL)
            for batch in frame.slice(start, stop - start).to_batches():
                own.add(batch, "t", start)
            total.merge(own)
        return total.predictions()

    whole, split = counts_of([(0, len(rows))]), counts_of(parts)
    assert whole.averaged == split.averaged == ({"kids"} if len(set(kids)) > 12 else set())
    assert numbers_of(whole) == numbers_of(split)
    assert (whole.weight * whole.attributes["kids"]).sum() == pytest.approx(sum(kids))


def test_a_state_keeps_attributes(tmp_path):
    """And goes on with the next rows; other attributes are refused."""
    csv.write_csv(table(), tmp_path / "t.csv")
    state = count(tmp_path / "t.csv", attributes=ATTRIBUTES)
    write_state(state, tmp_path / "t.state")
    again = read_state(tmp_path / "t.state")
    again.merge(read_state(tmp_path / "t.state"))
    one, two = counted(tmp_path / "t.csv"), again.predictions()
    assert two.averaged == {"amount"}
    for data, factor in ((one, 2), (two, 1)):
        sums = data.weight @ data.attributes["amount"] * factor
        assert sums == pytest.approx(2 * np.sum(table()["amount"].to_numpy()))


def test_means_are_called_so_where_they_are_written(pair, tmp_path):
    """A file of counted rows does not show them as values."""
    pair[1].write(tmp_path / "t.parquet")
    again = pb.read(tmp_path / "t.parquet")
    assert {"mean of amount", "kids"} <= {*again.attributes}
    assert again.total == pair[1].total


def test_states_of_workers_add_up(tmp_path):
    """As an engine makes and merges them, some parts with few numbers."""
    rows = table()
    columns = counted_columns(columns_of(rows), attributes=ATTRIBUTES)
    parts = [rows.slice(0, 5), rows.slice(5, 700), rows.slice(705)]
    states = [count_batches(columns, "part", part.to_batches()) for part in parts]
    whole = merged([merge_states(*states[:2]), states[2]]).predictions()
    parquet.write_table(rows, tmp_path / "t.parquet")
    expected = counted(tmp_path / "t.parquet")
    assert whole.averaged == expected.averaged
    assert whole.total == expected.total
    for by in ("site", "flag", "kids", "day"):
        one, other = (pb.class_counts(data, by).count.tolist() for data in (whole, expected))
        assert one == other
    sums = [data.weight @ data.attributes["amount"] for data in (whole, expected)]
    assert sums[0] == pytest.approx(sums[1])


def test_missing_numbers_are_bad_rows_where_they_are_summed():
    """Counted and named, whether they come before or after the many values."""
    for place in (0, 50):
        amounts = [float(value) for value in range(100)]
        amounts[place] = float("nan")
        rows = pa.table({"actual": [0, 1] * 50, "p:1": [0.2, 0.6] * 50, "amount": amounts})
        reader = pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(5))
        with refused(InputError, "bad-rows") as caught:
            read(reader, attributes=["amount"])
        assert f"row {place} of" in str(caught.value)


@pytest.mark.parametrize(
    ("column", "attributes", "code"),
    [
        ([f"user {number}" for number in range(300)], ["x"], "too-many-groups"),
        ([[1]] * 300, ["x"], "not-countable"),
        ([1] * 300, ["y"], "no-such-column"),
        ([1] * 300, ["x", "x"], "named-twice"),
        ([1] * 300, ["actual"], "no-such-column"),
    ],
)
def test_attributes_that_cannot_be_counted_are_refused(column, attributes, code):
    """Too many values, lists, names that are not there."""
    rows = pa.table({"actual": [0, 1] * 150, "p:1": [0.2, 0.6] * 150, "x": column})
    reader = pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches())
    with refused(pb.PlumblineError, code):
        read(reader, attributes=attributes)


def test_a_table_in_memory_has_all_attributes(tmp_path):
    """Naming them changes nothing there, but for a name that is not there."""
    csv.write_csv(table(100), tmp_path / "t.csv")
    assert set(read(tmp_path / "t.csv", attributes=["site"]).attributes) == set(ATTRIBUTES)
    with refused(InputError, "no-such-column"):
        read(tmp_path / "t.csv", attributes=["sight"])


@pytest.mark.filterwarnings("ignore::plumbline.errors.PlumblineWarning")
def test_many_groups_are_counted_more_coarsely(tmp_path):
    """The bound of every number says how much."""
    rows = table(600).append_column("shop", pa.array(np.arange(600) % 12))
    parquet.write_table(rows, tmp_path / "t.parquet")
    data = read(tmp_path / "t.parquet", engine="counts", attributes=["shop", "site"])
    assert data.levels.linear == 27_720
    plain = dataclasses.replace(data, attributes={})
    assert pb.calibration_error(plain, resamples=0).value == pytest.approx(
        pb.calibration_error(pb.read(tmp_path / "t.parquet"), resamples=0).value
    )
