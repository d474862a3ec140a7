"""Malformed arrays and files: each is refused in one sentence that says what to do."""

import os
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import plumbline as pb
from damages import damaged
from laws import some
from plumbline import InputError, ParameterError, PlumblineError
from plumbline.atomic_files import write_whole
from plumbline.predictions import files, text_files
from refusals import read_or_refused, refused

arrays = pb.Predictions.from_arrays
NAN = float("nan")
INF = float("inf")


def frame(rows: int = 3, **columns: Any) -> Callable[[], Any]:
    """Return a maker that reads a frame: a sound one with some columns changed or added."""

    def make() -> Any:
        table = {"actual": list("nyy")[:rows], "p:n": [0.9, 0.2, 0.3], "p:y": [0.1, 0.8, 0.7]}
        table = {name: values[:rows] for name, values in table.items()}
        return pb.Predictions.from_frame(pa.table(table | columns))

    return make


def logits(values: Any, y_true: Any = (0, 1)) -> Callable[[], Any]:
    """Return a maker that reads logits."""
    return lambda: pb.Predictions.from_logits(y_true, values)


def both(values: Any, **others: Any) -> Callable[[], Any]:
    """Return a maker that reads two rows of a binary classifier."""
    return lambda: arrays([0, 1], values, **others)


def rating(values: Any, **others: Any) -> Callable[[], Any]:
    """Return a maker that reads two rows of ratings."""
    return lambda: arrays([0, 1], score=values, **others)


class Tensor:
    """What NumPy sees of a tensor of PyTorch that cannot become an array."""

    def __init__(self, error: Exception | None = None) -> None:
        said = (
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )
        self.error = RuntimeError(said) if error is None else error

    def __len__(self) -> int:
        return 2

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise self.error


MASKED = np.ma.MaskedArray([0.1, 0.9], mask=[False, True])
UNEVEN = [[0.2, 0.8], [1.0]]
OBJECTS = np.array([np.array([0.2, 0.8]), np.array([0.4, 0.6]), None], dtype=object)[:2]
DATES = np.array(["2020-01-01", "2020-01-02"], "M8[D]")

