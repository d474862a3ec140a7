"""The commands `plumbline state ...`."""

import contextlib
import gzip
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
import plumbline.cli.state as state_module
from changed_states import changed_state
from laws import law
from plumbline.atomic_files import one_writer
from plumbline.cli import main
from plumbline.frames import read_state


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
    assert added["results"][0] == {
        "state": "all.state",
        "rows_added": 1600,
        "rows": 1600,
        "rows_waiting": 0,
    }
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


# ------------------------------------------------------------------ what counts once

COMMAND = [sys.executable, "-m", "plumbline", "state"]
KILLED_AT = """
import os, signal, sys
from pathlib import Path
from plumbline.cli import main
replace = Path.replace
def kill(self, target):
    if sys.argv[1] == "after":
        replace(self, target)
    os.kill(os.getpid(), signal.SIGKILL)
Path.replace = kill
main(["state", "update", "all.state", "w1.csv"])
"""


def rows_of(name):
    """Return how many rows a state holds."""
    return read_state(Path(name)).rows


@pytest.mark.usefixtures("states")
def test_a_file_counts_once_whatever_it_is_called():
    """Its copy, packed, in a folder, by a pattern, from a stream, within a state: all refused."""
    text = Path("w1.csv").read_bytes()
    Path("folder").mkdir()
    for name in ("copy.csv", "folder/w9.csv"):
        Path(name).write_bytes(text)
    Path("packed.csv.gz").write_bytes(gzip.compress(text))
    assert run("state", "update", "all.state", "w1.csv", "--positive", "rain")
    names = ("w1.csv", "copy.csv", "packed.csv.gz", "folder", "c*.csv", "w1.state")
    for name in names:
        assert "--again" in failed("state", "update", "all.state", name)
    words = ["state", "update", "all.state", "-"]
    assert CliRunner().invoke(main, words, input=text).exit_code == 2
    for pair in (("w2.csv", "w1.csv"), ("w2.csv", "w3.csv", "copy.csv")):
        failed("state", "update", "all.state", *pair)
    failed("state", "update", "twice.state", "w1.csv", "copy.csv", "--positive", "rain")
    assert rows_of("all.state") == 800
    assert not Path("twice.state").exists()


@pytest.mark.usefixtures("states")
def test_the_commands_of_a_refusal_count_the_rest_or_all_again():
    """Both can be pasted."""
    run("state", "update", "all.state", "w1.csv", "--positive", "rain")
    said = failed("state", "update", "all.state", "w1.csv", "w2.csv")
    rest, again = (shlex.split(words) for words in re.findall(r"plumbline (state [^;\n]*)", said))
    assert CliRunner().invoke(main, rest).exit_code == 0
    assert rows_of("all.state") == 1600
    assert CliRunner().invoke(main, again).exit_code == 0
    assert rows_of("all.state") == 3200


@pytest.mark.usefixtures("states")
@pytest.mark.parametrize(
    "words",
    [
        ["w.csv", "--groups", "patient"],
        ["w.csv", "--groups=patient"],
        ["w.csv", "--rename", "patient=groups"],
        ["w.csv", "--rename=patient=groups"],
        ["own.csv"],
    ],
    ids=" ".join,
)
def test_rows_in_groups_are_refused_with_commands_that_run(tmp_path, monkeypatch, words):
    """A state keeps no groups: the commands test single rows, or leave the groups out."""
    monkeypatch.chdir(tmp_path)
    p = np.random.default_rng(0).uniform(size=60)
    y, patient = (p > 0.5).astype(int), np.arange(60) // 6
    lines = [f"{one},{label},{share:.3f}" for one, label, share in zip(patient, y, p, strict=True)]
    Path("w.csv").write_text("\n".join(["patient,actual,prob", *lines]))
    pb.Predictions.from_arrays(y, p, groups=patient).write("own.csv")
    text = failed("state", "update", "w.state", *words)
    assert not Path("w.state").exists()
    offered = re.findall(r"plumbline ((?:test|state) [^;]+?)(?:;|\.?$)", text.strip(), re.M)
    assert [line.split()[0] for line in offered] == ["test", "state"][: len(words)]
    for line in offered:
        more = ["--resamples", "39"] if line.startswith("test") else []
        result = CliRunner().invoke(main, [*shlex.split(line), *more])
        assert result.exit_code == 0, result.stderr
        assert ("in 10 groups" in result.stdout) == line.startswith("test")


@pytest.mark.usefixtures("states")
def test_states_with_rows_of_the_same_file_are_not_added_up():
    """Neither merged nor read together, unless they shall be."""
    run("state", "merge", "two.state", "w1.state", "w2.state")
    words = ("state", "merge", "all.state", "two.state", "w2.state", "w3.state")
    assert "--again" in failed(*words)
    assert "--again" in failed("scores", "two.state", "w2.state")
    assert run(*words, "--again")["results"][0]["rows"] == 3200
    assert run("state", "merge", "all.state", "two.state", "w3.state")["results"][0]["rows"] == 2400
    failed("state", "update", "all.state", "w2.csv")


