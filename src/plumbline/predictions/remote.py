"""Files in object stores and on web servers, which a URI names: s3://bucket/scores.parquet."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import has_magic
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from plumbline._checks import near_names, need_extra, shown
from plumbline.errors import InputError
from plumbline.formatting import one_line, quoted

if sys.platform == "win32":
    from pathlib import WindowsPath as LocalPath
else:
    from pathlib import PosixPath as LocalPath
if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import fs

STORES = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs")  # pyarrow reads them by itself
BUCKETS = ("s3", "gs", "gcs")  # the first part of a name is a bucket
WEB = ("http", "https")  # fsspec reads them
AT_ONCE = 1 << 20  # bytes that one request of a stream asks for
_URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://([^?]*)(.*)", re.DOTALL)
_DENIED = re.compile(r"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|[Ff]orbidden|denied|\b40[13]\b")


def is_remote(name: Any) -> bool:
    """Tell whether a name is a URI.

    >>> is_remote("s3://bucket/scores.parquet"), is_remote("scores.parquet")
    (True, False)
    """
    return isinstance(name, RemoteFile) or (isinstance(name, str) and bool(_URI.match(name)))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file or folder is: a file system of pyarrow, the name there, and the bytes."""

    store: "fs.FileSystem"
    key: str
    size: int
    is_folder: bool


class RemoteFile(LocalPath):
    """The path of a file or folder elsewhere; its text is the URI.

    Only the URI is sent to other processes, which reach the file with their own credentials.
    """

    def __new__(cls, uri: str, *_: Any) -> Self:
        """Return a path with the parts of the URI."""
        return super().__new__(cls, _split(uri)[1])

    def __init__(self, uri: str, place: _Place | None = None) -> None:
        if sys.version_info >= (3, 12):
            super().__init__(_split(uri)[1])
        self.uri, self._place = uri, place

    def __str__(self) -> str:
        return self.uri

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteFile, (self.uri,)

    def absolute(self) -> "RemoteFile":
        """Return the same: no URI depends on the working folder."""
        return self

    def is_dir(self) -> bool:
        """Tell whether it is a folder."""
        return self.place.is_folder

    @property
    def shown(self) -> str:
        """The URI without the keys and tokens that it may hold."""
        scheme, place, _ = _split(self.uri)
        return f"{scheme}://{place.rpartition('@')[2]}"

    @property
    def place(self) -> _Place:
        """Where it is; InputError where it is not, or where the store does not answer."""
        if self._place is None:
            self._place = _found(self)
        return self._place

    def opened(self) -> "pa.NativeFile":
        """Return the file, of which any part can be read."""
        return self.place.store.open_input_file(self.place.key)

    def stream(self) -> "pa.NativeFile":
        """Return the bytes of the file from the first to the last."""
        place = self.place
        return place.store.open_input_stream(place.key, compression=None, buffer_size=AT_ONCE)

    def below(self) -> "list[RemoteFile]":
        """Return the files of a folder and of those in it."""
        place = self.place
        with _answers(self):
            infos = _listed(place.store, place.key, recursive=True)
        return [_inside(self, place, info) for info in infos if info.is_file]


def remote_matching(uri: str) -> list[RemoteFile]:
    """Return the file or folder at a URI, or those that a pattern matches.

    In a pattern * and [...] stand in parts of the name, and ** for folders of any depth; what
    follows ? are options of the store.
    """
    scheme, name, options = _split(uri)
    parts = name.split("/")
    plain = next((i for i, part in enumerate(parts) if has_magic(part)), len(parts))
    if scheme in WEB or plain == len(parts):
        return [RemoteFile(uri)]
    folder = RemoteFile(f"{scheme}://{'/'.join(parts[:plain])}{options}")
    place = folder.place
    with _answers(folder):
        infos = _matches(place.store, place.key, parts[plain:])
    if not infos:
        raise InputError(f"no file matches {quoted(RemoteFile(uri).shown)}", code="no-such-file")
    return [_inside(folder, place, info) for info in infos]


def _split(uri: str) -> tuple[str, str, str]:
    """Return the scheme of a URI, the name that follows it, and the options from "?" on."""
    match = _URI.match(uri)
    if match is None:  # a part of a path, which Python makes by itself
        return "", uri, ""
    scheme, name, options = match.groups()
    return scheme.lower(), name, options


