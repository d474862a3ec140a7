"""Compiled passes over many rows against what numpy does with few: the same numbers, bit by bit."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plumbline import Predictions
from plumbline.binning import place
from plumbline.binning.bins import sums_of_bins
from plumbline.binning.schemes import weighted_quantiles
from plumbline.calibration import (
    calibration_slope,
    cumulative_statistic,
    define_error,
    estimate_statistic,
    profile_statistic,
    smooth_ece,
    statistic,
    value_of,
    with_merged_rows,
)
from plumbline.calibration_errors import bin_sensitivity
from plumbline.confusion import counts
from plumbline.curves import Area, placements
from plumbline.curves.area_intervals import area_of_rows
from plumbline.input_checks import check_input
from plumbline.jit import MANY_ROWS
from plumbline.nulls import observed, resampled
from plumbline.nulls.resampling import hit_counts
from plumbline.predictions import (
    coarsened,
    count_distinct,
    distinct_numbers,
    distinct_scores,
    sums_as_sorted,
)
from plumbline.recalibration.methods.histogram_binning import partitions

TABLES = ("rising", "shuffled", "with zeros", "with folds", "float32")


def counted_table(kind: str, n: int = 600) -> Predictions:
    """Return a counted table, in which some scores and some counts recur."""
    rng = np.random.default_rng(7)
    p = np.sort(rng.beta(0.5, 0.8, n // 2).round(3)).repeat(2)
    if kind == "shuffled":
        p = rng.permutation(p)
    count = rng.integers(1, 9, n).astype(float)
    if kind == "with zeros":
        count[rng.integers(0, n, 40)] = 0.0
    elif kind != "float32":
        p = p.clip(0.001, 0.999)
    if kind == "float32":
        p = p.astype(np.float32)
    fold = rng.integers(0, 2, n) if kind == "with folds" else None
    return Predictions.from_arrays(np.arange(n) % 2, p, count=count, fold=fold)


def both(monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Any]) -> tuple[Any, Any]:
    """Return an answer by compiled passes, and by numpy."""
    answers = []
    for least in (1, 10**9):
        for name, module in [*sys.modules.items()]:
            if name.startswith("plumbline.") and hasattr(module, "MANY_ROWS"):
                monkeypatch.setattr(module, "MANY_ROWS", least)
        answers.append(answer())
    return answers[0], answers[1]


def same(one: Any, other: Any) -> None:
    """Assert that nested arrays and numbers are equal."""
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        np.testing.assert_array_equal(one, other)


ANSWERS: dict[str, Callable[[Predictions], Any]] = {
    "bins": lambda d: [
        list(sums_of_bins(place(d.prob[:, 1], edges), 5, *d.prob.T[::-1], d.actual == 1, weight))
        for edges in [np.array([0, 0.1, 0.3, 0.5, 0.8, 1], d.prob.dtype)]
        for weight in (d.weight, None)
    ],
    "quantiles": lambda d: weighted_quantiles(d.prob[:, 1], d.mass, np.arange(1, 7), 7),
    "merged cells": lambda d: [
        [few.prob, few.weight, few.actual] for few in [coarsened(d, 40, by_fold=True)]
    ],
    "merged bins": lambda d: [
        [few.prob, few.weight, value_of(few)]
        for few in [with_merged_rows(statistic(d, define_error(d, bins=4)))]
    ],
    "profiles": lambda d: [
        observed(profile_statistic(d, define_error(d), smooth_ece)),
        observed(estimate_statistic(d, define_error(d), calibration_slope)),
        observed(cumulative_statistic(d, "kuiper")),
    ],
    "nulls": lambda d: resampled(statistic(d, define_error(d, bins="equal-size:6")), 40),
    "thresholds": lambda d: (
        counts.threshold_counts(d.actual == 1, d.prob[:, 1], weight=d.weight).states
    ),
    "number of bins": lambda d: [
        row["value"] for row in bin_sensitivity(d, numbers=[2, 7], resamples=39).rows()
    ],
    "check": lambda d: [
        (check.distinct_scores, check.share_at_zero, check.share_at_one)
        for check in [check_input(d)]
    ],
    "partitions": lambda d: partitions(np.cumsum(d.mass[d.mass > 0]), 1.0),
}


# Of float32 the sums of bins alone have kernels of their own.
CASES = [(what, kind) for what in ANSWERS for kind in TABLES if kind != "float32" or what == "bins"]


@pytest.mark.parametrize(("what", "kind"), CASES)
def test_compiled_passes_give_the_numbers_of_numpy(
    monkeypatch: pytest.MonkeyPatch, what: str, kind: str
) -> None:
    """Every answer is the same where many rows take a compiled pass as where numpy adds them."""
    data = counted_table(kind)
    if kind == "with zeros" and what in ("nulls", "thresholds"):
        data = data.select(where=data.mass > 0)
    same(*both(monkeypatch, lambda: ANSWERS[what](data)))


@pytest.mark.parametrize(
    "score", [[0.1, 0.1, 0.4], [0.4, 0.1, 0.4], [np.nan, 0.1], [0.1, np.nan, 0.2], [0.3]]
)
def test_scores_that_rise_are_told_from_others(
    monkeypatch: pytest.MonkeyPatch, score: list[float]
) -> None:
    """Distinct scores, their first rows, places and number are those of `np.unique`."""
    values = np.array(score)
    same(*both(monkeypatch, lambda: [*distinct_scores(values), count_distinct(values)]))


@pytest.mark.parametrize(
    ("score", "weight", "sound"),
    [
        ([0.1, 0.2], [0.5, 0.1], True),
        ([0.2, 0.1], [1.0, 1.0], False),
        ([0.1, 0.1], [0.5, 0.7], True),
        ([0.1, 0.1], [0.7, 0.5], False),
        ([0.1, 0.1], [2.0, 1.0], True),  # whole numbers add up without rounding
        ([0.1, 0.1], [2.0**53, 1.0], False),
    ],
)
def test_sums_need_no_sorting_where_rounding_has_no_say(
    monkeypatch: pytest.MonkeyPatch, score: list[float], weight: list[float], sound: bool
) -> None:
    """Rows are in order if scores rise, and weights of ties rise or are whole and not too many."""
    arrays = np.array(score), np.array(weight)
    assert both(monkeypatch, lambda: sums_as_sorted(*arrays))[0] == sound


def test_area_of_counts_is_that_of_placements() -> None:
    """The area and its standard error from sums at thresholds are those of each row's placement."""
    for kind in TABLES:
        data = counted_table(kind)
        event, score = data.actual == 1, data.prob[:, 1]
        quick = area_of_rows(event, score, weight=data.weight, counted=True)
        slow = Area.of(event, placements(event, score, data.weight), data.weight, counted=True)
        assert quick.counts == slow.counts
        assert quick.value == pytest.approx(slow.value, rel=1e-13)
        assert quick.std_error == pytest.approx(slow.std_error, rel=1e-12)
    one_class = area_of_rows(event, score, weight=data.weight * event, counted=True)
    assert one_class.counts == (int(data.weight[event].sum()), 0)
    assert np.isnan(one_class.value)


