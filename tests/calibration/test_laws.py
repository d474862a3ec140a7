"""Laws of the calibration error and its null, on data that hypothesis invents."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline.calibration import define_error, statistic
from plumbline.nulls import observed, resampled

SEEDS = st.integers(0, 2**32 - 1)


def random_data(seed, n, k, decimals=2):
    """Return labels and probabilities with few decimals, so that ties and zeros occur."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.full(k, 0.7), n).round(decimals)
    prob[:, -1] = np.abs(1 - prob[:, :-1].sum(axis=1))
    prob /= prob.sum(axis=1, keepdims=True)
    return rng.integers(k, size=n), prob


def statistic_of(y, prob, view, distance, bins="one-per-point"):
    """Return the statistic of labels and probabilities."""
    data = pb.Predictions.from_arrays(y, prob, classes=range(prob.shape[1]))
    return statistic(data, define_error(data, view, bins, distance))


@settings(max_examples=examples(40))
@given(SEEDS, st.integers(2, 60), st.integers(2, 6), st.sampled_from(["top-label", "classwise"]))
def test_theorems_1_and_2_absolute_and_square_differ_alike(seed, n, k, view):
    """One point per bin: error(real) - error(resampled) is equal for absolute and square distance.

    So both tests decide alike: their p-values are the same, draw by draw.
    """
    y, prob = random_data(seed, n, k)
    differences = {}
    for distance in ("absolute", "square"):
        what = statistic_of(y, prob, view, distance)
        differences[distance] = observed(what) - resampled(what, 50, rng=seed)
    assert np.allclose(differences["absolute"], differences["square"], rtol=0, atol=1e-12)


@settings(max_examples=examples(60))
@given(
    SEEDS,
    st.integers(2, 80),
    st.integers(2, 5),
    st.sampled_from(["top-label", "classwise", "one-vs-rest:1", "joint"]),
    st.sampled_from(["equal-width:10", "equal-size:5", "log-odds-width:6", "one-per-point"]),
    st.sampled_from(["absolute", "square", "log", "chi-square"]),
)
def test_row_order_does_not_matter(seed, n, k, view, bins, distance):
    """Shuffled rows give the same error, infinite ones included."""
    y, prob = random_data(seed, n, k)
    order = np.random.default_rng(seed).permutation(n)
    bins = None if view == "joint" else bins
    values = [
        observed(statistic_of(labels, rows, view, distance, bins))
        for labels, rows in ((y, prob), (y[order], prob[order]))
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-10, abs=1e-13)


@settings(max_examples=examples(60))
@given(SEEDS, st.integers(2, 60), st.integers(2, 5))
def test_class_order_does_not_matter_classwise_and_jointly(seed, n, k):
    """Permuting the classes leaves classwise and joint errors as they are."""
    y, prob = random_data(seed, n, k)
    order = np.random.default_rng(seed).permutation(k)
    place = np.argsort(order)
    for view, bins in (("classwise", "equal-width:8"), ("joint", None)):
        a = observed(statistic_of(y, prob, view, "absolute", bins))
        b = observed(statistic_of(place[y], prob[:, order], view, "absolute", bins))
        assert a == pytest.approx(b, rel=1e-10, abs=1e-13)


@settings(max_examples=examples(60))
@given(SEEDS, st.integers(2, 60), st.integers(1, 20))
def test_swapping_the_two_classes_leaves_the_error_away_from_edges(seed, n, b):
    """P(a) against a and P(b) against b have the same error where no score is on an edge."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.001, 0.999, n)
    y = rng.integers(2, size=n)
    bins = pb.EqualWidth(b)
    first = observed(
        statistic_of(y, np.column_stack([1 - p, p]), "one-vs-rest:1", "absolute", bins)
    )
    other = observed(
        statistic_of(y, np.column_stack([1 - p, p]), "one-vs-rest:0", "absolute", bins)
    )
    assert first == pytest.approx(other, rel=1e-9, abs=1e-12)


@settings(max_examples=examples(40))
@given(SEEDS, st.integers(2, 60), st.integers(2, 5))
def test_errors_lie_in_their_range(seed, n, k):
    """Absolute, square and Hellinger errors lie in [0, 1], all others above 0; so do all draws."""
    y, prob = random_data(seed, n, k)
    for view in ("top-label", "classwise", "joint"):
        bins = None if view == "joint" else "equal-width:7"
        tops = {"absolute": 1, "square": 1, "log": np.inf, "chi-square": np.inf, "hellinger": 1}
        for distance, top in tops.items():
            if (view, distance) == ("joint", "hellinger"):
                continue
            what = statistic_of(y, prob, view, distance, bins)
            values = np.append(resampled(what, 20, rng=0), observed(what))
            assert np.all(values >= -1e-12)
            assert np.all(values <= top + 1e-12)


@settings(max_examples=examples(40))
@given(SEEDS, st.integers(2, 100), st.integers(2, 4))
def test_draws_of_true_probabilities_are_never_infinite(seed, n, k):
    """A label of probability 0 is never drawn, so no draw of any distance is infinite."""
    y, prob = random_data(seed, n, k, decimals=1)
    for bins in ("equal-width:10", "one-per-point"):
        for distance in ("log", "chi-square"):
            what = statistic_of(y, prob, "classwise", distance, bins)
            assert np.isfinite(resampled(what, 30, 1)).all()


@settings(max_examples=examples(60))
@given(
    SEEDS, st.integers(2, 60), st.sampled_from(["equal-width:9", "tail-size:5", "one-per-point"])
)
def test_the_distances_keep_their_order(seed, n, bins):
    """In every bin, so in sum: log <= chi-square, absolute <= sqrt(2) hellinger, 2 square <= log.

    Gibbs and Su (2002), "On choosing and bounding probability metrics"; the last is Pinsker's. And
    4 square <= chi-square, since p (1 - p) is at most 1/4.
    """
    y, prob = random_data(seed, n, 2)
    value = {
        name: float(observed(statistic_of(y, prob, "one-vs-rest:1", name, bins)))
        for name in ("absolute", "square", "log", "chi-square", "hellinger")
    }
    assert value["log"] <= value["chi-square"] + 1e-12
    assert 4 * value["square"] <= value["chi-square"] * (1 + 1e-12) + 1e-12
    assert value["absolute"] <= np.sqrt(2) * value["hellinger"] + 1e-12
    assert 2 * value["square"] <= value["log"] + 1e-12
