"""Intervals of the area under a ROC curve and of the average precision."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

import plumbline as pb
from laws import examples
from plumbline.curves import PRESETS, Area, area_intervals, placements, roc_auc_interval
from plumbline.curves.area_intervals import NO_PAIRS, area_of_rows, reach_at, solved_ends
from refusals import refused


def table(n=80, positives=8, seed=0, **others):
    """Return a binary table with ties."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) < positives
    p = np.round(special.expit(rng.normal(size=n) + 1.5 * y - 1), 2)
    return pb.Predictions.from_arrays(y.astype(int), p, classes=[0, 1], **others)


# ---------------------------------------------------------------- the formula


def quartic(area, m, n, z):
    """Return the ends of Newcombe's method 5 as roots of its polynomial of degree four.

    (A - t)^2 m n (2 - t) (1 + t) = z^2 t (1 - t) [(2 - t)(1 + t) + k (1 - t)(1 + t) + k t (2 - t)]
    with k = (m + n) / 2 - 1, as the paper gives it.
    """
    k = (m + n) / 2 - 1
    t = np.polynomial.Polynomial([0.0, 1.0])
    left = (area - t) ** 2 * m * n * (2 - t) * (1 + t)
    right = z**2 * t * (1 - t) * ((2 - t) * (1 + t) + k * (1 - t) * (1 + t) + k * t * (2 - t))
    roots = (left - right).roots()
    real = np.sort(roots[np.abs(roots.imag) < 1e-7].real)
    return real[(real >= -1e-9) & (real <= 1 + 1e-9)][[0, -1]]


@pytest.mark.parametrize(("area", "m", "n"), [(0.8, 6, 94), (0.55, 30, 30), (0.97, 5, 245)])
def test_newcombe_is_his_method_5(area, m, n):
    """The ends are the roots of the paper's polynomial."""
    low, high = solved_ends(area, m, n, level=0.95)
    assert [float(low), float(high)] == pytest.approx(quartic(area, m, n, 1.959964), abs=1e-6)


def test_groups_of_independent_rows_are_worth_their_rows():
    """Newcombe's model in groups: rows that come twice count once, independent ones nearly all."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0.02, 0.98, 400)
    y = (rng.uniform(size=400) < p).astype(int)

    def width(places, groups):
        data = pb.Predictions.from_arrays(y[places], p[places], groups=groups)
        low, high = roc_auc_interval(data, method="newcombe").interval_range
        return high - low

    rows = np.arange(400)
    alone = width(rows, None)
    assert width(rows, rows) == alone
    # Student's t is 0.3 % wider, and by chance the rows of a group go together a little.
    assert width(np.repeat(rows, 2), np.repeat(rows, 2)) == pytest.approx(alone, rel=0.01)
    assert alone < width(rows, rows // 5) < 1.25 * alone


def test_the_score_interval_is_its_formula():
    """A literal computation of the variance, the ratios and the degrees of freedom."""
    data = table()
    result = roc_auc_interval(data)
    event, p = data.actual == 1, data.prob[:, 1]
    pairs = (p[event][:, None] > p[~event]) + 0.5 * (p[event][:, None] == p[~event])
    m, n = pairs.shape
    area = pairs.mean()
    spread = pairs.mean(axis=1).var(ddof=1) / m, pairs.mean(axis=0).var(ddof=1) / n
    assert result.value == pytest.approx(area)
    assert result.std_error == pytest.approx(np.sqrt(sum(spread)))

    def model(t):
        v = t * (1 - t) * ((1 - t) / (2 - t) + t / (1 + t)) / 2
        tied = t * (1 - t) / (2 * m * n)
        return np.array([v * (1 - 1 / n) / m + tied, v * (1 - 1 / m) / n + tied])

    near = (m * n * area + 0.5) / (m * n + 1)
    w = (np.array([m, n]) - 1) * (4 * near * (1 - near)) ** 2
    ratio = (0.2 * 4 / 3 + w * spread / model(near)) / (0.2 + w)
    a, b = ratio * model(near)
    freedom = (a + b) ** 2 / (a**2 / (m + 3) + b**2 / (n + 3))
    q = special.stdtrit(freedom, 0.975)
    for end in result.interval_range:
        assert abs(area - end) == pytest.approx(q * np.sqrt(ratio @ model(end)), rel=1e-9)


@settings(max_examples=examples(60))
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 30), st.sampled_from([0.8, 0.95]))
def test_an_interval_holds_its_area_and_lies_within_0_and_1(seed, m, n, level):
    """For any ranks, one positive and area 1 included; exchanging the classes turns it round."""
    rng = np.random.default_rng(seed)
    event = np.arange(m + n) < m
    rating = rng.integers(0, rng.integers(1, 9), m + n) + 2 * rng.integers(0, 5) * event
    result = area_of_rows(event, rating)
    (low, high), reason = result.ends(level=level)
    assert reason is None
    assert 0 <= low <= result.value <= high <= 1
    assert high > low
    back = area_of_rows(~event, rating).ends(level=level)[0]
    assert [1 - high, 1 - low] == pytest.approx(back, abs=1e-9)


def test_what_is_ranked_rightly_has_an_interval():
    """At area 1 it ends at 1 and is the shorter, the more rows there are; Wald's has a reason."""
    lows = []
    for m in (1, 5, 50):
        y = np.repeat([1, 0], [m, 10 * m])
        data = pb.Predictions.from_arrays(y, 0.2 + 0.6 * y)
        result = roc_auc_interval(data)
        assert result.interval_range[1] == 1.0
        lows.append(result.interval_range[0])
        assert roc_auc_interval(data, method="delong").reason
    assert lows == sorted(lows)
    assert 0.6 < lows[1] < 0.95 < lows[2] < 1


