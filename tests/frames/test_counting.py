"""Counted tables: the same numbers as tables in memory, whatever is read and in which parts."""

import importlib
import itertools
import pickle
import subprocess
import sys
from functools import partial

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv, feather, parquet

import plumbline as pb
from plumbline.calibration import define_error, statistic, value_of
from plumbline.errors import InputError, ParameterError, PlumblineWarning
from plumbline.frames import LevelCounts, Levels, counted_columns, counting_errors, read
from plumbline.predictions import sources_of
from plumbline.roles import columns_of
from refusals import refused

counted = partial(read, engine="counts")


def table(n=3000, seed=0, kind=np.float64):
    """Return rows of a model that is a little too sure."""
    rng = np.random.default_rng(seed)
    prob = rng.beta(0.5, 1.5, n).astype(kind)
    hit = rng.random(n) < 0.8 * prob + 0.05
    return pa.table({"actual": hit.astype(np.int8), "p:1": prob})


def error(data, bins):
    """Return the calibration error of bins of equal width."""
    return float(value_of(statistic(data, define_error(data, bins=bins))))


def assert_same_numbers(one, other):
    """Scores within a millionth, the errors of binned probabilities but for rounding."""
    assert (one.classes, one.positive) == (other.classes, other.positive)
    assert one.weight.sum() == other.n
    for score in (pb.brier_score, pb.accuracy, pb.log_loss):
        assert score(one) == pytest.approx(score(other), abs=1e-6)
    for bins in (15, 10, 7):
        assert error(one, bins) == pytest.approx(error(other, bins), abs=1e-9)


@pytest.mark.parametrize("engine", ["auto", "memory", "counts"])
def test_many_row_groups_cost_no_more_than_one(tmp_path, monkeypatch, engine):
    """Footers read and readers opened do not grow with the groups; the counts are the same."""
    opened = []
    for name in ("read_metadata", "ParquetFile"):
        made = getattr(parquet, name)
        monkeypatch.setattr(
            parquet,
            name,
            lambda *args, made=made, **more: opened.append(made) or made(*args, **more),
        )
    rows, uses, tables = table(1000), [], []
    for size in (1000, 2):
        path = tmp_path / f"groups-of-{size}.parquet"
        parquet.write_table(rows, path, row_group_size=size)
        opened.clear()
        tables.append(read(path, engine=engine))
        uses.append(len(opened))
    assert uses[1] == uses[0] <= 12
    np.testing.assert_array_equal(tables[0].prob, tables[1].prob)
    np.testing.assert_array_equal(tables[0].actual, tables[1].actual)


def test_row_groups_are_parts_of_many_rows(tmp_path, monkeypatch):
    """Parts end where a group does, hold all rows once, and are read anew in another process."""
    batches = importlib.import_module("plumbline.frames.batches")
    monkeypatch.setattr(batches, "ROWS_A_PART", 100)
    path = tmp_path / "t.parquet"
    parquet.write_table(table(1000), path, row_group_size=30)
    _, parts = batches.parts_of(sources_of(path)[0])
    assert [part.rows for part in parts] == [120] * 8 + [40]
    assert [part.first for part in parts] == [*range(0, 1000, 120)]
    sent = pickle.dumps(parts)
    assert len(sent) < 3000
    for each in (parts, pickle.loads(sent)):  # noqa: S301
        rows = pa.Table.from_batches([b for part in each for b in part.batches(["actual", "p:1"])])
        assert rows.equals(table(1000))


@pytest.mark.parametrize("positive", [None, "0"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_counts_give_the_numbers_of_rows(tmp_path, kind, positive):
    """Of several row groups, in either precision, for either class."""
    path = tmp_path / "t.parquet"
    parquet.write_table(table(kind=kind), path, row_group_size=700)
    assert_same_numbers(
        counted(path, positive=positive), pb.Predictions.read(path, positive=positive)
    )


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "arrow", "feather", "parquet"])
def test_files_of_every_form(tmp_path, ending):
    """Labels as text, models, both columns."""
    rows = table()
    names = np.where(rows["actual"].to_numpy() == 1, "yes", "no")
    prob = np.round(rows["p:1"].to_numpy(), 3)
    models = np.where(np.arange(len(names)) % 3, "a", "b")
    whole = pa.table({"actual": names, "model": models, "p:no": 1 - prob, "p:yes": prob})
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        parquet.write_table(whole, path)
    elif ending in ("arrow", "feather"):
        feather.write_feather(whole, path, compression="zstd")
    else:
        options = csv.WriteOptions(delimiter="\t" if ending == "tsv" else ",")
        with pa.output_stream(str(path)) as out:
            csv.write_csv(whole, out, options)
    data = counted(path)
    expected = pb.Predictions.read(path)
    assert sorted(data.models) == sorted(expected.models)
    for name in data.models:
        assert_same_numbers(data.select(model=name), expected.select(model=name))


