"""Commands made of rows of the table of requests: options, help, and what happens when one runs."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from plumbline.cli import options
from plumbline.requests.table import Param, Request

_TICKED = re.compile(r"`(\w+)`")
_QUOTED = re.compile(r'"([^"\s]+)"')


class Value(click.ParamType[Any]):
    """The value of a parameter, read as its kind says."""

    def __init__(self, param: Param) -> None:
        self.param = param
        self.name = param.kind.metavar.lower()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value as it was typed if it is one; the request reads it again."""
        self.param.kind.read(self.param.name, value)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the names that begin as the word does."""
        names = self.param.kind.names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def option_of(param: Param) -> str:
    """Return what the command line calls a parameter."""
    return f"--{(param.kind.option or param.name).replace('_', '-')}"


def command_of(request: Request) -> click.Command:
    """Return the command of a request that reads one file of predictions."""

    def run(file: Path, as_json: bool, **given: Any) -> None:
        _answer(request, file, as_json, given)

    run = options_of(request)(options.json_option(run))
    names = _names(request)
    signature = request.signature
    examples = "".join(f"\n  plumbline {request.name} {line}" for line in request.examples)
    return click.command(
        request.name,
        help="\n\n".join(filter(None, [signature.summary, _plain(signature.text, names)])),
        epilog=f"\b\nExamples:{examples}",
    )(options.table_options(run))


def options_of(request: Request, *names: str) -> options.Option[Any]:
    """Return the options of the parameters that a request offers, or of some of them by name."""
    wanted = [param for param in request.params("command") if not names or param.name in names]
    return options.joined(*(_option(param, _names(request)) for param in wanted))


def _names(request: Request) -> dict[str, str]:
    return {param.name: option_of(param) for param in request.params("command")}


def _option(param: Param, names: dict[str, str]) -> options.Option[Any]:
    text = _plain(param.help, names)
    if not param.kind.metavar:
        return click.option(option_of(param), param.name, is_flag=True, default=None, help=text)
    if param.usual and param.usual != "None":
        text = f"{text} Default: {_plain(param.usual, names)}."
    return click.option(
        option_of(param), param.name, type=Value(param), metavar=param.kind.metavar, help=text
    )


def _plain(text: str, names: dict[str, str]) -> str:
    """Return a text of a docstring with options for parameters, and without quotes."""
    text = _TICKED.sub(lambda match: names.get(match[1], match[1]), text)
    return _QUOTED.sub(r"\1", text)


def _answer(request: Request, file: Path, as_json: bool, given: dict[str, Any]) -> None:
    """Read the file, answer the request and print it."""
    from plumbline.cli import terminal
    from plumbline.cli.messages import progress
    from plumbline.cli.output import print_json
    from plumbline.cli.prediction_file import TABLE_OPTIONS, heading, positive_of, read_source

    how = {name: given.pop(name) for name in TABLE_OPTIONS}
    values = request.checked("command", given)
    data = read_source(file, **how)
    with progress(request.doing) as bar:
        results = request.answer(data, values, bar)
    if as_json:
        entries, more = entries_of(results)
        print_json(request.name, entries, **more, positive=positive_of(data))
        return
    click.echo(f"{heading(file, data)}\n\n{terminal.shown(results)}")


def entries_of(results: Sequence[tuple[str | None, Any]]) -> tuple[list[Any], dict[str, Any]]:
    """Return the entries of the JSON, and what stands beside them."""
    from plumbline.cli.output import entry

    entries: list[Any] = []
    more: dict[str, Any] = {}
    for name, result in results:
        rows, beside = result.json_entries()
        entries += [entry(name, row) if name is not None else dict(row) for row in rows]
        more |= beside
    return entries, more
