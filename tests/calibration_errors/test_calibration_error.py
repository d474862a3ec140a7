"""The calibration test, the error beside its null, and the reliability curve with its band."""

import json

import numpy as np
import pytest

import plumbline as pb
from plumbline.calibration_errors import (
    compare_with_draws,
    error_and_curve,
    of_all_rows,
    tails_of,
)
from plumbline.predictions import as_drawn
from plumbline.reporting import ReportParams, evaluate
from refusals import refused


def calibrated(rng, n=500, k=2, alpha=1.0):
    """Draw predictions, and labels from them."""
    prob = rng.dirichlet(np.full(k, alpha), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return pb.Predictions.from_arrays(y, prob, classes=range(k))


def ece_test(data, **settings):
    """Test the calibration error by labels drawn from the predictions."""
    return pb.calibration_test(data, statistic="ece", null="resample", **settings)


def test_example_4_has_the_thesis_means(rng):
    """Constant (0.8, 0.2), truth (0.9, 0.1): mean real error .26, under calibration .32."""
    n = 400
    errors, nulls = [], []
    for _ in range(200):
        y = (rng.random(n) < 0.1).astype(int)
        data = pb.Predictions.from_arrays(y, np.tile([0.8, 0.2], (n, 1)))
        result = pb.calibration_error(
            data, view="classwise", bins="one-per-point", resamples=50, rng=rng
        )
        errors.append(result.value)
        nulls.append(result.null_mean)
    real_sd = 0.6 * np.sqrt(0.09 / n)  # the value is .8 - .6 (share of class 0)
    assert np.mean(errors) == pytest.approx(0.26, abs=4 * real_sd / np.sqrt(200))
    null_sd = 0.6 * np.sqrt(0.16 / n)
    assert np.mean(nulls) == pytest.approx(0.32, abs=4 * null_sd / np.sqrt(200 * 50))


def test_the_underconfident_example_is_found_by_the_lower_tail():
    """Example 4: the real error lies below the calibrated one; "less" and two-sided see it."""
    y = np.repeat([0, 1], [900, 100])
    data = pb.Predictions.from_arrays(y, np.tile([0.8, 0.2], (1000, 1)))
    p = {
        side: ece_test(data, bins="one-per-point", alternative=side).p_value
        for side in ("greater", "less", "two-sided")
    }
    assert p["greater"] == 1.0
    assert p["less"] == 0.001
    assert p["two-sided"] == 0.002
    smaller = ece_test(data, bins="one-per-point")
    assert smaller.remark_codes == ("smaller-than-expected",)
    assert smaller.present().tone == "open"


def test_p_values_count_draws_and_ties(rng):
    """The p-value counts draws, (1 + #{T* >= T}) / (m + 1); two-sided doubles the smaller tail."""
    data = calibrated(rng, n=30)
    greater = ece_test(data, alternative="greater", resamples=199)
    draws = greater.null_values
    upper = (1 + np.sum(draws >= greater.value - 1e-12)) / 200
    lower = (1 + np.sum(draws <= greater.value + 1e-12)) / 200
    assert greater.p_value == pytest.approx(upper)
    assert ece_test(data, alternative="less", resamples=199).p_value == pytest.approx(lower)
    both = ece_test(data, resamples=199)
    assert both.p_value == pytest.approx(min(1, 2 * min(upper, lower)))


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_a_constant_statistic_has_p_one(alternative):
    """At (0.5, 0.5) every one-per-point value is the same whatever happens: p = 1."""
    data = pb.Predictions.from_arrays([1] * 40 + [0] * 2, np.full(42, 0.5))
    for distance in ("absolute", "square", "log"):
        result = ece_test(
            data, bins="one-per-point", distance=distance, alternative=alternative, resamples=99
        )
        assert result.p_value == 1.0


@pytest.mark.parametrize("resamples", [39, 50, 99, 100, 199, 999, 1000])
def test_the_p_value_is_at_most_5_percent_exactly_outside_the_range(rng, resamples):
    """The range is made of the order statistics that the two-sided p-value counts."""
    for _ in range(25):
        data = calibrated(rng, n=40)
        result = pb.calibration_error(data, resamples=resamples, rng=rng)
        low, high = result.null_range
        rank = int(0.025 * (resamples + 1) + 1e-12)
        ordered = np.sort(result.null_values)
        assert (low, high) == (ordered[rank - 1], ordered[-rank])
        slack = 1e-12 * (1 + result.value)
        outside = result.value > high + slack or result.value < low - slack
        assert (result.p_value <= 0.05) == outside


def test_too_few_resamples_have_no_range_and_cannot_reject(rng):
    """With 19 draws nothing can be rejected two-sided: no range, and the verdict says draw more."""
    p = rng.uniform(size=500)
    data = pb.Predictions.from_arrays(rng.random(500) < 0.5, p)
    result = ece_test(data, resamples=19)
    assert result.p_value == pytest.approx(0.1)
    assert result.to_dict()["null_range"] == [None, None]
    assert "39 resamples" in result.reason
    assert result.remark_codes == ("few-resamples",)
    one_sided = ece_test(data, resamples=19, alternative="greater")
    assert one_sided.p_value == pytest.approx(0.05)
    assert (one_sided.remark_codes, one_sided.present().tone) == ((), "bad")


def test_equal_values_count_as_extreme():
    """With p = .3, n = 10, 4 hits in one bin |4 - 3| equals |2 - 3|: p = 1 - P(exactly 3)."""
    from scipy.stats import binom

    data = pb.Predictions.from_arrays([1] * 4 + [0] * 6, np.full(10, 0.3))
    result = ece_test(data, bins="equal-width:1", alternative="greater", resamples=9999)
    exact = 1 - binom.pmf(3, 10, 0.3)
    assert result.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 9999))


