"""Where a prediction table is read from: files here or elsewhere, folders, patterns, streams."""

import glob
import io
import os
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import near_names, shorten, shown
from plumbline.errors import InputError, ParameterError, warn
from plumbline.file_endings import (
    ARCHIVES,
    BINARY,
    CODECS,
    TABLE_ENDINGS,
    TABLE_FORMATS,
    split_ending,
)
from plumbline.formatting import one_line, quoted
from plumbline.predictions.labels import repeated
from plumbline.predictions.remote import RemoteFile, is_remote, remote_matching

if TYPE_CHECKING:
    import pyarrow as pa

HEAD = 1 << 16  # bytes that tell format and dialect
STDIN = "standard input"
PACKED = {b"\x1f\x8b": "gzip", b"(\xb5/\xfd": "zstd", b"BZh": "bz2"}
MAGIC = {
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"FEA1": ".feather",
    b"PK\x03\x04": ".zip",
    b"\xff\xff\xff\xff": ".arrow",  # a stream of batches
}
ZIP = ".zip"
INSIDE = {"[Content_Types].xml": ".xlsx", "header.json": ".eval"}  # files of archives
ENCODINGS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


@dataclass(frozen=True, slots=True, eq=False)
class TableSource:
    """One file, or the bytes of one stream.

    Attributes
    ----------
    name : what messages call it
    format : its format as an ending, such as ".csv"
    codec : how it is compressed, None where it is not
    path : the file; None of a stream
    content : the bytes of a stream
    columns : of a Parquet file, those that are read; None of all
    """

    name: str
    format: str
    codec: str | None
    path: Path | None = None
    content: bytes = b""
    columns: tuple[str, ...] | None = None

    @property
    def is_text(self) -> bool:
        """Tell whether lines of text hold the rows."""
        return self.format not in (*BINARY, *ARCHIVES)

    @property
    def size(self) -> int:
        """Number of bytes, compressed as they are."""
        if self.path is None:
            return len(self.content)
        return (
            self.path.entry.size if isinstance(self.path, RemoteFile) else self.path.stat().st_size
        )

    def held(self) -> "TableSource":
        """Return the same with its bytes in memory, if it lies elsewhere."""
        if not isinstance(self.path, RemoteFile):
            return self
        with self.path.stream() as stream:
            return replace(self, path=None, content=stream.read())

    def native(self) -> Any:
        """Return what the readers of pyarrow open, compressed as it is."""
        import pyarrow as pa

        if self.path is None:
            return pa.BufferReader(self.content)
        return self.path.opened() if isinstance(self.path, RemoteFile) else str(self.path)

    def stream(self) -> "pa.NativeFile":
        """Return the bytes, uncompressed."""
        import pyarrow as pa

        if isinstance(self.path, RemoteFile):
            opened = self.path.stream()
        else:
            opened = self.native() if self.path is None else pa.OSFile(str(self.path))
        return opened if self.codec is None else pa.CompressedInputStream(opened, self.codec)

    def head(self, size: int = HEAD) -> bytes:
        """Return the first bytes, uncompressed."""
        with self.stream() as stream:
            return bytes(stream.read(size))

    @contextmanager
    def lines(self, newline: str = "\n") -> Iterator[io.TextIOWrapper]:
        """Open the lines of a text; a byte that is no text is refused with its line."""
        encoding = encoding_of(self.head(4))
        with (
            self.stream() as stream,
            io.TextIOWrapper(io.BufferedReader(stream), encoding, newline=newline) as lines,
        ):
            try:
                yield lines
            except UnicodeDecodeError as error:
                raise not_decoded(self, encoding) from error


def sources_of(given: Any) -> list[TableSource]:
    """Return the sources that a user names: a file, a pattern, several of these, or a stream.

    Raises ParameterError for what names no file, InputError for a file that cannot be read.
    """
    several = isinstance(given, Sequence) and not isinstance(given, (str, bytes, bytearray))
    items: list[Any] = []
    for one in given if several and len(given) else [given]:
        if isinstance(one, TableSource):
            items.append(one)
        elif isinstance(one, (str, os.PathLike)):
            items += _matching(one)
        elif callable(getattr(one, "read", None)):
            items.append(one)
        else:
            raise ParameterError(
                argument="path",
                rule="the name of a file, a list of names or a stream of bytes",
                arrived=type(given).__name__,
                remedy="arrays go through Predictions.from_arrays(y_true, y_prob), data frames "
                "through Predictions.from_frame(frame)",
                code="wrong-kind",
            )
    _refuse_twice([item for item in items if isinstance(item, Path)])
    return [_source_of(item) for item in items]


