"""Reading and writing prediction tables; the reading itself is pyarrow's."""

import csv as plain_csv
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import near_names, shorten, shown
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.predictions import labels as lb
from plumbline.predictions.arrays import CODED, MARKS
from plumbline.predictions.columns import array_of

if TYPE_CHECKING:
    import pyarrow as pa

BYTES_A_CELL = 8
COPIES = 3  # the file's table, the checked columns, and what the first computation takes
LONGEST_LINE = 8 << 20
MOST_COLUMNS = 30_000  # a column costs as much time as ten thousand numbers
HEAD = 1 << 16
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
LABELS = ("actual", "y_true", "predicted", *CODED)


def read_table(
    path: Path,
    *,
    actual: str | None = None,
    rename: Mapping[str, str] | None = None,
    most_columns: int = MOST_COLUMNS,
) -> "pa.Table":
    """Read a file whose ending gives its format; its header is checked first.

    `actual` and `rename` say which columns are labels: in text files, which have no types, those
    stay text, so that a class "007" is no number. Raises InputError for more than `most_columns`.
    """
    parts = {name: name for name in LABELS} | ({actual: actual} if actual else {})
    parts |= rename or {}
    parts = {column: LABELS[0] if name == actual else name for column, name in parts.items()}
    _refuse_unreadable(path)
    reader = _format_of(path, READERS)
    import pyarrow as pa

    try:
        _refuse_many_columns(path, most_columns)
        table = reader(path, parts)
        table.validate(full=True)  # a damaged Arrow file can point outside its own memory
    except InputError:
        raise
    except PermissionError as error:
        raise InputError(
            f"{_named(path)} may not be read: permission denied", code="unreadable-file"
        ) from error
    except MemoryError as error:
        raise InputError(
            f"{_named(path)} takes more memory than this process may use ({_one_line(error)}); "
            "keep the columns and rows that are needed, or allow it more memory",
            code="file-too-large",
        ) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise InputError(
            f"{_named(path)} cannot be read as {path.suffix.lower()[1:]}: {_one_line(error)}; it "
            "is damaged, or not what its name says",
            code="unreadable-file",
        ) from error
    _refuse_repeated(path, table.column_names)
    return table


def write_table(table: "pa.Table", path: Path) -> None:
    """Write a file whose ending gives its format: to a temporary file first, then renamed."""
    import pyarrow as pa

    writer = _format_of(path, WRITERS)
    try:
        write_whole(path, lambda temporary: writer(table, temporary))
    except pa.ArrowException as error:
        raise InputError(
            f"{_named(path)} cannot hold this table: {_one_line(error)}; drop that attribute, or "
            "write Parquet",
            code="unwritable-table",
        ) from error


def _named(path: Path) -> str:
    return shorten(str(path), 200)


def _one_line(error: BaseException) -> str:
    text = "".join(c if c.isprintable() else "?" for c in " ".join(str(error).split()))
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _format_of(path: Path, known: dict[str, Any]) -> Any:
    ending = path.suffix.lower()
    if ending not in known:
        raise InputError(
            f"{shorten(path.name)} must end in {', '.join(known)}, got "
            f"{quoted(ending or 'no ending')}; "
            "save the table in one of these formats (or unpack it)",
            code="unknown-format",
        )
    return known[ending]


def _refuse_unreadable(path: Path) -> None:
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise InputError(_no_file(path), code="no-such-file") from error
    if path.is_dir():
        raise InputError(
            f"{_named(path)} is a folder; name one file in it", code="no-ordinary-file"
        )
    if not path.is_file():
        raise InputError(
            f"{_named(path)} is not an ordinary file; save the table to one first",
            code="no-ordinary-file",
        )
    if size == 0:
        raise InputError(
            f"{_named(path)} is empty (0 bytes); write the table again", code="empty-file"
        )


def _refuse_repeated(path: Path, names: Sequence[str]) -> None:
    twice = lb.repeated(names)
    if twice:
        raise InputError(
            f"{_named(path)} has several columns named {shown(twice)}; every column needs a name "
            "of its own, so rename or drop all but one",
            code="repeated-columns",
        )


