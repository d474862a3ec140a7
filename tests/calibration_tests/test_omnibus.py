"""The omnibus test: exact in level, without a side to choose, and without a blind spot."""

import itertools

import numpy as np
import pytest
from known_faults import CASES

import plumbline as pb
from laws import ALL, law
from plumbline.calibration_tests import (
    Ratios,
    WeightedRows,
    diagnose,
    omnibus_p_value,
    omnibus_p_values,
)
from plumbline.calibration_tests.omnibus import (
    IMPOSSIBLE,
    Ranked,
    ranks,
    short_of,
    strength,
    strongest,
)
from plumbline.calibration_tests.omnibus_families import weights
from plumbline.calibration_tests.omnibus_members import Counts, Gaps
from plumbline.calibration_tests.shape_names import Fault
from plumbline.nulls import Resampling, observed
from refusals import refused


def drawn(rng, prob):
    """Draw a label for every row."""
    return (prob.cumsum(axis=1) < rng.random((len(prob), 1))).sum(axis=1).clip(0, prob.shape[1] - 1)


def seen(y, prob, weight=None):
    """Return what all families say of these labels."""
    data = pb.Predictions.from_arrays(y, prob, classes=range(prob.shape[1]), weight=weight)
    return observed(Ratios(WeightedRows.of(data)))


def power(rng, make, *, sets=100, resamples=199):
    """Return the share of data sets that the omnibus rejects."""
    result = [
        pb.calibration_test(make(rng), resamples=resamples, rng=seed, workers=1).p_value <= 0.05
        for seed in range(sets)
    ]
    return float(np.mean(result))


def test_ranks_count_ties():
    """Each value counts itself, its equals and what is larger."""
    assert ranks(np.array([3.0, 1.0, 1.0 + 1e-13, np.inf])).tolist() == [0.5, 1.0, 1.0, 0.25]


@pytest.mark.parametrize(("k", "n"), [(2, 60), (3, 60), (2, 50_000)])
@pytest.mark.parametrize("grouped", [False, True])
def test_tables_that_differ_in_their_labels_share_their_draws(rng, k, n, grouped):
    """Each has the p-value that it has alone; also with labels that cannot be."""
    if grouped and n > 60:
        n = 600
    prob = rng.dirichlet(np.full(k, 0.4), n)
    prob[0] = np.eye(k)[0]
    tables = [
        pb.Predictions.from_arrays(
            np.append([1 if number == 2 else 0], drawn(rng, prob[1:])),
            prob,
            classes=range(k),
            positive=k - 1 if k == 2 else None,
            groups=np.arange(n) % 12 if grouped else None,
        )
        for number in range(4)
    ]
    resampling = Resampling(99, 5, 1, None)
    alone = [omnibus_p_value(one, resampling) for one in tables]
    assert omnibus_p_values(tables, resampling) == alone
    assert alone[2] == 0.01
    assert len(set(alone)) > 2


def test_the_combination_treats_the_observed_value_as_any_other(rng):
    """C is the same function of all m + 1: permuting them permutes it."""
    values = rng.normal(size=(len(weights(3)), 60))
    order = rng.permutation(60)
    here, there = (Ranked.of(v, weights(3)).combined for v in (values, values[:, order]))
    assert there == pytest.approx(here[order])


