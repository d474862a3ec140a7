"""SQL of `recalibrate --save-map` runs on the very file that the map was fitted on."""

import sqlite3

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner
from pyarrow import csv

import plumbline as pb
from laws import law
from plumbline.cli import main
from plumbline.recalibration import METHODS

LAYOUTS = {
    "p:left": [],
    " p:left ": [],
    "y_prob": ["--positive", "left"],
    "risk": ["--prob", "risk=left"],
    "chance": ["--rename", "chance=p:left"],
    "p:kept": ["--positive", "left"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of one column of probabilities each, by the names of the columns."""
    place = tmp_path_factory.mktemp("one_column")
    rng = np.random.default_rng(5)
    p = np.round(rng.beta(0.7, 1.3, 400), 6)
    left = rng.random(400) < p**2 / (p**2 + (1 - p) ** 2)
    p[:2] = 0.0, 1.0
    for name in LAYOUTS:
        shown = 1 - p if name == "p:kept" else p
        lines = [
            f"{row},{'left' if hit else 'kept'},{value:.6f}"
            for row, (hit, value) in enumerate(zip(left, shown, strict=True))
        ]
        truth = "y_true" if name == "y_prob" else "actual"
        content = "\n".join([f"row,{truth},{name}", *lines])
        (place / f"{name.replace(':', '_')}.csv").write_text(content + "\n")
    return place


def saved(folder, name, method, dialect):
    """Return the map of a file and its query, as the command writes them."""
    file, where = folder / f"{name.replace(':', '_')}.csv", folder / f"{method}.{dialect}"
    words = [
        "recalibrate",
        file,
        "--method",
        method,
        *LAYOUTS[name],
        "--dialect",
        dialect,
        "--save-map",
        f"{where}.json",
        "--save-map",
        f"{where}.sql",
    ]
    result = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    query = folder / f"{method}.{dialect}.sql"
    return file, pb.RecalibrationMap.load(f"{where}.json"), query.read_text("utf-8")


def by_row(rows):
    """Return the answers in the order of the file; a database keeps none."""
    return np.array([row[3:] for row in sorted(rows)])


def asked(file, query, dialect):
    """Return (n, 2) what a database answers that holds the file as it is."""
    table = csv.read_csv(file)
    if dialect == "duckdb":
        with duckdb.connect(config={"threads": 1}) as database:
            database.register("predictions", table)
            return by_row(database.execute(query).fetchall())
    database = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in table.column_names)
    database.execute(f"CREATE TABLE predictions ({names})")
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    database.executemany("INSERT INTO predictions VALUES (?, ?, ?)", rows)
    result = by_row(database.execute(query).fetchall())
    database.close()
    return result


@law("method", METHODS, number=5)
def test_the_query_of_every_method_runs_on_a_file_of_one_column(folder, method):
    """The other class gets 1 - p, whatever the column is called."""
    for name, dialect in (("p:left", "sqlite"), ("y_prob", "duckdb")):
        file, fitted, query = saved(folder, name, method, dialect)
        p = csv.read_csv(file).column(name).to_numpy()
        assert asked(file, query, dialect) == pytest.approx(
            fitted.transform(p), rel=1e-9, abs=1e-14
        )


@law("method", ["platt", "isotonic", "temperature"], number=1)
@pytest.mark.parametrize("name", ["risk", "chance", "p:kept", " p:left "])
def test_the_query_names_the_columns_of_the_file(folder, method, name):
    """Columns that options name, and the class that is not positive."""
    file, fitted, query = saved(folder, name, method, "sqlite")
    assert fitted.positive == "left"
    given = csv.read_csv(file).column(name).to_numpy()
    p = 1 - given if name == "p:kept" else given
    assert asked(file, query, "sqlite") == pytest.approx(fitted.transform(p), rel=1e-9, abs=1e-14)
