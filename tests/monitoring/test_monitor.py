"""Monitoring: a martingale if calibrated, whatever the windows; alarms where calibration fails."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logsumexp

import plumbline as pb
from laws import examples
from plumbline.frames import count
from plumbline.monitoring import EProcess, centre_of, log_e_values, over_time
from plumbline.monitoring.e_process import grid
from plumbline.plots import monitoring_figure
from refusals import refused

PROB = st.floats(0.01, 0.99) | st.sampled_from([1e-12, 0.5, 1 - 1e-9])
WINDOW = st.lists(PROB, min_size=2, max_size=3)


def table(y, p):
    """Return rows of the classes 0 and 1."""
    return pb.Predictions.from_arrays(list(y), list(p), classes=[0, 1])


def outcomes(p):
    """Yield all labels of some rows and their probability if calibrated."""
    for y in itertools.product([0, 1], repeat=len(p)):
        yield y, np.prod([one if label else 1 - one for one, label in zip(p, y, strict=True)])


@given(WINDOW, WINDOW, st.booleans(), st.integers(-3, 3))
@settings(deadline=None, max_examples=examples(25))
def test_the_mean_of_e_is_one_if_calibrated(first, second, restarts, centre):
    """All outcomes of two windows, each with its probability."""
    total = 0.0
    parts = [
        [(log_e_values(table(y, p), centre), w) for y, w in outcomes(p)] for p in (first, second)
    ]
    for (one, w1), (other, w2) in itertools.product(*parts):
        process = EProcess(restarts)
        process.add(one)
        process.add(other)
        total += w1 * w2 * np.exp(process.log_e())
    assert total == pytest.approx(1.0, abs=1e-6)


@given(st.lists(PROB, min_size=2, max_size=5))
@settings(deadline=None, max_examples=examples(25))
def test_rows_counted_at_their_mean_give_no_more_evidence(p):
    """The labels follow each row's own probability, the e-value knows the mean alone."""
    total = 0.0
    for y, weight in outcomes(p):
        process = EProcess(restarts=False)
        process.add(log_e_values(table(y, [np.mean(p)] * len(p)), 0.0))
        total += weight * np.exp(process.log_e())
    assert total <= 1.0 + 1e-9


@given(WINDOW, WINDOW, st.integers(0, 63))
@settings(deadline=None, max_examples=examples(25))
def test_how_rows_are_divided_changes_nothing(first, second, labels):
    """Without restarts the evidence of a window is that of its parts, in either order."""
    p = first + second
    y = [labels >> place & 1 for place in range(len(p))]
    whole = log_e_values(table(y, p), 0.0)
    cut = len(first)
    parts = [log_e_values(table(y[:cut], first), 0.0), log_e_values(table(y[cut:], second), 0.0)]
    assert np.allclose(whole, parts[0] + parts[1], atol=1e-9)
    one, two = EProcess(restarts=False), EProcess(restarts=False)
    one.add(whole)
    for part in reversed(parts):
        two.add(part)
    assert one.log_e() == pytest.approx(two.log_e(), abs=1e-9)


def test_counted_rows_are_the_rows_repeated():
    """A table of counts and the same with its rows repeated: the same evidence."""
    p = np.array([0.1, 0.1, 0.6, 0.6, 0.0, 1.0])
    counts = pb.Predictions.from_arrays([0, 1, 0, 1, 0, 1], p, count=[9, 2, 3, 7, 5, 4])
    assert np.allclose(log_e_values(counts, -1.0), log_e_values(counts.repeated(), -1.0))
    assert centre_of(counts) == centre_of(counts.repeated())


