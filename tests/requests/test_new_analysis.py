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
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("static"))
    function, row = blocks()
    (copy / "calibration_tests" / "sure_rows.py").write_text(function, "utf-8")
    table = copy / "requests" / "table.py"
    text = f"{table.read_text('utf-8')}\n\n{row}REQUESTS = {{**REQUESTS, SURE.name: SURE}}\n"
    table.write_text(text, "utf-8")
    stub = copy / "__init__.pyi"
    name = "from .calibration_tests.sure_rows import sure_rows as sure_rows\n"
    stub.write_text(f"{name}{stub.read_text('utf-8')}", "utf-8")
    pb.Predictions.from_arrays(
        np.array([0, 1, 1, 0] * 2),
        np.array([0.02, 0.6, 0.97, 0.95, 0.5, 0.5, 0.5, 0.5]),
        model=["a"] * 4 + ["b"] * 4,
        row=[*range(4), *range(4)],
    ).write(folder / "predictions.csv")

    def run(*words, module="plumbline"):
        command = [sys.executable, "-m", module, *words]
        # Of eight rows no kernel is compiled, which the copy would begin with.
        environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    run.folder = folder
    return run


def test_the_command_is_there_with_its_help(program):
    """The docstring is the help, the default stands in it."""
    text = " ".join(program("sure", "--help").stdout.split())
    summary, rule = re.search(
        r'def sure_rows.+?"""(.+?)\n.+default 0\.9\n(.+?)\n', blocks()[0], re.DOTALL
    ).groups()
    assert summary in text
    assert f"{rule.strip()} Default: 0.9." in text


def test_every_model_is_answered(program):
    """The JSON holds the fields of the result, the terminal what it presents."""
    entries = json.loads(program("sure", "predictions.csv", "--json").stdout)["results"]
    assert [(one["model"], one["sure"], one["accuracy"]) for one in entries] == [
        ("a", 3, 2 / 3),
        ("b", 0, None),
    ]
    assert re.search(r"^a: 3 of 4 ", program("sure", "predictions.csv").stdout, re.MULTILINE)


def test_a_wrong_value_is_one_error(program):
    """It names the option, the rule and what arrived."""
    done = program("sure", "predictions.csv", "--threshold", "90")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("plumbline: error: --threshold ")
    assert "90" in line


REPORTED = """
from click.testing import CliRunner
from plumbline.cli import main
quick = ["predictions.csv", "--resamples", "99", "--recalibrate", "none"]
CliRunner().invoke(main, ["report", *quick, "--out", "r.md"])
main(["report", *quick, "--out", "r.html", "--json"])
"""


def test_a_report_has_its_section(program):
    """With the heading of the row, the sentence of every model, and its key in the JSON."""
    (program.folder / "reported.py").write_text(REPORTED, "utf-8")
    entries = json.loads(program(module="reported").stdout)["results"]
    assert [one["sure"]["sure"] for one in entries] == [3, 0]
    page = (program.folder / "r.html").read_text("utf-8")
    assert page.count(">How often it is sure</h3>") == 2
    assert "3 of 4 predictions are sure." in page
    assert "## How often it is sure" in (program.folder / "r.md").read_text("utf-8")


ASKED = """
import plumbline as pb
from plumbline.workbench.questions.table_questions import TableQuestions
questions = TableQuestions(pb.read("predictions.csv"))
row = questions.answer({"kind": "requests"})["requests"]["sure"]
print(row["room"], *row["params"])
sure = {"kind": "sure", "model": "a", "threshold": 0.5}
print(questions.answer(sure)["presentation"]["summary"])
print(*questions.answer({"kind": "formats"})["formats"]["sure"])
for form in ("csv", "py"):
    print(questions.answer({"kind": "export", "what": sure, "format": form})["bytes"].decode())
"""


def test_the_workbench_asks_for_it(program):
    """By its row it is a question with its controls and files, which are the call and the rows."""
    (program.folder / "asked.py").write_text(ASKED, "utf-8")
    lines = program(module="asked").stdout.splitlines()
    assert lines[0] == "calibration threshold"
    assert lines[1].startswith("4 of 4 ")
    assert lines[2] == "csv json html py"
    assert "pb.sure_rows(data, threshold=0.5)" in "".join(lines[3:])
