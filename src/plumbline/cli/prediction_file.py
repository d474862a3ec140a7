"""From FILE and its options to predictions."""

import io
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from plumbline._checks import near_names, shown
from plumbline.cli.rows_left_out import RowsRead, remember_rows, rows_lines
from plumbline.cli.running import running
from plumbline.command_words import file_word, options_words
from plumbline.errors import MOST_OFFERED, ParameterError, PlumblineWarning
from plumbline.file_endings import STATE_ENDINGS, split_ending
from plumbline.formatting import counted, printable, quoted, view_words

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.frames import CountingErrors

Pairs = Sequence[tuple[str, str]]
STDIN = Path("-")
TOP = "top-label"
ALL_CLASSES = "all-classes"
FORMULAS = ("x", "y", "where", "sort_by", "subject_to")  # parameters that may name attributes


class StandardInput(io.BytesIO):
    """What standard input held, so that it can be read more than once."""

    name = "<stdin>"


def inputs(files: Sequence[Path]) -> "Sequence[Path] | BinaryIO":
    """Return what the library reads: files, or the bytes of standard input for "-" alone."""
    if STDIN not in files:
        return files
    if len(files) > 1:
        raise ParameterError(
            "standard input (-) is a whole table; name no other file beside it",
            code="stream-beside-files",
        )
    return _standard_input()


def _standard_input() -> StandardInput:
    run = running()
    if run.stdin is None:
        run.stdin = sys.stdin.buffer.read()
    return StandardInput(run.stdin)


def one_model_at_a_time(what: str, models: Sequence[str]) -> ParameterError:
    """Return the refusal of what is made of one model, with a command for each."""
    return ParameterError(
        f"{what}, and there are {len(models)} ({shown(models)})",
        code="one-model-at-a-time",
        choices=[{"models": model} for model in models[:MOST_OFFERED]],
    )


def need_files(files: Sequence[Path], name: str) -> None:
    """Refuse standard input and files elsewhere, where what is read is read again and watched."""
    elsewhere = [file for file in files if "://" in str(file)]
    if elsewhere:
        raise ParameterError(
            f"plumbline {name} reads FILE again whenever it changes, and "
            f"{quoted(elsewhere[0].name)} is not on this machine; copy it here first",
            code="file-elsewhere",
        )
    if STDIN in files:
        raise ParameterError(
            f"plumbline {name} reads FILE more than once, and standard input (-) can "
            "be read only once; save it to a file first",
            code="stream-not-kept",
        )


def read_source(
    files: Path | Sequence[Path],
    *,
    actual: str | None,
    prob: Pairs,
    rename: Pairs,
    groups: str | None,
    positive: str | None,
    normalize: bool,
    missing: str | None,
    logits: bool,
    scale: float | None,
    names: str | Sequence[str] | None,
    separator: str | None,
    decimal: str | None,
    sheet: str | None,
    labels: Path | None,
    row: tuple[str, str | None] | None,
    keep: str | None,
    engine: str | None,
    models: Sequence[str] | None,
    folds: Sequence[str] | None,
    repeats: Sequence[str] | None,
) -> "Predictions":
    """Read the files as one table; keep the models, folds and repeats that were asked for."""
    from plumbline.cli.messages import progress_once_begun
    from plumbline.frames import read_or_count
    from plumbline.frames.read import note_view
    from plumbline.frames.state_file import waiting_in
    from plumbline.predictions import note_on_repeats

    if groups is not None:
        rename = tuple(dict.fromkeys((*rename, (groups, "groups"))))
    _check_renames(rename, {actual, *(column for column, _ in prob)})
    source = inputs(files_of(files))
    how: dict[str, Any] = {"actual": actual, "positive": positive, "missing": missing}
    how |= {"prob": pairs_of("--prob", prob), "rename": pairs_of("--rename", rename)}
    how |= {"logits": logits, "scale": scale}
    written: dict[str, Any] = {"separator": separator, "decimal": decimal, "sheet": sheet}
    written["names"] = None if names is None else listed("--names", names, ())
    narrow, chosen = engine is None, engine or "auto"
    states = all(file.suffix.lower() in STATE_ENDINGS for file in files_of(files))
    engine = engine or ("auto" if states else _usual_engine())
    run = running()
    run.of_states = states
    run.source = source_words(files_of(files), table_options())
    attributes = _attributes_chosen(source, how, separator, chosen)
    with progress_once_begun("Counting rows") as bar:
        data = read_or_count(
            source,
            how=how,
            text=written,
            beside={"labels": labels, "row": _id_of(row), "keep": keep},
            normalize=normalize,
            attributes=attributes,
            usual_view=_usual_view(),
            engine=engine,
            progress=bar,
            narrow=narrow,
        )
    if data.levels is not None and not states and _needs_note():
        note_view(data.levels)
    note = note_on_repeats(data)
    run.notes += [note] if note is not None else []
    if data.counted and len(_classes_at_hand(data)) > 2:
        run.view = ALL_CLASSES if data.levels is None else data.levels.view
    if data.reading is not None and not data.reading.is_plain:
        run.readings.append(data.reading)
    reading = data.reading
    out = 0 if reading is None else reading.left_out
    if reading is not None and reading.shape == "models":  # a row of the file holds one of each
        out *= len(reading.prob)
    waiting = sum(map(waiting_in, files_of(files))) if states else 0
    rows = RowsRead(title_of(files_of(files)), data.total + out + waiting, waiting=waiting)
    rows = rows.without("missing", out)
    if models is not None:
        kept = data.select(model=listed("--models", models, data.models))
        rows, data = rows.without("models", data.total - kept.total), kept
    if folds is not None:
        kept = data.select(fold=listed("--folds", folds, data.folds))
        rows, data = rows.without("folds", data.total - kept.total), kept
    if repeats is not None:
        known = () if data.repeat is None else data.repeat.names
        kept = data.select(repeat=listed("--repeats", repeats, known))
        rows, data = rows.without("repeats", data.total - kept.total), kept
    remember_rows(files, rows)
    _warn_if_backwards(data)
    return data


