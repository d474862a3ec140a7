"""The command `confusion`: which class is taken for which, and every rate of it."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from plumbline._checks import shorten, shown
from plumbline.atomic_files import write_whole
from plumbline.cli import options, terminal
from plumbline.cli.generic import entries_of, list_option, options_of, print_names
from plumbline.cli.prediction_file import (
    TABLE_OPTIONS,
    heading,
    listed,
    one_model_at_a_time,
    split_source,
)
from plumbline.cli.terminal import print_json
from plumbline.command_words import has_value
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import PICTURE_ENDINGS, POINT_ENDINGS
from plumbline.formatting import amount, counted, printable, quoted, reads_as_number
from plumbline.requests.table import CONFUSION

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.confusion import ConfusionMatrix, RateValue
    from plumbline.confusion.matrix import Axis, By

Cells = list[list[float]]

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline confusion predictions.parquet
  plumbline confusion predictions.parquet --models "random forest" --threshold 0.3
  plumbline confusion predictions.parquet --models "naive Bayes" --shares actual --out bayes.svg
  plumbline confusion predictions.parquet --rates precision,recall,f0.5 --interval bootstrap
  plumbline confusion ../digits/predictions.parquet --rates all --average macro,weighted --json
  plumbline confusion --counts TP=6,FP=12,FN=2,TN=130 --interval wilson
  plumbline confusion --matrix "1 1 0 / 2 2 3 / 0 0 4" --rows predicted --classes a,b,c
"""

SOURCES = "a confusion matrix needs one of FILE (predictions to count), --matrix and --counts"
DELIMITERS = {".csv": ",", ".tsv": "\t"}
AXES: Mapping[str, "Axis"] = {"actual": "actual", "predicted": "predicted"}
CORNER = "actual \\ predicted"
NEEDS_ROWS = (
    "--matrix needs --rows actual (a row holds one true class, as in scikit-learn) "
    "or --rows predicted (a row holds one predicted class)"
)
TYPED = ("matrix", "counts", "rows", "classes")
DECIDED = ("threshold", "target")
MEANS = ("macro", "weighted", "balanced_accuracy")  # that may lack a class

typed_options = options.joined(
    click.option(
        "--matrix",
        metavar="CELLS",
        help="Instead of FILE: the matrix itself, with / between its rows ('130 12 / 2 "
        "6'), or a .csv or .tsv file that holds it. Needs --rows.",
    ),
    click.option(
        "--rows",
        type=options.Name(lambda: ("actual", "predicted")),
        metavar="NAME",
        help="What a row of --matrix holds: one actual class, or one predicted class.",
    ),
    click.option(
        "--counts",
        metavar="TP=..,FP=..,FN=..,TN=..",
        help="Instead of FILE: the four counts of two classes.",
    ),
    click.option("--classes", metavar="A,B", help="Names of the classes of --matrix or --counts."),
)

interval_option: options.Option[Any] = click.option(
    "--interval",
    type=options.Name(lambda: ("auto", "wilson", "exact", "dirichlet", "bootstrap")),
    is_flag=False,
    flag_value="auto",
    metavar="[NAME]",
    help="auto: wilson for shares of rows, dirichlet (tables drawn about the counts) for "
    "other rates, with averages over classes corrected for bias. bootstrap: "
    "resampled rows. exact: Clopper and Pearson's, of shares of rows. Default: auto.",
)
out_option: options.Option[Any] = click.option(
    "--out",
    type=options.OutFile(*PICTURE_ENDINGS, *POINT_ENDINGS),
    metavar="FILE",
    help="Write the matrix of one model: .svg, .png or .pdf as a picture, .csv as a table.",
)
cases_option: options.Option[Any] = click.option(
    "--cases",
    type=options.OutFile(*POINT_ENDINGS),
    metavar="CSV",
    help="Write the rows of one model whose predicted class is wrong, the most wrong first.",
)


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=False)
@options.reading_options
@typed_options
@options_of(CONFUSION)
@interval_option
@out_option
@cases_option
@list_option
@options.output_options
def confusion(
    files: Sequence[Path],
    as_json: bool,
    list_names: bool,
    interval: str | None,
    out: Path | None,
    cases: Path | None,
    **given: Any,
) -> None:
    """Show which classes are confused, with precision, recall and other rates.

    Rows of the matrix are actual classes, columns are predicted classes. A rate with a zero
    denominator is undefined.
    """
    if list_names:
        options.need_no_file(files)
        print_names(CONFUSION, as_json=as_json)
        return
    values = CONFUSION.checked(
        "command", {name: given.pop(name) for name in CONFUSION.offered("command")}
    )
    _check_interval(values, interval)
    typed = given["matrix"]
    options.need_other_file([out, cases], [*files, None if typed is None else Path(typed)])
    values |= {} if interval is None else {"interval": interval}
    decision = {name: values.pop(name, None) for name in DECIDED}
    source = _source(files, given | decision)
    if out is not None:
        _write(source.matrices, out, values.get("shares"))
    if cases is not None:
        _write_cases(source, decision, cases)
    from plumbline.confusion.rated_matrix import rated_matrix

    answers = [(matrix.model, rated_matrix(matrix, **values)) for matrix in source.matrices]
    if "undefined" in values:
        _need_averages([rate for _, one in answers for rate in one.rates.entries])
    if as_json:
        entries, beside = entries_of(answers)
        print_json("confusion", entries, **beside)
        return
    click.echo(source.heading)
    alone = len(answers) == 1
    for name, answer in answers:
        of = "" if alone else f"model {printable(name)}\n"
        click.echo(f"\n{of}{terminal.shown([(None, answer)], with_notes=alone)}")
    if not alone:
        click.echo("".join(f"\n{note}\n" for note in terminal.notes_of(answers)), nl=False)
    if out is not None:
        called = "Table" if out.suffix.lower() in POINT_ENDINGS else "Picture"
        click.echo(f"\n{called}: {printable(out)}")
    if cases is not None:
        click.echo(f"\nWrong rows: {printable(cases)}")


