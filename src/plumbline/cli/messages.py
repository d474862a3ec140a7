"""What goes to standard error: errors, warnings and progress."""

import contextlib
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import click

from plumbline.cli.shown import plain
from plumbline.errors import PlumblineWarning
from plumbline.progress import STEPS, Progress

# What the library calls an argument, and what the command line calls it.
_OPTIONS = {name: f"--{name}" for name in (
    "actual", "alternative", "bins", "distance", "normalize", "null", "outcome", "positive", "prob",
    "covertype", "datasets", "distances", "experiments", "level", "like", "points", "views",
    "classes", "dirichlet", "effect", "n", "power", "tolerance", "by", "adjust",
    "rename", "resamples", "statistic", "view", "workers",
)} | {name: f"--bins {name}" for name in ("edges", "alpha", "beta", "outermost")} | {
    "rng": "--seed",
}  # fmt: skip
_QUOTED = re.compile(r"`(-{0,2})([a-z]+)`")
_ASSIGNED = re.compile(r"\b(view|bins|distance|outcome|statistic|null|by|like)='([\w:.,-]+)'")
_IN_PYTHON_ONLY = (
    "name them with classes=[negative, positive], or give ",
    ", or pass classes=[...] in column order",
    "prob (--prob)",
    "normalize=True (--normalize)",
    "use calibration_test, or",
    "use calibration_test",
    "choose one with data.select(model=...), or ask all of them with plumbline.evaluate(data)",
)
_INSTEAD = (
    "give ",
    "",
    "--prob",
    "--normalize",
    "leave --by and --adjust out, or use",
    "leave --by and --adjust out",
    "choose one with --models",
)


def as_typed(text: str) -> str:
    """Return a text of the library with the options of the command line for its arguments.

    >>> as_typed("`view` 'joint' takes no `bins`; use view='top-label'")
    '--view joint takes no --bins; use --view top-label'
    """
    for python, typed in zip(_IN_PYTHON_ONLY, _INSTEAD, strict=True):
        text = text.replace(python, typed)
    text = re.sub(r"`(view|distance|outcome)` '([\w:-]+)'", r"`\1` \2", text)
    text = _QUOTED.sub(lambda m: f"--{m[2]}" if m[1] else _OPTIONS.get(m[2], m[0]), text)
    return _ASSIGNED.sub(r"--\1 \2", text)


def complain(text: str) -> None:
    """Say one thing in one line on standard error."""
    click.echo(f"plumbline: {plain(' '.join(text.split()))}", err=True)


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
                complain(f"warning: {as_typed(str(message))}")

        warnings.simplefilter("always", PlumblineWarning)
        warnings.showwarning = show
        yield


_interrupted = threading.Event()


@contextlib.contextmanager
def remembered_interrupts() -> Iterator[None]:
    """Remember Ctrl-C, which a compiler's callback may swallow, until work next tells its progress.

    Signals reach the main thread only, so elsewhere (a test runner's threads) nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        _interrupted.set()
        raise KeyboardInterrupt

    _interrupted.clear()
    usual = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


@contextlib.contextmanager
def progress(label: str) -> Iterator[Progress]:
    """Give a callback (done, total) that heeds Ctrl-C and, on a terminal, draws a bar."""
    if not sys.stderr.isatty():
        yield _heed
        return
    with click.progressbar(length=STEPS, label=label, file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            _heed(done, total)
            bar.update(STEPS * done // total - bar.pos)

        bar.render_progress()
        yield show


def _heed(*_: int) -> None:
    if _interrupted.is_set():
        raise KeyboardInterrupt
