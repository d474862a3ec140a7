"""The command `state from-sql`: the result of the query that `plumbline sql` prints, as counts."""

from collections.abc import Sequence
from pathlib import Path

import click

from plumbline.cli import options
from plumbline.formatting import counted, printable

EXAMPLES = """\b
Examples:
  plumbline sql ml.scores --dialect bigquery --out count.sql
  plumbline state from-sql result.csv --out scores.counts
  plumbline state from-sql monday.csv tuesday.csv --out week.counts
"""


def add_from_sql(group: click.Group) -> None:
    """Add the command to the group `state`."""
    group.add_command(from_sql)


@click.command("from-sql", epilog=EXAMPLES)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=options.OutFile(".counts"),
    metavar="FILE",
    required=True,
    help="File of counts to write.",
)
def from_sql(results: Sequence[Path], out: Path) -> None:
    """Turn the RESULT of the query that plumbline sql prints, saved as CSV, into a file of counts.

    Several results are added up. A result that was cut off is refused, and so are rows that the
    database could not count, such as those with a probability outside [0, 1].
    """
    from plumbline.frames.counts_file import write_counts
    from plumbline.frames.sql_result import counts_of_results

    counts = counts_of_results(results)
    write_counts(counts, out)
    click.echo(f"{counted(counts.rows, 'row')} counted: {printable(out)}")
