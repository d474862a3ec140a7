"""A change since a reference: places are uniform if nothing changed, calibrated or not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, ndtr
from scipy.stats import nchypergeom_fisher

import plumbline as pb
from laws import examples, law
from plumbline.monitoring import Baseline, EProcess, centre_of
from plumbline.monitoring.baseline import _normal_score
from plumbline.monitoring.e_process import cells_of

SHAPES = {
    "uniform": lambda rng, n: rng.uniform(0.05, 0.95, n),
    "few positives": lambda rng, n: rng.beta(1, 60, n),
    "ties": lambda rng, n: rng.choice([0.1, 0.3, 0.6], n),
    "saturated": lambda rng, n: np.round(rng.beta(0.2, 0.3, n), 2),
}


def table(y, p):
    """Return rows of the classes 0 and 1."""
    return pb.Predictions.from_arrays(y, p, classes=[0, 1])


def windows(rng, shape, sizes, slope=0.5, jump=0.0, since=0):
    """Yield tables that are miscalibrated from the start; log odds move by `jump` since one."""
    for place, n in enumerate(sizes):
        p = SHAPES[shape](rng, n)
        logit = np.log(np.clip(p, 0.01, 0.99) / np.clip(1 - p, 0.01, 0.99))
        moved = slope * logit - 0.2 + (jump if place >= since else 0.0)
        yield table((rng.random(n) < expit(moved)).astype(int), p)


def alarm(tables, reference, rng):
    """Return the window of the first alarm, from 1, or None: what `monitor` does, without facts."""
    tables = list(tables)
    centre, process = centre_of(tables[0]), EProcess()
    baseline = Baseline.of([cells_of(one) for one in tables[:reference]], tables[reference])
    for place, one in enumerate(tables[reference:], reference + 1):
        process.add(baseline.log_e_values(one, centre, rng))
        if process.log_e() >= np.log(20):
            return place
    return None


@given(
    st.integers(1, 40), st.integers(1, 60), st.floats(0.0, 1.0), st.sampled_from([0.2, 1.0, 4.0])
)
@settings(deadline=None, max_examples=examples(30))
def test_places_are_those_of_fishers_distribution(n, before, share, odds):
    """The ends of every jump, beside scipy; so a place at random within the jump is uniform."""
    both = round(share * (n + before))
    peer = nchypergeom_fisher(n + before, both, n, odds)
    for events in range(max(0, both - before), min(n, both) + 1):
        counts = float(n), float(before), float(both)
        ends = [_normal_score(float(events), counts, odds, within) for within in (0.0, 1.0)]
        expected = [peer.cdf(events - 1), peer.cdf(events)]
        assert ndtr(ends) == pytest.approx(expected, abs=1e-9)


@law("shape", SHAPES, number=2)
def test_a_model_that_was_never_calibrated_gives_no_alarm_unless_it_changes(shape):
    """At any of 12 looks in at most 5 % of the runs, within three standard errors."""
    runs = 80
    found = [
        alarm(windows(np.random.default_rng([run, 1]), shape, [150] * 12), 3,
              np.random.default_rng([run, 2]))
        for run in range(runs)
    ]  # fmt: skip
    share = np.mean([one is not None for one in found])
    assert share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def test_a_change_is_found():
    """In every run, and not before it."""
    for run in range(5):
        rng = np.random.default_rng([run, 3])
        found = alarm(windows(rng, "uniform", [200] * 14, jump=0.8, since=8), 4, rng)
        assert found is not None
        assert 9 <= found <= 13


def test_odd_windows_have_finite_evidence():
    """Two rows, one class only, probabilities of 0 and 1, of windows and of the reference."""
    rng = np.random.default_rng(0)
    usual = next(windows(rng, "uniform", [300]))
    odd = [
        table([1, 1], [0.3, 0.2]),
        table([0] * 30, rng.uniform(0.1, 0.4, 30)),
        table([0, 1, 1, 0, 1], [0.0, 0.0, 1.0, 1.0, 0.5]),
        table([0, 1], [0.0, 1.0]),
    ]
    for reference in (usual, *odd):
        result = pb.monitor([*odd, usual], reference=reference, resamples=0)
        assert result.reference == 1
        assert np.isfinite([one.log_e for one in result.windows]).all()
        assert result.alarm is None


def test_the_first_windows_or_a_table_are_the_reference(tmp_path):
    """The same windows, the same evidence; only what is tested has some."""
    rng = np.random.default_rng(4)
    parts = list(windows(rng, "uniform", [200] * 7, jump=1.0, since=5))
    first = pb.monitor(parts, reference=1, resamples=0)
    parts[0].write(tmp_path / "old.csv")
    for reference in (parts[0], tmp_path / "old.csv"):
        other = pb.monitor(parts[1:], reference=reference, resamples=0)
        assert [one.log_e for one in other.windows] == pytest.approx(
            [one.log_e for one in first.windows]
        )
    later = pb.monitor(parts, reference=4, resamples=0)
    assert (later.reference, later.alarm, later.since) == (4, 6, 6)
    assert [one.log_e for one in later.windows[:4]] == [0.0] * 4
    assert later.present().tables[0].columns["e"][:4] == ["reference"] * 4
