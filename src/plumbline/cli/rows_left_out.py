"""Which rows of a source an answer uses, and how many each option leaves out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plumbline.cli.running import running
from plumbline.errors import warn
from plumbline.formatting import waiting_text


@dataclass(frozen=True)
class RowsRead:
    """The rows of a source: those that an answer uses, and those that each option leaves out.

    Attributes
    ----------
    name : what the source is called
    rows : in the source, of all models together
    left_out : option -> rows that it left out, of those that the ones before it kept
    waiting : rows of a state that wait for their label
    """

    name: str
    rows: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0

    def without(self, option: str, rows: int) -> "RowsRead":
        """Return the rows of which an option leaves out some more."""
        return replace(self, left_out={**self.left_out, option: rows}) if rows else self

    @property
    def is_all(self) -> bool:
        """Whether an answer uses every row."""
        return not self.left_out and not self.waiting

    @property
    def used(self) -> int:
        """Number of rows that are left."""
        return self.rows - self.waiting - sum(self.left_out.values())

    def to_dict(self) -> dict[str, Any]:
        """Return all as plain data."""
        known = {"file": self.name, "rows": self.rows, "used": self.used}
        waiting = {"waiting": self.waiting} if self.waiting else {}
        return known | {"left_out": self.left_out} | waiting

    def __str__(self) -> str:
        """Say how many rows are used, and what leaves out the others."""
        out = ", ".join(f"{rows:,} by --{option}" for option, rows in self.left_out.items())
        parts = [f"Rows: {self.used:,} of {self.rows:,}"]
        parts += [waiting_text(self.waiting)] if self.waiting else []
        parts += [f"left out: {out}"] if out else []
        return "; ".join(parts)


def _key(files: Path | Sequence[Path]) -> tuple[str, ...]:
    return (str(files),) if isinstance(files, Path) else (*map(str, files),)


def remember_rows(files: Path | Sequence[Path], rows: RowsRead) -> None:
    """Keep which rows of files an answer uses, so that text and JSON say it; else warn of it."""
    run = running()
    if run.context is not None:
        run.rows[_key(files)] = rows
    elif not rows.is_all:  # the process of a server
        warn(f"{rows}", code="rows-left-out")


def leave_out(files: Path | Sequence[Path], option: str, rows: int) -> None:
    """Note that an option leaves out some more rows of files that were read."""
    known = running().rows.get(_key(files))
    if known is not None:
        remember_rows(files, known.without(option, rows))


def rows_lines(files: Path | Sequence[Path] | None = None) -> list[str]:
    """Say which rows of files, or of all that were read, are left out; nothing where none is."""
    from plumbline.cli.terminal import paragraph

    read = running().rows
    if files is not None:
        rows = read.get(_key(files))
        out = [rows] if rows is not None and not rows.is_all else []
        return [paragraph(str(rows)) for rows in out]
    out = [rows for rows in read.values() if not rows.is_all]
    named = [f"{rows.name}: {rows}" if len(read) > 1 else str(rows) for rows in out]
    return [paragraph(text) for text in named]


def rows_entries() -> dict[str, Any]:
    """Return the same for JSON, where rows are left out: of one source, or a list."""
    rows = [one.to_dict() for one in running().rows.values() if not one.is_all]
    return {"rows": rows[0] if len(rows) == 1 else rows} if rows else {}
