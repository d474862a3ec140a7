"""Metrics by name: the part of the command `scores` that measures what is asked for."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options, result_text
from plumbline.cli.messages import progress
from plumbline.cli.output import entry, paragraph, print_json, table
from plumbline.cli.prediction_file import heading, listed, positive_of

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.metrics import Measure, Measures

USUAL = {
    "view": "all-classes for scores, skce, kappa and the like; for errors, rates and rankings "
    "one-vs-rest for two classes, else top-label for errors and classwise for the others. Rates "
    "also have micro and weighted",
    "bins": "equal-width:15, of the adaptive errors equal-size:15",
    "distance": "absolute",
}
IF_TRUE = (
    "if true: the mean of the metric where the probabilities are true, on these very rows, and its "
    "95 % range; excess: value - mean; p: two-sided, not adjusted for the number of metrics"
)
LIST_NOTE = (
    "plumbline scores FILE --metrics NAME,NAME measures metrics, plumbline test FILE --statistic "
    "NAME makes a test. With --json: formula, views, arguments, references, other names."
)
OWN = ("model", "group", "n", "effective_n")


def _views() -> Iterable[str]:
    from plumbline.calibration import VIEWS
    from plumbline.calibration_tests.named_tests import ALL_CLASSES

    return (*VIEWS, ALL_CLASSES, "micro", "weighted")


def metric_options(command: options.Command) -> options.Command:
    """Which metrics, and of what."""
    add: options.Option[options.Command] = options.joined(
        click.option(
            "--metrics",
            metavar="A,B,C",
            help="Measure these metrics, each beside what true probabilities would score: "
            "log-loss, brier-score, f1, mcc, roc-auc, ece, ace, mce, smooth-ece, ici, "
            "miscalibration, calibration-slope, ...; --list tells all. With one of the options "
            "below and no names: the usual dozen.",
        ),
        click.option("--list", "wanted_list", is_flag=True, help="List all names, and exit."),
        click.option(
            "--by",
            metavar="COL",
            help="Measure every group of rows apart: each value of the column COL; a number of "
            "many values in four groups of equal size.",
        ),
        options.interval_options,
        options.view_options(USUAL, _views),
        options.norm_options,
        options.outcome_option,
        options.like_option,
        click.option(
            "--score",
            metavar="NAME",
            help="Whose miscalibration, discrimination and uncertainty: brier-score (default), "
            "log-loss or spherical-score.",
        ),
        options.random_options(0, None),
    )
    return add(command)


def say_names(as_json: bool) -> None:
    """Print the catalogue."""
    from plumbline.metrics import list_names

    entries = list_names().entries
    if as_json:
        print_json("scores", entries)
        return
    columns = {name: [str(row[name]) for row in entries] for name in ("name", "kind", "title")}
    click.echo(table(columns))
    click.echo("\n" + paragraph(LIST_NOTE, ""))


def say_metrics(
    file: Path, data: "Predictions", question: dict[str, Any], seed: int, as_json: bool
) -> None:
    """Measure what is asked for, and print it."""
    import plumbline
    from plumbline.metrics import METRICS

    names = question.pop("metrics", None)
    metrics = None if names is None else listed("--metrics", names, tuple(METRICS))
    with progress("resampling") as bar:
        measures = plumbline.measure(data, metrics, rng=seed, progress=bar, **question)
    if as_json:
        print_json("scores", _entries(data, measures), positive=positive_of(data))
        return
    click.echo(heading(file, data) + "\n")
    click.echo(_text(measures))


def _text(measures: "Measures") -> str:
    from plumbline.calibration_tests.results import INTERVAL
    from plumbline.metrics import METRICS

    notes = [paragraph(note, "") for note in measures.notes()]
    rows = measures.measures
    explained = [paragraph(IF_TRUE, "")] if any(one.resamples for one in rows) else []
    with_interval = [one for one in rows if one.interval_range is not None]
    of_rows = [one for one in with_interval if METRICS[one.metric].interval == "rows"]
    explained += [paragraph(INTERVAL, "")] if len(of_rows) < len(with_interval) else []
    explained += _of_rows(of_rows)
    return "\n\n".join([table(measures.columns()), *notes, *explained])


def _of_rows(measures: "Sequence[Measure]") -> list[str]:
    """Return what the intervals of ranks and rates are about, and how they were found."""
    methods: dict[str, dict[str, None]] = {}
    for one in measures:
        if one.interval_method is not None:
            methods.setdefault(one.interval_method, {})[one.metric] = None
    return [
        paragraph(f"interval of {', '.join(names)}: for other rows like these; {method}", "")
        for method, names in methods.items()
    ]


def _entries(data: "Predictions", measures: "Measures") -> list[dict[str, Any]]:
    """Return an entry a model and group: its scores as ever, and the metrics."""
    from plumbline.metrics import model_scores, parts_of

    reason = result_text.why_scores_are_missing(data)
    entries = []
    for part in parts_of(data, measures.by):
        own = [
            one for one in measures.measures if (one.model, one.group) == (part.model, part.group)
        ]
        scores = model_scores(part.data, part.model)
        whose = {} if measures.by is None else {"group": part.group}
        metrics = {"metrics": _metric_entries(own)}
        entries.append(
            entry(part.model, whose | result_text.scores_entry(scores, reason) | metrics)
        )
    return entries


def _metric_entries(own: Sequence["Measure"]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in one.to_dict().items() if name not in OWN} for one in own
    ]
