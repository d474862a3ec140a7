"""Attributes of counted rows: few values part the rows into groups, many numbers are summed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.frames.arrow_values import label_codes, number_array
from plumbline.predictions.labels import objects

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["number", "truth", "date", "text"]
Codes = NDArray[Any]
MISSING = ""  # the name of a missing value, and of all values of an attribute that is summed
NO_SUMMANDS = (MISSING, "inf", "-inf")  # names of numbers that cannot be summed
MOST_NUMBERS = 12  # different ones of an attribute that part the rows; of more, sums are kept
LOOKED_AT = 1000  # rows that tell most attributes of many numbers from those of few


def kind_of(values: "pa.DataType", name: str) -> Kind | None:
    """Return what an attribute holds, None of a column without values."""
    import pyarrow as pa

    types = pa.types
    if types.is_null(values):
        return None
    if types.is_dictionary(values):
        return kind_of(values.value_type, name)
    if types.is_boolean(values):
        return "truth"
    if types.is_integer(values) or types.is_floating(values) or types.is_decimal(values):
        return "number"
    if types.is_date(values) or types.is_timestamp(values):
        return "date"
    if values in (pa.string(), pa.large_string(), pa.string_view()):
        return "text"
    raise InputError(
        f"the attribute {quoted(name)} cannot be counted: it holds {values}",
        code="not-countable",
        remedy="leave it out; read the table with `engine='memory'`",
    )


def codes_of(column: "pa.Array", kind: Kind | None) -> tuple[Codes, list[str]]:
    """Return a code for every row, and the names of the values; `MISSING` of a missing one."""
    import pyarrow as pa

    if kind is None:
        return np.zeros(len(column), np.int32), [MISSING]
    if kind == "text":
        codes, names = label_codes(column)
        return codes, [name or MISSING for name in names]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if kind == "number":
        values = number_array(column)
        distinct, codes = np.unique(values, return_inverse=True)
        return codes, [MISSING if value != value else repr(value) for value in distinct.tolist()]
    if kind == "truth":
        texts = column.cast(pa.string())
        codes, names = label_codes(texts)
        return codes, [MISSING if name is None else name.capitalize() for name in names]
    dates = np.asarray(column.to_numpy(zero_copy_only=False))
    distinct, codes = np.unique(dates, return_inverse=True)
    return codes, [MISSING if np.isnat(date) else str(date) for date in distinct]


def has_many(column: "pa.Array", kind: Kind | None) -> bool:
    """Tell whether the first rows hold more numbers than an attribute of few values has."""
    if kind != "number":
        return False
    return len(distinct_numbers(codes_of(column.slice(0, LOOKED_AT), kind)[1])) > MOST_NUMBERS


def distinct_numbers(names: Sequence[str]) -> set[str]:
    """Return the names of numbers, without that of a missing one."""
    return {*names} - {MISSING}


def values_named(names: Sequence[str], kind: Kind | None) -> NDArray[Any]:
    """Return the values of an attribute from their names."""
    if kind == "number":
        return np.array([float(name or "nan") for name in names])
    if kind == "date":
        return np.array([name or "NaT" for name in names], "datetime64")
    if kind == "truth" and MISSING not in names:
        return np.array([name == "True" for name in names])
    known = [None if name == MISSING else name for name in names]
    if kind == "truth":
        return objects([None if name is None else name == "True" for name in known])
    return objects(known)