def test_the_level_is_exact_where_all_label_vectors_are_listed():
    """With every label vector as often as it is likely, at most 5 % of them have p <= .05."""
    prob = np.array([[0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [0.5, 0.5], [0.25, 0.75]])
    labels = np.array(list(itertools.product((0, 1), repeat=5)), np.int32)
    times = [round(4**5 * np.prod(prob[np.arange(5), list(y)])) for y in labels]
    ratios = Ratios(WeightedRows.of(pb.Predictions.from_arrays(labels[0], prob, classes=[0, 1])))
    tally = ratios.tally(len(labels))
    tally.add(slice(0, 5), np.ascontiguousarray(labels.T))
    whole = np.repeat(tally.values(), times, axis=1)
    assert whole.shape[1] == 4**5
    p_values = ranks(Ranked.of(whole, weights(2)).combined)
    for level in (0.01, 0.05, 0.2, 0.5):
        assert (p_values <= level).mean() <= level


def test_order_of_rows_and_names_of_classes_do_not_matter(rng):
    """The observed families are the same for shuffled rows and for reordered classes."""
    prob = rng.dirichlet(np.ones(3) / 2, 60).round(2)
    prob /= prob.sum(axis=1, keepdims=True)
    y = drawn(rng, prob)
    rows, names = rng.permutation(60), np.array([2, 0, 1])
    want = seen(y, prob)
    assert seen(y[rows], prob[rows]) == pytest.approx(want, rel=1e-9)
    assert seen(np.argsort(names)[y], prob[:, names]) == pytest.approx(want, rel=1e-9)


def test_two_classes_may_change_places(rng):
    """No family asks which of two classes is the positive one."""
    prob = rng.dirichlet(np.ones(2), 80)
    y = drawn(rng, prob)
    assert seen(1 - y, prob[:, ::-1]) == pytest.approx(seen(y, prob), rel=1e-9)


def test_rows_without_weight_are_no_rows_and_equal_weights_no_weights(rng):
    """Weight 0 is absence, and a weight that all rows share changes nothing."""
    prob = rng.dirichlet(np.ones(3), 50)
    y, kept = drawn(rng, prob), rng.random(50) < 0.7
    there = seen(y[kept], prob[kept])
    assert seen(y, prob, np.where(kept, 3.0, 0.0)) == pytest.approx(there, rel=1e-9)


def test_a_label_of_probability_0_is_the_end(rng):
    """No draw can have it: the p-value is the smallest, though all else is well."""
    prob = rng.dirichlet(np.ones(3), 50)
    prob[0] = 0.0, 0.5, 0.5
    y = drawn(rng, prob)
    y[0] = 0
    result = pb.calibration_test(
        pb.Predictions.from_arrays(y, prob, classes=range(3)), resamples=99
    )
    assert result.p_value == 0.01
    assert result.impossible_rows == 1
    assert result.finding is not None
    assert "evidence" not in result.finding  # all families are infinite alike


def test_sure_predictions_that_are_right_say_nothing():
    """Probabilities of 0 and 1 leave nothing to draw: all families are constant, p = 1."""
    data = pb.Predictions.from_arrays([0, 1, 2, 2], np.eye(3)[[0, 1, 2, 2]], classes=range(3))
    assert pb.calibration_test(data, resamples=99).p_value == 1.0


def test_a_constant_prediction_is_no_blind_spot(rng):
    """(0.5, 0.5) where the truth is (0.7, 0.3): single rows cannot tell, the omnibus can."""

    def make(rng):
        return pb.Predictions.from_arrays(rng.random(100) < 0.3, np.full(100, 0.5))

    data = make(rng)
    for name in ("log-loss", "brier-score", "chi-square", "spiegelhalter"):
        assert pb.calibration_test(data, statistic=name).p_value == 1.0
    assert power(rng, make) >= 0.85


@pytest.mark.laws
def test_a_wave_around_the_diagonal_is_no_blind_spot(rng):
    """Truth p + 0.08 sin(4 pi p): too high here, too low there, right on the whole."""

    def make(rng):
        p = rng.random(1000)
        return pb.Predictions.from_arrays(rng.random(1000) < p + 0.08 * np.sin(4 * np.pi * p), p)

    sets = 60 if ALL else 30
    assert power(rng, make, sets=sets) >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / sets)


@pytest.mark.parametrize(
    ("truth", "direction", "shape", "words"),
    [
        (lambda p: 0.5 + 0.6 * (p - 0.5), "too extreme", "few-bad-points", "overconfident in"),
        (
            lambda p: p**1.6 / (p**1.6 + (1 - p) ** 1.6),
            "not extreme enough",
            "underconfident",
            "underconfident",
        ),
        (lambda p: np.minimum(p + 0.08, 1), "too low", "under-estimation", "True too low"),
    ],
)
def test_the_direction_is_named(rng, truth, direction, shape, words):
    """Over- and underconfidence and a shift are told apart."""
    p = rng.random(2000)
    data = pb.Predictions.from_arrays(rng.random(2000) < truth(p), p)
    result = pb.calibration_test(data, resamples=199)
    assert result.p_value <= 0.05
    assert strongest(result.parts)["direction"] == direction
    assert result.shape == shape
    assert words in result.verdict
    assert len(result.verdict.split()) <= 25


