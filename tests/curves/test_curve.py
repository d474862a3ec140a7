"""Curves by formula: what rows, folds, models, classes and weights become."""

import numpy as np
import pytest
from sklearn.metrics import det_curve, precision_recall_curve, roc_curve

from curve_settings import used_only
from plumbline import InputError, ParameterError, Predictions
from plumbline.curves import (
    PRESETS,
    Vocabulary,
    best_threshold,
    cases_between,
    curve,
    curve_difference,
    curve_from_spec,
    curve_spec,
    roc_auc,
)
from plumbline.curves.lines import START
from plumbline.curves.recipe import REASONS, REST
from plumbline.curves.sweep import Sweep
from plumbline.curves.target_rows import rows_of
from plumbline.errors import FormulaError
from refusals import refused

VALUE = Sweep.value

ZERO_BY_ZERO = "0/0 in `TN / NP`"


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


def line(data, **given):
    """Return the one line of a curve."""
    (only,) = curve(data, **given).lines
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
        result = line(Predictions.from_arrays(actual, [0.4] * 6), x="threshold", y="CA")
        assert result.y.tolist() == [0.5, 0.5]


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
        ("m", "0", 30),
        ("m", "1", 30),
        ("m", "2", 30),
    ]
    together = curve(data, "roc")
    assert [(one.model, one.fold) for one in together.lines] == [("m", None)]
    assert together.spread is None
    for average, sds in (("vertical", {"y_sd"}), ("threshold", {"x_sd", "y_sd"})):
        result = curve(data, "roc", average=average)
        assert sds <= set(result.lines[0].more)
        assert "folds" in result.spread
        assert sds <= set(result.to_frame().column_names)


def test_a_fold_without_positives_is_listed_and_left_out_of_the_mean():
    """Recall is 0/0 there: the line has no points, a reason, and no share in the average."""
    data = Predictions.from_arrays(
        [0, 0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.8, 0.4, 0.7], fold=[0, 0, 0, 1, 1, 1]
    )
    empty, sound = curve(data, "roc", average="none").lines
    assert len(empty) == 0
    assert "'1'" in empty.reason
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
    with refused(InputError, "no-rows-left", argument="where"):
        curve(data, "roc", where="amount > 1000")


def test_a_filter_that_is_undefined_leaves_rows_out_and_says_so():
    """Rows of which `where` cannot be told are not kept silently."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    result = curve(data, "roc", where="age > 20")
    assert result.lines[0].n == 2
    assert "undefined-filter" in [note.code for note in result.notes]


def test_undefined_points_are_counted_by_reason():
    """What is dropped is said: the state before any row, a missing attribute, 0/0."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    result = line(data, x="threshold", y="age")
    first, second = result.dropped.items()
    assert first == (START, 1)
    assert "`age`" in second[0]
    assert second[1] == 1
    assert list(line(data, x="threshold", y="NPV").dropped) == [ZERO_BY_ZERO]
    many = Predictions.from_arrays([0, 1] * 150, np.arange(300) / 300)
    assert line(many, x="threshold", y="TP / 0").dropped == {
        "x/0 in `TP / 0`": 300,
        "0/0 in `TP / 0`": 1,
    }


@pytest.mark.parametrize("direction", ["descending", "ascending"])
def test_a_missing_sort_value_comes_last(direction):
    """NaN sorts behind all others in both directions, with a note."""
    data = Predictions.from_arrays(
        [0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": [30.0, np.nan, 50.0]}
    )
    result = curve(data, x="cumm(1)", y="probability", sort_by="age", direction=direction)
    assert result.lines[0].y[-1] == 0.6
    (note,) = [note for note in result.notes if note.code == "missing-sort-values"]
    assert note.startswith("`age` ")


def test_numbers_among_which_some_are_missing_stay_numbers():
    """A list with None in it is a column of numbers; texts among them make it one of names."""
    for age, kind in (([30, None, 50], "number"), ([30, "old", 50], "category")):
        data = Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], attributes={"age": age})
        assert (curve(data, x="age", y="eCA").x_names != ()) == (kind == "category")


