import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from plumbline.curves import Line
from plumbline.curves.averaging import INFINITE
from plumbline.curves.smoothing import (
    MISSING,
    NO_CATEGORY_HERE,
    category_means,
    interval_words,
    wilson,
)
from plumbline.errors import ParameterError
from refusals import refused

NAMES = ("typical", "atypical", "non-anginal", "none")


def cloud(codes, y, weight=None, **rest):
    """Return points over categories as a line, with the weights of its rows."""
    codes, y = np.array(codes, float), np.array(y, float)
    more = {} if weight is None else {"weight": np.array(weight, float)}
    return Line(np.full(len(codes), np.nan), codes, y, more, **rest)


ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([1.0, 2.0, 3.0])), min_size=1
)


@given(ROWS)
def test_means_are_those_of_each_category_by_itself(rows):
    """Category by category with numpy; weight is repetition for the mean."""
    codes, y, weight = (np.array(column) for column in zip(*rows, strict=True))
    means = category_means(cloud(codes, y, weight), NAMES)
    assert means.x.tolist() == sorted(set(codes))
    for place, code in enumerate(means.x):
        of = codes == code
        assert means.y[place] == pytest.approx(np.average(y[of], weights=weight[of]))
        assert means.more["count"][place] == of.sum()
        effective = weight[of].sum() ** 2 / np.square(weight[of]).sum()
        assert means.more["effective_n"][place] == pytest.approx(effective)
    times = weight.astype(int)
    repeated = category_means(cloud(np.repeat(codes, times), np.repeat(y, times)), NAMES)
    np.testing.assert_allclose(repeated.y, means.y)


