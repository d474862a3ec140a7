"""How results are printed: one renderer of everything that `present` gives, and one of JSON."""

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from plumbline.cli.messages import typed
from plumbline.cli.prediction_file import (
    counting_errors_of,
    needs_files_of_state,
    read_alike,
    source_words,
    table_options,
    view_kept,
)
from plumbline.cli.rows_left_out import rows_entries
from plumbline.cli.running import running
from plumbline.command_words import command_line, file_word, options_words
from plumbline.formatting import PAGE, capital, printable

if TYPE_CHECKING:
    from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table

MORE = "Details: --verbose"
COLOURS = {"bad": "bold red", "good": "bold green", "open": "bold"}
GAP = 2  # columns between those of a table
UNLIMITED = 10_000  # columns of a file or a pipe, where nothing is cut or folded


def shown(results: "Sequence[tuple[str | None, Result]]", *, with_notes: bool = True) -> str:
    """Return what the results of one request say, those of several models side by side.

    Without notes where `notes_of` says those of several answers together.
    """
    parts = [result.present() for _, result in results]
    if not with_notes:
        parts = [replace(part, notes=()) for part in parts]
    return laid_out(parts, [name for name, _ in results])


def notes_of(results: "Sequence[tuple[str | None, Result]]") -> list[str]:
    """Return the notes of the results of several models, each fact once."""
    return [*_notes([name for name, _ in results], [one.present() for _, one in results])]


def laid_out(
    parts: "Sequence[Presentation]",
    names: Sequence[str | None] = (None,),
    *,
    steps: Sequence[tuple[str, str]] | None = None,
) -> str:
    """Return what the results of some models say: the answer, its size, what to do next.

    With --verbose also what was asked, the tables behind the answer, and what the words mean.
    `steps` are the lines of what to do next, where they are not those of the results.
    """
    whole = bool(running().verbose)
    first = all(_tables_answer(part) for part in parts)
    every = list(_tables(names, parts))
    tables = [_table(table) for table in every if whole or not (first and table.folded)]
    if any(part.tables for part in parts) and not tables:
        tables = [paragraph("Tables: one model at a time (--models), or all with --json.")]
    if steps is None:
        steps = _next_steps(names, parts)
    blocks: list[str] = []
    subjects = _each(typed(part.subject, names=not part.formulas) for part in parts)
    if whole or first:
        blocks += [_subject(subject) for subject in subjects]
    blocks += tables if first else []
    if len(parts) > 1:
        blocks += _side_by_side(names, parts, steps)
    elif first and tables and steps and not (parts[0].summary or parts[0].details):
        blocks[-1] = f"{blocks[-1]}\n{_facts(steps)}"
    else:
        blocks += _alone(parts[0], steps)
    blocks += [paragraph(text) for text in map(typed, notes_on_tables()) if _is_new(text)]
    blocks += _notes(names, parts)
    legend = _each(line for part in parts for line in part.legend)
    if whole:
        blocks += [] if first else tables
        blocks += [paragraph(typed(text)) for text in legend if _is_new(text)]
    elif _can_be_verbose() and (
        legend or len(tables) < len(every) or (not first and (tables or any(subjects)))
    ):
        blocks[-1:] = ["\n".join([*blocks[-1:], MORE])]
    return "\n\n".join(blocks)


def _tables_answer(part: "Presentation") -> bool:
    """Tell whether the tables are the answer; the number of groups of rows is none."""
    facts = [one for one in part.details if one.key != "row_groups"]
    return part.tables_first or not (part.summary or facts)


def notes_on_tables() -> "list[Note]":
    """Return the notes on the tables that were read, once: the answer says them first."""
    kept = running().notes
    notes = list(dict.fromkeys(kept))
    kept.clear()
    return notes


def _can_be_verbose() -> bool:
    """Whether the running command has the option --verbose; outside of one it is named as well."""
    run = running()
    return run.context is None or run.verbose is not None


