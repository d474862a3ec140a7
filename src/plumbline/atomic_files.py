"""Files that are written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plumbline.errors import InputError
from plumbline.formatting import quoted


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
    """Let `write` fill a temporary file beside `path`, then rename it: all of it or nothing."""
    need_place(path)
    target = path.resolve()  # what a link points to is written, and the link stays
    temporary = target.with_name(f".plumbline-{os.urandom(8).hex()}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        write(temporary)
        temporary.replace(target)
    except OSError as error:
        raise InputError(
            f"{quoted(str(path))} cannot be written: {error.strerror or error}", code="not-writable"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
