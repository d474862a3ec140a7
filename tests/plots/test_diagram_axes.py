"""The axes of reliability diagrams: limits by the data, log-odds by choice, bins by scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import plumbline as pb
from laws import examples, law, some
from plumbline import ParameterError, Predictions, reliability_curve
from plumbline.plots import (
    corp_figure,
    diagram_axes,
    draw_reliability_bars,
    reliability_figure,
    reliability_panels,
)
from plumbline.plots.diagram_axes import AXES, LEAST
from plumbline.plots.reliability import THINNEST
from refusals import refused


def binary(prob, rng):
    """Return rows whose outcomes are drawn from their probabilities."""
    prob = np.asarray(prob, float)
    return Predictions.from_arrays((rng.random(len(prob)) < prob).astype(int), prob, classes=[0, 1])


def rare(rng, n=3000, rate=0.01):
    """Return predictions of an event that is seldom."""
    place = np.log(rate / (1 - rate)) - 0.6 + rng.normal(0, 1.2, n)
    return binary(1 / (1 + np.exp(-place)), rng)


TABLES = {
    "rare": rare,
    "common": lambda rng: binary(rng.beta(2, 2, 900), rng),
    "high": lambda rng: binary(1 - rng.beta(1, 60, 900), rng),
    "saturated": lambda rng: binary(rng.integers(0, 2, 300), rng),
    "constant": lambda rng: binary(np.full(300, 0.03), rng),
    "twelve rows": lambda rng: binary(rng.random(12), rng),
    "two rows": lambda rng: binary([0.4, 0.6], rng),
    "all zero": lambda rng: binary(np.zeros(20), rng),
}
BINS = ("equal-width:15", "equal-width:20", "equal-size:10", "equal-size:2")


@pytest.fixture(params=TABLES)
def table(request, rng):
    """Return each of several tables."""
    return TABLES[request.param](rng)


def share_of_axis(figure, curve):
    """Return the share of the x axis between the outermost markers."""
    ax = figure.axes[0]
    x = [row["mean_probability"] for row in curve.bins]
    ends = ax.transAxes.inverted().transform(
        ax.transData.transform([(value, ax.get_ylim()[1]) for value in (min(x), max(x))])
    )
    return ends[1, 0] - ends[0, 0]


@law("axis", AXES, number=1)
@pytest.mark.parametrize("bins", BINS)
def test_the_markers_of_a_rare_event_take_a_third_of_the_axis(bins, axis, rng):
    """Wherever the scores lie, the diagram shows that part of the unit square."""
    for rate in (0.0005, 0.01, 0.1, 0.9, 0.995):
        curve = reliability_curve(rare(rng, rate=rate), bins=bins, resamples=39)
        if len(curve.bins) > 1:
            shown = share_of_axis(reliability_figure(curve, axis=axis), curve)
            assert shown >= 0.95 * LEAST  # room beside the outermost values


@law("axis", AXES, number=2)
@law("bins", BINS, number=2)
def test_bins_end_at_their_scores_and_the_counts_share_the_axis(table, bins, axis):
    """No bar reaches beyond the scores of its bin, and bars stand below their markers."""
    curve = reliability_curve(table, bins=bins, resamples=39)
    main, counts = reliability_figure(curve, axis=axis).axes
    assert main.get_xlim() == counts.get_xlim()
    assert main.get_position().x0 == pytest.approx(counts.get_position().x0)
    assert main.get_position().width == pytest.approx(counts.get_position().width)
    there = (
        counts.transAxes.inverted()
        .transform(
            counts.transData.transform(
                [
                    (end, 0)
                    for bar in counts.patches
                    for end in (bar.get_x(), bar.get_x() + bar.get_width())
                ]
            )
        )[:, 0]
        .reshape(-1, 2)
    )
    axes = diagram_axes([curve], axis=axis)
    for (left, right), row in zip(there, curve.bins, strict=True):
        ends = axes.placed("x", [row["lowest"], row["highest"]])
        places = counts.transAxes.inverted().transform(
            counts.transData.transform([(end, 0) for end in ends])
        )[:, 0]
        assert left >= places[0] - THINNEST / 2 - 1e-6
        assert right <= places[1] + THINNEST / 2 + 1e-6


@law("axis", AXES, number=6)
def test_every_marker_is_inside_the_axes(table, axis):
    """Also 0 and 1, which have no log-odds, have a place on the axes."""
    for bins in some(BINS, 2):
        curve = reliability_curve(table, bins=bins, resamples=39)
        ax = reliability_figure(curve, axis=axis).axes[0]
        drawn = [line for line in ax.get_lines() if line.get_marker() == "o"]
        points = np.array([point for line in drawn for point in line.get_xydata()])
        assert len(points) == len(curve.bins)
        (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
        assert ((points[:, 0] >= left) & (points[:, 0] <= right)).all()
        assert ((points[:, 1] >= low) & (points[:, 1] <= high)).all()


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40),
    st.sampled_from(BINS),
    st.sampled_from(AXES),
)
def test_any_table_has_axes(rows, bins, axis):
    """Whatever the scores, limits rise, hold all points and are finite."""
    prob, actual = zip(*rows, strict=True)
    data = Predictions.from_arrays([int(one) for one in actual], list(prob), classes=[0, 1])
    curve = reliability_curve(data, view="one-vs-rest:1", bins=bins, resamples=9)
    axes = diagram_axes([curve], axis=axis)
    for side, name in (("x", "mean_probability"), ("y", "outcome_share")):
        low, high = axes.limits(side)
        assert np.isfinite([low, high]).all()
        assert low < high
        values = axes.placed(side, [row[name] for row in curve.bins])
        assert all(low <= value <= high for value in values)
        ticks, names = axes.ticks(side) if axis == "log-odds" else ([], [])
        assert ticks == sorted(set(ticks))
        assert len(names) == len(set(names))


def test_scores_of_some_spread_have_the_whole_square(rng):
    """Where the scores need most of it, the axes go from 0 to 1 whole."""
    axes = diagram_axes([reliability_curve(binary(rng.random(500), rng), resamples=39)])
    assert (axes.x, axes.y) == ((0.0, 1.0), (0.0, 1.0))


def test_lowest_and_highest_are_scores_of_the_bin(rng):
    """Each bin has the ends of its own scores; a row without weight is none of them."""
    data = rare(rng, n=500)
    for bins in BINS:
        for row in reliability_curve(data, bins=bins, resamples=9).bins:
            inside = data.prob[:, 1]
            above = inside >= row["lo"] if row["closed"] == "both" else inside > row["lo"]
            held = inside[above & (inside <= row["hi"])]
            assert (row["lowest"], row["highest"]) == (held.min(), held.max())
    some = Predictions.from_arrays([0, 1, 1], [0.1, 0.2, 0.9], weight=[1, 1, 0])
    assert max(row["highest"] for row in reliability_curve(some, resamples=9).bins) == 0.2


def test_scores_beyond_the_axis_are_named(rng):
    """Where the last bin runs off the axis, the picture says how far it goes."""
    curve = reliability_curve(rare(rng), bins="equal-size:10", resamples=39)
    highest = curve.bins[-1]["highest"]
    _, counts = reliability_figure(curve).axes
    assert counts.get_xlim()[1] < highest
    (text,) = counts.texts
    assert f"{highest:.3g}" in text.get_text()


def test_panels_share_their_axes_unless_one_would_be_too_small(rng):
    """Models are compared on the same axes, but none is squeezed into a corner."""
    common = [reliability_curve(binary(rng.beta(2, 2, 400), rng), resamples=39) for _ in range(2)]
    seldom = reliability_curve(rare(rng), bins="equal-size:10", resamples=39)
    same = reliability_panels({"a": common[0], "b": common[1]}).axes
    assert same[0].get_xlim() == same[2].get_xlim()
    other = reliability_panels({"a": common[0], "c": seldom}).axes
    assert other[2].get_xlim()[1] < 0.5 < other[0].get_xlim()[1]
    assert all(one.get_xlim() == other[2].get_xlim() for one in other[2:])


def test_the_isotonic_diagram_has_the_axes_of_its_scores(rng):
    """Curve and histogram of a rare event have the same limits, far below 1."""
    main, counts = corp_figure(pb.corp_curve(rare(rng), resamples=39)).axes
    assert main.get_xlim() == counts.get_xlim()
    assert main.get_xlim()[1] < 0.7
    ends = [bar.get_x() + bar.get_width() for bar in counts.patches]
    highest = max(row["score"] for row in pb.corp_curve(rare(rng), resamples=9).bands)
    assert max(ends) <= main.get_xlim()[1] or max(ends) <= highest


def test_plain_bars_end_at_the_largest_score(rng):
    """The last bar of a diagram of bars is no wider than its scores."""
    curve = reliability_curve(rare(rng), bins="equal-size:10", resamples=39)
    ax = Figure().subplots()
    draw_reliability_bars(curve, ax)
    ends = [bar.get_x() + bar.get_width() for bar in ax.patches]
    room = THINNEST / 2 * (ax.get_xlim()[1] - ax.get_xlim()[0])
    assert max(ends) <= curve.bins[-1]["highest"] + room


def test_other_axes_are_refused(rng):
    """An axis that there is not is refused with those that there are."""
    curve = reliability_curve(rare(rng, n=50), resamples=9)
    with refused(ParameterError, "unknown-name", "log-odds", argument="axis"):
        reliability_figure(curve, axis="log")