def test_a_decimal_comma(tmp_path):
    """Is recognised as it is in small files."""
    path = tmp_path / "t.csv"
    path.write_text("actual;p:1\n" + "0;0,25\n1;0,5\n1;1\n0;0\n" * 30)
    assert_same_numbers(counted(path), pb.Predictions.read(path))


def test_several_files_and_threads(tmp_path):
    """Are one table, whatever the threads."""
    for number in range(3):
        parquet.write_table(table(seed=number), tmp_path / f"part-{number}.parquet")
    one, *others = (counted(tmp_path / "part-*.parquet", workers=w) for w in (1, 2, 3))
    assert_same_numbers(one, pb.Predictions.read(tmp_path / "part-*.parquet"))
    for other in others:
        assert np.array_equal(one.weight, other.weight)
        np.testing.assert_allclose(one.prob, other.prob, rtol=1e-14)


@pytest.mark.parametrize(
    "frame",
    [
        lambda path: duckdb.sql(f"select * from '{path}'"),
        lambda path: pl.scan_parquet(path),
        lambda path: pa.RecordBatchReader.from_batches(
            table().schema, iter(table().to_batches(max_chunksize=100))
        ),
    ],
    ids=["duckdb", "polars", "arrow"],
)
def test_frames_that_are_not_in_memory(tmp_path, frame):
    """Are counted batch by batch."""
    parquet.write_table(table(), tmp_path / "t.parquet")
    assert_same_numbers(counted(frame(tmp_path / "t.parquet")), pb.Predictions.from_frame(table()))


labels = st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=30)


@settings(deadline=None)
@given(labels, st.data())
def test_any_split_in_any_order_is_the_whole(names, data):
    """Also where a part has one label only, or its labels in another order."""
    n = len(names)
    prob = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    model = data.draw(st.lists(st.sampled_from("abcdef"), min_size=n, max_size=n))
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=4)))
    rows = pa.table({"actual": names, "p:yes": prob, "model": model})
    columns = counted_columns(columns_of(rows))
    small = Levels(linear=27_720, each=50)

    def count(parts):
        total = LevelCounts(columns, small)
        for start, stop in parts:
            own = LevelCounts(columns, small)
            for batch in rows.slice(start, stop - start).to_batches():
                own.add(batch, "t", start)
            total.merge(own)
        return total.predictions()

    edges = [0, *cuts, n]
    parts = data.draw(st.permutations(list(itertools.pairwise(edges))))
    whole, split = count([(0, n)]), count(parts)
    assert (whole.classes, whole.positive, whole.models) == (
        split.classes,
        split.positive,
        split.models,
    )
    for name in whole.models:
        one, other = whole.select(model=name), split.select(model=name)
        assert np.array_equal(one.weight, other.weight)
        assert np.array_equal(one.actual, other.actual)
        np.testing.assert_allclose(one.prob, other.prob, rtol=1e-13)


def test_many_groups_are_counted_coarsely():
    """Folds and models have counts of their own, coarser where there are many."""
    n = 4000
    rows = table(n).append_column("fold", pa.array(np.arange(n) % 9))
    data = counted(pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(1000)))
    assert len(data.folds) == 9
    assert error(data, 15) == pytest.approx(error(pb.Predictions.from_frame(rows), 15), abs=1e-9)


def test_bad_rows_are_counted_and_the_first_is_named(tmp_path):
    """With how often, and where first; how many faults there are besides."""
    actual = [0, 1, None, 1] * 50
    prob = [0.2, float("nan"), 0.3, 1.5] * 50
    parquet.write_table(
        pa.table({"actual": actual, "p:1": prob}), tmp_path / "t.parquet", row_group_size=30
    )
    with refused(InputError, "bad-rows") as caught:
        counted(tmp_path / "t.parquet")
    text = str(caught.value)
    assert "50 rows, the first of them row 1 of" in text
    assert "faults: 100" in text


