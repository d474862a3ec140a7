"""The tables that are open, each in a process of its own, and the files they were uploaded as."""

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from plumbline.file_endings import formats_named, sent_endings, split_ending
from plumbline.formatting import printable
from plumbline.workbench.server import worker
from plumbline.workbench.server.failures import GONE, RefusedError
from plumbline.workbench.server.folder import Folder
from plumbline.workbench.server.limits import MB, Limits
from plumbline.workbench.server.link import LATER, SOON, Link
from plumbline.workbench.server.source import (
    CHANGED,
    ExampleSource,
    FileColumns,
    Served,
    Uploaded,
    stamp_of,
)

if TYPE_CHECKING:
    from plumbline.predictions import Predictions

LONGEST_NAME = 200  # characters of a file's name that are shown
TOO_MANY = (
    "{} tables are open, the limit of this server. Close one, or wait until idle tables are closed."
)
WATCH_SECONDS = 0.5  # between two looks at a watched file
MOST_FORMER = 1000  # keys of the served file that are remembered
REREAD = "{} changed; numbers are those of {}."
VANISHED = "{} is not there any more; numbers are those of {}."
UNREADABLE = "{} changed and cannot be read, so numbers are those of {}. {}"
Frame = tuple[bytes, bytes]
Frames: TypeAlias = AsyncGenerator[Frame, None]
NO_COLUMNS = "The columns of this table are already assigned."
LASTING = (
    "The true classes of this table are those of another file. Restart `plumbline serve` to change "
    "its columns."
)
ANEW = "The columns of {} were chosen anew. Reload the page to see the table as it is read now."
STALLED = "The upload stopped: no data for {:.3g} seconds."


@dataclass(eq=False, slots=True)
class OpenTable:
    """One table that is open.

    Attributes
    ----------
    name : what it is called; text of the user's
    link : its worker
    path : the file whose columns can be given a meaning, None where there is none
    lasting : whether it stays open although nobody asks for it
    opened : whether questions are answered, or will be once it has been read
    bare : whether failures name the path, as they do at the command line
    unclear : why the columns of the served file must be explained first, None where they need not
    last_used : when anybody last asked for it
    """

    name: str
    link: Link
    path: Path | None = None
    lasting: bool = False
    bare: bool = False
    opened: bool = False
    unclear: str | None = None
    last_used: float = field(default_factory=time.monotonic)

    async def frames(self, what: str, payload: Any, *, later: bool = False) -> Frames:
        """Ask the worker; yield what it says, the answer last. Who stops listening cancels it."""
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[Frame]()

        def tell(letter: bytes, frame: bytes) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it who listened
                loop.call_soon_threadsafe(heard.put_nowait, (letter, frame))

        job = self.link.ask(what, payload, tell=tell, place=LATER if later else SOON)
        try:
            letter = worker.PROGRESS
            while letter == worker.PROGRESS:
                letter, frame = await heard.get()
                self.last_used = time.monotonic()
                yield letter, self.without_path(frame) if letter == worker.FAILURE else frame
        finally:
            self.link.cancel(job)

    async def answer(self, what: str, payload: Any) -> dict[str, Any]:
        """Ask the worker; return the answer, or raise RefusedError."""
        answer = b""
        async for letter, answer in self.frames(what, payload):
            if letter == worker.FAILURE:
                facts = json.loads(answer)
                raise RefusedError(facts["kind"], facts["message"])
        return dict(json.loads(self.without_path(answer)))

    def without_path(self, answer: bytes) -> bytes:
        """Call the file as the user does, wherever JSON has the name that it has on our disk."""
        if self.path is None or self.bare:
            return answer
        path, name = (json.dumps(text)[1:-1].encode() for text in (str(self.path), self.name))
        return answer.replace(path, name)


