"""The confusion matrix: worked numbers, laws, decisions, reasons and intervals."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, recall_score

import plumbline as pb
from laws import examples, law, some
from plumbline import InputError, ParameterError, Predictions, confusion_matrix, measure
from plumbline.confusion import (
    OVERALL,
    RATES,
    rate_named,
    rate_values,
    threshold_counts,
    why_undefined,
    wilson_interval,
)
from plumbline.confusion.intervals import (
    ConfusionCells,
    _prior,
    dirichlet_counts,
    dirichlet_tables,
    error_interval,
    resampled_counts,
    smoothed_shares,
)
from plumbline.confusion.matrix_rates import canonical
from plumbline.confusion.multiclass import class_tables, overall_values
from plumbline.confusion.rates import other_names
from plumbline.formatting import number as written
from plumbline.random_streams import stream
from plumbline.reporting.decisions import decisions
from plumbline.reporting.page import environment
from plumbline.reporting.said_once import said_once
from plumbline.results import ConfusionMatrix, Rates
from refusals import refused

PRINTED = [[1, 1, 0], [2, 2, 3], [0, 0, 4]]  # rows predicted, columns actual


def typed(table, **options):
    """Return the matrix of a table with rows actual."""
    return ConfusionMatrix.from_counts(table, **{"rows": "actual", **options})


def labelled(table, classes):
    """Return predictions by labels that have a table (rows actual), and its numbers of rows."""
    cells = np.argwhere(np.ones_like(table)).repeat(np.ravel(table), axis=0)
    names = np.array(classes)
    return Predictions.from_arrays(
        names[cells[:, 0]], predicted=names[cells[:, 1]], classes=classes
    )


# ------------------------------------------------------------------ worked numbers


def test_a_worked_table_of_two_classes():
    """N = 150, TP 6, FP 12, FN 2, TN 130; a slide of a lecture prints .916 and .461, by slips."""
    matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
    names = ["accuracy", "precision", "recall", "specificity", "F1"]
    result = [round(matrix.rates(names).value(name), 3) for name in names]
    assert result == [0.907, 0.333, 0.75, 0.915, 0.462]
    assert (matrix.n, matrix.positive, matrix.counts.tolist()) == (150, "1", [[130, 12], [2, 6]])


def test_all_predicted_negative_has_no_precision():
    """990 of 1,000 negative, all predicted so: accuracy .99, recall 0, precision undefined."""
    rates = typed([[990, 0], [10, 0]], classes=["no", "yes"]).rates()
    assert (rates.value("accuracy"), rates.value("recall")) == (0.99, 0.0)
    row = rates.entry("precision", "yes")
    assert np.isnan(row.value)
    assert "predicted positives" in row.reason
    undefined = {entry.name for entry in rates.entries if np.isnan(entry.value)}
    assert undefined == {entry.name for entry in rates.entries if entry.reason}


@pytest.mark.parametrize(
    ("tp", "tn", "precision", "recall", "accuracy"),
    [(50, 850, 0.5, 0.5, 0.9), (90, 650, 9 / 34, 0.9, 0.74)],
)
def test_a_thousand_items_of_which_a_hundred_are_positive(tp, tn, precision, recall, accuracy):
    """Two worked tables; a lecture prints .057 and FP = 210 for them, which are slips."""
    table = {"TP": tp, "FN": 100 - tp, "TN": tn, "FP": 900 - tn}
    rates = ConfusionMatrix.from_counts(table).rates()
    result = [rates.value(name) for name in ("precision", "recall", "accuracy")]
    assert result == pytest.approx([precision, recall, accuracy], rel=1e-14)


def test_f1_is_at_most_the_geometric_mean_and_that_at_most_the_arithmetic():
    """P = 1/5 R: F1, Fowlkes-Mallows and the mean stand as 1.67, 2.236 and 3 for 1 and 5."""
    rates = ConfusionMatrix.from_counts({"TP": 10, "FN": 10, "FP": 90, "TN": 0}).rates()
    p, r = rates.value("precision"), rates.value("recall")
    means = [rates.value("F1"), rates.value("Fowlkes-Mallows"), (p + r) / 2]
    assert r == pytest.approx(5 * p)
    assert [mean / p for mean in means] == pytest.approx([5 / 3, np.sqrt(5), 3], rel=1e-12)


def test_a_worked_table_of_three_classes():
    """Rows predicted: the tables of every class, P, R and F1, and their averages."""
    matrix = ConfusionMatrix.from_counts(PRINTED, rows="predicted", classes=list("abc"))
    assert matrix.counts.tolist() == np.transpose(PRINTED).tolist()
    tables = matrix.class_tables()
    assert [t["TP"] for t in tables.values()] == [1, 2, 4]
    assert [t["FP"] for t in tables.values()] == [1, 5, 0]
    assert [t["FN"] for t in tables.values()] == [2, 1, 3]
    rates = matrix.rates(["precision", "recall", "F1", "accuracy"])
    rounded = {n: [round(rates.value(n, c), 2) for c in "abc"] for n in ("PPV", "TPR", "F1")}
    assert rounded == {"PPV": [0.5, 0.29, 1], "TPR": [0.33, 0.67, 0.57], "F1": [0.4, 0.4, 0.73]}
    assert {round(rates.value(n, "micro"), 2) for n in ("PPV", "TPR", "F1")} == {0.54}
    assert round(rates.value("F1", "macro"), 2) == 0.51
    accuracies = [round(rates.value("accuracy", group), 3) for group in ("all", "micro", "macro")]
    assert accuracies == [0.538, 0.692, 0.692]


def test_cells_by_name_belong_to_the_positive_class():
    """Whichever class is positive has TP, and rates of it are the same."""
    counts = {"TP": 6, "FP": 12, "FN": 2, "TN": 130}
    for classes, positive in ((["ill", "well"], "ill"), (["well", "ill"], None)):
        matrix = ConfusionMatrix.from_counts(counts, classes=classes, positive=positive)
        assert matrix.positive == "ill"
        assert matrix.table_of("ill") == counts
        assert matrix.rates("recall").value("recall") == 0.75


def test_micro_and_macro_part_where_one_class_is_rare():
    """Micro F1 .945, macro F1 .684; a lecture prints .69, by a slip."""
    table = [[100, 10, 1], [2, 2, 3], [8, 5, 400]]
    rates = ConfusionMatrix.from_counts(table, rows="predicted").rates("F1")
    assert [round(rates.value("F1", kind), 3) for kind in ("micro", "macro")] == [0.945, 0.684]


# ------------------------------------------------------------------ literal twins and laws


@st.composite
def tables(draw, least=2, most=5):
    """Draw counts of a few classes, many of them 0."""
    k = draw(st.integers(least, most))
    cell = st.one_of(st.just(0), st.integers(0, 6))
    return np.array(draw(st.lists(st.lists(cell, min_size=k, max_size=k), min_size=k, max_size=k)))


def literal_table(table, c):
    """Return TP, FP, TN, FN of a class, cell by cell."""
    k = len(table)
    sums = {"TP": 0, "FP": 0, "TN": 0, "FN": 0}
    for i in range(k):
        for j in range(k):
            sums[("T" if (i == c) == (j == c) else "F") + ("P" if j == c else "N")] += table[i][j]
    return sums


@settings(max_examples=examples(50))
@given(tables())
def test_class_tables_equal_the_count_cell_by_cell(table):
    """For every class, and for many matrices at once."""
    expected = [literal_table(table, c) for c in range(len(table))]
    assert list(typed(table).class_tables().values()) == expected
    stacked = class_tables(np.stack([table, 2 * table]).astype(float))
    for name, result in zip(("TP", "FP", "TN", "FN"), stacked, strict=True):
        assert result.tolist() == [[m * t[name] for t in expected] for m in (1, 2)]


@pytest.mark.parametrize("k", [1, 2, 7, 100])
def test_class_tables_of_fractional_weights_are_sums_without_remainders(k):
    """To the last digits, and exactly 0 where the cells are."""
    rng = np.random.default_rng(k)
    counts = rng.random((3, k, k)) * (rng.random((3, k, k)) < 0.3)
    counts[2, :, k // 2 :] = 0.0
    counts[2, k // 2 :] = 0.0
    for drawn, result in zip(counts, class_tables(counts).tn, strict=True):
        expected = [np.delete(np.delete(drawn, c, 0), c, 1).sum() for c in range(k)]
        np.testing.assert_allclose(result, expected, rtol=1e-13, atol=0.0)


def literal_average(table, name, kind, undefined):
    """Return an average over the classes that have rows, class by class."""
    each = [literal_table(table, c) for c in range(len(table))]
    each = [t for t in each if t["TP"] + t["FP"] + t["FN"] > 0]
    if kind == "micro":
        pooled = {cell: sum(t[cell] for t in each) for cell in ("TP", "FP", "TN", "FN")}
        return float(rate_values(name, *pooled.values()))
    total = weights = 0.0
    for t in each:
        weight = 1 if kind == "macro" else t["TP"] + t["FN"]
        value = float(rate_values(name, t["TP"], t["FP"], t["TN"], t["FN"]))
        if weight > 0 and not (np.isnan(value) and undefined == "skip"):
            total, weights = total + weight * value, weights + weight
    return total / weights if weights else np.nan


@settings(max_examples=examples(40))
@given(tables(), st.sampled_from(["micro", "macro", "weighted"]), st.sampled_from(["nan", "skip"]))
def test_averages_equal_the_literal_ones(table, kind, undefined):
    """Any rate, averaged any way; an undefined average has a reason."""
    metrics = ["precision", "specificity", "MCC", "F0.5", "accuracy"]
    rates = typed(table).rates(metrics, average=kind, undefined=undefined)
    for name in metrics:
        row = rates.entry(name, kind)
        expected = literal_average(table.tolist(), name, kind, undefined)
        assert row.value == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)
        assert (row.reason is not None) == np.isnan(row.value)


@settings(max_examples=examples(40))
@given(tables())
def test_averages_are_those_of_scikit_learn_over_the_labels_that_occur(table):
    """Macro, micro and weighted of what is defined; a class without any row is named."""
    k = len(table)
    cells = np.argwhere(np.ones_like(table)).repeat(np.ravel(table), axis=0)
    names = [f"c{i}" for i in range(k)]
    rates = typed(table, classes=names).rates(
        ["F1", "recall"], average=["micro", "macro", "weighted"]
    )
    left = [i for i in range(k) if not table[i].any() and not table[:, i].any()]
    absent = bool(left) and len(left) < k
    assert rates.remark_codes == (("absent-class",) if absent else ())
    assert not absent or all(repr(f"c{i}") in rates.remarks[0] for i in left)
    if len(cells) == 0:
        return
    for kind in ("micro", "macro", "weighted"):
        theirs = f1_score(cells[:, 0], cells[:, 1], average=kind, zero_division=np.nan)
        assert rates.value("F1", kind) == pytest.approx(theirs)
    present = table.sum(axis=1) > 0
    theirs = recall_score(cells[:, 0], cells[:, 1], average="macro", zero_division=np.nan)
    skipped = typed(table).rates("recall", average="macro", undefined="skip")
    assert skipped.value("recall", "macro") == pytest.approx(theirs)
    assert np.isnan(rates.value("recall", "macro")) == bool(
        (~present & (table.sum(axis=0) > 0)).any()
    )


def test_an_average_of_a_metric_names_the_classes_that_it_leaves_out():
    """`measure` tells it beside the value, of averages and of the balanced accuracy alone."""
    data = Predictions.from_arrays([0, 0, 1], predicted=[0, 1, 1], classes=range(3))
    names = ["recall", "balanced-accuracy", "accuracy", "mcc"]
    result = measure(data, names, resamples=0)
    expected = {one.metric: one.reason for one in result.measures}
    named = [name for name in names if "('2')" in (expected[name] or "")]
    assert named == ["recall", "balanced-accuracy"]
    assert result["recall"].value == pytest.approx(
        recall_score([0, 0, 1], [0, 1, 1], average="macro")
    )


@settings(max_examples=examples(15))
@given(tables(), st.randoms(use_true_random=False))
def test_relabelled_classes_permute_the_rates(table, random):
    """The order of the classes changes neither a class's rates nor any average."""
    order = random.sample(range(len(table)), len(table))
    names = [f"c{i}" for i in range(len(table))]
    metrics = ["precision", "specificity", "accuracy", "kappa", "MCC", "F1"]
    one = typed(table, classes=names, positive="c0").rates(metrics)
    mixed = typed(table[np.ix_(order, order)], classes=[names[i] for i in order], positive="c0")
    other = {(e.name, e.group): e.value for e in mixed.rates(metrics).entries}
    assert {(e.name, e.group) for e in one.entries} == other.keys()
    for entry in one.entries:
        value = other[entry.name, entry.group]
        assert entry.value == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True)