def test_one_sided_verdicts_say_what_was_asked():
    """A large error is not called chance by a test that asked only for small ones."""
    y = np.repeat([0, 1], [500, 500])
    data = pb.Predictions.from_arrays(y, np.full(1000, 0.9))
    less = ece_test(data, alternative="less")
    assert less.p_value == 1.0
    assert less.present().tone == "open"
    assert "one-sided" in less.verdict
    greater = ece_test(data, alternative="greater")
    assert greater.present().tone == "bad"
    assert "p ≤ 0.001" in greater.verdict


def test_the_tail_decides_the_direction_not_the_mean():
    """A skewed null: the value is in the upper tail though below the null's mean."""
    data = pb.Predictions.from_arrays([0, 1], [0.01, 0.012], weight=[1e6, 1])
    result = ece_test(data, bins="one-per-point", resamples=9999)
    assert result.value < result.null_mean
    assert result.p_value <= 0.05
    assert result.present().tone == "bad"


def test_the_verdict_names_the_effective_n_of_weighted_rows(rng):
    """A weighted table says how many rows of equal weight it is worth."""
    p = rng.uniform(size=200)
    data = pb.Predictions.from_arrays(rng.random(200) < p, p, weight=rng.uniform(size=200))
    assert f"effective n = {data.effective_n:.0f}" in ece_test(data).verdict


def test_results_compare_and_are_frozen(rng):
    """Two results can be compared and hashed, and the draws cannot be changed."""
    data = calibrated(rng, n=30)
    one, other = pb.calibration_error(data, resamples=39), pb.calibration_error(data, resamples=39)
    assert one == one
    assert one != other
    assert len({one, other}) == 2
    with pytest.raises(ValueError, match="read-only"):
        one.null_values[0] = 0


def test_error_and_test_are_one_evidence(rng):
    """The error, the test and the evaluation give the same value, null and p for one question."""
    data = calibrated(rng, k=3)
    error, test = pb.calibration_error(data), ece_test(data)
    model = evaluate(data, ReportParams()).models[0]
    assert model.test.to_dict() == pb.calibration_test(data).to_dict()
    for other in (test, model.calibration[0]):
        assert other.value == error.value
        assert other.null_mean == error.null_mean
        assert other.null_range == error.null_range
        assert other.p_value == error.p_value


def test_the_null_range_holds_the_true_model_and_excludes_the_overconfident(rng):
    """An overconfident model is rejected high, with a verdict that names value, null and n."""
    p = rng.uniform(size=2000)
    y = rng.random(2000) < 0.5 + (p - 0.5) * 0.6
    result = ece_test(pb.Predictions.from_arrays(y, p))
    assert result.p_value == 0.002
    assert result.value > result.null_range[1]
    assert result.verdict == (
        f"Miscalibrated: ECE of 'True' {result.value:.3g}, expected if calibrated "
        f"{result.null_mean:.3g} (p ≤ 0.002, n = 2,000)."
    )


