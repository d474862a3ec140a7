"""CORP: what a proper score is made of, and the isotonic curve with its bands."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy import stats

import plumbline as pb
from laws import examples
from plumbline.calibration import (
    define_error,
    discrimination,
    isotonic_fit,
    mean_score,
    miscalibration,
    profile_statistic,
    uncertainty,
)
from plumbline.calibration_errors import corp_curve
from plumbline.calibration_errors.corp_curve import rising_limits
from plumbline.errors import InputError, ParameterError
from plumbline.nulls import observed, resampled
from plumbline.plots import corp_figure, draw_corp
from reference.peers import recorded
from reference.peers.inputs import table
from refusals import refused
from strategies import binary_tables

TERMS = {
    "score": mean_score,
    "miscalibration": miscalibration,
    "discrimination": discrimination,
    "uncertainty": uncertainty,
}


def cubic(p, y):
    """A proper score that nobody has a name for: the integral of t |t - y| (t - p)."""
    return np.where(y == 1, 1 / 6 - p**2 / 2 + p**3 / 3, p**3 / 3)


SCORES = ["brier-score", "log-loss", "spherical-score", cubic]


def terms(data, score, view=None):
    """The mean score and its parts."""
    definition = define_error(data, view)
    return {
        name: float(observed(profile_statistic(data, definition, rule(score))))
        for name, rule in TERMS.items()
    }


@settings(max_examples=examples(60))
@given(table=binary_tables(least_weight=0), score=st.sampled_from(SCORES))
def test_the_parts_add_up_and_are_never_below_0(table, score):
    """MCB - DSC + UNC is the score to 1e-12; MCB, DSC are at least 0; what is infinite stays so."""
    result = terms(table.predictions(), score)
    rest = result["uncertainty"] - result["discrimination"]
    assert np.isfinite(rest)
    assert result["score"] == pytest.approx(result["miscalibration"] + rest, abs=1e-12)
    assert result["miscalibration"] >= 0
    assert result["discrimination"] >= 0


def test_parts_by_hand():
    """Four rows, of which the middle two are pooled: the base rate is 1/2."""
    data = pb.Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    result = terms(data, "brier-score")
    assert result == pytest.approx(
        {
            "score": (0.01 + 0.36 + 0.36 + 0.01) / 4,
            "miscalibration": 0.06,
            "discrimination": 0.125,
            "uncertainty": 0.25,
        }
    )
    result = terms(data, "log-loss")
    assert result["uncertainty"] == pytest.approx(np.log(2))
    assert result["discrimination"] == pytest.approx(np.log(2) / 2)
    assert terms(data, "spherical-score")["uncertainty"] == pytest.approx(1 - np.sqrt(0.5))


@pytest.mark.parametrize("case", recorded("model_diagnostics")["cases"])
def test_the_parts_are_those_of_model_diagnostics(case):
    """Brier score and log loss, with ties, with weights."""
    y, p = table(**case["input"])
    weight = 1.0 + np.arange(len(y)) % 3 if case["weighted"] else None
    data = pb.Predictions.from_arrays(y, np.clip(p, *case["clip"]), weight=weight)
    result = terms(data, case["score_name"])
    assert result == pytest.approx({name: case[name] for name in TERMS}, abs=1e-10)


def test_a_score_by_name_is_the_score_of_the_predictions(rng):
    """The mean scores are this library's own Brier score of a class, and log loss."""
    p = rng.uniform(size=50)
    data = pb.Predictions.from_arrays(rng.integers(0, 2, 50), p)
    assert terms(data, "brier-score")["score"] == pytest.approx(pb.brier_score(data, target=1))
    assert terms(data, "log-loss")["score"] == pytest.approx(pb.log_loss(data))
    own = terms(data, lambda p, y: np.square(p - y))
    assert own == pytest.approx(terms(data, "brier-score"))


def test_the_impossible_makes_the_miscalibration_alone_infinite():
    """What recalibration would gain is infinite; what it leaves is not."""
    data = pb.Predictions.from_arrays([1, 0, 1, 1], [0.0, 0.5, 0.5, 1.0])
    result = terms(data, "log-loss")
    assert result["score"] == result["miscalibration"] == np.inf
    assert np.isfinite([result["discrimination"], result["uncertainty"]]).all()
    weighted = pb.Predictions.from_arrays([1, 0, 1, 1], [0.0, 0.5, 0.5, 1.0], weight=[0, 1, 1, 1])
    assert np.isfinite(terms(weighted, "log-loss")["miscalibration"])


