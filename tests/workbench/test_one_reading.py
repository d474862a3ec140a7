"""A file has one reading: in the library, as a frame, on the start page, and where it is served."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import plumbline as pb
from invented_tables import invented, packed, table_of
from plumbline.cli.prediction_file import TABLE_OPTIONS
from plumbline.cli.serve import served_file
from plumbline.errors import PlumblineError
from plumbline.roles import UnclearColumns
from plumbline.workbench.questions.opening import columns_of, opened
from plumbline.workbench.wording import message_of
from readings import assert_same, outcome

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
NO_OPTIONS = dict.fromkeys(TABLE_OPTIONS) | {"prob": (), "rename": ()}
NO_OPTIONS |= dict.fromkeys(("normalize", "logits"), False)

CASES = [pytest.param(one, id=one["name"]) for one in packed("cases.json.gz")]
INVENTED = invented()
SAMPLE = [pytest.param(one, id=one["name"]) for one in INVENTED[:: len(INVENTED) // 60]]


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


def test_archives_and_second_files_are_no_matter_of_a_page():
    """Which sheet of a workbook, or which labels, is said on the command line."""
    assert served_file(Path("t.csv"), NO_OPTIONS).again is not None
    assert served_file(Path("t.xlsx"), NO_OPTIONS).again is None
    assert served_file(Path("t.csv"), NO_OPTIONS | {"labels": Path("l.csv")}).again is None
