"""The command `confusion`: which class is taken for which, and every rate of it."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline.atomic_files import PICTURE_ENDINGS, POINT_ENDINGS, write_whole
from plumbline.cli import options
from plumbline.cli.output import print_json
from plumbline.cli.prediction_file import TABLE_OPTIONS, heading, listed, split_source
from plumbline.errors import ParameterError
from plumbline.formatting import amount, counted, printable

if TYPE_CHECKING:
    from plumbline.cli.confusion_text import Answer
    from plumbline.confusion import ConfusionMatrix
    from plumbline.confusion.matrix import By

EXAMPLES = """\b
Examples:
  plumbline confusion predictions.parquet
  plumbline confusion predictions.parquet --models forest --target snow --threshold 0.3
  plumbline confusion predictions.parquet --models forest --shares actual --out forest.svg
  plumbline confusion predictions.parquet --rates precision,recall,f0.5 --interval bootstrap
  plumbline confusion predictions.parquet --rates all --average macro,weighted --json
  plumbline confusion --counts TP=6,FP=12,FN=2,TN=130 --interval wilson
  plumbline confusion --matrix "1 1 0 / 2 2 3 / 0 0 4" --rows predicted --classes a,b,c
"""

SOURCES = (
    "a confusion matrix needs FILE, the predictions to count, or --matrix, or --counts; give one "
    "of the three"
)
ALL = "all"
AVERAGES = ("micro", "macro", "weighted")
TYPED = ("matrix", "counts", "rows", "classes")
# What the library calls the options on rates.
ASKED = ("beta", "undefined", "interval", "level", "resamples")

typed_options = options.joined(
    click.option(
        "--matrix",
        metavar="CELLS",
        help="Instead of FILE: the matrix itself, its rows apart by /, as in '130 12 / 2 6'; or a "
        ".csv or .tsv file that holds it. With --rows.",
    ),
    click.option(
        "--rows",
        type=options.Name(lambda: ("actual", "predicted")),
        metavar="NAME",
        help="What a row of --matrix is: one actual class, or one predicted class.",
    ),
    click.option(
        "--counts", metavar="TP=..,FP=..,FN=..,TN=..", help="Instead of FILE: two classes."
    ),
    click.option("--classes", metavar="A,B", help="Names of the classes of --matrix or --counts."),
)

decision_options = options.joined(
    click.option(
        "--threshold",
        type=float,
        metavar="T",
        help="Answer the positive class, or --target, where its probability (or score) is at least "
        "T. By default the most probable class is answered, or what a column `predicted` says.",
    ),
    click.option("--target", metavar="CLASS", help="One class against the rest."),
)

rate_options = options.joined(
    click.option(
        "--rates",
        metavar="A,B",
        help="By any of their names, or all: precision, PPV, recall, TPR, specificity, "
        "NPV, FPR, F0.5, jaccard, MCC, kappa, DOR, ... Default: precision, recall, specificity, F1 "
        "of classes, and what is said of the whole table.",
    ),
    click.option(
        "--average",
        metavar="A,B",
        help="Averages over the classes: micro (of the tables added up), macro (the plain mean), "
        "weighted (by the rows of the class), all or none. Default: macro and micro of more than "
        "two classes.",
    ),
    click.option(
        "--beta",
        type=click.FloatRange(0, min_open=True),
        metavar="B",
        help="Add F_B, in which recall counts B times as much as precision.",
    ),
    click.option(
        "--undefined",
        type=options.Name(lambda: ("nan", "skip")),
        metavar="NAME",
        help="An average over classes of which one has no value: nan (default: it has none either) "
        "or skip (the mean of the others).",
    ),
    click.option(
        "--interval",
        type=options.Name(lambda: ("auto", "wilson", "dirichlet", "bootstrap")),
        is_flag=False,
        flag_value="auto",
        metavar="[NAME]",
        help="auto (usual): wilson for shares of rows, dirichlet (tables drawn about the counts) "
        "for other rates, averages over classes without their bias; or bootstrap (rows are drawn "
        "again).",
    ),
    click.option("--level", type=float, metavar="P", help="Coverage of --interval (default 0.95)."),
    click.option(
        "--resamples",
        type=options.Whole(1),
        metavar="M",
        help="Draws of --interval, but for wilson (default 999).",
    ),
    click.option(
        "--seed",
        type=options.Whole(0),
        metavar="S",
        default=0,
        help="Seed of the draws of --interval (default 0).",
    ),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rates are asked for, and of which averages; None for the usual ones."""

    rates: str | None
    average: str | None
    seed: int
    question: Mapping[str, Any]

    def of(self, matrix: "ConfusionMatrix") -> "Answer":
        """Return a matrix with its rates."""
        from plumbline.cli.confusion_text import Answer
        from plumbline.confusion.matrix import USUAL
        from plumbline.confusion.matrix_rates import canonical

        how = {"average": _averages(self.average), "rng": self.seed, **self.question}
        if self.rates is None:
            return Answer(
                matrix, matrix.usual_rates(**how), {canonical(name): name for name in USUAL}
            )
        names = listed("--rates", self.rates, ())
        if names == [ALL]:
            return Answer(matrix, matrix.rates(None, **how), {})
        return Answer(matrix, matrix.rates(names, **how), {canonical(name): name for name in names})


