import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.nonparametric.smoothers_lowess import lowess

from plumbline.curves import Line, smooth
from plumbline.curves.averaging import INFINITE
from plumbline.curves.smoothing import FLAT, NOTHING, out_of_shares
from plumbline.errors import ParameterError
from refusals import refused


def cloud(x, y, weight=None, **rest):
    """Return points as a line, with the weights of its rows."""
    x, y = np.array(x, float), np.array(y, float)
    more = {} if weight is None else {"weight": np.array(weight, float)}
    return Line(np.full(len(x), np.nan), x, y, more, **rest)


# ------------------------------------------------------------------ against outside and literal


@pytest.mark.parametrize(("n", "span"), [(30, 0.3), (101, 0.5), (400, 0.2), (400, 1.0), (9, 0.5)])
@pytest.mark.parametrize("shape", ["spread", "crowded", "ties"])
def test_smoothing_is_that_of_statsmodels(rng, n, span, shape):
    """At the same x, with windows of as many rows; statsmodels cuts span n to a whole number."""
    x = {
        "spread": rng.random(n),
        "crowded": rng.beta(0.3, 0.6, n),
        "ties": rng.integers(0, 40, n),
    }[shape]
    y = rng.random(n) < 1 / (1 + np.exp(-3 * x))
    smoothed = smooth(cloud(x, y), points=40, span=span)
    window = int(np.ceil(span * n - 1e-9))
    theirs = lowess(y.astype(float), x.astype(float), frac=window / n, it=0, xvals=smoothed.x)
    ours = smoothed.y
    known = np.isfinite(theirs) & sloped(x, smoothed.x, window)
    assert known.mean() > 0.5
    np.testing.assert_allclose(ours[known], theirs[known], atol=1e-8)


def sloped(x, grid, window):
    """Return where the nearest rows spread enough for a slope, by both programs' rules."""
    distance = np.abs(np.asarray(x, float)[:, None] - grid)
    reach = np.sort(distance, axis=0)[window - 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        tricube = np.clip(1 - (distance / reach) ** 3, 0, None) ** 3
        share = tricube / tricube.sum(axis=0)
    mean = (share * np.asarray(x)[:, None]).sum(axis=0)
    spread = np.sqrt((share * (np.asarray(x)[:, None] - mean) ** 2).sum(axis=0))
    return spread > 1.01 * FLAT * np.ptp(x)


def literal(x, y, weight, grid, span):
    """Return the values of weighted least squares, window by window, and the rows in them."""
    values, counts = [], []
    for at in grid:
        distance = np.abs(x - at)
        order = np.argsort(distance, kind="stable")
        enough = np.cumsum(weight[order]) >= span * weight.sum() - 1e-9
        reach = distance[order][np.argmax(enough)]
        inside = distance <= reach + 1e-9
        u = distance[inside] / reach if reach > 0 else np.ones(inside.sum())
        w = weight[inside] * np.where(u < 1 - 1e-9, (1 - np.minimum(u, 1) ** 3) ** 3, 0)
        xs, ys = x[inside], y[inside]
        counts.append(inside.sum())
        if not w.any():
            values.append(np.average(ys, weights=weight[inside]))
            continue
        mean = np.average(xs, weights=w)
        if np.sqrt(np.average((xs - mean) ** 2, weights=w)) <= FLAT * np.ptp(x):
            values.append(np.average(ys, weights=w))
            continue
        root = np.sqrt(w)
        design = np.stack([np.ones(len(xs)), xs - at], axis=1)
        fit = np.linalg.lstsq(design * root[:, None], ys * root, rcond=None)[0]
        values.append(fit[0])
    return np.array(values), np.array(counts)


@st.composite
def clouds(draw):
    """Draw x on a grid, so that many are equal and many equally far, y and small weights."""
    n = draw(st.integers(1, 25))
    few = st.lists(st.integers(0, 8), min_size=n, max_size=n)
    weight = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=n, max_size=n))
    return np.array(draw(few), float), np.array(draw(few), float), np.array(weight)


SPANS = st.sampled_from([0.05, 0.2, 0.3, 0.5, 0.7, 1.0])


