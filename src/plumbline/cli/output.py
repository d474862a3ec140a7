"""How answers look: aligned tables, wrapped verdicts, one JSON object."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import click

from plumbline import formatting

WIDTH = formatting.PAGE
NAMES = (  # columns of names
    *("model", "bin", "part", "class", "estimate", "answer", "test"),
    *("metric", "view", "group", "name", "kind"),
    *("rate", "also called"),
    *(
        "fold",
        "preset",
        "needs",
        "attribute",
        "actual",
        "predicted",
        "line",
        "title",
        "other",
        "after",
        "better",
        "method",
        "reads",
        "classes",
        "order",
        "options",
    ),
)


def span(low: float, high: float) -> str:
    """Return a range."""
    return f"{formatting.number(low)} to {formatting.number(high)}"


def table(columns: Mapping[str, Sequence[str]]) -> str:
    """Return columns of text under their names: names to the left, numbers to the right.

    >>> print(table({"model": ["a", "bb"], "n": ["1,000", "20"]}))
    model      n
    a      1,000
    bb        20
    """
    from plumbline._result import text_table

    return text_table(columns, left=NAMES)


def paragraph(text: str, indent: str = "  ") -> str:
    """Return a text wrapped at the width of a page."""
    return textwrap.fill(
        formatting.printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def entry(model: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `results`: the model first, where there is one."""
    rest = {key: value for key, value in values.items() if key != "model"}
    return rest if model is None else {"model": model, **rest}


def print_json(command: str, results: Sequence[Mapping[str, Any]], **more: Any) -> None:
    """Print the one object of `--json`: strict JSON, where undefined is null."""
    import plumbline
    from plumbline._result import jsonable

    whole = {"plumbline": plumbline.__version__, "command": command, "results": results} | more
    click.echo(json.dumps(jsonable(whole), indent=2, allow_nan=False))
