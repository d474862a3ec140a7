"""The process of one table: it holds the table and answers questions about it.

The main thread answers the short ones, one at a time; a second thread listens, so that what nobody
waits for can be stopped. A long question is answered by a helper: a copy of this process, which
shares the table with it and ends with its answer. What a helper made for later questions comes
back, so that it is not made again.

Messages to a worker are (number of the job, what, payload), sent as Python values by the server;
messages from it are bytes, a header (number, letter) and a payload, for what comes out of a process
that reads strangers' files is never unpickled.
"""

import contextlib
import ctypes
import json
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineWarning
from plumbline.requests import REQUESTS
from plumbline.workbench.server.failures import (
    CRASHED,
    GONE,
    Cancelled,
    RefusedError,
    failure_bytes,
    failure_of,
    too_many_rows,
    too_much_memory,
)
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.wording import BROWSER

if TYPE_CHECKING:
    from plumbline.predictions import Predictions
    from plumbline.workbench.questions import TableQuestions

HEADER = struct.Struct("<Ic")
PROGRESS, ANSWER, FAILURE = b"P", b"A", b"E"
MEMORY = b"M"  # from a helper to its worker alone: what it made for later questions
OPEN, COLUMNS, ASK, CANCEL = "open", "columns", "ask", "cancel"
ASIDE, DROP = "aside", "drop"  # ask a helper, and stop it
REMEMBER = "remember"
HELPERS = sys.platform.startswith("linux")  # elsewhere a process with threads cannot be copied
MOST_REMEMBERED = 64 << 20  # bytes that a helper sends back for later questions
MOST_OFTEN = 0.1  # seconds between two words about progress
INSIST = 0.05  # seconds between two interrupts of a job that nobody wants
NOTHING = 0  # number of no job
NO_MEMORY = 70  # the exit code of a worker that could not even listen, for want of memory
# Exit codes for want of memory: ended by the system, by the library that got none, by itself.
STARVED = (-9, -6, NO_MEMORY)
# Cut in the middle, these leave half a module or half a compiled function behind for good.
UNBREAKABLE = ("_frozen_importlib", "importlib", "numba", "llvmlite")
# Kinds that draw again and again, or draw pictures, beside the requests that resample: seconds on
# many rows.
LONG = (
    "optimum",
    "difference",
    "subgroups",
    "reliability",
    "plan",
    "recalibration",
    "scores",
    "compare",
    "export",
    "init",
    "check",
)


def takes_long(question: Mapping[str, Any]) -> bool:
    """Tell whether a question may take so long that others should not wait for its answer."""
    curve = question.get("curve")
    banded = isinstance(curve, Mapping) and curve.get("band") == "bootstrap"
    kind = question.get("kind")
    row = REQUESTS.get(str(kind))
    draws = row is not None and row.room != "" and "resamples" in row.offered("served")
    return banded or kind in LONG or draws


@dataclass(eq=False, slots=True)
class Helper:
    """A copy of a worker that answers one long question.

    Attributes
    ----------
    number : of the job; pid : of the process
    dropped : whether its answer is not wanted any more; answered : whether it has come
    """

    number: int
    pid: int
    dropped: bool = False
    answered: bool = False


