"""The tables that are open, each in a process of its own, and the files they were uploaded as."""

import asyncio
import contextlib
import json
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from plumbline.predictions import Predictions
from plumbline.words import printable
from plumbline.workbench.desk.examples import EXAMPLES, example
from plumbline.workbench.desk.opening import columns_of, opened
from plumbline.workbench.server import worker
from plumbline.workbench.server.failures import GONE, RefusedError
from plumbline.workbench.server.limits import MB, Limits
from plumbline.workbench.server.link import LATER, SOON, Link

ENDINGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
LONGEST_NAME = 200
TOO_MANY = (
    "There are {} tables open, as many as this server holds. Close one, or wait until those that "
    "nobody asks for are closed."
)
Frame = tuple[bytes, bytes]
Frames: TypeAlias = AsyncGenerator[Frame, None]
NO_COLUMNS = "The columns of this table have their meaning; there is nothing to choose."


@dataclass(eq=False, slots=True)
class Table:
    """One table that is open.

    Attributes
    ----------
    name : what it is called; text of the user's
    link : its worker
    path : the file whose columns can be given a meaning, None where there is none
    lasting : whether it stays open although nobody asks for it
    opened : whether questions are answered
    seen : when anybody last asked for it
    """

    name: str
    link: Link
    path: Path | None = None
    lasting: bool = False
    opened: bool = False
    seen: float = field(default_factory=time.monotonic)

    async def frames(self, what: str, payload: Any, *, later: bool = False) -> Frames:
        """Ask the worker; yield what it says, the answer last. Who stops listening cancels it."""
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[Frame]()

        def tell(letter: bytes, said: bytes) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it who listened
                loop.call_soon_threadsafe(heard.put_nowait, (letter, said))

        job = self.link.ask(what, payload, tell=tell, place=LATER if later else SOON)
        try:
            letter = worker.PROGRESS
            while letter == worker.PROGRESS:
                letter, said = await heard.get()
                self.seen = time.monotonic()
                yield letter, said
        finally:
            self.link.cancel(job)

    async def answer(self, what: str, payload: Any) -> dict[str, Any]:
        """Ask the worker; return the answer, or raise RefusedError."""
        said = b""
        async for letter, said in self.frames(what, payload):
            if letter == worker.FAILURE:
                told = json.loads(said)
                told["message"] = self.without_path(told["message"])
                raise RefusedError(told["kind"], told["message"])
        return dict(json.loads(said))

    def without_path(self, text: str) -> str:
        """Call the file as the user does, wherever a text has the name it has on our disk."""
        if self.path is None or self.lasting:
            return text
        return text.replace(str(self.path), self.name)


class Tables:
    """All tables of one server, by keys that cannot be guessed."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.served: str | None = None
        self._open: dict[str, Table] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="plumbline-"))
        self._files = 0

    def __getitem__(self, key: str) -> Table:
        """Return a table, which somebody asks for now; raise RefusedError where there is none."""
        table = self._open.get(key)
        if table is None:
            raise RefusedError("gone", GONE, status=404)
        table.seen = time.monotonic()
        return table

    async def uploaded(self, chunks: AsyncIterator[bytes], *, name: str, claimed: int) -> str:
        """Take a file in pieces and return the key of its table, which is not opened yet."""
        ending = Path(name).suffix.lower()
        if ending not in ENDINGS:
            raise RefusedError("input", f"The name of the file must end in {', '.join(ENDINGS)}.")
        self._need_room()
        self._need_size(claimed)
        self._files += 1
        path = self._folder / f"{self._files}{ending}"
        size = 0
        try:
            with path.open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    self._need_size(size)
                    file.write(chunk)
            self._need_room()  # others may have come meanwhile
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return self._added(Table(label(name), Link(self.limits, name=label(name)), path))

    async def example(self, name: str) -> str:
        """Open one of the examples and return its key."""
        if name not in EXAMPLES:
            raise RefusedError("parameter", "There is no such example.", status=404)
        self._need_room()
        title = EXAMPLES[name].title
        key = self._added(Table(title, Link(self.limits, name=title)))
        await self._opened(key, partial(example, name))
        return key

    async def given(self, path: Path, make: Callable[[], Predictions]) -> dict[str, Any]:
        """Open the table that the server is started with; it is never closed for idleness."""
        table = Table(path.name, Link(self.limits, name=path.name), path, lasting=True)
        self.served = self._added(table)
        return await self._opened(self.served, make)

    async def columns(self, key: str) -> dict[str, Any]:
        """Say what the columns of a table are and seem to mean."""
        table = self[key]
        if table.path is None:
            raise RefusedError("input", NO_COLUMNS)
        found = await table.answer(worker.COLUMNS, partial(columns_of, table.path))
        problem = found["problem"]
        found["problem"] = None if problem is None else table.without_path(problem)
        return {**found, "opened": table.opened}

    async def open(self, key: str, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Give the columns of a table their meaning, so that questions can be asked."""
        table = self[key]
        if table.path is None:
            raise RefusedError("input", NO_COLUMNS)
        found = await table.answer(worker.OPEN, partial(opened, table.path, roles))
        table.opened = True
        return found

    async def close(self, key: str) -> None:
        """End a table's worker and remove its file; that of the command line stays."""
        table = self._open.pop(key, None)
        if table is not None and not table.lasting:
            await asyncio.to_thread(self._end, table)
        elif table is not None:
            self._open[key] = table

    async def close_idle(self) -> None:
        """Close what nobody has asked for in a while, again and again."""
        pause = min(15.0, self.limits.idle_seconds / 4)
        while True:
            await asyncio.sleep(pause)
            before = time.monotonic() - self.limits.idle_seconds
            for key, table in list(self._open.items()):
                if table.seen < before and not table.link.busy:
                    await self.close(key)

    def close_all(self) -> None:
        """End everything and leave nothing on the disk."""
        for table in self._open.values():
            table.link.close()
        for table in self._open.values():
            table.link.join()
        self._open.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _opened(self, key: str, make: Callable[[], Predictions]) -> dict[str, Any]:
        try:
            found = await self._open[key].answer(worker.OPEN, make)
        except BaseException:
            self._end(self._open.pop(key))
            raise
        self._open[key].opened = True
        return found

    def _added(self, table: Table) -> str:
        key = secrets.token_urlsafe(16)
        self._open[key] = table
        return key

    def _end(self, table: Table) -> None:
        table.link.close()
        table.link.join()
        if table.path is not None and not table.lasting:
            table.path.unlink(missing_ok=True)

    def _need_room(self) -> None:
        if len(self._open) >= self.limits.tables:
            raise RefusedError("limit", TOO_MANY.format(len(self._open)), status=429)

    def _need_size(self, size: int) -> None:
        most = self.limits.upload_bytes
        if size > most:
            raise RefusedError(
                "limit",
                f"The file is larger than {most / MB:,.4g} MB. Start `plumbline serve` with the "
                "file's name instead, or with a larger --max-upload-mb.",
                status=413,
            )


def label(name: str) -> str:
    r"""Return what an upload is called on screens and in names of files to save.

    >>> label("C:\\data\\loans.csv"), label("../../etc/passwd")
    ('loans.csv', 'passwd')
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return printable(last)[:LONGEST_NAME] or "table"