@pytest.mark.parametrize("score", SCORES)
def test_true_shares_leave_nothing_to_recalibrate(rng, score):
    """The true miscalibration of true probabilities is 0; sure labels have the observed one."""
    prob = rng.dirichlet(np.ones(3), 200)
    data = pb.Predictions.from_arrays(rng.integers(0, 3, 200), prob)
    what = profile_statistic(data, define_error(data, "classwise"), miscalibration(score))
    assert what.at(prob) == pytest.approx(0, abs=1e-12)
    assert what.at(np.eye(3)[data.actual]) == pytest.approx(float(observed(what)), abs=1e-12)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ("brier", ("unknown-name", "`score`", "brier-score")),
        (lambda p: p, ("score-raises", "`score`", "arrays p and y")),
        (lambda p, y: 0.5, ("score-of-other-shape", "`score`", "shape")),
        (lambda p, y: p * np.nan, ("score-undefined", "`score`")),
    ],
)
def test_a_score_that_is_none_is_refused(score, message):
    """A wrong name, arguments, shape or answer."""
    with refused(ParameterError, *message):
        miscalibration(score)


# ---------------------------------------------------------------- the curve
@pytest.fixture
def data(rng):
    """Return two-class predictions that are overconfident."""
    p = rng.beta(2, 5, 400).round(2)
    return pb.Predictions.from_arrays((rng.random(400) < 0.15 + 0.5 * p).astype(int), p)


def test_the_curve_holds_what_the_parts_say(data):
    """Values, null and p-value are those of the rule; steps rise and hold all rows."""
    curve = corp_curve(data, resamples=199)
    result = terms(data, "brier-score")
    assert curve.score_mean == result["score"]
    for name in list(TERMS)[1:]:
        assert getattr(curve, name) == result[name]
    what = profile_statistic(data, define_error(data), miscalibration())
    null = resampled(what, 199)
    np.testing.assert_allclose(np.sort(curve.null_values), np.sort(null), atol=1e-12)
    assert curve.p_value == 2 * (1 + (null >= curve.miscalibration).sum()) / 200
    share = [row["probability"] for row in curve.steps]
    assert share == sorted(set(share))
    assert sum(row["count"] for row in curve.steps) == data.n
    assert sum(row["count"] for row in curve.counts) == data.n
    best = sum(row["weight"] * row["probability"] * (1 - row["probability"]) for row in curve.steps)
    assert best / data.n == pytest.approx(result["score"] - result["miscalibration"])
    assert curve.to_dict()["steps"] == list(curve.rows())


def test_whole_weights_are_repeated_rows_in_the_curve(data, rng):
    """Parts and steps of weighted rows are those of the rows, each as often as its weight says."""
    weight = rng.integers(0, 4, data.n)
    index = np.repeat(np.arange(data.n), weight)
    one = pb.Predictions.from_arrays(data.actual, data.prob, weight=weight)
    other = pb.Predictions.from_arrays(data.actual[index], data.prob[index])
    weighted, repeated = (corp_curve(table, resamples=19) for table in (one, other))
    for name in ("score_mean", *list(TERMS)[1:]):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), abs=1e-12)
    for mine, theirs in zip(weighted.steps, repeated.steps, strict=True):
        assert {**mine, "count": mine["weight"]} == pytest.approx(theirs)
    assert weighted.effective_n < repeated.effective_n


def test_the_curve_does_not_depend_on_the_order_of_rows(data, rng):
    """Steps and confidence limits are the same for shuffled rows."""
    index = rng.permutation(data.n)
    other = pb.Predictions.from_arrays(data.actual[index], data.prob[index])
    one, two = corp_curve(data, resamples=19), corp_curve(other, resamples=19)
    for mine, theirs in ((one.steps, two.steps), (one.bands, two.bands)):
        for row, same in zip(mine, theirs, strict=True):
            kept = {name: row[name] for name in row if not name.startswith("consistency")}
            assert kept == pytest.approx({name: same[name] for name in kept})


def test_the_consistency_band_is_where_curves_of_true_probabilities_lie(rng):
    """Score by score: of fits to new labels from the same predictions at most 5 % lie outside."""
    p = np.sort(rng.beta(2, 5, 300))
    band = corp_curve(pb.Predictions.from_arrays(rng.random(300) < p, p), resamples=399).bands
    low, high = (np.array([[row[f"consistency_{end}"]] for row in band]) for end in ("low", "high"))
    fit = isotonic_fit(np.ones(300), (rng.random((300, 500)) < p[:, None]).astype(float))
    outside = ((fit < low - 1e-12) | (fit > high + 1e-12)).mean(axis=0)
    # fewer than 5 % where the fit takes few values, each of a chance that is not small
    assert 0.02 < outside.mean() < 0.05 + 3 * outside.std() / np.sqrt(500)


