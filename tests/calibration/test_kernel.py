"""Kernel errors and cumulative differences: estimators by definition, true values, row orders."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.distance import cdist

import plumbline as pb
from label_sets import chances, label_sets, values_of_all
from laws import examples, law
from plumbline.calibration import cumulative_statistic, kernel, kernel_statistic, mmce_statistic
from plumbline.nulls import observed, resampled
from refusals import refused
from strategies import binary_tables

ESTIMATORS = ("unbiased", "biased", "block")


def several(rng, n, k, *, weighted=True):
    """Return a table with equal vectors and rows of weight 0, and its columns."""
    prob = rng.dirichlet(np.ones(k), n)
    prob[1::3] = prob[: len(prob[1::3])]
    y = rng.integers(0, k, n)
    weight = rng.integers(0, 4, n).astype(float) if weighted else np.ones(n)
    data = pb.Predictions.from_arrays(y, prob, classes=range(k), weight=weight)
    return data, y, prob, weight


def products(residual, prob):
    """Return (n, n) kernel times product of residuals, the kernel's width from all distances."""
    gaps = cdist(prob, prob)
    width = np.median(gaps[np.triu_indices(len(prob), 1)]) or 1.0
    return np.exp(-gaps / width) * (residual @ residual.T)


def by_definition(estimator, residual, prob, weight):
    """Return an estimator from the whole matrix of pairs."""
    kept = weight > 0
    residual, prob, weight = residual[kept], prob[kept], weight[kept]
    pairs, mass = products(residual, prob), np.outer(weight, weight)
    if estimator == "block":
        rows = np.arange(0, len(weight) - 1, 2)
        return np.average(pairs[rows, rows + 1], weights=mass[rows, rows + 1])
    if estimator == "unbiased":
        np.fill_diagonal(mass, 0.0)
    return np.sum(pairs * mass) / np.sum(mass)


@pytest.mark.parametrize("k", [2, 3])
@law("estimator", ESTIMATORS, number=3)
def test_the_estimators_are_their_definitions(rng, estimator, k):
    """Observed labels, and shares of labels as the true value, rows in the statistic's order."""
    data, y, prob, weight = several(rng, 31, k)
    what = kernel_statistic(data, estimator=estimator)
    expected = by_definition(estimator, np.eye(k)[y] - prob, prob, weight)
    assert observed(what) == pytest.approx(expected, abs=1e-12)
    shares = rng.dirichlet(np.ones(k), len(y))
    expected = by_definition(estimator, shares - prob, prob, weight)
    assert what.at(shares[what.order]) == pytest.approx(expected, abs=1e-12)
    assert what.at(prob[what.order]) == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_array_equal(data.actual[what.order], what.actual)


@pytest.mark.parametrize("k", [2, 3])
def test_pairs_of_rows_have_mean_0_if_true(rng, k):
    """Exactly, over all label vectors; the odd last row is nobody's partner."""
    prob = rng.dirichlet(np.ones(k), 7)
    data = pb.Predictions.from_arrays(np.zeros(7, int), prob, classes=range(k))
    what = kernel_statistic(data, estimator="block")
    labels = label_sets(6, k)
    assert what.order.tolist() == list(range(6))
    assert values_of_all(what, labels) @ chances(what.prob, labels) == pytest.approx(0, abs=1e-14)


def test_pairs_meet_across_chunks(rng):
    """A chunk of rows may end between a row and its partner."""
    data, *_ = several(rng, 40, 3, weighted=False)
    what = kernel_statistic(data, estimator="block")
    labels = np.tile(what.actual.astype(np.int32)[:, None], 2)
    tally = what.tally(2)
    for start, stop in ((0, 7), (7, 8), (8, 21), (21, 40)):
        tally.add(slice(start, stop), labels[start:stop])
    np.testing.assert_allclose(tally.values(), float(observed(what)), rtol=1e-12)