def _id_of(row: tuple[str, str | None] | None) -> str | dict[str, str] | None:
    """Return the column of the ID, or those of both files."""
    if row is None or row[1] is None:
        return None if row is None else row[0]
    return {row[0]: row[1]}


def files_of(files: Path | Sequence[Path]) -> Sequence[Path]:
    """Return one or several files as several."""
    return [files] if isinstance(files, Path) else files


def _usual_engine() -> str:
    """Return "memory" where the running command needs single rows, or attributes, else "auto"."""
    from plumbline.requests import REQUESTS

    run = running()
    if run.context is None or run.is_of_states:
        return "auto"
    request = REQUESTS.get(run.name)
    given = [name for name, value in run.values.items() if value not in (None, ())]
    return "auto" if request is None or request.counts(given) else "memory"


def table_options() -> dict[str, Any]:
    """Return the options of the running command that say how a table is read."""
    return {name: running().values.get(name) for name in TABLE_OPTIONS}


def source_words(files: Iterable[object], read: Mapping[str, Any]) -> list[str]:
    """Return the words of a command that reads files, with options that say how."""
    return [*map(file_word, files), *options_words(read)]


def _classes_at_hand(data: "Predictions") -> Sequence[str]:
    return data.classes if data.levels is None else data.levels.classes