@given(ROWS, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_intervals_are_those_of_scipy_and_statsmodels(rows, level):
    """Wilson's for 0 and 1, Student's for other numbers, without weights or with equal ones."""
    codes, y, _ = (np.array(column) for column in zip(*rows, strict=True))
    for values in (y, y > 1):
        means = category_means(cloud(codes, values), NAMES, level=level)
        fivefold = category_means(cloud(codes, values, np.full(len(y), 5.0)), NAMES, level=level)
        for side in ("y_low", "y_high"):
            np.testing.assert_allclose(fivefold.more[side], means.more[side], rtol=1e-9, atol=1e-9)
        for place, code in enumerate(means.x):
            of = values[codes == code].astype(float)
            if np.isin(values, (0, 1)).all():
                expected = proportion_confint(of.sum(), len(of), 1 - level, method="wilson")
            elif len(of) > 1:
                expected = of.mean() + np.array(stats.t.interval(level, len(of) - 1)) * stats.sem(
                    of
                )
            else:
                expected = (np.nan, np.nan)
            result = [means.more[side][place] for side in ("y_low", "y_high")]
            np.testing.assert_allclose(result, expected, atol=1e-9)


def test_weighted_student_interval_by_hand():
    """Weights 1, 1, 2 of 0, 4, 3: mean 2.5, n = 16 / 6, s^2 = 9 / (4 - 6 / 4) = 3.6."""
    means = category_means(cloud([1, 1, 1], [0, 4, 3], [1, 1, 2]), NAMES)
    assert means.y.tolist() == [2.5]
    half = stats.t.ppf(0.975, 16 / 6 - 1) * np.sqrt(3.6 / (16 / 6))
    assert means.more["y_low"] == pytest.approx(2.5 - half)
    assert means.more["y_high"] == pytest.approx(2.5 + half)


# ------------------------------------------------------------------ what the intervals claim


def within(shares, truth, standard_errors=4.0):
    """Return whether simulated shares have a mean of `truth`, and their standard error."""
    error = np.std(shares, ddof=1) / np.sqrt(len(shares))
    return abs(np.mean(shares) - truth) <= standard_errors * error


@pytest.mark.parametrize("n", [10, 30, 200])
def test_wilson_interval_covers_as_often_as_counted_out(rng, n):
    """Over shares drawn evenly: as counted out over every outcome, and near the level.

    Mean coverage over all shares is what Wilson's interval keeps; at single shares near 0 or 1
    it may be lower.
    """
    truth = np.linspace(0.0005, 0.9995, 1000)
    hits = np.arange(n + 1)
    low, high = wilson(hits / n, np.full(n + 1, float(n)), level=0.95)
    covers = (low <= truth[:, None]) & (truth[:, None] <= high)
    counted = (stats.binom.pmf(hits, n, truth[:, None]) * covers).sum(axis=1)
    assert counted.mean() == pytest.approx(0.95, abs=0.006)
    assert counted.min() > 0.8
    drawn = rng.random(4000)
    codes = np.repeat(np.arange(4000), n)
    names = [str(code) for code in range(4000)]
    means = category_means(cloud(codes, rng.random(len(codes)) < drawn[codes]), names)
    covered = (means.more["y_low"] <= drawn) & (drawn <= means.more["y_high"])
    assert within(covered, counted.mean())


def test_effective_size_keeps_the_coverage_with_weights(rng):
    """Rows of very unequal weight: coverage near the level, which the row count would miss."""
    groups, n = 4000, 60
    truth = rng.uniform(0.1, 0.9, groups)
    codes = np.repeat(np.arange(groups), n)
    weight = rng.exponential(size=len(codes))  # effective n is about half of n
    y = rng.random(len(codes)) < truth[codes]
    means = category_means(cloud(codes, y, weight), [str(code) for code in range(groups)])
    effective = means.more["effective_n"]
    assert np.median(effective) == pytest.approx(n / 2, rel=0.1)
    covered = (means.more["y_low"] <= truth) & (truth <= means.more["y_high"])
    assert covered.mean() == pytest.approx(0.95, abs=0.005 + 3 * np.sqrt(0.05 * 0.95 / groups))
    low, high = wilson(means.y, means.more["count"], level=0.95)
    assert ((low <= truth) & (truth <= high)).mean() < 0.9


def test_student_interval_covers_at_its_level(rng):
    """Exactly so for normal values, here 5 a category."""
    groups, n = 4000, 5
    codes = np.repeat(np.arange(groups), n)
    means = category_means(
        cloud(codes, rng.normal(size=len(codes))), [str(code) for code in range(groups)], level=0.9
    )
    assert within((means.more["y_low"] <= 0) & (means.more["y_high"] >= 0), 0.9)


# ------------------------------------------------------------------ edges


def test_what_is_no_category_is_dropped_and_counted():
    """Missing categories, infinite values, and rows of no weight."""
    line = cloud(
        [0, -1, 2, 2, 3],
        [1, 1, np.inf, 0, 1],
        [1, 1, 1, 1, 0],
        model="m",
        n=5,
        dropped={"y undefined": 2},
    )
    means = category_means(line, NAMES)
    assert (means.x.tolist(), means.y.tolist()) == ([0, 2], [1, 0])
    assert means.dropped == {"y undefined": 2, INFINITE: 1, MISSING: 1}
    assert (means.model, means.n) == ("m", 5)
    assert "effective_n" not in category_means(cloud([0], [1]), NAMES).more


def test_no_categories_give_no_points_and_a_reason():
    """All missing, or no rows at all."""
    assert category_means(cloud([-1, -1], [0, 1]), NAMES).reason == NO_CATEGORY_HERE
    assert category_means(cloud([], [], reason="nothing"), ()).reason == "nothing"


def test_the_interval_is_said():
    """Its level, and that categories are looked at one at a time."""
    assert interval_words(0.995).startswith("99.5 % ")


@pytest.mark.parametrize("code", [4.0, 0.5, -2.0, 1e300])
def test_a_code_without_a_name_is_refused(code):
    """So is a level that is no fraction."""
    with refused(ParameterError, "code-without-name", "0 to 3", argument="names"):
        category_means(cloud([0, code], [0, 1]), NAMES)
    with pytest.raises(
        ParameterError, check=lambda e: (e.argument, e.code) == ("level", "no-fraction")
    ):
        category_means(cloud([0], [0]), NAMES, level=95)
