"""The SQL that counts rows: executed, translated, and read back as the table it was run on."""

import csv
import json

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import sqlglot
from pyarrow import parquet

import plumbline as pb
from laws import law, some
from plumbline.binning import place
from plumbline.calibration import define_error, statistic, value_of
from plumbline.errors import InputError, ParameterError
from plumbline.frames import LevelCounts, count, counted_columns, counts_of_results, join_states
from plumbline.frames.sql import DIALECTS, WITH_SINGLE, query_of
from plumbline.frames.sql_result import counts_of_sql
from plumbline.predictions import sources_of
from plumbline.roles import columns_of, unseen
from refusals import refused

DATABASE = duckdb.connect(config={"threads": 1})
FIRST, LAST = ("zero", "low"), ("high", "one")


def in_duckdb(query, table):
    """Run a query on an Arrow table called `scores`."""
    DATABASE.register("scores", table)
    return DATABASE.sql(query).to_arrow_table()


def in_polars(query, table):
    """Run it with Polars, which knows this SQL too."""
    return pl.SQLContext(scores=pl.from_arrow(table).lazy()).execute(query).collect().to_arrow()


ENGINES = [in_duckdb, in_polars]


def saved(result, path):
    """Write a result as CSV, as a tool for databases does."""
    lines = result.to_pylist()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, result.column_names)
        writer.writeheader()
        writer.writerows(lines)
    return path


def rows(n=4000, seed=0, kind=np.float64, folds=1):
    """Return rows with probabilities of every size, as an Arrow table."""
    rng = np.random.default_rng(seed)
    prob = np.concatenate([rng.beta(0.5, 1.5, n - 400), rng.random(200) ** 40, np.ones(200)])
    prob[n - 200 :] -= rng.random(200) ** 20
    prob[:6] = [0, 1, 0.5, 1e-300, 1 - 1e-16, 2.0**-10]
    hit = rng.random(n) < 0.8 * prob + 0.05
    hit[:2] = [False, True]
    columns = {"actual": np.where(hit, "yes", "no"), "p:yes": prob.astype(kind)}
    if folds > 1:
        columns["fold"] = np.arange(n) % folds
    return pa.table(columns)


def query(table, **params):
    """Return the SQL for a table in DuckDB."""
    folds = ["fold"] if "fold" in table.column_names else []
    prob = {name: name.removeprefix("p:") for name in table.column_names if name.startswith("p:")}
    single = pa.types.is_float32(table.schema.field("p:yes").type)
    how = {"dialect": "duckdb", "prob": prob, "by": folds, "single": single} | params
    return pb.sql("scores", **how)


def error(data, bins):
    """Return the calibration error of bins of equal width."""
    return float(value_of(statistic(data, define_error(data, bins=bins))))


def assert_same(one, other):
    """The numbers of binned probabilities to 1e-12, others by the width of a level."""
    assert (one.classes, one.positive) == (other.classes, other.positive)
    assert one.total == other.n
    for bins in (1, 2, 7, 10, 15, 20, 25, 50, 100):
        assert error(one, bins) == pytest.approx(error(other, bins), abs=1e-12)
    assert pb.brier_score(one) == pytest.approx(pb.brier_score(other), abs=5e-7)
    assert pb.accuracy(one) == pytest.approx(pb.accuracy(other), abs=2e-4)