@given(clouds(), SPANS, st.integers(2, 12))
def test_smoothing_is_literal_least_squares(points, span, count):
    """Windows found by sorting all distances, lines by least squares: ties, weights and all."""
    x, y, weight = points
    smoothed = smooth(cloud(x, y, weight), points=count, span=span)
    distinct = len(np.unique(x))
    np.testing.assert_allclose(smoothed.x, np.linspace(x.min(), x.max(), min(count, distinct)))
    value, rows = literal(x, y, weight, smoothed.x, span)
    np.testing.assert_allclose(smoothed.y, value, atol=1e-7)
    assert smoothed.more["count"].tolist() == rows.tolist()


def test_weighted_smoothing_is_literal_on_many_points(rng):
    """The same for 2,000 rows of any weight, which crowd at both ends."""
    x, weight = rng.beta(0.4, 0.4, 2000), rng.exponential(size=2000)
    y = rng.normal(np.sin(6 * x), 0.3)
    smoothed = smooth(cloud(x, y, weight), points=60, span=0.15)
    value, rows = literal(x, y, weight, smoothed.x, 0.15)
    np.testing.assert_allclose(smoothed.y, value, atol=1e-9)
    assert smoothed.more["count"].tolist() == rows.tolist()


# ------------------------------------------------------------------ laws


@given(clouds(), SPANS)
def test_weight_is_repetition(points, span):
    """Weight 2 is a row given twice, in the windows too."""
    x, y, weight = points
    times = (2 * weight).astype(int)
    ours = smooth(cloud(x, y, times), points=7, span=span)
    theirs = smooth(cloud(np.repeat(x, times), np.repeat(y, times)), points=7, span=span)
    np.testing.assert_allclose(ours.y, theirs.y, atol=1e-9)
    scaled = smooth(cloud(x, y, 0.001 * times), points=7, span=span)
    np.testing.assert_allclose(ours.y, scaled.y, atol=1e-9)
    assert ours.more["count"].tolist() == scaled.more["count"].tolist()
    absent = cloud([*x, 99.0], [*y, 99.0], [*times, 0])
    assert smooth(absent, points=7, span=span).y.tolist() == ours.y.tolist()


@given(clouds(), SPANS, st.randoms(use_true_random=False))
def test_neither_order_nor_units_nor_sides_matter(points, span, random):
    """Rows in another order, x and y in other units, x from right to left."""
    x, y, weight = points
    ours = smooth(cloud(x, y, weight), points=7, span=span)
    order = list(range(len(x)))
    random.shuffle(order)
    shuffled = smooth(cloud(x[order], y[order], weight[order]), points=7, span=span)
    np.testing.assert_allclose(shuffled.y, ours.y, atol=1e-9)
    mirrored = smooth(cloud(-x, y, weight), points=7, span=span)
    np.testing.assert_allclose(mirrored.y[::-1], ours.y, atol=1e-7)
    assert mirrored.more["count"][::-1].tolist() == ours.more["count"].tolist()
    moved = smooth(cloud(1000 + 0.25 * x, 5 - 2 * y, weight), points=7, span=span)
    np.testing.assert_allclose(moved.x, 1000 + 0.25 * ours.x)
    np.testing.assert_allclose(moved.y, 5 - 2 * ours.y, atol=1e-7)


def test_a_straight_line_stays_one(rng):
    """Local lines have no bias where the truth is straight, whatever the weights."""
    x, weight = rng.random(500), rng.exponential(size=500)
    smoothed = smooth(cloud(x, 3 - 2 * x, weight), points=50, span=0.2)
    assert smoothed.y == pytest.approx(3 - 2 * smoothed.x, abs=1e-10)


# ------------------------------------------------------------------ edges


def test_constant_x_has_one_point():
    """Its weighted mean."""
    smoothed = smooth(cloud([2, 2, 2], [0, 0, 1], [1, 1, 2]), points=101, span=0.5)
    assert (smoothed.x.tolist(), smoothed.y.tolist()) == ([2], [0.5])
    assert smoothed.more["count"].tolist() == [3]