def _subject(text: str) -> str:
    """Return what was looked at; formulas, in lines of their own, as they can be copied."""
    return "\n".join(
        printable(line) if line.startswith("  ") else paragraph(line) for line in text.split("\n")
    )


def _alone(part: "Presentation", steps: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the answer about one model, and below it its numbers, one a line."""
    lines = [_answer(part, "")] if part.summary else []
    facts = [*_labelled(part.details), *steps]
    lines += [_facts(facts)] if facts else []
    if lines:
        yield "\n".join(lines)


def _side_by_side(
    names: Sequence[str | None],
    parts: "Sequence[Presentation]",
    steps: Sequence[tuple[str, str]],
) -> Iterator[str]:
    """Yield the answer of each model, their numbers as one table, and what to do next."""
    from plumbline._result import Table, side_by_side

    answers = [
        _answer(part, f"{printable(name)}: ")
        for name, part in zip(names, parts, strict=True)
        if part.summary
    ]
    if answers:
        yield "\n".join(answers)
    blocks: list[str] = []
    facts = side_by_side([part.details for part in parts])
    if facts:
        table = Table(_models(names) | facts, left=("model", "answer"))
        if _natural_width(table) <= _width():
            blocks.append(_table(table))
        else:  # a narrow window: one list a model
            lists = [_facts(_labelled(part.details)) for part in parts]
            pairs = zip(names, lists, strict=True)
            blocks += [f"{printable(name)}\n{lines}" for name, lines in pairs]
    last = [*blocks[-1:], *([_facts(steps)] if steps else [])]
    yield from blocks[:-1]
    if last:
        yield "\n".join(last)


def _next_steps(
    names: Sequence[str | None], parts: "Sequence[Presentation]"
) -> list[tuple[str, str]]:
    """Return what to do next, each once: where a model has a fault, about such models alone."""
    known = [
        (name, part, part.next_step)
        for name, part in zip(names, parts, strict=True)
        if part.next_step is not None and _can_follow(part.next_step)
    ]
    bad = any(part.tone == "bad" for _, part, _ in known)
    steps = [
        next_lines(step, name if step.per_model else None)
        for name, part, step in known
        if part.tone == "bad" or not bad
    ]
    commands: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for first, *below in steps:  # models with the same next step stand below one sentence
        commands.setdefault(first, {}).update(dict.fromkeys(below))
    return [line for first, below in commands.items() for line in (first, *below)]


def _labelled(details: "Sequence[Detail]") -> list[tuple[str, str]]:
    from plumbline._result import in_lines

    return [(capital(label), text) for label, text in in_lines(details)]


def _answer(part: "Presentation", who: str) -> str:
    """Return the answer, coloured up to its colon where the terminal has colours."""
    text = paragraph(f"{who}{part.summary}")
    end = text.find(":", len(who))
    head = text if end < 0 else text[:end]
    if not part.tone or "\n" in head:
        return text
    return _drawn(_styled(head, COLOURS[part.tone])) + text[len(head) :]


def next_lines(
    step: "NextStep", model: str | None = None, *, source: Sequence[Path] | None = None
) -> list[tuple[str, str]]:
    """Return what to do next, and its command: it reads `source`, else as the running one does."""
    values = dict(step.values)
    model = values.pop("models", model)
    values = view_kept(step.request) | values
    if source is not None:
        words = [file_word(file) for file in source]
    elif needs_files_of_state(step.request, values):  # the files it was made of
        words = ["FILE"]
    else:
        words = running_source(model, **read_alike(step.request, values))
    words += options_words(values)
    command = command_line(["plumbline", step.request, *(words or ["FILE"])])
    return [("Next", typed(step.text)), ("", command)] if step.text else [("Next", command)]


def running_source(
    model: str | None = None, *, names_only: bool = False, **others: Any
) -> list[str]:
    """Return the files of the running command, and its options that say how they are read.

    `model` stands in the place of the models that were selected, `others` in that of other options;
    of the files, `names_only` leaves out the folders.
    """
    run = running()
    if run.context is None:
        return []
    files = run.values.get("files") or ()
    read = table_options() | others
    if names_only and read.get("labels"):
        read["labels"] = Path(str(read["labels"])).name
    if run.file_of:
        file, model = run.file_of[model]
        files, read["models"] = [file], None
    if model is not None:
        read["models"] = model
    return source_words([Path(file).name if names_only else file for file in files], read)


def _can_follow(step: "NextStep") -> bool:
    """Whether a command can read what the running one read: a table, or that of one model."""
    run = running()
    if "files" not in run.values:
        return True
    if run.file_of:
        return step.values.get("models") in run.file_of
    return bool(run.values["files"])


def _models(names: Sequence[str | None]) -> dict[str, list[str]]:
    return {"model": [str(name) for name in names]} if names[0] is not None else {}


def _notes(names: Sequence[str | None], parts: "Sequence[Presentation]") -> Iterator[str]:
    """Yield the notes of every model, and what holds for several of them once."""
    from plumbline._result import notes_together

    for about, note in notes_together(names, [part.notes for part in parts]):
        text = typed(note, names=not parts[0].formulas)
        text = ": ".join(filter(None, [", ".join(about), text]))
        if _is_new(text):
            yield paragraph(text)


def _is_new(text: str) -> bool:
    """Tell whether the answer, which may be put together of several, does not have a line yet."""
    said = running().said
    new = text not in said
    said.add(text)
    return new


def _tables(names: Sequence[str | None], parts: "Sequence[Presentation]") -> "Iterator[Table]":
    """Yield the tables of the only model, and of several those of one row, below each other."""
    if len(parts) == 1:
        yield from parts[0].tables
        return
    for same in zip(*(part.tables for part in parts), strict=False):
        first = same[0]
        if all(list(one.columns) == list(first.columns) and _height(one) == 1 for one in same):
            rows = {name: [one.columns[name][0] for one in same] for name in first.columns}
            yield replace(first, columns=_models(names) | rows, left=("model", *first.left))


def _height(table: "Table") -> int:
    return len(next(iter(table.columns.values())))


def _each(texts: Iterable[str]) -> list[str]:
    """Return each text once, in order, the empty one left out."""
    return [text for text in dict.fromkeys(texts) if text]


# ------------------------------------------------------------------ lines


def _width() -> int:
    """Return the columns of the terminal; a file or a pipe has no limit unless COLUMNS sets one."""
    size = shutil.get_terminal_size(fallback=(UNLIMITED, 24)).columns
    return size if sys.stdout.isatty() or "COLUMNS" in os.environ else UNLIMITED


def paragraph(text: str) -> str:
    """Return a text wrapped at the width of a page, or of a terminal that is narrower."""
    return _filled(printable(text), min(PAGE, _width()))


_KEPT = re.compile(r"(?<=\w) ([=≤<]) (?=\S)|(?<=\d) (?=%)")


def _filled(text: str, width: int, first: str = "", others: str = "") -> str:
    """Return a text in lines; "p = 0.05" and "95 %" are not torn apart."""
    whole = _KEPT.sub(lambda match: match[0].replace(" ", "\u00a0"), text)
    lines = textwrap.fill(
        whole,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\u00a0", " ")


def _facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Return labels with their texts, one a line, the texts below each other.

    A label that takes more than half of the page has its text below it.
    """
    page = min(PAGE, _width())
    width = min(max(len(label) for label, _ in pairs) + 4, page // 2)
    lines = []
    for label, text in pairs:
        first = f"  {label:<{width - 2}}"
        if len(first) > width or not first.endswith("  "):
            lines.append(first.rstrip())
            first = " " * width
        wide = UNLIMITED if text.startswith("plumbline ") else page  # a command is copied
        lines.append(_filled(printable(text), wide, first, " " * width))
    return "\n".join(lines)


def listed(pairs: Sequence[tuple[str, str]]) -> str:
    """Return names with what belongs to them, one a line."""
    return _facts(pairs)


def _natural_width(table: "Table") -> int:
    widths = _whole_widths(table)
    return sum(widths) + GAP * (len(widths) - 1)


def _whole_widths(table: "Table") -> list[int]:
    """Return the longest cell of every column, its name included."""
    return [
        max(len(printable(cell)) for cell in (name, *cells))
        for name, cells in table.columns.items()
    ]


def _word_widths(table: "Table") -> list[int]:
    """Return the longest word of every column; names are one word."""
    return [
        max(len(word) for cell in (name, *cells) for word in (printable(cell).split() or [""]))
        for name, cells in table.columns.items()
    ]


def _table(table: "Table") -> str:
    """Return a table that fits the terminal: cells in several lines, or else one list a row."""
    title, more = (paragraph(text) if text else "" for text in (table.title, table.more))
    return "\n".join(filter(None, [title, _grid(table), more]))


def _grid(table: "Table") -> str:
    rows = list(zip(*table.columns.values(), strict=True))
    if not rows:
        return ""
    widths = _column_widths(table)
    if widths is None:
        return "\n\n".join(_facts(list(zip(table.columns, row, strict=True))) for row in rows)
    from rich.table import Table as Grid

    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for name, width in zip(table.columns, widths, strict=True):
        justify: Literal["left", "right"] = "left" if name in table.left else "right"
        grid.add_column(printable(name), justify=justify, overflow="fold", width=width)
    for cells in rows:
        grid.add_row(*map(printable, cells))
    return _drawn(grid)


def _column_widths(table: "Table") -> list[int] | None:
    """Return a width a column that fits the terminal; None where the longest words do not.

    Columns are narrowed from the widest on, none below its longest word (rich would cut words).
    """
    least, widths = _word_widths(table), _whole_widths(table)
    room = _width() - GAP * (len(widths) - 1)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        places = [place for place, width in enumerate(widths) if width > least[place]]
        widths[max(places, key=widths.__getitem__)] -= 1
    return widths


def _styled(text: str, style: str) -> Any:
    from rich.text import Text

    return Text(text, style)


def _drawn(what: Any) -> str:
    """Return what rich draws as text, with colours only for a terminal that wants them."""
    from rich.console import Console

    page = io.StringIO()
    console = Console(
        file=page,
        force_terminal=sys.stdout.isatty() or None,
        width=_width(),
        height=100,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(what, soft_wrap=False)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


# ------------------------------------------------------------------ JSON


def entry(model: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `results`: the model first, where there is one."""
    rest = {key: value for key, value in values.items() if key != "model"}
    return rest if model is None else {"model": model, **rest}


def errors_of_counting(data: Any) -> str:
    """Return the table of how far numbers of counted rows can be off, with --verbose only."""
    errors = counting_errors_of(data) if running().verbose else []
    return f"\n\n{shown(errors)}" if errors else ""


def counting_entries(data: Any) -> dict[str, Any]:
    """Return the same for JSON, where rows were counted."""
    errors = counting_errors_of(data)
    entries = [
        dict(one.to_dict()) if name is None else entry(name, one.to_dict()) for name, one in errors
    ]
    return {"counting_errors": entries} if entries else {}


def print_json(command: str, results: Sequence[Mapping[str, Any]], **more: Any) -> None:
    """Print the one object of `--json`: strict JSON, where undefined is null."""
    import plumbline
    from plumbline._result import jsonable

    read = [one.to_dict() for one in running().readings]
    if read:
        more |= {"read": read[0] if len(read) == 1 else read}
    more |= rows_entries()
    notes = notes_on_tables()
    if notes:
        more |= {"notes": [{"code": note.code, "text": str(note)} for note in notes]}
    whole = {"plumbline": plumbline.__version__, "command": command, "results": results} | more
    click.echo(json.dumps(jsonable(whole), indent=2, allow_nan=False))
