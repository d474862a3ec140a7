"""Tables in files: errors and areas beside DuckDB and Polars by hand, and whole commands.

Each task runs in a fresh process, start included: seconds of the wall clock and of the CPU, and the
peak memory. Arguments are numbers of rows, by default 1e6 and 5e6; 5e7 takes some minutes.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BINS = "least(greatest(ceil(p * 15) - 1, 0), 14)"
DUCKDB = {
    "ece": f"""select sum(abs(y - s)) / sum(n) from (select count(*) n, sum(y::double) y,
        sum(p::double) s from (select "actual" y, "p:1" p from FILE) group by {BINS})""",
    "auc": """select sum(y * (below + (n - y) / 2.0)) / (sum(y) * sum(n - y)) from (select *,
        coalesce(sum(n - y) over (order by k rows between unbounded preceding and 1 preceding), 0)
        below from (select floor(p * 1000000) k, count(*)::double n, sum(y)::double y from
        (select "actual" y, "p:1" p from FILE) group by k))""",
}
TASKS = {
    "ours: read": "import plumbline as pb; pb.read(FILE, engine='counts')",
    "ours: ece": "import plumbline as pb; from plumbline.calibration import *\n"
    "data = pb.read(FILE, engine='counts')\n"
    "print(float(value_of(statistic(data, define_error(data, bins=15)))))",
    "ours: auc": "import plumbline as pb; print(pb.roc_auc(pb.read(FILE, engine='counts')))",
    "duckdb: ece": "import duckdb; print(duckdb.sql(SQL_ECE).fetchall()[0][0])",
    "duckdb: auc": "import duckdb; print(duckdb.sql(SQL_AUC).fetchall()[0][0])",
    "polars: ece": "import polars as pl\n"
    "p, y = pl.col('p:1').cast(pl.Float64), pl.col('actual').cast(pl.Int64)\n"
    "bins = ((p * 15).ceil() - 1).clip(0, 14)\n"
    "sums = pl.scan_parquet(FILE).group_by(bins.alias('k')).agg(n=pl.len(), s=(y - p).sum())\n"
    "table = sums.collect(engine='streaming')\n"
    "print(table['s'].abs().sum() / table['n'].sum())",
    "polars: auc": "import polars as pl\n"
    "p, y = pl.col('p:1').cast(pl.Float64), pl.col('actual').cast(pl.Int64)\n"
    "cells = pl.scan_parquet(FILE).group_by((p * 1e6).floor().alias('k'))\n"
    "t = cells.agg(n=pl.len().cast(pl.Float64), y=y.sum().cast(pl.Float64))\n"
    "t = t.collect(engine='streaming').sort('k')\n"
    "miss = t['n'] - t['y']\n"
    "print((t['y'] * (miss.cum_sum() - miss / 2)).sum() / (t['y'].sum() * miss.sum()))",
}
COMMANDS = ("scores", "calibration", "test", "curve --preset roc")
MAKE = """
import numpy as np, pyarrow as pa
from pyarrow import parquet
rng, writer = np.random.default_rng(1), None
for start in range(0, ROWS, 5_000_000):
    z = rng.normal(-1, 1.5, min(5_000_000, ROWS - start))
    hit = rng.random(len(z)) < 1 / (1 + np.exp(-0.9 * z - 0.05))
    table = pa.table({"actual": hit.astype(np.int8), "p:1": 1 / (1 + np.exp(-z))})
    writer = writer or parquet.ParquetWriter(FILE, table.schema, compression="zstd")
    writer.write_table(table, row_group_size=1_000_000)
writer.close()
"""
COST = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
run = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cost = [time.perf_counter() - start, used.ru_utime, used.ru_maxrss / 1e3]
print(json.dumps([*cost, run.stdout]))
"""


def cost_of(words: list[str]) -> list[float | str]:
    """Return seconds, CPU seconds and MB of a fresh process, and what it printed."""
    run = [sys.executable, "-c", COST, *words]
    done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True)
    return list(json.loads(done.stdout))


def main(sizes: list[int]) -> None:
    """Print a table for each number of rows."""
    program = str(Path(sys.executable).parent / "plumbline")
    print(f"{os.cpu_count()} cores\n{'rows':>12}  {'task':<22}{'s':>8}{'CPU s':>8}{'MB':>7}  value")
    with tempfile.TemporaryDirectory() as folder:
        for rows in sizes:
            file = f"{folder}/t.parquet"
            text = MAKE.replace("ROWS", str(rows)).replace("FILE", repr(file))
            subprocess.run([sys.executable, "-c", text], check=True)
            for name, body in TASKS.items():
                for key, sql in DUCKDB.items():
                    query = repr(sql.replace("FILE", f"'{file}'"))
                    body = body.replace(f"SQL_{key.upper()}", query)
                took = cost_of([sys.executable, "-c", body.replace("FILE", repr(file))])
                show(rows, name, took, str(took[3]).strip())
            for command in COMMANDS:
                name, *rest = command.split()
                words = [program, name, file, "--engine", "counts", *rest]
                show(rows, f"plumbline {name}", cost_of(words), "")


def show(rows: int, name: str, took: list[float | str], value: str) -> None:
    """Print a line."""
    wall, cpu, memory = map(float, took[:3])
    print(f"{rows:>12,}  {name:<22}{wall:>8.2f}{cpu:>8.2f}{memory:>7.0f}  {value}", flush=True)


if __name__ == "__main__":
    main([int(float(size)) for size in sys.argv[1:]] or [1_000_000, 5_000_000])