@st.composite
def answers(draw):
    """Draw true classes, answers and whole weights of some rows."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(2, 25))
    column = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    weight = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return k, np.array(draw(column)), np.array(draw(column)), np.array(weight)


@settings(max_examples=examples(40))
@given(answers(), st.randoms(use_true_random=False))
def test_a_weight_is_a_repetition_and_order_does_not_matter(rows, random):
    """Counts of weighted rows are those of repeated rows, in any order; halves add up."""
    k, actual, predicted, weight = rows
    whole = Predictions.from_arrays(actual, predicted=predicted, weight=weight, classes=range(k))
    again = np.repeat(np.arange(len(actual)), weight)
    mixed = np.array(random.sample(again.tolist(), len(again)))
    other = Predictions.from_arrays(actual[mixed], predicted=predicted[mixed], classes=range(k))
    one, two = confusion_matrix(whole), confusion_matrix(other)
    np.testing.assert_array_equal(one.counts, two.counts)
    assert one.weighted
    assert not two.weighted
    assert (one.n, two.n) == (len(actual), weight.sum())
    parts = [confusion_matrix(other.select(where=[i])).counts for i in range(other.n)]
    np.testing.assert_array_equal(sum(parts), two.counts)


@settings(max_examples=examples(30))
@given(tables(2, 2).filter(lambda table: table.sum() > 0))
def test_a_table_of_two_classes_is_the_table_of_its_rates(table):
    """Rates that know no positive class are the same for either, and stand under "all"."""
    matrix = typed(table)
    overall = matrix.overall()
    for name, row in OVERALL.items():
        if name in ("kappa_linear", "kappa_quadratic"):
            continue
        result = overall.value(name)
        for c in (0, 1):
            value = float(rate_values(row.rate, *class_tables(matrix.counts).at(c)))
            assert result == pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True)
        general = float(row.value(matrix.counts))
        if not np.isnan(result):
            assert general == pytest.approx(result, rel=1e-9, abs=1e-12)


def test_weights_that_are_no_whole_numbers_leave_no_remainders(rng):
    """A class without rows has no rows, and a single class no kappa, whatever the rounding."""
    weight = rng.random(50)
    data = Predictions.from_arrays(
        np.zeros(50, int), predicted=np.zeros(50, int), weight=weight, classes=range(3)
    )
    matrix = confusion_matrix(data)
    assert matrix.table_of("0")["TN"] == 0
    overall = matrix.overall()
    assert np.isnan([overall.value("kappa"), overall.value("MCC")]).all()
    assert overall.entry("MCC").reason.endswith("single class")
    assert matrix.effective_n == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


# ------------------------------------------------------------------ decisions


@settings(max_examples=examples(40))
@given(st.integers(2, 30), st.integers(0, 2**32 - 1), st.sampled_from([np.float32, np.float64]))
def test_a_threshold_counts_as_curves_do(n, seed, dtype):
    """At every distinct probability, with ties: p >= threshold is predicted positive."""
    rng = np.random.default_rng(seed)
    prob = (rng.integers(0, 8, n) / 7).astype(dtype)
    event = rng.random(n) < 0.5
    data = Predictions.from_arrays(event.astype(int), prob, weight=rng.integers(1, 4, n))
    counts = threshold_counts(event, prob, weight=data.mass)
    for t, tp, fp in zip(counts.threshold, counts.tp, counts.fp, strict=True):
        table = confusion_matrix(data, threshold=t).table_of("1")
        assert (table["TP"], table["FP"]) == (tp, fp)
    assert confusion_matrix(data, threshold=np.inf).counts[:, 1].sum() == 0
    assert confusion_matrix(data, threshold=-np.inf).counts[:, 0].sum() == 0


PROB = [[0.5, 0.3, 0.2], [0.1, 0.5, 0.4], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]]


def three(**options):
    """Return four rows of three classes."""
    return Predictions.from_arrays(["a", "b", "b", "c"], PROB, classes=list("abc"), **options)


def test_the_answer_is_the_predicted_column_else_the_largest_probability():
    """The first of equal probabilities; the decision is told in words."""
    matrix = confusion_matrix(three())
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 1, 1], [1, 0, 0]]
    assert "largest probability" in matrix.decision
    matrix = confusion_matrix(three(predicted=list("abbc")))
    assert matrix.counts.trace() == 4
    assert "predicted column" in matrix.decision


def test_a_target_collapses_the_decisions_made_and_a_threshold_makes_new_ones():
    """Of several classes one stands against the rest, named "not ..."."""
    matrix = confusion_matrix(three(), target="b")
    assert (matrix.classes, matrix.positive, matrix.target) == (("not b", "b"), "b", "b")
    assert matrix.table_of("b") == confusion_matrix(three()).table_of("b")
    at = confusion_matrix(three(predicted=list("aaaa")), target="b", threshold=0.4)
    assert at.table_of("b") == {"TP": 1, "FP": 1, "FN": 1, "TN": 1}
    assert at.decision == "p(b) >= 0.4"


def test_the_target_of_two_classes_is_the_positive_one():
    """Classes keep their order and names, and rates are of the target."""
    data = Predictions.from_arrays(["no", "no", "yes"], [0.2, 0.7, 0.4])
    matrix = confusion_matrix(data, target="no", threshold=0.5)
    assert (matrix.classes, matrix.positive) == (("no", "yes"), "no")
    assert matrix.table_of("no") == {"TP": 1, "FP": 1, "FN": 1, "TN": 0}
    assert matrix.rates("recall").entry("recall").group == "no"


def test_ratings_need_a_threshold_and_labels_take_none():
    """Each error says what to do instead."""
    rated = Predictions.from_arrays([0, 1, 1], score=[-2.0, 3.0, -1.0])
    with pytest.raises(InputError, match="need a threshold"):
        confusion_matrix(rated)
    assert confusion_matrix(rated, threshold=-1).counts.tolist() == [[1, 0], [0, 2]]
    turned = confusion_matrix(rated, threshold=2.0, target=0)
    assert turned.table_of(0) == {"TP": 1, "FP": 0, "FN": 0, "TN": 2}
    with refused(InputError, "labels-only"):
        confusion_matrix(labelled([[1, 2], [3, 4]], ["0", "1"]), threshold=0.5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: confusion_matrix(three(), threshold=0.5),
            ParameterError,
            ("class-missing", "`threshold`"),
        ),
        (
            lambda: confusion_matrix(three(), threshold=np.nan, target="a"),
            ParameterError,
            ("no-number", "`threshold`", "number"),
        ),
        (
            lambda: confusion_matrix(three(), target="d"),
            ParameterError,
            ("unknown-class", "no class 'd'"),
        ),
        (
            lambda: confusion_matrix(three(model=list("xxyy"))),
            InputError,
            ("several-models", "one model"),
        ),
        (lambda: confusion_matrix([[1, 2]]), ParameterError, ("wrong-kind", "Predictions")),
        (
            lambda: ConfusionMatrix.from_counts(PRINTED),
            ParameterError,
            ("rows-unsaid", 'rows="predicted"'),
        ),
        (lambda: typed([[1, 2, 3], [1, 2, 3]]), InputError, ("wrong-shape", "2 x 3")),
        (lambda: typed([[1, -2], [1, 2]]), InputError, ("count-below-zero", "row 0, column 1")),
        (lambda: typed([["x", 2], [1, 2]]), InputError, ("wrong-shape", "square table")),
        (
            lambda: typed(PRINTED, classes=["a", "b"]),
            InputError,
            ("classes-differ", "`classes`", "3 classes"),
        ),
        (
            lambda: ConfusionMatrix.from_counts({"TP": 1, "FP": 2}),
            InputError,
            ("counts-misnamed", "FP, TN"),
        ),
        (lambda: typed(PRINTED).rates("precison"), ParameterError, ("unknown-rate", "'precision'")),
        (
            lambda: typed(PRINTED).rates(average="mean"),
            ParameterError,
            ("unknown-name", "`average`", "'micro', 'macro'"),
        ),
        (
            lambda: typed(PRINTED).rates(classes="x"),
            ParameterError,
            ("unknown-class", "no class 'x'"),
        ),
        (lambda: typed(PRINTED).rates(3), ParameterError, ("unknown-rate", "got 3", "F with")),
        (
            lambda: typed(PRINTED).rates(average=3),
            ParameterError,
            ("unknown-name", "`average`", "'micro', 'macro'"),
        ),
        (
            lambda: typed(PRINTED).rates(beta=-1),
            ParameterError,
            ("out-of-range", "0.001 to", "1,000"),
        ),
        (
            lambda: typed(PRINTED).rates(beta=np.nan),
            ParameterError,
            ("out-of-range", "beta", "got nan"),
        ),
        (
            lambda: typed(PRINTED).rates(beta=True),
            ParameterError,
            ("out-of-range", "beta", "got True"),
        ),
        (
            lambda: typed(PRINTED).rates().value("F1", kind="mean"),
            ParameterError,
            ("unknown-name", "`kind`", "'class'"),
        ),
        (
            lambda: typed(PRINTED).rates().value("F1", kind="weighted"),
            ParameterError,
            ("unknown-rate", "weighted "),
        ),
        (
            lambda: typed({"TP": 1, "FP": 2, "FN": 3, "TN": 4}),
            ParameterError,
            ("rows-of-named-counts", "`rows`"),
        ),
        (
            lambda: typed([[1e19, 1], [2, 1e19]]),
            InputError,
            ("counts-too-large", "9,007,199,254,740,992"),
        ),
        (lambda: typed([[2.0**53, 1], [2, 2.0**53]]), InputError, ("counts-too-large", "2^53")),
        (
            lambda: typed(PRINTED).rates("F1").value("recall"),
            ParameterError,
            ("unknown-rate", "not among"),
        ),
        (
            lambda: typed([[0.5, 1], [2, 3]]).rates(interval="wilson"),
            InputError,
            ("counts-not-whole", "whole numbers"),
        ),
        (lambda: rate_named("F0"), ParameterError, ("unknown-rate", "'F0.5'")),
        (
            lambda: rate_named("POSITIVE PREDICTIV VALUE"),
            ParameterError,
            ("unknown-rate", "positive predictive v"),
        ),
    ],
)
def test_errors_teach(call, error, text):
    """What is wrong is said, and what to do."""
    with refused(error, *text):
        call()


# ------------------------------------------------------------------ names and reasons


def test_every_name_finds_its_rate():
    """Names, aliases and titles, in any case; F takes any beta."""
    for name, rate in RATES.items():
        for other in (name, *other_names(rate)):
            for typed_in in (other, other.upper(), other.lower(), other.replace("_", "-")):
                assert rate_named(typed_in) == (name, rate)
    for name, row in OVERALL.items():
        assert {canonical(known) for known in (name, row.title, row.title.upper())} == {name}
    for names in (
        ["precision", "PPV"],
        ["recall", "sensitivity", "hit rate", "TPR"],
        ["error", "error-rate"],
        ["F0.5", "f05", "F.5"],
        ["F1", "f1.0"],
    ):
        assert len({rate_named(name)[0] for name in names}) == 1
    p, r = 6 / 18, 6 / 8
    for beta in (0.001, 0.3, 1, np.float64(3), 7.25, 1000):
        expected = (1 + beta**2) * p * r / (beta**2 * p + r)
        result = float(rate_values(f"F{float(beta)}", 6, 12, 130, 2))
        assert result == pytest.approx(expected, rel=1e-14)
        row = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
        assert row.rates([], beta=beta).entries[0].value == pytest.approx(expected, rel=1e-14)


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from([0, 0, 1, 3]), min_size=4, max_size=4))
def test_what_is_undefined_has_a_reason_and_nothing_else_has(counts):
    """For every rate of every table with zeros."""
    for name in RATES:
        why = why_undefined(name, *counts)
        assert (why is None) != np.isnan(rate_values(name, *counts))
        assert why is None or "is undefined: " in why


def test_reasons_name_what_there_is_none_of():
    """The innermost division by 0, in words, and the classes it happens in."""
    for rate, divisor in (("PLR", "FPR"), ("DOR", "FP * FN")):
        reason = why_undefined(rate, 1, 0, 2, 3)
        assert reason.startswith(f"{rate} ")
        assert f": {divisor} is 0" in reason or "no false positives" in reason
    assert reason.endswith("false positives")
    rates = typed([[2, 0, 0], [1, 0, 0], [0, 0, 3]], classes=list("abc")).rates("precision")
    reason = rates.entry("precision", "macro").reason
    assert "in 1 class, 'b'" in reason
    assert 'undefined="skip"' in reason
    assert "no class" in typed(np.zeros((3, 3))).rates("F1").entry("F1", "macro").reason


def test_results_print_and_become_json_and_frames():
    """Axes are labelled, reasons stand below, NaN is null."""
    matrix = typed([[2, 0], [1, 0]], classes=["no", "yes"], model="forest")
    assert repr(matrix).splitlines()[1].split()[3:] == ["no", "yes", "sum"]
    assert "as given" in matrix._repr_html_()
    rates = matrix.rates(interval="bootstrap", resamples=20)
    assert "there are no" in repr(rates)
    assert "<table>" in rates._repr_html_()
    kept = json.loads(json.dumps({"matrix": matrix.to_dict(), "rates": rates.to_dict()}))
    assert kept["matrix"]["counts"] == [[2, 0], [1, 0]]
    assert {"squares", "cells"}.isdisjoint(kept["matrix"])
    assert kept["rates"]["seed"] == 0
    columns = rates.to_frame().column_names
    assert columns[1:] == [
        "name",
        "title",
        "aliases",
        "group",
        "kind",
        "value",
        "low",
        "high",
        "method",
        "n",
    ]
    assert Rates is type(rates)


def test_classes_may_be_called_as_averages_are():
    """Names of classes change no number, and every rate is found by kind and group."""
    table = [[5, 1, 0, 2], [1, 2, 4, 0], [0, 0, 3, 1], [2, 0, 0, 9]]
    odd = ["macro", "micro", "weighted", "all"]
    params = {"average": ["micro", "macro", "weighted"], "interval": "bootstrap", "resamples": 20}
    usual = typed(table, classes=list("abcd")).rates(**params)
    rates = typed(table, classes=odd).rates(**params)
    called = dict(zip("abcd", odd, strict=True))
    for one, other in zip(usual.entries, rates.entries, strict=True):
        assert (one.value, one.low) == pytest.approx((other.value, other.low), nan_ok=True)
        group = called.get(one.group, one.group)
        assert (other.group, other.kind) == (group, one.kind)
        assert rates.entry(one.name, group, kind=one.kind) is other
    assert {entry.kind for entry in rates.entries} == {*odd, "class"}
    with refused(ParameterError, "several-groups", "'class'", "'macro'"):
        rates.value("F1", "macro")
    assert rates.value("F1", kind="macro") == usual.value("F1", "macro")
    assert "class 'macro'  " in repr(rates)
    assert "macro average  " in repr(rates)


def test_a_report_tells_such_classes_from_averages():
    """Of classes called macro and micro, each line of its table has its own precision."""
    actual = np.repeat(["macro", "micro", "c"], [6, 4, 2])
    predicted = np.array(["macro", "micro", "c"])[[0, 0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 1]]
    data = Predictions.from_arrays(actual, predicted=predicted, classes=["macro", "micro", "c"])
    chapter = decisions(data, resamples=9, rng=0)
    part = {"name": "m", "chapter": {"decisions": chapter}, "bounds": {}}
    part["decisions"] = {"picture": None, "reasons": []}
    parts = '{% from "parts.html" import value, bound, scroll, lines, caption with context %}'
    page = environment().from_string(parts + '{% include "decisions.html" %}')
    given = {"ranked": [], "check": {"models": [], "k": 3}, "unfolded": "", "file": "t.csv"}
    page = page.render(
        parts=[part], said={"decisions": said_once({"m": []})}, several=False, **given
    )
    line = r'"row">([\w ]+)</th>(?:<td class="n">\d*</td>){2}\s*<td.*?><data value="([\d.]+)"'
    shown = {name: float(value) for name, value in re.findall(line, page)}
    means = {"Macro mean": (4 / 5 + 2 / 4 + 1 / 3) / 3, "Micro mean": 7 / 12}
    assert shown.pop("Weighted mean") == pytest.approx((6 * 4 / 5 + 4 * 2 / 4 + 2 / 3) / 12)
    assert shown == pytest.approx({"macro": 4 / 5, "micro": 2 / 4, "c": 1 / 3, **means})


@pytest.mark.parametrize("name", ["accuracy", "kappa", "MCC", "error"])
def test_rates_of_the_whole_table_come_first(name):
    """Where no group is named; a class's own are found by its name or its kind."""
    matrix = ConfusionMatrix.from_counts(PRINTED, rows="predicted", classes=list("abc"))
    rates = matrix.rates()
    assert rates.value(name) == rates.value(name, "all") == matrix.overall().value(name)
    assert rates.entry(name, kind="class").group == "a"


