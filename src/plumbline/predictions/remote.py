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
_STATUS = re.compile(r"HTTP status (\d+)")
_UNKNOWN_HOST = re.compile(r"resolve host: ([^\s),]+)")
_NO_SERVER = re.compile(r"Failed to connect to ([\w.:-]+\w)(?: port (\d+))?")
_NO_ANSWER = re.compile(r"NETWORK_CONNECTION|curlCode|timed? ?out", re.IGNORECASE)
_CLIENT = re.compile(r"^(When .*?: )?(AWS Error .*? operation: )?")  # what the client was at
ADDRESS = {
    "s3": "AWS_ENDPOINT_URL and AWS_DEFAULT_REGION, or endpoint_override= and region= after ?",
    "abfs": "the account in the URI",
    "hdfs": "the host and port in the URI",
}


def is_remote(name: Any) -> bool:
    """Tell whether a name is a URI.

    >>> is_remote("s3://bucket/scores.parquet"), is_remote("scores.parquet")
    (True, False)
    """
    return isinstance(name, RemoteFile) or (isinstance(name, str) and bool(_URI.match(name)))


@dataclass(frozen=True, slots=True)
class _Entry:
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

    def __init__(self, uri: str, entry: _Entry | None = None) -> None:
        if sys.version_info >= (3, 12):
            super().__init__(_split(uri)[1])
        self.uri, self._entry = uri, entry

    def __str__(self) -> str:
        return self.uri

    def __reduce__(self) -> tuple[Any, ...]:
        return RemoteFile, (self.uri,)

    def absolute(self) -> "RemoteFile":
        """Return the same: no URI depends on the working folder."""
        return self

    def is_dir(self) -> bool:
        """Tell whether it is a folder."""
        return self.entry.is_folder

    @property
    def shown(self) -> str:
        """The URI without the keys and tokens that it may hold."""
        scheme, entry, _ = _split(self.uri)
        return f"{scheme}://{entry.rpartition('@')[2]}"

    @property
    def entry(self) -> _Entry:
        """Where it is; InputError where it is not, or where the store does not answer."""
        if self._entry is None:
            self._entry = _found(self)
        return self._entry

    def opened(self) -> "pa.NativeFile":
        """Return the file, of which any part can be read."""
        entry = self.entry
        with _answers(self):
            return entry.store.open_input_file(entry.key)

    def stream(self) -> "pa.NativeFile":
        """Return the bytes of the file from the first to the last."""
        entry = self.entry
        with _answers(self):
            return entry.store.open_input_stream(entry.key, compression=None, buffer_size=AT_ONCE)

    def below(self) -> "list[RemoteFile]":
        """Return the files of a folder and of those in it."""
        entry = self.entry
        with _answers(self):
            infos = _listed(entry.store, entry.key, recursive=True)
        return [_inside(self, entry, info) for info in infos if info.is_file]


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
    entry = folder.entry
    with _answers(folder):
        infos = _matches(entry.store, entry.key, parts[plain:])
    if not infos:
        raise InputError(f"no file matches {quoted(RemoteFile(uri).shown)}", code="no-such-file")
    return [_inside(folder, entry, info) for info in infos]


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
        need_extra("aiohttp", "https", "a file on a web server")
        fsspec: Any = need_extra("fsspec", "https", "a file on a web server")
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


def _found(file: RemoteFile) -> _Entry:
    store, key = _store(file)
    with _answers(file):
        info = store.get_file_info(key)
    if info.type.name == "NotFound":
        raise _not_on_web(file, store) if _split(file.uri)[0] in WEB else _missing(file, store, key)
    return _Entry(store, key, info.size or 0, not info.is_file)


def _missing(file: RemoteFile, store: "fs.FileSystem", key: str) -> InputError:
    """Say what is missing: the bucket, or the file in it."""
    scheme = _split(file.uri)[0]
    bucket, _, rest = key.partition("/")
    folder = key.rpartition("/")[0]
    what, near = f"file {quoted(file.shown)}", ""
    with suppress(OSError):  # who may read a file need not be allowed to list its neighbours
        if scheme in BUCKETS and (not rest or store.get_file_info(bucket).type.name == "NotFound"):
            what = f"bucket {quoted(bucket)} for {quoted(file.shown)}"
        else:
            names = [info.base_name for info in _listed(store, folder)][:1000]
            near = near_names(file.name, names)
    return InputError(f"there is no {what}{near}", code="no-such-file")


def _not_on_web(file: RemoteFile, store: "fs.FileSystem") -> InputError:
    """Say why a web server gives no file, which pyarrow does not."""
    try:
        store.handler.fs.info(file.uri)
        why: BaseException | None = None
    except OSError as error:
        why = error.__cause__ or error
    status = getattr(why, "status", None)
    if status in (401, 403):
        return _denied(file)
    if status in (404, 410):
        return InputError(f"there is no file {quoted(file.shown)}", code="no-such-file")
    if status is not None:
        return _refused(file, status, "check the address")
    host = file.shown.split("/")[2]
    remedy = "check the network and the address"
    return _no_connection(file, f"the server {quoted(host)} does not answer", remedy)


@contextmanager
def _answers(file: RemoteFile) -> Iterator[None]:
    """Raise what a store refuses as an InputError of one sentence."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise _refusal(file, error) from error


def _refusal(file: RemoteFile, error: Exception) -> InputError:
    """Return what a store refuses, without the words of its client."""
    text = str(error)
    if _DENIED.search(text):
        return _denied(file)
    address = ADDRESS.get(_split(file.uri)[0], "the URI")
    check = f"check the network and the address ({address})"
    if unknown := _UNKNOWN_HOST.search(text):
        return _no_connection(file, f"no server has the name {quoted(unknown[1])}", check)
    if silent := _NO_SERVER.search(text):
        server = ":".join(filter(None, silent.groups()))
        return _no_connection(file, f"the server {quoted(server)} does not answer", check)
    if status := _STATUS.search(text):
        return _refused(file, int(status[1]), f"check region and address ({address})")
    if _NO_ANSWER.search(text):
        return _no_connection(file, "the server does not answer", check)
    why = _CLIENT.sub("", one_line(error)).replace(file.uri, file.shown)
    return _no_connection(file, why)


def _refused(file: RemoteFile, status: int, remedy: str) -> InputError:
    """Say what a server answers; statuses from 500 on are faults of its own."""
    if status >= 500:
        remedy = "try again later, or ask who runs the server"
    return _no_connection(file, f"the server answers with HTTP status {status}", remedy)


def _denied(file: RemoteFile) -> InputError:
    keys = "of S3 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
    remedy = f"give credentials that may read it, as for other programs ({keys})"
    if _split(file.uri)[0] in WEB:
        remedy = "give a URI with the right to read it, such as a signed one, or a copy of the file"
    return InputError(
        f"access to {quoted(file.shown)} is denied: credentials are missing or may not read it",
        code="access-denied",
        remedy=remedy,
    )


def _no_connection(file: RemoteFile, why: str, remedy: str | None = None) -> InputError:
    return InputError(
        f"{quoted(file.shown)} cannot be read: {why}", code="no-connection", remedy=remedy
    )


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


def _inside(folder: RemoteFile, entry: _Entry, info: "fs.FileInfo") -> RemoteFile:
    """Return what was found in a folder, under its own URI."""
    scheme, name, options = _split(folder.uri)
    rest = info.path.removeprefix(entry.key.rstrip("/"))
    own = _Entry(entry.store, info.path, info.size or 0, not info.is_file)
    return RemoteFile(f"{scheme}://{name.rstrip('/')}{rest}{options}", own)
