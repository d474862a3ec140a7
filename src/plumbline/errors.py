"""Every exception and warning Plumbline raises on purpose, and how a surface words them.

PlumblineError
├── InputError (ValueError)       the data break a rule of the prediction table
├── ParameterError (ValueError)   an argument is outside its rule
│   └── FormulaError              a formula cannot be understood, or not be computed here
└── MissingExtraError (ImportError)   an optional package is not installed

PlumblineWarning (UserWarning)    the result is valid, but may mislead
└── LongWorkWarning               the work will take minutes

In a message, back-ticks hold an argument, alone (`level`) or with a value (`view='top-label'`), and
nothing else; so a surface can put its own name for the argument there. Other names stand in quotes.
In a text about a formula back-ticks hold its words too, and only those with a value are arguments.

A code belongs to one class of error. An argument with a value that it cannot have here, such as a
class or an attribute that the table lacks, is a ParameterError; rows or columns that lack
something, or hold what they must not, are an InputError.
"""

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from types import MappingProxyType
from typing import Any

from plumbline.formatting import capital, quoted

# Arguments that are columns of a table of predictions, too.
COLUMNS = ("actual", "fold", "model", "predicted", "repeat", "row", "score", "weight")
ENDS = (".", "?", "!")
MOST_OFFERED = 5  # commands below an error: more are no choice to read
POINTED = 90  # characters of a formula that an error shows
_CODE = re.compile(r"[\w.]+\(|\w+\.\w|plumbline ")  # what a sentence begins with as it is
_REFERENCE = re.compile(r"`([A-Za-z_]\w*)(?:=([^`]+))?`")


class Surface:
    """How one surface (the command line, the browser) names arguments; this one is Python.

    Attributes
    ----------
    remedies : other remedies than Python's, by the code of the error; "" leaves it out
    sentences : whole messages in place of Python's, by the code of the error
    """

    remedies: Mapping[str, str] = {}
    sentences: Mapping[str, str] = {}

    def argument(self, name: str) -> str:
        """Return the surface's name for an argument."""
        return f"`{name}`"

    def setting(self, name: str, value: str) -> str:
        """Return how the surface sets an argument to a value, given as it is written in Python."""
        return f"`{name}={value}`"

    def sets(self, name: str, value: str) -> bool:  # a surface may look at both
        """Tell whether the surface can set an argument to a value, given as it is written."""
        return True

    def possible(self, remedy: str | None) -> str | None:
        """Return the parts of a remedy, which stand between semicolons, that the surface can do."""
        if remedy is None:
            return None
        parts = [
            part
            for part in remedy.split("; ")
            if all(self.sets(*pair) for pair in _REFERENCE.findall(part) if pair[1])
        ]
        return "; ".join(parts) or None

    def worded(self, text: str, *, names: bool = True) -> str:
        """Return a text with the surface's names, without `names` only of those with a value."""

        def word(match: re.Match[str]) -> str:
            name, value = match.groups()
            if value is not None:
                return self.setting(name, value)
            return self.argument(name) if names else match[0]

        return _REFERENCE.sub(word, text)


class Renamed(Surface):
    """Python, for a function that calls some arguments otherwise than those behind it."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def argument(self, name: str) -> str:
        """Return the name here."""
        return f"`{self.names.get(name, name)}`"

    def setting(self, name: str, value: str) -> str:
        """Return an argument with its value, by the name here."""
        return f"`{self.names.get(name, name)}={value}`"


def plain_name(argument: str) -> str:
    """Return an argument in plain words, for a surface where nothing sets it.

    Parameters
    ----------
    argument : str
        Its name in Python.

    Returns
    -------
    str
        The name with spaces, or in quotes where it is a column of a table.

    Examples
    --------
    >>> plain_name("bin_count")
    'bin count'
    """
    return repr(argument) if argument in COLUMNS else argument.replace("_", " ")


def value_written(text: str) -> Any:
    """Return the value that is written in Python, without quotes where it is none but its place."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text.strip("'\"")


