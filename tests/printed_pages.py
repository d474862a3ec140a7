"""Pages of the docs show what commands print: the check, and how the pages are renewed.

    PLUMBLINE_SNAPSHOTS=write .venv/bin/python -m pytest -n 0 tests/cli

writes the answers anew, all but long ones that leave lines out (...); read what changed before
you keep it.
"""

import doctest
import os
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from plumbline.cli import main

LONG = 40  # lines
# An editable installation keeps the version of the day it was made; tests/test_repository.py
# compares that of the page.
VERSION = re.compile(r'(?<="plumbline": ")[^"]+')
ANSWERED = r"^\$ plumbline (.+)\n([^$]*?)(?=^\$|^```)"


def shown_on(page):
    """Return the command lines of a page with the answers below them."""
    return re.findall(ANSWERED, page.read_text("utf-8"), re.MULTILINE)


def _files(word):
    """Return the files of this folder that a shell would put in the place of a word."""
    pattern = "*" in word and " " not in word  # a formula has spaces
    return sorted(str(file) for file in Path().glob(word)) if pattern else []


def check_answers(page, least):
    """Assert that every `$ plumbline ...` of a page prints what stands below it."""
    shown = shown_on(page)
    assert len(shown) >= least
    same = doctest.OutputChecker().check_output
    for line, expected in shown:
        words = [word for one in shlex.split(line) for word in _files(one) or [one]]
        got = CliRunner().invoke(main, words, prog_name="plumbline").output
        if same(VERSION.sub("", expected), VERSION.sub("", got), doctest.ELLIPSIS):
            continue
        if os.environ.get("PLUMBLINE_SNAPSHOTS") == "write" and (
            "..." not in expected or got.count("\n") <= LONG
        ):
            end = "\n" * (len(expected) - len(expected.rstrip("\n")))
            text = page.read_text("utf-8")
            old, new = (f"$ plumbline {line}\n{one}" for one in (expected, got.rstrip("\n") + end))
            page.write_text(text.replace(old, new), "utf-8")
        else:
            raise AssertionError(f"$ plumbline {line}\n{got}")
