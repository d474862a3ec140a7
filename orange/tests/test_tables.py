import datetime as dt

import numpy as np
import pandas as pd
import pytest
from Orange.data import Table
from Orange.evaluation import Results

import plumbline as pb
import plumbline_orange.tables as tables

ROWS = [
    {"model": "tree", "x": 0.1, "n": 3, "threshold": np.inf, "ok": True, "day": None},
    {"model": None, "x": None, "n": 4, "threshold": 0.5, "day": dt.date(2024, 1, 31)},
]


def data(**more):
    return pb.Predictions.from_arrays(
        ["no", "yes", "yes"], [0.2, 0.7, 0.6], classes=["no", "yes"], **more
    )


def test_a_result_becomes_a_table_with_the_kinds_of_its_columns():
    table = tables.to_table(ROWS, "points")
    assert table.name == "points"
    assert [(v.name, type(v).__name__) for v in table.domain.attributes] == [
        ("model", "DiscreteVariable"),
        ("x", "ContinuousVariable"),
        ("n", "ContinuousVariable"),
        ("threshold", "ContinuousVariable"),
        ("ok", "DiscreteVariable"),
        ("day", "TimeVariable"),
    ]
    assert [str(table[0][v]) for v in table.domain.attributes] == [
        "tree",
        "0.1",
        "3",
        "?",
        "yes",
        "?",
    ]
    assert [str(table[1][v]) for v in table.domain.attributes] == [
        "?",
        "?",
        "4",
        "0.5",
        "?",
        "2024-01-31",
    ]


@pytest.mark.parametrize("backend", ["pyarrow", "pandas"])
def test_a_frame_becomes_the_same_numbers(backend):
    curve = pb.curve(data(), preset="roc")
    table = tables.to_table(curve.to_frame(backend), "curve")
    assert table.get_column("x").tolist() == [row["x"] for row in curve.rows()]


def test_many_texts_are_metas_few_are_categories():
    frame = pd.DataFrame(
        {"id": [f"a{i}" for i in range(30)], "fold": [str(i % 12) for i in range(30)]}
    )
    table = tables.to_table(frame, "t")
    assert [v.name for v in table.domain.metas] == ["id"]
    assert table.domain["fold"].values == tuple(map(str, range(12)))
    assert str(table[3]["id"]) == "a3"


def test_a_table_without_rows_has_no_columns():
    assert len(tables.to_table([], "t")) == 0


def test_predictions_become_a_plain_table():
    given = data(
        model=["a", "a", "b"], fold=[1, 2, 1], row=[5, 6, 5], attributes={"age": [1, 2, 3]}
    )
    table = tables.predictions_table(given)
    assert table.domain.class_var.name == "actual"
    assert table.domain.class_var.values == ("no", "yes")
    assert [v.name for v in table.domain.attributes] == ["age"]
    names = ["predicted", "p:no", "p:yes", "model", "fold", "row"]
    assert [v.name for v in table.domain.metas] == names
    assert [str(table[2][n]) for n in ("actual", *names)] == [
        "yes", "yes", "0.4", "0.6", "b", "1", "5",
    ]  # fmt: skip


def test_chosen_rows_come_once_in_the_order_of_the_data():
    iris = Table("iris")
    results = Results(data=iris, row_indices=np.array([7, 3, 3]), actual=np.zeros(3))
    for source in (results, iris):
        chosen = tables.selected_rows(source, [7, 3, 3])
        assert chosen.ids.tolist() == iris.ids[[3, 7]].tolist()
        assert tables.selected_rows(source, []) is None
    assert tables.selected_rows(Results(domain=iris.domain, actual=np.zeros(3)), [1]) is None
    assert tables.selected_rows(None, [1]) is None