class _Message(Exception):  # noqa: N818  # a warning is one too
    """A message with its parts.

    Attributes
    ----------
    text : what is wrong, with the near name and without the remedy; where none is given it is made
        of the parts below
    code : what is wrong, as a stable name; "" where nothing needs to tell it from others
    argument : the argument that is wrong; it may be left out of a text that begins with it
    rule : what the argument must be
    arrived : what it was, as text
    near : the known name that is nearest to what arrived
    remedy : what to do; a surface leaves out parts, between semicolons, that set what it cannot
    rows : numbers of the rows, from 0, that the text names as `predictions.labels.named_rows` does;
        where they come from a file, the text names its lines instead
    choices : arguments of which each entry settles it; the command line prints a command for each
    """

    def __init__(
        self,
        text: str = "",
        *,
        code: str = "",
        argument: str | None = None,
        rule: str | None = None,
        arrived: str | None = None,
        near: str | None = None,
        remedy: str | None = None,
        rows: Any = (),
        choices: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        if not text and argument is not None:
            got = "" if arrived is None else f", got {arrived}"
            text = f"`{argument}` must be {rule}{got}"
        if near is not None:
            text = in_sentences(text, f"did you mean {quoted(near)}?")
        begins = _REFERENCE.match(text)
        self.text = text
        self.code = code
        self.argument = begins[1] if argument is None and begins else argument
        self.rule = rule
        self.arrived = arrived
        self.near = near
        self.remedy = remedy
        self.rows = rows
        self.choices = tuple(choices)
        super().__init__(in_sentences(text, remedy))

    def __repr__(self) -> str:
        fields = ("code", "argument", "rule", "arrived", "near", "remedy")
        known = {name: value for name in fields if (value := getattr(self, name))}
        more = "".join(f", {name}={value!r}" for name, value in known.items())
        return f"{type(self).__name__}({self.text!r}{more})"

    def worded(self, surface: Surface) -> str:
        """Return the message in the words of a surface."""
        text = surface.sentences.get(self.code)
        if text is None:
            remedy = surface.remedies.get(self.code, self.remedy)
            text = in_sentences(self.text, surface.possible(remedy))
        return surface.worded(text)


def in_sentences(text: str, more: str | None) -> str:
    """Return a text and what follows it, each a sentence; alone it stays as it is.

    >>> in_sentences("`bins` must be a number, got 'x'", "for instance 10")
    "`bins` must be a number, got 'x'. For instance 10."
    >>> in_sentences("there is no 'x'. Did you mean 'X'?", "list() lists all")
    "there is no 'x'. Did you mean 'X'? list() lists all."
    """
    if not more:
        return text
    first = text if text.endswith(ENDS) else f"{text}."
    last = more if more.endswith(ENDS) or ": " in more else f"{more}."  # a colon before a command
    return f"{first} {last if _CODE.match(last) else capital(last)}"


class PlumblineError(_Message):
    """Root of everything Plumbline raises on purpose."""

    def placed(self, text: str, *, rows: Any = (), remedy: str | None = None) -> "PlumblineError":
        """Return the same error with a text that names its rows in another way."""
        twin = copy(self)
        twin.text, twin.rows = text, rows
        twin.remedy = self.remedy if remedy is None else remedy
        twin.args = (in_sentences(text, twin.remedy),)
        return twin


def reworded(
    error: PlumblineError,
    names: Mapping[str, str],
    remedies: Mapping[str, str] = MappingProxyType({}),
) -> PlumblineError:
    """Return an error with other names of arguments, and with other remedies by its code."""
    surface = Renamed(names)
    remedy = remedies.get(error.code, error.remedy)
    return type(error)(
        surface.worded(error.text),
        code=error.code,
        argument=names.get(error.argument or "", error.argument),
        rule=error.rule,
        arrived=error.arrived,
        remedy=None if remedy is None else surface.worded(remedy),
        rows=error.rows,
        choices=error.choices,
    ).with_traceback(error.__traceback__)


class InputError(PlumblineError, ValueError):
    """The data break a rule of the prediction table; the text names column, row, value, remedy."""


class ParameterError(PlumblineError, ValueError):
    """An argument breaks its rule; the text names the argument, the rule and what arrived."""


class FormulaError(ParameterError):
    """A formula breaks a rule; the text names the place, which `pointed` shows with a caret.

    Attributes
    ----------
    message : what is wrong, the near name and the remedy, without the place
    formula : the whole text
    start, end : the place in it, as character numbers
    code : one of those in docs/formulas.md
    arrived : what stands at the place
    argument : the argument that holds the formula, where the message names it
    """

    def __init__(
        self,
        text: str,
        *,
        code: str,
        formula: str,
        start: int,
        end: int,
        argument: str | None = None,
        near: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(text, code=code, arrived=formula[start:end], near=near, remedy=remedy)
        self.argument = argument
        self.message = in_sentences(self.text, remedy)
        self.formula = formula
        self.start = start
        self.end = end

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), *self.args), vars(self)

    def __str__(self) -> str:
        return f"{self.message}\n{self.pointed()}"

    def worded(self, surface: Surface) -> str:
        """Return the message, without the place, in the words of a surface."""
        text = surface.worded(self.message, names=False)
        if self.argument is not None:
            text = text.replace(f"`{self.argument}`", surface.argument(self.argument), 1)
        return text

    def pointed(self) -> str:
        """Return the part of the formula around the place, and below it carets under the place."""
        line = "".join(c if c.isprintable() else " " for c in self.formula)
        left = max(0, min(self.start - POINTED // 2, len(line) - POINTED))
        shown = line[left : left + POINTED]
        stop = min(max(self.end, self.start + 1) - left, max(len(shown), self.start - left + 1))
        carets = " " * (self.start - left) + "^" * max(1, stop - (self.start - left))
        return f"  {shown}\n  {carets}"


def _again(kind: type[FormulaError], *args: Any) -> FormulaError:
    """Return an error without its parts, which copies and other processes then fill in."""
    return kind.__new__(kind, *args)


class MissingExtraError(PlumblineError, ImportError):
    """A feature needs an optional package; the text holds the command that installs it."""


class PlumblineWarning(_Message, UserWarning):
    """The result is valid, but may not mean what the reader expects."""


class LongWorkWarning(PlumblineWarning):
    """The work will take minutes; shown before it begins, where other warnings may wait."""


def warn(
    text: str,
    *,
    code: str,
    remedy: str | None = None,
    rows: Any = (),
    category: type[PlumblineWarning] = PlumblineWarning,
) -> None:
    """Give a warning that points at the first line outside this package."""
    warning = category(text, code=code, remedy=remedy, rows=rows)
    collected = _collected.get()
    if collected is None:
        warnings.warn(warning, stacklevel=level_of_caller())
    else:
        collected.append(warning)


_collected: ContextVar[list[PlumblineWarning] | None] = ContextVar("collected", default=None)


@contextmanager
def collected_warnings() -> Iterator[list[PlumblineWarning]]:
    """Collect what this thread is warned of, for programs that show it in their own way.

    Unlike `warnings.catch_warnings` it changes nothing for other threads.

    Yields
    ------
    list of PlumblineWarning
        The warnings so far; it grows.

    Examples
    --------
    >>> with collected_warnings() as collected:
    ...     warn("few rows", code="few-rows")
    >>> [warning.code for warning in collected]
    ['few-rows']
    """
    collected: list[PlumblineWarning] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)


def level_of_caller() -> int:
    """Return the `stacklevel` of a warning that points at the first line outside this package.

    To be called where the warning is given, however many functions lie between.
    """
    level, frame = 1, sys._getframe(1)
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] == (__name__.partition(".")[0])
    ):
        level, frame = level + 1, frame.f_back
    return level
