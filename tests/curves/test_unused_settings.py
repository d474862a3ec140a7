"""Settings of a curve that change nothing are refused by the library, as by the command line."""

import inspect
import itertools
import json

import numpy as np
import pytest

import plumbline as pb
from laws import some
from plumbline.curves import curve_from_spec, curve_spec
from plumbline.curves.unused import OF_CALL, RULES
from plumbline.errors import ParameterError
from refusals import refused

# What is drawn, and settings with a value: alone, and each beside each other one.
DRAWN = (
    {"preset": "roc"},
    {"preset": "accuracy"},
    {"x": "z", "y": "eCA"},
    {"x": "g", "y": "eCA"},
    {"x": "z", "y": "cumm(eCA)"},
)
GIVEN = (
    {},
    {"sort_by": "z"},
    *({"direction": value} for value in ("ascending", "unsorted")),
    *({"merge": value} for value in ("average", "none")),
    *({"average": value} for value in ("none", "vertical", "threshold", "smooth")),
    {"points": 5},
    {"thresholds": 5},
    {"span": 0.3},
    {"band": "bootstrap", "resamples": 41},
    {"band": "folds"},
    {"level": 0.8},
    {"resamples": 57},
    {"where": "z > 0"},
    {"target": "0"},
    {"multiclass": "macro"},
    {"x_title": "X"},
    {"y_title": "Y"},
)
PAIRS = [
    (drawn, other, one)
    for drawn, other, one in itertools.product(DRAWN, GIVEN, GIVEN[1:])
    if other.keys() != one.keys()
]
# Used, and without effect as it is what happens anyway: averages of folds show their spread, and
# this spread is of the vertical one; smoothing takes each row by itself; of two classes, the mean
# takes one from above and one from below.
USUAL = [
    *(({"average": name}, {"band": "folds"}) for name in ("vertical", "threshold")),
    ({"band": "folds"}, {"average": "vertical"}),
    ({"average": "smooth"}, {"merge": "none"}),
    ({"multiclass": "macro"}, {"direction": "ascending"}),
]
# A category has means, however they are asked for, and no answer is right for one class alone.
MEANS = [{"merge": "average"}, {"merge": "none"}, {"average": "smooth"}]


def is_usual(drawn, other, one):
    """Tell whether a setting is what happens anyway."""
    of_category = drawn.get("x") == "g" and one in MEANS
    of_no_class = one == {"target": "0"} and "eCA" in drawn.get("y", "")
    return (other, one) in USUAL or of_category or of_no_class


@pytest.fixture(scope="module")
def data():
    """Return sixty rows in four folds with many ties, a group and a number."""
    rng, n = np.random.default_rng(1), 60
    prob = rng.uniform(0.05, 0.95, size=n).round(1)
    more = {"g": rng.choice(["a", "b"], n), "z": rng.normal(size=n).round()}
    labels = (rng.random(n) < prob).astype(int)
    return pb.Predictions.from_arrays(labels, prob, fold=np.arange(n) % 4, attributes=more)


@pytest.fixture(scope="module")
def two(data):
    """Return the rows of `data` twice, of two models."""
    prob = np.concatenate([data.prob[:, 1], np.roll(data.prob[:, 1], 1)])
    both = {"model": np.repeat(["a", "b"], data.n), "row": np.tile(np.arange(data.n), 2)}
    more = {name: np.tile(values, 2) for name, values in data.attributes.items()}
    return pb.Predictions.from_arrays(np.tile(data.actual, 2), prob, **both, attributes=more)


def asking(function, data):
    """Return what tells what is drawn with some settings, each asked once; None if refused."""
    known = {}

    def ask(given):
        key = repr(sorted(given.items()))
        if key not in known:
            try:
                drawn = function(data, **given).to_dict()
            except pb.PlumblineError:
                known[key] = None
            else:
                drawn.pop("settings", None)
                known[key] = json.dumps(drawn, sort_keys=True, default=str)
        return known[key]

    return ask


@pytest.mark.laws
def test_every_setting_changes_the_curve_or_is_refused(data):
    """Alone and beside each other one."""
    ask, silent, refusals = asking(pb.curve, data), [], 0
    for drawn, other, one in some(PAIRS, 45):
        without, together = ask({**drawn, **other}), ask({**drawn, **other, **one})
        refusals += together is None
        if without is not None and together == without and not is_usual(drawn, other, one):
            silent.append((drawn, other, one))
    assert silent == []
    assert refusals > 10


@pytest.mark.laws
def test_every_setting_changes_the_difference_or_is_refused(two):
    """The same of the difference of two models, which has its own band."""
    parameters = inspect.signature(pb.curve_difference).parameters
    pairs = [case for case in PAIRS if all(name in parameters for one in case for name in one)]
    ask, silent = asking(pb.curve_difference, two), []
    for drawn, other, one in some(pairs, 20):
        short = {"resamples": 21} if "resamples" not in {**other, **one} else {}
        without = ask({**drawn, **short, **other})
        together = ask({**drawn, **short, **other, **one})
        if without is not None and together == without and not is_usual(drawn, other, one):
            silent.append((drawn, other, one))
    assert silent == []


@pytest.mark.parametrize("name", RULES)
def test_a_refusal_names_the_setting_of_the_library(data, name):
    """With the code of the command line, whether a call, a card or a difference is asked."""
    cases = {
        "points": {"points": 5},
        "thresholds": {"thresholds": 5},
        "span": {"span": 0.3},
        "band": {"band": "bootstrap", "x": "g", "y": "eCA"},
        "level": {"level": 0.8, "x": "z", "y": "cumm(eCA)"},
        "resamples": {"resamples": 57},
        "sort_by": {"sort_by": "z", "x": "z", "y": "eCA", "average": "smooth"},
        "direction": {"direction": "ascending", "x": "z", "y": "eCA", "average": "smooth"},
        "merge": {"merge": "none", "x": "z", "y": "eCA", "direction": "unsorted"},
    }
    given = cases[name] if "x" in cases[name] else {"preset": "roc", **cases[name]}
    with refused(ParameterError, "argument-needs-another", f"`{name}`") as caught:
        pb.curve(data, **given)
    assert caught.value.argument == name


def test_settings_over_a_card_are_refused_where_they_change_nothing(data):
    """A card keeps what it holds."""
    card = curve_spec(pb.curve(data, "roc", average="vertical", points=7), data)
    assert len(curve_from_spec(card, data, points=5).lines[0]) == 5
    with refused(ParameterError, "argument-needs-another", "`span`"):
        curve_from_spec(card, data, span=0.3)


def test_the_usual_values_are_those_of_the_signature():
    """A value that a call takes by itself is none that was given."""
    parameters = inspect.signature(pb.curve).parameters
    usual = {
        name: parameter.default
        for name, parameter in parameters.items()
        if name in RULES and parameter.default is not None
    }
    assert usual == OF_CALL