@pytest.mark.parametrize("value", ["73.5", "-0.2", "abc", "50 %", "", "0,3"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_bad_values_are_refused_as_in_memory(tmp_path, value, ending):
    """In the same words, by line where rows have one."""
    file = tmp_path / f"t{ending}"
    lines = ["0;0.5", f"1;{value}", "0;0.4", "1;0.9"]
    if ending == ".csv":
        file.write_text("\n".join(["actual;p:1", *lines]), "utf-8")
    elif value not in ("73.5", "-0.2"):
        return
    else:
        numbers = [float(line.partition(";")[2]) for line in lines]
        parquet.write_table(pa.table({"actual": [0, 1, 0, 1], "p:1": numbers}), file)
    texts: list[str] = []
    codes: list[str] = []
    for engine in ("counts", "memory"):
        with pytest.raises(InputError) as caught:
            pb.read(file, engine=engine, decimal="." if ending == ".csv" else None)
        texts.append(str(caught.value))
        codes.append(caught.value.code)
    assert texts[0] == texts[1] or codes == ["bad-rows", "value-missing"]
    assert ("line 3 of" in texts[0]) == (ending == ".csv")


def test_a_file_without_rows_is_named(tmp_path):
    """By either engine."""
    parquet.write_table(table().slice(0, 0), tmp_path / "t.parquet")
    for engine in ("counts", "memory"):
        with refused(InputError, "no-rows", "t.parquet"):
            pb.read(tmp_path / "t.parquet", engine=engine)


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"actual": [0, 1, 2], "p:1": [0.1, 0.2, 0.3]}, "class-without-column"),
        ({"actual": ["a", "b", "c"], "y_prob": [0.1, 0.2, 0.3]}, "two-classes-unknown"),
        ({"actual": [0, 1], "p:1": ["a", "b"]}, "number-as-text"),
        ({"actual": [0, 1], "p:0": [0.1, 0.5], "p:1": [0.2, 0.5]}, "bad-rows"),
        ({"actual": [0, 1], "p:1": [0.2, 0.5], "weight": [1, 2]}, "not-countable"),
        ({"actual": [0, 1], "q": [3, 5]}, "columns-unknown"),
        ({"actual": [0, 1], "logreg": [0.2, 0.5], "xgb": [0.1, 0.6]}, "not-countable"),
    ],
)
def test_what_cannot_be_counted_is_refused(tmp_path, columns, code):
    """With the error that a small table gives, where it gives one."""
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    with refused(InputError, code):
        counted(tmp_path / "t.parquet")


def test_columns_that_are_not_read_are_named(tmp_path):
    """An attribute is lost by counting, and that is said."""
    parquet.write_table(table().append_column("age", pa.array(range(3000))), tmp_path / "t.parquet")
    with pytest.warns(PlumblineWarning, match="age"):
        counted(tmp_path / "t.parquet")


def test_auto_counts_large_tables_only(tmp_path, monkeypatch):
    """One switch by size, and tables that cannot be counted stay in memory."""
    parquet.write_table(table(), tmp_path / "t.parquet")
    assert not read(tmp_path / "t.parquet").counted
    monkeypatch.setattr(importlib.import_module("plumbline.frames.read"), "MOST_ROWS", 1000)
    assert read(tmp_path / "t.parquet").counted
    assert not read(tmp_path / "t.parquet", engine="memory").counted
    weighted = table().append_column("weight", pa.array(np.ones(3000)))
    parquet.write_table(weighted, tmp_path / "w.parquet")
    assert not read(tmp_path / "w.parquet").counted


