"""The resampled null: against full enumeration, with labels or the hits of bins drawn."""

import itertools
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import plumbline as pb
from laws import law
from plumbline import Predictions
from plumbline.calibration import define_error, statistic
from plumbline.jit import compiled
from plumbline.nulls import (
    DRAWS_PER_BLOCK,
    binomial_at,
    counted_apart,
    draw_labels,
    observed,
    resampled,
    resampled_shares,
    resampling,
    values_and_shares,
)
from plumbline.nulls.resampling import MOST_COUNTED, ROWS_PER_CHUNK, hit_counts
from plumbline.random_streams import stream
from refusals import refused


def build(prob, y=None, weight=None, **settings):
    """Return the statistic of given probabilities."""
    prob = np.asarray(prob)
    y = np.zeros(len(prob), int) if y is None else y
    classes = range(prob.shape[1])
    data = pb.Predictions.from_arrays(y, prob, classes=classes, weight=weight)
    return statistic(data, define_error(data, **settings))


def enumerated(prob, settings, weight=None):
    """Return every value of the statistic with its probability, label vector by label vector."""
    n, k = np.shape(prob)
    values, chances = [], []
    for y in itertools.product(range(k), repeat=n):
        data = pb.Predictions.from_arrays(y, prob, classes=range(k), weight=weight)
        values.append(pb.calibration_error(data, resamples=0, **settings).value)
        chances.append(np.prod(np.asarray(prob)[np.arange(n), list(y)]))
    return np.array(values), np.array(chances)


VIEWS = [
    *itertools.product(
        ["top-label", "classwise", "one-vs-rest:1"], ["equal-width:3", "one-per-point"]
    ),
    ("joint", None),
]


@law(
    ("view", "bins", "distance"),
    [(*view, distance) for view in VIEWS for distance in ("absolute", "square", "log")],
    number=3,
)
def test_draws_have_the_mean_and_tail_of_the_full_enumeration(rng, view, bins, distance):
    """On 6 rows and 3 classes the draws agree with all 729 label vectors, within 4 std errors."""
    prob = rng.dirichlet(np.ones(3), 3).repeat(2, axis=0)
    settings = {"view": view, "bins": bins, "distance": distance}
    values, chances = enumerated(prob, settings)
    draws = resampled(build(prob, **settings), 20_000, rng=1)
    mean = float(values @ chances)
    spread = float(np.sqrt(((values - mean) ** 2) @ chances))
    assert draws.mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(len(draws)) + 1e-12)
    cut = np.quantile(values, 0.9)
    tail = float(chances[values >= cut - 1e-9].sum())
    allowed = 4 * np.sqrt(tail * (1 - tail) / len(draws)) + 1e-12
    assert (draws >= cut - 1e-9).mean() == pytest.approx(tail, abs=allowed)


def test_weighted_rows_are_one_draw_each(rng):
    """A row of weight 5 is one draw of weight 5, as enumeration over the rows says."""
    prob, weight = rng.dirichlet(np.ones(2), 5), [5, 1, 1, 2, 1]
    settings = {"view": "one-vs-rest:1", "bins": "equal-width:2"}
    values, chances = enumerated(prob, settings, weight)
    draws = resampled(build(prob, weight=weight, **settings), 20_000, rng=1)
    mean = float(values @ chances)
    spread = float(np.sqrt(((values - mean) ** 2) @ chances))
    assert draws.mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(len(draws)))


@pytest.mark.parametrize("k", [2, 3, 100])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_labels_are_drawn_with_their_probabilities(rng, k, dtype):
    """Label frequencies match the row within 5 standard errors; probability 0 is never drawn."""
    row = rng.dirichlet(np.ones(k))
    row[[0, k - 1]] = [0.0, min(1.0, row[0] + row[k - 1])]
    draws = 200_000
    labels = np.empty((1, draws), np.int32)
    draw_labels(row[None, :].astype(dtype), rng.random((1, draws)), labels)
    share = np.bincount(labels[0], minlength=k) / draws
    assert share[0] == 0
    assert np.all(np.abs(share - row) <= 5 * np.sqrt(row * (1 - row) / draws) + 1e-6)


