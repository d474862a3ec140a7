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
from typing import Any

from plumbline.errors import PlumblineWarning
from plumbline.predictions import Predictions
from plumbline.results import jsonable
from plumbline.workbench.desk import Desk
from plumbline.workbench.desk.opening import how_read
from plumbline.workbench.server.failures import (
    GONE,
    Cancelled,
    RefusedError,
    failure_of,
    too_many_rows,
)
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.wire import encode

HEADER = struct.Struct("<Ic")
PROGRESS, ANSWER, FAILURE = b"P", b"A", b"E"
OPEN, COLUMNS, ASK, CANCEL = "open", "columns", "ask", "cancel"
MOST_OFTEN = 0.1  # seconds between two words about progress
NOTHING = 0  # number of no job


class Worker:
    """What one process knows: its table, and the job it is at."""

    def __init__(self, link: Connection, limits: Limits, name: str) -> None:
        self.link, self.limits, self.name = link, limits, name
        self.desk: Desk | None = None
        self.at = NOTHING
        self.unwanted = NOTHING
        self.jobs: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self.heard: dict[str, None] = {}
        self._sending = threading.Lock()
        self._told = 0.0

    def listen(self) -> None:
        """Take messages until the server closes the link or is gone; then end at once."""
        while True:
            try:
                number, what, payload = self.link.recv()
            except (EOFError, OSError):
                os._exit(0)
            if what == CANCEL:
                self.unwanted = number
                _interrupt_main_thread()
            else:
                self.jobs.put((number, what, payload))

    def heed(self, *_: object) -> None:
        """Stop if the job at hand is wanted no more; also what an interrupt does."""
        if self.at != NOTHING and self.unwanted == self.at and not self._sending.locked():
            raise Cancelled

    def work(self) -> None:
        """Do one job after the other."""
        while True:
            job = self.jobs.get()
            try:
                letter, payload = self._done(*job)
            except Cancelled as late:  # it came while another reason was being put into words
                letter, payload = FAILURE, self._why(late)
            self._send(job[0], letter, payload)

    def _done(self, number: int, what: str, payload: Any) -> tuple[bytes, bytes]:
        self.heard.clear()
        try:
            self.at = number
            self.heed()
            found = self._doing(what, payload)
            self.at = NOTHING
        except BaseException as error:  # noqa: BLE001  # nothing a question does may end the server
            self.at = NOTHING
            return FAILURE, self._why(error)
        return ANSWER, found

    def _doing(self, what: str, payload: Any) -> bytes:
        if what == OPEN:
            return self._open(payload)
        return self._columns(payload) if what == COLUMNS else self._answer(payload)

    def _open(self, make: Callable[[], Predictions]) -> bytes:
        table = make()
        if table.n > self.limits.rows:
            raise RefusedError("limit", too_many_rows(table.n, self.limits))
        self.desk = Desk(table, name=self.name, read=how_read(make))
        return json.dumps(self._with_warnings({})).encode()

    def _columns(self, look: Callable[[], dict[str, Any]]) -> bytes:
        found = look()
        if found["rows"] > self.limits.rows:
            raise RefusedError("limit", too_many_rows(found["rows"], self.limits))
        return json.dumps(jsonable(self._with_warnings(found))).encode()

    def _answer(self, question: bytes) -> bytes:
        if self.desk is None:
            raise RefusedError("gone", GONE)
        found = self.desk.answer(json.loads(question), progress=self._progress)
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
        told = failure_of(error, self.limits)
        return json.dumps(jsonable(told)).encode()

    def _send(self, number: int, letter: bytes, payload: bytes) -> None:
        with self._sending:  # also keeps an interrupt from cutting a message in two
            self.link.send_bytes(HEADER.pack(number, letter) + payload)


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
