"""What stands in the README works as pasted."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from html_pages import undrawn
from plumbline.cli import main

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(language):
    """Return the blocks of code of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)


def pasted(command, folder):
    """Run a command in a folder and return what it printed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.fixture
def after_demo(tmp_path):
    """Return a folder with an environment and a small table of digits, as `make demo` leaves it."""
    activate = tmp_path / ".venv" / "bin" / "activate"
    activate.parent.mkdir(parents=True)
    activate.write_text(f"PATH={Path(sys.executable).parent}{os.pathsep}$PATH\n")
    rng = np.random.default_rng(0)
    models = ["naive Bayes", "decision tree", "random forest"]
    prob = rng.dirichlet(np.full(5, 0.3), 100)
    actual = np.array([str(rng.choice(5, p=row)) for row in prob])
    blocks = [prob**power / (prob**power).sum(axis=1, keepdims=True) for power in (1.5, 1, 0.7)]
    (tmp_path / "demo" / "digits").mkdir(parents=True)
    pb.Predictions.from_arrays(
        np.tile(actual, 3),
        np.concatenate(blocks),
        classes=[str(digit) for digit in range(5)],
        model=np.repeat(models, 100),
        fold=np.tile(np.arange(100) % 10, 3),
        row=np.tile(np.arange(100), 3),
    ).write(tmp_path / "demo" / "digits" / "predictions.parquet")
    return tmp_path


def test_commands_chain_as_pasted(after_demo, monkeypatch):
    """The commands run from top to bottom and leave the files that they name.

    The first lines run in a shell; commands that only follow are run here, without a start each.
    """
    (chain,) = blocks("sh")
    activate, cd, first, *rest = chain.splitlines()
    pasted(["bash", "-e", "-c", "\n".join((activate, cd, first))], after_demo)
    assert cd.startswith("cd ")
    monkeypatch.chdir(after_demo / cd.removeprefix("cd "))
    for line in rest:
        name, *words = shlex.split(line)
        assert name == "plumbline"
        with undrawn():
            ran = CliRunner().invoke(main, words, catch_exceptions=False)
        assert ran.exit_code == 0, ran.stderr
    written = {path.name for path in (after_demo / "demo" / "digits").iterdir()}
    assert {"reliability.svg", "map.json", "map.sql", "report.html"} <= written
    assert set(re.findall(r"^plumbline (\w+)", chain, re.M)) >= {"test", "compare", "recalibrate"}


def test_python_runs_as_one_script(tmp_path):
    """The Python blocks, below each other, are a script that works."""
    pasted([sys.executable, "-W", "error", "-c", "\n".join(blocks("python"))], tmp_path)
    assert (tmp_path / "reliability.png").exists()


def test_links_lead_somewhere():
    """Every file that the README names is there, and it stays short."""
    text = README.read_text("utf-8")
    assert text.count("\n") <= 120
    for target in re.findall(r"(?:\]\(|href=\"|src=\")([^)\"#]+)", text):
        assert (README.parent / target).exists(), target
