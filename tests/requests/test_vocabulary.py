"""What formulas may name on a table, and whether one can be understood."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.curves import PRESETS
from plumbline.requests.formula_check import check_formula
from plumbline.requests.vocabulary import vocabulary


@pytest.fixture(scope="module")
def data():
    """Six rows with a number and a text whose name has a space."""
    attributes = {"age": [30, 40, 50, 60, 70, 80], "chest pain": np.array(list("abacab"))}
    prob = [0.1, 0.4, 0.35, 0.8, 0.7, 0.9]
    return pb.Predictions.from_arrays([0, 0, 1, 1, 0, 1], prob, attributes=attributes)


def test_attributes_stand_as_formulas_write_them_with_their_values(data):
    """Names with spaces have ticks, texts and classes their values."""
    words = {word["title"]: word for word in vocabulary(data)["variables"]}
    assert words["chest pain"]["name"] == "`chest pain`"
    assert words["chest pain"]["categories"] == ["a", "b", "c"]
    assert words["actualClass"]["categories"] == ["0", "1"]
    assert words["age"]["kind"] == "number"


def test_every_variable_function_and_preset_can_be_drawn(data):
    """Whatever is offered can be read."""
    words = vocabulary(data)
    for word in words["variables"]:
        if word["name"] == "targetClass":  # constant: an axis cannot show it
            continue
        check_formula(data, "x", word["name"])
    assert [preset["name"] for preset in words["presets"]] == list(PRESETS)
    assert {"cumm", "total", "sqrt"} <= {one["name"] for one in words["functions"]}


def test_an_error_is_that_of_the_curve(data):
    """It reads the same before and while a curve is drawn."""
    with pytest.raises(pb.FormulaError) as drawn:
        pb.curve(data, x="FPR", y="1 +")
    with pytest.raises(pb.FormulaError) as checked:
        check_formula(data, "y", "1 +")
    assert str(checked.value) == str(drawn.value)


def test_the_order_of_the_rows_counts(data):
    """A count needs sorted rows; a sum does not."""
    assert not check_formula(data, "y", "TP")
    with pytest.raises(pb.FormulaError, match="TP"):
        check_formula(data, "y", "TP", {"direction": "unsorted"})
    assert check_formula(data, "y", "cumm(age)", {"merge": "none"}) == []
