"""Large tables as parts, each of which is read batch by batch."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.errors import InputError
from plumbline.frames.columns import CountedColumns
from plumbline.predictions import TableSource
from plumbline.predictions.columns import is_list
from plumbline.predictions.files import FilePart, FileTable
from plumbline.predictions.sources import damaged
from plumbline.roles import LOOKED_AT

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

ROWS_AT_ONCE = 1 << 17  # of eight numbers of 8 bytes: 8 MiB; a convention
USUAL_WIDTH = 8  # numbers in a row, up to which so many rows are read
LEAST_AT_ONCE = 1 << 10  # however wide a row is; a convention
# Row groups are read together until a part has so many rows or bytes: opening a reader costs
# .1 ms, as much as counting 2,000 rows, and what lies elsewhere is fetched part by part.
ROWS_A_PART = 1 << 18
BYTES_A_PART = 1 << 24  # 16 MiB: as much as so many rows of eight numbers


@dataclass(frozen=True)
class Part:
    """Consecutive rows of a source.

    Attributes
    ----------
    name : what messages call the source
    first : number of its first row in the source
    batches : how its rows are read, given the names of the columns
    rows : how many there are, None where that is not known beforehand
    """

    name: str
    first: int
    batches: Callable[[Sequence[str]], Iterator["pa.RecordBatch"]]
    rows: int | None = None

    def line(self, row: int) -> int | None:
        """Return the line, from 1, of a row of a text file; None of other rows."""
        line = getattr(self.batches, "line", None)
        return None if line is None else line(row)


def parts_of(source: TableSource) -> "tuple[pa.Schema, list[Part]]":
    """Return a binary file as its columns, and as parts that can be read at the same time."""
    if source.format != ".parquet":
        return schema_of(source), [Part(source.name, 0, _ArrowBatches(source))]
    footer = _Footer(source)
    about = footer.metadata
    parts: list[Part] = []
    numbers: list[int] = []
    first = rows = size = 0
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        numbers.append(number)
        rows += group.num_rows
        size += group.total_byte_size
        last = number == about.num_row_groups - 1
        if last or rows >= ROWS_A_PART or size >= BYTES_A_PART:
            batches = _RowGroups(footer, tuple(numbers), alone=last and not parts)
            parts.append(Part(source.name, first, batches, rows))
            first += rows
            numbers, rows, size = [], 0, 0
    return footer.schema, parts


def schema_of(source: TableSource) -> "pa.Schema":
    """Return the columns of a binary file and their types."""
    if source.format == ".parquet":
        return _Footer(source).schema
    with refused_as_damaged(source), _arrow_reader(source) as reader:
        return _named(reader.schema)


class _Footer:
    """What a Parquet file says about itself, read once in a process.

    Sent to another process it is the name of the file, of which the footer is read there. The
    `schema` of pyarrow's metadata is not asked for: it and the metadata hold each other, so that
    neither is freed before Python looks for cycles.
    """

    def __init__(self, source: TableSource) -> None:
        self.source = source

    def __reduce__(self) -> "tuple[type[_Footer], tuple[TableSource]]":
        return _Footer, (self.source,)

    @cached_property
    def metadata(self) -> "parquet.FileMetaData":
        """What pyarrow reads of it."""
        from pyarrow import parquet

        with refused_as_damaged(self.source):
            return parquet.read_metadata(self.source.native())

    @cached_property
    def schema(self) -> "pa.Schema":
        """The columns and their types."""
        from pyarrow import parquet

        native = self.source.native()
        with (
            refused_as_damaged(self.source),
            parquet.ParquetFile(native, metadata=self.metadata) as file,
        ):
            return _named(file.schema_arrow)


def _named(schema: "pa.Schema") -> "pa.Schema":
    """Return a schema whose names were read: pyarrow decodes them only where they are used."""
    _ = schema.names
    return schema


def first_rows_of(source: TableSource) -> "pa.Table":
    """Return the first rows of a binary file, as many as tell what its columns are."""
    import pyarrow as pa

    schema = schema_of(source)
    if not len(schema):
        return schema.empty_table()
    batches, rows = [], 0
    for batch in _whole_batches(source):
        batches.append(batch)
        rows += batch.num_rows
        if rows >= LOOKED_AT:
            break
    return pa.Table.from_batches(batches, schema).slice(0, LOOKED_AT)


def lists_of(schema: "pa.Schema") -> dict[str, int | None]:
    """Return the columns that hold lists of numbers, with their size where all have one."""
    return {
        field.name: getattr(field.type, "list_size", None)
        for field in schema
        if is_list(field.type)
    }


def tables_of(source: TableSource) -> Iterator[FileTable]:
    """Yield the rows of a binary file batch by batch, with all columns as they are.

    Messages about a table name its rows by their number in the file.
    """
    import pyarrow as pa

    first = 0
    for batch in _whole_batches(source):
        numbers = np.arange(first, first + batch.num_rows)
        first += batch.num_rows
        read = FilePart(source, pa.table({"rows": pa.nulls(first)}), None)
        yield FileTable(pa.Table.from_batches([batch]), (read,), numbers)


def _whole_batches(source: TableSource) -> Iterator["pa.RecordBatch"]:
    from pyarrow import parquet

    if source.format != ".parquet":
        yield from _ArrowBatches(source)(schema_of(source).names)
        return
    with (
        refused_as_damaged(source),
        parquet.ParquetFile(source.native(), page_checksum_verification=True) as file,
    ):
        yield from file.iter_batches(LOOKED_AT)


def rows_of(source: TableSource) -> int | None:
    """Return the number of rows of a file, where that is known without reading it."""
    if source.format != ".parquet":
        return None
    try:
        return int(_Footer(source).metadata.num_rows)
    except InputError:  # whoever reads it says what is wrong
        return None


def cells_of(source: TableSource) -> int:
    """Return the number of rows times that of columns of a Parquet file."""
    footer = _Footer(source)
    return int(footer.metadata.num_rows) * len(footer.schema)


def rows_at_once(schema: "pa.Schema", names: Sequence[str]) -> int:
    """Return how many rows of some columns are read at once: fewer where they are wide."""
    width = sum(getattr(schema.field(name).type, "list_size", 1) for name in names)
    return max(LEAST_AT_ONCE, ROWS_AT_ONCE * USUAL_WIDTH // max(USUAL_WIDTH, width))


@dataclass(frozen=True)
class _RowGroups:
    """Row groups of a Parquet file; a value, so that it can be sent to other processes."""

    footer: _Footer
    numbers: tuple[int, ...]
    alone: bool

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyarrow import parquet

        source, schema = self.footer.source, self.footer.schema
        texts = (pa.string(), pa.large_string())
        with refused_as_damaged(source):
            native = source.native()
            here = isinstance(native, str)
            with parquet.ParquetFile(
                native,
                page_checksum_verification=True,
                # A web server that sends no parts of files needs the whole first, footer included.
                metadata=self.footer.metadata if here else None,
                read_dictionary=[name for name in names if schema.field(name).type in texts],
                pre_buffer=not here,  # few requests where each takes long
            ) as file:
                yield from file.iter_batches(
                    rows_at_once(schema, names),
                    list(self.numbers),
                    list(names),
                    use_threads=self.alone,
                )


@dataclass(frozen=True)
class _ArrowBatches:
    """All batches of an Arrow file or stream."""

    source: TableSource

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        with refused_as_damaged(self.source), _arrow_reader(self.source) as reader:
            several = hasattr(reader, "num_record_batches")
            batches = map(reader.get_batch, range(reader.num_record_batches)) if several else reader
            for batch in batches:
                chosen = batch.select(list(names))
                chosen.validate(full=True)  # a damaged file can point outside its own memory
                yield chosen


def _arrow_reader(source: TableSource) -> Any:
    import pyarrow as pa

    if source.head(6) == b"ARROW1":
        native = source.native()
        return pa.ipc.open_file(pa.memory_map(native) if isinstance(native, str) else native)
    return pa.ipc.open_stream(source.stream())


@contextmanager
def refused_as_damaged(source: TableSource) -> Iterator[None]:
    """Raise what the readers of pyarrow find wrong as an InputError that names the source."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # names that are no UTF-8
        raise damaged(source, error) from error


def part_of_stream(name: str, reader: "pa.RecordBatchReader") -> Part:
    """Return a stream of Arrow batches, which can be read once, as one part."""

    def batches(names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        for batch in reader:
            yield batch.select(list(names))

    return Part(name, 0, batches)


def refuse_other_columns(columns: CountedColumns, schema: "pa.Schema", name: str) -> None:
    """Refuse a file of several that lacks a column, or holds no numbers where they must be."""
    import pyarrow as pa

    missing = [column for column in columns.names if column not in schema.names]
    if missing:
        raise InputError(
            f"files of one table must have the same columns, and {name} lacks {missing}",
            code="columns-differ",
        )
    for column in columns.prob:
        kind = schema.field(column).type
        number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
        if not (is_list(kind) if columns.lists else number or pa.types.is_decimal(kind)):
            raise InputError(
                f"column '{column}' of {name} must hold numbers, and holds {kind}",
                remedy="store them as numbers",
                code="number-as-text",
            )
