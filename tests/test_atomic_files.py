"""Files that are written whole, with the permissions they had, by one process at a time."""

import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

from plumbline.atomic_files import one_writer, write_whole
from plumbline.errors import InputError
from refusals import refused

HOLD = """
import sys, time
from pathlib import Path
from plumbline.atomic_files import one_writer
with one_writer(Path(sys.argv[1]), waiting=lambda: None):
    print("held", flush=True)
    time.sleep(600)
"""


def mode_of(path):
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o400, 0o755])
def test_a_file_that_is_written_again_keeps_its_permissions(tmp_path, mode):
    """Whatever they are, also where the writer cannot open the old file."""
    path = tmp_path / "table.csv"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, lambda part: part.write_text("new"))
    assert path.read_text() == "new"
    assert mode_of(path) == mode


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path, umask):
    """As if any other program had made it."""
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "table.csv", lambda part: part.write_text("new"))
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "table.csv") == 0o666 & ~umask


def test_a_private_file_is_never_readable_while_it_is_written(tmp_path):
    """The temporary file beside it is the user's alone."""
    path, seen = tmp_path / "table.csv", []
    path.write_text("old")
    path.chmod(0o600)
    write_whole(path, lambda part: seen.append(mode_of(part)))
    assert seen == [0o600]


@pytest.mark.parametrize("same_group", [True, False])
def test_permissions_of_a_group_that_cannot_be_kept_do_not_go_to_another(
    tmp_path, monkeypatch, same_group
):
    """Only root gives files away; others keep the group where they belong to it."""
    path = tmp_path / "table.csv"
    path.write_text("old")
    path.chmod(0o664)
    kept = path.stat()

    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse)
    before = os.stat_result([*kept[:5], kept.st_gid + (not same_group), *kept[6:10]])
    monkeypatch.setattr("plumbline.atomic_files._status", lambda _: before)
    write_whole(path, lambda part: part.write_text("new"))
    assert mode_of(path) == (0o664 if same_group else 0o644)


def test_a_second_writer_waits_and_says_so(tmp_path):
    """Both write, one after the other; then nothing is left of the lock."""
    path, said, order = tmp_path / "day.state", [], []
    entered = threading.Event()

    def second():
        entered.set()
        with one_writer(path, waiting=lambda: said.append(1), patience=0.1):
            order.append("second")

    with one_writer(path, waiting=lambda: None):
        other = threading.Thread(target=second)
        other.start()
        entered.wait()
        other.join(0.5)
        order.append("first")
    other.join(30)
    assert order == ["first", "second"]
    assert said == [1]
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path):
    """The system gives it back, and the file that it left is taken over."""
    path = tmp_path / "day.state"
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        other.send_signal(signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) == 1
    with one_writer(path, waiting=lambda: pytest.fail("nobody has the lock")):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_locked_is_refused(tmp_path):
    """Before the work."""
    with (
        refused(InputError, "no-such-folder"),
        one_writer(tmp_path / "none" / "day.state", waiting=lambda: None),
    ):
        pass
