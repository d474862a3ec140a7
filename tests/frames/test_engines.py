"""What travels between the workers of an engine: counts, bad rows and refusals, as bytes."""

import socket
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from plumbline.errors import InputError, MissingExtraError, ParameterError
from plumbline.frames import (
    LevelCounts,
    count_batches,
    count_parts,
    counted_columns,
    merge_states,
    merged,
    read,
)
from plumbline.frames.batches import Part
from plumbline.frames.engines import FRAMES, LISTENER_SECONDS, table_of_engine, tasks_of
from plumbline.roles import unseen
from refusals import refused

COLUMNS = counted_columns(unseen(["actual", "p:1"]))


def batch(prob):
    """Return rows with these probabilities, every second of which is a hit."""
    prob = np.asarray(prob, float)
    return pa.record_batch({"actual": np.arange(len(prob)) % 2, "p:1": prob})


def test_states_merge_to_the_counts_of_all_rows():
    """In a tree, with the labels of a part the other way round."""
    prob = np.random.default_rng(0).random(900)
    whole = LevelCounts(COLUMNS)
    whole.add(batch(prob), "rows", 0)
    parts = [batch(prob).slice(first, size) for first, size in ((0, 301), (301, 400), (701, 199))]
    states = [count_batches(COLUMNS, "rows", [part]) for part in parts]
    one, other = merged([merge_states(*states[:2]), states[2]]).predictions(), whole.predictions()
    assert np.array_equal(one.weight, other.weight)
    assert np.allclose(one.prob, other.prob, rtol=0, atol=1e-15)


def test_bad_rows_travel_with_their_places():
    """How many there are of each kind, and the first."""
    states = [
        count_batches(COLUMNS, "partition 0", [batch([0.5, 0.4])]),
        count_batches(COLUMNS, "partition 1", [batch([0.5, 0.4, 7.0, np.nan, 2.0])]),
    ]
    with refused(InputError, "bad-rows", "got 7", "2 rows, the first of them row 2 of partition 1"):
        merged([merge_states(*states)]).predictions()


def test_a_refusal_travels_through_merges():
    """With its text, code and remedy."""
    good = count_batches(COLUMNS, "a", [batch([0.5, 0.4])])
    text = pa.record_batch({"actual": [0, 1], "p:1": ["a", "b"]})
    bad = count_batches(COLUMNS, "b", [text])
    with refused(InputError, "number-as-text", "p:1", "of b") as raised:
        merged([merge_states(good, bad, good)])
    assert raised.value.remedy == "store them as numbers"

    def damaged(_):
        raise InputError("t.parquet is damaged", code="damaged-file")
        yield

    with refused(InputError, "damaged-file"):
        merged([count_parts(COLUMNS, [Part("t", 0, damaged)])])


def test_tasks_do_not_depend_on_workers():
    """Parts go to tasks by their rows alone; of a part whose rows are unknown each is a task."""
    known = Part("t", 0, lambda _: iter(()), 1_500_000)
    unknown = Part("t", 0, lambda _: iter(()))
    assert [len(task) for task in tasks_of([known] * 5)] == [2, 2, 1]
    assert [len(task) for task in tasks_of([unknown, unknown, known])] == [1, 1, 1]


@pytest.mark.parametrize(
    ("engine", "package"),
    [("dask", "dask"), ("dask://127.0.0.1:1", "dask"), ("ray", "ray"), ("spark", "pyspark")],
)
def test_a_missing_engine_says_what_to_install(tmp_path, monkeypatch, engine, package):
    """By the extra of its name."""
    monkeypatch.setitem(sys.modules, package, None)
    parquet.write_table(pa.table({"actual": [0, 1], "p:1": [0.1, 0.8]}), tmp_path / "t.parquet")
    with refused(MissingExtraError, "missing-package", f"plumbline-eval[{engine[:4]}"):
        read(tmp_path / "t.parquet", engine=engine)


def test_a_frame_in_memory_needs_no_engine():
    """One that was named is refused."""
    with refused(ParameterError, "engine-of-frame", argument="engine"):
        read(pa.table({"actual": [0, 1], "p:1": [0.1, 0.8]}), engine="ray")


