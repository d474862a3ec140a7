"""The process of one table: it holds the table and answers one question at a time.

The main thread computes; a second thread listens, so that what nobody waits for can be stopped.
Messages to a worker are (number of the job, what, payload), sent as Python values by the server;
messages from it are bytes, a header (number, letter) and a payload, for what comes out of a process
that reads strangers' files is never unpickled.
"""

import json
import os
import queue
import signal
import struct
import threading
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import FrameType
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineWarning
from plumbline.workbench.server.failures import (
    GONE,
    Cancelled,
    RefusedError,
    failure_of,
    too_many_rows,
)
from plumbline.workbench.server.limits import Limits

if TYPE_CHECKING:
    from plumbline.predictions import Predictions
    from plumbline.workbench.desk import Desk

HEADER = struct.Struct("<Ic")
PROGRESS, ANSWER, FAILURE = b"P", b"A", b"E"
OPEN, COLUMNS, ASK, CANCEL = "open", "columns", "ask", "cancel"
MOST_OFTEN = 0.1  # seconds between two words about progress
INSIST = 0.05  # seconds between two interrupts of a job that nobody wants
NOTHING = 0  # number of no job
NO_MEMORY = 70  # the exit code of a worker that could not even listen, for want of memory
# Cut in the middle, these leave half a module or half a compiled function behind for good.
UNBREAKABLE = ("_frozen_importlib", "importlib", "numba", "llvmlite")


class Worker:
    """What one process knows: its table, and the job it is at."""

    def __init__(self, link: Connection, limits: Limits, name: str) -> None:
        self.link, self.limits, self.name = link, limits, name
        self.desk: Desk | None = None
        self.at = NOTHING
        self.unwanted = NOTHING
        self.jobs: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self.heard: dict[str, None] = {}
        self.opening: tuple[str, ...] = ()  # what was said when the table was opened
        self._sending = threading.Lock()
        self._told = 0.0

    def listen(self) -> None:
        """Take messages until the server closes the link or is gone; then end at once.

        Whatever goes wrong here ends the process: a worker that does not listen helps nobody.
        """
        code = 1
        try:
            while True:
                self._hear()
        except (EOFError, OSError):
            code = 0
        except MemoryError:
            code = NO_MEMORY
        finally:
            os._exit(code)

    def _hear(self) -> None:
        if self._is_unwanted() and not self.link.poll(INSIST):
            _interrupt_main_thread()  # again: the last one came where nothing may be cut
            return
        number, what, payload = self.link.recv()
        if what == CANCEL:
            self.unwanted = number
            _interrupt_main_thread()
        else:
            self.jobs.put((number, what, payload))

    def _is_unwanted(self) -> bool:
        return self.at != NOTHING and self.unwanted == self.at

    def heed(self, _signal: int = 0, frame: FrameType | None = None) -> None:
        """Stop if the job at hand is wanted no more; also what an interrupt does."""
        if self._is_unwanted() and not self._sending.locked() and not is_unbreakable(frame):
            raise Cancelled

    def work(self) -> None:
        """Do one job after the other."""
        while True:
            job = self.jobs.get()
            try:
                letter, payload = self._done(*job)
            except Cancelled as late:  # it came while another reason was being put into words
                self.at = NOTHING
                letter, payload = FAILURE, self._why(late)
            self._send(job[0], letter, payload)

    def _done(self, number: int, what: str, payload: Any) -> tuple[bytes, bytes]:
        self.heard.clear()
        try:
            try:
                self.at = number
                self.heed()
                found = self._doing(what, payload)
            finally:
                self.at = NOTHING
        except BaseException as error:  # noqa: BLE001  # nothing a question does may end the server
            return FAILURE, self._why(error)
        return ANSWER, found

    def _doing(self, what: str, payload: Any) -> bytes:
        if what == OPEN:
            return self._open(payload)
        return self._columns(payload) if what == COLUMNS else self._answer(payload)

    def _open(self, make: "Callable[[], Predictions]") -> bytes:
        from plumbline.workbench.desk import Desk

        table = make()
        if table.n > self.limits.rows:
            raise RefusedError("limit", too_many_rows(table.n, self.limits))
        self.desk = Desk(table, name=self.name, read=getattr(make, "how_read", dict)())
        self.opening = tuple(self.heard)
        return json.dumps(self._with_warnings({})).encode()

    def _columns(self, look: Callable[[], dict[str, Any]]) -> bytes:
        found = look()
        if found["rows"] > self.limits.rows:
            raise RefusedError("limit", too_many_rows(found["rows"], self.limits))
        return _json_bytes(self._with_warnings(found))

    def _answer(self, question: bytes) -> bytes:
        if self.desk is None:
            raise RefusedError("gone", GONE)
        from plumbline.workbench.wire import encode

        asked = json.loads(question)
        found = self.desk.answer(asked, progress=self._progress)
        if asked["kind"] == "about":  # every page's first question, so every page hears of it
            self.heard |= dict.fromkeys(self.opening)
        return encode(self._with_warnings(found))

    def _with_warnings(self, found: dict[str, Any]) -> dict[str, Any]:
        """Add what the library said on the way; an answer's own warnings go first."""
        if not self.heard:
            return found
        return {**found, "warnings": [*found.get("warnings", []), *self.heard]}

    def _progress(self, done: int, total: int) -> None:
        self.heed()
        now = time.monotonic()
        if now - self._told >= MOST_OFTEN:
            self._told = now
            told = json.dumps({"done": int(done), "total": int(total)}).encode()
            self._send(self.at, PROGRESS, told)
            self.heed()

    def _why(self, error: BaseException) -> bytes:
        return _json_bytes(failure_of(error, self.limits))

    def _send(self, number: int, letter: bytes, payload: bytes) -> None:
        with self._sending:  # also keeps an interrupt from cutting a message in two
            self.link.send_bytes(HEADER.pack(number, letter) + payload)


def is_unbreakable(frame: FrameType | None) -> bool:
    """Tell whether a module is being imported, or a function compiled, where a signal came."""
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and name.split(".", 1)[0] in UNBREAKABLE:
            return True
        frame = frame.f_back
    return False


def _json_bytes(found: dict[str, Any]) -> bytes:
    from plumbline.results import jsonable

    return json.dumps(jsonable(found)).encode()


def run(link: Connection, limits: Limits, name: str) -> None:
    """Be the worker at the other end of a link, until it closes."""
    worker = Worker(link, limits, name)
    signal.signal(signal.SIGINT, worker.heed)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _collect_warnings(worker)
    _limit_memory(limits.memory_bytes)
    threading.Thread(target=worker.listen, name="listen", daemon=True).start()
    worker.work()


def _collect_warnings(worker: Worker) -> None:
    """Keep the library's warnings for the answer; others go where they always go."""
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, PlumblineWarning):
            worker.heard[str(message)] = None
        else:
            usual(message, category, *where, **more)

    warnings.simplefilter("always", PlumblineWarning)
    warnings.showwarning = show


def _interrupt_main_thread() -> None:
    """Let the main thread meet an interrupt, also where it waits for a lock."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()


def _limit_memory(budget: int) -> None:
    """Refuse memory beyond what the process has now and a budget, where the system can."""
    try:
        import resource
        from pathlib import Path

        status = Path("/proc/self/status").read_text("ascii")
    except (ImportError, OSError):  # not Linux, which alone counts a process's own memory
        return
    (held,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData"))
    most = held * 1024 + budget
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