class OpenTables:
    """All tables of one server, by keys that cannot be guessed."""

    def __init__(self, limits: Limits, *, watched: bool = False) -> None:
        self.limits = limits
        self.watched = watched  # whether the served file is read anew by itself when it changes
        self.served: str | None = None
        self.former: list[str] = []  # keys of the served file as it was before it changed
        self._read_anew: set[str] = set()  # those after which it was read in another way
        self._given: Served | None = None
        self._first: asyncio.Task[dict[str, Any]] | None = None  # the served file is being read
        self._news: str | None = None  # what a page is told of a watched file that changed
        self._read_at = ""
        self._renewing = asyncio.Lock()
        self._open: dict[str, OpenTable] = {}
        self.folder = Folder()
        self._coming = 0  # tables on their way

    def __getitem__(self, key: str) -> OpenTable:
        """Return a table, which somebody asks for now; raise RefusedError where there is none."""
        table = self._open.get(key)
        if table is None:
            raise RefusedError("gone", GONE, status=404)
        table.last_used = time.monotonic()
        return table

    async def uploaded(self, chunks: AsyncIterator[bytes], *, name: str, claimed: int) -> str:
        """Take a file in pieces and return the key of its table, which is not opened yet."""
        ending = "".join(split_ending(name))
        if ending not in sent_endings():
            raise RefusedError(
                "input",
                f"Only {formats_named()} can be sent; text may be compressed, "
                "as .csv.gz, .csv.zst or .csv.bz2.",
            )
        self._need_size(claimed)
        async with self._room():
            path = self.folder.new(ending)
            try:
                await self._write(path, chunks)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            return self._added(OpenTable(label(name), Link(self.limits, name=label(name)), path))

    async def example(self, name: str) -> str:
        """Open one of the examples and return its key."""
        from plumbline.synthetic.example_tables import EXAMPLES

        if name not in EXAMPLES:
            raise RefusedError("parameter", "There is no such example.", status=404)
        title = EXAMPLES[name].title
        async with self._room():
            key = self._added(OpenTable(title, Link(self.limits, name=title)))
        await self._opened(key, ExampleSource(name))
        return key

    async def given(self, source: Served) -> dict[str, Any]:
        """Open the table that the server is started with; it is never closed for idleness.

        Where its columns are unclear the answer says so, and a page is to explain them.
        """
        path = source.path
        table = OpenTable(
            path.name, Link(self.limits, name=path.name), path, lasting=True, bare=True
        )
        key, source = self._added(table), replace(source, stamp=stamp_of(path))
        if self.served is None:  # the first one is named to pages while it is being read
            self.served, self._given = key, source
        at = time.strftime("%H:%M:%S")
        opened = await self._opened(key, source, may_be_unclear=source.again is not None)
        table.bare = False
        self.served, self._given, self._read_at = key, source, at
        return opened

    async def served_first(self, source: Served) -> dict[str, Any]:
        """Open the table that the server is started with; pages that ask meanwhile wait for it."""
        self._first = asyncio.create_task(self._given_at_rest(source))
        await asyncio.sleep(0)  # so that it has its key
        return await self._first

    async def _given_at_rest(self, source: Served) -> dict[str, Any]:
        """Open the served file; a watched one is read again while somebody still writes it."""
        while True:
            before = stamp_of(source.path)
            try:
                return await self.given(source)
            except RefusedError:
                await asyncio.sleep(WATCH_SECONDS if self.watched else 0)
                if not self.watched or stamp_of(source.path) == before:
                    raise
                self.former.append(str(self.served))

    async def ready(self, key: str) -> OpenTable:
        """Return a table once it has been read; raise RefusedError where it cannot be."""
        if self._first is not None and key == self.served:
            await asyncio.shield(self._first)
            key = str(self.served)  # another one, if the file changed while it was read
        table = self[key]
        if table.unclear is not None:
            raise RefusedError("unclear", table.unclear)
        return table

    def latest(self, key: str) -> str:
        """Return the table that a page should show instead of one: of a watched file, the last."""
        newer = self.watched and key in self.former and self.served is not None
        return str(self.served) if newer else key

    async def watch(self) -> None:
        """Read a watched file anew whenever it has changed and is as it was a moment ago."""
        if self._given is None or not self.watched:
            return
        path, before, tried = self._given.path, self._given.stamp, self._given.stamp
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            now = stamp_of(path)
            if now != before or now == tried:
                before = now
                continue
            tried = now
            try:
                if now is not None and self._given.news() is not None:
                    await self._replace(self._given)
                    for key in self.former[:-1]:  # pages go on to the new table by themselves
                        await self.close(key)
                news = REREAD if now is not None else VANISHED
                self._news = news.format(path.name, self._read_at)
            except RefusedError as error:
                self._news = UNREADABLE.format(path.name, self._read_at, error)

    def news(self, key: str) -> str | None:
        """Say what became of the file behind a table; None where nothing did, or of an upload."""
        if self._given is None or key not in (self.served, *self.former):
            return None
        if self.watched:
            return self._news
        news = self._given.news()
        if news is None and key in self.former:
            news = (ANEW if key in self._read_anew else CHANGED).format(self._given.path.name)
        return news

    @property
    def choosable(self) -> bool:
        """Whether a page may say anew what the columns of the served file mean."""
        return self._given is not None and self._given.again is not None

    async def renew(self) -> str | None:
        """Open the file that the server was started with again where it has changed unwatched.

        The table of the old file stays open under its key, for pages that still show it, as long as
        they do. Return why the served table is not that of the file as it is now.
        """
        async with self._renewing:
            given = self._given
            if self.watched or given is None or (self._first and not self._first.done()):
                return self._news
            if (news := given.news()) is None or not given.path.is_file():
                return news
            try:
                await self._replace(given)
            except RefusedError as error:
                return f"{given.path.name} has changed and cannot be opened: {error}"
            return None

    async def _replace(self, given: Served) -> None:
        """Open the served file as it is now, beside the table of the old one."""
        old = str(self.served)
        await self.given(given)
        self._retire(old)

    def _retire(self, old: str) -> None:
        """Let a table of the served file end once no page shows it."""
        self.former = [*self.former, old][-MOST_FORMER:]
        table = self._open[old]
        table.lasting, table.path = False, None  # the file is the user's, and stays

    async def columns(self, key: str, said: Mapping[str, Any]) -> dict[str, Any]:
        """Say what the columns of a table are, and how they are read as they are written."""
        table = self[key]
        path = self._path_of(table)
        served = table.lasting and self._given is not None
        told = self._given.told if served and self._given is not None else {}
        look = FileColumns(path, {**told, **said}, counted=served)
        columns = await table.answer(worker.COLUMNS, look)
        return {**columns, "name": table.name, "opened": table.opened}

    async def open(self, key: str, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Give the columns of a table their meaning, so that questions can be asked.

        A table that has been opened stays as it is, for another page may show it: the file is
        opened once more, under a key of its own. The key is told as `table`. Of the served file the
        new table is the one that pages are shown from then on.
        """
        table = self[key]
        path = self._path_of(table)
        if not table.opened:
            source: Callable[[], Predictions] = Uploaded(path, roles)
            if table.unclear is not None and self._given is not None:
                source = replace(self._given, stamp=stamp_of(path), roles=roles)
            table.opened = True
            try:
                facts = await table.answer(worker.OPEN, source)
            except BaseException:
                table.opened = False
                raise
            if isinstance(source, Served):
                self._given, table.unclear = source, None
            return {**facts, "table": key}
        if table.lasting and self._given is not None:
            return await self._served_anew(
                key, replace(self._given, stamp=stamp_of(path), roles=roles)
            )
        async with self._room():
            twin = self.folder.new("".join(path.suffixes))
            await asyncio.to_thread(_same_file, path, twin)
            key = self._added(OpenTable(table.name, Link(self.limits, name=table.name), twin))
        return {**await self._opened(key, Uploaded(twin, roles)), "table": key}

    async def _served_anew(self, old: str, source: Served) -> dict[str, Any]:
        """Open the served file once more, read in another way."""
        table = self._open[old]
        async with self._room():
            link = Link(self.limits, name=table.name)
            key = self._added(OpenTable(table.name, link, table.path, lasting=True))
        facts = await self._opened(key, source)
        self.served, self._given = key, source
        self._read_anew.add(old)
        self._retire(old)
        return {**facts, "table": key}

    def _path_of(self, table: OpenTable) -> Path:
        """Return the file whose columns can be given a meaning; raise RefusedError for none."""
        if table.lasting and not self.choosable:
            raise RefusedError("input", LASTING)
        if table.path is None:
            raise RefusedError("input", NO_COLUMNS)
        return table.path

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
                if table.last_used < before and not table.link.busy:
                    await self.close(key)

    def close_all(self) -> None:
        """End everything and leave nothing on the disk."""
        for table in self._open.values():
            table.link.close()
        for table in self._open.values():
            table.link.join()
        self._open.clear()
        self.folder.remove()

    async def _opened(
        self, key: str, make: "Callable[[], Predictions]", *, may_be_unclear: bool = False
    ) -> dict[str, Any]:
        table = self._open[key]
        table.opened = True
        try:
            return await table.answer(worker.OPEN, make)
        except BaseException as error:
            if may_be_unclear and isinstance(error, RefusedError) and error.kind == "unclear":
                table.opened, table.unclear = False, str(error)
                return {"unclear": table.unclear}
            self._open.pop(key, None)
            table.link.close()
            await asyncio.to_thread(self._end, table)
            raise

    async def _write(self, path: Path, chunks: AsyncIterator[bytes]) -> None:
        """Write what comes, as long as it comes and is not too much."""
        size = 0
        with path.open("xb") as file:
            async for chunk in self.flowing(chunks):
                size += len(chunk)
                self._need_size(size)
                file.write(chunk)

    async def flowing(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield what comes; raise RefusedError where nothing comes for too long."""
        patience = self.limits.stall_seconds
        while True:
            try:
                yield await asyncio.wait_for(anext(chunks), patience)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise RefusedError("limit", STALLED.format(patience), status=408) from error

    def _added(self, table: OpenTable) -> str:
        key = secrets.token_urlsafe(16)
        self._open[key] = table
        return key

    def _end(self, table: OpenTable) -> None:
        table.link.close()
        table.link.join()
        if table.path is not None and not table.lasting:
            table.path.unlink(missing_ok=True)

    @contextlib.asynccontextmanager
    async def _room(self) -> AsyncIterator[None]:
        """Keep room for one more table while it comes; one that no page shows makes room."""
        while (taken := len(self._open) + self._coming) >= self.limits.tables:
            if (key := self._abandoned()) is None:
                raise RefusedError("limit", TOO_MANY.format(taken), status=429)
            await self.close(key)
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1

    def _abandoned(self) -> str | None:
        """Return the table that has not been heard of for longest, if that is long."""
        before = time.monotonic() - self.limits.abandoned_seconds
        left = {
            key: table.last_used
            for key, table in self._open.items()
            if table.last_used < before and not table.lasting and not table.link.busy
        }
        return min(left, key=left.__getitem__, default=None)

    def _need_size(self, size: int) -> None:
        most = self.limits.upload_bytes
        if size > most:
            raise RefusedError(
                "limit",
                f"The file is larger than {most / MB:,.4g} MB. Start `plumbline serve` with the "
                "file's name instead, or with a larger --max-upload-mb.",
                status=413,
            )


def _same_file(path: Path, twin: Path) -> None:
    """Give a file a second name, or a copy where the disk knows no second names."""
    try:
        os.link(path, twin)
    except OSError:
        shutil.copyfile(path, twin)


def label(name: str) -> str:
    r"""Return what an upload is called on screens and in names of files to save.

    >>> label("C:\\data\\loans.csv"), label("../../etc/passwd")
    ('loans.csv', 'passwd')
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return printable(last)[:LONGEST_NAME] or "table"
