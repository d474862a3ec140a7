"""Areas under curves, hulls and paths: scikit-learn, literal twins, laws."""

import gc
import itertools
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.spatial import ConvexHull
from sklearn import metrics

import plumbline as pb
from laws import examples, some
from plumbline.confusion import counts, threshold_counts
from plumbline.curves import (
    Line,
    average_precision,
    convex_hull,
    pr_interpolated,
    precision_recall_area,
    roc_auc,
)
from plumbline.curves import area as areas
from plumbline.curves.area import MANY, STEPS
from plumbline.errors import InputError, ParameterError
from refusals import refused
from strategies import Binary, binary_tables

AREAS = [roc_auc, average_precision, precision_recall_area]


def random_table(rng, *, weighted):
    """Return a small table of both classes with many ties, and its columns."""
    n = int(rng.integers(2, 60))
    y = (rng.random(n) < 0.4).astype(int)
    y[:2] = 1, 0
    p = rng.integers(0, 1 + int(rng.integers(1, 40)), n) / 40
    weight = rng.integers(1, 5, n).astype(float) if weighted else None
    return pb.Predictions.from_arrays(y, p, weight=weight), y, p, weight


def both_classes(table: Binary) -> bool:
    """Tell whether there is a positive and a negative row."""
    return 0 < table.event.sum() < table.n


# ------------------------------------------------------------------ areas


@pytest.mark.laws
@pytest.mark.parametrize("weighted", [False, True])
def test_areas_equal_scikit_learns_on_random_tables(rng, weighted):
    """The area, its standardized part and the average precision agree to rounding."""
    for _ in some(range(150), 50):
        data, y, p, weight = random_table(rng, weighted=weighted)
        area = metrics.roc_auc_score(y, p, sample_weight=weight)
        assert roc_auc(data) == pytest.approx(area, rel=1e-13, abs=1e-15)
        limit = float(rng.choice([0.05, 0.3, 0.5, rng.random(), 1.0]))
        part = metrics.roc_auc_score(y, p, sample_weight=weight, max_fpr=limit)
        assert roc_auc(data, max_fpr=limit) == pytest.approx(part, rel=1e-12)
        average = metrics.average_precision_score(y, p, sample_weight=weight)
        assert average_precision(data) == pytest.approx(average, rel=1e-12)


def test_areas_of_many_rows_equal_scikit_learns(rng):
    """Where kernels count, the areas agree too."""
    n = counts.MANY + 5000
    p = rng.random(n).round(4)
    y = (rng.random(n) < p**2).astype(int)
    data = pb.Predictions.from_arrays(y, p)
    assert roc_auc(data) == pytest.approx(metrics.roc_auc_score(y, p), rel=1e-13)
    part = metrics.roc_auc_score(y, p, max_fpr=0.2)
    assert roc_auc(data, max_fpr=0.2) == pytest.approx(part, rel=1e-12)
    average = metrics.average_precision_score(y, p)
    assert average_precision(data) == pytest.approx(average, rel=1e-12)


def test_a_raw_part_is_the_area_that_a_fine_sum_finds(rng):
    """Not standardized, the part up to `max_fpr` is the integral of the curve; all of it is all."""
    data, y, p, _ = random_table(rng, weighted=False)
    fpr, tpr, _ = metrics.roc_curve(y, p)
    x = np.linspace(0, 0.37, 200_001)
    result = roc_auc(data, max_fpr=0.37, standardized=False)
    assert result == pytest.approx(np.trapezoid(np.interp(x, fpr, tpr), x), abs=2e-5)
    assert roc_auc(data, max_fpr=1, standardized=False) == pytest.approx(roc_auc(data), rel=1e-12)


def literal_pr_area(y, p, weight):
    """Integrate precision over recall along straight lines of counts, numerically."""
    result = threshold_counts(y == 1, p, weight=weight)
    tp, fp = np.append(0.0, result.tp), np.append(0.0, result.fp)
    total = 0.0
    for (a, b), (c, d) in zip(itertools.pairwise(tp), itertools.pairwise(fp), strict=True):
        if b > a:
            total += quad(
                lambda t, a=a, b=b, c=c, d=d: t / (t + c + (d - c) * (t - a) / (b - a)),
                a,
                b,
                epsabs=1e-12,
                epsrel=1e-12,
            )[0]
    return total / result.positives


@pytest.mark.parametrize("weighted", [False, True])
def test_the_precision_recall_area_is_the_integral_along_the_path(rng, weighted):
    """The closed form of every piece equals numeric integration (Davis and Goadrich 2006)."""
    for _ in range(25):
        data, y, p, weight = random_table(rng, weighted=weighted)
        expected = literal_pr_area(y, p, weight)
        assert precision_recall_area(data) == pytest.approx(expected, rel=1e-9)


