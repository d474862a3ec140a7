"""Whole commands as rows and classes grow, in memory and counted, beside peers that do one part.

python benchmarks/growth.py [ROWSxCLASSES ...]

By default 1e5, 1e6, 1e7 and 5e7 rows of two classes, 1e5 and 1e6 of ten, 1e5 of a hundred. Each
cell is one fresh process, start included: processor seconds (user and system) and peak memory; of
more than two classes a counted `test` is that of the top label. Beside them stands what reading the
table takes with pyarrow, and of two classes a query by DuckDB and by Polars for its ECE and AUC; of
more, they average the largest probability.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_scale import DUCKDB, TASKS, cost_of, made

TABLES = ("1e5x2", "1e6x2", "1e7x2", "5e7x2", "1e5x10", "1e6x10", "1e5x100")
WAYS = {"memory": 1e7, "counts": 5e7}  # the most rows: more in memory take minutes
MOST_REPORTED = 1e6  # or planned, in memory
COMMANDS = ("scores", "test", "report --out report.html", "plan")
READ = "from pyarrow import parquet\nprint(parquet.read_table(FILE).num_rows)"
MAKE = """
import numpy as np, pyarrow as pa
from pyarrow import parquet
rng, writer = np.random.default_rng(1), None
for start in range(0, ROWS, 100_000):
    grown = np.exp(rng.normal(0, 1.5, (100_000, CLASSES)))
    prob = grown / grown.sum(axis=1, keepdims=True)
    hit = (prob.cumsum(axis=1) < rng.random((100_000, 1))).sum(axis=1).clip(0, CLASSES - 1)
    columns = {f"p:{c}": prob[:, c].astype(np.float32) for c in range(CLASSES)}
    table = pa.table({"actual": hit.astype(np.int16), **columns})
    writer = writer or parquet.ParquetWriter(FILE, table.schema, compression="zstd")
    writer.write_table(table)
writer.close()
"""


def table_of(folder: str, rows: int, classes: int) -> str:
    """Return the path of a table of so many rows and classes."""
    if classes == 2:
        return made(folder, rows)[0]
    file = f"{folder}/{rows}x{classes}.parquet"
    text = MAKE.replace("ROWS", str(rows)).replace("CLASSES", str(classes))
    subprocess.run([sys.executable, "-c", text.replace("FILE", repr(file))], check=True)
    return file


def peers(file: str, classes: int) -> dict[str, str]:
    """Return programs by what a row of the page calls them."""
    result = {"pyarrow reads": READ}
    if classes == 2:
        for who, what in (
            ("DuckDB", "ECE"),
            ("DuckDB", "AUC"),
            ("Polars", "ECE"),
            ("Polars", "AUC"),
        ):
            result[f"{who}, {what}"] = TASKS[who, what] + "\nprint(task())"
    else:
        names = ", ".join(f'"p:{c}"' for c in range(classes))
        query = f"select avg(greatest({names})) from '{file}'"
        result["DuckDB, mean top"] = f"import duckdb\nprint(duckdb.sql({query!r}).fetchall())"
        result["Polars, mean top"] = (
            "import polars as pl\ntop = pl.max_horizontal(pl.col('^p:.*$')).mean()\n"
            "print(pl.scan_parquet(FILE).select(top).collect(engine='streaming'))"
        )
    return result


def main(sizes: list[str]) -> None:
    """Print a line a command and table."""
    program = str(Path(sys.executable).parent / "plumbline")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("| rows | classes | command | CPU s | MB |\n|---|---|---|---|---|")

    def line(rows: int, classes: int, name: str, words: list[str]) -> None:
        cost = cost_of(words)
        print(
            f"| {rows:,} | {classes} | {name} | {cost.cpu:.2f} | {cost.megabytes:,.0f} |",
            flush=True,
        )

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for size in sizes:
            rows, classes = (int(float(part)) for part in size.split("x"))
            file = table_of(folder, rows, classes)
            for name, code in peers(file, classes).items():
                sql = DUCKDB.get(name.rpartition(" ")[2], "").replace("FILE", f"'{file}'")
                text = code.replace("SQL", repr(sql)).replace("FILE", repr(file))
                line(rows, classes, name, [sys.executable, "-c", text])
            for command in COMMANDS:
                name, *rest = command.split()
                for way, most in WAYS.items():
                    if name in ("report", "plan"):  # of two classes
                        most = min(most, MOST_REPORTED) if way == "memory" else most
                        most *= classes == 2
                    if rows <= most:
                        words = [program, name, file, "--engine", way, *rest]
                        line(rows, classes, f"`{name}`, {way}", words)
            Path(file).unlink()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time in all")


if __name__ == "__main__":
    main(sys.argv[1:] or list(TABLES))
