"""The gallery shows every plot, and its code draws what it says."""

import ast
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from plumbline import plots

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text("utf-8")
ENTRY = re.compile(
    r"^```\{plot\} ([\w ]+)\n:question: ([^\n]+)\n\n(.*?)^```", re.MULTILINE | re.DOTALL
)
ENTRIES = ENTRY.findall(PAGE)


def test_no_plot_is_missing():
    """Every public name of `plots` heads an entry or stands beside one, and none is invented."""
    named = {name for names, _, _ in ENTRIES for name in names.split()}
    assert named | {"Display", "figure_of", "figure_svg", "save_figure"} == set(plots.__all__)
    assert all(f"plots.{name}" in PAGE for name in ("figure_of", "figure_svg", "save_figure"))


@pytest.mark.parametrize(("names", "question", "code"), ENTRIES)
def test_an_entry_is_short_and_calls_what_it_names(names, question, code):
    """One question, few lines of code, and the function itself among them."""
    assert question.endswith(("?", "."))
    assert len(code.splitlines()) <= 5
    assert max(map(len, code.splitlines())) <= 72
    assert f"plots.{names.split()[0]}(" in code


def test_the_code_draws():
    """All entries run from top to bottom, as they do when the page is built."""
    names = {}
    exec(re.search(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1], names)  # noqa: S102
    for entry, _, code in ENTRIES:
        *lines, last = ast.parse(code).body
        exec(compile(ast.Module(lines, []), entry, "exec"), names)  # noqa: S102
        drawn = eval(compile(ast.Expression(last.value), entry, "eval"), names)  # noqa: S307
        assert isinstance(names["figure"] if entry.startswith("draw_") else drawn, Figure), entry
