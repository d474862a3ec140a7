"""The SQL that counts rows, run by Spark and by PostgreSQL: the numbers of the rows in memory."""

import csv
import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv
from pyarrow import parquet

import plumbline as pb
from plumbline.calibration import define_error, statistic, value_of

pytestmark = pytest.mark.engines
KINDS = {np.float32: "REAL", np.float64: "DOUBLE PRECISION"}
DEBIAN = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))  # not on the PATH there
EDGES = (7, 10, 15, 20, 25, 50, 100)


def rows(kind):
    """Return rows at every edge of some bins, beside these, and at random."""
    rng = np.random.default_rng(3)
    edge = np.concatenate([np.arange(bins + 1) / bins for bins in EDGES]).astype(kind)
    beside = [np.nextafter(edge, kind(0)), np.nextafter(edge, kind(1))]
    prob = np.concatenate([edge, *beside, rng.beta(0.5, 1.5, 3000).astype(kind)])
    hit = rng.random(len(prob)) < 0.8 * prob + 0.05
    fold = np.arange(len(prob)) % 2
    return pa.table({"actual": np.where(hit, "yes", "no"), "p:yes": prob, "fold": fold})


def assert_same(path, table):
    """Errors of binned probabilities are equal, in each fold.

    In single precision a row at an edge is moved to the edge in double precision: 3e-8 at most.
    """
    data, other = pb.read(path), pb.Predictions.from_frame(table)
    assert (data.classes, data.folds, data.total) == (other.classes, other.folds, other.n)
    near = 1e-12 if pa.types.is_float64(table.schema.field("p:yes").type) else 3e-8
    for fold in other.folds:
        for bins in EDGES:
            found, expected = (
                float(value_of(statistic(part, define_error(part, bins=bins))))
                for part in (data.select(fold=[fold]), other.select(fold=[fold]))
            )
            assert found == pytest.approx(expected, abs=near)


def query(dialect, kind):
    """Return the SQL for a table of that name."""
    single = kind is np.float32
    return pb.sql("scores", dialect=dialect, prob={"p:yes": "yes"}, by=["fold"], single=single)


@pytest.mark.parametrize("kind", KINDS)
def test_spark_counts_the_rows(spark, tmp_path, kind):
    """With the SQL of Databricks."""
    table = rows(kind)
    parquet.write_table(table, tmp_path / "t.parquet")
    spark.read.parquet(str(tmp_path / "t.parquet")).createOrReplaceTempView("scores")
    lines = [line.asDict() for line in spark.sql(query("databricks", kind)).collect()]
    with (tmp_path / "result.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    assert_same(tmp_path / "result.csv", table)


class Postgres:
    """A server of its own in a folder, reached through a socket there."""

    def __init__(self, folder):
        self.folder = folder
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(folder, "postgres")

    def run(self, name, *words, text=None):
        """Run a program of PostgreSQL and return what it prints."""
        program = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *DEBIAN]))
        assert program is not None, f"{name} is missing: install PostgreSQL (Debian: postgresql)"
        done = subprocess.run(
            [*self.user, program, *words],
            input=text,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=self.folder,
        )
        return done.stdout

    def server(self, *words):
        """Start or stop it."""
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-s", "-w", *words)

    def psql(self, query, text=None):
        """Run a query; the answer is CSV."""
        host = ["-h", str(self.folder), "-d", "postgres"]
        return self.run("psql", *host, "--csv", "-v", "ON_ERROR_STOP=1", "-qc", query, text=text)


@pytest.fixture(scope="module")
def postgres():
    """Return a running server; its folder has a short name, as sockets must have."""
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder))
        server.run("initdb", "-D", f"{folder}/data", "-A", "trust")
        server.server("-o", f"-k {folder} -c listen_addresses=''", "start")
        yield server
        server.server("-m", "immediate", "stop")


@pytest.mark.parametrize("kind", KINDS)
def test_postgres_counts_the_rows(postgres, tmp_path, kind):
    """From a table of either precision."""
    table = rows(kind)
    content = io.BytesIO()
    arrow_csv.write_csv(table, content)
    postgres.psql("DROP TABLE IF EXISTS scores")
    postgres.psql(f'CREATE TABLE scores (actual text, "p:yes" {KINDS[kind]}, fold int)')
    postgres.psql("COPY scores FROM STDIN WITH (FORMAT csv, HEADER)", content.getvalue().decode())
    (tmp_path / "result.csv").write_text(postgres.psql(query("postgres", kind)), "utf-8")
    assert_same(tmp_path / "result.csv", table)
