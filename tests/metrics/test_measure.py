"""measure: any metrics of models and groups, each beside its null."""

import sys

import numpy as np
import pytest

import plumbline as pb
from plumbline.metrics import METRICS, USUAL, parts_of
from refusals import refused

RANGE = ("null_low", "null_high")


def table(k=3, n=200, seed=5, **columns):
    """Return rows whose labels come from their probabilities."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(k), n)
    y = [rng.choice(k, p=row) for row in prob]
    return pb.Predictions.from_arrays(y, prob, classes=range(k), **columns)


@pytest.mark.parametrize("k", [2, 3])
def test_every_metric_has_its_null(k):
    """The mean of the null is inside its range, excess and p-value belong to them."""
    result = pb.measure(table(k), list(METRICS), resamples=199)
    assert [one.metric for one in result.measures] == list(METRICS)
    for one in result.measures:
        low, high = one.null_range
        assert low <= one.null_mean <= high, one.metric
        assert one.excess == one.value - one.null_mean
        assert 1 / 100 <= one.p_value <= 1
        assert one.reason is None
        assert (one.p_value <= 0.05) == (not low <= one.value <= high), one.metric


def test_numbers_are_those_of_the_single_functions():
    """Drawn together or alone, a metric has the same value, null and p-value."""
    data = table()
    result = pb.measure(data, ["log-loss", "brier-score", "accuracy", "ece", "sce"], resamples=99)
    assert result["log-loss"].value == pytest.approx(pb.log_loss(data), rel=1e-12)
    assert result["brier-score"].value == pytest.approx(pb.brier_score(data), rel=1e-12)
    assert result["accuracy"].value == pytest.approx(pb.accuracy(data), rel=1e-12)
    for name, view in (("ece", None), ("sce", "classwise")):
        alone = pb.calibration_error(data, view=view, resamples=99)
        assert result[name].value == alone.value
        assert result[name].null_mean == alone.null_mean
        assert result[name].null_range == alone.null_range
        assert result[name].excess == alone.excess
        assert result[name].p_value == alone.p_value


def test_many_rows_have_the_same_null_together_and_alone():
    """Where the hits of bins are drawn and no labels, company still changes nothing."""
    source = np.random.default_rng(4)
    p = source.beta(2, 5, 1500)
    data = pb.Predictions.from_arrays(source.random(1500) < p, p)
    both = pb.measure(data, ["ece", "calibration-in-the-large"], resamples=59)
    error = pb.calibration_error(data, resamples=59)
    alone = pb.measure(data, "calibration-in-the-large", resamples=59)
    assert both["ece"].null_mean == error.null_mean
    assert both["ece"].p_value == error.p_value
    name = "calibration-in-the-large"
    assert both[name].null_range == alone[name].null_range


def test_weights_that_are_no_counts_do_not_mix_nulls():
    """The debiased error brings weights to counts for itself alone, whatever stands beside it."""
    source = np.random.default_rng(2)
    p = source.random(300)
    data = pb.Predictions.from_arrays(
        source.random(300) < p, p, weight=source.exponential(size=300)
    )
    names = ["debiased-l2", "calibration-in-the-large", "smooth-ece"]
    for order in (names, names[::-1]):
        result = pb.measure(data, order, resamples=59)
        for name in names:
            alone = pb.measure(data, name, resamples=59)[name]
            assert result[name].to_dict() == alone.to_dict()


@pytest.mark.parametrize("name", ["ece", "smooth-ece", "miscalibration", "skce", "kuiper"])
def test_company_changes_nothing(name):
    """A metric among the others has the null that it has alone."""
    data = table(n=80)
    among = pb.measure(data, list(METRICS), resamples=60)[name]
    assert among.to_dict() == pb.measure(data, name, resamples=60)[name].to_dict()


@pytest.mark.parametrize("name", ["log-loss", "brier-score", "skce", "kolmogorov-smirnov"])
def test_a_metric_and_its_test_agree(name):
    """`measure` and `calibration_test` of one name answer with one value and one null."""
    data = table()
    one = pb.measure(data, name, resamples=99)[name]
    test = pb.calibration_test(
        data, statistic=name, null="resample", alternative="two-sided", resamples=99
    )
    assert (one.value, one.p_value) == (test.value, test.p_value)


def test_arguments_go_to_the_metrics_that_take_them():
    """bins= belongs to the error beside which the log loss stands, and is no argument of it."""
    result = pb.measure(
        table(), ["log-loss", "ece", "mce"], bins="equal-size:5", norm=2, resamples=0
    )
    alone = pb.calibration_error(table(), bins="equal-size:5", norm=2, resamples=0)
    assert result["ece"].value == alone.value
    assert [one.scheme for one in result.measures] == [None, "equal-size:5", "equal-size:5"]


def test_an_argument_that_nobody_takes_is_refused():
    """The error says to whom it belongs."""
    with refused(pb.ParameterError, "argument-says-nothing", "log-loss", "ece", argument="bins"):
        pb.measure(table(), "log-loss", bins="equal-size:5")
    with refused(pb.ParameterError, "view-not-possible"):
        pb.measure(table(), ["ece", "kuiper"], view="classwise")


def test_without_names_the_usual_dozen_is_measured():
    """All that the view allows; nothing is refused that was not asked for."""
    assert [one.metric for one in pb.measure(table(), resamples=0).measures] == list(USUAL)
    result = pb.measure(table(), view="classwise", resamples=0).measures
    assert {"ece", "accuracy"} <= {one.metric for one in result} < set(USUAL)


def test_models_and_groups_are_measured_apart():
    """Every row is that of the rows of its model and group alone."""
    data = table(n=90, model=["a"] * 45 + ["b"] * 45, attributes={"site": ["x", "y", "y"] * 30})
    result = pb.measure(data, ["brier-score", "ece"], by="site", resamples=20)
    keys = [(one.model, one.group, one.metric) for one in result.measures]
    assert keys == [
        (m, g, s) for m in ("a", "b") for g in ("x", "y") for s in ("brier-score", "ece")
    ]
    for part, pair in zip(parts_of(data, "site"), _pairs(result.measures), strict=True):
        alone = pb.measure(part.data, ["brier-score", "ece"], resamples=20).measures
        assert [one.value for one in pair] == [one.value for one in alone]
        assert [one.p_value for one in pair] == [one.p_value for one in alone]
        assert pair[0].n == {"x": 15, "y": 30}[part.group]


def _pairs(measures):
    return zip(measures[::2], measures[1::2], strict=True)


def test_json_entries_name_their_group_and_how_rows_belong_together():
    """One entry a group, with the groups of rows that its scores allow for."""
    columns = {"groups": np.arange(200) // 4, "attributes": {"site": ["x", "y"] * 100}}
    data = table(**columns)
    whole, _ = pb.measure(data, "ece", resamples=0).json_entries()
    parts, _ = pb.measure(data, "ece", by="site", resamples=0).json_entries()
    assert [one.get("group") for one in (*whole, *parts)] == [None, "x", "y"]
    assert "group" not in whole[0]
    assert whole[0]["row_groups"] == 50
    assert [one["n"] for one in (*whole, *parts)] == [200, 100, 100]
    assert whole[0]["in_groups"]["count"] == 50
    alone, _ = pb.measure(data.in_groups(None), "ece", resamples=0).json_entries()
    assert "row_groups" not in alone[0]


def test_verdicts_beside_metrics_are_no_part_of_their_numbers():
    """The table and the tests of a result are not in its dictionary."""
    data = table()
    found = pb.measure(data, "ece", resamples=0)
    tested = found.beside({None: pb.calibration_test(data, resamples=39)})
    assert tested.to_dict() == found.to_dict()
    assert not {"data", "tests"} & found.to_dict().keys()


def test_a_number_is_cut_into_four_groups():
    """An attribute of many values makes four groups of equal size."""
    data = table(n=100, attributes={"age": np.arange(100)})
    result = pb.measure(data, "accuracy", by="age", resamples=0).measures
    assert [one.n for one in result] == [25] * 4


def test_rows_have_one_column_a_number():
    """The frame has the ranges in two columns each, and the reason last."""
    frame = pb.measure(table(), ["ece", "log-loss"], resamples=39).to_frame("pandas")
    assert frame.columns.tolist() == [
        "model",
        "group",
        "metric",
        "view",
        "scheme",
        "n",
        "effective_n",
        "value",
        "null_mean",
        "null_low",
        "null_high",
        "excess",
        "p_value",
        "interval_method",
        "low",
        "high",
        "reason",
    ]
    assert len(frame) == 2


def test_a_table_for_people_is_shown():
    """The text is aligned, the notebook shows a table that can be copied."""
    result = pb.measure(table(), ["ece", "log-loss"], resamples=39)
    lines = repr(result).splitlines()
    assert lines[1].split()[:4] == ["metric", "view", "value", "expected"]
    assert len({len(line) for line in lines[1:]}) == 1
    assert result._repr_html_().count("<tr>") == 3


def test_a_row_is_found_by_its_metric():
    """And only where it is one; other names are refused with the nearest."""
    result = pb.measure(table(model=["a", "b"] * 100), "ece", resamples=0)
    with refused(pb.ParameterError, "measured-several-times", "2 models"):
        result["ece"]
    with refused(pb.ParameterError, "not-measured", "'ece'"):
        result["ecee"]
    assert float(result.measures[0]) == result.measures[0].value


def test_an_infinite_score_says_why():
    """The log loss of an impossible row, its null, and the skill that goes with it."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0], [1.0, 0.5, 1.0, 0.2])
    result = pb.measure(data, ["log-loss", "log-loss-skill-score", "brier-score"], resamples=99)
    assert result["log-loss"].value == np.inf
    assert result["log-loss"].p_value == pytest.approx(2 / 100)
    assert "predicted probability 0" in result["log-loss"].reason
    assert result["log-loss-skill-score"].value == -np.inf
    assert result["brier-score"].reason is None
    assert result["log-loss"].to_dict()["value"] is None


