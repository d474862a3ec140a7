"""What a column of an opened file holds, as far as guessing its meaning needs to know.

Presentation: the counts are shown beside the guess, and no result is made of them.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.predictions.arrays import MARKS, RESERVED
from plumbline.predictions.labels import label_text

if TYPE_CHECKING:
    import pyarrow as pa

MOST_VALUES = 200  # distinct values up to which a column could hold classes
LOOKED_AT = 5000  # rows that tell a column of many values
FIRST = 4
LONGEST_SHOWN = 60
LONGEST_CLASS = 200  # characters; a longer text names no class


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column.

    Attributes
    ----------
    kind : "text", "whole number", "number", "true or false" or "other"
    first : the first values, as text
    values : distinct values, as the library names classes, with their rows; None where these are
        many, or fractions
    low, high : range of numbers, None where there is none
    distinct : whether no value recurs
    """

    name: str
    kind: str
    first: tuple[str, ...]
    values: tuple[tuple[str, int], ...] | None
    low: float | None
    high: float | None
    distinct: bool

    @property
    def plays(self) -> str | None:
        """The part that the column's own name has in a prediction table."""
        marked = self.name.startswith(MARKS) and self.name not in MARKS
        known = marked or self.name in (*RESERVED, "y_true", "y_prob")
        return self.name if known else None

    @property
    def names(self) -> tuple[str, ...]:
        """The distinct values where there are few."""
        return tuple(name for name, _ in self.values or ())

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in ("number", "whole number")

    @property
    def in_unit(self) -> bool:
        """Whether it holds numbers from 0 to 1, and not classes alone."""
        inside = self.low is not None and self.high is not None and 0 <= self.low <= self.high <= 1
        only_ends = bool(self.names) and set(self.names) <= {"0", "1", ""}
        return self.is_number and inside and not only_ends


def facts_of(table: "pa.Table") -> tuple[ColumnFacts, ...]:
    """Return what every column holds.

    >>> import pyarrow as pa
    >>> first, second = facts_of(pa.table({"y": ["no", "no", "yes"], "p": [0.25, 0.5, 0.75]}))
    >>> first.kind, first.values, second.in_unit, second.distinct
    ('text', (('no', 2), ('yes', 1)), True, True)
    """
    return tuple(_facts(name, table.column(name)) for name in table.column_names)


def _facts(name: str, column: "pa.ChunkedArray") -> ColumnFacts:
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = _kind(column.type)
    low = high = None
    if kind in ("number", "whole number"):
        ends = compute.min_max(column).as_py()
        low, high = (None if end is None else float(end) for end in (ends["min"], ends["max"]))
    return ColumnFacts(
        name=name,
        kind=kind,
        low=low,
        high=high,
        values=_values(column, kind),
        first=tuple(_short(value) for value in column.slice(0, FIRST).to_pylist()),
        distinct=kind != "other" and compute.count_distinct(column).as_py() == len(column),
    )


def _kind(kind: "pa.DataType") -> str:
    import pyarrow as pa

    types = pa.types
    if types.is_boolean(kind):
        return "true or false"
    if types.is_integer(kind):
        return "whole number"
    if types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return "text"
    return "other"


def _values(column: "pa.ChunkedArray", kind: str) -> tuple[tuple[str, int], ...] | None:
    """Count the distinct values in the order of the classes; None where many, or fractions."""
    from pyarrow import compute

    if kind == "other":
        return None
    if compute.count_distinct(column.slice(0, LOOKED_AT)).as_py() > MOST_VALUES:
        return None
    counts = compute.value_counts(column)
    if len(counts) > MOST_VALUES:
        return None
    pairs = [
        ("" if item["values"] is None else label_text(item["values"]), item["counts"])
        for item in counts.to_pylist()
    ]
    if any(len(name) > LONGEST_CLASS for name, _ in pairs):
        return None
    if kind == "number" and any("." in name for name, _ in pairs):
        return None  # fractions name no class
    return tuple(sorted(pairs, key=lambda pair: _order(pair[0])))


def _order(name: str) -> tuple[int, float, str]:
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)


def _short(value: Any) -> str:
    text = (
        "" if value is None else label_text(value) if not isinstance(value, float) else repr(value)
    )
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."
