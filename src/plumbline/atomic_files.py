"""Files that are written whole or not at all, keep their permissions, and have one writer."""

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plumbline.errors import InputError
from plumbline.formatting import quoted

TEMPORARY = ".plumbline-"
STALE_SECONDS = 24 * 60 * 60  # no file stays open for writing a day without a word in it
POLL_SECONDS = 0.05  # between two tries for a lock: short for a person, nothing for a processor


def need_place(path: Path) -> None:
    """Refuse a path at which no file can be written, before the work and not after it."""
    if not path.parent.is_dir():
        raise InputError(
            f"there is no folder {quoted(str(path.parent))} to write {quoted(path.name)} into; "
            "create it first",
            code="no-such-folder",
        )
    if path.is_dir():
        raise InputError(f"{quoted(str(path))} is a folder; name a file in it", code="not-a-file")
    if path.exists() and not path.is_file():  # renaming onto /dev/null would replace the device
        raise InputError(
            f"{quoted(str(path))} is not an ordinary file; write to one", code="not-a-file"
        )


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it: all of it or nothing.

    A file that was there keeps its permissions, and its owner and group where the system allows it;
    a new one has those that the user's umask gives.
    """
    temporary: Path | None = None
    try:
        need_place(path)
        target = path.resolve()  # what a link points to is written, and the link stays
        temporary = target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
        before = _status(target)
        # Private to the user until it has the permissions of the file that it replaces.
        mode = 0o666 if before is None else 0o600
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        write(temporary)
        if before is not None:
            _keep_access(temporary, before)
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"{quoted(str(path))} cannot be written: {error.strerror or error}", code="not-writable"
        ) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):  # it must not hide what went wrong before
                temporary.unlink(missing_ok=True)
            _sweep(temporary.parent)


def _sweep(folder: Path) -> None:
    """Remove what writers left that were killed so that they could not."""
    with contextlib.suppress(OSError):
        for left in folder.glob(f"{TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > STALE_SECONDS:
                    left.unlink()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _keep_access(path: Path, before: os.stat_result) -> None:
    """Give a file the owner, group and permissions of the one that it replaces.

    Where the group cannot be kept, another one gets no more than everybody has.
    """
    mode = stat.S_IMODE(before.st_mode)
    if sys.platform != "win32":
        now = path.stat()
        for user, group in ((before.st_uid, -1), (-1, before.st_gid)):
            if user not in (-1, now.st_uid) or group not in (-1, now.st_gid):
                with contextlib.suppress(PermissionError):  # only root gives files away
                    os.chown(path, user, group)
        if path.stat().st_gid != before.st_gid:
            mode &= ~stat.S_IRWXG | (mode & stat.S_IRWXO) << 3
    path.chmod(mode)


@contextlib.contextmanager
def one_writer(path: Path, *, waiting: Callable[[], Any], patience: float = 1.0) -> Iterator[None]:
    """Hold off other processes that write `path` in this way, and wait until they have done so.

    The lock is the system's, on a file beside `path`: it ends with the process that holds it,
    however that ends. `waiting` is called once after `patience` seconds.

    Raises
    ------
    InputError
        Where no file can be written or locked.
    """
    need_place(path)
    target = path.resolve()
    beside = target.with_name(f".{target.name}.lock")
    try:
        held = _locked(beside, waiting, patience)
    except OSError as error:
        raise InputError(
            f"{quoted(str(path))} cannot be locked: {error.strerror or error}", code="not-writable"
        ) from error
    try:
        yield
    finally:
        _let_go(held, beside)


def _locked(beside: Path, waiting: Callable[[], Any], patience: float) -> int:
    """Return the open file whose lock this process has now."""
    begin: float | None = time.monotonic()
    while True:
        file = _opened(beside)
        try:
            if _take(file) and _is_at(file, beside):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        if begin is not None and time.monotonic() - begin > patience:
            waiting()
            begin = None
        time.sleep(POLL_SECONDS)


def _opened(path: Path) -> int:
    """Open the file of a lock; one that another user's process left is enough to read."""
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
    except PermissionError:
        if not path.exists():
            raise
        return os.open(path, os.O_RDONLY)


if sys.platform == "win32":

    def _take(file: int) -> bool:
        """Take the lock of an open file; tell whether it was free."""
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _is_at(_file: int, _path: Path) -> bool:
        """Tell that a file is still the one of its name: an open one cannot be removed."""
        return True

    def _let_go(file: int, path: Path) -> None:
        """Give the lock back, and remove its file unless somebody waits for it."""
        os.close(file)
        with contextlib.suppress(OSError):
            path.unlink()

else:

    def _take(file: int) -> bool:
        """Take the lock of an open file; tell whether it was free."""
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_at(file: int, path: Path) -> bool:
        """Tell whether a file is still the one of its name: who had the lock removed it."""
        try:
            return os.path.samestat(os.fstat(file), path.stat())
        except FileNotFoundError:
            return False

    def _let_go(file: int, path: Path) -> None:
        """Remove the file of the lock, then give the lock back."""
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(file)
