"""Tables in files: errors, areas and curves beside DuckDB and Polars by hand, and whole commands.

python benchmarks/bench_scale.py [ROWS ...]

Arguments are numbers of rows, by default 1e6, 5e6, 5e7 and 2e8. Commands run at each of them, for
the table of growth. The comparison is timed at the largest up to 5e7, and has floors from 5e7 rows
on. Each task runs in a fresh process, start included, and once more in a process that has done it
before ("warm"): seconds, seconds of the CPU, and the peak memory.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from timing import compare, finish

AT_ONCE = 50_000_000  # rows of a file; more rows are several links to it
FULL = 50_000_000  # rows from which on ratios have floors
SIZES = (1_000_000, 5_000_000, 50_000_000, 200_000_000)
COMMANDS = ("scores", "calibration", "test", "curve --preset roc")
SECONDS, MEGABYTES = 6.0, 600.0  # the most of a whole command
BINS = "least(greatest(ceil(p * 15) - 1, 0), 14)"
ROWS_OF = """(select "actual" y, "p:1" p from FILE)"""
CELLS = f"""(select floor(p * 1000000) k, count(*)::double n, sum(y)::double y
    from {ROWS_OF} group by k)"""
DUCKDB = {
    "ECE": f"""select sum(abs(y - s)) / sum(n) from (select count(*) n, sum(y::double) y,
        sum(p::double) s from {ROWS_OF} group by {BINS})""",
    "AUC": f"""select sum(y * (below + (n - y) / 2.0)) / (sum(y) * sum(n - y)) from (select *,
        coalesce(sum(n - y) over (order by k rows between unbounded preceding and 1 preceding), 0)
        below from {CELLS})""",
    "ROC": f"""select sum(n - y) over (order by k desc) fp, sum(y) over (order by k desc) tp
        from {CELLS} order by k desc""",
}
POLARS = """import polars as pl
p, y = pl.col('p:1').cast(pl.Float64), pl.col('actual').cast(pl.Int64)
def cells():
    t = pl.scan_parquet(FILE).group_by((p * 1e6).floor().alias('k'))
    t = t.agg(n=pl.len().cast(pl.Float64), y=y.sum().cast(pl.Float64))
    return t.collect(engine='streaming')
def task():
"""
# What a user of each would write; `task` returns a number, so that nobody leaves work undone.
TASKS = {
    ("ours", "ECE"): "import plumbline as pb\n"
    "from plumbline.calibration import define_error, statistic, value_of\n"
    "def task():\n"
    "    data = pb.read(FILE, engine='counts', levels=360)\n"
    "    return float(value_of(statistic(data, define_error(data, bins=15))))",
    ("ours", "AUC"): "import plumbline as pb\n"
    "def task(): return pb.roc_auc(pb.read(FILE, engine='counts'))",
    ("ours", "ROC"): "import plumbline as pb\n"
    "def task():\n"
    "    curve = pb.curve(pb.read(FILE, engine='counts'), x='FPR', y='TPR')\n"
    "    return curve.lines[0].y.sum()",
    ("DuckDB", "ECE"): "import duckdb\ndef task(): return duckdb.sql(SQL).fetchall()[0][0]",
    ("DuckDB", "AUC"): "import duckdb\ndef task(): return duckdb.sql(SQL).fetchall()[0][0]",
    ("DuckDB", "ROC"): "import duckdb\ndef task():\n"
    "    t = duckdb.sql(SQL).fetchnumpy()\n"
    "    return (t['tp'] / t['tp'][-1]).sum() + 0 * (t['fp'] / t['fp'][-1]).sum()",
    ("Polars", "ECE"): POLARS + "    bins = ((p * 15).ceil() - 1).clip(0, 14)\n"
    "    sums = pl.scan_parquet(FILE).group_by(bins.alias('k')).agg(n=pl.len(), s=(y - p).sum())\n"
    "    t = sums.collect(engine='streaming')\n"
    "    return t['s'].abs().sum() / t['n'].sum()",
    ("Polars", "AUC"): POLARS + "    t = cells().sort('k')\n"
    "    miss = t['n'] - t['y']\n"
    "    return (t['y'] * (miss.cum_sum() - miss / 2)).sum() / (t['y'].sum() * miss.sum())",
    ("Polars", "ROC"): POLARS + "    t = cells().sort('k', descending=True)\n"
    "    tp, fp = t['y'].cum_sum(), (t['n'] - t['y']).cum_sum()\n"
    "    return (tp / tp[-1]).sum() + 0 * (fp / fp[-1]).sum()",
}
# (theirs / ours), fresh and warm. A fresh process of ours imports Arrow and numba for a second.
FLOORS = {
    ("ECE", "DuckDB"): (0.4, 1 / 1.2),
    ("AUC", "DuckDB"): (0.5, 1.0),
    ("ROC", "DuckDB"): (0.5, 1.0),
}
RUN = """
print(task())
if WARM:
    import json, resource, time
    start = time.perf_counter(), time.process_time()
    value = task()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    end = time.perf_counter(), time.process_time()
    print(json.dumps([end[0] - start[0], end[1] - start[1], used, str(value)]))
