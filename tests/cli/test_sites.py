"""`calibration --by`: each value of a column, and how much sites differ."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main

FEW = ["--resamples", "39"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a table of one model and one of two."""
    rng, folder = np.random.default_rng(3), tmp_path_factory.mktemp("sites")
    p = rng.uniform(0.05, 0.95, 360)
    y = (rng.random(360) < p).astype(int)
    site = np.arange(360) % 4
    pb.Predictions.from_arrays(
        y, p, attributes={"hospital": site, "ward": site % 2}, groups=np.arange(360) // 8 * 4 + site
    ).write(folder / "one.csv")
    pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.r_[p, p**2],
        model=np.repeat(["a", "b"], 360),
        row=np.tile(np.arange(360), 2),
        attributes={"hospital": np.tile(site, 2)},
    ).write(folder / "two.csv")
    return folder


def asked(folder, words, *more):
    """Return what a command prints, and how it ends."""
    file, *rest = words.split()
    return CliRunner().invoke(main, ["calibration", str(folder / file), *rest, *FEW, *more])


def test_a_picture_is_of_one_model_and_a_page_of_all(folder, tmp_path):
    """The forest plot is written instead of a reliability diagram."""
    picture, page = tmp_path / "forest.svg", tmp_path / "forest.html"
    ran = asked(folder, "one.csv --by hospital --between", "--out", str(picture))
    assert ran.exit_code == 0, ran.output
    assert "new site" in picture.read_text("utf-8")
    ran = asked(folder, "two.csv --by hospital --between --json", "--out", str(page))
    printed = json.loads(ran.stdout)
    assert [entry["model"] for entry in printed["results"]] == ["a", "b"]
    assert printed["files"] == [str(page)]
    assert page.read_text("utf-8").count("<svg") == 2
    ran = asked(folder, "one.csv --by ward", "--out", str(picture))
    assert ran.exit_code == 0, ran.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("one.csv --between", "--by"),
        ("one.csv --by ward --between", "--between"),
        ("one.csv --by hospital --between --bins 5", "--bins"),
        ("one.csv --by hospital --between --out a.svg --axis log-odds", "--axis"),
        ("two.csv --by hospital --between --out a.svg", "--models"),
        ("one.csv --level 0.9", "--interval"),
    ],
)
def test_what_does_not_go_together_is_refused(folder, words, said, tmp_path, monkeypatch):
    """One error, which names the option."""
    monkeypatch.chdir(tmp_path)
    ran = asked(folder, words)
    assert ran.exit_code == 2
    assert said in ran.stderr


def test_groups_of_rows_are_allowed_for(folder):
    """The answer says how much the rows of groups depend."""
    ran = asked(folder, "one.csv --by hospital --between --json")
    (entry,) = json.loads(ran.stdout)["results"]
    assert entry["groups"]["count"] == 180