def test_categories_are_never_smoothed_across():
    """Against an attribute of names stands the mean of each, with its count and interval."""
    data = table(90)
    result = curve(data, x="chest_pain", y="eCA")
    assert result.settings.average == "smooth"
    frame = result.to_frame("pandas")
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
    result = curve(data, x="PP", y="cumm(amount if eP else -9)", sort_by="probability * amount")
    gain = data.prob[:, 1] * data.attributes["amount"]
    each = np.where(data.actual == 1, data.attributes["amount"], -9)[np.argsort(-gain)]
    assert result.lines[0].y[-1] == pytest.approx(each.sum())
    best = result.lines[0]
    at = int(np.flatnonzero(best.x == 7)[0])
    assert best.y[at] == pytest.approx(each[:7].sum())
    assert result.notes[0].code == "sorted-by-a-rule"


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
    result = line(data, preset="roc")
    assert list(zip(result.x, result.y, strict=True)) == [(0, 0), (0.5, 0.5), (1, 1)]


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
    ({"x": "threshold", "y": "TP", "merge": "none"}, "depends on the arbitrary order"),
    ({"x": "probability", "y": "eCA"}, "depends on the arbitrary order"),
    ({"x": "amount", "y": "1 if probability <= 0.5 else 0"}, "counts it as positive"),
    ({"x": "amount", "y": "eFN", "average": "smooth"}, "a share of all rows"),
    ({"x": "amount", "y": "eCA"}, "0 or 1 in every row"),
    ({"x": "amount", "y": "eFN", "average": "smooth", "where": "eP"}, "outside 0 to 1"),
]


@pytest.mark.parametrize(("given", "message"), NOTES)
def test_warnings_of_formulas(given, message):
    """What would mislead is a note of the curve."""
    assert any(message in note for note in curve(table(60), **given).notes)


def test_no_warning_where_nothing_is_odd():
    """A filter makes the share one of the positives; merged ties have no order."""
    data = table(60)
    assert curve(data, "roc").notes == ()
    assert curve(data, x="amount", y="eFN", average="smooth", span=1, where="eP").notes == ()


def test_accuracy_of_many_classes_is_explained():
    """CA is of the target against the rest, eCA of all classes."""
    assert "mean(eCA)" in curve(table(60, k=3), "accuracy").notes[0]
    assert not curve(table(60), "accuracy").notes
    assert not curve(table(60, k=3), "f1").notes


@pytest.mark.parametrize("x", ["chest_pain", "eP", "amount > 20"])
@pytest.mark.parametrize("sort_by", [None, "amount", "chest_pain"])
@pytest.mark.parametrize("weighted", [False, True])
def test_merged_ties_keep_their_categories(x, sort_by, weighted):
    """The mean of tied rows is one of y; y of single rows is averaged as without merging."""
    weight = np.random.default_rng(3).uniform(0.5, 2, 80) if weighted else None
    data = table(80, weight=weight)
    given = {"x": x, "average": "smooth", "sort_by": sort_by}
    cases = [{**given, "y": "eCA", "merge": merge} for merge in ("none", "average")]
    whole, merged = (line(data, **used_only(data, **case)) for case in cases)
    np.testing.assert_array_equal(merged.x, whole.x)
    for name, values in {"y": whole.y, **whole.more}.items():
        np.testing.assert_allclose(merged.y if name == "y" else merged.more[name], values)


def test_the_mean_of_tied_rows_is_given_to_each_category():
    """Two rows at .6 and two at .3: the accuracies of both states of a tie have one mean."""
    names = np.array(["a", "b", "a", "b"], dtype=object)
    data = Predictions.from_arrays([1, 0, 1, 0], [0.6, 0.6, 0.3, 0.3], attributes={"c": names})
    result = line(data, x="c", y="CA", average="smooth", merge="average")
    # Met one by one: .75, .5, .75, .5, each pair with the mean .625.
    assert (result.y.tolist(), result.more["count"].tolist()) == ([0.625, 0.625], [2, 2])


