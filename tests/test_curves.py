"""Curves by formula: what rows, folds, models, classes and weights become."""

import numpy as np
import pytest
from sklearn.metrics import det_curve, precision_recall_curve, roc_curve

from plumbline import InputError, ParameterError, Predictions
from plumbline.curves import curve
from plumbline.curves.making import REST, START
from plumbline.curves.rows import rows_of, variables_of
from plumbline.errors import FormulaError


def table(n=60, *, seed=0, k=2, **columns):
    """Return random predictions with ties, an attribute of numbers and one of names."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(k), n).round(2)
    prob[:, -1] = 1 - prob[:, :-1].sum(axis=1)
    actual = [rng.choice(k, p=p / p.sum()) for p in prob]
    amount = rng.integers(1, 50, n).astype(float)
    pain = rng.choice(np.array(["typical", "none", "odd"], dtype=object), n)
    attributes = {"amount": amount, "chest pain": pain}
    return Predictions.from_arrays(
        actual, prob, classes=[str(c) for c in range(k)], attributes=attributes, **columns
    )


def line(data, **asked):
    """Return the one line of a curve."""
    (only,) = curve(data, **asked).lines
    return only


@pytest.mark.parametrize("weighted", [False, True])
def test_the_counting_curves_of_scikit_learn(weighted):
    """ROC, precision-recall and DET are theirs, with ties and weights."""
    data = table(200)
    w = np.random.default_rng(1).integers(1, 4, data.n).astype(float) if weighted else None
    data = table(200, weight=w)
    y, p = data.actual, data.prob[:, 1]
    fpr, tpr, threshold = roc_curve(y, p, sample_weight=w, drop_intermediate=False)
    ours = line(data, x="FPR", y="TPR")
    np.testing.assert_allclose(ours.x, fpr, atol=1e-12)
    np.testing.assert_allclose(ours.y, tpr, atol=1e-12)
    np.testing.assert_array_equal(ours.threshold, threshold)
    precision, recall, _ = precision_recall_curve(y, p, sample_weight=w)
    ours = line(data, x="recall", y="precision")
    np.testing.assert_allclose(ours.x[::-1], recall[:-1], atol=1e-12)
    np.testing.assert_allclose(ours.y[::-1], precision[:-1], atol=1e-12)
    fpr, fnr, _ = det_curve(y, p, sample_weight=w)
    ours = line(data, x="FPR", y="FNR")
    theirs = set(zip(fpr.round(9), fnr.round(9), strict=True))
    assert theirs <= set(zip(ours.x.round(9), ours.y.round(9), strict=True))


def test_amounts_stay_with_their_rows():
    """A profit curve adds up every row's own amount, in whatever order the rows come."""
    data = Predictions.from_arrays(
        [0, 1, 0, 1], [0.1, 0.3, 0.7, 0.9], attributes={"amount": [1000.0, 20.0, 500.0, 10.0]}
    )
    profit = line(data, x="threshold", y="cumm(amount if eP else -amount)")
    assert profit.y.tolist() == [0, 10, -490, -470, -1470]


def test_a_constant_score_is_one_threshold():
    """Three of each class with one score: accuracy is a half, whatever the order of the rows."""
    for actual in ([1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 1]):
        found = line(Predictions.from_arrays(actual, [0.4] * 6), x="threshold", y="CA")
        assert found.y.tolist() == [0.5, 0.5]


def test_the_first_class_has_its_own_probabilities():
    """With the other class as target, the curve is that of its probability and its rows."""
    data = table(80)
    mirrored = Predictions.from_arrays(1 - data.actual, data.prob[:, 0])
    ours = line(data, x="recall", y="precision", target="0")
    theirs = line(mirrored, x="recall", y="precision")
    np.testing.assert_array_equal(ours.y, theirs.y)


