import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plumbline.curves import Line
from plumbline.curves.averaging import (
    INFINITE,
    NO_RANGE,
    NO_THRESHOLD,
    by_threshold,
    even,
    left_out,
    vertical,
)
from plumbline.errors import ParameterError

NAN, INF = float("nan"), float("inf")


def line(x, y, threshold=None, **rest):
    """Return a line of these points."""
    x, y = np.array(x, float), np.array(y, float)
    threshold = np.full(len(x), NAN) if threshold is None else np.array(threshold, float)
    return Line(threshold, x, y, **rest)


def backwards(one):
    """Return the same points drawn from the other end."""
    return line(one.x[::-1], one.y[::-1], one.threshold[::-1])


def roc(actual, score):
    """Return a ROC curve counted threshold by threshold."""
    cuts = [INF, *sorted(set(score), reverse=True)]
    positives, negatives = sum(actual), len(actual) - sum(actual)
    pairs = list(zip(actual, score, strict=True))
    x = [sum(s >= t and not a for a, s in pairs) / negatives for t in cuts]
    y = [sum(s >= t and a for a, s in pairs) / positives for t in cuts]
    return line(x, y, cuts)


# ------------------------------------------------------------------ vertical, against a literal one


def literal_value(one, at):
    """Return y at x: of the last point there, else on the way from the last before to the next."""
    points = list(zip(one.x.tolist(), one.y.tolist(), strict=True))
    if points[-1][0] < points[0][0]:
        points.reverse()
    here = [y for x, y in points if abs(x - at) < 1e-9]
    if here:
        return here[-1]
    x0 = max(x for x, _ in points if x < at)
    x1 = min(x for x, _ in points if x > at)
    y0 = [y for x, y in points if x == x0][-1]
    y1 = next(y for x, y in points if x == x1)
    return y0 + (y1 - y0) * (at - x0) / (x1 - x0)


WHOLE = st.integers(-6, 6)


@st.composite
def sets_of_lines(draw):
    """Draw lines with steps, turns and equal points."""
    shapes = draw(st.lists(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1), min_size=1))
    return [line(*zip(*points, strict=True)) for points in shapes]


@given(sets_of_lines(), st.integers(2, 9))
def test_vertical_is_the_literal_mean(lines, points):
    """At every x of the grid, point by point as the definition says it."""
    mean = vertical(lines, points=points)
    low, high = max(one.x.min() for one in lines), min(one.x.max() for one in lines)
    if low > high:
        assert (len(mean), mean.reason) == (0, NO_RANGE)
        return
    expected = np.linspace(low, high, points if high > low else 1)
    np.testing.assert_allclose(mean.x, expected, atol=1e-12)
    values = np.array([[literal_value(one, at) for at in expected] for one in lines])
    np.testing.assert_allclose(mean.y, values.mean(axis=0), atol=1e-9)
    if len(lines) > 1:
        np.testing.assert_allclose(mean.more["y_sd"], values.std(axis=0, ddof=1), atol=1e-9)
    else:
        assert np.isnan(mean.more["y_sd"]).all()
    assert (mean.more["count"] == len(lines)).all()
    assert np.isnan(mean.threshold).all()


@given(sets_of_lines(), st.randoms(use_true_random=False))
def test_neither_the_order_of_lines_nor_their_direction_matters(lines, random):
    """Lines that end where they began have no direction of their own, so they stay as they are."""
    turned = [backwards(one) if one.x[0] != one.x[-1] else one for one in lines]
    random.shuffle(turned)
    ours, theirs = vertical(lines, points=5), vertical(turned, points=5)
    assert ours.reason == theirs.reason
    assume(len(ours))
    np.testing.assert_allclose(ours.y, theirs.y, atol=1e-12)
    np.testing.assert_allclose(ours.more["y_sd"], theirs.more["y_sd"], atol=1e-12)


def test_equal_lines_are_their_own_mean():
    """A line three times has its own values and no deviation."""
    one = line([0, 0.5, 1], [0, 0.8, 1])
    mean = vertical([one] * 3, points=3)
    assert mean.y.tolist() == pytest.approx([0, 0.8, 1])
    assert mean.more["y_sd"] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("negatives", [3, 7, 10, 49, 100])
