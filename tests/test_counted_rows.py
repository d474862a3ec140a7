"""Every answer about a counted table is that of the same table with its rows repeated."""

import dataclasses
import json
import re
import warnings
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, ks_2samp

import plumbline as pb
from counted_tables import DRAWN, HARD, levels, same
from laws import examples, law, some
from plumbline.calibration import define_error, statistic, with_merged_rows
from plumbline.confusion import rated_matrix
from plumbline.curves import PRESETS
from plumbline.gate import proposed_rules
from plumbline.intervals import interval_of
from plumbline.metrics import METRICS as METRICS_BY_NAME
from plumbline.metrics import model_scores
from plumbline.nulls import observed
from plumbline.predictions import (
    COUNTED,
    as_drawn,
    coarsened,
    count_examples,
    dealt_counts,
    examples_in,
    in_order,
    ordered,
)
from plumbline.predictions.counted import REFUSED, as_counts
from plumbline.recalibration import METHODS as RECALIBRATIONS
from plumbline.reporting.curve_chapter import model_curves
from plumbline.reporting.model_details import model_details
from strategies import Binary, binary_tables

counts = binary_tables(least_weight=0).filter(lambda table: table.weight.sum() > 1)
measuring = import_module("plumbline.metrics.measure")
tables = law("data", HARD.values(), number=4)


def counted_from(table: Binary) -> pb.Predictions:
    """Return a drawn table with its weights as counts."""
    return pb.Predictions.from_arrays(table.event, table.score, count=table.weight, classes=[0, 1])


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell whether draws of a counted table and of its repeated rows look like one law."""
    known = [draws[np.isfinite(draws)].round(12) for draws in (one, other)]
    infinite = [len(draws) - len(k) for draws, k in zip((one, other), known, strict=True)]
    assert abs(infinite[0] - infinite[1]) <= 4 * np.sqrt(1 + sum(infinite))
    return min(map(len, known)) == 0 or ks_2samp(*known, method="asymp").pvalue > 1e-4


def ignoring(function: Any, *args: Any, **named: Any) -> Any:
    """Call a function without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        return function(*args, **named)


# ---------------------------------------------------------------- scores and errors


@given(counts)
def test_scores(table):
    """Scores of counted rows are those of the repeated rows."""
    data = counted_from(table)
    for score in (pb.log_loss, pb.brier_score, pb.accuracy):
        assert score(data) == pytest.approx(score(data.repeated()), rel=1e-12)


BINS = ("equal-width:15", "equal-size:10", "one-per-value", "one-per-point", "isotonic", 5)


@settings(max_examples=examples(60))
@given(counts)
def test_calibration_errors_of_any_bins(table):
    """Bins, their edges, counts and sums are those of the repeated rows."""
    data = counted_from(table)
    for bins in BINS:
        one, other = (
            pb.calibration_error(part, bins=bins, resamples=0) for part in (data, data.repeated())
        )
        same(one.to_dict(), other.to_dict())


@tables
@pytest.mark.parametrize("bins", BINS)
def test_null_of_calibration_errors(data, bins):
    """The null draws every one of the rows, not one a count."""
    one, other = (pb.calibration_error(part, bins=bins) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), leave=set(DRAWN) - {"value"})
    assert alike(one.null_values, other.null_values)


@tables
def test_interval_of_the_error(data):
    """Intervals are those of the repeated rows, up to their own noise."""
    one, other = (
        pb.calibration_error(part, interval=True).interval_range for part in (data, data.repeated())
    )
    assert one == pytest.approx(other, abs=0.05, nan_ok=True)


@pytest.mark.parametrize("view", ["top-label", "classwise", "joint", "one-vs-rest:0"])
def test_views_of_the_error(view):
    """Every view of two classes keeps the counts."""
    data = HARD["overconfident"]
    one, other = (pb.calibration_error(part, view=view) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), leave=set(DRAWN) - {"value"})
    assert alike(one.null_values, other.null_values)


@tables
def test_conventions_of_other_projects(data):
    """Rules for the edges of equal-width bins look at the scores alone."""
    one, other = (pb.compare_presets(part, bins=10) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict())
    with pytest.raises(pb.InputError) as refused:
        pb.calibration_error(data, bins="equal-size:10", like="sklearn")
    assert refused.value.code == "counted-rows"


# ---------------------------------------------------------------- tests

STATISTICS = (
    *("ece", "log-loss", "brier-score", "chi-square", "spiegelhalter", "hosmer-lemeshow", "cox"),
    *("kolmogorov-smirnov", "kuiper"),
)


@tables
@pytest.mark.parametrize("statistic", STATISTICS)
def test_drawn_nulls_of_tests(data, statistic):
    """Every test draws as from the repeated rows."""
    one, other = (
        pb.calibration_test(part, statistic=statistic, null="resample")
        for part in (data, data.repeated())
    )
    same(one.to_dict(), other.to_dict(), leave=[*DRAWN])
    assert one.value == pytest.approx(other.value, rel=1e-8, abs=1e-9)
    assert alike(one.null_values, other.null_values)


@tables
@law("statistic", STATISTICS[:6], number=3)
def test_exact_nulls(data, statistic):
    """Exact bounds of both tables hold one p-value."""
    one, other = (
        pb.calibration_test(part, statistic=statistic, null="exact")
        for part in (data, data.repeated())
    )
    low, high = one.p_bounds
    assert low <= other.p_bounds[1] * (1 + 1e-9)
    assert high >= other.p_bounds[0] * (1 - 1e-9)
    assert one.null_mean == pytest.approx(other.null_mean, rel=1e-8, abs=1e-9, nan_ok=True)
    assert (one.n, one.null) == (other.n, other.null)


@tables
@pytest.mark.parametrize("statistic", STATISTICS)
def test_asymptotic_nulls(data, statistic):
    """Approximations see the number of rows."""
    answers = []
    for part in (data, data.repeated()):
        try:
            found = ignoring(pb.calibration_test, part, statistic=statistic, null="asymptotic")
        except pb.ParameterError as error:
            answers.append({"refused": error.code})
        else:
            answers.append(found.to_dict())
    same(*answers, leave=["verdict"], tolerance=1e-6)


