"""The input check: it names what makes an evaluation misleading, and is silent otherwise."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import plumbline as pb
from plumbline import input_checks
from plumbline.input_checks import _probability_so_low, _surely_forward


def codes(data):
    """Return the codes of the remarks."""
    return [remark.code for remark in pb.check_input(data).remarks]


def sound(rng, n=500, k=4):
    """Return labels and probabilities with nothing odd about them."""
    prob = rng.dirichlet(np.ones(k), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    return y, prob


def test_a_sound_table_gets_no_remark(rng):
    """Nothing is odd about plenty of rows with distinct probabilities and all classes."""
    assert codes(pb.Predictions.from_arrays(*sound(rng))) == []


@pytest.mark.parametrize(
    ("code", "spoil"),
    [
        ("missing-classes", lambda y, p: (np.where(y == 3, 2, y), p)),
        ("few-rows", lambda y, p: (y[:50], p[:50])),
        ("ties", lambda y, p: (y, np.tile(p[:20], (25, 1)))),
        ("mass-at-0-and-1", lambda y, p: (y, np.eye(4)[p.argmax(axis=1)])),
        ("row-sums", lambda y, p: (y, (p * 1.0001).astype(np.float32))),
        (
            "logits-that-look-like-probabilities",
            lambda y, p: (
                y,
                np.exp(np.eye(4)[y]) / np.exp(np.eye(4)[y]).sum(axis=1, keepdims=True),
            ),
        ),
    ],
)
def test_each_oddity_is_named(rng, code, spoil):
    """One oddity, its remark."""
    y, prob = spoil(*sound(rng))
    assert code in codes(pb.Predictions.from_arrays(y, prob))


def test_real_logits_are_not_called_probabilities(rng):
    """Predictions from a proper softmax do not look like a softmax of probabilities."""
    y, prob = sound(rng)
    data = pb.Predictions.from_logits(y, 3 * rng.normal(size=prob.shape), classes=range(4))
    assert "logits-that-look-like-probabilities" not in codes(data)


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
    assert "no-probabilities" in codes(
        pb.Predictions.from_arrays([0, 1] * 60, predicted=[0, 1] * 60)
    )


def test_weights_that_look_like_counts_are_named(rng):
    """Whole weights above 1 may be counts of examples, which a test must not take as one draw."""
    y, prob = sound(rng)
    counts = pb.Predictions.from_arrays(y, prob, weight=rng.integers(1, 4, 500))
    assert "weights-look-like-counts" in codes(counts)
    shares = pb.Predictions.from_arrays(y, prob, weight=rng.uniform(size=500))
    assert "weights-look-like-counts" not in codes(shares)
    ones = pb.Predictions.from_arrays(y, prob, weight=np.ones(500))
    assert "weights-look-like-counts" not in codes(ones)


def reversed_table(rng, n, *, positives=None, **columns):
    """Return a calibrated table of two classes whose probabilities are those of the other class."""
    p = rng.random(n)
    y = rng.random(n) < p
    if positives is not None:
        y = np.isin(np.arange(n), np.argsort(p)[-positives:])
    return pb.Predictions.from_arrays(y, 1 - p, **columns)


def backwards(data):
    """Return the remark on an AUC below one half, or None."""
    result = [one for one in pb.check_input(data).remarks if one.code == "auc-below-half"]
    return result[0] if result else None


@pytest.mark.parametrize("positives", [None, 4, 50, 296])
def test_probabilities_of_the_other_class_are_noticed(rng, positives):
    """An AUC far below one half is remarked on, with few positives and with few negatives too."""
    data = reversed_table(rng, 300, positives=positives)
    text = backwards(data).text
    assert f"{pb.roc_auc(data):.3f}" in text
    assert "positive='False'" in text
    right = pb.Predictions.from_arrays(data.actual, 1 - data.prob[:, 1])
    assert backwards(right) is None


def test_only_two_classes_with_a_rating_can_rank_backwards(rng):
    """Ratings count like probabilities; labels alone and more classes get no such remark."""
    data = reversed_table(rng, 300)
    rated = pb.Predictions.from_arrays(data.actual, score=data.prob[:, 1] - 7)
    assert backwards(rated) is not None
    assert backwards(pb.Predictions.from_arrays(data.actual, predicted=1 - data.actual)) is None
    y, prob = sound(rng)
    assert backwards(pb.Predictions.from_arrays(y, prob[:, ::-1])) is None


def test_the_model_that_ranks_backwards_is_named(rng):
    """Of several models only those with such an area are named."""
    wrong = reversed_table(rng, 300)
    prob = np.concatenate([wrong.prob[:, 1], 1 - wrong.prob[:, 1]])
    both = pb.Predictions.from_arrays(
        np.tile(wrong.actual, 2), prob, model=["old"] * 300 + ["new"] * 300
    )
    assert "(old)" in backwards(both).text
    assert "(new)" not in backwards(both).text


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.booleans(), st.integers(0, 3)), max_size=12),
    st.sampled_from([0.1, 1.0, 1e-300, 1e9]),
)
def test_an_area_that_is_surely_high_is_high(rows, unit):
    """What is told without sorting agrees with the area: ties, counts, ratings of any size."""
    score, hit, times = (np.array([row[j] for row in rows], float) for j in range(3))
    if _surely_forward(score * unit, times, hit * times):
        each = np.repeat(np.arange(len(rows)), times.astype(int))
        assert pb.roc_auc(pb.Predictions.from_arrays(hit[each], score=score[each])) >= 0.5


def test_many_ranks_are_bounded_as_few(rng, monkeypatch):
    """Neighbouring ranks that are merged give a bound that is higher, by little."""
    data = reversed_table(rng, 3000)
    data = pb.Predictions.from_arrays(data.actual, 0.47 * data.prob[:, 1] + 0.53 * rng.random(3000))
    exact = _probability_so_low(data)
    monkeypatch.setattr(input_checks, "MOST_RANKS", 100)
    merged = _probability_so_low(data)
    assert exact <= merged < 1.1 * exact
    assert 0 < exact < 0.05


@pytest.mark.parametrize("levels", [2, 4, 100])
@pytest.mark.parametrize("m", [1, 3, 5, 8])
def test_the_probability_of_ranking_so_low_is_never_understated(rng, levels, m):
    """It is at least the share of all choices of m rows that rank as low, ties or not."""
    n = 11
    score = rng.integers(0, levels, n) / levels
    choices = np.array(list(itertools.combinations(range(n), m)))
    sums = rankdata(score)[choices].sum(axis=1)
    for place in np.argsort(sums)[:: len(sums) // 6 + 1]:
        y = np.isin(np.arange(n), choices[place]).astype(int)
        exact = float((sums <= sums[place] + 1e-9).mean())
        result = _probability_so_low(pb.Predictions.from_arrays(y, score))
        error = np.sqrt(exact * (1 - exact) / 9_999)  # of 9,999 random exchanges
        assert result >= exact - 5 * error


def test_rows_of_one_example_and_rows_without_weight_are_no_evidence():
    """Six examples in fifty repeats are six examples; what has no weight does not count."""
    y, p = np.tile([0, 0, 0, 1, 1, 1], 50), np.tile([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], 50)
    ids = {"row": np.tile(np.arange(6), 50), "repeat": np.repeat(np.arange(50), 6)}
    assert backwards(pb.Predictions.from_arrays(y, p)) is not None
    assert backwards(pb.Predictions.from_arrays(y, p, **ids)) is None
    few = np.arange(300) < 6
    assert backwards(pb.Predictions.from_arrays(y, p, weight=few.astype(float))) is None
