"""Laws of what answers say of rows that belong together, of every public function."""

import inspect

import numpy as np
import pytest
from scipy.special import ndtri

import plumbline as pb
from laws import law
from plumbline.errors import InputError
from plumbline.predictions.rows_in_groups import PLAIN

# What is asked beside the table, of functions that need more; few draws and few methods.
ASKED = {
    "calibration_by": {"by": "place"},
    "calibration_heterogeneity": {"by": "place"},
    "calibration_test_by": {"by": "site"},
    "check": {
        "rules": [{"metric": "roc-auc", "at_least": 0.5}, {"metric": "log-loss", "at_most": 1}]
    },
    "conditional_bias": {"feature": "age"},
    "curve": {"preset": "roc", "band": "bootstrap"},
    "class_counts": {"by": "site"},
    "curve_difference": {"preset": "roc"},
    "measure": {"metrics": ["log-loss", "ece", "recall", "roc-auc"], "interval": True},
    "monitor": {"by": "place"},
    "plan": {"datasets": 30, "n": 400},
    "recalibration_advice": {"methods": ["temperature"]},
    "worst_slice": {"by": ["site"]},
    "bin_sensitivity": {"numbers": [3]},
}
# Those that give a number, a file or a map, and one whose rows are those of a learner.
NO_RESULT = {"cases_between", "estimate", "recalibrate", "save_curve"}
WITHOUT_DEPENDENCE = {"monitor"}  # whose evidence needs none
# Of fewer than five groups these give numbers without p-values, intervals and bands.
NUMBERS = {"check_input", "class_counts", "compare_presets", "confusion_matrix"}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Write the report where nothing else is."""
    monkeypatch.chdir(tmp_path)


def functions():
    """Yield the name of every public function that takes a table and gives more than a number."""
    for name in sorted(dir(pb)):
        function = getattr(pb, name)
        if inspect.isfunction(function):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            takes = "Predictions" in str(getattr(first, "annotation", ""))
            effect = name == "recalibration_effect"  # whose table is its second
            more = inspect.signature(function).return_annotation is not float
            if (takes or effect) and more and name not in NO_RESULT:
                yield name


FUNCTIONS = list(functions())


def table(count, rows=10, seed=0):
    """Return two sites of rows in so many groups, whose labels depend."""
    rng = np.random.default_rng(seed)
    code = np.repeat(np.arange(count), rows)
    p = rng.beta(2, 3, len(code))
    latent = 0.6 * rng.normal(size=count)[code] + 0.8 * rng.normal(size=len(code))
    more = {
        "site": np.where(np.arange(len(code)) % rows < rows // 2, "a", "b"),
        "place": (code * 3 // count).astype(str),
        "age": rng.normal(size=len(code)),
    }
    labels = (latent < ndtri(p)).astype(int)
    return pb.Predictions.from_arrays(labels, p, classes=[0, 1], groups=code, attributes=more)


def answer(name, data):
    """Return what a function says of a table, with few draws."""
    function, more = getattr(pb, name), dict(ASKED.get(name, {}))
    if "resamples" in inspect.signature(function).parameters:
        more["resamples"] = 199
    if name == "compare":
        other = pb.Predictions.from_arrays(
            data.actual,
            np.clip(data.prob[:, 1] + 0.1, 0, 1),
            classes=data.classes,
            groups=data.group_codes,
        )
        return function({"one": data, "other": other}, **more)
    if name == "curve_difference":
        both = [data.prob, data.prob[:, ::-1]]
        data = pb.Predictions.from_arrays(
            np.tile(data.actual, 2),
            np.concatenate(both),
            classes=data.classes,
            groups=np.tile(data.group_codes, 2),
            model=np.repeat(["one", "other"], data.n),
            row=np.tile(np.arange(data.n), 2),
        )
    if name == "recalibration_effect":
        return function("temperature", data, **more)
    return function(data, **more)


def said(result):
    """Return count, dependence, effective rows and reason in the plain values of an answer."""
    plain = result.to_dict()
    plain = plain.get("check", plain)  # of a report
    return plain.get("in_groups") or plain["groups"]


def test_every_function_that_takes_groups_is_tried():
    """A public function with an argument of its own for groups is here or named with its reason."""
    own = {
        name
        for name in dir(pb)
        if inspect.isfunction(getattr(pb, name))
        and "groups" in inspect.signature(getattr(pb, name)).parameters
    }
    assert own - {*FUNCTIONS, *NO_RESULT} == set()
    assert "compare" in FUNCTIONS
    assert {name for name in PLAIN if hasattr(pb, name)} >= {"class_counts", "check_input"}


def test_an_estimate_says_its_groups_and_why_no_correlation():
    """Its means over folds rest on no assumption about rows."""
    from sklearn.linear_model import LogisticRegression

    data = table(30)
    X = data.prob[:, 1:]
    result = pb.estimate(
        LogisticRegression(), X, data.actual, groups=data.group_codes, scheme="grouped:5"
    )
    assert said(result)["count"] == 30
    assert said(result)["reason"]
    assert "row_groups" in [one.key for one in result.present().details]


@law("name", FUNCTIONS, number=9)
def test_an_answer_says_groups_correlation_and_effective_rows(name):
    """In its plain values and its text; where the correlation is not known, why."""
    data = table(30)
    result = answer(name, data)
    found = said(result)
    assert found["count"] == 30
    if name in WITHOUT_DEPENDENCE:
        assert found["dependence"] is None
        assert found["reason"]
        assert found["statistic_n"] > 0
    else:
        assert 0 < found["dependence"] < 1
        assert 0 < found["effective_n"] < 300
    told = [one.text for one in result.present().details if one.label == "groups of rows"]
    assert "correlation" in told[0]
    assert "independent rows" in told[0]


@law("name", FUNCTIONS, number=5)
def test_an_answer_of_few_groups_is_approximate_or_refused(name):
    """Between 5 and 19 groups approximate, below 5 refused; plain numbers are neither."""
    if name in WITHOUT_DEPENDENCE:
        return
    if name != "calibration_heterogeneity":
        for count in (5, 19):
            codes = [note.code for note in answer(name, table(count)).present().notes]
            assert ("few-groups" in codes) == (name not in NUMBERS), count
    if name in NUMBERS:
        found = said(answer(name, table(4)))
        assert found["dependence"] is None
        assert found["reason"]
        return
    with pytest.raises(InputError) as refused:
        answer(name, table(4))
    assert refused.value.code.startswith("too-few-groups")