# ------------------------------------------------------------------ where counts come from


class MatrixSource(NamedTuple):
    """What was read: a line about it, the matrix of every model, and the rows where there are any.

    Attributes
    ----------
    data : None of matrices that were typed in
    """

    heading: str
    matrices: Sequence["ConfusionMatrix"]
    data: "Predictions | None" = None


def _source(files: Sequence[Path], given: dict[str, Any]) -> MatrixSource:
    """Read FILE, or the matrix that was typed in its place."""
    from plumbline.confusion import confusion_matrix

    typed = {name: given.pop(name) for name in TYPED}
    sources = [files or None, typed["matrix"], typed["counts"]]
    if sum(source is not None for source in sources) != 1:
        raise ParameterError(SOURCES, code="file-missing")
    if files:
        _refuse(typed, ("rows", "classes"), "belongs to --matrix and does not apply to FILE")
        data, how = split_source(files, given)
        matrices = [confusion_matrix(part, **how) for part in data.by_model().values()]
        return MatrixSource(heading(files, data), matrices, data)
    if typed["counts"] is not None:
        _refuse(
            given | typed,
            (*TABLE_OPTIONS, "threshold", "target", "rows"),
            "does not apply to --counts",
        )
        matrix = matrix_of_counts(typed["counts"], classes=typed["classes"])
    else:
        without = [name for name in TABLE_OPTIONS if name != "positive"]
        _refuse(
            given, (*without, "threshold", "target"), "reads FILE and does not apply to --matrix"
        )
        matrix = matrix_of_text(
            typed["matrix"],
            rows=typed["rows"],
            classes=typed["classes"],
            positive=given["positive"],
        )
    weights = float(matrix.counts.sum())
    total = (
        counted(matrix.n, "row")
        if matrix.n is not None
        else f"weights of {amount(weights, scale=weights)}"
    )
    return MatrixSource(f"typed in: {total}, {counted(len(matrix.classes), 'class')}", [matrix])


def _refuse(given: Mapping[str, Any], names: Iterable[str], why: str) -> None:
    """Refuse options that say nothing here."""
    for name in names:
        if has_value(given[name]):
            raise ParameterError(f"--{name} {why}; leave it out", code="argument-beside-another")


def _check_interval(values: Mapping[str, Any], interval: str | None) -> None:
    if "level" in values and interval is None:
        raise ParameterError(
            "--level is the coverage of --interval; give both, or neither",
            code="argument-needs-another",
        )
    if "resamples" in values and interval in (None, "wilson", "exact"):
        raise ParameterError(
            "--resamples belongs to --interval auto, dirichlet or bootstrap; give one of these too",
            code="argument-needs-another",
        )


def _need_averages(rates: Iterable["RateValue"]) -> None:
    """Refuse to say what becomes of undefined classes where no rate is a mean over classes."""
    if not any(rate.kind in MEANS or rate.name in MEANS for rate in rates):
        raise ParameterError(
            "--undefined is about averages over classes, and none of these rates is one",
            code="argument-needs-another",
            argument="undefined",
            remedy="leave it out, or add --average macro",
        )


# ------------------------------------------------------------------ files


def _write_cases(source: MatrixSource, decision: Mapping[str, Any], path: Path) -> None:
    """Write the rows whose predicted class is wrong."""
    from plumbline.confusion import cell_rows
    from plumbline.reporting.curve_files import write_rows

    if source.data is None:
        raise ParameterError(
            "--cases writes rows of FILE, and typed counts have none; leave it out",
            code="argument-beside-another",
        )
    if len(source.matrices) > 1:
        raise one_model_at_a_time("--cases writes rows of one model", source.data.models)
    rows = cell_rows(source.data, **decision)
    write_whole(path, lambda part: write_rows(rows, part))


