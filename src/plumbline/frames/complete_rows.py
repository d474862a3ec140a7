"""Rows in which every column that plays a part has a value, where others are to be left out."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plumbline.frames.arrow_values import label_codes
from plumbline.frames.columns import CountedColumns

if TYPE_CHECKING:
    import pyarrow as pa


def complete_rows(batch: "pa.RecordBatch", columns: CountedColumns) -> NDArray[np.intp] | None:
    """Return the numbers of the rows with a value in each column; None where all have one.

    Attributes play no part.
    """
    labels = {columns.actual: columns.no_label}
    own = dict(zip(columns.keys, columns.key_columns, strict=True))
    labels |= {own[name]: ("",) for name in columns.labels}
    out = np.zeros(batch.num_rows, bool)
    for name in columns.names:
        if name in labels:
            codes, names = label_codes(batch.column(name), labels[name])
            out |= np.isin(codes, [code for code, text in enumerate(names) if text is None])
        elif name in columns.prob or name in (columns.drop or ()):
            out |= _absent(batch.column(name))
    return np.flatnonzero(~out) if out.any() else None


def _absent(column: "pa.Array") -> NDArray[np.bool_]:
    """Mark the rows without a number or a text."""
    import pyarrow as pa
    from pyarrow import compute

    absent = column.is_null(nan_is_null=True)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        empty = compute.equal(compute.utf8_trim_whitespace(column), "")
        absent = compute.or_(absent, compute.fill_null(empty, True))
    return np.asarray(absent, bool)
