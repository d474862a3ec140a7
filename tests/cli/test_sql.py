"""The commands `sql` and `state from-sql`: a query, its result, and what others make of it."""

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main

BAD_INPUT = 2


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in a folder with a table of two folds."""
    rng = np.random.default_rng(4)
    prob = rng.random(400)
    pb.Predictions.from_arrays(
        np.where(rng.random(400) < prob, "rain", "dry"),
        prob,
        positive="rain",
        fold=np.arange(400) % 2,
    ).write(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command, *words):
    """Run a command line."""
    return CliRunner().invoke(command, words)


def result_of(query, path):
    """Run a query in DuckDB and save its result."""
    duckdb.sql(query).write_csv(str(path))


def test_a_result_stands_for_the_table(here):
    """It is printed or written, run, and read by any command and as a state."""
    printed = run(main, "sql", "t.parquet", "--dialect", "duckdb").stdout
    written = run(main, "sql", "t.parquet", "--dialect", "duckdb", "--out", "count.sql")
    assert (here / "count.sql").read_text("utf-8") == printed
    assert written.stdout == "Query: count.sql\n"
    result_of(printed, here / "result.csv")
    for name in ("t.parquet", "result.csv"):
        answer = run(main, "scores", name, "--metrics", "ece", "--json")
        assert answer.exit_code == 0, answer.stderr
    assert run(main, "state", "from-sql", "result.csv", "--out", "day.state").exit_code == 0
    assert pb.read("day.state").total == 400
    assert run(main, "state", "update", "here.state", "t.parquet").exit_code == 0
    merged = run(main, "state", "merge", "both.state", "day.state", "here.state")
    assert merged.exit_code == 0, merged.output
    assert pb.read("both.state").total == 800


def test_options_reach_the_query():
    """Names, classes, groups, levels and precision."""
    words = ["--actual", "seen", "--prob", "risk=yes", "--rename", "part=fold", "--by", "model"]
    more = ["--levels", "1800", "--single", "--table", "ml.big"]
    text = run(main, "sql", "x", "--dialect", "trino", *words, *more).stdout
    for piece in ("seen", "risk AS REAL", "part", "by_model", "by_fold", "1800", "FROM ml.big"):
        assert piece in text, piece


@pytest.mark.parametrize(
    "words",
    [
        ["t.parquet", "--dialect", "trino"],
        ["t.parquet", "--dialect", "duckdb", "--levels", "1000"],
        ["no.parquet", "--dialect", "duckdb"],
        ["scores", "--dialect", "db2"],
        ["scores", "--dialect", "duckdb", "--prob", "a=1", "--prob", "a=0"],
        ["scores", "--dialect", "duckdb", "--out", "query.txt"],
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_queried_is_refused(words):
    """Files without a table, levels, names and endings."""
    assert run(main, "sql", *words).exit_code == BAD_INPUT
