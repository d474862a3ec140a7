"""Which column plays which part: invented tables with what a careful reader makes of them."""

import gzip
import json
import string
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import plumbline as pb
from plumbline.errors import PlumblineError
from plumbline.predictions.frame_tables import arrow_table
from plumbline.roles import UnclearColumns, columns_of, decide, names

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
SHAPES = {"list": "lists", "hard": "labels"}  # as the tables call them
SIDES = ("row", "fold", "repeat", "weight", "predicted")
# Two readings that differ by a constant 1 - p, a word of no table of names, and a column `sex`.
REFUSED_THOUGH_UNIQUE = {"complement only", "rain forecast mm", "sex as the truth, pair"}


def invented():
    """Return the tables: a name, the columns, and the reading, None where none is the only one."""
    packed = (Path(__file__).parent / "invented.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))


TABLES = [pytest.param(one, id=one["name"]) for one in invented()]


def table_of(one):
    """Return an Arrow table; values of several types become texts."""
    columns = []
    for _, values in one["columns"]:
        try:
            columns.append(pa.array(values))
        except pa.ArrowException:
            columns.append(pa.array([None if v is None else str(v) for v in values]))
    return pa.table(columns, names=[name for name, _ in one["columns"]])


def is_as_wanted(reading, wanted):
    """Compare with what a careful reader says."""
    ours = {"actual": reading.actual, "prob": sorted(column for column, _ in reading.prob)}
    ours |= {"model": reading.parts.get("model"), "positive": reading.positive}
    ours |= {"how": reading.shape, "groups": reading.groups}
    ours |= {part: reading.parts.get(part) for part in SIDES}
    ours["class_column"] = reading.parts.get("class")
    free = wanted["any"].split()
    for name in ("model", "weight"):  # said of no table that has none
        wanted = {name: None} | wanted if name not in free else wanted
    wanted = wanted | {"how": SHAPES.get(wanted.get("how"), wanted.get("how", reading.shape))}
    return all(ours[name] == value for name, value in wanted.items() if name != "any")


def read_or_error(read, *source, **how):
    """Return what is read, and the refusal; one of them is None."""
    try:
        return read(*source, **how), None
    except PlumblineError as error:
        return None, error


@pytest.mark.parametrize("one", TABLES)
def test_a_table_is_read_as_by_a_careful_reader_or_refused(one):
    """Never in another way; and what has one reading is read, three tables apart."""
    table, wanted = table_of(one), one["read"]
    twice = len({*table.column_names}) < table.num_columns
    if twice:
        with pytest.raises(PlumblineError):
            arrow_table(table)
        return
    try:
        reading = decide(columns_of(table))
    except UnclearColumns:
        assert wanted is None or one["name"] in REFUSED_THOUGH_UNIQUE
        return
    if wanted is None:  # rows without a value are refused when all of them are read
        with pytest.raises(UnclearColumns):
            pb.Predictions.from_frame(table)
        return
    assert is_as_wanted(reading, wanted), reading


@pytest.mark.parametrize("one", TABLES)
def test_each_reading_that_a_refusal_offers_works(one):
    """Named as arguments it opens the table, or is refused for values, not for columns."""
    table = table_of(one)
    _, refusal = read_or_error(pb.Predictions.from_frame, table)
    for reading in getattr(refusal, "readings", ()):
        how = dict(refusal.extra) | reading.arguments()
        if "names" in how:  # of text files
            continue
        again, error = read_or_error(pb.Predictions.from_frame, table, **how)
        if isinstance(error, UnclearColumns):
            assert error.code in ("value-missing", "column-unclear"), how
        if again is not None:
            assert again.reading.actual == reading.actual


@pytest.mark.parametrize("one", TABLES[::4])
def test_every_door_reads_a_file_in_the_same_way(one, tmp_path):
    """CSV and Parquet, in memory and counted, and the frame: one reading, and one log loss."""
    table = table_of(one)
    types = (pa.types.is_nested, pa.types.is_null, pa.types.is_boolean)  # not as CSV writes them
    if any(is_one(kind) for kind in table.schema.types for is_one in types):
        return
    try:
        data = pb.Predictions.from_frame(table)
    except PlumblineError:
        return
    parquet.write_table(table, tmp_path / "t.parquet")
    csv.write_csv(table, tmp_path / "t.csv")
    for name in ("t.parquet", "t.csv"):
        again = pb.read(tmp_path / name)
        assert again.reading == data.reading
        if data.prob is not None:
            for model, part in data.by_model().items():
                same = again.by_model()[model]
                assert pb.log_loss(same) == pytest.approx(pb.log_loss(part), rel=1e-12)
        counted, error = read_or_error(pb.read, tmp_path / name, engine="counts", attributes=[])
        assert error.code == "not-countable" if error else counted.reading == data.reading


def test_hostile_headers_are_read_or_refused(tmp_path):
    """Names of any characters, and values of any kind, through two doors: never another error."""
    rng = np.random.default_rng(5)
    letters = [*string.printable.strip(), "é", "数", "p:", "prob_", "y_", "score", "id", "=", ","]
    values = [
        rng.integers(0, 2, 30),
        rng.random(30).round(3),
        rng.choice(["yes", "no"], 30),
        rng.choice(["a", "b", "c"], 30),
        np.arange(30),
        rng.normal(size=30),
    ]
    for _ in range(300):
        width = int(rng.integers(1, 6))
        called = {"".join(rng.choice(letters, rng.integers(1, 5))) for _ in range(width)}
        table = pa.table({name: values[rng.integers(len(values))] for name in called})
        try:
            reading = pb.Predictions.from_frame(table).reading
        except PlumblineError:
            continue
        parquet.write_table(table, tmp_path / "t.parquet")
        assert pb.read(tmp_path / "t.parquet").reading == reading


@pytest.mark.parametrize(
    "several",
    [
        (names.OWN_TRUTH, names.SURE_TRUTH, names.TRUTH, names.NOT_TRUTH),
        (names.OWN_PROB, names.NOT_PROB, names.MARGIN),
        (names.MODEL, names.RUN, names.ROW, names.FOLD, names.REPEAT, names.SPLIT),
        (names.COUNTS, names.WEIGHT, names.SURE_WEIGHT, names.TIMES),
        (names.BAD, names.GOOD),
    ],
)
def test_tables_of_names_are_disjoint(several):
    """A name in two tables of one decision would mean whatever is looked up first."""
    for place, one in enumerate(several):
        for other in several[place + 1 :]:
            assert not one & other


def test_an_id_that_recurs_is_named():
    """Its rows may belong together; with a model beside it they are those of models."""
    table = pa.table(
        {"loan_id": [1, 1, 2, 2], "default": [0, 0, 1, 1], "score": [0.1, 0.1, 0.8, 0.8]}
    )
    with pytest.warns(pb.PlumblineWarning, match="'loan_id' recurs: 4 rows of 2"):
        assert pb.Predictions.from_frame(table).reading.groups == "loan_id"
    models = table.append_column("model", pa.array(["xgb", "rf"] * 2))
    assert pb.Predictions.from_frame(models).reading.parts["row"] == "loan_id"
