"""The commands that measure: `scores` and `calibration`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, wording
from plumbline.cli.messages import progress
from plumbline.cli.shown import entry, print_json
from plumbline.cli.source import heading, read_source, split_source
from plumbline.progress import Progress, share_of

if TYPE_CHECKING:
    from plumbline import CalibrationError, Predictions

SCORES_EXAMPLES = """\b
Examples:
  plumbline scores predictions.parquet
  plumbline scores predictions.parquet --models forest,bayes --folds 0,3
  plumbline scores weather.csv --actual outcome --prob chance=rain
  plumbline scores predictions.parquet --json
"""

CALIBRATION_EXAMPLES = """\b
Examples:
  plumbline calibration predictions.parquet
  plumbline calibration predictions.parquet --view classwise --bins equal-size:10
  plumbline calibration predictions.parquet --view one-vs-rest:snow --models forest
  plumbline calibration predictions.parquet --distance log --resamples 9999 --json
"""


def of_each_model(
    data: "Predictions", ask: Callable[["Predictions", Progress | None], Any], label: str
) -> list[tuple[str | None, Any]]:
    """Ask the same question of every model, under one progress bar."""
    parts = data.by_model()
    step = 1 / len(parts)
    with progress(label) as whole:
        return [
            (name, ask(part, share_of(whole, place * step, (place + 1) * step)))
            for place, (name, part) in enumerate(parts.items())
        ]


@click.command(epilog=SCORES_EXAMPLES, short_help="Log loss, Brier score, accuracy.")
@options.table_options
@options.json_option
def scores(file: Path, as_json: bool, **source: Any) -> None:
    """Log loss, Brier score and accuracy of every model in FILE.

    With folds, also their mean and standard deviation over the folds. What the table does not
    allow (labels or ratings alone) is left out, with the reason.
    """
    from plumbline.evaluation import score_models

    data = read_source(file, **source)
    found = score_models(data).models
    if as_json:
        reason = wording.why_scores_are_missing(data)
        print_json("scores", [wording.scores_entry(one, reason) for one in found])
        return
    click.echo(heading(file, data) + "\n")
    click.echo(wording.scores_text(found, data))


@click.command(epilog=CALIBRATION_EXAMPLES, short_help="How far the probabilities are off.")
@options.table_options
@options.view_options()
@options.like_option
@options.outcome_option
@options.chance_options(0)
@options.json_option
def calibration(file: Path, as_json: bool, seed: int, **chosen: Any) -> None:
    """How far the probabilities in FILE are off, beside what true probabilities would score.

    The null holds the predictions fixed and draws every label from its own probabilities. The
    p-value is two-sided: small where the error leaves the range of true probabilities.
    """
    import plumbline

    data, question = split_source(file, chosen)

    def ask(part: "Predictions", bar: Progress | None) -> "CalibrationError":
        return plumbline.calibration_error(part, rng=seed, progress=bar, **question)

    found = of_each_model(data, ask, "resampling")
    if as_json:
        results = [entry(name, error.to_dict()) for name, error in found]
        print_json("calibration", results)
        return
    click.echo(heading(file, data) + "\n")
    click.echo(wording.calibration_text(found))