@pytest.mark.laws
@pytest.mark.parametrize("execute", ENGINES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_bins_are_those_of_equal_width(execute, kind):
    """At every edge k / B up to B = 200, and beside it, rows fall where `binning` puts them."""
    columns = counted_columns(unseen(["actual", "y_prob"]))
    for bins in some(range(1, 201), 12):
        edge = (np.arange(bins + 1) / bins).astype(kind)
        prob = np.concatenate([edge, np.nextafter(edge, kind(0)), np.nextafter(edge, kind(1))])
        table = pa.table({"actual": np.zeros(len(prob), np.int8), "y_prob": prob})
        text = query_of(columns, "scores", "duckdb", bins, single=kind is np.float32)
        found = np.zeros(bins)
        for line in execute(text, table).to_pylist():
            part = line["part"]
            at = 0 if part in FIRST else bins - 1 if part in LAST else line["cell"]
            found[at] += line["n"]
        expected = np.bincount(place(np.sort(prob), edge), minlength=bins)
        assert found.tolist() == expected.tolist(), bins


@pytest.mark.parametrize("execute", ENGINES)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@law("levels", [12_600, 1_800, 138_600], number=2)
def test_a_result_gives_the_numbers_of_the_rows(tmp_path, execute, kind, levels):
    """Whichever engine runs the query, however many levels."""
    table = rows(kind=kind)
    path = saved(execute(query(table, levels=levels), table), tmp_path / "result.csv")
    data, other = pb.read(path), pb.Predictions.from_frame(table)
    near = 1e-12 if kind is np.float64 or levels <= 12_600 else 3e-8  # edges in single precision
    for bins in (1, 10, 15, 20, 25, 50):
        assert error(data, bins) == pytest.approx(error(other, bins), abs=near)
    if levels == 12_600:
        assert_same(data, other)


def test_folds_and_both_columns_of_probabilities_are_read(tmp_path):
    """Each fold is counted apart; two columns must sum to 1."""
    table = rows(folds=3)
    table = table.append_column("p:no", pa.array(1 - table.column("p:yes").to_numpy()))
    path = saved(in_duckdb(query(table), table), tmp_path / "result.csv")
    data, whole = pb.read(path), pb.Predictions.from_frame(table)
    assert data.folds == whole.folds
    for fold in whole.folds:
        assert_same(data.select(fold=[fold]), whole.select(fold=[fold]))


@law("dialect", DIALECTS, number=3)
def test_every_dialect_says_the_same(tmp_path, dialect):
    """Its text is parsed, and translated back it gives the rows that DuckDB gave."""
    for kind in (np.float64, np.float32) if dialect in WITH_SINGLE else (np.float64,):
        table = rows(kind=kind, folds=2)
        text = query(table, dialect=dialect, rename={"fold": "fold"})
        (parsed,) = sqlglot.parse(text, read=dialect)
        back = in_duckdb(parsed.sql("duckdb"), table)
        assert_same(pb.read(saved(back, tmp_path / "result.csv")), pb.Predictions.from_frame(table))


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([True, False], ("False", "True")),
        ([1, 0], ("0", "1")),
        ([1.0, 0.0], ("0", "1")),
        (["yes", "no"], ("no", "yes")),
    ],
)
def test_labels_of_any_type_name_their_classes(tmp_path, labels, classes):
    """Truth values, numbers and texts."""
    table = pa.table({"actual": labels * 3, "y_prob": [0.2, 0.4, 0.5, 0.6, 0.7, 0.8]})
    text = pb.sql("scores", dialect="duckdb")
    data = pb.read(saved(in_duckdb(text, table), tmp_path / "result.csv"))
    assert (data.classes, data.positive) == (classes, 1)
    other = pb.read(tmp_path / "result.csv", positive=classes[0])
    assert other.positive == 0


def test_a_file_tells_columns_and_precision(tmp_path):
    """Also names that must be quoted; the other dialects need the name of the table."""
    parquet.write_table(rows(kind=np.float32), tmp_path / "it's.parquet")
    text = pb.sql(tmp_path / "it's.parquet", dialect="duckdb")
    assert "REAL" in text
    result = duckdb.sql(text).to_arrow_table()
    assert_same(
        pb.read(saved(result, tmp_path / "r.csv")), pb.Predictions.from_frame(rows(kind=np.float32))
    )
    with refused(ParameterError, "table-missing"):
        pb.sql(tmp_path / "it's.parquet", dialect="trino")
    named = pb.sql(tmp_path / "it's.parquet", dialect="trino", table="ml.big scores")
    assert 'ml."big scores"' in named


def test_days_and_other_counts_add_up(tmp_path):
    """Results of two days are the whole, also beside rows that were counted here."""
    table = rows()
    parts = [table.slice(0, 1500), table.slice(1500)]
    paths = [
        saved(in_duckdb(query(part), part), tmp_path / f"{day}.csv")
        for day, part in enumerate(parts)
    ]
    assert_same(pb.read(paths), pb.Predictions.from_frame(table))
    here = LevelCounts(counted_columns(columns_of(table)))
    here.add(parts[1].combine_chunks().to_batches()[0], "rows", 0)
    here.merge(counts_of_sql(*sources_of(paths[0])))
    assert here.levels.linear == 12_600
    assert_same(here.predictions(), pb.Predictions.from_frame(table))


@pytest.mark.parametrize("execute", ENGINES)
def test_rows_that_cannot_be_counted_are_refused_with_their_number(tmp_path, execute):
    """Empty labels, no number, numbers outside [0, 1] and sums."""
    table = pa.table(
        {
            "actual": ["yes", None, "", "no", "yes", "no", "yes"],
            "p:yes": [0.2, 0.3, 0.4, None, float("nan"), 1.5, 0.5],
            "p:no": [0.8, 0.7, 0.6, 0.5, 0.5, -0.5, 0.6],
        }
    )
    path = saved(execute(query(table), table), tmp_path / "result.csv")
    with refused(InputError, "bad-rows") as caught:
        pb.read(path)
    for reason in ("'actual' is empty in 2", "is empty in 1", "NaN) in 2", "sum to 1", "not in 1"):
        assert reason in str(caught.value)