def test_the_precision_recall_area_of_the_published_example():
    """TP 5, FP 5 and then TP 10, FP 30 of 20: the path of the paper's Table 1, and its area.

    Davis and Goadrich (2006) list recall .25, .3, .35, .4, .45, .5 with precision .5, .375, .318,
    .286, .265, .25.
    """
    recall, precision = np.array([0.25, 0.5]), np.array([0.5, 0.25])
    path = pr_interpolated(Line(np.array([0.9, 0.5]), recall, precision))
    at = np.array([0.25, 0.3, 0.35, 0.4, 0.45, 0.5])
    listed = [0.5, 0.375, 0.318, 0.286, 0.265, 0.25]
    np.testing.assert_allclose(np.interp(at, path.x, path.y), listed, atol=6e-4)
    y = np.repeat([1, 0, 1, 0, 1, 0], [5, 5, 5, 25, 10, 60])
    p = np.repeat([0.9, 0.5, 0.1], [10, 30, 70])
    expected = literal_pr_area(y, p, None)
    data = pb.Predictions.from_arrays(y, p)
    assert precision_recall_area(data) == pytest.approx(expected, rel=1e-10)


@settings(max_examples=examples(25))
@given(binary_tables(), st.randoms(use_true_random=False))
def test_areas_do_not_depend_on_the_order_of_rows(table, random):
    """Shuffled rows have the same areas."""
    mixed = table.take(random.sample(range(table.n), table.n))
    for area in AREAS:
        one, other = area(table.predictions()), area(mixed.predictions())
        assert one == pytest.approx(other, rel=1e-13, nan_ok=True)


@settings(max_examples=examples(25))
@given(binary_tables())
def test_a_weight_is_a_repetition(table):
    """A row of weight 3 is three rows."""
    again = table.take(np.repeat(np.arange(table.n), table.weight))
    for area in AREAS:
        one, other = area(table.predictions()), area(again.predictions(weighted=False))
        assert one == pytest.approx(other, rel=1e-13, nan_ok=True)


@settings(max_examples=examples(25))
@given(binary_tables())
def test_only_the_ranks_of_ratings_count(table):
    """A rising function of the ratings changes no area."""
    score = np.exp(5 * table.score) - 7
    rated = pb.Predictions.from_arrays(
        table.event, score=np.column_stack([-score, score]), classes=[0, 1], weight=table.weight
    )
    for area in AREAS:
        assert area(rated) == pytest.approx(area(table.predictions()), rel=1e-13, nan_ok=True)


@settings(max_examples=examples(25))
@given(binary_tables())
def test_the_complement_has_the_complement_of_the_area(table):
    """1 - p in place of p: 1 - AUC; and so do swapped classes, which leave the area as it is."""
    data = table.predictions()
    turned = Binary(table.event, 1 - table.score, table.weight).predictions()
    if not both_classes(table):
        assert np.isnan(roc_auc(data))
        return
    assert roc_auc(turned) == pytest.approx(1 - roc_auc(data), abs=1e-14)
    assert roc_auc(data, target=0) == pytest.approx(roc_auc(data), abs=1e-14)


@settings(max_examples=examples(25))
@given(binary_tables())
def test_areas_lie_between_their_bounds(table):
    """Areas are shares, 1 for a perfect ranking; a constant one has .5 and the prevalence."""
    if both_classes(table):
        assert all(0 <= area(table.predictions()) <= 1 for area in AREAS)
        perfect = Binary(table.event, table.event * 0.5, table.weight).predictions()
        assert [area(perfect) for area in AREAS] == [1, 1, 1]
        constant = Binary(table.event, table.score * 0, table.weight).predictions()
        share = np.average(table.event, weights=table.weight)
        assert [area(constant) for area in AREAS] == pytest.approx([0.5, share, share], rel=1e-14)


def test_areas_of_one_class_are_undefined():
    """No positives: nothing is defined; no negatives: only precision is, and it is 1."""
    ones, zeros = (pb.Predictions.from_arrays([c, c], [0.2, 0.7], classes=[0, 1]) for c in (1, 0))
    assert np.isnan(roc_auc(ones))
    assert np.isnan(roc_auc(ones, max_fpr=0.5))
    assert average_precision(ones) == precision_recall_area(ones) == 1
    assert all(np.isnan(area(zeros)) for area in AREAS)