# name -> (maker, words that must be in the message)
ARRAYS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "empty": (lambda: arrays([], []), ("at least 2 rows", "empty")),
    "one row": (lambda: arrays([1], [0.4]), ("at least 2 rows", "got 1")),
    "nothing to evaluate": (lambda: arrays([0, 1]), ("no predictions", "y_prob")),
    "NaN": (both([0.1, NAN]), ("'y_prob'", "NaN", "row 1", "leave them out")),
    "NaN in one of two columns": (both([[0.1, 0.9], [NAN, 1]]), ("'y_prob[:, 0]'", "row 1")),
    "infinite": (both([0.1, INF]), ("'y_prob'", "got inf", "row 1", "correct")),
    "minus infinity": (both([-INF, 0.1]), ("got -inf", "row 0", "correct")),
    "negative": (both([0.1, -0.5]), ("[0, 1]", "got -0.5", "row 1", "from_logits")),
    "above 1": (both([0.1, 1.5]), ("[0, 1]", "got 1.5", "row 1", "from_logits")),
    "a hair above 1": (both([0.1, 1 + 1e-7]), ("1.0000001", "row 1", "clip")),
    "a hair below 0": (both([-1e-7, 0.5]), ("-1e-07", "row 0", "clip")),
    "a tensor with a gradient": (both(Tensor()), ("`y_prob`", "requires grad", ".detach()")),
    "labels of such a tensor": (lambda: arrays(Tensor(), [0.1, 0.9]), ("`y_true`", ".detach()")),
    "logits of such a tensor": (logits(Tensor()), ("`logits`", ".detach()")),
    "a tensor on a device": (both(Tensor(TypeError("can't convert cuda:0"))), ("cuda:0", ".cpu()")),
    "percent": (both([10, 95.0]), ("got 10.0", "rows 0, 1", "percentages by 100")),
    "sum off": (both([[0.1, 0.9], [0.4, 0.5]]), ("row 1", "[0.4, 0.5] sum to 0.9", "normalize")),
    "all sums off": (
        lambda: arrays([0, 1] * 4, [[0.3, 0.6]] * 8),
        ("rows 0, 1, 2, 3, 4 and 3 more (counted from 0)", "normalize=True"),
    ),
    "sum 0 to normalise": (
        both([[0, 0], [0.5, 0.6]], normalize=True),
        ("its sum, which is 0", "row 0"),
    ),
    "negative to normalise": (
        both([[-1, 1], [0.5, 0.6]], normalize=True),
        ("finite and not negative", "got -1.0", "row 0"),
    ),
    "text probabilities": (both(["0.1", "0.9"]), ("`y_prob`", "text", "'0.1'", "convert")),
    "text among numbers": (
        both(np.array([0.1, "high"], dtype=object)),
        ("`y_prob`", "'high'", "row 1"),
    ),
    "None": (both([0.1, None]), ("`y_prob`", "None", "row 1")),
    "pandas.NA": (both(pd.array([0.1, pd.NA])), ("'y_prob'", "empty or NaN", "row 1")),
    "masked": (both(MASKED), ("`y_prob`", "masked", "row 1")),
    "truth values": (both([True, False]), ("`y_prob`", "True and False")),
    "complex": (both([0.1 + 0j, 0.9]), ("`y_prob`", "complex")),
    "dates": (both(DATES), ("`y_prob`", "dates")),
    "rows of different length": (both(UNEVEN), ("row 0 has 2", "row 1 has 1")),
    "rows as objects": (both(OBJECTS), ("`y_prob`", "numpy.stack")),
    "three dimensions": (both(np.zeros((2, 2, 2))), ("(2, 2, 2)", "(n, k)")),
    "a single number": (both(0.5), ("`y_prob`", "0.5", "(n,)")),
    "one column": (both([[0.1], [0.9]]), ("`y_prob` has 1 column", "(n,)")),
    "no column": (both(np.zeros((2, 0))), ("`y_prob` has 0 columns",)),
    "mixed lengths": (both([0.1, 0.2, 0.3]), ("`y_prob` has 3 rows", "have 2")),
    "model of another length": (both([0.1, 0.9], model=["a"]), ("`model` has 1 row,",)),
    "attribute of another length": (
        both([0.1, 0.9], attributes={"age": [1, 2, 3]}),
        ("`age` has 3 rows",),
    ),
    "a name instead of a column": (both([0.1, 0.9], model="rf"), ("`model`", "'rf'", "repeat")),
    "one-hot truth": (
        lambda: arrays([[0, 1], [1, 0]], [0.1, 0.9]),
        ("`y_true`", "(2, 2)", "argmax"),
    ),
    "missing label": (lambda: arrays(["a", None], [0.1, 0.9]), ("'y_true'", "empty", "row 1")),
    "NaN among texts": (lambda: arrays(["a", NAN], [0.1, 0.9]), ("'y_true'", "NaN", "row 1")),
    "NaN label": (lambda: arrays([0, NAN], [0.1, 0.9]), ("'y_true'", "NaN", "row 1")),
    "empty label": (lambda: arrays(["a", ""], [0.1, 0.9]), ("'y_true'", "empty", "row 1")),
    "a list as a label": (
        lambda: arrays([["a"], ["b", "c"]], [0.1, 0.9]),
        ("'y_true'", "['a']", "row 0"),
    ),
    "unknown class": (
        lambda: arrays(["cat", "dgo"], [[0.1, 0.9], [0.2, 0.8]], classes=["cat", "dog"]),
        ("'y_true'", "'dgo'", "row 1", "Did you mean 'dog'"),
    ),
    "three labels, two columns": (
        lambda: arrays([0, 1, 2], [[0.1, 0.9]] * 3),
        ("3 distinct labels", "'0', '1', '2'", "classes="),
    ),
    "one label, no name for the other": (
        lambda: arrays(["a", "a"], [0.1, 0.9]),
        ("1 distinct label ", "classes=[negative, positive]"),
    ),
    "labels that do not tell the columns": (
        lambda: arrays(["a", "b"], [[0.2, 0.3, 0.5]] * 2),
        ("3 columns", "'a', 'b'", "classes=[...]"),
    ),
    "duplicate class names": (both([0.1, 0.9], classes=[1, "1"]), ("'1'", "more than once")),
    "one class name": (both([0.1, 0.9], classes=["a"]), ("at least two classes", "'a'")),
    "no class name": (both([0.1, 0.9], classes=[]), ("at least two classes", "none")),
    "empty class name": (both([0.1, 0.9], classes=["a", ""]), ("class name is empty",)),
    "class names as one text": (both([0.1, 0.9], classes="ab"), ("`classes`", "'ab'")),
    "three names, two columns": (
        both([[0.1, 0.9]] * 2, classes=[0, 1, 2]),
        ("3 classes ('0', '1', '2')", "`y_prob` has 2 columns"),
    ),
    "three names, one number": (
        both([0.1, 0.9], classes=[0, 1, 2]),
        ("`y_prob` has one number per row", "two classes"),
    ),
    "unknown positive": (both([0.1, 0.9], positive="2"), ("`positive`", "'0', '1'", "'2'")),
    "negative weight": (both([0.1, 0.9], weight=[1, -2]), ("'weight'", "-2.0", "row 1")),
    "NaN weight": (both([0.1, 0.9], weight=[1, NAN]), ("'weight'", "nan", "row 1")),
    "all weights 0": (both([0.1, 0.9], weight=[0, 0]), ("all weights are 0",)),
    "enormous weights": (both([0.1, 0.9], weight=[1e308, 1e308]), ("sum to infinity", "divide")),
    "two weights a row": (both([0.1, 0.9], weight=[[1, 2]] * 2), ("`weight`", "(2, 2)")),
    "weights in words": (both([0.1, 0.9], weight=["one", "two"]), ("`weight`", "'one'")),
    "NaN rating": (rating([1.0, NAN]), ("`score`", "row 1")),
    "three ratings, two names": (
        rating([[1, 2, 3]] * 2, classes=[0, 1]),
        ("2 classes", "`score` has 3 columns"),
    ),
    "repeated row": (both([0.1, 0.9], row=["x", "x"]), ("(row, model, repeat, fold)", "'x'", "2")),
    "reserved attribute": (
        both([0.1, 0.9], attributes={"weight": [1, 2]}),
        ("'weight'", "drop it"),
    ),
    "attribute like a class": (both([0.1, 0.9], attributes={"p:x": [1, 2]}), ("'p:x'", "drop it")),
    "unnamed attribute": (
        both([0.1, 0.9], attributes={3: [1, 2]}),
        ("3 cannot be the name", "text"),
    ),
    "attribute of half a character": (
        both([0.1, 0.9], attributes={"a\ud800": [1, 2]}),
        ("'attributes'", "a\\ud800", "encoding"),
    ),
    "class of half a character": (
        both([0.1, 0.9], classes=["a\ud800", "b"]),
        ("'classes'", "a\\ud800", "surrogate", "encoding"),
    ),
    "label of half a character": (
        lambda: arrays(["b", "a\ud800"], [0.1, 0.9]),
        ("'y_true'", "a\\ud800", "encoding"),
    ),
    "model of half a character": (both([0.1, 0.9], model=["b", "\udfff"]), ("'model'", "udfff")),
    "row of half a character": (both([0.1, 0.9], row=["b", "\udfff"]), ("'row'", "udfff")),
    "infinite logits": (logits([[0, INF], [-INF, 0]]), ("logits", "rows 0, 1")),
    "logits of another length": (logits([0.1]), ("`logits` has 1 row,", "have 2")),
    "one column of logits": (logits([[0.1], [2]]), ("`logits` has 1 column", "log-odds")),
    "not fitted": (
        lambda: pb.Predictions.from_estimator(object(), [[0], [1]], [0, 1]),
        ("not a fitted classifier", "fit"),
    ),
    "not a frame": (lambda: pb.Predictions.from_frame({"actual": [1]}), ("data frame", "dict")),
    "empty frame": (lambda: pb.Predictions.from_frame(pa.table({})), ("no rows",)),
    "one row in a frame": (frame(rows=1), ("at least 2 rows",)),
    "frame without truth": (
        lambda: pb.Predictions.from_frame(pa.table({"x": [1.5, 0.5, 7], "p:0": [0.1, 0.2, 0]})),
        ("true classes", "'x', 'p:0'"),
    ),
    "frame without probabilities": (
        lambda: pb.Predictions.from_frame(pa.table({"actual": [1, 0], "age": [31, 42]})),
        ("'actual'", "no column can hold"),
    ),
    "null label": (frame(actual=["n", None, "y"]), ("'actual'", "empty", "row 1")),
    "null probability": (frame(**{"p:y": [0.1, None, 0.7]}), ("'p:y'", "empty", "row 1")),
    "NaN probability": (frame(**{"p:y": [0.1, NAN, 0.7]}), ("'p:y'", "NaN", "row 1")),
    "null weight": (frame(weight=[1, None, 2]), ("'weight'", "empty", "row 1")),
    "text in a frame": (frame(**{"p:y": ["0.1", "high", "1"]}), ("'p:y'", "'high'", "row 1")),
    "numbers as text": (frame(**{"p:y": ["0.1", "0.8", "0.7"]}), ("'p:y'", "text", "'0.1'")),
    "decimal commas": (frame(**{"p:y": ["0,1", "0,8", "0,7"]}), ("'0,1'", "row 0", "point")),
    "percent signs": (frame(**{"p:y": ["10 %", "80 %", "70 %"]}), ("'10 %'", "Write 0.2")),
    "dates as probabilities": (frame(**{"p:y": pa.array([1, 2, 3], pa.date32())}), ("'p:y'",)),
    "no class in the name": (frame(**{"p:": [0.0, 0.0, 0.0]}), ("'p:'", "p:<class>")),
    "unknown class in a frame": (frame(actual=list("nyz")), ("'actual'", "'z'", "row 2")),
    "score twice": (
        frame(score=[1, 2, 3], **{"score:y": [1, 2, 3]}),
        ("'score'", "'score:y'", "one rating"),
    ),
    "scores of other classes": (
        frame(**{"score:n": [1, 2, 3], "score:x": [1, 2, 3]}),
        ("'n', 'x'", "'n', 'y'"),
    ),
    "one column, three classes": (
        lambda: pb.Predictions.from_frame(
            pa.table({"actual": ["a", "b", "c"], "p:a": [0.1, 0.2, 0.3]})
        ),
        ("'p:a'", "'b', 'c'", "one column p:<class> per class"),
    ),
    "y_prob with three classes": (
        lambda: pb.Predictions.from_frame(
            pa.table({"y_true": ["a", "b", "c"], "y_prob": [0.1, 0.2, 0.3]})
        ),
        ("'y_true'", "3 distinct labels", "p:<class>"),
    ),
    "y_prob out of range": (
        lambda: pb.Predictions.from_frame(pa.table({"y_true": [0, 1], "y_prob": [0.1, 1.2]})),
        ("'y_prob'", "got 1.2", "row 1"),
    ),
    "repeated columns in pandas": (
        lambda: pb.Predictions.from_frame(pd.DataFrame([[1, 2]], columns=["actual", "actual"])),
        ("several columns", "'actual'", "rename"),
    ),
    "repeated columns in Arrow": (
        lambda: pb.Predictions.from_frame(pa.table([[1], [1]], names=["p:a", "p:a"])),
        ("several columns", "'p:a'", "rename"),
    ),
    "mixed types in pandas": (
        lambda: pb.Predictions.from_frame(
            pd.DataFrame({"actual": np.array([3, "3"], object), "p:3": [0.1, 0.2]})
        ),
        ("column 'actual'", "mixes"),
    ),
}

