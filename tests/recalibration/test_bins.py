"""Maps that pool or bin scores: isotonic, centred, histograms, scaling-binning, BBQ, Venn-Abers."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline.calibration import isotonic_fit
from plumbline.recalibration import PROBABILITY, SCORE, fit_map
from plumbline.recalibration.inputs import Event
from plumbline.recalibration.methods.distinct_scores import (
    Distinct,
    _counted,
    _summed,
    distinct_scores,
)
from plumbline.recalibration.methods.histogram_binning import (
    bbq,
    equal_size,
    equal_width,
    models,
    scaling_binning,
)
from plumbline.recalibration.methods.isotonic import (
    both_probabilities,
    centred_isotonic,
    isotonic,
    venn_abers,
)
from refusals import refused
from strategies import binary_tables

METHODS = (isotonic, centred_isotonic, equal_width, equal_size, scaling_binning, bbq, venn_abers)


@st.composite
def rows(draw):
    """Draw scores, outcomes of both kinds and whole weights."""
    table = draw(binary_tables(least=2, most=30))
    hit = table.event == 1
    hit[0], hit[-1] = True, False
    return table.score, hit, table.weight.astype(float)


def mended(fit, value, on=PROBABILITY):
    """Return the event's probabilities that a fit gives to scores."""
    return fit.form(Event(on, np.asarray(value, float))).prob[:, 1]


def fitted(method, value, hit, *, weight=None, on=PROBABILITY, **options):
    """Fit a method to plain lists."""
    weight = np.ones(len(value)) if weight is None else np.asarray(weight, float)
    return method(Event(on, np.asarray(value, float)), np.asarray(hit, bool), weight, **options)


@settings(max_examples=examples(25))
@given(rows())
def test_both_ways_to_the_distinct_scores_agree(data):
    """Sorting events and others apart finds what sorting all rows finds, in any order."""
    score, hit, _ = data
    one, two = _counted(score, hit, np.float64(1.0)), _summed(score, hit, np.ones(len(score)))
    turned = _summed(score[::-1], hit[::-1], np.ones(len(score)))
    for a, b, c in zip(one, two, turned, strict=True):
        assert a.tolist() == b.tolist() == c.tolist()
    assert one.score.tolist() == sorted(set(score.tolist()))


def test_many_rows_are_sorted_in_two_threads_alike(rng):
    """From 65,536 rows on threads sort; the distinct scores are those of the other way."""
    score, hit = rng.integers(0, 9000, 70_000) / 9000, rng.random(70_000) < 0.5
    for a, b in zip(
        distinct_scores(score, hit, np.ones(70_000)),
        _summed(score, hit, np.ones(70_000)),
        strict=True,
    ):
        assert a.tolist() == b.tolist()


def test_scores_of_other_weights_do_not_depend_on_the_order_of_rows(rng):
    """Sums of weights that round are the same to the last bit whatever the order."""
    score, hit = rng.integers(0, 5, 300) / 8, rng.random(300) < 0.5
    weight = rng.random(300)
    first = distinct_scores(score, hit, weight)
    order = rng.permutation(300)
    again = distinct_scores(score[order], hit[order], weight[order])
    for a, b in zip(first, again, strict=True):
        assert a.tolist() == b.tolist()


@settings(max_examples=examples(25))
@given(rows(), st.sampled_from(METHODS))
def test_a_weight_is_a_repetition(data, method):
    """A row of weight w gives the map that w equal rows give."""
    score, hit, weight = data
    again = np.repeat(np.arange(len(score)), weight.astype(int))
    at = np.linspace(0, 1, 33)
    one = mended(fitted(method, score, hit, weight=weight), at)
    many = mended(fitted(method, score[again], hit[again]), at)
    np.testing.assert_allclose(one, many, rtol=1e-6 if method is scaling_binning else 1e-9)


