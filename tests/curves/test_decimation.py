"""Decimated curves show the same picture: extremes, ends and order are kept, and few points."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline.curves import kept_places
from plumbline.curves.decimation import CELL, MOST_RUNS
from plumbline.curves.guides import guide_lines
from plumbline.workbench import TableQuestions

FEW = settings(max_examples=examples(15), deadline=None)


def columns(x, width):
    """Return the column of pixels of every point, -1 for those without a place."""
    finite = np.isfinite(x)
    low, high = x[finite].min(), x[finite].max()
    scale = (width - 1) / (high - low) if high > low else 0.0
    return np.where(finite, np.floor((np.where(finite, x, low) - low) * scale), -1).astype(int)


def slow(x, heights, width):
    """Return the places to keep, run by run, as the definition says."""
    column = columns(x, width)
    starts = [0, *(np.flatnonzero(column[1:] != column[:-1]) + 1), len(x)]
    kept = set()
    for start, stop in pairwise(starts):
        kept |= {start, stop - 1}
        for values in heights:
            kept |= {start + values[start:stop].argmin(), start + values[start:stop].argmax()}
    return sorted(kept)


@FEW
@given(st.integers(0, 2**32 - 1), st.integers(50, 90), st.booleans(), st.booleans())
def test_a_line_keeps_the_ends_and_extremes_of_every_column(seed, width, band, rounded):
    """The kernel keeps what the definition says, in order, and the first in every row of pixels."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(2000))[:: rng.choice([1, -1])]
    heights = [np.cumsum(rng.normal(size=2000)) for _ in range(3 if band else 1)]
    heights = [np.round(values) if rounded else values for values in heights]
    kept = kept_places(x, *heights, width=width)
    scale = (width - 1) / np.ptp(heights[0])  # in this order: a rounding may move a point a row
    rows = np.floor((heights[0] - heights[0].min()) * scale)
    entered = np.flatnonzero(np.diff(rows)) + 1
    steep = set(entered.tolist()) if len(entered) <= MOST_RUNS * width else set()
    assert kept.tolist() == sorted({*slow(x, heights, width), *steep})
    for values in heights:
        assert {values.min(), values.max()} <= set(values[kept])


