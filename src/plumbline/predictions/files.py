"""Reading and writing prediction tables; the reading itself is pyarrow's."""

import csv as plain_csv
import json
import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, shown
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError, PlumblineError, PlumblineWarning, level_of_caller
from plumbline.file_endings import ARCHIVES, DOCUMENTS, LINES, READ_WHOLE, TEXT
from plumbline.formatting import one_line, quoted
from plumbline.predictions import excel_files, json_documents, json_lines, text_files
from plumbline.predictions.arrays import MARKS
from plumbline.predictions.forms import (
    PROGRAMS,
    harness_samples,
    inspect_log,
    numpy_arrays,
    token_probabilities,
)
from plumbline.predictions.labels import named_rows
from plumbline.predictions.sources import (
    TableSource,
    damaged,
    format_name,
    need_columns,
    no_rows,
    refuse_repeated,
    sources_of,
)
from plumbline.predictions.text_files import Dialect
from plumbline.predictions.unusable import (
    need_usable,
    unusable,
    warn_of_unusable,
    without_unusable,
)

if TYPE_CHECKING:
    import pyarrow as pa

BYTES_A_CELL = 8  # a float64, or a reference to a text
MOST_LINES = 10_000_000  # that are read again to name a line
FORMATS = dict.fromkeys(LINES, "JSON lines") | {".json": "JSON lines", ".parquet": "Parquet"}
FORMATS |= dict.fromkeys((".arrow", ".feather"), "Arrow")
TABLES_HELD = 3  # the file's table, the checked columns, and what the first computation takes
MOST_COLUMNS = 30_000  # a column costs as much time as ten thousand numbers

Checked = TypeVar("Checked")


