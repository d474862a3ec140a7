"""All commands of the command line, those of groups too."""

import click

from plumbline.cli.program import LazyCommands


def all_commands() -> dict[str, click.Command]:
    """Return every command by its words."""
    found = {}
    for name, command in LazyCommands().items():
        within = command.commands if isinstance(command, click.Group) else {"": command}
        found |= {" ".join([name, sub]).strip(): one for sub, one in within.items()}
    return found


COMMANDS = all_commands()
NAMES = {name.partition(" ")[0] for name in COMMANDS}  # without those of groups
