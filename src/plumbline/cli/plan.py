"""The command `plan`: how many rows detect a miscalibration, and what the rows at hand detect."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.atomic_files import PICTURE_ENDINGS
from plumbline.cli import options
from plumbline.cli.messages import progress
from plumbline.cli.output import entry, paragraph, print_json, table
from plumbline.cli.power import CommaSeparated, Fraction
from plumbline.cli.prediction_file import heading, positive_of, split_source
from plumbline.errors import ParameterError
from plumbline.formatting import capital, counted, printable
from plumbline.progress import share_of

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.results import Plan

Plans = Sequence[tuple[str | None, "Plan"]]

EXAMPLES = """\b
Examples:
  plumbline plan predictions.csv --effect overconfident:1.2
  plumbline plan predictions.csv --effect shift:0.05 --power 0.9 --models careful --out plan.svg
  plumbline plan --classes 3 --dirichlet 0.5 --effect random-labels:0.05 --n 200
  plumbline plan predictions.csv --effect ece:0.03 --statistic auto --json
"""


def _tests() -> Sequence[str]:
    from plumbline.calibration_tests import TESTS

    return ("auto", *TESTS)


def _kinds() -> Sequence[str]:
    from plumbline.power.effects import KINDS

    return tuple(KINDS)


class EffectName(options.Name):
    """The name of an effect with its size."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text if the library knows the effect."""
        from plumbline.power.effects import effect_of

        effect_of(str(value))
        return str(value)


