"""Curves by formula against a literal interpreter, and against the thesis they come from."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import plumbline as pb
from curve_settings import used_only
from laws import law
from plumbline.curves import Curve, Line, curve, params_for
from plumbline.errors import (
    FormulaError,
    InputError,
    ParameterError,
    PlumblineError,
    PlumblineWarning,
)
from reference.formulas import random_settings, random_table
from reference.literal_curve import NoRowError, Point, Settings, Table, literal_curve
from refusals import refused

CASES = 2_500  # lines; a curve has one for every model, and fold where those are apart
BLOCKS = 5
CURVES_A_TABLE = 4
TOLERANCE = 1e-12

# Table 2 of Biček (2009), which is Fawcett's (2006): rows 10 and 11 have the same probability.
CLASSES = "ppnpppnnpnpnpnnnpnpn"
SCORES = [
    0.9,
    0.8,
    0.7,
    0.6,
    0.55,
    0.54,
    0.53,
    0.52,
    0.51,
    0.505,
    0.505,
    0.39,
    0.38,
    0.37,
    0.36,
    0.35,
    0.34,
    0.33,
    0.30,
    0.1,
]
AGES = [30.0 + 7 * i % 20 for i in range(20)]


def table_2(**attributes: Sequence[object]) -> pb.Predictions:
    """Return the twenty rows of Table 2."""
    return pb.Predictions.from_arrays(
        list(CLASSES), SCORES, classes=["n", "p"], attributes={"age": AGES, **attributes}
    )


def small(actual: Sequence[int], prob: Sequence[float], **others: object) -> pb.Predictions:
    """Return a table of a few rows of two classes."""
    return pb.Predictions.from_arrays(actual, prob, classes=[0, 1], **others)


def one_line(data: pb.Predictions, **given: object) -> Line:
    """Return the only line of a curve."""
    (line,) = curve(data, **given).lines
    return line


def points(line: Line) -> list[tuple[float, float, float]]:
    """Return threshold, x and y of every point in drawing order."""
    return list(zip(line.threshold.tolist(), line.x.tolist(), line.y.tolist(), strict=True))


# ------------------------------------------------------------------ Table 2


def test_the_roc_curve_of_table_2_is_the_one_in_the_thesis():
    """It has 20 points, jumps over the tie, and has the area of scikit-learn's curve."""
    sklearn = pytest.importorskip("sklearn.metrics")
    line = one_line(table_2(), x="FPR", y="TPR")
    assert len(line) == 20
    jump = [(round(x, 12), round(y, 12)) for _, x, y in points(line)]
    assert jump[jump.index((0.3, 0.6)) + 1] == (0.4, 0.7)
    fpr, tpr, threshold = sklearn.roc_curve(
        [c == "p" for c in CLASSES], SCORES, drop_intermediate=False
    )
    np.testing.assert_array_equal(line.x, fpr)
    np.testing.assert_array_equal(line.y, tpr)
    np.testing.assert_array_equal(line.threshold, threshold)


def test_the_area_and_the_best_accuracy_of_table_2():
    """The area under the curve is .685 and the best accuracy .70, at a threshold of .54."""
    roc = one_line(table_2(), x="FPR", y="TPR")
    steps = zip(points(roc), points(roc)[1:], strict=False)
    area = sum((x - w) * (v + y) / 2 for (_, w, v), (_, x, y) in steps)
    assert area == pytest.approx(0.685, abs=1e-12)
    accuracy = one_line(table_2(), x="threshold", y="CA")
    best = int(accuracy.y.argmax())
    assert (accuracy.x[best], accuracy.y[best]) == (0.54, 0.7)


@pytest.mark.parametrize("y", ["TPR", "CA", "precision", "cumm(1)"])
def test_both_directions_of_table_2_have_the_same_points(y):
    """A direction is an order of drawing; only what `cumm` adds depends on it."""
    down, up = (one_line(table_2(), x="FPR", y=y, direction=d) for d in ("descending", "ascending"))
    np.testing.assert_array_equal(up.threshold, down.threshold[::-1])
    np.testing.assert_array_equal(up.x, down.x[::-1])
    expected = 20 - down.y[::-1] if y == "cumm(1)" else down.y[::-1]
    np.testing.assert_array_equal(up.y, expected)


# ------------------------------------------------------ faults of the algorithm, corrected


def test_predicted_positives_start_at_none_and_predicted_negatives_at_all():
    """Fault 1: PP and NP had no value before the first row."""
    line = one_line(table_2(), x="PP", y="NP")
    assert points(line)[0] == (math.inf, 0.0, 20.0)
    assert points(line)[-1] == (0.1, 20.0, 0.0)
    up = one_line(table_2(), x="PP", y="NP", direction="ascending")
    assert points(up) == points(line)[::-1]


