"""The source of the package as syntax trees, parsed once for all tests that look at it."""

import ast
import gc
from collections.abc import Iterator
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
    gc.disable()  # nothing of half a million nodes is garbage, and looking takes twice as long
    try:
        return tuple(
            (file, node) for file in sorted(PACKAGE.rglob("*.py")) for node in inside(tree_of(file))
        )
    finally:
        gc.enable()


def inside(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree but its contexts, three times as fast as `ast.walk`."""
    rest = [tree]
    while rest:
        node = rest.pop()
        yield node
        for value in vars(node).values():
            if isinstance(value, list):
                rest += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                rest.append(value)


@cache
def calls() -> tuple[tuple[Path, ast.Call, str], ...]:
    """Return every call, beside its file and the name of what is called."""
    return tuple(
        (file, node, name_of(node.func)) for file, node in nodes() if isinstance(node, ast.Call)
    )


def name_of(node: ast.expr) -> str:
    """Return an expression as source; of names, as most are, without the work of `ast.unparse`.

    >>> name_of(ast.parse("a.b(1).c", mode="eval").body)
    'a.b(1).c'
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
        return f"{name_of(node.value)}.{node.attr}"
    return ast.unparse(node)