@tables
def test_omnibus(data):
    """Families, their values and p-values are those of the repeated rows."""
    one, other = (pb.calibration_test(part) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), leave=[*DRAWN, "finding", "fault", "shape"])
    assert one.p_value == pytest.approx(other.p_value, abs=0.2)  # of one seed: sd .03 and .055
    assert (one.fault is None) == (other.fault is None)
    mine, theirs = ({part["name"]: part for part in what.parts} for what in (one, other))
    for name, part in mine.items():
        known = np.isfinite(part["value"])
        assert not known or part["value"] == pytest.approx(theirs[name]["value"], abs=1e-7)
        assert part["p_value"] == pytest.approx(theirs[name]["p_value"], abs=0.08)


@pytest.mark.laws
def test_omnibus_keeps_its_level():
    """Calibrated tables of counts are rejected in 5 % of cases."""
    rng = np.random.default_rng(5)
    prob = np.linspace(0.02, 0.98, 25) ** 2
    rejected, seeds = 0, some(range(400), 150)
    for seed in seeds:
        hits = rng.binomial(12, prob)
        count = np.append(12 - hits, hits)
        data = pb.Predictions.from_arrays(np.repeat([0, 1], 25), np.tile(prob, 2), count=count)
        rejected += pb.calibration_test(data, resamples=39, rng=seed).p_value <= 0.05
    assert binomtest(rejected, len(seeds), 0.05).pvalue > 0.003


@pytest.mark.laws
def test_omnibus_of_merged_cells_keeps_its_level():
    """Labels come from 30,000 probabilities, the null from the few that they are merged to."""
    rng = np.random.default_rng(6)
    prob = np.sort(rng.uniform(size=30_000))
    rejected, seeds = 0, some(range(60), 30)
    for seed in seeds:
        hits = rng.binomial(40, prob)
        count = np.append(40 - hits, hits)
        event = np.repeat([0, 1], len(prob))
        data = pb.Predictions.from_arrays(event, np.tile(prob, 2), count=count)
        rejected += (
            pb.calibration_test(coarsened(data, 300), resamples=39, rng=seed).p_value <= 0.05
        )
    assert binomtest(rejected, len(seeds), 0.05).pvalue > 0.003


@law("fault", [1.05, 1.0], number=1)
def test_large_tables_in_memory_are_tested_by_the_same_cells(fault, monkeypatch):
    """The families hardly change, and the answer is that of the counted table to the last digit."""
    rng = np.random.default_rng(11)
    p = rng.beta(0.5, 2, 60_000)
    truth = p**fault / (p**fault + (1 - p) ** fault)
    y = rng.random(len(p)) < truth
    data = pb.Predictions.from_arrays(y, p)
    large = pb.calibration_test(data, resamples=99)
    counted = pb.calibration_test(pb.Predictions.from_arrays(y, p, count=np.ones(len(p), int)))
    again = pb.calibration_test(data)
    assert (again.p_value, again.verdict) == (counted.p_value, counted.verdict)
    assert (again.n, again.effective_n) == (60_000, 60_000)
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 10**9)
    single = pb.calibration_test(data, resamples=99)
    assert large.shape == single.shape
    values = {part["name"]: part["value"] for part in large.parts}
    for part in single.parts:
        assert values[part["name"]] == pytest.approx(part["value"], abs=0.1, rel=0.02)


def test_metrics_of_large_tables_in_memory_are_those_of_counted_ones(monkeypatch):
    """Only metrics that compare rows draw row by row."""
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 150)
    monkeypatch.setattr("plumbline.predictions.counted.DRAWN_CELLS", 100)
    rng = np.random.default_rng(4)
    p = rng.beta(0.5, 2, 200)
    y = rng.random(200) < p
    data = pb.Predictions.from_arrays(y, p)
    order = np.argsort(p)
    counted = pb.Predictions.from_arrays(y[order], p[order], count=np.ones(200, int))
    single = {name for name, row in METRICS_BY_NAME.items() if row.by_row}
    assert single == {"skce", "skce-biased", "skce-block", "mmce"}
    names = [n for n, row in METRICS_BY_NAME.items() if row.serves(data)]
    how = {"resamples": 19, "interval": True}
    found = pb.measure(data, names, **how).measures
    assert [one.metric for one in found] == names
    expected = pb.measure(counted, [name for name in names if name not in single], **how)
    same(
        [one.to_dict() for one in found if one.metric not in single],
        [one.to_dict() for one in expected.measures],
    )
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 10**9)
    alone = pb.measure(data, [name for name in names if name in single], **how).measures
    same([one.to_dict() for one in found if one.metric in single], [o.to_dict() for o in alone])


def test_curves_of_large_tables_in_memory_are_drawn_as_those_of_counted_ones(monkeypatch):
    """Bands and plateaus draw the rows between two states at once; examples are drawn whole."""
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 5_000)
    rng = np.random.default_rng(5)
    p = rng.uniform(size=5_000)
    y = (rng.random(5_000) < p).astype(int)
    data = pb.Predictions.from_arrays(y, p)
    counted = pb.Predictions.from_arrays(y, p, count=np.ones(5_000, int))
    examples = dataclasses.replace(data, row=np.arange(5_000) // 2)

    def found_in(table):
        best = pb.best_threshold(table, "F1", resamples=20)
        (line,) = pb.curve(table, "roc", band="bootstrap", resamples=20).lines
        return [np.ravel(best.plateau), best.honest_value, *line.more.values()]

    large, whole = found_in(data), found_in(examples)
    same(found_in(counted), large)
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 10**9)
    same(found_in(examples), whole)
    assert not np.array_equal(found_in(data)[-1], large[-1])


