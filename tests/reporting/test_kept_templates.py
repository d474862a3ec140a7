"""Compiled templates on disk: what is damaged or of another form there is compiled anew."""

import sys

import pytest
from jinja2 import DictLoader, Environment

from damages import damaged
from plumbline.reporting.kept_templates import KeptTemplates

TEXT = {"page": "{% for i in range(3) %}{{ i }}{{ word }}{% endfor %}"}


def filled(folder, monkeypatch, form="one"):
    """Return a filled template, and how often Jinja compiled, in an environment of its own."""
    times = []
    compiled = Environment.compile

    def counted(*arguments, **more):
        times.append(1)
        return compiled(*arguments, **more)

    kept = KeptTemplates(folder, form)
    environment = Environment(loader=DictLoader(TEXT), bytecode_cache=kept, autoescape=True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", False)
        patch.setattr(Environment, "compile", counted)
        return environment.get_template("page").render(word="a"), len(times)


def test_a_template_is_compiled_once_a_form(tmp_path, monkeypatch):
    """The second environment finds it; one of another form does not."""
    folder = tmp_path / "kept"
    assert filled(folder, monkeypatch) == ("0a1a2a", 1)
    assert filled(folder, monkeypatch) == ("0a1a2a", 0)
    assert filled(folder, monkeypatch, "other") == ("0a1a2a", 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_template_is_compiled_anew(tmp_path, monkeypatch, seed):
    """Truncated, empty or changed, it is never run."""
    filled(tmp_path, monkeypatch)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damaged(file.read_bytes(), seed) if seed else b"")
    assert filled(tmp_path, monkeypatch) == ("0a1a2a", 1)
    assert filled(tmp_path, monkeypatch) == ("0a1a2a", 0)


def test_without_a_place_nothing_is_kept(tmp_path, monkeypatch):
    """A file in the place of the folder costs the time only."""
    (tmp_path / "file").write_text("")
    for _ in range(2):
        assert filled(tmp_path / "file", monkeypatch) == ("0a1a2a", 1)
