"""What every answer can do: text, notebook, frame, JSON."""

import json

import numpy as np
import pytest

import plumbline as pb
from plumbline._result import Note, Table, notes_together, own_and_shared
from plumbline.calibration_errors import error_steps
from plumbline.calibration_tests import count_test
from plumbline.confusion import threshold_range
from plumbline.curves import (
    cheapest_points,
    counts_of_lines,
    curves_by_group,
    read_curve,
    usual_goal,
)
from plumbline.formatting import number
from plumbline.power import one_point_excess
from plumbline.reporting import ReportParams, evaluate
from plumbline.scores import impossible_rows
from refusals import refused


@pytest.fixture
def data(rng):
    """Return calibrated three-class predictions."""
    prob = rng.dirichlet(np.ones(3), 150)
    y = (prob.cumsum(axis=1) < rng.random((150, 1))).sum(axis=1).clip(0, 2)
    return pb.Predictions.from_arrays(y, prob)


def test_notes_of_one_fact_become_one_note():
    """The fact once, then each model by its name; what only one model has stays as it was."""
    few = {name: Note(f"Rows {name}.", "few", fact="Rows", own=f"{name}1") for name in "abc"}
    odd, lone = Note("Odd.", "odd"), Note("Lone.", "lone", fact="Lone", own="1")
    together = notes_together(["a", "b", "c"], [[few["a"], odd], [few["b"], odd, lone], [odd]])
    assert together == [(("b",), "Lone."), ((), "Odd."), ((), "Rows: a a1; b b1.")]
    assert [note.code for _, note in together] == ["lone", "odd", "few"]
    own, shared = own_and_shared(["a", "b", "c"], [[few["a"], odd], [few["b"]], [few["c"]]])
    assert own == [["Odd."], [], []]
    assert shared == ["Rows: a a1; b b1; c c1."]
    assert notes_together(["a"], [[few["a"], odd]]) == [((), "Rows a."), ((), "Odd.")]
    assert own_and_shared([None], [[few["a"], odd]]) == ([["Rows a.", "Odd."]], [])


def test_the_range_is_shown_wherever_the_value_is(data):
    """The 95 % range stands in the text, the notebook, the frame and the dictionary."""
    for result in (pb.calibration_error(data), pb.calibration_test(data, statistic="ece")):
        low, high = result.null_range
        assert f"{number(low)} to {number(high)}" in repr(result)
        assert f"{number(low)} to {number(high)}" in result._repr_html_()
        row = result.to_frame("pandas").iloc[0]
        assert (row["null_low"], row["null_high"]) == (low, high)
        assert result.to_dict()["null_range"] == [low, high]


def test_arguments_are_code_in_a_notebook(data):
    """No back-tick is left, in notes and tables alike."""
    result = pb.calibration_error(data, resamples=0)
    assert "`resamples=0`" in repr(result)
    assert "<code>resamples=0</code>" in result._repr_html_()
    table = Table({"test": ["take `view`, not <b>"]}, more="see `bins`").html()
    assert "take <code>view</code>, not &lt;b&gt;" in table
    assert "see <code>bins</code>" in table


def test_an_input_check_shows_its_findings(rng):
    """Missing classes and remarks are read off the text and the notebook, not only the dict."""
    check = pb.check_input(pb.Predictions.from_arrays([0, 1, 1], rng.dirichlet(np.ones(3), 3)))
    for text in (repr(check), check._repr_html_()):
        assert "positive weight" in text
        assert "Few rows" in text
        assert "0 0.333333, 1 0.666667, 2 0" in text


def test_an_evaluation_shows_an_infinite_log_loss():
    """The short text has every score of every model, also an infinite one."""
    data = pb.Predictions.from_arrays([0, 1, 1], [1.0, 0.5, 1.0], model=["tree"] * 3)
    (table,) = evaluate(data, ReportParams(resamples=39)).present().tables
    assert (table.columns["model"], table.columns["log loss"]) == (["tree"], ["∞"])


def test_html_is_escaped():
    """A class named like a tag is text in a notebook."""
    data = pb.Predictions.from_arrays(["<b>", "x", "x"], [0.1, 0.7, 0.6], classes=["x", "<b>"])
    page = pb.calibration_error(data, resamples=39)._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_undefined_numbers_are_null_with_a_reason(data):
    """Without draws the null is missing in the dictionary, and the reason says why."""
    result = pb.calibration_error(data, resamples=0).to_dict()
    assert result["null_mean"] is None
    assert "resamples=0" in result["reason"]
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("backend", ["pyarrow", "pandas", "polars"])
def test_frames_come_in_three_libraries(data, backend):
    """The same rows in each library."""
    frame = pb.reliability_curve(data, resamples=39).to_frame(backend)
    assert frame.shape[0] == len(pb.reliability_curve(data, resamples=39).bins)


def test_an_unknown_frame_library_is_refused(data):
    """The error lists the libraries there are."""
    with refused(pb.ParameterError, "unknown-name", "'polars'", argument="backend"):
        evaluate(data, ReportParams(resamples=39)).to_frame("panda")


def test_measures_refuse_several_models_at_once():
    """Stacked models are nobody's predictions: every measure says how to choose one."""
    stacked = pb.Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.7, 0.4, 0.6], model=list("aabb"))
    for ask in (
        pb.log_loss,
        pb.brier_score,
        pb.accuracy,
        pb.calibration_error,
        pb.calibration_test,
        pb.reliability_curve,
    ):
        with refused(pb.InputError, "several-models", "data.select(model="):
            ask(stacked)
    assert len(evaluate(stacked, ReportParams(resamples=39)).models) == 2


