"""How results are printed: one renderer of everything that `present` gives, and one of JSON."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from plumbline.cli.messages import typed
from plumbline.formatting import PAGE, printable

if TYPE_CHECKING:
    from plumbline._result import Presentation, Result, Table

ONE_MODEL = "Tables of one model are shown where it is alone (--models), all with --json."


def shown(results: "Sequence[tuple[str | None, Result]]") -> str:
    """Return what the results of one request say, those of several models side by side."""
    return laid_out([result.present() for _, result in results], [name for name, _ in results])


def laid_out(parts: "Sequence[Presentation]", names: Sequence[str | None] = (None,)) -> str:
    """Return what the results of some models say, or what is to be shown of it."""
    from plumbline._result import side_by_side, text_table

    subjects = _each(typed(part.subject, names=not part.formulas) for part in parts)
    blocks = [_subject(subject) for subject in subjects]
    if any(part.details for part in parts):
        columns = _models(names) | side_by_side([part.details for part in parts])
        blocks.append(text_table(columns, left=("model", "answer")))
    tables = [str(table) for table in _tables(names, parts)]
    if any(part.tables for part in parts) and not tables:
        tables.append(ONE_MODEL)
    first = all(part.tables_first for part in parts)
    blocks += [*tables, *_texts(names, parts)] if first else [*_texts(names, parts), *tables]
    legend = _each(line for part in parts for line in part.legend)
    return "\n\n".join([*blocks, *(paragraph(typed(text)) for text in legend)])


def _subject(text: str) -> str:
    """Return what was looked at; formulas, in lines of their own, as they can be copied."""
    return "\n".join(
        printable(line) if line.startswith("  ") else paragraph(line) for line in text.split("\n")
    )


def _models(names: Sequence[str | None]) -> dict[str, list[str]]:
    return {"model": [str(name) for name in names]} if names[0] is not None else {}


def _texts(names: Sequence[str | None], parts: "Sequence[Presentation]") -> Iterator[str]:
    """Yield summaries and notes of every model, and what holds for all of them once."""
    shared = [
        note
        for note in (parts[0].notes if len(parts) > 1 else ())
        if all(note in part.notes for part in parts)
    ]
    for name, part in zip(names, parts, strict=True):
        who = "" if name is None else f"{printable(name)}: "
        notes = [note for note in part.notes if note not in shared]
        texts = [part.summary, *(typed(note, names=not part.formulas) for note in notes)]
        yield from (paragraph(f"{who}{text}") for text in texts if text)
    yield from (paragraph(typed(note, names=not parts[0].formulas)) for note in shared)


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


def paragraph(text: str) -> str:
    """Return a text wrapped at the width of a page."""
    return textwrap.fill(printable(text), PAGE, break_long_words=False, break_on_hyphens=False)


def entry(model: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `results`: the model first, where there is one."""
    rest = {key: value for key, value in values.items() if key != "model"}
    return rest if model is None else {"model": model, **rest}


def print_json(command: str, results: Sequence[Mapping[str, Any]], **more: Any) -> None:
    """Print the one object of `--json`: strict JSON, where undefined is null."""
    import plumbline
    from plumbline._result import jsonable

    whole = {"plumbline": plumbline.__version__, "command": command, "results": results} | more
    click.echo(json.dumps(jsonable(whole), indent=2, allow_nan=False))
