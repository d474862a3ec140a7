"""The question `curve`: the library's own answer, thinned for a chart."""

import dataclasses

import numpy as np
import pytest

import plumbline as pb
from plumbline.curves import PRESETS, convex_hull
from plumbline.errors import FormulaError, ParameterError
from plumbline.plots import curve_figure
from plumbline.workbench import TableQuestions
from plumbline.workbench.questions.curve import APART
from plumbline.workbench.questions.inquiry import Memory
from refusals import refused


def table(n=120, k=2, seed=3):
    """A table of two models, three folds, a number and a category."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(k), 2 * n)
    names = ["no", "yes", "maybe"][:k]
    actual = [names[rng.choice(k, p=row)] for row in prob[:n]]
    return pb.Predictions.from_arrays(
        np.tile(actual, 2),
        prob,
        classes=names,
        model=np.repeat(["a", "b"], n),
        row=np.tile(np.arange(n), 2),
        fold=np.tile(np.arange(n) % 3, 2),
        weight=np.tile(rng.uniform(0.5, 2, n), 2),
        attributes={
            "age": np.tile(rng.integers(20, 80, n), 2),
            "car pool": np.tile(rng.choice(["red", "blue"], n), 2),
        },
    )


@pytest.fixture(scope="module")
def data():
    """The table of most tests."""
    return table()


@pytest.fixture(scope="module")
def questions(data):
    """Questions about that table."""
    return TableQuestions(data)


def asked(questions, panel, **others):
    """Ask for a curve."""
    return questions.answer({"kind": "curve", "curve": panel, **others})


def same_lines(answer, curve):
    """Tell whether the lines of an answer are those of a curve, point for point."""
    assert len(answer["lines"]) == len(curve.lines)
    for told, line, area in zip(answer["lines"], curve.lines, curve.areas, strict=True):
        assert (told["model"], told["fold"], told["target"]) == (line.model, line.fold, line.target)
        assert told["points"] == len(line)
        assert told["dropped"] == dict(line.dropped)
        assert told["reason"] == line.reason
        assert told["area"] == area
        assert told["area_range"] == (None if line.area_range is None else list(line.area_range))
        assert told["area_method"] == line.area_method
        for name in ("threshold", "x", "y"):
            np.testing.assert_array_equal(told[name], getattr(line, name))
        assert set(told["more"]) == set(line.more)
        for name, values in line.more.items():
            np.testing.assert_array_equal(told["more"][name], values)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_the_librarys(questions, data, name):
    """The answer for a preset has the points, areas and notes of `curve`, and its explanation."""
    x = {"x": "age"} if PRESETS[name].needs else {}
    answer = asked(questions, {"preset": name, **x})
    curve = pb.curve(data, name, **x)
    same_lines(answer, curve)
    assert answer["preset"] == name or PRESETS[answer["preset"]].y == PRESETS[name].y
    notes = curve.present().notes
    assert answer["notes"] == [note for note in notes if note.code not in APART]
    assert answer["explanation"]
    assert {p["name"]: p["value"] for p in answer["params"]} == dict(PRESETS[name].params)


@pytest.mark.parametrize(
    "panel",
    [
        {"x": "threshold", "y": "cumm(age if eP else -age)", "merge": "average"},
        {"x": "FPR", "y": "TPR", "average": "vertical", "points": 11, "band": "folds"},
        {"x": "FPR", "y": "TPR", "average": "threshold", "thresholds": 7, "band": "folds"},
        {"x": "FPR", "y": "TPR", "average": "none", "direction": "ascending"},
        {"x": "age", "y": "eCA", "average": "smooth", "span": 0.7, "points": 9},
        {"x": "`car pool`", "y": "eCA"},
        {"x": "age", "y": "eCA", "direction": "unsorted"},
        {"x": "PP / NN", "y": "TPR", "sort_by": "probability * age"},
        {"x": "threshold", "y": "param('w', 2) * TP", "params": {"w": 3.0, "gone": 1.0}},
    ],
)
def test_every_setting_is_the_librarys(questions, data, panel):
    """Settings mean what they mean in Python; parameters that no formula has any more are left."""
    known = {**panel, "params": {"w": 3.0}} if "params" in panel else panel
    curve = pb.curve(data, **known)
    answer = asked(questions, panel)
    same_lines(answer, curve)
    assert answer["settings"] == curve.settings.to_dict()
    assert answer["spread"] == curve.spread
    assert answer["x_names"] == list(curve.x_names)


def test_a_bootstrap_band_is_the_librarys(questions, data):
    """The same seed draws the same band, and the work tells how far it is."""
    told = []
    panel = {"preset": "roc", "band": "bootstrap", "resamples": 30, "seed": 5}
    question = {"kind": "curve", "curve": panel, "data": {"models": ["a"]}}
    answer = questions.answer(question, progress=lambda done, total: told.append(done / total))
    only = data.select(model=["a"])
    same_lines(answer, pb.curve(only, "roc", band="bootstrap", resamples=30, rng=5))
    assert {"y_low", "y_high"} <= set(answer["lines"][0]["more"])
    assert "95" in answer["spread"]
    assert told[-1] == 1


def test_the_data_panel_counts(questions, data):
    """Models, folds, filter, weights and target are those of the panel."""
    chosen = {
        "models": ["b"],
        "folds": ["0", "2"],
        "where": "age > 30",
        "weighted": False,
        "target": "no",
    }
    answer = asked(questions, {"preset": "roc"}, data=chosen)
    plain = dataclasses.replace(data, weight=None).select(model=["b"], fold=["0", "2"])
    same_lines(answer, pb.curve(plain, "roc", where="age > 30", target="no"))


@pytest.mark.parametrize("multiclass", ["per-class", "micro", "macro"])
def test_several_classes(multiclass):
    """Several classes make the library's lines."""
    data = table(60, 3)
    answer = asked(TableQuestions(data), {"preset": "roc", "multiclass": multiclass})
    same_lines(answer, pb.curve(data, "roc", multiclass=multiclass))