def test_an_undefined_estimate_says_why():
    """No slope where all labels are alike: no number, no p-value, a reason, no crash."""
    data = pb.Predictions.from_arrays([1, 1, 1], [0.3, 0.6, 0.8])
    result = pb.measure(data, ["calibration-slope", "brier-skill-score"], resamples=99)
    assert np.isnan(result["brier-skill-score"].value)
    assert np.isnan(result["brier-skill-score"].p_value)
    assert "one class" in result["brier-skill-score"].reason
    assert "of 99 resamples" in result["brier-skill-score"].reason
    assert not np.isfinite(result["calibration-slope"].value)
    assert "all outcomes are the same" in result["calibration-slope"].reason


@pytest.mark.parametrize(
    ("y", "p", "slope", "intercept"),
    [
        (
            [0, 0, 1, 1],
            [0.1, 0.2, 0.7, 0.8],
            "infinite: no finite estimate fits: the scores separate",
            "undefined: the scores separate",
        ),
        (
            [1, 1, 1],
            [0.1, 0.2, 0.7],
            "undefined: all outcomes are the same",
            "infinite: all outcomes are the same",
        ),
        ([0, 1], [0.0, 1.0], "or all probabilities are 0 or 1", "or all probabilities are 0 or 1"),
    ],
)
def test_the_true_reason_is_given_where_a_logistic_fit_has_an_end(y, p, slope, intercept):
    """Separated labels, one class, certain rows: each has its own reason."""
    data = pb.Predictions.from_arrays(y, p, classes=[0, 1])
    result = pb.measure(data, ["calibration-slope", "cox-intercept"], resamples=0)
    assert slope in result["calibration-slope"].reason
    assert intercept in result["cox-intercept"].reason


