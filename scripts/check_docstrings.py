"""Refuses public functions whose docstring lacks a section, a parameter or an example.

    python scripts/check_docstrings.py

Uses numpydoc's own rules; `make lint` runs it.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from numpydoc.validate import validate

import plumbline

# Codes of numpydoc: no docstring; no summary of one sentence; parameters missing, unknown, in
# another order, without type or description; no Returns or no description there; no example.
WANTED = {
    *("GL08", "SS01", "SS03"),
    *("PR01", "PR02", "PR03", "PR04", "PR07"),
    *("RT01", "RT03", "EX01"),
}


DOCS = Path(__file__).resolve().parents[1] / "docs"
MODULE = re.compile(r"automodule:: (\S+)\n   :members:(.*)")


def public_functions() -> Iterator[str]:
    """Yield the full name of every function that docs/api*.md list, and of Predictions' makers."""
    text = "".join(page.read_text("utf-8") for page in sorted(DOCS.glob("api*.md")))
    for module, members in [("plumbline", ""), *MODULE.findall(text)]:
        package = import_module(module)
        for name in members.replace(",", " ").split() or package.__all__:
            if inspect.isfunction(getattr(package, name)):
                yield f"{module}.{name}"
    for name, thing in vars(plumbline.Predictions).items():
        if not name.startswith("_") and isinstance(thing, classmethod):
            yield f"plumbline.Predictions.{name}"


def main() -> None:
    """Print every fault and leave with 1 if there is one."""
    faults = [
        f"{name}: {code} {text}"
        for name in public_functions()
        for code, text in validate(name)["errors"]
        if code in WANTED
    ]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
