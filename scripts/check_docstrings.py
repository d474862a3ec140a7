"""Refuses public functions whose docstring lacks a section, a parameter or an example.

    python scripts/check_docstrings.py

Uses numpydoc's own rules; `make lint` runs it.
"""

import inspect
import sys
from collections.abc import Iterator

from numpydoc.validate import validate

import plumbline
import plumbline.sklearn

# Codes of numpydoc: no docstring; no summary of one sentence; parameters missing, unknown, in
# another order, without type or description; no Returns or no description there; no example.
WANTED = {
    *("GL08", "SS01", "SS03"),
    *("PR01", "PR02", "PR03", "PR04", "PR07"),
    *("RT01", "RT03", "EX01"),
}


def public_functions() -> Iterator[str]:
    """Yield the full name of every public function, and of every public method of Predictions."""
    for module in (plumbline, plumbline.sklearn):
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield f"{module.__name__}.{name}"
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