@pytest.mark.parametrize("k", [2, 3, 10, MOST_COUNTED, MOST_COUNTED + 1])
def test_labels_are_the_first_classes_whose_sums_exceed_the_number(rng, k):
    """However they are found: also at the sums themselves, and beside impossible classes."""
    prob = rng.dirichlet(np.ones(k), 20) * (rng.random((20, k)) < 0.7)
    prob[:, rng.integers(k)] += 0.01
    sums = np.cumsum(prob, axis=1)
    uniform = np.column_stack([rng.random((20, 30)), sums[:, :-1] / sums[:, -1:], np.zeros(20)])
    uniform = np.minimum(uniform, np.nextafter(1.0, 0.0))
    labels = np.empty(uniform.shape, np.int32)
    draw_labels(prob, uniform, labels)
    for row, each, number, found in zip(prob, sums, uniform, labels, strict=True):
        last = np.flatnonzero(row)[-1]
        expected = np.searchsorted(each, number * each[-1], "right")
        assert np.array_equal(found, np.minimum(expected, last))


def test_the_largest_uniform_number_cannot_draw_an_impossible_last_class():
    """Rounding at u just below 1 falls back to the last class that is possible."""
    edge = np.array([[0.0, np.nextafter(1.0, 0.0)]])
    for row, wanted in ([0.7, 0.3, 0.0], [0, 1]), ([0.0, 0.4, 0.6], [1, 2]), ([1.0, 0.0], [0, 0]):
        labels = np.empty((1, 2), np.int32)
        draw_labels(np.array([row]), edge, labels)
        assert labels[0].tolist() == wanted


def test_rows_that_sum_to_a_little_less_than_one_are_renormalised(rng):
    """The missing mass is spread in proportion, not given to one class."""
    for k in (2, 3):
        row = np.full((1, k), 0.9 / k)  # sums to 0.9, which the door would refuse
        labels = np.empty((1, 90_000), np.int32)
        draw_labels(row, rng.random((1, 90_000)), labels)
        share = np.bincount(labels[0], minlength=k) / 90_000
        assert share == pytest.approx([1 / k] * k, abs=5 * np.sqrt(0.25 / 90_000))


def test_rows_of_different_chunks_are_drawn_independently():
    """The variance of a share over many chunks of rows is the binomial's: no stream is reused."""
    n = 4 * ROWS_PER_CHUNK
    what = build(np.tile([0.7, 0.3], (n, 1)), view="one-vs-rest:1", bins="equal-width:1")
    shares = resampled_shares(what, 20_000, 0)[0]
    ratio = shares.var() * n / (0.3 * 0.7)
    assert ratio == pytest.approx(1, abs=4 * np.sqrt(2 / 20_000))


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_the_answer_does_not_depend_on_the_number_of_workers(rng, workers):
    """The same seed gives bit-identical draws for any number of workers."""
    what = build(rng.dirichlet(np.ones(4), 9000))
    assert np.array_equal(resampled(what, 120, 5, workers=workers), resampled(what, 120, 5))


def test_more_draws_begin_with_the_same_draws(rng):
    """Draws belong to their block: 150 draws begin with the first 100, block by block."""
    what = build(rng.dirichlet(np.ones(2), 30))
    more = resampled(what, 3 * DRAWS_PER_BLOCK, 0)
    assert np.array_equal(more[: 2 * DRAWS_PER_BLOCK], resampled(what, 2 * DRAWS_PER_BLOCK, 0))


def test_a_seed_repeats_and_a_generator_moves_on(rng):
    """A seed gives the same draws again; a Generator gives others at its next use."""
    what = build(rng.dirichlet(np.ones(2), 30))
    assert np.array_equal(resampled(what, 60, 3), resampled(what, 60, 3))
    assert not np.array_equal(resampled(what, 60, 3), resampled(what, 60, 4))
    generator = np.random.default_rng(0)
    assert not np.array_equal(resampled(what, 60, generator), resampled(what, 60, generator))
    first = resampled(what, 60, np.random.default_rng(0))
    assert np.array_equal(first, resampled(what, 60, np.random.default_rng(0)))


def test_progress_counts_up_to_all_draws(rng):
    """The progress callback sees growing counts and ends at the number of draws."""
    calls = []
    what = build(rng.dirichlet(np.ones(2), 30))
    resampled(what, 120, 0, progress=lambda done, total: calls.append((done, total)))
    assert [total for _, total in calls] == [120] * len(calls)
    counts = [done for done, _ in calls]
    assert counts == sorted(counts)
    assert counts[-1] == 120


def test_an_interrupt_in_the_callback_stops_the_work(rng):
    """Ctrl-C while drawing comes out as KeyboardInterrupt, with no thread left running."""

    def stop(*_):
        raise KeyboardInterrupt

    what = build(rng.dirichlet(np.ones(2), 30))
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        resampled(what, 500, 0, progress=stop)
    assert threading.active_count() == before