def _size(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ParameterError(f"`dirichlet` must be numbers such as 0.5, got {word!r}") from None


@click.command(epilog=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@options.reading_options
@click.option(
    "--effect",
    type=EffectName(_kinds),
    metavar="KIND:SIZE",
    default="overconfident:1.2",
    help="The miscalibration to detect: overconfident:1.2 (default; the truth is the predictions "
    "at temperature 1.2), underconfident:0.8, shift:0.05[:CLASS] (P(CLASS) is that much higher), "
    "random-labels:0.05 (in that share of the rows) or ece:0.03 (overconfident by that true ECE).",
)
@click.option(
    "--power",
    type=Fraction("power"),
    metavar="P",
    default=0.8,
    help="Share of such data sets that the test rejects (default 0.8).",
)
@click.option(
    "--level",
    type=Fraction(),
    metavar="ALPHA",
    default=0.05,
    help="A test rejects where p is at most this (default 0.05).",
)
@click.option(
    "--statistic",
    type=options.Name(_tests),
    metavar="NAME",
    default="omnibus",
    help="The test to plan for: omnibus (default, as in plumbline test), ece, log-loss, ...; or "
    "auto, which compares the quick tests first and recommends one.",
)
@click.option(
    "--n", type=options.Whole(2), metavar="N", help="Rows to ask about; those of FILE by default."
)
@click.option(
    "--classes", type=options.Whole(2), metavar="K", help="Without FILE: the number of classes."
)
@click.option(
    "--dirichlet",
    type=CommaSeparated(_size),
    metavar="A[,B,...]",
    help="Without FILE: predictions come from this Dirichlet distribution (default 0.5; small for "
    "confident predictions, 1 for uniform ones).",
)
@click.option(
    "--datasets",
    type=options.Whole(30),
    metavar="R",
    help="Data sets for each point of the curve (default 150; 50 for the omnibus, which "
    "takes longer).",
)
@click.option(
    "--resamples",
    type=options.Whole(1),
    metavar="M",
    help="Times a test draws the labels (default 999 for the omnibus, as in plumbline "
    "test; 10 / level - 1 for the others).",
)
@click.option(
    "--seed", type=options.Whole(0), metavar="S", default=0, help="Seed of chance (default 0)."
)
@click.option(
    "--workers",
    type=options.Whole(1),
    metavar="W",
    help="Threads; all cores by default. The answer does not depend on it.",
)
@click.option(
    "--out",
    type=options.OutFile(*PICTURE_ENDINGS),
    metavar="PICTURE",
    help="Draw power against rows into this SVG, PNG or PDF file.",
)
@options.json_option
def plan(file: Path | None, as_json: bool, seed: int, out: Path | None, **chosen: Any) -> None:
    """Say how many rows it takes to detect a miscalibration, and what the rows in FILE detect.

    Data sets are simulated: predictions are drawn from the rows of FILE (their labels play no
    part), labels from the truth that the effect implies, and the test is run on each.
    """
    data, question = _source(file, chosen)
    if out is not None and data is not None and len(data.models) > 1:
        raise ParameterError("--out draws the plan of one model; choose it with --models")
    plans = _of_each_model(data, question, seed)
    if out is not None:
        from plumbline.plots import plan_figure, save_figure

        save_figure(plan_figure(plans[0][1]), out)
    if as_json:
        results = [entry(name, one.to_dict()) for name, one in plans]
        positive = None if data is None else positive_of(data)
        print_json("plan", results, positive=positive, out=None if out is None else str(out))
        return
    if file is not None and data is not None:
        click.echo(heading(file, data) + "\n")
    click.echo("\n\n".join(_text(name, one) for name, one in plans))
    if out is not None:
        click.echo(f"\nPicture: {printable(out)}")


def _source(
    file: Path | None, chosen: dict[str, Any]
) -> tuple["Predictions | None", dict[str, Any]]:
    """Return the table, if there is a file, and the question."""
    from plumbline.cli.prediction_file import TABLE_OPTIONS

    if chosen["dirichlet"] is not None and len(chosen["dirichlet"]) == 1:
        chosen = {**chosen, "dirichlet": chosen["dirichlet"][0]}
    if file is not None:
        return split_source(file, chosen)
    given = [name for name in TABLE_OPTIONS if chosen[name]]
    if given:
        raise ParameterError(f"--{given[0]} says how to read FILE, and no FILE is given")
    return None, {name: value for name, value in chosen.items() if name not in TABLE_OPTIONS}


def _of_each_model(data: "Predictions | None", question: Mapping[str, Any], seed: int) -> Plans:
    """Plan for every model, under one progress bar."""
    import plumbline

    parts: Mapping[str | None, Any] = {None: None} if data is None else data.by_model()
    plans = []
    with progress("planning") as whole:
        for j, (name, part) in enumerate(parts.items()):
            bar = share_of(whole, j / len(parts), (j + 1) / len(parts))
            plans.append((name, plumbline.plan(part, rng=seed, progress=bar, **question)))
    return plans


def _text(name: str | None, plan: "Plan") -> str:
    """Return the verdict, the curve and what else there is to know."""
    who = "" if name is None else f"{name}: "
    blocks = [paragraph(f"{who}{plan.verdict}", ""), _curve(plan)]
    if plan.tests:
        blocks.append(_tried(plan))
    blocks += [paragraph(f"{capital(note)}.", "") for note in plan.notes]
    if plan.reason:
        blocks.append(paragraph(f"{plan.reason}.", ""))
    if plan.n_limit is not None:
        limit = f"about {counted(plan.n_limit, 'row')}"
        text = f"A test that knew this very effect would need {limit}; no test needs clearly fewer."
        blocks.append(paragraph(text, ""))
    return "\n\n".join(block for block in blocks if block)


def _curve(plan: "Plan") -> str:
    """Return the power by rows: on the fitted curve, as in the sentences above, and simulated."""
    fitted = {row["n"]: row for row in plan.estimates}
    simulated = {row["n"]: row for row in plan.curve}
    rows = sorted({*fitted, *simulated})
    columns = {"rows": [f"{n:,}" for n in rows]}
    if fitted:
        columns["power"] = [f"{row['power']:.3f}" for row in map(fitted.__getitem__, rows)]
        columns["standard error"] = [f"{fitted[n]['std_error']:.3f}" for n in rows]
    shots = [simulated.get(n) for n in rows]
    columns["simulated"] = [f"{row['power']:.3f}" if row else "-" for row in shots]
    columns["data sets"] = [f"{row['datasets']:,}" if row else "-" for row in shots]
    return table(columns)


def _tried(plan: "Plan") -> str:
    first = plan.tests[0]
    where = f"{first['n']:,} rows, compared on the same {first['datasets']} data sets"
    title = f"Tests with {where}:"
    columns = {
        "test": [str(row["test"]) for row in plan.tests],
        "power": [f"{row['power']:.2f}" for row in plan.tests],
        "standard error": [f"{row['std_error']:.2f}" for row in plan.tests],
        "simulated": [f"{row['simulated']:.2f}" for row in plan.tests],
    }
    return f"{title}\n{table(columns)}"
