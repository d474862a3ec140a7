"""Isotonic regression of the shares at distinct scores, and bins that the outcomes choose."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline.binning import Bins
from plumbline.calibration import (
    DISTANCES,
    Profile,
    define_error,
    isotonic_fit,
    isotonic_starts,
    profile_statistic,
)
from plumbline.calibration.isotonic import outcome_binned, outcome_edges
from plumbline.errors import ParameterError
from plumbline.nulls import observed, resampled
from refusals import refused
from strategies import binary_tables


def slow_fit(weight, hits):
    """The min-max formula: c_i = max over j <= i of min over k >= i of the mean from j to k."""
    g = len(weight)
    return [
        max(
            min(hits[j : k + 1].sum() / weight[j : k + 1].sum() for k in range(i, g))
            for j in range(i + 1)
        )
        for i in range(g)
    ]


@st.composite
def profiles(draw):
    """Draw whole weights and whole hits, with many equal shares."""
    weight = draw(st.lists(st.integers(1, 4), min_size=1, max_size=12))
    hits = [draw(st.integers(0, w)) for w in weight]
    return np.array(weight, float), np.array(hits, float)


@settings(max_examples=examples(40))
@given(profiles())
def test_the_fit_is_the_min_max_formula(profile):
    """Pooling adjacent violators gives the closed form of isotonic regression."""
    weight, hits = profile
    fit = isotonic_fit(weight, hits[:, None])[:, 0]
    np.testing.assert_allclose(fit, slow_fit(weight, hits), atol=1e-12)


@settings(max_examples=examples(40))
@given(profiles())
def test_pieces_are_the_longest_runs_of_one_share(profile):
    """A piece starts exactly where the fit rises: neighbours of equal shares are one piece."""
    weight, hits = profile
    starts = isotonic_starts(weight, hits[:, None])[0]
    rises = np.diff(slow_fit(weight, hits), prepend=-1.0) > 1e-9
    assert starts.tolist() == rises.tolist()


@pytest.mark.parametrize("whole", [True, False])
def test_the_fit_is_scikit_learns(rng, whole):
    """The same fit as IsotonicRegression, for whole and for other weights, draw by draw."""
    isotonic = pytest.importorskip("sklearn.isotonic")
    weight = rng.integers(1, 5, 200).astype(float) if whole else rng.uniform(0.1, 2, 200)
    share = np.clip(np.linspace(0.2, 0.8, 200)[:, None] + rng.normal(0, 0.3, (200, 5)), 0, 1)
    result = isotonic_fit(weight, weight[:, None] * share)
    for column in range(5):
        known = isotonic.isotonic_regression(share[:, column], sample_weight=weight)
        np.testing.assert_allclose(result[:, column], known, atol=1e-12)


def test_equal_shares_are_one_piece_whatever_the_rounding_of_their_weights():
    """Shares that are equal but for the last digit do not split, or a bin error would jump."""
    weight = np.array([0.1, 0.3, 0.7])
    hits = weight * 0.1 * np.array([1.0, 1.0 + 1e-15, 1.0 - 1e-15])
    assert isotonic_starts(weight, hits[:, None]).tolist() == [[True, False, False]]


def test_the_time_is_linear():
    """A fall from top to bottom, where a careless pooling takes quadratic time, is one piece."""
    g = 200_000
    starts = isotonic_starts(np.ones(g), np.linspace(1, 0, g)[:, None])
    assert starts.sum() == 1


# ------------------------------------------------------------------ bins that the outcomes choose


KINDS = ["isotonic", "monotone-sweep"]
ABSOLUTE = DISTANCES["absolute"]


def rows_of(table):
    """The rows of a table, each as often as its weight says, in order of the score."""
    score, event = np.repeat(table.score, table.weight), np.repeat(table.event, table.weight)
    order = np.argsort(score, kind="stable")
    return score[order], event[order]


def slow_sweep(score, event):
    """Count up from one bin; place every row with the library's own equal-size edges."""
    last = np.zeros(len(score), int)
    for bins in range(1, len(score) + 1):
        edges = pb.EqualSize(bins).edges(score, None)
        home = np.searchsorted(edges[1:-1], score)
        share = [event[home == j].mean() for j in np.unique(home)]
        if (np.diff(share) < -1e-12).any():
            break
        last = home
    return last


def slow_isotonic(score, event):
    """Scikit-learn's fit of the rows; a bin is a run of one fitted value."""
    isotonic = pytest.importorskip("sklearn.isotonic")
    fit = isotonic.IsotonicRegression().fit(score, event).predict(score)
    return np.cumsum(np.diff(fit, prepend=fit[0]) > 1e-9)


SLOW = {"isotonic": slow_isotonic, "monotone-sweep": slow_sweep}


def slow_error(score, event, home, norm):
    """The p-norm of the gaps of the bins, row by row."""
    gaps = []
    for j in np.unique(home):
        here = home == j
        gaps.append((here.mean(), abs(event[here].mean() - score[here].mean())))
    share, gap = np.array(gaps).T
    return gap.max() if np.isinf(norm) else (share * gap**norm).sum() ** (1 / norm)