def _store(file: RemoteFile) -> "tuple[fs.FileSystem, str]":
    """Return the file system of a URI, and the name there."""
    from pyarrow import fs

    scheme, name, options = _split(file.uri)
    if scheme in WEB:
        need_extra("aiohttp", "https", "files on web servers")
        fsspec: Any = need_extra("fsspec", "https", "files on web servers")
        return fs.PyFileSystem(fs.FSSpecHandler(fsspec.filesystem(scheme))), file.uri
    if scheme not in STORES:
        raise InputError(
            f"{quoted(file.shown)} begins with {scheme}://, and "
            f"{shown(f'{known}://' for known in (*STORES, *WEB))} are read",
            code="unknown-store",
            remedy="copy the file to this machine, or open it as a data frame and pass that",
        )
    access, at, key = name.rpartition("@") if "@" in name.partition("/")[0] else ("", "", name)
    with _answers(file):
        store, key = fs.FileSystem.from_uri(f"{scheme}://{access}{at}{quote(key)}{options}")
    return store, key


def _found(file: RemoteFile) -> _Place:
    store, key = _store(file)
    with _answers(file):
        info = store.get_file_info(key)
    if info.type.name == "NotFound":
        raise InputError(_missing(file, store, key), code="no-such-file")
    return _Place(store, key, info.size or 0, not info.is_file)


def _missing(file: RemoteFile, store: "fs.FileSystem", key: str) -> str:
    """Say what is missing: the bucket, or the file in it."""
    scheme = _split(file.uri)[0]
    if scheme in WEB:
        return f"there is no file {quoted(file.shown)}, or the server does not answer"
    bucket, _, rest = key.partition("/")
    folder = key.rpartition("/")[0]
    near = ""
    with suppress(OSError):  # who may read a file need not be allowed to list its neighbours
        if scheme in BUCKETS and (not rest or store.get_file_info(bucket).type.name == "NotFound"):
            return f"there is no bucket {quoted(bucket)} for {quoted(file.shown)}"
        near = near_names(file.name, [info.base_name for info in _listed(store, folder)][:1000])
    return f"there is no file {quoted(file.shown)}{near}"


@contextmanager
def _answers(file: RemoteFile) -> Iterator[None]:
    """Raise what a store refuses as an InputError of one sentence."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        why = one_line(error).replace(file.uri, file.shown)
        if _DENIED.search(why):
            raise InputError(
                f"access to {quoted(file.shown)} is denied: {why}",
                code="access-denied",
                remedy="give credentials as for other programs (of S3 AWS_ACCESS_KEY_ID and "
                "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE), which must allow to read it",
            ) from error
        raise InputError(
            f"{quoted(file.shown)} cannot be read: {why}", code="no-connection"
        ) from error


def _listed(store: "fs.FileSystem", key: str, *, recursive: bool = False) -> "list[fs.FileInfo]":
    from pyarrow import fs

    selector = fs.FileSelector(key, allow_not_found=True, recursive=recursive)
    return sorted(store.get_file_info(selector), key=lambda info: info.path)


def _matches(store: "fs.FileSystem", key: str, pattern: Sequence[str]) -> "list[fs.FileInfo]":
    """Return what is in a folder under names that match the parts of a pattern."""
    first, *rest = pattern
    found: dict[str, fs.FileInfo] = {}
    if first == "**":
        infos = _listed(store, key, recursive=True)
        within = [key, *(info.path for info in infos if not info.is_file)]
        if not rest:
            return [info for info in infos if info.is_file]
        for folder in within:
            found |= {info.path: info for info in _matches(store, folder, rest)}
        return [found[path] for path in sorted(found)]
    infos = [info for info in _listed(store, key) if fnmatchcase(info.base_name, first)]
    if not rest:
        return infos
    return [one for info in infos if not info.is_file for one in _matches(store, info.path, rest)]


def _inside(folder: RemoteFile, place: _Place, info: "fs.FileInfo") -> RemoteFile:
    """Return what was found in a folder, under its own URI."""
    scheme, name, options = _split(folder.uri)
    rest = info.path.removeprefix(place.key.rstrip("/"))
    own = _Place(place.store, info.path, info.size or 0, not info.is_file)
    return RemoteFile(f"{scheme}://{name.rstrip('/')}{rest}{options}", own)
