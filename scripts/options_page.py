"""Writes docs/options.md from the commands themselves; a test fails where the page is stale."""

from collections.abc import Iterator
from pathlib import Path

import click

from plumbline.cli import main, options
from plumbline.cli.generic import Value
from plumbline.cli.program import TITLES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "options.md"

HEAD = """# Options

<!-- Written by scripts/options_page.py. -->

Every option of every command, as `plumbline COMMAND --help` has it. [The command line](cli.md)
shows the commands at work.
"""
READING = "Every command that reads predictions takes these.\n"
MOST = 25  # names that stand in a cell; of more, help says where they are listed
BESIDE = "Beside these it takes the [options that say how to read FILE](#reading-file).\n"


def page() -> str:
    """Return the text of the page."""
    reading = click.Command("reading", params=_options(options.reading_options(_nothing)))
    blocks = [HEAD, "## Reading FILE\n", READING, _table(reading.params)]
    shared = {option.name for option in reading.params}
    for name in sorted(TITLES):
        command = main.commands[name]
        blocks += [f"## plumbline {name}\n", f"{TITLES[name]}\n"]
        if not isinstance(command, click.Group):
            blocks += _options_of(command, shared)
            continue
        context = click.Context(command)
        for part in command.list_commands(context):
            member = command.get_command(context, part)
            if member is not None:
                text = member.get_short_help_str(100)
                blocks += [f"### plumbline {name} {part}\n", f"{text}\n"]
                blocks += _options_of(member, shared)
    return "\n".join(blocks)


def _options_of(command: click.Command, shared: set[str | None]) -> list[str]:
    own = [one for one in command.params if one.name not in shared]
    reads = shared <= {one.name for one in command.params}
    return [*([BESIDE] if reads else []), _table(own if reads else command.params)]


def _nothing() -> None:
    pass


def _options(function: object) -> list[click.Parameter]:
    """Return the options that decorators left on a function, in the order of help."""
    return list(reversed(getattr(function, "__click_params__", [])))


def _table(params: list[click.Parameter]) -> str:
    lines = ["| option | value | default | what it is |", "|---|---|---|---|"]
    shown = [one for one in params if isinstance(one, click.Option) and not one.hidden]
    lines += [f"| {' | '.join(map(_cell, _row(one)))} |" for one in shown]
    return "\n".join([*lines, ""])


def _row(option: click.Option) -> Iterator[str]:
    kind = option.type
    yield ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.is_flag:
        yield "–"
    else:
        names = kind.param.kind.names() if isinstance(kind, Value) else ()
        listed = ", ".join(f"`{name}`" for name in names) if len(names) <= MOST else ""
        yield listed or f"`{option.metavar or kind.name.upper()}`"
    text, _, default = (option.help or "").partition(" Default: ")
    if not default and isinstance(option.default, (str, int, float)) and not option.is_flag:
        default = str(option.default)
    yield default.removesuffix(".") or "–"
    yield text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"Wrote {PAGE}")
