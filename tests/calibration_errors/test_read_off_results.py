"""What is read off calibration results: the largest gap, bars of the draws, the worst classes."""

from dataclasses import replace

import numpy as np
import pytest

from plumbline import (
    Predictions,
    calibration_error,
    calibration_test,
    corp_curve,
    reliability_curve,
)
from plumbline.calibration_errors import (
    bin_sensitivity,
    next_step,
    null_histogram,
    worst_classes,
)
from plumbline.calibration_errors.next_steps import (
    DECISIONS,
    DRAW_MORE,
    FEW_ROWS,
    LOOK,
    RECALIBRATE,
    SMALLEST,
    STEPS_BY_SHAPE,
)
from plumbline.errors import ParameterError
from refusals import refused


def overconfident(rng, n=400):
    """Return rows whose probabilities are too extreme."""
    truth = rng.uniform(0.2, 0.8, n)
    shifted = truth**3 / (truth**3 + (1 - truth) ** 3)
    return Predictions.from_arrays((rng.random(n) < truth).astype(int), shifted)


def test_the_largest_gap_is_a_bin_outside_its_band(rng):
    """Of these the one that adds most to the error; calibrated probabilities mostly have none."""
    curve = reliability_curve(overconfident(rng), resamples=99)
    gap = curve.largest_gap()
    assert not gap["band_low"] <= gap["outcome_share"] <= gap["band_high"]
    parts = [
        row["weight"] * abs(row["outcome_share"] - row["mean_probability"])
        for row in curve.bins
        if not row["band_low"] <= row["outcome_share"] <= row["band_high"]
    ]
    assert gap["weight"] * abs(gap["outcome_share"] - gap["mean_probability"]) == max(parts)
    sound = Predictions.from_arrays([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5])
    assert reliability_curve(sound, resamples=99).largest_gap() is None


@pytest.mark.parametrize("bins", ["equal-width:15", "equal-size:10", "tail-width:5"])
@pytest.mark.parametrize("view", ["one-vs-rest:1", "one-vs-rest:0", "top-label"])
def test_rows_in_bins(rng, view, bins):
    """Every row is in one bin, and in each there are as many rows as it says."""
    data = overconfident(rng)
    curve = reliability_curve(data, view=view, bins=bins, resamples=9)
    marks = [curve.rows_in(data, [place]) for place in range(len(curve.bins))]
    assert [mark.sum() for mark in marks] == [row["count"] for row in curve.bins]
    assert (np.sum(marks, axis=0) == 1).all()
    assert curve.rows_in(data, range(len(marks))).all()
    assert not curve.rows_in(data, []).any()


def test_rows_in_pieces(rng):
    """The same of the pieces of a CORP curve."""
    data = overconfident(rng)
    curve = corp_curve(data, resamples=9)
    sums = [curve.rows_in(data, [place]).sum() for place in range(len(curve.steps))]
    assert sums == [row["count"] for row in curve.steps]


def test_bars_hold_all_draws(rng):
    """Beside the observed value and the range; the omnibus' number is drawn in powers of ten."""
    data = overconfident(rng)
    error = calibration_error(data, resamples=199)
    bars = null_histogram(error)
    assert bars.counts.sum() + bars.infinite == 199
    assert (bars.value, bars.low, bars.high) == (error.value, *error.null_range)
    assert bars.edges[0] == error.null_values.min()
    test = calibration_test(data, resamples=99)
    assert null_histogram(test).value == pytest.approx(np.log10(test.value))
    assert null_histogram(test).powers
    assert null_histogram(calibration_error(data, resamples=0)) is None


def test_draws_without_a_finite_value_have_no_bar():
    """They are counted; of the others a bar stands where all are alike, however large they are."""
    drawn = calibration_error(Predictions.from_arrays([0, 1], [0.4, 0.7]), resamples=9)
    for values, counts in (
        ([np.inf] * 9, []),
        ([np.inf] * 5 + [3e5] * 4, [4]),
        ([0.0] * 9, [9]),
    ):
        bars = null_histogram(replace(drawn, null_values=np.array(values)))
        assert bars.counts.tolist() == counts
        assert bars.infinite == 9 - sum(counts)
        assert len(bars.edges) == (2 if counts else 0)


def test_classes_are_ordered_by_their_error(rng):
    """Each against the rest, the largest error first."""
    prob = rng.dirichlet([1, 1, 1, 1], 200)
    data = Predictions.from_arrays(rng.choice(list("abcd"), 200), prob, classes=list("abcd"))
    errors = [
        calibration_error(data, view=f"one-vs-rest:{name}", bins=5, resamples=0).value
        for name in worst_classes(data, bins=5)
    ]
    assert errors == sorted(errors, reverse=True)


def test_settings_are_told_apart_by_scheme(rng):
    """Every setting once, in its order."""
    result = bin_sensitivity(overconfident(rng), resamples=39)
    assert [row for rows in result.by_scheme().values() for row in rows] == sorted(
        result.settings, key=lambda row: list(result.by_scheme()).index(row["scheme"])
    )


def test_settings_of_bins_are_outside_their_range_or_not(rng):
    """As each row's own numbers say; the verdict counts them."""
    found = bin_sensitivity(overconfident(rng), resamples=39)
    for row in found.rows():
        assert row["outside"] is not (row["null_low"] <= row["value"] <= row["null_high"])
    outside = sum(row["outside"] for row in found.rows())
    assert f"; {outside} of {len(found.rows())} settings outside" in found.verdict
    assert outside > 0


