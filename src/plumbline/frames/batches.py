"""Large tables as parts, each of which is read batch by batch."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.errors import InputError
from plumbline.frames.columns import CountedColumns
from plumbline.predictions.columns import is_list
from plumbline.predictions.files import FilePart, FileTable
from plumbline.predictions.sources import TableSource, damaged

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 1 << 17


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


def parts_of(source: TableSource) -> list[Part]:
    """Return a binary file in parts that can be read at the same time."""
    return PARTS[source.format](source)


def schema_of(source: TableSource) -> "pa.Schema":
    """Return the columns of a binary file and their types."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        if source.format == ".parquet":
            return parquet.read_schema(source.native())
        with _arrow_reader(source) as reader:
            return reader.schema
    except (pa.ArrowException, OSError) as error:
        raise damaged(source, error) from error


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
    import pyarrow as pa
    from pyarrow import parquet

    if source.format != ".parquet":
        yield from _ArrowBatches(source)(schema_of(source).names)
        return
    try:
        with parquet.ParquetFile(source.native()) as file:
            yield from file.iter_batches(ROWS_AT_ONCE)
    except (pa.ArrowException, OSError) as error:
        raise damaged(source, error) from error


def rows_of(source: TableSource) -> int | None:
    """Return the number of rows of a file, where that is known without reading it."""
    import pyarrow as pa
    from pyarrow import parquet

    if source.format != ".parquet":
        return None
    try:
        return int(parquet.read_metadata(source.native()).num_rows)
    except (pa.ArrowException, OSError):  # whoever reads it says what is wrong
        return None


@dataclass(frozen=True)
class _RowGroups:
    """Some row groups of a Parquet file; a value, so that it can be sent to other processes."""

    source: TableSource
    numbers: tuple[int, ...]
    threads: bool

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyarrow import parquet

        try:
            schema = parquet.read_schema(self.source.native())
            texts = (pa.string(), pa.large_string())
            coded = [name for name in names if schema.field(name).type in texts]
            with parquet.ParquetFile(self.source.native(), read_dictionary=coded) as file:
                yield from file.iter_batches(
                    ROWS_AT_ONCE, list(self.numbers), list(names), use_threads=self.threads
                )
        except (pa.ArrowException, OSError) as error:
            raise damaged(self.source, error) from error


def _parquet_parts(source: TableSource) -> list[Part]:
    from pyarrow import parquet

    about = parquet.read_metadata(source.native())
    result, first = [], 0
    for number in range(about.num_row_groups):
        rows = about.row_group(number).num_rows
        batches = _RowGroups(source, (number,), about.num_row_groups == 1)
        result.append(Part(source.name, first, batches, rows))
        first += rows
    return result


@dataclass(frozen=True)
class _ArrowBatches:
    """All batches of an Arrow file or stream."""

    source: TableSource

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        try:
            with _arrow_reader(self.source) as reader:
                several = hasattr(reader, "num_record_batches")
                batches = (
                    map(reader.get_batch, range(reader.num_record_batches)) if several else reader
                )
                for batch in batches:
                    yield batch.select(list(names))
        except (pa.ArrowException, OSError) as error:
            raise damaged(self.source, error) from error


def _arrow_reader(source: TableSource) -> Any:
    import pyarrow as pa

    if source.head(6) == b"ARROW1":
        native = source.native()
        return pa.ipc.open_file(pa.memory_map(native) if isinstance(native, str) else native)
    return pa.ipc.open_stream(source.stream())


def _arrow_parts(source: TableSource) -> list[Part]:
    return [Part(source.name, 0, _ArrowBatches(source))]


PARTS = {".parquet": _parquet_parts, ".arrow": _arrow_parts, ".feather": _arrow_parts}


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
