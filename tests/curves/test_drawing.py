"""What a chart draws of a curve: groups, few points, scales, and the text of a point."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.curves import Scale, scale_of


@pytest.fixture(scope="module")
def data():
    """Two models in three folds, with a category and a date."""
    rng = np.random.default_rng(0)
    n = 120
    prob = rng.random(2 * n)
    return pb.Predictions.from_arrays(
        np.tile((rng.random(n) < prob[:n]).astype(int), 2),
        prob,
        model=np.repeat(["a", "b"], n),
        fold=np.tile(np.arange(n) % 3, 2),
        attributes={
            "kind": np.tile(np.array(["x", "y"])[np.arange(n) % 2], 2),
            "day": np.tile(np.datetime64("2024-02-01") + np.arange(n), 2),
        },
    )


def test_lines_stand_in_groups_of_model_and_class(data):
    """Folds of a model are one group, whose label counts them; a single line has its area."""
    folds = pb.curve(data, "roc", average="none").drawing()
    assert [(group.model, len(group.lines)) for group in folds.groups] == [("a", 3), ("b", 3)]
    assert [group.label for group in folds.groups] == ["a, 3 folds", "b, 3 folds"]
    merged = pb.curve(data, "roc")
    assert merged.drawing().groups[0].label == f"a, AUC {merged.lines[0].area:.3g}"


def test_a_line_without_points_has_its_reason_in_the_label():
    """One class alone has no ROC curve."""
    curve = pb.curve(pb.Predictions.from_arrays([1, 1], [0.2, 0.9]), "roc")
    (group,) = curve.drawing().groups
    assert group.label == f"no point: {curve.lines[0].reason}"


def test_thinned_lines_are_points_of_the_curve_and_paths_too():
    """Few pixels leave few points, with their thresholds and bands; all points stay on demand."""
    rng = np.random.default_rng(1)
    prob = rng.random(20_000)
    data = pb.Predictions.from_arrays((rng.random(20_000) < prob).astype(int), prob)
    curve = pb.curve(data, "precision-recall", band="bootstrap", resamples=20)
    (group,) = curve.drawing(100).groups
    (line,), (few,) = group.lines, group.thinned
    assert line is curve.lines[0]
    assert len(few) < 1000
    places = np.searchsorted(-line.threshold, -few.threshold)
    for name in ("y_low", "y_high"):
        np.testing.assert_array_equal(few.more[name], line.more[name][places])
    assert few.y.min() == line.y.min()
    assert len(few.path[0]) < len(line.path[0])
    np.testing.assert_array_equal(curve.drawing(100_000).groups[0].thinned[0].x, line.x)


@pytest.mark.parametrize(
    ("asked", "shape", "square", "along_x", "guides"),
    [
        ({"preset": "roc"}, "line", True, False, ["random"]),
        ({"preset": "det"}, "line", True, False, ["random"]),
        ({"x": "threshold", "y": "CA"}, "step", False, True, []),
        ({"x": "kind", "y": "eCA"}, "points", False, False, []),
        ({"preset": "roc", "average": "vertical"}, "line", True, False, ["random"]),
    ],
)
def test_how_a_curve_is_drawn(data, asked, shape, square, along_x, guides):
    """Steps, squares, thresholds along x and reference lines follow from the formulas."""
    drawing = pb.curve(data, **asked).drawing()
    assert (drawing.shape, drawing.square, drawing.along_x) == (shape, square, along_x)
    assert [guide.label for guide in drawing.guides] == guides


def test_what_is_infinite_stands_at_the_edge_by_name(data):
    """A threshold before any row is ∞, a rate of 0 on normal deviates 0 %."""
    (place, name) = pb.curve(data, x="threshold", y="CA").drawing().x.edges[0]
    assert name == "∞"
    assert place > 1
    assert [name for _, name in pb.curve(data, "det").drawing().y.edges] == ["0 %", "100 %"]
    assert Scale(False, 0.0, 1.0, None, None).edges == []


def test_a_threshold_finds_the_point_that_holds(data):
    """The least threshold at or above it; above all of them the greatest."""
    line = pb.curve(data, "roc").lines[0]
    for threshold in (0.0, 0.31, 0.5, 1.0):
        place = line.place_at(threshold)
        assert line.threshold[place] >= threshold
        assert not ((line.threshold >= threshold) & (line.threshold < line.threshold[place])).any()
    assert line.place_at(np.nan) is None
    smooth = pb.curve(data, x="day", y="eCA", average="smooth", merge="none").lines[0]
    assert smooth.place_at(0.5) is None


def test_the_text_of_a_point_has_names_dates_and_intervals(data):
    """Whose it is, both coordinates, the interval of y, and the threshold where x is none."""
    roc = pb.curve(data, "roc", average="none")
    texts = roc.point_text(roc.lines[1], 3).split("\n")
    assert texts[0] == "a, fold 1"
    assert [text.rpartition(" ")[0] for text in texts[1:]] == [
        "false positive rate",
        "true positive rate",
        "threshold",
    ]
    kinds = pb.curve(data, x="kind", y="eCA")
    texts = kinds.point_text(kinds.lines[0], 0).split("\n")
    assert texts[1] == "kind x"
    assert texts[2].endswith(")")
    assert " to " in texts[2]
    assert texts[3] == "n = 60"
    days = pb.curve(data, x="day", y="eCA", average="smooth", merge="none")
    assert "day 2024-02-01" in days.point_text(days.lines[0], 0)
    accuracy = pb.curve(data, x="threshold", y="CA")
    assert len(accuracy.point_text(accuracy.lines[0], 3).split("\n")) == 3


@pytest.mark.parametrize(
    ("values", "how", "ends"),
    [
        ([0.2, 0.3], {"square": True}, (0, 1)),
        ([0.1, 0.7], {}, (0, 1)),
        ([0.2, 0.3], {}, (0.2, 0.3)),
        ([0.2, 0.7], {"deviate": True}, (-0.8416, 0.5244)),
        ([3.0, 9.0], {"zero": True}, (0, 9)),
        ([-3.0, 9.0], {"zero": True}, (-3, 9)),
        ([4.0, 4.0], {}, (2, 6)),
    ],
)
def test_an_axis_is_whole_where_that_is_asked_for_or_shares_spread(values, how, ends):
    """Else it spans its values, from 0 where that is asked for and they allow it."""
    scale = scale_of([np.array(values)], **how)
    room = 0.05 * (ends[1] - ends[0])
    assert (scale.low, scale.high) == pytest.approx(ends, abs=room)