def test_one_class_has_no_area():
    """Neither value nor interval, and a reason."""
    result = roc_auc_interval(pb.Predictions.from_arrays([1, 1, 1], [0.2, 0.6, 0.7]))
    assert np.isnan([result.value, *result.interval_range]).all()
    assert result.reason == NO_PAIRS.format(3, 0)


def test_many_rows_have_delongs_interval():
    """With 2,000 rows of either class both are equal to a fiftieth of their length."""
    rng = np.random.default_rng(2)
    y = np.arange(4000) % 2
    data = pb.Predictions.from_arrays(y, special.expit(rng.normal(size=4000) * (1 + 2 * y) + y))
    score, wald = (roc_auc_interval(data, method=m).interval_range for m in ("score", "delong"))
    assert score == pytest.approx(wald, abs=(wald[1] - wald[0]) / 50)


# ---------------------------------------------------------------- weights, examples, points


def test_a_weight_is_a_repetition_in_the_area_and_one_draw_in_the_interval():
    """Weights of 2 throughout change nothing; rows of weight 0 are absent."""
    data = table()
    plain = roc_auc_interval(data)
    twice = roc_auc_interval(table(weight=np.full(80, 2.0)))
    assert twice.interval_range == pytest.approx(plain.interval_range)
    weight = np.where(np.arange(80) % 5 == 4, 0.0, 1.0)
    gone = roc_auc_interval(table(weight=weight))
    left = roc_auc_interval(data.select(where=weight > 0))
    assert gone.interval_range == pytest.approx(left.interval_range)
    assert gone.value == pytest.approx(left.value)
    event, p = data.actual == 1, data.prob[:, 1]
    times = np.arange(80) % 3 + 1
    again = np.repeat(np.arange(80), times)
    assert area_of_rows(event, p, weight=times.astype(float)).value == pytest.approx(
        area_of_rows(event[again], p[again]).value
    )


def test_an_example_of_several_rows_counts_once():
    """Each row five times, as of five repeats that agree, has the interval of the rows once."""
    data = table()
    plain = roc_auc_interval(data)
    five = pb.Predictions.from_arrays(
        np.tile(data.actual, 5),
        np.tile(data.prob[:, 1], 5),
        classes=[0, 1],
        row=np.tile(np.arange(80), 5),
        repeat=np.repeat(np.arange(5), 80),
    )
    result = roc_auc_interval(five)
    assert result.interval_range == pytest.approx(plain.interval_range)
    assert (result.positives, result.negatives) == (8, 72)
    (line,) = pb.curve(five, "roc").lines
    assert line.area_range == pytest.approx(plain.interval_range)
    unknown = pb.Predictions.from_arrays(
        five.actual, five.prob[:, 1], classes=[0, 1], repeat=np.repeat(np.arange(5), 80)
    )
    with refused(pb.InputError, "examples-unnumbered", "`row`") as error:
        roc_auc_interval(unknown)
    measured = pb.measure(unknown, "roc-auc", interval=True, resamples=9)["roc-auc"]
    assert str(error.value) in measured.reason
    assert pb.curve(unknown, "roc").lines[0].area_range is None