@pytest.mark.parametrize("whole", [True, False])
def test_isotonic_is_scikit_learns(rng, whole):
    """Without bounds the map is IsotonicRegression's, with ties and weights, and outside."""
    sklearn = pytest.importorskip("sklearn.isotonic")
    for n in (2, 5, 40, 400):
        score = rng.integers(0, n, n) / n if whole else rng.random(n)
        hit = rng.random(n) < score
        hit[:2] = True, False
        weight = rng.integers(1, 4, n).astype(float) if whole else rng.random(n) + 0.1
        known = sklearn.IsotonicRegression(out_of_bounds="clip")
        known.fit(score, hit, sample_weight=weight)
        at = np.concatenate([score, rng.random(50) * 1.4 - 0.2])
        fit = fitted(isotonic, score, hit, weight=weight, bounded=False)
        np.testing.assert_allclose(mended(fit, at), known.predict(at), atol=1e-12)


@settings(max_examples=examples(40))
@given(rows())
def test_bounded_isotonic_rises_and_calls_nothing_sure(data):
    """The ends are drawn in by the rule of succession, never past their neighbours."""
    score, hit, weight = data
    plain = fitted(isotonic, score, hit, weight=weight, bounded=False)
    drawn = fitted(isotonic, score, hit, weight=weight)
    assert drawn.form.knots.tolist() == plain.form.knots.tolist()
    before, after = plain.form.values, drawn.form.values
    assert (np.diff(after) >= 0).all()
    inside = (before > 0) & (before < 1)
    assert after[inside].tolist() == before[inside].tolist()
    for sure in (0.0, 1.0):
        if (before == sure).any():
            share = isotonic_share(score, hit, weight)
            mass = weight[share == sure].sum()
            rule = abs(sure - 1 / (mass + 2))
            others = before[before != sure]
            bound = (
                rule
                if not inside.any()
                else (min if sure == 0 else max)(rule, others.min() if sure == 0 else others.max())
            )
            np.testing.assert_allclose(after[before == sure], bound, atol=1e-15)


def isotonic_share(score, hit, weight):
    """Return every row's share in the isotonic fit."""
    result = distinct_scores(score, hit, weight)
    fit = isotonic_fit(result.weight, result.hits[:, None])[:, 0]
    return fit[np.searchsorted(result.score, score)]


def test_a_bounded_end_keeps_within_its_neighbour():
    """One row without the event below a block of share 0.1 gets 0.1, not 1/3; the note says so."""
    score = [0.1, *[0.5] * 10, 0.9]
    hit = [False, True, *[False] * 9, True]
    fit = fitted(isotonic, score, hit)
    assert fit.form.knots.tolist() == [0.1, 0.5, 0.9]
    np.testing.assert_allclose(fit.form.values, [0.1, 0.1, 2 / 3])
    assert fit.notes[0].endswith("get 0.1, not 0")
    assert fit.notes[1].endswith("get 1 - 0.333, not 1")


def test_rows_are_counted_unless_they_have_weights():
    """The notes speak of rows, and of weight only where there are weights."""
    score, hit = [0.1, 0.2, 0.5, 0.5, 0.9], [False, False, True, False, True]
    for name, times, low, high in (
        ("isotonic", None, "(2)", "(1)"),
        ("centred-isotonic", [1.0] * 5, "(2)", "(1)"),
        ("isotonic", [0.5, 1.5, 1, 1, 2.5], "(2 by weight)", "(2.5 by weight)"),
    ):
        data = pb.Predictions.from_arrays(hit, score, weight=times)
        notes = fit_map(data, name).notes
        assert f" lowest rows {low} " in notes[0]
        assert f" highest rows {high} " in notes[1]


def test_centred_isotonic_by_hand():
    """Blocks {0.1, 0.2}, {0.4, 0.5, 0.9} of shares 1/2 and 2/3 put these at their mean scores."""
    fit = fitted(centred_isotonic, [0.1, 0.2, 0.4, 0.5, 0.9], [1, 0, 1, 1, 0])
    np.testing.assert_allclose(fit.form.knots, [0.15, 0.6])
    np.testing.assert_allclose(fit.form.values, [1 / 2, 2 / 3])
    np.testing.assert_allclose(mended(fit, [0.0, 0.375, 1.0]), [1 / 2, 7 / 12, 2 / 3])


