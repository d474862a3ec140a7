"""A table's process: limits that hold, and work that stops."""

import json
import os
import queue
import time
from functools import partial
from multiprocessing import Pipe

import numpy as np
import psutil
import pyarrow as pa
import pytest
from loans import loans
from pyarrow import parquet

import plumbline as pb
from plumbline.synthetic.example_tables import example
from plumbline.workbench import Limits, decode
from plumbline.workbench.server import worker
from plumbline.workbench.server.link import LATER, Link
from plumbline.workbench.server.source import FileColumns, Uploaded
from serving import limited, wait_until


@pytest.fixture(scope="module")
def link():
    """A worker with little memory."""
    limits = Limits(memory_bytes=300 << 20, grace_seconds=0.3)
    link = Link(limits, name="example")
    yield link
    link.close()
    link.join()


def asked(link, what, payload, **more):
    """Ask and return where the words arrive."""
    heard = queue.Queue()
    job = link.ask(what, payload, tell=lambda *said: heard.put(said), **more)
    return job, heard


def last(heard):
    """Return the last word: the letter, and what was said."""
    letter = worker.PROGRESS
    while letter == worker.PROGRESS:
        letter, said = heard.get(timeout=20)
    return letter, json.loads(said) if letter == worker.FAILURE else said


def about(link):
    """Ask what the table holds."""
    return last(asked(link, worker.ASK, b'{"kind": "about"}')[1])


def opened(link):
    """Open the example."""
    assert last(asked(link, worker.OPEN, partial(example, "overconfident"))[1])[0] == worker.ANSWER


def test_memory_has_a_limit(link):
    """Work that takes too much is refused with what to do; the table opens again by itself."""
    opened(link)
    first = link.pid
    letter, why = last(asked(link, worker.COLUMNS, partial(bytearray, 400 << 20))[1])
    assert (letter, why["kind"]) == (worker.FAILURE, "limit")
    assert "--max-memory-gb" in why["message"]
    assert about(link)[0] == worker.ANSWER
    assert link.pid != first, "whatever held the memory is gone"


def test_a_file_beyond_the_memory_is_not_called_damaged(tmp_path):
    """Parquet of few bytes and many rows: the message names the limit and its option."""
    path = tmp_path / "long.parquet"
    part = pa.table({"actual": np.zeros(1_000_000), "p:1": np.ones(1_000_000)})
    with parquet.ParquetWriter(path, part.schema) as file:
        for _ in range(40):
            file.write_table(part)
    assert path.stat().st_size < 1 << 20
    link = Link(Limits(memory_bytes=300 << 20), name="long.parquet")
    try:
        for what, payload in (
            (worker.COLUMNS, FileColumns(path)),
            (worker.OPEN, Uploaded(path, {})),
        ):
            letter, why = last(asked(link, what, payload)[1])
            assert (letter, why["kind"]) == (worker.FAILURE, "limit")
            assert "--max-memory-gb" in why["message"]
    finally:
        link.close()
        link.join()


def test_time_has_a_limit_that_a_deaf_worker_cannot_escape(link):
    """One step of work that heeds nothing is ended with its process."""
    opened(link)
    first = link.pid
    start = time.monotonic()
    with limited(link, seconds=0.3):  # opening may take what it takes
        letter, why = last(asked(link, worker.COLUMNS, partial(pow, 3, 300_000_000))[1])
    assert (letter, why["kind"]) == (worker.FAILURE, "limit")
    assert "--max-seconds" in why["message"]
    assert time.monotonic() - start < 60  # the power alone takes minutes
    assert about(link)[0] == worker.ANSWER
    assert link.pid != first


def test_what_is_cancelled_stops_at_once_and_nothing_else_does(link):
    """A cancel reaches work that waits, and only the work that it is about."""
    opened(link)
    first = link.pid
    job, heard = asked(link, worker.COLUMNS, partial(time.sleep, 30))
    time.sleep(0.1)
    link.cancel(job)
    assert last(heard)[1]["kind"] == "cancelled"
    link.cancel(job)
    assert about(link)[0] == worker.ANSWER
    assert link.pid == first


def test_a_cancel_never_cuts_an_import_in_two(link, tmp_path):
    """What is being imported is finished first; half a module would be broken for good."""
    code = "import time\ncut = 0\ntry: time.sleep(0.2)\nexcept BaseException: cut = 1\n"
    (tmp_path / "slow_to_import.py").write_text(code)
    opened(link)
    first = link.pid
    words = (
        f"(__import__('sys').path.insert(0, {str(tmp_path)!r}), "
        "{'rows': __import__('slow_to_import').cut}, __import__('time').sleep(after))[1]"
    )
    job, heard = asked(link, worker.COLUMNS, partial(eval, words, {"after": 30}))
    time.sleep(0.1)
    link.cancel(job)
    assert last(heard)[1]["kind"] == "cancelled", "it was stopped right after the import"
    letter, found = last(asked(link, worker.COLUMNS, partial(eval, words, {"after": 0}))[1])
    assert (letter, json.loads(found)) == (worker.ANSWER, {"rows": 0})
    assert link.pid == first


