"""The command `sql`: the query that counts the rows of a table in a database."""

from pathlib import Path
from typing import Any

import click

from plumbline.cli import options
from plumbline.cli.prediction_file import Pairs, listed, pairs_of
from plumbline.formatting import printable

DIALECTS = ("bigquery", "databricks", "duckdb", "postgres", "snowflake", "trino")
GROUPS = ("model", "fold", "repeat")
EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline sql predictions.parquet --dialect duckdb
  plumbline sql predictions.parquet --dialect snowflake --table ml.scores
  plumbline sql ml.scores --dialect bigquery --prob risk=malignant --actual diagnosis
  plumbline sql ml.scores --dialect postgres --by model,fold --out count.sql
"""


@options.command(epilog=EXAMPLES)
@click.argument("source", metavar="FILE|TABLE")
@click.option(
    "--dialect",
    type=options.Name(lambda: DIALECTS),
    required=True,
    metavar="NAME",
    help="SQL to write: bigquery, databricks, duckdb, postgres, snowflake or trino.",
)
@options.column_options
@click.option(
    "--by",
    metavar="A,B",
    help="Columns of TABLE to count apart: model, fold, repeat. Those of FILE are recognised.",
)
@click.option(
    "--table",
    metavar="NAME",
    help="Name of the table in the database, where FILE only shows its columns.",
)
@click.option(
    "--levels",
    type=options.Whole(1),
    metavar="N",
    default=12_600,
    help="Levels of the probability (default 12600): a divisor of 1,801,800 from 360. More are "
    "more exact and give more rows.",
)
@click.option(
    "--single",
    is_flag=True,
    help="The probabilities of TABLE have single precision. FILE tells by itself.",
)
@click.option(
    "--out",
    type=options.OutFile(".sql"),
    metavar="FILE",
    help="Write the query to a file instead of printing it.",
)
def sql(
    source: str,
    dialect: str,
    prob: Pairs,
    rename: Pairs,
    by: str | None,
    out: Path | None,
    **given: Any,
) -> None:
    """Print one SELECT that counts the rows of a table of two classes, for a database to run.

    Name a FILE with the columns of the table, for example a sample of it, or the TABLE itself. The
    result of the query has a few thousand rows, whatever the size of the table. Save it
    as CSV, JSON lines or Parquet. The other commands read it in place of the table.
    """
    import plumbline
    from plumbline.atomic_files import write_whole

    text = plumbline.sql(
        source,
        dialect=dialect,
        prob=pairs_of("--prob", prob),
        rename=pairs_of("--rename", rename),
        by=listed("--by", by, GROUPS) if by else (),
        **given,
    )
    if out is None:
        click.echo(f"{text};")
        return
    write_whole(out, lambda to: Path(to).write_text(f"{text};\n", "utf-8"))
    click.echo(f"Query: {printable(out)}")
