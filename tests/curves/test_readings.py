"""What a curve says at one threshold, what to look for on it, and where errors cost least."""

import math

import numpy as np
import pytest

from plumbline import ParameterError, Predictions, confusion_matrix, curve
from plumbline.curves import (
    Line,
    areas_of_classes,
    average_precision,
    cheapest_points,
    counts_of_lines,
    points_between,
    read_curve,
    roc_auc,
    rows_drawn,
    usual_goal,
)


def table(rng, n=80, *, weight=False, **others):
    """Return one or several models with ties."""
    prob = rng.random(n).round(1)
    y = (rng.random(n) < prob).astype(int)
    w = rng.integers(0, 4, n) * 0.25 if weight else None
    return Predictions.from_arrays(y, prob, weight=w, **others)


@pytest.mark.parametrize("weight", [False, True])
def test_counts_at_every_threshold_are_those_of_the_confusion_matrix(rng, weight):
    """Also between the thresholds of the curve and beyond them."""
    data = table(rng, weight=weight)
    drawn = curve(data, "roc")
    counts = counts_of_lines(data, drawn.settings)
    for threshold in (-math.inf, -1.0, 0.0, 0.05, 0.3, 0.5, 0.95, 1.0, 2.0, math.inf):
        reading = read_curve(drawn, counts, threshold=threshold)
        (line,) = reading.lines
        expected = confusion_matrix(data, threshold=threshold)
        assert {name: line.counts[name] for name in ("TP", "FP", "TN", "FN")} == pytest.approx(
            expected.table_of("1")
        )
        assert line.accepted_share == pytest.approx(expected.with_sums()[2, 1] / line.counts["NN"])
        recall = next(rate for rate in line.rates if rate.name == "TPR")
        assert recall.value == expected.rates("recall").value("recall")
        assert line.y == pytest.approx(recall.value)


def test_rates_of_rows_in_groups_have_the_intervals_of_the_confusion_matrix(rng):
    """The cell of every row is known at every threshold, also without weights and sort values."""
    for weight in (False, True):
        data = table(rng, weight=weight).in_groups(np.repeat(np.arange(20), 4))
        drawn = curve(data, "roc")
        counts = counts_of_lines(data, drawn.settings)
        for threshold in (0.3, 0.5, 0.95):
            (line,) = read_curve(drawn, counts, threshold=threshold).lines
            rates = confusion_matrix(data, threshold=threshold).rates(
                [rate.name for rate in line.rates], interval="auto"
            )
            for rate in line.rates:
                whole = rates.entry(rate.name)
                assert (rate.low, rate.high) == pytest.approx((whole.low, whole.high), nan_ok=True)


def test_a_reading_can_be_had_as_plain_values(rng):
    """As every result: a dictionary, and rows of its lines."""
    data = table(rng, model=["a", "b"] * 40)
    drawn = curve(data, "roc")
    reading = read_curve(drawn, counts_of_lines(data, drawn.settings))
    assert reading.to_dict()["threshold"] == 0.5
    assert [line["model"] for line in reading.to_dict()["lines"]] == ["a", "b"]
    assert (reading.low, reading.high, reading.reason) == (0.0, 1.0, None)


def test_a_mean_over_classes_has_no_threshold(rng):
    """It says why instead."""
    data = Predictions.from_arrays(rng.integers(0, 3, 60), rng.dirichlet([1, 1, 1], 60))
    drawn = curve(data, "roc", multiclass="macro")
    reading = read_curve(drawn, counts_of_lines(data, drawn.settings), threshold=0.3)
    assert (reading.threshold, reading.lines) == (None, ())
    assert reading.reason


@pytest.mark.parametrize(("count", "middle"), [(1, 1.0), (2, 2.0), (5, 3.0), (6, 4.0)])
def test_without_a_threshold_ratings_are_read_at_the_middle_one(count, middle):
    """Of the values from high to low the one in the middle, the first of two."""
    rating = np.repeat(np.arange(1.0, count + 1), 2)
    data = Predictions.from_arrays(np.arange(2 * count) % 2, score=rating)
    drawn = curve(data, "roc")
    assert read_curve(drawn, counts_of_lines(data, drawn.settings)).threshold == middle


def test_a_piece_of_a_line_has_both_its_ends(rng):
    """Thresholds from low to high."""
    (line,) = curve(table(rng), "accuracy").lines
    piece = points_between(line, 0.2, 0.6)
    assert sorted(piece.threshold) == pytest.approx([0.2, 0.3, 0.4, 0.5, 0.6])
    assert len(piece.x) == len(piece.y) == 5