def test_undefined_points_are_counted_by_reason(questions, data):
    """What is left out of all lines is counted together, with the reason."""
    answer = asked(questions, {"x": "threshold", "y": "1 / (TP - 3)"})
    curve = pb.curve(data, x="threshold", y="1 / (TP - 3)")
    lost = sum(count for line in curve.lines for count in line.dropped.values())
    assert sum(answer["undefined"].values()) == lost


def test_a_curve_without_points_says_why():
    """One class only: no point of a ROC is defined, and each line says so."""
    data = pb.Predictions.from_arrays(["yes"] * 3, [0.2, 0.5, 0.7], classes=["no", "yes"])
    (line,) = asked(TableQuestions(data), {"preset": "roc"})["lines"]
    assert line["points"] == 0
    assert line["reason"] == pb.curve(data, "roc").lines[0].reason
    assert "'yes'" in line["reason"]


def test_hulls_and_where_there_is_none(questions, data):
    """Every ROC line has its hull; a curve outside of the unit square says why it has none."""
    answer = asked(questions, {"preset": "roc"}, hull=True)
    for told, line in zip(answer["lines"], pb.curve(data, "roc").lines, strict=True):
        np.testing.assert_array_equal(told["hull"]["x"], convex_hull(line).x)
        np.testing.assert_array_equal(told["hull"]["y"], convex_hull(line).y)
    profit = asked(questions, {"preset": "profit"}, hull=True)
    assert "hull" in profit["hull_reason"]
    assert all("hull" not in line for line in profit["lines"])


def test_errors_are_the_librarys(questions):
    """A formula that means nothing here is refused with its place, a setting by its rule."""
    with pytest.raises(FormulaError) as error:
        asked(questions, {"x": "age", "y": "TPR", "sort_by": "age"})
    assert (error.value.start, error.value.end) == (0, 3)
    with pytest.raises(ParameterError, match="bootstrap"):
        asked(questions, {"preset": "roc", "average": "vertical", "band": "bootstrap"})
    with refused(ParameterError, "unknown-name", argument="preset"):
        asked(questions, {"preset": "rock"})


