"""What many classes cost: the same numbers as the literal way, without its work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax, logsumexp, softmax

import plumbline as pb
import plumbline.recalibration.methods.softmax_regression as regression
from laws import examples
from plumbline.recalibration import PROBABILITY, fit_map, inputs
from plumbline.recalibration.inputs import Reading


def reading(prob, logs=None):
    """Rows as a map reads them."""
    k = prob.shape[1]
    return Reading(PROBABILITY, prob, logs, k - 1, tuple(map(str, range(k))))


@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from([np.float32, np.float64]))
@settings(max_examples=examples(60), deadline=None)
def test_the_rest_of_every_class_is_the_sum_of_the_others(seed, k, kind):
    """Also where a class has nearly all of a row, and 1 - p would be rounded to 0."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(20, k)) * rng.choice([0.1, 3.0, 60.0], size=(20, 1))
    prob, logs = softmax(logits, axis=1).astype(kind), log_softmax(logits, axis=1)
    prob[:2] = np.eye(k)[[0, -1]]
    given_logs = logs.copy()
    given_logs[:2, 1:] = -np.inf
    plain, exact = (list(reading(prob, given).events(range(k))) for given in (None, given_logs))
    for column in range(k):
        others = np.delete(np.arange(k), column)
        wanted = np.minimum(prob[:, others].sum(axis=1, dtype=np.float64), 1.0)
        for event in (plain[column], exact[column]):
            assert np.array_equal(event.value, prob[:, column].astype(np.float64))
            assert event.rest == pytest.approx(wanted, rel=4e-15 if kind == np.float64 else 1e-6)
        assert exact[column].logs[:, 1] == pytest.approx(given_logs[:, column])
        summed = logsumexp(given_logs[2:, others], axis=1)
        assert exact[column].logs[2:, 0] == pytest.approx(summed, rel=1e-13, abs=1e-14)


def mixed(n, k, seed):
    """Rows whose classes are mixed up by a full matrix, so that many weights are needed."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, k)) * 3
    weights = 0.6 * np.eye(k) + 0.1 * rng.normal(size=(k, k))
    truth = softmax(logits @ weights.T, axis=1)
    actual = (truth.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(max=k - 1)
    return pb.Predictions.from_arrays(actual, softmax(logits, axis=1), classes=range(k))


@pytest.mark.parametrize("method", ["platt", "beta", "spline"])
def test_a_map_of_many_classes_sums_the_rows_once(method, monkeypatch):
    """Fitting and applying cost k sums of others, not k squared."""
    count = 0
    whole = inputs._Rest.of.__func__

    def counted(cls, *given):
        nonlocal count
        count += 1
        return whole(cls, *given)

    monkeypatch.setattr(inputs._Rest, "of", classmethod(counted))
    data = mixed(200, 8, 0)
    fitted = fit_map(data, method)
    assert count == 1
    fitted.applied(data)
    assert count == 2


@pytest.mark.parametrize("method", ["matrix", "dirichlet", "dirichlet-odir"])
def test_the_strength_is_that_of_trying_all_to_their_end(method, monkeypatch):
    """A spread that is much worse on other rows is given up early, and not chosen in the end."""
    count = 0
    literal = regression._loss

    def counted(*given):
        nonlocal count
        count += 1
        return literal(*given)

    monkeypatch.setattr(regression, "_loss", counted)
    data = mixed(600, 25, 1)
    quick = fit_map(data, method)
    few, count = count, 0
    monkeypatch.setattr(regression, "_much_worse", lambda *_: False)
    whole = fit_map(data, method)
    assert quick.details == whole.details
    assert np.array_equal(quick.form.weights, whole.form.weights)
    assert few < 0.7 * count
