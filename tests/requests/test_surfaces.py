"""One request, one answer: the library, the command line and the browser give the same numbers."""

import json
import re
import shlex
import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline._result import jsonable
from plumbline.cli import main
from plumbline.requests import REQUESTS
from plumbline.workbench import TableQuestions
from request_cases import CASES, alone, of_the_library, two_models, typed

# Of rows without a command of their own.
COMMANDS = {
    "within": "test",
    "by": "test",
    "groups": "calibration",
    "heterogeneity": "calibration",
    "model-scores": "scores",
}
IN_THE_BROWSER = {"compare": {"metric": "log-loss"}}  # fields that have another name there
WORDED = {"remarks", "reason"}  # each surface names the arguments in them its own way
# Requests that read a learner, fit a map, draw thousands of points or take hours.
ELSEWHERE = {
    "curve": "tests/cli/test_curve.py",
    "estimate": "tests/cli/test_estimate.py",
    "power": "tests/cli/test_power.py",
    "check": "tests/cli/test_check.py",
    "init": "tests/workbench/test_gate.py",
    "cell": "tests/workbench/test_model_questions.py",
    **dict.fromkeys(
        ("cases", "reading", "iso-cost", "difference", "subgroups"),
        "tests/workbench/test_reading_more.py",
    ),
    "recalibration": "tests/workbench/test_calibration_questions.py",
}


@pytest.fixture(scope="module")
def data():
    """Return a table of two models, with an attribute."""
    return two_models()


def without_words(value):
    """Return plain data without what every surface words its own way."""
    if isinstance(value, dict):
        return {key: without_words(one) for key, one in value.items() if key not in WORDED}
    return [without_words(one) for one in value] if isinstance(value, list) else jsonable(value)


def test_every_request_is_asked_here_or_elsewhere():
    """A new row of the table takes a case of its own."""
    assert {*CASES, *ELSEWHERE} == set(REQUESTS)


@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name in CASES
        if REQUESTS[COMMANDS.get(name, name)].has_command and not REQUESTS[name].host
    ),
)
def test_the_command_line_prints_what_the_library_returns(name, data, tmp_path):
    """The entries of `--json` are those of the result, number by number."""
    values, _ = CASES[name]
    command = COMMANDS.get(name, name)
    file = tmp_path / "table.csv"
    alone(name, data).write(file)
    ran = CliRunner().invoke(
        main, [command, str(file), *shlex.split(" ".join(typed(values))), "--json"]
    )
    assert ran.exit_code == 0, ran.output
    printed = json.loads(ran.stdout)
    entries, beside = of_the_library(name, alone(name, data), values).json_entries()
    for entry, expected in zip(printed["results"], entries, strict=True):
        expected = json.loads(json.dumps(jsonable(expected)))
        assert {key: entry[key] for key in expected if key != "model"} == {
            key: value for key, value in expected.items() if key != "model"
        }
    assert {key: printed[key] for key in beside} == json.loads(json.dumps(jsonable(dict(beside))))


@pytest.mark.parametrize("name", sorted(name for name, (_, kind) in CASES.items() if kind))
def test_the_browser_shows_what_the_library_returns(name, data):
    """The answer to a question holds the fields of the result, number by number."""
    values, kind = CASES[name]
    rows = alone(name, data)
    answer = TableQuestions(rows).answer(
        {"kind": kind, "data": {}, **values, **IN_THE_BROWSER.get(name, {})}
    )
    entry = answer
    if name in ("calibration", "test", "confusion"):  # an entry a model
        (entry,) = answer["results" if name == "confusion" else "models"]
    expected = of_the_library(name, rows, values).to_dict()
    for key in expected.keys() - WORDED:
        assert without_words(entry[key]) == without_words(expected[key]), key


# Zero, the least floats of all, what 1 less it rounds to, and the float below 1.
SPECIAL = np.array([0.0, 5e-324, 1e-320, 1e-300, 1e-16, 0.3, 0.5, 0.7, 1 - 1e-16, 1.0])


def extreme_table(*, impossible):
    """Return two models, some of whose probabilities are as small or near 1 as floats can be."""
    rng = np.random.default_rng(0)
    p = np.r_[np.repeat(SPECIAL, 6), rng.uniform(size=60)]
    y = (rng.uniform(size=len(p)) < p).astype(int)
    if impossible:
        y[: 6 * len(SPECIAL) : 5] ^= 1
    n = len(p)
    return pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.r_[p, rng.permutation(p)],
        model=["new"] * n + ["old"] * n,
        row=np.tile(np.arange(n), 2),
        attributes={
            "site": np.tile(np.resize(["a", "b"], n), 2),
            "place": np.tile(np.resize(["x", "y", "z"], n), 2),
        },
    )


@pytest.mark.parametrize("impossible", [False, True])
@pytest.mark.parametrize("name", sorted(set(CASES) - {"plan"}))  # which asks for no rows
def test_no_request_overflows_on_denormal_probabilities(name, impossible):
    """Every answer, its text and its frame come without a warning of NumPy."""
    data = alone(name, extreme_table(impossible=impossible))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        answer = of_the_library(name, data, CASES[name][0])
        for one in answer if isinstance(answer, (list, tuple)) else [answer]:
            assert repr(one)
            one.to_frame()


def texts_of(shown):
    """Yield the sentences of a presentation, without the cells of tables and details."""
    yield from (shown.summary, *shown.notes, *shown.legend)
    yield from filter(None, [shown.next_step and shown.next_step.text])
    yield from (table.title for table in shown.tables)
    yield from (one.text for one in shown.details if one.alone)


NUMBERED = ("7141", "8282", "9393")  # names of classes that no count or share here is alike


def biased_table(classes, rows, seed):
    """Return rows of one model and another, which predict the last class too often."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(len(classes)), rows)
    odds = p * np.r_[np.ones(len(classes) - 1), 3.0]
    actual = np.array([rng.choice(len(classes), p=one) for one in p])
    return pb.Predictions.from_arrays(
        np.array(classes)[np.tile(actual, 2)],
        np.r_[odds / odds.sum(axis=1, keepdims=True), p],
        classes=list(classes),
        model=["new"] * rows + ["old"] * rows,
        row=np.tile(np.arange(rows), 2),
        attributes={
            "site": np.tile(np.resize(["a", "b"], rows), 2),
            "place": np.tile(np.arange(rows) % 7 % 3, 2),
        },
    )


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        (name, classes)
        for name in sorted(set(CASES) - {"plan"})
        for classes in (NUMBERED[:2], NUMBERED)
        if len(classes) == 2 or name != "monitor"  # which is of two classes
    ],
)
@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_sentences_quote_classes_that_read_as_numbers(name, classes):
    """No sentence names a class such as 1 without quotes, or without "class" before it."""
    values = dict(CASES[name][0])
    if name == "optimum" and len(classes) > 2:
        values["target"] = classes[-1]
    if name == "confusion" and len(classes) > 2:
        values.pop("threshold")
    for rows in (30, 400):
        answer = of_the_library(name, alone(name, biased_table(classes, rows, rows)), values)
        for one in answer if isinstance(answer, (list, tuple)) else [answer]:
            for text in texts_of(one.present()):
                for found in re.finditer("|".join(NUMBERED), text):
                    before, after = text[: found.start()], text[found.end() :]
                    said = before.endswith(("class ", "class: "))
                    assert said or (before[-1:] in "'\"`" and after[:1] in "'\"`"), text
