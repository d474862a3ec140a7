"""Temperature scaling: the optimum, its laws, and what it does at the ends."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

import plumbline as pb
import plumbline.recalibration.methods.temperature as module
from laws import examples
from plumbline.recalibration import Softmax, fit_map
from plumbline.recalibration.methods.temperature import (
    COLDEST,
    FLAT,
    HOTTEST,
    SEPARATED,
    WORSE_THAN_NOTHING,
)
from refusals import refused
from strategies import binary_tables


def fitted(data, **options):
    """The map, and its temperature."""
    recalibration = fit_map(data, "temperature", options=options)
    return recalibration, recalibration.details["temperature"]


def at(data, value):
    """The table at a temperature that was not fitted."""
    recalibration, _ = fitted(data)
    return replace(recalibration, form=Softmax(np.array(1 / value), np.zeros(data.k))).applied(data)


def slow_loss(logits, actual, temperature, weight=None):
    """The log loss at a temperature, in scipy's words."""
    logs = log_softmax(logits / temperature, axis=1)[np.arange(len(actual)), actual]
    return -np.average(logs, weights=weight)


def slow_optimum(logits, actual, weight=None):
    """The temperature that scipy's bounded search finds."""
    result = minimize_scalar(
        lambda u: slow_loss(logits, actual, np.exp(u), weight),
        bounds=(np.log(COLDEST), np.log(HOTTEST)),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return float(np.exp(result.x))


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
        assert fitted(data)[1] == pytest.approx(slow_optimum(logits, actual, w), rel=1e-5)


@pytest.mark.parametrize("truth", [0.5, 2.0])
def test_it_finds_the_temperature_the_labels_were_drawn_at(truth):
    """Overconfident probabilities get T > 1, careful ones T < 1, within chance of the truth."""
    logits, actual = drawn(5, n=8_000, temperature=truth)
    data = pb.Predictions.from_logits(actual, logits, classes=range(4))
    recalibration, result = fitted(data)
    assert result == pytest.approx(truth, rel=0.08)
    assert recalibration.notes == ()
    assert pb.log_loss(recalibration.applied(data)) < pb.log_loss(data)


@settings(max_examples=examples(20), deadline=None)
@given(binary_tables(least_weight=0))
def test_weight_is_repetition(table):
    """A row of weight w counts as w rows, one of weight 0 as none."""
    assume(table.weight.sum() > 1)
    again = np.repeat(np.arange(table.n), table.weight)
    seen = np.bincount(table.event[table.weight > 0].astype(int), minlength=2)
    assume(np.all(seen > 0))
    (one, first), (other, second) = (
        fitted(data)
        for data in (table.predictions(), table.take(again).predictions(weighted=False))
    )
    assert first == pytest.approx(second, rel=1e-6)
    assert one.notes == other.notes


@settings(max_examples=examples(20), deadline=None)
@given(binary_tables(least=3), st.floats(0.3, 3))
def test_no_temperature_is_better(table, factor):
    """The fitted map's log loss is nowhere above that of another temperature."""
    data = table.predictions()
    assume(len(np.unique(data.actual)) == 2)
    recalibration, result = fitted(data)
    other = at(data, float(np.clip(result * factor, COLDEST, HOTTEST)))
    assert pb.log_loss(recalibration.applied(data)) <= pb.log_loss(other) + 1e-9


@settings(max_examples=examples(20), deadline=None)
@given(binary_tables(), st.floats(0.05, 20))
def test_the_map_keeps_the_order_and_the_sum(table, temperature):
    """Scores keep their order, rows sum to 1, T then 1/T is where it began."""
    data = table.predictions()
    assume(len(np.unique(data.actual)) == 2)
    mapped = at(data, temperature)
    inside = (table.score > 0) & (table.score < 1)
    order = np.argsort(table.score, kind="stable")
    assert np.all(np.diff(mapped.prob[order, 1]) >= 0)
    np.testing.assert_allclose(mapped.prob.sum(axis=1), 1.0, rtol=1e-12)
    back = at(mapped, 1 / temperature)
    np.testing.assert_allclose(back.prob[inside, 1], table.score[inside], rtol=1e-9)


def test_logits_count_where_probabilities_have_rounded_to_nought():
    """From logits of 800 the temperature is that of scipy's search on the logits themselves."""
    logits, actual = drawn(2, k=3, temperature=1.3)
    data = pb.Predictions.from_logits(actual, logits * 40, classes=range(3))
    recalibration, result = fitted(data)
    assert result == pytest.approx(slow_optimum(logits * 40, actual), rel=1e-5)
    assert np.isfinite(pb.log_loss(recalibration.applied(data)))


def test_probabilities_of_exactly_nought_and_one():
    """They count as half the smallest other, or the machine epsilon; no loss is infinite."""
    prob = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.7, 0.299, 0.001], [0.2, 0.3, 0.5]])
    data = pb.Predictions.from_arrays([1, 1, 0, 2], prob, classes=range(3))
    logs = np.log(np.where(prob == 0, 0.5e-3, prob))
    recalibration, result = fitted(data)
    assert result == pytest.approx(slow_optimum(logs, data.actual), rel=1e-5)
    assert np.isfinite(pb.log_loss(recalibration.applied(data)))
    tiny = pb.Predictions.from_arrays([0, 1], [[1.0, 1e-40, 0.0]] * 2, classes=range(3))
    mapped = at(tiny, 4.0).prob[0]
    assert mapped[1] == mapped[2] == pytest.approx(2.0**-13 / (1 + 2 * 2.0**-13))