def test_folds_of_few_thresholds_are_dealt_by_their_counts(monkeypatch):
    """Many rows of few ratings are dealt as counts, each into one fold."""
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 500)
    rng = np.random.default_rng(5)
    p = rng.uniform(size=2_000).round(1)
    data = pb.Predictions.from_arrays(rng.random(2_000) < p, p)
    best = pb.best_threshold(data, resamples=20)
    again = pb.best_threshold(in_order(as_counts(data)), resamples=20)
    assert best.honest_value == again.honest_value == pytest.approx(best.value, abs=0.02)
    assert pb.best_threshold(data, "cumm(eP)", resamples=20).honest_value == data.actual.sum()


def test_a_report_orders_the_rows_once_and_finds_the_same(monkeypatch):
    """The closer look and the curves of a table by its probabilities are those of its rows."""
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 200)
    rng = np.random.default_rng(6)
    p = rng.uniform(size=300)
    data = pb.Predictions.from_arrays(rng.random(300) < p, p)
    how = {"view": None, "test": None, "resamples": 39, "attributes": 0, "rng": 0}
    look = partial(model_details, data, **how, workers=1, progress=None)
    same(look(merged=ordered(data)).to_dict(), look().to_dict())
    drawn = [model_curves(one, ["1"], rng=0, progress=None) for one in (ordered(data), data)]
    same(*(one.to_dict() for one in drawn))


@pytest.mark.parametrize("bins", ["isotonic", "monotone-sweep", "one-per-point", "equal-size:5"])
def test_errors_of_large_tables_in_memory_keep_their_value(bins, monkeypatch):
    """Bins that depend on the outcomes are drawn on cells; the error is that of all rows."""
    rng = np.random.default_rng(6)
    p = rng.beta(0.5, 2, 600)
    data = pb.Predictions.from_arrays(rng.random(600) < p, p)
    single = pb.calibration_error(data, bins=bins, resamples=199)
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 500)
    monkeypatch.setattr("plumbline.predictions.counted.DRAWN_CELLS", 300)
    large = pb.calibration_error(data, bins=bins, resamples=199)
    assert large.value == single.value
    assert large.bins == single.bins
    assert large.null_mean == pytest.approx(single.null_mean, rel=0.15)
    assert alike(large.null_values, single.null_values)


@pytest.mark.parametrize("metric", ["miscalibration", "discrimination", "smooth-ece", "log-loss"])
def test_nulls_of_merged_cells_are_centred_as_those_of_rows(metric, monkeypatch):
    """What cells lack beside rows is what it is for the rows' own labels."""
    rng = np.random.default_rng(8)
    p = rng.beta(0.7, 1.3, 4000)
    data = pb.Predictions.from_arrays(rng.random(4000) < p, p)
    one = pb.measure(data, metric, resamples=199).measures[0]
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 500)
    monkeypatch.setattr("plumbline.predictions.counted.coarsened.__defaults__", (400,))
    other = pb.measure(data, metric, resamples=199).measures[0]
    assert other.value == pytest.approx(one.value, rel=1e-12)
    assert other.null_mean == pytest.approx(one.null_mean, rel=0.06)
    assert other.null_range == pytest.approx(one.null_range, rel=0.1)


@given(counts, st.booleans())
def test_rows_in_order_are_the_same_rows(table, labelled):
    """Equal probabilities of an outcome, and of a predicted label, become one row."""
    data = counted_from(table)
    if labelled:
        data = dataclasses.replace(data, label=(np.arange(data.stored) % 2).astype(np.int32))
    few = in_order(data)
    columns = [
        np.column_stack([part.prob, part.actual, part.predicted])[
            np.repeat(np.arange(part.stored), part.mass.astype(int))
        ]
        for part in (data, few)
    ]
    one, other = (rows[np.lexsort(rows.T)] for rows in columns)
    np.testing.assert_array_equal(one, other)
    assert len(np.unique(other, axis=0)) == few.stored
    assert np.all(np.diff(few.prob[:, 1]) >= 0)


def test_many_rows_of_few_probabilities_are_drawn_by_their_counts(monkeypatch):
    """What is drawn of 20,000 rows at 101 probabilities are 202 numbers, in test and metrics."""
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 500)
    rng = np.random.default_rng(3)
    p = rng.beta(0.7, 1.3, 20_000).round(2)
    data = pb.Predictions.from_arrays(rng.random(20_000) < p, p)
    few = as_drawn(data)
    assert few.stored <= 202 < few.n == 20_000
    used = []
    whole = measuring.null_values
    monkeypatch.setattr(
        measuring,
        "null_values",
        lambda what, *args, **more: used.append(what) or whole(what, *args, **more),
    )
    measures = pb.measure(data, resamples=39).measures
    assert max(len(one.actual) for one in used[0] if hasattr(one, "actual")) <= 202
    same(
        [one.value for one in measures],
        [one.value for one in pb.measure(data.repeated(), resamples=0).measures],
    )


# ---------------------------------------------------------------- merged probabilities


@settings(max_examples=examples(60))
@given(binary_tables(least=12, least_weight=1))
def test_merging_keeps_counts_and_means(table):
    """Merged cells keep counts, sums of p, the ends and the side of 1/2."""
    data = counted_from(table)
    few = coarsened(data, 8)
    width = np.ptp(np.log([63.0, 1 / 63])) / 4  # scores are k / 64
    assert (few.total, few.counted) == (data.total, True)
    assert len(np.unique(few.prob[:, 1])) <= 8
    for one, other in ((few.prob[:, 1], data.prob[:, 1]), (few.actual, data.actual)):
        assert few.mass @ one == pytest.approx(data.mass @ other)
    for end in (0.0, 1.0):
        assert few.mass[few.prob[:, 1] == end].sum() == data.mass[data.prob[:, 1] == end].sum()
    below = [float(part.mass[part.prob[:, 1] < 0.5].sum()) for part in (data, few)]
    assert below[0] == below[1]
    inside = (few.prob[:, 1] > 0) & (few.prob[:, 1] < 1)
    for p in data.prob[(data.prob[:, 1] > 0) & (data.prob[:, 1] < 1), 1]:
        assert np.abs(np.log(few.prob[inside, 1] / p)).min() <= width + 1e-9


# ---------------------------------------------------------------- the table itself


