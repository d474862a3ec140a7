"""The mistakes that packages for calibration errors make, each pinned by a test of its number."""

import inspect

import matplotlib as mpl
import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

import plumbline as pb
from plumbline import EqualSize, EqualWidth, InputError, ParameterError, Predictions
from plumbline.binning import BinAssignment, Bins
from plumbline.calibration import (
    debiased_statistic,
    define_error,
    discrimination,
    mean_score,
    miscalibration,
    profile_statistic,
    statistic,
    uncertainty,
    value_of,
)
from plumbline.calibration.isotonic import outcome_binned
from plumbline.metrics import METRICS
from plumbline.nulls import resampled
from plumbline.plots import reliability_figure
from plumbline.sklearn import reliability_curve
from reference.peers import recorded
from reference.peers.inputs import table
from refusals import refused, warned

SCHEMES = ("equal-width:10", "equal-size:10", "one-per-point", "tail-width:7", "centre-size:7")


def drawn(seed=0, n=200, **more):
    """Return predictions of uniform chance: k = 2 unless asked otherwise."""
    y, p = table(seed, n, **more)
    return Predictions.from_arrays(y, p, classes=range(more.get("k", 2)))


def error(data, view=None, bins=None, **more):
    """Return the value of an error without its null."""
    return value_of(statistic(data, define_error(data, view, bins, **more)))


def homes(score, bins):
    """Return the bin of every score."""
    return BinAssignment.of(np.asarray(score), None, bins).number


def by_rule(data, rule, view=None):
    """Return the value of an error that sees the labels at every distinct score."""
    return value_of(profile_statistic(data, define_error(data, view), rule))


def same_rows(data, order):
    """Return the rows in another order."""
    return data.select(where=order)


@pytest.mark.parametrize("b", [*range(1, 25), 37, 49, 50, 64, 93, 99, 100])
def test_pitfall_01_every_edge(b):
    """0, 1 and every k / b fall in one bin, as in float32; 1 - p mirrors but for closed sides."""
    score = np.arange(b + 1) / b
    home = homes(score, EqualWidth(b))
    assert home.tolist() == [0, *range(b)]
    assert homes(score.astype(np.float32), EqualWidth(b)).tolist() == home.tolist()
    inside = (np.arange(b) + 0.5) / b
    assert (
        homes(1 - inside, EqualWidth(b)).tolist() == (b - 1 - homes(inside, EqualWidth(b))).tolist()
    )
    counts = Bins.of(Predictions.from_arrays(np.zeros(b + 1, int), score), EqualWidth(b)).count
    assert counts.sum() == b + 1


@pytest.mark.parametrize("bins", [EqualSize(10), EqualSize(3), EqualWidth(10)])
def test_pitfall_02_equal_scores_are_never_split(rng, bins):
    """Nor does the order of rows matter, and quantiles that coincide merge no distinct scores."""
    data = drawn(3, 300, ties=True)
    score = data.prob[:, 1]
    home = homes(score, bins)
    for value in np.unique(score):
        assert len(set(home[score == value])) == 1
    shuffled = same_rows(data, rng.permutation(300))
    assert error(shuffled, bins=bins) == pytest.approx(error(data, bins=bins), abs=1e-14)
    heaped = np.array([0.2] * 90 + [0.5, 0.9])  # both quantiles inside are 0.2
    assert homes(heaped, EqualSize(3)).tolist() == [0] * 90 + [1, 1]


@pytest.mark.parametrize("bins", ["equal-size:10", "equal-width:10", "one-per-value", "isotonic"])
def test_pitfall_02_equal_scores_alone_are_one_bin_with_the_real_error(bins):
    """All scores 0.3, one event in four: |0.25 - 0.3|, not 0."""
    data = Predictions.from_arrays([0, 0, 0, 1], np.full(4, 0.3))
    assert error(data, bins=bins) == pytest.approx(0.05)