def test_one_probability_has_the_intercept_of_the_cox_test():
    """80 rows at 0.7 tell no slope, and the intercept is the gap of the log odds."""
    data = pb.Predictions.from_arrays(np.arange(80) < 40, np.full(80, 0.7))
    result = pb.measure(data, ["calibration-slope", "calibration-intercept"], resamples=0)
    parts = pb.calibration_test(data, statistic="cox", resamples=9).parts
    values = {part["name"]: part["value"] for part in parts}
    assert values["intercept"] == pytest.approx(result["calibration-intercept"].value)
    assert np.isnan(values["slope"])
    assert np.isnan(result["calibration-slope"].value)
    assert "same" in result["calibration-slope"].reason
    assert result["calibration-intercept"].value == pytest.approx(-np.log(7 / 3))


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [({"level": 7}, "level"), ({"interval": True, "resamples": 0}, "resamples")],
)
def test_level_and_resamples_of_an_interval_are_checked_alike(arguments, argument):
    """By the calibration error and by the measures, whether an interval is asked for or not."""
    for measure in (pb.calibration_error, pb.measure):
        with pytest.raises(pb.ParameterError) as raised:
            measure(table(), **arguments)
        assert raised.value.argument == argument
        assert f"got {arguments[argument]}" in str(raised.value)