"""
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
took = time.perf_counter() - start
print(json.dumps([took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3, run.stdout]))
"""


class Cost(NamedTuple):
    """What a task took, and what it printed."""

    seconds: float
    cpu: float
    megabytes: float
    text: str


def cost_of(words: list[str]) -> Cost:
    """Return the cost of a fresh process."""
    run = [sys.executable, "-c", COST, *words]
    done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True)
    return Cost(*json.loads(done.stdout))


def costs_of(body: str, sql: str, file: str) -> dict[str, Cost]:
    """Return the cost of a task in a fresh process, and in one that has done it before."""
    body = body.replace("SQL", repr(sql)).replace("FILE", repr(file))
    fresh, again = (
        cost_of([sys.executable, "-c", body + RUN.replace("WARM", str(warm))])
        for warm in (False, True)
    )
    return {"fresh": fresh, "warm": Cost(*json.loads(again.text.splitlines()[-1]))}


def made(folder: str, rows: int) -> list[str]:
    """Return the paths of files of so many rows together."""
    size = min(rows, AT_ONCE)
    file = f"{folder}/{size}.parquet"
    if not Path(file).exists():
        text = MAKE.replace("ROWS", str(size)).replace("FILE", repr(file))
        subprocess.run([sys.executable, "-c", text], check=True)
    links = [f"{folder}/{size}-{number}.parquet" for number in range(2, rows // size + 1)]
    for link in links:
        if not Path(link).exists():
            os.link(file, link)
    return [file, *links]


def beside(file: str, rows: int) -> None:
    """Time the same by hand, and print our ratios."""
    costs = {}
    for (who, what), body in TASKS.items():
        sql = DUCKDB[what].replace("FILE", f"'{file}'")
        costs[who, what] = costs_of(body, sql, file)
        for how, cost in costs[who, what].items():
            show(rows, f"{what}, {who}, {how}", cost, cost.text.split()[-1])
    print()
    for what in DUCKDB:
        for who in ("DuckDB", "Polars"):
            for place, how in enumerate(("fresh", "warm")):
                least = FLOORS.get((what, who), (None, None))[place] if rows >= FULL else None
                ours, theirs = costs["ours", what][how], costs[who, what][how]
                name = f"{what}, {rows:,} rows, {how}"
                cpu = f"CPU {ours.cpu:.2f} and {theirs.cpu:.2f} s"
                compare(name, ours.seconds, who, theirs.seconds, least=least, more=cpu)


def show(rows: int, name: str, cost: Cost, value: str = "") -> None:
    """Print a line."""
    print(
        f"{rows:>12,}  {name:<24}{cost.seconds:>8.2f}{cost.cpu:>8.2f}{cost.megabytes:>7.0f}  "
        f"{value}",
        flush=True,
    )


def main(sizes: list[int]) -> None:
    """Print all tables."""
    program = str(Path(sys.executable).parent / "plumbline")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'rows':>12}  {'task':<24}{'s':>8}{'CPU s':>8}{'MB':>7}  value")
    with tempfile.TemporaryDirectory() as folder:
        whole = {}
        for rows in sizes:
            files = made(folder, rows)
            for command in COMMANDS:
                name, *rest = command.split()
                cost = cost_of([program, name, *files, "--engine", "counts", *rest])
                whole[rows, name] = cost
                show(rows, f"plumbline {name}", cost)
        largest = max((rows for rows in sizes if rows <= AT_ONCE), default=0)
        if largest:
            beside(made(folder, largest)[0], largest)
    for (rows, name), cost in whole.items():
        if rows == FULL and name != "curve":
            task = f"plumbline {name}, {rows:,} rows"
            compare(task, cost.seconds, "limit", SECONDS)
        if rows >= FULL:
            task = f"plumbline {name}, {rows:,} rows"
            compare(task, cost.megabytes, "limit", MEGABYTES, unit="MB")
    finish()


if __name__ == "__main__":
    main([int(float(size)) for size in sys.argv[1:]] or list(SIZES))