@pytest.mark.parametrize("b", [1, 2, 15, 100])
def test_pitfall_03_b_bins_have_b_plus_1_edges(b):
    """And one bin is the whole: |mean(y) - mean(p)|."""
    data = drawn(1)
    assert len(EqualWidth(b).edges(data.prob[:, 1], None)) == b + 1
    expected = abs(data.actual.mean() - data.prob[:, 1].mean())
    assert error(data, bins="equal-width:1") == pytest.approx(expected)
    assert error(data, bins="equal-size:1") == pytest.approx(expected)


def test_pitfall_04_empty_bins_are_absent():
    """Two filled bins of ten: they alone are in the average, the largest, and the curve."""
    y, p = [0, 1, 1, 1], [0.15, 0.15, 0.85, 0.95 - 0.1]
    data = Predictions.from_arrays(y, p)
    gaps = [0.35, 0.15]
    assert error(data, bins="equal-width:10", counting="bins") == pytest.approx(np.mean(gaps))
    assert error(data, bins="equal-width:10", norm="max") == pytest.approx(max(gaps))
    assert len(reliability_curve(y, p, n_bins=10).prob_true) == 2
    rows = pb.calibration_error(data, bins="equal-width:10", resamples=0).bins
    assert [row["count"] for row in rows] == [2, 2]


def test_pitfall_04_average_and_adaptive_have_different_names():
    """Every filled bin alike, and bins of equal size, are two errors: "ACE" names no single one."""
    data = drawn(2, 300)
    result = pb.measure(data, ["average-calibration-error", "ace"], resamples=0)
    assert result["average-calibration-error"].value != pytest.approx(result["ace"].value, abs=1e-6)


def test_pitfall_05_a_bin_stands_for_its_mean_score():
    """Not for its centre, which is another error, asked for by name."""
    data = Predictions.from_arrays([0, 1], [0.05, 0.05])
    assert error(data, bins="equal-width:2") == pytest.approx(0.45)
    assert error(data, bins="equal-width:2", representative="midpoint") == pytest.approx(0.25)


@pytest.mark.parametrize("view", ["one-vs-rest:1", "top-label"])
def test_pitfall_06_one_column_means_what_two_mean(view):
    """P(y = 1) alone and [1 - p, p] agree in either view, and the views differ."""
    y, p = table(4, 300)
    one = Predictions.from_arrays(y, p)
    two = Predictions.from_arrays(y, np.column_stack([1 - p, p]))
    assert error(one, view) == pytest.approx(error(two, view), abs=1e-14)
    assert error(one, "top-label") != pytest.approx(error(one, "one-vs-rest:1"), abs=1e-3)


def test_pitfall_06_the_error_does_not_depend_on_which_class_is_positive():
    """Labels and probabilities swapped leave the error of P(y = 1), away from edges."""
    y, p = table(4, 300)
    data, swapped = Predictions.from_arrays(y, p), Predictions.from_arrays(1 - y, 1 - p)
    assert error(data) == pytest.approx(error(swapped), abs=1e-14)
    assert error(data, "one-vs-rest:0") == pytest.approx(error(data, "one-vs-rest:1"), abs=1e-14)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([1, 2], [1, 2]),
        ([-1, 1], None),
        ([False, True], None),
        (["no", "yes"], None),
        (["sick", "well"], ["sick", "well"]),
    ],
)
def test_pitfall_07_labels_may_be_anything(labels, classes):
    """Whatever two classes are called, the error is the same."""
    y, p = table(5, 100)
    named = np.asarray(labels)[y]
    assert error(Predictions.from_arrays(named, p, classes=classes)) == error(
        Predictions.from_arrays(y, p)
    )


def test_pitfall_07_classes_are_never_inferred_from_the_labels_present():
    """Of three classes one does not occur: the columns say that there are three."""
    y, p = table(6, 200, k=3)
    present = y != 2
    data = Predictions.from_arrays(y[present], p[present], classes=[0, 1, 2])
    each = [error(data, f"one-vs-rest:{c}") for c in range(3)]
    assert error(data, "classwise") == pytest.approx(np.mean(each))
    assert each[2] == pytest.approx(
        p[present, 2].mean(), abs=1e-12
    )  # never, so all of it is too much
    with refused(InputError, "columns-unnamed", "3", "'a', 'b'"):
        Predictions.from_arrays(np.where(y[present] == 0, "a", "b"), p[present])