@FEW
@given(st.integers(0, 2**32 - 1), st.integers(50, 200))
def test_a_cloud_keeps_a_point_of_every_cell(seed, width):
    """Points in no order become at most one a cell, the extremes of both axes among them."""
    rng = np.random.default_rng(seed)
    n = 60 * width
    x, y = rng.normal(size=n), rng.normal(size=n)
    kept = kept_places(x, y, width=width)
    cells = -(-width // CELL)
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= cells * cells + 6

    def filled(places):
        spots = [np.floor((v[places] - v.min()) * (cells - 1) / np.ptp(v)) for v in (x, y)]
        return set(zip(*spots, strict=True))

    assert filled(kept) == filled(np.arange(n))
    for values in (x, y):
        assert {values.min(), values.max(), values[0], values[-1]} <= set(values[kept])


def test_a_cloud_keeps_the_first_point_at_each_edge_and_no_more():
    """Also where another point of its cell came before it; and the last of all points."""
    spots = np.tile([[0.5, 0.5], [0.6, 0.6]], (2_000, 1))
    spots[[5, 6]] = [[1.0, 0.5], [0.5, 1.0]]
    spots[[10, 20, 30]] = [[0.01, 0.5], [0.0, 0.5], [0.0, 0.5]]
    spots[[40, 50, 60]] = [[0.5, 0.01], [0.5, 0.0], [0.5, 0.0]]
    kept = kept_places(spots[:, 0], spots[:, 1], width=30)
    assert kept.tolist() == [0, 1, 5, 6, 10, 20, 40, 50, len(spots) - 1]


def test_points_that_are_few_are_all_kept():
    """Up to four points a pixel nothing is left out; no point at all is no error."""
    for size in (0, 1, 400):
        kept = kept_places(np.zeros(size), np.arange(size, dtype=float), width=100)
        assert kept.tolist() == list(range(size))


def test_infinite_and_undefined_values_have_their_own_columns():
    """Infinite thresholds and undefined points are kept beside the others, and do no harm."""
    x = np.concatenate([[np.inf, np.inf], np.linspace(1, 0, 5000), [-np.inf]])
    y = np.sin(9 * np.arange(len(x)))
    y[2500:2600] = np.nan
    kept = kept_places(x, y, width=60)
    assert {0, 1, len(x) - 1} <= set(kept.tolist())
    assert np.isnan(y[kept]).any()
    assert len(kept) < 5 * 64
    nothing = np.full(5000, np.nan)
    assert len(kept_places(nothing, nothing, width=60)) <= 4
    assert len(kept_places(np.full(5000, np.inf), np.ones(5000), width=60)) <= 4
    assert len(kept_places(np.zeros(5000), np.ones(5000), width=60)) <= 4


def test_the_number_of_points_is_bounded_whatever_comes():
    """A line that goes to and fro costs at most as much as its runs or its cells."""
    x = np.tile(np.linspace(0, 1, 100), 300)
    y = np.arange(len(x), dtype=float)
    for width in (50, 300, 900):
        bound = max(4 * MOST_RUNS * (width + 3), (width // CELL + 1) ** 2 + 6, 4 * width)
        assert len(kept_places(x, y, width=width)) <= bound


@pytest.fixture(scope="module")
def questions():
    """A table of 20,000 rows."""
    rng = np.random.default_rng(3)
    p = rng.random(20_000)
    return TableQuestions(pb.Predictions.from_arrays((rng.random(20_000) < p).astype(int), p))


@pytest.mark.parametrize(
    ("preset", "labels"),
    [
        ("roc", ["random"]),
        ("precision-recall", ["random"]),
        ("gains", ["random", "perfect ranking"]),
        ("calibration", ["calibrated"]),
        ("det", ["random"]),
        ("lift", ["random"]),
        ("ks", [None]),
        ("net-benefit", ["treat none", "treat all"]),
        ("accuracy", []),
    ],
)
def test_a_curve_comes_with_the_guides_of_its_preset(questions, preset, labels):
    """Each preset's reference lines are there, by name, with as many x as y."""
    answer = questions.answer({"kind": "curve", "curve": {"preset": preset}, "width": 300})
    assert [guide["label"] for guide in answer["guides"]] == labels
    assert all(len(guide["x"]) == len(guide["y"]) > 1 for guide in answer["guides"])
    assert (answer["floor"] is not None) == (preset == "net-benefit")


@pytest.mark.parametrize("preset", ["net-benefit", "gains", "precision-recall", "lift", "roc"])
def test_every_curve_ends_on_its_guide_where_all_rows_are_accepted(preset):
    """Treating all, or a random ranking: there no model is better."""
    event = np.arange(50) % 5 == 0
    data = pb.Predictions.from_arrays(event, np.linspace(0.3, 0.9, 50), weight=1.0 + event)
    result = pb.curve(data, preset)
    x, y = result.lines[0].x[-1], result.lines[0].y[-1]
    guide = guide_lines(result)[-1 if preset == "net-benefit" else 0]
    assert np.interp(x, guide.x, guide.y) == pytest.approx(y, abs=1e-4)


def test_the_decimated_curve_is_the_library_s_own(questions):
    """Every point drawn is a point of the curve, with its threshold, and the ends are there."""
    line = questions.answer({"kind": "curve", "curve": {"preset": "roc"}, "width": 300})["lines"][0]
    whole = pb.curve(questions.table, preset="roc").lines[0]
    places = np.searchsorted(-whole.threshold, -line["threshold"])
    np.testing.assert_array_equal(whole.x[places], line["x"])
    np.testing.assert_array_equal(whole.y[places], line["y"])
    assert (places[0], places[-1]) == (0, len(whole) - 1)
    assert len(line["x"]) <= 6 * 300 < len(whole)


def test_the_point_of_any_threshold_is_near_one_that_is_kept():
    """Where a ROC curve climbs steeply no threshold loses its place by more than a pixel."""
    rng = np.random.default_rng(1)
    prob = rng.beta(0.3, 8, 50_000)
    data = pb.Predictions.from_arrays((rng.random(50_000) < 0.8 * prob**0.5).astype(int), prob)
    width = 400
    line = TableQuestions(data).answer(
        {"kind": "curve", "curve": {"preset": "roc"}, "width": width}
    )
    kept, whole = line["lines"][0], pb.curve(data, "roc").lines[0]
    for threshold in np.linspace(0.001, 0.99, 300):
        true = np.searchsorted(-whole.threshold, -threshold, side="right") - 1
        seen = np.searchsorted(-kept["threshold"], -threshold, side="right") - 1
        assert abs(whole.y[true] - kept["y"][seen]) <= 2 / width
        assert abs(whole.x[true] - kept["x"][seen]) <= 2 / width