def test_biased_blocks_weigh_own_pairs_as_all_pairs_do(rng, monkeypatch):
    """Beyond the limit of vectors, pairs i != j are those of blocks, own pairs those of all."""
    data, y, prob, _ = several(rng, 60, 3, weighted=False)
    monkeypatch.setattr(kernel, "BLOCK", 10)
    unbiased = float(observed(kernel_statistic(data)))
    own = np.mean(np.square(np.eye(3)[y] - prob).sum(axis=1))
    biased = observed(kernel_statistic(data, estimator="biased"))
    assert biased == pytest.approx(unbiased * 59 / 60 + own / 60)


def test_two_classes_need_no_blocks(rng, monkeypatch):
    """One pass along the scores gives all pairs, however few vectors a block may hold."""
    data, y, prob, _ = several(rng, 300, 2, weighted=False)
    monkeypatch.setattr(kernel, "BLOCK", 4)
    expected = by_definition("unbiased", np.eye(2)[y] - prob, prob, np.ones(300))
    assert observed(kernel_statistic(data)) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=examples(40))
@given(binary_tables(least_weight=0))
def test_mmce_is_its_double_sum(columns):
    """Of the rows, each as often as it weighs; the true value from shares."""
    binary = columns.predictions().one_vs_rest("1")
    what = mmce_statistic(binary)
    apart = columns.take(np.repeat(np.arange(columns.n), columns.weight))
    gaps = np.abs(apart.score[:, None] - apart.score)
    residual = apart.event - apart.score
    expected = np.sqrt(max(residual @ np.exp(-gaps / 0.4) @ residual, 0)) / apart.n
    assert observed(what) == pytest.approx(expected, abs=1e-8)
    sure = np.eye(2)[columns.event]
    assert what.at(sure[what.order]) == pytest.approx(float(observed(what)), abs=1e-12)
    assert what.at(binary.prob[what.order]) == pytest.approx(0.0, abs=1e-7)


def test_mmce_of_many_rows_lies_in_its_null(rng):
    """Labels drawn as 5,000 rows say are among the drawn; a table of overconfidence is not."""
    p = rng.random(5000)
    true = pb.Predictions.from_arrays((rng.random(5000) < p).astype(int), p).one_vs_rest("1")
    drawn = resampled(mmce_statistic(true), 200, rng=1)
    assert drawn.min() < observed(mmce_statistic(true)) < drawn.max()
    over = (rng.random(5000) < 0.25 + 0.5 * p).astype(int)
    wrong = pb.Predictions.from_arrays(over, p).one_vs_rest("1")
    assert observed(mmce_statistic(wrong)) > drawn.max()


@pytest.mark.parametrize("kind", ["kolmogorov-smirnov", "kuiper"])
def test_cumulative_differences_of_shares(rng, kind):
    """The walk of shares less probabilities; 0 for the probabilities, the observed if sure."""
    p, weight = rng.integers(0, 9, 40) / 8, rng.integers(0, 4, 40)
    y = rng.integers(0, 2, 40)
    binary = pb.Predictions.from_arrays(y, p, weight=weight).one_vs_rest("1")
    what = cumulative_statistic(binary, kind)
    share = rng.random(40)
    heights = [0.0] + [float((weight * (share - p))[p <= s].sum()) for s in np.unique(p)]
    expected = np.abs(heights).max() if kind == "kolmogorov-smirnov" else np.ptp(heights)
    shares = np.column_stack([1 - share, share])
    assert what.at(shares[what.order]) == pytest.approx(expected / weight.sum(), abs=1e-12)
    assert what.at(binary.prob[what.order]) == pytest.approx(0.0, abs=1e-15)
    assert what.at(np.eye(2)[y][what.order]) == pytest.approx(float(observed(what)), abs=1e-12)


def test_an_unknown_estimator_is_refused(rng):
    """The error names the known ones."""
    data, *_ = several(rng, 10, 3, weighted=False)
    with refused(pb.ParameterError, "unknown-name", "'biased'", argument="estimator"):
        kernel_statistic(data, estimator="biassed")


def test_rows_without_weight_measure_nothing():
    """Every estimator says so."""
    data = pb.Predictions.from_arrays([0, 1], [0.4, 0.6], weight=[1, 0])
    for estimator in ("unbiased", "block"):
        assert observed(kernel_statistic(data, estimator=estimator)) == 0.0
