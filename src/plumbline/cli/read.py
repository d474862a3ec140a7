"""The command `read`: what was understood of a table, and what it can be asked next."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options
from plumbline.command_words import command_line, file_word, option_words
from plumbline.file_endings import WRITTEN
from plumbline.formatting import printable

if TYPE_CHECKING:
    from plumbline import Predictions

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline read predictions.parquet
  plumbline read forest.csv --actual diagnosis --prob risk=malignant --to forest.parquet
  plumbline read predictions.parquet --models "random forest" --to forest.jsonl
  plumbline read ../digits/predictions.parquet --json
"""


def _has_probabilities(data: "Predictions") -> bool:
    return data.prob is not None


def _has_decisions(data: "Predictions") -> bool:
    return data.prob is not None or data.label is not None


def _is_ranked(data: "Predictions") -> bool:
    return data.k == 2 and (data.prob is not None or data.score is not None)


def _has_pairs(data: "Predictions") -> bool:
    """Tell whether models predicted the same examples, as `compare` pairs them."""
    from plumbline.errors import InputError
    from plumbline.predictions import has_own_truth, paired

    if data.prob is None or len(data.models) < 2 or data.counted:
        return False
    try:
        for model in data.models[1:]:
            paired(data, data.models[0], model, own_truth=has_own_truth(data))
    except InputError:
        return False
    return True


def _has_labels_alone(data: "Predictions") -> bool:
    return data.prob is None and data.label is not None


def _is_rated_alone(data: "Predictions") -> bool:
    return data.prob is None and _is_ranked(data)


# What can be asked next of which tables: what it gives, and the words of the command.
NEXT: tuple[tuple[str, tuple[str, ...], Callable[["Predictions"], bool]], ...] = (
    ("calibrated?", ("test",), _has_probabilities),
    ("scores", ("scores",), _has_probabilities),
    ("accuracy", ("scores", "--metrics", "accuracy"), _has_labels_alone),
    ("ranks", ("scores", "--metrics", "roc-auc"), _is_rated_alone),
    ("calibration error", ("calibration",), _has_probabilities),
    ("confused classes", ("confusion",), _has_decisions),
    ("ROC curve", ("curve", "--preset", "roc"), _is_ranked),
    ("better model", ("compare",), _has_pairs),
    ("recalibrated", ("recalibrate",), _has_probabilities),
    ("all on one page", ("report",), _has_probabilities),
)

OF_ONE = ("recalibrate",)  # commands that take one model


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=True)
@options.reading_options
@click.option(
    "--to",
    type=options.OutFile(*WRITTEN),
    metavar="FILE",
    help=f"Write the table with the names of the prediction table: {', '.join(WRITTEN)}.",
)
@options.json_option
def read(files: Sequence[Path], to: Path | None, as_json: bool, **how: Any) -> None:
    """Show what is understood of a table: rows, models, classes, the first rows, what to ask next.

    With --to it is written as a prediction table, which every command reads without options. A
    table that has several readings is refused, with the command of each.
    """
    from plumbline._result import Presentation
    from plumbline.cli import terminal
    from plumbline.cli.messages import printed_once
    from plumbline.cli.prediction_file import heading, positive_of, read_source
    from plumbline.cli.terminal import running_source
    from plumbline.predictions.overview import overview

    options.need_other_file([to], files)
    with printed_once() as notes:
        data = read_source(files, **how)
        found = overview(data)
        notes += found.notes
    if to is not None:
        data.write(to)
    commands = _commands(data, running_source() if to is None else [file_word(to)])
    if as_json:
        terminal.print_json(
            "read",
            [found.to_dict()],
            positive=positive_of(data),
            next=[line for _, line in commands],
            files=[] if to is None else [str(to)],
        )
        return
    whole = found.present()
    click.echo(f"{heading(files, data, always=True)}\n")
    click.echo(terminal.laid_out([replace(whole, tables=())]))
    if whole.tables:
        tables = Presentation(tables=whole.tables, tables_first=True)
        click.echo(f"\n{terminal.laid_out([tables])}")
    if commands:
        click.echo(f"\nNext\n{terminal.listed(commands)}")
    if to is not None:
        click.echo(f"\nTable: {printable(to)}")


def _commands(data: "Predictions", table: Sequence[str]) -> list[tuple[str, str]]:
    """Return what a table can be asked, each with its command."""
    from plumbline.cli.program import NAME

    one = [*option_words("models", [data.models[0]])] if len(data.models) > 1 else []
    return [
        (gives, command_line([NAME, name, *table, *more, *(one if name in OF_ONE else [])]))
        for gives, (name, *more), supports in NEXT
        if supports(data)
    ]
