"""What goes to standard error: errors, warnings and progress."""

import contextlib
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from plumbline.cli.running import running
from plumbline.command_words import command_line, option_words, options_words
from plumbline.ending_signals import ENDINGS
from plumbline.errors import (
    ENDS,
    FormulaError,
    LongWorkWarning,
    PlumblineError,
    PlumblineWarning,
    Surface,
    plain_name,
    value_written,
)
from plumbline.formatting import printable
from plumbline.progress import STEPS, Progress

# The options that are not called like the argument of the library.
OPTION_NAMES = {
    "estimator": "model",
    "experiment": "experiments",
    "goal": "optimum",
    "methods": "method",
    "metric": "metrics",
    "params": "param",
    "payoffs": "payoff",
    "rng": "seed",
    "search": "grid",
} | dict.fromkeys(("edges", "alpha", "beta", "outermost"), "bins")  # words of its value
# What to do at a terminal, where that is not what to do in Python: by the codes of errors.
REMEDIES = {
    "columns-disagree": "name the columns after the classes",
    "counted-rows": "--engine memory reads single rows from a file that holds them",
    "groups-missing": "name their column with --groups",
    "nothing-to-group": "leave --by and --adjust out",
    "one-class": "",
    "one-model": "leave --by and --adjust out, or use `by='class'`",
    "ratings-only": "turn them into probabilities with a map fitted on held-out rows",
    "repeated-examples": "for instance --repeats 0",
    "search-missing": "give --grid, or a scheme without inner folds such as stratified:5",
    "several-models": "choose one with `models`",
    "too-few-sites": "leave --between out to look at them one by one",
    "two-classes-unknown": "give one probability column p:<class> per class",
    "unknown-scheme": "",
    "unknown-metric": "plumbline scores --list names them all",
}


# What a command that lacks something runs with, by the code of the error.
MORE = {
    "formulas-missing": ("--preset", "roc"),
    "rules-file-missing": ("--init", "--out"),
}
# The command that a table of this kind can be asked with, by the code of the error.
INSTEAD = {
    "labels-only": ("confusion", "What these can be asked"),
    "ratings-only": ("recalibrate", "What turns them into probabilities, fitted on held-out rows"),
}
# How the rows of a state were counted; no option changes it when they are read again.
COUNTED_BY = ("engine", "view")
FILES_OF_STATE = "a state keeps the view it was counted under; give the files that it was made of"
OF_STATES = dict.fromkeys(("view-not-counted", "all-classes-counted"), FILES_OF_STATE)
OF_STATES["counted-rows"] = "a state holds no single rows; give the files that it was made of"
SWITCHES = ("--logits", "--normalize")  # options without a value, of those that read a table


class Shell(Surface):
    """Names an argument by the option of one command, plainly where the command has none."""

    def __init__(self, command: click.Command | None, ctx: click.Context | None = None) -> None:
        params = () if command is None else command.params
        self._of_state = ctx is not None and running(ctx).of_states
        self.remedies = REMEDIES | (OF_STATES if self._of_state else {})
        self._options = {
            name: option
            for param in params
            for option in param.opts
            if option.startswith("--")
            for name in (param.name, option.removeprefix("--").replace("-", "_"))
        }

    def sets(self, name: str, value: str) -> bool:
        """Tell whether the command has an option for an argument, and what it reads obeys it."""
        if self._of_state and name in COUNTED_BY:
            return False
        if not self._options:
            return True
        own = name if name in self._options else OPTION_NAMES.get(name, name)
        return own in self._options or value_written(value) in [*self._options]

    def argument(self, name: str) -> str:
        """Return the option, and the words of its value that an argument stands for."""
        own = name if name in self._options else OPTION_NAMES.get(name, name)
        if own not in self._options:
            return plain_name(name)
        return f"{self._options[own]} {name}" if own == "bins" != name else self._options[own]

    def setting(self, name: str, value: str) -> str:
        """Return an option with its value, as it is typed."""
        option, given = self.argument(name), value_written(value)
        if name not in self._options and isinstance(given, str) and given in self._options:
            return self._options[given]  # a value that is an option itself: --ascending
        if given is True:
            return option
        if isinstance(given, (Mapping, list)):
            return command_line([*option_words(option.removeprefix("--"), given)])
        return f"{option} {command_line([given])}"


def typed(text: str, *, names: bool = True) -> str:
    """Return a text of the library with the options of the running command for its arguments.

    `names=False` is for texts about formulas, whose back-ticks hold words of formulas.
    """
    return _shell().worded(text, names=names)


def _shell() -> Shell:
    run = running()
    return Shell(run.command, run.context)


def complain_of(
    error: PlumblineError, command: click.Command | None, ctx: click.Context | None = None
) -> None:
    """Say what is wrong in the options of a command; below it show the place in a formula.

    Of columns that are unclear, show the commands that settle it.
    """
    commands = [] if ctx is None else _commands(error, command, ctx)
    if commands:
        choice = "One of these settles it" if len(commands) > 1 else "This settles it"
        choice = INSTEAD[error.code][1] if error.code in INSTEAD else choice
        text = Shell(command, ctx).worded(error.text)
        complain(f"error: {text}{'' if text.endswith(ENDS) else '.'} {choice}:")
        for line in commands:
            click.echo(f"  {line}", err=True)
        return
    if error.code == "not-countable" and not _has_engine(command):
        text = Shell(command, ctx).worded(error.text)
        complain(f"error: {text}. This command counts rows; single ones: plumbline test FILE")
        return
    complain(f"error: {error.worded(Shell(command, ctx))}")
    if isinstance(error, FormulaError):
        for line in error.pointed().splitlines():
            click.echo(printable(line), err=True)