@settings(max_examples=examples(30))
@given(st.integers(0, 10_000))
def test_the_points_of_a_curve_tell_the_same(seed):
    """Both classes' placements, means and variances, from points as from rows."""
    rng = np.random.default_rng(seed)
    data = table(40, int(rng.integers(2, 20)), seed)
    event, p = data.actual == 1, data.prob[:, 1]
    (line,) = pb.curve(data, "roc").lines
    result = Area.of_points(line.x, line.y, int(event.sum()), int((~event).sum()))
    rows = area_of_rows(event, p)
    for one, other in ((result.positive, rows.positive), (result.negative, rows.negative)):
        assert one.mean == pytest.approx(other.mean)
        assert one.variance == pytest.approx(other.variance)


# ---------------------------------------------------------------- one interval everywhere


@pytest.mark.parametrize("others", [{}, {"weight": np.linspace(0.5, 2, 80)}])
def test_measure_and_curve_have_the_same_interval(others):
    """The metric's, the curve's, either direction, and the function's own."""
    data = table(**others)
    own = roc_auc_interval(data).interval_range
    result = pb.measure(data, ["roc-auc", "average-precision"], interval=True, resamples=9)
    assert result["roc-auc"].interval_range == pytest.approx(own)
    assert result["roc-auc"].interval_method == roc_auc_interval(data).method
    for direction in ("ascending", "descending"):
        (line,) = pb.curve(data, "roc", direction=direction).lines
        assert line.area == pytest.approx(pb.roc_auc(data))
        assert line.area_range == pytest.approx(own)
        (line,) = pb.curve(data, "precision-recall", direction=direction).lines
        assert line.area == pytest.approx(pb.average_precision(data))
        assert line.area_range == pytest.approx(result["average-precision"].interval_range)
    assert json.loads(json.dumps(pb.curve(data, "roc").to_dict()))["lines"][0]["area_range"]


def test_ratings_alone_have_an_interval():
    """Scores of no scale, as of the same ranks as probabilities."""
    data = table()
    ratings = pb.Predictions.from_arrays(data.actual, score=special.logit(data.prob[:, 1]))
    result = pb.measure(ratings, "roc-auc", interval=True, resamples=9)["roc-auc"]
    assert result.interval_range == pytest.approx(roc_auc_interval(data).interval_range)


def test_a_mean_of_classes_has_an_interval():
    """Of two classes, whose areas are one number, it is that of either; of more it holds theirs."""
    two = pb.measure(table(), "roc-auc", view="classwise", interval=True, resamples=9)["roc-auc"]
    assert two.interval_range == pytest.approx(roc_auc_interval(table()).interval_range, abs=1e-6)
    rng = np.random.default_rng(1)
    prob = rng.dirichlet(np.ones(4), 120)
    actual = [rng.choice(4, p=row) for row in prob]
    data = pb.Predictions.from_arrays(actual, prob, classes=range(4))
    result = pb.measure(data, "roc-auc", view="classwise", interval=True, resamples=9)["roc-auc"]
    low, high = result.interval_range
    assert low < result.value < high
    single = [np.diff(roc_auc_interval(data, target=c).interval_range)[0] for c in range(4)]
    assert max(single) / 4 < high - low < max(single)
    none = pb.measure(data, "average-precision", view="classwise", interval=True, resamples=9)
    assert "one-vs-rest:CLASS" in none["average-precision"].reason


def test_a_banded_curve_has_an_interval_of_its_area():
    """The percentiles of the areas below the drawings hold that of the line."""
    data = table(200, 60)
    for of in ({"preset": "gains"}, {"x": "cumm(1) / NN", "y": "recall"}):
        (line,) = pb.curve(data, **of, band="bootstrap", resamples=60).lines
        low, high = line.area_range
        assert low < line.area < high
        assert line.area_method.startswith("bootstrap")
    (line,) = pb.curve(data, "roc", band="bootstrap", resamples=60).lines
    assert line.area_range == pytest.approx(roc_auc_interval(data).interval_range)


