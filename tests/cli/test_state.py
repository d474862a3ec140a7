"""The commands `plumbline state ...`."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli.program import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with tables of three weeks, the last of which drifted."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    for week, power in enumerate((1, 1, 0.5), 1):
        p = rng.uniform(0.1, 0.6, 800)
        y = np.where(rng.random(800) < p**power, "rain", "dry")
        model = np.repeat(["a", "b"], 400)
        pb.Predictions.from_arrays(y, p, positive="rain", model=model).write(f"w{week}.csv")
    return tmp_path


def run(*words):
    """Run plumbline on some words; return its one JSON object."""
    result = CliRunner().invoke(main, [*map(str, words), "--json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def failed(*words):
    """Return what a refused command says."""
    result = CliRunner().invoke(main, [*map(str, words)])
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


@pytest.fixture
def states(folder):
    """Make a state of each week."""
    for week in (1, 2, 3):
        run("state", "update", f"w{week}.state", f"w{week}.csv", "--positive", "rain")
    return folder


@pytest.mark.usefixtures("states")
def test_updates_and_merges_hold_the_same_rows():
    """Row by row, the scores of all tables together."""
    added = run("state", "update", "all.state", "w1.csv", "w2.csv", "--positive", "rain")
    assert added["results"][0] == {"state": "all.state", "rows_added": 1600, "rows": 1600}
    assert run("state", "update", "all.state", "w3.csv")["results"][0]["rows"] == 2400
    run("state", "merge", "sum.state", "w3.state", "w1.state", "w2.state")
    shown = [run("scores", name, "--resamples", 0) for name in ("all.state", "sum.state")]
    tables = run("scores", "w1.csv", "w2.csv", "w3.csv", "--positive", "rain", "--resamples", 0)
    losses = [[row["log_loss"] for row in one["results"]] for one in (*shown, tables)]
    assert losses[0] == pytest.approx(losses[2], rel=1e-6)
    assert losses[1] == pytest.approx(losses[0], rel=1e-12)
    assert shown[0]["positive"] == "rain"


@pytest.mark.usefixtures("states")
def test_a_state_shows_its_numbers():
    """A row a model."""
    rows = run("state", "show", "w1.state")["results"]
    assert [(row["model"], row["n"]) for row in rows] == [("a", 400), ("b", 400)]


def test_windows_are_compared_in_sequence(states):
    """The drift is found, the same in states and in tables; a picture is written."""
    files = [f"w{week}.state" for week in (1, 2, 3)]
    found = run("state", "compare", *files, "--out", "d.html")["results"]
    assert [(row["model"], row["alarm"], row["since"]) for row in found] == [
        ("a", 3, 3),
        ("b", 3, 3),
    ]
    assert (states / "d.html").stat().st_size > 1000
    run("state", "compare", *files, "--models", "a", "--out", "d.svg")
    assert (states / "d.svg").stat().st_size > 1000
    tables = [f"w{week}.csv" for week in (1, 2, 3)]
    same = run("state", "compare", *tables, "--positive", "rain")["results"]
    assert [row["windows"][2]["log_e"] for row in same] == pytest.approx(
        [row["windows"][2]["log_e"] for row in found], rel=1e-3
    )


def test_windows_are_compared_with_a_reference(folder):
    """First windows or a file, of files and of a table with a column of windows."""
    options = ("--positive", "rain", "--models", "a")
    files = [f"w{week}.csv" for week in (1, 2, 3)]
    first = run("state", "compare", *files, "--reference", 1, *options)["results"][0]
    other = run("state", "compare", *files[1:], "--reference", "w1.csv", *options)["results"][0]
    assert first["reference"] == other["reference"] == 1
    assert [one["log_e"] for one in first["windows"]] == [one["log_e"] for one in other["windows"]]
    assert first["windows"][0]["log_e"] == 0.0
    lines = [(folder / file).read_text().splitlines() for file in files]
    rows = [f"{line},{week}" for week in (1, 2) for line in lines[week][1:]]
    (folder / "t.csv").write_text("\n".join([f"{lines[0][0]},week", *rows]), "utf-8")
    by = run("state", "compare", "t.csv", "--by", "week", "--reference", "w1.csv", *options)
    assert [one["log_e"] for one in by["results"][0]["windows"]] == pytest.approx(
        [one["log_e"] for one in first["windows"]]
    )


def test_a_refused_update_leaves_the_state_as_it_was(states):
    """Other columns, other classes, itself, a file that is not there."""
    before = (states / "w1.state").read_bytes()
    (states / "snow.csv").write_text("model,actual,p:dry,p:snow\na,dry,0.5,0.5\na,snow,0.5,0.5\n")
    (states / "plain.csv").write_text("actual,p:dry,p:rain\ndry,0.5,0.5\nrain,0.5,0.5\n")
    for other in ("snow.csv", "plain.csv", "w1.state", "absent.csv"):
        assert failed("state", "update", "w1.state", other).startswith("plumbline: error: ")
    assert (states / "w1.state").read_bytes() == before
    assert "--by" in failed("state", "compare", "w1.state", "--by", "week", "--models", "a")
    assert failed("state", "merge", "all.csv", "w1.state")
    assert failed("state", "compare", "w1.state", "w2.state", "--out", "d.svg")


def test_one_table_is_divided_by_a_column(folder):
    """`--by` names it."""
    (folder / "t.csv").write_text(
        "actual,p:no,p:yes,week\n" + "no,0.7,0.3,1\nyes,0.4,0.6,2\n" * 20, "utf-8"
    )
    found = run("state", "compare", "t.csv", "--by", "week")["results"][0]
    assert [one["name"] for one in found["windows"]] == ["1", "2"]
