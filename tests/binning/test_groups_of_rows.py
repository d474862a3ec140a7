"""Rows by the values of their attributes: names, order, edges, and what has no group."""

import numpy as np
import pytest

import plumbline as pb
from plumbline.binning import Grouping, group_rows, grouping
from refusals import refused


def table(weight=None, **attributes):
    """Return rows with attributes."""
    n = len(next(iter(attributes.values())))
    held = {"weight": weight} if weight is not None else {}
    return pb.Predictions.from_arrays(
        np.arange(n) % 2, np.full(n, 0.5), attributes=attributes, **held
    )


def groups(data, by, cuts=None):
    """Return names and rows of the groups."""
    return {name: rows.tolist() for name, rows in group_rows(data, by, cuts=cuts)}


def test_categories_stand_in_the_order_of_people():
    """Numbers by their value, texts behind them, what is missing last, under its own name."""
    data = table(kind=["b", "10", None, "9", "a", "9"])
    found = groups(data, "kind")
    assert found == {"9": [3, 5], "10": [1], "a": [4], "b": [0], "missing": [2]}
    assert [*found] == ["9", "10", "a", "b", "missing"]
    assert not grouping(data, "kind").number


@pytest.mark.parametrize(
    "values",
    [
        [True, False, True],
        np.array([1, 0, 1]) == 1,
        np.array(["True", "False", "True"]),
        np.array([True, False, True], object),
    ],
)
def test_truths_are_categories(values):
    """They are no numbers, whatever holds them."""
    assert groups(table(seen=values), "seen") == {"False": [1], "True": [0, 2]}
    assert not grouping(table(seen=values), "seen").number


def test_a_number_of_few_values_has_a_group_for_each():
    """Ten of them are few; each group has its value as both bounds."""
    found = grouping(table(rooms=[3.0, 1.5, 3.0, np.nan]), "rooms")
    assert (found.names, found.code.tolist()) == (("1.5", "3", "missing"), [1, 0, 1, 2])
    assert found.bounds == ((1.5, 1.5), (3.0, 3.0))
    assert (found.number, found.cut) == (True, False)
    assert [grouping(table(x=np.arange(n) * 1.0), "x").cut for n in (10, 11)] == [False, True]


def test_a_number_without_a_value_is_missing():
    """It is one group, and a number still."""
    found = grouping(table(rooms=[np.nan, np.nan]), "rooms")
    assert (found.names, found.code.tolist(), found.number) == (("missing",), [0, 0], True)


def test_cuts_name_their_ranges():
    """Edges belong below; the first range holds its lower end, and own edges leave none out."""
    data = table(age=[18.0, 25, 40, 40.5, 90, np.nan])
    assert groups(data, "age", "edges:25,40") == {
        "<= 25": [0, 1],
        "(25, 40]": [2],
        "> 40": [3, 4],
        "missing": [5],
    }
    assert groups(data, "age", "equal-width:2") == {
        "[18, 54]": [0, 1, 2, 3],
        "(54, 90]": [4],
        "missing": [5],
    }
    assert groups(data, "age", "equal-size:2") == {
        "[18, 40]": [0, 1, 2],
        "(40, 90]": [3, 4],
        "missing": [5],
    }
    found = grouping(data, "age", cut="edges:25,40")
    assert found.bounds[:3] == ((None, 25.0), (25.0, 40.0), (40.0, None))


def test_edges_have_the_digits_that_tell_them_apart():
    """Four where they do, more where two edges would read the same."""
    data = table(x=[0.5, 1.00001, 1.00002, 2.0, 3.0])
    assert [*groups(data, "x", [1.00001, 1.00002])] == [
        "<= 1.00001",
        "(1.00001, 1.00002]",
        "> 1.00002",
    ]
    assert [*groups(data, "x", [1.23456, 2.5])] == ["<= 1.235", "(1.235, 2.5]", "> 2.5"]


def test_rows_without_weight_make_no_group():
    """Neither a category nor a range of theirs is there, and no edge moves."""
    data = table([1, 0, 1, 1], kind=["a", "b", "a", "c"])
    assert groups(data, "kind") == {"a": [0, 2], "c": [3]}
    assert grouping(data, "kind").code.tolist() == [0, -1, 0, 1]
    crossed = table([1, 0, 1, 1], kind=["a", "b", "a", "c"], size=["s", "s", "t", "t"])
    assert groups(crossed, "kind,size") == {
        "kind = a, size = s": [0],
        "kind = a, size = t": [2],
        "kind = c, size = t": [3],
    }


def test_labels_say_how_a_group_was_made():
    """A value, a range, neighbours of either, and what is missing."""
    whole = Grouping("rooms", ("1", "2", "3", "missing"), np.zeros(1, int), number=True, cut=False)
    assert [whole.label(0), whole.label(0, 2), whole.label(3)] == [
        "rooms = 1",
        "rooms = 1 to 3",
        "rooms missing",
    ]
    cut = Grouping("age", ("<= 18", "(18, 25]", "> 25"), np.zeros(1, int), number=True, cut=True)
    assert [cut.label(place) for place in range(3)] == ["age <= 18", "age in (18, 25]", "age > 25"]


@pytest.mark.parametrize(
    ("values", "cuts", "code"),
    [
        ([1.0, 2, np.inf], "equal-width:2", "no-finite-width"),
        ([1.0, 2, 3], [2, 2], "edges-not-increasing"),
        ([1.0, 2, 3], [3, 2], "edges-not-increasing"),
        ([1.0, 2, 3], [], "edges-not-increasing"),
        ([1.0, 2, 3], [1, np.nan], "edges-not-increasing"),
        ([1.0, 2, 3], "thirds", "unknown-cut"),
        ([1.0, 2, 3], 3, "unknown-cut"),
        ([1.0, 2, 3], ["a"], "no-number"),
    ],
)
def test_cuts_that_mean_nothing_are_refused(values, cuts, code):
    """Edges increase and are finite, and a rule has a name."""
    with refused(pb.ParameterError, code):
        group_rows(table(x=values), "x", cuts=cuts)


def test_an_attribute_of_means_has_no_groups(tmp_path):
    """A counted table with sums of a number does not know single values."""
    n = 400
    path = tmp_path / "t.parquet"
    rng = np.random.default_rng(0)
    pb.Predictions.from_arrays(
        np.arange(n) % 2, rng.random(n), attributes={"amount": rng.random(n)}
    ).write(path)
    data = pb.read(path, engine="counts", attributes=["amount"])
    with refused(pb.InputError, "attribute-averaged", "amount"):
        group_rows(data, "amount")
