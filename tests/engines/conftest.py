"""Engines started once for all tests: Dask in several processes, Ray and Spark on this machine."""

import os
import sys

import pytest


@pytest.fixture(scope="module")
def dask_cluster():
    """Return a scheduler with two workers, each a process."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def ray():
    """Start Ray on two cores of this machine."""
    import ray as library

    library.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield library
    library.shutdown()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """Return a session on two threads, in which a task may die twice."""
    from pyspark import sql

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        sql.SparkSession.builder.master("local[2,3]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    yield session
    session.stop()
