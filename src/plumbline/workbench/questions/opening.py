"""A file becomes a table: what its columns are, what they seem to mean, and the table itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.errors import PlumblineError
from plumbline.file_endings import is_text_file
from plumbline.frames.read import column_names
from plumbline.predictions import Predictions
from plumbline.predictions.arrays import MARKS, RESERVED
from plumbline.predictions.files import FileTable, header, read_files
from plumbline.requests.kinds import Parse, fields_of, flag, named_texts, text
from plumbline.roles.reading import ATTRIBUTE
from plumbline.workbench.questions.column_facts import ColumnFacts, facts_of
from plumbline.workbench.questions.guessing import Roles, guessed, labels_by_name
from plumbline.workbench.wording import message_of

EXAMPLES_SHOWN = 4
MOST_COLUMNS = 2000
ROLES: Mapping[str, Parse] = {
    "actual": text,
    "prob": named_texts,
    "rename": named_texts,
    "positive": text,
    "normalize": flag,
}
WRITING: Mapping[str, Parse] = {"separator": text, "decimal": text}


def columns_of(
    path: Path, *, separator: str | None = None, decimal: str | None = None
) -> dict[str, Any]:
    """Say what the columns of a file are, guess what they mean, and whether that opens the table.

    `complete` tells that it does, else `problem` tells why not. Every column comes with its type,
    its first values and, where it has few distinct ones, their numbers of rows; `written` says how
    separated values are written. Raises InputError for a file that cannot be read at all.
    """
    writing = {"separator": separator, "decimal": decimal}
    labels = labels_by_name(_header(path, separator))
    read = read_files(path, rename=labels, most_columns=MOST_COLUMNS, **writing)
    facts = facts_of(read.table)
    guess = guessed(facts)
    problem = _problem(path, read, guess, writing)
    dialect = read.parts[0].dialect
    return {
        "rows": read.table.num_rows,
        "columns": [_shown(fact) for fact in facts],
        "guess": guess.to_dict() | writing,
        "written": None
        if dialect is None
        else {"separator": dialect.separator, "decimal": dialect.decimal or "."},
        "positive_why": guess.positive_why,
        "complete": problem is None,
        "problem": problem,
        "opened": False,
    }


def opened(path: Path, roles: Mapping[str, Any]) -> Predictions:
    """Read a file, its columns meaning what `roles` says.

    `roles` has the fields of `plumbline.read`: actual, prob {column: class}, rename {column: part},
    positive, normalize, separator, decimal; null where the file itself tells. Raises what `read`
    raises, and ParameterError for roles that are none.
    """
    arguments = arguments_of(roles)
    if arguments["actual"] is not None:  # then the page said of every column what it means
        named = {arguments["actual"], *(arguments["prob"] or ()), *(arguments["rename"] or ())}
        rest = [name for name in column_names(path, arguments["separator"]) if name not in named]
        apart = {name: ATTRIBUTE for name in rest if not _means_something(name)}
        arguments["rename"] = {**(arguments["rename"] or {}), **apart}
    return Predictions.read(path, **arguments)


def _means_something(name: str) -> bool:
    return name in (*RESERVED, "y_true", "y_prob") or name.lstrip().startswith(MARKS)


def how_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a table was read, the usual arguments left out.

    `given` has the arguments of `plumbline.read`, or the command line's reading options by name.

    >>> how_read({"actual": "y", "prob": [("p", "1")], "rename": None})
    {'actual': 'y', 'prob': {'p': '1'}}
    """
    params = {name: value for name, value in given.items() if value}
    return params | {name: dict(params[name]) for name in ("prob", "rename") if name in params}


def _header(path: Path, separator: str | None) -> list[str]:
    """Return the names of the columns of a text file, whose labels must be read as text."""
    return header(path, separator) if is_text_file(path) else []


def arguments_of(roles: Mapping[str, Any]) -> dict[str, Any]:
    """Return roles as arguments of `plumbline.read`; raise ParameterError where they are none."""
    given = fields_of(roles, {**ROLES, **WRITING}, "roles")
    usual = dict.fromkeys((*ROLES, *WRITING)) | {"normalize": False}
    return usual | {name: value for name, value in given.items() if value != {}}


def _problem(path: Path, read: FileTable, guess: Roles, writing: Mapping[str, Any]) -> str | None:
    """Return why a guess does not open the table, in words; None where it does."""
    if guess.actual is None:
        return "No column looks like the true classes. Choose the column of the observed classes."
    if not guess.prob and not guess.plays("score", "predicted"):
        return (
            "No column looks like predicted probabilities. Choose columns of "
            "probabilities, scores or predicted classes."
        )
    try:
        _opened_again(path, read, guess, writing)
    except PlumblineError as error:
        return message_of(error)
    return None


def _opened_again(path: Path, read: FileTable, guess: Roles, writing: Mapping[str, Any]) -> None:
    """Open what is in memory; read anew only where text labels were taken for numbers."""
    arguments = arguments_of(guess.to_dict())
    columns = {name: arguments[name] for name in ROLES}
    if is_text_file(path) and guess.has_number_labels():
        read = read_files(path, actual=arguments["actual"], rename=arguments["rename"], **writing)
    read.checked(lambda table: Predictions.from_frame(table, **columns))


def _shown(fact: ColumnFacts) -> dict[str, Any]:
    return {
        "name": fact.name,
        "type": fact.kind,
        "examples": list(fact.first[:EXAMPLES_SHOWN]),
        "values": None
        if fact.values is None
        else [{"name": name, "rows": rows} for name, rows in fact.values],
        "plays": fact.plays,
    }