@pytest.mark.parametrize(
    ("actual", "score", "value", "reason"),
    [
        ([0, 1, 1, 0], [0.4, 0.6, 0.9, 0.1], COLDEST, SEPARATED.format("0.01")),
        ([1, 0, 0, 1], [0.4, 0.6, 0.9, 0.1], HOTTEST, WORSE_THAN_NOTHING.format("100")),
        ([1, 0, 0], [0.5, 0.5, 0.5], 1.0, FLAT),
    ],
)
def test_without_an_optimum_it_is_bounded_and_says_so(actual, score, value, reason):
    """All right, all wrong, all equal: the end of the range, or 1, with the reason."""
    recalibration, result = fitted(pb.Predictions.from_arrays(actual, score))
    assert result == pytest.approx(value, rel=1e-15)
    assert recalibration.notes == (reason,)


def test_everything_but_the_probabilities_stays():
    """Labels, weights, folds and attributes pass through; float32 gives the same temperature."""
    rng = np.random.default_rng(3)
    prob = rng.dirichlet(np.ones(3), 300).astype(np.float32)
    columns = {
        "weight": rng.uniform(size=300),
        "fold": np.arange(300) % 3,
        "attributes": {"age": rng.integers(20, 60, 300)},
    }
    actual = rng.integers(0, 3, 300)
    data = pb.Predictions.from_arrays(actual, prob, classes=range(3), **columns)
    double = pb.Predictions.from_arrays(
        actual, prob.astype(float), classes=range(3), normalize=True, **columns
    )
    recalibration, result = fitted(data)
    assert result == pytest.approx(fitted(double)[1], rel=1e-5)
    mapped = recalibration.applied(data)
    assert (mapped.actual is data.actual, mapped.weight is data.weight) == (True, True)
    assert mapped.fold is data.fold
    assert list(mapped.attributes) == ["age"]


def test_what_has_no_temperature_is_refused():
    """Labels alone, several models, no weight at all: each says what is missing."""
    labels = pb.Predictions.from_arrays([0, 1], predicted=[0, 1], classes=[0, 1])
    several = pb.Predictions.from_arrays([0, 1], [0.2, 0.8], model=["a", "b"])
    nothing = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.8, 0.3], weight=[0.0, 0.0, 1.0])
    nothing = nothing.select(where=[0, 1])
    for data, code in (
        (labels, "labels-only"),
        (several, "several-models"),
        (nothing, "weights-all-zero"),
    ):
        with refused(pb.InputError, code):
            fitted(data)


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.floats(1e-6, 1e6))
def test_ratings_in_another_unit_give_the_same_probabilities(seed, k, unit):
    """The temperature of ratings is in their unit, so their scale makes no difference."""
    ratings, actual = drawn(seed, n=60, k=k, temperature=1.5)
    assume(len(np.unique(actual)) > 1)
    if k == 2:
        ratings = ratings[:, 1] - ratings[:, 0]
    one, other = (
        pb.Predictions.from_arrays(actual, score=r, classes=range(k))
        for r in (ratings, ratings * unit)
    )
    (first, t), (second, other_t) = fitted(one), fitted(other)
    assert other_t == pytest.approx(t * unit, rel=1e-7)
    np.testing.assert_allclose(second.applied(other).prob, first.applied(one).prob, rtol=1e-6)


def test_beginning_on_a_sample_changes_nothing(monkeypatch):
    """With the sample smaller than the table, sorted by class, the same temperature to 1e-9."""
    logits, actual = drawn(8, n=3_000, k=3, temperature=0.7)
    order = np.argsort(actual)
    data = pb.Predictions.from_logits(actual[order], logits[order], classes=range(3))
    whole = fitted(data)[1]
    monkeypatch.setattr(module, "SAMPLE", 50)
    monkeypatch.setattr(module, "BLOCK", 300)
    assert fitted(data)[1] == pytest.approx(whole, rel=1e-9)


def test_it_is_the_temperature_of_scikit_learn():
    """The same number as its CalibratedClassifierCV finds, as far as its search goes."""
    calibration = pytest.importorskip("sklearn.calibration")
    logits, actual = drawn(9, n=500, k=3, temperature=2.0)
    theirs = calibration._TemperatureScaling().fit(logits, actual)
    data = pb.Predictions.from_logits(actual, logits, classes=range(3))
    assert fitted(data)[1] == pytest.approx(1 / theirs.beta_, rel=1e-3)
