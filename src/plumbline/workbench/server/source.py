"""Where a table comes from, as its process is told it: light to name, heavy only to call.

The server itself never reads a table, so nothing here imports the questions before it is called.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.workbench.server.failures import RefusedError

if TYPE_CHECKING:
    from plumbline.predictions import Predictions

CHANGED = "The file {} has changed since it was opened. Reload the page to see the new data."
MISSING = (
    "The file {} is gone; the page shows the data as they were opened. Put it back "
    "and reload the page."
)
Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A file that a page sent, its columns meaning what the page says."""

    path: Path
    roles: Mapping[str, Any]

    def __call__(self) -> "Predictions":
        """Read the file."""
        from plumbline.workbench.questions.opening import opened

        return opened(self.path, self.roles)

    def how_read(self) -> dict[str, Any]:
        """Return the arguments of `plumbline.read`."""
        from plumbline.workbench.questions.opening import arguments_of, how_read

        return how_read(arguments_of(self.path, self.roles))


@dataclass(frozen=True, slots=True)
class FileColumns:
    """How the columns of a file are read; `told` is what somebody has said of them already.

    Of a large file that is `counted`, the first rows tell it.
    """

    path: Path
    told: Mapping[str, Any] = field(default_factory=dict)
    counted: bool = False

    def __call__(self) -> dict[str, Any]:
        """Look at the file."""
        from plumbline.workbench.questions.opening import columns_of

        return columns_of(self.path, self.told, counted=self.counted)


@dataclass(frozen=True, slots=True)
class ExampleSource:
    """A table that needs no file."""

    name: str

    def __call__(self) -> "Predictions":
        """Draw it."""
        from plumbline.synthetic.example_tables import example

        return example(self.name)


@dataclass(frozen=True, slots=True)
class Served:
    """The file that a server is started with.

    Attributes
    ----------
    make : reads it in another process
    stamp : size and time of the file when it was first read; another file is not read under its
        name, for the numbers of a page would change unnoticed
    again : reads it by arguments of `plumbline.read` that a page gave
    told : such arguments that the command line gave
    roles : what a page said of its columns, None where they are clear
    """

    path: Path
    make: "Callable[[], Predictions]"
    stamp: Stamp | None = None
    again: "Callable[[Mapping[str, Any]], Predictions] | None" = None
    told: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, Any] | None = None

    def __call__(self) -> "Predictions":
        """Read the file, if it still is the one that it was."""
        if (news := self.news()) is not None:
            raise RefusedError("input", news)
        if self.roles is None or self.again is None:
            return self.make()
        from plumbline.workbench.questions.opening import arguments_of

        return self.again(arguments_of(self.path, self.roles, sheet=self.told.get("sheet")))

    def news(self) -> str | None:
        """Say what became of the file since it was first read; None where it is as it was."""
        now = stamp_of(self.path)
        if self.stamp is None or now == self.stamp:
            return None
        return (MISSING if now is None else CHANGED).format(self.path.name)

    def how_read(self) -> dict[str, Any]:
        """Return the arguments of `plumbline.read`, and which rows were chosen of what it read."""
        from plumbline.workbench.questions.opening import arguments_of, how_read

        sheet = self.told.get("sheet")
        said = {} if self.roles is None else arguments_of(self.path, self.roles, sheet=sheet)
        return how_read({**getattr(self.make, "keywords", {}), **said})


def stamp_of(path: Path) -> Stamp | None:
    """Return size and time of a file, None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