def test_table_says_how_many_rows_it_stands_for():
    """Numbers of rows, parts and views of a counted table."""
    data = HARD["levels"]
    many = data.repeated()
    assert (data.total, data.effective_n) == (many.n, float(many.n)) == (many.total, many.n)
    assert (data.n, len(data)) == (many.n, len(many)) == (data.total, many.stored)
    assert examples_in(data) == count_examples(data).n == data.n
    assert (data.counted, many.counted, many.weight) == (True, False, None)
    assert data.select(where=data.actual == 1).total == int((many.actual == 1).sum())
    assert data.one_vs_rest("0").counted
    assert f"{many.n:,} rows counted in {data.stored:,}" in repr(data)


MORE = {
    "calibration_by": {"by": "site"},
    "calibration_error": {"resamples": 99},
    "calibration_test": {"resamples": 99},
    "calibration_test_by": {"by": "site", "resamples": 99},
    "check": {"rules": [{"metric": "recall", "at_least": 0.5}]},
    "class_counts": {"by": "site"},
    "conditional_bias": {"feature": "site"},
    "curve": {"preset": "roc"},
    "monitor": {"by": "site", "resamples": 19},
    "plan": {"statistic": "brier-score", "datasets": 30, "resamples": 39},
    "recalibrate": {"method": "temperature"},
    "worst_slice": {"resamples": 19},
}
NO_TABLE = {"save_curve", "report", "model_scores", "rated_matrix", "proposed_rules"}


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@law("name", sorted(COUNTED - NO_TABLE), number=15)
def test_no_answer_tells_levels_for_rows(in_groups, name):
    """Of a table of many levels no number of rows is theirs, in numbers and in words."""
    data = in_groups
    result = getattr(pb, name)(data, **MORE.get(name, {}))
    values = result.to_dict() if hasattr(result, "to_dict") else result
    told = [path for path, value in numbers_in(values) if value == data.stored]
    assert not [path for path in told if "points" not in path]
    text = str(result).replace(",", "")
    assert not re.search(rf"\b{data.stored}\b", text)