def test_pitfall_08_of_equally_likely_classes_the_first_is_the_answer():
    """In column order, in the library as in its bins."""
    prob = [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]]
    data = Predictions.from_arrays([0, 2], prob, classes=[0, 1, 2])
    assert data.predicted.tolist() == [0, 1]
    assert data.top_label().actual.tolist() == [1, 0]
    assert error(data, "top-label") == pytest.approx(0.1)  # one right of two, both at 0.4


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pitfall_09_rows_sum_to_one_within_the_types_precision(dtype):
    """The root of its rounding unit, 1e-6 at least, is allowed; 0.9 is not missing mass."""
    tolerance = max(1e-6, np.sqrt(np.finfo(dtype).eps))
    inside = np.array([[0.5, 0.25, 0.25 + tolerance / 3]] * 2, dtype)
    outside = np.array([[0.5, 0.25, 0.25 + 3 * tolerance]] * 2, dtype)
    short = np.array([[0.3, 0.3, 0.3]] * 2, dtype)
    assert Predictions.from_arrays([0, 1], inside, classes=[0, 1, 2]).n == 2
    for prob in (outside, short):
        with refused(InputError, "not-summing-to-1", argument="normalize"):
            Predictions.from_arrays([0, 1], prob, classes=[0, 1, 2])


def test_pitfall_09_labels_are_drawn_in_proportion():
    """Rows of three equal shares that fall short of 1 send nothing more to the first class."""
    short = np.full((2000, 3), 0.3333333, np.float32)  # sum to 0.9999999
    rescaled = np.full((2000, 3), 0.3)
    tables = (
        Predictions.from_arrays(np.zeros(2000, int), short, classes=range(3)),
        Predictions.from_arrays(np.zeros(2000, int), rescaled, classes=range(3), normalize=True),
    )
    for data in tables:
        for c in range(3):
            share = define_error(data, f"one-vs-rest:{c}", "equal-width:1", lambda y, p: y + 0 * p)
            draws = resampled(statistic(data, share), 100, 0)
            # 200,000 labels: standard error 0.00105
            assert draws.mean() == pytest.approx(1 / 3, abs=0.004)


@pytest.mark.parametrize(
    ("bad", "code"),
    [(np.nan, "value-missing"), (np.inf, "no-probability"), (-np.inf, "no-probability")],
)
def test_pitfall_10_nan_and_infinity_are_refused(bad, code):
    """By the row they are in."""
    with refused(InputError, code, "row 1"):
        Predictions.from_arrays([0, 1], [0.2, bad])


def test_pitfall_10_inputs_are_not_changed():
    """Neither array is other than before, nor is a null drawn into it."""
    y, p = table(7, 50, k=3)
    kept = y.copy(), p.copy()
    data = Predictions.from_arrays(y, p, classes=range(3))
    pb.calibration_error(data, resamples=39)
    pb.calibration_test(data, resamples=39)
    assert np.array_equal(y, kept[0])
    assert np.array_equal(p, kept[1])


def test_pitfall_11_logits_are_named_and_never_sniffed():
    """Numbers beyond [0, 1] are no probabilities; a row's answer does not depend on the batch."""
    logits = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [5.0, -3.0, 0.0]])
    with refused(InputError, "no-probability", "from_logits"):
        Predictions.from_arrays([0, 1, 2], logits, classes=range(3))
    every = Predictions.from_logits([0, 1, 2], logits, classes=range(3))
    with warned("logits-like-probabilities"):  # said, but done as asked
        some = Predictions.from_logits([0, 1], logits[:2], classes=range(3))
    assert every.prob[:2].tolist() == some.prob.tolist()