def test_variables_of_rows_are_allowed_whatever_the_rows_are_sorted_by():
    """Fault 2: eTP, eCA and an attribute SCALE were refused, for TP and CA are a part of them."""
    data = table_2(SCALE=AGES)
    for formula in ("eTP", "eCA", "SCALE"):
        assert len(one_line(data, x="age", y=formula, sort_by="age", merge="none")) == 20


THRESHOLD_NAMES = [
    "TP",
    "FP",
    "TN",
    "FN",
    "PP",
    "NP",
    "CA",
    "acc",
    "recall",
    "sensitivity",
    "TPR",
    "FPR",
    "specificity",
    "precision",
    "PPV",
    "NPV",
    "FDR",
]


@pytest.mark.parametrize("name", THRESHOLD_NAMES)
def test_counts_are_refused_where_no_rating_sorts_the_rows(name):
    """Faults 2 and 3: many were let through; the message says which and what to do."""
    for order in ({"sort_by": "age"}, {"direction": "unsorted"}):
        with pytest.raises(FormulaError) as caught:
            curve(table_2(), x="age", y=f"1 - {name}", **order)
        assert f"`{name}`" in caught.value.message
        assert "sort_by='probability'" in caught.value.message
        assert (caught.value.start, caught.value.end) == (4, 4 + len(name))


def test_a_row_is_positive_at_its_own_probability_in_both_directions():
    """Fault 4: at .51 recall is .6; sorted upwards it was .5."""
    for direction in ("descending", "ascending"):
        line = one_line(table_2(), x="probability", y="TPR", direction=direction)
        assert dict(zip(line.x.tolist(), line.y.tolist(), strict=True))[0.51] == 0.6


def test_undefined_points_are_left_out_and_counted_wherever_they_are():
    """Fault 5: the last point was drawn even where it was TN / 0."""
    line = one_line(table_2(), x="threshold", y="NPV")
    assert len(line) == 19
    assert sum(line.dropped.values()) == 1
    assert np.isfinite(line.y).all()
    first = one_line(table_2(), x="threshold", y="precision")
    assert (len(first), sum(first.dropped.values())) == (19, 1)


def test_the_threshold_keeps_the_point_at_which_all_are_rejected():
    """Fault 6: against the probability of the row met last there is none before the first row."""
    assert len(one_line(table_2(), x="probability", y="CA")) == 19
    line = one_line(table_2(), x="threshold", y="CA")
    assert len(line) == 20
    assert points(line)[0] == (math.inf, math.inf, 0.5)


def test_a_note_says_where_the_order_of_tied_rows_shows():
    """Fault 7: averaged counts depend on which of rows 10 and 11 stands first; "last" does not."""
    order = [*range(9), 10, 9, *range(11, 20)]
    for merge, expected in (("average", {(0.4, 0.65), (0.35, 0.7)}), ("last", {(0.4, 0.7)})):
        drawn = [
            curve(data, x="FPR", y="TPR", merge=merge)
            for data in (table_2(), table_2().select(where=order))
        ]
        at_tie = {
            (round(float(c.lines[0].x[10]), 12), round(float(c.lines[0].y[10]), 12)) for c in drawn
        }
        assert at_tie == expected
        noted = ["arbitrary order" in " ".join(c.notes) for c in drawn]
        assert noted == [merge == "average"] * 2


def test_sums_are_defined_before_the_first_row_and_refuse_what_they_cannot_add():
    """Fault 8: `cumm` starts at 0; sums in sums and counts of a threshold in sums are refused."""
    assert one_line(table_2(), x="threshold", y="cumm(age)").y[0] == 0.0
    for formula in (
        "cumm(cumm(1))",
        "total(cumm(age))",
        "total(TP)",
        "mean(threshold)",
        "rank(recall)",
        "quantile(PP, .5)",
        "cumm(FPR)",
    ):
        with pytest.raises(FormulaError):
            curve(table_2(), x="threshold", y=formula)
    for argument in ("where", "sort_by"):
        with refused(FormulaError, "level-too-high", "TP"):
            curve(table_2(), x="threshold", y="1", **{argument: "TP > 1"})