@pytest.mark.parametrize("average", [None, "merge", "smooth", "none"])
@pytest.mark.parametrize("sort_by", [None, "amount", "chest_pain"])
def test_merging_by_the_average_makes_one_point_a_category(average, sort_by):
    """Whatever becomes of folds: the mean of y over the rows of a category, computed here."""
    data = table(90, fold=np.arange(90) % 3)
    given = {"x": "chest_pain", "y": "eCA", "average": average, "sort_by": sort_by}
    drawn = curve(data, **used_only(data, **given, merge="average"))
    names, right = data.attributes["chest pain"], data.predicted == data.actual
    folds = [None] if average != "none" else list(data.folds)
    assert len(drawn.lines) == len(folds)
    for fold, one in zip(folds, drawn.lines, strict=True):
        kept = np.ones(90, bool) if fold is None else np.arange(90) % 3 == int(fold)
        means = {name: right[kept & (names == name)].mean() for name in np.unique(names)}
        assert dict(zip(np.array(drawn.x_names)[one.x.astype(int)], one.y, strict=True)) == (
            pytest.approx(means)
        )
        assert "y_low" in one.more
    assert not {"row-by-row", "points-not-joined"} & {note.code for note in drawn.notes}


RATES = {"x": "FPR", "y": "TPR"}
BESIDE = "argument-beside-another"
REFUSED = [
    (
        {"x": "amount", "y": "recall", "sort_by": "amount"},
        FormulaError,
        "rows-not-ranked",
        "recall",
    ),
    ({"x": "amount", "y": "TP", "direction": "unsorted"}, FormulaError, "rows-not-ranked", "TP"),
    ({"x": "amount", "y": "chest_pain"}, FormulaError, "category-as-number", "`y`"),
    ({"x": "amount", "y": "eCA", "where": "TP > 3"}, FormulaError, "level-too-high", "`TP`"),
    ({"x": "amount", "y": "eCA", "sort_by": "recall"}, FormulaError, "level-too-high", "`recall`"),
    ({"x": "amount"}, ParameterError, "formula-missing", "`y`"),
    (RATES | {"span": 0}, ParameterError, "no-fraction", "`span`"),
    (RATES | {"average": "vertical"}, InputError, "folds-missing", "`fold`"),
    (
        {"x": "chest_pain", "y": "eCA", "average": "vertical"},
        ParameterError,
        "category-as-number",
        "`average`",
    ),
    (RATES | {"target": "2"}, ParameterError, "unknown-class", "'2'"),
    (RATES | {"band": "bootstrap", "average": "none"}, ParameterError, BESIDE, "`band`"),
    (RATES | {"sort_by": "age", "direction": "unsorted"}, ParameterError, BESIDE, "`sort_by`"),
    ({"preset": "rocc"}, ParameterError, "unknown-name", "'roc'"),
]


@pytest.mark.parametrize(("given", "error", "code", "fact"), REFUSED)
def test_what_cannot_be_drawn_is_refused_with_a_reason(given, error, code, fact):
    """Every refusal names the variable or the argument."""
    with refused(error, code, fact):
        curve(table(20), **given)


def test_frames_and_plain_python_hold_the_same_points():
    """Names instead of codes, infinite thresholds in frames, None in JSON."""
    result = curve(table(30), x="chest pain".replace(" ", "_"), y="eCA", average="merge")
    frame = result.to_frame()
    points = result.to_dict()["lines"][0]["points"]
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
    assert "odd" in Vocabulary(rows)
    assert line(data, preset="roc").n == 3
    assert rows.attributes._cache == {}
    empty = Predictions.from_arrays([0, 1], [0.2, 0.6], attributes={"note": [None, None]})
    assert line(empty, x="note", y="eCA").dropped