def test_shares_of_a_bin_have_the_binomial_spread():
    """100 rows of probability .3 in one bin: its share is Binomial(100, .3) / 100."""
    what = build(np.tile([0.7, 0.3], (100, 1)), view="one-vs-rest:1", bins="equal-width:1")
    shares = resampled_shares(what, 20_000, 0)
    assert shares.shape == (1, 20_000)
    sd = np.sqrt(0.3 * 0.7 / 100)
    assert shares.mean() == pytest.approx(0.3, abs=4 * sd / np.sqrt(20_000))
    assert shares.std() == pytest.approx(sd, rel=4 / np.sqrt(2 * 20_000))


def test_single_points_have_no_shares(rng):
    """One point per bin gives no band, and is refused."""
    with refused(pb.ParameterError, "bins-of-one-score"):
        resampled_shares(build(rng.dirichlet(np.ones(2), 9), bins="one-per-point"), 9)


def test_very_many_cells_are_drawn_in_smaller_blocks(rng, monkeypatch):
    """A block never holds more than its share of memory; the null keeps its mean."""
    what = build(rng.dirichlet(np.ones(2), 200), view="one-vs-rest:1", bins="equal-width:30")
    usual = resampled(what, 2000, 0)
    monkeypatch.setattr("plumbline.nulls.resampling.LARGEST_BLOCK", 64)
    small = resampled(what, 2000, 1)
    error = np.sqrt((usual.var() + small.var()) / 2000)
    assert small.mean() == pytest.approx(usual.mean(), abs=4 * error)


def test_a_band_that_does_not_fit_into_memory_is_refused(rng, monkeypatch):
    """Bins times draws have a limit, said before anything is drawn."""
    monkeypatch.setattr("plumbline.nulls.resampling.MOST_SHARES", 100)
    what = build(rng.dirichlet(np.ones(2), 50), view="one-vs-rest:1", bins="equal-width:10")
    with refused(pb.ParameterError, "out-of-memory"):
        resampled_shares(what, 99)


def test_kernels_compile_where_nothing_can_be_cached(monkeypatch):
    """Without a folder for compiled code, kernels are compiled in memory instead of failing."""

    def add_one(values):
        values[0] += 1.0

    def refuse(**options):
        if options.get("cache"):
            raise RuntimeError("no locator available")
        return lambda function: function

    monkeypatch.setattr("numba.njit", refuse)
    values = np.zeros(1)
    compiled(add_one)(values)
    assert values[0] == 1.0


# ------------------------------------------------------------------ hits of whole bins


CHANCES = {
    "mixed": lambda source: source.random(800),
    "few and rare": lambda source: source.random(500) * 1e-3,
    "nearly sure": lambda source: 1.0 - source.random(500) * 1e-2,
    "halves": lambda source: np.full(300, 0.5),
    "sure but for three": lambda source: np.r_[np.zeros(90), np.ones(50), source.random(3)],
    "towards both ends": lambda source: source.beta(0.1, 0.1, 900),
    "all sure": lambda source: np.ones(7),
    "one row": lambda source: np.array([0.3]),
}


def added_up(chance):
    """Return P(0 hits), P(1 hit), ... by adding trial after trial."""
    prob = np.ones(1)
    for p in chance:
        prob = np.append(prob * (1.0 - p), 0.0) + np.append(0.0, prob * p)
    return prob


def filled_in(found, rows):
    """Return P(hits <= 0), P(hits <= 1), ... of a distribution that lists some."""
    out = np.zeros(rows + 1)
    stop = found.first + len(found.cumulative)
    out[found.first : stop] = found.cumulative
    out[stop:] = 1.0
    return out


@pytest.mark.parametrize("name", CHANCES)
def test_the_distribution_is_that_of_single_trials_added_up(name):
    """Every cumulative probability is right to 1e-12, whatever the probabilities."""
    probability = CHANCES[name](stream(1))
    (result,) = hit_counts(probability, np.ones(len(probability), int), 2)
    right = np.cumsum(added_up(probability))
    assert np.abs(filled_in(result, len(probability)) - right).max() < 1e-12


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(0, 99))
def test_cells_are_distinguished(chance, seed):
    """Each of several cells has the distribution of its own rows."""
    chance = np.array(chance)
    cell = stream(seed).integers(1, 4, len(chance))
    for j, result in enumerate(hit_counts(chance, cell, 4), start=1):
        own = chance[cell == j]
        right = np.cumsum(added_up(own))
        assert np.abs(filled_in(result, len(own)) - right).max() < 1e-12


