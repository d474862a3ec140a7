"""The example of CONTRIBUTING.md: a function, a result and a row make a command."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "plumbline"


def blocks():
    """Return the code of the page: the module of the function, and the row."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return what runs a copy of the package that holds the example, in a folder with a file."""
    folder = tmp_path_factory.mktemp("example")
    copy = folder / "plumbline"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    function, row = blocks()
    (copy / "calibration_tests" / "sure_rows.py").write_text(function, "utf-8")
    table = copy / "requests" / "table.py"
    text = f"{table.read_text('utf-8')}\n\n{row}REQUESTS = {{**REQUESTS, SURE.name: SURE}}\n"
    table.write_text(text, "utf-8")
    pb.Predictions.from_arrays(
        np.array([0, 1, 1, 0] * 2),
        np.array([0.02, 0.6, 0.97, 0.95, 0.5, 0.5, 0.5, 0.5]),
        model=["a"] * 4 + ["b"] * 4,
        row=[*range(4), *range(4)],
    ).write(folder / "predictions.csv")

    def run(*words):
        command = [sys.executable, "-m", "plumbline", "sure", *words]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_the_command_is_there_with_its_help(program):
    """The docstring is the help, the default stands in it."""
    text = " ".join(program("--help").stdout.split())
    summary, rule = re.search(
        r'def sure_rows.+?"""(.+?)\n.+default 0\.9\n(.+?)\n', blocks()[0], re.DOTALL
    ).groups()
    assert summary in text
    assert f"{rule.strip()} Default: 0.9." in text


def test_every_model_is_answered(program):
    """The JSON holds the fields of the result, the terminal what it presents."""
    entries = json.loads(program("predictions.csv", "--json").stdout)["results"]
    assert [(one["model"], one["sure"], one["accuracy"]) for one in entries] == [
        ("a", 3, 2 / 3),
        ("b", 0, None),
    ]
    assert re.search(r"^a: 3 of 4 ", program("predictions.csv").stdout, re.MULTILINE)


def test_a_wrong_value_is_one_error(program):
    """It names the option, the rule and what arrived."""
    done = program("predictions.csv", "--threshold", "90")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("plumbline: error: --threshold ")
    assert "90" in line
