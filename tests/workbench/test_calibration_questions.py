"""Questions about calibration: the answers are the library's own, on the same rows."""

import csv
import io
import json
import runpy
import shlex
from importlib import import_module

import numpy as np
import pytest

import plumbline as pb
from plumbline._result import jsonable
from plumbline.advisor import effect_between, recalibration_advice
from plumbline.calibration_errors import bin_sensitivity, reliability_curve
from plumbline.calibration_tests import diagnose
from plumbline.errors import InputError, ParameterError
from plumbline.group_calibration import calibration_by, worst_slice
from plumbline.recalibration import fit_map
from plumbline.workbench import TableQuestions, decode, encode
from refusals import refused

DRAWS = 99


def table(k=2, n=240, models=("bold", "true"), weighted=False):
    """Rows of several models: the first too sure, the others true; an attribute and weights."""
    rng = np.random.default_rng(7 + k)
    prob = rng.dirichlet(np.ones(k), n)
    actual = (prob.cumsum(axis=1) < rng.uniform(size=(n, 1))).sum(axis=1)
    sharp = prob**2 / (prob**2).sum(axis=1, keepdims=True)
    names = [f"c{j}" for j in range(k)]
    every = [sharp if name == "bold" else prob for name in models]
    again = len(models)
    return pb.Predictions.from_arrays(
        np.tile(np.array(names)[actual], again),
        np.concatenate(every),
        classes=names,
        model=np.repeat(models, n),
        weight=np.tile(rng.uniform(0.5, 2, n), again) if weighted else None,
        attributes={
            "site": np.tile(np.where(rng.uniform(size=n) < 0.5, "north", "south"), again),
            "age": np.tile(rng.integers(18, 80, n), again),
        },
    )


def ask(rows, kind, **fields):
    """The answer as a browser gets it."""
    return decode(encode(TableQuestions(rows).answer({"kind": kind, "resamples": DRAWS, **fields})))


