"""Every exception and warning Plumbline raises on purpose.

PlumblineError
├── InputError (ValueError)       the data cannot be what it claims to be
├── ParameterError (ValueError)   an argument is outside its rule
└── MissingExtraError (ImportError)   an optional package is not installed

PlumblineWarning (UserWarning)    the answer stands, but the reader should know something
"""


class PlumblineError(Exception):
    """Root of everything Plumbline raises on purpose."""


class InputError(PlumblineError, ValueError):
    """The data breaks a rule of the prediction table; the text names column, row, value, remedy."""


class ParameterError(PlumblineError, ValueError):
    """An argument breaks its rule; the text names the argument, the rule and what arrived."""


class MissingExtraError(PlumblineError, ImportError):
    """A feature needs an optional package; the text holds the command that installs it."""


class PlumblineWarning(UserWarning):
    """The answer stands, but it may not mean what the reader expects."""
