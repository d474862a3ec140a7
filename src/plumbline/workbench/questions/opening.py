"""A file becomes a table: how its columns are read, shown and said again, and the table itself.

Which column plays which part is decided where every other way in decides it (`plumbline.roles`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineError
from plumbline.file_endings import is_text_file
from plumbline.frames.read import first_rows_as_written, is_large
from plumbline.predictions import Predictions, need_columns, sources_of
from plumbline.predictions.arrays import COUNT, MARKS
from plumbline.predictions.columns import fields_of_frame
from plumbline.predictions.files import read_files
from plumbline.predictions.opening import table_and_reading
from plumbline.predictions.told import reading_of
from plumbline.requests import any_number, fields_of, flag, name_list, named_texts
from plumbline.requests.kinds import Parse, text
from plumbline.roles import Column, Reading, UnclearColumns
from plumbline.roles import columns_of as facts_of
from plumbline.roles.positive import both_classes, usual_pair
from plumbline.roles.reading import ATTRIBUTE
from plumbline.workbench.questions.column_facts import shown_column
from plumbline.workbench.wording import BROWSER, message_of

if TYPE_CHECKING:
    import pyarrow as pa

    from plumbline.predictions.files import FileTable

MOST_COLUMNS = 2000  # that a form can show; the command line takes 30,000
PROB, SCORE = MARKS


def _probabilities(argument: str, value: Any) -> dict[str, str | None]:
    """Return {column: class}, None of the positive class of two."""
    if not isinstance(value, Mapping):
        return {**named_texts(argument, value)}
    unsaid = [name for name, target in value.items() if target is None]
    return {
        **named_texts(argument, {**value, **dict.fromkeys(unsaid, "")}),
        **dict.fromkeys(unsaid),
    }


TOLD: Mapping[str, Parse] = {
    "actual": text,
    "prob": _probabilities,
    "rename": named_texts,
    "positive": text,
    "normalize": flag,
    "missing": text,
    "logits": flag,
    "scale": any_number,
}
WRITING: Mapping[str, Parse] = {"separator": text, "decimal": text, "names": name_list}
UNSAID = dict.fromkeys(TOLD) | {"normalize": False, "logits": False}


@dataclass(frozen=True)
class Look:
    """A file as it is before anybody says what its columns are.

    Attributes
    ----------
    first : its first rows, texts as they are written
    columns : what these hold
    read : all rows, None of a file so large that they are counted
    reading : which column plays which part, None where that is unclear
    data : the table, where the reading opens it
    error : why it does not
    """

    first: "pa.Table"
    columns: Sequence[Column]
    read: "FileTable | None"
    reading: Reading | None = None
    data: Predictions | None = None
    error: PlumblineError | None = None


def columns_of(
    path: Path, said: Mapping[str, Any] | None = None, *, counted: bool = False
) -> dict[str, Any]:
    """Say what the columns of a file are, how they are read, and whether that opens the table.

    `said` are arguments of `plumbline.read` that somebody has said already; with `counted`, only
    the first rows of a large file are read. `guess` is the reading, as `opened` takes it;
    `complete` tells that it opens the table, else `problem` tells why not, and `readings` are those
    to choose from. Raises InputError for a file that cannot be read at all.
    """
    known = UNSAID | dict.fromkeys(WRITING) | dict(said or {})
    told = {name: known[name] for name in TOLD}
    writing = {name: known[name] for name in WRITING}
    look = _look(path, told, writing, sheet=known.get("sheet"), counted=counted)
    names = dict(getattr(look.error, "extra", ())).get("names")
    if names and is_text_file(path):
        found = columns_of(path, known | {"names": names}, counted=counted)
        problems = (_said(look.error), found["problem"])  # type: ignore[arg-type]
        return {**found, "complete": False, "problem": " ".join(filter(None, problems))}
    guesses, offered = _guesses(look, told)
    own = guesses[0] if len(guesses) == 1 else _roles(None, look, told)
    dialect = None if look.read is None else look.read.parts[0].dialect
    return {
        "rows": None if look.read is None else look.read.table.num_rows,
        "looked_at": look.first.num_rows,
        "columns": [
            shown_column(column, look.first[place], look.read and look.read.table[place])
            for place, column in enumerate(look.columns)
        ],
        "guess": own | writing,
        "readings": [] if len(guesses) < 2 else offered,
        "written": None
        if dialect is None
        else {"separator": dialect.separator, "decimal": dialect.decimal or "."},
        "positive_why": _why(look, own["positive"]),
        "complete": look.error is None,
        "problem": None if look.error is None else _said(look.error),
        "opened": False,
    }


def _look(
    path: Path,
    told: Mapping[str, Any],
    writing: Mapping[str, Any],
    *,
    sheet: str | None,
    counted: bool,
) -> Look:
    sources = sources_of(path)
    if counted and is_large(sources):
        first, comma = first_rows_as_written(sources[0], told, **writing)
        columns = facts_of(first, comma=comma)
        try:
            return Look(first, columns, None, reading_of(columns, **told))
        except UnclearColumns as error:
            return Look(first, columns, None, error=error)
    unclear: PlumblineError | None = None
    try:
        read, reading = table_and_reading(path, told, **writing, sheet=sheet)
    except UnclearColumns as error:
        unclear, reading = error, None
        read = read_files(path, **writing, sheet=sheet)
    need_columns(sources[0], read.table.num_columns, MOST_COLUMNS)
    first, comma = first_rows_as_written(sources[0], told, **writing, held=read.table)
    columns = facts_of(first, comma=comma)
    if unclear is not None:
        return Look(first, columns, read, error=unclear)
    try:
        reading = reading or read.checked(lambda table: reading_of(facts_of(table), **told))
        fields = read.checked(lambda table: fields_of_frame(table, reading=reading, **told))
        return Look(first, columns, read, reading, Predictions(**fields))
    except PlumblineError as error:
        if isinstance(error.__cause__, MemoryError):  # no matter of columns
            raise
        return Look(first, columns, read, reading, error=error)


def _guesses(
    look: Look, told: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the readings as roles, each also with the words that show it."""
    if isinstance(look.error, UnclearColumns) and look.error.code != "no-header":
        more = dict(look.error.extra)
        roles = [_roles(one, look, told) | more for one in look.error.readings]
        texts = [str(one).removeprefix("Read: ") for one in look.error.readings]
        return roles, [{"text": t, "roles": r} for t, r in zip(texts, roles, strict=True)]
    return ([] if look.reading is None else [_roles(look.reading, look, told)]), []


