"""What neighbouring programs write, recognised by its content."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.predictions.files import read_files
from refusals import read_or_refused


def stream(value: Any, *, lines: bool = False) -> io.BytesIO:
    """Return a value as JSON, or its items as JSON lines."""
    text = "".join(json.dumps(row) + "\n" for row in value) if lines else json.dumps(value)
    return io.BytesIO(text.encode())


def log(**changes: Any) -> dict[str, Any]:
    """Return a log of Inspect AI with two samples in two epochs."""
    samples = [
        {
            "id": name,
            "epoch": epoch,
            "input": "question",
            "target": "A",
            "messages": [{"role": "user", "content": "question"}],
            "scores": {
                "match": {"value": value, "answer": "A", "metadata": {"confidence": confidence}}
            },
        }
        for epoch in (1, 2)
        for name, value, confidence in (("q1", "C", 0.75), ("q2", "I", 0.5))
    ]
    about = {"task": "arc", "model": "maker/model", "created": "2026-11-27"}
    return {"version": 2, "status": "success", "eval": about, "samples": samples} | changes


SAMPLES = [
    {
        "doc_id": number,
        "doc": {"question": "?", "choices": ["a", "b"]},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": "?", "arg_1": " a"}},
        "resps": [[["-1.0", "True"]], [["-1.0", "False"]]],
        "filtered_resps": [[first, "True"], ["-1.0", "False"]],
        "acc": 1.0,
    }
    for number, target, first in ((0, 0, "-1.0"), (1, "1", -2.0))
]


def test_a_log_of_inspect_is_a_table_of_right_and_wrong():
    """With its own names: ids, epochs, the model, and the confidence where one is written."""
    read = read_files(stream(log()))
    assert read.parts[0].form == "Inspect AI log"
    assert read.table.column("row").to_pylist() == ["q1", "q2"] * 2
    assert read.table.column("repeat").to_pylist() == [1, 1, 2, 2]
    data = pb.read(stream(log()))
    assert (data.models, data.classes) == (("maker/model",), ("wrong", "right"))
    assert data.prob[:, 1].tolist() == [0.75, 0.5] * 2


def test_samples_of_the_harness_are_probabilities_of_the_choices():
    """Their likelihoods divided by the sum, also where numbers are written as texts."""
    read = read_files(stream(SAMPLES, lines=True))
    assert read.parts[0].form == "lm-evaluation-harness samples"
    data = pb.read(stream(SAMPLES, lines=True))
    assert data.actual.tolist() == [0, 1]
    assert data.prob[:, 1] == pytest.approx([0.5, 1 / (1 + 2.718281828459045**-1)])


def test_samples_without_choices_are_a_plain_table():
    """As those of a task that generates texts."""
    rows = [row | {"filtered_resps": ["text"], "target": 0} for row in SAMPLES]
    assert read_files(stream(rows, lines=True)).parts[0].form is None


PARTS = st.sampled_from(["id", "epoch", "scores", "samples", "eval", "target", "filtered_resps"])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PARTS, inner, max_size=3),
    max_leaves=8,
)


@given(part=PARTS, value=ODD, place=st.integers(0, 1))
def test_a_form_with_any_other_part_is_read_or_refused(part, value, place):
    """In one sentence."""
    whole = log()
    whole["samples"][place] |= {part: value}
    rows = [dict(row) for row in SAMPLES]
    rows[place] |= {part: value}
    for given_stream in (
        stream(whole),
        stream(log(**{part: value})),
        stream(rows, lines=True),
    ):
        read_or_refused(lambda given_stream=given_stream: read_files(given_stream))