def test_raw_arrays_are_refused_with_the_entry_point():
    """The commonest first mistake, an array instead of predictions, gets the remedy."""
    scores = (pb.log_loss, pb.brier_score, pb.accuracy, impossible_rows)
    tests = (pb.calibration_error, pb.calibration_test, pb.reliability_curve)
    for ask in (*scores, *tests, pb.check_input):
        with refused(pb.ParameterError, "wrong-kind", "from_arrays"):
            ask(np.array([0.2, 0.7]))


def test_a_constant_statistic_is_reported_as_uninformative():
    """A number that no outcome changes is called no test, and judges nothing."""
    data = pb.Predictions.from_arrays([1] * 40 + [0] * 2, np.full(42, 0.5))
    result = pb.calibration_test(data, statistic="ece", bins="one-per-point")
    assert result.remark_codes == ("constant",)
    assert result.present().tone == ""


GROUPED = pb.Predictions.from_arrays(
    [0, 1, 1, 0, 1, 0] * 30,
    [0.1, 0.8, 0.7, 0.4, 0.3, 0.6] * 30,
    attributes={
        "site": ["a", "b", "b"] * 60,
        "place": ["x"] * 60 + ["y"] * 60 + ["z"] * 60,
        "age": list(range(180)),
    },
)
ROC = pb.curve(GROUPED, "roc")
FEW = {"resamples": 39, "rng": 0}
PLAN = {"statistic": "brier-score", "datasets": 30, "resamples": 39}
PRESENTED = {
    "error": lambda: pb.calibration_error(GROUPED, **FEW),
    "test": lambda: pb.calibration_test(GROUPED, **FEW),
    "curve": lambda: pb.reliability_curve(GROUPED, **FEW),
    "diagnosis": lambda: pb.diagnose(GROUPED, **FEW),
    "sensitivity": lambda: pb.bin_sensitivity(GROUPED, numbers=[2, 5], **FEW),
    "presets": lambda: pb.compare_presets(GROUPED),
    "steps": lambda: error_steps(GROUPED),
    "count": lambda: count_test(8, 10, probability=1 / 6),
    "groups": lambda: pb.calibration_by(GROUPED, "site", **FEW),
    "sites": lambda: pb.calibration_heterogeneity(GROUPED, "place", **FEW),
    "slices": lambda: pb.worst_slice(GROUPED, depth=1, **FEW),
    "bias": lambda: pb.conditional_bias(GROUPED, "age", **FEW),
    "corp": lambda: pb.corp_curve(GROUPED, **FEW),
    "heat map": lambda: pb.class_heat_map(GROUPED, resamples=999),
    "check": lambda: pb.check_input(GROUPED),
    "plan": lambda: pb.plan(GROUPED, "overconfident:3", **PLAN),
    "power": lambda: pb.power_study([1], bins="equal-size:5", datasets=50, resamples=39),
    "excess": lambda: one_point_excess(cells=4),
    "reading": lambda: read_curve(ROC, counts_of_lines(GROUPED, ROC.settings)),
    "line": lambda: read_curve(ROC, counts_of_lines(GROUPED, ROC.settings)).lines[0],
    "cost": lambda: cheapest_points(ROC)[0],
    "goal": lambda: usual_goal("recall"),
    "subgroups": lambda: curves_by_group(GROUPED, ROC.settings, by="site"),
    "subgroup": lambda: curves_by_group(GROUPED, ROC.settings, by="site").groups[0],
    "thresholds": lambda: threshold_range(GROUPED),
    "confused": lambda: pb.confusion_matrix(GROUPED).most_confused(),
    "map": lambda: pb.recalibrate(GROUPED, "temperature"),
    "advice": lambda: pb.recalibration_advice(GROUPED, methods=["temperature"]),
    "effect": lambda: pb.recalibration_effect(
        pb.recalibrate(GROUPED, "temperature"), GROUPED, resubstitution=True, resamples=39
    ),
}


SHORT = ("reading", "line", "cost", "goal", "subgroups", "subgroup", "thresholds", "confused")


@pytest.mark.parametrize("name", PRESENTED)
def test_what_a_result_presents_is_complete(name):
    """Every label is there once, notes have codes, columns are even, and the text shows it all."""
    result = PRESENTED[name]()
    shown = result.present()
    assert shown.summary or shown.details or shown.tables
    labels = [detail.label for detail in shown.details]
    assert len(set(labels)) == len(labels)
    assert all(note.code and note.endswith(".") for note in shown.notes)
    for table in shown.tables:
        (rows,) = {len(cells) for cells in table.columns.values()}
        assert rows
        assert set(table.left) <= {*table.columns, "class", "model"}
    text = repr(result)
    if name in SHORT:
        assert len(shown.summary.split()) <= 25
    for part in (shown.subject, shown.summary, *shown.notes):
        assert part in text
    assert result.to_dict()


@pytest.mark.parametrize("backend", ["pandas", "pyarrow", "polars"])
def test_infinite_numbers_stay_infinite_in_frames_and_are_null_in_json(backend):
    """The worst model keeps its place: a mean or `idxmin` does not skip it."""
    data = pb.Predictions.from_arrays(
        [0, 1, 1, 0],
        [
            0.0,
            0.0,
            0.5,
            0.4,
        ],
        attributes={"site": ["a", "a", "b", "b"]},
    )
    result = pb.measure(data, ["log-loss"], by="site", resamples=0)
    values = list(map(float, result.to_frame(backend)["value"].to_numpy()))
    assert [np.isinf(value) for value in values] == [np.isinf(one.value) for one in result.measures]
    assert any(map(np.isinf, values))
    assert [one["value"] is None for one in result.to_dict()["measures"]] == list(
        map(np.isinf, values)
    )
