"""Columns of Arrow batches as arrays: numbers, and labels as codes."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions.labels import label_text

if TYPE_CHECKING:
    import pyarrow as pa


def number_array(column: "pa.Array") -> NDArray[Any]:
    """Return a column of numbers as floats, NaN where there is none."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.type not in (pa.float32(), pa.float64()):
        column = column.cast(pa.float64())
    return np.asarray(column.to_numpy(zero_copy_only=False))


def label_codes(column: "pa.Array") -> tuple[NDArray[Any], list[str | None]]:
    """Return codes of a column of labels, and what they mean: a text, or None of a missing one."""
    import pyarrow as pa
    from pyarrow import compute

    kind = column.type
    if pa.types.is_boolean(kind):
        column, kind = column.cast(pa.uint8()), pa.uint8()
        return _number_codes(column, ["False", "True"])
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return _number_codes(column, ["0", "1"])
    if not pa.types.is_dictionary(kind):
        column = column.dictionary_encode()
    names: list[str | None] = [
        None if value is None or value == "" else label_text(value)
        for value in column.dictionary.to_pylist()
    ]
    if column.indices.null_count:
        names.append(None)
    codes = compute.fill_null(column.indices.cast(pa.int32()), len(names) - 1)
    return np.asarray(codes.to_numpy(zero_copy_only=False)), names


def _number_codes(column: "pa.Array", pair: list[str]) -> tuple[NDArray[Any], list[str | None]]:
    if not column.null_count:
        values = np.asarray(column.to_numpy(zero_copy_only=False))
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
    codes = column.indices
    if codes.null_count:
        names.append(None)
        codes = codes.fill_null(len(names) - 1)
    return np.asarray(codes.to_numpy(zero_copy_only=False)), names
