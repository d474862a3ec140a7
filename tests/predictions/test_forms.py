"""What neighbouring programs write, recognised by its content."""

import io
import json
import math
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.errors import InputError
from plumbline.predictions.files import read_files
from refusals import read_or_refused, refused, warned


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


def archive(value: dict[str, Any], header: str = "header.json") -> io.BytesIO:
    """Return a log as Inspect packs it: what it is about, and a file a sample."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr("_journal/start.json", json.dumps({"eval": value["eval"]}))
        for one in reversed(value["samples"]):
            whole.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        about = {name: part for name, part in value.items() if name != "samples"}
        whole.writestr(header, json.dumps(about))
    return io.BytesIO(packed.getvalue())


def test_a_packed_log_is_the_log(tmp_path):
    """An archive of JSON files, from a stream or a file; also one that was not finished."""
    whole = pb.read(stream(log()))
    for header in ("header.json", "summaries.json"):
        (tmp_path / "log.eval").write_bytes(archive(log(), header).getvalue())
        data = pb.read(tmp_path / "log.eval")
        assert data.reading.program == "Inspect AI log"
        assert "Inspect AI log" in str(data.reading)
        order = [[*zip(data.row, data.repeat.codes, strict=True)].index(key)
                 for key in zip(whole.row, whole.repeat.codes, strict=True)]  # fmt: skip
        assert data.prob[order].tolist() == whole.prob.tolist()
        assert data.actual[order].tolist() == whole.actual.tolist()
    assert pb.read(archive(log())).n == 4
    for content in (
        b"PK\x03\x04",
        archive(log()).getvalue()[:90],
        archive(log(samples=[])).getvalue(),
    ):
        (tmp_path / "log.eval").write_bytes(content)
        with pytest.raises(InputError):
            pb.read(tmp_path / "log.eval")


def chat(answer: str, options: dict[str, float], **beside: Any) -> dict[str, Any]:
    """Return a response of a chat whose first token has these probabilities."""
    tops = [{"token": name, "logprob": math.log(p)} for name, p in options.items()]
    first = {"token": answer, "logprob": math.log(options[answer]), "top_logprobs": tops}
    message = {"role": "assistant", "content": answer}
    choices = [{"index": 0, "message": message, "logprobs": {"content": [first]}}]
    return {"id": "c1", "object": "chat.completion", "model": "m", "choices": choices} | beside


def batch(number: int, body: dict[str, Any], **beside: Any) -> dict[str, Any]:
    """Return the line of a batch that holds a response."""
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {
        "id": f"b{number}",
        "custom_id": f"q{number}",
        "response": response,
        "error": None,
    } | beside


TOKENS = [("A", {"A": 0.6, " A": 0.1, "B": 0.2, "x": 0.1}, "A"), (" B", {" B": 0.4, "A": 0.4}, "A"),
          ("B", {"B": 0.9, "the": 0.1}, "B")]  # fmt: skip
SHARES = [7 / 9, 0.5, 0.0]  # of A among A and B


def completion(text: str, options: dict[str, float], **beside: Any) -> dict[str, Any]:
    """Return a response in the older form of completions."""
    logs = {"tokens": [text], "token_logprobs": [math.log(options[text])]}
    logs["top_logprobs"] = [{name: math.log(p) for name, p in options.items()}]
    return {"id": "c1", "model": "m", "choices": [{"text": text, "logprobs": logs}]} | beside


@pytest.mark.parametrize(
    "line",
    [
        lambda n, answer, options, truth: batch(n, chat(answer, options), target=truth),
        lambda n, answer, options, truth: batch(n, chat(answer, options), metadata={"gold": truth}),
        lambda n, answer, options, truth: chat(answer, options, id=f"q{n}", label=truth),
        lambda n, answer, options, truth: completion(
            answer, options, custom_id=f"q{n}", answer=truth
        ),
    ],
)
def test_log_probabilities_of_tokens_are_probabilities_of_the_answers(line):
    """Of a batch, of single responses and of completions: divided by their sum over the answers."""
    rows = [line(n, *one) for n, one in enumerate(TOKENS)]
    data = pb.read(stream(rows, lines=True))
    assert data.reading.program == "responses with log-probabilities"
    assert (data.classes, data.row.tolist(), data.models) == (
        ("A", "B"),
        ["q0", "q1", "q2"],
        ("m",),
    )
    assert data.prob[:, 0] == pytest.approx(SHARES)
    assert [data.classes[code] for code in data.actual] == ["A", "A", "B"]
    assert pb.log_loss(data) == pytest.approx(-np.log([7 / 9, 0.5, 1.0]).mean())


def test_answers_of_several_tokens_are_right_or_wrong():
    """The confidence is the probability of the whole answer."""
    rows = []
    for number, (text, truth) in enumerate([("New York", "New York"), ("New Delhi", "Delhi")]):
        tokens = [(word, math.log(0.5 + 0.1 * number)) for word in text.split(" ")]
        content = [{"token": f" {w}", "logprob": p, "top_logprobs": []} for w, p in tokens]
        body = {"choices": [{"logprobs": {"content": content}}], "model": "m"}
        rows.append(batch(number, body, target=truth))
    data = pb.read(stream(rows, lines=True))
    assert data.classes == ("wrong", "right")
    assert data.prob[:, 1] == pytest.approx([0.25, 0.36])
    assert data.actual.tolist() == [1, 0]


def test_responses_without_the_truth_take_it_from_a_second_table():
    """By the ID of the request."""
    rows = [batch(n, chat(answer, options)) for n, (answer, options, _) in enumerate(TOKENS)]
    labels = pa.table({"custom_id": ["q2", "q0", "q1"], "gold": ["B", "A", "A"]})
    data = pb.read(stream(rows, lines=True), labels=labels, row={"row": "custom_id"})
    assert data.prob[:, 0] == pytest.approx(SHARES)
    assert [data.classes[code] for code in data.actual] == ["A", "A", "B"]


LOSS = [0.75, 0.5, 0.75, 0.25]  # probability of what was observed


def arrays(**named: Any) -> io.BytesIO:
    """Return arrays as NumPy packs them."""
    packed = io.BytesIO()
    np.savez(packed, **named)
    return io.BytesIO(packed.getvalue())


def test_arrays_of_numpy_are_columns():
    """One a column, a matrix a list a row or a column a class, bytes as texts."""
    rng = np.random.default_rng(1)
    prob = rng.dirichlet([1, 1, 1], 20)
    y = np.arange(20) % 3
    names = np.array(["cat", "dog", "fox"])
    two = pb.read(arrays(y_true=y > 0, y_prob=prob[:, 0], site=np.array([b"a", b"b"] * 10)))
    assert (two.n, two.prob[:, 1].tolist()) == (20, prob[:, 0].tolist())
    assert two.attributes["site"].tolist() == ["a", "b"] * 10
    assert two.reading.form == "NumPy arrays"
    for named in (
        {"y_true": y, "y_prob": prob},
        {"y_test": names[y], "proba": prob, "classes": names},
        {"labels": y, "predict_proba": prob},
    ):
        data = pb.read(arrays(**named))
        np.testing.assert_allclose(data.prob, prob)
        np.testing.assert_array_equal(data.actual, y)
    with warned("columns-not-read", "history"):
        assert pb.read(arrays(y_true=y > 0, y_prob=prob[:, 0], history=np.zeros(3))).n == 20
    for bad in ({"y_true": np.array([None] * 20), "y_prob": prob}, {"size": np.array(3)}):
        with refused(InputError, "no-table"):
            pb.read(arrays(**bad))


@pytest.mark.parametrize(
    ("columns", "classes", "loss"),
    [
        # evidently: target and prediction; of probabilities a column a class
        ({"target": [0, 1, 1, 0], "prediction": [0.25, 0.5, 0.75, 0.75]}, ("0", "1"), LOSS),
        (
            {"target": [*"abba"], "a": [0.75, 0.5, 0.25, 0.25], "b": [0.25, 0.5, 0.75, 0.75]},
            ("a", "b"),
            LOSS,
        ),
        # tidymodels
        (
            {
                ".pred_No": [0.75, 0.5, 0.25, 0.25],
                ".pred_Yes": [0.25, 0.5, 0.75, 0.75],
                ".row": [1, 2, 3, 4],
                "Churn": ["No", "Yes", "Yes", "No"],
                ".pred_class": ["No", "Yes", "Yes", "No"],
            },
            ("No", "Yes"),
            LOSS,
        ),
        # scikit-learn: cross_val_predict beside the truth and its folds
        (
            {"fold": [0, 0, 1, 1], "y_true": [0, 1, 1, 0], "proba_0": [0.75, 0.5, 0.25, 0.25],
             "proba_1": [0.25, 0.5, 0.75, 0.75]},
            ("0", "1"),
            LOSS,
        ),
    ],
)  # fmt: skip
def test_tables_of_neighbours_are_read_by_their_names(columns, classes, loss):
    """No option is needed, and the log loss is that of their probabilities."""
    n = 8
    data = pb.Predictions.from_frame(pa.table({name: one * n for name, one in columns.items()}
                                              | ({".row": [*range(4 * n)]} if ".row" in columns else {})))  # fmt: skip  # noqa: E501
    assert data.classes == classes
    assert pb.log_loss(data) == pytest.approx(-np.log(loss).mean())


def test_hard_predictions_of_evidently_are_labels():
    """A column of the predicted class."""
    table = pa.table({"target": ["a", "b", "b"] * 8, "prediction": ["a", "a", "b"] * 8})
    data = pb.Predictions.from_frame(table)
    assert (data.prob, data.label[:3].tolist()) == (None, [0, 0, 1])


PARTS = st.sampled_from(
    [
        "id",
        "epoch",
        "scores",
        "choices",
        "response",
        "label",
        "samples",
        "eval",
        "target",
        "filtered_resps",
    ]
)
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
    answers = [chat(*one[:2], label=one[2]) for one in TOKENS]
    answers[place] |= {part: value}
    answers[place]["choices"] = [{"logprobs": {"content": [value, {"token": value}]}}]
    for given_stream in (
        stream(whole),
        stream(log(**{part: value})),
        stream(rows, lines=True),
        stream(answers, lines=True),
        stream(answers[::-1], lines=True),
    ):
        read_or_refused(lambda given_stream=given_stream: read_files(given_stream))
