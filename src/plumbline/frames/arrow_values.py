"""Columns of Arrow batches as arrays: numbers, and labels as codes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions import label_text

if TYPE_CHECKING:
    import pyarrow as pa


def text_column(values: Sequence[str]) -> "pa.Array":
    """Return texts as an Arrow column; `pa.array` would import pandas."""
    import pyarrow as pa

    raw = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, raw)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(raw), pa.py_buffer(ends), pa.py_buffer(b"".join(raw)))


def number_column(values: NDArray[Any]) -> "pa.Array":
    """Return contiguous numbers as an Arrow column; `pa.array` would import pandas."""
    import pyarrow as pa

    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def number_array(column: "pa.Array") -> NDArray[Any]:
    """Return a column of numbers as floats, NaN where there is none."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.type not in (pa.float32(), pa.float64()):
        column = column.cast(pa.float64())
    return _array(column.fill_null(np.nan) if column.null_count else column)


def _array(column: "pa.Array") -> NDArray[Any]:
    """Return numbers without gaps as an array; `to_numpy` would import pandas."""
    return np.asarray(np.from_dlpack(column))


def _filled(codes: "pa.Array", missing: int) -> NDArray[Any]:
    """Return codes as an array; a number of Python in the place of gaps would import pandas."""
    if codes.null_count:
        (number,) = number_column(np.full(1, missing, codes.type.to_pandas_dtype()))
        codes = codes.fill_null(number)
    return _array(codes)


def label_codes(
    column: "pa.Array", absent: Sequence[str] = ("",)
) -> tuple[NDArray[Any], list[str | None]]:
    """Return codes of a column of labels, and what they mean: a text, or None of a missing one.

    Texts that are `absent`, in small letters and without blanks around them, are missing.
    """
    import pyarrow as pa

    kind = column.type
    if pa.types.is_boolean(kind):
        column, kind = column.cast(pa.uint8()), pa.uint8()
        return _number_codes(column, ["False", "True"])
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _number_codes(column, ["0", "1"])
    if not pa.types.is_dictionary(kind):
        column = column.dictionary_encode()
    names: list[str | None] = [
        None if _is_absent(value, absent) else label_text(value)
        for value in column.dictionary.to_pylist()
    ]
    if column.indices.null_count:
        names.append(None)
    return _filled(column.indices.cast(pa.int32()), len(names) - 1), names


def _is_absent(value: object, absent: Sequence[str]) -> bool:
    if value is None:
        return True
    return isinstance(value, str) and value.strip().lower() in absent


def _number_codes(column: "pa.Array", pair: list[str]) -> tuple[NDArray[Any], list[str | None]]:
    if not column.null_count:
        values = _array(column)
        low, high = (values.min(), values.max()) if len(values) else (0, 0)
        if low >= 0 and high <= 1 and (values.dtype.kind != "f" or not np.any(values % 1)):
            codes = values.astype(np.int8)
            ones = int(codes.sum(dtype=np.int64))
            if ones == len(codes):
                return codes - 1, [pair[1]]
            return codes, [pair[0]] if ones == 0 else list(pair)
    column = column.dictionary_encode()
    names: list[str | None] = [
        None if value is None or value != value else label_text(value)
        for value in column.dictionary.to_pylist()
    ]
    if column.indices.null_count:
        names.append(None)
    return _filled(column.indices, len(names) - 1), names
