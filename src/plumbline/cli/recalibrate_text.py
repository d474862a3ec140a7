"""What `recalibrate` says to people: the methods, the map, the rows before and after."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli import terminal
from plumbline.cli.output import paragraph, table
from plumbline.cli.prediction_file import heading
from plumbline.formatting import printable

if TYPE_CHECKING:
    from plumbline.cli.recalibrate_out import RecalibrateOutput
    from plumbline.recalibration import Method

CALLED = {".json": "Map", ".sql": "Map", ".py": "Map", ".onnx": "Map", ".html": "Report"}
PICTURES = (".svg", ".png", ".pdf")


def whole_text(
    output: "RecalibrateOutput", *, fit: Path | None, new: Path | None, written: Sequence[Path]
) -> str:
    """Return all that is printed."""
    blocks = []
    if output.fit is not None and fit is not None:
        blocks = [heading(fit, output.fit) if output.bare is None else output.bare.heading(fit)]
    if output.advice is not None:
        blocks.append(terminal.shown([(None, output.advice)]))
    map_text = replace(output.map.present(), details=())  # its files have them
    blocks.append(terminal.laid_out([map_text]))
    if output.new is not None and new is not None:
        blocks.append(output.new.heading(new))
    if output.effect is not None:
        blocks.append(terminal.shown([(None, output.effect)]))
    elif output.new is not None and not output.new.labelled:
        blocks.append(
            "The rows are mended; whether that helped cannot be told without their true classes."
        )
    if written:
        blocks.append("\n".join(f"{_called(path, output)}: {printable(path)}" for path in written))
    return "\n\n".join(blocks)


def _called(path: Path, output: "RecalibrateOutput") -> str:
    ending = path.suffix.lower()
    return f"Picture of {output.pictured}" if ending in PICTURES else CALLED.get(ending, "Rows")


# ------------------------------------------------------------------ the list


def list_rows() -> list[dict[str, Any]]:
    """Return every method as one row."""
    from plumbline.recalibration import METHODS

    return [
        {
            "method": row.name,
            "title": row.title,
            "text": row.text,
            "on": list(row.on),
            "several": row.several,
            "order": row.order,
            "options": dict(row.options),
            "source": row.source,
        }
        for row in METHODS.values()
    ]


def list_text() -> str:
    """Return the table of methods."""
    from plumbline.recalibration import METHODS

    rows: list[Method] = list(METHODS.values())
    columns = {
        "method": [row.name for row in rows],
        "reads": [", ".join(row.on) for row in rows],
        "classes": [row.several for row in rows],
        "order": [row.order for row in rows],
        "options": [
            ", ".join(f"{k}={_spelt(v)}" for k, v in row.options.items()) or "-" for row in rows
        ],
    }
    note = (
        "classes: of more than two, all at once (native) or each against the rest; order of the "
        "scores of two classes: kept, kept with ties, or free to change. Options are set with "
        "--method NAME --option NAME=VALUE."
    )
    return f"{table(columns)}\n\n{paragraph(note, '')}"


def _spelt(value: Any) -> str:
    import json

    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value)