def test_centred_isotonic_keeps_sure_blocks_flat_without_bounds():
    """A block of share 0 stays 0 from end to end unless it is drawn in; then it has one knot."""
    score, hit = [0.1, 0.3, 0.5, 0.6, 0.8, 0.9], [0, 0, 1, 0, 1, 1]
    flat = fitted(centred_isotonic, score, hit, bounded=False).form
    assert flat.knots.round(12).tolist() == [0.1, 0.3, 0.55, 0.8, 0.9]
    assert flat.values.tolist() == [0, 0, 0.5, 1, 1]
    drawn = fitted(centred_isotonic, score, hit).form
    np.testing.assert_allclose(drawn.knots, [0.2, 0.55, 0.85])
    np.testing.assert_allclose(drawn.values, [1 / 4, 1 / 2, 3 / 4])


@settings(max_examples=examples(25))
@given(rows())
def test_centred_isotonic_is_strict_between_its_knots(data):
    """Knots rise; only drawn ends may be as high as their neighbours."""
    score, hit, weight = data
    form = fitted(centred_isotonic, score, hit, weight=weight, bounded=False).form
    assert (np.diff(form.knots) > 0).all()
    level = np.diff(form.values) == 0
    assert np.isin(form.values[1:][level], [0.0, 1.0]).all()


@pytest.mark.parametrize("method", METHODS[:2])
def test_huge_and_tiny_ratings_have_finite_knots(method):
    """Sums of ratings near the largest float do not overflow."""
    score = np.array([-1.5e308, -1e308, -1.0, 0.0, 1e-300, 1e308, 1.6e308])
    form = fitted(method, score, [0, 1, 0, 1, 0, 1, 1], on=SCORE).form
    assert np.isfinite(form.knots).all()
    assert (np.diff(form.knots) > 0).all()


def test_equal_width_is_the_share_in_each_bin():
    """Decimal scores on an edge belong to the bin below, as everywhere; the first holds 0."""
    score = [0.0, 0.1, 0.3, 0.3, 0.4, 0.6, 0.7, 0.8, 1.0]
    hit = [0, 1, 0, 1, 1, 0, 1, 0, 1]
    fit = fitted(equal_width, score, hit, bins=10, bounded=False)
    # (0, .1]: 1/2, (.2, .3]: 1/2, (.3, .4]: 1, (.5, .6]: 0, (.6, .7]: 1, (.7, .8]: 0, (.9, 1]: 1
    expected = [0.5, 0.5, 0.5, 1.0, 0.5, 0.0, 1.0, 0.0, 0.5, 1.0]
    np.testing.assert_allclose(fit.form.values, expected)
    assert fit.form.edges.tolist() == [k / 10 for k in range(1, 10)]
    assert fit.parameters == 7
    np.testing.assert_allclose(mended(fit, [0.1, 0.3, 0.31]), [0.5, 0.5, 1.0])
    assert "3 of 10 bins" in fit.notes[0]


def test_empty_outer_bins_lie_on_lines_to_the_corners():
    """With all rows in (0.2, 0.4] the other bins go straight from its middle to 0 and to 1."""
    fit = fitted(equal_width, [0.3, 0.35, 0.4, 0.4], [0, 1, 0, 1], bins=5)
    expected = [0.5 * 0.1 / 0.3, 0.5, *(0.5 + 0.5 * t / 0.7 for t in (0.2, 0.4, 0.6))]
    np.testing.assert_allclose(fit.form.values, expected)


@settings(max_examples=examples(25))
@given(rows(), st.integers(1, 12))
def test_equal_size_has_the_edges_of_its_binning(data, bins):
    """Inner edges are those of EqualSize where a bin holds rows; the values are weighted shares."""
    score, hit, weight = data
    form = fitted(equal_size, score, hit, weight=weight, bins=bins, bounded=False).form
    edges = pb.EqualSize(bins).edges(score, weight)[1:-1]
    assert form.edges.tolist() == edges[edges < score.max()].tolist()
    home = np.searchsorted(form.edges, score)
    for j, value in enumerate(form.values):
        np.testing.assert_allclose(value, np.average(hit[home == j], weights=weight[home == j]))