def test_states_of_no_task_are_no_rows():
    """An engine whose frame has no partition answers with nothing."""
    with refused(InputError, "no-rows"):
        merged([])


# Stand-ins for engines that are not installed here, with what Plumbline asks of each: the real
# ones are asked in tests/engines.


class Parts:
    """A frame of Dask: partitions of pandas, of which some have no rows."""

    def __init__(self, *parts):
        self.parts = parts
        self.columns, self.dtypes = parts[0].columns, parts[0].dtypes

    @property
    def partitions(self):
        """Return each partition as a frame."""
        return [Parts(part) for part in self.parts]

    def __getitem__(self, names):
        """Return some columns."""
        return Parts(*(part[names] for part in self.parts))

    def head(self, rows, *, compute, npartitions):
        """Return the first rows of all partitions."""
        assert compute
        assert npartitions == -1
        return pd.concat(self.parts).head(rows)

    def to_delayed(self):
        """Return the partitions as they are."""
        return list(self.parts)


class Blocks:
    """A data set of Ray: tables of Arrow; without any it has no schema."""

    def __init__(self, *tables, schema=None):
        self.tables, self.known = tables, schema

    def schema(self):
        """Return names and types, None where they are unknown."""
        return self.tables[0].schema if self.tables else self.known

    @property
    def columns(self):
        """Return the names, as Spark does."""
        return self.schema().names

    def limit(self, rows):
        """Return the first rows."""
        return Blocks(*(table.slice(0, rows) for table in self.tables), schema=self.known)

    def take(self, rows):
        """Return the first rows as dictionaries."""
        return [row for table in self.tables for row in table.to_pylist()][:rows]

    def select_columns(self, names):
        """Return some columns."""
        return Blocks(*(table.select(names) for table in self.tables), schema=self.known)

    def map_batches(self, task, **_):
        """Return what a task makes of each table."""
        return Blocks(*map(task, self.tables))

    def iter_batches(self, **_):
        """Return the tables."""
        return iter(self.tables)


class Delayed:
    """Dask's way to say what is computed later, done at once."""

    config = SimpleNamespace(get=lambda _, default: default)

    @staticmethod
    def delayed(task, pure):
        """Return the task."""
        assert not pure
        return task

    @staticmethod
    def compute(value):
        """Return what was computed."""
        return (value,)


@pytest.fixture
def stand_ins(monkeypatch):
    """Put stand-ins in place of Dask and Ray."""
    monkeypatch.setitem(sys.modules, "dask", Delayed())
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace())
    monkeypatch.setitem(FRAMES, "test_engines.Parts", "dask")
    monkeypatch.setitem(FRAMES, "test_engines.Blocks", "ray")
    for kind in (Parts, Blocks):
        monkeypatch.setattr(kind, "__module__", "test_engines")


TABLE = pd.DataFrame({"actual": [0, 1, 1, 0], "prob": [0.1, 0.8, 0.6, 0.3]})
EMPTY = pa.schema({"actual": pa.int64(), "prob": pa.float64()})


@pytest.mark.parametrize(
    "frame",
    [
        Parts(TABLE[:0]),
        Parts(TABLE[:0], TABLE[:0]),
        Blocks(),
        Blocks(schema=EMPTY),
        Blocks(EMPTY.empty_table()),
        pa.RecordBatchReader.from_batches(EMPTY, []),
    ],
    ids=["dask", "dask-parts", "ray", "ray-schema", "ray-block", "stream"],
)
@pytest.mark.usefixtures("stand_ins")
def test_a_frame_without_rows_is_refused(frame):
    """Whether it has partitions without rows, or none."""
    with refused(InputError, "no-rows"):
        read(frame)


@pytest.mark.usefixtures("stand_ins")
def test_a_first_partition_without_rows_tells_nothing():
    """What columns are is seen in the next one."""
    data = read(Parts(TABLE[:0].astype({"actual": object}), TABLE[:1], TABLE[1:]))
    assert data.total == 4
    assert data.classes == ("0", "1")


