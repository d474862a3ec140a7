"""The error in one pass over plain arrays equals the whole way, or stands aside."""

import numpy as np
import pytest

from plumbline import EqualWidth, Predictions
from plumbline.calibration import define_error, one_pass, statistic, value_of
from plumbline.calibration.one_pass import binary_error, top_label_error
from plumbline.random_streams import stream
from refusals import refused


@pytest.fixture(autouse=True)
def _for_small_arrays_too(monkeypatch):
    monkeypatch.setattr(one_pass, "LEAST_NUMBERS", 0)


def whole_way(actual, prob, bins):
    """Return the error through the prediction table."""
    classes = None if prob.ndim == 1 else list(range(prob.shape[1]))
    data = Predictions.from_arrays(actual, prob, classes=classes)
    return value_of(statistic(data, define_error(data, bins=EqualWidth(bins))))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_decimal_score_is_in_its_bin(dtype):
    """Scores k / n, for which one bin off would show, for every number of bins up to 100."""
    source = stream(1)
    for bins in range(1, 101):
        score = (np.arange(bins + 1) / bins).astype(dtype)
        score = np.concatenate([score, np.nextafter(score[:-1], dtype(1)), source.random(9)])
        score = score.astype(dtype)
        event = source.integers(0, 2, len(score)).astype(np.int8)
        assert binary_error(event, score, bins) == pytest.approx(
            whole_way(event, score, bins), abs=1e-13
        )


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.bool_])
def test_outcomes_may_be_of_any_whole_type(kind):
    """The type of the outcomes does not matter."""
    source = stream(2)
    score = source.random(1003)
    event = (source.random(1003) < score).astype(kind)
    assert binary_error(event, score, 15) == pytest.approx(whole_way(event, score, 15), abs=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [3, 10, 101])
def test_the_most_likely_class_is_the_first_on_ties(k, dtype):
    """Rounded matrices, full of ties, with every row count that does not fill a lane."""
    source = stream(3)
    prob = source.dirichlet(np.ones(k), 1001)
    prob[:500] = (prob[:500] * 4).round() + 1.0
    prob = (prob / prob.sum(axis=1, keepdims=True)).astype(dtype)
    actual = source.integers(0, k, len(prob))
    assert top_label_error(actual, prob, 15) == pytest.approx(
        whole_way(actual, prob, 15), abs=1e-12 if dtype is np.float64 else 1e-7
    )


def broken(score, value):
    """Return the scores with one of them replaced."""
    result = score.copy()
    result.flat[7] = value
    return result


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e-9, 1.0000001])
def test_wrong_numbers_are_left_to_those_who_can_name_them(value):
    """A single wrong number anywhere, and the whole way must be taken."""
    source = stream(4)
    event, score = source.integers(0, 2, 100), source.random(100)
    prob = source.dirichlet(np.ones(5), 100)
    assert binary_error(event, score, 15) is not None
    assert binary_error(event, broken(score, value), 15) is None
    assert binary_error(broken(event, 2), score, 15) is None
    assert top_label_error(event, prob, 15) is not None
    assert top_label_error(event, broken(prob, value), 15) is None
    assert top_label_error(broken(event, 5), prob, 15) is None
    assert top_label_error(broken(event, -1), prob, 15) is None


def test_what_is_not_a_plain_array_is_left_alone():
    """Lists, other layouts, other types and numbers of bins that divide badly."""
    event, score = np.array([0, 1] * 9), np.linspace(0, 1, 18)
    assert binary_error(event.tolist(), score, 15) is None
    assert binary_error(event, score[::-1], 15) is None
    assert binary_error(event.astype(float), score, 15) is None
    assert binary_error(event, score.astype(np.float16), 15) is None
    assert binary_error(event[1:], score, 15) is None
    assert binary_error(event, score, one_pass.MOST_BINS + 1) is None
    assert top_label_error(event, np.column_stack([score, 1 - score]), 15) is None


def test_the_division_is_right_for_nearly_all_numbers_of_bins():
    """Where it is not, the whole way is taken: the rule is checked, not believed."""
    for dtype in (np.float32, np.float64):
        refused = [b for b in range(1, 200) if one_pass._edges(b, np.dtype(dtype)) is None]
        assert 15 not in refused
        assert len(refused) < 20


def test_the_twin_of_scikit_learn_takes_the_quick_way_and_says_the_same(monkeypatch):
    """Large plain arrays give the number of small ones, and wrong ones the same refusal."""
    from plumbline.errors import InputError
    from plumbline.sklearn import expected_calibration_error

    source = stream(5)
    score = source.random(500)
    event = (source.random(500) < score**2).astype(np.int64)
    quick = expected_calibration_error(event, score)
    assert quick == binary_error(event, score, 15)
    monkeypatch.setattr(one_pass, "LEAST_NUMBERS", 501)
    assert expected_calibration_error(event, score) == pytest.approx(quick, abs=1e-14)
    monkeypatch.setattr(one_pass, "LEAST_NUMBERS", 0)
    with refused(InputError, "value-missing", "row 7"):
        expected_calibration_error(event, broken(score, np.nan))