def test_pitfall_12_scales_of_the_brier_score():
    """The binary one, k times the mean over classes, 1 above sum p^2 - 2 p_y."""
    y, p = table(8, 300)
    binary = Predictions.from_arrays(y, p)
    assert pb.brier_score(binary) == pytest.approx(brier_score_loss(y, p))
    y, p = table(8, 300, k=4)
    several = Predictions.from_arrays(y, p, classes=range(4))
    value = pb.brier_score(several)
    assert value == pytest.approx(brier_score_loss(y, p, labels=range(4)))
    hit = np.eye(4)[y]
    assert value == pytest.approx(4 * np.mean((p - hit) ** 2))
    without_one = np.mean((p**2).sum(axis=1) - 2 * p[np.arange(300), y])
    assert value == pytest.approx(1 + without_one)


@pytest.mark.parametrize("score", ["brier-score", "log-loss", "spherical-score"])
@pytest.mark.parametrize("ties", [False, True])
def test_pitfall_13_parts_of_a_score_add_up(rng, score, ties):
    """MCB - DSC + UNC = score, MCB and DSC >= 0, whatever the order of rows."""
    y, p = table(9, 200, ties=ties)
    data = Predictions.from_arrays(y, np.clip(p, 0.05, 0.95))
    rules = (mean_score, miscalibration, discrimination, uncertainty)
    whole, mcb, dsc, unc = (by_rule(data, rule(score)) for rule in rules)
    assert mcb - dsc + unc == pytest.approx(whole, abs=1e-12)
    assert mcb >= 0
    assert dsc >= 0
    shuffled = same_rows(data, rng.permutation(200))
    assert by_rule(shuffled, miscalibration(score)) == pytest.approx(mcb, abs=1e-12)


def test_pitfall_14_a_p_value_counts_the_observed_labels_among_the_draws():
    """(1 + #{T* >= T}) / (m + 1): never 0."""
    y, p = table(0, 100)
    result = pb.calibration_error(Predictions.from_arrays(1 - y, p), resamples=99)
    assert result.value > result.null_values.max()
    assert result.p_value == pytest.approx(2 / 100)


def test_pitfall_14_p_values_are_uniform_if_true():
    """Of 150 tables whose labels were drawn from their probabilities, by both tails."""
    p_values = []
    for seed in range(150):
        p = np.random.default_rng([14, seed]).random((2, 60))
        data = Predictions.from_arrays((p[1] < p[0]).astype(int), p[0], classes=[0, 1])
        result = pb.calibration_test(data, statistic="ece", null="resample", resamples=99, rng=seed)
        p_values.append(result.p_value)
    assert kstest(p_values, "uniform").pvalue > 0.01


def test_pitfall_14_spiegelhalters_test_is_two_sided():
    """Too sure and not sure enough are both found."""
    p = np.tile([0.3, 0.7], 300)
    sure = np.tile([0, 1], 300)
    unsure = np.tile([0, 1, 1, 0], 150)
    for y in (sure, unsure):
        test = pb.calibration_test(Predictions.from_arrays(y, p), statistic="spiegelhalter")
        assert test.p_value < 1e-6


def test_pitfall_14_hosmer_and_lemeshow_lose_no_degrees_of_freedom():
    """Nothing was fitted on these rows, so g bins have mean g under the null."""
    data = drawn(0, 2000)
    test = pb.calibration_test(data, statistic="hosmer-lemeshow", null="resample", resamples=399)
    assert test.null_mean == pytest.approx(10, abs=5 * np.sqrt(2 * 10 / 399))


@pytest.mark.parametrize("name", ["ece", "spiegelhalter", "hosmer-lemeshow", "kuiper"])
def test_pitfall_14_what_cannot_vary_has_p_1(name):
    """Every label is certain: no statistic can be other than it is."""
    data = Predictions.from_arrays([0, 1, 0, 1], [0.0, 1.0, 0.0, 1.0])
    assert pb.calibration_test(data, statistic=name).p_value == 1.0