def table(n, weight=None):
    """Draw true probabilities of two classes and their outcomes."""
    source = stream(5)
    prob = source.beta(2, 5, n)
    return Predictions.from_arrays(source.random(n) < prob, prob, weight=weight)


def test_drawn_hits_and_drawn_labels_have_one_law(monkeypatch):
    """Mean, spread and quantiles of both nulls agree within 4 standard errors."""
    from scipy.stats import ks_2samp

    data = table(resampling.LEAST_ROWS)
    what = statistic(data, define_error(data))
    quick = resampled(what, 4000, 1)
    monkeypatch.setattr(resampling, "LEAST_ROWS", data.n + 1)
    slow = resampled(what, 4000, 1)
    assert not np.array_equal(quick, slow)
    assert ks_2samp(quick, slow).pvalue > 6e-5
    error = np.hypot(quick.std(), slow.std()) / np.sqrt(4000)
    assert abs(quick.mean() - slow.mean()) < 4 * error


def test_who_is_counted_and_who_is_drawn_row_by_row():
    """Bins that share rows, rows of different weight and small tables are drawn by their labels."""
    big, small = table(resampling.LEAST_ROWS), table(resampling.LEAST_ROWS - 1)
    even = table(resampling.LEAST_ROWS, np.full(resampling.LEAST_ROWS, 2.0))
    uneven = table(resampling.LEAST_ROWS, np.arange(resampling.LEAST_ROWS) + 1.0)
    counted = [
        counted_apart(statistic(data, define_error(data))) for data in (big, small, even, uneven)
    ]
    assert counted == [True, False, True, False]
    assert not counted_apart(statistic(big, define_error(big, "classwise")))
    assert not counted_apart(statistic(big, define_error(big, bins="one-per-point")))


def test_weights_that_are_all_alike_change_nothing():
    """Twice the weight everywhere: the same value and the same draws."""
    once, twice = table(2000), table(2000, np.full(2000, 2.0))
    one, two = (statistic(data, define_error(data)) for data in (once, twice))
    assert observed(one) == pytest.approx(float(observed(two)), abs=1e-15)
    assert resampled(one, 50, 3) == pytest.approx(resampled(two, 50, 3), abs=1e-12)


@pytest.mark.parametrize("times", [2, 20])
def test_draws_of_counted_rows_are_those_of_the_rows_repeated(times):
    """In mean and deviation, as the numbers drawn are others: of few rows, of bins of many."""
    prob, count = np.linspace(0.05, 0.95, 10), (np.arange(10) * 2 + 1) * times
    many = Predictions.from_arrays(np.arange(10) % 2, prob, count=count)
    tables = (many, many.repeated())
    whats = [statistic(one, define_error(one, bins="equal-width:5")) for one in tables]
    drawn = [resampled(what, 400, 3) for what in whats]
    assert abs(drawn[0].mean() - drawn[1].mean()) < 4 * drawn[1].std() / np.sqrt(200)
    assert drawn[0].std() == pytest.approx(drawn[1].std(), rel=0.15)


def test_shares_belong_to_the_values():
    """The error of the drawn shares is the drawn error."""
    data = table(2000)
    what = statistic(data, define_error(data))
    values, shares = values_and_shares(what, 40, 3)
    hits = np.vstack([np.zeros(40), shares * what.cells.total[1:, None]])
    assert values == pytest.approx(what.cells.error(hits), abs=1e-15)
    assert values == pytest.approx(resampled(what, 40, 3), abs=0)


@pytest.mark.parametrize("trials", [0, 1, 2, 30, 200, 300, 1000, 10**6, 10**9])
@pytest.mark.parametrize("hit", [0.0, 1e-300, 1e-9, 1e-3, 0.3, 0.5, 0.999, 1 - 1e-16, 1.0])
def test_hits_of_a_binomial_row_are_its_quantiles(trials, hit):
    """As scipy has them at the same numbers; rows of many different hits are left alone."""
    uniform = np.random.default_rng(trials).random((2, 40))
    drawn = uniform.copy()
    left = binomial_at(np.full(2, trials), np.full(2, hit), drawn)
    assert left.tolist() == [trials * hit * (1 - hit) > 900] * 2
    if not left.any():
        expected = np.maximum(stats.binom.ppf(uniform, trials, hit), 0)
        assert np.mean(drawn != expected) <= 0.02
        assert np.abs(drawn - expected).max() <= 1
    else:
        np.testing.assert_array_equal(drawn, uniform)
