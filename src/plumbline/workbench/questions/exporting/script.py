"""Python that makes a result again from its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from plumbline.python_calls import call, literal
from plumbline.workbench.questions.exporting.safe_names import remark
from plumbline.workbench.questions.inquiry import Inquiry

Lines = tuple[list[str], list[str]]  # code, and the modules that it needs
ROWS = ("models", "folds", "repeats")  # of how a table was read: the rows that were chosen


@dataclass(frozen=True, slots=True)
class Code:
    """What makes a result from `data`, line by line, and the expression of its number."""

    lines: tuple[str, ...]
    number: str


def script(inquiry: Inquiry, code: Code, *, title: str, filtered: bool = True) -> str:
    """Return a program that reads the file, makes the result and prints its number."""
    selected, modules = selecting(inquiry, filtered=filtered)
    lines = [
        remark(title),
        *_imports(modules),
        "",
        f"data = {reading(inquiry, literal(file_name(inquiry)))}",
        *selected,
        *code.lines,
        f"print({code.number})",
    ]
    return "\n".join(lines) + "\n"


def file_name(inquiry: Inquiry) -> str:
    """Return the name of the file to read, without any folder.

    A table without a file, as in a notebook, is taken to be saved as CSV.
    """
    name = PurePath(inquiry.name.replace("\\", "/")).name or "table"
    return name if PurePath(name).suffix else f"{name}.csv"


def reading(inquiry: Inquiry, file: str) -> str:
    """Return the call that reads the table."""
    given = {name: value for name, value in inquiry.read.items() if name not in ROWS}
    return call("pb.read", file, **{**given, "positive": positive_said(inquiry)})


def positive_said(inquiry: Inquiry) -> str | None:
    """Return the positive class, None where the columns tell it as they are named."""
    table = inquiry.table
    told = table.positive == table.k - 1 and not isinstance(inquiry.read.get("prob"), list)
    return None if told else table.classes[table.positive]


def reading_arguments(inquiry: Inquiry) -> dict[str, Any]:
    """Return how the table is read and its rows are chosen, as the command line's options."""
    table, chosen, read = inquiry.table, inquiry.selection, inquiry.read
    rename = dict(read.get("rename") or {})
    if table.weight is not None and not chosen.weighted:  # a weight of another name counts nothing
        given = {column: part for column, part in rename.items() if part != "weight"}
        rename = given if given != rename else rename | {"weight": "weight_unused"}
    if chosen.groups is not None:
        rename = naming_groups(rename, chosen.groups)
    models = chosen.models or (table.models if "models" in read else ())
    folds = chosen.folds or (table.folds if "folds" in read else ())
    repeats = table.repeat.names if "repeats" in read and table.repeat else ()
    rows = dict(zip(ROWS, map(list, (models, folds, repeats)), strict=True))
    named = {**read, "rename": rename, "positive": positive_said(inquiry), **rows}
    return {name: value for name, value in named.items() if value}


def naming_groups(rename: Mapping[str, str], attribute: str) -> dict[str, str]:
    """Return how columns are renamed so that the column of an attribute names the groups.

    >>> naming_groups({"y": "actual", "who": "groups"}, "site")
    {'y': 'actual', 'site': 'groups'}
    """
    column = next((own for own, name in rename.items() if name == attribute), attribute)
    return {own: name for own, name in rename.items() if name != "groups"} | {column: "groups"}


def selecting(inquiry: Inquiry, *, filtered: bool) -> Lines:
    """Return the lines that keep of `data` what was opened of the file and what the panel says."""
    chosen, table = inquiry.selection, inquiry.table
    lines, modules = [*_opened(inquiry)], []
    for column, names in (("model", chosen.models), ("fold", chosen.folds)):
        if names is not None:
            lines.append(f"data = data.select({column}={literal(list(names))})")
    if table.weight is not None and not chosen.weighted:
        lines.append("data = dataclasses.replace(data, weight=None)")
        modules.append("dataclasses")
    if chosen.target is not None and table.class_number(chosen.target) != table.positive:
        number = f"data.class_number({literal(chosen.target)})"
        lines.append(f"data = dataclasses.replace(data, positive={number})")
        modules.append("dataclasses")
    if chosen.groups is not None:
        lines.append(f"data = data.in_groups({literal(chosen.groups)})")
    if filtered and chosen.where is not None:
        rows = call("pb.cases_between", "together", sort_by="1", where=chosen.where, most=0)
        lines += [
            "together = dataclasses.replace(data, model=None)",
            f"kept = {rows}",
            "data = data.select(where=np.sort(kept.numbers))",
        ]
        modules += ["dataclasses", "numpy"]
    return lines, modules


def _opened(inquiry: Inquiry) -> list[str]:
    """Return the lines that keep what was opened of the file."""
    table, read = inquiry.table, inquiry.read
    parts = (
        ("model", table.models if "models" in read else None),
        ("fold", table.folds if "folds" in read else None),
        ("repeat", table.repeat.names if "repeats" in read and table.repeat else None),
    )
    return [
        f"data = data.select({column}={literal(list(names))})" for column, names in parts if names
    ]


def _imports(modules: list[str]) -> list[str]:
    """Return the imports of some modules and of plumbline, as import sorters order them."""
    own = ["", "import dataclasses"] if "dataclasses" in modules else []
    numpy = ["import numpy as np"] if "numpy" in modules else []
    return [*own, "", *numpy, "import plumbline as pb"]
