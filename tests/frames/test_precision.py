"""How far counted numbers lie off: never farther than their bound."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import plumbline as pb
from counted_levels import counts_of
from laws import examples
from plumbline.calibration import define_error, statistic, value_of
from plumbline.errors import InputError
from plumbline.frames import LevelCounts, Levels, counted_columns, counting_errors
from plumbline.frames.levels import FINE, NEAR
from plumbline.roles import columns_of
from refusals import refused

SMALL = Levels(linear=27_720, each=50)
SCORES = {
    "log_loss": pb.log_loss,
    "brier_score": pb.brier_score,
    "roc_auc": pb.roc_auc,
    "average_precision": pb.average_precision,
    "accuracy": pb.accuracy,
}
centres = st.sampled_from([0.0, 1e-300, 1e-6, 2 * NEAR, 0.1, 1 / 3, 0.5, 0.75, 1 - 1e-6, 1.0])
near = st.floats(-4e-5, 4e-5)
probability = st.builds(
    lambda c, d: min(max(c * (1 + d) + d * (c > 1e-3), 0.0), 1.0), centres, near
)


def counted_of(rows, levels=SMALL, positive=None):
    """Count the rows of a table."""
    counts = LevelCounts(counted_columns(columns_of(rows), positive=positive), levels)
    for batch in rows.to_batches():
        counts.add(batch, "t", 0)
    return counts.predictions()


def table(prob, hit, **more):
    """Return rows as a table."""
    return pa.table({"actual": np.asarray(hit, np.int8), "p:1": prob, **more})


def error(data, bins):
    """Return the calibration error of bins of equal width."""
    return float(value_of(statistic(data, define_error(data, bins=bins))))


@settings(deadline=None, max_examples=examples(150))
@given(
    st.lists(st.tuples(probability, st.booleans(), st.booleans()), min_size=2, max_size=60),
    st.sampled_from([np.float32, np.float64]),
    st.sampled_from([None, "0"]),
    st.booleans(),
)
@example([(0.3, True, True), (0.3, False, False), (0.1, False, True)], np.float32, "0", False)
def test_no_number_is_farther_off_than_its_bound(rows, kind, positive, folds):
    """Scores and errors of bins, whole levels or not, of either class and pooled over folds."""
    prob = np.array([p for p, _, _ in rows], kind)
    hit = np.array([y for _, y, _ in rows])
    assume(0 < hit.sum() < len(hit))
    more = {"fold": np.array([f for _, _, f in rows]).astype(np.int8)} if folds else {}
    rows = table(prob, hit, **more)
    expected = pb.Predictions.from_frame(rows, positive=positive)
    data = counted_of(rows, positive=positive)
    rounding = 2e-7 if kind is np.float32 else 1e-11
    for bins in (10, 17, 3000):
        bounds = counting_errors(data, bins)
        ece = [error(one, bins) for one in (data, expected)]
        assert abs(ece[0] - ece[1]) <= bounds.ece + rounding
    for name, score in SCORES.items():
        one, other = score(data), score(expected)
        assert one == other or abs(one - other) <= getattr(bounds, name) + rounding * (1 + other)
    p = prob.astype(float)
    spread = data.weight @ (data.prob[:, 0] * data.prob[:, 1])
    assert p @ (1 - p) <= spread * (1 + 1e-6) + 1e-12
    assert spread <= (p @ (1 - p)) * (1 + 1e-6) + bounds.variance * spread + 1e-12


@given(st.lists(st.one_of(probability, st.floats(0, 1)), min_size=1, max_size=50))
def test_a_mean_tells_its_level_and_the_level_its_edges(prob):
    """As rows were counted there."""
    for p in prob:
        counts = counts_of(np.array([p]), np.zeros(1, np.int8), SMALL)
        level = np.flatnonzero(counts[:, 0])
        mean = SMALL.means(counts, level)
        assert SMALL.numbers(mean).tolist() == level.tolist()
        low, high = SMALL.edges(level)
        assert np.all(low <= mean * (1 + 1e-15))
        assert np.all(mean <= high * (1 + 1e-15))


def test_rows_that_are_alike_add_no_error():
    """Rounded probabilities are counted exactly, however many share one."""
    rng = np.random.default_rng(0)
    prob = rng.integers(0, 1001, 20_000) / 1000
    rows = table(prob, rng.random(len(prob)) < prob)
    bounds = counting_errors(counted_of(rows, FINE), 17)
    assert (bounds.roc_auc, bounds.average_precision, bounds.ece) == (0, 0, 0)
    assert max(bounds.log_loss, bounds.brier_score) < 1e-7  # as if they were of float32


def test_the_usual_levels_are_narrow():
    """Errors of a million rows are far below what is printed of a number."""
    rng = np.random.default_rng(1)
    prob = rng.beta(0.5, 1.5, 1_000_000)
    bounds = counting_errors(counted_of(table(prob, rng.random(len(prob)) < prob), FINE))
    assert bounds.n == len(prob)
    assert bounds.ece == 0
    assert max(bounds.log_loss, bounds.brier_score, bounds.roc_auc) < 1e-6
    assert bounds.average_precision < 1e-3
    assert bounds.variance < 1e-9


def test_tables_that_were_not_counted_at_levels_have_no_bounds():
    """They are exact."""
    with refused(InputError, "not-counted"):
        counting_errors(pb.Predictions.from_arrays([0, 1], [0.2, 0.7], count=[3, 4]))


@pytest.mark.parametrize(("levels", "second"), [(360, 0.0027), (840, 0.00118)])
def test_few_levels_have_bounds_at_their_ends(levels, second):
    """The first level of equal width begins at 0, where the log loss of its rows is steep."""
    prob = np.repeat([0.00099, second], 500)
    hit = np.zeros(1000, np.int8)
    hit[[*range(30), 500]] = 1
    rows = pa.table({"actual": hit, "p:1": prob})
    counts = pb.read(rows.to_reader(), engine="counts", levels=levels)
    off = abs(pb.log_loss(counts) - pb.log_loss(pb.read(rows)))
    assert 1e-3 < off <= counting_errors(counts).log_loss < 0.05