def test_rows_below_a_threshold_are_counted(rng):
    """The number beside the error and those left out are all rows of the table."""
    p = rng.uniform(size=90)
    data = pb.Predictions.from_arrays(rng.random(90) < p, p)
    error = pb.calibration_error(data, threshold=0.5, resamples=0)
    (note,) = (one for one in error.present().notes if one.code == "rows-left-out")
    assert note.own == f"{(p <= 0.5).sum()} of 90"
    assert "only scores above 0.5" in error.present().subject
    assert sum(row["count"] for row in error.bins) == (p > 0.5).sum()


def test_a_null_of_cells_moves_only_by_what_is_finite():
    """An infinite value of the cells, or of the rows, says nothing of the mean of the draws."""
    draws = np.array([0.25, 0.75])
    assert of_all_rows(compare_with_draws(0.5, draws), 0.6).mean == pytest.approx(0.6)
    for cells, rows in ((np.inf, 0.6), (0.5, np.inf), (np.inf, np.inf)):
        assert of_all_rows(compare_with_draws(cells, draws), rows).mean == 0.5


@pytest.mark.parametrize("value", [0.0, 1e-3, -2.0, 3.0, 1e9, np.inf])
def test_draws_that_equal_the_observed_value_are_as_extreme(value):
    """To both sides, also where they differ by rounding, whatever the size of the value."""
    draws = np.full(9, value * (1 + 1e-15))
    assert tails_of(draws, value) == (1.0, 1.0)
    if np.isfinite(value):
        assert tails_of(draws + 1e-6 * (1 + abs(value)), value) == (1.0, 0.1)


def test_the_curve_beside_an_error_is_the_curve_alone(rng):
    """The same bins, bands and numbers, drawn once."""
    data = calibrated(rng, n=300)
    error, curve = error_and_curve(data, resamples=99, rng=5)
    alone = pb.reliability_curve(data, resamples=99, rng=5)
    assert curve.to_dict() == alone.to_dict()
    assert error.value == pb.calibration_error(data, resamples=0).value


def test_a_null_of_cells_keeps_its_end_at_0():
    """Where values of cells and rows differ by rounding alone, 0 stays 0."""
    null = compare_with_draws(0.3, np.append(np.zeros(20), np.linspace(0.1, 0.9, 79)))
    same = of_all_rows(null, 0.1 + 0.2)
    assert (same.range[0], same.mean) == (0.0, null.mean)


def test_a_large_isotonic_error_is_drawn_as_that_of_its_cells(rng):
    """A draw of 60,000 rows is the very one of the cells; the value is that of the rows."""
    p = rng.uniform(size=60_000)
    data = pb.Predictions.from_arrays(rng.random(60_000) < p, p)
    rows, cells = (
        pb.calibration_error(table, bins="isotonic", resamples=3)
        for table in (data, as_drawn(data))
    )
    assert np.array_equal(rows.null_values, cells.null_values)
    assert rows.value == pb.calibration_error(data, bins="isotonic", resamples=0).value


def test_not_rejected_is_not_called_calibrated(rng):
    """The answer of a small calibrated set stays open, and leads to the default test."""
    shown = ece_test(calibrated(rng, n=60), rng=3).present()
    assert (shown.tone, shown.next_step.request) == ("open", "test")


def test_an_impossible_outcome_refutes_even_an_unsuspicious_error(rng):
    """One row with probability 0 for what happened is named in the verdict of any statistic."""
    p = np.concatenate([rng.uniform(size=300), [0.0]])
    y = np.concatenate([rng.random(300) < p[:300], [True]])
    result = ece_test(pb.Predictions.from_arrays(y, p))
    assert result.impossible_rows == 1
    assert result.present().tone == "bad"
    assert result.p_value > 0.05
    infinite = ece_test(pb.Predictions.from_arrays(y, p), distance="log", bins="one-per-point")
    assert infinite.p_value == 0.002
    assert infinite.to_dict()["value"] is None
    assert "infinite" in infinite.to_dict()["reason"]
    assert "infinite" in infinite.verdict


