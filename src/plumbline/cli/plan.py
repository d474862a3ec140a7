"""The command `plan`: how many rows detect a miscalibration, and what these rows detect."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, terminal
from plumbline.cli.generic import entries_of, list_option, options_of, print_names
from plumbline.cli.messages import progress
from plumbline.cli.prediction_file import (
    TABLE_OPTIONS,
    heading,
    one_model_at_a_time,
    positive_of,
    read_source,
)
from plumbline.cli.terminal import print_json
from plumbline.errors import ParameterError
from plumbline.file_endings import PICTURE_ENDINGS
from plumbline.formatting import printable
from plumbline.requests import REQUESTS

if TYPE_CHECKING:
    from plumbline import Predictions

PLAN = REQUESTS["plan"]
EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline plan forest.csv --actual diagnosis --prob risk=malignant --effect overconfident:1.2
  plumbline plan predictions.parquet --effect shift:0.05 --power 0.9 --models "random forest" \\
      --out plan.svg
  plumbline plan --classes 3 --dirichlet 0.5 --effect random-labels:0.05 --n 200
  plumbline plan holdout.csv --effect ece:0.03 --statistic auto --json
"""


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=False)
@options.reading_options
@options_of(PLAN)
@click.option(
    "--out",
    type=options.OutFile(*PICTURE_ENDINGS),
    metavar="PICTURE",
    help="Draw power against the number of rows: .svg, .png or .pdf.",
)
@list_option
@options.output_options
def plan(
    files: Sequence[Path], as_json: bool, list_names: bool, out: Path | None, **given: Any
) -> None:
    """Compute how many rows are needed to detect a miscalibration, and what FILE can detect.

    Data sets are simulated. Predictions are drawn from the rows of FILE, without their labels.
    Labels are drawn from the probabilities that the effect implies. The test is run on each.
    """
    if list_names:
        options.need_no_file(files)
        print_names(PLAN, as_json=as_json)
        return
    how = {name: given.pop(name) for name in TABLE_OPTIONS}
    values = PLAN.checked("command", given)
    data = _read(files, how)
    if out is not None and data is not None and len(data.models) > 1:
        raise one_model_at_a_time("--out draws the plan of one model", data.models)
    with progress(PLAN.doing) as bar:
        plans = PLAN.answer(data, values, bar)
    if out is not None:
        from plumbline.plots import save_figure

        save_figure(plans[0][1].figure(), out)
    if as_json:
        entries, more = entries_of(plans)
        positive = None if data is None else positive_of(data)
        written = None if out is None else str(out)
        print_json("plan", entries, **more, positive=positive, out=written)
        return
    blocks = [] if data is None else [heading(files, data)]
    blocks.append(terminal.shown(plans))
    blocks += [] if out is None else [f"Picture: {printable(out)}"]
    click.echo("\n\n".join(blocks))


def _read(files: Sequence[Path], how: dict[str, Any]) -> "Predictions | None":
    """Return the table if there is a file; without one nothing may say how to read it."""
    if files:
        return read_source(files, **how)
    given = [name for name, value in how.items() if value]
    if given:
        raise ParameterError(
            f"--{given[0]} describes how to read FILE, but no FILE is given", code="file-missing"
        )
    return None
