"""The rules of a gate in the workbench: typed, and proposed; no file is read for them."""

import json

import numpy as np
import pytest

import plumbline as pb
from plumbline.workbench import TableQuestions
from refusals import refused

RULES = '[[rule]]\nmetric = "accuracy"\nat_least = 0.5\n'


@pytest.fixture(scope="module")
def table():
    """Return a table of two models."""
    rng = np.random.default_rng(4)
    prob = rng.random(300)
    actual = (rng.random(300) < prob).astype(int)
    return pb.Predictions.from_arrays(
        np.tile(actual, 2),
        np.r_[prob, 0.8 * prob],
        model=np.repeat(["new", "old"], 300),
        row=np.tile(np.arange(300), 2),
    )


@pytest.fixture
def ask(table):
    """Return what answers questions about the table."""
    return TableQuestions(table, name="t.csv").answer


def test_rules_that_are_typed_are_checked_of_every_model(ask, table):
    """The states, and the table of the rules, are those of the library."""
    found = ask({"kind": "check", "rules": RULES, "model": None})
    alone = pb.check(table, [{"metric": "accuracy", "at_least": 0.5}])
    assert found["presentation"]["summary"] == alone.summary
    (shown,) = found["presentation"]["tables"]
    assert shown["columns"]["model"] == ["new", "old"]
    assert found["state"] == alone.state


def test_proposed_rules_can_be_typed(ask):
    """What is proposed of these rows passes there; a file of it holds the same."""
    text = ask({"kind": "init"})["toml"]
    assert ask({"kind": "check", "rules": text})["state"] == "pass"
    what = {"kind": "check", "rules": text}
    for form in ("csv", "json", "py"):
        content = ask({"kind": "export", "what": what, "format": form})["bytes"]
        assert b"accuracy" in content
    assert json.loads(ask({"kind": "export", "what": what, "format": "json"})["bytes"])


@pytest.mark.parametrize(
    ("rules", "code", "fact"),
    [
        ('[[rule]]\nmetric = "recal"\nat_least = 0.5\n', "unknown-metric", "line 2"),
        ("[[rule]\n", "rules-unreadable", "line 1"),
        (None, "argument-missing", "rules"),
    ],
)
def test_what_is_wrong_with_them_is_said(ask, rules, code, fact):
    """With the line; without rules none are taken from a file."""
    with refused(pb.ParameterError, code, fact):
        ask({"kind": "check", "rules": rules})


@pytest.mark.parametrize("place", ["rule", "whole"])
def test_they_name_models_and_no_files(ask, tmp_path, table, place):
    """A path in a question from a browser is never read, whether it is there or not."""
    table.select(model="old").write(tmp_path / "old.csv")
    rule = '[[rule]]\nmetric = "log-loss"\nnot_worse_by = 0.01\n'
    for name in (str(tmp_path / "old.csv"), "../old.csv", "none.csv"):
        said = f"baseline = {json.dumps(name)}\n"
        with refused(pb.ParameterError, "baseline-missing", "would be a file"):
            ask({"kind": "check", "rules": rule + said if place == "rule" else said + rule})
    found = ask({"kind": "check", "rules": 'baseline = "old"\n' + rule})
    assert [one["model"] for one in found["rules"]] == ["new"]
