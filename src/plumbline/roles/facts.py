"""What the first rows of a column hold, as far as its part in a table depends on it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.roles.names import squeezed, words_of

if TYPE_CHECKING:
    import pyarrow as pa

    from plumbline.roles.reading import Said

NEAR_ONE = 0.02  # how far sums of rounded probabilities may be from 1
LOOKED_AT = 20_000  # rows that tell what columns are, the same through every door
MOST_LABELS = 1_000  # distinct values up to which a column may hold classes
LONGEST_LABEL = 200  # characters; a longer text names no class
ABSENT = ("", "nan", "null", "<na>", "nat")
NOT_AVAILABLE = ("na", "n/a", "#n/a", "#na", "-nan", "none")  # missing numbers, classes like others
PERCENT = r"^\s*[+-]?([0-9.]+|[0-9]+,[0-9]+)\s*%\s*$"
DATE = r"^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$"
COMMA = r"^\s*[+-]?([0-9]+(,[0-9]+)?|,[0-9]+)([eE][+-]?[0-9]+)?\s*$"

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name, and what its first rows hold.

    Attributes
    ----------
    name : what the table calls it
    kind : "whole", "number", "bool", "text", "date", "percent", "list", "nested" or "empty"
    n : number of rows looked at
    numbers : (n,) values of a number, 0 and 1 of true and false; NaN where there is none
    lowest : smallest number in the lists of a column of lists
    """

    name: str
    kind: str
    n: int
    numbers: Floats | None = field(default=None, repr=False)
    lowest: float = 0.0
    _texts: Any = field(default=None, repr=False)  # Arrow array of the labels as texts

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name."""
        return words_of(self.name)

    @cached_property
    def squeezed(self) -> str:
        """The name without what parts its words."""
        return squeezed(self.name)

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in ("whole", "number")

    @cached_property
    def _coded(self) -> tuple[Ints, tuple[str, ...]]:
        """Codes of the labels, -1 of a missing one, and the labels in the order of classes."""
        if self._texts is None and self.kind == "whole" and self.numbers is not None:
            known = ~np.isnan(self.numbers)
            different, places = np.unique(self.numbers[known], return_inverse=True)
            codes = np.full(self.n, -1, np.int64)
            codes[known] = places
            return codes, tuple(str(int(number)) for number in different)
        if self._texts is None:
            return np.full(self.n, -1, np.int64), ()
        coded = self._texts.dictionary_encode("encode")  # `fill_null` would import pandas
        names = {
            code: str(one)
            for code, one in enumerate(coded.dictionary.to_pylist())
            if one is not None
        }
        codes = np.from_dlpack(coded.indices).astype(np.int64)
        order = sorted(names, key=lambda code: _order(names[code]))
        rank = np.full(len(coded.dictionary), -1, np.int64)
        rank[order] = np.arange(len(order))
        return rank[codes], tuple(names[code] for code in order)

    @property
    def codes(self) -> Ints:
        """Number of the label of every row, -1 where there is none."""
        return self._coded[0]

    @property
    def values(self) -> tuple[str, ...]:
        """The different labels, whole numbers by size; empty of other numbers."""
        return self._coded[1]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels that may be classes, empty where there are too many."""
        if self.kind not in ("whole", "text", "bool"):
            return ()
        few = len(self.values) <= MOST_LABELS
        return self.values if few and all(len(v) <= LONGEST_LABEL for v in self.values) else ()

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest number; zeros where there are none."""
        held = None if self.numbers is None else self.numbers[~np.isnan(self.numbers)]
        if held is None or not len(held):
            return 0.0, 0.0
        return float(held.min()), float(held.max())

    @cached_property
    def in_unit(self) -> bool:
        """Whether it holds numbers from 0 to 1 with fractions."""
        low, high = self.ends
        return self.kind == "number" and 0 <= low <= high <= 1

    @cached_property
    def has_missing(self) -> bool:
        """Whether some row has no value."""
        if self.numbers is not None:
            return bool(np.isnan(self.numbers).any())
        return bool((self.codes < 0).any())

    @cached_property
    def distinct(self) -> bool:
        """Whether every row has a value of its own."""
        return self.n > 0 and len(np.unique(self.keys)) == self.n and not self.has_missing

    @cached_property
    def keys(self) -> Ints:
        """Numbers that are equal where values are equal."""
        if self.values or self.numbers is None:
            return self.codes
        return np.unique(self.numbers, return_inverse=True)[1].astype(np.int64)

    def has_few(self, most: int) -> bool:
        """Tell whether the first rows hold at most so many values, as all rows then may."""
        held = self.codes if self.numbers is None else self.numbers
        return len(np.unique(held[: 50 * most])) <= most + 1  # and one where there is none

    @cached_property
    def counts(self) -> Ints:
        """Rows of every label."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    def scaled(self, said: "Said") -> "Column":
        """Return the column with its numbers as probabilities, as the user says how to make them.

        Labels and what lies in [0, 1] already stay as they are.
        """
        low, high = self.ends
        numbers = self.numbers
        if numbers is None or (said.prob and self.name not in said.prob):
            return self
        if said.scale and (self.kind == "percent" or 1 < high <= said.scale):
            return Column(self.name, "number", self.n, numbers / said.scale)
        if said.logits and (low < 0 or high > 1):
            return Column(
                self.name, "number", self.n, 1 / (1 + np.exp(-np.clip(numbers, -700, 700)))
            )
        return self

    def same_as(self, other: "Column") -> bool:
        """Tell whether another column holds the same labels row by row."""
        return self.values == other.values and bool(np.array_equal(self.codes, other.codes))


