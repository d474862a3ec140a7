"""The folder of one server for the files that pages send; it goes with the server.

A server that is killed cannot clean up, so the next one does. A lock, which the system gives back
when its holder ends, tells whether a folder is still somebody's; a process number would not, for
numbers are reused, also in other containers.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "plumbline-"
LOCK = "lock"
PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Plumbline</title>'
    '<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={0}">'
    '</head><body><p>The workbench is at <a href="{0}">{0}</a>.</p></body></html>\n'
)


class Folder:
    """A private folder, locked for as long as its server lives."""

    def __init__(self) -> None:
        sweep(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._files = 0
        self._lock = os.open(self.path / f"new {LOCK}", os.O_CREAT | os.O_RDWR, 0o600)
        if _locked(self._lock):  # named only now, so that nobody takes it for a dead server's
            (self.path / f"new {LOCK}").rename(self.path / LOCK)

    def new(self, ending: str) -> Path:
        """Return a path that nothing has yet; `ending` is one of a fixed list."""
        self._files += 1
        return self.path / f"{self._files}{ending}"

    def way_to(self, address: str) -> Path:
        """Write a page that only this user can read and that leads to an address."""
        path = self.path / "workbench.html"
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(PAGE.format(address), encoding="utf-8")
        return path

    def remove(self) -> None:
        """Leave nothing on the disk."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self.path, ignore_errors=True)


def sweep(base: Path) -> None:
    """Remove the folders of this user's servers that have ended without doing so themselves."""
    if not hasattr(os, "getuid"):
        return
    for folder in base.glob(f"{PREFIX}*-*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or folder.lstat().st_uid != os.getuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if _locked(lock):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked(file: int) -> bool:
    """Take the lock of an open file; tell whether it was free."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):  # no such locks here, or somebody has it
        return False
    return True
