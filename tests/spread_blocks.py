"""Pieces of work that tell or kill the process that does them.

They stand apart from the analyses, as each worker process imports what its pieces need.
"""

import hashlib
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from plumbline.checkpoints import Key, run_blocks
from plumbline.random_streams import stream

KEYS: list[Key] = [(1, block) for block in range(12)]


def digest(*values: Any) -> str:
    """Return a short text that two results share only if they are equal to the last bit."""
    parts = hashlib.sha256()
    for value in values:
        parts.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    return parts.hexdigest()[:12]


def where(_: object) -> tuple[int, int]:
    """Return the process and thread that do a piece."""
    return os.getpid(), threading.get_ident()


def drawn(key: Key) -> np.ndarray[Any, Any]:
    """Return numbers that depend on the key alone."""
    return stream(3, *key).random(4)


def fatal(marks: Path, key: Key) -> np.ndarray[Any, Any]:
    """Kill the process that does the fifth piece, the first time."""
    mark = marks / "killed"
    if key[1] == 5 and not mark.exists():
        mark.touch()
        time.sleep(0.5)  # so that others come back before
        os.kill(os.getpid(), signal.SIGKILL)
    return drawn(key)


def always_fatal(key: Key) -> np.ndarray[Any, Any]:
    """Kill the process that does any piece."""
    os.kill(os.getpid(), signal.SIGKILL)
    return drawn(key)


def blocks(task: Callable[[Key], Any] = drawn, folder: Path | None = None, **more: Any) -> str:
    """Return the digest of a dozen blocks."""
    result = run_blocks(task, KEYS, question={"of": "tests"}, folder=folder, **more)
    return digest(*result, *result.values())
