"""The command `demo`: the worked example that needs no data of the user's."""

from pathlib import Path

import click

from plumbline.cli import options
from plumbline.cli.generic import options_of
from plumbline.cli.messages import progress
from plumbline.cli.terminal import shown
from plumbline.command_words import command_line, file_word
from plumbline.formatting import printable
from plumbline.requests.table import CALIBRATION

EXAMPLES = """\b
Examples:
  plumbline demo
  plumbline demo --out worked-example --seed 7
"""


@options.command(epilog=EXAMPLES)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    default="demo",
    help="Folder to write into (default demo); it is created if needed.",
)
@options_of(CALIBRATION, "rng")
def demo(out: Path, rng: str | None) -> None:
    """Evaluate three classifiers on two data sets, as a first example.

    Naive Bayes, a decision tree and a random forest are cross-validated (10 folds) on the breast
    cancer and digits data of scikit-learn. Writes a prediction table and a report for each data
    set, and the files that the examples of other commands read, in less than a minute.
    """
    from plumbline.demo import worked_examples

    params = CALIBRATION.checked("command", {"rng": rng})
    with progress("demo") as bar:
        examples = worked_examples(out, rng=params.get("rng", 0), progress=bar)
    for example in examples:
        click.echo(f"{example.title}\n")
        click.echo(shown([(one.model, one) for one in example.evaluation.models]))
        click.echo(
            f"\nPredictions: {printable(example.table)}\nReport:      {printable(example.report)}\n"
        )
    click.echo(f"Next: plumbline test {printable(command_line([file_word(examples[0].table)]))}")
