"""A file has one reading: in the library, as a frame, on the start page, and where it is served."""

import io
import json
import zipfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import plumbline as pb
from invented_tables import invented, packed, table_of
from laws import some
from plumbline import file_endings
from plumbline.cli.prediction_file import TABLE_OPTIONS
from plumbline.cli.serve import served_file
from plumbline.errors import PlumblineError
from plumbline.file_endings import sent_endings
from plumbline.roles import UnclearColumns
from plumbline.workbench.questions.opening import arguments_of, columns_of, opened
from plumbline.workbench.wording import message_of
from readings import assert_same, outcome
from refusals import refused
from workbooks import workbook

read_module = import_module("plumbline.frames.read")  # the package has a function of that name
pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
NO_OPTIONS = dict.fromkeys(TABLE_OPTIONS) | {"prob": (), "rename": ()}
NO_OPTIONS |= dict.fromkeys(("normalize", "logits"), False)

CASES = [pytest.param(one, id=one["name"]) for one in packed("cases.json.gz")]
INVENTED = invented()
SAMPLE = [pytest.param(one, id=one["name"]) for one in some(INVENTED, 30)]


def on_the_page(path):
    """Open a file as the start page does when nobody changes anything."""
    found = columns_of(path)
    if not found["complete"]:
        raise UnclearColumns(found["problem"])
    return opened(path, json.loads(json.dumps(found["guess"])))


def where_served(path):
    """Open a file as `plumbline serve FILE` does."""
    return served_file(path, NO_OPTIONS)()


def extra_names(error):
    """Tell whether a refusal is about a header, which only texts can lack."""
    return "names" in dict(getattr(error, "extra", ()))


def compare(path, *more):
    """Compare all ways into a file; where it is refused, what is offered instead."""
    data = outcome(pb.read, path)
    others = [outcome(on_the_page, path), outcome(where_served, path), *more]
    if not isinstance(data, PlumblineError):
        for other in others:
            assert_same(data, other)
        return data
    assert all(isinstance(other, PlumblineError) for other in others), others
    assert {one.code for one in others[1:]} == {data.code}
    found = columns_of(path)
    assert "`" not in found["problem"]
    assert "=" not in message_of(data).replace(data.text, "")
    readings = (
        getattr(data, "readings", ()) if path.suffix == ".csv" or not extra_names(data) else ()
    )
    if len(readings) > 1:
        assert [one["text"] for one in found["readings"]] == [
            str(one).removeprefix("Read: ") for one in readings
        ]
    else:
        assert found["readings"] == []
    roles = [one["roles"] for one in found["readings"]] or [found["guess"]] * len(readings)
    for reading, said in zip(readings, roles, strict=True):
        how = dict(data.extra) | reading.arguments()
        one = outcome(lambda path, how=how: pb.read(path, **how), path)
        other = outcome(lambda path, said=said: opened(path, json.loads(json.dumps(said))), path)
        if isinstance(one, PlumblineError):
            assert other.code == one.code
        else:
            assert_same(one, other)
    return data


@pytest.mark.parametrize("case", CASES)
def test_a_file_of_the_cases_has_one_reading_everywhere(case, tmp_path):
    """The library, the page and the served file agree, and give the log loss that is known."""
    path = tmp_path / case["name"]
    path.write_text(case["text"], encoding="utf-8", newline="")
    data = compare(path)
    known = case["log_loss"]
    if isinstance(data, PlumblineError) or data.prob is None:
        assert not known or columns_of(path)["problem"]
        return
    losses = [pb.log_loss(part) for part in data.by_model().values()]
    assert sorted(losses) == pytest.approx(sorted(known.values()), abs=2e-6)


@pytest.mark.laws
@pytest.mark.parametrize("one", SAMPLE)
def test_an_invented_table_has_one_reading_everywhere(one, tmp_path):
    """Also as a frame, and written as CSV or Parquet: the same parts, classes and numbers."""
    table = table_of(one)
    if len({*table.column_names}) < table.num_columns:
        return
    parquet.write_table(table, tmp_path / "t.parquet")
    compare(tmp_path / "t.parquet", outcome(pb.Predictions.from_frame, table))
    types = (pa.types.is_nested, pa.types.is_null, pa.types.is_boolean)  # not as CSV writes them
    if not any(is_one(kind) for kind in table.schema.types for is_one in types):
        csv.write_csv(table, tmp_path / "t.csv")
        compare(tmp_path / "t.csv")


