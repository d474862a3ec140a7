"""Texts kept in files: the place where tests look at prose.

    PLUMBLINE_SNAPSHOTS=write .venv/bin/python -m pytest tests -k snapshot

writes the files in `tests/*/snapshots` anew; read what changed before you keep it.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path


def same_as(file: Path, text: str) -> None:
    """Expect a file to hold this text, or write it where that is asked for."""
    if os.environ.get("PLUMBLINE_SNAPSHOTS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    wanted = (__doc__ or "").partition("\n")[2]
    assert file.read_text("utf-8") == text, f"if this is wanted: {wanted}"


def same_words(file: Path, words: Mapping[str, Sequence[str]]) -> None:
    """Expect a file to hold these sentences, each group below its title."""
    lines: list[str] = []
    for title, parts in words.items():
        said = [line.rstrip() for part in parts for line in part.splitlines()]
        lines += [f"# {title}", *said, ""]
    same_as(file, "\n".join(lines))
