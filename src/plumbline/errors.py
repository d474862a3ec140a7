"""Every exception and warning Plumbline raises on purpose.

PlumblineError
├── InputError (ValueError)       the data cannot be what it claims to be
├── ParameterError (ValueError)   an argument is outside its rule
│   └── FormulaError              a formula cannot be understood, or not be computed here
└── MissingExtraError (ImportError)   an optional package is not installed

PlumblineWarning (UserWarning)    the answer stands, but the reader should know something
"""

import sys


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


class PlumblineError(Exception):
    """Root of everything Plumbline raises on purpose."""


class InputError(PlumblineError, ValueError):
    """The data breaks a rule of the prediction table; the text names column, row, value, remedy."""


class ParameterError(PlumblineError, ValueError):
    """An argument breaks its rule; the text names the argument, the rule and what arrived."""


class FormulaError(ParameterError):
    """A formula breaks a rule; the text names the place, which `pointed` shows with a caret.

    Attributes
    ----------
    formula : the whole text
    start, end : the place in it, as character numbers
    """

    def __init__(self, message: str, *, formula: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.formula = formula
        self.start = start
        self.end = end

    def __reduce__(self) -> tuple[object, ...]:
        return _formula_error, (self.message, self.formula, self.start, self.end)

    def __str__(self) -> str:
        return f"{self.message}\n{self.pointed()}"

    def pointed(self, width: int = 90, indent: str = "  ") -> str:
        """Return the part of the formula around the place, and below it carets under the place."""
        line = "".join(c if c.isprintable() else " " for c in self.formula)
        left = max(0, min(self.start - width // 2, len(line) - width))
        shown = line[left : left + width]
        stop = min(max(self.end, self.start + 1) - left, max(len(shown), self.start - left + 1))
        carets = " " * (self.start - left) + "^" * max(1, stop - (self.start - left))
        return f"{indent}{shown}\n{indent}{carets}"


def _formula_error(message: str, formula: str, start: int, end: int) -> FormulaError:
    return FormulaError(message, formula=formula, start=start, end=end)


class MissingExtraError(PlumblineError, ImportError):
    """A feature needs an optional package; the text holds the command that installs it."""


class PlumblineWarning(UserWarning):
    """The answer stands, but it may not mean what the reader expects."""