@pytest.mark.parametrize(("fp", "fn"), [(1, 1), (1, 5), (3, 0.5), (0, 1), (1, 0)])
def test_the_cheapest_point_is_the_cheapest_by_a_literal_count(rng, fp, fn):
    """Over all thresholds, and the line of equal costs ends at the edge of the unit square."""
    data = table(rng)
    (point,) = cheapest_points(curve(data, "roc"), fp=fp, fn=fn)
    costs = []
    for threshold in [np.inf, *np.unique(data.prob[:, 1])]:
        cells = confusion_matrix(data, threshold=threshold).table_of("1")
        costs.append((fp * cells["FP"] + fn * cells["FN"]) / data.n)
    assert point.cost == pytest.approx(min(costs))
    assert ((point.ends >= -1e-12) & (point.ends <= 1 + 1e-12)).all()
    (x0, y0), (x1, y1) = point.ends
    assert (y1 - y0) * (point.x - x0) == pytest.approx((point.y - y0) * (x1 - x0))


@pytest.mark.parametrize("costs", [{"fp": 0, "fn": 0}, {"fp": -1}, {"fn": math.inf}])
def test_costs_that_mean_nothing_are_refused(rng, costs):
    """Neither negative nor infinite, and not both 0."""
    with pytest.raises(ParameterError):
        cheapest_points(curve(table(rng), "roc"), **costs)


def test_equal_costs_need_a_roc_curve(rng):
    """On no other curve are their lines straight."""
    with pytest.raises(ParameterError, match="ROC"):
        cheapest_points(curve(table(rng), "accuracy"))


@pytest.mark.parametrize(
    ("y", "goal", "measure"),
    [
        ("recall", "max", "informedness"),
        ("PPV", "max", "F1"),
        ("error_rate", "min", None),
        ("cumm(1)", "max", None),
    ],
)
def test_a_rate_of_one_class_is_not_sought_by_itself(y, goal, measure):
    """It is best at an end, so another measure is."""
    result = usual_goal(y)
    assert (result.goal, result.measure, result.why is None) == (goal, measure, measure is None)


def test_y_is_read_between_two_points():
    """On the straight line between them."""
    data = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.8, 0.6, 0.4])
    (line,) = curve(data, "gains").lines
    assert [line.y_at(share) for share in (0.0, 0.25, 0.375, 0.5, 1.0)] == [0, 0.5, 0.75, 1, 1]


def test_areas_of_classes_are_those_of_each_and_their_means(rng):
    """Every class against the rest."""
    data = Predictions.from_arrays(rng.integers(0, 3, 90), rng.dirichlet([1, 1, 1], 90))
    areas = areas_of_classes(data)
    assert [row["auc"] for row in areas.rows()] == [roc_auc(data, target=c) for c in data.classes]
    assert areas.auc == pytest.approx(np.mean([row["auc"] for row in areas.classes]))
    each = [average_precision(data, target=name) for name in data.classes]
    assert areas.average_precision == pytest.approx(np.mean(each))


def test_rows_of_one_model_are_drawn_once(rng):
    """Its folds together, and models and classes apart."""
    data = table(rng, model=["a", "b"] * 40, fold=np.arange(80) // 2 % 4)
    assert rows_drawn(curve(data, "roc", average="none")) == 40
    assert rows_drawn(curve(data, "roc")) == 40


@pytest.mark.parametrize(
    ("first", "dropped", "ends"),
    [
        (math.inf, {}, False),
        (0.9, {"0/0": 1}, False),
        (0.9, {"0/0": 1, "other": 1}, True),
        (math.inf, {"0/0": 1}, True),
    ],
)
def test_a_line_ends_early_where_more_is_left_out_than_its_beginning(first, dropped, ends):
    """The state before any row has no value of many formulas, and ends nothing."""
    values = np.array([first, 0.5])
    assert Line(values, values, values, dropped=dropped).ends_early is ends


@pytest.mark.parametrize(
    ("y", "average", "ends"),
    [
        ("NPV", "merge", True),
        ("NPV", "none", True),
        ("PPV", "merge", False),
        ("NPV", "threshold", False),
        ("NPV", "vertical", False),
    ],
)
def test_a_reading_says_where_its_line_ends_early(rng, y, average, ends):
    """NPV is 0/0 where all rows are accepted; a mean of folds has other thresholds than rows."""
    data = table(rng, fold=np.arange(80) % 2)
    drawn = curve(data, x="threshold", y=y, average=average)
    found = read_curve(drawn, counts_of_lines(data, drawn.settings)).lines
    assert {one.ends for one in found} == {ends}
