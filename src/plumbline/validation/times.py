"""Columns of times: numbers, dates, or texts that are dates, as ranks."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.predictions.labels import Ints, is_missing

ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
DAY_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{4}")


def times_of(values: Any) -> Ints:
    """Return the rank of every row's time; rows of the same time share one.

    Raises InputError for a missing time, and for what is neither number nor date.

    >>> times_of(["2024-03-01", "2023-12-24", "2024-03-01"]).tolist()
    [1, 0, 1]
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"`time` must hold one time a row, got an array of shape {array.shape}")
    missing = [row for row, value in enumerate(array.tolist()) if is_missing(value)]
    if array.dtype.kind in "mM":
        missing = np.flatnonzero(np.isnat(array)).tolist()
    if missing:
        raise InputError(
            f"`time` is missing in row {missing[0]} (counting from 0; {len(missing):,} in all); "
            "leave these rows out, or fill in when they were"
        )
    if array.dtype.kind in "OU":
        array = _comparable(array.tolist())
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.intp)
    except TypeError as error:
        raise InputError(f"`time` holds values that cannot be put in order: {error}") from error


def _comparable(values: Sequence[Any]) -> Any:
    """Return values that have an order in time: texts as dates, others as they are."""
    texts = sum(isinstance(value, str) for value in values)
    if texts == 0:
        return np.array(values)
    if texts < len(values):  # NumPy would make texts of the numbers, and 10 come before 2
        raise InputError(
            f"`time` holds texts in {texts:,} of {len(values):,} rows, other values in the rest; "
            "give numbers, dates, or texts such as 2024-01-31, of one kind"
        )
    try:
        whole = np.empty(len(values), dtype=object)
        whole[:] = [datetime.fromisoformat(value) for value in values]
    except ValueError as error:
        raise InputError(
            "`time` must hold numbers, dates, or texts such as 2024-01-31 or 2024-01-31T17:30, "
            f"got {shorten(next(value for value in values if not ISO.fullmatch(value)), 30)}"
            if any(not ISO.fullmatch(value) for value in values)
            else f"`time` holds a date that there is not: {error}"
        ) from error
    return whole


def dates_in(values: Sequence[Any] | NDArray[Any]) -> Any:
    """Return distinct values as times that can be compared, None if they are no dates.

    >>> dates_in(["2024-03-01", "2023-12-24"])[0].year, dates_in(["a", "b"]), dates_in([1, 2])
    (2024, None, None)
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        return values
    there = [value for value in values if not is_missing(value)]
    if not there:
        return None
    if all(isinstance(value, date) for value in there):
        return _all(values, lambda value: value.isoformat())
    if not all(isinstance(value, str) for value in there):
        return None
    if all(ISO.fullmatch(value) for value in there):
        return _all(values, datetime.fromisoformat)
    if all(DAY_FIRST.fullmatch(value) for value in there):
        forms = [f"%{a}{sign}%{b}{sign}%Y" for a, b in ("dm", "md") for sign in "./-"]
        tried = (_all(values, partial(_by_form, form)) for form in forms)
        return next((found for found in tried if found is not None), None)
    return None


def _by_form(form: str, value: str) -> datetime:
    return datetime.strptime(value, form)


def _all(values: Iterable[Any], read: Callable[[Any], Any]) -> list[Any] | None:
    """Return all values as read, a missing one as None; None if one cannot be."""
    try:
        found = [None if is_missing(value) else read(value) for value in values]
        sorted(one for one in found if one is not None)
    except (TypeError, ValueError):
        return None
    return found
