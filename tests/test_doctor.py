"""The input check: it names what makes an evaluation misleading, and is silent otherwise."""

import numpy as np
import pytest

import plumbline as pb


def subjects(data):
    """Return what the remarks are about."""
    return [remark.subject for remark in pb.check_input(data).remarks]


def sound(rng, n=500, k=4):
    """Return labels and probabilities with nothing odd about them."""
    prob = rng.dirichlet(np.ones(k), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    return y, prob


def test_a_sound_table_gets_no_remark(rng):
    """Nothing is odd about plenty of rows with distinct probabilities and all classes."""
    assert subjects(pb.Predictions.from_arrays(*sound(rng))) == []


@pytest.mark.parametrize(
    ("subject", "spoil"),
    [
        ("missing classes", lambda y, p: (np.where(y == 3, 2, y), p)),
        ("few rows", lambda y, p: (y[:50], p[:50])),
        ("ties", lambda y, p: (y, np.tile(p[:20], (25, 1)))),
        ("mass at 0 and 1", lambda y, p: (y, np.eye(4)[p.argmax(axis=1)])),
        ("row sums", lambda y, p: (y, (p * 1.0001).astype(np.float32))),
        (
            "logits that look like probabilities",
            lambda y, p: (
                y,
                np.exp(np.eye(4)[y]) / np.exp(np.eye(4)[y]).sum(axis=1, keepdims=True),
            ),
        ),
    ],
)
def test_each_oddity_is_named(rng, subject, spoil):
    """One oddity, its remark."""
    y, prob = spoil(*sound(rng))
    assert subject in subjects(pb.Predictions.from_arrays(y, prob))


def test_real_logits_are_not_called_probabilities(rng):
    """Predictions from a proper softmax do not look like a softmax of probabilities."""
    y, prob = sound(rng)
    data = pb.Predictions.from_logits(y, 3 * rng.normal(size=prob.shape), classes=range(4))
    assert "logits that look like probabilities" not in subjects(data)


def test_the_facts_are_counted_exactly():
    """Shares, distinct scores and mass at the ends are plain counts."""
    data = pb.Predictions.from_arrays([0, 1, 1, 1], [0.0, 1.0, 1.0, 0.25], weight=[1, 1, 1, 5])
    check = pb.check_input(data)
    assert check.class_shares == pytest.approx({"0": 1 / 8, "1": 7 / 8})
    assert check.distinct_scores == 3
    assert (check.share_at_zero, check.share_at_one) == (3 / 8, 3 / 8)
    assert (check.models, check.folds, check.attributes) == (0, 0, 0)


def test_tables_without_probabilities_are_described_too():
    """Labels alone: the check says that calibration cannot be judged."""
    assert "no probabilities" in subjects(
        pb.Predictions.from_arrays([0, 1] * 60, predicted=[0, 1] * 60)
    )


def test_weights_that_look_like_counts_are_named(rng):
    """Whole weights above 1 may be counts of examples, which a test must not take as one draw."""
    y, prob = sound(rng)
    counts = pb.Predictions.from_arrays(y, prob, weight=rng.integers(1, 4, 500))
    assert "weights look like counts" in subjects(counts)
    shares = pb.Predictions.from_arrays(y, prob, weight=rng.uniform(size=500))
    assert "weights look like counts" not in subjects(shares)
    ones = pb.Predictions.from_arrays(y, prob, weight=np.ones(500))
    assert "weights look like counts" not in subjects(ones)
