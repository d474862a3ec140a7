"""The parameters of a public function, read from its source: to show help nothing is imported."""

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from threading import Lock
from typing import Any

REQUIRED: Any = object()
DATA = ("data", "a", "windows")  # the first argument, where it holds predictions
INFINITE = {"math.inf": math.inf, "-math.inf": -math.inf}
_NAMES = re.compile(r"^(\w+(?:, \w+)*) : (.*)$")
_DEFAULT = re.compile(r"default (.*)$")
_RULE = re.compile(r"^-{3,}$")


@dataclass(frozen=True, slots=True)
class PublicParameter:
    """One parameter as its signature and its docstring have it.

    Attributes
    ----------
    name : of the parameter
    default : its value in the signature, `REQUIRED` where there is none
    usual : the default in words, None where the docstring names none
    help : its description in the docstring, in one paragraph
    type : its annotation, as it is written
    """

    name: str
    default: Any
    usual: str | None
    help: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A public function as its source has it: what it does, and its parameters by name.

    `of_data` tells whether its first argument is predictions, which is not a parameter of a
    request; `returns` is the name of the class of its result.
    """

    summary: str
    text: str
    parameters: Mapping[str, PublicParameter]
    of_data: bool
    returns: str


_PARSING = Lock()  # Python 3.11 fails if threads parse at the same time (gh-106905)


@cache
def signature_of(function: str) -> Signature:
    """Return signature and docstring of a function, named "package.module:function".

    >>> signature = signature_of("plumbline.calibration_errors.equivalence:calibration_within")
    >>> signature.summary
    'Say whether the calibration error is within a tolerance, beyond it, or undecided.'
    >>> tolerance = signature.parameters["tolerance"]
    >>> tolerance.default, tolerance.help
    (0.02, 'The largest acceptable error, between 0 and 1.')
    """
    module, _, name = function.partition(":")
    top, *path = module.split(".")
    file = resources.files(top).joinpath(*path[:-1], f"{path[-1]}.py")
    with _PARSING:
        tree = ast.parse(file.read_text("utf-8"))
    (node,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    docstring = ast.get_docstring(node) or ""
    before, _, after = docstring.partition("\nParameters\n")
    paragraphs = [" ".join(part.split()) for part in before.split("\n\n") if part.strip()]
    described = dict(_described(after.splitlines()[1:]))
    parameters = {
        argument: PublicParameter(argument, default, *described.get(argument, (None, "")), type_)
        for argument, type_, default in _arguments(node)
    }
    of_data = node.args.args[:1] != [] and node.args.args[0].arg in DATA
    returns = "" if node.returns is None else ast.unparse(node.returns).strip("'")
    return Signature(paragraphs[0], "\n\n".join(paragraphs[1:]), parameters, of_data, returns)


def _arguments(node: ast.FunctionDef) -> Iterator[tuple[str, str, Any]]:
    """Yield the parameters with their annotations and defaults; the data are none."""
    positional = node.args.args
    missing = [None] * (len(positional) - len(node.args.defaults))
    arguments = [*positional, *node.args.kwonlyargs]
    defaults = [*missing, *node.args.defaults, *node.args.kw_defaults]
    for argument, default in zip(arguments, defaults, strict=True):
        if argument is positional[0] and argument.arg in DATA:
            continue
        type_ = "" if argument.annotation is None else ast.unparse(argument.annotation)
        if default is None:
            yield argument.arg, type_, REQUIRED
            continue
        try:
            yield argument.arg, type_, ast.literal_eval(default)
        except ValueError:  # a name, such as that of a constant
            written = ast.unparse(default)
            yield argument.arg, type_, INFINITE.get(written, written)


def _described(lines: list[str]) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """Yield the names in a section of parameters, each with its default and its description."""
    names: list[str] = []
    usual: str | None = None
    text: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        head = _NAMES.match(line)
        ends = bool(_RULE.match(following))
        if head or ends:
            yield from ((name, (usual, " ".join(text))) for name in names)
            names, text = [], []
        if ends:
            return
        if head:
            names = head[1].split(", ")
            default = _DEFAULT.search(head[2])
            usual = None if default is None else default[1].strip('"')
        elif line.strip():
            text.append(line.strip().removeprefix("- "))
    yield from ((name, (usual, " ".join(text))) for name in names)
