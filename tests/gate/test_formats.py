"""The answer of a gate for other programs holds whatever names are in it."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import plumbline as pb
from plumbline.gate import formats

HOSTILE = 'a|b <c> & "d" `e`\n::error::%0A*_[x]\x07'


@pytest.fixture(scope="module")
def gate():
    """Return an answer with a rule in every state, of a hostile name, and one of two models."""
    y = np.tile([0, 1], 60)
    p = np.where(np.arange(120) % 10 < 8, 0.2 + 0.6 * y, 0.8 - 0.6 * y)
    data = pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.tile(p, 2),
        model=["m|1"] * 120 + ["m2"] * 120,
        row=np.tile(np.arange(120), 2),
    )
    rules = [
        {"metric": "recall", "at_least": 0.1},
        {"metric": "recall", "at_least": 0.99, "name": HOSTILE},
        {"metric": "accuracy", "at_least": 0.81},
    ]
    return pb.check(data, rules)


def test_junit_is_xml_of_every_rule(gate):
    """Names and messages come back as they were, but for what no XML can hold."""
    suite = ET.fromstring(formats.junit(gate)).find("testsuite")
    cases = list(suite.iter("testcase"))
    assert len(cases) == len(gate.rules) == 6
    assert cases[2].get("name") == f"{HOSTILE} (m|1)".replace("\x07", "?")
    assert [case[0].tag if len(case) else "" for case in cases[::2]] == ["", "failure", "skipped"]
    assert cases[2][0].get("message") == gate.rules[2].message


def test_markdown_has_one_row_a_rule(gate):
    """No name ends a cell, and none is markup."""
    lines = formats.markdown(gate).splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 1 + len(gate.rules)
    bare = [row.replace("\\|", "").count("|") for row in rows]
    assert set(bare) == {8}


def test_annotations_are_one_line_each(gate):
    """No name or message begins a command of its own."""
    lines = formats.annotations(gate).splitlines()
    states = [one.state for one in gate.rules]
    assert len(lines) == len(states) - states.count("pass") + 1
    assert all(line.startswith(("::error ", "::notice ")) for line in lines)
    assert "file=" not in lines[0]  # rules that stand in no file


def test_a_picture_has_a_line_a_rule(gate):
    """Also of rules without numbers, and of one that is far from its bound."""
    axes = gate.figure().axes[0]
    assert len(axes.get_yticklabels()) == len(gate.rules)
    empty = pb.check(None, [{"metric": "recall", "at_least": 0.1}]).figure()
    assert len(empty.axes[0].lines) == 1
