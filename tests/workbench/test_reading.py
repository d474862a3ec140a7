"""What is read off a curve at a threshold: counts, rates, the curve itself, and a sentence."""

import re

import numpy as np
import pytest

import plumbline as pb
from plumbline.curves.readings import READ as RATES
from plumbline.workbench import TableQuestions, decode, encode

CELLS = ("TP", "FP", "TN", "FN")
rng = np.random.default_rng(7)


def table(n=200, *, dtype=np.float64, weight=False, decimals=2, **more):
    """Return one binary model with ties."""
    prob = rng.random(n).round(decimals).astype(dtype)
    y = (rng.random(n) < prob).astype(int)
    w = rng.integers(0, 4, n) * 0.25 if weight else None
    return pb.Predictions.from_arrays(y, prob, weight=w, **more)


def read(data, threshold, *, sections=None, **curve):
    """Ask for a reading and return it as a browser gets it."""
    curve = curve or {"preset": "roc"}
    asked = {"kind": "reading", "data": sections or {}, "curve": curve, "threshold": threshold}
    return decode(encode(TableQuestions(data).answer(asked)))


def counted(data, accepted):
    """Count literally, row by row."""
    found = dict.fromkeys(CELLS, 0.0)
    for truth, yes, mass in zip(data.actual == data.positive, accepted, data.mass, strict=True):
        name = {(True, True): "TP", (False, True): "FP", (True, False): "FN"}.get(
            (truth, yes), "TN"
        )
        found[name] += mass
    return found


