"""The catalogue: every metric by name, on tables of two and of several classes."""

import importlib.util
import inspect
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb
from plumbline.calibration_errors import TESTS, StatisticParams
from plumbline.formatting import SCORE_NAMES, titles_in
from plumbline.metrics import ARGUMENTS, METRICS, USUAL, metric_named, metrics_named
from plumbline.nulls import observed
from refusals import refused

ROOT = Path(__file__).parents[2]

PROMISED = {
    *("log-loss", "brier-score", "brier-score-multiclass", "accuracy"),
    *("brier-skill-score", "log-loss-skill-score"),
    *("ece", "ace", "average-calibration-error", "sce", "tace", "mce", "rmsce", "debiased-l2"),
    *("debiased-l2-kumar", "sweep-ece", "overconfidence", "underconfidence"),
    *("smooth-ece", "kde-ece", "ici", "e50", "e90", "emax"),
    *("skce", "skce-biased", "skce-block", "mmce", "kolmogorov-smirnov", "kuiper"),
    *("miscalibration", "discrimination", "uncertainty"),
    *("calibration-in-the-large", "calibration-intercept", "calibration-slope", "cox-intercept"),
    "observed-to-expected",
    *("recall", "specificity", "precision", "npv", "fnr", "fpr", "fdr", "for", "error-rate"),
    *("queue-rate", "prevalence", "balanced-accuracy", "g-mean", "f1", "f2", "f05", "jaccard"),
    *("fowlkes-mallows", "informedness", "markedness", "mcc", "kappa", "kappa-linear"),
    *("kappa-quadratic", "equitable-threat-score", "wracc", "lift", "plr", "nlr", "dor"),
    *("frequency-bias", "prevalence-threshold", "roc-auc", "average-precision"),
}


def table(k, n=60, seed=1, weight=None):
    """Return rows whose labels come from their probabilities."""
    y, prob = drawn(k, n, seed)
    return pb.Predictions.from_arrays(y, prob, classes=range(k), weight=weight)


@cache
def drawn(k, n, seed):
    """Return labels and their probabilities."""
    rng = np.random.default_rng(seed)
    prob = np.round(rng.dirichlet(np.ones(k), n) * 32) / 32
    prob[:, 0] = 1 - prob[:, 1:].sum(axis=1)
    return [rng.choice(k, p=row) for row in prob], prob


def value(name, data):
    """Return the metric of the observed labels."""
    return float(observed(METRICS[name].subject(data, StatisticParams()).statistic))


def test_the_names_are_those_that_were_promised():
    """No metric is missing, and none came in unnoticed."""
    assert set(METRICS) == PROMISED
    assert set(USUAL) < PROMISED


def test_no_two_metrics_share_a_name():
    """Names and other names are all different, in the one spelling that is looked up."""
    names = [name for row in METRICS.values() for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))
    assert all(name == name.casefold() and "_" not in name and " " not in name for name in names)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("smECE", "smooth-ece"),
        ("ECCE-MAD", "kolmogorov-smirnov"),
        ("ECCE-R", "kuiper"),
        ("cw-ECE", "sce"),
        ("SCE", "sce"),
        ("MCB", "miscalibration"),
        ("O/E", "observed-to-expected"),
        ("log_loss", "log-loss"),
        ("Brier score", "brier-score"),
        ("sensitivity", "recall"),
        ("PPV", "precision"),
        ("hit rate", "recall"),
        ("F0.5", "f05"),
        ("phi", "mcc"),
        ("AUC", "roc-auc"),
        ("cohen_kappa", "kappa"),
        ("Youden’s J", "informedness"),
    ],
)
def test_other_names_find_their_metric(typed, name):
    """Case, underscores and the names of the literature do not matter."""
    assert metric_named(typed).name == name


def test_every_name_that_is_printed_finds_its_metric():
    """Names, other names and titles, in any case; no two metrics share one."""
    for row in METRICS.values():
        for name in (row.name, *row.aliases, *titles_in(row.title)):
            for typed in (name, name.upper(), name.replace("-", " ")):
                assert metric_named(typed) is row, typed


def test_an_unknown_name_is_refused_with_the_nearest():
    """The error says where all names stand, and which is near."""
    with refused(pb.ParameterError, "unknown-metric", "'smooth-ece'", argument="metrics"):
        metric_named("smoth-ece")
    with refused(pb.ParameterError, "unknown-metric", "negative", argument="metrics"):
        metric_named("Negative predictiv value")
    with refused(pb.ParameterError, "unknown-metric", argument="metrics"):
        metric_named(3)
    with refused(pb.ParameterError, "nothing-named", argument="metrics"):
        metrics_named([])


def test_a_name_given_twice_is_measured_once():
    """Names keep their order, and another name of the same metric adds nothing."""
    rows = metrics_named(["ece", "brier", "expected-calibration-error"])
    assert [row.name for row in rows] == ["ece", "brier-score"]


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("name", METRICS)
def test_values_are_finite_and_within_their_range(name, k):
    """On rows whose labels come from their probabilities."""
    row = METRICS[name]
    result = value(name, table(k))
    assert row.least - 1e-12 <= result <= row.most + 1e-12


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("name", [name for name in METRICS if not name.startswith("skce")])
def test_a_weight_is_a_repetition_and_the_order_of_rows_does_not_matter(name, k):
    """Whole weights give the number of the repeated rows, mixed up.

    Not so the squared kernel error: its kernel is as wide as rows lie apart, and whether a row is
    paired with itself is another question than whether it is paired with its repetition.
    """
    weight = np.random.default_rng(3).integers(0, 3, 60)
    data = table(k)
    index = np.repeat(np.arange(60), weight)
    repeated = data.select(where=np.random.default_rng(4).permutation(index))
    assert value(name, table(k, weight=weight)) == pytest.approx(value(name, repeated), abs=1e-9)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("name", METRICS)
