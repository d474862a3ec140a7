"""Several tests at once: members, adjusted p-values, progress, and what is refused."""

import sys

import numpy as np
import pytest

import plumbline as pb
from plumbline.significance.families import adjusted_p_values, calibration_tests

ARGUMENTS = {"statistic": "brier-score", "null": "resample", "resamples": 199}


def table(rng, n=300, **columns):
    """Return a calibrated table of three classes."""
    prob = rng.dirichlet(np.ones(3), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, 2)
    return pb.Predictions.from_arrays(y, prob, classes=range(3), **columns)


def test_classes_are_their_one_vs_rest_tests(rng):
    """Every member is the test of its class, with the same seed."""
    data = table(rng)
    found = calibration_tests(data, by="class", **ARGUMENTS)
    assert [row["name"] for row in found.rows()] == ["0", "1", "2"]
    for row in found.rows():
        alone = pb.calibration_test(data, view=f"one-vs-rest:{row['name']}", **ARGUMENTS)
        assert (row["value"], row["p_value"], row["n"]) == (alone.value, alone.p_value, 300)
        assert found.tests[row["name"]].verdict == row["verdict"] == alone.verdict


def test_groups_of_an_attribute_are_tested_apart():
    """The rows of each distinct value are a member; the wrong group is found."""
    rng = np.random.default_rng(2)
    site = np.array(["north", "south"]).repeat(150)
    prob = rng.dirichlet(np.ones(3), 300)
    y = (prob.cumsum(axis=1) < rng.random((300, 1))).sum(axis=1).clip(0, 2)
    y[150:] = rng.integers(0, 3, 150)
    data = pb.Predictions.from_arrays(y, prob, attributes={"site": site})
    found = calibration_tests(data, by="site", **ARGUMENTS)
    assert [(row["name"], row["n"]) for row in found.rows()] == [("north", 150), ("south", 150)]
    south = pb.calibration_test(data.select(where=site == "south"), **ARGUMENTS)
    assert found.rows()[1]["p_value"] == south.p_value
    assert found.rejected == ["south"]
    assert "1 of 2 groups rejected at 0.05: group of 'site' 'south'" in found.verdict
    frame = found.to_frame("pandas")
    assert frame["adjusted_p_value"].tolist() == pytest.approx(
        adjusted_p_values([row["p_value"] for row in found.rows()], "holm")
    )
    assert set(found.to_dict()) == {"by", "adjust", "members", "rejected", "verdict"}


def test_models_are_tested_apart(rng):
    """A stacked table has one member a model."""
    one = table(rng, 50)
    y, prob = np.tile(one.actual, 2), np.vstack([one.prob, one.prob[:, ::-1]])
    names = np.array(["m1", "m2"]).repeat(50)
    data = pb.Predictions.from_arrays(y, prob, model=names, row=np.tile(np.arange(50), 2))
    found = calibration_tests(data, adjust=None, **ARGUMENTS)
    for name, row in zip(("m1", "m2"), found.rows(), strict=True):
        alone = pb.calibration_test(data.select(model=name), **ARGUMENTS)
        assert (row["name"], row["p_value"]) == (name, alone.p_value)
        assert row["adjusted_p_value"] == row["p_value"]


def test_adjusted_by_hand():
    """Holm: largest so far of (m - j) p_j; Benjamini-Hochberg: smallest from above of m p_j / j."""
    p = [0.01, 0.04, 0.03, 0.5]
    assert adjusted_p_values(p, "holm") == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert adjusted_p_values(p, "benjamini-hochberg") == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )
    assert adjusted_p_values(p, None) == p


def test_progress_runs_over_all_members(rng):
    """It never falls, and ends at the whole."""
    seen = []
    calibration_tests(
        table(rng, 30), by="class", progress=lambda done, total: seen.append(done / total),
        **ARGUMENTS,
    )  # fmt: skip
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_without_statsmodels_the_error_says_what_to_install(rng, monkeypatch):
    """Only an adjustment needs it."""
    monkeypatch.setitem(sys.modules, "statsmodels.stats.multitest", None)
    data = table(rng, 30)
    assert calibration_tests(data, by="class", adjust=None, **ARGUMENTS).rows()
    with pytest.raises(pb.MissingExtraError, match=r"plumbline\[stats\]"):
        calibration_tests(data, by="class", **ARGUMENTS)


@pytest.mark.parametrize(("arguments", "error", "words"), [
    ({}, pb.InputError, "several models"),
    ({"by": "sit"}, pb.ParameterError, "did you mean 'site'"),
    ({"by": "number"}, pb.InputError, "60 distinct values"),
    ({"by": "constant"}, pb.InputError, "one value"),
    ({"by": "class", "view": "top-label"}, pb.ParameterError, "each class in turn"),
    ({"by": "class", "adjust": "bonferoni"}, pb.ParameterError, "`adjust` must be one of"),
    ({"by": "class", "statistic": "brier"}, pb.ParameterError, "`statistic` must be one of"),
])  # fmt: skip
def test_bad_arguments(rng, arguments, error, words):
    """Each names the argument and the rule."""
    attributes = {"site": ["n", "s"] * 30, "number": np.arange(60), "constant": ["x"] * 60}
    with pytest.raises(error, match=words):
        calibration_tests(table(rng, 60, attributes=attributes), **arguments)
