"""The likelihood ratios of the omnibus against a literal oracle."""

import itertools

import numpy as np
import pytest

import plumbline as pb
from omnibus_oracle import log_ratios
from plumbline.calibration_tests import Ratios, WeightedRows, omnibus_families
from plumbline.calibration_tests.omnibus_families import families
from plumbline.calibration_tests.omnibus_members import SHOWN, amounts, equal_information
from plumbline.nulls import observed


def table(rng, n, k, alpha, weight=None, digits=None):
    """Return predictions whose labels are drawn from them."""
    prob = rng.dirichlet(np.full(k, alpha), n)
    if digits is not None:
        prob = np.maximum(prob.round(digits), 10.0**-digits)
        prob /= prob.sum(axis=1, keepdims=True)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k), weight=weight)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("n", "k", "alpha", "digits"),
    [(40, 2, 1.0, None), (300, 2, 0.1, None), (90, 3, 1.0, 1), (70, 5, 0.3, None), (60, 10, 5, 2)],
)
def test_every_family_is_what_the_literal_formulas_give(rng, n, k, alpha, digits, weighted):
    """Sums over rows and matrix products agree with one family after the other, spelled out."""
    weight = rng.integers(0, 4, n).astype(float) if weighted else None
    data = table(rng, n, k, alpha, weight, digits)
    ratios = Ratios(WeightedRows.of(data))
    result = observed(ratios)
    rows = ratios.rows
    wanted = log_ratios(rows.prob, rows.actual, rows.weight if weighted else None)
    for family, value in zip(families(k), result, strict=True):
        assert value == pytest.approx(wanted[family.name], rel=1e-3, abs=1e-3), family.name


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [2, 4, 22])
def test_blocks_of_rows_add_up_to_all_of_them(rng, monkeypatch, k, weighted):
    """Families of a table that is passed in blocks of seven rows are those of one pass."""
    weight = rng.uniform(0.5, 2, 200) if weighted else None
    data = table(rng, 200, k, 0.5, weight)
    data = data.select(where=data.prob.min(axis=1) > 0)

    def values():
        return observed(Ratios(WeightedRows.of(data)))

    whole = values()
    monkeypatch.setattr(omnibus_families, "AT_ONCE", 7 * k)
    np.testing.assert_allclose(values(), whole, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_labels_of_two_classes_add_up_as_those_of_more(rng, weighted):
    """The kernel of two classes gives every sum of the kernel of any number, bit by bit."""
    weight = rng.uniform(0.5, 2, 300) if weighted else None
    prob = np.concatenate([[0.0, 1.0, 1.0], rng.beta(0.7, 1.3, 297)])
    data = pb.Predictions.from_arrays(rng.random(300) < prob, prob, weight=weight)
    ratios = Ratios(WeightedRows.of(data))
    labels = rng.integers(0, 2, (300, 7)).astype(np.int32)
    quick, slow = ratios.tally(7), ratios.tally(7)
    quick.add(slice(0, 300), labels)
    sums = slow.single, slow.warm, slow.warm_classes, slow.tops, slow.hits, slow.pairs, slow.own
    omnibus_families.add_labels(labels, *ratios.table, ratios.kept[0], False, False, *sums)
    for name in ("single", "warm", "warm_classes", "tops", "hits", "own"):
        np.testing.assert_array_equal(getattr(quick, name), getattr(slow, name), name)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [3, 20, 40])
def test_labels_add_up_as_spelled_out(rng, k, weighted):
    """Every sum of the kernel is that of row after row and draw after draw, bit by bit."""
    weight = rng.uniform(0.5, 2, 300) if weighted else None
    ratios = Ratios(WeightedRows.of(table(rng, 300, k, 0.3, weight)))
    labels = rng.integers(0, k, (300, 5)).astype(np.int32)
    quick, slow = ratios.tally(5), ratios.tally(5)
    quick.add(slice(0, 300), labels)
    mass, top, top_bin, warm_bin, log_prob, random, prob, lifted, cell, terms = ratios.table
    for i, d in itertools.product(range(300), range(5)):
        w, t, c = mass[i], top[i], labels[i, d]
        hit = int(c == t)
        slow.single[:, d] += random[i, c], prob[i, c], *lifted[i, :, hit]
        slow.warm[warm_bin[i], d] += log_prob[i, c]
        slow.warm_classes[t, d] += log_prob[i, c]
        slow.tops[top_bin[i], d] += w * hit
        slow.hits[cell[i, c], d] += w
        slow.pairs[ratios.kept[0][t, c], d] += w
        slow.own[d, c, :2] += terms[i, c]
        if ratios.paired:
            slow.own[d, c, 2:] += prob[i]
    for name in ("single", "warm", "warm_classes", "tops", "hits", "own"):
        np.testing.assert_array_equal(getattr(quick, name), getattr(slow, name), name)
    np.testing.assert_array_equal(quick.pairs[1:], slow.pairs[1:])  # the first are not looked at


def test_rows_may_come_in_parts(rng):
    """Labels are added up row by row: two halves make the whole."""
    ratios = Ratios(WeightedRows.of(table(rng, 50, 4, 1.0)))
    labels = rng.integers(0, 4, (50, 7)).astype(np.int32)
    whole, parts = ratios.tally(7), ratios.tally(7)
    whole.add(slice(0, 50), labels)
    for rows in (slice(0, 21), slice(21, 50)):
        parts.add(rows, labels[rows])
    assert parts.values() == pytest.approx(whole.values(), rel=1e-12)


def test_an_amount_is_what_would_just_show_or_the_most():
    """Divergences that grow as a power are solved; what stays below the mark is taken whole."""
    result = amounts(lambda a: np.array([100.0, 9.0, 0.5]) * a ** np.array([2.0, 3.5, 2.0]), 1.0, 3)
    assert np.array([100.0, 9.0])[:2] * result[:2] ** np.array([2.0, 3.5]) == pytest.approx(
        SHOWN, rel=1e-3
    )
    assert result[2] == 1.0


@pytest.mark.parametrize("most", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.5])
@pytest.mark.parametrize("size", [1e-3, 10.0, 1e7, np.inf])
def test_one_amount_is_found_as_several_are(size, power, most):
    """Python's numbers give what arrays give, also where a divergence is infinite beyond 0.05."""

    def what(by):
        return np.where(by > 0.05, size * by**power, 1e4 * by**2)

    with np.errstate(all="ignore"):
        alone, both = amounts(what, most), amounts(what, most, 2)
    assert alone[0] == pytest.approx(both[0], rel=1e-12, nan_ok=True)


def test_equal_scores_share_a_bin_and_bins_hold_equal_information(rng):
    """Rounding does not part what is equal; bins differ by less than one group of rows."""
    score = rng.random(4000).round(3)
    bins = equal_information(score, np.ones(4000))
    again = equal_information(score * (1 + 1e-15), np.ones(4000))
    assert (bins == again).all()
    assert np.bincount(bins, minlength=32).min() > 4000 / 32 - 25
    assert all(len(set(bins[score == s])) == 1 for s in np.unique(score)[:50])


def test_certain_probabilities_leave_all_families_finite():
    """0, 1 and what lies next to them raise no warning and no NaN."""
    prob = np.array([[1.0, 0.0], [0.0, 1.0], [1 - 1e-16, 1e-16], [1e-300, 1.0], [0.5, 0.5]])
    data = pb.Predictions.from_arrays([0, 1, 0, 1, 1], prob, classes=[0, 1])
    assert np.isfinite(observed(Ratios(WeightedRows.of(data)))).all()
