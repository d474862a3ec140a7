"""The command `check`: its exit status, what it prints and what it writes."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main

RULES = """\
[[rule]]
metric = "recall"
at_least = 0.6

[[rule]]
metric = "roc-auc"
at_least = {area}
where = "site == '{site}'"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table, a worse model's, one without rows, and rules."""
    folder = tmp_path_factory.mktemp("gate")
    rng = np.random.default_rng(1)
    logit = rng.normal(0, 2, 400)
    y = np.where(rng.random(400) < 1 / (1 + np.exp(-logit)), "yes", "no")
    site = {"site": np.resize(["a", "b"], 400)}
    for name, noise in (("new", 0.2), ("old", 1.5)):
        p = 1 / (1 + np.exp(-logit - rng.normal(0, noise, 400)))
        pb.Predictions.from_arrays(y, p, attributes=site).write(folder / f"{name}.csv")
    (folder / "empty.csv").write_text("y_true,y_prob\n", "utf-8")
    for name, area, where in (("pass", 0.7, "a"), ("fail", 0.99, "b"), ("open", 0.7, "c")):
        (folder / f"{name}.toml").write_text(RULES.format(area=area, site=where), "utf-8")
    return folder


@pytest.fixture
def run(folder, monkeypatch):
    """Return what runs the command in that folder."""
    monkeypatch.chdir(folder)
    return lambda *words: CliRunner().invoke(main, ["check", *words])


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("new.csv", "--rules", "pass.toml"), 0),
        (("new.csv", "--rules", "fail.toml"), 1),
        (("new.csv", "--rules", "open.toml"), 3),
        (("new.csv", "--rules", "open.toml", "--on-not-enough", "warn"), 0),
        (("empty.csv", "--rules", "pass.toml"), 3),
        (("empty.csv", "--rules", "pass.toml", "--json"), 3),
        (("new.csv", "--rules", "none.toml"), 2),
        (("new.csv", "--rules", "pass.toml", "--level", "0.3"), 2),
        (("none.csv", "--rules", "pass.toml"), 2),
        (("new.csv", "--rules", "pass.toml", "--init"), 2),
        (("new.csv", "--rules", "pass.toml", "--json", "--annotate", "github"), 2),
    ],
)
def test_the_exit_status_is_the_state(run, words, status):
    """0 pass, 1 fail, 3 not enough rows, 2 an error in the command, the rules or the data."""
    assert run(*words).exit_code == status


def test_the_answer_lists_every_rule(run):
    """The terminal shows a line a rule, and `--json` the numbers of the library."""
    printed = run("new.csv", "--rules", "fail.toml").stdout
    assert "recall >= 0.6" in printed
    assert "roc-auc >= 0.99" in printed
    answer = json.loads(run("new.csv", "--rules", "fail.toml", "--json").stdout)
    alone = pb.check(pb.Predictions.read("new.csv"), "fail.toml")
    assert [one["low"] for one in answer["results"]] == [one.low for one in alone.rules]
    assert (answer["state"], answer["exit_code"], answer["level"]) == ("fail", 1, 0.95)


def test_rules_are_proposed_and_kept(run, folder):
    """What `--init` writes passes on the rows that it is made of, and says their numbers."""
    assert run("new.csv", "--init", "--out", "proposed.toml").exit_code == 0
    text = (folder / "proposed.toml").read_text("utf-8")
    assert text.count("\n[[rule]]  # ") == 7
    assert run("new.csv", "--rules", "proposed.toml").exit_code == 0
    assert run("new.csv", "--init", "--out", "proposed.xml").exit_code == 2
    assert run("new.csv", "--rules", "pass.toml", "--out", "gate.toml").exit_code == 2