def test_second_files_are_no_matter_of_a_page():
    """Which labels is said on the command line."""
    assert served_file(Path("t.csv"), NO_OPTIONS).again is not None
    assert served_file(Path("t.xlsx"), NO_OPTIONS).again is not None
    assert served_file(Path("t.csv"), NO_OPTIONS | {"labels": Path("l.csv")}).again is None


def test_an_unclear_file_that_is_counted_is_opened_as_a_page_says(tmp_path, monkeypatch):
    """Of one larger than memory the first rows are shown; the choice counts all of them."""
    path = tmp_path / "loans.csv"
    rows = "".join(f"{'bad' if i % 3 else 'good'},0.{i:02}\n" for i in range(1, 41))
    path.write_text(f"Status,score\n{rows}")
    served = served_file(path, NO_OPTIONS)
    whole = [served.again(arguments_of(path, one["roles"])) for one in columns_of(path)["readings"]]
    monkeypatch.setattr(read_module, "MOST_BYTES", 100)
    with pytest.raises(UnclearColumns):
        served()
    found = columns_of(path, served.told, counted=True)
    assert (found["rows"], found["complete"], len(found["readings"])) == (None, False, 2)
    for one, data in zip(found["readings"], whole, strict=True):
        counted = served.again(arguments_of(path, one["roles"]))
        assert (counted.counted, counted.total) == (True, data.n)
        assert counted.classes[counted.positive] == data.classes[data.positive]
        assert pb.log_loss(counted) == pytest.approx(pb.log_loss(data), rel=1e-6)


HEADER = ["Status", "score"]
ROWS = [["bad" if i % 3 else "good", i / 41] for i in range(1, 41)]


def log():
    """Return a log of Inspect AI, packed."""
    samples = [
        {"id": i, "scores": {"s": {"value": "CI"[i % 2], "metadata": {"confidence": i / 41}}}}
        for i in range(1, 41)
    ]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}}))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one | {"epoch": 1}))
    return held.getvalue()


def arrays():
    """Return arrays of NumPy, packed."""
    held = io.BytesIO()
    np.savez(held, y_true=[i % 2 for i in range(40)], y_prob=[i / 41 for i in range(40)])
    return held.getvalue()


ARCHIVES = {"t.xlsx": workbook({"June": [HEADER, *ROWS]}), "t.eval": log(), "t.npz": arrays()}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_has_one_reading_everywhere(tmp_path, name):
    """It may be sent to the page too, which reads it as the command does."""
    path = tmp_path / name
    path.write_bytes(ARCHIVES[name])
    assert path.suffix in sent_endings()
    found = columns_of(path)
    assert found["rows"] == 40
    roles = found["guess"] if found["complete"] else found["readings"][0]["roles"]
    how = arguments_of(path, roles)
    assert_same(pb.read(path, **how), opened(path, roles))
    assert_same(pb.read(path, **how), served_file(path, NO_OPTIONS).again(how))


def test_a_sheet_is_said_on_the_command_line(tmp_path):
    """A page names the sheets of several, and shows the columns of the one that was said."""
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook({"May": [HEADER, *ROWS[:20]], "June": [HEADER, *ROWS]}))
    with refused(UnclearColumns, "sheet-unclear", "May", "June") as raised:
        columns_of(path)
    assert "--sheet" in message_of(raised.value)
    served = served_file(path, NO_OPTIONS | {"sheet": "June"})
    found = columns_of(path, served.told)
    assert found["rows"] == 40
    assert replace(served, roles=found["readings"][0]["roles"])().n == 40


def test_a_format_without_its_reader_is_not_sent(monkeypatch):
    """Excel needs a library that not every installation has."""
    monkeypatch.setitem(file_endings.NEEDED, ".xlsx", "a_module_that_is_not_there")
    assert ".xlsx" not in sent_endings()
    assert "Excel" not in file_endings.formats_named()
