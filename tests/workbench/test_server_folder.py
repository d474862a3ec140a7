"""The folder of uploads goes with its server, also when the server could not see to it."""

import os

from plumbline.workbench.server.folder import LOCK, Folder


def test_what_a_dead_server_left_is_removed_and_nothing_else(tmp_path, monkeypatch):
    """A folder whose lock is free is nobody's; one that is held, or has none, is left alone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    alive, dead = Folder(), Folder()
    os.close(dead._lock)  # as the system does when a process ends
    upload = dead.new(".csv")
    upload.write_text("secret")
    foreign = tmp_path / "plumbline-notes-of-mine"
    foreign.mkdir()
    (tmp_path / "plumbline-1-link").symlink_to(foreign)
    (foreign / LOCK).write_text("")
    (foreign / LOCK).chmod(0o000)
    later = Folder()
    assert not dead.path.exists()
    assert alive.path.is_dir()
    assert f"-{os.getpid()}-" in alive.path.name
    for one in (alive, later):
        one.remove()
        one.remove()
        assert not one.path.exists()
    assert (tmp_path / "plumbline-1-link").is_symlink()


def test_the_way_to_the_page_is_private(tmp_path, monkeypatch):
    """A browser is led to the address by a file that only this user can read."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = Folder()
    way = folder.way_to("http://127.0.0.1:1/secret/")
    assert 'content="0;url=http://127.0.0.1:1/secret/"' in way.read_text()
    assert way.stat().st_mode & 0o777 == 0o600
    assert folder.path.stat().st_mode & 0o777 == 0o700
    folder.remove()
