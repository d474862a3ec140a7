"""The smoothed errors of R's `val.prob`: against lowess of statsmodels and a literal version."""

import numpy as np
import pytest
from statsmodels.nonparametric.smoothers_lowess import lowess

import plumbline as pb
from plumbline.calibration import SMOOTH_PRESETS, Profile
from plumbline.calibration.conventions import SMOOTH_NAMES
from plumbline.calibration.lowess import Lowess
from refusals import refused, warned

NAMES = ["ici", "e90", "emax"]


def as_rms(data, **more):
    """Return the three errors that `val.prob` has."""
    with warned("other-conventions"):
        found = pb.measure(data, NAMES, like="rms", resamples=0, **more)
    return [one.value for one in found.measures]


def val_prob(y, p):
    """Return Eavg, E90 and Emax as the documentation of `val.prob` has them."""
    fit = lowess(y, p, frac=2 / 3, it=0, delta=0.01 * np.ptp(p), return_sorted=False)
    gap = np.abs(fit - p)
    return [gap.mean(), np.quantile(gap, 0.9), gap.max()]


@pytest.mark.parametrize("shape", [(2, 5), (0.5, 0.5), (1, 30)])
@pytest.mark.parametrize("n", [40, 333, 2000])
def test_the_errors_are_those_of_lowess_of_another_package(rng, shape, n):
    """Scores without ties; with 2,000 rows the curve is straight between most of them."""
    p = rng.beta(*shape, n)
    y = (rng.random(n) < 0.1 + 0.7 * p).astype(int)
    assert as_rms(pb.Predictions.from_arrays(y, p)) == pytest.approx(val_prob(y, p), rel=1e-7)


def test_ties_are_rows_of_one_score(rng):
    """A counted table, one with ties and one whose ties are a hair apart have the same errors."""
    p = rng.choice(np.linspace(0.05, 0.95, 61), 500)
    y = (rng.random(500) < p**1.5).astype(int)
    apart = p + rng.uniform(-1e-10, 1e-10, 500)
    expected = as_rms(pb.Predictions.from_arrays(y, apart))
    assert as_rms(pb.Predictions.from_arrays(y, p)) == pytest.approx(expected, abs=1e-6)
    cells, counts = np.unique(np.column_stack([p, y]), axis=0, return_counts=True)
    table = pb.Predictions.from_arrays(cells[:, 1].astype(int), cells[:, 0], count=counts)
    assert as_rms(table) == pytest.approx(expected, abs=1e-6)


def test_numbers_that_were_recorded():
    """Of 120 fixed rows, computed once by statsmodels 0.14 in an environment of its own."""
    i = np.arange(120)
    p = np.round(((i * 37) % 120 + 0.5) / 120, 4) ** 1.7
    y = (((i * 53) % 97) / 97 < np.clip(p**0.7, 0, 1)).astype(int)
    expected = [0.10866019557189048, 0.15635925074774754, 0.17411741114674073]
    assert as_rms(pb.Predictions.from_arrays(y, p)) == pytest.approx(expected, rel=1e-9)


def test_a_curve_of_shares_is_as_linear_as_lowess():
    """Outcomes that are a straight line of the score are drawn as they are."""
    score = np.linspace(0.1, 0.9, 30)
    profile = Profile(score, 1 - score, np.full(30, 4.0))
    hits = 4 * (0.2 + 0.5 * score)[:, None]
    assert Lowess.of(profile).at_scores(hits)[:, 0] == pytest.approx(0.2 + 0.5 * score)


def test_one_score_has_the_distance_of_its_outcomes():
    """A constant prediction of 0.3 with half of the rows positive is 0.2 off."""
    data = pb.Predictions.from_arrays([0, 1] * 10, [0.3] * 20)
    found = pb.measure(data, NAMES, like="rms", resamples=0)
    assert [one.value for one in found.measures] == pytest.approx([0.2] * 3)


def test_what_rms_does_not_have_is_refused(rng):
    """Bins, a median, weights and several events; nothing is measured another way in silence."""
    p = rng.random(60)
    data = pb.Predictions.from_arrays((rng.random(60) < p).astype(int), p)
    with refused(pb.ParameterError, "preset-without-bins", "'rms'", "ici"):
        pb.calibration_error(data, like="rms")
    with refused(pb.ParameterError, "preset-without-metric", "e50"):
        pb.measure(data, "e50", like="rms")
    with refused(pb.ParameterError, "preset-without-metric", "'sklearn'"):
        pb.measure(data, "ici", like="sklearn")
    heavy = pb.Predictions.from_arrays(data.actual, p, weight=rng.uniform(1, 2, 60))
    with refused(pb.ParameterError, "preset-without-weights", "rms"):
        pb.measure(heavy, "ici", like="rms")
    three = pb.Predictions.from_arrays(rng.integers(3, size=60), rng.dirichlet(np.ones(3), 60))
    with refused(pb.ParameterError, "view-not-possible", "classwise"):
        pb.measure(three, "ici", view="classwise", like="rms")


def test_the_names_of_packages_that_smooth_are_those_of_their_table():
    """The list that needs no import names every preset."""
    assert set(SMOOTH_NAMES) == set(SMOOTH_PRESETS)
