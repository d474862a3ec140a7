"""The commands that measure: `scores` and `calibration`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, result_text
from plumbline.cli.metrics import metric_options, say_metrics, say_names
from plumbline.cli.output import print_json
from plumbline.cli.prediction_file import heading, positive_of, split_source
from plumbline.errors import ParameterError

if TYPE_CHECKING:
    from plumbline import Predictions

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
