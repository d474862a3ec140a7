"""Parquet files of very many cells: only the columns that play a part are read."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from plumbline.predictions import files
from refusals import warned

N = 60


@pytest.fixture
def wide(tmp_path, monkeypatch):
    """A file that counts as wide, of an ID that recurs, site and twenty features."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(import_module("plumbline.frames.read"), "MOST_CELLS", 10 * N)
    rng = np.random.default_rng(2)
    p = rng.uniform(size=N)
    table = {"default": (rng.uniform(size=N) < p).astype(int), "score": p}
    table |= {"loan_id": np.arange(N) // 2, "site": ["north", "south"] * (N // 2)}
    table |= {f"feature_{number}": rng.normal(size=N) for number in range(20)}
    pd.DataFrame(table).to_parquet("wide.parquet")
    return tmp_path / "wide.parquet"


def test_only_columns_that_play_a_part_are_read(wide, monkeypatch):
    """The others are named in a warning; numbers are those of the whole table."""
    read = []
    whole = files.READERS[".parquet"]
    monkeypatch.setitem(
        files.READERS, ".parquet", lambda source: read.append(source.columns) or whole(source)
    )
    with warned("columns-not-read", "21 columns"), warned("rows-repeat"):
        data = pb.read(wide)
    assert read == [("default", "score", "loan_id")]
    assert [*data.attributes] == ["loan_id"]
    with warned("rows-repeat"):
        every = pb.read(wide, engine="memory")
    assert len(every.attributes) == 22
    np.testing.assert_array_equal(data.prob, every.prob)
    np.testing.assert_array_equal(data.actual, every.actual)


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_attributes_that_are_named_are_read(wide):
    """In Python by `attributes`, on the command line by the question; also after a rename."""
    data = pb.read(wide, attributes=["site", "feature_3"])
    assert [*data.attributes] == ["loan_id", "site", "feature_3"]
    named = pb.read(wide, attributes=["place"], rename={"site": "place", "loan_id": "attribute"})
    assert [*named.attributes] == ["loan_id", "place"]
    words = ["test", "wide.parquet", "--by", "site", "--resamples", "19", "--json"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.stderr
    assert {row["group"] for row in json.loads(result.stdout)["results"]} >= {"north", "south"}
    curve = ["curve", "wide.parquet", "--preset", "roc", "--where", "feature_3 > 0", "--json"]
    result = CliRunner().invoke(main, curve)
    assert result.exit_code == 0, result.stderr


def test_other_tables_have_all_columns(wide):
    """A frame, and a file of another format."""
    frame = pd.read_parquet(wide)
    frame.to_csv("wide.csv", index=False)
    with warned("rows-repeat"):
        data = pb.read(frame)
    assert len(data.attributes) == 22
    with warned("rows-repeat"):
        assert len(pb.read("wide.csv").attributes) == 22