def test_many_rows_are_merged_to_few_cells():
    """More rows than cells: nearly the same evidence."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0.02, 0.7, 20_000)
    y = rng.random(len(p)) < p**0.97
    whole = log_e_values(table(y.astype(int), p), -1.0)
    parts = [log_e_values(table(y[i::4].astype(int), p[i::4]), -1.0) for i in range(4)]
    assert np.abs(whole - sum(parts)).max() < 0.05


def ratios(y, p, centre):
    """Return (alternatives, rows) of the probability of each label, as its formula has it."""
    shift, slope, _ = grid()
    z = np.log(p / (1 - p))
    q = expit(shift[:, None] + centre + slope[:, None] * (z - centre))
    return np.where(y == 1, q / p, (1 - q) / (1 - p))


def test_an_e_value_is_the_ratio_of_likelihoods():
    """Log odds shifted and stretched about the centre; the slope 1 without a shift is no change."""
    rng = np.random.default_rng(2)
    p = rng.uniform(0.05, 0.6, 40)
    y = (rng.random(40) < p**0.7).astype(int)
    shift, slope, _ = grid()
    for centre in (-2.0, 0.0):
        found = log_e_values(table(y, p), centre)
        np.testing.assert_allclose(found, np.log(ratios(y, p, centre)).sum(axis=1), atol=1e-9)
        assert found[(shift == 0.0) & (slope == 1.0)] == pytest.approx([0.0], abs=1e-12)
        groups = np.arange(40) % 8
        data = pb.Predictions.from_arrays(y, p, classes=[0, 1], groups=groups)
        means = [ratios(y, p, centre)[:, groups == g].mean(axis=1) for g in range(8)]
        np.testing.assert_allclose(log_e_values(data, centre), np.log(means).sum(0), atol=1e-9)


def test_slopes_turn_about_the_mean_that_information_weighs():
    """By n p (1 - p) of each probability, rounded to a whole number; none of 0 and 1."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        p = rng.beta(0.5, 2.0, 12).clip(1e-4, 1 - 1e-4)
        z, weight = np.log(p / (1 - p)), p * (1 - p)
        wanted = np.average(z, weights=weight)
        found = centre_of(table([0, 1] * 7, [*p, 0.0, 1.0]))
        assert abs(found - wanted) <= 0.5 + 1e-9
        assert found == round(found)
    assert centre_of(table([0, 1], [0.0, 1.0])) == 0.0