def _source_of(item: Any) -> TableSource:
    if isinstance(item, TableSource):
        return item
    return _of_file(item) if isinstance(item, Path) else _of_stream(item)


def files_named(names: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return files by their names, of which some may be folders, or patterns as ``part-*.csv``.

    A file whose own name looks like a pattern is that file. Raises InputError for a pattern that
    matches no file, and for a folder without tables.
    """
    return [path for name in names for path in _matching(name)]


def _refuse_twice(files: Sequence[Path]) -> None:
    twice = [str(path) for path in dict.fromkeys(files) if files.count(path) > 1]
    if twice:
        raise InputError(
            f"{shown(twice)} is named twice, so its rows would count twice; name every file once",
            code="repeated-file",
        )


def _matching(name: str | os.PathLike[str]) -> list[Path]:
    """Return the file of a name, the tables of a folder, or what a pattern matches."""
    found: Sequence[Path]
    if is_remote(name):
        found = remote_matching(str(name))
    else:
        path = Path(name)
        alone = not glob.has_magic(str(path)) or os.path.lexists(path)
        names = [str(path)] if alone else sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207
        if not names:
            raise InputError(
                f"no file matches {shorten(str(path), 200)}{_here(path)}", code="no-such-file"
            )
        found = [Path(name) for name in names]
    return [file for path in found for file in (_tables_in(path) if is_folder(path) else [path])]


def is_folder(path: Path) -> bool:
    """Tell whether a path is that of a folder; a name that no file can have is none."""
    return path.is_dir() if isinstance(path, RemoteFile) else os.path.isdir(path)  # noqa: PTH112


def _tables_in(folder: Path) -> list[Path]:
    """Return the tables of a folder and of those in it, but hidden ones and those of "_..."."""
    files: Sequence[Path]
    if isinstance(folder, RemoteFile):
        files = folder.below()
    else:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
    depth = len(folder.parts)
    tables = [
        file
        for file in files
        if "".join(split_ending(file.name)) in TABLE_ENDINGS
        and not any(part.startswith((".", "_")) for part in file.parts[depth:])
    ]
    named = shorten(str(folder), 200)
    if not tables:
        raise InputError(
            f"{named} is a folder without tables; name a file, or a folder that holds some",
            code="no-ordinary-file",
        )
    forms = {split_ending(file.name)[0] for file in tables}
    if len(forms) > 1:
        raise InputError(
            f"the folder {named} holds tables of several formats, {shown(sorted(forms))}, which "
            "may be the same rows; name those to read, as in folder/*.parquet",
            code="several-formats",
        )
    divided = {part for file in tables for part in file.parts[depth:-1] if "=" in part}
    if divided:
        warn(
            f"names of folders are not read as columns: {shown(sorted(divided), 3)}",
            code="folder-names-not-read",
        )
    return tables


def _of_file(path: Path) -> TableSource:
    form, packed = split_ending(path.name)
    named = shorten(path.shown if isinstance(path, RemoteFile) else str(path), 200)
    _refuse_unreadable(path, named)
    if form + packed not in TABLE_ENDINGS:
        raise InputError(
            f"{shorten(path.name)} must end in {', '.join(TABLE_FORMATS)}, text files also with "
            f".gz, .zst or .bz2, got {quoted((form + packed) or 'no ending')}",
            code="unknown-format",
            remedy="save the table in one of these formats, or unpack it",
        )
    return TableSource(named, form, CODECS.get(packed), path)


def _of_stream(stream: Any) -> TableSource:
    """Return all that a stream holds; its first bytes tell what it is."""
    name = STDIN if getattr(stream, "name", None) == "<stdin>" else "the stream"
    content = stream.read()
    if not isinstance(content, bytes):
        raise ParameterError(
            argument="path",
            rule="a stream of bytes",
            arrived=f"one of {type(content).__name__}",
            remedy="open the file with mode 'rb', or take sys.stdin.buffer",
            code="wrong-kind",
        )
    if not content:
        raise InputError(f"{name} is empty (0 bytes)", code="empty-file")
    codec = next((codec for magic, codec in PACKED.items() if content.startswith(magic)), None)
    packed = TableSource(name, ".csv", codec, content=content)
    try:
        head = packed.head()
    except OSError as error:
        raise damaged(packed, error) from error
    form = next((form for magic, form in MAGIC.items() if head.startswith(magic)), None)
    if form is None:
        begin = head.decode(encoding_of(head), "replace").lstrip()
        form = _json_form(begin) if begin.startswith(("{", "[")) else ".csv"
    if form == ZIP:
        form = _form_of_archive(content)
    if form in (*BINARY, *ARCHIVES) and codec is not None:
        raise InputError(
            f"{name} is {form[1:]} inside {codec}; unpack it first", code="unknown-format"
        )
    return TableSource(name, form, codec, content=content)


def _form_of_archive(content: bytes) -> str:
    """Return the form of a zip file by the names in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        names = []
    known = next((form for name, form in INSIDE.items() if name in names), "")
    if not known and names and all(name.endswith(".npy") for name in names):
        known = ".npz"
    if not known:
        raise InputError(
            "the stream is a zip file that holds no table", code="unknown-format",
            remedy="unpack it first",
        )  # fmt: skip
    return known


def _json_form(begin: str) -> str:
    """Return ".jsonl" where the first line is an object and others follow, else ".json"."""
    first, _, rest = begin.partition("\n")
    lines = first.startswith("{") and first.rstrip().endswith("}") and rest.strip()
    return ".jsonl" if lines else ".json"


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a text name: UTF-8 unless they name another."""
    return next((name for mark, name in ENCODINGS.items() if head.startswith(mark)), "utf-8-sig")


def not_decoded(source: TableSource, encoding: str, where: str = "") -> InputError:
    """Return the refusal of a text that is not in its encoding, with the first line of that."""
    text = encoding.removesuffix("-sig").upper()
    if encoding == "utf-8-sig":
        with source.stream() as stream:
            for number, line in enumerate(stream.read().split(b"\n"), start=1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    where = f" (line {number}{where and where + ' no character has'})"
                    break
    return InputError(
        f"{source.name} is not {text} text{where}; save it as UTF-8", code="not-utf-8"
    )


def need_columns(source: TableSource, count: int, most: int) -> None:
    """Count the columns before anything is read: each takes time and memory, however short."""
    if count > most:
        raise InputError(
            f"{source.name} has {count:,} columns, but at most {most:,} are read; keep those that "
            "are needed (are rows and columns swapped?)",
            code="too-many-columns",
        )


def refuse_repeated(source: TableSource, names: Sequence[str]) -> None:
    """Refuse a header that names two columns alike."""
    twice = repeated(names)
    if twice:
        raise InputError(
            f"{source.name} has several columns named {shown(twice)}; rename or drop all but one",
            code="repeated-columns",
        )


def damaged(source: TableSource, error: BaseException) -> InputError:
    """Return the refusal of a source that its reader could not read."""
    lost = "the connection was lost, " if isinstance(source.path, RemoteFile) else ""
    return InputError(
        f"{source.name} cannot be read as {format_name(source)}: {one_line(error)}; {lost}it is "
        "damaged, or its name has the wrong ending",
        code="unreadable-file",
    )


def format_name(source: TableSource) -> str:
    """Return what the format of a source is called in messages."""
    packed = "" if source.codec is None else f" inside {source.codec}"
    return f"{source.format[1:]}{packed}"


def _refuse_unreadable(path: Path, named: str) -> None:
    if isinstance(path, RemoteFile):
        size = path.entry.size
    else:
        try:
            size = path.stat().st_size
        except (OSError, ValueError) as error:
            dead = isinstance(error, FileNotFoundError) and path.is_symlink()
            text = f"{named} is a link to a file that is not there" if dead else None
            raise InputError(text or _no_file(path, named), code="no-such-file") from error
        if not path.is_file():
            raise InputError(
                f"{named} is not an ordinary file; save the table to one first",
                code="no-ordinary-file",
            )
    if size == 0:
        raise InputError(f"{named} is empty (0 bytes); write the table again", code="empty-file")


def _no_file(path: Path, named: str) -> str:
    if not path.parent.is_dir():
        folder = shorten(str(path.parent), 200)
        return f"there is no folder {folder}, so no file {shorten(path.name)} in it"
    near = near_names(path.name, sorted(p.name for p in path.parent.iterdir())[:1000])
    return f"there is no file {named}{_here(path)}{near}"


def _here(path: Path) -> str:
    return "" if path.is_absolute() else f"; the current folder is {shorten(str(Path.cwd()), 200)}"


def no_rows(files: Sequence[str], columns: Sequence[str] = ()) -> InputError:
    """Return the refusal of files without rows, or of a table that is no file."""
    more = f" and {len(files) - 1:,} more" if len(files) > 1 else ""
    named = f"{files[0]}{more}" if files else "the table"
    only = f", only the columns {shown(columns)}" if columns else ""
    return InputError(
        f"{named} {'have' if more else 'has'} no rows{only}; there is nothing to evaluate",
        code="no-rows",
    )
