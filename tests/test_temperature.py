"""Temperature scaling: the optimum, its laws, and what it does at the ends."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

import plumbline as pb
from plumbline.recalibration import Temperature, fit_temperature
from plumbline.recalibration.temperature import (
    COLDEST,
    FLAT,
    HOTTEST,
    NEVER,
    SEPARATED,
    WORSE_THAN_NOTHING,
)
from strategies import binary_tables


def slow_loss(logits, actual, temperature, weight=None):
    """The log loss at a temperature, in scipy's words."""
    logs = log_softmax(logits / temperature, axis=1)[np.arange(len(actual)), actual]
    return -np.average(logs, weights=weight)


def slow_optimum(logits, actual, weight=None):
    """The temperature that scipy's bounded search finds."""
    found = minimize_scalar(
        lambda u: slow_loss(logits, actual, np.exp(u), weight),
        bounds=(np.log(COLDEST), np.log(HOTTEST)), method="bounded", options={"xatol": 1e-9},
    )  # fmt: skip
    return float(np.exp(found.x))


def drawn(seed, n=400, k=4, temperature=1.0):
    """Logits, and labels drawn from their softmax at a temperature."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=1.5, size=(n, k))
    prob = np.exp(log_softmax(logits / temperature, axis=1))
    return logits, (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=k - 1)


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("truth", [0.4, 1.0, 3.0])
def test_it_is_the_optimum_of_scipy(k, truth):
    """On random tables, plain and weighted, the same temperature as a search of scipy's."""
    logits, actual = drawn(k, k=k, temperature=truth)
    weight = np.random.default_rng(k).uniform(0.1, 3, len(actual))
    prob = np.exp(log_softmax(logits, axis=1))
    for w in (None, weight):
        data = pb.Predictions.from_arrays(actual, prob, classes=range(k), weight=w)
        assert fit_temperature(data).value == pytest.approx(
            slow_optimum(logits, actual, w), rel=1e-5
        )


@pytest.mark.parametrize("truth", [0.5, 2.0])
def test_it_finds_the_temperature_the_labels_were_drawn_at(truth):
    """Overconfident probabilities get T > 1, careful ones T < 1, within chance of the truth."""
    logits, actual = drawn(5, n=8_000, temperature=truth)
    data = pb.Predictions.from_logits(actual, logits, classes=range(4))
    found = fit_temperature(data)
    assert found.value == pytest.approx(truth, rel=0.08)
    assert found.reason is None
    assert pb.log_loss(found(data)) < pb.log_loss(data)


@settings(max_examples=20, deadline=None)
@given(binary_tables(least_weight=0))
def test_weight_is_repetition(table):
    """A row of weight w counts as w rows, one of weight 0 as none."""
    assume(table.weight.sum() > 1)
    again = np.repeat(np.arange(table.n), table.weight)
    one, other = (
        fit_temperature(data)
        for data in (table.predictions(), table.take(again).predictions(weighted=False))
    )
    assert one.value == pytest.approx(other.value, rel=1e-6)
    assert one.reason == other.reason


@settings(max_examples=20, deadline=None)
@given(binary_tables(least=3), st.floats(0.3, 3))
def test_no_temperature_is_better(table, factor):
    """The fitted map's log loss is nowhere above that of another temperature."""
    data = table.predictions()
    found = fit_temperature(data)
    other = Temperature(float(np.clip(found.value * factor, COLDEST, HOTTEST)), data.n)
    assert pb.log_loss(found(data)) <= pb.log_loss(other(data)) + 1e-9


@settings(max_examples=20, deadline=None)
@given(binary_tables(), st.floats(0.05, 20))
def test_the_map_keeps_the_order_and_the_sum(table, temperature):
    """Scores keep their order, rows sum to 1, T then 1/T is where it began."""
    data = table.predictions()
    mapped = Temperature(temperature, 1)(data)
    inside = (table.score > 0) & (table.score < 1)
    order = np.argsort(table.score, kind="stable")
    assert np.all(np.diff(mapped.prob[order, 1]) >= 0)
    np.testing.assert_allclose(mapped.prob.sum(axis=1), 1.0, rtol=1e-12)
    back = Temperature(1 / temperature, 1)(mapped)
    np.testing.assert_allclose(back.prob[inside, 1], table.score[inside], rtol=1e-9)