def test_what_is_undefined_has_few_reasons_and_all_points_have_one():
    """Reasons hold no numbers of rows; more than a handful of them are counted together."""
    data = table(300, seed=3)
    result = line(data, x="threshold", y="log(amount - 20) / (eP - eN == 1)")
    below = (data.attributes["amount"] < 20).sum()
    assert max(n for why, n in result.dropped.items() if "`log(amount - 20)`" in why) > below / 4
    assert sum(result.dropped.values()) + len(result) == len(line(data, preset="roc"))
    assert len(result.dropped) <= 4
    parts = [f"(sqrt(-{k} - cumm(1)) if cumm(1) == {k} else " for k in range(1, 9)]
    many = line(data, x="cumm(1)", y="".join(parts) + "1" + ")" * 8, merge="none")
    assert len(many.dropped) == REASONS + 1
    assert many.dropped[REST] == 8 - REASONS


@pytest.mark.parametrize("merge", ["last", "average", "none"])
def test_reasons_are_those_of_the_first_coordinate_that_is_undefined(merge):
    """A point without x says why x is undefined, whatever y is; each is counted once."""
    data = table(80)
    result = line(data, x="1 / (TP > 5)", y="TN / NP", merge=merge)
    whole = line(data, x="TP", y="TP", merge=merge)
    assert set(result.dropped) == {"1/0 in `1 / (TP > 5)`", ZERO_BY_ZERO}
    assert result.dropped[ZERO_BY_ZERO] == 1
    assert result.dropped["1/0 in `1 / (TP > 5)`"] == (whole.y <= 5).sum()
    assert sum(result.dropped.values()) + len(result) == len(whole)


def test_reasons_of_many_points_are_looked_up_at_once(monkeypatch):
    """Every row ranked, 0 in the denominator: no more is computed for many reasons than for one."""
    calls = []

    def value(sweep, name):
        calls.append(sweep.n)
        return VALUE(sweep, name)

    monkeypatch.setattr(Sweep, "value", value)
    for n in (10, 3000):
        p = (np.arange(n) + 0.5) / n
        data = Predictions.from_arrays(np.arange(n) * 0.618 % 1 < p, p, attributes={"a": p[::-1]})
        result = line(data, x="threshold", y="rank(a)/0")
        assert result.dropped == {START: 1, "x/0 in `rank(a)/0`": n}
    assert calls.count(10) == calls.count(3000) > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "cost", "params": {"fn_costs": 3}}, "Did you mean 'fn_cost'"),
        ({"preset": "roc", "params": {"gain": 3}}, "They have none"),
        ({"x": "PP", "y": "TP * param('g', 1)", "params": {"g": 2, "h": 1}}, "'h'"),
    ],
)
def test_a_parameter_that_no_formula_has_is_refused(given, message):
    """A mistyped parameter does not pass in silence, in whatever asks for formulas."""
    data = table(30)
    with pytest.raises(ParameterError, match=message):
        curve(data, **given)
    with pytest.raises(ParameterError, match="'rate'"):
        best_threshold(data, "CA", params={"rate": 1})
    where = "amount > param('least', 9)"
    few = line(data, preset="roc", where=where, params={"least": 20})
    assert few.n == (data.attributes["amount"] > 20).sum()


def test_a_curve_spec_leaves_out_the_parameters_of_formulas_that_are_overruled():
    """Another preset over a card with parameters is drawn, for nobody mistyped anything."""
    data = table(40)
    card = curve_spec(curve(data, "cost", params={"fn_cost": 3.0}), data)
    assert curve_from_spec(card, data, direction="ascending").settings.params == {"fn_cost": 3.0}
    assert curve_from_spec(card, data, preset="roc").settings.params == {}
    with pytest.raises(ParameterError, match="fn_costs"):
        curve_from_spec(card, data, params={"fn_costs": 2.0})


def test_sides_of_a_constraint_keep_their_brackets():
    """How near a bracketed side comes to its bound is told, and an undefined value shows all."""
    data = table(40)
    result = best_threshold(data, "CA", subject_to="(TP - FP) * 2 >= 1e9", resamples=20)
    assert "`(TP - FP) * 2`" in result.reason
    result = best_threshold(data, "(TP - P)/0", resamples=20)
    assert result.reason.endswith("x/0 in `(TP - P)/0`")