def _no_file(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder {_named(path.parent)}, so no file {shorten(path.name)} in it"
    near = near_names(path.name, sorted(p.name for p in path.parent.iterdir())[:1000])
    here = "" if path.is_absolute() else f"; the current folder is {_named(Path.cwd())}"
    return f"there is no file {_named(path)}{near}{here}"


# ---------------------------------------------------------------- size


def _refuse_larger_than_memory(path: Path, rows: int, columns: int) -> None:
    """Ask before allocating: a few kilobytes of Parquet can claim billions of rows."""
    needed = rows * columns * BYTES_A_CELL * COPIES
    room = _memory()
    if room is not None and needed > room:
        raise InputError(
            f"{_named(path)} claims {rows:,} rows x {columns:,} columns, which take about "
            f"{needed / 1e9:.3g} GB of memory, and this machine has {room / 1e9:.3g} GB; the file "
            "is damaged, or must be split or reduced to the columns needed",
            code="file-too-large",
        )


def _refuse_many_columns(path: Path, most: int) -> None:
    """Count the columns before anything is read: each takes time and memory, however short."""
    count = COUNTERS[path.suffix.lower()](path)
    if count > most:
        raise InputError(
            f"{_named(path)} has {count:,} columns, and at most {most:,} are read; keep those that "
            "are needed (is it the right way round?)",
            code="too-many-columns",
        )


def _columns_of_text(path: Path, *, delimiter: str) -> int:
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        return _fields_in(file.readline(LONGEST_LINE), delimiter)


def _fields_in(line: str, delimiter: str) -> int:
    try:
        return len(next(plain_csv.reader([line], delimiter=delimiter), []))
    except plain_csv.Error:  # a field too long for a name
        return line.count(delimiter) + 1


def _columns_of_parquet(path: Path) -> int:
    from pyarrow import parquet

    return int(parquet.read_metadata(path).num_columns)


def _columns_of_arrow(path: Path) -> int:
    import pyarrow as pa

    with path.open("rb") as file:
        magic = file.read(6)
    if magic.startswith(b"FEA1"):
        return 0  # its reader refuses it
    if magic != b"ARROW1":
        with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as reader:
            return len(reader.schema)
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
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


# ---------------------------------------------------------------- text


def _read_text(path: Path, parts: Mapping[str, str], *, delimiter: str) -> "pa.Table":
    """Read a text file in which a column plays the part that `parts` gives, else its name's."""
    _refuse_other_text(path, delimiter)
    table = _parsed(path, delimiter, [c for c, part in parts.items() if part in LABELS])
    played = {column: parts.get(column, column) for column in table.column_names}
    if not any(part.startswith(MARKS) and part.endswith(".0") for part in played.values()):
        for place, (column, part) in enumerate(played.items()):
            if part in LABELS and part not in CODED:
                table = table.set_column(place, column, _whole_labels(table.column(column)))
    return _single_precision(table)


def _refuse_other_text(path: Path, delimiter: str) -> None:
    """Look at the first line for what a parser would misunderstand."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{_named(path)} is UTF-16 text; save it as UTF-8", code="not-utf-8")
    if b"\0" in head:
        raise InputError(
            f"{_named(path)} is not text: it holds zero bytes; a {path.suffix} file "
            "is plain UTF-8 text",
            code="not-utf-8",
        )
    line = head.splitlines()[0].decode("utf-8", "replace")
    if delimiter in line:
        return
    named = f"a {SEPARATORS[delimiter]}"
    for other, name in SEPARATORS.items():
        if other in line:
            raise InputError(
                f"{_named(path)} separates its columns with a {name}, not with {named}: the header "
                f"is {shorten(line)}; save it with {named} between columns and a decimal point in "
                "numbers" + (", or name it .tsv" if other == "\t" else ""),
                code="other-separator",
            )
    raise InputError(
        f"{_named(path)} has a single column: the first line is {shorten(line)}; a prediction "
        f"table has several, with {named} between them",
        code="one-column",
    )


def _parsed(path: Path, delimiter: str, labels: Collection[str]) -> "pa.Table":
    import pyarrow as pa
    from pyarrow import csv

    options = {
        "parse_options": csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        "convert_options": csv.ConvertOptions(column_types=dict.fromkeys(labels, pa.string())),
    }
    try:
        table = csv.read_csv(path, **options, read_options=csv.ReadOptions(block_size=LONGEST_LINE))
        names = table.column_names
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_named(path)} is not UTF-8 text; save it as UTF-8", code="not-utf-8"
        ) from error
    except pa.ArrowInvalid as error:
        raise InputError(_why_not_parsed(path, options, error), code="unreadable-file") from error
    _refuse_repeated(path, names)
    binary = [name for name in names if pa.types.is_binary(table.column(name).type)]
    if binary:
        raise InputError(
            f"{_named(path)} is not UTF-8 text: column {shown(binary)} holds bytes "
            "that no character has; save it as UTF-8",
            code="not-utf-8",
        )
    return table


def _why_not_parsed(path: Path, options: dict[str, Any], error: Exception) -> str:
    """Read once more on one thread, where the parser knows its line, and say what is wrong."""
    import pyarrow as pa
    from pyarrow import csv

    try:
        slow = csv.ReadOptions(use_threads=False, block_size=LONGEST_LINE)
        csv.read_csv(path, **options, read_options=slow)
    except pa.ArrowInvalid as again:
        error = again
    text = _one_line(error).replace("Row #", "line ")
    if "UTF8" in text:
        return f"{_named(path)} is not UTF-8 text ({text}); save it as UTF-8"
    if "Empty CSV" in text or "straddling" in text:
        return (
            f"{_named(path)} has a line longer than {LONGEST_LINE >> 20} MB; it is not a "
            "table, or must be saved as Parquet"
        )
    return (
        f"{_named(path)} cannot be read as {path.suffix.lower()[1:]}: {text}; a value that holds "
        "the separator must stand in double quotes"
    )


def _whole_labels(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Drop ".0" where every class ends in it, as another tool may have written 0 and 1."""
    from pyarrow import compute

    if compute.all(compute.match_substring_regex(column, r"^-?[0-9]+\.0$")).as_py():
        return compute.replace_substring_regex(column, r"\.0$", "")
    return column


def _single_precision(table: "pa.Table") -> "pa.Table":
    """Return probabilities that were written from float32 as float32.

    Text has no type: decimals of single precision sum to 1 within its precision, not within that
    of float64. They are recognised by their sums, and by being the shortest decimals of a float32.
    """
    import pyarrow as pa

    names = [name for name in table.column_names if name.startswith(MARKS[0])]
    if len(names) < 2 or any(table.column(n).type != pa.float64() for n in names):
        return table
    if any(table.column(name).null_count for name in names):
        return table
    off = np.abs(np.sum([array_of(table.column(name)) for name in names], axis=0) - 1.0).max()
    eps = np.finfo(np.float32).eps
    if not np.sqrt(np.finfo(np.float64).eps) < off <= len(names) * eps:
        return table
    for name in names:
        narrow = table.column(name).cast(pa.float32(), safe=False)
        if not narrow.cast(pa.string()).cast(pa.float64()).equals(table.column(name)):
            return table
        table = table.set_column(table.column_names.index(name), name, narrow)
    return table


# ---------------------------------------------------------------- binary


def _read_parquet(path: Path, _parts: Mapping[str, str]) -> "pa.Table":
    """Read Parquet, texts as codes: a text repeated a million times is held once."""
    import pyarrow as pa
    from pyarrow import parquet

    about = parquet.read_metadata(path)
    _refuse_larger_than_memory(path, about.num_rows, about.num_columns)
    texts = (pa.string(), pa.large_string(), pa.string_view())
    coded = [field.name for field in about.schema.to_arrow_schema() if field.type in texts]
    with parquet.ParquetFile(path, read_dictionary=coded) as file:
        return file.read()


def _read_arrow(path: Path, _parts: Mapping[str, str]) -> "pa.Table":
    """Read an Arrow file (Feather version 2), or an Arrow stream under the same ending."""
    import pyarrow as pa
    from pyarrow import dataset

    with path.open("rb") as file:
        magic = file.read(6)
    if magic.startswith(b"FEA1"):
        raise InputError(
            f"{_named(path)} is Feather version 1; save it as version 2 or as Parquet",
            code="unreadable-file",
        )
    if magic != b"ARROW1":
        return _read_stream(path)
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        rows = dataset.dataset(path, format="ipc").count_rows()
        _refuse_larger_than_memory(path, rows, len(reader.schema))
        return reader.read_all()


def _read_stream(path: Path) -> "pa.Table":
    import pyarrow as pa

    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as reader:
        batches, rows = [], 0
        for batch in reader:
            rows += batch.num_rows
            _refuse_larger_than_memory(path, rows, len(reader.schema))
            batches.append(batch)
        return pa.Table.from_batches(batches, reader.schema)


def _write_text(table: "pa.Table", path: Path, *, delimiter: str) -> None:
    from pyarrow import csv

    csv.write_csv(table, path, csv.WriteOptions(delimiter=delimiter))


def _write_parquet(table: "pa.Table", path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd")


def _write_arrow(table: "pa.Table", path: Path) -> None:
    from pyarrow import feather

    feather.write_feather(table, path, compression="zstd")


READERS: dict[str, Callable[[Path, Mapping[str, str]], Any]] = {
    ".csv": partial(_read_text, delimiter=","),
    ".tsv": partial(_read_text, delimiter="\t"),
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
    ".feather": _read_arrow,
}
COUNTERS: dict[str, Callable[[Path], int]] = {
    ".csv": partial(_columns_of_text, delimiter=","),
    ".tsv": partial(_columns_of_text, delimiter="\t"),
    ".parquet": _columns_of_parquet,
    ".arrow": _columns_of_arrow,
    ".feather": _columns_of_arrow,
}
WRITERS: dict[str, Callable[[Any, Path], None]] = {
    ".csv": partial(_write_text, delimiter=","),
    ".tsv": partial(_write_text, delimiter="\t"),
    ".parquet": _write_parquet,
    ".arrow": _write_arrow,
    ".feather": _write_arrow,
}
