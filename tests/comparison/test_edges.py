"""Where a comparison turns: just enough examples, draws or folds, and the last of them."""

import warnings

import numpy as np
import pytest

import plumbline as pb
from plumbline.comparison import (
    Pair,
    aligned,
    compare,
    paired_bootstrap,
    paired_permutation,
    quantity_of,
)
from plumbline.comparison.bootstrap import SINGLE, last_score, value_at
from plumbline.comparison.compare import _cross
from plumbline.comparison.paired_rows import alike, exchanged
from plumbline.errors import LongWorkWarning
from refusals import refused, warned


def models(n=60, seed=0, names=("a", "b"), **columns):
    """Models of the same rows, each with noise of its own."""
    rng = np.random.default_rng(seed)
    z, y = rng.normal(size=n), rng.random(n)
    actual = (y < 1 / (1 + np.exp(-z))).astype(int)
    return {
        name: pb.Predictions.from_arrays(
            actual, 1 / (1 + np.exp(-z - size * rng.normal(size=n))), **columns
        )
        for size, name in enumerate(names)
    }


def test_a_bootstrap_takes_two_examples():
    """One is refused in words; of two there are draws, though all may be the same."""
    reasons = []
    for n in (1, 2):
        a, b = (pb.Predictions.from_arrays([0, 1] * n, p) for p in ([0.2, 0.9] * n, [0.4, 0.7] * n))
        pair = Pair(a, b, np.repeat(np.arange(n), 2))
        reasons.append(paired_bootstrap(pair, quantity_of("log-loss", a), resamples=99).reason)
    assert reasons[0] == SINGLE
    assert reasons[1] != SINGLE


def test_scores_of_draws_invert_their_quantiles():
    """Between two draws too, not only on one."""
    draws = np.sort(np.random.default_rng(2).normal(size=30))
    for value in (draws[:-1] + 0.3 * np.diff(draws)).tolist():
        assert value_at(draws, last_score(draws, value)) == pytest.approx(value)


def test_folds_serve_where_every_group_has_two():
    """And every example of it is in one fold."""
    groups, example = np.repeat([0, 1], 4), np.tile(np.arange(4), 2)
    assert _cross(groups, np.array([0, 0, 1, 1, 0, 1, 0, 1]), example)
    assert not _cross(groups, np.array([0, 0, 1, 1, 1, 1, 1, 1]), example)
    assert not _cross(
        groups, np.array([0, 0, 1, 1, 0, 1, 0, 1]), np.array([0, 1, 2, 0, 0, 1, 2, 3])
    )


def test_fewer_resamples_are_told_only_where_there_are_fewer():
    """A short table takes the usual number, and a note would be noise."""
    found = compare(models(), metrics="log-loss", test="permutation")
    assert "fewer-resamples" not in found.remark_codes


def test_long_work_is_told_before_it_begins(monkeypatch):
    """A metric that every exchange computes anew, of more rows times resamples than a bound."""
    a, b = models(40).values()
    pair, quantity = Pair(a, b, np.arange(40)), quantity_of("smooth-ece", a)
    assert not quantity.quick
    monkeypatch.setattr("plumbline.comparison.paired_rows.LONG", 40 * 19)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LongWorkWarning)
        paired_permutation(pair, quantity, resamples=19)
    with warned("long-work", "20 resamples", "40 rows"):
        paired_permutation(pair, quantity, resamples=20)


def test_counted_rows_are_refused_before_anything_is_drawn():
    """They have no order in which those of two models could be paired."""
    tables = models(count=np.arange(60) % 3 + 1)
    with refused(pb.InputError, "counted-rows", "a comparison needs"):
        compare(tables, metrics="log-loss")


def test_truths_differ_only_where_both_are_of_the_answer():
    """A model with right or wrong answers beside one with labels is refused as rows that differ."""
    rng = np.random.default_rng(1)
    row, p = np.arange(30), rng.random(30)
    right = np.where(rng.random(30) < p, "right", "wrong")
    own = pb.Predictions.from_arrays(right, p, positive="right", row=row)
    other = pb.Predictions.from_arrays(right[::-1], p, positive="right", row=row)
    labels = pb.Predictions.from_arrays(
        np.where(right == "right", "yes", "no"), p, positive="yes", row=row
    )
    aligned({"a": own, "b": other})
    with refused(pb.InputError, "classes-differ", "row '0'"):
        aligned({"a": labels, "b": other})


def test_logarithms_are_exchanged_where_a_table_has_them():
    """Also beside probabilities, which hold 0 where the logarithm is -800."""
    log_prob = np.log([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]])
    log_prob[0] = [-800.0, np.log1p(-0.0)]
    a = pb.Predictions.from_logits([1, 1, 0], log_prob)
    b = pb.Predictions.from_arrays([1, 1, 0], [0.5, 0.6, 0.7])
    pair = alike(Pair(a, b, np.arange(3)))
    _, second = exchanged(pair, np.array([True, False, False]))
    assert second.log_prob is not None
    assert second.log_prob[0].min() == pytest.approx(-800.0)


def test_what_is_printed_of_a_pair_has_no_state_of_its_probabilities():
    """Where nothing was recalibrated; `states` asks for it."""
    (pair,) = compare(models(), metrics="log-loss").pairs
    names = [detail.key for detail in pair.details()]
    assert "after" not in names
    assert "after" in [detail.key for detail in pair.details(states=True)]


def test_a_verdict_says_the_adjusted_p_value_where_it_differs():
    """With one comparison there is nothing to adjust."""
    (one,) = compare(models(300), metrics="log-loss").pairs
    two = compare(models(300), metrics=["log-loss", "brier-score"]).pairs[0]
    assert one.adjusted_p_value == one.p_value
    assert "adjusted" not in one.verdict
    assert two.adjusted_p_value > two.p_value
    assert ", adjusted 0." in two.verdict