class Worker:
    """What one process knows: its table, and the job it is at."""

    def __init__(self, link: Connection, limits: Limits, name: str) -> None:
        self.link, self.limits, self.name = link, limits, name
        self.questions: TableQuestions | None = None
        self.at = NOTHING
        self.unwanted = NOTHING
        self.jobs: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self.heard: dict[str, None] = {}
        self.opening: tuple[str, ...] = ()  # what was said when the table was opened
        self.helpers: dict[Connection, Helper] = {}
        self.dropped: set[int] = (
            set()
        )  # jobs for helpers that were not begun when they were dropped
        self._hiring = threading.Lock()
        self._woken, self._wake = Pipe(duplex=False)
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
        patience = INSIST if self._is_unwanted() else None
        ready = wait([self.link, self._woken, *self.helpers], patience)
        if not ready:
            _interrupt_main_thread()  # again: the last one came where nothing may be cut
        for one in ready:
            if one is self._woken:
                self._woken.recv_bytes()
            elif one is self.link:
                self._take(*self.link.recv())
            else:
                self._pass_on(one)  # type: ignore[arg-type]  # these are all that it waits for

    def _take(self, number: int, what: str, payload: Any) -> None:
        """Do what the server says, or put it in line for the main thread."""
        if what == CANCEL:
            self.unwanted = number
            _interrupt_main_thread()
        elif what == DROP:
            with self._hiring:
                at_it = [one for one in self.helpers.values() if one.number == number]
                for helper in at_it:
                    helper.dropped = True
                    os.kill(helper.pid, signal.SIGKILL)
                if not at_it:
                    self.dropped.add(number)
        else:
            self.jobs.put((number, what, payload))

    def _pass_on(self, end: Connection) -> None:
        """Pass on what a helper says; say what became of one that is gone without an answer."""
        helper = self.helpers[end]
        try:
            raw = end.recv_bytes()
        except (EOFError, OSError):
            del self.helpers[end]
            end.close()
            code = os.waitstatus_to_exitcode(os.waitpid(helper.pid, 0)[1])
            if not helper.answered:
                self._send(helper.number, FAILURE, self._why_ended(helper, code))
            return
        letter = raw[HEADER.size - 1 : HEADER.size]
        if letter == MEMORY:
            self.jobs.put((NOTHING, REMEMBER, raw[HEADER.size :]))
            return
        helper.answered |= letter != PROGRESS
        with self._sending:
            self.link.send_bytes(raw)

    def _why_ended(self, helper: Helper, code: int) -> bytes:
        if helper.dropped:
            return self._why(Cancelled())
        if code in STARVED:
            return failure_bytes("limit", too_much_memory(self.limits))
        return failure_bytes("crash", CRASHED)

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
            if job[1] == REMEMBER:
                self._remember(job[2])
                continue
            if job[1] == ASIDE and HELPERS and self.questions is not None:
                self._hire(job[0], job[2])
                continue
            try:
                letter, payload = self._done(*job)
            except Cancelled as late:  # it came while another reason was being put into words
                self.at = NOTHING
                letter, payload = FAILURE, self._why(late)
            self._send(job[0], letter, payload)

    def _hire(self, number: int, question: bytes) -> None:
        """Let a copy of this process answer a question."""
        if b'"export"' in question:  # the drawing, so that not every copy loads it anew
            with contextlib.suppress(ImportError):
                import matplotlib.figure  # noqa: F401
        with self._hiring, self._sending:  # so that the copy has neither lock in another's hands
            dropped = number in self.dropped
            self.dropped.discard(number)
            if not dropped:
                ours, theirs = Pipe(duplex=False)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)  # of threads: one, waiting
                    pid = os.fork()
                if pid == 0:
                    self._sending = threading.Lock()
                    ours.close()
                    self._help(theirs, number, question)
                theirs.close()
                self.helpers[ours] = Helper(number, pid)
        if dropped:
            self._send(number, FAILURE, self._why(Cancelled()))
        else:
            self._wake.send_bytes(b"")

    def _help(self, end: Connection, number: int, question: bytes) -> None:
        """Be a helper: answer one question, and end."""
        code = 1
        try:
            _end_with_parent()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for other in (self.link, self._woken, self._wake, *self.helpers):
                other.close()
            self.link, self.unwanted = end, NOTHING
            assert self.questions is not None  # a helper is asked only then  # noqa: S101
            known = self.questions.memory.keys()
            letter, payload = self._done(number, ASK, question)
            if letter == ANSWER:
                self._send(number, MEMORY, _pickled(self.questions.memory.since(known)))
            self._send(number, letter, payload)
            code = 0
        except MemoryError:
            code = NO_MEMORY
        finally:
            with contextlib.suppress(OSError):
                sys.stderr.flush()
            os._exit(code)

    def _remember(self, pickled: bytes) -> None:
        """Take over what a helper made, a copy of this process about the same table."""
        if self.questions is not None:
            with contextlib.suppress(MemoryError):
                self.questions.memory.update(pickle.loads(pickled))  # noqa: S301  # see above

    def _done(self, number: int, what: str, payload: Any) -> tuple[bytes, bytes]:
        self.heard.clear()
        try:
            try:
                self.at = number
                self.heed()
                answer = self._doing(what, payload)
            finally:
                self.at = NOTHING
        except BaseException as error:  # noqa: BLE001  # nothing a question does may end the server
            return FAILURE, self._why(error)
        return ANSWER, answer

    def _doing(self, what: str, payload: Any) -> bytes:
        if what == OPEN:
            return self._open(payload)
        return self._columns(payload) if what == COLUMNS else self._answer(payload)

    def _open(self, make: "Callable[[], Predictions]") -> bytes:
        from plumbline.workbench.questions import TableQuestions

        table = make()
        if table.stored > self.limits.rows:
            raise RefusedError("limit", too_many_rows(table.stored, self.limits))
        self.questions = TableQuestions(
            table, name=self.name, read=getattr(make, "how_read", dict)()
        )
        self.opening = tuple(self.heard)
        return json.dumps(self._with_warnings({})).encode()

    def _columns(self, look: Callable[[], dict[str, Any]]) -> bytes:
        columns = look()
        if (columns["rows"] or 0) > self.limits.rows:
            raise RefusedError("limit", too_many_rows(columns["rows"], self.limits))
        return _json_bytes(self._with_warnings(columns))

    def _answer(self, question: bytes) -> bytes:
        if self.questions is None:
            raise RefusedError("gone", GONE)
        from plumbline.workbench.wire import encode

        params = json.loads(question)
        answer = self.questions.answer(params, progress=self._progress)
        if params["kind"] == "about":  # every page's first question, so every page hears of it
            self.heard |= dict.fromkeys(self.opening)
        return encode(self._with_warnings(answer))

    def _with_warnings(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Add what the library said on the way; an answer's own warnings go first."""
        if not self.heard:
            return answer
        return {**answer, "warnings": [*answer.get("warnings", []), *self.heard]}

    def _progress(self, done: int, total: int) -> None:
        self.heed()
        now = time.monotonic()
        if now - self._told >= MOST_OFTEN:
            self._told = now
            payload = json.dumps({"done": int(done), "total": int(total)}).encode()
            self._send(self.at, PROGRESS, payload)
            self.heed()

    def _why(self, error: BaseException) -> bytes:
        return _json_bytes(failure_of(error, self.limits))

    def _send(self, number: int, letter: bytes, payload: bytes) -> None:
        with self._sending:  # also keeps an interrupt from cutting a message in two
            self.link.send_bytes(HEADER.pack(number, letter) + payload)


def _pickled(values: dict[Any, Any]) -> bytes:
    """Return what was made as bytes, as much of it as is not too large to be sent."""
    kept, left = {}, MOST_REMEMBERED
    for key, value in values.items():
        with contextlib.suppress(Exception):  # what cannot be sent is made again when it is wanted
            size = len(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
            if size <= left:
                kept[key], left = value, left - size
    return pickle.dumps(kept, pickle.HIGHEST_PROTOCOL)


def _end_with_parent() -> None:
    """Let the system end this process when the one that it is a copy of ends."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def is_unbreakable(frame: FrameType | None) -> bool:
    """Tell whether a module is being imported, or a function compiled, where a signal came."""
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and name.split(".", 1)[0] in UNBREAKABLE:
            return True
        frame = frame.f_back
    return False


def _json_bytes(answer: dict[str, Any]) -> bytes:
    from plumbline._result import jsonable

    return json.dumps(jsonable(answer)).encode()


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
            worker.heard[message.worded(BROWSER)] = None
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
