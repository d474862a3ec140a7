"""Every command that an answer or a refusal prints can run, and names options that there are."""

import html
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click import Option
from click.testing import CliRunner

import plumbline as pb
from commands import COMMANDS
from html_pages import undrawn
from laws import law
from plumbline.cli import main
from plumbline.workbench.server import lifetime, processes

FEW = "--resamples 19"
ONE_PLAN = "--statistic spiegelhalter --effect overconfident:3 --n 40 --datasets 30"
ASKED = (
    *(f"calibration {FEW}", "test --resamples 39", f"test --by site {FEW}", "test --resamples 9"),
    *("test --tolerance 0.1 --resamples 39", "scores", f"scores --metrics log-loss {FEW}"),
    *(
        "confusion",
        "curve --preset roc",
        "compare --metrics log-loss",
        "recalibrate --method platt",
    ),
    "recalibrate --method platt --save-map map.json",
    f"plan {ONE_PLAN}",
    *("state show", "state compare --by day"),
)
ODD = ("constant.csv", "sure.csv", "one-class.csv", "rare.csv", "three-rows.csv", "twelve-rows.csv")
TABLES = (*ODD, "two.csv", "three.csv", "ratings.csv", "hard.csv", "labels.csv", "models.csv")
STATES = ("three.state", "models.state")
# What makes a printed command short: a choice among maps or tests takes seconds.
QUICK = {"test": "--resamples 39", "recalibrate": "--method platt", "plan": ONE_PLAN}
PLACEHOLDERS = {"FILE", "NEW.csv"}  # files that only the user has
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
SETTING = re.compile(r"(?<!-)\b(?:engine (?:memory|counts)|view (?:top-label|one-vs-rest|all))")
PRINTED = re.compile(r"^\s*(?:Next\s+)?(plumbline (?!warning|error)[a-z].*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write tables of each kind, one of them overconfident, and states of some."""
    rng, n, folder = np.random.default_rng(3), 90, tmp_path_factory.mktemp("kinds")
    more = {"site": rng.choice(["a", "b"], n), "day": np.arange(n) // 30}
    p, q = rng.uniform(0.02, 0.98, n), rng.dirichlet(np.ones(3), n)
    y = (rng.random(n) < p).astype(int)
    of_three = np.array(["x", "y", "z"])[[rng.choice(3, p=row) for row in q]]
    bold, cubes = p**3 / (p**3 + (1 - p) ** 3), q**3 / (q**3).sum(axis=1, keepdims=True)
    twice = {name: np.tile(values, 2) for name, values in more.items()}
    some = {"site": np.array(["a", "b"] * 45), "day": more["day"]}
    rare = np.arange(n) < 3
    tables = {
        "constant": pb.Predictions.from_arrays(y, np.full(n, 0.5), attributes=some),
        "sure": pb.Predictions.from_arrays(y, y * 1.0, attributes=some),
        "one-class": pb.Predictions.from_arrays([1] * n, p, classes=[0, 1], attributes=some),
        "rare": pb.Predictions.from_arrays(rare * 1, p, attributes=some),
        "three-rows": pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.9]),
        "twelve-rows": pb.Predictions.from_arrays([0, 1] * 6, [0.999, 0.001] * 6),
        "two": pb.Predictions.from_arrays(y, bold, attributes=more),
        "three": pb.Predictions.from_arrays(of_three, cubes, classes=[*"xyz"], attributes=more),
        "ratings": pb.Predictions.from_arrays(y, score=rng.normal(y), attributes=more),
        "hard": pb.Predictions.from_arrays(y, score=(bold > 0.5) * 1.0, attributes=more),
        "labels": pb.Predictions.from_arrays(y, predicted=(bold > 0.5) * 1, attributes=more),
        "models": pb.Predictions.from_arrays(
            np.tile(y, 2),
            np.concatenate([bold, bold**2 / (bold**2 + (1 - bold) ** 2)]),
            model=np.repeat(["m", "o"], n),
            row=np.tile(np.arange(n), 2),
            attributes=twice,
        ),
    }
    for name, table in tables.items():
        table.write(folder / f"{name}.csv")
    for name, words in (
        ("two", ""),
        ("three", ""),
        ("models", ""),
        ("one", "--view one-vs-rest:x"),
    ):
        file = folder / f"{'three' if name == 'one' else name}.csv"
        line = f"state update {folder / name}.state {file} --attributes site,day {words}"
        assert CliRunner().invoke(main, shlex.split(line)).exit_code == 0
    return folder


