"""The page about large tables lists which public functions take counted rows, from the code."""

import inspect
import os
from pathlib import Path

import plumbline as pb
from plumbline.predictions import COUNTED
from plumbline.predictions.counted import REFUSED

PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
START, END = "<!-- functions -->\n", "<!-- end of functions -->\n"


def functions_of_tables() -> list[str]:
    """Return the public functions with an argument that may be a table."""
    return [
        name
        for name in sorted(pb.__all__)
        if hasattr(function := getattr(pb, name), "__wrapped__")
        and any("Predictions" in str(p.annotation) for p in signature_of(function))
    ]


def signature_of(function):
    """Return the parameters of a public function."""
    return inspect.signature(function.__wrapped__).parameters.values()


def table_of_functions() -> str:
    """Return the table in Markdown."""
    counted = [f"`{name}`" for name in functions_of_tables() if name in COUNTED]
    lines = ["| functions | of a counted table |", "|---|---|"]
    lines.append(f"| {', '.join(counted)} | answer as for the repeated rows |")
    refused = {name: "" for name in functions_of_tables() if name not in COUNTED} | REFUSED
    for purpose in dict.fromkeys(refused.values()):
        names = ", ".join(f"`{name}`" for name in refused if refused[name] == purpose)
        lines.append(f"| {names} | need single rows{purpose and f' {purpose}'} |")
    return "\n".join(lines) + "\n"


def test_functions_that_are_refused_are_functions_of_tables():
    """None is left over in the table of reasons, and none of them takes counted rows."""
    names = functions_of_tables()
    assert len(names) > 30
    assert {*REFUSED} <= {name for name in names if name not in COUNTED}


def test_page_has_the_table():
    """PLUMBLINE_SNAPSHOTS=write renews it."""
    text = PAGE.read_text("utf-8")
    start, end = text.index(START) + len(START), text.index(END)
    if os.environ.get("PLUMBLINE_SNAPSHOTS") == "write":
        PAGE.write_text(text[:start] + table_of_functions() + text[end:], "utf-8")
    else:
        assert text[start:end] == table_of_functions()
