"""Objects of JSON as the columns of a table: one row an object, ``a.b`` where objects nest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from plumbline._checks import shorten
from plumbline.errors import InputError
from plumbline.formatting import one_line
from plumbline.predictions.sources import TableSource, need_columns
from plumbline.predictions.unusable import NO_COLUMN, with_rows, without_unusable

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = tuple[int, Mapping[str, Any]]  # where it stands, and its values

ROWS_AT_ONCE = 20_000  # objects of Python that are held before they become columns
DEEPEST = 8  # objects in objects that become columns; what lies deeper stays as it is
LONGEST_NAME = 1_000  # a hostile file could repeat a long name in thousands of columns
MOST_PARTS = 1_000  # columns of one object; more are keys such as ids, which are no columns
KINDS = {
    str: "text",
    bool: "truth values",
    int: "numbers",
    float: "numbers",
    list: "lists",
    dict: "objects",
}


def table_of_objects(
    source: TableSource, rows: Iterable[Row], most_columns: int, noun: str = "line"
) -> "pa.Table":
    """Return objects as the rows of a table; `noun` is what their numbers count.

    What an object holds as objects becomes columns "a.b". A column whose values no type holds is
    left out; `unusable` of the table says why.
    """
    import pyarrow as pa

    reader = _Reader(source, most_columns, noun)
    numbered = iter(rows)
    tables = []
    while block := list(islice(numbered, ROWS_AT_ONCE)):
        tables.append(reader.table_of(block))
    if not tables:
        raise InputError(f"{source.name} holds no rows", code="empty-file")
    kept, reasons = reader.kept(), reader.reasons()
    tables = [with_rows(table, [n for n in table.column_names if n in kept]) for table in tables]
    table = pa.concat_tables(tables, promote_options="permissive")
    if NO_COLUMN not in kept and table.num_columns > 1 and NO_COLUMN in table.column_names:
        table = table.drop_columns([NO_COLUMN])
    for place, name in enumerate(table.column_names):
        table = table.set_column(place, name, _times(table.column(name)))
    return without_unusable(table, reasons)


@dataclass(slots=True)
class _Column:
    """What is known of a column: the first value of every kind, its type, what is wrong with it."""

    first: dict[str, tuple[int, Any]] = field(default_factory=dict)
    type: "pa.DataType | None" = None
    why: str | None = None


class _Reader:
    """Blocks of objects as tables, and what is known of their columns so far."""

    def __init__(self, source: TableSource, most_columns: int, noun: str) -> None:
        self.source = source
        self.most_columns = most_columns
        self.noun = noun
        self.columns: dict[str, _Column] = {}
        self.objects: dict[str, set[str]] = {}  # and the columns that they became
        self.plain: set[str] = set()  # names as they stand in the file

    def table_of(self, block: Sequence[Row]) -> "pa.Table":
        """Return a block of rows as a table of the columns that can be held so far."""
        import pyarrow as pa

        rows = [(place, self._flat(row)) for place, row in block]
        for _, row in block:
            self.plain.update(row)
        for _, row in rows:
            for name in row:
                if name not in self.columns:
                    self.columns[name] = _Column()
        need_columns(self.source, len(self.columns), self.most_columns)
        arrays = {
            name: array
            for name, column in self.columns.items()
            if column.why is None and (array := self._array(name, column, rows)) is not None
        }
        try:
            return pa.table(arrays) if arrays else pa.table({NO_COLUMN: pa.nulls(len(rows))})
        except UnicodeError as error:
            raise InputError(
                f"{self.source.name} has a name that is no Unicode text ({one_line(error)}); "
                "write it again as UTF-8",
                code="not-utf-8",
            ) from error

    def reasons(self) -> dict[str, str]:
        """Return the columns that cannot be held, and why."""
        bad = {name: column.why for name, column in self.columns.items() if column.why is not None}
        for name in self.objects:
            column = self.columns.get(name)
            if column is not None and column.first:
                kinds = " and ".join(column.first)
                bad[name] = column.why or f"it holds {kinds} in some rows and objects in others"
        for name in {part for parts in self.objects.values() for part in parts} & self.plain:
            bad[name] = "objects of other columns have this name too"
        many = f"its objects have more than {MOST_PARTS:,} different names"
        crowded = dict.fromkeys(self._crowded(), many)
        below = self._below()
        return {name: why for name, why in bad.items() if name not in below} | crowded

    def kept(self) -> set[str]:
        """Return the names of the columns that can be held."""
        return {*self.columns} - {*self.reasons()} - self._below()

    def _crowded(self) -> list[str]:
        return [name for name, parts in self.objects.items() if len(parts) > MOST_PARTS]

    def _below(self) -> set[str]:
        """Return the columns of objects that have too many of them."""
        return {part for name in self._crowded() for part in self.objects[name]}

    def _flat(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row whose objects are columns of their own."""
        if not any(type(value) is dict for value in row.values()):
            return row
        flat: dict[str, Any] = {}
        left: list[tuple[str, Any, int, str | None]] = [(n, v, 0, None) for n, v in row.items()]
        left.reverse()
        while left:
            name, value, depth, top = left.pop()
            if type(value) is dict and depth < DEEPEST and len(name) < LONGEST_NAME:
                top = name if top is None else top
                self.objects.setdefault(name, set())
                if len(self.objects[top]) <= MOST_PARTS:
                    left += [
                        (f"{name}.{part}", inner, depth + 1, top)
                        for part, inner in reversed(value.items())
                    ]
                continue
            if top is not None:
                self.objects[top].add(name)
            flat[name] = value
        return flat

    def _array(
        self, name: str, column: _Column, rows: Sequence[tuple[int, Mapping[str, Any]]]
    ) -> "pa.Array | None":
        """Return the values of a column, None where no type holds them."""
        import pyarrow as pa

        values = [row.get(name) for _, row in rows]
        types = {type(value) for value in values} - {type(None)}
        for kind in {KINDS[one] for one in types} - {*column.first}:
            column.first[kind] = next(
                (place, value)
                for (place, _), value in zip(rows, values, strict=True)
                if value is not None and KINDS[type(value)] == kind
            )
        if len(column.first) > 1:
            column.why = self._mixed(column)
            return None
        try:
            array = pa.array(values, pa.float64() if types == {int, float} else None)
            column.type = array.type if column.type is None else _wider(column.type, array.type)
        except UnicodeError:
            column.why = "it holds a text that is no Unicode text"
        except (pa.ArrowException, OverflowError) as error:
            column.why = f"no type holds its values ({one_line(error)})"
        return array if column.why is None else None

    def _mixed(self, column: _Column) -> str:
        values = (
            f"{shorten(value)} in {self.noun} {place}" for place, value in column.first.values()
        )
        return f"it mixes {' and '.join(column.first)}: {', '.join(values)}"


def _wider(one: "pa.DataType", other: "pa.DataType") -> "pa.DataType":
    """Return the type that holds the values of both; ArrowException where there is none."""
    import pyarrow as pa

    schemas = [pa.schema([("", kind)]) for kind in (one, other)]
    return pa.unify_schemas(schemas, promote_options="permissive").field(0).type


def _times(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Return a text column that holds nothing but dates or times as these, as CSV is read."""
    import pyarrow as pa

    if column.type != pa.string():
        return column
    for kind in (pa.date32(), pa.timestamp("s"), pa.timestamp("ns")):
        try:
            column.slice(0, 100).cast(kind)
            return column.cast(kind)
        except pa.ArrowInvalid:
            continue
    return column
