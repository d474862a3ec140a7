"""One table and seed have one verdict and one next step, word for word, on every surface."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from html_pages import undrawn
from laws import law
from plumbline.calibration_errors.next_steps import attribute_to_test
from plumbline.cli import main
from plumbline.reporting.page import sections
from plumbline.workbench import TableQuestions

FEW = ["--resamples", "99"]
LEVEL = 0.05


def table(seed):
    """Return one of many kinds of tables: 2 or 3 classes, few rows, faults, ties, impossible."""
    rng = np.random.default_rng([7, seed])
    k, n = 2 + seed % 2, int(rng.choice([30, 80, 250]))
    prob = rng.dirichlet(np.ones(k), n)
    truth = prob ** rng.choice([0.5, 1.0, 1.0, 1.6])
    truth /= truth.sum(axis=1, keepdims=True)
    actual = (truth.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    if seed % 5 == 1:  # ties
        prob = np.round(prob, 1)
        prob /= prob.sum(axis=1, keepdims=True)
    if seed % 5 == 2:  # a row that cannot be
        prob[0] = np.eye(k)[(actual[0] + 1) % k]
    hospital = rng.choice(["north", "south"], n)
    columns = [{}, {"patient_id": rng.permutation(10_000)[:n], "hospital": hospital}]
    names = np.array(["low", "high", "very high"])[:k]
    return pb.Predictions.from_arrays(
        names[actual], prob, classes=names.tolist(), attributes=columns[seed // 2 % 2]
    )


def printed(words):
    """Run a command and return what it prints, in one line."""
    ran = CliRunner().invoke(main, words, env={"COLUMNS": "200"})
    assert ran.exit_code == 0, ran.output
    return " ".join(ran.stdout.split())


@law("seed", range(20), number=3)
def test_verdict_and_next_step_are_the_same_string_everywhere(seed, tmp_path, monkeypatch):
    """Library, notebook, five commands, report, its JSON, and the questions of the browser."""
    monkeypatch.chdir(tmp_path)
    data = table(seed)
    data.write("t.csv")
    data = pb.Predictions.read("t.csv")  # the numbers as they are written
    test = pb.calibration_test(data, resamples=99)
    verdict, step = test.present().summary, test.present().next_step
    assert verdict in " ".join(repr(test).split())
    assert verdict in test._repr_html_().replace("&#x27;", "'")
    for words in (["test"], ["calibration"], ["scores", "--metrics", "ece"]):
        shown = printed([*words, "t.csv", *FEW])
        assert verdict in shown, words
        assert step.text in shown, words
    diagnosis = pb.diagnose(data, resamples=99).present()
    assert (diagnosis.summary, diagnosis.next_step) == (verdict, step)
    with undrawn():
        report = pb.report(data, "r.html", resamples=99, recalibrate="none")
    (part,) = sections(report)
    assert (part.shown.summary, part.shown.next_step) == (verdict, step)
    assert part.shown.tone == test.present().tone
    (entry,) = json.loads(json.dumps(report.to_dict()))["chapters"]
    assert entry["conclusion"][0] == verdict
    questions = TableQuestions(data)
    (answer,) = questions.answer({"kind": "test", "data": {}, "resamples": 99})["models"]
    assert answer["presentation"]["summary"] == verdict
    assert answer["presentation"]["next_step"]["text"] == step.text


@pytest.mark.parametrize("seed", range(20))
def test_one_error_alone_gives_no_verdict(seed):
    """It says its size; beside the test on the other side of the level one note reconciles them."""
    data = table(seed)
    test = pb.calibration_test(data, resamples=99)
    error = pb.calibration_error(data, resamples=99)
    alone, beside = error.present(), error.beside({None: test}).present()
    assert alone.tone == ""
    assert "iscalibrat" not in alone.summary
    assert (beside.summary, beside.tone) == (test.verdict, test.present().tone)
    larger = error.p_value <= LEVEL and error.value > error.null_mean
    apart = larger != (test.p_value <= LEVEL) and not test.impossible_rows
    assert ("reconciled" in [note.code for note in beside.notes]) == apart


def test_the_attribute_that_is_off_is_proposed():
    """Groups that are off where the whole is not; never what identifies rows, nor time."""
    rng = np.random.default_rng(0)
    n = 600
    p = rng.uniform(0.1, 0.9, n)
    hospital = np.arange(n) % 2
    y = rng.random(n) < p + np.where(hospital == 0, 0.1, -0.1)
    columns = {
        "patient_id": np.arange(1000, 1000 + n),
        "admitted": np.datetime64("2026-01-01") + np.arange(n) // 3,
        "sex": rng.choice(["f", "m"], n),
        "hospital": np.where(hospital == 0, "north", "south"),
    }
    data = pb.Predictions.from_arrays(y, p, attributes=columns)
    assert attribute_to_test(data) == "hospital"
    test = pb.calibration_test(data)
    assert test.p_value > LEVEL
    assert test.step.values == {"by": "hospital"}
    about = TableQuestions(data).answer({"kind": "about", "data": {}})
    assert [one["name"] for one in about["attributes"]][:2] == ["sex", "hospital"]


def test_where_no_test_is_possible_every_next_step_runs(tmp_path, monkeypatch):
    """Predictions of 0 and 1 that are all right: no surface calls that evidence, or plans it."""
    monkeypatch.chdir(tmp_path)
    y = np.arange(120) % 2
    pb.Predictions.from_arrays(y, y.astype(float)).write("t.csv")
    data = pb.read("t.csv")
    test = pb.calibration_test(data, resamples=99)
    advice = pb.recalibration_advice(data, resamples=99).present()
    assert test.step.request == advice.next_step.request == "confusion"
    assert "no test possible" in advice.summary
    printed(["confusion", "t.csv"])
