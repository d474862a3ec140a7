"""The plug-in of pytest: each rule a line, and no green test without its rules."""

import tomllib
from pathlib import Path

import numpy as np

import plumbline as pb

pytest_plugins = ("pytester",)
ROOT = Path(__file__).resolve().parents[2]
LOADED = ("-p", "no:plumbline", "-p", "plumbline_pytest", "-p", "no:cacheprovider")
TESTS = """
import plumbline as pb

def test_of_a_file(plumbline_gate):
    plumbline_gate("predictions.csv", "rules.toml")

def test_of_a_table(plumbline_gate):
    data = pb.Predictions.read("predictions.csv")
    answer = plumbline_gate(data, [{"metric": "recall", "at_least": 0.5, "name": "kept"}])
    assert answer.state == "pass"

def test_that_is_broken(plumbline_gate):
    plumbline_gate("predictions.csv", [{"metric": "recall", "at_least": 0.99, "name": "broken"}])

RULE = {"metric": "recall", "at_least": 0.5, "where": "probability > 2", "name": "unknown"}

def test_that_is_not_decided(plumbline_gate):
    plumbline_gate("predictions.csv", [RULE])

def test_that_may_be_undecided(plumbline_gate):
    plumbline_gate("predictions.csv", [RULE], on_not_enough="warn")
"""


def test_each_rule_is_a_line_of_the_report(pytester):
    """A broken rule and one that is not decided fail their tests; with "warn" it is skipped."""
    rng = np.random.default_rng(2)
    p = rng.uniform(size=300)
    y = (rng.random(300) < p).astype(int)
    pb.Predictions.from_arrays(y, p).write(pytester.path / "predictions.csv")
    (pytester.path / "rules.toml").write_text('[[rule]]\nmetric = "f1"\nat_least = 0.3\n')
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess(*LOADED, "--junitxml=report.xml")
    result.assert_outcomes(passed=2, failed=2, skipped=1)
    lines = [line for line in result.outlines if line.startswith("  ")]
    for name, state in (
        ("f1 >= 0.3", "Pass"),
        ("kept", "Pass"),
        ("broken", "Fail"),
        ("unknown", "Not enough rows"),
    ):
        assert any(line.startswith(f"  {name}: {state}") for line in lines), name
    report = (pytester.path / "report.xml").read_text("utf-8")
    assert report.count('<property name="plumbline"') == 5


def test_pytest_finds_the_plug_in():
    """The package names it as an entry point, under the name that turns it off."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"plumbline": "plumbline_pytest"}