def columns_of(table: "pa.Table", *, comma: bool = False) -> list[Column]:
    """Return what the first rows of a table hold; texts are read as what they look like.

    With `comma`, numbers that are written as texts may have a decimal comma.

    >>> import pyarrow as pa
    >>> table = pa.table({"y": ["0", "1", ""], "p": ["0.5", "NA", "1"], "c": ["NA", "a", "b"]})
    >>> [(one.name, one.kind, one.values) for one in columns_of(table)]
    [('y', 'whole', ('0', '1')), ('p', 'number', ()), ('c', 'text', ('NA', 'a', 'b'))]
    """
    first = table.slice(0, LOOKED_AT)
    return [
        _column(name, first.column(place), comma) for place, name in enumerate(first.column_names)
    ]


def unseen(names: Iterable[str]) -> list[Column]:
    """Return columns of which only the names are known, as of a table in a database."""
    return [Column(name, "empty", 0) for name in names]


def _column(name: str, column: "pa.ChunkedArray", comma: bool) -> Column:
    import pyarrow as pa

    values = _one_array(column)
    n, kind, types = len(values), values.type, pa.types
    if values.null_count == n:
        return Column(name, "empty", n)
    if types.is_boolean(kind):
        numbers = values.cast(pa.int8()).cast(pa.float64())
        return Column(name, "bool", n, _floats(numbers), _texts=_capital(values))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return _number(name, values.cast(pa.float64(), safe=False))
    if types.is_string(kind):
        return _text(name, values, comma)
    if types.is_timestamp(kind) and kind.tz:  # which may be a zone of another system
        values = values.cast(pa.timestamp(kind.unit, "UTC"))
    if types.is_temporal(kind):
        return Column(name, "date", n, _texts=values.cast(pa.string()))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _list(name, values)
    return Column(name, "nested", n)