def test_a_window_without_a_slope_has_its_mean():
    """All rows but one at 0, so windows at 0 have one x, and windows far off spread too little."""
    x, y = np.array([0.0] * 8 + [1e-5, 1.0]), np.array([0, 1] * 4 + [1, 0.0])
    smoothed = smooth(cloud(x, y), points=3, span=0.5)
    assert smoothed.x.tolist() == [0, 0.5, 1]
    assert smoothed.y == pytest.approx([0.5, 1.0, 0.0])  # at .5 and 1 only the nearest has weight
    assert smoothed.more["count"].tolist() == [8, 10, 10]


def test_two_rows_equally_far_share_the_value():
    """No row has a weight at a distance that is the window's own: the mean of all those there."""
    smoothed = smooth(cloud([0, 1, 2, 4], [0, 1, 5, 3]), points=3, span=0.1)
    assert smoothed.x.tolist() == [0, 2, 4]
    assert smoothed.y.tolist() == [0, 5, 3]
    between = smooth(cloud([0, 1, 3, 4], [0, 1, 5, 3]), points=3, span=0.1)
    assert (between.x.tolist(), between.y.tolist()) == ([0, 2, 4], [0, 3, 3])
    assert between.more["count"].tolist() == [1, 2, 1]


def test_values_may_leave_the_range_of_y():
    """Nothing is clipped: extrapolation of 0s and 1s goes below 0."""
    smoothed = smooth(cloud(np.arange(10), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]), points=10, span=0.8)
    assert smoothed.y.min() < 0


@pytest.mark.parametrize(
    ("y", "found", "noted"),
    [([0, 1], [0, 1], 0), ([0, 1], [-0.01, 1], 1), ([0, 1], [0, 1.01], 1), ([0, 2], [-1, 3], 0)],
)
def test_a_line_of_shares_that_leaves_0_to_1_says_so(y, found, noted):
    """0 and 1 are shares; what is no share to begin with may be anything."""
    assert len(out_of_shares(cloud([0, 1], y), cloud([0, 1], found))) == noted


def test_what_the_line_is_of_stays():
    """Names, counts and what was dropped; infinite points are dropped too."""
    line = cloud(
        [np.inf, 0, 1],
        [1, 0, 1],
        model="m",
        fold="2",
        target="yes",
        n=3,
        positives=2,
        negatives=1,
        dropped={"x undefined": 4},
    )
    smoothed = smooth(line, points=2, span=1)
    assert (smoothed.model, smoothed.fold, smoothed.target) == ("m", "2", "yes")
    assert (smoothed.n, smoothed.positives, smoothed.negatives) == (3, 2, 1)
    assert smoothed.dropped == {"x undefined": 4, INFINITE: 1}
    assert smoothed.x.tolist() == [0, 1]
    assert np.isnan(smoothed.threshold).all()


def test_no_points_give_none_and_a_reason():
    """The line's own reason where it has one."""
    assert smooth(cloud([], []), points=5, span=0.5).reason == NOTHING
    own = smooth(cloud([], [], reason="its own"), points=5, span=0.5)
    assert (len(own), own.reason) == (0, "its own")


@pytest.mark.parametrize("span", [0, -0.1, 1.5, 50, float("nan"), None, "half"])
def test_a_wrong_span_says_its_rule(span):
    """Above 0 and at most 1; 50 % is 0.5."""
    with refused(ParameterError, "no-fraction", argument="span"):
        smooth(cloud([0, 1], [0, 1]), points=5, span=span)
    with pytest.raises(
        ParameterError, check=lambda e: (e.argument, e.code) == ("points", "no-whole-number")
    ):
        smooth(cloud([0, 1], [0, 1]), points=1, span=0.5)


def test_the_rows_near_the_points_are_all_rows(rng):
    """Every row is nearest to one point of the smoothed line, whatever its weight."""
    x, more = np.sort(rng.normal(size=200)), {"weight": rng.uniform(0.5, 2, 200)}
    line = smooth(Line(np.full(200, np.nan), x, x**2, more), points=9, span=0.4)
    nearest = np.abs(x[:, None] - line.x).argmin(axis=1)
    assert line.more["near"].tolist() == np.bincount(nearest, minlength=9).tolist()