def test_warnings_read_names_not_letters():
    """Every name of accuracy is explained; a filter by a name that holds `eP` is not one by eP."""
    for name in ("CA", "acc", "accuracy"):
        assert "mean(eCA)" in curve(table(60, k=3), x="threshold", y=name).notes[0]
    data = table(60)
    typed = Predictions.from_arrays(
        data.actual, data.prob, attributes={"age": data.attributes["amount"], "typeP": [1, 0] * 30}
    )
    given = {"x": "age", "y": "eFN", "average": "smooth"}
    notes = curve(typed, where="typeP == 1", **given).notes
    assert [note.code for note in notes].count("share-of-all-rows") == 1
    both = "eP and typeP == 1"
    assert curve(typed, where=both, **given).notes == ()


def test_hidden_attributes_are_reported_whatever_variables_mean():
    """Names of Plumbline's own that an attribute has too, constants among them, carry a note."""
    data = table(40)
    named = Predictions.from_arrays(
        data.actual, data.prob, attributes={"P": data.attributes["amount"], "e": [1.0] * 40}
    )
    notes = curve(named, x="PP", y="TP / P + e").notes
    assert [note.split(" ")[2] for note in notes] == ["P", "e"]
    assert curve(named, x="PP", y="TP / mean(`P` + `e`)").notes == ()


def test_precision_is_joined_by_counts_wherever_curves_are_compared():
    """Averages, classes' means and differences take the path of Davis and Goadrich (2006).

    Between the states (TP, FP) = (50, 10) and (100, 900), at recall .75, precision is 75 / 530.
    """
    y = np.repeat([1, 0, 1, 0], [50, 10, 50, 890])
    p = np.repeat([0.8, 0.1], [60, 940])
    fold, model = np.repeat([0, 1], len(y)), ["a"] * len(y) + ["b"] * len(y)
    data = Predictions.from_arrays(np.tile(y, 2), np.tile(p, 2), fold=fold)
    mean = line(data, preset="precision-recall", average="vertical")
    assert np.interp(0.75, mean.x, mean.y) == pytest.approx(75 / 530)
    assert (mean.x[0], mean.y[0]) == (0, pytest.approx(5 / 6))
    both = Predictions.from_arrays(np.tile(y, 2), np.tile(p, 2), model=model)
    result = curve_difference(both, "precision-recall", resamples=20)
    assert np.interp(0.75, result.x, result.y_first) == pytest.approx(75 / 530)


def test_a_difference_is_at_the_scores_themselves():
    """A threshold of the grid that misses a score by rounding alone is that score."""
    p = [0.1, 0.3, 0.9]
    data = Predictions.from_arrays([0, 1, 1] * 2, p * 2, model=["a"] * 3 + ["b"] * 3)
    result = curve_difference(data, x="threshold", y="PP", points=5, resamples=20)
    assert result.y_first.tolist() == [3, 2, 1, 1, 1]


def test_the_area_of_a_mean_is_the_mean_of_the_areas():
    """Not the area under a line at so many x, which counts every step at its top."""
    data = table(200, fold=np.arange(200) % 5)
    parts = [roc_auc(part) for part in data.by_fold().values()]
    result = curve(data, "roc", average="vertical", points=11)
    assert result.lines[0].area == pytest.approx(np.mean(parts))


def test_a_mean_of_classes_says_which_it_lacks_and_takes_no_band():
    """A class without rows has no curve; what macro cannot have is refused."""
    data = Predictions.from_arrays([0, 1, 1, 0], np.full((4, 3), 1 / 3), classes=["0", "1", "2"])
    (note,) = curve(data, "roc", multiclass="macro").notes
    assert note.code == "lines-left-out"
    assert note.startswith("1 of 3 ")
    for given in ({"band": "bootstrap"}, {"average": "vertical"}):
        with pytest.raises(ParameterError, match="macro"):
            curve(data, "roc", multiclass="macro", **given)


def test_float32_rows_lie_between_thresholds_as_in_a_filter():
    """0.7 as float32 is below 0.7, for cases as for `where`."""
    p = np.array([0.2, 0.7, 0.9], np.float32)
    data = Predictions.from_arrays([0, 1, 1], p)
    kept = line(data, preset="roc", where="probability >= 0.7")
    assert cases_between(data, low=0.7).n == kept.n == 1