def test_the_true_value_for_certain_labels_is_the_observed_one(name, k):
    """`at` of shares 0 and 1 is the value of those labels, if rows pair with themselves."""
    what = METRICS[name].subject(table(k), StatisticParams()).statistic
    sure = np.eye(what.prob.shape[1])[what.actual]
    if not METRICS[name].by_row:
        assert what.at(sure) == pytest.approx(float(observed(what)), abs=1e-9)
    else:  # unbiased: the true value knows no pairs to leave out
        assert np.isfinite(what.at(sure))


@pytest.mark.parametrize("view", ["top-label", "classwise", "one-vs-rest:1"])
@pytest.mark.parametrize("score", ["brier-score", "log-loss", "spherical-score"])
def test_the_parts_of_a_score_add_up(view, score):
    """Miscalibration - discrimination + uncertainty is the score itself, for any view."""
    data = table(3, n=200)
    result = pb.measure(
        data,
        ["miscalibration", "discrimination", "uncertainty"],
        view=view,
        score=score,
        resamples=0,
    )
    mcb, dsc, unc = (one.value for one in result.measures)
    binary_views = {
        "top-label": [data.top_label()],
        "one-vs-rest:1": [data.one_vs_rest("1")],
        "classwise": [data.one_vs_rest(name) for name in data.classes],
    }
    means = [_mean_score(binary, score) for binary in binary_views[view]]
    assert mcb - dsc + unc == pytest.approx(np.mean(means), abs=1e-12)


def _mean_score(binary, score):
    p, y = binary.prob[:, 1].astype(float), binary.actual
    own = np.where(y == 1, p, binary.prob[:, 0])
    if score == "brier-score":
        return np.square(p - y).mean()
    if score == "log-loss":
        return -np.log(own).mean() if (own > 0).all() else np.inf
    return (1 - own / np.hypot(p, binary.prob[:, 0])).mean()


@pytest.mark.parametrize("name", METRICS)
def test_what_a_metric_takes_it_knows(name):
    """Arguments are those there are, and the usual ones are among them."""
    row = METRICS[name]
    assert set(row.takes) <= set(ARGUMENTS)
    assert set(row.usual) <= set(row.takes)
    assert not set(row.fixed) & set(row.takes)
    assert row.kind in ("score", "rate", "ranking", "error", "estimate")
    assert row.better in ("lower", "higher", "zero", "one", "none")
    assert row.interval in ("error", "estimate", "rows")
    assert (row.needs == "labels") or not row.decides
    assert row.formula


@pytest.mark.parametrize("name", METRICS)
def test_what_means_nothing_to_a_metric_is_refused(name):
    """Every argument that it does not take, by name."""
    row = METRICS[name]
    data = table(3)
    for argument in set(ARGUMENTS) - set(row.takes):
        with refused(pb.ParameterError, "argument-says-nothing", argument=argument):
            row.subject(data, StatisticParams(**{argument: "ece"}))
    if "view" in row.takes and "joint" not in row.views:
        with refused(pb.ParameterError, "view-not-possible"):
            row.subject(data, StatisticParams(view="joint"))


@pytest.mark.parametrize("name", METRICS)
def test_every_view_that_is_listed_can_be_measured(name):
    """No view of the table is an empty promise."""
    row, data = METRICS[name], table(3)
    more = {"one-vs-rest": ":1", "top-k": ":2"}
    for view in row.views if "view" in row.takes else ():
        result = row.subject(data, StatisticParams(view=view + more.get(view, "")))
        assert result.view.partition(":")[0] == view


def test_adaptive_errors_keep_bins_of_equal_size():
    """Another binning would make them another error."""
    for name in ("ace", "tace"):
        with refused(pb.ParameterError, "bins-of-equal-size", argument="bins"):
            METRICS[name].subject(table(3), StatisticParams(bins="equal-width:10"))


def test_the_list_holds_every_metric_and_every_test():
    """One row a name; the frame has a column for each fact."""
    rows = pb.list_names().rows()
    assert [row["name"] for row in rows if row["kind"] != "test"] == list(METRICS)
    assert [row["name"] for row in rows if row["kind"] == "test"] == list(TESTS)
    frame = pb.list_names().to_frame("pandas")
    assert {"title", "formula", "reference", "takes", "aliases"} <= set(frame.columns)
    assert "smooth-ece" in repr(pb.list_names())
    assert "<th" in pb.list_names()._repr_html_()


def test_scores_have_one_title():
    """The words for the three oldest scores are the same everywhere."""
    for key, title in SCORE_NAMES.items():
        assert METRICS[key.replace("_", "-")].title == title


def test_the_page_of_names_is_fresh():
    """docs/catalogue.md is what scripts/catalogue_page.py writes today."""
    file = ROOT / "scripts" / "catalogue_page.py"
    spec = importlib.util.spec_from_file_location("catalogue_page", file)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.PAGE.read_text("utf-8") == script.page(), "run scripts/catalogue_page.py"


def test_the_pages_name_no_metric_that_there_is_not():
    """Every `--metrics` of a command can be measured; `measure` takes every argument there is."""
    for page in ("errors.md", "cli.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        commands = re.findall(r"^\$ plumbline .*--metrics (\S+)", text, re.MULTILINE)
        assert commands
        assert all(metrics_named(names.split(",")) for names in commands)
    assert set(ARGUMENTS) <= set(inspect.signature(pb.measure).parameters)
