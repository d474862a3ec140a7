"""The commands that measure: `scores` and `calibration`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, result_text
from plumbline.cli.messages import progress
from plumbline.cli.metrics import metric_options, say_metrics, say_names
from plumbline.cli.output import entry, print_json
from plumbline.cli.prediction_file import heading, positive_of, split_source
from plumbline.errors import ParameterError
from plumbline.progress import Progress, share_of

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.results import CalibrationError

NEEDS_FILE = "scores need FILE, the predictions to measure; --list needs none"
SCORES_EXAMPLES = """\b
Examples:
  plumbline scores predictions.parquet
  plumbline scores predictions.parquet --models forest,bayes --folds 0,3
  plumbline scores weather.csv --actual outcome --prob chance=rain
  plumbline scores predictions.parquet --json
  plumbline scores --list
  plumbline scores predictions.parquet --metrics ece,smooth-ece,calibration-slope
  plumbline scores predictions.parquet --metrics ece,mce --view classwise --bins equal-size:10
  plumbline scores predictions.parquet --metrics brier-score,ece --by sky --resamples 199
"""

CALIBRATION_EXAMPLES = """\b
Examples:
  plumbline calibration predictions.parquet
  plumbline calibration predictions.parquet --view classwise --bins equal-size:10
  plumbline calibration predictions.parquet --view one-vs-rest:snow --models forest
  plumbline calibration predictions.parquet --norm max --bins equal-width:15,min=20
  plumbline calibration predictions.parquet --bins equal-size:10 --interval
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


@click.command(epilog=SCORES_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@options.reading_options
@metric_options
@options.json_option
def scores(file: Path | None, as_json: bool, wanted_list: bool, seed: int, **chosen: Any) -> None:
    """Log loss, Brier score and accuracy of every model in FILE, or any metrics by name.

    With folds, also the mean and standard deviation of the three over the folds. What the table
    does not allow (labels or ratings alone) is left out, with the reason. With --metrics, what
    true probabilities would score on these very rows stands beside every number.
    """
    if wanted_list:
        say_names(as_json)
        return
    if file is None:
        raise ParameterError(NEEDS_FILE)
    wanted = options.wanted_interval(chosen)
    data, question = split_source(file, chosen)
    question |= wanted
    if question:
        say_metrics(file, data, question, seed, as_json)
    else:
        _say_scores(file, data, as_json)


def _say_scores(file: Path, data: "Predictions", as_json: bool) -> None:
    from plumbline.metrics import model_scores

    models = [model_scores(part, name) for name, part in data.by_model().items()]
    if as_json:
        reason = result_text.why_scores_are_missing(data)
        print_json(
            "scores",
            [result_text.scores_entry(one, reason) for one in models],
            positive=positive_of(data),
        )
        return
    click.echo(heading(file, data) + "\n")
    click.echo(result_text.scores_text(models, data))


@click.command(epilog=CALIBRATION_EXAMPLES)
@options.table_options
@options.view_options()
@options.norm_options
@options.like_option
@options.outcome_option
@options.interval_options
@options.random_options(0)
@options.json_option
def calibration(file: Path, as_json: bool, seed: int, **chosen: Any) -> None:
    """How far the probabilities in FILE are off, beside what true probabilities would score.

    The null holds the predictions fixed and draws every label from its own probabilities. The
    p-value is two-sided: small where the error leaves the range of true probabilities.
    """
    import plumbline

    wanted = options.wanted_interval(chosen)
    data, question = split_source(file, chosen)
    question |= wanted

    def ask(part: "Predictions", bar: Progress | None) -> "CalibrationError":
        return plumbline.calibration_error(part, rng=seed, progress=bar, **question)

    errors = of_each_model(data, ask, "resampling")
    if as_json:
        results = [entry(name, error.to_dict()) for name, error in errors]
        print_json("calibration", results, positive=positive_of(data))
        return
    click.echo(heading(file, data) + "\n")
    click.echo(result_text.calibration_text(errors))