SOUND = "actual,p:n,p:y\nn,0.9,0.1\ny,0.2,0.8\n"

# name of the file -> (what is in it, arguments of read, words that must be in the message)
FILES: dict[str, tuple[str | bytes, dict[str, Any], tuple[str, ...]]] = {
    "zero.csv": ("", {}, ("empty (0 bytes)",)),
    "header.csv": ("actual,p:n,p:y\n", {}, ("no rows", "'actual', 'p:n', 'p:y'")),
    "one.csv": ("actual,p:n,p:y\nn,0.9,0.1\n", {}, ("at least 2 rows",)),
    "unnamed.csv": ("n,0.9,0.1\ny,0.2,0.8\ny,0.2,0.8\n", {}, ("true classes", "'n', '0.9', '0.1'")),
    "twice.csv": ("actual,p:n,p:n\nn,0.9,0.1\ny,1,0\n", {}, ("several columns", "'p:n'", "rename")),
    "ragged.csv": ("actual,p:n,p:y\nn,0.9,0.1\ny,0.2\n", {}, ("line 3", "2 values", "3 columns")),
    "mixed.csv": (SOUND.replace("y,0.2,", "y;0.2;"), {}, ("line 3", "1 value,", "one separator")),
    "commas.csv": ("actual,p:y\nn,0,1\ny,0,8\n", {}, ("line 2", "3 values", "decimal comma")),
    "either.csv": ("truth;p,y\nn;0,1\ny;0,8\n", {}, ("comma or a semicolon", "`separator`")),
    "quote.csv": ('actual,p:n,p:y\nn,"0.9,0.1\ny,0.2,0.8\n', {}, ("line 2", "2 values")),
    "words.csv": ("Dear colleague\nplease find\n", {}, ("single column", "'Dear colleague'")),
    "latin.csv": (
        "actual,p:n,p:y\nß,0.9,0.1\ny,0.2,0.8\n".encode("latin-1"),
        {},
        ("UTF-8", "line 2", "save it as UTF-8"),
    ),
    "latin-attribute.csv": (
        "actual,p:n,p:y,where\nn,0.9,0.1,Köln\ny,0.2,0.8,Bonn\n".encode("latin-1"),
        {},
        ("UTF-8", "'where'"),
    ),
    "latin-header.csv": ("actual,p:n,ö\nn,0.9,1\n".encode("latin-1"), {}, ("UTF-8",)),
    "cut.csv": (SOUND.encode("utf-16")[:-1], {}, ("UTF-16", "UTF-8")),
    "unmarked.csv": (SOUND.encode("utf-16-le"), {}, ("not text", "NUL bytes")),
    "nul.csv": (b"actual,p:n\n\0\0,1\n", {}, ("not text", "NUL bytes")),
    "wide.csv": ("actual," + "x" * (9 << 20) + "\n", {}, ("line longer than 8 MB",)),
    "high.csv": (SOUND.replace("0.8", "high"), {}, ("'p:y'", "'high'", "line 3 of")),
    "blank.csv": (SOUND.replace("0.8", ""), {}, ("'p:y'", "empty", "line 3 of")),
    "na.csv": (SOUND.replace("0.8", "NaN"), {}, ("'p:y'", "NaN", "line 3 of")),
    "infinite.csv": (SOUND.replace("0.8", "inf"), {}, ("'p:y'", "got inf", "line 3 of")),
    "percent.csv": (SOUND.replace("0.", ""), {}, ("'p:n'", "got 9.0", "percentages by 100")),
    "off.csv": (SOUND.replace("0.8", "0.7"), {}, ("line 3 of", "sum to 0.9", "`normalize=True`")),
    "stranger.csv": (
        SOUND.replace("\ny,", "\nz,"),
        {},
        ("'actual'", "'z'", "line 3 of", "'n', 'y'"),
    ),
    "nobody.csv": (SOUND.replace("\ny,", "\n,"), {}, ("'actual'", "empty", "line 3 of")),
    "weight.csv": (
        "actual,p:n,p:y,weight\nn,1,0,2\ny,0,1,-2\n",
        {},
        ("'weight'", "-2.0", "line 3 of"),
    ),
    "actual.csv": (SOUND, {"actual": "actul"}, ("'actul'", "Did you mean 'actual'")),
    "prob.csv": (SOUND, {"prob": {"p:m": "m"}}, ("'p:m'", "the columns are")),
    "left.csv": (SOUND, {"prob": {"p:y": "y"}}, ("`prob`", "'p:n'")),
    "same.csv": (SOUND, {"actual": "p:n"}, ("'p:n'", "two different columns")),
    "leftover.csv": (SOUND, {"prob": ["p:y"]}, ("'p:n'", "drop them")),
    "set.csv": (SOUND, {"prob": 3}, ("`prob`", "{column: class}")),
    "sun.csv": (SOUND, {"positive": "yy"}, ("`positive`", "'yy'", "'n', 'y'")),
    "rename.csv": (SOUND, {"rename": {"p:y": "p:n"}}, ("'p:n'", "another column")),
    "table.ods": ("PK", {}, (".csv, .tsv,", ".parquet", "'.ods'")),
    "table.xlsx": ("PK", {}, ("xlsx", "damaged")),
    "table.eval": ("PK", {}, ("eval", "damaged")),
    "table.npz": ("PK", {}, ("npz", "damaged")),
    "table.pkl": (b"\x80\x04", {}, (".parquet", "'.pkl'")),
    "table.json": ("{}", {}, ("no table", "to_json")),
    "table.csv.gz": (b"\x1f\x8b", {}, ("csv inside gzip", "Truncated")),
    "table.parquet.gz": (b"\x1f\x8b", {}, ("'.parquet.gz'",)),
    "table": ("x", {}, ("'no ending'",)),
}