def numbers_in(values, path=""):
    """Yield every number of an answer with its path."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from numbers_in(value, f"{path}.{name}")
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from numbers_in(value, path)
    else:
        yield path, values


def test_frame_and_file_keep_counts(tmp_path):
    """Frames and files hold counts in a column of their own."""
    data = HARD["overconfident"]
    data.write(tmp_path / "table.parquet")
    data.write(tmp_path / "table.csv")
    for again in (
        pb.Predictions.from_frame(data.to_frame()),
        pb.read(tmp_path / "table.parquet"),
        pb.read(tmp_path / "table.csv"),
    ):
        assert again.counted
        assert again.fingerprint() == data.fingerprint()


def test_column_called_count_is_an_attribute():
    """Only the reserved name, or a renamed column, counts rows."""
    frame = pb.Predictions.from_arrays([0, 1], [0.2, 0.6], attributes={"count": [3, 4]}).to_frame()
    data = pb.Predictions.from_frame(frame)
    assert not data.counted
    assert data.attributes["count"].tolist() == [3, 4]
    assert pb.Predictions.from_frame(frame, rename={"count": "count:rows"}).total == 7


def test_fingerprint_tells_counts_from_weights():
    """The same numbers as weights are another table."""
    counted, weighted = (
        pb.Predictions.from_arrays([0, 1], [0.2, 0.6], **{name: [3, 4]})
        for name in ("count", "weight")
    )
    assert counted.fingerprint() != weighted.fingerprint()


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"count": [1, 2], "weight": [1, 2]}, "arguments-exclude"),
        ({"count": [1, 2], "row": ["a", "b"]}, "arguments-exclude"),
        ({"count": [1, 0.5]}, "counts-out-of-range"),
        ({"count": [1, -1]}, "counts-out-of-range"),
        ({"count": [1, np.nan]}, "counts-out-of-range"),
        ({"count": [1, 1e17]}, "counts-out-of-range"),
        ({"count": [0, 0]}, "counts-all-zero"),
        ({"count": [0, 1]}, "too-few-rows"),
        ({"count": [[1], [2]]}, "wrong-shape"),
        ({"count": [3]}, "lengths-differ"),
    ],
)
def test_refused_counts(named, code):
    """Counts are whole, not negative, and exclude weights and identities."""
    with pytest.raises(pb.InputError) as refused:
        pb.Predictions.from_arrays([0, 1], [0.2, 0.6], **named)
    assert refused.value.code == code


def test_counts_need_two_classes():
    """A table of more classes is refused."""
    with pytest.raises(pb.InputError) as refused:
        pb.Predictions.from_arrays([0, 2], [[0.5, 0.2, 0.3]] * 2, count=[2, 3])
    assert refused.value.code == "counts-of-two-classes"


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_single_rows_is_refused(name):
    """Functions that are not proven for counts refuse them, and say what they need."""
    data = HARD["levels"]
    tables = [({"a": data, "b": data},)] if name == "compare" else []
    for args in ((data,), (None, data), *tables):
        with pytest.raises(pb.InputError) as refused:
            getattr(pb, name)(*args)
        assert refused.value.code == "counted-rows"
        assert REFUSED[name] in str(refused.value)


@pytest.fixture(scope="module")
def in_groups():
    """Return a table of counts with a text, a number of few values, and a truth."""
    data, rng = levels(2, 120, 30, 1.5), np.random.default_rng(0)
    attributes = {
        "site": np.array(list("abc"))[rng.integers(0, 3, data.stored)],
        "size": rng.integers(1, 8, data.stored).astype(float),
        "night": rng.integers(0, 2, data.stored).astype(bool),
    }
    return dataclasses.replace(data, attributes=attributes)


@pytest.mark.parametrize("feature", ["site", "size"])
@pytest.mark.parametrize("merged", [False, True])
def test_conditional_biases(in_groups, feature, merged, monkeypatch):
    """Biases and their intervals are those of the repeated rows, bands up to noise."""
    if merged:
        monkeypatch.setattr("plumbline.calibration_errors.group_sums.DRAWN_CELLS", 20)
        monkeypatch.setattr("plumbline.predictions.counted.logit_cells.__defaults__", (40,))
    one, other = (pb.conditional_bias(part, feature) for part in (in_groups, in_groups.repeated()))
    ends = ("band_low", "band_high")
    same(one.to_dict(), other.to_dict(), leave=[*ends, "p_value", "verdict"])
    for mine, theirs in zip(one.bins, other.bins, strict=True):
        wide = theirs["band_high"] - theirs["band_low"]
        for end in ends:
            assert mine[end] == pytest.approx(theirs[end], abs=0.15 * wide)


@pytest.mark.parametrize("least", [None, 300])
def test_worst_slices(in_groups, least):
    """The same slices are searched, and the worst are the same."""
    one, other = (
        pb.worst_slice(part, least=least, resamples=199)
        for part in (in_groups, in_groups.repeated())
    )
    same(one.to_dict(), other.to_dict(), leave=[*DRAWN, "adjusted_p_value"])
    assert one.value == pytest.approx(other.value)
    wide = np.ptp(other.null_range)
    assert one.null_range == pytest.approx(other.null_range, abs=0.4 * wide)
    assert one.p_value == pytest.approx(other.p_value, abs=0.05)


def test_files_of_curves(tmp_path):
    """A page and a card say how many rows the curve is of."""
    for data in (HARD["levels"], HARD["levels"].repeated()):
        file = tmp_path / "roc.json"
        pb.save_curve(pb.curve(data, "roc"), file, data=data)
        assert json.loads(file.read_text("utf-8"))["data"]["n"] == data.total


def test_proven_functions_are_there():
    """No name of the list is misspelt."""
    inner = {
        "model_scores": model_scores,
        "rated_matrix": rated_matrix,
        "proposed_rules": proposed_rules,
    }
    assert {name for name in COUNTED if hasattr(pb, name) or name in inner} == COUNTED


@tables
def test_matrices_with_rates_and_rows_by_probability(data):
    """What the workbench shows beside curves."""
    asks = (rated_matrix, partial(pb.class_counts, by="probability", bins=10))
    for ask in asks:
        same(ask(data).to_dict(), ask(data.repeated()).to_dict())


@tables
def test_scores_of_models_and_input_checks(data):
    """What the commands print of every table."""
    for ask in (model_scores, pb.check_input):
        same(ask(data).to_dict(), ask(data.repeated()).to_dict())


def test_input_check_of_a_reversed_table():
    """Ranks of counted rows."""
    data = levels(8, 80, 300)
    data = dataclasses.replace(data, prob=np.asfortranarray(data.prob[:, ::-1]))
    one, other = (pb.check_input(part) for part in (data, data.repeated()))
    assert "auc-below-half" in [remark.code for remark in one.remarks]
    same(one.to_dict(), other.to_dict())


@pytest.mark.parametrize(
    ("data", "view"),
    [(levels(3, 9_000, 4, 1.1, digits), view) for digits in (4, 9) for view in (None, "classwise")],
)
def test_errors_by_number_of_bins(data, view):
    """Bins of merged probabilities hold the rows they held before."""
    one, other = (
        pb.bin_sensitivity(part, view=view, numbers=[2, 15, 100], resamples=39)
        for part in (data, data.repeated())
    )
    assert one.n == other.n
    for mine, theirs in zip(one.settings, other.settings, strict=True):
        same(mine, theirs, leave=["null_mean", "null_low", "null_high", "p_value", "outside"])
        assert mine["null_mean"] == pytest.approx(theirs["null_mean"], rel=0.2)


# ---------------------------------------------------------------- curves of probabilities


@tables
@pytest.mark.parametrize("bins", ["equal-width:15", "equal-size:5", "one-per-value"])
def test_reliability_curves(data, bins):
    """Bins and bands of the diagram."""
    one, other = (pb.reliability_curve(part, bins=bins) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), leave=["bins"])
    for mine, theirs in zip(one.bins, other.bins, strict=True):
        same(mine, theirs, leave=["band_low", "band_high"])
        for end in ("band_low", "band_high"):
            wide = theirs["band_high"] - theirs["band_low"]
            atom = 1.01 / theirs["count"]
            assert mine[end] == pytest.approx(theirs[end], abs=max(0.25 * wide, atom))


@tables
def test_corp_curves(data):
    """Steps, parts of the score and confidence bands are exact, the consistency band is drawn."""
    one, other = (pb.corp_curve(part) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), leave=[*DRAWN, "bands"])
    for mine, theirs in zip(one.bands, other.bands, strict=True):
        same(mine, theirs, leave=["consistency_low", "consistency_high"])
    assert alike(one.null_values, other.null_values)


@tables
def test_diagnoses(data):
    """Shapes, their amounts and intervals are those of the repeated rows."""
    one, other = (pb.diagnose(part) for part in (data, data.repeated()))
    assert (one.shape, one.n, one.speaks) == (other.shape, other.n, other.speaks)
    by_shape = [{row["shape"]: row for row in found.evidence} for found in (one, other)]
    for shape, row in by_shape[0].items():
        same(row, by_shape[1][shape], tolerance=1e-5)


# ---------------------------------------------------------------- metrics, matrices, ranks

KERNELS = ("skce", "skce-block", "skce-biased", "mmce")
METRICS = [name for name in METRICS_BY_NAME if name not in KERNELS]


@tables
@law("metric", METRICS, number=24)
def test_metrics(data, metric):
    """Values of all metrics but the kernel errors, and the intervals of rates and ranks."""
    intervals = METRICS_BY_NAME[metric].between is not None
    one, other = (
        ignoring(pb.measure, part, metric, resamples=0, interval=intervals)[metric].to_dict()
        for part in (data, data.repeated())
    )
    same(one, other, tolerance=1e-6)


@pytest.mark.parametrize("name", ["levels", "overconfident", "saturated"])
def test_nulls_of_metrics(name):
    """Metrics that are drawn together draw every row."""
    data = HARD[name]
    one, other = (
        ignoring(pb.measure, part, METRICS, resamples=299) for part in (data, data.repeated())
    )
    for metric in METRICS:
        mine, theirs = (what[metric].to_dict() for what in (one, other))
        same(mine, theirs, leave=DRAWN)
        low, high = theirs["null_range"]
        ends = np.array([low, high, *mine["null_range"]], np.float64)
        if np.isfinite(ends).all():
            wide = max(high - low, 1e-9)
            assert mine["null_mean"] == pytest.approx(theirs["null_mean"], abs=0.15 * wide)
            assert mine["null_range"] == pytest.approx(theirs["null_range"], abs=0.55 * wide)


@pytest.mark.parametrize("metric", KERNELS)
def test_kernel_errors_are_refused(metric):
    """Pairs of rows are no sums of counts here."""
    with pytest.raises(pb.InputError) as refused:
        pb.measure(HARD["levels"], metric, resamples=0)
    assert refused.value.code == "counted-rows"


@tables
@pytest.mark.parametrize("threshold", [None, 0.2])
def test_confusion_matrices(data, threshold):
    """Counts, rates and their intervals, resampled ones included."""
    one, other = (
        pb.confusion_matrix(part, threshold=threshold) for part in (data, data.repeated())
    )
    same(one.to_dict(), other.to_dict())
    for interval in ("auto", "bootstrap"):
        mine, theirs = (what.rates(interval=interval).to_dict() for what in (one, other))
        same(mine, theirs)


@given(counts)
def test_areas(table):
    """Areas under ROC and precision-recall curves, with all kinds of intervals."""
    data = counted_from(table)
    parts = data, data.repeated()
    for area in (pb.roc_auc, pb.average_precision, pb.precision_recall_area):
        one, other = (area(part) for part in parts)
        assert one == pytest.approx(other, rel=1e-12, nan_ok=True)
    for method in ("score", "newcombe", "delong", "logit"):
        one, other = (pb.roc_auc_interval(part, method=method).to_dict() for part in parts)
        same(one, other)


# ---------------------------------------------------------------- curves of thresholds


def curves_of(data, *args, **named):
    """Return a curve of a table and of its repeated rows, as dictionaries."""
    return [ignoring(pb.curve, part, *args, **named).to_dict() for part in (data, data.repeated())]


@tables
@law("preset", PRESETS, number=8)
def test_curves_of_presets(data, preset):
    """Points, areas and their intervals of every preset."""
    x = {"x": "probability"} if PRESETS[preset].needs else {}
    same(*curves_of(data, preset, **x))


@pytest.mark.parametrize(
    "named",
    [
        {"x": "threshold", "y": "cumm(10 if eP else -4)"},
        {"x": "PP/NN", "y": "cumm(probability)"},
        {"x": "threshold", "y": "TPR", "where": "probability > 0.3"},
        {"x": "FPR", "y": "TPR", "direction": "ascending"},
        {"x": "FPR", "y": "TPR", "multiclass": "per-class"},
        {"x": "probability", "y": "weight", "average": "smooth"},
    ],
)
def test_curves_of_formulas(named):
    """Formulas of states, sums over rows, filters and means along x."""
    same(*curves_of(HARD["overconfident"], **named))


@pytest.mark.parametrize("average", ["none", "vertical", "threshold"])
def test_curves_of_folds(average):
    """Folds of counted rows are folds of the repeated rows."""
    data = HARD["levels"]
    fold = np.arange(data.stored) % 3
    data = pb.Predictions.from_arrays(data.actual, data.prob, count=data.weight, fold=fold)
    same(*curves_of(data, "roc", average=average))


@pytest.mark.parametrize(
    "named",
    [
        {"x": "threshold", "y": "TPR", "merge": "none"},
        {"x": "FPR", "y": "TPR", "merge": "average"},
        {"x": "FPR", "y": "TPR", "direction": "unsorted"},
        {"x": "threshold", "y": "eCA"},
        {"x": "FPR", "y": "TPR", "multiclass": "micro"},
        {"x": "actualClass", "y": "probability"},
    ],
)
def test_curves_of_single_rows_are_refused(named):
    """The order of tied rows, and values of single rows, are in no count."""
    with pytest.raises(pb.PlumblineError) as refused:
        pb.curve(HARD["levels"], **named)
    assert refused.value.code in ("counted-rows", "rows-not-ranked")


@pytest.mark.parametrize("preset", ["roc", "accuracy", "calibration"])
@pytest.mark.parametrize("name", ["levels", "saturated"])
def test_bands(name, preset):
    """Drawings with replacement draw every row."""
    one, other = (
        ignoring(pb.curve, part, preset, band="bootstrap", resamples=400).lines[0]
        for part in (HARD[name], HARD[name].repeated())
    )
    near_bands(one, other)


def near_bands(one, other):
    """Assert that two bands are alike, as far as their drawings let them be."""
    wide = np.nanmax(other.more["y_high"] - other.more["y_low"])
    for end in ("y_low", "y_high"):
        gap = np.abs(one.more[end] - other.more[end])
        assert np.nanquantile(gap, 0.9) <= 0.25 * wide + 1e-9
    assert one.area_range == pytest.approx(other.area_range, abs=0.03)


@pytest.mark.parametrize("preset", ["roc", "accuracy"])
def test_bands_of_many_states(preset):
    """Between the states of a band, rows are drawn together."""
    data = levels(3, 2500, 4, 1.3, digits=6)
    assert data.stored > 4000
    one, other = (
        pb.curve(part, preset, band="bootstrap", resamples=300).lines[0]
        for part in (data, data.repeated())
    )
    assert one.x == pytest.approx(other.x)
    near_bands(one, other)


# ---------------------------------------------------------------- groups


def grouped(name="overconfident"):
    """Return a table with an attribute of names and one of numbers."""
    data = HARD[name]
    number = np.arange(data.stored)
    attributes = {"site": np.array(["a", "b", None], object)[number % 3], "age": number % 17 + 20}
    return pb.Predictions.from_arrays(
        data.actual, data.prob, count=data.weight, attributes=attributes
    )


@pytest.mark.parametrize(("by", "cuts"), [("site", None), ("age", None), ("age", [25, 30])])
def test_calibration_by_groups(by, cuts):
    """Every group has the bias, the error and the test of its repeated rows."""
    parts = grouped(), grouped().repeated()
    for ask in (pb.calibration_by, pb.calibration_test_by):
        one, other = (ask(part, by=by, cuts=cuts, resamples=99) for part in parts)
        drawn = ("adjusted_p_value", "rejected", "fault", *DRAWN)
        for mine, theirs in zip(one.rows(), other.rows(), strict=True):
            same(mine, theirs, leave=drawn)
    one, other = (pb.calibration_by(part, by, cuts=cuts, resamples=99) for part in parts)
    for mine, theirs in zip(one.rows(), other.rows(), strict=True):
        assert mine["value"] == pytest.approx(theirs["value"])


@pytest.mark.parametrize("by", ["site", "age"])
def test_class_counts(by):
    """Classes by an attribute."""
    one, other = (pb.class_counts(part, by).to_dict() for part in (grouped(), grouped().repeated()))
    same(one, other, leave=["weight", "weight_missing", "weight_outside"])


# ---------------------------------------------------------------- the best threshold


def best_of(data, y="CA", **named):
    """Return the best thresholds of a table and of its repeated rows."""
    return [ignoring(pb.best_threshold, part, y, **named) for part in (data, data.repeated())]


CHOSEN = ("honest_value", "optimism", "plateau", "plateau_share", "verdict", "notes", "in_plateau")


@tables
@law("y", ["CA", "F1", "cumm(3 if eP else -1)", "TPR - FPR"], number=2)
def test_best_thresholds(data, y):
    """The best state and its counts are exact."""
    one, other = best_of(data, y)
    same(one.to_dict(), other.to_dict(), leave=CHOSEN)


@pytest.mark.parametrize("y", ["CA", "TPR - FPR"])
@pytest.mark.parametrize("many", [30, 2500])
def test_plateaus_and_folds(y, many):
    """Drawings, also of rows that are drawn together, and random folds."""
    data = levels(4, many, 6, 1.3, digits=6)
    one, other = best_of(data, y, resamples=200)
    assert one.value == pytest.approx(other.value)
    assert one.honest_value == pytest.approx(other.honest_value, abs=0.03)
    assert one.plateau_share == pytest.approx(other.plateau_share, abs=0.12)
    assert [note.code for note in one.notes] == [note.code for note in other.notes]


def test_folds_of_the_table_decide():
    """Folds that a table has are used as they are, so that all is exact but the plateau."""
    data = levels(5, 60, 20, 1.5)
    fold = np.arange(data.stored) % 5
    data = pb.Predictions.from_arrays(data.actual, data.prob, count=data.weight, fold=fold)
    one, other = best_of(data)
    assert one.honest_value == pytest.approx(other.honest_value, rel=1e-12)
    assert one.folds == other.folds == 5


def test_folds_of_many_thresholds(monkeypatch):
    """Where only some thresholds can be chosen, the value hardly moves."""
    data = levels(4, 2000, 30, 1.3, digits=6)
    whole = pb.best_threshold(data, "CA", resamples=99)
    monkeypatch.setattr("plumbline.curves.plateau.MOST_CHOSEN", 300)
    few = pb.best_threshold(data, "CA", resamples=99)
    assert (few.value, few.threshold) == (whole.value, whole.threshold)
    assert few.honest_value == pytest.approx(whole.honest_value, abs=0.005)


def test_nulls_of_merged_cells(monkeypatch):
    """Metrics of many cells keep their values; their nulls come from merged cells."""
    data = levels(8, 1500, 8, 1.3, digits=6)
    names = ["ece", "debiased-l2", "smooth-ece", "log-loss", "kolmogorov-smirnov"]
    whole = pb.measure(data, names, resamples=199)
    monkeypatch.setattr("plumbline.predictions.counted.coarsened.__defaults__", (300,))
    merged = pb.measure(data, names, resamples=199)
    for name in names:
        one, other = (what[name] for what in (merged, whole))
        assert one.value == pytest.approx(other.value, rel=1e-9)
        wide = other.null_range[1] - other.null_range[0]
        assert one.null_mean == pytest.approx(other.null_mean, abs=0.15 * wide)


def test_random_folds_share_out_every_class():
    """All rows are dealt, in equal parts of both classes, each row as likely as the others."""
    weight, event = np.array([50.0, 0.0, 13.0, 40.0]), np.array([False, False, True, True])
    rngs = map(np.random.default_rng, range(300))
    parts = [np.array([*dealt_counts(weight, event, 4, rng)]) for rng in rngs]
    for part in parts:
        assert part.sum(axis=0).tolist() == weight.tolist()
        assert sorted(part[:, event].sum(axis=1)) == [13, 13, 13, 14]
    assert np.mean([part[0, 2] for part in parts]) == pytest.approx(13 / 4, abs=0.3)


# ---------------------------------------------------------------- recalibration


@pytest.mark.parametrize("method", RECALIBRATIONS)
def test_recalibration_maps(method):
    """Every method by name fits the map of the repeated rows."""
    score = np.linspace(0, 1, 301)
    for data in (*HARD.values(), levels(7, 300, 8, 1.5, digits=4)):
        answers = []
        for part in (data, data.repeated()):
            try:
                fitted = ignoring(pb.recalibrate, part, method)
            except pb.InputError as error:
                answers.append({"refused": error.code})
                continue
            new = dataclasses.replace(
                part,
                actual=np.arange(301, dtype=np.int32) % 2,
                prob=np.asfortranarray(np.column_stack([1 - score, score])),
                weight=None,
                counted=False,
            )
            answers.append(
                {
                    "prob": ignoring(fitted, new).prob,
                    "parts": [fitted.n, fitted.effective_n, fitted.parameters, *fitted.notes],
                }
            )
        same(*answers, tolerance=2e-4)  # where an iteration stops


DRAWN_BY_ADVICE = (
    *("remarks", "remark_codes", "verdict"),
    *("gain", "gain_range", "chosen"),
)


def folded(data):
    """Return a table of counts whose rows are in five folds."""
    fold = np.arange(data.stored) % 5
    return pb.Predictions.from_arrays(data.actual, data.prob, count=data.weight, fold=fold)


@pytest.mark.parametrize("named", [{}, {"methods": ["isotonic", "temperature"]}])
def test_advice_by_the_folds_of_the_table(named):
    """Where the folds are given, losses, their intervals and areas are those of all rows."""
    for data in (folded(levels(5, 60, 40, 1.5)), folded(levels(6, 50, 20))):
        one, other = (
            ignoring(pb.recalibration_advice, part, **named) for part in (data, data.repeated())
        )
        mine, theirs = (
            {row["method"]: row for row in what.to_dict()["methods"]} for what in (one, other)
        )
        assert mine.keys() == theirs.keys()
        for method, row in mine.items():
            same(row, theirs[method], method, leave=DRAWN_BY_ADVICE, tolerance=1e-6)
        same(one.to_dict(), other.to_dict(), leave=[*DRAWN_BY_ADVICE, "p_value", "methods"])
        assert (one.chosen == "none") == (other.chosen == "none")
        assert one.p_value == pytest.approx(other.p_value, abs=0.05)


@pytest.mark.laws
def test_choice_of_a_method():
    """With random parts, each method is chosen as often as for the repeated rows."""
    tables = [levels(seed, 25, 16, 1.5) for seed in some(range(24), 12)]
    methods = ["temperature", "platt", "isotonic"]
    chosen = [
        [pb.recalibration_advice(part(data), methods=methods, rng=seed).chosen for part in kinds]
        for seed, data in enumerate(tables)
        for kinds in [(lambda data: data, pb.Predictions.repeated)]
    ]
    shares = [[[one == name for one in row] for row in chosen] for name in ("none", *methods)]
    for pairs in np.array(shares, float):
        difference = pairs[:, 0] - pairs[:, 1]
        error = max(difference.std() / np.sqrt(len(tables)), 1 / len(tables))
        assert abs(difference.mean()) <= 4 * error
    assert len({name for row in chosen for name in row}) > 1


def test_advice_of_merged_probabilities(monkeypatch):
    """Above a number of probabilities methods are compared on merged ones, and say so."""
    data = levels(9, 1500, 12, 1.5, digits=6)
    whole = pb.recalibration_advice(data, methods=["platt", "temperature"])
    monkeypatch.setattr("plumbline.advisor.trials.CELLS", 200)
    merged = pb.recalibration_advice(data, methods=["platt", "temperature"])
    assert "merged-probabilities" in merged.remark_codes
    assert "merged-probabilities" not in whole.remark_codes
    assert (merged.n, merged.chosen) == (whole.n, whole.chosen) == (data.total, whole.chosen)
    assert merged.log_loss_before == pytest.approx(whole.log_loss_before, rel=1e-3)
    assert merged.gain == pytest.approx(whole.gain, rel=0.02)
    assert np.isnan(merged.methods[0].ties_created)


def test_map_that_was_chosen():
    """The chosen method is fitted on all rows, however its choice was made."""
    data = levels(5, 60, 40, 1.5)
    fitted = pb.recalibrate(data)
    assert fitted.method == fitted.advice.chosen != "none"
    again = pb.recalibrate(data.repeated(), fitted.method)
    assert fitted.transform([0.1, 0.7]) == pytest.approx(again.transform([0.1, 0.7]), rel=1e-6)


@law("effect", ["overconfident:2", "ece:0.05"], number=1)
def test_plans(effect):
    """Rows are drawn by their counts, so that a plan is the same number by number."""
    for data in (HARD["levels"], HARD["first positive"], HARD["float32"]):
        one, other = (
            pb.plan(part, effect, statistic="brier-score", datasets=30, resamples=39)
            for part in (data, data.repeated())
        )
        same(one.to_dict(), other.to_dict())
        assert one.n == data.total


@tables
def test_equivalence(data):
    """Bounds, p-values and the rows that are needed."""
    one, other = (pb.calibration_within(part) for part in (data, data.repeated()))
    same(one.to_dict(), other.to_dict(), tolerance=1e-6)


def test_interval_of_merged_rows(monkeypatch):
    """Of many cells those of a bin are merged: the error stays, its interval hardly moves."""
    data = levels(9, 1500, 6, 1.3, digits=6)
    definition = define_error(data, bins="equal-size:10")
    what = statistic(data, definition)
    few = with_merged_rows(what)
    assert len(few.actual) < len(what.actual)
    assert float(observed(few)) == pytest.approx(float(observed(what)), rel=1e-12)
    whole = interval_of(what)
    monkeypatch.setattr("plumbline.intervals.interval.MOST_COUNTED", 100)
    assert (whole.low, whole.high) == pytest.approx(
        (interval_of(what).low, interval_of(what).high), abs=0.1 * (whole.high - whole.low)
    )


def test_corp_curves_of_large_tables_in_memory(monkeypatch):
    """Parts and curve are those of all rows, which `measure` gives too; cells are drawn."""
    rng = np.random.default_rng(8)
    p = rng.beta(0.7, 1.3, 4000)
    data = pb.Predictions.from_arrays(rng.random(4000) < p, p)
    one = pb.corp_curve(data, resamples=99)
    monkeypatch.setattr("plumbline.predictions.counted.LARGE", 500)
    monkeypatch.setattr("plumbline.predictions.counted.coarsened.__defaults__", (400,))
    other = pb.corp_curve(data, resamples=99)
    same(other.steps, one.steps)
    for term in ("miscalibration", "discrimination", "uncertainty"):
        assert getattr(other, term) == pytest.approx(getattr(one, term), rel=1e-9)
    assert other.null_mean == pytest.approx(one.null_mean, rel=0.06)
    assert len(other.bands) <= 400
    at = np.interp(
        [0.2, 0.5, 0.8], *([row[k] for row in other.bands] for k in ("score", "consistency_low"))
    )
    rows = np.interp(
        [0.2, 0.5, 0.8], *([row[k] for row in one.bands] for k in ("score", "consistency_low"))
    )
    assert at == pytest.approx(rows, abs=0.03)