def test_a_worker_that_does_not_read_holds_nobody_up(link):
    """Asking and cancelling take no time, whatever the worker does."""
    opened(link)
    process = psutil.Process(link.pid)
    process.suspend()
    try:
        start = time.monotonic()
        jobs = [asked(link, worker.ASK, b" " * (2 << 20))[0] for _ in range(3)]
        time.sleep(0.1)
        for job in jobs:
            link.cancel(job)
        assert link.busy
        assert time.monotonic() - start < 15  # else for ever: the pipe is full
    finally:
        process.resume()
    assert about(link)[0] == worker.ANSWER


@pytest.mark.parametrize(
    ("error", "code"), [(MemoryError, worker.NO_MEMORY), (EOFError, 0), (ValueError, 1)]
)
def test_a_worker_that_cannot_listen_ends(monkeypatch, error, code):
    """It would read nothing any more, and nobody would know."""

    class Broken:
        def __init__(self):
            self.end, self.other = Pipe()
            self.other.send_bytes(b"something to hear")

        def fileno(self):
            return self.end.fileno()

        def recv(self):
            raise error

    def leave(code):
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", leave)
    with pytest.raises(SystemExit) as left:
        worker.Worker(Broken(), Limits(), "x").listen()
    assert left.value.code == code


def test_a_library_that_gets_no_memory_is_out_of_memory(link):
    """What ends the process by itself for want of memory is said as that."""
    opened(link)
    letter, why = last(asked(link, worker.COLUMNS, os.abort)[1])
    assert (letter, why["kind"]) == (worker.FAILURE, "limit")
    assert about(link)[0] == worker.ANSWER


def test_what_waits_in_line_and_is_cancelled_is_never_begun(link):
    """A job that nobody waits for costs nothing."""
    opened(link)
    _, slow = asked(link, worker.COLUMNS, partial(time.sleep, 0.3))
    job, heard = asked(link, worker.COLUMNS, partial(time.sleep, 30))
    link.cancel(job)
    last(slow)
    assert about(link)[0] == worker.ANSWER
    assert heard.empty()


def test_thumbnails_wait_behind_the_others(link):
    """What is asked for later comes later, in the order in which it was asked."""
    opened(link)
    order = []
    question = b'{"kind": "about"}'
    _, slow = asked(link, worker.COLUMNS, partial(time.sleep, 0.2))
    done = queue.Queue()
    for name, place in (("a", LATER), ("b", LATER), ("c", 0), ("d", 0)):
        link.ask(worker.ASK, question, tell=lambda *_, name=name: done.put(name), place=place)
    last(slow)
    order = [done.get(timeout=20) for _ in range(4)]
    assert order == ["c", "d", "a", "b"]


def test_what_the_library_warns_of_reaches_the_reader(link):
    """A warning of the table comes with its opening and its description, with nothing else."""
    shares = np.tile([[0.25, 0.75]], (40, 1))
    make = partial(pb.Predictions.from_logits, ["a", "b"] * 20, shares)
    with pytest.warns(pb.PlumblineWarning) as said:
        make()
    letter, found = last(asked(link, worker.OPEN, make)[1])
    assert letter == worker.ANSWER
    assert json.loads(found)["warnings"] == [str(one.message) for one in said]
    assert decode(about(link)[1])["warnings"] == [str(one.message) for one in said]
    assert "warnings" not in decode(last(asked(link, worker.ASK, b'{"kind": "rows"}')[1])[1])


def test_an_unexpected_error_is_a_crash_in_plain_words(link):
    """What nobody raised on purpose has a sentence of its own and ends no process."""
    opened(link)
    first = link.pid
    letter, why = last(asked(link, worker.COLUMNS, partial(divmod, 1, 0))[1])
    assert (letter, why["kind"]) == (worker.FAILURE, "crash")
    assert "ZeroDivisionError" not in why["message"]
    assert link.pid == first


def test_a_closed_link_says_so_to_those_who_wait():
    """Nobody waits for ever."""
    link = Link(Limits(), name="example")
    _, at_work = asked(link, worker.COLUMNS, partial(time.sleep, 30))
    _, in_line = asked(link, worker.COLUMNS, partial(time.sleep, 30))
    time.sleep(0.1)
    link.close()
    assert last(at_work)[1]["kind"] == "gone"
    assert last(in_line)[1]["kind"] == "gone"
    link.join()
    assert link.pid is None


# ------------------------------------------------------------------ long questions


CURVE = {"x": "threshold", "y": "cumm(amount_requested if eP else -1)"}
READING = {"kind": "reading", "curve": CURVE, "threshold": 0.5}
LONG = {"kind": "test", "resamples": 9999}
ENDLESS = {"kind": "curve", "curve": {"preset": "roc", "band": "bootstrap", "resamples": 9999}}
BANDED = {
    "kind": "curve",
    "width": 100,
    "curve": {"preset": "roc", "band": "bootstrap", "resamples": 300},
}


@pytest.fixture(scope="module")
def loaded():
    """A link whose table makes some questions last for seconds."""
    link = Link(Limits(seconds=60, grace_seconds=0.3, long_questions=2), name="loans")
    assert last(asked(link, worker.OPEN, partial(loans, 20_000))[1])[0] == worker.ANSWER
    last(asked(link, worker.ASK, json.dumps(READING).encode())[1])
    yield link
    link.close()
    link.join()


