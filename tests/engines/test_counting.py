"""Rows counted by Dask, Ray and Spark: the numbers of one machine, also when workers die."""

import os
import signal
import time
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import plumbline as pb
from plumbline.calibration import define_error, statistic, value_of
from plumbline.errors import InputError, ParameterError
from plumbline.frames import read
from refusals import refused

pytestmark = pytest.mark.engines

ROWS, FILES = 60_000, 6
NAMES = ["dask", "ray", "spark"]


@pytest.fixture(scope="module")
def rows():
    """Return rows of two models, of which the first is a little too sure."""
    rng = np.random.default_rng(3)
    prob = rng.beta(0.5, 1.5, ROWS)
    hit = rng.random(ROWS) < 0.8 * prob + 0.05
    model = np.where(np.arange(ROWS) % 3, "a", "b")
    return pa.table({"actual": np.where(hit, "yes", "no"), "p:yes": prob, "model": model})


@pytest.fixture(scope="module")
def files(rows, tmp_path_factory):
    """Return the rows as several files of several row groups."""
    folder = tmp_path_factory.mktemp("rows")
    size = ROWS // FILES
    for number in range(FILES):
        part = rows.slice(number * size, size)
        parquet.write_table(part, folder / f"{number}.parquet", row_group_size=3000)
    return f"{folder}/*.parquet"


@pytest.fixture
def host(request, dask_cluster):
    """Return what runs the rows of an engine: (its name for files, makes a frame of pandas)."""
    name = request.param
    if name == "dask":
        import dask.dataframe as dd

        with dask_cluster.get_client():
            address = dask_cluster.scheduler_address.removeprefix("tcp://")
            yield f"dask://{address}", partial(dd.from_pandas, npartitions=5)
    elif name == "ray":
        library = request.getfixturevalue("ray")
        yield "ray", lambda frame: library.data.from_pandas(frame).repartition(5)
    else:
        session = request.getfixturevalue("spark")
        yield "spark", lambda frame: session.createDataFrame(frame).repartition(5)


every_engine = pytest.mark.parametrize("host", NAMES, indirect=True)


def assert_same(one, other):
    """The counts of every level are equal, the numbers to 1e-12."""
    assert (one.classes, one.positive, one.models) == (other.classes, other.positive, other.models)
    assert one.weight.sum() == other.weight.sum()
    for model in one.models:
        a, b = one.select(model=[model]), other.select(model=[model])
        assert np.array_equal(a.weight, b.weight)
        assert np.allclose(a.prob, b.prob, rtol=0, atol=1e-12)
        for score in (pb.brier_score, pb.log_loss, pb.accuracy):
            assert score(a) == pytest.approx(score(b), abs=1e-12, rel=0)
        for bins in (15, 7):
            ece = [value_of(statistic(data, define_error(data, bins=bins))) for data in (a, b)]
            assert ece[0] == pytest.approx(ece[1], abs=1e-12, rel=0)


@every_engine
def test_files_are_counted_as_here(host, files):
    """Several tasks, of which each reads some of the row groups."""
    assert_same(read(files, engine=host[0]), read(files, engine="counts"))


@every_engine
def test_frames_are_counted_where_they_are(host, rows, files):
    """With columns that are no part of the table left out, and as rows with engine="memory"."""
    frame = host[1](rows.to_pandas().assign(noise=1.0))
    with pytest.warns(match="not read"):
        one = read(frame)
    assert_same(one, read(files, engine="counts"))
    assert read(host[1](rows.to_pandas()), engine="memory").n == ROWS


@every_engine
@pytest.mark.parametrize("view", ["top-label", "one-vs-rest:2", "all-classes"])
def test_views_of_more_classes(host, tmp_path, view):
    """Of a column a class in files, and of lists in frames."""
    rng = np.random.default_rng(0)
    prob = rng.dirichlet([0.5] * 4, 2000)
    label = (prob.cumsum(axis=1) < rng.random((2000, 1))).sum(axis=1).clip(0, 3)
    wide = {f"p:{j}": prob[:, j] for j in range(4)}
    parquet.write_table(pa.table({"actual": label, **wide}), tmp_path / "t.parquet")
    here = read(tmp_path / "t.parquet", view=view, engine="counts")
    frame = pd.DataFrame({"actual": label, "y_prob": prob.tolist()})
    if host[0].startswith("dask"):  # which makes texts of other lists
        frame["y_prob"] = frame["y_prob"].astype(pd.ArrowDtype(pa.list_(pa.float64())))
    for one in (
        read(tmp_path / "t.parquet", view=view, engine=host[0]),
        read(host[1](frame), view=view),
    ):
        assert (one.classes, one.total) == (here.classes, 2000)
        assert np.array_equal(one.weight, here.weight)
        for score in (pb.brier_score, pb.log_loss, pb.accuracy):
            assert score(one) == pytest.approx(score(here), abs=1e-12, rel=0)