@pytest.mark.parametrize("truth", ["true", "flat", "steps", "few scores"])
@pytest.mark.parametrize("n", [100, 1000])
def test_the_confidence_band_holds_a_rising_truth(rng, truth, n):
    """At no score less often than 95 %, less 3.5 standard errors; flat truths too, and the ends."""
    score = np.sort(rng.uniform(size=n))
    if truth == "few scores":
        score = np.ceil(10 * score) / 10 - 0.05
    shares = {"flat": 0.3 + 0 * score, "steps": np.where(score < 0.5, 0.2, 0.7)}.get(truth, score)
    distinct, place = np.unique(score, return_inverse=True)
    weight = np.bincount(place).astype(float)
    known = np.bincount(place, shares) / weight
    at = np.unique(np.linspace(0, len(distinct) - 1, 30).astype(int))
    held = []
    for _ in range(300):
        hits = np.bincount(place, rng.random(n) < shares)
        low, high = rising_limits(weight, hits, at, level=0.95)
        held.append((low <= known[at] + 1e-12) & (known[at] - 1e-12 <= high))
    assert np.mean(held, axis=0).min() >= 0.95 - 3.5 * np.sqrt(0.95 * 0.05 / 300)


def test_limits_of_one_score_are_clopper_and_pearsons():
    """With a third of the error for each of the three numbers of rows, here all the same."""
    low, high = rising_limits(np.array([20.0]), np.array([6.0]), np.array([0]), level=0.95)
    interval = stats.binomtest(6, 20).proportion_ci(1 - 0.05 / 3, "exact")
    assert (low[0], high[0]) == pytest.approx((interval.low, interval.high))


def test_limits_of_misses_are_those_of_hits_seen_from_the_other_end(rng):
    """What is 1 - p and falls with 1 - score rises with the score: upper limits are lower ones."""
    weight = rng.integers(1, 9, 40).astype(float)
    hits = np.round(weight * rng.uniform(size=40))
    at = np.array([0, 3, 17, 39])
    low, high = rising_limits(weight, hits, at, level=0.9)
    mirrored = rising_limits(weight[::-1], (weight - hits)[::-1], 39 - at[::-1], level=0.9)
    np.testing.assert_allclose(1.0 - mirrored[1][::-1], low, atol=1e-12)
    np.testing.assert_allclose(1.0 - mirrored[0][::-1], high, atol=1e-12)


def test_a_long_table_shows_some_scores_of_its_band(rng):
    """At most 500 scores, the first and the last among them."""
    p = rng.uniform(size=2000)
    bands = corp_curve(pb.Predictions.from_arrays(rng.random(2000) < p, p), resamples=9).bands
    assert len(bands) == 500
    assert (bands[0]["score"], bands[-1]["score"]) == (p.min(), p.max())


def test_views_and_settings_that_have_no_curve_are_refused(data):
    """One event has a curve; levels are fractions; certain falsehoods have their reason."""
    with refused(ParameterError, "view-not-possible"):
        corp_curve(data, view="classwise")
    with refused(ParameterError, "no-fraction", argument="level"):
        corp_curve(data, level=95)
    with refused(InputError, "weights-all-zero"):
        corp_curve(pb.Predictions.from_arrays([0, 1], [0.2, 0.6], weight=[0, 0]))
    flat = corp_curve(pb.Predictions.from_arrays([1, 0, 1], [0.2, 0.2, 0.2]), resamples=39)
    assert (flat.discrimination, len(flat.steps)) == (0.0, 1)
    wrong = pb.Predictions.from_arrays([1, 0], [0.0, 0.5])
    assert "infinite" in corp_curve(wrong, score="log-loss", resamples=39).reason


def test_the_picture_draws_every_step_and_says_the_parts(data):
    """A line a step, a band, limits, and the numbers; the figure has the scores' histogram."""
    curve = corp_curve(data, resamples=99)
    ax = Figure().subplots()
    draw_corp(curve, ax)
    (pieces,) = [c for c in ax.collections if c.get_label() == "isotonic fit"]
    assert len(pieces.get_segments()) == len(curve.steps)
    figure = corp_figure(curve)
    text = "\n".join(t.get_text() for t in figure.texts)
    for word in ("Brier score", "400 rows", "miscalibration", "discrimination", "uncertainty"):
        assert word in text
    assert len(figure.axes[1].patches) == len(curve.counts)
    figure.canvas.draw()
    right = max(t.get_window_extent().x1 for t in figure.texts)
    assert right < figure.bbox.x1


@pytest.mark.data
def test_rain_forecasts_have_their_published_parts(data_folder):
    """EMOS forecasts of rain in Niamey: 0.232 = 0.0183 - 0.0305 + 0.244 (reliabilitydiag)."""
    path = data_folder / "r_examples" / "precip_Niamey_2016.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    event = [int(float(row["obs"])) for row in rows]
    curve = corp_curve(pb.Predictions.from_arrays(event, [float(row["EMOS"]) for row in rows]))
    assert curve.score_mean == pytest.approx(0.232, abs=5e-4)
    assert curve.miscalibration == pytest.approx(0.0183, abs=5e-5)
    assert curve.discrimination == pytest.approx(0.0305, abs=5e-5)
    assert curve.uncertainty == pytest.approx(0.244, abs=5e-4)
