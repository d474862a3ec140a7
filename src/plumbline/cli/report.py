"""The command `report`: one page for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli import options
from plumbline.cli.generic import options_of
from plumbline.cli.messages import progress
from plumbline.cli.prediction_file import heading, positive_of, split_source, stem_of
from plumbline.cli.running import running
from plumbline.cli.terminal import (
    counting_entries,
    errors_of_counting,
    print_json,
    running_source,
    shown,
)
from plumbline.command_words import command_line, file_word
from plumbline.errors import ParameterError, warn
from plumbline.file_endings import PAGE_ENDINGS, REPORT_ENDINGS
from plumbline.formatting import printable, quoted
from plumbline.requests.table import CALIBRATION

if TYPE_CHECKING:
    from plumbline.metrics import ModelScores
    from plumbline.reporting import Chapter

FOLDED = (*PAGE_ENDINGS, ".pdf")  # files whose evidence can be folded or left out
EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline report predictions.parquet
  plumbline report predictions.parquet --out report.pdf --summary
  plumbline report predictions.parquet --title "The forest" --models "random forest"
  plumbline report forest.csv --actual diagnosis --prob risk=malignant --out forest.md --json
"""


def _recalibrations() -> Sequence[str]:
    from plumbline.recalibration import METHODS

    return ("auto", "none", *METHODS)


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=True)
@options.reading_options
@click.option(
    "--out",
    type=options.OutFile(*REPORT_ENDINGS),
    metavar="FILE",
    default="report.html",
    help="File to write (default report.html): .html, .pdf (needs Chromium, Chrome or WeasyPrint) "
    "or .md (Markdown). An existing file is replaced.",
)
@click.option("--summary", is_flag=True, help="One page: the verdicts without the evidence.")
@click.option("--full", is_flag=True, help="Unfold the evidence.")
@click.option("--title", metavar="TEXT", help="Title of the report; the name of FILE by default.")
@click.option(
    "--attributes",
    metavar="A,B",
    help="Attributes to keep where rows are counted, for the section of groups. In memory all are "
    "read.",
)
@options_of(CALIBRATION, "view", "bins", "distance")
@click.option(
    "--recalibrate",
    type=options.Name(_recalibrations),
    metavar="NAME",
    help="Recalibration to report: auto (all methods), none, or one method by name (see "
    "plumbline recalibrate --list). Default: auto where it takes seconds.",
)
@click.option(
    "--rules",
    type=options.FileName(),
    metavar="FILE",
    help="TOML file of rules, as plumbline check --init writes it: the page says which are kept.",
)
@click.option(
    "--sites",
    metavar="COL",
    help="Column whose values are sites: a section on how much calibration differs between them.",
)
@click.option(
    "--resamples",
    type=options.Whole(1),
    metavar="M",
    help="Number of resamples of the labels. Default: 999.",
)
@options_of(CALIBRATION, "rng", "workers")
@options.output_options
@click.pass_obj
def report(
    typed: Sequence[str],
    /,
    files: Sequence[Path],
    out: Path,
    title: str | None,
    summary: bool,
    full: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Write a report of FILE: verdict, calibration, scores, curves and comparisons on one page.

    The page is one file. It needs no network.
    """
    import plumbline

    if summary and full:
        raise click.UsageError("--summary and --full exclude each other.")
    if (summary or full) and out.suffix.lower() not in FOLDED:
        raise ParameterError(
            f"--{'summary' if summary else 'full'} has no effect on Markdown, which folds nothing "
            f"and holds all sections, got --out {quoted(str(out))}",
            code="argument-beside-another",
            remedy="leave it out, or write .html or .pdf",
        )
    names = ("view", "bins", "distance", "rng", "workers")
    params = CALIBRATION.checked("command", {name: given.pop(name) for name in names})
    options.need_other_file([out], files)
    data, others = split_source(files, given)
    if others.pop("attributes", None) and not data.counted:  # of the source
        warn(
            "`attributes` has no effect here: rows are held in memory, where all are read",
            code="argument-says-nothing",
            remedy="leave it out",
        )
    with progress("report") as bar:
        answer = plumbline.report(
            data,
            out,
            title=title or stem_of(files),
            command=typed_command(typed, (*files, out)),
            file=command_line(running_source(names_only=True)),
            detail="summary" if summary else "full" if full else "normal",
            progress=bar,
            **params,
            **others,
        )
    models = answer.evaluation.models
    if as_json:
        pairs = zip(models, answer.chapters, strict=True)
        entries = [_entry(one, chapter) for one, chapter in pairs]
        more = {
            "positive": positive_of(data),
            "check": answer.check,
            "limits": answer.limits,
            "rivals": answer.rivals,
            "gate": answer.gate,
        }
        more |= counting_entries(data)
        print_json("report", entries, report=str(out), **more)
        return
    click.echo(f"{heading(files, data)}\n\n{shown([(one.model, one) for one in models])}")
    click.echo(errors_of_counting(data), nl=False)
    if answer.gate is not None:
        click.echo(f"\nRules: {answer.gate.summary}")
    click.echo(f"\nReport: {printable(out)}")


def _entry(scores: "ModelScores", chapter: "Chapter") -> dict[str, Any]:
    """Return the entry of one model: its scores flat, then all else that the page says of it."""
    (entry,), _ = scores.json_entries()
    from plumbline.reporting.model_details import parts_by_key

    return {
        **entry,
        "calibration": scores.calibration,
        "test": scores.test,
        "diagrams": chapter.diagrams,
        "left_out": chapter.left_out,
        "remarks": chapter.remarks,
        "curves": chapter.curves,
        "decisions": chapter.decisions,
        "conclusion": list(chapter.conclusion),
        "mended": chapter.recalibration,
        **parts_by_key(chapter.closer),
    }


def typed_command(typed: Sequence[str], paths: Sequence[Path]) -> str:
    """Return the command line without the folders of its files, whose names are the user's own."""
    paths = [*paths, *running().patterns]
    words = []
    for word in typed:
        option, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
        path = options.path_of(value)
        name = path.name if path in paths else value
        words.append(option + sign + name if option or path not in paths else file_word(name))
    return command_line(["plumbline", *words])