def changed(path, change):
    """Change the lines of a result."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    lines = change(lines) or lines
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)


def version(lines):
    """Call every line one of a newer version."""
    for line in lines:
        line["made_by"] = json.dumps(json.loads(line["made_by"]) | {"plumbline": 2})


def level(lines):
    """Move the rows of a line to another level."""
    middle = next(line for line in lines if line["part"] == "middle")
    middle["cell"] = str(int(middle["cell"]) + 3000)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda lines: lines[:-5], "result-cut"),
        (lambda lines: lines + lines[:1], "result-cut"),
        (lambda lines: lines[0].update(n="many"), "no-sql-result"),
        (lambda lines: lines[0].update(made_by="{}"), "no-sql-result"),
        (lambda lines: [line | {"made_by": "7"} for line in lines], "no-sql-result"),
        (lambda lines: lines[0].update(label="maybe"), "class-without-column"),
        (lambda lines: lines[0].update(part="centre"), "no-sql-result"),
        (level, "no-sql-result"),
        (version, "newer-version"),
    ],
)
def test_what_is_not_the_whole_result_is_refused(tmp_path, change, code):
    """Lines that are missing or twice there, other numbers, other labels."""
    table = rows()
    path = saved(in_duckdb(query(table), table), tmp_path / "result.csv")
    changed(path, change)
    with refused(InputError, code):
        counts_of_results(sources_of(path))


@law(
    ("name", "form"),
    [
        ("semicolon.csv", "FORMAT csv, DELIMITER ';'"),
        ("tab.tsv", "FORMAT csv, DELIMITER '\t'"),
        ("packed.csv.gz", "FORMAT csv, COMPRESSION gzip"),
        ("packed.jsonl.gz", "FORMAT json, COMPRESSION gzip"),
        ("lines.ndjson", "FORMAT json"),
        ("columns.parquet", "FORMAT parquet"),
    ],
    number=4,
)
@pytest.mark.parametrize("capitals", [False, True])
def test_what_warehouses_export_is_read(tmp_path, name, form, capitals):
    """Names of columns in capitals, counts as decimals, labels and folds that begin with 0."""
    table = rows(folds=2)
    label = pa.array(["01" if one == "yes" else "00" for one in table["actual"].to_pylist()])
    table = table.set_column(0, "actual", label)
    text = pb.sql("scores", dialect="duckdb", prob={"p:yes": "01"}, by=["fold"])
    result = in_duckdb(text, table)
    if capitals:
        result = result.rename_columns([column.upper() for column in result.column_names])
        place = result.column_names.index("N")
        result = result.set_column(place, "N", result["N"].cast(pa.decimal128(38, 0)))
    DATABASE.register("result", result)
    DATABASE.execute(f"COPY result TO '{tmp_path / name}' ({form})")
    other = pb.Predictions.from_frame(table, prob={"p:yes": "01"})
    data = pb.read(tmp_path / name)
    assert data.folds == other.folds
    assert_same(data, other)


def test_a_decimal_comma_is_read(tmp_path):
    """As spreadsheets save it."""
    table = rows()
    result = in_duckdb(query(table), table)
    lines = [";".join(result.column_names)]
    for line in result.to_pylist():
        cells = [str(c).replace(".", ",") if isinstance(c, float) else c for c in line.values()]
        quoted = str(cells[-1]).replace('"', '""')
        lines.append(";".join("" if c is None else str(c) for c in cells[:-1]) + f';"{quoted}"')
    (tmp_path / "result.csv").write_text("\n".join(lines), "utf-8")
    assert_same(pb.read(tmp_path / "result.csv"), pb.Predictions.from_frame(table))


def test_a_query_of_one_column_adds_to_rows_of_two(tmp_path):
    """As the probability of one class is counted in both."""
    table = rows(600)
    saved(in_duckdb(query(table), table), tmp_path / "result.csv")
    prob = table["p:yes"].to_numpy()
    parquet.write_table(table.add_column(1, "p:no", pa.array(1 - prob)), tmp_path / "two.parquet")
    for files in (["two.parquet", "result.csv"], ["result.csv", "two.parquet"]):
        whole, more = (count(tmp_path / name) for name in files)
        join_states(whole, more, files[1])
        assert error(whole.predictions(), 15) == pytest.approx(
            error(pb.Predictions.from_frame(table), 15), abs=1e-12
        )


def test_capitals_are_read_and_other_files_refused(tmp_path):
    """Snowflake writes names in capitals; a result of other columns is none of this table."""
    table = rows()
    path = saved(in_duckdb(query(table), table), tmp_path / "result.csv")
    head, _, rest = path.read_text("utf-8").partition("\n")
    path.write_text(f"{head.upper()}\n{rest}", "utf-8")
    assert_same(pb.read(path), pb.Predictions.from_frame(table))
    other = table.rename_columns(["label", "p:yes"])
    text = in_duckdb(query(other, actual="label"), other)
    with refused(InputError, "columns-differ"):
        counts_of_results(sources_of([path, saved(text, tmp_path / "other.csv")]))
    (tmp_path / "x.csv").write_text("part,cell,label,n\nmiddle,1,yes,1\n", "utf-8")
    with refused(InputError, "no-sql-result"):
        pb.read(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text(f"{head}\n", "utf-8")
    with refused(InputError, "no-rows"):
        pb.read(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("params", "kind", "code"),
    [
        ({"dialect": "sqlite"}, ParameterError, "unknown-name"),
        ({"levels": 1000}, ParameterError, "out-of-range"),
        ({"levels": 180}, ParameterError, "no-whole-number"),
        ({"by": ["site"]}, InputError, "not-countable"),
    ],
)
def test_values_outside_their_rules_are_refused(params, kind, code):
    """Dialects, levels and columns that are not known."""
    with refused(kind, code):
        pb.sql("scores", **({"dialect": "duckdb"} | params))
