"""How results look in a terminal: one renderer of everything that `present` says."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from plumbline.cli.messages import typed
from plumbline.cli.output import paragraph
from plumbline.formatting import printable

if TYPE_CHECKING:
    from plumbline._result import Presentation, Result

ONE_MODEL = "Tables of one model are shown where it is alone (--models), all with --json."


def shown(results: "Sequence[tuple[str | None, Result]]") -> str:
    """Return what the results of one request say, those of several models side by side."""
    return laid_out([result.present() for _, result in results], [name for name, _ in results])


def laid_out(parts: "Sequence[Presentation]", names: Sequence[str | None] = (None,)) -> str:
    """Return what the results of some models say, or what is to be shown of it."""
    from plumbline._result import text_table

    blocks = [_subject(subject) for subject in _each(part.subject for part in parts)]
    columns = _columns(names, parts)
    if columns:
        blocks.append(text_table(columns, left=("model", "answer")))
    shared = [
        note
        for note in (parts[0].notes if len(parts) > 1 else ())
        if all(note in part.notes for part in parts)
    ]
    for name, part in zip(names, parts, strict=True):
        who = "" if name is None else f"{printable(name)}: "
        notes = [typed(note, names=False) for note in part.notes if note not in shared]
        texts = filter(None, [part.summary, *notes])
        blocks += [paragraph(f"{who}{text}", "") for text in texts]
    blocks += [paragraph(typed(note, names=False), "") for note in shared]
    if len(parts) == 1:
        blocks += [str(table) for table in parts[0].tables]
    elif any(part.tables for part in parts):
        blocks.append(ONE_MODEL)
    legend = _each(line for part in parts for line in part.legend)
    return "\n\n".join([*blocks, *(paragraph(text, "") for text in legend)])


def _subject(text: str) -> str:
    """Return what was looked at; formulas, in lines of their own, as they can be copied."""
    return "\n".join(
        printable(line) if line.startswith("  ") else paragraph(line, "")
        for line in text.split("\n")
    )


def _columns(
    names: Sequence[str | None], parts: "Sequence[Presentation]"
) -> dict[str, Sequence[str]]:
    """Return the details as columns under their labels, the names of the models first."""
    columns: dict[str, Sequence[str]] = {}
    if any(part.details for part in parts):
        columns |= {"model": [str(name) for name in names]} if names[0] is not None else {}
        cells = [{detail.label: detail.text for detail in part.details} for part in parts]
        labels = _each(label for one in cells for label in one)
        columns |= {label: [one.get(label, "-") for one in cells] for label in labels}
    return columns


def _each(texts: Iterable[str]) -> list[str]:
    """Return each text once, in order, the empty one left out."""
    return [text for text in dict.fromkeys(texts) if text]