def noise(size: int = 500) -> bytes:
    """Return bytes that are no format at all."""
    return np.random.default_rng(3).bytes(size)


def sound_table() -> pa.Table:
    """Return a table that reads well."""
    p = np.linspace(0, 1, 100)
    return pa.table({"actual": ["n", "y"] * 50, "p:n": 1 - p, "p:y": p})


def refusal(make: Callable[[], Any]) -> str:
    """Return the message with which an input is refused; nothing else may be raised or warned."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((InputError, ParameterError)) as caught:
            make()
    return str(caught.value)


def assert_clear(message: str, words: tuple[str, ...]) -> None:
    """Check that a message is one line of bearable length that holds the words."""
    assert "\n" not in message
    assert 30 < len(message) < 700
    assert "Traceback" not in message
    assert [word for word in words if word not in message] == [], message


@pytest.mark.parametrize("name", ARRAYS)
def test_a_malformed_array_or_frame_is_refused(name):
    """The refusal names column, row, value and remedy."""
    make, words = ARRAYS[name]
    assert_clear(refusal(make), words)


@pytest.mark.parametrize("name", FILES)
def test_a_malformed_file_is_refused(tmp_path, name):
    """The refusal names file or column, row, value and remedy."""
    content, arguments, words = FILES[name]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert_clear(refusal(lambda: pb.read(path, **arguments)), words)
    assert list(tmp_path.iterdir()) == [path]


RUBBISH = [f"rubbish.{ending}" for ending in ("parquet", "arrow", "feather", "csv", "tsv")]


@pytest.mark.parametrize("name", RUBBISH)
def test_binary_rubbish_is_refused_whatever_its_name(tmp_path, name):
    """Bytes of no format are refused as such, under every known ending."""
    path = tmp_path / name
    path.write_bytes(noise())
    assert_clear(refusal(lambda: pb.read(path)), (name,))


@pytest.mark.parametrize("magic", [b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"])
def test_rubbish_behind_the_right_first_bytes_is_refused(tmp_path, magic):
    """The mark of a format at both ends does not make a file of it."""
    for ending in ("parquet", "arrow"):
        path = tmp_path / f"marked.{ending}"
        path.write_bytes(magic + noise() + magic)
        assert_clear(refusal(lambda path=path: pb.read(path)), (path.name,))


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_a_truncated_file_is_refused(tmp_path, ending, share):
    """A file that was cut off is refused as damaged."""
    path = tmp_path / f"cut.{ending}"
    pb.Predictions.from_frame(sound_table()).write(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    assert_clear(refusal(lambda: pb.read(path)), (path.name, "damaged"))


@pytest.mark.laws
@pytest.mark.parametrize("engine", ["memory", "counts"])
@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_no_damage_escapes_as_another_error(tmp_path, ending, engine):
    """Whatever is damaged, the file is read or refused: no other error, and no crash."""
    path = tmp_path / f"damaged.{ending}"
    notes = pa.array(["a", "ü"] * 50)
    pb.Predictions.from_frame(sound_table().append_column("note", notes)).write(path)
    whole = path.read_bytes()
    for seed in some(range(90), 30):
        path.write_bytes(damaged(whole, seed))
        read_or_refused(lambda: pb.read(path, engine=engine))


@pytest.mark.parametrize("engine", ["memory", "counts"])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_column_whose_name_is_no_text_is_refused(tmp_path, ending, engine):
    """Names stand in several places of a file, and pyarrow reads each of them late."""
    path = tmp_path / f"names.{ending}"
    pb.Predictions.from_frame(sound_table()).write(path)
    whole = path.read_bytes()
    name = b"actual"
    places = [k for k in range(len(whole)) if whole.startswith(name, k)]
    for place in places:
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        read_or_refused(lambda: pb.read(path, engine=engine))
    path.write_bytes(whole.replace(name, b"\xffctual"))
    assert_clear(refusal(lambda: pb.read(path, engine=engine)), (path.name, "damaged"))


def test_a_feather_file_of_version_1_is_refused_with_the_remedy(tmp_path):
    """The old Feather format, which pyarrow is about to drop, is named."""
    path = tmp_path / "old.feather"
    path.write_bytes(b"FEA1" + noise())
    assert_clear(refusal(lambda: pb.read(path)), ("Feather version 1", "version 2"))


def claiming(path: Path, rows: int) -> None:
    """Write a small Parquet file, then change the number of rows in its footer.

    The footer is Thrift's compact protocol: a 64-bit field is the byte 0x16 (type 6, next field)
    and the number as a zigzag varint.
    """

    def field(number: int) -> bytes:
        left, out = number << 1, bytearray([0x16])
        while left > 127:
            out.append(left & 127 | 128)
            left >>= 7
        return bytes([*out, left])

    told = 77_777
    parquet.write_table(pa.table({"actual": np.zeros(told, np.int8), "p:1": np.zeros(told)}), path)
    whole = path.read_bytes()
    (length,) = struct.unpack("<I", whole[-8:-4])
    footer = whole[-8 - length : -8]
    assert field(told) in footer
    footer = footer.replace(field(told), field(rows))
    path.write_bytes(whole[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1")


def test_a_small_file_that_claims_more_rows_than_memory_is_refused(tmp_path):
    """A kilobyte of Parquet that claims ten trillion rows is refused before anything is read."""
    path = tmp_path / "claim.parquet"
    claiming(path, 10**13)
    assert path.stat().st_size < 20_000
    words = ("10,000,000,000,000 rows x 2 columns", "GB", "this machine has")
    assert_clear(refusal(lambda: pb.read(path, engine="memory")), words)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream.arrow"])
def test_constant_columns_that_unpack_beyond_memory_are_refused(tmp_path, monkeypatch, ending):
    """A valid file packed a hundredfold is measured by what it takes in memory, not on disk."""
    n = 1_000_000
    table = pa.table({"actual": np.zeros(n, np.int8), "p:0": np.ones(n), "p:1": np.zeros(n)})
    path = tmp_path / f"packed.{ending}"
    if ending == "parquet":
        parquet.write_table(table, path, compression="zstd")
    elif ending == "arrow":
        feather.write_feather(table, path, compression="zstd")
    else:
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table, max_chunksize=100_000)
    needed = n * 3 * files.BYTES_A_CELL * files.TABLES_HELD
    monkeypatch.setattr(files, "_memory", lambda: needed - 1)
    assert_clear(refusal(lambda: pb.read(path)), ("1,000,000 rows x 3 columns", "GB"))
    monkeypatch.setattr(files, "_memory", lambda: needed)
    assert pb.read(path).n == n


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "stream.arrow"])
def test_too_many_columns_are_refused_by_the_header(tmp_path, monkeypatch, ending):
    """A table that lies on its side is refused before a value of it is read."""
    names = ["actual", "p:1", *(f"c{i}" for i in range(files.MOST_COLUMNS - 1))]
    path = tmp_path / f"wide.{ending}"
    table = pa.table(dict.fromkeys(names, pa.array([1], pa.int8())))
    if ending in (separators := {"csv": ",", "tsv": "\t"}):
        path.write_text(separators[ending].join(names) + "\n")
    elif ending == "parquet":
        parquet.write_table(table, path, compression="none", use_dictionary=False)
    elif ending == "arrow":
        feather.write_feather(table, path)
    else:
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    monkeypatch.setitem(files.READERS, path.suffix, None)
    monkeypatch.setattr(text_files, "_parsed", None)
    assert_clear(refusal(lambda: pb.read(path)), ("30,001 columns", "30,000"))


def test_as_many_columns_as_are_allowed_are_read(tmp_path, monkeypatch):
    """The limit itself is allowed; a quoted name may hold the separator."""
    monkeypatch.setattr(files, "MOST_COLUMNS", 3)
    path = tmp_path / "quoted.csv"
    path.write_text('actual,p:1,"a,b"\n1,0.5,2\n0,0.25,3\n')
    assert files.read_files(path, most_columns=3).table.column_names == ["actual", "p:1", "a,b"]
    with refused(pb.InputError, "too-many-columns", "3 columns", "most 2"):
        files.read_files(path, most_columns=2)


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_file_that_does_not_fit_into_memory_is_not_called_damaged(tmp_path, monkeypatch, ending):
    """A reader that gets no memory says so, with what to do."""

    def reader(*_: Any, **__: Any) -> None:
        raise pa.ArrowMemoryError("malloc of size 268435456 failed")

    path = tmp_path / f"table.{ending}"
    pb.Predictions.from_arrays([0, 1], [0.1, 0.8]).write(path)
    monkeypatch.setitem(files.READERS, path.suffix, reader)
    monkeypatch.setattr(text_files, "read_text", reader)
    said = refusal(lambda: pb.read(path))
    assert_clear(said, ("more memory than this process may use",))
    assert "damaged" not in said


def test_where_memory_is_unknown_nothing_is_refused_for_its_size(tmp_path, monkeypatch):
    """On a system without `sysconf` (Windows) and control groups a file is simply read."""
    monkeypatch.delattr(files.os, "sysconf", raising=False)
    monkeypatch.setattr(Path, "read_text", lambda *_: "max\n")
    assert files._memory() is None
    path = tmp_path / "table.parquet"
    parquet.write_table(sound_table(), path)
    assert pb.read(path).n == 100


def test_a_text_repeated_a_million_times_is_held_once(tmp_path):
    """A long text in a dictionary does not unpack: 100 GB of text are read in an instant."""
    n = 100_000
    long = pa.DictionaryArray.from_arrays(np.zeros(n, np.int8), pa.array(["x" * 1_000_000]))
    table = {"actual": np.arange(n) % 2, "p:1": np.full(n, 0.5), "note": long}
    for ending, write in {"parquet": parquet.write_table, "arrow": feather.write_feather}.items():
        write(pa.table(table), tmp_path / f"long.{ending}")
        note = pb.read(tmp_path / f"long.{ending}").attributes["note"]
        assert note[0] is note[-1]


def test_a_missing_file_is_reported_with_near_names(tmp_path, monkeypatch):
    """A file that is not there is named, with the one meant and the folder it was sought in."""
    (tmp_path / "predictions.csv").write_text(SOUND)
    monkeypatch.chdir(tmp_path)
    message = refusal(lambda: pb.read("prediction.csv"))
    assert_clear(message, ("'prediction.csv'", "Did you mean 'predictions.csv'", str(tmp_path)))
    message = refusal(lambda: pb.read("nowhere/predictions.csv"))
    assert_clear(message, ("no folder 'nowhere'", "'predictions.csv'"))
    assert_clear(refusal(lambda: pb.read("x" * 5000 + ".csv")), ("there is no",))
    assert_clear(refusal(lambda: pb.read("a\0b.csv")), ("there is no file",))


def test_a_folder_is_no_file(tmp_path):
    """An empty folder with the right ending is refused, for reading and for writing."""
    folder = tmp_path / "table.csv"
    folder.mkdir()
    assert_clear(refusal(lambda: pb.read(folder)), ("folder", "without tables"))
    data = pb.Predictions.from_frame(sound_table())
    assert_clear(refusal(lambda: data.write(folder)), ("folder", "name a file"))


def test_a_file_that_may_not_be_read_is_not_called_damaged(tmp_path, monkeypatch):
    """Missing permission is told as such."""

    def denied(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "locked.csv").write_text(SOUND)
    monkeypatch.setattr(text_files, "read_text", denied)
    message = refusal(lambda: pb.read(tmp_path / "locked.csv"))
    assert "permission denied" in message
    assert "damaged" not in message


class TestWriting:
    """A file is written whole or not at all."""

    data = pb.Predictions.from_frame(sound_table())

    @pytest.mark.parametrize("name", ["a.xlsx", "a.pkl", "a"])
    def test_an_unknown_ending_is_refused(self, tmp_path, name):
        """The refusal lists the endings, and no file appears."""
        assert_clear(refusal(lambda: self.data.write(tmp_path / name)), (".csv", ".parquet"))
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_not_there_is_named(self, tmp_path):
        """Nothing is created on the way."""
        path = tmp_path / "nowhere" / "table.csv"
        assert_clear(refusal(lambda: self.data.write(path)), ("no folder", "nowhere", "create"))
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("before", [None, b"what was there"])
    @pytest.mark.parametrize("failure", [RuntimeError("stopped"), KeyboardInterrupt()])
    def test_a_writer_that_fails_half_way_leaves_nothing(self, tmp_path, before, failure):
        """The file that was there stays as it was, and no temporary file is left."""
        path = tmp_path / "table.csv"
        if before is not None:
            path.write_bytes(before)

        def half(temporary: Path) -> None:
            temporary.write_bytes(b"half of it")
            raise failure

        with pytest.raises(type(failure)):
            write_whole(path, half)
        assert [file.read_bytes() for file in tmp_path.iterdir()] == [before] * (before is not None)

    def test_a_full_disk_is_reported_and_leaves_nothing(self, tmp_path):
        """An error of the system becomes a refusal that names the file."""

        def full(_: Path) -> None:
            raise OSError(28, "No space left on device")

        message = refusal(lambda: write_whole(tmp_path / "table.csv", full))
        assert_clear(message, ("table.csv", "No space left on device"))
        assert list(tmp_path.iterdir()) == []

    def test_an_attribute_the_format_cannot_hold_is_refused(self, tmp_path):
        """CSV holds no lists: it is said, and nothing is left."""
        lists = pa.array([[1, 2]] * 100)
        data = pb.Predictions.from_frame(sound_table().append_column("list", lists))
        assert_clear(refusal(lambda: data.write(tmp_path / "a.csv")), ("cannot hold", "Parquet"))
        assert list(tmp_path.iterdir()) == []

    def test_an_attribute_of_mixed_types_is_refused_by_name(self, tmp_path):
        """A column of texts and numbers has no type in a file; the refusal names it."""
        data = pb.Predictions.from_arrays(
            [0, 1], [0.2, 0.8], attributes={"mixed": np.array(["a", 1], dtype=object)}
        )
        assert_clear(refusal(lambda: data.write(tmp_path / "a.parquet")), ("'mixed'", "text"))
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("values", [["a", 1], [2**70, 1], [(1, 2), "a"]])
    def test_rows_of_mixed_types_are_refused_by_name(self, tmp_path, values):
        """The identity of the rows may be anything until a table must hold it."""
        rows = np.empty(2, object)
        rows[:] = values
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.8], row=rows)
        for show in (data.to_frame, lambda: data.write(tmp_path / "a.csv")):
            assert_clear(refusal(show), ("'row'", "all text or all numbers"))
        assert list(tmp_path.iterdir()) == []

    def test_a_broken_text_in_an_attribute_is_refused_by_name(self):
        """Half a character has no place in a table."""
        data = pb.Predictions.from_arrays([0, 1], [0.2, 0.8], attributes={"note": ["a", "\ud800"]})
        assert_clear(refusal(data.to_frame), ("'note'", "surrogate", "encoding"))

    def test_what_is_no_ordinary_file_is_never_replaced(self, tmp_path):
        """Renaming onto a pipe or a device such as /dev/null would replace it, so it is refused."""
        pipe = tmp_path / "pipe.csv"
        os.mkfifo(pipe)
        assert_clear(refusal(lambda: write_whole(pipe, Path.touch)), ("not an ordinary file",))
        assert pipe.is_fifo()

    def test_what_a_link_points_to_is_written(self, tmp_path):
        """A link stays a link."""
        (tmp_path / "folder").mkdir()
        link, target = tmp_path / "link.csv", tmp_path / "folder" / "target.csv"
        link.symlink_to(target)
        self.data.write(link)
        assert link.is_symlink()
        assert pb.read(target).n == 100


def test_every_refusal_is_a_value_error_and_one_of_ours():
    """Callers may catch ValueError, or all of Plumbline's errors at once."""
    for kind in (InputError, ParameterError):
        assert issubclass(kind, PlumblineError)
        assert issubclass(kind, ValueError)
