"""The example of CONTRIBUTING.md: a function, a result and a row make a command.

And parameters of plain types are options and controls by their signature and docstring.
"""

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
    """Return the code of the page: the module of the function, the row, its name and its case."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL)


SIGNATURE = """    margin: float | None = None,
    steps: int = 3,
    exact: bool = False,
    beside: Literal["first", "best"] | None = None,
    rng: Seed = 0,
"""
DOCSTRING = """    margin : float, optional
        Differences up to it are ties.
    steps : int, default 3
        Times that it is tried.
    exact : bool, default False
        Whether no p-value is drawn.
    beside : {"first", "best"}, optional
        The model beside which the others stand.
    rng : int"""


def with_parameters(text):
    """Return the module of `compare` with four more parameters, which change nothing."""
    at = text.index("def compare(")
    head, function = text[:at], text[at:]
    function = function.replace("    rng: Seed = 0,\n", SIGNATURE, 1)
    return f"from typing import Literal\n{head}{function.replace('    rng : int', DOCSTRING, 1)}"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return what runs a copy of the package that holds the example, in a folder with a file."""
    folder = tmp_path_factory.mktemp("example")
    copy = folder / "plumbline"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("static"))
    function, row, name, _ = blocks()
    (copy / "calibration_tests" / "sure_rows.py").write_text(function, "utf-8")
    table = copy / "requests" / "table.py"
    text = f"{table.read_text('utf-8')}\n\n{row}REQUESTS = {{**REQUESTS, SURE.name: SURE}}\n"
    table.write_text(text, "utf-8")
    compare = copy / "comparison" / "compare.py"
    compare.write_text(with_parameters(compare.read_text("utf-8")), "utf-8")
    stub = copy / "__init__.pyi"
    stub.write_text(f"{name}{stub.read_text('utf-8')}", "utf-8")
    pb.Predictions.from_arrays(
        np.array([0, 1, 1, 0] * 2),
        np.array([0.02, 0.6, 0.97, 0.95, 0.5, 0.5, 0.5, 0.5]),
        model=["a"] * 4 + ["b"] * 4,
        row=[*range(4), *range(4)],
    ).write(folder / "predictions.csv")

    def run(*words, module="plumbline", **more):
        command = [sys.executable, "-m", module, *words]
        # Of eight rows no kernel is compiled, which the copy would begin with.
        environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"} | more
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


REPORTED = f"""
import sys
sys.path.append({str(Path(__file__).parents[1])!r})
from click.testing import CliRunner
from html_pages import undrawn
from plumbline.cli import main
quick = ["predictions.csv", "--resamples", "9", "--recalibrate", "none"]
with undrawn():
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


# Whose rows all requests need.
TESTED = [
    *("requests/test_surfaces.py", "workbench/test_hostile.py", "workbench/test_export.py"),
    *("cli/test_unused_options.py", "cli/test_snapshots.py"),
]
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


def test_its_case_is_all_that_tests_need(program):
    """With it the tests of all surfaces ask it too, and miss no other row of their own."""
    tests = ROOT / "tests"
    for file in (*map(tests.joinpath, TESTED), *tests.glob("[!t]*.py")):
        path = program.folder / file.relative_to(tests)
        path.parent.mkdir(exist_ok=True)
        shutil.copy(file, path)
    cases = program.folder / "request_cases.py"
    text = cases.read_text("utf-8").replace("CASES = {\n", f"CASES = {{\n{blocks()[3]}", 1)
    cases.write_text(text, "utf-8")
    words = ["-q", "--rootdir=.", "--import-mode=importlib", "-p", "no:cacheprovider"]
    chosen = "sure or every_request or all_kinds or has_its_lines"
    renewed = {"PLUMBLINE_SNAPSHOTS": "write"}
    done = program(*words, "-k", chosen, *TESTED, module="pytest", **renewed)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 8


def test_a_parameter_is_an_option(program):
    """With its help, its default and the names that may be given, before what draws labels."""
    text = program("compare", "--help").stdout
    assert re.search(r"--margin X +Differences up to it are ties\.\n", text)
    assert re.search(r"--steps N +Times that it is tried\. Default: 3\.\n", text)
    assert re.search(r"--exact +Whether no p-value is drawn\.\n", text)
    assert re.search(r"--beside \[first\|best\] +The model beside which the others\s+stand\.", text)
    assert text.index("--level") < text.index("--margin") < text.index("--resamples")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--beside", "frist"), "first"),
        (("--steps", "-1"), "0"),
        (("--margin", "much"), "number"),
    ],
)
def test_a_wrong_value_of_a_parameter_is_one_error(program, words, part):
    """It names the option, the rule and what arrived."""
    done = program("compare", "predictions.csv", *words)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"plumbline: error: {words[0]} ")
    assert part in line
    assert words[1] in line


def test_a_parameter_is_passed_on(program):
    """The command line takes it, the function gets it."""
    words = ("--margin", "0.1", "--steps", "2", "--exact", "--beside", "best", "--json")
    done = program("compare", "predictions.csv", *words)
    assert done.returncode == 0, done.stderr


CHECKED = """
import json
import plumbline as pb
from plumbline.errors import ParameterError
from plumbline.workbench.questions.table_questions import TableQuestions
questions = TableQuestions(pb.read("predictions.csv"))
params = questions.answer({"kind": "requests"})["requests"]["compare"]["params"]
keys = ("label", "default", "choices", "least", "most", "flag")
print(json.dumps({n: [params[n][k] for k in keys] for n in ("margin", "steps", "exact", "beside")}))
compare = {"kind": "compare", "metric": "accuracy"}
for name, value in [("steps", 10**9), ("exact", 2), ("beside", "x"), ("margin", "y")]:
    try:
        questions.answer({**compare, name: value})
    except ParameterError as error:
        print(error.argument, error.code)
asked = {**compare, "steps": 2, "exact": True, "beside": "best", "margin": 0.1}
questions.answer(asked)
print(questions.answer({"kind": "export", "what": asked, "format": "py"})["bytes"].decode())
"""


def test_a_parameter_is_a_control_that_the_server_checks(program):
    """With its label, default, names and bounds; the exported Python has it."""
    (program.folder / "checked.py").write_text(CHECKED, "utf-8")
    done = program(module="checked")
    controls, *refused = done.stdout.splitlines()[:5]
    names = [{"value": name, "label": name} for name in ("first", "best")]
    assert json.loads(controls) == {
        "margin": ["Margin", None, [], None, None, False],
        "steps": ["Steps", 3, [], 0, 10_000, False],
        "exact": ["Exact", False, [], None, None, True],
        "beside": ["Beside", None, names, None, None, False],
    }
    assert refused == [
        "steps no-whole-number",
        "exact wrong-kind",
        "beside unknown-name",
        "margin wrong-kind",
    ]
    code = "".join(done.stdout.split())
    for one in ("margin=0.1", "steps=2", "exact=True", "beside='best'"):
        assert one in code