def _one_array(column: "pa.ChunkedArray") -> Any:
    """Return a column as one array of plain values, texts cut where they are too long for a label.

    A text that many rows share is cut before it is repeated.
    """
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        parts = [_short(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        column = pa.chunked_array(parts) if parts else pa.chunked_array([[]], kind.value_type)
    elif kind in (pa.string(), pa.large_string(), pa.string_view()):
        column = pa.chunked_array([_short(chunk) for chunk in column.chunks], pa.string())
    if not column.num_chunks:
        return pa.array([], column.type)
    return pa.concat_arrays(column.chunks)


def _short(values: Any) -> Any:
    import pyarrow as pa
    from pyarrow import compute

    if values.type not in (pa.string(), pa.large_string(), pa.string_view()):
        return values
    values = values.cast(pa.large_string())
    return compute.utf8_slice_codeunits(values, 0, LONGEST_LABEL + 1).cast(pa.string())


def _list(name: str, values: Any) -> Column:
    import pyarrow as pa
    from pyarrow import compute

    one = values.type.value_type
    numbers = pa.types.is_floating(one) or pa.types.is_integer(one) or pa.types.is_decimal(one)
    if not numbers or (compute.min(compute.list_value_length(values)).as_py() or 0) < 2:
        return Column(name, "nested", len(values))
    lowest = compute.min(values.flatten()).as_py()
    return Column(name, "list", len(values), lowest=float(lowest or 0.0))


def _number(name: str, values: Any) -> Column:
    """Return a column of numbers; of whole ones, also floats without fractions, with labels."""
    numbers = _floats(values)
    held = numbers[~np.isnan(numbers)]
    if not len(held):
        return Column(name, "empty", len(numbers))
    if np.isinf(held).any() or (np.abs(held) > 2.0**53).any() or (held % 1 != 0).any():
        return Column(name, "number", len(numbers), numbers)
    return Column(name, "whole", len(numbers), numbers)


def _text(name: str, values: Any, comma: bool) -> Column:
    import pyarrow as pa
    from pyarrow import compute

    n, bare = len(values), present(values)
    if bare.null_count == n:
        return Column(name, "empty", n)
    numbers = present(values, numbers=True)
    if numbers.null_count < n:
        if _all(compute.match_substring_regex(numbers, PERCENT)):
            read = _as_numbers(without_percent_sign(numbers))
            if read is not None:
                return Column(name, "percent", n, _floats(read))
        if comma and _all(compute.match_substring_regex(numbers, COMMA)):
            numbers = compute.replace_substring(numbers, ",", ".")
        read = _as_numbers(numbers)
        if read is not None:
            return _named_as_written(_number(name, read), numbers)
        lower = compute.utf8_lower(numbers)
        if {*compute.unique(lower.drop_null()).to_pylist()} <= {"true", "false"}:
            truth = compute.equal(lower, "true").cast(pa.int8()).cast(pa.float64())
            return Column(name, "bool", n, _floats(truth), _texts=numbers)
    dated = _all(compute.match_substring_regex(bare, DATE))
    return Column(name, "date" if dated else "text", n, _texts=bare)


def without_percent_sign(texts: Any) -> Any:
    """Return the numbers of percent, as texts with a decimal point: 12.5 of "12,5 %"."""
    from pyarrow import compute

    return compute.replace_substring(
        compute.replace_substring_regex(texts, r"\s*%\s*$", ""), ",", "."
    )


def present(texts: Any, *, numbers: bool = False) -> Any:
    """Return texts without blanks around them, None where they stand for a missing value.

    In a column of `numbers` some words do that name a class elsewhere, such as NA.
    """
    import pyarrow as pa
    from pyarrow import compute

    bare = compute.utf8_trim_whitespace(texts)
    words = [*ABSENT, *(NOT_AVAILABLE if numbers else ())]
    pattern = f"^({'|'.join(map(re.escape, words))})$"
    out = compute.match_substring_regex(compute.utf8_lower(bare), pattern)
    if compute.any(out).as_py() is not True:
        return bare
    return compute.if_else(out, pa.nulls(1, bare.type)[0], bare)


def _named_as_written(column: Column, texts: Any) -> Column:
    """Return whole numbers with their labels as a file writes them, where 007 is no 7."""
    from pyarrow import compute

    padded = compute.any(compute.match_substring_regex(texts, r"^[+-]?0[0-9]")).as_py()
    if column.kind != "whole" or not padded:
        return column
    return Column(column.name, column.kind, column.n, column.numbers, _texts=texts)


def _as_numbers(texts: Any) -> Any | None:
    import pyarrow as pa

    try:
        return texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def _all(found: Any) -> bool:
    from pyarrow import compute

    return compute.all(found).as_py() is True


def _capital(truth: Any) -> Any:
    """Return booleans as the classes are called, True and False."""
    import pyarrow as pa
    from pyarrow import compute

    return compute.if_else(truth, pa.scalar("True"), pa.scalar("False"))


def _floats(values: Any) -> Floats:
    if values.null_count:
        return np.asarray(values.to_numpy(zero_copy_only=False), np.float64)
    return np.asarray(np.from_dlpack(values))  # without the import of pandas, as with a null


def _order(name: str) -> tuple[int, float, str]:
    """Return what sorts labels: whole numbers by size, others as texts."""
    try:
        return (0, float(int(name)), name)
    except ValueError:
        return (1, 0.0, name)


def sums_to_one(columns: Iterable[Column]) -> bool:
    """Tell whether the numbers of several columns sum to 1 in nearly every row."""
    several = [column.numbers for column in columns]
    if len(several) < 2:
        return False
    total = np.sum([one for one in several if one is not None], axis=0)
    off = np.abs(total - 1)
    return bool((off[~np.isnan(off)] < NEAR_ONE).mean() > 0.98) if (~np.isnan(off)).any() else False


def cut_of(number: Column, labels: Column) -> str | None:
    """Return the label above a cut of a number, where two labels lie on either side of one."""
    if number.numbers is None or len(labels.values) != 2:
        return None
    known = ~np.isnan(number.numbers)
    parts = [number.numbers[known & (labels.codes == code)] for code in (0, 1)]
    if not all(len(part) for part in parts):
        return None
    first, second = parts
    if first.max() <= second.min():
        return labels.values[1]
    return labels.values[0] if second.max() <= first.min() else None


def falls(number: Column, labels: Column, label: str) -> bool:
    """Tell whether a number is clearly lower where a label is (rank test, z < -3)."""
    if number.numbers is None:
        return False
    known = ~np.isnan(number.numbers) & (labels.codes >= 0)
    event = labels.codes[known] == labels.values.index(label)
    a, b = int(event.sum()), int((~event).sum())
    if a + b < 20 or not a or not b:
        return False
    _, home, counts = np.unique(number.numbers[known], return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[home]  # of equal numbers the mean
    z = (ranks[event].sum() - a * (a + b + 1) / 2) / np.sqrt(a * b * (a + b + 1) / 12)
    return bool(z < -3)
