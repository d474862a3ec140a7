"""Templates as Jinja compiled them, kept beside them for the next process: 0.2 s of a report."""

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import BytecodeCache
from jinja2.bccache import bc_magic

from plumbline.atomic_files import write_whole
from plumbline.errors import InputError

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

DIGEST = 32  # bytes of sha256


class KeptTemplates(BytecodeCache):
    """Files in a folder, each with its digest: a damaged one is compiled anew, never run.

    Nothing is kept where the folder cannot be written, or where Python keeps no bytecode. `form` is
    all that a compiled template depends on besides its text and the version of Jinja.
    """

    def __init__(self, folder: Path, form: str) -> None:
        self.folder, self.form = folder, form

    def load_bytecode(self, bucket: "Bucket") -> None:
        """Fill the bucket from its file, if that is sound."""
        with suppress(OSError):
            kept = self._file(bucket).read_bytes()
            digest, content = kept[:DIGEST], kept[DIGEST:]
            if digest == self._digest(bucket, content):
                bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: "Bucket") -> None:
        """Write the bucket to its file, where that is possible."""
        if sys.dont_write_bytecode:
            return
        content = bucket.bytecode_to_string()
        with suppress(OSError, InputError):
            self.folder.mkdir(exist_ok=True)
            whole = self._digest(bucket, content) + content
            write_whole(self._file(bucket), lambda path: path.write_bytes(whole))

    def _file(self, bucket: "Bucket") -> Path:
        return self.folder / f"{bucket.key}.{sys.implementation.cache_tag}.bin"

    def _digest(self, bucket: "Bucket", content: bytes) -> bytes:
        known = (self.form, bucket.checksum, sys.version)
        return sha256("\n".join(known).encode() + bc_magic + content).digest()