def _has_engine(command: click.Command | None) -> bool:
    """Tell whether a command can be told to hold rows in memory."""
    return command is not None and any("--engine" in param.opts for param in command.params)


def _commands(
    error: PlumblineError, command: click.Command | None, ctx: click.Context
) -> list[str]:
    """Return the running command with the options of each reading that a refusal offers."""
    from plumbline.roles import UnclearColumns

    run = running(ctx)
    if error.code in INSTEAD and run.source:
        return [command_line([ctx.command_path, INSTEAD[error.code][0], *run.source])]
    if not run.words:
        return []
    if error.code in MORE:
        kept = [*without(run.words, {"--rules"}), *MORE[error.code]]
        if error.code == "rules-file-missing":
            kept += _values_of("--rules", run.words)[-1:] or ["rules.toml"]
        return [command_line([ctx.command_path, ctx.invoked_subcommand, *kept])]
    if error.code == "groups-of-state" and _values_of("--groups", run.words):
        kept = without(run.words, {"--groups"})  # where the rows themselves are, nobody knows
        return [command_line([ctx.command_path, ctx.invoked_subcommand, *kept])]
    offered = (
        error.commands()
        if isinstance(error, UnclearColumns)
        else [options_words(one) for one in error.choices]
    )
    words = run.words
    given = {word[2:] for word in words if word.startswith("--")}
    told = {word for word, before in zip(words[1:], words, strict=False) if before == "--rename"}
    told |= {f"{column}=groups" for column in _values_of("--groups", words)}
    known = set() if command is None else {name for param in command.params for name in param.opts}
    chosen = {f"--{name}" for one in error.choices for name in one}
    if not chosen <= known:
        return []
    kept = without(words, chosen)
    given -= {name.removeprefix("--") for name in chosen}
    return [
        command_line([ctx.command_path, ctx.invoked_subcommand, *kept, *_new(options, given, told)])
        for options in offered
    ]


def _values_of(option: str, words: Sequence[str]) -> list[str]:
    """Return what an option was given, after it or joined to it.

    >>> _values_of("--groups", ["t.csv", "--groups", "a"]), _values_of("--groups", ["--groups=b"])
    (['a'], ['b'])
    """
    after = [word for word, before in zip(words[1:], words, strict=False) if before == option]
    return after + [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]


def without(words: Sequence[str], options: set[str]) -> list[str]:
    """Return words without some options that have a value, which another takes the place of."""
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif word.partition("=")[0] not in options:
            kept.append(word)
    return kept


def _new(options: Sequence[str], given: set[str], told: set[str]) -> list[str]:
    """Return the words of options that were not given; of renames each on its own."""
    kept: list[str] = []
    words = iter(options)
    for word in words:
        value = [] if word in SWITCHES else [next(words)]
        name = word.removeprefix("--")
        again = value[0] in told if name == "rename" else name in given
        kept += [] if again else [word, *value]
    return kept


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
            elif _is_kept(message):
                return  # the answer says it first
            elif str(message) not in printed:
                printed.add(str(message))
                complain(f"warning: {message.worded(_shell())}")

        warnings.simplefilter("always", PlumblineWarning)
        warnings.showwarning = show
        yield


def _is_kept(message: Any) -> bool:
    """Tell whether a warning becomes a note on the table that is read."""
    run = running()
    return message.code == "rows-repeat" and bool(run.source)


@contextlib.contextmanager
def printed_once() -> Iterator[list[str]]:
    """Hold back warnings, and drop those whose text stands in the notes that are printed.

    What is said before long work is shown at once.
    """
    notes: list[str] = []
    held: list[Any] = []
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def hold(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            waits = issubclass(category, PlumblineWarning) and category is not LongWorkWarning
            if waits:
                held.append((message, category, *where))
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = hold
        try:
            yield notes
        finally:
            for message, *where in held:
                text = str(message).casefold()  # a note begins with a capital
                if not any(text in note.casefold() for note in notes):
                    usual(message, *where)


_heard: list[BaseException] = []


@contextlib.contextmanager
def remembered_signals() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the work in good order, so that nothing half-made stays.

    A compiler's callback may swallow them: they are remembered until work next tells its progress.
    Signals reach the main thread only, so elsewhere (a test runner's threads) nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, _: object) -> None:
        ended = KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)
        _heard.append(ended)
        raise ended

    _heard.clear()
    ignored = {number for number in ENDINGS if signal.getsignal(number) is signal.SIG_IGN}  # nohup
    numbers = {signal.SIGINT, *ENDINGS} - ignored
    usual = {number: signal.signal(number, hear) for number in numbers}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


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


@contextlib.contextmanager
def progress_once_begun(label: str) -> Iterator[Progress]:
    """Give a callback as `progress` does, whose bar is drawn when it is first called."""
    with contextlib.ExitStack() as stack:
        bars: list[Progress] = []

        def show(done: int, total: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(label)))
            bars[0](done, total)

        yield show


def _heed(*_: int) -> None:
    if _heard:
        raise _heard[0]
