"""A report with rules says which of them are kept."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from refusals import refused

RULES = [{"metric": "accuracy", "at_least": 0.5}, {"metric": "recall", "at_least": 0.999}]
QUICK = {"resamples": 39, "recalibrate": "none"}


@pytest.fixture(scope="module")
def data():
    """Return the answers of a model that is often right; a report of labels alone is quick."""
    rng = np.random.default_rng(1)
    actual = rng.integers(0, 2, 300)
    answer = np.where(rng.random(300) < 0.8, actual, 1 - actual)
    return pb.Predictions.from_arrays(actual, predicted=answer)


def test_every_form_of_it_says_which_are_kept(data, tmp_path):
    """The page, its summary, Markdown and the result: the same states as `check` alone."""
    alone = pb.check(data, RULES)
    assert [one.state for one in alone.rules] == ["pass", "fail"]
    for name, detail in (("a.html", "normal"), ("s.html", "summary"), ("a.md", "normal")):
        found = pb.report(data, tmp_path / name, rules=RULES, detail=detail, **QUICK)
        assert [one.state for one in found.gate.rules] == ["pass", "fail"]
        text = (tmp_path / name).read_text("utf-8")
        assert "Are the rules kept?" in text
        assert alone.summary in text
    assert f"Rules: {alone.summary}" in found.present().notes


def test_a_report_without_rules_says_nothing_of_them(data, tmp_path):
    """No section, and no result."""
    assert pb.report(data, tmp_path / "a.md", **QUICK).gate is None
    assert "rules" not in (tmp_path / "a.md").read_text("utf-8")


def test_the_command_reads_a_file_of_rules(data, tmp_path, monkeypatch):
    """The terminal says it in a line, the JSON holds every rule; the page makes itself again."""
    monkeypatch.chdir(tmp_path)
    data.write("t.csv")
    (tmp_path / "r.toml").write_text('[[rule]]\nmetric = "accuracy"\nat_least = 0.5\n', "utf-8")
    words = ["report", "t.csv", "--rules", "r.toml", "--resamples", "39", "--recalibrate", "none"]
    assert "Rules: Pass: the rule is kept." in CliRunner().invoke(main, words).output
    assert "--rules r.toml" in (tmp_path / "report.html").read_text("utf-8").replace(
        '<span class="option">--rules</span>', "--rules"
    )
    found = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert [one["state"] for one in found["gate"]["rules"]] == ["pass"]


def test_wrong_rules_are_refused_before_anything_is_written(data, tmp_path):
    """The line of the file is named, and no page is there."""
    (tmp_path / "r.toml").write_text('[[rule]]\nmetric = "recal"\nat_least = 0.5\n', "utf-8")
    with refused(pb.ParameterError, "unknown-metric", "line 2"):
        pb.report(data, tmp_path / "a.html", rules=tmp_path / "r.toml", **QUICK)
    assert not (tmp_path / "a.html").exists()