def test_areas_of_labels_and_of_one_class_of_several(rng):
    """Labels alone are ratings of 0 and 1; of three classes each is seen against the rest."""
    y, answers = rng.integers(0, 2, 50), rng.integers(0, 2, 50)
    labels = pb.Predictions.from_arrays(y, predicted=answers, classes=[0, 1])
    assert roc_auc(labels) == pytest.approx(metrics.roc_auc_score(y, answers), rel=1e-13)
    prob = rng.dirichlet(np.ones(3), 50)
    y = rng.choice(list("abc"), 50)
    data = pb.Predictions.from_arrays(y, prob, classes=["a", "b", "c"])
    for name, p in zip("abc", prob.T, strict=True):
        expected = metrics.roc_auc_score(y == name, p)
        assert roc_auc(data, target=name) == pytest.approx(expected, rel=1e-13)
    assert roc_auc(data) == roc_auc(data, target="c")


def test_bad_arguments_are_refused():
    """A limit outside (0, 1], several models, an unknown class, raw arrays."""
    data = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])
    for limit in (0, -0.1, 1.1, np.nan, "much"):
        with pytest.raises(
            ParameterError, check=lambda e: (e.argument, e.code) == ("max_fpr", "no-fraction")
        ):
            roc_auc(data, max_fpr=limit)
    several = pb.Predictions.from_arrays([0, 1], [0.2, 0.7], model=["a", "b"])
    for area in AREAS:
        with pytest.raises(InputError, match="one model"):
            area(several)
        with refused(ParameterError, "unknown-class", "'yes'"):
            area(data, target="yes")
        with pytest.raises(ParameterError, match="needs Predictions"):
            area([0.2, 0.7])


def test_the_area_does_not_make_the_curve(monkeypatch, rng):
    """Of many rows the pairs are counted; thresholds are never listed."""
    y = rng.integers(0, 2, counts.MANY)
    data = pb.Predictions.from_arrays(y, rng.random(counts.MANY))
    monkeypatch.setattr(areas, "threshold_counts", None)
    monkeypatch.setattr(counts, "threshold_counts", None)
    assert 0.48 < roc_auc(data) < 0.52


# ------------------------------------------------------------------ hulls and paths


def roc_line(y, p):
    """Return the ROC line of a table, from (0, 0) on."""
    result = threshold_counts(np.asarray(y) == 1, np.asarray(p, float))
    first = [
        np.append(start, column)
        for start, column in ((np.inf, result.threshold), (0.0, result.fp), (0.0, result.tp))
    ]
    return Line(first[0], first[1] / result.negatives, first[2] / result.positives)


def test_the_hull_equals_scipys(rng):
    """Corners are those of the convex hull of the points and (1, 0), which lies below all."""
    for _ in range(60):
        _, y, p, _ = random_table(rng, weighted=False)
        line = roc_line(y, p)
        own = convex_hull(line)
        points = np.column_stack([np.append(line.x, 1), np.append(line.y, 0)])
        corners = points[np.unique(ConvexHull(points).vertices)]
        corners = corners[~(corners == (1, 0)).all(axis=1)]
        expected = sorted({(x.round(12), y.round(12)) for x, y in corners})
        assert list(zip(own.x.round(12), own.y.round(12), strict=True)) == expected


@pytest.mark.parametrize("n", [30, MANY + 5000])
def test_the_hull_is_concave_and_above_its_curve(rng, n):
    """Slopes fall, no point of the curve is above, and thresholds are those of the points."""
    y = rng.integers(0, 2, n)
    line = roc_line(y, rng.random(n) + 0.4 * y)
    own = convex_hull(line)
    assert (own.x[0], own.y[0], own.x[-1], own.y[-1]) == (0, 0, 1, 1)
    with np.errstate(divide="ignore"):
        slopes = np.diff(own.y) / np.diff(own.x)
    assert (np.diff(slopes[np.isfinite(slopes)]) < 0).all()
    inside = (line.x > 0) & (line.x < 1)
    assert (np.interp(line.x, own.x, own.y) >= line.y - 1e-12)[inside].all()
    points = set(zip(line.threshold, line.x, line.y, strict=True))
    assert set(zip(own.threshold, own.x, own.y, strict=True)) <= points


def test_the_hull_has_its_ends_even_of_a_line_that_lacks_them():
    """A point alone, and no point at all; the added ends have infinite thresholds."""
    one = convex_hull(Line(np.array([0.5]), np.array([0.2]), np.array([0.7])))
    assert (one.x.tolist(), one.y.tolist()) == ([0, 0.2, 1], [0, 0.7, 1])
    assert one.threshold.tolist() == [np.inf, 0.5, -np.inf]
    none = convex_hull(Line(np.array([]), np.array([]), np.array([])))
    assert (none.x.tolist(), none.y.tolist()) == ([0, 1], [0, 1])
    under = convex_hull(Line(np.array([0.5]), np.array([0.7]), np.array([0.2])))
    assert (under.x.tolist(), under.y.tolist()) == ([0, 1], [0, 1])


