"""The server's end of a worker: what is asked waits in line, what is unwanted is stopped.

A `Link` is used by the event loop and never makes it wait: one thread of its own talks with the
worker. A worker that dies, or that does not stop when it must, is replaced by a new one from the
same source, so that only the question at hand is lost. Long questions have a line of their own:
helpers of the worker answer them, a few at once, and nobody waits for them but who asked.
"""

import heapq
import itertools
import json
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from plumbline.workbench.server import worker
from plumbline.workbench.server.failures import (
    CRASHED,
    GONE,
    failure_bytes,
    too_long,
    too_much_memory,
)
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.server.processes import context

POLL_SECONDS = 0.02  # seconds between two looks at the clock, and at who waits no more
PATIENCE = 30.0  # seconds that a worker may take to read one message
SOON, LATER = 0, 1  # places in line
Tell = Callable[[bytes, bytes], None]


@dataclass(eq=False, slots=True)
class Job:
    """One thing asked of a worker.

    Attributes
    ----------
    number : of this job among all of its link
    what, payload : as the worker is told them
    place : the place in line; a lower one goes first
    tell : whom to tell of progress, and once of the answer or the failure; called in a thread
    unwanted : whether nobody waits for it any more
    yielding : whether it only made way and will be asked again
    due : when a helper must have answered
    dropped : whether its helper was told to stop; lost : whether it went down with a worker
    """

    number: int
    what: str
    payload: Any
    place: int
    tell: Tell
    unwanted: bool = False
    yielding: bool = False
    due: float = 0.0
    dropped: bool = False
    lost: bool = False


class WorkerDiedError(Exception):
    """The worker is gone."""