@pytest.mark.parametrize("direction", ["descending", "ascending"])
def test_rows_without_a_sort_value_come_last_and_lose_no_point(direction):
    """Fault 9: a missing value first in the order was taken for the one before the first row."""
    data = small([0, 1, 1, 0], [0.2, 0.4, 0.6, 0.8], attributes={"age": [math.nan, 50, 40, 50]})
    built = curve(data, x="cumm(1)", y="probability", sort_by="age", direction=direction)
    ages = [50, 40] if direction == "descending" else [40, 50]
    assert built.lines[0].threshold[:2].tolist() == ages
    assert math.isnan(built.lines[0].threshold[2])
    assert built.lines[0].x.tolist() == ([2, 3, 4] if direction == "descending" else [1, 3, 4])
    assert "missing-sort-values" in [note.code for note in built.notes]


def test_there_is_one_vocabulary():
    """Fault 10: one name for each option; no sorting has no direction and no threshold."""
    for wrong in ({"merge": "Last value"}, {"direction": "No sorting"}, {"average": "Merge"}):
        with pytest.raises(ParameterError):
            curve(table_2(), x="FPR", y="TPR", **wrong)
    same, other = (
        one_line(table_2(), x="threshold", y=f"cumm({name} == 'p')").y
        for name in ("trueClass", "actualClass")
    )
    np.testing.assert_array_equal(same, other)
    line = one_line(table_2(), x="cumm(1)", y="age", direction="unsorted")
    assert line.y.tolist() == AGES
    assert np.isnan(line.threshold).all()


def test_quotients_are_true_and_what_is_undefined_stays_so():
    """Fault 11: 1 / 20 was 0, and a condition on nothing was false."""
    line = one_line(table_2(), x="cum(1) / NN", y="FN / P")
    assert points(line)[1] == (0.9, 0.05, 0.9)
    guarded = one_line(table_2(), x="threshold", y="1 if probability >= 0.5 else 0")
    assert guarded.threshold[0] == 0.9
    assert sum(guarded.dropped.values()) == 1


def test_a_set_of_one_class_gives_no_point_and_says_why():
    """Fault 12: P = 0 was divided by."""
    line = one_line(small([0, 0, 0], [0.2, 0.4, 0.6]), x="FPR", y="TPR")
    assert (len(line), sum(line.dropped.values())) == (0, 4)
    assert "'1'" in line.reason


def test_a_probability_of_one_half_is_positive_and_nothing_else():
    """Fault 13: .5 was positive in one figure and negative in another."""
    data = small([1, 0, 1, 0], [0.5, 0.5, 0.4, 0.6])
    half = one_line(data, x="threshold", y="cumm(eTP)")
    at_half = dict(zip(half.threshold.tolist(), half.y.tolist(), strict=True))[0.5]
    counted = one_line(data, x="threshold", y="TP")
    assert at_half == dict(zip(counted.x.tolist(), counted.y.tolist(), strict=True))[0.5] == 1.0
    notes = curve(data, x="threshold", y="cumm(probability <= 0.5)").notes
    assert any("exactly 0.5" in note for note in notes)


def test_accuracy_of_a_target_and_of_the_right_answers_are_two_things():
    """Fault 14: of three classes CA is the target's against the rest, mean(eCA) that of all."""
    prob = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
    data = pb.Predictions.from_arrays(["a", "b", "c"], prob, classes=["a", "b", "c"])
    built = curve(data, x="mean(eCA)", y="CA")
    assert built.lines[0].x.tolist() == pytest.approx([2 / 3] * 3)
    assert built.lines[0].y.max() == 1.0
    assert any("eCA" in note for note in built.notes)


def test_a_share_of_the_sick_needs_a_filter():
    """Fault 15: the mean of eFN is a share of everyone; a filter or None elsewhere helps."""
    data = small([1, 1, 0, 0], [0.2, 0.9, 0.1, 0.3], attributes={"age": [40, 40, 40, 50]})
    everyone = one_line(data, x="age", y="eFN", sort_by="age", merge="average")
    assert points(everyone) == [(50, 50, 0), (40, 40, pytest.approx(1 / 3))]
    for given in ({"y": "eFN", "where": "eP"}, {"y": "eFN if eP else None"}):
        sick = one_line(data, x="age", sort_by="age", merge="average", **given)
        assert points(sick) == [(40, 40, 0.5)]


def test_every_point_knows_its_threshold_whatever_the_axes_are():
    """Fault 16: a threshold was read off a curve that has no axis for it."""
    line = one_line(table_2(), x="cum(1) / NN", y="TPR")
    np.testing.assert_array_equal(line.threshold, [math.inf, *sorted({*SCORES}, reverse=True)])


