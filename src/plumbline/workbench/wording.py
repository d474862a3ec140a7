"""How the workbench words what the library says: by the labels of its controls."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from plumbline.errors import FormulaError, PlumblineError, Surface, plain_name, value_written
from plumbline.formatting import quoted
from plumbline.requests import REQUESTS

# The label of the control that sets an argument, where no row of the table of requests serves it.
OWN = {
    "actual": "true class",
    "average": "averaging",
    "by": "Groups by",
    "cuts": "bins",
    "datasets": "simulation",
    "decimal": "Decimal mark",
    "effect": "Effect to detect",
    "least": "Fewest rows in a bin",
    "methods": "method",
    "min": "Fewest rows in a bin",
    "n": "rows",
    "normalize": "Divide the probabilities of every row by their sum",
    "params": "parameters",
    "prob": "probabilities",
    "resamples": "Draws under the null",
    "separator": "Separator",
    "statistic": "test",
    "target": "class",
    "test": "comparison",
    "where": "filter",
    "x_title": "Title of the x axis",
    "y_title": "Title of the y axis",
}


@cache
def labels() -> Mapping[str, str]:
    """Return the label of every argument; what has none, or a single word, is called by its name.

    Rows serve the labels. A parameter whose label differs from row to row has none here.
    """
    served: dict[str, set[str]] = {}
    for request in REQUESTS.values():
        for param in request.params("served"):
            served.setdefault(param.name, set()).add(param.kind.label)
    single = {name: label for name, (label, *others) in served.items() if not others}
    return {name: label for name, label in single.items() if " " in label} | OWN


# What to do in the browser, where that is not what to do in Python: by the codes of errors.
REMEDIES = {
    "ambiguous-separator": "choose its separator",
    "classes-missing": "choose the column of each class",
    "column-unclear": "choose what it is",
    "columns-unknown": "choose what each column is",
    "decimal-comma": "choose the comma as decimal mark if all numbers have one",
    "logits": "choose how the probabilities are written",
    "no-header": "choose that the first line holds values",
    "nothing-to-group": "choose another attribute",
    "not-summing-to-1": "if they are rounded, divide the probabilities of every row by their sum",
    "one-class": "",
    "one-column": "",
    "one-label": "choose whose probabilities these are",
    "one-model": "",
    "ratings-only": "turn them into probabilities with a map fitted on held-out rows",
    "repeated-examples": "",
    "rows-of-the-fit": "apply it to other rows",
    "scale-unclear": "choose how the probabilities are written",
    "several-models": "choose one model",
    "several-readings": "choose one",
    "sheet-unclear": "save the sheet as a file of its own, or start plumbline serve FILE --sheet "
    "NAME",
    "sum-not-one": "if they are rounded, divide the probabilities of every row by their sum",
    "top-label-unclear": "choose whose probabilities these are",
    "truth-follows": "choose what each column is",
    "truth-unlike": "choose what each column is",
    "two-classes-unknown": "choose one column of probabilities for each class",
    "unclear-decimal": "choose the decimal mark",
    "unknown-metric": "",
    "unknown-scheme": "",
    "value-missing": "complete them, or leave these rows out",
}
SENTENCES = {
    "counted-rows": "This needs single rows, and the rows of this table were counted. Start "
    "plumbline serve with --engine memory, if memory holds every row.",
    "no-rows-left": "No rows match the filter.",
}
TEXTS = ("notes", "reason", "remarks", "why", "why_no_curve", "hull_reason")  # keys of answers
ABOUT_CURVES = ("curve", "reading", "difference", "optimum", "cases", "subgroups", "iso-cost")


class Browser(Surface):
    """Names an argument by the label of its control, without signs of a program."""

    remedies = REMEDIES
    sentences = SENTENCES

    def argument(self, name: str) -> str:
        """Return the label, in quotes where it is more than a word."""
        label = labels().get(name)
        return plain_name(name) if label is None else quoted(label) if " " in label else label

    def setting(self, name: str, value: str) -> str:
        """Return the label and what is chosen."""
        given = value_written(value)
        if isinstance(given, Mapping):
            given = ", ".join(f"{key} {value}" for key, value in given.items())
        elif isinstance(given, list):
            given = ", ".join(map(str, given))
        return self.argument(name) if given is True else f"{self.argument(name)} {given}"


BROWSER = Browser()


def message_of(error: PlumblineError) -> str:
    """Return why there is no answer, as a sentence; of a formula it goes before its place."""
    text = error.worded(BROWSER)
    if isinstance(error, FormulaError):
        return text
    end = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def worded_answer(answer: Any, kind: str) -> Any:
    """Return an answer whose notes and reasons are in the words of the browser.

    Those about curves hold words of formulas in back-ticks, which stay.
    """
    names = kind not in ABOUT_CURVES

    def worded(value: Any, *, prose: bool) -> Any:
        if isinstance(value, str):
            return BROWSER.worded(value, names=names) if prose else value
        if isinstance(value, dict):
            return {key: worded(one, prose=key in TEXTS) for key, one in value.items()}
        if isinstance(value, list | tuple) and (prose or any(isinstance(v, dict) for v in value)):
            return [worded(one, prose=prose) for one in value]
        return value

    return worded(answer, prose=False)
