"""The omnibus test: exact in level, without a side to choose, and without a blind spot."""

import itertools

import numpy as np
import pytest

import plumbline as pb
from plumbline.nulls import observed
from plumbline.significance.omnibus import PARTS, combine, part_statistic, ranks


def drawn(rng, prob):
    """Draw a label for every row."""
    return (prob.cumsum(axis=1) < rng.random((len(prob), 1))).sum(axis=1).clip(0, prob.shape[1] - 1)


def power(rng, make, *, sets=100, resamples=199):
    """Return the share of data sets that the omnibus rejects."""
    found = [
        pb.calibration_test(make(rng), resamples=resamples, rng=seed, workers=1).p_value <= 0.05
        for seed in range(sets)
    ]
    return float(np.mean(found))


def test_ranks_count_ties_on_both_sides():
    """Each value counts itself and its equals in both tails."""
    upper, lower = ranks(np.array([3.0, 1.0, 1.0 + 1e-13, np.inf]))
    assert upper.tolist() == [0.5, 1.0, 1.0, 0.25]
    assert lower.tolist() == [0.75, 0.5, 0.5, 1.0]


def test_the_combination_treats_the_observed_value_as_any_other(rng):
    """C is the same function of all m + 1: permuting them permutes it."""
    values = rng.normal(size=(len(PARTS), 60))
    order = rng.permutation(60)
    here = combine(np.stack([ranks(row) for row in values]))
    there = combine(np.stack([ranks(row) for row in values[:, order]]))
    assert there == pytest.approx(here[order])


def test_the_level_is_exact_where_all_label_vectors_are_listed():
    """With every label vector as often as it is likely, at most 5 % of them have p <= .05."""
    prob = np.array([[0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [0.5, 0.5], [0.25, 0.75]])
    labels, times = [], []
    for y in itertools.product((0, 1), repeat=5):
        labels.append(y)
        times.append(round(4**5 * np.prod(prob[np.arange(5), list(y)])))
    values = []
    for y in labels:
        data = pb.Predictions.from_arrays(y, prob, classes=[0, 1])
        values.append([float(observed(part_statistic(data, part))) for part in PARTS])
    whole = np.repeat(np.array(values).T, times, axis=1)
    assert whole.shape[1] == 4**5
    combined = combine(np.stack([ranks(row) for row in whole]))
    p_values = ranks(combined)[0]
    for level in (0.01, 0.05, 0.2, 0.5):
        assert (p_values <= level).mean() <= level


def test_parts_are_the_tests_of_their_names(rng):
    """Every part has the value that the test of its name and view has by itself."""
    prob = rng.dirichlet(np.ones(4), 80)
    data = pb.Predictions.from_arrays(drawn(rng, prob), prob, classes=range(4))
    found = pb.calibration_test(data, resamples=39)
    assert [part["name"] for part in found.parts] == [part.name for part in PARTS]
    for part in found.parts:
        if part["view"] == "classwise":
            views = [f"one-vs-rest:{c}" for c in data.classes]
        else:
            views = [part["view"]]
        bins = {} if part["scheme"] is None else {"bins": part["scheme"]}
        alone = [
            pb.calibration_test(
                data, statistic=part["name"], view=view, null="resample", resamples=1, **bins
            ).value
            for view in views
        ]
        assert part["value"] == pytest.approx(sum(alone), rel=1e-9)


def test_order_of_rows_and_names_of_classes_do_not_matter(rng):
    """The observed parts are the same for shuffled rows and for reordered classes."""
    prob = rng.dirichlet(np.ones(3) / 2, 60).round(2)
    prob /= prob.sum(axis=1, keepdims=True)
    y = drawn(rng, prob)
    data = pb.Predictions.from_arrays(y, prob, classes=range(3))
    rows, names = rng.permutation(60), np.array([2, 0, 1])
    shuffled = pb.Predictions.from_arrays(y[rows], prob[rows], classes=range(3))
    renamed = pb.Predictions.from_arrays(np.argsort(names)[y], prob[:, names], classes=range(3))
    want = [float(observed(part_statistic(data, part))) for part in PARTS]
    for other in (shuffled, renamed):
        found = [float(observed(part_statistic(other, part))) for part in PARTS]
        assert found == pytest.approx(want, rel=1e-9)


def test_a_constant_prediction_is_no_blind_spot(rng):
    """(0.5, 0.5) where the truth is (0.7, 0.3): single rows cannot tell, the omnibus can."""

    def make(rng):
        return pb.Predictions.from_arrays(rng.random(100) < 0.3, np.full(100, 0.5))

    data = make(rng)
    for name in ("log-loss", "brier-score", "chi-square", "spiegelhalter"):
        assert pb.calibration_test(data, statistic=name).p_value == 1.0
    assert power(rng, make) >= 0.85


def test_a_wave_around_the_diagonal_is_no_blind_spot(rng):
    """Truth p + 0.08 sin(4 pi p): too high here, too low there, right on the whole."""

    def make(rng):
        p = rng.random(1000)
        return pb.Predictions.from_arrays(rng.random(1000) < p + 0.08 * np.sin(4 * np.pi * p), p)

    assert power(rng, make, sets=60) >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / 60)


@pytest.mark.parametrize(
    ("truth", "word"),
    [
        (lambda p: 0.5 + 0.6 * (p - 0.5), "Overconfident"),
        (lambda p: p**1.6 / (p**1.6 + (1 - p) ** 1.6), "Underconfident"),
        (lambda p: np.minimum(p + 0.08, 1), "shares"),
    ],
)
def test_the_finding_names_the_direction(rng, truth, word):
    """Over- and underconfidence and a shift are told apart."""
    p = rng.random(4000)
    data = pb.Predictions.from_arrays(rng.random(4000) < truth(p), p)
    found = pb.calibration_test(data, resamples=199)
    assert found.p_value <= 0.05
    assert word in found.finding
    assert found.finding in found.verdict


def test_few_bad_rows_are_told_from_many_slightly_bad_ones(rng):
    """Confident rows that fail now and then: "a few rows, badly", with their number."""
    p = np.full(1000, 0.001)
    data = pb.Predictions.from_arrays(rng.random(1000) < 0.01, p)
    found = pb.calibration_test(data, resamples=199)
    count = int(data.actual.sum())
    assert f"in {count} rows something happened that had been given less than 1 %" in found.finding
    assert "true probabilities would have about 1" in found.finding


def test_it_takes_a_view_and_nothing_else():
    """Alternative, bins, distance, outcome and an exact null are refused with their remedy."""
    data = pb.Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6])
    for name, value in {
        "alternative": "greater", "bins": "equal-size:5", "distance": "log", "outcome": "class",
        "like": "thesis", "null": "exact",
    }.items():  # fmt: skip
        with pytest.raises(pb.ParameterError, match=f"`{name}`"):
            pb.calibration_test(data, **{name: value})
    assert pb.calibration_test(data, view="top-label", resamples=39).view == "top-label"
    with pytest.raises(pb.ParameterError, match="top-label"):
        pb.calibration_test(data, view="joint")


def test_a_lens_is_tested_as_a_table_of_its_own(rng):
    """The omnibus of a view is the omnibus of the two classes that the view sees."""
    prob = rng.dirichlet(np.ones(3), 50)
    data = pb.Predictions.from_arrays(drawn(rng, prob), prob, classes=range(3))
    here = pb.calibration_test(data, view="one-vs-rest:1", resamples=99)
    there = pb.calibration_test(data.one_vs_rest("1"), resamples=99)
    assert here.p_value == there.p_value