def test_what_cannot_be_printed_keeps_to_its_cell():
    """Names with line ends and control characters break no table."""
    data = Predictions.from_arrays(["a\nb", "\x1b[1m"], [0.3, 0.6], classes=["a\nb", "\x1b[1m"])
    matrix = confusion_matrix(data)
    assert len(repr(matrix).splitlines()) == 5
    rates = matrix.rates("recall", classes=data.classes)
    assert len(repr(rates).splitlines()) == 4
    assert "a\\nb" in repr(rates)
    assert "\x1b" not in repr(rates) + repr(matrix)


@pytest.mark.parametrize("interval", [None, "wilson", "dirichlet", "bootstrap"])
@pytest.mark.parametrize("scale", [2.0**-700, 2.0**700, 2.0**1020])
@pytest.mark.filterwarnings("error")
def test_the_unit_of_weights_changes_no_rate(scale, interval):
    """Neither huge nor tiny weights over- or underflow, and none makes a rate undefined."""
    actual, predicted = [0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 0, 2]
    result = []
    for unit in (1.0, scale):
        weight = unit * np.array([1, 2, 1.5, 1, 1, 0.25, 2])
        matrix = confusion_matrix(
            Predictions.from_arrays(actual, predicted=predicted, weight=weight)
        )
        assert not matrix.squares.flags.writeable
        entries = matrix.rates(interval=interval, resamples=30).entries
        result.append([[e.value, e.low, e.high, e.n] for e in entries])
    np.testing.assert_array_equal(*result)


