"""A column of any type beside a table opens on the start page, and is shown by `plumbline read`."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import plumbline as pb
from plumbline.predictions.overview import overview
from plumbline.predictions.plain_types import python_rows
from plumbline.workbench.questions.opening import columns_of

N = 12
TYPES = {
    "string view": pa.array(["a"] * N).cast(pa.string_view()),
    "half": pa.array(np.linspace(0, 1, N).astype(np.float16)),
    "last date": pa.array([dt.date(9999, 12, 31)] * N),
    "beyond years": pa.array([2**40] * N, pa.timestamp("s")),
    "long": pa.array([2**62] * N, pa.duration("s")),
    "unknown zone": pa.array([0] * N, pa.timestamp("us", tz="Nowhere/Land")),
    "zone": pa.array([0] * N, pa.timestamp("us", tz="Europe/Berlin")),
    "decimal": pa.array([1] * N).cast(pa.decimal128(30, 2)),
    "codes": pa.array(["x"] * N).dictionary_encode(),
    "list": pa.array([[1, 2]] * N),
    "none": pa.nulls(N),
    "map": pa.array([[("k", 1)]] * N, pa.map_(pa.string(), pa.int64())),
    "bytes": pa.array([b"\xff"] * N),
    "struct": pa.array([{"a": 1.5}] * N),
}


@pytest.mark.parametrize("ending", ["arrow", "parquet"])
@pytest.mark.parametrize("kind", TYPES)
def test_a_column_of_any_type(kind, ending, tmp_path):
    """No type is an error of its own; what no table holds is left out by name."""
    path = tmp_path / f"table.{ending}"
    table = pa.table(
        {"actual": [0, 1] * (N // 2), "y_prob": np.linspace(0, 1, N), "x": TYPES[kind]}
    )
    write = pa.feather.write_feather if ending == "arrow" else pa.parquet.write_table
    write(table, path)
    shown = columns_of(path)
    assert shown["complete"], shown["problem"]
    assert [column["name"] for column in shown["columns"]] == ["actual", "y_prob", "x"]
    data = pb.read(path)
    assert overview(data).first[0]["actual"] == "0"
    assert len(python_rows(data.to_frame("pyarrow"))) == N
