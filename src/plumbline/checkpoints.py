"""A map over pieces of work that survives being killed: finished blocks are kept on disk."""

import contextlib
import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline._distribution import installed_version
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError, warn
from plumbline.formatting import quoted
from plumbline.progress import Progress
from plumbline.workers import map_pieces

Key: TypeAlias = tuple[int, ...]
Array: TypeAlias = NDArray[Any]
# What a task returns: an array, or arrays by name; of numbers or text, never of objects.
Block = TypeVar("Block", bound=Array | Mapping[str, Array])

QUESTION = "question.json"
DIGEST = hashlib.sha256().digest_size
ALONE = "arr_0"  # numpy's name for an array without one


def run_blocks(
    task: Callable[[Key], Block],
    keys: Sequence[Key],
    *,
    question: Mapping[str, Any],
    folder: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[Key, Block]:
    """Return `task(key)` for every key, in the keys' order.

    A task returns an array, or a dictionary of arrays, of numbers or text. Its random numbers
    derive from its key, so the answer depends neither on `workers` (as in `map_pieces`) nor on how
    often a run was killed. With a `folder` each finished block is kept there beside the `question`,
    and a later call with the same question computes the others only, with those whose file is
    damaged or cannot be read, which a PlumblineWarning names.

    Raises InputError if the folder holds the blocks of another question, saying what differs.
    """
    # numpy's methods turn streams into numbers, so its version is part of the question.
    question = {**question, "plumbline": installed_version(), "numpy": np.__version__}
    known: dict[Key, Any] = {} if folder is None else _finished(folder, keys, question)
    waiting = [key for key in keys if key not in known]

    def keep(key: Key, value: Block) -> None:
        if folder is not None:
            _keep(folder, key, value, question)
        known[key] = value
        if progress is not None:
            progress(len(known), len(keys))

    if progress is not None:
        progress(len(known), len(keys))
    map_pieces(task, waiting, workers=workers, finished=keep)
    return {key: known[key] for key in keys}


def discard(folder: Path) -> None:
    """Remove the kept blocks, and the folder if nothing else is in it."""
    if not (folder / QUESTION).is_file():
        return
    ours = [*folder.glob("block-*.npz"), *folder.glob(".plumbline-*"), folder / QUESTION]
    for file in ours:
        if not file.is_dir():  # a folder is none of ours, whatever its name
            file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # a file of somebody else's stays, with the folder
        folder.rmdir()


def _file(folder: Path, key: Key) -> Path:
    return folder / f"block-{'-'.join(map(str, key))}.npz"


def _keep(
    folder: Path, key: Key, value: Array | Mapping[str, Array], question: Mapping[str, Any]
) -> None:
    """Write one block; the question goes first, so that no block is without it."""
    if not (folder / QUESTION).is_file():
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            text = f"the folder {quoted(str(folder))} cannot be created: {error.strerror}"
            raise InputError(text, code="not-writable") from error
        text = json.dumps(question, indent=2)
        write_whole(folder / QUESTION, lambda path: path.write_text(text, "utf-8"))

    named = dict(value) if isinstance(value, Mapping) else {ALONE: value}

    file, whole = _file(folder, key), io.BytesIO()
    np.savez(whole, allow_pickle=False, **named)
    content = whole.getvalue()
    if not file.is_dir():  # `_load` said that this one is not kept
        write_whole(file, lambda path: path.write_bytes(content + _digest(file, content)))


def _digest(file: Path, content: bytes) -> bytes:
    """Return the digest that stands behind a block; that of one under another name differs.

    numpy compares the checksums of an archive only where it reads a part to its end: a shape that
    became smaller would pass.
    """
    return hashlib.sha256(file.name.encode() + content).digest()


def _finished(folder: Path, keys: Sequence[Key], question: Mapping[str, Any]) -> dict[Key, Any]:
    """Load the finished blocks, if they belong to the same question."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    _need_same_question(folder, question)
    result = {key: _load(_file(folder, key)) for key in keys if _file(folder, key).exists()}
    return {key: block for key, block in result.items() if block is not None}


def _need_same_question(folder: Path, question: Mapping[str, Any]) -> None:
    remedy = f"remove the folder {quoted(str(folder))} or name another file to write"
    try:
        kept = dict(json.loads((folder / QUESTION).read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise InputError(
            f"{QUESTION} is missing or damaged, so nothing is known to continue; {remedy}",
            code="question-missing",
        ) from error
    requested = json.loads(json.dumps(question))
    names = [name for name in {**kept, **requested} if kept.get(name) != requested.get(name)]
    if names:
        first = names[0]
        raise InputError(
            f"an unfinished run has other options: {', '.join(names)} (there {first} = "
            f"{shorten(kept.get(first))}, here {shorten(requested.get(first))}); finish it with "
            f"its own options, {remedy}",
            code="question-changed",
        )


def _load(file: Path) -> Array | dict[str, Array] | None:
    """Return a kept block, or None if it is damaged: a full disk or a copy may truncate it."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        more = ", and is not kept" if file.is_dir() else ""
        why = f"cannot be read ({error.strerror or error}) and is computed again{more}"
        warn(f"the finished part {quoted(str(file))} {why}", code="damaged-part")
        return None
    content = raw[:-DIGEST]
    if raw[-DIGEST:] != _digest(file, content):
        text = f"the finished part {quoted(str(file))} is damaged and is computed again"
        warn(text, code="damaged-part")
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        arrays: dict[str, Array] = dict(kept)
    return arrays[ALONE] if set(arrays) == {ALONE} else arrays
