"""The command `plumbline` itself: its commands, and what holds for all of them."""

import atexit
import gc
import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

import plumbline
from plumbline.cli.messages import (
    complain,
    complain_of,
    one_line_warnings,
    remembered_signals,
)
from plumbline.cli.running import running
from plumbline.errors import PlumblineError
from plumbline.formatting import quoted
from plumbline.requests import REQUESTS

NAME = "plumbline"
SHELLS = ("bash", "zsh", "fish")
BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, what shells expect

EPILOG = """\b
Examples (the first writes the file that the others read):
  plumbline demo
  plumbline test demo/breast-cancer/predictions.parquet
  plumbline calibration demo/breast-cancer/predictions.parquet --models "naive Bayes"
  plumbline report demo/breast-cancer/predictions.parquet --out breast-cancer.html

\b
Completion of commands, options and files (bash; likewise zsh and fish):
  eval "$(plumbline --show-completion bash)"

Progress and messages go to standard error. Exit status: 0 after an answer (of check: 1 where a rule
is broken, 3 where rows are not enough), 2 after an error in
the command or the data, 130 after an interrupt.
"""


# Commands that are more than a row of the table of requests: (module:attribute, short help, which
# the row has where there is one for the options).
SPECIAL = {
    "calibration": ("plumbline.cli.calibration:calibration", ""),
    "compare": ("plumbline.cli.compare:compare", ""),
    "confusion": ("plumbline.cli.confusion:confusion", ""),
    "curve": ("plumbline.cli.curve:curve", ""),
    "demo": ("plumbline.cli.demo:demo", "Try it: a worked example that needs no data."),
    "estimate": ("plumbline.cli.estimate:estimate", ""),
    "plan": ("plumbline.cli.plan:plan", "How many rows are needed to detect miscalibration?"),
    "power": ("plumbline.cli.power:power", "How powerful are calibration tests? (a simulation)"),
    "read": ("plumbline.cli.read:read", "How is FILE understood, and what can it be asked?"),
    "recalibrate": (
        "plumbline.cli.recalibrate:recalibrate",
        "Recalibrate the probabilities; did it help?",
    ),
    "report": ("plumbline.cli.report:report", "Everything on one page: HTML, PDF or Markdown."),
    "serve": ("plumbline.cli.serve:serve", "Explore FILE in the browser (the workbench)."),
    "sql": (
        "plumbline.cli.sql:sql",
        "Print the SQL that counts the rows of a table in a database.",
    ),
    "state": ("plumbline.cli.state:state", "Keep rows as counts, and watch calibration over time."),
}
TITLES = {name: text for name, (_, text) in SPECIAL.items()}
TITLES |= {name: row.title for name, row in REQUESTS.items() if row.has_command}


@cache
def _command(name: str) -> click.Command:
    if name in SPECIAL:
        module, _, attribute = SPECIAL[name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command
    from plumbline.cli.generic import command_of

    return command_of(REQUESTS[name])


class LazyCommands(Mapping[str, click.Command]):
    """The commands by name. A command is imported when it is taken, so the others cost nothing."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in TITLES:
            raise KeyError(name)
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(TITLES))

    def __len__(self) -> int:
        return len(TITLES)


class Program(click.Group):
    """A group of commands whose every refusal is one line and exit status 2."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(TITLES.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands, without importing any, and the options."""
        names = [
            CompletionItem(name, help=text)
            for name, text in sorted(TITLES.items())
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> Any:
        """Run and leave with an exit status; what is unexpected keeps its traceback."""
        words = sys.argv[1:] if args is None else args
        extra |= {"prog_name": NAME, "standalone_mode": False, "obj": list(words)}
        if not _streams_are_open():
            sys.exit(BAD_INPUT)
        _never_fail_to_encode()
        with one_line_warnings(), remembered_signals(), rare_collections():
            try:
                status = super().main(args, **extra)
                sys.stdout.flush()
            except click.Abort:
                complain("interrupted")
                status = INTERRUPTED
            except click.ClickException as error:
                complain(f"error: {_with_help(error)}")
                status = BAD_INPUT
            except BrokenPipeError:  # as of `| head`: nobody reads on, as click has it too
                _drop_unwritten()
                status = 1
            except OSError as error:  # whoever knew more about it said so in its own words
                complain(f"error: {_refused_by_the_system(error)}")
                _drop_unwritten()
                status = BAD_INPUT
        sys.exit(status if isinstance(status, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named, and word its refusal in the options that it has."""
        try:
            result = super().invoke(ctx)
            for note in running(ctx).notes:  # of answers that have no notes
                complain(f"warning: {note}")
            return result
        except PlumblineError as error:
            complain_of(error, self.get_command(ctx, ctx.invoked_subcommand or ""), ctx)
            return BAD_INPUT


# New objects after which Python looks for those that nobody reaches. A command makes most of its
# objects while it imports, and keeps them: at Python's own 700 a report of 900 rows took 4.5
# seconds of processor time, at this number 4.0, without any looking 3.8
# (python benchmarks/bench_commands.py).
OBJECTS = 20_000


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for unreachable objects more rarely, and not when the process ends.

    Python looks several times at its end, at up to 250,000 objects, whose memory the system takes
    back at once: 0.3 s of a command, 0.4 s of a report (python benchmarks/bench_commands.py).
    """
    atexit.unregister(gc.freeze)  # of a command before in this process
    atexit.register(gc.freeze)
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _with_help(error: click.ClickException) -> str:
    text, context = error.format_message(), getattr(error, "ctx", None)
    if not context:
        return text
    end = "" if text.endswith((".", "?", "?)")) else "."
    return f"{text}{end} See: {context.command_path} --help"


def _refused_by_the_system(error: OSError) -> str:
    """Say what the system refused, with the file that it was about where it says so."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{quoted(str(error.filename))} cannot be used: {reason}"
    try:
        Path.cwd()
    except OSError:
        return "the current folder is not there any more; change to one that is"
    return f"the answer cannot be written: {reason}"


def _drop_unwritten() -> None:
    """Forget what standard output did not take, so that Python does not try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _streams_are_open() -> bool:
    """Tell whether there is somewhere to print to; what else is closed becomes the null device.

    Else the next file that is opened takes the number of a closed stream, and what is meant for
    the stream goes into that file.
    """
    closed = sys.stdout is None
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))
    if closed:
        complain("error: standard output is closed; send it to a file, or to /dev/null")
    return not closed


def _never_fail_to_encode() -> None:
    """Escape what the terminal cannot show (a class named in another script), do not crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"{NAME} {plumbline.__version__}")
        context.exit()


def _show_completion(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell and not context.resilient_parsing:
        script = get_completion_class(shell)
        if script is not None:
            click.echo(script(context.command, {}, NAME, f"_{NAME.upper()}_COMPLETE").source())
        context.exit()


@click.group(
    cls=Program,
    commands=LazyCommands(),
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version and exit.",
)
@click.option(
    "--show-completion",
    type=click.Choice(SHELLS),
    is_eager=True,
    expose_value=False,
    callback=_show_completion,
    help="Print the shell script for completion of commands and options, and exit.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Test, measure and improve the calibration of a classifier's probabilities.

    Most commands read a prediction table: a CSV, JSON, Parquet, Arrow or Excel file with what was
    observed and what was predicted, under names of your own. `plumbline read FILE` shows how one is
    understood. Start with `plumbline demo`.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