@pytest.mark.parametrize(("factor", "direction"), [(0.4, "too high"), (2.0, "too low")])
def test_the_strongest_family_names_the_class(rng, factor, direction):
    """One class of six that comes too rarely, or too often, is named with its direction."""
    prob = rng.dirichlet(np.ones(6), 1500)
    true = prob * np.where(np.arange(6) == 4, factor, 1.0)
    y = drawn(rng, true / true.sum(axis=1, keepdims=True))
    data = pb.Predictions.from_arrays(y, prob, classes=range(6))
    best = strongest(pb.calibration_test(data, resamples=199).parts)
    assert (best["name"], best["member"], best["direction"]) == ("class shares", "'4'", direction)


def test_a_range_of_scores_that_is_off_is_named(rng):
    """Probabilities of .6 to .75 that are .3 too high: the range, and which way."""
    p = rng.random(2000)
    data = pb.Predictions.from_arrays(rng.random(2000) < p - 0.3 * ((p > 0.6) & (p < 0.75)), p)
    best = strongest(pb.calibration_test(data, resamples=199).parts)
    assert best["name"].startswith("range")
    name, *_, low, _, high = best["member"].split()
    assert (name, best["direction"]) == ("True", "too high")
    assert 0.5 < float(low) < 0.67
    assert 0.68 < float(high) < 0.85


