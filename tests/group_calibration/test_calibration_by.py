"""Several tests at once: members, adjusted p-values, progress, and what is refused."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import plumbline as pb
from plumbline.calibration_errors import adjusted_p_values
from plumbline.group_calibration import calibration_test_by

ARGUMENTS = {"statistic": "brier-score", "null": "resample", "resamples": 199}


def table(rng, n=300, **columns):
    """Return a calibrated table of three classes."""
    prob = rng.dirichlet(np.ones(3), n)
    y = (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, 2)
    return pb.Predictions.from_arrays(y, prob, classes=range(3), **columns)


def test_classes_are_their_one_vs_rest_tests(rng):
    """Every member is the test of its class, with the same seed."""
    data = table(rng)
    result = calibration_test_by(data, by="class", **ARGUMENTS)
    assert [row["name"] for row in result.rows()] == ["0", "1", "2"]
    for row in result.rows():
        alone = pb.calibration_test(data, view=f"one-vs-rest:{row['name']}", **ARGUMENTS)
        assert (row["value"], row["p_value"], row["n"]) == (alone.value, alone.p_value, 300)
        assert result.tests[row["name"]].verdict == row["verdict"] == alone.verdict


def test_groups_of_an_attribute_are_tested_apart():
    """The rows of each distinct value are a member; the wrong group is found."""
    rng = np.random.default_rng(2)
    site = np.array(["north", "south"]).repeat(150)
    prob = rng.dirichlet(np.ones(3), 300)
    y = (prob.cumsum(axis=1) < rng.random((300, 1))).sum(axis=1).clip(0, 2)
    y[150:] = rng.integers(0, 3, 150)
    data = pb.Predictions.from_arrays(y, prob, attributes={"site": site})
    result = calibration_test_by(data, by="site", **ARGUMENTS)
    assert [(row["name"], row["n"]) for row in result.rows()] == [("north", 150), ("south", 150)]
    south = pb.calibration_test(data.select(where=site == "south"), **ARGUMENTS)
    assert result.rows()[1]["p_value"] == south.p_value
    assert result.rejected == ["south"]
    assert "'south'" in result.verdict
    assert "'north'" not in result.verdict
    frame = result.to_frame("pandas")
    assert frame["adjusted_p_value"].tolist() == pytest.approx(
        adjusted_p_values([row["p_value"] for row in result.rows()], "holm")
    )
    assert set(result.to_dict()) == {"by", "adjust", "members", "rejected", "verdict"}


def test_a_number_is_cut_into_groups_that_are_tested(rng):
    """Four groups of equal size where nothing else is said, else the edges of the user's own."""
    age = rng.permutation(np.arange(18, 78).repeat(5))
    data = table(rng, attributes={"age": age})
    result = calibration_test_by(data, by="age", **ARGUMENTS)
    names = [(row["name"], row["n"]) for row in result.rows()]
    assert names == [("[18, 32]", 75), ("(32, 47]", 75), ("(47, 62]", 75), ("(62, 77]", 75)]
    own = calibration_test_by(data, by="age", cuts=[40], **ARGUMENTS)
    assert [(row["name"], row["n"]) for row in own.rows()] == [("<= 40", 115), ("> 40", 185)]
    old = pb.calibration_test(data.select(where=age > 40), **ARGUMENTS)
    assert own.tests["> 40"].p_value == old.p_value


def test_models_are_tested_apart(rng):
    """A stacked table has one member a model."""
    one = table(rng, 50)
    y, prob = np.tile(one.actual, 2), np.vstack([one.prob, one.prob[:, ::-1]])
    names = np.array(["m1", "m2"]).repeat(50)
    data = pb.Predictions.from_arrays(y, prob, model=names, row=np.tile(np.arange(50), 2))
    result = calibration_test_by(data, adjust=None, **ARGUMENTS)
    for name, row in zip(("m1", "m2"), result.rows(), strict=True):
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
    calls = []
    calibration_test_by(
        table(rng, 30),
        by="class",
        progress=lambda done, total: calls.append(done / total),
        **ARGUMENTS,
    )
    assert calls == sorted(calls)
    assert calls[-1] == 1.0


def test_adjusted_as_statsmodels_does(rng):
    """Both adjustments, with ties, ones and a family of one."""
    for m in (1, 2, 9, 40):
        p = rng.integers(1, 30, m) / 29
        for adjust, name in (("holm", "holm"), ("benjamini-hochberg", "fdr_bh")):
            wanted = multipletests(p, method=name)[1]
            np.testing.assert_allclose(adjusted_p_values(p, adjust), wanted, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, pb.InputError, "several models"),
        ({"by": "sit"}, pb.ParameterError, "Did you mean 'site'"),
        ({"by": "many"}, pb.InputError, "60 groups"),
        (
            {"by": "class", "cuts": "equal-size:4"},
            pb.ParameterError,
            "`cuts` needs an attribute",
        ),
        ({"by": "site", "cuts": "equal-size:4"}, pb.ParameterError, "holds categories"),
        ({"by": "constant"}, pb.InputError, "one value"),
        ({"by": "class", "view": "top-label"}, pb.ParameterError, "each class in turn"),
        ({"by": "class", "adjust": "bonferoni"}, pb.ParameterError, "`adjust` must be one of"),
        ({"by": "class", "statistic": "brier"}, pb.ParameterError, "`statistic` must be one of"),
    ],
)
def test_bad_arguments(rng, arguments, error, words):
    """Each names the argument and the rule."""
    attributes = {
        "site": ["n", "s"] * 30,
        "many": [f"site {i}" for i in range(60)],
        "constant": ["x"] * 60,
    }
    with pytest.raises(error, match=words):
        calibration_test_by(table(rng, 60, attributes=attributes), **arguments)
