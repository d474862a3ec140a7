"""One wording for every check of a parameter."""

import difflib
import importlib
import math
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from plumbline._distribution import install_command
from plumbline.errors import MissingExtraError, ParameterError
from plumbline.formatting import quoted

SHORT, NEAR_SHORT = 4, 0.75  # letters of a short name, and the least share that is the same


def nearest(name: object, known: Iterable[object]) -> str | None:
    """Return the known name nearest to this one, None if none is near.

    A short name is near to a name that contains it or has its letters in another order. Other short
    names must share more of their letters than long ones.

    >>> nearest("tpr", ["TP", "TPR"]), nearest("recal", ["recall"]), nearest("x", ["age"])
    ('TPR', 'recall', None)
    >>> nearest("auc", ["roc-auc"]), nearest("tpo", ["top"]), nearest("foo", ["for"])
    ('roc-auc', 'top', None)
    """
    names = [str(k) for k in known]
    folded = {k.casefold(): k for k in reversed(names)}
    text = str(name).casefold()
    close = difflib.get_close_matches(text, folded)
    if len(text) <= SHORT:
        near = difflib.get_close_matches(text, close, cutoff=NEAR_SHORT)
        others = (one for one in close if text in one or sorted(text) == sorted(one))
        close = [*near, *others]
    return folded[close[0]] if close else None


def near_names(name: object, known: Iterable[object]) -> str:
    """Return `". Did you mean 'x'?"` for the nearest known name, else an empty text."""
    near = nearest(name, known)
    return "" if near is None else f". Did you mean {quoted(near)}?"


def shown(values: Iterable[object], most: int = 8) -> str:
    """Return the first values as a comma-separated text that stays short."""
    names = [shorten(value) for value in values]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def shorten(value: object, width: int = 60) -> str:
    """Return a value in quotes or as Python writes it, cut where it would flood the screen."""
    try:
        text = quoted(value)
    except ValueError:  # Python does not spell out a whole number of thousands of digits
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= width else f"{text[: width - 12]} ... {text[-6:]}"


def one_of(argument: str, value: Any, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the allowed names."""
    names = tuple(allowed)
    if isinstance(value, str) and value in names:
        return value
    raise ParameterError(
        code="unknown-name",
        argument=argument,
        rule=f"one of {', '.join(map(quoted, names))}",
        arrived=shorten(value),
        near=nearest(value, names),
    )


def whole_number(argument: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int from `least` to `most`; a bool or a fraction is refused."""
    try:
        number = int(value)
        sound = number == value and not isinstance(value, bool) and number >= least
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound or (most is not None and number > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        raise ParameterError(
            code="no-whole-number",
            argument=argument,
            rule=f"a whole number {bounds}",
            arrived=shorten(value),
        )
    return number


def real_number(value: Any) -> float:
    """Return `value` as a float, NaN where it is none, or larger than any float."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def open_fraction(argument: str, value: Any) -> float:
    """Return `value` as a float strictly between 0 and 1 (5 % is 0.05, not 5)."""
    number = real_number(value)
    if not 0.0 < number < 1.0:
        raise ParameterError(
            code="no-fraction",
            argument=argument,
            rule="a fraction between 0 and 1 (5 % is 0.05)",
            arrived=shorten(value),
        )
    return number


def checked_draws(resamples: Any, level: Any, *, interval: bool) -> float:
    """Return the level of an interval; one without resamples is refused."""
    whole_number("resamples", resamples, least=1 if interval else 0)
    return open_fraction("level", level)


def share(argument: str, value: Any) -> float:
    """Return `value` as a float above 0 and at most 1 (50 % is 0.5, not 50)."""
    number = real_number(value)
    if not 0.0 < number <= 1.0:
        raise ParameterError(
            code="no-fraction",
            argument=argument,
            rule="a fraction above 0 and at most 1 (50 % is 0.5)",
            arrived=shorten(value),
        )
    return number


def need_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional module; the error gives the command that installs it."""
    return _need(module, purpose, install_command(*extra.split(",")))


def class_without_extra(name: str, missing: MissingExtraError) -> type:
    """Return a placeholder for a class that needs a package that is not installed.

    Calling it raises the error; its name, and what lists or documents names, works as ever.
    """
    text, code, remedy = missing.text, missing.code, missing.remedy

    def refuse(*_: Any, **__: Any) -> None:
        raise MissingExtraError(text, code=code, remedy=remedy)

    return type(name, (), {"__init__": refuse, "__doc__": f"Not available here: {missing}."})


def frame_library(backend: Any) -> str:
    """Return the name of an installed library of data frames; the error gives the command."""
    library = one_of("backend", backend, ("pyarrow", "pandas", "polars"))
    _need(library, f"a frame of {library}", f"python -m pip install {library}")
    return library


def _need(module: str, purpose: str, command: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the package {quoted(module.split('.')[0])} ({error})",
            code="missing-package",
            remedy=f"install it with: {command}",
        ) from error