def _write(matrices: Sequence["ConfusionMatrix"], out: Path, shares: "By | None") -> None:
    """Write the matrix as a picture, or as a table that `--matrix` reads."""
    if len(matrices) > 1:
        models = [str(matrix.model) for matrix in matrices]
        raise one_model_at_a_time("--out writes the matrix of one model", models)
    (matrix,) = matrices
    if out.suffix.lower() in PICTURE_ENDINGS:
        from plumbline.plots import confusion_figure
        from plumbline.plots.save_figure import save_figure

        save_figure(confusion_figure(matrix, normalize=shares), out)
        return

    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([CORNER, *matrix.classes])
    counts = zip(matrix.classes, matrix.counts.tolist(), strict=True)
    lines.writerows([name, *(f"{cell:.17g}" for cell in row)] for name, row in counts)
    write_whole(out, lambda part: part.write_text(text.getvalue(), "utf-8"))


# ------------------------------------------------------------------ matrices that are typed


def matrix_of_text(
    text: str, *, rows: "Axis | None", classes: str | None, positive: str | None
) -> "ConfusionMatrix":
    """Return the matrix that `--matrix` spells out, rows apart by "/", or whose file it names."""
    from plumbline.confusion import ConfusionMatrix

    file = Path(text)
    names: Sequence[str] | None = None
    if file.suffix.lower() in DELIMITERS:
        cells, names, counts = _read(file)
        if counts is not None and rows not in (None, counts):
            raise InputError(
                f"the corner of {quoted(text)} says that rows are {counts}, not {rows}",
                code="axes-disagree",
            )
        rows = rows or counts
    else:
        lines = [line for line in re.split(r"[/;\n]", text) if line.strip()]
        cells = [_numbers("--matrix", re.split(r"[\s,]+", line.strip())) for line in lines]
    if rows is None:
        raise ParameterError(NEEDS_ROWS, code="rows-or-columns-unsaid")
    if classes is not None:
        names = _listed_classes(classes, len(cells), of="--matrix")
    return ConfusionMatrix.from_counts(cells, classes=names, rows=rows, positive=positive)


def matrix_of_counts(text: str, *, classes: str | None) -> "ConfusionMatrix":
    """Return the matrix of two classes that `--counts TP=6,FP=12,FN=2,TN=130` spells out."""
    from plumbline.confusion import ConfusionMatrix
    from plumbline.confusion.rates import CELLS

    count: dict[str, float] = {}
    for word in re.split(r"[\s,;]+", text.strip()):
        name, _, value = word.partition("=")
        if name.upper() not in CELLS or name.upper() in count:
            raise ParameterError(
                f"--counts must be TP=..,FP=..,FN=..,TN=.., each once, got {quoted(word)}",
                code="wrong-kind",
            )
        (count[name.upper()],) = _numbers("--counts", [value])
    missing = [name for name in CELLS if name not in count]
    if missing:
        raise ParameterError(
            f"--counts lacks {', '.join(missing)}; give all four counts", code="cells-missing"
        )
    names = (
        ["negative", "positive"] if classes is None else _listed_classes(classes, 2, of="--counts")
    )
    return ConfusionMatrix.from_counts(count, classes=names)


def _listed_classes(text: str, k: int, *, of: str) -> list[str]:
    names = listed("--classes", text, ())
    if len(names) != k:
        raise ParameterError(
            f"--classes must name {k} classes, like A,B, for {of} has as many; got {len(names)}: "
            f"{shown(names)}",
            code="names-miscounted",
        )
    return names


def _read(file: Path) -> tuple[Cells, list[str] | None, "Axis | None"]:
    """Return the numbers of a file, the classes that it names, and what its corner says of rows."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as stream:
            lines = list(csv.reader(stream, delimiter=DELIMITERS[file.suffix.lower()]))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"the matrix {quoted(str(file))} cannot be read: {reason}", code="unreadable-file"
        ) from error
    lines = [[cell.strip() for cell in line] for line in lines if any(map(str.strip, line))]
    if not lines:
        raise InputError(f"the matrix {quoted(str(file))} is empty", code="no-rows")
    where = f"the matrix {quoted(str(file))}"
    head, body = lines[0], lines[1:]
    if all(map(reads_as_number, head)):
        return [_numbers(where, line) for line in lines], None, None
    if len(body) == len(head):  # the names of the columns alone
        return [_numbers(where, line) for line in body], head, None
    names = [line[0] for line in body]
    if head[1:] != names:
        raise InputError(
            f"{where} must name the same classes in its first row and in its first column, in one "
            f"order; got {shorten(head[1:])} and {shorten(names)}",
            code="classes-differ",
        )
    cells = [_numbers(where, line[1:]) for line in body]
    return cells, names, AXES.get(head[0].partition(" ")[0].lower())


def _numbers(where: str, words: Sequence[str]) -> list[float]:
    """Return words as numbers; of what they count, the library says what is sound."""
    wrong = [word for word in words if not reads_as_number(word)]
    if wrong:
        raise InputError(
            f"{where} must hold numbers, got {quoted(wrong[0])}", code="unreadable-file"
        )
    return [float(word) for word in words]
