"""Refusals and warnings by what they are made of: code, argument, and the facts in the message."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from plumbline.errors import PlumblineError, PlumblineWarning


@contextmanager
def refused(
    error: type[PlumblineError], code: str, *facts: object, argument: str | None = None
) -> Iterator[pytest.ExceptionInfo[PlumblineError]]:
    """Expect an error with this code; names and numbers, the facts, stand in its message."""
    with pytest.raises(error) as raised:
        yield raised
    _check(raised.value, code, facts, argument)


@contextmanager
def warned(code: str, *facts: object, argument: str | None = None) -> Iterator[list[Any]]:
    """Expect a warning with this code, its facts in one message; give the others again."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    found, others = [], []
    for one in caught:
        message = one.message
        ours = isinstance(message, PlumblineWarning) and message.code == code
        (found if ours else others).append(one)
    assert found, f"no warning {code!r} among {[str(one.message) for one in caught]}"
    told = [one.message for one in found if all(str(fact) in str(one.message) for fact in facts)]
    _check((told or [found[0].message])[0], code, facts, argument)
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def read_or_refused(read: Callable[[], Any]) -> Any:
    """Return what is read, None where it is refused in one sentence; nothing else may be raised.

    Warnings of other libraries are errors.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", PlumblineWarning)
        try:
            return read()
        except PlumblineError as error:
            refusal = error
    assert refusal.code
    assert "\n" not in str(refusal)
    return None


def _check(message: Any, code: str, facts: tuple[object, ...], argument: str | None) -> None:
    assert message.code == code, repr(message)
    if argument is not None:
        assert message.argument == argument, repr(message)
    for fact in facts:
        assert str(fact) in str(message), repr(message)
