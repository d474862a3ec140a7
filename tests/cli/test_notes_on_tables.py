"""The note that rows repeat an ID stands first in every answer, once, and nowhere else."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import plumbline as pb
from html_pages import undrawn
from plumbline.cli import main
from plumbline.input_checks import check_input
from plumbline.predictions import note_on_repeats, repeated_id
from refusals import warned

N = 60
QUICK = ("--resamples", "19")
COMMANDS = {
    "scores": (),
    "test": QUICK,
    "calibration": QUICK,
    "confusion": (),
    "curve": ("--preset", "roc"),
    "recalibrate": ("--method", "platt"),
    "read": (),
}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    """Tables in which an ID comes twice: with the names of the prediction table, and others."""
    folder = tmp_path_factory.mktemp("repeats")
    rng = np.random.default_rng(6)
    p = rng.uniform(0.05, 0.95, N).round(3)
    y = (rng.uniform(size=N) < p).astype(int)
    ids = np.arange(N) // 2
    frames = {
        "own": {"actual": y, "p:1": p, "loan_id": ids},
        "known": {"y_true": y, "y_prob": p, "loan_id": ids},
        "guessed": {"default": y, "score": p, "loan_id": ids},
    }
    for name, columns in frames.items():
        pd.DataFrame(columns).to_csv(folder / f"{name}.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def run(*words):
    """Run the program."""
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result


@pytest.mark.parametrize("name", ["own", "known", "guessed"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_note_is_in_the_answer_of_every_command(command, name):
    """In text once, in JSON as the first of `notes`, and not on standard error."""
    words = (command, f"{name}.csv", *COMMANDS[command])
    text = run(*words)
    flat = " ".join(text.stdout.split())
    assert flat.count("Column 'loan_id' recurs: 60 rows of 30") == 1
    assert "recurs" not in text.stderr
    assert "30 values of loan_id" in text.stdout.splitlines()[0]
    answer = json.loads(run(*words, "--json").stdout)
    assert answer["notes"][0]["code"] == "rows-repeat"


def test_an_answer_with_a_file_says_it_too():
    """Beside the points that are written."""
    result = CliRunner().invoke(main, ["curve", "guessed.csv", "--preset", "roc", "--out", "x.csv"])
    assert result.exit_code == 0, result.stderr
    assert "recurs" in " ".join((result.stdout + result.stderr).split())


def test_the_report_does_not_fold_the_note_away():
    """It stands before the first section that can be folded, on the page and in Markdown."""
    quick = ("--recalibrate", "none", "--resamples", "19")
    with undrawn():
        run("report", "own.csv", "--out", "page.html", *quick)
        run("report", "own.csv", "--out", "page.md", *quick)
    text = Path("page.html").read_text("utf-8")
    assert text.count("loan_id&#39; recurs") == 1
    before = text.partition("recurs: 60 rows")[0]
    assert len(re.findall("<details", before)) == before.count("</details>")
    assert "recurs: 60 rows" in Path("page.md").read_text("utf-8").replace("\n", " ")


@pytest.mark.parametrize("name", ["own", "known", "guessed"])
def test_counted_tables_say_it_too(name):
    """By their first rows, which tell the parts of the columns."""
    words = ("scores", f"{name}.csv", "--engine", "counts")
    text = run(*words)
    assert " ".join(text.stdout.split()).count("Column 'loan_id' recurs") == 1
    assert "recurs" not in text.stderr
    assert json.loads(run(*words, "--json").stdout)["notes"][0]["code"] == "rows-repeat"
    with warned("rows-repeat", "loan_id"):
        pb.read(f"{name}.csv", engine="counts", attributes=[])


def test_a_state_says_what_it_forgets():
    """Once, where the rows are added: no later answer knows of the ID."""
    added = run("state", "update", "day.state", "guessed.csv")
    assert "column 'loan_id' recurs among the first rows" in " ".join(added.stderr.split())
    assert "recurs" not in run("scores", "day.state").stdout


@pytest.mark.parametrize(
    "line",
    [
        "scores wide.csv --engine counts",
        "scores --engine=counts wide.csv --prob p_logreg --scale 2",
        "scores --engine counts wide.csv --prob p_logreg --logits",
        "test bare.csv --names y_true,y_prob --engine counts --resamples 19",
    ],
)
def test_what_cannot_be_counted_is_refused_with_the_command_that_works(line):
    """It holds the rows in memory, and keeps all other words."""
    rng = np.random.default_rng(6)
    p = rng.uniform(0.05, 1.95, N).round(3)
    y = (rng.uniform(size=N) < p / 2).astype(int)
    wide = pd.DataFrame({"default": y, "p_logreg": p, "p_boosting": p / 2})
    if "--" not in line.partition("counts")[2] and "scale" not in line:
        wide["p_logreg"] /= 3
    wide.to_csv("wide.csv", index=False)
    pd.DataFrame({"y": y, "p": p / 2}).to_csv("bare.csv", index=False, header=False)
    refusal = CliRunner().invoke(main, shlex.split(line))
    assert (refusal.exit_code, refusal.stdout) == (2, "")
    (command,) = [row for row in refusal.stderr.splitlines() if row.startswith("  ")]
    words = shlex.split(command)[1:]
    assert words[-2:] == ["--engine", "memory"]
    run(*words)


def test_the_library_warns_and_remarks():
    """A warning on reading, and the first remark on the table."""
    table = pd.read_csv("own.csv")
    with warned("rows-repeat", "loan_id", "60 rows of 30"):
        data = pb.Predictions.from_frame(table)
    assert check_input(data).remarks[0].code == "rows-repeat"


def test_folds_and_models_explain_an_id_that_recurs():
    """Then there is no note."""
    table = pd.read_csv("own.csv")
    for part in ("model", "fold", "repeat"):
        explained = table.assign(**{part: np.arange(N) % 2})
        data = pb.Predictions.from_frame(explained)
        assert "rows-repeat" not in [one.code for one in check_input(data).remarks]


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_rows_of_models_beside_each_other_are_not_counted_twice():
    """Nor do the same rows of two models make the intervals of one look wider."""
    table = pd.read_csv("guessed.csv")
    table = table.rename(columns={"score": "logreg"}).assign(xgb=lambda t: t["logreg"] ** 1.1)
    table[["default", "logreg", "loan_id"]].to_csv("one.csv", index=False)
    table.to_csv("beside.csv", index=False)
    alone, both = (pb.read(f"{name}.csv") for name in ("one", "beside"))
    assert (alone.n, both.n) == (N, 2 * N)
    for data in (alone, both):
        again = repeated_id(data)
        assert (again.rows, again.values) == (N, N // 2)
    width = [re.search(r"([\d.]+) times", str(note_on_repeats(data))) for data in (alone, both)]
    found = [1.0 if one is None else float(one[1]) for one in width]
    assert found[1] == pytest.approx(found[0], abs=0.1)