def test_progress_and_interruption(tmp_path):
    """Rows are told as they are counted; Ctrl-C ends all threads."""
    parquet.write_table(table(20_000), tmp_path / "t.parquet", row_group_size=1000)
    told = []
    counted(tmp_path / "t.parquet", progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (20_000, 20_000)

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted(tmp_path / "t.parquet", progress=interrupt)


def test_an_unknown_engine_is_refused(tmp_path):
    """With the names that there are."""
    with refused(ParameterError, "unknown-name"):
        read(tmp_path / "t.parquet", engine="spar")


def test_no_files_differ_in_their_columns(tmp_path):
    """Parts of one table have the same columns."""
    parquet.write_table(table(), tmp_path / "a.parquet")
    other = table().rename_columns(["actual", "p:0"])
    parquet.write_table(other, tmp_path / "b.parquet")
    with pytest.raises(InputError) as caught:
        counted([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert caught.value.code == "columns-differ"


def test_few_levels_keep_the_error_of_their_bins(tmp_path):
    """360 levels hold whole bins of 15; other numbers lie within their bounds."""
    path = tmp_path / "t.parquet"
    parquet.write_table(table(), path)
    few, rows = counted(path, levels=360), pb.Predictions.read(path)
    assert few.stored < 2000 < few.n == rows.n
    assert error(few, 15) == pytest.approx(error(rows, 15), abs=1e-12)
    bound = counting_errors(few)
    assert bound.ece == 0
    for score, most in ((pb.brier_score, bound.brier_score), (pb.roc_auc, bound.roc_auc)):
        assert 0 < abs(score(few) - score(rows)) <= most
    with refused(ParameterError, "levels-not-whole", argument="levels"):
        counted(path, levels=1000)


def test_numbers_are_counted_without_pandas(tmp_path):
    """It takes half a second to import, of the few that counting takes; states are no other."""
    labels = pa.array(["yes", "no"] * 50)
    rows = pa.table({"actual": labels, "p:yes": table(100)["p:1"]})
    parquet.write_table(rows, tmp_path / "t.parquet")
    late = pa.table({"actual": ["yes", None] * 50, "p:yes": table(200)["p:1"].slice(100)})
    parquet.write_table(late, tmp_path / "late.parquet")
    code = "import sys, plumbline as pb; pb.read(sys.argv[2], engine='counts')\n"
    code += "from plumbline.cli import main\n"
    code += "for _ in range(2):\n"
    code += "    try: main(['state', 'update', *sys.argv[1:], '--again'])\n"
    code += "    except SystemExit as end: assert end.code == 0\n"
    code += "assert not {'pandas', 'narwhals'} & set(sys.modules)"
    files = [str(tmp_path / name) for name in ("all.state", "t.parquet", "late.parquet")]
    subprocess.run([sys.executable, "-c", code, *files], check=True, stdout=subprocess.DEVNULL)


def test_two_columns_of_saturated_and_rounded_probabilities():
    """The probability of the other class is that of its column, not 1 - p; sums are mended."""
    sure = {
        "actual": [0, 1, 0, 1, 1],
        "p:0": np.array([1e-9, 0.3, 0.8, 1.0, 0.25], np.float32),
        "p:1": np.array([1.0, 0.7, 0.2, 1e-12, 0.75], np.float32),
    }
    rows = pa.table(sure)
    parts = counted(pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches(2)))
    whole = pb.Predictions.from_frame(rows)
    assert pb.log_loss(parts) == pytest.approx(pb.log_loss(whole), rel=1e-6)
    assert np.isfinite(pb.log_loss(parts))

    rounded = pa.table({"actual": [0, 1, 1], "p:0": [0.333, 0.3, 0.1], "p:1": [0.666, 0.7, 0.9]})
    reader = pa.RecordBatchReader.from_batches(rounded.schema, rounded.to_batches())
    with pytest.warns(PlumblineWarning, match="1 row whose probabilities do not sum to 1"):
        parts = counted(reader)
    with pytest.warns(PlumblineWarning, match="rounded-rows"):
        whole = pb.Predictions.from_frame(rounded)
    assert pb.log_loss(parts) == pytest.approx(pb.log_loss(whole), rel=1e-12)


def test_files_may_have_their_columns_in_another_order(tmp_path):
    """The same columns are those of one table, wherever they stand."""
    rows = table(600).append_column("p:0", pa.array(1 - table(600)["p:1"].to_numpy()))
    parquet.write_table(rows, tmp_path / "a.parquet")
    parquet.write_table(rows.select(["p:0", "p:1", "actual"]), tmp_path / "b.parquet")
    both = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    assert_same_numbers(counted(both), pb.Predictions.read(both))
