"""Commands that stand in a tutorial work on the table that it draws."""

import re
import runpy
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from plumbline.cli import main

PATH = Path(__file__).resolve().parents[2] / "examples/tutorials/t7b_several_answers.py"
TEXT = PATH.read_text("utf-8")
COMMANDS = re.findall(r"``plumbline (.+?)``", re.sub(r"\n# ?", " ", TEXT))
QUICK = {"plan": ["--effect", "shift:0.3", "--statistic", "log-loss", "--datasets", "30"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the table of the tutorial's first cell."""
    folder = tmp_path_factory.mktemp("tutorial")
    cell = folder / "first_cell.py"
    cell.write_text(TEXT.partition("# %%")[0].replace("from plumbline import plots\n", ""), "utf-8")
    runpy.run_path(str(cell))["answers"].write(folder / "answers.csv")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_tutorial_works(folder, monkeypatch, command):
    """With fewer resamples than it would draw by itself; its answer counts the questions."""
    monkeypatch.chdir(folder)
    words = shlex.split(command)
    more = QUICK.get(words[0], [])
    result = CliRunner().invoke(main, [*words, *more, "--resamples", "39"])
    assert result.exit_code == 0, result.output
    assert "150" in result.stdout.replace("(", " ").split()


def test_the_tutorial_has_commands():
    """One that tests, one that measures and one that plans, at least."""
    assert {"test", "scores", "plan"} <= {command.split()[0] for command in COMMANDS}
