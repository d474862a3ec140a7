"""SQL that counts the rows of a table at levels of their probability, for whoever runs a database.

Written once, in the SQL of DuckDB, and translated by sqlglot. `sql_result` reads what it returns.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra, one_of, shown, whole_number
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import TABLE_ENDINGS
from plumbline.formatting import quoted
from plumbline.frames.batches import first_rows_of, schema_of
from plumbline.frames.columns import CountedColumns, counted_columns
from plumbline.frames.levels import FINE, LEAST_LINEAR, NEAR
from plumbline.frames.text_batches import text_part
from plumbline.predictions import sources_of
from plumbline.predictions.probabilities import SUMS
from plumbline.roles import columns_of, unseen

if TYPE_CHECKING:
    import pyarrow as pa

DIALECTS = ("bigquery", "databricks", "duckdb", "postgres", "snowflake", "trino")
WITH_SINGLE = ("databricks", "duckdb", "postgres", "trino")  # have columns of single precision
VERSION = 1
LEVELS = 12_600  # divided by 2, 10, 15, 20, 25, 50 and 100: their bins are whole levels
EACH = 20  # levels an octave of probabilities below `NEAR`, or above 1 - `NEAR`
PER_LOG = EACH / 0.6931471805599453  # the same by unit of the natural logarithm
SLACK = {False: 2.0**-26, True: 2.0**-11.5}  # square root of the precision, as tables are read
FACTS = ("actual", "prob", "targets", "groups", "own", "positive")  # of columns, in the result
BAD = {
    "bad label": "column {actual} is empty",
    "bad group": "column {groups} is empty",
    "bad empty": "column {prob} is empty",
    "bad range": "column {prob} must be a probability in [0, 1], and is not (or is NaN)",
    "bad sum": "the probabilities must sum to 1, and do not",
}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def sql(
    source: Any,
    *,
    dialect: str,
    actual: str | None = None,
    prob: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    by: Sequence[str] = (),
    table: str | None = None,
    levels: int = LEVELS,
    single: bool = False,
) -> str:
    """Return one SELECT that counts the rows of a table of two classes, for a database to run.

    The result has a row for each level of the probability and each label: a few thousand rows for
    a table of any size. Save it in a file and read it with `read`. Bins of equal width that are
    whole levels stay exact (1 to 10, 12, 14, 15, 18, 20, 25, 50, 100 and others of 12,600 levels).

    Parameters
    ----------
    source : str or Path
        A file whose columns are those of the table, for example a sample of it; or the name of
        the table, such as `sales.scores`.
    dialect : {"bigquery", "databricks", "duckdb", "postgres", "snowflake", "trino"}
        The SQL to write.
    actual : str, optional
        Column of the observed labels; by default `actual` or, in a file, `y_true`.
    prob : mapping of str to class, optional
        Columns of probabilities and the class of each; by default `p:CLASS` of a file, or
        `y_prob` for the positive class of two.
    rename : mapping of str to str, optional
        Other columns and what they are called: model, fold or repeat.
    positive : class, optional
        Positive class of two; needed for `y_prob` unless the labels are 0 and 1, "no" and "yes"
        or the like.
    by : sequence of str, optional
        Columns of a named table that are counted apart: model, fold, repeat. Those of a file are
        recognised.
    table : str, optional
        Name of the table in the database; by default that of `source`. Only DuckDB reads files.
    levels : int, default 12600
        Levels of equal width; a divisor of 1,801,800 from 360. More are more exact and give more
        rows.
    single : bool, default False
        Whether the probabilities of a named table have single precision. A file tells by itself.

    Returns
    -------
    str
        The query.

    Raises
    ------
    InputError
        For columns that cannot be counted.
    MissingExtraError
        The extra `sql` is not installed.
    ParameterError
        For values outside their rules.

    Examples
    --------
    >>> query = sql("sales.scores", dialect="bigquery", prob={"risk": "yes"})
    >>> query.splitlines()[0], "CAST(risk AS FLOAT64)" in query
    ('WITH rows_read AS (', True)
    """
    one_of("dialect", dialect, DIALECTS)
    whole_number("levels", levels, least=LEAST_LINEAR)
    if FINE.linear % levels:
        raise ParameterError(
            argument="levels",
            rule=f"a divisor of {FINE.linear:,}",
            arrived=str(levels),
            remedy="1800, 12600, 90090 and 138600 are some",
            code="out-of-range",
        )
    how: dict[str, Any] = {"actual": actual, "prob": prob, "rename": rename, "positive": positive}
    how["usual_view"] = "top-label"  # of more classes, which are refused below
    if _is_file(source):
        columns, single = _of_file(source, how)
        name = _file_or_table(str(source), dialect, table)
    else:
        columns, name = _of_table(by, how), table or str(source)
    if columns.many:
        raise InputError(
            f"a query counts two classes, and the table has {len(columns.classes) or 'more'}",
            code="not-countable",
            remedy="name a table of two, such as one with the observed class and the probability "
            "of being right",
        )
    if single and dialect not in WITH_SINGLE:
        single = False  # a column has double precision there, whatever it was filled from
    return query_of(columns, _table(name), dialect, levels, single)


def query_of(columns: CountedColumns, table: str, dialect: str, levels: int, single: bool) -> str:
    """Return the query; `table` is written in the SQL of DuckDB."""
    sqlglot = need_extra("sqlglot", "sql", "SQL for databases")
    by = "".join(f", {group}" for group in _group_columns(columns))
    edge = "CAST(CAST(({}) AS REAL) AS DOUBLE)" if single else "({})"
    query = f"""
    WITH rows_read AS (
      SELECT {_columns_read(columns, levels, single)} FROM {table}
    ), summed AS (
      SELECT *, {_counted(columns, single)} AS x FROM rows_read
    ), parted AS (
      SELECT *,
        CASE {_refusals(columns, single)}
          WHEN x <= 0 THEN 'zero'
          WHEN x >= 1 THEN 'one'
          WHEN x < {NEAR!r} THEN 'low'
          WHEN 1 - x < {NEAR!r} THEN 'high'
          ELSE 'middle' END AS part
      FROM summed
    ), placed AS (
      SELECT *,
        CASE part WHEN 'high' THEN 1 - x ELSE x END AS v,
        CASE part
          WHEN 'middle' THEN CEIL(x * levels) - 1
          WHEN 'low' THEN FLOOR(LN(x) * {PER_LOG!r})
          WHEN 'high' THEN FLOOR(LN(1 - x) * {PER_LOG!r}) END AS k
      FROM parted
    ), counted AS (
      SELECT *,
        CASE WHEN part <> 'middle' THEN k
          WHEN x <= {edge.format("k / levels")} THEN k - 1
          WHEN x > {edge.format("(k + 1) / levels")} THEN k + 1
          ELSE k END AS at_level
      FROM placed
    )
    SELECT part, CAST(at_level AS BIGINT) AS cell, label{by}, COUNT(*) AS n,
      SUM(v) AS sum_v, MIN(v) AS min_v, MAX(v) AS max_v,
      SUM(COUNT(*)) OVER () AS n_total,
      '{_made_by(columns, levels)}' AS made_by
    FROM counted GROUP BY part, at_level, label{by}
    """
    return str(sqlglot.transpile(query, read="duckdb", write=dialect, pretty=True)[0])


def _group_columns(columns: CountedColumns) -> list[str]:
    return [f"by_{name}" for name in columns.groups]


def _probabilities(columns: CountedColumns) -> tuple[str, ...]:
    """Return what the query calls the columns of probabilities; the last is counted."""
    return ("given",) if len(columns.prob) == 1 else ("other", "given")


def _counted(columns: CountedColumns, single: bool) -> str:
    """Return the probability that is counted: divided by the sum of both where that is off."""
    if len(columns.prob) == 1 or SLACK[single] >= SUMS:
        return "given"
    gap = "ABS(other + given - 1)"
    return (
        f"CASE WHEN {gap} > {SLACK[single]!r} AND {gap} <= {SUMS!r} "
        "THEN given / (other + given) ELSE given END"
    )


def _columns_read(columns: CountedColumns, levels: int, single: bool) -> str:
    """Return what is selected of the table, labels as text and numbers in double precision."""
    texts = {
        columns.actual: "label",
        **dict(zip(columns.own, _group_columns(columns), strict=True)),
    }
    number = "CAST(CAST({} AS REAL) AS DOUBLE)" if single else "CAST({} AS DOUBLE)"
    names = zip(columns.prob, _probabilities(columns), strict=True)
    return ", ".join(
        [
            *(f"CAST({_column(name)} AS TEXT) AS {to}" for name, to in texts.items()),
            f"CAST({levels} AS DOUBLE) AS levels",  # a column: some divide by constants inexactly
            *(f"{number.format(_column(name))} AS {to}" for name, to in names),
        ]
    )


def _refusals(columns: CountedColumns, single: bool) -> str:
    """Return the cases of rows that cannot be counted, by their names in `BAD`.

    NaN is the largest number to some databases and fails every comparison in others.
    """
    slack, names = SLACK[single], _probabilities(columns)
    cases = [("label IS NULL OR label = ''", "bad label")]
    cases += [
        (f"{group} IS NULL OR {group} = ''", "bad group") for group in _group_columns(columns)
    ]
    cases += [(f"{name} IS NULL", "bad empty") for name in names]
    cases += [
        (f"NOT ({name} >= {-slack!r} AND {name} <= {1 + slack!r})", "bad range") for name in names
    ]
    if len(names) == 2:
        cases.append((f"ABS(other + given - 1) > {max(slack, SUMS)!r}", "bad sum"))
    return "\n".join(f"WHEN {when} THEN '{what}'" for when, what in cases)


def _made_by(columns: CountedColumns, levels: int) -> str:
    """Return what the reader of the result must know, as JSON inside a text of SQL."""
    facts = {"plumbline": VERSION, "levels": levels, "each": EACH}
    facts |= {name: getattr(columns, name) for name in FACTS}
    return json.dumps(facts, ensure_ascii=False, default=str).replace("'", "''")


def _column(name: str) -> str:
    """Return a column as SQL: quoted only where it must be, as some databases fold plain names."""
    return name if _PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'


def _table(name: str) -> str:
    """Return the name of a table as SQL; a quoted text names a file."""
    if name.startswith("'"):
        return name
    parts = re.findall(r'"[^"]+"|`[^`]+`|[^."`]+', name)
    if not parts:
        raise ParameterError(
            argument="source", rule="the name of a table or a file", arrived=name,
            code="wrong-kind",
        )  # fmt: skip
    return ".".join(_column(part.strip('"`')) for part in parts)


def _is_file(source: Any) -> bool:
    path = Path(source)
    return str(source).endswith(TABLE_ENDINGS) or path.is_file()


def _file_or_table(file: str, dialect: str, table: str | None) -> str:
    if table is not None:
        return table
    if dialect == "duckdb":
        return "'" + file.replace("'", "''") + "'"
    raise ParameterError(
        f"{dialect} does not read the file {quoted(Path(file).name)}; name the table there",
        code="table-missing",
        remedy="pass its name as `table`",
    )


def _of_file(file: Any, how: Mapping[str, Any]) -> tuple[CountedColumns, bool]:
    """Return the columns of a file that are counted, and whether they have single precision."""
    source = sources_of(file)[0]
    if source.is_text:
        return text_part(source, separator=None, decimal=None, how=how)[0], False
    schema = schema_of(source)
    columns = counted_columns(columns_of(first_rows_of(source)), **how)
    return columns, all(_is_single(schema.field(name).type) for name in columns.prob)


def _is_single(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return bool(pa.types.is_float32(kind))


def _of_table(by: Sequence[str], how: Mapping[str, Any]) -> CountedColumns:
    """Return the columns of a table that is only named."""
    rename = how["rename"] or {}
    names = [
        how["actual"] or "actual",
        *(how["prob"] or ["y_prob"]),
        *by,
        *(name for name in rename if name not in by),
    ]
    columns = counted_columns(unseen(dict.fromkeys(names)), **how)
    left = [name for name in names if name not in columns.names]
    if left:
        raise InputError(
            f"rows are counted apart by model, fold or repeat, and not by {shown(left)}",
            code="not-countable",
            remedy="say with `rename={'COLUMN': 'model'}` what a column is",
        )
    return columns
