"""n is the number of examples, on every surface, however many models predicted them."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.cli.prediction_file import heading
from plumbline.predictions import count_examples
from plumbline.reporting import save_curve
from plumbline.workbench import TableQuestions

MODELS, EXAMPLES, EVENTS = 3, 63, 21


def stacked(*, row=False, weight=False, repeats=1):
    """Return a table in which three models predicted the same 63 examples, site by site."""
    rng = np.random.default_rng(3)
    one = {
        "y_true": np.repeat([0, 1], [EXAMPLES - EVENTS, EVENTS]),
        "site": np.array(["A13", "B7", "C2"])[np.arange(EXAMPLES) % 3],
        "weight": rng.integers(1, 4, EXAMPLES).astype(float),
        "row": np.arange(EXAMPLES) + 100,
    }
    times = MODELS * repeats
    every = {name: np.tile(values, times) for name, values in one.items()}
    return pb.Predictions.from_arrays(
        every["y_true"],
        rng.random(EXAMPLES * times),
        model=np.repeat(["a", "b", "c"], EXAMPLES * repeats),
        repeat=np.tile(np.repeat(np.arange(repeats), EXAMPLES), MODELS) if repeats > 1 else None,
        row=every["row"] if row else None,
        weight=every["weight"] if weight else None,
        attributes={"site": every["site"]},
    )


@pytest.mark.parametrize("row", [False, True])
@pytest.mark.parametrize("weight", [False, True])
def test_examples_are_counted_once(row, weight):
    """By their `row`, or by the order of each model's rows; weights too count once."""
    data = stacked(row=row, weight=weight)
    counts = count_examples(data)
    one = data.select(model="a")
    assert (counts.n, counts.rows, counts.unit) == (EXAMPLES, data.n, "example")
    assert counts.by_class.tolist() == [EXAMPLES - EVENTS, EVENTS]
    assert counts.effective_n == pytest.approx(one.effective_n)
    assert count_examples(one).unit == "row"


def test_repeats_count_once_where_rows_tell():
    """Without `row` nothing says that a repeat predicted the same examples again."""
    assert count_examples(stacked(repeats=2, row=True)).n == EXAMPLES
    assert count_examples(stacked(repeats=2)).n == 2 * EXAMPLES


def test_models_of_different_examples():
    """Five examples, each model knows some of them, and an example that two know weighs once."""
    data = pb.Predictions.from_arrays(
        [0, 1, 1, 1, 0, 0], [0.5] * 6, model=list("aaabbb"), row=[1, 2, 3, 3, 4, 5]
    )
    counts = count_examples(data)
    assert (counts.n, counts.by_class.tolist(), counts.effective_n) == (5, [3, 2], 5)


@given(st.integers(1, 5), st.integers(2, 30), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_names_of_models_do_not_matter(models, examples, random):
    """A shuffled table holds as many examples."""
    rows = [(f"m{j}", i) for j in range(models) for i in range(examples)]
    random.shuffle(rows)
    data = pb.Predictions.from_arrays(
        [i % 2 for _, i in rows],
        [0.5] * len(rows),
        classes=[0, 1],
        model=[name for name, _ in rows],
        row=[i for _, i in rows],
    )
    for table in (data, dataclasses.replace(data, row=None)):
        counts = count_examples(table)
        assert (counts.n, counts.effective_n) == (examples, pytest.approx(examples))
        assert counts.by_class.tolist() == [(examples + 1) // 2, examples // 2]


def test_every_surface_counts_examples(tmp_path):
    """Command line, input check, its JSON, pages, and every panel of the workbench."""
    data, path = stacked(), tmp_path / "three.csv"
    data.write(path)
    line = heading(path, data)
    assert line.startswith("three.csv: ")
    assert ": 63 examples, 2 classes," in line
    assert line.endswith(", 3 models")
    check = json.loads(json.dumps(pb.check_input(data).to_dict()))
    assert (check["n"], check["table_rows"]) == (EXAMPLES, data.n)
    save_curve(pb.curve(data, "roc"), tmp_path / "curve.html", data=data)
    text = (tmp_path / "curve.html").read_text("utf-8")
    assert ">63 examples · 2 classes" in text
    assert "189" not in text.split("<main>")[0]
    questions = TableQuestions(data)
    about, rows = questions.answer({"kind": "about"}), questions.answer({"kind": "rows"})
    assert (about["n"], about["rows"]) == (EXAMPLES, data.n)
    assert [one["n"] for one in about["classes"]] == [EXAMPLES - EVENTS, EVENTS]
    assert (rows["table"], rows["kept"], rows["positives"]) == (EXAMPLES, EXAMPLES, EVENTS)
    assert questions.answer({"kind": "fingerprint"})["n"] == EXAMPLES
    curve = {"preset": "roc"}
    groups = questions.answer({"kind": "subgroups", "by": "site", "curve": curve})["groups"]
    assert {group["name"]: group["n"] for group in groups} == {"A13": 21, "B7": 21, "C2": 21}
    filtered = questions.answer({"kind": "rows", "data": {"where": "site == 'A13'"}})
    assert (filtered["table"], filtered["kept"], filtered["rows"]) == (63, 21, 63)
    board = {"kind": "board", "pins": []}
    page = questions.answer({"kind": "export", "what": board, "format": "html", "title": "Board"})
    assert b"63 examples" in bytes(page["bytes"])