def test_pitfall_15_labels_alone_are_drawn():
    """The draws of an error have the scores, and so the bins, of the observed table."""
    data = drawn(0, 60, ties=True)
    definition = define_error(data, None, "equal-size:5")
    what = statistic(data, definition)
    draws = resampled(what, 4000, 0)
    p = data.prob[:, 1]
    home = homes(p, EqualSize(5))
    labels = np.random.default_rng(15).random((4000, 60)) < p
    own = np.abs((labels - p) @ np.eye(home.max() + 1)[home]).sum(axis=1) / 60
    spread = np.hypot(own.std(), draws.std()) / np.sqrt(4000)
    assert draws.mean() == pytest.approx(own.mean(), abs=4 * spread)


def test_pitfall_15_bins_that_depend_on_outcomes_are_made_anew_for_every_draw():
    """The value of isotonic bins is that of each draw's own isotonic fit."""
    data = drawn(1, 80)
    definition = define_error(data, None, "isotonic")
    what = statistic(data, definition)
    labels = np.random.default_rng(15).random(80) < data.prob[:, 1]
    redrawn = Predictions.from_arrays(labels.astype(int), data.prob[:, 1], classes=[0, 1])
    again = error(redrawn, bins="isotonic")
    assert what.at(np.eye(2)[labels.astype(int)]) == pytest.approx(again, abs=1e-12)
    assert again != pytest.approx(value_of(what), abs=1e-3)
    rule = outcome_binned("isotonic", definition.rule)
    assert value_of(profile_statistic(redrawn, definition, rule)) == pytest.approx(again, abs=1e-12)


def test_pitfall_16_a_debiased_estimate_may_be_negative():
    """Its mean over labels that are drawn from the probabilities is 0, so half are below."""
    data = drawn(0, 200)
    what = debiased_statistic(data, define_error(data, bins="equal-width:15"))
    draws = resampled(what, 999, 0)
    assert (draws < 0).mean() > 0.4
    assert draws.mean() == pytest.approx(0, abs=4 * draws.std() / np.sqrt(999))


def test_pitfall_16_bins_of_one_row_cannot_be_debiased():
    """Where no bin has two rows there is no estimate, neither 0 nor an error."""
    data = Predictions.from_arrays([0, 1], [0.2, 0.7])
    definition = define_error(data, bins="equal-width:2")
    assert np.isnan(value_of(debiased_statistic(data, definition)))


@pytest.mark.parametrize("level", [10.0, 95, 1.0, 0.0, -0.1])
def test_pitfall_17_a_level_is_a_share_between_0_and_1(level):
    """95 is refused rather than taken for per cent."""
    data = drawn(0, 50)
    with refused(ParameterError, "no-fraction", argument="level"):
        pb.calibration_error(data, resamples=39, interval=True, level=level)
    with refused(ParameterError, "no-fraction", argument="level"):
        pb.calibration_within(data, level=level)


def test_pitfall_17_randomness_is_an_argument_and_workers_change_nothing():
    """The same seed gives the same draws, in any number of threads; another seed gives others."""
    data = drawn(0, 300)
    params = {"resamples": 199}
    one = pb.calibration_error(data, rng=1, workers=1, **params).null_values
    three = pb.calibration_error(data, rng=1, workers=3, **params).null_values
    other = pb.calibration_error(data, rng=2, workers=1, **params).null_values
    assert one.tolist() == three.tolist()
    assert one.tolist() != other.tolist()
    assert len(np.unique(one)) > 150  # the streams of the threads are not one stream