def test_weight_is_repetition():
    """Integer weights draw the curve of the table in which rows stand that often."""
    data = table(40)
    times = np.random.default_rng(2).integers(0, 4, data.n)
    weighted = table(40, weight=times.astype(float))
    again = data.select(where=np.repeat(np.arange(data.n), times))
    formula = "cumm(amount if eP else -1) + mean(amount) + quantile(amount, .3) + TP * total(eN)"
    one, two = (line(d, x="threshold", y=formula) for d in (weighted, again))
    np.testing.assert_allclose(one.y, two.y, rtol=1e-12)
    np.testing.assert_array_equal(one.threshold, two.threshold)


def test_folds_apart_together_and_averaged():
    """Every way to treat folds names its lines, and averages say what their deviations are."""
    data = table(90, fold=np.arange(90) % 3, model=["m"] * 90)
    apart = curve(data, x="FPR", y="TPR", average="none")
    assert [(one.model, one.fold, one.n) for one in apart.lines] == [
        ("m", "0", 30), ("m", "1", 30), ("m", "2", 30)
    ]  # fmt: skip
    together = curve(data, "roc")
    assert [(one.model, one.fold) for one in together.lines] == [("m", None)]
    assert together.spread is None
    for average, sds in (("vertical", {"y_sd"}), ("threshold", {"x_sd", "y_sd"})):
        found = curve(data, "roc", average=average)
        assert sds <= set(found.lines[0].more)
        assert "folds" in found.spread
        assert sds <= set(found.to_frame().column_names)


def test_a_fold_without_positives_is_listed_and_left_out_of_the_mean():
    """Recall is 0/0 there: the line has no points, a reason, and no share in the average."""
    data = Predictions.from_arrays(
        [0, 0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.8, 0.4, 0.7], fold=[0, 0, 0, 1, 1, 1]
    )
    empty, sound = curve(data, "roc", average="none").lines
    assert (len(empty), empty.reason) == (0, "no row is of class '1', so no point is defined")
    assert len(sound) == 4
    mean = line(data, preset="roc", average="vertical")
    assert set(mean.more["count"]) == {1}


def test_models_have_a_line_each():
    """Stacked tables give a line a model, in the order of the table."""
    data = table(40, model=["b", "a"] * 20)
    assert [one.model for one in curve(data, "roc").lines] == ["b", "a"]


def test_where_keeps_rows_before_anything_is_counted():
    """A filter changes P, N and the curve as if the other rows had never been there."""
    data = table(80)
    rows = data.attributes["amount"] > 20
    kept = line(data, preset="roc", where="amount > 20")
    np.testing.assert_array_equal(kept.y, line(data.select(where=rows), preset="roc").y)
    assert kept.n == rows.sum()
    with pytest.raises(InputError, match="no row is left"):
        curve(data, "roc", where="amount > 1000")


def test_a_filter_that_is_undefined_leaves_rows_out_and_says_so():
    """Rows of which `where` cannot be told are not kept silently."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    found = curve(data, "roc", where="age > 20")
    assert found.lines[0].n == 2
    assert "`where` is undefined for 1 row, left out" in found.notes


def test_undefined_points_are_counted_by_reason():
    """What is dropped is said: the state before any row, a missing attribute, 0/0."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    found = line(data, x="threshold", y="age")
    assert found.dropped == {START: 1, "`age` is missing": 1}
    (reason,) = line(data, x="threshold", y="NPV").dropped
    assert reason == "0/0 in `TN / NP`"
    many = Predictions.from_arrays([0, 1] * 150, np.arange(300) / 300)
    assert line(many, x="threshold", y="TP / 0").dropped[REST] > 0