def test_results_are_json_without_nan(rng):
    """Every result is strict JSON: no NaN, no infinity."""
    data = calibrated(rng, n=40)
    for result in (
        pb.calibration_error(data, resamples=0),
        pb.calibration_error(data, resamples=19),
        ece_test(data, resamples=19),
        pb.reliability_curve(data, resamples=19),
        evaluate(data, ReportParams(resamples=19)),
        pb.check_input(data),
    ):
        json.dumps(result.to_dict(), allow_nan=False)
        assert type(result).__name__ in repr(result)
        assert "<table>" in result._repr_html_()
        assert result.to_frame().num_rows >= 1


def test_the_test_names_its_parts_of_the_promise(rng):
    """The keys that the command line promises are all there."""
    keys = ece_test(calibrated(rng), resamples=19).to_dict()
    wanted = {"statistic", "value", "p_value", "p_bounds", "null", "method", "parts"}
    assert wanted <= set(keys)
    assert (keys["statistic"], keys["null"], keys["p_bounds"], keys["parts"]) == (
        "ece",
        "resample",
        None,
        [],
    )


def test_weighted_tables_say_their_effective_n():
    """With weights the effective number of rows stands in the result."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6], weight=[1, 1, 2])
    assert ece_test(data, resamples=19).effective_n == pytest.approx(16 / 6)


def test_a_reliability_curve_has_the_bins_and_error_of_the_calibration_error(rng):
    """One binning, one value: the curve and the error cannot disagree."""
    data = calibrated(rng, k=3)
    for view in ("top-label", "one-vs-rest:1"):
        curve = pb.reliability_curve(data, view=view, resamples=99)
        error = pb.calibration_error(data, view=view, resamples=0)
        assert curve.value == pytest.approx(error.value, rel=1e-12)
        for row, other in zip(curve.bins, error.bins, strict=True):
            assert {k: row[k] for k in other} == other
    assert pb.reliability_curve(data, resamples=9).y_label == "accuracy"
    assert "frequency" in pb.reliability_curve(data, view="one-vs-rest:1", resamples=9).y_label


def test_the_band_is_the_central_range_of_the_binomial_share():
    """For equal probabilities the band is the binomial's 2.5 % and 97.5 % quantile."""
    from scipy.stats import binom

    data = pb.Predictions.from_arrays([0, 1] * 100, np.full(200, 0.4))
    (row,) = pb.reliability_curve(data, resamples=9999).bins
    low, high = binom.ppf([0.025, 0.975], 200, 0.4) / 200
    assert row["band_low"] == pytest.approx(low, abs=1.5 / 200)
    assert row["band_high"] == pytest.approx(high, abs=1.5 / 200)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"view": "classwise"}, ("view-not-possible",)),
        ({"view": "joint"}, ("view-not-possible",)),
        ({"bins": "one-per-point"}, ("bins-of-one-score",)),
        ({"level": 95}, ("no-fraction", "`level`", "0.05")),
        ({"resamples": 0}, ("no-whole-number", "`resamples`")),
    ],
)
def test_a_reliability_curve_refuses_what_it_cannot_show(rng, settings, words):
    """Views of several classes, single points and percentages are refused with the rule."""
    with refused(pb.ParameterError, *words):
        pb.reliability_curve(calibrated(rng, n=20), **settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"statistic": "ecce"}, ("unknown-name", "`statistic`", "'ece'")),
        ({"alternative": "bigger"}, ("argument-says-nothing",)),
        ({"null": "exakt"}, ("unknown-name", "`null`")),
        ({"resamples": 0}, ("no-whole-number", "`resamples`")),
        ({"resamples": 2.5}, ("no-whole-number", "`resamples`")),
    ],
)
def test_a_wrong_test_setting_is_refused_by_name(rng, settings, words):
    """Every unknown name or number is refused with what arrived."""
    with refused(pb.ParameterError, *words):
        pb.calibration_test(calibrated(rng, n=20), **settings)


def test_with_weights_the_expectation_stands_beside_the_error(rng):
    """A detail that is joined belongs to the one before it, which is the error."""
    prob = rng.uniform(0.1, 0.9, 300)
    weights = rng.uniform(0.5, 2, 300)
    weighted = pb.Predictions.from_arrays(rng.random(300) < prob, prob, weight=weights)
    details = pb.calibration_error(weighted, resamples=50).present().details
    assert [one.key for one in details[:3]] == ["value", "null_mean", "effective_n"]
    assert [one.joined for one in details[:3]] == [False, True, False]