# ------------------------------------------------------------------ intervals


def test_wilsons_interval_is_that_of_the_books():
    """15 of 148 (Newcombe 1998, table I) and the ends of no and all successes."""
    assert wilson_interval(15 / 148, 148, level=0.95) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson_interval(0.0, 20, level=0.95) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson_interval(1.0, 29, level=0.95) == pytest.approx((0.8830, 1), abs=5e-5)


def test_wilsons_interval_of_every_share_divides_by_its_own_rows():
    """Its n is what the share is of; rates that are no shares have none, and say so."""
    matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
    rates = matrix.rates(interval="wilson")
    rows = {
        "precision": 18,
        "FDR": 18,
        "recall": 8,
        "miss_rate": 8,
        "specificity": 142,
        "FPR": 142,
        "NPV": 132,
        "FOR": 132,
        "jaccard": 20,
        "accuracy": 150,
        "error": 150,
        "queue_rate": 150,
        "prevalence": 150,
    }
    for name, n in rows.items():
        entry = rates.entry(name)
        assert entry.n == n
        assert (entry.low, entry.high) == wilson_interval(entry.value, n, level=0.95)
    others = [e for e in rates.entries if e.method is None]
    assert len(others) == len(rates.entries) - len(rows)
    assert all("auto" in e.reason for e in others if not np.isnan(e.value))