def test_expected_and_realised_profit_are_two_curves():
    """Fault 16: the text takes one for the other."""
    amount = [float(10 + i) for i in range(20)]
    sums = (
        "cumm(probability * amount**2 / 30 - (1 - probability) * amount)",
        "cumm(amount**2 / 30 if eP else -amount)",
    )
    expected, realised = (one_line(table_2(amount=amount), x="threshold", y=y).y for y in sums)
    both = list(zip(SCORES, CLASSES, amount, strict=True))
    assert expected[-1] == pytest.approx(sum(p * a * a / 30 - (1 - p) * a for p, _, a in both))
    assert realised[-1] == pytest.approx(sum(a * a / 30 if c == "p" else -a for _, c, a in both))


# ------------------------------------------------------------------ random curves


def predictions_of(table: Table) -> pb.Predictions:
    """Return the table that the package reads."""
    return pb.Predictions.from_arrays(
        table.actual,
        table.prob,
        classes=table.classes,
        predicted=table.predicted,
        score=table.score,
        weight=table.weight,
        fold=table.fold,
        model=table.model,
        attributes={name: _column(values) for name, values in table.attributes.items()},
    )


def _column(values: Sequence[object]) -> np.ndarray:
    if any(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    return np.array([math.nan if value is None else value for value in values])


def drawn(data: pb.Predictions, given: Settings) -> Curve:
    """Ask the package for the curve."""
    params = params_for(given.params, given.x, given.y, given.sort_by, given.where)
    return curve(data, **used_only(data, **{**vars(given), "params": params}))


def differences(line: Line, expected: list[Point], dropped: int) -> list[str]:
    """Say in what a line differs from the literal one."""
    result = points(line)
    if len(result) != len(expected):
        return [f"{len(result)} points, not {len(expected)}"]
    texts = [
        f"point {place}: {got}, not {want}"
        for place, (got, want) in enumerate(zip(result, expected, strict=True))
        if not all(map(_same, got, want))
    ]
    counted = sum(line.dropped.values())
    return texts + ([f"{counted} dropped, not {dropped}"] if counted != dropped else [])


def _same(got: float, want: float | None) -> bool:
    if want is None:
        return math.isnan(got)
    return got == want or abs(got - want) <= TOLERANCE * (1 + abs(want))


def disagreements(data: pb.Predictions, table: Table, given: Settings) -> tuple[int, list[str]]:
    """Draw a curve twice; return the number of its lines and in what they differ."""
    try:
        expected = literal_curve(table, given)
    except NoRowError:
        with pytest.raises(InputError) as none:
            drawn(data, given)
        assert none.value.code in ("no-rows-left", "weights-all-zero")
        return 0, []
    try:
        lines = {(line.model, line.fold): line for line in drawn(data, given).lines}
    except (PlumblineError, PlumblineWarning) as error:
        return 0, [repr(error)]
    names = {(model, None if fold is None else str(fold)) for model, fold in expected}
    if lines.keys() != names:
        return 0, [f"lines {sorted(lines)}, not {sorted(names)}"]
    result = [
        f"line {(model, fold)}: {text}"
        for (model, fold), (wanted, dropped) in expected.items()
        for text in differences(lines[model, None if fold is None else str(fold)], wanted, dropped)
    ]
    return len(lines), result


def test_the_literal_interpreter_counts_the_rows_at_or_above_a_threshold():
    """The oracle's own oracle: counts are those of comparing every rating with the threshold."""
    rng = Random("counts")
    for _ in range(200):
        table = random_table(rng)
        if table.prob is None or table.weight is not None:
            continue
        for direction in ("descending", "ascending"):
            given = Settings(x="TP", y="FP", direction=direction)
            built, _ = literal_curve(replace(table, model=None), given)[None, None]
            drawn_at = [threshold for threshold, _, _ in built]
            assert drawn_at == sorted(drawn_at, reverse=direction == "descending")
            assert set(drawn_at) == {math.inf, *(p[-1] for p in table.prob)}
            for threshold, tp, fp in built:
                accepted = [
                    c for c, p in zip(table.actual, table.prob, strict=True) if p[-1] >= threshold
                ]
                assert tp == accepted.count(table.classes[-1])
                assert tp + fp == len(accepted)


@law("block", range(BLOCKS), number=2)
def test_curves_are_those_of_the_literal_interpreter(block):
    """Random formulas on random tables: the same points in the same order, the same thresholds."""
    rng = Random(f"curves {block}")
    wrong = []
    lines = 0
    while lines < CASES // BLOCKS:
        table = random_table(rng)
        data = predictions_of(table)
        for _ in range(CURVES_A_TABLE):
            given = random_settings(rng, table)
            count, result = disagreements(data, table, given)
            lines += max(count, 1)
            if result:
                wrong.append("\n".join([str(given), str(table), *result[:3]]))
    assert not wrong, f"{len(wrong)} curves differ, such as\n" + "\n\n".join(wrong[:3])