def test_a_curve_is_drawn_once(data, monkeypatch):
    """The same curve is remembered; a thumbnail is not, for it would push others out."""
    from plumbline.workbench.questions import curve as room

    drawn = []
    original = room.draw_curve
    monkeypatch.setattr(room, "draw_curve", lambda *a: drawn.append(1) or original(*a))
    questions = TableQuestions(data)
    for width in (800, 400):
        asked(questions, {"preset": "roc"}, width=width)
    assert len(drawn) == 1
    for _ in range(2):
        asked(questions, {"preset": "f1"}, thumb=True, width=120)
    assert len(drawn) == 3
    assert Memory().most >= 8


def test_long_lines_are_thinned_to_points_of_their_own():
    """Fewer points come back than there are, and every one of them is a point of the curve."""
    rng = np.random.default_rng(1)
    prob = rng.random(20_000)
    data = pb.Predictions.from_arrays((rng.random(20_000) < prob).astype(int), prob)
    (line,) = asked(TableQuestions(data), {"preset": "accuracy"}, width=100)["lines"]
    whole = pb.curve(data, "accuracy").lines[0]
    assert line["points"] == len(whole)
    assert len(line["x"]) < 2_000
    assert set(zip(line["x"], line["y"], strict=True)) <= set(zip(whole.x, whole.y, strict=True))
    assert line["y"].max() == whole.y.max()


# ------------------------------------------------------------------ dates, and points that jump


def dated(n=60):
    """Return loans of which each has a day, and a moment."""
    rng = np.random.default_rng(5)
    return pb.Predictions.from_arrays(
        rng.integers(0, 2, n),
        rng.random(n),
        attributes={
            "day": np.datetime64("2023-11-01") + np.arange(n),
            "moment": np.datetime64("2024-02-01T06", "h") + np.arange(n),
            "age": rng.integers(18, 80, n),
        },
    )


@pytest.mark.parametrize(
    ("x", "y", "dates"),
    [
        ("day", "CA", [True, False]),
        ("`moment`", "CA", [True, False]),
        ("age", "day", [False, True]),
        ("day - 1", "CA", [False, False]),
        ("threshold", "age", [False, False]),
    ],
)
def test_an_axis_knows_that_it_holds_dates(x, y, dates):
    """An attribute of dates by itself is one; what is computed from it is a number."""
    answer = TableQuestions(dated()).answer({"kind": "curve", "curve": {"x": x, "y": y}})
    assert answer["dates"] == dates


@pytest.mark.parametrize(
    ("y", "average", "shape"),
    [
        ("eCA", None, "points"),
        ("1 if eP else 0", None, "points"),
        ("eCA", "smooth", "line"),
        ("CA", None, "line"),
        ("age", None, "line"),
        ("0.5 * eCA", None, "line"),
    ],
)
def test_what_is_0_or_1_row_by_row_is_drawn_as_points(y, average, shape):
    """A line through it would only zigzag; a note says so, and that averaging draws its mean."""
    curve = {"x": "age", "y": y, "average": average}
    answer = TableQuestions(dated()).answer({"kind": "curve", "curve": curve})
    assert answer["shape"] == shape
    assert any("averaging smooth" in note for note in answer["notes"]) == (shape == "points")


def test_pictures_have_dates_and_points_too():
    """Ticks of the drawn picture are dates, and points are not joined."""
    figure = curve_figure(pb.curve(dated(), x="day", y="eCA"))
    (axes,) = figure.axes
    figure.canvas.draw()
    assert "Dec" in [tick.get_text() for tick in axes.get_xticklabels()]
    assert {line.get_linestyle() for line in axes.lines if len(line.get_xdata()) == 60} == {"None"}
