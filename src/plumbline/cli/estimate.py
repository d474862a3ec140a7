"""The command `estimate`: how well classifiers do on rows they have not seen."""

import contextlib
import dataclasses
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options
from plumbline.cli.estimate_models import models_of, search_of, set_params
from plumbline.cli.estimate_prepare import PREFIX, WAYS, needs_preparing, preparation_text, prepared
from plumbline.cli.generic import entries_of, options_of
from plumbline.cli.messages import complain, printed_once, progress
from plumbline.cli.output import paragraph, print_json
from plumbline.cli.prediction_file import positive_of
from plumbline.cli.terminal import shown
from plumbline.errors import PlumblineWarning
from plumbline.formatting import counted, printable
from plumbline.requests import REQUESTS

if TYPE_CHECKING:
    from plumbline import Search
    from plumbline.cli.estimate_data import LearningData
    from plumbline.results import Estimate

ENDINGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")

EXAMPLES = """\b
Examples:
  plumbline estimate data.csv --target y --model sklearn.naive_bayes:GaussianNB
  plumbline estimate data.csv --target y --model sklearn.linear_model:LogisticRegression \\
      --preprocess scale --param C=0.1 --scheme repeated-stratified:5x2 --out predictions.parquet
  plumbline estimate data.csv --target y --model sklearn.linear_model:LogisticRegression \\
      --preprocess scale --grid grid.toml --scheme nested:5x10 --out predictions.parquet
  plumbline estimate data.csv --target y --model nb=sklearn.naive_bayes:GaussianNB \\
      --model tree=sklearn.tree:DecisionTreeClassifier --param tree:max_depth=3

\b
A grid file:
  search = "grid"            # or "random" (with candidates = 20), or "halving"
  scoring = "brier-score"
  [params]
  C = [0.01, 0.1, 1, 10]     # random: C = {distribution = "loguniform", low = 0.01, high = 10}
"""


@click.command(epilog=EXAMPLES)
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--target", metavar="COL", required=True, help="Column of the class to predict.")
@click.option(
    "--model",
    "models",
    metavar="[NAME=]MODULE:NAME",
    multiple=True,
    required=True,
    help="A classifier of scikit-learn's kind: a class, a function that returns one, or an object; "
    "the current folder is searched too. Repeat it for several models on the same splits.",
)
@click.option(
    "--param",
    type=options.NamePair(),
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter; VALUE is read as TOML, else as text. Inside a pipeline: step__name; of "
    "one of several models: MODEL:NAME=VALUE.",
)
@click.option(
    "--grid",
    type=click.Path(path_type=Path),
    metavar="TOML",
    help="File of hyper-parameters to choose from, inside each training part.",
)
@click.option("--groups", metavar="COL", help="Column of groups, which no split tears apart.")
@click.option(
    "--time",
    metavar="COL",
    help="Column of dates or numbers whose order the scheme time-series:5 follows, and no feature; "
    "without it the order of the rows is taken.",
)
@click.option("--drop", metavar="A,B", help="Columns to leave out.")
@click.option(
    "--keep",
    metavar="A,B",
    help="Columns that go along with the predictions, not into the features.",
)
@click.option(
    "--preprocess",
    type=options.Name(lambda: WAYS),
    metavar="NAME",
    default="auto",
    help="auto (default): text is one-hot encoded, missing numbers become the median; scale: "
    "numbers are standardised too; none: features stay as they are. All inside each training part.",
)
@options_of(REQUESTS["estimate"])
@click.option(
    "--out",
    type=options.OutFile(*ENDINGS),
    metavar="FILE",
    help="Prediction table to write. Until it is whole, finished test parts are kept in the folder "
    "FILE.parts, from which a killed run continues.",
)
@options.json_option
def estimate(
    data: Path,
    *,
    target: str,
    models: Sequence[str],
    param: Sequence[tuple[str, str]],
    as_json: bool,
    out: Path | None,
    **given: Any,
) -> None:
    """Estimate how well a classifier does on rows it has not seen.

    DATA is a CSV, TSV, Parquet or Arrow/Feather file with a row an example, a column the class and
    the other columns the features. The model is fitted on a part of the rows and measured on the
    others, as the scheme says; with --out the predictions for the others are written as a
    prediction table, which all other commands read.
    """
    from plumbline.cli.estimate_data import described, need_listed, read_rows

    request = REQUESTS["estimate"]
    values = request.checked("command", {name: given.pop(name) for name in request.command})
    way, grid, time = (given.pop(name) for name in ("preprocess", "grid", "time"))
    options.need_other_file([out], [data, grid])
    lists = {name: need_listed(f"--{name}", given.pop(name)) for name in ("drop", "keep")}
    rows = read_rows(data, target=target, groups=given.pop("groups"), time=time, **lists)
    estimators = set_params(models_of(models), param)
    prefix = PREFIX if needs_preparing(rows, way) else ""
    search = None if grid is None else search_of(grid, estimators, prefix=prefix)
    pipelines = {name: prepared(model, rows, way) for name, model in estimators.items()}
    estimated = _without_prefix(_estimated(pipelines, rows, search, out, values), prefix)
    results = [(None, estimated)]
    if as_json:
        written = {"out": None if out is None else str(out)}
        entries = [one | written for one in entries_of(results)[0]]
        print_json("estimate", entries, positive=positive_of(estimated.predictions))
        return
    click.echo(f"{printable(data.name)}: {described(rows)}")
    click.echo(paragraph(f"Features: {preparation_text(rows, way)}.", ""))
    if estimated.scheme.startswith("time-series"):
        order = "of the rows as they stand" if time is None else f"of column {time!r}"
        click.echo(paragraph(f"Order: that {order}.", ""))
    click.echo(f"\n{shown(results)}\n\n{_next(estimated, data, out)}")


