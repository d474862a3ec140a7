"""How many cases of a law are tried: some by `make test`, all of them by `make test-laws`."""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
ALL = os.environ.get("PLUMBLINE_LAWS") == "all"


def some(cases: Iterable[T], number: int) -> list[T]:
    """Return so many cases, spread evenly over all of them; all where all are asked for.

    >>> some(range(10), 4)
    [0, 3, 6, 9]
    """
    every = list(cases)
    if ALL or number >= len(every):
        return every
    return [every[round(i * (len(every) - 1) / max(1, number - 1))] for i in range(number)]


def examples(number: int) -> int:
    """Return how many examples a property is tried with: an eighth, all where all are asked for."""
    return number if ALL else max(3, number // 8)


def law(names: str, cases: Iterable[Any], *, number: int) -> Callable[[Any], Any]:
    """Return a mark for a test of many cases, of which `make test` tries so many."""

    def mark(test: Any) -> Any:
        return pytest.mark.laws(pytest.mark.parametrize(names, some(cases, number))(test))

    return mark