def weeks(powers, n=400, seed=0):
    """Return a window a power: labels follow p^power."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.05, 0.6, (len(powers), n))
    y = rng.random(p.shape) < p ** np.array(powers)[:, None]
    return [table(*pair) for pair in zip(y.astype(int), p, strict=True)]


def test_a_drift_is_found_and_dated():
    """Calibrated windows, then others: the alarm, its window and the picture."""
    result = pb.monitor(weeks([1] * 5 + [0.6] * 3))
    assert (result.alarm, result.since) == (6, 6)
    assert result.present().summary.startswith("Miscalibrated: alarm in window 6 (e = ")
    assert result.present().tone == "bad"
    assert result.p_value < 1e-6
    logs = [one.log_e for one in result.windows]
    assert max(logs[:5]) < np.log(result.threshold) <= logs[5]
    assert [len(ax.lines) > 0 for ax in monitoring_figure(result).axes] == [True, True]


def test_calibrated_windows_give_no_alarm():
    """And a model that is wrong from the start is called so."""
    calm = pb.monitor(weeks([1] * 6))
    assert (calm.alarm, calm.since, calm.present().tone) == (None, None, "open")
    wrong = pb.monitor(weeks([0.7] * 3), restarts=False)
    assert (wrong.alarm, wrong.since) == (1, 1)
    assert wrong.present().summary.startswith("Miscalibrated since the first window: ")


def test_facts_of_a_window_are_those_of_its_rows():
    """Their number, mean prediction and observed share, also of rows counted several times."""
    windows = weeks([1, 0.6], n=150)
    counts = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.3, 0.6], classes=[0, 1], count=[6, 3, 1])
    result = pb.monitor([*windows, counts], resamples=19)
    for found, window in zip(result.windows, windows, strict=False):
        assert found.n == 150
        assert found.observed == pytest.approx(window.actual.mean())
        assert found.mean_prediction == pytest.approx(window.prob[:, 1].mean())
        alone = log_e_values(window, centre_of(windows[0])) + grid()[2]
        assert found.log_e_own == pytest.approx(logsumexp(alone))  # as if it were the only one
    assert (result.windows[2].n, result.windows[2].observed) == (10, pytest.approx(0.4))
    assert result.windows[2].mean_prediction == pytest.approx((0.6 + 0.9 + 0.6) / 10)


def test_two_rows_are_a_window():
    """One row is refused."""
    data = pb.Predictions.from_arrays(
        [0, 1, 0, 1], [0.1, 0.3, 0.4, 0.6], attributes={"week": [1, 1, 2, 2]}
    )
    assert [one.n for one in pb.monitor(data, by="week", resamples=19).windows] == [2, 2]


def test_an_impossible_outcome_is_an_alarm():
    """A class of probability 0 was observed: no calibrated model gives that."""
    sound, broken = table([0, 1, 1], [0.0, 0.6, 1.0]), table([1, 0], [0.0, 0.3])
    result = pb.monitor([sound, broken, sound], resamples=19)
    assert (result.alarm, result.since) == (2, 2)
    assert [one.impossible_rows for one in result.windows] == [0, 1, 0]
    assert result.to_dict()["windows"][1]["log_e"] is None
    assert result.present().notes[0].code == "impossible-rows"


def test_a_column_divides_a_table():
    """The same as the windows one by one, in sorted order."""
    parts = weeks([1, 1, 0.6], n=100)
    y = np.concatenate([one.actual for one in parts])[::-1]
    p = np.concatenate([one.prob[:, 1] for one in parts])[::-1]
    days = np.repeat(np.array(["2026-01-03", "2026-01-02", "2026-01-01"], "M8[D]"), 100)
    whole = pb.Predictions.from_arrays(y, p, attributes={"day": days})
    result = pb.monitor(whole, by="day", resamples=19)
    assert [one.name for one in result.windows] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    alone = pb.monitor(parts, resamples=19)
    assert [one.log_e for one in result.windows] == pytest.approx(
        [one.log_e for one in alone.windows]
    )


PLAIN = pb.Predictions.from_arrays([0, 1], [0.1, 0.2], attributes={"week": [1, 2]})
NAMED = pb.Predictions.from_arrays(["a", "b"], [0.1, 0.2], positive="b")
WEIGHTED = pb.Predictions.from_arrays([0, 1], [0.1, 0.2], weight=[1, 2])
THREE = pb.Predictions.from_arrays([0, 1, 2], np.full((3, 3), 1 / 3))


def test_states_of_days_and_of_all_at_once_give_the_same_evidence(tmp_path):
    """Rows added day by day, merged, or counted in one go."""
    days = weeks([0.8] * 4, n=60)
    for number, day in enumerate(days):
        day.write(tmp_path / f"{number}.csv")
    files = [tmp_path / f"{number}.csv" for number in range(4)]
    added = count(files[0])
    for file in reversed(files[1:]):
        added.merge(count(file))
    whole = count(files).predictions()
    assert np.array_equal(log_e_values(added.predictions(), -1.0), log_e_values(whole, -1.0))
    in_sequence = EProcess(restarts=False)
    for day in days:
        in_sequence.add(log_e_values(day, -1.0))
    once = EProcess(restarts=False)
    once.add(log_e_values(whole, -1.0))
    assert in_sequence.log_e() == pytest.approx(once.log_e(), abs=1e-3)


@pytest.mark.parametrize(
    ("windows", "more", "code"),
    [
        ([], {}, "no-windows"),
        (PLAIN, {}, "no-windows"),
        (PLAIN, {"by": "wek"}, "unknown-name"),
        (PLAIN, {"by": "week"}, "windows-too-small"),
        ([PLAIN], {"by": "week"}, "argument-beside-another"),
        (3, {}, "wrong-kind"),
        ([PLAIN, NAMED], {}, "classes-differ"),
        ([WEIGHTED], {}, "weights-not-supported"),
        ([THREE], {}, "not-two-classes"),
        ([PLAIN], {"reference": 1}, "no-windows"),
        ([PLAIN] * 3, {"reference": 3}, "no-windows"),
        ([PLAIN] * 3, {"reference": 0}, "no-whole-number"),
        ([PLAIN], {"reference": NAMED}, "classes-differ"),
    ],
)
def test_what_is_no_sequence_of_windows_is_refused(windows, more, code):
    """None, one, other classes, weights, more classes."""
    with refused(pb.PlumblineError, code):
        pb.monitor(windows, **more)


def rows_of(p, **attributes):
    """Return a table with attributes."""
    y = np.random.default_rng(0).random(len(p)) < p
    return pb.Predictions.from_arrays(y.astype(int), p, classes=[0, 1], attributes=attributes)


def test_a_table_is_divided_by_its_attribute_of_time():
    """Dates become the finest windows that are few enough; names tell other columns of time."""
    p = np.random.default_rng(1).uniform(0.1, 0.9, 400)
    times = np.datetime64("2026-01-01", "s") + np.arange(400) * np.timedelta64(12, "h")
    found = over_time(rows_of(p, site=["a", "b"] * 200, sold=times), resamples=0, rng=0)
    assert len(found.windows) == 29  # weeks of 200 days, from Monday on
    assert found.windows[0].name == "2025-12-29"
    assert (found.reference, sum(one.n for one in found.windows)) == (1, 400)
    weeks_of = np.repeat([1, 2, 10, 11], 100)
    named = over_time(rows_of(p, sales_week=weeks_of), resamples=0, rng=0)
    assert [one.name for one in named.windows] == ["1", "2", "10", "11"]
    for attributes in ({}, {"site": ["a", "b"] * 200}, {"week": [1] * 400}, {"day": range(400)}):
        assert over_time(rows_of(p, **attributes), resamples=0, rng=0) is None
