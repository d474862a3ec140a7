"""A column of groups chosen in the data panel: every answer is that of a table in these groups."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.workbench import TableQuestions, encode
from plumbline.workbench.questions.exporting.script import reading_arguments, selecting
from plumbline.workbench.questions.inquiry import Inquiry

ROC = {"preset": "roc"}
QUESTIONS = [
    {"kind": "rows"},
    {"kind": "scores", "resamples": 39, "level": 0.95},
    {"kind": "test", "statistic": "omnibus", "resamples": 39},
    {"kind": "reliability", "bins": "equal-width:5", "resamples": 39},
    {"kind": "diagnosis", "resamples": 39},
    {"kind": "groups", "by": "site", "resamples": 99},
    {"kind": "groups", "by": None, "resamples": 39},
    {"kind": "sensitivity"},
    {"kind": "recalibration", "method": "temperature", "resamples": 39},
    {"kind": "compare"},
    {"kind": "confusion"},
    {"kind": "curve", "curve": ROC, "hull": False, "width": 200},
    {"kind": "reading", "curve": ROC, "threshold": 0.4},
    {"kind": "difference", "curve": ROC, "models": ["tree", "bayes"]},
    {"kind": "iso-cost", "curve": ROC, "fp": 1, "fn": 2},
    {"kind": "cases", "curve": ROC, "low": 0.3, "high": 0.5},
    {"kind": "subgroups", "curve": ROC, "by": "site"},
    {"kind": "class-counts", "by": "probability"},
]


@pytest.fixture(scope="module")
def data():
    """Return two models of the rows of 30 patients, four rows each."""
    rng = np.random.default_rng(0)
    n = 120
    prob = rng.uniform(size=n)
    return pb.Predictions.from_arrays(
        np.tile((rng.uniform(size=n) < prob).astype(int), 2),
        np.concatenate([prob, prob**1.5]),
        model=np.repeat(["tree", "bayes"], n),
        row=np.tile(np.arange(n), 2),
        attributes={
            "patient": np.tile(np.repeat(np.arange(30), 4), 2),
            "site": np.tile(np.where(np.arange(n) % 2, "north", "south"), 2),
        },
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one["kind"])
def test_a_column_of_groups_is_that_of_every_answer(data, question):
    """What is asked with the column is what is asked of the table in these groups."""
    panel = TableQuestions(data, name="t.csv").answer({**question, "data": {"groups": "patient"}})
    table = TableQuestions(data.in_groups("patient"), name="t.csv").answer({**question, "data": {}})
    assert encode(panel) == encode(table)


def test_the_panel_is_told_which_columns_and_how_many_groups(data):
    """Every attribute may name groups, what identifies rows first; rows are counted by group."""
    plain, grouped = (TableQuestions(one, name="t") for one in (data, data.in_groups("site")))
    about = plain.answer({"kind": "about"})
    assert set(about["groupable"]) == set(data.attributes)
    assert (about["groups"], grouped.answer({"kind": "about"})["groups"]) == (None, 2)
    rows = {"kind": "rows", "data": {"groups": "patient", "where": "patient < 10"}}
    assert (plain.answer(rows)["groups"], plain.answer({"kind": "rows"})["groups"]) == (10, None)


def test_the_calls_that_are_exported_name_the_groups(data):
    """The program puts the table in groups, the command line reads the column as that of groups."""
    fields = {"kind": "rows", "data": {"groups": "patient"}}
    inquiry = Inquiry(data, fields, name="t.csv", read={"rename": {"who": "groups", "y": "actual"}})
    lines, _ = selecting(inquiry, filtered=True)
    assert "data = data.in_groups('patient')" in "\n".join(lines).replace('"', "'")
    assert reading_arguments(inquiry)["rename"] == {"y": "actual", "patient": "groups"}


def test_a_column_that_is_none_is_refused(data):
    """A name from an address that somebody typed is no attribute."""
    questions = TableQuestions(data, name="t.csv")
    with pytest.raises(pb.ParameterError) as caught:
        questions.answer({"kind": "rows", "data": {"groups": "pateint"}})
    assert caught.value.code == "unknown-attribute"