def test_the_hull_of_a_perfect_ranking_is_a_corner():
    """Straight pieces hold no points: (0, 0), (0, 1), (1, 1)."""
    own = convex_hull(roc_line([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]))
    assert (own.x.tolist(), own.y.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert own.threshold.tolist() == [np.inf, 0.7, 0.1]


def pr_line(y, p):
    """Return the precision-recall line of a table."""
    result = threshold_counts(np.asarray(y) == 1, np.asarray(p, float))
    return Line(result.threshold, result.tp / result.positives, result.tp / (result.tp + result.fp))


def test_the_path_between_points_is_that_of_the_counts(rng):
    """Every added point has counts on a straight line between its neighbours; points stay."""
    for _ in range(40):
        _, y, p, _ = random_table(rng, weighted=False)
        result = threshold_counts(y == 1, p)
        path = pr_interpolated(pr_line(y, p))
        own = ~np.isnan(path.threshold)
        assert set(result.threshold) == set(path.threshold[own])
        tp, fp = np.append(0.0, result.tp), np.append(0.0, result.fp)
        x = path.x * result.positives
        gains = np.flatnonzero(np.diff(tp) > 0)
        for j in gains:
            at = (x > tp[j] + 1e-9) & (x < tp[j + 1] - 1e-9)
            share = (x[at] - tp[j]) / (tp[j + 1] - tp[j])
            before = fp[j] if tp[j] > 0 or j == 0 else fp[j + 1]
            expected = x[at] / (x[at] + before + share * (fp[j + 1] - before))
            np.testing.assert_allclose(path.y[at], expected, rtol=1e-9)
        assert np.diff(path.x).max() <= 1.01 / STEPS + 1e-9 or len(gains) == 0


def test_a_path_is_the_same_in_either_direction(rng):
    """A line drawn from recall 1 down gets the same path, reversed."""
    _, y, p, _ = random_table(rng, weighted=False)
    line = pr_line(y, p)
    turned = Line(line.threshold[::-1], line.x[::-1], line.y[::-1])
    one, other = pr_interpolated(line), pr_interpolated(turned)
    for a, b in ((one.x, other.x), (one.y, other.y), (one.threshold, other.threshold)):
        np.testing.assert_array_equal(a, b[::-1])


def test_lines_that_are_no_rates_are_refused():
    """Counts have neither hull nor path; an empty line has no path to draw."""
    line = Line(np.array([0.5]), np.array([3.0]), np.array([7.0]))
    for function in (convex_hull, pr_interpolated):
        with refused(ParameterError, "no-curve-of-rates", "(3, 7)"):
            function(line)
    assert len(pr_interpolated(Line(np.array([]), np.array([]), np.array([])))) == 0


@pytest.mark.parametrize("band", ["none", "bootstrap"])
@pytest.mark.parametrize("preset", ["roc", "precision-recall", "gains"])
def test_areas_are_computed_when_they_are_asked_for(monkeypatch, preset, band):
    """Drawing computes neither; each is computed once, and a copy that is sent has both."""
    done = []
    for name in ("area_under", "_ends"):
        made = getattr(areas, name)
        monkeypatch.setattr(
            areas, name, lambda *args, made=made: done.append(made.__name__) or made(*args)
        )
    y = np.tile([0, 1, 1, 0, 1], 8)
    data = pb.Predictions.from_arrays(y, np.linspace(0.2, 0.9, 40), model=["a", "b"] * 20)
    draws = {} if band == "none" else {"resamples": 20}
    curve = pb.curve(data, preset, band=band, **draws)
    assert curve.lines[0].y.any()
    assert not done
    first = curve.lines[0]
    assert 0 < first.area < 1
    assert done == ["area_under"]
    assert (first.area_range is None) == (preset == "gains" and band == "none")
    done.clear()
    curve.to_dict()
    assert done.count("area_under") == 1  # of the other model
    sent = pickle.loads(pickle.dumps(first))  # noqa: S301
    assert (sent.area, sent.area_range) == (first.area, first.area_range)
    assert sent.area_method == first.area_method


@pytest.mark.parametrize("preset", ["roc", "precision-recall", "gains"])
def test_a_curve_that_nobody_holds_leaves_memory_at_once(preset):
    """Also one whose area and interval were asked for: no search for unreachable objects is due."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    curve = pb.curve(data, preset)
    (line,) = curve.lines
    assert line.area is not None
    assert (line.area_range is None) == (preset == "gains")
    left = weakref.ref(line.below)
    gc.disable()
    try:
        del curve, line
        assert left() is None
    finally:
        gc.enable()