@every_engine
def test_bad_rows_of_files_are_named(host, tmp_path):
    """By file and row, whoever read it."""
    prob = np.full(5000, 0.5)
    prob[4321] = 1.5
    parquet.write_table(pa.table({"actual": [0, 1] * 2500, "p:1": prob}), tmp_path / "t.parquet")
    with refused(InputError, "bad-rows", "row 4321 of", "t.parquet"):
        read(tmp_path / "t.parquet", engine=host[0])


@every_engine
def test_bad_rows_of_frames_are_named(host):
    """By partition and row."""
    frame = pd.DataFrame({"actual": [0, 1] * 500, "p:1": np.full(1000, 0.5)})
    frame.loc[930, "p:1"] = np.nan
    with refused(InputError, "bad-rows", "in row "):
        read(host[1](frame))


@every_engine
def test_what_a_worker_refuses_is_refused_here(host):
    """With the words and the code of the library."""
    frame = pd.DataFrame({"actual": [0, 1] * 50, "p:1": ["a half"] * 100})
    with refused(InputError, "number-as-text"):
        read(host[1](frame))
    many = pd.DataFrame({"actual": [0, 1] * 150, "p:1": 0.5, "fold": range(300)})
    with refused(InputError, "too-many-groups"):
        read(host[1](many))


def test_a_frame_is_counted_by_its_own_engine(spark):
    """Another one is refused."""
    frame = spark.createDataFrame(pd.DataFrame({"actual": [0, 1], "p:1": [0.2, 0.3]}))
    with refused(ParameterError, "engine-of-frame"):
        read(frame, engine="ray")


def fatal_once(mark):
    """Return a map of batches that kills its process the first time; workers get it by value."""

    def run(batch):
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return batch

    return run


def test_a_killed_worker_of_dask_changes_nothing(dask_cluster, rows, files, tmp_path):
    """The partitions it held are read again elsewhere."""
    import dask.dataframe as dd

    with dask_cluster.get_client():
        frame = dd.from_pandas(rows.to_pandas(), npartitions=8)
        frail = frame.map_partitions(fatal_once(tmp_path / "mark"), meta=frame._meta)
        assert_same(read(frail), read(files, engine="counts"))
    assert (tmp_path / "mark").exists()


def test_a_killed_worker_of_ray_changes_nothing(ray, rows, files, tmp_path):
    """The blocks it held are read again elsewhere."""
    frail = ray.data.from_arrow(rows.slice(0, ROWS)).repartition(8)
    frail = frail.map_batches(
        fatal_once(tmp_path / "mark"), batch_format="pyarrow", batch_size=None
    )
    assert_same(read(frail), read(files, engine="counts"))
    assert (tmp_path / "mark").exists()


def test_a_killed_worker_of_spark_changes_nothing(spark, rows, files, tmp_path):
    """Its task is run again by another Python process."""
    frame = spark.createDataFrame(rows.to_pandas()).repartition(8)
    kill = fatal_once(tmp_path / "mark")
    frail = frame.mapInArrow(lambda batches: map(kill, batches), frame.schema)
    assert_same(read(frail), read(files, engine="counts"))
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize("name", ["predictions", "ml.predictions", "spark_catalog.ml.predictions"])
def test_a_table_of_spark_goes_by_its_name(spark, rows, files, name):
    """In the catalog of the session, with and without its database."""
    spark.sql("create database if not exists ml")
    if name == "predictions":
        spark.createDataFrame(rows.to_pandas()).createOrReplaceTempView(name)
    else:
        spark.createDataFrame(rows.to_pandas()).write.mode("overwrite").saveAsTable(
            "ml.predictions"
        )
    assert_same(read(name, engine="spark"), read(files, engine="counts"))
    with refused(InputError, "no-such-file", "ml.nothing"):
        read("ml.nothing", engine="spark")


def test_frames_without_rows_are_refused(spark, ray):
    """Whether they have no partition, or partitions without rows."""
    import dask.dataframe

    empty = pd.DataFrame({"actual": np.array([], int), "prob": np.array([], float)})
    frames = [
        spark.createDataFrame([], "actual int, prob double"),
        spark.range(2).selectExpr("id as actual", "0.5D as prob").where("actual > 5"),
        ray.data.from_items([]),
        ray.data.from_pandas(empty),
        dask.dataframe.from_pandas(empty, npartitions=1),
    ]
    for frame in frames:
        with refused(InputError, "no-rows"):
            read(frame)


def test_no_scheduler_is_refused(files):
    """With the address that was tried, at once."""
    begin = time.monotonic()
    with refused(InputError, "no-engine", "127.0.0.1:1"):
        read(files, engine="dask://127.0.0.1:1")
    assert time.monotonic() - begin < 10