@pytest.mark.parametrize("direction", ["descending", "ascending"])
def test_a_missing_sort_value_comes_last(direction):
    """NaN sorts behind all others in both directions, with a note."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    found = curve(data, x="cumm(1)", y="probability", sort_by="age", direction=direction)
    assert found.lines[0].y[-1] == 0.6
    assert "`age` is missing in 1 row; they come last in the order" in found.notes


def test_numbers_among_which_some_are_missing_stay_numbers():
    """A list with None in it is a column of numbers; texts among them make it one of names."""
    for age, kind in (([30, None, 50], "number"), ([30, "old", 50], "category")):
        data = Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": age})
        assert (curve(data, x="age", y="eCA").x_names != ()) == (kind == "category")


def test_categories_are_never_smoothed_across():
    """Against an attribute of names stands the mean of each, with its count and interval."""
    data = table(90)
    found = curve(data, x="chest_pain", y="eCA")
    assert found.settings.average == "smooth"
    frame = found.to_frame("pandas")
    right = (data.predicted == data.actual).astype(float)
    for name in ("none", "odd", "typical"):
        row = frame[frame.x == name].iloc[0]
        own = right[data.attributes["chest pain"] == name]
        assert row.y == pytest.approx(own.mean())
        assert row["count"] == len(own)
        assert row.y_low < row.y < row.y_high


def test_a_policy_sorts_by_a_formula():
    """Rows in the order of their expected gain: counts are of the rows that the rule accepts."""
    data = table(50)
    found = curve(data, x="PP", y="cumm(amount if eP else -9)", sort_by="probability * amount")
    gain = data.prob[:, 1] * data.attributes["amount"]
    each = np.where(data.actual == 1, data.attributes["amount"], -9)[np.argsort(-gain)]
    assert found.lines[0].y[-1] == pytest.approx(each.sum())
    best = found.lines[0]
    at = int(np.flatnonzero(best.x == 7)[0])
    assert best.y[at] == pytest.approx(each[:7].sum())
    assert "this rule accepts" in found.notes[0]


def test_classes_one_by_one_and_averaged():
    """Per class, micro over all rows of all classes, macro as the vertical mean."""
    data = table(90, k=3)
    each = curve(data, "roc", multiclass="per-class")
    assert [one.target for one in each.lines] == ["0", "1", "2"]
    assert "target" in each.to_frame().column_names
    micro = line(data, preset="roc", multiclass="micro")
    event = (data.actual[:, None] == np.arange(3)).ravel()
    fpr, tpr, _ = roc_curve(event, data.prob.ravel(), drop_intermediate=False)
    np.testing.assert_allclose(micro.y, tpr, atol=1e-12)
    np.testing.assert_allclose(micro.x, fpr, atol=1e-12)
    macro = line(data, preset="roc", multiclass="macro")
    assert (macro.x[0], macro.x[-1], macro.y[-1]) == (0, 1, 1)
    assert macro.target is None


def test_a_table_of_answers_has_one_point_beside_the_corners():
    """Labels alone are a classifier at one threshold."""
    data = Predictions.from_arrays([0, 1, 1, 0], predicted=[0, 1, 0, 1], classes=["0", "1"])
    found = line(data, preset="roc")
    assert list(zip(found.x, found.y, strict=True)) == [(0, 0), (0.5, 0.5), (1, 1)]


def test_a_table_of_ratings_needs_no_probabilities():
    """Decision values rank rows; only a formula that names the probability refuses them."""
    data = Predictions.from_arrays([0, 1, 1], score=[-3.0, 2.0, -4.0], classes=["0", "1"])
    assert line(data, preset="roc").threshold.tolist() == [np.inf, 2, -3, -4]
    with pytest.raises(InputError, match="needs probabilities"):
        curve(data, x="probability", y="TPR")


def test_parameters_have_values_of_their_own():
    """`param` takes its default unless told otherwise."""
    data = table(30)
    y = 'cumm(param("gain", 2) if eP else -1)'
    twice, thrice = (line(data, x="PP", y=y, params=p).y for p in ({}, {"gain": 3}))
    np.testing.assert_allclose(thrice - twice, line(data, x="PP", y="TP").y)


NOTES = [
    ({"x": "threshold", "y": "TP", "merge": "none"}, "depends on the order"),
    ({"x": "probability", "y": "eCA"}, "depends on the order"),
    ({"x": "amount", "y": "1 if probability <= 0.5 else 0"}, "counts it as positive"),
    ({"x": "amount", "y": "eFN", "average": "smooth"}, "a share of all rows"),
    ({"x": "amount", "y": "eCA"}, "0 or 1 for every row"),
]


@pytest.mark.parametrize(("asked", "said"), NOTES)
def test_the_linter_speaks_up(asked, said):
    """What would mislead is a note of the curve."""
    assert any(said in note for note in curve(table(60), **asked).notes)


def test_the_linter_is_quiet_where_nothing_is_odd():
    """A filter makes the share one of the positives; merged ties have no order."""
    data = table(60)
    assert curve(data, "roc").notes == ()
    assert curve(data, x="amount", y="eFN", average="smooth", where="eP").notes == ()


def test_accuracy_of_many_classes_is_explained():
    """CA is of the target against the rest, eCA of all classes."""
    assert "mean(eCA)" in curve(table(60, k=3), "accuracy").notes[0]


REFUSED = [
    ({"x": "amount", "y": "recall", "sort_by": "amount"}, FormulaError, "sorted by `amount`"),
    ({"x": "amount", "y": "TP", "direction": "unsorted"}, FormulaError, "not sorted"),
    ({"x": "amount", "y": "chest_pain"}, FormulaError, "must be a number"),
    ({"x": "amount", "y": "eCA", "where": "TP > 3"}, FormulaError, "TP"),
    ({"x": "amount", "y": "eCA", "sort_by": "recall"}, FormulaError, "recall"),
    ({"x": "amount"}, ParameterError, "formula for `y`"),
    ({"x": "FPR", "y": "TPR", "spann": 3}, ParameterError, "did you mean 'span'"),
    ({"x": "FPR", "y": "TPR", "span": 0}, ParameterError, "at most 1"),
    ({"x": "FPR", "y": "TPR", "average": "vertical"}, InputError, "no `fold` column"),
    ({"x": "chest_pain", "y": "eCA", "average": "vertical"}, ParameterError, "category"),
    ({"x": "FPR", "y": "TPR", "target": "2"}, InputError, "no class '2'"),
    ({"x": "FPR", "y": "TPR", "band": "bootstrap", "average": "none"}, ParameterError, "band"),
    ({"x": "FPR", "y": "TPR", "sort_by": "age", "direction": "unsorted"}, ParameterError, "leave"),
    ({"preset": "rocc"}, ParameterError, "did you mean 'roc'"),
]


@pytest.mark.parametrize(("asked", "error", "said"), REFUSED)
def test_what_cannot_be_drawn_is_refused_with_a_reason(asked, error, said):
    """Every refusal names the variable or the argument."""
    with pytest.raises(error, match=said):
        curve(table(20), **asked)


def test_frames_and_plain_python_hold_the_same_points():
    """Names instead of codes, infinite thresholds in frames, None in JSON."""
    found = curve(table(30), x="chest pain".replace(" ", "_"), y="eCA", average="merge")
    frame = found.to_frame()
    points = found.to_dict()["lines"][0]["points"]
    assert frame.column("x").to_pylist() == [point["x"] for point in points]
    roc = curve(table(30), "roc")
    assert roc.to_frame().column("threshold")[0].as_py() == np.inf
    assert roc.to_dict()["lines"][0]["points"][0]["threshold"] is None
    assert "TPR" in repr(roc)


def test_attributes_are_looked_at_when_they_are_named():
    """A table may have columns that no formula can use, as long as none names them."""
    odd = np.array([{"a": 1}, ["b"], None], dtype=object)
    data = Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], attributes={"odd": odd})
    rows = rows_of(data, 1)
    assert "odd" in variables_of(rows)
    assert line(data, preset="roc").n == 3
    assert rows.attributes._made == {}
    empty = Predictions.from_arrays([0, 1], [0.2, 0.6], attributes={"note": [None, None]})
    assert line(empty, x="note", y="eCA").dropped
