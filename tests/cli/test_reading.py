"""FILE in every form, as commands read it: several files, patterns, standard input."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from html_pages import undrawn
from laws import law
from plumbline.cli import main

SOUND = "actual,p:n,p:y\n" + "n,0.9,0.1\ny,0.2,0.8\nn,0.7,0.3\ny,0.4,0.6\n" * 5
GERMAN = SOUND.replace(",", ";").replace(".", ",")
LINES = "".join(
    json.dumps({"actual": y, "p:n": float(n), "p:y": float(p)}) + "\n"
    for y, n, p in (line.split(",") for line in SOUND.splitlines()[1:])
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with the same rows in several forms, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sound.csv").write_text(SOUND)
    (tmp_path / "german.csv").write_text(GERMAN)
    (tmp_path / "lines.jsonl").write_text(LINES)
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(GERMAN.encode()))
    return tmp_path


def invoke(*words: str, stdin: bytes | None = None) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, words, input=stdin)


def answer(*words: str, stdin: bytes | None = None) -> Any:
    """Return the results of a command."""
    result = invoke(*words, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["results"]


COMMANDS = (
    ("scores",),
    ("calibration", "--resamples", "9"),
    ("test", "--resamples", "9"),
    ("confusion",),
    ("curve", "--preset", "roc"),
    ("plan", "--effect", "overconfident:2", "--n", "40", "--resamples", "39", "--datasets", "30"),
    ("recalibrate", "--method", "temperature"),
)


@law("command", COMMANDS, number=4)
@pytest.mark.parametrize("form", ["german.csv", "lines.jsonl", "packed.csv.gz", "-"])
def test_every_command_answers_alike_in_every_form(command, form):
    """The same numbers, also from standard input."""
    stdin = GERMAN.encode() if form == "-" else None
    assert answer(*command, form, stdin=stdin) == answer_of_sound(command)


@cache
def answer_of_sound(command):
    """Return the results of a command for the same rows in the usual form."""
    return answer(*command, "sound.csv")


@pytest.mark.parametrize("command", COMMANDS[:5], ids=lambda words: words[0])
def test_several_files_and_a_pattern_are_one_table(folder, command):
    """Two files of half the rows are the file of all of them."""
    header, *rows = SOUND.splitlines(keepends=True)
    (folder / "part-1.csv").write_text(header + "".join(rows[:8]))
    (folder / "part-2.csv").write_text(header + "".join(rows[8:]))
    whole = answer(*command, "sound.csv")
    assert answer(*command, "part-1.csv", "part-2.csv") == whole
    assert answer(*command, "part-*.csv") == whole


def test_options_say_how_a_file_is_written(folder):
    """By name or by character; of `estimate` too. A column that is named decides as well."""
    unclear = "truth;p,y\n" + "n;0,25\ny;0,75\n" * 5
    (folder / "unclear.csv").write_text(unclear)
    how = ("--actual", "truth", "--prob", "p,y=y")
    refusal = invoke("scores", "unclear.csv")
    assert refusal.exit_code == 2
    assert "--separator" in refusal.stderr
    named = answer("scores", "unclear.csv", *how, "--separator", "semicolon", "--decimal", "comma")
    assert named == answer("scores", "unclear.csv", *how, "--separator", ";", "--decimal", ",")
    assert named == answer("scores", "unclear.csv", *how)
    learn = ("--target", "truth", "--model", "sklearn.naive_bayes:GaussianNB")
    scheme = ("--scheme", "stratified:2")
    rows = answer("estimate", "unclear.csv", *learn, *scheme, "--separator", ";")
    assert rows[0]["model"]


def test_list_refuses_what_it_would_pass_over():
    """A file, and any option but --json."""
    for words in (
        ("scores", "sound.csv", "--list"),
        ("compare", "sound.csv", "--list"),
        ("recalibrate", "sound.csv", "--list"),
        ("curve", "sound.csv", "--list"),
        ("scores", "--list", "--metrics", "ece"),
    ):
        result = invoke(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--list" in result.stderr


def test_standard_input_is_alone_and_not_for_the_workbench():
    """It is gone once it has been read."""
    for words in (("scores", "-", "sound.csv"), ("serve", "-", "--no-open")):
        result = invoke(*words, stdin=SOUND.encode())
        assert (result.exit_code, result.stdout) == (2, "")
        assert "standard input" in result.stderr


@pytest.mark.parametrize(
    "stdin", [b"", b"\0\0", gzip.compress(SOUND.encode(), mtime=0)[:20], b"{\n"]
)
def test_bad_standard_input_is_one_clear_error(stdin):
    """With exit status 2."""
    result = invoke("scores", "-", stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "standard input" in result.stderr


def test_a_report_names_files_without_their_folders(folder):
    """Also where a pattern was typed; the title is the first file and how many there are."""
    (folder / "sub").mkdir()
    for name in ("a.csv", "b.csv"):
        (folder / "sub" / name).write_text(SOUND)
    options = ("--recalibrate", "none", "--resamples", "9")
    with undrawn():
        result = invoke("report", str(folder / "sub" / "*.csv"), "--out", "page.html", *options)
    assert result.exit_code == 0, result.stderr
    page = (folder / "page.html").read_text("utf-8")
    assert "<title>a.csv and 1 more" in page
    assert str(folder) not in page


def test_counted_rows_come_with_how_far_numbers_can_be_off():
    """In the heading, with --verbose, in JSON; tables in memory have no such thing."""
    counts = ("calibration", "sound.csv", "--engine", "counts")
    assert "20 rows counted at 4 levels" in invoke(*counts).stdout.splitlines()[0]
    assert "Brier score" in invoke(*counts, "--verbose").stdout
    (errors,) = json.loads(invoke(*counts, "--json").stdout)["counting_errors"]
    assert (errors["n"], errors["levels"], errors["roc_auc"]) == (20, 4, 0)
    assert "counting_errors" not in json.loads(invoke("calibration", "sound.csv", "--json").stdout)