@pytest.mark.parametrize("weight", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_counts_and_rates_are_those_of_the_confusion_matrix(weight, dtype):
    """At ties, between them and beyond the ends; the intervals too, with weights or without."""
    data = table(weight=weight, dtype=dtype)
    for threshold in (0.0, 0.1, 0.3, 0.335, 0.7, 0.99, 1.0, 2.0, -1.0):
        (line,) = read(data, threshold)["lines"]
        matrix = pb.confusion_matrix(data, threshold=threshold)
        table_of = matrix.table_of("1")
        assert {name: line[name] for name in CELLS} == pytest.approx(table_of, abs=1e-9)
        rates = matrix.rates(RATES, interval="auto")
        for rate in line["rates"]:
            known = rates.entry(rate["name"]).to_dict()
            for name in ("value", "low", "high"):
                assert rate[name] == pytest.approx(known[name]), rate["name"]
            assert (rate["value"] is None) == (known["value"] is None)
            assert (rate["low"] is None) == (rate["value"] is None)  # F1 has its interval, too
            assert rate["method"] == known["method"]


@pytest.mark.parametrize("threshold", ["inf", "-inf"])
def test_infinite_thresholds_accept_nothing_or_everything(threshold):
    """As text, for JSON has no infinite numbers."""
    data = table()
    (line,) = read(data, threshold)["lines"]
    accepted = np.full(data.n, threshold == "-inf")
    assert {name: line[name] for name in CELLS} == counted(data, accepted)
    assert line["threshold"] == threshold
    assert line["PP"] + line["NP"] == line["NN"] == data.n


@pytest.mark.parametrize("direction", ["descending", "ascending"])
@pytest.mark.parametrize("formulas", [("FPR", "TPR"), ("recall", "precision"), ("threshold", "CA")])
def test_the_curve_at_a_threshold_is_its_last_point_at_or_above(direction, formulas):
    """As a literal look over the points of `curve` finds it; an undefined one is none."""
    data = table()
    x, y = formulas
    settings = {"x": x, "y": y, "direction": direction}
    (drawn,) = pb.curve(data, **settings).lines
    whole = np.append(np.unique(data.prob[:, 1]), np.inf)
    for threshold in (0.0, 0.5, 0.505, 0.98, 1.5):
        (line,) = read(data, threshold, **settings)["lines"]
        state = whole[whole >= threshold].min()
        found = np.flatnonzero(drawn.threshold == state)
        known = (drawn.x[found[0]], drawn.y[found[0]]) if len(found) else (None, None)
        if formulas[0] == "threshold":  # at its edge where infinite; else y lasts till there
            known = (None if np.isinf(state) else max(threshold, whole[0]), known[1])
        assert (line["x"], line["y"]) == known


@pytest.mark.parametrize(
    ("curve", "ends"),
    [
        ({"preset": "mcc"}, True),
        ({"preset": "precision-recall"}, False),
        ({"preset": "precision-recall-gain"}, False),
        ({"x": "threshold", "y": "NP / NP"}, True),
    ],
)
def test_a_line_tells_whether_it_ends_before_all_rows_are_accepted(curve, ends):
    """However many of its first states are undefined; there nothing is read."""
    (line,) = read(table(), 0.0, **curve)["lines"]
    assert line["ends"] == ends
    assert (line["y"] is None) == ends


def test_a_precision_of_nothing_is_not_read():
    """Above all rows precision is 0/0: no number, and the reason."""
    (line,) = read(table(), 1.5, x="recall", y="precision")["lines"]
    assert (line["x"], line["y"]) == (None, None)
    precision = next(rate for rate in line["rates"] if rate["name"] == "PPV")
    assert precision["value"] is None
    assert precision["reason"]
    assert "none of 200" in line["presentation"]["summary"]


def test_sums_over_rows_are_read_upwards_too():
    """An ascending curve that counts nothing above: at the lowest value at or above."""
    data = table()
    settings = {"x": "probability", "y": "cumm(eP)", "direction": "ascending"}
    (line,) = read(data, 0.5, **settings)["lines"]
    prob = data.prob[:, 1]
    state = prob[prob >= 0.5].min()
    assert line["y"] == (data.actual[prob <= state] == 1).sum()
    assert line["TP"] == (data.actual[prob >= 0.5] == 1).sum()
    (above,) = read(data, 2.0, **settings)["lines"]
    assert above["y"] is None


def test_every_line_of_every_model_fold_and_filter():
    """A line a model and fold, in the order of the curve, each counted by itself."""
    n = 240
    data = table(
        n,
        model=["a", "b"] * (n // 2),
        fold=np.arange(n) // 2 % 3,
        attributes={"age": rng.integers(20, 60, n)},
    )
    curve = {"preset": "roc", "average": "none"}
    lines = read(data, 0.4, sections={"where": "age < 40"}, **curve)["lines"]
    assert [(line["model"], line["fold"]) for line in lines] == [
        (model, fold) for model in "ab" for fold in "012"
    ]
    age = np.asarray(data.attributes["age"])
    for line in lines:
        part = data.select(where=age < 40).select(model=line["model"], fold=line["fold"])
        assert {k: line[k] for k in CELLS} == pb.confusion_matrix(part, threshold=0.4).table_of("1")
        assert f"{line['model']} (fold {line['fold']})" in line["presentation"]["summary"]


def test_models_and_folds_may_be_chosen_and_weights_left_out():
    """The data panel holds here as everywhere."""
    data = table(weight=True, model=["a", "b"] * 100)
    (line,) = read(data, 0.5, sections={"models": ["b"], "weighted": False})["lines"]
    assert line["model"] == "b"
    assert line["NN"] == (data.select(model="b").mass > -1).sum()


def test_many_classes_one_against_the_rest():
    """A line a class; micro counts every row once a class; a mean of classes has no threshold."""
    prob = rng.dirichlet(np.ones(4), 150).round(2)
    truth = np.array(list("abcd"))[rng.integers(0, 4, 150)]
    data = pb.Predictions.from_arrays(truth, prob, classes=list("abcd"), normalize=True)
    lines = read(data, 0.3, preset="roc", multiclass="per-class")["lines"]
    assert [line["target"] for line in lines] == list("abcd")
    for line in lines:
        matrix = pb.confusion_matrix(data, threshold=0.3, target=line["target"])
        assert {k: line[k] for k in CELLS} == matrix.table_of(line["target"])
        assert line["classes"]["negative"] == f"not {line['target']}"
        assert f"(class '{line['target']}')" in line["presentation"]["summary"]
    (micro,) = read(data, 0.3, preset="roc", multiclass="micro")["lines"]
    for name in CELLS:
        assert micro[name] == sum(line[name] for line in lines)
    for rate in micro["rates"]:
        assert rate["low"] is None
        assert "dependent" in rate["reason"]
    whole = read(data, 0.3, preset="roc", multiclass="micro")
    (note,) = whole["notes"]
    assert f"{data.k} times" in note
    assert f"{data.n * data.k:,} pairs" in micro["presentation"]["summary"]
    macro = read(data, 0.3, preset="roc", multiclass="macro")
    assert macro["lines"] == []
    assert "macro-averaged" in macro["reason"]


def test_a_policy_accepts_by_its_own_value():
    """Rows at or above a value of the sort formula are accepted; missing ones never."""
    amount = rng.integers(1, 9, 200).astype(float)
    amount[:5] = np.nan
    data = table(attributes={"amount": amount})
    found = read(
        data, 2.5, preset="profit", x="threshold", y="TP - FP", sort_by="probability * amount"
    )
    (line,) = found["lines"]
    value = data.prob[:, 1] * amount
    assert {k: line[k] for k in CELLS} == counted(data, value >= 2.5)
    assert found["sort_by"] == "probability * amount"
    assert "`probability * amount`" in line["presentation"]["summary"]
    assert "2.5" in line["presentation"]["summary"]


def test_a_sort_key_that_rates_nothing_has_no_counts():
    """Sorted by an attribute, or not at all: why, and only the curve is read."""
    data = table(attributes={"age": rng.integers(20, 60, 200)})
    found = read(data, 40, x="age", y="cumm(eP)", sort_by="age")
    (line,) = found["lines"]
    assert line["TP"] is None
    assert line["presentation"]["summary"] == ""
    assert line["y"] is not None
    assert "`age`" in found["reason"]
    unsorted = read(data, 0.5, x="cumm(1)", y="cumm(eP)", direction="unsorted")
    assert "not sorted" in unsorted["reason"]
    assert unsorted["lines"][0]["x"] is None


def test_averages_of_folds_are_read_where_they_have_a_threshold():
    """Counts are of all folds together; the mean at fixed x has no threshold of its own."""
    data = table(fold=np.arange(200) % 4)
    vertical = read(data, 0.4, preset="roc", average="vertical")
    (line,) = vertical["lines"]
    assert {k: line[k] for k in CELLS} == pb.confusion_matrix(data, threshold=0.4).table_of("1")
    assert line["x"] is None
    assert "folds" in vertical["notes"][0]
    settings = {"preset": "roc", "average": "threshold"}
    (mean,) = pb.curve(data, "roc", average="threshold").lines
    place = int(np.flatnonzero(mean.threshold >= 0.4)[-1])
    (line,) = read(data, 0.4, **settings)["lines"]
    assert (line["x"], line["y"]) == (mean.x[place], mean.y[place])


def test_without_a_threshold_it_is_a_half_or_the_middle():
    """0.5 of probabilities; of ratings the middle of the values there are."""
    assert read(table(), None)["threshold"] == 0.5
    score = rng.normal(size=101).round(1)
    data = pb.Predictions.from_arrays(
        score + rng.normal(size=101) > 0, score=score, classes=["False", "True"]
    )
    found = read(data, None)
    distinct = np.unique(score)[::-1]
    assert found["threshold"] == distinct[(len(distinct) - 1) // 2]
    assert (found["low"], found["high"]) == (score.min(), score.max())
    (line,) = found["lines"]
    matrix = pb.confusion_matrix(data, threshold=found["threshold"])
    assert {k: line[k] for k in CELLS} == matrix.table_of("True")


def test_examples_that_come_again_count_once_in_intervals():
    """The intervals are those of the matrix, which knows which rows are of one example."""
    data = table(row=np.arange(200) % 100, repeat=np.arange(200) // 100, fold=np.zeros(200, int))
    (line,) = read(data, 0.5)["lines"]
    matrix = pb.confusion_matrix(data, threshold=0.5)
    for rate in line["rates"]:
        known = matrix.rates(RATES, interval="auto").entry(rate["name"])
        assert (rate["value"], rate["low"], rate["high"]) == (known.value, known.low, known.high)
        assert rate["method"].startswith("Dirichlet")


def test_repeats_without_row_have_no_interval():
    """Nothing tells which rows are of one example, and the reason says so."""
    data = table(repeat=np.arange(200) // 100, fold=np.zeros(200, int))
    (line,) = read(data, 0.5)["lines"]
    assert [rate["low"] for rate in line["rates"]] == [None] * len(RATES)
    assert all("several repeats" in rate["reason"] for rate in line["rates"])


def test_the_sentence_says_the_numbers():
    """How many rows are accepted, found, missed and accepted wrongly."""
    data = pb.Predictions.from_arrays(
        ["no", "no", "yes", "yes", "yes"], [0.1, 0.6, 0.4, 0.7, 0.9], model=["careful"] * 5
    )
    (line,) = read(data, 0.5)["lines"]
    shown = line["presentation"]
    numbers = re.findall(r"\d+\.?\d*", shown["summary"])
    assert numbers == ["0.5", "3", "5", "60", "2", "3", "66.7"]
    assert "careful" in shown["summary"]
    assert {one["key"]: re.findall(r"\d+\.?\d*", one["text"]) for one in shown["details"]} == {
        "accepted": ["3", "5", "60"],
        "found": ["2", "3", "66.7"],
        "missed": ["1", "3", "33.3"],
        "wrong": ["1", "3", "33.3"],
    }
    assert line["accepted_share"] == 0.6


def test_one_class_alone_is_read_without_a_rate_of_nothing():
    """No positives: recall is undefined and says so."""
    data = pb.Predictions.from_arrays(["0"] * 20, rng.random(20), classes=["0", "1"])
    (line,) = read(data, 0.0, preset="queue-rate")["lines"]
    recall = next(rate for rate in line["rates"] if rate["name"] == "TPR")
    assert recall["value"] is None
    assert "'1'" in line["presentation"]["summary"]