def test_sure_bins_follow_the_rule_of_succession():
    """Three rows without the event get 1/5, two with it 3/4; ratings are binned like scores."""
    fit = fitted(equal_size, [-9, -8, -7, 3, 40], [0, 0, 0, 1, 1], on=SCORE, bins=2)
    assert fit.form.edges.tolist() == [-7]
    np.testing.assert_allclose(fit.form.values, [1 / 5, 3 / 4])


@pytest.mark.parametrize("on", [PROBABILITY, SCORE])
def test_scaling_binning_averages_the_platt_curve(rng, on):
    """A bin's value is the weighted mean of the Platt curve over its rows: at most b values."""
    from plumbline.recalibration.methods.logistic import platt

    value = rng.random(200) if on == PROBABILITY else rng.normal(size=200) * 3
    hit, weight = rng.random(200) < 0.5, rng.integers(1, 4, 200).astype(float)
    fit = fitted(scaling_binning, value, hit, weight=weight, on=on, bins=7)
    curve = mended(fitted(platt, value, hit, weight=weight, on=on), value, on)
    assert len(fit.form.values) == 7
    home = np.searchsorted(fit.form.edges, value)
    for j in range(7):
        mean = np.average(curve[home == j], weights=weight[home == j])
        np.testing.assert_allclose(fit.form.values[j], mean)


def literal_bbq(score, hit, at):
    """The paper's formulas, bin by bin, for rows that count once and probabilities."""
    n, different = len(score), {}
    rising = np.sort(score)
    for bins in range(max(1, math.floor(n ** (1 / 3) / 10)), math.ceil(10 * n ** (1 / 3)) + 1):
        inner = sorted({rising[math.ceil(j * n / bins) - 1] for j in range(1, bins)} - {rising[-1]})
        different[tuple(inner)] = [0.0, *inner, 1.0]
    scores, answers = [], []
    for edges in different.values():
        strength, log_score, answer = 2 / (len(edges) - 1), 0.0, np.empty(len(at))
        for low, high in pairwise(edges):
            inside = (score > low) & (score <= high)
            count, events = inside.sum(), hit[inside].sum()
            a = strength * (low + high) / 2
            c = strength - a
            log_score += math.lgamma(strength) - math.lgamma(count + strength)
            log_score += math.lgamma(events + a) - math.lgamma(a)
            log_score += math.lgamma(count - events + c) - math.lgamma(c)
            answer[(at > low) & (at <= high)] = (events + a) / (count + strength)
        scores.append(log_score)
        answers.append(answer)
    belief = np.exp(np.array(scores) - max(scores))
    return belief / belief.sum() @ np.array(answers)


@pytest.mark.parametrize("steps", [7, 100])
def test_bbq_is_the_papers_average(rng, steps):
    """The same answer as the formulas of Naeini et al. word by word, with few and many ties."""
    score = rng.integers(1, steps + 1, 120) / (steps + 1)
    hit = rng.random(120) < score**2
    at = rng.random(60) * 0.98 + 0.01
    fit = fitted(bbq, score, hit)
    np.testing.assert_allclose(mended(fit, at), literal_bbq(score, hit, at), rtol=1e-6)


def test_bbq_of_ratings_takes_the_share_of_events_beforehand():
    """With one bin the answer is (m + 2 r) / (n + 2), r the share: the share itself."""
    rows_ = Distinct(np.array([-4.0, 5.0]), np.array([3.0, 1.0]), np.array([1.0, 0.0]))
    one, two = models(rows_, of_probabilities=False)
    np.testing.assert_allclose(one.value, [1 / 4])
    np.testing.assert_allclose(two.value, [(1 + 1 / 4) / 4, (1 / 4) / 2])


def test_bbq_of_heavy_weights_stops_where_every_score_is_a_bin():
    """Rows that stand for a million each make no more histograms than there are partitions."""
    fit = fitted(bbq, [0.2, 0.4, 0.9], [0, 1, 1], weight=[1e9, 1e9, 1e9])
    assert len(fit.form.values) <= 3
    assert ((fit.form.values > 0) & (fit.form.values < 1)).all()