def test_truths_are_categories_and_presets_of_a_column_mean_the_column():
    """A column of yes and no has two means; one called P is the column where one is asked for."""
    rng = np.random.default_rng(3)
    granted, p = rng.random(80) < 0.4, rng.random(80)
    data = Predictions.from_arrays(
        (p > 0.5).astype(int), p, attributes={"granted": granted, "P": p.round(1), "`odd`": p}
    )
    result = curve(data, "error-by-attribute", x="granted")
    assert result.x_names == ("False", "True")
    assert result.lines[0].more["count"].tolist() == [(~granted).sum(), granted.sum()]
    assert len(curve(data, "error-by-attribute", x="P").lines[0]) > 1
    assert len(curve(data, x="`odd`", y="eCA", average="smooth").lines[0]) > 1


def test_a_curve_tells_its_area():
    """The one that `roc_auc` gives; of other curves that of trapezia, back and forth none."""
    data = table(60)
    assert curve(data, "roc").areas == (pytest.approx(roc_auc(data)),)
    (gains,) = curve(data, "gains").lines
    assert gains.area == pytest.approx(np.trapezoid(gains.y, gains.x))
    assert curve(data, x="TP - FP", y="TPR").areas == (None,)


def test_the_spread_of_folds_needs_folds_that_are_averaged():
    """Alone it means the vertical average; with pooled folds it is refused."""
    data = table(60, fold=np.arange(60) % 3)
    assert "y_sd" in line(data, preset="roc", band="folds").more
    with refused(ParameterError, "argument-beside-another", argument="band"):
        curve(data, "roc", band="folds", average="merge")


def test_a_preset_does_not_speak_of_columns_that_nobody_named():
    """A column called threshold is no matter of a preset's; of a formula typed by hand it is."""
    data = Predictions.from_arrays([0, 1, 1], [0.2, 0.6, 0.7], attributes={"threshold": [1, 2, 3]})
    assert curve(data, "accuracy").notes == ()
    assert "back-ticks" in curve(data, x="threshold", y="CA").notes[0]


def test_a_best_threshold_that_decides_nothing_says_so():
    """Recall alone is best where every row is accepted."""
    notes = best_threshold(table(60), "TPR").notes
    assert "all-or-none-accepted" in [note.code for note in notes]


@pytest.mark.parametrize(
    ("y", "goal", "names_others"),
    [
        (PRESETS["cost"].y, "min", False),
        ("FP + 9 * FN", "min", False),
        ("CA", "max", False),
        ("cumm(9 if eP else -1)", "max", False),
        ("TPR", "max", True),
        ("FPR", "min", True),
        ("cumm(1)", "max", True),
    ],
)
def test_a_best_threshold_advises_no_metric_of_its_own_kind(y, goal, names_others):
    """One that weighs both errors already, such as a cost, needs no other one."""
    data = Predictions.from_arrays([1, 1, 1, 0], [0.2, 0.3, 0.4, 0.5])
    (note,) = {
        one
        for one in best_threshold(data, y, goal=goal).notes
        if one.code == "all-or-none-accepted"
    }
    assert ("informedness" in note) == names_others


def test_points_carry_the_rows_that_their_threshold_accepts():
    """At or above it, whichever way the curve is drawn; of a weighted table their weight."""
    prob = np.array([0.9, 0.7, 0.7, 0.2])
    (line,) = curve(Predictions.from_arrays([1, 0, 1, 0], prob), "roc").lines
    assert line.more["accepted"].tolist() == [(prob >= t).sum() for t in line.threshold]
    weighted = Predictions.from_arrays([1, 0, 1, 0], prob, weight=[2.0, 1.0, 1.0, 3.0])
    (line,) = curve(weighted, "accuracy").lines
    assert sorted(line.more["accepted"].tolist()) == [0.0, 2.0, 4.0, 7.0]
    upwards = curve(weighted, "roc", direction="ascending").lines[0]
    assert upwards.more["accepted"].tolist() == [7.0, 4.0, 2.0, 0.0]