def test_a_curve_names_its_score(rng):
    """The probability of a class, or the confidence in whichever is predicted."""
    data = overconfident(rng)
    for view, wanted in (
        ("one-vs-rest:0", "predicted probability of 0"),
        ("top-label", "confidence"),
        ("top-k:1", "probability of the 1 most likely"),
    ):
        assert reliability_curve(data, view=view, resamples=9).x_label == wanted


def test_a_p_value_that_cannot_reach_the_level_asks_for_draws(rng):
    """1 / (draws + 1) is the smallest: 0.05 with 19, which is enough."""
    data = overconfident(rng)
    for resamples, enough in ((18, False), (19, True)):
        step = next_step(data, p_value=1 / (resamples + 1), resamples=resamples)
        assert (step == DRAW_MORE) is not enough


def test_the_next_step_is_read_off_what_was_found(rng):
    """A rejection first, then impossible rows, sure predictions, few rows, and a group to test."""
    data, few = overconfident(rng), overconfident(rng).select(where=np.arange(FEW_ROWS - 1))
    enough = overconfident(rng).select(where=np.arange(FEW_ROWS))
    assert not data.attributes
    cases = (
        (data, {"p_value": 0.05}, RECALIBRATE),
        (data, {"p_value": 0.05, "impossible_rows": 3}, RECALIBRATE),
        (data, {"p_value": 0.05, "shape": "one-bad-class"}, STEPS_BY_SHAPE["one-bad-class"]),
        (data, {"p_value": 0.051}, SMALLEST),
        (data, {"p_value": 0.051, "shape": "one-bad-class"}, SMALLEST),
        (few, {"p_value": 0.5, "impossible_rows": 1}, LOOK),
        (few, {"p_value": 0.5, "constant": True}, DECISIONS),
        (enough, {"p_value": 0.5}, SMALLEST),
    )
    for table, found, wanted in cases:
        assert next_step(table, resamples=999, **found) == wanted, found
    step = next_step(few, p_value=0.5, resamples=999)
    assert (step.request, step.per_model) == ("plan", True)
    assert step.text == "Get more rows: 49 show large miscalibration only."


def test_groups_are_proposed_where_they_hold_ten_rows():
    """An attribute of 2 to 50 values with 10 rows or more a value, the worst of them."""
    p, y = np.full(100, 0.5), np.arange(100) % 2

    def proposed(**columns):
        data = Predictions.from_arrays(y, p, attributes=columns)
        step = next_step(data, p_value=0.5, resamples=999)
        return step.values.get("by")

    assert proposed(same=["a"] * 100) is None
    assert proposed(ten=[f"g{i % 10}" for i in range(100)]) == "ten"
    assert proposed(eleven=[f"g{i % 11}" for i in range(100)]) is None
    assert proposed(halves=["a"] * 50 + ["b"] * 50, odd=["a", "b"] * 50) == "odd"


def test_the_first_fifty_attributes_are_looked_at():
    """Of the worst slice of a table of hundreds a closer look is taken by name."""
    y, p = np.arange(100) % 2, np.full(100, 0.5)
    for before, wanted in ((49, "last"), (50, "a0")):
        same = {f"a{i}": ["a"] * 50 + ["b"] * 50 for i in range(before)}
        data = Predictions.from_arrays(y, p, attributes=same | {"last": ["a", "b"] * 50})
        assert next_step(data, p_value=0.5, resamples=999).values["by"] == wanted


def test_groups_of_a_large_table_are_proposed_from_all_parts_of_it(rng):
    """Rows that stand site by site, of which the last is off."""
    site = np.repeat(["a", "b", "c", "d"], 10_000)
    y = (rng.random(40_000) < np.where(site == "d", 0.6, 0.5)).astype(int)
    columns = {"odd": ["x", "y", "z", "z"] * 10_000, "site": site}
    data = Predictions.from_arrays(y, np.full(40_000, 0.5), attributes=columns)
    assert next_step(data, p_value=0.5, resamples=999).values["by"] == "site"


def test_a_range_needs_39_draws(rng):
    """Of fewer no value could be outside."""
    with refused(ParameterError, "no-whole-number", "39", argument="resamples"):
        bin_sensitivity(overconfident(rng), resamples=38)


def test_infinite_errors_count_rows_of_weight_above_zero():
    """A row that weighs half is one, a row that weighs nothing none."""
    data = Predictions.from_arrays(
        [1, 1, 1, 0], [0.0, 0.0, 0.5, 0.5], positive=1, weight=[0.5, 0.0, 1.0, 1.0]
    )
    found = calibration_test(data, statistic="log-loss", resamples=39)
    assert str(found.reason).startswith("infinite: in 1 row ")


def test_a_test_is_called_by_its_statistic(rng):
    """An ECE by its view and distance, others by their name."""
    data = overconfident(rng)
    called = {
        name: calibration_test(data, statistic=name, resamples=19).label()
        for name in ("ece", "brier-score", "hosmer-lemeshow")
    }
    assert called["ece"].startswith("ECE")
    assert called["brier-score"].lower() == "brier score"
