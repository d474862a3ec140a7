"""What every command can list, and the files of calibration and confusion."""

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from commands import NAMES
from plumbline.cli import main

NAMELESS = (
    "demo",
    "read",
    "recalibrate",
    "report",
    "serve",
    "sql",
    "state",
)  # recalibrate has a list of its own
NEEDED = {"curve": "preset", "scores": "name", "compare": "test"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table of two models."""
    folder = tmp_path_factory.mktemp("names")
    rng = np.random.default_rng(3)
    p = rng.random(200)
    y = np.where(rng.random(200) < p, "rain", "dry")
    pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.concatenate([p, p**2]),
        positive="rain",
        model=np.repeat(["good", "bad"], 200),
    ).write(folder / "two.csv")
    return folder


def invoke(*words):
    """Run plumbline on some words."""
    return CliRunner().invoke(main, list(words), prog_name="plumbline")


@pytest.mark.parametrize("command", sorted(NAMES - set(NAMELESS)))
def test_every_command_lists_its_names(command):
    """`--list` needs no file; with `--json` the same as rows."""
    text = invoke(command, "--list")
    assert (text.exit_code, text.stderr) == (0, "")
    rows = json.loads(invoke(command, "--list", "--json").stdout)["results"]
    key = NEEDED.get(command, "option")
    assert all(str(row[key]) in text.stdout for row in rows)
    if key == "option":
        assert all(name in text.stdout for row in rows for name in row["names"])


@pytest.mark.parametrize("command", ["test", "calibration", "confusion", "plan"])
def test_a_list_passes_over_no_file(command, folder):
    """A file beside --list is refused, not ignored."""
    assert invoke(command, str(folder / "two.csv"), "--list").exit_code == 2


@pytest.mark.parametrize(("name", "start"), [("r.svg", "<?xml"), ("r.html", "<!DOCTYPE")])
@pytest.mark.parametrize("models", [(), ("--models", "bad")])
def test_the_reliability_diagram_as_a_file(folder, name, start, models):
    """A diagram a model, with the answer on a page."""
    out = folder / name
    result = invoke("calibration", str(folder / "two.csv"), *models, "--out", str(out))
    assert result.exit_code == 0, result.output
    text = out.read_text("utf-8")
    assert text.startswith(start)
    for model in ("good", "bad") if not models else ("bad",):
        assert models or model in text


def test_a_view_without_a_diagram_writes_none(folder):
    """The mean over the classes has no diagram, which is one clear error."""
    out = folder / "none.svg"
    line = ("calibration", str(folder / "two.csv"), "--view", "classwise", "--out", str(out))
    result = invoke(*line)
    assert result.exit_code == 2
    assert "--out" in result.stderr
    assert not out.exists()


def test_the_wrong_rows_are_written(folder):
    """Every row outside the diagonal, the least likely actual class first."""
    out = folder / "wrong.csv"
    line = ("confusion", str(folder / "two.csv"), "--models", "bad", "--threshold", "0.4")
    assert invoke(*line, "--cases", str(out)).exit_code == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    data = pb.read(folder / "two.csv").select(model="bad")
    p, rain = data.prob[:, 1], data.actual == 1
    wrong = np.flatnonzero((p >= 0.4) != rain)
    assert {int(row["number"]) for row in rows} == set(wrong.tolist())
    likely = [float(row["p:rain"]) for row in rows]
    likely = [x if row["actual"] == "rain" else 1 - x for x, row in zip(likely, rows, strict=True)]
    assert likely == sorted(likely)


def test_wrong_rows_are_of_one_model(folder):
    """Of several models one is to be chosen."""
    result = invoke("confusion", str(folder / "two.csv"), "--cases", str(folder / "x.csv"))
    assert result.exit_code == 2
    assert "--models" in result.stderr


def test_a_hull_needs_a_picture(folder):
    """--hull draws; without --out there is nothing to draw into."""
    line = ("curve", str(folder / "two.csv"), "--preset", "roc", "--hull")
    assert invoke(*line).exit_code == 2
    assert invoke(*line, "--out", str(folder / "hull.svg")).exit_code == 0
    bare = invoke(
        "curve", str(folder / "two.csv"), "--preset", "roc", "--out", str(folder / "b.svg")
    )
    assert bare.exit_code == 0
    assert len((folder / "hull.svg").read_text()) > len((folder / "b.svg").read_text())