def test_numbers_that_lie_far_apart_are_sorted() -> None:
    """Distinct numbers and places are those of `np.unique`, near to each other or not."""
    rng = np.random.default_rng(1)
    for largest in (30, 10**12):
        values = rng.integers(0, largest, 200)
        same(list(distinct_numbers(values)), list(np.unique(values, return_inverse=True)))


def test_hits_of_many_rows_have_the_distribution_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Distributions of hits are the same with counts, without, and in cells of many hits."""
    rng = np.random.default_rng(3)
    prob, cell = rng.beta(0.3, 1, 3_000), rng.integers(1, 4, 3_000)
    for times in (None, rng.integers(1, 4, 3_000).astype(float)):
        quick, slow = both(monkeypatch, lambda t=times: hit_counts(prob, cell, 4, t))
        for one, other in zip(quick, slow, strict=True):
            assert one.first == other.first
            same(one.cumulative, other.cumulative)


def test_whole_table_takes_the_compiled_passes() -> None:
    """A table of as many counted rows has the errors of the same rows in another order."""
    rng = np.random.default_rng(2)
    p = np.sort(rng.random(MANY_ROWS))
    data = Predictions.from_arrays(rng.random(len(p)) < p, p, count=np.ones(len(p)))
    turned = data.select(where=np.arange(len(p))[::-1])
    for bins in ("equal-width:15", "equal-size:15"):
        one, other = (value_of(statistic(d, define_error(d, bins=bins))) for d in (data, turned))
        assert one == pytest.approx(other, rel=1e-10)
