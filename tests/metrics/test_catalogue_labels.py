"""Rates of decisions and rankings by name: values, nulls, and tables without probabilities."""

import json
import sys
from functools import cache
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import plumbline as pb
from laws import examples
from plumbline.calibration_errors import StatisticParams
from plumbline.cli import main
from plumbline.confusion import RATES, rate_values
from plumbline.metrics import METRICS, USUAL, metric_named, metric_value
from plumbline.nulls import observed, resampled
from refusals import refused

RATES_HERE = [name for name, row in METRICS.items() if row.decides]
RANKINGS_HERE = [name for name, row in METRICS.items() if row.needs == "ratings"]
NAMES = [*RATES_HERE, *RANKINGS_HERE]
AVERAGES = {"classwise": "macro", "micro": "micro", "weighted": "weighted"}


def table(k, n=80, weight=None):
    """Return rows whose probabilities are often equal."""
    y, prob, halves = drawn(k, n)
    return pb.Predictions.from_arrays(
        y, prob, classes=range(k), weight=halves if weight == "halves" else None
    )


@cache
def drawn(k, n):
    """Return labels, their probabilities and weights."""
    rng = np.random.default_rng(1)
    prob = np.round(rng.dirichlet(np.ones(k), n) * 8) / 8
    prob[:, 0] = 1 - prob[:, 1:].sum(axis=1)
    prob = np.clip(prob, 0, 1)
    prob /= prob.sum(axis=1, keepdims=True)
    y = [rng.choice(k, p=0.5 * row + 0.5 / k) for row in prob]
    return y, prob, rng.integers(1, 5, n) / 2


def value(name, data, view=None):
    """Return a metric of a table."""
    return metric_value(metric_named(name), data, StatisticParams(view=view))


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("weight", [None, "halves"])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_averages_of_rates_are_those_of_scikit_learn(k, weight):
    """Macro, micro and weighted precision, recall, F and Jaccard, with weights."""
    data = table(k, weight=weight)
    args = {"sample_weight": data.mass}
    for view, average in AVERAGES.items():
        known = {
            "precision": sk.precision_score,
            "recall": sk.recall_score,
            "f1": sk.f1_score,
            "jaccard": sk.jaccard_score,
        }
        for name, theirs in known.items():
            want = theirs(data.actual, data.predicted, average=average, **args)
            assert value(name, data, view) == pytest.approx(want, abs=1e-12)
        for name, beta in (("f2", 2), ("f05", 0.5)):
            want = sk.fbeta_score(data.actual, data.predicted, beta=beta, average=average, **args)
            assert value(name, data, view) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("weight", [None, "halves"])
@pytest.mark.parametrize("k", [2, 4])
def test_numbers_of_all_classes_are_those_of_scikit_learn(k, weight):
    """Error rate, balanced accuracy, the kappas and the Matthews correlation."""
    data = table(k, weight=weight)
    pair, args = (data.actual, data.predicted), {"sample_weight": data.mass}
    want = {
        "error-rate": 1 - sk.accuracy_score(*pair, **args),
        "balanced-accuracy": sk.balanced_accuracy_score(*pair, **args),
        "mcc": sk.matthews_corrcoef(*pair, **args),
        "kappa": sk.cohen_kappa_score(*pair, **args),
        "kappa-linear": sk.cohen_kappa_score(*pair, weights="linear", **args),
        "kappa-quadratic": sk.cohen_kappa_score(*pair, weights="quadratic", **args),
    }
    assert {name: value(name, data) for name in want} == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("weight", [None, "halves"])