def with_row(data, at, label):
    """Return the isotonic fit at a score after one row has been added there."""
    score, hit, weight = data
    more = np.append(score, at), np.append(hit, label), np.append(weight, 1.0)
    return isotonic_share(*more)[-1]


@settings(max_examples=examples(25))
@given(rows(), st.booleans())
def test_venn_abers_adds_the_row_for_real(data, tenths):
    """p0 and p1 at, between, below and above the scores are isotonic fits with the row added."""
    score, hit, weight = data
    data = (score, hit, weight * 0.3 if tenths else weight)
    known = np.unique(score)
    at = np.concatenate([[-1.0], known, (known[1:] + known[:-1]) / 2, [2.0]])
    pair = both_probabilities(distinct_scores(*data))
    place = np.searchsorted(pair.edges, at)
    for label, result in ((False, pair.p0), (True, pair.p1)):
        slow = [with_row(data, s, label) for s in at]
        np.testing.assert_allclose(result[place], slow, atol=1e-11)
    assert (np.diff(pair.p0) >= -1e-15).all()
    assert (np.diff(pair.p1) >= -1e-15).all()
    assert (pair.p0 < pair.p1).all()


def test_venn_abers_merges_the_two():
    """The answer is p1 / (1 - p0 + p1), a step of its own at every score, and none below 0."""
    score, hit = np.array([0.0, 0.3, 0.6]), np.array([False, True, True])
    fit = fitted(venn_abers, score, hit)
    at = np.array([0.0, 0.1, 0.3, 0.5, 0.6, 0.9])
    data = (score, hit, np.ones(3))
    p0 = np.array([with_row(data, s, False) for s in at])
    p1 = np.array([with_row(data, s, True) for s in at])
    np.testing.assert_allclose(mended(fit, at), p1 / (1 - p0 + p1))
    assert (fit.form.edges >= 0).all()


def test_how_far_both_probabilities_are_apart_is_noted():
    """On average over the distinct scores, each with the row added for real."""
    rng = np.random.default_rng(8)
    score, hit = np.repeat(np.sort(rng.random(9)), 3), rng.random(27) < 0.5
    data = (score, hit, np.ones(27))
    apart = [with_row(data, s, True) - with_row(data, s, False) for s in np.unique(score)]
    (note,) = fitted(venn_abers, score, hit).notes
    assert f" {np.mean(apart):.3g} " in note
    assert len({f"{one:.2g}" for one in apart}) > 2


def test_venn_abers_of_neighbouring_numbers():
    """Where no number lies between two scores, there is no place between them."""
    score = np.array([0.5, np.nextafter(0.5, 1), 0.7])
    pair = both_probabilities(Distinct(score, np.ones(3), np.array([0.0, 1.0, 1.0])))
    assert len(pair.p0) == 6
    assert (np.diff(pair.edges) > 0).all()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_rows_in_plenty_lead_to_the_truth(rng, method):
    """From 20,000 rows every method finds the curve q = p^2 that made them."""
    p = rng.random(20_000)
    hit = rng.random(20_000) < p**2
    off = np.abs(mended(fitted(method, p, hit), p) - p**2).mean()
    assert off < 0.025  # half a bin of 15: 1/60; the Platt curve is not the truth's shape


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_separated_rows_get_finite_answers(method):
    """Where the scores tell the classes apart, nothing is called sure and the order stays."""
    value = np.array([0.0, 0.1, 0.2, 0.8, 0.9, 1.0])
    answer = mended(fitted(method, value, value > 0.5), value)
    assert ((answer > 0) & (answer < 1)).all()
    assert answer[:3].max() < answer[3:].min()


def test_wrong_options_are_refused():
    """Bins are whole numbers from 1 on, and `bounded` is yes or no."""
    for method in (equal_width, equal_size, scaling_binning):
        with refused(pb.ParameterError, "no-whole-number", argument="bins"):
            fitted(method, [0.1, 0.9], [0, 1], bins=0)
    for method in (isotonic, centred_isotonic, equal_width, equal_size):
        with refused(pb.ParameterError, "wrong-kind", argument="bounded"):
            fitted(method, [0.1, 0.9], [0, 1], bounded="no")
