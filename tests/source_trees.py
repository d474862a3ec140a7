"""The source of the package as syntax trees, parsed once for all tests that look at it."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "plumbline"


@cache
def tree_of(file: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(file.read_text("utf-8"))


@cache
def nodes() -> tuple[tuple[Path, ast.AST], ...]:
    """Return every node of every file of the package, beside its file."""
    return tuple(
        (file, node) for file in sorted(PACKAGE.rglob("*.py")) for node in ast.walk(tree_of(file))
    )


@cache
def calls() -> tuple[tuple[Path, ast.Call, str], ...]:
    """Return every call, beside its file and the name of what is called."""
    return tuple(
        (file, node, ast.unparse(node.func)) for file, node in nodes() if isinstance(node, ast.Call)
    )
