"""The command `plumbline` itself: what holds for every command below it."""

import sys
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import get_completion_class

import plumbline
from plumbline.cli.compare import compare
from plumbline.cli.confusion import confusion
from plumbline.cli.curve import curve
from plumbline.cli.demo import demo
from plumbline.cli.estimate import estimate
from plumbline.cli.measures import calibration, scores
from plumbline.cli.messages import (
    as_typed,
    complain,
    complain_of_formula,
    one_line_warnings,
    remembered_interrupts,
)
from plumbline.cli.plan import plan
from plumbline.cli.power import power
from plumbline.cli.recalibrate import recalibrate
from plumbline.cli.report import report
from plumbline.cli.serve import serve
from plumbline.cli.test import test
from plumbline.errors import FormulaError, PlumblineError

NAME = "plumbline"
SHELLS = ("bash", "zsh", "fish")
BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, what shells expect

EPILOG = """\b
Examples:
  plumbline demo
  plumbline report predictions.parquet
  plumbline scores predictions.parquet --json
  plumbline test predictions.parquet --models forest

\b
Completion of commands, options and files (bash; likewise zsh and fish):
  eval "$(plumbline --show-completion bash)"

Progress and messages go to standard error. The exit status is 0 when the question was answered,
whatever the answer, 2 when the command or the data were wrong, 130 when interrupted.
"""


class Program(click.Group):
    """A group of commands whose every refusal is one line and exit status 2."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> Any:
        """Run and leave with an exit status; what is unexpected keeps its traceback."""
        words = sys.argv[1:] if args is None else args
        extra |= {"prog_name": NAME, "standalone_mode": False, "obj": list(words)}
        _never_fail_to_encode()
        with one_line_warnings(), remembered_interrupts():
            try:
                status = super().main(args, **extra)
            except click.Abort:
                complain("interrupted")
                status = INTERRUPTED
            except click.ClickException as error:
                complain(f"error: {error.format_message()}{_see_help(error)}")
                status = BAD_INPUT
            except FormulaError as error:
                complain_of_formula(error)
                status = BAD_INPUT
            except PlumblineError as error:
                complain(f"error: {as_typed(str(error))}")
                status = BAD_INPUT
        sys.exit(status if isinstance(status, int) else 0)


def _see_help(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" See: {context.command_path} --help" if context else ""


def _never_fail_to_encode() -> None:
    """Escape what the terminal cannot show (a class named in another script), do not crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
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
    help="Print the script that completes commands and options in your shell, and exit.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Tell whether a classifier's probabilities are true.

    Most commands read a prediction table: a CSV, TSV, Parquet or Arrow/Feather file with the column
    `actual` and one column `p:<class>` for each class. Start with `plumbline demo`.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    demo,
    report,
    serve,
    scores,
    calibration,
    test,
    confusion,
    estimate,
    compare,
    recalibrate,
    curve,
    power,
    plan,
):
    main.add_command(command)