@pytest.mark.parametrize("k", [2, 4])
def test_rankings_are_those_of_scikit_learn(k, weight):
    """Area under the ROC curve and average precision, with ties and weights, class by class."""
    data = table(k, weight=weight)
    result = {"roc-auc": [], "average-precision": []}
    for c in range(k):
        event, args = data.actual == c, {"sample_weight": data.mass}
        result["roc-auc"].append(sk.roc_auc_score(event, data.prob[:, c], **args))
        result["average-precision"].append(
            sk.average_precision_score(event, data.prob[:, c], **args)
        )
    for name, want in result.items():
        own = [value(name, data, f"one-vs-rest:{c}") for c in data.classes]
        assert own == pytest.approx(want, abs=1e-12)
        assert value(name, data, "classwise") == pytest.approx(np.mean(want), abs=1e-12)
        assert value(name, data) == pytest.approx(want[1] if k == 2 else np.mean(want), abs=1e-12)


def test_rankings_are_those_of_the_curves():
    """`plumbline.roc_auc` and `average_precision` say the same, the top label's rank is its own."""
    data = table(3, weight="halves")
    for name, plain in (("roc-auc", pb.roc_auc), ("average-precision", pb.average_precision)):
        assert value(name, data, "one-vs-rest:2") == pytest.approx(plain(data, target="2"))
        assert value(name, data, "top-label") == pytest.approx(plain(data.top_label()))


@pytest.mark.parametrize(
    "name", [name for name in RATES_HERE if "one-vs-rest" in METRICS[name].views]
)
def test_a_rate_of_one_class_is_that_of_its_counts(name):
    """Every rate of every class, from counts made row by row."""
    data = table(3, weight="halves", n=150)
    for c, label in enumerate(data.classes):
        hit, own, mass = data.predicted == c, data.actual == c, data.mass
        counts = [mass[where].sum() for where in (hit & own, hit & ~own, ~hit & ~own, ~hit & own)]
        result = value(name, data, f"one-vs-rest:{label}")
        assert result == pytest.approx(float(rate_values(name, *counts)), nan_ok=True)


def test_rates_stand_in_one_table():
    """Every rate of formulas has a metric of the same title, formula and direction; no other."""
    result = {metric_named(name).name for name in RATES}
    assert result | {"kappa-linear", "kappa-quadratic"} == {*RATES_HERE, "accuracy"}
    for name, rate in RATES.items():
        row = metric_named(name)
        if row.decides:
            assert row.formula.startswith(rate.formula)
            assert row.title.casefold() == rate.title.casefold()
            assert row.better == {"high": "higher", "low": "lower", None: "none"}[rate.best]
            assert all(metric_named(other) is row for other in rate.aliases)
    assert not set(USUAL) & set(NAMES)