def test_labels_alone_have_an_accuracy_and_no_null():
    """What needs probabilities is refused by name, and left out of the usual dozen."""
    data = pb.Predictions.from_arrays([0, 1, 1], predicted=[0, 1, 0])
    (one,) = pb.measure(data).measures
    assert one.value == pytest.approx(2 / 3)
    assert "no p-value" in one.reason
    with refused(pb.InputError, "labels-only", "'ece'"):
        pb.measure(data, ["accuracy", "ece"])


def test_the_answer_depends_on_the_seed_alone():
    """Not on the workers; a generator advances, a seed does not."""
    data, names = table(), ["ece", "smooth-ece", "calibration-slope"]
    one = pb.measure(data, names, resamples=60, rng=3, workers=1)
    two = pb.measure(data, names, resamples=60, rng=3, workers=2)
    assert one.to_dict() == two.to_dict()
    rng = np.random.default_rng(1)
    first, second = (pb.measure(data, "ece", resamples=60, rng=rng)["ece"] for _ in range(2))
    assert first.null_mean != second.null_mean


def test_progress_counts_up_to_the_whole():
    """One bar for all models, groups and metrics."""
    calls = []
    data = table(model=["a", "b"] * 100)
    pb.measure(
        data, ["ece", "log-loss", "kuiper"], resamples=99, progress=lambda *pair: calls.append(pair)
    )
    shares = [done / total for done, total in calls]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_intervals_stand_beside_values():
    """interval=True adds ends, of errors and of estimates; the true error of these is inside."""
    result = pb.measure(
        table(), ["ece", "calibration-slope", "brier-score"], interval=True, resamples=99
    )
    for one in result.measures:
        low, high = one.interval_range
        assert low <= high
        assert METRICS[one.metric].least <= low
        assert f"{one.metric}" in repr(result)
    assert "95 % CI" in repr(result)
    error = pb.calibration_error(table(), interval=True, resamples=99)
    assert error.interval_range == result["ece"].interval_range
    assert error.level == 0.95
    assert pb.calibration_error(table(), resamples=0).interval_range is None


def test_labels_are_drawn_once_for_all_metrics_of_a_view(monkeypatch):
    """All metrics of a table of two classes need four drawings: rows in four orders."""
    module = sys.modules["plumbline.metrics.measure"]

    calls = []
    drawn = module.resampled
    monkeypatch.setattr(module, "resampled", lambda *a, **k: calls.append(1) or drawn(*a, **k))
    pb.measure(table(k=2), list(METRICS), resamples=2)
    assert len(calls) <= 4


def test_an_interval_without_draws_is_given_or_refused_by_metric():
    """The area's interval is a formula; that of the log loss needs draws, and is named."""
    rng = np.random.default_rng(0)
    prob = rng.random(80)
    data = pb.Predictions.from_arrays(rng.random(80) < prob, prob)
    area = pb.measure(data, "roc-auc", interval=True, resamples=0)["roc-auc"]
    assert area.interval_range[0] < area.value < area.interval_range[1]
    with refused(pb.ParameterError, "resamples-missing", "'log-loss'", argument="resamples"):
        pb.measure(data, ["roc-auc", "log-loss"], interval=True, resamples=0)
