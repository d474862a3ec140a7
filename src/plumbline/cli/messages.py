"""What goes to standard error: errors, warnings and progress."""

import ast
import contextlib
import re
import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import click

from plumbline.errors import FormulaError, PlumblineWarning
from plumbline.formatting import printable
from plumbline.progress import STEPS, Progress

# What the library calls an argument, and what the command line calls it.
_OPTIONS = (
    {
        name: f"--{name}"
        for name in (
            "actual",
            "alternative",
            "bins",
            "distance",
            "normalize",
            "null",
            "outcome",
            "positive",
            "prob",
            "covertype",
            "datasets",
            "distances",
            "experiments",
            "level",
            "like",
            "points",
            "views",
            "classes",
            "dirichlet",
            "effect",
            "n",
            "power",
            "tolerance",
            "by",
            "adjust",
            "rename",
            "resamples",
            "statistic",
            "view",
            "workers",
            "average",
            "band",
            "merge",
            "multiclass",
            "preset",
            "span",
            "target",
            "thresholds",
            "where",
            "x",
            "y",
            "metrics",
            "norm",
            "representative",
            "threshold",
            "score",
            "models",
            "after",
            "over",
            "rope",
            "test",
            "undefined",
            "interval",
            "scheme",
            "groups",
            "resubstitution",
            "method",
            "recalibrate",
        )
    }
    | {name: f"--bins {name}" for name in ("edges", "alpha", "beta", "outermost")}
    | {
        "metric": "--metrics",
        "payoffs": "--payoff",
        "test_share": "--test-share",
        "methods": "--method",
        "search": "--grid",
        "estimator": "--model",
        "rng": "--seed",
        "goal": "--optimum",
        "params": "--param",
        "sort_by": "--sort-by",
        "subject_to": "--subject-to",
        "x_title": "--x-title",
        "y_title": "--y-title",
    }
)
# What is called a column stays as it is: it is a name in the file, no option.
_QUOTED = re.compile(r"(?<!column )`(-{0,2})([a-z_]+)`(?! column)")
_ASSIGNED = re.compile(
    r"\b(view|bins|distance|norm|outcome|statistic|null|by|like|average|band|merge|multiclass|preset|"
    r"sort_by|target|where|x|y|interval|undefined|test)=['\"]([\w:.,-]+)['\"]"
    r"(?:((?: \([^()]*\))? or )'([\w-]+)')?"
)
_POSITIVE = re.compile(r"\bpositive=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
# In an error about a formula, back-ticks hold its words; only these begin with an option's name.
_FORMULA_OPTION = re.compile(r"^`(where|sort_by|subject_to|x|y)` (?=must|is a category)")
_IN_PYTHON_ONLY = (
    "name them with classes=[negative, positive], or give ",
    ", or pass classes=[...] in column order",
    "prob (--prob)",
    "normalize=True (--normalize)",
    "use calibration_test, or",
    "use calibration_test",
    "choose one with data.select(model=...), or take them one by one with data.by_model()",
    "for instance data.select(repeat=...)",
    " (actual=..., prob={column: class})",
    "name two in `models`",
    "direction='ascending'",
    "plumbline.list_names(), or ",
    "plumbline.recalibrate(held_out)(data), or on the command line ",
    "pass resubstitution=True (--resubstitution)",
    "pass resubstitution=True",
    "; pass groups=, one name a row",
    "pass search={'parameter': [values]}, or",
    "; pass search= to choose on it",
)
_INSTEAD = (
    "give ",
    "",
    "--prob",
    "--normalize",
    "leave --by and --adjust out, or use",
    "leave --by and --adjust out",
    "choose one with --models",
    "for instance --repeats 0",
    "",
    "name two with --models A,B",
    "--ascending",
    "",
    "",
    "add --resubstitution",
    "add --resubstitution",
    "; name their column with --groups",
    "give --grid, or",
    "; give --grid to choose on it",
)


def as_typed(text: str) -> str:
    """Return a text of the library with the options of the command line for its arguments.

    >>> as_typed("`view` 'joint' takes no `bins`; use view='top-label'")
    '--view joint takes no --bins; use --view top-label'
    """
    for python, typed in zip(_IN_PYTHON_ONLY, _INSTEAD, strict=True):
        text = text.replace(python, typed)
    text = re.sub(
        r"`(view|distance|outcome|average|band|test)` (is )?'([\w:-]+)'", r"`\1` \2\3", text
    )
    text = _POSITIVE.sub(_positive_as_typed, text)
    text = _QUOTED.sub(lambda m: f"--{m[2]}" if m[1] else _OPTIONS.get(m[2], m[0]), text)
    return assigned_as_typed(text)


def _positive_as_typed(match: re.Match[str]) -> str:
    try:
        return f"--positive {shlex.quote(ast.literal_eval(match[1]))}"
    except SyntaxError:  # a name so long that it was cut
        return match[0]


def assigned_as_typed(text: str) -> str:
    """Return a text in which only NAME='value' is written as an option.

    Back-ticks are left alone: in texts about curves they hold the words of formulas.

    >>> assigned_as_typed("`age` is no rating; sort by one (sort_by='probability')")
    '`age` is no rating; sort by one (--sort-by probability)'
    >>> assigned_as_typed("use average='vertical' or 'threshold'")
    'use --average vertical or threshold'
    """
    return _ASSIGNED.sub(
        lambda m: f"--{m[1].replace('_', '-')} {m[2]}{m[3] or ''}{m[4] or ''}", text
    )


def complain_of_formula(error: FormulaError) -> None:
    """Say what is wrong with a formula, and below it show the place."""
    message = _FORMULA_OPTION.sub(lambda m: f"--{m[1].replace('_', '-')} ", error.message)
    complain(f"error: {assigned_as_typed(message)}")
    for line in error.pointed().splitlines():
        click.echo(printable(line), err=True)


def complain(text: str) -> None:
    """Say one thing in one line on standard error."""
    click.echo(f"plumbline: {printable(' '.join(text.split()))}", err=True)


@contextlib.contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show each of Plumbline's own warnings once, as one line without source code."""
    printed: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, PlumblineWarning):
                usual(message, category, *where, **more)
            elif str(message) not in printed:
                printed.add(str(message))
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