def wanted(link, question):
    """Ask as the server does; return the job and where the words arrive."""
    what = worker.ASIDE if worker.takes_long(question) else worker.ASK
    return asked(link, what, json.dumps(question).encode())


def helpers(link):
    """Return the processes that are at work on long questions."""
    return psutil.Process(link.pid).children()


def test_a_reading_does_not_wait_for_a_long_question(loaded):
    """It is answered while two long ones, held up, are at work; these get their answers too."""
    long = [wanted(loaded, LONG | {"resamples": 1000 + n})[1] for n in range(2)]
    assert wait_until(lambda: len(helpers(loaded)) == 2)
    at_work = helpers(loaded)
    for helper in at_work:
        helper.suspend()
    letter, _ = last(wanted(loaded, READING | {"threshold": 0.4})[1])
    assert letter == worker.ANSWER
    for helper in at_work:
        helper.resume()
    assert [last(heard)[0] for heard in long] == [worker.ANSWER] * 2
    assert wait_until(lambda: not helpers(loaded))
    assert not loaded.busy


def test_what_replaces_a_long_question_ends_it(loaded):
    """A helper whose answer nobody wants is gone at once; its place goes to the next."""
    jobs = [wanted(loaded, LONG | {"resamples": 9100 + n}) for n in range(2)]
    waiting = wanted(loaded, {"kind": "test", "resamples": 99})
    assert wait_until(lambda: len(helpers(loaded)) == 2)
    for job, _ in jobs:
        loaded.cancel(job)
    assert last(waiting[1])[0] == worker.ANSWER
    assert [last(heard)[1]["kind"] for _, heard in jobs] == ["cancelled"] * 2
    assert wait_until(lambda: not helpers(loaded))


def test_what_a_helper_made_is_not_made_again(loaded):
    """A curve with its band comes back, so that readings of it need no second bootstrap."""
    done = last(wanted(loaded, BANDED)[1])
    assert done[0] == worker.ANSWER
    reading = {"kind": "reading", "curve": BANDED["curve"], "threshold": 0.5}
    again = last(wanted(loaded, BANDED)[1])
    assert last(wanted(loaded, reading)[1])[0] == worker.ANSWER
    _, heard = wanted(loaded, BANDED | {"width": 60})
    letters = [heard.get(timeout=20)[0]]
    assert letters == [worker.ANSWER], "no progress: nothing was drawn anew"
    assert decode(again[1])["lines"][0]["n"] == decode(done[1])["lines"][0]["n"]


def test_a_helper_that_dies_costs_its_question_alone(loaded):
    """Killed by the system it was out of memory; the table and the others go on."""
    first = loaded.pid
    assert wait_until(lambda: not helpers(loaded)), "those of earlier questions are gone"
    _, heard = wanted(loaded, ENDLESS)
    assert wait_until(lambda: len(helpers(loaded)) == 1)
    (helper,) = helpers(loaded)
    _, other = wanted(loaded, LONG | {"resamples": 99})
    psutil.Process(helper.pid).kill()
    letter, why = last(heard)
    assert (letter, why["kind"]) == (worker.FAILURE, "limit")
    assert last(other)[0] == worker.ANSWER
    assert loaded.pid == first


def test_a_long_question_outlives_its_table_once(loaded):
    """Where the table's own process is killed, the question is asked again of the next."""
    first = loaded.pid
    _, heard = wanted(loaded, LONG | {"resamples": 600})
    assert wait_until(lambda: helpers(loaded))
    psutil.Process(first).kill()
    assert last(heard)[0] == worker.ANSWER
    assert loaded.pid != first


def test_a_worker_that_died_unseen_costs_no_question(loaded, monkeypatch):
    """The system may tell of an end late: what the dead one never read is asked of the next."""
    first = psutil.Process(loaded.pid)
    first.kill()
    assert wait_until(lambda: not first.is_running())
    late = iter([True])
    monkeypatch.setattr(loaded, "_alive", lambda: next(late, False))
    assert about(loaded)[0] == worker.ANSWER
    assert loaded.pid != first.pid


def test_a_long_question_has_a_time_limit(loaded):
    """Its helper is ended, and the message says how long it may take."""
    assert about(loaded)[0] == worker.ANSWER
    with limited(loaded, seconds=0.3):
        letter, why = last(wanted(loaded, LONG)[1])
    assert (letter, why["kind"]) == (worker.FAILURE, "limit")
    assert "--max-seconds" in why["message"]


def test_helpers_end_with_their_table():
    """A table that is closed leaves no process behind, and who waits is told."""
    link = Link(Limits(), name="loans")
    last(asked(link, worker.OPEN, partial(loans, 4000))[1])
    _, heard = wanted(link, LONG)
    assert wait_until(lambda: helpers(link))
    (helper,) = helpers(link)
    link.close()
    assert last(heard)[1]["kind"] == "gone"
    link.join()
    assert wait_until(lambda: not helper.is_running())