def test_weighted_shares_have_kishs_number_of_rows(rng):
    """Equal weights change nothing; unequal ones widen the interval."""
    actual, predicted = rng.integers(0, 2, (2, 60))
    plain = Predictions.from_arrays(actual, predicted=predicted)
    entries = {}
    for name, weight in {
        "one": np.ones(60),
        "five": np.full(60, 5.0),
        "own": rng.random(60),
    }.items():
        data = Predictions.from_arrays(actual, predicted=predicted, weight=weight)
        entries[name] = confusion_matrix(data).rates(interval="wilson").entry("recall")
    bare = confusion_matrix(plain).rates(interval="wilson").entry("recall")
    for name in ("one", "five"):
        result = entries[name]
        assert (result.low, result.high, result.n) == pytest.approx((bare.low, bare.high, bare.n))
    weight = data.mass[actual == 1]
    assert entries["own"].n == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_the_bootstrap_of_cells_is_that_of_rows():
    """Both have the mean and the spread of drawing rows with replacement."""
    data = labelled([[7, 3], [2, 8]], ["0", "1"])
    plain = confusion_matrix(data)
    heavy = Predictions.from_arrays(data.actual, predicted=data.label, weight=np.ones(data.n))
    for matrix in (plain, confusion_matrix(heavy)):
        drawn = np.concatenate(
            list(resampled_counts(matrix.counts, matrix.cells, resamples=1500, entropy=5))
        )
        assert drawn.shape == (1500, 2, 2)
        assert (drawn.sum(axis=(1, 2)) == 20).all()
        share = plain.counts / 20
        error = np.sqrt(20 * share * (1 - share) / 1500)
        assert (np.abs(drawn.mean(axis=0) - plain.counts) < 4.5 * error).all()
        spread = 20 * share * (1 - share)
        np.testing.assert_allclose(drawn.var(axis=0), spread, rtol=0.2)