def test_logits_count_where_probabilities_have_rounded_to_nought():
    """From logits of 800 the temperature is that of scipy's search on the logits themselves."""
    logits, actual = drawn(2, k=3, temperature=1.3)
    data = pb.Predictions.from_logits(actual, logits * 40, classes=range(3))
    assert fit_temperature(data).value == pytest.approx(slow_optimum(logits * 40, actual), rel=1e-5)
    assert np.isfinite(pb.log_loss(fit_temperature(data)(data)))


def test_probabilities_of_exactly_nought_and_one():
    """They count as 2^-52, or as the smallest other of their row, and the mapped loss is finite."""
    prob = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.7, 0.3 - 1e-30, 1e-30], [0.2, 0.3, 0.5]])
    data = pb.Predictions.from_arrays([1, 1, 0, 2], prob, classes=range(3))
    logs = np.log(np.where(prob == 0, NEVER, prob))
    found = fit_temperature(data)
    assert found.value == pytest.approx(slow_optimum(logs, data.actual), rel=1e-5)
    assert np.isfinite(pb.log_loss(found(data)))
    tiny = pb.Predictions.from_arrays([0, 1], [[1.0, 1e-40, 0.0]] * 2, classes=range(3))
    mapped = Temperature(4.0, 1)(tiny).prob[0]
    assert mapped[2] == mapped[1] == pytest.approx(1e-10)


@pytest.mark.parametrize(
    ("actual", "score", "value", "reason"),
    [
        ([0, 1, 1, 0], [0.4, 0.6, 0.9, 0.1], COLDEST, SEPARATED),
        ([1, 0, 0, 1], [0.4, 0.6, 0.9, 0.1], HOTTEST, WORSE_THAN_NOTHING),
        ([1, 0, 0], [0.5, 0.5, 0.5], 1.0, FLAT),
    ],
)
def test_without_an_optimum_it_is_bounded_and_says_so(actual, score, value, reason):
    """All right, all wrong, all equal: the end of the range, or 1, with the reason."""
    found = fit_temperature(pb.Predictions.from_arrays(actual, score))
    assert (found.value, found.reason) == (value, reason)


def test_everything_but_the_probabilities_stays():
    """Labels, weights, folds and attributes pass through; float32 gives the same temperature."""
    rng = np.random.default_rng(3)
    prob = rng.dirichlet(np.ones(3), 300).astype(np.float32)
    columns = {"weight": rng.uniform(size=300), "fold": np.arange(300) % 3,
               "attributes": {"age": rng.integers(20, 60, 300)}}  # fmt: skip
    actual = rng.integers(0, 3, 300)
    data = pb.Predictions.from_arrays(actual, prob, classes=range(3), **columns)
    double = pb.Predictions.from_arrays(
        actual, prob.astype(float), classes=range(3), normalize=True, **columns
    )
    found = fit_temperature(data)
    assert found.value == pytest.approx(fit_temperature(double).value, rel=1e-5)
    mapped = found(data)
    assert (mapped.actual is data.actual, mapped.weight is data.weight) == (True, True)
    assert mapped.fold is data.fold
    assert list(mapped.attributes) == ["age"]


def test_what_has_no_temperature_is_refused():
    """Labels alone, several models, no weight at all: each says what is missing."""
    labels = pb.Predictions.from_arrays([0, 1], predicted=[0, 1], classes=[0, 1])
    several = pb.Predictions.from_arrays([0, 1], [0.2, 0.8], model=["a", "b"])
    nothing = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.8, 0.3], weight=[0.0, 0.0, 1.0])
    nothing = nothing.select(where=[0, 1])
    for data, said in ((labels, "probabilities"), (several, "one model"), (nothing, "weights")):
        with pytest.raises(pb.InputError, match=said):
            fit_temperature(data)