def read_alike(command: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with which another command can read what the running one counted.

    Of more than two classes it keeps the view, or reads single rows where it counts no view.
    """
    from plumbline.requests import REQUESTS

    run = running()
    if not run.values.get("engine"):
        return {}
    request = REQUESTS.get(command)
    single = request is not None and not request.counts(values)
    if single or (run.view is not None and counted_view(command, values) is None):
        return {"engine": "memory"}
    return {}


def view_at_hand() -> list[str]:
    """Return the words of the view of more than two classes that was counted; none of two."""
    view = running().view
    return [] if view is None else [view_words(view)]


def needs_files_of_state(command: str, values: Mapping[str, Any]) -> bool:
    """Tell whether another command needs what the states that were read do not hold.

    That are single rows, or all classes where two of a view were counted.
    """
    from plumbline.requests import REQUESTS

    run = running()
    if not run.of_states:
        return False
    request = REQUESTS.get(command)
    single = request is not None and not request.counts(values)
    return single or (command == "recalibrate" and run.view is not None)


def view_kept(command: str) -> dict[str, Any]:
    """Return the view whose rows were counted, if it was named and another command takes it."""
    from plumbline.requests import REQUESTS

    view, request = running().given.get("view"), REQUESTS.get(command)
    if view is None or running().view is None:
        return {}
    return {"view": view} if request is not None and "view" in request.offered("command") else {}


def _attributes_chosen(
    source: Any, how: Mapping[str, Any], separator: str | None, engine: str
) -> list[str] | None:
    """Return the attributes that are counted; None where the command offers a choice not taken."""
    run = running()
    if "attributes" not in run.values:
        return _attributes_named(source, how, separator, engine)
    chosen = run.values["attributes"]
    return listed("--attributes", chosen, ()) if chosen else None


def _attributes_named(
    source: Any, how: Mapping[str, Any], separator: str | None, engine: str
) -> list[str]:
    """Return the attributes of a table that is counted which the running command names."""
    from plumbline.frames.read import attributes_of_large

    given = running().values
    groups, words = _groups_of(given.get("by") or ""), _words_of(given)
    if not groups and not words:
        return []
    known = attributes_of_large(source, how, separator=separator, engine=engine)
    if known is None:
        return []
    used = [name for name in known if {name, "_".join(name.split())} & (groups | words)]
    unknown = groups - {*known, "model", "class"} if not groups & {*used} else set()
    return [*used, *sorted(unknown)]  # which are refused


def _groups_of(by: str) -> set[str]:
    return {by, *(part.strip() for part in by.split(","))} - {""}


def _words_of(given: Mapping[str, Any]) -> set[str]:
    """Return all words of the formulas of a command."""
    texts = [given[name] for name in FORMULAS if given.get(name)]
    card = given.get("card")
    if card is not None and Path(card).is_file():
        texts.append(Path(card).read_text("utf-8", "replace").replace('"', " "))
    plain = [re.sub(r"'[^']*'|\"[^\"]*\"", " ", text) for text in texts]
    ticked = {name for text in texts for name in re.findall(r"`([^`]+)`", text)}
    words = {word for text in plain for word in re.findall(r"\w+", text)}
    return ticked | words


def _needs_note() -> bool:
    """Tell whether the running command is about all classes where nobody names a view."""
    named = running().name == "calibration"  # its default
    return not named and _usual_view() == TOP and "view" not in running().given


def _usual_view() -> str | None:
    """Return the view of more than two classes that the running command counts, None of none."""
    run = running()
    if run.context is None or run.is_of_states:
        return TOP
    return counted_view(run.name, run.given)


def counted_view(command: str, given: Mapping[str, Any]) -> str | None:
    """Return the view of more than two classes that a command counts, None where it cannot.

    Scores and confusion matrices count all classes, where nothing is asked that needs single rows.
    """
    if command in ("calibration", "test"):
        return str(given.get("view", TOP))
    if command == "serve":
        return TOP
    if command == "curve":
        return f"one-vs-rest:{given['target']}" if "target" in given else None
    known = ALL_CLASSES_OF.get(command)
    return ALL_CLASSES if known is not None and known.issuperset(given) else None


def _warn_if_backwards(data: "Predictions") -> None:
    """Warn if the probabilities seem to be those of the other class."""
    from plumbline.input_checks import ranks_backwards

    warning = ranks_backwards(data)
    if warning is not None:
        text = f"{warning.code}: {warning.text}"
        warnings.warn(PlumblineWarning(text, code=warning.code), stacklevel=3)


TABLE_OPTIONS = (
    "actual",
    "prob",
    "rename",
    "groups",
    "positive",
    "normalize",
    "missing",
    "logits",
    "scale",
    "names",
    "separator",
    "decimal",
    "sheet",
    "labels",
    "row",
    "keep",
    "engine",
    "models",
    "folds",
    "repeats",
)
SHOWN = ("files", "as_json", "out")
# What commands may be asked of counts of all classes.
ALL_CLASSES_OF = {
    "scores": {*TABLE_OPTIONS, *SHOWN},
    "confusion": {*TABLE_OPTIONS, *SHOWN, "target", "rates", "average", "beta", "undefined"}
    | {"level", "resamples", "rng", "workers", "interval", "shares"},
}


def split_source(
    files: Sequence[Path], given: dict[str, Any]
) -> tuple["Predictions", dict[str, Any]]:
    """Read the table by the options that say how; return it with the question that was asked."""
    how = {name: given[name] for name in TABLE_OPTIONS}
    question = {
        name: value for name, value in given.items() if name not in how and value is not None
    }
    return read_source(files, **how), question


def pairs_of(option: str, pairs: Pairs) -> dict[str, str] | None:
    """Return COL=NAME pairs as a mapping; refuse a column that is named twice."""
    for left, _ in pairs:
        if [column for column, _ in pairs].count(left) > 1:
            raise ParameterError(
                f"{option} names the column {quoted(left)} more than once", code="given-twice"
            )
    return dict(pairs) or None


ROLES = (
    "actual",
    "y_true",
    "y_prob",
    "model",
    "fold",
    "repeat",
    "row",
    "weight",
    "predicted",
    "score",
    "groups",
    "class",
    "count:rows",
    "attribute",
)
MARKS = ("p:", "score:")


def _check_renames(pairs: Pairs, named: Collection[str | None]) -> None:
    """Refuse a new name that means nothing; warn where a column loses its meaning by it."""
    for column, name in pairs:
        if _means_something(name) or name in named:
            continue
        hint = near_names(name, ROLES)
        if _means_something(column):
            text = f"--rename makes the column {quoted(column)} an attribute, {quoted(name)}{hint}"
            warnings.warn(PlumblineWarning(text, code="meaning-lost"), stacklevel=2)
            continue
        raise ParameterError(
            f"--rename {column}={name}: {quoted(name)} is no part of a table{hint or '.'} The "
            f"parts are {', '.join(ROLES)}, p:CLASS and score:CLASS",
            code="unknown-name",
            remedy="an attribute needs no renaming",
        )


def _means_something(name: str) -> bool:
    return name in ROLES or name.startswith(MARKS)


def listed(option: str, given: str | Sequence[str], known: Sequence[str]) -> list[str]:
    """Split texts at commas, unless the whole of one is a name that holds one."""
    names: list[str] = []
    for text in [given] if isinstance(given, str) else given:
        parts = [text] if text in known else [part.strip() for part in text.split(",")]
        if not any(parts):
            raise ParameterError(
                f"{option} must list names, like A,B, got {quoted(text)}", code="wrong-kind"
            )
        names += filter(None, parts)
    return names


def positive_of(data: "Predictions") -> str | None:
    """Return the positive class of two, which `--json` names; of more classes none is."""
    many = data.k > 2 or (data.levels is not None and data.levels.view is not None)
    return None if many else data.classes[data.positive]


def classes_read(data: "Predictions") -> list[str]:
    """Say how many classes there are, and of two which is the positive one."""
    if data.levels is not None and data.levels.view is not None:
        return [counted(len(data.levels.classes), "class"), view_words(data.levels.view)]
    positive = positive_of(data)
    named = [] if positive is None else [f"positive class {printable(positive)}"]
    return [counted(data.k, "class"), *named]


def title_of(files: Sequence[Path]) -> str:
    """Return what files are called: the name of one, or of the first and how many there are.

    >>> title_of([Path("a/part-1.csv"), Path("a/part-2.csv")]), title_of([Path("-")])
    ('part-1.csv and 1 more', 'standard input')
    """
    first = "standard input" if files[0] == STDIN else files[0].name
    return first if len(files) == 1 else f"{first} and {len(files) - 1:,} more"


def stem_of(files: Sequence[Path]) -> str:
    """Return the same without the endings that tell the format.

    >>> stem_of([Path("a/night.csv.gz")]), stem_of([Path("v1.2.parquet")])
    ('night', 'v1.2')
    """
    if len(files) > 1 or files[0] == STDIN:
        return title_of(files)
    return files[0].name[: -len("".join(split_ending(files[0].name))) or None]


def _counted_in(data: "Predictions") -> str:
    """Say at how many probabilities a counted table has rows, those of models apart."""
    if data.losses is not None:
        return f"in {counted(data.stored, 'cell')}"
    if data.prob is None:
        return f"at {counted(data.stored, 'level')}"
    prob = data.prob[:, data.positive]
    return f"at {counted(1 + int((prob[1:] != prob[:-1]).sum()), 'level')}"


def counting_errors_of(data: Any) -> "list[tuple[str | None, CountingErrors]]":
    """Return how far the numbers of each model can be off, for its rows were counted at levels.

    Empty for other tables, and for what is no table.
    """
    from plumbline import Predictions
    from plumbline.frames import counting_errors

    if not isinstance(data, Predictions) or data.levels is None:
        return []
    if not data.models:
        return [(None, counting_errors(data))]
    return [(name, counting_errors(data.select(model=name))) for name in data.models]


def heading(files: Path | Sequence[Path], data: "Predictions", *, always: bool = False) -> str:
    """Say in one line what was read; in a second one how, where own names do not tell.

    With `always` that line is there for every table.
    """
    from plumbline.predictions import count_examples, repeated_id

    examples = count_examples(data)
    size = counted(examples.n, examples.unit)
    if data.reading is not None and not data.reading.is_plain and examples.n < data.total:
        size += f" in {counted(data.total, 'row')}"
    where = f" counted {_counted_in(data)}" if data.counted else ""
    parts = [f"{size}{where}", *classes_read(data)]
    again = repeated_id(data)
    parts += (
        [] if again is None else [f"{counted(again.values, 'value')} of {printable(again.column)}"]
    )
    parts += [counted(len(data.models), "model")] if data.models else []
    repeats, folds = 0 if data.repeat is None else len(data.repeat.names), len(data.folds)
    if repeats > 1:
        of_folds = f" of {counted(folds, 'fold')}" if folds > 1 else ""
        parts.append(f"{counted(repeats, 'repeat')}{of_folds}")
    elif folds:
        parts.append(counted(folds, "fold"))
    if data.weight is not None and not data.counted:
        parts.append(f"weighted: as informative as {examples.effective_n:,.1f} {examples.unit}s")
    first = f"{printable(title_of(files_of(files)))}: {', '.join(parts)}"
    return "\n".join([first, *_read(data, always=always), *rows_lines(files)])


def _read(data: "Predictions", *, always: bool) -> list[str]:
    reading = data.reading
    if reading is None or (reading.is_plain and not always):
        return []
    return [str(replace(reading, left_out=0))]