def test_a_step_counts_from_its_top(negatives):
    """On a staircase the value at every step's x is that of its top, whatever the rounding."""
    x = np.repeat(np.arange(negatives + 1) / negatives, 2)
    y = np.append(np.arange(2 * negatives + 1) // 2, negatives) / negatives  # up at every x
    y[1:] = np.repeat(np.arange(negatives + 1) / negatives, 2)[:-1]
    stairs = line(x, np.sort(y))
    tops = [stairs.y[x == at].max() for at in np.unique(x)]
    assert vertical([stairs], points=negatives + 1).y == pytest.approx(tops, abs=1e-12)
    assert vertical([backwards(stairs)], points=negatives + 1).y == pytest.approx(tops, abs=1e-12)


def test_fawcett_example_by_hand():
    """Two ROC curves; at FPR 0 and .5 both stand on steps, and the top counts."""
    first = roc(
        [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    )  # (0,0)(0,1/3)(0,2/3)(.5,2/3)(.5,1)(1,1)
    second = roc([1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6])  # (0,0)(0,.5)(.5,.5)(1,.5)(1,1)
    mean = vertical([first, second], points=3)
    assert mean.x.tolist() == [0, 0.5, 1]
    assert mean.y == pytest.approx([(2 / 3 + 1 / 2) / 2, (1 + 1 / 2) / 2, 1])
    spread = [(2 / 3 - 1 / 2) / np.sqrt(2), (1 / 2) / np.sqrt(2), 0]
    assert mean.more["y_sd"] == pytest.approx(spread)


def test_vertical_is_numpy_interp_without_steps(rng):
    """Where no two points share an x, an outside interpolation says the same."""
    lines = [line(np.sort(rng.random(30)), rng.random(30)) for _ in range(4)]
    mean = vertical(lines, points=50)
    expected = np.mean([np.interp(mean.x, one.x, one.y) for one in lines], axis=0)
    np.testing.assert_allclose(mean.y, expected, atol=1e-12)


def test_lines_without_points_are_left_out_and_said():
    """A fold of one class takes no part; neither does it stop the others."""
    good = line([0, 1], [0, 1], fold="1", model="m", n=5, positives=2, negatives=3)
    empty = line([], [], fold="2", model="m", n=1, negatives=1, reason="no row is positive")
    mean = vertical([good, empty, empty], points=3)
    assert mean.y.tolist() == [0, 0.5, 1]
    assert (mean.more["count"] == 1).all()
    assert (mean.model, mean.fold, mean.n, mean.positives, mean.negatives) == ("m", "1", 5, 2, 3)
    note = left_out([good, empty, empty], mean)
    assert note.code == "lines-left-out"
    assert note.startswith("2 of 3")
    assert f"{empty.reason} (2)" in note
    assert left_out([good], vertical([good], points=3)) is None
    for average in (vertical([empty], points=3), by_threshold([empty], thresholds=3)):
        assert len(average) == 0
        assert empty.reason in average.reason


def test_infinite_points_are_dropped_and_counted():
    """The threshold, where it is x, is infinite before the first row; other reasons add up."""
    first = line([INF, 0.9, 0.1], [0.5, 0.6, 0.7], dropped={"x undefined": 1})
    second = line([INF, 0.8, 0.3], [0.5, 0.6, 0.8], dropped={"x undefined": 2})
    mean = vertical([first, second], points=2)
    assert mean.dropped == {"x undefined": 3, INFINITE: 2}
    assert mean.x.tolist() == [0.3, 0.8]
    assert mean.y == pytest.approx([(0.675 + 0.8) / 2, (0.6125 + 0.6) / 2])


# ------------------------------------------------------------------ at thresholds


def literal_nearest(one, at):
    """Return the point whose threshold is nearest, the first drawn where several are."""
    points = list(zip(one.threshold.tolist(), one.x.tolist(), one.y.tolist(), strict=True))
    if np.isinf(at):
        return next((x, y) for t, x, y in points if t == at)
    known = [(abs(t - at), x, y) for t, x, y in points if np.isfinite(t)]
    least = min(distance for distance, _, _ in known)
    return next((x, y) for distance, x, y in known if distance <= least + 1e-9)


@st.composite
def sets_of_sweeps(draw):
    """Draw lines whose thresholds fall or rise, some missing, some with a start without a row."""
    upwards = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        cuts = draw(st.lists(WHOLE, min_size=1, max_size=12))
        cuts = [
            *([-INF] if upwards else [INF])[: draw(st.integers(0, 1))],
            *sorted(cuts, reverse=not upwards),
            *[NAN] * draw(st.integers(0, 2)),
        ]
        coordinates = st.lists(WHOLE, min_size=len(cuts), max_size=len(cuts))
        lines.append(line(draw(coordinates), draw(coordinates), cuts))
    return lines


@given(sets_of_sweeps(), st.integers(2, 9))
def test_by_threshold_is_the_literal_mean(lines, thresholds):
    """At every threshold, the nearest point of every line, found by looking at all."""
    mean = by_threshold(lines, thresholds=thresholds)
    known = np.concatenate([one.threshold[np.isfinite(one.threshold)] for one in lines])
    levels = np.linspace(known.min(), known.max(), thresholds if np.ptp(known) else 1)
    starts = [start for start in (-INF, INF) if all(start in one.threshold for one in lines)]
    levels = np.sort([*starts, *levels])
    drawn = mean.threshold
    np.testing.assert_allclose(np.sort(drawn), levels, atol=1e-12)
    points = np.array([[literal_nearest(one, at) for at in drawn] for one in lines])
    np.testing.assert_allclose(np.stack([mean.x, mean.y], axis=1), points.mean(axis=0), atol=1e-12)
    if len(lines) > 1:
        spread = np.stack([mean.more["x_sd"], mean.more["y_sd"]], axis=1)
        np.testing.assert_allclose(spread, points.std(axis=0, ddof=1), atol=1e-12)
    else:
        assert np.isnan([mean.more["x_sd"], mean.more["y_sd"]]).all()
    sweeps = [one.threshold[~np.isnan(one.threshold)] for one in lines]
    assert (np.diff(drawn) > 0).all() or not any(t[0] < t[-1] for t in sweeps)
    assert (np.diff(drawn) < 0).all() or not any(t[0] > t[-1] for t in sweeps)
    assert (mean.more["count"] == len(lines)).all()


def test_each_threshold_gets_its_own_point():
    """On one curve the averages are its own points, not those of the mirrored thresholds.

    Searching among ascending thresholds and then reversing the results, rather than the places,
    answers with the point as far from the other end: a bug of Orange 3.40.
    """
    false_positive = np.linspace(0, 1, 601)
    threshold = np.round(0.2 + 0.6 * (1 - false_positive) ** 6, 12)  # scores crowd at the low end
    one = line(false_positive, np.sqrt(false_positive), threshold)
    mean = by_threshold([one], thresholds=3)
    assert mean.threshold == pytest.approx([0.8, 0.5, 0.2])
    truth = [false_positive[np.argmin(np.abs(threshold - t))] for t in (0.8, 0.5, 0.2)]
    assert mean.x == pytest.approx(truth)
    assert mean.y == pytest.approx(np.sqrt(truth))
    ascending = np.searchsorted(threshold[::-1], [0.2, 0.5, 0.8])
    reversed_results = one.y[np.minimum(ascending, 600)][::-1]
    assert np.abs(reversed_results - mean.y).max() > 0.5  # the case would show the bug


def test_ties_go_to_the_point_drawn_first():
    """Half way between two thresholds the first drawn counts, in either direction."""
    falling = line([0, 1, 2], [0, 1, 2], [0.3, 0.2, 0.1])  # .1 and .3 are asked for, and .15, .25
    mean = by_threshold([falling], thresholds=5)
    assert mean.x.tolist() == [0, 0, 1, 1, 2]
    assert by_threshold([backwards(falling)], thresholds=5).x.tolist() == [2, 2, 1, 1, 0]


def test_the_start_is_averaged_where_every_line_has_it():
    """A line whose start was dropped takes it from the average; the others keep their points."""
    whole = line([0, 0.5, 1], [0, 1, 1], [INF, 0.6, 0.2])
    cut = line([0.5, 1], [1, 1], [0.6, 0.2])
    assert by_threshold([whole, whole], thresholds=2).threshold.tolist() == [INF, 0.6, 0.2]
    assert by_threshold([whole, cut], thresholds=2).threshold.tolist() == [0.6, 0.2]
    upwards = by_threshold([backwards(whole)], thresholds=2)
    assert upwards.threshold.tolist() == [0.2, 0.6, INF]
    assert upwards.x.tolist() == [1, 0.5, 0]
    at_infinity = line([INF, 0.6], [0, 1], [INF, 0.6])  # x is the threshold
    mean = by_threshold([at_infinity] * 2, thresholds=2)
    assert mean.x.tolist() == [INF, 0.6]
    assert np.isnan(mean.more["x_sd"][0])


def test_lines_without_thresholds_have_no_average():
    """Unsorted rows have no thresholds."""
    mean = by_threshold([line([0, 1], [0, 1])], thresholds=5)
    assert (len(mean), mean.reason) == (0, NO_THRESHOLD)


# ------------------------------------------------------------------ the rest


def test_even_values_are_the_decimals_people_write():
    """Ends are exact, and steps of a tenth or a hundredth are those decimals."""
    assert even(0.0, 1.0, 101).tolist() == [j / 100 for j in range(101)]
    assert even(-1e308, 1e308, 3).tolist() == [-1e308, 0, 1e308]
    assert even(0.3, 0.3, 7).tolist() == [0.3]
    low, high = 0.1 + 0.2, 0.7 + 0.1
    assert even(low, high, 7)[[0, -1]].tolist() == [low, high]


@pytest.mark.parametrize(
    ("average", "message"),
    [
        (lambda: vertical([], points=3), "`lines` must hold at least one line to average, got"),
        (lambda: by_threshold([], thresholds=3), "`lines` must hold at least one line"),
        (lambda: vertical([line([0], [0])], points=1), "`points` must be a whole number of at"),
        (lambda: by_threshold([line([0], [0])], thresholds=2.5), "`thresholds` must be a whole"),
    ],
)
def test_wrong_arguments_say_their_rule(average, message):
    """The argument, its rule and what arrived."""
    with pytest.raises(ParameterError, match=message):
        average()
