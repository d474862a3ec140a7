"""How the documentation is built: `make docs`. The pages ask nothing of other hosts."""

import re
from importlib.metadata import version as version_of
from typing import Any

project = "Plumbline"
author = "The Plumbline authors"
project_copyright = author
version = release = version_of("plumbline-eval")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# No extension for formulas: they would load a script from another host, so formulas are plain text.
exclude_patterns = ["_build"]

myst_heading_anchors = 3
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Plumbline {version}"
html_copy_source = False

SECTION = re.compile(r"(\w+)\n-+$")
ENTRY = re.compile(r"(\w+(?:, \w+)*) : (.+)")


def name_then_text(*event: Any) -> None:
    """Put what stands behind `name :` in Attributes and Parameters where a description belongs.

    Types are in the signatures, so our docstrings say there what a thing is, not of which type.
    """
    lines: list[str] = event[-1]
    section, result = "", []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        heading = SECTION.match(f"{line}\n{after}")
        section = heading[1] if heading else section
        entry = ENTRY.match(line) if section in ("Attributes", "Parameters") else None
        result += [entry[1], f"    {entry[2]}"] if entry else [line]
    lines[:] = result


def setup(app: Any) -> None:
    """Run before napoleon (500) reads the docstrings."""
    app.connect("autodoc-process-docstring", name_then_text, priority=400)