def test_the_class_of_an_area_is_named_where_there_are_more_than_two():
    """Of two classes it is the positive one."""
    prob = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    three = pb.Predictions.from_arrays(np.arange(30) % 3, prob)
    with refused(pb.ParameterError, "target-missing", "'0'", "'1'", "'2'", argument="target"):
        roc_auc_interval(three)
    assert roc_auc_interval(three, target="1").target == "1"
    named = roc_auc_interval(table(30, model=["m"] * 30))
    assert (named.target, named.model, roc_auc_interval(table(30)).model) == ("1", "m", None)


def test_points_that_are_not_joined_have_no_area():
    """Answers that are 0 or 1 row by row have no line, so nothing lies below it."""
    data = table(attributes={"age": np.arange(80.0)})
    points = pb.curve(data, x="age", y="eCA", sort_by="age")
    assert (points.shape, points.areas, points.lines[0].area_range) == ("points", (None,), None)
    assert "points-not-joined" in {note.code for note in points.notes}


def test_an_area_is_shown_only_where_it_is_a_mean_of_shares():
    """Of all presets those over a share of rows, and in 0 to 1; whatever band is drawn."""
    data = table(200, 60, attributes={"age": np.arange(200) % 40})
    have = set()
    for name, preset in PRESETS.items():
        x = {"x": "age"} if preset.needs else {}
        for more in ({}, {"band": "bootstrap", "resamples": 40}):
            drawn = pb.curve(data, name, **x, **more)
            if drawn.areas != (None,):
                have.add(name)
            else:
                assert drawn.area_name is None
                assert drawn.lines[0].area_range is None
    assert have == {"roc", "precision-recall", "gains", "det"}
    assert pb.curve(data, x="cumm(1) / NN", y="cumm(2 if eP else -1)").areas == (None,)


def test_averages_of_folds_have_an_area_without_an_interval():
    """Folds share training rows, so that their spread is no interval."""
    data = table(fold=np.arange(80) % 4)
    for average in ("vertical", "threshold"):
        (line,) = pb.curve(data, "roc", average=average).lines
        assert 0.5 < line.area < 1
        assert line.area_range is None
    apart = pb.curve(data, "roc", average="none").lines
    assert all(line.area_range[0] < line.area <= line.area_range[1] for line in apart)


# ---------------------------------------------------------------- coverage


def test_the_interval_holds_the_truth_with_few_positives():
    """Binormal and skewed ratings, 5 to 50 positives: .93 and more, and seldom above .985."""
    rng = np.random.default_rng(3)
    for m, n, area, deviation in ((5, 95, 0.8, 1.0), (10, 90, 0.9, 2.0), (50, 450, 0.75, 0.5)):
        shift = special.ndtri(area) * np.hypot(1, deviation)
        held = 0
        for _ in range(400):
            rating = np.concatenate([rng.normal(shift, deviation, m), rng.normal(size=n)])
            event = np.arange(m + n) < m
            result = area_of_rows(event, rating)
            sides = result.positive.variance, result.negative.variance
            held += abs(result.value - area) <= reach_at(
                area, result.value, m, n, *sides, level=0.95
            )
        assert 0.95 - 3 * 0.011 < held / 400 < 0.995


def test_placements_count_weights():
    """As rows that stand several times."""
    event = np.array([True, False, True, False])
    rating = np.array([0.9, 0.5, 0.5, 0.1])
    again = np.array([0, 1, 1, 1, 2, 3])
    whole = placements(event[again], rating[again])
    result = placements(event, rating, np.array([1.0, 3.0, 1.0, 1.0]))
    assert result == pytest.approx(whole[[0, 1, 4, 5]])
    assert area_intervals.Area.of(event, result).counts == (2, 2)


def test_an_interval_says_why_it_is_missing():
    """One line a fact; without a negative row there is a note in place of the ends."""
    shown = roc_auc_interval(
        pb.Predictions.from_arrays([1, 1, 1], [0.2, 0.4, 0.6], classes=[0, 1])
    ).present()
    assert {one.key: one.text for one in shown.details}["interval_range"] == "-"
    assert [note.code for note in shown.notes] == ["no-interval"]
    shown = roc_auc_interval(
        pb.Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    ).present()
    assert {one.key: one.text for one in shown.details}["value"] == "0.75"
    assert shown.notes == ()
