"""The classes of all results, by name.

They are listed in `results.pyi`; the package each lives in is imported when it is first asked for.

>>> from plumbline.results import Measures
>>> Measures.__module__
'plumbline.metrics.measure'
"""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def _homes() -> dict[str, str]:
    """Return the module of every name that the stub beside this file lists."""
    tree = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    lines = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: line.module or "" for line in lines for alias in line.names}


def __getattr__(name: str) -> Any:
    """Import the class of a result when it is first asked for."""
    if name == "__all__":
        return sorted(_homes())
    if name.startswith("_") or name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_homes()[name]), name)


def __dir__() -> list[str]:
    return sorted(_homes())
