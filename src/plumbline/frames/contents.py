"""What was counted already: files by what is in them, so that none counts twice by mistake."""

import hashlib
from collections.abc import Mapping, Sequence

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.predictions import TableSource
from plumbline.predictions.remote import RemoteFile
from plumbline.predictions.sources import damaged

DIGITS = 32  # 128 bits: two of a million million files agree by accident with probability 1e-15
CHUNK = 1 << 20  # bytes that are read at once
Contents = Mapping[str, str]  # digest of what a file holds -> its name when it was counted


def contents_of(sources: Sequence[TableSource], *, again: bool = False) -> dict[str, str]:
    """Return what files hold, by digest; refuse two that hold the same unless it counts `again`."""
    held: dict[str, str] = {}
    for source in sources:
        more = {digest_of(source): name_of(source)}
        need_new(held, more, again=again)
        held |= more
    return held


def name_of(source: TableSource) -> str:
    """Return what a file is called in a state: as it was named, without the keys of an address."""
    if isinstance(source.path, RemoteFile):
        return source.path.shown
    return source.name if source.path is None else str(source.path)


def digest_of(source: TableSource) -> str:
    """Return hexadecimal digits made of the bytes of a file, uncompressed.

    So name, folder, date and compression of a text file do not matter.
    """
    import pyarrow as pa

    made = hashlib.blake2b(digest_size=DIGITS // 2)
    try:
        with source.stream() as stream:
            while chunk := stream.read(CHUNK):
                made.update(chunk)
    except (pa.ArrowException, OSError) as error:
        raise damaged(source, error) from error
    return made.hexdigest()


def need_new(held: Contents, more: Contents, *, again: bool = False) -> None:
    """Refuse rows of a file that were counted before, unless they are to count `again`."""
    repeated = [digest for digest in more if digest in held]
    if not repeated or again:
        return
    new, old = [[names[digest] for digest in repeated] for names in (more, held)]
    called = "" if new == old else f" as {shown(old, 3)}"
    raise InputError(
        f"the rows of {shown(new, 3)} are counted already{called}, and each file counts once",
        code="counted-already",
        remedy="leave it out, or let it count twice: plumbline state merge STATE ... --again",
    )
