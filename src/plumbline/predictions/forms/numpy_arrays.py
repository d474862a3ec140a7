"""Arrays of NumPy in one file (.npz): each array a column, one of two dimensions a list a row."""

import io
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError, warn
from plumbline.formatting import quoted
from plumbline.predictions.sources import TableSource
from plumbline.roles.evidence import PROB
from plumbline.roles.names import squeezed

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "NumPy arrays"
CLASSES = ("classes", "classnames", "labelnames", "targetnames")


def read_arrays(source: TableSource, most_columns: int) -> "tuple[pa.Table, str]":
    """Return the arrays of one length as columns; an array of classes names those of a matrix.

    Arrays of Python objects are refused: loading them would run what they hold.
    """
    import pyarrow as pa

    with source.stream() as stream:
        packed = np.load(io.BytesIO(bytes(stream.read())), allow_pickle=False)
    arrays = {name: _loaded(source, packed, name) for name in packed.files}
    long = {name: one for name, one in arrays.items() if one.ndim in (1, 2) and len(one)}
    if not long:
        raise InputError(
            f"{source.name} holds no arrays of rows, only {shown([*arrays]) or 'none'}",
            code="no-table",
        )
    named = {n for n, one in long.items() if squeezed(n) in CLASSES and one.ndim == 1}
    sizes = Counter(len(one) for name, one in long.items() if name not in named)
    n = max(sizes, key=lambda size: (sizes[size], size), default=0)
    columns: dict[str, Any] = {}
    for name, one in long.items():
        if len(one) != n or name in named:
            continue
        names = next(
            (long[c] for c in named if one.ndim == 2 and len(long[c]) == one.shape[1]), None
        )
        if one.ndim == 1:
            columns[name] = pa.array(one)
        elif names is not None:
            columns |= {f"{PROB}{_text(c)}": pa.array(one[:, j]) for j, c in enumerate(names)}
        elif one.shape[1] == 1:
            columns[name] = pa.array(one[:, 0])
        else:
            flat = pa.array(np.ascontiguousarray(one).ravel())
            columns[name] = pa.FixedSizeListArray.from_arrays(flat, one.shape[1])
        if len(columns) > most_columns:
            raise InputError(f"{source.name} has more than {most_columns:,} columns", code="too-many-columns")  # fmt: skip  # noqa: E501
    left = [name for name in arrays if name not in named and len(np.atleast_1d(arrays[name])) != n]
    if left:
        warn(
            f"not read of {source.name}, as they have other than {n:,} rows: {shown(left)}",
            code="columns-not-read",
        )
    return pa.table(columns), NAME


def _loaded(source: TableSource, packed: Any, name: str) -> np.ndarray[Any, Any]:
    try:
        array: np.ndarray[Any, Any] = packed[name]
    except ValueError as error:
        raise InputError(
            f"the array {quoted(name)} of {source.name} holds objects of Python, which are not "
            "read",
            code="no-table",
            remedy="save it as numbers or as texts: array.astype(str)",
        ) from error
    return array.astype(str) if array.dtype.kind == "S" else array


def _text(name: Any) -> str:
    return str(name.item() if isinstance(name, np.generic) else name)
