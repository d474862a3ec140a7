"""Data frames of any library and of any type as Arrow tables."""

import datetime as dt
import enum
import uuid
import warnings
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws import examples
from plumbline import InputError, PlumblineWarning
from plumbline.predictions.frame_tables import arrow_table
from plumbline.predictions.unusable import unusable
from refusals import read_or_refused, refused, warned

IDS = [uuid.UUID(int=number) for number in (1, 2)]
DAY = dt.date(2026, 11, 27)


def ends(*parts: int) -> Any:
    """Return run ends of Arrow."""
    return pa.array(parts, pa.int32())


PLAIN: dict[str, tuple[Any, list[Any]]] = {
    "sparse": (pd.arrays.SparseArray([0, 1]), [0, 1]),
    "sparse, missing": (pd.arrays.SparseArray([0.5, np.nan]), [0.5, None]),
    "cut": (pd.cut([25, 65], [0, 40, 90]), ["(0, 40]", "(40, 90]"]),
    "cut, missing": (pd.cut([25, 99], [0, 40, 90]), ["(0, 40]", None]),
    "cut, left": (pd.cut([25, 65], [0.5, 40, 90], right=False), ["[0.5, 40.0)", "[40.0, 90.0)"]),
    "intervals": (pd.IntervalIndex.from_breaks([0, 1, 2], closed="both"), ["[0, 1]", "[1, 2]"]),
    "periods": (pd.period_range("2026-11", periods=2, freq="M"), ["2026-11", "2026-12"]),
    "quarters": (pd.PeriodIndex(["2026Q4", None], freq="Q"), ["2026Q4", None]),
    "ids": (IDS, [str(one) for one in IDS]),
    "paths": ([PurePosixPath("a"), None], ["a", None]),
    "decimals": ([Decimal("1.5"), Decimal("2")], [1.5, 2.0]),
    "whole decimals": ([Decimal(1), Decimal(2)], [1, 2]),
    "half": (np.array([0.5, 1], np.float16), [0.5, 1]),
    "long": (np.array([0.5, 1], np.longdouble), [0.5, 1]),
    "nullable": (pd.array([1, None], "Int64"), [1, None]),
    "nullable truth": (pd.array([True, None], "boolean"), [True, None]),
    "texts": (pd.array(["a", None], "string"), ["a", None]),
    "zone": (
        pd.to_datetime(["2026-11-27", "2026-11-28"]).tz_localize("Europe/Berlin"),
        list(pd.to_datetime(["2026-11-27", "2026-11-28"]).tz_localize("Europe/Berlin")),
    ),
    "spans": (pd.to_timedelta([1, 2], "D"), [dt.timedelta(1), dt.timedelta(2)]),
    "categories of numbers": (pd.Categorical([2, 1]), [2, 1]),
    "Enum of Polars": (pl.Series(["b", "a"], dtype=pl.Enum(["a", "b"])), ["b", "a"]),
    "Categorical of Polars": (pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"]),
    "decimals of Polars": (pl.Series([Decimal("1.5"), None]), [1.5, None]),
    "wide integers of Polars": (pl.Series([2**70, 1], dtype=pl.Int128), [2.0**70, 1]),
    "views of texts": (pa.array(["a", None], pa.string_view()), ["a", None]),
    "views of lists": (pa.array([[0.5], [1.0]], pa.list_view(pa.float64())), [[0.5], [1.0]]),
    "half of Arrow": (pa.array(np.array([0.5, 1], np.float16)), [0.5, 1]),
    "runs": (pa.RunEndEncodedArray.from_arrays(ends(1, 2), pa.array(["a", "b"])), ["a", "b"]),
    "ids of Arrow": (
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([i.bytes for i in IDS], pa.binary(16))),
        [str(one) for one in IDS],
    ),
    "truth in bytes": (
        pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0], pa.int8())),
        [True, False],
    ),
    "codes of views": (
        pa.DictionaryArray.from_arrays(ends(1, 0), pa.array(["a", "b"], pa.string_view())),
        ["b", "a"],
    ),
    "calendar spans": (
        pa.array([(1, 2, 3_000_000_000)] * 2, pa.month_day_nano_interval()),
        ["P1M2DT3S"] * 2,
    ),
}


def frame_of(values: Any, **more: Any) -> Any:
    """Return a frame of the library that the values belong to, two rows."""
    columns = {"actual": [0, 1], "p:1": [0.25, 0.5], "x": values} | more
    if isinstance(values, pl.Series):
        return pl.DataFrame(columns)
    return pa.table(columns) if isinstance(values, pa.Array) else pd.DataFrame(columns)


@pytest.mark.parametrize("kind", PLAIN)
def test_every_type_becomes_a_plain_one(kind):
    """With the values that it shows, and without a warning of any library."""
    values, plain = PLAIN[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = arrow_table(frame_of(values))
    assert table.column("x").to_pylist() == plain
    table.validate(full=True)


@pytest.mark.parametrize("values", [np.array(["12000-01-01", "31690-07-05"], "datetime64[s]")])
def test_dates_beyond_9999_stay_dates(values):
    """Python's own dates end there."""
    table = arrow_table(frame_of(values))
    assert (table.column("x").to_numpy() == values).all()


OTHERS = {
    "mixed": [1, "a"],
    "complex": np.array([1j, 2]),
    "objects": [object(), object()],
    "large": [2**70, 1],
    "matrices": [np.eye(2), np.eye(2)],
    "broken text": pd.Series(["\ud800", "a"], dtype=object),
    "members": [enum.Enum("Kind", "A").A, 1],
    "mixed categories": pd.Categorical([1, "a"]),
    "objects of Polars": pl.Series([object(), object()], dtype=pl.Object),
    "union": pa.UnionArray.from_sparse(
        pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]
    ),
}


