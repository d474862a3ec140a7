"""Every example of every `--help` can be pasted where it says, after `plumbline demo`."""

import itertools
import re
import shlex
import shutil

import click
import pytest
from click.testing import CliRunner

from commands import NAMES
from html_pages import undrawn
from laws import law
from plumbline import advisor, demo
from plumbline.cli import main
from plumbline.cli.options import EXAMPLES
from plumbline.reporting import documents

# What makes a command line quick.
QUICK = {
    **dict.fromkeys(("calibration", "test", "recalibrate", "report"), "--resamples 19"),
    **dict.fromkeys(("compare", "curve"), "--resamples 40"),
    "estimate": "--scheme nested:2x2",
    "plan": "--statistic brier-score --datasets 30 --resamples 39",
    "power": "--datasets 2 --points 40 --resamples 19",
}
ALONE = {"demo", "serve"}  # the first makes the files, the second runs until it is stopped
AS_TYPED = ("--list", "--counts", "--matrix", "--scheme repeated", "estimate measurements.csv")


def examples(command: str) -> list[list[str]]:
    """Return the words of every example of a command, those in several lines joined."""
    context = click.Context(main.commands[command], info_name=command, terminal_width=200)
    text = main.commands[command].get_help(context).replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"^ +plumbline (.+)$", text, re.MULTILINE)]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a folder with the tables and files that the demo writes; of a small forest."""
    folder = tmp_path_factory.mktemp("examples") / "demo"
    whole = demo._models

    def small(seed):
        models = whole(seed)
        models["random forest"].set_params(n_estimators=5)
        return models

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "_models", small)
        for name, (loader, _) in demo.SETS.items():
            (folder / name).mkdir(parents=True)
            demo.write_tables(demo.cross_validated(loader, 0), folder / name)
    return folder


@pytest.fixture
def here(written, tmp_path, monkeypatch):
    """Work where the examples are typed: in demo/breast-cancer, with the digits beside it."""
    shutil.copytree(written, tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo" / "breast-cancer")
    # A browser that prints may be missing: tests/browser/test_report.py prints with one.
    monkeypatch.setattr(documents, "need_printer", lambda: None)
    monkeypatch.setattr(documents, "printed", lambda page: b"%PDF-1.4")
    whole = advisor.recalibration_advice
    quick = {"methods": ["temperature", "isotonic"]}
    monkeypatch.setattr(
        advisor, "recalibration_advice", lambda data, **params: whole(data, **params | quick)
    )
    return tmp_path


def run(words: list[str]) -> str:
    """Run a command line and return what it prints; it succeeds without a traceback."""
    with undrawn():
        result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, (words, result.stderr)
    return result.stdout


def draws(command: str, line: list[str]) -> bool:
    """Tell whether an example draws anything, so that the number of resamples is not refused."""
    if command == "curve":
        return not {"--optimum", "--band"}.isdisjoint(line)
    if command == "recalibrate":
        return "--apply" in line or "--method" not in line
    return "--null" not in line and "--test" not in line


def quicker(command: str, line: list[str]) -> list[str]:
    """Return the words with quick values in place of their own, for an option stands once."""
    words = [*line]
    quick = shlex.split(QUICK.get(command, ""))
    quick += ["--n", "40"] if command == "plan" and "--n" in line else []
    for option, value in zip(quick[::2], quick[1::2], strict=True):
        if option in words:
            words[words.index(option) + 1] = value
        elif option != "--resamples" or draws(command, line):
            words += [option, value]
    return words


@law("command", sorted(NAMES - ALONE), number=4)
def test_every_example_can_be_pasted_in_order(command, here):
    """Each answers, what one writes the next reads, and every file it names is there."""
    lines = examples(command)
    assert len(lines) >= 4
    for line in lines:
        typed = any(mark in " ".join(line) for mark in AS_TYPED) and "--grid" not in line
        assert run(line if typed else quicker(command, line))
        for option, value in itertools.pairwise(line):
            if option in ("--out", "--save-map", "--picture", "--report", "--cases"):
                assert (here / "demo" / "breast-cancer" / value).stat().st_size > 0, line


@pytest.mark.usefixtures("here")
def test_the_server_is_given_what_is_there():
    """Its examples are read without an error, and name files of the demo."""
    lines = examples("serve")
    assert len(lines) >= 4
    for _, *words in lines:
        context = main.commands["serve"].make_context("serve", words)
        assert all(file.is_file() for file in context.params["files"])


def test_the_first_examples_follow_the_demo(here, monkeypatch):
    """Those of `plumbline --help` are typed where the demo was run."""
    monkeypatch.chdir(here)
    lines = re.findall(r"^ +plumbline (.+)$", main.epilog, re.MULTILINE)
    first, *rest = map(shlex.split, lines)
    assert first == ["demo"]
    for line in rest:
        assert run(quicker(line[0], line))


def test_the_help_says_where_examples_are_typed():
    """In the folder of the demo; a grid file that is shown is the one that lies there."""
    for command in NAMES - {"demo", "power"}:
        assert EXAMPLES in main.commands[command].epilog
    shown = [line.strip() for line in main.commands["estimate"].epilog.splitlines()]
    assert [line for line in shown if line in demo.GRID.splitlines()] == demo.GRID.splitlines()
