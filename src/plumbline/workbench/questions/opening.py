"""A file becomes a table: what its columns are, what they seem to mean, and the table itself."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineError
from plumbline.predictions import Predictions, read
from plumbline.predictions.files import read_table
from plumbline.requests.kinds import Parse, fields_of, flag, named_texts, text
from plumbline.workbench.questions.column_facts import ColumnFacts, facts_of
from plumbline.workbench.questions.guessing import Roles, guessed, labels_by_name
from plumbline.workbench.wording import message_of

if TYPE_CHECKING:
    import pyarrow as pa

EXAMPLES_SHOWN = 4
TEXT = {".csv": ",", ".tsv": "\t"}
LONGEST_HEADER = 1 << 20
MOST_COLUMNS = 2000
ROLES: Mapping[str, Parse] = {
    "actual": text,
    "prob": named_texts,
    "rename": named_texts,
    "positive": text,
    "normalize": flag,
}
READING = ("actual", "prob", "rename", "positive", "normalize", "models", "folds", "repeats")


def columns_of(path: Path) -> dict[str, Any]:
    """Say what the columns of a file are, guess what they mean, and whether that opens the table.

    `complete` tells that it does, else `problem` tells why not. Every column comes with its type,
    its first values and, where it has few distinct ones, their numbers of rows. Raises InputError
    for a file that cannot be read at all.
    """
    table = read_table(path, rename=labels_by_name(_header(path)), most_columns=MOST_COLUMNS)
    facts = facts_of(table)
    guess = guessed(facts)
    problem = _problem(path, table, guess)
    return {
        "rows": table.num_rows,
        "columns": [_shown(fact) for fact in facts],
        "guess": guess.to_dict(),
        "positive_why": guess.positive_why,
        "complete": problem is None,
        "problem": problem,
        "opened": False,
    }


def opened(path: Path, roles: Mapping[str, Any]) -> Predictions:
    """Read a file, its columns meaning what `roles` says.

    `roles` has the fields of `plumbline.read`: actual, prob {column: class}, rename {column: part},
    positive, normalize; null where the names of the columns tell. Raises what `read` raises, and
    ParameterError for roles that are none.
    """
    return read(path, **arguments_of(roles))


def how_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a table was read, the usual arguments left out.

    `given` has the arguments of `plumbline.read`, or the command line's reading options by name. Of
    "models", "folds" and "repeats" it is only told that some were chosen.

    >>> how_read({"actual": "y", "prob": [("p", "1")], "rename": None})
    {'actual': 'y', 'prob': {'p': '1'}}
    """
    given_params = {name: given[name] for name in READING if given.get(name)}
    return given_params | {
        name: dict(given_params[name]) for name in ("prob", "rename") if name in given_params
    }


def _header(path: Path) -> list[str]:
    """Return the names of the columns of a text file, whose labels must be read as text."""
    delimiter = TEXT.get(path.suffix.lower())
    if delimiter is None or not path.is_file():
        return []
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        return next(csv.reader([file.readline(LONGEST_HEADER)], delimiter=delimiter), [])


def arguments_of(roles: Mapping[str, Any]) -> dict[str, Any]:
    """Return roles as arguments of `plumbline.read`; raise ParameterError where they are none."""
    given = fields_of(roles, ROLES, "roles")
    usual = dict.fromkeys(ROLES) | {"normalize": False}
    return usual | {name: value for name, value in given.items() if value != {}}


def _problem(path: Path, table: "pa.Table", guess: Roles) -> str | None:
    """Return why a guess does not open the table, in words; None where it does."""
    if guess.actual is None:
        return (
            "No column looks like the true classes. Choose the column that says what really "
            "happened."
        )
    if not guess.prob and not guess.plays("score", "predicted"):
        return (
            "No column looks like predicted probabilities. Choose the columns that say how likely "
            "each class was, or a column of scores or of predicted classes."
        )
    try:
        _opened_again(path, table, guess)
    except PlumblineError as error:
        return message_of(error)
    return None


def _opened_again(path: Path, table: "pa.Table", guess: Roles) -> None:
    """Open what is in memory; read anew only where text labels were taken for numbers."""
    arguments = arguments_of(guess.to_dict())
    if path.suffix.lower() in TEXT and guess.has_number_labels():
        table = read_table(path, actual=arguments["actual"], rename=arguments["rename"])
    Predictions.from_frame(table, **arguments)


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
