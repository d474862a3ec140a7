"""Python that makes a result again from its file, and a test that guards its number."""

from dataclasses import dataclass
from pathlib import PurePath

from plumbline.workbench.desk.exporting.names import call, literal, remark
from plumbline.workbench.desk.inquiry import Inquiry

TOLERANCE = 1e-9  # relative; the same rows give the same number but for the machine's arithmetic
HOLDS = {"at least": ">=", "at most": "<="}


@dataclass(frozen=True, slots=True)
class Code:
    """What makes a result from `data`, line by line, and the expression of its number."""

    lines: tuple[str, ...]
    number: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A number worth guarding.

    Attributes
    ----------
    what : the number in words
    value : what it is on these rows
    holds : "at least" or "at most"
    bound : the worst value that passes
    why : where the proposed bound comes from
    free : whether the reader says which side is worse
    """

    what: str
    value: float
    holds: str
    bound: float
    why: str
    free: bool = False


def script(inquiry: Inquiry, code: Code, *, title: str, filtered: bool = True) -> str:
    """Return a program that reads the file, makes the result and prints its number."""
    body = [*selecting(inquiry, filtered=filtered), *code.lines]
    lines = [
        remark(title),
        *_imports(body, code.number),
        "",
        f"data = {reading(inquiry, literal(file_name(inquiry)))}",
        *body,
        f"print({code.number})",
    ]
    return "\n".join(lines) + "\n"


def guarding(
    inquiry: Inquiry, code: Code, guard: Guard, *, title: str, sha: str, filtered: bool = True
) -> str:
    """Return a test that fails once the number is worse than the bound, on whichever rows.

    On the rows that it was made from the number must be the same again.
    """
    body = [*selecting(inquiry, filtered=filtered), *code.lines]
    told = f"{guard.what}: {guard.value!r}, {guard.holds} {guard.bound!r}"
    file = literal(file_name(inquiry))
    return "\n".join([
        remark(title),
        remark(told),
        *_imports([*body, "Path("], code.number, "pytest"),
        "from plumbline.curves.cards.fingerprint import data_hash",
        "",
        remark("The table with the predictions, beside this file"),
        f"FILE = Path(__file__).with_name({file})",
        f"NUMBER, BOUND, TOLERANCE = {literal(guard.value)}, {literal(guard.bound)}, {TOLERANCE!r}",
        remark("Fingerprint of the rows that the number was found on"),
        f"ROWS = {literal(sha)}",
        "",
        "",
        "def number(data):",
        *(f"    {line}" if line else "" for line in body),
        f"    return float({code.number})",
        "",
        "",
        "def test_the_number_holds():",
        f"    data = {reading(inquiry, 'FILE')}",
        "    found = number(data)",
        f"    assert found {HOLDS[guard.holds]} BOUND",
        "    if data_hash(data) == ROWS:",
        "        assert found == pytest.approx(NUMBER, rel=TOLERANCE, abs=TOLERANCE)",
        "",
    ])  # fmt: skip


def file_name(inquiry: Inquiry) -> str:
    """Return the name of the file to read, without any folder.

    A table without a file, as in a notebook, is taken to be saved as CSV.
    """
    name = PurePath(inquiry.name.replace("\\", "/")).name or "table"
    return name if PurePath(name).suffix else f"{name}.csv"


def reading(inquiry: Inquiry, file: str) -> str:
    """Return the call that reads the table."""
    table = inquiry.table
    usual = table.positive == table.k - 1
    named = {name: inquiry.read.get(name) for name in ("actual", "prob", "rename", "normalize")}
    positive = None if usual else table.classes[table.positive]
    return call("pb.read", file, **named, positive=positive)


def selecting(inquiry: Inquiry, *, filtered: bool) -> list[str]:
    """Return the lines that keep of `data` what was opened of the file and what the panel says."""
    chosen, table = inquiry.selection, inquiry.table
    lines = [
        f"data = data.select({column}={literal(list(names))})"
        for column, names in (
            ("model", table.models if "models" in inquiry.read else None),
            ("fold", table.folds if "folds" in inquiry.read else None),
            ("repeat", table.repeat.names if "repeats" in inquiry.read and table.repeat else None),
        )
        if names
    ]
    for column, names in (("model", chosen.models), ("fold", chosen.folds)):
        if names is not None:
            lines.append(f"data = data.select({column}={literal(list(names))})")
    if table.weight is not None and not chosen.weighted:
        lines.append("data = dataclasses.replace(data, weight=None)")
    if chosen.target is not None and table.class_number(chosen.target) != table.positive:
        number = f"data.class_number({literal(chosen.target)})"
        lines.append(f"data = dataclasses.replace(data, positive={number})")
    if filtered and chosen.where is not None:
        rows = call("pb.cases_between", "together", sort_by="1", where=chosen.where, most=0)
        lines += [
            "together = dataclasses.replace(data, model=None)",
            f"kept = {rows}",
            "data = data.select(where=np.sort(kept.numbers))",
        ]
    return lines


def _imports(body: list[str], number: str, *others: str) -> list[str]:
    """Return the imports that the lines need, as import sorters order them."""
    text = "\n".join([*body, number])
    known = {"dataclasses.": "import dataclasses", "math.": "import math",
             "Path(": "from pathlib import Path"}  # fmt: skip
    first = [line for mark, line in known.items() if mark in text]
    second = ["import numpy as np"] if "np." in text else []
    second += ["import plumbline as pb", *(f"import {name}" for name in others)]
    return [*([""] if first else []), *first, "", *second]