@pytest.mark.parametrize("k", [2, 3])
def test_pitfall_18_a_weight_is_a_repetition_for_every_metric(k):
    """And a row of weight 0 is no row; kernels, whose pairs are of different rows, are apart."""
    y, p = table(18, 40, k=k)
    p = np.clip(p, 0.02, 0.98)
    p = p if k == 2 else p / p.sum(axis=1, keepdims=True)
    weight = np.arange(40) % 4
    rows = np.repeat(np.arange(40), weight)
    weighted = Predictions.from_arrays(y, p, classes=range(k), weight=weight)
    repeated = Predictions.from_arrays(y[rows], p[rows], classes=range(k))
    names = sorted(set(METRICS) - {"skce", "skce-biased", "skce-block", "mmce"})
    one = pb.measure(weighted, names, resamples=0).rows()
    other = pb.measure(repeated, names, resamples=0).rows()
    assert [row["metric"] for row in one] == [row["metric"] for row in other] == names
    for mine, theirs in zip(one, other, strict=True):
        assert mine["value"] == pytest.approx(theirs["value"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("bins", SCHEMES)
def test_pitfall_18_a_weight_is_a_repetition_for_every_scheme(bins):
    """Bins of quantiles are weighted quantiles."""
    y, p = table(18, 60, ties=True)
    weight = np.arange(60) % 3
    rows = np.repeat(np.arange(60), weight)
    weighted = Predictions.from_arrays(y, p, weight=weight)
    repeated = Predictions.from_arrays(y[rows], p[rows])
    assert error(weighted, bins=bins) == pytest.approx(error(repeated, bins=bins), abs=1e-13)


@pytest.mark.parametrize("cuts", [[50], [1, 2, 3], [10, 90], [99]])
def test_pitfall_19_parts_add_up_to_the_whole(rng, cuts):
    """For fixed edges, in any chunks and any order."""
    data = same_rows(drawn(19, 100, ties=True), rng.permutation(100))
    whole = Bins.of(data, EqualWidth(7))
    parts = [
        Bins.of(same_rows(data, rows), EqualWidth(7)) for rows in np.split(np.arange(100), cuts)
    ]
    total = parts[-1]
    for part in parts[:-1]:
        total = total + part
    for name in ("count", "weight", "outcome", "prob", "rest", "variance"):
        assert getattr(total, name) == pytest.approx(getattr(whole, name), abs=1e-12)


def test_pitfall_21_drawing_leaves_the_settings_of_matplotlib_alone():
    """A diagram changes no default."""
    before = dict(mpl.rcParams)
    reliability_figure(pb.reliability_curve(drawn(0, 100), resamples=39))
    assert dict(mpl.rcParams) == before


def test_pitfall_22_our_numbers_are_the_peers_away_from_edges():
    """netcal, torchmetrics and Guo et al. give ours where no score is an edge, 0 or 1."""
    fields = {"netcal": ("ece", 1e-12), "torchmetrics": ("value", 3e-6), "guo2017": ("value", 1e-6)}
    for package, (key, near) in fields.items():
        compared = 0
        for case in recorded(package)["cases"]:
            elsewhere = case.get("norm", "l1") != "l1" or not case.get("equal_intervals", True)
            if key not in case or elsewhere or case["input"]["ties"]:
                continue
            y, p = table(**case["input"])
            data = Predictions.from_arrays(y, p, classes=range(2 if p.ndim == 1 else p.shape[1]))
            value = error(data, bins=f"equal-width:{case['bins']}")
            single = 3e-7 if case["input"].get("single") else 0.0
            assert value == pytest.approx(case[key], abs=near + single)
            compared += 1
        assert compared >= 24


@pytest.mark.parametrize("n_bins", [5, 10, 15])
def test_pitfall_22_our_curve_is_scikit_learns(n_bins):
    """The same edges, also for scores that are edges."""
    y, p = table(22, 500, ties=True)
    share, mean = calibration_curve(y, p, n_bins=n_bins)
    ours = reliability_curve(y, p, n_bins=n_bins)
    assert ours.prob_true == pytest.approx(share)
    assert ours.prob_pred == pytest.approx(mean)


def test_every_pitfall_has_its_test():
    """Numbers 1 to 22, but for 20: there are no recalibrators yet to hold to it."""
    names = [name for name in globals() if name.startswith("test_pitfall_")]
    numbers = {int(name.split("_")[2]) for name in names}
    assert numbers == set(range(1, 23)) - {20}
    assert all(inspect.getdoc(globals()[name]) for name in names)