def error(data, kind, norm=1.0, distance=ABSOLUTE):
    """The error of a table's default view."""
    rule = outcome_binned(kind, distance, norm)
    return float(observed(profile_statistic(data, define_error(data), rule)))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(25))
@given(table=binary_tables(), norm=st.sampled_from([1.0, 2.0, 3.5, np.inf]))
def test_the_error_is_the_one_row_by_row(kind, table, norm):
    """Ties, weights as repetition and every norm agree with bins of rows."""
    score, event = rows_of(table)
    known = slow_error(score, event, SLOW[kind](score, event), norm)
    assert error(table.predictions(), kind, norm) == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(25))
@given(table=binary_tables(), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(kind, table, seed):
    """Rows that share a score are never split by the order in which they came."""
    index = np.random.default_rng(seed).permutation(table.n)
    one, other = table.predictions(), table.take(index).predictions()
    assert error(one, kind) == pytest.approx(error(other, kind), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(25))
@given(table=binary_tables())
def test_the_edges_place_the_rows_in_the_same_bins(kind, table):
    """Binning by the edges that the outcomes choose gives the same error."""
    data = table.predictions()
    score, place = np.unique(table.score, return_inverse=True)
    weight, hits = (np.bincount(place, table.weight * y) for y in (1.0, table.event))
    edges = outcome_edges(kind, Profile(score, 1 - score, weight), hits)
    bins = Bins.of(data, edges)
    gap = np.abs(bins.outcome - bins.prob)[bins.filled].sum() / bins.weight.sum()
    assert gap == pytest.approx(error(data, kind), abs=1e-12)


def test_a_sweep_by_hand():
    """Two bins rise, three fall: the error is that of two."""
    score = np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    data = pb.Predictions.from_arrays([0, 1, 0, 0, 1, 1], score)
    assert error(data, "monotone-sweep") == pytest.approx(
        0.5 * abs(1 / 3 - 0.2) + 0.5 * abs(2 / 3 - 2.2 / 3)
    )


def test_outcomes_in_order_are_swept_to_single_scores():
    """Where nothing ever falls, each score is a bin: the sweep of 50,000 of them takes no time."""
    score = np.linspace(0.001, 0.999, 50_000)
    event = score > 0.3
    data = pb.Predictions.from_arrays(event, score)
    assert error(data, "monotone-sweep") == pytest.approx(np.abs(event - score).mean())


@pytest.mark.parametrize("kind", KINDS)
def test_every_draw_is_binned_anew(rng, kind):
    """A null value is what the drawn labels would have been measured at as observed ones."""
    score = rng.uniform(size=60)
    data = pb.Predictions.from_arrays(rng.random(60) < score, score)
    rule = outcome_binned(kind, ABSOLUTE)
    what = profile_statistic(data, define_error(data), rule)
    labels = (rng.random((60, 7)) < score[:, None]).astype(np.int32)
    tally = what.tally(7)
    tally.add(slice(0, 60), labels)
    alone = [observed(replace(what, actual=column)) for column in labels.T]
    np.testing.assert_allclose(tally.values(), alone, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_true_shares_have_no_error(rng, kind):
    """Labels in the shares of the predictions leave no gap in any bin; sure ones the observed."""
    score = rng.uniform(size=300).round(2)
    data = pb.Predictions.from_arrays(rng.random(300) < score, score)
    what = profile_statistic(data, define_error(data), outcome_binned(kind, ABSOLUTE))
    assert what.at(what.prob) == pytest.approx(0, abs=1e-12)
    assert what.at(np.eye(2)[what.actual]) == pytest.approx(float(observed(what)), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_bins_have_the_name_of_their_kind(kind, rng):
    """Asked for by name, the calibration error is this one, and shows the bins it is over."""
    p = rng.uniform(size=80)
    data = pb.Predictions.from_arrays(rng.random(80) < p, p)
    result = pb.calibration_error(data, bins=kind, norm=2, resamples=19)
    assert result.value == pytest.approx(error(data, kind, 2.0))
    squares = [
        row["count"] / 80 * (row["outcome_share"] - row["mean_probability"]) ** 2
        for row in result.bins
    ]
    assert sum(squares) == pytest.approx(result.value**2)


def test_the_null_of_the_sweep_is_not_0_and_shrinks_with_rows(rng):
    """True probabilities have a sweep error too, less of it with more rows."""
    means = []
    for n in (200, 3000):
        score = rng.beta(2, 5, n)
        data = pb.Predictions.from_arrays(rng.random(n) < score, score)
        rule = outcome_binned("monotone-sweep", ABSOLUTE)
        means.append(resampled(profile_statistic(data, define_error(data), rule), 100).mean())
    assert means[0] > 2 * means[1] > 0


def test_unknown_kinds_and_norms_are_refused():
    """Each with its rule."""
    with refused(ParameterError, "unknown-name", argument="kind"):
        outcome_binned("monotone", ABSOLUTE)
    with refused(ParameterError, "out-of-range", "at least 1", argument="norm"):
        outcome_binned("isotonic", ABSOLUTE, 0.5)