def test_rules_of_groups_are_proposed_and_no_longer_warned_of(run, folder):
    """A column that recurs is a comment, a named one a setting; then rows are not called alone."""
    whole = pb.read(folder / "new.csv")
    unit = {"patient": np.repeat(np.arange(200), 2), "ward": np.resize(["a", "b"], 400)}
    table = pb.Predictions.from_arrays(whole.actual, whole.prob[:, 1], attributes=unit)
    table.write(folder / "visits.csv")
    assert run("visits.csv", "--init", "--out", "asked.toml").exit_code == 0
    text = (folder / "asked.toml").read_text("utf-8")
    assert '\n# groups = "patient" ' in text
    assert "\n# where = \"ward == 'a'\" " in text
    assert run("visits.csv", "--groups", "patient", "--init", "--out", "said.toml").exit_code == 0
    assert '\ngroups = "patient" ' in (folder / "said.toml").read_text("utf-8")
    for rules, told in (("asked.toml", True), ("said.toml", False)):
        shown = run("visits.csv", "--rules", rules)
        assert shown.exit_code == 0
        assert ("'patient' recurs" in " ".join(shown.stdout.split())) is told
        assert ("Groups of rows  200" in shown.stdout) is not told


def test_what_is_written_holds_the_same_states(run, folder):
    """JUnit has a failure and a skip, Markdown a row a rule, CSV too, and there is a picture."""
    words = [word for end in ("xml", "md", "csv", "svg") for word in ("--out", f"gate.{end}")]
    assert run("new.csv", "--rules", "fail.toml", *words).exit_code == 1
    suite = ET.fromstring((folder / "gate.xml").read_text("utf-8")).find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")
    assert [len(case) for case in suite.iter("testcase")] == [0, 1]
    summary = (folder / "gate.md").read_text("utf-8")
    assert summary.count("\n| ") == 3
    assert (folder / "gate.csv").read_text("utf-8").count("\n") == 3
    assert "<svg" in (folder / "gate.svg").read_text("utf-8")


def test_annotations_mark_the_lines_of_the_rules(run):
    """A broken rule is an error at its line, one not decided too unless that only warns."""
    broken = run("new.csv", "--rules", "fail.toml", "--annotate", "github").stdout
    assert "::error file=fail.toml,line=5,title=roc-auc" in broken
    unknown = ("new.csv", "--rules", "open.toml", "--annotate", "github")
    assert "::error file=open.toml,line=5" in run(*unknown).stdout
    warned = run(*unknown, "--on-not-enough", "warn").stdout
    assert "::warning file=open.toml,line=5" in warned


def test_two_files_are_paired_with_their_baseline(run, folder):
    """`--baseline` names the file that a difference is to."""
    text = '[[rule]]\nmetric = "log-loss"\nnot_worse_by = 0.0\n'
    (folder / "margin.toml").write_text(text, "utf-8")
    assert run("new.csv", "--rules", "margin.toml", "--baseline", "old.csv").exit_code == 0
    assert run("old.csv", "--rules", "margin.toml", "--baseline", "new.csv").exit_code == 1
    error = run("new.csv", "--rules", "margin.toml")
    assert error.exit_code == 2
    assert "margin.toml, line 1" in error.stderr


def test_a_baseline_is_read_as_the_table_is(run, folder):
    """Options that name the columns of FILE hold for the file of the baseline too."""
    for name in ("new", "old"):
        data = pb.Predictions.read(folder / f"{name}.csv")
        labels = np.array(data.classes)[data.actual]
        rows = [f"{y},{p}" for y, p in zip(labels, data.prob[:, data.positive], strict=True)]
        (folder / f"own-{name}.csv").write_text("\n".join(["churned,risk", *rows]), "utf-8")
    rules = '[[rule]]\nmetric = "log-loss"\nnot_worse_by = 0.0\nbaseline = "own-old.csv"\n'
    (folder / "own.toml").write_text(rules, "utf-8")
    words = ("own-new.csv", "--actual", "churned", "--prob", "risk=yes", "--rules", "own.toml")
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    assert "own-old.csv" in json.loads(done.stdout)["results"][0]["baseline"]