class Distributed:
    """Dask's package of clients, of which none is connected."""

    @staticmethod
    def get_client():
        """Refuse as Dask does."""
        raise ValueError("No clients found")

    class Client:
        """A client that finds no scheduler behind what listens."""

        def __init__(self, address, timeout):
            raise OSError(f"Timed out trying to connect to {address} after {timeout}")


@pytest.mark.parametrize("way", ["engine", "configuration"])
@pytest.mark.parametrize("at", ["127.0.0.1:1", "nowhere.invalid:8786", "scheduler", "[::1]:1"])
@pytest.mark.usefixtures("stand_ins")
def test_a_missing_scheduler_is_told_at_once(tmp_path, monkeypatch, way, at):
    """Where nothing listens Dask itself is not asked: it would try for half a minute."""
    monkeypatch.setitem(sys.modules, "distributed", Distributed())
    configured = SimpleNamespace(get=lambda *_: f"tcp://{at}")
    monkeypatch.setattr(Delayed, "config", configured if way != "engine" else Delayed.config)
    parquet.write_table(pa.Table.from_pandas(TABLE), tmp_path / "t.parquet")
    begin = time.monotonic()
    with refused(InputError, "no-engine", at):
        read(tmp_path / "t.parquet", engine="dask" if way != "engine" else f"dask://{at}")
    assert time.monotonic() - begin < 5 + LISTENER_SECONDS


@pytest.mark.usefixtures("stand_ins")
def test_what_listens_may_be_no_scheduler(tmp_path, monkeypatch):
    """Then Dask gives up, and so does this."""
    monkeypatch.setitem(sys.modules, "distributed", Distributed())
    parquet.write_table(pa.Table.from_pandas(TABLE), tmp_path / "t.parquet")
    with socket.create_server(("127.0.0.1", 0)) as server:
        at = f"127.0.0.1:{server.getsockname()[1]}"
        with refused(InputError, "no-engine", at):
            read(tmp_path / "t.parquet", engine=f"dask://{at}")


class Session:
    """A session of Spark whose catalog has one table; it holds no rows."""

    class NotFoundError(Exception):
        """What Spark raises for a table that it does not know."""

    names = ("predictions", "ml.scores", "lake.ml.scores", "delta.`/shared/2026`")

    @classmethod
    def table(cls, name):
        """Return a table by its name."""
        if name not in cls.names:
            raise cls.NotFoundError(f"[TABLE_OR_VIEW_NOT_FOUND] {name} cannot be found.\nPlan: ...")
        return Blocks(pa.Table.from_pandas(TABLE))


@pytest.fixture
def spark(monkeypatch):
    """Put a stand-in in place of Spark, whose frames are those of the stand-in of Ray."""
    builder = SimpleNamespace(getOrCreate=lambda: Session)
    sql = SimpleNamespace(SparkSession=SimpleNamespace(builder=builder))
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "pyspark.sql", sql)
    errors = SimpleNamespace(PySparkException=Session.NotFoundError)
    monkeypatch.setitem(sys.modules, "pyspark.errors", errors)


@pytest.mark.parametrize("name", Session.names)
@pytest.mark.usefixtures("stand_ins", "spark")
def test_a_table_of_spark_by_its_name(name):
    """Of the session's catalog: Hive, Delta and Iceberg have names of the same form."""
    assert read(name, engine="spark").total == 4
    assert read([Path(name)], engine="spark").classes == ("0", "1")


@pytest.mark.parametrize("name", ["ml.nothing", "a.b.c.d", "scores.csv", "ml scores"])
@pytest.mark.usefixtures("stand_ins", "spark")
def test_what_spark_does_not_know_either(name, tmp_path, monkeypatch):
    """It is no file, and no table; what is named as a file is not looked for in Spark."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises((InputError, MissingExtraError)) as raised:
        read(name, engine="spark")
    assert ("table of Spark" in str(raised.value)) == (name == "ml.nothing")


@pytest.mark.usefixtures("stand_ins", "spark")
def test_a_file_of_that_name_counts_first(tmp_path, monkeypatch):
    """A folder of files may be called as a table is."""
    monkeypatch.chdir(tmp_path)
    Path("predictions").mkdir()
    assert table_of_engine("predictions", "spark") is None
    assert table_of_engine("ml.scores", "counts") is None