@pytest.mark.usefixtures("states")
def test_a_state_of_an_older_version_is_read_and_counts_once():
    """It knows no files; it is one content itself."""

    def older(facts, _):
        facts |= {"version": 2}
        del facts["contents"]

    changed_state("w1.state", older, "old.state", sealed=True)
    assert run("state", "update", "all.state", "old.state")["results"][0]["rows"] == 800
    failed("state", "update", "all.state", "old.state")
    assert run("state", "update", "all.state", "w2.csv")["results"][0]["rows"] == 1600
    assert run("state", "update", "old.state", "w2.csv")["results"][0]["rows"] == 1600
    failed("state", "update", "old.state", "w2.csv")


@pytest.mark.usefixtures("folder")
@law(("when", "status"), [("before", 0), ("after", 2)], number=1)
def test_a_retry_after_a_kill_counts_the_rows_once(when, status):
    """Whether the state was written before the process died or not."""
    run("state", "update", "all.state", "w2.csv", "--positive", "rain")
    os.chmod("all.state", 0o600)  # noqa: PTH101
    killed = subprocess.run([sys.executable, "-c", KILLED_AT, when], check=False)
    assert killed.returncode == -signal.SIGKILL
    retry = CliRunner().invoke(main, ["state", "update", "all.state", "w1.csv"])
    assert retry.exit_code == status
    assert rows_of("all.state") == 1600
    assert stat.S_IMODE(Path("all.state").stat().st_mode) == 0o600


@pytest.mark.usefixtures("folder")
def test_updates_that_run_at_once_all_count():
    """Of a state that is not there yet, too."""
    words = [[*COMMAND, "update", "all.state", f"w{n}.csv", "--positive", "rain"] for n in (1, 2)]
    running = [subprocess.Popen(one, stdout=subprocess.DEVNULL) for one in words]
    assert [one.wait(120) for one in running] == [0, 0]
    assert rows_of("all.state") == 1600
    assert not list(Path().glob(".*"))


@pytest.mark.usefixtures("folder")
def test_an_update_waits_for_the_one_that_writes_and_says_so():
    """After a second; then both have counted."""
    with one_writer(Path("all.state"), waiting=lambda: None):
        words = [*COMMAND, "update", "all.state", "w1.csv", "--positive", "rain"]
        other = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert b"all.state" in other.stderr.readline()
        run_under_lock = not Path("all.state").exists()
    other.stderr.close()
    assert (other.wait(60), run_under_lock, rows_of("all.state")) == (0, True, 800)


# ------------------------------------------------------------------ labels that come later

LATE = "y_true,y_prob\n1,0.75\n,0.25\n0,0.5\n,0.875\n"


def test_rows_wait_for_their_label_and_every_command_says_how_many(tmp_path, monkeypatch):
    """Update, show, merge and a test have the number; a second arrival adds what is new."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(LATE, "utf-8")
    first = run("state", "update", "a.state", "a.csv")["results"][0]
    assert (first["rows_added"], first["rows"], first["rows_waiting"]) == (2, 2, 2)
    for words in (("state", "show", "a.state"), ("scores", "a.state", "--resamples", 0)):
        rows = run(*words)["rows"]
        assert (rows["rows"], rows["used"], rows["waiting"]) == (4, 2, 2)
    Path("b.csv").write_text("y_true,y_prob\n1,0.125\n,0.375\n", "utf-8")
    run("state", "update", "b.state", "b.csv")
    both = run("state", "merge", "all.state", "a.state", "b.state")["results"][0]
    assert (both["rows"], both["rows_waiting"]) == (3, 3)
    compared = run("state", "compare", "a.state", "b.state")
    assert [one["waiting"] for one in compared["rows"]] == [2, 1]
    Path("a.csv").write_text(LATE.replace("\n,", "\n0,"), "utf-8")
    last = run("state", "update", "a.state", "a.csv")["results"][0]
    assert (last["rows_added"], last["rows"], last["rows_waiting"]) == (2, 4, 0)
    said = failed("state", "update", "a.state", "b.state", "a.state")
    assert "a.state" in said


def test_labels_that_come_while_another_update_runs_count_once(tmp_path, monkeypatch):
    """What the other one has counted is looked up again under the lock."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(LATE, "utf-8")
    run("state", "update", "a.state", "a.csv")
    Path("b.csv").write_text(LATE.replace("\n,0.25", "\n1,0.25"), "utf-8")
    Path("c.csv").write_text(LATE.replace("\n,", "\n1,"), "utf-8")
    wait = state_module._one_writer

    @contextlib.contextmanager
    def overtaken(out):
        monkeypatch.setattr(state_module, "_one_writer", wait)
        run("state", "update", "a.state", "b.csv")
        with wait(out):
            yield

    monkeypatch.setattr(state_module, "_one_writer", overtaken)
    last = run("state", "update", "a.state", "c.csv")["results"][0]
    assert (last["rows_added"], last["rows"], last["rows_waiting"]) == (1, 4, 0)