def _roles(reading: Reading | None, look: Look, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reading as `opened` takes it, every part said; of none what was told already."""
    values = {name: told[name] for name in ("normalize", "missing", "logits", "scale")}
    own = {c.name: c.name for c in look.columns if c.name == COUNT or c.name.startswith(SCORE)}
    if reading is None:
        known = {name: told[name] or {} for name in ("prob", "rename")}
        known |= {"actual": told["actual"], "positive": told["positive"], "groups": None}
        return known | values
    positive = _positive(reading, look)
    apart = {*reading.attributes, *(column for column, _ in reading.prob)}
    rename = {column: name for column, name in own.items() if column not in apart}
    rename |= {column: part for part, column in reading.parts.items()}
    values |= {"missing": reading.missing or values["missing"]}
    values |= {"logits": reading.logits or values["logits"]}
    values |= {"scale": reading.scale or values["scale"]}
    return {
        "actual": reading.actual,
        "prob": dict(reading.prob),
        "rename": rename,
        "positive": positive,
        "recurs": reading.recurs,
        **values,
    }


def _positive(reading: Reading, look: Look) -> str | None:
    """Return the positive class of two: the usual one, else the last that has its probability."""
    if look.data is not None:
        return look.data.classes[look.data.positive] if look.data.k == 2 else None
    labels = _labels(reading.actual, look)
    targets = [target for _, target in reading.prob if target is not None]
    if len(labels) != 2 or reading.positive is not None:
        return reading.positive
    pair = usual_pair(labels)
    return pair[1] if pair else targets[-1] if targets else None


def _labels(actual: str | None, look: Look) -> tuple[str, ...]:
    truth = next((column for column in look.columns if column.name == actual), None)
    return () if truth is None else both_classes(truth.labels)


def _why(look: Look, positive: str | None) -> str | None:
    """Say why a class of two is the positive one, or that it is the only one that occurs."""
    reading = look.reading
    if reading is None or positive is None:
        return None
    held = next(c for c in look.columns if c.name == reading.actual).labels
    if len(held) == 1:
        return f"Every row is {held[0]}: most measures need both classes."
    return f"{positive} is the positive class: {reading.reason}."


def _said(error: PlumblineError) -> str:
    """Return what is unclear; what to do about it are the controls beside it."""
    if not isinstance(error, UnclearColumns) or not error.readings:
        return message_of(error)
    text = BROWSER.worded(error.text)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def opened(path: Path, roles: Mapping[str, Any]) -> Predictions:
    """Read a file, its columns meaning what `roles` says.

    `roles` has the fields of `plumbline.read`: actual, prob {column: class}, rename {column: part},
    positive, normalize, missing, logits, scale, separator, decimal, names; null where the file
    itself tells. Raises what `read` raises, and ParameterError for roles that are none.
    """
    return Predictions.read(path, **arguments_of(path, roles))


def arguments_of(
    path: Path, roles: Mapping[str, Any], *, sheet: str | None = None
) -> dict[str, Any]:
    """Return roles as arguments of `plumbline.read`; raise ParameterError where they are none.

    A page says of every column what it is. Of those that play no part, or have the name of their
    part, only those are named that would be read in another way. A `sheet` is said elsewhere.
    """
    given = fields_of(roles, {**TOLD, **WRITING, "groups": text}, "roles")
    groups = given.pop("groups", None)
    found = UNSAID | dict.fromkeys(WRITING) | {n: v for n, v in given.items() if v != {}}
    if found["prob"] and None in found["prob"].values():
        found["prob"] = [*found["prob"]]
    if found["actual"] is None:
        return found
    told = {name: found[name] for name in TOLD}
    writing = {name: found[name] for name in WRITING}
    first, comma = first_rows_as_written(sources_of(path)[0], told, **writing, sheet=sheet)
    return found | {"rename": _needed(facts_of(first, comma=comma), told, groups) or None}


def _needed(
    columns: Sequence[Column], told: Mapping[str, Any], groups: str | None
) -> dict[str, str]:
    """Return the columns that must be renamed so that every one is read as is wanted."""
    wanted: dict[str, str] = {**(told["rename"] or {})}
    playing = {told["actual"], groups, *(told["prob"] or ()), *wanted}
    wanted |= {one.name: ATTRIBUTE for one in columns if one.name not in playing}
    needed = {name: part for name, part in wanted.items() if part not in (name, ATTRIBUTE)}
    needed |= {name: part for name, part in wanted.items() if name.lstrip().startswith(PROB)}
    while True:
        try:
            reading = reading_of(columns, **{**told, "rename": needed})
            read = {name: name for name in wanted if name == COUNT or name.startswith(SCORE)}
            read |= dict.fromkeys(needed.keys() & read.keys(), ATTRIBUTE)
            read |= {name: part for part, name in reading.parts.items()}
            other = {name for name in wanted if read.get(name, ATTRIBUTE) != wanted[name]}
        except UnclearColumns as error:
            asked = [{*one.attributes, *one.settled} for one in error.readings]
            other = wanted.keys() & set().union(*asked)
        more = {name: wanted[name] for name in other - needed.keys()}
        if not more:
            return needed
        needed |= more


def how_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a table was read, the usual arguments left out.

    `given` has the arguments of `plumbline.read`, or the command line's reading options by name.

    >>> how_read({"actual": "y", "prob": [("p", "1")], "groups": "patient", "rename": None})
    {'actual': 'y', 'prob': {'p': '1'}, 'rename': {'patient': 'groups'}}
    """
    params = {name: value for name, value in given.items() if value}
    for name in ("prob", "rename"):
        if _is_pairs(params.get(name)):
            params[name] = dict(params[name])
    if isinstance(params.get("prob"), dict) and None in params["prob"].values():
        params["prob"] = [*params["prob"]]  # columns of the positive class
    if (groups := params.pop("groups", None)) is not None:  # an option of the command alone
        params["rename"] = {**params.get("rename", {}), groups: "groups"}
    return params


def _is_pairs(value: Any) -> bool:
    return bool(value) and not (isinstance(value, list) and isinstance(value[0], str))
