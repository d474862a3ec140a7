"""What goes to standard error: errors, warnings and progress."""

import contextlib
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click

from plumbline.errors import PlumblineWarning

Progress = Callable[[int, int], None]
STEPS = 1000  # of a bar: tasks tell their own total only when they begin to count


def complain(text: str) -> None:
    """Say one thing in one line on standard error."""
    click.echo(f"plumbline: {' '.join(text.split())}", err=True)


@contextlib.contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show each of Plumbline's own warnings once, as one line without source code."""
    said: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, PlumblineWarning):
                usual(message, category, *where, **more)
            elif str(message) not in said:
                said.add(str(message))
                complain(f"warning: {message}")

        warnings.simplefilter("always", PlumblineWarning)
        warnings.showwarning = show
        yield


@contextlib.contextmanager
def progress(label: str) -> Iterator[Progress | None]:
    """Give a callback (done, total) that draws a bar; None where nobody watches a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=STEPS, label=label, file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.update(STEPS * done // total - bar.pos)

        bar.render_progress()
        yield show


def part_of(whole: Progress | None, part: int, parts: int) -> Progress | None:
    """Return the callback of one of several equal parts of a longer task."""
    if whole is None:
        return None
    return lambda done, total: whole(part * total + done, parts * total)
