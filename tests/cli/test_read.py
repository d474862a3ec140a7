"""`plumbline read`: what is understood of ordinary tables, written again, and asked next."""

import json
import shlex
from dataclasses import fields

import numpy as np
import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from laws import law
from ordinary_tables import N, ordinary_tables
from plumbline.cli import main
from plumbline.file_endings import WRITTEN

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
UNCLEAR = {"strings_unnamed", "missing", "percent", "margin", "swapped", "no_header"}
DRAWN = {"test", "calibration", "report", "compare"}
QUICK = {"report": ("--recalibrate", "none", "--summary"), "recalibrate": ("--method", "platt")}


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory):
    """The tables in a folder, which is the current one."""
    folder = tmp_path_factory.mktemp("tables")
    for name, content in ordinary_tables().items():
        (folder / name).write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def invoke(*words: str) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, words, catch_exceptions=False)


def settled(name: str) -> tuple[list[str], dict]:
    """Return the words that read a table, the first that a refusal prints where it has one."""
    words = ["read", name]
    result = invoke(*words, "--json")
    assert (result.exit_code == 2) == (name.partition(".")[0] in UNCLEAR)
    if result.exit_code == 2:
        assert result.stdout == ""
        line = next(line for line in result.stderr.splitlines() if line.startswith("  "))
        words = shlex.split(line.removesuffix(" --json"))[1:]
        result = invoke(*words, "--json")
        assert result.exit_code == 0, result.stderr
    return words, json.loads(result.stdout)


def same(one: pb.Predictions, other: pb.Predictions) -> None:
    """Compare all that two tables hold, but how they were read."""
    for field in fields(pb.Predictions):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name in ("model", "fold", "repeat") and ours is not None:
            assert ours.values().tolist() == theirs.values().tolist()
        elif field.name == "attributes":
            assert {n: v.tolist() for n, v in ours.items()} == {
                n: v.tolist() for n, v in theirs.items()
            }
        elif isinstance(ours, np.ndarray):
            np.testing.assert_array_equal(ours, theirs)
        elif field.name != "reading":
            assert ours == theirs


@law("name", ordinary_tables(), number=8)
def test_what_is_written_reads_back_equal(name, folder):
    """Every table in every format, without options and with nothing left to guess."""
    words, found = settled(name)
    written = []
    for ending in WRITTEN:
        result = invoke(*words, "--to", f"own{ending}")
        assert result.exit_code == 0, result.stderr
        written.append(pb.read(folder / f"own{ending}"))
        assert written[-1].reading.own
    for other in written[1:]:
        same(written[0], other)
    (row,) = found["results"]
    assert row["table_rows"] == written[0].n
    assert row["classes"].keys() == {*written[0].classes}
    assert list(row["models"]) == list(written[0].models)
    if len(written[0].classes) == 2:
        assert row["positive"][0] == written[0].classes[written[0].positive] == found["positive"]


@law("name", ordinary_tables(), number=8)
def test_every_next_command_can_be_pasted(name):
    """What is offered for a table is answered for it."""
    _, found = settled(name)
    assert found["next"]
    for line in found["next"]:
        _, command, *rest = shlex.split(line)
        if command == "report" and name != "booleans.csv":
            continue  # the longest, of one table alone
        quick = ["--resamples", "19"] if command in DRAWN else []
        result = invoke(command, *rest, *quick, *QUICK.get(command, ()))
        assert result.exit_code == 0, (line, result.stderr)


@pytest.mark.parametrize(
    ("name", "form", "parts"),
    [
        ("german.csv", "text, columns separated by a semicolon, decimal commas", {}),
        ("strings.parquet", "Parquet", {"positive": "bad"}),
        ("array.json", "array of objects", {}),
        ("long.csv", None, {"models": ["logreg", "boosting"], "n": N, "table_rows": 2 * N}),
        ("copies.csv", None, {"recurs": ["loan_id", N]}),
        ("hard.csv", None, {"holds": "labels"}),
    ],
)
def test_a_table_says_what_it_is(name, form, parts):
    """Its form, models, groups, and what is predicted."""
    (row,) = settled(name)[1]["results"]
    assert form in (None, row["form"])
    known = row | {"positive": row["positive"][0]}
    assert {key: known[key] for key in parts} == parts


def test_missing_values_are_counted():
    """Rows that were left out, and attributes without a value."""
    (row,) = json.loads(invoke("read", "missing.csv", "--missing", "drop", "--json").stdout)[
        "results"
    ]
    assert (row["left_out"], row["n"]) == (2, N - 2)
    data = pb.Predictions.from_arrays(
        [0, 1, 1],
        [0.2, 0.7, 0.5],
        attributes={"a": [1.0, np.nan, 2], "b": ["x", None, ""], "c": [1, 2, 3]},
    )
    data.write("hollow.csv")
    (row,) = json.loads(invoke("read", "hollow.csv", "--json").stdout)["results"]
    assert row["missing"] == {"a": 1, "b": 2, "c": 0}


def test_the_data_are_not_overwritten():
    """By the table that is made of them."""
    result = invoke("read", "score.csv", "--to", "./score.csv")
    assert (result.exit_code, result.stdout) == (2, "")
