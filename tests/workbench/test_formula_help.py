"""The questions `vocabulary` and `lint`: what a formula may name, and what is wrong with one."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.curves import PRESETS, VARIABLES, Vocabulary, best_threshold
from plumbline.curves.target_rows import rows_of
from plumbline.errors import FormulaError
from plumbline.formula import read_formula
from plumbline.formula.checking import KNOWN
from plumbline.workbench import TableQuestions
from plumbline.workbench.wording import BROWSER

NAMES = ["age", "chest pain", "TP", "if", "2nd", "it's", "žleza", "e", "max"]


@pytest.fixture(scope="module")
def data():
    """A table whose columns have every kind of name."""
    rng = np.random.default_rng(2)
    n = 60
    attributes = {name: rng.integers(0, 9, n) for name in NAMES}
    attributes["kind"] = rng.choice(["it's", 'a "b"', "plain"], n)
    prob = rng.random(n)
    actual = np.where(rng.random(n) < prob, "yes", "no")
    return pb.Predictions.from_arrays(actual, prob, classes=["no", "yes"], attributes=attributes)


@pytest.fixture(scope="module")
def questions(data):
    """Questions about that table."""
    return TableQuestions(data)


@pytest.fixture(scope="module")
def words(questions):
    """Its vocabulary."""
    return questions.answer({"kind": "vocabulary"})


def lint(questions, part, text, **curve):
    """Ask what is wrong with a formula."""
    return questions.answer({"kind": "lint", "part": part, "text": text, "curve": curve})


def test_every_name_can_be_read(words, data):
    """Each name that is offered is a formula, of the level and kind that is told."""
    known = Vocabulary(rows_of(data, data.positive))
    for variable in words["variables"]:
        read = read_formula(variable["name"], known)
        assert read.level == variable["level"], variable
        if variable["group"] not in ("constant", "threshold"):
            assert (read.kind, list(read.categories)) == (variable["kind"], variable["categories"])


def test_nothing_is_missing(words):
    """Every variable of the language but the absent score, every column and function is there."""
    names = {variable["name"] for variable in words["variables"]}
    assert names >= set(VARIABLES) - {"score"}
    assert "score" not in names
    columns = {v["title"]: v["name"] for v in words["variables"] if v["attribute"]}
    assert set(columns) == {*NAMES, "kind"}
    assert columns["age"] == "age"
    assert columns["TP"] == "`TP`"
    assert columns["chest pain"] == "`chest pain`"
    assert {function["name"] for function in words["functions"]} | {"cum"} == KNOWN
    assert [preset["name"] for preset in words["presets"]] == list(PRESETS)


def test_a_column_that_is_named_like_a_variable_means_the_column(data, words):
    """The name that is offered for a column has the values of the column."""
    for variable in words["variables"]:
        if variable["attribute"] and variable["kind"] == "number":
            curve = pb.curve(data, x="rank(probability)", y=variable["name"], sort_by="probability")
            expected = np.sort(data.attributes[variable["title"]])
            np.testing.assert_array_equal(np.sort(curve.lines[0].y), expected)


def test_signatures_are_calls(words, data):
    """Every signature is a formula once its arguments stand for numbers."""
    known = Vocabulary(rows_of(data, data.positive))
    for function in words["functions"]:
        if function["name"] == "param":
            call = "param('name', 1)"
        else:
            inside = function["signature"].partition("(")[2].rstrip(")")
            count = len(inside.replace(", ...", "").split(","))
            call = f"{function['name']}({', '.join(['1', '0.5', '2'][:count])})"
        assert read_formula(call, known).kind in ("number", "truth"), call


@pytest.mark.parametrize(
    ("part", "text", "start", "end", "word"),
    [
        ("y", "precison * 2", 0, 8, "Did you mean 'precision'"),
        ("y", "TP = 3", 3, 4, "assigns"),
        ("x", "", 0, 0, "empty"),
        ("where", "age > 3 and recall > 1", 12, 18, "depends on the threshold"),
        ("where", "kind", 0, 4, "true or false"),
        ("where", "kind == 'plane'", 8, 15, "Did you mean 'plain'"),
        ("sort_by", "TPR", 0, 3, "depends on the threshold"),
        ("subject_to", "recall", 0, 6, "true or false"),
        ("y", "kind", 0, 4, "must be a number"),
    ],
)
def test_what_is_wrong_and_where(questions, part, text, start, end, word):
    """A mistake has its place and its remedy."""
    error = lint(questions, part, text)["error"]
    assert word in error["message"]
    assert (error["start"], error["end"]) == (start, end)


def test_lint_says_what_the_curve_would(questions, data):
    """A formula is refused for the reason for which its curve would be."""
    error = lint(questions, "y", "TPR", sort_by="age")["error"]
    with pytest.raises(FormulaError) as refused:
        pb.curve(data, x="age", y="TPR", sort_by="age")
    assert error["message"] == refused.value.worded(BROWSER)
    error = lint(questions, "subject_to", "PP + 1")["error"]
    with pytest.raises(FormulaError) as refused:
        best_threshold(data, "CA", subject_to="PP + 1")
    assert error["message"] == refused.value.worded(BROWSER)


def test_a_preset_brings_its_order(questions):
    """Under a preset a formula is read with the order of that preset."""
    assert lint(questions, "y", "TPR", preset="error-by-attribute", x="age")["error"] is None
    assert lint(questions, "y", "TPR", preset="roc", direction="unsorted")["error"]


def test_what_a_sound_formula_is(questions):
    """Level, kind, parameters with their defaults, names and notes come back."""
    found = lint(questions, "y", "cumm(param('gain', 3) * eP - `TP`)")
    assert found["error"] is None
    assert (found["level"], found["kind"]) == ("state", "number")
    assert found["params"] == [{"name": "gain", "default": 3.0}]
    assert found["names"] == ["`TP`", "eP"]
    assert any("back-ticks" in note for note in lint(questions, "y", "TP")["notes"])
    assert lint(questions, "y", "eFN", average="smooth")["notes"]
    for part in ("where", "sort_by", "subject_to"):
        assert lint(questions, part, " ")["error"] is None
    assert lint(questions, "subject_to", "recall >= 0.8")["kind"] == "truth"