def test_the_bootstrap_repeats_no_stream_of_another_package():
    """The first numbers of its key are its own: no other draws the same rows from one seed."""
    counts = np.array([[70.0, 30.0], [20.0, 80.0]])
    (drawn,) = resampled_counts(counts, None, resamples=2, entropy=5)
    for key in [(), *((first,) for first in range(40)), *((first, 0) for first in range(40))]:
        other = stream(5, *key).multinomial(200, counts.ravel() / 200, size=2)
        assert not np.array_equal(drawn, other.reshape(2, 2, 2))


def test_examples_that_come_again_are_drawn_whole():
    """Every row three times, by `row`: the interval of the bare rows, and no Wilson interval."""
    data = labelled([[14, 6], [4, 16]], ["0", "1"])
    thrice = np.tile(np.arange(data.n), 3)
    again = Predictions.from_arrays(
        data.actual[thrice],
        predicted=data.label[thrice],
        row=thrice,
        repeat=np.repeat([0, 1, 2], data.n),
    )
    matrix = confusion_matrix(again)
    params = {"interval": "bootstrap", "resamples": 1500, "rng": 3}
    result, bare = (m.rates("F1", **params).entry("F1") for m in (matrix, confusion_matrix(data)))
    assert (result.low, result.high) == pytest.approx((bare.low, bare.high), abs=0.04)
    assert result.method.endswith(" of examples")
    with pytest.raises(InputError, match="bootstrap"):
        matrix.rates(interval="wilson")
    nameless = Predictions.from_arrays(
        data.actual[thrice], predicted=data.label[thrice], repeat=np.repeat([0, 1, 2], data.n)
    )
    with pytest.raises(InputError, match="`row`"):
        confusion_matrix(nameless).rates(interval="bootstrap")


def test_the_bootstrap_says_nothing_where_it_knows_nothing():
    """No interval of width 0, and none where most resamples have no value."""
    rates = typed([[30, 0], [1, 0]]).rates(["recall", "MCC", "NPV"], interval="bootstrap")
    assert "same value" in rates.entry("recall").reason
    assert np.isnan(rates.entry("recall").low)
    assert (
        "single class" in rates.entry("MCC").reason or "is undefined: " in rates.entry("MCC").reason
    )
    rare = typed([[30, 0], [0, 1]]).rates("recall", interval="bootstrap").entry("recall")
    assert (rare.value, np.isnan(rare.low)) == (1.0, True)
    again = typed([[9, 2], [3, 8]])
    one, two = (again.rates("F1", interval="bootstrap", rng=4).rows() for _ in range(2))
    assert one == two


def test_dirichlet_draws_have_the_moments_of_the_posterior():
    """Means and variances of Dirichlet(counts + 1/2), of the whole table as of one class."""
    counts = np.array([[30.0, 4.0], [1.0, 5.0]])
    alpha = counts + 0.5
    mean = alpha / alpha.sum()
    variance = mean * (1 - mean) / (alpha.sum() + 1)
    whole = np.concatenate(list(dirichlet_counts(counts, resamples=4000, entropy=1)))
    for drawn in (whole, dirichlet_tables(counts, resamples=4000, entropy=1, turn=1)):
        assert (np.abs(drawn.mean(axis=0) - mean) < 4.5 * np.sqrt(variance / 4000)).all()
        np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.15)
    assert not np.array_equal(whole, drawn)


@pytest.mark.parametrize("k", [2, 3, 20, 60])
def test_the_prior_weighs_the_same_whatever_the_number_of_classes(k):
    """Its mass is 2; classes that do not occur hold nothing, and beliefs stay near the counts."""
    rng = np.random.default_rng(k)
    counts = rng.integers(0, 4, (k, k)) + 6 * np.eye(k)
    counts[-1], counts[:, -1] = (counts[-1], counts[:, -1]) if k == 2 else (0, 0)
    draws = np.concatenate(list(dirichlet_counts(counts, resamples=300, entropy=0)))
    n = counts.sum()
    right = np.trace(draws.mean(axis=0))
    assert right == pytest.approx((np.trace(counts) + 1) / (n + 2), abs=0.02)
    assert (draws[:, counts.sum(axis=1) == 0] == 0).all()


def test_a_class_that_is_only_predicted_counts_in_the_draws():
    """Its F1 is 0 in the macro average, and its rows could be right in other tables."""
    matrix = ConfusionMatrix.from_counts(
        [[0, 0, 0], [1, 40, 4], [1, 4, 40]], classes=["a", "b", "c"], rows="actual"
    )
    of_class = matrix.rates("F1", interval=True).entry("F1", "a")
    macro = matrix.rates("F1", average="macro", interval=True).entry("F1", "macro")
    assert (of_class.value, of_class.low) == (0, 0)
    assert of_class.high > 0.2
    assert macro.high > macro.value + 0.1