@pytest.fixture
def run(folder, monkeypatch):
    """Return what runs a command, each once; a server reads its table and stops."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(processes, "warm_up", lambda: None)
    monkeypatch.setattr(lifetime, "serve", lambda table, *_, **__: table())
    known = {}

    def ran(*words):
        if words not in known:
            known[words] = CliRunner().invoke(main, [*words], catch_exceptions=False)
        return known[words]

    return ran


def commands_in(result, words):
    """Return the commands that an answer names, on its page too."""
    text = f"{result.stdout}\n{result.stderr}"
    if result.exit_code == 0 and "page.html" in words:
        text += html.unescape(re.sub(r"<[^>]+>", "\n", Path("page.html").read_text("utf-8")))
    lines = [shlex.split(line) for line in PRINTED.findall(text)]
    return [line[1:] for line in lines if not PLACEHOLDERS & {*line} and line[1] != "report"]


def command_of(words):
    """Return the command that words run, and how many of them name it."""
    many = 2 if words[0] == "state" else 1
    return COMMANDS[" ".join(words[:many])], many


@law("file", [*TABLES, *STATES], number=3)
def test_what_is_printed_can_be_done(file, run):
    """Of every command and kind of table: next steps run, and messages name its options."""
    for question in ASKED:
        words = shlex.split(question)
        command, many = command_of(words)
        words = [*words[:many], file, *words[many:]]
        result = run(*words)
        options = {name for one in command.params if isinstance(one, Option) for name in one.opts}
        said = re.sub(r"plumbline (?!warning|error)[a-z].*", "", result.stderr)
        assert {*OPTION.findall(said)} <= options, said
        assert not SETTING.findall(OPTION.sub("--", said).replace("-- ", "--")), said
        assert " None" not in result.stdout.replace(" None of", "")
        for again in commands_in(result, words):
            more = [] if file in ODD else shlex.split(QUICK.get(again[0], ""))
            if "--map" in again or "auto" in again:
                continue
            done = run(*again, *([] if {*more[::2]} & {*again} else more))
            assert done.exit_code == 0, (words, again, done.stderr)


@pytest.mark.parametrize("file", ["three.csv", "labels.csv"])
def test_a_page_names_commands_that_run(file, run):
    """A report of three classes, and of labels alone, which no threshold cuts."""
    words = ["report", file, *["--out", "page.html", "--recalibrate", "none", "--resamples", "9"]]
    with undrawn():
        page = run(*words)
    for again in commands_in(page, words):
        assert again[0] != "confusion" or run(*again).exit_code == 0, again


def test_a_state_names_its_files_where_it_holds_too_little(run):
    """A choice among maps needs all classes; a state of two classes has them."""
    for file, named in (("three.state", "FILE"), ("one.state", "FILE"), ("two.state", "two.state")):
        assert f"plumbline recalibrate {named}" in run("test", file, "--resamples", "39").stdout
    assert run("recalibrate", "three.state").exit_code == 2


def test_scores_of_several_models_name_a_command_that_takes_them(run):
    """A map is of one model; the test of each says what to do about it."""
    printed = run(*f"scores models.csv --metrics log-loss {FEW}".split()).stdout
    assert "plumbline test models.csv" in printed


def test_a_view_that_was_counted_is_told_with_options_there_are(run):
    """Commands without --view, and states, whose view no option changes."""
    assert "--engine memory" in run(*["state", "show", "three.csv", "--engine", "counts"]).stderr
    assert "--view" not in run(*["state", "show", "three.csv", "--engine", "counts"]).stderr
    assert run(*["state", "show", "three.state"]).stderr == ""
    refused = run(*["test", "three.state", "--view", "one-vs-rest:x"])
    assert refused.exit_code == 2
    assert not {"--view", "--engine"} & {*refused.stderr.split()}


def test_a_state_asks_for_no_column_that_numbers_rows(run):
    """It counts rows; a column of their numbers is no attribute to keep."""
    done = run(*["state", "update", "new.state", "models.csv"])
    assert done.exit_code == 0
    assert "'site', 'day'" in done.stderr
    assert "'row'" not in done.stderr


def test_windows_of_whole_numbers_are_called_so(run):
    """Of rows that were counted as of single ones."""
    names = [
        re.findall(r"window \d, '(.*?)'", run(*f"state compare {file} --by day".split()).stdout)
        for file in ("two.csv", "two.state")
    ]
    assert names[0] == names[1] != []


OF_THE_USER = ("HELD_OUT", "use rows of every class")  # what no option supplies
BARE = ("scores", "test", "calibration", "curve", "confusion", "plan", "check", "recalibrate")


@pytest.mark.parametrize("file", TABLES)
def test_a_command_of_a_file_alone_answers_or_ends_in_one_that_runs(file, run):
    """Of a table of each kind: what is missing is the user's, or stands in the command."""
    Path("rules.toml").unlink(missing_ok=True)
    for name in BARE:
        more = [] if name == "check" else shlex.split(QUICK.get(name, ""))
        result = run(name, file, *more)
        if result.exit_code == 2 and not any(one in result.stderr for one in OF_THE_USER):
            again = commands_in(result, [name, file])
            assert again, result.stderr
            assert all(run(*words).exit_code == 0 for words in again), (again, result.stderr)


@pytest.mark.parametrize("file", ["models.state"])
def test_a_state_is_not_asked_for_an_option_that_nobody_gave(file, run):
    """What needs single rows says so."""
    told = run("compare", file).stderr
    assert "--engine" not in told
    assert "single rows" in told