def test_the_column_predicted_wins():
    """Decisions are those of the column, not the likeliest class."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.2], predicted=[1, 1, 0, 0])
    assert value("precision", data) == 0.5
    assert value("roc-auc", data) == 1.0


# ------------------------------------------------------------------ nulls


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("f1", "classwise"),
        ("precision", "weighted"),
        ("jaccard", "micro"),
        ("mcc", "all-classes"),
        ("kappa", "all-classes"),
        ("balanced-accuracy", "all-classes"),
        ("roc-auc", "classwise"),
        ("average-precision", "classwise"),
    ],
)
def test_the_null_is_that_of_all_labels_there_are(name, view):
    """Every set of labels of five rows, by its probability: the share of every value."""
    prob = np.array(
        [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.4, 0.4, 0.2], [0.2, 0.6, 0.2]]
    )
    mass = [1.0, 2.0, 1.0, 1.0, 0.5]
    data = pb.Predictions.from_arrays([0, 1, 2, 0, 1], prob, classes=range(3), weight=mass)
    what = METRICS[name].subject(data, StatisticParams(view=view)).statistic
    labels = np.array(list(product(range(3), repeat=5)), np.int32)
    tally = what.tally(len(labels))
    tally.add(slice(0, 5), np.ascontiguousarray(labels.T))
    probability = prob[np.arange(5), labels].prod(axis=1)
    m = 20_000
    drawn = resampled(what, m, 3, workers=1)
    values = np.nan_to_num(tally.values(), nan=-9.0)
    for one in np.unique(np.round(values, 9)):
        share = probability[np.abs(values - one) < 1e-8].sum()
        hits = np.abs(np.nan_to_num(drawn, nan=-9.0) - one) < 1e-8
        assert abs(hits.mean() - share) < 5 * np.sqrt(share * (1 - share) / m) + 1e-12


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_drawn_labels_go_through_the_arithmetic_of_the_observed(name, k):
    """Labels that a draw could give, among others in one tally: the value of these labels alone."""
    data = table(k, n=33, weight="halves")
    what = METRICS[name].subject(data, StatisticParams()).statistic
    labels = np.random.default_rng(2).integers(0, k, (33, 3)).astype(np.int32)
    labels[:, 1] = data.actual
    tally = what.tally(3)
    for start in range(0, 33, 16):  # the last piece is one row
        rows = slice(start, min(start + 16, 33))
        tally.add(rows, labels[rows])
    alone = [
        value(name, pb.Predictions.from_arrays(y, data.prob, classes=range(k), weight=data.weight))
        for y in labels.T
    ]
    assert tally.values().tolist() == pytest.approx(alone, abs=1e-12, nan_ok=True)
    assert tally.values()[1] == pytest.approx(float(observed(what)), abs=1e-14)


def test_labels_are_drawn_once_for_all_rates(monkeypatch):
    """Rates of one table share one drawing and one matrix; company changes no number."""
    module = sys.modules["plumbline.metrics.measure"]

    calls = []
    drawn = module.resampled
    monkeypatch.setattr(module, "resampled", lambda *a, **k: calls.append(a[0]) or drawn(*a, **k))
    data = table(3)
    result = pb.measure(data, ["log-loss", *RATES_HERE], resamples=60)
    assert len(calls) == 1
    units = calls[0].parts
    assert sum(len(getattr(unit, "parts", [unit])) for unit in units) == 1 + len(RATES_HERE)
    assert len(units) == 2
    for name in ("f1", "mcc", "dor"):
        assert result[name].to_dict() == pb.measure(data, name, resamples=60)[name].to_dict()


def test_true_probabilities_are_rejected_as_often_as_promised():
    """p-values of F1 and of the area under the ROC curve are at most 0.1 in a tenth of the sets."""
    rng, rejected, runs = np.random.default_rng(5), np.zeros(2), 100
    p = rng.random(60)
    for run in range(runs):
        data = pb.Predictions.from_arrays(rng.random(60) < p, p, classes=[False, True])
        result = pb.measure(data, ["f1", "roc-auc"], resamples=99, rng=run, workers=1)
        rejected += [one.p_value <= 0.1 for one in result.measures]
    assert np.all(np.abs(rejected / runs - 0.09) < 4 * np.sqrt(0.1 * 0.9 / runs))


# ------------------------------------------------------------------ laws


@settings(max_examples=examples(40))
@given(st.data())
def test_order_and_repetition_of_rows_do_not_matter(data):
    """Rows mixed up, and whole weights as repetitions, for any labels and decisions."""
    n, k = data.draw(st.integers(3, 12)), data.draw(st.integers(2, 4))
    column = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    actual, decided = np.array(data.draw(column)), np.array(data.draw(column))
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    weight[:2] = 1
    score = np.array(data.draw(column), float)[:, None] * np.arange(k)
    rows = data.draw(st.permutations(np.repeat(np.arange(n), weight).tolist()))
    name, whole = data.draw(st.sampled_from(NAMES)), {"classes": range(k)}
    one = pb.Predictions.from_arrays(actual, predicted=decided, score=score, weight=weight, **whole)
    other = pb.Predictions.from_arrays(
        actual[rows], predicted=decided[rows], score=score[rows], **whole
    )
    assert value(name, one) == pytest.approx(value(name, other), abs=1e-12, nan_ok=True)


# ------------------------------------------------------------------ tables without probabilities


SAME = "every resample gives the same value"


def test_labels_alone_have_rates_and_no_null():
    """The same values as with probabilities that lead to these decisions; the reason says why."""
    full = table(3)
    bare = pb.Predictions.from_arrays(full.actual, predicted=full.predicted, classes=range(3))
    result = pb.measure(bare, [*RATES_HERE, "accuracy"], interval=True, resamples=50)
    for one in result.measures:
        assert one.value == pytest.approx(value(one.metric, full), abs=1e-12)
        assert one.resamples == 0
        told = (
            "no expected value and no p-value: they need probabilities, and there are labels only"
        )
        fixed = one.metric in ("queue-rate", "prevalence")  # 1 / k in every table
        assert one.reason == told + ("; " + SAME if fixed else "")
        assert np.isnan([one.p_value, one.null_mean]).all()
        known = one.metric != "accuracy" and np.isfinite(one.value) and not fixed
        assert np.isfinite(one.interval_range).all() == known
    assert len(result.present().notes) == 2
    with refused(pb.InputError, "table-without-column", "'roc-auc'"):
        pb.measure(bare, "roc-auc")


def test_ratings_alone_have_rankings():
    """A decision function ranks as its logistic does; of two classes either may be asked for."""
    rng = np.random.default_rng(4)
    y, z = rng.integers(0, 2, 50), np.round(rng.normal(size=50), 1)
    bare = pb.Predictions.from_arrays(y, score=z)
    full = pb.Predictions.from_arrays(y, 1 / (1 + np.exp(-z)))
    for name in RANKINGS_HERE:
        for view in (None, "one-vs-rest:0", "classwise"):
            assert value(name, bare, view) == pytest.approx(value(name, full, view), abs=1e-12)
    (one,) = pb.measure(bare, "auc").measures
    assert "ratings only" in one.reason
    with refused(pb.InputError, "view-of-ratings", argument="view"):
        pb.measure(bare, "auc", view="top-label")
    with refused(pb.InputError, "table-without-column", "'f1'", "'predicted'"):
        pb.measure(bare, "f1")
    with refused(pb.InputError, "ratings-only"):
        pb.measure(bare)


@pytest.mark.parametrize("view", [None, "one-vs-rest:0", "classwise"])
@pytest.mark.parametrize("name", ["roc-auc", "average-precision"])
def test_ratings_have_the_intervals_of_their_ranks(name, view):
    """Any probabilities that rise with the ratings have the same."""
    rng = np.random.default_rng(7)
    z = np.round(rng.normal(size=60), 1)
    y = (z + rng.normal(size=60) > 0).astype(int)
    bare = pb.Predictions.from_arrays(y, score=z)
    full = pb.Predictions.from_arrays(y, 1 / (1 + np.exp(-z)))
    ends = [
        pb.measure(data, name, view=view, interval=True, resamples=50).measures[0].interval_range
        for data in (bare, full)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9, nan_ok=True)
    unknown = (name, view) == ("average-precision", "classwise")  # none of a mean of classes
    assert (0 < ends[0][0] < ends[0][1] < 1) is not unknown


def test_ratings_of_several_classes_are_ranked_class_by_class():
    """One column of ratings a class."""
    rng = np.random.default_rng(6)
    y, z = rng.integers(0, 3, 60), rng.normal(size=(60, 3))
    data = pb.Predictions.from_arrays(y, score=z, classes=range(3))
    want = [sk.roc_auc_score(y == c, z[:, c]) for c in range(3)]
    assert value("roc-auc", data) == pytest.approx(np.mean(want))
    assert value("roc-auc", data, "one-vs-rest:2") == pytest.approx(want[2])


# ------------------------------------------------------------------ what is undefined


def test_an_undefined_rate_says_what_it_divides_by():
    """Never 0: precision without predicted positives, correlation without spread, ranks of one."""
    data = pb.Predictions.from_arrays([0, 0, 1], [0.1, 0.2, 0.3])
    result = pb.measure(data, ["precision", "mcc", "recall"], resamples=0)
    assert np.isnan(result["precision"].value)
    assert "predicted positives" in result["precision"].reason
    assert np.isnan(result["mcc"].value)
    assert result["mcc"].reason.endswith("no predicted positives")
    assert (result["recall"].value, result["recall"].reason) == (0.0, None)
    alone = pb.Predictions.from_arrays([1, 1], [0.2, 0.6], classes=[0, 1])
    one = pb.measure(alone, "roc-auc", resamples=99)["roc-auc"]
    assert np.isnan(one.value)
    assert "a class has" in one.reason
    assert "of 99 resamples" in one.reason


def test_absent_classes_are_in_no_average_and_undefined_ones_are_named():
    """A class without rows and decisions is left out; one without decisions has no precision."""
    data = pb.Predictions.from_arrays([0, 0, 1, 1], predicted=[0, 1, 1, 1], classes=range(3))
    assert value("precision", data, "classwise") == pytest.approx((1 + 2 / 3) / 2)
    data = pb.Predictions.from_arrays([0, 2, 1, 1], predicted=[0, 1, 1, 1], classes=range(3))
    one = pb.measure(data, "precision")["precision"]
    assert np.isnan(one.value)
    assert "1 class, '2'" in one.reason
    assert "predicted positives" in one.reason
    assert "skip" not in one.reason
    assert value("precision", data, "micro") == pytest.approx(3 / 4)


def test_views_take_no_class_but_one_vs_rest():
    """The error says which may."""
    data = table(3)
    with refused(pb.ParameterError, "class-beside-micro", "'micro'", argument="view"):
        pb.measure(data, "f1", view="micro:1")
    with refused(pb.ParameterError, "view-not-possible"):
        pb.measure(data, "f1", view="all-classes")
    with refused(pb.ParameterError, "class-missing", argument="view"):
        pb.measure(data, "f1", view="one-vs-rest")


def test_rates_have_the_interval_of_the_confusion_matrix():
    """That of `rates(interval="auto")`, in every view; ranks and scores have theirs."""
    params = ["f1", "recall", "mcc", "roc-auc", "brier-score"]
    result = pb.measure(table(2), params, interval=True, resamples=99)
    rates = pb.confusion_matrix(table(2)).rates(interval="auto")
    for name, key in (("f1", "F1"), ("recall", "TPR"), ("mcc", "MCC")):
        entry = rates.entry(key)
        assert result[name].interval_range == (entry.low, entry.high)
        assert result[name].interval_method == entry.method
    for view, kind in (("classwise", "macro"), ("micro", "micro"), ("weighted", "weighted")):
        one = pb.measure(table(3), "f1", view=view, interval=True, resamples=99)["f1"]
        many = pb.confusion_matrix(table(3)).rates("F1", average=kind, interval="auto")
        entry = many.entry("F1", kind=kind)
        assert one.interval_range == pytest.approx((entry.low, entry.high))
    assert np.isfinite(result["roc-auc"].interval_range).all()
    assert np.isfinite(result["brier-score"].interval_range).all()


# ------------------------------------------------------------------ command line


def test_the_command_line_measures_rates_by_name(tmp_path):
    """`plumbline scores --metrics f1,mcc,roc-auc` gives what the library gives."""
    data = table(3)
    file = tmp_path / "predictions.csv"
    data.write(file)
    params = ["scores", str(file), "--metrics", "F1,mcc,AUC", "--resamples", "99", "--json"]
    answer = CliRunner().invoke(main, params)
    assert answer.exit_code == 0, answer.output
    result = json.loads(answer.stdout)["results"][0]["metrics"]
    want = pb.measure(pb.read(file), ["f1", "mcc", "roc-auc"], resamples=99).measures
    for mine, theirs in zip(result, want, strict=True):
        assert (mine["metric"], mine["view"]) == (theirs.metric, theirs.view)
        assert (mine["value"], mine["p_value"]) == (theirs.value, theirs.p_value)
    shown = CliRunner().invoke(main, ["scores", str(file), "--metrics", "f1", "--view", "weighted"])
    assert "weighted" in shown.stdout