def test_the_usual_interval_is_wilsons_of_shares_and_draws_of_others():
    """Every rate has one, and True asks for it; means over classes have errors of tables too."""
    matrix = ConfusionMatrix.from_counts({"TP": 6, "FP": 12, "FN": 2, "TN": 130})
    result = matrix.rates(interval=True, rng=1)
    assert result.interval == "auto"
    wilson = matrix.rates(interval="wilson")
    drawn = matrix.rates(interval="dirichlet", rng=1)
    for one, share, other in zip(result.entries, wilson.entries, drawn.entries, strict=True):
        same = other if share.method is None else share
        assert (one.low, one.high) == (same.low, same.high)
        assert one.low <= one.value <= one.high
    many = typed(np.diag(np.full(7, 20.0)) + 1).rates(["F1", "MCC"], interval=True, resamples=99)
    kinds = {(e.name, e.kind): e.method for e in many.entries}
    assert "redrawn tables" in kinds["F1", "macro"]
    assert kinds["F1", "class"] == kinds["F1", "micro"] == kinds["MCC", "all"]
    assert kinds["MCC", "all"].startswith("Dirichlet ")


def test_a_rate_at_its_end_has_an_interval_that_holds_it():
    """F1 of 0 and of 1, where the bootstrap draws nothing else."""
    for counts, value in (
        ({"TP": 0, "FP": 0, "FN": 5, "TN": 95}, 0.0),
        ({"TP": 5, "FP": 0, "FN": 0, "TN": 95}, 1.0),
    ):
        matrix = ConfusionMatrix.from_counts(counts)
        result = matrix.rates("F1", interval=True).entry("F1")
        assert result.low <= value <= result.high
        assert 0.1 < result.high - result.low < 0.6
        assert np.isnan(matrix.rates("F1", interval="bootstrap").entry("F1").low)


def test_weights_and_examples_count_as_their_effective_number(rng):
    """Equal weights and repeats that agree change nothing; unequal weights widen the interval."""
    actual, predicted = rng.integers(0, 2, (2, 80))
    data = {
        "bare": {},
        "five": {"weight": np.full(80, 5.0)},
        "own": {"weight": rng.random(80) ** 3},
    }
    result = {
        name: confusion_matrix(Predictions.from_arrays(actual, predicted=predicted, **others))
        .rates("F1", interval=True)
        .entry("F1")
        for name, others in data.items()
    }
    thrice = np.tile(np.arange(80), 3)
    again = Predictions.from_arrays(
        actual[thrice], predicted=predicted[thrice], row=thrice, repeat=np.repeat([0, 1, 2], 80)
    )
    result["again"] = confusion_matrix(again).rates("F1", interval=True).entry("F1")
    ends = {name: (one.low, one.high) for name, one in result.items()}
    assert ends["five"] == pytest.approx(ends["bare"])
    assert ends["again"] == pytest.approx(ends["bare"])
    assert np.diff(ends["own"]) > np.diff(ends["bare"])


def test_few_positives_keep_the_coverage_of_other_rates(rng):
    """6 positives of 100: the bootstrap of balanced accuracy holds .79, the draws .93."""
    truth = np.array([[0.893, 0.047], [0.018, 0.042]])
    share = covered(truth, "balanced_accuracy", 100, "auto", tables=250, rng=rng)
    assert share > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 250) - 0.02
    drawn = covered(truth, "balanced_accuracy", 100, "bootstrap", tables=100, rng=rng)
    assert drawn < 0.9


@pytest.mark.laws
def test_macro_averages_of_many_small_classes_keep_their_coverage(rng):
    """20 classes of 10 rows: draws alone held the macro F1 in .76 of the tables, rows in .86."""
    truth = np.full((20, 20), 0.3 / 19)
    np.fill_diagonal(truth, 0.7)
    truth *= rng.dirichlet(np.full(20, 2.0))[:, None]
    recall = np.diag(truth) / truth.sum(axis=1)
    true = {
        "F1": (2 * np.diag(truth) / (truth.sum(axis=1) + truth.sum(axis=0))).mean(),
        "recall": recall.mean(),
    }
    held = {name: [] for name in true}
    tables = some(range(120), 50)
    for number in tables:
        matrix = typed(rng.multinomial(200, truth.ravel()).reshape(20, 20))
        rates = matrix.rates(
            list(true),
            average="macro",
            classes=(),
            interval=True,
            resamples=199,
            rng=number,
            undefined="skip",
        )
        for name, value in true.items():
            entry = rates.entry(name, kind="macro")
            assert entry.low <= entry.value <= entry.high
            held[name].append(entry.low <= value <= entry.high)
    allowed = 0.95 - 3 * np.sqrt(0.95 * 0.05 / len(tables))
    assert {name: np.mean(share) > allowed for name, share in held.items()} == dict.fromkeys(
        true, True
    )


def test_errors_that_drawing_shows_are_taken_off_the_value(rng):
    """Draws that are too low by 0.1 move both ends up; the ends stay between the limits."""
    drawn = 0.4 + 0.05 * rng.standard_normal(999)
    low, high = error_interval(0.5, drawn, 0.5, limits=(0, 1), level=0.95)
    assert 0.5 < low < 0.6 < high
    for limits, top in (((0.0, 1.0), 1.0), ((-1.0, 1.0), 1.0), ((0.0, np.inf), np.inf)):
        low, high = error_interval(0.9, drawn, 0.9, limits=limits, level=0.95)
        assert 0.9 < low <= high <= top


def test_every_rate_lies_within_its_limits(rng):
    """Over random tables, among them ones with empty cells."""
    tables = rng.integers(0, 9, (4, 500))
    for name, rate in RATES.items():
        values = rate_values(name, *tables)
        values = values[~np.isnan(values)]
        least, most = rate.limits
        assert least - 1e-12 <= values.min()
        assert values.max() <= most + 1e-12


def test_a_rate_of_a_table_is_that_of_a_curve(rng):
    """The two engines give the same bits, and leave out the same points, at every threshold."""
    prob, actual = rng.integers(0, 9, 40) / 8, rng.integers(0, 2, 40)
    data = pb.Predictions.from_arrays(actual, prob)
    counts = threshold_counts(actual == 1, prob)
    negatives = int((actual == 0).sum())
    tables = counts.tp, counts.fp, negatives - counts.fp, actual.sum() - counts.tp
    for name in RATES:
        of_table = rate_values(name, *tables)
        line = pb.curve(data, x="threshold", y=name).lines[0]
        of_curve = dict(zip(line.x, line.y, strict=True))
        expected = dict(zip(counts.threshold, of_table, strict=True))
        defined = {at: value for at, value in expected.items() if not np.isnan(value)}
        assert {at: of_curve[at] for at in defined} == defined, name
        assert all(np.isnan(of_curve.get(at, np.nan)) for at in expected.keys() - defined.keys())


