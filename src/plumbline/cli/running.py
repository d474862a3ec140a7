"""The running command: what was typed, and what it has learnt of the tables that it read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from plumbline.command_words import has_value

if TYPE_CHECKING:
    from plumbline._result import Note
    from plumbline.cli.rows_left_out import RowsRead
    from plumbline.roles import Reading

KEPT = "plumbline"  # the one thing that is kept in the context of click


@dataclass(slots=True)
class Running:
    """One run of a command: all that one part of the command line leaves for another.

    Attributes
    ----------
    context : of click, None outside of a command, as in the process of a server
    words : behind the command, as they were typed
    patterns : of FILE, as they were typed
    verbose : whether everything is to be printed; None where the command has no such option
    stdin : what standard input held, so that it can be read more than once
    source : the files and options with which the table was read, as words
    of_states : whether its files are states
    view : of more than two classes, whose rows were counted
    readings : how tables were read, where something of it was guessed
    rows : files -> their rows that the answer uses
    notes : on the tables that were read, until the answer says them
    said : what the answer has said
    file_of : model -> its file and its name there, where files are not one table
    """

    context: click.Context | None = None
    words: Sequence[str] = ()
    patterns: Sequence[Path] = ()
    verbose: bool | None = None
    stdin: bytes | None = None
    source: Sequence[str] = ()
    of_states: bool = False
    view: str | None = None
    readings: "list[Reading]" = field(default_factory=list)
    rows: "dict[tuple[str, ...], RowsRead]" = field(default_factory=dict)
    notes: "list[Note]" = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    file_of: dict[str | None, tuple[str, str | None]] = field(default_factory=dict)

    @property
    def command(self) -> click.Command | None:
        """The command, whose options name the arguments of the library."""
        return None if self.context is None else self.context.command

    @property
    def name(self) -> str:
        """The name of the command, "" outside of one."""
        return "" if self.context is None else str(self.context.info_name)

    @property
    def is_of_states(self) -> bool:
        """Whether it is one of the commands that keep counts in files."""
        return self.context is not None and " state " in self.context.command_path

    @property
    def values(self) -> Mapping[str, Any]:
        """Every parameter with its value."""
        return {} if self.context is None else self.context.params

    @property
    def given(self) -> dict[str, Any]:
        """The parameters that hold something."""
        return {name: value for name, value in self.values.items() if has_value(value)}

    @property
    def line(self) -> Sequence[str]:
        """The whole command line behind the program's name."""
        return () if self.context is None else self.context.obj or ()

    def was_typed(self, name: str) -> bool:
        """Tell whether a parameter was given, though it may have its default value."""
        context = self.context
        return (
            context is not None
            and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        )


def running(context: click.Context | None = None) -> Running:
    """Return what is known of the command of a context, by default the one that runs."""
    context = click.get_current_context(silent=True) if context is None else context
    if context is None:
        return Running()
    kept: Running = context.meta.setdefault(KEPT, Running())
    kept.context = context
    return kept