@click.command(epilog=EXAMPLES)
@options.file_argument
@options.reading_options
@typed_options
@decision_options
@rate_options
@click.option(
    "--shares",
    type=options.Name(lambda: ("actual", "predicted", "all")),
    metavar="NAME",
    help="Show shares too: of the actual class, of the predicted class, or of all rows.",
)
@click.option(
    "--out",
    type=options.OutFile(*PICTURE_ENDINGS, *POINT_ENDINGS),
    metavar="FILE",
    help="Write the matrix of one model: .svg, .png or .pdf as a picture, .csv as a table.",
)
@options.json_option
def confusion(
    file: Path | None,
    as_json: bool,
    rates: str | None,
    average: str | None,
    shares: "By | None",
    seed: int,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Count which actual class in FILE is answered as which, and every rate made of it.

    Lines are actual classes and columns are predicted ones, always. What divides by nothing is
    undefined and says why.
    """
    _check_interval(chosen)
    typed = chosen["matrix"]
    options.need_other_file([out], [file, None if typed is None else Path(typed)])
    question = {name: chosen.pop(name) for name in ASKED}
    question = {name: value for name, value in question.items() if value is not None}
    wanted = Wanted(rates, average, seed, question)
    text, matrices = _matrices(file, chosen)
    if out is not None:
        _write(matrices, out, shares)
    answers = [wanted.of(matrix) for matrix in matrices]
    _say(text, answers, shares, as_json)
    if out is not None and not as_json:
        click.echo(
            f"\n{'Table' if out.suffix.lower() in POINT_ENDINGS else 'Picture'}: {printable(out)}"
        )


def _say(text: str, answers: Sequence["Answer"], shares: "By | None", as_json: bool) -> None:
    """Print what was found."""
    from plumbline.cli.confusion_text import matrix_entry, matrix_text

    if as_json:
        print_json("confusion", [matrix_entry(answer, shares) for answer in answers])
        return
    click.echo(text)
    for answer in answers:
        name = answer.matrix.model
        head = "" if name is None or len(answers) == 1 else f"model {printable(name)}\n"
        click.echo(f"\n{head}{matrix_text(answer, shares)}")


# ------------------------------------------------------------------ where counts come from


def _matrices(file: Path | None, chosen: dict[str, Any]) -> tuple[str, list["ConfusionMatrix"]]:
    """Return what was read, in a line, and the matrix of every model in it."""
    from plumbline.cli.confusion_typed import matrix_of_counts, matrix_of_text
    from plumbline.confusion import confusion_matrix

    typed = {name: chosen.pop(name) for name in TYPED}
    sources = [file, typed["matrix"], typed["counts"]]
    if sum(source is not None for source in sources) != 1:
        raise ParameterError(SOURCES)
    if file is not None:
        _refuse(typed, ("rows", "classes"), "belongs to --matrix, which FILE is not")
        data, how = split_source(file, chosen)
        parts = data.by_model().values()
        return heading(file, data), [confusion_matrix(part, **how) for part in parts]
    if typed["counts"] is not None:
        _refuse(
            chosen | typed,
            (*TABLE_OPTIONS, "threshold", "target", "rows"),
            "says nothing to --counts",
        )
        matrix = matrix_of_counts(typed["counts"], classes=typed["classes"])
    else:
        without = [name for name in TABLE_OPTIONS if name != "positive"]
        _refuse(chosen, (*without, "threshold", "target"), "reads FILE, which --matrix is not")
        matrix = matrix_of_text(
            typed["matrix"],
            rows=typed["rows"],
            classes=typed["classes"],
            positive=chosen["positive"],
        )
    total = (
        counted(matrix.n, "row")
        if matrix.n is not None
        else (f"weights of {amount(float(matrix.counts.sum()))}")
    )
    return f"typed in: {total}, {counted(len(matrix.classes), 'class')}", [matrix]


def _refuse(chosen: Mapping[str, Any], names: Iterable[str], why: str) -> None:
    """Refuse options that say nothing here."""
    for name in names:
        if chosen[name] not in (None, (), False):
            raise ParameterError(f"--{name} {why}; leave it out")


def _check_interval(chosen: Mapping[str, Any]) -> None:
    if chosen["level"] is not None and chosen["interval"] is None:
        raise ParameterError("--level is the coverage of --interval; ask for both, or for neither")
    if chosen["resamples"] is not None and chosen["interval"] in (None, "wilson"):
        raise ParameterError(
            "--resamples belongs to --interval auto, dirichlet or bootstrap; give one of these too"
        )


def _averages(text: str | None) -> list[str] | None:
    """Return the averages that were asked for; None for the usual ones."""
    if text is None:
        return None
    names = listed("--average", text, ())
    if names == ["none"]:
        return []
    return [*AVERAGES] if names == [ALL] else names


# ------------------------------------------------------------------ files


def _write(matrices: Sequence["ConfusionMatrix"], out: Path, shares: "By | None") -> None:
    """Write the matrix as a picture, or as a table that `--matrix` reads."""
    if len(matrices) > 1:
        names = ", ".join(printable(matrix.model) for matrix in matrices)
        raise ParameterError(
            f"--out writes one matrix, FILE has several models; choose one with --models: {names}"
        )
    (matrix,) = matrices
    if out.suffix.lower() in PICTURE_ENDINGS:
        from plumbline.plots.confusion import confusion_figure
        from plumbline.plots.save_figure import save_figure

        save_figure(confusion_figure(matrix, normalize=shares), out)
        return
    from plumbline.cli.confusion_typed import CORNER

    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([CORNER, *matrix.classes])
    counts = zip(matrix.classes, matrix.counts.tolist(), strict=True)
    lines.writerows([name, *(f"{cell:.17g}" for cell in row)] for name, row in counts)
    write_whole(out, lambda part: part.write_text(text.getvalue(), "utf-8"))
