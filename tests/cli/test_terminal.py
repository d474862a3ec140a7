"""How answers are laid out: width, colours, what --verbose adds."""

import re

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from laws import law
from plumbline._result import Detail, NextStep, Note, Presentation, Table
from plumbline.cli import main, terminal
from plumbline.cli.running import running

COMMANDS = [
    "test two.csv",
    "test two.csv --models bold",
    "test two.csv --by site --models bold",
    "calibration two.csv",
    "calibration two.csv --models bold",
    "scores two.csv",
    "scores two.csv --metrics ece,log-loss",
    "compare two.csv",
    "confusion two.csv",
    "curve two.csv --preset roc",
]
MOST_LINES = 13  # of two models, with a verdict each
SHORT = [line for line in COMMANDS if line.split()[0] in ("test", "calibration", "scores")]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in a folder with a table of two models."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(20)
    p = rng.beta(1.2, 1.5, 200)
    y = np.tile(np.where(rng.uniform(size=200) < p, "rain", "dry"), 2)
    site = np.tile(rng.choice(["coast", "hill"], 200), 2)
    pb.Predictions.from_arrays(
        y,
        np.concatenate([p, 1 / (1 + (1 / p - 1) ** 2)]),
        positive="rain",
        model=np.repeat(["careful", "bold"], 200),
        row=np.tile(np.arange(200), 2),
        attributes={"site": site},
    ).write("two.csv")


def printed(line):
    """Return what a command prints."""
    result = CliRunner().invoke(main, line.split(), prog_name="plumbline")
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("line", COMMANDS)
@law("columns", [40, 60, 80, 200], number=2)
def test_an_answer_fits_the_window(line, columns, monkeypatch):
    """No line is wider than the terminal, but commands to copy, and words that are wider."""
    monkeypatch.setenv("COLUMNS", str(columns))
    heading, _, answer = printed(f"{line} --verbose").partition("\n")
    assert heading.startswith("two.csv: ")
    for row in answer.splitlines():
        widest = len(row) - len(row.lstrip()) + max(map(len, row.split()), default=0)
        assert len(row) <= max(columns, widest) or "plumbline " in row, row


@pytest.mark.parametrize("line", SHORT)
def test_an_answer_is_short(line):
    """Verdict, size and next step, not the tables behind them."""
    assert printed(line).count("\n") <= MOST_LINES


@pytest.mark.parametrize("line", COMMANDS)
def test_verbose_leaves_nothing_out(line):
    """Every line of the short answer stands in the long one; the hint at more does not."""
    whole = printed(f"{line} --verbose")
    for row in printed(line).splitlines():
        if row == terminal.MORE:
            assert len(whole) > len(printed(line))
            assert terminal.MORE not in whole
        else:
            assert row in whole


def test_the_next_step_is_a_command_that_runs():
    """What is printed below Next reads the same file, and can be copied."""
    for line in ("test two.csv --models bold", "calibration two.csv"):
        (command,) = re.findall(r"^ +plumbline (.+)$", printed(line), re.MULTILINE)
        options = " --resamples 99" if command.startswith("recalibrate") else ""
        assert printed(command + options)


def shown(tone, *, verbose=False):
    """Return a small answer as it is laid out, in a command or outside of one."""
    part = Presentation(
        subject="what was asked",
        summary="Miscalibrated: too bold.",
        tone=tone,
        details=(Detail("x", "error", "0.1"), Detail("e", "expected", "0.02", joined=True)),
        notes=(Note("One row is odd.", "odd"),),
        next_step=NextStep("test", "Test it."),
        tables=(Table({"bin": ["1"]}),),
        legend=("bin: a number",),
    )
    context = main.make_context("plumbline", ["test", "two.csv"], resilient_parsing=True)
    with context:
        running(context).verbose = verbose
        return terminal.laid_out([part])


def test_the_order_of_an_answer():
    """Answer, facts, next step, notes; what was asked, tables and words only with --verbose."""
    short = shown("bad").splitlines()
    assert short[:2] == ["Miscalibrated: too bold.", "  Error  0.1, expected 0.02"]
    assert [line.split()[0] for line in short if line][2:] == [
        "Next",
        "plumbline",
        "One",
        "Details:",
    ]
    whole = shown("bad", verbose=True)
    places = [
        whole.index(text) for text in ("what was asked", "Miscal", "One row", "bin\n", "bin:")
    ]
    assert places == sorted(places)


def test_every_command_stands_below_its_own_sentence():
    """Models with the same next step share the sentence, whatever stands between them."""

    def part(text):
        step = NextStep("test", text, per_model=True)
        return Presentation(summary="Off.", tone="bad", next_step=step)

    printed = terminal.laid_out([part("Fit."), part("Look."), part("Fit.")], ["a", "b", "c"])
    lines = [line.split()[-1] for line in printed.splitlines() if "  " in line]
    assert lines[0] == "Fit."
    assert lines[-2] == "Look."
    assert len(lines) == 4


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_only_where_they_are_wanted(no_color, coloured, monkeypatch):
    """A terminal gets a red verdict, with NO_COLOR a bold one; a pipe gets neither."""
    assert "\x1b" not in shown("bad")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", no_color)
    first = shown("bad").splitlines()[0]
    assert ("31m" in first) == coloured
    assert "\x1b[1" in first