def covered(truth, name, n, interval, *, tables, rng):
    """Return how often the interval of a rate holds its true value, over tables of n rows."""
    true = float(overall_or_class(truth, name))
    held = []
    for _ in range(tables):
        matrix = typed(rng.multinomial(n, truth.ravel()).reshape(truth.shape), positive="1")
        entry = matrix.rates(name, interval=interval, resamples=199).entry(name)
        held.append(entry.low <= true <= entry.high)
    return float(np.mean(held))


def overall_or_class(truth, name):
    """Return a rate of true shares, of the positive class or the whole table."""
    canonical = rate_named(name)[0]
    if canonical in OVERALL:
        return overall_values(canonical, truth)
    return rate_values(canonical, *class_tables(truth).at(1))


@law(
    ("name", "interval"),
    [
        ("recall", "wilson"),
        ("precision", "wilson"),
        ("F1", "bootstrap"),
        ("kappa", "bootstrap"),
        ("F1", "dirichlet"),
        ("kappa", "dirichlet"),
        ("MCC", "auto"),
    ],
    number=4,
)
def test_intervals_hold_the_truth_as_often_as_they_say(rng, name, interval):
    """Over 250 tables of 120 rows, within 3 standard errors and .02 of the nominal 95 %."""
    truth = np.array([[0.5, 0.1], [0.15, 0.25]])
    share = covered(truth, name, 120, interval, tables=250, rng=rng)
    assert abs(share - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 250) + 0.02


def test_rates_without_a_wilson_interval_are_named():
    """Not the classes, of which other rates have one."""
    actual = np.array(["cat", "dog", "fox"] * 8)
    guess = np.roll(actual, 5)
    matrix = confusion_matrix(Predictions.from_arrays(actual, predicted=guess))
    notes = [note for note in matrix.rates(interval="wilson").present().notes if "Wilson" in note]
    assert len(notes) == 1
    assert "Cohen" in notes[0]
    assert not any(name in notes[0] for name in ("cat", "dog", "fox"))


def test_a_rate_says_in_how_many_resamples_it_has_no_value():
    """A class of three rows is drawn without any in some; what always has a value says nothing."""
    matrix = ConfusionMatrix.from_counts([[20, 7], [1, 2]], rows="actual", classes=["a", "b"])
    rates = matrix.rates(interval="bootstrap", resamples=400)
    (lost,) = {
        rates.entry(name).reason for name in ("TPR", "FNR", "informedness", "G_mean", "lift")
    }
    assert lost is not None
    count = int(re.findall(r"\d+", lost)[0])
    expected = 400 * 0.9**30
    assert count == pytest.approx(expected, abs=4 * np.sqrt(expected))
    assert rates.entry("TPR").low < rates.entry("TPR").high
    assert rates.entry("CA").reason is None
    assert any(f"{count} of 400" in note for note in rates.present().notes)


@pytest.mark.parametrize("name", OVERALL)
def test_numbers_of_many_tables_are_those_of_each(name):
    """Of tables in rows and columns, as of resamples of groups; a class without rows is none."""
    tables = np.random.default_rng(3).integers(1, 9, (2, 5, 3, 3)).astype(float)
    found = overall_values(name, tables)
    alone = [[overall_values(name, one) for one in row] for row in tables]
    np.testing.assert_allclose(found, alone, rtol=1e-12)
    wider = np.zeros((2, 5, 4, 4))
    wider[..., :3, :3] = tables
    np.testing.assert_allclose(overall_values(name, wider), found, rtol=1e-12)


def test_resamples_hold_as_many_examples_as_there_are():
    """Each with all its rows: of examples of two rows every resample has all n rows again."""
    counts = np.array([[6.0, 2.0], [4.0, 8.0]])
    code = np.repeat([0, 1, 2, 3], [6, 2, 4, 8])
    cells = ConfusionCells(code, None, np.arange(20) // 2)
    (drawn,) = resampled_counts(counts, cells, resamples=200, entropy=0)
    assert (drawn.sum(axis=(1, 2)) == 20).all()
    assert (drawn % 2 == 0).all()  # both rows of an example are in the same cell
    error = 2 * np.sqrt(10 * counts / 20 * (1 - counts / 20) / 200)
    assert (np.abs(drawn.mean(axis=0) - counts) < 4.5 * error).all()


@pytest.mark.parametrize(("k", "cells"), [(50, 50 * 49), (51, 3)])
def test_the_prior_of_many_classes_is_on_cells_that_hold_rows(k, cells):
    """Also where they hold a single row: one on the diagonal, and one beside it in equal parts."""
    counts = np.diag(np.full(k, 4.0))
    counts[0, 1], counts[1, 0], counts[2, 1] = 1.0, 2.0, 1.0
    prior = _prior(counts)
    assert np.diag(prior) == pytest.approx(np.full(k, 1 / k))
    assert prior.sum() == pytest.approx(2.0)
    assert prior[0, 1] == prior[1, 0] == prior[2, 1] == pytest.approx(1 / cells)


def test_a_number_without_an_interval_is_shown_alone():
    """Beside others that have theirs."""
    table = typed([[5, 3, 0], [2, 9, 0], [0, 0, 0]], classes=["a", "b", "c"])
    rates = table.rates(interval="bootstrap", resamples=99)
    first = rates.present().tables[0].columns
    cells = dict(zip(first["class"], first["TPR"], strict=True))
    recall = {rate.group: rate for rate in rates.entries if rate.name == "TPR"}
    assert math.isnan(recall["c"].low)
    assert cells["c"] == "-"
    for name in ("a", "b"):
        low, high = (written(end) for end in (recall[name].low, recall[name].high))
        assert cells[name] == f"{written(recall[name].value)} ({low} to {high})"


def test_a_table_without_rows_has_no_interval():
    """Nothing is drawn of it."""
    for how in ("auto", "bootstrap", "dirichlet"):
        rates = typed([[0, 0], [0, 0]]).rates(interval=how, resamples=99)
        assert all(math.isnan(one.low) and math.isnan(one.high) for one in rates.entries)


def test_smoothed_shares_are_shares_that_keep_the_classes():
    """They sum to 1, keep what each class holds, and leave a class that is alone where it is."""
    counts = np.array([[6.0, 2.0, 0.0], [1.0, 9.0, 0.0], [0.0, 0.0, 0.0]])
    shares = smoothed_shares(counts)
    assert shares.sum() == pytest.approx(1.0)
    assert shares.sum(axis=1) == pytest.approx(counts.sum(axis=1) / 18)
    assert (shares[:2, :2] > 0).all()
    assert smoothed_shares(np.diag([5.0, 0.0])).tolist() == [[1.0, 0.0], [0.0, 0.0]]