def agree(answer, result):
    """Every field of the library's answer stands in the workbench's, with the same value."""
    expected = decode(encode(result.to_dict()))
    assert {name: answer[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("k", "view", "weighted"),
    [(2, None, True), (3, None, False), (3, "one-vs-rest:c1", True), (3, "classwise", True)],
)
def test_the_error_of_every_model_is_the_librarys(k, view, weighted):
    """Same view, bins and draws: same value, null and p-value, for every chosen model."""
    data = table(k, weighted=weighted)
    found = ask(data, "reliability", view=view, bins="equal-size:7", distance="square")
    assert [one["model"] for one in found["models"]] == ["bold", "true"]
    assert found["shown"] == "bold"
    for one in found["models"]:
        part = data.by_model()[one["model"]]
        agree(
            one,
            pb.calibration_error(
                part, view=view, bins="equal-size:7", distance="square", resamples=DRAWS
            ),
        )
        assert one["histogram"]["counts"].sum() == DRAWS
        assert (one["curve"] is None) == (one["why_no_curve"] is not None) == (view == "classwise")


def test_the_diagram_has_the_librarys_bins_and_band():
    """The columns of the diagram are the rows of `reliability_curve`, also with other distances."""
    data = table()
    found = ask(data, "reliability", model="true", distance="log")
    curve = reliability_curve(data.by_model()["true"], resamples=DRAWS)
    shown = next(one for one in found["models"] if one["model"] == found["shown"])["curve"]
    for name in ("mean_probability", "outcome_share", "band_low", "band_high", "lo", "hi"):
        np.testing.assert_array_equal(shown[name], [row[name] for row in curve.bins])


@pytest.mark.parametrize("bins", ["isotonic", "monotone-sweep", "one-per-point"])
def test_bins_without_a_band_say_why_there_is_no_diagram(bins):
    """The error is there, the diagram is not, and the reason is in words."""
    data = table()
    (first, _) = ask(data, "reliability", bins=bins)["models"]
    agree(first, pb.calibration_error(data.by_model()["bold"], bins=bins, resamples=DRAWS))
    assert first["curve"] is None
    assert "band" in first["why_no_curve"]


def test_the_filter_and_the_chosen_models_count():
    """The rows of an answer are those that the data panel leaves."""
    data = table()
    panel = {"models": ["bold"], "where": "age > 40"}
    (only,) = ask(data, "reliability", data=panel)["models"]
    kept = data.select(model="bold")
    kept = kept.select(where=np.flatnonzero(np.asarray(kept.attributes["age"]) > 40))
    assert 0 < kept.n < 240
    agree(only, pb.calibration_error(kept, resamples=DRAWS))


def test_the_target_class_is_the_event_of_two_classes():
    """With another target the usual view looks at the other class."""
    (one, _) = ask(table(), "reliability", data={"target": "c0"})["models"]
    assert one["view"] == "one-vs-rest:c0"


@pytest.mark.parametrize(
    ("k", "statistic", "fields"),
    [
        (2, "omnibus", {}),
        (3, "omnibus", {}),
        (2, "ece", {"bins": "equal-width:5"}),
        (3, "skce", {}),
    ],
)
def test_a_test_is_the_librarys(k, statistic, fields):
    """Same statistic and settings: same p-value and verdict; bars only where labels were drawn."""
    data = table(k)
    found = ask(data, "test", statistic=statistic, **fields)
    for one in found["models"]:
        expected = pb.calibration_test(
            data.by_model()[one["model"]], statistic=statistic, resamples=DRAWS, **fields
        )
        agree(one, expected)
        assert (one["histogram"] is None) == (expected.null == "exact")


def test_the_bars_of_the_omnibus_are_on_powers_of_ten():
    """The observed number and its range are on the scale of the bars."""
    data = table()
    (one, _) = ask(data, "test")["models"]
    assert one["histogram"]["scale"].startswith("powers")
    assert one["histogram"]["value"] == pytest.approx(np.log10(one["value"]))
    assert one["histogram"]["edges"][0] <= one["histogram"]["low"]


def test_a_constant_null_is_one_bar():
    """Predictions of one half have one error of equal chance: a bar that can be seen."""
    data = pb.Predictions.from_arrays([0, 1] * 20, [0.5] * 40)
    (one,) = ask(data, "test", statistic="log-loss", null="resample")["models"]
    assert one["histogram"]["counts"].tolist() == [DRAWS]
    low, high = one["histogram"]["edges"]
    assert low < one["histogram"]["value"] < high


@pytest.mark.parametrize("k", [2, 3])
def test_a_diagnosis_is_the_librarys(k):
    """Shape, evidence, diagram and the line of the named shape are those of `diagnose`."""
    data = table(k)
    found = ask(data, "diagnosis", model="bold")
    expected = diagnose(data.by_model()["bold"], resamples=DRAWS)
    agree(found, expected)
    assert found["shape"] == "overconfident"
    assert found["fitted"]["share"].tolist() == [row["share"] for row in expected.fitted]
    assert found["curve"]["value"] == expected.curve.value


def test_groups_of_an_attribute_are_the_librarys():
    """Bias, error and adjusted p-value of every group, with columns for the chart."""
    data = table(3)
    found = ask(data, "groups", by="age", model="true", bins="equal-width:5")
    expected = calibration_by(data.by_model()["true"], "age", bins="equal-width:5", resamples=DRAWS)
    agree(found, expected)
    assert found["columns"]["bias"].tolist() == [row["bias"] for row in expected.groups]


def test_the_verdict_on_groups_comes_in_parts_too():
    """The summary is the verdict, and names the groups that are rejected."""
    found = ask(table(n=600), "groups", by="site", model="bold")
    assert len(found["rejected"]) == 2
    assert found["presentation"]["summary"] == found["verdict"]
    assert all(f"'{name}'" in found["verdict"] for name in found["rejected"])


def test_without_an_attribute_the_worst_slice_is_searched():
    """The same slices with the same p-values as `worst_slice`."""
    data = table()
    agree(
        ask(data, "groups", depth=1), worst_slice(data.by_model()["bold"], depth=1, resamples=DRAWS)
    )


def test_sensitivity_is_the_librarys():
    """Every scheme is there with the value of every number of bins."""
    data = table()
    found = ask(data, "sensitivity", resamples=39)
    expected = bin_sensitivity(data.by_model()["bold"], resamples=39)
    agree(found, expected)
    rows = [row["value"] for row in expected.settings if row["scheme"] == "equal-size"]
    assert found["schemes"][1]["name"] == "equal-size"
    assert found["schemes"][1]["value"].tolist() == rows


def test_a_plan_is_the_librarys():
    """Rows needed, power and the fitted line of `plan`, with its own defaults."""
    data = table(n=60, models=("true",))
    asked = {"effect": "random-labels:0.7", "statistic": "brier-score", "datasets": 50}
    found = ask(data, "plan", **asked)
    expected = pb.plan(data, **asked)
    agree(found, expected)
    assert found["n"] == data.n
    assert found["fitted"]["power"].tolist() == [power for _, power in expected.fitted]


def test_a_plan_is_of_the_omnibus_unless_another_test_is_asked_for(monkeypatch):
    """As `plumbline plan`: no test is simulated that nobody asked for."""
    simulated, chance = [], np.random.default_rng(3)

    def rejections(tables, test, **_):
        simulated.append(test)
        return [bool(chance.random() < min(0.99, data.n / 200)) for data in tables]

    monkeypatch.setattr("plumbline.power.simulation.rejections", rejections)
    found = ask(table(n=60, models=("true",)), "plan", effect="random-labels:0.7", datasets=30)
    assert {found["test"]} == {*simulated} == {"omnibus"}
    assert found["tests"] == []  # those that `auto` tries


def test_all_methods_are_compared_and_the_chosen_one_shown():
    """The advice is that of `recalibration_advice`; before and after are of the mended rows."""
    data = table()
    found = ask(data, "recalibration", method="auto", model="bold")
    part = data.by_model()["bold"]
    expected = recalibration_advice(part, resamples=DRAWS)
    said = found["advice"].pop("presentation")
    assert found["advice"] == decode(encode(expected.to_dict()))
    assert said["summary"] == expected.verdict
    assert found["advice"]["chosen"] != "none"
    how = {"method": expected.chosen, "maps_vary": True, "resamples": DRAWS}
    effect = effect_between(part, expected.recalibrated, **how)
    said = found["effect"].pop("presentation")
    assert found["effect"] == decode(encode(effect.to_dict()))
    assert said["summary"] == effect.verdict
    before, after = effect.curves(resamples=DRAWS)
    assert (found["before"]["value"], found["after"]["value"]) == (before.value, after.value)


@pytest.mark.parametrize("k", [2, 3])
def test_the_line_of_a_map_is_the_map(k):
    """Its y are what the map fitted on all rows makes of its x."""
    data = table(k)
    found = ask(data, "recalibration", method="temperature", model="bold")
    fitted = fit_map(data.by_model()["bold"], "temperature")
    lines = found["map"]["lines"]
    assert [line["name"] for line in lines] == (["c1"] if k == 2 else ["c0", "c1", "c2"])
    x, y = lines[0]["x"], lines[0]["y"]
    rows = x if k == 2 else np.stack([x, (1 - x) / 2, (1 - x) / 2], axis=1)
    np.testing.assert_allclose(y, fitted.transform(rows)[:, 1 if k == 2 else 0])
    assert found["effect"]["changes"][0]["metric"] == "log-loss"


def test_where_nothing_helps_the_rows_stay_as_they_are():
    """True probabilities are left alone: advice, and neither an effect nor a map."""
    found = ask(table(), "recalibration", method="auto", model="true")
    assert found["advice"]["chosen"] == "none"
    assert found["effect"] is found["map"] is None


def test_methods_are_listed_without_trying_any():
    """The list says what each does, and why one does not suit two classes."""
    found = ask(table(), "recalibration")
    assert "advice" not in found
    rows = {row["name"]: row for row in found["methods"]}
    assert rows["platt"]["why_not"] is None
    assert "two classes" in rows["vector"]["why_not"]


def test_large_tables_are_tried_only_when_it_is_meant(monkeypatch):
    """Beyond seconds of work the answer says how long it would take, and nothing is tried."""
    monkeypatch.setattr("plumbline.workbench.questions.recalibration.QUICK", 0.01)
    found = ask(table(), "recalibration", method="auto")
    assert found["tried"] is False
    assert found["seconds"] > 0
    assert ask(table(), "recalibration", method="platt")["tried"] is True


def test_ratings_can_be_recalibrated_and_nothing_else():
    """A table of ratings has no calibration error, but a map makes probabilities of it."""
    rng = np.random.default_rng(1)
    score = rng.normal(size=300)
    actual = (rng.uniform(size=300) < 1 / (1 + np.exp(-2 * score))).astype(int)
    data = pb.Predictions.from_arrays(actual, score=score)
    with refused(InputError, "ratings-only"):
        ask(data, "reliability")
    found = ask(data, "recalibration", method="platt")
    (line,) = found["map"]["lines"]
    assert line["x"][0] == score.min()
    assert np.all(np.diff(line["y"]) > 0)


def test_progress_reaches_the_end_and_can_stop_the_work():
    """Progress comes while models are measured; what it raises ends the work."""
    seen = []
    TableQuestions(table()).answer(
        {"kind": "reliability"}, progress=lambda done, total: seen.append(done)
    )
    assert seen == sorted(seen)
    assert seen[-1] == 1000

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TableQuestions(table()).answer({"kind": "diagnosis"}, progress=stop)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"kind": "reliability", "bins": "equal-width:100000"}, "at most 1,000"),
        ({"kind": "reliability", "bins": "nonsense"}, "equal-width:15"),
        ({"kind": "reliability", "resamples": 10**6}, "9,999"),
        ({"kind": "diagnosis", "model": "boldd"}, "Did you mean 'bold'"),
        ({"kind": "groups", "by": "nowhere"}, "nowhere"),
        ({"kind": "groups", "depth": 9}, "from 1 to 3"),
        ({"kind": "plan", "effect": "wobble:3"}, "wobble"),
        ({"kind": "plan", "power": 2}, "at most 0.99"),
        ({"kind": "plan", "power": 0.9999}, "at most 0.99"),
        ({"kind": "plan", "level": 1e-6}, "at least 0.001"),
        ({"kind": "plan", "effect": "overconfident:1e308"}, "at most 100"),
        ({"kind": "plan", "effect": "underconfident:1e-300"}, "at most 0.01"),
        ({"kind": "plan", "n": 10**8}, "10,000,000"),
        ({"kind": "plan", "datasets": 10**6}, "1,000"),
        ({"kind": "recalibration", "method": "plat"}, "Did you mean 'platt'"),
        ({"kind": "test", "statistic": "omnibus", "bins": "equal-width:3"}, "bins"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(fields, told):
    """Every wrong field is named, with what it may be."""
    with pytest.raises((ParameterError, InputError)) as failure:
        TableQuestions(table()).answer(fields)
    assert told in str(failure.value)


def test_a_filter_that_leaves_nothing_is_said():
    """No row: words, not numbers."""
    with refused(InputError, "no-rows-left", argument="where"):
        ask(table(), "reliability", data={"where": "age > 1000"})


def test_rows_of_one_example_are_reported():
    """Repeats of the same examples make p-values too small, which the answer says."""
    data = pb.Predictions.from_arrays(
        [0, 1] * 20, [0.4, 0.6] * 20, repeat=[0] * 20 + [1] * 20, row=list(range(20)) * 2
    )
    with pytest.warns(pb.PlumblineWarning):
        (one,) = ask(data, "test")["models"]
    (note,) = [note for note in one["presentation"]["notes"] if note["code"] == "repeated-examples"]
    assert "20 examples" in note["text"]


def repeated(examples=24, times=10):
    """Every example ten times, by as many models of one kind."""
    rng = np.random.default_rng(3)
    p = np.tile(rng.uniform(0.1, 0.9, examples), times)
    actual = np.tile((rng.uniform(size=examples) < p[:examples]).astype(int), times)
    return pb.Predictions.from_arrays(
        actual,
        np.clip(p + rng.normal(0, 0.05, len(p)), 0.01, 0.99),
        repeat=np.repeat(np.arange(times), examples),
        row=np.tile(np.arange(examples), times),
    )


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize(
    ("kind", "fields", "meaning"),
    [
        (
            "plan",
            {"effect": "random-labels:0.7", "statistic": "brier-score", "datasets": 50},
            "power of these rows is too high",
        ),
        ("recalibration", {"method": "platt"}, "the two diagrams treat rows as independent"),
    ],
)
def test_repeats_are_reported_where_rows_are_drawn_or_shown(kind, fields, meaning):
    """A plan of repeated examples promises too much power, which it says; so do the diagrams."""
    answer = ask(repeated(), kind, **fields)
    said = answer.get("presentation")
    texts = answer["notes"] if said is None else [note["text"] for note in said["notes"]]
    (note,) = [text for text in texts if "examples" in text]
    assert "240 rows" in note
    assert "24 examples" in note
    assert meaning in note


def test_a_file_holds_what_the_page_shows_and_nothing_is_computed_twice(monkeypatch):
    """Room and file ask the same function: each result is made once."""
    questions, made = TableQuestions(table()), []
    for kind, module, name, fields in (
        (
            "plan",
            "plumbline.power.plan",
            "plan",
            {"effect": "random-labels:0.7", "statistic": "brier-score", "datasets": 50, "n": 60},
        ),
        ("diagnosis", "plumbline.calibration_tests.diagnose", "diagnose", {}),
        (
            "sensitivity",
            "plumbline.calibration_errors.bin_sensitivity",
            "bin_sensitivity",
            {"resamples": 39},
        ),
        ("monitor", "plumbline.monitoring.monitor", "monitor", {"by": "site", "reference": 1}),
        ("groups", "plumbline.group_calibration.calibration_by", "calibration_by", {"by": "site"}),
        ("groups", "plumbline.group_calibration.worst_slice", "worst_slice", {"depth": 1}),
        ("test", "plumbline.calibration_tests.calibration_test", "calibration_test", {}),
        (
            "recalibration",
            "plumbline.workbench.questions.recalibration",
            "recalibration_chapter",
            {"method": "platt"},
        ),
    ):
        whole = import_module(module)
        once = getattr(whole, name)

        def counting(*given, _once=once, **named):
            made.append(_once)
            return _once(*given, **named)

        counting.__name__ = name
        monkeypatch.setattr(whole, name, counting)
        made.clear()
        question = {"kind": kind, "model": "bold", "resamples": DRAWS, **fields}
        shown = questions.answer(question)
        first = len(made)
        file = questions.answer(
            {"kind": "export", "what": question, "format": "json", "title": "x"}
        )
        assert len(made) == first > 0, kind
        told = json.loads(bytes(file["bytes"]))
        found = {key: value for key, value in jsonable(shown).items() if key != "notes"}
        assert told["model"] == "bold" == found.get("model", "bold")
        if kind == "recalibration":
            found["effect"].pop("presentation")
        for field in ("verdict", "n_needed", "statement", "effect", "p_value"):
            if field in found:
                assert told[field] == found[field], (kind, field)


def test_the_file_of_a_recalibration_has_the_rows_before_and_after():
    """Its lines are the scores that the room shows, not the methods."""
    questions = TableQuestions(table())
    question = {"kind": "recalibration", "model": "bold", "method": "platt", "resamples": DRAWS}
    changes = questions.answer(question)["effect"]["changes"]
    file = questions.answer({"kind": "export", "what": question, "format": "csv", "title": "x"})
    lines = list(csv.DictReader(io.StringIO(bytes(file["bytes"]).decode())))
    assert [float(line["after"]) for line in lines] == [change["after"] for change in changes]


def test_lines_to_type_keep_the_rows_that_were_chosen(tmp_path, monkeypatch):
    """The command line has the model, class and folds, and says what it leaves out; Python all."""
    data = pb.Predictions.from_arrays(
        ["no", "yes"] * 120,
        np.linspace(0.05, 0.95, 240),
        classes=["no", "yes"],
        model=["it's $HOME"] * 120 + ["b"] * 120,
        fold=[0, 1, 2, 3] * 60,
        weight=[1.0, 2.0] * 120,
        attributes={"age": np.arange(240)},
    )
    name = "my loans.csv"
    data.write(tmp_path / name)
    panel = {"folds": ["0", "1", "2"], "where": "age > 9", "weighted": False, "target": "no"}
    questions = TableQuestions(pb.read(tmp_path / name), name=name)
    asked = {"kind": "recalibration", "lines": "platt", "model": "it's $HOME"}
    lines = questions.answer({**asked, "data": panel})["lines"]
    assert shlex.split(lines["shell"])[2:] == [
        name,
        "--folds",
        "0,1,2",
        "--positive",
        "no",
        "--models",
        "it's $HOME",
        "--method",
        "platt",
        "--apply",
        "new.csv",
        "--out",
        "calibrated.csv",
        "--save-map",
        "map.json",
    ]
    assert [text.split()[3] for text in lines["left_out"]] == ["has", "uses"]
    assert questions.answer(asked)["lines"]["left_out"] == []
    data.write(tmp_path / "new.csv")
    monkeypatch.chdir(tmp_path)
    found = {}
    monkeypatch.setattr(
        pb, "recalibrate", lambda data, method: found.update(rows=data, method=method) or repr
    )
    (tmp_path / "program.py").write_text(lines["python"])
    runpy.run_path("program.py")
    rows, method = found["rows"], found["method"]
    kept = np.flatnonzero((np.arange(240) % 4 < 3) & (np.arange(240) > 9) & (np.arange(240) < 120))
    assert rows.attributes["age"].tolist() == kept.tolist()
    assert (method, rows.weight, rows.positive) == ("platt", None, 0)