class TestHeldByNoType:
    """Columns that Arrow cannot hold."""

    @pytest.mark.parametrize("kind", OTHERS)
    def test_an_unused_one_is_left_out_with_one_warning(self, kind):
        """Its name is in the warning, and known to the table."""
        frame = frame_of(OTHERS[kind])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            table = arrow_table(frame)
        assert [type(one.message) for one in caught] == [PlumblineWarning]
        assert "'x'" in str(caught[0].message)
        assert table.column_names == ["actual", "p:1"]
        assert list(unusable(table)) == ["x"]
        with refused(InputError, "mixed-types", "'x'"):
            arrow_table(frame, wanted=["x"])

    def test_several_are_in_one_warning(self):
        """With the reason of the first."""
        frame = frame_of([1, "a"], y=[{1}, "b"])
        with warned("columns-left-out", "'x', 'y'", "1 in row 0", "'a' in row 1"):
            arrow_table(frame)


class TestNames:
    """Names of columns."""

    @pytest.mark.parametrize(
        ("names", "texts"),
        [
            ([0, 1], ["0", "1"]),
            ([0.0, 1.0], ["0.0", "1.0"]),
            (["a", 3], ["a", "3"]),
            ([("a", "b"), ("c", "")], ["a.b", "c"]),
            ([DAY, None], ["2026-11-27", "None"]),
            (["", "a"], ["", "a"]),
        ],
    )
    def test_they_are_texts(self, names, texts):
        """Levels are joined by dots; no library warns."""
        frame = pd.DataFrame({number: [1] for number in range(len(names))})
        frame.columns = pd.Index(names, dtype=object) if not isinstance(names[0], tuple) else names
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert arrow_table(frame).column_names == texts

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            pd.DataFrame([[1, 2]], columns=["3", 3]),
            pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
            duckdb.sql("SELECT 1 AS a, 2 AS a"),
        ],
    )
    def test_one_that_comes_twice_is_refused(self, frame):
        """Also where two names are the same text."""
        with refused(InputError, "repeated-columns"):
            arrow_table(frame)

    def test_the_index_of_pandas_is_no_column(self):
        """Whatever it is; hidden in an Arrow table it is read where it is wanted."""
        index = pd.MultiIndex.from_product([["u", "v"], [1]])
        frame = pd.DataFrame({"a": [1, 2]}, index=index)
        assert arrow_table(frame).column_names == ["a"]
        hidden = pa.Table.from_pandas(frame)
        assert arrow_table(hidden).column_names == ["a"]
        name = "__index_level_1__"
        assert arrow_table(hidden, wanted=[name]).column_names == ["a", name]


def test_parts_of_a_struct_are_columns():
    """As objects of JSON are, however deep."""
    frame = pl.DataFrame({"a": [{"b": {"c": 1}, "d": "x"}, {"b": None, "d": "y"}]})
    assert arrow_table(frame).to_pydict() == {"a.b.c": [1, None], "a.d": ["x", "y"]}


def test_a_struct_whose_parts_are_named_as_others_stays():
    """No column hides another."""
    frame = pl.DataFrame({"a": [{"b": 1}], "a.b": [2]})
    assert arrow_table(frame).to_pydict() == {"a": [{"b": 1}], "a.b": [2]}


def test_types_of_a_query_are_read():
    """A DuckDB relation with an enumeration, an id, wide numbers and decimals."""
    relation = duckdb.sql(
        "SELECT 'a'::ENUM('a', 'b') AS e, uuid() AS u, sum(1) AS s, 0.25::DECIMAL(9, 3) AS d, "
        "INTERVAL 1 DAY AS i"
    )
    table = arrow_table(relation)
    assert table.drop_columns("u").to_pylist() == [{"e": "a", "s": 1, "d": 0.25, "i": "P0M1DT0S"}]
    assert len(table.column("u").to_pylist()[0]) == 36


@pytest.mark.parametrize("other", [[1], {"a": [1]}, np.eye(2), pd.Series([1]), 3, None, "a.csv"])
def test_what_is_no_frame_is_refused(other):
    """By its type."""
    with refused(InputError, "no-frame", type(other).__name__, argument="frame"):
        arrow_table(other)


def test_batches_are_frames():
    """A record batch of Arrow is a table of its own."""
    batch = pa.RecordBatch.from_pydict({"a": [1]})
    assert arrow_table(batch).to_pydict() == {"a": [1]}


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.decimals(),
    st.dates(),
    st.datetimes(),
    st.timedeltas(),
    st.uuids(),
    st.fractions(),
    st.complex_numbers(),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)


@settings(max_examples=examples(300))
@given(data=st.data(), rows=st.integers(1, 3))
def test_any_cells_are_held_or_left_out(data, rows):
    """Of one kind a column or mixed; what is kept is valid, and no library warns."""
    columns = {}
    for name in data.draw(st.lists(st.sampled_from("abc"), unique=True, min_size=1)):
        kind = data.draw(st.sampled_from([CELLS, *CELLS.original_strategies[1:]]))
        columns[name] = pd.Series(
            data.draw(st.lists(kind, min_size=rows, max_size=rows)), dtype=object
        )
    table = read_or_refused(lambda: arrow_table(pd.DataFrame(columns)))
    assert table.num_rows == rows
    table.validate(full=True)
    plain = {name.split(".")[0] for name in (*table.column_names, *unusable(table)) if name}
    assert plain <= {*columns}


def test_objects_without_parts_keep_their_rows():
    """A table of nothing else has its rows still."""
    assert arrow_table(pa.table({"a": [{}, {}]})).num_rows == 2
    assert arrow_table(pa.table({"a": [{}], "b": [1]})).column_names == ["b"]