@dataclass(frozen=True, slots=True)
class FilePart:
    """One source of a table.

    Attributes
    ----------
    source : what was read
    table : its rows
    dialect : how separated values are written; None of other files
    form : in which form the source holds its rows, None where its format says that
    """

    source: TableSource
    table: "pa.Table"
    dialect: Dialect | None
    form: str | None = None

    @property
    def shown_form(self) -> str:
        """Say how the source holds its rows."""
        if self.form is not None:
            return self.form
        packed = "" if self.source.codec is None else f", compressed with {self.source.codec}"
        if self.dialect is None:
            return f"{FORMATS[self.source.format]}{packed}"
        comma = ", decimal commas" if self.dialect.decimal == "," else ""
        header = ", without a header" if self.dialect.names else ""
        text = f"text, columns separated by {self.dialect.separated}"
        return f"{text}{comma}{header}{packed}"

    @property
    def has_lines(self) -> bool:
        """Tell whether every row begins on a line of its own, which messages name."""
        told = self.dialect is not None or self.source.format in (*LINES, *DOCUMENTS)
        return told and self.form in (None, harness_samples.NAME, token_probabilities.NAME)


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table with the sources that its rows come from, one below the other.

    Attributes
    ----------
    table : the rows
    parts : the sources
    kept : numbers of these rows among those of the sources; None where all of them are kept
    """

    table: "pa.Table"
    parts: tuple[FilePart, ...]
    kept: NDArray[np.intp] | None = None

    @property
    def form(self) -> str:
        """How the sources hold their rows."""
        return "; ".join(dict.fromkeys(part.shown_form for part in self.parts))

    @property
    def program(self) -> str:
        """The program whose form the sources have, empty where they are plain tables."""
        return next((one for part in self.parts if (one := part.form or "") in PROGRAMS), "")

    def take(self, numbers: Sequence[int]) -> "FileTable":
        """Return some of the rows; messages still name them by file and line."""
        rows = np.asarray(numbers, np.intp)
        kept = rows if self.kept is None else self.kept[rows]
        return replace(self, table=self.table.take(rows), kept=kept)

    def checked(self, check: Callable[["pa.Table"], Checked]) -> Checked:
        """Return what `check` makes of the table; its errors and warnings name files and lines."""
        if self.table.num_rows == 0:
            raise no_rows([part.source.name for part in self.parts], self.table.column_names)
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", PlumblineWarning)
                return check(self.table)
        except InputError as error:
            raise self._placed_error(error) from error
        finally:
            for one in caught:
                if isinstance(one.message, PlumblineWarning):
                    warnings.warn(self._placed_warning(one.message), stacklevel=level_of_caller())
                else:
                    warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)

    def _placed_warning(self, warning: PlumblineWarning) -> PlumblineWarning:
        if not len(warning.rows):
            return warning
        return type(warning)(
            self._with_lines(warning), code=warning.code, remedy=warning.remedy, rows=warning.rows
        )

    def _placed_error(self, error: InputError) -> PlumblineError:
        if not len(error.rows):
            return error
        text, remedy = self._with_lines(error), error.remedy
        decimals = {part.dialect.decimal for part in self.parts if part.dialect is not None}
        if error.code == "decimal-comma" and decimals:
            remedy = text_files.DECIMAL_COMMA
        elif error.code == "number-as-text" and "," in decimals:
            remedy = "the value has a decimal point, but the numbers were read with a decimal comma"
        return error.placed(text, remedy=remedy)

    def _with_lines(self, message: InputError | PlumblineWarning) -> str:
        """Return the text of a message with files and lines in the place of row numbers."""
        rows = np.asarray(message.rows)
        places = np.unique(rows if self.kept is None else self.kept[rows])
        return message.text.replace(named_rows(message.rows), self._where(places.tolist()))

    def _where(self, rows: Sequence[int]) -> str:
        """Name rows by file and line: "line 17 of 'a.csv'", "lines 3, 4 of 'a.csv'"."""
        first = 0
        for part in self.parts:
            own = [row - first for row in rows if first <= row < first + part.table.num_rows]
            if own:
                break
            first += part.table.num_rows
        lines = lines_of(part.source, part.dialect, own[:5]) if part.has_lines else None
        noun, numbers = ("row", own[:5]) if lines is None else ("line", lines)
        counted = f" of {part.source.name}" + (" (counted from 0)" if lines is None else "")
        if len(own) < len(rows):
            line = None if lines is None else lines[0]
            return first_of(len(rows), own[0], part.source.name, line)
        more = f" and {len(own) - 5:,} more" if len(own) > 5 else ""
        return f"{noun}{'s' * (len(own) > 1)} {', '.join(map(str, numbers))}{more}{counted}"


def first_of(count: int, row: int, source: str, line: int | None) -> str:
    """Name the first of some rows by its line, or by its number where it has none."""
    where = (
        f"row {row} of {source} (counted from 0)" if line is None else f"line {line} of {source}"
    )
    return where if count == 1 else f"{count:,} rows, the first of them {where}"


def lines_of(source: TableSource, dialect: Dialect | None, rows: Sequence[int]) -> list[int] | None:
    """Return the lines, from 1, of rows of a text, from 0; None if they are unknown or far down."""
    if max(rows) > MOST_LINES:
        return None
    if source.format in (*LINES, *DOCUMENTS):
        starts = json_lines.lines_of_rows(source)
    elif dialect is not None:
        starts = text_files.lines_of_rows(source, dialect)
    else:
        return None
    try:
        lines = [line for row, line in enumerate(islice(starts, max(rows) + 1)) if row in rows]
    except (plain_csv.Error, InputError):
        return None
    return lines if len(lines) == len(rows) else None


def read_files(
    given: Any,
    *,
    actual: str | None = None,
    rename: Mapping[str, str] | None = None,
    prob: Collection[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    names: Sequence[str] | None = None,
    sheet: str | None = None,
    most_columns: int = MOST_COLUMNS,
) -> FileTable:
    """Read a file, several, a pattern of names or a stream; headers are checked first.

    `actual` and `rename` say which columns are labels: in text files, which have no types, those
    stay text, so that a class "007" is no number. `prob` are columns that must hold numbers.
    `names` are those of the columns of text files without a header, `sheet` is that of a workbook.
    Raises InputError for more than
    `most_columns`.
    """
    separator = text_files.checked_separator(separator)
    decimal = text_files.checked_decimal(decimal)
    roles = {name: name for name in text_files.LABELS} | ({actual: actual} if actual else {})
    roles |= rename or {}
    roles = {c: text_files.LABELS[0] if name == actual else name for c, name in roles.items()}
    roles |= dict.fromkeys(prob or (), MARKS[0])
    reader = partial(
        _file_part,
        roles=roles,
        separator=separator,
        decimal=decimal,
        names=text_files.checked_names(names),
        sheet=sheet,
        most_columns=most_columns,
    )
    parts = _without_unusable([reader(source) for source in sources_of(given)])
    if len(parts) > 1:
        parts = _alike(parts, reader)
    import pyarrow as pa

    table = (
        parts[0].table
        if len(parts) == 1
        else pa.concat_tables([part.table for part in parts], promote_options="permissive")
    )
    if all(part.source.is_text for part in parts):
        table = text_files.single_precision(text_files.whole_labels(table, roles))
    need_usable(table, [name for name in unusable(table) if _has_part(name, roles)])
    warn_of_unusable(table, parts[0].source.name)
    return FileTable(table, tuple(parts))


def _has_part(name: str, roles: Mapping[str, str]) -> bool:
    """Tell whether a user, or its own name, gives a column a part."""
    part = roles.get(name, name)
    return name in roles or part in text_files.NUMBERS or part.startswith(MARKS)


def _without_unusable(parts: Sequence[FilePart]) -> list[FilePart]:
    """Return parts of which none has a column that one of them cannot hold."""
    reasons = {name: why for part in parts for name, why in unusable(part.table).items()}
    return [replace(part, table=without_unusable(part.table, reasons)) for part in parts]


def table_of(
    source: TableSource, *, separator: str | None = None, as_text: Sequence[str] = ()
) -> "pa.Table":
    """Return one source as it is; of text files the columns `as_text` stay text."""
    return _file_part(
        source, {}, separator=separator, decimal=None, most_columns=MOST_COLUMNS, as_text=as_text
    ).table


def header(path: Any, separator: str | None = None) -> list[str]:
    """Return the names of the columns of a text file."""
    separator = text_files.checked_separator(separator)
    (source,) = sources_of(path)
    if source.format in READ_WHOLE:
        return list(table_of(source).column_names)
    with input_errors(source):
        return text_files.header_of(source, separator)


def _file_part(
    source: TableSource,
    roles: Mapping[str, str],
    *,
    separator: str | None,
    decimal: str | None,
    most_columns: int,
    as_text: Sequence[str] = (),
    names: tuple[str, ...] = (),
    sheet: str | None = None,
) -> FilePart:
    dialect = form = None
    with input_errors(source):
        source = source.held()
        if sheet is not None and source.format != EXCEL:
            raise InputError(
                f"{source.name} has no sheets, which {EXCEL} files have; leave `sheet` out",
                code="no-such-sheet",
            )
        if names and source.format not in (*TEXT, EXCEL):
            raise InputError(
                f"{source.name} has names of its own, as every {format_name(source)} file; leave "
                "`names` out, or rename columns with `rename`",
                code="names-differ",
            )
        if source.format in DOCUMENTS or (
            source.format in LINES and json_documents.begins_with_array(source)
        ):
            table, form = json_documents.read_json_document(source, most_columns)
        elif source.format in LINES:
            table, form = json_lines.read_json_lines(source, most_columns)
        elif source.format == EXCEL:
            table, form = excel_files.read_excel(source, most_columns, sheet=sheet, names=names)
        elif source.format in ARCHIVES:
            table, form = ARCHIVE_READERS[source.format](source, most_columns)
        elif source.is_text:
            table, dialect = text_files.read_text(
                source,
                roles,
                separator=separator,
                decimal=decimal,
                most_columns=most_columns,
                as_text=as_text,
                names=names,
            )
        else:
            need_columns(source, COUNTERS[source.format](source), most_columns)
            table = READERS[source.format](source)
            refuse_repeated(source, table.column_names)
        table.validate(full=True)  # a damaged Arrow file can point outside its own memory
    return FilePart(source, table, dialect, form)


@contextmanager
def input_errors(source: TableSource) -> Iterator[None]:
    """Raise what another library finds wrong with a source as an InputError of one sentence."""
    import pyarrow as pa

    try:
        yield
    except PlumblineError:
        raise
    except PermissionError as error:
        raise InputError(
            f"{source.name} cannot be read: permission denied", code="unreadable-file"
        ) from error
    except MemoryError as error:
        raise InputError(
            f"{source.name} needs more memory than this process may use ({one_line(error)}); keep "
            "only the columns and rows that are needed, or allow more memory",
            code="file-too-large",
        ) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise damaged(source, error) from error


def write_table(table: "pa.Table", path: Path) -> None:
    """Write a file whose ending gives its format: to a temporary file first, then renamed."""
    write_tables(iter([table]), path)


def write_tables(tables: Iterator["pa.Table"], path: Path) -> None:
    """Write tables of the same columns below each other, one at a time; at least one."""
    import pyarrow as pa

    def write(temporary: Path) -> None:
        first = next(tables)
        with WRITERS[ending](temporary, first.schema) as writer:
            for table in chain([first], tables):
                writer.write_table(table)

    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise InputError(
            f"{shorten(path.name)} must end in {', '.join(WRITERS)}, got "
            f"{quoted(ending or 'no ending')}; write the table in one of these formats",
            code="unknown-format",
        )
    try:
        write_whole(path, write)
    except pa.ArrowException as error:
        raise InputError(
            f"{shorten(str(path), 200)} cannot hold this table: {one_line(error)}; drop that "
            "attribute, or write Parquet",
            code="unwritable-table",
        ) from error


# ---------------------------------------------------------------- several files


def _alike(parts: Sequence[FilePart], reader: Callable[..., FilePart]) -> list[FilePart]:
    """Return parts with the columns of the first, in its order, each of one type in all of them.

    What is a number in one text file and text in another is read as text in all, as it would be in
    one file. Refuses parts of other columns, and of types that have nothing in common.
    """
    first = parts[0]
    for part in parts[1:]:
        _refuse_other_columns(first, part)
    names = first.table.column_names
    parts = [_with_plain_texts(part, names) for part in parts]
    mixed = [name for name in names if not _can_join(parts, name)]
    if mixed:
        parts = [
            _with_plain_texts(reader(part.source, as_text=mixed), names)
            if part.dialect is not None
            else part
            for part in parts
        ]
    for name in mixed:
        if not _can_join(parts, name):
            kinds = {str(part.table.column(name).type): part.source.name for part in parts}
            held = (f"{kind} in {named}" for kind, named in kinds.items())
            raise InputError(
                f"column {quoted(name)} holds {' and '.join(held)}; make it one type in all files",
                code="types-differ",
            )
    return list(parts)


def _refuse_other_columns(first: FilePart, part: FilePart) -> None:
    one, other = first.table.column_names, part.table.column_names
    missing = [name for name in one if name not in other]
    more = [name for name in other if name not in one]
    if missing or more:
        lacks = [f"lacks {shown(missing, 4)}"] if missing else []
        has = [f"has {shown(more, 4)} besides"] if more else []
        raise InputError(
            f"files of one table must have the same columns: compared with {first.source.name}, "
            f"{part.source.name} {' and '.join(lacks + has)}",
            code="columns-differ",
        )


def _with_plain_texts(part: FilePart, names: Sequence[str]) -> FilePart:
    """Return a part with its columns in this order, texts that are held as codes as plain texts."""
    import pyarrow as pa

    table = part.table.select(list(names))
    for place, name in enumerate(names):
        kind = table.column(name).type
        if pa.types.is_dictionary(kind):
            table = table.set_column(place, name, table.column(name).cast(kind.value_type))
    return replace(part, table=table)


def _can_join(parts: Sequence[FilePart], name: str) -> bool:
    import pyarrow as pa

    fields = [pa.schema([(name, part.table.column(name).type)]) for part in parts]
    try:
        pa.unify_schemas(fields, promote_options="permissive")
    except pa.ArrowException:
        return False
    return True


# ---------------------------------------------------------------- size


def _refuse_larger_than_memory(source: TableSource, rows: int, columns: int) -> None:
    """Ask before allocating: a few kilobytes of Parquet can claim billions of rows."""
    needed = rows * columns * BYTES_A_CELL * TABLES_HELD
    room = _memory()
    if room is not None and needed > room:
        raise InputError(
            f"{source.name} claims {rows:,} rows x {columns:,} columns, about {needed / 1e9:.3g} "
            f"GB, but this machine has {room / 1e9:.3g} GB of memory",
            code="file-too-large",
            remedy="the file is damaged, or must be split or reduced to the columns needed",
        )


def _columns_of_parquet(source: TableSource) -> int:
    from pyarrow import parquet

    return int(parquet.read_metadata(source.native()).num_columns)


def _columns_of_arrow(source: TableSource) -> int:
    import pyarrow as pa

    magic = source.head(6)
    if magic.startswith(b"FEA1"):
        return 0  # its reader refuses it
    opened = pa.ipc.open_file if magic == b"ARROW1" else pa.ipc.open_stream
    with source.stream() as stream, opened(stream) as reader:
        return len(reader.schema)


def _memory() -> int | None:
    """Return the bytes of memory this process may use, or None where that is unknown.

    Windows has no `sysconf`: there a table that is too large fails when it is read.
    """
    known = []
    with suppress(AttributeError, ValueError, OSError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):  # a container's limit
        known.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min((room for room in known if room > 0), default=None)


# ---------------------------------------------------------------- binary


def _read_parquet(source: TableSource) -> "pa.Table":
    """Read Parquet, texts as codes: a text repeated a million times is held once."""
    import pyarrow as pa
    from pyarrow import parquet

    native = source.native()
    about = parquet.read_metadata(native)
    names = None if source.columns is None else [*source.columns]
    width = about.num_columns if names is None else len(names)
    _refuse_larger_than_memory(source, about.num_rows, width)
    texts = (pa.string(), pa.large_string(), pa.string_view())
    with parquet.ParquetFile(native, metadata=about) as file:
        coded = [field.name for field in file.schema_arrow if field.type in texts]
    with parquet.ParquetFile(
        source.native(), metadata=about, read_dictionary=coded, page_checksum_verification=True
    ) as file:
        return file.read(names)


def _read_arrow(source: TableSource) -> "pa.Table":
    """Read an Arrow file (Feather version 2), or an Arrow stream under the same ending."""
    import pyarrow as pa

    magic = source.head(6)
    if magic.startswith(b"FEA1"):
        raise InputError(
            f"{source.name} is Feather version 1; save it as version 2 or as Parquet",
            code="unknown-format",
        )
    if magic != b"ARROW1":
        return _read_stream(source)
    with source.stream() as stream, pa.ipc.open_file(stream) as reader:
        if source.path is not None:
            from pyarrow import dataset

            rows = dataset.dataset(source.path, format="ipc").count_rows()
            _refuse_larger_than_memory(source, rows, len(reader.schema))
        return reader.read_all()


def _read_stream(source: TableSource) -> "pa.Table":
    import pyarrow as pa

    with source.stream() as stream, pa.ipc.open_stream(stream) as reader:
        batches, rows = [], 0
        for batch in reader:
            rows += batch.num_rows
            _refuse_larger_than_memory(source, rows, len(reader.schema))
            batches.append(batch)
        return pa.Table.from_batches(batches, reader.schema)


class _LinesWriter:
    """Writes one JSON object a line; what is no number is null."""

    def __init__(self, path: Path, _: "pa.Schema") -> None:
        self._path = path

    def __enter__(self) -> "_LinesWriter":
        self._file = self._path.open("w", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write_table(self, table: "pa.Table") -> None:
        """Write the rows of a table."""
        from plumbline._result import jsonable

        for row in table.to_pylist():
            line = json.dumps(jsonable(row), ensure_ascii=False, allow_nan=False)
            self._file.write(f"{line}\n")


def _text_writer(path: Path, schema: "pa.Schema", *, delimiter: str) -> Any:
    from pyarrow import csv

    return csv.CSVWriter(path, schema, write_options=csv.WriteOptions(delimiter=delimiter))


def _parquet_writer(path: Path, schema: "pa.Schema") -> Any:
    from pyarrow import parquet

    # A changed byte is another probability, so each page has a checksum that is read again.
    return parquet.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True)


def _arrow_writer(path: Path, schema: "pa.Schema") -> Any:
    import pyarrow as pa

    return pa.ipc.new_file(path, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))


EXCEL = ".xlsx"
ARCHIVE_READERS = {".eval": inspect_log.read_archive, ".npz": numpy_arrays.read_arrays}
READERS: dict[str, Callable[[TableSource], Any]] = {
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
    ".feather": _read_arrow,
}
COUNTERS: dict[str, Callable[[TableSource], int]] = {
    ".parquet": _columns_of_parquet,
    ".arrow": _columns_of_arrow,
    ".feather": _columns_of_arrow,
}
WRITERS: dict[str, Callable[[Path, Any], Any]] = {
    ".csv": partial(_text_writer, delimiter=","),
    ".tsv": partial(_text_writer, delimiter="\t"),
    ".jsonl": _LinesWriter,
    ".parquet": _parquet_writer,
    ".arrow": _arrow_writer,
    ".feather": _arrow_writer,
}
