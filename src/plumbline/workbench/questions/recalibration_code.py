"""Lines that fit a map on the rows of a question, for the command line and for Python."""

from collections.abc import Iterator
from typing import Any

from plumbline.command_words import command_line, file_word, options_words
from plumbline.python_calls import call
from plumbline.recalibration import AUTO
from plumbline.workbench.questions.exporting.artifact import choosing
from plumbline.workbench.questions.exporting.script import (
    Code,
    file_name,
    naming_groups,
    positive_said,
    reading,
    reading_arguments,
    script,
)
from plumbline.workbench.questions.inquiry import Inquiry

NEW = "new.csv"
ENDS = f"--apply {NEW} --out calibrated.csv --save-map map.json"


def lines_of(inquiry: Inquiry, model: str | None, method: str) -> dict[str, Any]:
    """Return the lines, and what of the data panel the command line cannot say."""
    named = None if method == AUTO else method
    fitting = f"fitted = {call('pb.recalibrate', 'data', method=named)}"
    applying = f"calibrated = fitted({reading(inquiry, repr(NEW))})"
    code = Code((*choosing(model), fitting, applying), "calibrated")
    how = options_words({**_reading(inquiry, model), "method": named})
    words = ["plumbline", "recalibrate", file_word(file_name(inquiry)), *how]
    return {
        "shell": f"{command_line(words)} {ENDS}",
        "python": script(inquiry, code, title=f"Recalibration by {method}"),
        "left_out": list(_left_out(inquiry)),
    }


def _reading(inquiry: Inquiry, model: str | None) -> dict[str, Any]:
    """Return the options that read the table and choose its rows; weights that are off stay on."""
    rename, groups = inquiry.read.get("rename"), inquiry.selection.groups
    if groups is not None:
        rename = naming_groups(rename or {}, groups)
    own = {"rename": rename, "positive": _positive(inquiry), "models": model}
    return reading_arguments(inquiry) | own


def _positive(inquiry: Inquiry) -> str | None:
    """Return the class to be told, None where it is clear.

    Columns of the positive class stay those of the class that the table was read with.
    """
    target, table = inquiry.selection.target, inquiry.table
    if target is None or isinstance(inquiry.read.get("prob"), list):
        return positive_said(inquiry)
    return None if table.class_number(target) == table.k - 1 else target


def _left_out(inquiry: Inquiry) -> Iterator[str]:
    """Yield what the command line does not do, a sentence each."""
    chosen = inquiry.selection
    if chosen.where is not None:
        yield "The command line has no filter: it also fits on the rows without "
        f"“{chosen.where}”."
    table = inquiry.table
    if table.weight is not None and not table.counted and not chosen.weighted:
        yield "The command line uses the weights, which are off in the data panel."