def _estimated(
    models: Mapping[str, Any],
    rows: "LearningData",
    search: "Search | None",
    out: Path | None,
    values: Mapping[str, Any],
) -> "Estimate":
    """Estimate, and write the predictions; what is finished survives an interruption."""
    import plumbline
    from plumbline.checkpoints import discard

    parts = None if out is None else out.with_name(f"{out.name}.parts")
    try:
        with _gathered_warnings(), printed_once() as notes, progress("estimate") as bar:
            estimate = plumbline.estimate(
                dict(models),
                rows.matrix,
                rows.y,
                columns=rows.names,
                search=search,
                groups=rows.groups,
                time=rows.time,
                attributes=rows.attributes,
                left_out=rows.dropped,
                folder=parts,
                progress=bar,
                **values,
            )
            notes += estimate.present().notes
    except KeyboardInterrupt:
        if out is not None:
            complain("what is finished is kept; the same command goes on from there")
        raise
    if out is not None and parts is not None:
        estimate.predictions.write(out)
        discard(parts)
    return estimate


@contextlib.contextmanager
def _gathered_warnings() -> Iterator[None]:
    """Say each thing that models warn of while they are fitted once, and how often it came."""
    warning_counts: Counter[str] = Counter()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def gather(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, PlumblineWarning):
                usual(message, category, *where, **more)
            else:
                first, *_ = str(message).splitlines() or [""]
                warning_counts[f"{category.__name__}: {first}"] += 1

        warnings.showwarning = gather
        try:
            yield
        finally:
            for text, times in warning_counts.items():
                often = "" if times == 1 else f" ({times:,} times)"
                complain(f"warning: while fitting{often}: {text}")


def _without_prefix(estimate: "Estimate", prefix: str) -> "Estimate":
    """Name hyper-parameters as the user did, not as the pipeline around the model does."""

    def bare(params: Mapping[str, Any]) -> dict[str, Any]:
        return {name.removeprefix(prefix): value for name, value in params.items()}

    models = tuple(
        dataclasses.replace(
            one,
            folds=tuple(
                dataclasses.replace(fold, params=None if fold.params is None else bare(fold.params))
                for fold in one.folds
            ),
            choices=tuple({**choice, "params": bare(choice["params"])} for choice in one.choices),
        )
        for one in estimate.models
    )
    return dataclasses.replace(estimate, models=models)


def _next(estimate: "Estimate", file: Path, out: Path | None) -> str:
    """Say where the predictions are and which command goes on from there."""
    step = estimate.present().next_step
    if out is None or step is None:
        return paragraph(
            f"Next: the same with --out {file.stem}_predictions.parquet keeps the predictions, "
            "which plumbline report, confusion and compare read.",
            "",
        )
    from plumbline.predictions import count_examples

    name, held = printable(out), count_examples(estimate.predictions)
    written = f"Predictions: {name} ({counted(held.n, held.unit)})"
    return f"{written}\nNext: plumbline {step.request} {name}"