def test_it_takes_a_view_and_nothing_else():
    """Alternative, bins, distance, outcome and an exact null are refused with their remedy."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
    for name, value, code in (
        ("alternative", "greater", "argument-says-nothing"),
        ("bins", "equal-size:5", "argument-says-nothing"),
        ("distance", "log", "argument-says-nothing"),
        ("outcome", "class", "argument-says-nothing"),
        ("like", "thesis", "argument-says-nothing"),
        ("null", "exact", "null-not-of-statistic"),
    ):
        with refused(pb.ParameterError, code, f"`{name}`"):
            pb.calibration_test(data, **{name: value})
    assert pb.calibration_test(data, view="top-label", resamples=39).view == "top-label"
    with refused(pb.ParameterError, "view-not-possible", argument="view"):
        pb.calibration_test(data, view="joint")


def test_a_binary_view_is_tested_as_a_table_of_its_own(rng):
    """The omnibus of a view is the omnibus of the two classes that the view sees."""
    prob = rng.dirichlet(np.ones(3), 50)
    data = pb.Predictions.from_arrays(drawn(rng, prob), prob, classes=range(3))
    here = pb.calibration_test(data, view="one-vs-rest:1", resamples=99)
    there = pb.calibration_test(data.one_vs_rest("1"), resamples=99)
    assert here.p_value == there.p_value


def test_a_shifted_class_share_is_found_near_the_limit():
    """10 classes, one of twice the odds, n = 400: power about .85, of eight statistics .57."""
    prob, labels = CASES["one of ten"].draws(400, 40, np.random.default_rng(4))
    sets = iter(zip(labels, prob, strict=True))
    result = power(
        None, lambda _: pb.Predictions.from_arrays(*next(sets), classes=range(10)), sets=40
    )
    assert result >= 0.7


def test_test_diagnosis_and_report_say_the_same(rng):
    """Rare events whose log-odds are 4.5 too high: one shape, one sentence, everywhere."""
    logit = -6.0 + 1.5 * rng.normal(size=4000)
    y = rng.random(4000) < 1 / (1 + np.exp(-logit))
    data = pb.Predictions.from_arrays(y.astype(int), 1 / (1 + np.exp(-logit - 4.5)))
    result = pb.calibration_test(data, resamples=99)
    assert result.shape == "over-estimation"
    named = diagnose(data, resamples=99)
    assert (named.shape, named.p_value) == (result.shape, result.p_value)
    sentence = result.finding.partition(" Strongest")[0]
    assert named.statement.startswith(sentence)
    assert result.present().next_step.request == "recalibrate"


def test_a_test_of_another_view_cannot_decide_a_diagnosis(rng):
    """The test that decides whether to speak is of the same view."""
    prob = rng.dirichlet(np.ones(3), 60)
    data = pb.Predictions.from_arrays(drawn(rng, prob), prob, classes=range(3))
    test = pb.calibration_test(data, view="top-label", resamples=39)
    with refused(pb.ParameterError, "test-of-other-view", argument="test"):
        diagnose(data, test=test, resamples=39)


def test_sums_are_off_by_an_amount_that_nobody_knows():
    """A gap counts by its standardised square, alike on both sides; a count by its deviance."""
    variance = np.array([4.0, 9.0])
    gaps = Gaps.of(variance, np.ones(2))
    here, there = (gaps.terms(np.array([[side * 3.0], [0.0]])) for side in (1, -1))
    assert here == pytest.approx(there)
    assert here[0, 0] - here[1, 0] == pytest.approx(0.45 * 9 / 4.25)
    rare = Counts(np.array([6.0]), np.array([5.5]), np.zeros(1))
    low, high = rare.terms(np.array([[-5.0, 5.0]]))[0]
    assert low > high  # 1 of 6 is more surprising than 11


def test_where_no_shape_fits_the_verdict_names_the_clearest_sign():
    """The strongest family says where it shows; an impossible label says only that."""
    other = Fault("other", "in no simple shape", "Off.")
    best = {
        "name": "temperature by class",
        "member": "rows where '1' is predicted",
        "direction": "too extreme",
        "strength": 9.0,
        "value": 9.0,
        "p_value": 0.001,
    }
    assert short_of(other, [best]).startswith(other.short)
    assert short_of(other, [best]).endswith(f"{best['member']} is {best['direction']}")
    endless = best | {"value": np.inf}
    assert short_of(other, [endless]) == IMPOSSIBLE


@law("name", ["class share", "rare and bad", "shift", "range"], number=2)
def test_the_direction_is_that_of_the_diagnosis(name):
    """The verdict, its fault and the diagnosis come from the same fitted shapes, word for word."""
    case = CASES[name]
    found = 0
    for prob, labels in zip(*case.draws(200, 8, np.random.default_rng(5)), strict=True):
        data = pb.Predictions.from_arrays(labels, prob, classes=range(prob.shape[1]))
        test = pb.calibration_test(data, resamples=99, workers=1)
        told = pb.diagnose(data, resamples=99, workers=1)
        assert told.verdict == test.verdict
        if test.fault is not None:
            found += 1
            assert told.shape == test.shape
            assert told.fault == test.finding
            assert test.fault in told.verdict
    assert found


def test_the_evidence_is_the_first_row_of_the_parts(rng):
    """The strongest family heads the table, the others follow by their p-values."""
    p = rng.random(400)
    data = pb.Predictions.from_arrays(rng.random(400) < p**2, p)
    result = pb.calibration_test(data, resamples=199)
    assert result.parts[0] is strongest(result.parts)
    rest = [part["p_value"] for part in result.parts[1:]]
    assert rest == sorted(rest)


def test_rare_bad_points_are_seldom_called_a_shift_alone():
    """Two labels in a hundred that surprise on one side do not say which side is wrong."""
    faults = []
    for seed, (prob, labels) in enumerate(
        zip(*CASES["rare and bad"].draws(100, 60, np.random.default_rng(8)), strict=True)
    ):
        data = pb.Predictions.from_arrays(labels, prob, classes=range(2))
        fault = pb.calibration_test(data, resamples=199, rng=seed, workers=1).fault
        faults += [] if fault is None else [fault]
    assert len(faults) >= 30
    shifts = sum(one.startswith("probability of '1'") and ", or " not in one for one in faults)
    assert shifts <= 0.25 * len(faults)  # .08 in the study: three standard errors above it


def test_a_p_value_of_0_is_not_printed_as_0():
    """A label of probability 0 has probability 0 under the null; the verdict says below .001."""
    data = pb.Predictions.from_arrays([1, 0, 1], [0.0, 0.3, 0.6])
    result = pb.calibration_test(data, statistic="log-loss")
    assert str(result.p_value) == "0.0"
    assert "p < 0.001" in result.verdict


def test_a_family_of_a_fixed_amount_is_as_strong_as_one_of_a_free_amount():
    """Ten standard errors are 0.45 x 100, whatever its own amount is; alike draws have no scale."""
    null = np.tile([-1.0, 1.0], 50)
    result = strength("overconfident", 1.0, np.append(10.0, null))
    assert result == pytest.approx(np.log(2) + 45 - np.log(10) / 2)
    assert strength("overconfident", 1.0, np.append(0.5, np.full(99, 0.1))) == 0.5
    assert strength("class shares", 2.0, np.append(7.0, null)) == pytest.approx(7 + np.log(2))
