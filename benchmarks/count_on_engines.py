"""Seconds to start an engine and to count a file: count_on_engines.py counts|dask|ray|spark FILE.

Dask and Ray get two processes, Spark two threads of this machine. Run it in `.venv-engines`, which
`make test-engines` makes.
"""

import os
import sys
import time

from plumbline.frames import read


def start(name):
    """Start an engine here, and give it a first task."""
    if name == "dask":
        from distributed import LocalCluster

        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        cluster.get_client().submit(len, [1]).result()
    elif name == "ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    elif name == "spark":
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder.getOrCreate().range(1).count()


def main():
    """Print both times."""
    name, file = sys.argv[1:]
    begin = time.perf_counter()
    start(name)
    ready = time.perf_counter()
    rows = read(file, engine=name).weight.sum()
    done = time.perf_counter()
    print(f"{name}: start {ready - begin:.1f} s, count {done - ready:.1f} s, {rows:,.0f} rows")


if __name__ == "__main__":
    main()
