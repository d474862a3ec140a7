"""The command `state from-sql`: the result of the query that `plumbline sql` prints, as a state."""

from collections.abc import Sequence
from pathlib import Path

import click

from plumbline.cli import options
from plumbline.file_endings import STATE_ENDINGS
from plumbline.formatting import counted, printable

EXAMPLES = """\b
Examples:
  plumbline sql ml.scores --dialect bigquery --out count.sql
  plumbline state from-sql result.csv --out scores.state
  plumbline state from-sql monday.csv tuesday.csv --out week.state
"""


@click.command("from-sql", epilog=EXAMPLES)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=options.OutFile(*STATE_ENDINGS),
    metavar="FILE",
    required=True,
    help="State to write.",
)
def from_sql(results: Sequence[Path], out: Path) -> None:
    """Turn the RESULT of the query that plumbline sql prints, saved as CSV, into a state.

    Several results are added up. A result that was cut off is refused, and so are rows that the
    database could not count, such as those with a probability outside [0, 1].
    """
    from plumbline.frames.sql_result import counts_of_results
    from plumbline.frames.state_file import write_state

    counts = counts_of_results(results)
    write_state(counts, out)
    click.echo(f"{counted(counts.rows, 'row')} counted: {printable(out)}")