class Link:
    """A table's worker, and the line of those who ask it."""

    def __init__(self, limits: Limits, *, name: str) -> None:
        self.limits, self.name = limits, name
        self.source: Callable[[], Any] | None = None  # what opened the table
        self._line: list[tuple[int, int, Job]] = []
        self._long: deque[Job] = deque()
        self._helped: dict[int, Job] = {}  # at work on by helpers; the thread's own
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._at: Job | None = None
        self._closed = False
        self._process: Any = None
        self._wire: Connection | None = None
        self._thread = threading.Thread(target=self._serve, name="table", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ for the event loop

    def ask(self, what: str, payload: Any, *, tell: Tell, place: int = SOON) -> Job:
        """Put a job in line; it makes a less urgent one that is being done step back."""
        with self._changed:
            job = Job(next(self._numbers), what, payload, place, tell)
            if what == worker.ASIDE and worker.HELPERS:
                self._long.append(job)
                self._changed.notify()
                return job
            if what == worker.ASIDE:
                job.what = worker.ASK
            heapq.heappush(self._line, (place, job.number, job))
            at = self._at
            if at is not None and at.what == worker.ASK and at.place > place and not at.unwanted:
                at.yielding = True
            self._changed.notify()
        return job

    def cancel(self, job: Job) -> None:
        """Stop a job, or take it out of the line."""
        job.unwanted = True  # the thread looks at it; nothing is sent from here

    @property
    def busy(self) -> bool:
        """Whether something is being done or waits."""
        with self._changed:
            return self._at is not None or bool(self._line or self._long or self._helped)

    @property
    def pid(self) -> int | None:
        """The worker's process, None where there is none now."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the worker, whatever it does; nobody gets an answer any more."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait until a closed link's worker is gone."""
        self._thread.join(10)

    # ------------------------------------------------------------ in the thread

    def _serve(self) -> None:
        while (job := self._next()) is not None:
            if job is HELPERS:
                self._attend()
                continue
            try:
                letter, payload = self._done(job)
            except (WorkerDiedError, OSError, EOFError):  # the last two: no process could start
                letter, payload = worker.FAILURE, self._why_died()
            with self._changed:
                self._at = None
                again = job.yielding and not job.unwanted and letter == worker.FAILURE
                job.yielding = False
                if again and not self._closed and _kind(payload) == "cancelled":
                    job.number = next(self._numbers)
                    heapq.heappush(self._line, (job.place, job.number, job))
                    continue
            job.tell(letter, payload)
        self._end_process()
        for job in (*(one for _, _, one in self._line), *self._long):
            job.tell(worker.FAILURE, failure_bytes("gone", GONE))

    def _next(self) -> Job | None:
        with self._changed:
            while True:
                while not (self._line or self._long or self._helped or self._closed):
                    self._changed.wait()
                if self._closed:
                    return None
                if not self._line:
                    return HELPERS
                self._at = heapq.heappop(self._line)[2]
                if not self._at.unwanted:
                    return self._at
                self._at = None

    def _done(self, job: Job) -> tuple[bytes, bytes]:
        """Do a job in a worker that has the table; return what the worker says last."""
        if (why := self._ready(job)) is not None:
            return why
        try:
            self._send((job.number, job.what, job.payload))
        except WorkerDiedError:  # it died before it heard of this job: nothing is lost
            self._end_process()
            if (why := self._ready(job)) is not None:
                return why
            self._send((job.number, job.what, job.payload))
        letter, payload = self._heard(job, watch=job)
        if letter == worker.ANSWER and job.what == worker.OPEN:
            self.source = job.payload
        if letter == worker.FAILURE and _kind(payload) == "limit":
            self._end_process()  # what it still holds may be the reason
        return letter, payload

    def _ready(self, job: Job) -> tuple[bytes, bytes] | None:
        """Have a worker that holds the table; return why there is none."""
        if self._alive():
            return None
        self._start()
        if self.source is None or job.what == worker.OPEN:
            return None
        again = Job(next(self._numbers), worker.OPEN, self.source, SOON, _nobody)
        self._send((again.number, again.what, again.payload))
        letter, payload = self._heard(again, watch=job)
        if letter == worker.ANSWER:
            return None
        self._end_process()
        return letter, payload

    def _attend(self) -> None:
        """Be there for the helpers while nothing else is to be done."""
        try:
            with self._changed:
                first = self._long[0] if self._long else None
            if first is not None and (why := self._ready(first)) is not None:
                with self._changed:
                    self._long.popleft()
                first.tell(*why)
                return
            self._direct()
            self._receive(None)
        except (WorkerDiedError, OSError, EOFError):
            self._why_died()

    def _direct(self) -> None:
        """Begin long questions as helpers are free; stop those that are late or unwanted."""
        now, begun = time.monotonic(), []
        with self._changed:
            while self._long and self._alive() and len(self._helped) < self.limits.long_questions:
                job = self._long.popleft()
                if not job.unwanted:
                    job.due = now + self.limits.seconds
                    self._helped[job.number] = job
                    begun.append(job)
        for job in begun:
            self._send((job.number, worker.ASIDE, job.payload))
        for job in self._helped.values():
            if (job.unwanted or now > job.due) and not job.dropped:
                job.dropped = True
                self._send((job.number, worker.DROP, None))

    def _from_helper(self, job: Job, letter: bytes, payload: bytes) -> None:
        if letter != worker.PROGRESS:
            with self._changed:
                self._helped.pop(job.number, None)
            if letter == worker.FAILURE and job.dropped and not job.unwanted:
                letter, payload = self._timed_out()
        job.tell(letter, payload)

    def _heard(self, job: Job, *, watch: Job) -> tuple[bytes, bytes]:
        """Wait for the answer to a job, as long as it may take and `watch` is wanted."""
        due, over, yield_sent = time.monotonic() + self.limits.seconds, None, False
        while True:
            if job.what != worker.OPEN:
                self._direct()
            received = self._receive(job)
            if received is not None:
                late = over is not None and received[0] == worker.FAILURE and not watch.unwanted
                return self._timed_out() if late and not watch.yielding else received
            now = time.monotonic()
            if over is None and (watch.unwanted or now > due):
                self._send((job.number, worker.CANCEL, None))
                over = now + self.limits.grace_seconds
            if watch.yielding and job is watch and not yield_sent:
                self._send((job.number, worker.CANCEL, None))
                yield_sent = True
            if over is not None and now > over:
                self._end_process()
                return self._timed_out()

    def _receive(self, job: Job | None) -> tuple[bytes, bytes] | None:
        """Return the last word about a job if it comes soon; pass progress on."""
        try:
            if self._wire is None:
                raise WorkerDiedError
            if not self._wire.poll(POLL_SECONDS):
                return None
            raw = self._wire.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerDiedError from error
        number, letter = worker.HEADER.unpack_from(raw)
        payload = raw[worker.HEADER.size :]
        if number in self._helped:
            self._from_helper(self._helped[number], letter, payload)
            return None
        if job is None or number != job.number:
            return None
        if letter == worker.PROGRESS:
            job.tell(letter, payload)
            return None
        return letter, payload

    def _timed_out(self) -> tuple[bytes, bytes]:
        return worker.FAILURE, failure_bytes("limit", too_long(self.limits))

    def _send(self, message: tuple[int, str, Any]) -> None:
        """Tell the worker something; one that does not take it in time is ended."""
        process = self._process
        if self._wire is None or process is None:
            raise WorkerDiedError
        ending = threading.Timer(PATIENCE, process.kill)
        ending.daemon = True
        ending.start()
        try:
            self._wire.send(message)
        except OSError as error:
            raise WorkerDiedError from error
        finally:
            ending.cancel()

    def _alive(self) -> bool:
        return self._process is not None and bool(self._process.is_alive())

    def _start(self) -> None:
        self._end_process()
        ours, theirs = multiprocessing.Pipe()
        arguments = (theirs, self.limits, self.name)
        process = context().Process(target=worker.run, args=arguments, daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        with self._changed:
            self._process, self._wire = process, ours
            if self._closed:
                process.kill()

    def _end_process(self) -> None:
        with self._changed:
            process, self._process = self._process, None
            wire, self._wire = self._wire, None
            left, self._helped = list(self._helped.values()), {}
        if process is not None:
            process.kill()
            process.join(10)
            process.close()
        if wire is not None:
            wire.close()
        for job in left:  # a helper ends with its worker; its question is asked once more
            if job.lost and not self._closed:
                job.tell(worker.FAILURE, failure_bytes("crash", CRASHED))
            elif not job.unwanted:
                job.lost = True
                with self._changed:
                    self._long.appendleft(job)

    def _why_died(self) -> bytes:
        """Say why the worker is gone in the middle of a question."""
        process = self._process
        if process is not None:
            process.join(10)
        code = None if process is None else process.exitcode
        self._end_process()
        if self._closed:
            return failure_bytes("gone", GONE)
        if code in worker.STARVED:
            return failure_bytes(
                "limit", f"The operating system stopped the work. {too_much_memory(self.limits)}"
            )
        return failure_bytes("crash", CRASHED)


HELPERS = Job(0, "", None, SOON, lambda *_: None)  # there is nothing to do but to be there for them


def _kind(failed: bytes) -> str:
    return str(json.loads(failed)["kind"])


def _nobody(_letter: bytes, _payload: bytes) -> None:
    """Tell nobody: the table is opened again without a word."""
