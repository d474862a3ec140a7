"""What the system refuses is one sentence and exit status 2, and signals leave nothing behind."""

import errno
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline import atomic_files
from plumbline.atomic_files import STALE_SECONDS, TEMPORARY, write_whole
from plumbline.cli import main
from plumbline.cli.messages import remembered_signals
from plumbline.cli.program import OBJECTS, rare_collections
from refusals import refused

LONG = "a" * 300


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Write a small table."""
    path = tmp_path_factory.mktemp("system") / "table.csv"
    pb.Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.7, 0.4, 0.6], classes=[0, 1]).write(path)
    return path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{plumbline} scores {table} > /dev/full", "No space left on device"),
        ("{plumbline} scores {table} >&-", "standard output is closed"),
        ("mkdir gone; cd gone; rmdir ../gone; {plumbline} scores table.csv", "current folder"),
    ],
)
def test_streams_and_folders_that_are_not_there(line, said, table, tmp_path, monkeypatch):
    """A full device, a closed stream and a deleted working directory are said in one line."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    words = line.format(plumbline=f"{sys.executable} -m plumbline", table=table)
    ran = subprocess.run(
        ["bash", "-c", words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert said in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        "report {table} --out {long}.html",
        "scores {long}.csv",
        "serve {long}.csv",
        "state update {long}.state {table}",
        "demo --out {long}",
        "recalibrate {table} --save-map {long}.json",
    ],
)
def test_a_name_that_no_file_can_have(command, table):
    """Wherever a command names a file, a name that is too long is one sentence."""
    ran = CliRunner().invoke(main, command.format(table=table, long=LONG).split())
    assert ran.exit_code == 2
    assert len(ran.stderr.splitlines()) == 1


def test_what_went_wrong_is_not_hidden_by_the_clearing_up(monkeypatch, tmp_path):
    """On a file system that turned read-only the temporary file cannot be removed either."""

    def read_only(self, **_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self))

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "unlink", read_only)
    with refused(pb.InputError, "not-writable", "No space left on device"):
        write_whole(tmp_path / "a.csv", full)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary_file(number, tmp_path):
    """SIGTERM and SIGHUP end the work as Ctrl-C does, with the status that shells expect."""
    usual = signal.signal(number, signal.SIG_DFL)  # it may be ignored, as under nohup
    try:
        with remembered_signals(), pytest.raises(SystemExit) as ended:
            write_whole(tmp_path / "a.csv", lambda _: os.kill(os.getpid(), number))
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, usual)
    assert ended.value.code == 128 + number
    assert [*tmp_path.iterdir()] == []


def test_a_signal_that_is_ignored_stays_so():
    """What `nohup` made the process ignore does not end it."""
    usual = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with remembered_signals():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, usual)


def test_what_a_killed_writer_left_is_swept_by_the_next(tmp_path):
    """A temporary file of yesterday goes; one of a writer that may be at work stays."""
    old, new = (tmp_path / f"{TEMPORARY}{name}" for name in ("old", "new"))
    for path in (old, new):
        path.write_text("half")
    before = time.time() - STALE_SECONDS - 60
    os.utime(old, (before, before))
    atomic_files.write_whole(tmp_path / "a.csv", lambda path: path.write_text("whole"))
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", new.name}


def test_only_while_a_command_runs_unreachable_objects_are_sought_rarely():
    """Whoever calls the command in a process of theirs finds Python's settings as they were."""
    before = gc.get_threshold()
    try:
        for own, meanwhile in ((700, OBJECTS), (10**6, 10**6), (0, 0)):  # 0 is never
            gc.set_threshold(own, *before[1:])
            with rare_collections():
                assert gc.get_threshold() == (meanwhile, *before[1:])
            assert gc.get_threshold() == (own, *before[1:])
    finally:
        gc.set_threshold(*before)


def test_nothing_is_sought_when_a_process_ends_after_a_command():
    """However many commands a process ran: what is there then is looked at no more."""
    code = """
import atexit, gc
atexit.register(lambda: print(len(gc.get_objects()) < 1_000, gc.get_freeze_count() > 1_000))
from plumbline.cli import main
for _ in range(2):
    try:
        main(["--version"])
    except SystemExit:
        pass
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "True True"
