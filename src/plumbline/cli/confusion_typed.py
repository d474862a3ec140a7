"""A confusion matrix that was typed in, or that stands in a file, instead of FILE's rows."""

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plumbline._checks import shorten, shown
from plumbline.cli.prediction_file import listed
from plumbline.errors import InputError, ParameterError

if TYPE_CHECKING:
    from plumbline.confusion import ConfusionMatrix
    from plumbline.confusion.matrix import Axis

Cells = list[list[float]]

DELIMITERS = {".csv": ",", ".tsv": "\t"}
AXES: Mapping[str, "Axis"] = {"actual": "actual", "predicted": "predicted"}
CORNER = "actual \\ predicted"
NEEDS_ROWS = (
    "--matrix needs --rows actual (each row holds one true class, as in scikit-learn) or --rows "
    "predicted (each row holds one answer): the numbers alone do not say which"
)


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
            raise InputError(f"the corner of {text!r} says that rows are {counts}, not {rows}")
        rows = rows or counts
    else:
        lines = [line for line in re.split(r"[/;\n]", text) if line.strip()]
        cells = [_numbers("--matrix", re.split(r"[\s,]+", line.strip())) for line in lines]
    if rows is None:
        raise ParameterError(NEEDS_ROWS)
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
                f"--counts must be TP=..,FP=..,FN=..,TN=.., each once, got {word!r}"
            )
        (count[name.upper()],) = _numbers("--counts", [value])
    missing = [name for name in CELLS if name not in count]
    if missing:
        raise ParameterError(f"--counts lacks {', '.join(missing)}; all four make the table")
    names = (
        ["negative", "positive"] if classes is None else _listed_classes(classes, 2, of="--counts")
    )
    return ConfusionMatrix.from_counts(count, classes=names)


def _listed_classes(text: str, k: int, *, of: str) -> list[str]:
    names = listed("--classes", text, ())
    if len(names) != k:
        raise ParameterError(
            f"--classes must name {k} classes, like A,B, for {of} has as many; got {len(names)}: "
            f"{shown(names)}"
        )
    return names


def _read(file: Path) -> tuple[Cells, list[str] | None, "Axis | None"]:
    """Return the numbers of a file, the classes that it names, and what its corner says of rows."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as stream:
            lines = list(csv.reader(stream, delimiter=DELIMITERS[file.suffix.lower()]))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the matrix {str(file)!r} cannot be read: {reason}") from error
    lines = [[cell.strip() for cell in line] for line in lines if any(map(str.strip, line))]
    if not lines:
        raise InputError(f"the matrix {str(file)!r} is empty")
    where = f"the matrix {str(file)!r}"
    head, body = lines[0], lines[1:]
    if all(map(_is_number, head)):
        return [_numbers(where, line) for line in lines], None, None
    if len(body) == len(head):  # the names of the columns alone
        return [_numbers(where, line) for line in body], head, None
    names = [line[0] for line in body]
    if head[1:] != names:
        raise InputError(
            f"{where} must name the same classes in its first row and in its first column, in one "
            f"order; got {shorten(head[1:])} and {shorten(names)}"
        )
    cells = [_numbers(where, line[1:]) for line in body]
    return cells, names, AXES.get(head[0].partition(" ")[0].lower())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(where: str, words: Sequence[str]) -> list[float]:
    """Return words as numbers; of what they count, the library says what is sound."""
    wrong = [word for word in words if not _is_number(word)]
    if wrong:
        raise InputError(f"{where} must hold numbers, got {wrong[0]!r}")
    return [float(word) for word in words]
