"""What the start page shows of a column: its type, first values, and rows of each class.

Presentation: which part it plays is decided elsewhere (`plumbline.roles`).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbline.predictions import label_text
from plumbline.predictions.plain_types import python_values
from plumbline.roles import LOOKED_AT, Column

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 200  # distinct values up to which they are listed: more are not chosen from by eye
FIRST = 4  # values beside a column, which tell by eye what it holds
LONGEST_SHOWN = 60  # characters of a value beside its column
TYPES = {
    "whole": "whole number",
    "bool": "true or false",
    "list": "lists of numbers",
    "nested": "nested values",
}


def shown_column(column: Column, first: "pa.ChunkedArray", whole: "pa.ChunkedArray | None") -> Any:
    """Return what is shown of a column; `first` are its first rows, `whole` are all.

    >>> import pyarrow as pa
    >>> from plumbline.roles import columns_of
    >>> table = pa.table({"y": ["no", "no", "yes"]})
    >>> shown_column(columns_of(table)[0], table.column(0), table.column(0))["values"]
    [{'name': 'no', 'rows': 2}, {'name': 'yes', 'rows': 1}]
    """
    return {
        "name": column.name,
        "type": TYPES.get(column.kind, column.kind),
        "examples": [_short(value) for value in python_values(first.slice(0, FIRST))],
        "values": _values(column, whole),
    }


def _values(column: Column, whole: "pa.ChunkedArray | None") -> list[dict[str, Any]] | None:
    """Return the classes that a column may hold, with their rows; None where it holds none.

    Rows are None where the file is longer than what was looked at, and they were not counted.
    """
    if not column.labels or len(column.labels) > MOST_VALUES:
        return None
    rows: Mapping[str, int | None] = dict.fromkeys(column.labels)
    if whole is not None and len(whole) <= LOOKED_AT:
        rows = dict(zip(column.labels, column.counts.tolist(), strict=True))
    elif whole is not None:
        counted = _counts(whole)
        # As a text it may be written in another way than the number it was read as, such as 007.
        rows = counted if counted.keys() >= {*column.labels} else rows
    if len(rows) > MOST_VALUES:
        return None
    ordered = [name for name in column.labels if name in rows]
    ordered += sorted(name for name in rows if name not in ordered)
    return [{"name": name, "rows": rows[name]} for name in ordered]


def _counts(values: "pa.ChunkedArray") -> dict[str, int]:
    from pyarrow import compute

    pairs = compute.value_counts(values)
    counts = zip(
        python_values(pairs.field("values")), pairs.field("counts").to_pylist(), strict=True
    )
    return {label_text(value): rows for value, rows in counts if value not in (None, "")}


def _short(value: Any) -> str:
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else label_text(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."
