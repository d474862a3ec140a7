"""The add-on takes from Plumbline what docs/api*.md list, and the table of requests."""

import ast
import re
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]
DOCS = FOLDER.parent / "docs"
MODULE = re.compile(r"automodule:: (\S+)\n   :members:(.*)")
TABLE = "plumbline.requests"  # of the questions that every shell asks


def public():
    """Return the public names by module."""
    found = {"plumbline": set(import_module("plumbline").__all__)}
    text = "".join(page.read_text("utf-8") for page in sorted(DOCS.glob("api*.md")))
    for module, members in MODULE.findall(text):
        listed = members.replace(",", " ").split()
        found[module] = set(listed or import_module(module).__all__)
    # What the package itself offers may be imported from its parts as well, and so may classes
    # that annotate: a module's own list names them.
    for module in found:
        own = set(getattr(import_module(module), "__all__", ()))
        found[module] |= own & (found["plumbline"] | found["plumbline.results"])
    return found


def imported():
    """Yield file, module and name of everything that is imported from Plumbline."""
    for path in sorted((FOLDER / "plumbline_orange").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").split(".")[0] == "plumbline"
            ):
                yield from ((path.name, node.module, one.name) for one in node.names)
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names if one.name.split(".")[0] == "plumbline"]
                yield from ((path.name, name, None) for name in names)


def test_only_public_names_are_imported():
    known, found = public(), list(imported())
    assert len(found) > 20
    private = [
        (file, module, name)
        for file, module, name in found
        if not f"{module}.".startswith(f"{TABLE}.")
        and (module not in known or (name is not None and name not in known[module]))
    ]
    assert not private
